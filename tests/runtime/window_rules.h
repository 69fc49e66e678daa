/* SPDX-License-Identifier: MIT */
/* The window after full screen, for both versions: anything that the program has changed meanwhile stays as the program
 * set it. */
#ifndef TESTS_RUNTIME_WINDOW_RULES_H
#define TESTS_RUNTIME_WINDOW_RULES_H

#include "tests/runtime/check.h"

struct window_version {
    void *(*open)(HWND window); /* a windowed device; NULL: there is none */
    HRESULT (*reset)(void *device, HWND window, bool full_screen);
    void (*close)(void *device);
};

/* The program sets its styles before each Reset, as DXUT does, or in full screen. */
void window_styles_of_program(const struct window_version *version);
/* The program sets no styles: everything is as before. */
void window_left_alone(const struct window_version *version);
/* The program moves its window in full screen. */
void window_moved(const struct window_version *version);
/* The program subclasses the window while a device covers the screen, and leaves its procedure in place. */
void window_procedures(const struct window_version *version);

#endif
