/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 9. */
#include "bench/wine/canvas9.h"

#include <string.h>

static struct {
    struct canvas canvas;
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *textures[CANVAS_MAX_OBJECTS];
    IDirect3DVertexBuffer9 *vertices[CANVAS_MAX_OBJECTS];
    IDirect3DIndexBuffer9 *indices[CANVAS_MAX_OBJECTS];
    struct {
        IDirect3DVertexDeclaration9 *declaration;
        IDirect3DVertexShader9 *vertex;
        IDirect3DPixelShader9 *pixel;
    } programs[CANVAS_MAX_OBJECTS];
    unsigned texture_count, vertices_count, indices_count, program_count;
    bool failed;
} board;

static bool check(HRESULT result)
{
    board.failed |= FAILED(result);
    return SUCCEEDED(result);
}

static void clear(struct canvas *canvas, uint32_t flags, uint32_t color)
{
    (void)canvas;
    check(IDirect3DDevice9_Clear(board.device, 0, NULL, flags, color, 1, 0));
}

static void state(struct canvas *canvas, uint32_t number, uint32_t value)
{
    (void)canvas;
    check(IDirect3DDevice9_SetRenderState(board.device, (D3DRENDERSTATETYPE)number, value));
}

/* States of a stage in Direct3D 8 that are a sampler's in 9. */
static const struct {
    uint32_t number;
    D3DSAMPLERSTATETYPE sampler;
} sampler_states[] = {
    {13, D3DSAMP_ADDRESSU},  {14, D3DSAMP_ADDRESSV},  {16, D3DSAMP_MAGFILTER},
    {17, D3DSAMP_MINFILTER}, {18, D3DSAMP_MIPFILTER},
};

static void stage_state(struct canvas *canvas, unsigned stage, uint32_t number, uint32_t value)
{
    (void)canvas;
    for (unsigned i = 0; i < sizeof(sampler_states) / sizeof(sampler_states[0]); i++) {
        if (sampler_states[i].number == number) {
            check(IDirect3DDevice9_SetSamplerState(board.device, stage, sampler_states[i].sampler, value));
            return;
        }
    }
    check(IDirect3DDevice9_SetTextureStageState(board.device, stage, (D3DTEXTURESTAGESTATETYPE)number, value));
}

static void transform(struct canvas *canvas, uint32_t which, const float matrix[16])
{
    D3DMATRIX m;

    (void)canvas;
    memcpy(&m, matrix, sizeof(m));
    check(IDirect3DDevice9_SetTransform(board.device, (D3DTRANSFORMSTATETYPE)which, &m));
}

static void light(struct canvas *canvas, unsigned index, const struct canvas_light *from)
{
    const D3DLIGHT9 to = {.Type = (D3DLIGHTTYPE)from->type,
                          .Diffuse = {from->diffuse[0], from->diffuse[1], from->diffuse[2], 1},
                          .Position = {from->place[0], from->place[1], from->place[2]},
                          .Direction = {from->direction[0], from->direction[1], from->direction[2]},
                          .Range = from->range,
                          .Attenuation0 = from->attenuation[0],
                          .Attenuation1 = from->attenuation[1],
                          .Attenuation2 = from->attenuation[2]};

    (void)canvas;
    check(IDirect3DDevice9_SetLight(board.device, index, &to));
    check(IDirect3DDevice9_LightEnable(board.device, index, TRUE));
}

static void material(struct canvas *canvas, const float diffuse[4], const float ambient[4])
{
    D3DMATERIAL9 to = {.Power = 0};

    (void)canvas;
    memcpy(&to.Diffuse, diffuse, sizeof(to.Diffuse));
    memcpy(&to.Ambient, ambient, sizeof(to.Ambient));
    check(IDirect3DDevice9_SetMaterial(board.device, &to));
}

/* --- objects ---------------------------------------------------------------------------- */

static unsigned create_texture(struct canvas *canvas, uint32_t format, unsigned size, unsigned levels, canvas_fill fill)
{
    IDirect3DTexture9 **texture = &board.textures[board.texture_count];

    (void)canvas;
    if (board.texture_count == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice9_CreateTexture(board.device, size, size, levels, 0, (D3DFORMAT)format, D3DPOOL_MANAGED,
                                              texture, NULL)))
        return 0;
    for (unsigned level = 0; level < levels; level++) {
        D3DLOCKED_RECT locked;

        if (check(IDirect3DTexture9_LockRect(*texture, level, &locked, NULL, 0))) {
            fill(locked.pBits, (size_t)locked.Pitch, size >> level);
            IDirect3DTexture9_UnlockRect(*texture, level);
        }
    }
    return ++board.texture_count;
}

static unsigned create_vertices(struct canvas *canvas, const void *data, unsigned bytes, uint32_t fvf)
{
    IDirect3DVertexBuffer9 **buffer = &board.vertices[board.vertices_count];
    void *memory;

    (void)canvas;
    if (board.vertices_count == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice9_CreateVertexBuffer(board.device, bytes,
                                                   D3DUSAGE_WRITEONLY | (data ? 0 : D3DUSAGE_DYNAMIC), fvf,
                                                   data ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT, buffer, NULL)))
        return 0;
    if (data && check(IDirect3DVertexBuffer9_Lock(*buffer, 0, 0, &memory, 0))) {
        memcpy(memory, data, bytes);
        IDirect3DVertexBuffer9_Unlock(*buffer);
    }
    return ++board.vertices_count;
}

static unsigned create_indices(struct canvas *canvas, const uint16_t *list, unsigned count)
{
    IDirect3DIndexBuffer9 **buffer = &board.indices[board.indices_count];
    void *memory;

    (void)canvas;
    if (board.indices_count == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice9_CreateIndexBuffer(board.device, 2 * count, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                                  D3DPOOL_MANAGED, buffer, NULL)))
        return 0;
    if (check(IDirect3DIndexBuffer9_Lock(*buffer, 0, 0, &memory, 0))) {
        memcpy(memory, list, 2 * count);
        IDirect3DIndexBuffer9_Unlock(*buffer);
    }
    return ++board.indices_count;
}

static unsigned create_program(struct canvas *canvas, const struct canvas_program *program)
{
    D3DVERTEXELEMENT9 elements[CANVAS_MAX_OBJECTS + 1];
    unsigned i = board.program_count;
    WORD offset = 0;

    (void)canvas;
    for (unsigned k = 0; k < program->input_count; k++) {
        const struct canvas_input *input = &program->inputs[k];

        elements[k] = (D3DVERTEXELEMENT9){0, offset, (BYTE)(input->floats - 1), D3DDECLMETHOD_DEFAULT, input->usage, 0};
        offset = (WORD)(offset + 4 * input->floats);
    }
    elements[program->input_count] = (D3DVERTEXELEMENT9)D3DDECL_END();
    if (i == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice9_CreateVertexDeclaration(board.device, elements, &board.programs[i].declaration)) ||
        !check(IDirect3DDevice9_CreateVertexShader(board.device, (const DWORD *)program->vertex,
                                                   &board.programs[i].vertex)) ||
        !check(
            IDirect3DDevice9_CreatePixelShader(board.device, (const DWORD *)program->pixel, &board.programs[i].pixel)))
        return 0;
    return ++board.program_count;
}

static void use_texture(struct canvas *canvas, unsigned stage, unsigned texture)
{
    (void)canvas;
    check(IDirect3DDevice9_SetTexture(board.device, stage,
                                      texture ? (IDirect3DBaseTexture9 *)board.textures[texture - 1] : NULL));
}

static void use_format(struct canvas *canvas, uint32_t fvf)
{
    (void)canvas;
    check(IDirect3DDevice9_SetFVF(board.device, fvf));
}

static void use_program(struct canvas *canvas, unsigned program)
{
    (void)canvas;
    if (!program)
        return;
    check(IDirect3DDevice9_SetVertexDeclaration(board.device, board.programs[program - 1].declaration));
    check(IDirect3DDevice9_SetVertexShader(board.device, board.programs[program - 1].vertex));
    check(IDirect3DDevice9_SetPixelShader(board.device, board.programs[program - 1].pixel));
}

static void use_vertices(struct canvas *canvas, unsigned buffer, unsigned stride)
{
    (void)canvas;
    check(IDirect3DDevice9_SetStreamSource(board.device, 0, buffer ? board.vertices[buffer - 1] : NULL, 0, stride));
}

static void use_indices(struct canvas *canvas, unsigned buffer)
{
    (void)canvas;
    check(IDirect3DDevice9_SetIndices(board.device, buffer ? board.indices[buffer - 1] : NULL));
}

static void constants(struct canvas *canvas, bool pixel, unsigned first, const float (*values)[4], unsigned count)
{
    (void)canvas;
    check(pixel ? IDirect3DDevice9_SetPixelShaderConstantF(board.device, first, values[0], count)
                : IDirect3DDevice9_SetVertexShaderConstantF(board.device, first, values[0], count));
}

static void *lock(struct canvas *canvas, unsigned buffer)
{
    void *memory;

    (void)canvas;
    return buffer && check(IDirect3DVertexBuffer9_Lock(board.vertices[buffer - 1], 0, 0, &memory, D3DLOCK_DISCARD))
               ? memory
               : NULL;
}

static void unlock(struct canvas *canvas, unsigned buffer)
{
    (void)canvas;
    IDirect3DVertexBuffer9_Unlock(board.vertices[buffer - 1]);
}

static void draw(struct canvas *canvas, uint32_t type, unsigned first, unsigned primitives)
{
    (void)canvas;
    check(IDirect3DDevice9_DrawPrimitive(board.device, (D3DPRIMITIVETYPE)type, first, primitives));
}

static void draw_indexed(struct canvas *canvas, uint32_t type, unsigned base, unsigned vertices, unsigned primitives)
{
    (void)canvas;
    check(IDirect3DDevice9_DrawIndexedPrimitive(board.device, (D3DPRIMITIVETYPE)type, (INT)base, 0, vertices, 0,
                                                primitives));
}

static const struct canvas_calls calls = {
    clear,           state,          stage_state,    transform,   light,      material,     create_texture,
    create_vertices, create_indices, create_program, use_texture, use_format, use_program,  use_vertices,
    use_indices,     constants,      lock,           unlock,      draw,       draw_indexed,
};

struct canvas *canvas9_open(IDirect3DDevice9 *device, unsigned width, unsigned height)
{
    memset(&board, 0, sizeof(board));
    board.canvas = (struct canvas){&calls, width, height};
    board.device = device;
    return &board.canvas;
}

bool canvas9_good(void)
{
    return !board.failed;
}

void canvas9_close(void)
{
    for (unsigned i = 0; i < board.texture_count; i++)
        IDirect3DTexture9_Release(board.textures[i]);
    for (unsigned i = 0; i < board.vertices_count; i++)
        IDirect3DVertexBuffer9_Release(board.vertices[i]);
    for (unsigned i = 0; i < board.indices_count; i++)
        IDirect3DIndexBuffer9_Release(board.indices[i]);
    for (unsigned i = 0; i < board.program_count; i++) {
        IDirect3DVertexDeclaration9_Release(board.programs[i].declaration);
        IDirect3DVertexShader9_Release(board.programs[i].vertex);
        IDirect3DPixelShader9_Release(board.programs[i].pixel);
    }
    memset(&board, 0, sizeof(board));
}
