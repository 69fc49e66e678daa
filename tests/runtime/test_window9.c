/* SPDX-License-Identifier: MIT */
/* Direct3D 9: the program's window after full screen. */
#include "tests/runtime/program9.h"

#include "tests/runtime/window_rules.h"

static void styles(void)
{
    window_styles_of_program(&devices9, 0);
    window_styles_of_program(&devices9, DEVICE_EX);
}

static void left_alone(void)
{
    window_left_alone(&devices9, 0);
}

static void moved(void)
{
    window_moved(&devices9, 0);
}

static void procedures(void)
{
    window_procedures(&devices9, 0);
    window_procedures(&devices9, DEVICE_EX);
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
