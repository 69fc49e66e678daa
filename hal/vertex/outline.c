/* SPDX-License-Identifier: MIT */
/*
 * Clipping happens in the triangle's own plane: a corner is three weights, one of each vertex, and a clipping plane three
 * distances. Weights and distances are products and sums of floats, which doubles hold without overflow or underflow at any
 * scale, so that w > 0 needs no least w: inside the guard band w is not below 0, and w = 0 is there only where x and y are 0
 * too. Every weight carries a bound of its rounding error, from which comes the error of positions in pixels.
 */
#include "hal/vertex/outline.h"

#include "base/assert.h"
#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/vertex.h"
#include "raster/raster.h"

#include <math.h>

/* Half the distance of doubles around 1, and a little for products of such errors. */
#define EPSILON 1.2e-16

/* Weights are weight + low, twice as precise as a double: an edge that comes close to the eye needs this precision
 * where it leaves the guard band. */
struct corner {
    double weight[3], low[3], error[3];
};

struct shape {
    const struct hal_projection *projection;
    const struct raster_vertex *const *projected;
    double position[4][3]; /* x, y, z, w of the three vertices; those that come in pixels: as they are, w = 1 */
    bool is_cut;
};

/* --- sums without loss ------------------------------------------------------------------------ */

/* Adds a number to a sum kept without loss: terms that do not overlap, the least first (Shewchuk 1997). */
static unsigned add_exactly(double *sum, unsigned count, double v)
{
    unsigned n = 0;

    for (unsigned i = 0; i < count; i++) {
        const double total = v + sum[i], part = total - v;
        const double lost = (v - (total - part)) + (sum[i] - part);

        if (lost != 0.0)
            sum[n++] = lost;
        v = total;
    }
    if (v != 0.0 || n == 0)
        sum[n++] = v;
    return n;
}

/* The leading bits of a, so many that they and the rest multiply without loss (Dekker 1971). splitter: 2^n + 1, where n bits
 * are left for the rest. */
static double leading(double a, double splitter)
{
    const double scaled = splitter * a;

    return scaled - (scaled - a);
}

/* a * b, and what rounding takes from it. */
static double outline_multiply(double a, double b, double *lost)
{
    const double product = a * b, ah = leading(a, 134217729.0), bh = leading(b, 134217729.0);
    const double al = a - ah, bl = b - bh;

    *lost = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
    return product;
}

/* Adds a * b, b a float. */
static unsigned add_product(double *sum, unsigned count, double a, double b)
{
    const double high = leading(a, 16777217.0);

    if (a == 0.0 || b == 0.0)
        return count;
    count = add_exactly(sum, count, high * b);
    return add_exactly(sum, count, (a - high) * b);
}

/* Adds the sum of a corner's weights times a value of each vertex. */
static unsigned add_dot(double *sum, unsigned count, const struct corner *corner, const double value[3])
{
    for (unsigned i = 0; i < 3; i++) {
        count = add_product(sum, count, corner->weight[i], value[i]);
        count = add_product(sum, count, corner->low[i], value[i]);
    }
    return count;
}

/* Two such sums at most, together. */
#define MAX_TERMS (2 * 12 + 1)

/* Adds up the terms of a sum. This is the only place where it is rounded. */
static double total_of(const double *sum, unsigned count)
{
    double total = 0.0;

    for (unsigned i = 0; i < count; i++)
        total += sum[i];
    return total;
}

/* A coordinate of a corner. */
static double outline_dot(const struct corner *corner, const struct shape *s, unsigned axis)
{
    double sum[MAX_TERMS];

    return total_of(sum, add_dot(sum, 0, corner, s->position[axis]));
}

/* Returns the sign of the determinant of x, y, w of three vertices, exactly: it says which way the triangle faces, wherever its
 * vertices lie. */
static int determinant_sign(const double p[4][3])
{
    static const uint8_t turns[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    double sum[12 + 1];
    unsigned count = 0;

    sum[0] = 0.0;
    for (unsigned i = 0; i < 6; i++) {
        const double x = p[0][turns[i][0]], y = p[1][turns[i][1]], w = p[3][turns[i][2]];

        count = add_product(sum, count, (i < 3 ? x : -x) * y, w);
    }
    const double greatest = sum[count ? count - 1 : 0];

    return (greatest > 0.0) - (greatest < 0.0);
}

/* --- clipping ----------------------------------------------------------------------------- */

enum { PLANE_NEAR, PLANE_FAR, PLANE_GUARD, PLANE_USER = PLANE_GUARD + 4, PLANE_COUNT = PLANE_USER + CLIP_MAX_PLANES };

/* Outcodes that require clipping to a plane. Behind the eye the position relative to the guard band is unknown. */
static uint32_t plane_codes(unsigned plane)
{
    switch (plane) {
    case PLANE_NEAR:
        return HAL_OUT_NEAR;
    case PLANE_FAR:
        return HAL_OUT_FAR;
    default:
        return plane >= PLANE_USER ? (uint32_t)HAL_OUT_USER0 << (plane - PLANE_USER) : HAL_OUT_GUARD | HAL_OUT_W;
    }
}

/* The error of a vertex's distance from a user plane: stored distances are exact, others are sums of products. */
static double plane_error(const struct hal_projection *p, const struct hal_vertex *v, unsigned plane)
{
    double sum = 0.0;

    for (unsigned c = 0; plane >= HAL_MAX_CLIP_PLANES && c < 4; c++)
        sum += fabs(p->more_plane[plane - HAL_MAX_CLIP_PLANES][c] * v->position[c]);
    return 8 * EPSILON * sum;
}

static bool is_vertex(const struct corner *corner)
{
    return (corner->weight[0] == 0.0) + (corner->weight[1] == 0.0) + (corner->weight[2] == 0.0) == 2;
}

/* A corner's distance from near, far or a user plane, >= 0 inside, and its error. The sign is exact, except for the
 * errors of the corner's weights and of the vertices' distances. */
static double outline_distance(const struct shape *s, const struct hal_vertex *const v[3], unsigned plane,
                               const struct corner *corner, double *error)
{
    const double *z = s->position[2], *w = s->position[3];
    const double minus_z[3] = {-z[0], -z[1], -z[2]};
    const bool adds_w = plane == PLANE_FAR || (plane == PLANE_NEAR && s->projection->full_z);
    double sum[MAX_TERMS], user[3] = {0.0, 0.0, 0.0};
    unsigned count = 0;

    for (unsigned i = 0; plane >= PLANE_USER && i < 3; i++)
        user[i] = hal_plane_distance(s->projection, v[i], plane - PLANE_USER);
    const double *value = plane >= PLANE_USER ? user : plane == PLANE_FAR ? minus_z : z;

    count = add_dot(sum, count, corner, value);
    count = adds_w ? add_dot(sum, count, corner, w) : count;
    const double total = total_of(sum, count);

    *error = count > 1 ? 2 * EPSILON * fabs(total) : 0.0;
    for (unsigned i = 0; i < 3; i++) {
        *error += corner->error[i] * (fabs(value[i]) + (adds_w ? fabs(w[i]) : 0.0));
        *error += plane >= PLANE_USER ? corner->weight[i] * plane_error(s->projection, v[i], plane - PLANE_USER) : 0.0;
    }
    return total;
}

/* Distance from a side of the guard band, whose exact position does not matter. */
static double guard_distance(const struct shape *s, const struct corner *corner, unsigned side)
{
    const double *g = s->projection->guard[side];

    return g[0] * outline_dot(corner, s, 0) + g[1] * outline_dot(corner, s, 1) + g[2] * outline_dot(corner, s, 3);
}

/* made = a * outside + b * inside, of vertex i. */
static void outline_mix(const struct corner *outside, double a, const struct corner *inside, double b, unsigned i,
                        struct corner *made)
{
    double lost[2];
    const double p = outline_multiply(outside->weight[i], a, &lost[0]),
                 q = outline_multiply(inside->weight[i], b, &lost[1]);
    const double sum = p + q, part = sum - p;
    const double low = ((p - (sum - part)) + (q - part)) + lost[0] + lost[1] + outside->low[i] * a + inside->low[i] * b;

    made->weight[i] = sum + low;
    made->low[i] = low - (made->weight[i] - sum);
}

/* The point of an edge on a plane. Weights are brought back to about 1: they may be tiny or huge as distances are. */
static struct corner cut_edge(const struct corner *outside, double outside_distance, double outside_error,
                              const struct corner *inside, double inside_distance, double inside_error, bool is_guard)
{
    const double a = fmax(inside_distance, 0.0), b = -outside_distance;
    const double rounding =
        is_vertex(outside) && is_vertex(inside) ? 0.0 : 16 * EPSILON * EPSILON; /* times 1, plus 0 */
    struct corner made;
    double most = 0.0;
    int exponent;

    for (unsigned i = 0; i < 3; i++) {
        outline_mix(outside, a, inside, b, i, &made);
        made.error[i] = outside->error[i] * a + outside->weight[i] * inside_error + inside->error[i] * b +
                        inside->weight[i] * outside_error + rounding * made.weight[i];
        most = fmax(most, made.weight[i]);
    }
    frexp(most, &exponent);
    for (unsigned i = 0; i < 3; i++) {
        made.weight[i] = ldexp(made.weight[i], -exponent);
        made.low[i] = ldexp(made.low[i], -exponent);
        made.error[i] = ldexp(made.error[i], -exponent);
    }
    /* Two weights of any size give a point on the triangle's edge; for the guard band any such point will do. */
    if (is_guard && (made.weight[0] == 0.0 || made.weight[1] == 0.0 || made.weight[2] == 0.0))
        made.error[0] = made.error[1] = made.error[2] = 0.0;
    return made;
}

struct corners {
    struct corner corner[CLIP_MAX_CORNERS];
    unsigned count;
};

/* Corners' distances from a plane, and their errors. */
struct distances {
    double value[CLIP_MAX_CORNERS], error[CLIP_MAX_CORNERS];
};

/* Sutherland and Hodgman's algorithm at one plane. What may lie on the plane counts as inside: nothing is lost then. A convex
 * polygon gains one corner at most; if rounding has bent one so much that there is no room, it stays as it is. */
static void outline_cut(const struct distances *d, bool is_guard, struct corners *corners)
{
    const struct corners in = *corners;
    unsigned n = 0;

    for (unsigned i = 0; i < in.count; i++) {
        const unsigned next = i + 1 == in.count ? 0 : i + 1;
        const bool a_inside = d->value[i] >= -d->error[i], b_inside = d->value[next] >= -d->error[next];
        const unsigned o = a_inside ? next : i, k = a_inside ? i : next;

        if (n + 2 > CLIP_MAX_CORNERS) {
            *corners = in;
            return;
        }
        if (a_inside)
            corners->corner[n++] = in.corner[i];
        if (a_inside != b_inside) {
            corners->corner[n++] =
                cut_edge(&in.corner[o], d->value[o], d->error[o], &in.corner[k], d->value[k], d->error[k], is_guard);
        }
    }
    BASE_ASSERT(n <= CLIP_MAX_CORNERS);
    corners->count = n;
}

/* Clips to near, far or a user plane. False: a vertex's distance is NaN. */
static bool cut_at_plane(const struct shape *s, const struct hal_vertex *const v[3], unsigned plane,
                         struct corners *corners)
{
    struct distances distances;

    for (unsigned i = 0; i < corners->count; i++) {
        distances.value[i] = outline_distance(s, v, plane, &corners->corner[i], &distances.error[i]);
        if (distances.value[i] != distances.value[i])
            return false;
    }
    outline_cut(&distances, false, corners);
    return true;
}

/* All four sides of the guard band. */
static void cut_at_guard(const struct shape *s, struct corners *corners)
{
    for (unsigned side = 0; side < 4; side++) {
        struct distances distances;

        for (unsigned i = 0; i < corners->count; i++) {
            distances.value[i] = guard_distance(s, &corners->corner[i], side);
            distances.error[i] = 0.0;
        }
        outline_cut(&distances, true, corners);
    }
}

/* Near, far, user planes, and the guard band twice: where an edge comes close to the eye plane, rounding leaves the first cut
 * outside, and the second one starts from there. */
_Static_assert(3 + PLANE_COUNT + 4 <= CLIP_MAX_CORNERS, "room for all corners");

static void cut_all(struct shape *s, const struct hal_vertex *const v[3], struct corners *corners)
{
    const uint32_t any = v[0]->outcode | v[1]->outcode | v[2]->outcode;

    for (unsigned plane = 0; plane < PLANE_COUNT; plane++) {
        if (!(any & plane_codes(plane)))
            continue;
        s->is_cut = true;
        if (plane < PLANE_GUARD || plane >= PLANE_USER) {
            if (!cut_at_plane(s, v, plane, corners)) {
                corners->count = 0;
                return;
            }
        } else if (plane == PLANE_GUARD) {
            cut_at_guard(s, corners);
            cut_at_guard(s, corners);
        }
    }
}

/* --- from the triangle's plane to pixels ------------------------------------------------------ */

struct window {
    double x, y, error; /* pixels */
};

/* A coordinate of clip space (axis 0, 1) over w, to pixels. */
static double to_pixels(const struct hal_projection *p, unsigned axis, double ratio)
{
    if (p->transformed)
        return ratio;
    return axis == 0 ? (ratio + 1.0) * p->half_width + p->x : (1.0 - ratio) * p->half_height + p->y;
}

/* False: the corner lies in the eye, and has no position on the screen. */
static bool outline_to_window(const struct shape *s, const struct corner *corner, struct window *window)
{
    const struct hal_projection *p = s->projection;
    const double w = outline_dot(corner, s, 3), sum[2] = {outline_dot(corner, s, 0), outline_dot(corner, s, 1)};
    double error[2] = {2 * EPSILON * fabs(sum[0]), 2 * EPSILON * fabs(sum[1])}, w_error = 2 * EPSILON * w, ratio[2];

    for (unsigned i = 0; i < 3; i++) {
        w_error += corner->error[i] * fabs(s->position[3][i]);
        error[0] += corner->error[i] * fabs(s->position[0][i]);
        error[1] += corner->error[i] * fabs(s->position[1][i]);
    }
    if (w == 0.0 && sum[0] == 0.0 && sum[1] == 0.0)
        return false;
    const double least = w - w_error;

    ratio[0] = sum[0] / w;
    ratio[1] = sum[1] / w;
    window->x = to_pixels(p, 0, ratio[0]);
    window->y = to_pixels(p, 1, ratio[1]);
    window->error = HUGE_VAL; /* so close to the eye that it may be anywhere */
    if (least > 0.0 && fabs(window->x) < RASTER_POLYGON_BAND && fabs(window->y) < RASTER_POLYGON_BAND) {
        const double scale = p->transformed ? 1.0 : fmax(p->half_width, p->half_height);
        const double spread = fmax(error[0] + fabs(ratio[0]) * w_error, error[1] + fabs(ratio[1]) * w_error) / least;
        const double reach = fmax(fabs(ratio[0]), fabs(ratio[1])) + 2.0;

        window->error = scale * spread + 8 * EPSILON * (scale * reach + fmax(fabs(window->x), fabs(window->y)));
    }
    return true;
}

/* Depth, and 1/w near the eye, are clamped to this. */
#define MAX_VALUE 1e30f

static float held(double v)
{
    const double most = MAX_VALUE;

    return (float)(v > -most ? fmin(v, most) : -most);
}

/* Values at a corner. Inputs belong to homogeneous weights: vertices in pixels have a weight of 1/w more. */
static void outline_make_vertex(const struct shape *s, const struct corner *corner, unsigned inputs, float rhw_scale,
                                struct raster_vertex *made)
{
    const struct hal_projection *p = s->projection;
    const double w = outline_dot(corner, s, 3);
    double weight[3], total = 0.0, screen = 0.0, z = 0.0;

    for (unsigned i = 0; i < 3; i++) {
        weight[i] = corner->weight[i] * (p->transformed ? s->projected[i]->rhw : 1.0);
        total += weight[i];
        screen += corner->weight[i];
        z += corner->weight[i] * s->position[2][i];
    }
    if (p->transformed) {
        made->z = held(z / screen);
        made->rhw = held(total / screen);
    } else {
        made->z = held(p->min_z + (p->full_z ? z / w * 0.5 + 0.5 : z / w) * p->z_range);
        made->rhw = held(total / w * rhw_scale);
    }
    if (!(made->rhw > 0.0f))
        made->rhw = MAX_VALUE;
    for (unsigned k = 0; k < inputs; k++) {
        for (unsigned c = 0; c < 4; c++) {
            made->input[k][c] =
                (float)((weight[0] * s->projected[0]->input[k][c] + weight[1] * s->projected[1]->input[k][c] +
                         weight[2] * s->projected[2]->input[k][c]) /
                        total);
        }
    }
}

/* The vertex at this corner, if floats can project it; 3: none, clipping made the corner. */
static unsigned own_vertex(const struct shape *s, const struct corner *corner)
{
    for (unsigned i = 0; i < 3; i++)
        if (corner->weight[i] != 0.0 && corner->weight[(i + 1) % 3] == 0.0 && corner->weight[(i + 2) % 3] == 0.0)
            return s->projected[i]->rhw <= MAX_VALUE && fabsf(s->projected[i]->z) <= MAX_VALUE ? i : 3;
    return 3;
}

/* --- the triangle ----------------------------------------------------------------------------- */

/* The screen positions of the whole triangle, and its orientation before snapping. */
static void place_whole(const struct shape *s, struct raster_polygon *polygon)
{
    const int sign = determinant_sign(s->position);

    polygon->turn = s->projection->transformed ? sign : -sign; /* y of clip space goes up */
    polygon->placed = true;
    for (unsigned i = 0; i < 3; i++) {
        const struct corner vertex = {.weight = {i == 0, i == 1, i == 2}};
        struct window window = {0.0, 0.0, 0.0};

        polygon->placed = polygon->placed && s->position[3][i] > 0.0 && outline_to_window(s, &vertex, &window);
        polygon->own[i][0] = window.x;
        polygon->own[i][1] = window.y;
    }
}

static void take_positions(struct shape *s, const struct hal_vertex *const v[3])
{
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned c = 0; c < 4; c++)
            s->position[c][i] = v[i]->position[c];
        if (s->projection->transformed) {
            s->position[2][i] = s->projected[i]->z;
            s->position[3][i] = 1.0;
        }
    }
}

bool hal_outline_triangle(const struct hal_projection *projection, const struct hal_vertex *const vertices[3],
                          const struct raster_vertex *const projected[3], unsigned inputs, float rhw_scale,
                          struct hal_outline *outline)
{
    struct corners corners = {.corner = {{.weight = {1, 0, 0}}, {.weight = {0, 1, 0}}, {.weight = {0, 0, 1}}},
                              .count = 3};
    struct shape shape = {.projection = projection, .projected = projected};
    struct raster_polygon *polygon = &outline->polygon;

    take_positions(&shape, vertices);
    cut_all(&shape, vertices, &corners);
    polygon->count = 0;
    polygon->error = 0.0;
    for (unsigned i = 0; i < corners.count; i++) {
        const struct corner *corner = &corners.corner[i];
        const unsigned own = own_vertex(&shape, corner), n = polygon->count;
        struct window window;

        if (!outline_to_window(&shape, corner, &window)) {
            shape.is_cut = true;
            continue;
        }
        if (own == 3)
            outline_make_vertex(&shape, corner, inputs, rhw_scale, &outline->made[n]);
        polygon->x[n] = window.x;
        polygon->y[n] = window.y;
        polygon->vertex[n] = own < 3 ? projected[own] : &outline->made[n];
        polygon->error = fmax(polygon->error, window.error);
        polygon->count++;
    }
    polygon->whole = !shape.is_cut;
    polygon->placed = false;
    polygon->turn = 0;
    if (shape.is_cut)
        place_whole(&shape, polygon);
    polygon->provoking = projected[0];
    return polygon->count > 0;
}
