/* SPDX-License-Identifier: MIT */
/* Interpolation of depth and inputs. */
#include "raster/kernels/input_lanes.h"
#include "raster/kernels/lanes.h"
#include "base/simd/simd.h"

/* Pixel offsets of a block's lanes in Morton order. */
#define GROUP_X(o) o, o + 1, o, o + 1, o + 2, o + 3, o + 2, o + 3, o, o + 1, o, o + 1, o + 2, o + 3, o + 2, o + 3
#define GROUP_Y(o) o, o, o + 1, o + 1, o, o, o + 1, o + 1, o + 2, o + 2, o + 3, o + 3, o + 2, o + 2, o + 3, o + 3
static const float lane_x[RASTER_LANES] = {GROUP_X(0), GROUP_X(4), GROUP_X(0), GROUP_X(4)};
static const float lane_y[RASTER_LANES] = {GROUP_Y(0), GROUP_Y(0), GROUP_Y(4), GROUP_Y(4)};

/* --- depth -------------------------------------------------------------------------------------- */

void KERNEL(raster_interpolate_depth)(const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                      float *restrict z)
{
    depth_lanes(primitive, (float)x - primitive->reference_x + offset[0], (float)y - primitive->reference_y + offset[1],
                z);
}

void KERNEL(raster_interpolate_depth_block)(const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                                            float *restrict z)
{
    const float ox = (float)x - primitive->reference_x, oy = (float)y - primitive->reference_y;

    for (unsigned g = 0; g < 4; g++)
        if (mask >> (g * GROUP_LANES) & 0xffff)
            depth_lanes(primitive, ox + (float)((int)(g & 1) * 4), oy + (float)((int)(g >> 1) * 4),
                        z + g * GROUP_LANES);
}

void KERNEL(raster_interpolate_w_depth)(const struct scene_primitive *primitive, int x, int y, const float offset[2],
                                        float *restrict z)
{
    w_depth_lanes(primitive, (float)x - primitive->reference_x + offset[0],
                  (float)y - primitive->reference_y + offset[1], z);
}

void KERNEL(raster_interpolate_w_depth_block)(const struct scene_primitive *primitive, int x, int y, uint64_t mask,
                                              float *restrict z)
{
    const float ox = (float)x - primitive->reference_x, oy = (float)y - primitive->reference_y;

    for (unsigned g = 0; g < 4; g++)
        if (mask >> (g * GROUP_LANES) & 0xffff)
            w_depth_lanes(primitive, ox + (float)((int)(g & 1) * 4), oy + (float)((int)(g >> 1) * 4),
                          z + g * GROUP_LANES);
}

/* --- inputs ------------------------------------------------------------------------------------- */

/* The components in mask of one input; by_w: times w. */
static inline __attribute__((always_inline)) void varying_lanes(const struct scene_plane4 *plane, unsigned mask,
                                                                bool by_w, const struct lane_places *places,
                                                                unsigned count, float (*out)[RASTER_LANES])
{
    UNROLLED
    for (unsigned c = 0; c < 4; c++) {
        const vecf a = vecf_splat(plane->a[c]), dx = vecf_splat(plane->dx[c]), dy = vecf_splat(plane->dy[c]);

        if (!(mask & 1u << c))
            continue;
        UNROLLED
        for (unsigned i = 0; i < count / VEC; i++) {
            vecf v = plane_at(a, dx, dy, places->x[i], places->y[i]);

            vecf_store(&out[c][i * VEC], by_w ? vecf_mul(v, places->w[i]) : v);
        }
    }
}

/* varying_lanes for a constant plane, to the bit: a + 0 + 0 (which makes a zero positive) everywhere. */
static inline __attribute__((always_inline)) void constant_lanes(const struct scene_plane4 *plane, unsigned mask,
                                                                 float w, unsigned count, float (*out)[RASTER_LANES])
{
    UNROLLED
    for (unsigned c = 0; c < 4; c++) {
        const vecf v = vecf_splat((plane->a[c] + 0.0f) * w);

        if (!(mask & 1u << c))
            continue;
        UNROLLED
        for (unsigned i = 0; i < count / VEC; i++)
            vecf_store(&out[c][i * VEC], v);
    }
}

static inline __attribute__((always_inline)) void input_lanes(const struct scene_plane4 *plane, unsigned mask,
                                                              bool constant, bool perspective,
                                                              const struct lane_places *places, unsigned count,
                                                              float (*out)[RASTER_LANES])
{
    if (constant && (!perspective || places->same_w != 0.0f))
        constant_lanes(plane, mask, perspective ? places->same_w : 1.0f, count, out);
    else if (perspective && places->same_w != 1.0f) /* times 1 changes nothing */
        varying_lanes(plane, mask, true, places, count, out);
    else
        varying_lanes(plane, mask, false, places, count, out);
}

static inline __attribute__((always_inline)) void interpolate_lanes(const struct scene_primitive *primitive, int x,
                                                                    int y, const float *places_x, const float *places_y,
                                                                    struct raster_batch *batch, unsigned lane,
                                                                    unsigned count)
{
    const struct raster_draw_state *state = primitive->state;
    const unsigned left_out = state->narrow ? state->narrow_inputs | batch->affine : 0;
    struct lane_places places;

    find_places(primitive, x, y, places_x, places_y, count, &places);
    other_lanes(primitive, x, y, places_x, places_y, &places, batch, lane, count);
    for (unsigned i = 0; i < state->input_count; i++) {
        const bool pass_through = i + 1u == batch->pass_through_input;

        if (left_out >> i & 1)
            continue;

        input_lanes(&primitive->input[i], pass_through ? batch->pass_through_components : state->input_mask[i],
                    primitive->constant_inputs >> i & 1, state->interpolation[i] == RASTER_PERSPECTIVE, &places, count,
                    (float(*)[RASTER_LANES]) & (pass_through ? batch->color[0] : batch->input[i])[0][lane]);
    }
}

void KERNEL(raster_interpolate)(const struct scene_primitive *primitive, const struct raster_place *place,
                                struct raster_batch *batch)
{
    BASE_ASSERT(place->lane % RASTER_QUAD_LANES == 0 && place->lane + GROUP_LANES <= RASTER_LANES && place->quads < 16);
    interpolate_lanes(primitive, place->x, place->y, quads_x[place->quads], quads_y[place->quads], batch, place->lane,
                      GROUP_LANES);
}

void KERNEL(raster_interpolate_block)(const struct scene_primitive *primitive, int x, int y, struct raster_batch *batch)
{
    interpolate_lanes(primitive, x, y, lane_x, lane_y, batch, 0, RASTER_LANES);
}
