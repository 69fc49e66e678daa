/* SPDX-License-Identifier: MIT */
/*
 * The depth block cache for a row of blocks at once: tile_test_block in vectors whose lanes are blocks, for tests that
 * compressed depth and stencil decide. The head of depth_cache.c lists states and invariants.
 */
#include "base/assert.h"
#include "raster/tile/depth_cache.h"
#include "raster/tile/worker.h"

/* The result of testing a row; bits as in struct raster_row. */
struct row_outcome {
    uint32_t decided;            /* all pixels of the block have the same outcome, and memory is not needed */
    uint32_t stencil_pass, pass; /* the outcome for decided blocks */
};

/* The stencil values of a row. */
struct row_stencil {
    int4 value[ROW_VECTORS];
};

static inline struct row_stencil load_stencil(const struct depth_blocks *blocks, unsigned first)
{
    const int4 halves = int4_low_bytes(int4_load_low(&blocks->stencil_value[first]));
    const int4 low = int4_splat(0xffff);
    /* pairs of 16 bits to words */
    const int4 even = halves & low, odd = int4_right(halves, 16);

    return (struct row_stencil){{int4_low_words(even, odd), int4_high_words(even, odd)}};
}

/* raster_stencil_passes for each block. */
static inline uint32_t stencil_passes(const struct raster_stencil_test *test, const struct row_stencil *stencil)
{
    /* with the sign flipped, unsigned numbers compare as signed ones do */
    const int4 sign = int4_splat(INT32_MIN), span = int4_splat((int32_t)test->span) ^ sign;
    int4 fails[ROW_VECTORS];

    FOR_ROW_VECTORS
    {
        const int4 masked = stencil->value[i] & (int32_t)test->mask;

        fails[i] = (int4_sub(int4_splat((int32_t)test->from), masked) ^ sign) > span;
    }
    return (row_bits(fails) ^ (test->negate ? 0 : ~0u)) & ((1u << ROW_BLOCKS) - 1);
}

/* raster_stencil_changed for the blocks of `bits`, whose values become those of `fresh`. */
static inline void stencil_change(const struct raster_stencil_change *change, const struct row_stencil *stencil,
                                  uint32_t bits, struct row_stencil *fresh)
{
    if (!change->write || !bits)
        return;
    const int4 write = int4_splat((int32_t)change->write);

    FOR_ROW_VECTORS
    {
        int4 value = int4_add((stencil->value[i] & (int32_t)change->keep) ^ (int32_t)change->flip,
                              int4_splat((int32_t)change->add));

        value = int4_min(int4_max(value, int4_splat(change->low)), int4_splat(change->high));
        value = int4_select(write, value, stencil->value[i]);
        fresh->value[i] = int4_select(row_lanes(bits, i), value, fresh->value[i]);
    }
}

/* Compares the ranges of depth with those of compressed blocks (compare_ranges of depth_cache.c). Returns the blocks
 * whose outcome is the same for all pixels; *pass: the blocks that pass. */
static inline uint32_t compare_row(const struct tile_worker *w, const struct row_range *depth, unsigned first,
                                   uint32_t *pass)
{
    const struct depth_blocks *blocks = &w->depth->blocks;
    const unsigned func = w->state.depth_test.func;
    const float4 step = float4_splat(w->depth_cache.step);
    int4 less[ROW_VECTORS], greater[ROW_VECTORS], equal[ROW_VECTORS];

    FOR_ROW_VECTORS
    {
        const float4 least = float4_load(&blocks->least[first + i * SIMD4_LANES]);
        const float4 greatest = float4_load(&blocks->greatest[first + i * SIMD4_LANES]);

        less[i] = depth->greatest[i] + step <= least;
        greater[i] = greatest + step <= depth->least[i];
        equal[i] = (depth->least[i] == depth->greatest[i]) & (least == greatest) & (depth->least[i] == least);
    }
    const uint32_t is_less = row_bits(less), is_greater = row_bits(greater), is_equal = row_bits(equal);

    *pass = (func & 1 ? is_less : 0) | (func & 2 ? is_equal : 0) | (func & 4 ? is_greater : 0);
    return is_less | is_greater | is_equal;
}

/* Tests the blocks of `asked` by compressed depth and stencil. */
static inline struct row_outcome decide_row(const struct tile_worker *w, const struct raster_stencil_test *stencil,
                                            const struct row_stencil *value, const struct row_range *range,
                                            uint32_t whole, unsigned first, uint32_t asked)
{
    const struct raster_depth_test *test = &w->state.depth_test;
    const bool compares_stencil = test->tests_stencil && !stencil->always;
    struct row_outcome outcome;

    outcome.stencil_pass = compares_stencil ? asked & stencil_passes(stencil, value) : asked;
    outcome.pass = outcome.stencil_pass;
    outcome.decided = asked;
    if (!test->tests_depth)
        return outcome;
    /* part of a block cannot have dirty depth (invariant 1) */
    uint32_t known = outcome.stencil_pass & (test->writes_depth ? whole : ~0u);

    if (test->func != RASTER_ALWAYS)
        known &= (uint32_t)(w->depth->blocks.compressed >> first) & compare_row(w, range, first, &outcome.pass);
    outcome.decided = known | (asked & ~outcome.stencil_pass);
    outcome.pass &= known;
    return outcome;
}

/* Sets the depth of the blocks of `bits` to the primitive's plane; it becomes dirty. */
static inline void write_planes(struct depth_blocks *blocks, const struct scene_primitive *primitive,
                                const struct row_range *range, unsigned first, uint32_t bits)
{
    const struct depth_plane plane = depth_plane_of(primitive);
    const uint64_t set = (uint64_t)bits << first;

    FOR_ROW_VECTORS
    {
        const unsigned b = first + i * SIMD4_LANES;
        const int4 lanes = row_lanes(bits, i);

        float4_replace(&blocks->a[b], lanes, float4_splat(plane.a));
        float4_replace(&blocks->dx[b], lanes, float4_splat(plane.dx));
        float4_replace(&blocks->dy[b], lanes, float4_splat(plane.dy));
        float4_replace(&blocks->x[b], lanes, float4_splat(plane.x));
        float4_replace(&blocks->y[b], lanes, float4_splat(plane.y));
        float4_replace(&blocks->least[b], lanes, range->least[i]);
        float4_replace(&blocks->greatest[b], lanes, range->greatest[i]);
    }
    blocks->compressed |= set;
    blocks->dirty_depth |= set;
    blocks->dirty |= set;
}

/* The blocks whose pixels of the mask all have the block's stencil value. */
static inline uint32_t blocks_of_one_stencil(const struct depth_blocks *blocks, unsigned first,
                                             const struct raster_row *row)
{
    uint32_t same = (uint32_t)(blocks->stencil_whole >> first) & row->live;

    for (uint32_t rest = row->live & ~same; rest; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);

        same |= (uint32_t) !(row->mask[l] & ~blocks->stencil_valid[first + l]) << l;
    }
    return same;
}

/* Is the result of a change known for pixels with unknown values? */
static inline bool is_same_for_all(const struct tile_worker *w, const struct raster_stencil_change *change)
{
    return !change->write || (!change->keep && change->write == w->depth_cache.stencil_bits);
}

/* Changes the stencil values of the blocks that are decided. same: blocks with one value. Other blocks are no longer
 * decided if their new values are unknown. */
static void change_stencil(struct tile_worker *w, const struct raster_stencil_test *stencil,
                           const struct row_stencil *old, uint32_t same, int x, int y, const struct raster_row *row,
                           struct row_outcome *outcome)
{
    const struct raster_stencil_change *const change[3] = {&stencil->fail, &stencil->zfail, &stencil->pass};
    const uint32_t blocks[3] = {outcome->decided & ~outcome->stencil_pass,
                                outcome->decided & outcome->stencil_pass & ~outcome->pass, outcome->pass};
    struct row_stencil fresh = *old;
    int4 equal[ROW_VECTORS];
    int32_t value[ROW_BLOCKS];
    uint32_t changed = 0; /* although the block's value stays */

    for (unsigned i = 0; i < 3; i++) {
        uint32_t bits = blocks[i];

        if (!bits || !change[i]->write)
            continue;
        if (is_same_for_all(w, change[i])) {
            changed |= bits & ~same;
        } else {
            outcome->decided &= ~(bits & ~same);
            bits &= same;
        }
        stencil_change(change[i], old, bits, &fresh);
    }
    outcome->pass &= outcome->decided;
    FOR_ROW_VECTORS
    {
        equal[i] = fresh.value[i] == old->value[i];
        int4_store(&value[i * SIMD4_LANES], fresh.value[i]);
    }
    for (changed |= ~row_bits(equal) & ((1u << ROW_BLOCKS) - 1); changed; changed &= changed - 1) {
        const unsigned l = (unsigned)__builtin_ctz(changed);

        depth_cache_set_stencil(w, tile_block_of(x, y) + l, x + (int)l * BLOCK_SIZE, y, (uint8_t)value[l],
                                row->mask[l]);
    }
}

/* Tests the blocks of `rest`, which compressed depth and stencil do not decide, in memory. */
static inline void test_rest(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                             struct raster_row *row, uint32_t rest)
{
    for (; rest; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        const uint32_t bit = 1u << l;

        row->mask[l] = tile_test_block_in_memory(w, primitive, x + (int)l * BLOCK_SIZE, y, row->mask[l]);
        row->live = row->mask[l] ? row->live : row->live & ~bit;
        row->whole = row->mask[l] == WHOLE_BLOCK ? row->whole : row->whole & ~bit;
    }
}

void tile_test_row(struct tile_worker *w, const struct scene_primitive *primitive, const struct row_range *range, int x,
                   int y, struct raster_row *row)
{
    const struct raster_depth_test *test = &w->state.depth_test;
    const struct raster_stencil_test *stencil = &test->stencil[primitive->front_facing];
    const struct depth_plane plane = depth_plane_of(primitive);
    const unsigned first = tile_block_of(x, y);
    struct depth_blocks *blocks = &w->depth->blocks;
    struct row_stencil old = {0};
    uint32_t asked = row->live, same = 0;

    BASE_ASSERT(first % ROW_BLOCKS == 0 && !(row->whole & ~row->live) && !(row->live >> ROW_BLOCKS));
    if (!w->state.caches_depth || w->state.draw->depth_bounds || (test->tests_depth && !depth_plane_is_bounded(&plane)))
        asked = 0;
    if (test->tests_stencil) {
        same = blocks_of_one_stencil(blocks, first, row);
        asked &= stencil->always ? ~0u : same;
        old = load_stencil(blocks, first);
    }
    struct row_outcome outcome = decide_row(w, stencil, &old, range, row->whole, first, asked);

    if (test->tests_stencil)
        change_stencil(w, stencil, &old, same, x, y, row, &outcome);
    if (test->writes_depth && outcome.pass)
        write_planes(blocks, primitive, range, first, outcome.pass);
    const uint32_t failed = outcome.decided & ~outcome.pass, rest = row->live & ~outcome.decided;

    row->live &= ~failed;
    row->whole &= ~failed;
    test_rest(w, primitive, x, y, row, rest);
}
