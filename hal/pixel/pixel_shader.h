/* SPDX-License-Identifier: MIT */
/*
 * Pixel shaders in the pipeline's place of the texture stages: bindings of a program to constants, textures and
 * raster inputs. A binding stays as it is until the scene that names it has been drawn, so each change of values
 * takes a new one from the pipeline's pool, which hal_context_flush empties.
 */
#ifndef HALCYON_HAL_PIXEL_PIXEL_SHADER_H
#define HALCYON_HAL_PIXEL_PIXEL_SHADER_H

#include "hal/pool.h"
#include "hal/state.h"
#include "shader/shader.h"

struct hal_pixel_stage {
    const struct shader_program *program;   /* NULL: the texture stages */
    const struct shader_binding *binding;   /* of the last draw; NULL: make a new one */
    size_t binding_bytes;
};

/* The draw's inputs as the program wants them, in the order of raster inputs. */
void hal_pixel_stage_inputs(const struct shader_program *program, struct hal_pipeline_inputs *inputs);

/* Binds the program to the context's constants, to textures[stage] and maps[stage] and to `inputs`. NULL: the pool is full, or
 * no memory. */
const struct shader_binding *hal_pixel_stage_bind(const struct hal_context *context, struct hal_pixel_stage *stage,
                                                  struct hal_pool *pool, struct hal_surface *const textures[HAL_MAX_SAMPLERS],
                                                  struct hal_surface *const maps[HAL_MAX_SAMPLERS],
                                                  const struct hal_pipeline_inputs *inputs);

/* pipeline.c: the texture that a row of stage_state names, its view up to date; NULL: none. May flush. */
struct hal_surface *hal_pipeline_texture(struct hal_context *context, unsigned row);
/* sampler.c: the sampler that the states of a row describe. map: the one that records what it samples; NULL: none.
 * surface: NULL where the map stands alone (DDI_FEEDBACK_WRITES). */
void hal_pipeline_sampler(const struct hal_context *context, unsigned row, struct hal_surface *surface,
                          struct hal_surface *map, struct raster_sampler *sampler);

#endif
