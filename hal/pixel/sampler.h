/* SPDX-License-Identifier: MIT */
/* Turns the states of a stage into its sampler. */
#ifndef HALCYON_HAL_PIXEL_SAMPLER_H
#define HALCYON_HAL_PIXEL_SAMPLER_H

struct hal_scene;
struct hal_state;
struct hal_texture;
struct raster_sampler;
struct raster_texture;

/* Returns the texture to sample, or NULL. `map` may be NULL (no feedback map). */
const struct raster_texture *hal_sampled_texture(const struct hal_texture *texture, struct hal_texture *map);

/* Makes the sampler from the states of a row, for draws of the scene. map: the feedback map that records its reads; NULL: none. texture: NULL
 * for a map without a texture (DDI_FEEDBACK_WRITES). */
void hal_pipeline_sampler(const struct hal_state *state, const struct hal_scene *scene, unsigned row,
                          const struct hal_texture *texture, struct hal_texture *map, struct raster_sampler *sampler);

#endif
