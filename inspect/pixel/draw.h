/* SPDX-License-Identifier: MIT */
/* Watches one pixel while a draw is drawn, primitive by primitive (draw.c). */
#ifndef HALCYON_INSPECT_PIXEL_DRAW_H
#define HALCYON_INSPECT_PIXEL_DRAW_H

#include "hal/inspect.h"
#include "inspect/pixel/path.h"
#include "inspect/pixel/pixel.h"

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

struct pixel_watch {
    uint32_t surfaces[PIXEL_MOST_HOLDERS]; /* the draw is watched on the first of them that it draws to */
    unsigned surface_count;
    uint32_t surface; /* that is; 0: none so far */
    unsigned x, y;
    struct inspect_pixel_row *row;
    size_t fragment_capacity;
    struct hal_probe *probe;
    struct hal_tracer *tracer; /* of PIXEL_PROBE; NULL: none */
    unsigned open_planes;      /* enum hal_outcode: near, far and user planes that do not clip */
    bool failed;

    /* the draw at hand */
    bool is_on;
    bool is_depth; /* the surface is the depth buffer of the draw, and not a target */
    bool began; /* a part of it was on the surface: row->before is what was there then, with the draw's depth buffer */
    unsigned target; /* which of its targets the surface is */
    struct hal_context *context;
    struct hal_inspect_draw draw;
    struct hal_inspect_pixels state;
    bool in_viewport, in_scissor, lacks_data;
    uint32_t first_primitive; /* of this part of the draw */
    uint32_t part_primitives;

    /* the primitive at hand */
    enum pixel_pass pass;
    unsigned sample, kill; /* of PIXEL_SAMPLE, PIXEL_KILL: which */
    struct hal_probe_texels before;
    struct inspect_fragment fragment;

    bool chained; /* `last`: the result of the primitives */
    struct hal_probe_texels last;
};

extern const struct hal_observer inspect_pixel_observer; /* its user must be set to the watch */

/* Decodes the texels of a colour target (NULL: none) and of a depth buffer (NULL: none). */
void inspect_decode_texels(const struct hal_inspect_texels *color, const struct hal_inspect_texels *depth,
                           struct inspect_pixel *pixel);
/* Parts (enum inspect_part) in which a pixel differs from another of the same surface. */
uint8_t inspect_changed_parts(const struct inspect_pixel *before, const struct inspect_pixel *after);

#endif
