/* SPDX-License-Identifier: MIT */
/* What draws (prim.c), their groups of chunks (group.c) and primitive assembly (assemble.c) share. */
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

struct hal_context;
struct hal_draw;
struct hal_front;

/* Vertices that are processed and drawn at a time, or as many indices: what is processed stays in the cache until it is drawn. */
#define PRIM_PIECE 1020

/* Memory in which one thread processes vertices and clips. */
struct prim_scratch {
    struct hal_context *context; /* whose vertices these are; NULL: those of a thread of a group, which has */
    void *memory;                /* this */
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
    uint32_t slow_path;  /* all ones: every triangle takes it, whatever the outcodes of its vertices */
    bool wraps;          /* texture coordinates do (hal/vertex/wrap.c) */
    bool conservative;
    struct hal_context *observed; /* whose observer (hal/observer.h) wants to see each primitive; NULL: none does */
    uint32_t reject;              /* outcodes: a triangle with all corners outside one of them is not seen */
};

/* The vertices of a chunk. */
struct prim_processing {
    const struct hal_front *front;
    struct raster *raster;
    struct prim_scratch *scratch;
    const struct hal_source *source;
    bool snaps;       /* they are corners of triangles */
    bool named_alone; /* vertices that no index names must not be run */
    /* of the chunk: */
    const uint32_t *numbers; /* what is in slot 0 and so on; NULL: vertices first and so on */
    uint32_t first;
    uint32_t count, done; /* slots, and those that have been processed */
    uint32_t outcodes;    /* of these */
};

/* Begins a draw: finds its vertices, and how many of its primitives are within their reach. False: it draws nothing, which has been
 * said (hal/vertex/skip.h). */
bool prim_begin_draw(struct hal_context *context, const struct hal_draw *draw, struct hal_source *source,
                     uint32_t *primitives);
/* Draws the primitives of a draw that has begun, as they are: no N-patches. */
void prim_draw(struct hal_context *context, const struct hal_draw *draw, const struct hal_source *source,
               uint32_t primitives);
/* Whole primitives of a type that so many vertices make. */
uint32_t prim_whole(uint32_t type, uint64_t vertices);
/* Vertices in order: no table of numbers is needed. */
bool prim_is_sequential(const struct hal_draw *draw);
/* Begins a chunk of `count` slots. False: no memory. */
bool prim_begin_chunk(struct prim_processing *w, const uint32_t *numbers, uint32_t first, uint32_t count);
/* Draws primitives begin .. end - 1 of the chunk that has begun, and processes the vertices that they need and that have not been
 * before. slots NULL: vertex i is in slot i. */
void prim_draw_pieces(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                      const uint32_t *slots, uint32_t begin, uint32_t end);
/* Draws primitives a->first .. end - 1 of a sequential draw, which are whole pieces but for the draw's last. False: the budget is
 * used up, or no memory. */
bool prim_draw_sequential(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                          uint32_t end);
/* Slots of the chunk that its primitives begin .. end - 1 need at most. */
uint32_t prim_slots_needed(uint32_t type, uint32_t begin, uint32_t end, const uint32_t *slots);
/* Processes vertices until all slots below `end` hold theirs: whole batches but for the chunk's last. */
void prim_process_to(struct prim_processing *w, uint32_t end);
/* assemble.c: draws primitives a->begin .. a->end - 1 of the chunk, whose vertices have been processed; the first as the observer
 * wants it, who is there. */
void prim_assemble_observed(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots);
void prim_assemble(const struct prim_assembly *a, const struct hal_draw *draw, const uint32_t *slots);
/* What the vertices of a chunk take off the budget. */
uint64_t prim_vertices_price(const struct hal_front *front, uint32_t vertices);

/* scratch.c: that of a context. */
struct prim_scratch prim_scratch_of(struct hal_context *context);
/* Room for `count` processed vertices, contents lost. False: no memory. */
bool prim_scratch_reserve(struct prim_scratch *scratch, size_t count);
/* That of the threads of groups, so many of them, in one array; NULL: no memory. */
struct prim_scratch *prim_scratch_of_threads(struct hal_front *front, unsigned threads);
void prim_scratch_free(struct hal_front *front);

/* group.c: where a group ends that begins with primitive `first` of so many. */
uint32_t prim_group_end(const struct prim_assembly *a, const struct hal_draw *draw, uint32_t first,
                        uint32_t primitives);
/* Draws as prim_draw_sequential does, or as prim_draw_pieces of an indexed chunk that has begun, with all threads. False: nothing has
 * been drawn, since one thread does it as well, or must (docs/threads.md); vertices of the indexed chunk may have been processed. */
bool prim_group_sequential(const struct prim_processing *w, const struct prim_assembly *a, const struct hal_draw *draw,
                           uint32_t end);
bool prim_group_indexed(struct prim_processing *w, struct prim_assembly *a, const struct hal_draw *draw,
                        const uint32_t *slots, uint32_t begin, uint32_t end);

#endif
