/* SPDX-License-Identifier: MIT */
/* GDI device contexts over the memory of surfaces (Direct3D 9). */
#ifndef HALCYON_RUNTIME_SURFACE_DC_H
#define HALCYON_RUNTIME_SURFACE_DC_H

#include <windows.h>

struct rt_surface;

/* Formats that GDI draws to: R8G8B8, X8R8G8B8, A8R8G8B8, R5G6B5, X1R5G5B5, A1R5G5B5. The surface is locked
 * meanwhile, and so is all of its texture. D3DERR_INVALIDCALL, with *dc unchanged, for other formats and for
 * surfaces that cannot be locked, are locked or have a context. */
HRESULT WINAPI rt_surface_GetDC(void *iface, HDC *dc);
/* D3DERR_INVALIDCALL for a context other than the surface's. */
HRESULT WINAPI rt_surface_ReleaseDC(void *iface, HDC dc);

/* Ends lock and device context of a surface whose memory is freed while others hold the surface. */
void rt_surface_lose_memory(struct rt_surface *surface);

#endif
