/* SPDX-License-Identifier: MIT */
/*
 * Blocks whose depth is one plane, or of which pixels have one value of stencil: known, like the bounds of
 * tile/hierarchical_z.c, only between two flushes that settle. Clears make them so, and primitives: of depth those that cover
 * a block whole, of stencil all that write one value. A test of what is known may have one outcome for all its pixels,
 * and what it writes does not go to memory at once: it is owed, and drawn when somebody else looks, at the latest when a
 * flush settles. Frames of which only colours are shown never write the depth of blocks that remained as cleared.
 */
#include "raster/tile/worker.h"

#include <string.h>

#define WHOLE (~UINT64_C(0)) /* all pixels of a block */

static const float centre[2] = {0.0f, 0.0f};

/* Clears round the 32 bits of D32 in another way than planes. */
void tile_known_begin(struct tile_worker *w)
{
    const struct raster_surface *depth = &w->targets->depth;

    w->knows = w->target_samples <= 1 && depth->pixels && depth->format != RASTER_FORMAT_D32;
    w->depth_step = tile_two_steps(depth->format);
    w->stencil_bits = raster_stencil_mask(depth->format);
    w->owed_key = 0;
}

void tile_known_forget(struct tile_known *known)
{
    known->depth = known->depth_owed = known->owed = 0;
    memset(known->stencil, 0, sizeof(known->stencil));
    memset(known->stencil_owed, 0, sizeof(known->stencil_owed));
}

/* --- what is owed --------------------------------------------------------------------------------- */

/* Some of it has come, or need not come any more. */
static void count_owed(struct tile_known *known, unsigned b)
{
    const uint64_t bit = UINT64_C(1) << b;

    known->owed = known->depth_owed & bit || known->stencil_owed[b] ? known->owed | bit : known->owed & ~bit;
}

/* Depth of block b, its stencil, or both, into memory. */
static void draw_owed(struct tile_worker *w, unsigned b, int x, int y, bool depth, bool stencil, uint64_t mask)
{
    const struct tile_known *known = &w->hierarchy->known;
    const uint8_t value = stencil ? known->stencil_value[b] : 0;
    const uint32_t key = (uint32_t)value << 2 | (uint32_t)stencil << 1 | depth;
    const struct tile_plane *plane = &known->plane[b];
    const struct scene_primitive primitive = {
        .front_facing = 1,
        .reference_x = plane->x,
        .reference_y = plane->y,
        .depth = {.a = {plane->a}, .dx = {plane->dx}, .dy = {plane->dy}},
    };

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
    w->owed_test.run(&w->owed_test, &w->targets->depth, &primitive, x, y, centre, mask);
}

/* The bits of `mask` in a block's words. */
static void fill_words(uint8_t *p, size_t pitch, uint32_t value, uint32_t mask)
{
    for (unsigned y = 0; y < BLOCK_SIZE; y++, p += pitch) {
        uint32_t row[BLOCK_SIZE] = {0};

        if (~mask)
            memcpy(row, p, sizeof(row));
        for (unsigned x = 0; x < BLOCK_SIZE; x++)
            row[x] = (row[x] & ~mask) | (value & mask);
        memcpy(p, row, sizeof(row));
    }
}

static void fill_short_words(uint8_t *p, size_t pitch, uint16_t value, uint16_t mask)
{
    for (unsigned y = 0; y < BLOCK_SIZE; y++, p += pitch) {
        uint16_t row[BLOCK_SIZE];

        memcpy(row, p, sizeof(row));
        for (unsigned x = 0; x < BLOCK_SIZE; x++)
            row[x] = (uint16_t)((row[x] & ~mask) | (value & mask));
        memcpy(p, row, sizeof(row));
    }
}

/* Depth of block b, and its stencil, where it has one depth: a word as a clear packs it. */
static void fill_owed(const struct tile_worker *w, unsigned b, int x, int y, bool stencil)
{
    const struct raster_surface *s = &w->targets->depth;
    const struct tile_known *known = &w->hierarchy->known;
    const uint32_t mask = raster_depth_mask(s->format) | (stencil ? raster_stencil_mask(s->format) : 0);
    const uint32_t value = raster_pack_depth(s->format, known->plane[b].a, stencil ? known->stencil_value[b] : 0);

    if (raster_format_info(s->format)->block_bytes == 2)
        fill_short_words(s->pixels + (size_t)y * s->pitch + (size_t)x * 2, s->pitch, (uint16_t)value, (uint16_t)mask);
    else
        fill_words(s->pixels + (size_t)y * s->pitch + (size_t)x * 4, s->pitch, value, mask);
}

static bool is_level(const struct tile_plane *plane)
{
    return plane->dx == 0.0f && plane->dy == 0.0f;
}

/* Draws what memory does not hold of block b. */
static void settle(struct tile_worker *w, unsigned b, int tile_x, int tile_y)
{
    const int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
    struct tile_known *known = &w->hierarchy->known;
    const uint64_t bit = UINT64_C(1) << b, stencil = known->stencil_owed[b];
    const bool depth = known->depth_owed & bit, together = depth && stencil == WHOLE;

    if (depth && is_level(&known->plane[b]))
        fill_owed(w, b, x, y, together);
    else if (depth)
        draw_owed(w, b, x, y, true, together, WHOLE);
    if (stencil && !together)
        draw_owed(w, b, x, y, false, true, stencil);
    known->depth_owed &= ~bit;
    known->stencil_owed[b] = 0;
    known->owed &= ~bit;
}

void tile_known_settle(struct tile_worker *w, int tile_x, int tile_y)
{
    const struct tile_known *known = &w->hierarchy->known;

    while (known->owed)
        settle(w, (unsigned)__builtin_ctzll(known->owed), tile_x, tile_y);
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

/* Some pixels of block b get a stencil value, which is owed. */
static __attribute__((noinline)) void learn_part(struct tile_worker *w, unsigned b, int x, int y, uint8_t value,
                                                 uint64_t mask)
{
    struct tile_known *known = &w->hierarchy->known;

    if (value != known->stencil_value[b]) { /* one value is kept: the others go to memory */
        known->stencil_owed[b] &= ~mask;
        if (known->stencil_owed[b])
            settle(w, b, x & ~(RASTER_TILE_SIZE - 1), y & ~(RASTER_TILE_SIZE - 1));
        known->stencil[b] = 0;
        known->stencil_value[b] = value;
    }
    known->stencil_owed[b] |= mask & ~known->stencil[b];
    known->stencil[b] |= mask;
    count_owed(known, b);
}

static inline void learn_stencil(struct tile_worker *w, unsigned b, int x, int y, uint8_t value, uint64_t mask)
{
    struct tile_known *known = &w->hierarchy->known;

    if (mask != WHOLE) {
        learn_part(w, b, x, y, value, mask);
        return;
    }
    known->stencil_value[b] = value;
    known->stencil[b] = known->stencil_owed[b] = WHOLE;
    known->owed |= UINT64_C(1) << b;
}

/* What a test of pixels comes to where all of them fare alike. */
struct outcome {
    bool passes;
    bool changes;    /* their stencil */
    uint8_t stencil; /* then: to this */
    struct tile_plane plane; /* the primitive's; if depth is tested */
    struct tile_range range;
};

/* What a change makes of pixels with that stencil, or (`same` is false) with any. False: of each something else. */
static bool foresee_change(const struct tile_worker *w, const struct raster_stencil_change *change, bool same,
                           uint8_t value, struct outcome *outcome)
{
    outcome->stencil = (uint8_t)raster_stencil_changed(change, same ? value : 0);
    outcome->changes = change->write && !(same && outcome->stencil == value);
    return same || !change->write || (!change->keep && change->write == w->stencil_bits);
}

/* False: they may not, or that is not known or of no use. */
static bool foresee(const struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                    struct outcome *outcome)
{
    const struct raster_depth_test *test = &w->depth_test;
    const struct raster_stencil_test *stencil = &test->stencil[primitive->front_facing];
    const struct raster_stencil_change *change = &stencil->pass;
    const struct tile_known *known = &w->hierarchy->known;
    const unsigned b = tile_block_of(x, y);
    const bool same = !(mask & ~known->stencil[b]);
    int passes = 1;

    if (w->state->depth_bounds)
        return false;
    if (test->tests_stencil && !stencil->always) {
        if (!same)
            return false;
        passes = raster_stencil_passes(stencil, known->stencil_value[b]);
        change = passes ? &stencil->pass : &stencil->fail;
    }
    if (test->tests_depth && passes) {
        const bool always = test->func == RASTER_ALWAYS;

        /* depth of part of a block cannot be owed, and what lies behind has been dropped by its bounds already */
        if ((test->writes_depth && mask != WHOLE) || (!always && !(known->depth >> b & 1)))
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
    outcome->changes = false;
    return !test->tests_stencil || foresee_change(w, change, same, known->stencil_value[b], outcome);
}

/* The test without memory; the pixels that pass into *mask. False: it cannot do without. */
static __attribute__((noinline)) bool test_known(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                                                 uint64_t *mask)
{
    struct tile_known *known = &w->hierarchy->known;
    const unsigned b = tile_block_of(x, y);
    struct outcome outcome;

    if (!foresee(w, primitive, x, y, *mask, &outcome))
        return false;
    if (outcome.changes)
        learn_stencil(w, b, x, y, outcome.stencil, *mask);
    if (w->depth_test.writes_depth && outcome.passes) {
        learn(known, b, &outcome.plane, &outcome.range);
        known->depth_owed |= UINT64_C(1) << b;
        known->owed |= UINT64_C(1) << b;
    }
    if (!outcome.passes)
        *mask = 0;
    return true;
}

/* The blocks that a square of pixels lies in. */
static inline uint64_t blocks_of(int x, int y, int side)
{
    const int right = x + side - 1, bottom = y + side - 1;
    const uint64_t first = UINT64_C(1) << tile_block_of(x, y);

    if ((x | y) % side == 0)
        return first;
    return first | UINT64_C(1) << tile_block_of(right, y) | UINT64_C(1) << tile_block_of(x, bottom) |
           UINT64_C(1) << tile_block_of(right, bottom);
}

/* The outcome for pixels anywhere in these blocks of a test of nothing but stencil that changes none: 1, 0, or -1 where
 * it is no such test, or not known. */
static __attribute__((noinline)) int test_stencils(const struct tile_worker *w, bool front_facing, uint64_t blocks)
{
    const struct raster_depth_test *test = &w->depth_test;
    const struct raster_stencil_test *stencil = &test->stencil[front_facing];
    const struct tile_known *known = &w->hierarchy->known;
    int passes = -1;

    if (!test->tests_stencil || test->tests_depth || w->state->depth_bounds || stencil->fail.write || stencil->pass.write)
        return -1;
    for (; blocks; blocks &= blocks - 1) {
        const unsigned b = (unsigned)__builtin_ctzll(blocks);
        const int here = raster_stencil_passes(stencil, known->stencil_value[b]);

        if (known->stencil[b] != WHOLE || (passes >= 0 && passes != here))
            return -1;
        passes = here;
    }
    return passes;
}

static __attribute__((noinline)) void settle_blocks(struct tile_worker *w, int x, int y, uint64_t blocks)
{
    for (; blocks; blocks &= blocks - 1)
        settle(w, (unsigned)__builtin_ctzll(blocks), x & ~(RASTER_TILE_SIZE - 1), y & ~(RASTER_TILE_SIZE - 1));
}

/* Before memory is looked at, and perhaps written, in these blocks; where they are one, in its pixels of `mask`. */
static inline void look_at_memory(struct tile_worker *w, int x, int y, bool front_facing, uint64_t blocks, uint64_t mask)
{
    const struct raster_stencil_test *stencil = &w->depth_test.stencil[front_facing];
    struct tile_known *known = &w->hierarchy->known;

    if (known->owed & blocks)
        settle_blocks(w, x, y, known->owed & blocks);
    if (w->depth_test.writes_depth)
        known->depth &= ~blocks;
    if (w->depth_test.tests_stencil && (stencil->fail.write | stencil->zfail.write | stencil->pass.write))
        for (; blocks; blocks &= blocks - 1)
            known->stencil[__builtin_ctzll(blocks)] &= ~mask;
}

/* All of a block has passed, and its depth is that of the primitive. */
static __attribute__((noinline)) void learn_primitive(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y)
{
    const struct tile_plane plane = tile_plane_of(primitive);
    struct tile_range range;

    if (tile_plane_range(&plane, x, y, &range))
        learn(&w->hierarchy->known, tile_block_of(x, y), &plane, &range);
}

uint64_t tile_test_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    const bool one = (x | y) % BLOCK_SIZE == 0, knows = w->knows_state && one;

    /* (depth written to a part of a block, and nothing else, is never foreseen) */
    if (knows && (mask == WHOLE || !w->depth_test.writes_depth || w->depth_test.tests_stencil) &&
        test_known(w, primitive, x, y, &mask))
        return mask;
    if (one) {
        look_at_memory(w, x, y, primitive->front_facing, UINT64_C(1) << tile_block_of(x, y), mask);
    } else {
        const uint64_t blocks = blocks_of(x, y, BLOCK_SIZE);
        const int passes = test_stencils(w, primitive->front_facing, blocks);

        if (passes >= 0)
            return passes ? mask : 0;
        look_at_memory(w, x, y, primitive->front_facing, blocks, WHOLE);
    }
    const uint64_t pass = w->depth_test.run(&w->depth_test, &w->targets->depth, primitive, x, y, centre, mask);

    if (pass == WHOLE && knows && w->depth_test.writes_depth)
        learn_primitive(w, primitive, x, y);
    return pass;
}

uint32_t tile_test_group(struct tile_worker *w, int x, int y, const float *z, uint32_t mask, bool front_facing)
{
    const uint64_t blocks = blocks_of(x, y, 4);
    const int passes = test_stencils(w, front_facing, blocks);

    if (passes >= 0)
        return passes ? mask : 0;
    look_at_memory(w, x, y, front_facing, blocks, WHOLE);
    return w->kernels->depth_stencil(w->state, &w->targets->depth, x, y, z, mask, front_facing);
}

bool tile_known_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear, int tile_x,
                      int tile_y)
{
    struct tile_known *known = &w->hierarchy->known;
    const bool depth = clear->what & RASTER_CLEAR_DEPTH;
    const bool stencil = clear->what & RASTER_CLEAR_STENCIL && w->stencil_bits;
    const bool owes = w->knows && !((rect->left | rect->top | rect->right | rect->bottom) % BLOCK_SIZE); /* whole blocks */

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
            known->depth_owed = owes ? known->depth_owed | bit : known->depth_owed & ~bit;
            known->depth &= ~bit;
            if (whole)
                learn(known, b, &(struct tile_plane){.a = clear->depth}, &(struct tile_range){clear->depth, clear->depth});
        }
        if (stencil) {
            known->stencil_value[b] = (uint8_t)(clear->depth_value & w->stencil_bits);
            known->stencil[b] = whole ? WHOLE : 0;
            known->stencil_owed[b] = owes ? WHOLE : 0;
        }
        count_owed(known, b);
    }
    return owes;
}
