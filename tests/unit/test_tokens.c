/* SPDX-License-Identifier: MIT */
/* Tokens and render states of DirectX 8.1 and 9, queries, targets, vertices, and the limit on the work of a call. */
/* clang-format off */
#include <windows.h>
#include <d3d9types.h>
#include <d3d9caps.h>
/* clang-format on */

#include "d3d/extension.h"
#include "d3d/marker.h"
#include "d3d/states.h"
#include "hal/work.h"
#include "tests/unit/token_tools.h"

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

/* Clockwise faces count up by the plain states, counter-clockwise ones down by their own states. */
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

/* --- queries --------------------------------------------------------------------------------------- */

static uint32_t read_word(const uint8_t *p, size_t at)
{
    return dp2_read_u32(p + at);
}

static void test_occlusion(void **state)
{
    struct fixture *f = *state;
    uint8_t answer[64];

    plain_states(f);
    put_pair(f, D3DDP2OP_CREATEQUERY, 77, D3DQUERYTYPE_OCCLUSION);
    draw_square(f, 0, 0, 64, 0.5f, 0xffffffff, false);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 77, D3DISSUE_BEGIN);
    put_square(f, 0, 0, 16, 0.5f, 0xffffffff, false);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 77, D3DISSUE_END);
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
    static const uint8_t types[] = {D3DQUERYTYPE_VCACHE,       D3DQUERYTYPE_VERTEXSTATS, D3DQUERYTYPE_EVENT,
                                    D3DQUERYTYPE_OCCLUSION,    D3DQUERYTYPE_TIMESTAMP,   D3DQUERYTYPE_TIMESTAMPDISJOINT,
                                    D3DQUERYTYPE_TIMESTAMPFREQ};
    static const uint8_t sizes[] = {16, 8, 4, 4, 8, 4, 8};
    uint8_t answer[256];
    size_t at = 8;

    for (uint32_t i = 0; i < ARRAY_COUNT(types); i++) {
        put_pair(f, D3DDP2OP_CREATEQUERY, i, types[i]);
        put_pair(f, D3DDP2OP_ISSUEQUERY, i, D3DISSUE_BEGIN | D3DISSUE_END);
    }
    assert_int_equal(fixture_run(f), DD_OK);
    const size_t length = hal_context_respond(f->context, answer, sizeof(answer));

    assert_int_equal(dp2_read_u16(answer + 2), ARRAY_COUNT(types));
    assert_int_equal(read_word(answer, 4), length);
    for (uint32_t i = 0; i < ARRAY_COUNT(types); i++) {
        assert_int_equal(read_word(answer, at), i);
        assert_int_equal(read_word(answer, at + 4), sizes[i]);
        if (types[i] == D3DQUERYTYPE_EVENT)
            assert_int_equal(read_word(answer, at + 8), 1);
        if (types[i] == D3DQUERYTYPE_TIMESTAMPDISJOINT)
            assert_int_equal(read_word(answer, at + 8), 0);
        at += 8 + sizes[i];
    }
    assert_int_equal(at, length);
    put_pair(f, D3DDP2OP_CREATEQUERY, 50, D3DQUERYTYPE_RESOURCEMANAGER);
    assert_true(FAILED(fixture_run(f)));
    put_pair(f, D3DDP2OP_ISSUEQUERY, 4711, D3DISSUE_END); /* unknown: ignored */
    assert_int_equal(fixture_run(f), DD_OK);
}

/* Answers without room come with the next call. */
static void test_response_continues(void **state)
{
    struct fixture *f = *state;
    uint8_t answer[40];
    unsigned told = 0, rounds = 0;

    for (uint32_t i = 0; i < 10; i++) {
        put_pair(f, D3DDP2OP_CREATEQUERY, i, D3DQUERYTYPE_EVENT);
        put_pair(f, D3DDP2OP_ISSUEQUERY, i, D3DISSUE_END);
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
    hal_scene_flush(&f->context->scene, HAL_FLUSH_LOOK);
}

/* --- fans --------------------------------------------------------------------------------------------- */

/* Two fans in one token; in wireframe only edges with the bit are drawn. */
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

/* A negative base to which the indices add up to places inside the buffer. */
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

/* With user memory as stream 0 the other streams are ignored. */
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
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, unbind, sizeof(unbind)); /* handle 0: unbound, draws read zeros */
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 0);
}

/* --- stages ----------------------------------------------------------------------------------------------- */

static void test_validation(void **state)
{
    struct fixture *f = *state;
    uint32_t passes = 0;

    assert_int_equal(hal_context_validate_stages(f->context, &passes), DD_OK);
    assert_int_equal(passes, 1);
    f->context->state.stage_state[0][D3DTSS_COLOROP] = 27;
    assert_int_equal(hal_context_validate_stages(f->context, &passes), (HRESULT)0x88760819);
    f->context->state.stage_state[0][D3DTSS_COLOROP] = D3DTOP_MODULATE;
    f->context->state.stage_state[0][D3DTSS_COLORARG2] = 7;
    assert_int_equal(hal_context_validate_stages(f->context, &passes), (HRESULT)0x8876081a);
    f->context->state.stage_state[0][D3DTSS_COLOROP] = D3DTOP_SELECTARG1; /* the bad one is not read */
    assert_int_equal(hal_context_validate_stages(f->context, &passes), DD_OK);
    f->context->state.stage_state[0][D3DTSS_ALPHAOP] = D3DTOP_BUMPENVMAP;
    assert_int_equal(hal_context_validate_stages(f->context, &passes), (HRESULT)0x8876081b);
    assert_int_equal(passes, 0);
}

/* --- markers --------------------------------------------------------------------------------------------------- */

/* Names have no effect, of whatever kind they claim to be; a name longer than the stream fails the call there. */
static void test_markers(void **state)
{
    struct fixture *f = *state;
    struct {
        HALCYON_DP2MARKER marker;
        char name[8];
    } entry = {{DDI_MARKER_BEGIN, 7, 0xff00ff00}, "Shadows"};

    plain_states(f);
    fixture_put(f, D3DDP2OP_MARKER, 1, &entry, sizeof(entry));
    draw_square(f, 0, 0, 32, 0.5f, 0xffff0000, false);
    entry.marker.dwKind = 0x7fffffff;
    fixture_put(f, D3DDP2OP_MARKER, 1, &entry, sizeof(entry));
    draw_square(f, 0, 0, 16, 0.5f, 0xff0000ff, false);
    assert_int_equal(fixture_count(f, 0xff0000), 32 * 32 - 16 * 16);
    assert_int_equal(fixture_count(f, 0x0000ff), 16 * 16);

    entry.marker.dwTextBytes = 0xffffffff;
    fixture_put(f, D3DDP2OP_MARKER, 1, &entry, sizeof(entry));
    assert_int_equal(fixture_run(f), D3DERR_COMMAND_UNPARSED);
    draw_square(f, 0, 0, 64, 0.5f, 0xff00ffff, false);
    assert_int_equal(fixture_count(f, 0x00ffff), 64 * 64);
}

/* --- limits -------------------------------------------------------------------------------------------------- */

/* A kilobyte of clears and draws over a large target: cut short at the token that exceeds the limit, earlier ones
 * executed, the context usable. */
static void test_work_is_bounded(void **state)
{
    struct fixture *f = *state;
    uint16_t indices[3000];
    const uint32_t draw[6] = {D3DPT_TRIANGLELIST, 0, 0, 4, 0, 1000};
    unsigned tokens = 0;

    for (unsigned i = 0; i < 3000; i++)
        indices[i] = (uint16_t)(i % 3);
    plain_states(f);
    put_square(f, 0, 0, 64, 0.5f, 0xffff0000, false);
    fixture_indices(f, indices, sizeof(indices), 2);
    assert_int_equal(fixture_run(f), DD_OK);
    /* the first draw measures the cost of a draw; five draws are allowed */
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    hal_work_allow(f->context->driver, 5 * f->context->scene.work.costliest + 100000);
    for (; f->builder.length < 1000; tokens++)
        fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), HAL_TOO_MUCH_WORK);
    assert_in_range(f->error_offset / 28, 4, 6);
    assert_true(tokens > 30);
    assert_int_equal(fixture_pixel(f, 1, 60), 0xff0000);
    hal_work_allow(f->context->driver, UINT64_C(1) << 40);
    fixture_clear(f, 0x00ff00);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64 * 64);
}

/* Programs for shader model 2 announce instancing before they set stream frequencies: points keep their size. */
static void test_instancing_name(void **state)
{
    struct fixture *f = *state;
    const float size = 5;

    fixture_float_state(f, D3DRS_POINTSIZE, size);
    fixture_state(f, D3DRS_POINTSIZE, EXTENSION_INSTANCING);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_memory_equal(&f->context->state.render_state[D3DRS_POINTSIZE], &size, sizeof(size));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_instancing_name),
        fixture_test(test_scissor),
        fixture_test(test_separate_alpha_blend),
        fixture_test(test_blend_factor),
        fixture_test(test_two_sided_stencil),
        fixture_test(test_depth_bias),
        fixture_test(test_occlusion),
        fixture_test(test_query_types),
        fixture_test(test_response_continues),
        fixture_test(test_more_targets),
        fixture_test(test_clipped_fans),
        fixture_test(test_negative_base),
        fixture_test(test_user_memory),
        fixture_test(test_validation),
        fixture_test(test_markers),
        fixture_test(test_work_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
