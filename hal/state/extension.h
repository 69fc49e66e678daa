/* SPDX-License-Identifier: MIT */
/*
 * Vendor extensions, by which a program that knows only its API switches what the API has no word for: a documented render
 * state takes a magic value. The table in extension.c has one row per value; a new mode needs a row there, a name
 * to `enum hal_extension`, and (if CheckDeviceFormat is to answer) a row to caps/extensions.c. The numbers stand in
 * d3d/extension.h; docs/extensions.md is what programs read.
 */
#ifndef HALCYON_HAL_STATE_EXTENSION_H
#define HALCYON_HAL_STATE_EXTENSION_H

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct hal_pipeline_inputs;
struct raster_draw_state;

/* Extensions that programs switch by magic values (hal/state/extension.c); each has a setting, 0 off. */
enum hal_extension {
    HAL_EXTENSION_CONSERVATIVE,
    HAL_EXTENSION_COVERAGE_SOURCE, /* of the specular colour */
    HAL_EXTENSION_DEPTH_BOUNDS,
    HAL_EXTENSION_ALPHA_COVERAGE, /* 1: with the alpha test (ATOC); of the next one 1: always (A2M1) */
    HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS,
    HAL_EXTENSION_DEPTH_RESOLVE, /* a command */
    HAL_EXTENSION_INSTANCING,    /* always on */
    HAL_EXTENSION_COUNT,
};

/* For a new context: which states take magic values. */
void hal_extension_init(struct hal_context *context);

/* Whether the context's state `state` takes `value` for itself: false if it was a command (POINTSIZE stays what it was
 * when a vendor's command goes through it). Sets context->extension[] and runs actions either way. */
bool hal_extension_render_state(struct hal_context *context, uint32_t state, uint32_t value);

/* Brings what extensions ask of the rasterizer into a draw's state, after all else is in it. */
void hal_extension_derive(const struct hal_context *context, const struct hal_pipeline_inputs *inputs,
                          struct raster_draw_state *state);
/* Brings extensions into a draw's state of which only states of HAL_DIRTY_OUTPUT have changed. */
void hal_extension_derive_output(const struct hal_context *context, struct raster_draw_state *state);
/* Says on the log what a draw of a D3DPRIMITIVETYPE asks for in vain. */
void hal_extension_check_draw(const struct hal_context *context, uint32_t type);

#endif
