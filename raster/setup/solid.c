/* SPDX-License-Identifier: MIT */
/*
 * Filled triangles, from corners to bins: the path of meshes. The exact edge functions include the top-left fill rule
 * (make_edge, make_small_edges; conservative triangles have theirs in conservative.c, points in point.c). Positions are
 * vectors of x and y; the three edges of a small triangle are computed at once.
 */
#include "raster/setup/planes.h"
#include "raster/setup/setup.h"

#include <string.h>

/* --- bounds ------------------------------------------------------------------------------- */

/* Negates right and bottom. */
static inline int4 negate_ends(int4 bounds)
{
    return int4_negate(bounds, (int4){0, 0, -1, -1});
}

/* left, top, -right, -bottom of the corners, in subpixels, so that each side is a minimum. */
static inline int4 corner_extent(const int4 corner[3])
{
    int4 p[3];

    for (unsigned i = 0; i < 3; i++)
        p[i] = int4_low_halves(corner[i], int4_sub(int4_zero(), corner[i]));
    return int4_min(int4_min(p[0], p[1]), p[2]);
}

/* The pixels whose centres lie in the extent or on its border, ends negated. `reach`: the greatest distance of a sample
 * from its pixel's centre, in subpixels. */
static inline int4 closed_bounds(int4 extent, int32_t reach)
{
    /* setup_first_pixel(v - reach), and -setup_end_pixel(v + reach), which is -((v + reach + 128) >> 8) and with
     * u = -v the same (u - reach + 127) >> 8 */
    return int4_add(extent, int4_splat(127 - reach)) >> 8;
}

/* Size in pixels from which on the open bounds are worth computing: smaller triangles lie in one block anyway. */
#define OPEN_SIZE 8

/* The same without the centres on the right and lower border, which the fill rule never gives to a triangle that ends
 * there. This saves rectangles with integer coordinates a column and a row. */
static inline int4 open_bounds(int4 extent, bool bottom_edge_rule)
{
    return int4_add(extent, (int4){127, 127, 128, bottom_edge_rule ? 127 : 128}) >> 8;
}

/* -width, -height of bounds whose ends are negated. */
static inline int4 negative_size(int4 bounds)
{
    return int4_add(bounds, int4_high_halves(bounds, bounds));
}

/* Compares the lower half with a limit: bit 0: x is below, bit 1: y is below. */
static inline unsigned lanes_below(int4 v, int32_t limit)
{
    return int4_signs(v < limit) & 3;
}

/* --- edges -------------------------------------------------------------------------------- */

/* The edge function from one corner to the next, inside positive, with the fill rule folded into its constant: pixels
 * exactly on a top or left edge belong to the triangle, others do not. */
static struct scene_edge make_edge(int4 from, int4 to, bool bottom_edge_rule)
{
    struct raster_snapped a, b;

    setup_store_point(&a, from);
    setup_store_point(&b, to);
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    BASE_ASSERT(dx > -(1 << 23) && dx < 1 << 23 && dy > -(1 << 23) && dy < 1 << 23);
    bool top_left = dy < 0 || (dy == 0 && (bottom_edge_rule ? dx < 0 : dx > 0));
    int64_t e = (int64_t)dx * (128 - a.y) - (int64_t)dy * (128 - a.x) + (top_left ? 0 : -1);

    return (struct scene_edge){.c = e >> 8, .dx = dx, .dy = dy, .low = (int32_t)(e & 255)};
}

/* Do the corners of a small triangle fit 16 bits from the centre of its first pixel, half a pixel more where samples count? */
static inline bool fits_small(int4 bounds, const int4 p[3])
{
    const int4 centre = int4_add(int4_left(bounds, 8), int4_splat(128));
    bool fits = true;

    for (unsigned i = 0; i < 3; i++) {
        struct raster_snapped at;

        setup_store_point(&at, int4_sub(p[i], centre));
        fits &= at.x >= -383 && at.x <= 64 * 256 && at.y >= -383 && at.y <= 64 * 256;
    }
    return fits;
}

/* The edges of a small triangle: edge functions and pairs of steps of three; the fourth has no length. */
struct small_edges {
    int4 e, step;
};

/*
 * Corners are relative to the centre of the first pixel of the bounds, so that they fit 16 bits: -383 to 64 * 256. At
 * that centre the edge function is dx * -ay - dy * -ax, below 2^30.
 */
static inline struct small_edges make_small_edges(int4 bounds, int4 first, int4 second, int4 third,
                                                  bool bottom_edge_rule)
{
    const int4 centre = int4_add(int4_left(bounds, 8), int4_splat(128));
    const int4 a = int4_sub(first, centre), b = int4_sub(second, centre), c = int4_sub(third, centre);
    /* starts and deltas of edges, x and y in pairs of 16 bits */
    const int4 start = int4_pack16(int4_low_halves(a, b), int4_low_halves(c, a));
    const int4 delta = int4_sub16(int4_next(start), start);
    /* -dy, dx */
    const int4 low = int4_splat(0xffff);
    const int4 yx = int4_left(delta, 16) | int4_right(delta, 16);
    const int4 step = int4_sub16(yx ^ low, low);
    /* Top or left: dy < 0, or dy is 0 and dx > 0 (< 0): then dy * 65536 -+ dx, the value that decides, is below 0. */
    const int4 dx = step >> 16, dy = ~low & delta;
    const int4 side = bottom_edge_rule ? int4_add(dy, dx) : int4_sub(dy, dx);
    const int4 rule = ~(side >> 31); /* -1: neither */
    const int4 e = int4_sub(rule, int4_madd16(step, start));

    return (struct small_edges){e, step};
}

/* sampled: samples start from all bits of the edge function. */
static inline void store_small_edges(struct scene_small *to, struct small_edges edges, int4 bounds, bool sampled)
{
    /* the fourth lanes are overwritten */
    int4_store(to->c, sampled ? edges.e : edges.e >> 8);
    int4_store(to->step, edges.step);
    int4_store_low(&to->x, bounds);
}

/* Is a pixel centre inside all three edges? c: their values at it. */
static inline bool is_inside(int4 c)
{
    return !(int4_signs(c) & 7);
}

/* Is one of the first 2x2 pixel centres of the bounds inside? Centres beyond the bounds never are. */
static inline bool covers_one_of_four(struct small_edges edges)
{
    const int4 right = int4_left(edges.step, 16) >> 16, down = edges.step >> 16;
    const int4 c = edges.e >> 8, below = int4_add(c, down);

    return is_inside(c) | is_inside(int4_add(c, right)) | is_inside(below) | is_inside(int4_add(below, right));
}

/* --- triangles ---------------------------------------------------------------------------- */

/* Puts a small triangle into the bins of all tiles that its bounds touch. */
static inline void bin_small(struct scene *scene, const struct scene_primitive *primitive)
{
    const unsigned left = (unsigned)primitive->left / RASTER_TILE_SIZE,
                   top = (unsigned)primitive->top / RASTER_TILE_SIZE;
    const unsigned right = (unsigned)(primitive->right - 1) / RASTER_TILE_SIZE;
    const unsigned bottom = (unsigned)(primitive->bottom - 1) / RASTER_TILE_SIZE;

    if (left == right && top == bottom) {
        scene_bin_command(scene, left, top, SCENE_TRIANGLE, primitive, 7);
        return;
    }
    for (unsigned y = top; y <= bottom; y++)
        for (unsigned x = left; x <= right; x++)
            scene_bin_command(scene, x, y, SCENE_TRIANGLE, primitive, 7);
}

/* Bounds of a triangle that may cover a pixel, and its edges if it is small, found for several triangles at once. */
struct found_triangle {
    int4 bounds;
    struct small_edges edges;
};

/* found: bounds and edges found before, for coverage of pixel centres; NULL: not found yet. */
static inline __attribute__((always_inline)) void solid_triangle(
    struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *const v[3],
    const int4 p[3], double area, const struct raster_vertex *provoking, bool front, bool offset, bool stippled,
    const struct found_triangle *found)
{
    const bool sampled = !found && scene_samples(&raster->scene, state) > 1;
    const bool rule = state->rasterizer.bottom_edge_rule;
    const int4 second = area > 0.0 ? p[1] : p[2], third = area > 0.0 ? p[2] : p[1]; /* inside is positive */
    /* Some sample of a pixel may be covered when its centre is not: half a pixel more on each side. */
    const int4 closed = found ? found->bounds : closed_bounds(corner_extent(p), sampled ? 128 : 0);
    const int4 clip = negate_ends(int4_load(&raster->clip));
    const int4 charged = int4_select(closed < clip, clip, closed);
    const int4 size = int4_sub(int4_zero(), negative_size(charged));

    if (lanes_below(negative_size(charged), 0) != 3)
        return;
    bool is_small = !lanes_below(negative_size(closed), -RASTER_TILE_SIZE);
    uint64_t pixels = (uint64_t)size[0] * (uint64_t)size[1];
    struct small_edges edges = {int4_zero(), int4_zero()};

    if (is_small) {
        edges = found ? found->edges : make_small_edges(closed, p[0], second, third, rule);
        /* More than half of the triangles of a pixel's size lie between centres. */
        if (!found && !sampled && !lanes_below(negative_size(closed), -2) && !covers_one_of_four(edges))
            return;
    } else {
        pixels = setup_large_pixels(pixels, area);
    }
    if (!raster_spend_pixels(raster, pixels))
        return;
    int4 whole = closed;
    if (!sampled && lanes_below(negative_size(closed), -OPEN_SIZE)) {
        whole = open_bounds(corner_extent(p), rule);
        if (lanes_below(negative_size(int4_max(whole, clip)), 0) != 3) {
            raster->statistics.binned++;
            return;
        }
        if (!is_small && !lanes_below(negative_size(whole), -RASTER_TILE_SIZE)) {
            edges = make_small_edges(whole, p[0], second, third, rule);
            is_small = true;
        }
    }
    const int4 cut = whole < clip, bounds = int4_select(cut, clip, whole);
    BASE_ASSERT(!is_small || fits_small(whole, p));
    struct scene_primitive *primitive = setup_primitive(raster, state, !is_small);
    if (!primitive)
        return;
    int4_store(&primitive->left, negate_ends(bounds));
    primitive->front_facing = front;
    primitive->stippled = state->rasterizer.poly_stipple_enable && stippled;
    triangle_planes(raster, state, primitive, v, p, area, provoking, offset);
    raster->statistics.binned++;
    if (is_small) {
        primitive->is_small = true;
        primitive->clipped = int4_signs(cut) != 0;
        store_small_edges(&primitive->small_edges, edges, whole, sampled);
        bin_small(&raster->scene, primitive);
        return;
    }
    primitive->shape->edge[0] = make_edge(p[0], second, rule);
    primitive->shape->edge[1] = make_edge(second, third, rule);
    primitive->shape->edge[2] = make_edge(third, p[0], rule);
    setup_bin_triangle(&raster->scene, primitive);
}

void setup_solid_triangle(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                          const struct raster_vertex *provoking, bool front, bool offset, bool stippled)
{
    const int4 corner[3] = {setup_load_point(&p[0]), setup_load_point(&p[1]), setup_load_point(&p[2])};

    solid_triangle(raster, state, v, corner, (double)area, provoking, front, offset, stippled, NULL);
}

/* --- meshes ------------------------------------------------------------------------------- */

bool setup_only_fills(const struct raster_draw_state *state)
{
    const struct raster_state *rs = &state->rasterizer;

    return rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF && !rs->poly_smooth && !state->color_inputs &&
           rs->fill_front == RASTER_FILL_SOLID && rs->fill_back == RASTER_FILL_SOLID;
}

void raster_snap(const struct raster *raster, const struct raster_vertex *vertices, size_t count,
                 struct raster_snapped *snapped)
{
    const int4 shift = setup_snap_shift(&raster->state.rasterizer);
    size_t i = 0;

    for (; i + 2 <= count; i += 2) {
        const float4 two = float4_low_halves(setup_load_xy(&vertices[i]), setup_load_xy(&vertices[i + 1]));

        int4_store(&snapped[i], setup_snap_pairs(two, shift));
    }
    if (i < count)
        setup_store_point(&snapped[i], setup_snap_pairs(setup_load_xy(&vertices[i]), shift));
}

/* Triangles whose areas are computed together. */
#define TRIANGLE_BATCH 4

/* Corners of a batch; lanes are triangles. */
struct batch_corners {
    int4 x[3], y[3];
};

/* Loads x and y of one corner of each triangle of a batch. */
static inline void load_corners(const struct raster_snapped *snapped, const uint32_t *corners, int4 *x, int4 *y)
{
    const int4 upper = int4_low_halves(setup_load_point(&snapped[corners[0]]), setup_load_point(&snapped[corners[3]]));
    const int4 lower = int4_low_halves(setup_load_point(&snapped[corners[6]]), setup_load_point(&snapped[corners[9]]));

    *x = int4_even(upper, lower);
    *y = int4_odd(upper, lower);
}

/* a b - c d of the lower two numbers; exact: deltas have 23 bits and sign, so that products have 46. */
static inline double2 solid_cross(int4 a, int4 b, int4 c, int4 d)
{
    return double2_from_ints(a) * double2_from_ints(b) - double2_from_ints(c) * double2_from_ints(d);
}

/* setup_area of each triangle of a batch. Returns the triangles that have an area and are not culled. */
static inline unsigned batch_areas(const struct batch_corners *p, bool clockwise, bool counter_clockwise,
                                   double area[TRIANGLE_BATCH])
{
    const int4 x1 = int4_sub(p->x[1], p->x[0]), y1 = int4_sub(p->y[1], p->y[0]);
    const int4 x2 = int4_sub(p->x[2], p->x[0]), y2 = int4_sub(p->y[2], p->y[0]);
    const double2 low = solid_cross(x1, y2, y1, x2);
    const double2 high = solid_cross(int4_high_halves(x1, x1), int4_high_halves(y2, y2), int4_high_halves(y1, y1),
                                     int4_high_halves(x2, x2));
    const unsigned more = double2_above_zero(low) | double2_above_zero(high) << 2;
    const unsigned less = double2_below_zero(low) | double2_below_zero(high) << 2;

    double2_store(area, low);
    double2_store(area + 2, high);
    return (clockwise ? more : 0) | (counter_clockwise ? less : 0);
}

/* The edge functions from one corner of each small triangle to the next (make_small_edges); lanes are triangles. */
struct batch_edge {
    int4 e, dx, dy, step;
};

/* x, y: where the edges start, from the centre of the first pixel. */
static inline struct batch_edge batch_edge(int4 x, int4 y, int4 next_x, int4 next_y, bool bottom_edge_rule)
{
    const int4 low = int4_splat(0xffff);
    const int4 dx = int4_sub(next_x, x), dy = int4_sub(next_y, y), above = int4_left(dy, 16);
    const int4 side = bottom_edge_rule ? int4_add(above, dx) : int4_sub(above, dx);
    const int4 step = int4_left(dx, 16) | (int4_sub(int4_zero(), dy) & low);
    const int4 start = int4_left(y, 16) | (x & low);

    return (struct batch_edge){int4_sub(~(side >> 31), int4_madd16(step, start)), dx, dy, step};
}

/* Is one of the first 2x2 pixel centres inside all three edges? (covers_one_of_four) */
static inline int4 batch_covers_four(const struct batch_edge edge[3])
{
    int4 outside[4] = {int4_zero(), int4_zero(), int4_zero(), int4_zero()};

    _Pragma("GCC unroll 3") for (unsigned e = 0; e < 3; e++)
    {
        const int4 c = edge[e].e >> 8, right = int4_sub(c, edge[e].dy);

        outside[0] |= c;
        outside[1] |= right;
        outside[2] |= int4_add(c, edge[e].dx);
        outside[3] |= int4_add(right, edge[e].dx);
    }
    return ~(outside[0] & outside[1] & outside[2] & outside[3]) >> 31;
}

/* Rows become columns. */
static inline void transpose(int4 a, int4 b, int4 c, int4 d, int4 out[TRIANGLE_BATCH])
{
    float4 r[4] = {(float4)a, (float4)b, (float4)c, (float4)d};

    float4_transpose(r);
    SIMD4_EACH(l)
        out[l] = (int4)r[l];
}

/* Finds the bounds, and for small triangles the edges, of the triangles of `seen`, for coverage of pixel centres.
 * Returns the triangles that may cover a pixel. */
static inline unsigned find_triangles(const struct batch_corners *p, const double area[TRIANGLE_BATCH], unsigned seen,
                                      bool bottom_edge_rule, struct found_triangle found[TRIANGLE_BATCH])
{
    const int4 swapped = {area[0] < 0.0 ? -1 : 0, area[1] < 0.0 ? -1 : 0, area[2] < 0.0 ? -1 : 0,
                          area[3] < 0.0 ? -1 : 0}; /* inside is positive */
    const int4 left = int4_min(int4_min(p->x[0], p->x[1]), p->x[2]),
               right = int4_max(int4_max(p->x[0], p->x[1]), p->x[2]);
    const int4 top = int4_min(int4_min(p->y[0], p->y[1]), p->y[2]),
               bottom = int4_max(int4_max(p->y[0], p->y[1]), p->y[2]);
    const int4 half = int4_splat(127);
    /* as closed_bounds has them */
    const int4 first_x = int4_add(left, half) >> 8, first_y = int4_add(top, half) >> 8;
    const int4 minus_end_x = int4_sub(half, right) >> 8, minus_end_y = int4_sub(half, bottom) >> 8;
    const int4 minus_width = int4_add(first_x, minus_end_x), minus_height = int4_add(first_y, minus_end_y);
    const int4 centre_x = int4_add(int4_left(first_x, 8), int4_splat(128));
    const int4 centre_y = int4_add(int4_left(first_y, 8), int4_splat(128));
    int4 x[3], y[3], row[3][TRIANGLE_BATCH];
    struct batch_edge edge[3];

    seen &= (unsigned)int4_signs(minus_width & minus_height); /* there is a centre in the bounds */
    x[0] = int4_sub(p->x[0], centre_x);
    y[0] = int4_sub(p->y[0], centre_y);
    x[1] = int4_sub(int4_select(swapped, p->x[2], p->x[1]), centre_x);
    y[1] = int4_sub(int4_select(swapped, p->y[2], p->y[1]), centre_y);
    x[2] = int4_sub(int4_select(swapped, p->x[1], p->x[2]), centre_x);
    y[2] = int4_sub(int4_select(swapped, p->y[1], p->y[2]), centre_y);
    _Pragma("GCC unroll 3") for (unsigned e = 0; e < 3; e++)
    {
        const unsigned next = (e + 1) % 3;

        edge[e] = batch_edge(x[e], y[e], x[next], y[next], bottom_edge_rule);
    }
    const int4 two = int4_splat(-2), tiny = (minus_width >= two) & (minus_height >= two);

    seen &= (unsigned)int4_signs(~tiny | batch_covers_four(edge));
    transpose(first_x, first_y, minus_end_x, minus_end_y, row[0]);
    transpose(edge[0].e, edge[1].e, edge[2].e, edge[2].e, row[1]);
    transpose(edge[0].step, edge[1].step, edge[2].step, edge[2].step, row[2]);
    SIMD4_EACH(l)
        found[l] = (struct found_triangle){row[0][l], {row[1][l], row[2][l]}};
    return seen;
}

/* Twice the area, in subpixels squared, below which pairs of triangles gain nothing from being rectangles. */
#define LEAST_RECTANGLE (64 * 256.0 * 256.0)

/* Triangle i of a batch, and the next one, if they may be a rectangle: bit i. */
static inline unsigned batch_pairs(const double area[TRIANGLE_BATCH], unsigned seen)
{
    unsigned pairs = seen & seen >> 1;

    if (pairs)
        for (unsigned i = 0; i + 1 < TRIANGLE_BATCH; i++)
            if (area[i] != area[i + 1] || __builtin_fabs(area[i]) < LEAST_RECTANGLE)
                pairs &= ~(1u << i);
    return pairs;
}

/* Draws the triangles of `seen` of a batch that has such pairs. */
static __attribute__((noinline)) void solid_pairs(struct raster *raster, const struct raster_draw_state *state,
                                                  const struct raster_vertex *vertices,
                                                  const struct raster_snapped *snapped, const uint32_t *corners,
                                                  const double area[TRIANGLE_BATCH], unsigned seen, unsigned pairs)
{
    const struct raster_state *rs = &state->rasterizer;

    for (; seen; seen &= seen - 1) {
        const unsigned i = (unsigned)__builtin_ctz(seen);
        const uint32_t *c = corners + 3 * i;
        const struct raster_vertex *const v[3] = {&vertices[c[0]], &vertices[c[1]], &vertices[c[2]]};
        const struct raster_snapped p[3] = {snapped[c[0]], snapped[c[1]], snapped[c[2]]};
        const bool front = (area[i] < 0.0) == rs->front_ccw;

        if (seen & pairs & 1u << i &&
            setup_rectangle(raster, state, vertices, snapped, c, area[i], front, rs->offset_tri))
            seen &= seen - 1;
        else
            setup_solid_triangle(raster, state, v, p, (int64_t)area[i], v[0], front, rs->offset_tri, true);
    }
}

/* Draws a triangle of a batch. */
static inline __attribute__((always_inline)) void solid_triangle_of(
    struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *vertices,
    const struct raster_snapped *snapped, const uint32_t *corners, double area, bool front_ccw, bool offset,
    const struct found_triangle *found)
{
    const struct raster_vertex *const v[3] = {&vertices[corners[0]], &vertices[corners[1]], &vertices[corners[2]]};
    const int4 p[3] = {setup_load_point(&snapped[corners[0]]), setup_load_point(&snapped[corners[1]]),
                       setup_load_point(&snapped[corners[2]])};

    solid_triangle(raster, state, v, p, area, v[0], (area < 0.0) == front_ccw, offset, true, found);
}

/* Draws the triangles of `seen` of a batch, if coverage is per sample. */
static __attribute__((noinline)) void solid_sampled(struct raster *raster, const struct raster_draw_state *state,
                                                    const struct raster_vertex *vertices,
                                                    const struct raster_snapped *snapped, const uint32_t *corners,
                                                    const double area[TRIANGLE_BATCH], unsigned seen)
{
    const bool front_ccw = state->rasterizer.front_ccw, offset = state->rasterizer.offset_tri;

    for (; seen; seen &= seen - 1) {
        const unsigned i = (unsigned)__builtin_ctz(seen);

        solid_triangle_of(raster, state, vertices, snapped, corners + 3 * i, area[i], front_ccw, offset, NULL);
    }
}

/* Draws TRIANGLE_BATCH triangles. False: nothing can be drawn any more. */
static inline bool solid_batch(struct raster *raster, const struct raster_vertex *vertices,
                               const struct raster_snapped *snapped, const uint32_t *corners, bool clockwise,
                               bool counter_clockwise)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    const bool front_ccw = rs->front_ccw, offset = rs->offset_tri;
    struct found_triangle found[TRIANGLE_BATCH];
    struct batch_corners at;
    double area[TRIANGLE_BATCH];

    for (unsigned i = 0; i < 3; i++)
        load_corners(snapped, corners + i, &at.x[i], &at.y[i]);
    unsigned seen = batch_areas(&at, clockwise, counter_clockwise, area);

    if (!seen)
        return true;
    const struct raster_draw_state *state = raster_begin_primitive(raster);
    if (!state)
        return false;
    const unsigned pairs = batch_pairs(area, seen);

    if (pairs) {
        solid_pairs(raster, state, vertices, snapped, corners, area, seen, pairs);
        return true;
    }
    if (scene_samples(&raster->scene, state) > 1) {
        solid_sampled(raster, state, vertices, snapped, corners, area, seen);
        return true;
    }
    seen = find_triangles(&at, area, seen, rs->bottom_edge_rule, found);
    for (; seen; seen &= seen - 1) {
        const unsigned i = (unsigned)__builtin_ctz(seen);

        solid_triangle_of(raster, state, vertices, snapped, corners + 3 * i, area[i], front_ccw, offset, &found[i]);
    }
    return true;
}

void setup_solid_triangles(struct raster *raster, const struct raster_vertex *vertices,
                           const struct raster_snapped *snapped, const uint32_t *corners, size_t count)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    uint32_t rest[3 * TRIANGLE_BATCH] = {0}; /* filled up with triangles that have no area */
    bool front;
    const bool clockwise = setup_facing(rs, 1, &front), counter_clockwise = setup_facing(rs, -1, &front);

    raster->statistics.triangles += count;
    for (size_t done = 0; done < count; done += TRIANGLE_BATCH, corners += 3 * TRIANGLE_BATCH) {
        if (count - done < TRIANGLE_BATCH) {
            for (size_t i = 0; i < count - done; i++) /* GCC copies an unknown number of bytes below 64 one by one */
                memcpy(rest + 3 * i, corners + 3 * i, 3 * sizeof(*rest));
            corners = rest;
        }
        if (!solid_batch(raster, vertices, snapped, corners, clockwise, counter_clockwise))
            return;
    }
}
