/* SPDX-License-Identifier: MIT */
/* struct device_api for Direct3D 8. */
#include "tests/runtime/program.h"

#include "tests/runtime/devices.h"

static D3DPRESENT_PARAMETERS parameters(HWND window, unsigned options)
{
    D3DPRESENT_PARAMETERS p = options & DEVICE_FULL_SCREEN ? full_screen(window) : windowed(window);

    if (options & DEVICE_LOCKABLE)
        p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    return p;
}

static void *open(HWND window, unsigned options, DWORD flags)
{
    const D3DPRESENT_PARAMETERS p = parameters(window, options);

    return open_device(window, flags, &p);
}

static void close(void *device, HWND window)
{
    close_device(device, window);
}

static uint32_t *read(void *device)
{
    return read_target(device);
}

#define DEVICES devices8
#include "tests/runtime/device_calls.h"
