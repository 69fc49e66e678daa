/* SPDX-License-Identifier: MIT */
/* Rows of planar surfaces are assembled as pairs of YUY2, which give the same texels. */
#include "raster/format/planar.h"

#include <string.h>

#include "base/base.h"

#define CHUNK 64 /* texels at a time; even */

unsigned raster_planes(enum raster_format format, size_t pitch, unsigned height,
                       struct d3d_plane plane[D3D_MOST_PLANES])
{
    return d3d_planes_of(format == RASTER_FORMAT_NV12, pitch, height, plane);
}

/* The positions of a row's samples: Y, U, V, and the distance between chroma samples. */
struct planar_row {
    const uint8_t *y, *u, *v;
    unsigned step;
};

static struct planar_row planar_row_at(const struct raster_planar *surface, unsigned y)
{
    struct d3d_plane plane[D3D_MOST_PLANES];
    const unsigned count = raster_planes(surface->format, surface->pitch, surface->height, plane);
    const uint8_t *last = surface->memory + plane[count - 1].offset + y / 2 * plane[count - 1].pitch;

    return (struct planar_row){
        .y = surface->memory + y * surface->pitch,
        .u = last,
        .v = count == 3 ? surface->memory + plane[1].offset + y / 2 * plane[1].pitch : last + 1,
        .step = plane[1].bytes,
    };
}

/* Texels x to x + CHUNK - 1, as far as there are any; x is even. */
static unsigned planar_decode_chunk(const struct planar_row *row, unsigned x, unsigned end, uint32_t texels[CHUNK])
{
    const unsigned count = BASE_MIN(end - x, CHUNK);
    uint8_t pairs[CHUNK * 2] = {0};

    for (unsigned i = 0; i < count; i++)
        pairs[2 * i] = row->y[x + i];
    for (unsigned i = 0; i < count; i += 2) {
        pairs[2 * i + 1] = row->u[(size_t)(x + i) / 2 * row->step];
        pairs[2 * i + 3] = row->v[(size_t)(x + i) / 2 * row->step];
    }
    raster_decode(RASTER_FORMAT_YUY2, pairs, sizeof(pairs), texels, CHUNK * sizeof(*texels), count, 1, NULL);
    return count;
}

void raster_decode_planar(const struct raster_planar *surface, unsigned left, unsigned top, uint32_t *texels,
                          size_t texel_pitch, unsigned width, unsigned height)
{
    uint32_t chunk[CHUNK];

    for (unsigned y = 0; y < height; y++) {
        const struct planar_row row = planar_row_at(surface, top + y);
        uint32_t *out = (uint32_t *)((uint8_t *)texels + y * texel_pitch);

        for (unsigned x = 0; x < width; x += CHUNK) {
            const unsigned count = planar_decode_chunk(&row, left + x, left + width, chunk);

            memcpy(out + x, chunk, count * sizeof(*out));
        }
    }
}

void raster_decode_planar_wide(const struct raster_planar *surface, unsigned left, unsigned top, float *texels,
                               size_t texel_pitch, unsigned width, unsigned height)
{
    uint32_t chunk[CHUNK];

    for (unsigned y = 0; y < height; y++) {
        const struct planar_row row = planar_row_at(surface, top + y);
        float *out = (float *)((uint8_t *)texels + y * texel_pitch);

        for (unsigned x = 0; x < width; x += CHUNK) {
            const unsigned count = planar_decode_chunk(&row, left + x, left + width, chunk);

            raster_decode_wide(RASTER_FORMAT_A8R8G8B8, (const uint8_t *)chunk, sizeof(chunk), out + (size_t)x * 4,
                               texel_pitch, count, 1, NULL);
        }
    }
}
