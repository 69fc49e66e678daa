/* SPDX-License-Identifier: MIT */
/* The key that captures frames (HALCYON_CAPTURE_KEY) in a program of DirectDraw, which has no Direct3D context. Run with
 * HALCYON_CAPTURE=keyed7.capture, HALCYON_CAPTURE_KEY=F11 and HALCYON_CAPTURE_COUNT=2; without them nothing is captured. */
#include "tests/runtime/check.h"

#include <stdlib.h>

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/runtime/ddraw_dll.h"

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
static create_ex create;

static bool exists(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

static void flip(IDirectDrawSurface7 *front, unsigned frames)
{
    DDBLTFX effects = {.dwSize = sizeof(effects)};
    DDSCAPS2 caps = {.dwCaps = DDSCAPS_BACKBUFFER};
    IDirectDrawSurface7 *back = NULL;

    CHECK_HR(IDirectDrawSurface7_GetAttachedSurface(front, &caps, &back), DD_OK);
    for (unsigned i = 0; i < frames && back; i++) {
        effects.dwFillColor = i * 40;
        CHECK_HR(IDirectDrawSurface7_Blt(back, NULL, NULL, NULL, DDBLT_COLORFILL | DDBLT_WAIT, &effects), DD_OK);
        CHECK_HR(IDirectDrawSurface7_Flip(front, NULL, DDFLIP_WAIT), DD_OK);
    }
    if (back)
        IDirectDrawSurface7_Release(back);
}

/* A key that is pressed and released between two frames is noticed. */
static void tapped(void)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_BACKBUFFERCOUNT};
    const char *path = getenv("HALCYON_CAPTURE");
    IDirectDrawSurface7 *front = NULL;
    IDirectDraw7 *ddraw = NULL;
    HWND window = open_window();

    desc.dwBackBufferCount = 1;
    desc.ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE | DDSCAPS_FLIP | DDSCAPS_COMPLEX;
    CHECK_HR(create(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL), DD_OK);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN), DD_OK);
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &front, NULL), DD_OK);
    pump();
    flip(front, 5);
    CHECK(!path || !exists(path));
    if (path && GetForegroundWindow() == window) {
        keybd_event(VK_F11, 0, 0, 0);
        keybd_event(VK_F11, 0, KEYEVENTF_KEYUP, 0);
        flip(front, 6);
        CHECK(exists(path));
    }
    IDirectDrawSurface7_Release(front);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"ddraw_key_tapped", tapped}};

    create = (create_ex)(void *)ddraw_export(load_ddraw(), "DirectDrawCreateEx");
    if (!create) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
