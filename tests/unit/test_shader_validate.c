/* SPDX-License-Identifier: MIT */
/*
 * The API's rules for shaders: for each rule a shader that breaks it and is reported, and a similar one that keeps it.
 * No rule is without such a pair.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/shader_rule_rows.h"

#define MAX_TOKENS 20000

static uint32_t tokens[MAX_TOKENS];

/* Assembles; lines of raw numbers are allowed. */
static size_t assemble(const char *text)
{
    struct shader_error error = {0};
    size_t count = shader_assemble(text, tokens, MAX_TOKENS, &error);

    if (!count)
        fail_msg("line %u: %s\n%s", (unsigned)error.offset, error.text, text);
    return count;
}

static void is_broken(const char *rule, const struct shader_limits *limits, const char *text)
{
    struct shader_error error = {0};
    size_t count = assemble(text);

    if (shader_validate(tokens, count, limits, &error))
        fail_msg("should break \"%s\":\n%s", rule, text);
    if (strcmp(error.text, rule) != 0)
        fail_msg("breaks \"%s\" (word %u) instead of \"%s\":\n%s", error.text, (unsigned)error.offset, rule, text);
}

static void is_kept(const struct shader_limits *limits, const char *text)
{
    struct shader_error error = {0};
    size_t count = assemble(text);

    if (!shader_validate(tokens, count, limits, &error))
        fail_msg("should be valid: word %u: %s\n%s", (unsigned)error.offset, error.text, text);
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rule_rows); i++) {
        is_broken(rule_rows[i].rule, rule_rows[i].limits, rule_rows[i].broken);
        is_kept(rule_rows[i].limits, rule_rows[i].kept);
    }
}

static const char *repeated(const struct rule_count_row *row, unsigned times)
{
    static char text[32768];
    size_t used = (size_t)snprintf(text, sizeof(text), "%s", row->before);

    for (unsigned k = 0; k < 2 * times; k++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", k < times ? row->line : row->closing);
    snprintf(text + used, sizeof(text) - used, "%s", row->after);
    return text;
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rule_count_rows); i++) {
        is_kept(rule_count_rows[i].limits, repeated(&rule_count_rows[i], rule_count_rows[i].fits));
        is_broken(rule_count_rows[i].rule, rule_count_rows[i].limits,
                  repeated(&rule_count_rows[i], rule_count_rows[i].fits + 1));
    }
}

/* No rule without a row above, no row without a rule. */
static void test_every_rule_is_tested(void **state)
{
    const char *text;

    (void)state;
    for (unsigned r = 0; (text = shader_rule_text(r)) != NULL; r++) {
        bool found = false;

        for (size_t i = 0; i < ARRAY_COUNT(rule_rows); i++)
            found |= !strcmp(rule_rows[i].rule, text);
        for (size_t i = 0; i < ARRAY_COUNT(rule_count_rows); i++)
            found |= !strcmp(rule_count_rows[i].rule, text);
        if (!found)
            fail_msg("no test breaks \"%s\"", text);
    }
}

/* Code that cannot even be decoded: the decoder says where. */
static void test_damaged(void **state)
{
    static const struct {
        uint32_t tokens[6];
        unsigned count, offset;
        const char *text;
    } damaged[] = {
        {{0x12345678, 0xffff}, 2, 0, "is not a shader version"},
        {{0xfffe0900, 0xffff}, 2, 0, "unknown version"},
        {{0xffff0105, 0xffff}, 2, 0, "unknown version"},
        {{0xfffe0101}, 1, 1, "no end token"},
        {{0xfffe0101, 0x1234, 0xffff}, 3, 1, "is not an instruction of"},
        {{0xffff0200, 0x05000030, 0xf00f0000, 1, 1, 1}, 6, 1, "is not an instruction of"},
        {{0xffff0200, 0x03000001, 0x800f0000, 0xa0e40000, 0xa0e40000, 0xffff}, 6, 1, "operands too many"},
        {{0xfffe0101, 0x00000001, 0xc00f0000, 0xffff}, 4, 3, "is not an operand"},
        {{0xfffe0101, 0x0005fffe, 1, 0xffff}, 4, 1, "comment"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(damaged); i++) {
        struct shader_error error = {0};

        assert_false(shader_validate(damaged[i].tokens, damaged[i].count, &full, &error));
        assert_int_equal(error.offset, damaged[i].offset);
        if (!strstr(error.text, damaged[i].text))
            fail_msg("row %u: %s", (unsigned)i, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_every_rule_is_tested), cmocka_unit_test(test_damaged)};

    return cmocka_run_group_tests_name("the API's rules for shaders", tests, NULL, NULL);
}
