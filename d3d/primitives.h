/* SPDX-License-Identifier: MIT */
/* Primitives and their vertices. Source: d3d8types.h, D3DPRIMITIVETYPE. */
#ifndef HALCYON_D3D_PRIMITIVES_H
#define HALCYON_D3D_PRIMITIVES_H

#include <stdint.h>

/* D3DPRIMITIVETYPE */
enum d3d_primitive {
    D3D_POINTLIST = 1,
    D3D_LINELIST,
    D3D_LINESTRIP,
    D3D_TRIANGLELIST,
    D3D_TRIANGLESTRIP,
    D3D_TRIANGLEFAN,
};

/* The vertices, or indices, of `count` primitives: 0 if there is no such type. count is at most 2^62. */
static inline uint64_t d3d_vertices_of(uint32_t type, uint64_t count)
{
    switch (type) {
    case D3D_POINTLIST:
        return count;
    case D3D_LINELIST:
        return 2 * count;
    case D3D_LINESTRIP:
        return count + 1;
    case D3D_TRIANGLELIST:
        return 3 * count;
    case D3D_TRIANGLESTRIP:
    case D3D_TRIANGLEFAN:
        return count + 2;
    default:
        return 0;
    }
}

/* The whole primitives that `count` vertices make: 0 if there is no such type. */
static inline uint64_t d3d_primitives_of(uint32_t type, uint64_t count)
{
    switch (type) {
    case D3D_POINTLIST:
        return count;
    case D3D_LINELIST:
        return count / 2;
    case D3D_LINESTRIP:
        return count > 1 ? count - 1 : 0;
    case D3D_TRIANGLELIST:
        return count / 3;
    case D3D_TRIANGLESTRIP:
    case D3D_TRIANGLEFAN:
        return count > 2 ? count - 2 : 0;
    default:
        return 0;
    }
}

#endif
