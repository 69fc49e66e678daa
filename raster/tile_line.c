/* SPDX-License-Identifier: MIT */
/* Lines in a tile: walks the pixels along the major axis and collects them into groups. */
#include "raster/tile.h"

/* Collects pixels that come one after the other into groups. */
struct pixel_run {
    int x, y;
    uint32_t mask;
};

static void run_flush(struct tile_worker *w, const struct scene_primitive *primitive, struct pixel_run *run)
{
    if (run->mask)
        tile_add_group(w, primitive, run->x, run->y, run->mask);
    run->mask = 0;
}

static void run_add(struct tile_worker *w, const struct scene_primitive *primitive, struct pixel_run *run, int x,
                    int y)
{
    int gx = x & ~3, gy = y & ~3;

    if (run->mask && (run->x != gx || run->y != gy))
        run_flush(w, primitive, run);
    run->x = gx;
    run->y = gy;
    run->mask |= 1u << ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
}

static int64_t floor_div(int64_t n, int64_t d) /* d > 0 */
{
    int64_t q = n / d;

    return q - (n % d < 0);
}

/* The pixel that the line takes at pixel column (row) `major`: ceil(position) - 1 along the minor axis. */
static int line_minor(const struct scene_line *line, int major)
{
    int64_t from = line->y_major ? line->y0 : line->x0, to = line->y_major ? line->y1 : line->x1;
    int64_t minor0 = line->y_major ? line->x0 : line->y0, minor1 = line->y_major ? line->x1 : line->y1;
    int64_t d = to - from, n = minor1 - minor0;

    if (d < 0) {
        d = -d;
        n = -n;
    }
    int64_t position = minor0 * d + ((int64_t)major * 256 + 128 - from) * n; /* times d, in subpixels */
    return (int)(-floor_div(-position, d * 256) - 1);
}

/* Does the stipple pattern draw the pixel at `major`? Counted from the line's start. */
static bool line_stippled_out(const struct raster_state *rs, const struct scene_line *line, int major)
{
    bool forward = line->y_major ? line->y1 > line->y0 : line->x1 > line->x0;
    int step = forward ? major - line->first : line->last - major;
    uint32_t count = line->stipple + (uint32_t)BASE_MAX(step, 0);

    return !(rs->line_stipple_pattern >> (count / (rs->line_stipple_factor + 1u) & 15) & 1);
}

/* The pixel and, of wide lines, its neighbours along the minor axis. */
static void line_pixel(struct tile_worker *w, const struct scene_primitive *primitive, struct pixel_run *run,
                       const struct raster_rect *area, int x, int y, int major)
{
    const struct scene_line *line = &primitive->line;
    const struct raster_state *rs = &w->state->rasterizer;
    int first = -(line->width - 1) / 2;

    if (rs->line_stipple_enable && rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF &&
        line_stippled_out(rs, line, major))
        return;
    for (int i = first; i < first + line->width; i++) {
        int px = line->y_major ? x + i : x, py = line->y_major ? y : y + i;

        if (px >= area->left && px < area->right && py >= area->top && py < area->bottom)
            run_add(w, primitive, run, px, py);
    }
}

void tile_draw_line(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y)
{
    const struct scene_line *line = &primitive->line;
    struct pixel_run run = {0, 0, 0};
    struct raster_rect area = {
        BASE_MAX(primitive->left, tile_x),
        BASE_MAX(primitive->top, tile_y),
        BASE_MIN(primitive->right, tile_x + RASTER_TILE_SIZE),
        BASE_MIN(primitive->bottom, tile_y + RASTER_TILE_SIZE),
    };
    int low = line->y_major ? area.top : area.left, high = line->y_major ? area.bottom : area.right;
    int start = line->y_major ? line->first_y : line->first_x, end = line->y_major ? line->last_y : line->last_x;

    if (line->add_first && (start < line->first || start > line->last) &&
        !(line->drop_last && line->first_x == line->last_x && line->first_y == line->last_y))
        line_pixel(w, primitive, &run, &area, line->first_x, line->first_y, start);
    for (int m = BASE_MAX(line->first, low); m <= line->last && m < high; m++) {
        int minor = line_minor(line, m);
        int x = line->y_major ? minor : m, y = line->y_major ? m : minor;

        if (!(line->drop_last && x == line->last_x && y == line->last_y))
            line_pixel(w, primitive, &run, &area, x, y, m);
    }
    if (line->add_last && (end < line->first || end > line->last) &&
        !(line->add_first && line->first_x == line->last_x && line->first_y == line->last_y))
        line_pixel(w, primitive, &run, &area, line->last_x, line->last_y, end);
    run_flush(w, primitive, &run);
}
