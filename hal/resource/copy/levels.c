/* SPDX-License-Identifier: MIT */
/* Generates the lower mip levels of a texture. */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/surface.h"
#include "hal/scene.h"
#include "hal/resource/texture.h"
#include "raster/format/format.h"

#include <stdlib.h>
#include <string.h>

/* --- volumes ------------------------------------------------------------------------------- */

/* Can texels be averaged? Unsigned colours and floats, as blits convert them. */
static bool can_be_averaged(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);

    return info->kind == RASTER_KIND_PACKED ||
           (info->kind == RASTER_KIND_WIDE && (info->type == RASTER_UNORM || info->type == RASTER_FLOAT));
}

static uint8_t *row_of(const struct hal_surface *volume, uint32_t y, uint32_t z)
{
    return volume->base.memory + z * volume->slice_pitch + y * volume->pitch;
}

/* Adds a row of the volume, each channel times `weight`, to `sum`; room: for a row of floats. Channels are 0..255, wide
 * ones are not scaled. */
static void add_row(const struct hal_surface *volume, uint32_t y, uint32_t z, double weight, float *room, double *sum)
{
    const size_t count = (size_t)volume->width * 4;

    if (weight == 0.0)
        return;
    if (raster_format_is_wide(volume->format)) {
        raster_decode_wide(volume->format, row_of(volume, y, z), volume->pitch, room, count * sizeof(*room),
                           volume->width, 1, NULL);
        for (size_t i = 0; i < count; i++)
            sum[i] += weight * (double)room[i];
        return;
    }
    uint32_t *words = (uint32_t *)room;

    raster_decode(volume->format, row_of(volume, y, z), volume->pitch, words, count, volume->width, 1, NULL);
    for (size_t i = 0; i < count; i++)
        sum[i] += weight * (double)(words[i / 4] >> i % 4 * 8 & 255);
}

/* Stores a row whose columns are blended from those of `sum`, rounded once; room: as above. */
static void store_row(const struct hal_surface *volume, uint32_t y, uint32_t z, const double *sum, uint32_t columns,
                      float *room)
{
    const bool wide = raster_format_is_wide(volume->format);
    uint32_t *words = (uint32_t *)room;

    for (uint32_t x = 0; x < volume->width; x++) {
        const struct hal_tap tap = hal_make_tap(x, volume->width, columns, true);
        const double weight = tap.weight / 256.0;
        uint32_t word = 0;

        for (unsigned c = 0; c < 4; c++) {
            const double v =
                sum[4 * tap.first + c] * (1.0 - weight) + (tap.weight ? sum[4 * tap.second + c] * weight : 0.0);

            if (wide)
                room[4 * x + c] = (float)v;
            else
                word |= (uint32_t)(int32_t)(v + 0.5) << 8 * c;
        }
        if (!wide)
            words[x] = word;
    }
    if (wide)
        raster_encode_wide(volume->format, room, 0, row_of(volume, y, z), 0, volume->width, 1);
    else
        raster_encode(volume->format, words, 0, row_of(volume, y, z), 0, volume->width, 1);
}

/* Each texel is the linear filter's result at its centre: the average of eight texels where sizes halve, rounded once,
 * halves up. */
static HRESULT average_volume(struct hal_surface *below, const struct hal_surface *above)
{
    const size_t count = (size_t)above->width * 4;
    double *sum = mem_calloc(count, sizeof(*sum));
    float *room = mem_calloc(count, sizeof(*room));

    for (uint32_t z = 0; sum && room && z < below->depth; z++) {
        const struct hal_tap slice = hal_make_tap(z, below->depth, above->depth, true);

        for (uint32_t y = 0; y < below->height; y++) {
            const struct hal_tap line = hal_make_tap(y, below->height, above->height, true);
            const double z1 = slice.weight / 256.0, y1 = line.weight / 256.0;

            memset(sum, 0, count * sizeof(*sum));
            add_row(above, line.first, slice.first, (1.0 - y1) * (1.0 - z1), room, sum);
            add_row(above, line.second, slice.first, y1 * (1.0 - z1), room, sum);
            add_row(above, line.first, slice.second, (1.0 - y1) * z1, room, sum);
            add_row(above, line.second, slice.second, y1 * z1, room, sum);
            store_row(below, y, z, sum, above->width, room);
        }
    }
    const HRESULT result = sum && room ? DD_OK : DDERR_OUTOFMEMORY;

    free(sum);
    free(room);
    return result;
}

/* The nearest texels, unchanged. */
static HRESULT thin_volume(struct hal_surface *below, const struct hal_surface *above)
{
    const struct raster_format_info *info = raster_format_info(below->format);
    const size_t bytes = info->block_bytes;

    if (info->block_width != 1 || info->block_height != 1)
        return DDERR_NOSTRETCHHW;
    for (uint32_t z = 0; z < below->depth; z++) {
        for (uint32_t y = 0; y < below->height; y++) {
            const uint8_t *from = row_of(above, hal_make_tap(y, below->height, above->height, false).first,
                                         hal_make_tap(z, below->depth, above->depth, false).first);
            uint8_t *to = row_of(below, y, z);

            for (uint32_t x = 0; x < below->width; x++)
                memcpy(to + x * bytes, from + hal_make_tap(x, below->width, above->width, false).first * bytes, bytes);
        }
    }
    return DD_OK;
}

static HRESULT generate_volume(struct hal_surface *below, struct hal_surface *above, bool average)
{
    if (!above->base.memory || !below->base.memory || above->format != below->format)
        return DDERR_INVALIDPIXELFORMAT;
    hal_surface_acquire(above, false, HAL_FLUSH_BLIT);
    hal_surface_acquire(below, true, HAL_FLUSH_BLIT);
    const HRESULT result =
        average && can_be_averaged(below->format) ? average_volume(below, above) : thin_volume(below, above);
    hal_surface_touch(below);
    return result;
}

/* --- all kinds ----------------------------------------------------------------------------- */

/* With sizes that halve, bilinear samples at the centres are averages of four texels. */
HRESULT hal_texture_generate_levels(struct hal_texture *texture, bool average)
{
    for (unsigned face = 0; face < texture->face_count; face++) {
        for (unsigned level = 1; level < texture->level_count; level++) {
            struct hal_surface *above = texture->parts[face][level - 1], *below = texture->parts[face][level];
            const HRESULT result = !above || !below          ? DDERR_INVALIDPARAMS
                                   : texture->top->depth > 1 ? generate_volume(below, above, average)
                                                             : hal_surface_blt(below, NULL, above, NULL, average);

            if (FAILED(result))
                return result;
        }
    }
    return DD_OK;
}
