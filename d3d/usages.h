/* SPDX-License-Identifier: MIT */
/*
 * The meaning of a vertex element, or of a shader's input or output: D3DDECLUSAGE of d3d9types.h.
 */
#ifndef HALCYON_D3D_USAGES_H
#define HALCYON_D3D_USAGES_H

/* The names in the order of their numbers. */
/* clang-format off */
#define D3D_USAGES(ROW)                                                                            \
    ROW(POSITION) ROW(BLENDWEIGHT) ROW(BLENDINDICES) ROW(NORMAL) ROW(PSIZE) ROW(TEXCOORD)          \
    ROW(TANGENT) ROW(BINORMAL) ROW(TESSFACTOR) ROW(POSITIONT) ROW(COLOR) ROW(FOG) ROW(DEPTH)       \
    ROW(SAMPLE)
/* clang-format on */

enum d3d_usage {
#define D3D_USAGE_ENUMERATOR(name) D3D_USAGE_##name,
    D3D_USAGES(D3D_USAGE_ENUMERATOR)
#undef D3D_USAGE_ENUMERATOR
        D3D_USAGE_COUNT,
};

#endif
