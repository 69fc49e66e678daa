/* SPDX-License-Identifier: MIT */
/*
 * Inputs of narrow states. What is linear over the screen is found by floats at the first pixel of each 4x4 pixels alone, and from there
 * by whole steps; docs/narrow-colour.md tells how far that may lead. These 4x4 pixels begin at multiples of four, wherever groups do: the
 * values of a pixel do not depend on what else is drawn with it.
 */
#include "raster/kernels/lanes.h"
#include "raster/kernels/narrow_planes.h"
#include "raster/kernels/narrow_lanes.h"
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

/* Number i of a colour at the first pixels of groups, modulo 65536. */
static inline veci first_number(const struct narrow_color *color, unsigned i, vecf x, vecf y)
{
    const vecf v = plane_at(color->a[i], color->dx[i], color->dy[i], x, y);

    return veci_truncate(vecf_add(vecf_limit(v, vecf_splat(-65536.0f), vecf_splat(65535.0f)), vecf_splat(65536.5f)));
}

/* Half as large yet, to colours. */
static inline void store_doubled(vec16 v, int16_t *out)
{
    vec16_store(out, vec16_max(vec16_adds(v, v), vec16_splat(0)));
}

/* The pixels that groups begin with. */
static inline void first_pixels(const struct narrow_color *color, const struct group_places *places, int16_t *first)
{
    for (unsigned g = 0; g < BLOCK_GROUPS; g += VEC) {
        const vecf x = vecf_load(places->x + g), y = vecf_load(places->y + g);
        vec16 pixels[NARROW_REGISTERS];
        veci number[4];

        UNROLLED
        for (unsigned i = 0; i < 4; i++)
            number[i] = first_number(color, i, x, y);
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
        for (unsigned i = 0; i < GROUP_REGISTERS; i++)
            store_doubled(vec16_add(start, offset[i]), out + i * VEC16);
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

/* --- groups that begin elsewhere --------------------------------------------------------------------------- */

/* Lanes of moved groups: the first ones of their 4x4 pixels, from a plane's reference, and how far they lie behind these, 0..3. */
struct moved_lanes {
    vecf x, y;
    veci offset_x, offset_y;
};

/* VEC lanes of a group or block at pixel (x, y) from lane l on. */
static inline struct moved_lanes moved_lanes(const struct scene_primitive *primitive, int x, int y, unsigned l)
{
    const unsigned g = l / GROUP_LANES, first = l % GROUP_LANES;
    const veci px = veci_add(veci_splat((uint32_t)(x + (int)(g & 1) * 4)), veci_load(raster_lane_x + first));
    const veci py = veci_add(veci_splat((uint32_t)(y + (int)(g >> 1) * 4)), veci_load(raster_lane_y + first));
    const veci behind = veci_splat(3);
    struct moved_lanes lanes = {.offset_x = veci_and(px, behind), .offset_y = veci_and(py, behind)};

    lanes.x = vecf_sub(vecf_from(veci_sub(px, lanes.offset_x)), vecf_splat(primitive->reference_x));
    lanes.y = vecf_sub(vecf_from(veci_sub(py, lanes.offset_y)), vecf_splat(primitive->reference_y));
    return lanes;
}

/* stepped_groups of such. */
static void moved_colors(const struct scene_primitive *primitive, const struct narrow_color *color, int x, int y,
                         unsigned count, int16_t *out)
{
    for (unsigned l = 0; l < count * GROUP_LANES; l += VEC) {
        const struct moved_lanes lanes = moved_lanes(primitive, x, y, l);
        const veci offset = veci_or(lanes.offset_x, veci_left(lanes.offset_y, 16));
        vec16 pixels[NARROW_REGISTERS];
        veci number[4];

        UNROLLED
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t steps = (uint16_t)color->step_x[i] | (uint32_t)(uint16_t)color->step_y[i] << 16;

            number[i] = veci_add(first_number(color, i, lanes.x, lanes.y), veci_madd16(offset, veci_splat(steps)));
        }
        vec16_of_channels(number[0], number[1], number[2], number[3], pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            store_doubled(pixels[i], out + 4 * l + i * VEC16);
    }
}

/* 0..3 times a step. */
static inline veci times_step(veci offset, int32_t step)
{
    const veci zero = veci_splat(0), one = veci_splat(1);
    const veci odd = veci_sub(zero, veci_and(offset, one)), high = veci_sub(zero, veci_right(offset, 1));

    return veci_add(veci_and(odd, veci_splat((uint32_t)step)), veci_and(high, veci_splat(2u * (uint32_t)step)));
}

/* affine_groups of such. */
static void moved_coordinates(const struct scene_primitive *primitive, const struct narrow_coordinate *coordinate,
                              unsigned c, int x, int y, unsigned count, int32_t *out)
{
    const int32_t step_x = coordinate->offset[c][1], step_y = coordinate->offset[c][2];

    for (unsigned l = 0; l < count * GROUP_LANES; l += VEC) {
        const struct moved_lanes lanes = moved_lanes(primitive, x, y, l);
        const veci first =
            veci_truncate(plane_at(coordinate->a[c], coordinate->dx[c], coordinate->dy[c], lanes.x, lanes.y));

        veci_store(out + l,
                   veci_add(first, veci_add(times_step(lanes.offset_x, step_x), times_step(lanes.offset_y, step_y))));
    }
}

/* --- batches -------------------------------------------------------------------------------------------------------- */

/* A group, or a block of four, of which the first pixel is (x, y). */
struct narrow_groups {
    const struct scene_primitive *primitive;
    int x, y;
    unsigned count;
    bool moved; /* does not begin at multiples of four */
    struct group_places places;
};

static inline struct narrow_groups groups_at(const struct scene_primitive *primitive, int x, int y, unsigned count)
{
    return (struct narrow_groups){primitive, x, y, count, ((x | y) & 3) != 0, places_of(primitive, x, y)};
}

static void color_pixels(const struct narrow_groups *groups, const struct narrow_color *color, int16_t *out)
{
    if (color->kind == NARROW_COLOR_CONSTANT)
        constant_groups(color, groups->count, out);
    else if (color->kind == NARROW_COLOR_FLOATS)
        float_groups(groups->primitive, color->input, &groups->places, groups->count, out);
    else if (groups->moved)
        moved_colors(groups->primitive, color, groups->x, groups->y, groups->count, out);
    else
        stepped_groups(color, &groups->places, groups->count, out);
}

static void coordinate_axis(const struct narrow_groups *groups, const struct narrow_coordinate *coordinate, unsigned c,
                            int32_t *out)
{
    if (groups->moved)
        moved_coordinates(groups->primitive, coordinate, c, groups->x, groups->y, groups->count, out);
    else
        affine_groups(coordinate, c, &groups->places, groups->count, out);
}

void KERNEL(raster_interpolate_narrow_block)(const struct narrow_planes *planes, int x, int y,
                                             struct raster_batch *batch)
{
    const struct narrow_groups groups = groups_at(planes->primitive, x, y, BLOCK_GROUPS);

    for (unsigned i = 0; i < planes->color_count; i++)
        color_pixels(&groups, &planes->color[i], narrow_of(batch->input[planes->color[i].input]));
    for (unsigned i = 0; i < planes->coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes->coordinate[i];

        for (unsigned c = 0; c < 2; c++)
            coordinate_axis(&groups, coordinate, c, (int32_t *)batch->input[coordinate->input][c]);
    }
}

/* The quads of a place that are wanted, one behind the other, then the last one again up to 16 lanes. */
static void take_quads(const struct raster_place *place, const int16_t *group, int16_t *out)
{
    unsigned quads = place->quads;

    for (unsigned lane = place->lane; lane < place->lane + GROUP_LANES; lane += RASTER_QUAD_LANES) {
        copy_narrow_quad(out, lane / RASTER_QUAD_LANES, group, (unsigned)__builtin_ctz(quads));
        quads = quads & (quads - 1) ? quads & (quads - 1) : quads;
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
    const struct narrow_groups group = groups_at(planes->primitive, place->x, place->y, 1);
    _Alignas(64) int16_t pixels[GROUP_LANES * 4];
    _Alignas(64) int32_t axis[GROUP_LANES];

    BASE_ASSERT(place->lane % RASTER_QUAD_LANES == 0 && place->quads && place->quads < 16 &&
                place->lane + GROUP_LANES <= RASTER_LANES);
    const bool whole = place->quads == 15 && place->lane % GROUP_LANES == 0;

    for (unsigned i = 0; i < planes->color_count; i++) {
        int16_t *out = narrow_of(batch->input[planes->color[i].input]);

        color_pixels(&group, &planes->color[i], whole ? out + 4 * place->lane : pixels);
        if (!whole)
            take_quads(place, pixels, out);
    }
    for (unsigned i = 0; i < planes->coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes->coordinate[i];

        for (unsigned c = 0; c < 2; c++) {
            int32_t *out = (int32_t *)batch->input[coordinate->input][c];

            coordinate_axis(&group, coordinate, c, whole ? out + place->lane : axis);
            if (!whole)
                take_affine_quads(place, axis, out);
        }
    }
}
