/* SPDX-License-Identifier: MIT */
/*
 * Colour keys through the driver interface: SetColorKey, blits by source and destination keys, textures drawn with
 * COLORKEYENABLE, in formats of 8, 16, 24 and 32 bits. The expected pixels are computed here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "tests/stage/stage.h"

#define SIDE           16 /* of the target, pixels */
#define BACKGROUND     0xff123456u
#define COLORKEYENABLE 41 /* D3DRENDERSTATETYPE of DirectX 5 to 7 */
#define FVF            (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

static struct stage stage;

/* Two texels of a format, of which the first is the key; and the colour of the other. */
static const struct format {
    uint32_t format;
    unsigned bytes;
    uint32_t key, other;
    uint32_t color; /* 0xRRGGBB */
} formats[] = {
    {D3DFMT_P8, 1, 3, 7, 0x070000},
    {D3DFMT_R3G3B2, 1, 0xe3, 0x1c, 0x00ff00},
    {D3DFMT_R5G6B5, 2, 0xf81f, 0x07e0, 0x00ff00},
    {D3DFMT_X1R5G5B5, 2, 0x7c1f, 0x7c00, 0xff0000},
    {D3DFMT_A1R5G5B5, 2, 0x801f, 0x83e0, 0x00ff00},
    {D3DFMT_A4R4G4B4, 2, 0xff0f, 0xf0f0, 0x00ff00},
    {D3DFMT_R8G8B8, 3, 0xff00ff, 0x204060, 0x204060},
    {D3DFMT_X8R8G8B8, 4, 0x00ff00ff, 0x00204060, 0x204060},
    {D3DFMT_A8R8G8B8, 4, 0xffff00ff, 0xff204060, 0x204060},
};

static int set_up(void **state)
{
    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_X8R8G8B8, D3DFMT_D16));
    assert_true(stage_set_level(&stage, DDI_LEVEL_DX7));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_null(stage.failed);
    stage_close(&stage);
    return 0;
}

static struct client_surface *surface(struct client_chain *chain)
{
    return client_part(chain, 0);
}

static struct client_chain *create(uint32_t usage, uint32_t format, unsigned width, unsigned height, unsigned levels,
                                   unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = usage, .format = format, .width = width, .height = height, .levels = levels, .samples = samples};
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(stage.client, &desc, &chain), DD_OK);
    return chain;
}

static void write_texel(struct client_surface *s, unsigned x, unsigned y, unsigned bytes, uint32_t texel)
{
    struct client_lock lock;

    assert_int_equal(client_lock(s, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits + y * lock.pitch + x * bytes, &texel, bytes);
    client_unlock(s);
}

static uint32_t read_texel(struct client_surface *s, unsigned x, unsigned y, unsigned bytes)
{
    struct client_lock lock;
    uint32_t texel = 0;

    stage_submit(&stage);
    assert_null(stage.failed);
    assert_int_equal(client_lock(s, NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&texel, lock.bits + y * lock.pitch + x * bytes, bytes);
    client_unlock(s);
    return texel;
}

static uint32_t pixel(unsigned x, unsigned y)
{
    return read_texel(surface(stage.target), x, y, 4) & 0xffffff;
}

/* A checkerboard of the two texels; the key is where x + y is even. */
static void fill_checker(struct client_surface *s, const struct format *f)
{
    for (unsigned y = 0; y < s->height; y++)
        for (unsigned x = 0; x < s->width; x++)
            write_texel(s, x, y, f->bytes, (x + y) % 2 ? f->other : f->key);
}

/* Entry i of palette 1 is the colour (i, 0, 0), opaque. */
static void set_palette(struct client_chain *texture)
{
    const D3DHAL_DP2SETPALETTE set = {1, 0x2001 /* DDRAWIPAL_256, _ALPHA */, client_handle(surface(texture))};
    struct {
        D3DHAL_DP2UPDATEPALETTE head;
        PALETTEENTRY entries[256];
    } update = {.head = {1, 0, 256}};

    for (unsigned i = 0; i < 256; i++)
        update.entries[i] = (PALETTEENTRY){(BYTE)i, 0, 0, 255};
    stage_command(&stage, D3DDP2OP_UPDATEPALETTE, 1, &update, sizeof(update));
    stage_command(&stage, D3DDP2OP_SETPALETTE, 1, &set, sizeof(set));
}

/* --- blits ------------------------------------------------------------------------------------- */

static void test_source_key(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct format *f = &formats[i];
        struct client_chain *from = create(CLIENT_TEXTURE, f->format, 8, 8, 1, 0);
        struct client_chain *to = create(CLIENT_TEXTURE, f->format, 8, 8, 1, 0);
        const RECT part = {2, 1, 7, 6}, place = {3, 0, 8, 5};

        fill_checker(surface(from), f);
        for (unsigned y = 0; y < 8; y++)
            for (unsigned x = 0; x < 8; x++)
                write_texel(surface(to), x, y, f->bytes, 0x55555555);
        /* without a key there is nothing to compare with */
        assert_int_equal(client_blt(surface(to), &place, surface(from), &part, DDBLT_KEYSRC), DDERR_NOCOLORKEY);
        assert_int_equal(client_set_color_key(surface(from), DDCKEY_SRCBLT, f->key), DD_OK);
        assert_int_equal(client_blt(surface(to), &place, surface(from), &part, DDBLT_KEYSRC), DD_OK);
        for (unsigned y = 0; y < 8; y++)
            for (unsigned x = 0; x < 8; x++) {
                const bool inside = x >= 3 && y < 5;
                const bool shows = inside && ((x - 1) + (y + 1)) % 2;
                const uint32_t mask = f->bytes == 4 ? ~0u : (1u << 8 * f->bytes) - 1;

                assert_int_equal(read_texel(surface(to), x, y, f->bytes), shows ? f->other : 0x55555555 & mask);
            }
        /* without the flag the key has no effect; a key in the call overrides the surface's key */
        assert_int_equal(client_blt(surface(to), NULL, surface(from), NULL, 0), DD_OK);
        assert_int_equal(read_texel(surface(to), 0, 0, f->bytes), f->key);
        write_texel(surface(to), 1, 0, f->bytes, f->key);
        assert_int_equal(client_blt_keyed(surface(to), NULL, surface(from), NULL, 0, &f->other, NULL), DD_OK);
        assert_int_equal(read_texel(surface(to), 1, 0, f->bytes), f->key);
        client_chain_destroy(from);
        client_chain_destroy(to);
    }
}

/* Pixels equal to a destination key are replaced, and no others; with both keys, both must match. */
static void test_destination_key(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct format *f = &formats[i];
        struct client_chain *from = create(CLIENT_TEXTURE, f->format, 4, 1, 1, 0);
        struct client_chain *to = create(CLIENT_TEXTURE, f->format, 4, 1, 1, 0);

        for (unsigned x = 0; x < 4; x++) {
            write_texel(surface(from), x, 0, f->bytes, x & 1 ? f->key : f->other);
            write_texel(surface(to), x, 0, f->bytes, x & 2 ? f->key : f->other);
        }
        assert_int_equal(client_blt(surface(to), NULL, surface(from), NULL, DDBLT_KEYDEST), DDERR_NOCOLORKEY);
        assert_int_equal(client_set_color_key(surface(to), DDCKEY_DESTBLT, f->key), DD_OK);
        assert_int_equal(client_blt_keyed(surface(to), NULL, surface(from), NULL, DDBLT_KEYDEST, &f->key, NULL), DD_OK);
        assert_int_equal(read_texel(surface(to), 0, 0, f->bytes), f->other);
        assert_int_equal(read_texel(surface(to), 1, 0, f->bytes), f->other);
        assert_int_equal(read_texel(surface(to), 2, 0, f->bytes), f->other); /* keyed in one blit, visible in the
                                                                              * other */
        assert_int_equal(read_texel(surface(to), 3, 0, f->bytes), f->key);
        assert_int_equal(client_blt_keyed(surface(to), NULL, surface(from), NULL, 0, NULL, &f->other), DD_OK);
        assert_int_equal(read_texel(surface(to), 1, 0, f->bytes), f->key);
        assert_int_equal(read_texel(surface(to), 3, 0, f->bytes), f->key);
        client_chain_destroy(from);
        client_chain_destroy(to);
    }
}

/* Nearest texel, whose value decides; into another format, whose value does not matter. */
static void test_stretch_and_convert(void **state)
{
    struct client_chain *from = create(CLIENT_TEXTURE, D3DFMT_R5G6B5, 2, 2, 1, 0);
    const uint32_t key = 0xf81f;
    const RECT all = {0, 0, 2, 2}, to = {4, 4, 12, 12};

    (void)state;
    fill_checker(surface(from), &formats[2]);
    stage_clear(&stage, D3DCLEAR_TARGET, BACKGROUND, 1, 0);
    assert_int_equal(client_blt_keyed(surface(stage.target), &to, surface(from), &all, 0, &key, NULL), DD_OK);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            const bool inside = x >= 4 && x < 12 && y >= 4 && y < 12;
            const bool shows = inside && ((x - 4) / 4 + (y - 4) / 4) % 2;

            assert_int_equal(pixel(x, y), shows ? 0x00ff00 : BACKGROUND & 0xffffff);
        }
    client_chain_destroy(from);
}

/* Within one surface the source is as it was before. */
static void test_overlap(void **state)
{
    struct client_chain *chain = create(CLIENT_TEXTURE, D3DFMT_R5G6B5, 8, 1, 1, 0);
    const uint32_t key = 2;
    const RECT from = {0, 0, 7, 1}, to = {1, 0, 8, 1};

    (void)state;
    for (unsigned x = 0; x < 8; x++)
        write_texel(surface(chain), x, 0, 2, x);
    assert_int_equal(client_blt_keyed(surface(chain), &to, surface(chain), &from, 0, &key, NULL), DD_OK);
    for (unsigned x = 1; x < 8; x++)
        assert_int_equal(read_texel(surface(chain), x, 0, 2), x == 3 ? 3 : x - 1);
    client_chain_destroy(chain);
}

static void test_refused(void **state)
{
    struct client_chain *picture = create(CLIENT_TEXTURE, D3DFMT_X8R8G8B8, 8, 8, 1, 0);
    struct client_chain *samples = create(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1, 4);
    struct client_chain *blocks = create(CLIENT_TEXTURE, D3DFMT_DXT1, 8, 8, 1, 0);
    struct client_chain *indices = create(CLIENT_TEXTURE, D3DFMT_P8, 8, 8, 1, 0);
    const struct client_driver *driver = client_get_driver(stage.client);
    DDHAL_SETCOLORKEYDATA range = {
        .lpDDSurface = &surface(picture)->lcl, .dwFlags = DDCKEY_SRCBLT | DDCKEY_COLORSPACE, .ckNew = {1, 5}};
    DDRAWI_DDRAWSURFACE_LCL unknown = {.dwFlags = 0};
    const RECT outside = {4, 4, 9, 8}, turned = {4, 4, 2, 8}, inside = {0, 0, 5, 4};
    const uint32_t key = 0;

    (void)state;
    assert_int_equal(client_blt_keyed(surface(samples), NULL, surface(picture), NULL, 0, &key, NULL),
                     DDERR_NOCOLORKEYHW);
    assert_int_equal(client_blt_keyed(surface(picture), NULL, surface(samples), NULL, 0, &key, NULL),
                     DDERR_NOCOLORKEYHW);
    assert_int_equal(client_blt_keyed(surface(blocks), NULL, surface(blocks), NULL, 0, &key, NULL), DDERR_NOCOLORKEYHW);
    assert_int_equal(client_blt_keyed(surface(stage.depth), NULL, surface(stage.depth), NULL, 0, &key, NULL),
                     DDERR_NOCOLORKEYHW);
    assert_int_equal(client_blt_keyed(surface(picture), NULL, surface(indices), NULL, 0, &key, NULL),
                     DDERR_INVALIDPIXELFORMAT);
    assert_int_equal(client_blt_keyed(surface(picture), &outside, surface(picture), &inside, 0, &key, NULL),
                     DDERR_INVALIDRECT);
    assert_int_equal(client_blt_keyed(surface(picture), &turned, surface(picture), &inside, 0, &key, NULL),
                     DDERR_INVALIDRECT);
    driver->surface.SetColorKey(&range);
    assert_int_equal(range.ddRVal, DDERR_NOCOLORKEYHW);
    range.lpDDSurface = &unknown;
    driver->surface.SetColorKey(&range);
    assert_int_equal(range.ddRVal, DDERR_INVALIDOBJECT);
    assert_int_equal(client_set_color_key(surface(picture), DDCKEY_SRCOVERLAY, 0), DDERR_NOOVERLAYHW);
    client_chain_destroy(picture);
    client_chain_destroy(samples);
    client_chain_destroy(blocks);
    client_chain_destroy(indices);
}

/* --- textures ---------------------------------------------------------------------------------- */

static void use_texture(unsigned texture_stage, struct client_chain *texture)
{
    stage_texture_state(&stage, texture_stage, D3DTSS_TEXTUREMAP, texture ? client_handle(surface(texture)) : 0);
    stage_texture_state(&stage, texture_stage, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&stage, texture_stage, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(&stage, texture_stage, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    stage_texture_state(&stage, texture_stage, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
    stage_texture_state(&stage, texture_stage, D3DTSS_TEXCOORDINDEX, 0);
    stage_texture_state(&stage, texture_stage, D3DTSS_ADDRESSU, D3DTADDRESS_CLAMP);
    stage_texture_state(&stage, texture_stage, D3DTSS_ADDRESSV, D3DTADDRESS_CLAMP);
}

static void quad(float z)
{
    struct {
        float x, y, z, rhw;
        uint32_t color;
        float u, v;
    } v[4];

    for (unsigned i = 0; i < 4; i++) {
        v[i].x = (float)(i & 1) * SIDE - 0.5f;
        v[i].y = (float)(i >> 1) * SIDE - 0.5f;
        v[i].z = z;
        v[i].rhw = 1;
        v[i].color = 0xffffffff;
        v[i].u = (float)(i & 1);
        v[i].v = (float)(i >> 1);
    }
    stage_draw(&stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

static void redraw(void)
{
    stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, BACKGROUND, 1, 0);
    quad(0.5f);
}

/* The checkerboard of 4x4 texels over 16x16 pixels; visible: the first kind of texel, the second. */
static void expect_checker(const struct format *f, bool key_shows, bool other_shows, uint32_t key_color)
{
    for (unsigned y = 0; y < SIDE; y += 3)
        for (unsigned x = 0; x < SIDE; x++) {
            const bool other = (x / 4 + y / 4) % 2;
            const uint32_t wanted = other ? (other_shows ? f->color : BACKGROUND & 0xffffff)
                                          : (key_shows ? key_color : BACKGROUND & 0xffffff);

            if (pixel(x, y) != wanted)
                fail_msg("format %u (%u, %u): %06x, not %06x", (unsigned)f->format, x, y, (unsigned)pixel(x, y),
                         (unsigned)wanted);
        }
}

static void test_keyed_texture(void **state)
{
    static const uint32_t key_color[] = {0x030000, 0xff00ff, 0xff00ff, 0xff00ff, 0x0000ff,
                                         0xff00ff, 0xff00ff, 0xff00ff, 0xff00ff};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct format *f = &formats[i];
        struct client_chain *texture = create(CLIENT_TEXTURE, f->format, 4, 4, 1, 0);

        fill_checker(surface(texture), f);
        set_palette(texture);
        use_texture(0, texture);
        stage_state(&stage, COLORKEYENABLE, TRUE);
        redraw(); /* no key yet */
        expect_checker(f, true, true, key_color[i]);
        assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, f->key), DD_OK);
        redraw();
        expect_checker(f, false, true, 0);
        /* another key, changed between two draws */
        assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, f->other), DD_OK);
        redraw();
        expect_checker(f, true, false, key_color[i]);
        /* new texels under the same key */
        write_texel(surface(texture), 0, 0, f->bytes, f->other);
        redraw();
        assert_int_equal(pixel(1, 1), BACKGROUND & 0xffffff);
        write_texel(surface(texture), 0, 0, f->bytes, f->key);
        stage_state(&stage, COLORKEYENABLE, FALSE);
        redraw();
        expect_checker(f, true, true, key_color[i]);
        stage_state(&stage, COLORKEYENABLE, TRUE);
        redraw();
        expect_checker(f, true, false, key_color[i]);
        /* the runtime removes a key by the surface's flag */
        surface(texture)->lcl.dwFlags &= ~(DWORD)DDRAWISURF_HASCKEYSRCBLT;
        redraw();
        expect_checker(f, true, true, key_color[i]);
        use_texture(0, NULL);
        stage_submit(&stage);
        client_chain_destroy(texture);
    }
}

/* Bits that the format does not have are not compared. */
static void test_unused_bits(void **state)
{
    struct client_chain *texture = create(CLIENT_TEXTURE, D3DFMT_X8R8G8B8, 4, 4, 1, 0);
    const struct format f = {D3DFMT_X8R8G8B8, 4, 0x77ff00ff, 0x00204060, 0x204060};

    (void)state;
    fill_checker(surface(texture), &f);
    use_texture(0, texture);
    stage_state(&stage, COLORKEYENABLE, TRUE);
    assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, 0xffff00ff), DD_OK);
    redraw();
    expect_checker(&f, false, true, 0);
    client_chain_destroy(texture);
}

/* With the texture's own alpha: texels that are transparent by alpha but not by key are drawn; tests and blends use
 * this alpha. */
static void test_own_alpha(void **state)
{
    static const struct {
        uint32_t format, key, texel;
        unsigned bytes, alpha;
    } cases[] = {
        {D3DFMT_A1R5G5B5, 0x001f, 0x03e0, 2, 0},         {D3DFMT_A1R5G5B5, 0x001f, 0x83e0, 2, 255},
        {D3DFMT_A4R4G4B4, 0x0f0f, 0x00f0, 2, 0},         {D3DFMT_A4R4G4B4, 0x0f0f, 0x50f0, 2, 0x55},
        {D3DFMT_A8R8G8B8, 0x00ff00ff, 0x0000ff00, 4, 0}, {D3DFMT_A8R8G8B8, 0x00ff00ff, 0x8000ff00, 4, 0x80},
        {D3DFMT_A8R8G8B8, 0x00ff00ff, 0x0100ff00, 4, 1}, {D3DFMT_A8R8G8B8, 0x00ff00ff, 0xffff00ff, 4, 255},
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(cases); i++) {
        struct client_chain *texture = create(CLIENT_TEXTURE, cases[i].format, 2, 1, 1, 0);
        const uint32_t color = i == 7 ? 0xff00ff : 0x00ff00;

        write_texel(surface(texture), 0, 0, cases[i].bytes, cases[i].key);
        write_texel(surface(texture), 1, 0, cases[i].bytes, cases[i].texel);
        assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, cases[i].key), DD_OK);
        use_texture(0, texture);
        stage_texture_state(&stage, 0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
        stage_state(&stage, COLORKEYENABLE, TRUE);
        redraw();
        assert_int_equal(pixel(2, 2), BACKGROUND & 0xffffff);
        assert_int_equal(pixel(12, 2), color);
        /* alpha as colour: source times alpha over black */
        stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
        stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
        stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_ZERO);
        redraw();
        stage_state(&stage, D3DRS_ALPHABLENDENABLE, FALSE);
        assert_int_equal(pixel(2, 2), BACKGROUND & 0xffffff);
        assert_in_range((pixel(12, 2) >> (i == 7 ? 0 : 8) & 255) + 1, cases[i].alpha ? cases[i].alpha : 1,
                        cases[i].alpha + (cases[i].bytes == 4 ? 2 : 1));
        stage_state(&stage, D3DRS_ALPHATESTENABLE, TRUE);
        stage_state(&stage, D3DRS_ALPHAFUNC, D3DCMP_GREATER);
        stage_state(&stage, D3DRS_ALPHAREF, 0);
        redraw();
        stage_state(&stage, D3DRS_ALPHATESTENABLE, FALSE);
        assert_int_equal(pixel(12, 2), cases[i].alpha ? color : BACKGROUND & 0xffffff);
        use_texture(0, NULL);
        stage_submit(&stage);
        client_chain_destroy(texture);
    }
}

/* With a linear filter, pixels with transparent texels only are not drawn; pixels with other texels mixed in are drawn,
 * mixed. */
static void test_linear_filter(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct format *f = &formats[i];
        struct client_chain *texture = create(CLIENT_TEXTURE, f->format, 2, 1, 1, 0);
        uint32_t opaque[SIDE];

        write_texel(surface(texture), 0, 0, f->bytes, f->key);
        write_texel(surface(texture), 1, 0, f->bytes, f->other);
        set_palette(texture);
        use_texture(0, texture);
        stage_texture_state(&stage, 0, D3DTSS_MAGFILTER, 2);
        stage_state(&stage, COLORKEYENABLE, FALSE);
        assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, f->key), DD_OK);
        redraw();
        for (unsigned x = 0; x < SIDE; x++)
            opaque[x] = pixel(x, 8);
        stage_state(&stage, COLORKEYENABLE, TRUE);
        redraw();
        /* texel centres are at 3.5 and 11.5 pixels */
        for (unsigned x = 0; x < SIDE; x++)
            assert_int_equal(pixel(x, 8), x < 4 ? BACKGROUND & 0xffffff : opaque[x]);
        assert_int_equal(pixel(15, 8), f->color);
        stage_texture_state(&stage, 0, D3DTSS_MAGFILTER, 1);
        use_texture(0, NULL);
        stage_submit(&stage);
        client_chain_destroy(texture);
    }
}

/* Pixels that are left out do not write depth either, with any alpha test function. */
static void test_depth_and_alpha_test(void **state)
{
    struct client_chain *texture = create(CLIENT_TEXTURE, D3DFMT_R5G6B5, 4, 4, 1, 0);

    (void)state;
    fill_checker(surface(texture), &formats[2]);
    assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, formats[2].key), DD_OK);
    for (unsigned func = D3DCMP_NEVER; func <= D3DCMP_ALWAYS + 1; func++) {
        const unsigned f = BASE_MIN(func, (unsigned)D3DCMP_ALWAYS);
        const bool passes = func > D3DCMP_ALWAYS || (f - 1) & 4; /* alpha 255 against 128: greater */

        use_texture(0, texture);
        stage_state(&stage, COLORKEYENABLE, TRUE);
        stage_state(&stage, D3DRS_ZENABLE, TRUE);
        stage_state(&stage, D3DRS_ALPHATESTENABLE, func <= D3DCMP_ALWAYS);
        stage_state(&stage, D3DRS_ALPHAFUNC, f);
        stage_state(&stage, D3DRS_ALPHAREF, 128);
        redraw();
        expect_checker(&formats[2], false, passes, 0);
        assert_int_equal(read_texel(surface(stage.depth), 1, 1, 2), 0xffff);
        assert_int_equal(read_texel(surface(stage.depth), 5, 1, 2), passes ? 0x8000 : 0xffff);
        stage_state(&stage, D3DRS_ALPHATESTENABLE, FALSE);
    }
    client_chain_destroy(texture);
}

/* Each texture of the cascade removes pixels; all levels use the key of the first. */
static void test_stages_and_levels(void **state)
{
    struct client_chain *plain = create(CLIENT_TEXTURE, D3DFMT_X8R8G8B8, 4, 4, 1, 0);
    struct client_chain *keyed = create(CLIENT_TEXTURE, D3DFMT_R5G6B5, 32, 32, 6, 0);

    (void)state;
    for (unsigned level = 0; level < 6; level++)
        fill_checker(client_level(keyed, 0, level), &formats[2]);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++)
            write_texel(surface(plain), x, y, 4, 0x0000ffff);
    assert_int_equal(client_set_color_key(surface(keyed), DDCKEY_SRCBLT, formats[2].key), DD_OK);
    use_texture(0, plain);
    use_texture(1, keyed);
    stage_texture_state(&stage, 1, D3DTSS_COLOROP, D3DTOP_ADD);
    stage_texture_state(&stage, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    stage_texture_state(&stage, 1, D3DTSS_MIPFILTER, 2); /* point */
    stage_state(&stage, COLORKEYENABLE, TRUE);
    redraw(); /* level 1: a texel a pixel */
    for (unsigned x = 0; x < SIDE; x++)
        assert_int_equal(pixel(x, 3), (x + 3) % 2 ? 0x00ffff : BACKGROUND & 0xffffff);
    stage_texture_state(&stage, 1, D3DTSS_COLOROP, D3DTOP_DISABLE);
    redraw();
    assert_int_equal(pixel(0, 0), 0x00ffff);
    use_texture(0, NULL);
    use_texture(1, NULL);
    stage_submit(&stage);
    client_chain_destroy(plain);
    client_chain_destroy(keyed);
}

/* Formats without keys are drawn completely, and so is everything in DirectX 8 contexts. */
static void test_without_keys(void **state)
{
    struct client_chain *blocks = create(CLIENT_TEXTURE, D3DFMT_DXT1, 4, 4, 1, 0);
    struct client_chain *texture = create(CLIENT_TEXTURE, D3DFMT_R5G6B5, 4, 4, 1, 0);

    (void)state;
    assert_int_equal(client_set_color_key(surface(blocks), DDCKEY_SRCBLT, 0), DD_OK);
    use_texture(0, blocks);
    stage_state(&stage, COLORKEYENABLE, TRUE);
    redraw();
    assert_int_equal(pixel(5, 5), 0);
    assert_true(stage_set_level(&stage, DDI_LEVEL_DX8));
    fill_checker(surface(texture), &formats[2]);
    assert_int_equal(client_set_color_key(surface(texture), DDCKEY_SRCBLT, formats[2].key), DD_OK);
    use_texture(0, texture);
    stage_state(&stage, COLORKEYENABLE, TRUE);
    redraw();
    expect_checker(&formats[2], true, true, 0xff00ff);
    client_chain_destroy(blocks);
    client_chain_destroy(texture);
}

static void test_caps(void **state)
{
    D3DDEVICEDESC_V1 desc;
    DDCORECAPS caps;

    (void)state;
    caps_ddraw(&caps);
    caps_device_desc(&desc);
    assert_true(caps.dwCaps & DDCAPS_COLORKEY && caps.dwSVBCaps & DDCAPS_COLORKEY && caps.dwVSBCaps & DDCAPS_COLORKEY);
    assert_int_equal(caps.dwCKeyCaps, DDCKEYCAPS_SRCBLT | DDCKEYCAPS_DESTBLT);
    assert_int_equal(caps.dwSSBCKeyCaps, caps.dwCKeyCaps);
    assert_true(desc.dpcTriCaps.dwTextureCaps & 8);
    assert_false(caps_d3d8()->TextureCaps & 8);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(test_source_key),   TEST(test_destination_key),   TEST(test_stretch_and_convert),
        TEST(test_overlap),      TEST(test_refused),           TEST(test_keyed_texture),
        TEST(test_unused_bits),  TEST(test_linear_filter),     TEST(test_own_alpha),
        TEST(test_without_keys), TEST(test_stages_and_levels), TEST(test_depth_and_alpha_test),
        TEST(test_caps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
