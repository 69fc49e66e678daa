/* SPDX-License-Identifier: MIT */
/* Direct3D 8: the program's window after full screen. */
#include "tests/runtime/program.h"

#include "tests/runtime/window_rules.h"

static void *open(HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed(window);

    return open_device(window, 0, &p);
}

static HRESULT reset(void *device, HWND window, bool full)
{
    D3DPRESENT_PARAMETERS p = full ? full_screen(window) : windowed(window);

    return IDirect3DDevice8_Reset((IDirect3DDevice8 *)device, &p);
}

static void close(void *device)
{
    close_device(device, NULL);
}

static const struct window_version version = {open, reset, close};

static void styles(void)
{
    window_styles_of_program(&version);
}

static void left_alone(void)
{
    window_left_alone(&version);
}

static void moved(void)
{
    window_moved(&version);
}

static void procedures(void)
{
    window_procedures(&version);
}

static const struct test tests[] = {
    {"window_styles", styles},
    {"window_left_alone", left_alone},
    {"window_moved", moved},
    {"window_procedures", procedures},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
