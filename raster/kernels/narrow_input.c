/* SPDX-License-Identifier: MIT */
/*
 * Inputs of narrow states. What is linear over the screen is found by floats at the first pixel of a 4x4 group alone, and from there by
 * whole steps; docs/narrow-colour.md tells how far that may lead.
 */
#include "raster/kernels/lanes.h"
#include "raster/kernels/narrow_planes.h"
#include "raster/narrow.h"
#include "base/assert.h"
#include "base/simd/simd.h"

#define BLOCK_GROUPS (RASTER_LANES / GROUP_LANES)

#define PLACES       (VEC > BLOCK_GROUPS ? VEC : BLOCK_GROUPS)

/* Where the groups of a block lie, from a plane's reference; behind them the same again. A group by itself is the first one. */
struct group_places {
    _Alignas(64) float x[PLACES], y[PLACES];
};

static inline struct group_places places_of(const struct scene_primitive *primitive, int x, int y)
{
    struct group_places places;

    UNROLLED
    for (unsigned g = 0; g < PLACES; g++) {
        places.x[g] = (float)(x + (int)(g & 1) * 4) - primitive->reference_x;
        places.y[g] = (float)(y + (int)(g >> 1 & 1) * 4) - primitive->reference_y;
    }
    return places;
}

/* A plane's value at the first pixels of groups. */
static inline vecf plane_at(float a, float dx, float dy, vecf x, vecf y)
{
    return vecf_add(vecf_add(vecf_splat(a), vecf_mul(x, vecf_splat(dx))), vecf_mul(y, vecf_splat(dy)));
}

/* --- colours ------------------------------------------------------------------------------------------------ */

/* A group's pixels in the order that registers have them, as offsets from the first one. */
#define LANE_X(l)  ((l)&1) | ((l) >> 1 & 2)
#define LANE_Y(l)  ((l) >> 1 & 1) | ((l) >> 2 & 2)
#define PIXEL_X(l) LANE_X(l), LANE_X(l), LANE_X(l), LANE_X(l)
#define PIXEL_Y(l) LANE_Y(l), LANE_Y(l), LANE_Y(l), LANE_Y(l)
#define QUADS(AXIS, a, b, c, d) \
    AXIS(a), AXIS((a) + 1), AXIS(b), AXIS((b) + 1), AXIS(c), AXIS((c) + 1), AXIS(d), AXIS((d) + 1)
#if VEC == 16
#define PIXELS(AXIS) QUADS(AXIS, 0, 4, 8, 12), QUADS(AXIS, 2, 6, 10, 14)
#elif VEC == 8
#define PIXELS(AXIS) QUADS(AXIS, 0, 4, 2, 6), QUADS(AXIS, 8, 12, 10, 14)
#else
#define PIXELS(AXIS) QUADS(AXIS, 0, 2, 4, 6), QUADS(AXIS, 8, 10, 12, 14)
#endif
static const _Alignas(64) int16_t pixel_x[GROUP_LANES * 4] = {PIXELS(PIXEL_X)};
static const _Alignas(64) int16_t pixel_y[GROUP_LANES * 4] = {PIXELS(PIXEL_Y)};

#define GROUP_REGISTERS (GROUP_LANES * 4 / VEC16)

/* The same colour in `count` groups. */
static void constant_groups(const struct narrow_color *color, unsigned count, int16_t *out)
{
    const vec16 v = vec16_splat_pixel(color->constant);

    for (unsigned i = 0; i < count * GROUP_REGISTERS; i++)
        vec16_store(out + i * VEC16, v);
}

/* The numbers that groups begin with, modulo 65536. */
static inline void first_pixels(const struct narrow_color *color, const struct group_places *places, int16_t *first)
{
    for (unsigned g = 0; g < BLOCK_GROUPS; g += VEC) {
        const vecf x = vecf_load(places->x + g), y = vecf_load(places->y + g);
        vec16 pixels[NARROW_REGISTERS];
        veci number[4];

        UNROLLED
        for (unsigned i = 0; i < 4; i++) {
            const vecf v = plane_at(color->a[i], color->dx[i], color->dy[i], x, y);
            const vecf held = vecf_limit(v, vecf_splat(-65536.0f), vecf_splat(65535.0f));

            number[i] = veci_truncate(vecf_add(held, vecf_splat(65536.5f)));
        }
        vec16_of_channels(number[0], number[1], number[2], number[3], pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(first + 4 * g + i * VEC16, pixels[i]);
    }
}

/* From the first pixel of each group in steps. */
static void stepped_groups(const struct narrow_color *color, const struct group_places *places, unsigned count,
                           int16_t *out)
{
    const vec16 step_x = vec16_splat_pixel(color->step_x), step_y = vec16_splat_pixel(color->step_y);
    _Alignas(64) int16_t first[4 * PLACES];
    vec16 offset[GROUP_REGISTERS];

    first_pixels(color, places, first);
    UNROLLED
    for (unsigned i = 0; i < GROUP_REGISTERS; i++)
        offset[i] = vec16_add(vec16_mul_low(vec16_load(pixel_x + i * VEC16), step_x),
                              vec16_mul_low(vec16_load(pixel_y + i * VEC16), step_y));
    for (unsigned g = 0; g < count; g++, out += GROUP_LANES * 4) {
        const vec16 start = vec16_splat_pixel(first + 4 * narrow_place(VEC, g));

        UNROLLED
        for (unsigned i = 0; i < GROUP_REGISTERS; i++) {
            const vec16 v = vec16_add(start, offset[i]);

            vec16_store(out + i * VEC16, vec16_max(vec16_adds(v, v), vec16_splat(0)));
        }
    }
}

/* Places of a group's lanes, from its first one. */
static const _Alignas(64) float lane_x[GROUP_LANES] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
static const _Alignas(64) float lane_y[GROUP_LANES] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

/* Each pixel by floats, as interpolate.c does it. */
static __attribute__((noinline)) void float_groups(const struct scene_primitive *primitive, unsigned input,
                                                   const struct group_places *places, unsigned count, int16_t *out)
{
    const struct scene_plane4 *plane = &primitive->input[input];
    const struct scene_plane2 *depth = &primitive->depth;
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    for (unsigned l = 0; l < count * GROUP_LANES; l += VEC) {
        const unsigned g = l / GROUP_LANES, first = l % GROUP_LANES;
        const vecf x = vecf_add(vecf_splat(places->x[g]), vecf_load(lane_x + first));
        const vecf y = vecf_add(vecf_splat(places->y[g]), vecf_load(lane_y + first));
        const vecf w = perspective ? vecf_div(vecf_splat(1.0f), plane_at(depth->a[1], depth->dx[1], depth->dy[1], x, y))
                                   : vecf_splat(1.0f);
        veci channel[4];
        vec16 pixels[NARROW_REGISTERS];

        UNROLLED
        for (unsigned c = 0; c < 4; c++) {
            const vecf v = vecf_saturate(vecf_mul(plane_at(plane->a[c], plane->dx[c], plane->dy[c], x, y), w));

            channel[c] = veci_truncate(vecf_add(vecf_mul(v, vecf_splat((float)NARROW_ONE)), vecf_splat(0.5f)));
        }
        vec16_of_channels(channel[2], channel[1], channel[0], channel[3], pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(out + 4 * l + i * VEC16, pixels[i]);
    }
}

static void color_groups(const struct scene_primitive *primitive, const struct narrow_color *color,
                         const struct group_places *places, unsigned count, int16_t *out)
{
    if (color->kind == NARROW_COLOR_CONSTANT)
        constant_groups(color, count, out);
    else if (color->kind == NARROW_COLOR_STEPS)
        stepped_groups(color, places, count, out);
    else
        float_groups(primitive, color->input, places, count, out);
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */

/* Axis c of a coordinate in whole numbers. Callers have seen to it that nothing here leaves 32 bits (raster/tile/narrow.c). */
static void affine_groups(const struct narrow_coordinate *coordinate, unsigned c, const struct group_places *places,
                          unsigned count, int32_t *out)
{
    _Alignas(64) int32_t first[PLACES];

    for (unsigned g = 0; g < BLOCK_GROUPS; g += VEC)
        veci_store(first + g, veci_truncate(plane_at(coordinate->a[c], coordinate->dx[c], coordinate->dy[c],
                                                     vecf_load(places->x + g), vecf_load(places->y + g))));
    for (unsigned g = 0; g < count; g++, out += GROUP_LANES) {
        const veci start = veci_splat((uint32_t)first[g]);

        FOR_VECTORS(GROUP_LANES)
            veci_store(out + l, veci_add(start, veci_load(&coordinate->offset[c][l])));
    }
}

/* --- batches -------------------------------------------------------------------------------------------------------- */

void KERNEL(raster_interpolate_narrow_block)(const struct narrow_planes *planes, int x, int y,
                                             struct raster_batch *batch)
{
    const struct group_places places = places_of(planes->primitive, x, y);

    for (unsigned i = 0; i < planes->color_count; i++) {
        const struct narrow_color *color = &planes->color[i];

        color_groups(planes->primitive, color, &places, BLOCK_GROUPS, narrow_of(batch->input[color->input]));
    }
    for (unsigned i = 0; i < planes->coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes->coordinate[i];

        for (unsigned c = 0; c < 2; c++)
            affine_groups(coordinate, c, &places, BLOCK_GROUPS, (int32_t *)batch->input[coordinate->input][c]);
    }
}

/* The quads of a place that are wanted, one behind the other, then the last one again up to 16 lanes. */
static void take_quads(const struct raster_place *place, const int16_t *group, int16_t *out)
{
    unsigned quads = place->quads;

    for (unsigned lane = place->lane; lane < place->lane + GROUP_LANES; lane += RASTER_QUAD_LANES) {
        const unsigned from = RASTER_QUAD_LANES * (unsigned)__builtin_ctz(quads);

        quads = quads & (quads - 1) ? quads & (quads - 1) : quads;
        for (unsigned k = 0; k < RASTER_QUAD_LANES; k += 2) /* pairs of pixels stay together */
            memcpy(out + 4 * narrow_place(VEC, lane + k), group + 4 * narrow_place(VEC, from + k), 8 * sizeof(*out));
    }
}

static void take_affine_quads(const struct raster_place *place, const int32_t *group, int32_t *out)
{
    unsigned quads = place->quads;

    for (unsigned lane = place->lane; lane < place->lane + GROUP_LANES; lane += RASTER_QUAD_LANES) {
        memcpy(out + lane, group + RASTER_QUAD_LANES * (unsigned)__builtin_ctz(quads),
               RASTER_QUAD_LANES * sizeof(*out));
        quads = quads & (quads - 1) ? quads & (quads - 1) : quads;
    }
}

void KERNEL(raster_interpolate_narrow)(const struct narrow_planes *planes, const struct raster_place *place,
                                       struct raster_batch *batch)
{
    const struct group_places places = places_of(planes->primitive, place->x, place->y);
    _Alignas(64) int16_t pixels[GROUP_LANES * 4];
    _Alignas(64) int32_t axis[GROUP_LANES];

    BASE_ASSERT(place->lane % RASTER_QUAD_LANES == 0 && place->quads && place->quads < 16 &&
                place->lane + GROUP_LANES <= RASTER_LANES);
    for (unsigned i = 0; i < planes->color_count; i++) {
        const struct narrow_color *color = &planes->color[i];

        color_groups(planes->primitive, color, &places, 1, pixels);
        take_quads(place, pixels, narrow_of(batch->input[color->input]));
    }
    for (unsigned i = 0; i < planes->coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes->coordinate[i];

        for (unsigned c = 0; c < 2; c++) {
            affine_groups(coordinate, c, &places, 1, axis);
            take_affine_quads(place, axis, (int32_t *)batch->input[coordinate->input][c]);
        }
    }
}
