/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions: coordinates, levels of detail, and projection as the stage's binding demands.
 */
#include "shader/run/machine.h"

#include <string.h>

unsigned machine_divisor(const struct shader_binding *b, const struct ir_instruction *i,
                         const struct raster_texture *texture)
{
    unsigned q = i->project ? 4 : 0;

    if ((i->stage_project || i->op == IR_PROJECT) && i->sampler < SHADER_MAX_STAGES)
        q = BASE_MIN(b->registers->projected[i->sampler], 4u);
    return texture && texture->kind == RASTER_TEXTURE_CUBE ? 0 : q;
}

void machine_divide(unsigned lanes, const float *q, const float *const *from, unsigned axes, float (*to)[SHADER_LANES])
{
    for (unsigned c = 0; c < axes; c++) {
        float *restrict out = to[c];

        FOR_INDEPENDENT_LANES(lanes)
            out[l] = from[c][l] / q[l];
    }
}

void machine_project(struct machine *m, const struct ir_instruction *i)
{
    const struct shader_binding *b = m->binding;
    const bool sampled = b->program->samplers >> i->sampler & 1;
    unsigned q = machine_divisor(b, i, sampled ? b->sampler[i->sampler].texture : NULL);
    const float *a[4];

    machine_source_vector(m, i, 0, 15, a);
    if (q)
        machine_divide(m->lanes, a[q - 1], a, 3, m->result);
    else
        for (unsigned c = 0; c < 3; c++)
            memcpy(m->result[c], a[c], m->lanes * sizeof(float));
    machine_store(m, i);
}

/* The derivatives of u, v, w in x and y, from sources 1 and 2. */
static void copy_gradients(struct machine *m, const struct ir_instruction *i, float (*lod)[SHADER_LANES])
{
    const float *d[2][4];

    machine_source_vector(m, i, 1, 7, d[0]);
    machine_source_vector(m, i, 2, 7, d[1]);
    for (unsigned c = 0; c < 6; c++)
        memcpy(lod[c], d[c / 3][c % 3], m->lanes * sizeof(float));
}

/* The lanes whose reads count as reads of the program: neither helper pixels nor lanes that flow control or p0
 * disables. */
static uint64_t recorded_lanes(const struct machine *m, const struct ir_instruction *i)
{
    uint64_t lanes = m->pixels ? m->active & m->pixels->covered : m->active, written = 0;
    _Alignas(64) int32_t room[SHADER_LANES];

    if (i->predicate == IR_ALWAYS)
        return lanes;
    for (unsigned c = 0; c < 4; c++)
        if (i->destination.mask >> c & 1)
            written |= machine_pack_mask(m->lanes, machine_write_mask(m, i, c, room));
    return lanes & written;
}

/* Do a sampler's coordinates and result overlap? The sampler may write before it has read everything. */
static bool overlap(const float *from, unsigned axes, const float *out)
{
    const uintptr_t a = (uintptr_t)from, b = (uintptr_t)out;

    return a < b + 4 * SHADER_LANES * sizeof(float) && b < a + axes * SHADER_LANES * sizeof(float);
}

/* The coordinates in place, if their components are adjacent in memory and the result is not written there; else
 * NULL. */
static const float (*coordinates_in_place(const float *const *from, unsigned axes,
                                          const float (*out)[SHADER_LANES]))[SHADER_LANES]
{
    for (unsigned c = 1; c < axes; c++)
        if (from[c] != from[0] + c * SHADER_LANES)
            return NULL;
    return overlap(from[0], axes, out[0]) ? NULL : (const float(*)[SHADER_LANES])from[0];
}

void machine_texture(struct machine *m, const struct ir_instruction *i)
{
    const struct raster_sampler *sampler = &m->binding->sampler[i->sampler];
    unsigned axes = raster_texture_axes(sampler->texture);
    unsigned q = machine_divisor(m->binding, i, sampler->texture), needed = (1u << axes) - 1;
    bool given = i->lod == RASTER_LOD_BIASED || i->lod == RASTER_LOD_GIVEN;
    _Alignas(64) float room[3][SHADER_LANES], lod[6][SHADER_LANES];
    const float *a[4], (*coordinate)[SHADER_LANES];
    float(*out)[SHADER_LANES] = m->result;
    const struct ir_destination *d = &i->destination;
    bool whole = d->mask == 15 && !d->shift && !d->saturate && machine_direct(m, i, 0);

    if (whole)
        out = d->file == IR_TEMP ? m->temp[d->index] : m->output[d->index];
    needed |= q ? 1u << (q - 1) : 0;
    machine_source_vector(m, i, 0, needed | (given ? 8 : 0), a);
    coordinate = q ? NULL : coordinates_in_place(a, axes, (const float(*)[SHADER_LANES])out);
    if (q)
        machine_divide(m->lanes, a[q - 1], a, axes, room);
    else if (!coordinate)
        for (unsigned c = 0; c < axes; c++)
            memcpy(room[c], a[c], m->lanes * sizeof(float));
    if (!coordinate)
        coordinate = (const float(*)[SHADER_LANES])room;
    if (given)
        memcpy(lod[0], a[3], m->lanes * sizeof(float));
    else if (i->lod == RASTER_LOD_GRADIENTS)
        copy_gradients(m, i, lod);
    if (sampler->feedback)
        KERNEL(raster_sample_recorded)
    (sampler, m->lanes / RASTER_GROUP_LANES, coordinate, i->lod, (const float(*)[SHADER_LANES])lod,
     recorded_lanes(m, i), out);
    else m->binding->sample(sampler, m->lanes / RASTER_GROUP_LANES, coordinate, i->lod,
                            (const float(*)[SHADER_LANES])lod, out);
    if (!whole)
        machine_store(m, i);
}

bool machine_texture_direct(struct machine *m, const struct ir_instruction *i, const float *const *from)
{
    const struct raster_sampler *sampler = &m->binding->sampler[i->sampler];
    const struct ir_destination *d = &i->destination;
    float(*out)[SHADER_LANES] = d->file == IR_TEMP ? m->temp[d->index] : m->output[d->index];
    const unsigned axes = raster_texture_axes(sampler->texture);

    /* the sampler needs adjacent coordinates that do not overlap its result */
    if (sampler->feedback || machine_divisor(m->binding, i, sampler->texture) || overlap(from[0], axes, out[0]) ||
        from[1] != from[0] + SHADER_LANES || (axes == 3 && from[2] != from[1] + SHADER_LANES))
        return false;
    m->binding->sample(sampler, m->lanes / RASTER_GROUP_LANES, (const float(*)[SHADER_LANES])from[0], i->lod, NULL,
                       out);
    return true;
}
