/* SPDX-License-Identifier: MIT */
/*
 * The depth block cache. Most depth is planar per block, and most frames are only read back as colour. So a block of
 * 8x8 pixels may be kept compressed: its depth as a plane, the stencil of its pixels as one value. A test of a
 * compressed block is often decided for all of its pixels by comparing planes, and writing makes the block dirty. Dirty
 * blocks are written to memory when they can no longer be compressed, or when a scene flushes depth before it is
 * accessed from outside. A clear of whole blocks is a fast clear: it does not write memory. Like the bounds of
 * hierarchical Z, blocks last from one flush of depth to the next (`epoch`).
 *
 * Invariants, for each block b:
 *
 *   (1) dirty_depth is a subset of compressed: only a plane can be dirty. Hence depth is only dirty in whole blocks.
 *   (2) stencil_dirty[b] is a subset of stencil_valid[b].
 *   (3) Bit b of dirty is set if and only if its depth is dirty or stencil_dirty[b] is not 0.
 *   (4) least[b] and greatest[b] of a compressed block are the range of plane b in it: 0 <= least <= greatest <= 1.
 *   (5) If a compressed block is not dirty, memory holds the values of its plane; likewise for stencil, pixel by pixel.
 *   (6) Tests neither read nor write memory where blocks are dirty, so that the order of writes to a pixel is kept.
 *   (7) While the cache is disabled (several samples, D32, no depth target), no block is compressed or has valid stencil.
 *   (8) After a scene that flushes depth nothing is dirty, and the next scene begins with an empty cache.
 *   (9) Bit b of stencil_whole is set if and only if stencil_valid[b] has all pixels.
 *
 * (1) to (4) and (9) are asserted wherever a block changes (check_block); (6), (7) and (8) where memory is opened, where a tile begins and
 * where a flush ends; tests/unit/test_depth_cache.c proves (5).
 *
 * Depth of a block is in one of three states: MEMORY (not compressed), CLEAN (compressed, not dirty), DIRTY.
 *
 *   state         | event                                              | becomes | function
 *   any           | the first scene of an epoch                        | MEMORY  | depth_cache_invalidate
 *   any           | clear of depth in whole blocks alone (fast clear)  | DIRTY   | depth_cache_clear
 *   any           | clear of depth in all of this block, part of others| CLEAN   | depth_cache_clear (the caller writes memory)
 *   any           | clear of depth in part of this block               | MEMORY  | depth_cache_clear, after write_back
 *   CLEAN, DIRTY  | the planes decide a test of all pixels: they pass  | DIRTY   | test_compressed
 *                 | and depth is written                               |         |
 *   MEMORY        | a test that always passes writes all pixels        | DIRTY   | test_compressed
 *   any           | the planes decide a test that writes no depth      | same    | test_compressed
 *   DIRTY         | a test that must look at memory                    | CLEAN   | open_memory (write_back)
 *   CLEAN         | a test in memory that may write depth              | MEMORY  | open_memory
 *   MEMORY        | all pixels have passed a test in memory and have   | CLEAN   | compress_primitive
 *                 | been written                                       |         |
 *   DIRTY         | a scene flushes depth                              | CLEAN   | depth_cache_flush (write_back)
 *
 * Stencil of a pixel is in the same three states, of its block's one stencil_value:
 *
 *   any           | clear of stencil in whole blocks alone             | DIRTY   | depth_cache_clear
 *   any           | clear of stencil in all of this block, part of     | CLEAN   | depth_cache_clear (the caller writes memory)
 *                 | others                                             |         |
 *   any           | clear of stencil in part of this block             | MEMORY  | depth_cache_clear, after write_back
 *   any           | a decided test gives it a value                    | DIRTY   | depth_cache_set_stencil
 *   DIRTY         | other pixels of the block get another value        | MEMORY  | set_stencil_part, after write_back
 *   CLEAN         | other pixels of the block get another value        | MEMORY  | set_stencil_part
 *   DIRTY         | a test that must look at memory                    | CLEAN   | open_memory (write_back)
 *   CLEAN         | a test in memory that may write stencil            | MEMORY  | open_memory
 *   DIRTY         | a scene flushes depth                              | CLEAN   | depth_cache_flush (write_back)
 *
 * If a large triangle covers adjacent blocks, tile_test_row (depth_row.c) does the work of test_compressed for all of
 * them.
 */
#include "raster/tile/depth_cache.h"

#include "base/assert.h"
#include "raster/tile/hierarchical_z.h"
#include "raster/tile/worker.h"

#include <string.h>

/* Invariants (1) to (4) and (9) of block b. */
static inline void check_block(const struct depth_blocks *blocks, unsigned b)
{
    const uint64_t bit = UINT64_C(1) << b;

    BASE_ASSERT(b < TILE_BLOCKS);
    BASE_ASSERT(!(blocks->dirty_depth & bit & ~blocks->compressed));
    BASE_ASSERT(!(blocks->stencil_dirty[b] & ~blocks->stencil_valid[b]));
    BASE_ASSERT(!(blocks->dirty & bit) == !(blocks->dirty_depth & bit || blocks->stencil_dirty[b]));
    BASE_ASSERT(!(blocks->compressed & bit) ||
                (blocks->least[b] >= 0.0f && blocks->greatest[b] <= 1.0f && blocks->least[b] <= blocks->greatest[b]));
    BASE_ASSERT(!(blocks->stencil_whole & bit) == (blocks->stencil_valid[b] != WHOLE_BLOCK));
    (void)blocks, (void)bit;
}

/* D32 is excluded: clears round its 32 bits differently than planes do. */
void depth_cache_begin_tile(struct tile_worker *w)
{
    const struct raster_surface *depth = &w->targets->depth;

    w->depth_cache.enabled = w->target_samples <= 1 && depth->pixels && depth->format != RASTER_FORMAT_D32;
    w->depth_cache.step = tile_two_steps(depth->format);
    w->depth_cache.stencil_bits = raster_stencil_mask(depth->format);
    BASE_ASSERT(w->depth_cache.enabled || !(w->depth->blocks.compressed | w->depth->blocks.dirty)); /* (7) */
}

void depth_cache_invalidate(struct depth_blocks *blocks)
{
    blocks->compressed = blocks->dirty_depth = blocks->dirty = blocks->stencil_whole = 0;
    memset(blocks->stencil_valid, 0, sizeof(blocks->stencil_valid));
    memset(blocks->stencil_dirty, 0, sizeof(blocks->stencil_dirty));
}

/* --- write-back ------------------------------------------------------------------------------------ */

/* Restores invariant (3) after the depth or the stencil of block b has become dirty or clean. */
static void update_dirty(struct depth_blocks *blocks, unsigned b)
{
    const uint64_t bit = UINT64_C(1) << b;

    blocks->dirty = blocks->dirty_depth & bit || blocks->stencil_dirty[b] ? blocks->dirty | bit : blocks->dirty & ~bit;
}

/* Writes the plane of block b, its stencil value, or both, into the pixels of `mask`. */
static void write_plane(struct tile_worker *w, unsigned b, int x, int y, bool depth, bool stencil, uint64_t mask)
{
    const struct depth_blocks *blocks = &w->depth->blocks;
    const struct raster_depth_write write = {
        .plane = {blocks->a[b], blocks->dx[b], blocks->dy[b], blocks->x[b], blocks->y[b]},
        .depth = depth,
        .stencil = stencil,
        .stencil_value = blocks->stencil_value[b],
    };

    w->kernels->write_depth(&w->targets->depth, &write, x, y, mask);
}

/* Replaces the bits of `mask` in all words of a block by those of `value`. */
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

/* Writes a block whose depth is constant, and its stencil if requested: a word packed as for a clear. */
static void write_constant(const struct tile_worker *w, unsigned b, int x, int y, bool stencil)
{
    const struct raster_surface *s = &w->targets->depth;
    const struct depth_blocks *blocks = &w->depth->blocks;
    const uint32_t mask = raster_depth_mask(s->format) | (stencil ? raster_stencil_mask(s->format) : 0);
    const uint32_t value = raster_pack_depth(s->format, blocks->a[b], stencil ? blocks->stencil_value[b] : 0);

    if (raster_format_info(s->format)->block_bytes == 2)
        fill_short_words(s->pixels + (size_t)y * s->pitch + (size_t)x * 2, s->pitch, (uint16_t)value, (uint16_t)mask);
    else
        fill_words(s->pixels + (size_t)y * s->pitch + (size_t)x * 4, s->pitch, value, mask);
}

static bool depth_is_constant(const struct depth_blocks *blocks, unsigned b)
{
    return blocks->dx[b] == 0.0f && blocks->dy[b] == 0.0f;
}

/* Makes block b clean: writes its dirty parts to memory. */
static void write_back(struct tile_worker *w, unsigned b, int tile_x, int tile_y)
{
    const int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
    struct depth_blocks *blocks = &w->depth->blocks;
    const uint64_t bit = UINT64_C(1) << b, stencil = blocks->stencil_dirty[b];
    const bool depth = blocks->dirty_depth & bit, together = depth && stencil == WHOLE_BLOCK;

    if (depth && depth_is_constant(blocks, b))
        write_constant(w, b, x, y, together);
    else if (depth)
        write_plane(w, b, x, y, true, together, WHOLE_BLOCK);
    if (stencil && !together)
        write_plane(w, b, x, y, false, true, stencil);
    blocks->dirty_depth &= ~bit;
    blocks->stencil_dirty[b] = 0;
    blocks->dirty &= ~bit;
    check_block(blocks, b);
}

void depth_cache_flush(struct tile_worker *w, int tile_x, int tile_y)
{
    const struct depth_blocks *blocks = &w->depth->blocks;

    while (blocks->dirty)
        write_back(w, (unsigned)__builtin_ctzll(blocks->dirty), tile_x, tile_y);
    BASE_ASSERT(!blocks->dirty_depth); /* (8) */
}

/* --- tests of compressed blocks ----------------------------------------------------------------------- */

/* Sets the depth of block b to a plane. */
static void compress(struct depth_blocks *blocks, unsigned b, const struct depth_plane *plane,
                     const struct depth_range *range)
{
    blocks->a[b] = plane->a;
    blocks->dx[b] = plane->dx;
    blocks->dy[b] = plane->dy;
    blocks->x[b] = plane->x;
    blocks->y[b] = plane->y;
    blocks->least[b] = range->least;
    blocks->greatest[b] = range->greatest;
    blocks->compressed |= UINT64_C(1) << b;
}

/* Does `depth func stored` hold for all pixels of the block (1) or for none (0), or do the ranges not decide (-1)? */
static int compare_ranges(unsigned func, const struct depth_range *depth, const struct depth_range *stored, float step)
{
    if (depth->greatest + step <= stored->least)
        return func & 1; /* less */
    if (stored->greatest + step <= depth->least)
        return func >> 2 & 1; /* greater */
    if (depth->least == depth->greatest && stored->least == stored->greatest && depth->least == stored->least)
        return func >> 1 & 1; /* equal */
    return -1;
}

/* Restores invariant (9). */
static void set_stencil_valid(struct depth_blocks *blocks, unsigned b, uint64_t mask)
{
    const uint64_t bit = UINT64_C(1) << b;

    blocks->stencil_valid[b] = mask;
    blocks->stencil_whole = mask == WHOLE_BLOCK ? blocks->stencil_whole | bit : blocks->stencil_whole & ~bit;
}

/* Sets the stencil of some pixels of block b, which become dirty. */
static __attribute__((noinline)) void set_stencil_part(struct tile_worker *w, unsigned b, int x, int y, uint8_t value,
                                                       uint64_t mask)
{
    struct depth_blocks *blocks = &w->depth->blocks;

    BASE_ASSERT(b == tile_block_of(x, y));
    if (value != blocks->stencil_value[b]) { /* a block keeps one value: pixels with the old one go to memory */
        blocks->stencil_dirty[b] &= ~mask;
        if (blocks->stencil_dirty[b])
            write_back(w, b, x & ~(RASTER_TILE_SIZE - 1), y & ~(RASTER_TILE_SIZE - 1));
        blocks->stencil_valid[b] = 0;
        blocks->stencil_value[b] = value;
    }
    blocks->stencil_dirty[b] |= mask & ~blocks->stencil_valid[b];
    set_stencil_valid(blocks, b, blocks->stencil_valid[b] | mask);
    update_dirty(blocks, b);
    check_block(blocks, b);
}

void depth_cache_set_stencil(struct tile_worker *w, unsigned b, int x, int y, uint8_t value, uint64_t mask)
{
    struct depth_blocks *blocks = &w->depth->blocks;

    if (mask != WHOLE_BLOCK) {
        set_stencil_part(w, b, x, y, value, mask);
        return;
    }
    blocks->stencil_value[b] = value;
    blocks->stencil_valid[b] = blocks->stencil_dirty[b] = WHOLE_BLOCK;
    blocks->stencil_whole |= UINT64_C(1) << b;
    blocks->dirty |= UINT64_C(1) << b;
}

/* The outcome of a test, if it is the same for all tested pixels. */
struct outcome {
    bool passes;
    bool changes;             /* the stencil of the pixels changes, */
    uint8_t stencil;          /* to this */
    struct depth_range range; /* of the primitive's plane in the block, if depth is tested */
};

/* Applies a stencil operation to pixels whose stencil is `value` or, if `same` is false, unknown. False: their new
 * values differ or are unknown. */
static bool decide_change(const struct tile_worker *w, const struct raster_stencil_change *change, bool same,
                          uint8_t value, struct outcome *outcome)
{
    outcome->stencil = (uint8_t)raster_stencil_changed(change, same ? value : 0);
    outcome->changes = change->write && !(same && outcome->stencil == value);
    return same || !change->write || (!change->keep && change->write == w->depth_cache.stencil_bits);
}

/* Decides a test of the pixels of `mask` in the block at (x, y) by compressed depth and stencil. False: pixels may
 * differ in their outcome, or the result cannot be kept compressed. */
static bool decide(const struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                   struct outcome *outcome)
{
    const struct raster_depth_test *test = &w->state.depth_test;
    const struct raster_stencil_test *stencil = &test->stencil[primitive->front_facing];
    const struct raster_stencil_change *change = &stencil->pass;
    const struct depth_blocks *blocks = &w->depth->blocks;
    const unsigned b = tile_block_of(x, y);
    const bool same = !(mask & ~blocks->stencil_valid[b]);
    int passes = 1;

    if (w->state.draw->depth_bounds)
        return false;
    if (test->tests_stencil && !stencil->always) {
        if (!same)
            return false;
        passes = raster_stencil_passes(stencil, blocks->stencil_value[b]);
        change = passes ? &stencil->pass : &stencil->fail;
    }
    if (test->tests_depth && passes) {
        const bool always = test->func == RASTER_ALWAYS;

        /* part of a block cannot have dirty depth (1), and pixels behind its bound have been rejected already */
        if ((test->writes_depth && mask != WHOLE_BLOCK) || (!always && !(blocks->compressed >> b & 1)))
            return false;
        const struct depth_plane plane = depth_plane_of(primitive);
        if (!depth_plane_range(&plane, x, y, &outcome->range))
            return false;
        passes =
            always ? 1
                   : compare_ranges(test->func, &outcome->range,
                                    &(struct depth_range){blocks->least[b], blocks->greatest[b]}, w->depth_cache.step);
        if (passes < 0)
            return false;
        change = passes ? &stencil->pass : &stencil->zfail;
    }
    outcome->passes = passes;
    outcome->changes = false;
    return !test->tests_stencil || decide_change(w, change, same, blocks->stencil_value[b], outcome);
}

/* Tests a compressed block without memory; *mask becomes the pixels that pass. False: memory is needed. */
static __attribute__((noinline)) bool test_compressed(struct tile_worker *w, const struct scene_primitive *primitive,
                                                      int x, int y, uint64_t *mask)
{
    struct depth_blocks *blocks = &w->depth->blocks;
    const unsigned b = tile_block_of(x, y);
    struct outcome outcome = {.range = {0.0f, 0.0f}};

    if (!decide(w, primitive, x, y, *mask, &outcome))
        return false;
    if (outcome.changes)
        depth_cache_set_stencil(w, b, x, y, outcome.stencil, *mask);
    if (w->state.depth_test.writes_depth && outcome.passes) {
        const struct depth_plane plane = depth_plane_of(primitive);

        compress(blocks, b, &plane, &outcome.range);
        blocks->dirty_depth |= UINT64_C(1) << b;
        blocks->dirty |= UINT64_C(1) << b;
    }
    check_block(blocks, b);
    if (!outcome.passes)
        *mask = 0;
    return true;
}

/* --- tests in memory ------------------------------------------------------------------------------------ */

/* The set of blocks that a square of pixels in a tile lies in. */
static inline uint64_t blocks_of(int x, int y, int side)
{
    const int right = x + side - 1, bottom = y + side - 1;
    const uint64_t first = UINT64_C(1) << tile_block_of(x, y);

    if ((x | y) % side == 0)
        return first;
    return first | UINT64_C(1) << tile_block_of(right, y) | UINT64_C(1) << tile_block_of(x, bottom) |
           UINT64_C(1) << tile_block_of(right, bottom);
}

/* The outcome of a test that only reads stencil, for pixels anywhere in the blocks of `set`: 1: they pass, 0: they
 * fail, -1: it is another test, or the outcomes may differ. */
static __attribute__((noinline)) int test_stencil_alone(const struct tile_worker *w, bool front_facing, uint64_t set)
{
    const struct raster_depth_test *test = &w->state.depth_test;
    const struct raster_stencil_test *stencil = &test->stencil[front_facing];
    const struct depth_blocks *blocks = &w->depth->blocks;
    int passes = -1;

    if (!test->tests_stencil || test->tests_depth || w->state.draw->depth_bounds || stencil->fail.write ||
        stencil->pass.write)
        return -1;
    for (; set; set &= set - 1) {
        const unsigned b = (unsigned)__builtin_ctzll(set);
        const int here = raster_stencil_passes(stencil, blocks->stencil_value[b]);

        if (blocks->stencil_valid[b] != WHOLE_BLOCK || (passes >= 0 && passes != here))
            return -1;
        passes = here;
    }
    return passes;
}

static __attribute__((noinline)) void write_back_set(struct tile_worker *w, int x, int y, uint64_t set)
{
    for (; set; set &= set - 1)
        write_back(w, (unsigned)__builtin_ctzll(set), x & ~(RASTER_TILE_SIZE - 1), y & ~(RASTER_TILE_SIZE - 1));
}

/* Makes memory valid for the blocks of `set`, which a test is about to read and perhaps write; if it is one block, for
 * its pixels of `mask`. */
static inline void open_memory(struct tile_worker *w, int x, int y, bool front_facing, uint64_t set, uint64_t mask)
{
    const struct raster_stencil_test *stencil = &w->state.depth_test.stencil[front_facing];
    struct depth_blocks *blocks = &w->depth->blocks;

    if (blocks->dirty & set)
        write_back_set(w, x, y, blocks->dirty & set);
    BASE_ASSERT(!(blocks->dirty & set) && !(blocks->dirty_depth & set)); /* (6) */
    if (w->state.depth_test.writes_depth)
        blocks->compressed &= ~set;
    if (w->state.depth_test.tests_stencil && (stencil->fail.write | stencil->zfail.write | stencil->pass.write))
        for (; mask && set; set &= set - 1) {
            const unsigned b = (unsigned)__builtin_ctzll(set);

            set_stencil_valid(blocks, b, blocks->stencil_valid[b] & ~mask);
        }
}

/* Called when all pixels of the block at (x, y) have passed and been written, so that its depth is the primitive's
 * plane. */
static __attribute__((noinline)) void compress_primitive(struct tile_worker *w, const struct scene_primitive *primitive,
                                                         int x, int y)
{
    const struct depth_plane plane = depth_plane_of(primitive);
    struct depth_range range;

    if (depth_plane_range(&plane, x, y, &range))
        compress(&w->depth->blocks, tile_block_of(x, y), &plane, &range);
}

static inline uint64_t test_in_memory(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                                      uint64_t mask)
{
    open_memory(w, x, y, primitive->front_facing, UINT64_C(1) << tile_block_of(x, y), mask);
    const uint64_t pass =
        w->state.depth_test.run(&w->state.depth_test, &w->targets->depth, primitive, x, y, scene_pixel_centre, mask);

    if (pass == WHOLE_BLOCK && w->state.caches_depth && w->state.depth_test.writes_depth)
        compress_primitive(w, primitive, x, y);
    return pass;
}

uint64_t tile_test_block_in_memory(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                                   uint64_t mask)
{
    return test_in_memory(w, primitive, x, y, mask);
}

/* tile_test_block for 8x8 pixels that lie in several blocks. */
static __attribute__((noinline)) uint64_t test_unaligned(struct tile_worker *w, const struct scene_primitive *primitive,
                                                         int x, int y, uint64_t mask)
{
    const uint64_t set = blocks_of(x, y, BLOCK_SIZE);
    const int passes = test_stencil_alone(w, primitive->front_facing, set);

    if (passes >= 0)
        return passes ? mask : 0;
    open_memory(w, x, y, primitive->front_facing, set, WHOLE_BLOCK);
    return w->state.depth_test.run(&w->state.depth_test, &w->targets->depth, primitive, x, y, scene_pixel_centre, mask);
}

uint64_t tile_test_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    if ((x | y) % BLOCK_SIZE)
        return test_unaligned(w, primitive, x, y, mask);
    /* (a test that only writes depth, to a part of a block, is never decided) */
    if (w->state.caches_depth &&
        (mask == WHOLE_BLOCK || !w->state.depth_test.writes_depth || w->state.depth_test.tests_stencil) &&
        test_compressed(w, primitive, x, y, &mask))
        return mask;
    return test_in_memory(w, primitive, x, y, mask);
}

uint32_t tile_test_group(struct tile_worker *w, int x, int y, const float *z, uint32_t mask, bool front_facing)
{
    const uint64_t set = blocks_of(x, y, 4);
    const int passes = test_stencil_alone(w, front_facing, set);

    if (passes >= 0)
        return passes ? mask : 0;
    open_memory(w, x, y, front_facing, set, WHOLE_BLOCK);
    return w->kernels->depth_stencil(w->state.draw, &w->targets->depth, x, y, z, mask, front_facing);
}

/* --- clears ---------------------------------------------------------------------------------------------- */

/* Mostly of a whole row */
static inline void splat(float *to, unsigned count, float value)
{
    if (count == ROW_BLOCKS)
        FOR_ROW_VECTORS
    float4_store(to + i * SIMD4_LANES, float4_splat(value));
    else for (unsigned i = 0; i < count; i++) to[i] = value;
}

/* Clears blocks that lie wholly in the rectangle: their contents in memory no longer matter. */
static void clear_whole_blocks(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                               int tile_x, int tile_y)
{
    struct depth_blocks *blocks = &w->depth->blocks;
    const bool depth = clear->what & RASTER_CLEAR_DEPTH;
    const bool stencil = clear->what & RASTER_CLEAR_STENCIL && w->depth_cache.stencil_bits;
    const uint8_t value = (uint8_t)(clear->depth_value & w->depth_cache.stencil_bits);
    const unsigned left = (unsigned)(rect->left - tile_x) / BLOCK_SIZE,
                   right = (unsigned)(rect->right - tile_x) / BLOCK_SIZE;
    const unsigned top = (unsigned)(rect->top - tile_y) / BLOCK_SIZE,
                   bottom = (unsigned)(rect->bottom - tile_y) / BLOCK_SIZE;
    const uint64_t row = (UINT64_C(1) << right) - (UINT64_C(1) << left);
    const unsigned count = right - left;

    for (unsigned y = top; y < bottom; y++) {
        const uint64_t bits = row << ROW_BLOCKS * y;
        const unsigned first = ROW_BLOCKS * y + left;

        if (depth) {
            const float z = clear->depth;

            splat(&blocks->a[first], count, z);
            splat(&blocks->least[first], count, z);
            splat(&blocks->greatest[first], count, z);
            splat(&blocks->dx[first], count, 0.0f);
            splat(&blocks->dy[first], count, 0.0f);
            splat(&blocks->x[first], count, 0.0f);
            splat(&blocks->y[first], count, 0.0f);
            blocks->compressed |= bits;
            blocks->dirty_depth |= bits;
        }
        if (stencil) {
            memset(&blocks->stencil_value[first], value, count);
            memset(&blocks->stencil_valid[first], 0xff, count * sizeof(*blocks->stencil_valid));
            memset(&blocks->stencil_dirty[first], 0xff, count * sizeof(*blocks->stencil_dirty));
            blocks->stencil_whole |= bits;
        }
        if (depth || stencil)
            blocks->dirty |= bits;
        for (unsigned b = first; b < first + count; b++)
            check_block(blocks, b);
    }
}

bool depth_cache_clear(struct tile_worker *w, const struct raster_rect *rect, const struct scene_clear *clear,
                       int tile_x, int tile_y)
{
    struct depth_blocks *blocks = &w->depth->blocks;
    const bool depth = clear->what & RASTER_CLEAR_DEPTH;
    const bool stencil = clear->what & RASTER_CLEAR_STENCIL && w->depth_cache.stencil_bits;
    const bool fast = w->depth_cache.enabled && !((rect->left | rect->top | rect->right | rect->bottom) % BLOCK_SIZE);

    if (fast) {
        clear_whole_blocks(w, rect, clear, tile_x, tile_y);
        return true;
    }
    for (unsigned b = 0; b < TILE_BLOCKS && w->depth_cache.enabled; b++) {
        const int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;
        const uint64_t bit = UINT64_C(1) << b;

        if (x >= rect->right || x + BLOCK_SIZE <= rect->left || y >= rect->bottom || y + BLOCK_SIZE <= rect->top)
            continue;
        const bool whole =
            x >= rect->left && x + BLOCK_SIZE <= rect->right && y >= rect->top && y + BLOCK_SIZE <= rect->bottom;
        if (!whole)
            write_back(w, b, tile_x, tile_y);
        if (depth) {
            blocks->dirty_depth &= ~bit;
            blocks->compressed &= ~bit;
            if (whole)
                compress(blocks, b, &(struct depth_plane){.a = clear->depth},
                         &(struct depth_range){clear->depth, clear->depth});
        }
        if (stencil) {
            blocks->stencil_value[b] = (uint8_t)(clear->depth_value & w->depth_cache.stencil_bits);
            set_stencil_valid(blocks, b, whole ? WHOLE_BLOCK : 0);
            blocks->stencil_dirty[b] = 0;
        }
        update_dirty(blocks, b);
        check_block(blocks, b);
    }
    return false;
}
