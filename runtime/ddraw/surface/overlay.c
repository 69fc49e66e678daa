/* SPDX-License-Identifier: MIT */
/* Overlays, of which there are none: CreateSurface answers DDERR_NOOVERLAYHW, as on Windows 7 and later. */
#include "runtime/ddraw/surface/surface.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

HRESULT surface_UpdateOverlay(struct dd_call *call, RECT *source_rect, void *destination, RECT *rect, DWORD flags,
                              DDOVERLAYFX *effects)
{
    return DDERR_NOTAOVERLAYSURFACE;
}

HRESULT surface_GetOverlayPosition(struct dd_call *call, LONG *x, LONG *y)
{
    return DDERR_NOTAOVERLAYSURFACE;
}

HRESULT surface_SetOverlayPosition(struct dd_call *call, LONG x, LONG y)
{
    return DDERR_NOTAOVERLAYSURFACE;
}

HRESULT surface_UpdateOverlayZOrder(struct dd_call *call, DWORD flags, void *reference)
{
    return DDERR_NOTAOVERLAYSURFACE;
}

#define FRONT_TO_BACK 1 /* DDENUMOVERLAYZ_FRONTTOBACK, which mingw-w64 lacks */

/* A destination has no overlays. */
HRESULT surface_EnumOverlayZOrders(struct dd_call *call, DWORD flags, void *context, dd_callback callback)
{
    return !callback || flags & ~(DWORD)FRONT_TO_BACK ? DDERR_INVALIDPARAMS : DD_OK;
}

/* The original runtime has never implemented these two. */
HRESULT surface_UpdateOverlayDisplay(struct dd_call *call, DWORD flags)
{
    return DDERR_UNSUPPORTED;
}

HRESULT surface_AddOverlayDirtyRect(struct dd_call *call, RECT *rect)
{
    return DDERR_UNSUPPORTED;
}
