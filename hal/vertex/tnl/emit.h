/* SPDX-License-Identifier: MIT */
/*
 * Shared by lower.c and lower_texcoord.c: the program under construction, and shorthands to add to it. Private to the
 * two files.
 */
#ifndef HALCYON_HAL_VERTEX_TNL_EMIT_H
#define HALCYON_HAL_VERTEX_TNL_EMIT_H

#include "shader/ir/build.h"
#include "shader/ir/ir.h"

#include <stdbool.h>

struct tnl_key;

/* The longest program: eight spots with specular, eight matrices of texture coordinates, blending
 * through four world matrices. */
#define TNL_MAX_INSTRUCTIONS 1024

/* r registers. */
enum {
    R_POSITION,
    R_TWEENED,
    R_EYE,
    R_NORMAL,
    R_SCRATCH,
    R_REST,
    R_LIGHT,    /* towards the light; w: distance */
    R_STRENGTH, /* x: of the light, z: N . L, w: of the diffuse part */
    R_SPOT,
    R_HALF,
    R_VIEWER,
    R_AMBIENT_SUM,
    R_DIFFUSE_SUM,
    R_SPECULAR_SUM,
    R_COORD,
    R_REFLECTION,
};

struct tnl_lowering {
    const struct tnl_key *key;
    bool needs_eye, needs_normal;
    unsigned count;
    struct ir_instruction code[TNL_MAX_INSTRUCTIONS];
};

struct ir_source tnl_const(unsigned index);
struct ir_source tnl_scalar(unsigned index, unsigned component);
struct ir_source tnl_zero(void);
struct ir_source tnl_one(void);
struct ir_source tnl_temp(unsigned index);
struct ir_destination tnl_to(unsigned index, unsigned mask);

void tnl_emit(struct tnl_lowering *t, unsigned op, struct ir_destination d, struct ir_source a, struct ir_source b,
              struct ir_source c);
#define EMIT1(t, op, d, a)       tnl_emit(t, op, d, a, (struct ir_source){0}, (struct ir_source){0})
#define EMIT2(t, op, d, a, b)    tnl_emit(t, op, d, a, b, (struct ir_source){0})
#define EMIT3(t, op, d, a, b, c) tnl_emit(t, op, d, a, b, c)

/* Component n of d = op of the vector and constant `columns` + n; n below count. */
void tnl_rows(struct tnl_lowering *t, unsigned op, struct ir_destination d, struct ir_source vector, unsigned columns,
              unsigned count);
/* The one component of `mask` = length of v.xyz. */
void tnl_length(struct tnl_lowering *t, unsigned temp, unsigned mask, struct ir_source v);
/* temp.xyz = v / temp.w where that is above 0, else `otherwise`. */
void tnl_divide(struct tnl_lowering *t, unsigned temp, struct ir_source v, struct ir_source otherwise);

void tnl_lower_texcoords(struct tnl_lowering *t);

#endif
