/* SPDX-License-Identifier: MIT */
/* Inputs as floats over the lanes of a group or a block. For files in kernels/ only. */
#ifndef HALCYON_RASTER_INPUT_LANES_H
#define HALCYON_RASTER_INPUT_LANES_H

#include "raster/kernels/kernels.h"
#include "base/simd/simd.h"

/* Positions of lanes from the planes' reference, and their eye w. same_w: if not 0, the w of all lanes. */
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
        places->same_w = scene_reference_w(primitive);
        UNROLLED
        for (unsigned i = 0; i < count / VEC; i++)
            places->w[i] = vecf_splat(places->same_w);
        return;
    }
    UNROLLED
    for (unsigned i = 0; i < count / VEC; i++)
        places->w[i] = vecf_div(vecf_splat(1.0f), plane_at(a, dx, dy, places->x[i], places->y[i]));
}

/* The coordinate of table fog by window z: z with depth bias, not clamped to 0..1 as in the depth buffer. Separate from
 * the inputs, because its planes would push lanes of other inputs out of registers. */
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

/* Always inlined with a constant count, so that both sizes get loops of their own. places_x, places_y: positions of the
 * lanes from (x, y). */
static inline __attribute__((always_inline)) void find_places(const struct scene_primitive *primitive, int x, int y,
                                                              const float *places_x, const float *places_y,
                                                              unsigned count, struct lane_places *places)
{
    const vecf ox = vecf_splat((float)x - primitive->reference_x), oy = vecf_splat((float)y - primitive->reference_y);

    UNROLLED
    for (unsigned i = 0; i < count / VEC; i++) {
        places->x[i] = vecf_add(ox, vecf_load(&places_x[i * VEC]));
        places->y[i] = vecf_add(oy, vecf_load(&places_y[i * VEC]));
    }
    find_w(primitive, places, count);
}

/* Values of lanes that the state reads besides inputs. */
static inline __attribute__((always_inline)) void other_lanes(const struct scene_primitive *primitive, int x, int y,
                                                              const float *places_x, const float *places_y,
                                                              const struct lane_places *places,
                                                              struct raster_batch *batch, unsigned lane, unsigned count)
{
    const struct raster_draw_state *state = primitive->state;

    if (state->program_reads_position) {
        for (unsigned l = 0; l < count; l++) {
            batch->x[lane + l] = (float)x + places_x[l];
            batch->y[lane + l] = (float)y + places_y[l];
        }
    }
    if (state->fog_from_w)
        store_w(places, count, &batch->w[lane]);
    else if (state->fog_mode > RASTER_FOG_VERTEX)
        fog_lanes(primitive, x, y, places_x, places_y, count, &batch->w[lane]);
}

/* By mask of wanted quads of a group: the wanted quads in order, then the last one repeated. */
#define QUAD_SETS(SET)                                                                                        \
    SET(0, 0, 0, 0), SET(0, 0, 0, 0), SET(1, 1, 1, 1), SET(0, 1, 1, 1), SET(2, 2, 2, 2), SET(0, 2, 2, 2),     \
        SET(1, 2, 2, 2), SET(0, 1, 2, 2), SET(3, 3, 3, 3), SET(0, 3, 3, 3), SET(1, 3, 3, 3), SET(0, 1, 3, 3), \
        SET(2, 3, 3, 3), SET(0, 2, 3, 3), SET(1, 2, 3, 3), SET(0, 1, 2, 3)

/* Positions of their lanes. */
#define QUAD_X(q) (q & 1) * 2, (q & 1) * 2 + 1, (q & 1) * 2, (q & 1) * 2 + 1
#define QUAD_Y(q) (q >> 1) * 2, (q >> 1) * 2, (q >> 1) * 2 + 1, (q >> 1) * 2 + 1
#define QUADS_X(a, b, c, d)                        \
    {                                              \
        QUAD_X(a), QUAD_X(b), QUAD_X(c), QUAD_X(d) \
    }
#define QUADS_Y(a, b, c, d)                        \
    {                                              \
        QUAD_Y(a), QUAD_Y(b), QUAD_Y(c), QUAD_Y(d) \
    }
static const _Alignas(64) float quads_x[16][GROUP_LANES] = {QUAD_SETS(QUADS_X)};
static const _Alignas(64) float quads_y[16][GROUP_LANES] = {QUAD_SETS(QUADS_Y)};

#endif
