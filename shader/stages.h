/* SPDX-License-Identifier: MIT */
/*
 * The texture-stage cascade (D3DTSS_COLOROP...) lowered to the IR. Source: reference shaders.md 9.
 */
#ifndef HALCYON_SHADER_STAGES_H
#define HALCYON_SHADER_STAGES_H

#include "shader/ir.h"
#include "shader/shader.h"

#define STAGES_MAX 8

/* What of a stage changes the code. Numbers are D3DTEXTUREOP and D3DTA. */
struct stage_key {
    uint8_t color_op, alpha_op;
    uint8_t color_arg[3], alpha_arg[3]; /* ARG0, ARG1, ARG2 */
    uint8_t result_temp;                /* RESULTARG is D3DTA_TEMP */
    uint8_t textured;                   /* a texture is bound */
    uint8_t projected;                  /* coordinates are divided by their w */
    uint8_t three_axes;                 /* cube or volume texture, or depth that w is compared with */
};

struct stages_key {
    struct stage_key stage[STAGES_MAX];
    uint8_t specular_add; /* SPECULARENABLE */
};

/* Values the cascade takes from vertices; stages_program.input says which raster input holds which. */
enum stages_attribute { STAGES_DIFFUSE, STAGES_SPECULAR, STAGES_FOG, STAGES_TEXCOORD0 };

/* Constants: [0] immediates 0, 1/2, 1, 2; [1] texture factor; [2 + s] bump matrix of stage s (00, 01, 10, 11);
 * [10 + s] luminance scale and offset. */
enum {
    STAGES_CONSTANT_IMMEDIATE = 0,
    STAGES_CONSTANT_FACTOR = 1,
    STAGES_CONSTANT_BUMP = 2,
    STAGES_CONSTANT_LUMINANCE = 10,
    STAGES_CONSTANT_COUNT = 18,
};

struct stages_program {
    struct shader_program *shader; /* ready to run; NULL: no memory */
    struct ir_program ir;          /* the same, to be printed */
    uint8_t input_count;
    uint8_t input[RASTER_MAX_INPUTS];      /* enum stages_attribute of raster input i */
    uint8_t input_mask[RASTER_MAX_INPUTS]; /* components read */
    uint8_t samplers;                      /* bit s: stage s samples its texture */
};

void stages_compile(const struct stages_key *key, struct stages_program *program);
void stages_destroy(struct stages_program *program);

/* The cascade with the values of a draw: what raster_draw_state.program points to is &binding. */
struct stages_instance {
    struct shader_binding binding;
    float constant[STAGES_CONSTANT_COUNT][4];
};

/* No textures, constants 0 but the immediates; raster input i is v#i. */
void stages_bind(struct stages_instance *instance, const struct stages_program *program,
                 enum cpu_level level);
/* A binding points into its own instance: copies need this. */
void stages_copy(struct stages_instance *to, const struct stages_instance *from);

#endif
