/* SPDX-License-Identifier: MIT */
/*
 * Points: squares on the screen. A whole point is a single primitive whose bounds are its shape. A part of a point
 * (left by user clip planes) and a point on a multisampled target become triangles.
 */
#include "raster/setup/setup.h"

#include <math.h>
#include <string.h>

static void sprite_coordinates(const struct raster_draw_state *state, struct raster_vertex *v, float s, float t)
{
    const struct raster_state *rs = &state->rasterizer;

    if (rs->sprite_coord_mode == RASTER_SPRITE_LOWER_LEFT)
        t = 1.0f - t;
    for (unsigned i = 0; i < state->input_count; i++)
        if (rs->point_quad_rasterization && rs->sprite_coord_enable & (1u << i))
            memcpy(v->input[i], (const float[4]){s, t, 0.0f, 1.0f}, sizeof(v->input[i]));
}

struct point_corner {
    struct raster_vertex vertex;
    struct raster_snapped at;
};

/* The corner of a point at (s, t) of its square, 0..1 from the top left. */
static void point_corner(const struct raster_draw_state *state, struct point_corner *corner,
                         const struct raster_vertex *v, float size, float s, float t)
{
    float half = fminf(size, RASTER_MAX_SIZE) * 0.5f;

    corner->vertex = *v;
    corner->vertex.x = v->x + (s * 2.0f - 1.0f) * half;
    corner->vertex.y = v->y + (t * 2.0f - 1.0f) * half;
    sprite_coordinates(state, &corner->vertex, s, t);
    corner->at = setup_snap(state, &corner->vertex);
}

/* Points are never culled, and are filled in every fill mode. */
static void point_triangle(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v,
                           const struct point_corner *a, const struct point_corner *b, const struct point_corner *c)
{
    const struct raster_vertex *const tv[3] = {&a->vertex, &b->vertex, &c->vertex};
    const struct raster_snapped tp[3] = {a->at, b->at, c->at};
    const int64_t area = setup_area(tp);

    if (area)
        setup_solid_triangle(raster, state, tv, tp, area, v, true, false, false);
}

/* Is the point itself in view? Used where points are clipped before they become squares. */
static bool holds_center(const struct raster *raster, const struct raster_vertex *v)
{
    const struct raster_rect *r = &raster->state.viewport;
    float shift = raster->state.rasterizer.half_pixel_center ? 0.0f : 0.5f;

    return v->x + shift >= (float)r->left && v->x + shift <= (float)r->right && v->y + shift >= (float)r->top &&
           v->y + shift <= (float)r->bottom;
}

/* OpenGL's rule for points that are not quads: a whole number of pixels across; odd sizes are centred in a pixel, even
 * ones on a corner. Returns the size. */
static float legacy_point(const struct raster_state *rs, struct raster_vertex *v, float size)
{
    float shift = rs->half_pixel_center ? 0.0f : 0.5f;
    int whole = (int)fmaxf(floorf(fminf(size, RASTER_MAX_SIZE) + 0.5f), 1.0f);

    v->x = whole & 1 ? floorf(v->x + shift) + 0.5f - shift : floorf(v->x + shift + 0.5f) - shift;
    v->y = whole & 1 ? floorf(v->y + shift) + 0.5f - shift : floorf(v->y + shift + 0.5f) - shift;
    return (float)whole;
}

/* --- whole points ------------------------------------------------------------------------ */

static const float square_corners[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};

/* Several samples a pixel: the edges themselves decide. */
static void point_as_triangles(struct raster *raster, const struct raster_draw_state *state,
                               const struct raster_vertex *v, float size)
{
    struct point_corner corner[4];

    for (unsigned i = 0; i < 4; i++)
        point_corner(state, &corner[i], v, size, square_corners[i][0], square_corners[i][1]);
    point_triangle(raster, state, v, &corner[0], &corner[1], &corner[2]);
    point_triangle(raster, state, v, &corner[2], &corner[1], &corner[3]);
}

/* Values are constant over the square except for sprite coordinates, which go from 0 to 1 along its sides. */
static void square_planes(const struct raster_draw_state *state, struct scene_primitive *primitive,
                          const struct raster_vertex *v, float per_x, float per_y)
{
    const struct raster_state *rs = &state->rasterizer;

    for (unsigned i = 0; i < state->input_count; i++) {
        struct scene_plane4 *plane = &primitive->input[i];
        float w = state->interpolation[i] == RASTER_PERSPECTIVE ? v->rhw : 1.0f;
        bool sprite = rs->point_quad_rasterization && state->interpolation[i] != RASTER_FLAT &&
                      rs->sprite_coord_enable & (1u << i);

        memset(plane, 0, sizeof(*plane));
        if (sprite) {
            bool upwards = rs->sprite_coord_mode == RASTER_SPRITE_LOWER_LEFT;

            plane->a[1] = upwards ? w : 0.0f;
            plane->a[3] = w;
            plane->dx[0] = w * per_x;
            plane->dy[1] = upwards ? -w * per_y : w * per_y;
        } else {
            for (unsigned c = 0; c < 4; c++)
                plane->a[c] = v->input[i][c] * w;
            primitive->constant_inputs |= (uint16_t)(1u << i);
        }
    }
}

/* The pixels that the two triangles of the square would cover, as one primitive: left and top sides are in, right and
 * bottom ones out (the other way round vertically with bottom_edge_rule). */
static void point_as_square(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v,
                            float size)
{
    float half = fminf(size, RASTER_MAX_SIZE) * 0.5f;
    struct raster_vertex at = {.x = v->x - half, .y = v->y - half};
    struct raster_snapped first = setup_snap(state, &at), last;
    bool bottom_rule = state->rasterizer.bottom_edge_rule;
    struct scene_primitive bounds;

    at.x = v->x + half;
    at.y = v->y + half;
    last = setup_snap(state, &at);
    if (!setup_bounds(&bounds, &raster->clip, setup_first_pixel(first.x),
                      bottom_rule ? setup_end_pixel(first.y) : setup_first_pixel(first.y), setup_first_pixel(last.x),
                      bottom_rule ? setup_end_pixel(last.y) : setup_first_pixel(last.y)))
        return;
    struct scene_primitive *primitive = setup_bounded_primitive(raster, state, &bounds, false);
    if (!primitive)
        return;
    primitive->front_facing = true;
    primitive->is_rectangle = SCENE_SQUARE;
    primitive->reference_x = (float)(first.x - 128) * (1.0f / 256.0f);
    primitive->reference_y = (float)(first.y - 128) * (1.0f / 256.0f);
    primitive->depth = (struct scene_plane2){.a = {v->z, v->rhw}};
    square_planes(state, primitive, v, 256.0f / (float)(last.x - first.x), 256.0f / (float)(last.y - first.y));
    if (state->narrow)
        primitive->affine_inputs =
            setup_affine_inputs(state, primitive->input, (const struct raster_vertex *const[]){v, v, v});
    setup_bin_rectangle(&raster->scene, primitive);
    raster->statistics.binned++;
}

static void point_draw(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v,
                       float size)
{
    const struct raster_state *rs = &state->rasterizer;
    struct raster_vertex moved;
    if (!rs->point_tri_clip && !holds_center(raster, v))
        return;
    if (!rs->point_quad_rasterization) {
        if (rs->point_smooth && setup_smooths(raster, state) &&
            rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF) {
            setup_smooth_point(raster, state, v, size);
            return;
        }
        moved = *v;
        size = legacy_point(rs, &moved, size);
        v = &moved;
    }
    if (raster->scene.samples > 1)
        point_as_triangles(raster, state, v, size);
    else
        point_as_square(raster, state, v, size);
}

/* The state of a point to be drawn, and its vertex with the chosen colours, in `copy` if they differ. Points face
 * front. */
static const struct raster_draw_state *begin_point(struct raster *raster, const struct raster_vertex **v,
                                                   struct raster_vertex *copy, float size)
{
    raster->statistics.points++;
    const struct raster_draw_state *state = raster_begin_primitive(raster);

    if (!state || !(size > 0.0f))
        return NULL;
    if (state->color_inputs) {
        *copy = **v;
        setup_choose_colors(state, true, copy, 1);
        *v = copy;
    }
    return state;
}

/* A screen-aligned square. Source: DX8 DDI, "Rendering Point Sprites". */
void raster_point(struct raster *raster, const struct raster_vertex *v, float size)
{
    struct raster_vertex copy;
    const struct raster_draw_state *state = begin_point(raster, &v, &copy, size);

    if (state)
        point_draw(raster, state, v, size);
}

void raster_point_part(struct raster *raster, const struct raster_vertex *v, float size, const float (*corners)[2],
                       unsigned count)
{
    struct raster_vertex copy;
    const struct raster_draw_state *state = begin_point(raster, &v, &copy, size);

    if (!state || count < 3)
        return;
    struct point_corner first, last, next;
    point_corner(state, &first, v, size, corners[0][0], corners[0][1]);
    point_corner(state, &last, v, size, corners[1][0], corners[1][1]);
    for (unsigned i = 2; i < count; i++) {
        point_corner(state, &next, v, size, corners[i][0], corners[i][1]);
        point_triangle(raster, state, v, &first, &last, &next);
        last = next;
    }
}
