/* SPDX-License-Identifier: MIT */
/* IDirectDrawClipper: a clip list, or a window whose visible region is one. */
#ifndef HALCYON_DDRAW_CLIPPER_H
#define HALCYON_DDRAW_CLIPPER_H

#include "runtime/ddraw/object/thunk.h"

struct clipper {
    struct dd_object object;
    HWND window;   /* NULL: the list */
    RGNDATA *list; /* NULL: none was set */
    size_t bytes;  /* of the list */
};

extern const struct dd_class clipper_class;

/* The list, or what is visible of the window in coordinates of the screen, cut by `rect` (NULL: not). The caller frees it.
 * DDERR_NOCLIPLIST: the clipper has neither; E_FAIL: the window is destroyed; DDERR_OUTOFMEMORY. */
HRESULT clipper_region(const struct clipper *clipper, const RECT *rect, RGNDATA **data);
/* Takes the lock. CLASS_E_NOAGGREGATION, DDERR_INVALIDPARAMS, DDERR_OUTOFMEMORY. */
HRESULT clipper_create(DWORD flags, IDirectDrawClipper **out, IUnknown *outer);
/* One that Initialize must complete, with a reference; NULL: out of memory. */
void *clipper_create_unready(void);

#endif
