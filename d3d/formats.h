/* SPDX-License-Identifier: MIT */
/*
 * The numbers of formats.def: D3DFORMAT with names that no Windows header declares, sizes of texels, and the values of
 * the table's columns. Needs no other header.
 */
#ifndef HALCYON_D3D_FORMATS_H
#define HALCYON_D3D_FORMATS_H

#define D3D_CODE(a, b, c, d)                                                                                 \
    ((unsigned)(unsigned char)(a) | (unsigned)(unsigned char)(b) << 8 | (unsigned)(unsigned char)(c) << 16 | \
     (unsigned)(unsigned char)(d) << 24)

/* D3DFORMAT */
enum d3d_format {
    D3D_FORMAT_UNKNOWN,
#define FORMAT(number, name, ...)  D3D_FORMAT_##name = (number),
#define VARIANT(number, name, ...) D3D_FORMAT_##name = (number),
#define NUMBER(number, name, ...)  D3D_FORMAT_##name = (number),
#include "d3d/formats.def"
};

/* By layout: bytes of a block, its sides in texels, bits of depth and stencil. For rows with VARIANT. */
enum {
#define FORMAT(number, name, layout, level, legacy, kind, type, width, height, bytes, target, alpha, r, g, b, a, rs, \
               gs, bs, as, depth, stencil, ...)                                                                      \
    D3D_BYTES_##layout = (bytes), D3D_WIDTH_##layout = (width), D3D_HEIGHT_##layout = (height),                      \
    D3D_DEPTH_##layout = (depth), D3D_STENCIL_##layout = (stencil),
#include "d3d/formats.def"
};

/* The columns `kind` and `type`, for files that do not include the rasterizer's. */
enum d3d_format_kind {
    D3D_KIND_PACKED,
    D3D_KIND_PALETTE,
    D3D_KIND_SIGNED,
    D3D_KIND_BLOCK,
    D3D_KIND_PAIR,
    D3D_KIND_PLANAR,
    D3D_KIND_WIDE,
    D3D_KIND_NULL,
    D3D_KIND_DEPTH,
};
enum d3d_channel_type {
    D3D_TYPE_UNORM,
    D3D_TYPE_SNORM,
    D3D_TYPE_SNORM_UNORM_ALPHA,
    D3D_TYPE_FLOAT,
};

/* Properties of a format that concern only the API. */
enum d3d_format_role {
    D3D_ROLE_ALPHA = 1,        /* has an alpha channel */
    D3D_ROLE_LOCKABLE = 2,     /* depth that may be locked */
    D3D_ROLE_WHOLE_BLOCKS = 4, /* sizes must be whole blocks (DXTn) */
    D3D_ROLE_VENDOR = 8,       /* blocks unknown to the runtime: it counts rows of texels; all lockable */
    D3D_ROLE_ONLY_8 = 16,      /* version 9 of the API does not have it */
    /* The API does not offer these, because no card did, so programs that ask for them were never tested with a
     * positive answer. docs/texturing.md has the evidence. */
    D3D_ROLE_UNOFFERED_9 = 32,       /* ... in version 9, but creates them for programs that do not ask */
    D3D_ROLE_UNOFFERED_TEXTURE = 64, /* ... as textures, and does not create any; plain surfaces are offered */
};

#endif
