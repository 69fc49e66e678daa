/* SPDX-License-Identifier: MIT */
/*
 * YV12 and NV12 through the driver interface: blits to colours of all widths, copies and fills, with random sizes, rectangles and
 * contents. The oracle has a picture of Y, U and V, places it in memory as "Recommended 8-Bit YUV Formats for Video Rendering" of
 * the Windows documentation says, and computes colours by the formula of docs/reference/texture-sampling.md, section 7.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "hal/resource/copy/fill.h"
#include "hal/resource/surface.h"
#include "raster/format/format.h"
#include "tests/random.h"
#include "tests/unit/client_fixture.h"

#include <math.h>

#define MOST   70 /* texels a side: more than are decoded at once */
#define ROUNDS 400

static const uint32_t codes[] = {MAKEFOURCC('Y', 'V', '1', '2'), MAKEFOURCC('N', 'V', '1', '2')};

/* --- pictures and where they are in memory --------------------------------------------------------------------- */

struct picture {
    uint32_t code;
    unsigned width, height;
    uint8_t y[MOST][MOST], u[MOST / 2][MOST / 2], v[MOST / 2][MOST / 2];
};

static void random_picture(struct picture *p, uint32_t code, unsigned width, unsigned height)
{
    uint8_t *const bytes[] = {&p->y[0][0], &p->u[0][0], &p->v[0][0]};
    const size_t sizes[] = {sizeof(p->y), sizeof(p->u), sizeof(p->v)};

    p->code = code;
    p->width = width;
    p->height = height;
    for (unsigned i = 0; i < 3; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            bytes[i][k] = (uint8_t)random_below(256);
}

/* Plane 0, 1, 2: Y, U, V. */
static uint8_t *sample_at(const struct picture *p, const struct client_lock *lock, unsigned plane, unsigned x,
                          unsigned y)
{
    uint8_t *chroma = lock->bits + p->height * lock->pitch;
    const size_t rows = (p->height + 1) / 2, half = lock->pitch / 2;

    if (plane == 0)
        return lock->bits + y * lock->pitch + x;
    if (p->code == codes[1])
        return chroma + y * lock->pitch + 2 * x + (plane - 1);
    return chroma + (plane == 1 ? half * rows : 0) + y * half + x;
}

typedef void (*on_sample)(uint8_t *memory, uint8_t *picture);

static void store(uint8_t *memory, uint8_t *picture)
{
    *memory = *picture;
}

static void compare(uint8_t *memory, uint8_t *picture)
{
    assert_int_equal(*memory, *picture);
}

static void each_sample(struct client_surface *surface, struct picture *p, on_sample what)
{
    struct client_lock lock;

    assert_int_equal(client_lock(surface, NULL, what == store ? 0 : DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < p->height; y++)
        for (unsigned x = 0; x < p->width; x++)
            what(sample_at(p, &lock, 0, x, y), &p->y[y][x]);
    for (unsigned y = 0; y < (p->height + 1) / 2; y++)
        for (unsigned x = 0; x < (p->width + 1) / 2; x++) {
            what(sample_at(p, &lock, 1, x, y), &p->u[y][x]);
            what(sample_at(p, &lock, 2, x, y), &p->v[y][x]);
        }
    client_unlock(surface);
}

static struct client_chain *plain(uint32_t usage, uint32_t format, unsigned width, unsigned height)
{
    const struct client_chain_desc desc = {.usage = usage, .format = format, .width = width, .height = height};
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static struct client_chain *plain_of(struct picture *p)
{
    struct client_chain *chain = plain(random_below(3) ? 0 : CLIENT_SYSTEM_MEMORY, p->code, p->width, p->height);

    each_sample(client_part(chain, 0), p, store);
    return chain;
}

/* --- colours ---------------------------------------------------------------------------------------------------- */

static double limit(double v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* Red, green and blue of a texel, 0 to 255. */
static void color_at(const struct picture *p, unsigned x, unsigned y, double rgb[3])
{
    const double luma = p->y[y][x], u = p->u[y / 2][x / 2] - 128.0, v = p->v[y / 2][x / 2] - 128.0;

    rgb[0] = limit(luma + 1.402 * v);
    rgb[1] = limit(luma - 0.344136 * u - 0.714136 * v);
    rgb[2] = limit(luma + 1.772 * u);
}

static RECT random_rect(unsigned width, unsigned height)
{
    const LONG w = 1 + (LONG)random_below(width), h = 1 + (LONG)random_below(height);
    const LONG x = (LONG)random_below(width + 1 - (unsigned)w), y = (LONG)random_below(height + 1 - (unsigned)h);

    return (RECT){x, y, x + w, y + h};
}

static const struct {
    uint32_t format;
    double units; /* 0 to 255 may be so far away */
} targets[] = {
    {D3DFMT_A8R8G8B8, 0.51},       {D3DFMT_X8R8G8B8, 0.51},         {D3DFMT_R5G6B5, 0.51 + 255 / 62.0},
    {36 /* A16B16G16R16 */, 0.51}, {113 /* A16B16G16R16F */, 0.65}, {116 /* A32B32G32R32F */, 0.51},
};

/* One texel of the destination for each of the source, which begins anywhere. */
static void test_colors(void **state)
{
    static struct picture p;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned t = random_below(ARRAY_COUNT(targets));
        const enum raster_format layouts[] = {RASTER_FORMAT_A8R8G8B8,      RASTER_FORMAT_X8R8G8B8,
                                              RASTER_FORMAT_R5G6B5,        RASTER_FORMAT_A16B16G16R16,
                                              RASTER_FORMAT_A16B16G16R16F, RASTER_FORMAT_A32B32G32R32F};
        struct client_chain *from, *to;
        struct client_lock lock;

        random_picture(&p, codes[random_below(2)], 1 + random_below(MOST), 1 + random_below(MOST));
        from = plain_of(&p);
        to = plain(0, targets[t].format, p.width, p.height);
        const RECT source = random_rect(p.width, p.height);
        const RECT rect = {0, 0, source.right - source.left, source.bottom - source.top};
        assert_int_equal(client_blt(client_part(to, 0), &rect, client_part(from, 0), &source, 0), DD_OK);
        assert_int_equal(client_lock(client_part(to, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (LONG y = 0; y < rect.bottom; y++)
            for (LONG x = 0; x < rect.right; x++) {
                double want[3];
                float got[4];

                color_at(&p, (unsigned)(source.left + x), (unsigned)(source.top + y), want);
                raster_decode_wide(layouts[t],
                                   lock.bits + (size_t)y * lock.pitch +
                                       (size_t)x * raster_format_info(layouts[t])->block_bytes,
                                   lock.pitch, got, sizeof(got), 1, 1, NULL);
                for (unsigned c = 0; c < 3; c++)
                    if (!(fabs((double)got[c] * 255 - want[c]) <= targets[t].units))
                        fail_msg("%.4s %ux%u to format %u, texel %d %d, channel %u: %g instead of %g",
                                 (const char *)&p.code, p.width, p.height, targets[t].format, (int)(source.left + x),
                                 (int)(source.top + y), c, (double)got[c] * 255, want[c]);
            }
        client_unlock(client_part(to, 0));
        client_chain_destroy(to);
        client_chain_destroy(from);
    }
}

/* --- copies and fills --------------------------------------------------------------------------------------------- */

/* Even edges, or those of the surface. */
static RECT block_rect(unsigned width, unsigned height)
{
    RECT r = random_rect(width, height);

    r.left &= ~1;
    r.top &= ~1;
    r.right = BASE_MIN((r.right + 1) & ~1, (LONG)width);
    r.bottom = BASE_MIN((r.bottom + 1) & ~1, (LONG)height);
    return r;
}

static void copy_samples(struct picture *to, const struct picture *from, const RECT *r, LONG dx, LONG dy)
{
    for (LONG y = r->top; y < r->bottom; y++)
        for (LONG x = r->left; x < r->right; x++) {
            to->y[y + dy][x + dx] = from->y[y][x];
            to->u[(y + dy) / 2][(x + dx) / 2] = from->u[y / 2][x / 2];
            to->v[(y + dy) / 2][(x + dx) / 2] = from->v[y / 2][x / 2];
        }
}

/* Between surfaces of different sizes, and so of different pitches and places of chroma. */
static void test_copies(void **state)
{
    static struct picture a, b;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct client_chain *from, *to;
        RECT rect, place;

        random_picture(&a, codes[random_below(2)], 1 + random_below(MOST), 1 + random_below(MOST));
        random_picture(&b, a.code, a.width + random_below(MOST + 1 - a.width),
                       a.height + random_below(MOST + 1 - a.height));
        from = plain_of(&a);
        to = plain_of(&b);
        rect = block_rect(a.width, a.height);
        const LONG dx = (LONG)random_below((unsigned)((LONG)b.width - rect.right) / 2 + 1) * 2;
        const LONG dy = (LONG)random_below((unsigned)((LONG)b.height - rect.bottom) / 2 + 1) * 2;
        place = (RECT){rect.left + dx, rect.top + dy, rect.right + dx, rect.bottom + dy};
        assert_int_equal(client_blt(client_part(to, 0), &place, client_part(from, 0), &rect, 0), DD_OK);
        copy_samples(&b, &a, &rect, dx, dy);
        each_sample(client_part(to, 0), &b, compare);
        each_sample(client_part(from, 0), &a, compare);
        client_chain_destroy(to);
        client_chain_destroy(from);
    }
}

static void test_fills(void **state)
{
    static struct picture p;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint8_t y = (uint8_t)random_below(256), u = (uint8_t)random_below(256), v = (uint8_t)random_below(256);
        struct client_chain *chain;
        RECT rect;

        random_picture(&p, codes[random_below(2)], 1 + random_below(MOST), 1 + random_below(MOST));
        chain = plain_of(&p);
        rect = block_rect(p.width, p.height);
        assert_int_equal(hal_surface_color_fill(hal_surface_from_lcl(&client_part(chain, 0)->lcl), &rect,
                                                random_below(256) << 24 | (uint32_t)y << 16 | (uint32_t)u << 8 | v),
                         DD_OK);
        for (LONG row = rect.top; row < rect.bottom; row++)
            for (LONG x = rect.left; x < rect.right; x++) {
                p.y[row][x] = y;
                p.u[row / 2][x / 2] = u;
                p.v[row / 2][x / 2] = v;
            }
        each_sample(client_part(chain, 0), &p, compare);
        client_chain_destroy(chain);
    }
}

/* Nothing is converted to YUV, and a fill with a texel of unknown layout is refused. */
static void test_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(codes); i++) {
        struct client_chain *a = plain(0, codes[i], 8, 8), *b = plain(0, D3DFMT_X8R8G8B8, 8, 8);
        struct client_chain *c = plain(0, codes[1 - i], 8, 8);

        assert_int_equal(client_blt(client_part(a, 0), NULL, client_part(b, 0), NULL, 0), DDERR_INVALIDPIXELFORMAT);
        assert_int_equal(client_blt(client_part(a, 0), NULL, client_part(c, 0), NULL, 0), DDERR_INVALIDPIXELFORMAT);
        assert_int_equal(client_fill(client_part(a, 0), NULL, 0), DDERR_INVALIDPIXELFORMAT);
        client_chain_destroy(c);
        client_chain_destroy(b);
        client_chain_destroy(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
