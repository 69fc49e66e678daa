/* SPDX-License-Identifier: MIT */
/*
 * A target for drawing narrow states (raster/narrow.h) through the rasterizer, without a shader: the program of a draw
 * is a function of the test, or passes on input 0. Also blends in real numbers, for comparison.
 */
#ifndef HALCYON_TESTS_NARROW_CANVAS_H
#define HALCYON_TESTS_NARROW_CANVAS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/narrow.h"
#include "raster/raster.h"
#include "tests/unit/level_lanes.h"

#define CANVAS_SIDE 256

struct canvas {
    struct raster *raster;
    struct raster_draw_state state;
    unsigned width;                                   /* lanes of the level's registers */
    uint32_t (*word)(const void *test, int x, int y); /* the colour of a pixel; NULL: input 0 */
    const void *test;
    _Alignas(64) uint32_t color[CANVAS_SIDE * CANVAS_SIDE];
};

static inline void canvas_shade(const void *program, struct raster_batch *batch)
{
    const struct canvas *c = program;

    if (!c->word) {
        memcpy(batch->color[0], batch->input[0], RASTER_LANES * 4 * sizeof(int16_t));
        return;
    }
    for (unsigned l = 0; l < batch->group_count * RASTER_GROUP_LANES; l++) {
        const uint32_t word = c->word(c->test, (int)batch->x[l], (int)batch->y[l]);

        for (unsigned i = 0; i < 4; i++)
            narrow_of(batch->color[0])[4 * narrow_place(c->width, l) + i] = (int16_t)((word >> 8 * i & 255) * 257 >> 1);
    }
}

static inline struct canvas *canvas_create(enum cpu_level level, unsigned threads)
{
    struct canvas *c = mem_alloc_aligned(sizeof(*c));
    struct raster_targets targets = {0};

    memset(c, 0, sizeof(*c));
    c->raster = raster_create(level, threads);
    c->width = level_lanes(level);
    targets.color[0] = (struct raster_surface){(uint8_t *)c->color, CANVAS_SIDE * 4,        CANVAS_SIDE,
                                               CANVAS_SIDE,         RASTER_FORMAT_A8R8G8B8, 0};
    raster_set_targets(c->raster, &targets);
    c->state.rasterizer.fill_front = c->state.rasterizer.fill_back = RASTER_FILL_SOLID;
    c->state.rasterizer.half_pixel_center = true;
    c->state.viewport = (struct raster_rect){0, 0, CANVAS_SIDE, CANVAS_SIDE};
    c->state.depth_max = 1.0f;
    c->state.color_write_mask[0] = 15;
    c->state.program = c;
    c->state.shade = canvas_shade;
    c->state.program_reads_position = true;
    c->state.narrow = true;
    c->state.narrow_inputs = 1;
    c->state.input_count = 1;
    c->state.input_mask[0] = 15;
    return c;
}

static inline void canvas_destroy(struct canvas *c)
{
    raster_destroy(c->raster);
    mem_free_aligned(c);
}

/* Draws two triangles over the whole target: colours of the program, blended with the target. */
static inline void canvas_fill(struct canvas *c)
{
    struct raster_vertex v[4] = {0};

    for (unsigned k = 0; k < 4; k++) {
        v[k].x = k & 1 ? CANVAS_SIDE : 0.0f;
        v[k].y = k & 2 ? CANVAS_SIDE : 0.0f;
        v[k].rhw = 1.0f;
    }
    raster_set_state(c->raster, &c->state);
    raster_triangle(c->raster, &v[0], &v[1], &v[2], &v[0], 7);
    raster_triangle(c->raster, &v[2], &v[1], &v[3], &v[2], 7);
    raster_flush(c->raster);
}

static inline void canvas_blend(struct canvas *c, unsigned src, unsigned dst, unsigned op)
{
    c->state.blend = (struct raster_blend){.enable = true,
                                           .src_color = (uint8_t)src,
                                           .dst_color = (uint8_t)dst,
                                           .op_color = (uint8_t)op,
                                           .src_alpha = (uint8_t)src,
                                           .dst_alpha = (uint8_t)dst,
                                           .op_alpha = (uint8_t)op};
}

/* Number i of a word: blue, green, red, alpha. */
static inline int canvas_byte(uint32_t word, unsigned i)
{
    return (int)(word >> 8 * i & 255);
}

/* --- blending in real numbers ------------------------------------------------------------------------------ */

static inline double exact_factor(unsigned factor, const double s[4], const double d[4], unsigned i)
{
    switch (factor) {
    case RASTER_BLEND_ZERO:
        return 0.0;
    case RASTER_BLEND_ONE:
        return 1.0;
    case RASTER_BLEND_SRC_COLOR:
        return s[i];
    case RASTER_BLEND_INV_SRC_COLOR:
        return 1.0 - s[i];
    case RASTER_BLEND_SRC_ALPHA:
        return s[3];
    case RASTER_BLEND_INV_SRC_ALPHA:
        return 1.0 - s[3];
    case RASTER_BLEND_DST_ALPHA:
        return d[3];
    case RASTER_BLEND_INV_DST_ALPHA:
        return 1.0 - d[3];
    case RASTER_BLEND_DST_COLOR:
        return d[i];
    case RASTER_BLEND_INV_DST_COLOR:
        return 1.0 - d[i];
    default: /* RASTER_BLEND_SRC_ALPHA_SAT */
        return i == 3 ? 1.0 : fmin(s[3], 1.0 - d[3]);
    }
}

/* Number i of a blend of two words, 0..255, not rounded. */
static inline double exact_blend(const struct raster_blend *blend, uint32_t source, uint32_t there, unsigned i)
{
    double s[4], d[4];

    for (unsigned k = 0; k < 4; k++) {
        s[k] = canvas_byte(source, k) / 255.0;
        d[k] = canvas_byte(there, k) / 255.0;
    }
    const double a = s[i] * exact_factor(blend->src_color, s, d, i), b = d[i] * exact_factor(blend->dst_color, s, d, i);
    const double v = blend->op_color == RASTER_BLEND_ADD           ? a + b
                     : blend->op_color == RASTER_BLEND_SUBTRACT    ? a - b
                     : blend->op_color == RASTER_BLEND_REVSUBTRACT ? b - a
                     : blend->op_color == RASTER_BLEND_MIN         ? fmin(s[i], d[i])
                                                                   : fmax(s[i], d[i]);

    return 255.0 * fmin(fmax(v, 0.0), 1.0);
}

#endif
