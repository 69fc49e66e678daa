/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical Z. Bounds hold only until the depth buffer can be written from outside: from one flush of depth to the
 * next (`epoch`). A clear sets them; primitives that cover a block (one, or several without a gap) lower them.
 * Primitives behind a bound are rejected without reading pixels.
 *
 * Nothing is approximated: ranges of planes are exact (depth_plane_range), and a depth that is greater by two steps of
 * the format is greater when stored.
 */
#include "raster/tile/hierarchical_z.h"

#include "base/assert.h"
#include "raster/block_mask.h"
#include "raster/tile/worker.h"

#include <string.h>

#define UNBOUNDED 2.0f /* beyond every depth */

void hierarchical_z_reset(struct hierarchical_z *h)
{
    for (unsigned b = 0; b < TILE_BLOCKS; b++) {
        h->bound[b] = UNBOUNDED;
        h->covered[b] = 0;
    }
}

/* Every format has 15 bits or more; floats of 0..1 have at least 20 where they are coarsest. */
float tile_two_steps(enum raster_format format)
{
    const unsigned bits = BASE_MIN(raster_format_info(format)->depth_bits, 20u);

    return bits ? 2.0f / (float)((1u << bits) - 1) : UNBOUNDED;
}

/* Does failing the depth test have no side effect? */
static bool fails_silently(const struct raster_stencil *stencil)
{
    return !stencil->enable || !stencil->write_mask || (stencil->fail == RASTER_KEEP && stencil->zfail == RASTER_KEEP);
}

void hierarchical_z_choose(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state.draw;
    struct hierarchical_z_use *use = &w->state.hierarchical_z;
    const unsigned func = state->depth_func;
    bool nearer = func == RASTER_LESS || func == RASTER_LEQUAL;

    use->rejects = use->lowers = use->raises = false;
    if (!w->state.tests_depth || !state->depth_test || BASE_MAX(w->targets->depth.samples, 1u) != w->state.samples)
        return;
    if (state->depth_write && !nearer && func != RASTER_EQUAL && func != RASTER_NEVER) {
        hierarchical_z_reset(&w->depth->bounds);
        use->raises = true;
    }
    if (w->state.special || state->program_writes_depth || state->depth_from_w)
        return;
    /* a program that records sampler feedback runs even for fragments that a late test would drop */
    use->rejects = (nearer || func == RASTER_EQUAL) && (w->state.early_depth || !state->program_records) &&
                   fails_silently(&state->stencil) &&
                   (!state->two_sided_stencil || fails_silently(&state->stencil_back));
    use->lowers = nearer && state->depth_write && w->state.early_depth && !state->stencil.enable &&
                  !state->two_sided_stencil && !state->depth_bounds;
    use->step = tile_two_steps(w->targets->depth.format);
}

void hierarchical_z_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                          int tile_x, int tile_y)
{
    const float bound = clear->depth + tile_two_steps(w->targets->depth.format);
    struct hierarchical_z *h = &w->depth->bounds;

    if (w->state.hierarchical_z.raises ||
        (rect->left <= tile_x && rect->top <= tile_y && rect->right >= tile_x + RASTER_TILE_SIZE &&
         rect->bottom >= tile_y + RASTER_TILE_SIZE)) {
        const float all = w->state.hierarchical_z.raises ? UNBOUNDED : bound;

        for (unsigned b = 0; b < TILE_BLOCKS; b++)
            h->bound[b] = all;
        memset(h->covered, 0, sizeof(h->covered));
        return;
    }
    for (unsigned b = 0; b < TILE_BLOCKS; b++) {
        int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
        bool whole =
            x >= rect->left && x + BLOCK_SIZE <= rect->right && y >= rect->top && y + BLOCK_SIZE <= rect->bottom;

        h->bound[b] = whole ? bound : BASE_MAX(h->bound[b], bound);
        h->covered[b] = 0;
    }
}

/* Lowers the bound of block b, whose pixels of `mask` are covered at depth `far` or less. */
static void lower(struct hierarchical_z *h, unsigned b, float far, uint64_t mask)
{
    if (far >= h->bound[b])
        return;
    if (mask == ~UINT64_C(0)) {
        h->bound[b] = far;
        return;
    }
    h->layer[b] = h->covered[b] ? BASE_MAX(h->layer[b], far) : far;
    h->covered[b] |= mask;
    if (h->covered[b] == ~UINT64_C(0)) {
        h->bound[b] = BASE_MIN(h->bound[b], h->layer[b]);
        h->covered[b] = 0;
    }
}

bool hierarchical_z_rejects(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                            const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const unsigned b = tile_block_of(x, y);
    const struct depth_plane plane = depth_plane_of(primitive);
    struct depth_range range;

    if (!depth_plane_range(&plane, x, y, &range))
        return false;
    if (use->rejects && range.least >= h->bound[b])
        return true;
    if (use->lowers)
        lower(h, b, range.greatest + use->step, mask);
    return false;
}

bool hierarchical_z_hides(const struct hierarchical_z *h, const struct scene_primitive *primitive,
                          const struct raster_rect *area)
{
    const struct depth_plane plane = depth_plane_of(primitive);
    const unsigned first = tile_block_of(0, area->top), end = tile_block_of(0, area->bottom - 1) + ROW_BLOCKS;
    float4 most = float4_splat(0.0f);
    struct depth_range range;

    for (unsigned b = first; b < end; b += SIMD4_LANES)
        most = float4_max(most, float4_load(&h->bound[b]));
    return depth_plane_rect_range(&plane, area->left, area->top, area->right - 1, area->bottom - 1, &range) &&
           !int4_signs(most > range.least);
}

void hierarchical_z_reject_row(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                               const struct row_range *range, int x, int y, struct raster_row *row)
{
    const unsigned first = tile_block_of(x, y);
    int4 behind[ROW_VECTORS];

    if (use->rejects) {
        FOR_ROW_VECTORS
        behind[i] = range->least[i] >= float4_load(&h->bound[first + i * SIMD4_LANES]);
        row->live &= ~row_bits(behind);
        row->whole &= row->live;
    }
    if (!use->lowers || !row->live)
        return;
    float far[ROW_BLOCKS];
    FOR_ROW_VECTORS
    {
        const float4 fars = range->greatest[i] + float4_splat(use->step);
        float *bound = &h->bound[first + i * SIMD4_LANES];

        float4_store(&far[i * SIMD4_LANES], fars);
        float4_replace(bound, row_lanes(row->whole, i) & (fars < float4_load(bound)), fars);
    }
    for (uint32_t part = row->live & ~row->whole; part; part &= part - 1) {
        const unsigned l = (unsigned)__builtin_ctz(part);

        lower(h, first + l, far[l], row->mask[l]);
    }
}

/* lower for pixels at (dx, dy) from block b, in the blocks that they lie in: row by row their parts are shifts. */
static void lower_unaligned(struct hierarchical_z *h, unsigned b, float far, unsigned dx, unsigned dy, uint64_t mask)
{
    const uint64_t rows = block_mask_to_rows(mask), stay = UINT64_C(0x0101010101010101) * (0xffu >> dx);
    const uint64_t half[2] = {(rows & stay) << dx, (rows & ~stay) >> (8 - dx)};

    for (unsigned i = 0; i < 2; i++) {
        const uint64_t upper = half[i] << 8 * dy, lower_part = dy ? half[i] >> (64 - 8 * dy) : 0;

        if (upper)
            lower(h, b + i, far, block_mask_to_morton(upper));
        if (lower_part)
            lower(h, b + i + 8, far, block_mask_to_morton(lower_part));
    }
}

/* Is `least` behind the bounds of all blocks between (x, y) and the pixel at last_x, last_y from there? */
static bool behind_all_blocks(const struct hierarchical_z *h, float least, int x, int y, int last_x, int last_y)
{
    return least >= h->bound[tile_block_of(x, y)] && least >= h->bound[tile_block_of(x + last_x, y)] &&
           least >= h->bound[tile_block_of(x, y + last_y)] && least >= h->bound[tile_block_of(x + last_x, y + last_y)];
}

bool hierarchical_z_rejects_unaligned(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                                      const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const int last_x = BASE_MIN(primitive->right - x, BLOCK_SIZE) - 1;
    const int last_y = BASE_MIN(primitive->bottom - y, BLOCK_SIZE) - 1;
    const struct depth_plane plane = depth_plane_of(primitive);
    struct depth_range range;

    if (!depth_plane_range(&plane, x, y, &range))
        return false;
    if (use->rejects && behind_all_blocks(h, range.least, x, y, last_x, last_y))
        return true;
    if (use->lowers)
        lower_unaligned(h, tile_block_of(x, y), range.greatest + use->step, (unsigned)x % BLOCK_SIZE,
                        (unsigned)y % BLOCK_SIZE, mask);
    return false;
}

/* --- samples ------------------------------------------------------------------------------------ */

#define SAMPLE_REACH 0.5f /* how far a sample may lie from its pixel's centre, px */

/* The range of the primitive's depth at the samples of an area; as exact as depth_plane_range, because positions of
 * samples are multiples of 1/16 px. */
static inline bool samples_range(const struct scene_primitive *primitive, const struct raster_rect *area,
                                 struct depth_range *range)
{
    const float a = primitive->depth.a[0], dx = primitive->depth.dx[0], dy = primitive->depth.dy[0];
    const float left = (float)area->left - primitive->reference_x - SAMPLE_REACH;
    const float top = (float)area->top - primitive->reference_y - SAMPLE_REACH;
    const float right = (float)(area->right - 1) - primitive->reference_x + SAMPLE_REACH;
    const float bottom = (float)(area->bottom - 1) - primitive->reference_y + SAMPLE_REACH;
    const float least = a + (dx < 0.0f ? right : left) * dx + (dy < 0.0f ? bottom : top) * dy;
    const float greatest = a + (dx < 0.0f ? left : right) * dx + (dy < 0.0f ? top : bottom) * dy;

    range->least = least > 0.0f ? BASE_MIN(least, 1.0f) : 0.0f;
    range->greatest = greatest > 0.0f ? BASE_MIN(greatest, 1.0f) : 0.0f;
    return __builtin_fabsf(a) + __builtin_fabsf(dx) + __builtin_fabsf(dy) < 1e30f;
}

bool hierarchical_z_hides_samples(const struct hierarchical_z *h, const struct scene_primitive *primitive,
                                  const struct raster_rect *area)
{
    const float bound = h->bound[tile_block_of(area->left, area->top)];
    struct depth_range range;

    BASE_ASSERT(tile_block_of(area->left, area->top) == tile_block_of(area->right - 1, area->bottom - 1));
    return bound <= 1.0f && samples_range(primitive, area, &range) && range.least >= bound;
}

void hierarchical_z_lower_samples(struct hierarchical_z *h, const struct hierarchical_z_use *use,
                                  const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const struct raster_rect block = {x, y, x + BLOCK_SIZE, y + BLOCK_SIZE};
    struct depth_range range;

    if (samples_range(primitive, &block, &range))
        lower(h, tile_block_of(x, y), range.greatest + use->step, mask);
}
