/* SPDX-License-Identifier: MIT */
/*
 * Structures that grew with the versions of DirectDraw: DDSURFACEDESC (versions 1 to 3) and DDSURFACEDESC2 (4, 7),
 * DDSCAPS and DDSCAPS2, DDCAPS in all sizes. Inside there is one description, DDSURFACEDESC2; this is its edge.
 *
 * `version` is that of the interface whose method is called: 1, 2, 3, 4 or 7.
 */
#ifndef HALCYON_DDRAW_DESC_H
#define HALCYON_DDRAW_DESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/types.h"

/* Methods that take or fill in a description, each with its own opinion of dwSize. */
enum ddraw_desc_method {
    DDRAW_DESC_CREATE,   /* IDirectDraw::CreateSurface: exactly the version's structure */
    DDRAW_DESC_GET,      /* IDirectDrawSurface::GetSurfaceDesc: likewise */
    DDRAW_DESC_MODE,     /* IDirectDraw::GetDisplayMode: either structure */
    DDRAW_DESC_LOCK,     /* either structure */
    DDRAW_DESC_LOCK_ANY, /* Lock of a texture that IDirectDraw7 made outside of video memory: any size */
};

/* sizeof of the version's structure: 108 or 124 bytes, in 64-bit processes 120 or 136. */
DWORD ddraw_desc_size(unsigned version);

/* Is `size`, the program's dwSize, good for the method? */
bool ddraw_desc_accepts(enum ddraw_desc_method method, unsigned version, DWORD size);

/* Reads the version's structure, whose dwSize has been accepted, into the inside description. Members that version 1 lacks
 * become 0. dwMipMapCount holds the depth of DDSD_ZBUFFERBITDEPTH, which shares its place. */
void ddraw_desc_read(DDSURFACEDESC2 *inside, const void *from, unsigned version);

/*
 * Writes the inside description to the program's structure `to`, as `method` does it:
 *   GET       the version's structure; dwSize is its size
 *   MODE      as many bytes as dwSize said; dwSize becomes the size of the version's structure
 *   LOCK...   DDSURFACEDESC2 if dwSize has room for it, else DDSURFACEDESC; dwSize stays
 * For versions 1 to 3 a depth buffer has DDSD_ZBUFFERBITDEPTH in place of DDSD_PIXELFORMAT, and yet a valid pixel format.
 * Returns the bytes written.
 */
size_t ddraw_desc_write(void *to, const DDSURFACEDESC2 *inside, enum ddraw_desc_method method, unsigned version);

/* DDSCAPS of versions 1 to 3 as DDSCAPS2. */
DDSCAPS2 ddraw_caps2_of(const DDSCAPS *caps);

/* Copies as many of the driver's capabilities as dwSize of the program's DDCAPS has room for: that of DirectX 1 and 3, 5, or 6
 * and 7. False: another size, nothing is written. */
bool ddraw_driver_caps_write(void *to, const DDCAPS *caps);

#endif
