/* SPDX-License-Identifier: MIT */
/*
 * Planes of depth and inputs from the values at a triangle's corners: all components of an input at once, each with the
 * operations and in the order that a single one would take (setup_depth_plane). Inlined where meshes go.
 */
#ifndef HALCYON_RASTER_SETUP_PLANES_H
#define HALCYON_RASTER_SETUP_PLANES_H

#include "raster/setup/setup.h"

#include <math.h>

/* A gradient (struct gradient), each component in all lanes. */
struct lane_gradient {
    __m128 ax, bx, ay, by;
};

static inline __m128 all_lanes(__m128 v, unsigned lane)
{
    return lane ? _mm_shuffle_ps(v, v, _MM_SHUFFLE(1, 1, 1, 1)) : _mm_shuffle_ps(v, v, _MM_SHUFFLE(0, 0, 0, 0));
}

/* a: ax, ay; b: bx, by. */
static inline struct lane_gradient lane_gradient(__m128d a, __m128d b)
{
    const __m128 fa = _mm_cvtpd_ps(a), fb = _mm_cvtpd_ps(b);

    return (struct lane_gradient){all_lanes(fa, 0), all_lanes(fb, 0), all_lanes(fa, 1), all_lanes(fb, 1)};
}

static inline void store_pair(float *p, __m128 v)
{
    _mm_storel_epi64((__m128i *)p, _mm_castps_si128(v));
}

/* setup_depth_plane for z and 1/w at once. */
static inline void depth_planes(struct scene_plane2 *plane, __m128d a, __m128d b, const struct raster_vertex *const v[3])
{
    const __m128 z0 = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)&v[0]->z));
    const __m128 z1 = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)&v[1]->z));
    const __m128 z2 = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)&v[2]->z));
    const __m128d from = _mm_cvtps_pd(z0);
    const __m128d d1 = _mm_sub_pd(_mm_cvtps_pd(z1), from), d2 = _mm_sub_pd(_mm_cvtps_pd(z2), from);
    const __m128d ax = _mm_unpacklo_pd(a, a), ay = _mm_unpackhi_pd(a, a);
    const __m128d bx = _mm_unpacklo_pd(b, b), by = _mm_unpackhi_pd(b, b);

    store_pair(plane->a, z0);
    store_pair(plane->dx, _mm_cvtpd_ps(_mm_add_pd(_mm_mul_pd(d1, ax), _mm_mul_pd(d2, bx))));
    store_pair(plane->dy, _mm_cvtpd_ps(_mm_add_pd(_mm_mul_pd(d1, ay), _mm_mul_pd(d2, by))));
}

static inline void flat_plane(struct scene_plane4 *plane, const float *value)
{
    _mm_store_ps(plane->a, _mm_loadu_ps(value));
    _mm_store_ps(plane->dx, _mm_setzero_ps());
    _mm_store_ps(plane->dy, _mm_setzero_ps());
}

/* Is a plane constant in all of its components? */
static inline unsigned is_constant(__m128 dx, __m128 dy)
{
    const __m128 zero = _mm_setzero_ps();

    return _mm_movemask_ps(_mm_or_ps(_mm_cmpneq_ps(dx, zero), _mm_cmpneq_ps(dy, zero))) == 0;
}

static inline void input_planes(const struct raster_draw_state *state, struct scene_primitive *primitive,
                                const struct lane_gradient *g, const struct raster_vertex *const v[3],
                                const struct raster_vertex *provoking)
{
    unsigned constant = 0;

    for (unsigned i = 0; i < state->input_count; i++) {
        struct scene_plane4 *plane = &primitive->input[i];
        __m128 f0 = _mm_loadu_ps(v[0]->input[i]), f1 = _mm_loadu_ps(v[1]->input[i]);
        __m128 f2 = _mm_loadu_ps(v[2]->input[i]);

        if (state->interpolation[i] == RASTER_FLAT) {
            flat_plane(plane, provoking->input[i]);
            constant |= 1u << i;
            continue;
        }
        f0 = _mm_mul_ps(f0, _mm_set1_ps(v[0]->rhw));
        f1 = _mm_mul_ps(f1, _mm_set1_ps(v[1]->rhw));
        f2 = _mm_mul_ps(f2, _mm_set1_ps(v[2]->rhw));
        const __m128 d1 = _mm_sub_ps(f1, f0), d2 = _mm_sub_ps(f2, f0);
        const __m128 dx = _mm_add_ps(_mm_mul_ps(d1, g->ax), _mm_mul_ps(d2, g->bx));
        const __m128 dy = _mm_add_ps(_mm_mul_ps(d1, g->ay), _mm_mul_ps(d2, g->by));

        _mm_store_ps(plane->a, f0);
        _mm_store_ps(plane->dx, dx);
        _mm_store_ps(plane->dy, dy);
        constant |= is_constant(dx, dy) << i;
    }
    primitive->constant_inputs = (uint16_t)constant;
}

/* Swaps x and y of deltas in subpixels and scales them; integers are negated where `negated` has bits, so that no zero gets a
 * sign. */
static inline __m128d scaled_normal(__m128i delta, __m128i negated, __m128d scale)
{
    const __m128i yx = _mm_shuffle_epi32(delta, _MM_SHUFFLE(3, 2, 0, 1));

    return _mm_mul_pd(_mm_cvtepi32_pd(_mm_sub_epi32(_mm_xor_si128(yx, negated), negated)), scale);
}

/* p: the corners, in the lower halves. */
static inline __attribute__((always_inline)) void
triangle_planes(struct raster *raster, const struct raster_draw_state *state, struct scene_primitive *primitive,
                const struct raster_vertex *const v[3], const __m128i p[3], double area, const struct raster_vertex *provoking,
                bool offset)
{
    const __m128i p0 = p[0];
    const __m128 reference =
        _mm_mul_ps(_mm_cvtepi32_ps(_mm_sub_epi32(p0, _mm_set1_epi32(128))), _mm_set1_ps(1.0f / 256.0f));
    const __m128d scale = _mm_set1_pd(256.0 / area); /* deltas in subpixels to gradients per pixel */
    const __m128d a = scaled_normal(_mm_sub_epi32(p[2], p0), _mm_set_epi32(0, 0, -1, 0), scale);
    const __m128d b = scaled_normal(_mm_sub_epi32(p[1], p0), _mm_set_epi32(0, 0, 0, -1), scale);
    const struct lane_gradient lanes = lane_gradient(a, b);

    store_pair(&primitive->reference_x, reference);
    depth_planes(&primitive->depth, a, b, v);
    if (offset)
        setup_add_bias(raster, primitive, v);
    input_planes(state, primitive, &lanes, v, provoking);
}

#endif
