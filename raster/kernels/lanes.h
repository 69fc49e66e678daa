/* SPDX-License-Identifier: MIT */
/*
 * The lanes of a group: loops over all 16, masks, rows of a target to lanes and back. For
 * files in kernels/ only. The loops are left to the compiler's vectorizer, which keeps IEEE results (-ffp-contract=off), so
 * the bits do not depend on the level; only the gathering of sign bits and moves of rows are written per level.
 */
#ifndef HALCYON_RASTER_LANES_H
#define HALCYON_RASTER_LANES_H

#include "raster/kernels/simd.h"

#include <string.h>

#define FOR_GROUP_LANES for (unsigned l = 0; l < GROUP_LANES; l++)

static inline float saturate(float v)
{
    v = v > 0.0f ? v : 0.0f;
    return v < 1.0f ? v : 1.0f;
}

/* Bit l of the result is the sign bit of v[l]. */
static inline uint32_t sign_bits(const int32_t v[GROUP_LANES])
{
#if KERNEL_LEVEL == 3
    return _mm512_movepi32_mask(_mm512_loadu_si512(v));
#elif KERNEL_LEVEL == 2
    __m256i lo = _mm256_loadu_si256((const __m256i *)v), hi = _mm256_loadu_si256((const __m256i *)(v + 8));

    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(lo)) |
           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(hi)) << 8;
#elif KERNEL_LEVEL == 1
    uint32_t bits = 0;

    for (unsigned i = 0; i < 4; i++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(v + 4 * i)))) << (4 * i);
    return bits;
#else
    uint32_t bits = 0;

    FOR_GROUP_LANES
        bits |= ((uint32_t)v[l] >> 31) << l;
    return bits;
#endif
}

/* sign_bits of eight values. */
static inline uint32_t sign_bits_8(const int32_t v[8])
{
#if KERNEL_LEVEL >= 2
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)v)));
#elif KERNEL_LEVEL == 1
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)v))) |
           (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(v + 4)))) << 4;
#else
    uint32_t bits = 0;

    for (unsigned l = 0; l < 8; l++)
        bits |= ((uint32_t)v[l] >> 31) << l;
    return bits;
#endif
}

/* All ones in the lanes of mask. */
static inline void lane_select(uint32_t mask, uint32_t select[GROUP_LANES])
{
    FOR_GROUP_LANES
        select[l] = 0u - ((mask >> l) & 1u);
}

#define COMPARE_CASE(name, op)                                                                                         \
    case name:                                                                                                         \
        FOR_GROUP_LANES                                                                                                          \
            pass[l] = a[l] op b[l] ? -1 : 0;                                                                           \
        break

/* Lanes for which `a func b`. With constant `func` the compiler keeps one case. */
static inline __attribute__((always_inline)) uint32_t compare_lanes(unsigned func, const uint32_t *restrict a,
                                                                    const uint32_t *restrict b)
{
    int32_t pass[GROUP_LANES];

    switch (func) {
        COMPARE_CASE(RASTER_LESS, <);
        COMPARE_CASE(RASTER_EQUAL, ==);
        COMPARE_CASE(RASTER_LEQUAL, <=);
        COMPARE_CASE(RASTER_GREATER, >);
        COMPARE_CASE(RASTER_NOTEQUAL, !=);
        COMPARE_CASE(RASTER_GEQUAL, >=);
    default:
        return func == RASTER_ALWAYS ? 0xffff : 0;
    }
    return sign_bits(pass);
}

/* Depth of a group whose first pixel lies (ox, oy) from the planes' reference; clamped to 0..1. */
static inline void depth_lanes(const struct scene_primitive *primitive, float ox, float oy, float *restrict z)
{
    const float a = primitive->depth.a[0], dx = primitive->depth.dx[0], dy = primitive->depth.dy[0];

    FOR_GROUP_LANES
    {
        float v = a + (ox + (float)raster_lane_x[l]) * dx + (oy + (float)raster_lane_y[l]) * dy;

        z[l] = saturate(v);
    }
}

/* depth_lanes for a primitive whose depth is eye w. Where 1/w is 0 or less there is nothing but rounding: w is as far as can be.
 * Conservative triangles reach there, and have the w that their inputs have (tile/conservative.c). */
static inline void w_depth_lanes(const struct scene_primitive *primitive, float ox, float oy, float *restrict z)
{
    const struct raster_draw_state *state = primitive->state;
    const struct scene_w_bias *bias = scene_w_bias_of(primitive);
    const float a = primitive->depth.a[1], dx = primitive->depth.dx[1], dy = primitive->depth.dy[1];
    const float near = state->w_near, scale = state->w_scale, constant = bias->constant, slope = bias->slope;
    const float clamp = state->rasterizer.offset_clamp;
    const float low = clamp < 0.0f ? clamp : -3e38f, high = clamp > 0.0f ? clamp : 3e38f;
    const float limit = primitive->conservative ? primitive->shape->outline->least_rhw : 0.0f;
    const float least = limit > 1e-18f ? limit : 1e-18f;

    FOR_GROUP_LANES
    {
        float rhw = a + (ox + (float)raster_lane_x[l]) * dx + (oy + (float)raster_lane_y[l]) * dy;
        float w = 1.0f / (rhw > least ? rhw : least);
        float add = constant + slope * w * w;

        add = add > low ? add : low;
        add = add < high ? add : high;
        z[l] = saturate((w - near) * scale + add);
    }
}

/* --- target access ---------------------------------------------------------------------------- */

/* Does the whole 4x4 group lie on the surface? */
static inline bool group_inside(const struct raster_surface *s, int x, int y)
{
    return (unsigned)x + 4 <= s->width && (unsigned)y + 4 <= s->height;
}

/* Four rows of four 32-bit pixels to the lanes l.., and back, in whole vectors: narrower pieces would make the next load of
 * the lanes wait for them. Lanes 2, 3 and 4, 5 of each eight change places, both ways. */
#if KERNEL_LEVEL == 3
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    __m512i rows = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));

    (void)l;
    rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(p + pitch)), 1);
    rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(p + 2 * pitch)), 2);
    rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(p + 3 * pitch)), 3);
    return _mm512_permutex_epi64(rows, 0xd8);
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    const __m512i rows = _mm512_permutex_epi64(lanes, 0xd8);

    (void)l;
    _mm_storeu_si128((__m128i *)p, _mm512_castsi512_si128(rows));
    _mm_storeu_si128((__m128i *)(p + pitch), _mm512_extracti32x4_epi32(rows, 1));
    _mm_storeu_si128((__m128i *)(p + 2 * pitch), _mm512_extracti32x4_epi32(rows, 2));
    _mm_storeu_si128((__m128i *)(p + 3 * pitch), _mm512_extracti32x4_epi32(rows, 3));
}
#elif KERNEL_LEVEL == 2
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    const uint8_t *at = p + l / 4 * pitch;
    const __m128i upper = _mm_loadu_si128((const __m128i *)at), lower = _mm_loadu_si128((const __m128i *)(at + pitch));

    return _mm256_permute4x64_epi64(_mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1), 0xd8);
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    const __m256i rows = _mm256_permute4x64_epi64(lanes, 0xd8);
    uint8_t *at = p + l / 4 * pitch;

    _mm_storeu_si128((__m128i *)at, _mm256_castsi256_si128(rows));
    _mm_storeu_si128((__m128i *)(at + pitch), _mm256_extracti128_si256(rows, 1));
}
#else
/* Bytes from the first pixel to that of lane l. */
static inline size_t pixel_offset(size_t pitch, unsigned l)
{
    return (size_t)raster_lane_y[l] * pitch + (size_t)raster_lane_x[l] * sizeof(uint32_t);
}
#if KERNEL_LEVEL == 1
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    const uint8_t *at = p + pixel_offset(pitch, l);

    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)at), _mm_loadl_epi64((const __m128i *)(at + pitch)));
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    uint8_t *at = p + pixel_offset(pitch, l);

    _mm_storel_epi64((__m128i *)at, lanes);
    _mm_storel_epi64((__m128i *)(at + pitch), _mm_unpackhi_epi64(lanes, lanes));
}
#else
static inline veci pixels_load(const uint8_t *p, size_t pitch, unsigned l)
{
    veci v;

    memcpy(&v, p + pixel_offset(pitch, l), sizeof(v));
    return v;
}
static inline void pixels_store(uint8_t *p, size_t pitch, unsigned l, veci lanes)
{
    memcpy(p + pixel_offset(pitch, l), &lanes, sizeof(lanes));
}
#endif
#endif

static inline void load_pixels(const uint8_t *p, size_t pitch, uint32_t *v)
{
    FOR_VECTORS(GROUP_LANES)
        veci_store(v + l, pixels_load(p, pitch, l));
}
static inline void store_pixels(uint8_t *p, size_t pitch, const uint32_t *v)
{
    FOR_VECTORS(GROUP_LANES)
        pixels_store(p, pitch, l, veci_load(v + l));
}

/* Four rows of four 16-bit pixels to lanes, one to a word, and back. */
static inline void load_halves(const uint8_t *p, size_t pitch, uint32_t *v)
{
    uint16_t half[GROUP_LANES];

    for (unsigned row = 0; row < 4; row++, p += pitch) {
        unsigned first = (row & 1) * 2 + (row & 2) * 4;

        memcpy(&half[first], p, 4);
        memcpy(&half[first + 4], p + 4, 4);
    }
    FOR_GROUP_LANES
        v[l] = half[l];
}
static inline void store_halves(uint8_t *p, size_t pitch, const uint32_t *v)
{
    uint16_t half[GROUP_LANES];

    FOR_GROUP_LANES
        half[l] = (uint16_t)v[l];
    for (unsigned row = 0; row < 4; row++, p += pitch) {
        unsigned first = (row & 1) * 2 + (row & 2) * 4;

        memcpy(p, &half[first], 4);
        memcpy(p + 4, &half[first + 4], 4);
    }
}

static inline void load_group(const struct raster_surface *s, unsigned bytes, int x, int y, uint32_t mask,
                       uint32_t *restrict v)
{
    const uint8_t *p = s->pixels + (size_t)y * s->pitch + (size_t)x * bytes;

    if (group_inside(s, x, y)) {
        if (bytes == 4)
            load_pixels(p, s->pitch, v);
        else
            load_halves(p, s->pitch, v);
        return;
    }
    FOR_GROUP_LANES
    {
        v[l] = 0;
        if (mask & (1u << l)) {
            const uint8_t *q = p + (size_t)raster_lane_y[l] * s->pitch + (size_t)raster_lane_x[l] * bytes;

            if (bytes == 4) {
                memcpy(&v[l], q, 4);
            } else {
                uint16_t half;

                memcpy(&half, q, 2);
                v[l] = half;
            }
        }
    }
}

/* Stores the lanes in mask. `v` of the other lanes must be what load_group gave. */
static inline void store_group(const struct raster_surface *s, unsigned bytes, int x, int y, uint32_t mask,
                        const uint32_t *restrict v)
{
    uint8_t *p = s->pixels + (size_t)y * s->pitch + (size_t)x * bytes;

    if (group_inside(s, x, y)) {
        if (bytes == 4)
            store_pixels(p, s->pitch, v);
        else
            store_halves(p, s->pitch, v);
        return;
    }
    FOR_GROUP_LANES
    {
        uint8_t *q = p + (size_t)raster_lane_y[l] * s->pitch + (size_t)raster_lane_x[l] * bytes;

        if (!(mask & (1u << l)))
            continue;
        if (bytes == 4) {
            memcpy(q, &v[l], 4);
        } else {
            uint16_t half = (uint16_t)v[l];

            memcpy(q, &half, 2);
        }
    }
}

#endif
