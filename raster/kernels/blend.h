/* SPDX-License-Identifier: MIT */
/* Colours of a group for the blending and storing kernels. For files in kernels/ only. */
#ifndef HALCYON_RASTER_BLEND_H
#define HALCYON_RASTER_BLEND_H

#include "raster/kernels/lanes.h"
#include "base/simd/simd.h"

struct group_color {
    float c[4][GROUP_LANES];
};

/* The number of quads in a set before quad q; for a quad outside the set, at most that of the set's last quad. */
static const uint8_t quad_rank[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2},
    {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 0, 1}, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3},
};

/* The positions of a group's quads among the lanes of a batch; a missing quad gets the position of another one. */
struct quad_lanes {
    unsigned at[4];
};

static inline struct quad_lanes place_quads(const struct raster_place *place)
{
    struct quad_lanes quads;

    UNROLLED
    for (unsigned q = 0; q < 4; q++)
        quads.at[q] = place->lane + 4u * quad_rank[place->quads][q];
    return quads;
}

/* Loads lanes l.. of such a group. */
static inline vecf group_lanes(const float *lanes, const struct quad_lanes *quads, unsigned l)
{
    return quads_load(lanes, quads->at, l);
}

/* Loads the colours of a group of the batch; clamped: to 0..1. */
static inline void load_color(const struct raster_batch *batch, unsigned index, const struct raster_place *place,
                              bool clamped, struct group_color *color)
{
    const struct quad_lanes quads = place_quads(place);

    BASE_ASSERT(place->lane + 4 * quad_rank[place->quads][3] + 4 <= RASTER_LANES);
    for (unsigned c = 0; c < 4; c++) {
        FOR_VECTORS(GROUP_LANES) {
            vecf v = group_lanes(batch->color[index][c], &quads, l);

            vecf_store(&color->c[c][l], clamped ? vecf_saturate(v) : v);
        }
    }
}

/* Blends `color` with the target. clamped: results stay in 0..1. */
void KERNEL(raster_blend_group)(const struct raster_blend *blend, bool clamped, const struct group_color *dst,
                                struct group_color *color);

/* The store for targets of floats or of more than four bytes a pixel. Floats are neither clamped before blending nor after. */
raster_store_fn KERNEL(raster_choose_wide_store)(const struct raster_draw_state *state, unsigned index,
                                                 enum raster_format format);

/* A loop over the places, of `count`, that have pixels. */
#define FOR_COVERED_PLACES          \
    for (; count; count--, place++) \
        if (!place->mask)           \
            continue;               \
        else

/* trunc(255 v + 1/2) of a channel of 0..1. */
static inline veci byte_of(vecf v)
{
    return veci_truncate(vecf_add(vecf_mul(v, vecf_splat(255.0f)), vecf_splat(0.5f)));
}

/* The word of four bytes. alpha_mask: all ones where the format has an alpha channel. */
static inline veci word_of(veci r, veci g, veci b, veci a, uint32_t alpha_mask)
{
    veci word = veci_or(veci_or(veci_left(r, 16), veci_left(g, 8)), b);

    return alpha_mask ? veci_or(word, veci_left(a, 24)) : word;
}

/* clang-format off */
/* The most common blends, which have functions of their own for 8888 targets: X(source factor, destination factor),
 * ADD, for colour and alpha alike. */
#define COMMON_BLENDS(X)                                                                                               \
    X(SRC_ALPHA, INV_SRC_ALPHA)                                                                                        \
    X(SRC_ALPHA, ONE)                                                                                                  \
    X(ONE, ONE)                                                                                                        \
    X(ONE, INV_SRC_ALPHA)                                                                                              \
    X(ONE, INV_SRC_COLOR)                                                                                              \
    X(DST_COLOR, ZERO)                                                                                                 \
    X(ZERO, SRC_COLOR)                                                                                                 \
    X(DST_COLOR, SRC_COLOR)
/* clang-format on */

/* A row of a file's table of common blends. */
struct common_blend {
    uint8_t src, dst;
    raster_store_fn store;
};

/* The function of a blend in the table; NULL: there is none. */
static inline raster_store_fn find_common_blend(const struct common_blend *table, unsigned count,
                                                const struct raster_blend *blend)
{
    if (blend->op_color != RASTER_BLEND_ADD || blend->op_alpha != RASTER_BLEND_ADD ||
        blend->src_alpha != blend->src_color || blend->dst_alpha != blend->dst_color)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        if (table[i].src == blend->src_color && table[i].dst == blend->dst_color)
            return table[i].store;
    return NULL;
}

#endif
