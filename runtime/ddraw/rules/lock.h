/* SPDX-License-Identifier: MIT */
/* Lock, Unlock, GetDC and ReleaseDC of one surface as a state machine, and SetSurfaceDesc, which gives it other memory. */
#ifndef HALCYON_DDRAW_LOCK_H
#define HALCYON_DDRAW_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

#define DDRAW_MOST_LOCKS 16

/* Begins zeroed. */
struct ddraw_locks {
    unsigned count;
    RECT rects[DDRAW_MOST_LOCKS];
    bool has_dc;
};

struct ddraw_lock_facts {
    unsigned version; /* of the surface interface: 1, 2, 3, 4 or 7 */
    unsigned maker;   /* of the DirectDraw interface that made the surface: 1, 2, 4 or 7 */
    unsigned width, height;
    uint32_t format; /* enum d3d_format */
    DWORD caps;      /* DDSCAPS_*, as answered */
    bool is_lost;
};

/* A texture that IDirectDraw7 made outside of video memory: its runtime checks neither rectangles nor sizes of descriptions. */
bool ddraw_lock_is_lenient(const struct ddraw_lock_facts *facts);
/* rect NULL: all. *locked: the rectangle, which always lies inside the surface. */
HRESULT ddraw_lock(struct ddraw_locks *locks, const struct ddraw_lock_facts *facts, const RECT *rect, RECT *locked);
/* rect NULL: the only lock, or that of the whole surface. Versions 1 to 3 have no rectangle. */
HRESULT ddraw_unlock(struct ddraw_locks *locks, const RECT *rect);
HRESULT ddraw_get_dc(struct ddraw_locks *locks);
HRESULT ddraw_release_dc(struct ddraw_locks *locks);

/* The new memory of a surface, and its new shape. */
struct ddraw_rebind {
    void *memory;
    uint32_t format;
    unsigned width, height;
    size_t pitch; /* bytes; may be less than a row, as natively */
};

/* SetSurfaceDesc of a surface whose rows are `pitch` bytes apart now. */
HRESULT ddraw_plan_rebind(const struct ddraw_lock_facts *facts, const struct ddraw_locks *locks, bool is_managed,
                          size_t pitch, const DDSURFACEDESC2 *desc, DWORD flags, struct ddraw_rebind *rebind);

#endif
