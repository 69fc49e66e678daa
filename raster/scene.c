/* SPDX-License-Identifier: MIT */
/* A scene: its memory, which lives until the scene is drawn, its bins, and chunks of them that threads fill and take. */
#include "raster/scene.h"

#include <stdlib.h>
#include <string.h>

void *scene_alloc_block(struct scene *scene, size_t bytes)
{
    struct scene_arena *arena = &scene->arena;
    struct scene_block *block = arena->current;
    struct scene_block *next = block ? block->next : arena->blocks;

    if (!next && bytes <= SCENE_BLOCK_BYTES)
        next = mem_alloc_aligned(sizeof(*next));
    if (!next || bytes > SCENE_BLOCK_BYTES) {
        scene->out_of_memory = true;
        return NULL;
    }
    if (block)
        block->next = next;
    else
        arena->blocks = next;
    next->used = 0;
    arena->current = next;
    return scene_alloc(scene, bytes);
}

struct scene_node *scene_grow_bin(struct scene *scene, struct scene_bin *bin)
{
    struct scene_node *node = scene_alloc(scene, sizeof(*node));
    const size_t tile = (size_t)(bin - scene->writing.bins);

    if (!node)
        return NULL;
    node->next = NULL;
    node->count = 0;
    if (bin->last)
        bin->last->next = node;
    else
        bin->first = node;
    bin->last = node;
    bin->nodes++;
    scene->writing.touched[tile / 64] |= UINT64_C(1) << tile % 64;
    return node;
}

bool scene_touches(const struct scene *scene, size_t tile)
{
    for (unsigned i = 0; i < scene->chunk_count; i++)
        if (scene_chunk_touches(&scene->chunks[i], tile))
            return true;
    return false;
}

size_t scene_tile_commands(const struct scene *scene, size_t tile)
{
    size_t count = 0;

    for (unsigned i = 0; i < scene->chunk_count; i++)
        for (const struct scene_node *node = scene->chunks[i].bins[tile].first; node; node = node->next)
            count += node->count;
    return count;
}

/* --- chunks ---------------------------------------------------------------------------------- */

static size_t touched_words(size_t tiles)
{
    return (tiles + 63) / 64;
}

/* Bins of that many tiles, followed by their bits. */
static bool create_chunk(struct scene_chunk *chunk, size_t tiles)
{
    const size_t bytes = tiles * sizeof(*chunk->bins);

    chunk->bins = mem_calloc(1, bytes + touched_words(tiles) * sizeof(*chunk->touched));
    chunk->touched = chunk->bins ? (uint64_t *)((uint8_t *)chunk->bins + bytes) : NULL;
    return chunk->bins;
}

/* Empties only the bins that have been written. */
static void empty_chunk(struct scene_chunk *chunk, size_t tiles)
{
    for (size_t word = 0; word < touched_words(tiles); word++) {
        for (uint64_t left = chunk->touched[word]; left; left &= left - 1)
            chunk->bins[64 * word + (unsigned)__builtin_ctzll(left)] = (struct scene_bin){NULL, NULL, 0};
        chunk->touched[word] = 0;
    }
}

static void free_chunks(struct scene *scene)
{
    for (unsigned i = 0; i < scene->chunk_room; i++)
        free(scene->chunks[i].bins);
    free(scene->chunks);
    scene->chunks = NULL;
    scene->chunk_room = scene->chunk_count = 0;
    scene->writing = (struct scene_chunk){NULL, NULL};
}

/* Chunks 0 .. count - 1 have bins. False: memory is short. */
static bool reserve_chunks(struct scene *scene, unsigned count)
{
    if (count <= scene->chunk_room)
        return true;
    struct scene_chunk *chunks = mem_calloc(count, sizeof(*chunks));

    if (!chunks)
        return false;
    if (scene->chunk_room)
        memcpy(chunks, scene->chunks, scene->chunk_room * sizeof(*chunks));
    free(scene->chunks);
    scene->chunks = chunks;
    while (scene->chunk_room < count && create_chunk(&chunks[scene->chunk_room], scene->bin_capacity))
        scene->chunk_room++;
    return scene->chunk_room == count;
}

bool scene_reserve(struct scene *scene, unsigned count, unsigned threads)
{
    if (scene->arena_count < threads) {
        struct scene_arena *arenas = mem_calloc(threads, sizeof(*arenas));

        if (!arenas)
            return false;
        BASE_ASSERT(!scene->arena_count); /* the number of threads is fixed */
        scene->arenas = arenas;
        scene->arena_count = threads;
    }
    return reserve_chunks(scene, scene->chunk_count + count + 1);
}

void scene_begin_chunk(struct scene *scene, struct scene *part, unsigned chunk, unsigned thread)
{
    *part = (struct scene){
        .tiles_x = scene->tiles_x,
        .tiles_y = scene->tiles_y,
        .samples = scene->samples,
        .writing = scene->chunks[scene->chunk_count + chunk],
        .arena = scene->arenas[thread],
        .life = SCENE_EMPTY,
    };
}

void scene_end_chunk(struct scene *scene, const struct scene *part, unsigned thread)
{
    scene->arenas[thread] = part->arena;
}

void scene_take_chunks(struct scene *scene, unsigned count, bool take)
{
    const size_t tiles = (size_t)scene->tiles_x * scene->tiles_y;

    for (unsigned i = 0; i < count && !take; i++)
        empty_chunk(&scene->chunks[scene->chunk_count + i], tiles);
    if (take) {
        scene->writing = scene->chunks[scene->chunk_count + count];
        scene->chunk_count += count + 1;
    }
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
        free_chunks(scene);
        scene->bin_capacity = count;
    }
    if (!reserve_chunks(scene, 1)) {
        scene->bin_capacity = scene->tiles_x = scene->tiles_y = 0;
        free_chunks(scene);
        scene->life = SCENE_CLOSED;
        return false;
    }
    scene_reset(scene);
    return true;
}

void scene_reset(struct scene *scene)
{
    for (unsigned i = 0; i < scene->chunk_count; i++)
        empty_chunk(&scene->chunks[i], scene->bin_capacity);
    if (scene->chunk_room) {
        scene->writing = scene->chunks[0];
        scene->chunk_count = 1;
    }
    scene->arena.current = NULL;
    for (unsigned i = 0; i < scene->arena_count; i++)
        scene->arenas[i].current = NULL;
    scene->bytes = scene->started = 0;
    scene->pixels = 0;
    scene->last_clear = NULL;
    scene->life = SCENE_EMPTY;
}

static void free_arena(struct scene_arena *arena)
{
    struct scene_block *next;

    for (struct scene_block *b = arena->blocks; b; b = next) {
        next = b->next;
        mem_free_aligned(b);
    }
}

void scene_free(struct scene *scene)
{
    free_arena(&scene->arena);
    for (unsigned i = 0; i < scene->arena_count; i++)
        free_arena(&scene->arenas[i]);
    free(scene->arenas);
    free_chunks(scene);
    memset(scene, 0, sizeof(*scene));
}
