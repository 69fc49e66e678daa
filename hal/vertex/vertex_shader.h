/* SPDX-License-Identifier: MIT */
/*
 * Programmable vertex processing: registers of a vertex are fetched, the program runs over 64 vertices at a time, and its
 * outputs become clip positions and the attributes that the pixel side asked for. What links one with the other is found
 * once (hal_vertex_stage_prepare) and kept until state changes. Sources: docs/reference/vertex-processing.md, sections 1 to
 * 5; docs/reference/shader-code.md, section 4.
 */
#ifndef HALCYON_HAL_VERTEX_VERTEX_SHADER_H
#define HALCYON_HAL_VERTEX_VERTEX_SHADER_H

#include "hal/pixel/pipeline.h"
#include "hal/state/values.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_context;
struct hal_layout;
struct hal_source;
struct hal_span;
struct hal_surface;
struct hal_vertex;

/* Where one component of an attribute comes from: output register * 4 + component, or a constant. */
enum { VERTEX_FROM_ZERO = 4 * SHADER_MAX_OUTPUTS, VERTEX_FROM_ONE };

struct vertex_link {
    uint8_t slot;    /* raster_vertex.input */
    uint8_t from[4]; /* for x, y, z, w */
    bool clamp;      /* to 0..1 */
};

struct hal_vertex_stage {
    const struct shader_program *program; /* NULL: fixed function */
    const struct hal_layout *layout;
    struct hal_pipeline_inputs inputs; /* that it has been linked to */
    struct shader_binding *binding;
    struct hal_surface *texture[HAL_VERTEX_SAMPLERS], *map[HAL_VERTEX_SAMPLERS]; /* of this draw; NULL: none */
    bool has_textures;    /* the program reads some; otherwise all of them are NULL */
    size_t binding_bytes; /* of its memory */
    shader_vertex_fn execute;
    uint64_t price; /* of a vertex, for hal/work.h */

    unsigned input_count, link_count;
    struct {
        uint8_t reg, component; /* v<reg> gets this component of the vertex */
    } input[SHADER_MAX_INPUTS];
    struct vertex_link link[RASTER_MAX_INPUTS];
    int position;   /* output register; -1: none, nothing can be drawn */
    int point_size; /* output register * 4 + component; -1: not written, or unused */
    bool points;    /* sizes are wanted */
    float size, size_min, size_max;
    unsigned user_planes;                     /* mask */
    float user_plane[HAL_MAX_CLIP_PLANES][4]; /* clip space */

    struct shader_vertex_batch batch; /* scratch */
};

/* Finds the textures the program (NULL: none) will read. May flush, so it comes before hal_pipeline_update. */
void hal_vertex_stage_textures(struct hal_context *context, const struct shader_program *program);

/* Makes the program the one that processes vertices (NULL: fixed function does) and brings links and constants up to
 * date. False: nothing can be drawn. */
bool hal_vertex_stage_prepare(struct hal_context *context, const struct hal_layout *layout,
                              const struct shader_program *program, bool points);

/* Processes the vertices the span names into vertices[] and projected[]; both have room for span->padded. */
void hal_vertex_stage_run(struct hal_vertex_stage *stage, const struct hal_span *span, const struct hal_source *source,
                          struct hal_vertex *vertices, struct raster_vertex *projected);

/* Some feedback map notes what this draw's vertices read: then only those that the draw names may be run. */
bool hal_vertex_stage_records(const struct hal_vertex_stage *stage);

/* Unbinds a program that is going away. NULL: whichever is bound. */
void hal_vertex_stage_unbind(struct hal_vertex_stage *stage, const struct shader_program *program);

#endif
