/* SPDX-License-Identifier: MIT */
/*
 * States of texture stages that affect reads, through the driver interface, compared with their formulas pixel by
 * pixel: displacement with luminance, projected coordinates, palettes of two stages, the most detailed level of a
 * texture. Sources: docs/reference/pixel-output.md, section 5; docs/reference/vertex-processing.md, section 8.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "tests/stage/stage.h"

#define SIDE  16 /* of the target, pixels */
#define TEXEL 64 /* of the texture that tells its coordinates: red 4 * column, green 4 * row */

enum { STAGE_TRANSFORM = 16 }; /* D3DTS_TEXTURE0 */

struct vertex {
    float x, y, z;
    float t[2][4]; /* as many of each as the format has */
};

static int open_stage(void **state)
{
    static struct stage stage;

    memset(&stage, 0, sizeof(stage));
    if (!stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0))
        return -1;
    stage_state(&stage, D3DRS_LIGHTING, 0);
    stage_state(&stage, D3DRS_CULLMODE, D3DCULL_NONE);
    *state = &stage;
    return 0;
}

static int close_stage(void **state)
{
    stage_close(*state);
    return 0;
}

enum { STATES_END = 0xffffffff };

/* Pairs of a state and its value. */
static void set_stage(struct stage *stage, unsigned s, const uint32_t *pairs)
{
    for (; pairs[0] != STATES_END; pairs += 2)
        stage_texture_state(stage, s, pairs[0], pairs[1]);
    stage_texture_state(stage, s, D3DTSS_MAGFILTER, D3DTEXF_POINT);
    stage_texture_state(stage, s, D3DTSS_MINFILTER, D3DTEXF_POINT);
}

static void set_float(struct stage *stage, unsigned s, uint32_t state, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    stage_texture_state(stage, s, state, bits);
}

/* The whole target, from the upper left corner on. Corners lie in a plane, so that both triangles agree. */
static void draw_corners(struct stage *stage, unsigned sets, unsigned count, const float (*corner)[4][4])
{
    const uint32_t size = count == 2   ? D3DFVF_TEXCOORDSIZE2(0) | D3DFVF_TEXCOORDSIZE2(1)
                          : count == 3 ? D3DFVF_TEXCOORDSIZE3(0)
                                       : D3DFVF_TEXCOORDSIZE4(0);
    float vertices[4][3 + 8];

    for (unsigned i = 0; i < 4; i++) {
        float *v = vertices[0] + i * (3 + sets * count);

        v[0] = i & 1 ? 1.0f : -1.0f;
        v[1] = i & 2 ? -1.0f : 1.0f;
        v[2] = 0.5f;
        for (unsigned s = 0; s < sets; s++)
            memcpy(v + 3 + s * count, corner[s][i], count * sizeof(float));
    }
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZ | sets << D3DFVF_TEXCOUNT_SHIFT | size, vertices, 4);
}

static double across(const float corner[4][4], unsigned c, unsigned x, unsigned y)
{
    const double u = x / (double)SIDE, v = y / (double)SIDE;

    return (1 - v) * ((1 - u) * corner[0][c] + u * corner[1][c]) + v * ((1 - u) * corner[2][c] + u * corner[3][c]);
}

static void fill_telling(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t texel = 0xff0000ff | 4 * x << 16 | 4 * y << 8;

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
}

/* The value of the texture that encodes its coordinates at a place, wrapped; returns false near the edge of a texel. */
static bool telling_at(double u, double v, double rgb[3])
{
    const double x = (u - floor(u)) * TEXEL, y = (v - floor(v)) * TEXEL;

    rgb[0] = 4 * floor(x);
    rgb[1] = 4 * floor(y);
    rgb[2] = 255;
    return fabs(x - nearbyint(x)) > 0.02 && fabs(y - nearbyint(y)) > 0.02;
}

struct pixels {
    uint8_t rgb[SIDE][SIDE][3];
};

static void read_pixels(struct stage *stage, struct pixels *to)
{
    stage_finish(stage);
    if (stage->failed)
        fail_msg("%s: %08x", stage->failed, (unsigned)stage->error);
    assert_true(stage_read_rgb(stage, to->rgb[0][0]));
}

static void pixel_is(const struct pixels *p, unsigned x, unsigned y, const double want[3], double tolerance)
{
    for (unsigned c = 0; c < 3; c++)
        if (fabs(p->rgb[y][x][c] - want[c]) > tolerance)
            fail_msg("(%u, %u): channel %u is %u instead of %g", x, y, c, p->rgb[y][x][c], want[c]);
}

/* --- displacement with luminance ------------------------------------------------------------ */

/* X8L8V8U8, 4x4: each texel another displacement and another luminance. */
static uint32_t bump_texel(unsigned x, unsigned y)
{
    const int u = (int)(x * 60) - 100, v = 90 - (int)(y * 55);

    return (uint32_t)(u & 255) | (uint32_t)(v & 255) << 8 | (40 + 13 * (4 * y + x)) << 16;
}

static void fill_bump(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const uint32_t texel = bump_texel(x, y);

            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
        }
}

static void bump_with_luminance(struct stage *stage, float scale, float offset)
{
    static const float corner[2][4][4] = {
        {{0.02f, 0.02f}, {0.98f, 0.02f}, {0.02f, 0.98f}, {0.98f, 0.98f}},
        {{0.3f, 0.1f}, {0.9f, 0.2f}, {0.2f, 0.7f}, {0.8f, 0.8f}},
    };
    static const float matrix[4] = {0.31f, -0.12f, 0.07f, 0.23f}; /* 00, 01, 10, 11 */
    struct pixels p;
    unsigned seen = 0;

    for (unsigned k = 0; k < 4; k++)
        set_float(stage, 0, D3DTSS_BUMPENVMAT00 + k, matrix[k]);
    set_float(stage, 0, D3DTSS_BUMPENVLSCALE, scale);
    set_float(stage, 0, D3DTSS_BUMPENVLOFFSET, offset);
    draw_corners(stage, 2, 2, corner);
    read_pixels(stage, &p);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            const double s = across(corner[0], 0, x, y) * 4, t = across(corner[0], 1, x, y) * 4;
            const uint32_t texel = bump_texel((unsigned)s, (unsigned)t);
            const double du = (int8_t)texel / 127.0, dv = (int8_t)(texel >> 8) / 127.0;
            const double l = fmin(fmax((texel >> 16 & 255) / 255.0 * (double)scale + (double)offset, 0), 1);
            double rgb[3];

            if (fabs(s - nearbyint(s)) < 0.02 || fabs(t - nearbyint(t)) < 0.02 ||
                !telling_at(across(corner[1], 0, x, y) + (double)matrix[0] * du + (double)matrix[2] * dv,
                            across(corner[1], 1, x, y) + (double)matrix[1] * du + (double)matrix[3] * dv, rgb))
                continue;
            for (unsigned c = 0; c < 3; c++)
                rgb[c] *= l;
            /* textures with signs hold luminance in seven bits, half a step of which may be lost */
            pixel_is(&p, x, y, rgb, 0.51 + fabs((double)scale) * 0.5 * 255 / 127);
            seen++;
        }
    assert_true(seen > SIDE * SIDE / 2);
}

static void test_bump_luminance(void **state)
{
    struct stage *stage = *state;
    const uint32_t bump = stage_texture(stage, D3DFMT_X8L8V8U8, 4, 4, 1, fill_bump),
                   telling = stage_texture(stage, D3DFMT_X8R8G8B8, TEXEL, TEXEL, 1, fill_telling);

    set_stage(stage, 0,
              (uint32_t[]){D3DTSS_TEXTUREMAP, bump, D3DTSS_COLOROP, D3DTOP_BUMPENVMAPLUMINANCE, D3DTSS_COLORARG1,
                           D3DTA_TEXTURE, D3DTSS_COLORARG2, D3DTA_CURRENT, STATES_END});
    set_stage(stage, 1,
              (uint32_t[]){D3DTSS_TEXTUREMAP, telling, D3DTSS_COLOROP, D3DTOP_SELECTARG1, D3DTSS_COLORARG1,
                           D3DTA_TEXTURE, D3DTSS_TEXCOORDINDEX, 1, STATES_END});
    bump_with_luminance(stage, 0.75f, 0.125f);
    bump_with_luminance(stage, 2.5f, -0.5f); /* cut at both ends */
    bump_with_luminance(stage, -1.0f, 1.0f);
}

/* --- projected coordinates ------------------------------------------------------------------ */

/* `count` components; the last divides after the stage's matrix, which the vertex stage applies. */
static void projected(struct stage *stage, unsigned count)
{
    static const float corner[1][4][4] = {
        {{0.2f, 0.1f, 0.9f, 1.5f}, {1.3f, 0.3f, 1.4f, 0.8f}, {0.1f, 1.2f, 0.7f, 1.1f}, {1.2f, 1.4f, 1.2f, 0.4f}},
    };
    static const float matrix[16] = {1.1f, 0.2f, 0.1f, 0.05f, -0.1f, 0.9f, 0.2f,  0.1f,
                                     0.3f, 0.1f, 0.8f, 0.3f,  0.2f,  0.1f, 0.15f, 0.7f};
    struct pixels p;
    unsigned seen = 0;

    stage_transform(stage, STAGE_TRANSFORM, matrix);
    stage_texture_state(stage, 0, D3DTSS_TEXTURETRANSFORMFLAGS, count | D3DTTFF_PROJECTED);
    draw_corners(stage, 1, count, corner);
    read_pixels(stage, &p);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            double to[4] = {0}, rgb[3];

            /* three components get a fourth that is 1 */
            for (unsigned c = 0; c < 4; c++)
                for (unsigned k = 0; k < 4; k++)
                    to[c] += (k < count ? across(corner[0], k, x, y) : 1) * (double)matrix[4 * k + c];
            if (!telling_at(to[0] / to[count - 1], to[1] / to[count - 1], rgb))
                continue;
            pixel_is(&p, x, y, rgb, 0.5);
            seen++;
        }
    assert_true(seen > SIDE * SIDE / 2);
}

static void use_telling(struct stage *stage)
{
    const uint32_t telling = stage_texture(stage, D3DFMT_X8R8G8B8, TEXEL, TEXEL, 1, fill_telling);

    set_stage(stage, 0,
              (uint32_t[]){D3DTSS_TEXTUREMAP, telling, D3DTSS_COLOROP, D3DTOP_SELECTARG1, D3DTSS_COLORARG1,
                           D3DTA_TEXTURE, STATES_END});
}

static void test_projected(void **state)
{
    struct stage *stage = *state;

    use_telling(stage);
    projected(stage, 3);
    projected(stage, 4);
}

/* ps_1_1 uses the flag too. */
static void test_projected_shader(void **state)
{
    static const char ps_1_1[] = "ps_1_1\ntex t0\nmov r0, t0\n";
    struct stage *stage = *state;
    uint32_t tokens[32];

    use_telling(stage);
    assert_true(shader_assemble(ps_1_1, tokens, ARRAY_COUNT(tokens), NULL));
    stage_pixel_shader(stage, 1, tokens);
    projected(stage, 3);
    projected(stage, 4);
}

/* --- palettes ------------------------------------------------------------------------------- */

static uint32_t palette_entry(unsigned palette, unsigned i)
{
    return (i * (palette ? 0x050b03u : 0x010207u) + (palette ? 0x302010u : 0x800000u)) & 0xffffff;
}

static void update_palette(struct stage *stage, unsigned palette, unsigned first, unsigned count, unsigned like)
{
    struct {
        D3DHAL_DP2UPDATEPALETTE head;
        PALETTEENTRY entries[256];
    } update = {.head = {palette + 1, (WORD)first, (WORD)count}};

    for (unsigned i = 0; i < count; i++) {
        const uint32_t e = palette_entry(like, first + i);

        update.entries[i] = (PALETTEENTRY){(BYTE)(e >> 16), (BYTE)(e >> 8), (BYTE)e, 255};
    }
    stage_command(stage, D3DDP2OP_UPDATEPALETTE, 1, &update, sizeof(update.head) + count * sizeof(PALETTEENTRY));
}

static void use_palette(struct stage *stage, unsigned palette, uint32_t texture)
{
    const D3DHAL_DP2SETPALETTE set = {palette + 1, DDRAWIPAL_256 | DDRAWIPAL_ALLOW256, texture};

    stage_command(stage, D3DDP2OP_SETPALETTE, 1, &set, sizeof(set));
}

/* 16x16 indices, all different. */
static void fill_indices(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            lock->bits[y * lock->pitch + x] = (uint8_t)(16 * y + x);
}

/* The product of the first and second palette, pixel by pixel; entries below `changed` of the first are like the
 * second's. */
static void product_of_palettes(struct stage *stage, const unsigned of[2], unsigned changed)
{
    static const float texels[2][4][4] = {
        {{0.03125f, 0.03125f}, {1.03125f, 0.03125f}, {0.03125f, 1.03125f}, {1.03125f, 1.03125f}},
        {{0.03125f, 0.03125f}, {1.03125f, 0.03125f}, {0.03125f, 1.03125f}, {1.03125f, 1.03125f}},
    };
    struct pixels p;

    draw_corners(stage, 2, 2, texels);
    read_pixels(stage, &p);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t e[2];
        double rgb[3];

        for (unsigned k = 0; k < 2; k++)
            e[k] = palette_entry(of[k] == 0 && i < changed ? 1 : of[k], i);
        for (unsigned c = 0; c < 3; c++)
            rgb[c] = (e[0] >> (16 - 8 * c) & 255) * (e[1] >> (16 - 8 * c) & 255) / 255.0;
        pixel_is(&p, i & 15, i >> 4, rgb, 0.51);
    }
}

static void test_palettes(void **state)
{
    struct stage *stage = *state;
    uint32_t texture[2];

    for (unsigned k = 0; k < 2; k++)
        texture[k] = stage_texture(stage, D3DFMT_P8, SIDE, SIDE, 1, fill_indices);
    set_stage(stage, 0,
              (uint32_t[]){D3DTSS_TEXTUREMAP, texture[0], D3DTSS_COLOROP, D3DTOP_SELECTARG1, D3DTSS_COLORARG1,
                           D3DTA_TEXTURE, STATES_END});
    set_stage(stage, 1,
              (uint32_t[]){D3DTSS_TEXTUREMAP, texture[1], D3DTSS_COLOROP, D3DTOP_MODULATE, D3DTSS_COLORARG1,
                           D3DTA_TEXTURE, D3DTSS_COLORARG2, D3DTA_CURRENT, D3DTSS_TEXCOORDINDEX, 1, STATES_END});
    for (unsigned k = 0; k < 2; k++) {
        use_palette(stage, k, texture[k]);
        update_palette(stage, k, 0, 256, k);
    }
    product_of_palettes(stage, (unsigned[]){0, 1}, 0);
    update_palette(stage, 0, 0, 100, 1); /* a part of one, nothing else said */
    product_of_palettes(stage, (unsigned[]){0, 1}, 100);
    use_palette(stage, 0, texture[1]); /* both have the same one */
    product_of_palettes(stage, (unsigned[]){0, 0}, 100);
    use_palette(stage, 1, texture[0]); /* exchanged */
    product_of_palettes(stage, (unsigned[]){1, 0}, 100);
}

/* --- the most detailed level ---------------------------------------------------------------- */

enum { LEVELS = 5 };

static void fill_level(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    const uint32_t texel = 0xff000000 | 0x203010 * (level + 1);

    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
}

/* One texel per pixel at level `size`; which level is read? */
static void reads_level(struct stage *stage, unsigned size, unsigned want)
{
    const float end = (float)(1 << size);
    const float corner[1][4][4] = {{{0, 0}, {end, 0}, {0, end}, {end, end}}};
    struct pixels p;

    draw_corners(stage, 1, 2, corner);
    read_pixels(stage, &p);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        pixel_is(&p, i & 15, i >> 4, (double[]){32.0 * (want + 1), 48.0 * (want + 1), 16.0 * (want + 1)}, 0.5);
}

static void test_set_lod(void **state)
{
    struct stage *stage = *state;
    const uint32_t texture = stage_texture(stage, D3DFMT_X8R8G8B8, SIDE, SIDE, LEVELS, fill_level);

    set_stage(stage, 0,
              (uint32_t[]){D3DTSS_TEXTUREMAP, texture, D3DTSS_COLOROP, D3DTOP_SELECTARG1, D3DTSS_COLORARG1,
                           D3DTA_TEXTURE, STATES_END});
    for (unsigned lod = 0; lod <= LEVELS; lod++) {
        const D3DHAL_DP2SETTEXLOD body = {texture, lod};
        const unsigned base = BASE_MIN(lod, LEVELS - 1u);

        stage_command(stage, D3DDP2OP_SETTEXLOD, 1, &body, sizeof(body));
        stage_texture_state(stage, 0, D3DTSS_MIPFILTER, D3DTEXF_NONE);
        reads_level(stage, 0, base);
        reads_level(stage, 2, base); /* one level, however small it is drawn */
        stage_texture_state(stage, 0, D3DTSS_MIPFILTER, D3DTEXF_POINT);
        for (unsigned size = 0; size < LEVELS; size++)
            reads_level(stage, size, BASE_MAX(base, size));
        stage_texture_state(stage, 0, D3DTSS_MAXMIPLEVEL, 2); /* the coarser of both counts */
        reads_level(stage, 0, BASE_MAX(base, 2u));
        stage_texture_state(stage, 0, D3DTSS_MAXMIPLEVEL, 0);
    }
}

/* --- constants ------------------------------------------------------------------------------ */

enum { STAGE_COLOR = 32, ARGUMENT_CONSTANT = 6 }; /* D3DTSS_CONSTANT, D3DTA_CONSTANT */

static void draw_plain(struct stage *stage, uint32_t diffuse)
{
    const struct {
        float position[4];
        uint32_t diffuse;
    } v[4] = {{{-0.5f, -0.5f, 0, 1}, diffuse},
              {{SIDE - 0.5f, -0.5f, 0, 1}, diffuse},
              {{-0.5f, SIDE - 0.5f, 0, 1}, diffuse},
              {{SIDE - 0.5f, SIDE - 0.5f, 0, 1}, diffuse}};

    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, 4);
}

static void expect_color(struct stage *stage, uint32_t rgb)
{
    struct pixels pixels;

    read_pixels(stage, &pixels);
    const uint8_t *p = pixels.rgb[SIDE / 2][SIDE / 2];
    const uint32_t got = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

    if (got != rgb)
        fail_msg("%06x instead of %06x", (unsigned)got, (unsigned)rgb);
}

/* Each stage has its own colour, which takes modifiers like others (Wine's test_per_stage_constant), and may change
 * while a scene waits. */
static void test_constants_of_stages(void **state)
{
    struct stage *stage = *state;

    stage_texture_state(stage, 0, STAGE_COLOR, 0x80a1b2c3);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    stage_texture_state(stage, 0, D3DTSS_ALPHAARG1, ARGUMENT_CONSTANT);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, ARGUMENT_CONSTANT);
    draw_plain(stage, 0xffff0000);
    expect_color(stage, 0xa1b2c3);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, ARGUMENT_CONSTANT | D3DTA_COMPLEMENT);
    draw_plain(stage, 0xffff0000);
    expect_color(stage, 0x5e4d3c);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, ARGUMENT_CONSTANT | D3DTA_ALPHAREPLICATE);
    draw_plain(stage, 0xffff0000);
    expect_color(stage, 0x808080);
    /* the alpha of a constant: half of it over red is left */
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
    stage_state(stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    stage_state(stage, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    stage_clear(stage, D3DCLEAR_TARGET, 0xff0000ff, 0, 0);
    draw_plain(stage, 0xffff0000);
    expect_color(stage, 0x80007f);
    /* two stages, and a scene of draws between which only the colours change */
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, ARGUMENT_CONSTANT);
    stage_texture_state(stage, 1, D3DTSS_COLOROP, D3DTOP_ADD);
    stage_texture_state(stage, 1, D3DTSS_COLORARG1, ARGUMENT_CONSTANT);
    stage_texture_state(stage, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    stage_texture_state(stage, 1, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(stage, 1, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
    stage_state(stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
    stage_state(stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
    stage_clear(stage, D3DCLEAR_TARGET, 0, 0, 0);
    for (uint32_t i = 1; i <= 3; i++) {
        stage_texture_state(stage, 0, STAGE_COLOR, i << 16);
        stage_texture_state(stage, 1, STAGE_COLOR, i << 4);
        draw_plain(stage, 0xffff0000);
    }
    stage_texture_state(stage, 1, STAGE_COLOR, 0x100);
    draw_plain(stage, 0xffff0000);
    expect_color(stage, 0x090160);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bump_luminance, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(test_projected, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(test_projected_shader, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(test_palettes, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(test_set_lod, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(test_constants_of_stages, open_stage, close_stage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
