/* SPDX-License-Identifier: MIT */
/*
 * From render states to raster_draw_state: rasterizer, viewport, depth, stencil, blending, fog. pipeline.c adds the
 * pixel program with its inputs and values.
 */
#ifndef HALCYON_HAL_PIXEL_DRAW_STATE_H
#define HALCYON_HAL_PIXEL_DRAW_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct hal_state;
struct hal_surface;
struct raster_draw_state;

static inline void hal_state_color(uint32_t argb, float rgba[4])
{
    for (unsigned c = 0; c < 3; c++)
        rgba[c] = (float)(argb >> (16 - 8 * c) & 255) / 255.0f;
    rgba[3] = (float)(argb >> 24) / 255.0f;
}

/* value - 1 within 0..last, else `otherwise`. */
static inline uint8_t hal_state_from_one(uint32_t value, uint32_t last, uint8_t otherwise)
{
    return value - 1 <= last ? (uint8_t)(value - 1) : otherwise;
}

/*
 * Fills in the part of `state` that depends on render states, viewport and projection; the rest is zero. transformed:
 * vertices come in pixels. shader_fogs: the pixel shader does its own fog.
 */
void hal_derive_draw_state(const struct hal_state *state, const struct hal_surface *target, bool transformed,
                           bool shader_fogs, struct raster_draw_state *derived);
/* Updates the part that depends on render states of HAL_DIRTY_OUTPUT, in a state that hal_derive_draw_state has filled
 * in. */
void hal_derive_output_state(const struct hal_state *state, struct raster_draw_state *derived);

#endif
