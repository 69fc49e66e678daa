/* SPDX-License-Identifier: MIT */
/*
 * The state of one batch while a program runs over it, and the calls among the executor's files: kernels/program.c runs
 * the program, kernels/flow.c decides which lanes are active, kernels/vector.c executes instructions with operands from
 * kernels/operand.c, kernels/texture.c samples. Compiled once per CPU level. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_MACHINE_H
#define HALCYON_SHADER_RUN_MACHINE_H

#include "shader/code.h"
#include "shader/run/alu.h"
#include "shader/run/generated.h"
#include "shader/run/lane_math.h"

/* Names for the level that is being compiled. */
#define machine_direct         KERNEL(machine_direct)
#define machine_divide         KERNEL(machine_divide)
#define machine_divisor        KERNEL(machine_divisor)
#define machine_flow           KERNEL(machine_flow)
#define machine_instruction    KERNEL(machine_instruction)
#define machine_ones           KERNEL(machine_ones)
#define machine_pack_mask      KERNEL(machine_pack_mask)
#define machine_prepare_steps  KERNEL(machine_prepare_steps)
#define machine_project        KERNEL(machine_project)
#define machine_run_piece      KERNEL(machine_run_piece)
#define machine_run_plan       KERNEL(machine_run_plan)
#define machine_run_steps      KERNEL(machine_run_steps)
#define machine_set_active     KERNEL(machine_set_active)
#define machine_source         KERNEL(machine_source)
#define machine_source_vector  KERNEL(machine_source_vector)
#define machine_store          KERNEL(machine_store)
#define machine_texture        KERNEL(machine_texture)
#define machine_texture_direct KERNEL(machine_texture_direct)
#define machine_write_mask     KERNEL(machine_write_mask)
#define machine_zeros          KERNEL(machine_zeros)

struct machine_frame {
    uint8_t kind;              /* IR_IF, IR_LOOP, IR_REP, IR_CALL */
    uint64_t outer;            /* active again after the block */
    uint64_t other;            /* IR_IF: active in the other branch; loops: lanes that have not left the loop */
    int32_t left, value, step; /* loops: remaining rounds; aL and its step in the enclosing loop */
    uint32_t back;             /* IR_CALL */
};

#define MACHINE_SPILLS  128
#define MACHINE_CHECKED 352 /* the most that one piece writes */
#define MACHINE_MASKED  32  /* the most that is written by one piece that runs with inactive lanes */

struct machine {
    const struct shader_binding *binding;
    const struct shader_code *code;
    struct raster_batch *pixels; /* NULL: vertices */
    unsigned lanes;              /* a multiple of 16 */
    uint64_t all, active;
    bool full; /* active == all */
    unsigned depth, executed;
    /* enum plan_counter: aL and its step; the number of constants in the binding, set for generated code */
    int32_t loop, loop_step, float_count;
    const float *base[PLAN_BASES]; /* enum plan_base; from PLAN_INPUT on always set, others set for steps */
    float (*output)[4][SHADER_LANES];
    struct machine_frame frame[CODE_MAX_FRAMES];
    _Alignas(64) int32_t mask[SHADER_LANES]; /* -1: active */
    _Alignas(64) int32_t address[4][SHADER_LANES];
    _Alignas(64) int32_t predicate[4][SHADER_LANES];
    _Alignas(64) int32_t killed[SHADER_LANES];      /* written by the piece that has run last, if it kills: -1 */
    _Alignas(64) float scratch[3][4][SHADER_LANES]; /* of sources */
    _Alignas(64) float result[4][SHADER_LANES];     /* must follow scratch: plan.c relies on it */
    float modified[PLAN_MAX_MODIFIED];
    const struct shader_generated *generated;     /* of the program, for this level; NULL: none */
    _Alignas(64) float spill[MACHINE_SPILLS][16]; /* spilled values of generated code, one register each */
    _Alignas(64) float temp[CODE_TEMP_COUNT][4][SHADER_LANES];
};

/* A component of v# or t#. */
static inline const float **machine_input(struct machine *m, unsigned reg, unsigned component)
{
    return &m->base[PLAN_INPUT + 4 * reg + component];
}

/* The output register for an index; an index out of range is clamped. */
static inline unsigned machine_output_index(int32_t index)
{
    return index < 0 ? 0 : (unsigned)BASE_MIN(index, SHADER_MAX_OUTPUTS - 1);
}

/* 64 lanes of 0, and 64 of 1. */
extern const float machine_zeros[SHADER_LANES], machine_ones[SHADER_LANES];

/* --- kernels/flow.c ---------------------------------------------------------------- */

/* Bit n: lane n of the mask is set. */
uint64_t machine_pack_mask(unsigned lanes, const int32_t *mask);
void machine_set_active(struct machine *m, uint64_t active);
/* Executes flow instruction number `at`; returns the number of the next instruction, or `end` to stop. */
uint32_t machine_flow(struct machine *m, const struct ir_instruction *i, uint32_t at, uint32_t end);

/* --- kernels/operand.c ------------------------------------------------------------- */

/* The lanes of component c of source k, after swizzle and modifiers. */
const float *machine_source(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned c);
/* All components in `needed`; each component of the register is fetched once. The others are 0. */
void machine_source_vector(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned needed,
                           const float *out[4]);
/* The lanes in which component c of the destination may be written; `mask` is memory for the result. */
const int32_t *machine_write_mask(const struct machine *m, const struct ir_instruction *i, unsigned c,
                                  int32_t *restrict mask);
/* The lanes of the destination's component, if results may be written there directly; else NULL. */
float *machine_direct(struct machine *m, const struct ir_instruction *i, unsigned c);
/* Stores m->result in the instruction's destination. */
void machine_store(struct machine *m, const struct ir_instruction *i);

/* --- kernels/vector.c, kernels/texture.c: what an instruction does to all active lanes - */

void machine_instruction(struct machine *m, const struct ir_instruction *i);
void machine_texture(struct machine *m, const struct ir_instruction *i);
/* Samples a texture like machine_texture with all lanes active, with the coordinates at `from`; returns false if the
 * instruction needs the general function. */
bool machine_texture_direct(struct machine *m, const struct ir_instruction *i, const float *const *from);
void machine_project(struct machine *m, const struct ir_instruction *i);
/* The component of the coordinates, from 1 on, that divides the others; 0 if none does. texture: NULL if the stage has
 * none. */
unsigned machine_divisor(const struct shader_binding *b, const struct ir_instruction *i,
                         const struct raster_texture *texture);
/* Divides the coordinates by component q. */
void machine_divide(unsigned lanes, const float *q, const float *const *from, unsigned axes, float (*to)[SHADER_LANES]);

/* --- kernels/step.c: not at the scalar level ----------------------------------------- */

/* Sets m->base; before the first step. */
void machine_prepare_steps(struct machine *m);
/* Runs `count` steps from number `first` on; all lanes must be active. */
void machine_run_steps(struct machine *m, unsigned first, unsigned count);
/* Runs all steps of a straight plan, as generated code where there is some. */
void machine_run_plan(struct machine *m);

/* --- generated code ------------------------------------------------------------------- */

/* The piece that begins with a step; NULL: none. */
static inline const struct shader_piece *machine_piece(const struct machine *m, unsigned step)
{
    const unsigned n = m->generated ? m->generated->at_step[step] : 0;

    return n ? &m->generated->piece[n - 1] : NULL;
}

/* Can the piece run for the currently active lanes? It cannot if it takes differences from inactive lanes, or writes
 * too much. */
static inline bool machine_takes_piece(const struct machine *m, const struct shader_piece *piece)
{
    return m->full || (!piece->takes_differences && piece->place_count <= MACHINE_MASKED);
}

/* Runs a piece for the active lanes. `first`: the number of its first instruction, used only if not all lanes are
 * active. */
void machine_run_piece(struct machine *m, const struct shader_piece *piece, uint32_t first);

#endif
