/* SPDX-License-Identifier: MIT */
/*
 * Runs of a program, instruction by instruction: the part of hal/inspect.h that needs the shader IR. The scalar
 * executor, compiled a second time (shader/run/trace.h), runs the program in the draw in place of the driver's executor;
 * so its values are the driver's, and the draw continues with its results. Where the state is narrow
 * (docs/narrow-colour.md), they are those of the program's narrow form.
 */
#ifndef HALCYON_HAL_INSPECT_RUN_H
#define HALCYON_HAL_INSPECT_RUN_H

#include "hal/inspect.h"
#include "shader/run/trace.h"

/* --- what ran ------------------------------------------------------------------------------------- */

/* A texel that a lane read with weight. */
struct hal_run_texel {
    uint32_t level, layer, x, y; /* layer: face of a cube, slice of a volume */
    float weight;                /* in the result; negative: unknown, because the texture is too large */
    int channel;                 /* of fetch4: the component of the result that it is; else -1 */
    float value[4];              /* input of the filter: r, g, b, a; for compared depth the result of the comparison */
};

#define HAL_RUN_TEXELS 512 /* of a read that are kept: 16 probes of eight texels, and some */

enum hal_run_texture { HAL_RUN_2D, HAL_RUN_CUBE, HAL_RUN_VOLUME };
/* Where the level of detail comes from. `lod` of a read, by mode: nothing; [0] is added to the computed level; [0] is
 * the level; [0..2] are gradients in x, [3..5] in y. */
enum hal_run_lod { HAL_RUN_COMPUTED, HAL_RUN_BIASED, HAL_RUN_GIVEN, HAL_RUN_GRADIENTS };

/* The state of a sampler; numbers are Direct3D's. */
struct hal_run_sampler {
    uint8_t address[3];                         /* D3DTEXTUREADDRESS of u, v, w */
    uint8_t mag_filter, min_filter, mip_filter; /* D3DTEXTUREFILTERTYPE */
    uint8_t max_anisotropy;
    uint8_t base_level; /* the most detailed level that may be read */
    float lod_bias;
    bool srgb, fetch4;
    bool compares; /* depth is compared with the third coordinate */
};

/* A read of a texture. Lanes as in struct shader_trace_step. */
struct hal_run_fetch {
    unsigned sampler;
    const struct hal_resource *surface; /* NULL: none */
    bool bound;                         /* else (0, 0, 0, 1) is read, and `state` is meaningless */
    struct hal_run_sampler state;
    enum hal_run_texture kind;     /* of the texture */
    uint32_t width, height, depth; /* of level 0 */
    unsigned levels;
    unsigned axes;                 /* number of coordinates */
    shader_trace_value coordinate; /* after division if projected */
    enum hal_run_lod mode;
    float lod[6][SHADER_TRACE_LANES];
    float level;                  /* of detail that the watched lane reads, by the weights; below 0: not known */
    float border;                 /* weight of the border colour */
    float border_value[4];        /* as the filter takes it */
    bool has_texels;              /* they were determined */
    unsigned texel_count;         /* in the list; there may be more than HAL_RUN_TEXELS */
    struct hal_run_texel *texels; /* of the watched lane */
};

struct hal_run_step {
    struct shader_trace_step machine;
    struct hal_run_fetch *fetch; /* NULL: it reads no texture */
};

/* An input or an output of the program. */
struct hal_run_register {
    char name[16];    /* its name in instructions: "v2" */
    char meaning[32]; /* "TEXCOORD 0", "position"; may be empty */
    uint8_t mask;     /* components that are read or written */
    shader_trace_value value;
};

#define HAL_RUN_REGISTERS (SHADER_MAX_SEMANTICS + HAL_INSPECT_TARGETS + 1)

struct hal_run {
    enum shader_stage stage;
    const struct shader_program *program; /* what ran */
    bool is_bytecode;                     /* else made from fixed-function states */
    bool narrow;            /* it ran in whole numbers of 16 bits (raster/narrow.h); values are given as floats */
    const uint32_t *tokens; /* of bytecode; its instructions are named by ir_instruction.origin */
    size_t token_count;
    unsigned lanes;      /* 4 of a pixel, the quad; 1 of a vertex */
    unsigned lane;       /* which of them it is */
    unsigned x[4], y[4]; /* pixels of the lanes */
    uint8_t covered;     /* lanes that the primitive covers; the others are helpers */
    uint8_t killed;      /* lanes */
    bool is_periodic;    /* of vertices: not each has its own elements of the streams, else */
    uint32_t element;    /* the number of the vertex in the streams */
    bool is_missing;     /* of vertices: the streams do not hold all of it */
    unsigned input_count, output_count;
    struct hal_run_register input[HAL_RUN_REGISTERS], output[HAL_RUN_REGISTERS];
    size_t step_count;
    struct hal_run_step *steps;
};

/* The meaning of a constant that source k of a step reads, in a program of the fixed function: "light 0 diffuse"; empty:
 * it is not a constant. */
void hal_run_constant(const struct hal_run *run, const struct shader_trace_step *step, unsigned k, char *text,
                      size_t size);

/* --- running it ----------------------------------------------------------------------------------- */

struct hal_tracer;

struct hal_tracer *hal_tracer_create(void); /* NULL: out of memory */
void hal_tracer_destroy(struct hal_tracer *tracer);
/* Has memory run out? */
bool hal_tracer_failed(const struct hal_tracer *tracer);
/* The last run: valid until the next one, or until the draw ends. */
const struct hal_run *hal_tracer_run(const struct hal_tracer *tracer);
/* Frees the steps of the last run. */
void hal_tracer_forget(struct hal_tracer *tracer);

/* In the function `draw` of an observer: prepares for the draw's pixel program, which a probe runs (struct
 * hal_probe_state). optimized: code as it runs, not as it is written; narrow programs always. */
void hal_tracer_choose_pixels(struct hal_tracer *tracer, const struct hal_context *context, bool optimized);

/* Does a program run for the vertices of the draw? */
bool hal_inspect_runs_vertices(const struct hal_context *context);
/* In the function `draw`: the program of the vertex with number `slot` among those that are processed together
 * (hal_inspect_corner) is traced, if hal_tracer_chunk says so, until hal_tracer_end. */
void hal_tracer_begin_vertex(struct hal_tracer *tracer, struct hal_context *context, const struct hal_draw *draw,
                             uint32_t slot, bool optimized);
/* In the function `vertices`: is the vertex among those that are about to be processed? */
void hal_tracer_chunk(struct hal_tracer *tracer, bool is_here);
/* In the function `drawn`. Without hal_tracer_begin_vertex: nothing. */
void hal_tracer_end(struct hal_tracer *tracer);
/* Has the vertex been processed since hal_tracer_begin_vertex? */
bool hal_tracer_has_run(const struct hal_tracer *tracer);

#endif
