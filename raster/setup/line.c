/* SPDX-License-Identifier: MIT */
/*
 * Lines: walked along their major axis, pixel by pixel by the diamond-exit rule; widened along the minor axis. And the
 * stipple pattern, which counts pixels from the start of a strip, including those of hidden lines.
 */
#include "raster/setup/setup.h"

#include <math.h>

/* --- the pixels of a line --------------------------------------------------------------------- */

/* Ends of lines in subpixels, like raster_snapped, but also from outside the guard band. */
struct line_end {
    int64_t x, y;
};

/* Is the point inside the diamond of the pixel that holds it? Returns the pixel. Source:
 * docs/reference/rasterization.md, section 6. */
static bool in_diamond(struct line_end p, bool y_major, int32_t *pixel_x, int32_t *pixel_y)
{
    /* A point on a pixel's edge may belong to the diamond of either neighbour: only corners of diamonds lie there,
     * the bottom one (and the right one of y-major lines) belonging to the pixel above (to the left). */
    for (int64_t j = (p.y - 1) >> 8; j <= p.y >> 8; j++) {
        for (int64_t i = (p.x - 1) >> 8; i <= p.x >> 8; i++) {
            int64_t ox = p.x - (256 * i + 128), oy = p.y - (256 * j + 128);
            int64_t distance = (ox < 0 ? -ox : ox) + (oy < 0 ? -oy : oy);

            if (distance < 128 || (distance == 128 && (oy > 0 || (y_major && oy == 0 && ox > 0)))) {
                *pixel_x = (int32_t)i;
                *pixel_y = (int32_t)j;
                return true;
            }
        }
    }
    return false;
}

/* Moves the end of a wide line: the walk follows the first of the pixels across its width; half of the width, less half
 * a pixel, lies before the line itself. Source: OpenGL 2.1 specification, 3.4.2, "Wide Lines". */
static struct line_end move_aside(struct line_end p, bool y_major, int32_t width)
{
    const int64_t before = 128 * (int64_t)(width - 1);

    return (struct line_end){p.x - (y_major ? before : 0), p.y - (y_major ? 0 : before)};
}

static bool is_forward(const struct scene_line *line)
{
    return line->y_major ? line->y1 > line->y0 : line->x1 > line->x0;
}

/* The pixel whose diamond holds an end, along the major axis; and whether a pixel is among those walked. */
static int32_t start_pixel(const struct scene_line *line)
{
    return line->y_major ? line->first_y : line->first_x;
}
static int32_t end_pixel(const struct scene_line *line)
{
    return line->y_major ? line->last_y : line->last_x;
}
static bool is_walked(const struct scene_line *line, int32_t major)
{
    return major >= line->first && major <= line->last;
}

/* Finds the pixels that the line takes, except for the last one of a strip. */
static void walk_line(struct scene_line *line, struct line_end a, struct line_end b, bool y_major, int32_t width)
{
    a = move_aside(a, y_major, width);
    b = move_aside(b, y_major, width);
    const int64_t from = y_major ? a.y : a.x, to = y_major ? b.y : b.x;

    *line = (struct scene_line){.x0 = a.x, .y0 = a.y, .x1 = b.x, .y1 = b.y, .width = width, .y_major = y_major};
    line->first = (int32_t)((BASE_MIN(from, to) + 127) >> 8);
    line->last = (int32_t)((BASE_MAX(from, to) - 128) >> 8);
    line->add_first = in_diamond(a, y_major, &line->first_x, &line->first_y);
    line->drop_last = in_diamond(b, y_major, &line->last_x, &line->last_y);
    line->origin = line->add_first && !is_walked(line, start_pixel(line)) ? start_pixel(line)
                   : is_forward(line)                                     ? line->first
                                                                          : line->last;
}

/* The pixels that a line adds to a strip: the pixel at its end belongs to the next line. */
static int64_t count_pixels(const struct scene_line *line)
{
    int64_t count = line->last >= line->first ? (int64_t)line->last - line->first + 1 : 0;
    const bool same = line->drop_last && line->first_x == line->last_x && line->first_y == line->last_y;

    count += line->add_first && !is_walked(line, start_pixel(line)) && !same;
    return count - (line->drop_last && is_walked(line, end_pixel(line)));
}

/* Rounds a width to a whole number of pixels. */
static int32_t line_width(const struct raster_state *rs)
{
    return (int32_t)(fminf(fmaxf(rs->line_width, 1.0f), 256.0f) + 0.5f);
}

static bool is_y_major(struct line_end a, struct line_end b)
{
    const int64_t dx = b.x - a.x, dy = b.y - a.y;

    return (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
}

/* --- the stipple pattern ------------------------------------------------------------------------ */

static bool is_conservative(const struct raster_state *rs) /* then smoothing and stipple are ignored */
{
    return rs->conservative_raster_mode != RASTER_CONSERVATIVE_OFF;
}

static bool is_smooth(const struct raster *raster, const struct raster_draw_state *state)
{
    return state->rasterizer.line_smooth && !is_conservative(&state->rasterizer) && setup_smooths(raster, state);
}

static bool is_stippled(const struct raster_state *rs)
{
    return rs->line_stipple_enable && !is_conservative(rs);
}

/* Ends farther out are moved here, px: floats cannot distinguish pixels beyond. */
#define FARTHEST 1073741824.0f

/* setup_snap for places far outside the guard band. */
static int64_t snap_far(float v, bool half_pixel_center)
{
    if (!(v >= -FARTHEST))
        v = v < -FARTHEST ? -FARTHEST : 0.0f;
    return (int64_t)rint((double)fminf(v, FARTHEST) * 256.0) + (half_pixel_center ? 0 : 128);
}

static void snap_span(const struct raster_state *rs, const struct raster_line_span *span, struct line_end *a,
                      struct line_end *b)
{
    *a = (struct line_end){snap_far(span->x0, rs->half_pixel_center), snap_far(span->y0, rs->half_pixel_center)};
    *b = (struct line_end){snap_far(span->x1, rs->half_pixel_center), snap_far(span->y1, rs->half_pixel_center)};
}

/* Pixels from a to b. */
static double line_distance(struct line_end a, struct line_end b)
{
    const double dx = (double)(b.x - a.x), dy = (double)(b.y - a.y);

    return sqrt(dx * dx + dy * dy) * (1.0 / 256.0);
}

/* The pattern steps of a whole line: one per pixel or, for smooth lines, per pixel of length. */
static uint64_t count_steps(const struct raster *raster, const struct raster_line_span *whole)
{
    const struct raster_state *rs = &raster->state.rasterizer;
    struct scene_line line;
    struct line_end a, b;

    snap_span(rs, whole, &a, &b);
    if (is_smooth(raster, &raster->state))
        return (uint64_t)ceil(line_distance(a, b));
    if (a.x == b.x && a.y == b.y)
        return 0;
    walk_line(&line, a, b, is_y_major(a, b), line_width(rs));
    const int64_t count = count_pixels(&line);
    return count > 0 ? (uint64_t)count : 0;
}

/* Wraps the counter at one period of the pattern, so that it never overflows. */
static void advance_pattern(struct raster *raster, const struct raster_line_span *whole)
{
    const uint64_t period = 16 * (raster->state.rasterizer.line_stipple_factor + 1u);

    raster->stipple_counter = (uint32_t)((raster->stipple_counter + count_steps(raster, whole)) % period);
}

void raster_begin_strip(struct raster *raster)
{
    raster->stipple_counter = 0;
}

void raster_hidden_line(struct raster *raster, const struct raster_line_span *whole)
{
    if (is_stippled(&raster->state.rasterizer))
        advance_pattern(raster, whole);
}

/* Steps between the first pixel of the whole line and that of its visible part. */
static uint32_t hidden_pixels(const struct raster_state *rs, const struct scene_line *line,
                              const struct raster_line_span *span)
{
    struct scene_line whole;
    struct line_end a, b;

    snap_span(rs, span, &a, &b);
    walk_line(&whole, a, b, line->y_major, line->width);
    const int64_t hidden = (int64_t)line->origin - whole.origin;
    return (uint32_t)BASE_MAX(is_forward(line) ? hidden : -hidden, 0);
}

/* --- drawing -------------------------------------------------------------------------------------- */

static void line_bounds(struct raster_rect *rect, struct raster_snapped a, struct raster_snapped b, int32_t width)
{
    rect->left = (BASE_MIN(a.x, b.x) >> 8) - width;
    rect->right = (BASE_MAX(a.x, b.x) >> 8) + 1 + width;
    rect->top = (BASE_MIN(a.y, b.y) >> 8) - width;
    rect->bottom = (BASE_MAX(a.y, b.y) >> 8) + 1 + width;
}

/* Values vary along the line only: gradients along the major axis. */
static struct gradient line_gradient(const struct scene_line *line)
{
    double scale = 256.0 / (double)(line->y_major ? line->y1 - line->y0 : line->x1 - line->x0);

    return (struct gradient){.ax = line->y_major ? 0.0 : scale, .ay = line->y_major ? scale : 0.0};
}

static bool line_crosses_tile(const struct scene_primitive *primitive, int32_t x, int32_t y)
{
    const struct scene_line *line = &primitive->shape->line;
    /* The line's edge function at the tile's corners, with its width and two pixels of margin. */
    int64_t dx = line->x1 - line->x0, dy = line->y1 - line->y0;
    bool below = false, above = false;
    int margin = 2 + line->width;

    for (unsigned i = 0; i < 4; i++) {
        int64_t px = 256 * (int64_t)(x + (i & 1 ? RASTER_TILE_SIZE + margin : -margin));
        int64_t py = 256 * (int64_t)(y + (i & 2 ? RASTER_TILE_SIZE + margin : -margin));
        int64_t e = dx * (py - line->y0) - dy * (px - line->x0);

        below |= e <= 0;
        above |= e >= 0;
    }
    return below && above;
}

static void bin_line(struct scene *scene, const struct scene_primitive *primitive)
{
    for (int y = primitive->top / RASTER_TILE_SIZE; y <= (primitive->bottom - 1) / RASTER_TILE_SIZE; y++)
        for (int x = primitive->left / RASTER_TILE_SIZE; x <= (primitive->right - 1) / RASTER_TILE_SIZE; x++)
            if (line_crosses_tile(primitive, x * RASTER_TILE_SIZE, y * RASTER_TILE_SIZE))
                scene_bin_command(scene, (unsigned)x, (unsigned)y, SCENE_LINE, primitive, 0);
}

/* Draws a line of the strip; steps: of the pattern, before the whole line. */
struct strip_line {
    const struct raster_vertex *v[2];
    const struct raster_vertex *provoking;
    const struct raster_line_span *whole;
    uint32_t steps;
    bool last_segment;
};

static void smooth_line(struct raster *raster, const struct raster_draw_state *state, const struct strip_line *given)
{
    struct setup_stipple stipple = {.enable = is_stippled(&state->rasterizer)};

    if (stipple.enable) {
        const struct raster_snapped at = setup_snap(state, given->v[0]);
        struct line_end a, b;

        snap_span(&state->rasterizer, given->whole, &a, &b);
        stipple.steps = given->steps + line_distance(a, (struct line_end){at.x, at.y});
    }
    setup_smooth_line(raster, state, given->v[0], given->v[1], given->provoking, stipple);
}

static void line_draw(struct raster *raster, const struct raster_draw_state *state, const struct strip_line *given)
{
    const struct raster_state *rs = &state->rasterizer;
    const struct raster_vertex *const v[3] = {given->v[0], given->v[1], given->v[0]};
    struct raster_snapped a = setup_snap(state, v[0]), b = setup_snap(state, v[1]);

    if (a.x == b.x && a.y == b.y)
        return;
    if (is_smooth(raster, state)) {
        smooth_line(raster, state, given);
        return;
    }
    struct raster_rect box;
    struct scene_primitive bounds;
    const int32_t width = line_width(rs);
    line_bounds(&box, a, b, width);
    if (!setup_bounds(&bounds, &raster->clip, box.left, box.top, box.right, box.bottom) ||
        !raster_spend_rect(raster, bounds.right - bounds.left + bounds.bottom - bounds.top, 1))
        return;
    struct scene_primitive *primitive = setup_primitive(raster, state, true);
    if (!primitive)
        return;
    setup_bounds(primitive, &raster->clip, box.left, box.top, box.right, box.bottom);
    struct scene_line *line = &primitive->shape->line;
    const struct line_end from = {a.x, a.y}, to = {b.x, b.y};
    walk_line(line, from, to, is_y_major(from, to), width);
    line->add_last = line->drop_last && given->last_segment && rs->line_last_pixel;
    line->drop_last &= !line->add_last;
    if (is_stippled(rs))
        line->stipple = given->steps + hidden_pixels(rs, line, given->whole);

    primitive->front_facing = true;
    primitive->reference_x = (float)(a.x - 128) * (1.0f / 256.0f);
    primitive->reference_y = (float)(a.y - 128) * (1.0f / 256.0f);
    struct gradient g = line_gradient(line);
    setup_depth_plane(&primitive->depth, 0, &g, v[0]->z, v[1]->z, v[0]->z);
    setup_depth_plane(&primitive->depth, 1, &g, v[0]->rhw, v[1]->rhw, v[0]->rhw);
    setup_input_planes(state, primitive, &g, v, given->provoking);
    bin_line(&raster->scene, primitive);
    raster->statistics.binned++;
}

/* Draws the line with colours chosen by face and clamped. Lines face front. */
static __attribute__((noinline)) void recolored_line(struct raster *raster, const struct raster_draw_state *state,
                                                     const struct strip_line *given)
{
    struct raster_vertex copy[3] = {*given->v[0], *given->v[1], *given->provoking};
    struct strip_line line = *given;

    setup_choose_colors(state, true, copy, 3);
    line.v[0] = &copy[0];
    line.v[1] = &copy[1];
    line.provoking = &copy[2];
    line_draw(raster, state, &line);
}

void raster_clipped_line(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                         const struct raster_vertex *provoking, bool last_segment, const struct raster_line_span *whole)
{
    const struct strip_line line = {{v0, v1}, provoking, whole, raster->stipple_counter, last_segment};

    raster->statistics.lines++;
    raster_hidden_line(raster, whole);
    const struct raster_draw_state *state = raster_begin_primitive(raster);
    if (!state)
        return;
    if (state->color_inputs)
        recolored_line(raster, state, &line);
    else
        line_draw(raster, state, &line);
}

void raster_line(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                 const struct raster_vertex *provoking, bool last_segment)
{
    const struct raster_line_span whole = {v0->x, v0->y, v1->x, v1->y};

    raster_clipped_line(raster, v0, v1, provoking, last_segment, &whole);
}
