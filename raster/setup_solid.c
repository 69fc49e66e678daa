/* SPDX-License-Identifier: MIT */
/*
 * Filled triangles, from corners to bins: the path of meshes. Positions are vectors of x and y; the three edges of a small
 * triangle are computed at once.
 */
#include "raster/setup_planes.h"

/* --- bounds ------------------------------------------------------------------------------- */

static inline __m128i lesser(__m128i a, __m128i b)
{
    const __m128i more = _mm_cmpgt_epi32(a, b);

    return _mm_or_si128(_mm_and_si128(more, b), _mm_andnot_si128(more, a));
}

/* Right and bottom change their sign. */
static inline __m128i turn_ends(__m128i bounds)
{
    const __m128i ends = _mm_set_epi32(-1, -1, 0, 0);

    return _mm_sub_epi32(_mm_xor_si128(bounds, ends), ends);
}

/* left, top, -right, -bottom: each side is the least of something. `reach`: in subpixels, how far samples may lie from
 * their pixel's centre. */
static inline __m128i corner_bounds(const struct raster_snapped corner[3], int32_t reach)
{
    __m128i p[3];

    for (unsigned i = 0; i < 3; i++) {
        const __m128i v = setup_load_point(&corner[i]);

        p[i] = _mm_unpacklo_epi64(v, _mm_sub_epi32(_mm_setzero_si128(), v));
    }
    /* setup_first_pixel(v - reach), and -setup_end_pixel(v + reach), which is -((v + reach + 128) >> 8) and with
     * u = -v the same (u - reach + 127) >> 8 */
    return _mm_srai_epi32(_mm_add_epi32(lesser(lesser(p[0], p[1]), p[2]), _mm_set1_epi32(127 - reach)), 8);
}

/* -width, -height of turned bounds. */
static inline __m128i negative_size(__m128i bounds)
{
    return _mm_add_epi32(bounds, _mm_unpackhi_epi64(bounds, bounds));
}

/* Of the lower half: bit 0: x is below a limit, bit 1: y is. */
static inline unsigned below(__m128i v, int32_t limit)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(v, _mm_set1_epi32(limit)))) & 3;
}

/* --- edges -------------------------------------------------------------------------------- */

static struct scene_edge make_edge(const struct raster_snapped *a, const struct raster_snapped *b, bool bottom_edge_rule)
{
    int32_t dx = b->x - a->x, dy = b->y - a->y;
    bool top_left = dy < 0 || (dy == 0 && (bottom_edge_rule ? dx < 0 : dx > 0));
    int64_t e = (int64_t)dx * (128 - a->y) - (int64_t)dy * (128 - a->x) + (top_left ? 0 : -1);

    return (struct scene_edge){.c = e >> 8, .dx = dx, .dy = dy, .low = (int32_t)(e & 255)};
}

/*
 * Corners are taken from the centre of the first pixel of the bounds, so that they fit 16 bits: -255 to 64 * 256. There the
 * edge function is dx * -ay - dy * -ax, below 2^30.
 */
static inline void make_small_edges(struct scene_small *edges, __m128i bounds, const struct raster_snapped *first,
                                    const struct raster_snapped *second, const struct raster_snapped *third, bool bottom_edge_rule)
{
    const __m128i centre = _mm_add_epi32(_mm_slli_epi32(bounds, 8), _mm_set1_epi32(128));
    const __m128i a = _mm_sub_epi32(setup_load_point(first), centre);
    const __m128i b = _mm_sub_epi32(setup_load_point(second), centre);
    const __m128i c = _mm_sub_epi32(setup_load_point(third), centre);
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

/* In every tile that the bounds touch. */
static void bin_small(struct scene *scene, const struct scene_primitive *primitive)
{
    const unsigned left = (unsigned)primitive->left / RASTER_TILE_SIZE, top = (unsigned)primitive->top / RASTER_TILE_SIZE;
    const unsigned right = (unsigned)(primitive->right - 1) / RASTER_TILE_SIZE;
    const unsigned bottom = (unsigned)(primitive->bottom - 1) / RASTER_TILE_SIZE;

    for (unsigned y = top; y <= bottom; y++)
        for (unsigned x = left; x <= right; x++)
            scene_bin_command(scene, x, y, SCENE_TRIANGLE, primitive, 7);
}

static inline __attribute__((always_inline)) void
solid_triangle(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *const v[3],
               const struct raster_snapped p[3], double area, const struct raster_vertex *provoking, bool front, bool offset,
               bool stippled)
{
    const bool sampled = scene_samples(&raster->scene, state) > 1;
    const bool rule = state->rasterizer.bottom_edge_rule;
    const struct raster_snapped *second = &p[area > 0.0 ? 1 : 2], *third = &p[area > 0.0 ? 2 : 1]; /* inside is positive */
    /* Some sample of a pixel may be covered when its centre is not: half a pixel more on each side. */
    const __m128i whole = corner_bounds(p, sampled ? 128 : 0);
    const __m128i clip = turn_ends(_mm_loadu_si128((const __m128i *)&raster->clip));
    const __m128i cut = _mm_cmplt_epi32(whole, clip);
    const __m128i bounds = _mm_or_si128(_mm_and_si128(cut, clip), _mm_andnot_si128(cut, whole));
    const __m128i size = _mm_sub_epi32(_mm_setzero_si128(), negative_size(bounds));

    if (below(negative_size(bounds), 0) != 3)
        return;
    if (!raster_spend_rect(raster, _mm_cvtsi128_si32(size), _mm_cvtsi128_si32(_mm_srli_epi64(size, 32))))
        return;
    const bool is_small = !sampled && !below(negative_size(whole), -RASTER_TILE_SIZE);
    struct scene_primitive *primitive = setup_primitive(raster, state, !is_small);
    if (!primitive)
        return;
    _mm_storeu_si128((__m128i *)&primitive->left, turn_ends(bounds));
    primitive->front_facing = front;
    primitive->stippled = state->rasterizer.poly_stipple_enable && stippled;
    triangle_planes(raster, state, primitive, v, p, area, provoking, offset);
    raster->statistics.binned++;
    if (is_small) {
        primitive->is_small = true;
        primitive->clipped = _mm_movemask_epi8(cut) != 0;
        make_small_edges(&primitive->small_edges, whole, &p[0], second, third, rule);
        bin_small(&raster->scene, primitive);
        return;
    }
    primitive->shape->edge[0] = make_edge(&p[0], second, rule);
    primitive->shape->edge[1] = make_edge(second, third, rule);
    primitive->shape->edge[2] = make_edge(third, &p[0], rule);
    setup_bin_triangle(&raster->scene, primitive);
}

void setup_solid_triangle(struct raster *raster, const struct raster_draw_state *state,
                          const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                          const struct raster_vertex *provoking, bool front, bool offset, bool stippled)
{
    solid_triangle(raster, state, v, p, (double)area, provoking, front, offset, stippled);
}

/* --- meshes ------------------------------------------------------------------------------- */

/* Nothing that raster_triangle looks at beside what triangles with an area are filled with. */
static bool is_plain(const struct raster_draw_state *state)
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

/* As setup_area; exact: deltas have 23 bits and sign. */
static inline double corner_area(__m128i p0, __m128i p1, __m128i p2)
{
    const __m128d d1 = _mm_cvtepi32_pd(_mm_sub_epi32(p1, p0)), d2 = _mm_cvtepi32_pd(_mm_sub_epi32(p2, p0));
    const __m128d products = _mm_mul_pd(d1, _mm_shuffle_pd(d2, d2, 1));

    return _mm_cvtsd_f64(_mm_sub_sd(products, _mm_unpackhi_pd(products, products)));
}

static void plain_triangles(struct raster *raster, const struct raster_vertex *vertices,
                            const struct raster_snapped *snapped, const uint32_t *corners, size_t count)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    const uint32_t *end = corners + 3 * count;
    bool front;
    const bool clockwise = setup_facing(rs, 1, &front), counter_clockwise = setup_facing(rs, -1, &front);

    raster->statistics.triangles += count;
    for (; corners != end; corners += 3) {
        const struct raster_snapped *at[3] = {&snapped[corners[0]], &snapped[corners[1]], &snapped[corners[2]]};
        const __m128i p0 = setup_load_point(at[0]), p1 = setup_load_point(at[1]), p2 = setup_load_point(at[2]);
        const double area = corner_area(p0, p1, p2);

        if (!(area > 0.0 ? clockwise : area < 0.0 && counter_clockwise))
            continue;
        const struct raster_draw_state *state = raster_begin_primitive(raster);
        if (!state)
            return;
        const struct raster_vertex *const v[3] = {&vertices[corners[0]], &vertices[corners[1]], &vertices[corners[2]]};
        struct raster_snapped p[3];
        _mm_storeu_si128((__m128i *)p, _mm_unpacklo_epi64(p0, p1));
        setup_store_point(&p[2], p2);
        solid_triangle(raster, state, v, p, area, v[0], (area < 0.0) == rs->front_ccw, rs->offset_tri, true);
    }
}

void raster_triangles(struct raster *raster, const struct raster_vertex *vertices, const struct raster_snapped *snapped,
                      const uint32_t *corners, size_t count)
{
    if (is_plain(&raster->state)) {
        plain_triangles(raster, vertices, snapped, corners, count);
        return;
    }
    for (size_t i = 0; i < 3 * count; i += 3) {
        const struct raster_vertex *v0 = &vertices[corners[i]];

        raster_triangle(raster, v0, &vertices[corners[i + 1]], &vertices[corners[i + 2]], v0, 7);
    }
}
