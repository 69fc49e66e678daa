/* SPDX-License-Identifier: MIT */
/*
 * Groups of chunks: geometry made by all threads in parallel, each with a raster of its own whose scene is a chunk of
 * the current scene. The budget decides whether a group counts: docs/threads.md.
 */
#include "base/assert.h"
#include "base/base.h"
#include "raster/frontend.h"
#include "raster/tasks.h"

#include <stdlib.h>
#include <string.h>

/* The result of a chunk. */
struct chunk_result {
    uint64_t spent; /* UINT64_MAX: more than any budget */
    uint64_t pixels;
    size_t bytes;
    struct raster_statistics statistics;
    bool out_of_memory;
};

struct group {
    struct raster *raster;
    raster_chunk_fn *run;
    void *argument;
    struct chunk_result result[RASTER_MAX_CHUNKS];
};

/* Sets up a raster that draws like another one, into a chunk of its scene, but neither ends the scene nor runs out of
 * budget. */
static void begin_part(struct raster *part, struct raster *raster, unsigned chunk, unsigned thread)
{
    *part = *raster;
    part->threads = 1;
    part->trace = NULL;
    part->split_seed = 0;
    part->flush_bytes = SIZE_MAX;
    part->budget = UINT64_MAX;
    part->statistics = (struct raster_statistics){.triangles = 0};
    scene_begin_chunk(&raster->scene, &part->scene, chunk, thread);
}

static void run_chunk(void *argument, unsigned chunk, unsigned thread)
{
    struct group *group = argument;
    struct raster *part = group->raster->parts[thread];

    begin_part(part, group->raster, chunk, thread);
    const bool made = group->run(group->argument, part, chunk, thread);

    group->result[chunk] = (struct chunk_result){
        .spent = part->budget ? UINT64_MAX - part->budget : UINT64_MAX,
        .pixels = part->scene.pixels,
        .bytes = part->scene.bytes,
        .statistics = part->statistics,
        .out_of_memory = !made || part->scene.out_of_memory,
    };
    scene_end_chunk(&group->raster->scene, &part->scene, thread);
}

/* False: memory is short. */
static bool reserve_parts(struct raster *raster, unsigned threads)
{
    if (!raster->parts)
        raster->parts = mem_calloc(threads, sizeof(*raster->parts));
    for (unsigned i = 0; raster->parts && i < threads && raster->part_count == i; i++) {
        raster->parts[i] = mem_alloc_aligned(sizeof(*raster->parts[i]));
        raster->part_count += raster->parts[i] != NULL;
    }
    return raster->part_count >= threads;
}

void group_free(struct raster *raster)
{
    for (unsigned i = 0; i < raster->part_count; i++)
        mem_free_aligned(raster->parts[i]);
    free(raster->parts);
}

/* The total cost of all chunks. */
static uint64_t sum_of_spent(const struct group *group, unsigned count)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += BASE_MIN(group->result[i].spent, UINT64_MAX - sum);
    return sum;
}

static void add_result(struct raster *raster, const struct chunk_result *result)
{
    raster->statistics.triangles += result->statistics.triangles;
    raster->statistics.lines += result->statistics.lines;
    raster->statistics.points += result->statistics.points;
    raster->statistics.binned += result->statistics.binned;
    raster->scene.pixels += result->pixels;
    if (result->bytes)
        raster->scene.life = SCENE_FILLED;
}

unsigned raster_thread_count(const struct raster *raster)
{
    return raster->threads > 1 ? tasks_threads(raster->tasks) : 1;
}

bool raster_has_idle_threads(const struct raster *raster)
{
    return raster->threads > 1 && tasks_have_idle(raster->tasks);
}

void raster_share(struct raster *raster, unsigned count, void (*run)(void *argument, unsigned part, unsigned thread),
                  void *argument)
{
    BASE_ASSERT(count <= RASTER_MAX_CHUNKS);
    if (raster->threads > 1)
        tasks_share(raster->tasks, count, run, argument);
    else
        for (unsigned i = 0; i < count; i++)
            run(argument, i, 0);
}

bool raster_run_group(struct raster *raster, unsigned count, raster_chunk_fn *run, void *argument)
{
    struct group group;
    bool out_of_memory = false;

    BASE_ASSERT(count >= 1 && count <= RASTER_MAX_CHUNKS);
    if (raster->threads < 2 || !raster_begin_primitive(raster) || !reserve_parts(raster, raster->threads) ||
        !scene_reserve(&raster->scene, count, raster->threads))
        return false;
    group.raster = raster;
    group.run = run;
    group.argument = argument;
    tasks_share(raster->tasks, count, run_chunk, &group);
    for (unsigned i = 0; i < count; i++) {
        raster->scene.bytes += group.result[i].bytes; /* its memory is used even if it does not count */
        out_of_memory |= group.result[i].out_of_memory;
    }
    const uint64_t spent = sum_of_spent(&group, count);
    const bool fits = !out_of_memory && spent < raster->budget;

    scene_take_chunks(&raster->scene, count, fits);
    for (unsigned i = 0; i < count && fits; i++)
        add_result(raster, &group.result[i]);
    if (fits)
        raster->budget -= spent;
    return fits;
}
