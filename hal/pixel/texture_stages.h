/* SPDX-License-Identifier: MIT */
/* The texture stages: the producer of pixel stages (stage.h) from state. Programs are cached by key. */
#ifndef HALCYON_HAL_PIXEL_TEXTURE_STAGES_H
#define HALCYON_HAL_PIXEL_TEXTURE_STAGES_H

#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_renderer;
struct hal_pixel_stage;
struct hal_pixel_textures;
struct hal_pool;
struct hal_state;
struct stages_program;
struct texture_stages_entry;

#define HAL_MAX_STAGES_PROGRAMS 256

struct hal_texture_stages {
    struct texture_stages_entry *programs[HAL_MAX_STAGES_PROGRAMS]; /* most recently used first */
    unsigned program_count;
    const struct texture_stages_entry *entry; /* of the last draw */
    const struct stages_program *program;     /* one of its programs */
    const struct shader_binding *last;        /* of the previous draw; NULL: none, or retired */
};

/* Bit n: stage n comes before the first disabled stage. */
uint32_t hal_texture_stages_enabled(const struct hal_state *state);
/* The part of the key that depends on these textures. */
uint64_t hal_texture_stages_shapes(const struct hal_state *state, const struct hal_pixel_textures *textures);
/* Sets program, inputs, constant_groups and applies_fog of the stage. May flush colours. False: out of memory, which
 * has been logged. */
bool hal_texture_stages_make(struct hal_renderer *renderer, struct hal_texture_stages *stages, uint64_t shapes,
                             struct hal_pixel_stage *stage);
/* Nothing reads the alpha of the colour from the stage made last: switches to a program and inputs without alpha, if
 * they exist. */
void hal_texture_stages_leave_alpha(struct hal_texture_stages *stages, struct hal_pixel_stage *stage);
/* Returns a binding of the program made last. NULL: the pool is full, or out of memory. */
const struct shader_binding *hal_texture_stages_bind(const struct hal_renderer *renderer,
                                                     struct hal_texture_stages *stages, struct hal_pool *pool,
                                                     const struct hal_pixel_textures *textures);
/* Frees all programs. */
void hal_texture_stages_free(struct hal_texture_stages *stages);

#endif
