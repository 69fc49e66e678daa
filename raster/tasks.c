/* SPDX-License-Identifier: MIT */
/*
 * Scenes wait in a ring, and threads take tiles from the oldest scene that has any left, heaviest first. It does not
 * matter which thread draws a tile, but a tile must be drawn for one scene after the other: each entry of a scene's
 * list holds a ticket, the number of earlier scenes that contain the tile, and is drawn once the tile has been drawn
 * for that many.
 *
 * Small scenes stay on the caller: waking a thread costs more than they do. To finish, the caller draws tiles like the others.
 */
#include "raster/tasks.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/lock.h"
#include "base/sleep.h"
#include "base/thread.h"
#include "raster/scene.h"
#include "raster/tile/tile.h"
#include "raster/trace.h"
#include "raster/watch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The caller alone draws scenes that touch fewer tiles than this, */
#define TASKS_MIN_TILES 4
/* and scenes that only clear this many samples, which fit into a second-level cache. */
#define TASKS_CLEAR_SAMPLES (512u << 10)

/* The rest of a scene's list in one word: the number of entries not taken yet in the low bits, the scene's number
 * above. So a late thread cannot take entries from the next scene in the same place of the ring. */
#define LEFT_BITS 15
#define LEFT_MASK ((1u << LEFT_BITS) - 1)
_Static_assert((RASTER_MAX_SIZE / RASTER_TILE_SIZE) * (RASTER_MAX_SIZE / RASTER_TILE_SIZE) <= LEFT_MASK,
               "all tiles fit");

/* Places of the ring, a power of two, so that neighbouring scenes do not share a place when scene numbers wrap
 * around. */
#define TASKS_PLACES 4
_Static_assert(TASKS_PLACES >= TASKS_QUEUE && !(TASKS_PLACES & (TASKS_PLACES - 1)), "each scene has a place");

/* A tile of a scene. */
struct tile_entry {
    uint32_t tile, ticket;
};

struct queued_scene {
    const struct scene *scene;
    struct tile_entry *entries;      /* the lightest first: they are taken from the end */
    _Alignas(64) atomic_uint open;   /* number and LEFT_BITS */
    _Alignas(64) atomic_uint undone; /* entries that have not been drawn */
};

struct job {
    void (*run)(void *argument, unsigned part, unsigned thread);
    void *argument;
    unsigned count, next; /* under the lock */
    atomic_uint undone;
};

struct raster_tasks {
    unsigned threads; /* including the caller; lowered if some cannot be started */
    unsigned worker_count;
    struct tile_worker **workers;
    struct base_thread *handles; /* threads - 1 */
    unsigned started;
    struct base_lock lock;
    struct base_condition wake, done;
    atomic_uint idle;       /* threads without work; written under the lock */
    unsigned asleep;        /* idle threads that wait for `wake` */
    atomic_uint generation; /* counts scenes and jobs, under the lock; threads without work wait for it to change */
    bool quit;
    double busy;                      /* seconds of the other threads; under the lock */
    struct raster_trace *trace;       /* NULL: none */
    const struct raster_watch *watch; /* NULL: none */
    size_t tile_room;                 /* of all that follows */
    uint32_t *tickets;                /* by tile: scenes in which it has been queued */
    atomic_uint *drawn;               /* by tile: scenes for which it has been drawn */
    uint8_t *weights;                 /* scratch */
    struct queued_scene queue[TASKS_PLACES];
    _Alignas(64) atomic_uint first, end; /* numbers of the oldest scene in the queue, and of the next one */
    struct job job;
    _Alignas(64) atomic_bool job_open; /* parts may be left */
};

struct tasks_thread {
    struct raster_tasks *tasks;
    unsigned index;
};

static void pause_thread(unsigned *turns)
{
    if (++*turns % 64)
        cpu_pause();
    else
        sleep_yield();
}

/* Seconds that a waiting thread spins before it sleeps, about the time that waking it takes. */
#define TASKS_SPIN 100e-6

/* A thread that waits for something that may happen soon. */
struct spin {
    unsigned turns;
    double end; /* clock_seconds */
};

/* Pauses. False: the thread has waited long enough and should sleep. */
static bool spin_on(struct spin *spin)
{
    pause_thread(&spin->turns);
    if (spin->turns % 64)
        return true;
    const double now = clock_seconds();

    if (spin->end == 0)
        spin->end = now + TASKS_SPIN;
    return now < spin->end;
}

/* --- tiles ------------------------------------------------------------------------------------ */

static struct queued_scene *queued(struct raster_tasks *tasks, unsigned number)
{
    return &tasks->queue[number % TASKS_PLACES];
}

static unsigned open_word(unsigned number, size_t left)
{
    return number << LEFT_BITS | (unsigned)left;
}

/* Takes an entry from the scene of that number; *gone: the scene has left the queue. */
static bool take_entry(struct raster_tasks *tasks, unsigned number, struct tile_entry *entry, bool *gone)
{
    struct queued_scene *queue = queued(tasks, number);
    unsigned word = atomic_load_explicit(&queue->open, memory_order_acquire);

    for (;;) {
        *gone = word >> LEFT_BITS != open_word(number, 0) >> LEFT_BITS;
        if (*gone || !(word & LEFT_MASK))
            return false;
        if (atomic_compare_exchange_weak_explicit(&queue->open, &word, word - 1, memory_order_acquire,
                                                  memory_order_acquire)) {
            *entry = queue->entries[(word & LEFT_MASK) - 1];
            return true;
        }
    }
}

static void draw_tile(struct raster_tasks *tasks, struct tile_worker *worker, const struct scene *scene, size_t tile)
{
    const struct raster_watch *watch = tasks->watch;
    const double begin = watch ? clock_seconds() : 0;

    tile_render(worker, scene, (unsigned)(tile % scene->tiles_x), (unsigned)(tile / scene->tiles_x));
    if (tasks->trace)
        trace_tile(tasks->trace, tile, scene_tile_commands(scene, tile));
    if (watch)
        watch->tile(watch->user, tile, scene_tile_commands(scene, tile), begin, clock_seconds());
}

static void draw_entry(struct raster_tasks *tasks, struct tile_worker *worker, struct queued_scene *queue,
                       struct tile_entry entry)
{
    unsigned turns = 0;

    while (atomic_load_explicit(&tasks->drawn[entry.tile], memory_order_acquire) != entry.ticket)
        pause_thread(&turns);
    draw_tile(tasks, worker, queue->scene, entry.tile);
    atomic_store_explicit(&tasks->drawn[entry.tile], entry.ticket + 1, memory_order_release);
    if (atomic_fetch_sub_explicit(&queue->undone, 1, memory_order_acq_rel) == 1) {
        base_lock(&tasks->lock);
        base_wake_one(&tasks->done);
        base_unlock(&tasks->lock);
    }
}

/* Draws a tile of the oldest scene that has any left. False: no scene has. */
static bool draw_next(struct raster_tasks *tasks, struct tile_worker *worker)
{
    struct tile_entry entry;
    bool gone = true;

    while (gone) {
        unsigned number = atomic_load_explicit(&tasks->first, memory_order_acquire);
        const unsigned end = atomic_load_explicit(&tasks->end, memory_order_acquire);

        for (gone = false; number != end && !gone; number++) {
            if (take_entry(tasks, number, &entry, &gone)) {
                draw_entry(tasks, worker, queued(tasks, number), entry);
                return true;
            }
        }
    }
    return false;
}

/* --- jobs ------------------------------------------------------------------------------------- */

/* Runs a part of the job. False: no part is left. */
static bool run_part(struct raster_tasks *tasks, unsigned thread)
{
    struct job *job = &tasks->job;

    base_lock(&tasks->lock);
    const bool left = job->next < job->count;
    const unsigned part = job->next;

    job->next += left;
    if (job->next == job->count)
        atomic_store_explicit(&tasks->job_open, false, memory_order_relaxed);
    base_unlock(&tasks->lock);
    if (!left)
        return false;
    const struct raster_watch *watch = tasks->watch;
    const double begin = watch ? clock_seconds() : 0;

    job->run(job->argument, part, thread);
    if (watch)
        watch->chunk(watch->user, part, begin, clock_seconds());
    if (atomic_fetch_sub_explicit(&job->undone, 1, memory_order_acq_rel) == 1 && thread) {
        base_lock(&tasks->lock);
        base_wake_one(&tasks->done);
        base_unlock(&tasks->lock);
    }
    return true;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void work(struct raster_tasks *tasks, unsigned index)
{
    for (;;) {
        if (atomic_load_explicit(&tasks->job_open, memory_order_relaxed) && run_part(tasks, index))
            continue;
        if (!draw_next(tasks, tasks->workers[index]) && !atomic_load_explicit(&tasks->job_open, memory_order_relaxed))
            return;
    }
}

/* Waits until `generation` differs from `seen`, and returns it. Holds the lock before and after. */
static unsigned wait_for_work(struct raster_tasks *tasks, unsigned seen)
{
    struct spin spin = {0};

    atomic_fetch_add_explicit(&tasks->idle, 1, memory_order_relaxed);
    base_unlock(&tasks->lock);
    while (atomic_load_explicit(&tasks->generation, memory_order_relaxed) == seen && spin_on(&spin))
        ;
    base_lock(&tasks->lock);
    tasks->asleep++;
    while (!tasks->quit && atomic_load_explicit(&tasks->generation, memory_order_relaxed) == seen)
        base_wait(&tasks->wake, &tasks->lock);
    tasks->asleep--;
    atomic_fetch_sub_explicit(&tasks->idle, 1, memory_order_relaxed);
    return atomic_load_explicit(&tasks->generation, memory_order_relaxed);
}

static void *worker_main(void *argument)
{
    struct tasks_thread *self = argument;
    struct raster_tasks *tasks = self->tasks;
    unsigned index = self->index, seen = 0;

    free(self);
    base_lock(&tasks->lock);
    for (;;) {
        seen = wait_for_work(tasks, seen);
        if (tasks->quit)
            break;
        base_unlock(&tasks->lock);
        const double start = clock_seconds();

        work(tasks, index);
        const double busy = clock_seconds() - start;

        base_lock(&tasks->lock);
        tasks->busy += busy;
    }
    base_unlock(&tasks->lock);
    return NULL;
}

/* Starts the threads, with the first scene that is worth it: devices that never draw need no threads. */
static void start_threads(struct raster_tasks *tasks)
{
    while (tasks->started + 1 < tasks->threads) {
        struct tasks_thread *self = mem_calloc(1, sizeof(*self));

        if (!self)
            break;
        *self = (struct tasks_thread){tasks, tasks->started + 1};
        if (!base_thread_start(&tasks->handles[tasks->started], worker_main, self)) {
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

/* Wakes threads: there is work for that many. */
static void wake_threads(struct raster_tasks *tasks, unsigned count)
{
    base_lock(&tasks->lock);
    atomic_fetch_add_explicit(&tasks->generation, 1, memory_order_relaxed);
    const unsigned asleep = tasks->asleep;

    base_unlock(&tasks->lock); /* before waking: a woken thread needs the lock */
    if (asleep && count >= asleep)
        base_wake_all(&tasks->wake);
    else
        for (unsigned i = 0; i < count && asleep; i++)
            base_wake_one(&tasks->wake);
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

void tasks_watch(struct raster_tasks *tasks, const struct raster_watch *watch)
{
    tasks->watch = watch;
}

static void free_room(struct raster_tasks *tasks)
{
    for (unsigned i = 0; i < TASKS_PLACES; i++) {
        free(tasks->queue[i].entries);
        tasks->queue[i].entries = NULL;
    }
    free(tasks->tickets);
    free(tasks->drawn);
    free(tasks->weights);
    tasks->weights = NULL;
    tasks->tickets = NULL;
    tasks->drawn = NULL;
    tasks->tile_room = 0;
}

void tasks_destroy(struct raster_tasks *tasks)
{
    base_lock(&tasks->lock);
    tasks->quit = true;
    base_wake_all(&tasks->wake);
    base_unlock(&tasks->lock);
    for (unsigned i = 0; i < tasks->started; i++)
        base_thread_join(&tasks->handles[i]);
    for (unsigned i = 0; tasks->workers && i < tasks->worker_count; i++)
        tile_worker_destroy(tasks->workers[i]);
    base_condition_destroy(&tasks->done);
    base_condition_destroy(&tasks->wake);
    base_lock_destroy(&tasks->lock);
    free_room(tasks);
    free(tasks->workers);
    free(tasks->handles);
    mem_free_aligned(tasks);
}

/* --- the queue -------------------------------------------------------------------------------- */

static unsigned first_of(const struct raster_tasks *tasks)
{
    return atomic_load_explicit(&tasks->first, memory_order_relaxed);
}
static unsigned end_of(const struct raster_tasks *tasks)
{
    return atomic_load_explicit(&tasks->end, memory_order_relaxed);
}

bool tasks_want_scene(const struct raster_tasks *tasks)
{
    const unsigned first = first_of(tasks), end = end_of(tasks);

    if (tasks->threads < 2 || end - first == TASKS_QUEUE)
        return false;
    return end == first ||
           !(atomic_load_explicit(&tasks->queue[(end - 1) % TASKS_PLACES].open, memory_order_relaxed) & LEFT_MASK);
}

/* Makes room for lists of that many tiles. Grows only while the queue is empty: targets have changed. */
static bool reserve_tiles(struct raster_tasks *tasks, size_t tiles)
{
    bool good = true;

    if (tiles <= tasks->tile_room)
        return true;
    BASE_ASSERT(first_of(tasks) == end_of(tasks));
    free_room(tasks);
    for (unsigned i = 0; i < TASKS_PLACES; i++) {
        tasks->queue[i].entries = mem_calloc(tiles, sizeof(*tasks->queue[i].entries));
        good &= tasks->queue[i].entries != NULL;
    }
    tasks->tickets = mem_calloc(tiles, sizeof(*tasks->tickets));
    tasks->drawn = mem_calloc(tiles, sizeof(*tasks->drawn));
    tasks->weights = mem_calloc(tiles, sizeof(*tasks->weights));
    if (!good || !tasks->tickets || !tasks->drawn || !tasks->weights) {
        free_room(tasks);
        return false;
    }
    tasks->tile_room = tiles;
    return true;
}

/* The weight of a tile: the magnitude of its number of command nodes, as a power of two; 0: nothing to draw. */
#define WEIGHTS 8

static unsigned weight_of(const struct scene *scene, size_t tile, bool all)
{
    unsigned nodes = 0;

    for (unsigned i = 0; i < scene->chunk_count; i++)
        if (scene_chunk_touches(&scene->chunks[i], tile))
            nodes += scene->chunk_count == 1 ? scene->chunks[i].bins[tile].nodes : 1;
    if (!nodes)
        return all || tile_has_work(scene, tile);
    return BASE_MIN(32u - (unsigned)__builtin_clz(nodes), WEIGHTS - 1u);
}

/* Lists the scene's tiles; all: even those without commands, because earlier scenes may have left dirty blocks in them.
 * Returns their number. */
static size_t list_tiles(struct raster_tasks *tasks, const struct scene *scene, struct tile_entry *entries, bool all)
{
    const size_t tiles = (size_t)scene->tiles_x * scene->tiles_y;
    size_t count[WEIGHTS] = {0}, place[WEIGHTS] = {0};
    uint8_t *const weights = tasks->weights;

    for (size_t tile = 0; tile < tiles; tile++)
        count[weights[tile] = (uint8_t)weight_of(scene, tile, all)]++;
    for (unsigned w = 2; w < WEIGHTS; w++)
        place[w] = place[w - 1] + count[w - 1];
    for (size_t tile = tiles; tile-- > 0;)
        if (weights[tile])
            entries[place[weights[tile]]++] = (struct tile_entry){(uint32_t)tile, tasks->tickets[tile]};
    return tiles - count[0];
}

/* Would drawing it end before a thread has woken? */
static bool is_small_clear(const struct scene *scene)
{
    const size_t pixels = (size_t)scene->tiles_x * scene->tiles_y * RASTER_TILE_SIZE * RASTER_TILE_SIZE;

    return !scene->flushes_depth && scene_sole_clear(scene) && pixels * scene->samples <= TASKS_CLEAR_SAMPLES;
}

bool tasks_start(struct raster_tasks *tasks, const struct scene *scene)
{
    const unsigned number = end_of(tasks);
    struct queued_scene *queue = queued(tasks, number);

    BASE_ASSERT(number - first_of(tasks) < TASKS_QUEUE);
    if (tasks->threads < 2 || is_small_clear(scene) || !reserve_tiles(tasks, (size_t)scene->tiles_x * scene->tiles_y))
        return false;
    const size_t count = list_tiles(tasks, scene, queue->entries, scene->flushes_depth && number != first_of(tasks));

    if (count < TASKS_MIN_TILES)
        return false;
    start_threads(tasks);
    for (size_t i = 0; i < count; i++)
        tasks->tickets[queue->entries[i].tile]++;
    queue->scene = scene;
    atomic_store_explicit(&queue->undone, (unsigned)count, memory_order_relaxed);
    atomic_store_explicit(&queue->open, open_word(number, count), memory_order_release);
    atomic_store_explicit(&tasks->end, number + 1, memory_order_release);
    wake_threads(tasks, (unsigned)count);
    return true;
}

/* Has the oldest scene been drawn? */
static bool is_drawn(struct raster_tasks *tasks)
{
    return !atomic_load_explicit(&queued(tasks, first_of(tasks))->undone, memory_order_acquire);
}

bool tasks_retire(struct raster_tasks *tasks)
{
    const unsigned first = first_of(tasks);

    if (first == end_of(tasks) || !is_drawn(tasks))
        return false;
    atomic_store_explicit(&tasks->first, first + 1, memory_order_release);
    return true;
}

/* The other threads finish the last tiles in less time than it takes to sleep. */
static void wait_for_scenes(struct raster_tasks *tasks)
{
    struct spin spin = {0};

    while (first_of(tasks) != end_of(tasks)) {
        while (!is_drawn(tasks))
            if (!spin_on(&spin))
                return;
        atomic_store_explicit(&tasks->first, first_of(tasks) + 1, memory_order_release);
    }
}

void tasks_finish(struct raster_tasks *tasks, double *busy)
{
    const double start = clock_seconds();

    while (draw_next(tasks, tasks->workers[0]))
        ;
    *busy += clock_seconds() - start;
    wait_for_scenes(tasks);
    base_lock(&tasks->lock);
    while (first_of(tasks) != end_of(tasks)) {
        while (!is_drawn(tasks))
            base_wait(&tasks->done, &tasks->lock);
        atomic_store_explicit(&tasks->first, first_of(tasks) + 1, memory_order_release);
    }
    *busy += tasks->busy;
    tasks->busy = 0;
    base_unlock(&tasks->lock);
}

void tasks_draw(struct raster_tasks *tasks, const struct scene *scene, double *busy)
{
    const double start = clock_seconds();
    const size_t tiles = (size_t)scene->tiles_x * scene->tiles_y;

    for (size_t tile = 0; tile < tiles; tile++)
        if (tile_has_work(scene, tile))
            draw_tile(tasks, tasks->workers[0], scene, tile);
    *busy += clock_seconds() - start;
}

void tasks_take_counts(struct raster_tasks *tasks, uint64_t *fragments, uint64_t *samples)
{
    for (unsigned i = 0; i < tasks->worker_count; i++)
        tile_worker_take_counts(tasks->workers[i], fragments, samples);
}

/* --- sharing ---------------------------------------------------------------------------------- */

unsigned tasks_threads(const struct raster_tasks *tasks)
{
    return tasks->threads;
}

bool tasks_have_idle(const struct raster_tasks *tasks)
{
    return tasks->started + 1 < tasks->threads || atomic_load_explicit(&tasks->idle, memory_order_relaxed);
}

void tasks_share(struct raster_tasks *tasks, unsigned count,
                 void (*run)(void *argument, unsigned part, unsigned thread), void *argument)
{
    struct job *job = &tasks->job;
    struct spin spin = {0};

    start_threads(tasks);
    base_lock(&tasks->lock);
    BASE_ASSERT(job->next == job->count);
    job->run = run;
    job->argument = argument;
    job->count = count;
    job->next = 0;
    atomic_store_explicit(&job->undone, count, memory_order_relaxed);
    atomic_store_explicit(&tasks->job_open, true, memory_order_relaxed);
    base_unlock(&tasks->lock);
    wake_threads(tasks, count - 1);
    while (run_part(tasks, 0))
        ;
    while (atomic_load_explicit(&job->undone, memory_order_acquire) && spin_on(&spin))
        ;
    base_lock(&tasks->lock);
    while (atomic_load_explicit(&job->undone, memory_order_acquire))
        base_wait(&tasks->done, &tasks->lock);
    base_unlock(&tasks->lock);
}
