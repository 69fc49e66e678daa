/* SPDX-License-Identifier: MIT */
#include "runtime/common/formats.h"

#define COBJMACROS
#include <windows.h>
#include <d3d8.h>

#define PLAIN(name, bytes, flags)                                                                  \
    {                                                                                              \
        D3DFMT_##name, bytes, 1, 1, flags                                                          \
    }
#define DXT(name, bytes)                                                                           \
    {                                                                                              \
        D3DFMT_##name, bytes, 4, 4, RT_FORMAT_BLOCKS | RT_FORMAT_ALPHA                             \
    }

/* Sampler feedback maps (d3d/feedback.h) with square regions: opaque, a byte for 4x4 texels. */
#define FEEDBACK(digit)                                                                            \
    {MAKEFOURCC('F', 'M', digit, digit), 1, 4, 4, RT_FORMAT_VENDOR},                               \
    {                                                                                              \
        MAKEFOURCC('F', 'U', digit, digit), 1, 4, 4, RT_FORMAT_VENDOR                              \
    }

static const struct rt_format formats[] = {
    PLAIN(A8R8G8B8, 4, RT_FORMAT_ALPHA),
    PLAIN(X8R8G8B8, 4, 0),
    PLAIN(R5G6B5, 2, 0),
    PLAIN(X1R5G5B5, 2, 0),
    PLAIN(A1R5G5B5, 2, RT_FORMAT_ALPHA),
    PLAIN(A4R4G4B4, 2, RT_FORMAT_ALPHA),
    PLAIN(X4R4G4B4, 2, 0),
    PLAIN(R8G8B8, 3, 0),
    PLAIN(R3G3B2, 1, 0),
    PLAIN(A8, 1, RT_FORMAT_ALPHA),
    PLAIN(A8R3G3B2, 2, RT_FORMAT_ALPHA),
    PLAIN(A2B10G10R10, 4, RT_FORMAT_ALPHA),
    PLAIN(G16R16, 4, 0),
    PLAIN(A8P8, 2, RT_FORMAT_PALETTE | RT_FORMAT_ALPHA),
    PLAIN(P8, 1, RT_FORMAT_PALETTE),
    PLAIN(L8, 1, 0),
    PLAIN(A8L8, 2, RT_FORMAT_ALPHA),
    PLAIN(A4L4, 1, RT_FORMAT_ALPHA),
    PLAIN(V8U8, 2, 0),
    PLAIN(L6V5U5, 2, 0),
    PLAIN(X8L8V8U8, 4, 0),
    PLAIN(Q8W8V8U8, 4, 0),
    PLAIN(V16U16, 4, 0),
    PLAIN(W11V11U10, 4, 0),
    /* numbers of DirectX 9, which its header gives names */
    {32 /* A8B8G8R8 */, 4, 1, 1, RT_FORMAT_ALPHA},
    {33 /* X8B8G8R8 */, 4, 1, 1, 0},
    {35 /* A2R10G10B10 */, 4, 1, 1, RT_FORMAT_ALPHA},
    {36 /* A16B16G16R16 */, 8, 1, 1, RT_FORMAT_ALPHA},
    {81 /* L16 */, 2, 1, 1, 0},
    {82 /* D32F_LOCKABLE */, 4, 1, 1, RT_FORMAT_DEPTH | RT_FORMAT_LOCKABLE},
    {83 /* D24FS8 */, 4, 1, 1, RT_FORMAT_DEPTH | RT_FORMAT_STENCIL},
    {110 /* Q16W16V16U16 */, 8, 1, 1, 0},
    {111 /* R16F */, 2, 1, 1, 0},
    {112 /* G16R16F */, 4, 1, 1, 0},
    {113 /* A16B16G16R16F */, 8, 1, 1, RT_FORMAT_ALPHA},
    {114 /* R32F */, 4, 1, 1, 0},
    {115 /* G32R32F */, 8, 1, 1, 0},
    {116 /* A32B32G32R32F */, 16, 1, 1, RT_FORMAT_ALPHA},
    {117 /* CxV8U8 */, 2, 1, 1, 0},
    {MAKEFOURCC('R', 'G', 'B', 'G'), 4, 2, 1, 0},
    {MAKEFOURCC('G', 'R', 'G', 'B'), 4, 2, 1, 0},
    {MAKEFOURCC('N', 'U', 'L', 'L'), 1, 1, 1, 0},
    PLAIN(A2W10V10U10, 4, 0),
    {D3DFMT_UYVY, 4, 2, 1, 0},
    {D3DFMT_YUY2, 4, 2, 1, 0},
    DXT(DXT1, 8),
    DXT(DXT2, 16),
    DXT(DXT3, 16),
    DXT(DXT4, 16),
    DXT(DXT5, 16),
    /* Vendor formats: sizes need not be whole blocks. */
    {MAKEFOURCC('A', 'T', 'I', '1'), 8, 4, 4, RT_FORMAT_VENDOR},
    {MAKEFOURCC('A', 'T', 'I', '2'), 16, 4, 4, RT_FORMAT_VENDOR},
    PLAIN(D16_LOCKABLE, 2, RT_FORMAT_DEPTH | RT_FORMAT_LOCKABLE),
    PLAIN(D32, 4, RT_FORMAT_DEPTH),
    PLAIN(D15S1, 2, RT_FORMAT_DEPTH | RT_FORMAT_STENCIL),
    PLAIN(D24S8, 4, RT_FORMAT_DEPTH | RT_FORMAT_STENCIL),
    PLAIN(D16, 2, RT_FORMAT_DEPTH),
    PLAIN(D24X8, 4, RT_FORMAT_DEPTH),
    PLAIN(D24X4S4, 4, RT_FORMAT_DEPTH | RT_FORMAT_STENCIL),
    /* Depth that can be read as a texture. */
    {MAKEFOURCC('I', 'N', 'T', 'Z'), 4, 1, 1, RT_FORMAT_DEPTH | RT_FORMAT_STENCIL},
    {MAKEFOURCC('D', 'F', '1', '6'), 2, 1, 1, RT_FORMAT_DEPTH},
    {MAKEFOURCC('D', 'F', '2', '4'), 4, 1, 1, RT_FORMAT_DEPTH},
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

const struct rt_format *rt_format_info(uint32_t format)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

bool rt_format_is_depth(uint32_t format)
{
    const struct rt_format *info = rt_format_info(format);
    return info && (info->flags & RT_FORMAT_DEPTH);
}

size_t rt_format_pitch(const struct rt_format *format, unsigned width)
{
    size_t blocks = (width + format->block_width - 1) / format->block_width;
    return (blocks * format->block_bytes + 3) & ~(size_t)3;
}

unsigned rt_format_rows(const struct rt_format *format, unsigned height)
{
    return (height + format->block_height - 1) / format->block_height;
}

unsigned rt_format_memory_rows(const struct rt_format *format, unsigned height)
{
    return format->flags & RT_FORMAT_VENDOR ? height : rt_format_rows(format, height);
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
