/* SPDX-License-Identifier: MIT */
/*
 * Capabilities are promises. Every bit that is set in D3DCAPS8 and D3DCAPS9 has a row in the table below, with a draw
 * that depends on the bit, or with the test elsewhere that has such a draw, or with the reason why there is nothing to
 * draw. A bit without a row fails, and so does a row whose test no longer exists.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "tests/stage/stage.h"

#define SIDE 16 /* of the target, pixels */

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)

static struct stage stage;

/* --- drawing ------------------------------------------------------------------------------------
 */

static void quad(float z, uint32_t color)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(i & 1) * SIDE - 0.5f, (float)(i >> 1) * SIDE - 0.5f, z, 1, color};
    stage_draw(&stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

static uint32_t pixel(unsigned x, unsigned y)
{
    struct client_lock lock;
    uint32_t value;

    stage_submit(&stage);
    assert_null(stage.failed);
    assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&value, lock.bits + y * lock.pitch + 4 * x, 4);
    client_unlock(client_part(stage.target, 0));
    return value;
}

static void expect_pixel(const char *what, unsigned bit, uint32_t want)
{
    uint32_t got = pixel(5, 6);

    for (unsigned shift = 0; shift < 32; shift += 8)
        if (abs((int)(got >> shift & 255) - (int)(want >> shift & 255)) > 1)
            fail_msg("%s, bit %#x: %08x instead of %08x", what, 1u << bit, got, want);
}

/* Bit k of D3DPCMPCAPS: D3DCMP k + 1 holds for less, equal, greater. */
static bool holds(unsigned k, int difference)
{
    return difference < 0 ? k & 1 : difference == 0 ? k >> 1 & 1 : k >> 2 & 1;
}

static void check_depth_compare(unsigned bit)
{
    for (int d = -1; d <= 1; d++) {
        stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 0.5f, 0);
        stage_state(&stage, D3DRS_ZENABLE, TRUE);
        stage_state(&stage, D3DRS_ZFUNC, bit + 1);
        quad(0.5f + 0.25f * (float)d, 0xff00ff00);
        stage_state(&stage, D3DRS_ZENABLE, FALSE);
        expect_pixel("ZCmpCaps", bit, holds(bit, d) ? 0xff00ff00 : 0xff000000);
    }
}

static void check_alpha_compare(unsigned bit)
{
    for (int d = -1; d <= 1; d++) {
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_state(&stage, D3DRS_ALPHATESTENABLE, TRUE);
        stage_state(&stage, D3DRS_ALPHAFUNC, bit + 1);
        stage_state(&stage, D3DRS_ALPHAREF, 0x80);
        quad(0, (uint32_t)(0x80 + 0x40 * d) << 24 | 0xffffff);
        stage_state(&stage, D3DRS_ALPHATESTENABLE, FALSE);
        expect_pixel("AlphaCmpCaps", bit, holds(bit, d) ? (uint32_t)(0x80 + 0x40 * d) << 24 | 0xffffff : 0);
    }
}

/* Factor k of D3DPBLENDCAPS for a channel (3: alpha), source s, destination d, constant f. */
static double factor(unsigned k, unsigned c, const double s[4], const double d[4], double f)
{
    const double values[] = {0,
                             1,
                             s[c],
                             1 - s[c],
                             s[3],
                             1 - s[3],
                             d[3],
                             1 - d[3],
                             d[c],
                             1 - d[c],
                             c == 3 ? 1 : fmin(s[3], 1 - d[3]),
                             s[3],
                             1 - s[3],
                             f};

    return values[k];
}

static void check_blend(const char *what, unsigned source_factor, unsigned destination_factor, unsigned bit)
{
    const double s[4] = {0xc0 / 255.0, 0x40 / 255.0, 1, 0x60 / 255.0},
                 d[4] = {0x30 / 255.0, 0x80 / 255.0, 0x10 / 255.0, 0xa0 / 255.0};
    bool both = source_factor == 11 || source_factor == 12; /* sets the other factor, too */
    uint32_t want = 0;

    for (unsigned c = 0; c < 4; c++) {
        unsigned df = both ? (source_factor == 11 ? 5 : 4) : destination_factor;
        double v = s[c] * factor(source_factor, c, s, d, 0x33 / 255.0) + d[c] * factor(df, c, s, d, 0x33 / 255.0);

        want |= (uint32_t)(fmin(v, 1) * 255 + 0.5) << (c == 3 ? 24 : 16 - 8 * c);
    }
    stage_clear(&stage, D3DCLEAR_TARGET, 0xa0308010, 1, 0);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(&stage, 193 /* BLENDFACTOR */, 0x33333333);
    stage_state(&stage, D3DRS_SRCBLEND, source_factor + 1);
    stage_state(&stage, D3DRS_DESTBLEND, destination_factor + 1);
    quad(0, 0x60c040ff);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, FALSE);
    expect_pixel(what, bit, want);
}

static void check_source_blend(unsigned bit)
{
    check_blend("SrcBlendCaps", bit, 0, bit);
    check_blend("SrcBlendCaps", bit, 1, bit);
}

static void check_destination_blend(unsigned bit)
{
    check_blend("DestBlendCaps", 0, bit, bit);
    check_blend("DestBlendCaps", 4, bit, bit);
}

/* Applies the operation twice to stencil 254. */
static void check_stencil(unsigned bit)
{
    static const uint8_t twice[] = {254, 0, 0x55, 255, 252, 254, 0, 252};

    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff000000, 1, 254);
    stage_state(&stage, D3DRS_STENCILENABLE, TRUE);
    stage_state(&stage, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
    stage_state(&stage, D3DRS_STENCILREF, 0x55);
    stage_state(&stage, D3DRS_STENCILPASS, bit + 1);
    quad(0.5f, 0xff000000);
    quad(0.5f, 0xff000000);
    stage_state(&stage, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
    stage_state(&stage, D3DRS_STENCILFUNC, D3DCMP_EQUAL);
    stage_state(&stage, D3DRS_STENCILREF, twice[bit]);
    quad(0.5f, 0xffffffff);
    stage_state(&stage, D3DRS_STENCILENABLE, FALSE);
    expect_pixel("StencilCaps", bit, 0xffffffff);
}

static void check_write_mask(unsigned bit)
{
    for (unsigned mask = 0; mask < 16; mask++) {
        uint32_t want = (mask & 1 ? 0xff0000u : 0) | (mask & 2 ? 0xff00u : 0) | (mask & 4 ? 0xffu : 0) |
                        (mask & 8 ? 0xff000000u : 0);

        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_state(&stage, D3DRS_COLORWRITEENABLE, mask);
        quad(0, 0xffffffff);
        stage_state(&stage, D3DRS_COLORWRITEENABLE, 15);
        expect_pixel("COLORWRITEENABLE", bit, want);
    }
}

/* Level 0 green, the others red: 4x1 texels per pixel select level 2 if the longer side counts, and level 0 with four
 * probes along it. */
static void fill_levels(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    const uint32_t texel = level ? 0xffff0000 : 0xff00ff00;

    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            memcpy(lock->bits + y * lock->pitch + 4 * x, &texel, 4);
}

static void check_anisotropy(unsigned bit)
{
    const struct {
        float x, y, z, rhw, u, v;
    } v[4] = {{-0.5f, -0.5f, 0, 1, 0, 0},
              {SIDE - 0.5f, -0.5f, 0, 1, SIDE / 16.0f, 0},
              {-0.5f, SIDE - 0.5f, 0, 1, 0, SIDE / 64.0f},
              {SIDE - 0.5f, SIDE - 0.5f, 0, 1, SIDE / 16.0f, SIDE / 64.0f}};

    stage_texture_state(&stage, 0, D3DTSS_TEXTUREMAP, stage_texture(&stage, D3DFMT_A8R8G8B8, 64, 64, 7, fill_levels));
    stage_texture_state(&stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(&stage, 0, D3DTSS_MAGFILTER, D3DTEXF_ANISOTROPIC);
    stage_texture_state(&stage, 0, D3DTSS_MINFILTER, D3DTEXF_ANISOTROPIC);
    stage_texture_state(&stage, 0, D3DTSS_MIPFILTER, D3DTEXF_LINEAR);
    for (unsigned most = 1; most <= 4; most += 3) {
        stage_texture_state(&stage, 0, D3DTSS_MAXANISOTROPY, most);
        stage_draw(&stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW | D3DFVF_TEX1, v, 4);
        expect_pixel("anisotropic filter", bit, most == 4 ? 0xff00ff00 : 0xffff0000);
    }
    stage_texture_state(&stage, 0, D3DTSS_COLOROP, D3DTOP_DISABLE);
    stage_texture_state(&stage, 0, D3DTSS_TEXTUREMAP, 0);
}

static void check_blend_op(unsigned bit)
{
    for (unsigned op = D3DBLENDOP_ADD; op <= D3DBLENDOP_MAX; op++) {
        const int s[4] = {0x40, 0xa0, 0x30, 0x80}, d[4] = {0x10, 0x20, 0x60, 0xff};
        uint32_t expected = 0;

        for (unsigned c = 0; c < 4; c++) {
            int v = op == D3DBLENDOP_ADD                      ? s[c] + d[c]
                    : op == D3DBLENDOP_SUBTRACT               ? s[c] - d[c]
                    : op == D3DBLENDOP_REVSUBTRACT            ? d[c] - s[c]
                    : (op == D3DBLENDOP_MIN) == (s[c] < d[c]) ? s[c]
                                                              : d[c];

            v = v < 0 ? 0 : v > 255 ? 255 : v;
            expected |= (uint32_t)v << (c == 3 ? 24 : 16 - 8 * c);
        }
        stage_clear(&stage, D3DCLEAR_TARGET, 0xff102060, 1, 0);
        stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
        stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
        stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
        stage_state(&stage, D3DRS_BLENDOP, op);
        quad(0, 0x8040a030);
        stage_state(&stage, D3DRS_ALPHABLENDENABLE, FALSE);
        stage_state(&stage, D3DRS_BLENDOP, D3DBLENDOP_ADD);
        expect_pixel("BLENDOP", bit, expected);
    }
}

static void check_cull(unsigned bit)
{
    static const struct {
        uint32_t mode;
        bool clockwise, other;
    } modes[] = {[4] = {D3DCULL_NONE, true, true}, [5] = {D3DCULL_CW, false, true}, [6] = {D3DCULL_CCW, true, false}};

    for (unsigned turned = 0; turned < 2; turned++) {
        struct vertex v[3] = {{0, 0, 0, 1, ~0u}, {SIDE * 3, 0, 0, 1, ~0u}, {0, SIDE * 3, 0, 1, ~0u}}, swap = v[1];

        if (turned) {
            v[1] = v[2];
            v[2] = swap;
        }
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_state(&stage, D3DRS_CULLMODE, modes[bit].mode);
        stage_draw(&stage, D3DPT_TRIANGLELIST, 1, FVF, v, 3);
        stage_state(&stage, D3DRS_CULLMODE, D3DCULL_NONE);
        expect_pixel("CULL", bit, (turned ? modes[bit].other : modes[bit].clockwise) ? ~0u : 0);
    }
}

/* Far in front of the near plane or outside the target: clipped, not drawn, harmless. */
static void check_clipped_vertices(unsigned bit)
{
    struct vertex v[3] = {{-5000, -5000, 0.5f, 1, ~0u}, {9000, -5000, 0.5f, 1, ~0u}, {-5000, 9000, 0.5f, 1, ~0u}};
    struct vertex beyond[3] = {{0, 0, 1.5f, 1, 0}, {SIDE * 3, 0, 1.5f, 1, 0}, {0, SIDE * 3, 1.5f, 1, 0}};

    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0);
    stage_state(&stage, D3DRS_ZENABLE, TRUE);
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, FVF, v, 3);
    stage_draw(&stage, D3DPT_TRIANGLELIST, 1, FVF, beyond, 3);
    stage_state(&stage, D3DRS_ZENABLE, FALSE);
    expect_pixel("CLIPTLVERTS", bit, ~0u);
}

static void check_z_mask(unsigned bit)
{
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0);
    stage_state(&stage, D3DRS_ZENABLE, TRUE);
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    stage_state(&stage, D3DRS_ZWRITEENABLE, FALSE);
    quad(0.25f, 0xff0000ff);
    stage_state(&stage, D3DRS_ZWRITEENABLE, TRUE);
    quad(0.5f, 0xff00ff00);
    stage_state(&stage, D3DRS_ZENABLE, FALSE);
    expect_pixel("MASKZ", bit, 0xff00ff00);
}

/* 16 steps bring equal depths to the front. */
static void check_z_bias(unsigned bit)
{
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0);
    stage_state(&stage, D3DRS_ZENABLE, TRUE);
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_LESS);
    quad(0.5f, 0xff0000ff);
    quad(0.5f, 0xffff0000);
    expect_pixel("ZBIAS", bit, 0xff0000ff);
    stage_state(&stage, D3DRS_ZBIAS, 16);
    quad(0.5f, 0xff00ff00);
    stage_state(&stage, D3DRS_ZBIAS, 0);
    stage_state(&stage, D3DRS_ZENABLE, FALSE);
    expect_pixel("ZBIAS", bit, 0xff00ff00);
}

static void check_line(unsigned bit)
{
    struct vertex v[2] = {{0, 6, 0.5f, 1, 0x80ffffff}, {SIDE, 6, 0.5f, 1, 0x80ffffff}};
    uint32_t want = 0x80ffffff;

    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 0.25f, 0);
    stage_state(&stage, D3DRS_ZENABLE, bit == 1);
    stage_state(&stage, D3DRS_ZFUNC, D3DCMP_LESS);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, bit == 2);
    stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_ZERO);
    stage_state(&stage, D3DRS_ALPHATESTENABLE, bit == 3);
    stage_state(&stage, D3DRS_ALPHAFUNC, D3DCMP_GREATER);
    stage_state(&stage, D3DRS_ALPHAREF, 0x80);
    stage_state(&stage, D3DRS_FOGENABLE, bit == 4);
    stage_state(&stage, D3DRS_FOGTABLEMODE, bit == 4 ? D3DFOG_LINEAR : D3DFOG_NONE);
    stage_state(&stage, D3DRS_FOGCOLOR, 0x00ff00);
    if (bit == 1 || bit == 3)
        want = 0xff000000;
    if (bit == 2)
        want = 0x40808080;
    if (bit == 4) /* z is 0.5 between 0 and 1 */
        want = 0x8080ff80;
    stage_draw(&stage, D3DPT_LINELIST, 1, FVF, v, 2);
    stage_state(&stage, D3DRS_ZENABLE, FALSE);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, FALSE);
    stage_state(&stage, D3DRS_ALPHATESTENABLE, FALSE);
    stage_state(&stage, D3DRS_FOGENABLE, FALSE);
    stage_state(&stage, D3DRS_FOGTABLEMODE, D3DFOG_NONE);
    expect_pixel("LineCaps", bit, want);
}

static uint32_t line_pixels(const struct vertex v[2], uint32_t row[SIDE][SIDE])
{
    uint32_t drawn = 0;

    stage_clear(&stage, D3DCLEAR_TARGET, 0xff000000, 1, 0);
    stage_draw(&stage, D3DPT_LINELIST, 1, FVF, v, 2);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            row[y][x] = pixel(x, y) & 255;
            drawn += row[y][x];
        }
    return drawn;
}

/* Bit x / repeat of the pattern, from the lowest on, draws pixel x of a line; bit 3 tries a factor of 1, bit 2 others. */
static void check_line_pattern(unsigned bit)
{
    const struct vertex v[2] = {{0, 6, 0.5f, 1, ~0u}, {SIDE, 6, 0.5f, 1, ~0u}};
    uint32_t row[SIDE][SIDE];

    for (unsigned repeat = bit == 3 ? 1 : 2; repeat <= (bit == 3 ? 1 : 5); repeat++) {
        stage_state(&stage, D3DRS_LINEPATTERN, 0xa5e10000 | repeat);
        line_pixels(v, row);
        for (unsigned x = 0; x < SIDE; x++)
            if (row[6][x] != (0xa5e1u >> x / repeat & 1 ? 255 : 0))
                fail_msg("LINEPATTERN, factor %u, pixel %u", repeat, x);
    }
    stage_state(&stage, D3DRS_LINEPATTERN, 0);
}

/* A smooth line is one pixel wide: its coverage adds up to its length, in more than two shades. D3DRS_EDGEANTIALIAS, or
 * ANTIALIASEDLINEENABLE of DirectX 9. */
static void check_smooth_line(uint32_t state, const char *name)
{
    const struct vertex v[2] = {{1, 4.25f, 0.5f, 1, ~0u}, {14, 7.75f, 0.5f, 1, ~0u}};
    uint32_t row[SIDE][SIDE], shades[2] = {0, 0};

    stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    for (unsigned on = 0; on < 2; on++) {
        stage_state(&stage, state, on);
        const double length = line_pixels(v, row) / 255.0;

        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++)
                shades[on] += row[y][x] > 0 && row[y][x] < 255;
        if (on && fabs(length - hypot(13, 3.5)) > 1)
            fail_msg("%s: a line of 13.5 pixels covers %.1f", name, length);
    }
    stage_state(&stage, state, 0);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, FALSE);
    if (shades[0] || shades[1] < 13)
        fail_msg("%s: %u partly covered pixels without, %u with it", name, shades[0], shades[1]);
}

static void check_smooth_edges(unsigned bit)
{
    (void)bit;
    check_smooth_line(D3DRS_EDGEANTIALIAS, "ANTIALIASEDGES");
}

static void check_smooth_lines(unsigned bit)
{
    (void)bit;
    check_smooth_line(176 /* ANTIALIASEDLINEENABLE */, "LineCaps ANTIALIAS");
}

/* Red to blue across: the middle is a mixture, or flat red. */
static void check_gouraud(unsigned bit)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(i & 1) * SIDE - 0.5f, (float)(i >> 1) * SIDE - 0.5f, 0, 1,
                               i & 1 ? 0x000000ff : 0xffff0000};
    stage_draw(&stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
    expect_pixel("ShadeCaps", bit, 0xa7a70058); /* 5.5 of 16 */
}

/* --- the table
 * --------------------------------------------------------------------------------------- */

struct row {
    const char *field;
    uint32_t bits;
    void (*draw)(unsigned bit); /* NULL: see `where` */
    const char *where;          /* file:test; a reason begins with a blank */
};

#define UNIT(file, test)   "tests/unit/test_" file ".c:" test
#define SCENE(file, scene) "tests/golden/scenes_" file ".c:" scene

/* clang-format off */
static const struct row rows[] = {
    {"Caps2", 0x00080000, NULL, " CANRENDERWINDOWED: every example does; the runtime presents"},
    {"Caps2", 0x10000000, NULL,
     " CANMANAGERESOURCE: there is one kind of memory, so there is nothing to move"},
    {"Caps2", 0x20000000, NULL, UNIT("ddi_calls", "test_discard")},
    {"Caps2", 0x40000000, NULL, UNIT("ddi_calls", "test_formats_that_make_levels")},
    {"Caps3", 0x20, NULL,
     " ALPHA_FULLSCREEN_FLIP_OR_DISCARD: flips move memory, whatever it holds"},
    {"DevCaps", 0x00000010 | 0x00000040 | 0x00000100, NULL, UNIT("surface", "test_system_memory")},
    {"DevCaps", 0x00000020 | 0x00000080 | 0x00000200, NULL, UNIT("prim", "test_indices")},
    {"DevCaps", 0x00000400, NULL, UNIT("prim", "test_user_memory")},
    {"DevCaps", 0x00000800, NULL, UNIT("ddi_calls", "test_three_frames")},
    {"DevCaps", 0x00002000 | 0x00008000, NULL, UNIT("prim", "test_legacy_tokens")},
    {"DevCaps", 0x00010000, NULL, UNIT("tnl", "test_directional_light")},
    {"DevCaps", 0x00080000, NULL, UNIT("raster", "test_fill_convention")},
    {"DevCaps", 0x00100000, NULL, UNIT("state_blocks", "test_block_lists")},
    {"DevCaps", 0x00200000 | 0x00400000, NULL,
     UNIT("patch_mesh", "test_rectangles_match_textbook")},
    {"DevCaps", 0x00800000, NULL, UNIT("patch", "test_handles")},
    {"DevCaps", 0x01000000, NULL, UNIT("npatch", "test_npatch_formulas")},
    {"DevCaps", 0x06000000, NULL, UNIT("prim", "test_indices")},
    {"DevCaps", 0x08000000, NULL, UNIT("surface", "test_volume")},
    {"PrimitiveMiscCaps", 0x2, check_z_mask, NULL},
    {"PrimitiveMiscCaps", 0x4, check_line_pattern, NULL},
    {"PrimitiveMiscCaps", 0x70, check_cull, NULL},
    {"PrimitiveMiscCaps", 0x80, check_write_mask, NULL},
    {"PrimitiveMiscCaps", 0x100, NULL, UNIT("point", "test_planes_cut_the_square")},
    {"PrimitiveMiscCaps", 0x200, check_clipped_vertices, NULL},
    {"PrimitiveMiscCaps", 0x400, NULL, UNIT("stages", "test_cascade_rules")},
    {"PrimitiveMiscCaps", 0x800, check_blend_op, NULL},
    {"PrimitiveMiscCaps", 0x2000, NULL, UNIT("fog", "test_fog_of_vertices")},
    {"PrimitiveMiscCaps", 0x4000, NULL, UNIT("shader_semantics", "test_four_targets")},
    {"PrimitiveMiscCaps", 0x8000, NULL, UNIT("texture_states", "test_constants_of_stages")},
    {"PrimitiveMiscCaps", 0x40000, NULL, UNIT("shader_semantics", "test_targets_of_different_formats")},
    {"PrimitiveMiscCaps", 0x80000, NULL, UNIT("shader_semantics", "test_targets_blend")},
    {"PrimitiveMiscCaps", 0x100000, NULL, UNIT("tnl", "test_fog")},
    {"PrimitiveMiscCaps", 0x10000, NULL, UNIT("fog", "test_fog_beside_specular_alpha")},
    {"PrimitiveMiscCaps", 0x20000, NULL, UNIT("tokens", "test_separate_alpha_blend")},
    {"RasterCaps", 0x1, NULL, UNIT("output_merger", "test_dithering")},
    {"RasterCaps", 0x8, check_line_pattern, NULL},
    {"RasterCaps", 0x10, check_depth_compare, NULL},
    {"RasterCaps", 0x80, NULL, UNIT("tnl", "test_fog")},
    {"RasterCaps", 0x100, NULL, SCENE("vertex", "scene_table_fog")},
    {"RasterCaps", 0x1000, check_smooth_edges, NULL},
    {"RasterCaps", 0x2000, NULL, UNIT("sample", "test_levels")},
    {"RasterCaps", 0x4000, check_z_bias, NULL},
    {"RasterCaps", 0x10000, NULL, UNIT("tnl", "test_fog")},
    {"RasterCaps", 0x20000, NULL, UNIT("anisotropy", "test_anisotropy_against_integral")},
    {"RasterCaps", 0x40000, NULL, UNIT("w_info", "test_order")},
    {"RasterCaps", 0x100000 | 0x200000, NULL, SCENE("vertex", "scene_table_fog")},
    {"RasterCaps", 0x400000, NULL, UNIT("raster_kernels", "test_levels_agree")},
    {"RasterCaps", 0x1000000, NULL, UNIT("tokens", "test_scissor")},
    {"RasterCaps", 0x6000000, NULL, UNIT("tokens", "test_depth_bias")},
    {"RasterCaps", 0x8000000, NULL, UNIT("multisample", "test_antialiasing_off")},
    {"ZCmpCaps", 0xff, check_depth_compare, NULL},
    {"AlphaCmpCaps", 0xff, check_alpha_compare, NULL},
    {"SrcBlendCaps", 0x3fff, check_source_blend, NULL},
    {"DestBlendCaps", 0x27ff, check_destination_blend, NULL},
    {"ShadeCaps", 0x8 | 0x4000, check_gouraud, NULL},
    {"ShadeCaps", 0x200, NULL, UNIT("tnl", "test_specular")},
    {"ShadeCaps", 0x80000, NULL, UNIT("tnl", "test_fog")},
    {"TextureCaps", 0x1, NULL, UNIT("raster_kernels", "test_levels_agree")},
    {"TextureCaps", 0x4 | 0x80, NULL, UNIT("surface", "test_palette_view")},
    {"TextureCaps", 0x40, NULL, UNIT("sample", "test_2d_against_brute_force")},
    {"TextureCaps", 0x400, NULL, UNIT("tnl", "test_transformed_coordinates")},
    {"TextureCaps", 0x800 | 0x2000 | 0x4000 | 0x8000 | 0x10000, NULL,
     UNIT("formats_draw", "test_operations")},
    {"TextureFilterCaps", 0x03030300, NULL, UNIT("sample", "test_levels")},
    {"TextureFilterCaps", 0x04000400, check_anisotropy, NULL},
    {"CubeTextureFilterCaps", 0x03030300, NULL, UNIT("sample_levels", "test_kernels_agree")},
    {"CubeTextureFilterCaps", 0x04000400, NULL, UNIT("anisotropy", "test_cube_has_probes")},
    {"VolumeTextureFilterCaps", 0x03030300, NULL, UNIT("sample", "test_volume_slices")},
    {"TextureAddressCaps", 0x3f, NULL, UNIT("sample", "test_2d_against_brute_force")},
    {"VolumeTextureAddressCaps", 0x3f, NULL, UNIT("sample", "test_volume_against_brute_force")},
    {"LineCaps", 0x1, NULL, SCENE("vertex", "scene_primitives")},
    {"LineCaps", 0x1e, check_line, NULL},
    {"LineCaps", 0x20, check_smooth_lines, NULL},
    {"StencilCaps", 0xff, check_stencil, NULL},
    {"StencilCaps", 0x100, NULL, UNIT("tokens", "test_two_sided_stencil")},
    {"FVFCaps", 0x8, NULL, UNIT("tnl", "test_texture_coordinates")},
    {"FVFCaps", 0x00100000, NULL, UNIT("point", "test_sizes")},
    {"TextureOpCaps", 0x03ffffff, NULL, UNIT("stages", "test_operations")},
    {"VertexProcessingCaps", 0x1, NULL, UNIT("tnl", "test_generated_coordinates")},
    {"VertexProcessingCaps", 0x2, NULL, UNIT("tnl", "test_material_sources")},
    {"VertexProcessingCaps", 0x8, NULL, UNIT("tnl", "test_directional_light")},
    {"VertexProcessingCaps", 0x10, NULL, UNIT("tnl", "test_point_light")},
    {"VertexProcessingCaps", 0x20, NULL, UNIT("tnl", "test_specular")},
    {"VertexProcessingCaps", 0x40, NULL, UNIT("tnl", "test_tweening")},
    {"VertexProcessingCaps", 0x100, NULL, UNIT("fixed_function", "test_sphere_map")},
    {"DevCaps2", 0x1 | 0x40, NULL, UNIT("shader_tokens", "test_packed_elements")},
    {"DevCaps2", 0x10, NULL, UNIT("formats_draw", "test_stretched_blit")},
    {"DeclTypes", 0x3ff, NULL, UNIT("shader_tokens", "test_packed_elements")},
    {"StretchRectFilterCaps", 0x03000300, NULL, UNIT("formats_draw", "test_stretched_blit")},
    {"VertexTextureFilterCaps", 0x03030300, NULL, UNIT("shader_textures", "test_vertex_texture_filters")},
    {"VS20Caps.Caps", 0x1, NULL, UNIT("shader_semantics", "test_predicates")},
    {"PS20Caps.Caps", 0x1 | 0x4, NULL, UNIT("shader_semantics", "test_predicates")},
    {"PS20Caps.Caps", 0x2, NULL, UNIT("shader_textures", "test_derivatives")},
    {"PS20Caps.Caps", 0x8 | 0x10, NULL, UNIT("shader_textures", "test_many_dependent_reads")},
};
/* clang-format on */

/* --- the walk
 * ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define FIELD(name)                                  \
    {                                                \
#name, offsetof(struct d3d_caps9, d3d8.name) \
    }
    FIELD(Caps),
    FIELD(Caps2),
    FIELD(Caps3),
    FIELD(CursorCaps),
    FIELD(DevCaps),
    FIELD(PrimitiveMiscCaps),
    FIELD(RasterCaps),
    FIELD(ZCmpCaps),
    FIELD(SrcBlendCaps),
    FIELD(DestBlendCaps),
    FIELD(AlphaCmpCaps),
    FIELD(ShadeCaps),
    FIELD(TextureCaps),
    FIELD(TextureFilterCaps),
    FIELD(CubeTextureFilterCaps),
    FIELD(VolumeTextureFilterCaps),
    FIELD(TextureAddressCaps),
    FIELD(VolumeTextureAddressCaps),
    FIELD(LineCaps),
    FIELD(StencilCaps),
    FIELD(FVFCaps),
    FIELD(TextureOpCaps),
    FIELD(VertexProcessingCaps),
#undef FIELD
    {"DevCaps2", offsetof(struct d3d_caps9, DevCaps2)},
    {"DeclTypes", offsetof(struct d3d_caps9, DeclTypes)},
    {"StretchRectFilterCaps", offsetof(struct d3d_caps9, StretchRectFilterCaps)},
    {"VertexTextureFilterCaps", offsetof(struct d3d_caps9, VertexTextureFilterCaps)},
    {"VS20Caps.Caps", offsetof(struct d3d_caps9, VS20Caps.Caps)},
    {"PS20Caps.Caps", offsetof(struct d3d_caps9, PS20Caps.Caps)},
};

static const struct row *find_row(const char *field, uint32_t bit)
{
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
        if (!strcmp(rows[i].field, field) && rows[i].bits & bit)
            return &rows[i];
    return NULL;
}

/* Does the file contain a function of that name? */
static void check_place(const char *where)
{
    char path[128], wanted[96], line[512];
    const char *colon = strchr(where, ':');
    FILE *file;

    snprintf(path, sizeof(path), "%.*s", (int)(colon - where), where);
    snprintf(wanted, sizeof(wanted), "void %s(", colon + 1);
    file = fopen(path, "r");
    if (!file)
        fail_msg("%s is not there (tests run from the project's root)", path);
    while (fgets(line, sizeof(line), file))
        if (strstr(line, wanted)) {
            fclose(file);
            return;
        }
    fclose(file);
    fail_msg("%s: no such test", where);
}

static void walk(const struct d3d_caps9 *caps)
{
    for (unsigned i = 0; i < ARRAY_COUNT(fields); i++) {
        uint32_t value;

        memcpy(&value, (const uint8_t *)caps + fields[i].offset, 4);
        for (unsigned bit = 0; bit < 32; bit++) {
            const struct row *row = find_row(fields[i].name, 1u << bit);

            if (!(value >> bit & 1))
                continue;
            if (!row)
                fail_msg("%s has bit %#x set, and no test shows it", fields[i].name, 1u << bit);
            if (row->draw)
                row->draw(bit);
            else if (row->where[0] != ' ')
                check_place(row->where);
        }
    }
}

static void test_bits_of_d3d8(void **state)
{
    struct d3d_caps9 caps = {.d3d8 = *caps_d3d8()};

    (void)state;
    walk(&caps);
}

static void test_bits_of_d3d9(void **state)
{
    struct d3d_caps9 caps;

    (void)state;
    caps_d3d9(&caps);
    walk(&caps);
    assert_int_equal(caps.NumSimultaneousRTs, 4); /* test_shader_semantics: test_four_targets */
    /* DirectX 8 has no versions above 1.1 and 1.4 */
    assert_int_equal(caps_d3d8()->VertexShaderVersion, D3DVS_VERSION(1, 1));
    assert_int_equal(caps_d3d8()->PixelShaderVersion, D3DPS_VERSION(1, 4));
    assert_int_equal(caps.d3d8.VertexShaderVersion, D3DVS_VERSION(3, 0));
    assert_int_equal(caps.d3d8.PixelShaderVersion, D3DPS_VERSION(3, 0));
    assert_true(caps.d3d8.MaxTextureWidth >= 256 && caps.d3d8.MaxPointSize >= 1.0f);
}

/* Vertices as far apart as the caps allow are read. */
static void test_stream_stride(void **state)
{
    enum { STRIDE = CAPS_MAX_STRIDE };
    static uint8_t vertices[3 * STRIDE];
    const struct vertex v[3] = {{-1, -1, 0, 1, ~0u}, {SIDE * 3, -1, 0, 1, ~0u}, {-1, SIDE * 3, 0, 1, ~0u}};

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        memcpy(vertices + i * STRIDE, &v[i], sizeof(v[i]));
    const uint32_t buffer = stage_buffer(&stage, false, FVF, vertices, sizeof(vertices));
    const uint32_t stream[3] = {0, buffer, STRIDE}, fvf = FVF, draw[3] = {D3DPT_TRIANGLELIST, 0, 1};

    stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_command(&stage, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, sizeof(fvf));
    stage_command(&stage, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    stage_command(&stage, D3DDP2OP_DRAWPRIMITIVE, 1, draw, sizeof(draw));
    expect_pixel("MaxStreamStride", 0, ~0u);
}

static int set_up(void **state)
{
    (void)state;
    return stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, D3DFMT_D24S8) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    stage_close(&stage);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_d3d8),
        cmocka_unit_test(test_bits_of_d3d9),
        cmocka_unit_test(test_stream_stride),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
