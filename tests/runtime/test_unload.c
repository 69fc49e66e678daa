/* SPDX-License-Identifier: MIT */
/* Programs that free the dll of Direct3D while a device still covers the screen with their window. */
#define COBJMACROS
#include "tests/runtime/check.h"

#include <d3d9.h>

/* Messages that the full-screen procedure handles, and others, after the dll has been freed. */
static void unload(void)
{
    HWND window = open_window();
    HMODULE dll = LoadLibraryA("d3d9.dll");
    IDirect3D9 *(WINAPI * create)(UINT) =
        (IDirect3D9 * (WINAPI *)(UINT))(void (*)(void))(dll ? GetProcAddress(dll, "Direct3DCreate9") : NULL);
    IDirect3D9 *d3d = create ? create(D3D_SDK_VERSION) : NULL;
    IDirect3DDevice9 *device = NULL;
    D3DDISPLAYMODE mode = {0, 0, 0, D3DFMT_UNKNOWN};
    D3DPRESENT_PARAMETERS p = {.SwapEffect = D3DSWAPEFFECT_DISCARD, .hDeviceWindow = window};

    CHECK(d3d);
    if (!d3d)
        return;
    CHECK_HR(IDirect3D9_GetAdapterDisplayMode(d3d, 0, &mode), D3D_OK);
    p.BackBufferWidth = mode.Width;
    p.BackBufferHeight = mode.Height;
    p.BackBufferFormat = mode.Format;
    CHECK_HR(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_SOFTWARE_VERTEXPROCESSING, &p, &device),
             D3D_OK);
    CHECK(FreeLibrary(dll));
    SendMessageA(window, WM_SETCURSOR, 0, 0);
    SendMessageA(window, WM_ACTIVATEAPP, 0, 0);
    SendMessageA(window, WM_ACTIVATEAPP, 1, 0);
    SendMessageA(window, WM_SIZE, 0, 0);
    ShowWindow(window, SW_MINIMIZE);
    ShowWindow(window, SW_RESTORE);
    pump();
    DestroyWindow(window);
    pump();
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"unload_full_screen", unload}};

    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
