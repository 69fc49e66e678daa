/* SPDX-License-Identifier: MIT */
/* Scenes not dominated by pixels: vertices, small primitives, calls, changing buffers. */
#include "bench/wine/scenes.h"

#include <stdlib.h>
#include <string.h>

static IDirect3DVertexBuffer8 *vertices;
static IDirect3DIndexBuffer8 *indices;
static IDirect3DTexture8 *textures[4];

static void destroy_all(void)
{
    if (vertices)
        IDirect3DVertexBuffer8_Release(vertices);
    if (indices)
        IDirect3DIndexBuffer8_Release(indices);
    for (unsigned i = 0; i < COUNT(textures); i++) {
        if (textures[i])
            IDirect3DTexture8_Release(textures[i]);
        textures[i] = NULL;
    }
    vertices = NULL;
    indices = NULL;
}

static void set_camera(IDirect3DDevice8 *device, struct vec3 eye, struct vec3 target)
{
    D3DMATRIX view = matrix_look_at(eye, target);
    D3DMATRIX projection = matrix_perspective(0.8f, 4.0f / 3.0f, 0.5f, 50);

    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
}

/* --- a lit mesh of small triangles ------------------------------------------------------------ */

#define RINGS    160
#define SEGMENTS 200

struct vertex_lit {
    struct vec3 position, normal;
};

static void set_lights(IDirect3DDevice8 *device)
{
    D3DLIGHT8 sun = {.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {0.9f, 0.8f, 0.6f, 1}};
    D3DLIGHT8 lamp = {
        .Type = D3DLIGHT_POINT, .Diffuse = {0.2f, 0.3f, 0.9f, 1}, .Range = 20, .Attenuation0 = 1, .Attenuation1 = 0.1f};

    sun.Direction = (D3DVECTOR){0.5f, -0.7f, 0.6f};
    lamp.Position = (D3DVECTOR){-3, 2, -3};
    IDirect3DDevice8_SetLight(device, 0, &sun);
    IDirect3DDevice8_SetLight(device, 1, &lamp);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    IDirect3DDevice8_LightEnable(device, 1, TRUE);
    set_state(device, D3DRS_AMBIENT, 0xff202020);
}

static void create_mesh(IDirect3DDevice8 *device)
{
    struct vertex_lit *v = malloc((RINGS + 1) * (SEGMENTS + 1) * sizeof(*v));
    uint16_t *list = malloc(RINGS * SEGMENTS * 6 * sizeof(*list)), *at = list;

    if (!v || !list)
        fail("malloc", E_OUTOFMEMORY);
    for (unsigned r = 0; r <= RINGS; r++) {
        for (unsigned s = 0; s <= SEGMENTS; s++) {
            float a = pi * (float)r / RINGS, b = 2 * pi * (float)s / SEGMENTS;
            struct vec3 n = v3(sinf(a) * cosf(b), cosf(a), sinf(a) * sinf(b));

            v[r * (SEGMENTS + 1) + s] = (struct vertex_lit){v3_scale(n, 1.9f), n};
        }
    }
    for (unsigned r = 0; r < RINGS; r++) {
        for (unsigned s = 0; s < SEGMENTS; s++) {
            uint16_t a = (uint16_t)(r * (SEGMENTS + 1) + s), b = (uint16_t)(a + SEGMENTS + 1);
            const uint16_t quad[6] = {a, (uint16_t)(a + 1), b, b, (uint16_t)(a + 1), (uint16_t)(b + 1)};

            memcpy(at, quad, sizeof(quad));
            at += 6;
        }
    }
    vertices = make_vertices(device, v, (RINGS + 1) * (SEGMENTS + 1) * sizeof(*v), D3DFVF_XYZ | D3DFVF_NORMAL);
    indices = make_indices(device, list, RINGS * SEGMENTS * 6);
    free(v);
    free(list);
    set_lights(device);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0.5f, 20);
    set_stage(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_NORMAL);
}

static void draw_mesh(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX world = matrix_rotation_y((float)(frame % 16) * 0.02f);

    clear_all(device, 0xff182028);
    set_camera(device, v3(0, 1, -5), v3(0, 0, 0));
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetStreamSource(device, 0, vertices, sizeof(struct vertex_lit));
    IDirect3DDevice8_SetIndices(device, indices, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, (RINGS + 1) * (SEGMENTS + 1), 0,
                                          RINGS * SEGMENTS * 2);
}

/* --- draw calls ----------------------------------------------------------------------------------------- */

#define DRAW_COLUMNS 160
#define DRAW_ROWS    125

/* Four by four pixels, two triangles, in a grid; all in one static buffer. */
static void create_draws(IDirect3DDevice8 *device)
{
    const unsigned count = DRAW_COLUMNS * DRAW_ROWS;
    struct vertex_tl *v = malloc(count * 4 * sizeof(*v));

    if (!v)
        fail("malloc", E_OUTOFMEMORY);
    for (unsigned i = 0; i < count * 4; i++) {
        unsigned cell = i / 4;
        float x = (float)(cell % DRAW_COLUMNS) * 4 - 0.5f, y = (float)(cell / DRAW_COLUMNS) * 3.8f;

        v[i] = (struct vertex_tl){x + (i & 1 ? 3 : 0), y + (i & 2 ? 3 : 0), 0.5f,         1,
                                  0xffffffff,          i & 1 ? 1 : 0,       i & 2 ? 1 : 0};
    }
    vertices = make_vertices(device, v, count * 4 * sizeof(*v), VERTEX_TL_FVF);
    free(v);
    for (unsigned i = 0; i < COUNT(textures); i++)
        textures[i] = make_texture(device, 16, i & 1 ? marble_texel : checker_texel);
    use_texture(device, textures[0], false);
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    set_state(device, D3DRS_SRCBLEND, D3DBLEND_ONE);
    set_state(device, D3DRS_DESTBLEND, D3DBLEND_ONE);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
}

/* No two neighbouring draws have the same states. */
static void draw_draws(IDirect3DDevice8 *device, unsigned frame)
{
    clear_all(device, 0xff202020);
    IDirect3DDevice8_SetStreamSource(device, 0, vertices, sizeof(struct vertex_tl));
    for (unsigned i = 0; i < DRAW_COLUMNS * DRAW_ROWS; i++) {
        set_state(device, D3DRS_TEXTUREFACTOR, 0xff404040 + (i + frame % 16) % 160 * 0x010100);
        set_state(device, D3DRS_ALPHABLENDENABLE, i / 8 & 1);
        IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)textures[i / 2 % 4]);
        IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, i * 4, 2);
    }
}

/* --- dynamic buffers --------------------------------------------------------------------------------------- */

#define CHUNK_QUADS   125
#define CHUNKS        160
#define BUFFER_CHUNKS 16

static unsigned next_chunk;

static void create_dynamic(IDirect3DDevice8 *device)
{
    HRESULT result = IDirect3DDevice8_CreateVertexBuffer(
        device, BUFFER_CHUNKS * CHUNK_QUADS * 6 * sizeof(struct vertex_tl), D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
        VERTEX_TL_FVF, D3DPOOL_DEFAULT, &vertices);

    if (FAILED(result))
        fail("CreateVertexBuffer", result);
    next_chunk = 0;
    textures[0] = make_texture(device, 32, checker_texel);
    use_texture(device, textures[0], false);
    set_state(device, D3DRS_ZENABLE, D3DZB_FALSE);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
}

static void put_quad(struct vertex_tl *v, float x, float y, D3DCOLOR color)
{
    for (unsigned i = 0; i < 6; i++) {
        unsigned corner = i < 3 ? i : 6 - i; /* 0 1 2, 3 2 1 */
        float u = corner & 1 ? 1 : 0, w = corner & 2 ? 1 : 0;

        v[i] = (struct vertex_tl){x + 6 * u, y + 6 * w, 0.5f, 1, color, u, w};
    }
}

static void draw_dynamic(IDirect3DDevice8 *device, unsigned frame)
{
    const UINT bytes = CHUNK_QUADS * 6 * sizeof(struct vertex_tl);

    clear_all(device, 0xff201020);
    IDirect3DDevice8_SetStreamSource(device, 0, vertices, sizeof(struct vertex_tl));
    for (unsigned chunk = 0; chunk < CHUNKS; chunk++) {
        unsigned place = next_chunk++ % BUFFER_CHUNKS;
        BYTE *memory;

        if (FAILED(IDirect3DVertexBuffer8_Lock(vertices, place * bytes, bytes, &memory,
                                               place ? D3DLOCK_NOOVERWRITE : D3DLOCK_DISCARD)))
            return;
        for (unsigned i = 0; i < CHUNK_QUADS; i++)
            put_quad((struct vertex_tl *)memory + 6 * i, (float)(i * 5) + 0.25f * (float)(frame % 16),
                     (float)(chunk * 3), 0xff404040 + 0x010001 * i + 0x000100 * chunk);
        IDirect3DVertexBuffer8_Unlock(vertices);
        IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLELIST, place * CHUNK_QUADS * 6, CHUNK_QUADS * 2);
    }
}

/* --- stencil shadows ------------------------------------------------------------------------------------------ */

#define BOXES 12

/* Faces of the box between (-1,-1,-1) and (1,1,1): corner numbers, bits x, y, z; clockwise seen from
 * outside. */
static const uint16_t box_faces[36] = {
    0, 2, 1, 1, 2, 3, /* front */ 4, 5, 6, 5, 7, 6, /* back */
    0, 4, 2, 2, 4, 6, /* left */ 1,  3, 5, 3, 7, 5, /* right */
    2, 6, 3, 3, 6, 7, /* top */ 0,   1, 4, 1, 5, 4, /* bottom */
};

struct vertex_color {
    struct vec3 position;
    D3DCOLOR color;
};

static void create_shadows(IDirect3DDevice8 *device)
{
    struct vertex_color v[8];

    for (unsigned i = 0; i < 8; i++)
        v[i] =
            (struct vertex_color){v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), i & 2 ? 0xffe0c080 : 0xff805030};
    vertices = make_vertices(device, v, sizeof(v), D3DFVF_XYZ | D3DFVF_DIFFUSE);
    indices = make_indices(device, box_faces, COUNT(box_faces));
    set_state(device, D3DRS_LIGHTING, FALSE);
    set_state(device, D3DRS_ZFUNC, D3DCMP_LESS);
    set_stage(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
}

static D3DMATRIX place_box(unsigned i, unsigned frame)
{
    float a = 2 * pi * (float)i / BOXES + 0.02f * (float)(frame % 16), r = i & 1 ? 4.5f : 2.5f;
    D3DMATRIX size = matrix_scaling(0.4f, 0.5f + 0.1f * (float)(i % 5), 0.4f);
    D3DMATRIX place = matrix_translation(r * cosf(a), 0.6f + 0.1f * (float)(i % 5), r * sinf(a));

    return matrix_product(&size, &place);
}

/* A box drawn out along the light: the shadow volume of a convex body, accurate enough for a box. It begins slightly
 * inside the box, so that no faces of the two coincide. */
static D3DMATRIX place_volume(unsigned i, unsigned frame)
{
    D3DMATRIX box = place_box(i, frame), stretch = matrix_scaling(0.97f, 3, 0.97f);

    /* The top stays where it is; below, the light is displaced sideways. */
    stretch._21 = 4;
    stretch._41 = -4 + 0.01f;
    stretch._42 = -2.03f;
    return matrix_product(&stretch, &box);
}

static void draw_boxes(IDirect3DDevice8 *device, unsigned frame, bool volumes)
{
    for (unsigned i = 0; i < BOXES; i++) {
        D3DMATRIX world = volumes ? place_volume(i, frame) : place_box(i, frame);

        IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
        IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 8, 0, 12);
    }
}

static void draw_floor(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_scaling(8, 0.01f, 8);

    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 8, 0, 12);
}

/* Front faces of the volumes count up, back faces down, where they are nearer than the picture. */
static void draw_volumes(IDirect3DDevice8 *device, unsigned frame)
{
    set_state(device, D3DRS_COLORWRITEENABLE, 0);
    set_state(device, D3DRS_ZWRITEENABLE, FALSE);
    set_state(device, D3DRS_STENCILENABLE, TRUE);
    set_state(device, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
    set_state(device, D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
    draw_boxes(device, frame, true);
    set_state(device, D3DRS_CULLMODE, D3DCULL_CW);
    set_state(device, D3DRS_STENCILPASS, D3DSTENCILOP_DECR);
    draw_boxes(device, frame, true);
    set_state(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set_state(device, D3DRS_COLORWRITEENABLE, 15);
}

static void draw_darkness(IDirect3DDevice8 *device)
{
    static const RECT whole = {0, 0, VIEW_WIDTH, VIEW_HEIGHT};

    set_state(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set_state(device, D3DRS_STENCILFUNC, D3DCMP_NOTEQUAL);
    set_state(device, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
    set_state(device, D3DRS_ALPHABLENDENABLE, TRUE);
    set_state(device, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    set_state(device, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    set_stage(device, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
    draw_quad(device, &whole, 0.5f, 0.5f, 0x90000010, 1);
    set_state(device, D3DRS_ALPHABLENDENABLE, FALSE);
    set_state(device, D3DRS_STENCILENABLE, FALSE);
    set_state(device, D3DRS_ZENABLE, D3DZB_TRUE);
    set_state(device, D3DRS_ZWRITEENABLE, TRUE);
}

static void draw_shadows(IDirect3DDevice8 *device, unsigned frame)
{
    clear_all(device, 0xff304050);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    IDirect3DDevice8_SetStreamSource(device, 0, vertices, sizeof(struct vertex_color));
    IDirect3DDevice8_SetIndices(device, indices, 0);
    set_camera(device, v3(0, 5, -9), v3(0, 0, 0));
    draw_floor(device);
    draw_boxes(device, frame, false);
    draw_volumes(device, frame);
    draw_darkness(device);
}

/* clang-format off */
const struct scene work_scenes[] = {
    {"triangles", "64000 lit triangles, half of them seen", false, create_mesh, draw_mesh,
     destroy_all},
    {"draws", "20000 draws of two triangles, states changed before each", false, create_draws,
     draw_draws, destroy_all},
    {"dynamic", "160 chunks of 125 quads through a dynamic buffer", false, create_dynamic,
     draw_dynamic, destroy_all},
    {"shadows", "12 boxes and their shadow volumes", false, create_shadows, draw_shadows,
     destroy_all},
};
/* clang-format on */
const unsigned work_scene_count = COUNT(work_scenes);
