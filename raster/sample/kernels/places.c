/* SPDX-License-Identifier: MIT */
/*
 * The positions at which the lanes of a batch sample: their coordinates, or coordinates on the faces of a cube for
 * directions; and the differences between the lanes of a quad. Source: docs/reference/texture-sampling.md, section 1.
 */
#include "raster/sample/kernels/sampler.h"

#include <math.h>

/* The face of each lane: that of the largest magnitude, Z before Y before X. True: some quad's lanes see several. */
static bool cube_faces(unsigned n, const float (*coordinate)[RASTER_LANES], int32_t *face)
{
    const float *x = coordinate[0], *y = coordinate[1], *z = coordinate[2];
    int32_t several = 0;

    FOR_LANES(n) {
        float ax = fabsf(x[l]), ay = fabsf(y[l]), az = fabsf(z[l]);

        face[l] = az >= ax && az >= ay ? (z[l] < 0.0f ? 5 : 4)
                  : ay >= ax           ? (y[l] < 0.0f ? 3 : 2)
                                       : (x[l] < 0.0f ? 1 : 0);
    }
    for (unsigned l = 0; l < n; l += 4)
        several |= (face[l + 1] ^ face[l]) | (face[l + 2] ^ face[l]) | (face[l + 3] ^ face[l]);
    return several != 0;
}

/* Coordinates of cube directions on the lanes' faces: sc and tc, the two minor axes, divided by the major axis ma. */
static void cube_place(unsigned n, const float (*coordinate)[RASTER_LANES], struct place_room *place)
{
    const float *x = coordinate[0], *y = coordinate[1], *z = coordinate[2];

    FOR_LANES(n) {
        const int32_t face = place->face[l], negative = face & 1;
        const bool on_x = face < 2, on_y = !on_x && face < 4;
        const float major = on_x ? x[l] : on_y ? y[l] : z[l], sc = on_x ? -z[l] : x[l], tc = on_y ? z[l] : -y[l];
        const float ma = negative ? -major : major;

        place->u[l] = 0.5f * ((negative && !on_y ? -sc : sc) / ma + 1.0f);
        place->v[l] = 0.5f * ((negative && on_y ? -tc : tc) / ma + 1.0f);
    }
}

/* Moves all lanes of a quad to the face of one of them, so that their differences can be measured. */
static void cube_quad_place(unsigned n, const float (*coordinate)[RASTER_LANES], unsigned lane,
                            struct place_room *place)
{
    for (unsigned l = 0; l < n; l += 4) {
        const int32_t face = place->face[l + lane];

        for (unsigned k = 0; k < 4; k++)
            place->face[l + k] = face;
    }
    cube_place(n, coordinate, place);
}

struct place KERNEL(sample_place_lanes)(const struct raster_texture *texture, unsigned n,
                                        const float (*coordinate)[RASTER_LANES], struct place_room *room, bool *several)
{
    struct place place = {
        .u = coordinate[0], .v = coordinate[1], .w = raster_texture_axes(texture) == 3 ? coordinate[2] : NULL};

    *several = false;
    if (texture->kind == RASTER_TEXTURE_CUBE) {
        *several = cube_faces(n, coordinate, room->face);
        cube_place(n, coordinate, room);
        place = (struct place){.u = room->u, .v = room->v, .face = room->face};
    }
    return place;
}

void KERNEL(sample_measure)(const struct raster_sampler *sampler, unsigned n, const float (*coordinate)[RASTER_LANES],
                            unsigned lane, struct footprint *out)
{
    struct place_room room;
    struct place place;
    bool several;

    place = KERNEL(sample_place_lanes)(sampler->texture, n, coordinate, &room, &several);
    if (several)
        cube_quad_place(n, coordinate, lane, &room);
    KERNEL(sample_footprint)(sampler, &place, n / 4, out);
}
