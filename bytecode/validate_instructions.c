/* SPDX-License-Identifier: MIT */
/* Rules about single instructions: arithmetic and texture reads. validate_rules.c says which apply to which model. */
#include "bytecode/rules.h"

/* --- arithmetic ----------------------------------------------------------------------------------------- */

bool rule_address_by_mov(V v)
{
    return !validator_writes(&v->now) || v->now.destination.type != SREG_ADDRESS ||
           (v->now.opcode == SOP_MOV && v->now.destination.mask == 1);
}

static bool writes_address(V v)
{
    return validator_writes(&v->now) && v->now.destination.type == SREG_ADDRESS;
}

bool rule_address_by_mova(V v)
{
    return !writes_address(v) || v->now.opcode == SOP_MOVA;
}

bool rule_mova_to_address(V v)
{
    return v->now.opcode != SOP_MOVA || writes_address(v);
}

bool rule_condition_is_r0(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return v->now.opcode != SOP_CND || (s->type == SREG_TEMP && s->number == 0 && s->swizzle == 0xff && !s->modifier);
}

bool rule_compare_elsewhere(V v)
{
    const struct shader_instruction *i = &v->now;

    for (unsigned k = 0; i->opcode == SOP_CMP && k < i->source_count; k++)
        if (i->source[k].type == i->destination.type && i->source[k].number == i->destination.number)
            return false;
    return true;
}

bool rule_three_compares(V v)
{
    return v->compares + (v->now.opcode == SOP_CMP) <= 3;
}

bool rule_four_dot_products(V v)
{
    return v->dot_products + (v->now.opcode == SOP_DP4) <= 4;
}

bool rule_scratch_is_temps(V v)
{
    const struct shader_parameter *s = v->now.source;

    return v->now.opcode != SOP_SGN || (s[1].type == SREG_TEMP && s[2].type == SREG_TEMP && s[1].number != s[2].number);
}

bool rule_series_is_constants(V v)
{
    const struct shader_parameter *s = v->now.source;

    return v->now.opcode != SOP_SINCOS ||
           (s[1].type == SREG_CONST && s[2].type == SREG_CONST && s[1].number != s[2].number);
}

/* A pair: arithmetic both, one of them writes alpha alone and the other does not write it. */
bool rule_paired(V v)
{
    const struct shader_instruction *a = &v->before, *b = &v->now;

    if (!b->coissue)
        return true;
    if (v->first || !a->info || a->coissue || (a->info->flags | b->info->flags) & (SOPF_TEXTURE | SOPF_DEFINITION))
        return false;
    return a->destination.mask == 8 ? !(b->destination.mask & 8)
                                    : b->destination.mask == 8 && !(a->destination.mask & 8);
}

bool rule_dp4_alone(V v)
{
    return !v->now.coissue || (v->now.opcode != SOP_DP4 && v->before.opcode != SOP_DP4);
}

/* --- textures of ps_1_x ------------------------------------------------------------------------------------- */

bool rule_textures_first(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || !v->arithmetic_seen;
}

/* A texture instruction that reads another's result (not what counts its source as a coordinate). */
static bool reads_stage(const struct shader_instruction *i)
{
    return i->info && i->info->flags & SOPF_TEXTURE && i->source_count && i->source[0].type == SREG_TEXTURE;
}

bool rule_stage_is_earlier(V v)
{
    return !reads_stage(&v->now) || v->now.source[0].number < v->now.destination.number;
}

bool rule_stage_is_sampled(V v)
{
    return !reads_stage(&v->now) || v->texture_written >> v->now.source[0].number & 1;
}

bool rule_stage_is_new(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || v->now.opcode == SOP_TEXKILL ||
           !(v->texture_written >> v->now.destination.number & 1);
}

/* texm3x2pad t1, then texm3x2tex t2; texm3x3pad t1, t2, then texm3x3* t3. */
bool rule_pads_in_a_row(V v)
{
    const struct shader_instruction *i = &v->now;
    bool two = i->opcode == SOP_TEXM3X2TEX || i->opcode == SOP_TEXM3X2DEPTH;
    bool three = i->opcode == SOP_TEXM3X3TEX || i->opcode == SOP_TEXM3X3 || i->opcode == SOP_TEXM3X3SPEC ||
                 i->opcode == SOP_TEXM3X3VSPEC;
    bool pad3 = i->opcode == SOP_TEXM3X3PAD;

    if (!i->info || !(i->info->flags & SOPF_TEXTURE))
        return !v->pads || !i->info;
    unsigned wanted = three ? 2 : two ? 1 : pad3 ? BASE_MIN(v->pads, 1u) : 0;
    unsigned kind = two ? SOP_TEXM3X2PAD : SOP_TEXM3X3PAD;

    return v->pads == wanted &&
           (!wanted || (v->before.opcode == kind && v->before.destination.number + 1 == i->destination.number));
}

bool rule_no_pads_left(V v)
{
    return !v->pads;
}

bool rule_one_phase(V v)
{
    return v->now.info || v->phases == 0;
}

bool rule_inputs_late(V v)
{
    return v->now.info || !v->early_input;
}

bool rule_computed_coordinates_late(V v)
{
    return v->now.info || !v->late_texture;
}

/* The number of the destination is that of the stage whose texture or matrix is meant. */
bool rule_stage_exists(V v)
{
    const struct shader_register_rule *stages = shader_register_rule(&v->reader, SREG_TEXTURE);
    bool names = v->now.opcode == SOP_TEX || v->now.opcode == SOP_BEM;

    return !names || v->now.destination.number < stages->count;
}

bool rule_one_bump(V v)
{
    return v->now.opcode != SOP_BEM || (v->bump_results == 0 && v->phases == 0);
}

bool rule_depth_from_r5(V v)
{
    return v->now.opcode != SOP_TEXDEPTH || (v->now.destination.type == SREG_TEMP && v->now.destination.number == 5);
}

bool rule_r5_is_dead(V v)
{
    const struct shader_instruction *i = &v->now;

    for (unsigned k = 0; v->depth_taken && k < i->source_count; k++)
        if (i->source[k].type == SREG_TEMP && i->source[k].number == 5)
            return false;
    return !v->depth_taken || !i->has_destination || i->destination.type != SREG_TEMP || i->destination.number != 5;
}

/* --- textures of models 2 and 3 -------------------------------------------------------------------------------- */

static bool samples(const struct shader_instruction *i)
{
    return i->info && i->info->flags & SOPF_TEXTURE && i->opcode != SOP_TEXKILL;
}

bool rule_samplers_in_place(V v)
{
    for (unsigned k = 0; k < v->now.source_count; k++)
        if ((v->now.source[k].type == SREG_SAMPLER) != (samples(&v->now) && k == 1))
            return false;
    return true;
}

bool rule_coordinates_plain(V v)
{
    return !samples(&v->now) || (v->now.source[0].swizzle == SHADER_IDENTITY && !v->now.source[0].modifier);
}

bool rule_coordinates_are_values(V v)
{
    return !samples(&v->now) || v->now.source[0].type == SREG_TEMP || v->now.source[0].type == SREG_TEXTURE;
}

bool rule_texels_to_temps(V v)
{
    return !samples(&v->now) || v->now.destination.type == SREG_TEMP;
}

bool rule_four_orders(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return v->caps->any_dependent_reads || !samples(&v->now) || s->type != SREG_TEMP || v->temp_order[s->number] < 4;
}

bool rule_gradients_supported(V v)
{
    unsigned opcode = v->now.opcode;

    return v->caps->gradients || (opcode != SOP_DSX && opcode != SOP_DSY && opcode != SOP_TEXLDD);
}

/* Quads must stay together where differences of computed values are taken. */
bool rule_gradients_in_the_open(V v)
{
    const struct shader_instruction *i = &v->now;
    bool takes = i->opcode == SOP_DSX || i->opcode == SOP_DSY || i->opcode == SOP_TEX;

    return !takes || i->source[0].type != SREG_TEMP || (!v->dynamic_blocks && !v->dynamic);
}
