/* SPDX-License-Identifier: MIT */
/*
 * 8x8 blocks as four chunks of two rows of eight pixels, which are whole vectors in memory; used by kernels of whole
 * blocks. For files in kernels/ only.
 */
#ifndef HALCYON_RASTER_CHUNKS_H
#define HALCYON_RASTER_CHUNKS_H

#include "raster/kernels/kernels.h"
#include "base/simd/simd.h"

#define ROW    8 /* pixels */
#define CHUNKS 4 /* of GROUP_LANES lanes: x in the lower three bits of a lane, y above */

/* One value for each lane of a chunk. */
struct chunk {
    veci v[GROUP_LANES / VEC];
};

#define FOR_REGISTERS \
    UNROLLED          \
    for (unsigned i = 0; i < GROUP_LANES / VEC; i++)

/* --- memory ----------------------------------------------------------------------------------- */

/* Two rows of words to lanes and back, in whole vectors as load_pixels. */
static inline struct chunk load_words(const uint8_t *p, size_t pitch)
{
    struct chunk words;

    FOR_REGISTERS
        words.v[i] = rows_load(p, pitch, i);
    return words;
}

static inline void store_words(uint8_t *p, size_t pitch, struct chunk words)
{
    FOR_REGISTERS
        rows_store(p, pitch, i, words.v[i]);
}

/* --- planes ----------------------------------------------------------------------------------- */

/* The positions of the first chunk's lanes, from the reference of a primitive's planes. */
struct chunk_places {
    vecf x[GROUP_LANES / VEC], y[GROUP_LANES / VEC];
};

/* (x, y): the first lane's. */
static inline void chunk_places_from(struct chunk_places *places, float x, float y)
{
    static const float columns[GROUP_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    static const float lines[GROUP_LANES] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const vecf ox = vecf_splat(x), oy = vecf_splat(y);

    FOR_REGISTERS {
        places->x[i] = vecf_add(ox, vecf_load(columns + i * VEC));
        places->y[i] = vecf_add(oy, vecf_load(lines + i * VEC));
    }
}

static inline void chunk_places_init(struct chunk_places *places, const struct scene_primitive *primitive, int x, int y,
                                     const float offset[2])
{
    chunk_places_from(places, (float)x - primitive->reference_x + offset[0],
                      (float)y - primitive->reference_y + offset[1]);
}

/* y of chunk c. (It is a whole number of subpixels, so additions to it are exact.) */
static inline vecf chunk_y(const struct chunk_places *places, unsigned i, unsigned c)
{
    return vecf_add(places->y[i], vecf_splat((float)(int32_t)(2 * c)));
}

/* A plane over a block: the part that does not change from row to row, and its step. */
struct chunk_plane {
    vecf base[GROUP_LANES / VEC], dy;
};

static inline void chunk_plane_init(struct chunk_plane *plane, const struct chunk_places *places, float a, float dx,
                                    float dy)
{
    const vecf all_a = vecf_splat(a), all_dx = vecf_splat(dx);

    plane->dy = vecf_splat(dy);
    FOR_REGISTERS
        plane->base[i] = vecf_add(all_a, vecf_mul(places->x[i], all_dx));
}

/* The plane's value at y, for register i. */
static inline vecf chunk_value(const struct chunk_plane *plane, unsigned i, vecf y)
{
    return vecf_add(plane->base[i], vecf_mul(y, plane->dy));
}

#endif
