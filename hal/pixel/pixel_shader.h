/* SPDX-License-Identifier: MIT */
/*
 * Pixel shaders in the pipeline's place of the texture stages: bindings of a program to constants, textures and
 * raster inputs. A binding stays as it is until the scene that names it has been drawn, so each change of values
 * takes a new one from the pipeline's pool, which hal_context_flush empties.
 */
#ifndef HALCYON_HAL_PIXEL_PIXEL_SHADER_H
#define HALCYON_HAL_PIXEL_PIXEL_SHADER_H

#include "hal/pixel/pipeline.h"
#include "hal/state/values.h"
#include "shader/shader.h"

#include <stddef.h>

struct hal_context;
struct hal_pool;
struct hal_surface;

struct hal_pixel_stage {
    const struct shader_program *program; /* NULL: the texture stages */
    const struct shader_binding *binding; /* of the last draw; NULL: make a new one */
    size_t binding_bytes;
};

/* The draw's inputs as the program wants them, in the order of raster inputs. */
void hal_pixel_stage_inputs(const struct shader_program *program, struct hal_pipeline_inputs *inputs);

/* Binds the program to the context's constants, to textures[stage] and maps[stage] and to `inputs`. NULL: the pool is full, or
 * no memory. */
const struct shader_binding *hal_pixel_stage_bind(const struct hal_context *context, struct hal_pixel_stage *stage,
                                                  struct hal_pool *pool,
                                                  struct hal_surface *const textures[HAL_MAX_SAMPLERS],
                                                  struct hal_surface *const maps[HAL_MAX_SAMPLERS],
                                                  const struct hal_pipeline_inputs *inputs);

#endif
