/* SPDX-License-Identifier: MIT */
/* The driver's root: it owns the handle tables, the contexts, the list of resources and the queue of presents. */
#ifndef HALCYON_HAL_DRIVER_H
#define HALCYON_HAL_DRIVER_H

#include "base/base.h"
#include "base/map.h"
#include "d3d/ddi.h"
#include "d3d/halcyon.h"
#include "hal/flush.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_context;
struct hal_local;
struct hal_observer;
struct hal_present;
struct hal_resource;
struct hal_scene;
struct raster_watch;
struct shader_jit;

struct hal_driver {
    enum cpu_level cpu;
    unsigned threads;
    const char *trace;                /* raster_trace of each context; NULL: none */
    const struct raster_watch *watch; /* of each context created from now on; NULL: none */
    uint32_t split_seed;              /* raster_split_scenes of each context */
    struct hal_local *locals;         /* list: one per lpDDLcl, with its handle table */
    struct hal_context *contexts;     /* list */
    struct hal_scene *scenes;         /* list: the contexts' */
    uint32_t next_context;
    uint64_t palette_versions;              /* given to palettes, never twice */
    struct base_map display_palettes;       /* hal/resource/display_palette.h, by number */
    uint32_t last_display_palette;          /* the number that was given last */
    uint64_t scenes_ended[HAL_FLUSH_COUNT]; /* of all contexts, by reason */
    uint64_t calls;                         /* number of calls that drew or processed vertices, from 1 */
    struct hal_resource *resources;         /* list of those that still exist; they point here */
    uint32_t resource_count;
    uint32_t locked_pictures;            /* of them, surfaces in video memory */
    uint64_t video_bytes;                /* of their memory, where it is the driver's */
    uint64_t work_done;                  /* cost of all calls so far (hal/work.h) */
    uint64_t work_allowed;               /* maximum cost of all calls; HAL_WORK_UNBOUNDED */
    const struct hal_observer *observer; /* hal/observer.h; NULL: none */
    struct shader_jit *jit;              /* machine code of programs; NULL: none is made */
    bool out_of_memory;                  /* something was done otherwise for lack of memory, which no call reports */
    struct hal_present *present;         /* hal/resource/copy/present.c; NULL until something is queued */
};

#define HAL_WORK_UNBOUNDED UINT64_MAX
#define HAL_TOO_MUCH_WORK  ((HRESULT)0x88760827) /* D3DERR_DRIVERINTERNALERROR: hal/work.h */

struct hal_driver *hal_driver_create(void);
/* Makes the driver compile programs to machine code, of at most `bytes` (jit/memory.h); `checks` as for
 * shader_jit_create. Must be called before anything is drawn. */
void hal_driver_generate(struct hal_driver *driver, size_t bytes, bool checks);
/* Reports the machine code that exists. */
void hal_driver_code(const struct hal_driver *driver, HALCYON_CODE *code);
/* Returns when the threads of all contexts have drawn the scenes that they were given and are running no program.
 * driver: a struct hal_driver (a shader_wait_fn). */
void hal_driver_wait(void *driver);
/* DestroyDDLocal: ends the contexts of a DirectDraw object and drops its handle table. */
void hal_driver_drop_local(struct hal_driver *driver, const void *dd_local);
/* Ends all contexts and drops all handle tables. False: resources still exist and point here, so the root stays. */
bool hal_driver_destroy(struct hal_driver *driver);

#endif
