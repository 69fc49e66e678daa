/* SPDX-License-Identifier: MIT */
/* The cost of shaders and the depth of their flow control: limits that hold for any shader. */
#include "tests/unit/shader_run.h"

/* --- the charge for a draw --- */

static struct shader_cost cost_of(const char *text)
{
    uint32_t tokens[256];
    struct shader_program *p = compile(tokens, shader_assemble(text, tokens, 256, NULL));
    const struct shader_cost cost = shader_binding_cost(bind(p));

    shader_destroy(p);
    return cost;
}

/* The charge for a draw: loops count as often as they run. */
static void test_cost(void **state)
{
    static const char text[] = "ps_3_0\nrep i0\nadd r0, r0, c0\nrep i1\nadd r0, r0, c0\nendrep\nendrep\nmov oC0, r0\n";

    (void)state;
    memset(integers, 0, sizeof(integers));
    const unsigned never = cost_of(text).instructions;
    integers[0][0] = 10;
    const unsigned ten = cost_of(text).instructions;
    integers[1][0] = 5;
    const unsigned fifty = cost_of(text).instructions;
    assert_in_range(never, 2, 8);
    assert_in_range(ten, 20, 60);
    assert_in_range(fifty - ten, 100, 150);
    integers[0][0] = integers[1][0] = 1 << 30;
    assert_int_equal(cost_of(text).instructions, SHADER_MAX_EXECUTED);
    assert_in_range(cost_of(text).picoseconds, SHADER_MAX_EXECUTED * 200ull, SHADER_MAX_EXECUTED * 600ull);
}

/* Loops of subroutines that are called from loops multiply. */
static void test_cost_of_calls(void **state)
{
    static const char called[] = "vs_3_0\ndcl_position o0\nrep i0\ncall l0\nendrep\nmov o0, r0\nret\nlabel l0\nrep i0\n"
                                 "add r0, r0, c0\nendrep\n";
    static const char uncalled[] =
        "vs_3_0\ndcl_position o0\nmov o0, r0\nret\nlabel l0\nrep i0\nadd r0, r0, c0\nendrep\n";

    (void)state;
    memset(integers, 0, sizeof(integers));
    integers[0][0] = 20;
    assert_in_range(cost_of(called).instructions, 20 * 20, 20 * (20 + 20 + 8));
    assert_in_range(cost_of(uncalled).instructions, 1, 3);
    integers[0][0] = 255;
    assert_in_range(cost_of(called).instructions, 255 * 255, SHADER_MAX_EXECUTED);
}

/* Some instructions cost more than others, also where only a part of them is executed. */
static void test_cost_by_instruction(void **state)
{
    static const char plain[] = "ps_3_0\ndcl_color v0\nadd r0, v0, c0\nmul oC0, r0, v0\n";
    static const char power[] = "ps_3_0\ndcl_color v0\npow r0, v0.x, c0.x\nmul oC0, r0, v0\n";
    static const char sampled[] =
        "ps_3_0\ndcl_color v0\ndcl_2d s0\nrep i0\ntexldl r0, v0, s0\nadd r1, r0, r1\nendrep\nmov oC0, r1\n";

    (void)state;
    memset(integers, 0, sizeof(integers));
    integers[0][0] = 30;
    assert_true(cost_of(power).picoseconds > cost_of(plain).picoseconds + 1000);
    assert_int_equal(cost_of(plain).textures, 0);
    assert_int_equal(cost_of(sampled).textures, 30);
}

/* 255^4 rounds are more than any model executes: the draw ends. */
static void test_endless(void **state)
{
    (void)state;
    memcpy(integers[0], (int32_t[4]){1 << 30, 0, 0, 0}, 16);
    RUN_VS(VS(2, 1), OP(REP, 1), SRC(INTEGER, 0), OP(REP, 1), SRC(INTEGER, 0), OP(REP, 1), SRC(INTEGER, 0), OP(REP, 1),
           SRC(INTEGER, 0), OP(NOP, 0), OP(ADD, 3), OT0, SRC(CONST, 0), SRC(CONST, 0), OP(ENDREP, 0), OP(ENDREP, 0),
           OP(ENDREP, 0), OP(ENDREP, 0), END);
}

/* --- nesting of flow control --------------------------------------------------------------------------- */

struct nesting {
    unsigned constant, dynamic, loops, calls;
};

static void repeat(char *text, const char *line, unsigned times)
{
    for (size_t at = strlen(text); times--; at = strlen(text))
        strcpy(text + at, line);
}

/* In each subroutine all blocks are open around the next call; the last subroutine adds 1 to oPos.x. */
static struct shader_program *compile_nested(struct nesting n, struct shader_error *error)
{
    static uint32_t tokens[8192];
    static char text[65536];

    strcpy(text, "vs_3_0\ndcl_position o0\ndcl_position v0\ndef c0, 0, 1, 2, 3\ndefb b0, true\ndefi i0, 1, 0, 0, "
                 "0\nmov r0, c0.x\n");
    for (unsigned level = 0; level <= n.calls; level++) {
        if (level)
            snprintf(text + strlen(text), 48, "%sret\nlabel l%u\n", level == 1 ? "mov o0, r0\n" : "", level);
        repeat(text, "if b0\n", n.constant);
        repeat(text, "if_lt c0.x, c0.y\n", n.dynamic);
        repeat(text, "rep i0\n", n.loops);
        if (level < n.calls)
            snprintf(text + strlen(text), 48, "call l%u\n", level + 1);
        else
            strcat(text, "add r0.x, r0.x, c0.y\n");
        repeat(text, "endrep\n", n.loops);
        repeat(text, "endif\n", n.dynamic + n.constant);
    }
    strcat(text, n.calls ? "ret\n" : "mov o0, r0\nret\n");
    size_t count = shader_assemble(text, tokens, ARRAY_COUNT(tokens), error);
    if (!count)
        fail_msg("line %u: %s", (unsigned)error->offset, error->text);
    return shader_compile(tokens, count, error);
}

/* A shader with everything that a model allows runs, with exactly enough frames in the machine. */
static void test_nested_deepest(void **state)
{
    struct shader_error error = {0};
    struct shader_program *p = compile_nested((struct nesting){24, 24, 4, 4}, &error);

    (void)state;
    if (!p)
        fail_msg("DWORD %u: %s", (unsigned)error.offset, error.text);
    for (enum cpu_level level = CPU_SCALAR; level <= cpu_level_detected(); level++) {
        vertices.count = 4;
        memset(vertices.output, 0, sizeof(vertices.output));
        shader_vertex_executor(level)(bind(p), &vertices);
        for (unsigned v = 0; v < 4; v++)
            assert_true(vertices.output[0][0][v] == 1.0f);
    }
    shader_destroy(p);
}

/* The batch stops at the same instruction at every level, also among instructions that form one step. */
static void test_stops(void **state)
{
    (void)state;
    for (unsigned before = 0; before < 8; before++) {
        static float first[4][SHADER_LANES];
        uint32_t tokens[256];
        char text[1024] = "vs_3_0\ndcl_position o0\ndcl_position v0\ndefi i0, 255, 0, 0, 0\n";

        repeat(text, "add r0, r0, v0\n", before);
        strcat(text,
               "rep i0\nrep i0\nadd r0.w, r0.w, c0.x\nm4x4 r1, v0, c4\nadd r0, r0, r1\nmov o0, r0\nendrep\nendrep\n");
        size_t count = shader_assemble(text, tokens, ARRAY_COUNT(tokens), NULL);
        assert_true(count);
        struct shader_program *p = compile(tokens, count);

        for (unsigned c = 0; c < 32; c++)
            for (unsigned k = 0; k < 4; k++)
                floats[c][k] = 0.25f * (float)((c + k) % 5);
        for (enum cpu_level level = CPU_SCALAR; level <= cpu_level_detected(); level++) {
            vertices.count = SHADER_LANES;
            set_vertex(0, 1, 3, 2, -1);
            shader_vertex_executor(level)(bind(p), &vertices);
            if (level == CPU_SCALAR)
                memcpy(first, vertices.output[0], sizeof(first));
            assert_memory_equal(first, vertices.output[0], sizeof(first));
        }
        assert_true(first[3][0] != 0.0f);
        shader_destroy(p);
    }
}

static void test_nested_too_deep(void **state)
{
    static const struct {
        struct nesting n;
        const char *says;
    } rows[] = {
        {{25, 0, 0, 0}, "conditions on constants nested more than 24 deep"},
        {{0, 25, 0, 0}, "conditions nested more than 24 deep"},
        {{0, 0, 5, 0}, "loops nested more than 4 deep"},
        {{0, 0, 0, 5}, "calls nested more than 4 deep"},
        {{24, 24, 5, 4}, "loops nested more than 4 deep"},
    };
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        struct shader_error error = {0};

        assert_null(compile_nested(rows[i].n, &error));
        assert_string_equal(error.text, rows[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_cost_of_calls),
        cmocka_unit_test(test_cost_by_instruction),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_nested_deepest),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_nested_too_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
