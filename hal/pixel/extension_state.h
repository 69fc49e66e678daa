/* SPDX-License-Identifier: MIT */
/* From the settings of vendor extensions (hal/state/extension.h) to the state of a draw. */
#ifndef HALCYON_HAL_PIXEL_EXTENSION_STATE_H
#define HALCYON_HAL_PIXEL_EXTENSION_STATE_H

#include <stdint.h>

struct hal_pipeline_inputs;
struct hal_state;
struct hal_surface;
struct raster_draw_state;

/* Adds the settings of extensions to a draw's state, after everything else is in it. target: the first one; NULL: none. */
void hal_extension_derive(const struct hal_state *state, const struct hal_surface *target,
                          const struct hal_pipeline_inputs *inputs, struct raster_draw_state *derived);
/* The same for a draw's state in which only states of HAL_DIRTY_OUTPUT have changed. */
void hal_extension_derive_output(const struct hal_state *state, const struct hal_surface *target,
                                 struct raster_draw_state *derived);
/* Logs the settings that have no effect on a draw of this D3DPRIMITIVETYPE. */
void hal_extension_check_draw(const struct hal_pipeline_inputs *inputs, uint32_t type);

#endif
