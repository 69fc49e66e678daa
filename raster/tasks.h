/* SPDX-License-Identifier: MIT */
/*
 * The threads of a raster: they draw the tiles of scenes that wait in a queue, and take part in jobs. Only the thread that owns
 * the raster calls these functions. docs/threads.md.
 */
#ifndef HALCYON_RASTER_TASKS_H
#define HALCYON_RASTER_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct raster_kernels;
struct raster_tasks;
struct raster_trace;
struct raster_watch;
struct scene;

/* Scenes that may wait or be drawn at once, beside the one that is filled. */
#define TASKS_QUEUE 3

/* threads: with the caller's own; 0: 1. NULL without memory. */
struct raster_tasks *tasks_create(const struct raster_kernels *kernels, unsigned threads);
void tasks_destroy(struct raster_tasks *tasks);
/* Records what each tile that the caller draws costs. NULL: nothing is recorded. */
void tasks_trace(struct raster_tasks *tasks, struct raster_trace *trace);
/* Tells the watch what threads do. NULL: nobody. The queue must be empty. */
void tasks_watch(struct raster_tasks *tasks, const struct raster_watch *watch);

/* Is there another scene to be wished for: room in the queue, and no tile in it that no thread has taken? */
bool tasks_want_scene(const struct raster_tasks *tasks);
/* Appends the scene to the queue for the other threads; it must stay as it is until it has left the queue. False: there are no
 * other threads, or no memory, or it touches too few tiles. There must be room. */
bool tasks_start(struct raster_tasks *tasks, const struct scene *scene);
/* The oldest scene leaves the queue if it has been drawn: returns true. */
bool tasks_retire(struct raster_tasks *tasks);
/* Draws tiles, too, until all that is in the queue has been drawn. The seconds that threads have spent since the last call, taken
 * together, are added to *busy. */
void tasks_finish(struct raster_tasks *tasks, double *busy);
/* The caller draws the whole scene alone. The queue must be empty. */
void tasks_draw(struct raster_tasks *tasks, const struct scene *scene, double *busy);
/* tile_worker_take_counts of all threads. The queue must be empty. */
void tasks_take_counts(struct raster_tasks *tasks, uint64_t *fragments, uint64_t *samples);

/* Threads that may take part in a job, with the caller's own: their numbers are below it. 1: there are no others. */
unsigned tasks_threads(const struct raster_tasks *tasks);
/* Is one of them without work, or has not been started yet? */
bool tasks_have_idle(const struct raster_tasks *tasks);
/* Calls run(argument, part, thread) for each part below `count`, on all threads that are free, and returns when all have been run.
 * Tiles wait for parts, not parts for tiles. */
void tasks_share(struct raster_tasks *tasks, unsigned count,
                 void (*run)(void *argument, unsigned part, unsigned thread), void *argument);

#endif
