/* SPDX-License-Identifier: MIT */
/*
 * Every surface format the driver accepts, one row each. A DirectX 8 runtime gets the rows that
 * have operations through GetDriverInfo2 (GETFORMATCOUNT, GETFORMAT), older ones the masks through
 * GLOBALDRIVERDATA and GUID_ZPixelFormats. Meaning of the operation bits: ddi.md section 5.4.
 */
#include "caps/caps.h"

#include <stddef.h>

/* Sampled as 2D, cube and volume texture with mip levels. */
#define TEXTURE                                                                                    \
    (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE | D3DFORMAT_OP_VOLUMETEXTURE |                \
     D3DFORMAT_OP_OFFSCREENPLAIN)
/* Blocks and pairs of texels have no volume form here. */
#define TEXTURE_BLOCK                                                                              \
    (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN)
#define TEXTURE_FLAT (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN)
#define BUMP         (TEXTURE | D3DFORMAT_OP_BUMPMAP)
/* Drawn to, whatever the display mode is. */
#define TARGET       (D3DFORMAT_OP_OFFSCREEN_RENDERTARGET | D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET)
#define MODE         (D3DFORMAT_OP_DISPLAYMODE | D3DFORMAT_OP_3DACCELERATION)
#define ALPHA_TARGET (TARGET | D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET)
#define DEPTH        (D3DFORMAT_OP_ZSTENCIL | D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH)

#define LEGACY(flags, bits, m0, m1, m2, m3)                                                        \
    {                                                                                              \
        .dwSize = sizeof(DDPIXELFORMAT), .dwFlags = (flags), .dwRGBBitCount = (bits),              \
        .dwRBitMask = (m0), .dwGBitMask = (m1), .dwBBitMask = (m2), .dwRGBAlphaBitMask = (m3)      \
    }
#define XRGB(bits, r, g, b)         LEGACY(DDPF_RGB, bits, r, g, b, 0)
#define ARGB(bits, a, r, g, b)      LEGACY(DDPF_RGB | DDPF_ALPHAPIXELS, bits, r, g, b, a)
#define LUMINANCE(bits, l)          LEGACY(DDPF_LUMINANCE, bits, l, 0, 0, 0)
#define ALPHA_LUMINANCE(bits, a, l) LEGACY(DDPF_LUMINANCE | DDPF_ALPHAPIXELS, bits, l, 0, 0, a)
#define BUMP_DUDV(bits, du, dv)     LEGACY(DDPF_BUMPDUDV, bits, du, dv, 0, 0)
#define BUMP_LUMINANCE(bits, du, dv, l)                                                            \
    LEGACY(DDPF_BUMPDUDV | DDPF_BUMPLUMINANCE, bits, du, dv, l, 0)
#define FOURCC(code)                                                                               \
    {                                                                                              \
        .dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_FOURCC, .dwFourCC = (code)                \
    }
/* dwStencilBitDepth, dwZBitMask, dwStencilBitMask share the fields of R, G and B. */
#define Z(bits, mask) LEGACY(DDPF_ZBUFFER, bits, 0, mask, 0, 0)
#define Z_STENCIL(bits, stencil_bits, mask, stencil_mask)                                          \
    LEGACY(DDPF_ZBUFFER | DDPF_STENCILBUFFER, bits, stencil_bits, mask, stencil_mask, 0)
#define NO_LEGACY                                                                                  \
    {                                                                                              \
        .dwSize = sizeof(DDPIXELFORMAT)                                                            \
    }

#define ROW(name, operations, ...)                                                                 \
    {                                                                                              \
        D3DFMT_##name, RASTER_FORMAT_##name, operations, __VA_ARGS__                         \
    }
#define ROW_AS(name, raster, operations, ...)                                                      \
    {                                                                                              \
        D3DFMT_##name, RASTER_FORMAT_##raster, operations, __VA_ARGS__                       \
    }

/* clang-format off */
static const struct caps_format formats[] = {
    ROW(X8R8G8B8, TEXTURE | TARGET | MODE, XRGB(32, 0xFF0000, 0xFF00, 0xFF)),
    ROW(A8R8G8B8, TEXTURE | ALPHA_TARGET, ARGB(32, 0xFF000000, 0xFF0000, 0xFF00, 0xFF)),
    ROW(R5G6B5,   TEXTURE | TARGET | MODE, XRGB(16, 0xF800, 0x7E0, 0x1F)),
    ROW(X1R5G5B5, TEXTURE | TARGET | MODE, XRGB(16, 0x7C00, 0x3E0, 0x1F)),
    ROW(A1R5G5B5, TEXTURE | ALPHA_TARGET, ARGB(16, 0x8000, 0x7C00, 0x3E0, 0x1F)),
    ROW(A4R4G4B4, TEXTURE | ALPHA_TARGET, ARGB(16, 0xF000, 0xF00, 0xF0, 0xF)),
    ROW(X4R4G4B4, TEXTURE | TARGET, XRGB(16, 0xF00, 0xF0, 0xF)),
    ROW(R8G8B8,   TEXTURE, XRGB(24, 0xFF0000, 0xFF00, 0xFF)),
    ROW(R3G3B2,   TEXTURE, XRGB(8, 0xE0, 0x1C, 0x3)),
    ROW(A8R3G3B2, TEXTURE, ARGB(16, 0xFF00, 0xE0, 0x1C, 0x3)),
    ROW(A8,       TEXTURE, LEGACY(DDPF_ALPHA, 8, 0, 0, 0, 0xFF)),
    ROW(L8,       TEXTURE, LUMINANCE(8, 0xFF)),
    ROW(A8L8,     TEXTURE, ALPHA_LUMINANCE(16, 0xFF00, 0xFF)),
    ROW(A4L4,     TEXTURE, ALPHA_LUMINANCE(8, 0xF0, 0xF)),
    ROW(P8,       TEXTURE, LEGACY(DDPF_RGB | DDPF_PALETTEINDEXED8, 8, 0, 0, 0, 0)),
    ROW(A8P8,     TEXTURE,
        LEGACY(DDPF_RGB | DDPF_PALETTEINDEXED8 | DDPF_ALPHAPIXELS, 16, 0, 0, 0, 0xFF00)),
    ROW(V8U8,     BUMP, BUMP_DUDV(16, 0xFF, 0xFF00)),
    ROW(L6V5U5,   BUMP, BUMP_LUMINANCE(16, 0x1F, 0x3E0, 0xFC00)),
    ROW(X8L8V8U8, BUMP, BUMP_LUMINANCE(32, 0xFF, 0xFF00, 0xFF0000)),
    ROW(Q8W8V8U8, BUMP, NO_LEGACY),
    ROW(DXT1,     TEXTURE_BLOCK, FOURCC(D3DFMT_DXT1)),
    ROW_AS(DXT2, DXT3, TEXTURE_BLOCK, FOURCC(D3DFMT_DXT2)),
    ROW(DXT3,     TEXTURE_BLOCK, FOURCC(D3DFMT_DXT3)),
    ROW_AS(DXT4, DXT5, TEXTURE_BLOCK, FOURCC(D3DFMT_DXT4)),
    ROW(DXT5,     TEXTURE_BLOCK, FOURCC(D3DFMT_DXT5)),
    ROW(UYVY,     TEXTURE_FLAT, FOURCC(D3DFMT_UYVY)),
    ROW(YUY2,     TEXTURE_FLAT, FOURCC(D3DFMT_YUY2)),
    ROW(D16,      DEPTH, Z(16, 0xFFFF)),
    ROW_AS(D16_LOCKABLE, D16, DEPTH, NO_LEGACY),
    ROW(D15S1,    DEPTH, Z_STENCIL(16, 1, 0xFFFE, 0x1)),
    ROW(D24S8,    DEPTH, Z_STENCIL(32, 8, 0xFFFFFF00, 0xFF)),
    ROW(D24X8,    DEPTH, Z(32, 0xFFFFFF00)),
    ROW(D24X4S4,  DEPTH, Z_STENCIL(32, 4, 0xFFFFFF00, 0xF)),
    /* No card of the time had it, and Windows programs count on that (Wine's test_check_device_format). */
    ROW(D32,      0, Z(32, 0xFFFFFFFF)),
};
/* clang-format on */

unsigned caps_format_count(void)
{
    return sizeof(formats) / sizeof(formats[0]);
}

const struct caps_format *caps_format(unsigned index)
{
    return index < caps_format_count() ? &formats[index] : NULL;
}

const struct caps_format *caps_find_format(uint32_t d3d_format)
{
    for (unsigned i = 0; i < caps_format_count(); i++)
        if (formats[i].d3d_format == d3d_format)
            return &formats[i];
    return NULL;
}

static bool same_layout(const DDPIXELFORMAT *row, const DDPIXELFORMAT *given)
{
    const DWORD kinds = DDPF_RGB | DDPF_ALPHAPIXELS | DDPF_ALPHA | DDPF_PALETTEINDEXED8 |
                        DDPF_ZBUFFER | DDPF_STENCILBUFFER | DDPF_LUMINANCE | DDPF_BUMPDUDV |
                        DDPF_BUMPLUMINANCE;
    if (!row->dwFlags || (row->dwFlags & DDPF_FOURCC))
        return false;
    if (row->dwFlags != (given->dwFlags & kinds) || row->dwRGBBitCount != given->dwRGBBitCount)
        return false;
    if (row->dwFlags & (DDPF_PALETTEINDEXED8 | DDPF_ALPHA))
        return true; /* the masks say nothing */
    if (row->dwRBitMask != given->dwRBitMask || row->dwGBitMask != given->dwGBitMask ||
        row->dwBBitMask != given->dwBBitMask)
        return false;
    return !(row->dwFlags & DDPF_ALPHAPIXELS) || row->dwRGBAlphaBitMask == given->dwRGBAlphaBitMask;
}

const struct caps_format *caps_match_format(const DDPIXELFORMAT *pixel_format)
{
    if (pixel_format->dwFlags & (DDPF_D3DFORMAT | DDPF_FOURCC))
        return caps_find_format(pixel_format->dwFourCC);
    for (unsigned i = 0; i < caps_format_count(); i++)
        if (same_layout(&formats[i].legacy, pixel_format))
            return &formats[i];
    return NULL;
}

unsigned caps_texture_descs(DDSURFACEDESC *descs, unsigned capacity)
{
    unsigned count = 0;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        if (!(formats[i].operations & D3DFORMAT_OP_TEXTURE) || !formats[i].legacy.dwFlags)
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

unsigned caps_depth_formats(DDPIXELFORMAT *list, unsigned capacity)
{
    unsigned count = 0;
    for (unsigned i = 0; i < caps_format_count(); i++) {
        if (!(formats[i].operations & D3DFORMAT_OP_ZSTENCIL) || !formats[i].legacy.dwFlags)
            continue;
        if (count < capacity)
            list[count] = formats[i].legacy;
        count++;
    }
    return count;
}

/* Colour targets whose channels fit 8 bits, and the depth formats that go with them: the same types
 * for both, as the DDI wants it. */
uint16_t caps_multisample_mask(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    const uint16_t counts = 1 << (2 - 1) | 1 << (4 - 1) | 1 << (8 - 1) | 1 << (16 - 1);
    bool narrow = info->bits[0] && info->bits[0] <= 8;
    return info->is_target && (info->depth_bits || narrow) ? counts : 0;
}
