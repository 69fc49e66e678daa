/* SPDX-License-Identifier: MIT */
/*
 * Every rule is a row: for which models it holds, what it looks at, what it says when broken.
 */
#include "bytecode/validate.h"

#include <string.h>

struct validator {
    struct shader_limits limits;
    struct shader_reader reader;
    struct shader_instruction now, before;
    bool first; /* there is no instruction before */
    unsigned arithmetic, texture; /* slots */
    unsigned phases;
    bool arithmetic_seen; /* in this phase */
    bool position, color, predicate_set;
};

typedef bool (*rule_fn)(const struct validator *v);

struct rule {
    uint8_t stage;
    uint16_t first, last; /* versions */
    rule_fn holds;
    const char *text;
};

#define V SHADER_VERTEX
#define P SHADER_PIXEL
#define LAST 0x3ff

/* --- of one instruction ------------------------------------------------------------------------- */

static bool is_code(const struct validator *v)
{
    return v->now.info && !(v->now.info->flags & SOPF_DEFINITION);
}

static bool register_exists(const struct validator *v, const struct shader_parameter *p, unsigned access)
{
    const struct shader_register_rule *rule = shader_register_rule(&v->reader, p->type);

    return rule && p->number < rule->count && !(access & ~rule->access);
}

static bool registers_exist(const struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    bool write = i->has_destination && is_code(v) && i->opcode != SOP_TEXKILL;

    if (write && !register_exists(v, &i->destination, SREG_WRITE))
        return false;
    if (i->has_destination && !is_code(v) && i->destination.type != SREG_MISC &&
        !register_exists(v, &i->destination, 0))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!register_exists(v, &i->source[k], SREG_READ))
            return false;
    return true;
}

static bool constants_are_there(const struct validator *v)
{
    unsigned least = v->reader.major == 1 ? 96 : 256;
    unsigned count = v->limits.vertex_constants ? v->limits.vertex_constants : least;
    const struct shader_instruction *i = &v->now;

    if (i->has_destination && i->destination.type == SREG_CONST && i->destination.number >= count)
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_CONST && i->source[k].number >= count)
            return false;
    return true;
}

/* Different registers of a file among the sources. */
static unsigned ports(const struct validator *v, unsigned type)
{
    unsigned different = 0;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        bool seen = v->now.source[k].type != type;

        for (unsigned j = 0; j < k; j++)
            seen |= v->now.source[j].type == type && v->now.source[j].number == v->now.source[k].number &&
                    v->now.source[j].relative == v->now.source[k].relative;
        different += !seen;
    }
    return different;
}

static bool one_constant(const struct validator *v)
{
    return ports(v, SREG_CONST) <= 1;
}

static bool two_constants(const struct validator *v)
{
    return ports(v, SREG_CONST) <= 2;
}

static bool one_input(const struct validator *v)
{
    return ports(v, SREG_INPUT) <= 1;
}

static bool writes_something(const struct validator *v)
{
    return !is_code(v) || !v->now.has_destination || v->now.destination.mask;
}

static bool matrix_mask(const struct validator *v)
{
    static const uint8_t masks[] = {15, 7, 15, 7, 3};

    return !is_code(v) || !(v->now.info->flags & SOPF_MATRIX) ||
           v->now.destination.mask == masks[v->now.opcode - SOP_M4X4];
}

static bool fraction_mask(const struct validator *v)
{
    return v->now.opcode != SOP_FRC || v->now.destination.mask == 2 || v->now.destination.mask == 3;
}

static bool early_mask(const struct validator *v)
{
    unsigned mask = v->now.destination.mask;

    return !is_code(v) || !v->now.has_destination || mask == 15 || mask == 7 || mask == 8;
}

static bool not_saturated(const struct validator *v)
{
    return !v->now.has_destination || !(v->now.destination.modifier & SDST_SATURATE);
}

static bool not_shifted(const struct validator *v)
{
    return !v->now.has_destination || !v->now.destination.shift;
}

static bool shifted_little(const struct validator *v)
{
    return !v->now.has_destination || (v->now.destination.shift >= -1 && v->now.destination.shift <= 2);
}

static bool shifted_more(const struct validator *v)
{
    return !v->now.has_destination || (v->now.destination.shift >= -3 && v->now.destination.shift <= 3);
}

static bool textures_plain(const struct validator *v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || (not_saturated(v) && not_shifted(v));
}

static bool textures_first(const struct validator *v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || !v->arithmetic_seen;
}

/* A pair: arithmetic both, one of them writes alpha alone and the other does not write it. */
static bool paired(const struct validator *v)
{
    const struct shader_instruction *a = &v->before, *b = &v->now;

    if (!b->coissue)
        return true;
    if (v->first || !a->info || a->coissue || (a->info->flags | b->info->flags) & (SOPF_TEXTURE | SOPF_DEFINITION))
        return false;
    return a->destination.mask == 8 ? !(b->destination.mask & 8) : b->destination.mask == 8 && !(a->destination.mask & 8);
}

static bool address_alone(const struct validator *v)
{
    bool address = v->now.has_destination && v->now.destination.type == SREG_ADDRESS && is_code(v);

    return address == (v->now.opcode == SOP_MOVA);
}

static bool address_by_mov(const struct validator *v)
{
    return !v->now.has_destination || v->now.destination.type != SREG_ADDRESS ||
           (v->now.opcode == SOP_MOV && v->now.destination.mask == 1);
}

static bool scalars_replicated(const struct validator *v)
{
    if (!v->now.info || !(v->now.info->flags & SOPF_SCALAR))
        return true;
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (v->now.source[k].swizzle % 85 != 0)
            return false;
    return true;
}

static bool predicate_known(const struct validator *v)
{
    bool reads = v->now.predicated;

    for (unsigned k = 0; k < v->now.source_count; k++)
        reads |= v->now.source[k].type == SREG_PREDICATE;
    return !reads || v->predicate_set;
}

static bool input_usage(const struct validator *v)
{
    unsigned usage = v->now.usage & 15, index = v->now.usage >> 16 & 15;

    if (v->now.opcode != SOP_DCL || v->now.destination.type != SREG_INPUT)
        return true;
    return !(usage == 0 && index == 0) && usage != 8 && usage != 9;
}

static bool outputs_by_mov(const struct validator *v)
{
    return !v->now.has_destination || v->now.destination.type != SREG_COLOR_OUT ||
           (v->now.opcode == SOP_MOV && v->now.destination.mask == 15);
}

static bool one_phase(const struct validator *v)
{
    return v->phases <= 1;
}

static const struct rule instruction_rules[] = {
    {V, 0x100, LAST, registers_exist, "a register that the model lacks"},
    {P, 0x100, LAST, registers_exist, "a register that the model lacks"},
    {V, 0x100, LAST, constants_are_there, "a constant that the device lacks"},
    {V, 0x100, 0x2fe, one_constant, "more than one constant register in an instruction"},
    {P, 0x100, 0x104, two_constants, "more than two constant registers in an instruction"},
    {P, 0x200, 0x2fe, one_constant, "more than one constant register in an instruction"},
    {V, 0x100, 0x2fe, one_input, "more than one input register in an instruction"},
    {P, 0x200, 0x2fe, one_input, "more than one input register in an instruction"},
    {V, 0x100, LAST, writes_something, "an empty write mask"},
    {P, 0x100, LAST, writes_something, "an empty write mask"},
    {V, 0x100, LAST, matrix_mask, "a matrix product with another mask than its rows"},
    {P, 0x100, LAST, matrix_mask, "a matrix product with another mask than its rows"},
    {V, 0x100, 0x101, fraction_mask, "frc writes y or xy in vs_1_1"},
    {P, 0x100, 0x103, early_mask, "write masks are rgba, rgb or a below ps_1_4"},
    {V, 0x100, 0x2ff, not_saturated, "_sat is not for vertex shaders below 3.0"},
    {V, 0x100, LAST, not_shifted, "result shifts are for ps_1_x"},
    {P, 0x200, LAST, not_shifted, "result shifts are for ps_1_x"},
    {P, 0x100, 0x103, shifted_little, "result shifts are _x2, _x4 and _d2 below ps_1_4"},
    {P, 0x104, 0x104, shifted_more, "result shift beyond _x8 or _d8"},
    {P, 0x100, 0x2ff, textures_plain, "a modifier on the result of a texture instruction"},
    {P, 0x100, 0x103, textures_first, "a texture instruction behind arithmetic"},
    {P, 0x104, 0x104, textures_first, "a texture instruction behind arithmetic of its phase"},
    {P, 0x100, 0x104, paired, "a pair that is not one of colour and one of alpha"},
    {P, 0x104, 0x104, one_phase, "a second phase"},
    {V, 0x100, 0x101, address_by_mov, "a0.x is written by mov alone"},
    {V, 0x200, LAST, address_alone, "a0 is written by mova, and mova writes a0"},
    {V, 0x200, LAST, scalars_replicated, "a scalar operand without a single component"},
    {P, 0x200, LAST, scalars_replicated, "a scalar operand without a single component"},
    {V, 0x201, LAST, predicate_known, "p0 is read before it is set"},
    {P, 0x201, LAST, predicate_known, "p0 is read before it is set"},
    {P, 0x300, LAST, input_usage, "an input usage that pixel shaders do not have"},
    {P, 0x200, 0x2ff, outputs_by_mov, "oC# is written by mov of all components below 3.0"},
};

/* --- of the whole ------------------------------------------------------------------------------------ */

static bool position_written(const struct validator *v)
{
    return v->position;
}

static bool color_written(const struct validator *v)
{
    return v->color;
}

static bool fits_slots(const struct validator *v)
{
    static const struct {
        uint8_t stage;
        uint16_t first, last, arithmetic, texture;
    } slots[] = {
        {V, 0x100, 0x101, 128, 0}, {V, 0x200, 0x201, 256, 0}, {P, 0x100, 0x103, 8, 4},
        {P, 0x104, 0x104, 16, 12}, {P, 0x200, 0x200, 64, 32},
    };
    unsigned version = shader_version(&v->reader), all = v->arithmetic + v->texture;

    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
        if (slots[i].stage == v->reader.stage && slots[i].first <= version && version <= slots[i].last)
            return slots[i].texture ? v->arithmetic <= slots[i].arithmetic && v->texture <= slots[i].texture
                                    : all <= slots[i].arithmetic;
    if (v->reader.minor == 255)
        return true;
    return all <= (v->reader.major == 2 ? (v->limits.slots_2x ? v->limits.slots_2x : 96)
                                        : (v->limits.slots_30 ? v->limits.slots_30 : 512));
}

static const struct rule program_rules[] = {
    {V, 0x100, LAST, position_written, "the position is not written"},
    {P, 0x100, LAST, color_written, "the first colour is not written"},
    {V, 0x100, LAST, fits_slots, "more instruction slots than the model has"},
    {P, 0x100, LAST, fits_slots, "more instruction slots than the model has"},
};

/* --- walking ------------------------------------------------------------------------------------------ */

static bool apply(const struct validator *v, const struct rule *rules, size_t count, size_t offset,
                  struct shader_error *error)
{
    unsigned version = shader_version(&v->reader);

    for (size_t i = 0; i < count; i++)
        if (rules[i].stage == v->reader.stage && rules[i].first <= version && version <= rules[i].last &&
            !rules[i].holds(v))
            return shader_fail(error, offset, "%s", rules[i].text);
    return true;
}

/* vs_1_1 and ps_1_x count slots their own way. */
static unsigned slots_of(const struct validator *v)
{
    const struct shader_instruction *i = &v->now;

    if (v->reader.major > 1)
        return i->info->slots;
    if (i->info->flags & SOPF_DEFINITION || i->opcode == SOP_NOP)
        return 0;
    if (v->reader.stage == SHADER_PIXEL)
        return i->coissue ? 0 : i->opcode == SOP_BEM ? 2 : 1;
    if (i->opcode == SOP_EXP || i->opcode == SOP_LOG)
        return 10;
    return i->opcode == SOP_FRC ? 3 : i->info->flags & SOPF_MATRIX ? i->info->slots : 1;
}

static void note(struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    const struct shader_parameter *d = &i->destination;
    bool write = i->has_destination && is_code(v);

    if (i->opcode == SOP_PHASE) {
        v->phases++;
        v->arithmetic_seen = false;
        return;
    }
    if (i->info->flags & SOPF_TEXTURE)
        v->texture += slots_of(v);
    else
        v->arithmetic += slots_of(v);
    v->arithmetic_seen |= is_code(v) && !(i->info->flags & (SOPF_TEXTURE | SOPF_FLOW)) && i->opcode != SOP_NOP;
    v->predicate_set |= i->opcode == SOP_SETP;
    v->position |= v->reader.major < 3 ? write && d->type == SREG_RASTER_OUT && d->number == 0
                                       : i->opcode == SOP_DCL && d->type == SREG_TEXCOORD_OUT &&
                                             ((i->usage & 15) == 0 || (i->usage & 15) == 9);
    v->color |= write && d->number == 0 &&
                (v->reader.major == 1 ? d->type == SREG_TEMP : d->type == SREG_COLOR_OUT);
}

bool shader_validate(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                     struct shader_error *error)
{
    struct validator v = {.limits = *limits, .first = true};

    if (!shader_reader_init(&v.reader, tokens, count, error))
        return false;
    for (;;) {
        if (!shader_read(&v.reader, &v.now, error))
            return false;
        if (v.now.opcode == SOP_END)
            break;
        v.phases += v.now.opcode == SOP_PHASE;
        bool holds = apply(&v, instruction_rules, sizeof(instruction_rules) / sizeof(instruction_rules[0]),
                           v.now.offset, error);
        v.phases -= v.now.opcode == SOP_PHASE;
        if (!holds)
            return false;
        note(&v);
        v.before = v.now;
        v.first = false;
    }
    return apply(&v, program_rules, sizeof(program_rules) / sizeof(program_rules[0]), v.reader.offset, error);
}
