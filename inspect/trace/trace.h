/* SPDX-License-Identifier: MIT */
/*
 * A program of a draw, instruction by instruction, for one pixel or one vertex: a shader, or what the states of the fixed function
 * became. It runs in the draw, in the place where the driver's executor runs it, as the scalar executor compiled a second time
 * (shader/run/trace.h); so its values are the driver's, and what it leaves is what the draw goes on with. Where the state is narrow
 * (docs/narrow-colour.md), they are those of the program's narrow form.
 */
#ifndef HALCYON_INSPECT_TRACE_H
#define HALCYON_INSPECT_TRACE_H

#include "inspect/picture/mesh.h"
#include "inspect/pixel/pixel.h"
#include "raster/sample/sample.h"
#include "shader/run/trace.h"

#define INSPECT_ALL UINT32_MAX

/* A texel that a lane read with weight. */
struct inspect_texel {
    uint32_t level, layer, x, y; /* layer: face of a cube, slice of a volume */
    float weight;                /* in the result; negative: not known, for want of memory */
    int channel;                 /* of fetch4: the component of the result that it is; else -1 */
    float value[4];              /* as the filter takes it: r, g, b, a; of compared depth what the comparison gives */
};

#define INSPECT_MOST_TEXELS 512 /* of a read: 16 probes of eight texels, and some */

/* A read of a texture. Lanes as in struct shader_trace_step. */
struct inspect_fetch {
    unsigned sampler;
    uint32_t surface;              /* 0: none */
    bool bound;                    /* else (0, 0, 0, 1) is read, and of `state` nothing means anything */
    struct raster_sampler state;   /* of the sampler; its texture and map are not to be looked at */
    enum raster_texture_kind kind; /* of the texture */
    uint32_t width, height, depth; /* of level 0 */
    unsigned levels;
    bool compares;                 /* depth is compared with the third coordinate */
    unsigned axes;                 /* coordinates that are looked at */
    shader_trace_value coordinate; /* divided already if they are projected */
    enum raster_lod_mode mode;
    float lod[6][SHADER_TRACE_LANES]; /* what the mode takes: [0], or gradients in x [0..2] and y [3..5] */
    float level;                      /* of detail that the watched lane reads, by the weights; below 0: not known */
    float border;                     /* weight of the border colour */
    float border_value[4];            /* as the filter takes it */
    bool has_texels;                  /* they were looked for */
    unsigned texel_count;             /* in the list; there may be more than INSPECT_MOST_TEXELS */
    struct inspect_texel *texels;     /* of the watched lane */
};

struct inspect_trace_step {
    struct shader_trace_step machine;
    struct inspect_fetch *fetch; /* NULL: it reads no texture */
};

/* An input or an output of the program. */
struct inspect_trace_register {
    char name[16];    /* as instructions call it: "v2" */
    char meaning[32]; /* "TEXCOORD 0", "position"; may be empty */
    uint8_t mask;     /* components that are read or written */
    shader_trace_value value;
};

#define INSPECT_MOST_REGISTERS (SHADER_MAX_SEMANTICS + RASTER_MAX_TARGETS + 1)

struct inspect_trace {
    enum shader_stage stage;
    const struct shader_program *program; /* what ran */
    bool is_bytecode;                     /* else the fixed function's states became it */
    bool narrow;            /* it ran in whole numbers of 16 bits (raster/narrow.h), which values are as floats */
    const uint32_t *tokens; /* of bytecode; its instructions are named by ir_instruction.origin */
    size_t token_count;
    unsigned lanes;                   /* 4 of a pixel, the quad; 1 of a vertex */
    unsigned lane;                    /* which of them it is */
    unsigned x[4], y[4];              /* pixels of the lanes */
    uint8_t covered;                  /* lanes that the primitive covers; the others are helpers */
    uint32_t primitive;               /* of the draw, as in struct inspect_fragment */
    uint32_t vertex;                  /* its number; of vertices alone */
    uint32_t element;                 /* of the streams; INSPECT_ALL: not known. Of vertices alone */
    struct inspect_fragment fragment; /* of a pixel: what became of it */
    struct inspect_corner corner;     /* of a vertex: what the draw goes on with */
    unsigned corner_inputs;
    unsigned input_count, output_count;
    struct inspect_trace_register input[INSPECT_MOST_REGISTERS], output[INSPECT_MOST_REGISTERS];
    uint8_t killed; /* lanes */
    size_t step_count;
    struct inspect_trace_step *steps;
};

struct inspect_trace_options {
    uint32_t primitive; /* of pixels: this one alone; INSPECT_ALL: all that cover it, in order */
    bool optimized;     /* bytecode as it runs, not instruction by instruction as it is written; narrow, always so */
};

/*
 * Gives the runs for pixel (x, y) of the first target of an action of the loaded frame, which is a draw: one for each primitive that
 * covers it, whatever becomes of the fragment. `give` answers false to end that. False: see the error, which also says that no
 * primitive covers it.
 */
bool inspect_trace_pixel(struct inspect *session, uint32_t action, unsigned x, unsigned y,
                         const struct inspect_trace_options *options,
                         bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                         struct capture_error *error);
/* The same for one vertex: corner c of primitive p, as inspect_mesh gives them, is number p * corners + c. */
bool inspect_trace_vertex(struct inspect *session, uint32_t action, uint32_t vertex,
                          const struct inspect_trace_options *options,
                          bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                          struct capture_error *error);

/* The bytecode instruction at a DWORD of the trace's tokens as a line of assembly; empty: there is none. */
void inspect_trace_assembly(const struct inspect_trace *trace, uint32_t origin, char *text, size_t size);
/* The instruction as a line of IR, without its newline. */
void inspect_trace_ir(const struct ir_instruction *instruction, char *text, size_t size);
/* The register that the step writes in a lane: "r0", "o2", "a0". False: it writes none. */
bool inspect_trace_target(const struct shader_trace_step *step, unsigned lane, char *text, size_t size);
/* Source k as instructions write it; empty: it has no text of its own. */
void inspect_trace_source(const struct shader_trace_step *step, unsigned k, char *text, size_t size);
/* What a constant that source k reads holds, in a program of the fixed function: "light 0 diffuse"; empty: it is none. */
void inspect_trace_constant(const struct inspect_trace *trace, const struct shader_trace_step *step, unsigned k,
                            char *text, size_t size);
/* Does aL mean something to it: does it begin or end a loop, or index by aL? */
bool inspect_trace_loops(const struct shader_trace_step *step);
/* May it kill? */
bool inspect_trace_kills(const struct shader_trace_step *step);
/* "2d", "cube", "volume"; "computed", "biased", "given", "gradients", and how many values of inspect_fetch.lod the mode takes. */
const char *inspect_texture_kind(const struct inspect_fetch *fetch);
const char *inspect_lod_name(enum raster_lod_mode mode);
unsigned inspect_lod_rows(enum raster_lod_mode mode);

#endif
