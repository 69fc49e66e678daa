/* SPDX-License-Identifier: MIT */
/*
 * The screen of ddraw.dll: display modes, exclusive mode, lost surfaces, and the visible memory: whatever a program writes to the primary
 * surface is seen, also through a palette alone, and through a lock that it never gives back.
 *
 * Pixels are those of the window. Without an X server windows have none, and those checks are left out. On a display with one mode the modes
 * of these tests are shown scaled to it: positions in windows are computed from positions in the mode.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/runtime/ddraw_dll.h"

#define RED   0xff0000
#define GREEN 0x00ff00
#define BLUE  0x0000ff

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
static create_ex create;

/* --- a program -------------------------------------------------------------------------- */

static IDirectDraw7 *make_ddraw(void)
{
    void *ddraw = NULL;

    CHECK_HR(create(NULL, &ddraw, &IID_IDirectDraw7, NULL), DD_OK);
    return ddraw;
}

static HRESULT set_mode(IDirectDraw7 *ddraw, unsigned width, unsigned height, unsigned bits)
{
    return IDirectDraw7_SetDisplayMode(ddraw, width, height, bits, 0, 0);
}

static void expect_mode(IDirectDraw7 *ddraw, unsigned width, unsigned height, unsigned bits)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    CHECK_HR(IDirectDraw7_GetDisplayMode(ddraw, &desc), DD_OK);
    CHECK_EQUAL(desc.dwWidth, width);
    CHECK_EQUAL(desc.dwHeight, height);
    CHECK_EQUAL(desc.ddpfPixelFormat.dwRGBBitCount, bits);
}

/* The primary surface; NULL: it cannot be made, which is noted. */
static IDirectDrawSurface7 *make_primary(IDirectDraw7 *ddraw, unsigned back_buffers)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS};
    IDirectDrawSurface7 *surface = NULL;

    desc.ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE;
    if (back_buffers) {
        desc.dwFlags |= DDSD_BACKBUFFERCOUNT;
        desc.dwBackBufferCount = back_buffers;
        desc.ddsCaps.dwCaps |= DDSCAPS_FLIP | DDSCAPS_COMPLEX;
    }
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &surface, NULL), DD_OK);
    return surface;
}

static IDirectDrawSurface7 *make_offscreen(IDirectDraw7 *ddraw, DWORD memory)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT};
    IDirectDrawSurface7 *surface = NULL;

    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | memory;
    desc.dwWidth = desc.dwHeight = 64;
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &surface, NULL), DD_OK);
    return surface;
}

static void fill(IDirectDrawSurface7 *surface, const RECT *rect, DWORD value)
{
    DDBLTFX effects = {.dwSize = sizeof(effects)};

    effects.dwFillColor = value;
    CHECK_HR(IDirectDrawSurface7_Blt(surface, (RECT *)rect, NULL, NULL, DDBLT_COLORFILL | DDBLT_WAIT, &effects), DD_OK);
}

/* Exclusive mode in a mode of WIDTH x HEIGHT. */
static IDirectDraw7 *enter(HWND window, unsigned bits)
{
    IDirectDraw7 *ddraw = make_ddraw();

    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN), DD_OK);
    CHECK_HR(set_mode(ddraw, WIDTH, HEIGHT, bits), DD_OK);
    pump();
    return ddraw;
}

/* --- pixels ------------------------------------------------------------------------------- */

/* The pixel of the window that shows the middle of a pixel of a picture which fills the window. */
static uint32_t shown_pixel(HWND window, int x, int y)
{
    RECT client;

    GetClientRect(window, &client);
    return window_pixel(window, (2 * x + 1) * client.right / (2 * WIDTH), (2 * y + 1) * client.bottom / (2 * HEIGHT));
}

static bool has_pixels(HWND window)
{
    HDC dc = GetDC(window);
    bool has;

    SetPixel(dc, 1, 1, RGB(1, 2, 3));
    has = GetPixel(dc, 1, 1) == RGB(1, 2, 3);
    ReleaseDC(window, dc);
    return has;
}

/* Waits until the pixel has the colour: the next refresh, or much longer on a loaded machine. */
static void expect_soon(HWND window, int x, int y, uint32_t want)
{
    uint32_t got = ~want;

    if (!has_pixels(window))
        return;
    for (unsigned i = 0; i < 500 && color_distance(got, want) > 8; i++) {
        Sleep(10);
        got = shown_pixel(window, x, y);
    }
    if (color_distance(got, want) > 8)
        failed(__FILE__, __LINE__, "pixel %d, %d is %06x, not %06x", x, y, (unsigned)got, (unsigned)want);
}

/* --- modes -------------------------------------------------------------------------------- */

static void modes(void)
{
    const int bits_before = GetDeviceCaps(GetDC(NULL), BITSPIXEL);
    IDirectDraw7 *first = make_ddraw(), *second = make_ddraw();
    DDSURFACEDESC2 desktop = {.dwSize = sizeof(desktop)};
    DWORD frequency = 0;

    CHECK_HR(IDirectDraw7_GetDisplayMode(first, &desktop), DD_OK);
    for (unsigned bits = 8; bits <= 32; bits *= 2) {
        CHECK_HR(set_mode(first, 320, 200, bits), DD_OK);
        expect_mode(second, 320, 200, bits); /* of the process */
        CHECK_EQUAL(GetDeviceCaps(GetDC(NULL), BITSPIXEL), bits_before);
    }
    CHECK_HR(set_mode(first, 321, 5000, 32), DDERR_INVALIDMODE);
    CHECK_HR(set_mode(first, WIDTH, HEIGHT, 15), DDERR_INVALIDMODE);
    CHECK_HR(IDirectDraw7_SetDisplayMode(first, WIDTH, HEIGHT, 32, 1234, 0), DDERR_INVALIDMODE);
    expect_mode(first, 320, 200, 32);
    CHECK_HR(IDirectDraw7_GetMonitorFrequency(first, &frequency), DD_OK);
    CHECK(frequency > 1);
    /* the object that has not set a mode does not end it, the other one does */
    CHECK_HR(IDirectDraw7_RestoreDisplayMode(second), DD_OK);
    expect_mode(second, 320, 200, 32);
    CHECK_EQUAL(IDirectDraw7_Release(first), 0);
    expect_mode(second, desktop.dwWidth, desktop.dwHeight, desktop.ddpfPixelFormat.dwRGBBitCount);
    CHECK_EQUAL(IDirectDraw7_Release(second), 0);
}

static void exclusive_blocks_others(void)
{
    HWND window = open_window();
    IDirectDraw7 *first = enter(window, 16), *second = make_ddraw();

    CHECK_HR(set_mode(second, 800, 600, 32), DDERR_NOEXCLUSIVEMODE);
    CHECK_HR(IDirectDraw7_RestoreDisplayMode(second), DDERR_NOEXCLUSIVEMODE);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(second, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN),
             DDERR_EXCLUSIVEMODEALREADYSET);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(second, window, DDSCL_NORMAL), DDERR_HWNDALREADYSET);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(second, NULL, DDSCL_NORMAL), DD_OK);
    CHECK_HR(IDirectDraw7_TestCooperativeLevel(second), DDERR_EXCLUSIVEMODEALREADYSET);
    CHECK_HR(IDirectDraw7_TestCooperativeLevel(first), DD_OK);
    expect_mode(second, WIDTH, HEIGHT, 16);
    CHECK_EQUAL(IDirectDraw7_Release(first), 0);
    CHECK_HR(IDirectDraw7_TestCooperativeLevel(second), DD_OK);
    CHECK_HR(set_mode(second, 800, 600, 32), DD_OK);
    CHECK_EQUAL(IDirectDraw7_Release(second), 0);
    close_window(window);
}

/* An object that is exclusive keeps the mode that another one has set and cannot put back any more, and puts it back itself. */
static void exclusive_owes_the_mode(void)
{
    IDirectDraw7 *setter = make_ddraw(), *exclusive = make_ddraw();
    DDSURFACEDESC2 before = {.dwSize = sizeof(before)};
    HWND window = open_window();

    CHECK_HR(IDirectDraw7_GetDisplayMode(setter, &before), DD_OK);
    CHECK_HR(set_mode(setter, 800, 600, 16), DD_OK);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(exclusive, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN), DD_OK);
    CHECK_EQUAL(IDirectDraw7_Release(setter), 0);
    expect_mode(exclusive, 800, 600, 16);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(exclusive, window, DDSCL_NORMAL), DD_OK);
    expect_mode(exclusive, before.dwWidth, before.dwHeight, before.ddpfPixelFormat.dwRGBBitCount);
    CHECK_EQUAL(IDirectDraw7_Release(exclusive), 0);
    close_window(window);
}

/* --- windows ------------------------------------------------------------------------------ */

static void window_and_hook(void)
{
    HWND window =
        CreateWindowA("static", "frame", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 10, 20, 200, 100, NULL, NULL, NULL, NULL);
    const LONG style = GetWindowLongA(window, GWL_STYLE);
    const LONG_PTR procedure = GetWindowLongPtrA(window, GWLP_WNDPROC);
    IDirectDraw7 *ddraw = make_ddraw();
    RECT rect;

    SetForegroundWindow(window);
    pump();
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN), DD_OK);
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE), style);
    CHECK(GetWindowLongPtrA(window, GWLP_WNDPROC) != procedure);
    GetWindowRect(window, &rect);
    if (GetSystemMetrics(SM_CXSCREEN)) {
        CHECK_EQUAL(rect.left, 0);
        CHECK_EQUAL(rect.right, GetSystemMetrics(SM_CXSCREEN));
        CHECK_EQUAL(rect.bottom, GetSystemMetrics(SM_CYSCREEN));
    }
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_NORMAL), DD_OK);
    CHECK_EQUAL(GetWindowLongPtrA(window, GWLP_WNDPROC), procedure);
    CHECK(!(GetWindowLongA(window, GWL_EXSTYLE) & WS_EX_TOPMOST));
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN), DD_OK);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    CHECK_EQUAL(GetWindowLongPtrA(window, GWLP_WNDPROC), procedure);
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE), style);
    close_window(window);
}

static void losses(void)
{
    HWND window = open_window();
    IDirectDraw7 *ddraw = enter(window, 32);
    IDirectDrawSurface7 *primary = make_primary(ddraw, 1), *video = make_offscreen(ddraw, DDSCAPS_VIDEOMEMORY),
                        *system = make_offscreen(ddraw, DDSCAPS_SYSTEMMEMORY);
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    CHECK_HR(IDirectDrawSurface7_IsLost(primary), DD_OK);
    CHECK_HR(set_mode(ddraw, WIDTH, HEIGHT, 32), DD_OK); /* the same again */
    CHECK_HR(IDirectDrawSurface7_IsLost(video), DD_OK);
    CHECK_HR(set_mode(ddraw, WIDTH, HEIGHT, 16), DD_OK);
    CHECK_HR(IDirectDrawSurface7_IsLost(primary), DDERR_SURFACELOST);
    CHECK_HR(IDirectDrawSurface7_IsLost(video), DDERR_SURFACELOST);
    CHECK_HR(IDirectDrawSurface7_IsLost(system), DD_OK);
    CHECK_HR(IDirectDrawSurface7_Lock(video, NULL, &desc, DDLOCK_WAIT, NULL), DDERR_SURFACELOST);
    CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, DDFLIP_WAIT), DDERR_SURFACELOST);
    CHECK_HR(IDirectDrawSurface7_Restore(primary), DDERR_WRONGMODE);
    CHECK_HR(IDirectDrawSurface7_Restore(video), DD_OK);
    CHECK_HR(IDirectDrawSurface7_IsLost(video), DD_OK);
    CHECK_HR(set_mode(ddraw, WIDTH, HEIGHT, 32), DD_OK);
    CHECK_HR(IDirectDraw7_RestoreAllSurfaces(ddraw), DD_OK);
    CHECK_HR(IDirectDrawSurface7_IsLost(primary), DD_OK);
    CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, DDFLIP_WAIT), DD_OK);
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_NORMAL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_IsLost(primary), DDERR_SURFACELOST);
    IDirectDrawSurface7_Release(system);
    IDirectDrawSurface7_Release(video);
    IDirectDrawSurface7_Release(primary);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

/* --- what is seen ------------------------------------------------------------------------- */

static void writes_are_seen(void)
{
    HWND window = open_window();
    IDirectDraw7 *ddraw = enter(window, 32);
    IDirectDrawSurface7 *primary = make_primary(ddraw, 0);
    const RECT half = {0, 0, WIDTH / 2, HEIGHT};
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    HDC dc;

    fill(primary, NULL, RED);
    fill(primary, &half, GREEN);
    expect_soon(window, WIDTH / 2 - 4, HEIGHT / 2, GREEN);
    expect_soon(window, WIDTH / 2 + 4, HEIGHT / 2, RED);
    CHECK_HR(IDirectDrawSurface7_Lock(primary, NULL, &desc, DDLOCK_WAIT, NULL), DD_OK);
    for (int y = 100; y < 110; y++)
        for (int x = 50; x < 60; x++)
            ((uint32_t *)((uint8_t *)desc.lpSurface + y * desc.lPitch))[x] = BLUE;
    CHECK_HR(IDirectDrawSurface7_Unlock(primary, NULL), DD_OK);
    expect_soon(window, 55, 105, BLUE);
    expect_soon(window, 70, 105, GREEN);
    CHECK_HR(IDirectDrawSurface7_GetDC(primary, &dc), DD_OK);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            SetPixel(dc, 400 + i, 300 + j, RGB(255, 255, 255));
    CHECK_HR(IDirectDrawSurface7_ReleaseDC(primary, dc), DD_OK);
    expect_soon(window, 405, 305, 0xffffff);
    IDirectDrawSurface7_Release(primary);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

static void lock_that_stays(void)
{
    HWND window = open_window();
    IDirectDraw7 *ddraw = enter(window, 16);
    IDirectDrawSurface7 *primary = make_primary(ddraw, 0);
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    static const struct {
        uint16_t pixel;
        uint32_t color;
    } rows[] = {{0xf800, RED}, {0x07e0, GREEN}, {0x001f, BLUE}};

    CHECK_HR(IDirectDrawSurface7_Lock(primary, NULL, &desc, DDLOCK_WAIT, NULL), DD_OK);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        for (int y = 200; y < 220; y++)
            for (int x = 0; x < WIDTH; x++)
                ((uint16_t *)((uint8_t *)desc.lpSurface + y * desc.lPitch))[x] = rows[i].pixel;
        expect_soon(window, 320, 210, rows[i].color);
    }
    IDirectDrawSurface7_Release(primary); /* and never unlocked */
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

static void palette_animation(void)
{
    HWND window = open_window();
    IDirectDraw7 *ddraw = enter(window, 8);
    IDirectDrawSurface7 *primary = make_primary(ddraw, 0);
    PALETTEENTRY entries[256] = {{0}}, blue = {0, 0, 255, 0};
    IDirectDrawPalette *palette, *other;
    const RECT corner = {0, 0, 100, 100};

    entries[7] = (PALETTEENTRY){255, 0, 0, 0};
    entries[9] = (PALETTEENTRY){0, 255, 0, 0};
    CHECK_HR(IDirectDraw7_CreatePalette(ddraw, DDPCAPS_8BIT | DDPCAPS_ALLOW256, entries, &palette, NULL), DD_OK);
    entries[7] = (PALETTEENTRY){255, 255, 255, 0};
    CHECK_HR(IDirectDraw7_CreatePalette(ddraw, DDPCAPS_8BIT | DDPCAPS_ALLOW256, entries, &other, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_SetPalette(primary, palette), DD_OK);
    fill(primary, NULL, 9);
    fill(primary, &corner, 7);
    expect_soon(window, 50, 50, RED);
    expect_soon(window, 200, 200, GREEN);
    CHECK_HR(IDirectDrawPalette_SetEntries(palette, 0, 7, 1, &blue), DD_OK);
    expect_soon(window, 50, 50, BLUE);
    expect_soon(window, 200, 200, GREEN);
    CHECK_HR(IDirectDrawSurface7_SetPalette(primary, other), DD_OK);
    expect_soon(window, 50, 50, 0xffffff);
    IDirectDrawPalette_Release(other);
    IDirectDrawPalette_Release(palette);
    IDirectDrawSurface7_Release(primary);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

static double seconds(void)
{
    LARGE_INTEGER now, frequency;

    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

/* Flips show the next buffer, no faster than the screen refreshes. */
static void flips(void)
{
    HWND window = open_window();
    IDirectDraw7 *ddraw = enter(window, 32);
    IDirectDrawSurface7 *primary = make_primary(ddraw, 2), *back = NULL;
    DDSCAPS2 caps = {.dwCaps = DDSCAPS_BACKBUFFER};
    static const uint32_t colors[] = {RED, GREEN, BLUE};
    DWORD frequency = 60;
    double start;

    CHECK_HR(IDirectDrawSurface7_GetAttachedSurface(primary, &caps, &back), DD_OK);
    for (unsigned i = 0; i < 6; i++) {
        fill(back, NULL, colors[i % 3]);
        CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, DDFLIP_WAIT), DD_OK);
        expect_soon(window, 100, 100, colors[i % 3]);
    }
    CHECK_HR(IDirectDraw7_GetMonitorFrequency(ddraw, &frequency), DD_OK);
    start = seconds();
    for (DWORD i = 0; i < frequency / 2; i++)
        CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, i % 2 ? DDFLIP_WAIT : DDFLIP_DONOTWAIT), DD_OK);
    CHECK(seconds() - start > 0.4); /* half a second, without the first ones */
    IDirectDrawSurface7_Release(back);
    IDirectDrawSurface7_Release(primary);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

/* The option with which this program, as another process, waits until a window of the first has a colour: "seen:WINDOW:COLOUR". */
static int look_from_outside(const char *option)
{
    unsigned long long handle;
    unsigned want;

    if (sscanf(option, "seen:%llx:%x", &handle, &want) != 2)
        return 2;
    for (unsigned i = 0; i < 300; i++) {
        if (color_distance(shown_pixel((HWND)(uintptr_t)handle, 100, 100), want) <= 8)
            return 0;
        Sleep(10);
    }
    return 1;
}

static bool is_seen_from_outside(HWND window, uint32_t color)
{
    char option[64];

    snprintf(option, sizeof(option), "seen:%llx:%06x", (unsigned long long)(uintptr_t)window, (unsigned)color);
    return run_self(option) == 0;
}

/* Do other processes see at all what GDI paints into the window? They do not without an X server. */
static bool has_pixels_outside(HWND window)
{
    HBRUSH brush = CreateSolidBrush(RGB(0x12, 0x34, 0x56));
    HDC dc = GetDC(window);
    RECT client;

    GetClientRect(window, &client);
    FillRect(dc, &client, brush);
    ReleaseDC(window, dc);
    DeleteObject(brush);
    for (unsigned i = 0; i < 20; i++) {
        Sleep(10);
        pump();
    }
    return is_seen_from_outside(window, 0x123456);
}

/* Wine keeps what is drawn into a window for up to 50 ms, and longer if no thread waits for messages: other programs, and people, must
 * see the last flip nevertheless. */
static void last_flip(void)
{
    static const uint32_t colors[] = {RED, GREEN, BLUE};
    HWND window = open_window();
    const bool has_pixels = has_pixels_outside(window);
    IDirectDraw7 *ddraw = enter(window, 32);
    IDirectDrawSurface7 *primary = make_primary(ddraw, 1), *back = NULL;
    DDSCAPS2 caps = {.dwCaps = DDSCAPS_BACKBUFFER};

    CHECK_HR(IDirectDrawSurface7_GetAttachedSurface(primary, &caps, &back), DD_OK);
    if (!has_pixels)
        printf("# other processes see no pixels of windows here\n");
    for (unsigned round = 0; round < 6 && has_pixels; round++) {
        for (unsigned i = 0; i < 4 + round; i++) {
            fill(back, NULL, colors[i % 3]);
            CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, DDFLIP_WAIT), DD_OK);
        }
        CHECK(is_seen_from_outside(window, colors[(3 + round) % 3]));
    }
    IDirectDrawSurface7_Release(back);
    IDirectDrawSurface7_Release(primary);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

/* --- windowed ------------------------------------------------------------------------------- */

static void clipped_window(void)
{
    HWND window = open_window();
    IDirectDraw7 *ddraw = make_ddraw();
    IDirectDrawClipper *clipper = NULL;
    IDirectDrawSurface7 *primary;
    RECT part;

    SetWindowPos(window, HWND_TOP, 40, 30, 200, 150, 0);
    pump();
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, window, DDSCL_NORMAL), DD_OK);
    primary = make_primary(ddraw, 0);
    CHECK_HR(IDirectDraw7_CreateClipper(ddraw, 0, &clipper, NULL), DD_OK);
    CHECK_HR(IDirectDrawClipper_SetHWnd(clipper, 0, window), DD_OK);
    CHECK_HR(IDirectDrawSurface7_SetClipper(primary, clipper), DD_OK);
    SetRect(&part, 10, 10, 60, 60);
    MapWindowPoints(window, NULL, (POINT *)&part, 2);
    if (GetSystemMetrics(SM_CXSCREEN) && has_pixels(window)) {
        fill(primary, &part, GREEN);
        for (unsigned i = 0; i < 500 && window_pixel(window, 30, 30) != GREEN; i++)
            Sleep(10);
        CHECK_EQUAL(window_pixel(window, 30, 30), GREEN);
        CHECK(window_pixel(window, 80, 80) != GREEN);
    }
    IDirectDrawClipper_Release(clipper);
    IDirectDrawSurface7_Release(primary);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    close_window(window);
}

/* --- in processes of their own, with other settings -------------------------------------------- */

static LPARAM mouse_at;

static LRESULT CALLBACK note_mouse(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_MOUSEMOVE)
        mouse_at = lparam;
    return DefWindowProcA(window, message, wparam, lparam);
}

/* A mouse message to a place of the client area arrives with the coordinates of the mode. */
static void check_mouse(HWND window, int x, int y, int want_x, int want_y)
{
    mouse_at = -1;
    SendMessageA(window, WM_MOUSEMOVE, 0, MAKELPARAM(x, y));
    CHECK(abs((short)LOWORD(mouse_at) - want_x) <= 1);
    CHECK(abs((short)HIWORD(mouse_at) - want_y) <= 1);
}

static void expect_pixel(HWND window, int x, int y, uint32_t want)
{
    const uint32_t got = window_pixel(window, x, y);

    if (color_distance(got, want) > 8)
        failed(__FILE__, __LINE__, "pixel %d, %d of the window is %06x, not %06x", x, y, (unsigned)got, (unsigned)want);
}

/* A picture of two halves in the `place` of the window, bars elsewhere, the mouse in its coordinates, and no loss with the focus. */
static void check_scaled(HWND window, IDirectDraw7 *ddraw, const RECT *place)
{
    IDirectDrawSurface7 *primary = make_primary(ddraw, 1), *back = NULL;
    const RECT left = {0, 0, WIDTH / 2, HEIGHT};
    DDSCAPS2 caps = {.dwCaps = DDSCAPS_BACKBUFFER};
    const int middle = (place->left + place->right) / 2, row = (place->top + place->bottom) / 2;
    HWND other;

    CHECK_HR(IDirectDrawSurface7_GetAttachedSurface(primary, &caps, &back), DD_OK);
    fill(back, NULL, 0x07e0);
    fill(back, &left, 0xf800);
    CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, DDFLIP_WAIT), DD_OK);
    if (has_pixels(window)) {
        expect_pixel(window, place->left + 2, place->top + 2, RED);
        expect_pixel(window, middle - 4, row, RED);
        expect_pixel(window, middle + 4, row, GREEN);
        expect_pixel(window, place->right - 3, place->bottom - 3, GREEN);
        if (place->top > 2)
            expect_pixel(window, middle, place->top - 2, 0);
        if (place->left > 2)
            expect_pixel(window, place->left - 2, row, 0);
    }
    check_mouse(window, middle, row, WIDTH / 2, HEIGHT / 2);
    check_mouse(window, place->left, place->top, 0, 0);
    check_mouse(window, place->right - 1, place->bottom - 1, WIDTH - 1, HEIGHT - 1);
    other = CreateWindowA("static", "other", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 50, 50, NULL, NULL, NULL, NULL);
    SetForegroundWindow(other);
    pump();
    CHECK_HR(IDirectDraw7_TestCooperativeLevel(ddraw), DD_OK);
    CHECK_HR(IDirectDrawSurface7_IsLost(primary), DD_OK);
    CHECK_HR(IDirectDrawSurface7_Flip(primary, NULL, DDFLIP_WAIT), DD_OK);
    close_window(other);
    IDirectDrawSurface7_Release(back);
    IDirectDrawSurface7_Release(primary);
}

static void check_settings(bool has_frame)
{
    const int width = GetSystemMetrics(SM_CXSCREEN), height = GetSystemMetrics(SM_CYSCREEN);
    HWND window = open_window();
    const LONG style = GetWindowLongA(window, GWL_STYLE);
    IDirectDraw7 *ddraw;
    RECT client, place;
    SIZE size;

    SetWindowLongPtrA(window, GWLP_WNDPROC, (LONG_PTR)note_mouse);
    ddraw = enter(window, 16);
    expect_mode(ddraw, WIDTH, HEIGHT, 16);
    CHECK_EQUAL(GetSystemMetrics(SM_CXSCREEN), width);
    CHECK_EQUAL(GetSystemMetrics(SM_CYSCREEN), height);
    GetClientRect(window, &client);
    CHECK_EQUAL(!(GetWindowLongA(window, GWL_STYLE) & WS_CAPTION), !has_frame);
    if (has_frame) {
        CHECK_EQUAL(client.right, 800);
        CHECK_EQUAL(client.bottom, 500);
    } else if (width) {
        CHECK_EQUAL(client.right, width);
        CHECK_EQUAL(client.bottom, height);
    }
    /* HALCYON_SCALE=aspect */
    size.cx = min(client.right, MulDiv(client.bottom, WIDTH, HEIGHT));
    size.cy = min(client.bottom, MulDiv(client.right, HEIGHT, WIDTH));
    SetRect(&place, (client.right - size.cx) / 2, (client.bottom - size.cy) / 2, (client.right + size.cx) / 2,
            (client.bottom + size.cy) / 2);
    check_scaled(window, ddraw, &place);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    pump();
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE) & (LONG)WS_CAPTION, style & (LONG)WS_CAPTION);
    check_mouse(window, 17, 23, 17, 23);
    close_window(window);
}

static void borderless(void)
{
    check_settings(false);
}

static void framed(void)
{
    check_settings(true);
}

static void run_with(const char *kind, const char *option)
{
    SetEnvironmentVariableA("HALCYON_FULL_SCREEN", kind);
    SetEnvironmentVariableA("HALCYON_WINDOW_SIZE", "800x500");
    SetEnvironmentVariableA("HALCYON_SCALE", "aspect");
    CHECK_EQUAL(run_self(option), 0);
    SetEnvironmentVariableA("HALCYON_FULL_SCREEN", NULL);
    SetEnvironmentVariableA("HALCYON_WINDOW_SIZE", NULL);
    SetEnvironmentVariableA("HALCYON_SCALE", NULL);
}

static void run_borderless(void)
{
    run_with("borderless", "borderless");
}

static void run_framed(void)
{
    run_with("window", "framed");
}

/* --- main ----------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"ddraw_modes", modes},
        {"ddraw_exclusive_blocks_others", exclusive_blocks_others},
        {"ddraw_exclusive_owes_the_mode", exclusive_owes_the_mode},
        {"ddraw_window_and_hook", window_and_hook},
        {"ddraw_losses", losses},
        {"ddraw_writes_are_seen", writes_are_seen},
        {"ddraw_lock_that_stays", lock_that_stays},
        {"ddraw_palette_animation", palette_animation},
        {"ddraw_flips", flips},
        {"ddraw_last_flip", last_flip},
        {"ddraw_clipped_window", clipped_window},
        {"ddraw_borderless", run_borderless},
        {"ddraw_framed", run_framed},
    };
    static const struct test settings[] = {{"borderless", borderless}, {"framed", framed}};
    HMODULE library = load_ddraw();

    if (argc == 2 && !strncmp(argv[1], "seen:", 5))
        return look_from_outside(argv[1]);
    create = (create_ex)(void *)ddraw_export(library, "DirectDrawCreateEx");
    if (!create) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    if (argc == 2)
        for (unsigned i = 0; i < ARRAY_COUNT(settings); i++)
            if (!strcmp(argv[1], settings[i].name))
                return run_tests(&settings[i], 1, argc, argv);
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
