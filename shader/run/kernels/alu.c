/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic over lanes. Compiled once per CPU level; the scalar level is the definition.
 */
#include "base/assert.h"
#include "shader/run/alu.h"
#include "shader/run/lane_math.h"

#define EACH_LANE(expression)    \
    FOR_INDEPENDENT_LANES(lanes) \
        out[l] = (expression);   \
    break

static void differences(enum ir_op op, unsigned lanes, float *restrict out, const float *restrict a)
{
    unsigned step = op == IR_DDX ? 1 : 2; /* lane numbers differ by this from those of the neighbour */

    for (unsigned l = 0; l < lanes; l++)
        out[l] = a[l | step] - a[l & ~step];
}

/* Less common operations, each as a function of one lane. */
static void component_more(enum ir_op op, unsigned lanes, float *out, const float *a, const float *b, const float *c)
{
    switch (op) {
    case IR_SLT:
        EACH_LANE(a[l] < b[l] ? 1.0f : 0.0f);
    case IR_SGE:
        EACH_LANE(a[l] >= b[l] ? 1.0f : 0.0f);
    case IR_CMP:
        EACH_LANE(a[l] >= 0.0f ? b[l] : c[l]);
    case IR_CND:
        EACH_LANE(a[l] > 0.5f ? b[l] : c[l]);
    case IR_FLOOR:
        EACH_LANE(lane_floor(a[l]));
    case IR_FRC:
        EACH_LANE(a[l] - lane_floor(a[l]));
    case IR_SGN:
        EACH_LANE(lane_sign(a[l]));
    case IR_DIV:
        EACH_LANE(lane_divide(a[l], b[l]));
    case IR_RCP:
        EACH_LANE(lane_rcp(a[l]));
    case IR_RSQ:
        EACH_LANE(lane_rsq(a[l]));
    case IR_SQRT:
        EACH_LANE(sqrtf(a[l]));
    case IR_EXP2:
        EACH_LANE(lane_exp2(a[l]));
    case IR_LOG2:
        EACH_LANE(lane_log2(a[l]));
    case IR_POW:
        EACH_LANE(lane_pow(a[l], b[l]));
    default:
        differences(op, lanes, out, a);
        break;
    }
}

void alu_component(enum ir_op op, unsigned lanes, float *out, const float *a, const float *b, const float *c)
{
    BASE_ASSERT(lanes > 0 && lanes % 16 == 0);
    BASE_ASSERT((op != IR_DDX && op != IR_DDY) || (out != a && out != b && out != c));
    switch (op) {
    case IR_MOV:
        EACH_LANE(a[l]);
    case IR_ADD:
        EACH_LANE(a[l] + b[l]);
    case IR_SUB:
        EACH_LANE(a[l] - b[l]);
    case IR_MUL:
        EACH_LANE(lane_mul(a[l], b[l]));
    case IR_MAD:
        EACH_LANE(lane_mad(a[l], b[l], c[l]));
    case IR_LRP:
        EACH_LANE(c[l] + lane_mul(a[l], b[l] - c[l]));
    case IR_MIN:
        EACH_LANE(a[l] < b[l] ? a[l] : b[l]);
    case IR_MAX:
        EACH_LANE(a[l] >= b[l] ? a[l] : b[l]);
    default:
        component_more(op, lanes, out, a, b, c);
        break;
    }
}

void alu_dot(unsigned terms, unsigned lanes, float *out, const float *const *a, const float *const *b,
             const float *more)
{
    BASE_ASSERT(terms == 3 || terms == 4 || (terms == 2 && more));
    const float *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];

    if (terms == 4) {
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = lane_product(a0[l], b0[l]) + lane_product(a1[l], b1[l]) + lane_product(a2[l], b2[l]) +
                     lane_product(a3[l], b3[l]) + 0.0f;
    } else if (terms == 3) {
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = lane_product(a0[l], b0[l]) + lane_product(a1[l], b1[l]) + lane_product(a2[l], b2[l]) + 0.0f;
    } else {
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = lane_product(a0[l], b0[l]) + lane_product(a1[l], b1[l]) + more[l] + 0.0f;
    }
}

void alu_compare(enum ir_compare compare, unsigned lanes, int32_t *out, const float *a, const float *b)
{
    switch (compare) {
    case IR_GT:
        EACH_LANE(a[l] > b[l] ? -1 : 0);
    case IR_EQ:
        EACH_LANE(a[l] == b[l] ? -1 : 0);
    case IR_GE:
        EACH_LANE(a[l] >= b[l] ? -1 : 0);
    case IR_LT:
        EACH_LANE(a[l] < b[l] ? -1 : 0);
    case IR_NE:
        EACH_LANE(a[l] != b[l] ? -1 : 0);
    default:
        EACH_LANE(a[l] <= b[l] ? -1 : 0);
    }
}

void alu_lit(unsigned lanes, float *out, const float *x, const float *y, const float *w)
{
    FOR_INDEPENDENT_LANES(lanes)
        out[l] = lane_lit(x[l], y[l], w[l]);
}

void alu_sincos(unsigned lanes, float *sine, float *cosine, const float *angle)
{
    FOR_INDEPENDENT_LANES(lanes)
        lane_sincos(angle[l], &sine[l], &cosine[l]);
}

void alu_modify(unsigned modifiers, unsigned lanes, float *out, const float *in)
{
    if (modifiers == IR_NEGATE) {
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = -in[l];
        return;
    }
    if (modifiers & IR_CLAMP)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = lane_limit(in[l], -1.0f, 1.0f);
    else if (modifiers & IR_SATURATE)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = lane_limit(in[l], 0.0f, 1.0f);
    else
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = in[l];
    if (modifiers & IR_ABS)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = fabsf(out[l]);
    if (modifiers & IR_BIAS)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = out[l] - 0.5f;
    if (modifiers & IR_SIGNED)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = 2.0f * out[l] - 1.0f;
    if (modifiers & IR_DOUBLE)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = 2.0f * out[l];
    if (modifiers & IR_COMPLEMENT)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = 1.0f - out[l];
    if (modifiers & IR_NEGATE)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = -out[l];
}

void alu_finish(int shift, bool saturate, unsigned lanes, float *out)
{
    float scale = shift < 0 ? 1.0f / (float)(1 << -shift) : (float)(1 << shift);

    if (saturate)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] = lane_limit(out[l] * scale, 0.0f, 1.0f);
    else if (shift)
        FOR_INDEPENDENT_LANES(lanes)
            out[l] *= scale;
}
