/* SPDX-License-Identifier: MIT */
/*
 * Holds what the validator knows while it walks through a shader; private to validate.c, which keeps it, and the rules
 * (rules.h), which ask.
 */
#ifndef HALCYON_BYTECODE_VALIDATOR_H
#define HALCYON_BYTECODE_VALIDATOR_H

#include "bytecode/validate.h"
#include "d3d/usages.h"

#define VALIDATOR_TEMPS     32
#define VALIDATOR_LABELS    2048
#define VALIDATOR_SEMANTICS 64
#define VALIDATOR_BLOCKS    64
#define VALIDATOR_RULES     160 /* at least as many as the table has */

struct validator_block {
    uint16_t opcode; /* SOP_IF, SOP_ELSE, SOP_LOOP, SOP_REP */
    bool dynamic;    /* its condition is computed */
};

struct validator {
    const struct shader_limits *limits;
    shader_rule_report *report; /* NULL: the first broken rule ends the walk */
    void *user;
    bool reported[VALIDATOR_RULES];
    const struct shader_caps_2x *caps; /* of this stage */
    struct shader_reader reader;
    struct shader_instruction now, before;
    bool first; /* no instruction comes before it */

    /* counters, in slots where the model counts slots */
    unsigned arithmetic, texture;
    unsigned phase_arithmetic[2], phase_texture[2];
    unsigned compares, dot_products, divisions, bump_results, static_flow;
    unsigned phases;
    bool code_seen, arithmetic_seen; /* arithmetic: in this phase */

    /* registers */
    uint8_t temp_written[VALIDATOR_TEMPS]; /* components */
    uint8_t temp_order[VALIDATOR_TEMPS];   /* of dependent reads */
    uint8_t texture_written, address_written;
    uint8_t position_written, colors_written, depth_writes;
    uint8_t first_color;             /* components of r0 or oC0 */
    bool predicate_set, depth_taken; /* depth: texdepth has used up r5 */
    bool early_input, late_texture;  /* in this phase: v# is read; something that only phase 2 may do */
    unsigned pads;                   /* texm3x2pad, texm3x3pad waiting for their end */

    /* declarations */
    uint8_t declared[SREG_COUNT][32];       /* components */
    uint16_t semantic[VALIDATOR_SEMANTICS]; /* usage << 8 | index; bit 15: of an output */
    unsigned semantic_count;
    bool position_declared;

    /* flow */
    struct validator_block block[VALIDATOR_BLOCKS];
    unsigned depth, ifs, loops, dynamic_blocks;
    uint8_t label_level[VALIDATOR_LABELS]; /* calls above the label */
    bool label_placed[VALIDATOR_LABELS], label_called[VALIDATOR_LABELS], label_dynamic[VALIDATOR_LABELS];
    unsigned level; /* calls above this instruction */
    bool dynamic, labels_seen, calls_seen;
};

enum validator_when { VALIDATE_START, VALIDATE_INSTRUCTION, VALIDATE_END };

struct validator_rule {
    uint16_t vs_first, vs_last, ps_first, ps_last; /* versions; 0: not in this stage */
    uint8_t when;
    bool required; /* broken, it always stops the shader from being created */
    bool (*holds)(const struct validator *v);
    const char *text;
};

extern const struct validator_rule validator_rules[];
extern const unsigned validator_rule_count;

/* Instruction that computes or samples, not declaration, definition or phase. */
static inline bool validator_is_code(const struct shader_instruction *i)
{
    return i->info && !(i->info->flags & SOPF_DEFINITION);
}

/* The destination is written (texkill only looks at it). */
static inline bool validator_writes(const struct shader_instruction *i)
{
    return i->has_destination && validator_is_code(i) && i->opcode != SOP_TEXKILL;
}

/* The block or call depends on computed values. */
static inline bool validator_is_dynamic(const struct shader_instruction *i)
{
    return i->opcode == SOP_IFC || i->opcode == SOP_BREAKC || i->opcode == SOP_BREAKP ||
           (i->opcode == SOP_IF && i->source[0].type == SREG_PREDICATE) ||
           (i->opcode == SOP_CALLNZ && i->source[1].type == SREG_PREDICATE);
}

/* Components of source k that the instruction reads. */
unsigned validator_components_read(const struct validator *v, unsigned k);

#endif
