/* SPDX-License-Identifier: MIT */
/* Present: parts of the picture, refused calls, the contents of the front buffer; the HUD stays out of buffers;
 * screenshots; the frame limit. */
#include "tests/runtime/program.h"

#include <stdlib.h>

#define RED   0xff0000
#define GREEN 0x00ff00
#define BLUE  0x0000ff

static void fill(IDirect3DDevice8 *device, uint32_t rgb)
{
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0), D3D_OK);
}

static void fill_part(IDirect3DDevice8 *device, LONG x1, LONG y1, LONG x2, LONG y2, uint32_t rgb)
{
    D3DRECT rect = {x1, y1, x2, y2};

    CHECK_HR(IDirect3DDevice8_Clear(device, 1, &rect, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0), D3D_OK);
}

/* A pixel of the front buffer as the program may ask for it. */
static uint32_t front_pixel(IDirect3DDevice8 *device, unsigned x, unsigned y)
{
    D3DDISPLAYMODE mode;
    IDirect3DSurface8 *surface;
    D3DLOCKED_RECT locked;
    uint32_t pixel = 0;

    CHECK_HR(IDirect3DDevice8_GetDisplayMode(device, &mode), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateImageSurface(device, mode.Width, mode.Height, D3DFMT_A8R8G8B8, &surface), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetFrontBuffer(device, surface), D3D_OK);
    if (SUCCEEDED(IDirect3DSurface8_LockRect(surface, &locked, NULL, D3DLOCK_READONLY))) {
        memcpy(&pixel, (uint8_t *)locked.pBits + y * locked.Pitch + x * 4, 4);
        IDirect3DSurface8_UnlockRect(surface);
    }
    IDirect3DSurface8_Release(surface);
    return pixel & 0xffffff;
}

static IDirect3DDevice8 *open_with(HWND window, D3DSWAPEFFECT effect)
{
    D3DPRESENT_PARAMETERS p = windowed(window);

    p.SwapEffect = effect;
    return open_device(window, 0, &p);
}

static void parts(void)
{
    static const RECT source = {0, 0, 100, 100}, destination = {300, 200, 500, 400};
    static const RECT beyond = {600, 440, 700, 540}, there = {0, 0, 40, 40}, empty = {5, 5, 5, 9};
    HWND window = open_window();
    IDirect3DDevice8 *device = open_with(window, D3DSWAPEFFECT_COPY);

    if (!device)
        return;
    fill(device, BLUE);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    fill(device, GREEN);
    fill_part(device, 0, 0, 100, 100, RED);
    CHECK_HR(IDirect3DDevice8_Present(device, &source, &destination, NULL, NULL), D3D_OK);
    CHECK_EQUAL(front_pixel(device, 299, 300), BLUE);
    CHECK_EQUAL(front_pixel(device, 301, 201), RED);
    CHECK_EQUAL(front_pixel(device, 499, 399), RED);
    CHECK_EQUAL(front_pixel(device, 501, 300), BLUE);
    CHECK_EQUAL(front_pixel(device, 10, 10), BLUE);
    CHECK_EQUAL(read_pixel(device, 50, 50), RED); /* a copy leaves the back buffer as it is */
    CHECK_EQUAL(read_pixel(device, 300, 300), GREEN);
    /* the source is cut to the back buffer */
    CHECK_HR(IDirect3DDevice8_Present(device, &beyond, &there, NULL, NULL), D3D_OK);
    CHECK_EQUAL(front_pixel(device, 20, 20), GREEN);
    CHECK_HR(IDirect3DDevice8_Present(device, &empty, NULL, NULL, NULL), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, &empty, NULL, NULL), D3DERR_INVALIDCALL);
    close_device(device, window);
}

/* On a screen the window itself has the pixels; a headless window has none. */
static void dirty(void)
{
    struct {
        RGNDATAHEADER head;
        RECT rects[2];
    } region = {{sizeof(RGNDATAHEADER), RDH_RECTANGLES, 2, 2 * sizeof(RECT), {300, 10, 450, 400}},
                {{410, 10, 450, 50}, {300, 300, 400, 400}}};
    HWND window = open_window();
    IDirect3DDevice8 *device = open_with(window, D3DSWAPEFFECT_COPY);

    if (!device)
        return;
    fill(device, BLUE);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    fill(device, RED);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, (RGNDATA *)&region), D3D_OK);
    if (window_pixel(window, 420, 20) != 0) {
        CHECK_EQUAL(window_pixel(window, 420, 20), RED);
        CHECK_EQUAL(window_pixel(window, 350, 350), RED);
    }
    close_device(device, window);
}

/* With other swap effects than copy, a window can show parts, too; the whole picture in the whole window does not count
 * as a part. */
static void parts_of_flips(void)
{
    static const RECT source = {0, 0, 100, 100}, destination = {300, 200, 500, 400}, all = {0, 0, WIDTH, HEIGHT};
    static const D3DSWAPEFFECT effects[] = {D3DSWAPEFFECT_DISCARD, D3DSWAPEFFECT_FLIP};

    for (unsigned i = 0; i < 2; i++) {
        HWND window = open_window();
        D3DPRESENT_PARAMETERS p = windowed(window);
        IDirect3DDevice8 *device;
        p.SwapEffect = effects[i];
        p.BackBufferCount = 2;
        device = open_device(window, 0, &p);
        if (!device)
            return;
        fill(device, BLUE);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
        fill(device, GREEN);
        fill_part(device, 0, 0, 100, 100, RED);
        CHECK_HR(IDirect3DDevice8_Present(device, &source, &destination, NULL, NULL), D3D_OK);
        CHECK_EQUAL(front_pixel(device, 299, 300), BLUE);
        CHECK_EQUAL(front_pixel(device, 301, 201), RED);
        CHECK_EQUAL(front_pixel(device, 501, 300), BLUE);
        CHECK_EQUAL(read_pixel(device, 300, 300), GREEN);
        CHECK_HR(IDirect3DDevice8_Present(device, &all, &all, NULL, NULL), D3D_OK);
        CHECK_EQUAL(front_pixel(device, 299, 300), GREEN);
        CHECK(read_pixel(device, 300, 300) != GREEN); /* this one has flipped */
        close_device(device, window);
    }
}

/* In full screen rectangles are ignored: the whole picture is shown. */
static void rectangles_in_full_screen(void)
{
    static const RECT part = {0, 0, 100, 100}, other = {300, 200, 500, 400}, empty = {10, 10, 10, 20};
    static const D3DSWAPEFFECT effects[] = {D3DSWAPEFFECT_DISCARD, D3DSWAPEFFECT_FLIP, D3DSWAPEFFECT_COPY};

    for (unsigned i = 0; i < 3; i++) {
        const RECT *const rects[][2] = {{&part, NULL}, {NULL, &other}, {&part, &other}, {&empty, NULL}, {NULL, &empty}};
        HWND window = open_window();
        D3DPRESENT_PARAMETERS p = full_screen(window);
        IDirect3DDevice8 *device;

        p.SwapEffect = effects[i];
        device = open_device(window, 0, &p);
        if (!device)
            return;
        for (unsigned k = 0; k < 5; k++) {
            const uint32_t color = 0x102030 * (k + 1);
            fill(device, color);
            CHECK_HR(IDirect3DDevice8_Present(device, rects[k][0], rects[k][1], NULL, NULL), D3D_OK);
            CHECK_EQUAL(front_pixel(device, 350, 250), color);
            CHECK_EQUAL(front_pixel(device, 50, 50), color);
            CHECK_EQUAL(front_pixel(device, 600, 450), color);
        }
        close_device(device, window);
    }
}

/* Flips advance the buffers, copies do not. */
static void effects(void)
{
    static const uint32_t colors[] = {RED, GREEN, BLUE};
    HWND window = open_window();
    D3DPRESENT_PARAMETERS p = windowed(window);
    IDirect3DDevice8 *device;
    IDirect3DSurface8 *back;
    uint32_t *pixels;

    p.SwapEffect = D3DSWAPEFFECT_FLIP;
    p.BackBufferCount = 2;
    device = open_device(window, 0, &p);
    if (!device)
        return;
    for (unsigned i = 0; i < 3; i++) {
        fill(device, colors[i]);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
        CHECK_EQUAL(front_pixel(device, 320, 240), colors[i]);
    }
    /* three buffers: the first colour is the next again */
    CHECK_EQUAL(read_pixel(device, 320, 240), RED);
    CHECK_HR(IDirect3DDevice8_GetBackBuffer(device, 1, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    pixels = read_surface(device, back);
    CHECK_EQUAL(pixels[0], GREEN);
    free(pixels);
    IDirect3DSurface8_Release(back);
    close_device(device, window);
}

/* The window is larger than the back buffer: the picture is stretched, in the front buffer too. */
static void stretched(void)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS p = windowed(window);
    IDirect3DDevice8 *device;

    p.BackBufferWidth = 320;
    p.BackBufferHeight = 240;
    device = open_device(window, 0, &p);
    if (!device)
        return;
    fill(device, RED);
    fill_part(device, 160, 120, 320, 240, GREEN);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    CHECK_EQUAL(front_pixel(device, 318, 238), RED);
    CHECK_EQUAL(front_pixel(device, 322, 242), GREEN);
    CHECK_EQUAL(front_pixel(device, 638, 478), GREEN);
    close_device(device, window);
}

/* Run with HALCYON_HUD: figures are drawn over the window, and in no buffer that can be read. */
static void figures(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_with(window, D3DSWAPEFFECT_COPY);
    uint32_t *pixels;
    unsigned other = 0, shown = 0;

    if (!device)
        return;
    for (unsigned i = 0; i < 5; i++) {
        fill(device, BLUE);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    }
    pixels = read_target(device);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        other += pixels[i] != BLUE;
    CHECK_EQUAL(other, 0);
    CHECK_EQUAL(front_pixel(device, 5, 5), BLUE);
    free(pixels);
    for (int y = 0; y < 20 && window_pixel(window, 600, 400) == BLUE; y++)
        for (int x = 0; x < 60; x++)
            shown += window_pixel(window, x, y) == 0xffffff;
    if (getenv("HALCYON_HUD") && window_pixel(window, 600, 400) == BLUE)
        CHECK(shown > 20);
    close_device(device, window);
}

/* Run with HALCYON_SCREENSHOT_FRAMES=1 and HALCYON_SCREENSHOT_PATH: the file exists and is a PNG of the right size. */
static void screenshot(void)
{
    const char *prefix = getenv("HALCYON_SCREENSHOT_PATH");
    HWND window = open_window();
    IDirect3DDevice8 *device = open_with(window, D3DSWAPEFFECT_DISCARD);
    uint8_t head[24] = {0};
    char path[600];
    FILE *file;

    if (!device)
        return;
    for (unsigned i = 0; i < 3; i++) {
        fill(device, GREEN);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    }
    close_device(device, window);
    for (unsigned frame = 0; prefix && frame < 3; frame++) {
        snprintf(path, sizeof(path), "%s-%06u.png", prefix, frame);
        file = fopen(path, "rb");
        CHECK(frame == 1 ? file != NULL : file == NULL);
        if (!file)
            continue;
        CHECK_EQUAL(fread(head, 1, sizeof(head), file), sizeof(head));
        fclose(file);
        CHECK(!memcmp(head, "\x89PNG\r\n\x1a\n", 8) && head[18] == WIDTH >> 8 && head[19] == (WIDTH & 255));
    }
}

/* Run with HALCYON_FRAME_LIMIT=50: twenty frames take 0.4 seconds. */
static void limited(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_with(window, D3DSWAPEFFECT_DISCARD);
    DWORD start, took;

    if (!device)
        return;
    IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL);
    start = GetTickCount();
    for (unsigned i = 0; i < 20; i++)
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    took = GetTickCount() - start;
    if (getenv("HALCYON_FRAME_LIMIT") && took < 370)
        failed(__FILE__, __LINE__, "20 frames took %lu ms", (unsigned long)took);
    close_device(device, window);
}

static const struct test tests[] = {
    {"present_screenshot", screenshot}, /* the first frames of the process */
    {"present_parts", parts},           {"present_parts_of_flips", parts_of_flips},
    {"present_dirty", dirty},           {"present_rectangles_in_full_screen", rectangles_in_full_screen},
    {"present_effects", effects},       {"present_stretched", stretched},
    {"present_figures", figures},       {"present_limited", limited},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
