/* SPDX-License-Identifier: MIT */
/* The life of devices, for both versions: two at once, on other threads, windows that go away. */
#ifndef TESTS_RUNTIME_LIFE_H
#define TESTS_RUNTIME_LIFE_H

#include "tests/runtime/devices.h"

/* Two devices draw in turns, the second one for 9Ex; one is released while the other stays. */
void life_two_devices(const struct device_api *version);
/* A device created here, used and released on another thread, then one that the other thread creates for a window of this thread.
 * `flags`: as for device_api.open. */
void life_other_thread(const struct device_api *version, DWORD flags);
/* Two threads, a device each, at the same time; the second device is for 9Ex. */
void life_threads_in_parallel(const struct device_api *version);
/* A device draws on when its window is destroyed, and goes to another window. Returns the result of the Present to the
 * destroyed window. */
HRESULT life_window_destroyed(const struct device_api *version);
/* The window no longer exists when the screen is restored. `options`: device_option. */
void life_full_screen_window_destroyed(const struct device_api *version, unsigned options);

/* One pixel of the device's target. */
uint32_t life_pixel(const struct device_api *version, void *device, unsigned x, unsigned y);

#endif
