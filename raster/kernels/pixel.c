/* SPDX-License-Identifier: MIT */
/* Between the pixel program and the targets: fog and alpha test of a batch. And the table of all kernels. */
#include "raster/kernels/lanes.h"
#include "base/simd/simd.h"

#include <math.h>

/* --- fog -------------------------------------------------------------------------------------- */

/* 2^x for -126 <= x <= 0, relative error below 2^-17. */
static inline float exp2_negative(float x)
{
    float whole = floorf(x + 0.5f), f = x - whole;
    float p = 1.0f + f * (0.69314718f + f * (0.24022651f + f * (0.05550410f + f * (0.00961813f + f * 0.00133336f))));
    int32_t bits = ((int32_t)whole + 127) * (1 << 23);
    float scale;

    memcpy(&scale, &bits, sizeof(scale));
    return p * scale;
}

/* Factors of a group for fog from a coordinate (depth or eye w). Source: docs/reference/pixel-output.md, section 7. */
static void fog_factors(const struct raster_draw_state *state, const float *restrict d, float *restrict f)
{
    const float log2_e = 1.44269504f;
    float start = state->fog_start, end = state->fog_end, density = state->fog_density;

    if (state->fog_mode == RASTER_FOG_LINEAR && start == end) {
        FOR_GROUP_LANES
            f[l] = d[l] < start ? 1.0f : 0.0f;
        return;
    }
    if (state->fog_mode == RASTER_FOG_LINEAR) {
        float scale = 1.0f / (end - start);

        FOR_GROUP_LANES
            f[l] = (end - d[l]) * scale;
        return;
    }
    bool squared = state->fog_mode == RASTER_FOG_EXP2;
    FOR_GROUP_LANES {
        float t = d[l] * density;

        t = -(squared ? t * t : t) * log2_e;
        t = t < 0.0f ? t : 0.0f;
        f[l] = t > -126.0f ? exp2_negative(t > -126.0f ? t : -126.0f) : 0.0f;
    }
}

/* rgb = f rgb + (1 - f) fog colour; alpha stays. */
void KERNEL(raster_fog)(const struct raster_draw_state *state, struct raster_batch *batch, bool clamps)
{
    const float *coordinate = state->fog_from_w || state->depth_from_w ? batch->w : batch->z;

    for (unsigned first = 0; first < batch->group_count * GROUP_LANES; first += GROUP_LANES) {
        const float *from = &batch->input[state->fog_input][0][first];
        float f[GROUP_LANES];

        if (state->fog_mode != RASTER_FOG_VERTEX) {
            fog_factors(state, coordinate + first, f);
            from = f;
        }
        FOR_VECTORS(GROUP_LANES) {
            const vecf k = vecf_saturate(vecf_load(from + l)), rest = vecf_sub(vecf_splat(1.0f), k);

            UNROLLED
            for (unsigned c = 0; c < 3; c++) {
                float *color = &batch->color[0][c][first + l];
                const vecf of_fog = vecf_mul(rest, vecf_splat(state->fog_color[c]));
                const vecf given = vecf_load(color);

                vecf_store(color, vecf_add(vecf_mul(k, clamps ? vecf_saturate(given) : given), of_fog));
            }
        }
    }
}

/* --- alpha test ------------------------------------------------------------------------------------ */

void KERNEL(raster_alpha_test)(const struct raster_draw_state *state, struct raster_batch *batch)
{
    for (unsigned g = 0; g < batch->group_count; g++) {
        const float *alpha = &batch->color[0][3][g * GROUP_LANES];
        uint32_t value[GROUP_LANES], ref[GROUP_LANES];

        FOR_GROUP_LANES {
            float a = alpha[l] > 0.0f ? alpha[l] : 0.0f;

            a = a < 1.0f ? a : 1.0f;
            value[l] = (uint32_t)(int32_t)(a * 255.0f + 0.5f);
            ref[l] = state->alpha_ref;
        }
        uint64_t pass = compare_lanes(state->alpha_func, value, ref);
        batch->covered &= pass << (g * GROUP_LANES) | ~(UINT64_C(0xffff) << (g * GROUP_LANES));
    }
}

/* --- the table ------------------------------------------------------------------------------------- */

#define TABLE_ENTRY(result, name, parameters) .name = KERNEL(raster_##name),

const struct raster_kernels KERNEL(raster_kernels) = {RASTER_KERNELS(TABLE_ENTRY)};
