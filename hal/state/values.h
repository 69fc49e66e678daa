/* SPDX-License-Identifier: MIT */
/*
 * The state that the stream sets, as plain data indexed by D3D numbers, and its array sizes. struct hal_state
 * (hal/state/state.h) holds it; a draw derives a raster_draw_state and programs from it when the dirty bits say so
 * (hal/state/dirty.h).
 */
#ifndef HALCYON_HAL_STATE_VALUES_H
#define HALCYON_HAL_STATE_VALUES_H

#include "d3d/bindings.h"

#include <stdbool.h>
#include <stdint.h>

#define HAL_MAX_STREAMS        D3D_STREAMS
#define HAL_MAX_STAGES         8                   /* of the cascade */
#define HAL_MAX_SAMPLERS       D3D_PIXEL_SAMPLERS  /* of pixel shaders; the first ones are the stages' */
#define HAL_VERTEX_SAMPLERS    D3D_VERTEX_SAMPLERS /* of vertex shaders */
#define HAL_STAGE_ROWS         (HAL_MAX_SAMPLERS + HAL_VERTEX_SAMPLERS)
#define HAL_MAX_CLIP_PLANES    6
#define HAL_MAX_LIGHTS         8 /* active at once */
#define HAL_MAX_RENDER_STATES  256
#define HAL_MAX_STAGE_STATES   36 /* D3DTSS_*, and those of d3d/feedback.h */
#define HAL_MAX_WORLD_MATRICES 256
#define HAL_VERTEX_CONSTANTS   256  /* float vectors of vertex shaders */
#define HAL_SOFTWARE_CONSTANTS 8192 /* of software vertex processing */
#define HAL_PIXEL_CONSTANTS    224  /* of pixel shaders; ps_1_x sees the first 8 */
#define HAL_OTHER_CONSTANTS    16   /* integer vectors, and booleans, of each */

/* Extensions that programs switch by magic values (hal/state/extension.c); each has a setting, 0 off. */
enum hal_extension {
    HAL_EXTENSION_CONSERVATIVE,
    HAL_EXTENSION_COVERAGE_SOURCE, /* of the specular colour */
    HAL_EXTENSION_DEPTH_BOUNDS,
    HAL_EXTENSION_ALPHA_COVERAGE, /* 1: with the alpha test (ATOC); for the next one, 1: always (A2M1) */
    HAL_EXTENSION_ALPHA_COVERAGE_ALWAYS,
    HAL_EXTENSION_DEPTH_RESOLVE, /* a command */
    HAL_EXTENSION_INSTANCING,    /* always on */
    HAL_EXTENSION_COUNT,
};

struct hal_rect {
    int left, top, right, bottom; /* pixels; right and bottom exclusive */
};

struct hal_matrix {
    float m[4][4]; /* row-major, row vectors: v' = v * M */
};

struct hal_light { /* D3DLIGHT7/8, 104 bytes, as in the stream */
    uint32_t type; /* 1 point, 2 spot, 3 directional */
    float diffuse[4], specular[4], ambient[4], position[3], direction[3];
    float range, falloff, attenuation[3], theta, phi;
};

struct hal_material { /* D3DMATERIAL7/8, 68 bytes */
    float diffuse[4], ambient[4], specular[4], emissive[4], power;
};

struct hal_viewport { /* pixels; z range from ZRANGE */
    uint32_t x, y, width, height;
    float min_z, max_z;
};

/* Shader constants as the stream sets them; the same for vertex and pixel shaders (hal/state/constants.h). */
struct hal_constants {
    float (*f)[4];        /* at least HAL_VERTEX_CONSTANTS, HAL_PIXEL_CONSTANTS */
    uint32_t float_count; /* of f; the rest, up to HAL_SOFTWARE_CONSTANTS, are 0 */
    int32_t i[HAL_OTHER_CONSTANTS][4];
    uint32_t b[HAL_OTHER_CONSTANTS]; /* 0 or 1 */
};

struct hal_stream {
    uint32_t handle; /* of the vertex buffer; resolved at each draw */
    uint32_t offset; /* bytes (SETSTREAMSOURCE2) */
    uint32_t stride;
    bool user_memory;
};

/* The row of stage_state for a token's stage number: samplers of pixel shaders, then those of vertex shaders.
 * HAL_STAGE_ROWS: no such stage; the sampler of displacement maps has no row. */
static inline unsigned hal_stage_row(uint32_t stage)
{
    if (stage >= D3D_VERTEX_SAMPLER && stage - D3D_VERTEX_SAMPLER < HAL_VERTEX_SAMPLERS)
        return HAL_MAX_SAMPLERS + stage - D3D_VERTEX_SAMPLER;
    return stage < HAL_MAX_SAMPLERS ? stage : HAL_STAGE_ROWS;
}

#endif
