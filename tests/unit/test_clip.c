/* SPDX-License-Identifier: MIT */
/* Clipping by its properties, on random input: the four rules that prevent cracks (hal/vertex/clip.h). */
#include <math.h>

#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/vertex.h"
#include "hal_fixture.h"
#include "tests/random.h"

static const struct hal_viewport viewport = {0, 0, 640, 480, 0.0f, 1.0f};

struct work {
    struct hal_projection projection;
    struct clip_pool pool;
    struct hal_vertex vertex[4];
    struct raster_vertex projected[4];
};

static void begin(struct work *w, bool transformed, unsigned planes)
{
    memset(w, 0, sizeof(*w));
    hal_projection_set(&w->projection, &viewport, transformed, true, planes);
}

/* Vertices inside, around the view, behind the eye, far beyond the guard band, in any mixture. */
static void random_vertex(struct work *w, unsigned i)
{
    static const float scale[] = {0.9f, 2.0f, 50.0f, 4000.0f};
    const float s = scale[random_word() & 3];
    struct hal_vertex *v = &w->vertex[i];

    if (w->projection.transformed) {
        v->position[0] = random_between(-s, s) * 640;
        v->position[1] = random_between(-s, s) * 640;
        v->position[2] = random_between(-0.5f, 1.5f);
        v->position[3] = random_between(0.1f, 2.0f);
        return;
    }
    for (unsigned c = 0; c < 3; c++)
        v->position[c] = random_between(-s, s);
    v->position[3] = random_between(-1.0f, s);
    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++)
        v->plane[k] = random_between(-1.0f, 2.0f);
}

static void mark_corners(struct work *w)
{
    for (unsigned i = 0; i < 4; i++) {
        memset(w->projected[i].input, 0, sizeof(w->projected[i].input));
        w->projected[i].input[0][i] = 1.0f;
    }
}

static unsigned clip(struct work *w, const unsigned corner[3], struct clip_corner out[CLIP_MAX_CORNERS])
{
    const struct hal_vertex *v[3];
    const struct raster_vertex *p[3];

    for (unsigned i = 0; i < 3; i++) {
        v[i] = &w->vertex[corner[i]];
        p[i] = &w->projected[corner[i]];
    }
    return hal_clip_triangle(&w->projection, &w->pool, v, p, 7, 1, out);
}

/* Window positions of the corners on the edge between vertices 0 and 1, in the order of x. */
static unsigned edge_points(const struct clip_corner *corner, unsigned count, float out[][4])
{
    unsigned n = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct raster_vertex *v = corner[i].vertex->vertex;

        if (v->input[0][2] == 0.0f && v->input[0][3] == 0.0f)
            memcpy(out[n++], v, 4 * sizeof(float));
    }
    if (n == 2 && memcmp(out[0], out[1], 4 * sizeof(float)) > 0) {
        float t[4];

        memcpy(t, out[0], sizeof(t));
        memcpy(out[0], out[1], sizeof(t));
        memcpy(out[1], t, sizeof(t));
    }
    return n;
}

/* Two triangles on the edge 0-1, with opposite winding: the remaining part of the edge is the same in both. */
static void check_shared_edge(bool transformed, unsigned planes)
{
    static struct work w;
    struct clip_corner corner[CLIP_MAX_CORNERS];
    unsigned compared = 0;

    begin(&w, transformed, planes);
    for (unsigned round = 0; round < 40000; round++) {
        float a[CLIP_MAX_CORNERS][4], b[CLIP_MAX_CORNERS][4];

        for (unsigned i = 0; i < 4; i++)
            random_vertex(&w, i);
        hal_project(&w.projection, w.vertex, w.projected, 4);
        mark_corners(&w);
        const unsigned count = clip(&w, (const unsigned[3]){0, 1, 2}, corner);
        const unsigned na = edge_points(corner, count, a);
        const unsigned other = clip(&w, (const unsigned[3]){1, 0, 3}, corner);
        const unsigned nb = edge_points(corner, other, b);

        if (na != 2 || nb != 2)
            continue;
        assert_memory_equal(a, b, 2 * sizeof(a[0]));
        compared++;
    }
    assert_true(compared > 1000);
}

static void test_shared_edge(void **state)
{
    (void)state;
    check_shared_edge(false, 0);
    check_shared_edge(true, 0);
}

static void test_shared_edge_with_user_planes(void **state)
{
    (void)state;
    check_shared_edge(false, 0x15);
}

static void check_results(bool transformed, unsigned planes)
{
    static struct work w;
    struct clip_corner corner[CLIP_MAX_CORNERS];
    unsigned kept = 0;

    begin(&w, transformed, planes);
    for (unsigned round = 0; round < 40000; round++) {
        for (unsigned i = 0; i < 4; i++)
            random_vertex(&w, i);
        hal_project(&w.projection, w.vertex, w.projected, 4);
        mark_corners(&w);
        const unsigned count = clip(&w, (const unsigned[3]){0, 1, 2}, corner);

        for (unsigned i = 0; i < count; i++) {
            const struct raster_vertex *v = corner[i].vertex->vertex;

            assert_true(fabsf(v->x) <= RASTER_GUARD_BAND && fabsf(v->y) <= RASTER_GUARD_BAND);
            assert_true(v->z >= -1e-6f && v->z <= 1.0f + 1e-6f);
            assert_true(v->rhw > 0);
        }
        for (unsigned i = 0; i < 3 && count > 0; i++) {
            bool found = false;

            if (w.vertex[i].outcode & HAL_OUT_CLIP)
                continue;
            for (unsigned k = 0; k < count; k++)
                found = found || corner[k].vertex->vertex == &w.projected[i];
            assert_true(found);
            kept++;
        }
    }
    assert_true(kept > 1000);
}

/* The remaining part lies inside, and vertices that were inside are unchanged. */
static void test_inside_is_untouched(void **state)
{
    (void)state;
    check_results(false, 0);
    check_results(false, 0x3f);
    check_results(true, 0);
}

static void set_position(struct work *w, unsigned i, float x, float y, float z, float rhw)
{
    const float p[4] = {x, y, z, rhw};

    memcpy(w->vertex[i].position, p, sizeof(p));
}

static void test_viewport(void **state)
{
    static struct work w;

    (void)state;
    begin(&w, false, 0);
    set_position(&w, 0, -1, 1, 0, 1);
    set_position(&w, 1, 1, -1, 1, 1);
    set_position(&w, 2, 0, 0, 1, 2);
    set_position(&w, 3, 0, 0, 0, 0);
    hal_project(&w.projection, w.vertex, w.projected, 4);
    assert_true(w.projected[0].x == 0 && w.projected[0].y == 0 && w.projected[0].z == 0);
    assert_true(w.projected[1].x == 640 && w.projected[1].y == 480 && w.projected[1].z == 1);
    assert_true(w.projected[2].x == 320 && w.projected[2].z == 0.5f && w.projected[2].rhw == 0.5f);
    assert_int_equal(w.vertex[0].outcode | w.vertex[1].outcode | w.vertex[2].outcode, 0);
    assert_true(w.vertex[3].outcode & HAL_OUT_W);
}

static void test_depth_range(void **state)
{
    static struct work w;
    const struct hal_viewport reversed = {0, 0, 640, 480, 0.5f, 0.0f};

    (void)state;
    memset(&w, 0, sizeof(w));
    hal_projection_set(&w.projection, &reversed, false, true, 0);
    set_position(&w, 0, 0, 0, 1, 1);
    hal_project(&w.projection, w.vertex, w.projected, 1);
    assert_true(fabsf(w.projected[0].z - 0.501f) < 1e-6f);
}

static unsigned out_at(struct work *w, float z)
{
    w->vertex[0] = (struct hal_vertex){.position = {0, 0, z, 1}};
    hal_project(&w->projection, w->vertex, w->projected, 1);
    return w->vertex[0].outcode;
}

/* clip_halfz, depth_clip_near, depth_clip_far of the rasterizer state. */
static void test_depth_planes(void **state)
{
    struct work w;

    (void)state;
    begin(&w, false, 0);
    assert_int_equal(out_at(&w, -0.5f), HAL_OUT_NEAR);
    assert_int_equal(out_at(&w, 1.5f), HAL_OUT_FAR);
    w.projection.full_z = true;
    assert_int_equal(out_at(&w, -0.5f), 0);
    assert_true(w.projected[0].z == 0.25f);
    assert_int_equal(out_at(&w, -1.5f), HAL_OUT_NEAR);
    w.projection.near_open = true;
    assert_int_equal(out_at(&w, -1.5f), 0);
    assert_int_equal(out_at(&w, 1.5f), HAL_OUT_FAR);
    w.projection.far_open = true;
    assert_int_equal(out_at(&w, 1.5f), 0);
}

/* Each of the two planes alone, for vertices in clip space and in pixels: parts beyond a disabled plane are kept as
 * they are, parts beyond an enabled plane are removed. Source: gallium rasterizer document, depth_clip_near,
 * depth_clip_far. */
static void test_one_depth_plane(void **state)
{
    static const float depths[3] = {-0.5f, 0.5f, 1.5f};
    static struct work w;
    struct clip_corner corner[CLIP_MAX_CORNERS];

    (void)state;
    for (unsigned open = 0; open < 8; open++) {
        begin(&w, open & 1, 0);
        w.projection.near_open = open & 2;
        w.projection.far_open = open & 4;
        for (unsigned n = 0; n < 27; n++) { /* corners before, between and behind the planes */
            const unsigned where[3] = {n % 3, n / 3 % 3, n / 9};
            const bool cut_near = !(open & 2) && (!where[0] || !where[1] || !where[2]);
            const bool cut_far = !(open & 4) && (where[0] == 2 || where[1] == 2 || where[2] == 2);
            const bool gone = (!(open & 2) && !where[0] && !where[1] && !where[2]) ||
                              (!(open & 4) && where[0] == 2 && where[1] == 2 && where[2] == 2);
            float least = 2, most = -2;

            for (unsigned i = 0; i < 3; i++)
                set_position(&w, i, i == 1 ? 0.5f : 0, i == 2 ? 0.5f : 0, depths[where[i]], 1);
            w.vertex[3] = w.vertex[0];
            const uint32_t any = hal_project(&w.projection, w.vertex, w.projected, 4);
            const unsigned count = clip(&w, (const unsigned[3]){0, 1, 2}, corner);

            assert_int_equal(any, (cut_near ? HAL_OUT_NEAR : 0) | (cut_far ? HAL_OUT_FAR : 0));
            assert_int_equal(count == 0, gone);
            for (unsigned i = 0; i < count; i++) {
                const float z = corner[i].vertex->vertex->z;

                least = z < least ? z : least;
                most = z > most ? z : most;
            }
            for (unsigned i = 0; i < 3 && !gone; i++) {
                assert_true(cut_near || least <= depths[where[i]]);
                assert_true(cut_far || most >= depths[where[i]]);
            }
            assert_true(gone || ((!cut_near || least == 0) && (!cut_far || most == 1)));
        }
    }
}

/* All eight planes clip alike, both Direct3D's and the two given as equations. */
static void test_eight_planes(void **state)
{
    static struct work w;
    struct clip_corner corner[CLIP_MAX_CORNERS];
    unsigned cut = 0;

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        const double equation[4] = {random_between(-1, 1), random_between(-1, 1), random_between(-1, 1),
                                    random_between(-1, 1)};
        struct raster_vertex first[CLIP_MAX_CORNERS];
        uint32_t codes = 0;
        unsigned wanted = 0;

        begin(&w, false, 0);
        for (unsigned i = 0; i < 3; i++) {
            random_vertex(&w, i);
            for (unsigned c = 0; c < 4; c++) /* of which sums of products are exact */
                w.vertex[i].position[c] = (float)(int)(w.vertex[i].position[c] * 4.0f) / 4.0f;
        }
        for (unsigned k = 0; k < CLIP_MAX_PLANES; k++) {
            w.projection.user_planes = 1u << k;
            memset(w.projection.more_plane, 0, sizeof(w.projection.more_plane));
            for (unsigned i = 0; i < 3; i++) {
                double sum = 0;

                for (unsigned c = 0; c < 4; c++)
                    sum += (double)(int)(equation[c] * 64) / 64 * w.vertex[i].position[c];
                for (unsigned n = 0; n < HAL_MAX_CLIP_PLANES; n++)
                    w.vertex[i].plane[n] = n == k ? (float)sum : -1.0f; /* the others are not enabled */
            }
            for (unsigned c = 0; c < 4 && k >= HAL_MAX_CLIP_PLANES; c++)
                w.projection.more_plane[k - HAL_MAX_CLIP_PLANES][c] = (double)(int)(equation[c] * 64) / 64;
            const uint32_t any = hal_project(&w.projection, w.vertex, w.projected, 3);
            mark_corners(&w);
            const unsigned count = clip(&w, (const unsigned[3]){0, 1, 2}, corner);

            if (k == 0) {
                wanted = count;
                codes = any;
                cut += count > 3;
            }
            assert_int_equal(any, (codes & ~(uint32_t)HAL_OUT_USER) | (codes & HAL_OUT_USER0 ? HAL_OUT_USER0 << k : 0));
            assert_int_equal(count, wanted);
            for (unsigned i = 0; i < count; i++) {
                const struct raster_vertex *v = corner[i].vertex->vertex;

                if (k == 0)
                    first[i] = *v;
                assert_memory_equal(v, &first[i], offsetof(struct raster_vertex, input[1]));
            }
        }
    }
    assert_true(cut > 200);
}

static void test_bad_numbers(void **state)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
    static struct work w;

    (void)state;
    for (unsigned transformed = 0; transformed < 2; transformed++) {
        begin(&w, transformed, 0);
        for (unsigned b = 0; b < 4; b++) {
            for (unsigned c = 0; c < 3; c++) {
                set_position(&w, 0, 1, 1, 0, 1);
                w.vertex[0].position[c] = bad[b];
                hal_project(&w.projection, w.vertex, w.projected, 1);
                assert_true(w.vertex[0].outcode & HAL_OUT_BAD);
            }
        }
    }
    /* rhw of transformed vertices is repaired instead */
    for (unsigned b = 0; b < 3; b++) {
        set_position(&w, 0, 1, 1, 0, bad[b]);
        hal_project(&w.projection, w.vertex, w.projected, 1);
        assert_int_equal(w.vertex[0].outcode, 0);
        assert_true(w.projected[0].rhw == 1.0f);
    }
}

static void test_line(void **state)
{
    static struct work w;
    const struct hal_vertex *v[2] = {&w.vertex[0], &w.vertex[1]};
    const struct raster_vertex *p[2] = {&w.projected[0], &w.projected[1]};
    struct clip_line line, back;

    (void)state;
    begin(&w, false, 0);
    set_position(&w, 0, 0, 0, 0.5f, 1);
    set_position(&w, 1, 1, 0, -0.5f, 1);
    hal_project(&w.projection, w.vertex, w.projected, 2);
    assert_true(hal_clip_line(&w.projection, &w.pool, v, p, 0, &line));
    assert_ptr_equal(line.ends[0], p[0]);
    assert_false(line.end_kept);
    assert_true(line.ends[1]->x == 480 && line.ends[1]->y == 240 && line.ends[1]->z == 0);

    const struct raster_vertex cut = *line.ends[1];
    const struct hal_vertex *rv[2] = {v[1], v[0]};
    const struct raster_vertex *rp[2] = {p[1], p[0]};

    assert_true(hal_clip_line(&w.projection, &w.pool, rv, rp, 0, &back));
    assert_true(back.end_kept);
    assert_memory_equal(back.ends[0], &cut, 4 * sizeof(float));

    set_position(&w, 0, 0, 0, -0.1f, 1);
    hal_project(&w.projection, w.vertex, w.projected, 2);
    assert_false(hal_clip_line(&w.projection, &w.pool, v, p, 0, &line));
}

/* Edges of the triangle stay visible edges, edges along a plane do not. */
static void test_edge_flags(void **state)
{
    static struct work w;
    struct clip_corner corner[CLIP_MAX_CORNERS];
    unsigned drawn = 0;

    (void)state;
    begin(&w, false, 0);
    set_position(&w, 0, -0.5f, 0, 0.5f, 1);
    set_position(&w, 1, 0, 0.5f, -0.5f, 1);
    set_position(&w, 2, 0.5f, 0, 0.5f, 1);
    hal_project(&w.projection, w.vertex, w.projected, 3);
    assert_int_equal(clip(&w, (const unsigned[3]){0, 1, 2}, corner), 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct clip_corner *next = &corner[(i + 1) % 4];
        const bool along = corner[i].vertex->position[2] == 0 && next->vertex->position[2] == 0;

        assert_true(corner[i].edge == !along);
        drawn += corner[i].edge;
    }
    assert_int_equal(drawn, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_edge),         cmocka_unit_test(test_shared_edge_with_user_planes),
        cmocka_unit_test(test_inside_is_untouched), cmocka_unit_test(test_viewport),
        cmocka_unit_test(test_depth_range),         cmocka_unit_test(test_depth_planes),
        cmocka_unit_test(test_one_depth_plane),     cmocka_unit_test(test_eight_planes),
        cmocka_unit_test(test_bad_numbers),         cmocka_unit_test(test_line),
        cmocka_unit_test(test_edge_flags),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
