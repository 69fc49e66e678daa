/* SPDX-License-Identifier: MIT */
/*
 * The texture-stage cascade (D3DTSS_COLOROP...) lowered to the IR. Source: docs/reference/pixel-output.md, sections 1 to 5.
 */
#ifndef HALCYON_SHADER_STAGES_H
#define HALCYON_SHADER_STAGES_H

#include "shader/ir/ir.h"
#include "shader/shader.h"

#define STAGES_MAX 8

/* A texture with a colour key: nothing is drawn where its alpha is 0. KEYED_ALPHA: its alpha from 1/255 to 1 means 0 to
 * 1. */
enum stage_keyed { STAGE_UNKEYED, STAGE_KEYED, STAGE_KEYED_ALPHA };

/* The settings of a stage that change the code. Numbers are D3DTEXTUREOP and D3DTA. */
struct stage_key {
    uint8_t color_op, alpha_op;
    uint8_t color_arg[3], alpha_arg[3]; /* ARG0, ARG1, ARG2 */
    uint8_t result_temp;                /* RESULTARG is D3DTA_TEMP */
    uint8_t textured;                   /* a texture is bound */
    uint8_t projected;                  /* coordinates are divided by their w */
    uint8_t three_axes;                 /* cube or volume texture, or depth compared with w */
    uint8_t keyed;                      /* enum stage_keyed */
};

struct stages_key {
    struct stage_key stage[STAGES_MAX];
    uint8_t specular_add; /* SPECULARENABLE */
};

/* Values that the cascade takes from vertices; stages_program.input tells which raster input holds which value. */
enum stages_attribute { STAGES_DIFFUSE, STAGES_SPECULAR, STAGES_FOG, STAGES_TEXCOORD0 };

/* Constants: [0] immediates 0, 1/2, 1, 2; [1] texture factor; [2 + s] bump matrix of stage s (00, 01, 10, 11); [10 + s]
 * luminance scale and offset; [18] maps the alpha of STAGE_KEYED_ALPHA to 0..1; [19 + s] the colour of stage s
 * (D3DTSS_CONSTANT). */
enum {
    STAGES_CONSTANT_IMMEDIATE = 0,
    STAGES_CONSTANT_FACTOR = 1,
    STAGES_CONSTANT_BUMP = 2,
    STAGES_CONSTANT_LUMINANCE = 10,
    STAGES_CONSTANT_KEY = 18,
    STAGES_CONSTANT_COLOR = 19,
    STAGES_CONSTANT_COUNT = STAGES_CONSTANT_COLOR + STAGES_MAX,
};

struct stages_program {
    struct shader_program *shader; /* ready to run; NULL: no memory */
    struct ir_program ir;          /* the same, to be printed */
    uint8_t input_count;
    uint8_t input[RASTER_MAX_INPUTS];      /* enum stages_attribute of raster input i */
    uint8_t input_mask[RASTER_MAX_INPUTS]; /* components read */
    uint8_t samplers;                      /* bit s: stage s samples its texture */
    uint8_t colors;                        /* bit s: stage s reads its own colour */
};

void stages_compile(const struct stages_key *key, struct stages_program *program);
/* Compiles the key of `whole`, a program from stages_compile, without the alpha of its colour and everything that only
 * alpha needs. Red, green, blue and killed pixels have the same bits, and the cost is taken to be the same. Alpha is
 * undefined. */
void stages_compile_opaque(const struct stages_key *key, const struct stages_program *whole,
                           struct stages_program *program);
void stages_destroy(struct stages_program *program);

/* The cascade with the values of a draw: constants and samplers follow the binding. memory:
 * stages_binding_size(program) bytes, aligned to 64. Starts without textures and with all constants 0 except the
 * immediates; raster input i is entry i of shader->input. */
size_t stages_binding_size(const struct stages_program *program);
struct shader_binding *stages_bind(void *memory, const struct stages_program *program, enum cpu_level level);
/* Nothing happens if the program has no such constant. */
void stages_set_constant(struct shader_binding *binding, unsigned index, const float value[4]);

/* Copies all values from another binding of the program. */
void stages_copy_values(struct shader_binding *to, const struct shader_binding *from,
                        const struct stages_program *program);

/* No cascade needs more. */
#define STAGES_BINDING_BYTES                                                                                           \
    ((sizeof(struct shader_binding) + STAGES_MAX * sizeof(struct raster_sampler) + STAGES_CONSTANT_COUNT * 16 + 127) & \
     ~(size_t)63)

#endif
