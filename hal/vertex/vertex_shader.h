/* SPDX-License-Identifier: MIT */
/*
 * Vertex shaders: the producer of vertex stages (stage.h) from bytecode. The links from a shader's outputs to the
 * attributes that the pixel side wants are looked up once and kept until state changes. Sources:
 * docs/reference/vertex-processing.md, sections 1 to 5; docs/reference/shader-code.md, section 4.
 */
#ifndef HALCYON_HAL_VERTEX_VERTEX_SHADER_H
#define HALCYON_HAL_VERTEX_VERTEX_SHADER_H

#include "base/base.h"
#include "hal/state/values.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stddef.h>

struct hal_layout;
struct hal_renderer;
struct hal_state;
struct hal_texture;
struct hal_vertex_stage;

/* The inputs of the current shader other than vertices. */
struct hal_vertex_shader {
    struct shader_binding *binding;                                              /* NULL: none yet */
    size_t binding_bytes;                                                        /* of its memory */
    struct hal_texture *texture[HAL_VERTEX_SAMPLERS], *map[HAL_VERTEX_SAMPLERS]; /* of this draw; NULL: none */
    bool has_textures; /* the shader reads some; otherwise all of them are NULL */
};

/* Finds the textures that the shader (NULL: none) reads. May flush. True: a feedback map records the reads. */
bool hal_vertex_shader_textures(struct hal_renderer *renderer, const struct shader_program *shader);
/* Brings constants and textures of stage->shader up to date, and the price of a vertex. False: out of memory, which has
 * been logged. */
bool hal_vertex_shader_bind(struct hal_renderer *renderer, struct hal_vertex_stage *stage);
/* Makes the rest of the stage from stage->shader, for the inputs that the stage names and vertices of this layout. */
void hal_vertex_shader_link(const struct hal_state *state, enum cpu_level cpu, struct hal_vertex_stage *stage,
                            const struct hal_layout *layout);
void hal_vertex_shader_free(struct hal_vertex_shader *values);

#endif
