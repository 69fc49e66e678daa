/* SPDX-License-Identifier: MIT */
/*
 * A resource: what surfaces (hal/resource/surface.h) and buffers (hal/resource/buffer.h) have in common. A resource
 * belongs to a DirectDraw surface; its address is kept in that surface's LCL (dwReserved1). Entry points of ddi/ create,
 * change and destroy it; contexts find it by handle. The driver allocates the memory of video-memory resources; system
 * memory belongs to the runtime, which announces it by CreateSurfaceEx.
 *
 * A handle or an LCL may name either type, whatever a caller claims: hal_as_surface and hal_as_buffer check.
 */
#ifndef HALCYON_HAL_RESOURCE_RESOURCE_H
#define HALCYON_HAL_RESOURCE_RESOURCE_H

#include "d3d/ddi.h"
#include "hal/flush.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_handle_table;

/* The uses of a resource, derived from DDSCAPS at creation: of a surface any of the first, which may be none; of a buffer
 * one of the last. */
enum hal_resource_kind {
    HAL_SURFACE_COLOR = 1, /* render target */
    HAL_SURFACE_DEPTH = 2,
    HAL_SURFACE_TEXTURE = 4,
    HAL_SURFACE_PRIMARY = 64,
    HAL_BUFFER_VERTEX = 8,
    HAL_BUFFER_INDEX = 16,
    HAL_BUFFER_COMMAND = 32,
    HAL_BUFFER_ANY = 8 | 16 | 32,
};

/* Bytes after the end of a resource's memory that wide loads may read. */
#define HAL_RESOURCE_SLACK 64

struct hal_resource {
    struct hal_driver *driver;
    struct hal_resource *next, **link; /* in the driver's list */
    DDRAWI_DDRAWSURFACE_LCL *lcl;      /* whose dwReserved1 points here */
    struct hal_handle_table *handles;  /* of the DirectDraw object that announced it; NULL before CreateSurfaceEx */
    uint32_t handle;  /* dwSurfaceHandle; 0 before CreateSurfaceEx, or when another resource has taken it */
    uint32_t kind;    /* enum hal_resource_kind bits */
    uint8_t *memory;  /* current address (flip and rename change it) */
    size_t bytes;     /* readable from `memory` */
    bool owns_memory; /* false: system memory of the runtime */
    unsigned lock_count;
    bool locked_for_writing; /* by any of the locks */
    uint64_t version;        /* counts writes to the memory */
};

static inline bool hal_resource_is_buffer(const struct hal_resource *resource)
{
    return resource->kind & HAL_BUFFER_ANY;
}

/* Is it a surface in video memory? */
static inline bool hal_resource_is_picture(const struct hal_resource *resource)
{
    return resource->owns_memory && !hal_resource_is_buffer(resource);
}

/* From a DirectDraw surface; NULL if the driver does not know it. */
struct hal_resource *hal_resource_from_lcl(const DDRAWI_DDRAWSURFACE_LCL *lcl);
/* The extended capabilities of a DirectDraw surface; 0 if it has none. */
DDSCAPSEX hal_resource_caps(const DDRAWI_DDRAWSURFACE_LCL *lcl);

/* --- for whom makes and frees them (create.c) ----------------------------------------------------- */

/* Allocates the memory of a new resource. DDERR_OUTOFVIDEOMEMORY: too many bytes, or out of memory. */
HRESULT hal_resource_allocate(struct hal_resource *resource, uint64_t bytes);
/* Adds a new resource to its driver, and to its DirectDraw surface. */
void hal_resource_enlist(struct hal_resource *resource);
/* Takes it out of its driver and of its handle table, and frees its memory. Scenes must have been drawn. */
void hal_resource_delist(struct hal_resource *resource);

/* --- any type ------------------------------------------------------------------------------------- */

/* Makes the resource of one DirectDraw surface of CreateSurface (allocates its memory, fills fpVidMem, lPitch and slice
 * pitch) or of CreateSurfaceEx (system memory). DD_OK, or the HRESULT for the caller: DDERR_INVALIDPIXELFORMAT,
 * DDERR_INVALIDPARAMS (sizes), DDERR_OUTOFVIDEOMEMORY. */
HRESULT hal_resource_create(struct hal_driver *driver, DDRAWI_DDRAWSURFACE_LCL *lcl, bool system_memory);
/* Updates a resource whose system memory moved, or whose description changed, since it was announced. */
HRESULT hal_resource_refresh(struct hal_resource *resource);
/* Flushes the scenes that use the resource, frees it, clears the LCL's pointer and removes the handle. Scenes that draw
 * to it lose their target. */
void hal_resource_destroy(DDRAWI_DDRAWSURFACE_LCL *lcl);
/* Destroys a resource whose LCL may already be freed (DestroyDDLocal). */
void hal_resource_free(struct hal_resource *resource);

/* Lock and Unlock, of surfaces after they were acquired: counts locks; the last unlock marks the contents as changed if
 * any lock was for writing. */
void hal_resource_begin_lock(struct hal_resource *resource, bool write);
void hal_resource_end_lock(struct hal_resource *resource);
/* Waits until the memory may be read or written: hal_surface_acquire; buffers need no wait. */
void hal_resource_acquire(struct hal_resource *resource, bool write, enum hal_flush why);
/* Digest of the whole contents, including samples, to detect changes. Waits as for reading. */
uint64_t hal_resource_digest(struct hal_resource *resource);
/* Before a call draws: marks locked pictures in video memory as changed. True: there are any, so the call must finish
 * its scene, because the program may continue to write. */
bool hal_resources_look_at_locked(struct hal_driver *driver);

#endif
