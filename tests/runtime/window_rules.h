/* SPDX-License-Identifier: MIT */
/* The window after full screen, for both versions: anything that the program has changed meanwhile stays as the program
 * set it. `options`: device_option, for the device, which runs in the window and in full screen. */
#ifndef TESTS_RUNTIME_WINDOW_RULES_H
#define TESTS_RUNTIME_WINDOW_RULES_H

#include "tests/runtime/devices.h"

/* The program sets its styles before each Reset, as DXUT does, or in full screen. */
void window_styles_of_program(const struct device_api *version, unsigned options);
/* The program sets no styles: everything is as before. */
void window_left_alone(const struct device_api *version, unsigned options);
/* The program moves its window in full screen. */
void window_moved(const struct device_api *version, unsigned options);
/* The program subclasses the window while a device covers the screen, and leaves its procedure in place. */
void window_procedures(const struct device_api *version, unsigned options);

#endif
