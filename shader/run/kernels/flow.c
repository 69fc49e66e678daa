/* SPDX-License-Identifier: MIT */
/*
 * Flow control: a mask of active lanes, which conditions narrow, breaks and returns clear, and the ends of blocks
 * restore. Sources: docs/reference/shader-code.md, section 7; docs/shader-ir.md.
 */
#include "base/assert.h"
#include "shader/run/machine.h"

#include <string.h>

uint64_t machine_pack_mask(unsigned lanes, const int32_t *mask)
{
    uint64_t bits = 0;

    for (unsigned l = 0; l < lanes; l++)
        bits |= (uint64_t)(mask[l] & 1) << l;
    return bits;
}

static void unpack_mask(unsigned lanes, uint64_t bits, int32_t *restrict mask)
{
    FOR_INDEPENDENT_LANES(lanes)
        mask[l] = -(int32_t)(bits >> l & 1);
}

void machine_set_active(struct machine *m, uint64_t active)
{
    BASE_ASSERT(!(active & ~m->all));
    if (active == m->active)
        return;
    m->active = active;
    m->full = active == m->all;
    unpack_mask(m->lanes, active, m->mask);
}

/* The lanes, among all of them, for which the condition of an instruction holds. */
static uint64_t condition(struct machine *m, const struct ir_instruction *i)
{
    _Alignas(64) int32_t holds[SHADER_LANES];
    const struct ir_source *s = &i->source[0];
    uint64_t bits;

    if (i->op == IR_IFC || i->op == IR_BREAKC) {
        alu_compare(i->compare, m->lanes, holds, machine_source(m, i, 0, 0), machine_source(m, i, 1, 0));
        return machine_pack_mask(m->lanes, holds);
    }
    if (s->file == IR_BOOLEAN)
        bits = m->binding->booleans >> s->index & 1 ? m->all : 0;
    else if (s->file == IR_PREDICATE)
        bits = machine_pack_mask(m->lanes, m->predicate[s->swizzle & 3]);
    else
        return m->all;
    return s->modifiers & IR_NOT ? ~bits & m->all : bits;
}

/* Deactivates lanes in all blocks above frame `above`, because they have left a loop or a subroutine. */
static void leave(struct machine *m, uint64_t lanes, unsigned above)
{
    for (unsigned f = above; f < m->depth; f++) {
        m->frame[f].outer &= ~lanes;
        m->frame[f].other &= ~lanes;
    }
    machine_set_active(m, m->active & ~lanes);
}

static struct machine_frame *push(struct machine *m, unsigned kind)
{
    struct machine_frame *f = &m->frame[m->depth++]; /* machine_flow() ensures that there is room */

    BASE_ASSERT(m->depth <= CODE_MAX_FRAMES);
    memset(f, 0, sizeof(*f));
    f->kind = (uint8_t)kind;
    f->outer = m->active;
    return f;
}

static uint32_t begin_if(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    uint64_t holds = condition(m, i);
    struct machine_frame *f = push(m, IR_IF);

    f->other = m->active & ~holds;
    machine_set_active(m, m->active & holds);
    return m->active ? at + 1 : i->target;
}

static uint32_t begin_else(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    struct machine_frame *f = &m->frame[m->depth - 1];

    machine_set_active(m, f->other);
    f->other = 0;
    return m->active ? at + 1 : i->target;
}

static uint32_t begin_loop(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    const int32_t *count = m->binding->registers->integers[i->source[0].index];
    struct machine_frame *f;

    if (!count[0] || !m->active)
        return i->target;
    f = push(m, i->op);
    f->other = m->active;
    f->left = count[0];
    f->value = m->loop;
    f->step = m->loop_step;
    if (i->op == IR_LOOP) {
        m->loop = count[1];
        m->loop_step = count[2];
    }
    return at + 1;
}

static uint32_t end_loop(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    struct machine_frame *f = &m->frame[m->depth - 1];

    if (--f->left > 0 && f->other) {
        if (f->kind == IR_LOOP)
            m->loop += m->loop_step;
        machine_set_active(m, f->other);
        return i->target;
    }
    m->loop = f->value;
    m->loop_step = f->step;
    m->depth--;
    machine_set_active(m, f->outer);
    return at + 1;
}

static void break_loop(struct machine *m, const struct ir_instruction *i)
{
    uint64_t lanes = m->active & (i->op == IR_BREAK ? m->all : condition(m, i));
    unsigned f = m->depth;

    while (f && m->frame[f - 1].kind != IR_LOOP && m->frame[f - 1].kind != IR_REP)
        f--;
    if (!f)
        return;
    m->frame[f - 1].other &= ~lanes;
    leave(m, lanes, f);
}

static uint32_t begin_call(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    uint64_t lanes = m->active & condition(m, i);
    struct machine_frame *f;

    if (!lanes)
        return at + 1;
    f = push(m, IR_CALL);
    f->back = at + 1;
    machine_set_active(m, lanes);
    return i->target;
}

/* Returns to the caller, or jumps to the end of the block while other lanes may still be in the subroutine. */
static uint32_t end_call(struct machine *m, uint32_t at, uint32_t end)
{
    unsigned f = m->depth;

    while (f && m->frame[f - 1].kind != IR_CALL)
        f--;
    if (f != m->depth) {
        leave(m, m->active, f);
        return at + 1;
    }
    if (!f)
        return end;
    m->depth--;
    machine_set_active(m, m->frame[f - 1].outer);
    return m->frame[f - 1].back;
}

/* Executes one flow instruction; returns the number of the next instruction. */
uint32_t machine_flow(struct machine *m, const struct ir_instruction *i, uint32_t at, uint32_t end)
{
    switch (i->op) {
    case IR_IF:
    case IR_IFC:
        return begin_if(m, i, at);
    case IR_ELSE:
        return begin_else(m, i, at);
    case IR_ENDIF:
        m->depth--;
        machine_set_active(m, m->frame[m->depth].outer);
        return at + 1;
    case IR_LOOP:
    case IR_REP:
        return begin_loop(m, i, at);
    case IR_ENDLOOP:
        return end_loop(m, i, at);
    case IR_CALL:
        return begin_call(m, i, at);
    case IR_RET:
        return end_call(m, at, end);
    case IR_END:
        return end;
    default:
        break_loop(m, i);
        return at + 1;
    }
}
