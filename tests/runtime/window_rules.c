/* SPDX-License-Identifier: MIT */
/* Switches to full screen and back while the program changes the window's style, position or procedure. */
#include "tests/runtime/window_rules.h"

#define PASSING ((LONG)(WS_VISIBLE | WS_MINIMIZE | WS_MAXIMIZE))

static unsigned first_calls, second_calls;
static WNDPROC below_second;

static LRESULT CALLBACK first_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    first_calls += message == WM_APP;
    return DefWindowProcA(window, message, wparam, lparam);
}

static LRESULT CALLBACK second_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    second_calls += message == WM_APP;
    return CallWindowProcA(below_second, window, message, wparam, lparam);
}

static HWND open_framed(void)
{
    static bool registered;
    WNDCLASSA class = {
        .lpfnWndProc = first_proc, .hInstance = GetModuleHandleA(NULL), .lpszClassName = "halcyon_framed"};
    HWND window;

    if (!registered)
        registered = RegisterClassA(&class) != 0;
    window = CreateWindowA("halcyon_framed", "framed", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 20, 30, 500, 400, NULL, NULL,
                           class.hInstance, NULL);
    pump();
    return window;
}

static LONG style_of(HWND window)
{
    return GetWindowLongA(window, GWL_STYLE) & ~PASSING;
}

static LONG ex_style_of(HWND window)
{
    return GetWindowLongA(window, GWL_EXSTYLE) & ~(LONG)WS_EX_TOPMOST;
}

static void finish(const struct device_api *version, void *device, HWND window)
{
    version->close(device, NULL);
    DestroyWindow(window);
    pump();
}

void window_styles_of_program(const struct device_api *version, unsigned options)
{
    for (unsigned i = 0; i < 8; i++) {
        const bool popup_before = i & 1, twice = i & 2, ex = i & 4;
        HWND window = open_framed();
        void *device = version->open(window, options, 0);
        const LONG framed = GetWindowLongA(window, GWL_STYLE);
        LONG wanted, ex_wanted;

        if (!device)
            return;
        if (popup_before)
            SetWindowLongA(window, GWL_STYLE, (LONG)(WS_POPUP | WS_SYSMENU | WS_VISIBLE));
        CHECK_HR(version->reset(device, window, options | DEVICE_FULL_SCREEN), S_OK);
        if (twice)
            CHECK_HR(version->reset(device, window, options | DEVICE_FULL_SCREEN), S_OK);
        pump();
        SetWindowLongA(window, GWL_STYLE, popup_before ? framed : (LONG)(WS_POPUP | WS_SYSMENU | WS_VISIBLE));
        if (ex)
            SetWindowLongA(window, GWL_EXSTYLE,
                           GetWindowLongA(window, GWL_EXSTYLE) | WS_EX_ACCEPTFILES | WS_EX_TOOLWINDOW);
        wanted = style_of(window);
        ex_wanted = ex_style_of(window);
        CHECK_HR(version->reset(device, window, options), S_OK);
        pump();
        CHECK_EQUAL(style_of(window), wanted);
        if (ex)
            CHECK_EQUAL(ex_style_of(window), ex_wanted);
        finish(version, device, window);
    }
}

void window_left_alone(const struct device_api *version, unsigned options)
{
    HWND window = open_framed();
    const LONG style = style_of(window), ex_style = ex_style_of(window);
    void *device = version->open(window, options, 0);
    RECT before, after;

    if (!device)
        return;
    GetWindowRect(window, &before);
    for (unsigned i = 0; i < 3; i++) {
        CHECK_HR(version->reset(device, window, options | DEVICE_FULL_SCREEN), S_OK);
        if (i == 2)
            CHECK_HR(version->reset(device, window, options | DEVICE_FULL_SCREEN), S_OK);
        pump();
        /* Disabling a window does not change its frame. */
        if (i == 1)
            EnableWindow(window, FALSE);
        CHECK_HR(version->reset(device, window, options), S_OK);
        EnableWindow(window, TRUE);
        pump();
        CHECK_EQUAL(style_of(window), style);
        CHECK_EQUAL(ex_style_of(window), ex_style);
        GetWindowRect(window, &after);
        CHECK(EqualRect(&before, &after));
    }
    finish(version, device, window);
}

void window_moved(const struct device_api *version, unsigned options)
{
    static const RECT place = {40, 50, 340, 290};
    HWND window = open_framed();
    void *device = version->open(window, options, 0);
    RECT after;

    if (!device)
        return;
    CHECK_HR(version->reset(device, window, options | DEVICE_FULL_SCREEN), S_OK);
    pump();
    /* Version 9 puts it back once. */
    for (unsigned i = 0; i < 2; i++) {
        SetWindowPos(window, NULL, place.left, place.top, place.right - place.left, place.bottom - place.top,
                     SWP_NOZORDER | SWP_NOACTIVATE);
        pump();
    }
    CHECK_HR(version->reset(device, window, options), S_OK);
    pump();
    GetWindowRect(window, &after);
    CHECK(EqualRect(&after, &place));
    finish(version, device, window);
}

void window_procedures(const struct device_api *version, unsigned options)
{
    HWND window = open_framed();
    void *device = version->open(window, options, 0);

    if (!device)
        return;
    first_calls = second_calls = 0;
    CHECK_HR(version->reset(device, window, options | DEVICE_FULL_SCREEN), S_OK);
    below_second = (WNDPROC)SetWindowLongPtrA(window, GWLP_WNDPROC, (LONG_PTR)second_proc);
    SendMessageA(window, WM_APP, 0, 0);
    CHECK_EQUAL(first_calls, 1);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_HR(version->reset(device, window, options | (i & 1 ? DEVICE_FULL_SCREEN : 0)), S_OK);
        CHECK(GetWindowLongPtrA(window, GWLP_WNDPROC) == (LONG_PTR)second_proc);
        SendMessageA(window, WM_APP, 0, 0);
        CHECK_EQUAL(first_calls, 2 + i);
        CHECK_EQUAL(second_calls, 2 + i);
        pump();
    }
    /* A program that removes its procedure leaves the one below it, whether that is ours or the program's. */
    SetWindowLongPtrA(window, GWLP_WNDPROC, (LONG_PTR)below_second);
    CHECK_HR(version->reset(device, window, options), S_OK);
    SendMessageA(window, WM_APP, 0, 0);
    CHECK_EQUAL(first_calls, 6);
    CHECK_EQUAL(second_calls, 5);
    finish(version, device, window);
}
