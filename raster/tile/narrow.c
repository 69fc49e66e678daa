/* SPDX-License-Identifier: MIT */
/* The planes of narrow states: which way each input is interpolated, chosen once for a primitive. docs/narrow-colour.md tells how
 * far each way may lead. */
#include "raster/tile/narrow.h"

#include "raster/narrow.h"
#include "raster/tile/worker.h"

#include <math.h>

/* The factor that a plane's values are multiplied with: 1, or eye w, which is the same everywhere. */
static float plane_factor(const struct scene_primitive *primitive, unsigned input)
{
    const bool perspective = primitive->state->interpolation[input] == RASTER_PERSPECTIVE;

    return perspective ? 1.0f / (primitive->depth.a[1] + 0.0f) : 1.0f;
}

/* --- colours ------------------------------------------------------------------------------------------------ */

/* The channels of a pixel in memory. */
static const uint8_t channel_of_number[4] = {2, 1, 0, 3};

/* Is there no step that is too large? NaN is. */
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

/* Does a colour of a primitive in perspective change by less than a quarter of a number? Its plane then is that of 1/w times a factor. */
static bool is_constant(const struct scene_primitive *primitive, const struct scene_plane4 *plane, int16_t constant[4])
{
    const struct scene_plane2 *depth = &primitive->depth;
    const float width = (float)(primitive->right - primitive->left) + 8.0f,
                height = (float)(primitive->bottom - primitive->top) + 8.0f;
    const float x = (float)primitive->left - 4.0f + 0.5f * width - primitive->reference_x;
    const float y = (float)primitive->top - 4.0f + 0.5f * height - primitive->reference_y;
    const float middle = depth->a[1] + x * depth->dx[1] + y * depth->dy[1];
    const float least = middle - 0.5f * (width * fabsf(depth->dx[1]) + height * fabsf(depth->dy[1]));
    bool is_constant = least > 0.0f;

    for (unsigned i = 0; i < 4; i++) {
        const unsigned c = channel_of_number[i];
        const float value = (plane->a[c] + x * plane->dx[c] + y * plane->dy[c]) / middle;
        const float off = 0.5f * (width * fabsf(plane->dx[c] - value * depth->dx[1]) +
                                  height * fabsf(plane->dy[c] - value * depth->dy[1]));

        is_constant &= off < 0.25f / (float)NARROW_ONE * least;
        constant[i] = narrow_from(value);
    }
    return is_constant;
}

static void use_color(const struct scene_primitive *primitive, unsigned input, struct narrow_color *color)
{
    const bool linear = primitive->state->interpolation[input] != RASTER_PERSPECTIVE || scene_has_one_w(primitive);
    const struct scene_plane4 *plane = &primitive->input[input];
    const float factor = plane_factor(primitive, input);

    color->input = (uint8_t)input;
    color->kind = NARROW_COLOR_FLOATS;
    if (!linear) {
        if (is_constant(primitive, plane, color->constant))
            color->kind = NARROW_COLOR_CONSTANT;
        return;
    }
    if (primitive->constant_inputs >> input & 1) {
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

/* Bounds of a coordinate that whole numbers hold, in repetitions of a texture: of a step by a pixel, and anywhere. */
#define MOST_AFFINE_STEP  4.0f
#define MOST_AFFINE_VALUE 100.0f

/* Do both axes of an input, which is a coordinate, stay within these? */
static bool input_is_affine(const struct scene_primitive *primitive, unsigned input)
{
    const struct scene_plane4 *plane = &primitive->input[input];
    const float factor =
        primitive->state->interpolation[input] == RASTER_PERSPECTIVE ? 1.0f / primitive->depth.a[1] : 1.0f;
    const float width = (float)(primitive->right - primitive->left),
                height = (float)(primitive->bottom - primitive->top);
    const float x = (float)primitive->left + 0.5f * width - primitive->reference_x;
    const float y = (float)primitive->top + 0.5f * height - primitive->reference_y;
    bool affine = true;

    for (unsigned c = 0; c < 2; c++) {
        const float dx = plane->dx[c] * factor, dy = plane->dy[c] * factor;
        const float middle = plane->a[c] * factor + x * dx + y * dy;
        /* groups may begin up to three pixels outside, and end as far */
        const float reach = (0.5f * width + 4.0f) * fabsf(dx) + (0.5f * height + 4.0f) * fabsf(dy);

        affine &=
            fabsf(dx) < MOST_AFFINE_STEP && fabsf(dy) < MOST_AFFINE_STEP && fabsf(middle) + reach < MOST_AFFINE_VALUE;
    }
    return affine;
}

static unsigned affine_inputs(const struct scene_primitive *primitive)
{
    const struct raster_draw_state *state = primitive->state;
    unsigned affine = 0;

    if (!scene_has_one_w(primitive) || primitive->conservative)
        return 0;
    for (unsigned i = 0; i < state->input_count; i++)
        if (!(state->narrow_inputs >> i & 1) && state->input_mask[i] == 3)
            affine |= (unsigned)input_is_affine(primitive, i) << i;
    return affine;
}

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
        const int32_t step_x = (int32_t)coordinate->dx[c], step_y = (int32_t)coordinate->dy[c];

        for (unsigned l = 0; l < RASTER_GROUP_LANES; l++)
            coordinate->offset[c][l] = raster_lane_x[l] * step_x + raster_lane_y[l] * step_y;
    }
}

/* --- primitives --------------------------------------------------------------------------------------------- */

/* Is there anything that interpolate and interpolate_block have left to do? */
static bool needs_floats(const struct raster_draw_state *state, unsigned affine)
{
    const unsigned inputs = (1u << state->input_count) - 1;

    return (inputs & ~(state->narrow_inputs | affine)) || state->program_reads_position || state->fog_from_w ||
           state->fog_mode > RASTER_FOG_VERTEX;
}

void tile_narrow_planes(const struct scene_primitive *primitive, unsigned affine, struct narrow_planes *planes)
{
    planes->primitive = primitive;
    planes->needs_floats = needs_floats(primitive->state, affine);
    planes->color_count = planes->coordinate_count = 0;
    for (unsigned left = primitive->state->narrow_inputs; left; left &= left - 1)
        use_color(primitive, (unsigned)__builtin_ctz(left), &planes->color[planes->color_count++]);
    for (unsigned left = affine; left; left &= left - 1)
        use_coordinate(primitive, (unsigned)__builtin_ctz(left), &planes->coordinate[planes->coordinate_count++]);
}

void tile_narrow_use(struct tile_worker *w, const struct scene_primitive *primitive)
{
    const unsigned affine = affine_inputs(primitive);

    if (affine != w->batch.lanes.affine)
        tile_shade_batch(w);
    w->batch.lanes.affine = (uint16_t)affine;
    tile_narrow_planes(primitive, affine, &w->batch.planes);
}
