/* SPDX-License-Identifier: MIT */
/*
 * Makes the narrow form of a program that fits. Operands with swizzles and modifiers become steps before those of the
 * instruction. Their results are kept until the source register changes, because the alpha of a texture, for example,
 * is often read twice.
 */
#include "shader/narrow/narrow.h"
#include "raster/narrow.h"
#include "shader/narrow/fit.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 1024
/* The number of kept operands: more than those of an instruction and their intermediate results. */
#define MAX_DERIVED 20

/* A register that holds another place's pixels, swizzled and modified. */
struct derived {
    uint8_t place; /* 0: no register yet */
    bool valid;
    uint8_t from, swizzle;
    uint16_t modifiers;
    unsigned used; /* when it was needed last */
};

struct emitter {
    struct narrow_code code;
    struct narrow_step step[MAX_STEPS];
    struct ir_source uniform[NARROW_MAX_UNIFORMS];
    unsigned step_count, uniform_count, place_count, uses;
    uint32_t instruction;              /* whose steps are added */
    uint8_t place_of[CODE_TEMP_COUNT]; /* 1 + the place; 0: none yet */
    uint8_t positive[NARROW_PLACES];   /* components that are not below 0, even after rounding */
    struct derived derived[MAX_DERIVED];
    bool failed; /* too long, or too many registers or constants */
};

/* --- places ----------------------------------------------------------------------------------------------- */

static unsigned new_register(struct emitter *e)
{
    if (e->place_count < NARROW_FIRST_INPUT)
        return e->place_count++;
    e->failed = true;
    return NARROW_FIRST_REGISTER;
}

static unsigned place_of_temp(struct emitter *e, unsigned temp)
{
    if (!e->place_of[temp])
        e->place_of[temp] = (uint8_t)(1 + new_register(e));
    return e->place_of[temp] - 1u;
}

static unsigned place_of_uniform(struct emitter *e, const struct ir_source *s)
{
    for (unsigned k = 0; k < e->uniform_count; k++)
        if (e->uniform[k].file == s->file && e->uniform[k].index == s->index && e->uniform[k].swizzle == s->swizzle &&
            e->uniform[k].modifiers == s->modifiers)
            return NARROW_FIRST_UNIFORM + k;
    if (e->uniform_count == NARROW_MAX_UNIFORMS) {
        e->failed = true;
        return NARROW_FIRST_UNIFORM;
    }
    e->uniform[e->uniform_count] = *s;
    return NARROW_FIRST_UNIFORM + e->uniform_count++;
}

/* Invalidates operands made from a place that is being written. */
static void forget(struct emitter *e, unsigned place)
{
    for (unsigned k = 0; k < MAX_DERIVED; k++)
        if (e->derived[k].from == place)
            e->derived[k].valid = false;
}

static void add_step(struct emitter *e, const struct narrow_step *step)
{
    if (e->step_count == MAX_STEPS) {
        e->failed = true;
        return;
    }
    e->step[e->step_count] = *step;
    e->step[e->step_count++].instruction = e->instruction;
    forget(e, step->to);
}

/* --- operands --------------------------------------------------------------------------------------------- */

static unsigned derive(struct emitter *e, unsigned from, unsigned swizzle, unsigned modifiers);

static struct narrow_step swizzle_step(unsigned from, unsigned swizzle)
{
    struct narrow_step step = {.op = swizzle == IR_WWWW ? NARROW_REPLICATE_ALPHA : NARROW_SWIZZLE,
                               .from = {(uint8_t)from},
                               .low = -NARROW_ONE};

    for (unsigned c = 0; c < 4; c++)
        step.order[narrow_number(c)] = (uint8_t)narrow_number(swizzle >> 2 * c & 3);
    return step;
}

/* The step that applies the last modifier of an operand, on a register with all others applied. */
static struct narrow_step operand_step(struct emitter *e, unsigned from, unsigned swizzle, unsigned modifiers)
{
    /* the last one first */
    static const struct {
        uint16_t modifier;
        uint8_t op;
    } order[] = {{IR_NEGATE, NARROW_NEGATE}, {IR_COMPLEMENT, NARROW_COMPLEMENT},
                 {IR_DOUBLE, NARROW_ADD},    {IR_SIGNED, NARROW_SIGNED},
                 {IR_BIAS, NARROW_BIAS},     {IR_ABS, NARROW_ABS},
                 {IR_SATURATE, NARROW_MOV}};
    struct narrow_step step = {.op = NARROW_MOV, .low = -NARROW_ONE};

    for (unsigned k = 0; k < ARRAY_COUNT(order); k++)
        if (modifiers & order[k].modifier) {
            const unsigned inner = derive(e, from, swizzle, modifiers & ~(unsigned)order[k].modifier);

            step.op = order[k].op;
            step.from[0] = step.from[1] = (uint8_t)inner;
            step.low = order[k].modifier == IR_SATURATE ? 0 : step.low;
            return step;
        }
    if (swizzle != IR_XYZW)
        return swizzle_step(from, swizzle);
    step.from[0] = (uint8_t)from;
    return step;
}

/* Finds a register for another operand: one with invalid contents, a new one, or the least recently needed one. */
static struct derived *room_for_derived(struct emitter *e)
{
    struct derived *d = &e->derived[0];

    for (unsigned k = 0; k < MAX_DERIVED; k++)
        if (!e->derived[k].valid)
            return &e->derived[k];
    for (unsigned k = 1; k < MAX_DERIVED; k++)
        if (e->derived[k].used < d->used)
            d = &e->derived[k];
    return d;
}

/* A place that holds another one's pixels, swizzled and modified. */
static unsigned derive(struct emitter *e, unsigned from, unsigned swizzle, unsigned modifiers)
{
    if (!modifiers && swizzle == IR_XYZW)
        return from;
    for (unsigned k = 0; k < MAX_DERIVED; k++) {
        struct derived *d = &e->derived[k];

        if (d->valid && d->from == from && d->swizzle == swizzle && d->modifiers == modifiers) {
            d->used = ++e->uses;
            return d->place;
        }
    }
    struct narrow_step step = operand_step(e, from, swizzle, modifiers);
    struct derived *d = room_for_derived(e);
    if (!d->place)
        d->place = (uint8_t)new_register(e);
    step.to = d->place;
    add_step(e, &step);
    *d = (struct derived){d->place, true, (uint8_t)from, (uint8_t)swizzle, (uint16_t)modifiers, ++e->uses};
    return d->place;
}

/* Components that are not needed are not moved. */
static unsigned needed_swizzle(unsigned swizzle, unsigned needed)
{
    for (unsigned c = 0; c < 4; c++)
        if ((needed >> c & 1) && (swizzle >> 2 * c & 3) != c)
            return swizzle;
    return IR_XYZW;
}

/* Modifiers with an effect: numbers are in -1..1 anyway, and colours in 0..1. */
static unsigned needed_modifiers(const struct ir_source *s)
{
    return s->modifiers & ~(unsigned)(s->file == IR_INPUT ? IR_CLAMP | IR_SATURATE | IR_ABS : IR_CLAMP);
}

static unsigned place_of_source(struct emitter *e, const struct ir_source *s)
{
    return s->file == IR_INPUT ? NARROW_FIRST_INPUT + narrow_entry(e->code.program, s->index)
                               : place_of_temp(e, s->index);
}

static unsigned operand(struct emitter *e, const struct ir_instruction *i, unsigned k)
{
    const struct ir_source *s = &i->source[k];
    const unsigned needed = ir_components_read((enum ir_op)i->op, k, i->destination.mask);

    if (narrow_is_uniform(s))
        return place_of_uniform(e, s);
    return derive(e, place_of_source(e, s), needed_swizzle(s->swizzle, needed), needed_modifiers(s));
}

/* --- instructions ----------------------------------------------------------------------------------------- */

static enum narrow_op narrow_op_of(unsigned op)
{
    static const uint8_t table[] = {
        [IR_MOV] = NARROW_MOV, [IR_ADD] = NARROW_ADD, [IR_SUB] = NARROW_SUB, [IR_MUL] = NARROW_MUL,
        [IR_MAD] = NARROW_MAD, [IR_LRP] = NARROW_LRP, [IR_DP3] = NARROW_DP3, [IR_MIN] = NARROW_MIN,
        [IR_MAX] = NARROW_MAX, [IR_CMP] = NARROW_CMP, [IR_CND] = NARROW_CND, [IR_TEX] = NARROW_TEX,
    };

    return (enum narrow_op)table[op];
}

/* The step of an instruction, without its result. A copy applies the last modifier of its source. */
static struct narrow_step operation_step(struct emitter *e, const struct ir_instruction *i)
{
    struct narrow_step step = {.op = (uint8_t)narrow_op_of(i->op), .low = -NARROW_ONE};
    const struct ir_source *s = &i->source[0];

    if (i->op == IR_TEX) {
        step.from[0] = (uint8_t)place_of_source(e, s);
        return step;
    }
    if (i->op == IR_MOV && !narrow_is_uniform(s))
        return operand_step(e, place_of_source(e, s), needed_swizzle(s->swizzle, i->destination.mask),
                            needed_modifiers(s));
    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
        step.from[k] = (uint8_t)operand(e, i, k);
    return step;
}

/* A write mask only matters if the components that it keeps are read later. Otherwise all are written, because the old
 * values are not needed. */
static void set_written(struct narrow_step *step, unsigned mask, unsigned keeps)
{
    step->is_partial = keeps != 0;
    for (unsigned c = 0; c < 4; c++)
        step->written[narrow_number(c)] = !keeps || (mask >> c & 1) ? -1 : 0;
}

/* Is it a copy of a register onto itself that clamps nothing? Often that of the output, which already holds the
 * result. */
static bool does_nothing(const struct emitter *e, const struct narrow_step *step, unsigned mask)
{
    return step->op == NARROW_MOV && step->to == step->from[0] && !step->shift &&
           (step->low < 0 || !(mask & ~(unsigned)e->positive[step->to]));
}

static void add_instruction(struct emitter *e, unsigned number)
{
    const struct ir_instruction *i = &e->code.code[number];
    const struct ir_destination *d = &i->destination;
    const struct narrow_use *use = &e->code.use[number];
    e->instruction = number;
    struct narrow_step step = operation_step(e, i);

    step.to = (uint8_t)(d->file == IR_OUTPUT ? NARROW_OUTPUT : place_of_temp(e, d->index));
    set_written(&step, d->mask, use->keeps);
    step.shift = d->shift;
    if (d->saturate || use->is_color || i->op == IR_TEX)
        step.low = 0;
    if (does_nothing(e, &step, d->mask))
        return;
    e->positive[step.to] = (uint8_t)(step.low < 0 ? e->positive[step.to] & ~d->mask : e->positive[step.to] | d->mask);
    add_step(e, &step);
}

/* Programs of ps_1_x end with a copy of r0; then r0 uses the register of the output from the beginning. */
static void place_result(struct emitter *e)
{
    const struct ir_instruction *last = e->code.count ? &e->code.code[e->code.count - 1] : NULL;
    const struct ir_source *s = last ? &last->source[0] : NULL;

    if (!last || last->op != IR_MOV || last->destination.file != IR_OUTPUT || last->destination.mask != 15 ||
        last->destination.shift || s->file != IR_TEMP || s->swizzle != IR_XYZW || s->modifiers & ~(unsigned)IR_SATURATE)
        return;
    for (unsigned k = 0; k + 1 < e->code.count; k++)
        if (e->code.code[k].destination.file == IR_OUTPUT)
            return;
    e->place_of[s->index] = 1 + NARROW_OUTPUT;
}

static void add_program(struct emitter *e)
{
    e->place_count = NARROW_FIRST_REGISTER;
    place_result(e);
    for (unsigned t = 0; t < CODE_TEMP_COUNT; t++)
        if (e->code.unset[t]) {
            const struct narrow_step zero = {.op = NARROW_ZERO, .to = (uint8_t)place_of_temp(e, t)};

            e->instruction = t;
            add_step(e, &zero);
        }
    for (unsigned k = 0; k < e->code.count && !e->failed; k++)
        add_instruction(e, k);
}

/* --- the whole -------------------------------------------------------------------------------------------- */

static bool has_narrow_stage(const struct shader_program *program)
{
    return program->stage == SHADER_PIXEL && (program->code->is_fixed || (program->major == 1 && program->minor <= 3));
}

/* The steps and constants follow the head. */
static struct narrow_program *packed(const struct emitter *e)
{
    const size_t steps = e->step_count * sizeof(*e->step), uniforms = e->uniform_count * sizeof(*e->uniform);
    struct narrow_program *narrow = mem_calloc(1, sizeof(*narrow) + steps + uniforms);

    if (!narrow)
        return NULL;
    struct narrow_step *step = (struct narrow_step *)(narrow + 1);
    struct ir_source *uniform = (struct ir_source *)(step + e->step_count);
    memcpy(step, e->step, steps);
    memcpy(uniform, e->uniform, uniforms);
    *narrow = (struct narrow_program){e->step_count, e->uniform_count, e->code.colors, step, uniform};
    return narrow;
}

static unsigned length_without_end(const struct shader_code *code)
{
    unsigned count = 0;

    while (count < code->count && code->code[count].op != IR_RET && code->code[count].op != IR_END)
        count++;
    return count;
}

/* Do all values fit, and all steps and constants? */
static bool uses_fit(struct emitter *e)
{
    narrow_find_uses(&e->code);
    if (!narrow_fits(&e->code))
        return false;
    add_program(e);
    return !e->failed;
}

bool narrow_build(struct shader_program *program)
{
    struct emitter *e;
    bool done = false;

    if (!has_narrow_stage(program))
        return true;
    e = mem_calloc(1, sizeof(*e));
    if (!e)
        return false;
    e->code.program = program;
    e->code.code = program->code->code;
    e->code.count = length_without_end(program->code);
    e->code.use = mem_calloc(e->code.count + 1, sizeof(*e->code.use));
    if (e->code.use) {
        const bool fits = narrow_has_form(&e->code) && uses_fit(e);

        program->code->narrow = fits ? packed(e) : NULL;
        done = !fits || program->code->narrow;
    }
    free(e->code.use);
    free(e);
    return done;
}

size_t narrow_memory(const struct narrow_program *narrow)
{
    return narrow ? sizeof(*narrow) + narrow->step_count * sizeof(*narrow->step) +
                        narrow->uniform_count * sizeof(*narrow->uniform)
                  : 0;
}

bool shader_has_narrow(const struct shader_program *program)
{
    return program->code->narrow != NULL;
}

unsigned shader_narrow_colors(const struct shader_program *program)
{
    return program->code->narrow ? program->code->narrow->colors : 0;
}
