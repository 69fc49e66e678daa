/* SPDX-License-Identifier: MIT */
/*
 * DirectDraw, as programs of the 1990s drew: 256 colours, sprites with a colour key, and a background that moves although none of its pixels
 * changes, because its palette does.
 *
 *     ddraw_sprites.exe [--windowed] [--frames N [--shot FILE]]
 *
 * Full screen sets a mode of 640x480 with 256 colours, and flips between a visible surface and a back buffer. In a window the desktop keeps
 * its mode, where colours are numbers of 32 bits: the program draws into a surface of its own, looks the colours up itself, and copies the
 * result into the visible part of the window.
 */
#include "examples/window.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Indices of the palette. The background has the first 192, which turn; the sprites have the rest, which stay. */
#define TURNING     192
#define KEY         255 /* where a sprite is transparent */
#define SPRITE_BASE 192
#define BALLS       3 /* kinds of sprites, of 16 shades each */
#define SHADES      16
#define SIZE        96 /* pixels, of a sprite each way */
#define COUNT       9  /* sprites on the screen */
#define PI          3.14159265358979

struct program {
    HWND window;
    bool windowed;
    IDirectDraw7 *ddraw;
    IDirectDrawSurface7 *primary; /* what is visible */
    IDirectDrawSurface7 *canvas;  /* what frames are composed in, of 8 bits: the back buffer, or a surface of its own */
    IDirectDrawSurface7 *colored; /* in a window only: the canvas with its colours looked up */
    IDirectDrawSurface7 *background, *sprites;
    IDirectDrawPalette *palette; /* full screen only */
    PALETTEENTRY colors[256];
};

static void check(HRESULT hr, const char *what)
{
    if (FAILED(hr))
        fail(what, hr);
}

/* --- surfaces ------------------------------------------------------------------------------- */

static IDirectDrawSurface7 *create_surface(struct program *p, unsigned width, unsigned height, unsigned bits)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PIXELFORMAT};
    IDirectDrawSurface7 *surface;

    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY;
    desc.dwWidth = width;
    desc.dwHeight = height;
    desc.ddpfPixelFormat = (DDPIXELFORMAT){.dwSize = sizeof(DDPIXELFORMAT), .dwFlags = DDPF_RGB};
    desc.ddpfPixelFormat.dwRGBBitCount = bits;
    if (bits == 8) {
        desc.ddpfPixelFormat.dwFlags |= DDPF_PALETTEINDEXED8;
    } else {
        desc.ddpfPixelFormat.dwRBitMask = 0xff0000;
        desc.ddpfPixelFormat.dwGBitMask = 0x00ff00;
        desc.ddpfPixelFormat.dwBBitMask = 0x0000ff;
    }
    check(IDirectDraw7_CreateSurface(p->ddraw, &desc, &surface, NULL), "CreateSurface");
    return surface;
}

static DDSURFACEDESC2 lock(IDirectDrawSurface7 *surface)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc)};

    check(IDirectDrawSurface7_Lock(surface, NULL, &desc, DDLOCK_WAIT, NULL), "Lock");
    return desc;
}

/* The visible surface with one back buffer, which Flip exchanges with it. */
static void open_full_screen(struct program *p)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_BACKBUFFERCOUNT};
    DDSCAPS2 caps = {.dwCaps = DDSCAPS_BACKBUFFER};

    check(IDirectDraw7_SetCooperativeLevel(p->ddraw, p->window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN),
          "SetCooperativeLevel");
    check(IDirectDraw7_SetDisplayMode(p->ddraw, VIEW_WIDTH, VIEW_HEIGHT, 8, 0, 0), "SetDisplayMode");
    desc.ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE | DDSCAPS_FLIP | DDSCAPS_COMPLEX;
    desc.dwBackBufferCount = 1;
    check(IDirectDraw7_CreateSurface(p->ddraw, &desc, &p->primary, NULL), "CreateSurface of the screen");
    check(IDirectDrawSurface7_GetAttachedSurface(p->primary, &caps, &p->canvas), "GetAttachedSurface");
    check(IDirectDraw7_CreatePalette(p->ddraw, DDPCAPS_8BIT | DDPCAPS_ALLOW256, p->colors, &p->palette, NULL),
          "CreatePalette");
    check(IDirectDrawSurface7_SetPalette(p->primary, p->palette), "SetPalette");
}

/* The visible surface is that of the whole desktop; the clipper keeps copies within what can be seen of the window. */
static void open_windowed(struct program *p)
{
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS};
    IDirectDrawClipper *clipper;

    check(IDirectDraw7_SetCooperativeLevel(p->ddraw, p->window, DDSCL_NORMAL), "SetCooperativeLevel");
    desc.ddsCaps.dwCaps = DDSCAPS_PRIMARYSURFACE;
    check(IDirectDraw7_CreateSurface(p->ddraw, &desc, &p->primary, NULL), "CreateSurface of the screen");
    check(IDirectDraw7_CreateClipper(p->ddraw, 0, &clipper, NULL), "CreateClipper");
    check(IDirectDrawClipper_SetHWnd(clipper, 0, p->window), "SetHWnd");
    check(IDirectDrawSurface7_SetClipper(p->primary, clipper), "SetClipper");
    IDirectDrawClipper_Release(clipper); /* the surface has it */
    p->canvas = create_surface(p, VIEW_WIDTH, VIEW_HEIGHT, 8);
    p->colored = create_surface(p, VIEW_WIDTH, VIEW_HEIGHT, 32);
}

/* --- the pictures --------------------------------------------------------------------------- */

static BYTE wave(double turn)
{
    return (BYTE)(127.5 + 127.5 * cos(2 * PI * turn));
}

/* The first TURNING colours are a circle, so that they can turn without a seam. */
static void make_colors(PALETTEENTRY colors[256])
{
    static const double balls[BALLS][3] = {{1, 0.25, 0.2}, {0.3, 1, 0.35}, {0.35, 0.6, 1}};

    memset(colors, 0, 256 * sizeof(*colors));
    for (unsigned i = 0; i < TURNING; i++) {
        const double turn = (double)i / TURNING;

        colors[i] = (PALETTEENTRY){(BYTE)(wave(turn) / 2), (BYTE)(wave(2 * turn + 0.3) / 4),
                                   (BYTE)(64 + wave(turn + 0.4) / 2), 0};
    }
    for (unsigned i = 0; i < BALLS * SHADES; i++) {
        const double *ball = balls[i / SHADES], shade = (double)(i % SHADES) / (SHADES - 1);
        const double shine = shade > 0.8 ? (shade - 0.8) * 5 : 0; /* the brightest shades turn to white */

        for (unsigned c = 0; c < 3; c++) {
            const double level = ball[c] * (0.15 + 0.85 * shade);

            (&colors[SPRITE_BASE + i].peRed)[c] = (BYTE)(255 * (level + (1 - level) * shine));
        }
    }
}

/* The sum of some waves, as an index into the colours that turn: a plasma. */
static void make_background(IDirectDrawSurface7 *surface)
{
    const DDSURFACEDESC2 desc = lock(surface);

    for (int y = 0; y < VIEW_HEIGHT; y++)
        for (int x = 0; x < VIEW_WIDTH; x++) {
            const double sum =
                sin(x / 61.0) + sin(y / 43.0) + sin((x + y) / 89.0) + sin(hypot(x - 400, y - 160) / 37.0);

            ((BYTE *)desc.lpSurface)[y * desc.lPitch + x] = (BYTE)((unsigned)(TURNING * (1 + sum / 8)) % TURNING);
        }
    check(IDirectDrawSurface7_Unlock(surface, NULL), "Unlock");
}

/* Balls in a row, lit from the upper left. Around them is the key: pixels of this index are not copied. */
static void make_sprites(IDirectDrawSurface7 *surface)
{
    const DDSURFACEDESC2 desc = lock(surface);
    DDCOLORKEY key = {KEY, KEY};

    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < BALLS * SIZE; x++) {
            const double across = (x % SIZE + 0.5) / (SIZE / 2) - 1, down = (y + 0.5) / (SIZE / 2) - 1;
            const double towards = 1 - across * across - down * down;
            const double light = -0.5 * across - 0.6 * down + 0.62 * sqrt(fmax(towards, 0));
            BYTE *pixel = (BYTE *)desc.lpSurface + y * desc.lPitch + x;

            *pixel = towards < 0 ? KEY : (BYTE)(SPRITE_BASE + x / SIZE * SHADES + (int)((SHADES - 1) * fmax(light, 0)));
        }
    check(IDirectDrawSurface7_Unlock(surface, NULL), "Unlock");
    check(IDirectDrawSurface7_SetColorKey(surface, DDCKEY_SRCBLT, &key), "SetColorKey");
}

/* --- a frame ---------------------------------------------------------------------------------- */

/* Turns the first colours by one place. Full screen, this alone changes what is seen of the background. */
static void turn_colors(struct program *p)
{
    const PALETTEENTRY first = p->colors[0];

    memmove(p->colors, p->colors + 1, (TURNING - 1) * sizeof(first));
    p->colors[TURNING - 1] = first;
    if (p->palette)
        check(IDirectDrawPalette_SetEntries(p->palette, 0, 0, TURNING, p->colors), "SetEntries");
}

/* BltFast copies with a key, but clips nothing: sprites stay inside. */
static void draw_sprites(struct program *p, unsigned frame)
{
    for (unsigned i = 0; i < COUNT; i++) {
        const double turn = 2 * PI * (frame / 240.0 + (double)i / COUNT);
        const LONG kind = (LONG)(i % BALLS);
        RECT from = {kind * SIZE, 0, (kind + 1) * SIZE, SIZE};
        const double x = (VIEW_WIDTH - SIZE) / 2.0 * (1 + cos(turn)),
                     y = (VIEW_HEIGHT - SIZE) / 2.0 * (1 + sin(2 * turn));

        check(IDirectDrawSurface7_BltFast(p->canvas, (DWORD)x, (DWORD)y, p->sprites, &from,
                                          DDBLTFAST_SRCCOLORKEY | DDBLTFAST_WAIT),
              "BltFast");
    }
}

/* The canvas with its colours looked up, as X8R8G8B8. */
static void look_up(struct program *p, uint32_t *to, int pitch)
{
    const DDSURFACEDESC2 from = lock(p->canvas);

    for (int y = 0; y < VIEW_HEIGHT; y++)
        for (int x = 0; x < VIEW_WIDTH; x++) {
            const PALETTEENTRY *color = &p->colors[((const BYTE *)from.lpSurface)[y * from.lPitch + x]];

            to[y * (pitch / 4) + x] = (uint32_t)color->peRed << 16 | (uint32_t)color->peGreen << 8 | color->peBlue;
        }
    check(IDirectDrawSurface7_Unlock(p->canvas, NULL), "Unlock");
}

static void show_in_window(struct program *p)
{
    DDSURFACEDESC2 to = lock(p->colored);
    POINT corner = {0, 0};
    RECT place;

    look_up(p, to.lpSurface, to.lPitch);
    check(IDirectDrawSurface7_Unlock(p->colored, NULL), "Unlock");
    GetClientRect(p->window, &place);
    ClientToScreen(p->window, &corner);
    OffsetRect(&place, corner.x, corner.y);
    check(IDirectDrawSurface7_Blt(p->primary, &place, p->colored, NULL, DDBLT_WAIT, NULL), "Blt to the screen");
}

static void take_picture(struct program *p, const char *path)
{
    static uint32_t pixels[VIEW_WIDTH * VIEW_HEIGHT];

    look_up(p, pixels, VIEW_WIDTH * 4);
    picture_write(path, pixels, VIEW_WIDTH * 4);
}

/* False: the surfaces are lost, because another program has the screen. */
static bool draw_frame(struct program *p, unsigned frame, const char *shot)
{
    HRESULT hr = IDirectDraw7_TestCooperativeLevel(p->ddraw);

    if (hr == DDERR_NOEXCLUSIVEMODE || hr == DDERR_EXCLUSIVEMODEALREADYSET)
        return false;
    if (FAILED(hr) || IDirectDrawSurface7_IsLost(p->primary) == DDERR_SURFACELOST)
        check(IDirectDraw7_RestoreAllSurfaces(p->ddraw), "RestoreAllSurfaces");
    turn_colors(p);
    check(IDirectDrawSurface7_BltFast(p->canvas, 0, 0, p->background, NULL, DDBLTFAST_NOCOLORKEY | DDBLTFAST_WAIT),
          "BltFast");
    draw_sprites(p, frame);
    if (shot)
        take_picture(p, shot);
    if (p->windowed) {
        show_in_window(p);
        return true;
    }
    hr = IDirectDrawSurface7_Flip(p->primary, NULL, DDFLIP_WAIT);
    if (hr != DDERR_SURFACELOST)
        check(hr, "Flip");
    return hr == DD_OK;
}

/* --- the program ------------------------------------------------------------------------------- */

static void open_program(struct program *p)
{
    p->window = window_open("DirectDraw sprites");
    check(DirectDrawCreateEx(NULL, (void **)&p->ddraw, &IID_IDirectDraw7, NULL), "DirectDrawCreateEx");
    make_colors(p->colors);
    if (p->windowed)
        open_windowed(p);
    else
        open_full_screen(p);
    p->background = create_surface(p, VIEW_WIDTH, VIEW_HEIGHT, 8);
    p->sprites = create_surface(p, BALLS * SIZE, SIZE, 8);
    make_background(p->background);
    make_sprites(p->sprites);
}

/* The back buffer goes with the visible surface; the mode comes back with the release of the object. */
static void close_program(struct program *p)
{
    IDirectDrawSurface7_Release(p->sprites);
    IDirectDrawSurface7_Release(p->background);
    if (p->colored)
        IDirectDrawSurface7_Release(p->colored);
    IDirectDrawSurface7_Release(p->canvas);
    if (p->palette)
        IDirectDrawPalette_Release(p->palette);
    IDirectDrawSurface7_Release(p->primary);
    IDirectDraw7_Release(p->ddraw);
    DestroyWindow(p->window);
}

int main(int argc, char **argv)
{
    struct program program = {0};
    struct options options = {0};
    double begin;
    unsigned frame = 0;

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--windowed")) {
            program.windowed = true;
            memmove(argv + i, argv + i + 1, (size_t)(argc - i) * sizeof(*argv));
            argc--;
            break;
        }
    if (!options_parse(&options, argc, argv)) {
        fputs("  --windowed   in a window, not full screen\n", stderr);
        return 2;
    }
    open_program(&program);
    begin = clock_seconds();
    while (window_handle_messages() && (!options.frames || frame < options.frames)) {
        const bool is_last = frame + 1 == options.frames;

        if (!draw_frame(&program, frame, is_last ? options.shot : NULL)) {
            Sleep(50);
            continue;
        }
        frame++;
        if (program.windowed && !options.frames)
            Sleep(10); /* nothing waits for the screen here */
    }
    printf("%u frames, %.1f frames/s\n", frame, frame / (clock_seconds() - begin));
    close_program(&program);
    return 0;
}
