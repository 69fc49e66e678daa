/* SPDX-License-Identifier: MIT */
#include "bench/wine/scenes7.h"

#include <stdint.h>

#include "examples/window.h"

#define WIDTH  640
#define HEIGHT 480
#define KEY    0x00FF00FFu

static struct {
    IDirectDrawSurface7 *back, *sprite, *picture;
} r;

void release_scene(void)
{
    if (r.sprite)
        IDirectDrawSurface7_Release(r.sprite);
    if (r.picture)
        IDirectDrawSurface7_Release(r.picture);
    r.sprite = r.picture = r.back = NULL;
}

static void check(const char *what, HRESULT result)
{
    if (FAILED(result))
        fail(what, result);
}

/* --- surfaces -------------------------------------------------------------------------- */

static IDirectDrawSurface7 *create_surface(IDirectDraw7 *ddraw, unsigned width, unsigned height, DWORD memory)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc),
                           .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT,
                           .dwWidth = width,
                           .dwHeight = height,
                           .ddpfPixelFormat = {.dwSize = sizeof(DDPIXELFORMAT),
                                               .dwFlags = DDPF_RGB,
                                               .dwRGBBitCount = 32,
                                               .dwRBitMask = 0xFF0000,
                                               .dwGBitMask = 0xFF00,
                                               .dwBBitMask = 0xFF},
                           .ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | memory};
    IDirectDrawSurface7 *surface = NULL;

    check("CreateSurface", IDirectDraw7_CreateSurface(ddraw, &desc, &surface, NULL));
    return surface;
}

/* A disc of many colours; its holes and everything around it are in the key. */
static void draw_disc(IDirectDrawSurface7 *surface)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};
    const DDCOLORKEY key = {KEY, KEY};
    int middle_x, middle_y;

    check("Lock", IDirectDrawSurface7_Lock(surface, NULL, &desc, DDLOCK_WAIT, NULL));
    middle_x = (int)desc.dwWidth / 2;
    middle_y = (int)desc.dwHeight / 2;
    for (int y = 0; y < (int)desc.dwHeight; y++) {
        uint32_t *row = (uint32_t *)(void *)((uint8_t *)desc.lpSurface + y * desc.lPitch);

        for (int x = 0; x < (int)desc.dwWidth; x++) {
            const int dx = x - middle_x, dy = y - middle_y;
            const int inside = dx * dx * middle_y * middle_y + dy * dy * middle_x * middle_x <
                               middle_x * middle_x * middle_y * middle_y;

            row[x] = inside && (x ^ y) % 7 ? (uint32_t)((x * 8 << 16 & 0xFF0000) | (y * 8 << 8 & 0xFF00) | 64) : KEY;
        }
    }
    check("Unlock", IDirectDrawSurface7_Unlock(surface, NULL));
    check("SetColorKey", IDirectDrawSurface7_SetColorKey(surface, DDCKEY_SRCBLT, (DDCOLORKEY *)&key));
}

static void create_in(IDirectDraw7 *ddraw, IDirectDrawSurface7 *back, DWORD memory)
{
    r.back = back;
    r.sprite = create_surface(ddraw, 32, 32, memory);
    r.picture = create_surface(ddraw, WIDTH, HEIGHT, memory);
    draw_disc(r.sprite);
    draw_disc(r.picture);
}

/* Slow gradients: one filter and another differ by a step. */
static void create_smooth(IDirectDraw7 *ddraw, IDirectDrawSurface7 *back)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    r.back = back;
    r.picture = create_surface(ddraw, WIDTH, HEIGHT, DDSCAPS_VIDEOMEMORY);
    check("Lock", IDirectDrawSurface7_Lock(r.picture, NULL, &desc, DDLOCK_WAIT, NULL));
    for (unsigned y = 0; y < HEIGHT; y++) {
        uint32_t *row = (uint32_t *)(void *)((uint8_t *)desc.lpSurface + (LONG)y * desc.lPitch);

        for (unsigned x = 0; x < WIDTH; x++)
            row[x] = x / 3 << 16 | y / 2 << 8 | (x + y) / 8;
    }
    check("Unlock", IDirectDrawSurface7_Unlock(r.picture, NULL));
}

static void create(IDirectDraw7 *ddraw, IDirectDrawSurface7 *back)
{
    create_in(ddraw, back, DDSCAPS_VIDEOMEMORY);
}

static void create_in_system_memory(IDirectDraw7 *ddraw, IDirectDrawSurface7 *back)
{
    create_in(ddraw, back, DDSCAPS_SYSTEMMEMORY);
}

/* --- frames ---------------------------------------------------------------------------- */

static void fill_rect(RECT *rect, DWORD color)
{
    DDBLTFX fx = {.dwSize = sizeof(fx), .dwFillColor = color};

    check("Blt", IDirectDrawSurface7_Blt(r.back, rect, NULL, NULL, DDBLT_COLORFILL | DDBLT_WAIT, &fx));
}

static void draw_sprites(unsigned frame)
{
    uint32_t seed = frame + 1;

    fill_rect(NULL, 0x203040);
    for (unsigned i = 0; i < 1000; i++) {
        seed = seed * 1664525 + 1013904223;
        check("BltFast", IDirectDrawSurface7_BltFast(r.back, (seed >> 8) % (WIDTH - 32), (seed >> 20) % (HEIGHT - 32),
                                                     r.sprite, NULL, DDBLTFAST_SRCCOLORKEY | DDBLTFAST_WAIT));
    }
}

static void draw_pictures(unsigned frame)
{
    fill_rect(NULL, frame * 0x010203);
    for (unsigned i = 0; i < 10; i++)
        check("Blt", IDirectDrawSurface7_Blt(r.back, NULL, r.picture, NULL, DDBLT_KEYSRC | DDBLT_WAIT, NULL));
}

static void draw_copies(unsigned frame)
{
    (void)frame;
    for (unsigned i = 0; i < 10; i++)
        check("Blt", IDirectDrawSurface7_Blt(r.back, NULL, r.picture, NULL, DDBLT_WAIT, NULL));
}

static void draw_stretched(unsigned frame)
{
    for (unsigned i = 0; i < 10; i++) {
        RECT from = {0, 0, 160 + (LONG)(frame % 8), 120 + (LONG)i};

        check("Blt", IDirectDrawSurface7_Blt(r.back, NULL, r.picture, &from, DDBLT_WAIT, NULL));
    }
}

static void draw_fills(unsigned frame)
{
    uint32_t seed = frame + 1;

    for (unsigned i = 0; i < 1000; i++) {
        RECT rect;

        seed = seed * 1664525 + 1013904223;
        SetRect(&rect, (int)(seed >> 8) % (WIDTH - 64), (int)(seed >> 20) % (HEIGHT - 64), 0, 0);
        rect.right = rect.left + 1 + (LONG)(seed % 64);
        rect.bottom = rect.top + 1 + (LONG)(seed >> 4) % 64;
        fill_rect(&rect, seed & 0xFFFFFF);
    }
}

/* A software renderer, or a film: each pixel is written in a lock. */
static void draw_pixels(unsigned frame)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    check("Lock", IDirectDrawSurface7_Lock(r.back, NULL, &desc, DDLOCK_WAIT | DDLOCK_WRITEONLY, NULL));
    for (unsigned y = 0; y < HEIGHT; y++) {
        uint32_t *row = (uint32_t *)(void *)((uint8_t *)desc.lpSurface + (LONG)y * desc.lPitch);

        for (unsigned x = 0; x < WIDTH; x++)
            row[x] = (x + frame) * (y + 1);
    }
    check("Unlock", IDirectDrawSurface7_Unlock(r.back, NULL));
}

static void draw_text(unsigned frame)
{
    HDC dc;

    fill_rect(NULL, 0x000040);
    for (unsigned i = 0; i < 20; i++) {
        check("GetDC", IDirectDrawSurface7_GetDC(r.back, &dc));
        Rectangle(dc, (int)(i * 20 + frame % 20), (int)i * 20, (int)(i * 20 + 100), (int)i * 20 + 18);
        check("ReleaseDC", IDirectDrawSurface7_ReleaseDC(r.back, dc));
    }
}

const struct scene scenes[] = {
    {"sprites", "1000 keyed BltFast of 32x32", create, draw_sprites},
    {"sprites-system", "the same from system memory", create_in_system_memory, draw_sprites},
    {"keyed-pictures", "10 keyed Blt of 640x480", create, draw_pictures},
    {"copies", "10 Blt of 640x480", create, draw_copies},
    {"stretched", "10 Blt of about 160x120 to 640x480", create_smooth, draw_stretched},
    {"fills", "1000 fills of up to 64x64", create, draw_fills},
    {"pixels", "640x480 pixels in a lock", create, draw_pixels},
    {"contexts", "20 GetDC with a GDI rectangle each", create, draw_text},
};
const unsigned scene_count = sizeof(scenes) / sizeof(scenes[0]);
