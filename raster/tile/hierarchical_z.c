/* SPDX-License-Identifier: MIT */
/*
 * Bounds of depth per 8x8 block, known only as long as nobody else can write the depth buffer: from one flush that settles
 * to the next. Clearing it gives the first ones, primitives that cover a block (alone, or several without a gap) lower
 * them. What lies behind is dropped without a look at its pixels.
 *
 * Nothing is approximated. A plane's depth is a chain of float operations, each monotonic in x and in y because rounding
 * is, so the least and the greatest depth in a block are those of two of its corners, to the bit; and a depth that is
 * greater by two steps of the format is greater when stored.
 */
#include "raster/block_mask.h"
#include "raster/tile/worker.h"

#define NOTHING_KNOWN 2.0f /* beyond every depth */

void tile_hierarchy_forget(struct tile_hierarchy *h)
{
    for (unsigned b = 0; b < TILE_BLOCKS; b++) {
        h->bound[b] = NOTHING_KNOWN;
        h->covered[b] = 0;
    }
}

struct tile_hierarchy *tile_hierarchy_create(size_t tiles)
{
    return mem_calloc(tiles, sizeof(struct tile_hierarchy));
}

/* Every format has 15 bits or more, floats of 0..1 at least 20 where they are coarsest. */
float tile_two_steps(enum raster_format format)
{
    const unsigned bits = BASE_MIN(raster_format_info(format)->depth_bits, 20u);

    return bits ? 2.0f / (float)((1u << bits) - 1) : NOTHING_KNOWN;
}

/* Failing the depth test leaves no trace. */
static bool fails_silently(const struct raster_stencil *stencil)
{
    return !stencil->enable || !stencil->write_mask || (stencil->fail == RASTER_KEEP && stencil->zfail == RASTER_KEEP);
}

void tile_hierarchy_state(struct tile_worker *w)
{
    const struct raster_draw_state *state = w->state;
    struct tile_depth_use *use = &w->depth_use;
    const unsigned func = state->depth_func;
    bool nearer = func == RASTER_LESS || func == RASTER_LEQUAL;

    use->rejects = use->lowers = use->raises = false;
    if (!w->tests_depth || !state->depth_test || w->samples > 1)
        return;
    if (state->depth_write && !nearer && func != RASTER_EQUAL && func != RASTER_NEVER) {
        tile_hierarchy_forget(w->hierarchy);
        use->raises = true;
    }
    if (w->special || state->program_writes_depth || state->depth_from_w)
        return;
    /* What is sampled before it is tested is recorded, whatever is known about its depth. */
    use->rejects = (nearer || func == RASTER_EQUAL) && (w->early_depth || !state->program_records) && fails_silently(&state->stencil) &&
                 (!state->two_sided_stencil || fails_silently(&state->stencil_back));
    use->lowers = nearer && state->depth_write && w->early_depth && !state->stencil.enable && !state->two_sided_stencil &&
                !state->depth_bounds;
    use->step = tile_two_steps(w->targets->depth.format);
}

void tile_hierarchy_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                          int tile_x, int tile_y)
{
    const float bound = clear->depth + tile_two_steps(w->targets->depth.format);
    struct tile_hierarchy *h = w->hierarchy;

    for (unsigned b = 0; b < TILE_BLOCKS; b++) {
        int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
        bool whole = x >= rect->left && x + BLOCK_SIZE <= rect->right && y >= rect->top && y + BLOCK_SIZE <= rect->bottom;

        h->bound[b] = w->depth_use.raises ? NOTHING_KNOWN : whole ? bound : BASE_MAX(h->bound[b], bound);
        h->covered[b] = 0;
    }
}

/* Pixels of block b are covered with nothing behind `far`. */
static void lower(struct tile_hierarchy *h, unsigned b, float far, uint64_t mask)
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

bool tile_hierarchy_hides(struct tile_hierarchy *h, const struct tile_depth_use *use,
                          const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const unsigned b = tile_block_of(x, y);
    const struct tile_plane plane = tile_plane_of(primitive);
    struct tile_range range;

    if (!tile_plane_range(&plane, x, y, &range))
        return false;
    if (use->rejects && range.least >= h->bound[b])
        return true;
    if (use->lowers)
        lower(h, b, range.greatest + use->step, mask);
    return false;
}

/* Its parts in the blocks it lies in: row by row they are shifts. */
static void lower_moved(struct tile_hierarchy *h, unsigned b, float far, unsigned dx, unsigned dy, uint64_t mask)
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

/* `last`: how far its last pixel is from (x, y). */
static bool hidden_everywhere(const struct tile_hierarchy *h, float least, int x, int y, int last_x, int last_y)
{
    return least >= h->bound[tile_block_of(x, y)] && least >= h->bound[tile_block_of(x + last_x, y)] &&
           least >= h->bound[tile_block_of(x, y + last_y)] && least >= h->bound[tile_block_of(x + last_x, y + last_y)];
}

bool tile_hierarchy_hides_moved(struct tile_hierarchy *h, const struct tile_depth_use *use,
                                const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const int last_x = BASE_MIN(primitive->right - x, BLOCK_SIZE) - 1;
    const int last_y = BASE_MIN(primitive->bottom - y, BLOCK_SIZE) - 1;
    const struct tile_plane plane = tile_plane_of(primitive);
    struct tile_range range;

    if (!tile_plane_range(&plane, x, y, &range))
        return false;
    if (use->rejects && hidden_everywhere(h, range.least, x, y, last_x, last_y))
        return true;
    if (use->lowers)
        lower_moved(h, tile_block_of(x, y), range.greatest + use->step, (unsigned)x % BLOCK_SIZE,
                    (unsigned)y % BLOCK_SIZE, mask);
    return false;
}
