/* SPDX-License-Identifier: MIT */
/* What the files of raster/ share and nobody else sees. */
#ifndef HALCYON_RASTER_INTERNAL_H
#define HALCYON_RASTER_INTERNAL_H

#include "raster/kernels/kernels.h"
#include "raster/scene.h"

struct raster_tasks;

struct raster {
    enum cpu_level level;
    unsigned threads;
    const struct raster_kernels *kernels;
    struct scene scene;                         /* being given */
    struct scene drawn;                         /* being drawn meanwhile, if `drawing` */
    bool drawing;
    bool owes;                                  /* memory of depth may lack what was drawn (tile/depth_cache.c) */
    struct tile_hierarchy *hierarchy;           /* bounds of depth per tile */
    size_t hierarchy_tiles;
    size_t flush_bytes;                         /* a scene that has used more is drawn before it grows on */
    uint32_t split_seed;                        /* raster_split_scenes: of the next place; 0: off */
    struct raster_targets targets;
    bool targets_set;
    struct raster_draw_state state;             /* of the primitives that come */
    const struct raster_draw_state *scene_state; /* its copy in the scene; NULL: not copied yet */
    struct raster_rect bounds;                  /* pixels that all targets have */
    struct raster_rect clip;                    /* viewport, scissor and targets intersected */
    uint64_t budget;                            /* left; 0: exhausted */
    uint64_t price;                             /* of a pixel in the state's copy in the scene */
    uint32_t target_price;                      /* of a sample, for targets that are many or wide */
    uint32_t stipple_counter;                   /* steps of the stipple pattern that the strip has taken so far */
    float depth_resolution;                     /* 1 / (2^n - 1) of the depth format */
    unsigned depth_mantissa;                    /* of a floating-point one: bits; 0: it is none */
    struct scene_w_bias w_bias;                 /* of the lines and points that a triangle is drawn as; else 0 */
    struct raster_tasks *tasks;
    struct raster_statistics statistics;
};

/* --- raster.c ---------------------------------------------------------------------- */

/* Makes room: flushes when the scene has grown too large. The state's copy in the scene, or NULL
 * when nothing can be drawn (no target, empty clip rectangle, no memory). */
const struct raster_draw_state *raster_begin_primitive(struct raster *raster);

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

/* Those of a rectangle. */
static inline bool raster_spend_rect(struct raster *raster, int32_t width, int32_t height)
{
    return raster_spend_pixels(raster, (uint64_t)width * (uint64_t)height);
}

/* Is what lies at that step of the stipple pattern drawn? */
static inline bool raster_stipple_draws(const struct raster_state *rs, uint32_t step)
{
    return rs->line_stipple_pattern >> (step / (rs->line_stipple_factor + 1u) & 15) & 1;
}

/* --- tile/tile.c -------------------------------------------------------------------------- */

struct tile_worker;

/* What is known about the depth of so many tiles: nothing. NULL without memory; free() it. */
struct tile_hierarchy *tile_hierarchy_create(size_t tiles);
struct tile_worker *tile_worker_create(const struct raster_kernels *kernels);
void tile_worker_destroy(struct tile_worker *worker);
/* Draws one tile of the scene. */
void tile_render(struct tile_worker *worker, const struct scene *scene, unsigned tile_x, unsigned tile_y);
/* Is there anything to draw in the tile of that number, or to settle? */
bool tile_has_work(const struct scene *scene, size_t tile);
uint64_t tile_worker_take_fragments(struct tile_worker *worker);

/* --- tasks.c ------------------------------------------------------------------------- */

struct raster_tasks *tasks_create(const struct raster_kernels *kernels, unsigned threads);
void tasks_destroy(struct raster_tasks *tasks);
/* Draws all tiles of the scene with all workers; the caller is one of them. Returns fragments drawn; the seconds
 * that workers spent, taken together, are added to *busy. */
uint64_t tasks_run(struct raster_tasks *tasks, const struct scene *scene, double *busy);
/* Lets the other threads draw the scene, which must stay as it is until tasks_finish. False: nothing was started, there are
 * no other threads or it is too small. */
bool tasks_start(struct raster_tasks *tasks, const struct scene *scene);
/* Are they still at it? */
bool tasks_busy(const struct raster_tasks *tasks);
/* Draws what they have not taken, waits for them. Returns and adds what tasks_run does. */
uint64_t tasks_finish(struct raster_tasks *tasks, double *busy);

#endif
