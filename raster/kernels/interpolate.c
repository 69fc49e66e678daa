/* SPDX-License-Identifier: MIT */
/* Interpolation of depth and inputs. */
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

/* Where lanes lie: from the planes' reference, and eye w; same_w: the w of all lanes, if it is not 0. */
struct lane_places {
    vecf x[RASTER_LANES / VEC], y[RASTER_LANES / VEC], w[RASTER_LANES / VEC];
    float same_w;
};

/* Value of a plane: a + x dx + y dy. */
static inline vecf plane_at(vecf a, vecf dx, vecf dy, vecf x, vecf y)
{
    return vecf_add(vecf_add(a, vecf_mul(x, dx)), vecf_mul(y, dy));
}

static inline __attribute__((always_inline)) void find_w(const struct scene_primitive *primitive,
                                                         struct lane_places *places, unsigned count)
{
    const struct scene_plane2 *plane = &primitive->depth;
    const vecf a = vecf_splat(plane->a[1]), dx = vecf_splat(plane->dx[1]), dy = vecf_splat(plane->dy[1]);

    places->same_w = 0.0f;
    if (scene_has_one_w(primitive)) {
        places->same_w = 1.0f / (plane->a[1] + 0.0f);
        UNROLLED
        for (unsigned i = 0; i < count / VEC; i++)
            places->w[i] = vecf_splat(places->same_w);
        return;
    }
    UNROLLED
    for (unsigned i = 0; i < count / VEC; i++)
        places->w[i] = vecf_div(vecf_splat(1.0f), plane_at(a, dx, dy, places->x[i], places->y[i]));
}

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

/* The coordinate of table fog by window z: with the depth bias and wherever that leads, while the depth buffer takes 0..1
 * alone. Apart, because within interpolate_lanes its planes would push lanes of the others out of registers. */
static __attribute__((noinline)) void fog_lanes(const struct scene_primitive *primitive, int x, int y,
                                                const float *places_x, const float *places_y, unsigned count,
                                                float *restrict out)
{
    const struct scene_plane2 *plane = &primitive->depth;
    const vecf a = vecf_splat(plane->a[0]), dx = vecf_splat(plane->dx[0]), dy = vecf_splat(plane->dy[0]);
    const vecf ox = vecf_splat((float)x - primitive->reference_x), oy = vecf_splat((float)y - primitive->reference_y);

    for (unsigned l = 0; l < count; l += VEC) {
        const vecf px = vecf_add(ox, vecf_load(&places_x[l])), py = vecf_add(oy, vecf_load(&places_y[l]));

        vecf_store(&out[l], plane_at(a, dx, dy, px, py));
    }
}

static inline __attribute__((always_inline)) void store_w(const struct lane_places *places, unsigned count,
                                                          float *restrict out)
{
    UNROLLED
    for (unsigned i = 0; i < count / VEC; i++)
        vecf_store(&out[i * VEC], places->w[i]);
}

/* Always inlined with a constant count, so that both sizes get loops of their own. places_x, places_y: of the lanes, from
 * (x, y). */
static inline __attribute__((always_inline)) void interpolate_lanes(const struct scene_primitive *primitive, int x,
                                                                    int y, const float *places_x, const float *places_y,
                                                                    struct raster_batch *batch, unsigned lane,
                                                                    unsigned count)
{
    const struct raster_draw_state *state = primitive->state;
    const float fx = (float)x, fy = (float)y;
    const vecf ox = vecf_splat(fx - primitive->reference_x), oy = vecf_splat(fy - primitive->reference_y);
    struct lane_places places;

    UNROLLED
    for (unsigned i = 0; i < count / VEC; i++) {
        places.x[i] = vecf_add(ox, vecf_load(&places_x[i * VEC]));
        places.y[i] = vecf_add(oy, vecf_load(&places_y[i * VEC]));
    }
    if (state->program_reads_position) {
        for (unsigned l = 0; l < count; l++) {
            batch->x[lane + l] = fx + places_x[l];
            batch->y[lane + l] = fy + places_y[l];
        }
    }
    find_w(primitive, &places, count);
    if (state->fog_from_w)
        store_w(&places, count, &batch->w[lane]);
    else if (state->fog_mode > RASTER_FOG_VERTEX)
        fog_lanes(primitive, x, y, places_x, places_y, count, &batch->w[lane]);
    const unsigned left_out = state->narrow ? state->narrow_inputs | batch->affine : 0;

    for (unsigned i = 0; i < state->input_count; i++) {
        const bool pass_through = i + 1u == batch->pass_through_input;

        if (left_out >> i & 1)
            continue;

        input_lanes(&primitive->input[i], pass_through ? batch->pass_through_components : state->input_mask[i],
                    primitive->constant_inputs >> i & 1, state->interpolation[i] == RASTER_PERSPECTIVE, &places, count,
                    (float(*)[RASTER_LANES]) & (pass_through ? batch->color[0] : batch->input[i])[0][lane]);
    }
}

/* Places of a group's lanes by which of its quads are wanted: theirs one behind the other, then the last one's again. */
#define QUAD_X(q) (q & 1) * 2, (q & 1) * 2 + 1, (q & 1) * 2, (q & 1) * 2 + 1
#define QUAD_Y(q) (q >> 1) * 2, (q >> 1) * 2, (q >> 1) * 2 + 1, (q >> 1) * 2 + 1
#define QUADS(axis, a, b, c, d)                                        \
    {                                                                  \
        QUAD_##axis(a), QUAD_##axis(b), QUAD_##axis(c), QUAD_##axis(d) \
    }
#define QUAD_ROWS(axis)                                                                                     \
    QUADS(axis, 0, 0, 0, 0), QUADS(axis, 0, 0, 0, 0), QUADS(axis, 1, 1, 1, 1), QUADS(axis, 0, 1, 1, 1),     \
        QUADS(axis, 2, 2, 2, 2), QUADS(axis, 0, 2, 2, 2), QUADS(axis, 1, 2, 2, 2), QUADS(axis, 0, 1, 2, 2), \
        QUADS(axis, 3, 3, 3, 3), QUADS(axis, 0, 3, 3, 3), QUADS(axis, 1, 3, 3, 3), QUADS(axis, 0, 1, 3, 3), \
        QUADS(axis, 2, 3, 3, 3), QUADS(axis, 0, 2, 3, 3), QUADS(axis, 1, 2, 3, 3), QUADS(axis, 0, 1, 2, 3)
static const float quads_x[16][GROUP_LANES] = {QUAD_ROWS(X)};
static const float quads_y[16][GROUP_LANES] = {QUAD_ROWS(Y)};

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
