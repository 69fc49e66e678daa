/* SPDX-License-Identifier: MIT */
/* Setup shared by all primitives: colours by face, bounds, and the bins of the tiles that they touch. */
#include "raster/setup/setup.h"

#include <math.h>
#include <string.h>

/* --- colours -------------------------------------------------------------------------------- */

bool setup_choose_colors(const struct raster_draw_state *state, bool front, struct raster_vertex *vertex,
                         unsigned count)
{
    const struct raster_state *rs = &state->rasterizer;
    bool back = rs->light_twoside && !front;

    if (!state->color_inputs || !(back || rs->clamp_vertex_color))
        return false;
    for (unsigned n = 0; n < count * RASTER_MAX_INPUTS; n++) {
        unsigned i = n % RASTER_MAX_INPUTS;
        float *value = vertex[n / RASTER_MAX_INPUTS].input[i];

        if (!(state->color_inputs & (1u << i)))
            continue;
        if (back)
            memcpy(value, vertex[n / RASTER_MAX_INPUTS].input[state->back_input[i] % RASTER_MAX_INPUTS],
                   4 * sizeof(*value));
        for (unsigned c = 0; c < 4 && rs->clamp_vertex_color; c++)
            value[c] = value[c] > 0.0f ? fminf(value[c], 1.0f) : 0.0f;
    }
    return true;
}

/* --- bounds --------------------------------------------------------------------------------- */

bool setup_bounds(struct scene_primitive *primitive, const struct raster_rect *clip, int32_t left, int32_t top,
                  int32_t right, int32_t bottom)
{
    primitive->left = BASE_MAX(left, clip->left);
    primitive->top = BASE_MAX(top, clip->top);
    primitive->right = BASE_MIN(right, clip->right);
    primitive->bottom = BASE_MIN(bottom, clip->bottom);
    return primitive->left < primitive->right && primitive->top < primitive->bottom;
}

struct scene_primitive *setup_bounded_primitive(struct raster *raster, const struct raster_draw_state *state,
                                                const struct scene_primitive *bounds, bool shaped)
{
    struct scene_primitive *primitive = NULL;

    if (raster_spend_rect(raster, bounds->right - bounds->left, bounds->bottom - bounds->top))
        primitive = setup_primitive(raster, state, shaped);
    if (primitive) {
        primitive->left = bounds->left;
        primitive->top = bounds->top;
        primitive->right = bounds->right;
        primitive->bottom = bounds->bottom;
    }
    return primitive;
}

/* --- bins ----------------------------------------------------------------------------------- */

void setup_bin_triangle(struct scene *scene, const struct scene_primitive *primitive)
{
    int64_t margin[3] = {0, 0, 0};

    int left = primitive->left / RASTER_TILE_SIZE, right = (primitive->right - 1) / RASTER_TILE_SIZE;
    int top = primitive->top / RASTER_TILE_SIZE, bottom = (primitive->bottom - 1) / RASTER_TILE_SIZE;

    BASE_ASSERT(left >= 0 && top >= 0 && left <= right && top <= bottom);
    if (left == right && top == bottom) {
        scene_bin_command(scene, (unsigned)left, (unsigned)top, SCENE_TRIANGLE, primitive, 7);
        return;
    }
    for (unsigned e = 0; e < 3 && scene_samples(scene, primitive->state) > 1; e++)
        margin[e] = scene_edge_margin(&primitive->shape->edge[e]);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            uint32_t crossing = 0;
            bool outside = false;

            for (unsigned e = 0; e < 3 && !outside; e++) {
                int where = setup_classify_tile(&primitive->shape->edge[e], x * RASTER_TILE_SIZE, y * RASTER_TILE_SIZE,
                                                margin[e]);

                outside = where < 0;
                crossing |= (uint32_t)(where == 0) << e;
            }
            if (!outside)
                scene_bin_command(scene, (unsigned)x, (unsigned)y, SCENE_TRIANGLE, primitive, crossing);
        }
    }
}
