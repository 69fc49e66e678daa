/* SPDX-License-Identifier: MIT */
/* Pictures from a swap chain into a window, through GDI; on the way gamma, screenshots, figures. */
#ifndef HALCYON_RUNTIME_PRESENT_H
#define HALCYON_RUNTIME_PRESENT_H

#include "runtime/common/window/capture_key.h"
#include "runtime/common/window/hud.h"
#include "runtime/common/window/pace.h"
#include "runtime/common/window/picture.h"
#include "runtime/common/window/scale.h"

/* State of the presentation of one window between frames. */
struct rt_presenter {
    HWND dc_window; /* whose DC is kept */
    bool dc_has_frame;
    HDC dc;
    uint8_t *copy; /* the picture after gamma, with figures */
    size_t copy_bytes;
    unsigned hud_items;
    struct rt_hud hud;
    struct rt_pacer pacer;
    bool screenshots;
    struct rt_capture_key capture_key;
    enum rt_scale_fit fit;
    enum rt_scale_filter filter;
    struct rt_scaler scaler;
};

/* How one frame is shown. The picture itself is not changed. */
struct rt_presentation {
    struct rt_picture picture;
    unsigned width, height;    /* of the picture as the program believes, which decide its place in the window */
    const RECT *source;        /* part of the picture; NULL: all */
    const RECT *destination;   /* in the client area; NULL: all of it */
    bool over_frame;           /* the area is the whole window with its frame */
    const RGNDATA *dirty;      /* what changed of the picture; NULL: all */
    const D3DGAMMARAMP *gamma; /* NULL: none */
    const struct rt_hud_counts *counts; /* NULL if no figures are wanted */
    uint32_t number;                    /* of this frame, for its screenshot */
};

/* Reads the configuration. */
void rt_presenter_init(struct rt_presenter *presenter);
void rt_presenter_free(struct rt_presenter *presenter);
/* Shows the frame in the window, scaled where sizes differ. False: no such window. */
bool rt_present(struct rt_presenter *presenter, HWND window, const struct rt_presentation *frame);

/* The part `from` of the picture at `to`, which has the same size. */
void rt_show_rect(HDC dc, const struct rt_picture *picture, const RECT *from, const RECT *to);

/* The screen's picture, 32-bit, into `bits` (width x height of the monitor). */
bool rt_grab_screen(HMONITOR monitor, uint8_t *bits, size_t pitch, unsigned width, unsigned height);

#endif
