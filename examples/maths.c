/* SPDX-License-Identifier: MIT */
/* Vectors, matrices, noise and texels for the examples. */
#include <windows.h>
#include <d3d9types.h>

#include "examples/maths.h"

float wave_table[WAVE_STEPS + 1];

void wave_fill(void)
{
    for (unsigned i = 0; i <= WAVE_STEPS; i++)
        wave_table[i] = cosf((float)i * 2 * pi / WAVE_STEPS);
}

/* --- vectors and matrices ------------------------------------------------------------ */

struct vec3 v3_normal(struct vec3 a)
{
    float length = sqrtf(v3_dot(a, a));

    return length > 0 ? v3_scale(a, 1 / length) : v3(0, 1, 0);
}

D3DMATRIX matrix_identity(void)
{
    return matrix_scaling(1, 1, 1);
}

D3DMATRIX matrix_scaling(float x, float y, float z)
{
    D3DMATRIX m = {0};

    m._11 = x;
    m._22 = y;
    m._33 = z;
    m._44 = 1;
    return m;
}

D3DMATRIX matrix_translation(float x, float y, float z)
{
    D3DMATRIX m = matrix_identity();

    m._41 = x;
    m._42 = y;
    m._43 = z;
    return m;
}

D3DMATRIX matrix_rotation_x(float angle)
{
    D3DMATRIX m = matrix_identity();

    m._22 = m._33 = cosf(angle);
    m._23 = sinf(angle);
    m._32 = -m._23;
    return m;
}

D3DMATRIX matrix_rotation_y(float angle)
{
    D3DMATRIX m = matrix_identity();

    m._11 = m._33 = cosf(angle);
    m._31 = sinf(angle);
    m._13 = -m._31;
    return m;
}

D3DMATRIX matrix_rotation_z(float angle)
{
    D3DMATRIX m = matrix_identity();

    m._11 = m._22 = cosf(angle);
    m._12 = sinf(angle);
    m._21 = -m._12;
    return m;
}

D3DMATRIX matrix_product(const D3DMATRIX *a, const D3DMATRIX *b)
{
    D3DMATRIX m = {0};

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                m.m[i][j] += a->m[i][k] * b->m[k][j];
    return m;
}

D3DMATRIX matrix_look_at(struct vec3 eye, struct vec3 target)
{
    struct vec3 z = v3_normal(v3_sub(target, eye));
    struct vec3 x = v3_normal(v3_cross(v3(0, 1, 0), z));
    struct vec3 y = v3_cross(z, x);
    D3DMATRIX m = {0};

    m._11 = x.x, m._21 = x.y, m._31 = x.z, m._41 = -v3_dot(x, eye);
    m._12 = y.x, m._22 = y.y, m._32 = y.z, m._42 = -v3_dot(y, eye);
    m._13 = z.x, m._23 = z.y, m._33 = z.z, m._43 = -v3_dot(z, eye);
    m._44 = 1;
    return m;
}

D3DMATRIX matrix_perspective(float vertical_angle, float aspect, float near_z, float far_z)
{
    D3DMATRIX m = {0};

    m._22 = 1 / tanf(vertical_angle / 2);
    m._11 = m._22 / aspect;
    m._33 = far_z / (far_z - near_z);
    m._34 = 1;
    m._43 = -near_z * m._33;
    return m;
}

D3DMATRIX matrix_orthographic(float width, float height, float near_z, float far_z)
{
    D3DMATRIX m = matrix_scaling(2 / width, 2 / height, 1 / (far_z - near_z));

    m._43 = -near_z * m._33;
    return m;
}

D3DMATRIX matrix_shadow(struct vec3 light, float height)
{
    D3DMATRIX m = matrix_identity();

    m._21 = -light.x / light.y;
    m._23 = -light.z / light.y;
    m._22 = 0;
    m._41 = -height * m._21;
    m._42 = height;
    m._43 = -height * m._23;
    return m;
}

/* --- colours and noise ---------------------------------------------------------------- */

static unsigned channel(float value)
{
    return value <= 0 ? 0 : value >= 1 ? 255 : (unsigned)(value * 255 + 0.5f);
}

D3DCOLOR color_rgba(float r, float g, float b, float a)
{
    return D3DCOLOR_ARGB(channel(a), channel(r), channel(g), channel(b));
}

D3DCOLOR color_mix(D3DCOLOR a, D3DCOLOR b, float t)
{
    D3DCOLOR result = 0;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);

        result |= (D3DCOLOR)(from + (to - from) * t + 0.5f) << shift;
    }
    return result;
}

static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

float random_float(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(hash(*seed) >> 8) / 16777216.0f;
}

static float lattice(int x, int y, unsigned wrap)
{
    if (wrap) {
        x = (int)((unsigned)x % wrap);
        y = (int)((unsigned)y % wrap);
    }
    return (float)(hash((uint32_t)x * 73856093u ^ hash((uint32_t)y)) >> 8) / 16777216.0f;
}

float noise2(float x, float y, unsigned wrap)
{
    int ix = (int)floorf(x), iy = (int)floorf(y);
    float fx = x - (float)ix, fy = y - (float)iy;
    float top, bottom;

    fx *= fx * (3 - 2 * fx);
    fy *= fy * (3 - 2 * fy);
    top = lattice(ix, iy, wrap) * (1 - fx) + lattice(ix + 1, iy, wrap) * fx;
    bottom = lattice(ix, iy + 1, wrap) * (1 - fx) + lattice(ix + 1, iy + 1, wrap) * fx;
    return top * (1 - fy) + bottom * fy;
}

float fractal_noise(float x, float y, unsigned wrap, unsigned octaves)
{
    float sum = 0, weight = 0.5f;

    for (unsigned i = 0; i < octaves; i++) {
        sum += noise2(x, y, wrap) * weight;
        weight *= 0.5f;
        x *= 2;
        y *= 2;
        wrap *= 2;
    }
    return sum / (1 - weight * 2);
}

/* --- texels ------------------------------------------------------------------------------ */

void texels_fill(D3DCOLOR *texels, unsigned size, texel_function texel)
{
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++)
            texels[y * size + x] = texel(((float)x + 0.5f) / (float)size, ((float)y + 0.5f) / (float)size);
}

void texels_halve(D3DCOLOR *texels, unsigned size)
{
    unsigned half = size / 2;

    for (unsigned y = 0; y < half; y++) {
        for (unsigned x = 0; x < half; x++) {
            const D3DCOLOR *from = texels + 2 * y * size + 2 * x;
            D3DCOLOR mean = 0;

            for (unsigned shift = 0; shift < 32; shift += 8) {
                unsigned sum = (from[0] >> shift & 255) + (from[1] >> shift & 255) + (from[size] >> shift & 255) +
                               (from[size + 1] >> shift & 255);

                mean |= (sum + 2) / 4 << shift;
            }
            texels[y * half + x] = mean;
        }
    }
}
