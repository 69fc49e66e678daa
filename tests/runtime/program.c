/* SPDX-License-Identifier: MIT */
/* Devices and readbacks of the Direct3D 8 test programs. */
#include "tests/runtime/program.h"

D3DPRESENT_PARAMETERS windowed(HWND window)
{
    return (D3DPRESENT_PARAMETERS){
        .BackBufferWidth = WIDTH,
        .BackBufferHeight = HEIGHT,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .hDeviceWindow = window,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };
}

D3DPRESENT_PARAMETERS full_screen(HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed(window);
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    D3DDISPLAYMODE mode;

    CHECK_HR(IDirect3D8_GetAdapterDisplayMode(d3d, D3DADAPTER_DEFAULT, &mode), D3D_OK);
    IDirect3D8_Release(d3d);
    p.Windowed = FALSE;
    p.BackBufferWidth = mode.Width;
    p.BackBufferHeight = mode.Height;
    p.BackBufferFormat = mode.Format;
    p.FullScreen_PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    return p;
}

IDirect3DDevice8 *open_device(HWND window, DWORD flags, const D3DPRESENT_PARAMETERS *params)
{
    D3DPRESENT_PARAMETERS p = params ? *params : windowed(window);
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    IDirect3DDevice8 *device = NULL;

    CHECK(d3d);
    if (!d3d)
        return NULL;
    CHECK_HR(IDirect3D8_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                     flags ? flags : D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device),
             D3D_OK);
    IDirect3D8_Release(d3d);
    return device;
}

void close_device(IDirect3DDevice8 *device, HWND window)
{
    if (device)
        CHECK_EQUAL(IDirect3DDevice8_Release(device), 0);
    close_window(window);
}

uint32_t *read_surface(IDirect3DDevice8 *device, IDirect3DSurface8 *surface)
{
    IDirect3DSurface8 *copy = NULL;
    D3DLOCKED_RECT locked;
    D3DSURFACE_DESC desc;
    uint32_t *pixels;

    IDirect3DSurface8_GetDesc(surface, &desc);
    CHECK_HR(IDirect3DDevice8_CreateImageSurface(device, desc.Width, desc.Height, desc.Format, &copy), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, surface, NULL, 0, copy, NULL), D3D_OK);
    CHECK_HR(IDirect3DSurface8_LockRect(copy, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    pixels = copy_pixels(locked.pBits, locked.Pitch, desc.Width, desc.Height);
    IDirect3DSurface8_UnlockRect(copy);
    IDirect3DSurface8_Release(copy);
    return pixels;
}

uint32_t *read_target(IDirect3DDevice8 *device)
{
    IDirect3DSurface8 *target;
    uint32_t *pixels;

    IDirect3DDevice8_GetRenderTarget(device, &target);
    pixels = read_surface(device, target);
    IDirect3DSurface8_Release(target);
    return pixels;
}

uint32_t read_pixel(IDirect3DDevice8 *device, unsigned x, unsigned y)
{
    return take_pixel(read_target(device), x, y);
}
