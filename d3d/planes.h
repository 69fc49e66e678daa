/* SPDX-License-Identifier: MIT */
/*
 * Memory of surfaces of kind PLANAR (formats.def): rows of luma, one byte per texel, `pitch` bytes apart; after the
 * last of them the chroma, one sample per 2x2 texels; an odd last column or row has samples of its own. YV12 has a
 * plane of V and one of U, with half the pitch; NV12 has one whose samples are U and V ("Recommended 8-Bit YUV Formats
 * for Video Rendering" of the Windows documentation; Wine's yuv_layout_test). Needs no other header.
 */
#ifndef HALCYON_D3D_PLANES_H
#define HALCYON_D3D_PLANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define D3D_MOST_PLANES 3

struct d3d_plane {
    size_t offset, pitch; /* bytes: from the start of the surface; between its rows */
    unsigned side;        /* a sample covers side x side texels */
    unsigned bytes;       /* per sample */
};

/* The number of samples for this many texels. */
static inline unsigned d3d_plane_samples(const struct d3d_plane *plane, unsigned texels)
{
    return texels / plane->side + (texels % plane->side != 0);
}

/* The total number of rows of `pitch` bytes in a surface, for any layout. */
static inline uint64_t d3d_planar_rows(unsigned height)
{
    return (uint64_t)height + height / 2 + height % 2;
}

/* Fills in the planes and returns their number: luma, then V and U, or U and V interleaved. `pitch`: at least the
 * width, rounded up to an even number. `height`: texels. */
static inline unsigned d3d_planes_of(bool interleaved, size_t pitch, unsigned height,
                                     struct d3d_plane plane[D3D_MOST_PLANES])
{
    const size_t luma = pitch * height, rows = height / 2 + height % 2;

    plane[0] = (struct d3d_plane){0, pitch, 1, 1};
    if (interleaved) {
        plane[1] = (struct d3d_plane){luma, pitch, 2, 2};
        return 2;
    }
    plane[1] = (struct d3d_plane){luma, pitch / 2, 2, 1};
    plane[2] = (struct d3d_plane){luma + pitch / 2 * rows, pitch / 2, 2, 1};
    return 3;
}

#endif
