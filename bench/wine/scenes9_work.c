/* SPDX-License-Identifier: MIT */
/* Direct3D 9 scenes not dominated by pixels: instances, changing textures, draws with states and shaders. */
#include "bench/wine/scenes9.h"

#include <stdlib.h>

static const DWORD pass_2[] = {
#include "bench/wine/shaders/pass_2.vsa.h"
};
static const DWORD textured[] = {
#include "bench/wine/shaders/texture.psa.h"
};
static const DWORD instance[] = {
#include "bench/wine/shaders/instance.vsa.h"
};
static const DWORD color[] = {
#include "bench/wine/shaders/color.psa.h"
};

static struct resources r;

static void destroy(void)
{
    release_all(&r);
}

/* --- instances ---------------------------------------------------------------------------------- */

#define INSTANCES 8000

struct vertex_lit {
    struct vec3 position, normal;
};

struct place {
    struct vec3 place;
    float size, cosine, sine, unused[2];
    D3DCOLOR color;
};

static const D3DVERTEXELEMENT9 instance_elements[] = {
    {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
    {0, 12, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
    {1, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
    {1, 16, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 1},
    {1, 32, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0},
    D3DDECL_END(),
};

/* An octahedron, each face with vertices of its own. */
static void create_model(IDirect3DDevice9 *device)
{
    struct vertex_lit v[24];
    uint16_t list[24];

    for (unsigned face = 0; face < 8; face++) {
        float x = face & 1 ? 1 : -1, y = face & 2 ? 1 : -1, z = face & 4 ? 1 : -1;
        const struct vec3 corner[3] = {v3(x, 0, 0), v3(0, y, 0), v3(0, 0, z)};
        bool turned = x * y * z > 0;

        for (unsigned k = 0; k < 3; k++) {
            v[3 * face + k] = (struct vertex_lit){corner[turned ? 2 - k : k], v3_normal(v3(x, y, z))};
            list[3 * face + k] = (uint16_t)(3 * face + k);
        }
    }
    r.vertices[0] = make_vertices(device, v, sizeof(v));
    r.indices = make_indices(device, list, COUNT(list));
}

static void create_instances(IDirect3DDevice9 *device)
{
    struct place *places = malloc(INSTANCES * sizeof(*places));
    uint32_t seed = 21;

    if (!places)
        fail("malloc", E_OUTOFMEMORY);
    for (unsigned i = 0; i < INSTANCES; i++) {
        float a = random_float(&seed) * 2 * pi, d = 0.6f + 6 * random_float(&seed), turn = random_float(&seed) * 6;

        places[i] = (struct place){v3(d * cosf(a), 2 * random_float(&seed) / d, d * sinf(a)),
                                   0.03f + 0.04f * random_float(&seed),
                                   cosf(turn),
                                   sinf(turn),
                                   {0, 0},
                                   color_rgba(0.5f + 0.08f * d, 0.6f, 1 - 0.1f * d, 1)};
    }
    r.vertices[1] = make_vertices(device, places, INSTANCES * sizeof(*places));
    free(places);
    create_model(device);
    r.declaration = make_declaration(device, instance_elements);
    r.vertex = make_vertex_shader(device, instance);
    r.pixel[0] = make_pixel_shader(device, color);
    IDirect3DDevice9_SetVertexDeclaration(device, r.declaration);
    IDirect3DDevice9_SetVertexShader(device, r.vertex);
    IDirect3DDevice9_SetPixelShader(device, r.pixel[0]);
    IDirect3DDevice9_SetStreamSource(device, 0, r.vertices[0], 0, sizeof(struct vertex_lit));
    IDirect3DDevice9_SetStreamSource(device, 1, r.vertices[1], 0, sizeof(struct place));
    IDirect3DDevice9_SetStreamSourceFreq(device, 0, D3DSTREAMSOURCE_INDEXEDDATA | INSTANCES);
    IDirect3DDevice9_SetStreamSourceFreq(device, 1, D3DSTREAMSOURCE_INSTANCEDATA | 1);
    IDirect3DDevice9_SetIndices(device, r.indices);
}

static void draw_instances(IDirect3DDevice9 *device, unsigned frame)
{
    float a = (float)(frame % 16) * 0.02f;
    D3DMATRIX view = matrix_look_at(v3(6 * cosf(a), 3.5f, 6 * sinf(a)), v3(0, 0.4f, 0));
    D3DMATRIX projection = matrix_perspective(0.8f, 4.0f / 3.0f, 0.5f, 50), both = matrix_product(&view, &projection);
    float constants[6][4] = {{0}, {0}, {0}, {0}, {0.5f, 0.7f, -0.5f, 0}, {0.25f, 0.25f, 0.3f, 0}};

    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            constants[i][j] = both.m[j][i];
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff182030, 1, 0);
    IDirect3DDevice9_SetVertexShaderConstantF(device, 0, constants[0], 6);
    IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, 24, 0, 8);
}

/* --- textures that change ---------------------------------------------------------------------------- */

#define DYNAMIC_SIZE 512

static void use_textured(IDirect3DDevice9 *device)
{
    r.declaration = make_corner_declaration(device);
    r.vertex = make_vertex_shader(device, pass_2);
    r.pixel[0] = make_pixel_shader(device, textured);
    IDirect3DDevice9_SetVertexDeclaration(device, r.declaration);
    IDirect3DDevice9_SetVertexShader(device, r.vertex);
    IDirect3DDevice9_SetPixelShader(device, r.pixel[0]);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set_pixel_constant(device, 0, 1, 1, 1, 1);
}

static void create_dynamic(IDirect3DDevice9 *device)
{
    use_textured(device);
    for (unsigned i = 0; i < 2; i++)
        if (FAILED(IDirect3DDevice9_CreateTexture(device, DYNAMIC_SIZE, DYNAMIC_SIZE, 1, D3DUSAGE_DYNAMIC,
                                                  D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &r.texture[i], NULL)))
            fail("CreateTexture of a dynamic texture", E_FAIL);
}

/* Like a video: all texels are rewritten in each frame, then drawn; half a frame each. */
static void draw_dynamic(IDirect3DDevice9 *device, unsigned frame)
{
    for (unsigned i = 0; i < 2; i++) {
        const RECT half = {(LONG)i * VIEW_WIDTH / 2, 0, (LONG)(i + 1) * VIEW_WIDTH / 2, VIEW_HEIGHT};
        D3DLOCKED_RECT locked;

        if (FAILED(IDirect3DTexture9_LockRect(r.texture[i], 0, &locked, NULL, D3DLOCK_DISCARD)))
            return;
        for (unsigned y = 0; y < DYNAMIC_SIZE; y++) {
            uint32_t *row = (uint32_t *)((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch);
            const uint32_t first = (y / 2) << 16 | (frame % 16 + i * 64);

            for (unsigned x = 0; x < DYNAMIC_SIZE; x++)
                row[x] = first + (x / 2 << 8);
        }
        IDirect3DTexture9_UnlockRect(r.texture[i], 0);
        use_texture(device, 0, r.texture[i], D3DTADDRESS_CLAMP, D3DTEXF_LINEAR, D3DTEXF_NONE);
        draw_quad(device, &half, 1);
    }
}

/* --- states ----------------------------------------------------------------------------------------------- */

#define STATE_COLUMNS 128
#define STATE_ROWS    80

static void create_states(IDirect3DDevice9 *device)
{
    struct corner *corners = malloc(STATE_COLUMNS * STATE_ROWS * 4 * sizeof(*corners));

    if (!corners)
        fail("malloc", E_OUTOFMEMORY);
    for (unsigned i = 0; i < STATE_COLUMNS * STATE_ROWS; i++) {
        LONG x = (LONG)(i % STATE_COLUMNS) * 5, y = (LONG)(i / STATE_COLUMNS) * 6;

        fill_quad(corners + 4 * i, &(RECT){x, y, x + 4, y + 4}, VIEW_WIDTH, VIEW_HEIGHT, 1);
    }
    r.vertices[0] = make_vertices(device, corners, STATE_COLUMNS * STATE_ROWS * 4 * sizeof(*corners));
    free(corners);
    use_textured(device);
    for (unsigned i = 0; i < 4; i++)
        r.texture[i] = make_texture(device, 16, i & 1 ? marble_texel : checker_texel);
    use_texture(device, 0, r.texture[0], D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_NONE);
    set(device, D3DRS_SRCBLEND, D3DBLEND_ONE);
}

/* No two neighbouring draws have the same states, texture and constants. */
static void draw_states(IDirect3DDevice9 *device, unsigned frame)
{
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff202020, 1, 0);
    IDirect3DDevice9_SetStreamSource(device, 0, r.vertices[0], 0, sizeof(struct corner));
    for (unsigned i = 0; i < STATE_COLUMNS * STATE_ROWS; i++) {
        float shade = 0.3f + 0.7f * (float)((i + frame % 16) % 100) / 100;

        IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)r.texture[i / 2 % 4]);
        set(device, D3DRS_ALPHABLENDENABLE, i / 8 & 1);
        set(device, D3DRS_DESTBLEND, i / 3 & 1 ? D3DBLEND_ONE : D3DBLEND_INVSRCCOLOR);
        IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_ADDRESSU, i & 1 ? D3DTADDRESS_CLAMP : D3DTADDRESS_WRAP);
        set_pixel_constant(device, 0, shade, shade, 1 - shade, 1);
        IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, i * 4, 2);
    }
}

/* clang-format off */
const struct scene work_scenes[] = {
    {"instances", "8000 instances of a lit octahedron", create_instances, draw_instances, destroy},
    {"dynamic-texture", "two textures of 512x512, rewritten and drawn", create_dynamic, draw_dynamic, destroy},
    {"states", "10240 draws of two triangles, states, texture and constants changed before each", create_states, draw_states, destroy},
};
/* clang-format on */
const unsigned work_scene_count = COUNT(work_scenes);
