/* SPDX-License-Identifier: MIT */
/* Sizes of resources in system memory, which a host with a 32-bit size_t must refuse in part. Expected values are
 * computed in 128 bits from the sizes of a format's blocks (docs/reference/texture-sampling.md, section 5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <windows.h>

#include <d3d8.h>

#include "base/base.h"
#include "base/behind.h"
#include "runtime/common/driver/layout.h"
#include "tests/random.h"

#define MOST_32 ((uint64_t)UINT32_MAX / 2 - 4096) /* RT_MOST_BYTES where size_t has 32 bits */

static const struct kind {
    uint32_t format; /* 0: a buffer */
    unsigned bytes, block;
} kinds[] = {{0, 1, 1},
             {D3DFMT_L8, 1, 1},
             {D3DFMT_R5G6B5, 2, 1},
             {D3DFMT_R8G8B8, 3, 1},
             {D3DFMT_A8R8G8B8, 4, 1},
             {116 /* D3DFMT_A32B32G32R32F */, 16, 1},
             {D3DFMT_DXT1, 8, 4},
             {D3DFMT_DXT5, 16, 4}};

static unsigned any_size(void)
{
    static const unsigned ends[] = {1,          2,          3,          255,        0x4000,     0x7fff,
                                    0x8000,     0xffff,     0x10000,    0x55555556, 0x7fffffff, 0x80000000,
                                    0xaaaaaaab, 0xffffffc0, 0xfffffff0, 0xffffffff};
    const uint32_t word = random_word();

    return word & 1 ? ends[(word >> 1) % ARRAY_COUNT(ends)] : word & 2 ? 1 + (word >> 12) % 4096 : random_word() | 1;
}

/* The size of the part, in 128 bits. */
static void expect(const struct kind *kind, const unsigned *size, unsigned alignment, unsigned __int128 *pitch,
                   unsigned __int128 *slice)
{
    const unsigned __int128 columns = ((unsigned __int128)size[0] + kind->block - 1) / kind->block;
    const unsigned __int128 rows = ((unsigned __int128)size[1] + kind->block - 1) / kind->block;

    *pitch = kind->format ? (columns * kind->bytes + alignment - 1) / alignment * alignment : size[0];
    *slice = kind->format ? *pitch * rows : size[0];
}

static void test_any_sizes(void **state)
{
    unsigned taken = 0, refused = 0;

    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const struct kind *kind = &kinds[random_word() % ARRAY_COUNT(kinds)];
        const unsigned size[3] = {any_size(), kind->format ? any_size() : 1,
                                  kind->format && random_word() % 2 ? any_size() : 1};
        const uint64_t begin = random_word() % 4 ? 0 : (uint64_t)any_size() * 16;
        const uint64_t most = random_word() % 2 ? MOST_32 : INT64_MAX;
        const unsigned alignment = 4u << random_word() % 3;
        struct rt_place place = {1, 2, 3};
        uint64_t end = begin;
        unsigned __int128 pitch, slice;

        expect(kind, size, alignment, &pitch, &slice);
        const bool good = pitch <= INT32_MAX && (size[2] == 1 || slice <= INT32_MAX) && begin + slice * size[2] <= most;

        assert_int_equal(good, rt_place_part(kind->format ? rt_format_info(kind->format) : NULL, size[0], size[1],
                                             size[2], alignment, most, &end, &place));
        assert_true(end == (good ? (uint64_t)(begin + slice * size[2]) : begin));
        assert_true(place.offset == (good ? begin : 1) && place.pitch == (good ? (uint64_t)pitch : 2) &&
                    place.slice_pitch == (good ? (uint64_t)slice : 3));
        taken += good;
        refused += !good;
    }
    assert_true(taken > 20000 && refused > 20000);
}

/* Sums and products that are only a few bytes in 32 bits. */
static void test_what_wraps(void **state)
{
    const struct rt_format *color = rt_format_info(D3DFMT_A8R8G8B8), *wide = rt_format_info(116);
    struct rt_place place;
    uint64_t end = 0;

    (void)state;
    assert_false(rt_place_part(NULL, 0xffffffff, 1, 1, 4, MOST_32, &end, &place));
    assert_false(rt_place_part(NULL, 0xffffffc0, 1, 1, 4, MOST_32, &end, &place));
    assert_false(rt_place_part(wide, 16384, 16384, 1, 4, MOST_32, &end, &place));
    assert_false(rt_place_part(color, 32768, 32768, 1, 4, MOST_32, &end, &place));
    assert_false(rt_place_part(color, 2048, 1024, 512, 4, MOST_32, &end, &place));
    assert_int_equal(end, 0);
    for (unsigned face = 0; face < 2; face++) /* 1 GB each: the second is too much */
        assert_int_equal(rt_place_part(color, 16384, 16384, 1, 4, MOST_32, &end, &place), face == 0);
    assert_true(end == 1u << 30);
}

static void test_memory_behind_a_head(void **state)
{
    void *good = mem_calloc_behind(24, 3, 5);

    (void)state;
    assert_non_null(good);
    for (unsigned i = 0; i < 24 + 3 * 5; i++)
        assert_int_equal(((uint8_t *)good)[i], 0);
    free(good);
    assert_null(mem_calloc_behind(24, SIZE_MAX - 23, 1));
    assert_null(mem_calloc_behind(1, SIZE_MAX / 2 + 1, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_sizes),
        cmocka_unit_test(test_what_wraps),
        cmocka_unit_test(test_memory_behind_a_head),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
