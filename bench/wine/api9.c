/* SPDX-License-Identifier: MIT */
/* bench-wine9: the device for Direct3D 9 scenes. */
#include "bench/wine/bench.h"
#include "bench/wine/canvas9.h"
#include "bench/wine/scenes9.h"

#include <stdio.h>
#include <string.h>

static struct {
    const struct scene *scene; /* NULL: one of the catalogue's */
    const struct catalogue_scene *entry;
    struct canvas *canvas;
    IDirect3D9 *d3d;
    IDirect3DDevice9 *device;
    IDirect3DSurface9 *back, *copy; /* `copy`: system memory */
    IDirect3DSurface9 *resolved;    /* a multisampled back buffer is copied through it; NULL: there is no need */
} session;

/* The catalogue's scenes come first; NULL: a scene of the catalogue. */
static const struct scene *scene_at(unsigned i)
{
    if (i < catalogue_scene_count)
        return NULL;
    i -= catalogue_scene_count;
    if (i < pixel_scene_count)
        return &pixel_scenes[i];
    i -= pixel_scene_count;
    if (i < work_scene_count)
        return &work_scenes[i];
    i -= work_scene_count;
    return i < frame_scene_count ? &frame_scenes[i] : &example_scenes[i - frame_scene_count];
}

static const char *name(unsigned i)
{
    return scene_at(i) ? scene_at(i)->name : catalogue_scenes[i].name;
}

static const char *work(unsigned i)
{
    return scene_at(i) ? scene_at(i)->work : catalogue_scenes[i].work;
}

static void close_device(void)
{
    if (session.scene && session.scene->destroy)
        session.scene->destroy();
    canvas9_close();
    if (session.resolved)
        IDirect3DSurface9_Release(session.resolved);
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

static bool open_device(HWND window, unsigned which, unsigned width, unsigned height)
{
    const struct scene *scene = scene_at(which);
    const bool samples = scene ? false : catalogue_scenes[which].samples > 0;
    D3DPRESENT_PARAMETERS parameters = {
        .BackBufferWidth = width,
        .BackBufferHeight = height,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .MultiSampleType = samples ? D3DMULTISAMPLE_4_SAMPLES : D3DMULTISAMPLE_NONE,
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };

    if (scene && (width != VIEW_WIDTH || height != VIEW_HEIGHT))
        return false;
    session.d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!session.d3d ||
        FAILED(IDirect3D9_CreateDevice(session.d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                       D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &session.device)) ||
        FAILED(IDirect3DDevice9_GetBackBuffer(session.device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &session.back)) ||
        FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(session.device, width, height, D3DFMT_X8R8G8B8,
                                                            D3DPOOL_SYSTEMMEM, &session.copy, NULL)) ||
        (samples &&
         FAILED(IDirect3DDevice9_CreateRenderTarget(session.device, width, height, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE,
                                                    0, FALSE, &session.resolved, NULL))))
        return false;
    session.scene = scene;
    if (!scene) {
        session.entry = &catalogue_scenes[which];
        session.canvas = canvas9_open(session.device, width, height);
        catalogue_open(session.canvas, session.entry);
        return canvas9_good();
    }
    if (scene->create)
        scene->create(session.device);
    return true;
}

static void draw(unsigned frame)
{
    IDirect3DDevice9_BeginScene(session.device);
    if (session.scene)
        session.scene->draw(session.device, frame);
    else
        session.entry->draw(session.canvas, frame);
    IDirect3DDevice9_EndScene(session.device);
}

static bool present(void)
{
    return SUCCEEDED(IDirect3DDevice9_Present(session.device, NULL, NULL, NULL, NULL));
}

static bool lock_picture(const void **pixels, int *pitch)
{
    IDirect3DSurface9 *from = session.resolved ? session.resolved : session.back;
    D3DLOCKED_RECT locked;

    if ((session.resolved && FAILED(IDirect3DDevice9_StretchRect(session.device, session.back, NULL, session.resolved,
                                                                 NULL, D3DTEXF_NONE))) ||
        FAILED(IDirect3DDevice9_GetRenderTargetData(session.device, from, session.copy)) ||
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
    const struct bench_api api = {catalogue_scene_count + pixel_scene_count + work_scene_count + frame_scene_count +
                                      example_scene_count,
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
