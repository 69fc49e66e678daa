/* SPDX-License-Identifier: MIT */
/*
 * The planes of a primitive's inputs for narrow states (raster/narrow.h): made once per primitive and tile by
 * raster/tile/narrow.c, read for each group and block by raster/kernels/narrow_input.c.
 */
#ifndef HALCYON_RASTER_NARROW_PLANES_H
#define HALCYON_RASTER_NARROW_PLANES_H

#include "raster/scene.h"

/* Colours in steps are half as large as narrow colours, so that a register can hold values a little outside a
 * primitive. */
#define NARROW_STEP_ONE 16383.0f
/* The steepest plane, per pixel, that stays within that range. */
#define NARROW_MOST_STEP 4096.0f

enum narrow_color_kind {
    NARROW_COLOR_CONSTANT,
    NARROW_COLOR_STEPS,  /* a float at the first pixel of each group, whole steps from there */
    NARROW_COLOR_FLOATS, /* each pixel is a float: perspective, or a plane that is too steep */
};

/* The plane of a colour, by channel (blue, green, red, alpha), in 1 / NARROW_STEP_ONE. */
struct narrow_color {
    float a[4], dx[4], dy[4];
    int16_t step_x[4], step_y[4];
    int16_t constant[4];
    uint8_t input, kind; /* enum narrow_color_kind */
};

/* The plane of a coordinate's two axes, in 1 / RASTER_AFFINE_ONE. */
struct narrow_coordinate {
    float a[2], dx[2], dy[2];
    int32_t step_x[2], step_y[2];
    uint8_t input;
};

/* A component of an input that stays a float: the offsets, in floats, of its plane's a from that of the first input (dx
 * and dy lie in rows after it), and of its first lane from that of a batch's inputs. */
struct narrow_float {
    uint16_t plane, lane;
};

/* The inputs other than colours that are interpolated in floats. Depends on the state and on which coordinates are
 * integers. */
struct narrow_floats {
    const struct raster_draw_state *state; /* NULL: not filled in */
    unsigned affine;                       /* bit i: input i is a coordinate in integers */
    unsigned count, perspective_count;     /* those in perspective come first */
    bool others;                           /* values besides inputs are interpolated */
    struct narrow_float component[4 * RASTER_MAX_INPUTS];
};

struct narrow_planes {
    const struct scene_primitive *primitive; /* NULL: not filled in */
    unsigned color_count, coordinate_count;
    bool needs_floats; /* some input other than a colour is interpolated in floats */
    bool needs_w;      /* that, or a colour of NARROW_COLOR_FLOATS: w and the positions of pixels are needed */
    bool upright;      /* there are coordinates in integers, all of axis-aligned pictures */
    bool has_steps;    /* there are coordinates in integers, or colours of NARROW_COLOR_STEPS */
    struct narrow_floats floats;
    struct narrow_color color[RASTER_MAX_INPUTS];
    struct narrow_coordinate coordinate[RASTER_MAX_INPUTS];
};

#endif
