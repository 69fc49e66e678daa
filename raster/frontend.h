/* SPDX-License-Identifier: MIT */
/* The front end: struct raster, and functions shared by its files. Each thread that makes a chunk has a struct raster
 * of its own (group.c). */
#ifndef HALCYON_RASTER_FRONTEND_H
#define HALCYON_RASTER_FRONTEND_H

#include "raster/raster.h"
#include "raster/scene.h"
#include "raster/tasks.h"

struct raster_kernels;
struct raster_tasks;
struct raster_trace;
struct tile_depth;

/* A cache of the states copied into a scene: sets by hash, the newest of a set first. */
#define RASTER_RECENT_BITS 7
#define RASTER_RECENT_SETS (1 << RASTER_RECENT_BITS)
#define RASTER_RECENT_WAYS 4
struct raster_recent_state {
    const void *program;                   /* state->program */
    const struct raster_draw_state *state; /* in the scene; NULL: none */
};

struct raster {
    enum cpu_level level;
    unsigned threads;
    const struct raster_kernels *kernels;
    /* `scene` is written with every primitive while other threads read the queue, so they do not share cache lines. */
    _Alignas(64) struct scene scene; /* being filled */
    struct raster_queued {
        _Alignas(64) struct scene scene;
    } queue[TASKS_QUEUE];              /* a ring of scenes given to the other threads */
    _Alignas(64) unsigned queue_first; /* the oldest of the queue */
    unsigned queue_count;
    unsigned queue_dropped;                      /* the entry that left the queue last; its memory is still cached */
    bool depth_dirty;                            /* blocks of depth may be dirty (tile/depth_cache.c) */
    struct tile_depth *depth;                    /* hierarchical Z and depth block cache of each tile */
    size_t depth_tiles;                          /* room in it */
    size_t flush_bytes;                          /* a scene that has used more is drawn first */
    uint32_t split_seed;                         /* raster_split_scenes: chooses the next place; 0: off */
    struct raster_targets targets;               /* of all scenes that are not closed */
    struct raster_draw_state state;              /* of the primitives that follow */
    const struct raster_draw_state *scene_state; /* its copy in the scene; NULL: not copied yet */
    struct raster_recent_state recent[RASTER_RECENT_SETS][RASTER_RECENT_WAYS];
    struct raster_rect bounds;  /* pixels that all targets have */
    struct raster_rect clip;    /* viewport, scissor and targets intersected */
    uint64_t budget;            /* left; 0: exhausted */
    uint64_t price;             /* of a pixel in the state's copy in the scene */
    uint32_t target_price;      /* of a sample, for targets that are many or wide */
    uint32_t stipple_counter;   /* steps of the stipple pattern that the strip has taken so far */
    float depth_resolution;     /* 1 / (2^n - 1) of the depth format */
    unsigned depth_mantissa;    /* bits of a floating-point one; 0: not floating-point */
    struct scene_w_bias w_bias; /* of the lines and points that a triangle is drawn as; else 0 */
    struct raster_tasks *tasks;
    struct raster **parts; /* one for each thread, for chunks of a group; NULL: no group yet */
    unsigned part_count;
    struct raster_trace *trace; /* NULL: nothing is recorded */
    struct raster_statistics statistics;
};

static inline bool raster_has_targets(const struct raster *raster)
{
    return raster->scene.life != SCENE_CLOSED;
}

static inline struct raster_rect raster_intersect(struct raster_rect a, struct raster_rect b)
{
    return (struct raster_rect){BASE_MAX(a.left, b.left), BASE_MAX(a.top, b.top), BASE_MIN(a.right, b.right),
                                BASE_MIN(a.bottom, b.bottom)};
}

/* --- queue.c ----------------------------------------------------------------------- */

/* Draws everything given so far; flushes_depth: also writes back dirty blocks of depth. */
void raster_draw_scenes(struct raster *raster, bool flushes_depth);
/* raster_draw_scenes on request of a caller, who is charged for a flush. */
void raster_end_scene(struct raster *raster, bool flushes_depth);
/* Gives the current scene to idle threads and starts a new one. */
void raster_start_drawing(struct raster *raster);

/* --- split.c ----------------------------------------------------------------------- */

/* The scene has grown too large: draws it, or does what raster_split_scenes asks for. */
void raster_leave_scene(struct raster *raster);

/* Called before a primitive or a clear: draws the scene if it has grown enough. */
static inline void raster_make_room(struct raster *raster)
{
    const struct scene *scene = &raster->scene;

    if (scene->bytes > raster->flush_bytes)
        raster_leave_scene(raster);
    else if ((raster->threads > 1 || raster->trace) &&
             (scene->bytes - scene->started > SCENE_START_BYTES || scene->pixels > SCENE_START_PIXELS))
        raster_start_drawing(raster);
}

/* --- begin.c ----------------------------------------------------------------------- */

/* Makes room: flushes when the scene has grown too large. Returns the state's copy in the scene, or NULL when nothing
 * can be drawn (no target, empty clip rectangle, out of memory). */
const struct raster_draw_state *raster_begin_primitive(struct raster *raster);

/* --- group.c ------------------------------------------------------------------------ */

void group_free(struct raster *raster);

/* --- budget.c ----------------------------------------------------------------------- */

/* raster.target_price for these targets. */
uint32_t raster_target_price(const struct raster_targets *targets);
/* raster_spend for clearing that many samples. */
bool raster_spend_clear(struct raster *raster, uint64_t samples);
/* raster_spend for a flush. Charged only when a caller asks for a flush, but even if there is nothing to draw: how
 * often a scene grows too large, and how much of it other threads have drawn by then, differs from run to run. Free,
 * once, after a clear that has been copied. */
void raster_spend_flush(struct raster *raster);

/* The smallest piece that programs run over, and the part of a large triangle's bounds outside it that is charged. */
#define RASTER_LEAST_PIXELS 16
#define RASTER_BOUNDS_PART  8

/* Charges pixels to the budget, at the price of the state. False: the budget is used up. */
static inline bool raster_spend_pixels(struct raster *raster, uint64_t pixels)
{
    const uint64_t units = (pixels + RASTER_LEAST_PIXELS) * raster->price;

    raster->scene.pixels += pixels;
    if (raster->budget <= units)
        return raster_spend(raster, units);
    raster->budget -= units;
    return true;
}

/* raster_spend_pixels for a rectangle. */
static inline bool raster_spend_rect(struct raster *raster, int32_t width, int32_t height)
{
    return raster_spend_pixels(raster, (uint64_t)width * (uint64_t)height);
}

#endif
