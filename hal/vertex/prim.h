/* SPDX-License-Identifier: MIT */
/* Shared declarations of draws (prim.c), groups of chunks (group.c) and primitive assembly (assemble.c). */
#ifndef HALCYON_HAL_VERTEX_PRIM_H
#define HALCYON_HAL_VERTEX_PRIM_H

#include "hal/vertex/clip.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_renderer;
struct hal_draw;
struct hal_front;
struct hal_renderer;
struct hal_work;

/* Vertices, or indices, that are processed and drawn at a time, so that processed vertices stay in the cache until they
 * are drawn. */
#define PRIM_PIECE 1020

/* Memory in which one thread processes vertices and clips. */
struct prim_scratch {
    struct hal_front *front; /* the owner of the memory; NULL: a thread of a group, whose memory is `memory` */
    struct hal_work *work;   /* of the owner: told when memory is short */
    void *memory;
    struct hal_vertex *vertices;
    struct raster_vertex *projected;
    struct raster_snapped *snapped; /* of vertices that are corners of triangles */
    size_t capacity;
    struct hal_span *span;
    struct shader_vertex_batch *batch;
    struct clip_pool *pool;
    uint32_t *extra_triangles; /* that clipping made */
};

/* How vertices become primitives. */
struct prim_assembly {
    const struct hal_front *front;
    struct raster *raster;
    const struct prim_scratch *scratch;
    unsigned inputs;
    uint32_t first;      /* number of the chunk's first primitive in the draw */
    uint32_t begin, end; /* primitives of the chunk that are drawn now */
    uint32_t last;       /* number of the draw's last primitive */
    uint32_t outcodes;   /* of all vertices together that the chunk has used so far */
    uint32_t slow_path;  /* all ones: every triangle takes it, regardless of the outcodes of its vertices */
    bool wraps;          /* texture coordinates do (hal/vertex/wrap.c) */
    bool conservative;
    const struct hal_renderer *observed; /* its observer (hal/observer.h) wants to see each primitive; NULL: none */
    uint32_t reject;                     /* outcodes: a triangle with all corners outside one of them is not visible */
};

/* The vertices of a chunk. */
struct prim_processing {
    const struct hal_front *front;
    struct raster *raster;
    struct prim_scratch *scratch;
    const struct hal_source *source;
    bool snaps;       /* the vertices are corners of triangles */
    bool named_alone; /* vertices that no index names must not be processed */
    /* of the chunk: */
    const uint32_t *numbers; /* vertex numbers of slots 0 and up; NULL: `first` and up */
    uint32_t first;
    uint32_t count, done; /* slots; processed slots */
    uint32_t outcodes;    /* of these */
};

/* Begins a draw: finds its vertices, and how many of its primitives have vertices inside the streams. False: it draws
 * nothing, which has been reported (hal/vertex/skip.h). */
bool prim_begin_draw(struct hal_renderer *renderer, const struct hal_draw *draw, struct hal_source *source,
                     uint32_t *primitives);
/* Logs that a draw reads vertices outside of its streams, if that is so. */
void prim_log_beyond(const struct hal_source *source, uint32_t lowest, uint32_t highest);
/* Draws the primitives of a draw that has begun, without N-patches. */
void prim_draw(struct hal_renderer *renderer, const struct hal_draw *draw, const struct hal_source *source,
               uint32_t primitives);
/* The number of whole primitives that `vertices` vertices make. */
uint32_t prim_whole(uint32_t type, uint64_t vertices);
/* Are the vertices in order, so that no table of numbers is needed? */
bool prim_is_sequential(const struct hal_draw *draw);
/* Begins a chunk of `count` slots. False: out of memory. */
bool prim_begin_chunk(struct prim_processing *w, const uint32_t *numbers, uint32_t first, uint32_t count);
/* Draws primitives begin .. end - 1 of the current chunk, after processing those of their vertices that have not been
 * processed yet. slots NULL: vertex i is in slot i. */
void prim_draw_pieces(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                      const uint32_t *slots, uint32_t begin, uint32_t end);
/* Draws primitives a->first .. end - 1 of a sequential draw, which are whole pieces except for the draw's last. False:
 * the budget is used up, or out of memory. */
bool prim_draw_sequential(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                          uint32_t end);
/* The maximum number of the chunk's slots that its primitives begin .. end - 1 need. */
uint32_t prim_slots_needed(uint32_t type, uint32_t begin, uint32_t end, const uint32_t *slots);
/* Processes vertices until all slots below `end` are filled: whole batches except for the chunk's last. */
void prim_process_to(struct prim_processing *w, uint32_t end);
/* assemble.c: draw primitives a->begin .. a->end - 1 of the chunk, whose vertices have been processed.
 * prim_assemble_observed needs an observer, which may decide about each primitive. */
void prim_assemble_observed(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots);
void prim_assemble(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots);
/* The cost of the vertices of a chunk. */
uint64_t prim_vertices_price(const struct hal_front *front, uint32_t vertices);

/* scratch.c: the scratch memory of a front end. work: told when memory is short. */
struct prim_scratch prim_scratch_of(struct hal_front *front, struct hal_work *work);
/* Makes room for `count` processed vertices; contents are lost. False: out of memory. */
bool prim_scratch_reserve(struct prim_scratch *scratch, size_t count);
/* The scratch memory of `threads` threads of groups, in one array; NULL: out of memory. */
struct prim_scratch *prim_scratch_of_threads(struct hal_front *front, unsigned threads);
void prim_scratch_free(struct hal_front *front);

/* group.c: the end of the group that begins with primitive `first` of `primitives`. */
uint32_t prim_group_end(const struct prim_assembly *a, const struct hal_draw *draw, uint32_t first,
                        uint32_t primitives);
/* Like prim_draw_sequential, or prim_draw_pieces for an indexed chunk that has begun, but with all threads. False:
 * nothing has been drawn, because one thread is as fast, or required (docs/threads.md); vertices of the indexed chunk
 * may have been processed. */
bool prim_group_sequential(const struct prim_processing *w, const struct prim_assembly *a, const struct hal_draw *draw,
                           uint32_t end);
bool prim_group_indexed(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                        const uint32_t *slots, uint32_t begin, uint32_t end);

#endif
