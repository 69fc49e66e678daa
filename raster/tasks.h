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

/* Scenes that may wait or be drawn at once, in addition to the one being filled. */
#define TASKS_QUEUE 3

/* threads: including the caller's; 0 means 1. NULL: out of memory. */
struct raster_tasks *tasks_create(const struct raster_kernels *kernels, unsigned threads);
void tasks_destroy(struct raster_tasks *tasks);
/* Records the cost of each tile that the caller draws. NULL: nothing is recorded. */
void tasks_trace(struct raster_tasks *tasks, struct raster_trace *trace);
/* Reports to the watch what threads do. NULL: no watch. The queue must be empty. */
void tasks_watch(struct raster_tasks *tasks, const struct raster_watch *watch);

/* Would another scene be useful: does the queue have room, and has every tile in it been taken by a thread? */
bool tasks_want_scene(const struct raster_tasks *tasks);
/* Appends the scene to the queue for the other threads; it must not change until it has left the queue. False: there
 * are no other threads, memory is short, or the scene touches too few tiles. The queue must have room. */
bool tasks_start(struct raster_tasks *tasks, const struct scene *scene);
/* Removes the oldest scene from the queue if it has been drawn; returns whether it has. */
bool tasks_retire(struct raster_tasks *tasks);
/* Draws tiles, like the other threads, until the queue has been drawn. Adds the seconds spent by all threads since the
 * last call to *busy. */
void tasks_finish(struct raster_tasks *tasks, double *busy);
/* The caller draws the whole scene alone. The queue must be empty. */
void tasks_draw(struct raster_tasks *tasks, const struct scene *scene, double *busy);
/* tile_worker_take_counts of all threads. The queue must be empty. */
void tasks_take_counts(struct raster_tasks *tasks, uint64_t *fragments, uint64_t *samples);

/* Threads that may take part in a job, including the caller's; thread numbers are below this. 1: only the caller. */
unsigned tasks_threads(const struct raster_tasks *tasks);
/* Is any of them idle or not started yet? */
bool tasks_have_idle(const struct raster_tasks *tasks);
/* Calls run(argument, part, thread) for each part below `count`, on all idle threads, and returns when all parts have
 * been run. Parts take precedence over tiles. */
void tasks_share(struct raster_tasks *tasks, unsigned count,
                 void (*run)(void *argument, unsigned part, unsigned thread), void *argument);

#endif
