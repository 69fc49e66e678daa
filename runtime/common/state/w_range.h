/* SPDX-License-Identifier: MIT */
/* Derives the range of a W buffer from the projection. */
#ifndef HALCYON_RUNTIME_W_RANGE_H
#define HALCYON_RUNTIME_W_RANGE_H

#include <stdbool.h>

/*
 * Eye w where a projection (row vectors: z' = z m33 + m43, w' = z m34 + m44) puts the near plane, z' = 0, and the far
 * one, z' = w'; range[0] and range[1]. False: the projection is affine (w does not depend on distance), has no such
 * planes, or is not finite; range is unchanged. Source: DirectX 7 SDK, "W-Friendly Projection Matrix".
 */
static inline bool rt_w_range(const float m[4][4], float range[2])
{
    const float near_w = m[3][3] - m[3][2] / m[2][2] * m[2][3];
    const float far_w = m[3][3] + (m[3][3] - m[3][2]) / (m[2][2] - m[2][3]) * m[2][3];
    const bool perspective = m[2][3] != 0.0f && m[2][2] != 0.0f && m[2][2] != m[2][3];

    if (!perspective || !(near_w - near_w == 0.0f) || !(far_w - far_w == 0.0f) || near_w == far_w)
        return false;
    range[0] = near_w;
    range[1] = far_w;
    return true;
}

#endif
