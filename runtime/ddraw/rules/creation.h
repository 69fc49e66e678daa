/* SPDX-License-Identifier: MIT */
/*
 * CreateSurface without its objects: a request and what it depends on become the plan of a chain of surfaces, or the error
 * of the call. The plan says which chain the driver's side makes (runtime/common/driver/link.h) and what GetSurfaceDesc
 * answers for each surface of it.
 */
#ifndef HALCYON_DDRAW_CREATION_H
#define HALCYON_DDRAW_CREATION_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"
#include "runtime/common/driver/link.h"

/* The things on which a request depends in addition to itself. */
struct ddraw_screen {
    unsigned width, height; /* of the display mode */
    uint32_t format;        /* of the display mode (enum d3d_format) */
    bool has_level;         /* SetCooperativeLevel has succeeded */
    bool is_exclusive;
    bool has_primary;  /* the DirectDraw object has a primary surface already */
    bool has_overlays; /* there are any */
    unsigned pointer;  /* bytes of a pointer of the process: 4 or 8 */
    unsigned most;     /* pixels a side that the driver allows; 65535 at most */
    /* D3DFORMAT_OP_* that the driver reports for a format; 0: none, or not reported. */
    uint32_t (*operations)(const void *driver, uint32_t format);
    const void *driver;
};

#define DDRAW_MOST_BACK_BUFFERS DDI_MAX_BACK_BUFFERS

struct ddraw_plan {
    struct rt_chain_desc chain; /* managed textures: the copy in system memory */
    bool is_primary;
    bool is_managed;       /* the runtime keeps a copy for the driver as well */
    unsigned back_buffers; /* 0: not a flip chain */
    unsigned faces;        /* bit k: face k of a cube has surfaces, in the order of D3DCUBEMAP_FACES; 0: not a cube */
    uint64_t bytes;        /* of all surfaces, with their pitches */
    size_t pitch;          /* bytes, of the first level */
    unsigned pointer;      /* that of the screen */
    DDSURFACEDESC2 desc;   /* the answer of GetSurfaceDesc for the first surface */
};

/* desc: DDSURFACEDESC2, whatever the version (ddraw_desc_read); NULL: the program gave none, or one of a wrong size.
 * version: of the DirectDraw interface: 1, 2, 4 or 7. Without success the plan is unspecified. */
HRESULT ddraw_plan_surfaces(const DDSURFACEDESC2 *desc, unsigned version, const struct ddraw_screen *screen,
                            struct ddraw_plan *plan);

/* Surfaces of the plan, in the order of the chain's parts: the front and its back buffers, or [face * levels + level]. Faces that
 * were not asked for have parts and no surfaces. */
unsigned ddraw_plan_parts(const struct ddraw_plan *plan);
bool ddraw_plan_has(const struct ddraw_plan *plan, unsigned part);
/* The part that CreateSurface returns: that of the first face that was asked for. */
unsigned ddraw_plan_root(const struct ddraw_plan *plan);
/* The answer of GetSurfaceDesc for a part; lpSurface is NULL, as natively. */
DDSURFACEDESC2 ddraw_plan_describe(const struct ddraw_plan *plan, unsigned part);

#endif
