/* SPDX-License-Identifier: MIT */
/*
 * dp2 coverage --png: the grid enlarged, cells filled by coverage, with the primitives, the uncertainty region of
 * conservative rasterization and the samples on top.
 */
#include "tools/coverage/coverage.h"
#include "base/base.h"
#include "replay/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN_CELLS 1   /* around the viewport: shows what the viewport cuts off */
#define PICTURE_SIDE 640 /* of a picture whose zoom is chosen for it */
#define MAX_PIXELS   (64u << 20)
#define HULL_POINTS  12

enum { /* 0xRRGGBB */
       PAINT_OUTSIDE = 0xd8d8d4,
       PAINT_EMPTY = 0xffffff,
       PAINT_COVERED = 0x9cc4e8,
       PAINT_INNER = 0x4f8fd0,
       PAINT_GRID = 0xb4b4b0,
       PAINT_SHAPE = 0x202020,
       PAINT_REGION = 0xd02828,
       PAINT_SAMPLE_OUT = 0xc0c0c0,
       PAINT_SAMPLE_IN = 0x103060,
};

struct view {
    struct player_picture picture;
    double zoom, shift; /* picture = (window + shift + margin) * zoom */
};

struct spot {
    double x, y;
};

static uint32_t view_mix(uint32_t below, uint32_t above, double amount)
{
    uint32_t result = 0;

    for (unsigned c = 0; c < 24; c += 8) {
        double a = below >> c & 255, b = above >> c & 255;

        result |= (uint32_t)(a + (b - a) * amount + 0.5) << c;
    }
    return result;
}

static void view_blend(struct view *v, int x, int y, uint32_t color, double amount)
{
    if (x < 0 || y < 0 || x >= (int)v->picture.width || y >= (int)v->picture.height || amount <= 0.0)
        return;
    uint32_t *p = &v->picture.pixels[(size_t)y * v->picture.width + (size_t)x];
    *p = view_mix(*p, color, amount < 1.0 ? amount : 1.0);
}

static struct spot to_picture(const struct view *v, double x, double y)
{
    return (struct spot){(x + v->shift + MARGIN_CELLS) * v->zoom, (y + v->shift + MARGIN_CELLS) * v->zoom};
}

static int clamp_to(double v, unsigned last)
{
    return v < 0.0 ? 0 : v > (double)last ? (int)last : (int)v;
}

/* A line of `width` picture pixels with soft edges; dash: its period in picture pixels, 0: solid. */
static void stroke(struct view *v, struct spot a, struct spot b, double width, double dash, uint32_t color)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), reach = width / 2 + 1;
    int left = clamp_to(fmin(a.x, b.x) - reach, v->picture.width);
    int right = clamp_to(fmax(a.x, b.x) + reach + 1, v->picture.width);
    int top = clamp_to(fmin(a.y, b.y) - reach, v->picture.height);
    int bottom = clamp_to(fmax(a.y, b.y) + reach + 1, v->picture.height);

    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
            double along = length > 0 ? (px * dx + py * dy) / length : 0;

            if (dash > 0 && fmod(fmax(along, 0.0), dash) > dash * 0.6)
                continue;
            double t = fmin(fmax(along, 0.0), length), scale = length > 0 ? t / length : 0;
            double away = hypot(px - dx * scale, py - dy * scale);

            view_blend(v, x, y, color, width / 2 + 0.5 - away);
        }
    }
}

static void disc(struct view *v, struct spot at, double radius, uint32_t color)
{
    stroke(v, at, at, 2 * radius, 0, color);
}

/* --- cells ---------------------------------------------------------------------------------------- */

static float shown_value(const struct coverage_canvas *canvas, size_t place, unsigned channel)
{
    return canvas->color ? canvas->color[place][channel] : canvas->depth[place];
}

/* The average over the covered samples of what a cell shows. */
static uint32_t shown_color(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const struct coverage_settings *settings = canvas->settings;
    const uint32_t mask = coverage_samples(canvas, x, y);
    const unsigned covered = (unsigned)__builtin_popcount(mask);
    uint32_t result = 0;

    for (unsigned c = 0; c < 3; c++) {
        float sum = 0.0f;

        for (unsigned s = 0; s < settings->samples; s++)
            if (mask >> s & 1)
                sum += shown_value(canvas, coverage_place(canvas, s, x, y), c);
        sum /= (float)(covered * (settings->show == COVERAGE_SHOW_COLOR ? settings->gain : 1));
        result = result << 8 | (uint32_t)(255.0f * (sum > 0.0f ? sum < 1.0f ? sum : 1.0f : 0.0f) + 0.5f);
    }
    return result;
}

static uint32_t cell_color(const struct coverage_canvas *canvas, unsigned x, unsigned y)
{
    const struct coverage_settings *s = canvas->settings;
    uint32_t mask = coverage_samples(canvas, x, y);

    if (!mask)
        return PAINT_EMPTY;
    if (canvas->color || canvas->depth)
        return shown_color(canvas, x, y);
    if (coverage_inner(canvas, x, y))
        return PAINT_INNER;
    /* alpha after smoothing */
    const size_t place = coverage_place(canvas, coverage_first_sample(canvas, x, y), x, y);
    double alpha = (canvas->flags[place] >> 24) / 255.0;
    if (s->samples > 1)
        alpha *= 0.25 + 0.75 * __builtin_popcount(mask) / s->samples;
    return view_mix(PAINT_EMPTY, PAINT_COVERED, alpha);
}

static void fill_cells(struct view *v, const struct coverage_canvas *canvas)
{
    const struct coverage_settings *s = canvas->settings;
    unsigned zoom = (unsigned)v->zoom;
    bool grid = zoom >= 4;

    for (unsigned py = 0; py < v->picture.height; py++) {
        for (unsigned px = 0; px < v->picture.width; px++) {
            int x = (int)(px / zoom) - MARGIN_CELLS, y = (int)(py / zoom) - MARGIN_CELLS;
            bool inside = x >= 0 && y >= 0 && x < (int)s->width && y < (int)s->height;
            uint32_t color = inside ? cell_color(canvas, (unsigned)x, (unsigned)y) : PAINT_OUTSIDE;

            if (grid && (px % zoom == 0 || py % zoom == 0))
                color = view_mix(color, PAINT_GRID, inside ? 1.0 : 0.4);
            v->picture.pixels[(size_t)py * v->picture.width + px] = color;
        }
    }
}

static void draw_samples(struct view *v, const struct coverage_canvas *canvas)
{
    static const struct raster_sample_position centre = {0, 0};
    const struct coverage_settings *s = canvas->settings;
    bool spread = s->samples > 1;

    if (v->zoom < (spread ? 16 : 8))
        return;
    for (unsigned y = 0; y < s->height; y++) {
        for (unsigned x = 0; x < s->width; x++) {
            uint32_t mask = coverage_samples(canvas, x, y);

            for (unsigned i = 0; i < s->samples; i++) {
                const struct raster_sample_position *p = spread ? raster_sample_positions(s->samples) + i : &centre;
                struct spot at = {(x + MARGIN_CELLS + 0.5 + p->x / 16.0) * v->zoom,
                                  (y + MARGIN_CELLS + 0.5 + p->y / 16.0) * v->zoom};

                disc(v, at, fmax(v->zoom / 28, 1.2), mask >> i & 1 ? PAINT_SAMPLE_IN : PAINT_SAMPLE_OUT);
            }
        }
    }
}

/* --- shapes --------------------------------------------------------------------------------------- */

static double view_turn(struct spot a, struct spot b, struct spot c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int by_place(const void *a, const void *b)
{
    const struct spot *p = a, *q = b;

    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Convex hull (Andrew's monotone chain) of n points into `hull`, which has room for 2 n; returns its size. */
static unsigned convex_hull(struct spot *points, unsigned n, struct spot *hull)
{
    unsigned count = 0;

    qsort(points, n, sizeof(*points), by_place);
    for (unsigned i = 0; i < n; i++) {
        while (count >= 2 && view_turn(hull[count - 2], hull[count - 1], points[i]) <= 0)
            count--;
        hull[count++] = points[i];
    }
    for (unsigned i = n - 1, lower = count + 1; i-- > 0;) {
        while (count >= lower && view_turn(hull[count - 2], hull[count - 1], points[i]) <= 0)
            count--;
        hull[count++] = points[i];
    }
    return count - 1;
}

/* The triangle swept by a square of half-width u pixels. */
static void draw_region(struct view *v, const float (*corner)[2], double u)
{
    struct spot points[HULL_POINTS], hull[2 * HULL_POINTS];

    for (unsigned i = 0; i < HULL_POINTS; i++)
        points[i] = to_picture(v, corner[i / 4][0] + (i & 1 ? u : -u), corner[i / 4][1] + (i & 2 ? u : -u));
    unsigned n = convex_hull(points, HULL_POINTS, hull);
    for (unsigned i = 0; i < n; i++)
        stroke(v, hull[i], hull[(i + 1) % n], 1.5, 8, PAINT_REGION);
}

static void draw_shape(struct view *v, const struct coverage_canvas *canvas, const struct coverage_primitive *p)
{
    const struct coverage_settings *s = canvas->settings;
    float corner[COVERAGE_MAX_CORNERS][2];
    struct spot at[COVERAGE_MAX_CORNERS];
    const unsigned n = p->corners;

    for (unsigned i = 0; i < n; i++) {
        if (!coverage_window(canvas, p->position[i], corner[i]))
            return;
        at[i] = to_picture(v, corner[i][0], corner[i][1]);
    }
    if (n == 1)
        disc(v, at[0], 2.5, PAINT_SHAPE);
    /* the limit of the tier: half a pixel, or 1/256 */
    if (p->topology == COVERAGE_TRI && s->conservative)
        draw_region(v, corner, s->tier == 1 ? 0.5 : 1 / 256.0);
    for (unsigned i = 0; i + 1 < n; i++)
        stroke(v, at[i], at[i + 1], 1.5, 0, PAINT_SHAPE);
    for (unsigned i = 2; i < n; i++) /* what closes triangles */
        if (p->topology == COVERAGE_TRI_STRIP)
            stroke(v, at[i - 2], at[i], 1.5, 0, PAINT_SHAPE);
        else if (p->topology == COVERAGE_FAN || (p->topology != COVERAGE_LINE_STRIP && i + 1 == n))
            stroke(v, at[i], at[0], 1.5, 0, PAINT_SHAPE);
}

bool coverage_png(const struct coverage_canvas *canvas, const struct coverage_primitive *primitives, unsigned count,
                  unsigned zoom, const char *path, char *why, size_t why_size)
{
    const struct coverage_settings *s = canvas->settings;
    unsigned columns = s->width + 2 * MARGIN_CELLS, rows = s->height + 2 * MARGIN_CELLS;

    if (!zoom)
        zoom = BASE_MAX(1u, BASE_MIN(64u, PICTURE_SIDE / BASE_MAX(columns, rows)));
    struct view v = {.zoom = zoom, .shift = s->state.rasterizer.half_pixel_center ? 0.0 : 0.5};
    v.picture.width = columns * zoom;
    v.picture.height = rows * zoom;
    if ((uint64_t)v.picture.width * v.picture.height > MAX_PIXELS) {
        snprintf(why, why_size, "the picture would have more than %u pixels; choose a smaller --zoom", MAX_PIXELS);
        return false;
    }
    v.picture.pixels = mem_calloc((size_t)v.picture.width * v.picture.height, sizeof(uint32_t));
    if (!v.picture.pixels) {
        snprintf(why, why_size, "out of memory");
        return false;
    }
    fill_cells(&v, canvas);
    draw_samples(&v, canvas);
    for (unsigned i = 0; i < count; i++)
        draw_shape(&v, canvas, &primitives[i]);
    bool done = picture_write_png(&v.picture, path, why, why_size);
    free(v.picture.pixels);
    return done;
}
