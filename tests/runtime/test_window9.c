/* SPDX-License-Identifier: MIT */
/* Direct3D 9: the program's window back from full screen. */
#include "tests/runtime/program9.h"

#include "tests/runtime/window_rules.h"

static bool is_ex;

static void *open(HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed9(window);

    return open_device9(window, is_ex, 0, &p);
}

static HRESULT reset(void *device, HWND window, bool full_screen)
{
    D3DPRESENT_PARAMETERS p = full_screen ? full_screen9(window) : windowed9(window);

    return IDirect3DDevice9_Reset((IDirect3DDevice9 *)device, &p);
}

static void close(void *device)
{
    close_device9(device, NULL);
}

static const struct window_version version = {open, reset, close};

static void styles(void)
{
    for (unsigned ex = 0; ex < 2; ex++) {
        is_ex = ex;
        window_styles_of_program(&version);
    }
}

static void left_alone(void)
{
    is_ex = false;
    window_left_alone(&version);
}

static void moved(void)
{
    is_ex = false;
    window_moved(&version);
}

static void procedures(void)
{
    for (unsigned ex = 0; ex < 2; ex++) {
        is_ex = ex;
        window_procedures(&version);
    }
}

static const struct test tests[] = {
    {"window9_styles", styles},
    {"window9_left_alone", left_alone},
    {"window9_moved", moved},
    {"window9_procedures", procedures},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
