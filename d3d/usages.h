/* SPDX-License-Identifier: MIT */
/*
 * The meaning of a vertex element, or of a shader's input or output: D3DDECLUSAGE of d3d9types.h.
 */
#ifndef HALCYON_D3D_USAGES_H
#define HALCYON_D3D_USAGES_H

/* The names in the order of their numbers, as D3DDECLUSAGE and as shader assembly spell them. */
/* clang-format off */
#define D3D_USAGES(ROW)                                                                                           \
    ROW(POSITION, position) ROW(BLENDWEIGHT, blendweight) ROW(BLENDINDICES, blendindices) ROW(NORMAL, normal)     \
    ROW(PSIZE, psize) ROW(TEXCOORD, texcoord) ROW(TANGENT, tangent) ROW(BINORMAL, binormal)                       \
    ROW(TESSFACTOR, tessfactor) ROW(POSITIONT, positiont) ROW(COLOR, color) ROW(FOG, fog) ROW(DEPTH, depth)       \
    ROW(SAMPLE, sample)
/* clang-format on */

enum d3d_usage {
#define D3D_USAGE_ENUMERATOR(name, word) D3D_USAGE_##name,
    D3D_USAGES(D3D_USAGE_ENUMERATOR)
#undef D3D_USAGE_ENUMERATOR
        D3D_USAGE_COUNT,
};

#endif
