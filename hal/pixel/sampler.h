/* SPDX-License-Identifier: MIT */
/* From the states of a stage to its sampler. */
#ifndef HALCYON_HAL_PIXEL_SAMPLER_H
#define HALCYON_HAL_PIXEL_SAMPLER_H

struct hal_context;
struct hal_surface;
struct raster_sampler;
struct raster_texture;

/* What a sampler with this texture and this map reads; map: NULL: none. NULL: nothing. */
const struct raster_texture *hal_sampled_texture(const struct hal_surface *texture, struct hal_surface *map);

/* The sampler that the states of a row describe. map: the one that records what it samples; NULL: none.
 * surface: NULL where the map stands alone (DDI_FEEDBACK_WRITES). */
void hal_pipeline_sampler(const struct hal_context *context, unsigned row, struct hal_surface *surface,
                          struct hal_surface *map, struct raster_sampler *sampler);

#endif
