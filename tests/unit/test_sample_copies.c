/* SPDX-License-Identifier: MIT */
/*
 * Copies between multisampled surfaces of one format and one count of samples copy each sample: colours and depth,
 * whole surfaces and rectangles, also within one surface, whether samples or pixels were written last. Random surfaces
 * and rectangles, compared with copies of plain arrays. docs/reference/rasterization.md, section 11.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/random.h"
#include "tests/unit/client_fixture.h"

#define MOST_SIDE   70
#define MOST_BYTES  (MOST_SIDE * MOST_SIDE * 4)
#define MOST_SAMPLE 16
#define ROUNDS      400

/* A surface, and the expected contents of its samples. */
struct sampled {
    struct client_chain *chain;
    unsigned width, height, bytes, samples;
    uint8_t expected[MOST_SAMPLE][MOST_BYTES];
};

static void access_sample(const struct sampled *s, unsigned sample, DWORD flags, uint8_t *memory)
{
    HALCYON_SAMPLESDATA data = {.lpDDSurface = &client_part(s->chain, 0)->lcl,
                                .lpMemory = memory,
                                .dwFlags = flags,
                                .dwSample = sample,
                                .dwRows = s->height,
                                .dwRowBytes = s->width * s->bytes};

    assert_int_equal(driver.samples.AccessSamples(&data), DDHAL_DRIVER_HANDLED);
    assert_int_equal(data.ddRVal, DD_OK);
}

static void fill_samples(struct sampled *s)
{
    for (unsigned i = 0; i < s->samples; i++) {
        for (unsigned b = 0; b < s->width * s->height * s->bytes; b++)
            s->expected[i][b] = (uint8_t)random_word();
        access_sample(s, i, HALCYON_SAMPLES_WRITE, s->expected[i]);
    }
}

/* Through a lock: all samples of a pixel get the written value. */
static void fill_pixels(struct sampled *s)
{
    const size_t row = (size_t)s->width * s->bytes;
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(s->chain, 0), NULL, 0, &lock), DD_OK);
    for (unsigned y = 0; y < s->height; y++)
        for (unsigned x = 0; x < row; x++)
            lock.bits[y * lock.pitch + x] = s->expected[0][y * row + x] = (uint8_t)random_word();
    client_unlock(client_part(s->chain, 0));
    for (unsigned i = 1; i < s->samples; i++)
        memcpy(s->expected[i], s->expected[0], row * s->height);
}

static void make(struct sampled *s, uint32_t format, unsigned bytes, bool depth, unsigned samples)
{
    s->width = 1 + random_below(MOST_SIDE);
    s->height = 1 + random_below(MOST_SIDE);
    s->bytes = bytes;
    s->samples = samples;
    const struct client_chain_desc desc = {.usage = depth ? CLIENT_DEPTH : CLIENT_TARGET,
                                           .format = format,
                                           .width = s->width,
                                           .height = s->height,
                                           .samples = samples};

    assert_int_equal(client_chain_create(client, &desc, &s->chain), DD_OK);
    fill_samples(s);
    if (random_below(4) == 0)
        fill_pixels(s);
}

static void copy_expected(struct sampled *to, const RECT *place, const struct sampled *from, const RECT *rect)
{
    const size_t bytes = (size_t)(rect->right - rect->left) * to->bytes;
    static uint8_t copy[MOST_BYTES];

    for (unsigned i = 0; i < to->samples; i++) {
        memcpy(copy, from->expected[i], MOST_BYTES);
        for (LONG y = 0; y < rect->bottom - rect->top; y++)
            memcpy(to->expected[i] + ((size_t)(place->top + y) * to->width + (size_t)place->left) * to->bytes,
                   copy + ((size_t)(rect->top + y) * from->width + (size_t)rect->left) * to->bytes, bytes);
    }
}

static void check(const struct sampled *s, unsigned round, const char *what)
{
    static uint8_t memory[MOST_BYTES];

    for (unsigned i = 0; i < s->samples; i++) {
        access_sample(s, i, HALCYON_SAMPLES_READ, memory);
        if (memcmp(memory, s->expected[i], (size_t)s->width * s->height * s->bytes))
            fail_msg("round %u: sample %u of %u of the %s is another", round, i, s->samples, what);
    }
}

static void test_samples_are_copied(void **state)
{
    static const struct {
        uint32_t format;
        unsigned bytes;
        bool depth;
    } formats[] = {
        {D3DFMT_A8R8G8B8, 4, false}, {D3DFMT_R5G6B5, 2, false}, {D3DFMT_D24S8, 4, true}, {D3DFMT_D16, 2, true}};
    static struct sampled surfaces[2];

    (void)state;
    random_seed = 4711;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned f = round % ARRAY_COUNT(formats), samples = 2u << round / 4 % 4;
        const bool within = random_below(4) == 0;
        struct sampled *from = &surfaces[0], *to = within ? from : &surfaces[1];

        for (unsigned i = 0; i < 2; i++)
            make(&surfaces[i], formats[f].format, formats[f].bytes, formats[f].depth, samples);
        const unsigned width = 1 + random_below(BASE_MIN(from->width, to->width)),
                       height = 1 + random_below(BASE_MIN(from->height, to->height));
        const LONG x = (LONG)random_below(from->width - width + 1), y = (LONG)random_below(from->height - height + 1);
        const LONG to_x = (LONG)random_below(to->width - width + 1), to_y = (LONG)random_below(to->height - height + 1);
        const RECT rect = {x, y, x + (LONG)width, y + (LONG)height};
        const RECT place = {to_x, to_y, to_x + (LONG)width, to_y + (LONG)height};

        assert_int_equal(client_blt(client_part(to->chain, 0), &place, client_part(from->chain, 0), &rect, 0), DD_OK);
        copy_expected(to, &place, from, &rect);
        check(to, round, "destination");
        check(from, round, "source");
        for (unsigned i = 0; i < 2; i++)
            client_chain_destroy(surfaces[i].chain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_are_copied),
    };

    setenv("HALCYON_THREADS", "2", 1);
    setenv("HALCYON_CAPTURE", "", 1);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
