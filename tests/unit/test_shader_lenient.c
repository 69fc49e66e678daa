/* SPDX-License-Identifier: MIT */
/*
 * Shaders that break a rule of the API but can run: they are created, each broken rule is reported once, and they
 * compute what their code says. Shaders that cannot run are refused as before.
 */
#include "tests/unit/shader_stage.h"
#include "tests/unit/shader_rule_rows.h"
#include "shader/shader.h"

#define MAX_TOKENS 20000

struct told {
    const char *expected; /* the rule that must be among the broken ones */
    bool found;
    uint8_t times[256]; /* by rule */
};

static uint32_t tokens[MAX_TOKENS];

static void note(void *user, unsigned rule, const struct shader_error *broken)
{
    struct told *told = user;

    assert_string_equal(broken->text, shader_rule_text(rule));
    assert_false(shader_rule_is_required(rule));
    told->found |= !strcmp(broken->text, told->expected);
    told->times[rule]++;
}

static bool is_required(const char *rule)
{
    const char *text;

    for (unsigned r = 0; (text = shader_rule_text(r)) != NULL; r++)
        if (!strcmp(text, rule))
            return shader_rule_is_required(r);
    fail_msg("there is no rule \"%s\"", rule);
    return false;
}

static void check_required(const char *rule, const struct shader_limits *limits, const char *text)
{
    struct told told = {.expected = rule};
    struct shader_error error = {0};
    size_t count = assemble_text(text, tokens, MAX_TOKENS);

    if (shader_validate_required(tokens, count, limits, note, &told, &error))
        fail_msg("\"%s\" is not enforced:\n%s", rule, text);
    assert_string_equal(error.text, rule);
}

static void check_told(const char *rule, const struct shader_limits *limits, const char *text)
{
    struct told told = {.expected = rule};
    struct shader_error error = {0};
    size_t count = assemble_text(text, tokens, MAX_TOKENS);
    struct shader_program *program;

    if (!shader_validate_required(tokens, count, limits, note, &told, &error))
        fail_msg("refused by \"%s\", though it only breaks \"%s\":\n%s", error.text, rule, text);
    if (!told.found)
        fail_msg("\"%s\" is not reported:\n%s", rule, text);
    for (unsigned r = 0; r < ARRAY_COUNT(told.times); r++)
        assert_true(told.times[r] <= 1);
    program = shader_compile(tokens, count, &error);
    if (!program)
        fail_msg("does not compile: word %u: %s\n%s", (unsigned)error.offset, error.text, text);
    shader_destroy(program);
}

static void check_row(const char *rule, const struct shader_limits *limits, const char *text)
{
    if (is_required(rule))
        check_required(rule, limits, text);
    else
        check_told(rule, limits, text);
}

static void test_each_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rule_rows); i++)
        check_row(rule_rows[i].rule, rule_rows[i].limits, rule_rows[i].broken);
}

static void test_each_count(void **state)
{
    static char text[32768];

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rule_count_rows); i++) {
        const struct rule_count_row *row = &rule_count_rows[i];
        size_t used = (size_t)snprintf(text, sizeof(text), "%s", row->before);

        for (unsigned k = 0; k < 2 * (row->fits + 1); k++)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", k <= row->fits ? row->line : row->closing);
        snprintf(text + used, sizeof(text) - used, "%s", row->after);
        check_row(row->rule, row->limits, text);
    }
}

/* The rules that make a program use its fallback: those that Wine's tests show the original to enforce, and no others
 * that programs are known to break. */
static void test_choice(void **state)
{
    static const char *const enforced[] = {
        "code of the other stage", "a version that the device lacks", "a constant that the device lacks",
        "an input that the declaration does not feed", "an input usage that pixel shaders do not have"};
    static const char *const told[] = {"more than one input register in an instruction",
                                       "more than one constant register in an instruction",
                                       "more than 128 instruction slots",
                                       "a temporary is read before it is written",
                                       "a register without dcl",
                                       "the position is not written, or not all of it"};
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(enforced); i++)
        assert_true(is_required(enforced[i]));
    for (size_t i = 0; i < ARRAY_COUNT(told); i++)
        assert_false(is_required(told[i]));
}

/* --- results ------------------------------------------------------------------------- */

#define VS11_HEAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\n"
#define PASS_T0   "ps_2_0\ndcl t0\nmov oC0, t0\n"

/* oT0 of vertices with the constants c0 = (2, 3, 4, 5), c1 = (1, 0.5, 0.25, 0.125), c7 = (7, 7, 7, 7). */
static void test_vertex_meaning(void **state)
{
    static const struct {
        const char *text;
        float expected[4];
    } rows[] = {
        {"add oT0, c0, c1\n", {3, 3.5f, 4.25f, 5.125f}},               /* two constants */
        {"mul r0, v1, v0\nmov oT0, c0\n", {2, 3, 4, 5}},               /* two inputs */
        {"mov r31, c0\nmov oT0, r31\n", {2, 3, 4, 5}},                 /* a temporary of vs_2_x */
        {"mov oT0, r3\n", {0, 0, 0, 0}},                               /* never written */
        {"mov r0.w, c0\nadd oT0, r0, c1\n", {1, 0.5f, 0.25f, 5.125f}}, /* partly written */
        {"lrp oT0, c1, c0, c7\n", {2, 5, 6.25f, 6.75f}},               /* instructions of vs_2_0 */
        {"abs oT0, -c0\n", {2, 3, 4, 5}},
        {"mov r0, c0\ncrs oT0, r0, c1\n",
         {3 * 0.25f - 4 * 0.5f, 4 - 2 * 0.25f, 2 * 0.5f - 3, 1}},     /* w of oT0 starts as 1 */
        {"frc oT0, c1\n", {0, 0.5f, 0.25f, 0.125f}},                  /* all components */
        {"add a0.x, c0.x, c1.x\nmov oT0, c[a0.x+4]\n", {7, 7, 7, 7}}, /* a0 by add: 3, c7 */
        {"mov_sat oT0, -c0\n", {0, 0, 0, 0}},
        {"mov_x16 oT0, c1\n", {16, 8, 4, 2}},
        {"m4x3 r0.xy, c0, c0\nmov oT0, c7\n", {7, 7, 7, 7}},
    };
    struct shader_scene *s = *state;
    char text[512];

    use_ps(s, PASS_T0);
    set_floats(s, false, 0, 2, 3, 4, 5);
    set_floats(s, false, 1, 1, 0.5f, 0.25f, 0.125f);
    set_floats(s, false, 7, 7, 7, 7, 7);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const float *e = rows[i].expected;

        snprintf(text, sizeof(text), VS11_HEAD "mov oPos, v0\n%s", rows[i].text);
        use_vs(s, text);
        draws(s, 3, 5, e[0], e[1], e[2], e[3]);
    }
}

/* r0 or oC0 of pixels with the constants c0 = (0.5, 0.25, 1, 0.75), c1 = (0.125, 0.5, 0.25, 1). */
static void test_pixel_meaning(void **state)
{
    static const struct {
        const char *text;
        float expected[4];
    } rows[] = {
        {"ps_1_1\nmov r5, c0\nadd r0, r5, c1\n", {0.625f, 0.75f, 1.25f, 1.75f}},
        {"ps_1_1\nmad r0, c0, c1, c2\n", {0.0625f, 0.125f, 0.25f, 0.75f}}, /* c2 is 0 */
        {"ps_1_1\nmov r0, c1.y\n", {0.5f, 0.5f, 0.5f, 0.5f}},
        {"ps_1_1\nmov r0.xz, c0\n", {0.5f, 0, 1, 0}},
        {"ps_1_1\ncmp r0, -c0, c0, c1\n", {0.125f, 0.5f, 0.25f, 1}},
        {"ps_1_4\nrcp r0, c0.y\n", {4, 4, 4, 4}},
        {"ps_1_4\nmax r0, c0, c1\n", {0.5f, 0.5f, 1, 1}},
        {"ps_1_4\nmov r0, c0_dw\n", {0.5f, 0.25f, 1, 0.75f}}, /* no texture instruction: nothing is divided */
        {"ps_1_4\nmov r0, c0.yxwz\n", {0.25f, 0.5f, 0.75f, 1}},
        {"ps_1_1\nmov r1, c0\n", {0, 0, 0, 0}}, /* r0 is not written */
        {"ps_2_0\nadd oC0, c0, c1\n", {0.625f, 0.75f, 1.25f, 1.75f}},
        {"ps_2_0\nmov oC0, c0.wxyz\n", {0.75f, 0.5f, 0.25f, 1}},
        {"ps_2_0\nmov oC0, c0\nmov oC0, c1\n", {0.125f, 0.5f, 0.25f, 1}},
    };
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS_2);
    set_floats(s, true, 0, 0.5f, 0.25f, 1, 0.75f);
    set_floats(s, true, 1, 0.125f, 0.5f, 0.25f, 1);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const float *e = rows[i].expected;

        use_ps(s, rows[i].text);
        draws(s, 3, 5, e[0], e[1], e[2], e[3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_each_count),
        cmocka_unit_test(test_choice),
        cmocka_unit_test_setup_teardown(test_vertex_meaning, open_floats, close_stage),
        cmocka_unit_test_setup_teardown(test_pixel_meaning, open_floats, close_stage),
    };

    return cmocka_run_group_tests_name("shaders that break a rule and run", tests, NULL, NULL);
}
