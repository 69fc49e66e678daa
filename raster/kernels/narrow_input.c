/* SPDX-License-Identifier: MIT */
/*
 * Inputs of narrow states. Inputs that are linear over the screen are computed in floats only at the first pixel of
 * each 4x4 pixels, and from there in integer steps; docs/narrow-colour.md gives the error. These 4x4 pixels begin at
 * multiples of four, even if groups do not, so that the values of a pixel do not depend on the pixels drawn with it.
 */
#include "raster/kernels/input_lanes.h"
#include "raster/kernels/narrow_lanes.h"
#include "raster/kernels/narrow_planes.h"
#include "base/assert.h"
#include "base/simd/simd.h"

#define BLOCK_GROUPS (RASTER_LANES / GROUP_LANES)

#define PLACES       (VEC > BLOCK_GROUPS ? VEC : BLOCK_GROUPS)

/* The positions of a block's groups from a plane's reference, stored twice. A single group is the first one. */
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
static inline vecf value_at(float a, float dx, float dy, vecf x, vecf y)
{
    return plane_at(vecf_splat(a), vecf_splat(dx), vecf_splat(dy), x, y);
}

/* --- colours ------------------------------------------------------------------------------------------------ */

/* The pixels of a group, or of some of its quads, in register order, as offsets from the group's first pixel. */
#define LANE_X(l)      ((l)&1) | ((l) >> 1 & 2)
#define LANE_Y(l)      ((l) >> 1 & 1) | ((l) >> 2 & 2)
#define PIXEL(LANE, l) LANE(l), LANE(l), LANE(l), LANE(l)
#define UPPER(LANE, q) PIXEL(LANE, 4 * (q)), PIXEL(LANE, 4 * (q) + 1)
#define LOWER(LANE, q) PIXEL(LANE, 4 * (q) + 2), PIXEL(LANE, 4 * (q) + 3)
#if VEC == 16
#define PIXELS(LANE, a, b, c, d)                                                                        \
    {                                                                                                   \
        UPPER(LANE, a), UPPER(LANE, b), UPPER(LANE, c), UPPER(LANE, d), LOWER(LANE, a), LOWER(LANE, b), \
            LOWER(LANE, c), LOWER(LANE, d)                                                              \
    }
#elif VEC == 8
#define PIXELS(LANE, a, b, c, d)                                                                        \
    {                                                                                                   \
        UPPER(LANE, a), UPPER(LANE, b), LOWER(LANE, a), LOWER(LANE, b), UPPER(LANE, c), UPPER(LANE, d), \
            LOWER(LANE, c), LOWER(LANE, d)                                                              \
    }
#else
#define PIXELS(LANE, a, b, c, d)                                                                        \
    {                                                                                                   \
        UPPER(LANE, a), LOWER(LANE, a), UPPER(LANE, b), LOWER(LANE, b), UPPER(LANE, c), LOWER(LANE, c), \
            UPPER(LANE, d), LOWER(LANE, d)                                                              \
    }
#endif
#define PIXELS_X(a, b, c, d) PIXELS(LANE_X, a, b, c, d)
#define PIXELS_Y(a, b, c, d) PIXELS(LANE_Y, a, b, c, d)
static const _Alignas(64) int16_t pixel_x[16][GROUP_LANES * 4] = {QUAD_SETS(PIXELS_X)};
static const _Alignas(64) int16_t pixel_y[16][GROUP_LANES * 4] = {QUAD_SETS(PIXELS_Y)};

#define ALL_QUADS       15

#define GROUP_REGISTERS (GROUP_LANES * 4 / VEC16)

/* The same colour everywhere. */
static void constant_groups(const struct narrow_color *color, int16_t *out)
{
    const vec16 v = vec16_splat_pixel(color->constant);

    for (unsigned i = 0; i < BLOCK_GROUPS * GROUP_REGISTERS; i++)
        vec16_store(out + i * VEC16, v);
}

/* Number i of a colour at the first pixels of groups, modulo 65536. */
static inline veci first_number(const struct narrow_color *color, unsigned i, vecf x, vecf y)
{
    const vecf v = value_at(color->a[i], color->dx[i], color->dy[i], x, y);

    return veci_truncate(vecf_add(vecf_limit(v, vecf_splat(-65536.0f), vecf_splat(65535.0f)), vecf_splat(65536.5f)));
}

/* From half-size numbers to colours. */
static inline vec16 doubled(vec16 v)
{
    return vec16_max(vec16_adds(v, v), vec16_splat(0));
}

/* The first pixels of groups. */
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

/* Register i of the offsets from a group's first pixel to the pixels of its quads. */
static inline vec16 steps_of(unsigned quads, unsigned i, vec16 step_x, vec16 step_y)
{
    return vec16_add(vec16_mul_low(vec16_load(&pixel_x[quads][i * VEC16]), step_x),
                     vec16_mul_low(vec16_load(&pixel_y[quads][i * VEC16]), step_y));
}

/* From the first pixel of each group in steps. */
static void stepped_groups(const struct narrow_color *color, const struct group_places *places, int16_t *out)
{
    const vec16 step_x = vec16_splat_pixel(color->step_x), step_y = vec16_splat_pixel(color->step_y);
    _Alignas(64) int16_t first[4 * PLACES];
    vec16 offset[GROUP_REGISTERS];

    first_pixels(color, places, first);
    UNROLLED
    for (unsigned i = 0; i < GROUP_REGISTERS; i++)
        offset[i] = steps_of(ALL_QUADS, i, step_x, step_y);
    for (unsigned g = 0; g < BLOCK_GROUPS; g++, out += GROUP_LANES * 4) {
        const vec16 start = vec16_splat_pixel(first + 4 * narrow_place(VEC, g));

        UNROLLED
        for (unsigned i = 0; i < GROUP_REGISTERS; i++)
            vec16_store(out + i * VEC16, doubled(vec16_add(start, offset[i])));
    }
}

/* A colour of VEC pixels, interpolated in floats as in input_lanes.h. by_w: multiplied by w. */
static inline __attribute__((always_inline)) void float_pixels(const struct scene_plane4 *plane, vecf x, vecf y,
                                                               bool by_w, vecf w, vec16 pixels[NARROW_REGISTERS])
{
    veci channel[4];

    UNROLLED
    for (unsigned c = 0; c < 4; c++) {
        const vecf value = value_at(plane->a[c], plane->dx[c], plane->dy[c], x, y);
        const vecf held = vecf_saturate(by_w ? vecf_mul(value, w) : value);

        channel[c] = veci_truncate(vecf_add(vecf_mul(held, vecf_splat((float)NARROW_ONE)), vecf_splat(0.5f)));
    }
    vec16_of_channels(channel[2], channel[1], channel[0], channel[3], pixels);
}

/* Each pixel by floats. */
static __attribute__((noinline)) void float_groups(const struct scene_primitive *primitive, unsigned input,
                                                   const struct group_places *places, int16_t *out)
{
    const struct scene_plane2 *depth = &primitive->depth;
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    for (unsigned l = 0; l < RASTER_LANES; l += VEC) {
        const unsigned g = l / GROUP_LANES, first = l % GROUP_LANES;
        const vecf x = vecf_add(vecf_splat(places->x[g]), vecf_load(&quads_x[ALL_QUADS][first]));
        const vecf y = vecf_add(vecf_splat(places->y[g]), vecf_load(&quads_y[ALL_QUADS][first]));
        const vecf one = vecf_splat(1.0f);
        const vecf w = perspective ? vecf_div(one, value_at(depth->a[1], depth->dx[1], depth->dy[1], x, y)) : one;
        vec16 pixels[NARROW_REGISTERS];

        float_pixels(&primitive->input[input], x, y, true, w, pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(out + 4 * l + i * VEC16, pixels[i]);
    }
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */

/* 0..3 times a step. */
static inline veci times_step(veci offset, int32_t step)
{
#if SIMD_HAS_GATHER
    return vector_mul(offset, veci_splat((uint32_t)step));
#else
    const veci zero = veci_splat(0), one = veci_splat(1);
    const veci odd = veci_sub(zero, veci_and(offset, one)), high = veci_sub(zero, veci_right(offset, 1));

    return veci_add(veci_and(odd, veci_splat((uint32_t)step)), veci_and(high, veci_splat(2u * (uint32_t)step)));
#endif
}

/* The change of axis c from the first pixel of 4x4 to the pixel (x, y) after it, modulo 2^32. */
static inline veci coordinate_steps(const struct narrow_coordinate *coordinate, unsigned c, veci x, veci y)
{
    return veci_add(times_step(x, coordinate->step_x[c]), times_step(y, coordinate->step_y[c]));
}

/* Axis c of an integer coordinate at the first pixels of groups, from group g on. */
static inline veci first_of(const struct narrow_coordinate *coordinate, unsigned c, const struct group_places *places,
                            unsigned g)
{
    return veci_truncate(value_at(coordinate->a[c], coordinate->dx[c], coordinate->dy[c], vecf_load(places->x + g),
                                  vecf_load(places->y + g)));
}

/* Axis c of an integer coordinate. Callers ensure that nothing here overflows 32 bits (raster/tile/narrow.c). */
static void affine_groups(const struct narrow_coordinate *coordinate, unsigned c, const struct group_places *places,
                          int32_t *out)
{
    _Alignas(64) int32_t first[PLACES];
    veci offset[GROUP_LANES / VEC];

    FOR_VECTORS(GROUP_LANES)
        offset[l / VEC] = coordinate_steps(coordinate, c, veci_load(raster_lane_x + l), veci_load(raster_lane_y + l));
    for (unsigned g = 0; g < BLOCK_GROUPS; g += VEC)
        veci_store(first + g, first_of(coordinate, c, places, g));
    for (unsigned g = 0; g < BLOCK_GROUPS; g++, out += GROUP_LANES) {
        const veci start = veci_splat((uint32_t)first[g]);

        FOR_VECTORS(GROUP_LANES)
            veci_store(out + l, veci_add(start, offset[l / VEC]));
    }
}

/* --- lanes that lie anywhere ------------------------------------------------------------------------------- */

/* Lanes of groups that do not begin at multiples of four: the first pixels of their 4x4 pixels, from a plane's
 * reference, and the lanes' offsets from these, 0..3. */
struct moved_lanes {
    vecf x, y;
    veci offset_x, offset_y;
};

/* x, y: of the lanes' pixels. */
static inline struct moved_lanes moved_lanes(const struct scene_primitive *primitive, veci x, veci y)
{
    const veci behind = veci_splat(3);
    struct moved_lanes lanes = {.offset_x = veci_and(x, behind), .offset_y = veci_and(y, behind)};

    lanes.x = vecf_sub(vecf_from(veci_sub(x, lanes.offset_x)), vecf_splat(primitive->reference_x));
    lanes.y = vecf_sub(vecf_from(veci_sub(y, lanes.offset_y)), vecf_splat(primitive->reference_y));
    return lanes;
}

/* A colour in steps. */
static inline void moved_color(const struct narrow_color *color, const struct moved_lanes *lanes,
                               vec16 pixels[NARROW_REGISTERS])
{
    const veci offset = veci_or(lanes->offset_x, veci_left(lanes->offset_y, 16));
    veci number[4];

    UNROLLED
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t steps = (uint16_t)color->step_x[i] | (uint32_t)(uint16_t)color->step_y[i] << 16;

        number[i] = veci_add(first_number(color, i, lanes->x, lanes->y), veci_madd16(offset, veci_splat(steps)));
    }
    vec16_of_channels(number[0], number[1], number[2], number[3], pixels);
    UNROLLED
    for (unsigned i = 0; i < NARROW_REGISTERS; i++)
        pixels[i] = doubled(pixels[i]);
}

/* Axis c of an integer coordinate. */
static inline veci moved_coordinate(const struct narrow_coordinate *coordinate, unsigned c,
                                    const struct moved_lanes *lanes)
{
    const veci first =
        veci_truncate(value_at(coordinate->a[c], coordinate->dx[c], coordinate->dy[c], lanes->x, lanes->y));

    return veci_add(first, coordinate_steps(coordinate, c, lanes->offset_x, lanes->offset_y));
}

/* --- blocks --------------------------------------------------------------------------------------------------------- */

/* The lanes of a block from lane l on. */
static inline struct moved_lanes block_lanes(const struct scene_primitive *primitive, int x, int y, unsigned l)
{
    const unsigned g = l / GROUP_LANES, first = l % GROUP_LANES;

    return moved_lanes(primitive,
                       veci_add(veci_splat((uint32_t)(x + (int)(g & 1) * 4)), veci_load(raster_lane_x + first)),
                       veci_add(veci_splat((uint32_t)(y + (int)(g >> 1) * 4)), veci_load(raster_lane_y + first)));
}

/* Colours and coordinates of a block that does not begin at multiples of four. */
static __attribute__((noinline)) void moved_block_color(const struct scene_primitive *primitive, int x, int y,
                                                        const struct narrow_color *color, int16_t *out)
{
    for (unsigned l = 0; l < RASTER_LANES; l += VEC) {
        const struct moved_lanes lanes = block_lanes(primitive, x, y, l);
        vec16 pixels[NARROW_REGISTERS];

        moved_color(color, &lanes, pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(out + 4 * l + i * VEC16, pixels[i]);
    }
}

static __attribute__((noinline)) void moved_block_coordinate(const struct scene_primitive *primitive, int x, int y,
                                                             const struct narrow_coordinate *coordinate,
                                                             float (*out)[RASTER_LANES])
{
    for (unsigned l = 0; l < RASTER_LANES; l += VEC) {
        const struct moved_lanes lanes = block_lanes(primitive, x, y, l);

        UNROLLED
        for (unsigned c = 0; c < 2; c++)
            veci_store(&out[c][l], moved_coordinate(coordinate, c, &lanes));
    }
}

static inline bool is_moved(int x, int y)
{
    return ((x | y) & 3) != 0;
}

void KERNEL(raster_interpolate_narrow_colors)(const struct narrow_planes *planes, int x, int y,
                                              struct raster_batch *batch)
{
    const struct scene_primitive *primitive = planes->primitive;
    const struct group_places places = places_of(primitive, x, y);

    for (unsigned i = 0; i < planes->color_count; i++) {
        const struct narrow_color *color = &planes->color[i];
        int16_t *out = narrow_of(batch->input[color->input]);

        if (color->kind == NARROW_COLOR_CONSTANT)
            constant_groups(color, out);
        else if (color->kind == NARROW_COLOR_FLOATS)
            float_groups(primitive, color->input, &places, out);
        else if (is_moved(x, y))
            moved_block_color(primitive, x, y, color, out);
        else
            stepped_groups(color, &places, out);
    }
}

void KERNEL(raster_interpolate_narrow_coordinates)(const struct narrow_planes *planes, int x, int y, unsigned inputs,
                                                   struct raster_batch *batch)
{
    const struct scene_primitive *primitive = planes->primitive;
    const struct group_places places = places_of(primitive, x, y);

    for (unsigned i = 0; i < planes->coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes->coordinate[i];

        if (!(inputs >> coordinate->input & 1))
            continue;
        if (is_moved(x, y))
            moved_block_coordinate(primitive, x, y, coordinate, batch->input[coordinate->input]);
        else
            for (unsigned c = 0; c < 2; c++)
                affine_groups(coordinate, c, &places, (int32_t *)batch->input[coordinate->input][c]);
    }
}

void KERNEL(raster_start_narrow_coordinate)(const struct narrow_planes *planes,
                                            const struct narrow_coordinate *coordinate, int x, int y,
                                            int32_t (*start)[BLOCK_GROUPS])
{
    const struct group_places places = places_of(planes->primitive, x, y);
    _Alignas(64) int32_t first[PLACES];

    BASE_ASSERT(!is_moved(x, y));
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned g = 0; g < BLOCK_GROUPS; g += VEC)
            veci_store(first + g, first_of(coordinate, c, &places, g));
        memcpy(start[c], first, sizeof(start[c]));
    }
}

/* --- quads of a group ----------------------------------------------------------------------------------------------- */

static inline void constant_quads(const struct narrow_color *color, unsigned lane, int16_t *out)
{
    vec16 pixels[NARROW_REGISTERS];

    UNROLLED
    for (unsigned i = 0; i < NARROW_REGISTERS; i++)
        pixels[i] = vec16_splat_pixel(color->constant);
    FOR_VECTORS(GROUP_LANES)
        store_pixels_at(lane, l, pixels, out);
}

static inline __attribute__((always_inline)) void float_quads(const struct scene_plane4 *plane, bool by_w,
                                                              const struct lane_places *places, unsigned lane,
                                                              int16_t *out)
{
    FOR_VECTORS(GROUP_LANES) {
        vec16 pixels[NARROW_REGISTERS];

        float_pixels(plane, places->x[l / VEC], places->y[l / VEC], by_w, places->w[l / VEC], pixels);
        store_pixels_at(lane, l, pixels, out);
    }
}

/* Some components; by_w: times w. */
static inline __attribute__((always_inline)) void component_quads(const struct narrow_float *component, unsigned count,
                                                                  bool by_w, const float *planes,
                                                                  const struct lane_places *places, float *inputs)
{
    const size_t row = offsetof(struct scene_plane4, dx) / sizeof(float);

    for (const struct narrow_float *end = component + count; component < end; component++) {
        const float *plane = planes + component->plane;
        const vecf a = vecf_splat(plane[0]), dx = vecf_splat(plane[row]), dy = vecf_splat(plane[2 * row]);
        float *out = inputs + component->lane;

        FOR_VECTORS(GROUP_LANES) {
            const vecf v = plane_at(a, dx, dy, places->x[l / VEC], places->y[l / VEC]);

            vecf_store(out + l, by_w ? vecf_mul(v, places->w[l / VEC]) : v);
        }
    }
}

/* All inputs that need w, which is computed once. */
static inline __attribute__((always_inline)) void float_inputs(const struct narrow_planes *planes,
                                                               const struct raster_place *place,
                                                               struct raster_batch *batch)
{
    const float *places_x = quads_x[place->quads], *places_y = quads_y[place->quads];
    const struct scene_primitive *primitive = planes->primitive;
    const struct narrow_floats *floats = &planes->floats;
    float *inputs = &batch->input[0][0][place->lane];
    struct lane_places places;

    find_places(primitive, place->x, place->y, places_x, places_y, GROUP_LANES, &places);
    for (unsigned i = 0; i < planes->color_count; i++) {
        const unsigned input = planes->color[i].input;

        if (planes->color[i].kind != NARROW_COLOR_FLOATS)
            continue;
        if (primitive->state->interpolation[input] == RASTER_PERSPECTIVE)
            float_quads(&primitive->input[input], true, &places, place->lane, narrow_of(batch->input[input]));
        else
            float_quads(&primitive->input[input], false, &places, place->lane, narrow_of(batch->input[input]));
    }
    component_quads(floats->component, floats->perspective_count, true, primitive->input[0].a, &places, inputs);
    component_quads(floats->component + floats->perspective_count, floats->count - floats->perspective_count, false,
                    primitive->input[0].a, &places, inputs);
    if (floats->others)
        other_lanes(primitive, place->x, place->y, places_x, places_y, &places, batch, place->lane, GROUP_LANES);
}

/* x, y: of the group's first pixel, from the planes' reference. */
static inline void stepped_quads(const struct narrow_color *color, float x, float y, const struct raster_place *place,
                                 int16_t *out)
{
    const vec16 step_x = vec16_splat_pixel(color->step_x), step_y = vec16_splat_pixel(color->step_y);
    vec16 start[NARROW_REGISTERS];
    veci number[4];

    UNROLLED
    for (unsigned i = 0; i < 4; i++)
        number[i] = first_number(color, i, vecf_splat(x), vecf_splat(y));
    vec16_of_channels(number[0], number[1], number[2], number[3], start);
    FOR_VECTORS(GROUP_LANES) {
        vec16 pixels[NARROW_REGISTERS];

        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            pixels[i] =
                doubled(vec16_add(start[0], steps_of(place->quads, l / VEC * NARROW_REGISTERS + i, step_x, step_y)));
        store_pixels_at(place->lane, l, pixels, out);
    }
}

/* Integers are moved as if they were floats. */
static inline void affine_quads(const struct narrow_coordinate *coordinate, unsigned c, float x, float y,
                                unsigned quads, int32_t *out)
{
    const veci start =
        veci_truncate(value_at(coordinate->a[c], coordinate->dx[c], coordinate->dy[c], vecf_splat(x), vecf_splat(y)));

    FOR_VECTORS(GROUP_LANES)
        veci_store(out + l,
                   veci_add(start, coordinate_steps(coordinate, c, veci_truncate(vecf_load(quads_x[quads] + l)),
                                                    veci_truncate(vecf_load(quads_y[quads] + l)))));
}

static __attribute__((noinline)) void stepped_inputs(const struct narrow_planes *planes,
                                                     const struct raster_place *place, struct raster_batch *batch)
{
    const float x = (float)place->x - planes->primitive->reference_x;
    const float y = (float)place->y - planes->primitive->reference_y;

    for (unsigned i = 0; i < planes->color_count; i++)
        if (planes->color[i].kind == NARROW_COLOR_STEPS)
            stepped_quads(&planes->color[i], x, y, place, narrow_of(batch->input[planes->color[i].input]));
    for (unsigned i = 0; i < planes->coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes->coordinate[i];

        for (unsigned c = 0; c < 2; c++)
            affine_quads(coordinate, c, x, y, place->quads,
                         (int32_t *)&batch->input[coordinate->input][c][place->lane]);
    }
}

/* stepped_inputs of a group that does not begin at multiples of four. */
static __attribute__((noinline)) void moved_inputs(const struct narrow_planes *planes, const struct raster_place *place,
                                                   struct raster_batch *batch)
{
    FOR_VECTORS(GROUP_LANES) {
        const veci x = veci_add(veci_splat((uint32_t)place->x), veci_truncate(vecf_load(&quads_x[place->quads][l])));
        const veci y = veci_add(veci_splat((uint32_t)place->y), veci_truncate(vecf_load(&quads_y[place->quads][l])));
        const struct moved_lanes lanes = moved_lanes(planes->primitive, x, y);

        for (unsigned i = 0; i < planes->color_count; i++) {
            vec16 pixels[NARROW_REGISTERS];

            if (planes->color[i].kind != NARROW_COLOR_STEPS)
                continue;
            moved_color(&planes->color[i], &lanes, pixels);
            store_pixels_at(place->lane, l, pixels, narrow_of(batch->input[planes->color[i].input]));
        }
        for (unsigned i = 0; i < planes->coordinate_count; i++)
            for (unsigned c = 0; c < 2; c++)
                veci_store(&batch->input[planes->coordinate[i].input][c][place->lane + l],
                           moved_coordinate(&planes->coordinate[i], c, &lanes));
    }
}

void KERNEL(raster_interpolate_narrow)(const struct narrow_planes *planes, const struct raster_place *place,
                                       struct raster_batch *batch)
{
    BASE_ASSERT(place->lane % RASTER_QUAD_LANES == 0 && place->quads && place->quads < 16 &&
                place->lane + GROUP_LANES <= RASTER_LANES);
    if (planes->needs_w)
        float_inputs(planes, place, batch);
    for (unsigned i = 0; i < planes->color_count; i++)
        if (planes->color[i].kind == NARROW_COLOR_CONSTANT)
            constant_quads(&planes->color[i], place->lane, narrow_of(batch->input[planes->color[i].input]));
    if (!planes->has_steps)
        return;
    if (is_moved(place->x, place->y))
        moved_inputs(planes, place, batch);
    else
        stepped_inputs(planes, place, batch);
}
