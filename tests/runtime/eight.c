/* SPDX-License-Identifier: MIT */
/* A Direct3D 8 device for programs that include the headers of Direct3D 9. */
#include "tests/runtime/eight.h"

#include "tests/runtime/program.h"

void *open_eight(HWND window)
{
    return open_device(window, 0, NULL);
}

void close_eight(void *device, HWND window)
{
    close_device(device, window);
}

void clear_eight(void *device, uint32_t rgb)
{
    CHECK_HR(IDirect3DDevice8_Clear((IDirect3DDevice8 *)device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0),
             D3D_OK);
}

void present_eight(void *device)
{
    CHECK_HR(IDirect3DDevice8_Present((IDirect3DDevice8 *)device, NULL, NULL, NULL, NULL), D3D_OK);
}

uint32_t pixel_of_eight(void *device, unsigned x, unsigned y)
{
    return read_pixel(device, x, y);
}
