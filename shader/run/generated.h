/* SPDX-License-Identifier: MIT */
/*
 * Machine code that replaces steps (kernels/step.c), made by shader/jit/. It gives the same bits, so results do not
 * depend on whether or when a program has code. Private to shader/.
 */
#ifndef HALCYON_SHADER_RUN_GENERATED_H
#define HALCYON_SHADER_RUN_GENERATED_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kept;
struct machine;

/* The function of a piece, for all lanes of the batch; its own constants come from generated_literals. In 64-bit
 * programs the calling convention is System V's on all systems, and the function is a leaf without a prologue; in a
 * Windows build the caller saves the registers that Windows wants preserved. In 32-bit programs both arguments are in
 * registers. */
#if defined(__x86_64__)
typedef void __attribute__((sysv_abi)) generated_fn(struct machine *m, const float *literals);
#elif defined(__i386__)
typedef void __attribute__((fastcall)) generated_fn(struct machine *m, const float *literals);
#else
typedef void generated_fn(struct machine *m, const float *literals);
#endif
extern const float generated_literals[];

/* Steps that became a function; run NULL: they did not, because they have too many values or the pool had no room. */
struct shader_piece {
    generated_fn *run;
    unsigned first, steps; /* in the plan */
    unsigned instructions;
    bool has_instructions;         /* of instructions that have no steps of their own */
    bool kills, takes_differences; /* between lanes of a quad */
    uint16_t place_count;
    const struct plan_operand *place; /* places that it writes; places that are not read later are omitted */
};

struct narrow_block_code;

struct shader_generated {
    enum cpu_level level; /* the level of the code */
    bool checks;          /* the steps run too, and the results are compared */
    unsigned piece_count;
    struct shader_piece *piece;
    uint16_t *at_step; /* by step: 1 + the piece that begins there; 0: none */
    struct plan_operand *places;
    struct narrow_block_code
        *blocks; /* run/narrow_block.h: of the program's narrow form; new entries are added at the head while others
                  * read the list */
    /* jit/keep.c: */
    size_t bytes; /* of the functions */
    struct kept *kept;
    struct shader_generated *next; /* of functions that are being evicted */
};

#endif
