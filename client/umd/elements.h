/* SPDX-License-Identifier: MIT */
/* Numbers of Direct3D 9 that vertex elements hold; its header excludes that of 8. */
#ifndef HALCYON_CLIENT_UMD_ELEMENTS_H
#define HALCYON_CLIENT_UMD_ELEMENTS_H

#define MOST_ELEMENTS 64 /* MAXD3DDECLLENGTH */

enum { TYPE_FLOAT1, TYPE_FLOAT2, TYPE_FLOAT3, TYPE_FLOAT4, TYPE_COLOR, TYPE_UBYTE4 }; /* D3DDECLTYPE */
enum { METHOD_CROSSUV = 3, METHOD_UV = 4 };                                           /* D3DDECLMETHOD */
enum {
    USAGE_POSITION,
    USAGE_WEIGHT,
    USAGE_INDICES,
    USAGE_NORMAL,
    USAGE_SIZE,
    USAGE_TEXCOORD,
    USAGE_POSITIONT = 9,
    USAGE_COLOR,
    USAGE_FOG
}; /* D3DDECLUSAGE */

#endif
