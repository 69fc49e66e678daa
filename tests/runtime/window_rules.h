/* SPDX-License-Identifier: MIT */
/* What full screen leaves of a window, for both versions: whatever the program has changed since stays as the program has it. */
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
/* The program sets none: all is as it was before. */
void window_left_alone(const struct window_version *version);
/* The program moves its window in full screen. */
void window_moved(const struct window_version *version);
/* The program puts a procedure above the window's while a device covers the screen, and leaves it there. */
void window_procedures(const struct window_version *version);

#endif
