/* SPDX-License-Identifier: MIT */
/*
 * The driver interface's view of the rows of formats.def: the values of their column `operations`, and their
 * description as DirectX 7 and earlier have it.
 */
#ifndef HALCYON_D3D_PIXEL_FORMAT_H
#define HALCYON_D3D_PIXEL_FORMAT_H

#include <stdbool.h>

#include "d3d/directdraw.h"
#include "d3d/driver_info.h"
#include "d3d/formats.h"

/* Sampled as 2D, cube and volume texture with mip levels, by vertex shaders too. */
#define OPS_TEXTURE                                                                                               \
    (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE | D3DFORMAT_OP_VOLUMETEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN | \
     D3DFORMAT_OP_VERTEXTEXTURE)
/* Block formats, for which Direct3D has neither volumes nor plain surfaces. */
#define OPS_TEXTURE_BLOCK (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_CUBETEXTURE)
/* Can be copied, but not sampled: no card had textures with three bytes per texel, and programs choose the first format
 * that is listed. */
#define OPS_PLAIN D3DFORMAT_OP_OFFSCREENPLAIN
/* 8-bit colours except for luminance: can also be sampled as sRGB (hal/pixel/sampler.c). */
#define OPS_TEXTURE_SRGB (OPS_TEXTURE | D3DFORMAT_OP_SRGBREAD)
/* 8 bits per channel: D3DRS_SRGBWRITEENABLE works. */
#define OPS_SRGB_WRITE D3DFORMAT_OP_SRGBWRITE
/* Pairs of texels, which blits convert to colours. */
#define OPS_YUV (D3DFORMAT_OP_TEXTURE | D3DFORMAT_OP_OFFSCREENPLAIN | D3DFORMAT_OP_CONVERT_TO_ARGB)
/* Planes of luma and chroma: the same, but not as a texture. */
#define OPS_PLANAR       (D3DFORMAT_OP_OFFSCREENPLAIN | D3DFORMAT_OP_CONVERT_TO_ARGB)
#define OPS_BUMP_TEXTURE (OPS_TEXTURE | D3DFORMAT_OP_BUMPMAP)
/* Render targets in any display mode; all of them are also textures whose levels are generated on demand. */
#define OPS_TARGET \
    (D3DFORMAT_OP_OFFSCREEN_RENDERTARGET | D3DFORMAT_OP_SAME_FORMAT_RENDERTARGET | D3DFORMAT_OP_AUTOGENMIPMAP)
#define OPS_MODE         (D3DFORMAT_OP_DISPLAYMODE | D3DFORMAT_OP_3DACCELERATION)
#define OPS_ALPHA_TARGET (OPS_TARGET | D3DFORMAT_OP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET)
#define OPS_NO_PIXELS    (D3DFORMAT_OP_OFFSCREEN_RENDERTARGET | D3DFORMAT_OP_TEXTURE)
/* Blits convert between all members; formats with fewer than five bits per colour must not be members. */
#define OPS_GROUP        D3DFORMAT_MEMBEROFGROUP_ARGB
#define OPS_DEPTH_TARGET (D3DFORMAT_OP_ZSTENCIL | D3DFORMAT_OP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH)
/* Depth formats that textures can read (by the FOURCCs of drivers of that time) or compare with. */
#define OPS_DEPTH_TEXTURE (OPS_DEPTH_TARGET | D3DFORMAT_OP_TEXTURE)

/* A field of `bits` bits, starting at bit `shift`. */
#define D3D_FIELD_MASK(bits, shift) ((bits) ? (uint32_t)((1ull << (bits)) - 1) << ((shift)&31) : 0u)

/*
 * Initialisers of a DDPIXELFORMAT, one per value of the column `legacy`. dwStencilBitDepth, dwZBitMask and
 * dwStencilBitMask share the fields of red, green and blue. dwFlags 0: DirectX 7 and earlier have no description.
 */
#define D3D_LEGACY(flags, bytes, m0, m1, m2, m3)                                                               \
    {                                                                                                          \
        .dwSize = sizeof(DDPIXELFORMAT), .dwFlags = (flags), .dwRGBBitCount = 8 * (bytes), .dwRBitMask = (m0), \
        .dwGBitMask = (m1), .dwBBitMask = (m2), .dwRGBAlphaBitMask = (m3)                                      \
    }
#define D3D_LEGACY_RGB(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil) \
    D3D_LEGACY(DDPF_RGB, bytes, D3D_FIELD_MASK(r, rs), D3D_FIELD_MASK(g, gs), D3D_FIELD_MASK(b, bs), 0)
#define D3D_LEGACY_ARGB(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)               \
    D3D_LEGACY(DDPF_RGB | DDPF_ALPHAPIXELS, bytes, D3D_FIELD_MASK(r, rs), D3D_FIELD_MASK(g, gs), \
               D3D_FIELD_MASK(b, bs), D3D_FIELD_MASK(a, as))
#define D3D_LEGACY_ALPHA(number, bytes, r, g, b, a, rs, ...) \
    D3D_LEGACY(DDPF_ALPHA, bytes, 0, 0, 0, D3D_FIELD_MASK(a, 0))
#define D3D_LEGACY_LUMINANCE(number, bytes, r, g, b, a, rs, ...) \
    D3D_LEGACY(DDPF_LUMINANCE, bytes, D3D_FIELD_MASK(r, rs), 0, 0, 0)
#define D3D_LEGACY_ALPHA_LUMINANCE(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil) \
    D3D_LEGACY(DDPF_LUMINANCE | DDPF_ALPHAPIXELS, bytes, D3D_FIELD_MASK(r, rs), 0, 0, D3D_FIELD_MASK(a, as))
#define D3D_LEGACY_PALETTE(number, bytes, ...) D3D_LEGACY(DDPF_RGB | DDPF_PALETTEINDEXED8, bytes, 0, 0, 0, 0)
#define D3D_LEGACY_ALPHA_PALETTE(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil) \
    D3D_LEGACY(DDPF_RGB | DDPF_PALETTEINDEXED8 | DDPF_ALPHAPIXELS, bytes, 0, 0, 0, D3D_FIELD_MASK(a, as))
#define D3D_LEGACY_DUDV(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil) \
    D3D_LEGACY(DDPF_BUMPDUDV, bytes, D3D_FIELD_MASK(r, rs), D3D_FIELD_MASK(g, gs), 0, 0)
#define D3D_LEGACY_DUDV_LUMINANCE(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)            \
    D3D_LEGACY(DDPF_BUMPDUDV | DDPF_BUMPLUMINANCE, bytes, D3D_FIELD_MASK(r, rs), D3D_FIELD_MASK(g, gs), \
               D3D_FIELD_MASK(b, bs), 0)
#define D3D_LEGACY_Z(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil) \
    D3D_LEGACY(DDPF_ZBUFFER, bytes, 0, D3D_FIELD_MASK(depth, 8 * (bytes) - (depth)), 0, 0)
#define D3D_LEGACY_Z_STENCIL(number, bytes, r, g, b, a, rs, gs, bs, as, depth, stencil)                         \
    D3D_LEGACY(DDPF_ZBUFFER | DDPF_STENCILBUFFER, bytes, stencil, D3D_FIELD_MASK(depth, 8 * (bytes) - (depth)), \
               D3D_FIELD_MASK(stencil, 0), 0)
#define D3D_LEGACY_CODE(number, ...)                                                  \
    {                                                                                 \
        .dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_FOURCC, .dwFourCC = (number) \
    }
#define D3D_LEGACY_NONE(...)            \
    {                                   \
        .dwSize = sizeof(DDPIXELFORMAT) \
    }

/* Does a surface described by masks have the format of the row? False for FOURCCs, which have no masks. */
static inline bool d3d_same_masks(const DDPIXELFORMAT *row, const DDPIXELFORMAT *given)
{
    const DWORD kinds = DDPF_RGB | DDPF_ALPHAPIXELS | DDPF_ALPHA | DDPF_PALETTEINDEXED8 | DDPF_ZBUFFER |
                        DDPF_STENCILBUFFER | DDPF_LUMINANCE | DDPF_BUMPDUDV | DDPF_BUMPLUMINANCE;

    if (!row->dwFlags || (row->dwFlags & DDPF_FOURCC))
        return false;
    if (row->dwFlags != (given->dwFlags & kinds) || row->dwRGBBitCount != given->dwRGBBitCount)
        return false;
    if (row->dwFlags & (DDPF_PALETTEINDEXED8 | DDPF_ALPHA))
        return true; /* the masks are meaningless */
    if (row->dwRBitMask != given->dwRBitMask || row->dwGBitMask != given->dwGBitMask ||
        row->dwBBitMask != given->dwBBitMask)
        return false;
    return !(row->dwFlags & DDPF_ALPHAPIXELS) || row->dwRGBAlphaBitMask == given->dwRGBAlphaBitMask;
}

#endif
