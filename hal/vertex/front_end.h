/* SPDX-License-Identifier: MIT */
/* The front end (vertex side) of a context: derived state and scratch memory that is kept from draw to draw. */
#ifndef HALCYON_HAL_VERTEX_FRONT_END_H
#define HALCYON_HAL_VERTEX_FRONT_END_H

#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex_shader.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_context;
struct prim_scratch;

/* Vertex numbers of one chunk of primitives. */
#define HAL_CHUNK_VERTICES 65538

struct hal_front {
    uint32_t dirty; /* enum hal_dirty: changes since the vertex program was last derived */

    struct hal_layout fvf_layout; /* of fvf_of_layout */
    uint32_t fvf_of_layout;
    bool fvf_is_valid;
    struct hal_layout legacy_layout; /* of the DirectX 6/7 tokens' dwVertexType */
    uint32_t fvf_of_legacy_layout;
    bool legacy_is_valid;
    const struct hal_layout *layout_of_program;

    struct hal_projection projection;
    struct hal_vertex_stage vertex_stage; /* of its producers: */
    struct tnl_program tnl;
    struct tnl_cache tnl_cache;
    struct hal_vertex_shader vertex_shader;
    struct hal_span span;             /* scratch */
    struct shader_vertex_batch batch; /* scratch */
    struct clip_pool pool;            /* scratch */
    struct prim_scratch *threads;     /* scratch of the threads of groups; NULL: none was needed yet */
    unsigned thread_count;
    uint32_t extra_triangles; /* made by clipping, for the statistics query */
    /* Vertex numbers of one chunk of primitives, then their slots among the processed vertices. */
    uint32_t numbers[HAL_CHUNK_VERTICES];
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* of vertex programs */
};

/* For a new context. False: out of memory. */
bool hal_front_create(struct hal_context *context);
void hal_front_destroy(struct hal_context *context);

#endif
