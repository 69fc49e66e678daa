/* SPDX-License-Identifier: MIT */
/*
 * The state of a context: everything that its stream sets, as numbers, with surfaces, buffers and shaders by handle. It
 * refers to no other part of the driver, so a copy of it is a copy of the state, except for the floats of constants, and the
 * frame debugger gets such a copy (hal/inspect.h). Tokens write it, and mark in `dirty` the groups that they changed; draws read it. What the stream creates is kept elsewhere
 * (hal/resources.h): shaders, lights, palettes, state blocks; so are targets, which calls set as well (hal/scene.h).
 */
#ifndef HALCYON_HAL_STATE_STATE_H
#define HALCYON_HAL_STATE_STATE_H

#include "hal/state/values.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct hal_state {
    uint32_t dirty; /* enum hal_dirty */
    uint32_t level; /* DDI_LEVEL_* of the runtime, which decides what some numbers mean; never changes */
    uint32_t render_state[HAL_MAX_RENDER_STATES];
    uint32_t magic_states[HAL_MAX_RENDER_STATES / 32];          /* bit: some value of the state is magic */
    uint8_t extension[HAL_EXTENSION_COUNT];                     /* settings, as hal/state/extension.c numbers them */
    uint32_t stage_state[HAL_STAGE_ROWS][HAL_MAX_STAGE_STATES]; /* [hal_stage_row][D3DTSS]; 0 = texture handle */
    bool modulate_of_dx5; /* stage 0 has D3DTBLEND_MODULATE: a texture without alpha leaves that of the vertex */
    struct hal_viewport viewport;
    float w_near, w_far;
    struct hal_matrix world[HAL_MAX_WORLD_MATRICES], view, projection, texture[HAL_MAX_STAGES];
    float clip_plane[HAL_MAX_CLIP_PLANES][4];
    struct hal_material material;
    struct hal_stream stream[HAL_MAX_STREAMS];
    uint32_t stream_frequency[HAL_MAX_STREAMS]; /* SETSTREAMSOURCEFREQ; 1: nothing special */
    bool frequencies_set;                       /* one of them is not 1 */
    uint32_t index_handle, index_stride;
    struct hal_rect scissor;
    uint32_t vertex_shader;   /* FVF, or a handle (bit 0 set) */
    bool is_declaration;      /* the handle is one of DirectX 9's declarations */
    uint32_t vertex_function; /* DirectX 9: code; 0: fixed function */
    uint32_t pixel_shader;
    struct hal_constants vertex_constants, pixel_constants;
};

/* A render state that is a float. */
static inline float hal_render_state_float(const struct hal_state *state, unsigned number)
{
    float value;

    memcpy(&value, &state->render_state[number], sizeof(value));
    return value;
}

#endif
