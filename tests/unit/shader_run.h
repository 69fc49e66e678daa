/* SPDX-License-Identifier: MIT */
/* Runs a shader of a few tokens over one batch of vertices or pixels, for tests of the results of instructions. */
#ifndef HALCYON_TESTS_SHADER_RUN_H
#define HALCYON_TESTS_SHADER_RUN_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shader/run/lane_math.h"
#include "tests/unit/shader_tools.h"

static _Alignas(64) char memory[65536];
static struct shader_vertex_batch vertices;
static struct raster_batch pixels;
static float floats[32][4];
static int32_t integers[16][4];
static uint32_t booleans[16];
static const uint32_t texels[4] = {0xff000000, 0xffff0000, 0xff00ff00, 0xff0000ff}; /* 2x2 */
static const struct raster_texture texture = {
    .kind = RASTER_TEXTURE_2D, .level_count = 1, .level = {{texels, 2, 2, 1, 2, 4}}};

static inline struct shader_program *compile(const uint32_t *tokens, size_t count)
{
    struct shader_error error = {0};
    struct shader_program *p = shader_compile(tokens, count, &error);

    if (!p)
        fail_msg("DWORD %u: %s", (unsigned)error.offset, error.text);
    return p;
}

static inline struct shader_binding *bind(const struct shader_program *program)
{
    const struct shader_constants constants = {
        (const float(*)[4])floats, 32, (const int32_t(*)[4])integers, 16, booleans, 16};
    struct shader_binding *b = shader_bind(memory, program, &constants);

    b->sample = raster_sample_lod_kernel(cpu_level_detected());
    for (unsigned s = 0; s < shader_sampler_count(program); s++) {
        b->sampler[s].texture = &texture;
        b->sampler[s].mag_filter = b->sampler[s].min_filter = RASTER_FILTER_POINT;
    }
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = (uint8_t)k;
    return b;
}

static inline void run_vertices(const uint32_t *tokens, size_t count)
{
    struct shader_program *p = compile(tokens, count);

    vertices.count = 4;
    shader_vertex_executor(cpu_level_detected())(bind(p), &vertices);
    shader_destroy(p);
}

static inline void run_pixels(const uint32_t *tokens, size_t count)
{
    struct shader_program *p = compile(tokens, count);

    pixels.group_count = 1;
    pixels.covered = 0xffff;
    shader_pixel_executor(cpu_level_detected())(bind(p), &pixels);
    shader_destroy(p);
}

static inline void set_vertex(unsigned v, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < 64; l++)
            vertices.input[v][c][l] = value[c];
}

static inline void set_pixel(unsigned input, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < 64; l++)
            pixels.input[input][c][l] = value[c];
}

static inline void set_constant(unsigned i, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    memcpy(floats[i], value, sizeof(value));
}

static inline void is_near(float got, float wanted)
{
    float allowed = fabsf(wanted) * 1e-6f + 1e-6f;

    if (!(got == wanted || fabsf(got - wanted) <= allowed))
        fail_msg("%.9g instead of %.9g", (double)got, (double)wanted);
}

static inline void output_is(unsigned o, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    for (unsigned c = 0; c < 4; c++)
        is_near(vertices.output[o][c][1], value[c]);
}

static inline void color_is(float r, float g, float b, float a)
{
    const float value[4] = {r, g, b, a};

    for (unsigned c = 0; c < 4; c++)
        is_near(pixels.color[0][c][1], value[c]);
}

#define RUN_VS(...) run_vertices((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define RUN_PS(...) run_pixels((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define OT0         DST(TEXCOORD_OUT, 0, 15)
#define TO          5 /* oT0 */

#endif
