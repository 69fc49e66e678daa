/* SPDX-License-Identifier: MIT */
/*
 * Runs compiled shaders: each instruction is executed over all lanes of a batch before the next one. Flow control is a
 * mask of active lanes: an instruction writes only to active lanes, and a block without active lanes is skipped. Loop
 * counts are the same for all lanes. Sources: docs/reference/shader-code.md, section 7; docs/shader-ir.md.
 */
#include "base/assert.h"
#include "base/simd/canonical_nan.h"
#include "shader/run/machine.h"

#include <string.h>

/* trace.c compiles this file a second time, with functions in place of these macros. */
#ifndef PROGRAM_LOOK_BEFORE
#define PROGRAM_LOOK_BEFORE(m, at)
#define PROGRAM_LOOK_BEHIND(m)
#endif

static void fill_lanes(unsigned lanes, float *out, float value)
{
    FOR_INDEPENDENT_LANES(lanes)
        out[l] = value;
}

/* Gives registers the values that they hold before the first instruction. */
static void prepare_registers(struct machine *m)
{
    const struct shader_code *code = m->code;

    for (uint64_t left = code->zero_temps; left; left &= left - 1)
        memset(m->temp[__builtin_ctzll(left)], 0, sizeof(m->temp[0]));
    for (uint32_t left = code->init_outputs; left; left &= left - 1) {
        const unsigned o = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 4; c++)
            fill_lanes(m->lanes, m->output[o][c], code->output_one[o] >> c & 1 ? 1.0f : 0.0f);
    }
    if (code->uses_predicate)
        memset(m->predicate, 0, sizeof(m->predicate));
    if (code->plan.addresses)
        memset(m->address, 0, sizeof(m->address));
}

static void prepare_flow(struct machine *m)
{
    m->loop = m->loop_step = 0;
    m->depth = m->executed = 0;
    m->active = m->all;
    m->full = true;
    if (m->code->plan.masks || !m->code->plan.straight)
        memset(m->mask, -1, sizeof(m->mask));
}

/* Every NaN that leaves a program is the canonical NaN, on every machine. */
static void canonical_nan_lanes(unsigned lanes, float *restrict v)
{
    const float nan = lane_from_bits(CANONICAL_NAN_BITS);

    FOR_INDEPENDENT_LANES(lanes)
        v[l] = v[l] == v[l] ? v[l] : nan;
}

static void canonical_nan_outputs(struct machine *m, uint32_t outputs)
{
    for (; outputs; outputs &= outputs - 1)
        for (unsigned c = 0; c < 4; c++)
            canonical_nan_lanes(m->lanes, m->output[__builtin_ctz(outputs)][c]);
}

#if KERNEL_LEVEL > 0
/* The piece that begins with the instruction, if there is one and it can run for the active lanes. */
static inline bool run_piece(struct machine *m, const struct plan_entry *entry, uint32_t *at)
{
    const struct shader_piece *piece = machine_piece(m, entry->first);

    if (!piece || m->executed + piece->instructions - 1u > SHADER_MAX_EXECUTED || !machine_takes_piece(m, piece))
        return false;
    if (m->active)
        machine_run_piece(m, piece, *at);
    m->executed += piece->instructions - 1u;
    *at += piece->instructions;
    return true;
}
#endif

/* The fast path for this instruction and the active lanes, if there is one. */
static inline bool run_steps(struct machine *m, uint32_t *at)
{
#if KERNEL_LEVEL > 0
    const struct plan_entry *entry = &m->code->plan.entries[*at];
    unsigned more = entry->covers - 1u;

    /* no steps: the instruction belongs to an entry that is executed one by one, because the end is near */
    if (!entry->count)
        return false;
    if (run_piece(m, entry, at))
        return true;
    if (!m->full || m->executed + more > SHADER_MAX_EXECUTED)
        return false;
    machine_run_steps(m, entry->first, entry->count);
    m->executed += more;
    *at += entry->covers;
    return true;
#else
    (void)m;
    (void)at;
    return false;
#endif
}

static void run_flow(struct machine *m)
{
    const struct shader_code *code = m->code;
    uint32_t at = 0, end = code->count;

    while (at < end && m->executed++ < SHADER_MAX_EXECUTED) {
        const struct ir_instruction *i = &code->code[at];

        BASE_ASSERT(!(m->active & ~m->all) && m->full == (m->active == m->all));
        PROGRAM_LOOK_BEFORE(m, at);
        if (i->op > IR_KILL) {
            at = machine_flow(m, i, at, end);
            PROGRAM_LOOK_BEHIND(m);
            continue;
        }
        if (run_steps(m, &at))
            continue;
        if (m->active)
            machine_instruction(m, i);
        PROGRAM_LOOK_BEHIND(m);
        at++;
    }
    canonical_nan_outputs(m, m->binding->program->outputs_written);
}

#if KERNEL_LEVEL > 0
/* The code of a program for the level that is being compiled; NULL if there is none. */
static inline const struct shader_generated *machine_generated(const struct shader_code *code)
{
    const struct shader_generated *generated = __atomic_load_n(&code->generated, __ATOMIC_ACQUIRE);

    return generated && generated->level == KERNEL_LEVEL ? generated : NULL;
}

#endif

/* prepared: machine_prepare_steps has been called. */
static void run(struct machine *m, bool prepared)
{
    BASE_ASSERT(m->lanes > 0 && m->lanes <= SHADER_LANES && m->lanes % 16 == 0);
    prepare_registers(m);
    prepare_flow(m);
#if KERNEL_LEVEL > 0
    const struct plan *plan = &m->code->plan;

    if (!prepared)
        machine_prepare_steps(m);
    m->generated = machine_generated(m->code);
    if (plan->straight) {
        machine_run_plan(m);
        canonical_nan_outputs(m, plan->nan_outputs & m->binding->program->outputs_written);
        return;
    }
#endif
    (void)prepared;
    run_flow(m);
}

_Static_assert(sizeof(struct machine) <= RASTER_SCRATCH_BYTES, "callers with many batches have room for the machine");

static inline __attribute__((always_inline)) void run_vertices(struct machine *m, const struct shader_binding *binding,
                                                               struct shader_vertex_batch *batch)
{
    BASE_ASSERT(batch->count >= 1 && batch->count <= SHADER_LANES);
    m->binding = binding;
    m->code = binding->program->code;
    m->pixels = NULL;
    m->lanes = (batch->count + 15) & ~15u;
    m->all = batch->count < 64 ? (1ull << batch->count) - 1 : ~0ull;
    m->output = batch->output;
    for (uint32_t left = m->code->inputs_fetched; left; left &= left - 1) {
        const unsigned r = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 4; c++)
            *machine_input(m, r, c) = batch->input[r][c];
    }
    run(m, false);
}

static __attribute__((noinline)) void run_vertices_on_stack(const struct shader_binding *binding,
                                                            struct shader_vertex_batch *batch)
{
    struct machine m;

    run_vertices(&m, binding, batch);
}

void KERNEL(shader_run_vertices)(const struct shader_binding *binding, struct shader_vertex_batch *batch)
{
    if (batch->scratch)
        run_vertices(batch->scratch, binding, batch);
    else
        run_vertices_on_stack(binding, batch);
}

/* Sets what stays the same while a program runs over several batches in the same memory: mainly, which lanes its v# and
 * t# are. Inputs that no vertex delivers are (0, 0, 0, 1). */
static void link_batch(struct machine *m, const void *binding, struct raster_batch *batch)
{
    m->binding = binding;
    m->code = m->binding->program->code;
    m->pixels = batch;
    m->output = batch->color;
    const struct shader_program *program = m->binding->program;

    for (uint32_t left = m->code->inputs_fetched; left; left &= left - 1) {
        const unsigned r = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 4; c++)
            *machine_input(m, r, c) = c == 3 ? machine_ones : machine_zeros;
    }
    for (unsigned k = 0; k < program->input_count; k++) {
        const struct shader_semantic *s = &program->input[k];
        unsigned from = m->binding->input[k];

        for (unsigned c = 0; c < 4 && from < RASTER_MAX_INPUTS; c++)
            if ((s->mask | s->third_mask | s->divisor_mask) & (1u << c))
                *machine_input(m, s->reg, c) = batch->input[from][c];
    }
}

static inline __attribute__((always_inline)) void run_pixels(struct machine *m, const void *program,
                                                             struct raster_batch *batch)
{
    const bool again = batch->scratch && batch->again;

    if (!again)
        link_batch(m, program, batch);
    m->lanes = batch->group_count * RASTER_GROUP_LANES;
    m->all = m->lanes < 64 ? (1ull << m->lanes) - 1 : ~0ull;
    run(m, again);
    if (m->binding->program->writes_depth)
        canonical_nan_lanes(m->lanes, batch->z);
}

static __attribute__((noinline)) void run_pixels_on_stack(const void *program, struct raster_batch *batch)
{
    struct machine m;

    run_pixels(&m, program, batch);
}

void KERNEL(shader_run_pixels)(const void *program, struct raster_batch *batch)
{
    if (batch->scratch)
        run_pixels(batch->scratch, program, batch);
    else
        run_pixels_on_stack(program, batch);
}
