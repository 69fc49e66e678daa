/* SPDX-License-Identifier: MIT */
/* Pixel shaders: the producer of pixel stages (stage.h) from bytecode. */
#ifndef HALCYON_HAL_PIXEL_PIXEL_SHADER_H
#define HALCYON_HAL_PIXEL_PIXEL_SHADER_H

#include "shader/shader.h"

#include <stddef.h>
#include <stdint.h>

struct hal_renderer;
struct hal_pixel_stage;
struct hal_pixel_textures;
struct hal_pool;
struct hal_state;

struct hal_pixel_shader {
    const struct shader_binding *last; /* binding of the previous draw; NULL if there was none or it has been retired */
    size_t last_bytes;
};

/* One bit for each sampler whose texture needs a coordinate that textures of the declared kind do not have; and one for
 * each stage whose coordinates are divided by D3DTTFF_PROJECTED, if the program allows this. */
uint64_t hal_pixel_shader_shapes(const struct hal_state *state, const struct shader_program *program,
                                 const struct hal_pixel_textures *textures);
/* Sets program, inputs, constant_groups and applies_fog of the stage of stage->shader. Inputs are in the shader's
 * order. */
void hal_pixel_shader_make(uint64_t shapes, struct hal_pixel_stage *stage);
/* Returns the stage's program bound to the constants of the state, to textures and to inputs. NULL: the pool is full, or
 * out of memory. */
const struct shader_binding *hal_pixel_shader_bind(const struct hal_renderer *renderer, struct hal_pixel_shader *shader,
                                                   struct hal_pool *pool, const struct hal_pixel_textures *textures,
                                                   const struct hal_pixel_stage *stage);

#endif
