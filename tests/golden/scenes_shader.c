/* SPDX-License-Identifier: MIT */
/* Programmable vertices and pixels: a torus lit per pixel with a normal map. */
#include "tests/golden/scenes.h"

#include <math.h>
#include <string.h>

static const float pi = 3.14159265358979f;

struct torus_vertex {
    float x, y, z, nx, ny, nz;
    uint32_t color;
    float u, v;
};
#define TORUS_FVF (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX1)

enum { RINGS = 24, SIDES = 16 };

static const uint32_t declaration[] = {
    0x20000000, 0x40020000, 0x40020003, 0x40040005, 0x40010007, 0xffffffff, /* v0, v3, v5, v7 */
};

/* c0..c3: to clip space; c4: light; c5: 0, 1/2, 1, 4; c6: ambient; c7: the light that bumps see */
static const uint32_t vertex_code[] = {
    0xfffe0101,                                                 /* vs_1_1 */
    0x00000014, 0xc00f0000, 0x90e40000, 0xa0e40000,             /* m4x4 oPos, v0, c0 */
    0x00000008, 0x80020001, 0x90e40003, 0xa0e40004,             /* dp3 r1.y, v3, c4 */
    0x0000000b, 0x80020001, 0x80550001, 0xa0000005,             /* max r1.y, r1.y, c5.x */
    0x00000004, 0xd0070000, 0x80550001, 0x90e40005, 0xa0e40006, /* mad oD0.xyz, r1.y, v5, c6 */
    0x00000001, 0xd0080000, 0xa0aa0005,                         /* mov oD0.w, c5.z */
    0x00000001, 0x80070002, 0xa0e40007,                         /* mov r2.xyz, c7 */
    0x00000004, 0xd0070001, 0x80e40002, 0xa0550005, 0xa0550005, /* mad oD1.xyz, r2, c5.y, c5.y */
    0x00000001, 0xe0030000, 0x90e40007,                         /* mov oT0.xy, v7 */
    0x00000005, 0xe0030001, 0x90e40007, 0xa0ff0005,             /* mul oT1.xy, v7, c5.w */
    0x0000ffff,
};

/* t0: colours, t1: normals */
static const uint32_t pixel_code[] = {
    0xffff0101,                                                             /* ps_1_1 */
    0x00000051, 0xa00f0001, 0x3e800000, 0x3e800000, 0x3e800000, 0x3f800000, /* def c1, 1/4, 1/4, 1/4, 1 */
    0x00000042, 0xb00f0000,                                                 /* tex t0 */
    0x00000042, 0xb00f0001,                                                 /* tex t1 */
    0x00000008, 0x80170000, 0xb4e40001, 0x94e40001,                         /* dp3_sat r0.xyz, t1_bx2, v1_bx2 */
    0x40000001, 0x80080000, 0xa0ff0001,                                     /* + mov r0.w, c1.w */
    0x00000004, 0x80070000, 0x80e40000, 0xb0e40000, 0xa0e40001,             /* mad r0.xyz, r0, t0, c1 */
    0x00000005, 0x80070000, 0x80e40000, 0x90e40000,                         /* mul r0.xyz, r0, v0 */
    0x0000ffff,
};

static void fill_colors(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++) {
        uint32_t *row = (uint32_t *)((uint8_t *)lock->bits + (size_t)y * lock->pitch);

        for (unsigned x = 0; x < width; x++)
            row[x] = (x / 8 + y / 8) & 1 ? 0xffffd890 : 0xff90b0ff;
    }
}

/* One bump per texture: normals of a hemisphere on flat ground. */
static void fill_normals(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++) {
        uint32_t *row = (uint32_t *)((uint8_t *)lock->bits + (size_t)y * lock->pitch);

        for (unsigned x = 0; x < width; x++) {
            float u = ((float)x + 0.5f) / (float)width * 2.4f - 1.2f,
                  v = ((float)y + 0.5f) / (float)height * 2.4f - 1.2f;
            float r2 = u * u + v * v;
            float n[3] = {r2 < 1 ? u : 0, r2 < 1 ? v : 0, r2 < 1 ? sqrtf(1 - r2) : 1};

            row[x] = 0xff000000;
            for (unsigned c = 0; c < 3; c++)
                row[x] |= (uint32_t)(n[c] * 127.0f + 128.0f) << (16 - 8 * c);
        }
    }
}

static struct torus_vertex torus_vertex(unsigned ring, unsigned side)
{
    float a = (float)ring * 2 * pi / RINGS, b = (float)side * 2 * pi / SIDES;
    float nx = cosf(a) * cosf(b), ny = sinf(a) * cosf(b), nz = sinf(b);

    return (struct torus_vertex){
        cosf(a) * 1.3f + nx * 0.6f,
        sinf(a) * 1.3f + ny * 0.6f,
        nz * 0.6f,
        nx,
        ny,
        nz,
        ring & 4 ? 0xffffffff : 0xffffc0c0,
        (float)ring / 4,
        (float)side / 4,
    };
}

static unsigned build_torus(struct torus_vertex *v)
{
    static const uint8_t corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    unsigned n = 0;

    for (unsigned ring = 0; ring < RINGS; ring++)
        for (unsigned side = 0; side < SIDES; side++)
            for (unsigned i = 0; i < 6; i++)
                v[n++] = torus_vertex(ring + corner[i][0], side + corner[i][1]);
    return n;
}

static void set_constants(struct stage *stage)
{
    /* columns of rotation about x, then a perspective projection from 4.6 units away */
    const float c = 0.7f, s = 0.714f, q = 20 / 19.5f;
    const float vertex[8][4] = {
        {1.5f, 0, 0, 0},         {0, 2 * c, -2 * s, 0},     {0, s * q, c * q, 4.6f * q - 0.5f * q},
        {0, s, c, 4.6f},         {0.48f, 0.36f, -0.8f, 0},  {0, 0.5f, 1, 4},
        {0.25f, 0.25f, 0.3f, 0}, {0.6f, -0.36f, 0.714f, 0},
    };

    stage_constants(stage, false, 0, 8, vertex[0]);
}

void scene_shaders(struct stage *stage)
{
    static struct torus_vertex v[RINGS * SIDES * 6];
    unsigned count = build_torus(v);
    uint32_t textures[2] = {stage_texture(stage, D3DFMT_X8R8G8B8, 32, 32, 1, fill_colors),
                            stage_texture(stage, D3DFMT_X8R8G8B8, 32, 32, 1, fill_normals)};

    stage_state(stage, D3DRS_CULLMODE, D3DCULL_NONE);
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    for (unsigned i = 0; i < 2; i++) {
        stage_texture_state(stage, i, D3DTSS_TEXTUREMAP, textures[i]);
        stage_texture_state(stage, i, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
        stage_texture_state(stage, i, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    }
    set_constants(stage);
    stage_vertex_shader(stage, 3, declaration, vertex_code);
    stage_pixel_shader(stage, 5, pixel_code);
    stage_draw(stage, D3DPT_TRIANGLELIST, count / 3, TORUS_FVF, v, count);
}
