/* SPDX-License-Identifier: MIT */
/*
 * Objects of DirectDraw that are created, used and released again and again: afterwards the process has no more memory, handles, GDI objects
 * or windows than before. HALCYON_TEST_CYCLES: how often.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/runtime/ddraw_dll.h"
#include "tests/runtime/usage.h"

#define CYCLES  300
#define SETTLED 300 /* cycles after which the structures of dead objects are used again */

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
static create_ex create;
static IDirectDraw7 *ddraw;
static HWND window;

static IDirectDrawSurface7 *make_surface(DWORD caps, DWORD back_buffers)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS, .dwBackBufferCount = back_buffers};
    IDirectDrawSurface7 *surface = NULL;

    desc.ddsCaps.dwCaps = caps;
    if (!(caps & DDSCAPS_PRIMARYSURFACE))
        desc.dwFlags |= DDSD_WIDTH | DDSD_HEIGHT;
    if (back_buffers)
        desc.dwFlags |= DDSD_BACKBUFFERCOUNT;
    desc.dwWidth = desc.dwHeight = 32;
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &surface, NULL), DD_OK);
    return surface;
}

static void use_small_objects(void)
{
    static PALETTEENTRY entries[256];
    IDirectDrawClipper *clipper = NULL;
    IDirectDrawPalette *palette = NULL;

    CHECK_HR(IDirectDraw7_CreateClipper(ddraw, 0, &clipper, NULL), DD_OK);
    CHECK_HR(IDirectDrawClipper_SetHWnd(clipper, 0, window), DD_OK);
    CHECK_EQUAL(IDirectDrawClipper_Release(clipper), 0);
    CHECK_HR(IDirectDraw7_CreatePalette(ddraw, DDPCAPS_8BIT, entries, &palette, NULL), DD_OK);
    CHECK_HR(IDirectDrawPalette_SetEntries(palette, 0, 0, 256, entries), DD_OK);
    CHECK_EQUAL(IDirectDrawPalette_Release(palette), 0);
}

static void use_surfaces(void)
{
    IDirectDrawSurface7 *a = make_surface(DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY, 0);
    IDirectDrawSurface7 *b = make_surface(DDSCAPS_OFFSCREENPLAIN | DDSCAPS_VIDEOMEMORY, 0);
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    HDC dc = NULL;

    CHECK_HR(IDirectDrawSurface7_Lock(a, NULL, &desc, DDLOCK_WAIT, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_Unlock(a, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_Blt(b, NULL, a, NULL, DDBLT_WAIT, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_GetDC(b, &dc), DD_OK);
    CHECK_HR(IDirectDrawSurface7_ReleaseDC(b, dc), DD_OK);
    CHECK_EQUAL(IDirectDrawSurface7_Release(a), 0);
    CHECK_EQUAL(IDirectDrawSurface7_Release(b), 0);
}

static void use_chain(void)
{
    IDirectDrawSurface7 *front =
        make_surface(DDSCAPS_OFFSCREENPLAIN | DDSCAPS_FLIP | DDSCAPS_COMPLEX | DDSCAPS_VIDEOMEMORY, 2);

    if (!front)
        return;
    CHECK_HR(IDirectDrawSurface7_Flip(front, NULL, DDFLIP_NOVSYNC), DD_OK);
    CHECK_EQUAL(IDirectDrawSurface7_Release(front), 0);
}

static void use_primary(void)
{
    IDirectDrawSurface7 *primary = make_surface(DDSCAPS_PRIMARYSURFACE, 0);
    IDirectDrawSurface7 *picture = make_surface(DDSCAPS_OFFSCREENPLAIN, 0);
    IDirectDrawClipper *clipper = NULL;
    RECT rect = {0, 0, 32, 32};

    CHECK_HR(IDirectDraw7_CreateClipper(ddraw, 0, &clipper, NULL), DD_OK);
    CHECK_HR(IDirectDrawClipper_SetHWnd(clipper, 0, window), DD_OK);
    CHECK_HR(IDirectDrawSurface7_SetClipper(primary, clipper), DD_OK);
    CHECK_HR(IDirectDrawSurface7_Blt(primary, &rect, picture, NULL, DDBLT_WAIT, NULL), DD_OK);
    IDirectDrawClipper_Release(clipper);
    CHECK_EQUAL(IDirectDrawSurface7_Release(picture), 0);
    CHECK_EQUAL(IDirectDrawSurface7_Release(primary), 0);
}

/* Shown in the window, stretched, then ended before its destination and after it in turns. */
static void use_overlay(void)
{
    static bool primary_first;
    IDirectDrawSurface7 *primary = make_surface(DDSCAPS_PRIMARYSURFACE, 0), *overlay = make_surface(DDSCAPS_OVERLAY, 0);
    RECT rect = {10, 10, 50, 60};

    if (!primary || !overlay)
        return;
    CHECK_HR(IDirectDrawSurface7_UpdateOverlay(overlay, NULL, primary, &rect, DDOVER_SHOW, NULL), DD_OK);
    primary_first = !primary_first;
    CHECK_EQUAL(IDirectDrawSurface7_Release(primary_first ? primary : overlay), 0);
    CHECK_EQUAL(IDirectDrawSurface7_Release(primary_first ? overlay : primary), 0);
}

static void use_ddraw(void)
{
    IDirectDraw7 *other = NULL;

    CHECK_HR(create(NULL, (void **)&other, &IID_IDirectDraw7, NULL), DD_OK);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(other, window, DDSCL_NORMAL), DD_OK);
    CHECK_EQUAL(IDirectDraw7_Release(other), 0);
}

/* `divisor` of the number of cycles, because some take long. */
static void repeat(const char *name, void (*use)(void), unsigned divisor)
{
    const unsigned cycles = cycles_or(CYCLES) / divisor;
    struct usage before, after;

    for (unsigned i = 0; i < SETTLED / divisor && !failure_count(); i++)
        use();
    before = measure();
    for (unsigned i = 0; i < cycles && !failure_count(); i++)
        use();
    after = measure();
    compare(name, &before, &after);
}

static void small_objects(void)
{
    repeat("clippers and palettes", use_small_objects, 1);
}

static void surfaces(void)
{
    repeat("surfaces, Lock, Blt, GetDC", use_surfaces, 1);
}

static void chains(void)
{
    repeat("chains, Flip", use_chain, 1);
}

static void primary_surface(void)
{
    repeat("the primary surface through a clipper", use_primary, 20);
}

static void overlays(void)
{
    repeat("overlays", use_overlay, 20);
}

static void ddraw_objects(void)
{
    repeat("DirectDraw objects", use_ddraw, 10);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"no_growth_small_objects", small_objects},
        {"no_growth_surfaces", surfaces},
        {"no_growth_chains", chains},
        {"no_growth_primary", primary_surface},
        {"no_growth_overlays", overlays},
        {"no_growth_ddraw", ddraw_objects},
    };
    HMODULE library = load_ddraw();

    create = (create_ex)(void *)ddraw_export(library, "DirectDrawCreateEx");
    window = open_window();
    if (!create || FAILED(create(NULL, (void **)&ddraw, &IID_IDirectDraw7, NULL)) ||
        FAILED(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_NORMAL))) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
