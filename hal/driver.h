/* SPDX-License-Identifier: MIT */
/* The driver's root: it owns the handle tables, the contexts, the list of surfaces and the queue of presents. */
#ifndef HALCYON_HAL_DRIVER_H
#define HALCYON_HAL_DRIVER_H

#include "base/base.h"
#include "d3d/ddi.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct hal_local;
struct hal_observer;
struct hal_present;
struct hal_surface;
struct raster_watch;

struct hal_driver {
    enum cpu_level cpu;
    unsigned threads;
    const char *trace;                /* raster_trace of each context; NULL: none */
    const struct raster_watch *watch; /* of each context that is created from now on; NULL: none */
    uint32_t split_seed;              /* raster_split_scenes of each context */
    struct hal_local *locals;         /* list: one per lpDDLcl, with its handle table */
    struct hal_context *contexts;     /* list */
    uint32_t next_context;
    uint64_t palette_versions;    /* given to palettes, never twice */
    uint64_t calls;               /* that drew or processed vertices, from 1 */
    struct hal_surface *surfaces; /* list of those that still exist; they point here */
    uint32_t surface_count;
    uint64_t video_bytes;                               /* of their memory, where it is the driver's */
    uint64_t work_per_call, work_per_byte, work_layers; /* limits, see HAL_WORK_PER_CALL */
    const struct hal_observer *observer;                /* hal/observer.h; NULL: none */
    struct hal_present *present; /* hal/resource/copy/present.c; NULL until something is queued */
};

/*
 * What one call may cost, in picoseconds of one core (hal/work.h, docs/limits.md): so much, so much more for each byte of
 * commands, and so many layers over the target. HALCYON_WORK_LIMIT scales them. A call that goes beyond is cut short there
 * and fails with HAL_TOO_MUCH_WORK.
 */
#define HAL_WORK_PER_CALL     (UINT64_C(1) << 38)
#define HAL_WORK_PER_BYTE     (UINT64_C(1) << 22)
#define HAL_WORK_LAYERS       256
#define HAL_WORK_LAYER_PIXEL  3000 /* of a layer: a pixel, and each of its samples */
#define HAL_WORK_LAYER_SAMPLE 2000
/* 1920 x 1200 pixels of 16 samples: layers over anything larger count like these. */
#define HAL_WORK_LAYER_MOST (UINT64_C(1920) * 1200 * (HAL_WORK_LAYER_PIXEL + 16 * HAL_WORK_LAYER_SAMPLE))
#define HAL_TOO_MUCH_WORK   ((HRESULT)0x88760827) /* D3DERR_DRIVERINTERNALERROR */

struct hal_driver *hal_driver_create(void);
/* Ends all contexts and drops all handle tables. False: surfaces still exist and point here, so the root stays. */
bool hal_driver_destroy(struct hal_driver *driver);

#endif
