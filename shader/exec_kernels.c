/* SPDX-License-Identifier: MIT */
/*
 * The executor of the IR: each instruction runs over all lanes of the batch before the next, so
 * that the cost of decoding it is shared by up to 64 fragments and the loops are the compiler's to
 * vectorize. Compiled once per CPU level; the scalar one is the definition.
 */
#include "raster/kernels.h"
#include "shader/ir.h"

#include <string.h>

struct executor {
    const struct shader_instance *instance;
    struct raster_batch *batch;
    unsigned lanes; /* multiple of 16 */
    _Alignas(64) float temp[IR_MAX_TEMPS][4][RASTER_LANES];
    _Alignas(64) float scratch[3][4][RASTER_LANES];
};

#define LANES(n) for (unsigned l = 0; l < (n); l++)

/* The lanes of one component of a source; modified values and constants go through scratch. */
static const float *source_lanes(struct executor *x, const struct ir_instruction *i, unsigned k,
                                 unsigned c)
{
    const struct ir_source *s = &i->source[k];
    unsigned component = (unsigned)s->swizzle >> (2 * c) & 3;
    float *restrict out = x->scratch[k][c];
    const float *lanes;

    if (s->file == IR_CONSTANT) {
        float v = x->instance->constant[s->index][component];

        v = s->modifiers & IR_COMPLEMENT ? 1.0f - v : v;
        v = s->modifiers & IR_NEGATE ? -v : v;
        LANES(x->lanes)
        out[l] = v;
        return out;
    }
    lanes =
        s->file == IR_TEMP ? x->temp[s->index][component] : x->batch->input[s->index][component];
    if (!s->modifiers)
        return lanes;
    bool complement = s->modifiers & IR_COMPLEMENT;
    float sign = s->modifiers & IR_NEGATE ? -1.0f : 1.0f;
    LANES(x->lanes)
    out[l] = (complement ? 1.0f - lanes[l] : lanes[l]) * sign;
    return out;
}

static inline float saturate(float v)
{
    v = v > 0.0f ? v : 0.0f;
    return v < 1.0f ? v : 1.0f;
}

static void finish(const struct ir_destination *d, float *restrict out, unsigned lanes)
{
    float scale = (float)(1u << (unsigned)d->shift);

    if (d->saturate) {
        LANES(lanes)
        out[l] = saturate(out[l] * scale);
    } else if (d->shift) {
        LANES(lanes)
        out[l] *= scale;
    }
}

/* One loop per operation and kind of finish; scaling by one is exact. */
#define FINISHED(expression)                                                                       \
    do {                                                                                           \
        if (d->saturate)                                                                           \
            LANES(lanes)                                                                           \
        out[l] = saturate((expression)*scale);                                                     \
        else LANES(lanes) out[l] = (expression)*scale;                                             \
    } while (0)

/* `out` may be one of the sources: lane l depends on lane l alone. */
static void componentwise(enum ir_op op, const struct ir_destination *d, unsigned lanes, float *out,
                          const float *a, const float *b, const float *c)
{
    float scale = (float)(1u << (unsigned)d->shift);

    switch (op) {
    case IR_MOV:
        FINISHED(a[l]);
        break;
    case IR_ADD:
        FINISHED(a[l] + b[l]);
        break;
    case IR_SUB:
        FINISHED(a[l] - b[l]);
        break;
    case IR_MUL:
        FINISHED(a[l] * b[l]);
        break;
    case IR_MAD:
        FINISHED(a[l] * b[l] + c[l]);
        break;
    default:
        FINISHED(a[l] * b[l] + (1.0f - a[l]) * c[l]);
        break;
    }
}

static void run_dot(struct executor *x, const struct ir_instruction *i,
                    float (*result)[RASTER_LANES])
{
    const float *a[3], *b[3];
    float *restrict out = result[0];

    for (unsigned c = 0; c < 3; c++) {
        a[c] = source_lanes(x, i, 0, c);
        b[c] = source_lanes(x, i, 1, c);
    }
    LANES(x->lanes)
    out[l] = a[0][l] * b[0][l] + a[1][l] * b[1][l] + a[2][l] * b[2][l];
    for (unsigned c = 1; c < 4; c++)
        memcpy(result[c], out, x->lanes * sizeof(*out));
}

static void run_texture(struct executor *x, const struct ir_instruction *i,
                        float (*result)[RASTER_LANES])
{
    _Alignas(64) float coordinate[3][RASTER_LANES];
    const struct raster_sampler *sampler = &x->instance->sampler[i->sampler];
    unsigned axes = sampler->texture && sampler->texture->kind != RASTER_TEXTURE_2D ? 3 : 2;

    for (unsigned c = 0; c < axes; c++) {
        const float *from = source_lanes(x, i, 0, c);

        if (i->project) {
            const float *q = source_lanes(x, i, 0, 3);

            LANES(x->lanes)
            coordinate[c][l] = from[l] / q[l];
        } else {
            memcpy(coordinate[c], from, x->lanes * sizeof(*from));
        }
    }
    if (axes == 2)
        memset(coordinate[2], 0, sizeof(coordinate[2]));
    x->instance->sample(sampler, x->batch->group_count, (const float(*)[RASTER_LANES])coordinate,
                        result);
    if (sampler->feedback)
        raster_record(sampler, x->batch->group_count, (const float(*)[RASTER_LANES])coordinate,
                      RASTER_LOD_COMPUTED, NULL, x->batch->covered);
}

/* Sources are read as they were before the instruction, whatever the destination overlaps. */
static void run_vector(struct executor *x, const struct ir_instruction *i,
                       float (*out)[RASTER_LANES], bool overlap)
{
    _Alignas(64) float result[4][RASTER_LANES];
    float(*to)[RASTER_LANES] = overlap ? result : out;
    unsigned sources = ir_source_count(i->op);

    for (unsigned c = 0; c < 4; c++) {
        const float *s[3] = {NULL, NULL, NULL};

        if (!(i->destination.mask & (1u << c)))
            continue;
        for (unsigned k = 0; k < sources; k++)
            s[k] = source_lanes(x, i, k, c);
        componentwise(i->op, &i->destination, x->lanes, to[c], s[0], s[1], s[2]);
    }
    for (unsigned c = 0; overlap && c < 4; c++)
        if (i->destination.mask & (1u << c))
            memcpy(out[c], result[c], x->lanes * sizeof(float));
}

/* Would writing component by component change what a later component reads? */
static bool overlaps(const struct ir_instruction *i)
{
    for (unsigned k = 0; k < ir_source_count(i->op); k++) {
        const struct ir_source *s = &i->source[k];

        if (s->file == i->destination.file && s->index == i->destination.index &&
            s->swizzle != IR_XYZW)
            return true;
    }
    return false;
}

static void run_instruction(struct executor *x, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;
    float(*out)[RASTER_LANES] =
        d->file == IR_OUTPUT ? x->batch->color[d->index] : x->temp[d->index];
    _Alignas(64) float result[4][RASTER_LANES];

    if (i->op != IR_DP3 && i->op != IR_TEX) {
        run_vector(x, i, out, overlaps(i));
        return;
    }
    if (i->op == IR_TEX && d->mask == 15 && !d->shift && !d->saturate) {
        run_texture(x, i, out); /* coordinates are copied before anything is written */
        return;
    }
    if (i->op == IR_DP3)
        run_dot(x, i, result);
    else
        run_texture(x, i, result);
    for (unsigned c = 0; c < 4; c++) {
        if (!(d->mask & (1u << c)))
            continue;
        finish(d, result[c], x->lanes);
        memcpy(out[c], result[c], x->lanes * sizeof(float));
    }
}

void KERNEL(shader_execute)(const void *program, struct raster_batch *batch)
{
    struct executor x;

    x.instance = program;
    x.batch = batch;
    x.lanes = batch->group_count * RASTER_GROUP_LANES;
    for (unsigned i = 0; i < x.instance->program->count; i++)
        run_instruction(&x, &x.instance->program->code[i]);
}
