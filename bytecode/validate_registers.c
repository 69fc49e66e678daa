/* SPDX-License-Identifier: MIT */
/* Rules about versions, registers and their declarations. validate_rules.c says which apply to which model. */
#include "bytecode/rules.h"

/* --- versions ------------------------------------------------------------------------------------- */

bool rule_stage_is_wanted(V v)
{
    return v->reader.stage == SHADER_VERTEX ? !v->limits->pixel_only : !v->limits->vertex_only;
}

bool rule_version_is_known(V v)
{
    unsigned highest = v->reader.stage == SHADER_VERTEX ? v->limits->vertex_version : v->limits->pixel_version;

    return !highest || shader_version(&v->reader) <= highest;
}

/* --- registers ------------------------------------------------------------------------------------ */

/* Temporaries beyond the model's own are a rule by themselves: rule_temps_of_model. */
static bool register_exists(V v, const struct shader_parameter *p, unsigned access)
{
    const struct shader_register_rule *rule = shader_register_rule(&v->reader, p->type);
    unsigned count = p->type == SREG_TEMP ? SHADER_MAX_TEMPS : rule ? rule->count : 0;

    return rule && p->number < count && !(access & ~rule->access);
}

bool rule_registers_exist(V v)
{
    const struct shader_instruction *i = &v->now;

    if (i->has_destination && !register_exists(v, &i->destination,
                                               validator_writes(i)        ? SREG_WRITE
                                               : i->opcode == SOP_TEXKILL ? SREG_READ
                                                                          : 0))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!register_exists(v, &i->source[k], SREG_READ))
            return false;
    return true;
}

bool rule_instruction_is_of_model(V v)
{
    return !v->now.info || shader_opcode_is_of(&v->reader, v->now.info);
}

static bool uses_temp_from(V v, unsigned first)
{
    const struct shader_instruction *i = &v->now;
    bool uses = i->has_destination && i->destination.type == SREG_TEMP && i->destination.number >= first;

    for (unsigned k = 0; k < i->source_count; k++)
        uses |= i->source[k].type == SREG_TEMP && i->source[k].number >= first;
    return uses;
}

bool rule_temps_of_model(V v)
{
    const struct shader_register_rule *temps = shader_register_rule(&v->reader, SREG_TEMP);

    return temps && !uses_temp_from(v, temps->count);
}

bool rule_constants_are_there(V v)
{
    const struct shader_instruction *i = &v->now;
    unsigned least = v->reader.minor == 255 ? 8192 : v->reader.major == 1 ? 96 : 256;
    unsigned count = v->limits->vertex_constants ? v->limits->vertex_constants : least;

    if (i->has_destination && i->destination.type == SREG_CONST && i->destination.number >= count)
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_CONST && i->source[k].number >= count)
            return false;
    return true;
}

bool rule_temps_are_there(V v)
{
    return !uses_temp_from(v, v->caps->temps ? v->caps->temps : 12);
}

/* Constants by a0 or aL; inputs and outputs of model 3 as the table of registers says. */
static bool index_is_allowed(V v, const struct shader_parameter *p, unsigned access)
{
    const struct shader_register_rule *rule = shader_register_rule(&v->reader, p->type);

    if (!p->relative)
        return true;
    if (v->reader.stage == SHADER_PIXEL && p->relative_type == SREG_ADDRESS)
        return false;
    return rule && rule->access & access;
}

bool rule_indices_are_allowed(V v)
{
    const struct shader_instruction *i = &v->now;

    if (i->has_destination && !index_is_allowed(v, &i->destination, SREG_INDEXED_WRITE))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!index_is_allowed(v, &i->source[k], SREG_INDEXED_READ))
            return false;
    return true;
}

static bool uses_index(V v, unsigned type)
{
    const struct shader_instruction *i = &v->now;
    bool uses = i->has_destination && i->destination.relative && i->destination.relative_type == type;

    for (unsigned k = 0; k < i->source_count; k++)
        uses |= i->source[k].relative && i->source[k].relative_type == type;
    return uses;
}

bool rule_address_is_known(V v)
{
    return !uses_index(v, SREG_ADDRESS) || v->address_written;
}

/* Subroutines may use the counter of the loop that calls them. */
bool rule_counter_is_in_a_loop(V v)
{
    bool loop = v->level > 0;

    for (unsigned b = 0; b < v->depth; b++)
        loop |= v->block[b].opcode == SOP_LOOP;
    return loop || !uses_index(v, SREG_LOOP);
}

/* Different registers of a file among the sources. */
static unsigned ports(V v, unsigned type)
{
    const struct shader_parameter *s = v->now.source;
    unsigned different = 0;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        bool seen = s[k].type != type;

        for (unsigned j = 0; j < k; j++)
            seen |= s[j].type == type && s[j].number == s[k].number && s[j].relative == s[k].relative;
        different += !seen;
    }
    return different;
}

bool rule_one_constant(V v)
{
    /* the series of sincos come from two */
    return ports(v, SREG_CONST) <= (v->now.opcode == SOP_SINCOS ? 2u : 1u);
}

bool rule_two_constants(V v)
{
    return ports(v, SREG_CONST) <= 2;
}

bool rule_one_input(V v)
{
    return ports(v, SREG_INPUT) <= 1;
}

bool rule_one_texture(V v)
{
    return ports(v, SREG_TEXTURE) <= 1;
}

bool rule_two_textures(V v)
{
    return ports(v, SREG_TEXTURE) <= 2;
}

bool rule_constant_read_twice(V v)
{
    unsigned reads = 0;

    for (unsigned k = 0; k < v->now.source_count; k++)
        reads += v->now.source[k].type == SREG_CONST;
    return reads <= 2;
}

/* Temporaries are written before they are read. Writes in subroutines are not followed. */
bool rule_temps_are_written(V v)
{
    const struct shader_instruction *i = &v->now;

    if (!validator_is_code(i) || v->calls_seen || v->labels_seen)
        return true;
    if (i->opcode == SOP_TEXKILL && i->destination.type == SREG_TEMP &&
        i->destination.mask & 7 & ~(unsigned)v->temp_written[i->destination.number])
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_TEMP &&
            validator_components_read(v, k) & ~(unsigned)v->temp_written[i->source[k].number])
            return false;
    return true;
}

bool rule_inputs_are_fed(V v)
{
    for (unsigned k = 0; v->limits->declaration_known && k < v->now.source_count; k++)
        if (v->now.source[k].type == SREG_INPUT && !(v->limits->declared_inputs >> v->now.source[k].number & 1))
            return false;
    return true;
}

/* --- declarations ---------------------------------------------------------------------------------------------- */

bool rule_declarations_first(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_DEFINITION) || !v->code_seen;
}

/* Samplers, vPos and vFace as a whole, others by component. */
static bool is_declared(V v, const struct shader_parameter *p, unsigned components)
{
    bool texture = p->type == SREG_TEXTURE && v->reader.stage == SHADER_PIXEL;
    bool whole = p->type == SREG_SAMPLER || p->type == SREG_MISC;

    if ((!whole && !texture && p->type != SREG_INPUT) || p->relative || p->number >= 32)
        return true;
    return whole ? v->declared[p->type][p->number] != 0 : !(components & ~(unsigned)v->declared[p->type][p->number]);
}

bool rule_inputs_are_declared(V v)
{
    const struct shader_instruction *i = &v->now;

    if (!validator_is_code(i) || v->limits->directx8)
        return true;
    if (i->opcode == SOP_TEXKILL && !is_declared(v, &i->destination, i->destination.mask & 3))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!is_declared(v, &i->source[k], validator_components_read(v, k)))
            return false;
    return true;
}

bool rule_outputs_are_declared(V v)
{
    const struct shader_parameter *d = &v->now.destination;

    return !validator_writes(&v->now) || d->type != SREG_TEXCOORD_OUT || d->relative ||
           !(d->mask & ~(unsigned)v->declared[SREG_TEXCOORD_OUT][d->number]);
}

bool rule_components_are_new(V v)
{
    const struct shader_parameter *d = &v->now.destination;

    return v->now.opcode != SOP_DCL || !(d->mask & v->declared[d->type][d->number & 31]);
}

bool rule_meaning_is_new(V v)
{
    const struct shader_parameter *d = &v->now.destination;
    bool output = d->type == SREG_TEXCOORD_OUT;
    unsigned meaning = (v->now.usage & 15) << 8 | (v->now.usage >> 16 & 15) | (output ? 0x8000u : 0);

    if (v->now.opcode != SOP_DCL || (!output && d->type != SREG_INPUT))
        return true;
    for (unsigned i = 0; i < v->semantic_count; i++)
        if (v->semantic[i] == meaning)
            return false;
    return true;
}

bool rule_usage_exists(V v)
{
    return v->now.opcode != SOP_DCL || (v->now.usage & 15) <= 13;
}

bool rule_sampler_has_kind(V v)
{
    unsigned kind = v->now.usage >> 27 & 15;

    return v->now.opcode != SOP_DCL || v->now.destination.type != SREG_SAMPLER || (kind >= 2 && kind <= 4);
}

bool rule_input_usage(V v)
{
    unsigned usage = v->now.usage & 15, index = v->now.usage >> 16 & 15;

    if (v->now.opcode != SOP_DCL || v->now.destination.type != SREG_INPUT)
        return true;
    return !(usage == D3D_USAGE_POSITION && index == 0) && usage != D3D_USAGE_TESSFACTOR &&
           usage != D3D_USAGE_POSITIONT;
}
