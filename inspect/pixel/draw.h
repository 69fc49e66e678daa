/* SPDX-License-Identifier: MIT */
/* Watches one pixel while a draw is drawn, primitive by primitive (draw.c). */
#ifndef HALCYON_INSPECT_PIXEL_DRAW_H
#define HALCYON_INSPECT_PIXEL_DRAW_H

#include "hal/observer.h"
#include "inspect/pixel/pixel.h"

struct hal_projection;
struct raster_targets;

/* Texels of all targets at the pixel, of all samples. */
struct pixel_bytes {
    uint8_t color[RASTER_MAX_TARGETS][RASTER_MAX_SAMPLES][16];
    uint8_t depth[RASTER_MAX_SAMPLES][16];
};

/* A primitive is drawn in several passes, each with a state that answers one question about it. */
enum pixel_pass {
    PIXEL_PROBE,     /* nothing is tested; the program runs */
    PIXEL_SAMPLE,    /* each sample in turn */
    PIXEL_CULLING,   /* as the draw culls */
    PIXEL_MASKED,    /* with its sample mask */
    PIXEL_KILL,      /* with only one of the instructions that kill, each in turn */
    PIXEL_ALPHA,     /* with its alpha test */
    PIXEL_BOUNDS,    /* with its depth bounds, and neither depth nor stencil test */
    PIXEL_STENCIL,   /* with its stencil test, which changes nothing */
    PIXEL_REAL,      /* as it is */
    PIXEL_OTHERWISE, /* as drawn, but without the test that it failed */
    PIXEL_WHOLE,     /* all its pixels, without observation */
};

/* The findings of the observer's program at the pixel. */
struct pixel_probe {
    const struct raster_draw_state *state; /* the draw's */
    unsigned x, y, target;
    unsigned width; /* of registers, by which pixels of narrow states are ordered */
    bool keeps;     /* fragments that the program kills continue */
    /* Runs the program in place of the state's function, if the pixel is in the batch; NULL: not used. */
    void (*run)(void *user, const void *program, struct raster_batch *batch, unsigned lane);
    void *user;
    bool hit, killed, front_facing;
    float output[4];
    uint8_t alpha; /* as the alpha test compares it */
};

struct pixel_watch {
    uint32_t surface;
    unsigned x, y;
    struct inspect_pixel_row *row;
    size_t fragment_capacity;
    bool failed;
    void (*run)(void *user, const void *program, struct raster_batch *batch, unsigned lane); /* of PIXEL_PROBE */
    void *user;

    /* the draw at hand */
    bool is_on;
    bool is_depth; /* the surface is the depth buffer of the draw, and not a target */
    bool began; /* a part of it was on the surface: row->before is what was there then, with the draw's depth buffer */
    unsigned target; /* which of its targets the surface is */
    struct raster_draw_state state;
    unsigned width; /* lanes of the driver's registers */
    bool in_viewport, in_scissor, lacks_data;
    unsigned open_planes;          /* enum hal_outcode: near, far and user planes that do not clip */
    struct hal_projection *opened; /* whose planes they are; NULL: none are open */
    unsigned user_planes;          /* of that, as they were */
    bool near_open, far_open;
    uint32_t first_primitive; /* of this part of the draw */
    uint32_t part_primitives;

    /* the primitive at hand */
    enum pixel_pass pass;
    unsigned sample, kill;         /* of PIXEL_SAMPLE, PIXEL_KILL: which */
    struct pixel_variant *variant; /* PIXEL_KILL: the program with that one alone */
    struct pixel_probe probe;
    struct pixel_bytes before;
    uint64_t fragments;
    uint32_t stipple_counter;
    uint64_t budget;
    struct inspect_fragment fragment;

    bool chained; /* `last`: the result of the primitives */
    struct pixel_bytes last;
};

extern const struct hal_observer inspect_pixel_observer; /* its user must be set to the watch */

/* Texels there; zeros for a target that does not contain the pixel. */
void inspect_read_texels(const struct raster_targets *targets, unsigned x, unsigned y, struct pixel_bytes *bytes);
/* Decodes them for a colour target (NULL: none) and a depth buffer (NULL: none). */
struct raster_surface;
void inspect_decode_texels(const struct raster_surface *color, const uint8_t (*color_bytes)[16],
                           const struct raster_surface *depth, const uint8_t (*depth_bytes)[16],
                           struct inspect_pixel *pixel);
/* Parts (enum inspect_part) in which a pixel differs from another of the same surface. */
uint8_t inspect_changed_parts(const struct inspect_pixel *before, const struct inspect_pixel *after);
/* Components of an output that a program writes, bit 0 x .. bit 3 w: it may omit alpha if alpha is not read. */
struct shader_program;
uint8_t inspect_components_given(const struct shader_program *program, unsigned output);
/* Number of instructions of a shader_binding's program that may kill. */
unsigned inspect_count_kills(const void *binding);

#endif
