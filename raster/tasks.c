/* SPDX-License-Identifier: MIT */
/*
 * Workers over tiles. A run hands out tile numbers from one atomic counter; which worker draws
 * a tile changes nothing in it. Small scenes stay on the caller: waking a thread costs more than they do.
 *
 * A run is started, then finished: between the two the other threads draw while the caller prepares the next scene;
 * to finish it the caller draws the tiles that are left.
 */
#include "raster/tasks.h"

#include "base/base.h"
#include "base/lock.h"
#include "raster/scene.h"
#include "raster/tile/tile.h"
#include "raster/trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Scenes that touch fewer tiles than this are drawn by the caller alone. */
#define TASKS_MIN_TILES 4
/* So are those that only clear so many samples, which the second level of a cache holds. */
#define TASKS_CLEAR_SAMPLES (512u << 10)

struct raster_tasks {
    unsigned threads; /* including the caller; lowered if some cannot be started */
    unsigned worker_count;
    struct tile_worker **workers;
    pthread_t *handles; /* threads - 1 */
    unsigned started;
    struct base_lock lock;
    struct base_condition wake, done;
    unsigned generation; /* counts runs; workers wait for it to change */
    atomic_uint running; /* threads that have not left the run; changed under the lock */
    bool quit;
    double busy; /* seconds of all threads in this run; under the lock */
    const struct scene *scene;
    struct raster_trace *trace;         /* NULL: none */
    _Alignas(64) atomic_uint next_tile; /* written with every tile, by all */
};

struct tasks_thread {
    struct raster_tasks *tasks;
    unsigned index;
};

static void draw_tiles(struct raster_tasks *tasks, struct tile_worker *worker)
{
    const struct scene *scene = tasks->scene;
    unsigned count = scene->tiles_x * scene->tiles_y;

    for (;;) {
        unsigned tile = atomic_fetch_add_explicit(&tasks->next_tile, 1, memory_order_relaxed);

        if (tile >= count)
            return;
        if (!tile_has_work(scene, tile))
            continue;
        tile_render(worker, scene, tile % scene->tiles_x, tile / scene->tiles_x);
        if (tasks->trace)
            trace_tile(tasks->trace, tile, scene_tile_commands(scene, tile));
    }
}

static void *worker_main(void *argument)
{
    struct tasks_thread *self = argument;
    struct raster_tasks *tasks = self->tasks;
    unsigned index = self->index, seen = 0;

    free(self);
    base_lock(&tasks->lock);
    for (;;) {
        while (!tasks->quit && tasks->generation == seen)
            base_wait(&tasks->wake, &tasks->lock);
        if (tasks->quit)
            break;
        seen = tasks->generation;
        base_unlock(&tasks->lock);
        const double start = clock_seconds();

        draw_tiles(tasks, tasks->workers[index]);
        const double busy = clock_seconds() - start;

        base_lock(&tasks->lock);
        tasks->busy += busy;
        if (atomic_fetch_sub_explicit(&tasks->running, 1, memory_order_relaxed) == 1)
            base_wake_one(&tasks->done);
    }
    base_unlock(&tasks->lock);
    return NULL;
}

/* Threads start with the first scene that is worth them: devices that never draw cost none. */
static void start_threads(struct raster_tasks *tasks)
{
    while (tasks->started + 1 < tasks->threads) {
        struct tasks_thread *self = mem_calloc(1, sizeof(*self));

        if (!self)
            break;
        *self = (struct tasks_thread){tasks, tasks->started + 1};
        if (pthread_create(&tasks->handles[tasks->started], NULL, worker_main, self)) {
            free(self);
            break;
        }
        tasks->started++;
    }
    if (tasks->started + 1 < tasks->threads) {
        log_warn("raster: only %u of %u threads could be started", tasks->started + 1, tasks->threads);
        tasks->threads = tasks->started + 1;
    }
}

struct raster_tasks *tasks_create(const struct raster_kernels *kernels, unsigned threads)
{
    struct raster_tasks *tasks = mem_alloc_aligned(sizeof(*tasks));

    if (!tasks)
        return NULL;
    tasks->threads = tasks->worker_count = threads ? threads : 1;
    base_lock_init(&tasks->lock);
    base_condition_init(&tasks->wake);
    base_condition_init(&tasks->done);
    tasks->workers = mem_calloc(tasks->threads, sizeof(*tasks->workers));
    tasks->handles = mem_calloc(tasks->threads, sizeof(*tasks->handles));
    if (!tasks->workers || !tasks->handles)
        goto fail;
    for (unsigned i = 0; i < tasks->worker_count; i++) {
        tasks->workers[i] = tile_worker_create(kernels);
        if (!tasks->workers[i])
            goto fail;
    }
    return tasks;
fail:
    tasks_destroy(tasks);
    return NULL;
}

void tasks_trace(struct raster_tasks *tasks, struct raster_trace *trace)
{
    tasks->trace = trace;
}

void tasks_destroy(struct raster_tasks *tasks)
{
    base_lock(&tasks->lock);
    tasks->quit = true;
    base_wake_all(&tasks->wake);
    base_unlock(&tasks->lock);
    for (unsigned i = 0; i < tasks->started; i++)
        pthread_join(tasks->handles[i], NULL);
    for (unsigned i = 0; tasks->workers && i < tasks->worker_count; i++)
        tile_worker_destroy(tasks->workers[i]);
    base_condition_destroy(&tasks->done);
    base_condition_destroy(&tasks->wake);
    base_lock_destroy(&tasks->lock);
    free(tasks->workers);
    free(tasks->handles);
    mem_free_aligned(tasks);
}

static unsigned used_tiles(const struct scene *scene)
{
    unsigned used = 0, count = scene->tiles_x * scene->tiles_y;

    for (unsigned i = 0; i < count && used < TASKS_MIN_TILES; i++)
        used += tile_has_work(scene, i);
    return used;
}

/* Does it end before a thread has woken? */
static bool is_small_clear(const struct scene *scene)
{
    const size_t pixels = (size_t)scene->tiles_x * scene->tiles_y * RASTER_TILE_SIZE * RASTER_TILE_SIZE;

    return !scene->flushes_depth && scene_sole_clear(scene) && pixels * scene->samples <= TASKS_CLEAR_SAMPLES;
}

bool tasks_start(struct raster_tasks *tasks, const struct scene *scene)
{
    if (tasks->threads < 2 || is_small_clear(scene) || used_tiles(scene) < TASKS_MIN_TILES)
        return false;
    start_threads(tasks);
    tasks->scene = scene;
    tasks->busy = 0;
    atomic_store_explicit(&tasks->next_tile, 0, memory_order_relaxed);
    base_lock(&tasks->lock);
    atomic_store_explicit(&tasks->running, tasks->started, memory_order_relaxed);
    tasks->generation++;
    base_unlock(&tasks->lock); /* first: a thread that wakes wants the lock */
    base_wake_all(&tasks->wake);
    return true;
}

bool tasks_busy(const struct raster_tasks *tasks)
{
    return atomic_load_explicit(&tasks->running, memory_order_relaxed) != 0;
}

/* The caller's share of the tiles; its seconds are added to *busy. */
static void draw_own(struct raster_tasks *tasks, double *busy)
{
    const double start = clock_seconds();

    draw_tiles(tasks, tasks->workers[0]);
    *busy += clock_seconds() - start;
}

static uint64_t take_fragments(struct raster_tasks *tasks)
{
    uint64_t fragments = 0;

    for (unsigned i = 0; i < tasks->worker_count; i++)
        fragments += tile_worker_take_fragments(tasks->workers[i]);
    return fragments;
}

uint64_t tasks_finish(struct raster_tasks *tasks, double *busy)
{
    draw_own(tasks, busy);
    base_lock(&tasks->lock);
    while (tasks_busy(tasks))
        base_wait(&tasks->done, &tasks->lock);
    *busy += tasks->busy;
    base_unlock(&tasks->lock);
    return take_fragments(tasks);
}

uint64_t tasks_run(struct raster_tasks *tasks, const struct scene *scene, double *busy)
{
    if (tasks_start(tasks, scene))
        return tasks_finish(tasks, busy);
    tasks->scene = scene;
    atomic_store_explicit(&tasks->next_tile, 0, memory_order_relaxed);
    draw_own(tasks, busy);
    return take_fragments(tasks);
}
