/* SPDX-License-Identifier: MIT */
/* Between the pixel program and the targets: fog and alpha test of a batch. And the table of all kernels. */
#include "raster/kernels/lanes.h"
#include "base/simd/simd.h"

/* --- fog -------------------------------------------------------------------------------------- */

/* e^x for -87 <= x <= 0, within 1.1 units of the last place: 2^whole e^f, |f| <= ln 2 / 2. For 2^whole, ln 2 is
 * subtracted from x in two parts, the first of which has so few bits that nothing is rounded; the polynomial is (e^f -
 * 1 - f) / f^2 at the roots of a Chebyshev polynomial. */
static inline float exp_negative(float x)
{
    float whole =
        (x * 1.44269504f + 12582912.0f) - 12582912.0f; /* to the nearest: 3 * 2^22 leaves no room for a fraction */
    float f = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
    float q = 0.5f + f * (0.166665763f + f * (0.0416665561f + f * (0.00836319104f + f * 0.00139261992f)));
    float p = 1.0f + (f + f * f * q);
    int32_t bits = ((int32_t)whole + 127) * (1 << 23);
    float scale;

    memcpy(&scale, &bits, sizeof(scale));
    return p * scale;
}

/* Factors of a group for fog from a coordinate (depth or eye w). Source: docs/reference/pixel-output.md, section 7. */
static void fog_factors(const struct raster_draw_state *state, const float *restrict d, float *restrict f)
{
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

        t = -(squared ? t * t : t);
        t = t < 0.0f ? t : 0.0f;
        f[l] = t > -87.0f ? exp_negative(t > -87.0f ? t : -87.0f) : 0.0f;
    }
}

/* rgb = f rgb + (1 - f) fog colour; alpha is unchanged. */
void KERNEL(raster_fog)(const struct raster_draw_state *state, struct raster_batch *batch, bool clamps)
{
    for (unsigned first = 0; first < batch->group_count * GROUP_LANES; first += GROUP_LANES) {
        const float *from = &batch->input[state->fog_input][0][first];
        float f[GROUP_LANES];

        if (state->fog_mode != RASTER_FOG_VERTEX) {
            fog_factors(state, &batch->w[first], f);
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
