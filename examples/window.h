/* SPDX-License-Identifier: MIT */
/*
 * The parts of a program for any version of Direct3D: command line, a 640x480 window, messages, the clock, picture
 * files.
 */
#ifndef EXAMPLES_WINDOW_H
#define EXAMPLES_WINDOW_H

#include <windows.h>
#include <stdbool.h>

#define VIEW_WIDTH  640
#define VIEW_HEIGHT 480

struct options {
    unsigned frames; /* 0: until the window is closed */
    const char *shot;
};

/* --frames N, --shot FILE. Returns false after printing how to use the program. */
bool options_parse(struct options *options, int argc, char **argv);
HWND window_open(const char *title);
/* Returns false when the window has been closed. */
bool window_handle_messages(void);
double clock_seconds(void);
/* VIEW_WIDTH by VIEW_HEIGHT pixels of X8R8G8B8, rows `pitch` bytes apart, as .ppm or .bmp. */
void picture_write(const char *path, const void *pixels, int pitch);

_Noreturn void fail(const char *what, HRESULT result);

#endif
