/* SPDX-License-Identifier: MIT */
/*
 * Code for whole blocks: for each register of lanes, the steps of a narrow program (shader/run/kernels/narrow.c defines them), then the
 * store. Values stay in registers; when none is free, the value whose next use is farthest away is evicted.
 */
#include "shader/jit/narrow.h"

#include "base/base.h"
#include "raster/narrow.h"

#include <string.h>

#define NEVER UINT32_MAX

/* clang-format off */
#define TWICE(v)  v, v
#define FOUR(v)   TWICE(v), TWICE(v)
#define EIGHT(v)  FOUR(v), FOUR(v)
#define ALL16(v)  EIGHT(v), EIGHT(v)
#define ALL32(v)  ALL16(v), ALL16(v)
#define PIXEL(b, g, r, a) b, g, r, a
#define PIXELS_OF(b, g, r, a) {PIXEL(b, g, r, a), PIXEL(b, g, r, a), PIXEL(b, g, r, a), PIXEL(b, g, r, a), \
                               PIXEL(b, g, r, a), PIXEL(b, g, r, a), PIXEL(b, g, r, a), PIXEL(b, g, r, a)}
#define WRITTEN(i) PIXELS_OF(-((i) & 1), -((i) >> 1 & 1), -((i) >> 2 & 1), -((i) >> 3 & 1))
#define LANES_OF(...) {__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__}
#define BITS(i) 1 << (i), 2 << (i), 4 << (i), 8 << (i), 16 << (i), 32 << (i), 64 << (i), 128 << (i)
/* clang-format on */

const struct narrow_literals narrow_literals = {
    .one = {ALL32(NARROW_ONE)},
    .half = {ALL32(NARROW_HALF)},
    .minus_one = {ALL32(-NARROW_ONE)},
    .byte = {ALL32(255)},
    .rounding = {{ALL32(1)}, {ALL32(2)}, {ALL32(4)}},
    .colors = PIXELS_OF(-1, -1, -1, 0),
    .written = {WRITTEN(0), WRITTEN(1), WRITTEN(2), WRITTEN(3), WRITTEN(4), WRITTEN(5), WRITTEN(6), WRITTEN(7),
                WRITTEN(8), WRITTEN(9), WRITTEN(10), WRITTEN(11), WRITTEN(12), WRITTEN(13), WRITTEN(14), WRITTEN(15)},
    .dot_rounding = {ALL16(1 << 13)},
    .low_byte = {ALL16(255)},
    .lane_bit = {{BITS(0)}, {BITS(8)}},
    .pair_order = LANES_OF(NARROW_PAIR_BYTES),
    .bias = {ALL32(-128), ALL32(-128)},
    .low_halves = LANES_OF(NARROW_LOWER_HALVES),
    .high_halves = LANES_OF(NARROW_UPPER_HALVES),
    .filter_scale = {ALL32(NARROW_FILTER_SCALE)},
    .filter_middle = {ALL32(NARROW_FILTER_MIDDLE)},
};

/* --- what steps read ------------------------------------------------------------------------------------- */

static unsigned source_count(unsigned op)
{
    switch (op) {
    case NARROW_ZERO:
    case NARROW_TEX:
        return 0;
    case NARROW_ADD:
    case NARROW_SUB:
    case NARROW_MUL:
    case NARROW_DP3:
    case NARROW_MIN:
    case NARROW_MAX:
        return 2;
    case NARROW_MAD:
    case NARROW_LRP:
    case NARROW_CMP:
    case NARROW_CND:
        return 3;
    default:
        return 1;
    }
}

static bool reads(const struct narrow_step *s, unsigned place)
{
    bool found = s->is_partial && s->to == place;

    for (unsigned k = 0; k < source_count(s->op); k++)
        found |= s->from[k] == place;
    return found;
}

/* Are all numbers of a place >= 0? Inputs are colours, which are. */
static bool is_positive(const struct narrow_emitter *e, unsigned place)
{
    return place < NARROW_FIRST_INPUT ? e->positive >> place & 1 : place < NARROW_FIRST_UNIFORM;
}

/* Is the result >= 0 because all operands are, so that the clamp to a lower limit can be left out? */
static bool keeps_limit(const struct narrow_emitter *e, const struct narrow_step *s)
{
    const bool positive = is_positive(e, s->from[0]) && (source_count(s->op) < 2 || is_positive(e, s->from[1])) &&
                          (source_count(s->op) < 3 || is_positive(e, s->from[2]));

    switch (s->op) {
    case NARROW_MUL:
    case NARROW_ADD:
    case NARROW_MAD:
    case NARROW_MIN:
    case NARROW_MAX:
    case NARROW_REPLICATE_ALPHA:
    case NARROW_SWIZZLE:
        return positive;
    default:
        return false;
    }
}

/* Called after a step has been emitted. */
static void note_limit(struct narrow_emitter *e, const struct narrow_step *s)
{
    const bool positive = !s->low || keeps_limit(e, s);
    const uint64_t bit = UINT64_C(1) << s->to;

    if (!positive)
        e->positive &= ~bit;
    else if (!s->is_partial)
        e->positive |= bit;
}

/* The step that reads half of a place's value next; the store comes after all steps. */
static unsigned next_use(const struct narrow_emitter *e, unsigned value)
{
    const unsigned place = value / 2;

    if (value % 2 > e->half && e->step < e->program->step_count && reads(&e->program->step[e->step], place))
        return e->step;
    for (unsigned k = e->step + 1; k < e->program->step_count; k++) {
        if (reads(&e->program->step[k], place))
            return k;
        if (e->program->step[k].to == place)
            return NEVER;
    }
    return place == NARROW_OUTPUT ? e->program->step_count : NEVER;
}

unsigned narrow_texture_count(const struct narrow_program *program)
{
    unsigned count = 0;

    for (unsigned k = 0; k < program->step_count; k++)
        count += program->step[k].op == NARROW_TEX;
    return count;
}

/* --- registers and memory --------------------------------------------------------------------------------- */

static struct jit_memory frame_memory(unsigned place, unsigned half)
{
    return memory_at(NARROW_BLOCK, offsetof(struct narrow_block, frame) + (2 * place + half) * 64);
}

/* Half of the register's pixels in an array of the batch's lanes; `pointer` is the memory that holds its address. */
static struct jit_memory pixels_memory(struct narrow_emitter *e, struct jit_memory pointer, unsigned half)
{
    struct jit_memory at = memory_at(e->roles.pointer, (2 * e->vector + half) * narrow_bytes(e));

    at.index = NARROW_LANES;
    at.scale = 2;
    jit_load_pointer(e->out, (enum jit_register)e->roles.pointer, pointer);
    return at;
}

/* The memory of half of a value that is in no register. */
static struct jit_memory value_memory(struct narrow_emitter *e, unsigned place, unsigned half)
{
    return place < NARROW_FIRST_INPUT ? frame_memory(place, half) : pixels_memory(e, NARROW_AT(place[place]), half);
}

static unsigned held_in(const struct narrow_emitter *e, unsigned place, unsigned half)
{
    return place < NARROW_FIRST_INPUT ? e->in[place][half] : 0;
}

unsigned narrow_operand(struct narrow_emitter *e, unsigned place, unsigned half, unsigned scratch)
{
    const unsigned held = held_in(e, place, half);

    if (held)
        return held;
    jit_rrm(e->out, JIT_LOAD, scratch, 0, value_memory(e, place, half));
    return scratch;
}

/* to = a OP a value */
static void combine(struct narrow_emitter *e, enum jit_form form, unsigned to, unsigned a, unsigned place,
                    unsigned half)
{
    const unsigned held = held_in(e, place, half);

    if (held)
        jit_rrr(e->out, form, to, a, held);
    else
        jit_rrm(e->out, form, to, a, value_memory(e, place, half));
}

static void drop(struct narrow_emitter *e, unsigned reg)
{
    const unsigned value = e->holds[reg] - 1u;

    e->in[value / 2][value % 2] = 0;
    e->holds[reg] = 0;
}

/* Moves a register's value to memory, if there is a next use. */
static void spill(struct narrow_emitter *e, unsigned reg, unsigned next)
{
    const unsigned value = e->holds[reg] - 1u;

    if (next != NEVER && !e->in_frame[value / 2][value % 2]) {
        jit_rrm(e->out, JIT_STORE, reg, 0, frame_memory(value / 2, value % 2));
        e->in_frame[value / 2][value % 2] = true;
    }
    drop(e, reg);
}

void narrow_spill_values(struct narrow_emitter *e)
{
    for (unsigned reg = e->roles.first_value; reg < sizeof(e->holds); reg++)
        if (e->holds[reg])
            spill(e, reg, next_use(e, e->holds[reg] - 1u));
}

/* A free register; evicts the value whose next use is farthest away. */
static unsigned take_register(struct narrow_emitter *e)
{
    const unsigned end = e->out->is_32_bit ? 8 : e->out->set == JIT_AVX512 ? 32 : 16;
    unsigned best = e->roles.first_value, furthest = 0;

    for (unsigned reg = best; reg < end; reg++) {
        if (!e->holds[reg])
            return reg;
        const unsigned next = next_use(e, e->holds[reg] - 1u);

        if (next >= furthest) {
            best = reg;
            furthest = next;
        }
    }
    spill(e, best, furthest);
    return best;
}

/* The register for half of what the step makes. */
static unsigned result_register(struct narrow_emitter *e, unsigned place, unsigned half)
{
    unsigned reg = e->in[place][half];

    if (!reg)
        reg = take_register(e);
    e->holds[reg] = (uint8_t)(1 + 2 * place + half);
    e->in[place][half] = (uint8_t)reg;
    e->in_frame[place][half] = false;
    return reg;
}

/* --- steps -------------------------------------------------------------------------------------------------- */

/* The sign of register 0 in all bits of its numbers chooses: `yes` where it is set. */
static void emit_choice(struct narrow_emitter *e, const struct narrow_step *s, unsigned yes, unsigned no, unsigned half)
{
    const unsigned other = narrow_operand(e, s->from[no], half, 1);

    jit_rrri(e->out, JIT_PSRAW, 0, 0, 0, 15);
    combine(e, JIT_PXOR, 2, other, s->from[yes], half);
    jit_rrr(e->out, JIT_PAND, 0, 0, 2);
    jit_rrr(e->out, JIT_PXOR, 0, 0, other);
}

/* vec16_dot3 */
static void emit_dot(struct narrow_emitter *e, const struct narrow_step *s, unsigned half)
{
    const unsigned b = narrow_operand(e, s->from[1], half, 0);

    jit_rrri(e->out, JIT_PSRAW, 0, 0, b, 1);
    const unsigned a = narrow_operand(e, s->from[0], half, 1);

    jit_rrm(e->out, JIT_PAND, 1, a, NARROW_LITERAL(colors));
    jit_rrr(e->out, JIT_PMADDWD, 0, 1, 0);
    jit_rrri(e->out, JIT_PSHUFD, 1, 0, 0, 0xb1);
    jit_rrr(e->out, JIT_PADDD, 0, 0, 1);
    jit_rrm(e->out, JIT_PADDD, 0, 0, NARROW_LITERAL(dot_rounding));
    jit_rrri(e->out, JIT_PSRAD, 0, 0, 0, 14);
    jit_rrr(e->out, JIT_PACKSSDW, 0, 0, 0);
    jit_rrr(e->out, JIT_PUNPCKLWD, 0, 0, 0);
}

static void emit_order(struct narrow_emitter *e, unsigned from, unsigned order)
{
    jit_rrri(e->out, JIT_PSHUFLW, 0, 0, from, (uint8_t)order);
    jit_rrri(e->out, JIT_PSHUFHW, 0, 0, 0, (uint8_t)order);
}

/* a OP b, in register 0 */
static void emit_pair(struct narrow_emitter *e, enum jit_form form, const struct narrow_step *s, unsigned a, unsigned b,
                      unsigned half)
{
    combine(e, form, 0, narrow_operand(e, s->from[a], half, 0), s->from[b], half);
}

/* A constant less the operand, in register 0. */
static void emit_less(struct narrow_emitter *e, struct jit_memory constant, const struct narrow_step *s, unsigned half)
{
    jit_rrm(e->out, JIT_LOAD, 0, 0, constant);
    combine(e, JIT_PSUBSW, 0, 0, s->from[0], half);
}

/* Operations that are not two operands and an instruction. */
static unsigned emit_other(struct narrow_emitter *e, const struct narrow_step *s, unsigned half)
{
    switch (s->op) {
    case NARROW_ZERO:
        jit_rrr(e->out, JIT_PXOR, 0, 0, 0);
        return 0;
    case NARROW_DP3:
        emit_dot(e, s, half);
        return 0;
    case NARROW_CMP:
        jit_rrr(e->out, JIT_MOVE, 0, 0, narrow_operand(e, s->from[0], half, 0));
        emit_choice(e, s, 2, 1, half);
        return 0;
    case NARROW_CND: /* a is more than 1/2 where 1/2 - a is less than 0 */
        emit_less(e, NARROW_LITERAL(half), s, half);
        emit_choice(e, s, 1, 2, half);
        return 0;
    case NARROW_REPLICATE_ALPHA:
        emit_order(e, narrow_operand(e, s->from[0], half, 0), 0xff);
        return 0;
    case NARROW_SWIZZLE:
        emit_order(e, narrow_operand(e, s->from[0], half, 0),
                   s->order[0] | (unsigned)s->order[1] << 2 | (unsigned)s->order[2] << 4 | (unsigned)s->order[3] << 6);
        return 0;
    case NARROW_ABS:
        emit_less(e, NARROW_LITERAL(zero), s, half);
        combine(e, JIT_PMAXSW, 0, 0, s->from[0], half);
        return 0;
    case NARROW_BIAS:
        jit_rrm(e->out, JIT_PSUBSW, 0, narrow_operand(e, s->from[0], half, 0), NARROW_LITERAL(half));
        return 0;
    case NARROW_SIGNED: {
        const unsigned a = narrow_operand(e, s->from[0], half, 1);

        jit_rrm(e->out, JIT_PSUBSW, 0, a, NARROW_LITERAL(one));
        jit_rrr(e->out, JIT_PADDSW, 0, a, 0);
        return 0;
    }
    case NARROW_COMPLEMENT:
        emit_less(e, NARROW_LITERAL(one), s, half);
        return 0;
    case NARROW_NEGATE:
        emit_less(e, NARROW_LITERAL(zero), s, half);
        return 0;
    default: /* NARROW_MOV */
        return narrow_operand(e, s->from[0], half, 0);
    }
}

/* Emits half of an operation. Returns the register with its result: 0, or an operand's. */
static unsigned emit_operation(struct narrow_emitter *e, const struct narrow_step *s, unsigned half)
{
    static const uint8_t forms[] = {[NARROW_ADD] = JIT_PADDSW,   [NARROW_SUB] = JIT_PSUBSW, [NARROW_MUL] = JIT_PMULHRSW,
                                    [NARROW_MAD] = JIT_PMULHRSW, [NARROW_MIN] = JIT_PMINSW, [NARROW_MAX] = JIT_PMAXSW};

    switch (s->op) {
    case NARROW_ADD:
    case NARROW_SUB:
    case NARROW_MUL:
    case NARROW_MIN:
    case NARROW_MAX:
        emit_pair(e, (enum jit_form)forms[s->op], s, 0, 1, half);
        return 0;
    case NARROW_MAD:
        emit_pair(e, (enum jit_form)forms[s->op], s, 0, 1, half);
        combine(e, JIT_PADDSW, 0, 0, s->from[2], half);
        return 0;
    case NARROW_LRP:
        emit_pair(e, JIT_PSUBSW, s, 1, 2, half);
        combine(e, JIT_PMULHRSW, 0, 0, s->from[0], half);
        combine(e, JIT_PADDSW, 0, 0, s->from[2], half);
        return 0;
    default:
        return emit_other(e, s, half);
    }
}

/* times 2^shift, to the nearest; the register with it */
static unsigned emit_shift(struct narrow_emitter *e, int shift, unsigned v)
{
    for (; shift > 0; shift--, v = 0)
        jit_rrr(e->out, JIT_PADDSW, 0, v, v);
    if (!shift)
        return v;
    jit_rrm(e->out, JIT_PADDSW, 0, v,
            memory_at(NARROW_LITERALS, offsetof(struct narrow_literals, rounding) + (size_t)(-shift - 1) * 64));
    jit_rrri(e->out, JIT_PSRAW, 0, 0, 0, (uint8_t)-shift);
    return 0;
}

static struct jit_memory written_memory(const struct narrow_step *s)
{
    size_t numbers = 0;

    for (unsigned i = 0; i < 4; i++)
        numbers |= (s->written[i] ? 1u : 0u) << i;
    return memory_at(NARROW_LITERALS, offsetof(struct narrow_literals, written) + numbers * 64);
}

/* Clamps a result to its lower limit, and writes the numbers selected by the write mask. */
static void emit_result(struct narrow_emitter *e, const struct narrow_step *s, unsigned half, unsigned v)
{
    const struct jit_memory low = s->low ? NARROW_LITERAL(minus_one) : NARROW_LITERAL(zero);

    if (!s->is_partial) {
        const unsigned to = result_register(e, s->to, half);

        if (keeps_limit(e, s))
            jit_rrr(e->out, JIT_MOVE, to, 0, v); /* eliminated by register renaming */
        else
            jit_rrm(e->out, JIT_PMAXSW, to, v, low);
        return;
    }
    jit_rrm(e->out, JIT_PMAXSW, 0, v, low);
    const unsigned old = narrow_operand(e, s->to, half, 1);

    jit_rrr(e->out, JIT_PXOR, 2, 0, old);
    jit_rrm(e->out, JIT_PAND, 2, 2, written_memory(s));
    const unsigned to = result_register(e, s->to, half);

    jit_rrr(e->out, JIT_PXOR, to, old, 2);
}

/* The nth texture, which is all of a step's result. */
static void emit_texture(struct narrow_emitter *e, const struct narrow_step *s, unsigned n)
{
    const struct jit_memory opaque =
        memory_at(NARROW_BLOCK, offsetof(struct narrow_block, texture) + n * sizeof(struct narrow_block_texture) +
                                    offsetof(struct narrow_block_texture, opaque));
    const unsigned sampled = 4;

    e->half = 0;
    if (e->inlined >> n & 1) {
        if (e->out->is_32_bit)
            narrow_spill_values(e);
        narrow_emit_texture(e, n);
    }
    for (e->half = 0; e->half < 2; e->half++) {
        const unsigned half = e->half, to = result_register(e, s->to, half);

        if (e->inlined >> n & 1)
            jit_rrm(e->out, JIT_POR, to, sampled + half, opaque);
        else
            jit_rrm(e->out, JIT_LOAD, to, 0, pixels_memory(e, NARROW_AT(texel[n]), half));
    }
}

/* --- functions ------------------------------------------------------------------------------------------------ */

/* The lanes of a register. */
static void emit_vector(struct narrow_emitter *e)
{
    unsigned textures = 0;

    memset(e->holds, 0, sizeof(e->holds));
    memset(e->in, 0, sizeof(e->in));
    memset(e->in_frame, 0, sizeof(e->in_frame));
    e->positive = 0;
    for (e->step = 0; e->step < e->program->step_count; e->step++) {
        const struct narrow_step *s = &e->program->step[e->step];

        if (s->op == NARROW_TEX)
            emit_texture(e, s, textures++);
        else
            for (e->half = 0; e->half < 2; e->half++)
                emit_result(e, s, e->half, emit_shift(e, s->shift, emit_operation(e, s, e->half)));
        note_limit(e, s);
    }
    narrow_emit_store(e);
}

/* The registers that 32-bit programs save, in the order in which they are pushed. */
static const uint8_t saved[] = {JIT_RBX, JIT_RBP, JIT_RSI, JIT_RDI};

/* Saves registers and loads the arguments, which 32-bit programs have above the return address. */
static void emit_entry(struct jit_buffer *out)
{
    const size_t arguments = (sizeof(saved) + 1) * 4;

    if (!out->is_32_bit)
        return;
    for (unsigned i = 0; i < sizeof(saved); i++)
        jit_push(out, (enum jit_register)saved[i]);
    jit_load_pointer(out, NARROW_BLOCK, memory_at(JIT_RSP, arguments));
    jit_load_pointer(out, NARROW_LITERALS, memory_at(JIT_RSP, arguments + 4));
}

static void emit_exit(struct jit_buffer *out)
{
    for (unsigned i = sizeof(saved); out->is_32_bit && i > 0; i--)
        jit_pop(out, (enum jit_register)saved[i - 1]);
    jit_return(out);
}

bool narrow_emit(struct jit_buffer *out, const struct narrow_program *program, struct narrow_block_store store,
                 unsigned inlined)
{
    static const struct narrow_roles wide = {JIT_R11, JIT_R8, 9}, narrow = {JIT_RBX, JIT_RBP, 3};
    struct narrow_emitter e = {
        .out = out, .roles = out->is_32_bit ? narrow : wide, .program = program, .store = store, .inlined = inlined};
    struct jit_memory mask = NARROW_AT(mask);
    const unsigned group_bytes = 64; /* of a group's words */
    size_t top, none;

    if (program->step_count > NARROW_BLOCK_STEPS || narrow_texture_count(program) > NARROW_BLOCK_TEXTURES)
        return false;
    mask.index = NARROW_GROUPS;
    emit_entry(out);
    jit_move_constant(out, NARROW_LANES, 0);
    jit_move_constant(out, NARROW_GROUPS, 0);
    top = out->length;
    jit_load_dword(out, NARROW_WORK, mask);
    jit_compare_constant(out, NARROW_WORK, 0);
    none = jit_jump(out, JIT_EQUAL);
    for (e.vector = 0; e.vector < group_bytes / narrow_bytes(&e); e.vector++)
        emit_vector(&e);
    jit_land(out, none);
    jit_add_constant(out, NARROW_LANES, (int32_t)group_bytes);
    jit_add_constant(out, NARROW_GROUPS, sizeof(uint64_t));
    jit_compare_constant(out, NARROW_GROUPS, NARROW_BLOCK_GROUPS * sizeof(uint64_t));
    jit_jump_back(out, JIT_NOT_EQUAL, top);
    emit_exit(out);
    return !out->full;
}
