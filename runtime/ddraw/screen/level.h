/* SPDX-License-Identifier: MIT */
/* Cooperative levels: which flags go together, and the window that DirectDraw creates for a program that asks for one. */
#ifndef HALCYON_DDRAW_LEVEL_H
#define HALCYON_DDRAW_LEVEL_H

#include <stdbool.h>

#include "d3d/types.h"

struct dd_level {
    DWORD flags;  /* DDSCL_* of the last call that set a level; 0: none did */
    HWND focus;   /* set by DDSCL_SETFOCUSWINDOW, or the window of the level */
    HWND device;  /* where full screen shows */
    HWND created; /* by DDSCL_CREATEDEVICEWINDOW; NULL: none */
};

/* The three kinds of calls. */
enum dd_level_request {
    DD_LEVEL_FOCUS,  /* the focus window alone */
    DD_LEVEL_NORMAL, /* DDSCL_NORMAL */
    DD_LEVEL_FULL,   /* DDSCL_EXCLUSIVE and DDSCL_FULLSCREEN */
};

/* Are the flags and the window allowed at this level? DDERR_INVALIDPARAMS, DDERR_NOFOCUSWINDOW, DDERR_HWNDALREADYSET. DDERR_NOHWND, which the
 * original runtime returns after it has created a device window without a focus window, is not found here. */
HRESULT dd_level_check(const struct dd_level *level, HWND window, DWORD flags, enum dd_level_request *request);
/* SetCooperativeLevel: checks, then creates or destroys the device window. Also DDERR_NOHWND, DDERR_OUTOFMEMORY. */
HRESULT dd_level_set(struct dd_level *level, HWND window, DWORD flags);
/* Destroys the device window. */
void dd_level_end(struct dd_level *level);

static inline bool dd_level_is_exclusive(const struct dd_level *level)
{
    return level->flags & DDSCL_EXCLUSIVE;
}

#endif
