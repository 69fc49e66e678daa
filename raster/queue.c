/* SPDX-License-Identifier: MIT */
/*
 * The life of scenes. Four scenes take turns: primitives and clears fill one; the others wait in a queue for threads or
 * are being drawn.
 *
 *   state           | event                                              | becomes | function
 *   any but DRAWING | targets are set                                    | EMPTY   | raster_set_targets
 *   any but DRAWING | targets are set, and memory is short               | CLOSED  | raster_set_targets
 *   EMPTY           | a clear of everything                              | CLEARED | raster_clear
 *   CLEARED, COPIED | another one that overwrites it completely          | CLEARED | raster_clear
 *   CLEARED, COPIED | the clear's colour is copied; the flush is paid    | COPIED  | raster_copy_clear
 *   COPIED          | a flush, which costs nothing                       | CLEARED | raster_spend_flush
 *   any of these    | any other command is binned                        | FILLED  | scene_bin_command
 *   any of these    | a group of chunks counts, and has taken memory     | FILLED  | raster_run_group
 *   any of these    | other threads get it, and another is filled        | DRAWING | queue_scene
 *   any of these    | the caller draws it                                | EMPTY   | raster_draw_scenes
 *   DRAWING         | all of its tiles have been drawn                   | EMPTY   | drop_queued
 *
 * "These" are EMPTY, CLEARED, COPIED and FILLED. Nothing is given to a CLOSED scene. Scenes other than the one being
 * filled are EMPTY (CLOSED with one thread) or DRAWING; those DRAWING are the scenes of the queue, queue_count from
 * queue_first on.
 *
 * Depth in memory is in one of two states: dirty (`depth_dirty`: blocks may be missing) or clean.
 *
 *   any             | scenes are drawn, and depth is not flushed         | dirty   | raster_draw_scenes, raster_start_drawing
 *   any             | scenes are drawn, and depth is flushed             | clean   | raster_draw_scenes
 *
 * An empty scene is drawn, too, if depth is dirty and must be flushed.
 */
#include "raster/frontend.h"
#include "raster/trace.h"

#include <string.h>

/* Begins another scene, or the current one again. */
static void forget_states(struct raster *raster)
{
    raster->scene_state = NULL;
    memset(raster->recent, 0, sizeof(raster->recent));
}

/* Called when the oldest scene has left the queue. */
static void drop_queued(struct raster *raster)
{
    scene_reset(&raster->queue[raster->queue_first].scene);
    raster->queue_dropped = raster->queue_first;
    raster->queue_first = (raster->queue_first + 1) % TASKS_QUEUE;
    raster->queue_count--;
}

void raster_wait(struct raster *raster)
{
    if (!raster->queue_count)
        return;
    tasks_finish(raster->tasks, &raster->statistics.busy);
    tasks_take_counts(raster->tasks, &raster->statistics.fragments, &raster->statistics.samples);
    while (raster->queue_count)
        drop_queued(raster);
}

/* Hands the current scene to the other threads and starts a new one. The queue must have room. False: the scene is too
 * small to be worth it. */
static bool queue_scene(struct raster *raster)
{
    struct scene *queued = &raster->queue[(raster->queue_first + raster->queue_count) % TASKS_QUEUE].scene;
    const unsigned dropped = (raster->queue_dropped + TASKS_QUEUE - raster->queue_first) % TASKS_QUEUE;
    struct scene *warm = dropped < raster->queue_count ? queued : &raster->queue[raster->queue_dropped].scene;
    const struct scene gathered = raster->scene;

    BASE_ASSERT(gathered.life != SCENE_CLOSED && gathered.life != SCENE_DRAWING);
    BASE_ASSERT(queued->life == SCENE_EMPTY && warm->life == SCENE_EMPTY);
    raster->scene = *warm;
    *warm = *queued;
    *queued = gathered;
    if (!tasks_start(raster->tasks, queued)) {
        *queued = *warm;
        *warm = raster->scene;
        raster->scene = gathered;
        return false;
    }
    queued->life = SCENE_DRAWING;
    raster->queue_count++;
    forget_states(raster);
    return true;
}

/* Draws the current scene, after those in the queue. */
static void draw_gathered(struct raster *raster)
{
    while (tasks_retire(raster->tasks))
        drop_queued(raster);
    if (raster->queue_count == TASKS_QUEUE)
        raster_wait(raster);
    if (raster->threads > 1 && queue_scene(raster)) {
        raster_wait(raster);
        return;
    }
    raster_wait(raster);
    tasks_draw(raster->tasks, &raster->scene, &raster->statistics.busy);
    tasks_take_counts(raster->tasks, &raster->statistics.fragments, &raster->statistics.samples);
}

void raster_draw_scenes(struct raster *raster, bool flushes_depth)
{
    struct scene *scene = &raster->scene;
    const bool open = raster_has_targets(raster);

    forget_states(raster);
    scene->flushes_depth = flushes_depth;
    if (open && (scene->life != SCENE_EMPTY || (flushes_depth && raster->depth_dirty))) {
        if (raster->trace)
            trace_part(raster->trace);
        draw_gathered(raster);
        raster->statistics.flushes++;
        raster->depth_dirty = !flushes_depth;
        if (raster->trace)
            trace_word(raster->trace, "scene");
    } else {
        raster_wait(raster);
    }
    if (open)
        scene_reset(scene);
    if (!flushes_depth)
        return;
    scene->epoch++;
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        raster->queue[i].scene.epoch = scene->epoch;
}

void raster_end_scene(struct raster *raster, bool flushes_depth)
{
    raster_spend_flush(raster);
    raster_draw_scenes(raster, flushes_depth);
    if (raster->trace)
        trace_word(raster->trace, "wait");
}

void raster_flush(struct raster *raster)
{
    raster_end_scene(raster, true);
}

bool raster_flush_colors(struct raster *raster)
{
    raster_end_scene(raster, false);
    return raster->depth_dirty && raster->targets.depth.pixels;
}

void raster_start_drawing(struct raster *raster)
{
    if (raster->trace) {
        raster_draw_scenes(raster, false);
        return;
    }
    while (tasks_retire(raster->tasks))
        drop_queued(raster);
    if (!tasks_want_scene(raster->tasks))
        return;
    raster->scene.flushes_depth = false;
    if (queue_scene(raster)) {
        raster->depth_dirty = true;
        return;
    }
    raster->scene.pixels = 0; /* ask again when it has grown by as much again */
    raster->scene.started = raster->scene.bytes;
}

bool raster_advance(struct raster *raster)
{
    while (tasks_retire(raster->tasks))
        drop_queued(raster);
    if (raster_has_targets(raster) && raster->scene.life != SCENE_EMPTY && raster->threads > 1)
        raster_start_drawing(raster);
    return !raster->queue_count;
}
