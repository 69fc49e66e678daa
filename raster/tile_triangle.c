/* SPDX-License-Identifier: MIT */
/* Triangles in a tile: which 8x8 blocks they cover, and with which pixels. */
#include "raster/tile.h"

/* False: the tile lies outside. */
static bool edges_init(struct raster_tile_edges *edges, const struct scene_primitive *primitive, unsigned edge_mask,
                       int tile_x, int tile_y, bool multisampled)
{
    const int64_t span = RASTER_TILE_SIZE - 1;

    *edges = (struct raster_tile_edges){.mask = 0};
    for (unsigned e = 0; e < 3; e++) {
        const struct scene_edge *edge = &primitive->edge[e];

        if (!(edge_mask & (1u << e)))
            continue;
        /* Single-tile triangles come unclassified: an edge may be far outside 32 bits. */
        int64_t c = edge->c - (int64_t)edge->dy * tile_x + (int64_t)edge->dx * tile_y;
        int64_t step_x = -(int64_t)edge->dy * span, step_y = (int64_t)edge->dx * span;
        int64_t margin = multisampled ? scene_edge_margin(edge) : 0;
        if (c + BASE_MAX(step_x, 0) + BASE_MAX(step_y, 0) + margin < 0)
            return false;
        if (c + BASE_MIN(step_x, 0) + BASE_MIN(step_y, 0) - margin >= 0)
            continue;
        edges->mask |= 1u << e;
        edges->c[e] = (int32_t)c;
        edges->dx[e] = edge->dx;
        edges->dy[e] = edge->dy;
        edges->low[e] = edge->low;
        edges->margin[e] = (int32_t)margin;
    }
    return true;
}

/* Blocks of the tile that the primitive covers; returns how many. None where samples are looked at: they are drawn. */
static unsigned cover(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask, int tile_x,
                      int tile_y, struct raster_cover *out)
{
    struct raster_tile_edges edges;
    const struct raster_rect area = {
        BASE_MAX(primitive->left - tile_x, 0),
        BASE_MAX(primitive->top - tile_y, 0),
        BASE_MIN(primitive->right - tile_x, RASTER_TILE_SIZE),
        BASE_MIN(primitive->bottom - tile_y, RASTER_TILE_SIZE),
    };

    if (!edges_init(&edges, primitive, edge_mask, tile_x, tile_y, w->samples > 1))
        return 0;
    if (w->samples > 1) {
        samples_draw_triangle(w, primitive, &edges, &area, tile_x, tile_y);
        return 0;
    }
    return w->kernels->cover_triangle(&edges, &area, out);
}

/* The last place in a tile where a block may start, along one axis: all of it lies in the tile and on the target, if that can be. */
static int last_block(unsigned size, int tile)
{
    return BASE_MAX(BASE_MIN((int)size - tile, RASTER_TILE_SIZE) - BLOCK_SIZE, 0);
}

/* A rectangle in blocks that start where it starts, so that a point of 8x8 is one block wherever it lies. The last ones are
 * moved back into the tile: beyond it are other threads' pixels. */
static void draw_rectangle(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y)
{
    const struct raster_surface *target = w->targets->color[0].pixels ? &w->targets->color[0] : &w->targets->depth;
    const int last_x = last_block(target->width, tile_x), last_y = last_block(target->height, tile_y);
    struct raster_rect rest = {
        .right = BASE_MIN(primitive->right - tile_x, RASTER_TILE_SIZE),
        .bottom = BASE_MIN(primitive->bottom - tile_y, RASTER_TILE_SIZE),
    };

    for (rest.top = BASE_MAX(primitive->top - tile_y, 0); rest.top < rest.bottom;) {
        const int y = BASE_MIN(rest.top, last_y);

        for (rest.left = BASE_MAX(primitive->left - tile_x, 0); rest.left < rest.right;) {
            const int x = BASE_MIN(rest.left, last_x);

            if (!tile_hierarchy_hides_anywhere(w->hierarchy, &w->depth_use, primitive, tile_x + x, tile_y + y))
                tile_add_block(w, primitive, tile_x + x, tile_y + y, w->kernels->bounds_block(&rest, x, y));
            rest.left = x + BLOCK_SIZE;
        }
        rest.top = y + BLOCK_SIZE;
    }
}

void tile_draw_triangle(struct tile_worker *w, const struct scene_primitive *primitive, unsigned edge_mask, int tile_x,
                        int tile_y)
{
    if (primitive->is_rectangle && w->moves_groups) {
        draw_rectangle(w, primitive, tile_x, tile_y);
        return;
    }
    struct raster_cover blocks[TILE_BLOCKS];
    const unsigned count = primitive->is_small ? w->kernels->cover_small(primitive, tile_x, tile_y, blocks)
                                            : cover(w, primitive, edge_mask, tile_x, tile_y, blocks);
    const bool uniform = count && tile_uniform_begin(w, primitive, count, tile_x + blocks[0].x, tile_y + blocks[0].y);

    for (unsigned i = 0; i < count; i++) {
        uint64_t mask = blocks[i].mask;
        int x = tile_x + blocks[i].x, y = tile_y + blocks[i].y;

        if (primitive->stippled)
            mask &= tile_stipple_mask(w->state, x, y);
        if (primitive->conservative)
            mask &= conservative_block(w, primitive, x, y);
        if (!mask || ((w->depth_use.rejects || w->depth_use.lowers) &&
                      tile_hierarchy_hides(w->hierarchy, &w->depth_use, primitive, x, y, mask)))
            continue;
        if (uniform)
            tile_uniform_block(w, primitive, x, y, mask);
        else
            tile_add_block(w, primitive, x, y, mask);
    }
    w->inner_block = 0;
}
