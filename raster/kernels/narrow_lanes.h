/* SPDX-License-Identifier: MIT */
/* Quads of pixels of 16-bit numbers (raster/narrow.h) on their way into a batch and out of it. */
#ifndef HALCYON_RASTER_NARROW_LANES_H
#define HALCYON_RASTER_NARROW_LANES_H

#include "raster/kernels/lanes.h"
#include "raster/narrow.h"
#include "base/simd/simd.h"

/* The index of quad q's first number in a batch: narrow_place of its first lane. Its first two pixels begin there; the
 * others one register later. */
#define QUAD_PLACE(q)    (VEC == 1 ? 16 * (q) : 16 * (q)-4 * ((q)*4 % VEC) + 8 * ((q) % (VEC > 4 ? VEC / 4 : 1)))
#define QUAD_PLACES_4(q) QUAD_PLACE(q), QUAD_PLACE((q) + 1), QUAD_PLACE((q) + 2), QUAD_PLACE((q) + 3)
static const uint16_t quad_place[RASTER_LANES / RASTER_QUAD_LANES] = {QUAD_PLACES_4(0), QUAD_PLACES_4(4),
                                                                      QUAD_PLACES_4(8), QUAD_PLACES_4(12)};

/* VEC pixels, l after lane `lane` of a batch; l is a multiple of VEC, and a quad begins at `lane`. */
static inline void store_pixels_at(unsigned lane, unsigned l, const vec16 pixels[NARROW_REGISTERS], int16_t *out)
{
#if VEC > 1
    UNROLLED
    for (unsigned i = 0; i < NARROW_REGISTERS; i++) {
        float *piece[VEC];

        UNROLLED
        for (unsigned q = 0; q < VEC / 4; q++)
            piece[4 * q] = (float *)(void *)(out + 4 * l + i * VEC16 + quad_place[lane / RASTER_QUAD_LANES + q]);
        fours_store(piece, vecf_of_bits(pixels[i]));
    }
#else
    vec16_store(out + 4 * l + quad_place[lane / RASTER_QUAD_LANES], pixels[0]);
#endif
}

/* VEC pixels of a group from its lane l on. Its quads are those of a batch whose numbers at[0..3] are, from `quad` on. */
static inline void load_pixels_of(const int16_t *pixels, unsigned quad, const uint8_t at[4], unsigned l,
                                  vec16 out[NARROW_REGISTERS])
{
    const unsigned first = l / RASTER_QUAD_LANES;
#if VEC > 1
    const float *piece[VEC];

    UNROLLED
    for (unsigned q = 0; q < VEC / 4; q++)
        piece[4 * q] = (const float *)(const void *)(pixels + quad_place[quad + at[first + q]]);
    UNROLLED
    for (unsigned i = 0; i < NARROW_REGISTERS; i++)
        out[i] = veci_bits(fours_load(piece, i * VEC16 / 2));
#else
    out[0] = vec16_load(pixels + quad_place[quad + at[first]] + 4 * (l % RASTER_QUAD_LANES));
#endif
}

#endif
