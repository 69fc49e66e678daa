/* SPDX-License-Identifier: MIT */
/*
 * Lightweight MIP maps (DDSCAPS3_LIGHTWEIGHTMIPMAP): one DirectDraw surface describes all levels, of a 2D texture, of a
 * volume, or of one face of a cube. Its hal_surface is level 0 and owns the surfaces of the other levels, which have no
 * LCL and no handle, and lie in its memory. ("Handling Lightweight MIP Map Textures", "Obtaining Sublevels of
 * Lightweight MIP Map Textures" in the Windows driver documentation.)
 *
 * Layout: the levels follow each other without gaps, the largest first. Rows of a level are its width in texels (in
 * blocks, for compressed formats), rounded up to four bytes, as in all of Direct3D's own memory; slices follow each other
 * without gaps. Video memory, whose layout a driver may choose, has the same one: captures, the debugger and managed
 * textures, for which the runtime's layout is prescribed, need no other.
 */
#ifndef HALCYON_HAL_RESOURCE_LIGHT_LEVELS_H
#define HALCYON_HAL_RESOURCE_LIGHT_LEVELS_H

#include "d3d/ddi.h"
#include "hal/resource/surface.h"

#include <stdint.h>

/* Levels that one DirectDraw surface describes, at least 1: dwMipMapCount of lightweight MIP maps. */
unsigned hal_light_count(const DDRAWI_DDRAWSURFACE_LCL *lcl);
/* May a surface of this shape have so many levels? DDERR_INVALIDPARAMS: not so many; DDERR_INVALIDCAPS: not in one
 * DirectDraw surface, because it is a target, is multisampled, or its format is a vendor's. */
HRESULT hal_light_check(const struct hal_surface *top, unsigned count, unsigned samples);
/* Bytes between the rows of a level with this width in texels. */
uint64_t hal_light_pitch(const struct hal_surface *top, unsigned width);
/* Bytes of all levels, of which `top` is the first, with `slice` bytes from one slice to the next. `count`: as
 * hal_light_check allows. */
uint64_t hal_light_bytes(const struct hal_surface *top, unsigned count, uint64_t slice);
/* Makes or updates the surfaces of levels 1 to count - 1 in the memory of `top`, whose shape, memory and pitches are known
 * and which has hal_light_bytes bytes. There are as many already, of the same shape, or none. DDERR_OUTOFMEMORY. */
HRESULT hal_light_place(struct hal_surface *top, unsigned count);
/* They have no memory until the next hal_light_place. */
void hal_light_lose_memory(struct hal_surface *top);
/* Frees them. No texture may name them (hal_texture_unlink). */
void hal_light_free(struct hal_surface *top);

/* hal_surface_touch of the surface and of the levels that lie in its memory. */
void hal_surface_touch_all(struct hal_surface *surface);

#endif
