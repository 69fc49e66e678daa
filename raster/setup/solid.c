/* SPDX-License-Identifier: MIT */
/*
 * Filled triangles, from corners to bins: the path of meshes. Here the top-left fill rule is made part of exact edge functions
 * (make_edge, make_small_edges; conservative triangles have theirs in conservative.c, points in point.c). Positions are vectors of x
 * and y; the three edges of a small triangle are computed at once.
 */
#include "raster/setup/planes.h"
#include "raster/setup/setup.h"

#include <string.h>

/* --- bounds ------------------------------------------------------------------------------- */

static inline __m128i lesser(__m128i a, __m128i b)
{
    const __m128i more = _mm_cmpgt_epi32(a, b);

    return _mm_or_si128(_mm_and_si128(more, b), _mm_andnot_si128(more, a));
}

/* Negates right and bottom. */
static inline __m128i negate_ends(__m128i bounds)
{
    const __m128i ends = _mm_set_epi32(-1, -1, 0, 0);

    return _mm_sub_epi32(_mm_xor_si128(bounds, ends), ends);
}

/* left, top, -right, -bottom: each side is the least of something. `reach`: in subpixels, how far samples may lie from
 * their pixel's centre. */
static inline __m128i corner_bounds(const __m128i corner[3], int32_t reach)
{
    __m128i p[3];

    for (unsigned i = 0; i < 3; i++)
        p[i] = _mm_unpacklo_epi64(corner[i], _mm_sub_epi32(_mm_setzero_si128(), corner[i]));
    /* setup_first_pixel(v - reach), and -setup_end_pixel(v + reach), which is -((v + reach + 128) >> 8) and with
     * u = -v the same (u - reach + 127) >> 8 */
    return _mm_srai_epi32(_mm_add_epi32(lesser(lesser(p[0], p[1]), p[2]), _mm_set1_epi32(127 - reach)), 8);
}

/* -width, -height of bounds whose ends are negated. */
static inline __m128i negative_size(__m128i bounds)
{
    return _mm_add_epi32(bounds, _mm_unpackhi_epi64(bounds, bounds));
}

/* Compares the lower half with a limit: bit 0: x is below it, bit 1: y is. */
static inline unsigned lanes_below(__m128i v, int32_t limit)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(v, _mm_set1_epi32(limit)))) & 3;
}

/* --- edges -------------------------------------------------------------------------------- */

/* The edge function from one corner to the next, inside positive, with the fill rule folded into its constant: pixels exactly on a
 * top or left edge belong to the triangle, others do not. */
static struct scene_edge make_edge(__m128i from, __m128i to, bool bottom_edge_rule)
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

/* Do the corners of a small triangle fit 16 bits from the centre of its first pixel? */
static inline bool fits_small(__m128i bounds, const __m128i p[3])
{
    const __m128i centre = _mm_add_epi32(_mm_slli_epi32(bounds, 8), _mm_set1_epi32(128));
    bool fits = true;

    for (unsigned i = 0; i < 3; i++) {
        struct raster_snapped at;

        setup_store_point(&at, _mm_sub_epi32(p[i], centre));
        fits &= at.x >= -255 && at.x <= 64 * 256 && at.y >= -255 && at.y <= 64 * 256;
    }
    return fits;
}

/*
 * Corners are taken from the centre of the first pixel of the bounds, so that they fit 16 bits: -255 to 64 * 256. There the
 * edge function is dx * -ay - dy * -ax, below 2^30.
 */
static inline void make_small_edges(struct scene_small *edges, __m128i bounds, __m128i first, __m128i second, __m128i third,
                                    bool bottom_edge_rule)
{
    const __m128i centre = _mm_add_epi32(_mm_slli_epi32(bounds, 8), _mm_set1_epi32(128));
    const __m128i a = _mm_sub_epi32(first, centre), b = _mm_sub_epi32(second, centre), c = _mm_sub_epi32(third, centre);
    /* x, y where edges start, and how far they go, in pairs of 16 bits; the fourth has no length */
    const __m128i start = _mm_packs_epi32(_mm_unpacklo_epi64(a, b), _mm_unpacklo_epi64(c, a));
    const __m128i delta = _mm_sub_epi16(_mm_shuffle_epi32(start, _MM_SHUFFLE(3, 3, 2, 1)), start);
    /* -dy, dx */
    const __m128i low = _mm_set1_epi32(0xffff);
    const __m128i yx = _mm_or_si128(_mm_slli_epi32(delta, 16), _mm_srli_epi32(delta, 16));
    const __m128i step = _mm_sub_epi16(_mm_xor_si128(yx, low), low);
    /* Top or left: dy < 0, or dy is 0 and dx > 0 (< 0): then dy * 65536 -+ dx, which is what decides, is below 0. */
    const __m128i dx = _mm_srai_epi32(step, 16), dy = _mm_andnot_si128(low, delta);
    const __m128i side = bottom_edge_rule ? _mm_add_epi32(dy, dx) : _mm_sub_epi32(dy, dx);
    const __m128i rule = _mm_xor_si128(_mm_srai_epi32(side, 31), _mm_set1_epi32(-1)); /* -1: neither */
    const __m128i e = _mm_sub_epi32(rule, _mm_madd_epi16(step, start));

    /* the fourths are overwritten */
    _mm_storeu_si128((__m128i *)edges->c, _mm_srai_epi32(e, 8));
    _mm_storeu_si128((__m128i *)edges->step, step);
    _mm_storel_epi64((__m128i *)&edges->x, bounds);
}

/* --- triangles ---------------------------------------------------------------------------- */

/* Puts a small triangle into the bins of all tiles that its bounds touch. */
static inline void bin_small(struct scene *scene, const struct scene_primitive *primitive)
{
    const unsigned left = (unsigned)primitive->left / RASTER_TILE_SIZE, top = (unsigned)primitive->top / RASTER_TILE_SIZE;
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

/* The pixels that a large triangle is charged for: those it can cover of its bounds, and a part of the rest. area: twice its area, in
 * subpixels squared. */
static inline uint64_t large_pixels(uint64_t bounds, double area)
{
    const uint64_t covered = (uint64_t)(__builtin_fabs(area) * (1.0 / (2 * 256.0 * 256.0)));

    return BASE_MIN(bounds, covered + bounds / RASTER_BOUNDS_PART);
}

static inline __attribute__((always_inline)) void
solid_triangle(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *const v[3],
               const __m128i p[3], double area, const struct raster_vertex *provoking, bool front, bool offset, bool stippled)
{
    const bool sampled = scene_samples(&raster->scene, state) > 1;
    const bool rule = state->rasterizer.bottom_edge_rule;
    const __m128i second = area > 0.0 ? p[1] : p[2], third = area > 0.0 ? p[2] : p[1]; /* inside is positive */
    /* Some sample of a pixel may be covered when its centre is not: half a pixel more on each side. */
    const __m128i whole = corner_bounds(p, sampled ? 128 : 0);
    const __m128i clip = negate_ends(_mm_loadu_si128((const __m128i *)&raster->clip));
    const __m128i cut = _mm_cmplt_epi32(whole, clip);
    const __m128i bounds = _mm_or_si128(_mm_and_si128(cut, clip), _mm_andnot_si128(cut, whole));
    const __m128i size = _mm_sub_epi32(_mm_setzero_si128(), negative_size(bounds));

    if (lanes_below(negative_size(bounds), 0) != 3)
        return;
    const bool is_small = !sampled && !lanes_below(negative_size(whole), -RASTER_TILE_SIZE);
    uint64_t pixels = (uint64_t)_mm_cvtsi128_si32(size) * (uint64_t)_mm_cvtsi128_si32(_mm_srli_epi64(size, 32));

    if (!is_small)
        pixels = large_pixels(pixels, area);
    if (!raster_spend_pixels(raster, pixels))
        return;
    struct scene_primitive *primitive = setup_primitive(raster, state, !is_small);
    if (!primitive)
        return;
    _mm_storeu_si128((__m128i *)&primitive->left, negate_ends(bounds));
    primitive->front_facing = front;
    primitive->stippled = state->rasterizer.poly_stipple_enable && stippled;
    triangle_planes(raster, state, primitive, v, p, area, provoking, offset);
    raster->statistics.binned++;
    if (is_small) {
        primitive->is_small = true;
        primitive->clipped = _mm_movemask_epi8(cut) != 0;
        BASE_ASSERT(fits_small(whole, p));
        make_small_edges(&primitive->small_edges, whole, p[0], second, third, rule);
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
    const __m128i corner[3] = {setup_load_point(&p[0]), setup_load_point(&p[1]), setup_load_point(&p[2])};

    solid_triangle(raster, state, v, corner, (double)area, provoking, front, offset, stippled);
}

/* --- meshes ------------------------------------------------------------------------------- */

/* Does the state ask for nothing of raster_triangle but filling triangles that have an area? */
static bool is_fast_path(const struct raster_draw_state *state)
{
    const struct raster_state *rs = &state->rasterizer;

    return rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF && !rs->poly_smooth && !state->color_inputs &&
           rs->fill_front == RASTER_FILL_SOLID && rs->fill_back == RASTER_FILL_SOLID;
}

void raster_snap(const struct raster *raster, const struct raster_vertex *vertices, size_t count,
                 struct raster_snapped *snapped)
{
    const __m128i shift = setup_snap_shift(&raster->state.rasterizer);
    size_t i = 0;

    for (; i + 2 <= count; i += 2) {
        const __m128 two = _mm_movelh_ps(setup_load_xy(&vertices[i]), setup_load_xy(&vertices[i + 1]));

        _mm_storeu_si128((__m128i *)&snapped[i], setup_snap_pairs(two, shift));
    }
    if (i < count)
        setup_store_point(&snapped[i], setup_snap_pairs(setup_load_xy(&vertices[i]), shift));
}

/* Triangles whose areas are found together. */
#define TRIANGLE_BATCH 4

/* Loads x and y of one corner of each triangle of a batch. */
static inline void batch_corners(const struct raster_snapped *snapped, const uint32_t *corners, __m128i *x, __m128i *y)
{
    const __m128 upper = _mm_castsi128_ps(
        _mm_unpacklo_epi64(setup_load_point(&snapped[corners[0]]), setup_load_point(&snapped[corners[3]])));
    const __m128 lower = _mm_castsi128_ps(
        _mm_unpacklo_epi64(setup_load_point(&snapped[corners[6]]), setup_load_point(&snapped[corners[9]])));

    *x = _mm_castps_si128(_mm_shuffle_ps(upper, lower, _MM_SHUFFLE(2, 0, 2, 0)));
    *y = _mm_castps_si128(_mm_shuffle_ps(upper, lower, _MM_SHUFFLE(3, 1, 3, 1)));
}

/* a b - c d of the lower two numbers; exact: deltas have 23 bits and sign, so that products have 46. */
static inline __m128d cross(__m128i a, __m128i b, __m128i c, __m128i d)
{
    return _mm_sub_pd(_mm_mul_pd(_mm_cvtepi32_pd(a), _mm_cvtepi32_pd(b)), _mm_mul_pd(_mm_cvtepi32_pd(c), _mm_cvtepi32_pd(d)));
}

/* setup_area of each triangle of a batch. Returns which have an area, and face as asked for. */
static inline unsigned batch_areas(const struct raster_snapped *snapped, const uint32_t *corners, bool clockwise,
                                    bool counter_clockwise, double area[TRIANGLE_BATCH])
{
    const __m128d zero = _mm_setzero_pd();
    __m128i x0, y0, x1, y1, x2, y2;
    unsigned more, less;

    batch_corners(snapped, corners, &x0, &y0);
    batch_corners(snapped, corners + 1, &x1, &y1);
    batch_corners(snapped, corners + 2, &x2, &y2);
    x1 = _mm_sub_epi32(x1, x0);
    y1 = _mm_sub_epi32(y1, y0);
    x2 = _mm_sub_epi32(x2, x0);
    y2 = _mm_sub_epi32(y2, y0);
    const __m128d low = cross(x1, y2, y1, x2);
    const __m128d high = cross(_mm_unpackhi_epi64(x1, x1), _mm_unpackhi_epi64(y2, y2), _mm_unpackhi_epi64(y1, y1),
                               _mm_unpackhi_epi64(x2, x2));
    _mm_storeu_pd(area, low);
    _mm_storeu_pd(area + 2, high);
    more = (unsigned)(_mm_movemask_pd(_mm_cmpgt_pd(low, zero)) | _mm_movemask_pd(_mm_cmpgt_pd(high, zero)) << 2);
    less = (unsigned)(_mm_movemask_pd(_mm_cmplt_pd(low, zero)) | _mm_movemask_pd(_mm_cmplt_pd(high, zero)) << 2);
    return (clockwise ? more : 0) | (counter_clockwise ? less : 0);
}

/* Draws TRIANGLE_BATCH triangles. False: nothing can be drawn any more. */
static inline bool solid_batch(struct raster *raster, const struct raster_vertex *vertices, const struct raster_snapped *snapped,
                             const uint32_t *corners, bool clockwise, bool counter_clockwise)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    const bool front_ccw = rs->front_ccw, offset = rs->offset_tri;
    double area[TRIANGLE_BATCH];
    unsigned seen = batch_areas(snapped, corners, clockwise, counter_clockwise, area);

    if (!seen)
        return true;
    const struct raster_draw_state *state = raster_begin_primitive(raster);
    if (!state)
        return false;
    for (; seen; seen &= seen - 1) {
        const unsigned i = (unsigned)__builtin_ctz(seen);
        const uint32_t *c = corners + 3 * i;
        const struct raster_vertex *const v[3] = {&vertices[c[0]], &vertices[c[1]], &vertices[c[2]]};
        const __m128i p[3] = {setup_load_point(&snapped[c[0]]), setup_load_point(&snapped[c[1]]),
                              setup_load_point(&snapped[c[2]])};

        solid_triangle(raster, state, v, p, area[i], v[0], (area[i] < 0.0) == front_ccw, offset, true);
    }
    return true;
}

static void solid_triangles(struct raster *raster, const struct raster_vertex *vertices,
                            const struct raster_snapped *snapped, const uint32_t *corners, size_t count)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    uint32_t rest[3 * TRIANGLE_BATCH] = {0}; /* filled up with triangles that have no area */
    bool front;
    const bool clockwise = setup_facing(rs, 1, &front), counter_clockwise = setup_facing(rs, -1, &front);

    raster->statistics.triangles += count;
    for (size_t done = 0; done < count; done += TRIANGLE_BATCH, corners += 3 * TRIANGLE_BATCH) {
        if (count - done < TRIANGLE_BATCH)
            corners = memcpy(rest, corners, 3 * (count - done) * sizeof(*rest));
        if (!solid_batch(raster, vertices, snapped, corners, clockwise, counter_clockwise))
            return;
    }
}

void raster_triangles(struct raster *raster, const struct raster_vertex *vertices, const struct raster_snapped *snapped,
                      const uint32_t *corners, size_t count)
{
    if (is_fast_path(&raster->state)) {
        solid_triangles(raster, vertices, snapped, corners, count);
        return;
    }
    for (size_t i = 0; i < 3 * count; i += 3) {
        const struct raster_vertex *v0 = &vertices[corners[i]];

        raster_triangle(raster, v0, &vertices[corners[i + 1]], &vertices[corners[i + 2]], v0, 7);
    }
}
