/* SPDX-License-Identifier: MIT */
/* Cooperative levels as a grammar of flags (Wine's ddrawmodes and test_coop_level_create_device_window). */
#include "runtime/ddraw/screen/level.h"

#define WINDOW_CLASS L"DirectDrawDeviceWnd"

/* Flags that a call with DDSCL_SETFOCUSWINDOW alone must not have. */
#define NOT_WITH_FOCUS                                                                          \
    (DDSCL_NORMAL | DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN | DDSCL_ALLOWREBOOT | DDSCL_ALLOWMODEX | \
     DDSCL_SETDEVICEWINDOW | DDSCL_MULTITHREADED | DDSCL_FPUSETUP | DDSCL_FPUPRESERVE)

HRESULT dd_level_check(const struct dd_level *level, HWND window, DWORD flags, enum dd_level_request *request)
{
    const bool creates = flags & DDSCL_CREATEDEVICEWINDOW, focuses = flags & DDSCL_SETFOCUSWINDOW;

    if (window && !IsWindow(window))
        return DDERR_INVALIDPARAMS;
    if (focuses && !creates) {
        if (flags & NOT_WITH_FOCUS)
            return DDERR_INVALIDPARAMS;
        *request = DD_LEVEL_FOCUS;
        return dd_level_is_exclusive(level) ? DDERR_HWNDALREADYSET : DD_OK;
    }
    if (flags & DDSCL_EXCLUSIVE) {
        if (!(flags & DDSCL_FULLSCREEN))
            return DDERR_INVALIDPARAMS;
        *request = DD_LEVEL_FULL;
        if (creates)
            return focuses || level->focus ? DD_OK : DDERR_NOFOCUSWINDOW;
        return window ? DD_OK : DDERR_INVALIDPARAMS;
    }
    *request = DD_LEVEL_NORMAL;
    return flags & DDSCL_NORMAL && !creates ? DD_OK : DDERR_INVALIDPARAMS;
}

/* --- the device window ----------------------------------------------------------------- */

static bool create_window(struct dd_level *level)
{
    static const WNDCLASSEXW class = {
        .cbSize = sizeof(class), .lpfnWndProc = DefWindowProcW, .lpszClassName = WINDOW_CLASS};

    if (level->created)
        return true;
    RegisterClassExW(&class); /* fails if it is there already */
    level->created =
        CreateWindowExW(WS_EX_TOPMOST, WINDOW_CLASS, WINDOW_CLASS, WS_POPUP | WS_VISIBLE, 0, 0,
                        GetSystemMetrics(SM_CXSCREEN), GetSystemMetrics(SM_CYSCREEN), NULL, NULL, NULL, NULL);
    return level->created != NULL;
}

void dd_level_end(struct dd_level *level)
{
    if (level->created)
        DestroyWindow(level->created);
    level->created = NULL;
}

HRESULT dd_level_set(struct dd_level *level, HWND window, DWORD flags)
{
    enum dd_level_request request;
    HRESULT hr = dd_level_check(level, window, flags, &request);

    if (FAILED(hr))
        return hr;
    switch (request) {
    case DD_LEVEL_FOCUS:
        level->focus = window;
        return DD_OK;
    case DD_LEVEL_NORMAL:
        dd_level_end(level);
        level->focus = NULL;
        level->device = window;
        break;
    case DD_LEVEL_FULL:
        if (!(flags & DDSCL_CREATEDEVICEWINDOW)) {
            level->device = level->focus = window;
            break;
        }
        if (!create_window(level))
            return DDERR_OUTOFMEMORY;
        level->device = level->created;
        if (flags & DDSCL_SETFOCUSWINDOW) {
            if (!window)
                return DDERR_NOHWND; /* the device window stays */
            level->focus = window;
        }
        break;
    }
    level->flags = flags;
    return DD_OK;
}
