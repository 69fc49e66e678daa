/* SPDX-License-Identifier: MIT */
/* The pairs of texels that lanes of narrow states read of a level, in vectors. Not for the levels scalar and SSE2. */
#ifndef HALCYON_RASTER_SAMPLE_NARROW_LEVEL_H
#define HALCYON_RASTER_SAMPLE_NARROW_LEVEL_H

#include "raster/sample/kernels/affine.h"

#if SIMD_HAS_GATHER

/* A level as loops read it. */
struct narrow_level {
    const struct raster_affine_level *level;
    struct vector_level all;
    bool rows; /* rows of texels are worth trying */
};

/* v: the texels, or positions, of the first vector's lanes along the second axis. */
static ALWAYS_INLINE struct narrow_level narrow_level(const struct raster_affine_level *level, bool linear,
                                                      const int32_t *v)
{
    struct narrow_level view = {.level = level,
                                .all = {.texels = level->texels,
                                        .u = {level->mode_u, veci_splat((uint32_t)level->width)},
                                        .v = {level->mode_v, veci_splat((uint32_t)level->height)},
                                        .pitch = veci_splat((uint32_t)level->pitch),
                                        .start = veci_splat(0),
                                        .row = level->pitch}};

#if SIMD_ROW_WORDS
    view.rows = linear && level->width >= SIMD_ROW_WORDS && vector_rows_are_equal(veci_load(v));
#else
    (void)linear, (void)v;
#endif
    return view;
}

/* Two rows of pairs at the texels x and y, before the address mode is applied. */
static ALWAYS_INLINE void narrow_fetch(const struct narrow_level *view, veci x, veci y, struct vector_pairs row[2])
{
    const struct vector_level *all = &view->all;
    const bool inner = vector_both_inside(x, less_one(all->u.size), y, less_one(all->v.size));

#if SIMD_ROW_WORDS
    if (view->rows && (inner || all->u.mode == RASTER_WRAP || vector_inside(x, less_one(all->u.size)))) {
        const struct raster_affine_level *l = view->level;
        const struct row_level one = {l->texels, l->mode_u, l->mode_v, l->width, l->height, l->pitch};
        _Alignas(64) int32_t u[VEC], v[VEC];
        struct vector_rows rows;

        veci_store(u, x);
        veci_store(v, y);
        if (find_rows(u, v, &rows)) {
            inner ? fetch_inner_rows(&one, &rows, row) : fetch_outer_rows(&one, &rows, row);
            return;
        }
    }
#endif
    if (inner)
        fetch_inner(all, veci_splat(0), x, y, row);
    else
        fetch_outer(all, veci_splat(0), x, y, row);
}

#endif
#endif
