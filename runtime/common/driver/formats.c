/* SPDX-License-Identifier: MIT */
/* Formats of the API: sizes, kinds, and how DirectDraw describes them. */
#include "runtime/common/driver/formats.h"

#include "base/base.h"
#include "d3d/formats.h"
#include "d3d/planes.h"

#define COBJMACROS
#include <windows.h>
#include <d3d8.h>

/* Sampler feedback maps (d3d/feedback.h) with square regions: opaque, a byte for 4x4 texels. */
#define FEEDBACK(digit)                                                  \
    {MAKEFOURCC('F', 'M', digit, digit), 1, 4, 4, 8, RT_FORMAT_VENDOR},  \
    {                                                                    \
        MAKEFOURCC('F', 'U', digit, digit), 1, 4, 4, 8, RT_FORMAT_VENDOR \
    }

#define KIND_FLAGS(kind, stencil)                                                       \
    ((kind) == D3D_KIND_PALETTE ? RT_FORMAT_PALETTE                                     \
     : (kind) == D3D_KIND_DEPTH ? RT_FORMAT_DEPTH | ((stencil) ? RT_FORMAT_STENCIL : 0) \
                                : 0)
#define ROLE_FLAGS(roles)                                                                                            \
    (((roles)&D3D_ROLE_ALPHA ? RT_FORMAT_ALPHA : 0) | ((roles)&D3D_ROLE_LOCKABLE ? RT_FORMAT_LOCKABLE : 0) |         \
     ((roles)&D3D_ROLE_WHOLE_BLOCKS ? RT_FORMAT_BLOCKS : 0) |                                                        \
     ((roles)&D3D_ROLE_VENDOR ? RT_FORMAT_VENDOR | RT_FORMAT_BYTE_TEXELS : 0) |                                      \
     ((roles)&D3D_ROLE_ONLY_8 ? RT_FORMAT_ONLY_8 : 0) | ((roles)&D3D_ROLE_UNOFFERED_9 ? RT_FORMAT_UNOFFERED_9 : 0) | \
     ((roles)&D3D_ROLE_UNOFFERED_TEXTURE ? RT_FORMAT_UNOFFERED_TEXTURE : 0))
/* Unsigned colours and floats can be read, also in blocks and pairs; formats that can be written have single pixels.
 * Copies from or to the NULL format do nothing. */
#define COLOR_FLAGS(kind, type)                                                                       \
    ((kind) == D3D_KIND_PACKED || (kind) == D3D_KIND_NULL ||                                          \
             ((kind) == D3D_KIND_WIDE && ((type) == D3D_TYPE_UNORM || (type) == D3D_TYPE_FLOAT))      \
         ? RT_FORMAT_COLORS_FROM | RT_FORMAT_COLORS_TO                                                \
     : (kind) == D3D_KIND_BLOCK || (kind) == D3D_KIND_PAIR ? RT_FORMAT_COLORS_FROM                    \
     : (kind) == D3D_KIND_PLANAR                           ? RT_FORMAT_COLORS_FROM | RT_FORMAT_PLANAR \
                                                           : 0)
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, roles, operations)                                                        \
    {(number),                                                                                                       \
     bytes,                                                                                                          \
     width,                                                                                                          \
     height,                                                                                                         \
     level,                                                                                                          \
     KIND_FLAGS(D3D_KIND_##kind, stencil) | ROLE_FLAGS(roles) | COLOR_FLAGS(D3D_KIND_##kind, D3D_TYPE_##type)},
#define VARIANT_KIND(layout) (D3D_DEPTH_##layout ? D3D_KIND_DEPTH : D3D_KIND_BLOCK)
#define VARIANT(number, name, layout, level, legacy, roles, operations)           \
    {(number),                                                                    \
     D3D_BYTES_##layout,                                                          \
     D3D_WIDTH_##layout,                                                          \
     D3D_HEIGHT_##layout,                                                         \
     level,                                                                       \
     KIND_FLAGS(VARIANT_KIND(layout), D3D_STENCIL_##layout) | ROLE_FLAGS(roles) | \
         COLOR_FLAGS(VARIANT_KIND(layout), D3D_TYPE_UNORM)},

/* clang-format off */
static const struct rt_format formats[] = {
#include "d3d/formats.def"
    FEEDBACK('2'),
    FEEDBACK('3'),
    FEEDBACK('4'),
    FEEDBACK('5'),
    FEEDBACK('6'),
    FEEDBACK('7'),
    FEEDBACK('8'),
    FEEDBACK('9'),
    FEEDBACK('A'),
    FEEDBACK('B'),
};
/* clang-format on */

const struct rt_format *rt_format_info(uint32_t format)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (formats[i].format == format)
            return &formats[i];
    return NULL;
}

const struct rt_format *rt_format_of(unsigned level, uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);

    if (!info || (info->flags & RT_FORMAT_ONLY_8 && level != 8))
        return NULL;
    return info->level <= level || info->format > 0xFFFF ? info : NULL;
}

bool rt_format_is_depth(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);
    return info && (info->flags & RT_FORMAT_DEPTH);
}

uint64_t rt_format_pitch(const struct rt_format *format, unsigned width)
{
    uint64_t blocks = ((uint64_t)width + format->block_width - 1) / format->block_width;
    return (blocks * format->block_bytes + 3) & ~(uint64_t)3;
}

uint64_t rt_format_rows(const struct rt_format *format, unsigned height)
{
    if (format->flags & RT_FORMAT_PLANAR)
        return d3d_planar_rows(height);
    return ((uint64_t)height + format->block_height - 1) / format->block_height;
}

uint64_t rt_format_memory_rows(const struct rt_format *format, unsigned height)
{
    return format->flags & RT_FORMAT_VENDOR ? height : rt_format_rows(format, height);
}

uint64_t rt_format_lock_pitch(const struct rt_format *format, unsigned width, unsigned height)
{
    const uint64_t pitch = rt_format_pitch(format, width);
    uint64_t bytes;

    if (!(format->flags & RT_FORMAT_BYTE_TEXELS))
        return pitch;
    /* 2^30 rows of 2^30 blocks of 16 bytes are too many by one byte, but such rows are refused (driver/layout.h). */
    bytes = pitch * rt_format_rows(format, height);
    return (BASE_MAX(bytes / height + (bytes % height != 0), width) + 3) & ~(uint64_t)3;
}

uint32_t rt_format_without_alpha(uint32_t format)
{
    switch (format) {
    case D3DFMT_A8R8G8B8:
        return D3DFMT_X8R8G8B8;
    case D3DFMT_A1R5G5B5:
        return D3DFMT_X1R5G5B5;
    case D3DFMT_A4R4G4B4:
        return D3DFMT_X4R4G4B4;
    default:
        return format;
    }
}

unsigned rt_full_chain(unsigned width, unsigned height, unsigned depth)
{
    unsigned size = width, levels = 1;
    if (height > size)
        size = height;
    if (depth > size)
        size = depth;
    while (size >>= 1)
        levels++;
    return levels;
}
