/* SPDX-License-Identifier: MIT */
/* Lines: walked along their major axis, pixel by pixel as the diamonds say; widened along the minor one. */
#include "raster/setup.h"

#include <math.h>

/* Is the point inside the diamond of the pixel that holds it? Returns the pixel. Source: raster.md 1.6. */
static bool in_diamond(struct raster_snapped p, bool y_major, int32_t *pixel_x, int32_t *pixel_y)
{
    /* A point on a pixel's edge may belong to the diamond of either neighbour: only corners of diamonds lie there,
     * the bottom one (and the right one of y-major lines) belonging to the pixel above (to the left). */
    for (int32_t j = (p.y - 1) >> 8; j <= p.y >> 8; j++) {
        for (int32_t i = (p.x - 1) >> 8; i <= p.x >> 8; i++) {
            int32_t ox = p.x - (256 * i + 128), oy = p.y - (256 * j + 128);
            int32_t distance = (ox < 0 ? -ox : ox) + (oy < 0 ? -oy : oy);

            if (distance < 128 || (distance == 128 && (oy > 0 || (y_major && oy == 0 && ox > 0)))) {
                *pixel_x = i;
                *pixel_y = j;
                return true;
            }
        }
    }
    return false;
}

static void line_walk(struct scene_line *line, struct raster_snapped a, struct raster_snapped b)
{
    int32_t from = line->y_major ? a.y : a.x, to = line->y_major ? b.y : b.x;

    line->first = setup_first_pixel(BASE_MIN(from, to));
    line->last = setup_end_pixel(BASE_MAX(from, to)) - 1;
}

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

/* Lines are widened along their minor axis; a width is a whole number of pixels. */
static int32_t line_width(const struct raster_state *rs)
{
    float width = rs->line_width;

    return width > 1.5f ? (int32_t)(fminf(width, 256.0f) + 0.5f) : 1;
}

/* Pixels of the stipple pattern that a line takes. */
static uint32_t line_pixels(const struct scene_line *line)
{
    return line->last >= line->first ? (uint32_t)(line->last - line->first) + 1 : 0;
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

void raster_line(struct raster *raster, const struct raster_vertex *v0, const struct raster_vertex *v1,
                 const struct raster_vertex *provoking, bool last_segment)
{
    raster->statistics.lines++;
    const struct raster_draw_state *state = raster_begin_primitive(raster);
    if (!state)
        return;
    struct raster_snapped a = setup_snap(state, v0), b = setup_snap(state, v1);
    if (a.x == b.x && a.y == b.y)
        return;
    const struct raster_state *rs = &state->rasterizer;
    bool plain = rs->conservative_raster_mode != RASTER_CONSERVATIVE_OFF; /* smoothing and stipple are ignored */
    if (rs->line_smooth && !plain && raster->scene.samples <= 1) {
        setup_smooth_line(raster, state, v0, v1, provoking);
        return;
    }
    struct raster_rect box;
    struct scene_primitive bounds;
    int32_t width = line_width(rs);
    line_bounds(&box, a, b, width);
    if (!setup_bounds(&bounds, &raster->clip, box.left, box.top, box.right, box.bottom) ||
        !raster_spend_rect(raster, bounds.right - bounds.left + bounds.bottom - bounds.top, 1))
        return;
    struct scene_primitive *primitive = setup_primitive(raster, state, true);
    if (!primitive)
        return;
    setup_bounds(primitive, &raster->clip, box.left, box.top, box.right, box.bottom);
    struct scene_line *line = &primitive->shape->line;
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    *line = (struct scene_line){.x0 = a.x, .y0 = a.y, .x1 = b.x, .y1 = b.y, .width = width};
    line->y_major = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
    line_walk(line, a, b);
    line->add_first = in_diamond(a, line->y_major, &line->first_x, &line->first_y);
    bool holds_end = in_diamond(b, line->y_major, &line->last_x, &line->last_y);
    line->add_last = holds_end && last_segment && state->rasterizer.line_last_pixel;
    line->drop_last = holds_end && !line->add_last;
    if (rs->line_stipple_enable && !plain) {
        line->stipple = raster->stipple_counter;
        raster->stipple_counter = last_segment ? 0 : raster->stipple_counter + line_pixels(line);
    }

    primitive->front_facing = true;
    primitive->reference_x = (float)(a.x - 128) * (1.0f / 256.0f);
    primitive->reference_y = (float)(a.y - 128) * (1.0f / 256.0f);
    struct gradient g = line_gradient(line);
    const struct raster_vertex *const v[3] = {v0, v1, v0};
    setup_depth_plane(&primitive->depth, 0, &g, v0->z, v1->z, v0->z);
    setup_depth_plane(&primitive->depth, 1, &g, v0->rhw, v1->rhw, v0->rhw);
    setup_input_planes(state, primitive, &g, v, provoking);
    bin_line(&raster->scene, primitive);
    raster->statistics.binned++;
}
