/* SPDX-License-Identifier: MIT */
/*
 * Every surface format the driver accepts, one row each, from d3d/formats.def. A DirectX 8 runtime gets the rows that have operations through
 * GetDriverInfo2 (GETFORMATCOUNT, GETFORMAT), older ones the masks through GLOBALDRIVERDATA and GUID_ZPixelFormats.
 * HALCYON_CAPS says how much is reported. Meaning of the operation bits: docs/reference/driver-calls.md, section 10.
 */
#include "caps/caps.h"

#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "d3d/pixel_format.h"

/* The operations that runtimes of DirectX 8 know: PIXELSIZE and all below it, OFFSCREENPLAIN, BUMPMAP. */
#define DX8_OPERATIONS 0x00015FFFu

/* Sampler feedback maps (d3d/feedback.h): all sizes of regions are accepted, square ones listed. */
#define FEEDBACK(kind, w, h)                                                                               \
    {                                                                                                      \
        MAKEFOURCC('F', kind, w, h), RASTER_FORMAT_FEEDBACK, 8,                                            \
            (w) == (h) ? D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE | D3DFORMAT_OP_VOLUMETEXTURE : 0, \
            D3D_LEGACY_NONE()                                                                              \
    }
/* clang-format off */
#define FEEDBACK_WIDTH(kind, w)                                                                    \
    FEEDBACK(kind, w, '2'), FEEDBACK(kind, w, '3'), FEEDBACK(kind, w, '4'),                        \
        FEEDBACK(kind, w, '5'), FEEDBACK(kind, w, '6'), FEEDBACK(kind, w, '7'),                    \
        FEEDBACK(kind, w, '8'), FEEDBACK(kind, w, '9'), FEEDBACK(kind, w, 'A'),                    \
        FEEDBACK(kind, w, 'B')
/* clang-format on */
#define FEEDBACK_KIND(kind)                                                                                         \
    FEEDBACK_WIDTH(kind, '2'), FEEDBACK_WIDTH(kind, '3'), FEEDBACK_WIDTH(kind, '4'), FEEDBACK_WIDTH(kind, '5'),     \
        FEEDBACK_WIDTH(kind, '6'), FEEDBACK_WIDTH(kind, '7'), FEEDBACK_WIDTH(kind, '8'), FEEDBACK_WIDTH(kind, '9'), \
        FEEDBACK_WIDTH(kind, 'A'), FEEDBACK_WIDTH(kind, 'B')

#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, roles, operations)                                                        \
    {(number), RASTER_FORMAT_##layout, level, operations,                                                            \
     D3D_LEGACY_##legacy(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)},
#define VARIANT(number, name, layout, level, legacy, roles, operations) \
    {(number), RASTER_FORMAT_##layout, level, operations, D3D_LEGACY_##legacy(number)},

/* clang-format off */
static const struct caps_format formats[] = {
#include "d3d/formats.def"
    FEEDBACK_KIND('M'),
    FEEDBACK_KIND('U'),
};
/* clang-format on */

#define ROW_COUNT (sizeof(formats) / sizeof(formats[0]))

enum caps_level caps_level(void)
{
    const char *level = config_string("caps");
    if (!strcmp(level, "dx7"))
        return CAPS_DX7;
    return strcmp(level, "dx8") ? CAPS_DX9 : CAPS_DX8;
}

unsigned caps_format_count(void)
{
    unsigned count = 0;
    while (caps_format(count))
        count++;
    return count;
}

const struct caps_format *caps_format(unsigned index)
{
    unsigned level = caps_level();
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (formats[i].operations && formats[i].level <= level && caps_vendor_has(formats[i].d3d_format) &&
            index-- == 0)
            return &formats[i];
    return NULL;
}

uint32_t caps_operations(const struct caps_format *format)
{
    return caps_level() >= CAPS_DX9 ? format->operations : format->operations & DX8_OPERATIONS;
}

const struct caps_format *caps_find_format(uint32_t d3d_format)
{
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (formats[i].d3d_format == d3d_format)
            return &formats[i];
    return NULL;
}

const struct caps_format *caps_match_format(const DDPIXELFORMAT *pixel_format)
{
    if (pixel_format->dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC))
        return caps_find_format(pixel_format->dwFourCC);
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (d3d_same_masks(&formats[i].legacy, pixel_format))
            return &formats[i];
    return NULL;
}

unsigned caps_texture_descs(DDSURFACEDESC *descs, unsigned capacity)
{
    unsigned count = 0;
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        if (!(formats[i].operations & D3DFORMAT_OP_TEXTURE) || formats[i].level > CAPS_DX7 ||
            formats[i].operations & D3DFORMAT_OP_ZSTENCIL) /* which DirectX 7 keeps apart */
            continue;
        if (count < capacity) {
            DDSURFACEDESC *desc = &descs[count];
            *desc = (DDSURFACEDESC){.dwSize = sizeof(*desc)};
            desc->dwFlags = DDSD_CAPS | DDSD_PIXELFORMAT;
            desc->ddsCaps.dwCaps = DDSCAPS_TEXTURE;
            desc->ddpfPixelFormat = formats[i].legacy;
        }
        count++;
    }
    return count;
}

unsigned caps_fourccs(DWORD *fourccs, unsigned capacity)
{
    unsigned count = 0;
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        if (!(formats[i].legacy.dwFlags & DDPF_FOURCC))
            continue;
        if (count < capacity)
            fourccs[count] = formats[i].legacy.dwFourCC;
        count++;
    }
    return count;
}

unsigned caps_depth_formats(DDPIXELFORMAT *list, unsigned capacity)
{
    unsigned count = 0;
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        if (!(formats[i].operations & D3DFORMAT_OP_ZSTENCIL) || formats[i].level > CAPS_DX7)
            continue;
        if (count < capacity)
            list[count] = formats[i].legacy;
        count++;
    }
    return count;
}

/* D3D_ROLE_*, for formats of the table. */
static unsigned format_roles(uint32_t d3d_format)
{
    switch (d3d_format) {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, roles, operations)                                                        \
    case (number):                                                                                                   \
        return roles;
#define VARIANT(number, name, layout, level, legacy, roles, operations) \
    case (number):                                                      \
        return roles;
#include "d3d/formats.def"
    default:
        return 0;
    }
}

/* Depth under a code of four letters, by which programs ask for a texture, or that programs lock: one value a pixel. */
static bool is_single_depth(const struct caps_format *format)
{
    return raster_format_info(format->format)->depth_bits &&
           (format->d3d_format > 0xFFFF || format_roles(format->d3d_format) & D3D_ROLE_LOCKABLE);
}

/* Colour targets whose channels fit 8 bits, the target without pixels that goes in their place, and the depth formats that go
 * with them: the same types for all, as the DDI wants it. A texture has no samples: programs that were told so of INTZ took it for
 * their depth buffer (doitsujin/dxvk#3017), while NULL had them on all cards (#5212). */
uint16_t caps_multisample_mask(const struct caps_format *format)
{
    const struct raster_format_info *info = raster_format_info(format->format);
    const uint16_t counts = 1 << (2 - 1) | 1 << (4 - 1) | 1 << (8 - 1) | 1 << (16 - 1);
    const bool colors = (info->bits[0] && info->bits[0] <= 8) || info->kind == RASTER_KIND_NULL;

    return info->is_target && (colors || info->depth_bits) && !is_single_depth(format) ? counts : 0;
}

uint32_t caps_quality_levels(uint32_t d3d_format, uint32_t type)
{
    const struct caps_format *format = caps_find_format(d3d_format);
    uint16_t mask = format ? caps_multisample_mask(format) : 0;
    if (!format || type > 16)
        return 0;
    if (type == 0)
        return 1;
    if (type == 1) /* nonmaskable: qualities 0, 1, ... are the counts that masks offer, in order */
        return (uint32_t)__builtin_popcount(mask);
    return mask >> (type - 1) & 1;
}
