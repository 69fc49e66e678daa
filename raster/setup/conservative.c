/* SPDX-License-Identifier: MIT */
/*
 * Conservative rasterization: every pixel whose square meets the triangle grown by the uncertainty of snapping. Source:
 * Microsoft's DirectX-Specs, "Conservative Rasterization"; the test is derived in docs/reference/conservative-rules.md,
 * section 2.
 *
 * A pixel's square meets triangle + square(u) exactly if its centre lies in triangle + square(1/2 + u): the three edges
 * pushed out, and the box of the triangle pushed out. In units of 1/512 px the half-width of that square is h = 256 +
 * k. Snapping moves a vertex by at most 1/512 px an axis, so u = 1/512 (k = 1) is the smallest region without false
 * negatives; with it the document demands the top-left rule on the region's edges. k = 1 is legal at all tiers.
 *
 * With E the exact edge function at a pixel's centre (subpixels squared), the pushed edge is 2 E + h (|dx| + |dy|) >=
 * 0, minus one where the edge is not a top or left one. From pixel to pixel 2 E changes by multiples of 512, so the
 * division by 512 keeps its sign and the same steps dx, dy serve: tiles and kernels need not know. 2 E is below 2^48
 * and the push below 2^33 (dilated by at most 4 px): 64 bits are exact.
 *
 * subpixel_precision_x and _y make the grid finer, by b bits per axis (struct setup_grid): corners come in 1/(256 *
 * 2^b) px, u shrinks with the grid to 1/(512 * 2^b), and an edge's deltas are scaled to steps of pixels by the other
 * axis's bits; those that both axes have are divided out. With 8 bits, within 8192 px, coordinates are below 2^29,
 * deltas below 2^30, 2 E below 2^62, the push of slack, which is below 2^13 px there, below 2^61: 64 bits are exact
 * still. With 7 bits slack may be that of the whole band, 2^15 px, and pushes by less than 2^62. Deltas from 2^23 on
 * are more than tiles compute with in 32 bits; such triangles are `wide` (tile/conservative.c).
 */
#include "raster/setup/setup.h"

#include <math.h>
#include <string.h>

/* The greatest dilation, in px, more than any hardware offers. */
#define MAX_DILATE 4.0f

/* The half-width of a pixel plus the error of snapping, in half steps of the grid. */
static int32_t pixel_push(unsigned bits)
{
    return (256 << bits) + 1;
}

/* Dilation, which only goes outwards, in half steps of the grid. */
static int32_t dilation(const struct raster_state *rs, unsigned bits)
{
    float dilate = rs->conservative_raster_dilate;

    dilate = dilate > 0.0f ? dilate < MAX_DILATE ? dilate : MAX_DILATE : 0.0f;
    return (int32_t)(dilate * (float)(512 << bits) + 0.5f);
}

static struct scene_edge pushed_edge(struct raster_snapped a, struct raster_snapped b, const struct raster_state *rs,
                                     const struct setup_outline *outline)
{
    const struct setup_grid grid = outline->grid;
    int64_t dx = b.x - a.x, dy = b.y - a.y, across = dx < 0 ? -dx : dx, down = dy < 0 ? -dy : dy;
    bool top_left = dy < 0 || (dy == 0 && dx > 0);
    int64_t e = 2 * (dx * ((128 << grid.y) - a.y) - dy * ((128 << grid.x) - a.x)) + (top_left ? 0 : -1);
    int64_t reach = pixel_push(grid.y) * across + pixel_push(grid.x) * down;
    const unsigned both = BASE_MIN(grid.x, grid.y);

    if (outline->slack > 0.0)
        reach += (int64_t)ceil(outline->slack *
                               ((double)across * (double)(512 << grid.y) + (double)down * (double)(512 << grid.x)));
    return (struct scene_edge){
        .c = (e + reach + dilation(rs, grid.y) * across + dilation(rs, grid.x) * down) >> (9 + both),
        .inner = (e - reach) >> (9 + both),
        .dx = (int32_t)(dx * (1 << (grid.y - both))),
        .dy = (int32_t)(dy * (1 << (grid.x - both))),
    };
}

/* First pixel whose centre is at or right of low - h, end of those at or left of high + h; arguments in steps of the
 * grid, h in half steps. */
static int32_t first_reached(int32_t low, int64_t h, unsigned bits)
{
    return (int32_t)((2 * (int64_t)low - (256 << bits) - h + (512 << bits) - 1) >> (9 + bits));
}
static int32_t end_reached(int32_t high, int64_t h, unsigned bits)
{
    return (int32_t)((2 * (int64_t)high - (256 << bits) + h) >> (9 + bits)) + 1;
}

static bool is_wide(const struct scene_edge *edge)
{
    const int32_t most = 1 << 23;

    return edge->dx <= -most || edge->dx >= most || edge->dy <= -most || edge->dy >= most;
}

/* The convex outline's edges, inside positive: a line has two sides, a point none (only the box decides). False: out of
 * memory. */
static bool outline_edges(struct raster *raster, const struct raster_state *rs, struct scene_primitive *primitive,
                          const struct setup_outline *outline)
{
    const unsigned count = outline->count > 1 ? outline->count : 0, beyond = count > 3 ? count - 3 : 0;
    struct scene_outline *kept = scene_alloc(&raster->scene, sizeof(*kept) + beyond * sizeof(kept->edge[0]));

    if (!kept)
        return false;
    kept->count = beyond;
    /* Half of the farthest corner's 1/w: down to this value, inputs are extrapolated without limits. */
    kept->least_rhw = 0.5f * outline->least_rhw;
    memset(primitive->shape->edge, 0, sizeof(primitive->shape->edge));
    primitive->shape->wide = false;
    for (unsigned e = 0; e < count; e++) {
        struct scene_edge *place = e < 3 ? &primitive->shape->edge[e] : &kept->edge[e - 3];

        *place = pushed_edge(outline->point[e], outline->point[e + 1 == count ? 0 : e + 1], rs, outline);
        primitive->shape->wide |= is_wide(place);
    }
    primitive->shape->outline = kept;
    return true;
}

/* Without area every value is the first vertex's. */
static void planes(struct raster *raster, const struct raster_draw_state *state, struct scene_primitive *primitive,
                   const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                   const struct raster_vertex *provoking, struct setup_grid grid)
{
    static const struct gradient none = {0.0, 0.0, 0.0, 0.0};
    double scale_x = area ? (256 << grid.x) / (double)area : 0.0, scale_y = area ? (256 << grid.y) / (double)area : 0.0;
    struct gradient g = {
        .ax = (p[2].y - p[0].y) * scale_x,
        .bx = -(p[1].y - p[0].y) * scale_x,
        .ay = -(p[2].x - p[0].x) * scale_y,
        .by = (p[1].x - p[0].x) * scale_y,
    };
    setup_depth_plane(&primitive->depth, 0, area ? &g : &none, v[0]->z, v[1]->z, v[2]->z);
    setup_depth_plane(&primitive->depth, 1, area ? &g : &none, v[0]->rhw, v[1]->rhw, v[2]->rhw);
    if (state->rasterizer.offset_tri)
        setup_add_bias(raster, primitive, v);
    setup_input_planes(state, primitive, area ? &g : &none, v, provoking);
}

/* The sides of the box are an odd number of half steps from pixel centres, so slack of less than one adds no pixel. */
static int64_t box_push(const struct raster_state *rs, unsigned bits, double slack)
{
    return pixel_push(bits) + dilation(rs, bits) + (int64_t)(slack * (double)(512 << bits));
}

static struct raster_rect outline_box(const struct setup_outline *outline, const struct raster_state *rs)
{
    const struct raster_snapped *p = outline->point;
    const struct setup_grid grid = outline->grid;
    struct raster_rect box = {p[0].x, p[0].y, p[0].x, p[0].y};
    const int64_t hx = box_push(rs, grid.x, outline->slack), hy = box_push(rs, grid.y, outline->slack);

    for (unsigned i = 1; i < outline->count; i++) {
        box.left = BASE_MIN(box.left, p[i].x);
        box.top = BASE_MIN(box.top, p[i].y);
        box.right = BASE_MAX(box.right, p[i].x);
        box.bottom = BASE_MAX(box.bottom, p[i].y);
    }
    return (struct raster_rect){first_reached(box.left, hx, grid.x), first_reached(box.top, hy, grid.y),
                                end_reached(box.right, hx, grid.x), end_reached(box.bottom, hy, grid.y)};
}

/* Tiles test no edge; they visit blocks one by one. */
static void bin_wide(struct scene *scene, const struct scene_primitive *primitive)
{
    const int left = primitive->left / RASTER_TILE_SIZE, right = (primitive->right - 1) / RASTER_TILE_SIZE;

    for (int y = primitive->top / RASTER_TILE_SIZE; y <= (primitive->bottom - 1) / RASTER_TILE_SIZE; y++) {
        for (int x = left; x <= right; x++) {
            bool outside = false;

            for (unsigned e = 0; e < 3 && !outside; e++)
                outside =
                    setup_classify_tile(&primitive->shape->edge[e], x * RASTER_TILE_SIZE, y * RASTER_TILE_SIZE, 0) < 0;
            if (!outside)
                scene_bin_command(scene, (unsigned)x, (unsigned)y, SCENE_TRIANGLE, primitive, 0);
        }
    }
}

void setup_conservative(struct raster *raster, const struct raster_draw_state *state,
                        const struct raster_vertex *const v[3], const struct raster_snapped p[3], int64_t area,
                        const struct raster_vertex *provoking, bool front, const struct setup_outline *outline)
{
    const struct setup_grid grid = outline->grid;
    const struct raster_state *rs = &state->rasterizer;
    struct raster_rect box = outline_box(outline, rs);
    struct scene_primitive bounds;

    if (!setup_bounds(&bounds, &raster->clip, box.left, box.top, box.right, box.bottom))
        return;
    struct scene_primitive *primitive = setup_bounded_primitive(raster, state, &bounds, true);
    if (!primitive || !outline_edges(raster, rs, primitive, outline))
        return;
    primitive->front_facing = front;
    primitive->conservative = true;
    primitive->stippled = rs->poly_stipple_enable;
    primitive->shape->degenerate = outline->count < 3;
    primitive->reference_x = (float)(p[0].x - (128 << grid.x)) / (float)(256 << grid.x);
    primitive->reference_y = (float)(p[0].y - (128 << grid.y)) / (float)(256 << grid.y);
    planes(raster, state, primitive, v, p, area, provoking, grid);
    if (primitive->shape->wide)
        bin_wide(&raster->scene, primitive);
    else
        setup_bin_triangle(&raster->scene, primitive);
    raster->statistics.binned++;
}

/* --- outlines ------------------------------------------------------------------------------- */

/* Twice the area of a, b, c: positive when clockwise on the screen. */
static int64_t conservative_turn(struct raster_snapped a, struct raster_snapped b, struct raster_snapped c)
{
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

static bool is_before(struct raster_snapped a, struct raster_snapped b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static void sort_points(struct raster_snapped *p, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct raster_snapped moved = p[i];
        unsigned k = i;

        for (; k > 0 && is_before(moved, p[k - 1]); k--)
            p[k] = p[k - 1];
        p[k] = moved;
    }
}

/* Andrew's monotone chain: one side of the hull, from the first point on; collinear points are left out. */
static unsigned half_hull(const struct raster_snapped *p, unsigned count, int step, struct raster_snapped *out)
{
    unsigned n = 0;

    for (unsigned i = 0; i < count; i++, p += step) {
        while (n >= 2 && conservative_turn(out[n - 2], out[n - 1], *p) <= 0)
            n--;
        if (!n || out[n - 1].x != p->x || out[n - 1].y != p->y)
            out[n++] = *p;
    }
    return n;
}

unsigned setup_hull(struct raster_snapped *p, unsigned count, struct raster_snapped hull[RASTER_MAX_CORNERS])
{
    sort_points(p, count);
    unsigned n = half_hull(p, count, 1, hull);

    if (n == 1)
        return 1;
    /* each half ends with the point the other begins with */
    struct raster_snapped other[RASTER_MAX_CORNERS];
    unsigned m = half_hull(p + count - 1, count, -1, other);
    memcpy(hull + n, other + 1, (m - 2) * sizeof(*hull));
    return n + m - 2;
}

/* Three corners between which values are interpolated: the first, and the two that span the greatest area with it. */
static int64_t widest(const struct raster_snapped *p, unsigned count, unsigned corner[3])
{
    int64_t most = 0;

    corner[0] = 0;
    corner[1] = corner[2] = 0;
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i + 1; k < count; k++) {
            int64_t area = conservative_turn(p[0], p[i], p[k]);

            if ((area < 0 ? -area : area) > (most < 0 ? -most : most)) {
                most = area;
                corner[1] = i;
                corner[2] = k;
            }
        }
    return most;
}

/* --- polygons on any grid --------------------------------------------------------------------- */

/* The most bits that hardware offers. Source: OpenGL extension NV_conservative_raster,
 * MAX_SUBPIXEL_PRECISION_BIAS_BITS_NV. */
#define MAX_PRECISION 8
/* The coordinates, in pixels, that allow all of these bits; the guard band allows one bit less. */
#define FINEST_REACH 8191.0

static uint8_t choose_bits(unsigned wanted, double reach)
{
    return (uint8_t)BASE_MIN(wanted, reach < FINEST_REACH ? MAX_PRECISION : MAX_PRECISION - 1u);
}

static struct setup_grid choose_grid(const struct raster_state *rs, const struct raster_polygon *polygon)
{
    double x = 0.0, y = 0.0;

    for (unsigned i = 0; i < polygon->count; i++) {
        x = fmax(x, fabs(polygon->x[i]));
        y = fmax(y, fabs(polygon->y[i]));
    }
    return (struct setup_grid){choose_bits(rs->subpixel_precision_x, x + polygon->error),
                               choose_bits(rs->subpixel_precision_y, y + polygon->error)};
}

_Static_assert((int)RASTER_POLYGON_BAND * 256 + 128 < 1 << 22, "snapped coordinates fit 23 bits with sign");

/* Rounds to the grid: to nearest, ties to even. *slack becomes at least `error` if the true position may round
 * differently, because it can then lie more than half a step from the result. */
static int32_t snap_axis(double v, unsigned bits, int32_t half, double error, double *slack)
{
    const double scale = (double)(256 << bits);

    v = v >= -RASTER_POLYGON_BAND ? fmin(v, RASTER_POLYGON_BAND) : v < 0.0 ? -RASTER_POLYGON_BAND : 0.0;
    const double step = rint(v * scale);
    if (error > 0.0 && !(fabs(v * scale - step) + error * scale < 0.5))
        *slack = fmax(*slack, error);
    return (int32_t)step + (half << bits);
}

/* Twice the signed area of a fan. */
static int64_t fan_area(const struct raster_snapped *p, unsigned count)
{
    int64_t sum = 0;

    for (unsigned i = 2; i < count; i++)
        sum += conservative_turn(p[0], p[i - 1], p[i]);
    return sum;
}

/* The corners on their grid. */
struct snapped_polygon {
    struct raster_snapped p[RASTER_MAX_CORNERS];
    struct setup_grid grid;
    double slack;
    int64_t turn; /* the triangle's, after snapping if it can be snapped */
};

/* The greatest coordinate of the triangle's vertices, in steps, that can still be compared in 64 bits. */
#define MAX_STEPS 0x1p29

/* Twice the area of the triangle itself on the grid, or a number that has its sign. */
static int64_t own_area(const struct raster_polygon *polygon, struct setup_grid grid)
{
    int64_t p[3][2];

    for (unsigned i = 0; i < 6; i++) {
        const double step = polygon->own[i / 2][i % 2] * (double)(256 << (i % 2 ? grid.y : grid.x));

        if (!polygon->placed || !(fabs(step) < MAX_STEPS))
            return polygon->turn;
        p[i / 2][i % 2] = (int64_t)rint(step);
    }
    return (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
}

static void snap_polygon(const struct raster_state *rs, const struct raster_polygon *polygon,
                         struct snapped_polygon *snapped)
{
    const int32_t half = rs->half_pixel_center ? 0 : 128;
    const double error = fmin(polygon->error, 2.0 * RASTER_POLYGON_BAND); /* that far reaches all of the band */

    snapped->grid = choose_grid(rs, polygon);
    snapped->slack = 0.0;
    for (unsigned i = 0; i < polygon->count; i++) {
        snapped->p[i].x = snap_axis(polygon->x[i], snapped->grid.x, half, error, &snapped->slack);
        snapped->p[i].y = snap_axis(polygon->y[i], snapped->grid.y, half, error, &snapped->slack);
    }
    snapped->turn = polygon->whole ? fan_area(snapped->p, polygon->count) : own_area(polygon, snapped->grid);
}

bool raster_polygon_front_facing(const struct raster *raster, const struct raster_polygon *polygon)
{
    struct snapped_polygon snapped;
    bool front;

    snap_polygon(&raster->state.rasterizer, polygon, &snapped);
    setup_facing(&raster->state.rasterizer, snapped.turn, &front);
    return front;
}

bool setup_polygon_has_area(const struct raster *raster, const struct raster_polygon *polygon)
{
    struct snapped_polygon snapped;

    snap_polygon(&raster->state.rasterizer, polygon, &snapped);
    return snapped.turn != 0;
}

/* Draws a polygon: chooses the corners between which values are interpolated, and its hull. */
static void conservative_draw_polygon(struct raster *raster, const struct raster_draw_state *state,
                                      const struct raster_polygon *polygon, const struct snapped_polygon *snapped,
                                      bool front)
{
    const bool degenerate = snapped->turn == 0;
    struct raster_snapped sorted[RASTER_MAX_CORNERS], hull[RASTER_MAX_CORNERS];
    struct setup_outline outline = {
        .point = hull, .grid = snapped->grid, .slack = snapped->slack, .least_rhw = polygon->vertex[0]->rhw};
    unsigned corner[3];

    memcpy(sorted, snapped->p, polygon->count * sizeof(*sorted));
    outline.count = setup_hull(sorted, polygon->count, hull);
    for (unsigned i = 1; i < polygon->count; i++)
        outline.least_rhw = fminf(outline.least_rhw, polygon->vertex[i]->rhw);
    /* If the rest of a triangle with area has no area itself, it takes the triangle's values there. */
    const int64_t area = widest(snapped->p, polygon->count, corner);
    const struct raster_vertex *const *v = polygon->vertex;
    struct raster_vertex copy[4] = {*v[corner[0]], *v[corner[1]], *v[corner[2]], *polygon->provoking};
    const struct raster_vertex *const planes_of[3] = {&copy[0], &copy[1], &copy[2]};
    const struct raster_snapped corners_of[3] = {snapped->p[corner[0]], snapped->p[corner[1]], snapped->p[corner[2]]};

    if (degenerate) { /* the provoking vertex may have been cut off: its inputs, but the depth of where the rest begins */
        memcpy(copy[0].input, polygon->provoking->input, sizeof(copy[0].input));
        for (unsigned i = 0; i < polygon->count; i++)
            if (v[i] == polygon->provoking)
                copy[0] = *polygon->provoking;
    }
    setup_choose_colors(state, front, copy, 4);
    setup_conservative(raster, state, planes_of, corners_of, degenerate ? 0 : area, &copy[3], front, &outline);
}

void raster_polygon(struct raster *raster, const struct raster_polygon *polygon)
{
    struct snapped_polygon snapped;
    bool front;

    raster->statistics.triangles++;
    const struct raster_draw_state *state = raster_begin_primitive(raster);
    if (!state || !polygon->count || polygon->count > RASTER_MAX_CORNERS)
        return;
    snap_polygon(&state->rasterizer, polygon, &snapped);
    if (!setup_facing(&state->rasterizer, snapped.turn, &front))
        return;
    /* Tier 1 (post-snap) may drop degenerate triangles; tiers 2 and 3 draw them. */
    if (snapped.turn || state->rasterizer.conservative_raster_mode != RASTER_CONSERVATIVE_POST_SNAP)
        conservative_draw_polygon(raster, state, polygon, &snapped, front);
}
