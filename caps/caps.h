/* SPDX-License-Identifier: MIT */
/*
 * Declares what the driver says it can do: data only. caps.c holds the device capabilities of DirectX 2 to 8, formats.c one
 * row per surface format. A capability is a promise: set a bit only when the code for it works.
 */
#ifndef HALCYON_CAPS_H
#define HALCYON_CAPS_H

#include "d3d/bindings.h"
#include "d3d/caps9.h"
#include "d3d/ddi.h"
#include "raster/format/format.h"

#define CAPS_MAX_TEXTURE_SIZE 8192 /* texels; width and height; RASTER_MAX_LEVELS are as many as it has */
#define CAPS_MAX_VOLUME_SIZE  2048 /* texels; all three axes; available memory limits the product (docs/limits.md) */
#define CAPS_MAX_TARGET_SIZE  8192 /* = RASTER_MAX_SIZE */
#define CAPS_MAX_STREAMS      D3D_STREAMS
#define CAPS_MAX_STRIDE       1024 /* bytes */

/* A surface format: its number at the DDI, how the rasterizer knows it, what can be done with it,
 * and how DirectX 7 and earlier describe it (legacy.dwFlags 0: they cannot). */
struct caps_format {
    uint32_t d3d_format; /* D3DFORMAT */
    enum raster_format format;
    uint8_t level;       /* enum caps_level: told from this one on */
    uint32_t operations; /* D3DFORMAT_OP_*; 0: accepted, not listed */
    DDPIXELFORMAT legacy;
};

/* How much is reported: HALCYON_CAPS. DirectX 7 runtimes ask no GetDriverInfo2. What is not
 * reported still works. */
enum caps_level { CAPS_DX7 = 7, CAPS_DX8, CAPS_DX9 };
enum caps_level caps_level(void);

/* The formats of the level. */
unsigned caps_format_count(void);
const struct caps_format *caps_format(unsigned index);
/* D3DFORMAT_OP_*, as far as runtimes of the level know them. */
uint32_t caps_operations(const struct caps_format *format);
/* NULL: the driver does not know the number. */
const struct caps_format *caps_find_format(uint32_t d3d_format);
/* From the description in a surface, new style (DDPF_D3DFORMAT, DDPF_FOURCC) or masks; NULL:
 * unknown. */
const struct caps_format *caps_match_format(const DDPIXELFORMAT *pixel_format);

/* FOURCCs that announce a feature (extensions.c): a runtime finds them in the format list, after the formats. */
unsigned caps_extension_count(void);
/* operations: D3DFORMAT_OP_* that CheckDeviceFormat looks for. False: past the end. */
bool caps_extension(unsigned index, uint32_t *fourcc, uint32_t *operations);
/* Is it among them? What is not offered does not work either. */
bool caps_has_extension(uint32_t fourcc);
/* Would the vendor that the adapter claims to be of (HALCYON_ADAPTER) have offered this code of a format or an ability? Any code that
 * is not a vendor's own: true. */
bool caps_vendor_has(uint32_t code);
/* HALCYON_CONSERVATIVE_TIER: 0 (no conservative rasterization) to 3. */
unsigned caps_conservative_tier(void);

const D3DCAPS8 *caps_d3d8(void);
void caps_d3d9(struct d3d_caps9 *caps);
/* D3DQUERYTYPE of each query the stream may create; 0 past the end. */
unsigned caps_query_count(void);
uint32_t caps_query(unsigned index);
const D3DHAL_D3DEXTENDEDCAPS *caps_extended(void);
/* DirectDraw capabilities for DDHALINFO. */
void caps_ddraw(DDCORECAPS *caps);

/* DirectX 7 lists, in the order of formats.c. Return the number of entries; fill up to `capacity`.
 */
unsigned caps_texture_descs(DDSURFACEDESC *descs, unsigned capacity);
unsigned caps_depth_formats(DDPIXELFORMAT *formats, unsigned capacity);
/* FOURCCs that DirectDraw programs may create surfaces of: the formats that DirectX 7 describes by nothing else. */
unsigned caps_fourccs(DWORD *fourccs, unsigned capacity);
void caps_device_desc(D3DDEVICEDESC_V1 *desc);

/* How many samples a pixel of targets may have: bit n - 1 for n samples, 0 for none. */
uint16_t caps_multisample_mask(const struct caps_format *format);
/* D3DMULTISAMPLE_TYPE -> number of qualities; 0: not offered. */
uint32_t caps_quality_levels(uint32_t d3d_format, uint32_t type);

#endif
