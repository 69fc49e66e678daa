/* SPDX-License-Identifier: MIT */
/*
 * A draw: a drawing token with everything looked up (draw_tokens.c). Its vertices are read (stream.c), processed
 * (stage.c), assembled into primitives (prim.c), clipped if necessary (clip.c) and given to raster/.
 */
#ifndef HALCYON_HAL_VERTEX_DRAW_H
#define HALCYON_HAL_VERTEX_DRAW_H

#include "d3d/ddi.h"
#include "hal/state/values.h"
#include "hal/vertex/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_renderer;
struct hal_process;
struct shader_program;

/* D3DCAPS8.MaxPointSize. */
#define HAL_MAX_POINT_SIZE 256.0f
/* Primitives of one token; more are not drawn. */
#define HAL_MAX_PRIMITIVES 0xfffffu

/* A draw with everything looked up. Vertex numbers are those of the stream: number n of the draw is
 * vertex base + (indices ? index[n] : n). Negative ones, and those from HAL_MAX_SOURCE_VERTICES on, are in no stream's memory. */
struct hal_draw {
    const struct hal_layout *layout;
    const struct shader_program *program; /* NULL: fixed function */
    uint32_t type;                        /* D3DPRIMITIVETYPE */
    uint32_t primitives;
    int64_t base;
    const uint8_t *indices; /* NULL: not indexed */
    uint64_t index_offset;  /* bytes of the buffer before the first index, which may lie beyond its end */
    size_t index_bytes;     /* readable; indices beyond them are 0 */
    uint32_t index_stride;  /* bytes of one index: 2 or 4 */
    uint32_t index_step;    /* bytes from triangle to triangle of a list; 0: packed */
    bool list_flags;        /* the WORD after each triangle's indices holds D3DTRIFLAG_EDGEENABLE* */
    bool fan_flags;         /* edges of a fan come from fan_edges: bit i V[i]-V[i+1] */
    uint32_t fan_edges;
    bool tessellated;                                  /* from a high order surface */
    struct hal_stream_memory buffers[HAL_MAX_STREAMS]; /* the buffers that the layout reads, and the first one */
};

void hal_draw_primitives(struct hal_renderer *renderer, const struct hal_draw *draw);
/* Runs the prepared vertex stage on vertices first .. of the source, into the front end's slots 0 ..; false: out of
 * memory. */
bool hal_process_range(struct hal_renderer *renderer, const struct hal_source *source, uint32_t first, uint32_t count);

/* ProcessVertices: DD_OK, or an error of hal_context_process_vertices (process.c). */
HRESULT hal_vertices_process(struct hal_renderer *renderer, const struct hal_process *call);

#endif
