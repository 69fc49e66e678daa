/* SPDX-License-Identifier: MIT */
/*
 * Sizes of points in an enlarged target. The program's states stay with the driver until points are drawn, because POINTSIZE is also
 * the way to give the driver commands (docs/extensions.md), which must not be repeated.
 */
#include "runtime/common/state/points.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/state/enlarge.h"
#include "runtime/common/state/state_send.h"

enum { POINT_SIZE, POINT_SIZE_MIN, POINT_SIZE_MAX, POINT_SCALES, POINT_SCALE_A, POINT_SCALE_B, POINT_SCALE_C };

static const uint8_t point_states[RT_POINT_STATES] = {
    [POINT_SIZE] = D3DRS_POINTSIZE,         [POINT_SIZE_MIN] = D3DRS_POINTSIZE_MIN,
    [POINT_SIZE_MAX] = D3DRS_POINTSIZE_MAX, [POINT_SCALES] = D3DRS_POINTSCALEENABLE,
    [POINT_SCALE_A] = D3DRS_POINTSCALE_A,   [POINT_SCALE_B] = D3DRS_POINTSCALE_B,
    [POINT_SCALE_C] = D3DRS_POINTSCALE_C,
};

void rt_pipe_note_point_state(struct rt_pipe *pipe, uint32_t state, uint32_t value)
{
    for (unsigned i = 0; i < RT_POINT_STATES; i++)
        if (point_states[i] == state)
            pipe->point_states[i] = value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Sizes that vertices contain cannot be changed here. The driver multiplies them by height / sqrt(A + B d + C d²), of the enlarged
 * viewport: with A the square of the program's height, and without B and C, that is the number of times. */
static void scale_by_height(const struct rt_pipe *pipe, uint32_t *states)
{
    const float height = (float)pipe->state.viewport.Height;

    states[POINT_SCALES] = TRUE;
    states[POINT_SCALE_A] = bits_of(height * height);
    states[POINT_SCALE_B] = states[POINT_SCALE_C] = 0;
}

static void enlarge_states(const struct rt_pipe *pipe, const struct rt_point_use *use, uint32_t *states)
{
    const bool fixed = !use->transformed && !use->has_shader;

    states[POINT_SIZE_MIN] = rt_enlarge_size(states[POINT_SIZE_MIN], pipe->times);
    states[POINT_SIZE_MAX] = rt_enlarge_size(states[POINT_SIZE_MAX], pipe->times);
    if (fixed && states[POINT_SCALES])
        return; /* the sizes are fractions of the viewport's height */
    if (fixed && use->vertices_sized)
        scale_by_height(pipe, states);
    else
        states[POINT_SIZE] = rt_enlarge_size(states[POINT_SIZE], pipe->times);
}

void rt_pipe_bind_points(struct rt_pipe *pipe, const struct rt_point_use *use)
{
    uint32_t states[RT_POINT_STATES];

    for (unsigned i = 0; i < RT_POINT_STATES; i++)
        states[i] = pipe->state.render[point_states[i]];
    if (pipe->times)
        enlarge_states(pipe, use, states);
    pipe->points_enlarged = pipe->times;
    /* Setting a shader again also sets the constants that it defines, so that is left to draws that need it. */
    if (use->has_shader && pipe->state.rules->shaders == RT_SHADERS_HANDLES &&
        pipe->ops->vertex_shader(pipe->user, pipe->state.vertex_shader) != pipe->sent_vertex_shader)
        pipe->dirty_vertex_shader = true;
    for (unsigned i = 0; i < RT_POINT_STATES; i++)
        if (states[i] != pipe->point_states[i])
            rt_send_render_state(pipe, point_states[i], states[i]);
}
