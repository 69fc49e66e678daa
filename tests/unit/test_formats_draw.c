/* SPDX-License-Identifier: MIT */
/*
 * Every format in the driver's list, through the driver interface: each reported operation is carried out. As texture,
 * cube and volume (with levels, drawn and checked), as target (cleared, drawn to, blended), as depth buffer (with and
 * without stencil), as depth that textures read, and as source and destination of a blit.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "d3d/states.h"
#include "raster/format/format.h"
#include "tests/stage/stage.h"

#define SIDE 16 /* of the target, pixels */

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
    float u, v, w;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0))

/* The whole target, at depth z; texture coordinates 0..1, w is that of a volume or the cube's third axis. */
static void quad(struct stage *stage, float z, uint32_t color, float w)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++) {
        float across = (float)(i & 1), down = (float)(i >> 1);

        v[i] = (struct vertex){across * SIDE - 0.5f, down * SIDE - 0.5f, z, 1, color, across, down, w};
    }
    stage_draw(stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

static void use_texture(struct stage *stage, uint32_t texture)
{
    stage_texture_state(stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(stage, 0, D3DTSS_COLOROP, texture ? D3DTOP_SELECTARG1 : D3DTOP_SELECTARG2);
    stage_texture_state(stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(stage, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    stage_texture_state(stage, 0, D3DTSS_MAGFILTER, D3DTEXF_POINT);
    stage_texture_state(stage, 0, D3DTSS_MINFILTER, D3DTEXF_POINT);
}

/* Reads texel (x, y) of a surface as floats. */
static void read_texel(struct client_surface *surface, uint32_t d3d_format, unsigned x, unsigned y, float out[4])
{
    enum raster_format format = caps_find_format(d3d_format)->format;
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, DDLOCK_READONLY, &lock), DD_OK);
    raster_decode_wide(format, lock.bits + y * lock.pitch + x * raster_format_info(format)->block_bytes, lock.pitch,
                       out, 16, 1, 1, NULL);
    client_unlock(surface);
}

static void expect(struct stage *stage, const char *what, const struct caps_format *format, unsigned x, unsigned y,
                   uint32_t want, float tolerance)
{
    float got[4];

    stage_finish(stage);
    if (stage->failed)
        fail_msg("%s of format %#x: %s failed with %#x", what, format->d3d_format, stage->failed,
                 (unsigned)stage->error);
    read_texel(client_part(stage->target, 0), D3DFMT_A8R8G8B8, x, y, got);
    for (unsigned c = 0; c < 3; c++) {
        float channel = (float)(want >> (16 - 8 * c) & 255) / 255.0f;

        if (!(fabsf(got[c] - channel) <= tolerance))
            fail_msg("%s of format %#x (%s): channel %u is %g instead of %g at (%u, %u)", what, format->d3d_format,
                     raster_format_info(format->format)->name, c, (double)got[c], (double)channel, x, y);
    }
}

/* --- textures --------------------------------------------------------------------------------- */

/* All bytes of texel pattern number n; all texels of a block are then the same. */
static uint8_t texel_byte(const struct caps_format *format, unsigned n)
{
    static const uint8_t same[4] = {0x55, 0xaa, 0xff, 0x00};

    return raster_format_info(format->format)->kind == RASTER_KIND_BLOCK ? same[n % 4] : (uint8_t)(0x21 + 7 * n);
}

/* Texel pattern n in the first slice, n + 1 in the second, ... */
static void fill_surface(struct client_surface *surface, const struct caps_format *format, unsigned n)
{
    const struct raster_format_info *info = raster_format_info(format->format);
    size_t bytes = (size_t)raster_format_row_bytes(format->format, surface->width);
    unsigned rows = (unsigned)raster_format_rows(format->format, surface->height);
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, 0, &lock), DD_OK);
    for (unsigned z = 0; z < BASE_MAX(surface->depth, 1u); z++)
        for (unsigned y = 0; y < rows; y++)
            memset(lock.bits + z * lock.slice_pitch + y * lock.pitch, texel_byte(format, n + z),
                   info->kind == RASTER_KIND_PLANAR ? lock.pitch : bytes);
    client_unlock(surface);
}

static uint32_t color_of(const struct caps_format *format, uint8_t byte)
{
    uint8_t texels[64];
    float wide[4];
    uint32_t color = 0;

    memset(texels, byte, sizeof(texels));
    raster_decode_wide(format->format, texels, 16, wide, 16, 1, 1, NULL);
    for (unsigned c = 0; c < 3; c++) {
        float v = wide[c] > 0.0f ? BASE_MIN(wide[c], 1.0f) : 0.0f;

        color = color << 8 | (uint32_t)(v * 255.0f + 0.5f);
    }
    return color;
}

static bool is_paletted(const struct caps_format *format)
{
    return raster_format_info(format->format)->kind == RASTER_KIND_PALETTE;
}

/* The expected colour of texel pattern n. */
static uint32_t expected_color(const struct caps_format *format, unsigned n)
{
    uint8_t byte = texel_byte(format, n);

    return is_paletted(format) ? (uint32_t)byte * 0x010203u & 0xffffffu : color_of(format, byte);
}

static void set_palette(struct stage *stage, uint32_t texture)
{
    struct {
        D3DHAL_DP2UPDATEPALETTE head;
        PALETTEENTRY entries[256];
    } update = {.head = {1, 0, 256}};
    D3DHAL_DP2SETPALETTE set = {1, DDRAWIPAL_256, texture};

    for (unsigned i = 0; i < 256; i++)
        update.entries[i] = (PALETTEENTRY){(BYTE)(i * 0x010203u >> 16), (BYTE)(i * 0x010203u >> 8), (BYTE)(i * 3), 255};
    dp2_put(&stage->builder, D3DDP2OP_SETPALETTE, 1, &set, sizeof(set));
    dp2_put(&stage->builder, D3DDP2OP_UPDATEPALETTE, 1, &update, sizeof(update));
}

static struct client_chain *create(struct stage *stage, uint32_t usage, const struct caps_format *format,
                                   unsigned width, unsigned depth, unsigned levels)
{
    struct client_chain_desc desc = {.usage = usage,
                                     .format = format->d3d_format,
                                     .width = width,
                                     .height = width,
                                     .depth = depth,
                                     .levels = levels};
    struct client_chain *chain = NULL;
    HRESULT hr = client_chain_create(stage->client, &desc, &chain);

    if (FAILED(hr))
        fail_msg("format %#x (%s), usage %#x: creation fails with %#x", format->d3d_format,
                 raster_format_info(format->format)->name, usage, (unsigned)hr);
    return chain;
}

static void draw_level(struct stage *stage, struct client_chain *chain, unsigned level, float w)
{
    use_texture(stage, client_handle(client_part(chain, 0)));
    stage_texture_state(stage, 0, D3DTSS_MIPFILTER, D3DTEXF_POINT);
    stage_texture_state(stage, 0, D3DTSS_MAXMIPLEVEL, level);
    quad(stage, 0, 0, w);
}

/* The colour that the sRGB formula gives for the texel's colour. */
static uint32_t linear_color(uint32_t color)
{
    uint32_t linear = 0;

    for (unsigned c = 0; c < 3; c++) {
        double v = (color >> (16 - 8 * c) & 255) / 255.0;

        v = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
        linear = linear << 8 | (uint32_t)(v * 255 + 0.5);
    }
    return linear;
}

/* D3DSAMP_SRGBTEXTURE: linear where the format is reported as sRGB-readable, without effect elsewhere. */
static void check_srgb_read(struct stage *stage, const struct caps_format *format)
{
    bool reported = format->operations & D3DFORMAT_OP_SRGBREAD;
    struct client_chain *chain = create(stage, CLIENT_TEXTURE, format, 16, 0, 1);
    uint32_t color = expected_color(format, 2);

    if (is_paletted(format))
        set_palette(stage, client_handle(client_part(chain, 0)));
    fill_surface(client_part(chain, 0), format, 2);
    stage_texture_state(stage, 0, D3D_TSS_SRGBTEXTURE, 1);
    draw_level(stage, chain, 0, 0);
    expect(stage, "sRGB", format, 5, 9, reported ? linear_color(color) : color, 1.0f / 254);
    stage_texture_state(stage, 0, D3D_TSS_SRGBTEXTURE, 0);
    use_texture(stage, 0);
    stage_submit(stage);
    client_chain_destroy(chain);
}

static void check_texture(struct stage *stage, const struct caps_format *format)
{
    struct client_chain *chain = create(stage, CLIENT_TEXTURE, format, 16, 0, 3);

    if (is_paletted(format))
        set_palette(stage, client_handle(client_part(chain, 0)));
    for (unsigned level = 0; level < 3; level++)
        fill_surface(client_part(chain, level), format, level);
    for (unsigned level = 0; level < 3; level++) {
        draw_level(stage, chain, level, 0);
        expect(stage, "texture", format, 5, 9, expected_color(format, level), 1.0f / 254);
    }
    use_texture(stage, 0);
    stage_submit(stage);
    client_chain_destroy(chain);
}

static void check_cube(struct stage *stage, const struct caps_format *format)
{
    struct client_chain *chain = create(stage, CLIENT_TEXTURE | CLIENT_CUBE, format, 8, 0, 2);

    if (is_paletted(format))
        set_palette(stage, client_handle(client_part(chain, 0)));
    for (unsigned i = 0; i < 12; i++)
        fill_surface(client_part(chain, i), format, i);
    for (unsigned level = 0; level < 2; level++) {
        draw_level(stage, chain, level, 7); /* (0..1, 0..1, 7): +Z, face 4 */
        expect(stage, "cube", format, 3, 3, expected_color(format, 8 + level), 1.0f / 254);
        draw_level(stage, chain, level, -7); /* -Z */
        expect(stage, "cube", format, 3, 3, expected_color(format, 10 + level), 1.0f / 254);
    }
    use_texture(stage, 0);
    stage_submit(stage);
    client_chain_destroy(chain);
}

static void check_volume(struct stage *stage, const struct caps_format *format)
{
    struct client_chain *chain = create(stage, CLIENT_TEXTURE | CLIENT_VOLUME, format, 8, 4, 2);

    if (is_paletted(format))
        set_palette(stage, client_handle(client_part(chain, 0)));
    for (unsigned level = 0; level < 2; level++) {
        unsigned slices = 4u >> level;

        fill_surface(client_part(chain, level), format, 8 * level);
        for (unsigned z = 0; z < slices; z++) {
            draw_level(stage, chain, level, ((float)z + 0.5f) / (float)slices);
            expect(stage, "volume", format, 3, 3, expected_color(format, 8 * level + z), 1.0f / 254);
        }
    }
    use_texture(stage, 0);
    stage_submit(stage);
    client_chain_destroy(chain);
}

/* --- targets ------------------------------------------------------------------------------------
 */

static void expect_in(struct client_chain *target, const struct caps_format *format, const char *what, uint32_t want)
{
    const struct raster_format_info *info = raster_format_info(format->format);
    float got[4];

    read_texel(client_part(target, 0), format->d3d_format, 2, 1, got);
    for (unsigned c = 0; c < 4; c++) {
        float channel = (float)(want >> (c < 3 ? 16 - 8 * c : 24) & 255) / 255.0f;
        float step = info->type == RASTER_FLOAT ? 0.001f : 1.0f / (float)((1u << BASE_MIN(info->bits[c], 8)) - 1);

        if (info->bits[c] && !(fabsf(got[c] - channel) <= step))
            fail_msg("%s in a target of %s: channel %u is %g instead of %g", what, info->name, c, (double)got[c],
                     (double)channel);
    }
}

static void check_target(struct stage *stage, const struct caps_format *format)
{
    struct client_chain *target = create(stage, CLIENT_TARGET, format, SIDE, 0, 1);

    stage_submit(stage);
    assert_int_equal(client_set_target(stage->client, stage->context, client_part(target, 0), NULL), DD_OK);
    stage_clear(stage, D3DCLEAR_TARGET, 0xff204060, 1, 0);
    stage_submit(stage);
    if (format->format != RASTER_FORMAT_NULL)
        expect_in(target, format, "clear", 0xff204060);
    quad(stage, 0, 0x80ff8000, 0);
    if (format->format != RASTER_FORMAT_NULL)
        expect_in(target, format, "draw", 0x80ff8000);
    stage_state(stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    stage_state(stage, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    quad(stage, 0, 0x8000ff00, 0);
    stage_state(stage, D3DRS_ALPHABLENDENABLE, FALSE);
    stage_submit(stage);
    if (format->format != RASTER_FORMAT_NULL) /* .5 and .5: (1, .5, 0, .5) and (0, 1, 0, .5) */
        expect_in(target, format, "blend", 0x807fc000);
    assert_null(stage->failed);
    assert_int_equal(client_set_target(stage->client, stage->context, client_part(stage->target, 0), NULL), DD_OK);
    client_chain_destroy(target);
}

/* Floats are not clamped: 0.75 added four times. */
static void test_float_targets_keep_large_values(void **state)
{
    static const uint32_t formats[] = {111, 112, 113, 114, 115, 116};
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct caps_format *format = caps_find_format(formats[i]);
        struct client_chain *target = create(&stage, CLIENT_TARGET, format, SIDE, 0, 1);
        float got[4];

        stage_submit(&stage);
        assert_int_equal(client_set_target(stage.client, stage.context, client_part(target, 0), NULL), DD_OK);
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
        stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
        stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
        for (unsigned k = 0; k < 5; k++)
            quad(&stage, 0, 0xffcccccc, 0); /* 0.8 */
        stage_submit(&stage);
        read_texel(client_part(target, 0), formats[i], 7, 7, got);
        assert_true(fabsf(got[0] - 4.0f) < 0.01f);
        client_set_target(stage.client, stage.context, client_part(stage.target, 0), NULL);
        client_chain_destroy(target);
    }
    stage_close(&stage);
}

/* --- depth
 * ----------------------------------------------------------------------------------------- */

static void check_depth(struct stage *stage, const struct caps_format *format)
{
    struct client_chain *depth = create(stage, CLIENT_DEPTH, format, SIDE, 0, 1);
    unsigned stencil_bits = raster_format_info(format->format)->stencil_bits;

    stage_submit(stage);
    assert_int_equal(
        client_set_target(stage->client, stage->context, client_part(stage->target, 0), client_part(depth, 0)), DD_OK);
    stage_clear(stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | (stencil_bits ? D3DCLEAR_STENCIL : 0), 0xff000000, 0.75f,
                1);
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    stage_state(stage, D3DRS_ZFUNC, D3DCMP_LESS);
    quad(stage, 0.8f, 0xffff0000, 0); /* behind the cleared depth */
    expect(stage, "cleared depth", format, 3, 3, 0, 0);
    quad(stage, 0.5f, 0xff00ff00, 0);
    quad(stage, 0.6f, 0xff0000ff, 0);
    expect(stage, "written depth", format, 3, 3, 0x00ff00, 0);
    quad(stage, 0.4999f, 0xff0000ff, 0);
    expect(stage, "nearer depth", format, 3, 3, 0x0000ff, 0);
    if (stencil_bits) {
        stage_state(stage, D3DRS_STENCILENABLE, TRUE);
        stage_state(stage, D3DRS_STENCILREF, 1);
        stage_state(stage, D3DRS_STENCILFUNC, D3DCMP_EQUAL);
        stage_state(stage, D3DRS_STENCILPASS, D3DSTENCILOP_ZERO);
        quad(stage, 0.1f, 0xffffffff, 0);
        expect(stage, "equal stencil", format, 3, 3, 0xffffff, 0);
        quad(stage, 0.05f, 0xffff0000, 0);
        expect(stage, "changed stencil", format, 3, 3, 0xffffff, 0);
        stage_state(stage, D3DRS_STENCILENABLE, FALSE);
        /* clearing one part keeps the other */
        stage_clear(stage, D3DCLEAR_STENCIL, 0, 0, 1);
        quad(stage, 0.3f, 0xffff0000, 0);
        expect(stage, "depth with cleared stencil", format, 3, 3, 0xffffff, 0);
    }
    stage_state(stage, D3DRS_ZENABLE, FALSE);
    stage_submit(stage);
    client_set_target(stage->client, stage->context, client_part(stage->target, 0), NULL);
    client_chain_destroy(depth);
}

/* Drawn to as depth, then read by a texture: the depth itself, or whether w is at most the depth. */
static void check_depth_texture(struct stage *stage, const struct caps_format *format)
{
    struct client_chain *depth = create(stage, CLIENT_DEPTH | CLIENT_TEXTURE, format, SIDE, 0, 1);

    stage_submit(stage);
    client_set_target(stage->client, stage->context, client_part(stage->target, 0), client_part(depth, 0));
    stage_clear(stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1.0f, 0);
    stage_state(stage, D3DRS_ZENABLE, TRUE);
    quad(stage, 0.25f, 0xffff0000, 0);
    stage_state(stage, D3DRS_ZENABLE, FALSE);
    stage_submit(stage);
    client_set_target(stage->client, stage->context, client_part(stage->target, 0), NULL);
    use_texture(stage, client_handle(client_part(depth, 0)));
    bool intz = format->d3d_format == MAKEFOURCC('I', 'N', 'T', 'Z');
    bool red =
        format->d3d_format == MAKEFOURCC('D', 'F', '1', '6') || format->d3d_format == MAKEFOURCC('D', 'F', '2', '4');
    for (unsigned farther = 0; farther < 2; farther++) {
        quad(stage, 0, 0, farther ? 0.26f : 0.24f);
        expect(stage, "depth as a texture", format, 3, 3,
               intz  ? 0x404040
               : red ? 0x400000
                     : (farther ? 0x000000 : 0xffffff),
               1.0f / 255);
    }
    use_texture(stage, 0);
    stage_submit(stage);
    client_chain_destroy(depth);
}

/* --- blits
 * ---------------------------------------------------------------------------------------- */

static void check_blit(struct stage *stage, const struct caps_format *from, const struct caps_format *to)
{
    const struct raster_format_info *source = raster_format_info(from->format),
                                    *target = raster_format_info(to->format);
    struct client_chain *a = create(stage, from->operations & D3DFORMAT_OP_TEXTURE ? CLIENT_TEXTURE : 0, from, 8, 0, 1),
                        *b = create(stage, CLIENT_TEXTURE, to, 16, 0, 1);
    RECT half = {0, 0, 16, 8};
    float want[4], got[4];
    uint8_t texels[64];

    memset(texels, texel_byte(from, 3), sizeof(texels));
    raster_decode_wide(from->format, texels, 16, want, 16, 1, 1, NULL);
    fill_surface(client_part(a, 0), from, 3);
    fill_surface(client_part(b, 0), to, 0);
    HRESULT hr = client_blt(client_part(b, 0), &half, client_part(a, 0), NULL, 0);
    if (FAILED(hr))
        fail_msg("blit of %s to %s: %#x", source->name, target->name, (unsigned)hr);
    read_texel(client_part(b, 0), to->d3d_format, 15, 7, got);
    for (unsigned c = 0; c < 3; c++) {
        float step = target->type == RASTER_FLOAT ? 0.002f : 1.01f / (float)((1u << BASE_MIN(target->bits[c], 8)) - 1);
        bool luminance = target->bits[1] && target->shift[0] == target->shift[1];

        if (target->bits[c] && !luminance && !(fabsf(got[c] - BASE_MAX(want[c], 0.0f)) <= step))
            fail_msg("blit of %s to %s: channel %u is %g instead of %g", source->name, target->name, c, (double)got[c],
                     (double)want[c]);
    }
    client_chain_destroy(a);
    client_chain_destroy(b);
}

static bool is_color(const struct caps_format *format, bool source)
{
    const struct raster_format_info *info = raster_format_info(format->format);
    bool is_signed = info->type == RASTER_SNORM || info->type == RASTER_SNORM_UNORM_ALPHA;

    return info->kind == RASTER_KIND_PACKED || (info->kind == RASTER_KIND_WIDE && !is_signed) ||
           (source &&
            (info->kind == RASTER_KIND_BLOCK || info->kind == RASTER_KIND_PAIR || info->kind == RASTER_KIND_PLANAR));
}

static void test_blits_convert(void **state)
{
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < caps_format_count(); i++)
        for (unsigned k = 0; k < caps_format_count(); k++)
            if (is_color(caps_format(i), true) && is_color(caps_format(k), false))
                check_blit(&stage, caps_format(i), caps_format(k));
    stage_close(&stage);
}

/* Linear between a black and a white half, in floats and in words: the middle is grey. */
static void test_stretched_blit(void **state)
{
    static const uint32_t formats[] = {D3DFMT_A8R8G8B8, 113 /* A16B16G16R16F */};
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        struct client_chain *a = create(&stage, CLIENT_TEXTURE, caps_find_format(formats[i]), 2, 0, 1);
        struct client_chain *b = create(&stage, CLIENT_TEXTURE, caps_find_format(36 /* A16B16G16R16 */), 8, 0, 1);
        D3DHAL_DP2BLT blt = {.dwSource = client_handle(client_part(a, 0)),
                             .dwDest = client_handle(client_part(b, 0)),
                             .rSource = {0, 0, 2, 2},
                             .rDest = {0, 0, 8, 8},
                             .Flags = 2 /* DP2BLT_LINEAR */};
        float left[4], right[4], middle[4];

        client_fill(client_part(a, 0), NULL, 0);
        assert_int_equal(client_fill(client_part(a, 0), &(RECT){1, 0, 2, 2}, 0xffffffff), DD_OK);
        dp2_put(&stage.builder, D3DDP2OP_BLT, 1, &blt, sizeof(blt));
        stage_submit(&stage);
        assert_null(stage.failed);
        read_texel(client_part(b, 0), 36, 0, 4, left);
        read_texel(client_part(b, 0), 36, 7, 4, right);
        read_texel(client_part(b, 0), 36, 4, 4, middle);
        assert_true(left[0] == 0.0f && right[0] == 1.0f && fabsf(middle[0] - 0.625f) < 0.01f);
        client_chain_destroy(a);
        client_chain_destroy(b);
    }
    stage_close(&stage);
}

/* Depth goes to depth of the same format, stretched or not. */
static void test_depth_blits(void **state)
{
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const struct caps_format *format = caps_format(i);
        struct client_chain *a, *b;
        float got[4];

        if (!(format->operations & D3DFORMAT_OP_ZSTENCIL))
            continue;
        a = create(&stage, CLIENT_DEPTH, format, 8, 0, 1);
        b = create(&stage, CLIENT_DEPTH, format, 16, 0, 1);
        client_fill_depth(client_part(a, 0), NULL, raster_pack_depth(format->format, 0.25f, 0));
        client_fill_depth(client_part(a, 0), &(RECT){4, 0, 8, 8}, raster_pack_depth(format->format, 0.75f, 0));
        assert_int_equal(client_blt(client_part(b, 0), NULL, client_part(a, 0), NULL, 0), DD_OK);
        read_texel(client_part(b, 0), format->d3d_format, 7, 15, got);
        assert_true(fabsf(got[0] - 0.25f) < 0.001f);
        read_texel(client_part(b, 0), format->d3d_format, 8, 0, got);
        assert_true(fabsf(got[0] - 0.75f) < 0.001f);
        assert_true(FAILED(client_blt(client_part(stage.target, 0), NULL, client_part(b, 0), NULL, 0)));
        client_chain_destroy(a);
        client_chain_destroy(b);
    }
    stage_close(&stage);
}

/* COLORFILL takes a colour, whatever the format. */
static void test_color_fill(void **state)
{
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const struct caps_format *format = caps_format(i);
        struct client_chain *a;
        D3DHAL_DP2COLORFILL fill = {.rRect = {0, 0, SIDE, SIDE}, .Color = 0xff3366cc};

        if (!is_color(format, false) ||
            raster_format_info(format->format)->shift[0] == raster_format_info(format->format)->shift[1])
            continue;
        a = create(&stage, CLIENT_TEXTURE, format, SIDE, 0, 1);
        fill.dwSurface = client_handle(client_part(a, 0));
        dp2_put(&stage.builder, D3DDP2OP_COLORFILL, 1, &fill, sizeof(fill));
        stage_submit(&stage);
        assert_null(stage.failed);
        expect_in(a, format, "fill", 0xff3366cc);
        client_chain_destroy(a);
    }
    stage_close(&stage);
}

/* --- the walk
 * --------------------------------------------------------------------------------------- */

static void test_operations(void **state)
{
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < caps_format_count(); i++) {
        const struct caps_format *format = caps_format(i);
        uint32_t operations = format->operations;
        bool is_depth = operations & D3DFORMAT_OP_ZSTENCIL;

        if (operations & D3DFORMAT_OP_TEXTURE && is_depth)
            check_depth_texture(&stage, format);
        else if (operations & D3DFORMAT_OP_TEXTURE)
            check_texture(&stage, format);
        if (operations & D3DFORMAT_OP_TEXTURE && !is_depth)
            check_srgb_read(&stage, format);
        if (operations & D3DFORMAT_OP_CUBETEXTURE)
            check_cube(&stage, format);
        if (operations & D3DFORMAT_OP_VOLUMETEXTURE)
            check_volume(&stage, format);
        if (operations & D3DFORMAT_OP_OFFSCREEN_RENDERTARGET)
            check_target(&stage, format);
        if (is_depth)
            check_depth(&stage, format);
    }
    check_depth(&stage, caps_find_format(D3DFMT_D32)); /* which is accepted, but not offered */
    stage_close(&stage);
}

/* GET4 as a bias: the upper left quarter of the first texel reads it and its three neighbours, if the texture has one
 * channel and the filter is point. */
static void test_fetch4_switch(void **state)
{
    static const struct {
        uint32_t format, bias, filter, want;
    } row[] = {
        {D3DFMT_L8, MAKEFOURCC('G', 'E', 'T', '4'), D3DTEXF_POINT, 0x204080},
        {D3DFMT_L8, MAKEFOURCC('G', 'E', 'T', '4'), D3DTEXF_LINEAR, 0x101010},
        {D3DFMT_L8, MAKEFOURCC('G', 'E', 'T', '1'), D3DTEXF_POINT, 0x101010},
        {D3DFMT_L8, 0, D3DTEXF_POINT, 0x101010},
        {D3DFMT_X8R8G8B8, MAKEFOURCC('G', 'E', 'T', '4'), D3DTEXF_POINT, 0x101010},
    };
    static const uint8_t texels[2][2] = {{0x10, 0x20}, {0x40, 0x80}};
    struct stage stage;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    for (unsigned i = 0; i < ARRAY_COUNT(row); i++) {
        const struct caps_format *format = caps_find_format(row[i].format);
        struct client_chain *chain = create(&stage, CLIENT_TEXTURE, format, 2, 0, 1);
        unsigned bytes = row[i].format == D3DFMT_L8 ? 1 : 4;
        struct client_lock lock;

        assert_int_equal(client_lock(client_part(chain, 0), NULL, 0, &lock), DD_OK);
        for (unsigned y = 0; y < 2; y++)
            for (unsigned x = 0; x < 2; x++)
                memset(lock.bits + y * lock.pitch + x * bytes, texels[y][x], bytes);
        client_unlock(client_part(chain, 0));
        use_texture(&stage, client_handle(client_part(chain, 0)));
        stage_texture_state(&stage, 0, D3DTSS_ADDRESSU, D3DTADDRESS_CLAMP);
        stage_texture_state(&stage, 0, D3DTSS_ADDRESSV, D3DTADDRESS_CLAMP);
        stage_texture_state(&stage, 0, D3DTSS_MAGFILTER, row[i].filter);
        stage_texture_state(&stage, 0, D3DTSS_MIPMAPLODBIAS, row[i].bias);
        quad(&stage, 0, 0, 0);
        expect(&stage, "fetch4", format, 0, 0, row[i].want, 0);
        use_texture(&stage, 0);
        stage_submit(&stage);
        client_chain_destroy(chain);
    }
    stage_close(&stage);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),    cmocka_unit_test(test_float_targets_keep_large_values),
        cmocka_unit_test(test_blits_convert), cmocka_unit_test(test_stretched_blit),
        cmocka_unit_test(test_depth_blits),   cmocka_unit_test(test_color_fill),
        cmocka_unit_test(test_fetch4_switch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
