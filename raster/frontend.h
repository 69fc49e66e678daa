/* SPDX-License-Identifier: MIT */
/* The front end: struct raster, of which a thread that makes a chunk has one for itself (group.c), and what the files around it ask of each other. */
#ifndef HALCYON_RASTER_FRONTEND_H
#define HALCYON_RASTER_FRONTEND_H

#include "raster/raster.h"
#include "raster/scene.h"
#include "raster/tasks.h"

struct raster_kernels;
struct raster_tasks;
struct raster_trace;
struct tile_depth;

/* States whose copies in a scene are found again: sets by hash, powers of two. */
#define RASTER_RECENT_SETS 64
#define RASTER_RECENT_WAYS 4

struct raster {
    enum cpu_level level;
    unsigned threads;
    const struct raster_kernels *kernels;
    /* The one is written with every primitive while other threads read the others: they share no line of the cache. */
    _Alignas(64) struct scene scene; /* being filled */
    struct raster_queued {
        _Alignas(64) struct scene scene;
    } queue[TASKS_QUEUE];              /* a ring: given to the other threads */
    _Alignas(64) unsigned queue_first; /* the oldest of the queue */
    unsigned queue_count;
    unsigned queue_dropped;         /* the place that left the queue last: its memory is still in the cache */
    bool depth_dirty;               /* blocks of depth may be dirty (tile/depth_cache.c) */
    struct tile_depth *depth;       /* hierarchical Z and depth block cache of each tile */
    size_t depth_tiles;             /* room in it */
    size_t flush_bytes;             /* a scene that has used more is drawn before it grows on */
    uint32_t split_seed;            /* raster_split_scenes: of the next place; 0: off */
    struct raster_targets targets;  /* of the scenes, unless they are closed */
    struct raster_draw_state state; /* of the primitives that follow */
    const struct raster_draw_state *scene_state; /* its copy in the scene; NULL: not copied yet */
    const struct raster_draw_state *recent[RASTER_RECENT_SETS][RASTER_RECENT_WAYS]; /* in the scene; NULL: none */
    struct raster_rect bounds;                                                      /* pixels that all targets have */
    struct raster_rect clip;    /* viewport, scissor and targets intersected */
    uint64_t budget;            /* left; 0: exhausted */
    uint64_t price;             /* of a pixel in the state's copy in the scene */
    uint32_t target_price;      /* of a sample, for targets that are many or wide */
    uint32_t stipple_counter;   /* steps of the stipple pattern that the strip has taken so far */
    float depth_resolution;     /* 1 / (2^n - 1) of the depth format */
    unsigned depth_mantissa;    /* of a floating-point one: bits; 0: it is none */
    struct scene_w_bias w_bias; /* of the lines and points that a triangle is drawn as; else 0 */
    struct raster_tasks *tasks;
    struct raster **parts; /* one for each thread, for chunks of a group; NULL: none was yet */
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

/* Draws all that was given; flushes_depth: dirty blocks of depth are written back too. */
void raster_draw_scenes(struct raster *raster, bool flushes_depth);
/* raster_draw_scenes as callers of the raster ask for it, at the price of a flush. */
void raster_end_scene(struct raster *raster, bool flushes_depth);
/* Gives what has gathered to threads that have nothing to do, and goes on with another scene. */
void raster_start_drawing(struct raster *raster);

/* --- split.c ----------------------------------------------------------------------- */

/* The scene has grown too large: it is drawn, or what raster_split_scenes asks for. */
void raster_leave_scene(struct raster *raster);

/* Before a primitive or a clear: a scene that has grown enough is drawn. */
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

/* Makes room: flushes when the scene has grown too large. The state's copy in the scene, or NULL
 * when nothing can be drawn (no target, empty clip rectangle, no memory). */
const struct raster_draw_state *raster_begin_primitive(struct raster *raster);

/* --- group.c ------------------------------------------------------------------------ */

void group_free(struct raster *raster);

/* --- budget.c ----------------------------------------------------------------------- */

/* raster.target_price for these targets. */
uint32_t raster_target_price(const struct raster_targets *targets);
/* raster_spend for so many samples that are cleared. */
bool raster_spend_clear(struct raster *raster, uint64_t samples);
/* raster_spend for a flush. Only where callers ask for one, and whether or not there is anything to draw: how often a scene grows too
 * large, and what of it other threads have drawn by then, is different each time. Free, once, of a clear that has been copied. */
void raster_spend_flush(struct raster *raster);

/* The smallest piece that programs run over, and the part of a large triangle's bounds that is looked at outside it. */
#define RASTER_LEAST_PIXELS 16
#define RASTER_BOUNDS_PART  8

/* Takes pixels off the budget, at the price of the state. False: it is used up. */
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
