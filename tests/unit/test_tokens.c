/* SPDX-License-Identifier: MIT */
/* Tokens of DirectX 8.1 and 9, shader life cycle, queries, state block lists, and the bound on the work of a call. */
#include "d3d/extension.h"
#include "d3d/states.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"
#include "hal/state/values.h"
#include "hal_fixture.h"

struct tl_vertex {
    float x, y, z, rhw;
    uint32_t color;
};

/* A square of transformed vertices as a strip; turned: counter-clockwise. */
static void put_square(struct fixture *f, float left, float top, float size, float z, uint32_t color, bool turned)
{
    const float a = turned ? left + size : left, b = turned ? left : left + size;
    const struct tl_vertex v[4] = {
        {a, top + size, z, 1, color}, {a, top, z, 1, color}, {b, top + size, z, 1, color}, {b, top, z, 1, color}};

    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
}

static void draw_square(struct fixture *f, float left, float top, float size, float z, uint32_t color, bool turned)
{
    put_square(f, left, top, size, z, color, turned);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
}

static void plain_states(struct fixture *f)
{
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_ZENABLE, 0);
    fixture_stage(f, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    fixture_stage(f, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    fixture_clear(f, 0);
}

/* --- scissor ---------------------------------------------------------------------------- */

static void test_scissor(void **state)
{
    struct fixture *f = *state;
    const int32_t rect[4] = {8, 16, 24, 20}, hostile[4] = {-5, INT32_MIN, INT32_MAX, 1 << 30};

    plain_states(f);
    fixture_put(f, D3DDP2OP_SETSCISSORRECT, 1, rect, sizeof(rect));
    fixture_state(f, D3D_RS_SCISSORTESTENABLE, 1);
    draw_square(f, 0, 0, 64, 0.5f, 0xffff0000, false);
    assert_int_equal(fixture_count(f, 0xff0000), 16 * 4);
    assert_int_equal(fixture_pixel(f, 8, 16), 0xff0000);
    fixture_clear(f, 0x00ff00); /* clears are scissored too */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 16 * 4);
    fixture_put(f, D3DDP2OP_SETSCISSORRECT, 1, hostile, sizeof(hostile));
    draw_square(f, 0, 0, 64, 0.5f, 0xff0000ff, false);
    assert_int_equal(fixture_count(f, 0x0000ff), 64 * 64);
    fixture_put(f, D3DDP2OP_SETSCISSORRECT, 1, rect, sizeof(rect));
    fixture_state(f, D3D_RS_SCISSORTESTENABLE, 0);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false);
    assert_int_equal(fixture_count(f, 0xffffff), 64 * 64);
}

/* --- render states of DirectX 9 ----------------------------------------------------------- */

static void test_separate_alpha_blend(void **state)
{
    struct fixture *f = *state;

    plain_states(f);
    fixture_clear(f, 0x80102030);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_ONE);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ONE);
    fixture_state(f, D3D_RS_SEPARATEALPHABLENDENABLE, 1);
    fixture_state(f, D3D_RS_SRCBLENDALPHA, D3DBLEND_ZERO);
    fixture_state(f, D3D_RS_DESTBLENDALPHA, D3DBLEND_ONE);
    draw_square(f, 0, 0, 64, 0.5f, 0xff010203, false);
    assert_int_equal(f->color[0], 0x80112233);
    fixture_state(f, D3D_RS_SEPARATEALPHABLENDENABLE, 0);
    draw_square(f, 0, 0, 64, 0.5f, 0x10000000, false);
    assert_int_equal(f->color[0], 0x90112233);
}

static void test_blend_factor(void **state)
{
    struct fixture *f = *state;

    plain_states(f);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_SRCBLEND, 14 /* BLENDFACTOR */);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ZERO);
    fixture_state(f, D3D_RS_BLENDFACTOR, 0xff00ff33);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false);
    assert_int_equal(f->color[0], 0xff00ff33);
    fixture_state(f, D3DRS_SRCBLEND, 15 /* INVBLENDFACTOR */);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false);
    assert_int_equal(f->color[0], 0x00ff00cc);
}

/* Clockwise faces count up by the plain states, counter-clockwise ones down by their own. */
static void test_two_sided_stencil(void **state)
{
    struct fixture *f = *state;

    plain_states(f);
    fixture_state(f, D3DRS_STENCILENABLE, 1);
    fixture_state(f, D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
    fixture_state(f, D3D_RS_TWOSIDEDSTENCILMODE, 1);
    fixture_state(f, D3D_RS_CCW_STENCILPASS, D3DSTENCILOP_DECR);
    draw_square(f, 0, 0, 64, 0.5f, 0, false);
    draw_square(f, 0, 0, 64, 0.5f, 0, false);
    assert_int_equal(f->depth[0] & 255, 2);
    draw_square(f, 0, 0, 64, 0.5f, 0, true);
    assert_int_equal(f->depth[0] & 255, 1);
    fixture_state(f, D3D_RS_TWOSIDEDSTENCILMODE, 0);
    draw_square(f, 0, 0, 64, 0.5f, 0, true);
    assert_int_equal(f->depth[0] & 255, 2);
}

static void test_depth_bias(void **state)
{
    struct fixture *f = *state;

    plain_states(f);
    fixture_state(f, D3DRS_ZENABLE, 1);
    fixture_state(f, D3DRS_ZFUNC, D3DCMP_LESS);
    draw_square(f, 0, 0, 64, 0.5f, 0xff0000ff, false);
    draw_square(f, 0, 0, 64, 0.5f, 0xffff0000, false);
    assert_int_equal(fixture_count(f, 0xff0000), 0);
    fixture_float_state(f, D3D_RS_DEPTHBIAS, -0.001f);
    draw_square(f, 0, 0, 64, 0.5f, 0xffff0000, false);
    assert_int_equal(fixture_count(f, 0xff0000), 64 * 64);
    assert_in_range(f->depth[0] >> 8, (uint32_t)(0.4989f * 16777215), (uint32_t)(0.4991f * 16777215));
    fixture_float_state(f, D3D_RS_DEPTHBIAS, 0.1f);
    draw_square(f, 0, 0, 64, 0.5f, 0xff00ff00, false);
    assert_int_equal(fixture_count(f, 0x00ff00), 0);
}

/* --- shaders -------------------------------------------------------------------------------- */

/* vs_1_1: def c4; mov oPos, v0 */
static const uint32_t vertex_code[] = {0xfffe0101, 0x51,       0xa00f0004, 0x3f800000, 0x40000000, 0x40400000,
                                       0x40800000, 0x00000001, 0xc00f0000, 0x90e40000, 0x0000ffff};
/* ps_1_1: def c1; mov r0, c1 */
static const uint32_t pixel_code[] = {0xffff0101, 0x51,       0xa00f0001, 0x3f000000, 0x3f000000, 0x3f000000,
                                      0x3f000000, 0x00000001, 0x800f0000, 0xa0e40001, 0x0000ffff};
/* stream 0, v0 is a float3, constants c7 = 1, 2, 3, 4, end */
static const uint32_t declaration[] = {0x20000000, 0x40020000, 0x82000007, 0x3f800000,
                                       0x40000000, 0x40400000, 0x40800000, 0xffffffff};

static void put_vertex_shader(struct fixture *f, uint32_t handle, const uint32_t *decl, uint32_t decl_bytes,
                              const uint32_t *code, uint32_t code_bytes)
{
    uint8_t body[256];
    const uint32_t head[3] = {handle, decl_bytes, code_bytes};

    memcpy(body, head, 12);
    memcpy(body + 12, decl, decl_bytes);
    memcpy(body + 12 + decl_bytes, code, code_bytes);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, body, 12 + decl_bytes + code_bytes);
}

static void put_code(struct fixture *f, uint8_t token, uint32_t handle, const uint32_t *code, uint32_t bytes)
{
    uint8_t body[256];

    memcpy(body, &handle, 4);
    memcpy(body + 4, &bytes, 4);
    memcpy(body + 8, code, bytes);
    fixture_put(f, token, 1, body, 8 + bytes);
}

static void put_handle(struct fixture *f, uint8_t token, uint32_t handle)
{
    fixture_put(f, token, 1, &handle, 4);
}

static void test_vertex_shader_life(void **state)
{
    struct fixture *f = *state;
    const struct hal_constants *c = &f->context->vertex_constants;

    put_vertex_shader(f, 5, declaration, sizeof(declaration), vertex_code, sizeof(vertex_code));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->vertex_shader, 0); /* creating does not select */
    assert_true(c->f[4][0] == 0 && c->f[7][0] == 0);
    put_handle(f, D3DDP2OP_SETPIXELSHADER, 9);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, 5);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(c->f[4][1] == 2 && c->f[7][3] == 4 && c->f[5][0] == 0);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ); /* pixel shaders stay, constants too */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->pixel_shader, 9);
    assert_true(c->f[4][1] == 2);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, 5);
    put_handle(f, D3DDP2OP_DELETEVERTEXSHADER, 5);
    put_handle(f, D3DDP2OP_DELETEVERTEXSHADER, 5);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->vertex_shader, 0);
    assert_int_equal(f->context->shaders.vertex_shaders.count, 0);
    assert_int_equal(f->context->shaders.bytes, 0);
}

static void test_no_vertex_shader_forgets_streams(void **state)
{
    struct fixture *f = *state;

    put_square(f, 0, 0, 8, 0, 0, false);
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, 0);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->stream[0].handle, 0);
    assert_int_equal(f->context->stream[0].stride, 0);
}

static void test_bad_code(void **state)
{
    struct fixture *f = *state;
    const uint32_t no_end[] = {0xfffe0101, 0x00000001, 0xc00f0000, 0x90e40000};
    const uint32_t long_comment[] = {0xfffe0101, 0x7ffffffe, 0x0000ffff};
    const uint32_t wrong_kind[] = {0xffff0101, 0x0000ffff};
    const uint32_t end_only[] = {0x0000ffff};

    put_vertex_shader(f, 5, declaration, sizeof(declaration), no_end, sizeof(no_end));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_vertex_shader(f, 5, declaration, sizeof(declaration), long_comment, sizeof(long_comment));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_code(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, 5, wrong_kind, sizeof(wrong_kind));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 5, end_only, sizeof(end_only));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 0, pixel_code, sizeof(pixel_code));
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    assert_int_equal(f->context->shaders.bytes, 0);
}

static void test_pixel_shader_life(void **state)
{
    struct fixture *f = *state;

    put_code(f, D3DDP2OP_CREATEPIXELSHADER, 8, pixel_code, sizeof(pixel_code));
    put_handle(f, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ);
    put_handle(f, D3DDP2OP_SETPIXELSHADER, 8);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(f->context->pixel_constants.f[1][2] == 0.5f);
    put_handle(f, D3DDP2OP_DELETEPIXELSHADER, 8);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->pixel_shader, 0);
    assert_int_equal(f->context->vertex_shader, D3DFVF_XYZ);
}

static void put_constants(struct fixture *f, uint8_t token, uint32_t first, uint32_t count, unsigned bytes)
{
    uint8_t body[8 + 64] = {0};

    memcpy(body, &first, 4);
    memcpy(body + 4, &count, 4);
    memset(body + 8, 3, sizeof(body) - 8);
    fixture_put(f, token, 1, body, 8 + (size_t)count * bytes);
}

static void test_constants(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint8_t token;
        uint32_t limit, bytes;
    } banks[] = {
        {D3DDP2OP_SETVERTEXSHADERCONST, 256, 16}, {D3DDP2OP_SETPIXELSHADERCONST, 224, 16},
        {D3DDP2OP_SETVERTEXSHADERCONSTI, 16, 16}, {D3DDP2OP_SETPIXELSHADERCONSTI, 16, 16},
        {D3DDP2OP_SETVERTEXSHADERCONSTB, 16, 4},  {D3DDP2OP_SETPIXELSHADERCONSTB, 16, 4},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(banks); i++) {
        put_constants(f, banks[i].token, banks[i].limit - 2, 2, banks[i].bytes);
        put_constants(f, banks[i].token, banks[i].limit, 0, banks[i].bytes);
        assert_int_equal(fixture_run(f), DD_OK);
        put_constants(f, banks[i].token, banks[i].limit - 1, 2, banks[i].bytes);
        assert_int_equal(fixture_run(f), E_INVALIDARG);
        put_constants(f, banks[i].token, 0xffffffff, 1, banks[i].bytes);
        assert_int_equal(fixture_run(f), E_INVALIDARG);
    }
    assert_int_equal(f->context->vertex_constants.i[15][3], 0x03030303);
    assert_int_equal(f->context->vertex_constants.b[15], 1);
    assert_int_equal(f->context->pixel_constants.b[13], 0);
}

/* Registers of software vertex processing: there from the first use on, in contexts of DirectX 9. */
static void test_software_constants(void **state)
{
    struct fixture *f = *state;
    const struct hal_constants *c = &f->context->vertex_constants;

    f->context->level = DDI_LEVEL_DX9;
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8192, 0, 16);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 254, 2, 16);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->float_count, HAL_VERTEX_CONSTANTS); /* no memory for those that nobody uses */
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 255, 2, 16);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(c->float_count > 256 && c->float_count < 1024);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8190, 2, 16);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->float_count, HAL_SOFTWARE_CONSTANTS);
    assert_true(c->f[254][0] != 0 && c->f[256][3] != 0 && c->f[257][0] == 0 && c->f[8189][3] == 0 &&
                c->f[8191][3] != 0);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8191, 2, 16);
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_constants(f, D3DDP2OP_SETVERTEXSHADERCONST, 8192, 1, 16);
    assert_int_equal(fixture_run(f), E_INVALIDARG);
    put_constants(f, D3DDP2OP_SETPIXELSHADERCONST, 224, 1, 16);
    assert_int_equal(fixture_run(f), E_INVALIDARG);
}

/* --- declarations of DirectX 9 ---------------------------------------------------------------- */

struct element {
    uint16_t stream, offset;
    uint8_t type, method, usage, index;
};
static const struct element element_end = {0xff, 0, 17, 0, 0, 0};

static HRESULT create_declaration(struct fixture *f, uint32_t handle, const struct element *elements, uint32_t count)
{
    uint8_t body[8 + 80 * sizeof(*elements)];

    memcpy(body, &handle, 4);
    memcpy(body + 4, &count, 4);
    memcpy(body + 8, elements, count * sizeof(*elements));
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, body, 8 + count * sizeof(*elements));
    return fixture_run(f);
}

static void test_bad_elements(void **state)
{
    struct fixture *f = *state;
    const struct element good = {0, 0, 2, 0, 0, 0};
    const struct element bad[] = {{16, 0, 2, 0, 0, 0}, {0, 2, 2, 0, 0, 0},  {0, 0, 17, 0, 0, 0},
                                  {0, 0, 2, 7, 0, 0},  {0, 0, 2, 0, 14, 0}, {0, 0, 2, 0, 0, 16}};
    struct element two[2] = {good, good}, many[66];

    for (unsigned i = 0; i < ARRAY_COUNT(bad); i++)
        assert_int_equal(create_declaration(f, 3, &bad[i], 1), E_INVALIDARG);
    assert_int_equal(create_declaration(f, 3, two, 2), DD_OK); /* one meaning twice */
    assert_int_equal(create_declaration(f, 4, &good, 1), E_INVALIDARG);
    for (unsigned i = 0; i < ARRAY_COUNT(many); i++)
        many[i] = (struct element){0, 0, 2, 0, 13, (uint8_t)(i & 15)};
    assert_int_equal(create_declaration(f, 3, many, 66), E_INVALIDARG);
    two[1] = element_end;
    assert_int_equal(create_declaration(f, 3, two, 2), DD_OK);
    put_handle(f, D3DDP2OP_SETVERTEXSHADERDECL, 3);
    put_handle(f, D3DDP2OP_DELETEVERTEXSHADERDECL, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->vertex_shader, 0);
}

/* POSITIONT as floats, colour as UBYTE4N, in one stream. */
static void set_declaration(struct fixture *f, const struct element *elements, uint32_t count)
{
    assert_int_equal(create_declaration(f, 3, elements, count), DD_OK);
    put_handle(f, D3DDP2OP_SETVERTEXSHADERDECL, 3);
    put_handle(f, D3DDP2OP_SETVERTEXSHADERFUNC, 0);
}

static void test_packed_elements(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {0, 16, 8, 0, 10, 0}, element_end};

    plain_states(f);
    put_square(f, 0, 0, 64, 0.5f, 0xff0000ff /* as bytes: red, opaque */, false);
    set_declaration(f, elements, 3);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->color[0], 0xffff0000);
}

static void put_frequency(struct fixture *f, uint32_t stream, uint32_t divider)
{
    const uint32_t body[2] = {stream, divider};

    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, body, sizeof(body));
}

/* Three squares from one, with a colour of its own each. */
static void test_instances(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {1, 0, 4, 0, 10, 0}, element_end};
    const uint16_t indices[4] = {0, 1, 2, 3};
    uint32_t colors[3] = {0xff0000ff, 0xff00ff00, 0xffff0000};
    const uint32_t stream[3] = {1, FIXTURE_TEXTURE, 4};
    const uint32_t draw[6] = {D3DPT_TRIANGLESTRIP, 0, 0, 4, 0, 2};

    plain_states(f);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ONE);
    put_square(f, 0, 0, 64, 0.5f, 0, false);
    set_declaration(f, elements, 3);
    fixture_indices(f, indices, sizeof(indices), 2);
    fixture_surface(f, FIXTURE_TEXTURE, HAL_SURFACE_VERTEX_BUFFER, colors, sizeof(colors));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    put_frequency(f, 0, 0x40000003);
    put_frequency(f, 1, 0x80000001);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->color[0] & 0xffffff, 0xffffff);
    fixture_clear(f, 0);
    put_frequency(f, 1, 0x80000002); /* two repetitions share one */
    put_frequency(f, 0, 0x40000002);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->color[0] & 0xffffff, 0x0000ff);
    put_frequency(f, 0, 0x7fffffff); /* an endless number is cut short */
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    f->context->driver->work_per_call = 1 << 24;
    assert_int_equal(fixture_run(f), HAL_TOO_MUCH_WORK);
}

/* Programs for shaders of model 2 announce instancing before they set stream frequencies: points keep their size. */
static void test_instancing_name(void **state)
{
    struct fixture *f = *state;
    const float size = 5;

    fixture_float_state(f, D3DRS_POINTSIZE, size);
    fixture_state(f, D3DRS_POINTSIZE, EXTENSION_INSTANCING);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_memory_equal(&f->context->render_state[D3DRS_POINTSIZE], &size, sizeof(size));
}

/* Without indices a divider gives one element to several vertices in a row. */
static void test_divider(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, 3, 0, 9, 0}, {1, 0, 4, 0, 10, 0}, element_end};
    uint32_t colors[2] = {0xff0000ff, 0xff00ff00};
    const uint32_t stream[3] = {1, FIXTURE_TEXTURE, 4};
    struct tl_vertex v[6] = {{0, 0, 0, 1, 0},  {64, 0, 0, 1, 0},  {0, 64, 0, 1, 0},
                             {64, 0, 0, 1, 0}, {64, 64, 0, 1, 0}, {0, 64, 0, 1, 0}};

    plain_states(f);
    fixture_vertices(f, D3DFVF_XYZRHW, v, sizeof(v), sizeof(v[0]));
    set_declaration(f, elements, 3);
    fixture_surface(f, FIXTURE_TEXTURE, HAL_SURFACE_VERTEX_BUFFER, colors, sizeof(colors));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    put_frequency(f, 1, 3);
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 2);
    fixture_draw(f, D3DPT_TRIANGLELIST, 3, 100); /* cut to what there is */
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 1, 1), 0x0000ff);
    assert_int_equal(fixture_pixel(f, 62, 62), 0x00ff00);
}

/* --- queries --------------------------------------------------------------------------------------- */

static void put_pair(struct fixture *f, uint8_t token, uint32_t a, uint32_t b)
{
    const uint32_t body[2] = {a, b};

    fixture_put(f, token, 1, body, sizeof(body));
}

static uint32_t read_word(const uint8_t *p, size_t at)
{
    return dp2_read_u32(p + at);
}

static void test_occlusion(void **state)
{
    struct fixture *f = *state;
    uint8_t answer[64];

    plain_states(f);
    put_pair(f, D3DDP2OP_CREATEQUERY, 77, 9);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 77, 2);
    put_square(f, 0, 0, 16, 0.5f, 0xffffffff, false);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 77, 1);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(hal_context_respond(f->context, answer, sizeof(answer)), 8 + 8 + 4);
    assert_int_equal(answer[0], D3DDP2OP_RESPONSEQUERY);
    assert_int_equal(dp2_read_u16(answer + 2), 1);
    assert_int_equal(read_word(answer, 4), 20);
    assert_int_equal(read_word(answer, 8), 77);
    assert_int_equal(read_word(answer, 12), 4);
    assert_int_equal(read_word(answer, 16), 16 * 16);
    assert_int_equal(hal_context_respond(f->context, answer, sizeof(answer)), 0);
}

static void test_query_types(void **state)
{
    struct fixture *f = *state;
    static const uint8_t types[] = {4, 6, 8, 9, 10, 11, 12}, sizes[] = {16, 8, 4, 4, 8, 4, 8};
    uint8_t answer[256];
    size_t at = 8;

    for (uint32_t i = 0; i < ARRAY_COUNT(types); i++) {
        put_pair(f, D3DDP2OP_CREATEQUERY, i, types[i]);
        put_pair(f, D3DDP2OP_ISSUEQUERY, i, 3);
    }
    assert_int_equal(fixture_run(f), DD_OK);
    const size_t length = hal_context_respond(f->context, answer, sizeof(answer));

    assert_int_equal(dp2_read_u16(answer + 2), ARRAY_COUNT(types));
    assert_int_equal(read_word(answer, 4), length);
    for (uint32_t i = 0; i < ARRAY_COUNT(types); i++) {
        assert_int_equal(read_word(answer, at), i);
        assert_int_equal(read_word(answer, at + 4), sizes[i]);
        if (types[i] == 8)
            assert_int_equal(read_word(answer, at + 8), 1);
        if (types[i] == 11)
            assert_int_equal(read_word(answer, at + 8), 0);
        at += 8 + sizes[i];
    }
    assert_int_equal(at, length);
    put_pair(f, D3DDP2OP_CREATEQUERY, 50, 5);
    assert_true(FAILED(fixture_run(f)));
    put_pair(f, D3DDP2OP_ISSUEQUERY, 4711, 1); /* unknown: ignored */
    assert_int_equal(fixture_run(f), DD_OK);
}

/* Answers that find no room come with the next call. */
static void test_response_continues(void **state)
{
    struct fixture *f = *state;
    uint8_t answer[40];
    unsigned told = 0, rounds = 0;

    for (uint32_t i = 0; i < 10; i++) {
        put_pair(f, D3DDP2OP_CREATEQUERY, i, 8);
        put_pair(f, D3DDP2OP_ISSUEQUERY, i, 1);
    }
    put_handle(f, D3DDP2OP_DELETEQUERY, 9);
    assert_int_equal(fixture_run(f), DD_OK);
    for (size_t length; (length = hal_context_respond(f->context, answer, sizeof(answer))) > 0; rounds++) {
        assert_true(length <= sizeof(answer));
        assert_int_equal(read_word(answer, 8), told);
        told += dp2_read_u16(answer + 2);
        assert_int_equal(answer[length - 8] == D3DDP2OP_RESPONSECONTINUE, told < 9);
    }
    assert_int_equal(told, 9);
    assert_int_equal(rounds, 5);
    assert_int_equal(hal_context_respond(f->context, answer, 4), 0);
}

/* --- targets ------------------------------------------------------------------------------------------ */

static void test_more_targets(void **state)
{
    struct fixture *f = *state;
    static _Alignas(64) uint32_t pixels[FIXTURE_SIZE * FIXTURE_SIZE];

    memset(pixels, 0, sizeof(pixels));
    fixture_image(f, FIXTURE_TEXTURE, HAL_SURFACE_COLOR, pixels, RASTER_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    put_pair(f, D3DDP2OP_SETRENDERTARGET2, 1, FIXTURE_TEXTURE);
    fixture_clear(f, 0x123456);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(pixels[5] & 0xffffff, 0x123456);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false); /* one output: the second target keeps */
    assert_int_equal(pixels[5] & 0xffffff, 0x123456);
    put_pair(f, D3DDP2OP_SETRENDERTARGET2, 1, 0);
    fixture_clear(f, 0);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(pixels[5] & 0xffffff, 0x123456);
    put_pair(f, D3DDP2OP_SETRENDERTARGET2, 4, FIXTURE_TEXTURE);
    assert_int_equal(fixture_run(f), DDERR_INVALIDPARAMS);
    put_pair(f, D3DDP2OP_SETRENDERTARGET2, 1, FIXTURE_DEPTH);
    assert_int_equal(fixture_run(f), DDERR_INVALIDPARAMS);
    put_pair(f, D3DDP2OP_SETRENDERTARGET2, 2, FIXTURE_TEXTURE);
    f->surface[FIXTURE_TEXTURE].width = 32; /* another size: left out, nothing written outside */
    fixture_clear(f, 0x00ff00);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false);
    assert_int_equal(fixture_count(f, 0xffffff), 64 * 64);
    hal_context_flush(f->context);
}

/* --- fans --------------------------------------------------------------------------------------------- */

/* Two fans in one token; in wireframe only edges whose bit is set are drawn. */
static void test_clipped_fans(void **state)
{
    struct fixture *f = *state;
    const struct tl_vertex v[8] = {{2, 2, 0, 1, ~0u},   {22, 2, 0, 1, ~0u},  {22, 22, 0, 1, ~0u}, {2, 22, 0, 1, ~0u},
                                   {32, 32, 0, 1, ~0u}, {52, 32, 0, 1, ~0u}, {52, 52, 0, 1, ~0u}, {32, 52, 0, 1, ~0u}};
    const uint32_t fans[6] = {0, 0xf, 2, 4 * sizeof(v[0]), 0x1, 2};

    plain_states(f);
    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
    fixture_put(f, D3DDP2OP_CLIPPEDTRIANGLEFAN, 2, fans, sizeof(fans));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xffffff), 2 * 20 * 20);
    fixture_clear(f, 0);
    fixture_state(f, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    fixture_put(f, D3DDP2OP_CLIPPEDTRIANGLEFAN, 2, fans, sizeof(fans));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 12, 2), 0xffffff); /* all four edges of the first */
    assert_int_equal(fixture_pixel(f, 2, 12), 0xffffff);
    assert_int_equal(fixture_pixel(f, 22, 12), 0xffffff);
    assert_int_equal(fixture_pixel(f, 12, 22), 0xffffff);
    assert_int_equal(fixture_pixel(f, 12, 12), 0);        /* not the diagonal */
    assert_int_equal(fixture_pixel(f, 42, 32), 0xffffff); /* the first edge of the second */
    assert_int_equal(fixture_pixel(f, 32, 42), 0);
    assert_int_equal(fixture_pixel(f, 52, 42), 0);
}

/* A negative base that the indices bring back into the buffer. */
static void test_negative_base(void **state)
{
    struct fixture *f = *state;
    const uint16_t indices[4] = {10, 11, 12, 13};
    const int32_t draw[6] = {D3DPT_TRIANGLESTRIP, -10 * (int)sizeof(struct tl_vertex), 10, 4, 2 * 0, 2};
    const int32_t draw9[6] = {D3DPT_TRIANGLESTRIP, -10, 0, 0xffff, 0, 2};

    plain_states(f);
    put_square(f, 0, 0, 8, 0.5f, 0xffff0000, false);
    fixture_indices(f, indices, sizeof(indices), 2);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE2, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 64);
    put_square(f, 0, 0, 8, 0.5f, 0xff00ff00, false);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw9, sizeof(draw9));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
}

/* With user memory as stream 0 the other streams are not looked at. */
static void test_user_memory(void **state)
{
    struct fixture *f = *state;
    const struct tl_vertex v[3] = {{0, 0, 0, 1, 0xffff0000}, {64, 0, 0, 1, 0xffff0000}, {0, 64, 0, 1, 0xffff0000}};
    const uint32_t um[2] = {0, sizeof(v[0])}, other[3] = {1, FIXTURE_TARGET, 4}, unbind[3] = {0, 0, 0};
    const uint32_t fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;

    plain_states(f);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, 4);
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, other, sizeof(other));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEUM, 1, um, sizeof(um));
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    f->execute.vertices = (const uint8_t *)v;
    f->execute.vertex_bytes = sizeof(v);
    f->execute.vertex_count = 3;
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 1, 1), 0xff0000);
    fixture_clear(f, 0);
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, unbind, sizeof(unbind)); /* handle 0: unbound, drawn as nothing */
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 0);
}

/* --- state blocks -------------------------------------------------------------------------------------- */

/* The DirectX 8 DDI document's lists for each type, as numbers: render states, then stage states. */
static const uint8_t all_states[] = {7,   8,   9,   10,  14,  15,  16,  19,  20,  22,  23,  24,  25,  26,  27,
                                     28,  29,  33,  34,  35,  36,  37,  38,  40,  47,  48,  52,  53,  54,  55,
                                     56,  57,  58,  59,  60,  128, 129, 130, 131, 132, 133, 134, 135, 136, 137,
                                     139, 140, 141, 142, 143, 145, 146, 147, 148, 151, 152, 153, 154, 155, 156,
                                     157, 158, 159, 160, 161, 162, 163, 164, 166, 167, 168, 170, 171};
static const uint8_t vertex_states[] = {9,   22,  28,  29,  34,  35,  36,  37,  38,  48,  136, 137, 139,
                                        140, 141, 142, 143, 145, 146, 147, 148, 151, 152, 153, 154, 155,
                                        156, 157, 158, 159, 160, 161, 162, 163, 164, 166, 167, 170};
static const uint8_t pixel_states[] = {7,  8,  9,  10,  14,  15,  16,  19,  20,  23,  24,  25,  26,
                                       27, 33, 36, 37,  38,  40,  47,  52,  53,  54,  55,  56,  57,
                                       58, 59, 60, 128, 129, 130, 131, 132, 133, 134, 135, 168, 171};
static const uint8_t all_stages[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 13, 14, 15,
                                     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
static const uint8_t vertex_stages[] = {11, 24};

static bool is_in(const uint8_t *list, size_t count, unsigned number)
{
    return memchr(list, (int)number, count) != NULL;
}

/* Values are changed under a block of the type; executing it brings back exactly those it holds. */
static void check_block(struct fixture *f, uint32_t type, const uint8_t *states, size_t count, const uint8_t *stages,
                        size_t stage_count)
{
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 5, type}, execute[3] = {D3DHAL_STATESETEXECUTE, 5, 0};
    struct hal_context *c = f->context;

    for (unsigned i = 0; i < 256; i++)
        c->render_state[i] = 1000 + i;
    for (unsigned i = 0; i < HAL_MAX_STAGE_STATES; i++)
        c->stage_state[3][i] = 2000 + i;
    c->vertex_constants.f[95][3] = c->pixel_constants.f[7][3] = 0;
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    assert_int_equal(fixture_run(f), DD_OK);
    memset(c->render_state, 0, sizeof(c->render_state));
    memset(c->stage_state, 0, sizeof(c->stage_state));
    c->vertex_constants.f[95][3] = c->pixel_constants.f[7][3] = 5;
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(c->render_state[i], is_in(states, count, i) ? 1000 + i : 0);
    for (unsigned i = 0; i < HAL_MAX_STAGE_STATES; i++)
        assert_int_equal(c->stage_state[3][i], is_in(stages, stage_count, i) ? 2000 + i : 0);
    assert_true(c->vertex_constants.f[95][3] == (type == 2 ? 5 : 0));
    assert_true(c->pixel_constants.f[7][3] == (type == 3 ? 5 : 0));
}

static void test_block_lists(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(sizeof(all_states), 73);
    assert_int_equal(sizeof(vertex_states), 38);
    assert_int_equal(sizeof(pixel_states), 39);
    check_block(f, 1, all_states, sizeof(all_states), all_stages, sizeof(all_stages));
    check_block(f, 2, pixel_states, sizeof(pixel_states), all_stages, sizeof(all_stages));
    check_block(f, 3, vertex_states, sizeof(vertex_states), vertex_stages, sizeof(vertex_stages));
}

/* ALL also keeps viewport, transforms, planes, material, lights and shaders; never streams, indices, textures. */
static void test_block_others(void **state)
{
    struct fixture *f = *state;
    struct hal_context *c = f->context;
    const uint32_t create[3] = {D3DHAL_STATESETCREATE, 5, 1}, execute[3] = {D3DHAL_STATESETEXECUTE, 5, 0};

    c->viewport.x = 3;
    c->viewport.max_z = 0.5f;
    c->clip_plane[5][3] = 4;
    c->material.power = 6;
    c->texture[7].m[0][1] = 8;
    c->projection.m[0][1] = 9;
    c->vertex_shader = D3DFVF_XYZ;
    c->pixel_shader = 0;
    c->index_handle = 11;
    c->stage_state[2][0] = 12;
    fixture_put(f, D3DDP2OP_STATESET, 1, create, sizeof(create));
    assert_int_equal(fixture_run(f), DD_OK);
    c->viewport.x = 0;
    c->viewport.max_z = c->clip_plane[5][3] = c->material.power = c->texture[7].m[0][1] = c->projection.m[0][1] = 0;
    c->vertex_shader = D3DFVF_XYZRHW;
    c->index_handle = c->stage_state[2][0] = 0;
    c->stream[0].handle = 99;
    fixture_put(f, D3DDP2OP_STATESET, 1, execute, sizeof(execute));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(c->viewport.x, 3);
    assert_true(c->viewport.max_z == 0.5f && c->clip_plane[5][3] == 4 && c->material.power == 6);
    assert_true(c->texture[7].m[0][1] == 8 && c->projection.m[0][1] == 9);
    assert_int_equal(c->vertex_shader, D3DFVF_XYZ);
    assert_int_equal(c->index_handle, 0);
    assert_int_equal(c->stage_state[2][0], 0);
    assert_int_equal(c->stream[0].handle, 99);
}

/* --- stages ----------------------------------------------------------------------------------------------- */

static void test_validation(void **state)
{
    struct fixture *f = *state;
    uint32_t passes = 0;

    assert_int_equal(hal_context_validate_stages(f->context, &passes), DD_OK);
    assert_int_equal(passes, 1);
    f->context->stage_state[0][D3DTSS_COLOROP] = 27;
    assert_int_equal(hal_context_validate_stages(f->context, &passes), (HRESULT)0x88760819);
    f->context->stage_state[0][D3DTSS_COLOROP] = D3DTOP_MODULATE;
    f->context->stage_state[0][D3DTSS_COLORARG2] = 7;
    assert_int_equal(hal_context_validate_stages(f->context, &passes), (HRESULT)0x8876081a);
    f->context->stage_state[0][D3DTSS_COLOROP] = D3DTOP_SELECTARG1; /* the bad one is not read */
    assert_int_equal(hal_context_validate_stages(f->context, &passes), DD_OK);
    f->context->stage_state[0][D3DTSS_ALPHAOP] = D3DTOP_BUMPENVMAP;
    assert_int_equal(hal_context_validate_stages(f->context, &passes), (HRESULT)0x8876081b);
    assert_int_equal(passes, 0);
}

/* --- limits -------------------------------------------------------------------------------------------------- */

/* A kilobyte of clears and draws over all of a big target: cut short at the token that went too far, earlier ones
 * executed, the context usable. */
static void test_work_is_bounded(void **state)
{
    struct fixture *f = *state;
    uint16_t indices[3000];
    const uint32_t draw[6] = {D3DPT_TRIANGLELIST, 0, 0, 4, 0, 1000};
    unsigned tokens = 0;

    for (unsigned i = 0; i < 3000; i++)
        indices[i] = (uint16_t)(i % 3);
    f->context->driver->work_per_byte = f->context->driver->work_layers = 0;
    f->context->driver->work_per_call = UINT64_MAX;
    plain_states(f);
    put_square(f, 0, 0, 64, 0.5f, 0xffff0000, false);
    fixture_indices(f, indices, sizeof(indices), 2);
    assert_int_equal(fixture_run(f), DD_OK);
    /* one draw says what a draw costs; five of them are allowed */
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    f->context->driver->work_per_call =
        5 * (uint64_t)(f->context->work_share * (double)f->context->work_limit) + 100000;
    for (; f->builder.length < 1000; tokens++)
        fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), HAL_TOO_MUCH_WORK);
    assert_in_range(f->error_offset / 28, 4, 6);
    assert_true(tokens > 30);
    assert_int_equal(fixture_pixel(f, 1, 60), 0xff0000);
    fixture_clear(f, 0x00ff00);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64 * 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_scissor),
        fixture_test(test_separate_alpha_blend),
        fixture_test(test_blend_factor),
        fixture_test(test_two_sided_stencil),
        fixture_test(test_depth_bias),
        fixture_test(test_vertex_shader_life),
        fixture_test(test_no_vertex_shader_forgets_streams),
        fixture_test(test_bad_code),
        fixture_test(test_pixel_shader_life),
        fixture_test(test_constants),
        fixture_test(test_software_constants),
        fixture_test(test_bad_elements),
        fixture_test(test_packed_elements),
        fixture_test(test_instances),
        fixture_test(test_divider),
        fixture_test(test_instancing_name),
        fixture_test(test_occlusion),
        fixture_test(test_query_types),
        fixture_test(test_response_continues),
        fixture_test(test_more_targets),
        fixture_test(test_clipped_fans),
        fixture_test(test_negative_base),
        fixture_test(test_user_memory),
        fixture_test(test_block_lists),
        fixture_test(test_block_others),
        fixture_test(test_validation),
        fixture_test(test_work_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
