/* SPDX-License-Identifier: MIT */
/*
 * The device as ddi/ sees it. The driver root owns the handle tables and the contexts; a context owns all state
 * that the stream sets. ddi/ translates callbacks into these calls and holds the driver's lock around
 * them, so nothing here is called from two threads at once.
 */
#ifndef HALCYON_HAL_H
#define HALCYON_HAL_H

#include "d3d/ddi.h"
#include "dp2/dp2.h"
#include "hal/resource/surface.h"
#include "raster/raster.h"

/* --- driver root ------------------------------------------------------------------- */

/* Surface handles of one DirectDraw object (DDRAWI_DIRECTDRAW_LCL); they grow as handles come. */
struct hal_handle_table;

struct hal_driver {
    enum cpu_level cpu;
    unsigned threads;
    uint32_t split_seed;          /* raster_split_scenes of each context */
    struct hal_local *locals;     /* list: one per lpDDLcl, with its handle table */
    struct hal_context *contexts; /* list */
    uint32_t next_context;
    uint64_t palette_versions;    /* given to palettes, never twice */
    uint64_t calls;               /* that drew or processed vertices, from 1 */
    struct hal_surface *surfaces; /* list of those that still exist; they point here */
    uint32_t surface_count;
    uint64_t video_bytes;         /* of their memory, where it is the driver's */
    uint64_t work_per_call, work_per_byte, work_layers; /* limits, see HAL_WORK_PER_CALL */
    struct hal_present *present;  /* hal/resource/present.c; NULL until something is queued */
};

#define HAL_MAX_SURFACE_HANDLE 0xFFFFF

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
#define HAL_WORK_LAYER_MOST   (UINT64_C(1920) * 1200 * (HAL_WORK_LAYER_PIXEL + 16 * HAL_WORK_LAYER_SAMPLE))
#define HAL_TOO_MUCH_WORK      ((HRESULT)0x88760827) /* D3DERR_DRIVERINTERNALERROR */

struct hal_driver *hal_driver_create(void);
/* Ends all contexts and forgets all handles. False: surfaces still exist and point here, so the root stays. */
bool hal_driver_destroy(struct hal_driver *driver);

/* The handle table of a DirectDraw object; made on first use. */
struct hal_handle_table *hal_driver_handles(struct hal_driver *driver, const void *dd_local);
void hal_driver_forget_local(struct hal_driver *driver, const void *dd_local); /* DestroyDDLocal */
/* Room for a handle, so that naming a surface by it cannot fail. False: out of memory, or beyond HAL_MAX_SURFACE_HANDLE. */
bool hal_handles_reserve(struct hal_handle_table *table, uint32_t handle);
/* The surface has this name from now on, and no other; who had it before has none. Room is reserved, handle is not 0. */
void hal_handles_name(struct hal_handle_table *table, uint32_t handle, struct hal_surface *surface);
/* False: out of memory, or a handle beyond HAL_MAX_SURFACE_HANDLE. NULL surface: forget. */
bool hal_handles_set(struct hal_handle_table *table, uint32_t handle, struct hal_surface *surface);
struct hal_surface *hal_handles_get(const struct hal_handle_table *table, uint32_t handle);

/* --- contexts ------------------------------------------------------------------------ */

struct hal_context;

/* level: the runtime's (0 DX3 .. 4 DX8, 5 DX9; docs/reference/driver-calls.md, section 2). target, depth: NULL or surfaces
 * made to be one (else DDERR_INVALIDPARAMS, as from hal_context_set_target). DDERR_OUTOFMEMORY. */
HRESULT hal_context_create(struct hal_driver *driver, const void *dd_local, struct hal_surface *target,
                           struct hal_surface *depth, uint32_t level, uint32_t process, uint32_t *handle);
struct hal_context *hal_context_find(struct hal_driver *driver, uint32_t handle);
/* The level of its runtime, DDI_LEVEL_*. */
uint32_t hal_context_level(const struct hal_context *context);
void hal_context_destroy(struct hal_context *context);
void hal_contexts_destroy_process(struct hal_driver *driver, uint32_t process);
HRESULT hal_context_set_target(struct hal_context *context, struct hal_surface *target,
                               struct hal_surface *depth);
/* Draws what has gathered; returns when all surfaces hold it. */
void hal_context_flush(struct hal_context *context);
/* The same, but depth buffers may go on lacking something (raster_flush_colors): they remain pending. */
void hal_context_flush_colors(struct hal_context *context);
HRESULT hal_context_validate_stages(struct hal_context *context, uint32_t *passes);

/* Pixels drawn since the context was created, and nanoseconds that threads spent on them. */
void hal_context_work(const struct hal_context *context, ULONGLONG *pixels, ULONGLONG *busy);

/* Resources of a D3DRESOURCETYPE in the driver's memory, and those of them that are bound to the context. */
struct hal_resources {
    uint32_t count, used;
    uint64_t bytes, used_bytes;
};
void hal_context_resources(const struct hal_context *context, uint32_t type, struct hal_resources *resources);

/* Counts what tokens did to textures since the context was created (D3DDEVINFO_TEXTURING). */
struct hal_texturing {
    uint32_t loads, preloads; /* TEXBLT, and those without a destination */
    uint64_t bytes_loaded;    /* of the levels that TEXBLT named as destination */
    uint32_t sets, priorities, lods;
};
struct hal_texturing hal_context_texturing(const struct hal_context *context);

/* One DrawPrimitives2 call with the DDI's structures taken apart and checked. */
struct hal_execute {
    const uint8_t *commands;      /* dwCommandLength bytes */
    size_t command_bytes;
    const uint8_t *vertices;      /* DX6/7 tokens and the UM stream; NULL if none */
    size_t vertex_bytes;
    uint32_t vertex_count;        /* dwVertexLength */
    uint32_t vertex_type;         /* FVF of the DX6/7 tokens */
    bool execute_buffer;          /* D3DHALDP2_EXECUTEBUFFER */
    uint32_t *render_states;      /* lpdwRStates if EXECUTEBUFFER, else NULL */
};
/* Runs the stream. DD_OK, or the code for ddrval with *error_offset set. */
HRESULT hal_context_execute(struct hal_context *context, const struct hal_execute *execute,
                            uint32_t *error_offset);

/* Answers of the queries that ended, as a response for the runtime (docs/reference/command-stream.md, section 5), into at
 * most `capacity` bytes; those that found no room come with the next call. Returns the bytes written, 0 if there is nothing
 * to say. */
size_t hal_context_respond(struct hal_context *context, uint8_t *out, size_t capacity);

/* Vertices `first` .. of the bound streams, processed as a draw would, into `result`: `count` vertices of format `fvf`
 * (with D3DFVF_XYZRHW), `stride` bytes apart. only_changed: colours and coordinates that processing would just copy
 * are left as they are. DD_OK; DDERR_INVALIDPARAMS: formats or streams that do not go, nothing is written. */
struct hal_process {
    uint32_t first, count;
    uint32_t fvf, stride;
    bool only_changed;
    uint8_t *result;
};
/* HAL_TOO_MUCH_WORK: the result is incomplete. */
HRESULT hal_context_process_vertices(struct hal_context *context, const struct hal_process *call);

/* Immediate clear for the Clear and Clear2 callbacks. rects NULL: the whole target. DD_OK or HAL_TOO_MUCH_WORK. */
HRESULT hal_context_clear(struct hal_context *context, uint32_t flags, uint32_t color, float depth,
                       uint32_t stencil, const RECT *rects, unsigned rect_count);

#endif
