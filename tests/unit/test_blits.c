/* SPDX-License-Identifier: MIT */
/*
 * Blits of DirectDraw as programs in two dimensions make them: stretched with a clip list, by raster operations, with
 * colour keys of one format without stretching (hal/resource/copy/keyed_rows.c), and a surface shown as it is. Random
 * formats, keys, rectangles and overlaps; what must result is computed texel by texel here, or by the blit without
 * a clip list. Mirrors: test_mirror.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caps/caps.h"
#include "client/palette.h"
#include "tests/random.h"
#include "tests/unit/client_fixture.h"
#include "tests/unit/rounds.h"

#define SIDE   40
#define BORDER 24 /* around the clipped surface, of the whole one */
#define WHOLE  (SIDE + 2 * BORDER)
#define TEXEL  8 /* bytes of the largest */

static const struct format {
    uint32_t format;
    unsigned bytes;
    uint32_t mask; /* of keys; 0: it has none */
} formats[] = {
    {D3DFMT_P8, 1, 0xff},           {D3DFMT_R3G3B2, 1, 0xff},         {D3DFMT_R5G6B5, 2, 0xffff},
    {D3DFMT_X1R5G5B5, 2, 0x7fff},   {D3DFMT_A4R4G4B4, 2, 0xffff},     {D3DFMT_R8G8B8, 3, 0xffffff},
    {D3DFMT_X8R8G8B8, 4, 0xffffff}, {D3DFMT_A8R8G8B8, 4, 0xffffffff}, {36 /* A16B16G16R16 */, 8, 0},
};

struct texels {
    uint8_t at[WHOLE][WHOLE][TEXEL];
};

static unsigned below(unsigned limit)
{
    return (random_word() >> 8) % limit;
}

static struct client_chain *make(uint32_t usage, uint32_t format, unsigned side)
{
    const struct client_chain_desc desc = {.usage = usage, .format = format, .width = side, .height = side};
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

/* Texels of the surface, in `t` from (x, y) on. */
static void move(struct client_chain *chain, struct texels *t, unsigned x, unsigned y, unsigned bytes, bool write)
{
    struct client_surface *surface = client_part(chain, 0);
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, write ? 0 : DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned row = 0; row < surface->height; row++)
        for (unsigned column = 0; column < surface->width; column++) {
            uint8_t *texel = lock.bits + row * lock.pitch + (size_t)column * bytes, *ours = t->at[y + row][x + column];

            memcpy(write ? texel : ours, write ? ours : texel, bytes);
        }
    client_unlock(surface);
}

/* Few values, so that keys match. */
static void randomize(struct texels *t, unsigned bytes)
{
    for (unsigned i = 0; i < WHOLE * WHOLE; i++) {
        const uint32_t word = below(3) * 0x01234567u + 0x11;

        memcpy(t->at[i / WHOLE][i % WHOLE], &word, BASE_MIN(bytes, 4u));
        memcpy(t->at[i / WHOLE][i % WHOLE] + 4, &word, 4);
    }
}

static RECT any_rect(unsigned side, unsigned least)
{
    const unsigned width = least + below(side - least), height = least + below(side - least);
    const LONG x = (LONG)below(side - width + 1), y = (LONG)below(side - height + 1);

    return (RECT){x, y, x + (LONG)width, y + (LONG)height};
}

static bool has(const RECT *rect, LONG x, LONG y)
{
    return x >= rect->left && x < rect->right && y >= rect->top && y < rect->bottom;
}

static bool is_in_any(const RECT *rects, unsigned count, LONG x, LONG y)
{
    for (unsigned i = 0; i < count; i++)
        if (has(&rects[i], x, y))
            return true;
    return false;
}

static RECT moved(const RECT *rect, LONG by)
{
    return (RECT){rect->left + by, rect->top + by, rect->right + by, rect->bottom + by};
}

static RECTL as_area(const RECT *rect)
{
    return (RECTL){rect->left, rect->top, rect->right, rect->bottom};
}

/* kind: bit 0: a source key; bit 1: a destination key. */
static DDHAL_BLTDATA describe(struct client_chain *to, const RECT *place, struct client_chain *from, const RECT *taken,
                              unsigned kind, uint32_t source_key, uint32_t destination_key)
{
    DDHAL_BLTDATA data = {.lpDDDestSurface = &client_part(to, 0)->lcl};

    data.lpDDSrcSurface = from ? &client_part(from, 0)->lcl : NULL;
    data.rDest = data.rOrigDest = as_area(place);
    data.rSrc = data.rOrigSrc = as_area(taken);
    data.dwFlags = DDBLT_ROP | (kind & 1 ? DDBLT_KEYSRCOVERRIDE : 0) | (kind & 2 ? DDBLT_KEYDESTOVERRIDE : 0);
    data.bltFX.dwSize = sizeof(data.bltFX);
    data.bltFX.dwROP = SRCCOPY;
    data.bltFX.ddckSrcColorkey = (DDCOLORKEY){source_key, source_key};
    data.bltFX.ddckDestColorkey = (DDCOLORKEY){destination_key, destination_key};
    return data;
}

static HRESULT do_blt(DDHAL_BLTDATA *data)
{
    assert_int_equal(driver.surface.Blt(data), DDHAL_DRIVER_HANDLED);
    return data->ddRVal;
}

/* --- clip lists --------------------------------------------------------------------------------- */

/* The same blit twice: without a clip list to a large surface, and with one to a smaller surface whose texels are those
 * of the large one's middle, beyond the edges of which the rectangle extends. */
static void check_clipped(const struct format *to_format, const struct format *from_format, unsigned kind,
                          uint32_t mirror)
{
    struct client_chain *whole = make(0, to_format->format, WHOLE), *part = make(0, to_format->format, SIDE);
    struct client_chain *from = make(0, from_format->format, SIDE);
    struct texels *before = calloc(3, sizeof(*before)), *drawn = before + 1, *got = before + 2;
    const RECT place = any_rect(WHOLE, 1), taken = any_rect(SIDE, 1), shifted = moved(&place, -BORDER);
    RECT rects[4];
    DDHAL_BLTDATA all, clipped;

    randomize(before, from_format->bytes);
    move(from, before, 0, 0, from_format->bytes, true);
    const uint32_t source_key = 0x11 + below(3) * 0x01234567u, destination_key = 0x11 + below(3) * 0x01234567u;
    randomize(before, to_format->bytes);
    move(whole, before, 0, 0, to_format->bytes, true);
    move(part, before, BORDER, BORDER, to_format->bytes, true);
    for (unsigned i = 0; i < ARRAY_COUNT(rects); i++) {
        const RECT rect = any_rect(WHOLE, 0);

        rects[i] = moved(&rect, -BORDER);
    }
    all = describe(whole, &place, from, &taken, kind, source_key, destination_key);
    clipped = describe(part, &shifted, from, &taken, kind, source_key, destination_key);
    clipped.IsClipped = TRUE;
    clipped.dwRectCnt = ARRAY_COUNT(rects);
    clipped.prDestRects = rects;
    if (mirror) {
        all.dwFlags |= DDBLT_DDFX;
        clipped.dwFlags |= DDBLT_DDFX;
        all.bltFX.dwDDFX = clipped.bltFX.dwDDFX = mirror;
    }
    assert_int_equal(do_blt(&all), DD_OK);
    /* without stretching, the parts themselves must be inside */
    for (unsigned i = 0; i < ARRAY_COUNT(rects); i++) {
        rects[i].left = BASE_MAX(rects[i].left, 0);
        rects[i].top = BASE_MAX(rects[i].top, 0);
        rects[i].right = BASE_MIN(rects[i].right, SIDE);
        rects[i].bottom = BASE_MIN(rects[i].bottom, SIDE);
    }
    assert_int_equal(do_blt(&clipped), DD_OK);
    move(whole, drawn, 0, 0, to_format->bytes, false);
    move(part, got, 0, 0, to_format->bytes, false);
    for (LONG y = 0; y < SIDE; y++)
        for (LONG x = 0; x < SIDE; x++) {
            const bool visible = is_in_any(rects, ARRAY_COUNT(rects), x, y);
            const uint8_t *wanted = (visible ? drawn : before)->at[y + BORDER][x + BORDER];

            assert_memory_equal(got->at[y][x], wanted, to_format->bytes);
        }
    free(before);
    client_chain_destroy(from);
    client_chain_destroy(part);
    client_chain_destroy(whole);
}

static void test_clipped_stretch(void **state)
{
    (void)state;
    for (uint32_t i = first_round(400); i < end_round(400); i++) {
        const struct format *to = &formats[below(ARRAY_COUNT(formats))];
        const struct format *from = i % 2 || to->format == D3DFMT_P8 ? to : &formats[1 + below(7)];
        const unsigned kind = to->mask && from->mask ? below(4) : 0;

        check_clipped(to, from, kind, below(4) ? 0 : 2 + 2 * below(3));
    }
}

static void test_clipped_refused(void **state)
{
    struct client_chain *to = make(0, D3DFMT_X8R8G8B8, SIDE), *from = make(0, D3DFMT_X8R8G8B8, SIDE);
    struct client_chain *blocks = make(CLIENT_TEXTURE, D3DFMT_DXT1, SIDE);
    const RECT taken = {0, 0, 8, 8}, beyond = {0, 0, 8, SIDE + 1}, place = {0, 0, 20, 20},
               huge = {-1000000000, 0, 1000000000, 10}, reversed = {20, 0, 0, 20};
    RECT rects[1] = {{0, 0, SIDE, SIDE}};
    DDHAL_BLTDATA data[] = {describe(to, &huge, from, &taken, 0, 0, 0), describe(to, &reversed, from, &taken, 0, 0, 0),
                            describe(to, &place, from, &beyond, 0, 0, 0),
                            describe(blocks, &place, from, &taken, 0, 0, 0)};
    static const HRESULT wanted[] = {DDERR_INVALIDRECT, DDERR_INVALIDRECT, DDERR_INVALIDRECT, DDERR_NOSTRETCHHW};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(data); i++) {
        data[i].IsClipped = TRUE;
        data[i].dwRectCnt = 1;
        data[i].prDestRects = rects;
        assert_int_equal(do_blt(&data[i]), wanted[i]);
    }
    client_chain_destroy(blocks);
    client_chain_destroy(from);
    client_chain_destroy(to);
}

/* --- raster operations --------------------------------------------------------------------------- */

static void test_raster_operations(void **state)
{
    static const struct {
        DWORD rop;
        uint8_t byte;
    } fills[] = {{BLACKNESS, 0}, {WHITENESS, 0xff}};
    static const DWORD refused[] = {SRCINVERT, SRCAND, SRCPAINT, NOTSRCCOPY, DSTINVERT, PATCOPY};
    struct texels *texels = calloc(2, sizeof(*texels));
    const RECT place = {3, 4, 17, 9};
    RECT clip[2] = {{0, 0, 5, 5}, {10, 5, 20, 20}};

    (void)state;
    for (unsigned i = 0; i < 2 * ARRAY_COUNT(formats); i++) {
        const struct format *f = &formats[i / 2];
        struct client_chain *to = make(0, f->format, SIDE), *other = make(0, f->format, SIDE);
        DDHAL_BLTDATA data = describe(to, &place, i % 4 ? NULL : other, &place, 0, 0, 0);

        randomize(texels, f->bytes);
        move(to, texels, 0, 0, f->bytes, true);
        data.bltFX.dwROP = fills[i % 2].rop;
        assert_int_equal(do_blt(&data), DD_OK);
        move(to, texels + 1, 0, 0, f->bytes, false);
        for (LONG y = 0; y < SIDE; y++)
            for (LONG x = 0; x < SIDE; x++)
                for (unsigned b = 0; b < f->bytes; b++)
                    assert_int_equal(texels[1].at[y][x][b],
                                     has(&place, x, y) ? fills[i % 2].byte : texels[0].at[y][x][b]);
        /* the list alone, as for other fills */
        data.IsClipped = TRUE;
        data.dwRectCnt = 2;
        data.prDestRects = clip;
        move(to, texels, 0, 0, f->bytes, true);
        assert_int_equal(do_blt(&data), DD_OK);
        move(to, texels + 1, 0, 0, f->bytes, false);
        assert_int_equal(texels[1].at[0][0][0], fills[i % 2].byte);
        assert_memory_equal(texels[1].at[6][6], texels[0].at[6][6], f->bytes);
        client_chain_destroy(other);
        client_chain_destroy(to);
    }
    struct client_chain *to = make(0, D3DFMT_X8R8G8B8, SIDE), *from = make(0, D3DFMT_X8R8G8B8, SIDE);

    for (unsigned i = 0; i < ARRAY_COUNT(refused); i++) {
        DDHAL_BLTDATA data = describe(to, &place, from, &place, 0, 0, 0);

        data.bltFX.dwROP = refused[i];
        assert_int_equal(do_blt(&data), DDERR_NORASTEROPHW);
    }
    DDHAL_BLTDATA keyed = describe(to, &place, from, &place, 1, 0, 0);

    keyed.bltFX.dwROP = BLACKNESS;
    assert_int_equal(do_blt(&keyed), DDERR_NORASTEROPHW);
    client_chain_destroy(from);
    client_chain_destroy(to);
    free(texels);
}

/* The operations that work are claimed, and no others. */
static void test_claimed_operations(void **state)
{
    static const DWORD claimed[] = {BLACKNESS, SRCCOPY, WHITENESS};
    DDCORECAPS caps;
    unsigned count = 0;

    (void)state;
    caps_ddraw(&caps);
    for (unsigned i = 0; i < DD_ROP_SPACE; i++)
        count += (unsigned)__builtin_popcount(caps.dwRops[i]);
    assert_int_equal(count, ARRAY_COUNT(claimed));
    for (unsigned i = 0; i < ARRAY_COUNT(claimed); i++)
        assert_true(
            caps.dwRops[claimed[i] >> 16 & 0xff ? (claimed[i] >> 16 & 0xff) / 32 : 0] >> (claimed[i] >> 16 & 31) & 1);
}

/* --- keyed copies -------------------------------------------------------------------------------- */

static uint32_t word_of(const uint8_t *texel, const struct format *f)
{
    uint32_t word = 0;

    memcpy(&word, texel, f->bytes);
    return word & f->mask;
}

/* From a surface to another one, or to itself. */
static void check_keyed(const struct format *f, unsigned kind, bool same)
{
    struct client_chain *from = make(0, f->format, WHOLE), *to = same ? from : make(0, f->format, WHOLE);
    struct texels *source = calloc(3, sizeof(*source)), *wanted = source + 1, *got = source + 2;
    const RECT taken = any_rect(WHOLE, 0);
    const LONG width = taken.right - taken.left, height = taken.bottom - taken.top;
    /* close to the source more often than not */
    const bool close = below(2);
    const LONG moved_x = taken.left + (LONG)below(5), moved_y = taken.top + (LONG)below(3);
    const LONG any_x = (LONG)below(WHOLE - (unsigned)width + 1), any_y = (LONG)below(WHOLE - (unsigned)height + 1);
    const LONG x = close ? BASE_MIN(moved_x, WHOLE - width) : any_x;
    const LONG y = close ? BASE_MIN(moved_y, WHOLE - height) : any_y;
    const RECT place = {x, y, x + width, y + height};
    const uint32_t source_key = 0x11 + below(3) * 0x01234567u, destination_key = 0x11 + below(3) * 0x01234567u;
    DDHAL_BLTDATA data;

    randomize(source, f->bytes);
    move(from, source, 0, 0, f->bytes, true);
    randomize(wanted, f->bytes);
    if (same)
        *wanted = *source;
    move(to, wanted, 0, 0, f->bytes, true);
    for (LONG row = 0; row < height; row++)
        for (LONG column = 0; column < width; column++) {
            const uint8_t *in = source->at[taken.top + row][taken.left + column];
            uint8_t *out = wanted->at[y + row][x + column];

            if ((kind & 1 && word_of(in, f) == (source_key & f->mask)) ||
                (kind & 2 && word_of(out, f) != (destination_key & f->mask)))
                continue;
            memcpy(out, in, f->bytes);
        }
    data = describe(to, &place, from, &taken, kind, source_key, destination_key);
    assert_int_equal(do_blt(&data), DD_OK);
    move(to, got, 0, 0, f->bytes, false);
    for (unsigned i = 0; i < WHOLE * WHOLE; i++)
        assert_memory_equal(got->at[i / WHOLE][i % WHOLE], wanted->at[i / WHOLE][i % WHOLE], f->bytes);
    free(source);
    if (!same)
        client_chain_destroy(to);
    client_chain_destroy(from);
}

static void test_keyed_copies(void **state)
{
    (void)state;
    for (uint32_t i = first_round(1600); i < end_round(1600); i++)
        check_keyed(&formats[i % 8], i / 8 % 4, i / 32 % 2);
}

/* --- showing ------------------------------------------------------------------------------------ */

static void test_shown_as_it_is(void **state)
{
    struct client_chain *front = make(CLIENT_PRIMARY, D3DFMT_P8, SIDE);
    struct texels *texels = calloc(2, sizeof(*texels));
    const RECT part = {1, 2, 8, 9}, beyond = {1, 2, 8, SIDE + 1};

    (void)state;
    randomize(texels, 1);
    move(front, texels, 0, 0, 1, true);
    assert_int_equal(client_show(client_part(front, 0), NULL), DD_OK);
    assert_int_equal(client_show(client_part(front, 0), &part), DD_OK);
    assert_int_equal(client_show(client_part(front, 0), &beyond), DDERR_INVALIDRECT);
    move(front, texels + 1, 0, 0, 1, false);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            assert_int_equal(texels[1].at[y][x][0], texels[0].at[y][x][0]);
    free(texels);
    client_chain_destroy(front);
}

/* Locks a surface of 8x8 texels of one or four bytes, and fills or reads its first row. */
static void move_row(struct client_chain *chain, void *row, unsigned bytes, bool write)
{
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(chain, 0), NULL, write ? 0 : DDLOCK_READONLY, &lock), DD_OK);
    memcpy(write ? lock.bits : row, write ? row : lock.bits, 8 * (size_t)bytes);
    assert_int_equal(client_unlock(client_part(chain, 0)), DD_OK);
}

/* Indices among colours are levels of grey, whatever the palette (Wine's test_p8_blit on Windows); colours never become indices. */
static void test_indices_to_colours(void **state)
{
    struct client_chain *indices = make(0, D3DFMT_P8, 8), *colours = make(0, D3DFMT_X8R8G8B8, 8);
    const uint32_t key = 3;
    uint8_t from[8];
    uint32_t to[8];

    (void)state;
    for (unsigned x = 0; x < 8; x++)
        from[x] = (uint8_t)(x * 36);
    move_row(indices, from, 1, true);
    assert_int_equal(client_blt(client_part(colours, 0), NULL, client_part(indices, 0), NULL, 0), DD_OK);
    move_row(colours, to, 4, false);
    for (unsigned x = 0; x < 8; x++)
        assert_int_equal(to[x] & 0xFFFFFF, from[x] * 0x010101u);
    assert_true(FAILED(client_blt(client_part(indices, 0), NULL, client_part(colours, 0), NULL, 0)));
    assert_true(FAILED(client_blt_keyed(client_part(indices, 0), NULL, client_part(colours, 0), NULL, 0, &key, NULL)));
    client_chain_destroy(colours);
    client_chain_destroy(indices);
}

/* A surface without colours is stretched onto itself as if the source had been copied first. */
static void test_indices_stretched_on_themselves(void **state)
{
    struct client_chain *indices = make(0, D3DFMT_P8, 8);
    const RECT to = {0, 0, 8, 1}, from = {0, 0, 4, 1};
    uint8_t row[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    (void)state;
    move_row(indices, row, 1, true);
    assert_int_equal(client_blt(client_part(indices, 0), &to, client_part(indices, 0), &from, 0), DD_OK);
    move_row(indices, row, 1, false);
    for (unsigned x = 0; x < 8; x++)
        assert_int_equal(row[x], 1 + x / 2);
    client_chain_destroy(indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clipped_stretch),    cmocka_unit_test(test_clipped_refused),
        cmocka_unit_test(test_raster_operations),  cmocka_unit_test(test_claimed_operations),
        cmocka_unit_test(test_keyed_copies),       cmocka_unit_test(test_shown_as_it_is),
        cmocka_unit_test(test_indices_to_colours), cmocka_unit_test(test_indices_stretched_on_themselves),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
