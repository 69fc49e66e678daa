/* SPDX-License-Identifier: MIT */
/* Direct3D 9: the program's window after full screen. */
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

/* A device without a focus window follows its device window, and no longer listens to the one before, which stays as it is. */
static void other_window(void)
{
    HWND window[2] = {open_window(), open_window()};
    const LONG_PTR procedure = GetWindowLongPtrA(window[0], GWLP_WNDPROC);
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = full_screen9(window[0]);
    IDirect3DDevice9 *device = NULL;

    CHECK_HR(IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                     &p, &device),
             D3D_OK);
    for (unsigned i = 1; device && i < 4; i++) {
        p = full_screen9(window[i % 2]);
        CHECK_HR(IDirect3DDevice9_Reset(device, &p), D3D_OK);
        for (unsigned w = 0; w < 2; w++) {
            RECT place;

            SendMessageA(window[w], WM_APP, 0, 0);
            GetWindowRect(window[w], &place);
            CHECK_EQUAL(place.right - place.left, p.BackBufferWidth);
            CHECK_EQUAL(GetWindowLongPtrA(window[w], GWLP_WNDPROC) == procedure, w != i % 2);
        }
    }
    if (device)
        CHECK_EQUAL(IDirect3DDevice9_Release(device), 0);
    for (unsigned w = 0; w < 2; w++) {
        CHECK(GetWindowLongPtrA(window[w], GWLP_WNDPROC) == procedure);
        DestroyWindow(window[w]);
    }
    IDirect3D9_Release(d3d);
}

static const struct test tests[] = {
    {"window9_styles", styles},         {"window9_left_alone", left_alone},     {"window9_moved", moved},
    {"window9_procedures", procedures}, {"window9_other_window", other_window},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
