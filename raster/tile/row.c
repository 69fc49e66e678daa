/* SPDX-License-Identifier: MIT */
/*
 * Rows of blocks. A row's blocks are adjacent and share no pixel, so each step (hierarchical Z, the depth block cache,
 * colours) can be done for all of them before the next step, and for all of them at once where possible.
 */
#include "raster/tile/row.h"

#include "base/assert.h"
#include "raster/tile/uniform.h"
#include "raster/tile/worker.h"

/* Adds the pixels of all live blocks to the count of drawn fragments. */
static inline void count_fragments(struct tile_worker *w, const struct raster_row *row)
{
    w->fragments += (uint64_t)RASTER_LANES * tile_count(row->whole);
    for (uint32_t part = row->live & ~row->whole; part; part &= part - 1)
        w->fragments += tile_count(row->mask[__builtin_ctz(part)]);
}

/* Stores pass-through colours; adjacent whole blocks in one call. */
static void store_directly(struct tile_worker *w, const struct scene_primitive *primitive, int left, int y,
                           const struct raster_row *row)
{
    const struct raster_surface *target = w->state.output[0].surface;

    for (uint32_t rest = row->live; rest;) {
        const unsigned l = (unsigned)__builtin_ctz(rest), whole = (unsigned)__builtin_ctz(~(row->whole >> l));
        const int x = left + (int)l * BLOCK_SIZE;

        if (whole > 1)
            w->state.direct_row(primitive, target, x, y, whole);
        else
            w->state.direct_store(primitive, target, x, y, row->mask[l]);
        rest &= ~0u << (l + BASE_MAX(whole, 1u));
    }
}

static inline void add_colors(struct tile_worker *w, const struct scene_primitive *primitive, int left, int y,
                              const struct raster_row *row, bool uniform)
{
    if (uniform || !(w->state.direct_store || (w->state.early_depth && !w->state.output_count))) {
        for (uint32_t rest = row->live; rest; rest &= rest - 1) {
            const unsigned l = (unsigned)__builtin_ctz(rest);
            const int x = left + (int)l * BLOCK_SIZE;

            if (uniform)
                tile_uniform_fill(w, x, y, row->mask[l]);
            else
                tile_push_pixels(w, primitive, x, y, row->mask[l], NULL);
        }
        return;
    }
    count_fragments(w, row);
    if (w->state.direct_store)
        store_directly(w, primitive, left, y, row);
}

void tile_add_row(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, struct raster_row *row,
                  bool uniform)
{
    const bool bounded = w->state.hierarchical_z.rejects || w->state.hierarchical_z.lowers;
    const struct depth_plane plane = depth_plane_of(primitive);
    struct row_range range;

    BASE_ASSERT(w->state.adds_rows && !primitive->conservative);
    if (uniform && !w->batch.lanes.covered) /* the program has killed all fragments */
        return;
    if (bounded || w->state.tests_depth)
        range = depth_plane_row_range(&plane, x, y);
    if (bounded)
        hierarchical_z_reject_row(&w->depth->bounds, &w->state.hierarchical_z, &range, x, y, row);
    if (row->live && w->state.tests_depth)
        tile_test_row(w, primitive, &range, x, y, row);
    if (row->live)
        add_colors(w, primitive, x, y, row, uniform);
}
