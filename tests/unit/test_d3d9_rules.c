/* SPDX-License-Identifier: MIT */
/*
 * The parts of d3d9.dll that need no device: vertex elements and formats, the rules of shaders, the validator, names.
 * The original's behaviour is taken from Wine's tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/d3d9/shader/elements.c"
#include "runtime/d3d9/perf.c"
#include "runtime/d3d9/shader/shader_rules.c"
#include "runtime/d3d9/shader/validator.c"

#define E(type, usage, index, offset)                                 \
    {                                                                 \
        0, offset, D3DDECLTYPE_##type, 0, D3DDECLUSAGE_##usage, index \
    }

/* --- elements ---------------------------------------------------------------------------- */

static const struct {
    DWORD fvf;
    bool one_way; /* another format has the same elements */
    D3DVERTEXELEMENT9 elements[8];
} formats[] = {
    {D3DFVF_XYZ, false, {E(FLOAT3, POSITION, 0, 0), D3DDECL_END()}},
    {D3DFVF_XYZW, false, {E(FLOAT4, POSITION, 0, 0), D3DDECL_END()}},
    {D3DFVF_XYZRHW, false, {E(FLOAT4, POSITIONT, 0, 0), D3DDECL_END()}},
    {D3DFVF_XYZB5,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT4, BLENDWEIGHT, 0, 12), E(FLOAT1, BLENDINDICES, 0, 28), D3DDECL_END()}},
    {D3DFVF_XYZB5 | D3DFVF_LASTBETA_UBYTE4,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT4, BLENDWEIGHT, 0, 12), E(UBYTE4, BLENDINDICES, 0, 28), D3DDECL_END()}},
    {D3DFVF_XYZB5 | D3DFVF_LASTBETA_D3DCOLOR,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT4, BLENDWEIGHT, 0, 12), E(D3DCOLOR, BLENDINDICES, 0, 28), D3DDECL_END()}},
    {D3DFVF_XYZB1, false, {E(FLOAT3, POSITION, 0, 0), E(FLOAT1, BLENDWEIGHT, 0, 12), D3DDECL_END()}},
    {D3DFVF_XYZB1 | D3DFVF_LASTBETA_UBYTE4,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(UBYTE4, BLENDINDICES, 0, 12), D3DDECL_END()}},
    {D3DFVF_XYZB1 | D3DFVF_LASTBETA_D3DCOLOR,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(D3DCOLOR, BLENDINDICES, 0, 12), D3DDECL_END()}},
    {D3DFVF_XYZB2, false, {E(FLOAT3, POSITION, 0, 0), E(FLOAT2, BLENDWEIGHT, 0, 12), D3DDECL_END()}},
    {D3DFVF_XYZB2 | D3DFVF_LASTBETA_UBYTE4,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT1, BLENDWEIGHT, 0, 12), E(UBYTE4, BLENDINDICES, 0, 16), D3DDECL_END()}},
    {D3DFVF_XYZB2 | D3DFVF_LASTBETA_D3DCOLOR,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(D3DCOLOR, BLENDWEIGHT, 0, 12), E(UBYTE4, BLENDINDICES, 0, 16), D3DDECL_END()}},
    {D3DFVF_XYZB3 | D3DFVF_LASTBETA_D3DCOLOR,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT2, BLENDWEIGHT, 0, 12), E(D3DCOLOR, BLENDINDICES, 0, 20), D3DDECL_END()}},
    {D3DFVF_XYZB4 | D3DFVF_LASTBETA_UBYTE4,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT3, BLENDWEIGHT, 0, 12), E(UBYTE4, BLENDINDICES, 0, 24), D3DDECL_END()}},
    {D3DFVF_NORMAL, false, {E(FLOAT3, NORMAL, 0, 0), D3DDECL_END()}},
    {D3DFVF_PSIZE, false, {E(FLOAT1, PSIZE, 0, 0), D3DDECL_END()}},
    {D3DFVF_SPECULAR, false, {E(D3DCOLOR, COLOR, 1, 0), D3DDECL_END()}},
    {D3DFVF_TEXCOORDSIZE1(0) | D3DFVF_TEXCOORDSIZE3(1) | D3DFVF_TEXCOORDSIZE2(2) | D3DFVF_TEXCOORDSIZE4(3) |
         D3DFVF_TEX4,
     false,
     {E(FLOAT1, TEXCOORD, 0, 0), E(FLOAT3, TEXCOORD, 1, 4), E(FLOAT2, TEXCOORD, 2, 16), E(FLOAT4, TEXCOORD, 3, 24),
      D3DDECL_END()}},
    {D3DFVF_XYZB4 | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEXCOORDSIZE3(1) | D3DFVF_TEX2,
     false,
     {E(FLOAT3, POSITION, 0, 0), E(FLOAT4, BLENDWEIGHT, 0, 12), E(D3DCOLOR, COLOR, 0, 28), E(D3DCOLOR, COLOR, 1, 32),
      E(FLOAT2, TEXCOORD, 0, 36), E(FLOAT3, TEXCOORD, 1, 44), D3DDECL_END()}},
    /* a flag about blend weights where there are none */
    {D3DFVF_XYZ | D3DFVF_LASTBETA_UBYTE4, true, {E(FLOAT3, POSITION, 0, 0), D3DDECL_END()}},
    {0, false, {D3DDECL_END()}},
};

static void test_formats(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
        D3DVERTEXELEMENT9 elements[D3D9_MAX_FVF_ELEMENTS];
        unsigned count = 0, told = d3d9_elements_of_fvf(formats[i].fvf, elements);

        assert_int_equal(d3d9_elements_check(formats[i].elements, &count), D3D_OK);
        if (told != count + 1 || memcmp(elements, formats[i].elements, told * sizeof(elements[0])))
            fail_msg("%#x: other elements", (unsigned)formats[i].fvf);
        if (!formats[i].one_way)
            assert_int_equal(d3d9_fvf_of_elements(elements, count), formats[i].fvf);
    }
    /* The longest declaration fits, and one with too many sets does not. */
    D3DVERTEXELEMENT9 elements[D3D9_MAX_FVF_ELEMENTS];
    const DWORD all = D3DFVF_XYZB5 | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX8;

    assert_int_equal(d3d9_elements_of_fvf(all, elements), D3D9_MAX_FVF_ELEMENTS);
    assert_int_equal(d3d9_elements_of_fvf(D3DFVF_XYZ | 9u << D3DFVF_TEXCOUNT_SHIFT, elements), 0);
    assert_int_equal(d3d9_elements_of_fvf(0xffffffff, elements), 0);
}

/* A declaration is converted to a format only if nothing would change; GetFVF reports only two of them. */
static void test_told_formats(void **unused)
{
    static const D3DVERTEXELEMENT9 gap[] = {E(FLOAT3, POSITION, 0, 0), E(D3DCOLOR, COLOR, 0, 16)},
                                   order[] = {E(D3DCOLOR, COLOR, 0, 0), E(FLOAT3, POSITION, 0, 4)},
                                   second[] = {E(FLOAT3, POSITION, 1, 0)}, xyz[] = {E(FLOAT3, POSITION, 0, 0)},
                                   rhw[] = {E(FLOAT4, POSITIONT, 0, 0)}, half[] = {E(FLOAT16_2, TEXCOORD, 0, 0)},
                                   normal[] = {E(FLOAT3, NORMAL, 0, 0)},
                                   stream[] = {{1, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}};

    (void)unused;
    assert_int_equal(d3d9_fvf_of_elements(gap, 2), 0);
    assert_int_equal(d3d9_fvf_of_elements(order, 2), 0);
    assert_int_equal(d3d9_fvf_of_elements(second, 1), 0);
    assert_int_equal(d3d9_fvf_of_elements(half, 1), 0);
    assert_int_equal(d3d9_fvf_of_elements(stream, 1), 0);
    assert_int_equal(d3d9_told_fvf(xyz, 1), D3DFVF_XYZ);
    assert_int_equal(d3d9_told_fvf(rhw, 1), D3DFVF_XYZRHW);
    assert_int_equal(d3d9_told_fvf(normal, 1), 0);
    assert_int_equal(d3d9_fvf_of_elements(normal, 1), D3DFVF_NORMAL);
}

/* All formats, converted there and back: the result has the same elements. */
static void test_all_formats(void **unused)
{
    (void)unused;
    for (DWORD fvf = 0; fvf < 0x10000; fvf++) {
        D3DVERTEXELEMENT9 elements[D3D9_MAX_FVF_ELEMENTS], again[D3D9_MAX_FVF_ELEMENTS];
        const unsigned count = d3d9_elements_of_fvf(fvf | 0x5a5a0000, elements);

        if (!count)
            continue;
        const DWORD back = d3d9_fvf_of_elements(elements, count - 1);
        if (d3d9_elements_of_fvf(back, again) != count || memcmp(elements, again, count * sizeof(again[0])))
            fail_msg("%#x became %#x", (unsigned)fvf, (unsigned)back);
    }
}

static void test_elements_refused(void **unused)
{
    static const struct {
        D3DVERTEXELEMENT9 element;
        HRESULT hr;
    } cases[] = {
        {E(D3DCOLOR, COLOR, 0, 16), D3D_OK},   {E(D3DCOLOR, COLOR, 0, 17), E_FAIL},
        {E(D3DCOLOR, COLOR, 0, 18), E_FAIL},   {E(D3DCOLOR, COLOR, 0, 19), E_FAIL},
        {E(D3DCOLOR, COLOR, 0, 20), D3D_OK},   {E(UNUSED, COLOR, 0, 16), E_FAIL},
        {E(UNUSED, TEXCOORD, 12, 16), E_FAIL}, {E(FLOAT4, SAMPLE, 15, 65532), D3D_OK},
        {E(FLOAT4, SAMPLE, 16, 0), E_FAIL},    {{15, 0, 0, 0, 0, 0}, D3D_OK},
        {{16, 0, 0, 0, 0, 0}, E_FAIL},         {{0xffff, 0, 0, 0, 0, 0}, E_FAIL},
        {{0, 0, 18, 0, 0, 0}, E_FAIL},         {{0, 0, 0, 7, 0, 0}, E_FAIL},
        {{0, 0, 0, 0, 14, 0}, E_FAIL},
    };
    D3DVERTEXELEMENT9 many[D3D9_MAX_ELEMENTS + 2];
    unsigned count;

    (void)unused;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        const D3DVERTEXELEMENT9 elements[] = {E(FLOAT3, POSITION, 0, 0), cases[i].element, D3DDECL_END()};

        assert_int_equal(d3d9_elements_check(elements, &count), cases[i].hr);
    }
    for (unsigned i = 0; i < ARRAY_COUNT(many); i++)
        many[i] = (D3DVERTEXELEMENT9){0, 4 * (WORD)i, D3DDECLTYPE_FLOAT1, 0, D3DDECLUSAGE_TEXCOORD, i % 16};
    many[D3D9_MAX_ELEMENTS + 1] = (D3DVERTEXELEMENT9)D3DDECL_END();
    assert_int_equal(d3d9_elements_check(many, &count), D3DERR_INVALIDCALL);
    many[D3D9_MAX_ELEMENTS] = (D3DVERTEXELEMENT9)D3DDECL_END();
    assert_int_equal(d3d9_elements_check(many, &count), D3D_OK);
    assert_int_equal(count, D3D9_MAX_ELEMENTS);
}

/* --- shaders ------------------------------------------------------------------------------- */

static unsigned reported;

static void report(void *user, unsigned rule, const struct shader_error *broken)
{
    (void)user;
    (void)rule;
    (void)broken;
    reported++;
}

/* Constants that the text cannot name are made by replacing `from` with `to` in the tokens. */
static bool takes(const char *text, uint32_t from, uint32_t to, bool pixel, bool software)
{
    const D3DCAPS9 caps = {.VertexShaderVersion = D3DVS_VERSION(3, 0),
                           .PixelShaderVersion = D3DPS_VERSION(3, 0),
                           .MaxVertexShaderConst = 256,
                           .MaxPixelShader30InstructionSlots = 512,
                           .MaxVertexShader30InstructionSlots = 512};
    struct shader_error error = {0};
    uint32_t code[256];
    const size_t count = shader_assemble(text, code, ARRAY_COUNT(code), &error);
    bool found = !from;

    if (!count)
        fail_msg("%s: %s", text, error.text);
    for (size_t i = 1; i < count && from; i++)
        if ((code[i] & 0x8000ffff) == (from & 0x8000ffff) && (code[i] & 0x70001800) == (from & 0x70001800)) {
            code[i] = (code[i] & ~0x7ffu) | (to & 0x7ff);
            found = true;
        }
    assert_true(found);
    return d3d9_code_is_valid((const DWORD *)code, pixel, &caps, software, report, &error);
}

#define CONST_0 0xa0000000u /* c0 as a parameter */
#define INT_0   0xf0000000u
#define BOOL_0  0xe0000800u

static void test_shader_rules(void **unused)
{
    static const char vs_1[] = "vs_1_1\ndcl_position v0\nadd r0, v0, c0\nmov oPos, r0\n",
                      vs_3[] = "vs_3_0\ndcl_position v0\ndcl_position o0\nadd o0, v0, c0\n",
                      vs_i[] =
                          "vs_3_0\ndcl_position v0\ndcl_position o0\ndefi i0, 1, 1, 1, 1\nmov r0, v0\nrep i0\nadd r0, "
                          "r0, v0\nendrep\nmov o0, r0\n",
                      vs_b[] =
                          "vs_3_0\ndcl_position v0\ndcl_position o0\ndefb b0, true\nmov r0, v0\nif b0\nadd r0, r0, "
                          "v0\nendif\nmov o0, r0\n",
                      ps_1[] = "ps_1_1\ndef c0, 1, 1, 1, 1\nadd r0, v0, c0\n",
                      ps_2[] = "ps_2_0\ndcl v0\ndef c0, 1, 1, 1, 1\nadd r0, v0, c0\nmov oC0, r0\n",
                      ps_3[] = "ps_3_0\ndcl_color v0\ndef c0, 1, 1, 1, 1\nadd oC0, v0, c0\n";

    (void)unused;
    assert_true(takes(vs_1, CONST_0, 255, false, false));
    assert_false(takes(vs_1, CONST_0, 256, false, false));
    assert_true(takes(vs_1, CONST_0, 256, false, true));
    assert_true(takes(vs_3, CONST_0, 255, false, false));
    assert_false(takes(vs_3, CONST_0, 256, false, false));
    assert_true(takes(vs_3, CONST_0, 256, false, true));
    assert_true(takes(vs_i, INT_0, 15, false, false));
    assert_false(takes(vs_i, INT_0, 16, false, false));
    assert_true(takes(vs_b, BOOL_0, 15, false, false));
    assert_false(takes(vs_b, BOOL_0, 16, false, false));
    assert_true(takes(ps_1, CONST_0, 7, true, false));
    assert_false(takes(ps_1, CONST_0, 8, true, false));
    assert_true(takes(ps_2, CONST_0, 31, true, false));
    assert_false(takes(ps_2, CONST_0, 32, true, false));
    assert_true(takes(ps_3, CONST_0, 223, true, false));
    assert_false(takes(ps_3, CONST_0, 224, true, false));
    /* the other stage, for every caller */
    assert_false(takes(vs_3, 0, 0, true, true));
    assert_false(takes(ps_3, 0, 0, false, true));
    /* registers that ps_2_0 lacks */
    assert_false(takes("ps_2_0\ndcl v0\ndefi i0, 1, 1, 1, 1\ndefb b0, true\nmov r0, v0\nrep i0\nif b0\nadd r0, r0, "
                       "v0\nendif\nendrep\nmov oC0, r0\n",
                       0, 0, true, false));
    /* vertex shaders for software */
    assert_false(takes("vs_3_sw\ndcl_position v0\ndcl_position o0\nmov o0, v0\n", 0, 0, false, false));
    assert_true(takes("vs_3_sw\ndcl_position v0\ndcl_position o0\nmov o0, c8191\n", 0, 0, false, true));
}

/* Code that breaks rules that were never enforced is accepted and reported; versions that do not exist are refused. */
static void test_lenient_rules(void **unused)
{
    static const DWORD four[] = {0xffff0400, 0x0000ffff};
    const D3DCAPS9 caps = {.VertexShaderVersion = D3DVS_VERSION(3, 0), .PixelShaderVersion = D3DPS_VERSION(3, 0)};
    struct shader_error error;

    (void)unused;
    reported = 0;
    assert_true(takes("ps_2_0\nadd r0, v0, c0\nmov oC0, r0\n", 0, 0, true, false)); /* no dcl */
    assert_int_not_equal(reported, 0);
    assert_false(d3d9_code_is_valid(four, true, &caps, false, report, &error));
}

/* --- the validator ------------------------------------------------------------------------------ */

static struct {
    unsigned count;
    const char *file[8];
    int line[8];
    DWORD_PTR argument[8], id[8];
    const char *text[8];
} said;

static HRESULT WINAPI hear(const char *file, int line, DWORD_PTR argument, DWORD_PTR id, const char *text,
                           void *context)
{
    assert_ptr_equal(context, &said);
    assert_true(said.count < 8);
    said.file[said.count] = file;
    said.line[said.count] = line;
    said.argument[said.count] = argument;
    said.id[said.count] = id;
    said.text[said.count++] = text;
    return S_OK;
}

static HRESULT show(struct d3d9_validator *v, const char *file, int line, const DWORD *tokens, DWORD count)
{
    memset(&said, 0, sizeof(said));
    return v->vtbl->Instruction(v, file, line, tokens, count);
}

static const DWORD ps_3_0 = 0xffff0300, end_token = 0x0000ffff;
static const DWORD dcl_v9[] = {0x0200001f, 0x80090005, 0x902f0009}, dcl_v10[] = {0x0200001f, 0x80090005, 0x902f000a},
                   mov_v9[] = {0x02000001, 0x80220002, 0x90ff0009}, mov_v10[] = {0x02000001, 0x80220002, 0x90ff000a};

static void test_validator_order(void **unused)
{
    struct d3d9_validator *v = Direct3DShaderValidatorCreate9();
    static const char file[] = "file";

    (void)unused;
    assert_int_equal(v->vtbl->Begin(v, hear, &said, 5), S_OK);
    assert_int_equal(show(v, file, 28, dcl_v9, 3), E_FAIL);
    assert_int_equal(said.count, 2);
    assert_true(said.id[0] == 0xef && said.id[1] == 0xf0 && said.line[0] == -1 && said.line[1] == 0);
    assert_true(!said.file[0] && !said.file[1] && said.text[0] && said.text[1] && said.argument[0] == 5);
    memset(&said, 0, sizeof(said));
    assert_int_equal(v->vtbl->End(v), E_FAIL);
    assert_int_equal(said.count, 0);
    assert_int_equal(v->vtbl->Begin(v, hear, &said, 0), E_FAIL);
    assert_int_equal(said.count, 1);
    assert_true(said.id[0] == 0xeb && said.text[0] && !said.file[0] && !said.line[0]);
    assert_int_equal(v->vtbl->Begin(v, NULL, &said, 0), E_FAIL);
    assert_int_equal(show(v, file, 1, &ps_3_0, 1), E_FAIL);
    assert_int_equal(v->vtbl->AddRef(v), 2);
    assert_int_equal(v->vtbl->Release(v), 1);
    assert_int_equal(v->vtbl->Release(v), 0);
}

static void test_validator_inputs(void **unused)
{
    static const struct {
        const DWORD *tokens;
        DWORD_PTR id;
    } cases[] = {{dcl_v9, 0}, {dcl_v10, 0x12c}, {mov_v9, 0}, {mov_v10, 0x167}};
    struct d3d9_validator *v = Direct3DShaderValidatorCreate9();
    static const char file[] = "file";

    (void)unused;
    for (unsigned i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_int_equal(v->vtbl->Begin(v, hear, &said, 0), S_OK);
        assert_int_equal(show(v, file, 1, &ps_3_0, 1), S_OK);
        assert_int_equal(show(v, file, 3, cases[i].tokens, 3), S_OK);
        assert_int_equal(said.count, cases[i].id != 0);
        if (cases[i].id)
            assert_true(said.id[0] == cases[i].id && said.file[0] == file && said.line[0] == 3 && said.text[0]);
        assert_int_equal(show(v, file, 5, &end_token, 1), S_OK);
        assert_int_equal(said.count, 0);
        assert_int_equal(v->vtbl->End(v), cases[i].id ? E_FAIL : S_OK);
    }
    /* Without a callback, and with invalid tokens. */
    assert_int_equal(v->vtbl->Begin(v, NULL, NULL, 0), S_OK);
    assert_int_equal(show(v, file, 1, &ps_3_0, 1), S_OK);
    assert_int_equal(show(v, file, 2, dcl_v10, 3), S_OK);
    assert_int_equal(show(v, file, 3, dcl_v10, 1), S_OK);
    assert_int_equal(show(v, file, 4, dcl_v10, 0), S_OK);
    assert_int_equal(show(v, file, 5, NULL, 0xffffffff), E_FAIL);
    assert_int_equal(v->vtbl->End(v), E_FAIL);
    assert_int_equal(v->vtbl->End(v), E_FAIL);
    assert_int_equal(v->vtbl->Release(v), 0);
}

/* --- names ---------------------------------------------------------------------------------------- */

static struct {
    HALCYON_DP2MARKER marker;
    char text[4096];
} sent[4096];
static unsigned sent_count;

void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size)
{
    assert_ptr_equal(link, &sent);
    assert_int_equal(token, 201);
    assert_true(sent_count < ARRAY_COUNT(sent) && size % 4 == 0 && size <= sizeof(sent[0]));
    memset(&sent[sent_count], 0, sizeof(sent[0]));
    memcpy(&sent[sent_count], entry, size);
    assert_int_equal(size, sizeof(HALCYON_DP2MARKER) + ((sent[sent_count].marker.dwTextBytes + 3) & ~3u));
    assert_int_equal(strlen(sent[sent_count].text), sent[sent_count].marker.dwTextBytes);
    sent_count++;
}

static void flush_names(void)
{
    sent_count = 0;
    d3d9_perf_send((struct rt_link *)&sent);
}

static void check_sent(unsigned i, enum ddi_marker kind, D3DCOLOR color, const char *text)
{
    assert_int_equal(sent[i].marker.dwKind, kind);
    assert_int_equal(sent[i].marker.Color, color);
    assert_string_equal(sent[i].text, text);
}

static void *say_elsewhere(void *unused)
{
    (void)unused;
    D3DPERF_SetMarker(0, u"other thread");
    assert_int_equal(D3DPERF_EndEvent(), -1);
    return NULL;
}

static void test_names(void **unused)
{
    pthread_t thread;

    (void)unused;
    assert_int_equal(D3DPERF_EndEvent(), -1);
    flush_names();
    assert_int_equal(sent_count, 0);
    assert_int_equal(D3DPERF_BeginEvent(0xff102030, u"Szene"), 0);
    assert_int_equal(D3DPERF_BeginEvent(1, u"Gl\u00e4ser \u20ac \U0001f3ae"), 1);
    D3DPERF_SetMarker(2, NULL);
    D3DPERF_SetRegion(3, (const WCHAR[]){'a', 0xd800, 'b', 0xdc00, 0xdbff, 0});
    assert_int_equal(D3DPERF_EndEvent(), 1);
    assert_int_equal(pthread_create(&thread, NULL, say_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    flush_names();
    assert_int_equal(sent_count, 5);
    check_sent(0, DDI_MARKER_BEGIN, 0xff102030, "Szene");
    check_sent(1, DDI_MARKER_BEGIN, 1, "Gl\xc3\xa4ser \xe2\x82\xac \xf0\x9f\x8e\xae");
    check_sent(2, DDI_MARKER_POINT, 2, "");
    check_sent(3, DDI_MARKER_REGION, 3,
               "a\xef\xbf\xbd"
               "b\xef\xbf\xbd\xef\xbf\xbd");
    check_sent(4, DDI_MARKER_END, 0, "");
    flush_names();
    assert_int_equal(sent_count, 0);
    assert_int_equal(D3DPERF_EndEvent(), 0);
    assert_int_equal(D3DPERF_EndEvent(), -1);
    flush_names();
    assert_int_equal(sent_count, 1);
    assert_false(D3DPERF_QueryRepeatFrame());
    assert_int_equal(D3DPERF_GetStatus(), 0);
}

/* A name without a terminator, and a thread that never draws: the limits hold. */
static void test_many_names(void **unused)
{
    static WCHAR endless[8192];
    size_t bytes = 0;

    (void)unused;
    for (size_t i = 0; i + 1 < ARRAY_COUNT(endless); i++)
        endless[i] = 0x20ac;
    D3DPERF_SetMarker(0, endless);
    flush_names();
    assert_int_equal(sent_count, 1);
    assert_int_equal(sent[0].marker.dwTextBytes, 3 * MAX_NAME);
    for (unsigned i = 0; i < 100000; i++)
        D3DPERF_SetMarker(i, u"again");
    flush_names();
    for (unsigned i = 0; i < sent_count; i++)
        bytes += sizeof(HALCYON_DP2MARKER) + 8;
    assert_true(sent_count > 0 && bytes <= MAX_KEPT);
    assert_int_equal(sent[sent_count - 1].marker.Color, 99999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),         cmocka_unit_test(test_told_formats),
        cmocka_unit_test(test_all_formats),     cmocka_unit_test(test_elements_refused),
        cmocka_unit_test(test_shader_rules),    cmocka_unit_test(test_lenient_rules),
        cmocka_unit_test(test_validator_order), cmocka_unit_test(test_validator_inputs),
        cmocka_unit_test(test_names),           cmocka_unit_test(test_many_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
