/* SPDX-License-Identifier: MIT */
/* A run in progress, shared by the files of the trace. */
#ifndef HALCYON_INSPECT_TRACE_INTERNAL_H
#define HALCYON_INSPECT_TRACE_INTERNAL_H

#include "inspect/trace/trace.h"

struct hal_context;
struct hal_draw;
struct raster_feedback;

/* Finds the texels that a sampler reads; kept from read to read of a run (texture.c). */
struct texel_finder {
    const struct raster_texture *texture; /* made for */
    struct raster_feedback *map;          /* the parts of it that are read */
    struct raster_texture impulse;        /* of the same shape, with zeros */
    float *memory;                        /* its texels; NULL: no memory */
};

/* Texture reads of a run whose texels are determined. */
#define TRACE_MOST_READS 1024

/* The program of a stage as it is traced, kept for all parts of a draw. */
struct trace_program {
    const struct shader_program *own; /* what the draw runs */
    struct shader_program *plain;     /* the same without optimization; NULL: `own` is traced */
    uint32_t *tokens;
    size_t token_count;
};

struct tracing {
    struct inspect_trace trace;
    struct trace_program program;
    size_t capacity; /* of trace.steps */
    bool failed;     /* no memory */

    /* the run under way */
    const struct shader_binding *binding;               /* the draw's */
    struct shader_binding copy;                         /* with the traced program, whose reads are redirected here */
    struct raster_sampler sampler[RASTER_MAX_SAMPLERS]; /* of the copy: without feedback maps */
    uint32_t surface[RASTER_MAX_SAMPLERS];
    unsigned first;             /* lane of the batch: the first that is watched */
    struct inspect_fetch fetch; /* the last read */
    /* For a narrow state: the arguments of the sampler, and whether these are whole numbers (raster_batch.affine). */
    float given[2][RASTER_QUAD_LANES];
    bool affine;
    bool has_fetch;
    unsigned reads;
    struct texel_finder finder[RASTER_MAX_SAMPLERS];
};

/* run.c: prepares the runs of one draw. code, count: the shader's bytecode, in memory that stays valid; none: NULL,
 * 0. */
void inspect_tracing_choose(struct tracing *t, const struct shader_program *own, const void *code, size_t count,
                            bool optimized);
/* Runs the program in the place of the draw's executor; lane: of the batch. */
void inspect_tracing_pixels(struct tracing *t, const struct shader_binding *binding, struct raster_batch *batch,
                            unsigned lane);
/* The same in a narrow state, of a driver of that level. */
void inspect_tracing_narrow(struct tracing *t, const struct shader_binding *binding, enum cpu_level level,
                            struct raster_batch *batch, unsigned lane);
void inspect_tracing_vertices(struct tracing *t, const struct shader_binding *binding,
                              struct shader_vertex_batch *batch, unsigned lane);
/* Drops the steps of the last run; frees everything. */
void inspect_tracing_forget(struct tracing *t);
void inspect_tracing_free(struct tracing *t);

/* Goes to an action, which must be a draw. False: see the error. */
bool inspect_trace_begin(struct inspect *session, uint32_t action, struct capture_error *error);
/* text.c: "TEXCOORD 0", of a D3DDECLUSAGE; SHADER_USAGE_NONE: nothing. */
void inspect_trace_meaning(char *text, size_t size, unsigned usage, unsigned index);

/* texture.c: records a read and the state of its sampler. */
void inspect_note_fetch(struct tracing *t, unsigned number, unsigned group_count,
                        const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                        const float (*lod)[RASTER_LANES]);
/* The same of a narrow state. */
void inspect_note_narrow_fetch(struct tracing *t, unsigned number, const float (*coordinate)[RASTER_LANES],
                               bool affine);
/* Fills in the texels that the watched lane reads. Returns false if out of memory. */
bool inspect_find_texels(struct tracing *t, struct inspect_fetch *fetch);
void inspect_free_finder(struct texel_finder *finder);

#endif
