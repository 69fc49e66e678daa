/* SPDX-License-Identifier: MIT */
/* Lines in a tile: walks the pixels along the major axis and gathers them by block. */
#include "raster/tile/cover.h"
#include "raster/tile/worker.h"

/* A pixel's index in a tile is 64 times its block plus its lane in Morton order. These tables give the parts of its
 * column and its row. */
#define EIGHT(block, shift)                                                                                         \
    block, (block) + (1 << (shift)), (block) + (4 << (shift)), (block) + (5 << (shift)), (block) + (16 << (shift)), \
        (block) + (17 << (shift)), (block) + (20 << (shift)), (block) + (21 << (shift))
#define PLACES(block, shift)                                                                        \
    {                                                                                               \
        EIGHT(0, shift), EIGHT(block, shift), EIGHT(2 * (block), shift), EIGHT(3 * (block), shift), \
            EIGHT(4 * (block), shift), EIGHT(5 * (block), shift), EIGHT(6 * (block), shift),        \
            EIGHT(7 * (block), shift),                                                              \
    }
static const uint16_t column_places[RASTER_TILE_SIZE] = PLACES(64, 0), row_places[RASTER_TILE_SIZE] = PLACES(512, 1);

/* The pixels of a line in a tile, by its axes: the major one first. */
struct line_cover {
    struct line_axis {
        int low, high; /* no pixels are wanted outside of these */
        const uint16_t *places;
    } axis[2];
    uint64_t touched;           /* blocks with pixels */
    uint64_t mask[TILE_BLOCKS]; /* their pixels */
};

static inline bool on_axis(const struct line_axis *axis, int at)
{
    return at >= axis->low && at < axis->high;
}

/* `major` has been looked at. */
static inline void cover_pixel(struct line_cover *cover, int major, int minor)
{
    if (!on_axis(&cover->axis[1], minor))
        return;
    const unsigned place = (unsigned)cover->axis[0].places[(unsigned)major % RASTER_TILE_SIZE] +
                           cover->axis[1].places[(unsigned)minor % RASTER_TILE_SIZE];
    const uint64_t block = UINT64_C(1) << place / 64;

    if (!(cover->touched & block))
        cover->mask[place / 64] = 0;
    cover->mask[place / 64] |= UINT64_C(1) << place % 64;
    cover->touched |= block;
}

static int64_t floor_div(int64_t n, int64_t d) /* d > 0 */
{
    int64_t q = n / d;

    return q - (n % d < 0);
}

/* The pixel that the line takes at a pixel column (row), and the step to the next. */
struct line_walk {
    int32_t minor;             /* ceil(position) - 1 along the minor axis */
    int64_t rest, step, whole; /* position - minor in parts of a pixel, whole of them, less one; what a pixel adds */
};

static struct line_walk line_begin(const struct scene_line *line, int major)
{
    int64_t from = line->y_major ? line->y0 : line->x0, to = line->y_major ? line->y1 : line->x1;
    int64_t minor0 = line->y_major ? line->x0 : line->y0, minor1 = line->y_major ? line->x1 : line->y1;
    int64_t d = to - from, n = minor1 - minor0;

    if (d < 0) {
        d = -d;
        n = -n;
    }
    int64_t position = minor0 * d + ((int64_t)major * 256 + 128 - from) * n; /* times d, in subpixels */
    int64_t minor = floor_div(position - 1, d * 256);
    return (struct line_walk){(int32_t)minor, position - 1 - minor * d * 256, n * 256, d * 256};
}

/* A line advances by at most one pixel along the minor axis. */
static inline void line_step(struct line_walk *walk)
{
    walk->rest += walk->step;
    if (walk->rest >= walk->whole) {
        walk->rest -= walk->whole;
        walk->minor++;
    } else if (walk->rest < 0) {
        walk->rest += walk->whole;
        walk->minor--;
    }
}

/* Does the stipple pattern skip the pixel at `major`? */
static bool line_stippled_out(const struct raster_state *rs, const struct scene_line *line, int major)
{
    const bool forward = line->y_major ? line->y1 > line->y0 : line->x1 > line->x0;
    const int step = forward ? major - line->origin : line->origin - major;

    return !scene_stipple_draws(rs, line->stipple + (uint32_t)BASE_MAX(step, 0));
}

/* Covers the pixel and, of wide lines, its neighbours along the minor axis: the line was moved so that its own pixel is
 * the first. */
static inline void line_pixel(const struct scene_line *line, struct line_cover *cover, int major, int minor)
{
    for (int i = 0; i < line->width; i++)
        cover_pixel(cover, major, minor + i);
}

static void cover_line(const struct raster_state *rs, const struct scene_line *line, struct line_cover *cover)
{
    const bool stippled = rs->line_stipple_enable && rs->conservative_raster_mode == RASTER_CONSERVATIVE_OFF;
    const int start[2] = {line->y_major ? line->first_y : line->first_x, line->y_major ? line->first_x : line->first_y};
    const int end[2] = {line->y_major ? line->last_y : line->last_x, line->y_major ? line->last_x : line->last_y};
    const bool same = start[0] == end[0] && start[1] == end[1];
    const int from = BASE_MAX(line->first, cover->axis[0].low), to = BASE_MIN(line->last + 1, cover->axis[0].high);

    if (line->add_first && (start[0] < line->first || start[0] > line->last) && !(line->drop_last && same) &&
        on_axis(&cover->axis[0], start[0]) && !(stippled && line_stippled_out(rs, line, start[0])))
        line_pixel(line, cover, start[0], start[1]);
    if (from < to) {
        struct line_walk walk = line_begin(line, from);

        for (int major = from; major < to; major++, line_step(&walk))
            if (!(line->drop_last && major == end[0] && walk.minor == end[1]) &&
                !(stippled && line_stippled_out(rs, line, major)))
                line_pixel(line, cover, major, walk.minor);
    }
    if (line->add_last && (end[0] < line->first || end[0] > line->last) && !(line->add_first && same) &&
        on_axis(&cover->axis[0], end[0]) && !(stippled && line_stippled_out(rs, line, end[0])))
        line_pixel(line, cover, end[0], end[1]);
}

void tile_draw_line(struct tile_worker *w, const struct scene_primitive *primitive, int tile_x, int tile_y)
{
    const bool y_major = primitive->shape->line.y_major;
    struct line_cover cover;

    cover.touched = 0;
    cover.axis[y_major] = (struct line_axis){BASE_MAX(primitive->left, tile_x),
                                             BASE_MIN(primitive->right, tile_x + RASTER_TILE_SIZE), column_places};
    cover.axis[!y_major] = (struct line_axis){BASE_MAX(primitive->top, tile_y),
                                              BASE_MIN(primitive->bottom, tile_y + RASTER_TILE_SIZE), row_places};
    cover_line(&w->state.draw->rasterizer, &primitive->shape->line, &cover);
    for (; cover.touched; cover.touched &= cover.touched - 1) {
        const unsigned b = (unsigned)__builtin_ctzll(cover.touched);
        const int x = tile_x + (int)(b % 8) * BLOCK_SIZE, y = tile_y + (int)(b / 8) * BLOCK_SIZE;

        if (w->state.samples > 1 || !tile_rejects_block(w, primitive, x, y, cover.mask[b]))
            tile_add_block(w, primitive, x, y, cover.mask[b]);
    }
}
