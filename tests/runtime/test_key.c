/* SPDX-License-Identifier: MIT */
/* The key that captures frames (HALCYON_CAPTURE_KEY). Run with HALCYON_CAPTURE=keyed.capture, HALCYON_CAPTURE_KEY=F11 and
 * HALCYON_CAPTURE_COUNT=2, and HALCYON_HUD=frame. */
#include "tests/runtime/program.h"

#include <stdlib.h>

static bool exists(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

static void present(IDirect3DDevice8 *device, unsigned frames)
{
    for (unsigned i = 0; i < frames; i++) {
        CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | i * 40, 1, 0), D3D_OK);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    }
}

/* Red letters over the window: the shown frame is being captured. -1: the screen cannot be read. */
static int says_capturing(HWND window)
{
    HDC dc = GetDC(window);
    const bool readable = GetPixel(dc, 400, 400) != CLR_INVALID;
    unsigned red = 0;

    for (int y = 0; y < 60; y++) {
        for (int x = 0; x < 120; x++) {
            const COLORREF pixel = GetPixel(dc, x, y);
            red += pixel != CLR_INVALID && GetRValue(pixel) > 200 && GetGValue(pixel) < 140 && GetBValue(pixel) < 140;
        }
    }
    ReleaseDC(window, dc);
    return readable ? red > 20 : -1;
}

/* A key that is pressed and released between two frames is noticed, once; a key pressed before the first frame is
 * ignored. */
static void tapped(void)
{
    const char *path = getenv("HALCYON_CAPTURE");
    HWND window = open_window();
    D3DPRESENT_PARAMETERS p = windowed(window);
    IDirect3DDevice8 *device;

    SetForegroundWindow(window);
    if (path)
        keybd_event(VK_F11, 0, 0, 0), keybd_event(VK_F11, 0, KEYEVENTF_KEYUP, 0);
    device = open_device(window, 0, &p);
    if (!device)
        return;
    present(device, 5);
    CHECK(!path || !exists(path));
    if (path && GetForegroundWindow() == window) {
        keybd_event(VK_F11, 0, 0, 0);
        keybd_event(VK_F11, 0, KEYEVENTF_KEYUP, 0);
        for (unsigned i = 0; i < 6; i++) { /* the frame that notices the key is not in the file, the next two are */
            present(device, 1);
            if (getenv("HALCYON_HUD") && says_capturing(window) >= 0)
                CHECK_EQUAL(says_capturing(window), i == 1 || i == 2);
        }
        CHECK(exists(path));
        CHECK(!exists("keyed.1.capture"));
    }
    close_device(device, window);
}

static const struct test tests[] = {{"key_tapped", tapped}};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
