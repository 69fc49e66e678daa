/* SPDX-License-Identifier: MIT */
/* The scenes of fills, texture filters and triangles, and the list of all measured scenes. */
#include "bench/scenes.h"

#include "d3d/extension.h"
#include "d3d/feedback.h"

#include <math.h>
#include <string.h>

#define FILL_LAYERS BENCH_FILL_LAYERS
#define FILL_PIXELS ((double)FILL_LAYERS * BENCH_WIDTH * BENCH_HEIGHT)

struct vertex { /* on the screen already */
    float x, y, z, rhw;
    uint32_t color;
    float u, v;
};
#define VERTEX_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

struct lit_vertex {
    float x, y, z, nx, ny, nz;
};
#define LIT_FVF (D3DFVF_XYZ | D3DFVF_NORMAL)

/* --- whole-target layers --------------------------------------------------------------- */

static void draw_layer(struct stage *stage, float z, uint32_t color)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++) {
        float across = (float)(i & 1), down = (float)(i >> 1);

        v[i] = (struct vertex){across * BENCH_WIDTH, down * BENCH_HEIGHT, z,          1,
                               color + 0x101010 * i, across * 7.3f,       down * 5.1f};
    }
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, VERTEX_FVF, v, 4);
}

static void round_fill(struct stage *stage)
{
    for (unsigned i = 0; i < FILL_LAYERS; i++)
        draw_layer(stage, 0.9f - 0.1f * (float)i, 0x80402010 + i * 0x080808);
}

static void prepare_flat(struct stage *stage)
{
    stage_state(stage, D3DRS_SHADEMODE, D3DSHADE_FLAT);
}

static void prepare_gouraud(struct stage *stage)
{
    stage_state(stage, D3DRS_SHADEMODE, D3DSHADE_GOURAUD);
}

static void prepare_depth(struct stage *stage)
{
    prepare_gouraud(stage);
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    stage_state(stage, D3DRS_ZWRITEENABLE, TRUE);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
}

/* Every layer except the first lies behind the picture. */
static void prepare_hidden(struct stage *stage)
{
    prepare_depth(stage);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_GREATEREQUAL);
}

static void prepare_depth_only(struct stage *stage)
{
    prepare_depth(stage);
    stage_state(stage, D3DRS_COLORWRITEENABLE, 0);
}

/* A program that does more than pass on its colour, so that the rasterizer must run it. */
static void prepare_shaded(struct stage *stage)
{
    prepare_gouraud(stage);
    stage_state(stage, D3DRS_TEXTUREFACTOR, 0xffc0a0e0);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
}

static void prepare_conservative(struct stage *stage)
{
    prepare_shaded(stage);
    stage_state(stage, D3DRS_MULTISAMPLEANTIALIAS, EXTENSION_CONSERVATIVE(3, 0));
}

static void prepare_blend(struct stage *stage)
{
    prepare_gouraud(stage);
    stage_state(stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    stage_state(stage, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
}

static void fill_texels(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            uint32_t texel = (x * 0x9e3779b1u ^ y * 0x85ebca6bu) + level * 0x202020;

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
    }
}

static void bind_texture(struct stage *stage, unsigned index, unsigned mip_filter)
{
    uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 256, 256, 9, fill_texels);

    stage_texture_state(stage, index, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, index, D3DTSS_TEXCOORDINDEX, 0);
    stage_texture_state(stage, index, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage_texture_state(stage, index, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, index, D3DTSS_COLORARG2, D3DTA_CURRENT);
    stage_texture_state(stage, index, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(stage, index, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
    stage_texture_state(stage, index, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, index, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, index, D3DTSS_MIPFILTER, mip_filter);
}

static void prepare_bilinear(struct stage *stage)
{
    prepare_gouraud(stage);
    bind_texture(stage, 0, D3DTEXF_POINT);
}

static void prepare_trilinear(struct stage *stage)
{
    prepare_gouraud(stage);
    bind_texture(stage, 0, D3DTEXF_LINEAR);
}

static void prepare_two_textures(struct stage *stage)
{
    prepare_bilinear(stage);
    bind_texture(stage, 1, D3DTEXF_POINT);
}

/* A feedback map with regions of 16x16 texels for stage `index`, with the shape of bind_texture's texture. */
static void bind_feedback(struct stage *stage, unsigned index)
{
    uint32_t map = stage_texture(stage, ddi_feedback_format(false, 4, 4), 256, 256, 9, NULL);

    client_fill(client_part(stage->textures[stage->texture_count - 1], 0), NULL, 0);
    stage_texture_state(stage, index, D3D_TSS_FEEDBACK, map);
}

static void prepare_bilinear_feedback(struct stage *stage)
{
    prepare_bilinear(stage);
    bind_feedback(stage, 0);
}

static void prepare_trilinear_feedback(struct stage *stage)
{
    prepare_trilinear(stage);
    bind_feedback(stage, 0);
}

/* Four operations, the first two with textures. */
static void prepare_cascade(struct stage *stage)
{
    static const uint32_t operations[] = {D3DTOP_MODULATE, D3DTOP_ADDSIGNED, D3DTOP_BLENDDIFFUSEALPHA,
                                          D3DTOP_MODULATE2X};

    prepare_two_textures(stage);
    for (unsigned i = 0; i < 4; i++) {
        stage_texture_state(stage, i, D3DTSS_COLOROP, operations[i]);
        stage_texture_state(stage, i, D3DTSS_COLORARG1, i < 2 ? D3DTA_TEXTURE : D3DTA_DIFFUSE);
        stage_texture_state(stage, i, D3DTSS_COLORARG2, D3DTA_CURRENT);
        stage_texture_state(stage, i, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
        stage_texture_state(stage, i, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
    }
}

static void prepare_fog(struct stage *stage)
{
    prepare_gouraud(stage);
    stage_state(stage, D3DRS_FOGENABLE, TRUE);
    stage_state(stage, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    stage_state(stage, D3DRS_FOGCOLOR, 0x8090a0);
    stage_state_float(stage, D3DRS_FOGSTART, 0.1f);
    stage_state_float(stage, D3DRS_FOGEND, 1.2f);
}

/* The diffuse colour also serves as the specular colour, for vertices that have both. */
static void prepare_specular(struct stage *stage)
{
    prepare_gouraud(stage);
    stage_state(stage, D3DRS_SPECULARENABLE, TRUE);
}

static void round_specular(struct stage *stage)
{
    for (unsigned layer = 0; layer < FILL_LAYERS; layer++) {
        struct {
            float x, y, z, rhw;
            uint32_t color, specular;
        } v[4];

        for (unsigned i = 0; i < 4; i++) {
            v[i].x = (float)(i & 1) * BENCH_WIDTH;
            v[i].y = (float)(i >> 1) * BENCH_HEIGHT;
            v[i].z = 0.5f;
            v[i].rhw = 1;
            v[i].color = 0x80402010 + 0x101010 * i + layer;
            v[i].specular = 0x102030 + 0x080402 * i;
        }
        stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR, v, 4);
    }
}

/* --- triangles ----------------------------------------------------------------------------- */

#define SMALL_COLUMNS 128
#define SMALL_ROWS    96
#define SMALL_COUNT   (2 * SMALL_COLUMNS * SMALL_ROWS)

/* Two triangles in every 8 x 8 cell. */
static void fill_cells(struct vertex *v, const float (*corners)[2])
{
    for (unsigned i = 0; i < SMALL_COUNT * 3; i++) {
        unsigned cell = i / 6;
        const float *corner = corners[i % 6];

        v[i] = (struct vertex){(float)(cell % SMALL_COLUMNS) * 8 + corner[0] + 0.3f,
                               (float)(cell / SMALL_COLUMNS) * 8 + corner[1] + 0.4f,
                               0.5f,
                               1,
                               0xff000000 | i * 0x010307,
                               corner[0] / 8,
                               corner[1] / 8};
    }
}

static void round_small(struct stage *stage)
{
    static struct vertex v[SMALL_COUNT * 3];
    static const float corners[6][2] = {{0, 0}, {4, 0}, {0, 4}, {4, 4}, {8, 4}, {4, 8}};

    if (!v[0].rhw)
        fill_cells(v, corners);
    stage_draw(stage, D3DPT_TRIANGLELIST, SMALL_COUNT, VERTEX_FVF, v, SMALL_COUNT * 3);
}

/* Triangles of four pixels each: the rate of setup and binning. */
static void round_tiny(struct stage *stage)
{
    static struct vertex v[SMALL_COUNT * 3];
    static const float corners[6][2] = {{0, 0}, {4, 0}, {0, 2.2f}, {4, 4}, {8, 4}, {4, 6.2f}};

    if (!v[0].rhw)
        fill_cells(v, corners);
    stage_draw(stage, D3DPT_TRIANGLELIST, SMALL_COUNT, VERTEX_FVF, v, SMALL_COUNT * 3);
}

#define BIG_COUNT 16

/* Each triangle covers half the target. */
static void round_big(struct stage *stage)
{
    struct vertex v[3] = {{0, 0, 0.5f, 1, 0xffff8040, 0, 0},
                          {BENCH_WIDTH, 0, 0.5f, 1, 0xff40ff80, 1, 0},
                          {0, BENCH_HEIGHT, 0.5f, 1, 0xff8040ff, 0, 1}};

    for (unsigned i = 0; i < BIG_COUNT; i++)
        stage_draw(stage, D3DPT_TRIANGLELIST, 1, VERTEX_FVF, v, 3);
}

#define MESH_SIDE  160
#define MESH_COUNT (2 * (MESH_SIDE - 1) * (MESH_SIDE - 1))

static uint32_t mesh_vertices, mesh_indices;

static void create_mesh(struct stage *stage)
{
    static struct lit_vertex v[MESH_SIDE * MESH_SIDE];
    static uint16_t indices[MESH_COUNT * 3];
    unsigned count = 0;

    for (unsigned i = 0; i < MESH_SIDE * MESH_SIDE; i++) {
        float x = (float)(i % MESH_SIDE) / (MESH_SIDE - 1) * 2 - 1;
        float y = (float)(i / MESH_SIDE) / (MESH_SIDE - 1) * 2 - 1;

        v[i] = (struct lit_vertex){x, y, 0.5f, 0.4f * sinf(9 * x), 0.4f * cosf(9 * y), -0.85f};
    }
    for (unsigned i = 0; i < (MESH_SIDE - 1) * (MESH_SIDE - 1); i++) {
        unsigned a = i / (MESH_SIDE - 1) * MESH_SIDE + i % (MESH_SIDE - 1), b = a + MESH_SIDE;
        const unsigned corners[6] = {a, b, a + 1, a + 1, b, b + 1};

        for (unsigned k = 0; k < 6; k++)
            indices[count++] = (uint16_t)corners[k];
    }
    mesh_vertices = stage_buffer(stage, false, LIT_FVF, v, sizeof(v));
    mesh_indices = stage_buffer(stage, true, 0, indices, sizeof(indices));
}

static void prepare_mesh(struct stage *stage)
{
    const float one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    D3DMATERIAL8 material = {.Diffuse = {1, 0.8f, 0.6f, 1}, .Specular = {1, 1, 1, 1}, .Power = 16};
    D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {1, 1, 1, 1}, .Direction = {0.4f, -0.5f, 0.7f}};

    prepare_depth(stage);
    stage_transform(stage, D3DTS_WORLD, one);
    stage_transform(stage, D3DTS_VIEW, one);
    stage_transform(stage, D3DTS_PROJECTION, one);
    stage_material(stage, &material);
    stage_light(stage, 0, &light);
    light.Type = D3DLIGHT_POINT;
    light.Position = (D3DVECTOR){0.5f, 0.5f, -1};
    light.Range = 10;
    light.Attenuation1 = 0.5f;
    stage_light(stage, 1, &light);
    stage_state(stage, D3DRS_LIGHTING, TRUE);
    stage_state(stage, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    create_mesh(stage);
}

static void round_mesh(struct stage *stage)
{
    stage_draw_buffer(stage, D3DPT_TRIANGLELIST, MESH_COUNT, LIT_FVF, mesh_vertices, mesh_indices,
                      MESH_SIDE * MESH_SIDE);
    stage_submit(stage);
}

#define PIXEL_MESHES 10 /* five next to each other, in two rows */

/* Triangles of one pixel: each mesh is 225 pixels wide and high. */
static void round_pixels(struct stage *stage)
{
    for (unsigned i = 0; i < PIXEL_MESHES; i++) {
        const float across = (float)(i % 5) * 0.39f - 0.78f, down = (float)(i / 5) * 0.9f - 0.45f;
        const float world[16] = {0.2197f, 0, 0, 0, 0, 0.293f, 0, 0, 0, 0, 1, 0, across, down, 0, 1};

        stage_transform(stage, D3DTS_WORLD, world);
        stage_draw_buffer(stage, D3DPT_TRIANGLELIST, MESH_COUNT, LIT_FVF, mesh_vertices, mesh_indices,
                          MESH_SIDE * MESH_SIDE);
    }
    stage_submit(stage);
}

static void prepare_pixels(struct stage *stage)
{
    prepare_mesh(stage);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
}

const struct bench_scene bench_scenes[] = {
    {"flat fill", prepare_flat, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"shaded fill", prepare_shaded, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"shaded, 4 samples", prepare_shaded, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 4},
    {"shaded, conserv.", prepare_conservative, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"depth only", prepare_depth_only, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"gouraud fill", prepare_gouraud, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"depth fill", prepare_depth, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"hidden layers", prepare_hidden, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"alpha blend", prepare_blend, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"texture, bilinear", prepare_bilinear, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"texture, trilinear", prepare_trilinear, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"half-float texture", bench_prepare_half_texture, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"sRGB texture", bench_prepare_srgb_texture, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"shadow map", bench_prepare_shadow, bench_round_shadow, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"half-float target", prepare_shaded, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .target = BENCH_A16B16G16R16F},
    {"half-float, blended", prepare_blend, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .target = BENCH_A16B16G16R16F},
    {"bilinear, feedback", prepare_bilinear_feedback, round_fill, FILL_PIXELS, FILL_LAYERS * 2,
     .without = "texture, bilinear"},
    {"trilinear, feedback", prepare_trilinear_feedback, round_fill, FILL_PIXELS, FILL_LAYERS * 2,
     .without = "texture, trilinear"},
    {"two textures", prepare_two_textures, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"cascade of four", prepare_cascade, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"fog", prepare_fog, round_fill, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"specular", prepare_specular, round_specular, FILL_PIXELS, FILL_LAYERS * 2, .samples = 0},
    {"big triangles", prepare_gouraud, round_big, BIG_COUNT / 2.0 * BENCH_WIDTH *BENCH_HEIGHT, BIG_COUNT, .samples = 0},
    {"4-pixel triangles", prepare_gouraud, round_tiny, SMALL_COUNT * 4.0, SMALL_COUNT, .samples = 0},
    {"small triangles", prepare_gouraud, round_small, SMALL_COUNT * 8.0, SMALL_COUNT, .samples = 0},
    {"small, 4 samples", prepare_depth, round_small, SMALL_COUNT * 8.0, SMALL_COUNT, .samples = 4},
    {"1-pixel, 4 samples", prepare_pixels, round_pixels, PIXEL_MESHES * 225.0 * 225.0, PIXEL_MESHES *MESH_COUNT,
     .samples = 4},
    {"lit mesh", prepare_mesh, round_mesh, (double)BENCH_WIDTH *BENCH_HEIGHT, MESH_COUNT, .samples = 0},
    {"transform only", bench_prepare_transform, bench_round_vertices, 0, 0, .vertices = BENCH_VERTICES},
    {"lit, 3 lights", bench_prepare_lit, bench_round_vertices, 0, 0, .vertices = BENCH_VERTICES},
    {"vs_1_1 of 20 instr.", bench_prepare_program, bench_round_vertices, 0, 0, .vertices = BENCH_VERTICES},
};
const unsigned bench_scene_count = sizeof(bench_scenes) / sizeof(bench_scenes[0]);

/* Fixed-function cases compared with the flat fill, and the rasterizer's own marks, compared with fills whose pixels
 * run a program as well; the pixels of the flat and of the Gouraud fill do not. */
const struct bench_ratio bench_ratios[] = {
    {"shaded, 4 samples", "shaded fill", 2.0},
    {"shaded, conserv.", "shaded fill", 1.3},
    {"depth only", "flat fill", 0},
    {"gouraud fill", "flat fill", 0},
    {"depth fill", "gouraud fill", 0},
    {"alpha blend", "flat fill", 0},
    {"fog", "flat fill", 0},
    {"specular", "flat fill", 0},
    {"texture, bilinear", "flat fill", 0},
    {"texture, trilinear", "flat fill", 0},
    {"two textures", "flat fill", 0},
    {"half-float texture", "texture, bilinear", 0},
    {"sRGB texture", "texture, bilinear", 0},
    {"shadow map", "texture, bilinear", 0},
    {"half-float target", "shaded fill", 0},
    {"half-float, blended", "alpha blend", 0},
    {"cascade of four", "flat fill", 0},
};
const unsigned bench_ratio_count = sizeof(bench_ratios) / sizeof(bench_ratios[0]);
