/* SPDX-License-Identifier: MIT */
/* Operations on pixels: stages, samplers, blending, tests. */
#include "tests/golden/scenes.h"

#include <string.h>

static const uint32_t rainbow[4] = {0xffff2010, 0x8020ff40, 0x402040ff, 0xfff0e020};
static const uint32_t grey[4] = {0xff404040, 0xff808080, 0xffc0c0c0, 0xffffffff};

void scene_cell(unsigned index, unsigned columns, unsigned rows, float rect[4])
{
    rect[2] = (float)(SCENE_WIDTH / columns) - 2;
    rect[3] = (float)(SCENE_HEIGHT / rows) - 2;
    rect[0] = (float)(index % columns * (SCENE_WIDTH / columns)) + 1;
    rect[1] = (float)(index / columns * (SCENE_HEIGHT / rows)) + 1;
}

void scene_quad(struct stage *stage, float x, float y, float width, float height, const uint32_t colors[4], float z)
{
    struct flat_vertex v[4];

    for (unsigned i = 0; i < 4; i++) {
        float across = (float)(i & 1), down = (float)(i >> 1);

        v[i] = (struct flat_vertex){
            x + across * width - 0.5f, y + down * height - 0.5f, z, 1, colors[i], ~colors[i] & 0xffffff, across, down};
    }
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, FLAT_FVF, v, 4);
}

/* Smooth in u, stripes in v, alpha along the diagonal: every level recomputed from its own size. */
static void fill_argb(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            uint32_t red = 255 * x / (width > 1 ? width - 1 : 1);
            uint32_t green = (8 * y / height) & 1 ? 220 : 40, blue = 60 * level;
            uint32_t alpha = 255 * (x + y) / (width + height);
            uint32_t texel = alpha << 24 | red << 16 | green << 8 | (blue & 255);

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
    }
}

static void modulate(struct stage *stage, uint32_t texture)
{
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    stage_texture_state(stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
}

/* Every D3DTOP of stage 0 in its own cell, except bump mapping, which needs another texture. */
void scene_operations(struct stage *stage)
{
    uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 16, 16, 1, fill_argb);
    float r[4];

    modulate(stage, texture);
    stage_state(stage, D3DRS_TEXTUREFACTOR, 0x60c08040);
    for (unsigned operation = D3DTOP_SELECTARG1; operation <= D3DTOP_LERP; operation++) {
        if (operation == D3DTOP_BUMPENVMAP || operation == D3DTOP_BUMPENVMAPLUMINANCE ||
            operation == D3DTOP_PREMODULATE)
            continue;
        stage_texture_state(stage, 0, D3DTSS_COLOROP, operation);
        stage_texture_state(stage, 0, D3DTSS_COLORARG0, D3DTA_TFACTOR);
        scene_cell(operation - D3DTOP_SELECTARG1, 6, 5, r);
        scene_quad(stage, r[0], r[1], r[2], r[3], rainbow, 0);
    }
}

void scene_blend_factors(struct stage *stage)
{
    float r[4];

    stage_state(stage, D3DRS_ALPHABLENDENABLE, FALSE);
    scene_quad(stage, 0, 0, SCENE_WIDTH, SCENE_HEIGHT, grey, 0);
    stage_state(stage, D3DRS_ALPHABLENDENABLE, TRUE);
    for (unsigned i = 0; i < 11 * 11; i++) {
        stage_state(stage, D3DRS_SRCBLEND, D3DBLEND_ZERO + i % 11);
        stage_state(stage, D3DRS_DESTBLEND, D3DBLEND_ZERO + i / 11);
        stage_state(stage, D3DRS_BLENDOP, D3DBLENDOP_ADD + i % 5);
        scene_cell(i, 11, 11, r);
        scene_quad(stage, r[0], r[1], r[2], r[3], rainbow, 0);
    }
}

void scene_alpha_test(struct stage *stage)
{
    float r[4];

    stage_state(stage, D3DRS_ALPHATESTENABLE, TRUE);
    for (unsigned i = 0; i < 16; i++) {
        stage_state(stage, D3DRS_ALPHAFUNC, D3DCMP_NEVER + i % 8);
        stage_state(stage, D3DRS_ALPHAREF, i < 8 ? 0x80 : 0x41);
        stage_state(stage, D3DRS_COLORWRITEENABLE, i < 8 ? 0xf : 1 + i % 7);
        scene_cell(i, 4, 4, r);
        scene_quad(stage, r[0], r[1], r[2], r[3], rainbow, 0);
    }
    stage_state(stage, D3DRS_COLORWRITEENABLE, 0xf);
}

/* Three overlapping quads per cell write stencil and depth in turn; the last one shows where they overlap. */
void scene_stencil(struct stage *stage)
{
    float r[4];

    stage_state(stage, D3DRS_ZENABLE, TRUE);
    stage_state(stage, D3DRS_ZWRITEENABLE, TRUE);
    stage_state(stage, D3DRS_STENCILENABLE, TRUE);
    stage_state(stage, D3DRS_STENCILMASK, 0x3f);
    stage_state(stage, D3DRS_STENCILWRITEMASK, 0x7f);
    for (unsigned i = 0; i < 64; i++) {
        scene_cell(i, 8, 8, r);
        stage_state(stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
        stage_state(stage, D3DRS_STENCILREF, 0x25);
        stage_state(stage, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
        stage_state(stage, D3DRS_STENCILPASS, D3DSTENCILOP_REPLACE);
        scene_quad(stage, r[0], r[1], r[2] * 0.7f, r[3], grey, 0.5f);
        stage_state(stage, D3DRS_STENCILFUNC, D3DCMP_NEVER + i % 8);
        stage_state(stage, D3DRS_STENCILFAIL, D3DSTENCILOP_KEEP + (i / 8 + 3) % 8);
        stage_state(stage, D3DRS_STENCILZFAIL, D3DSTENCILOP_KEEP + (i / 8 + 5) % 8);
        stage_state(stage, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP + i / 8);
        scene_quad(stage, r[0] + r[2] * 0.3f, r[1], r[2] * 0.7f, r[3] * 0.7f, rainbow, i & 1 ? 0.25f : 0.75f);
        stage_state(stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
        stage_state(stage, D3DRS_STENCILREF, 0x24);
        stage_state(stage, D3DRS_STENCILFUNC, D3DCMP_LESS);
        scene_quad(stage, r[0], r[1] + r[3] * 0.5f, r[2], r[3] * 0.5f, rainbow, 0.5f);
    }
}

/* A floor in perspective for each combination of minification and mip filter. */
void scene_filters(struct stage *stage)
{
    uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 64, 64, 7, fill_argb);
    struct flat_vertex v[4];
    float r[4];

    modulate(stage, texture);
    for (unsigned i = 0; i < 9; i++) {
        stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_POINT + i % 2);
        stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_POINT + i / 4);
        stage_texture_state(stage, 0, D3DTSS_MIPFILTER, D3DTEXF_NONE + i % 3);
        stage_texture_state(stage, 0, D3DTSS_MAXMIPLEVEL, i == 8 ? 2 : 0);
        scene_cell(i, 3, 3, r);
        for (unsigned k = 0; k < 4; k++) {
            float across = (float)(k & 1), near_edge = (float)(k >> 1);
            float rhw = near_edge > 0 ? 1 : 0.06f, half = r[2] * (near_edge > 0 ? 0.5f : 0.22f);

            v[k] = (struct flat_vertex){r[0] + r[2] / 2 + (across * 2 - 1) * half - 0.5f,
                                        r[1] + near_edge * r[3] - 0.5f,
                                        0,
                                        rhw,
                                        0xffffffff,
                                        0,
                                        across * 3,
                                        near_edge * 9};
        }
        stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, FLAT_FVF, v, 4);
    }
}

void scene_addresses(struct stage *stage)
{
    uint32_t texture = stage_texture(stage, D3DFMT_A8R8G8B8, 16, 16, 1, fill_argb);
    struct flat_vertex v[4];
    float r[4];

    modulate(stage, texture);
    stage_texture_state(stage, 0, D3DTSS_BORDERCOLOR, 0xff3060c0);
    for (unsigned i = 0; i < 16; i++) {
        stage_texture_state(stage, 0, D3DTSS_ADDRESSU, D3DTADDRESS_WRAP + i % 4);
        stage_texture_state(stage, 0, D3DTSS_ADDRESSV, D3DTADDRESS_WRAP + i / 4);
        stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_POINT + (i & 1));
        scene_cell(i, 4, 4, r);
        for (unsigned k = 0; k < 4; k++) {
            float across = (float)(k & 1), down = (float)(k >> 1);

            v[k] = (struct flat_vertex){r[0] + across * r[2] - 0.5f, r[1] + down * r[3] - 0.5f, 0, 1, 0xffffffff, 0,
                                        across * 3.3f - 1.2f,        down * 2.7f - 0.9f};
        }
        stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, FLAT_FVF, v, 4);
    }
}

/* Any format: bytes that count up reach every bit pattern sooner or later. */
static void fill_bytes(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    size_t row = lock->pitch < 4 * width ? lock->pitch : 4 * width;

    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (size_t x = 0; x < row; x++)
            lock->bits[y * lock->pitch + x] = (uint8_t)(x * 37 + y * 101 + x * y);
}

/* Blocks of 8 or 16 bytes hold 4 x 4 texels, so there are a quarter as many rows. */
static void fill_blocks(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    fill_bytes(lock, level, width, height / 4);
}

void scene_texture_formats(struct stage *stage)
{
    static const uint32_t formats[] = {
        D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5,
        D3DFMT_A4R4G4B4, D3DFMT_X4R4G4B4, D3DFMT_A8,     D3DFMT_L8,       D3DFMT_A8L8,
        D3DFMT_DXT1,     D3DFMT_DXT2,     D3DFMT_DXT3,   D3DFMT_DXT4,     D3DFMT_DXT5,
    };
    float r[4];

    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        bool blocks = formats[i] > 0xffff;

        if (!client_driver_format(&stage->driver, formats[i]))
            continue;
        modulate(stage, stage_texture(stage, formats[i], 32, 32, 1, blocks ? fill_blocks : fill_bytes));
        stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_POINT);
        scene_cell(i, 5, 3, r);
        scene_quad(stage, r[0], r[1], r[2], r[3], grey, 0);
    }
}
