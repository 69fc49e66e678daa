/* SPDX-License-Identifier: MIT */
/*
 * HALCYON_HUD: figures drawn over the picture on its way to the window; never into a surface of the program's. Counts are
 * averages of one frame over the last half second.
 */
#ifndef HALCYON_RUNTIME_HUD_H
#define HALCYON_RUNTIME_HUD_H

#include "d3d/halcyon.h"
#include "runtime/common/window/picture.h"

/* Running totals since the device began. */
struct rt_hud_counts {
    uint64_t draws, triangles, pixels;
    double busy; /* seconds of all drawing threads together */
    unsigned threads;
    HALCYON_CODE code;   /* of the whole driver; `bytes` and `programs` are current values */
    uint32_t frame;      /* number of this one */
    const char *capture; /* RT_HUD_CAPTURING; or the key that captures; "": neither */
};

#define RT_HUD_CAPTURING "CAPTURING"

#define RT_HUD_TIMES     120

struct rt_hud {
    double last;               /* clock_seconds of the last frame; 0: none yet */
    float times[RT_HUD_TIMES]; /* seconds of the last frames, a ring */
    unsigned next_time;
    double since; /* when the averages being gathered began */
    unsigned frames;
    struct rt_hud_counts start; /* at `since` */
    char lines[7][40];          /* text until the next averages */
    unsigned line_count;
    char frame_line[32], capture_line[32]; /* of this frame */
};

/* Bits of enum rt_hud_item; 0: nothing is to be drawn. */
enum rt_hud_item {
    RT_HUD_FPS = 1,
    RT_HUD_FRAMETIMES = 2,
    RT_HUD_DRAWS = 4,
    RT_HUD_TRIANGLES = 8,
    RT_HUD_PIXELS = 16,
    RT_HUD_THREADS = 32,
    RT_HUD_FRAME = 64, /* its number; and what key captures */
    RT_HUD_CODE =
        128, /* uses of programs that ran as machine code, programs and bytes of it, time spent on making it */
};
unsigned rt_hud_items(void);
/* Returns the items that a text names; unknown words are logged. */
unsigned rt_hud_parse(const char *text);

/* Counts the frame. */
void rt_hud_update(struct rt_hud *hud, unsigned items, const struct rt_hud_counts *counts, double now);
void rt_hud_draw(const struct rt_hud *hud, unsigned items, const struct rt_picture *picture);

#endif
