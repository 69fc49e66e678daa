/* SPDX-License-Identifier: MIT */
/*
 * The meaning of shaders of models 2 and 3, through the tokens of DirectX 9, compared with numbers from
 * docs/reference/shader-code.md: flow, predicates, relative addresses, constants, unwritten registers, links between
 * the stages, depth and several targets. Textures and gradients: test_shader_textures.c.
 */
#include "shader/shader.h"
#include "tests/unit/shader_stage.h"

/* --- relative addressing ------------------------------------------------------------------------ */

static void test_relative_constants(void **state)
{
    static const char text[] = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndef c1, 7, 8, 9, 1\n"
                               "mova a0.xy, c0\nmov oPos, v0\nmov oT0, c[a0.x+2]\nmov oT1, c[a0.y+2]\n";
    struct shader_scene *s = *state;

    use_vs(s, text);
    use_ps(s, "ps_2_0\ndcl t0\ndcl t1\nadd r0, t0, -t1\nmov oC0, r0\n");
    set_floats(s, false, 5, 5, 6, 7, 8);
    set_floats(s, false, 0, 2.6f, -1.4f, 0, 0); /* to the nearest: c5, c1 as the shader defines it */
    draws(s, 3, 3, 5 - 7, 6 - 8, 7 - 9, 8 - 1);
    set_floats(s, false, 0, 254, -3, 0, 0); /* c256, c-1: outside, zero */
    draws(s, 3, 3, 0, 0, 0, 0);
    set_floats(s, false, 255, 1, 2, 3, 4);
    set_floats(s, false, 0, 253, -1e30f, 0, 0); /* the last one; far outside */
    draws(s, 3, 3, 1, 2, 3, 4);
}

static void test_relative_inputs_and_outputs(void **state)
{
    struct shader_scene *s = *state;

    /* o[aL], and v[aL] in the pixel shader: the n-th output is n */
    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord0 o1\ndcl_texcoord1 o2\ndcl_texcoord2 o3\n"
              "defi i0, 3, 1, 1, 0\ndef c1, 10, 0, 0, 0\ndef c2, 20, 0, 0, 0\ndef c3, 30, 0, 0, 0\n"
              "mov o0, v0\nloop aL, i0\nmov o[aL+0], c[aL+0]\nendloop\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_texcoord2 v3\ndefi i0, 2, 0, 2, 0\ndef c0, 1, 0, 0, 0\n"
              "mov r0, c0.y\nloop aL, i0\nadd r0, r0, v[aL+1]\nendloop\nmov oC0, r0\n");
    draws(s, 2, 2, 10 + 30, 0, 0, 0);
}

/* --- flow ------------------------------------------------------------------------------------------ */

static void test_static_flow(void **state)
{
    static const char text[] = "ps_2_x\ndef c0, 1, 2, 3, 4\ndef c1, 0, 0, 0, 0\nmov r0, c1\n"
                               "if b3\nadd r0.x, r0.x, c0.x\nelse\nadd r0.x, r0.x, c0.y\nendif\n"
                               "rep i5\nadd r0.y, r0.y, c0.x\nendrep\n"
                               "call l1\ncallnz l0, !b3\ncallnz l0, b3\nmov oC0, r0\nret\n"
                               "label l1\nadd r0.w, r0.w, c0.w\ncall l0\nret\nlabel l0\nadd r0.z, r0.z, c0.z\nret\n";
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS_2);
    use_ps(s, text);
    set_boolean(s, true, 3, true);
    set_integers(s, true, 5, 6, 0, 0, 0);
    draws(s, 1, 1, 1, 6, 6, 4);
    set_boolean(s, true, 3, false);
    set_integers(s, true, 5, 0, 9, 9, 9);
    draws(s, 1, 1, 2, 0, 6, 4);
    set_integers(s, true, 5, 100000, 0, 0, 0); /* counts end at 255 */
    draws(s, 1, 1, 2, 255, 6, 4);
}

/* aL of two loops; rep has none of its own. */
static void test_loop_counters(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord0 o1\ndef c20, 0, 0, 0, 0\n"
              "def c10, 1, 0, 0, 0\ndef c11, 2, 0, 0, 0\ndef c12, 4, 0, 0, 0\ndef c13, 8, 0, 0, 0\n"
              "mov o0, v0\nmov r0, c20\n"
              "loop aL, i0\n" /* aL = 10, 12 */
              "loop aL, i1\n" /* aL = 13, 12, 11 */
              "add r0.x, r0.x, c[aL+0].x\nendloop\n"
              "rep i2\nadd r0.y, r0.y, c[aL+0].x\nendrep\n"
              "add r0.z, r0.z, c[aL+1].x\nendloop\nmov o1, r0\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    set_integers(s, false, 0, 2, 10, 2, 0);
    set_integers(s, false, 1, 3, 13, -1, 0);
    set_integers(s, false, 2, 3, 0, 0, 0);
    draws(s, 5, 5, 2 * (8 + 4 + 2), 3 * (1 + 4), 2 + 8, 0);
}

/* Neighbours in a quad branch differently, and leave a loop in different rounds. */
static void test_dynamic_flow(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndef c0, 16, 1, 0, 0.5\ndefi i0, 255, 0, 0, 0\n"
              "mul r1, v0, c0.x\nmov r0, c0.z\n"
              "rep i0\nbreak_ge r0.x, r1.x\nadd r0.x, r0.x, c0.y\nendrep\n"
              "if_lt r1.y, c0.y\nmov r0.y, c0.x\nelse\nmov r0.y, -c0.x\nendif\n"
              "setp_gt p0, r1, c0.y\nif p0.x\nmov r0.z, c0.y\nendif\nif !p0.x\nmov r0.z, -c0.y\nendif\nmov oC0, r0\n");
    draw_quad(s);
    for (unsigned x = 0; x < SIZE; x++)
        pixel_is(s, x, 0, (float)x, 16, x > 1 ? 1 : -1, 0);
    pixel_is(s, 6, 1, 6, -16, 1, 0);
}

static void test_predicates(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndef c0, 0.5, 1, 2, 3\n"
              "mov r0, c0.y\nsetp_ge p0, v0.xyxy, c0.x\n"
              "(p0) mov r0, c0.z\n"           /* x, z where u >= 1/2; y, w where v >= 1/2 */
              "(!p0.y) add r0.zw, r0, c0.w\n" /* where v < 1/2 */
              "mov oC0, r0\n");
    draw_quad(s);
    pixel_is(s, 0, 0, 1, 1, 4, 4);
    pixel_is(s, 15, 0, 2, 1, 5, 4);
    pixel_is(s, 0, 15, 1, 2, 1, 2);
    pixel_is(s, 15, 15, 2, 2, 2, 2);
    /* a kill under a predicate, and breakp */
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndef c0, 0.5, 1, 0, -1\ndefi i0, 9, 0, 0, 0\n"
              "mov r0, c0.z\nmov r1, c0.w\nsetp_lt p0, v0, c0.x\n(p0.x) texkill r1\n"
              "rep i0\nbreakp p0.y\nadd r0.x, r0.x, c0.y\nendrep\nmov oC0, r0\n");
    draw_quad(s);
    pixel_is(s, 0, 0, 0, 0, 0, 0);
    pixel_is(s, 8, 0, 0, 0, 0, 0);
    pixel_is(s, 8, 8, 9, 0, 0, 0);
    pixel_is(s, 7, 8, 0, 0, 0, 0);
}

/* However deep loops are nested, a draw ends. */
static void test_endless(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 1, 1, 1\ndefi i0, 255, 0, 0, 0\nmov r0, c0\nrep i0\nrep i0\nrep i0\nrep i0\n"
              "add r0, r0, c0\nendrep\nendrep\nendrep\nendrep\nmov oC0, c0\n");
    draw_quad(s);
    stage_finish(&s->stage);
    check(s);
}

/* Loops with a constant count give the same whether or not they are unrolled; only loops without an early exit, whose
 * counter is not read, become straight code. */
static void test_loops_of_defined_counts(void **state)
{
#define HEAD                                                                                                         \
    "ps_3_0\ndef c0, 1, 0.5, 0, 2\ndefi i0, 3, 5, 2, 0\ndefi i1, 4, 0, 0, 0\ndefi i2, 0, 0, 0, 0\ndefi i3, 255, 0, " \
    "0, 0\n"
    static const struct {
        const char *text;
        bool straight;
        float result;
    } rows[] = {
        {HEAD "mov r0, c0.z\nrep i0\nadd r0, r0, c0.x\nendrep\nmov oC0, r0\n", true, 3},
        {HEAD "mov r0, c0.z\nrep i0\nadd r0, r0, c0.x\nrep i1\nadd r0, r0, c0.w\nendrep\nendrep\nmov oC0, r0\n", true,
         27},
        {HEAD "mov r0, c0.x\nrep i2\nadd r0, r0, c0.x\nendrep\nmov oC0, r0\n", true, 1},
        {HEAD "mov r0, c0.x\nrep i0\nmul r0, r0, c0.w\nendrep\nrep i1\nmul r0, r0, c0.y\nendrep\nmov oC0, r0\n", true,
         0.5f},
        {HEAD "mov r0, c0.z\nloop aL, i0\nadd r0, r0, c0.x\nendloop\nmov oC0, r0\n", true, 3},
        {HEAD "mov r0, c0.z\nif_lt c0.y, c0.x\nrep i0\nadd r0, r0, c0.x\nendrep\nelse\nrep i1\nmov r0, c0.w\n"
              "endrep\nendif\nadd r0, r0, c0.w\nmov oC0, r0\n",
         true, 5},
        {HEAD "mov r0, c0.z\nrep i3\nadd r0, r0, c0.x\nbreak_ge r0.x, c0.w\nendrep\nmov oC0, r0\n", false, 2},
        {HEAD
         "mov r0, c0.z\nrep i0\nif_ge r0.x, c0.w\nadd r0, r0, c0.w\nendif\nadd r0, r0, c0.x\nendrep\nmov oC0, r0\n",
         false, 5},
        {HEAD "mov r0, c0.z\nrep i1\nrep i3\nadd r0, r0, c0.x\nadd r0, r0, c0.x\nendrep\nendrep\nmov oC0, r0\n", false,
         2040},
        {HEAD "mov r0, c0.z\nrep i0\nadd r0, r0, c0.x\nendrep\nrep i4\nadd r0, r0, c0.x\nendrep\nmov oC0, r0\n", false,
         5},
    };
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    set_integers(s, true, 4, 2, 0, 0, 0);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        uint32_t tokens[256];
        char text[16384];
        struct shader_program *program =
            shader_compile(tokens, assemble_text(rows[i].text, tokens, ARRAY_COUNT(tokens)), NULL);

        assert_non_null(program);
        shader_print_ir(program, text, sizeof(text));
        if (rows[i].straight != (!strstr(text, "rep ") && !strstr(text, "loop ")))
            fail_msg("row %u: %s", i, text);
        shader_destroy(program);
        use_ps(s, rows[i].text);
        draw_quad(s);
        pixel_is(s, 3, 3, rows[i].result, rows[i].result, rows[i].result, rows[i].result);
    }
#undef HEAD
}

static void state_set(struct shader_scene *s, uint32_t operation, uint32_t handle, uint32_t type)
{
    const uint32_t body[3] = {operation, handle, type};

    put_words(s, D3DDP2OP_STATESET, body, 3);
}

/* Constants by number and by address, and in state blocks; constants that were never set are 0. */
static void test_software_constants(void **state)
{
    static const char by_number[] =
        "vs_2_sw\ndcl_position v0\nmov oPos, v0\nmov oT0, c300\nadd oT0.w, c300.w, c8191.w\n";
    static const char by_address[] = "vs_2_sw\ndcl_position v0\nmova a0.x, c0.x\nmov oPos, v0\nmov oT0, c[a0.x+200]\n";
    struct shader_scene *s = *state;

    use_ps(s, "ps_2_0\ndcl t0\nmov oC0, t0\n");
    use_vs(s, by_number);
    draws(s, 1, 1, 0, 0, 0, 0);
    set_floats(s, false, 300, 1, 2, 3, 4);
    draws(s, 1, 1, 1, 2, 3, 4);
    set_floats(s, false, 8191, 0, 0, 0, 5);
    draws(s, 1, 1, 1, 2, 3, 9);
    use_vs(s, by_address);
    set_floats(s, false, 0, 100, 0, 0, 0);
    draws(s, 1, 1, 1, 2, 3, 4);
    set_floats(s, false, 0, 7991, 0, 0, 0);
    draws(s, 1, 1, 0, 0, 0, 5);
    set_floats(s, false, 0, 7992, 0, 0, 0);
    draws(s, 1, 1, 0, 0, 0, 0);
    /* a recorded block, and one of all vertex states */
    use_vs(s, by_number);
    state_set(s, D3DHAL_STATESETCREATE, 2, 3);
    state_set(s, D3DHAL_STATESETBEGIN, 1, 0);
    set_floats(s, false, 300, 6, 7, 8, 9);
    state_set(s, D3DHAL_STATESETEND, 1, 0);
    draws(s, 1, 1, 1, 2, 3, 9);
    state_set(s, D3DHAL_STATESETEXECUTE, 1, 0);
    draws(s, 1, 1, 6, 7, 8, 14);
    set_floats(s, false, 300, 10, 11, 12, 13);
    state_set(s, D3DHAL_STATESETCAPTURE, 1, 0);
    state_set(s, D3DHAL_STATESETEXECUTE, 2, 0);
    draws(s, 1, 1, 1, 2, 3, 9);
    state_set(s, D3DHAL_STATESETEXECUTE, 1, 0);
    draws(s, 1, 1, 10, 11, 12, 18);
}

/* Predefined blocks hold integers and booleans too. */
static void test_constants_of_predefined_blocks(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS_2);
    use_ps(s, "ps_3_0\ndef c0, 1, 0, 0, 0\nmov r0, c0.y\nrep i3\nadd r0.x, r0.x, c0.x\nendrep\nif b4\nmov r0.y, c0.x\n"
              "endif\nmov oC0, r0\n");
    for (uint32_t type = 1; type <= 2; type++) {
        set_integers(s, true, 3, 5, 0, 0, 0);
        set_boolean(s, true, 4, true);
        state_set(s, D3DHAL_STATESETCREATE, type, type);
        set_integers(s, true, 3, 2, 0, 0, 0);
        set_boolean(s, true, 4, false);
        draws(s, 1, 1, 2, 0, 0, 0);
        state_set(s, D3DHAL_STATESETEXECUTE, type, 0);
        draws(s, 1, 1, 5, 1, 0, 0);
    }
}

/* --- constants ---------------------------------------------------------------------------------------- */

/* Constants defined by a shader belong to it: the values set by tokens return with another shader. */
static void test_defined_and_set(void **state)
{
    static const char defines[] =
        "ps_3_0\ndef c3, 1, 2, 3, 4\ndefi i1, 2, 0, 0, 0\ndefb b1, true\n"
        "mov r0, c3\nrep i1\nadd r0.x, r0.x, c3.x\nendrep\nif b1\nmov r0.y, c3.w\nendif\nmov oC0, r0\n";
    static const char reads[] =
        "ps_3_0\n"
        "mov r0, c3\nrep i1\nadd r0.x, r0.x, c3.x\nendrep\nif b1\nmov r0.y, c3.w\nendif\nmov oC0, r0\n";
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    set_floats(s, true, 3, 10, 20, 30, 40);
    set_integers(s, true, 1, 5, 0, 0, 0);
    set_boolean(s, true, 1, false);
    use_ps(s, defines);
    draws(s, 0, 0, 3, 4, 3, 4);
    set_floats(s, true, 3, 11, 21, 31, 41); /* set while the other shader is bound */
    draws(s, 0, 0, 3, 4, 3, 4);
    use_ps(s, reads);
    draws(s, 0, 0, 66, 21, 31, 41);
}

/* Constants that were never set are 0 and false. Temporaries that were never written are 0. */
static void test_unset_registers(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 2, 0, 0\nmov r0, c0\nrep i7\nadd r0, r0, c0.x\nendrep\nif b7\nmov r0, c0.y\nendif\n"
              "add r0.zw, r5, c200\nmov oC0, r0\n");
    draws(s, 0, 0, 1, 2, 0, 0);
}

static void test_ranges_of_constants(void **state)
{
    struct shader_scene *s = *state;
    const uint32_t beyond[6] = {224, 1, 0, 0, 0, 0}, integers[6] = {16, 1, 0, 0, 0, 0};

    put_words(s, D3DDP2OP_SETPIXELSHADERCONST, beyond, 6);
    assert_int_equal(stage_take_error(&s->stage), E_INVALIDARG);
    put_words(s, D3DDP2OP_SETVERTEXSHADERCONSTI, integers, 6);
    assert_int_equal(stage_take_error(&s->stage), E_INVALIDARG);
}

/* --- links -------------------------------------------------------------------------------------------- */

/* By meaning, whatever the registers' numbers; two meanings share a register. */
static void test_links_by_meaning(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_position o7\ndcl_texcoord3 o0\ndcl_tangent2 o1.xy\ndcl_binormal1 "
              "o1.zw\ndcl_fog o2.x\n"
              "def c0, 1, 2, 3, 4\ndef c1, 5, 6, 7, 8\n"
              "mov o7, v0\nmov o0, c0\nmov o1, c1\nmov o2.x, c1.w\n");
    use_ps(s, "ps_3_0\ndcl_binormal1 v3.zw\ndcl_tangent2 v4.xy\ndcl_texcoord3 v9\ndcl_fog v0.x\n"
              "mov r0.x, v4.y\nmov r0.y, v3.z\nadd r0.z, v9.w, v9.x\nmov r0.w, v0.x\nmov oC0, r0\n");
    draws(s, 8, 8, 6, 7, 5, 8);
}

/* Ten registers, the maximum of ps_3_0. */
static void test_ten_inputs(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord0 o1\ndcl_texcoord1 o2\ndcl_texcoord2 "
              "o3\ndcl_texcoord3 o4\n"
              "dcl_texcoord4 o5\ndcl_texcoord5 o6\ndcl_texcoord6 o7\ndcl_texcoord7 o8\ndcl_color0 o9\ndcl_color1 o10\n"
              "def c0, 1, 2, 4, 8\ndef c1, 16, 32, 64, 128\ndef c2, 256, 512, 0, 0\nmov o0, v0\n"
              "mov o1, c0.x\nmov o2, c0.y\nmov o3, c0.z\nmov o4, c0.w\nmov o5, c1.x\nmov o6, c1.y\nmov o7, c1.z\nmov "
              "o8, c1.w\n"
              "mov o9, c2.x\nmov o10, c2.y\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\ndcl_texcoord3 v3\ndcl_texcoord4 "
              "v4\ndcl_texcoord5 v5\n"
              "dcl_texcoord6 v6\ndcl_texcoord7 v7\ndcl_color0 v8\ndcl_color1 v9\n"
              "add r0, v0, v1\nadd r0, r0, v2\nadd r0, r0, v3\nadd r0, r0, v4\nadd r0, r0, v5\nadd r0, r0, v6\nadd r0, "
              "r0, v7\n"
              "add r0, r0, v8\nadd r0, r0, v9\nmov oC0, r0\n");
    draws(s, 3, 7, 1023, 1023, 1023, 1023);
}

/* Inputs that nothing writes: colour 0 is white, coordinates end in 1, everything else is 0. */
static void test_unwritten_varyings(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n");
    use_ps(s, "ps_3_0\ndcl_texcoord5 v0\nmov oC0, v0\n");
    draws(s, 0, 0, 0, 0, 0, 1);
    use_ps(s, "ps_3_0\ndcl_color0 v0\nmov oC0, v0\n");
    draws(s, 0, 0, 1, 1, 1, 1);
    use_ps(s, "ps_3_0\ndcl_normal3 v0\nmov oC0, v0\n");
    draws(s, 0, 0, 0, 0, 0, 0);
    /* an element the declaration does not have reads (0, 0, 0, 1) */
    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\ndcl_texcoord0 o1\nmov o0, v0\nmov o1, v1\n");
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    draws(s, 0, 0, 0, 0, 0, 1);
}

/* Colours are clamped to 0..1 between the old models, not between those of 3.0. */
static void test_color_ranges(void **state)
{
    struct shader_scene *s = *state;

    set_floats(s, false, 0, 2, -3, 0.5f, 4);
    use_vs(s, "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oD0, c0\nmov oT0, c0\n");
    use_ps(s, "ps_2_0\ndcl v0\nmov oC0, v0\n");
    draws(s, 0, 0, 1, 0, 0.5f, 1);
    use_ps(s, "ps_2_0\ndcl t0\nmov oC0, t0\n");
    draws(s, 0, 0, 2, -3, 0.5f, 4);
    use_vs(s, "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_color o1\nmov o0, v0\nmov o1, c0\n");
    use_ps(s, "ps_3_0\ndcl_color v0\nmov oC0, v0\n");
    draws(s, 0, 0, 2, -3, 0.5f, 4);
}

/* Fixed function and programs of all models, in every pair. */
static void test_pairs(void **state)
{
    static const char *const vertex[] = {
        NULL,
        "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_color v2\nmov oPos, v0\nmov oT0, v1\nmov oD0, v2\n",
        VS_PASS_2,
        VS_PASS,
    };
    static const struct {
        const char *text;
        bool adds; /* u in red */
    } pixel[] = {
        {NULL, false},
        {"ps_1_1\nmov r0, v0\n", false},
        {"ps_1_4\ntexcrd r0.rgb, t0\nmov r1, v0\nmad r0.rgb, r0, c0, r1\n+ mov r0.a, v0\n", true},
        {"ps_2_0\ndcl v0\ndcl t0\nmov r0, t0\nmad r0, r0, c0, v0\nmov oC0, r0\n", true},
        {"ps_3_0\ndcl_color v3\ndcl_texcoord v2\nmov r0, v2\nmad r0, r0, c0, v3\nmov oC0, r0\n", true},
    };
    struct shader_scene *s = *state;

    set_floats(s, true, 0, 1, 0, 0, 0);
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG2, D3DTA_DIFFUSE);
    for (unsigned v = 0; v < ARRAY_COUNT(vertex); v++)
        for (unsigned p = 0; p < ARRAY_COUNT(pixel); p++) {
            use_vs(s, vertex[v]);
            use_ps(s, pixel[p].text);
            draws(s, 4, 9, 0x20 / 255.0f + (pixel[p].adds ? 0.25f : 0.0f), 0x40 / 255.0f, 0x60 / 255.0f, 1);
        }
}

/* Transformed vertices have elements with meanings of their own. */
static void test_transformed(void **state)
{
    static const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {0, 16, 1, 0, 5, 4}};
    static const float vertices[4][6] = {
        {-0.5f, -0.5f, 0, 1, 3, 4}, {15.5f, -0.5f, 0, 1, 3, 4}, {-0.5f, 15.5f, 0, 1, 3, 4}, {15.5f, 15.5f, 0, 1, 3, 4}};
    struct shader_scene *s = *state;

    declare(s, elements, 2);
    use_ps(s, "ps_3_0\ndcl_texcoord4 v0\nmov oC0, v0.yxxx\n");
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, vertices, 4, sizeof(vertices[0]));
    pixel_is(s, 8, 8, 4, 3, 3, 3);
}

/* --- pixels --------------------------------------------------------------------------------------------- */

static void test_position_and_face(void **state)
{
    static const uint16_t order[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}};
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl vPos.xy\ndcl vFace\ndef c0, 1, -1, 0, 0\ncmp r0, vFace, c0.x, c0.y\nmov r0.xy, vPos\nmov "
              "oC0, r0\n");
    for (unsigned face = 0; face < 2; face++) {
        struct quad_vertex turned[4];

        for (unsigned i = 0; i < 4; i++)
            turned[i] = quad[order[face][i]];
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, turned, 4, sizeof(turned[0]));
        check(s);
        pixel_is(s, 0, 0, 0, 0, face ? -1 : 1, face ? -1 : 1);
        pixel_is(s, 13, 6, 13, 6, face ? -1 : 1, face ? -1 : 1);
    }
    /* points and lines face front */
    static const struct quad_vertex line[2] = {{{-1, 0, 0, 1}, {0}, 0}, {{1, 0, 0, 1}, {0}, 0}};
    stage_draw_vertices(&s->stage, D3DPT_LINELIST, 1, line, 2, sizeof(line[0]));
    pixel_is(s, 5, 8, 5, 8, 1, 1);
}

static void test_kill(void **state)
{
    struct shader_scene *s = *state;

    use_vs(s, VS_PASS_2);
    set_floats(s, true, 0, 0.5f, 0.5f, 0, 0);
    set_floats(s, true, 1, 1, 1, 1, 1);
    /* components of the mask count, w too, in model 2 */
    use_ps(s, "ps_2_0\ndcl t0\nsub r0, t0, c0\ntexkill r0.xy\nmov oC0, c1\n");
    draw_quad(s);
    pixel_is(s, 8, 8, 1, 1, 1, 1);
    pixel_is(s, 7, 8, 0, 0, 0, 0);
    pixel_is(s, 8, 7, 0, 0, 0, 0);
    use_ps(s, "ps_2_0\ndcl t0\nmov r0, -t0.w\ntexkill r0.w\nmov oC0, c0\n");
    draw_quad(s);
    pixel_is(s, 8, 8, 1, 1, 1, 1);
    use_ps(s, "ps_2_0\ndcl t0\nmov r0, -t0.w\nmov r0.x, t0.w\ntexkill r0.x\nmov oC0, c0\n");
    draws(s, 8, 8, 0.5f, 0.5f, 0, 0);
}

static void test_depth(void **state)
{
    struct shader_scene *s = *state;

    stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
    use_vs(s, VS_PASS_2);
    use_ps(s, "ps_2_0\ndcl t0\nmov oC0, t0\nmov oDepth, t0.x\n");
    draw_quad(s);
    for (unsigned x = 0; x < SIZE; x++) {
        const uint32_t depth = word_at(s, s->stage.depth, x, 5) >> 8, wanted = (uint32_t)(x / 16.0 * 0xffffff + 0.5);

        assert_true(depth + 1 - wanted <= 2);
    }
    /* tested after the shader: nearer than the stored depth only from the middle on */
    use_ps(s, "ps_2_0\ndef c0, 0.5, 9, 9, 9\nmov oC0, c0.y\nmov oDepth, c0.x\n");
    draw_quad(s);
    pixel_is(s, 7, 5, 7 / 16.0f, 5 / 16.0f, 0, 1);
    pixel_is(s, 9, 5, 9, 9, 9, 9);
    /* values are clamped to 0..1 */
    use_ps(s, "ps_2_0\ndef c0, -3, 8, 8, 8\nmov oC0, c0.y\nmov oDepth, c0.x\n");
    draws(s, 0, 0, 8, 8, 8, 8);
    assert_int_equal(word_at(s, s->stage.depth, 3, 3) >> 8, 0);
}

/* Behind everything by its vertices, in front by the shader's depth. */
static void test_depth_against_bounds(void **state)
{
    static const char in_front[] = "ps_2_0\ndef c0, 0.125, 5, 5, 5\nmov oC0, c0.y\nmov oDepth, c0.x\n";
    struct shader_scene *s = *state;
    struct quad_vertex behind[4];

    stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
    use_vs(s, VS_PASS_2);
    use_ps(s, "ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
    draw_quad(s);
    memcpy(behind, quad, sizeof(behind));
    for (unsigned i = 0; i < 4; i++)
        behind[i].position[2] = 0.75f;
    use_ps(s, in_front);
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, behind, 4, sizeof(behind[0]));
    pixel_is(s, 8, 8, 5, 5, 5, 5);
}

/* Colour 0 of a shader that does not write it is 0 for the alpha test, not the result of an earlier draw. */
static void test_alpha_of_no_color(void **state)
{
    static const char opaque[] = "ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n", nothing[] = "ps_2_0\nmov r0, c0\n";
    struct shader_scene *s = *state;
    struct quad_vertex behind[4];

    use_vs(s, VS_PASS_2);
    use_ps(s, opaque);
    draw_quad(s);
    stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
    stage_state(&s->stage, D3DRS_ALPHATESTENABLE, TRUE);
    stage_state(&s->stage, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
    stage_state(&s->stage, D3DRS_ALPHAREF, 128);
    use_ps(s, nothing);
    draw_quad(s);
    memcpy(behind, quad, sizeof(behind));
    for (unsigned i = 0; i < 4; i++)
        behind[i].position[2] = 0.75f;
    use_ps(s, "ps_2_0\ndef c0, 5, 5, 5, 5\nmov oC0, c0\n");
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, behind, 4, sizeof(behind[0]));
    pixel_is(s, 8, 8, 5, 5, 5, 5);
}

/* --- several targets ------------------------------------------------------------------------------------- */

static void test_four_targets(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *more[3];

    for (unsigned i = 0; i < 3; i++)
        more[i] = add_target(s, i + 1, FORMAT_A32B32G32R32F);
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_state(&s->stage, D3DRS_COLORWRITEENABLE, 15);
    stage_state(&s->stage, STATE_COLORWRITEENABLE1, 1);
    stage_state(&s->stage, STATE_COLORWRITEENABLE1 + 1, 6);
    stage_state(&s->stage, STATE_COLORWRITEENABLE1 + 2, 8);
    use_vs(s, VS_PASS);
    use_ps(s,
           "ps_3_0\ndef c0, 1, 2, 3, 4\ndef c1, 5, 6, 7, 8\nmov oC0, c0\nmov oC1, c1\nadd oC2, c0, c1\nmov oC3, -c0\n");
    draw_quad(s);
    pixel_is(s, 4, 4, 1, 2, 3, 4);
    surface_is(s, more[0], 4, 4, 5, 0, 0, 0);
    surface_is(s, more[1], 4, 4, 0, 8, 10, 0);
    surface_is(s, more[2], 4, 4, 0, 0, 0, -4);
    /* targets that a shader does not write stay, whatever the mask */
    use_ps(s, "ps_3_0\ndef c0, 9, 9, 9, 9\nmov oC2, c0\n");
    draw_quad(s);
    pixel_is(s, 4, 4, 1, 2, 3, 4);
    surface_is(s, more[1], 4, 4, 0, 9, 9, 0);
    surface_is(s, more[2], 4, 4, 0, 0, 0, -4);
}

static void test_targets_of_different_formats(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *bytes = add_target(s, 1, D3DFMT_A8R8G8B8), *narrow = add_target(s, 2, D3DFMT_R5G6B5);
    uint16_t texel;

    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 4, -2, 0.5, 1\ndef c1, 0.2, 0.4, 0.6, 0.8\ndef c2, 1, 0, 1, 0\nmov oC0, c0\nmov oC1, "
              "c1\nmov oC2, c2\n");
    draws(s, 6, 6, 4, -2, 0.5f, 1);
    assert_int_equal(word_at(s, bytes, 6, 6), 0xcc336699);
    read_surface(s, narrow, 6, 6, &texel, 2);
    assert_int_equal(texel, 0xf81f);
}

/* Programs that need more than the minimum device: everything that the caps promise works. */
static void test_long_programs(void **state)
{
    static const struct {
        const char *head, *line, *tail;
        unsigned times;
    } rows[] = {
        {"ps_2_x\ndef c0, 0.001953125, 1, 1, 1\nmov r31, c0\n", "add r31, r31, c0\n", "mov oC0, r31.x\n", 509},
        {"ps_3_0\ndef c0, 0.0009765625, 1, 1, 1\nmov r31, c0\n", "add r31, r31, c0\n", "mov oC0, r31.x\n", 1022},
    };
    struct shader_scene *s = *state;
    static char text[65536];

    use_vs(s, VS_PASS);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        size_t used = (size_t)snprintf(text, sizeof(text), "%s", rows[i].head);

        for (unsigned k = 0; k < rows[i].times; k++)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", rows[i].line);
        snprintf(text + used, sizeof(text) - used, "%s", rows[i].tail);
        use_ps(s, text);
        const float sum = (float)(rows[i].times + 1) * (i ? 0.0009765625f : 0.001953125f);
        draws(s, 2, 2, sum, sum, sum, sum);
    }
}

/* All targets are blended with the same states, each with its own pixel. */
static void test_targets_blend(void **state)
{
    struct shader_scene *s = *state;
    struct client_chain *second = add_target(s, 1, FORMAT_A32B32G32R32F);

    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_state(&s->stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(&s->stage, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    stage_state(&s->stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 2, 4, 0.5\ndef c1, 1, 2, 4, 0.25\nmov oC0, c0\nmov oC1, c1\n");
    draw_quad(s);
    draw_quad(s);
    pixel_is(s, 4, 4, 1, 2, 4, 0.5f);
    surface_is(s, second, 4, 4, 0.5f, 1, 2, 0.125f);
}

/* --- refusals ------------------------------------------------------------------------------ */

static void test_refused(void **state)
{
    static const char *const vertex[] = {
        "vs_2_0\nif b0\nmov oPos, v0\n",
        "vs_2_0\ncall l0\nret\n",
        "vs_2_0\nmov oPos, v16\n",
        "vs_3_0\nmov o12, v0\n",
        "vs_2_0\nret\nlabel l0\ncall l0\nret\n",
        "vs_2_x\nbreak\n",
        "ps_2_0\nmov oC0, c0\n",
        "vs_2_0\nendloop\n",
    };
    static const char *const pixel[] = {
        "ps_2_0\nmov oC4, c0\n",
        "ps_2_0\nmov oC0, c32\n",
        "ps_3_0\nmov oC0, c224\n",
        "ps_3_0\nmov oC0, v10\n",
        "ps_2_0\ntexld r0, t0, s16\nmov oC0, r0\n",
        "ps_3_0\nmov oC0, c[a0.x+1]\n",
        "vs_2_0\nmov oPos, v0\n",
        "ps_3_0\nmov r32, c0\n",
    };
    struct shader_scene *s = *state;

    for (unsigned i = 0; i < ARRAY_COUNT(vertex); i++)
        is_refused(s, vertex[i], false);
    for (unsigned i = 0; i < ARRAY_COUNT(pixel); i++)
        is_refused(s, pixel[i], true);
    /* and continues as if nothing had happened */
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 1, 2, 3, 4\nmov oC0, c0\n");
    draws(s, 0, 0, 1, 2, 3, 4);
}

#define floats(name) cmocka_unit_test_setup_teardown(name, open_floats, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        floats(test_relative_constants),
        floats(test_relative_inputs_and_outputs),
        floats(test_static_flow),
        floats(test_loop_counters),
        floats(test_dynamic_flow),
        floats(test_predicates),
        floats(test_endless),
        floats(test_loops_of_defined_counts),
        floats(test_defined_and_set),
        floats(test_unset_registers),
        floats(test_ranges_of_constants),
        floats(test_software_constants),
        floats(test_constants_of_predefined_blocks),
        floats(test_links_by_meaning),
        floats(test_ten_inputs),
        floats(test_unwritten_varyings),
        floats(test_color_ranges),
        floats(test_pairs),
        floats(test_transformed),
        floats(test_position_and_face),
        floats(test_kill),
        floats(test_depth),
        floats(test_depth_against_bounds),
        floats(test_alpha_of_no_color),
        floats(test_four_targets),
        floats(test_targets_of_different_formats),
        floats(test_long_programs),
        floats(test_targets_blend),
        floats(test_refused),
    };

    return cmocka_run_group_tests_name("semantics of shaders", tests, NULL, NULL);
}
