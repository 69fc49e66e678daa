/* SPDX-License-Identifier: MIT */
/* struct device_api for Direct3D 9. */
#include "tests/runtime/program9.h"

#include "tests/runtime/devices.h"

static D3DPRESENT_PARAMETERS parameters(HWND window, unsigned options)
{
    D3DPRESENT_PARAMETERS p = options & DEVICE_FULL_SCREEN ? full_screen9(window) : windowed9(window);

    if (options & DEVICE_LOCKABLE)
        p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    return p;
}

static void *open(HWND window, unsigned options, DWORD flags)
{
    const D3DPRESENT_PARAMETERS p = parameters(window, options);

    return open_device9(window, options & DEVICE_EX, flags, &p);
}

static void close(void *device, HWND window)
{
    close_device9(device, window);
}

static uint32_t *read(void *device)
{
    return read_target9(device);
}

#define DEVICES devices9
#include "tests/runtime/device_calls.h"
