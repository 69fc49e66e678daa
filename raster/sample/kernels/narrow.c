/* SPDX-License-Identifier: MIT */
/* Texture sampling in 16 bits, for narrow states. */
#include "raster/narrow.h"
#include "raster/sample/kernels/sampler.h"

/* From floats of 0..1, each lane of which has its channels. */
static void narrow_channels(unsigned n, const float (*color)[RASTER_LANES], int16_t *result)
{
    const vecf one = vecf_splat((float)NARROW_ONE), half = vecf_splat(0.5f);

    for (unsigned l = 0; l < n; l += VEC) {
        veci channel[4];
        vec16 pixels[NARROW_REGISTERS];

        UNROLLED
        for (unsigned c = 0; c < 4; c++)
            channel[c] = veci_truncate(vecf_add(vecf_mul(vecf_saturate(vecf_load(&color[c][l])), one), half));
        vec16_of_channels(channel[2], channel[1], channel[0], channel[3], pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(result + 4 * l + i * VEC16, pixels[i]);
    }
}

void KERNEL(raster_sample_narrow)(const struct raster_sampler *sampler, unsigned group_count,
                                  const float (*coordinate)[RASTER_LANES], bool affine, uint64_t recorded,
                                  int16_t *result)
{
    _Alignas(64) float color[4][RASTER_LANES];

    (void)affine;
    if (sampler->feedback)
        KERNEL(raster_sample_recorded)
    (sampler, group_count, coordinate, RASTER_LOD_COMPUTED, NULL, recorded, color);
    else KERNEL(raster_sample_lod)(sampler, group_count, coordinate, RASTER_LOD_COMPUTED, NULL, color);
    narrow_channels(group_count * GROUP_LANES, (const float(*)[RASTER_LANES])color, result);
}
