/* SPDX-License-Identifier: MIT */
/* Which programs have a form in 16-bit numbers: all of the cascade except those that move coordinates or kill; of
 * bytecode those whose values stay in -1..1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shader/stages.h"
#include "tests/unit/shader_tools.h"
#include "tests/unit/stage_numbers.h"

/* Cascades without alpha have a form, too; cascades that kill or move coordinates have none. */
static void test_forms_of_cascades(void **state)
{
    struct stages_key key = {.stage = {{.color_op = OP_SELECTARG1,
                                        .alpha_op = OP_SELECTARG1,
                                        .color_arg = {0, TA_TEXTURE, 0},
                                        .alpha_arg = {0, TA_TEXTURE, 0},
                                        .textured = 1},
                                       {.textured = 1, .alpha_op = OP_MODULATE},
                                       {.color_op = OP_MODULATE, .alpha_op = OP_MODULATE, .textured = 1}}};
    struct stages_program program, opaque;

    (void)state;
    for (unsigned s = 1; s < 3; s++)
        for (unsigned n = 0; n < 3; n++)
            key.stage[s].color_arg[n] = key.stage[s].alpha_arg[n] = TA_CURRENT;
    for (unsigned op = OP_SELECTARG1; op < OP_COUNT; op++)
        for (unsigned args = 0; args < 28 * 28 * (op >= OP_MULTIPLYADD ? 28 : 1);
             args += op >= OP_MULTIPLYADD ? 13 : 1) {
            const unsigned which[3] = {args / 784, args % 28, args / 28 % 28};
            const bool bump = is_bump(op);

            key.stage[1].color_op = (uint8_t)op;
            key.stage[2].color_arg[1] = bump ? TA_TEXTURE : TA_CURRENT;
            for (unsigned n = 0; n < 3; n++)
                key.stage[1].color_arg[n] = (uint8_t)(which[n] % 7 | which[n] / 7 * 16);
            stages_compile(&key, &program);
            stages_compile_opaque(&key, &program, &opaque);
            if (shader_has_narrow(program.shader) == bump || shader_has_narrow(opaque.shader) == bump)
                fail_msg("operation %u, arguments %02x %02x %02x", op, key.stage[1].color_arg[0],
                         key.stage[1].color_arg[1], key.stage[1].color_arg[2]);
            stages_destroy(&program);
            stages_destroy(&opaque);
        }
    key.stage[1].color_op = OP_MODULATE;
    for (unsigned keyed = STAGE_KEYED; keyed <= STAGE_KEYED_ALPHA; keyed++) {
        key.stage[0].keyed = (uint8_t)keyed;
        stages_compile(&key, &program);
        assert_false(shader_has_narrow(program.shader));
        stages_destroy(&program);
    }
}

#define TOKENS(...)                                                                            \
    {                                                                                          \
        (const uint32_t[]){__VA_ARGS__, END}, sizeof((const uint32_t[]){__VA_ARGS__, END}) / 4 \
    }
#define TEX(n) OP1(TEX), DST(TEXTURE, n, 15)
#define R0     DST(TEMP, 0, 15)
#define T(n)   SRC(TEXTURE, n)

struct tokens {
    const uint32_t *token;
    size_t count;
};

/* clang-format off */
static const struct tokens without_form[] = {
    /* no texture; kill; dependent reads; coordinates as colours */
    TOKENS(PS(1, 1), OP1(MOV), R0, SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), OP1(TEXKILL), DST(TEXTURE, 1, 15), OP1(MOV), R0, T(0)),
    TOKENS(PS(1, 1), TEX(0), OP1(TEXREG2AR), DST(TEXTURE, 1, 15), T(0), OP1(MOV), R0, T(1)),
    TOKENS(PS(1, 1), TEX(0), OP1(TEXBEM), DST(TEXTURE, 1, 15), T(0), OP1(MOV), R0, T(1)),
    TOKENS(PS(1, 1), TEX(0), OP1(TEXM3X2PAD), DST(TEXTURE, 1, 15), T(0), OP1(TEXM3X2TEX), DST(TEXTURE, 2, 15), T(0),
           OP1(MOV), R0, T(2)),
    TOKENS(PS(1, 1), TEX(0), OP1(TEXCOORD), DST(TEXTURE, 1, 15), OP1(MUL), R0, T(0), T(1)),
    /* later models */
    TOKENS(PS(1, 4), OP1(TEX), DST(TEMP, 0, 15), T(0)),
    /* beyond -1..1: a sum that is multiplied or halved, twice a texture, a sum of three, a difference below -1 */
    TOKENS(PS(1, 1), TEX(0), TEX(1), OP1(ADD), R0, T(0), T(1), OP1(MUL), R0, SRC(TEMP, 0), SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), TEX(1), OP1(ADD), R0 | SHIFT(-1), T(0), T(1)),
    TOKENS(PS(1, 1), TEX(0), OP1(MUL), R0, MODIFIED(T(0), X2), SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), OP1(MUL), DST(TEMP, 0, 15) | SHIFT(1), T(0), SRC(INPUT, 0), OP1(MUL), R0, SRC(TEMP, 0), T(0)),
    TOKENS(PS(1, 1), TEX(0), OP1(SUB), R0, MODIFIED(T(0), NEGATE), SRC(INPUT, 0), OP1(MUL), R0, SRC(TEMP, 0), SRC(TEMP, 0)),
    TOKENS(PS(1, 1), TEX(0), OP1(SUB), R0, T(0), SRC(INPUT, 0), OP1(MOV), R0, MODIFIED(SRC(TEMP, 0), BIAS)),
    TOKENS(PS(1, 1), TEX(0), OP1(LRP), R0, T(0), MODIFIED(T(0), NEGATE), SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), OP1(DP3), R0, T(0), SRC(INPUT, 0), OP1(MUL), R0, SRC(TEMP, 0), T(0)),
};
static const struct tokens with_form[] = {
    TOKENS(PS(1, 1), TEX(0), OP1(MUL), R0, T(0), SRC(INPUT, 0)),
    /* beyond 1, without an effect */
    TOKENS(PS(1, 1), TEX(0), TEX(1), OP1(ADD), R0, T(0), T(1)),
    TOKENS(PS(1, 1), TEX(0), OP1(MUL), R0 | SHIFT(2), T(0), SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), TEX(1), OP1(ADD), R0 | SATURATED, T(0), T(1), OP1(MUL), R0, SRC(TEMP, 0), SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), TEX(1), OP1(DP3), R0 | SATURATED, MODIFIED(T(0), BX2), MODIFIED(T(1), BX2), OP1(MUL), R0,
           SRC(TEMP, 0), SRC(INPUT, 0)),
    TOKENS(PS(1, 1), TEX(0), OP1(DEF), DST(CONST, 0, 15), 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, OP1(LRP), R0, SRC(CONST, 0),
           T(0), SRC(INPUT, 0), OP1(MUL), R0, SRC(TEMP, 0), SRC(CONST, 1)),
};
/* clang-format on */

static bool has_form(const struct tokens *tokens)
{
    struct shader_program *program = shader_compile(tokens->token, tokens->count, NULL);

    assert_non_null(program);
    const bool has = shader_has_narrow(program);
    assert_true(has || !shader_narrow_colors(program));
    shader_destroy(program);
    return has;
}

static void test_forms_of_shaders(void **state)
{
    (void)state;
    for (unsigned n = 0; n < ARRAY_COUNT(without_form); n++)
        if (has_form(&without_form[n]))
            fail_msg("program %u has a narrow form", n);
    for (unsigned n = 0; n < ARRAY_COUNT(with_form); n++)
        if (!has_form(&with_form[n]))
            fail_msg("program %u has no narrow form", n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms_of_cascades),
                                       cmocka_unit_test(test_forms_of_shaders)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
