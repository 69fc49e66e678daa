/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/device_window.h"

#define WINDOW_CLASS L"DirectDrawDeviceWnd"

HWND dd_device_window_create(void)
{
    static const WNDCLASSEXW class = {
        .cbSize = sizeof(class), .lpfnWndProc = DefWindowProcW, .lpszClassName = WINDOW_CLASS};

    RegisterClassExW(&class); /* fails if the class exists already */
    return CreateWindowExW(WS_EX_TOPMOST, WINDOW_CLASS, WINDOW_CLASS, WS_POPUP | WS_VISIBLE, 0, 0,
                           GetSystemMetrics(SM_CXSCREEN), GetSystemMetrics(SM_CYSCREEN), NULL, NULL, NULL, NULL);
}

void dd_device_window_destroy(HWND window)
{
    if (window)
        DestroyWindow(window);
}
