/* SPDX-License-Identifier: MIT */
/* A run in progress, shared by the files that trace programs. */
#ifndef HALCYON_HAL_INSPECT_TRACER_H
#define HALCYON_HAL_INSPECT_TRACER_H

#include "hal/inspect/internal.h"
#include "hal/inspect/run.h"
#include "hal/pixel/pipeline.h"
#include "hal/vertex/stream.h"

struct hal_vertex_stage;
struct raster_feedback;

/* Finds the texels that a sampler reads; kept from read to read of a run (texels.c). */
struct texel_finder {
    const struct raster_texture *texture; /* made for */
    struct raster_feedback *map;          /* the parts of it that are read */
    struct raster_texture impulse;        /* of the same shape, with zeros */
    float *memory;                        /* its texels; NULL: there are too many */
};

/* The program of a stage as it is traced, kept for all parts of a draw. */
struct traced_program {
    const struct shader_program *own; /* what the draw runs */
    struct shader_program *plain;     /* the same without optimization; NULL: `own` is traced */
    uint32_t *tokens;
    size_t token_count;
};

struct hal_tracer {
    struct hal_run run;
    struct traced_program program;
    size_t capacity; /* of run.steps */
    bool failed;     /* no memory */

    /* the draw at hand */
    enum cpu_level level;                                    /* of the driver */
    struct hal_pipeline_inputs inputs;                       /* of its pixel program */
    const struct hal_resource *surface[RASTER_MAX_SAMPLERS]; /* by sampler; NULL: none */

    /* vertices: the draw whose executor is replaced */
    struct hal_context *context; /* NULL: none is */
    shader_vertex_fn execute;    /* its own */
    struct hal_source source;
    uint32_t slot;  /* of the vertex */
    uint32_t slots; /* of the chunk that have been processed */
    bool is_here;   /* the chunk has the vertex */
    bool has_run;

    /* the run under way */
    const struct shader_binding *binding;               /* the draw's */
    struct shader_binding copy;                         /* with the traced program, whose reads are redirected here */
    struct raster_sampler sampler[RASTER_MAX_SAMPLERS]; /* of the copy: without feedback maps */
    unsigned first;                                     /* lane of the batch: the first that is watched */
    struct hal_run_fetch fetch;                         /* the last read */
    /* In a narrow state: the arguments of the sampler, and whether these are whole numbers (raster_batch.affine). */
    float given[2][RASTER_QUAD_LANES];
    bool affine;
    bool has_fetch;
    unsigned reads;
    struct texel_finder finder[RASTER_MAX_SAMPLERS];
};

/* trace.c: prepares the runs of one draw. shader: whose code the program may be; NULL: none. */
void tracer_choose(struct hal_tracer *t, const struct shader_program *own, const struct hal_shader *shader,
                   bool optimized);
/* Runs the program in the place of the draw's executor; lane: of the batch. */
void tracer_run_floats(struct hal_tracer *t, const struct shader_binding *binding, struct raster_batch *batch,
                       unsigned lane);
/* The same in a narrow state. */
void tracer_run_narrow(struct hal_tracer *t, const struct shader_binding *binding, struct raster_batch *batch,
                       unsigned lane);
void tracer_run_vertices(struct hal_tracer *t, const struct shader_binding *binding, struct shader_vertex_batch *batch,
                         unsigned lane);

/* names.c: "TEXCOORD 0", of a D3DDECLUSAGE; SHADER_USAGE_NONE: nothing. */
void run_print_meaning(char *text, size_t size, unsigned usage, unsigned index);

/* texels.c: records a read and the state of its sampler. */
void tracer_note_fetch(struct hal_tracer *t, unsigned number, unsigned group_count,
                       const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                       const float (*lod)[RASTER_LANES]);
/* The same of a narrow state. */
void tracer_note_narrow_fetch(struct hal_tracer *t, unsigned number, const float (*coordinate)[RASTER_LANES],
                              bool affine);
/* Fills in the texels that the watched lane reads. Returns false if out of memory. */
bool tracer_find_texels(struct hal_tracer *t, struct hal_run_fetch *fetch);
void tracer_free_finder(struct texel_finder *finder);

#endif
