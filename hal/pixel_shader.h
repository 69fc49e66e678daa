/* SPDX-License-Identifier: MIT */
/*
 * Pixel shaders in the pipeline's place of the texture stages: bindings of a program to constants, textures and
 * raster inputs. A binding stays as it is until the scene that names it has been drawn, so each change of values
 * takes a new one from a pool that hal_context_flush empties.
 */
#ifndef HALCYON_HAL_PIXEL_SHADER_H
#define HALCYON_HAL_PIXEL_SHADER_H

#include "hal/state.h"
#include "shader/shader.h"

#define BINDING_BLOCK_BYTES (256u << 10)
#define BINDING_BLOCKS      64 /* then the scene is flushed */

struct hal_pixel_stage {
    const struct shader_program *program;   /* NULL: the texture stages */
    const struct shader_binding *binding;   /* of the last draw; NULL: make a new one */
    size_t binding_bytes;
    uint8_t *block[BINDING_BLOCKS];
    unsigned blocks; /* in use by the scene */
    size_t used;     /* bytes of the last of them */
};

/* The draw's inputs as the program wants them, in the order of raster inputs. */
void hal_pixel_stage_inputs(const struct shader_program *program, struct hal_pipeline_inputs *inputs);

/* Binds the program to the context's constants, to textures[stage] and to `inputs`. NULL: no memory. May flush. */
const struct shader_binding *hal_pixel_stage_bind(struct hal_context *context, struct hal_pixel_stage *stage,
                                                  struct hal_surface *const textures[HAL_MAX_SAMPLERS],
                                                  const struct hal_pipeline_inputs *inputs);

void hal_pixel_stage_flushed(struct hal_pixel_stage *stage);
void hal_pixel_stage_destroy(struct hal_pixel_stage *stage);

/* pipeline.c: the texture that a row of stage_state names, its view up to date; NULL: none. May flush. */
struct hal_surface *hal_pipeline_texture(struct hal_context *context, unsigned row);
/* pipeline.c: the sampler that the states of a row describe. */
void hal_pipeline_sampler(const struct hal_context *context, unsigned row, struct hal_surface *surface,
                          struct raster_sampler *sampler);

#endif
