/* SPDX-License-Identifier: MIT */
/*
 * The results of shader instructions compared with values from docs/reference/shader-code.md, and the shaders that the
 * compiler rejects. Each row is a shader small enough to read.
 */
#include "tests/unit/shader_run.h"

#define MAX 3.4028234663852886e38f

/* --- arithmetic ----------------------------------------------------------------------------------- */

static void test_scalar_functions(void **state)
{
    static const struct {
        uint32_t op;
        float in, out;
    } rows[] = {
        {SOP_RCP, 2, 0.5f},    {SOP_RCP, 1, 1},
        {SOP_RCP, 0, MAX},     {SOP_RCP, -0.0f, MAX},
        {SOP_RSQ, 4, 0.5f},    {SOP_RSQ, -4, 0.5f},
        {SOP_RSQ, 1, 1},       {SOP_RSQ, 0, MAX},
        {SOP_EXP, 3, 8},       {SOP_EXP, 0.5f, 1.41421356f},
        {SOP_EXP, -1, 0.5f},   {SOP_EXP, 200, MAX},
        {SOP_EXP, -200, 0},    {SOP_LOG, 8, 3},
        {SOP_LOG, -8, 3},      {SOP_LOG, 0, -MAX},
        {SOP_LOG, 1, 0},       {SOP_LOG, 3, 1.5849625f},
        {SOP_LOGP, 0.25f, -2}, {SOP_LOG, 1e-40f, -132.877121f},
    };
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        set_vertex(0, 99, 99, 99, rows[i].in); /* without a swizzle, w counts */
        RUN_VS(VS(1, 1), rows[i].op, OT0, SRC(INPUT, 0), END);
        output_is(TO, rows[i].out, rows[i].out, rows[i].out, rows[i].out);
    }
}

static void test_functions_are_precise(void **state)
{
    (void)state;
    for (int i = -4000; i < 4000; i++) {
        float v = (float)i / 100.0f, sine, cosine;
        double e = exp2((double)v), p = v * v + 1e-3;

        assert_true(fabs((double)lane_exp2(v) - e) <= e * 3e-7);
        assert_true(fabs((double)lane_log2((float)p) - log2((double)(float)p)) <= 1e-6);
        lane_sincos(v, &sine, &cosine);
        assert_true(fabs((double)sine - sin((double)v)) < 3e-7 && fabs((double)cosine - cos((double)v)) < 3e-7);
        assert_true(lane_floor(v) == floorf(v));
    }
}

static void test_vector_functions(void **state)
{
    (void)state;
    set_vertex(0, 1, 2, -3, 0.5f);
    set_vertex(1, 4, -5, 6, 2);
    set_constant(0, 1, 0, 0, 0);
    set_constant(1, 0, 2, 0, 0);
    set_constant(2, 0, 0, 3, 1);
    set_constant(3, 0, 0, 0, 4);
    RUN_VS(VS(1, 1), OP1(DP3), OT0, SRC(INPUT, 0), SRC(INPUT, 1), END);
    output_is(TO, -24, -24, -24, -24);
    RUN_VS(VS(1, 1), OP1(DP4), OT0, SRC(INPUT, 0), SRC(INPUT, 1), END);
    output_is(TO, -23, -23, -23, -23);
    RUN_VS(VS(1, 1), OP1(M4X4), OT0, SRC(INPUT, 0), SRC(CONST, 0), END);
    output_is(TO, 1, 4, -8.5f, 2);
    RUN_VS(VS(1, 1), OP1(MOV), DST(TEMP, 0, 15), SRC(INPUT, 0), OP1(M4X4), DST(TEMP, 0, 15), SRC(TEMP, 0),
           SRC(CONST, 0), OP1(MOV), OT0, SRC(TEMP, 0), END); /* in place */
    output_is(TO, 1, 4, -8.5f, 2);
    RUN_VS(VS(1, 1), OP1(DST), OT0, SRC(INPUT, 0), SRC(INPUT, 1), END);
    output_is(TO, 1, -10, -3, 2);
    RUN_VS(VS(1, 1), OP1(FRC), DST(TEXCOORD_OUT, 0, 2), SWZ(INPUT, 0, 3, 3, 3, 3), END);
    output_is(TO, 0, 0.5f, 0, 1); /* unwritten components: 0, w 1 */
    RUN_VS(VS(2, 0), OP(CRS, 3), DST(TEXCOORD_OUT, 0, 7), SRC(INPUT, 0), SRC(INPUT, 1), END);
    output_is(TO, -3, -18, -13, 1);
    RUN_VS(VS(2, 0), OP(NRM, 2), OT0, SRC(CONST, 3), END); /* length 0: stays 0, w scaled by FLT_MAX is infinite */
    is_near(vertices.output[TO][0][0], 0);
    RUN_VS(VS(2, 0), OP(POW, 3), OT0, SWZ(INPUT, 1, 0, 0, 0, 0), SWZ(INPUT, 0, 3, 3, 3, 3), END);
    output_is(TO, 2, 2, 2, 2);
    RUN_VS(VS(2, 0), OP(SGN, 4), OT0, SRC(INPUT, 0), SRC(TEMP, 0), SRC(TEMP, 1), END);
    output_is(TO, 1, 1, -1, 1);
    RUN_VS(VS(3, 0), OP(DCL, 2), 0x80000000, DST(TEXCOORD_OUT, 5, 15), OP(SINCOS, 2), DST(TEXCOORD_OUT, 5, 3),
           SWZ(INPUT, 0, 0, 0, 0, 0), END);
    output_is(5, 0.540302306f, 0.841470985f, 0, 0);
}

static void test_lit(void **state)
{
    (void)state;
    set_vertex(0, 0.5f, 0.5f, 9, 2);
    RUN_VS(VS(1, 1), OP1(LIT), OT0, SRC(INPUT, 0), END);
    output_is(TO, 1, 0.5f, 0.25f, 1);
    set_vertex(0, -1, 0.5f, 9, 2);
    RUN_VS(VS(1, 1), OP1(LIT), OT0, SRC(INPUT, 0), END);
    output_is(TO, 1, 0, 0, 1);
    set_vertex(0, lane_from_bits(0x7fc00000), lane_from_bits(0x7fc00000), 9, lane_from_bits(0x7fc00000));
    RUN_VS(VS(1, 1), OP1(LIT), OT0, SRC(INPUT, 0), END);
    output_is(TO, 1, 0, 0, 1);
}

/* 0 times infinity or NaN is 0. */
static void test_zero_wins(void **state)
{
    (void)state;
    set_vertex(0, 0, 1, 0, 2);
    set_vertex(1, lane_from_bits(0x7f800000), 1, lane_from_bits(0x7fc00000), 3);
    RUN_VS(VS(1, 1), OP1(MUL), OT0, SRC(INPUT, 0), SRC(INPUT, 1), END);
    output_is(TO, 0, 1, 0, 6);
    RUN_VS(VS(1, 1), OP1(DP4), OT0, SRC(INPUT, 0), SRC(INPUT, 1), END);
    output_is(TO, 7, 7, 7, 7);
}

static void test_addressing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        set_constant(i, (float)i, (float)i * 10, 0, 0);
    set_vertex(0, 1.9f, -1.1f, 0, 0);
    RUN_VS(VS(1, 1), OP1(MOV), DST(ADDRESS, 0, 1), SRC(INPUT, 0), OP1(MOV), OT0, SRC(CONST, 2) | RELATIVE, END);
    output_is(TO, 3, 30, 0, 0); /* vs_1_1 rounds down */
    RUN_VS(VS(2, 0), OP(MOVA, 2), DST(ADDRESS, 0, 3), SRC(INPUT, 0), OP(MOV, 3), OT0, SRC(CONST, 2) | RELATIVE,
           SWZ(ADDRESS, 0, 0, 0, 0, 0), END);
    output_is(TO, 4, 40, 0, 0); /* vs_2_0 to the nearest */
    RUN_VS(VS(2, 0), OP(MOVA, 2), DST(ADDRESS, 0, 3), SRC(INPUT, 0), OP(MOV, 3), OT0, SRC(CONST, 0) | RELATIVE,
           SWZ(ADDRESS, 0, 1, 1, 1, 1), END);
    output_is(TO, 0, 0, 0, 0); /* outside */
    /* def is visible through an index too, and does not outlive its shader */
    RUN_VS(VS(1, 1), OP1(DEF), DST(CONST, 3, 15), F(7), F(8), F(9), F(1), OP1(MOV), DST(ADDRESS, 0, 1), SRC(INPUT, 0),
           OP1(MOV), OT0, SRC(CONST, 2) | RELATIVE, END);
    output_is(TO, 7, 8, 9, 1);
    is_near(floats[3][0], 3);
}

static void test_vertex_outputs(void **state)
{
    (void)state;
    set_vertex(0, 1, 2, 3, 4);
    RUN_VS(VS(1, 1), OP1(MOV), DST(RASTER_OUT, 1, 8), SRC(INPUT, 0), OP1(MOV), DST(ATTRIBUTE_OUT, 0, 1), SRC(INPUT, 0),
           OP1(MOV), DST(ATTRIBUTE_OUT, 1, 1), SRC(INPUT, 0), END);
    is_near(vertices.output[1][0][0], 4); /* oFog is one value */
    output_is(3, 1, 1, 1, 1);
    output_is(4, 1, 0, 0, 0);
}

/* --- flow ------------------------------------------------------------------------------------------- */

static void test_loops(void **state)
{
    const uint32_t loop[] = {VS(2, 0),
                             OP(MOV, 2),
                             DST(TEMP, 0, 15),
                             SRC(CONST, 31),
                             OP(LOOP, 2),
                             SRC(LOOP, 0),
                             SRC(INTEGER, 0),
                             OP(ADD, 4),
                             DST(TEMP, 0, 15),
                             SRC(TEMP, 0),
                             SRC(CONST, 1) | RELATIVE,
                             SWZ(LOOP, 0, 0, 0, 0, 0),
                             OP(ENDLOOP, 0),
                             OP(MOV, 2),
                             OT0,
                             SRC(TEMP, 0),
                             END};
    (void)state;
    for (unsigned i = 0; i < 32; i++)
        set_constant(i, (float)i, 0, 0, 0);
    set_constant(31, 0, 0, 0, 0);
    memcpy(integers[0], (int32_t[4]){3, 2, 4, 0}, 16); /* c3 + c7 + c11 */
    run_vertices(loop, ARRAY_COUNT(loop));
    output_is(TO, 21, 0, 0, 0);
    integers[0][0] = 0;
    run_vertices(loop, ARRAY_COUNT(loop));
    output_is(TO, 0, 0, 0, 0);
}

/* Each lane leaves a loop in its own round. */
static void test_break_by_lane(void **state)
{
    (void)state;
    for (unsigned l = 0; l < 64; l++)
        vertices.input[0][0][l] = (float)l;
    set_constant(0, 1, 0, 0, 0);
    memcpy(integers[0], (int32_t[4]){10, 0, 0, 0}, 16);
    RUN_VS(VS(2, 1), OP(MOV, 2), DST(TEMP, 0, 15), SWZ(CONST, 0, 1, 1, 1, 1), OP(REP, 1), SRC(INTEGER, 0),
           OPC(BREAKC, 2, 3), SWZ(TEMP, 0, 0, 0, 0, 0), SWZ(INPUT, 0, 0, 0, 0, 0), OP(ADD, 3), DST(TEMP, 0, 1),
           SRC(TEMP, 0), SRC(CONST, 0), OP(ENDREP, 0), OP(MOV, 2), OT0, SRC(TEMP, 0), END);
    for (unsigned l = 0; l < 4; l++)
        is_near(vertices.output[TO][0][l], (float)l);
}

static void test_conditions(void **state)
{
    (void)state;
    for (unsigned l = 0; l < 64; l++)
        vertices.input[0][0][l] = (float)l;
    set_constant(0, 1, 2, 3, 4);
    RUN_VS(VS(2, 1), OPC(IFC, 2, 4), SWZ(INPUT, 0, 0, 0, 0, 0), SWZ(CONST, 0, 1, 1, 1, 1), OP(MOV, 2), DST(TEMP, 0, 15),
           SWZ(CONST, 0, 2, 2, 2, 2), OP(ELSE, 0), OP(MOV, 2), DST(TEMP, 0, 15), SWZ(CONST, 0, 3, 3, 3, 3),
           OP(ENDIF, 0), OP(MOV, 2), OT0, SRC(TEMP, 0), END);
    is_near(vertices.output[TO][0][1], 3);
    is_near(vertices.output[TO][0][2], 4);
    booleans[1] = 1;
    RUN_VS(VS(2, 0), OP(MOV, 2), OT0, SRC(CONST, 0), OP(IF, 1), SRC(BOOLEAN, 1), OP(MOV, 2), OT0,
           SWZ(CONST, 0, 3, 2, 1, 0), OP(ENDIF, 0), END);
    output_is(TO, 4, 3, 2, 1);
    /* predicate: components of p0, swizzled and negated */
    RUN_VS(VS(2, 1), OPC(SETP, 3, 1), DST(PREDICATE, 0, 15), SRC(CONST, 0), SWZ(CONST, 0, 1, 1, 1, 1), OP(MOV, 2), OT0,
           SWZ(CONST, 0, 0, 0, 0, 0), OP(MOV, 3) | PREDICATED, OT0, MODIFIED(SRC(PREDICATE, 0), NOT),
           SWZ(CONST, 0, 3, 3, 3, 3), END);
    output_is(TO, 4, 4, 1, 1);
}

static void test_subroutines(void **state)
{
    (void)state;
    set_constant(0, 1, 2, 3, 4);
    booleans[0] = 0;
    RUN_VS(VS(2, 0), OP(MOV, 2), DST(TEMP, 0, 15), SRC(CONST, 0), OP(CALL, 1), SRC(LABEL, 0), OP(CALLNZ, 2),
           SRC(LABEL, 0), SRC(BOOLEAN, 0), OP(CALL, 1), SRC(LABEL, 0), OP(MOV, 2), OT0, SRC(TEMP, 0), OP(RET, 0),
           OP(LABEL, 1), SRC(LABEL, 0), OP(ADD, 3), DST(TEMP, 0, 15), SRC(TEMP, 0), SRC(TEMP, 0), OP(RET, 0), END);
    output_is(TO, 4, 8, 12, 16);
}

/* --- pixels ------------------------------------------------------------------------------------------- */

static void test_ps1_modifiers(void **state)
{
    static const struct {
        uint32_t modifier;
        float out;
    } rows[] = {{SMOD_NONE, 0.75f},         {SMOD_NEGATE, -0.75f}, {SMOD_BIAS, 0.25f},
                {SMOD_NEGATE_BIAS, -0.25f}, {SMOD_BX2, 0.5f},      {SMOD_NEGATE_BX2, -0.5f},
                {SMOD_COMPLEMENT, 0.25f},   {SMOD_X2, 1.5f},       {SMOD_NEGATE_X2, -1.5f}};
    (void)state;
    set_pixel(0, 0.75f, 0.75f, 0.75f, 0.75f);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        RUN_PS(PS(1, 4), OP1(MOV), DST(TEMP, 0, 15), SRC(INPUT, 0) | rows[i].modifier << 24, END);
        color_is(rows[i].out, rows[i].out, rows[i].out, rows[i].out);
    }
    RUN_PS(PS(1, 1), OP1(ADD), DST(TEMP, 0, 15) | SHIFT(2), SRC(INPUT, 0), SRC(INPUT, 0), END);
    color_is(6, 6, 6, 6);
    RUN_PS(PS(1, 1), OP1(ADD), DST(TEMP, 0, 15) | SHIFT(-1) | SATURATED, SRC(INPUT, 0), SRC(INPUT, 0), END);
    color_is(0.75f, 0.75f, 0.75f, 0.75f);
    set_constant(0, 3, -3, 0.5f, 1); /* constants lie in -1..1 before the modifier */
    RUN_PS(PS(1, 1), OP1(MOV), DST(TEMP, 0, 15), MODIFIED(SRC(CONST, 0), NEGATE), END);
    color_is(-1, 1, -0.5f, -1);
    RUN_PS(PS(2, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 0), END);
    color_is(3, -3, 0.5f, 1);
}

static void test_cnd_and_cmp(void **state)
{
    (void)state;
    set_constant(0, 0.5f, 0.6f, 0.4f, 0.6f);
    set_constant(1, 0.1f, 0.1f, 0.1f, 0.1f);
    set_constant(2, 0.2f, 0.2f, 0.2f, 0.2f);
    RUN_PS(PS(1, 4), OP1(CND), DST(TEMP, 0, 15), SRC(CONST, 0), SRC(CONST, 1), SRC(CONST, 2), END);
    color_is(0.2f, 0.1f, 0.2f, 0.1f);
    set_constant(0, -0.5f, 0, 0.4f, -0.0f);
    RUN_PS(PS(1, 2), OP1(CMP), DST(TEMP, 0, 15), SRC(CONST, 0), SRC(CONST, 1), SRC(CONST, 2), END);
    color_is(0.2f, 0.1f, 0.1f, 0.1f);
}

/* Both halves of a pair read the earlier contents. */
static void test_coissue(void **state)
{
    (void)state;
    set_pixel(0, 0.25f, 0.25f, 0.25f, 0.75f);
    RUN_PS(PS(1, 1), OP1(MOV), DST(TEMP, 0, 15), SRC(INPUT, 0), OP1(MOV), DST(TEMP, 0, 7), SWZ(TEMP, 0, 3, 3, 3, 3),
           OP1(MOV) | COISSUE, DST(TEMP, 0, 8), SWZ(TEMP, 0, 2, 2, 2, 2), END);
    color_is(0.75f, 0.75f, 0.75f, 0.25f);
}

static void test_textures(void **state)
{
    (void)state;
    set_pixel(0, 0.75f, 0.25f, 0, 1);
    RUN_PS(PS(1, 1), OP1(TEX), DST(TEXTURE, 0, 15), OP1(MOV), DST(TEMP, 0, 15), SRC(TEXTURE, 0), END);
    color_is(1, 0, 0, 1);
    RUN_PS(PS(2, 0), OP(DCL, 2), 0x90000000, DST(SAMPLER, 0, 15), OP(DCL, 2), 0x80000000, DST(TEXTURE, 0, 15),
           OP(TEX, 3), DST(TEMP, 0, 15), SRC(TEXTURE, 0), SRC(SAMPLER, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 15),
           SRC(TEMP, 0), END);
    color_is(1, 0, 0, 1);
    set_pixel(0, 0.5f, 1.5f, 0, 2);
    RUN_PS(PS(2, 0), OPC(TEX, 3, 1), DST(TEMP, 0, 15), SRC(TEXTURE, 0), SRC(SAMPLER, 0), OP(MOV, 2),
           DST(COLOR_OUT, 0, 15), SRC(TEMP, 0), END); /* texldp: (0.25, 0.75) */
    color_is(0, 1, 0, 1);
    RUN_PS(PS(1, 4), OP1(TEX), DST(TEMP, 0, 15), MODIFIED(SWZ(TEXTURE, 0, 0, 1, 3, 3), DW), END);
    color_is(0, 1, 0, 1);
    RUN_PS(PS(3, 0), OP(DCL, 2), 0x80000005, DST(INPUT, 0, 15), OP(TEXLDL, 3), DST(COLOR_OUT, 0, 15), SRC(INPUT, 0),
           SWZ(SAMPLER, 0, 3, 2, 1, 0), END); /* texel at (0.5, 1.5): green, swizzled */
    assert_true(pixels.color[0][0][1] == 1.0f);
}

static void test_texkill_and_depth(void **state)
{
    (void)state;
    set_pixel(0, 1, 1, 1, -1);
    RUN_PS(PS(1, 1), OP1(TEXKILL), DST(TEXTURE, 0, 15), END); /* w does not count */
    assert_int_equal(pixels.covered, 0xffff);
    RUN_PS(PS(2, 0), OP(TEXKILL, 1), DST(TEXTURE, 0, 15), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(TEXTURE, 0), END);
    assert_int_equal(pixels.covered, 0);
    RUN_PS(PS(2, 0), OP(TEXKILL, 1), DST(TEXTURE, 0, 7), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(TEXTURE, 0), END);
    assert_int_equal(pixels.covered, 0xffff);
    set_constant(0, 2, 0.5f, 0, 0);
    RUN_PS(PS(2, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 0), OP(MOV, 2), DST(DEPTH_OUT, 0, 15),
           SWZ(CONST, 0, 1, 1, 1, 1), END);
    is_near(pixels.z[0], 0.5f);
    RUN_PS(PS(2, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 0), OP(MOV, 2), DST(DEPTH_OUT, 0, 15), SRC(CONST, 0),
           END);
    is_near(pixels.z[0], 1);
}

static void test_derivatives(void **state)
{
    (void)state;
    for (unsigned l = 0; l < 64; l++) {
        pixels.input[0][0][l] = (float)(l & 1) * 3 + (float)(l >> 1 & 1) * 5;
        pixels.input[0][1][l] = 7;
    }
    RUN_PS(PS(3, 0), OP(DCL, 2), 0x80000005, DST(INPUT, 0, 15), OP(DSX, 2), DST(COLOR_OUT, 0, 3), SRC(INPUT, 0),
           OP(DSY, 2), DST(COLOR_OUT, 0, 12), SWZ(INPUT, 0, 0, 0, 0, 1), END);
    color_is(3, 0, 5, 0);
}

static void test_position_and_face(void **state)
{
    (void)state;
    pixels.x[1] = 12;
    pixels.y[1] = 34;
    pixels.front_facing[0] = 0;
    RUN_PS(PS(3, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 3), SRC(MISC, 0), OP(MOV, 2), DST(COLOR_OUT, 0, 12),
           SWZ(MISC, 1, 0, 0, 0, 0), END);
    color_is(12, 34, -1, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar_functions), cmocka_unit_test(test_functions_are_precise),
        cmocka_unit_test(test_vector_functions), cmocka_unit_test(test_lit),
        cmocka_unit_test(test_zero_wins),        cmocka_unit_test(test_addressing),
        cmocka_unit_test(test_vertex_outputs),   cmocka_unit_test(test_loops),
        cmocka_unit_test(test_break_by_lane),    cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_subroutines),      cmocka_unit_test(test_ps1_modifiers),
        cmocka_unit_test(test_cnd_and_cmp),      cmocka_unit_test(test_coissue),
        cmocka_unit_test(test_textures),         cmocka_unit_test(test_texkill_and_depth),
        cmocka_unit_test(test_derivatives),      cmocka_unit_test(test_position_and_face),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
