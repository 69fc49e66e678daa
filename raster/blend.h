/* SPDX-License-Identifier: MIT */
/* What the blending and the storing kernels share. For *_kernels.c only. */
#ifndef HALCYON_RASTER_BLEND_H
#define HALCYON_RASTER_BLEND_H

#include "raster/vector.h"

struct group_color {
    float c[4][G];
};

/* Of a group of the batch; clamped: to 0..1. */
static inline void load_color(const struct raster_batch *batch, unsigned index, const struct raster_place *place,
                              bool clamped, struct group_color *color)
{
    const struct quad_lanes quads = place_quads(place);

    for (unsigned c = 0; c < 4; c++) {
        VECTORS(G)
        {
            vecf v = group_lanes(batch->color[index][c], &quads, l);

            vecf_store(&color->c[c][l], clamped ? vecf_saturate(v) : v);
        }
    }
}

/* color = the blend of it and what is in the target. clamped: results stay in 0..1. */
void KERNEL(raster_blend_group)(const struct raster_blend *blend, bool clamped, const struct group_color *dst,
                                struct group_color *color);

/* Targets of floats or of more than four bytes a pixel. Floats are neither clamped before blending nor after. */
void KERNEL(raster_store_wide)(const struct raster_draw_state *state, const struct raster_surface *target,
                               unsigned index, const struct raster_batch *batch, const struct raster_place *place);

#endif
