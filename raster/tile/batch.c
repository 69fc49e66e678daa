/* SPDX-License-Identifier: MIT */
/*
 * Batches of fragments: groups of pixels are tested, collected, shaded and stored.
 *
 * Order. Groups of one batch may come from several primitives and cover the same pixel. Depth is tested group by group
 * in the order of submission (before shading when nothing can kill a fragment afterwards, else after it),
 * and colours are stored group by group, so each pixel sees its primitives in order.
 */
#include "raster/tile/batch.h"

#include "base/assert.h"
#include "raster/tile/conservative.h"
#include "raster/tile/narrow.h"
#include "raster/tile/samples.h"
#include "raster/tile/special.h"
#include "raster/tile/worker.h"

#include <string.h>

/* --- shading and storing ------------------------------------------------------------------ */

/* From the mask of a batch to the mask of a place's group; quads that are not in the place get no bits. */
static uint32_t place_bits(const struct raster_place *place, uint64_t batch_mask)
{
    uint32_t lanes = (uint32_t)(batch_mask >> place->lane), bits = 0;

    for (unsigned q = 0; q < 4; q++) {
        const bool there = place->quads >> q & 1;

        bits |= there ? (lanes & 15) << (4 * q) : 0;
        lanes = there ? lanes >> 4 : lanes;
    }
    return bits;
}

/* The number of quads in a set. */
static const uint8_t quad_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* From the mask of a place's group to the mask of the batch: the inverse of place_bits. Bits of quads that are not in
 * the place are 0. (Branches on them would be unpredictable.) */
static inline uint64_t batch_bits(const struct raster_place *place, uint32_t bits)
{
    const unsigned missing = ~place->quads;
    const uint32_t upper = (bits & 0xff) >> 4 * (missing & 1), lower = bits >> 8 >> (missing & 4);

    return (uint64_t)(upper | lower << 4 * quad_counts[place->quads & 3]) << place->lane;
}

/* The masks of places after shading: removes killed lanes, and runs tests that had to wait for the program. */
static void mask_groups(struct tile_worker *w, bool late)
{
    struct raster_batch *batch = &w->batch.lanes;

    for (unsigned g = 0; g < w->batch.group_count; g++) {
        struct raster_place *place = &w->batch.group[g];

        if (batch->covered != w->batch.placed)
            place->mask = place_bits(place, batch->covered);
        if (place->mask && late) {
            place->mask = tile_test_group(w, place->x, place->y, batch->z + place->lane, place->mask,
                                          batch->front_facing[place->lane / RASTER_QUAD_LANES]);
            w->fragments += tile_count(place->mask);
        }
    }
}

static inline void store_groups(struct tile_worker *w)
{
    struct raster_batch *batch = &w->batch.lanes;
    const bool late = !w->state.early_depth && w->state.tests_depth;

    if (!late)
        w->fragments += tile_count(batch->covered);
    if (late || batch->covered != w->batch.placed)
        mask_groups(w, late);
    for (unsigned t = 0; t < w->state.output_count; t++) {
        const struct tile_output *output = &w->state.output[t];

        output->store(w->state.draw, output->surface, output->index, batch, w->batch.group, w->batch.group_count);
    }
}

void tile_empty_batch(struct tile_worker *w)
{
    w->batch.group_count = w->batch.quad_count = 0;
    w->batch.placed = w->batch.placed_inner = 0;
}

/* Fills in the constant components of a pass-through colour. */
static void fill_constants(struct tile_worker *w)
{
    for (unsigned left = w->state.constant_components; left; left &= left - 1) {
        const unsigned c = (unsigned)__builtin_ctz(left);

        for (unsigned l = 0; l < w->batch.lanes.group_count * RASTER_GROUP_LANES; l++)
            w->batch.lanes.color[0][c][l] = w->state.draw->pass_through.constant[c];
    }
}

/* Narrow states always test alpha as a 16-bit number, even if it becomes a float later, so that the result is the same
 * for all targets. */
static void test_narrow_alpha(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state.draw;

    if (state->alpha_test && state->narrow && !w->state.smooths)
        w->kernels->alpha_test_narrow(state, &w->batch.lanes);
}

/* The steps between the program and the stores: fog, alpha test, sRGB, packing. */
static void finish_colors(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state.draw;
    struct raster_batch *batch = &w->batch.lanes;

    test_narrow_alpha(w);
    if (state->narrow && !w->state.stays_narrow)
        w->kernels->widen(batch);
    if (w->state.smooths || w->state.clamps_color)
        tile_special_colors(w);
    if (state->fog_mode != RASTER_FOG_OFF)
        w->kernels->fog(state, batch, !w->state.fog_keeps_range);
    if (state->alpha_test && (!state->narrow || w->state.smooths))
        w->kernels->alpha_test(state, batch);
    for (unsigned t = 0; t < w->state.output_count && state->srgb_write; t++)
        if (w->state.output[t].takes_srgb)
            w->kernels->srgb(batch, w->state.output[t].index);
    for (unsigned t = 0; t < w->state.output_count; t++)
        if (w->state.output[t].pack)
            w->state.output[t].pack(batch, w->state.output[t].index);
}

static inline void color_batch(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state.draw;
    struct raster_batch *batch = &w->batch.lanes;

    batch->group_count = (w->batch.quad_count + 3) / 4;
    batch->covered = w->batch.placed;
    batch->inner = w->batch.placed_inner;
    if (state->coverage != RASTER_COVERAGE_NONE)
        tile_special_inputs(w);
    if (w->state.passes_through)
        fill_constants(w);
    else
        state->shade(state->program, batch);
    batch->again = true;
    if (w->state.finishes_colors)
        finish_colors(w);
}

void tile_color_batch(struct tile_worker *w)
{
    color_batch(w);
}

/* Shades and stores a batch that is not empty. */
static inline void shade_batch(struct tile_worker *w)
{
    color_batch(w);
    if (w->target_samples > 1)
        samples_store_batch(w);
    else
        store_groups(w);
    tile_empty_batch(w);
    w->batch.whole_block = false;
}

void tile_shade_batch(struct tile_worker *w)
{
    if (w->batch.group_count)
        shade_batch(w);
}

/* --- groups ------------------------------------------------------------------------------ */

/* The quads that have lanes in the mask of a group. */
static unsigned quads_of(uint32_t mask)
{
    mask |= mask >> 1;
    mask |= mask >> 2;
    mask &= 0x1111;
    return (mask | mask >> 3 | mask >> 6 | mask >> 9) & 15;
}

/* Reserves room in the batch for a group. */
static inline const struct raster_place *place_group(struct tile_worker *w, const struct scene_primitive *primitive,
                                                     int x, int y, uint32_t mask, unsigned quads)
{
    const uint32_t front = primitive->front_facing * 0x01010101u;
    BASE_ASSERT(w->batch.quad_count <= BATCH_QUADS - 4);
    BASE_ASSERT(w->state.moves_groups || !((x | y) & 3));
    BASE_ASSERT(!(mask >> RASTER_GROUP_LANES) && !(quads_of(mask) & ~quads));
    struct raster_place *place = &w->batch.group[w->batch.group_count++];

    *place = (struct raster_place){x, y, w->batch.quad_count * RASTER_QUAD_LANES, quads, mask};
    w->batch.placed |= batch_bits(place, mask);
    if (w->batch.inner_block) /* the group's place in its block: x in bit 0, y in bit 1 */
        w->batch.placed_inner |=
            batch_bits(place, mask & tile_group_bits(w->batch.inner_block, (unsigned)((x >> 2 & 1) | (y >> 1 & 2))));
    memcpy(&w->batch.lanes.front_facing[w->batch.quad_count], &front, sizeof(front)); /* of four quads: there is room */
    w->batch.quad_count += quad_counts[quads];
    return place;
}

static void place_depth(struct tile_worker *w, const struct raster_place *place, const float *z)
{
    float *to = &w->batch.lanes.z[place->lane];

    for (unsigned left = place->quads; left; left &= left - 1, to += RASTER_QUAD_LANES)
        memcpy(to, z + 4 * (unsigned)__builtin_ctz(left), RASTER_QUAD_LANES * sizeof(*z));
}

void tile_push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask,
                     const float *z)
{
    const struct raster_place *place =
        place_group(w, primitive, x, y, mask, w->state.packs_quads ? quads_of(mask) : 15);

    if (w->state.draw->narrow) {
        if (w->batch.planes.primitive != primitive)
            tile_narrow_planes(w, primitive);
        w->kernels->interpolate_narrow(&w->batch.planes, place, &w->batch.lanes);
    } else {
        w->kernels->interpolate(primitive, place, &w->batch.lanes);
    }
    if (primitive->conservative && !scene_has_one_w(primitive))
        tile_conservative_inputs(w, primitive, x, y, place->lane, 1);
    if (w->state.needs_z)
        place_depth(w, place, z);
    if (w->batch.quad_count > BATCH_QUADS - 4) /* no room for a whole group */
        tile_shade_batch(w);
}

/* True if only depth is stored; then the fragments of `mask`, which have passed, are finished. */
static bool depth_only(struct tile_worker *w, uint64_t mask)
{
    if (!w->state.early_depth || w->state.output_count)
        return false;
    w->fragments += tile_count(mask);
    return true;
}

/* Tests depth and stencil of the pixels of `mask` in the 4x4 group at pixel (x, y) and adds what passes.
 * Coordinates are multiples of 4 unless the state moves groups. */
static void tile_add_group(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint32_t mask)
{
    _Alignas(64) float z[RASTER_GROUP_LANES];

    if (w->state.special || w->state.tests_depth || w->state.needs_z)
        w->state.interpolate_depth(primitive, x, y, scene_pixel_centre, z);
    if (w->state.special)
        mask = tile_special_group(w, primitive, w->batch.group_count, x, y, z, mask);
    if (w->state.early_depth && w->state.tests_depth)
        mask = tile_test_group(w, x, y, z, mask, primitive->front_facing);
    if (mask && !depth_only(w, mask))
        tile_push_group(w, primitive, x, y, mask, z);
}

/* Group g of a block at (x, y). */
static inline struct raster_place place_in_block(int x, int y, unsigned g, uint64_t mask)
{
    return (struct raster_place){x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, g * RASTER_GROUP_LANES, 15,
                                 tile_group_bits(mask, g)};
}

/* Fills the empty batch with a block. */
static void place_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    w->batch.group[0] = place_in_block(x, y, 0, mask);
    w->batch.group[1] = place_in_block(x, y, 1, mask);
    w->batch.group[2] = place_in_block(x, y, 2, mask);
    w->batch.group[3] = place_in_block(x, y, 3, mask);
    w->batch.placed = mask;
    w->batch.placed_inner = w->batch.inner_block & mask;
    memset(w->batch.lanes.front_facing, primitive->front_facing, sizeof(w->batch.lanes.front_facing));
    w->batch.group_count = BATCH_GROUPS;
    w->batch.quad_count = BATCH_QUADS;
}

/* Axis-aligned pictures, such as most sprites, go through the kernels, which are as fast. */
static bool may_shade_block(const struct tile_worker *w)
{
    return w->state.shades_blocks && w->state.draw->shade_block && !w->batch.planes.upright;
}

/* Draws a block through the state's shade_block. The batch is empty and holds the block's inputs, except for
 * coordinates in integers. */
static bool shade_whole_block(struct tile_worker *w, int x, int y, uint64_t mask)
{
    const struct raster_block block = {w->state.draw, w->state.output[0].surface, x, y, mask, &w->batch.planes};
    struct raster_batch *batch = &w->batch.lanes;

    batch->group_count = BATCH_GROUPS;
    batch->covered = mask;
    if (!w->state.draw->shade_block(w->state.draw->program, &block, batch))
        return false;
    batch->again = true;
    w->fragments += tile_count(mask);
    return true;
}

void tile_push_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                     const float *z)
{
    tile_shade_batch(w);
    if (w->state.needs_z)
        memcpy(w->batch.lanes.z, z, sizeof(w->batch.lanes.z));
    const bool narrow = tile_narrow_planes(w, primitive);

    if (!narrow || w->batch.planes.needs_floats)
        w->kernels->interpolate_block(primitive, x, y, &w->batch.lanes);
    if (narrow)
        w->kernels->interpolate_narrow_colors(&w->batch.planes, x, y, &w->batch.lanes);
    if (primitive->conservative && !scene_has_one_w(primitive))
        tile_conservative_inputs(w, primitive, x, y, 0, BATCH_GROUPS);
    w->batch.lanes.is_block = true;
    if (!may_shade_block(w) || !shade_whole_block(w, x, y, mask)) {
        if (narrow)
            w->kernels->interpolate_narrow_coordinates(&w->batch.planes, x, y, w->batch.lanes.affine, &w->batch.lanes);
        place_block(w, primitive, x, y, mask);
        w->batch.whole_block = w->state.samples > 1;
        shade_batch(w);
    }
    w->batch.lanes.is_block = false;
}

/* Must groups go through tile_special_group? Not if depth is not used and alpha does not vary by pixel. */
static bool has_special_groups(const struct tile_worker *w)
{
    return w->state.special && (w->state.tests_depth || w->state.needs_z || w->state.smooths);
}

uint64_t tile_block_depth(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                          bool tests, float *z)
{
    const bool special = has_special_groups(w);
    uint64_t left = 0;

    if (!special && tests)
        mask = tile_test_block(w, primitive, x, y, mask);
    if (special || w->state.needs_z)
        w->state.interpolate_depth_block(primitive, x, y, mask, z);
    if (!special)
        return mask;
    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        int gx = x + (int)(g & 1) * 4, gy = y + (int)(g >> 1) * 4;
        unsigned lane = g * RASTER_GROUP_LANES;
        uint32_t bits = tile_group_bits(mask, g);

        if (bits)
            bits = tile_special_group(w, primitive, g, gx, gy, z + lane, bits);
        if (bits && tests)
            bits = tile_test_group(w, gx, gy, z + lane, bits, primitive->front_facing);
        left |= (uint64_t)bits << lane;
    }
    return left;
}

/* The number of live quads from which on a block is shaded by itself, including dead quads, instead of being packed. */
#define BLOCK_QUADS 12

/* Is a block with these pixels best a batch of its own? */
static bool fills_batch(const struct tile_worker *w, uint64_t mask)
{
    uint64_t quads = mask | mask >> 1;

    if (mask == ~UINT64_C(0))
        return true;
    if (!(mask & 0xffff) || !(mask >> 16 & 0xffff) || !(mask >> 32 & 0xffff) || !(mask >> 48))
        return false;
    if (!w->state.packs_quads)
        return true;
    quads |= quads >> 2;
    return tile_count(quads & UINT64_C(0x1111111111111111)) >= BLOCK_QUADS;
}

/* Adds the groups of a block one by one, because the alpha of smoothing has a place in the batch. */
static void add_groups(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    for (unsigned g = 0; g < BATCH_GROUPS; g++)
        if (tile_group_bits(mask, g))
            tile_add_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, tile_group_bits(mask, g));
}

void tile_push_pixels(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                      const float *z)
{
    if (!mask || depth_only(w, mask))
        return;
    if (fills_batch(w, mask)) {
        tile_push_block(w, primitive, x, y, mask, z);
        return;
    }
    while (mask) {
        const unsigned g = (unsigned)__builtin_ctzll(mask) / RASTER_GROUP_LANES;

        tile_push_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, tile_group_bits(mask, g),
                        z ? z + g * RASTER_GROUP_LANES : NULL);
        mask &= ~(UINT64_C(0xffff) << (g * RASTER_GROUP_LANES));
    }
}

static __attribute__((noinline)) void add_any_block(struct tile_worker *w, const struct scene_primitive *primitive,
                                                    int x, int y, uint64_t mask)
{
    const bool tests = w->state.early_depth && w->state.tests_depth;

    if (w->state.samples > 1) {
        samples_add_block(w, primitive, x, y, mask);
    } else if (w->state.smooths) {
        add_groups(w, primitive, x, y, mask);
    } else if (w->state.special || w->state.needs_z) {
        _Alignas(64) float z[RASTER_LANES];

        mask = tile_block_depth(w, primitive, x, y, mask, tests, z);
        tile_push_pixels(w, primitive, x, y, mask, z);
    } else {
        tile_push_pixels(w, primitive, x, y, tests ? tile_test_block(w, primitive, x, y, mask) : mask, NULL);
    }
}

void tile_add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    if (!w->state.direct_store) {
        add_any_block(w, primitive, x, y, mask);
        return;
    }
    if (w->state.tests_depth)
        mask = tile_test_block(w, primitive, x, y, mask);
    w->fragments += tile_count(mask);
    if (mask)
        w->state.direct_store(primitive, w->state.output[0].surface, x, y, mask);
}
