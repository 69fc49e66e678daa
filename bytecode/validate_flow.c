/* SPDX-License-Identifier: MIT */
/* Rules about flow control and predicates. validate_rules.c says which apply to which model. */
#include "bytecode/rules.h"

/* --- flow ------------------------------------------------------------------------------------------------------- */

static unsigned source_type(V v, unsigned k)
{
    return k < v->now.source_count ? v->now.source[k].type : (unsigned)SREG_COUNT;
}

static bool operands_are_values(V v)
{
    const unsigned others =
        BIT(SREG_LABEL) | BIT(SREG_BOOLEAN) | BIT(SREG_INTEGER) | BIT(SREG_LOOP) | BIT(SREG_PREDICATE);

    for (unsigned k = 0; k < v->now.source_count; k++)
        if (others >> v->now.source[k].type & 1)
            return false;
    return true;
}

bool rule_operands_of_flow(V v)
{
    unsigned first = source_type(v, 0), second = source_type(v, 1);

    switch (v->now.opcode) {
    case SOP_CALL:
    case SOP_LABEL:
        return first == SREG_LABEL;
    case SOP_CALLNZ:
        return first == SREG_LABEL && (second == SREG_BOOLEAN || second == SREG_PREDICATE);
    case SOP_IF:
        return first == SREG_BOOLEAN || first == SREG_PREDICATE;
    case SOP_BREAKP:
        return first == SREG_PREDICATE;
    case SOP_LOOP:
        return first == SREG_LOOP && second == SREG_INTEGER;
    case SOP_REP:
        return first == SREG_INTEGER;
    default:
        return operands_are_values(v);
    }
}

bool rule_comparison_exists(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_COMPARES) || shader_comparison_name(v->now.control);
}

bool rule_block_was_opened(V v)
{
    unsigned open = v->depth ? v->block[v->depth - 1].opcode : SOP_NOP;

    switch (v->now.opcode) {
    case SOP_ELSE:
        return open == SOP_IF;
    case SOP_ENDIF:
        return open == SOP_IF || open == SOP_ELSE;
    case SOP_ENDLOOP:
        return open == SOP_LOOP;
    case SOP_ENDREP:
        return open == SOP_REP;
    default:
        return true;
    }
}

bool rule_break_leaves_a_loop(V v)
{
    unsigned opcode = v->now.opcode;

    return (opcode != SOP_BREAK && opcode != SOP_BREAKC && opcode != SOP_BREAKP) || v->loops;
}

bool rule_static_flow_fits(V v)
{
    return v->static_flow <= 16;
}

static bool opens_loop(V v)
{
    return v->now.opcode == SOP_LOOP || v->now.opcode == SOP_REP;
}

static bool opens_static_if(V v)
{
    return v->now.opcode == SOP_IF && !validator_is_dynamic(&v->now);
}

static bool is_call(V v)
{
    return v->now.opcode == SOP_CALL || v->now.opcode == SOP_CALLNZ;
}

static unsigned depth_2x(V v)
{
    return BASE_MAX(v->caps->static_depth, v->reader.stage == SHADER_VERTEX ? 1u : 0u);
}

bool rule_one_loop(V v)
{
    return !opens_loop(v) || v->loops < 1;
}

bool rule_loops_of_caps(V v)
{
    return !opens_loop(v) || v->loops < depth_2x(v);
}

bool rule_four_loops(V v)
{
    return !opens_loop(v) || v->loops < 4;
}

bool rule_calls_once(V v)
{
    return !is_call(v) || v->level < 1;
}

bool rule_calls_of_caps(V v)
{
    return !is_call(v) || v->level < depth_2x(v);
}

bool rule_calls_four_deep(V v)
{
    return !is_call(v) || v->level < 4;
}

bool rule_ifs_of_caps(V v)
{
    return !opens_static_if(v) || (depth_2x(v) && v->ifs < 24);
}

bool rule_ifs_24_deep(V v)
{
    return !opens_static_if(v) || v->ifs < 24;
}

bool rule_dynamic_of_caps(V v)
{
    bool dynamic = validator_is_dynamic(&v->now) || v->now.opcode == SOP_BREAK;

    return !dynamic || v->dynamic_blocks < v->caps->dynamic_depth;
}

bool rule_dynamic_24_deep(V v)
{
    return !validator_is_dynamic(&v->now) || v->dynamic_blocks < 24;
}

static unsigned label_of(V v)
{
    return v->now.source[0].number & (VALIDATOR_LABELS - 1);
}

bool rule_calls_forward(V v)
{
    return !is_call(v) || !v->label_placed[label_of(v)];
}

bool rule_label_is_new(V v)
{
    return v->now.opcode != SOP_LABEL || !v->label_placed[label_of(v)];
}

bool rule_label_behind_ret(V v)
{
    return v->now.opcode != SOP_LABEL || (v->before.opcode == SOP_RET && !v->depth);
}

bool rule_nothing_behind_ret(V v)
{
    return v->before.opcode != SOP_RET || v->depth || v->now.opcode == SOP_LABEL;
}

/* --- predicates -------------------------------------------------------------------------------------------------- */

static bool uses_predicate(V v)
{
    bool uses = v->now.predicated || v->now.opcode == SOP_SETP;

    for (unsigned k = 0; k < v->now.source_count; k++)
        uses |= v->now.source[k].type == SREG_PREDICATE;
    return uses;
}

bool rule_predication_supported(V v)
{
    return v->caps->predication || !uses_predicate(v);
}

bool rule_predicate_known(V v)
{
    return v->now.opcode == SOP_SETP || !uses_predicate(v) || v->predicate_set || v->calls_seen || v->labels_seen;
}

bool rule_predicate_on_results(V v)
{
    return !v->now.predicated || !(v->now.info->flags & (SOPF_FLOW | SOPF_DEFINITION));
}

bool rule_predicate_swizzle(V v)
{
    unsigned swizzle = v->now.predicate.swizzle;

    return !v->now.predicated || swizzle == SHADER_IDENTITY || validator_is_replicated(swizzle);
}

bool rule_predicate_by_setp(V v)
{
    return (validator_writes(&v->now) && v->now.destination.type == SREG_PREDICATE) == (v->now.opcode == SOP_SETP);
}
