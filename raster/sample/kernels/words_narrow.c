/* SPDX-License-Identifier: MIT */
/* The fast path's filter of narrow states: from texels to pixels of 16-bit numbers, as sample/kernels/narrow.c defines it. */
#include "raster/sample/kernels/narrow_filter.h"
#include "raster/sample/kernels/words.h"

#if SIMD_HAS_GATHER

static ALWAYS_INLINE void filter_pixels(const struct level_reads *reads, bool linear, unsigned l, vec16 out[2])
{
    if (!linear) {
        vec16_of_words(veci_load(&reads->texels.low[0][l]), out);
        return;
    }
    const struct vector_pairs row[2] = {load_pairs(&reads->texels, 0, l), load_pairs(&reads->texels, 1, l)};

    narrow_filter(row, veci_load(&reads->u.weight[l]), veci_load(&reads->v.weight[l]), out);
}

static ALWAYS_INLINE void filter_lanes(const struct level_reads *reads, const float *fraction, bool linear, unsigned n,
                                       vec16 opaque, int16_t *out)
{
    for (unsigned l = 0; l < n; l += VEC) {
        vec16 v[2], far[2];

        filter_pixels(&reads[0], linear, l, v);
        if (fraction) {
            filter_pixels(&reads[1], linear, l, far);
            narrow_mix_levels(fraction + l / 4, far, v);
        }
        UNROLLED
        for (unsigned i = 0; i < 2; i++)
            vec16_store(out + 4 * l + i * VEC16, veci_or(v[i], opaque));
    }
}

void KERNEL(filter_narrow)(const struct level_reads *reads, const float *fraction, bool linear, unsigned n, bool opaque,
                           int16_t *out)
{
    const int16_t alpha[4] = {0, 0, 0, opaque ? NARROW_ONE : 0};
    const vec16 ones = vec16_splat_pixel(alpha);

    if (!linear)
        filter_lanes(reads, fraction, false, n, ones, out);
    else if (fraction)
        filter_lanes(reads, fraction, true, n, ones, out);
    else
        filter_lanes(reads, NULL, true, n, ones, out);
}

#endif
