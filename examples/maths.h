/* SPDX-License-Identifier: MIT */
/*
 * Vectors, matrices, colours, noise and texels for the example programs: just numbers, for any version of Direct3D. A
 * file includes d3d8.h or d3d9.h before it, which declare D3DMATRIX and D3DCOLOR alike.
 */
#ifndef EXAMPLES_MATHS_H
#define EXAMPLES_MATHS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const float pi = 3.14159265358979f;

struct vec3 {
    float x, y, z;
};

static inline struct vec3 v3(float x, float y, float z)
{
    return (struct vec3){x, y, z};
}
static inline struct vec3 v3_add(struct vec3 a, struct vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline struct vec3 v3_sub(struct vec3 a, struct vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline struct vec3 v3_scale(struct vec3 a, float s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline struct vec3 v3_cross(struct vec3 a, struct vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float v3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
struct vec3 v3_normal(struct vec3 a);

/* Cosine and sine for thousands of angles a frame: from a table. */
#define WAVE_STEPS 1024
extern float wave_table[WAVE_STEPS + 1]; /* one turn of the cosine, from wave_fill */
void wave_fill(void);

static inline float wave(float angle)
{
    float turns = angle * (0.5f / pi), part = turns - (float)(int)turns, step;
    unsigned i;

    step = (part < 0 ? part + 1 : part) * WAVE_STEPS;
    i = (unsigned)step < WAVE_STEPS ? (unsigned)step : WAVE_STEPS - 1;
    return wave_table[i] + (wave_table[i + 1] - wave_table[i]) * (step - (float)i);
}
static inline float wave_sin(float angle)
{
    return wave(angle - pi / 2);
}

/* Row vectors, left-handed, as Direct3D 8 has it: v * world * view * projection. */
D3DMATRIX matrix_identity(void);
D3DMATRIX matrix_translation(float x, float y, float z);
D3DMATRIX matrix_scaling(float x, float y, float z);
D3DMATRIX matrix_rotation_x(float angle);
D3DMATRIX matrix_rotation_y(float angle);
D3DMATRIX matrix_rotation_z(float angle);
D3DMATRIX matrix_product(const D3DMATRIX *a, const D3DMATRIX *b);
D3DMATRIX matrix_look_at(struct vec3 eye, struct vec3 target);
D3DMATRIX matrix_perspective(float vertical_angle, float aspect, float near_z, float far_z);
/* Parallel rays: a box `width` by `height` around the line of sight. */
D3DMATRIX matrix_orthographic(float width, float height, float near_z, float far_z);
/* Flattens onto the plane y = height along the direction `light` (which points down). */
D3DMATRIX matrix_shadow(struct vec3 light, float height);

D3DCOLOR color_rgba(float r, float g, float b, float a); /* 0..1, clamped */
D3DCOLOR color_mix(D3DCOLOR a, D3DCOLOR b, float t);

/* The same numbers on every run and machine. */
float random_float(uint32_t *seed);            /* 0..1 */
float noise2(float x, float y, unsigned wrap); /* smooth, 0..1; repeats every `wrap` units (0: never) */
float fractal_noise(float x, float y, unsigned wrap, unsigned octaves);

/* The colour at u, v in 0..1. */
typedef D3DCOLOR (*texel_function)(float u, float v);
/* Texels of a square level, row by row, from the function at their centres. */
void texels_fill(D3DCOLOR *texels, unsigned size, texel_function texel);
/* Each texel becomes the mean of four, in place, from `size` to `size` / 2. */
void texels_halve(D3DCOLOR *texels, unsigned size);

#endif
