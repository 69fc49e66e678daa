/* SPDX-License-Identifier: MIT */
/* bench-wine7: DirectDraw 7, with a back buffer that is copied to the primary surface in a window. */
#include <initguid.h>
#include "bench/wine/scenes7.h"

#include "bench/wine/bench.h"

#include <stdio.h>
#include <string.h>

static struct {
    const struct scene *scene;
    IDirectDraw7 *ddraw;
    IDirectDrawSurface7 *primary, *back;
    IDirectDrawClipper *clipper;
    HWND window;
} session;

static const char *name(unsigned i)
{
    return scenes[i].name;
}

static const char *work(unsigned i)
{
    return scenes[i].work;
}

static void close_session(void)
{
    release_scene();
    if (session.back)
        IDirectDrawSurface7_Release(session.back);
    if (session.primary)
        IDirectDrawSurface7_Release(session.primary);
    if (session.clipper)
        IDirectDrawClipper_Release(session.clipper);
    if (session.ddraw)
        IDirectDraw7_Release(session.ddraw);
    memset(&session, 0, sizeof(session));
}

static bool create_surfaces(unsigned width, unsigned height)
{
    DDSURFACEDESC2 primary = {
        .dwSize = sizeof(primary), .dwFlags = DDSD_CAPS, .ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE};
    DDSURFACEDESC2 back = {.dwSize = sizeof(back),
                           .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT,
                           .dwWidth = width,
                           .dwHeight = height,
                           .ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | DDSCAPS_VIDEOMEMORY};

    return SUCCEEDED(IDirectDraw7_CreateSurface(session.ddraw, &primary, &session.primary, NULL)) &&
           SUCCEEDED(IDirectDraw7_CreateSurface(session.ddraw, &back, &session.back, NULL)) &&
           SUCCEEDED(IDirectDraw7_CreateClipper(session.ddraw, 0, &session.clipper, NULL)) &&
           SUCCEEDED(IDirectDrawClipper_SetHWnd(session.clipper, 0, session.window)) &&
           SUCCEEDED(IDirectDrawSurface7_SetClipper(session.primary, session.clipper));
}

static bool open_session(HWND window, unsigned which, unsigned width, unsigned height)
{
    if (width != VIEW_WIDTH || height != VIEW_HEIGHT)
        return false;
    session.window = window;
    if (FAILED(DirectDrawCreateEx(NULL, (void **)&session.ddraw, &IID_IDirectDraw7, NULL)) ||
        FAILED(IDirectDraw7_SetCooperativeLevel(session.ddraw, window, DDSCL_NORMAL)) ||
        !create_surfaces(width, height))
        return false;
    session.scene = &scenes[which];
    session.scene->create(session.ddraw, session.back);
    return true;
}

static void draw(unsigned frame)
{
    session.scene->draw(frame);
}

static bool present(void)
{
    RECT client;
    POINT corner = {0, 0};

    GetClientRect(session.window, &client);
    ClientToScreen(session.window, &corner);
    OffsetRect(&client, corner.x, corner.y);
    return SUCCEEDED(IDirectDrawSurface7_Blt(session.primary, &client, session.back, NULL, DDBLT_WAIT, NULL));
}

static bool lock_picture(const void **pixels, int *pitch)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    if (FAILED(IDirectDrawSurface7_Lock(session.back, NULL, &desc, DDLOCK_READONLY | DDLOCK_WAIT, NULL)))
        return false;
    *pixels = desc.lpSurface;
    *pitch = desc.lPitch;
    return true;
}

static void unlock_picture(void)
{
    IDirectDrawSurface7_Unlock(session.back, NULL);
}

static bool adapter(char *text, size_t size)
{
    DDDEVICEIDENTIFIER2 identifier;
    IDirectDraw7 *ddraw = NULL;
    const bool good = SUCCEEDED(DirectDrawCreateEx(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL)) &&
                      SUCCEEDED(IDirectDraw7_GetDeviceIdentifier(ddraw, &identifier, 0));

    if (good)
        snprintf(text, size, "%s, %s", identifier.szDriver, identifier.szDescription);
    if (ddraw)
        IDirectDraw7_Release(ddraw);
    return good;
}

int main(void)
{
    const struct bench_api api = {
        .scene_count = scene_count,
        .name = name,
        .work = work,
        .open = open_session,
        .close = close_session,
        .draw = draw,
        .present = present,
        .lock_picture = lock_picture,
        .unlock_picture = unlock_picture,
        .adapter = adapter,
    };

    return bench_commands(&api);
}
