/* SPDX-License-Identifier: MIT */
/*
 * The vertex stage: a program of the shader IR with its constants, links from the components of vertices to its inputs,
 * and links from its outputs to processed vertices. Two producers make stages: one lowers the states of fixed-function
 * vertex processing to IR (tnl/tnl.c), the other takes a vertex shader (vertex_shader.c). hal_vertex_stage_prepare
 * chooses between them; code that runs a stage, draws or keeps its vertices does not depend on which one made it.
 *
 * One function runs stages, in this order: fetch inputs, supply constants, execute, store position, distances to
 * planes, attributes and size, copy components. `execute` is the only place where code of the program runs: a code
 * generator puts its function there. Since links are data, a code generator may also generate fetching and storing
 * together with the program, if it keeps the order of the operations on each value. Sources:
 * docs/reference/vertex-processing.md, sections 1 to 10; docs/reference/shader-code.md, section 4.
 */
#ifndef HALCYON_HAL_VERTEX_STAGE_H
#define HALCYON_HAL_VERTEX_STAGE_H

#include "hal/pixel/pipeline.h"
#include "hal/state/shaders.h"
#include "hal/state/values.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_renderer;

/* Vertex component, or named element, to input register. */
struct vertex_input_link {
    uint8_t reg, component; /* enum hal_component; HAL_COMPONENT_COUNT: (0, 0, 0, 1) */
    uint8_t bytes;          /* 1..4: this many of four bytes, each as an integer; 0: the component as floats */
};

/* The source of one component of an attribute: output register * 4 + component, or a constant. */
enum { VERTEX_FROM_ZERO = 4 * SHADER_MAX_OUTPUTS, VERTEX_FROM_ONE };

/* Outputs to an attribute. */
struct vertex_output_link {
    uint8_t slot;    /* raster_vertex.input */
    uint8_t from[4]; /* for x, y, z, w */
    bool clamp;      /* to 0..1 */
};

/* Vertex component, or named element, copied to an attribute without the program. */
struct vertex_copy_link {
    uint8_t component, slot;
};

struct hal_vertex_stage {
    struct hal_shader_hook shader_hook;

    /* The stage was made for: */
    const struct shader_program *shader; /* NULL: fixed function */
    const struct hal_layout *layout;     /* NULL: the stage must be rebuilt */
    struct hal_pipeline_inputs inputs;   /* linked to */
    int8_t slot[HAL_ATTRIBUTE_COUNT];    /* raster_vertex.input of each attribute; -1: not wanted */
    bool points;                         /* sizes are wanted */

    /* The producer fills in the rest. Program and constants: */
    const struct shader_binding *binding;
    shader_vertex_fn execute; /* NULL: everything is copied */
    /* Makes the constants ready that the batch's inputs address, before it is executed. NULL: all are ready. */
    void (*supply)(void *producer, const struct shader_vertex_batch *batch);
    void *producer; /* for supply */
    uint64_t price; /* of a vertex, for hal/work.h */

    /* Links: */
    unsigned input_count, output_count, copy_count;
    struct vertex_input_link input[SHADER_MAX_INPUTS];
    struct vertex_output_link output[RASTER_MAX_INPUTS];
    struct vertex_copy_link copy[RASTER_MAX_INPUTS];
    bool transformed;     /* positions are in pixels and copied from the vertices */
    int position;         /* else: output register of the clip position; -1: none, so nothing can be drawn */
    unsigned user_planes; /* mask of those that clip */
    int plane_distance; /* first of the output registers with distances to them; -1: of the clip position to user_plane */
    float user_plane[HAL_MAX_CLIP_PLANES][4]; /* clip space */
    float plane_slope[HAL_MAX_CLIP_PLANES]
                     [2]; /* change of the distances along x and y of clip space; if sizes are wanted */
    int point_size;       /* output register * 4 + component; -1: `size` for all, or not wanted */
    float size, size_min, size_max;
    bool records; /* a feedback map records texture reads: run only vertices that the draw uses */

    /* For primitives (hal/vertex/wrap.h): */
    bool wraps;                   /* some wanted texture coordinates have D3DRS_WRAPn bits: */
    uint8_t wrap[HAL_MAX_STAGES]; /* bit c: component c */
};

/* Finds the textures that the vertex shader (NULL: none) will read. May flush, so call it before
 * hal_pipeline_update. */
void hal_vertex_stage_textures(struct hal_renderer *renderer, const struct shader_program *shader);

/* Brings renderer->front's stage and projection up to date for vertices of this layout, after hal_pipeline_update or
 * hal_pipeline_want. shader: NULL: fixed function. points: sizes are wanted. False: nothing can be drawn, because the
 * shader writes no position or memory is short, which hal_work_lacks_memory has reported. */
bool hal_vertex_stage_prepare(struct hal_renderer *renderer, const struct hal_layout *layout,
                              const struct shader_program *shader, bool points);

/* Processes the vertices of the span (1 to 64) into vertices[] and projected[], except for outcodes and window
 * positions. Both arrays have room for span->padded vertices. batch: scratch, its `scratch` set. */
void hal_vertex_stage_run(const struct hal_vertex_stage *stage, struct shader_vertex_batch *batch,
                          const struct hal_span *span, const struct hal_source *source, struct hal_vertex *vertices,
                          struct raster_vertex *projected);

/* For a new renderer, whose front exists. */
void hal_vertex_stage_init(struct hal_renderer *renderer);

#endif
