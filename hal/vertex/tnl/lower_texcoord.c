/* SPDX-License-Identifier: MIT */
/*
 * Texture coordinates as IR: from the vertex or generated, through the texture matrix, with the
 * divisor of a projected stage put into w (docs/reference/vertex-processing.md, section 8).
 */
#include "hal/state/values.h"
#include "hal/vertex/tnl/emit.h"
#include "hal/vertex/tnl/lower.h"
#include "shader/ir/build.h"
#include "shader/ir/ir.h"

static struct ir_source absent(void) /* 0, 0, 0, 1 */
{
    return ir_swizzled(tnl_const(TNL_C_LITERAL), 0, 0, 0, 1);
}

/* R_REFLECTION = u - 2 (u . n) n with u the direction from the viewer to the vertex. */
static void reflect(struct tnl_lowering *t)
{
    const struct ir_source twice = ir_component(tnl_temp(R_SCRATCH), 3);

    tnl_length(t, R_REFLECTION, 8, tnl_temp(R_EYE));
    tnl_divide(t, R_REFLECTION, tnl_temp(R_EYE), tnl_zero());
    if (!t->needs_normal)
        return;
    EMIT2(t, IR_DP3, tnl_to(R_SCRATCH, 8), tnl_temp(R_REFLECTION), tnl_temp(R_NORMAL));
    EMIT2(t, IR_ADD, tnl_to(R_SCRATCH, 8), twice, twice);
    EMIT2(t, IR_MUL, tnl_to(R_SCRATCH, 7), tnl_temp(R_NORMAL), twice);
    EMIT2(t, IR_SUB, tnl_to(R_REFLECTION, 7), tnl_temp(R_REFLECTION), tnl_temp(R_SCRATCH));
}

/* (r.x / m + 1/2, r.y / m + 1/2, 0, 1), m = 2 |r - (0, 0, 1)|: what faces the viewer, whose r is (0, 0, -1), is the middle of the
 * map. */
static void sphere(struct tnl_lowering *t)
{
    const struct ir_source m = ir_component(tnl_temp(R_COORD), 3);

    reflect(t);
    EMIT1(t, IR_MOV, tnl_to(R_COORD, 3), tnl_temp(R_REFLECTION));
    EMIT2(t, IR_SUB, tnl_to(R_COORD, 4), tnl_temp(R_REFLECTION), tnl_one());
    tnl_length(t, R_COORD, 8, tnl_temp(R_COORD));
    EMIT2(t, IR_ADD, tnl_to(R_COORD, 8), m, m);
    tnl_divide(t, R_COORD, tnl_temp(R_REFLECTION), tnl_zero());
    EMIT2(t, IR_ADD, tnl_to(R_COORD, 3), tnl_temp(R_COORD), tnl_scalar(TNL_C_LITERAL, 2));
    EMIT1(t, IR_MOV, tnl_to(R_COORD, 12), absent());
}

static void generate(struct tnl_lowering *t, unsigned generator)
{
    struct ir_source from = tnl_temp(R_EYE);

    switch (generator) {
    case TNL_SPHERE:
        sphere(t);
        return;
    case TNL_NORMAL:
        from = t->needs_normal ? tnl_temp(R_NORMAL) : tnl_zero();
        break;
    case TNL_REFLECTION:
        reflect(t);
        from = tnl_temp(R_REFLECTION);
        break;
    default:
        break;
    }
    EMIT1(t, IR_MOV, tnl_to(R_COORD, 7), from);
    EMIT1(t, IR_MOV, tnl_to(R_COORD, 8), tnl_one());
}

/* A vector of k components gets 1 as its next component, so that this row of the matrix translates it. A set that
 * vertices lack remains (0, 0, 0, 1). */
static struct ir_source complete(struct tnl_lowering *t, struct ir_source v, unsigned components)
{
    if (components == 0 || components >= 4)
        return v;
    EMIT1(t, IR_MOV, tnl_to(R_COORD, (1u << components) - 1), v);
    EMIT1(t, IR_MOV, tnl_to(R_COORD, 1u << components), tnl_one());
    if (components < 3)
        EMIT1(t, IR_MOV, tnl_to(R_COORD, 15u & ~((2u << components) - 1)), tnl_zero());
    return tnl_temp(R_COORD);
}

static void lower_stage(struct tnl_lowering *t, unsigned s)
{
    const unsigned output = TNL_O_TEXCOORD + s, columns = t->key->texcoord[s].columns, set = t->key->texcoord[s].set,
                   divisor = t->key->texcoord[s].divisor;
    const unsigned matrix = TNL_C_TEXTURE + 4 * s, rest = 15u & ~((1u << columns) - 1);
    struct ir_source v = set < HAL_MAX_STAGES ? ir_register(IR_INPUT, 7 + set) : absent();

    if (t->key->texcoord[s].generate) {
        generate(t, t->key->texcoord[s].generate);
        v = tnl_temp(R_COORD);
    }
    if (columns) {
        if (!t->key->texcoord[s].generate)
            v = complete(t, v, t->key->texcoord[s].components);
        tnl_rows(t, IR_DP4, ir_target(IR_OUTPUT, output, 0), v, matrix, columns);
        if (rest)
            EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, output, rest), absent());
    } else {
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, output, 15), v);
    }
    if (divisor > 3)
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, output, 8), divisor == 4 ? tnl_one() : tnl_zero());
    else if (divisor < 3 && columns)
        EMIT2(t, IR_DP4, ir_target(IR_OUTPUT, output, 8), v, tnl_const(matrix + divisor));
    else if (divisor < 3)
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, output, 8), ir_component(v, divisor));
}

void tnl_lower_texcoords(struct tnl_lowering *t)
{
    for (unsigned s = 0; s < HAL_MAX_STAGES; s++)
        if (t->key->texcoord[s].wanted && tnl_copied_component(t->key, TNL_O_TEXCOORD + s) < 0)
            lower_stage(t, s);
}
