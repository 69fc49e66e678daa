/* SPDX-License-Identifier: MIT */
/*
 * Sizes of every token, truncation anywhere, hostile sizes, alignment of inline vertices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/base.h"
#include "dp2/tokens.h"
#include "tests/dp2_stream.h"
#include "tests/unit/dp2_samples.h"

static uint32_t stream_storage[DP2_SAMPLE_STREAM_MAX / 4];
static uint8_t *const stream = (uint8_t *)stream_storage;

/* A copy that ends where its allocation ends, so that the sanitizer notices reads beyond. */
static uint8_t *exact_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);

    assert_non_null(copy);
    memcpy(copy, data, size);
    return copy;
}

static void test_every_token_has_a_sample(void **state)
{
    unsigned rows = 0, samples = 0;

    (void)state;
    for (unsigned number = 0; number < 256; number++) {
        const struct dp2_token_info *info = dp2_token_info((uint8_t)number);
        bool sampled = false, unknown = false;
        for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++)
            sampled = sampled || dp2_samples[i].token == number;
        for (size_t i = 0; i < sizeof(dp2_unknown); i++)
            unknown = unknown || dp2_unknown[i] == number;
        assert_false(sampled && unknown);
        rows += info && info->size_rule != DP2_SIZE_NONE;
        samples += sampled;
        if (info)
            assert_int_equal(info->number, number);
        assert_int_equal(info && info->size_rule != DP2_SIZE_NONE, sampled);
    }
    assert_int_equal(rows, samples);
    assert_int_equal(rows, 2 + 23 + 10 + 23 + 24 + 2); /* DirectX 3, 6, 7, 8, 9, ours */
}

/* Each token has a sender; the DirectX 8 runtime sends no tokens of DirectX 9. */
static void test_every_token_has_a_sender(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        const struct dp2_token_info *info = dp2_token_info((uint8_t)i);

        if (info) {
            assert_true(info->sent[0] != 0);
            assert_false(info->sender && info->size_rule == DP2_SIZE_NONE);
            assert_false(info->sender & DP2_SENDER_D3D8 && info->dx_level == 9);
        }
    }
}

static void test_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
        const size_t size = dp2_write_sample(stream, &dp2_samples[i]);
        struct dp2_cursor cursor;
        struct dp2_command command;

        dp2_cursor_init(&cursor, stream, size, SAMPLE_VERTEX_SIZE);
        assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
        assert_int_equal(command.info->number, dp2_samples[i].token);
        assert_int_equal(command.count, dp2_samples[i].count);
        assert_int_equal(command.body_size, dp2_samples[i].body_size);
        assert_ptr_equal(command.body, stream + 4);
        assert_int_equal(dp2_next(&cursor, &command), DP2_END);
        assert_int_equal(command.offset, size);
    }
}

static void test_truncated_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
        const size_t size = dp2_write_sample(stream, &dp2_samples[i]);
        for (size_t length = 1; length < size; length++) {
            uint8_t *copy = exact_copy(stream, length);
            size_t where = 99;
            const enum dp2_status status = dp2_walk(copy, length, SAMPLE_VERTEX_SIZE, &where);
            assert_int_equal(status, DP2_TRUNCATED);
            assert_int_equal(where, 0);
            free(copy);
        }
    }
}

static void test_truncated_stream(void **state)
{
    size_t offsets[DP2_SAMPLE_COUNT], where;
    const size_t size = dp2_write_all_samples(stream, offsets);

    (void)state;
    assert_true(size <= DP2_SAMPLE_STREAM_MAX);
    assert_int_equal(dp2_walk(stream, size, SAMPLE_VERTEX_SIZE, &where), DP2_END);
    assert_int_equal(where, size);
    for (size_t length = 0; length < size; length++) {
        uint8_t *copy = exact_copy(stream, length);
        const enum dp2_status status = dp2_walk(copy, length, SAMPLE_VERTEX_SIZE, &where);
        assert_true(status == DP2_TRUNCATED || (status == DP2_END && where == length));
        assert_true(where <= length);
        free(copy);
    }
}

static void test_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(dp2_unknown); i++) {
        uint8_t bytes[32] = {8, 0, 1, 0};
        size_t where;
        bytes[12] = dp2_unknown[i];
        assert_int_equal(dp2_walk(bytes, sizeof(bytes), 0, &where), DP2_UNKNOWN_TOKEN);
        assert_int_equal(where, 12);
    }
}

/* Sizes in the body that are larger than the stream, or overflow 32 bits when added. */
static void test_hostile_sizes(void **state)
{
    static const struct {
        uint8_t token;
        uint32_t at[2];
        enum dp2_status status;
    } cases[] = {
        {45, {4, 8}, DP2_BAD_SIZE}, {54, {4, 4}, DP2_TRUNCATED}, {74, {4, 4}, DP2_TRUNCATED},
        {48, {4, 4}, DP2_BAD_SIZE}, {57, {4, 4}, DP2_BAD_SIZE},  {77, {4, 4}, DP2_BAD_SIZE},
        {93, {4, 4}, DP2_BAD_SIZE}, {83, {4, 4}, DP2_BAD_SIZE},  {94, {4, 4}, DP2_BAD_SIZE},
        {71, {4, 4}, DP2_BAD_SIZE}, {97, {0, 8}, DP2_BAD_SIZE},  {201, {4, 4}, DP2_BAD_SIZE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static const uint32_t huge = 0xffffffffu;
        uint8_t bytes[64] = {cases[i].token, 0, 1, 0};
        memcpy(bytes + 4 + cases[i].at[0], &huge, 4);
        memcpy(bytes + 4 + cases[i].at[1], &huge, 4);
        assert_int_equal(dp2_walk(bytes, sizeof(bytes), 0, NULL), cases[i].status);
    }
}

/* The inline reader and the general one agree: on each token, with several counts and numbers of items, in streams that end anywhere. */
static void test_readers_agree(void **state)
{
    static const uint32_t items[] = {0,          1,          2,          3,          5,          9,
                                     0x0FFFFFFF, 0x10000000, 0x40000000, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFF};
    static const uint16_t counts[] = {0, 1, 2, UINT16_MAX};
    uint8_t bytes[96];

    (void)state;
    for (unsigned token = 0; token < 256; token++)
        for (unsigned i = 0; i < ARRAY_COUNT(counts) * ARRAY_COUNT(items) * sizeof(bytes); i++) {
            const size_t length = i / (ARRAY_COUNT(counts) * ARRAY_COUNT(items));
            struct dp2_cursor one, other;
            struct dp2_command got, expected;
            uint8_t *copy;

            for (size_t at = 0; at < sizeof(bytes); at++)
                bytes[at] = at % 4 == 0; /* DWORDs of 1, so that further entries have items too */
            bytes[0] = (uint8_t)token;
            memcpy(bytes + 2, &counts[i % ARRAY_COUNT(counts)], 2);
            memcpy(bytes + DP2_HEADER_BYTES + DP2_ITEM_COUNT, &items[i / ARRAY_COUNT(counts) % ARRAY_COUNT(items)], 4);
            copy = exact_copy(bytes, length);
            dp2_cursor_init(&one, copy, length, SAMPLE_VERTEX_SIZE);
            other = one;
            assert_int_equal(dp2_next_of_many(&one, &got), dp2_next_other(&other, &expected));
            assert_int_equal(one.offset, other.offset);
            assert_ptr_equal(got.info, expected.info);
            if (one.offset) {
                assert_int_equal(got.count, expected.count);
                assert_int_equal(got.body_size, expected.body_size);
                assert_ptr_equal(got.body, expected.body);
                assert_ptr_equal(got.vertices, expected.vertices);
            }
            free(copy);
        }
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
        uint8_t *copy;
        const size_t size = dp2_write_sample(stream, &dp2_samples[i]);
        /* n = 65535 needs more than the buffer has, or is ignored. */
        stream[2] = stream[3] = 0xff;
        copy = exact_copy(stream, size);
        const enum dp2_status status = dp2_walk(copy, size, SAMPLE_VERTEX_SIZE, NULL);
        const enum dp2_size_rule rule = dp2_token_info(dp2_samples[i].token)->size_rule;
        const bool counts = rule != DP2_SIZE_FIXED && rule != DP2_SIZE_PALETTE && rule != DP2_SIZE_KERNEL;
        assert_int_equal(status, counts ? DP2_TRUNCATED : DP2_END);
        free(copy);
    }
}

static void test_inline_vertices(void **state)
{
    static const struct dp2_sample strip = {15, 1, 2, {{0}}};
    static const uint8_t fan[4] = {23, 0, 1, 0}, lines[4] = {24, 0, 1, 0};
    struct dp2_cursor cursor;
    struct dp2_command command;
    size_t at;

    (void)state;
    /* The header of the fan ends at 10: edge flags at 10, vertices at align4(14) = 16. */
    memset(stream, 0, 256);
    at = dp2_write_sample(stream, &strip);
    memcpy(stream + at, fan, 4);
    at = 16 + 3 * SAMPLE_VERTEX_SIZE;
    /* The header of the lines ends at a multiple of 4: no padding. */
    memcpy(stream + at, lines, 4);
    at += 4 + 2 * SAMPLE_VERTEX_SIZE;
    dp2_cursor_init(&cursor, stream, at, SAMPLE_VERTEX_SIZE);
    assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    assert_ptr_equal(command.vertices, stream + 16);
    assert_int_equal(cursor.offset, 16 + 3 * SAMPLE_VERTEX_SIZE);
    assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    assert_ptr_equal(command.vertices, stream + 16 + 3 * SAMPLE_VERTEX_SIZE + 4);
    assert_int_equal(dp2_next(&cursor, &command), DP2_END);

    /* Without a vertex size the length is unknown. */
    memcpy(stream, lines, 4);
    assert_int_equal(dp2_walk(stream, 64, 0, NULL), DP2_BAD_SIZE);
    /* Sizes of vertices may be absurd. */
    assert_int_equal(dp2_walk(stream, 64, 0xffffffffu, NULL), DP2_TRUNCATED);
}

static void test_entries(void **state)
{
    static const struct {
        uint8_t sample_token;
        uint16_t count;
        unsigned entries;
        size_t data[4];
    } cases[] = {
        {8, 3, 3, {0}},
        {42, 0, 0, {0}},
        {42, 3, 3, {0}},
        {17, 7, 8, {0}},
        {20, 7, 9, {0}},
        {34, 3, 3, {0, 104, 0}},
        {45, 2, 2, {4, 0}},
        {57, 2, 2, {16, 0}},
        {61, 4, 4, {0, 16, 28, 44}},
        {62, 4, 4, {0, 12, 16, 28}},
        {31, 9, 1, {8}},
        {15, 7, 0, {0}},
        {24, 3, 0, {0}},
        {26, 3, 3, {0}},
        {71, 1, 1, {24}},
    };

    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        size_t sample = 0, end;
        struct dp2_cursor cursor;
        struct dp2_command command;
        struct dp2_entry entry = {0};
        unsigned entries = 0;

        while (dp2_samples[sample].token != cases[c].sample_token || dp2_samples[sample].count != cases[c].count)
            sample++;
        dp2_cursor_init(&cursor, stream, dp2_write_sample(stream, &dp2_samples[sample]), SAMPLE_VERTEX_SIZE);
        assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
        end = command.info->fixed_size;
        while (dp2_next_entry(&command, &entry)) {
            assert_int_equal(entry.head_size, command.info->entry_size);
            if (entries < 4)
                assert_int_equal(entry.data_size, cases[c].data[entries]);
            end += entry.head_size + entry.data_size;
            entries++;
        }
        assert_int_equal(entries, cases[c].entries);
        if (entries)
            assert_int_equal(end, command.body_size);
    }
}

/* A program may write to its buffer while the reader works: entries stay inside what was checked. */
static void test_changed_under_us(void **state)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    struct dp2_entry entry = {0};
    static const uint32_t huge = 0xfffffff0u;

    (void)state;
    dp2_cursor_init(&cursor, stream, dp2_write_sample(stream, &(struct dp2_sample){54, 1, 20, {{4, 12}}}), 0);
    assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    memcpy(stream + 8, &huge, 4);
    assert_false(dp2_next_entry(&command, &entry));
}

static void test_fields_fill_their_structures(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 256; number++) {
        const struct dp2_token_info *info = dp2_token_info((uint8_t)number);
        uint32_t sizes[2] = {0, 0};
        unsigned part = 0;
        const char *at = info ? info->fields : "";

        while (*at) {
            if (*at == ';') {
                part = 1;
                at++;
                continue;
            }
            assert_true(dp2_field_size(*at) > 0);
            assert_int_equal(at[1], ' ');
            sizes[part] += dp2_field_size(*at);
            at += strcspn(at, ",;");
            at += *at == ',';
        }
        if (info) {
            assert_int_equal(sizes[0], info->fixed_size);
            assert_int_equal(sizes[1], info->entry_size);
        }
    }
}

static void test_fvf(void **state)
{
    static const struct {
        uint32_t fvf, size;
    } cases[] = {
        {0x002, 12},   {0x004, 16},   {0x006, 16},   {0x008, 20},      {0x00a, 24},
        {0x00c, 28},   {0x00e, 32},   {0x4002, 16},  {0x112, 32},      {0x1c4, 32},
        {0x20c4, 28},  {0x21c4, 36},  {0x152, 36},   {0x0042, 16},     {0x00e2, 24},
        {0x10102, 24}, {0x20102, 28}, {0x30102, 16}, {0x802, 12 + 64}, {0x902, 0},
        {0x0003, 0},   {0x4004, 0},   {0, 0},        {0x040, 4},       {0xaaaa0802, 12 + 8 * 16},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(dp2_fvf_size(cases[i].fvf), cases[i].size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_token_has_a_sample),
        cmocka_unit_test(test_every_token_has_a_sender),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_truncated_alone),
        cmocka_unit_test(test_truncated_stream),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_hostile_sizes),
        cmocka_unit_test(test_readers_agree),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_inline_vertices),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_changed_under_us),
        cmocka_unit_test(test_fields_fill_their_structures),
        cmocka_unit_test(test_fvf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
