/* SPDX-License-Identifier: MIT */
/*
 * Overlays of ddraw.dll on the screen: where keys let them be seen, stretched, mirrored, in front of each other, flipped and moved, over primary
 * surfaces of 8, 16 and 32 bits, whose own memory stays as it is, and in a window whose key GDI has drawn.
 *
 * Pixels are those of the window. Without an X server windows have none, and those checks are left out.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/runtime/ddraw_dll.h"

#define RED     0xff0000
#define GREEN   0x00ff00
#define BLUE    0x0000ff
#define BLACK   0x000000
#define MAGENTA 0xff00ff

#define YUY2    MAKEFOURCC('Y', 'U', 'Y', '2')
#define UYVY    MAKEFOURCC('U', 'Y', 'V', 'Y')
#define YV12    MAKEFOURCC('Y', 'V', '1', '2')

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
static create_ex create;

/* --- a program -------------------------------------------------------------------------- */

/* A window with a primary surface, in exclusive mode, or `bits` 0: in a window. */
struct world {
    HWND window;
    IDirectDraw7 *ddraw;
    IDirectDrawSurface7 *primary;
};

static struct world begin(unsigned bits)
{
    struct world w = {.window = open_window()};
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS};
    void *ddraw = NULL;

    CHECK_HR(create(NULL, &ddraw, &IID_IDirectDraw7, NULL), DD_OK);
    w.ddraw = ddraw;
    CHECK_HR(
        IDirectDraw7_SetCooperativeLevel(w.ddraw, w.window, bits ? DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN : DDSCL_NORMAL),
        DD_OK);
    if (bits)
        CHECK_HR(IDirectDraw7_SetDisplayMode(w.ddraw, WIDTH, HEIGHT, bits, 0, 0), DD_OK);
    pump();
    desc.ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE;
    CHECK_HR(IDirectDraw7_CreateSurface(w.ddraw, &desc, &w.primary, NULL), DD_OK);
    return w;
}

static void end(struct world *w)
{
    IDirectDrawSurface7_Release(w->primary);
    CHECK_EQUAL(IDirectDraw7_Release(w->ddraw), 0);
    close_window(w->window);
}

/* An overlay of 64x64 texels: of a FOURCC, or 0: R5G6B5. */
static IDirectDrawSurface7 *make_overlay(const struct world *w, DWORD code, unsigned back_buffers)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT};
    IDirectDrawSurface7 *surface = NULL;

    desc.dwWidth = desc.dwHeight = 64;
    desc.ddsCaps.dwCaps = DDSCAPS_OVERLAY | DDSCAPS_VIDEOMEMORY;
    if (back_buffers) {
        desc.dwFlags |= DDSD_BACKBUFFERCOUNT;
        desc.dwBackBufferCount = back_buffers;
        desc.ddsCaps.dwCaps |= DDSCAPS_FLIP | DDSCAPS_COMPLEX;
    }
    desc.ddpfPixelFormat = (DDPIXELFORMAT){.dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_FOURCC, .dwFourCC = code};
    if (!code) {
        desc.ddpfPixelFormat = (DDPIXELFORMAT){.dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_RGB};
        desc.ddpfPixelFormat.dwRGBBitCount = 16;
        desc.ddpfPixelFormat.dwRBitMask = 0xf800;
        desc.ddpfPixelFormat.dwGBitMask = 0x07e0;
        desc.ddpfPixelFormat.dwBBitMask = 0x001f;
    }
    CHECK_HR(IDirectDraw7_CreateSurface(w->ddraw, &desc, &surface, NULL), DD_OK);
    return surface;
}

static void fill(IDirectDrawSurface7 *surface, const RECT *rect, DWORD value)
{
    DDBLTFX effects = {.dwSize = sizeof(effects)};

    effects.dwFillColor = value;
    CHECK_HR(IDirectDrawSurface7_Blt(surface, (RECT *)rect, NULL, NULL, DDBLT_COLORFILL | DDBLT_WAIT, &effects), DD_OK);
}

/* Colours by ITU-R BT.601, with luma from 0 to 255, as Wine's yuv_color_test has it. */
struct yuv {
    uint8_t y, u, v;
};
static const struct yuv red = {76, 85, 255}, green = {150, 44, 21}, blue = {29, 255, 107};

static void write_yv12(const DDSURFACEDESC2 *desc, struct yuv color)
{
    const size_t pitch = (size_t)desc->lPitch, rows = desc->dwHeight;
    uint8_t *bits = desc->lpSurface;

    memset(bits, color.y, pitch * rows);
    memset(bits + pitch * rows, color.v, pitch / 2 * (rows / 2));
    memset(bits + pitch * rows + pitch / 2 * (rows / 2), color.u, pitch / 2 * (rows / 2));
}

/* Writes a YUV surface, its left half in one colour and its right half in another; of YV12 all of it in the first. */
static void write_yuv(IDirectDrawSurface7 *surface, struct yuv left, struct yuv right)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    CHECK_HR(IDirectDrawSurface7_Lock(surface, NULL, &desc, DDLOCK_WAIT, NULL), DD_OK);
    if (!desc.lpSurface)
        return;
    if (desc.ddpfPixelFormat.dwFourCC == YV12)
        write_yv12(&desc, left);
    for (DWORD y = 0; y < desc.dwHeight && desc.ddpfPixelFormat.dwFourCC != YV12; y++)
        for (DWORD x = 0; x < desc.dwWidth; x += 2) {
            const struct yuv c = x < desc.dwWidth / 2 ? left : right;
            const uint8_t yuy2[] = {c.y, c.u, c.y, c.v}, uyvy[] = {c.u, c.y, c.v, c.y};

            memcpy((uint8_t *)desc.lpSurface + y * (size_t)desc.lPitch + 2 * x,
                   desc.ddpfPixelFormat.dwFourCC == YUY2 ? yuy2 : uyvy, 4);
        }
    CHECK_HR(IDirectDrawSurface7_Unlock(surface, NULL), DD_OK);
}

static void show(const struct world *w, IDirectDrawSurface7 *overlay, const RECT *rect, DWORD flags, DDOVERLAYFX *fx)
{
    CHECK_HR(IDirectDrawSurface7_UpdateOverlay(overlay, NULL, w->primary, (RECT *)rect, DDOVER_SHOW | flags, fx),
             DD_OK);
}

/* --- pixels ------------------------------------------------------------------------------- */

static bool has_pixels(HWND window)
{
    HDC dc = GetDC(window);
    bool has;

    SetPixel(dc, 1, 1, RGB(1, 2, 3));
    has = GetPixel(dc, 1, 1) == RGB(1, 2, 3);
    ReleaseDC(window, dc);
    return has;
}

/* The pixel of the window that shows the middle of a pixel of a picture which fills the window. */
static uint32_t shown_pixel(HWND window, int x, int y)
{
    RECT client;

    GetClientRect(window, &client);
    return window_pixel(window, (2 * x + 1) * client.right / (2 * WIDTH), (2 * y + 1) * client.bottom / (2 * HEIGHT));
}

/* Waits until the pixel has the colour: the next refresh, or much longer on a loaded machine. */
static void expect_at(int line, HWND window, int x, int y, uint32_t want)
{
    uint32_t got = ~want;

    if (!has_pixels(window))
        return;
    for (unsigned i = 0; i < 300 && color_distance(got, want) > 8; i++) {
        if (i)
            Sleep(10);
        got = shown_pixel(window, x, y);
    }
    if (color_distance(got, want) > 8)
        failed(__FILE__, line, "pixel %d, %d is %06x, not %06x", x, y, (unsigned)got, (unsigned)want);
}
#define EXPECT(world, x, y, want) expect_at(__LINE__, (world)->window, x, y, want)

/* --- keys --------------------------------------------------------------------------------- */

/* Two entries with the colour of the key, of which one is the key. */
static void set_palette(const struct world *w)
{
    PALETTEENTRY entries[256] = {{0}};
    IDirectDrawPalette *palette = NULL;

    entries[1] = (PALETTEENTRY){0, 0, 255, 0};
    entries[2] = entries[3] = (PALETTEENTRY){255, 0, 255, 0};
    CHECK_HR(IDirectDraw7_CreatePalette(w->ddraw, DDPCAPS_8BIT | DDPCAPS_ALLOW256, entries, &palette, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_SetPalette(w->primary, palette), DD_OK);
    IDirectDrawPalette_Release(palette);
}

static uint32_t pixel_in_memory(IDirectDrawSurface7 *surface, int x, int y, unsigned bytes)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    uint32_t pixel = 0;

    CHECK_HR(IDirectDrawSurface7_Lock(surface, NULL, &desc, DDLOCK_WAIT | DDLOCK_READONLY, NULL), DD_OK);
    if (!desc.lpSurface)
        return 0;
    memcpy(&pixel, (uint8_t *)desc.lpSurface + y * desc.lPitch + x * (int)bytes, bytes);
    CHECK_HR(IDirectDrawSurface7_Unlock(surface, NULL), DD_OK);
    return pixel;
}

/* An overlay in the key of the primary surface, by the surface's key and by one of the call. */
static void check_key(unsigned bits, DWORD code)
{
    const DWORD key = bits == 8 ? 2 : bits == 16 ? 0xf81f : 0xff00ff;
    const DWORD other = bits == 8 ? 3 : bits == 16 ? 0xf83f : 0xff01ff; /* looks alike, and is not the key */
    const DWORD below = bits == 8 ? 1 : bits == 16 ? 0x001f : 0x0000ff;
    const RECT hole = {100, 100, 200, 200}, place = {50, 50, 178, 178}, patch = {120, 120, 140, 140};
    DDOVERLAYFX fx = {.dwSize = sizeof(fx), .dckDestColorkey = {below, below}};
    DDCOLORKEY keys = {key, key};
    DDSCAPS2 caps = {.dwCaps = 0};
    struct world w = begin(bits);
    IDirectDrawSurface7 *overlay = make_overlay(&w, code, 0);

    if (bits == 8)
        set_palette(&w);
    fill(w.primary, NULL, below);
    fill(w.primary, &hole, key);
    write_yuv(overlay, green, green);
    CHECK_HR(IDirectDrawSurface7_SetColorKey(w.primary, DDCKEY_DESTOVERLAY, &keys), DD_OK);
    show(&w, overlay, &place, DDOVER_KEYDEST, NULL);
    EXPECT(&w, 60, 60, BLUE);      /* in its rectangle, not in the key */
    EXPECT(&w, 110, 110, GREEN);   /* in both */
    EXPECT(&w, 177, 177, GREEN);   /* its last pixel */
    EXPECT(&w, 178, 178, MAGENTA); /* in the key alone */
    CHECK_EQUAL(pixel_in_memory(w.primary, 110, 110, bits / 8), key);
    fill(w.primary, &patch, other);
    EXPECT(&w, 130, 130, MAGENTA);
    EXPECT(&w, 115, 115, GREEN);
    fill(w.primary, &patch, key);
    EXPECT(&w, 130, 130, GREEN);
    show(&w, overlay, &place, DDOVER_KEYDESTOVERRIDE, &fx);
    EXPECT(&w, 60, 60, GREEN);
    EXPECT(&w, 110, 110, MAGENTA);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 110, 110, GREEN);
    write_yuv(overlay, red, red);
    EXPECT(&w, 110, 110, RED);
    CHECK_HR(IDirectDrawSurface7_GetCaps(overlay, &caps), DD_OK);
    CHECK(caps.dwCaps & DDSCAPS_VISIBLE);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlay(overlay, NULL, w.primary, NULL, DDOVER_HIDE, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_GetCaps(overlay, &caps), DD_OK);
    CHECK(!(caps.dwCaps & DDSCAPS_VISIBLE));
    EXPECT(&w, 60, 60, BLUE);
    EXPECT(&w, 110, 110, MAGENTA);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
}

static void keys_8(void)
{
    check_key(8, UYVY);
}

static void keys_16(void)
{
    check_key(16, YV12);
}

static void keys_32(void)
{
    check_key(32, YUY2);
}

/* The key of an overlay with RGB texels. */
static void source_key(void)
{
    const RECT hole = {16, 16, 48, 48}, place = {0, 0, 64, 64};
    DDOVERLAYFX fx = {.dwSize = sizeof(fx), .dckSrcColorkey = {0x07e0, 0x07e0}};
    struct world w = begin(32);
    IDirectDrawSurface7 *overlay = make_overlay(&w, 0, 0);
    DDCOLORKEY key = {0xf800, 0xf800};

    fill(w.primary, NULL, BLUE);
    fill(overlay, NULL, 0x07e0);
    fill(overlay, &hole, 0xf800);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 8, 8, GREEN);
    EXPECT(&w, 32, 32, RED);
    CHECK_HR(IDirectDrawSurface7_SetColorKey(overlay, DDCKEY_SRCOVERLAY, &key), DD_OK);
    show(&w, overlay, &place, DDOVER_KEYSRC, NULL);
    EXPECT(&w, 8, 8, GREEN);
    EXPECT(&w, 32, 32, BLUE);
    show(&w, overlay, &place, DDOVER_KEYSRCOVERRIDE, &fx);
    EXPECT(&w, 8, 8, BLUE);
    EXPECT(&w, 32, 32, RED);
    IDirectDrawSurface7_Release(overlay); /* while it is shown */
    EXPECT(&w, 32, 32, BLUE);
    end(&w);
}

/* --- places and order ------------------------------------------------------------------------ */

static void stretched_and_mirrored(void)
{
    RECT right = {32, 0, 64, 64}, place = {100, 50, 500, 90};
    DDOVERLAYFX fx = {.dwSize = sizeof(fx), .dwDDFX = DDOVERFX_MIRRORLEFTRIGHT};
    struct world w = begin(16);
    IDirectDrawSurface7 *overlay = make_overlay(&w, YUY2, 0);
    LONG x, y;

    fill(w.primary, NULL, 0);
    write_yuv(overlay, red, green);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 101, 51, RED);
    EXPECT(&w, 290, 70, RED); /* between them the filter mixes the colours */
    EXPECT(&w, 310, 70, GREEN);
    EXPECT(&w, 499, 89, GREEN);
    EXPECT(&w, 500, 90, BLACK);
    show(&w, overlay, &place, DDOVER_DDFX, &fx);
    EXPECT(&w, 101, 51, GREEN);
    EXPECT(&w, 499, 89, RED);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlay(overlay, &right, w.primary, &place, DDOVER_SHOW, NULL), DD_OK);
    EXPECT(&w, 101, 51, GREEN);
    CHECK_HR(IDirectDrawSurface7_SetOverlayPosition(overlay, 200, 300), DD_OK);
    EXPECT(&w, 101, 51, BLACK);
    EXPECT(&w, 201, 301, GREEN);
    CHECK_HR(IDirectDrawSurface7_GetOverlayPosition(overlay, &x, &y), DD_OK);
    CHECK_EQUAL(x, 200);
    CHECK_EQUAL(y, 300);
    CHECK_HR(IDirectDrawSurface7_SetOverlayPosition(overlay, 300, 300), DDERR_INVALIDPOSITION);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
}

static HRESULT CALLBACK note_overlay(IDirectDrawSurface7 *surface, DDSURFACEDESC2 *desc, void *context)
{
    IDirectDrawSurface7 ***at = context;

    CHECK(desc->ddsCaps.dwCaps & DDSCAPS_OVERLAY);
    *(*at)++ = surface;
    IDirectDrawSurface7_Release(surface);
    return DDENUMRET_OK;
}

/* The overlays of the primary surface, from the front. */
static void expect_order(const struct world *w, IDirectDrawSurface7 *first, IDirectDrawSurface7 *second)
{
    IDirectDrawSurface7 *found[4] = {NULL}, **at = found;

    CHECK_HR(IDirectDrawSurface7_EnumOverlayZOrders(w->primary, 1, &at, note_overlay), DD_OK);
    CHECK_EQUAL(at - found, 2);
    CHECK(found[0] == first && found[1] == second);
    at = found;
    CHECK_HR(IDirectDrawSurface7_EnumOverlayZOrders(w->primary, 0, &at, note_overlay), DD_OK);
    CHECK(found[0] == second && found[1] == first);
}

/* The key of the one in front asks for the primary surface, not for the overlay between. */
static void in_front_of_each_other(void)
{
    const RECT a = {0, 0, 100, 100}, b = {50, 50, 150, 150}, hole = {60, 60, 80, 80};
    DDOVERLAYFX fx = {.dwSize = sizeof(fx), .dckDestColorkey = {MAGENTA, MAGENTA}};
    struct world w = begin(32);
    IDirectDrawSurface7 *first = make_overlay(&w, YUY2, 0), *second = make_overlay(&w, UYVY, 0);

    fill(w.primary, NULL, BLUE);
    write_yuv(first, red, red);
    write_yuv(second, green, green);
    show(&w, first, &a, 0, NULL);
    show(&w, second, &b, 0, NULL);
    EXPECT(&w, 70, 70, GREEN); /* the newest one is in front */
    expect_order(&w, second, first);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlayZOrder(first, 0, NULL), DD_OK);
    EXPECT(&w, 70, 70, RED);
    EXPECT(&w, 120, 120, GREEN);
    expect_order(&w, first, second);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlayZOrder(second, 4, first), DD_OK);
    EXPECT(&w, 70, 70, GREEN);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlayZOrder(second, 4, second), DDERR_INVALIDPARAMS);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlayZOrder(w.primary, 0, NULL), DDERR_NOTAOVERLAYSURFACE);
    fill(w.primary, &hole, MAGENTA);
    show(&w, second, &b, DDOVER_KEYDESTOVERRIDE, &fx);
    EXPECT(&w, 70, 70, GREEN);
    EXPECT(&w, 90, 90, RED);
    EXPECT(&w, 120, 120, BLUE);
    IDirectDrawSurface7_Release(second);
    IDirectDrawSurface7_Release(first);
    end(&w);
}

/* A chain of overlays: what is drawn into the back buffer is seen after the flip. */
static void flips(void)
{
    const RECT place = {10, 10, 74, 74};
    DDSCAPS2 caps = {.dwCaps = DDSCAPS_BACKBUFFER};
    struct world w = begin(16);
    IDirectDrawSurface7 *overlay = make_overlay(&w, YUY2, 1), *back = NULL;

    CHECK_HR(IDirectDrawSurface7_GetAttachedSurface(overlay, &caps, &back), DD_OK);
    fill(w.primary, NULL, 0);
    write_yuv(overlay, red, red);
    write_yuv(back, green, green);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 20, 20, RED);
    CHECK_HR(IDirectDrawSurface7_Flip(overlay, NULL, DDFLIP_WAIT), DD_OK);
    EXPECT(&w, 20, 20, GREEN);
    write_yuv(back, blue, blue);
    Sleep(50);
    EXPECT(&w, 20, 20, GREEN);
    CHECK_HR(IDirectDrawSurface7_Flip(overlay, NULL, DDFLIP_WAIT), DD_OK);
    EXPECT(&w, 20, 20, BLUE);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlay(back, NULL, w.primary, NULL, DDOVER_SHOW, NULL),
             DDERR_INVALIDSURFACETYPE);
    IDirectDrawSurface7_Release(back);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
}

/* --- in a window ---------------------------------------------------------------------------- */

static void paint(HWND window, const RECT *rect, COLORREF color)
{
    HBRUSH brush = CreateSolidBrush(color);
    HDC dc = GetDC(window);

    FillRect(dc, rect, brush);
    ReleaseDC(window, dc);
    DeleteObject(brush);
}

static IDirectDrawClipper *make_clipper(const struct world *w, HWND window)
{
    IDirectDrawClipper *clipper = NULL;

    CHECK_HR(IDirectDraw7_CreateClipper(w->ddraw, 0, &clipper, NULL), DD_OK);
    CHECK_HR(IDirectDrawClipper_SetHWnd(clipper, 0, window), DD_OK);
    return clipper;
}

static IDirectDrawClipper *clip_to_window(const struct world *w)
{
    IDirectDrawClipper *clipper = make_clipper(w, w->window);

    CHECK_HR(IDirectDrawSurface7_SetClipper(w->primary, clipper), DD_OK);
    return clipper;
}

/* Players paint the key by GDI, and controls over it, and expect to see the film between. */
static void gdi_key(void)
{
    const RECT all = {0, 0, 300, 200}, controls = {0, 150, 300, 200};
    RECT place = {20, 20, 280, 180};
    DDOVERLAYFX fx = {.dwSize = sizeof(fx), .dckDestColorkey = {MAGENTA, MAGENTA}};
    struct world w = begin(0);
    IDirectDrawClipper *clipper = clip_to_window(&w);
    IDirectDrawSurface7 *overlay = make_overlay(&w, YUY2, 0);

    MapWindowPoints(w.window, NULL, (POINT *)&place, 2);
    paint(w.window, &all, RGB(255, 0, 255));
    paint(w.window, &controls, RGB(0, 0, 255));
    write_yuv(overlay, green, green);
    show(&w, overlay, &place, DDOVER_KEYDESTOVERRIDE, &fx);
    EXPECT(&w, 30, 30, GREEN);
    EXPECT(&w, 10, 10, MAGENTA);
    EXPECT(&w, 30, 160, BLUE);
    write_yuv(overlay, red, red);
    EXPECT(&w, 30, 30, RED);
    EXPECT(&w, 30, 160, BLUE);
    /* the window moves with its pixels, which are those of the film; the overlay follows with the next call */
    SetWindowPos(w.window, NULL, 40, 30, 0, 0, SWP_NOSIZE | SWP_NOZORDER);
    pump();
    SetRect(&place, 20, 20, 280, 180);
    MapWindowPoints(w.window, NULL, (POINT *)&place, 2);
    write_yuv(overlay, green, green);
    show(&w, overlay, &place, DDOVER_KEYDESTOVERRIDE, &fx);
    EXPECT(&w, 22, 22, GREEN);
    EXPECT(&w, 275, 145, GREEN);
    EXPECT(&w, 10, 10, MAGENTA);
    EXPECT(&w, 30, 160, BLUE);
    write_yuv(overlay, red, red);
    EXPECT(&w, 30, 30, RED);
    paint(w.window, &all, RGB(255, 0, 255)); /* the controls go, while the film is paused */
    EXPECT(&w, 30, 30, RED);
    EXPECT(&w, 30, 160, RED);
    CHECK_HR(IDirectDrawSurface7_UpdateOverlay(overlay, NULL, w.primary, NULL, DDOVER_HIDE, NULL), DD_OK);
    EXPECT(&w, 30, 30, MAGENTA);
    EXPECT(&w, 30, 160, MAGENTA);
    IDirectDrawClipper_Release(clipper);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
}

/* The first pixel of the rectangle of a surface with 32 bits; write: all of them get this colour. */
static uint32_t lock_pixels(IDirectDrawSurface7 *surface, RECT *rect, const uint32_t *write)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    uint32_t first = 0;

    CHECK_HR(IDirectDrawSurface7_Lock(surface, rect, &desc, DDLOCK_WAIT, NULL), DD_OK);
    if (!desc.lpSurface)
        return 0;
    memcpy(&first, desc.lpSurface, sizeof(first));
    for (LONG y = 0; write && y < rect->bottom - rect->top; y++)
        for (LONG x = 0; x < rect->right - rect->left; x++)
            memcpy((uint8_t *)desc.lpSurface + y * (intptr_t)desc.lPitch + 4 * x, write, 4);
    CHECK_HR(IDirectDrawSurface7_Unlock(surface, rect), DD_OK);
    return first & 0xffffff;
}

/* The memory that a program locks has what GDI has drawn, and the program's writes cover it, even with the colour that was there
 * before. */
static void gdi_then_program(void)
{
    static const uint32_t written = 0x5500ff00;
    const RECT corner = {2, 2, 14, 14};
    RECT place = {20, 20, 280, 180}, area = corner;
    struct world w = begin(0);
    IDirectDrawClipper *clipper = clip_to_window(&w);
    IDirectDrawSurface7 *overlay = make_overlay(&w, YUY2, 0);
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    CHECK_HR(IDirectDrawSurface7_GetSurfaceDesc(w.primary, &desc), DD_OK);
    MapWindowPoints(w.window, NULL, (POINT *)&place, 2);
    MapWindowPoints(w.window, NULL, (POINT *)&area, 2);
    write_yuv(overlay, blue, blue);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 30, 30, BLUE);
    for (unsigned i = 0; i < 8 && desc.ddpfPixelFormat.dwRGBBitCount == 32 && has_pixels(w.window); i++) {
        fill(w.primary, &area, written);
        EXPECT(&w, 8, 8, GREEN);
        Sleep(40); /* longer than a refresh: what is written next is shown at once */
        paint(w.window, &corner, RGB(255, 0, 0));
        if (i & 1)
            CHECK_EQUAL(lock_pixels(w.primary, &area, &written), RED);
        else
            fill(w.primary, &area, written);
        CHECK_EQUAL(lock_pixels(w.primary, &area, NULL), GREEN);
        EXPECT(&w, 8, 8, GREEN);
    }
    IDirectDrawClipper_Release(clipper);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
}

/* A child window covers what the program shows below it, and the program's memory stays as it was written. */
static void below_a_child(void)
{
    static const uint32_t written[] = {0x00ff00, 0x0000ff, 0x00ffff, 0x00ff00};
    const RECT corner = {2, 2, 14, 14};
    RECT place = {20, 20, 280, 180}, area = corner, around = {0, 0, 16, 16};
    struct world w = begin(0);
    IDirectDrawSurface7 *overlay = make_overlay(&w, YUY2, 0);
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    HWND child;

    SetWindowLongA(w.window, GWL_STYLE, GetWindowLongA(w.window, GWL_STYLE) | WS_CLIPCHILDREN);
    child = CreateWindowA("static", "", WS_CHILD | WS_VISIBLE, corner.left, corner.top, corner.right - corner.left,
                          corner.bottom - corner.top, w.window, NULL, NULL, NULL);
    pump();
    CHECK_HR(IDirectDrawSurface7_GetSurfaceDesc(w.primary, &desc), DD_OK);
    MapWindowPoints(w.window, NULL, (POINT *)&place, 2);
    MapWindowPoints(w.window, NULL, (POINT *)&area, 2);
    MapWindowPoints(w.window, NULL, (POINT *)&around, 2);
    write_yuv(overlay, blue, blue);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 30, 30, BLUE);
    for (unsigned i = 0; i < ARRAY_COUNT(written) && desc.ddpfPixelFormat.dwRGBBitCount == 32; i++) {
        Sleep(40); /* as above */
        lock_pixels(w.primary, &area, &written[i]);
        Sleep(40);
        lock_pixels(w.primary, &around, NULL); /* shows it once more */
        CHECK_EQUAL(lock_pixels(w.primary, &area, NULL), written[i]);
    }
    DestroyWindow(child);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
}

/* A program with two windows sets the clipper of each in turn; GDI draws into the one that is not set. */
static void two_windows(void)
{
    static const uint32_t written = 0x00ff00;
    const RECT corner = {2, 2, 14, 14};
    RECT place = {20, 20, 280, 180}, first_area = corner, second_area = corner;
    struct world w = begin(0);
    IDirectDrawSurface7 *overlay = make_overlay(&w, YUY2, 0);
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    HWND second = open_window();
    IDirectDrawClipper *to_first = clip_to_window(&w), *to_second = make_clipper(&w, second);

    SetWindowPos(second, NULL, 400, 300, 0, 0, SWP_NOSIZE | SWP_NOZORDER);
    pump();
    CHECK_HR(IDirectDrawSurface7_GetSurfaceDesc(w.primary, &desc), DD_OK);
    MapWindowPoints(w.window, NULL, (POINT *)&place, 2);
    MapWindowPoints(w.window, NULL, (POINT *)&first_area, 2);
    MapWindowPoints(second, NULL, (POINT *)&second_area, 2);
    write_yuv(overlay, blue, blue);
    show(&w, overlay, &place, 0, NULL);
    EXPECT(&w, 30, 30, BLUE);
    for (unsigned i = 0; i < 4 && desc.ddpfPixelFormat.dwRGBBitCount == 32 && has_pixels(w.window); i++) {
        fill(w.primary, &first_area, written);
        Sleep(40); /* as above */
        CHECK_HR(IDirectDrawSurface7_SetClipper(w.primary, to_second), DD_OK);
        fill(w.primary, &second_area, written);
        Sleep(40);
        paint(w.window, &corner, RGB(255, 0, 0));
        CHECK_HR(IDirectDrawSurface7_SetClipper(w.primary, to_first), DD_OK);
        lock_pixels(w.primary, &first_area, &written);
        CHECK_EQUAL(lock_pixels(w.primary, &first_area, NULL), GREEN);
        EXPECT(&w, 8, 8, GREEN);
    }
    IDirectDrawClipper_Release(to_second);
    IDirectDrawClipper_Release(to_first);
    IDirectDrawSurface7_Release(overlay);
    end(&w);
    close_window(second);
}

/* --- main ----------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"ddraw_overlay_keys_8", keys_8},
        {"ddraw_overlay_keys_16", keys_16},
        {"ddraw_overlay_keys_32", keys_32},
        {"ddraw_overlay_source_key", source_key},
        {"ddraw_overlay_stretched_and_mirrored", stretched_and_mirrored},
        {"ddraw_overlay_order", in_front_of_each_other},
        {"ddraw_overlay_flips", flips},
        {"ddraw_overlay_gdi_key", gdi_key},
        {"ddraw_overlay_gdi_then_program", gdi_then_program},
        {"ddraw_overlay_below_a_child", below_a_child},
        {"ddraw_overlay_two_windows", two_windows},
    };
    HMODULE library = load_ddraw();

    create = (create_ex)(void *)ddraw_export(library, "DirectDrawCreateEx");
    if (!create) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
