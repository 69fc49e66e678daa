/* SPDX-License-Identifier: MIT */
/* The compacted log of a context's states: each state once, in the order of its last setting. */
#include "dp2/capture/state_log.h"

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

/* The remaining render states, as pairs; returns their number. */
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

/* d3d/feedback.h: a map is bound from the stage's texture, which may be different when the log is played; copied
 * contents are in the surfaces. Letters of samplers beyond 9 are small. */
static void test_feedback_orders(void **state)
{
    const uint32_t sizes[] = {0x41200000, 0x30424653 /* SFB0 */, 0x30434653 /* SFC0 */, 0x61444653 /* SFDa */,
                              0x7fa05000};
    static const uint32_t expected[][3] = {{DP2OP_RENDERSTATE, POINT_SIZE, 0x41200000},
                                           {DP2OP_TEXTURESTAGESTATE, 33u << 16, 44},
                                           {DP2OP_TEXTURESTAGESTATE, 34u << 16, 0},
                                           {DP2OP_TEXTURESTAGESTATE, 0, 45}};
    struct state_log log = {0};
    unsigned count = 0;

    (void)state;
    for (uint32_t texture = 44; texture <= 45; texture++) {
        const uint32_t body[2] = {0, texture};
        const struct dp2_entry entry = {.head = (const uint8_t *)body, .head_size = sizeof(body)};

        assert_true(state_log_follow(&log, DP2OP_TEXTURESTAGESTATE, &entry));
        for (unsigned i = 0; texture == 44 && i < sizeof(sizes) / sizeof(sizes[0]); i++)
            set(&log, POINT_SIZE, sizes[i]);
    }
    for (size_t i = 0; i < log.count; i++) {
        const uint8_t *command = log.bytes + log.entries[i].offset;

        if (log.entries[i].dead)
            continue;
        assert_true(count < 4);
        assert_int_equal(command[0], expected[count][0]);
        assert_int_equal(dp2_read_u32(command + 4), expected[count][1]);
        assert_int_equal(dp2_read_u32(command + 8), expected[count][2]);
        count++;
    }
    assert_int_equal(count, 4);
    state_log_free(&log);
}

/* Many settings of one state need the memory of one. */
static void test_bounded(void **state)
{
    struct state_log log = {0};

    (void)state;
    for (unsigned i = 0; i < 100000; i++)
        set(&log, FOG_ENABLE + i % 4, i);
    assert_true(log.byte_capacity < 64 * 1024);
    state_log_free(&log);
}

/* --- state blocks ------------------------------------------------------------------------- */

enum { BEGIN, END, DELETE, EXECUTE, CAPTURE, CREATE, BLOCK = 7 };

static void block(struct state_log *log, uint32_t operation)
{
    const uint32_t body[3] = {operation, BLOCK, 1};
    const struct dp2_entry entry = {.head = (const uint8_t *)body, .head_size = sizeof(body)};

    assert_true(state_log_follow(log, DP2OP_STATESET, &entry));
}

/* Recorded states are not set; executed ones are, any number of times. */
static void test_recorded_block(void **state)
{
    static const uint32_t expected[][2] = {{FOG_ENABLE, 1}, {LIGHTING, 0}};
    struct state_log log = {0};
    uint32_t pairs[8][2];

    (void)state;
    set(&log, FOG_ENABLE, 0);
    block(&log, BEGIN);
    set(&log, FOG_ENABLE, 1);
    set(&log, LIGHTING, 0);
    block(&log, END);
    assert_int_equal(left(&log, pairs, 8), 1);
    assert_int_equal(pairs[0][1], 0);
    assert_int_equal(log.block_count, 1);
    for (unsigned i = 0; i < 50000; i++) {
        set(&log, LIGHTING, 1);
        block(&log, EXECUTE);
    }
    assert_true(log.byte_capacity < 64 * 1024);
    assert_int_equal(log.barrier, 0);
    block(&log, DELETE);
    assert_int_equal(log.block_count, 0);
    block(&log, EXECUTE);
    check(&log, expected, 2);
}

static void test_captured_block(void **state)
{
    static const uint32_t expected[][2] = {{FOG_ENABLE, 0}};
    struct state_log log = {0};

    (void)state;
    set(&log, FOG_ENABLE, 0);
    block(&log, BEGIN);
    set(&log, FOG_ENABLE, 1);
    block(&log, END);
    block(&log, CAPTURE);
    set(&log, FOG_ENABLE, 5);
    block(&log, EXECUTE);
    assert_int_equal(log.barrier, 0);
    check(&log, expected, 1);
}

static unsigned alive(const struct state_log *log)
{
    return (unsigned)(log->count - log->dead);
}

/* Values that only the driver knows: the block is created again at the same place, and executed last at the place of
 * its last execution. */
static void test_unknown_block(void **state)
{
    struct state_log log = {0};
    unsigned count;

    (void)state;
    set(&log, FOG_ENABLE, 0);
    block(&log, BEGIN);
    set(&log, FOG_ENABLE, 1);
    set(&log, LIGHTING, 1);
    block(&log, END);
    block(&log, CAPTURE); /* LIGHTING was never set */
    count = alive(&log);
    assert_int_equal(count, 1 + 1 + 2 + 1 + 1); /* FOG_ENABLE; BEGIN, two states, END; CAPTURE */
    for (unsigned i = 0; i < 1000; i++) {
        block(&log, EXECUTE);
        set(&log, FOG_ENABLE, 0);
    }
    assert_int_equal(alive(&log), count + 2);
    assert_int_equal(log.bytes[log.entries[log.count - 1].offset], DP2OP_RENDERSTATE);
    /* The values that it set are unknown, so the log cannot describe a capture of them. */
    block(&log, EXECUTE);
    block(&log, CAPTURE);
    assert_int_equal(log.barrier, log.count);
    state_log_free(&log);
}

static void test_created_block(void **state)
{
    struct state_log log = {0};

    (void)state;
    set(&log, FOG_ENABLE, 0);
    block(&log, CREATE);
    for (unsigned i = 0; i < 50000; i++)
        block(&log, EXECUTE);
    assert_int_equal(alive(&log), 3);
    assert_true(log.byte_capacity < 64 * 1024);
    state_log_free(&log);
}

/* --- matrices, palettes --------------------------------------------------------------------- */

static void transform(struct state_log *log, uint8_t token, uint32_t type, float scale)
{
    float matrix[16] = {scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1};
    uint8_t body[68];
    const struct dp2_entry entry = {.head = body, .head_size = sizeof(body)};

    memcpy(body, &type, 4);
    memcpy(body + 4, matrix, 64);
    assert_true(state_log_follow(log, token, &entry));
}

static float scale_of(const struct state_log *log, size_t entry)
{
    const uint8_t *command = log->bytes + log->entries[entry].offset;
    float scale;

    assert_int_equal(command[0], DP2OP_SETTRANSFORM);
    memcpy(&scale, command + 8, 4);
    return scale;
}

static void test_multiplied_matrices(void **state)
{
    struct state_log log = {0};

    (void)state;
    transform(&log, DP2OP_MULTIPLYTRANSFORM, 2, 3); /* the identity, so far */
    for (unsigned i = 0; i < 20000; i++) {
        transform(&log, DP2OP_SETTRANSFORM, 256, 4);
        transform(&log, DP2OP_MULTIPLYTRANSFORM, 1, 0.5f); /* DirectX 7's number of the same matrix */
    }
    assert_int_equal(alive(&log), 2);
    assert_true(log.byte_capacity < 512 * 1024);
    assert_true(scale_of(&log, 0) == 3);
    assert_true(scale_of(&log, log.count - 1) == 2);
    state_log_free(&log);
}

static void test_palettes(void **state)
{
    struct state_log log = {0};

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t head[8] = {1, 0, 0, 0, (uint8_t)(i % 2 * 16), 0, 16, 0}, colors[64] = {(uint8_t)i};
        const struct dp2_entry entry = {.head = head, .head_size = 8, .data = colors, .data_size = sizeof(colors)};

        assert_true(state_log_follow(&log, DP2OP_UPDATEPALETTE, &entry));
    }
    assert_int_equal(alive(&log), 2); /* two ranges of one palette */
    state_log_free(&log);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_setting_counts), cmocka_unit_test(test_commands_beside_the_size),
        cmocka_unit_test(test_feedback_orders),     cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_recorded_block),      cmocka_unit_test(test_captured_block),
        cmocka_unit_test(test_unknown_block),       cmocka_unit_test(test_created_block),
        cmocka_unit_test(test_multiplied_matrices), cmocka_unit_test(test_palettes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
