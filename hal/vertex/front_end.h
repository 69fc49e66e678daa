/* SPDX-License-Identifier: MIT */
/* The front end: the vertex side of a renderer, with derived state and scratch memory that is kept from draw to draw. */
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

struct hal_shader;
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
    /* The shaders that the state names, kept so that draws do not look them up; valid while the numbers and hal_shaders.changes are these. */
    struct hal_named_shaders {
        uint64_t changes;
        uint32_t shader, function;
        bool is_declaration;
        const struct hal_shader *declaration, *program; /* NULL: none */
    } named;

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
    /* Processed vertices: scratch that grows and stays. */
    struct hal_vertex *vertices;
    struct raster_vertex *projected;
    struct raster_snapped *snapped; /* of vertices that are corners of triangles */
    size_t vertex_capacity;
    /* Vertex numbers of one chunk of primitives, then their slots among the processed vertices. */
    uint32_t numbers[HAL_CHUNK_VERTICES];
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* of vertex programs */
};

/* NULL: out of memory. */
struct hal_front *hal_front_create(void);
void hal_front_destroy(struct hal_front *front);

#endif
