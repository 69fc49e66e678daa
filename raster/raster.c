/* SPDX-License-Identifier: MIT */
/* Creates and destroys rasters, and reports their statistics. begin.c and clear.c add to scenes, queue.c draws them. */
#include "raster/raster.h"

#include "raster/frontend.h"
#include "raster/kernels/kernels.h"
#include "raster/trace.h"

#include <stdlib.h>

const struct raster_kernels *raster_kernels_for(enum cpu_level level)
{
#define LEVEL_ENTRY(NUMBER, name) &raster_kernels_##name,
    static const struct raster_kernels *const table[CPU_LEVEL_COUNT] = {CPU_LEVELS(LEVEL_ENTRY)};

    return table[level];
}

raster_sample_lod_fn raster_sample_lod_kernel(enum cpu_level level)
{
    return raster_kernels_for(level)->sample_lod;
}

struct raster *raster_create(enum cpu_level level, unsigned threads)
{
    struct raster *raster = mem_alloc_aligned(sizeof(*raster));

    if (!raster)
        return NULL;
    raster->level = level;
    raster->budget = UINT64_MAX;
    raster->flush_bytes = SCENE_FLUSH_BYTES;
    raster->threads = threads;
    raster->kernels = raster_kernels_for(level);
    raster->tasks = tasks_create(raster->kernels, threads);
    if (!raster->tasks) {
        mem_free_aligned(raster);
        return NULL;
    }
    return raster;
}

void raster_destroy(struct raster *raster)
{
    if (!raster)
        return;
    raster_flush(raster);
    log_info("raster: %llu triangles, %llu lines, %llu points given, %llu primitives binned, %llu fragments drawn in "
             "%llu flushes",
             (unsigned long long)raster->statistics.triangles, (unsigned long long)raster->statistics.lines,
             (unsigned long long)raster->statistics.points, (unsigned long long)raster->statistics.binned,
             (unsigned long long)raster->statistics.fragments, (unsigned long long)raster->statistics.flushes);
    tasks_destroy(raster->tasks);
    group_free(raster);
    trace_destroy(raster->trace);
    scene_free(&raster->scene);
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        scene_free(&raster->queue[i].scene);
    free(raster->depth);
    mem_free_aligned(raster);
}

void raster_trace(struct raster *raster, const char *path)
{
    if (raster->threads > 1 || raster->trace)
        return;
    raster->trace = trace_create(path);
    tasks_trace(raster->tasks, raster->trace);
}

void raster_watch(struct raster *raster, const struct raster_watch *watch)
{
    tasks_watch(raster->tasks, watch);
}

void raster_trace_part(struct raster *raster, bool chunk)
{
    if (raster->trace)
        trace_begin(raster->trace, chunk);
}

unsigned raster_provoking_corner(enum raster_topology topology, unsigned corners, bool flatshade_first)
{
    const unsigned last = corners - 1;

    switch (topology) {
    case RASTER_TRIANGLE_FAN:
        return flatshade_first ? 1 : last;
    case RASTER_QUADS:
        return last;
    case RASTER_POLYGON:
        return 0;
    default:
        return flatshade_first ? 0 : last;
    }
}

void raster_get_statistics(const struct raster *raster, struct raster_statistics *statistics)
{
    *statistics = raster->statistics;
}
