/* SPDX-License-Identifier: MIT */
/* Shaders in a draw: all four pairs of fixed and programmable, their links, constants, life cycle. Programs are
 * assembled by hand. */
#include "hal/resource/surface.h"
#include "hal_fixture.h"

/* vs_1_x and ps_1_x operands: swizzle xyzw, all components written. */
#define DST(type, n) (0x800f0000u | (uint32_t)(type) << 28 | (n))
#define SRC(type, n) (0x80e40000u | (uint32_t)(type) << 28 | (n))
#define V(n)         SRC(1, n)
#define C(n)         SRC(2, n)
#define T(n)         SRC(3, n)
#define R(n)         SRC(0, n)
#define O_POS        DST(4, 0)
#define O_FOG        0xc0010001u /* .x */
#define O_PTS        0xc0010002u
#define O_D(n)       DST(5, n)
#define O_T(n)       DST(6, n)
#define MOV          1u
#define MUL          5u
#define ADD          2u
#define TEXCOORD     0x40u
#define TEXKILL      0x41u
#define TEX          0x42u
#define DEF          0x51u
#define VS_1_1       0xfffe0101u
#define PS_1_1       0xffff0101u
#define PS_1_4       0xffff0104u
#define END          0x0000ffffu
#define STREAM(n)    (0x20000000u | (n))
#define REG(r, type) (0x40000000u | (uint32_t)(type) << 16 | (r))
#define DECL_END     0xffffffffu
enum { FLOAT1, FLOAT2, FLOAT3, FLOAT4, COLOR, UBYTE4 };

enum { VERTEX_HANDLE = 3, PIXEL_HANDLE = 5 };

struct vertex {
    float x, y, z;
    uint32_t color;
};
#define FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE)

static const uint32_t declaration[] = {STREAM(0), REG(0, FLOAT3), REG(5, COLOR), DECL_END};

/* The whole target, in clip space. */
static const struct vertex quad[4] = {
    {-1, 1, 0.25f, 0xff204060},
    {1, 1, 0.25f, 0xff204060},
    {-1, -1, 0.25f, 0xff204060},
    {1, -1, 0.25f, 0xff204060},
};

static void create_vertex_shader(struct fixture *f, uint32_t handle, const uint32_t *decl, size_t decl_bytes,
                                 const uint32_t *code, size_t code_bytes)
{
    uint8_t body[1024];
    const uint32_t head[3] = {handle, (uint32_t)decl_bytes, (uint32_t)code_bytes};

    memcpy(body, head, sizeof(head));
    memcpy(body + sizeof(head), decl, decl_bytes);
    memcpy(body + sizeof(head) + decl_bytes, code, code_bytes);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, body, sizeof(head) + decl_bytes + code_bytes);
}

static void create_pixel_shader(struct fixture *f, uint32_t handle, const uint32_t *code, size_t bytes)
{
    uint8_t body[1024];
    const uint32_t head[2] = {handle, (uint32_t)bytes};

    memcpy(body, head, sizeof(head));
    memcpy(body + sizeof(head), code, bytes);
    fixture_put(f, D3DDP2OP_CREATEPIXELSHADER, 1, body, sizeof(head) + bytes);
}

static void put_word(struct fixture *f, uint8_t token, uint32_t word)
{
    fixture_put(f, token, 1, &word, sizeof(word));
}

static void constant(struct fixture *f, uint8_t token, uint32_t reg, float x, float y, float z, float w)
{
    const float values[4] = {x, y, z, w};
    uint32_t body[6] = {reg, 1};

    memcpy(&body[2], values, sizeof(values));
    fixture_put(f, token, 1, body, sizeof(body));
}

static void begin(struct fixture *f)
{
    fixture_clear(f, 0);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_ZENABLE, 0);
    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_vertices(f, FVF, quad, sizeof(quad), sizeof(quad[0]));
}

#define CREATE_VS(f, code) create_vertex_shader(f, VERTEX_HANDLE, declaration, sizeof(declaration), code, sizeof(code))
#define CREATE_PS(f, code) create_pixel_shader(f, PIXEL_HANDLE, code, sizeof(code))

static void expect_all(struct fixture *f, uint32_t color)
{
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 31, 31), color);
    assert_int_equal(fixture_count(f, color), FIXTURE_SIZE * FIXTURE_SIZE);
}

/* --- the four pairs ------------------------------------------------------------------------- */

static void test_fixed_and_stages(void **state)
{
    begin(*state);
    expect_all(*state, 0x204060);
}

static void test_program_and_stages(void **state)
{
    static const uint32_t code[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), C(7), END};
    struct fixture *f = *state;

    begin(f);
    CREATE_VS(f, code);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 7, 2.0f, 0.2f, -1.0f, 1.0f);
    expect_all(f, 0xff3300);
}

static void test_fixed_and_program(void **state)
{
    static const uint32_t code[] = {PS_1_1, ADD, DST(0, 0), V(0), C(1), END};
    struct fixture *f = *state;

    begin(f);
    CREATE_PS(f, code);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    constant(f, D3DDP2OP_SETPIXELSHADERCONST, 1, 0.2f, 0.0f, 0.0f, 0.0f);
    expect_all(f, 0x534060);
    /* orthogonal: without the pixel shader the stages are back */
    put_word(f, D3DDP2OP_SETPIXELSHADER, 0);
    expect_all(f, 0x204060);
}

static void test_transformed_and_program(void **state)
{
    static const uint32_t code[] = {PS_1_1, MOV, DST(0, 0), V(1), END};
    static const struct {
        float x, y, z, rhw;
        uint32_t diffuse, specular;
    } v[4] = {
        {-0.5f, -0.5f, 0, 1, 0xff000000, 0xff112233},
        {63.5f, -0.5f, 0, 1, 0xff000000, 0xff112233},
        {-0.5f, 63.5f, 0, 1, 0xff000000, 0xff112233},
        {63.5f, 63.5f, 0, 1, 0xff000000, 0xff112233},
    };
    struct fixture *f = *state;

    begin(f);
    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR, v, sizeof(v), sizeof(v[0]));
    CREATE_PS(f, code);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    expect_all(f, 0x112233);
}

static void test_program_and_program(void **state)
{
    static const uint32_t vertex[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), V(5), MOV, O_T(2), C(0), END};
    static const uint32_t pixel[] = {PS_1_1, TEXCOORD, DST(3, 2), ADD, DST(0, 0), T(2), V(0), END};
    struct fixture *f = *state;

    begin(f);
    CREATE_VS(f, vertex);
    CREATE_PS(f, pixel);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 0, 0.2f, 0.4f, 0.0f, 0.0f);
    expect_all(f, 0x53a660);
}

/* --- vertices ------------------------------------------------------------------------------- */

/* Registers of a declaration from two streams; registers without a stream are (0, 0, 0, 1). */
static void test_streams(void **state)
{
    static const uint32_t decl[] = {STREAM(0), REG(3, FLOAT3), STREAM(1), REG(0, UBYTE4), REG(9, FLOAT2), DECL_END};
    /* oD0 = v9.xy, 0, 1; v12 is not declared: (0, 0, 0, 1) */
    static const uint32_t code[] = {VS_1_1, MOV, O_POS, V(3), ADD, O_D(0), V(9), V(12), END};
    static const struct {
        uint8_t bytes[4];
        float x, y;
    } second[4] = {{{0}, 0.2f, 0.4f}, {{0}, 0.2f, 0.4f}, {{0}, 0.2f, 0.4f}, {{0}, 0.2f, 0.4f}};
    const uint32_t stream[3] = {1, FIXTURE_TEXTURE, sizeof(second[0])};
    struct fixture *f = *state;
    uint8_t *memory = malloc(sizeof(second));

    begin(f);
    memcpy(memory, second, sizeof(second));
    fixture_buffer(f, FIXTURE_TEXTURE, HAL_BUFFER_VERTEX, memory, sizeof(second));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    create_vertex_shader(f, VERTEX_HANDLE, decl, sizeof(decl), code, sizeof(code));
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    expect_all(f, 0x336600);
    free(memory);
}

/* With a program, planes are in clip space, and the world matrix is ignored. */
static void test_clip_plane(void **state)
{
    static const uint32_t code[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), V(5), END};
    static const float wild[16] = {0, 3, 0, 0, 5, 0, 0, 0, 0, 0, 2, 0, 7, 0, 0, 1};
    const float plane[4] = {1, 0, 0, 0};
    uint32_t body[5] = {1};
    struct fixture *f = *state;

    begin(f);
    fixture_transform(f, D3DTS_VIEW, wild);
    memcpy(&body[1], plane, sizeof(plane));
    fixture_put(f, D3DDP2OP_SETCLIPPLANE, 1, body, sizeof(body));
    fixture_state(f, D3DRS_CLIPPLANEENABLE, 2);
    CREATE_VS(f, code);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 20, 31), 0);
    assert_int_equal(fixture_pixel(f, 40, 31), 0x204060);
}

static void test_point_size(void **state)
{
    static const uint32_t code[] = {VS_1_1, MOV, O_POS, C(1), MOV, O_D(0), V(5), MOV, O_PTS, C(0), END};
    struct fixture *f = *state;

    begin(f);
    fixture_float_state(f, D3DRS_POINTSIZE_MAX, 64.0f);
    CREATE_VS(f, code);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 0, 6.0f, 0, 0, 0);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 1, 0, 0, 0, 1);
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x204060), 36);
}

/* Each indexed vertex is processed once, although more than one batch's worth are named. */
static void test_indexed(void **state)
{
    static const uint32_t code[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), V(5), END};
    struct fixture *f = *state;
    uint16_t indices[600];
    const uint32_t body[6] = {D3DPT_TRIANGLELIST, 0, 0, 4, 0, ARRAY_COUNT(indices) / 3};

    for (unsigned i = 0; i < ARRAY_COUNT(indices); i++)
        indices[i] = (uint16_t)((const uint8_t[6]){0, 1, 2, 2, 1, 3}[i % 6]);
    begin(f);
    fixture_indices(f, indices, sizeof(indices), 2);
    CREATE_VS(f, code);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, body, sizeof(body));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x204060), FIXTURE_SIZE * FIXTURE_SIZE);
}

/* --- fog, kill -------------------------------------------------------------------------------- */

static void test_fog(void **state)
{
    static const uint32_t vertex[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_FOG, C(0), MOV, O_D(0), V(5), END};
    static const uint32_t plain[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), V(5), END};
    static const uint32_t pixel[] = {PS_1_1, MOV, DST(0, 0), C(0), END};
    struct fixture *f = *state;

    begin(f);
    fixture_state(f, D3DRS_FOGENABLE, 1);
    fixture_state(f, D3DRS_FOGCOLOR, 0x0000ff00);
    CREATE_VS(f, vertex);
    CREATE_PS(f, pixel);
    create_vertex_shader(f, 9, declaration, sizeof(declaration), plain, sizeof(plain));
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 0, 0.4f, 0, 0, 0);
    constant(f, D3DDP2OP_SETPIXELSHADERCONST, 0, 1.0f, 0, 0.5f, 1);
    expect_all(f, 0x669933);
    /* oFog is not written: all fog */
    put_word(f, D3DDP2OP_SETVERTEXSHADER, 9);
    expect_all(f, 0x00ff00);
}

/* Table fog after a program depends on the projection, as for fixed-function vertices: eye w when its last column is
 * not that of an affine matrix, else depth. The program itself does not use it. */
static void test_table_fog(void **state)
{
    static const uint32_t vertex[] = {VS_1_1, MUL, O_POS, V(0), C(0), MOV, O_D(0), C(1), END};
    static const float affine[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};
    struct fixture *f = *state;

    begin(f);
    fixture_state(f, D3DRS_FOGENABLE, 1);
    fixture_state(f, D3DRS_FOGCOLOR, 0x0000ff00);
    fixture_state(f, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    fixture_float_state(f, D3DRS_FOGSTART, 2.0f);
    fixture_float_state(f, D3DRS_FOGEND, 6.0f);
    CREATE_VS(f, vertex);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 0, 4, 4, 4, 4);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 1, 1, 0, 0.5f, 1);
    fixture_transform(f, D3DTS_PROJECTION, affine);
    expect_all(f, 0xff0080); /* depth is nearer than the start */
    fixture_transform(f, D3DTS_PROJECTION, perspective);
    expect_all(f, 0x808040); /* w is 4: half fog */
    fixture_transform(f, D3DTS_PROJECTION, affine);
    expect_all(f, 0xff0080);
}

/* Killed pixels write no depth. */
static void test_kill(void **state)
{
    static const uint32_t vertex[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_T(0), V(0), MOV, O_D(0), V(5), END};
    static const uint32_t pixel[] = {PS_1_1, TEXKILL, DST(3, 0), MOV, DST(0, 0), V(0), END};
    struct fixture *f = *state;

    begin(f);
    fixture_state(f, D3DRS_ZENABLE, 1);
    CREATE_VS(f, vertex);
    CREATE_PS(f, pixel);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 40, 20), 0x204060);
    assert_int_equal(fixture_pixel(f, 20, 20), 0);
    assert_int_equal(fixture_pixel(f, 40, 40), 0);
    assert_int_equal(f->depth[20 * FIXTURE_SIZE + 20] >> 8, 0xffffff);
    assert_int_not_equal(f->depth[20 * FIXTURE_SIZE + 40] >> 8, 0xffffff);
}

/* --- constants, life cycle ------------------------------------------------------------------ */

/* Draws of one call use the constants of their time, although all are drawn later. */
static void test_constants_between_draws(void **state)
{
    static const uint32_t vertex[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), C(3), END};
    static const uint32_t pixel[] = {PS_1_1, ADD, DST(0, 0), V(0), C(0), END};
    struct fixture *f = *state;

    begin(f);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_ONE);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ONE);
    CREATE_VS(f, vertex);
    CREATE_PS(f, pixel);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    for (unsigned i = 0; i < 2; i++) {
        constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 3, i ? 0.2f : 0.0f, 0, 0, 0);
        constant(f, D3DDP2OP_SETPIXELSHADERCONST, 0, 0, i ? 0.0f : 0.4f, 0, 0);
        if (i == 0)
            fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    }
    expect_all(f, 0x336600);
}

/* def and the declaration's constants are in effect once the shader is set; def does not affect other shaders. */
static void test_defined_constants(void **state)
{
    static const uint32_t decl[] = {STREAM(0),  REG(0, FLOAT3), 0x80000004u | 1u << 25, 0x3e4ccccd, 0, 0x3f800000,
                                    0x3f800000, DECL_END};                              /* c4 = 0.2, 0, 1, 1 */
    static const uint32_t code[] = {VS_1_1, DEF,   DST(2, 5), 0,   0x3ecccccd, 0,    0, /* c5.y = 0.4 */
                                    MOV,    O_POS, V(0),      MOV, DST(0, 0),  C(5), ADD, O_D(0), R(0), C(4), END};
    struct fixture *f = *state;

    begin(f);
    create_vertex_shader(f, VERTEX_HANDLE, decl, sizeof(decl), code, sizeof(code));
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    expect_all(f, 0x3366ff);
    constant(f, D3DDP2OP_SETVERTEXSHADERCONST, 4, 0, 0, 0, 1);
    expect_all(f, 0x006600);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    expect_all(f, 0x3366ff);
}

static void test_deleting_the_current(void **state)
{
    static const uint32_t vertex[] = {VS_1_1, MOV, O_POS, V(0), MOV, O_D(0), C(0), END};
    static const uint32_t pixel[] = {PS_1_1, MOV, DST(0, 0), C(0), END};
    struct fixture *f = *state;

    begin(f);
    CREATE_VS(f, vertex);
    CREATE_PS(f, pixel);
    constant(f, D3DDP2OP_SETPIXELSHADERCONST, 0, 1, 1, 0, 1);
    put_word(f, D3DDP2OP_SETPIXELSHADER, PIXEL_HANDLE);
    expect_all(f, 0xffff00);
    /* deleted while a waiting scene uses it */
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    put_word(f, D3DDP2OP_DELETEPIXELSHADER, PIXEL_HANDLE);
    assert_int_equal(fixture_run(f), DD_OK);
    expect_all(f, 0x204060);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    put_word(f, D3DDP2OP_DELETEVERTEXSHADER, VERTEX_HANDLE);
    fixture_clear(f, 0x123456);
    expect_all(f, 0x123456); /* nothing is drawn */
}

static void test_creation_fails(void **state)
{
    static const uint32_t no_end[] = {VS_1_1, MOV, O_POS, V(0)};
    static const uint32_t wrong_kind[] = {PS_1_1, MOV, DST(0, 0), V(0), END};
    static const uint32_t wrong_version[] = {0xfffe0900, MOV, O_POS, V(0), END};
    struct fixture *f = *state;

    CREATE_VS(f, no_end);
    assert_int_not_equal(fixture_run(f), DD_OK);
    CREATE_VS(f, wrong_kind);
    assert_int_not_equal(fixture_run(f), DD_OK);
    CREATE_VS(f, wrong_version);
    assert_int_not_equal(fixture_run(f), DD_OK);
    CREATE_PS(f, no_end);
    assert_int_not_equal(fixture_run(f), DD_OK);
    /* a shader whose creation failed does not exist */
    begin(f);
    put_word(f, D3DDP2OP_SETVERTEXSHADER, VERTEX_HANDLE);
    expect_all(f, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_fixed_and_stages),
        fixture_test(test_program_and_stages),
        fixture_test(test_fixed_and_program),
        fixture_test(test_transformed_and_program),
        fixture_test(test_program_and_program),
        fixture_test(test_streams),
        fixture_test(test_clip_plane),
        fixture_test(test_point_size),
        fixture_test(test_indexed),
        fixture_test(test_fog),
        fixture_test(test_table_fog),
        fixture_test(test_kill),
        fixture_test(test_constants_between_draws),
        fixture_test(test_defined_constants),
        fixture_test(test_deleting_the_current),
        fixture_test(test_creation_fails),
    };

    return cmocka_run_group_tests_name("shaders in a draw", tests, NULL, NULL);
}
