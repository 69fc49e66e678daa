/* SPDX-License-Identifier: MIT */
/*
 * Executes each operation for the lanes of a batch in the general case: any modifiers, masks and predicates.
 */
#include "shader/run/machine.h"

#include <string.h>

/* --- arithmetic -------------------------------------------------------------------- */

/* Would writing component by component change what a later component reads? */
static bool overlaps(const struct ir_instruction *i, unsigned sources)
{
    for (unsigned k = 0; k < sources; k++)
        if (i->source[k].file == IR_TEMP && i->destination.file == IR_TEMP &&
            i->source[k].index == i->destination.index && i->source[k].swizzle != IR_XYZW)
            return true;
    return false;
}

static void run_components(struct machine *m, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;
    unsigned sources = ir_source_count(i->op);
    bool held = overlaps(i, sources) || i->op == IR_DDX || i->op == IR_DDY, stored = true;
    const float *source[3][4];

    for (unsigned k = 0; k < sources; k++)
        machine_source_vector(m, i, k, d->mask, source[k]);
    for (unsigned c = 0; c < 4; c++) {
        float *out = held ? NULL : machine_direct(m, i, c);

        if (!(d->mask & (1u << c)))
            continue;
        alu_component(i->op, m->lanes, out ? out : m->result[c], source[0][c], sources > 1 ? source[1][c] : NULL,
                      sources > 2 ? source[2][c] : NULL);
        if (out && (d->shift || d->saturate))
            alu_finish(d->shift, d->saturate, m->lanes, out);
        stored &= out != NULL;
    }
    if (!stored)
        machine_store(m, i);
}

/* Writes the first component's result to all written components. */
static void replicate(struct machine *m, const struct ir_instruction *i)
{
    for (unsigned c = 1; c < 4; c++)
        if (i->destination.mask & (1u << c))
            memcpy(m->result[c], m->result[0], m->lanes * sizeof(float));
    machine_store(m, i);
}

static void run_scalar(struct machine *m, const struct ir_instruction *i)
{
    alu_component(i->op, m->lanes, m->result[0], machine_source(m, i, 0, 0),
                  i->op == IR_POW ? machine_source(m, i, 1, 0) : NULL, NULL);
    replicate(m, i);
}

static void run_dot(struct machine *m, const struct ir_instruction *i)
{
    unsigned terms = i->op == IR_DP4 ? 4 : i->op == IR_DP3 ? 3 : 2;
    const float *a[4], *b[4];

    machine_source_vector(m, i, 0, (1u << terms) - 1, a);
    machine_source_vector(m, i, 1, (1u << terms) - 1, b);
    alu_dot(terms, m->lanes, m->result[0], a, b, terms == 2 ? machine_source(m, i, 2, 0) : NULL);
    replicate(m, i);
}

static void run_vector(struct machine *m, const struct ir_instruction *i)
{
    const float *a[4], *b[4];
    size_t size = m->lanes * sizeof(float);

    machine_source_vector(m, i, 0, i->op == IR_SINCOS ? 1 : 15, a);
    if (i->op == IR_SINCOS) {
        alu_sincos(m->lanes, m->result[1], m->result[0], a[0]);
    } else if (i->op == IR_LIT) {
        memcpy(m->result[0], machine_ones, size);
        alu_component(IR_MAX, m->lanes, m->result[1], a[0], machine_zeros, NULL);
        alu_lit(m->lanes, m->result[2], a[0], a[1], a[3]);
        memcpy(m->result[3], machine_ones, size);
    } else { /* IR_DST */
        machine_source_vector(m, i, 1, 15, b);
        memcpy(m->result[0], machine_ones, size);
        alu_component(IR_MUL, m->lanes, m->result[1], a[1], b[1], NULL);
        memcpy(m->result[2], a[2], size);
        memcpy(m->result[3], b[3], size);
    }
    machine_store(m, i);
}

/* --- a0, p0, texkill --------------------------------------------------------------- */

static void run_address(struct machine *m, const struct ir_instruction *i)
{
    float half = i->op == IR_ARR ? 0.5f : 0.0f;
    _Alignas(64) int32_t room[SHADER_LANES], index[4][SHADER_LANES];

    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask & (1u << c)))
            continue;
        const float *a = machine_source(m, i, 0, c);
        int32_t *restrict to = index[c];
        FOR_INDEPENDENT_LANES(m->lanes)
            to[l] = lane_index(lane_floor(a[l] + half));
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask & (1u << c)))
            continue;
        const int32_t *mask = machine_write_mask(m, i, c, room);
        int32_t *restrict to = m->address[c];
        const int32_t *restrict from = index[c];
        FOR_INDEPENDENT_LANES(m->lanes)
            to[l] = mask[l] ? from[l] : to[l];
    }
}

static void run_set_predicate(struct machine *m, const struct ir_instruction *i)
{
    _Alignas(64) int32_t room[SHADER_LANES], holds[4][SHADER_LANES];
    const float *a[4], *b[4];

    machine_source_vector(m, i, 0, i->destination.mask, a);
    machine_source_vector(m, i, 1, i->destination.mask, b);
    for (unsigned c = 0; c < 4; c++) {
        alu_compare(i->compare, m->lanes, holds[c], a[c], b[c]);
        if (i->predicate != IR_ALWAYS) { /* all masks are read before p0 changes */
            const int32_t *mask = machine_write_mask(m, i, c, room), *old = m->predicate[c];

            FOR_INDEPENDENT_LANES(m->lanes)
                holds[c][l] = mask[l] ? holds[c][l] : old[l];
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        int32_t *restrict to = m->predicate[c];

        if (i->destination.mask & (1u << c))
            FOR_INDEPENDENT_LANES(m->lanes)
                to[l] = m->mask[l] ? holds[c][l] : to[l];
    }
}

static void run_kill(struct machine *m, const struct ir_instruction *i)
{
    _Alignas(64) int32_t room[SHADER_LANES], below[SHADER_LANES];
    uint64_t killed = 0;

    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask & (1u << c)))
            continue;
        const int32_t *mask = machine_write_mask(m, i, c, room);
        alu_compare(IR_LT, m->lanes, below, machine_source(m, i, 0, c), machine_zeros);
        FOR_INDEPENDENT_LANES(m->lanes)
            below[l] &= mask[l];
        killed |= machine_pack_mask(m->lanes, below);
    }
    if (m->pixels)
        m->pixels->covered &= ~killed;
}

/* --- the table --------------------------------------------------------------------- */

void machine_instruction(struct machine *m, const struct ir_instruction *i)
{
    switch (i->op) {
    case IR_RCP:
    case IR_RSQ:
    case IR_SQRT:
    case IR_EXP2:
    case IR_LOG2:
    case IR_POW:
        run_scalar(m, i);
        break;
    case IR_DP2:
    case IR_DP3:
    case IR_DP4:
        run_dot(m, i);
        break;
    case IR_LIT:
    case IR_DST:
    case IR_SINCOS:
        run_vector(m, i);
        break;
    case IR_TEX:
        machine_texture(m, i);
        break;
    case IR_PROJECT:
        machine_project(m, i);
        break;
    case IR_SETP:
        run_set_predicate(m, i);
        break;
    case IR_ARL:
    case IR_ARR:
        run_address(m, i);
        break;
    case IR_KILL:
        run_kill(m, i);
        break;
    default:
        run_components(m, i);
        break;
    }
}
