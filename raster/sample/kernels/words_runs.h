/* SPDX-License-Identifier: MIT */
/* Runs: vectors of a batch that read the same level of a narrow state's texture, or the same two. Not for the levels
 * scalar and SSE2. */
#ifndef HALCYON_RASTER_SAMPLE_WORDS_RUNS_H
#define HALCYON_RASTER_SAMPLE_WORDS_RUNS_H

#include "raster/sample/kernels/narrow_filter.h"
#include "raster/sample/kernels/narrow_level.h"

#if SIMD_HAS_GATHER

/* The vectors of a run, by their first lanes. */
struct run {
    unsigned count;
    uint8_t lane[MAX_LANES / VEC];
};

/* The levels of a run. */
struct run_levels {
    struct raster_affine_level level[2];
    const int32_t *share; /* of the second one, by quad of the batch: narrow_share */
    vec16 opaque;
};

/* Positions along an axis of a run's lanes, vector after vector, in 1/256 texel as texel_of takes them; in the second
 * level, too. */
struct positions {
    _Alignas(64) int32_t in[2][MAX_LANES];
};

/* From a coordinate in 1/256 texel to a position. */
static ALWAYS_INLINE veci position(vecf s)
{
    return veci_truncate(vecf_add(s, vecf_splat(768.0f - 128.0f + 0.5f)));
}

/* The factor from coordinates to 1/256 texel. */
static ALWAYS_INLINE vecf scale_of(int32_t size)
{
    return vecf_from(veci_left(veci_splat((uint32_t)size), 8));
}

/* The fraction of a coordinate that wraps (texel_coordinate): all levels share it. */
static ALWAYS_INLINE vecf wrapped_fraction(vecf t)
{
    return vector_fraction(vecf_limit(t, vecf_splat(-MAX_REPEAT), vecf_splat(MAX_REPEAT)));
}

static ALWAYS_INLINE void store_pixels(const vec16 v[2], vec16 opaque, int16_t *out)
{
    UNROLLED
    for (unsigned i = 0; i < 2; i++)
        vec16_store(out + i * VEC16, veci_or(v[i], opaque));
}

/* Samples a run whose rows of pixels each have one v, as those of floors and ceilings do. False: some row has several,
 * or its lanes read too far apart; `out` is undefined then. */
bool KERNEL(sample_narrow_rows)(const struct run_levels *levels, bool two, const struct place *place,
                                const struct run *run, int16_t *out);

#endif
#endif
