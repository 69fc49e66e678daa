/* SPDX-License-Identifier: MIT */
/* Devices of either version, for tests that both versions run, and for programs that need both: the headers of the two
 * versions cannot be included together. */
#ifndef TESTS_RUNTIME_DEVICES_H
#define TESTS_RUNTIME_DEVICES_H

#include "tests/runtime/check.h"

enum device_option {
    DEVICE_FULL_SCREEN = 1, /* in the current mode; without it in the window, WIDTH x HEIGHT */
    DEVICE_LOCKABLE = 2,    /* the back buffer */
    DEVICE_EX = 4,          /* in version 9; version 8 ignores it */
};

struct device_api {
    /* A device with these options and creation flags (0: hardware vertex processing); NULL, with a failure noted, if there is
     * no device. */
    void *(*open)(HWND window, unsigned options, DWORD flags);
    /* Releases the device and the window, if it is not NULL; no reference may be left. */
    void (*close)(void *device, HWND window);
    HRESULT (*reset)(void *device, HWND window, unsigned options); /* with parameters as those of `open` */
    void (*clear)(void *device, uint32_t rgb);
    HRESULT (*begin_scene)(void *device);
    HRESULT (*end_scene)(void *device);
    HRESULT (*present)(void *device, HWND window); /* NULL: the device's window */
    /* All pixels of the target, 0x00RRGGBB, WIDTH x HEIGHT; the caller frees them. */
    uint32_t *(*read)(void *device);
    UINT (*free_memory)(void *device); /* GetAvailableTextureMem */
};

extern const struct device_api devices8, devices9;

#endif
