/* SPDX-License-Identifier: MIT */
/*
 * Rules about outputs and about the shader as a whole: counts of slots, required writes. validate_rules.c says which
 * apply to which model.
 */
#include "bytecode/rules.h"

/* --- outputs -------------------------------------------------------------------------------------------------------- */

static bool is_color(V v)
{
    return validator_writes(&v->now) && v->now.destination.type == SREG_COLOR_OUT;
}

static bool is_depth(V v)
{
    return validator_writes(&v->now) && v->now.destination.type == SREG_DEPTH_OUT;
}

bool rule_colors_by_mov(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return !is_color(v) || (v->now.opcode == SOP_MOV && v->now.destination.mask == 15 &&
                            s->swizzle == SHADER_IDENTITY && s->modifier == SMOD_NONE);
}

bool rule_depth_by_mov(V v)
{
    return !is_depth(v) || v->now.opcode == SOP_MOV;
}

bool rule_outputs_once(V v)
{
    if (is_color(v))
        return !(v->colors_written >> v->now.destination.number & 1);
    return !is_depth(v) || !v->depth_writes;
}

bool rule_outputs_unconditional(V v)
{
    return (!is_color(v) && !is_depth(v)) || (!v->dynamic_blocks && !v->dynamic && !v->now.predicated);
}

/* --- of the whole ------------------------------------------------------------------------------------------------------ */

bool rule_position_written(V v)
{
    return v->position_written == 15;
}

bool rule_position_declared(V v)
{
    return v->position_declared;
}

bool rule_color_written(V v)
{
    return v->first_color != 0;
}

bool rule_colors_without_gap(V v)
{
    return !(v->colors_written & (v->colors_written + 1u));
}

static unsigned all_slots(V v)
{
    return v->arithmetic + v->texture;
}

bool rule_slots_128(V v)
{
    return all_slots(v) <= 128;
}

bool rule_slots_256(V v)
{
    return all_slots(v) <= 256;
}

bool rule_slots_ps_1_0(V v)
{
    return v->arithmetic <= 8 && v->texture <= 4 && all_slots(v) <= 8;
}

bool rule_slots_ps_1(V v)
{
    return v->arithmetic <= 8 && v->texture <= 4;
}

bool rule_slots_ps_1_4(V v)
{
    for (unsigned p = 0; p < 2; p++)
        if (v->phase_arithmetic[p] > 8 || v->phase_texture[p] > 6)
            return false;
    return true;
}

bool rule_slots_ps_2_0(V v)
{
    return v->arithmetic <= 64 && v->texture <= 32;
}

bool rule_slots_ps_2_x(V v)
{
    return all_slots(v) <= BASE_MAX(v->caps->slots, 96u) && (v->caps->any_texture_count || v->texture <= 32);
}

bool rule_slots_3_0(V v)
{
    return all_slots(v) <= BASE_MAX(v->limits->slots_30, 512u);
}

bool rule_blocks_closed(V v)
{
    return !v->depth;
}

bool rule_labels_exist(V v)
{
    for (unsigned l = 0; l < VALIDATOR_LABELS; l++)
        if (v->label_called[l] && !v->label_placed[l])
            return false;
    return true;
}

bool rule_ends_with_ret(V v)
{
    return !v->labels_seen || v->before.opcode == SOP_RET;
}
