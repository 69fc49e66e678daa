/* SPDX-License-Identifier: MIT */
/* DirectDraw 7: what 2D games do in a frame, in a back buffer of X8R8G8B8 with 640x480 pixels. */
#ifndef BENCH_WINE_SCENES7_H
#define BENCH_WINE_SCENES7_H

#include <ddraw.h>

struct scene {
    const char *name;
    const char *work; /* of one frame, in words */
    /* Surfaces of the scene. It may use `back` in each frame. */
    void (*create)(IDirectDraw7 *ddraw, IDirectDrawSurface7 *back);
    void (*draw)(unsigned frame);
};

extern const struct scene scenes[];
extern const unsigned scene_count;

/* Releases the surfaces of the scene that was created last. */
void release_scene(void);

#endif
