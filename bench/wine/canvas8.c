/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a device of Direct3D 8. */
#include "bench/wine/canvas8.h"

#include <string.h>

static struct {
    struct canvas canvas;
    IDirect3DDevice8 *device;
    IDirect3DTexture8 *textures[CANVAS_MAX_OBJECTS];
    IDirect3DVertexBuffer8 *vertices[CANVAS_MAX_OBJECTS];
    IDirect3DIndexBuffer8 *indices[CANVAS_MAX_OBJECTS];
    struct {
        DWORD vertex, pixel;
    } programs[CANVAS_MAX_OBJECTS];
    unsigned texture_count, vertices_count, indices_count, program_count;
    IDirect3DIndexBuffer8 *current_indices;
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
    check(IDirect3DDevice8_Clear(board.device, 0, NULL, flags, color, 1, 0));
}

static void state(struct canvas *canvas, uint32_t number, uint32_t value)
{
    (void)canvas;
    check(IDirect3DDevice8_SetRenderState(board.device, (D3DRENDERSTATETYPE)number, value));
}

static void stage_state(struct canvas *canvas, unsigned stage, uint32_t number, uint32_t value)
{
    (void)canvas;
    check(IDirect3DDevice8_SetTextureStageState(board.device, stage, (D3DTEXTURESTAGESTATETYPE)number, value));
}

static void transform(struct canvas *canvas, uint32_t which, const float matrix[16])
{
    D3DMATRIX m;

    (void)canvas;
    memcpy(&m, matrix, sizeof(m));
    check(IDirect3DDevice8_SetTransform(board.device, (D3DTRANSFORMSTATETYPE)which, &m));
}

static void light(struct canvas *canvas, unsigned index, const struct canvas_light *from)
{
    const D3DLIGHT8 to = {.Type = (D3DLIGHTTYPE)from->type,
                          .Diffuse = {from->diffuse[0], from->diffuse[1], from->diffuse[2], 1},
                          .Position = {from->place[0], from->place[1], from->place[2]},
                          .Direction = {from->direction[0], from->direction[1], from->direction[2]},
                          .Range = from->range,
                          .Attenuation0 = from->attenuation[0],
                          .Attenuation1 = from->attenuation[1],
                          .Attenuation2 = from->attenuation[2]};

    (void)canvas;
    check(IDirect3DDevice8_SetLight(board.device, index, &to));
    check(IDirect3DDevice8_LightEnable(board.device, index, TRUE));
}

static void material(struct canvas *canvas, const float diffuse[4], const float ambient[4])
{
    D3DMATERIAL8 to = {.Power = 0};

    (void)canvas;
    memcpy(&to.Diffuse, diffuse, sizeof(to.Diffuse));
    memcpy(&to.Ambient, ambient, sizeof(to.Ambient));
    check(IDirect3DDevice8_SetMaterial(board.device, &to));
}

/* --- objects ---------------------------------------------------------------------------- */

static unsigned create_texture(struct canvas *canvas, uint32_t format, unsigned size, unsigned levels, canvas_fill fill)
{
    IDirect3DTexture8 **texture = &board.textures[board.texture_count];

    (void)canvas;
    if (board.texture_count == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice8_CreateTexture(board.device, size, size, levels, 0, (D3DFORMAT)format, D3DPOOL_MANAGED,
                                              texture)))
        return 0;
    for (unsigned level = 0; level < levels; level++) {
        D3DLOCKED_RECT locked;

        if (check(IDirect3DTexture8_LockRect(*texture, level, &locked, NULL, 0))) {
            fill(locked.pBits, (size_t)locked.Pitch, size >> level);
            IDirect3DTexture8_UnlockRect(*texture, level);
        }
    }
    return ++board.texture_count;
}

static unsigned create_vertices(struct canvas *canvas, const void *data, unsigned bytes, uint32_t fvf)
{
    IDirect3DVertexBuffer8 **buffer = &board.vertices[board.vertices_count];
    BYTE *memory;

    (void)canvas;
    if (board.vertices_count == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice8_CreateVertexBuffer(board.device, bytes,
                                                   D3DUSAGE_WRITEONLY | (data ? 0 : D3DUSAGE_DYNAMIC), fvf,
                                                   data ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT, buffer)))
        return 0;
    if (data && check(IDirect3DVertexBuffer8_Lock(*buffer, 0, 0, &memory, 0))) {
        memcpy(memory, data, bytes);
        IDirect3DVertexBuffer8_Unlock(*buffer);
    }
    return ++board.vertices_count;
}

static unsigned create_indices(struct canvas *canvas, const uint16_t *list, unsigned count)
{
    IDirect3DIndexBuffer8 **buffer = &board.indices[board.indices_count];
    BYTE *memory;

    (void)canvas;
    if (board.indices_count == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice8_CreateIndexBuffer(board.device, 2 * count, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                                  D3DPOOL_MANAGED, buffer)))
        return 0;
    if (check(IDirect3DIndexBuffer8_Lock(*buffer, 0, 0, &memory, 0))) {
        memcpy(memory, list, 2 * count);
        IDirect3DIndexBuffer8_Unlock(*buffer);
    }
    return ++board.indices_count;
}

static unsigned create_program(struct canvas *canvas, const struct canvas_program *program)
{
    uint32_t code[CANVAS_PROGRAM_TOKENS], declaration[CANVAS_PROGRAM_TOKENS];
    unsigned i = board.program_count;

    (void)canvas;
    canvas_program_of_version_8(program, code, declaration);
    if (i == CANVAS_MAX_OBJECTS ||
        !check(IDirect3DDevice8_CreateVertexShader(board.device, (const DWORD *)declaration, (const DWORD *)code,
                                                   &board.programs[i].vertex, 0)) ||
        !check(
            IDirect3DDevice8_CreatePixelShader(board.device, (const DWORD *)program->pixel, &board.programs[i].pixel)))
        return 0;
    return ++board.program_count;
}

static void use_texture(struct canvas *canvas, unsigned stage, unsigned texture)
{
    (void)canvas;
    check(IDirect3DDevice8_SetTexture(board.device, stage,
                                      texture ? (IDirect3DBaseTexture8 *)board.textures[texture - 1] : NULL));
}

static void use_format(struct canvas *canvas, uint32_t fvf)
{
    (void)canvas;
    check(IDirect3DDevice8_SetVertexShader(board.device, fvf));
}

static void use_program(struct canvas *canvas, unsigned program)
{
    (void)canvas;
    check(IDirect3DDevice8_SetVertexShader(board.device, program ? board.programs[program - 1].vertex : 0));
    check(IDirect3DDevice8_SetPixelShader(board.device, program ? board.programs[program - 1].pixel : 0));
}

static void use_vertices(struct canvas *canvas, unsigned buffer, unsigned stride)
{
    (void)canvas;
    check(IDirect3DDevice8_SetStreamSource(board.device, 0, buffer ? board.vertices[buffer - 1] : NULL, stride));
}

/* In version 8, set with the first vertex of the draw. */
static void use_indices(struct canvas *canvas, unsigned buffer)
{
    (void)canvas;
    board.current_indices = buffer ? board.indices[buffer - 1] : NULL;
}

static void constants(struct canvas *canvas, bool pixel, unsigned first, const float (*values)[4], unsigned count)
{
    (void)canvas;
    check(pixel ? IDirect3DDevice8_SetPixelShaderConstant(board.device, first, values, count)
                : IDirect3DDevice8_SetVertexShaderConstant(board.device, first, values, count));
}

static void *lock(struct canvas *canvas, unsigned buffer)
{
    BYTE *memory;

    (void)canvas;
    return buffer && check(IDirect3DVertexBuffer8_Lock(board.vertices[buffer - 1], 0, 0, &memory, D3DLOCK_DISCARD))
               ? memory
               : NULL;
}

static void unlock(struct canvas *canvas, unsigned buffer)
{
    (void)canvas;
    IDirect3DVertexBuffer8_Unlock(board.vertices[buffer - 1]);
}

static void draw(struct canvas *canvas, uint32_t type, unsigned first, unsigned primitives)
{
    (void)canvas;
    check(IDirect3DDevice8_DrawPrimitive(board.device, (D3DPRIMITIVETYPE)type, first, primitives));
}

static void draw_indexed(struct canvas *canvas, uint32_t type, unsigned base, unsigned vertices, unsigned primitives)
{
    (void)canvas;
    check(IDirect3DDevice8_SetIndices(board.device, board.current_indices, base));
    check(IDirect3DDevice8_DrawIndexedPrimitive(board.device, (D3DPRIMITIVETYPE)type, 0, vertices, 0, primitives));
}

static const struct canvas_calls calls = {
    clear,           state,          stage_state,    transform,   light,      material,     create_texture,
    create_vertices, create_indices, create_program, use_texture, use_format, use_program,  use_vertices,
    use_indices,     constants,      lock,           unlock,      draw,       draw_indexed,
};

struct canvas *canvas8_open(IDirect3DDevice8 *device, unsigned width, unsigned height)
{
    memset(&board, 0, sizeof(board));
    board.canvas = (struct canvas){&calls, width, height};
    board.device = device;
    return &board.canvas;
}

bool canvas8_good(void)
{
    return !board.failed;
}

void canvas8_close(void)
{
    for (unsigned i = 0; i < board.texture_count; i++)
        IDirect3DTexture8_Release(board.textures[i]);
    for (unsigned i = 0; i < board.vertices_count; i++)
        IDirect3DVertexBuffer8_Release(board.vertices[i]);
    for (unsigned i = 0; i < board.indices_count; i++)
        IDirect3DIndexBuffer8_Release(board.indices[i]);
    memset(&board, 0, sizeof(board));
}
