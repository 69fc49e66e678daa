/* SPDX-License-Identifier: MIT */
/*
 * Measures the d3d8.dll or d3d9.dll that it is run with, controlled by scripts/bench-wine, which keeps one such process
 * for each implementation and lets them take turns. Each line of input is a command, answered by a line:
 *
 *   run SCENE present|readback SECONDS   ->  FRAMES SECONDS CPU-SECONDS     CPU: of all threads
 *   size WIDTH HEIGHT                    ->  ok        of back buffer and window from now on; 640x480 before
 *   shot SCENE FILE                      ->  ok        frame 5 as PPM
 *   list                                 ->  a line "NAME WORK..." for each scene, then "."
 *   adapter                              ->  the implementation's name for itself
 *
 * or "skip REASON" when the implementation cannot do it. Every run has its own window and device.
 */
#ifndef BENCH_WINE_BENCH_H
#define BENCH_WINE_BENCH_H

#include "examples/window.h"

/* The functions that commands.c needs from a version of Direct3D; one device at a time. */
struct bench_api {
    unsigned scene_count;
    const char *(*name)(unsigned scene);
    const char *(*work)(unsigned scene); /* of one frame, in words */
    /* A device for the scene with a back buffer of width by height pixels, and the scene's resources; returns false if
     * there is no such device, or the scene has a fixed size. After failure, close must still be called. */
    bool (*open)(HWND window, unsigned scene, unsigned width, unsigned height);
    void (*close)(void);
    void (*draw)(unsigned frame);
    bool (*present)(void);
    /* Reads the picture back as X8R8G8B8, which is the cost of a screenshot or a test. */
    bool (*lock_picture)(const void **pixels, int *pitch);
    void (*unlock_picture)(void);
    /* Driver and description; returns false if there is none. */
    bool (*adapter)(char *text, size_t size);
};

/* Handles commands until standard input ends; returns the exit status. */
int bench_commands(const struct bench_api *api);

#endif
