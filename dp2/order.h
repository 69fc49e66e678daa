/* SPDX-License-Identifier: MIT */
/*
 * Commands to the driver encoded as values of D3DRS_POINTSIZE (docs/extensions.md): the state keeps its previous size.
 */
#ifndef HALCYON_DP2_ORDER_H
#define HALCYON_DP2_ORDER_H

#include "d3d/bindings.h"
#include "d3d/states.h"

#include <stdbool.h>
#include <stdint.h>

#define DP2_STATE_POINT_SIZE ((uint32_t)D3D_RS_POINTSIZE)

enum dp2_order_kind {
    DP2_ORDER_NONE,      /* a size, or another state */
    DP2_ORDER_SETTING,   /* lasts until another command ends it */
    DP2_ORDER_COPIES,    /* changes contents of surfaces immediately */
    DP2_ORDER_BIND_MAP,  /* the stage's texture becomes its feedback map, in the mode `value` */
    DP2_ORDER_CLAMP_MAP, /* `value`: the stage's finest level of requests, bits of a float */
};

struct dp2_order {
    enum dp2_order_kind kind;
    uint32_t stage; /* as TEXTURESTAGESTATE numbers it: vertex textures from 257 */
    uint32_t value;
};

static inline bool dp2_order_sampler(uint32_t letter, uint32_t *number)
{
    if (letter >= '0' && letter <= '9')
        *number = letter - '0';
    else if (letter >= 'a' && letter <= 'f')
        *number = letter - 'a' + 10;
    else if (letter >= 'v' && letter <= 'y')
        *number = letter - 'v' + 16;
    else
        return false;
    return true;
}

static inline bool dp2_order_letters(uint32_t value)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const uint32_t letter = value >> shift & 0xff;

        if (!(letter >= '0' && letter <= '9') && !(letter >= 'A' && letter <= 'Z'))
            return false;
    }
    return true;
}

/* d3d/feedback.h: 'S', 'F', command, sampler; 'S', 'M', level, sampler. */
static inline struct dp2_order dp2_order_of(uint32_t state, uint32_t value)
{
    struct dp2_order order = {DP2_ORDER_NONE, 0, 0};
    const uint32_t what = value >> 16 & 0xff;
    uint32_t sampler, level;

    if (state != DP2_STATE_POINT_SIZE)
        return order;
    if (value == 0x7fa05000) { /* RESZ: depth into the texture of sampler 0 */
        order.kind = DP2_ORDER_COPIES;
        return order;
    }
    order.kind = dp2_order_letters(value) ? DP2_ORDER_SETTING : DP2_ORDER_NONE;
    if ((value & 0xff) != 'S' || !dp2_order_sampler(value >> 24, &sampler))
        return order;
    order.stage = sampler < D3D_PIXEL_SAMPLERS ? sampler : sampler - D3D_PIXEL_SAMPLERS + D3D_VERTEX_SAMPLER;
    if ((value >> 8 & 0xff) == 'F') {
        switch (what) {
        case 'B':
        case 'R':
        case 'W':
            order.kind = DP2_ORDER_BIND_MAP;
            order.value = what == 'B' ? 0 : what == 'R' ? 1 : 2;
            break;
        case 'C':
        case 'D':
        case 'Q':
        case 'E':
            order.kind = DP2_ORDER_COPIES;
            break;
        default:
            break;
        }
    } else if ((value >> 8 & 0xff) == 'M' && dp2_order_sampler(what, &level) && level < 16) {
        static const uint32_t floats[16] = {0x00000000, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000,
                                            0x40c00000, 0x40e00000, 0x41000000, 0x41100000, 0x41200000, 0x41300000,
                                            0x41400000, 0x41500000, 0x41600000, 0x41700000};

        order.kind = DP2_ORDER_CLAMP_MAP;
        order.value = floats[level];
    }
    return order;
}

#endif
