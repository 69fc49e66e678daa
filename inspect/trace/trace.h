/* SPDX-License-Identifier: MIT */
/*
 * A program of a draw, instruction by instruction, for one pixel or one vertex: a shader, or the program made from
 * fixed-function states. The scalar executor, compiled a second time (shader/run/trace.h), runs it in the draw in place
 * of the driver's executor; so its values are the driver's, and the draw continues with its results. Where the state is
 * narrow (docs/narrow-colour.md), they are those of the program's narrow form.
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
    float weight;                /* in the result; negative: unknown, because memory ran out */
    int channel;                 /* of fetch4: the component of the result that it is; else -1 */
    float value[4];              /* input of the filter: r, g, b, a; for compared depth the result of the comparison */
};

#define INSPECT_MOST_TEXELS 512 /* of a read: 16 probes of eight texels, and some */

/* A read of a texture. Lanes as in struct shader_trace_step. */
struct inspect_fetch {
    unsigned sampler;
    uint32_t surface;              /* 0: none */
    bool bound;                    /* else (0, 0, 0, 1) is read, and `state` is meaningless */
    struct raster_sampler state;   /* of the sampler; its texture and map must not be used */
    enum raster_texture_kind kind; /* of the texture */
    uint32_t width, height, depth; /* of level 0 */
    unsigned levels;
    bool compares;                 /* depth is compared with the third coordinate */
    unsigned axes;                 /* number of coordinates */
    shader_trace_value coordinate; /* after division if projected */
    enum raster_lod_mode mode;
    float lod[6][SHADER_TRACE_LANES]; /* argument of the mode: [0], or gradients in x [0..2] and y [3..5] */
    float level;                      /* of detail that the watched lane reads, by the weights; below 0: not known */
    float border;                     /* weight of the border colour */
    float border_value[4];            /* as the filter takes it */
    bool has_texels;                  /* they were determined */
    unsigned texel_count;             /* in the list; there may be more than INSPECT_MOST_TEXELS */
    struct inspect_texel *texels;     /* of the watched lane */
};

struct inspect_trace_step {
    struct shader_trace_step machine;
    struct inspect_fetch *fetch; /* NULL: it reads no texture */
};

/* An input or an output of the program. */
struct inspect_trace_register {
    char name[16];    /* its name in instructions: "v2" */
    char meaning[32]; /* "TEXCOORD 0", "position"; may be empty */
    uint8_t mask;     /* components that are read or written */
    shader_trace_value value;
};

#define INSPECT_MOST_REGISTERS (SHADER_MAX_SEMANTICS + RASTER_MAX_TARGETS + 1)

struct inspect_trace {
    enum shader_stage stage;
    const struct shader_program *program; /* what ran */
    bool is_bytecode;                     /* else made from fixed-function states */
    bool narrow;            /* it ran in whole numbers of 16 bits (raster/narrow.h); values are given as floats */
    const uint32_t *tokens; /* of bytecode; its instructions are named by ir_instruction.origin */
    size_t token_count;
    unsigned lanes;                   /* 4 of a pixel, the quad; 1 of a vertex */
    unsigned lane;                    /* which of them it is */
    unsigned x[4], y[4];              /* pixels of the lanes */
    uint8_t covered;                  /* lanes that the primitive covers; the others are helpers */
    uint32_t primitive;               /* of the draw, as in struct inspect_fragment */
    uint32_t vertex;                  /* its number; of vertices alone */
    uint32_t element;                 /* of the streams; INSPECT_ALL: not known. Of vertices alone */
    struct inspect_fragment fragment; /* of a pixel: its fate */
    struct inspect_corner corner;     /* of a vertex: the result that the draw uses */
    unsigned corner_inputs;
    unsigned input_count, output_count;
    struct inspect_trace_register input[INSPECT_MOST_REGISTERS], output[INSPECT_MOST_REGISTERS];
    uint8_t killed; /* lanes */
    size_t step_count;
    struct inspect_trace_step *steps;
};

struct inspect_trace_options {
    uint32_t primitive; /* of pixels: this one alone; INSPECT_ALL: all that cover it, in order */
    bool optimized;     /* code as it runs, not instruction by instruction as written; narrow: always */
};

/*
 * Gives the runs for pixel (x, y) of the first target of an action of the loaded frame, which is a draw: one for each
 * primitive that covers it, whatever the fate of the fragment. `give` returns false to stop. Returns false on failure,
 * see the error; it is also an error if no primitive covers the pixel.
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
/* Source k as written in instructions; empty: it has no text. */
void inspect_trace_source(const struct shader_trace_step *step, unsigned k, char *text, size_t size);
/* The meaning of a constant that source k reads, in a program of the fixed function: "light 0 diffuse"; empty: not a
 * constant. */
void inspect_trace_constant(const struct inspect_trace *trace, const struct shader_trace_step *step, unsigned k,
                            char *text, size_t size);
/* Does it use aL, that is, begin or end a loop, or index by aL? */
bool inspect_trace_loops(const struct shader_trace_step *step);
/* May it kill? */
bool inspect_trace_kills(const struct shader_trace_step *step);
/* "2d", "cube", "volume"; "computed", "biased", "given", "gradients", and the number of values of inspect_fetch.lod
 * that the mode uses. */
const char *inspect_texture_kind(const struct inspect_fetch *fetch);
const char *inspect_lod_name(enum raster_lod_mode mode);
unsigned inspect_lod_rows(enum raster_lod_mode mode);

#endif
