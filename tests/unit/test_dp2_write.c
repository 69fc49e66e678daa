/* SPDX-License-Identifier: MIT */
/*
 * The builder, read back; the disassembler on everything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dp2/names.h"
#include "dp2/tokens.h"
#include "tests/dp2_stream.h"
#include "tests/unit/dp2_samples.h"

static uint32_t stream_storage[DP2_SAMPLE_STREAM_MAX / 4];
static uint32_t built_storage[DP2_SAMPLE_STREAM_MAX / 4];
static uint8_t *const stream = (uint8_t *)stream_storage;
static uint8_t *const built = (uint8_t *)built_storage;

static void test_round_trip(void **state)
{
    const size_t size = dp2_write_all_samples(stream, NULL);
    struct dp2_builder builder;
    struct dp2_cursor cursor;
    struct dp2_command command;

    (void)state;
    dp2_builder_init(&builder, built, DP2_SAMPLE_STREAM_MAX);
    dp2_cursor_init(&cursor, stream, size, SAMPLE_VERTEX_SIZE);
    while (dp2_next(&cursor, &command) == DP2_OK)
        assert_non_null(dp2_put(&builder, command.info->number, command.count, command.body, command.body_size));
    assert_int_equal(builder.length, size);
    assert_memory_equal(built, stream, size);
}

static void test_does_not_fit(void **state)
{
    struct dp2_builder builder;
    uint8_t guard[24];

    (void)state;
    for (size_t capacity = 0; capacity < 12; capacity++) {
        memset(guard, 0xcc, sizeof(guard));
        dp2_builder_init(&builder, guard, capacity);
        assert_null(dp2_put(&builder, DP2OP_RENDERSTATE, 1, NULL, 8));
        assert_int_equal(builder.length, 0);
        for (size_t i = 0; i < sizeof(guard); i++)
            assert_int_equal(guard[i], 0xcc);
    }
    dp2_builder_init(&builder, guard, 12);
    assert_non_null(dp2_put(&builder, DP2OP_RENDERSTATE, 1, NULL, 8));
    assert_null(dp2_put(&builder, DP2OP_RENDERSTATE, 1, NULL, 8));
    assert_null(dp2_put_entry(&builder, DP2OP_RENDERSTATE, 8));
    assert_null(dp2_put(&builder, DP2OP_RENDERSTATE, 1, NULL, SIZE_MAX));
    assert_int_equal(builder.length, 12);
}

static void test_entries_grow(void **state)
{
    struct dp2_builder builder;

    (void)state;
    dp2_builder_init(&builder, built, DP2_SAMPLE_STREAM_MAX);
    for (unsigned i = 0; i < 5; i++)
        assert_non_null(dp2_put_entry(&builder, DP2OP_RENDERSTATE, 8));
    assert_int_equal(builder.length, 4 + 5 * 8);
    assert_int_equal(dp2_read_u16(built + 2), 5);
    /* Another token ends the run; the same one begins a new run. */
    assert_non_null(dp2_put_entry(&builder, DP2OP_TEXTURESTAGESTATE, 8));
    assert_non_null(dp2_put_entry(&builder, DP2OP_RENDERSTATE, 8));
    assert_int_equal(builder.length, 4 + 5 * 8 + 12 + 12);
    /* Stream sources are always single. */
    assert_non_null(dp2_put_entry(&builder, DP2OP_SETSTREAMSOURCE, 12));
    assert_non_null(dp2_put_entry(&builder, DP2OP_SETSTREAMSOURCE, 12));
    assert_int_equal(builder.length, 4 + 5 * 8 + 12 + 12 + 16 + 16);
    /* Bodies that do not begin with entries cannot be extended. */
    assert_null(dp2_put_entry(&builder, DP2OP_CLEAR, 16));
    assert_null(dp2_put_entry(&builder, DP2OP_INDEXEDTRIANGLELIST2, 6));
    assert_null(dp2_put_entry(&builder, DP2OP_UPDATEPALETTE, 8));
    assert_null(dp2_put_entry(&builder, 0, 8));
    assert_int_equal(dp2_walk(built, builder.length, 0, NULL), DP2_END);
}

static void test_count_is_a_word(void **state)
{
    const size_t capacity = 4 * 70000 + 64;
    uint8_t *buffer = calloc(capacity, 1);
    struct dp2_builder builder;

    (void)state;
    assert_non_null(buffer);
    dp2_builder_init(&builder, buffer, capacity);
    for (uint32_t i = 0; i < 70000; i++)
        assert_non_null(dp2_put_entry(&builder, DP2OP_CREATELIGHT, 4));
    assert_int_equal(builder.length, 4 * 70000 + 8);
    assert_int_equal(dp2_read_u16(buffer + 2), 65535);
    assert_int_equal(dp2_read_u16(buffer + builder.last + 2), 70000 - 65535);
    assert_int_equal(dp2_walk(buffer, builder.length, 0, NULL), DP2_END);
    free(buffer);
}

static void print_command(const struct dp2_command *command, bool lines)
{
    const struct dp2_printed *printed = dp2_print(command, lines);

    assert_true(printed->length > 0 && printed->length < sizeof(printed->text));
    assert_int_equal(strlen(printed->text), printed->length);
    assert_memory_equal(printed->text, command->info->name, strlen(command->info->name));
}

static void test_print_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
        struct dp2_cursor cursor;
        struct dp2_command command;
        const size_t size = dp2_write_sample(stream, &dp2_samples[i]);
        dp2_cursor_init(&cursor, stream, size, SAMPLE_VERTEX_SIZE);
        assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
        print_command(&command, false);
        print_command(&command, true);
        /* Nonsense values print too. */
        if (!dp2_rule_is_walked(command.info->size_rule)) {
            memset(stream + 4, 0xff, size - 4);
            print_command(&command, true);
        }
    }
}

static void check_text(uint8_t token, uint16_t count, const void *body, size_t size, const char *expected)
{
    struct dp2_builder builder;
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_builder_init(&builder, built, DP2_SAMPLE_STREAM_MAX);
    assert_non_null(dp2_put(&builder, token, count, body, size));
    dp2_cursor_init(&cursor, built, builder.length, 0);
    assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    assert_string_equal(dp2_print(&command, false)->text, expected);
}

static void test_print_text(void **state)
{
    static const uint32_t states[] = {7, 1, 34, 0xff102030, 36, 0x3f000000, 23, 4, 19, 5, 22, 3};
    static const uint32_t stages[] = {1u << 16, 4, 2u << 16 | 1, 0x30};
    static const uint32_t clear[] = {3, 0xff336699, 0x3f800000, 0, 0, 0, 640, 480};
    static const uint32_t draw[] = {4, 0, 12};
    static const uint32_t fvf[] = {0x112};
    static const uint32_t strange[] = {250, 5};

    (void)state;
    check_text(8, 3, states, 24,
               "RENDERSTATE n=3 {state=ZENABLE value=TRUE} {state=FOGCOLOR value=#ff102030} "
               "{state=FOGSTART value=0.5}");
    check_text(8, 3, states + 6, 24,
               "RENDERSTATE n=3 {state=ZFUNC value=LESSEQUAL} {state=SRCBLEND value=SRCALPHA} "
               "{state=CULLMODE value=CCW}");
    check_text(8, 1, strange, 8, "RENDERSTATE n=1 {state=250 value=0x5}");
    check_text(25, 2, stages, 16,
               "TEXTURESTAGESTATE n=2 {stage=0 state=COLOROP value=MODULATE} "
               "{stage=1 state=COLORARG1 value=1-DIFFUSE.a}");
    check_text(42, 1, clear, 32,
               "CLEAR n=1 flags=TARGET|ZBUFFER color=#ff336699 depth=1 stencil=0 "
               "{rect=(0 0 640 480)}");
    check_text(52, 1, draw, 12, "DRAWPRIMITIVE n=1 {type=TRIANGLELIST start=0 primitives=12}");
    check_text(47, 1, fvf, 4, "SETVERTEXSHADER n=1 {shader=XYZ|NORMAL|TEX1}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_does_not_fit),
        cmocka_unit_test(test_entries_grow), cmocka_unit_test(test_count_is_a_word),
        cmocka_unit_test(test_print_all),    cmocka_unit_test(test_print_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
