/* SPDX-License-Identifier: MIT */
/*
 * Registers and instructions of a segment. The function walks over the batch, a register of lanes at a time, in a loop
 * of straight code. Registers are allocated on the way: the value whose next use is farthest away is evicted first, and
 * spilled if it is not in memory already. Values that must be checked for NaN are added up. If the sum is NaN, a second
 * body computes the same lanes again with products that check their factors; nothing that the segment reads has been
 * overwritten by then.
 */
#include "shader/jit/emit.h"

#include "base/assert.h"
#include "shader/run/machine.h"

#include <string.h>

#define NEVER         UINT32_MAX
#define NO_REGISTER   0xffu
#define MAX_REGISTERS 32u
/* General registers of a function. The machine and the literals are its arguments (generated_fn). 32-bit programs have
 * fewer: a base kept in memory is JIT_NO_REGISTER, and the caller's registers are saved. */
struct roles {
    uint8_t machine, literals;
    uint8_t lane;            /* the first of them */
    uint8_t outputs, floats; /* of the machine's bases */
    uint8_t own;             /* immediates of the program */
    uint8_t lanes;           /* how many there are */
    uint8_t pointer;         /* only during one instruction */
    uint8_t saved[3];
};

static const struct roles roles_wide = {
    .machine = JIT_RDI,
    .literals = JIT_RSI,
    .lane = JIT_RCX,
    .outputs = JIT_RDX,
    .floats = JIT_R8,
    .own = JIT_R9,
    .lanes = JIT_R10,
    .pointer = JIT_RAX,
    .saved = {JIT_NO_REGISTER, JIT_NO_REGISTER, JIT_NO_REGISTER},
};
static const struct roles roles_narrow = {
    .machine = JIT_RCX,
    .literals = JIT_RDX,
    .lane = JIT_RAX,
    .outputs = JIT_RSI,
    .floats = JIT_RDI,
    .own = JIT_NO_REGISTER,
    .lanes = JIT_NO_REGISTER,
    .pointer = JIT_RBX,
    .saved = {JIT_RBX, JIT_RSI, JIT_RDI},
};

struct value_state {
    uint32_t next;    /* position of its next read */
    uint8_t reg;      /* NO_REGISTER: none */
    uint8_t spill;    /* 1 + its place among spilled values; 0: none */
    uint16_t written; /* 1 + the store that has written it to memory unchanged; 0: none */
};

struct emit_room {
    uint32_t next[SEGMENT_MAX_VALUES][4]; /* by operation and source: where the source is read next, after this
                                           * operation */
    uint32_t first[SEGMENT_MAX_VALUES];   /* where a value is first read */
    uint32_t late_next[SEGMENT_MAX_STORES];
    uint16_t early[SEGMENT_MAX_VALUES]; /* 1 + the first store of a value that need not wait for the end */
    uint16_t more[SEGMENT_MAX_STORES];  /* the same for the next store of the same value */
    bool late[SEGMENT_MAX_STORES];
    struct value_state state[SEGMENT_MAX_VALUES];
};

struct emitter {
    struct jit_buffer *out;
    const struct roles *roles;
    const struct segment *segment;
    struct emit_room *room;
    unsigned registers;           /* registers available to values */
    unsigned sum, spare[2];       /* reserved registers: the sum of checked values; temporaries of instruction
                                   * sequences */
    uint16_t held[MAX_REGISTERS]; /* value, SEGMENT_NONE */
    unsigned spills;
    bool slow; /* the second body */
    bool failed;
};

size_t segment_emit_room(void)
{
    return sizeof(struct emit_room);
}

static unsigned lanes_of_register(const struct emitter *e)
{
    return e->out->set == JIT_AVX512 ? 16 : 8;
}

/* --- the reads of values ---------------------------------------------------------------- */

/* Does the segment read the store's place? Then the store waits for the end. */
static bool is_read(const struct segment *segment, const struct segment_store *store)
{
    for (unsigned n = 0; n < segment->value_count; n++) {
        const struct segment_value *v = &segment->value[n];

        if (v->operation == SEGMENT_LANES && v->used && v->place.base == store->to.base &&
            v->place.offset == store->to.offset)
            return true;
    }
    return false;
}

static bool is_made(const struct segment_value *v)
{
    return v->operation > SEGMENT_LITERAL;
}

static void sort_stores(const struct segment *segment, struct emit_room *room)
{
    memset(room->early, 0, segment->value_count * sizeof(*room->early));
    for (unsigned n = 0; n < segment->store_count; n++) {
        const struct segment_store *store = &segment->store[n];

        room->late[n] = !is_made(&segment->value[store->value]) || is_read(segment, store);
        if (room->late[n])
            continue;
        room->more[n] = room->early[store->value];
        room->early[store->value] = (uint16_t)(n + 1);
    }
}

static void find_uses(const struct segment *segment, struct emit_room *room)
{
    uint32_t *last = room->first;

    memset(last, 0xff, segment->value_count * sizeof(*last));
    for (unsigned n = segment->store_count; n-- > 0;) {
        const uint16_t v = segment->store[n].value;

        room->late_next[n] = last[v];
        if (room->late[n])
            last[v] = segment->value_count + n;
    }
    for (unsigned n = segment->value_count; n-- > 0;) {
        const struct segment_value *v = &segment->value[n];

        if (!v->used)
            continue;
        for (unsigned k = 0; k < segment_source_count(v); k++)
            room->next[n][k] = last[v->source[k]];
        for (unsigned k = 0; k < segment_source_count(v); k++)
            last[v->source[k]] = n;
    }
}

/* --- memory --------------------------------------------------------------------------------- */

static struct jit_memory at_lanes(const struct emitter *e, uint8_t base, size_t bytes)
{
    return (struct jit_memory){.base = base, .index = e->roles->lane, .scale = 4, .displacement = (int32_t)bytes};
}

static struct jit_memory at_machine(const struct emitter *e, size_t bytes)
{
    return (struct jit_memory){
        .base = e->roles->machine, .index = JIT_NO_REGISTER, .scale = 1, .displacement = (int32_t)bytes};
}

/* Loads one of the machine's bases. */
static void load_base(struct emitter *e, uint8_t to, unsigned base)
{
    jit_load_pointer(e->out, to, at_machine(e, offsetof(struct machine, base) + base * sizeof(float *)));
}

/* The lanes of an operand; may load a pointer. */
static struct jit_memory lanes_memory(struct emitter *e, struct plan_operand o)
{
    const size_t bytes = o.offset * sizeof(float);

    switch (o.base) {
    case PLAN_TEMP:
        return at_lanes(e, e->roles->machine, offsetof(struct machine, temp) + bytes);
    case PLAN_SCRATCH:
        return at_lanes(e, e->roles->machine, offsetof(struct machine, scratch) + bytes);
    case PLAN_OUTPUT:
        return at_lanes(e, e->roles->outputs, bytes);
    default:
        load_base(e, e->roles->pointer, o.base);
        return at_lanes(e, e->roles->pointer, bytes);
    }
}

static struct jit_memory uniform_memory(struct emitter *e, struct plan_operand o)
{
    struct jit_memory at = {.base = e->roles->pointer,
                            .index = JIT_NO_REGISTER,
                            .scale = 1,
                            .displacement = (int32_t)(o.offset * sizeof(float))};

    if (o.base == PLAN_FLOATS) {
        at.base = e->roles->floats;
    } else if (o.base == PLAN_MODIFIED) {
        at.base = e->roles->machine;
        at.displacement += (int32_t)offsetof(struct machine, modified);
    } else if (o.base == PLAN_IMMEDIATES && e->roles->own != JIT_NO_REGISTER) {
        at.base = e->roles->own;
    } else {
        load_base(e, e->roles->pointer, o.base);
    }
    return at;
}

static struct jit_memory literal_memory(const struct emitter *e, unsigned number)
{
    return (struct jit_memory){.base = e->roles->literals,
                               .index = JIT_NO_REGISTER,
                               .scale = 1,
                               .displacement = (int32_t)(number * sizeof(float))};
}

static struct jit_memory spill_memory(const struct emitter *e, unsigned number)
{
    return at_machine(e, offsetof(struct machine, spill) + number * sizeof(((struct machine *)0)->spill[0]));
}

/* Is the value a single float, the same for all lanes? */
static bool is_broadcast(const struct segment_value *v)
{
    return v->operation == SEGMENT_UNIFORM || v->operation == SEGMENT_LITERAL;
}

static bool is_in_memory(const struct emitter *e, uint16_t v)
{
    return !is_made(&e->segment->value[v]) || e->room->state[v].spill || e->room->state[v].written;
}

static struct jit_memory value_memory(struct emitter *e, uint16_t number)
{
    const struct segment_value *v = &e->segment->value[number];
    const struct value_state *state = &e->room->state[number];
    struct jit_memory at;

    if (v->operation == SEGMENT_LANES)
        return lanes_memory(e, v->place);
    if (is_broadcast(v)) {
        at = v->operation == SEGMENT_LITERAL ? literal_memory(e, v->place.offset) : uniform_memory(e, v->place);
        at.broadcast = true;
        return at;
    }
    if (state->written)
        return lanes_memory(e, e->segment->store[state->written - 1].to);
    BASE_ASSERT(state->spill);
    return spill_memory(e, state->spill - 1u);
}

/* --- registers ------------------------------------------------------------------------------ */

static void drop(struct emitter *e, unsigned reg)
{
    e->room->state[e->held[reg]].reg = NO_REGISTER;
    e->held[reg] = SEGMENT_NONE;
}

static void spill(struct emitter *e, uint16_t v)
{
    struct value_state *state = &e->room->state[v];

    if (e->spills == MACHINE_SPILLS) {
        e->failed = true;
        return;
    }
    state->spill = (uint8_t)++e->spills;
    jit_rrm(e->out, JIT_STORE, state->reg, 0, spill_memory(e, state->spill - 1u));
}

/* A free register that is none of `pinned`. */
static unsigned take_register(struct emitter *e, uint32_t pinned)
{
    unsigned best = NO_REGISTER;
    uint32_t furthest = 0;

    for (unsigned reg = 0; reg < e->registers; reg++) {
        if (pinned >> reg & 1)
            continue;
        if (e->held[reg] == SEGMENT_NONE)
            return reg;
        const uint32_t next = e->room->state[e->held[reg]].next;

        if (best == NO_REGISTER || next > furthest) {
            best = reg;
            furthest = next;
        }
    }
    BASE_ASSERT(best != NO_REGISTER);
    if (furthest != NEVER && !is_in_memory(e, e->held[best]))
        spill(e, e->held[best]);
    drop(e, best);
    return best;
}

static void hold(struct emitter *e, unsigned reg, uint16_t v)
{
    e->held[reg] = v;
    e->room->state[v].reg = (uint8_t)reg;
}

static unsigned value_register(struct emitter *e, uint16_t v, uint32_t *pinned)
{
    struct value_state *state = &e->room->state[v];

    if (state->reg == NO_REGISTER) {
        const unsigned reg = take_register(e, *pinned);
        struct jit_memory from = value_memory(e, v);
        const enum jit_form form = from.broadcast ? JIT_BROADCAST : JIT_LOAD;

        from.broadcast = false;
        jit_rrm(e->out, form, reg, 0, from);
        hold(e, reg, v);
    }
    *pinned |= 1u << state->reg;
    return state->reg;
}

/* Called when the value has been read; its next read is at `next`. */
static void pass_use(struct emitter *e, uint16_t v, uint32_t next)
{
    struct value_state *state = &e->room->state[v];

    state->next = next;
    if (next == NEVER && state->reg != NO_REGISTER)
        drop(e, state->reg);
}

/* --- instructions ------------------------------------------------------------------------------ */

static const uint8_t forms[SEGMENT_OPERATION_COUNT] = {
    [SEGMENT_ADD] = JIT_ADD,
    [SEGMENT_SUB] = JIT_SUB,
    [SEGMENT_DIV] = JIT_DIV,
    [SEGMENT_MUL] = JIT_MUL,
    [SEGMENT_MIN] = JIT_MIN,
    [SEGMENT_MAX] = JIT_MAX,
    [SEGMENT_SQRT] = JIT_SQRT,
    [SEGMENT_FLOOR] = JIT_ROUND,
    [SEGMENT_AND] = JIT_AND,
    [SEGMENT_ANDN] = JIT_ANDN,
    [SEGMENT_OR] = JIT_OR,
    [SEGMENT_XOR] = JIT_XOR,
    [SEGMENT_ADD_INTEGERS] = JIT_PADDD,
    [SEGMENT_SUB_INTEGERS] = JIT_PSUBD,
    [SEGMENT_SHIFT_LEFT] = JIT_PSLLD,
    [SEGMENT_SHIFT_RIGHT] = JIT_PSRLD,
    [SEGMENT_HALVE] = JIT_PSRAD,
    [SEGMENT_TRUNCATE] = JIT_CVTTPS2DQ,
    [SEGMENT_TO_FLOAT] = JIT_CVTDQ2PS,
    [SEGMENT_SHUFFLE] = JIT_SHUFPS,
};

/* An operand as a register or in memory. */
struct operand {
    bool in_memory;
    unsigned reg;
    struct jit_memory memory;
};

/* The operations whose instruction ends with an immediate byte. */
static bool has_immediate(const struct segment_value *v)
{
    return v->operation == SEGMENT_FLOOR || v->operation == SEGMENT_SHIFT_LEFT || v->operation == SEGMENT_SHIFT_RIGHT ||
           v->operation == SEGMENT_HALVE || v->operation == SEGMENT_SHUFFLE;
}

/* Can the instruction take source k, its last, from memory? The source then needs no register, because nothing reads it
 * again. */
static bool folds(const struct emitter *e, unsigned n, unsigned k)
{
    const uint16_t v = e->segment->value[n].source[k];

    return e->room->state[v].reg == NO_REGISTER && is_in_memory(e, v) && e->room->next[n][k] == NEVER &&
           !has_immediate(&e->segment->value[n]) && (!is_broadcast(&e->segment->value[v]) || e->out->set == JIT_AVX512);
}

static void emit_operation(struct emitter *e, enum jit_form form, unsigned to, unsigned a, const struct operand *b)
{
    if (b->in_memory)
        jit_rrm(e->out, form, to, a, b->memory);
    else
        jit_rrr(e->out, form, to, a, b->reg);
}

static void emit_immediate(struct emitter *e, const struct segment_value *v, unsigned to, unsigned a)
{
    const uint8_t down = 9; /* towards minus infinity, without exceptions */

    jit_rrri(e->out, (enum jit_form)forms[v->operation], to, a, a, v->operation == SEGMENT_FLOOR ? down : v->immediate);
}

/* Which lanes of an operand are 0, as a mask in a vector register (AVX2). */
static void find_zeros(struct emitter *e, unsigned to, const struct operand *of)
{
    jit_rrr(e->out, JIT_XOR, to, to, to);
    if (of->in_memory)
        jit_rrmi(e->out, JIT_COMPARE, to, to, of->memory, SEGMENT_EQUAL);
    else
        jit_rrri(e->out, JIT_COMPARE, to, to, of->reg, SEGMENT_EQUAL);
}

/* As vecf_mul_legacy. */
static void emit_legacy_product(struct emitter *e, unsigned to, unsigned a, const struct operand *b)
{
    const struct operand first = {.reg = a};

    if (e->out->set == JIT_AVX512) {
        const uint8_t not_equal = 4;

        jit_rrr(e->out, JIT_XOR, e->spare[0], e->spare[0], e->spare[0]);
        jit_rrri(e->out, JIT_COMPARE, 1, a, e->spare[0], not_equal);
        if (b->in_memory)
            jit_rrmi(e->out, JIT_COMPARE, 2, e->spare[0], b->memory, not_equal);
        else
            jit_rrri(e->out, JIT_COMPARE, 2, e->spare[0], b->reg, not_equal);
        emit_operation(e, JIT_MUL, to, a, b);
        jit_select_or_zero(e->out, to, to, 1);
        jit_select_or_zero(e->out, to, to, 2);
        return;
    }
    find_zeros(e, e->spare[0], &first);
    find_zeros(e, e->spare[1], b);
    jit_rrr(e->out, JIT_OR, e->spare[0], e->spare[0], e->spare[1]);
    emit_operation(e, JIT_MUL, to, a, b);
    jit_rrr(e->out, JIT_ANDN, to, e->spare[0], to);
}

static unsigned mask_register(const struct emitter *e)
{
    return e->out->set == JIT_AVX512 ? 1 : e->spare[0];
}

static void emit_select(struct emitter *e, unsigned n)
{
    const struct segment_value *v = &e->segment->value[n];
    const unsigned mask = mask_register(e);
    uint32_t pinned = 0;
    unsigned reg[4];

    for (unsigned k = 0; k < 4; k++)
        reg[k] = value_register(e, v->source[k], &pinned);
    for (unsigned k = 0; k < 4; k++)
        pass_use(e, v->source[k], e->room->next[n][k]);
    const unsigned to = take_register(e, 0);

    jit_rrri(e->out, JIT_COMPARE, mask, reg[0], reg[1], v->immediate);
    jit_blend(e->out, to, reg[3], reg[2], mask);
    hold(e, to, (uint16_t)n);
}

/* An operation with one or two sources. */
static void emit_plain(struct emitter *e, unsigned n)
{
    const struct segment_value *v = &e->segment->value[n];
    const bool two = segment_source_count(v) == 2, swaps = v->operation == SEGMENT_ADD || v->operation == SEGMENT_MUL;
    unsigned k[2] = {0, two};
    uint32_t pinned = 0;

    if (two && swaps && folds(e, n, 0) && !folds(e, n, 1)) {
        k[0] = 1;
        k[1] = 0;
    }
    const bool in_memory = folds(e, n, k[1]) && (!two || v->source[0] != v->source[1]);
    const unsigned a = two ? value_register(e, v->source[k[0]], &pinned) : 0;
    struct operand b = {.in_memory = in_memory};

    if (in_memory)
        b.memory = value_memory(e, v->source[k[1]]);
    else
        b.reg = value_register(e, v->source[k[1]], &pinned);
    for (unsigned i = 0; i <= two; i++)
        pass_use(e, v->source[i], e->room->next[n][i]);
    const unsigned to = take_register(e, 0);

    if (has_immediate(v))
        emit_immediate(e, v, to, b.reg);
    else if (e->slow && v->legacy)
        emit_legacy_product(e, to, a, &b);
    else
        emit_operation(e, (enum jit_form)forms[v->operation], to, a, &b);
    hold(e, to, (uint16_t)n);
}

static void emit_integer(struct emitter *e, unsigned n)
{
    const unsigned to = take_register(e, 0);

    jit_move_constant(e->out, e->roles->pointer, e->segment->value[n].place.offset);
    jit_broadcast_dword(e->out, to, e->roles->pointer);
    hold(e, to, (uint16_t)n);
}

/* Lanes whose number is out of range read nothing. */
static void emit_gather(struct emitter *e, unsigned n)
{
    const struct segment_value *v = &e->segment->value[n];
    const struct jit_memory count = uniform_memory(e, (struct plan_operand){PLAN_COUNTERS, PLAN_COUNTER_FLOATS});
    const unsigned mask = mask_register(e), number = e->spare[1];
    struct jit_memory from = {.base = e->roles->floats, .index = (uint8_t)number, .scale = 4};
    uint32_t pinned = 0;

    jit_rrm(e->out, JIT_BROADCAST, e->spare[1], 0, count);
    const unsigned reg = value_register(e, v->source[0], &pinned);

    jit_rrr(e->out, JIT_PMINUD, e->spare[0], reg, e->spare[1]);
    jit_rrr(e->out, JIT_PCMPGTD, mask, e->spare[1], e->spare[0]);
    jit_rrri(e->out, JIT_PSLLD, number, 0, reg, 2); /* four floats per constant */
    pass_use(e, v->source[0], e->room->next[n][0]);
    const unsigned to = take_register(e, 0);

    from.displacement = (int32_t)(v->place.offset * sizeof(float));
    jit_rrr(e->out, JIT_XOR, to, to, to);
    jit_gather(e->out, to, from, mask);
    hold(e, to, (uint16_t)n);
}

/* Takes over the register of a source that nothing reads any more. */
static void emit_copy(struct emitter *e, unsigned n)
{
    const uint16_t from = e->segment->value[n].source[0];
    uint32_t pinned = 0;
    const unsigned reg = value_register(e, from, &pinned);

    pass_use(e, from, e->room->next[n][0]);
    const unsigned to = e->held[reg] == SEGMENT_NONE ? reg : take_register(e, pinned);

    if (to != reg)
        jit_rrr(e->out, JIT_MOVE, to, 0, reg);
    hold(e, to, (uint16_t)n);
}

/* --- stores ------------------------------------------------------------------------------------- */

/* The lanes of a register, copied to a spare register with every NaN replaced by the canonical NaN. */
static unsigned make_canonical(struct emitter *e, unsigned reg)
{
    const uint8_t unordered = 3;
    const unsigned mask = mask_register(e), to = e->spare[1];

    jit_rrri(e->out, JIT_COMPARE, mask, reg, reg, unordered);
    jit_rrm(e->out, JIT_BROADCAST, to, 0, literal_memory(e, SEGMENT_NAN));
    jit_blend(e->out, to, reg, to, mask);
    return to;
}

static void emit_store(struct emitter *e, unsigned n)
{
    const struct segment_store *store = &e->segment->store[n];
    uint32_t pinned = 0;
    unsigned reg = value_register(e, store->value, &pinned);
    const bool changes = store->canonical && (e->slow || !store->clean);

    if (changes)
        reg = make_canonical(e, reg);
    jit_rrm(e->out, JIT_STORE, reg, 0, lanes_memory(e, store->to));
    if (!changes && !e->room->late[n])
        e->room->state[store->value].written = (uint16_t)(n + 1);
}

static void emit_value(struct emitter *e, unsigned n)
{
    const struct segment_value *v = &e->segment->value[n];

    e->room->state[n].next = e->room->first[n];
    if (!v->used || !is_made(v))
        return;
    if (v->operation == SEGMENT_SELECT)
        emit_select(e, n);
    else if (v->operation == SEGMENT_COPY)
        emit_copy(e, n);
    else if (v->operation == SEGMENT_INTEGER)
        emit_integer(e, n);
    else if (v->operation == SEGMENT_GATHER)
        emit_gather(e, n);
    else
        emit_plain(e, n);
    e->room->state[n].next = e->room->first[n];
    if (v->checked && !e->slow)
        jit_rrr(e->out, JIT_ADD, e->sum, e->sum, e->room->state[n].reg);
    for (unsigned s = e->room->early[n]; s; s = e->room->more[s - 1])
        emit_store(e, s - 1);
    if (e->room->first[n] == NEVER)
        pass_use(e, (uint16_t)n, NEVER);
}

/* --- bodies ----------------------------------------------------------------------------------------- */

static void begin_body(struct emitter *e, bool slow)
{
    e->slow = slow;
    e->spills = 0;
    memset(e->held, 0xff, sizeof(e->held));
    for (unsigned n = 0; n < e->segment->value_count; n++)
        e->room->state[n] = (struct value_state){.next = e->room->first[n], .reg = NO_REGISTER};
}

static void emit_values(struct emitter *e)
{
    for (unsigned n = 0; n < e->segment->value_count && !e->failed; n++)
        emit_value(e, n);
}

static void emit_late_stores(struct emitter *e)
{
    for (unsigned n = 0; n < e->segment->store_count && !e->failed; n++) {
        if (!e->room->late[n])
            continue;
        emit_store(e, n);
        pass_use(e, e->segment->store[n].value, e->room->late_next[n]);
    }
}

static bool looks_at_values(const struct segment *segment)
{
    for (unsigned n = 0; n < segment->value_count; n++)
        if (segment->value[n].used && segment->value[n].checked)
            return true;
    return false;
}

static void emit_head(struct emitter *e)
{
    const struct roles *roles = e->roles;

    for (unsigned n = 0; n < ARRAY_COUNT(roles->saved); n++)
        if (roles->saved[n] != JIT_NO_REGISTER)
            jit_push(e->out, roles->saved[n]);
    load_base(e, roles->outputs, PLAN_OUTPUT);
    load_base(e, roles->floats, PLAN_FLOATS);
    if (roles->own != JIT_NO_REGISTER)
        load_base(e, roles->own, PLAN_IMMEDIATES);
    if (roles->lanes != JIT_NO_REGISTER)
        jit_load_dword(e->out, roles->lanes, at_machine(e, offsetof(struct machine, lanes)));
    jit_move_constant(e->out, roles->lane, 0);
}

/* Continues with the next lanes, or returns. */
static void emit_tail(struct emitter *e, size_t top)
{
    const struct roles *roles = e->roles;

    jit_add_constant(e->out, roles->lane, (int32_t)lanes_of_register(e));
    if (roles->lanes != JIT_NO_REGISTER)
        jit_compare(e->out, roles->lane, roles->lanes);
    else
        jit_compare_dword(e->out, roles->lane, at_machine(e, offsetof(struct machine, lanes)));
    jit_jump_back(e->out, JIT_BELOW, top);
    for (unsigned n = ARRAY_COUNT(roles->saved); n-- > 0;)
        if (roles->saved[n] != JIT_NO_REGISTER)
            jit_pop(e->out, roles->saved[n]);
    jit_return(e->out);
}

static void emit_function(struct emitter *e)
{
    const bool looks = looks_at_values(e->segment);
    size_t to_slow = 0, top, end;

    emit_head(e);
    top = e->out->length;
    begin_body(e, false);
    if (looks)
        jit_rrr(e->out, JIT_XOR, e->sum, e->sum, e->sum);
    emit_values(e);
    if (looks) {
        jit_test_nan(e->out, e->sum, e->spare[0]);
        to_slow = jit_jump(e->out, JIT_NOT_EQUAL);
    }
    emit_late_stores(e);
    end = e->out->length;
    emit_tail(e, top);
    if (!looks)
        return;
    jit_land(e->out, to_slow);
    begin_body(e, true);
    emit_values(e);
    emit_late_stores(e);
    jit_jump_back(e->out, JIT_ALWAYS, end);
}

bool segment_emit(struct jit_buffer *out, const struct segment *segment, void *room)
{
    const unsigned count = out->is_32_bit ? 8 : out->set == JIT_AVX512 ? 32 : 16;
    struct emitter e = {
        .out = out,
        .roles = out->is_32_bit ? &roles_narrow : &roles_wide,
        .segment = segment,
        .room = room,
        .registers = count - 3,
        .sum = count - 1,
        .spare = {count - 2, count - 3},
    };

    sort_stores(segment, e.room);
    find_uses(segment, e.room);
    emit_function(&e);
    return !e.failed && !out->full;
}
