/* SPDX-License-Identifier: MIT */
/*
 * The runner of vertex stages by itself (hal/vertex/stage.h): hand-made stages with a test executor, in the form of
 * generated ones; and the stages that producers make for states with little or nothing to compute.
 */
#include <math.h>

#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "hal_fixture.h"
#include "raster/raster.h"
#include "shader/shader.h"

#define COUNT  6 /* padded to 8 */
#define PADDED 8

struct input {
    float x, y, z;
    uint32_t diffuse;
};

struct bench {
    struct input data[COUNT];
    struct hal_source source;
    struct hal_span span;
    struct shader_vertex_batch batch;
    struct hal_vertex_stage stage;
    struct hal_vertex vertices[PADDED];
    struct raster_vertex projected[PADDED];
    unsigned supplied, executed;
};

static struct bench bench;

/* o0 = v0; o1 = v0 * 2 - 1; o2 = v5, with the batch's count in o3.x. */
static void execute(const struct shader_binding *binding, struct shader_vertex_batch *batch)
{
    (void)binding;
    bench.executed++;
    for (unsigned i = 0; i < batch->count; i++) {
        for (unsigned c = 0; c < 4; c++) {
            batch->output[0][c][i] = batch->input[0][c][i];
            batch->output[1][c][i] = batch->input[0][c][i] * 2 - 1;
            batch->output[2][c][i] = batch->input[5][c][i];
        }
        batch->output[3][0][i] = (float)batch->count;
    }
}

static void supply(void *producer, const struct shader_vertex_batch *batch)
{
    assert_ptr_equal(producer, &bench);
    assert_int_equal(batch->count, PADDED);
    assert_int_equal(bench.executed, 0);
    assert_true(batch->input[5][0][2] == 0x42);
    bench.supplied++;
}

static int set_up(void **state)
{
    struct hal_layout layout;
    struct hal_stream_memory buffers[HAL_MAX_STREAMS] = {{.data = (const uint8_t *)bench.data}};

    (void)state;
    memset(&bench, 0, sizeof(bench));
    for (unsigned i = 0; i < COUNT; i++)
        bench.data[i] = (struct input){(float)i, 0.25f * (float)i, 0.5f, 0x11223340 + i};
    assert_true(hal_layout_from_fvf(&layout, D3DFVF_XYZ | D3DFVF_DIFFUSE, false));
    buffers[0].bytes = sizeof(bench.data);
    buffers[0].stride = sizeof(bench.data[0]);
    hal_source_bind(&bench.source, &layout, buffers);
    bench.span.count = COUNT;
    bench.span.padded = PADDED;
    for (unsigned i = 0; i < PADDED; i++)
        bench.span.number[i] = i < COUNT ? i : COUNT - 1;
    bench.stage.execute = execute;
    bench.stage.input_count = 1;
    bench.stage.input[0] = (struct vertex_input_link){.reg = 0, .component = HAL_POSITION};
    bench.stage.position = 0;
    bench.stage.point_size = -1;
    return 0;
}

static void run(void)
{
    hal_vertex_stage_run(&bench.stage, &bench.batch, &bench.span, &bench.source, bench.vertices, bench.projected);
}

static void check(const float v[4], float x, float y, float z, float w)
{
    assert_true(v[0] == x && v[1] == y && v[2] == z && v[3] == w);
}

static void add_output(unsigned slot, bool clamp, unsigned x, unsigned y, unsigned z, unsigned w)
{
    bench.stage.output[bench.stage.output_count++] = (struct vertex_output_link){
        .slot = (uint8_t)slot, .from = {(uint8_t)x, (uint8_t)y, (uint8_t)z, (uint8_t)w}, .clamp = clamp};
}

static void test_links(void **state)
{
    struct hal_vertex_stage *s = &bench.stage;

    (void)state;
    add_output(2, false, 4, 5, 6, 7);                              /* a whole register */
    add_output(3, true, 4, 5, 6, 7);                               /* the same, clamped */
    add_output(4, false, 5, VERTEX_FROM_ONE, VERTEX_FROM_ZERO, 2); /* from anywhere */
    add_output(5, false, VERTEX_FROM_ZERO, VERTEX_FROM_ONE, VERTEX_FROM_ONE, VERTEX_FROM_ONE);
    add_output(6, false, 4, VERTEX_FROM_ZERO, VERTEX_FROM_ZERO, VERTEX_FROM_ZERO); /* one number */
    add_output(7, true, 4, VERTEX_FROM_ZERO, VERTEX_FROM_ZERO, VERTEX_FROM_ZERO);
    s->copy[s->copy_count++] = (struct vertex_copy_link){.component = HAL_DIFFUSE, .slot = 1};
    s->copy[s->copy_count++] = (struct vertex_copy_link){.component = HAL_COMPONENT_COUNT, .slot = 0};
    run();
    assert_int_equal(bench.executed, 1);
    for (unsigned i = 0; i < PADDED; i++) {
        const float k = (float)(i < COUNT ? i : COUNT - 1);
        const float(*input)[4] = (const float(*)[4])bench.projected[i].input;

        check(bench.vertices[i].position, k, 0.25f * k, 0.5f, 1);
        check(input[2], 2 * k - 1, 0.5f * k - 1, 0, 1);
        check(input[3], k < 1 ? 0 : 1, k < 2 ? 0 : fminf(0.5f * k - 1, 1), 0, 1);
        check(input[4], 0.5f * k - 1, 1, 0, 0.5f);
        check(input[5], 0, 1, 1, 1);
        check(input[6], 2 * k - 1, 0, 0, 0);
        check(input[7], k < 1 ? 0 : 1, 0, 0, 0);
        assert_true(input[1][0] == 0x22 / 255.0f && input[1][3] == 0x11 / 255.0f);
        check(input[0], 0, 0, 0, 1);
    }
}

/* Bytes as numbers, and the constants that are prepared for them. */
static void test_supply(void **state)
{
    struct hal_vertex_stage *s = &bench.stage;

    (void)state;
    s->input[s->input_count++] = (struct vertex_input_link){.reg = 5, .component = HAL_DIFFUSE, .bytes = 3};
    s->supply = supply;
    s->producer = &bench;
    add_output(0, false, 8, 9, 10, 12);
    run();
    assert_int_equal(bench.supplied, 1);
    for (unsigned i = 0; i < COUNT; i++)
        check(bench.projected[i].input[0], (float)(0x40 + i), 0x33, 0x22, PADDED);
    /* blend indices that vertices lack are 0 */
    s->input[1].component = HAL_BLEND_INDEX;
    s->supply = NULL;
    run();
    check(bench.projected[2].input[0], 0, 0, 0, PADDED);
}

/* Distances to planes come from the program, or from positions and planes in clip space; others do not change. */
static void test_planes(void **state)
{
    struct hal_vertex_stage *s = &bench.stage;

    (void)state;
    for (unsigned i = 0; i < PADDED; i++)
        for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++)
            bench.vertices[i].plane[k] = 77;
    s->user_planes = 1 << 1 | 1 << 4;
    s->plane_distance = 0; /* o0.y and o1.x */
    run();
    for (unsigned i = 0; i < COUNT; i++) {
        assert_true(bench.vertices[i].plane[0] == 77 && bench.vertices[i].plane[5] == 77);
        assert_true(bench.vertices[i].plane[1] == 0.25f * (float)i);
        assert_true(bench.vertices[i].plane[4] == 2 * (float)i - 1);
    }
    s->plane_distance = -1;
    memcpy(s->user_plane[1], (const float[4]){1, 4, 2, -3}, sizeof(s->user_plane[1]));
    memcpy(s->user_plane[4], (const float[4]){0, 0, 0, 5}, sizeof(s->user_plane[4]));
    run();
    for (unsigned i = 0; i < COUNT; i++) {
        assert_true(bench.vertices[i].plane[1] == 2 * (float)i - 2);
        assert_true(bench.vertices[i].plane[4] == 5);
        assert_true(bench.vertices[i].plane[2] == 77);
    }
}

static void test_sizes(void **state)
{
    struct hal_vertex_stage *s = &bench.stage;

    (void)state;
    s->size = 3;
    s->size_min = 2;
    s->size_max = 4;
    for (unsigned i = 0; i < PADDED; i++)
        bench.vertices[i].point_size = 77;
    run();
    assert_true(bench.vertices[0].point_size == 77); /* unused */
    s->points = true;
    run();
    assert_true(bench.vertices[0].point_size == 3 && bench.vertices[5].point_size == 3);
    s->point_size = 0; /* o0.x: 0, 1, 2... */
    bench.data[4].x = NAN;
    run();
    for (unsigned i = 0; i < COUNT; i++) {
        const float sizes[COUNT] = {2, 2, 2, 3, 2, 4};

        assert_true(bench.vertices[i].point_size == sizes[i]);
    }
}

/* --- stages of producers -------------------------------------------------------------------- */

static void draw(struct fixture *f, uint32_t fvf, const void *data, size_t bytes)
{
    fixture_vertices(f, fvf, data, bytes, (uint32_t)bytes);
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
}

/* Transformed vertices pass through unchanged, without running a program, except for sizes of points. */
static void test_nothing_to_compute(void **state)
{
    struct fixture *f = *state;
    const struct hal_vertex_stage *stage = &f->context->renderer.front->vertex_stage;
    const struct {
        float x, y, z, rhw;
        uint32_t diffuse;
    } v[3] = {{1, 1, 0.5f, 0.25f, 0xff102030}, {9, 1, 0.5f, 0.25f, 0xff102030}, {1, 9, 0.5f, 0.25f, 0xff102030}};

    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_null(stage->shader);
    assert_true(stage->transformed && !stage->execute);
    assert_int_equal(stage->copy_count, 1);
    assert_int_equal(stage->output_count, 0);
    assert_true(f->context->renderer.front->vertices[1].position[0] == 9 &&
                f->context->renderer.front->vertices[1].position[3] == 0.25f);
    draw(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v[0]));
    assert_true(stage->transformed && stage->execute && stage->points);
}

/* A stage does not change while nothing else changes, whatever is drawn with it, and follows changes. */
static void test_stage_follows_state(void **state)
{
    struct fixture *f = *state;
    const struct hal_vertex_stage *stage = &f->context->renderer.front->vertex_stage;
    const float v[4] = {0, 0, 0.5f, 0};
    const struct hal_layout *layout;

    fixture_state(f, D3DRS_LIGHTING, 0);
    draw(f, D3DFVF_XYZ, v, 3 * sizeof(float));
    layout = stage->layout;
    assert_non_null(layout);
    assert_true(!stage->transformed && stage->position >= 0 && stage->execute);
    assert_true(stage->slot[HAL_ATTRIBUTE_DIFFUSE] >= 0 && stage->slot[HAL_ATTRIBUTE_FOG] < 0);
    fixture_state(f, D3DRS_FOGENABLE, 1);
    draw(f, D3DFVF_XYZ, v, 3 * sizeof(float));
    assert_ptr_equal(stage->layout, layout);
    assert_true(stage->slot[HAL_ATTRIBUTE_FOG] >= 0);
    assert_int_equal(f->context->renderer.front->dirty, 0);
}

#define test(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(test_links),
        test(test_supply),
        test(test_planes),
        test(test_sizes),
        fixture_test(test_nothing_to_compute),
        fixture_test(test_stage_follows_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
