/* SPDX-License-Identifier: MIT */
/*
 * Rectangles: two triangles of a mesh that share a diagonal and form an axis-aligned rectangle become one primitive if
 * the pixels are the same. Then blocks along the diagonal are visited once, not twice.
 *
 * Each pixel of the rectangle belongs to one of the two triangles, and the triangles have no other pixels. So the
 * rectangle draws the same bits where both triangles' planes have the same values: at its pixels, and at the others of
 * their 2x2 quads, which go into differences. Planes with the same reference are compared directly. Otherwise, because
 * a value is rounded after each operation, they are compared at each column or row, so they must depend only on x or
 * only on y. Depth and 1/w must be the same everywhere.
 */
#include "raster/setup/planes.h"
#include "raster/setup/setup.h"

#include <string.h>

/* --- shape --------------------------------------------------------------------------------- */

struct rectangle {
    int32_t left, top, right, bottom; /* subpixels */
};

/* The corner of the rectangle at a point: bit 0: right, bit 1: bottom; 4: not a corner. */
static inline unsigned corner_of(const struct rectangle *r, const struct raster_snapped *p)
{
    if ((p->x != r->left && p->x != r->right) || (p->y != r->top && p->y != r->bottom))
        return 4;
    return (unsigned)(p->x == r->right) | (unsigned)(p->y == r->bottom) << 1;
}

static inline int32_t least_of(int32_t a, int32_t b, int32_t c)
{
    return BASE_MIN(BASE_MIN(a, b), c);
}
static inline int32_t most_of(int32_t a, int32_t b, int32_t c)
{
    return BASE_MAX(BASE_MAX(a, b), c);
}

/* Finds the rectangle that two triangles of the same area form; number: the index in `corners` of each of its corners.
 * False: they form none. */
static bool find_rectangle(const struct raster_snapped *snapped, const uint32_t *corners, struct rectangle *r,
                           uint32_t number[4])
{
    const struct raster_snapped *p = &snapped[corners[0]], *q = &snapped[corners[1]], *s = &snapped[corners[2]];
    unsigned missing[2] = {0, 0}, seen[2] = {0, 0};

    *r = (struct rectangle){least_of(p->x, q->x, s->x), least_of(p->y, q->y, s->y), most_of(p->x, q->x, s->x),
                            most_of(p->y, q->y, s->y)};
    for (unsigned i = 0; i < 6; i++) {
        const unsigned at = corner_of(r, &snapped[corners[i]]);

        if (at == 4)
            return false;
        missing[i / 3] ^= at;
        seen[i / 3] |= 1u << at;
        number[at] = corners[i];
    }
    /* three corners each, and the missing corners lie opposite each other */
    return (seen[0] ^ 15) == 1u << missing[0] && (seen[1] ^ 15) == 1u << missing[1] && (missing[0] ^ missing[1]) == 3;
}

/* --- planes -------------------------------------------------------------------------------- */

/* Are depth and 1/w each the same number at all six corners? */
static bool has_one_depth(const struct raster_vertex *vertices, const uint32_t *corners)
{
    const float4 first = float4_load_low(&vertices[corners[0]].z);
    int4 same = float4_abs(first) < 1e30f;

    for (unsigned i = 1; i < 6; i++)
        same &= (int4)first == (int4)float4_load_low(&vertices[corners[i]].z);
    return (int4_signs(same) & 3) == 3;
}

/* Can input i be linear? A quick test without planes, which rejects nearly all inputs that are not. */
static bool may_be_linear(const struct raster_vertex *vertices, const uint32_t number[4], unsigned i)
{
    const float4 sum = float4_load(vertices[number[0]].input[i]) + float4_load(vertices[number[3]].input[i]);
    const float4 other = float4_load(vertices[number[1]].input[i]) + float4_load(vertices[number[2]].input[i]);

    return int4_signs(float4_abs(sum - other) < 1e-3f) == 15;
}

/* One of the two triangles: the reference of its planes, and the factors of their gradients. */
struct half {
    const struct raster_vertex *v[3];
    float x, y;
    struct lane_gradient gradient;
};

static struct half half_of(const struct raster_vertex *vertices, const struct raster_snapped *snapped,
                           const uint32_t *corners, double area)
{
    const int4 p[3] = {setup_load_point(&snapped[corners[0]]), setup_load_point(&snapped[corners[1]]),
                       setup_load_point(&snapped[corners[2]])};
    const struct triangle_gradient g = triangle_gradient(p, area);
    const float4 reference = triangle_reference(p[0]);

    return (struct half){
        .v = {&vertices[corners[0]], &vertices[corners[1]], &vertices[corners[2]]},
        .x = reference[0],
        .y = reference[1],
        .gradient = lane_gradient(g.a, g.b),
    };
}

/* Returns the components in `wanted` for which a + (at - from) * slope equals b + (at - to) * slope at each `at` of
 * first..last. */
static int4 same_along(int4 wanted, float4 a, float from, float4 b, float to, float4 slope, int32_t first, int32_t last)
{
    for (int32_t at = first; at <= last && int4_signs(wanted); at++)
        wanted &= a + slope * ((float)at - from) == b + slope * ((float)at - to);
    return wanted;
}

/* Do two planes have the same values, to the bit, in the quads of the pixels in `area`? start: quads begin at multiples
 * of this, as a mask. */
static bool are_same(const struct scene_plane4 *one, const struct half *first, const struct scene_plane4 *other,
                     const struct half *second, const struct raster_rect *area, int32_t start)
{
    const float4 a = float4_load(one->a), b = float4_load(other->a);
    const float4 dx = float4_load(one->dx), dy = float4_load(one->dy);
    const int4 negative_zero = int4_splat(INT32_MIN), flat_x = dx == 0.0f, flat_y = dy == 0.0f;
    const int4 one_reference = int4_splat(first->x == second->x && first->y == second->y ? -1 : 0);
    /* No sum is a negative zero unless it starts from one; so the sign of a slope of 0 does not matter. */
    const int4 comparable = (dx == float4_load(other->dx)) & (dy == float4_load(other->dy)) &
                            ((int4)a != negative_zero) & ((int4)b != negative_zero);
    int4 same = (a == b) & ((flat_x & flat_y) | one_reference);

    if (int4_signs(comparable) != 15 || int4_signs(same | flat_x | flat_y) != 15)
        return false;
    same |= same_along(flat_x & ~same, a, first->y, b, second->y, dy, area->top & start, (area->bottom - 1) | 1);
    same |= same_along(flat_y & ~same, a, first->x, b, second->x, dx, area->left & start, (area->right - 1) | 1);
    return int4_signs(same) == 15;
}

/* In narrow states colours and coordinates are scaled before they are summed. Do planes with equal values keep them
 * equal? If the references differ, only when scaling changes just the exponent. */
static bool are_same_narrow(const struct raster_draw_state *state, const struct half half[2],
                            const struct scene_plane4 *planes, unsigned constant)
{
    const unsigned affine = setup_affine_inputs(state, planes, half[0].v);
    unsigned scaled = state->narrow_inputs;

    if (setup_affine_inputs(state, planes, half[1].v) != affine)
        return false;
    for (unsigned i = 0; i < state->input_count; i++)
        if (state->interpolation[i] == RASTER_PERSPECTIVE && half[0].v[0]->rhw != 1.0f)
            scaled |= affine & 1u << i;
    return (half[0].x == half[1].x && half[0].y == half[1].y) || !(scaled & ~constant);
}

/* Makes the planes of all inputs, from one triangle. False: those of the other triangle differ. */
static bool find_planes(const struct raster_draw_state *state, const struct half half[2],
                        const struct raster_rect *area, struct scene_plane4 *planes, unsigned *constant)
{
    *constant = 0;
    for (unsigned i = 0; i < state->input_count; i++) {
        struct scene_plane4 other;

        if (state->interpolation[i] == RASTER_FLAT) { /* the first corner is the provoking one */
            if (memcmp(half[0].v[0]->input[i], half[1].v[0]->input[i], sizeof(half[0].v[0]->input[i])))
                return false;
            flat_plane(&planes[i], half[0].v[0]->input[i]);
            *constant |= 1u << i;
            continue;
        }
        *constant |= input_plane(&planes[i], &half[0].gradient, half[0].v, i) << i;
        input_plane(&other, &half[1].gradient, half[1].v, i);
        if (!are_same(&planes[i], &half[0], &other, &half[1], area, state->narrow ? ~3 : ~1))
            return false;
    }
    return !state->narrow || are_same_narrow(state, half, planes, *constant);
}

/* --- the primitive -------------------------------------------------------------------------- */

/* Does the state distinguish the two triangles from a rectangle? A program that records sampler feedback runs for each
 * of them even if the colour is constant. */
static bool state_allows(const struct raster *raster, const struct raster_draw_state *state)
{
    return scene_samples(&raster->scene, state) <= 1 && !state->rasterizer.poly_stipple_enable &&
           !state->depth_from_w && !state->program_records;
}

static bool clip_rect(struct raster_rect *rect, const struct raster_rect *clip)
{
    *rect = (struct raster_rect){BASE_MAX(rect->left, clip->left), BASE_MAX(rect->top, clip->top),
                                 BASE_MIN(rect->right, clip->right), BASE_MIN(rect->bottom, clip->bottom)};
    return rect->left < rect->right && rect->top < rect->bottom;
}

static void store_rectangle(struct raster *raster, const struct raster_draw_state *state, const struct half *half,
                            const struct raster_rect *area, const struct scene_plane4 *planes, unsigned constant,
                            bool front, bool offset)
{
    struct scene_primitive *primitive = setup_primitive(raster, state, false);

    if (!primitive)
        return;
    primitive->left = area->left;
    primitive->top = area->top;
    primitive->right = area->right;
    primitive->bottom = area->bottom;
    primitive->reference_x = half->x;
    primitive->reference_y = half->y;
    primitive->front_facing = front;
    primitive->is_rectangle = SCENE_RECTANGLE;
    primitive->constant_inputs = (uint16_t)constant;
    primitive->depth = (struct scene_plane2){.a = {half->v[0]->z, half->v[0]->rhw}};
    if (offset)
        setup_add_bias(raster, primitive, half->v);
    memcpy(primitive->input, planes, state->input_count * sizeof(*planes));
    if (state->narrow)
        primitive->affine_inputs = setup_affine_inputs(state, planes, half->v);
    raster->statistics.binned += 2;
    setup_bin_rectangle(&raster->scene, primitive);
}

bool setup_rectangle(struct raster *raster, const struct raster_draw_state *state, const struct raster_vertex *vertices,
                     const struct raster_snapped *snapped, const uint32_t *corners, double area, bool front,
                     bool offset)
{
    const bool bottom_rule = state->rasterizer.bottom_edge_rule;
    struct scene_plane4 planes[RASTER_MAX_INPUTS];
    struct rectangle r;
    uint32_t number[4];
    unsigned constant;

    if (!state_allows(raster, state) || !find_rectangle(snapped, corners, &r, number) ||
        !has_one_depth(vertices, corners))
        return false;
    for (unsigned i = 0; i < state->input_count; i++)
        if (state->interpolation[i] != RASTER_FLAT && !may_be_linear(vertices, number, i))
            return false;
    /* the pixels that are covered, and the bounds that both triangles are charged for */
    struct raster_rect covered = {
        setup_first_pixel(r.left),
        bottom_rule ? setup_end_pixel(r.top) : setup_first_pixel(r.top),
        setup_first_pixel(r.right),
        bottom_rule ? setup_end_pixel(r.bottom) : setup_first_pixel(r.bottom),
    };
    struct raster_rect bounds = {setup_first_pixel(r.left), setup_first_pixel(r.top), setup_end_pixel(r.right),
                                 setup_end_pixel(r.bottom)};
    const bool is_small =
        bounds.right - bounds.left <= RASTER_TILE_SIZE && bounds.bottom - bounds.top <= RASTER_TILE_SIZE;

    if (!clip_rect(&bounds, &raster->clip) || !clip_rect(&covered, &raster->clip))
        return false;
    uint64_t pixels = (uint64_t)(bounds.right - bounds.left) * (uint64_t)(bounds.bottom - bounds.top);
    if (!is_small)
        pixels = setup_large_pixels(pixels, area);
    if (raster->budget / 2 <= (pixels + RASTER_LEAST_PIXELS) * raster->price) /* the budget may end between the two */
        return false;
    const struct half half[2] = {half_of(vertices, snapped, corners, area),
                                 half_of(vertices, snapped, corners + 3, area)};

    if (!find_planes(state, half, &covered, planes, &constant))
        return false;
    for (unsigned i = 0; i < 2; i++)
        raster_spend_pixels(raster, pixels);
    store_rectangle(raster, state, &half[0], &covered, planes, constant, front, offset);
    return true;
}
