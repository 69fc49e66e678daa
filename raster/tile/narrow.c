/* SPDX-License-Identifier: MIT */
/* The planes of narrow states: the method of interpolation of each input, chosen once for a primitive.
 * docs/narrow-colour.md gives the error bounds of each method. */
#include "raster/tile/narrow.h"

#include "raster/narrow.h"
#include "raster/tile/worker.h"

#include <math.h>

/* The factor of a plane's values: 1, or eye w where the plane has its value a. */
static float plane_factor(const struct scene_primitive *primitive, unsigned input)
{
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    return perspective ? scene_reference_w(primitive) : 1.0f;
}

/* --- colours ------------------------------------------------------------------------------------------------ */

/* The channels of a pixel in memory. */
static const uint8_t channel_of_number[4] = {2, 1, 0, 3};

/* Are all steps small enough? NaN is not. */
static bool steps_are_small(const struct narrow_color *color)
{
    bool small = true;

    for (unsigned i = 0; i < 4; i++)
        small &= (fabsf(color->dx[i]) < NARROW_MOST_STEP) & (fabsf(color->dy[i]) < NARROW_MOST_STEP);
    return small;
}

static int16_t whole_step(float step)
{
    return (int16_t)((int32_t)(step + (NARROW_MOST_STEP + 0.5f)) - (int32_t)NARROW_MOST_STEP);
}

static void use_color(const struct scene_primitive *primitive, unsigned input, struct narrow_color *color)
{
    const bool linear = primitive->state->interpolation[input] != RASTER_PERSPECTIVE || scene_has_one_w(primitive);
    const struct scene_plane4 *plane = &primitive->input[input];
    const float factor = plane_factor(primitive, input);

    color->input = (uint8_t)input;
    color->kind = NARROW_COLOR_FLOATS;
    if (!linear && !primitive->same_colors)
        return;
    if (!linear || primitive->constant_inputs >> input & 1) {
        for (unsigned i = 0; i < 4; i++)
            color->constant[i] = narrow_from((plane->a[channel_of_number[i]] + 0.0f) * factor);
        color->kind = NARROW_COLOR_CONSTANT;
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        const unsigned c = channel_of_number[i];

        color->a[i] = plane->a[c] * factor * NARROW_STEP_ONE;
        color->dx[i] = plane->dx[c] * factor * NARROW_STEP_ONE;
        color->dy[i] = plane->dy[c] * factor * NARROW_STEP_ONE;
    }
    if (!steps_are_small(color))
        return;
    for (unsigned i = 0; i < 4; i++) {
        color->step_x[i] = whole_step(color->dx[i]);
        color->step_y[i] = whole_step(color->dy[i]);
    }
    color->kind = NARROW_COLOR_STEPS;
}

/* --- coordinates -------------------------------------------------------------------------------------------- */

static void use_coordinate(const struct scene_primitive *primitive, unsigned input,
                           struct narrow_coordinate *coordinate)
{
    const struct scene_plane4 *plane = &primitive->input[input];
    const float factor = plane_factor(primitive, input) * (float)RASTER_AFFINE_ONE;

    coordinate->input = (uint8_t)input;
    for (unsigned c = 0; c < 2; c++) {
        coordinate->a[c] = plane->a[c] * factor;
        coordinate->dx[c] = plane->dx[c] * factor;
        coordinate->dy[c] = plane->dy[c] * factor;
        coordinate->step_x[c] = (int32_t)coordinate->dx[c];
        coordinate->step_y[c] = (int32_t)coordinate->dy[c];
    }
}

/* --- primitives --------------------------------------------------------------------------------------------- */

static void add_floats(const struct raster_draw_state *state, unsigned inputs, bool perspective,
                       struct narrow_floats *floats)
{
    for (; inputs; inputs &= inputs - 1) {
        const unsigned i = (unsigned)__builtin_ctz(inputs);

        if ((state->interpolation[i] == RASTER_PERSPECTIVE) != perspective)
            continue;
        for (unsigned left = state->input_mask[i] & 15u; left; left &= left - 1) {
            const unsigned c = (unsigned)__builtin_ctz(left);

            floats->component[floats->count++] = (struct narrow_float){
                .plane = (uint16_t)(i * sizeof(struct scene_plane4) / sizeof(float) + c),
                .lane = (uint16_t)((4 * i + c) * RASTER_LANES),
            };
        }
    }
}

static void find_floats(const struct raster_draw_state *state, unsigned affine, struct narrow_floats *floats)
{
    const unsigned inputs = ((1u << state->input_count) - 1) & ~(state->narrow_inputs | affine);

    floats->state = state;
    floats->affine = affine;
    floats->count = 0;
    add_floats(state, inputs, true, floats);
    floats->perspective_count = floats->count;
    add_floats(state, inputs, false, floats);
    floats->others = state->program_reads_position || state->fog_from_w || state->fog_mode > RASTER_FOG_VERTEX;
}

void tile_make_planes(const struct scene_primitive *primitive, unsigned affine, struct narrow_planes *planes)
{
    const struct raster_draw_state *state = primitive->state;
    bool float_colors = false;

    if (planes->floats.state != state || planes->floats.affine != affine)
        find_floats(state, affine, &planes->floats);
    planes->primitive = primitive;
    planes->color_count = planes->coordinate_count = 0;
    planes->has_steps = affine != 0;
    for (unsigned left = state->narrow_inputs; left; left &= left - 1) {
        struct narrow_color *color = &planes->color[planes->color_count++];

        use_color(primitive, (unsigned)__builtin_ctz(left), color);
        float_colors |= color->kind == NARROW_COLOR_FLOATS;
        planes->has_steps |= color->kind == NARROW_COLOR_STEPS;
    }
    planes->upright = affine != 0;
    for (unsigned left = affine; left; left &= left - 1) {
        struct narrow_coordinate *coordinate = &planes->coordinate[planes->coordinate_count++];

        use_coordinate(primitive, (unsigned)__builtin_ctz(left), coordinate);
        planes->upright &= !(coordinate->step_y[0] | coordinate->step_x[1]);
    }
    planes->needs_floats = planes->floats.count || planes->floats.others;
    planes->needs_w = planes->needs_floats || float_colors;
}

void tile_narrow_begin(struct tile_worker *w, const struct scene_primitive *primitive)
{
    const uint16_t affine = primitive->conservative ? 0 : primitive->affine_inputs;

    if (affine != w->batch.lanes.affine)
        tile_shade_batch(w);
    w->batch.lanes.affine = affine;
    w->batch.planes.primitive = NULL;
}

bool tile_narrow_planes(struct tile_worker *w, const struct scene_primitive *primitive)
{
    if (!w->state.draw->narrow)
        return false;
    if (w->batch.planes.primitive != primitive)
        tile_make_planes(primitive, w->batch.lanes.affine, &w->batch.planes);
    return true;
}
