/* SPDX-License-Identifier: MIT */
/*
 * The rules a shader must keep to be created through the API, beyond what the driver needs to be safe: registers, read
 * ports, slots, masks, pairs, phases, declarations, flow, required writes. Each is a row of one table (validate_rules.c).
 * Source: docs/reference/shader-code.md.
 */
#ifndef HALCYON_BYTECODE_VALIDATE_H
#define HALCYON_BYTECODE_VALIDATE_H

#include "bytecode/bytecode.h"

/* The structure says what a device has in vs_2_x or ps_2_x beyond the least of model 2. Zero means the least. */
struct shader_caps_2x {
    bool predication, arbitrary_swizzle, gradients, any_dependent_reads,
        any_texture_count;  /* D3DVS20CAPS, D3DPS20CAPS */
    unsigned temps;         /* 12..32 */
    unsigned slots;         /* pixel shaders: 96..512 */
    unsigned static_depth;  /* StaticFlowControlDepth: of loops and calls, 1..4 */
    unsigned dynamic_depth; /* DynamicFlowControlDepth: 0..24 */
};

/* These limits differ between devices and between the APIs. Zero means the least a model has, or no question asked. */
struct shader_limits {
    uint16_t vertex_version, pixel_version; /* highest, as major << 8 | minor; 0: any */
    bool vertex_only, pixel_only;           /* the kind of shader; neither: either kind */
    unsigned vertex_constants;              /* 96 in vs_1_1, 256 later */
    struct shader_caps_2x vertex_2x, pixel_2x;
    unsigned slots_30;        /* 512 */
    bool directx8;            /* inputs need no dcl: a declaration feeds them */
    bool declaration_known;   /* directx8: `declared_inputs` is meant */
    uint32_t declared_inputs; /* bit n: v#n is fed */
};

/* All rules. False, and in *error (which may be NULL) the first broken rule and where. */
bool shader_validate(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                     struct shader_error *error);

/* Told of a broken rule that does not stop the code from running: its index (as in shader_rule_text) and where it was broken
 * first. */
typedef void shader_rule_report(void *user, unsigned rule, const struct shader_error *broken);

/* Only the rules without which code cannot be executed, or which the original runtime is known to enforce. False, and
 * in *error (which may be NULL) the first of these that is broken. Every other broken rule is passed to `report`, once
 * each. */
bool shader_validate_required(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                              shader_rule_report *report, void *user, struct shader_error *error);

/* The text of rule `index`, as in shader_error.text; NULL past the last. For tests and documentation. */
const char *shader_rule_text(unsigned index);
/* Does shader_validate_required reject code that breaks rule `index`? */
bool shader_rule_is_required(unsigned index);

#endif
