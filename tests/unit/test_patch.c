/* SPDX-License-Identifier: MIT */
/* Patches from tokens to pixels: no gaps or overlaps, the handle table, hostile descriptions. */
#include "patch_fixture.h"

/* --- no gaps, no overlaps ----------------------------------------------------------- */

static void rectangles_once(struct fixture *f, unsigned round, uint32_t basis)
{
    const unsigned side = 2 + (basis != BEZIER) * 2; /* patches each way */
    const unsigned step = basis == BEZIER ? 3 : 1;
    struct colored field[FIELD][FIELD];

    /* splines do not reach the outer points */
    make_field(field, basis == BEZIER ? 1.6f : 2.4f, 0.12f);
    begin_counting(f);
    fixture_state(f, D3DRS_PATCHEDGESTYLE, round & 1);
    fixture_vertices(f, FVF_COLORED, field, sizeof(field), sizeof(field[0][0]));
    for (unsigned y = 0; y < side; y++) {
        for (unsigned x = 0; x < side; x++) {
            const unsigned n = side + 1, tl = y * n + x;
            const float segments[4] = {edge_segments(round, tl, tl + 1), edge_segments(round, tl + 1, tl + 1 + n),
                                       edge_segments(round, tl + n, tl + 1 + n), edge_segments(round, tl, tl + n)};
            const uint32_t info[7] = {x * step, y * step, 4, 4, FIELD, basis, 3};

            put_rect(f, 0, segments, info);
        }
    }
    assert_int_equal(fixture_run(f), DD_OK);
    assert_all_once(f);
}

static void test_rectangles_are_watertight(void **state)
{
    random_seed = 1;
    for (unsigned round = 0; round < 60; round++)
        rectangles_once(*state, round, round % 3);
}

/* Cells of the field halved along the falling diagonal into cubic triangles. */
static void test_triangles_are_watertight(void **state)
{
    struct fixture *f = *state;
    struct colored field[FIELD][FIELD], points[8][10];

    random_seed = 2;
    for (unsigned round = 0; round < 40; round++) {
        make_field(field, 1.6f, 0.1f);
        for (unsigned k = 0; k < 8; k++) {
            const unsigned x0 = k / 2 % 2 * 3, y0 = k / 4 * 3;

            for (unsigned row = 0, n = 0; row < 4; row++)
                for (unsigned i = 0; i <= row; i++, n++)
                    points[k][n] = k & 1 ? field[y0 + row - i][x0 + row] : field[y0 + row][x0 + i];
        }
        begin_counting(f);
        fixture_state(f, D3DRS_PATCHEDGESTYLE, round & 1);
        fixture_vertices(f, FVF_COLORED, points, sizeof(points), sizeof(points[0][0]));
        for (unsigned k = 0; k < 8; k++) {
            const unsigned tl = k / 4 * 3 + k / 2 % 2;
            const unsigned top = tl, right = k & 1 ? tl + 1 : tl + 4, left = k & 1 ? tl + 4 : tl + 3;
            const float segments[3] = {edge_segments(round, top, right), edge_segments(round, right, left),
                                       edge_segments(round, left, top)};
            const uint32_t info[4] = {k * 10, 10, BEZIER, 3};

            put_tri(f, 0, segments, info);
        }
        assert_int_equal(fixture_run(f), DD_OK);
        assert_all_once(f);
    }
}

/* --- the handle table --------------------------------------------------------------- */

/* A bump in the middle of the view: what it covers depends on its segments. */
static void bump(struct colored p[16], float size, uint32_t color)
{
    for (unsigned i = 0; i < 16; i++) {
        const float x = ((float)(i % 4) - 1.5f) / 1.5f, y = (1.5f - (float)(i / 4)) / 1.5f;
        const float bulge = i / 4 == 0 || i / 4 == 3 ? 1 : 1.8f;

        p[i] = (struct colored){x * size * bulge, y * size, 0.5f, color};
    }
}

static const uint32_t whole[7] = {0, 0, 4, 4, 4, BEZIER, 3};
static const uint32_t corner_triangle[4] = {0, 10, BEZIER, 3};
static const float fine[4] = {8, 8, 8, 8}, coarse[4] = {1, 1, 1, 1};

static unsigned covered(struct fixture *f)
{
    assert_int_equal(fixture_run(f), DD_OK);
    return FIXTURE_SIZE * FIXTURE_SIZE - fixture_count(f, 0);
}

static void test_handles(void **state)
{
    struct fixture *f = *state;
    struct colored p[16];

    bump(p, 0.5f, 0xff0000);
    begin(f);
    fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
    /* a new handle without a description: no draw, and no entry */
    put_rect(f, 7, fine, NULL);
    put_rect(f, 0, fine, NULL);
    assert_int_equal(covered(f), 0);
    assert_int_equal(f->context->resources.patches->map.count, 0);
    /* handle 0 is drawn and not kept */
    put_rect(f, 0, fine, whole);
    const unsigned curved = covered(f);

    assert_true(curved > 1100);
    assert_int_equal(f->context->resources.patches->map.count, 0);
    /* new: drawn and kept; then drawn again without its streams, with and without segments */
    begin(f);
    put_rect(f, UINT32_MAX, fine, whole);
    assert_int_equal(covered(f), curved);
    memset(f->vertices, 0xff, sizeof(p));
    begin(f);
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, (const uint32_t[3]){0, 0, 0}, 12);
    put_rect(f, UINT32_MAX, fine, NULL);
    assert_int_equal(covered(f), curved);
    begin(f);
    put_rect(f, UINT32_MAX, coarse, NULL);
    const unsigned flat = covered(f);

    assert_true(flat < curved);
    begin(f);
    put_rect(f, UINT32_MAX, NULL, NULL); /* the render state: 1 segment */
    assert_int_equal(covered(f), flat);
    begin(f);
    fixture_float_state(f, D3DRS_PATCHSEGMENTS, 8);
    put_rect(f, UINT32_MAX, NULL, NULL);
    assert_int_equal(covered(f), curved);
    /* known with a description: replaced */
    bump(p, 0.25f, 0x00ff00);
    begin(f);
    fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
    put_rect(f, UINT32_MAX, fine, whole);
    assert_true(covered(f) < curved / 3);
    begin(f);
    put_rect(f, UINT32_MAX, fine, NULL);
    assert_true(covered(f) < curved / 3);
    assert_int_equal(fixture_pixel(f, 32, 32), 0x00ff00);
    assert_int_equal(f->context->resources.patches->map.count, 1);
}

static void test_forgotten_handles(void **state)
{
    struct fixture *f = *state;
    struct colored p[16];

    bump(p, 0.5f, 0xff0000);
    begin(f);
    fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
    fixture_state(f, D3DRS_DELETERTPATCH, 5);
    put_rect(f, 5, fine, whole);
    put_tri(f, 6, fine, corner_triangle);
    fixture_state(f, D3DRS_DELETERTPATCH, 5);
    assert_true(covered(f) > 0);
    assert_int_equal(f->context->resources.patches->map.count, 1);
    begin(f);
    put_rect(f, 5, fine, NULL);
    assert_int_equal(covered(f), 0);
    put_tri(f, 6, fine, NULL);
    assert_true(covered(f) > 0);
    /* the other token takes over the handle */
    begin(f);
    put_rect(f, 6, fine, NULL);
    put_tri(f, 6, fine, NULL);
    assert_int_equal(covered(f), 0);
    assert_int_equal(f->context->resources.patches->map.count, 0);
    assert_int_equal(f->context->resources.patches->bytes, 0);
    /* several entries in one token; remaining patches are deleted with the context */
    const uint32_t body[3 * 9] = {1, 2, 0,      0, 4, 4, 4, BEZIER, 3, 2, 2, 0,      0, 4,
                                  4, 4, BEZIER, 3, 3, 2, 0, 0,      4, 4, 4, BEZIER, 3};

    fixture_put(f, D3DDP2OP_DRAWRECTPATCH, 3, body, sizeof(body));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(f->context->resources.patches->map.count, 3);
}

/* Any number of handles, but limited memory: beyond the limit, the patches that were not drawn for the longest time are
 * dropped. */
static void test_table_is_bounded(void **state)
{
    enum { KEPT = 77, MANY = 120000 }; /* of more than 600 bytes */
    struct fixture *f = *state;
    struct colored p[16];

    bump(p, 0.01f, 0xff0000);
    fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
    for (uint32_t i = 1; i <= MANY; i++) {
        put_rect(f, i * 2654435761u, coarse, whole);
        if (i == 5000) {
            assert_int_equal(fixture_run(f), DD_OK);
            bump(p, 0.5f, 0xff0000);
            fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
            put_rect(f, KEPT, coarse, whole);
            assert_int_equal(fixture_run(f), DD_OK);
            bump(p, 0.01f, 0xff0000);
            fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
            begin(f);
            put_rect(f, KEPT, coarse, NULL);
            assert_true(covered(f) > 100);
            assert_int_equal(f->context->resources.patches->map.count, 5001);
        }
        if (i % 400 == 0) {
            if (i > 5000)
                put_rect(f, KEPT, coarse, NULL); /* is not the one that is dropped */
            assert_int_equal(fixture_run(f), DD_OK);
        }
    }
    const struct hal_patches *patches = f->context->resources.patches;

    assert_true(patches->bytes <= PATCH_MAX_BYTES && patches->bytes > PATCH_MAX_BYTES / 2);
    assert_true(patches->map.count > 50000 && patches->map.count < MANY);
    assert_non_null(base_map_get(&patches->map, KEPT));
    assert_non_null(base_map_get(&patches->map, MANY * 2654435761u));
    assert_null(base_map_get(&patches->map, 2654435761u));
}

static void test_handles_come_and_go(void **state)
{
    struct fixture *f = *state;
    struct colored p[16];

    bump(p, 0.01f, 0xff0000);
    fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
    for (uint32_t i = 1; i <= 10000; i++) {
        put_rect(f, i, coarse, whole);
        fixture_state(f, D3DRS_DELETERTPATCH, i);
        if (i % 500 == 0)
            assert_int_equal(fixture_run(f), DD_OK);
    }
    assert_int_equal(f->context->resources.patches->map.count, 0);
    assert_int_equal(f->context->resources.patches->bytes, 0);
}

/* --- values of vertices ------------------------------------------------------------ */

/* Positions from one stream, colours from another; a generated normal lights the patch. */
static void test_streams_and_generated_normals(void **state)
{
    struct fixture *f = *state;
    const uint32_t create[3 + 9] = {0x41,       9 * 4,      0,          0x20000000, 0x40020000,
                                    0x20000001, 0x40040005, /* colour */
                                    0x30000000, 0x60020003, 0x70010007, 0x00000000, 0xffffffff};
    const uint32_t stream1[3] = {1, FIXTURE_INDICES, 4}, shader = 0x41;
    const float light[26] = {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.6f, 0, 0.8f};
    uint32_t set_light[2 + 26] = {0, 2}, type = 3;
    const uint32_t enable[2] = {0, 0}, index = 0;
    struct colored p[16];
    float positions[16][3];
    uint32_t colors[16];

    bump(p, 0.8f, 0);
    for (unsigned i = 0; i < 16; i++) {
        memcpy(positions[i], &p[i], 12);
        colors[i] = i % 4 < 2 ? 0xff000000 : 0xffff0000;
    }
    memcpy(&set_light[2], &type, 4);
    memcpy(&set_light[3], light, 100);
    begin(f);
    fixture_vertices(f, D3DFVF_XYZ, positions, sizeof(positions), 12);
    free(f->indices);
    f->indices = malloc(sizeof(colors));
    memcpy(f->indices, colors, sizeof(colors));
    fixture_buffer(f, FIXTURE_INDICES, HAL_BUFFER_VERTEX, f->indices, sizeof(colors));
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream1, sizeof(stream1));
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, create, sizeof(create));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &shader, 4);
    put_rect(f, 0, fine, whole);
    assert_int_equal(fixture_run(f), DD_OK);
    /* black to red along u, by the same cubic as positions */
    const unsigned left = fixture_pixel(f, 14, 32) >> 16, right = fixture_pixel(f, 50, 32) >> 16;

    assert_true(left < 60 && right > 195);
    assert_int_equal(fixture_pixel(f, 50, 32) & 0xffff, 0);
    /* lit: the normal is -z, the light comes from the front at an angle with cosine 0.8 */
    begin(f);
    fixture_state(f, D3DRS_LIGHTING, 1);
    fixture_put(f, D3DDP2OP_CREATELIGHT, 1, &index, 4);
    fixture_put(f, D3DDP2OP_SETLIGHT, 1, set_light, sizeof(set_light));
    fixture_put(f, D3DDP2OP_SETLIGHT, 1, enable, sizeof(enable));
    put_rect(f, 9, fine, whole);
    assert_int_equal(fixture_run(f), DD_OK);
    const unsigned lit = fixture_pixel(f, 50, 32) >> 16;

    assert_true(10 * lit + 10 >= 8 * right && 10 * lit <= 8 * right + 10);
}

/* --- vertex shaders ----------------------------------------------------------------- */

/* A shader that passes on its inputs gives the same picture as the fixed function with identity matrices. */
static void test_patches_through_a_shader(void **state)
{
    struct fixture *f = *state;
    const uint32_t create[] = {0x43,       5 * 4,      8 * 4,      0x20000000,
                               0x40020000, 0x40040005, 0x00000000, 0xffffffff, /* position, colour */
                               0xfffe0101, 1,          0xc00f0000, 0x90e40000, /* mov oPos, v0 */
                               1,          0xd00f0000, 0x90e40005,             /* mov oD0, v5 */
                               0x0000ffff};
    const uint32_t shader = 0x43;
    struct colored p[16];
    uint64_t fixed;

    bump(p, 0.6f, 0x4080c0);
    p[5].color = 0xff0000;
    begin(f);
    fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
    put_rect(f, 1, fine, whole);
    assert_true(covered(f) > 1000);
    fixed = picture(f);
    begin(f);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, create, sizeof(create));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &shader, sizeof(shader));
    put_rect(f, 0, fine, whole);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(picture(f) == fixed);
}

/* --- hostile input ------------------------------------------------------------------ */

static void test_impossible_descriptions(void **state)
{
    static const uint32_t rect[][7] = {
        {0, 0, 0, 0, 0, BEZIER, 3},
        {0, 0, 4, 4, 4, BEZIER, 2},
        {0, 0, 4, 4, 4, BEZIER, 0},
        {0, 0, 4, 4, 4, BEZIER, UINT32_MAX},
        {0, 0, 4, 4, 4, 3, 3},
        {0, 0, 4, 4, 4, UINT32_MAX, 3},
        {0, 0, 4, 4, 4, INTERPOLATE, 1},
        {0, 0, 4, 5, 4, BEZIER, 3},
        {0, 0, 3, 4, 4, BSPLINE, 3},
        {0, 0, UINT32_MAX, UINT32_MAX, 4, BSPLINE, 3},
        {0, 0, 0x10000, 0x10001, 4, BEZIER, 1},
    };
    static const uint32_t tri[][4] = {
        {0, 9, BEZIER, 3},  {0, 10, BSPLINE, 3}, {0, 10, BEZIER, 2},
        {0, 16, BEZIER, 5}, {0, 3, BEZIER, 0},   {0, UINT32_MAX, BEZIER, UINT32_MAX},
    };
    struct fixture *f = *state;
    struct colored p[16];

    bump(p, 0.5f, 0xff0000);
    for (unsigned handle = 0; handle < 2; handle++) {
        begin(f);
        fixture_vertices(f, FVF_COLORED, p, sizeof(p), sizeof(p[0]));
        for (unsigned i = 0; i < ARRAY_COUNT(rect); i++)
            put_rect(f, handle, fine, rect[i]);
        for (unsigned i = 0; i < ARRAY_COUNT(tri); i++)
            put_tri(f, handle, fine, tri[i]);
        assert_int_equal(covered(f), 0);
        assert_int_equal(f->context->resources.patches->map.count, 0);
        assert_int_equal(f->context->resources.patches->bytes, 0);
    }
    /* still alive */
    put_rect(f, 1, fine, whole);
    assert_true(covered(f) > 1000);
    /* a description that cannot be read deletes the old one */
    begin(f);
    put_rect(f, 1, fine, rect[1]);
    put_rect(f, 1, fine, NULL);
    assert_int_equal(covered(f), 0);
}

/* Control points beyond the stream are at 0. */
static void test_control_points_beyond_the_stream(void **state)
{
    static const uint32_t rect[][7] = {
        {0, 0, 4, 4, 4, BEZIER, 3}, {0, 0, 4, 4, 5, BEZIER, 3},  {1, 0, 4, 4, 4, BEZIER, 3},
        {0, 1, 4, 4, 4, BEZIER, 3}, {0, 3, 4, 4, 4, BSPLINE, 3},
    };
    static const uint32_t remote[][7] = {
        {UINT32_MAX, UINT32_MAX, 4, 4, UINT32_MAX, BEZIER, 3},
        {0, 0x80000000, 4, 4, 0x80000000, BEZIER, 3},
        {0, 0x40000000, 4, 4, 4, BEZIER, 3},
    };
    static const uint32_t tri[][4] = {{0, 10, BEZIER, 3}, {7, 10, BEZIER, 3}, {0, 21, BEZIER, 5}};
    struct fixture *f = *state;
    struct colored p[64];
    unsigned drawn = 0;

    memset(p, 0, sizeof(p));
    bump(p, 0.5f, 0xff0000);
    for (unsigned i = 0; i < ARRAY_COUNT(rect) + ARRAY_COUNT(tri); i++) {
        uint64_t want = 0;

        for (unsigned extended = 2; extended-- > 0;) {
            begin(f);
            fixture_vertices(f, FVF_COLORED, p, (extended ? 64 : 16) * sizeof(p[0]), sizeof(p[0]));
            if (i < ARRAY_COUNT(rect))
                put_rect(f, i & 1, fine, rect[i]);
            else
                put_tri(f, i & 1, fine, tri[i - ARRAY_COUNT(rect)]);
            drawn += covered(f) > 20;
            if (extended)
                want = picture(f);
        }
        assert_true(picture(f) == want);
    }
    assert_true(drawn > 8);
    begin(f);
    for (unsigned i = 0; i < ARRAY_COUNT(remote); i++)
        put_rect(f, 0, fine, remote[i]);
    put_tri(f, 0, fine, (const uint32_t[4]){UINT32_MAX, 10, BEZIER, 3});
    assert_int_equal(covered(f), 0);
}

static void test_no_streams(void **state)
{
    struct fixture *f = *state;
    const uint32_t fvf = FVF_COLORED, none = 0, unknown = 0x77;

    begin(f);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &none, 4);
    put_rect(f, 1, fine, whole);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &unknown, 4);
    put_rect(f, 1, fine, whole);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, 4);
    put_rect(f, 1, fine, whole);
    put_tri(f, 1, fine, corner_triangle);
    assert_int_equal(covered(f), 0);
}

/* A stride of 0 makes endless streams: the net is still bounded. */
static void test_endless_stream(void **state)
{
    struct fixture *f = *state;
    const struct colored one = {0, 0, 0.5f, 0xffffff};
    const uint32_t wide[7] = {5, 6, 4096, 16, 1u << 20, BSPLINE, 1};
    const uint32_t wider[7] = {5, 6, 4096, 17, 1u << 20, BSPLINE, 1};

    begin(f);
    fixture_vertices(f, FVF_COLORED, &one, sizeof(one), 0);
    put_rect(f, 1, fine, wide);
    put_rect(f, 2, fine, wider);
    assert_int_equal(covered(f), 0);
    assert_int_equal(f->context->resources.patches->map.count, 1);
}

static void test_wild_vertices_and_segments(void **state)
{
    static const float wild[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-38f, 0};
    struct fixture *f = *state;
    struct shaped v[FIELD * FIELD];
    uint16_t indices[6 * FIELD * FIELD];
    const unsigned count = lattice_indices(indices);

    random_seed = 7;
    for (unsigned round = 0; round < 200; round++) {
        float segments[4];
        uint32_t *words = (uint32_t *)v;

        make_shapes(v, 1);
        for (unsigned i = 0; i < 20; i++)
            memcpy(&words[random_below(sizeof(v) / 4)], &wild[random_below(ARRAY_COUNT(wild))], 4);
        for (unsigned i = 0; i < 4; i++)
            segments[i] = (float)(round + i) / 16;
        segments[round & 3] = wild[round % ARRAY_COUNT(wild)];
        segments[round & 3] = segments[round & 3] > 16 ? 17 : segments[round & 3];
        const uint32_t info[7] = {0, 0, 7, 7, 7, round % 3, round % 3 == BSPLINE ? 5 : 3};
        const uint32_t triangle[4] = {0, 21, BEZIER, 5};

        begin(f);
        fixture_state(f, D3DRS_PATCHEDGESTYLE, round >> 3);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, segments[0]);
        fixture_vertices(f, FVF_NORMAL, v, sizeof(v), sizeof(v[0]));
        fixture_indices(f, indices, count * 2, 2);
        put_rect(f, round % 5, segments, info);
        put_tri(f, round % 7, segments, triangle);
        put_indexed(f, D3DPT_TRIANGLELIST, 0, count / 3);
        assert_int_equal(fixture_run(f), DD_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_rectangles_are_watertight),
        fixture_test(test_triangles_are_watertight),
        fixture_test(test_handles),
        fixture_test(test_forgotten_handles),
        fixture_test(test_table_is_bounded),
        fixture_test(test_handles_come_and_go),
        fixture_test(test_streams_and_generated_normals),
        fixture_test(test_patches_through_a_shader),
        fixture_test(test_impossible_descriptions),
        fixture_test(test_control_points_beyond_the_stream),
        fixture_test(test_no_streams),
        fixture_test(test_endless_stream),
        fixture_test(test_wild_vertices_and_segments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
