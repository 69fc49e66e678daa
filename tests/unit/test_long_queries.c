/* SPDX-License-Identifier: MIT */
/*
 * Occlusion queries over more pixels than a call's budget of work, and more than their 32 bits hold. Source: Wine,
 * test_occlusion_query; docs/limits.md, work of one call.
 */
#include "hal_fixture.h"

#define SIDE      4096
#define PIXELS    ((uint64_t)SIDE * SIDE)
#define PER_CALL  (((uint64_t)1 << 28) / PIXELS) /* draws that a runtime sends at once */
#define OCCLUSION 9
enum { ISSUE_END = 1, ISSUE_BEGIN = 2 };

static void put_pair(struct fixture *f, uint8_t token, uint32_t a, uint32_t b)
{
    const uint32_t body[2] = {a, b};

    fixture_put(f, token, 1, body, sizeof(body));
}

/* The fixture's target becomes this large, and nothing of a draw remains but counting. */
static void begin(struct fixture *f, uint32_t *pixels)
{
    static const float quad[4][4] = {{0, 0, 0, 1}, {SIDE, 0, 0, 1}, {0, SIDE, 0, 1}, {SIDE, SIDE, 0, 1}};
    const uint32_t viewport[4] = {0, 0, SIDE, SIDE};

    hal_scene_flush(&f->context->scene, HAL_FLUSH_LOOK);
    fixture_image(f, FIXTURE_TARGET, HAL_SURFACE_COLOR, pixels, RASTER_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    f->surface[FIXTURE_TARGET].base.bytes = PIXELS * 4;
    f->surface[FIXTURE_TARGET].width = f->surface[FIXTURE_TARGET].height = SIDE;
    f->surface[FIXTURE_TARGET].pitch = SIDE * 4;
    assert_int_equal(hal_context_set_target(f->context, &f->surface[FIXTURE_TARGET], &f->surface[FIXTURE_DEPTH]),
                     DD_OK);
    fixture_put(f, D3DDP2OP_VIEWPORTINFO, 1, viewport, sizeof(viewport));
    fixture_state(f, D3DRS_ZENABLE, 0); /* the depth buffer is smaller */
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_COLORWRITEENABLE, 0);
    fixture_stage(f, 0, D3DTSS_COLOROP, D3DTOP_DISABLE);
    fixture_vertices(f, D3DFVF_XYZRHW, quad, sizeof(quad), sizeof(quad[0]));
    put_pair(f, D3DDP2OP_CREATEQUERY, 1, OCCLUSION);
}

/* The answer to query 1; 0: no answer yet. */
static bool answered(struct fixture *f, uint32_t *value)
{
    uint8_t answer[64];

    if (hal_context_respond(f->context, answer, sizeof(answer)) == 0)
        return false;
    assert_int_equal(dp2_read_u32(answer + 12), 4); /* bytes: there is no second word that could be anything but 0 */
    *value = dp2_read_u32(answer + 16);
    return true;
}

static void draw_many(struct fixture *f, uint64_t draws)
{
    uint32_t value;

    for (uint64_t i = 0; i < draws; i++) {
        fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
        if ((i + 1) % PER_CALL == 0) {
            assert_int_equal(fixture_run(f), DD_OK);
            assert_false(answered(f, &value));
        }
    }
}

/* Counts continue from call to call. */
static void test_count_over_calls(void **state)
{
    struct fixture *f = *state;
    uint32_t *pixels = mem_alloc_aligned(PIXELS * 4), value = 0;

    begin(f, pixels);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 1, ISSUE_BEGIN);
    draw_many(f, 2 * PER_CALL + 3);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 1, ISSUE_END);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(answered(f, &value));
    assert_int_equal(value, (2 * PER_CALL + 3) * PIXELS);
    hal_context_set_target(f->context, NULL, NULL);
    mem_free_aligned(pixels);
}

/* A count that does not fit into 32 bits becomes all ones. */
static void test_count_saturates(void **state)
{
    const uint64_t draws = ((uint64_t)UINT32_MAX + 1) / PIXELS + 1;
    struct fixture *f = *state;
    uint32_t *pixels = mem_alloc_aligned(PIXELS * 4), value = 0;

    begin(f, pixels);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 1, ISSUE_BEGIN);
    draw_many(f, draws);
    put_pair(f, D3DDP2OP_ISSUEQUERY, 1, ISSUE_END);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(answered(f, &value));
    assert_int_equal(value, UINT32_MAX);
    hal_context_set_target(f->context, NULL, NULL);
    mem_free_aligned(pixels);
}

/* Nothing between begin and end, repeatedly: only the last answer remains. */
static void test_many_empty_queries(void **state)
{
    struct fixture *f = *state;
    uint32_t *pixels = mem_alloc_aligned(PIXELS * 4), value = 7;

    begin(f, pixels);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    for (unsigned i = 0; i < 50000; i++) {
        put_pair(f, D3DDP2OP_ISSUEQUERY, 1, ISSUE_BEGIN);
        put_pair(f, D3DDP2OP_ISSUEQUERY, 1, ISSUE_END);
        if (i % 2000 == 1999)
            assert_int_equal(fixture_run(f), DD_OK);
    }
    assert_true(answered(f, &value));
    assert_int_equal(value, 0);
    assert_false(answered(f, &value));
    hal_context_set_target(f->context, NULL, NULL);
    mem_free_aligned(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_count_over_calls),
        fixture_test(test_count_saturates),
        fixture_test(test_many_empty_queries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
