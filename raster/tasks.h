/* SPDX-License-Identifier: MIT */
/* Worker threads, which draw the tiles of a scene. */
#ifndef HALCYON_RASTER_TASKS_H
#define HALCYON_RASTER_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct raster_kernels;
struct raster_tasks;
struct raster_trace;
struct scene;

/* threads: with the caller's own; 0: 1. NULL without memory. */
struct raster_tasks *tasks_create(const struct raster_kernels *kernels, unsigned threads);
void tasks_destroy(struct raster_tasks *tasks);
/* Records what each tile that the caller draws costs. NULL: nothing is recorded. */
void tasks_trace(struct raster_tasks *tasks, struct raster_trace *trace);
/* Draws all tiles of the scene with all workers; the caller is one of them. Returns fragments drawn; the seconds
 * that workers spent, taken together, are added to *busy. */
uint64_t tasks_run(struct raster_tasks *tasks, const struct scene *scene, double *busy);
/* Lets the other threads draw the scene, which must stay as it is until tasks_finish. False: nothing was started, there are
 * no other threads or it is too small. */
bool tasks_start(struct raster_tasks *tasks, const struct scene *scene);
/* Do the other threads still draw the scene? */
bool tasks_busy(const struct raster_tasks *tasks);
/* Draws the tiles that the other threads have not taken, then waits for them. Returns and adds what tasks_run does. */
uint64_t tasks_finish(struct raster_tasks *tasks, double *busy);

#endif
