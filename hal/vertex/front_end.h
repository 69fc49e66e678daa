/* SPDX-License-Identifier: MIT */
/* The front end of a context, its vertex side: what is derived or made room for, and kept from draw to draw. */
#ifndef HALCYON_HAL_VERTEX_FRONT_END_H
#define HALCYON_HAL_VERTEX_FRONT_END_H

#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex_shader.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_context;
struct hal_patches;

struct hal_front {
    uint32_t dirty; /* enum hal_dirty: changes the vertex program has not seen */

    struct hal_layout fvf_layout; /* of fvf_of_layout */
    uint32_t fvf_of_layout;
    bool fvf_is_valid;
    struct hal_layout legacy_layout; /* of the DirectX 6/7 tokens' dwVertexType */
    uint32_t fvf_of_legacy_layout;
    bool legacy_is_valid;
    const struct hal_layout *layout_of_program;

    struct hal_patches *patches; /* NULL until one is drawn */

    struct hal_projection projection;
    struct tnl_program program;
    struct tnl_cache tnl_cache;
    struct tnl_batch batch; /* scratch */
    struct hal_vertex_stage vertex_stage;
    /* how the distance to a user plane changes along x and y of clip space */
    float plane_slope[HAL_MAX_CLIP_PLANES][2];
    struct clip_pool pool;    /* scratch */
    uint32_t extra_triangles; /* that clipping made, for the statistics query */
    /* Vertex numbers of one chunk of primitives, then their slots among the processed vertices. */
    uint32_t numbers[HAL_CHUNK_VERTICES];
    _Alignas(64) uint8_t scratch[RASTER_SCRATCH_BYTES]; /* of vertex programs */
};

/* For a new context. False: no memory. */
bool hal_front_create(struct hal_context *context);
void hal_front_destroy(struct hal_context *context);
/* Room for `count` processed vertices, contents lost. False: no memory. */
bool hal_front_reserve(struct hal_context *context, size_t count);

#endif
