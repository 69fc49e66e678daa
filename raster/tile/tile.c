/* SPDX-License-Identifier: MIT */
/* Draws a tile: walks its commands in order. Creates and destroys the workers that draw tiles. */
#include "raster/tile/tile.h"

#include "base/assert.h"
#include "raster/tile/cover.h"
#include "raster/tile/narrow.h"
#include "raster/tile/worker.h"

#include <stdlib.h>
#include <string.h>

/* --- workers --------------------------------------------------------------------------------------- */

struct tile_depth *tile_depth_create(size_t tiles)
{
    return mem_calloc(tiles, sizeof(struct tile_depth));
}

struct tile_worker *tile_worker_create(const struct raster_kernels *kernels)
{
    struct tile_worker *worker = mem_alloc_aligned(sizeof(*worker));

    if (worker) {
        memset(&worker->batch.lanes, 0, sizeof(worker->batch.lanes)); /* lanes after the last quad hold old values */
        worker->state.placed_samples = 0;
        worker->kernels = kernels;
        worker->batch.lanes.scratch = worker->scratch;
    }
    return worker;
}

void tile_worker_destroy(struct tile_worker *worker)
{
    if (worker)
        mem_free_aligned(worker);
}

void tile_worker_take_counts(struct tile_worker *worker, uint64_t *fragments, uint64_t *samples)
{
    *fragments += worker->fragments;
    *samples += worker->fragments + worker->more_samples;
    worker->fragments = worker->more_samples = 0;
}

/* --- the tile -------------------------------------------------------------------------------------- */

static void tile_run_command(struct tile_worker *w, const struct scene_command *command, int x, int y)
{
    const struct scene_primitive *primitive = command->data;

    if (command->kind == SCENE_CLEAR) {
        tile_draw_clear(w, command->data, x, y);
        return;
    }
    if (w->state.draw != primitive->state)
        tile_use_state(w, primitive->state);
    if (primitive->state->narrow)
        tile_narrow_begin(w, primitive);
    if (command->kind == SCENE_TRIANGLE)
        tile_draw_triangle(w, primitive, command->edge_mask, x, y);
    else
        tile_draw_line(w, primitive, x, y);
}

/* The first target gives the size: colour if there is any. */
static void begin_tile(struct tile_worker *w, const struct scene *scene, int x, int y)
{
    const struct raster_targets *targets = &scene->targets;
    const struct raster_surface *target = targets->color[0].pixels ? &targets->color[0] : &targets->depth;

    w->targets = targets;
    w->target_samples = scene->samples;
    w->tile = (struct raster_rect){
        .left = x,
        .top = y,
        .right = BASE_MIN(x + RASTER_TILE_SIZE, (int)target->width),
        .bottom = BASE_MIN(y + RASTER_TILE_SIZE, (int)target->height),
    };
    w->state.draw = NULL;
    tile_empty_batch(w);
    w->batch.inner_block = 0;
    w->state.hierarchical_z = (struct hierarchical_z_use){.step = 0.0f};
}

/* The distance, in commands, at which primitives are prefetched from memory or from the core that wrote them. */
#define AHEAD 2

/* Always inlined: the compiler would remove calls of a function without side effects. */
static inline __attribute__((always_inline)) void fetch_primitive(const struct scene_node *node, uint32_t i)
{
    if (i >= node->count) {
        i -= node->count;
        node = node->next;
        if (!node || i >= node->count)
            return;
    }
    const char *lines = node->command[i].data;
    __builtin_prefetch(lines);
    __builtin_prefetch(lines + 64);
    __builtin_prefetch(lines + 128);
}

static void run_commands(struct tile_worker *w, const struct scene_bin *bin, int x, int y)
{
    for (const struct scene_node *node = bin->first; node; node = node->next) {
        __builtin_prefetch(node->next);
        for (uint32_t i = 0; i < node->count; i++) {
            fetch_primitive(node, i + AHEAD);
            tile_run_command(w, &node->command[i], x, y);
        }
    }
}

void tile_render(struct tile_worker *w, const struct scene *scene, unsigned tile_x, unsigned tile_y)
{
    const int x = (int)(tile_x * RASTER_TILE_SIZE), y = (int)(tile_y * RASTER_TILE_SIZE);
    const size_t tile = (size_t)tile_y * scene->tiles_x + tile_x;

    begin_tile(w, scene, x, y);
    w->depth = &scene->depth[tile];
    if (w->depth->epoch != scene->epoch) {
        hierarchical_z_reset(&w->depth->bounds);
        depth_cache_invalidate(&w->depth->blocks);
    }
    w->depth->epoch = scene->epoch;
    depth_cache_begin_tile(w);
    for (unsigned i = 0; i < scene->chunk_count; i++)
        if (scene_chunk_touches(&scene->chunks[i], tile))
            run_commands(w, &scene->chunks[i].bins[tile], x, y);
    tile_shade_batch(w);
    if (scene->flushes_depth)
        depth_cache_flush(w, x, y);
}

bool tile_has_work(const struct scene *scene, size_t tile)
{
    return scene_touches(scene, tile) || (scene->flushes_depth && scene->depth[tile].blocks.dirty);
}
