/* SPDX-License-Identifier: MIT */
/*
 * The lanes of a group: loops over all 16, masks, rows of a target to lanes and back. For
 * files in kernels/ only. The loops are left to the compiler's vectorizer, which keeps IEEE results (-ffp-contract=off), so
 * the bits do not depend on the level.
 */
#ifndef HALCYON_RASTER_LANES_H
#define HALCYON_RASTER_LANES_H

#include "raster/kernels/kernels.h"
#include "base/simd/simd.h"

#include <string.h>

#define FOR_GROUP_LANES for (unsigned l = 0; l < GROUP_LANES; l++)

static inline float saturate(float v)
{
    v = v > 0.0f ? v : 0.0f;
    return v < 1.0f ? v : 1.0f;
}

/* All ones in the lanes of mask. */
static inline void lane_select(uint32_t mask, uint32_t select[GROUP_LANES])
{
    FOR_GROUP_LANES
        select[l] = 0u - ((mask >> l) & 1u);
}

#define COMPARE_CASE(name, op)               \
    case name:                               \
        FOR_GROUP_LANES                      \
            pass[l] = a[l] op b[l] ? -1 : 0; \
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

    FOR_GROUP_LANES {
        float v = a + (ox + (float)raster_lane_x[l]) * dx + (oy + (float)raster_lane_y[l]) * dy;

        z[l] = saturate(v);
    }
}

/* depth_lanes for a primitive whose depth is eye w. 1/w is only 0 or less because of rounding: w then has its greatest
 * value. Conservative triangles reach such places, and use the w of their inputs (tile/conservative.c). */
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

    FOR_GROUP_LANES {
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

/* Four rows of four 32-bit pixels to lanes, and back, in whole vectors: narrower stores would stall the next load of
 * the lanes. */
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
    FOR_GROUP_LANES {
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

/* Stores the lanes in mask. `v` must hold the result of load_group in the other lanes. */
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
    FOR_GROUP_LANES {
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
