/* SPDX-License-Identifier: MIT */
/* From the settings of vendor extensions (hal/state/extension.h) to the state of a draw. */
#ifndef HALCYON_HAL_PIXEL_EXTENSION_STATE_H
#define HALCYON_HAL_PIXEL_EXTENSION_STATE_H

#include <stdint.h>

struct hal_context;
struct hal_pipeline_inputs;
struct raster_draw_state;

/* Brings what extensions ask of the rasterizer into a draw's state, after all else is in it. */
void hal_extension_derive(const struct hal_context *context, const struct hal_pipeline_inputs *inputs,
                          struct raster_draw_state *state);
/* Brings extensions into a draw's state of which only states of HAL_DIRTY_OUTPUT have changed. */
void hal_extension_derive_output(const struct hal_context *context, struct raster_draw_state *state);
/* Says on the log what a draw of a D3DPRIMITIVETYPE asks for in vain. */
void hal_extension_check_draw(const struct hal_pipeline_inputs *inputs, uint32_t type);

#endif
