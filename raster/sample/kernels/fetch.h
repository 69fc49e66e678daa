/* SPDX-License-Identifier: MIT */
/*
 * Fetches texels in vectors, for the sampler's fast paths: pairs of adjacent texels by gathers, or by loads of rows.
 * Not for the levels scalar and SSE2.
 */
#ifndef HALCYON_RASTER_SAMPLE_FETCH_H
#define HALCYON_RASTER_SAMPLE_FETCH_H

#include "base/simd/simd.h"
#include "raster/sample/kernels/axes.h"

#if SIMD_HAS_GATHER

/* --- axes ------------------------------------------------------------------------------------------------------- */

/* One axis of the mip levels that quads read: per quad, or shared if all quads read the first quad's level. */
struct level_axis {
    unsigned mode;
    int32_t size[MAX_QUADS];
};

static ALWAYS_INLINE struct axis_rule axis_of_all(const struct level_axis *axis)
{
    return (struct axis_rule){axis->mode, veci_splat(axis->size[0])};
}

static ALWAYS_INLINE struct axis_rule axis_of_quads(const struct level_axis *axis, unsigned l)
{
    return (struct axis_rule){axis->mode, vector_ints_of_quads(&axis->size[l / 4])};
}

/* --- texels -------------------------------------------------------------------------------------------------- */

/* The mip levels that quads read: per quad, or the first quad's for all. */
struct quad_texels {
    const uint32_t *texels; /* of the first one */
    struct level_axis u, v;
    int32_t pitch[MAX_QUADS];
    int64_t start[MAX_QUADS]; /* where the quad's level begins, in texels from `texels` */
    int32_t slice;            /* cubes: read one level */
    bool bordered, rounds;    /* filtering does */
    uint32_t border;
};

/* The level that the lanes of a vector read. */
struct vector_level {
    const uint32_t *texels;
    struct axis_rule u, v;
    veci pitch, start;
    int32_t row; /* the pitch, if it is the same for all */
    bool far;    /* lanes differ: `start` applies, and pitches differ */
    bool bordered;
    uint32_t border;
};

static ALWAYS_INLINE struct vector_level level_of_all(const struct quad_texels *from)
{
    return (struct vector_level){.texels = from->texels,
                                 .u = axis_of_all(&from->u),
                                 .v = axis_of_all(&from->v),
                                 .pitch = veci_splat(from->pitch[0]),
                                 .start = veci_splat(0),
                                 .row = from->pitch[0],
                                 .bordered = from->bordered,
                                 .border = from->border};
}

static ALWAYS_INLINE struct vector_level level_of_quads(const struct quad_texels *from, unsigned l)
{
    return (struct vector_level){.texels = from->texels,
                                 .u = axis_of_quads(&from->u, l),
                                 .v = axis_of_quads(&from->v, l),
                                 .pitch = vector_ints_of_quads(&from->pitch[l / 4]),
                                 .start = vector_pair_starts(&from->start[l / 4]),
                                 .far = true,
                                 .bordered = from->bordered,
                                 .border = from->border};
}

/* y * pitch + base; both factors have less than 16 bits. */
static ALWAYS_INLINE veci row_start(const struct vector_level *level, veci y, veci base)
{
    return veci_add(veci_madd16(y, level->pitch), base);
}

static ALWAYS_INLINE veci gather_texels(const struct vector_level *level, veci index)
{
    return level->far ? vector_gather_far(level->texels, level->start, index) : vector_gather(level->texels, index);
}

static ALWAYS_INLINE struct vector_pairs gather_pairs(const struct vector_level *level, veci index)
{
    return level->far ? vector_gather_far_pairs(level->texels, level->start, index)
                      : vector_gather_pairs(level->texels, index);
}

/* Texels at (x, y), which lie in the texture or are BORDER_TEXEL. */
static ALWAYS_INLINE veci fetch_texels(const struct vector_level *level, veci base, veci x, veci y)
{
    veci index = veci_add(row_start(level, y, base), x), outside, texel;

    if (!level->bordered)
        return gather_texels(level, index);
    outside = veci_or(x, y);
    texel = gather_texels(level, vector_select(outside, veci_splat(0), index));
    return vector_select(outside, veci_splat((int32_t)level->border), texel);
}

/* Two rows of pairs, if the next texels are adjacent in memory. */
static ALWAYS_INLINE void fetch_inner(const struct vector_level *level, veci base, veci x, veci y,
                                      struct vector_pairs row[2])
{
    const veci index = veci_add(row_start(level, y, base), x);

    if (!level->far) {
        vector_gather_pair_rows(level->texels, level->texels + level->row, index, row);
        return;
    }
    row[0] = gather_pairs(level, index);
    row[1] = gather_pairs(level, veci_add(index, level->pitch));
}

/* fetch_inner if not all lanes have their next texels adjacent in memory, or rows do not follow each other. */
static ALWAYS_INLINE void fetch_outer(const struct vector_level *level, veci base, veci x, veci y,
                                      struct vector_pairs row[2])
{
    veci next = veci_add(x, veci_splat(1)), below = wrap_texels(level->v, veci_add(y, veci_splat(1)));

    y = wrap_texels(level->v, y);
    if (!level->bordered && vector_inside(x, less_one(level->u.size))) {
        row[0] = gather_pairs(level, veci_add(row_start(level, y, base), x));
        row[1] = gather_pairs(level, veci_add(row_start(level, below, base), x));
        return;
    }
    next = wrap_texels(level->u, next);
    x = wrap_texels(level->u, x);
    if (!level->bordered && !level->far) {
        const veci upper = row_start(level, y, base), lower = row_start(level, below, base);

        row[0] = vector_gather_two(level->texels, veci_add(upper, x), veci_add(upper, next));
        row[1] = vector_gather_two(level->texels, veci_add(lower, x), veci_add(lower, next));
        return;
    }
    row[0] = vector_unpack(fetch_texels(level, base, x, y), fetch_texels(level, base, next, y));
    row[1] = vector_unpack(fetch_texels(level, base, x, below), fetch_texels(level, base, next, below));
}

/* --- texels row by row --------------------------------------------------------------------------------------- */

/* Axis-aligned textures (sprites, text, most quads): each row of pixels reads its own rows of texels. If the texels
 * that the lanes read of a row fit into a register, it is loaded at once, and lanes pick their texels from it. */

#if SIMD_ROW_WORDS
/* A level that all lanes read. */
struct row_level {
    const uint32_t *texels;
    unsigned mode_u, mode_v; /* enum raster_address, not RASTER_BORDER */
    int32_t width, height, pitch;
};

static ALWAYS_INLINE struct row_level row_level_of(const struct quad_texels *from)
{
    return (struct row_level){from->texels,    from->u.mode,    from->v.mode,
                              from->u.size[0], from->v.size[0], from->pitch[0]};
}

/* The texels that the lanes of a vector read. */
struct vector_rows {
    veci offset;   /* of the left texel, from `first` on */
    int32_t first; /* before the address mode is applied */
    int32_t y[SIMD_ROWS];
};

/* False: the lanes do not read rows in this way. u, v: texels of the vector's lanes. */
static ALWAYS_INLINE bool find_rows(const int32_t *u, const int32_t *v, struct vector_rows *out)
{
    out->first = BASE_MIN(u[0], u[5]); /* pictures may be mirrored */
    out->offset = veci_sub(veci_load(u), veci_splat(out->first));
    UNROLLED
    for (unsigned i = 0; i < SIMD_ROWS; i++)
        out->y[i] = v[i % 2 * 2 + i / 2 * 8];
    return vector_inside(out->offset, veci_splat(SIMD_ROW_WORDS - 1)) && vector_rows_are_equal(veci_load(v));
}

/* fetch_inner for rows. */
static ALWAYS_INLINE void fetch_inner_rows(const struct row_level *from, const struct vector_rows *rows,
                                           struct vector_pairs row[2])
{
    const int32_t first = BASE_MIN(rows->first, from->width - SIMD_ROW_WORDS);
    const veci offset = veci_add(rows->offset, veci_splat(rows->first - first));
    veci upper[SIMD_ROWS], lower[SIMD_ROWS];

    UNROLLED
    for (unsigned i = 0; i < SIMD_ROWS; i++) {
        const uint32_t *texels = from->texels + rows->y[i] * from->pitch + first;

        upper[i] = veci_load(texels);
        lower[i] = veci_load(texels + from->pitch);
    }
    row[0] = vector_pick_pairs(upper, offset);
    row[1] = vector_pick_pairs(lower, offset);
}

/* wrap_texels for one texel, without a border. */
static ALWAYS_INLINE int32_t wrap_texel(unsigned mode, int32_t i, int32_t size)
{
    if (mode == RASTER_WRAP)
        return i < 0 ? i + size : i >= size ? i - size : i;
    return BASE_MAX(BASE_MIN(i, size - 1), 0);
}

/* A register of row y from texel `first` on; the row's beginning follows its end. */
static ALWAYS_INLINE veci load_wrapped(const struct row_level *from, int32_t y, int32_t first)
{
    const int32_t width = from->width;
    const uint32_t *texels = from->texels + wrap_texel(from->mode_v, y, from->height) * from->pitch + first;

    return vector_load_split(texels, texels - width, BASE_MIN(width - first, SIMD_ROW_WORDS));
}

/* fetch_outer for rows. */
static ALWAYS_INLINE void fetch_outer_rows(const struct row_level *from, const struct vector_rows *rows,
                                           struct vector_pairs row[2])
{
    const int32_t first = wrap_texel(from->mode_u, rows->first, from->width);
    veci upper[SIMD_ROWS], lower[SIMD_ROWS];

    UNROLLED
    for (unsigned i = 0; i < SIMD_ROWS; i++) {
        upper[i] = load_wrapped(from, rows->y[i], first);
        lower[i] = load_wrapped(from, rows->y[i] + 1, first);
    }
    row[0] = vector_pick_pairs(upper, rows->offset);
    row[1] = vector_pick_pairs(lower, rows->offset);
}
#endif

#endif
#endif
