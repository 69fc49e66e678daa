/* SPDX-License-Identifier: MIT */
/*
 * What the driver says it can do: data only. caps.c holds the device capabilities of DirectX 2 to
 * 8, formats.c one row per surface format. A capability is a promise: set a bit only when the code
 * behind it works.
 */
#ifndef HALCYON_CAPS_H
#define HALCYON_CAPS_H

#include "ddi/ddi.h"
#include "raster/format.h"

#define CAPS_MAX_TEXTURE_SIZE 4096 /* texels; width and height */
#define CAPS_MAX_VOLUME_SIZE  512  /* texels; all three axes */
#define CAPS_MAX_TARGET_SIZE  8192 /* = RASTER_MAX_SIZE */
#define CAPS_MAX_STREAMS      16
#define CAPS_MAX_STRIDE       1024 /* bytes */

/* A surface format: its number at the DDI, how the rasterizer knows it, what can be done with it,
 * and how DirectX 7 and earlier describe it (legacy.dwFlags 0: they cannot). */
struct caps_format {
    uint32_t d3d_format; /* D3DFORMAT */
    enum raster_format format;
    uint32_t operations;                /* D3DFORMAT_OP_*; 0: accepted, not listed */
    DDPIXELFORMAT legacy;
};

unsigned caps_format_count(void);
const struct caps_format *caps_format(unsigned index);
/* NULL: the driver does not know the number. */
const struct caps_format *caps_find_format(uint32_t d3d_format);
/* From the description in a surface, new style (DDPF_D3DFORMAT, DDPF_FOURCC) or masks; NULL:
 * unknown. */
const struct caps_format *caps_match_format(const DDPIXELFORMAT *pixel_format);

const D3DCAPS8 *caps_d3d8(void);
const D3DHAL_D3DEXTENDEDCAPS *caps_extended(void);
/* DirectDraw capabilities for DDHALINFO. */
void caps_ddraw(DDCORECAPS *caps);

/* DirectX 7 lists, in the order of formats.c. Return the number of entries; fill up to `capacity`.
 */
unsigned caps_texture_descs(DDSURFACEDESC *descs, unsigned capacity);
unsigned caps_depth_formats(DDPIXELFORMAT *formats, unsigned capacity);
void caps_device_desc(D3DDEVICEDESC_V1 *desc);

/* How many samples a pixel targets of a format may have: bit n - 1 for n samples, 0 for none. */
uint16_t caps_multisample_mask(enum raster_format format);

#endif
