/* SPDX-License-Identifier: MIT */
/*
 * Primitives whose pixels all have the same colour: their inputs are constant and the program reads nothing else. One
 * group is shaded, and its result is stored wherever the primitive is visible.
 */
#include "raster/tile/uniform.h"

#include "raster/tile/worker.h"

#include <string.h>

/* The number of blocks from which on it is worth shading a group by itself. */
#define FEWEST_BLOCKS 4

void tile_uniform_choose(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state.draw;

    w->state.may_be_uniform = w->state.output_count && state->program_reads_inputs_alone &&
                              state->fog_mode <= RASTER_FOG_VERTEX && state->coverage == RASTER_COVERAGE_NONE &&
                              !w->state.smooths && w->state.samples <= 1;
}

static bool inputs_are_constant(const struct scene_primitive *primitive)
{
    const struct raster_draw_state *state = primitive->state;
    const bool one_w = scene_has_one_w(primitive);

    for (unsigned i = 0; i < state->input_count; i++)
        if (!(primitive->constant_inputs >> i & 1) || (state->interpolation[i] == RASTER_PERSPECTIVE && !one_w))
            return false;
    return true;
}

/* Makes the fill pattern of an opaque target: the result as a group of its pixels. */
static void make_pattern(struct tile_worker *w, unsigned t)
{
    struct tile_output *output = &w->state.output[t];
    const unsigned bytes = raster_format_info(output->surface->format)->block_bytes;
    const struct raster_surface group = {
        .pixels = output->pattern,
        .pitch = 4 * bytes,
        .width = 4,
        .height = 4,
        .format = output->surface->format,
    };

    output->store(w->state.draw, &group, output->index, &w->batch.lanes, &(struct raster_place){0, 0, 0, 15, 0xffff},
                  1);
}

bool tile_uniform_begin(struct tile_worker *w, const struct scene_primitive *primitive, unsigned blocks, int x, int y)
{
    static const float no_depth[RASTER_GROUP_LANES];

    if (!w->state.may_be_uniform || blocks < FEWEST_BLOCKS || !inputs_are_constant(primitive))
        return false;
    tile_shade_batch(w);
    tile_push_group(w, primitive, x, y, 0xffff, no_depth);
    tile_color_batch(w);
    tile_empty_batch(w);
    for (unsigned t = 0; t < w->state.output_count; t++)
        if (w->state.output[t].fill)
            make_pattern(w, t);
    return true;
}

void tile_uniform_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    if (!w->batch.lanes.covered)
        return;
    if (w->state.special || w->state.tests_depth) {
        _Alignas(64) float z[RASTER_LANES];

        mask = tile_block_depth(w, primitive, x, y, mask, w->state.tests_depth, z);
    }
    tile_uniform_fill(w, x, y, mask);
}

void tile_uniform_fill(struct tile_worker *w, int x, int y, uint64_t mask)
{
    w->fragments += tile_count(mask);
    for (unsigned t = 0; t < w->state.output_count && mask; t++) {
        const struct tile_output *output = &w->state.output[t];

        if (output->fill) {
            output->fill(output->surface, x, y, mask, output->pattern);
            continue;
        }
        struct raster_place place[BATCH_GROUPS];

        for (unsigned g = 0; g < BATCH_GROUPS; g++)
            place[g] =
                (struct raster_place){x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, 0, 15, tile_group_bits(mask, g)};
        output->store(w->state.draw, output->surface, output->index, &w->batch.lanes, place, BATCH_GROUPS);
    }
}
