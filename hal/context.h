/* SPDX-License-Identifier: MIT */
/* A context: all state that the stream sets, the values derived from it, and the current call. */
#ifndef HALCYON_HAL_CONTEXT_H
#define HALCYON_HAL_CONTEXT_H

#include "hal/math.h"
#include "hal/resource/feedback_queue.h"
#include "hal/resource/targets.h"
#include "hal/scene.h"
#include "hal/state/extension.h"
#include "hal/state/shaders.h"
#include "hal/state/stateset.h"
#include "hal/state/values.h"
#include "hal/statistics.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_execute;
struct hal_handle_table;
struct hal_pipeline; /* hal/pixel/pipeline.c: derived from all of this */
struct hal_surface;
struct hal_vertex;
struct raster;
struct hal_front; /* hal/vertex/front_end.h: what the vertex side keeps between draws */
struct hal_light_table;
struct hal_palette_table;
struct hal_query_table; /* hal/query.c */

struct hal_context {
    struct hal_driver *driver;
    struct hal_context *next;
    struct hal_handle_table *handles;
    const void *dd_local;
    uint32_t handle, level, process;

    struct raster *raster;
    struct hal_surface *target, *depth;
    struct hal_surface *more_targets[RASTER_MAX_TARGETS - 1]; /* SETRENDERTARGET2 1..3; NULL: none */

    uint32_t dirty; /* enum hal_dirty */
    uint32_t render_state[HAL_MAX_RENDER_STATES];
    uint32_t magic_states[HAL_MAX_RENDER_STATES / 32];          /* bit: some value of the state is magic */
    uint8_t extension[HAL_EXTENSION_COUNT];                     /* settings, as hal/state/extension.c numbers them */
    uint32_t stage_state[HAL_STAGE_ROWS][HAL_MAX_STAGE_STATES]; /* [hal_stage_row][D3DTSS]; 0 = texture handle */
    bool modulate_of_dx5; /* stage 0 has D3DTBLEND_MODULATE: a texture without alpha leaves that of the vertex */
    struct hal_viewport viewport;
    float w_near, w_far;
    struct hal_matrix world[HAL_MAX_WORLD_MATRICES], view, projection, texture[HAL_MAX_STAGES];
    float clip_plane[HAL_MAX_CLIP_PLANES][4];
    struct hal_material material;
    struct hal_light_table *lights; /* by the application's index */
    struct hal_palette_table *palettes;
    struct hal_stream stream[HAL_MAX_STREAMS];
    uint32_t stream_frequency[HAL_MAX_STREAMS]; /* SETSTREAMSOURCEFREQ; 1: nothing special */
    bool frequencies_set;                       /* one of them is not 1 */
    uint32_t index_handle, index_stride;
    struct raster_rect scissor;
    uint32_t vertex_shader;   /* FVF, or a handle (bit 0 set) */
    bool is_declaration;      /* the handle is one of DirectX 9's declarations */
    uint32_t vertex_function; /* DirectX 9: code; 0: fixed function */
    uint32_t pixel_shader;
    struct hal_constants vertex_constants, pixel_constants;
    struct hal_query_table *queries; /* NULL until one is created */
    struct hal_texturing texturing;
    struct hal_feedback_queue feedback;

    struct hal_scene scene;
    struct hal_bound_targets bound;
    struct hal_pipeline *pipeline;
    struct hal_front *front;
    struct hal_shaders shaders;
    struct hal_state_blocks blocks;

    /* the current call */
    const struct hal_execute *execute;
    bool lacks_memory;    /* part of the call was not done (hal_work_lacks_memory) */
    uint64_t work_budget; /* of the call, at its beginning */
    /* cost of the calls so far (hal/work.h) */
    uint64_t work_done, work_of_costliest;
    /* scratch that grows and stays: transformed vertices */
    struct hal_vertex *vertices;
    struct raster_vertex *projected;
    struct raster_snapped *snapped; /* of vertices that are corners of triangles */
    size_t vertex_capacity;
};

/* A render state that is a float. */
static inline float hal_render_state_float(const struct hal_context *context, unsigned state)
{
    return hal_float_from_bits(context->render_state[state]);
}

#endif
