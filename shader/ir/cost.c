/* SPDX-License-Identifier: MIT */
/*
 * Computes the highest cost of a program, so that the caller can bound the work (docs/limits.md). Loops count as often
 * as their constants make them run, both sides of a condition count, and subroutines count for each call. Prices are
 * the times of one lane with AVX2, rounded up; bench/executors.c measures them.
 */
#include "shader/code.h"

/* The most steps of the walk through calls; longer programs are assumed to have the highest cost. */
#define MAX_STEPS (1u << 17)
#define MAX_TIMES (UINT64_C(1) << 32)

struct walk {
    const struct shader_code *code;
    const struct shader_registers *registers;
    uint64_t executed, picoseconds, textures;
    unsigned steps;
};

static unsigned price(unsigned op)
{
    switch (op) {
    case IR_POW:
        return 2500;
    case IR_LIT:
    case IR_EXP2:
    case IR_LOG2:
    case IR_SINCOS:
        return 1300;
    default:
        return op > IR_KILL ? 150 : 500;
    }
}

static uint64_t rounds_of(const struct walk *w, const struct ir_instruction *i)
{
    return w->registers ? (uint64_t)w->registers->integers[i->source[0].index][0] : 255;
}

/* Adds the cost from an instruction to the RET that ends its subroutine; all of it runs `times` times. */
static void cost_walk(struct walk *w, unsigned at, uint64_t times, unsigned calls)
{
    uint64_t outer[CODE_MAX_BLOCKS + 1];
    unsigned loops = 0, blocks = 0;

    for (; at < w->code->count && w->steps < MAX_STEPS; at++, w->steps++) {
        const struct ir_instruction *i = &w->code->code[at];

        if (i->op == IR_END || (i->op == IR_RET && blocks == 0))
            return;
        w->executed += times;
        w->picoseconds += times * price(i->op);
        w->textures += i->op == IR_TEX ? times : 0;
        if (i->op == IR_LOOP || i->op == IR_REP) {
            outer[loops++] = times;
            times = BASE_MIN(times * rounds_of(w, i), MAX_TIMES);
        } else if (i->op == IR_ENDLOOP) {
            times = outer[--loops];
        } else if (i->op == IR_CALL && times && calls < CODE_MAX_CALLS) {
            cost_walk(w, i->target, times, calls + 1);
        }
        blocks += i->op == IR_LOOP || i->op == IR_REP || i->op == IR_IF || i->op == IR_IFC;
        blocks -= i->op == IR_ENDLOOP || i->op == IR_ENDIF;
    }
}

struct shader_cost shader_binding_cost(const struct shader_binding *binding)
{
    struct walk w = {.code = binding->program->code, .registers = binding->registers};

    if (w.code->plan.straight && w.code->cost.instructions)
        return w.code->cost;
    cost_walk(&w, 0, 1, 0);
    if (w.steps == MAX_STEPS)
        return (struct shader_cost){SHADER_MAX_EXECUTED, SHADER_MAX_EXECUTED * price(IR_POW), SHADER_MAX_EXECUTED};
    if (w.executed > SHADER_MAX_EXECUTED) { /* execution stops there: the same mixture up to that point */
        const double share = (double)SHADER_MAX_EXECUTED / (double)w.executed;

        w.executed = SHADER_MAX_EXECUTED;
        w.picoseconds = (uint64_t)((double)w.picoseconds * share);
        w.textures = (uint64_t)((double)w.textures * share);
    }
    return (struct shader_cost){(uint32_t)w.executed, (uint32_t)w.picoseconds, (uint32_t)w.textures};
}

void shader_note_cost(struct shader_program *program)
{
    const struct shader_binding binding = {.program = program};

    program->code->cost = (struct shader_cost){0};
    if (program->code->plan.straight)
        program->code->cost = shader_binding_cost(&binding);
}
