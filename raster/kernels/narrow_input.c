/* SPDX-License-Identifier: MIT */
/*
 * Inputs of narrow states. What is linear over the screen is found by floats at the first pixel of each 4x4 pixels alone, and from there
 * by whole steps; docs/narrow-colour.md tells how far that may lead. These 4x4 pixels begin at multiples of four, wherever groups do: the
 * values of a pixel do not depend on what else is drawn with it.
 */
#include "raster/kernels/lanes.h"
#include "raster/narrow.h"
#include "base/assert.h"
#include "base/simd/simd.h"

#define BLOCK_GROUPS (RASTER_LANES / GROUP_LANES)

/* Where the groups of a block lie, from a plane's reference. A group by itself is the first one. One that is moved lies in up to four
 * 4x4 pixels that begin at multiples of four: x, y are those of the first. */
struct group_places {
    float x[BLOCK_GROUPS], y[BLOCK_GROUPS];
    unsigned moved_x, moved_y; /* pixels, 0..3, of all groups alike */
};

static inline struct group_places places_of(const struct scene_primitive *primitive, int x, int y)
{
    struct group_places places = {.moved_x = (unsigned)x & 3, .moved_y = (unsigned)y & 3};

    for (unsigned g = 0; g < BLOCK_GROUPS; g++) {
        places.x[g] = (float)((x & ~3) + (int)(g & 1) * 4) - primitive->reference_x;
        places.y[g] = (float)((y & ~3) + (int)(g >> 1) * 4) - primitive->reference_y;
    }
    return places;
}

/* The next 4x4 pixels: k bit 0 to the right, bit 1 below. */
static inline struct group_places places_beside(const struct group_places *places, unsigned k)
{
    struct group_places beside = *places;

    for (unsigned g = 0; g < BLOCK_GROUPS; g++) {
        beside.x[g] += k & 1 ? 4.0f : 0.0f;
        beside.y[g] += k & 2 ? 4.0f : 0.0f;
    }
    return beside;
}

static inline bool are_moved(const struct group_places *places)
{
    return (places->moved_x | places->moved_y) != 0;
}

/* The factor that a plane's values are multiplied with: 1, or eye w, which is the same everywhere. */
static inline float plane_factor(const struct scene_primitive *primitive, unsigned input)
{
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    return perspective ? 1.0f / (primitive->depth.a[1] + 0.0f) : 1.0f;
}

/* --- colours ------------------------------------------------------------------------------------------------ */

/* Colours on the way are half as large, so that a register has room for what lies a little outside a primitive. */
#define STEP_ONE 16383.0f
/* Steeper planes than this, by the pixel, would leave that room. */
#define MOST_STEP 4096.0f

/* The channels of a pixel in memory. */
static const uint8_t channel_of_number[4] = {2, 1, 0, 3};

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

/* The plane of a colour, number by number, in 1 / STEP_ONE. */
struct color_plane {
    float a[4], dx[4], dy[4];
};

static inline struct color_plane color_plane(const struct scene_plane4 *plane, float factor)
{
    struct color_plane out;

    for (unsigned i = 0; i < 4; i++) {
        const unsigned c = channel_of_number[i];

        out.a[i] = plane->a[c] * factor * STEP_ONE;
        out.dx[i] = plane->dx[c] * factor * STEP_ONE;
        out.dy[i] = plane->dy[c] * factor * STEP_ONE;
    }
    return out;
}

/* Is there no step that is too large? NaN is. */
static inline bool steps_are_small(const struct color_plane *plane)
{
    bool small = true;

    for (unsigned i = 0; i < 4; i++)
        small &= (plane->dx[i] > -MOST_STEP) & (plane->dx[i] < MOST_STEP) & (plane->dy[i] > -MOST_STEP) &
                 (plane->dy[i] < MOST_STEP);
    return small;
}

static inline void store_pixels_of(const vec16 *v, int16_t *out)
{
    UNROLLED
    for (unsigned i = 0; i < GROUP_REGISTERS; i++)
        vec16_store(out + i * VEC16, v[i]);
}

/* The same colour in `count` groups. */
static void constant_groups(const struct scene_plane4 *plane, float factor, unsigned count, int16_t *out)
{
    int16_t pixel[4];

    for (unsigned i = 0; i < 4; i++)
        pixel[i] = narrow_from((plane->a[channel_of_number[i]] + 0.0f) * factor);
    const vec16 v = vec16_splat_pixel(pixel);

    for (unsigned i = 0; i < count * GROUP_REGISTERS; i++)
        vec16_store(out + i * VEC16, v);
}

/* The first pixel of each group. */
static inline void first_pixels(const struct color_plane *plane, const struct group_places *places,
                                int16_t first[BLOCK_GROUPS][4])
{
    for (unsigned k = 0; k < BLOCK_GROUPS * 4; k++) {
        const unsigned g = k / 4, i = k % 4;
        const float v = plane->a[i] + places->x[g] * plane->dx[i] + places->y[g] * plane->dy[i];
        const float held = v > -65536.0f ? v < 65535.0f ? v : 65535.0f : -65536.0f;

        first[g][i] = (int16_t)((int32_t)(held + 65536.5f) - 65536);
    }
}

/* Whole steps of a colour, and what they add up to in the pixels of a group. */
struct color_steps {
    int16_t dx[4], dy[4];
    vec16 offset[GROUP_REGISTERS];
};

static inline struct color_steps color_steps(const struct color_plane *plane, const struct group_places *places)
{
    const vec16 moved_x = vec16_splat((int16_t)places->moved_x), moved_y = vec16_splat((int16_t)places->moved_y);
    struct color_steps steps;

    for (unsigned i = 0; i < 4; i++) {
        steps.dx[i] = (int16_t)((int32_t)(plane->dx[i] + (MOST_STEP + 0.5f)) - (int32_t)MOST_STEP);
        steps.dy[i] = (int16_t)((int32_t)(plane->dy[i] + (MOST_STEP + 0.5f)) - (int32_t)MOST_STEP);
    }
    const vec16 step_x = vec16_splat_pixel(steps.dx), step_y = vec16_splat_pixel(steps.dy);

    UNROLLED
    for (unsigned i = 0; i < GROUP_REGISTERS; i++)
        steps.offset[i] = vec16_add(vec16_mul_low(vec16_add(vec16_load(pixel_x + i * VEC16), moved_x), step_x),
                                    vec16_mul_low(vec16_add(vec16_load(pixel_y + i * VEC16), moved_y), step_y));
    return steps;
}

/* Half as large yet, to colours. */
static inline void store_doubled(vec16 v, int16_t *out)
{
    vec16_store(out, vec16_max(vec16_adds(v, v), vec16_splat(0)));
}

/* From the first pixel of each group in steps. */
static void stepped_groups(const struct color_plane *plane, const struct group_places *places, unsigned count,
                           int16_t *out)
{
    const struct color_steps steps = color_steps(plane, places);
    int16_t first[BLOCK_GROUPS][4];

    first_pixels(plane, places, first);
    for (unsigned g = 0; g < count; g++, out += GROUP_LANES * 4) {
        const vec16 start = vec16_splat_pixel(first[g]);

        UNROLLED
        for (unsigned i = 0; i < GROUP_REGISTERS; i++)
            store_doubled(vec16_add(start, steps.offset[i]), out + i * VEC16);
    }
}

/* The same of groups that lie in several 4x4 pixels: what lies beyond the first has what the first pixel there is more or less
 * than the steps that lead to it. */
static __attribute__((noinline)) void stepped_moved_groups(const struct color_plane *plane,
                                                           const struct group_places *places, unsigned count,
                                                           int16_t *out)
{
    const struct color_steps steps = color_steps(plane, places);
    int16_t first[4][BLOCK_GROUPS][4];
    const vec16 last_x = vec16_splat((int16_t)(3 - places->moved_x)),
                last_y = vec16_splat((int16_t)(3 - places->moved_y));

    for (unsigned k = 0; k < 4; k++) {
        const struct group_places beside = places_beside(places, k);

        first_pixels(plane, &beside, first[k]);
        for (unsigned n = 0; n < BLOCK_GROUPS * 4; n++)
            first[k][n / 4][n % 4] =
                (int16_t)(first[k][n / 4][n % 4] - (k & 1) * 4 * steps.dx[n % 4] - (k >> 1) * 4 * steps.dy[n % 4]);
    }
    for (unsigned g = 0; g < count; g++, out += GROUP_LANES * 4) {
        const vec16 left = vec16_splat_pixel(first[0][g]), right = vec16_splat_pixel(first[1][g]);
        const vec16 low_left = vec16_splat_pixel(first[2][g]), low_right = vec16_splat_pixel(first[3][g]);

        for (unsigned i = 0; i < GROUP_REGISTERS; i++) {
            const vec16 beyond_x = vec16_greater(vec16_load(pixel_x + i * VEC16), last_x);
            const vec16 beyond_y = vec16_greater(vec16_load(pixel_y + i * VEC16), last_y);
            const vec16 top = vec16_select(beyond_x, right, left), bottom = vec16_select(beyond_x, low_right, low_left);

            store_doubled(vec16_add(vec16_select(beyond_y, bottom, top), steps.offset[i]), out + i * VEC16);
        }
    }
}

/* Each pixel by floats, as interpolate.c does it. */
static __attribute__((noinline)) void float_groups(const struct scene_primitive *primitive, unsigned input,
                                                   const struct group_places *places, unsigned count, int16_t *out)
{
    const struct scene_plane4 *plane = &primitive->input[input];
    const struct scene_plane2 *depth = &primitive->depth;
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    for (unsigned l = 0; l < count * GROUP_LANES; l += VEC) {
        const unsigned g = l / GROUP_LANES;
        float lane_x[VEC], lane_y[VEC];
        veci channel[4];
        vec16 pixels[NARROW_REGISTERS];

        for (unsigned k = 0; k < VEC; k++) {
            lane_x[k] = places->x[g] + (float)((int)places->moved_x + raster_lane_x[(l + k) % GROUP_LANES]);
            lane_y[k] = places->y[g] + (float)((int)places->moved_y + raster_lane_y[(l + k) % GROUP_LANES]);
        }
        const vecf x = vecf_load(lane_x), y = vecf_load(lane_y);
        const vecf rhw = vecf_add(vecf_add(vecf_splat(depth->a[1]), vecf_mul(x, vecf_splat(depth->dx[1]))),
                                  vecf_mul(y, vecf_splat(depth->dy[1])));
        const vecf w = perspective ? vecf_div(vecf_splat(1.0f), rhw) : vecf_splat(1.0f);

        UNROLLED
        for (unsigned c = 0; c < 4; c++) {
            vecf v = vecf_add(vecf_add(vecf_splat(plane->a[c]), vecf_mul(x, vecf_splat(plane->dx[c]))),
                              vecf_mul(y, vecf_splat(plane->dy[c])));

            v = vecf_saturate(vecf_mul(v, w));
            channel[c] = veci_truncate(vecf_add(vecf_mul(v, vecf_splat((float)NARROW_ONE)), vecf_splat(0.5f)));
        }
        vec16_of_channels(channel[2], channel[1], channel[0], channel[3], pixels);
        UNROLLED
        for (unsigned i = 0; i < NARROW_REGISTERS; i++)
            vec16_store(out + 4 * l + i * VEC16, pixels[i]);
    }
}

static void color_groups(const struct scene_primitive *primitive, unsigned input, const struct group_places *places,
                         unsigned count, int16_t *out)
{
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;
    const bool linear = !perspective || scene_has_one_w(primitive);
    const struct scene_plane4 *plane = &primitive->input[input];
    const float factor = plane_factor(primitive, input);

    if (linear && primitive->constant_inputs >> input & 1) {
        constant_groups(plane, factor, count, out);
        return;
    }
    const struct color_plane color = color_plane(plane, factor);

    if (linear && steps_are_small(&color))
        (are_moved(places) ? stepped_moved_groups : stepped_groups)(&color, places, count, out);
    else
        float_groups(primitive, input, places, count, out);
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */

/* The plane of an axis of a coordinate, in whole numbers. */
struct axis_plane {
    float a, dx, dy;
};

/* The first pixel of a group. Callers have seen to it that nothing here leaves 32 bits (setup/planes.c), unless planes are so steep that
 * their values say nothing. */
static inline int32_t first_whole(const struct axis_plane *plane, float x, float y)
{
    const float v = plane->a + x * plane->dx + y * plane->dy;
    const float held = v > -2147483648.0f ? v < 2147483520.0f ? v : 2147483520.0f : -2147483648.0f;

    return (int32_t)held;
}

/* A group that lies in several 4x4 pixels. offset: of the lanes, from the first of these. */
static void affine_moved_group(const struct axis_plane *plane, const struct group_places *places, unsigned g,
                               const int32_t *offset, int32_t *out)
{
    const uint32_t step_x = (uint32_t)(int32_t)plane->dx, step_y = (uint32_t)(int32_t)plane->dy;
    uint32_t first[4];

    for (unsigned k = 0; k < 4; k++)
        first[k] =
            (uint32_t)first_whole(plane, places->x[g] + (k & 1 ? 4.0f : 0.0f), places->y[g] + (k & 2 ? 4.0f : 0.0f)) -
            (k & 1) * 4 * step_x - (k >> 1) * 4 * step_y;
    FOR_GROUP_LANES {
        const unsigned beyond_x = (unsigned)raster_lane_x[l] + places->moved_x > 3,
                       beyond_y = (unsigned)raster_lane_y[l] + places->moved_y > 3;
        const uint32_t top = beyond_x ? first[1] : first[0], bottom = beyond_x ? first[3] : first[2];

        out[l] = (int32_t)((beyond_y ? bottom : top) + (uint32_t)offset[l]);
    }
}

/* Axis c of a coordinate in whole numbers. */
static void affine_groups(const struct scene_primitive *primitive, unsigned input, unsigned c,
                          const struct group_places *places, unsigned count, int32_t *out)
{
    const struct scene_plane4 *of = &primitive->input[input];
    const float factor = plane_factor(primitive, input) * (float)RASTER_AFFINE_ONE;
    const struct axis_plane plane = {of->a[c] * factor, of->dx[c] * factor, of->dy[c] * factor};
    const int32_t step_x = (int32_t)plane.dx, step_y = (int32_t)plane.dy;
    int32_t offset[GROUP_LANES];

    FOR_GROUP_LANES
        offset[l] = (int32_t)(((uint32_t)raster_lane_x[l] + places->moved_x) * (uint32_t)step_x +
                              ((uint32_t)raster_lane_y[l] + places->moved_y) * (uint32_t)step_y);
    for (unsigned g = 0; g < count; g++, out += GROUP_LANES) {
        if (are_moved(places)) {
            affine_moved_group(&plane, places, g, offset, out);
            continue;
        }
        const int32_t first = first_whole(&plane, places->x[g], places->y[g]);

        FOR_VECTORS(GROUP_LANES)
            veci_store(out + l, veci_add(veci_splat((uint32_t)first), veci_load(offset + l)));
    }
}

/* --- batches -------------------------------------------------------------------------------------------------------- */

void KERNEL(raster_interpolate_narrow_block)(const struct scene_primitive *primitive, int x, int y,
                                             struct raster_batch *batch)
{
    const struct group_places places = places_of(primitive, x, y);

    for (unsigned left = primitive->state->narrow_inputs; left; left &= left - 1) {
        const unsigned input = (unsigned)__builtin_ctz(left);

        color_groups(primitive, input, &places, BLOCK_GROUPS, narrow_of(batch->input[input]));
    }
    for (unsigned left = batch->affine; left; left &= left - 1) {
        const unsigned input = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 2; c++)
            affine_groups(primitive, input, c, &places, BLOCK_GROUPS, (int32_t *)batch->input[input][c]);
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

void KERNEL(raster_interpolate_narrow)(const struct scene_primitive *primitive, const struct raster_place *place,
                                       struct raster_batch *batch)
{
    const struct group_places places = places_of(primitive, place->x, place->y);
    _Alignas(64) int16_t color[GROUP_LANES * 4];
    _Alignas(64) int32_t coordinate[GROUP_LANES];

    BASE_ASSERT(place->lane % RASTER_QUAD_LANES == 0 && place->quads && place->quads < 16 &&
                place->lane + GROUP_LANES <= RASTER_LANES);
    for (unsigned left = primitive->state->narrow_inputs; left; left &= left - 1) {
        const unsigned input = (unsigned)__builtin_ctz(left);

        color_groups(primitive, input, &places, 1, color);
        take_quads(place, color, narrow_of(batch->input[input]));
    }
    for (unsigned left = batch->affine; left; left &= left - 1) {
        const unsigned input = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 2; c++) {
            affine_groups(primitive, input, c, &places, 1, coordinate);
            take_affine_quads(place, coordinate, (int32_t *)batch->input[input][c]);
        }
    }
}
