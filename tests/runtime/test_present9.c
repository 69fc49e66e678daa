/* SPDX-License-Identifier: MIT */
/* Presentation settings of the user, for Direct3D 9 programs as for Direct3D 8 (test_present.c): the HUD stays out of
 * buffers; screenshots; the frame limit; settings from halcyon.conf in the program's folder. */
#include "tests/runtime/program9.h"

#include <stdlib.h>

#define GREEN 0x00ff00
#define BLUE  0x0000ff
#define RED   0xff0000

static uint32_t front_pixel(IDirect3DDevice9 *device, unsigned x, unsigned y)
{
    IDirect3DSurface9 *surface = NULL;
    D3DLOCKED_RECT locked;
    D3DDISPLAYMODE mode;
    uint32_t pixel = 0;

    CHECK_HR(IDirect3DDevice9_GetDisplayMode(device, 0, &mode), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, mode.Width, mode.Height, D3DFMT_A8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, &surface, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_GetFrontBufferData(device, 0, surface), D3D_OK);
    if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY))) {
        memcpy(&pixel, (uint8_t *)locked.pBits + (size_t)y * (size_t)locked.Pitch + x * 4, 4);
        IDirect3DSurface9_UnlockRect(surface);
    }
    IDirect3DSurface9_Release(surface);
    return pixel & 0xffffff;
}

/* Run with HALCYON_HUD: figures are drawn over the window, and in no buffer that can be read. */
static void figures(void)
{
    for (unsigned ex = 0; ex < 2; ex++) {
        HWND window = open_window();
        IDirect3DDevice9 *device = open_device9(window, ex, 0, NULL);
        unsigned other = 0, shown = 0;
        uint32_t *pixels;

        if (!device)
            return;
        for (unsigned i = 0; i < 5; i++) {
            clear9(device, BLUE);
            present9(device);
        }
        clear9(device, BLUE);
        pixels = read_target9(device);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            other += pixels[i] != BLUE;
        free(pixels);
        CHECK_EQUAL(other, 0);
        CHECK_EQUAL(front_pixel(device, 5, 5), BLUE);
        for (int y = 0; y < 20 && window_pixel(window, 600, 400) == BLUE; y++)
            for (int x = 0; x < 60; x++)
                shown += window_pixel(window, x, y) == 0xffffff;
        if (getenv("HALCYON_HUD") && window_pixel(window, 600, 400) == BLUE)
            CHECK(shown > 20);
        else
            CHECK_EQUAL(shown, 0);
        close_device9(device, window);
    }
}

/* In a window, the only back buffer keeps its picture although its contents may be discarded. */
static void kept(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);

    if (!device)
        return;
    clear9(device, BLUE);
    present9(device);
    for (LONG i = 0; i < 3; i++) {
        const D3DRECT part = {100 * i, 0, 100 * i + 50, 50};

        CHECK_EQUAL(read_pixel9(device, 320, 240), BLUE);
        CHECK_HR(IDirect3DDevice9_Clear(device, 1, &part, D3DCLEAR_TARGET, RED, 1.0f, 0), D3D_OK);
        present9(device);
        CHECK_EQUAL(front_pixel(device, 25, 25), RED);
        CHECK_EQUAL(front_pixel(device, 320, 240), BLUE);
    }
    close_device9(device, window);
}

/* Run with HALCYON_SCREENSHOT_FRAMES=1 and HALCYON_SCREENSHOT_PATH: the file exists and is a PNG of the right size. */
static void screenshot(void)
{
    const char *prefix = getenv("HALCYON_SCREENSHOT_PATH");
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
    uint8_t head[24] = {0};
    char path[600];
    FILE *file;

    if (!device)
        return;
    for (unsigned i = 0; i < 3; i++) {
        clear9(device, GREEN);
        present9(device);
    }
    close_device9(device, window);
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

/* Milliseconds that twenty frames take. */
static DWORD twenty_frames(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
    DWORD start;

    if (!device)
        return 0;
    present9(device);
    start = GetTickCount();
    for (unsigned i = 0; i < 20; i++)
        present9(device);
    start = GetTickCount() - start;
    close_device9(device, window);
    return start;
}

/* Run with HALCYON_FRAME_LIMIT=50: twenty frames take 0.4 seconds. */
static void limited(void)
{
    const DWORD took = twenty_frames();

    if (getenv("HALCYON_FRAME_LIMIT") && took < 370)
        failed(__FILE__, __LINE__, "20 frames took %lu ms", (unsigned long)took);
}

#define SLOW 44
#define FAST 45

/* Settings in the program's halcyon.conf apply to a Direct3D 9 program, and those of the environment take
 * precedence. */
static void settings(void)
{
    static const char name[] = "halcyon.conf";
    FILE *file = fopen(name, "w");

    CHECK(file);
    if (!file)
        return;
    fprintf(file, "frame_limit = 50\n");
    fclose(file);
    SetEnvironmentVariableA("HALCYON_SCREENSHOT_FRAMES", NULL);
    if (!getenv("HALCYON_FRAME_LIMIT"))
        CHECK_EQUAL(run_self("--twenty"), SLOW);
    SetEnvironmentVariableA("HALCYON_FRAME_LIMIT", "-1");
    CHECK_EQUAL(run_self("--twenty"), FAST);
    remove(name);
}

/* In full screen rectangles are ignored: the whole picture is shown. */
static void rectangles_in_full_screen(void)
{
    static const RECT part = {0, 0, 100, 100}, other = {300, 200, 500, 400}, empty = {10, 10, 10, 20};
    static const D3DSWAPEFFECT effects[] = {D3DSWAPEFFECT_DISCARD, D3DSWAPEFFECT_FLIP, D3DSWAPEFFECT_COPY};

    for (unsigned i = 0; i < 3; i++) {
        const RECT *const rects[][2] = {{&part, NULL}, {NULL, &other}, {&part, &other}, {&empty, NULL}, {NULL, &empty}};
        HWND window = open_window();
        D3DPRESENT_PARAMETERS p = full_screen9(window);
        IDirect3DDevice9 *device;

        p.SwapEffect = effects[i];
        device = open_device9(window, i == 0, 0, &p);
        if (!device)
            return;
        for (unsigned k = 0; k < 5; k++) {
            const uint32_t color = 0x102030 * (k + 1);
            clear9(device, color);
            CHECK_HR(IDirect3DDevice9_Present(device, rects[k][0], rects[k][1], NULL, NULL), D3D_OK);
            CHECK_EQUAL(front_pixel(device, 350, 250), color);
            CHECK_EQUAL(front_pixel(device, 50, 50), color);
            CHECK_EQUAL(front_pixel(device, 600, 450), color);
        }
        close_device9(device, window);
    }
}

/* A gamma ramp of half. D3DCAPS2_FULLSCREENGAMMA is reported: in a window the ramp has no effect, unless the user asks
 * for it (window_gamma). */
static uint32_t pixel_with_gamma(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
    D3DGAMMARAMP ramp;
    uint32_t pixel;

    if (!device)
        return 0;
    for (unsigned i = 0; i < 256; i++)
        ramp.red[i] = ramp.green[i] = ramp.blue[i] = (WORD)(i * 257 / 2);
    IDirect3DDevice9_SetGammaRamp(device, 0, 0, &ramp);
    clear9(device, 0xffffff);
    present9(device);
    pixel = window_pixel(window, 300, 200);
    close_device9(device, window);
    return pixel;
}

static void gamma_in_windows(void)
{
    const uint32_t pixel = pixel_with_gamma();

    if (!pixel) /* a headless screen has no pixels */
        return;
    CHECK_EQUAL(pixel, 0xffffff);
    SetEnvironmentVariableA("HALCYON_WINDOW_GAMMA", "1");
    CHECK_EQUAL(run_self("--gamma"), 0x7f);
    SetEnvironmentVariableA("HALCYON_WINDOW_GAMMA", NULL);
}

static const struct test tests[] = {
    {"present9_screenshot", screenshot}, /* the first frames of the process */
    {"present9_figures", figures},
    {"present9_kept", kept},
    {"present9_limited", limited},
    {"present9_settings", settings},
    {"present9_rectangles_in_full_screen", rectangles_in_full_screen},
    {"present9_gamma", gamma_in_windows},
};

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--twenty"))
        return twenty_frames() < 370 ? FAST : SLOW;
    if (argc == 2 && !strcmp(argv[1], "--gamma"))
        return (int)(pixel_with_gamma() & 0xff);
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
