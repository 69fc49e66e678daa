/* SPDX-License-Identifier: MIT */
/*
 * Multisampled targets: coverage and depth per sample, colour once per pixel, at its centre. A
 * target's samples lie in planes of their own, so that the kernels for single samples serve each of
 * them. Rules: docs/reference/rasterization.md, section 11.
 */
#include "raster/tile/samples.h"

#include "base/assert.h"
#include "raster/tile/conservative.h"
#include "raster/tile/special.h"
#include "raster/tile/worker.h"

#include <string.h>

static struct raster_surface plane(const struct raster_surface *surface, unsigned sample)
{
    struct raster_surface one = *surface;
    unsigned last = surface->samples > 1 ? surface->samples - 1 : 0;

    one.pixels += BASE_MIN(sample, last) * surface->sample_stride;
    return one;
}

static const float centre[2] = {0.0f, 0.0f};

/* --- depth -------------------------------------------------------------------------------- */

/* Depth of each sample of a group, tested if that may be done before shading. `mask`: what each sample covers,
 * replaced by what passes; centre_z: depth at the pixels' centres. Returns the pixels of which some sample is left. */
static uint32_t samples_depth(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                              uint16_t *mask, float *centre_z)
{
    const struct raster_sample_position *position = raster_sample_positions(w->state.samples);
    const bool per_sample = w->state.draw->rasterizer.multisample, depth = w->state.tests_depth;
    const bool clamps = w->state.draw->rasterizer.depth_clamp || primitive->conservative;
    uint32_t left = 0;

    w->state.interpolate_depth(primitive, x, y, centre, centre_z);
    if (clamps)
        tile_clamp_depth(w->state.draw, centre_z);
    for (unsigned s = 0; s < w->state.samples; s++) {
        float *z = w->batch.sample_z[g][s];

        if (mask[s] && depth) {
            const float offset[2] = {(float)position[s].x * (1.0f / 16.0f), (float)position[s].y * (1.0f / 16.0f)};

            w->state.interpolate_depth(primitive, x, y, per_sample ? offset : centre, z);
            if (clamps)
                tile_clamp_depth(w->state.draw, z);
            if (w->state.early_depth) {
                struct raster_surface target = plane(&w->targets->depth, s);

                mask[s] = (uint16_t)w->kernels->depth_stencil(w->state.draw, &target, x, y, z, mask[s],
                                                              primitive->front_facing);
            }
        }
        left |= mask[s];
    }
    if (w->state.early_depth && !w->state.output_count) {
        w->fragments += tile_count(left);
        return 0;
    }
    return left;
}

static void add_masks(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint16_t *mask)
{
    unsigned g = w->batch.group_count;
    _Alignas(64) float z[RASTER_GROUP_LANES];

    if (w->state.smooths) {
        const uint32_t touched = tile_smooth_group(w, primitive, g, x, y, 0xffff);

        for (unsigned s = 0; s < w->state.samples; s++)
            mask[s] &= (uint16_t)touched;
    }
    uint32_t left = samples_depth(w, primitive, g, x, y, mask, z);

    if (!left)
        return;
    memcpy(w->batch.sample_mask[g], mask, sizeof(w->batch.sample_mask[g]));
    tile_push_group(w, primitive, x, y, left, z);
}

void samples_add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask)
{
    uint16_t masks[RASTER_MAX_SAMPLES] = {0};

    for (unsigned s = 0; s < w->state.samples; s++)
        masks[s] = w->state.draw->sample_mask & (1u << s) ? (uint16_t)mask : 0;
    add_masks(w, primitive, x, y, masks);
}

/* Adds a group that has passed the early-Z test. */
static void push_masks(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t left,
                       const uint16_t *mask)
{
    _Alignas(64) float z[RASTER_GROUP_LANES];

    if (w->state.needs_z)
        w->state.interpolate_depth(primitive, x, y, centre, z);
    memcpy(w->batch.sample_mask[w->batch.group_count], mask, RASTER_MAX_SAMPLES * sizeof(*mask));
    tile_push_group(w, primitive, x, y, left, z);
}

/* Depth and stencil tests of a block, sample by sample; what is left. */
static uint64_t block_depth(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                            uint64_t *covered)
{
    const struct raster_sample_position *position = raster_sample_positions(w->state.samples);
    const float per_sample = w->state.draw->rasterizer.multisample ? 1.0f / 16.0f : 0.0f;
    uint64_t any = 0;

    for (unsigned s = 0; s < w->state.samples; s++) {
        const float offset[2] = {(float)position[s].x * per_sample, (float)position[s].y * per_sample};
        const struct raster_surface target = plane(&w->targets->depth, s);

        if (covered[s])
            covered[s] = w->state.depth_test.run(&w->state.depth_test, &target, primitive, x, y, offset, covered[s]);
        any |= covered[s];
    }
    return any;
}

/* Adds a block all of whose samples are to be drawn: as if it had one. */
static void add_whole_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    _Alignas(64) float z[RASTER_LANES];

    if (w->state.needs_z)
        w->state.interpolate_depth_block(primitive, x, y, ~UINT64_C(0), z);
    tile_push_block(w, primitive, x, y, ~UINT64_C(0), z);
}

/* --- coverage ------------------------------------------------------------------------------- */

/* Edge values of sample s: the exact function moved by the sample's offset, then divided as the centre's was. */
static void sample_edges(const struct raster_tile_edges *edges, const struct raster_sample_position *position,
                         const int32_t c[3], unsigned crossing, int32_t out[3])
{
    for (unsigned e = 0; e < 3; e++) {
        int64_t moved = (int64_t)edges->dx[e] * position->y * 16 - (int64_t)edges->dy[e] * position->x * 16;

        if (crossing & (1u << e))
            out[e] = c[e] + (int32_t)((edges->low[e] + moved) >> 8);
    }
}

/* The edges' values at the block at (x, y) of the tile into c, and which edges cross it. False: the block lies outside. */
static bool block_edges(const struct raster_tile_edges *edges, int x, int y, int32_t c[3], unsigned *crossing)
{
    const int32_t span = BLOCK_SIZE - 1;

    *crossing = 0;
    for (unsigned e = 0; e < 3; e++) {
        if (!(edges->mask & (1u << e)))
            continue;
        int32_t step_x = -edges->dy[e] * span, step_y = edges->dx[e] * span;

        c[e] = edges->c[e] - edges->dy[e] * x + edges->dx[e] * y;
        if (c[e] + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) + edges->margin[e] < 0)
            return false;
        if (c[e] + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) - edges->margin[e] < 0)
            *crossing |= 1u << e;
    }
    return true;
}

/* Adds a block with what each sample covers. */
static void add_samples(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t *covered,
                        uint64_t any)
{
    /* depth is tested here, or not at all */
    const bool tests_early = !w->state.special && (w->state.early_depth || !w->state.tests_depth);
    uint64_t all = ~UINT64_C(0);

    if (tests_early && w->state.tests_depth)
        any = block_depth(w, primitive, x, y, covered);
    if (tests_early && w->state.early_depth && !w->state.output_count) {
        w->fragments += tile_count(any);
        return;
    }
    for (unsigned s = 0; s < w->state.samples; s++)
        all &= covered[s];
    if (tests_early && all == ~UINT64_C(0)) {
        add_whole_block(w, primitive, x, y);
        return;
    }
    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        const int gx = x + (int)(g & 1) * 4, gy = y + (int)(g >> 1) * 4;
        uint16_t mask[RASTER_MAX_SAMPLES] = {0};

        if (!tile_group_bits(any, g))
            continue;
        for (unsigned s = 0; s < w->state.samples; s++)
            mask[s] = (uint16_t)tile_group_bits(covered[s], g);
        if (tests_early)
            push_masks(w, primitive, gx, gy, tile_group_bits(any, g), mask);
        else
            add_masks(w, primitive, gx, gy, mask);
    }
}

static void triangle_block(struct tile_worker *w, const struct scene_primitive *primitive,
                           const struct raster_tile_edges *edges, int x, int y, uint64_t bounds, const int32_t c[3],
                           unsigned crossing)
{
    const struct raster_sample_position *position = raster_sample_positions(w->state.samples);
    const struct raster_sample_position middle = {0, 0};
    /* Conservative coverage is of the pixel: all samples. */
    bool per_sample = w->state.draw->rasterizer.multisample && !primitive->conservative;
    uint64_t covered[RASTER_MAX_SAMPLES], any = 0;

    if (primitive->stippled)
        bounds &= tile_stipple_mask(w->state.draw, x, y);
    if (!crossing && bounds == ~UINT64_C(0) && !w->state.special && !w->state.tests_depth && w->state.output_count) {
        if (tile_drawn_samples(&w->state))
            add_whole_block(w, primitive, x, y);
        return;
    }
    for (unsigned s = 0; s < w->state.samples; s++) {
        covered[s] = w->state.draw->sample_mask & (1u << s) ? bounds : 0;
        if (covered[s] && crossing) {
            int32_t value[3] = {0, 0, 0};

            sample_edges(edges, per_sample ? &position[s] : &middle, c, crossing, value);
            covered[s] &= w->kernels->coverage_block(value, edges->dx, edges->dy, crossing);
        }
        any |= covered[s];
    }
    add_samples(w, primitive, x, y, covered, any);
}

void samples_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive,
                           const struct raster_tile_edges *edges, const struct raster_rect *area, int tile_x,
                           int tile_y)
{
    for (int y = area->top & ~(BLOCK_SIZE - 1); y < area->bottom; y += BLOCK_SIZE) {
        for (int x = area->left & ~(BLOCK_SIZE - 1); x < area->right; x += BLOCK_SIZE) {
            int32_t c[3] = {0, 0, 0};
            unsigned crossing;

            if (!block_edges(edges, x, y, c, &crossing))
                continue;
            const bool inside =
                x >= area->left && x + BLOCK_SIZE <= area->right && y >= area->top && y + BLOCK_SIZE <= area->bottom;
            uint64_t bounds = inside ? ~UINT64_C(0) : w->kernels->bounds_block(area, x, y);

            if (primitive->conservative)
                bounds &= tile_conservative_block(w, primitive, tile_x + x, tile_y + y);
            triangle_block(w, primitive, edges, tile_x + x, tile_y + y, bounds, c, crossing);
        }
    }
    w->batch.inner_block = 0;
}

void samples_draw_small(struct tile_worker *w, const struct scene_primitive *primitive)
{
    const struct raster_rect area = {
        BASE_MAX(primitive->left, w->tile.left),
        BASE_MAX(primitive->top, w->tile.top),
        BASE_MIN(primitive->right, w->tile.right),
        BASE_MIN(primitive->bottom, w->tile.bottom),
    };
    const unsigned drawn = tile_drawn_samples(&w->state);

    for (int y = area.top & -BLOCK_SIZE; y < area.bottom; y += BLOCK_SIZE)
        for (int x = area.left & -BLOCK_SIZE; x < area.right; x += BLOCK_SIZE) {
            uint64_t covered[RASTER_MAX_SAMPLES], any = 0, kept = ~UINT64_C(0);

            w->kernels->cover_small_samples(primitive, x, y, w->state.samples, w->state.sample_offsets, covered);
            if (primitive->clipped)
                kept = w->kernels->bounds_block(&area, x, y);
            if (primitive->stippled)
                kept &= tile_stipple_mask(w->state.draw, x, y);
            for (unsigned s = 0; s < w->state.samples; s++)
                any |= covered[s] &= drawn >> s & 1 ? kept : 0;
            if (any)
                add_samples(w, primitive, x, y, covered, any);
        }
}

/* --- stores ------------------------------------------------------------------------------------ */

static void store_sample(struct tile_worker *w, const struct tile_output *output, unsigned g, unsigned s, uint32_t mask)
{
    const struct raster_surface target = plane(output->surface, s);
    struct raster_place place = w->batch.group[g];

    place.mask = mask;
    output->store(w->state.draw, &target, output->index, &w->batch.lanes, &place, 1);
}

/* Does the target get the same words of 32 bits in all samples? */
static bool stores_alike(const struct tile_worker *w, const struct tile_output *output)
{
    return output->opaque && output->surface->samples == w->state.samples &&
           raster_format_info(output->surface->format)->block_bytes == 4;
}

/* A group into the lanes of mask[s] of each sample s; packed once if that will do. */
static void store_masks(struct tile_worker *w, unsigned g, const uint16_t *mask)
{
    const struct raster_place *place = &w->batch.group[g];
    const struct raster_place origin = {0, 0, place->lane, place->quads, 0xffff};

    for (unsigned t = 0; t < w->state.output_count; t++) {
        const struct tile_output *output = &w->state.output[t];
        uint32_t pixels[RASTER_GROUP_LANES];
        const struct raster_surface packed = {
            .pixels = (uint8_t *)pixels, .pitch = 16, .width = 4, .height = 4, .format = output->surface->format};

        if (stores_alike(w, output)) {
            output->store(w->state.draw, &packed, output->index, &w->batch.lanes, &origin, 1);
            w->kernels->store_samples(output->surface, place->x, place->y, pixels, mask);
            continue;
        }
        for (unsigned s = 0; s < w->state.samples; s++)
            if (mask[s])
                store_sample(w, output, g, s, mask[s]);
    }
}

/* Lanes of a group whose alpha is enough for sample s: n of N samples for alpha n/N, rounded. */
static uint32_t alpha_covers(const struct tile_worker *w, unsigned g, unsigned s)
{
    const float *alpha = &w->batch.lanes.color[0][3][g * RASTER_GROUP_LANES];
    const float needed = ((float)s + 0.5f) / (float)w->state.samples;
    uint32_t mask = 0;

    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++)
        mask |= (uint32_t)(alpha[l] >= needed) << l;
    return mask;
}

/* Stores a whole block once and copies it to the other samples. False: that is not what the batch holds. */
static bool samples_store_block(struct tile_worker *w)
{
    const unsigned x = (unsigned)w->batch.group[0].x, y = (unsigned)w->batch.group[0].y;
    const unsigned all = (1u << w->state.samples) - 1;

    if (!w->batch.whole_block || w->state.draw->alpha_to_coverage || w->batch.lanes.covered != ~UINT64_C(0) ||
        tile_drawn_samples(&w->state) != all || (!w->state.early_depth && w->state.tests_depth))
        return false;
    for (unsigned t = 0; t < w->state.output_count; t++) {
        const struct raster_surface *surface = w->state.output[t].surface;

        if (!stores_alike(w, &w->state.output[t]) || x + BLOCK_SIZE > surface->width ||
            y + BLOCK_SIZE > surface->height)
            return false;
    }
    for (unsigned t = 0; t < w->state.output_count; t++) { /* sample 0 is what the surface's memory begins with */
        const struct tile_output *output = &w->state.output[t];

        output->store(w->state.draw, output->surface, output->index, &w->batch.lanes, w->batch.group, BATCH_GROUPS);
        w->kernels->copy_samples(output->surface, (int)x, (int)y);
    }
    w->fragments += RASTER_LANES;
    return true;
}

static void store_group_samples(struct tile_worker *w, unsigned g)
{
    const bool late = !w->state.early_depth && w->state.tests_depth;
    uint32_t shaded = tile_group_bits(w->batch.lanes.covered, g), any = 0;
    uint16_t masks[RASTER_MAX_SAMPLES];

    for (unsigned s = 0; s < w->state.samples; s++) {
        uint32_t mask = w->batch.sample_mask[g][s] & shaded;

        if (mask && w->state.draw->alpha_to_coverage)
            mask &= alpha_covers(w, g, s);

        if (mask && late) {
            struct raster_surface target = plane(&w->targets->depth, s);
            const float *z = w->state.draw->program_writes_depth ? &w->batch.lanes.z[g * RASTER_GROUP_LANES]
                                                                 : w->batch.sample_z[g][s];

            mask = w->kernels->depth_stencil(w->state.draw, &target, w->batch.group[g].x, w->batch.group[g].y, z, mask,
                                             w->batch.lanes.front_facing[4 * g]);
        }
        masks[s] = (uint16_t)mask;
        any |= mask;
    }
    if (any)
        store_masks(w, g, masks);
    w->fragments += tile_count(any);
}

static void cover_whole(struct tile_worker *w)
{
    for (unsigned g = 0; g < w->batch.group_count; g++)
        for (unsigned s = 0; s < w->state.samples; s++)
            w->batch.sample_mask[g][s] = w->state.draw->sample_mask & (1u << s) ? (uint16_t)w->batch.group[g].mask : 0;
}

void samples_store_batch(struct tile_worker *w)
{
    if (samples_store_block(w))
        return;
    if (w->batch.whole_block)
        cover_whole(w);
    for (unsigned g = 0; g < w->batch.group_count; g++)
        store_group_samples(w, g);
}
