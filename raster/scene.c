/* SPDX-License-Identifier: MIT */
#include "raster/scene.h"

#include <stdlib.h>
#include <string.h>

void *scene_alloc_block(struct scene *scene, size_t bytes)
{
    struct scene_block *block = scene->current;
    struct scene_block *next = block ? block->next : scene->blocks;

    if (!next && bytes <= SCENE_BLOCK_BYTES)
        next = mem_alloc_aligned(sizeof(*next));
    if (!next || bytes > SCENE_BLOCK_BYTES) {
        scene->lost = true;
        return NULL;
    }
    if (block)
        block->next = next;
    else
        scene->blocks = next;
    next->used = 0;
    scene->current = next;
    return scene_alloc(scene, bytes);
}

struct scene_node *scene_grow_bin(struct scene *scene, struct scene_bin *bin)
{
    struct scene_node *node = scene_alloc(scene, sizeof(*node));

    if (!node)
        return NULL;
    node->next = NULL;
    node->count = 0;
    if (bin->last)
        bin->last->next = node;
    else
        bin->first = node;
    bin->last = node;
    return node;
}

size_t scene_tile_commands(const struct scene *scene, size_t tile)
{
    size_t count = 0;

    for (const struct scene_node *node = scene->bins[tile].first; node; node = node->next)
        count += node->count;
    return count;
}

static unsigned tiles(unsigned pixels)
{
    return (pixels + RASTER_TILE_SIZE - 1) / RASTER_TILE_SIZE;
}

bool scene_begin(struct scene *scene, const struct raster_targets *targets)
{
    unsigned width = 0, height = 0;

    scene->samples = 1;
    /* The smallest common area: everything drawn lies in all targets. */
    for (unsigned i = 0; i <= RASTER_MAX_TARGETS; i++) {
        const struct raster_surface *s = i < RASTER_MAX_TARGETS ? &targets->color[i] : &targets->depth;

        if (!s->pixels)
            continue;
        width = width ? BASE_MIN(width, s->width) : s->width;
        height = height ? BASE_MIN(height, s->height) : s->height;
        scene->samples = BASE_MAX(scene->samples, BASE_MIN(s->samples, (unsigned)RASTER_MAX_SAMPLES));
    }
    scene->targets = *targets;
    scene->tiles_x = tiles(width);
    scene->tiles_y = tiles(height);
    size_t count = (size_t)scene->tiles_x * scene->tiles_y;
    if (count > scene->bin_capacity) {
        struct scene_bin *bins = mem_calloc(count, sizeof(*bins));

        if (!bins) {
            scene->tiles_x = scene->tiles_y = 0;
            return false;
        }
        free(scene->bins);
        scene->bins = bins;
        scene->bin_capacity = count;
    }
    scene_reset(scene);
    return true;
}

void scene_reset(struct scene *scene)
{
    if (scene->bins)
        memset(scene->bins, 0, (size_t)scene->tiles_x * scene->tiles_y * sizeof(*scene->bins));
    scene->current = NULL;
    scene->bytes = scene->started = 0;
    scene->pixels = 0;
    scene->last_clear = NULL;
    scene->empty = true;
}

void scene_free(struct scene *scene)
{
    struct scene_block *next;

    for (struct scene_block *b = scene->blocks; b; b = next) {
        next = b->next;
        mem_free_aligned(b);
    }
    free(scene->bins);
    memset(scene, 0, sizeof(*scene));
}
