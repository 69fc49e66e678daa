/* SPDX-License-Identifier: MIT */
/* The shaders that the compiler rejects, and its messages; bytecode as text, and text as bytecode. */
#include "tests/unit/shader_run.h"

/* --- rejections and messages ------------------------------------------------------------------ */

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

/* --- text --- */

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

/* Text is assembled into the tokens from which it was made. */
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
        unsigned line, column; /* column 0: any */
        const char *says;
    } rows[] = {
        {"", 1, 0, "no code"},
        {"mov r0, r1", 1, 1, "version"},
        {"vs_1_1\nfoo r0", 2, 1, "no instruction is called \"foo\""},
        {"vs_1_1\n  txeld r0, t0", 2, 3, "did you mean \"texld\"?"},
        {"vs_1_1\nmvo_sat r0, r1", 2, 1, "did you mean \"mov\"?"},
        {"vs_1_1\n+", 2, 2, "an instruction is missing"},
        {"vs_1_1\n\nmov r0 r1", 3, 8, "a comma"},
        {"vs_1_1\nmov r, r1", 2, 0, NULL},
        {"vs_1_1\nmov r0.q, r1", 2, 0, NULL},
        {"ps_2_x\nsetp_zz p0, r0, r1", 2, 0, NULL},
        {"vs_1_1\ndef c0, 1, 2, 3", 2, 0, NULL},
        {"vs_1_1\nmov r0, c[a0.x", 2, 0, NULL},
        {"ps_2_x\n(p0 mov r0, r1", 2, 0, NULL},
        {"ps_2_0\ndefb b0, maybe", 2, 0, NULL},
        {"vs_1_1 // fine\nmov r0, v0 ; fine\nmov r0, v0 not", 3, 0, NULL},
    };
    uint32_t tokens[16];

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        struct shader_error error = {0};

        assert_int_equal(shader_assemble(rows[i].text, tokens, ARRAY_COUNT(tokens), &error), 0);
        if (error.offset != rows[i].line)
            fail_msg("row %u: line %u: %s", i, (unsigned)error.offset, error.text);
        if (rows[i].column && error.column != rows[i].column)
            fail_msg("row %u: column %u: %s", i, error.column, error.text);
        if (rows[i].says && !strstr(error.text, rows[i].says))
            fail_msg("row %u: %s", i, error.text);
    }
    assert_int_equal(shader_assemble("vs_1_1\nmov r0, v0", tokens, 4, NULL), 0); /* no room for the end */
    assert_int_equal(shader_assemble("vs_1_1\nmov r0, v0", tokens, 5, NULL), 5);
}

/* --- metadata --- */

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
        cmocka_unit_test(test_rejected),        cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_comes_back), cmocka_unit_test(test_text_that_is_none),
        cmocka_unit_test(test_metadata),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
