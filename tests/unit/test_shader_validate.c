/* SPDX-License-Identifier: MIT */
/*
 * The API's rules for shaders: each row breaks one and is told so; valid shaders break none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode/validate.h"
#include "tests/unit/shader_tools.h"

#define POSITION OP1(MOV), DST(RASTER_OUT, 0, 15), SRC(INPUT, 0)
#define POSITION2 OP(MOV, 2), DST(RASTER_OUT, 0, 15), SRC(INPUT, 0)
#define COLOR OP1(MOV), DST(TEMP, 0, 15), SRC(INPUT, 0)
#define COLOR2 OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 0)

struct row {
    const char *wanted; /* part of the message; NULL: valid */
    uint32_t tokens[24];
};

static const struct row rows[] = {
    {NULL, {VS(1, 1), POSITION, END}},
    {NULL, {VS(1, 1), OP1(MOV), DST(ADDRESS, 0, 1), SRC(INPUT, 1), OP1(DP4), DST(RASTER_OUT, 0, 15), SRC(INPUT, 0),
            SRC(CONST, 5) | RELATIVE, END}},
    {NULL, {VS(2, 0), OP(MOVA, 2), DST(ADDRESS, 0, 15), SRC(INPUT, 1), POSITION2, END}},
    {NULL, {VS(3, 0), OP(DCL, 2), 0x80000000, DST(TEXCOORD_OUT, 0, 15), END}},
    {NULL, {PS(1, 1), OP1(TEX), DST(TEXTURE, 0, 15), OP1(MUL), DST(TEMP, 0, 7), SRC(TEXTURE, 0), SRC(INPUT, 0),
            OP1(MOV) | COISSUE, DST(TEMP, 0, 8), SRC(INPUT, 0), END}},
    {NULL, {PS(1, 4), OP1(TEX), DST(TEMP, 0, 15), SRC(TEXTURE, 0), OP1(MOV), DST(TEMP, 0, 15), SRC(TEMP, 0), SOP_PHASE,
            OP1(TEX), DST(TEMP, 0, 15), SRC(TEMP, 0), END}},
    {NULL, {PS(2, 0), COLOR2, END}},
    {NULL, {PS(3, 0), OP(DCL, 2), 0x80010000, DST(INPUT, 0, 15), COLOR2, END}},
    {NULL, {PS(2, 1), OPC(SETP, 3, 1), DST(PREDICATE, 0, 15), SRC(CONST, 0), SRC(CONST, 0), COLOR2, END}},
    {"register that", {VS(1, 1), OP1(MOV), DST(TEMP, 12, 15), SRC(INPUT, 0), POSITION, END}},
    {"register that", {PS(1, 1), OP1(MOV), DST(TEMP, 0, 15), SRC(CONST, 8), END}},
    {"register that", {PS(3, 0), OP(DCL, 2), 0x80000005, DST(INPUT, 10, 15), COLOR2, END}},
    {"register that", {PS(3, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 224), END}},
    {"constant that", {VS(1, 1), OP1(MOV), DST(RASTER_OUT, 0, 15), SRC(CONST, 96), END}},
    {"constant that", {VS(2, 0), OP(DEF, 5), DST(CONST, 256, 15), 0, 0, 0, 0, POSITION2, END}},
    {"more than one constant", {VS(1, 1), OP1(ADD), DST(TEMP, 0, 15), SRC(CONST, 0), SRC(CONST, 1), POSITION, END}},
    {"more than two constant", {PS(1, 1), OP1(MAD), DST(TEMP, 0, 15), SRC(CONST, 0), SRC(CONST, 1), SRC(CONST, 2), END}},
    {"more than one constant", {PS(2, 0), OP(ADD, 3), DST(TEMP, 0, 15), SRC(CONST, 0), SRC(CONST, 1), COLOR2, END}},
    {"more than one input", {VS(1, 1), OP1(ADD), DST(TEMP, 0, 15), SRC(INPUT, 0), SRC(INPUT, 1), POSITION, END}},
    {"more than one input", {PS(2, 0), OP(ADD, 3), DST(TEMP, 0, 15), SRC(INPUT, 0), SRC(INPUT, 1), COLOR2, END}},
    {"empty", {VS(1, 1), OP1(MOV), DST(TEMP, 0, 0), SRC(INPUT, 0), POSITION, END}},
    {"empty", {PS(2, 0), OP(MOV, 2), DST(TEMP, 0, 0), SRC(CONST, 0), COLOR2, END}},
    {"than its rows", {VS(1, 1), OP1(M4X4), DST(TEMP, 0, 7), SRC(INPUT, 0), SRC(CONST, 0), POSITION, END}},
    {"than its rows", {PS(2, 0), OP(M3X2, 3), DST(TEMP, 0, 7), SRC(TEMP, 0), SRC(CONST, 0), COLOR2, END}},
    {"frc", {VS(1, 1), OP1(FRC), DST(TEMP, 0, 15), SRC(INPUT, 0), POSITION, END}},
    {"rgba, rgb or a", {PS(1, 1), OP1(MOV), DST(TEMP, 0, 3), SRC(INPUT, 0), END}},
    {"_sat", {VS(2, 0), OP(MOV, 2), DST(TEMP, 0, 15) | SATURATED, SRC(INPUT, 0), POSITION2, END}},
    {"shifts are for", {VS(1, 1), OP1(MOV), DST(TEMP, 0, 15) | SHIFT(1), SRC(INPUT, 0), POSITION, END}},
    {"shifts are for", {PS(2, 0), OP(MOV, 2), DST(TEMP, 0, 15) | SHIFT(1), SRC(CONST, 0), COLOR2, END}},
    {"_x2, _x4", {PS(1, 1), OP1(MOV), DST(TEMP, 0, 15) | SHIFT(3), SRC(INPUT, 0), END}},
    {"beyond", {PS(1, 4), OP1(MOV), DST(TEMP, 0, 15) | SHIFT(4), SRC(INPUT, 0), END}},
    {"result of a texture", {PS(1, 1), OP1(TEX), DST(TEXTURE, 0, 15) | SATURATED, COLOR, END}},
    {"behind arithmetic", {PS(1, 1), COLOR, OP1(TEX), DST(TEXTURE, 0, 15), END}},
    {"of its phase", {PS(1, 4), COLOR, OP1(TEX), DST(TEMP, 1, 15), SRC(TEXTURE, 0), END}},
    {"a pair", {PS(1, 1), COLOR, OP1(MOV) | COISSUE, DST(TEMP, 0, 8), SRC(INPUT, 0), END}},
    {"second phase", {PS(1, 4), COLOR, SOP_PHASE, COLOR, SOP_PHASE, COLOR, END}},
    {"by mov alone", {VS(1, 1), OP1(ADD), DST(ADDRESS, 0, 1), SRC(INPUT, 0), SRC(INPUT, 0), POSITION, END}},
    {"by mova", {VS(2, 0), OP(MOV, 2), DST(ADDRESS, 0, 1), SRC(INPUT, 0), POSITION2, END}},
    {"single component", {VS(2, 0), OP(RCP, 2), DST(TEMP, 0, 15), SRC(INPUT, 0), POSITION2, END}},
    {"single component", {PS(2, 0), OP(RCP, 2), DST(TEMP, 0, 15), SRC(CONST, 0), COLOR2, END}},
    {"p0 is read", {VS(2, 1), OP(MOV, 3) | PREDICATED, DST(TEMP, 0, 15), SRC(PREDICATE, 0), SRC(INPUT, 0), POSITION2, END}},
    {"p0 is read", {PS(2, 1), OP(IF, 1), SRC(PREDICATE, 0), OP(ENDIF, 0), COLOR2, END}},
    {"input usage", {PS(3, 0), OP(DCL, 2), 0x80000000, DST(INPUT, 0, 15), COLOR2, END}},
    {"by mov of all", {PS(2, 0), OP(ADD, 3), DST(COLOR_OUT, 0, 15), SRC(CONST, 0), SRC(CONST, 0), END}},
    {"position", {VS(1, 1), OP1(MOV), DST(ATTRIBUTE_OUT, 0, 15), SRC(INPUT, 0), END}},
    {"position", {VS(3, 0), OP(DCL, 2), 0x80000005, DST(TEXCOORD_OUT, 0, 15), END}},
    {"first colour", {PS(1, 1), OP1(MOV), DST(TEMP, 1, 15), SRC(INPUT, 0), END}},
    {"first colour", {PS(2, 0), OP(MOV, 2), DST(TEMP, 1, 15), SRC(CONST, 0), END}},
    {"no instruction of", {PS(2, 0), OP(DEFI, 5), DST(INTEGER, 0, 15), 1, 1, 1, 0, COLOR2, END}},
};

static void test_rules(void **state)
{
    const struct shader_limits limits = {0};

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct shader_error error = {0};
        bool valid = shader_validate(rows[i].tokens, 24, &limits, &error);

        if (valid != !rows[i].wanted || (!valid && !strstr(error.text, rows[i].wanted)))
            fail_msg("row %u: %s", i, valid ? "accepted" : error.text);
    }
}

/* As many instructions of one kind as fit, and one more. */
static void test_slots(void **state)
{
    static const struct {
        uint32_t version, instruction[3];
        unsigned length, fit;
    } kinds[] = {
        {VS(1, 1), {OP1(MOV), DST(RASTER_OUT, 0, 15), SRC(INPUT, 0)}, 3, 128},
        {VS(1, 1), {OP1(EXP), DST(RASTER_OUT, 0, 15), SRC(INPUT, 0)}, 3, 12},
        {PS(1, 1), {OP1(MOV), DST(TEMP, 0, 15), SRC(INPUT, 0)}, 3, 8},
        {PS(2, 0), {OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 0)}, 3, 64},
        {PS(3, 0), {OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 0)}, 3, 512},
    };
    const struct shader_limits limits = {0};
    uint32_t tokens[2048];

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++)
        for (unsigned extra = 0; extra < 2; extra++) {
            unsigned count = 1;

            tokens[0] = kinds[i].version;
            for (unsigned k = 0; k < kinds[i].fit + extra; k++, count += kinds[i].length)
                memcpy(tokens + count, kinds[i].instruction, kinds[i].length * 4);
            tokens[count++] = END;
            assert_int_equal(shader_validate(tokens, count, &limits, NULL), !extra);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_slots)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
