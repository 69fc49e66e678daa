/* SPDX-License-Identifier: MIT */
/* What is left of the states of a context: each once, in the order of its last setting. */
#include "dp2/state_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { POINT_SIZE = 154, FOG_ENABLE = 28, LIGHTING = 137 };

static void set(struct state_log *log, uint32_t state, uint32_t value)
{
    const uint32_t body[2] = {state, value};
    const struct dp2_entry entry = {.head = (const uint8_t *)body, .head_size = sizeof(body)};

    assert_true(state_log_follow(log, DP2OP_RENDERSTATE, &entry));
}

/* The render states that are left, as pairs; their number. */
static unsigned left(const struct state_log *log, uint32_t pairs[][2], unsigned room)
{
    unsigned count = 0;

    for (size_t i = 0; i < log->count; i++) {
        const uint8_t *command = log->bytes + log->entries[i].offset;

        if (log->entries[i].dead)
            continue;
        assert_true(count < room);
        assert_int_equal(log->entries[i].size, 12);
        assert_memory_equal(command, ((const uint8_t[]){DP2OP_RENDERSTATE, 0, 1, 0}), 4);
        memcpy(pairs[count++], command + 4, 8);
    }
    return count;
}

static void check(struct state_log *log, const uint32_t (*expected)[2], unsigned count)
{
    uint32_t pairs[8][2];

    assert_int_equal(left(log, pairs, 8), count);
    assert_memory_equal(pairs, expected, count * sizeof(*expected));
    state_log_free(log);
}

static void test_last_setting_counts(void **state)
{
    static const uint32_t expected[][2] = {{LIGHTING, 0}, {FOG_ENABLE, 1}};
    struct state_log log = {0};

    (void)state;
    set(&log, FOG_ENABLE, 0);
    set(&log, LIGHTING, 0);
    set(&log, FOG_ENABLE, 1);
    check(&log, expected, 2);
}

/* docs/extensions.md: D3DRS_POINTSIZE keeps its size under a command, and the command its effect
 * under a size. */
static void test_commands_beside_the_size(void **state)
{
    const uint32_t on = 0x314d3241 /* A2M1 */, off = 0x304d3241, size = 0x41200000 /* 10.0 */;
    const uint32_t expected[][2] = {{POINT_SIZE, off}, {POINT_SIZE, on}, {POINT_SIZE, size}};
    struct state_log log = {0};

    (void)state;
    set(&log, POINT_SIZE, 0x3f800000);
    set(&log, POINT_SIZE, on);
    set(&log, POINT_SIZE, off);
    set(&log, POINT_SIZE, on);
    set(&log, POINT_SIZE, size);
    check(&log, expected, 3);
}

/* Many settings of one state cost the memory of one. */
static void test_bounded(void **state)
{
    struct state_log log = {0};

    (void)state;
    for (unsigned i = 0; i < 100000; i++)
        set(&log, FOG_ENABLE + i % 4, i);
    assert_true(log.byte_capacity < 64 * 1024);
    state_log_free(&log);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_setting_counts),
        cmocka_unit_test(test_commands_beside_the_size),
        cmocka_unit_test(test_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
