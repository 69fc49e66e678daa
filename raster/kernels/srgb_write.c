/* SPDX-License-Identifier: MIT */
/* Colours that programs give, to sRGB, before blending. */
#include "raster/kernels/lanes.h"
#include "raster/kernels/srgb_encode.h"

void KERNEL(raster_srgb)(struct raster_batch *batch, unsigned target)
{
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned g = 0; g < batch->group_count; g++) {
            float *restrict color = &batch->color[target][c][g * GROUP_LANES];

            FOR_GROUP_LANES
                color[l] = srgb_encode(saturate(color[l]));
        }
    }
}
