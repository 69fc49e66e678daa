/* SPDX-License-Identifier: MIT */
/*
 * Operands: the lanes that a source names, and where results are written.
 */
#include "shader/run/machine.h"

#include <string.h>

const _Alignas(64) float machine_zeros[SHADER_LANES];
const _Alignas(64) float machine_ones[SHADER_LANES] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

/* --- sources ----------------------------------------------------------------------- */

static float constant(const struct machine *m, int32_t index, unsigned component)
{
    return (uint32_t)index < m->binding->float_count ? m->binding->floats[index][component] : 0.0f;
}

/* Returns whether the source has the same value in all lanes; then *value is that value. */
static bool uniform_source(const struct machine *m, const struct ir_source *s, unsigned component, float *value)
{
    switch (s->file) {
    case IR_CONSTANT:
        if (s->relative != IR_ABSOLUTE && s->relative != IR_AL)
            return false;
        *value = constant(m, s->index + (s->relative == IR_AL ? m->loop : 0), component);
        return true;
    case IR_IMMEDIATE:
        *value = m->code->immediates[s->index][component];
        return true;
    case IR_BUMP:
        *value = m->binding->registers->bump[s->index][component];
        return true;
    case IR_LUMINANCE:
        *value = m->binding->registers->luminance[s->index][component & 1];
        return true;
    default:
        return false;
    }
}

static void gather(const struct machine *m, const struct ir_source *s, unsigned component, float *out)
{
    const int32_t *address = m->address[s->relative - IR_A0_X];

    for (unsigned l = 0; l < m->lanes; l++) {
        int32_t index = s->index + address[l];

        if (s->file == IR_CONSTANT) {
            out[l] = constant(m, index, component);
        } else {
            index = index < 0 ? 0 : index;
            out[l] = m->base[PLAN_INPUT + 4 * BASE_MIN(index, SHADER_MAX_INPUTS - 1) + (int32_t)component][l];
        }
    }
}

/* x and y of the pixel; facing. */
static const float *pixel_value(const struct machine *m, unsigned index, unsigned component, float *out)
{
    if (index == 0)
        return component == 0 ? m->pixels->x : component == 1 ? m->pixels->y : machine_zeros;
    for (unsigned l = 0; l < m->lanes; l++)
        out[l] = m->pixels->front_facing[l / RASTER_QUAD_LANES] ? 1.0f : -1.0f;
    return out;
}

static const float *varying_source(const struct machine *m, const struct ir_source *s, unsigned component, float *out)
{
    int32_t index = s->index;

    if (s->relative >= IR_A0_X && s->relative <= IR_A0_W) {
        gather(m, s, component, out);
        return out;
    }
    switch (s->file) {
    case IR_TEMP:
        return m->temp[s->index][component];
    case IR_PIXEL:
        return pixel_value(m, s->index, component, out);
    default:
        index += s->relative == IR_AL ? m->loop : 0;
        index = index < 0 ? 0 : index;
        return m->base[PLAN_INPUT + 4 * BASE_MIN(index, SHADER_MAX_INPUTS - 1) + (int32_t)component];
    }
}

/* The lanes of one component of source k, with its modifiers applied. `component` is the register's component. */
static const float *register_lanes(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned component)
{
    const struct ir_source *s = &i->source[k];
    float *restrict out = m->scratch[k][component], value;

    if (uniform_source(m, s, component, &value)) {
        if (s->modifiers) {
            float lanes[16] = {value};

            alu_modify(s->modifiers, 1, lanes, lanes);
            value = lanes[0];
        }
        FOR_INDEPENDENT_LANES(m->lanes)
            out[l] = value;
        return out;
    }
    const float *lanes = varying_source(m, s, component, out);
    if (!s->modifiers)
        return lanes;
    alu_modify(s->modifiers, m->lanes, out, lanes);
    return out;
}

/* The lanes of component c after the swizzle. */
const float *machine_source(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned c)
{
    return register_lanes(m, i, k, (unsigned)i->source[k].swizzle >> 2 * c & 3);
}

/* All components in `needed`; each component of the register is fetched once. */
void machine_source_vector(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned needed,
                           const float *out[4])
{
    const float *by_component[4] = {NULL, NULL, NULL, NULL};

    for (unsigned c = 0; c < 4; c++) {
        unsigned component = (unsigned)i->source[k].swizzle >> 2 * c & 3;

        out[c] = machine_zeros;
        if (!(needed & (1u << c)))
            continue;
        if (!by_component[component])
            by_component[component] = register_lanes(m, i, k, component);
        out[c] = by_component[component];
    }
}

/* --- destinations ------------------------------------------------------------------ */

/* The lanes in which component c of the destination may be written. */
const int32_t *machine_write_mask(const struct machine *m, const struct ir_instruction *i, unsigned c,
                                  int32_t *restrict mask)
{
    if (i->predicate == IR_ALWAYS)
        return m->mask;
    const int32_t *p = m->predicate[i->predicate_swizzle >> 2 * c & 3];
    int32_t invert = i->predicate == IR_IF_CLEAR ? -1 : 0;
    FOR_INDEPENDENT_LANES(m->lanes)
        mask[l] = m->mask[l] & (p[l] ^ invert);
    return mask;
}

static void store_lanes(struct machine *m, const struct ir_instruction *i, unsigned c, float *out, const float *from)
{
    _Alignas(64) int32_t room[SHADER_LANES];

    if (m->full && i->predicate == IR_ALWAYS) {
        memcpy(out, from, m->lanes * sizeof(*out));
        return;
    }
    const int32_t *mask = machine_write_mask(m, i, c, room);
    FOR_INDEPENDENT_LANES(m->lanes)
        out[l] = mask[l] ? from[l] : out[l];
}

/* o[a0 + n]: each lane writes to the register that its a0 selects. */
static void scatter(struct machine *m, const struct ir_instruction *i, unsigned c)
{
    const struct ir_destination *d = &i->destination;
    const int32_t *address = m->address[d->relative - IR_A0_X];
    int32_t room[SHADER_LANES];
    const int32_t *mask = machine_write_mask(m, i, c, room);

    for (unsigned l = 0; l < m->lanes; l++)
        if (mask[l])
            m->output[machine_output_index(d->index + address[l])][c][l] = m->result[c][l];
}

static void store_depth(struct machine *m, const struct ir_instruction *i)
{
    float *restrict z = m->result[0];

    FOR_INDEPENDENT_LANES(m->lanes)
        z[l] = lane_limit(z[l], 0.0f, 1.0f);
    store_lanes(m, i, 0, m->pixels->z, z);
}

/* The lanes of the destination's component, if results may be written there directly; else NULL. */
float *machine_direct(struct machine *m, const struct ir_instruction *i, unsigned c)
{
    const struct ir_destination *d = &i->destination;

    if (!m->full || i->predicate != IR_ALWAYS || d->relative != IR_ABSOLUTE)
        return NULL;
    return d->file == IR_TEMP ? m->temp[d->index][c] : d->file == IR_OUTPUT ? m->output[d->index][c] : NULL;
}

/* Stores m->result in the destination of the instruction. */
void machine_store(struct machine *m, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;

    for (unsigned c = 0; c < 4; c++) {
        if (!(d->mask & (1u << c)))
            continue;
        if (d->shift || d->saturate)
            alu_finish(d->shift, d->saturate, m->lanes, m->result[c]);
        if (d->file == IR_TEMP)
            store_lanes(m, i, c, m->temp[d->index][c], m->result[c]);
        else if (d->file == IR_DEPTH && c == 0)
            store_depth(m, i);
        else if (d->file == IR_OUTPUT && (d->relative == IR_ABSOLUTE || d->relative == IR_AL))
            store_lanes(m, i, c, m->output[machine_output_index(d->index + (d->relative ? m->loop : 0))][c],
                        m->result[c]);
        else if (d->file == IR_OUTPUT)
            scatter(m, i, c);
    }
}
