/* SPDX-License-Identifier: MIT */
/*
 * Multisampled targets: coverage and depth per sample, colour once per pixel, at its centre. In states without special
 * cases, early tests and stores handle all samples of a group at once (test_group, put_group). Otherwise each sample of
 * a group is treated as a surface of its own, with the kernels for single samples. Rules:
 * docs/reference/rasterization.md, section 11.
 */
#include "raster/tile/samples.h"

#include "base/assert.h"
#include "raster/block_mask.h"
#include "raster/tile/conservative.h"
#include "raster/tile/special.h"
#include "raster/tile/worker.h"

#include <string.h>

/* One sample of a group: a surface, and the group's position on it. */
struct sample_group {
    struct raster_surface surface;
    int x, y;
};

static struct sample_group sample_of(const struct raster_surface *surface, unsigned sample, int x, int y)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    if (surface->samples <= 1)
        return (struct sample_group){*surface, x, y};
    return (struct sample_group){
        .surface = {.pixels = raster_sample_group(surface, BASE_MIN(sample, surface->samples - 1), (unsigned)x,
                                                  (unsigned)y, bytes),
                    .pitch = 4 * bytes,
                    .width = 4,
                    .height = 4,
                    .format = surface->format},
    };
}

/* --- counts ------------------------------------------------------------------------------- */

/* If the state forces samples on single-sample targets, they count as one pixel. */
static inline void count_drawn(struct tile_worker *w, unsigned pixels, unsigned samples)
{
    w->fragments += pixels;
    w->more_samples += w->target_samples > 1 ? samples - pixels : 0;
}

static unsigned count_masks(const struct tile_worker *w, const uint16_t *mask)
{
    unsigned count = 0;

    for (unsigned s = 0; s < w->state.samples; s++)
        count += tile_count(mask[s]);
    return count;
}

/* --- depth -------------------------------------------------------------------------------- */

/* Depth of each sample of a group, tested if that may be done before shading. `mask`: the coverage of each sample,
 * reduced to the lanes that pass; centre_z: depth at the pixels' centres. Returns the pixels with samples left. */
static uint32_t samples_depth(struct tile_worker *w, const struct scene_primitive *primitive, unsigned g, int x, int y,
                              uint16_t *mask, float *centre_z)
{
    const struct raster_sample_position *position = raster_sample_positions(w->state.samples);
    const bool per_sample = w->state.draw->rasterizer.multisample, depth = w->state.tests_depth;
    const bool clamps = w->state.draw->rasterizer.depth_clamp || primitive->conservative;
    uint32_t left = 0;

    w->state.interpolate_depth(primitive, x, y, scene_pixel_centre, centre_z);
    if (clamps)
        tile_clamp_depth(w->state.draw, centre_z);
    for (unsigned s = 0; s < w->state.samples; s++) {
        float *z = w->batch.sample_z[g][s];

        if (mask[s] && depth) {
            const float offset[2] = {(float)position[s].x * (1.0f / 16.0f), (float)position[s].y * (1.0f / 16.0f)};

            w->state.interpolate_depth(primitive, x, y, per_sample ? offset : scene_pixel_centre, z);
            if (clamps)
                tile_clamp_depth(w->state.draw, z);
            if (w->state.early_depth) {
                const struct sample_group target = sample_of(&w->targets->depth, s, x, y);

                mask[s] = (uint16_t)w->kernels->depth_stencil(w->state.draw, &target.surface, target.x, target.y, z,
                                                              mask[s], primitive->front_facing);
            }
        }
        left |= mask[s];
    }
    if (w->state.early_depth && !w->state.output_count) {
        count_drawn(w, tile_count(left), count_masks(w, mask));
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

/* The number of sets of four samples. */
static unsigned set_count(const struct tile_worker *w)
{
    return (w->state.samples + 3) / 4;
}

static inline unsigned count_sets(const struct tile_worker *w, const uint64_t *set)
{
    unsigned count = 0;

    for (unsigned i = 0; i < set_count(w); i++)
        count += tile_count(set[i]);
    return count;
}

/* From sets (struct raster_sample_lanes) to the lanes that each sample of a group covers. */
static void masks_of(const struct tile_worker *w, const uint64_t *set, uint16_t *mask)
{
    for (unsigned i = 0; i < set_count(w); i++) {
        const uint64_t lanes = block_mask_groups_to_morton(set[i]);

        memcpy(mask + 4 * i, &lanes, sizeof(lanes));
    }
}

/* The pixels of a group, row by row, with a sample in a set. */
static uint32_t pixels_of(uint64_t set)
{
    set |= set >> 32;
    return (uint32_t)(set | set >> 16) & 0xffff;
}

/* Tests depth and stencil of the samples of a group, reduces each set to the samples that pass, and returns the pixels
 * left. */
static inline __attribute__((always_inline)) uint32_t test_group(struct tile_worker *w,
                                                                 const struct scene_primitive *primitive, int x, int y,
                                                                 uint64_t *set, unsigned sets)
{
    const unsigned bytes = w->state.depth_bytes;
    uint64_t any = 0;

    BASE_ASSERT(w->state.tests_samples_early);
    if (w->state.tests_depth) {
        uint8_t *words = raster_sample_group(&w->targets->depth, 0, (unsigned)x, (unsigned)y, bytes);

        for (unsigned i = 0; i < sets; i++, words += 4 * RASTER_GROUP_LANES * bytes)
            if (set[i])
                set[i] = w->state.depth_test.run_samples(&w->state.depth_test, words, primitive, x, y,
                                                         &w->state.sample_lanes[i], set[i]);
    }
    for (unsigned i = 0; i < sets; i++)
        any |= set[i];
    return pixels_of(any);
}

/* put_group without the direct-store fast path. */
static __attribute__((noinline)) void push_group(struct tile_worker *w, const struct scene_primitive *primitive, int x,
                                                 int y, const uint64_t *set, uint32_t left)
{
    _Alignas(64) float z[RASTER_GROUP_LANES];

    if (w->state.early_depth && !w->state.output_count) {
        count_drawn(w, tile_count(left), count_sets(w, set));
        return;
    }
    if (w->state.needs_z)
        w->state.interpolate_depth(primitive, x, y, scene_pixel_centre, z);
    masks_of(w, set, w->batch.sample_mask[w->batch.group_count]);
    tile_push_group(w, primitive, x, y, (uint32_t)block_mask_groups_to_morton(left), z);
}

/* Draws the samples of a group that have passed the early-Z test; `left`: their pixels. */
static inline __attribute__((always_inline)) void put_group(struct tile_worker *w,
                                                            const struct scene_primitive *primitive, int x, int y,
                                                            const uint64_t *set, uint32_t left)
{
    if (!w->state.direct_samples) {
        push_group(w, primitive, x, y, set, left);
        return;
    }
    count_drawn(w, tile_count(left), count_sets(w, set));
    w->state.direct_samples(
        primitive, raster_sample_group(w->state.output[0].surface, 0, (unsigned)x, (unsigned)y, sizeof(uint32_t)),
        w->state.samples, x, y, set);
}

/* Adds a block whose samples are all drawn without a test, as if it had one sample per pixel. */
static void add_whole_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    _Alignas(64) float z[RASTER_LANES];

    if (w->state.needs_z)
        w->state.interpolate_depth_block(primitive, x, y, ~UINT64_C(0), z);
    tile_push_block(w, primitive, x, y, ~UINT64_C(0), z);
}

/* --- coverage ------------------------------------------------------------------------------- */

/* Edge values of sample s: the exact function at the sample's offset, then divided like that of the centre. */
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

/* Hierarchical Z for a primitive in the pixels of `area`, which lie in one block. */
static inline bool hides_samples(const struct tile_worker *w, const struct scene_primitive *primitive,
                                 const struct raster_rect *area)
{
    return w->state.hierarchical_z.rejects && hierarchical_z_hides_samples(&w->depth->bounds, primitive, area);
}

static bool hides_block(const struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    return hides_samples(w, primitive, &(struct raster_rect){x, y, x + BLOCK_SIZE, y + BLOCK_SIZE});
}

/* Lowers the bound of a block, for pixels with all samples covered. */
static void lower_samples(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                          const uint64_t *covered)
{
    uint64_t all = ~UINT64_C(0);

    for (unsigned s = 0; s < w->state.samples; s++)
        all &= covered[s];
    if (all)
        hierarchical_z_lower_samples(&w->depth->bounds, &w->state.hierarchical_z, primitive, x, y, all);
}

/* From the coverage of each sample in a block to the samples of one of its groups. */
static void gather_sets(const struct tile_worker *w, const uint64_t *covered, unsigned g, uint64_t *set)
{
    for (unsigned i = 0; i < set_count(w); i++) {
        set[i] = 0;
        for (unsigned s = 4 * i; s < BASE_MIN(w->state.samples, 4 * i + 4); s++)
            set[i] |= (uint64_t)tile_group_bits(covered[s], g) << (s % 4 * RASTER_GROUP_LANES);
        set[i] = block_mask_groups_to_rows(set[i]);
    }
}

/* Adds a block with the coverage of each sample, without tests here. */
static void add_masked_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                             const uint64_t *covered, uint64_t any)
{
    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        uint16_t mask[RASTER_MAX_SAMPLES] = {0};

        if (!tile_group_bits(any, g))
            continue;
        for (unsigned s = 0; s < w->state.samples; s++)
            mask[s] = (uint16_t)tile_group_bits(covered[s], g);
        add_masks(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, mask);
    }
}

/* Adds a block with the coverage of each sample. */
static void add_samples(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                        const uint64_t *covered, uint64_t any)
{
    const uint64_t full = w->state.samples == 2 ? UINT32_MAX : UINT64_MAX;
    uint64_t set[BATCH_GROUPS][RASTER_SAMPLE_SETS], all = full;
    uint32_t left[BATCH_GROUPS];

    if (w->state.hierarchical_z.lowers)
        lower_samples(w, primitive, x, y, covered);
    if (!w->state.tests_samples_early) {
        add_masked_block(w, primitive, x, y, covered, any);
        return;
    }
    for (unsigned g = 0; g < BATCH_GROUPS; g++) {
        left[g] = 0;
        if (tile_group_bits(any, g)) {
            gather_sets(w, covered, g, set[g]);
            left[g] = test_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, set[g], set_count(w));
        }
        for (unsigned i = 0; i < set_count(w); i++)
            all &= left[g] ? set[g][i] : 0;
    }
    if (all == full && !w->state.direct_samples && w->state.output_count) {
        add_whole_block(w, primitive, x, y);
        return;
    }
    for (unsigned g = 0; g < BATCH_GROUPS; g++)
        if (left[g])
            put_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, set[g], left[g]);
}

void samples_add_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const unsigned drawn = tile_drawn_samples(&w->state);
    uint64_t covered[RASTER_MAX_SAMPLES];

    for (unsigned s = 0; s < w->state.samples; s++)
        covered[s] = drawn >> s & 1 ? mask : 0;
    if (drawn && mask && !hides_block(w, primitive, x, y))
        add_samples(w, primitive, x, y, covered, mask);
}

/* Adds a block that lies inside a primitive, if there is nothing to test. */
static void add_inner_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    if (!tile_drawn_samples(&w->state))
        return;
    if (!w->state.direct_samples) {
        add_whole_block(w, primitive, x, y);
        return;
    }
    for (unsigned g = 0; g < BATCH_GROUPS; g++)
        put_group(w, primitive, x + (int)(g & 1) * 4, y + (int)(g >> 1) * 4, w->state.drawn_lanes, 0xffff);
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
        add_inner_block(w, primitive, x, y);
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

            if (!block_edges(edges, x, y, c, &crossing) || hides_block(w, primitive, tile_x + x, tile_y + y))
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

/* Draws the part of a small triangle in the group at (x, y). `area`: the pixels that it may cover; sets: set_count. */
static inline __attribute__((always_inline)) void small_group(struct tile_worker *w,
                                                              const struct scene_primitive *primitive, int x, int y,
                                                              const struct raster_rect *area, unsigned sets)
{
    const struct raster_rect within = {BASE_MAX(area->left, x), BASE_MAX(area->top, y), BASE_MIN(area->right, x + 4),
                                       BASE_MIN(area->bottom, y + 4)};
    uint64_t set[RASTER_SAMPLE_SETS], any = 0, kept = UINT64_MAX;

    if (hides_samples(w, primitive, &within))
        return;
    if (primitive->clipped)
        kept =
            block_mask_groups_to_rows((w->kernels->bounds_block(area, x, y) & 0xffff) * UINT64_C(0x0001000100010001));
    for (unsigned i = 0; i < sets; i++)
        any |= set[i] =
            w->kernels->cover_small_lanes(primitive, x, y, &w->state.sample_lanes[i]) & kept & w->state.drawn_lanes[i];
    if (!any)
        return;
    if (!w->state.tests_samples_early) {
        uint16_t mask[RASTER_MAX_SAMPLES];

        masks_of(w, set, mask);
        add_masks(w, primitive, x, y, mask);
        return;
    }
    const uint32_t left = test_group(w, primitive, x, y, set, sets);

    if (left)
        put_group(w, primitive, x, y, set, left);
}

static inline __attribute__((always_inline)) void small_groups(struct tile_worker *w,
                                                               const struct scene_primitive *primitive,
                                                               const struct raster_rect *area, unsigned sets)
{
    for (int y = area->top & -4; y < area->bottom; y += 4)
        for (int x = area->left & -4; x < area->right; x += 4)
            small_group(w, primitive, x, y, area, sets);
}

static void small_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                        const struct raster_rect *area)
{
    const unsigned drawn = tile_drawn_samples(&w->state);
    uint64_t covered[RASTER_MAX_SAMPLES], any = 0, kept = ~UINT64_C(0);

    if (hides_block(w, primitive, x, y))
        return;
    w->kernels->cover_small_samples(primitive, x, y, w->state.samples, w->state.sample_offsets, covered);
    if (primitive->clipped)
        kept = w->kernels->bounds_block(area, x, y);
    if (primitive->stippled)
        kept &= tile_stipple_mask(w->state.draw, x, y);
    for (unsigned s = 0; s < w->state.samples; s++)
        any |= covered[s] &= drawn >> s & 1 ? kept : 0;
    if (any)
        add_samples(w, primitive, x, y, covered, any);
}

/* The most groups for which a triangle is drawn group by group. */
#define FEW_GROUPS 4

void samples_draw_small(struct tile_worker *w, const struct scene_primitive *primitive)
{
    const struct raster_rect area = {
        BASE_MAX(primitive->left, w->tile.left),
        BASE_MAX(primitive->top, w->tile.top),
        BASE_MIN(primitive->right, w->tile.right),
        BASE_MIN(primitive->bottom, w->tile.bottom),
    };
    const int groups = (((area.right + 3) >> 2) - (area.left >> 2)) * (((area.bottom + 3) >> 2) - (area.top >> 2));

    if (groups <= FEW_GROUPS && !primitive->stippled) {
        if (w->state.samples <= 4)
            small_groups(w, primitive, &area, 1);
        else
            small_groups(w, primitive, &area, set_count(w));
        return;
    }
    for (int y = area.top & -BLOCK_SIZE; y < area.bottom; y += BLOCK_SIZE)
        for (int x = area.left & -BLOCK_SIZE; x < area.right; x += BLOCK_SIZE)
            small_block(w, primitive, x, y, &area);
}

/* --- stores ------------------------------------------------------------------------------------ */

static void store_sample(struct tile_worker *w, const struct tile_output *output, unsigned g, unsigned s, uint32_t mask)
{
    const struct sample_group target = sample_of(output->surface, s, w->batch.group[g].x, w->batch.group[g].y);
    struct raster_place place = w->batch.group[g];

    place.x = target.x;
    place.y = target.y;
    place.mask = mask;
    output->store(w->state.draw, &target.surface, output->index, &w->batch.lanes, &place, 1);
}

/* Does the target get the batch's packed words in all samples? */
static bool stores_alike(const struct tile_worker *w, const struct tile_output *output)
{
    return output->pack && output->surface->samples == w->state.samples;
}

/* Stores a group of the batch into the lanes of mask[s] of each sample s; the output stores_alike. */
static void store_alike(struct tile_worker *w, const struct tile_output *output, unsigned g, const uint16_t *mask)
{
    const struct raster_place *place = &w->batch.group[g];

    BASE_ASSERT(place->quads == 15);
    w->kernels->store_samples(
        raster_sample_group(output->surface, 0, (unsigned)place->x, (unsigned)place->y, sizeof(uint32_t)),
        w->state.samples, &w->batch.lanes.packed[output->index][place->lane], mask);
}

/* Stores a group into the lanes of mask[s] of each sample s; packed once if possible. */
static void store_masks(struct tile_worker *w, unsigned g, const uint16_t *mask)
{
    for (unsigned t = 0; t < w->state.output_count; t++) {
        const struct tile_output *output = &w->state.output[t];

        if (stores_alike(w, output)) {
            store_alike(w, output, g, mask);
            continue;
        }
        for (unsigned s = 0; s < w->state.samples; s++)
            if (mask[s])
                store_sample(w, output, g, s, mask[s]);
    }
}

/* Lanes of a group whose alpha covers sample s: n of N samples for alpha n/N, rounded. */
static uint32_t alpha_covers(const struct tile_worker *w, unsigned g, unsigned s)
{
    const float *alpha = &w->batch.lanes.color[0][3][g * RASTER_GROUP_LANES];
    const float needed = ((float)s + 0.5f) / (float)w->state.samples;
    uint32_t mask = 0;

    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++)
        mask |= (uint32_t)(alpha[l] >= needed) << l;
    return mask;
}

/* Stores a whole block to all samples at once. False: the batch does not hold a whole block. */
static bool samples_store_block(struct tile_worker *w)
{
    static const uint16_t all_lanes[RASTER_MAX_SAMPLES] = {[0 ... RASTER_MAX_SAMPLES - 1] = 0xffff};
    const unsigned all = (1u << w->state.samples) - 1;

    if (!w->batch.whole_block || w->state.draw->alpha_to_coverage || w->batch.lanes.covered != ~UINT64_C(0) ||
        tile_drawn_samples(&w->state) != all || (!w->state.early_depth && w->state.tests_depth))
        return false;
    for (unsigned t = 0; t < w->state.output_count; t++)
        if (!stores_alike(w, &w->state.output[t]))
            return false;
    for (unsigned t = 0; t < w->state.output_count; t++)
        for (unsigned g = 0; g < BATCH_GROUPS; g++)
            store_alike(w, &w->state.output[t], g, all_lanes);
    count_drawn(w, RASTER_LANES, RASTER_LANES * w->state.samples);
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
            const struct sample_group target =
                sample_of(&w->targets->depth, s, w->batch.group[g].x, w->batch.group[g].y);
            const float *z = w->state.draw->program_writes_depth ? &w->batch.lanes.z[g * RASTER_GROUP_LANES]
                                                                 : w->batch.sample_z[g][s];

            mask = w->kernels->depth_stencil(w->state.draw, &target.surface, target.x, target.y, z, mask,
                                             w->batch.lanes.front_facing[4 * g]);
        }
        masks[s] = (uint16_t)mask;
        any |= mask;
    }
    if (any)
        store_masks(w, g, masks);
    count_drawn(w, tile_count(any), count_masks(w, masks));
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
