/* SPDX-License-Identifier: MIT */
/*
 * Smoothed polygons, lines and points: every pixel the outline touches is taken, and tile/special.c scales alpha
 * by how much of it is covered. Source: OpenGL's antialiasing, to which Mesa's gallium documentation refers
 * (docs/reference/rasterization.md, section 12).
 */
#include "raster/setup/setup.h"

#include <math.h>

/* Bins a primitive whose edges and smooth outline are set, over the pixels its box touches (subpixels). */
static struct scene_primitive *smooth_begin(struct raster *raster, const struct raster_draw_state *state, int32_t left,
                                            int32_t top, int32_t right, int32_t bottom)
{
    struct scene_primitive bounds, *primitive;
    struct scene_smooth *smooth;

    if (!setup_bounds(&bounds, &raster->clip, left >> 8, top >> 8, (right >> 8) + 1, (bottom >> 8) + 1))
        return NULL;
    primitive = setup_bounded_primitive(raster, state, &bounds, true);
    smooth = scene_alloc(&raster->scene, sizeof(*smooth));
    if (!primitive || !smooth)
        return NULL;
    *smooth = (struct scene_smooth){0};
    primitive->shape->smooth = smooth;
    for (unsigned e = 0; e < 3; e++)
        primitive->shape->edge[e] = (struct scene_edge){0};
    return primitive;
}

static int64_t smooth_magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

/* Edge i of the outline: exact for the points of a pixel, pushed out by half a pixel for choosing pixels. */
static void add_edge(struct scene_primitive *primitive, struct scene_smooth *smooth, struct raster_snapped a,
                     struct raster_snapped b)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y, e = dx * -a.y - dy * -a.x;
    unsigned i = smooth->edges++;

    smooth->edge[i].e = e;
    smooth->edge[i].dx = (int32_t)dx;
    smooth->edge[i].dy = (int32_t)dy;
    if (i < 3) {
        int64_t pushed = e + 128 * (dx - dy) + 128 * (smooth_magnitude(dx) + smooth_magnitude(dy));

        primitive->shape->edge[i] = (struct scene_edge){.c = pushed >> 8, .dx = (int32_t)dx, .dy = (int32_t)dy};
    }
}

/* A convex outline of 3 or 4 corners whose values come from the triangle v, p. NULL: nothing of it is visible. */
static struct scene_primitive *smooth_outline(struct raster *raster, const struct raster_draw_state *state,
                                              const struct raster_vertex *const v[3], const struct raster_snapped p[3],
                                              const struct raster_vertex *provoking, bool offset,
                                              const struct raster_snapped *outline, unsigned corners)
{
    int32_t left = outline[0].x, right = left, top = outline[0].y, bottom = top;
    int64_t area = setup_area(p);

    for (unsigned i = 1; i < corners; i++) {
        left = BASE_MIN(left, outline[i].x);
        right = BASE_MAX(right, outline[i].x);
        top = BASE_MIN(top, outline[i].y);
        bottom = BASE_MAX(bottom, outline[i].y);
    }
    struct scene_primitive *primitive = area ? smooth_begin(raster, state, left, top, right, bottom) : NULL;
    if (!primitive)
        return NULL;
    struct scene_smooth *smooth = (struct scene_smooth *)primitive->shape->smooth;
    for (unsigned i = 0; i < corners; i++) { /* inside is positive */
        const struct raster_snapped *a = &outline[i], *b = &outline[(i + 1) % corners];

        add_edge(primitive, smooth, area > 0 ? *a : *b, area > 0 ? *b : *a);
    }
    setup_triangle_planes(raster, state, primitive, v, p, area, provoking, offset);
    return primitive;
}

static void bin_smooth(struct raster *raster, struct scene_primitive *primitive, bool front)
{
    primitive->front_facing = front;
    setup_bin_triangle(&raster->scene, primitive);
    raster->statistics.binned++;
}

void setup_smooth_triangle(struct raster *raster, const struct raster_draw_state *state,
                           const struct raster_vertex *const v[3], const struct raster_snapped p[3],
                           const struct raster_vertex *provoking, bool front, bool offset)
{
    struct scene_primitive *primitive = smooth_outline(raster, state, v, p, provoking, offset, p, 3);

    if (!primitive)
        return;
    primitive->stippled = state->rasterizer.poly_stipple_enable;
    bin_smooth(raster, primitive, front);
}

/* The pattern follows the length of the line from v0 on, in pixels. */
static void add_stipple(struct scene_primitive *primitive, const struct raster_vertex *v0,
                        const struct raster_vertex *v1, const struct raster_draw_state *state, double steps)
{
    struct scene_smooth *smooth = (struct scene_smooth *)primitive->shape->smooth;
    const struct raster_snapped a = setup_snap(state, v0), b = setup_snap(state, v1);
    const double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);

    smooth->stippled = true;
    smooth->x = a.x;
    smooth->y = a.y;
    smooth->phase = steps;
    smooth->along[0] = dx / length * (1.0 / 256.0);
    smooth->along[1] = dy / length * (1.0 / 256.0);
}

/* A rectangle around the line, with values that vary along it. */
void setup_smooth_line(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v0,
                       const struct raster_vertex *v1, const struct raster_vertex *provoking,
                       struct setup_stipple stipple)
{
    float dx = v1->x - v0->x, dy = v1->y - v0->y, length = sqrtf(dx * dx + dy * dy);
    float half = fminf(fmaxf(state->rasterizer.line_width, 1.0f), 256.0f) * 0.5f;

    if (!(length > 0.0f))
        return;
    float nx = -dy / length * half, ny = dx / length * half;
    struct raster_vertex corner[4] = {*v0, *v1, *v1, *v0};
    struct raster_snapped p[4];
    for (unsigned i = 0; i < 4; i++) {
        float side = i < 2 ? -1.0f : 1.0f;

        corner[i].x += side * nx;
        corner[i].y += side * ny;
        p[i] = setup_snap(state, &corner[i]);
    }
    const struct raster_vertex *const v[3] = {&corner[0], &corner[1], &corner[2]};
    struct scene_primitive *primitive = smooth_outline(raster, state, v, p, provoking, false, p, 4);

    if (!primitive)
        return;
    if (stipple.enable)
        add_stipple(primitive, v0, v1, state, stipple.steps);
    bin_smooth(raster, primitive, true);
}

void setup_smooth_point(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *v,
                        float size)
{
    static const struct gradient none = {0.0, 0.0, 0.0, 0.0};
    const struct raster_vertex *const same[3] = {v, v, v};
    struct raster_snapped at = setup_snap(state, v);
    int32_t radius = (int32_t)(fminf(size, RASTER_MAX_SIZE) * 128.0f + 0.5f);
    struct scene_primitive *primitive =
        smooth_begin(raster, state, at.x - radius, at.y - radius, at.x + radius, at.y + radius);

    if (!primitive)
        return;
    struct scene_smooth *smooth = (struct scene_smooth *)primitive->shape->smooth;
    smooth->x = at.x;
    smooth->y = at.y;
    smooth->radius = radius;
    primitive->reference_x = (float)(at.x - 128) * (1.0f / 256.0f);
    primitive->reference_y = (float)(at.y - 128) * (1.0f / 256.0f);
    setup_depth_plane(&primitive->depth, 0, &none, v->z, v->z, v->z);
    setup_depth_plane(&primitive->depth, 1, &none, v->rhw, v->rhw, v->rhw);
    setup_input_planes(state, primitive, &none, same, v);
    bin_smooth(raster, primitive, true);
}
