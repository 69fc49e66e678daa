/* SPDX-License-Identifier: MIT */
/* Triangles in a tile: finds the 8x8 blocks and the pixels that they cover. */
#include "base/assert.h"
#include "raster/tile/conservative.h"
#include "raster/tile/cover.h"
#include "raster/tile/row.h"
#include "raster/tile/samples.h"
#include "raster/tile/special.h"
#include "raster/tile/uniform.h"
#include "raster/tile/worker.h"

/* False: the tile lies outside. */
static bool edges_init(struct raster_tile_edges *edges, const struct scene_primitive *primitive, unsigned edge_mask,
                       int tile_x, int tile_y, bool multisampled)
{
    const int64_t span = RASTER_TILE_SIZE - 1;

    *edges = (struct raster_tile_edges){.mask = 0};
    for (unsigned e = 0; e < 3; e++) {
        if (!(edge_mask & (1u << e)))
            continue;
        const struct scene_edge *edge = &primitive->shape->edge[e];
        /* Triangles in a single tile are not classified before, so an edge's value may be far outside 32 bits. */
        int64_t c = edge->c - (int64_t)edge->dy * tile_x + (int64_t)edge->dx * tile_y;
        int64_t step_x = -(int64_t)edge->dy * span, step_y = (int64_t)edge->dx * span;
        int64_t margin = multisampled ? scene_edge_margin(edge) : 0;
        if (c + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) + margin < 0)
            return false;
        if (c + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) - margin >= 0)
            continue;
        /* the edge crosses the tile: the bit budget of setup/triangle.c */
        BASE_ASSERT(primitive->conservative || (c < 1 << 30 && c > -(1 << 30)));
        edges->mask |= 1u << e;
        edges->c[e] = (int32_t)c;
        edges->dx[e] = edge->dx;
        edges->dy[e] = edge->dy;
        edges->low[e] = edge->low;
        edges->margin[e] = (int32_t)margin;
    }
    return true;
}

static inline struct raster_rect bounds_in_tile(const struct scene_primitive *primitive, int tile_x, int tile_y)
{
    return (struct raster_rect){
        BASE_MAX(primitive->left, tile_x),
        BASE_MAX(primitive->top, tile_y),
        BASE_MIN(primitive->right, tile_x + RASTER_TILE_SIZE),
        BASE_MIN(primitive->bottom, tile_y + RASTER_TILE_SIZE),
    };
}

/* Does hierarchical Z reject the whole primitive? Programs that record sampler feedback must run even where the result
 * is hidden. */
static bool is_hidden(const struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y)
{
    const struct raster_rect area = bounds_in_tile(primitive, tile_x, tile_y);

    return w->state.hierarchical_z.rejects && !w->state.draw->program_records &&
           hierarchical_z_hides(&w->depth->bounds, primitive, &area);
}

/* Finds the primitive's coverage of the tile: row[by] for each row of blocks from `top` to below `bottom`. Returns the
 * number of blocks. Draws multisampled primitives itself, and then returns 0. */
static unsigned cover(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask, int tile_x,
                      int tile_y, struct raster_row *row, int *top, int *bottom)
{
    struct raster_tile_edges edges;
    const struct raster_rect on_target = bounds_in_tile(primitive, tile_x, tile_y);
    const struct raster_rect area = {on_target.left - tile_x, on_target.top - tile_y, on_target.right - tile_x,
                                     on_target.bottom - tile_y};

    if (!edges_init(&edges, primitive, edge_mask, tile_x, tile_y, w->state.samples > 1))
        return 0;
    if (w->state.samples > 1) {
        samples_draw_triangle(w, primitive, &edges, &area, tile_x, tile_y);
        return 0;
    }
    *top = area.top / BLOCK_SIZE;
    *bottom = (area.bottom - 1) / BLOCK_SIZE + 1;
    return w->kernels->cover_triangle(&edges, &area, row);
}

/* Adds a block that starts anywhere in the tile. */
static void add_unaligned(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y, uint64_t mask)
{
    if (mask && !((w->state.hierarchical_z.rejects || w->state.hierarchical_z.lowers) &&
                  hierarchical_z_rejects_unaligned(&w->depth->bounds, &w->state.hierarchical_z, primitive, x, y, mask)))
        tile_add_block(w, primitive, x, y, mask);
}

/* Draws a rectangle in blocks that start at its corner, so that a point of 8x8 pixels is always one block. The last
 * blocks are moved back into the tile, because pixels beyond it belong to other threads. For two triangles, blocks
 * start one pixel earlier if their quads do. */
static void draw_rectangle(struct tile_worker *w, const struct scene_primitive *primitive)
{
    const int first = primitive->is_rectangle == SCENE_RECTANGLE ? ~1 : ~0;
    /* the last places where a block may start */
    const int last_x = BASE_MAX(w->tile.right - BLOCK_SIZE, w->tile.left);
    const int last_y = BASE_MAX(w->tile.bottom - BLOCK_SIZE, w->tile.top);
    struct raster_rect rest = {
        .right = BASE_MIN(primitive->right, w->tile.left + RASTER_TILE_SIZE),
        .bottom = BASE_MIN(primitive->bottom, w->tile.top + RASTER_TILE_SIZE),
    };

    for (rest.top = BASE_MAX(primitive->top, w->tile.top); rest.top < rest.bottom;) {
        const int y = BASE_MIN(rest.top & first, last_y);

        for (rest.left = BASE_MAX(primitive->left, w->tile.left); rest.left < rest.right;) {
            const int x = BASE_MIN(rest.left & first, last_x);

            add_unaligned(w, primitive, x, y, w->kernels->bounds_block(&rest, x, y));
            rest.left = x + BLOCK_SIZE;
        }
        rest.top = y + BLOCK_SIZE;
    }
}

/* Draws a small triangle in the one block it lies in. If it crosses blocks but would fit into one, draws it in a block
 * that starts at its corner, or one pixel earlier, because quads start at even pixels. Direct stores have no quads:
 * their blocks start at any pixel, and are moved back into the tile. False: it does not fit. */
static bool draw_in_one_block(struct tile_worker *w, const struct scene_primitive *primitive)
{
    const struct raster_rect *tile = &w->tile;
    const int left = BASE_MAX(primitive->left, tile->left), right = BASE_MIN(primitive->right, tile->right);
    const int top = BASE_MAX(primitive->top, tile->top), bottom = BASE_MIN(primitive->bottom, tile->bottom);
    const bool across = ((left ^ (right - 1)) | (top ^ (bottom - 1))) >= BLOCK_SIZE;
    const int first = across ? ~1 : -BLOCK_SIZE;
    int x = left & first, y = top & first;

    if (primitive->stippled)
        return false;
    if (across && w->state.direct_store) {
        x = BASE_MAX(BASE_MIN(left, tile->right - BLOCK_SIZE), tile->left);
        y = BASE_MAX(BASE_MIN(top, tile->bottom - BLOCK_SIZE), tile->top);
    }
    if (across && (right - x > BLOCK_SIZE || bottom - y > BLOCK_SIZE || x + BLOCK_SIZE > tile->right ||
                   y + BLOCK_SIZE > tile->bottom || !w->state.moves_groups))
        return false;
    const uint64_t mask = w->kernels->cover_small_block(primitive, x, y);
    if (across)
        add_unaligned(w, primitive, x, y, mask);
    else if (mask && !tile_rejects_block(w, primitive, x, y, mask))
        tile_add_block(w, primitive, x, y, mask);
    return true;
}

/* A block that the primitive covers, on its way to tile_add_block or, for a `uniform` one, tile_uniform_block. */
static inline void draw_block(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                              uint64_t mask, bool uniform)
{
    if (primitive->stippled)
        mask &= tile_stipple_mask(w->state.draw, x, y);
    if (primitive->conservative)
        mask &= tile_conservative_block(w, primitive, x, y);
    if (!mask || tile_rejects_block(w, primitive, x, y, mask))
        return;
    if (uniform)
        tile_uniform_block(w, primitive, x, y, mask);
    else
        tile_add_block(w, primitive, x, y, mask);
}

/* The number of blocks from which on a small triangle is worth drawing by rows. */
#define ROWS_FEWEST_BLOCKS 6

static void draw_row(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                     struct raster_row *row, bool uniform);

/* Draws the blocks of a list, which goes row by row, by rows. */
static void draw_list(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y,
                      const struct raster_cover *blocks, unsigned count, bool uniform)
{
    for (unsigned i = 0; i < count;) {
        struct raster_row row = {.live = 0};
        const int y = blocks[i].y;

        for (; i < count && blocks[i].y == y; i++) {
            const unsigned l = (unsigned)blocks[i].x / BLOCK_SIZE;

            row.mask[l] = blocks[i].mask;
            row.live |= 1u << l;
            row.whole |= (uint32_t)(blocks[i].mask == WHOLE_BLOCK) << l;
        }
        draw_row(w, primitive, tile_x, tile_y + y, &row, uniform);
    }
}

/* Draws a small triangle block by block, in the tile's own blocks. */
static __attribute__((noinline)) void draw_small_blocks(struct tile_worker *w, const struct scene_primitive *primitive,
                                                        int tile_x, int tile_y)
{
    struct raster_cover blocks[TILE_BLOCKS];
    const unsigned count = w->kernels->cover_small(primitive, tile_x, tile_y, blocks);
    const bool uniform = count && tile_uniform_begin(w, primitive, count, tile_x + blocks[0].x, tile_y + blocks[0].y);

    if (w->state.adds_rows && count >= ROWS_FEWEST_BLOCKS) {
        draw_list(w, primitive, tile_x, tile_y, blocks, count, uniform);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        draw_block(w, primitive, tile_x + blocks[i].x, tile_y + blocks[i].y, blocks[i].mask, uniform);
}

static void stipple_row(const struct tile_worker *w, int x, int y, struct raster_row *row)
{
    for (uint32_t rest = row->live; rest; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);

        row->mask[l] &= tile_stipple_mask(w->state.draw, x + (int)l * BLOCK_SIZE, y);
        row->live &= ~((uint32_t)!row->mask[l] << l);
        row->whole &= ~((uint32_t)(row->mask[l] != WHOLE_BLOCK) << l);
    }
}

static void draw_row(struct tile_worker *w, const struct scene_primitive *primitive, int x, int y,
                     struct raster_row *row, bool uniform)
{
    if (w->state.adds_rows && !primitive->conservative) {
        if (primitive->stippled)
            stipple_row(w, x, y, row);
        if (row->live)
            tile_add_row(w, primitive, x, y, row, uniform);
        return;
    }
    for (uint32_t rest = row->live; rest; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);

        draw_block(w, primitive, x + (int)l * BLOCK_SIZE, y, row->mask[l], uniform);
    }
}

/* Draws a large triangle by rows of blocks. */
static __attribute__((noinline)) void draw_rows(struct tile_worker *w, const struct scene_primitive *primitive,
                                                unsigned edge_mask, int tile_x, int tile_y)
{
    struct raster_row row[ROW_BLOCKS];
    int top, bottom;

    if (is_hidden(w, primitive, tile_x, tile_y))
        return;
    const unsigned count = cover(w, primitive, edge_mask, tile_x, tile_y, row, &top, &bottom);

    if (!count)
        return;
    while (!row[top].live)
        top++;
    const bool uniform = tile_uniform_begin(w, primitive, count, tile_x + __builtin_ctz(row[top].live) * BLOCK_SIZE,
                                            tile_y + top * BLOCK_SIZE);

    for (int by = top; by < bottom; by++)
        if (row[by].live)
            draw_row(w, primitive, tile_x, tile_y + by * BLOCK_SIZE, &row[by], uniform);
    w->batch.inner_block = 0;
}

/* Are blocks that start at the rectangle's corner best for it? Not if the tile's own blocks have a fast path. */
static bool moves_blocks(const struct tile_worker *w, const struct scene_primitive *primitive)
{
    const unsigned all = (1u << w->state.draw->input_count) - 1;

    if (!primitive->is_rectangle || !w->state.moves_groups)
        return false;
    return primitive->is_rectangle == SCENE_SQUARE ||
           (!w->state.tests_depth && !w->state.direct_store && primitive->constant_inputs != all &&
            !((w->tile.right | w->tile.bottom) & 1)); /* the last blocks' quads start at even pixels */
}

void tile_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask, int tile_x,
                        int tile_y)
{
    if (moves_blocks(w, primitive))
        draw_rectangle(w, primitive);
    else if (primitive->is_small && w->state.samples > 1)
        samples_draw_small(w, primitive);
    else if (!primitive->is_small)
        draw_rows(w, primitive, edge_mask, tile_x, tile_y);
    else if (!draw_in_one_block(w, primitive))
        draw_small_blocks(w, primitive, tile_x, tile_y);
}
