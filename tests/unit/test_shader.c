/* SPDX-License-Identifier: MIT */
/*
 * What shader instructions compute, against values written down from docs/reference/shader-code.md, and what the compiler
 * rejects. Each row is a shader small enough to read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shader/run/lane_math.h"
#include "tests/unit/shader_tools.h"

#define MAX 3.4028234663852886e38f

static _Alignas(64) char memory[65536];
static struct shader_vertex_batch vertices;
static struct raster_batch pixels;
static float floats[32][4];
static int32_t integers[16][4];
static uint32_t booleans[16];
static const uint32_t texels[4] = {0xff000000, 0xffff0000, 0xff00ff00, 0xff0000ff}; /* 2x2 */
static const struct raster_texture texture = {
    .kind = RASTER_TEXTURE_2D, .level_count = 1, .level = {{texels, 2, 2, 1, 2, 4}}};

static struct shader_program *compile(const uint32_t *tokens, size_t count)
{
    struct shader_error error = {0};
    struct shader_program *p = shader_compile(tokens, count, &error);

    if (!p)
        fail_msg("DWORD %u: %s", (unsigned)error.offset, error.text);
    return p;
}

static struct shader_binding *bind(const struct shader_program *program)
{
    const struct shader_constants constants = {
        (const float(*)[4])floats, 32, (const int32_t(*)[4])integers, 16, booleans, 16};
    struct shader_binding *b = shader_bind(memory, program, &constants);

    b->sample = raster_sample_lod_kernel(cpu_level_detected());
    for (unsigned s = 0; s < shader_sampler_count(program); s++) {
        b->sampler[s].texture = &texture;
        b->sampler[s].mag_filter = b->sampler[s].min_filter = RASTER_FILTER_POINT;
    }
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = (uint8_t)k;
    return b;
}

static void run_vertices(const uint32_t *tokens, size_t count)
{
    struct shader_program *p = compile(tokens, count);

    vertices.count = 4;
    shader_vertex_executor(cpu_level_detected())(bind(p), &vertices);
    shader_destroy(p);
}

static void run_pixels(const uint32_t *tokens, size_t count)
{
    struct shader_program *p = compile(tokens, count);

    pixels.group_count = 1;
    pixels.covered = 0xffff;
    shader_pixel_executor(cpu_level_detected())(bind(p), &pixels);
    shader_destroy(p);
}

static void set_vertex(unsigned v, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < 64; l++)
            vertices.input[v][c][l] = value[c];
}

static void set_pixel(unsigned input, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < 64; l++)
            pixels.input[input][c][l] = value[c];
}

static void set_constant(unsigned i, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    memcpy(floats[i], value, sizeof(value));
}

static void is_near(float got, float wanted)
{
    float allowed = fabsf(wanted) * 1e-6f + 1e-6f;

    if (!(got == wanted || fabsf(got - wanted) <= allowed))
        fail_msg("%.9g instead of %.9g", (double)got, (double)wanted);
}

static void output_is(unsigned o, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    for (unsigned c = 0; c < 4; c++)
        is_near(vertices.output[o][c][1], value[c]);
}

static void color_is(float r, float g, float b, float a)
{
    const float value[4] = {r, g, b, a};

    for (unsigned c = 0; c < 4; c++)
        is_near(pixels.color[0][c][1], value[c]);
}

#define RUN_VS(...) run_vertices((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define RUN_PS(...) run_pixels((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define OT0         DST(TEXCOORD_OUT, 0, 15)
#define TO          5 /* oT0 */

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
        set_vertex(0, 99, 99, 99, rows[i].in); /* w is what counts without a swizzle */
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
    output_is(TO, 0, 0.5f, 0, 1); /* what is not written: 0, w 1 */
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
    /* def is seen through an index too, and does not outlive its shader */
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

static struct shader_cost cost_of(const char *text)
{
    uint32_t tokens[256];
    struct shader_program *p = compile(tokens, shader_assemble(text, tokens, 256, NULL));
    const struct shader_cost cost = shader_binding_cost(bind(p));

    shader_destroy(p);
    return cost;
}

/* What a draw is charged: loops as often as they run. */
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

/* Some instructions cost more than others, also where only a part of them is reached. */
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

/* 255^4 rounds are more than any model executes: it ends. */
static void test_endless(void **state)
{
    (void)state;
    memcpy(integers[0], (int32_t[4]){1 << 30, 0, 0, 0}, 16);
    RUN_VS(VS(2, 1), OP(REP, 1), SRC(INTEGER, 0), OP(REP, 1), SRC(INTEGER, 0), OP(REP, 1), SRC(INTEGER, 0), OP(REP, 1),
           SRC(INTEGER, 0), OP(NOP, 0), OP(ADD, 3), OT0, SRC(CONST, 0), SRC(CONST, 0), OP(ENDREP, 0), OP(ENDREP, 0),
           OP(ENDREP, 0), OP(ENDREP, 0), END);
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

/* Both halves of a pair read what was there before. */
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

/* --- what is rejected, and what is said ------------------------------------------------------------------ */

static void test_rejected(void **state)
{
    static const struct {
        uint32_t tokens[12];
        unsigned count, offset;
    } rows[] = {
        {{0x12345678, END}, 2, 0},
        {{VS(4, 0), END}, 2, 0},
        {{VS(1, 1)}, 1, 1},                                     /* no end */
        {{VS(1, 1), 0x1234, END}, 3, 1},                        /* no such opcode */
        {{VS(1, 1), OP1(TEX), DST(TEXTURE, 0, 15), END}, 4, 1}, /* of the other stage */
        {{VS(1, 1), OP1(MOV), DST(TEMP, 32, 15), SRC(INPUT, 0), END}, 5, 1},
        {{VS(1, 1), OP1(MOV), DST(TEMP, 0, 15), SRC(INPUT, 16), END}, 5, 1},
        {{PS(1, 4), OP1(TEX), DST(TEMP, 8, 15), SRC(TEXTURE, 0), END}, 5, 1}, /* no such stage */
        {{PS(1, 1), OP1(MOV), DST(TEMP, 0, 15), SRC(CONST, 8), END}, 5, 1},
        {{PS(2, 0), OP(MOV, 2), DST(TEMP, 0, 15), SRC(CONST, 0) | RELATIVE, END}, 5, 1}, /* its index is missing */
        {{PS(2, 0), OP(MOV, 5), DST(TEMP, 0, 15), SRC(CONST, 0), END}, 5, 1},            /* cut */
        {{PS(2, 0), OP(IF, 1), SRC(BOOLEAN, 0), OP(ENDIF, 0), END}, 5, 1},
        {{VS(2, 0), OP(ENDIF, 0), END}, 3, 1},
        {{VS(2, 0), OP(IF, 1), SRC(BOOLEAN, 0), END}, 4, 3},                              /* not closed */
        {{VS(2, 0), OP(CALL, 1), SRC(LABEL, 3), END}, 4, 3},                              /* no label */
        {{VS(2, 0), OP(LABEL, 1), SRC(LABEL, 3), OP(CALL, 1), SRC(LABEL, 3), END}, 6, 3}, /* backwards */
        {{VS(2, 1), OP(BREAK, 0), END}, 3, 1},
        {{PS(2, 0), OP(MOV, 2), DST(COLOR_OUT, 4, 15), SRC(CONST, 0), END}, 5, 1},
        {{PS(3, 0), OP(MOV, 2), DST(INPUT, 0, 15), SRC(CONST, 0), END}, 5, 1},
        {{PS(1, 1), SOP_PHASE, END}, 3, 1},
        {{PS(2, 0), OP(DEFI, 5), DST(INTEGER, 0, 15), 1, 1, 1, 1, END}, 8, 1},
    };
    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        struct shader_error error = {0};
        struct shader_program *p = shader_compile(rows[i].tokens, rows[i].count, &error);

        if (p)
            fail_msg("row %u compiles", i);
        assert_true(error.text[0] != 0);
        if (error.offset != rows[i].offset)
            fail_msg("row %u: DWORD %u: %s", i, (unsigned)error.offset, error.text);
    }
}

/* --- how deep flow may be nested --------------------------------------------------------------------------- */

struct nesting {
    unsigned constant, dynamic, loops, calls;
};

static void repeat(char *text, const char *line, unsigned times)
{
    for (size_t at = strlen(text); times--; at = strlen(text))
        strcpy(text + at, line);
}

/* In each subroutine all blocks are open around the call of the next one; the last adds 1 to oPos.x. */
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

/* What every model allows together runs, on frames of the machine that are just enough. */
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

/* The batch stops at the same instruction on every level, also among those that are one step. */
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

static void test_text(void **state)
{
    const uint32_t code[] = {VS(2, 0),       OP(DCL, 2), 0x80010005, DST(INPUT, 1, 15), 0x0200001b, 0xf0e40800,
                             0xf0e40000,     0x04000002, 0x800f0000, 0x80e40000,        0xa0e42001, 0xf0e40800,
                             OP(ENDLOOP, 0), END};
    char text[512];

    (void)state;
    assert_int_equal(shader_bytecode_length(code, 100), ARRAY_COUNT(code));
    assert_int_equal(shader_bytecode_length(code, 5), 0);
    shader_disassemble(code, ARRAY_COUNT(code), text, sizeof(text));
    assert_string_equal(text, "vs_2_0\n    dcl_texcoord1 v1\n    loop aL, i0\n    add r0, r0, c[aL+1]\n    endloop\n");
}

/* Text comes back as the tokens it was made of. */
static void test_text_comes_back(void **state)
{
    static const char *const texts[] = {
        "vs_1_1\n    dcl_position0 v0\n    def c7, 0.100000001, -2, 4.5, 0\n    mov a0.x, v0.x\n"
        "    dp4 oPos.xy, -v0.yxzw, c[a0.x+3]\n    exp oT3.w, r0.y\n    mov oFog, c0.x\n",
        "ps_1_1\n    tex t0\n    texbem t1, t0\n    mul_x2_sat r0.xyz, t0_bx2, 1-v0\n  + mad_d2 r0.w, -t1_bias, c0, "
        "v1\n",
        "ps_1_4\n    texcrd r0.xyz, t0_dw.xyw\n    phase\n    texld r1, r0_dz.xyz\n    cnd r0, r1.x, c0, v0\n",
        "ps_2_x\n    dcl_centroid t1.xy\n    dcl_pp v0\n    dcl_cube s3\n    defi i2, 1, -2, 3, 0\n    defb b1, true\n"
        "    setp_ne p0.x, r0, c1\n    (!p0.x) mov_pp r1, v0.wzyx\n    texldp r2, t1, s3\n    texldd r2, r1, s3, r0, "
        "r1\n"
        "    rep i2\n    break_gt r0.x, r1.y\n    breakp p0.x\n    endrep\n    if !b1\n    else\n    endif\n    call "
        "l3\n"
        "    callnz l3, !b1\n    ret\n    label l3\n    texkill r0.xyz\n    mov oDepth, r0.x\n    ret\n",
        "vs_3_sw\n    dcl_texcoord12 o3.zw\n    dcl_volume s1\n    loop aL, i0\n    mova a0.xy, v2\n    mov o[aL+2], "
        "c[a0.y+8000]\n"
        "    mov r1, c5000_abs\n    texldl r0, -v3_abs, s1.wzyx\n    endloop\n    if_le r0.x, c2.y\n    endif\n",
        "ps_3_0\n    dcl vPos.xy\n    dcl vFace\n    dcl_color1_centroid v4.xw\n    mov oC3.xw, v[aL+2]\n    dsx_sat "
        "r0, vFace\n",
    };
    char text[1024];

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(texts); i++) {
        uint32_t tokens[256];
        struct shader_error error = {0};
        size_t count = shader_assemble(texts[i], tokens, ARRAY_COUNT(tokens), &error);

        if (!count)
            fail_msg("text %u, line %u: %s", i, (unsigned)error.offset, error.text);
        shader_disassemble(tokens, count, text, sizeof(text));
        assert_string_equal(text, texts[i]);
    }
}

static void test_text_that_is_none(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
    } rows[] = {
        {"", 1},
        {"mov r0, r1", 1},
        {"vs_1_1\nfoo r0", 2},
        {"vs_1_1\n\nmov r0 r1", 3},
        {"vs_1_1\nmov r, r1", 2},
        {"vs_1_1\nmov r0.q, r1", 2},
        {"ps_2_x\nsetp_zz p0, r0, r1", 2},
        {"vs_1_1\ndef c0, 1, 2, 3", 2},
        {"vs_1_1\nmov r0, c[a0.x", 2},
        {"ps_2_x\n(p0 mov r0, r1", 2},
        {"ps_2_0\ndefb b0, maybe", 2},
        {"vs_1_1 // fine\nmov r0, v0 ; fine\nmov r0, v0 not", 3},
    };
    uint32_t tokens[16];

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        struct shader_error error = {0};

        assert_int_equal(shader_assemble(rows[i].text, tokens, ARRAY_COUNT(tokens), &error), 0);
        if (error.offset != rows[i].line)
            fail_msg("row %u: line %u: %s", i, (unsigned)error.offset, error.text);
    }
    assert_int_equal(shader_assemble("vs_1_1\nmov r0, v0", tokens, 4, NULL), 0); /* no room for the end */
    assert_int_equal(shader_assemble("vs_1_1\nmov r0, v0", tokens, 5, NULL), 5);
}

static void test_metadata(void **state)
{
    const uint32_t code[] = {
        PS(3, 0),          OP(DCL, 2),      0x80020005, DST(INPUT, 3, 3),      OP(DCL, 2),    0x8000000a,
        DST(INPUT, 4, 15), OP(DCL, 2),      0x98000000, DST(SAMPLER, 2, 15),   OP(TEX, 3),    DST(COLOR_OUT, 1, 15),
        SRC(INPUT, 3),     SRC(SAMPLER, 2), OP(MOV, 2), DST(COLOR_OUT, 0, 15), SRC(CONST, 9), END};
    struct shader_program *p = compile(code, ARRAY_COUNT(code));

    (void)state;
    assert_int_equal(p->input_count, 1); /* the colour is not read */
    assert_int_equal(p->input[0].usage, 5);
    assert_int_equal(p->input[0].index, 2);
    assert_int_equal(p->input[0].reg, 3);
    assert_int_equal(p->samplers, 4);
    assert_int_equal(p->sampler_kind[2], 3);
    assert_int_equal(p->outputs_written, 3);
    assert_int_equal(p->float_count, 10);
    shader_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar_functions),
        cmocka_unit_test(test_functions_are_precise),
        cmocka_unit_test(test_vector_functions),
        cmocka_unit_test(test_lit),
        cmocka_unit_test(test_zero_wins),
        cmocka_unit_test(test_addressing),
        cmocka_unit_test(test_vertex_outputs),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_break_by_lane),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_subroutines),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_cost_of_calls),
        cmocka_unit_test(test_cost_by_instruction),
        cmocka_unit_test(test_ps1_modifiers),
        cmocka_unit_test(test_cnd_and_cmp),
        cmocka_unit_test(test_coissue),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_texkill_and_depth),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_position_and_face),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_nested_deepest),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_nested_too_deep),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_text_comes_back),
        cmocka_unit_test(test_text_that_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
