/* SPDX-License-Identifier: MIT */
/*
 * Size and name of a vertex in a flexible vertex format. Bits: d3d8types.h D3DFVF_*; sizes:
 * docs/reference/command-stream.md, section 7.
 */
#include "dp2/dp2.h"
#include "dp2/names.h"

#include <inttypes.h>
#include <stdio.h>

#define FVF_RESERVED0       0x0001u /* set: a shader handle, not a format */
#define FVF_POSITION_MASK   0x000eu
#define FVF_NORMAL          0x0010u
#define FVF_PSIZE           0x0020u /* DX6/7: a pad of the same size */
#define FVF_DIFFUSE         0x0040u
#define FVF_SPECULAR        0x0080u
#define FVF_TEXCOUNT_SHIFT  8
#define FVF_TEXCOUNT_MASK   0x0f00u
#define FVF_FOG             0x2000u /* DX9's driver interface: a fog factor after the colours */
#define FVF_XYZW            0x4000u /* DX9, together with XYZ */
#define FVF_TEXFORMAT_SHIFT 16
#define FVF_MAX_TEXCOORDS   8u

/* XYZ, XYZRHW, then XYZB1..XYZB5, indexed by the position bits / 2. */
static const uint8_t position_size[8] = {0, 12, 16, 16, 20, 24, 28, 32};
/* D3DFVF_TEXTUREFORMAT2, 3, 4, 1 */
static const uint8_t texcoord_size[4] = {8, 12, 16, 4};

uint32_t dp2_fvf_size(uint32_t fvf)
{
    const uint32_t position = fvf & FVF_POSITION_MASK;
    const uint32_t texcoords = (fvf & FVF_TEXCOUNT_MASK) >> FVF_TEXCOUNT_SHIFT;
    uint32_t size = position_size[position / 2];

    if (fvf & FVF_RESERVED0 || texcoords > FVF_MAX_TEXCOORDS)
        return 0;
    if (fvf & FVF_XYZW) {
        if (position != 2)
            return 0;
        size = 16;
    }
    size += fvf & FVF_NORMAL ? 12 : 0;
    size += fvf & FVF_PSIZE ? 4 : 0;
    size += fvf & FVF_DIFFUSE ? 4 : 0;
    size += fvf & FVF_SPECULAR ? 4 : 0;
    size += fvf & FVF_FOG ? 4 : 0;
    for (uint32_t i = 0; i < texcoords; i++)
        size += texcoord_size[fvf >> (FVF_TEXFORMAT_SHIFT + 2 * i) & 3];
    return size;
}

const char *dp2_fvf_name(uint32_t fvf, char buffer[DP2_FVF_NAME])
{
    static const char *const position[8] = {"", "XYZ", "XYZRHW", "XYZB1", "XYZB2", "XYZB3", "XYZB4", "XYZB5"};
    const uint32_t named = FVF_POSITION_MASK | FVF_NORMAL | FVF_PSIZE | FVF_DIFFUSE | FVF_SPECULAR | FVF_FOG |
                           FVF_TEXCOUNT_MASK | FVF_XYZW;
    int length;

    if (fvf & FVF_RESERVED0 || !(fvf & FVF_POSITION_MASK))
        return NULL;
    length = snprintf(buffer, DP2_FVF_NAME, "%s%s%s%s%s%s%s", position[fvf >> 1 & 7], fvf & FVF_XYZW ? "|XYZW" : "",
                      fvf & FVF_NORMAL ? "|NORMAL" : "", fvf & FVF_PSIZE ? "|PSIZE" : "",
                      fvf & FVF_DIFFUSE ? "|DIFFUSE" : "", fvf & FVF_SPECULAR ? "|SPECULAR" : "",
                      fvf & FVF_FOG ? "|FOG" : "");
    if (fvf & FVF_TEXCOUNT_MASK) {
        length += snprintf(buffer + length, DP2_FVF_NAME - (size_t)length, "|TEX%" PRIu32,
                           (fvf & FVF_TEXCOUNT_MASK) >> FVF_TEXCOUNT_SHIFT);
    }
    if (fvf & ~named)
        snprintf(buffer + length, DP2_FVF_NAME - (size_t)length, "|0x%" PRIx32, fvf & ~named);
    return buffer;
}
