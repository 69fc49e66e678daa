/* SPDX-License-Identifier: MIT */
/*
 * Every surface format the driver accepts, one row each. A DirectX 8 runtime gets the rows that have operations through
 * GetDriverInfo2 (GETFORMATCOUNT, GETFORMAT), older ones the masks through GLOBALDRIVERDATA and GUID_ZPixelFormats.
 * HALCYON_CAPS says how much is told. Meaning of the operation bits: docs/reference/driver-calls.md, section 10.
 */
#include "caps/caps.h"

#include <stddef.h>
#include <string.h>

#include "base/base.h"

/* Sampled as 2D, cube and volume texture with mip levels, by vertex shaders too. */
#define TEXTURE                                                                                    \
    (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE | D3DFORMAT_OP_VOLUMETEXTURE |                \
     D3DFORMAT_OP_OFFSCREENPLAIN | D3DFORMAT_OP_VERTEXTEXTURE)
/* Blocks that Direct3D knows no volumes of. */
#define TEXTURE_BLOCK                                                                              \
    (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN)
#define TEXTURE_FLAT (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN)
/* 8-bit colours: sampled as sRGB, too (raster_format_has_srgb). */
#define TEXTURE_SRGB (TEXTURE | D3DFORMAT_OP_SRGBREAD)
/* 8 bits a channel: D3DRS_SRGBWRITEENABLE works. */
#define SRGB_WRITE D3DFORMAT_OP_SRGBWRITE
/* Pairs of texels, which blits turn into colours. */
#define YUV  (TEXTURE_FLAT | D3DFORMAT_OP_CONVERT_TO_ARGB)
#define BUMP (TEXTURE | D3DFORMAT_OP_BUMPMAP)
/* Drawn to, whatever the display mode is. */
#define TARGET       (D3DFORMAT_OP_OFFSCREEN_RENDERTARGET | D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET)
#define MODE         (D3DFORMAT_OP_DISPLAYMODE | D3DFORMAT_OP_3DACCELERATION)
#define ALPHA_TARGET (TARGET | D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET)
/* Blits convert among all members; fewer than five bits of a colour must not be among them. */
#define GROUP D3DFORMAT_MEMBEROFGROUP_ARGB
#define DEPTH (D3DFORMAT_OP_ZSTENCIL | D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH)
/* Depth that textures can read (FOURCCs by which drivers of the time offered it) or compare with. */
#define DEPTH_TEXTURE (DEPTH | D3DFORMAT_OP_TEXTURE)
/* The operations that runtimes of DirectX 8 know: PIXELSIZE and all below it, OFFSCREENPLAIN, BUMPMAP. */
#define DX8_OPERATIONS 0x00015FFFu

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

/* level: of DirectX, from which on runtimes know the number. */
#define ROW(level, name, operations, ...)                                                          \
    {                                                                                              \
        D3DFMT_##name, RASTER_FORMAT_##name, level, operations, __VA_ARGS__                        \
    }
#define ROW_AS(level, name, raster, operations, ...)                                               \
    {                                                                                              \
        D3DFMT_##name, RASTER_FORMAT_##raster, level, operations, __VA_ARGS__                      \
    }

/* Sampler feedback maps (d3d/feedback.h): all sizes of regions are accepted, square ones listed. */
#define FEEDBACK(kind, w, h)                                                                       \
    {                                                                                              \
        MAKEFOURCC('F', kind, w, h), RASTER_FORMAT_FEEDBACK, 8,                                    \
            (w) == (h) ? D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE |                         \
                         D3DFORMAT_OP_VOLUMETEXTURE : 0, NO_LEGACY                                 \
    }
#define FEEDBACK_WIDTH(kind, w)                                                                    \
    FEEDBACK(kind, w, '2'), FEEDBACK(kind, w, '3'), FEEDBACK(kind, w, '4'),                        \
        FEEDBACK(kind, w, '5'), FEEDBACK(kind, w, '6'), FEEDBACK(kind, w, '7'),                    \
        FEEDBACK(kind, w, '8'), FEEDBACK(kind, w, '9'), FEEDBACK(kind, w, 'A'),                    \
        FEEDBACK(kind, w, 'B')
#define FEEDBACK_KIND(kind)                                                                        \
    FEEDBACK_WIDTH(kind, '2'), FEEDBACK_WIDTH(kind, '3'), FEEDBACK_WIDTH(kind, '4'),               \
        FEEDBACK_WIDTH(kind, '5'), FEEDBACK_WIDTH(kind, '6'), FEEDBACK_WIDTH(kind, '7'),           \
        FEEDBACK_WIDTH(kind, '8'), FEEDBACK_WIDTH(kind, '9'), FEEDBACK_WIDTH(kind, 'A'),           \
        FEEDBACK_WIDTH(kind, 'B')

/* Numbers that d3d8types.h lacks. */
enum {
    D3DFMT_A8B8G8R8 = 32,
    D3DFMT_X8B8G8R8 = 33,
    D3DFMT_A2R10G10B10 = 35,
    D3DFMT_A16B16G16R16 = 36,
    D3DFMT_L16 = 81,
    D3DFMT_D32F_LOCKABLE = 82,
    D3DFMT_D24FS8 = 83,
    D3DFMT_Q16W16V16U16 = 110,
    D3DFMT_R16F = 111,
    D3DFMT_G16R16F = 112,
    D3DFMT_A16B16G16R16F = 113,
    D3DFMT_R32F = 114,
    D3DFMT_G32R32F = 115,
    D3DFMT_A32B32G32R32F = 116,
    D3DFMT_CXV8U8 = 117,
    D3DFMT_R8G8_B8G8 = MAKEFOURCC('R', 'G', 'B', 'G'),
    D3DFMT_G8R8_G8B8 = MAKEFOURCC('G', 'R', 'G', 'B'),
    D3DFMT_ATI1 = MAKEFOURCC('A', 'T', 'I', '1'),
    D3DFMT_ATI2 = MAKEFOURCC('A', 'T', 'I', '2'),
    D3DFMT_INTZ = MAKEFOURCC('I', 'N', 'T', 'Z'),
    D3DFMT_DF16 = MAKEFOURCC('D', 'F', '1', '6'),
    D3DFMT_DF24 = MAKEFOURCC('D', 'F', '2', '4'),
    D3DFMT_NULL = MAKEFOURCC('N', 'U', 'L', 'L'),
};

/* clang-format off */
static const struct caps_format formats[] = {
    ROW(7, X8R8G8B8, TEXTURE_SRGB | SRGB_WRITE | TARGET | MODE | GROUP, XRGB(32, 0xFF0000, 0xFF00, 0xFF)),
    ROW(7, A8R8G8B8, TEXTURE_SRGB | SRGB_WRITE | ALPHA_TARGET | GROUP, ARGB(32, 0xFF000000, 0xFF0000, 0xFF00, 0xFF)),
    ROW(7, R5G6B5,   TEXTURE_SRGB | TARGET | MODE | GROUP, XRGB(16, 0xF800, 0x7E0, 0x1F)),
    ROW(7, X1R5G5B5, TEXTURE_SRGB | TARGET | MODE | GROUP, XRGB(16, 0x7C00, 0x3E0, 0x1F)),
    ROW(7, A1R5G5B5, TEXTURE_SRGB | ALPHA_TARGET | GROUP, ARGB(16, 0x8000, 0x7C00, 0x3E0, 0x1F)),
    ROW(7, A4R4G4B4, TEXTURE_SRGB | ALPHA_TARGET, ARGB(16, 0xF000, 0xF00, 0xF0, 0xF)),
    ROW(7, X4R4G4B4, TEXTURE_SRGB | TARGET, XRGB(16, 0xF00, 0xF0, 0xF)),
    ROW(7, R8G8B8,   TEXTURE_SRGB, XRGB(24, 0xFF0000, 0xFF00, 0xFF)),
    ROW(7, R3G3B2,   TEXTURE_SRGB, XRGB(8, 0xE0, 0x1C, 0x3)),
    ROW(7, A8R3G3B2, TEXTURE_SRGB, ARGB(16, 0xFF00, 0xE0, 0x1C, 0x3)),
    ROW(9, A8B8G8R8, TEXTURE_SRGB | SRGB_WRITE | TARGET, ARGB(32, 0xFF000000, 0xFF, 0xFF00, 0xFF0000)),
    ROW(9, X8B8G8R8, TEXTURE_SRGB | SRGB_WRITE | TARGET, XRGB(32, 0xFF, 0xFF00, 0xFF0000)),
    ROW(8, A2B10G10R10, TEXTURE | TARGET, ARGB(32, 0xC0000000, 0x3FF, 0xFFC00, 0x3FF00000)),
    ROW(9, A2R10G10B10, TEXTURE | TARGET | GROUP, ARGB(32, 0xC0000000, 0x3FF00000, 0xFFC00, 0x3FF)),
    ROW(8, G16R16,   TEXTURE | TARGET, XRGB(32, 0xFFFF, 0xFFFF0000, 0)),
    ROW(9, A16B16G16R16, TEXTURE | TARGET, NO_LEGACY),
    ROW(9, R16F,     TEXTURE | TARGET, NO_LEGACY),
    ROW(9, G16R16F,  TEXTURE | TARGET, NO_LEGACY),
    ROW(9, A16B16G16R16F, TEXTURE | TARGET, NO_LEGACY),
    ROW(9, R32F,     TEXTURE | TARGET, NO_LEGACY),
    ROW(9, G32R32F,  TEXTURE | TARGET, NO_LEGACY),
    ROW(9, A32B32G32R32F, TEXTURE | TARGET, NO_LEGACY),
    ROW(7, A8,       TEXTURE, LEGACY(DDPF_ALPHA, 8, 0, 0, 0, 0xFF)),
    ROW(7, L8,       TEXTURE_SRGB, LUMINANCE(8, 0xFF)),
    ROW(7, A8L8,     TEXTURE_SRGB, ALPHA_LUMINANCE(16, 0xFF00, 0xFF)),
    ROW(7, A4L4,     TEXTURE_SRGB, ALPHA_LUMINANCE(8, 0xF0, 0xF)),
    ROW(9, L16,      TEXTURE, LUMINANCE(16, 0xFFFF)),
    ROW(7, P8,       TEXTURE_SRGB, LEGACY(DDPF_RGB | DDPF_PALETTEINDEXED8, 8, 0, 0, 0, 0)),
    ROW(7, A8P8,     TEXTURE_SRGB,
        LEGACY(DDPF_RGB | DDPF_PALETTEINDEXED8 | DDPF_ALPHAPIXELS, 16, 0, 0, 0, 0xFF00)),
    ROW(7, V8U8,     BUMP, BUMP_DUDV(16, 0xFF, 0xFF00)),
    ROW(7, L6V5U5,   BUMP, BUMP_LUMINANCE(16, 0x1F, 0x3E0, 0xFC00)),
    ROW(7, X8L8V8U8, BUMP, BUMP_LUMINANCE(32, 0xFF, 0xFF00, 0xFF0000)),
    ROW(8, Q8W8V8U8, BUMP, NO_LEGACY),
    ROW(8, V16U16,   BUMP, BUMP_DUDV(32, 0xFFFF, 0xFFFF0000)),
    ROW(8, W11V11U10, BUMP, NO_LEGACY),
    ROW(8, A2W10V10U10, BUMP, NO_LEGACY),
    ROW(9, Q16W16V16U16, BUMP, NO_LEGACY),
    ROW(9, CXV8U8,   BUMP, NO_LEGACY),
    ROW(7, DXT1,     TEXTURE_SRGB, FOURCC(D3DFMT_DXT1)),
    ROW_AS(7, DXT2, DXT3, TEXTURE_SRGB, FOURCC(D3DFMT_DXT2)),
    ROW(7, DXT3,     TEXTURE_SRGB, FOURCC(D3DFMT_DXT3)),
    ROW_AS(7, DXT4, DXT5, TEXTURE_SRGB, FOURCC(D3DFMT_DXT4)),
    ROW(7, DXT5,     TEXTURE_SRGB, FOURCC(D3DFMT_DXT5)),
    ROW(8, ATI1,     TEXTURE_BLOCK, NO_LEGACY),
    ROW(8, ATI2,     TEXTURE_BLOCK, NO_LEGACY),
    ROW(7, UYVY,     YUV, FOURCC(D3DFMT_UYVY)),
    ROW(7, YUY2,     YUV, FOURCC(D3DFMT_YUY2)),
    ROW(9, R8G8_B8G8, YUV, NO_LEGACY),
    ROW(9, G8R8_G8B8, YUV, NO_LEGACY),
    /* textures of it are black to those who read them */
    ROW(9, NULL,     D3DFORMAT_OP_OFFSCREEN_RENDERTARGET | D3DFORMAT_OP_TEXTURE, NO_LEGACY),
    ROW(7, D16,      DEPTH_TEXTURE, Z(16, 0xFFFF)),
    ROW_AS(8, D16_LOCKABLE, D16, DEPTH, NO_LEGACY),
    ROW(7, D15S1,    DEPTH, Z_STENCIL(16, 1, 0xFFFE, 0x1)),
    ROW(7, D24S8,    DEPTH_TEXTURE, Z_STENCIL(32, 8, 0xFFFFFF00, 0xFF)),
    ROW(7, D24X8,    DEPTH_TEXTURE, Z(32, 0xFFFFFF00)),
    ROW(7, D24X4S4,  DEPTH, Z_STENCIL(32, 4, 0xFFFFFF00, 0xF)),
    /* No card of the time had it, and programs count on that (Wine's test_check_device_format). */
    ROW(7, D32,      0, Z(32, 0xFFFFFFFF)),
    ROW_AS(9, D32F_LOCKABLE, D32F, DEPTH, NO_LEGACY),
    ROW(9, D24FS8,   DEPTH, NO_LEGACY),
    ROW_AS(9, INTZ, D24S8, DEPTH_TEXTURE, NO_LEGACY),
    ROW_AS(9, DF16, D16, DEPTH_TEXTURE, NO_LEGACY),
    ROW_AS(9, DF24, D24X8, DEPTH_TEXTURE, NO_LEGACY),
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
        if (formats[i].operations && formats[i].level <= level && index-- == 0)
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
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (same_layout(&formats[i].legacy, pixel_format))
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

/* Colour targets whose channels fit 8 bits, and the depth formats that go with them: the same types
 * for both, as the DDI wants it. */
uint16_t caps_multisample_mask(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    const uint16_t counts = 1 << (2 - 1) | 1 << (4 - 1) | 1 << (8 - 1) | 1 << (16 - 1);
    bool narrow = info->bits[0] && info->bits[0] <= 8;
    return info->is_target && (info->depth_bits || narrow) ? counts : 0;
}

uint32_t caps_quality_levels(uint32_t d3d_format, uint32_t type)
{
    const struct caps_format *format = caps_find_format(d3d_format);
    uint16_t mask = format ? caps_multisample_mask(format->format) : 0;
    if (!format || type > 16)
        return 0;
    if (type == 0)
        return 1;
    if (type == 1) /* nonmaskable: qualities 0, 1, ... are the counts that masks offer, in order */
        return (uint32_t)__builtin_popcount(mask);
    return mask >> (type - 1) & 1;
}
