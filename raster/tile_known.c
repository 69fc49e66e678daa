/* SPDX-License-Identifier: MIT */
/*
 * Blocks whose depth is one plane, or whose stencil is one value: known, like the bounds of tile_hierarchy.c, only
 * between two flushes. Clears and primitives that cover a block whole make them so. A test of such a block may have one
 * outcome for all its pixels, and what it writes to the whole block does not go to memory at once: it is owed, and drawn
 * when somebody else looks, at the latest when the tile is done.
 */
#include "raster/tile.h"

static const float centre[2] = {0.0f, 0.0f};

/* Clears round the 32 bits of D32 in another way than planes. */
void tile_known_begin(struct tile_worker *w)
{
    const struct raster_surface *depth = &w->targets->depth;

    w->knows = w->target_samples <= 1 && depth->pixels && depth->format != RASTER_FORMAT_D32;
    w->depth_step = tile_two_steps(depth->format);
    w->owed_key = 0;
}

void tile_known_forget(struct tile_known *known)
{
    known->depth = known->stencil = known->depth_owed = known->stencil_owed = 0;
}

/* --- what is owed --------------------------------------------------------------------------------- */

/* Draws what memory does not hold of block b. */
static void settle(struct tile_worker *w, unsigned b, int tile_x, int tile_y)
{
    const int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
    struct tile_known *known = &w->hierarchy->known;
    const uint64_t bit = UINT64_C(1) << b;
    const bool depth = known->depth_owed & bit, stencil = known->stencil_owed & bit;
    const uint8_t value = stencil ? known->stencil_value[b] : 0;
    const uint32_t key = (uint32_t)value << 2 | (uint32_t)stencil << 1 | depth;
    const struct tile_plane *plane = &known->plane[b];
    const struct scene_primitive primitive = {
        .front_facing = 1,
        .reference_x = plane->x,
        .reference_y = plane->y,
        .depth = {.a = {plane->a}, .dx = {plane->dx}, .dy = {plane->dy}},
    };

    if (!key)
        return;
    if (key != w->owed_key) {
        w->owed_key = key;
        w->owed_state = (struct raster_draw_state){
            .depth_test = depth,
            .depth_write = depth,
            .depth_func = RASTER_ALWAYS,
            .stencil = {.enable = stencil, .func = RASTER_ALWAYS, .pass = RASTER_REPLACE, .ref = value, .write_mask = 255},
        };
        w->kernels->choose_depth(&w->owed_state, w->targets->depth.format, &w->owed_test);
    }
    w->owed_test.run(&w->owed_test, &w->targets->depth, &primitive, x, y, centre, ~UINT64_C(0));
    known->depth_owed &= ~bit;
    known->stencil_owed &= ~bit;
}

void tile_known_settle(struct tile_worker *w, int tile_x, int tile_y)
{
    const struct tile_known *known = &w->hierarchy->known;
    uint64_t owed;

    while ((owed = known->depth_owed | known->stencil_owed) != 0)
        settle(w, (unsigned)__builtin_ctzll(owed), tile_x, tile_y);
}

/* --- what is known --------------------------------------------------------------------------------- */

static void learn(struct tile_known *known, unsigned b, const struct tile_plane *plane, const struct tile_range *range)
{
    known->plane[b] = *plane;
    known->range[b] = *range;
    known->depth |= UINT64_C(1) << b;
}

/* Does `depth func stored` hold for all pixels of the block (1), for none (0), or is it not known (-1)? */
static int compare_ranges(unsigned func, const struct tile_range *depth, const struct tile_range *stored, float step)
{
    if (depth->greatest + step <= stored->least)
        return func & 1; /* less */
    if (stored->greatest + step <= depth->least)
        return func >> 2 & 1; /* greater */
    if (depth->least == depth->greatest && stored->least == stored->greatest && depth->least == stored->least)
        return func >> 1 & 1; /* equal */
    return -1;
}

/* What a test of a block comes to where all of its pixels fare alike. */
struct outcome {
    bool passes;
    uint8_t stencil; /* afterwards; if it is tested */
    struct tile_plane plane; /* the primitive's; if depth is tested */
    struct tile_range range;
};

/* False: they may not, or that is not known. */
static bool foresee(const struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                    struct outcome *outcome)
{
    const struct raster_depth_test *test = &w->depth_test;
    const struct raster_stencil_test *stencil = &test->stencil[primitive->front_facing];
    const struct raster_stencil_change *change = &stencil->pass;
    const struct tile_known *known = &w->hierarchy->known;
    const unsigned b = tile_block_of(x, y);
    int passes = 1;

    if (w->state->depth_bounds)
        return false;
    if (test->tests_stencil) {
        if (!(known->stencil >> b & 1))
            return false;
        passes = raster_stencil_passes(stencil, known->stencil_value[b]);
        change = passes ? &stencil->pass : &stencil->fail;
    }
    if (test->tests_depth && passes) {
        const bool always = test->func == RASTER_ALWAYS;

        if (!always && !(known->depth >> b & 1))
            return false;
        outcome->plane = tile_plane_of(primitive);
        if (!tile_plane_range(&outcome->plane, x, y, &outcome->range))
            return false;
        passes = always ? 1 : compare_ranges(test->func, &outcome->range, &known->range[b], w->depth_step);
        if (passes < 0)
            return false;
        change = passes ? &stencil->pass : &stencil->zfail;
    }
    outcome->passes = passes;
    outcome->stencil = (uint8_t)raster_stencil_changed(change, known->stencil_value[b]);
    return true;
}

/* The test without memory; the pixels that pass into *mask. False: it cannot do without, for that or because only part of
 * the block would be written. */
static bool test_known(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t *mask)
{
    struct tile_known *known = &w->hierarchy->known;
    const unsigned b = tile_block_of(x, y);
    struct outcome outcome;

    if (!foresee(w, primitive, x, y, &outcome))
        return false;
    const bool changes = w->depth_test.tests_stencil && outcome.stencil != known->stencil_value[b];
    const bool writes = w->depth_test.writes_depth && outcome.passes;
    if ((changes || writes) && *mask != ~UINT64_C(0))
        return false;
    if (changes) {
        known->stencil_value[b] = outcome.stencil;
        known->stencil_owed |= UINT64_C(1) << b;
    }
    if (writes) {
        learn(known, b, &outcome.plane, &outcome.range);
        known->depth_owed |= UINT64_C(1) << b;
    }
    if (!outcome.passes)
        *mask = 0;
    return true;
}

/* The blocks that a square of pixels lies in. */
static uint64_t blocks_of(int x, int y, int side)
{
    const int right = x + side - 1, bottom = y + side - 1;
    const uint64_t first = UINT64_C(1) << tile_block_of(x, y);

    if ((x | y) % side == 0)
        return first;
    return first | UINT64_C(1) << tile_block_of(right, y) | UINT64_C(1) << tile_block_of(x, bottom) |
           UINT64_C(1) << tile_block_of(right, bottom);
}

/* Before memory is looked at, and perhaps written, in a square of pixels that need not lie in one block. */
static void look_at_memory(struct tile_worker *w, int x, int y, int side)
{
    struct tile_known *known = &w->hierarchy->known;
    const uint64_t blocks = blocks_of(x, y, side);
    uint64_t owed;

    while ((owed = (known->depth_owed | known->stencil_owed) & blocks) != 0)
        settle(w, (unsigned)__builtin_ctzll(owed), x & ~(RASTER_TILE_SIZE - 1), y & ~(RASTER_TILE_SIZE - 1));
    if (w->depth_test.writes_depth)
        known->depth &= ~blocks;
    if (w->depth_test.tests_stencil)
        known->stencil &= ~blocks;
}

uint64_t tile_test_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const bool knows = w->knows && (x | y) % BLOCK_SIZE == 0;
    /* part of a block cannot be owed, and what lies behind has been dropped by its bounds already */
    const bool part = mask != ~UINT64_C(0) && w->depth_test.writes_depth && !w->depth_test.tests_stencil;
    struct tile_known *known = &w->hierarchy->known;
    struct tile_range range;

    if (knows && !part && test_known(w, primitive, x, y, &mask))
        return mask;
    look_at_memory(w, x, y, BLOCK_SIZE);
    const uint64_t pass = w->depth_test.run(&w->depth_test, &w->targets->depth, primitive, x, y, centre, mask);
    const struct tile_plane plane = tile_plane_of(primitive);

    if (pass == ~UINT64_C(0) && knows && w->depth_test.writes_depth && tile_plane_range(&plane, x, y, &range))
        learn(known, tile_block_of(x, y), &plane, &range);
    return pass;
}

uint32_t tile_test_group(struct tile_worker *w, int x, int y, const float *z, uint32_t mask, bool front_facing)
{
    look_at_memory(w, x, y, 4);
    return w->kernels->depth_stencil(w->state, &w->targets->depth, x, y, z, mask, front_facing);
}

void tile_known_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear, int tile_x,
                      int tile_y)
{
    struct tile_known *known = &w->hierarchy->known;
    const bool depth = clear->what & RASTER_CLEAR_DEPTH;
    const bool stencil = clear->what & RASTER_CLEAR_STENCIL && raster_stencil_mask(w->targets->depth.format);

    for (unsigned b = 0; b < TILE_BLOCKS && w->knows; b++) {
        const int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
        const uint64_t bit = UINT64_C(1) << b;

        if (x >= rect->right || x + BLOCK_SIZE <= rect->left || y >= rect->bottom || y + BLOCK_SIZE <= rect->top)
            continue;
        const bool whole = x >= rect->left && x + BLOCK_SIZE <= rect->right && y >= rect->top &&
                           y + BLOCK_SIZE <= rect->bottom;
        if (!whole)
            settle(w, b, tile_x, tile_y);
        if (depth) {
            known->depth_owed &= ~bit;
            known->depth &= ~bit;
            if (whole)
                learn(known, b, &(struct tile_plane){.a = clear->depth}, &(struct tile_range){clear->depth, clear->depth});
        }
        if (stencil) {
            known->stencil_value[b] = (uint8_t)(clear->depth_value & raster_stencil_mask(w->targets->depth.format));
            known->stencil_owed &= ~bit;
            known->stencil = whole ? known->stencil | bit : known->stencil & ~bit;
        }
    }
}
