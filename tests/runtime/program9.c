/* SPDX-License-Identifier: MIT */
/* Devices, shaders and readbacks of the Direct3D 9 test programs. */
#include "tests/runtime/program9.h"

#include <stdlib.h>

D3DPRESENT_PARAMETERS windowed9(HWND window)
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
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE,
    };
}

D3DPRESENT_PARAMETERS full_screen9(HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed9(window);
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DDISPLAYMODE mode = {WIDTH, HEIGHT, 0, D3DFMT_X8R8G8B8};

    CHECK_HR(IDirect3D9_GetAdapterDisplayMode(d3d, D3DADAPTER_DEFAULT, &mode), D3D_OK);
    IDirect3D9_Release(d3d);
    p.Windowed = FALSE;
    p.BackBufferWidth = mode.Width;
    p.BackBufferHeight = mode.Height;
    p.BackBufferFormat = mode.Format;
    return p;
}

static IDirect3D9 *create(bool ex)
{
    IDirect3D9Ex *d3d = NULL;

    if (!ex)
        return Direct3DCreate9(D3D_SDK_VERSION);
    CHECK_HR(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d), D3D_OK);
    return (IDirect3D9 *)d3d;
}

IDirect3DDevice9 *open_device9(HWND window, bool ex, DWORD flags, const D3DPRESENT_PARAMETERS *params)
{
    D3DPRESENT_PARAMETERS p = params ? *params : windowed9(window);
    D3DDISPLAYMODEEX mode = {
        sizeof(mode), p.BackBufferWidth, p.BackBufferHeight, 0, p.BackBufferFormat, D3DSCANLINEORDERING_PROGRESSIVE};
    IDirect3DDevice9 *device = NULL;
    IDirect3D9 *d3d = create(ex);

    CHECK(d3d);
    if (!d3d)
        return NULL;
    flags = flags ? flags : D3DCREATE_HARDWARE_VERTEXPROCESSING;
    if (ex)
        CHECK_HR(IDirect3D9Ex_CreateDeviceEx((IDirect3D9Ex *)d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window, flags, &p,
                                             p.Windowed ? NULL : &mode, (IDirect3DDevice9Ex **)&device),
                 D3D_OK);
    else
        CHECK_HR(IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window, flags, &p, &device), D3D_OK);
    IDirect3D9_Release(d3d);
    return device;
}

void close_device9(IDirect3DDevice9 *device, HWND window)
{
    if (device)
        CHECK_EQUAL(IDirect3DDevice9_Release(device), 0);
    close_window(window);
}

uint32_t *read_surface9(IDirect3DDevice9 *device, IDirect3DSurface9 *surface)
{
    IDirect3DSurface9 *copy = NULL;
    D3DLOCKED_RECT locked;
    D3DSURFACE_DESC desc;
    uint32_t *pixels;

    IDirect3DSurface9_GetDesc(surface, &desc);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, desc.Width, desc.Height, desc.Format,
                                                          D3DPOOL_SYSTEMMEM, &copy, NULL),
             D3D_OK);
    if (!copy)
        return calloc(WIDTH * HEIGHT, sizeof(*pixels));
    CHECK_HR(IDirect3DDevice9_GetRenderTargetData(device, surface, copy), D3D_OK);
    CHECK_HR(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    pixels = copy_pixels(locked.pBits, locked.Pitch, desc.Width, desc.Height);
    IDirect3DSurface9_UnlockRect(copy);
    IDirect3DSurface9_Release(copy);
    return pixels;
}

uint32_t *read_target9(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *target = NULL;
    uint32_t *pixels;

    CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &target), D3D_OK);
    pixels = read_surface9(device, target);
    IDirect3DSurface9_Release(target);
    return pixels;
}

uint32_t read_pixel9(IDirect3DDevice9 *device, unsigned x, unsigned y)
{
    return take_pixel(read_target9(device), x, y);
}

void set_vertex_shader9(IDirect3DDevice9 *device, const char *text)
{
    IDirect3DVertexShader9 *shader = NULL;
    uint32_t tokens[SHADER_TOKENS];

    if (text)
        CHECK_HR(IDirect3DDevice9_CreateVertexShader(device, assemble_shader(text, tokens), &shader), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexShader(device, shader), D3D_OK);
    if (shader)
        IDirect3DVertexShader9_Release(shader);
}

void set_pixel_shader9(IDirect3DDevice9 *device, const char *text)
{
    IDirect3DPixelShader9 *shader = NULL;
    uint32_t tokens[SHADER_TOKENS];

    if (text)
        CHECK_HR(IDirect3DDevice9_CreatePixelShader(device, assemble_shader(text, tokens), &shader), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetPixelShader(device, shader), D3D_OK);
    if (shader)
        IDirect3DPixelShader9_Release(shader);
}

void clear9(IDirect3DDevice9 *device, uint32_t rgb)
{
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0), D3D_OK);
}

void present9(IDirect3DDevice9 *device)
{
    CHECK_HR(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
}
