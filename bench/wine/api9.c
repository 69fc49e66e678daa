/* SPDX-License-Identifier: MIT */
/* bench-wine9: the device that Direct3D 9 scenes are drawn with. */
#include "bench/wine/bench.h"
#include "bench/wine/scenes9.h"

#include <stdio.h>
#include <string.h>

static struct {
    const struct scene *scene;
    IDirect3D9 *d3d;
    IDirect3DDevice9 *device;
    IDirect3DSurface9 *back, *copy; /* `copy`: system memory */
} session;

static const struct scene *scene_at(unsigned i)
{
    return i < pixel_scene_count ? &pixel_scenes[i] : &work_scenes[i - pixel_scene_count];
}

static const char *name(unsigned scene)
{
    return scene_at(scene)->name;
}

static const char *work(unsigned scene)
{
    return scene_at(scene)->work;
}

static void close_device(void)
{
    if (session.scene && session.scene->destroy)
        session.scene->destroy();
    if (session.copy)
        IDirect3DSurface9_Release(session.copy);
    if (session.back)
        IDirect3DSurface9_Release(session.back);
    if (session.device)
        IDirect3DDevice9_Release(session.device);
    if (session.d3d)
        IDirect3D9_Release(session.d3d);
    memset(&session, 0, sizeof(session));
}

static bool open_device(HWND window, unsigned which)
{
    const struct scene *scene = scene_at(which);
    D3DPRESENT_PARAMETERS parameters = {
        .BackBufferWidth = VIEW_WIDTH,
        .BackBufferHeight = VIEW_HEIGHT,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };

    session.d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!session.d3d ||
        FAILED(IDirect3D9_CreateDevice(session.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                       D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &session.device)) ||
        FAILED(IDirect3DDevice9_GetBackBuffer(session.device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &session.back)) ||
        FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(session.device, VIEW_WIDTH, VIEW_HEIGHT, D3DFMT_X8R8G8B8,
                                                            D3DPOOL_SYSTEMMEM, &session.copy, NULL)))
        return false;
    if (scene->create)
        scene->create(session.device);
    session.scene = scene;
    return true;
}

static void draw(unsigned frame)
{
    IDirect3DDevice9_BeginScene(session.device);
    session.scene->draw(session.device, frame);
    IDirect3DDevice9_EndScene(session.device);
}

static bool present(void)
{
    return SUCCEEDED(IDirect3DDevice9_Present(session.device, NULL, NULL, NULL, NULL));
}

static bool lock_picture(const void **pixels, int *pitch)
{
    D3DLOCKED_RECT locked;

    if (FAILED(IDirect3DDevice9_GetRenderTargetData(session.device, session.back, session.copy)) ||
        FAILED(IDirect3DSurface9_LockRect(session.copy, &locked, NULL, D3DLOCK_READONLY)))
        return false;
    *pixels = locked.pBits;
    *pitch = locked.Pitch;
    return true;
}

static void unlock_picture(void)
{
    IDirect3DSurface9_UnlockRect(session.copy);
}

static bool adapter(char *text, size_t size)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER9 identifier;
    bool good = d3d && SUCCEEDED(IDirect3D9_GetAdapterIdentifier(d3d, D3DADAPTER_DEFAULT, 0, &identifier));

    if (good)
        snprintf(text, size, "%s, %s", identifier.Driver, identifier.Description);
    if (d3d)
        IDirect3D9_Release(d3d);
    return good;
}

int main(void)
{
    const struct bench_api api = {pixel_scene_count + work_scene_count,
                                  name,
                                  work,
                                  open_device,
                                  close_device,
                                  draw,
                                  present,
                                  lock_picture,
                                  unlock_picture,
                                  adapter};

    return bench_commands(&api);
}
