/* SPDX-License-Identifier: MIT */
/*
 * Runs the program of fixed-function vertex processing over a batch: registers are fetched, the
 * executor works, results go where drawing looks for them.
 */
#include "base/base.h"
#include "base/simd/simd4.h"
#include "hal/state/values.h"
#include "hal/vertex/store.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/lower.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"

#include <string.h>

/* --- inputs ------------------------------------------------------------------------------- */

static enum hal_component component_of(const struct tnl_program *p, unsigned reg)
{
    if (reg == TNL_V_POSITION2)
        return HAL_POSITION2;
    return reg == TNL_V_NORMAL2 && p->tween ? HAL_NORMAL2 : (enum hal_component)reg;
}

/* Four indices of matrices a vertex, byte by byte; those matrices are made ready. */
static void fetch_indices(struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source)
{
    hal_lanes *out = b->lanes.input[TNL_V_INDEX];
    uint32_t index[HAL_BATCH];

    if (!hal_fetch_bytes(source, HAL_BLEND_INDEX, &b->span, index))
        memset(index, 0, sizeof(index));
    for (unsigned k = 0; k <= p->weights; k++)
        for (unsigned i = 0; i < b->span.padded; i++) {
            const unsigned matrix = index[i] >> (8 * k) & 255;

            tnl_use_matrix(p, matrix);
            out[k][i] = (float)(int)matrix;
        }
}

static void fetch(struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source)
{
    for (uint32_t left = p->binding.program->inputs_read; left; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctz(left);

        if (reg == TNL_V_INDEX && p->blend_indexed)
            fetch_indices(p, b, source);
        else
            hal_fetch(source, component_of(p, reg), &b->span, b->lanes.input[reg]);
    }
}

/* --- results ------------------------------------------------------------------------------ */

static void store_planes(const struct tnl_program *p, const struct tnl_batch *b, struct hal_vertex *vertices)
{
    for (unsigned k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
        const float *distance = b->lanes.output[TNL_O_PLANES + k / 4][k % 4];

        for (unsigned i = 0; p->user_planes & 1u << k && i < b->span.padded; i++)
            vertices[i].plane[k] = distance[i];
    }
}

static void store_attribute(const struct tnl_batch *b, const struct tnl_link *link, struct raster_vertex *projected)
{
    const hal_lanes *value = b->lanes.output[link->from];
    const float *const from[4] = {value[0], value[1], value[2], value[3]};

    hal_store_attribute(from, false, link->slot, b->span.padded, projected);
}

static void store_fog(const struct tnl_program *p, const struct tnl_batch *b, struct raster_vertex *projected)
{
    const int slot = p->slot[HAL_ATTRIBUTE_FOG];

    for (unsigned i = 0; slot >= 0 && i < b->span.padded; i++)
        float4_store(projected[i].input[slot], (float4){b->lanes.output[TNL_O_FOG][0][i], 0, 0, 0});
}

static void store_sizes(const struct tnl_program *p, const struct tnl_batch *b, struct hal_vertex *vertices)
{
    for (unsigned i = 0; i < b->span.padded; i++)
        hal_store_size(b->lanes.output[TNL_O_SIZE][0][i], p->point_min, p->point_max, &vertices[i]);
}

static void compute(struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source,
                    struct hal_vertex *vertices, struct raster_vertex *projected)
{
    fetch(p, b, source);
    b->lanes.count = b->span.padded;
    p->execute(&p->binding, &b->lanes);
    if (!p->copies_position)
        hal_store_positions(b->lanes.output[TNL_O_POSITION], b->span.padded, vertices);
    if (p->user_planes)
        store_planes(p, b, vertices);
    for (unsigned i = 0; i < p->store_count; i++)
        store_attribute(b, &p->store[i], projected);
    store_fog(p, b, projected);
    if (p->points)
        store_sizes(p, b, vertices);
}

void tnl_run(struct tnl_program *p, struct tnl_batch *b, const struct hal_source *source, struct hal_vertex *vertices,
             struct raster_vertex *projected)
{
    hal_span_assert(&b->span, source);
    if (p->binding.program->outputs_written)
        compute(p, b, source, vertices, projected);
    if (p->copies_position)
        hal_copy(source, HAL_POSITION, &b->span, vertices->position, sizeof(*vertices));
    for (unsigned i = 0; i < p->copy_count; i++)
        hal_copy(source, p->copy[i].from, &b->span, projected->input[p->copy[i].slot], sizeof(*projected));
}
