/* SPDX-License-Identifier: MIT */
/*
 * From coordinates to texels of an axis: address modes, and the snap to 1/256 texel that makes
 * filter weights of 8 bits. Source: docs/reference/texture-sampling.md, section 3.
 */
#include "raster/sample/kernels/sampler.h"

#include <math.h>

/* Exact for |v| < 2^31, and the same code for every level: SSE2 has no rounding instruction. */
static inline float floor_small(float v)
{
    float t = (float)(int32_t)v;

    return t - (float)(t > v);
}

/* Coordinates beyond this many repetitions have no fraction left worth keeping. */
#define MAX_REPEAT 1048576.0f

/* Texel coordinates s = u * size, -1 <= s <= size + 1, after applying the address mode to u. */
static void scale_coordinate(unsigned mode, unsigned n, const float *restrict u, float size, float *restrict s)
{
    switch (mode) {
    case RASTER_WRAP:
        FOR_LANES(n) {
            float t = limit(u[l], -MAX_REPEAT, MAX_REPEAT);

            s[l] = (t - floor_small(t)) * size;
        }
        break;
    case RASTER_MIRROR:
        FOR_LANES(n) {
            float t = limit(u[l], -MAX_REPEAT, MAX_REPEAT);

            t = t - 2.0f * floor_small(t * 0.5f);
            s[l] = (1.0f - fabsf(1.0f - t)) * size;
        }
        break;
    case RASTER_MIRROR_ONCE:
        FOR_LANES(n) {
            float t = fabsf(limit(u[l], -2.0f, 2.0f)) * size;

            s[l] = t < size + 1.0f ? t : size + 1.0f;
        }
        break;
    default:
        FOR_LANES(n)
            s[l] = limit(u[l] * size, -1.0f, size + 1.0f);
        break;
    }
}

static inline int32_t clamp_index(int32_t i, int32_t size)
{
    i = i < 0 ? 0 : i;
    return i < size ? i : size - 1;
}

/* Maps indices -2 .. size + 1 into the texture by the address mode. */
static void wrap_indices(unsigned mode, unsigned n, int32_t size, int32_t *restrict i)
{
    if (mode == RASTER_WRAP) {
        FOR_LANES(n) {
            int32_t t = i[l] < 0 ? i[l] + size : i[l];

            i[l] = t >= size ? t - size : t;
        }
    } else if (mode == RASTER_BORDER) {
        FOR_LANES(n)
            i[l] = i[l] < 0 || i[l] >= size ? BORDER_TEXEL : i[l];
    } else {
        /* mirroring repeats the edge texel, as clamping does */
        FOR_LANES(n)
            i[l] = clamp_index(i[l], size);
    }
}

/* Two texels and a weight from a coordinate in texels: half a texel back, to the nearest 1/256. The
 * bias of three texels makes truncation a floor. */
static inline int32_t snap_linear(float s)
{
    return (int32_t)(s * 256.0f + (768.0f - 128.0f + 0.5f));
}

/* The common modes in one loop each, with the same steps as scale_coordinate, sample_axis and wrap_indices. */
static void linear_wrap(unsigned n, const float *restrict u, int32_t size, int32_t *restrict first,
                        int32_t *restrict second, float *restrict weight)
{
    float scale = (float)size;

    FOR_LANES(n) {
        float t = limit(u[l], -MAX_REPEAT, MAX_REPEAT);
        int32_t q = snap_linear((t - floor_small(t)) * scale), a = (q >> 8) - 3, b = a + 1;

        first[l] = a < 0 ? a + size : a;
        second[l] = b >= size ? b - size : b;
        weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
}

static void linear_clamp(unsigned n, const float *restrict u, int32_t size, int32_t *restrict first,
                         int32_t *restrict second, float *restrict weight)
{
    float scale = (float)size;

    FOR_LANES(n) {
        int32_t q = snap_linear(limit(u[l] * scale, -1.0f, scale + 1.0f));

        first[l] = clamp_index((q >> 8) - 3, size);
        second[l] = clamp_index((q >> 8) - 2, size);
        weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
}

void KERNEL(sample_axis)(unsigned mode, bool linear, unsigned n, const float *u, uint32_t size, struct axis *axis)
{
    float s[MAX_LANES];

    if (linear && mode == RASTER_WRAP) {
        linear_wrap(n, u, (int32_t)size, axis->first, axis->second, axis->weight);
        return;
    }
    if (linear && mode == RASTER_CLAMP) {
        linear_clamp(n, u, (int32_t)size, axis->first, axis->second, axis->weight);
        return;
    }
    scale_coordinate(mode, n, u, (float)size, s);
    if (!linear) {
        FOR_LANES(n)
            axis->first[l] = ((int32_t)(s[l] * 256.0f + 512.5f) >> 8) - 2;
        wrap_indices(mode, n, (int32_t)size, axis->first);
        return;
    }
    FOR_LANES(n) {
        int32_t q = snap_linear(s[l]);

        axis->first[l] = (q >> 8) - 3;
        axis->second[l] = (q >> 8) - 2;
        axis->weight[l] = (float)(q & 255) * (1.0f / 256.0f);
    }
    wrap_indices(mode, n, (int32_t)size, axis->first);
    wrap_indices(mode, n, (int32_t)size, axis->second);
}
