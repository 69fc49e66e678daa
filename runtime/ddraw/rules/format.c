/* SPDX-License-Identifier: MIT */
/* Formats by masks, and the sizes of their rows. */
#include "runtime/ddraw/rules/format.h"

#include "base/base.h"
#include "d3d/pixel_format.h"
#include "runtime/common/driver/formats.h"

struct ddraw_format {
    uint32_t format;
    unsigned level; /* the version of DirectX that introduced it */
    DDPIXELFORMAT pixels;
};

#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, ...)                                                                      \
    {(number), level, D3D_LEGACY_##legacy(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)},
#define VARIANT(number, name, layout, level, legacy, ...) {(number), level, D3D_LEGACY_##legacy(number, 0)},
static const struct ddraw_format formats[] = {
#include "d3d/formats.def"
};

#define NEWEST_LEVEL 7 /* DirectDraw ends with DirectX 7 */

static bool is_described(const struct ddraw_format *row)
{
    return row->level <= NEWEST_LEVEL && row->pixels.dwFlags;
}

/* The masks that the emulation layer gives depth buffers of 24 bits, for which d3d/formats.def has only masks of 32 bits. */
static const DDPIXELFORMAT depth_24 = {
    .dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_ZBUFFER, .dwZBufferBitDepth = 24, .dwZBitMask = 0x00ffffff};

uint32_t ddraw_format_of(const DDPIXELFORMAT *given)
{
    DDPIXELFORMAT pixels = *given;

    if (pixels.dwFlags & DDPF_PALETTEINDEXED8)
        pixels.dwFlags |= DDPF_RGB; /* some programs leave it out */
    if (pixels.dwFlags & DDPF_ZBUFFER && !(pixels.dwFlags & DDPF_STENCILBUFFER))
        pixels.dwStencilBitDepth = pixels.dwStencilBitMask = 0; /* left from another format (test_surface_attachment) */
    if (d3d_same_masks(&depth_24, &pixels))
        return D3D_FORMAT_D24X8;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const DDPIXELFORMAT *row = &formats[i].pixels;

        if (!is_described(&formats[i]))
            continue;
        if (pixels.dwFlags & DDPF_FOURCC ? row->dwFlags & DDPF_FOURCC && row->dwFourCC == pixels.dwFourCC
                                         : d3d_same_masks(row, &pixels))
            return formats[i].format;
    }
    return D3D_FORMAT_UNKNOWN;
}

bool ddraw_format_describe(uint32_t format, DDPIXELFORMAT *pixels)
{
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++)
        if (formats[i].format == format && is_described(&formats[i])) {
            *pixels = formats[i].pixels;
            return true;
        }
    *pixels = (DDPIXELFORMAT){.dwSize = sizeof(*pixels)};
    return false;
}

uint32_t ddraw_format_of_depth(unsigned bits, DDPIXELFORMAT *pixels)
{
    static const struct {
        unsigned bits;
        uint32_t format;
    } depths[] = {{16, D3D_FORMAT_D16}, {24, D3D_FORMAT_D24X8}, {32, D3D_FORMAT_D32}};

    for (unsigned i = 0; i < ARRAY_COUNT(depths); i++)
        if (depths[i].bits == bits) {
            ddraw_format_describe(depths[i].format, pixels);
            if (bits == 24)
                *pixels = depth_24;
            return depths[i].format;
        }
    *pixels = (DDPIXELFORMAT){.dwSize = sizeof(*pixels)};
    return D3D_FORMAT_UNKNOWN;
}

uint32_t ddraw_format_of_mode(unsigned bits)
{
    switch (bits) {
    case 8:
        return D3D_FORMAT_P8;
    case 16:
        return D3D_FORMAT_R5G6B5;
    case 24:
        return D3D_FORMAT_R8G8B8;
    case 32:
        return D3D_FORMAT_X8R8G8B8;
    default:
        return D3D_FORMAT_UNKNOWN;
    }
}

unsigned ddraw_format_block_bytes(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info ? info->block_bytes : 0;
}

/* --- kinds ------------------------------------------------------------------------------ */

unsigned ddraw_format_bits(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info && info->block_width == 1 && info->block_height == 1 ? 8u * info->block_bytes : 0;
}

bool ddraw_format_is_depth(uint32_t format)
{
    return rt_format_is_depth(format);
}

bool ddraw_format_is_blocks(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info && info->flags & RT_FORMAT_BLOCKS;
}

bool ddraw_format_is_code(uint32_t format)
{
    DDPIXELFORMAT pixels;

    return ddraw_format_describe(format, &pixels) && pixels.dwFlags & DDPF_FOURCC;
}

bool ddraw_format_is_palette(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info && info->flags & RT_FORMAT_PALETTE;
}

bool ddraw_format_is_planar(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info && info->flags & RT_FORMAT_PLANAR;
}

SIZE ddraw_format_block(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    return info ? (SIZE){info->block_width, info->block_height} : (SIZE){1, 1};
}

/* --- sizes ------------------------------------------------------------------------------ */

uint64_t ddraw_row_bytes(uint32_t format, unsigned width)
{
    const struct rt_format *info = rt_format_info(format);

    return info ? ((uint64_t)width + info->block_width - 1) / info->block_width * info->block_bytes : 0;
}

unsigned ddraw_row_alignment(bool system_memory, unsigned pointer)
{
    return system_memory && pointer == 8 ? 4 : 8;
}

uint64_t ddraw_pitch(uint32_t format, unsigned width, bool system_memory, unsigned pointer)
{
    const uint64_t alignment = ddraw_row_alignment(system_memory, pointer);

    return (ddraw_row_bytes(format, width) + alignment - 1) & ~(alignment - 1);
}

uint64_t ddraw_linear_size(uint32_t format, unsigned width, unsigned height)
{
    const struct rt_format *info = rt_format_info(format);

    return info ? ddraw_row_bytes(format, width) * rt_format_rows(info, height) : 0;
}
