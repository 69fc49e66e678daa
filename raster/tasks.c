/* SPDX-License-Identifier: MIT */
/*
 * Workers over tiles. A run hands out tile numbers from one atomic counter; which worker draws
 * a tile changes nothing in it. Small scenes stay on the caller: waking a thread costs more than they do.
 *
 * A run is started, then finished: between the two the other threads draw while the caller prepares the next scene;
 * to finish it the caller draws the tiles that are left.
 */
#include "raster/internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Scenes that touch fewer tiles than this are drawn by the caller alone. */
#define TASKS_MIN_TILES 4

struct raster_tasks {
    unsigned threads;         /* including the caller; lowered if some cannot be started */
    unsigned worker_count;
    struct tile_worker **workers;
    pthread_t *handles;       /* threads - 1 */
    unsigned started;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    unsigned generation;      /* counts runs; workers wait for it to change */
    atomic_uint running;      /* threads that have not left the run; changed under the mutex */
    bool quit;
    double busy; /* seconds of all threads in this run; under the mutex */
    const struct scene *scene;
    atomic_uint next_tile;
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
        if (scene->bins[tile].first)
            tile_render(worker, scene, tile % scene->tiles_x, tile / scene->tiles_x);
    }
}

static void *worker_main(void *argument)
{
    struct tasks_thread *self = argument;
    struct raster_tasks *tasks = self->tasks;
    unsigned index = self->index, seen = 0;

    free(self);
    pthread_mutex_lock(&tasks->mutex);
    for (;;) {
        while (!tasks->quit && tasks->generation == seen)
            pthread_cond_wait(&tasks->wake, &tasks->mutex);
        if (tasks->quit)
            break;
        seen = tasks->generation;
        pthread_mutex_unlock(&tasks->mutex);
        const double start = clock_seconds();

        draw_tiles(tasks, tasks->workers[index]);
        const double busy = clock_seconds() - start;

        pthread_mutex_lock(&tasks->mutex);
        tasks->busy += busy;
        if (atomic_fetch_sub_explicit(&tasks->running, 1, memory_order_relaxed) == 1)
            pthread_cond_signal(&tasks->done);
    }
    pthread_mutex_unlock(&tasks->mutex);
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
    struct raster_tasks *tasks = mem_calloc(1, sizeof(*tasks));

    if (!tasks)
        return NULL;
    tasks->threads = tasks->worker_count = threads ? threads : 1;
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    pthread_cond_init(&tasks->done, NULL);
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

void tasks_destroy(struct raster_tasks *tasks)
{
    pthread_mutex_lock(&tasks->mutex);
    tasks->quit = true;
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    for (unsigned i = 0; i < tasks->started; i++)
        pthread_join(tasks->handles[i], NULL);
    for (unsigned i = 0; tasks->workers && i < tasks->worker_count; i++)
        tile_worker_destroy(tasks->workers[i]);
    pthread_cond_destroy(&tasks->done);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    free(tasks->workers);
    free(tasks->handles);
    free(tasks);
}

static unsigned used_tiles(const struct scene *scene)
{
    unsigned used = 0, count = scene->tiles_x * scene->tiles_y;

    for (unsigned i = 0; i < count && used < TASKS_MIN_TILES; i++)
        used += scene->bins[i].first != NULL;
    return used;
}

bool tasks_start(struct raster_tasks *tasks, const struct scene *scene)
{
    if (tasks->threads < 2 || used_tiles(scene) < TASKS_MIN_TILES)
        return false;
    start_threads(tasks);
    tasks->scene = scene;
    tasks->busy = 0;
    atomic_store_explicit(&tasks->next_tile, 0, memory_order_relaxed);
    pthread_mutex_lock(&tasks->mutex);
    atomic_store_explicit(&tasks->running, tasks->started, memory_order_relaxed);
    tasks->generation++;
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
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
    pthread_mutex_lock(&tasks->mutex);
    while (tasks_busy(tasks))
        pthread_cond_wait(&tasks->done, &tasks->mutex);
    *busy += tasks->busy;
    pthread_mutex_unlock(&tasks->mutex);
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
