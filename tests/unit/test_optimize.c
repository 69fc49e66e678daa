/* SPDX-License-Identifier: MIT */
/*
 * The effect of each of the optimizer's passes: programs before and after, as text. test_shader_levels tests that they
 * do not change results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/shader_tools.h"

/* The program's IR as text without numbers of instructions, ret and end. */
static void print(const struct shader_program *program, char *out, size_t size)
{
    char text[4096], *line = text;
    size_t used = 0;

    assert_non_null(program);
    shader_print_ir(program, text, sizeof(text));
    while (*line) {
        char *end = strchr(line, '\n');
        const char *from = line + strspn(line, " 0123456789");

        *end = 0;
        if (strcmp(from, "ret") && strcmp(from, "end"))
            used += (size_t)snprintf(out + used, size - used, "%s; ", from);
        line = end + 1;
    }
}

static void expect(const uint32_t *tokens, size_t count, const char *before, const char *after)
{
    struct shader_program *plain = shader_compile_plain(tokens, count, NULL);
    struct shader_program *optimized = shader_compile(tokens, count, NULL);
    char text[4096] = "";

    print(plain, text, sizeof(text));
    assert_string_equal(text, before);
    print(optimized, text, sizeof(text));
    assert_string_equal(text, after);
    shader_destroy(plain);
    shader_destroy(optimized);
}

#define EXPECT(tokens, before, after) expect(tokens, ARRAY_COUNT(tokens), before, after)

static void test_copies(void **state)
{
    const uint32_t code[] = {
        PS(1, 1), OP1(TEX), DST(TEXTURE, 0, 15), OP1(MOV), DST(TEMP, 0, 15), SRC(TEXTURE, 0), END,
    };

    (void)state;
    EXPECT(code, "tex_stage r32, v2, s0; mov r0, r32; mov o0, r0; ", "tex_stage r32, v2, s0; mov o0, r32; ");
}

static void test_copy_dies_with_its_source(void **state)
{
    const uint32_t code[] = {
        PS(2, 0),         OP(DCL, 2),
        0x80000000u,      DST(TEXTURE, 0, 15),
        OP(MOV, 2),       DST(TEMP, 1, 15),
        SRC(TEXTURE, 0),  OP(MOV, 2),
        DST(TEMP, 0, 15), SRC(TEMP, 1),
        OP(ADD, 3),       DST(TEMP, 1, 1),
        SRC(TEMP, 1),     SRC(CONST, 0),
        OP(MUL, 3),       DST(TEMP, 0, 15),
        SRC(TEMP, 0),     SRC(TEMP, 1),
        OP(MOV, 2),       DST(COLOR_OUT, 0, 15),
        SRC(TEMP, 0),     END,
    };

    (void)state;
    EXPECT(code, "mov r1, v2; mov r0, r1; add r1.x, r1, c0; mul r0, r0, r1; mov o0, r0; ",
           "mov r1.yzw, v2; add r1.x, v2.x, c0; mul r0, v2, r1; mov o0, r0; ");
}

static void test_folding(void **state)
{
    const uint32_t code[] = {
        PS(2, 0),          OP(DEF, 5),
        DST(CONST, 0, 15), F(2.0f),
        F(3.0f),           F(-1.0f),
        F(0.5f),           OP(DEF, 5),
        DST(CONST, 1, 15), F(4.0f),
        F(4.0f),           F(4.0f),
        F(4.0f),           OP(MUL, 3),
        DST(TEMP, 0, 15),  SRC(CONST, 0),
        SRC(CONST, 1),     OP(RCP, 2),
        DST(TEMP, 1, 8),   SWZ(CONST, 1, 0, 0, 0, 0),
        OP(MUL, 3),        DST(TEMP, 0, 15),
        SRC(TEMP, 0),      SWZ(TEMP, 1, 3, 3, 3, 3),
        OP(MOV, 2),        DST(COLOR_OUT, 0, 15),
        SRC(TEMP, 0),      END,
    };
    char text[4096] = "";
    struct shader_program *program = shader_compile(code, ARRAY_COUNT(code), NULL);

    (void)state;
    print(program, text, sizeof(text));
    assert_string_equal(text, "mov o0, #2; ");
    shader_destroy(program);
}

/* Unread values are not computed: whole instructions, and components of others. */
static void test_dead_code_and_masks(void **state)
{
    const uint32_t code[] = {
        VS(2, 0),
        OP(DCL, 2),
        0x80000000u,
        DST(INPUT, 0, 15),
        OP(MUL, 3),
        DST(TEMP, 0, 15),
        SRC(INPUT, 0),
        SRC(CONST, 0),
        OP(ADD, 3),
        DST(TEMP, 1, 15),
        SRC(INPUT, 0),
        SRC(CONST, 1),
        OP(MOV, 2),
        DST(RASTER_OUT, 0, 15),
        SRC(INPUT, 0),
        OP(MOV, 2),
        DST(TEXCOORD_OUT, 0, 3),
        SRC(TEMP, 0),
        END,
    };

    (void)state;
    EXPECT(code, "mul r0, v0, c0; add r1, v0, c1; mov o0, v0; mov o5.xy, r0; ",
           "mul r0.xy, v0, c0; mov o0, v0; mov o5.xy, r0; ");
}

/* In a block that not all lanes run, and after it, the values of the other lanes count. */
static void test_flow_is_respected(void **state)
{
    const uint32_t code[] = {
        VS(2, 0),         OP(DCL, 2),    0x80000000u,  DST(INPUT, 0, 15), OP(MOV, 2),
        DST(TEMP, 0, 15), SRC(INPUT, 0), OP(IF, 1),    SRC(BOOLEAN, 0),   OP(MOV, 2),
        DST(TEMP, 0, 15), SRC(CONST, 0), OP(ENDIF, 0), OP(MOV, 2),        DST(RASTER_OUT, 0, 15),
        SRC(TEMP, 0),     END,
    };
    struct shader_program *plain = shader_compile_plain(code, ARRAY_COUNT(code), NULL);
    struct shader_program *optimized = shader_compile(code, ARRAY_COUNT(code), NULL);
    char before[4096] = "", after[4096] = "";

    (void)state;
    print(plain, before, sizeof(before));
    print(optimized, after, sizeof(after));
    assert_string_equal(before, after);
    shader_destroy(plain);
    shader_destroy(optimized);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_copy_dies_with_its_source),
        cmocka_unit_test(test_folding),
        cmocka_unit_test(test_dead_code_and_masks),
        cmocka_unit_test(test_flow_is_respected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
