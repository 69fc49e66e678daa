/* SPDX-License-Identifier: MIT */
/*
 * Shader bytecode (vs_1_0..vs_3_0, ps_1_0..ps_3_0) compiled to the IR, and its executors.
 *
 *     program = shader_compile(tokens, count, &error);     once, when the shader is created
 *     binding = shader_bind(memory, program, &constants);  once per change of constants, samplers, links
 *     shader_vertex_executor(level)(binding, batch);       64 vertices at a time
 *     state.shade = shader_pixel_executor(level); state.program = binding;
 *
 * A program never changes after shader_compile and may be run by many threads. A binding must not change while a scene
 * refers to it. Tokens are hostile: for any tokens, compiling and running terminate and stay in bounds.
 * bytecode/validate.h checks the API's further rules (read ports, slot counts...). Source:
 * docs/reference/shader-code.md; docs/shader-ir.md explains the implementation.
 */
#ifndef HALCYON_SHADER_SHADER_H
#define HALCYON_SHADER_SHADER_H

#include "raster/sample/sample.h"
#include "bytecode/bytecode.h"

#define SHADER_LANES         RASTER_LANES
#define SHADER_MAX_INPUTS    16
#define SHADER_MAX_OUTPUTS   16
#define SHADER_MAX_SAMPLERS  16
#define SHADER_MAX_SEMANTICS 64
#define SHADER_MAX_FLOATS    8192 /* c registers (software vertex processing) */
#define SHADER_MAX_INTEGERS  16
#define SHADER_MAX_BOOLEANS  16
#define SHADER_MAX_STAGES    8 /* with bump matrices */

/* Instructions that one batch may execute before it stops. The caps report this as Max?ShaderInstructionsExecuted. */
#define SHADER_MAX_EXECUTED 65535

/* --- programs ---------------------------------------------------------------------- */

/* One input or output by meaning. Registers of models below 3 get the corresponding usage: vertex oPos POSITION0, oFog
 * FOG0, oPts PSIZE0, oD# COLOR#, oT# TEXCOORD#; pixel v# COLOR#, t# TEXCOORD#. Vertex inputs of vs_1_x without dcl
 * (Direct3D 8) have usage SHADER_USAGE_NONE: the register number is the link. */
struct shader_semantic {
    uint8_t usage, index; /* D3DDECLUSAGE and usage index */
    uint8_t reg;          /* of shader_vertex_batch.input / .output; pixel: entry of the program's own file */
    uint8_t mask;         /* components: bit 0 x .. bit 3 w; several semantics may share a register */
    bool centroid;
    uint8_t
        third_mask; /* pixel inputs: components also read if one of these samplers, which are 2D or not declared, ... */
    uint16_t third_samplers; /* ... has a texture with a third coordinate (raster_texture_axes): bit n: s#n */
    uint8_t divisor_mask;    /* pixel inputs of ps_1_0..1_3: components also read if one of these stages is projected */
    uint16_t divided_samplers;
};

struct shader_program {
    enum shader_stage stage;
    uint8_t major, minor; /* 1.0 .. 3.0; minor 1 of 2.x, 255 of "software" versions */
    unsigned input_count, output_count;
    struct shader_semantic input[SHADER_MAX_SEMANTICS];  /* those that are declared or read */
    struct shader_semantic output[SHADER_MAX_SEMANTICS]; /* vertex programs; those that are declared or written */
    uint16_t inputs_read;                                /* bit n: vertex v#n is read */
    uint16_t outputs_written;        /* vertex: bit n: output register n; pixel: bit n: oC#n (ps_1_x: bit 0) */
    bool writes_depth;               /* oDepth, texm3x2depth, texdepth: batch.z is replaced, 0..1 */
    bool kills;                      /* may clear bits of batch.covered */
    bool reads_position, reads_face; /* vPos, vFace */
    bool relative_constants;         /* c[a0 + n]: all of the API's constants are needed */
    uint16_t samplers;               /* bit n: stage or s#n is sampled */
    uint8_t sampler_kind[SHADER_MAX_SAMPLERS]; /* as declared: 0 unknown (ps_1_x), 2 2D, 3 cube, 4
                                                  volume */
    uint16_t third_samplers, divided_samplers; /* those of all inputs */
    uint8_t bump_stages;                       /* bit n: bump matrix or luminance of stage n is used */
    unsigned float_count;                      /* c registers a binding holds: highest referenced or defined + 1 */
    uint16_t integers_read, booleans_read;     /* registers that come from outside */
    unsigned instruction_count;                /* of the bytecode */
    struct shader_code *code;                  /* private */
};

#define SHADER_USAGE_NONE 255
#define SHADER_NO_INPUT   255

/* NULL if the code is rejected; *error (which may be NULL) tells why and where. count: DWORDs in tokens; tokens after
 * END are ignored. */
struct shader_program *shader_compile(const uint32_t *tokens, size_t count, struct shader_error *error);
/* Compiles like shader_compile, but without the optimizer, for comparison and inspection. */
struct shader_program *shader_compile_plain(const uint32_t *tokens, size_t count, struct shader_error *error);
void shader_destroy(struct shader_program *program);
/* Bytes that a program takes; 0 for NULL. */
size_t shader_memory(const struct shader_program *program);

/* A program of valid IR without flow, generated by the driver itself. Every output component that counts must be
 * written. constant: the fixed value of constant register 0, with which the program is optimized; NULL: no
 * optimization. Returns NULL if out of memory. */
struct ir_instruction;
struct shader_program *shader_from_ir(enum shader_stage stage, const struct ir_instruction *code, unsigned count,
                                      const float constant[4]);

/* The IR as text, one line an instruction; returns what snprintf would. */
int shader_print_ir(const struct shader_program *program, char *text, size_t size);

/* Does the program have a form that runs on colours in 16 bits (raster/narrow.h)? Pixel programs of the cascade and of
 * ps_1_0..1_3 do if they sample textures and need no values outside -1..1. */
bool shader_has_narrow(const struct shader_program *program);
/* Bit n: entry n of program->input is a colour of that form; others are coordinates. 0 without such a form. */
unsigned shader_narrow_colors(const struct shader_program *program);

/* Do equal inputs give equal colours, within a primitive (which has one facing)? */
bool shader_reads_inputs_alone(const struct shader_program *program);

/* --- bindings ----------------------------------------------------------------------------------
 */

/* The constants that the API holds. Registers beyond the counts read as 0; NULL with a count of 0 is fine. */
struct shader_constants {
    const float (*floats)[4];
    unsigned float_count;
    const int32_t (*integers)[4]; /* loop: count, start, step */
    unsigned integer_count;
    const uint32_t *booleans;
    unsigned boolean_count;
};

/* Values read only by programs made from bytecode. */
struct shader_registers {
    uint8_t projected[SHADER_MAX_STAGES];     /* ps_1_0..1_3: D3DTTFF_PROJECTED, component (2..4) that
                                              divides; else 0 */
    float bump[SHADER_MAX_STAGES][4];         /* D3DTSS_BUMPENVMAT00, 01, 10, 11 */
    float luminance[SHADER_MAX_STAGES][2];    /* D3DTSS_BUMPENVLSCALE, LOFFSET */
    int32_t integers[SHADER_MAX_INTEGERS][4]; /* filled by shader_bind */
};

/* A program with the values of a draw. shader_bind fills the members that depend on the program and the constants; the
 * caller fills the rest, which starts as: no input, no texture, identity. The memory that it points to follows it. One
 * core writes bindings and others read them, so they are kept short. */
struct shader_binding {
    const struct shader_program *program;
    raster_sample_lod_fn sample;        /* raster_sample_lod_kernel(level) */
    struct raster_sampler *sampler;     /* shader_sampler_count(program); pixel: stages / s#; vertex: s0..s3 */
    struct shader_registers *registers; /* NULL: the program reads none */
    const float (*floats)[4];           /* with the program's own def over the API's values */
    unsigned float_count;
    uint16_t booleans;
    /* pixel programs: raster input that holds program->input[k], component by component;
     * SHADER_NO_INPUT reads (0, 0, 0, 1) */
    uint8_t input[SHADER_MAX_SEMANTICS];
};

/* The number of samplers up to the last one that the program uses. */
static inline unsigned shader_sampler_count(const struct shader_program *program)
{
    return program->samplers ? 32u - (unsigned)__builtin_clz(program->samplers) : 0;
}

/* Bytes of a binding, a multiple of 64. Depends only on the program and the API's constant count. */
size_t shader_binding_size(const struct shader_program *program, unsigned float_count);
/* The highest cost of a batch with these constants, per lane: loops count as often as they run. */
struct shader_cost {
    uint32_t instructions; /* executed, at most SHADER_MAX_EXECUTED */
    uint32_t picoseconds;  /* on an ordinary core, without the extra cost of texture reads */
    uint32_t textures;     /* reads */
};
struct shader_cost shader_binding_cost(const struct shader_binding *binding);
/* memory: 64-byte aligned, shader_binding_size(program, constants->float_count) bytes; all of them are written, so bindings can be
 * compared. Integers and booleans that the program does not read stay 0. */
struct shader_binding *shader_bind(void *memory, const struct shader_program *program,
                                   const struct shader_constants *constants);

/* Are the values of two bindings of one program equal? bytes: their size when they were made. */
bool shader_same_values(const struct shader_binding *a, const struct shader_binding *b, size_t bytes);

/* Components of colour 0 that a program only copies. Component c: that of entry `input` of program->input if bit c of
 * `components` is set, else constant[c]; unchanged or clamped to 0..1. */
struct shader_copies {
    uint8_t input; /* SHADER_NO_INPUT: no component is copied from an input */
    uint8_t components;
    float constant[4];
};
/* Which components the program copies: bit 0 x .. bit 3 w. 0: none, or it does more than write colour 0. If the other
 * components are not used, it need not run. */
unsigned shader_copied_components(const struct shader_binding *binding, struct shader_copies *copies);

/* --- machine code ----------------------------------------------------------------------------- */

/* A generator of machine code with the memory of its code. Used by one thread at a time. */
struct shader_jit;

/* Code for a level, of at most `bytes`. `checks`: the steps run as well, and a difference is logged as an error. NULL:
 * this level or system has no generated code, or out of memory. */
struct shader_jit *shader_jit_create(enum cpu_level level, size_t bytes, bool checks);
/* When `bytes` are used up, the least recently used programs lose their code: wait(argument) returns when no thread runs code that it
 * had before the call. Without this nothing is evicted, and new programs run without code. jit: NULL: does nothing. */
typedef void shader_wait_fn(void *argument);
void shader_jit_on_eviction(struct shader_jit *jit, shader_wait_fn *wait, void *argument);
/* All programs with its code must have been destroyed. NULL: does nothing. */
void shader_jit_destroy(struct shader_jit *jit);
/* Notes that a program is about to run over some batches. The second time, also after it lost its code, its arithmetic
 * becomes machine code, so that a program used only once costs nothing; executors, which may be running, use it from
 * their next batch on, with the same results. May call the function passed to shader_jit_on_eviction. jit: always the
 * same for a program; NULL: does nothing. */
void shader_note_use(const struct shader_program *program, struct shader_jit *jit);
/* Notes, after shader_note_use, that a program is about to draw a narrow state with a blend: whole blocks of it get functions of their own
 * (shader_narrow_block_executor). */
void shader_note_narrow_use(const struct shader_program *program, const struct raster_blend *blend,
                            struct shader_jit *jit);
/* Generates the code immediately. */
void shader_generate(const struct shader_program *program, struct shader_jit *jit);

struct shader_jit_counts {
    uint32_t programs;             /* that have code */
    size_t bytes;                  /* that their code takes */
    uint64_t made, evicted;        /* programs so far that got code, or lost it to make room; each counts every time */
    uint64_t uses, generated_uses; /* calls of shader_note_use so far; of them, those for a program with code */
    double seconds;                /* spent generating code so far */
};
/* jit: NULL: all 0. */
void shader_jit_get_counts(const struct shader_jit *jit, struct shader_jit_counts *counts);

/* The steps of a program, and how many of them are machine code now. */
struct shader_steps {
    uint32_t all, generated;
};
struct shader_steps shader_count_steps(const struct shader_program *program);

/* --- running ------------------------------------------------------------------------------------
 */

/* Up to 64 vertices in SoA form. Inputs that the program reads must be filled for lanes below count. Outputs are
 * written for all lanes below count; components a program does not write: oD0 / COLOR0 1, w of TEXCOORD 1, others 0.
 * Nothing is clamped here: the caller knows the limits of colours, fog and point size. */
struct shader_vertex_batch {
    unsigned count; /* 1..64 */
    void *scratch;  /* as raster_batch has it */
    _Alignas(64) float input[SHADER_MAX_INPUTS][4][SHADER_LANES];
    _Alignas(64) float output[SHADER_MAX_OUTPUTS][4][SHADER_LANES];
};

typedef void (*shader_vertex_fn)(const struct shader_binding *binding, struct shader_vertex_batch *batch);

/* All levels give the same bits (NaN results are all CANONICAL_NAN_BITS). */
shader_vertex_fn shader_vertex_executor(enum cpu_level level);
/* `program` of the function is a struct shader_binding. Writes batch.color[n] for each n of
 * outputs_written (colour 0 of programs that do not write it is 0), batch.z if writes_depth, batch.covered if kills. */
raster_shade_fn shader_pixel_executor(enum cpu_level level);
/* For programs with shader_has_narrow. Inputs that are colours are narrow pixels, and so is the result: all four
 * numbers of batch.color[0], 0..NARROW_ONE. Textures must be suitable for raster_sample_narrow. */
raster_shade_fn shader_narrow_executor(enum cpu_level level);
/* Draws whole blocks with the same programs, if there is machine code for them. NULL: not at this level. */
raster_block_fn shader_narrow_block_executor(enum cpu_level level);

#endif
