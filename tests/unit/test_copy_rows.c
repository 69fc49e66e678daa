/* SPDX-License-Identifier: MIT */
/* Rows of bytes copied by any number of threads, between places that may overlap (hal/resource/copy/rows.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "hal/resource/copy/rows.h"
#include "raster/raster.h"
#include "tests/random.h"

#define ROOM  (4u << 20)
#define GUARD 64

static uint8_t *filled(size_t bytes)
{
    uint8_t *memory = malloc(bytes);

    assert_non_null(memory);
    for (size_t i = 0; i < bytes; i++)
        memory[i] = (uint8_t)(i * 2654435761u >> 13);
    return memory;
}

/* The expected result, copied by way of a third buffer; rows of the destination do not overlap each other. */
static void expect(uint8_t *memory, size_t to, size_t from, const struct hal_rows *rows)
{
    uint8_t *between = malloc(rows->bytes * rows->count + 1);

    assert_non_null(between);
    for (size_t y = 0; y < rows->count; y++)
        memcpy(between + y * rows->bytes, memory + from + y * rows->from_pitch, rows->bytes);
    for (size_t y = 0; y < rows->count; y++)
        memcpy(memory + to + y * rows->to_pitch, between + y * rows->bytes, rows->bytes);
    free(between);
}

static void check(struct raster *raster, size_t to, size_t from, size_t to_pitch, size_t from_pitch, size_t bytes,
                  size_t count)
{
    uint8_t *want = filled(ROOM), *got = filled(ROOM);
    const struct hal_rows rows = {got + to, got + from, to_pitch, from_pitch, bytes, count};

    assert_true(to + count * to_pitch + bytes + GUARD <= ROOM && from + count * from_pitch + bytes + GUARD <= ROOM);
    hal_copy_rows(&rows, raster);
    expect(want, to, from, &rows);
    assert_memory_equal(want, got, ROOM);
    free(want);
    free(got);
}

/* Copies that are worth several threads, and some that are not. */
static void check_all(struct raster *raster)
{
    check(raster, GUARD, ROOM / 2, 2560, 2560, 2560, 480);
    check(raster, GUARD, ROOM / 2, 2600, 2572, 2560, 480);
    check(raster, ROOM / 2, GUARD, 2572, 2600, 2559, 481);
    check(raster, ROOM / 2, GUARD, 1000000, 1000000, 1000000, 1);
    check(raster, ROOM / 2, GUARD, 1, 1, 1, 300000);
    check(raster, GUARD, ROOM / 2, 128, 128, 100, 7);
    check(raster, GUARD, ROOM / 2, 128, 128, 100, 0);
    check(raster, GUARD, ROOM / 2, 128, 128, 0, 100);
    /* rows moved inside one surface, in either direction: their pitch is the same */
    check(raster, GUARD + 3 * 2560, GUARD, 2560, 2560, 2500, 480);
    check(raster, GUARD, GUARD + 3 * 2560, 2560, 2560, 2500, 480);
    check(raster, GUARD + 40, GUARD, 2560, 2560, 2500, 480);
    check(raster, GUARD, GUARD + 40, 2560, 2560, 2500, 480);
    for (unsigned round = 0; round < 30; round++) {
        const size_t bytes = 1 + random_word() % 4000, count = 1 + random_word() % 400;
        const size_t from = GUARD + random_word() % 1000, to = GUARD + random_word() % 1000;

        check(raster, to, from, bytes + 64, bytes + 64, bytes, count);
    }
}

static void test_copies(void **state)
{
    static const unsigned threads[] = {1, 2, 4, 8};

    (void)state;
    check_all(NULL);
    for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct raster *raster = raster_create(cpu_level_detected(), threads[i]);

        assert_non_null(raster);
        check_all(raster);
        raster_destroy(raster);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
