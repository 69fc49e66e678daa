/* SPDX-License-Identifier: MIT */
/*
 * Full screen without a change of the desktop's mode (HALCYON_FULL_SCREEN, HALCYON_WINDOW_SIZE) and scaled pictures
 * (HALCYON_SCALE, HALCYON_SCALE_FILTER). Each setting has a process of its own, since a process reads them once.
 */
#include "tests/runtime/program.h"

#define RED   0xff0000
#define GREEN 0x00ff00

static LPARAM mouse_at;

static LRESULT CALLBACK note_mouse(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_MOUSEMOVE)
        mouse_at = lparam;
    return DefWindowProcA(window, message, wparam, lparam);
}

static HWND open_noting_window(void)
{
    HWND window = open_window();

    SetWindowLongPtrA(window, GWLP_WNDPROC, (LONG_PTR)note_mouse);
    return window;
}

static D3DPRESENT_PARAMETERS small_full_screen(HWND window)
{
    D3DPRESENT_PARAMETERS p = full_screen(window);

    p.BackBufferWidth = WIDTH;
    p.BackBufferHeight = HEIGHT;
    return p;
}

static SIZE desktop_size(void)
{
    return (SIZE){GetSystemMetrics(SM_CXSCREEN), GetSystemMetrics(SM_CYSCREEN)};
}

/* The left half red, the right half green, shown. */
static void show_halves(IDirect3DDevice8 *device)
{
    D3DRECT left = {0, 0, WIDTH / 2, HEIGHT};

    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | GREEN, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Clear(device, 1, &left, D3DCLEAR_TARGET, 0xff000000 | RED, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
}

/* The program sees the mode that it asked for, and loses nothing when another window gets the focus. */
static void check_program_view(IDirect3DDevice8 *device)
{
    D3DDISPLAYMODE mode;
    HWND other =
        CreateWindowA("static", "other", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 50, 50, NULL, NULL, NULL, NULL);

    CHECK_HR(IDirect3DDevice8_GetDisplayMode(device, &mode), D3D_OK);
    CHECK_EQUAL(mode.Width, WIDTH);
    CHECK_EQUAL(mode.Height, HEIGHT);
    SetForegroundWindow(other);
    pump();
    CHECK_HR(IDirect3DDevice8_TestCooperativeLevel(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    DestroyWindow(other);
    pump();
}

/* A mouse message to a place of the client area arrives with the picture's coordinates. */
static void check_mouse(HWND window, int x, int y, int want_x, int want_y)
{
    mouse_at = -1;
    SendMessageA(window, WM_MOUSEMOVE, 0, MAKELPARAM(x, y));
    CHECK(abs((short)LOWORD(mouse_at) - want_x) <= 1);
    CHECK(abs((short)HIWORD(mouse_at) - want_y) <= 1);
}

/* The program's calls have its coordinates, those that it looks up itself have the desktop's. */
static void check_cursor(const RECT *place)
{
    BOOL(WINAPI *const get)(POINT *) = (void *)GetProcAddress(GetModuleHandleA("user32.dll"), "GetCursorPos");
    const RECT part = {0, 0, WIDTH / 2, HEIGHT / 2};
    POINT own, real;

    CHECK(SetCursorPos(WIDTH / 4, HEIGHT / 2));
    CHECK(GetCursorPos(&own) && get(&real));
    CHECK_EQUAL(own.x, WIDTH / 4);
    CHECK_EQUAL(own.y, HEIGHT / 2);
    CHECK(abs(real.x - (place->left + (place->right - place->left) / 4)) <= 2);
    CHECK(abs(real.y - (place->top + place->bottom) / 2) <= 2);
    CHECK(ClipCursor(&part));
    SetCursorPos(WIDTH - 1, HEIGHT - 1);
    CHECK(GetCursorPos(&own));
    CHECK(abs(own.x - WIDTH / 2) <= 2 && abs(own.y - HEIGHT / 2) <= 2);
    CHECK(ClipCursor(NULL));
}

static void expect_pixel(HWND window, int x, int y, uint32_t want)
{
    const uint32_t got = window_pixel(window, x, y);

    if (color_distance(got, want) > 8)
        failed(__FILE__, __LINE__, "pixel %d, %d of the window is %06x, not %06x", x, y, (unsigned)got, (unsigned)want);
}

/* The picture fills `place` of the window, in whose middle it changes its colour. A headless window has no pixels. */
static void check_picture(HWND window, const RECT *place)
{
    const int middle = (place->left + place->right) / 2, row = (place->top + place->bottom) / 2;
    RECT client;

    GetClientRect(window, &client);
    if (!window_pixel(window, place->left + 2, row))
        return;
    expect_pixel(window, place->left + 2, place->top + 2, RED);
    expect_pixel(window, middle - 4, row, RED);
    expect_pixel(window, middle + 4, row, GREEN);
    expect_pixel(window, place->right - 3, place->bottom - 3, GREEN);
    if (place->left > 2)
        expect_pixel(window, place->left - 2, row, 0);
    if (place->top > 2)
        expect_pixel(window, middle, place->top - 2, 0);
    if (place->right < client.right - 2)
        expect_pixel(window, place->right + 2, row, 0);
}

static void check_desktop_and_leave(IDirect3DDevice8 *device, HWND window, SIZE desktop, LONG style)
{
    D3DPRESENT_PARAMETERS p = windowed(window);

    CHECK_EQUAL(desktop_size().cx, desktop.cx);
    CHECK_EQUAL(desktop_size().cy, desktop.cy);
    CHECK_HR(IDirect3DDevice8_Reset(device, &p), D3D_OK);
    pump();
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE) & (LONG)WS_OVERLAPPEDWINDOW, style & (LONG)WS_OVERLAPPEDWINDOW);
    check_mouse(window, 17, 23, 17, 23);
    close_device(device, window);
}

/* --- in processes of their own --------------------------------------------------------------------------- */

static void borderless(void)
{
    const SIZE desktop = desktop_size();
    HWND window = open_noting_window();
    const LONG style = GetWindowLongA(window, GWL_STYLE);
    D3DPRESENT_PARAMETERS p = small_full_screen(window);
    IDirect3DDevice8 *device = open_device(window, 0, &p);
    LONG width, height;
    RECT client, place;
    POINT at;

    if (!device)
        return;
    pump();
    GetClientRect(window, &client);
    if (desktop.cx && desktop.cy) {
        CHECK_EQUAL(client.right, desktop.cx);
        CHECK_EQUAL(client.bottom, desktop.cy);
    }
    /* HALCYON_SCALE=aspect */
    width = min(client.right, MulDiv(client.bottom, WIDTH, HEIGHT));
    height = min(client.bottom, MulDiv(client.right, HEIGHT, WIDTH));
    SetRect(&place, (client.right - width) / 2, (client.bottom - height) / 2, (client.right + width) / 2,
            (client.bottom + height) / 2);
    show_halves(device);
    check_picture(window, &place);
    check_mouse(window, (place.left + place.right) / 2, (place.top + place.bottom) / 2, WIDTH / 2, HEIGHT / 2);
    check_mouse(window, place.left, place.top, 0, 0);
    check_cursor(&place);
    check_program_view(device);
    check_desktop_and_leave(device, window, desktop, style);
    CHECK(SetCursorPos(30, 40) && GetCursorPos(&at));
    CHECK(at.x == 30 && at.y == 40);
}

static void framed(void)
{
    const SIZE desktop = desktop_size();
    HWND window = open_noting_window();
    const LONG style = GetWindowLongA(window, GWL_STYLE);
    D3DPRESENT_PARAMETERS p = small_full_screen(window);
    IDirect3DDevice8 *device = open_device(window, 0, &p);
    RECT client, place;

    if (!device)
        return;
    pump();
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE) & WS_CAPTION, WS_CAPTION);
    GetClientRect(window, &client);
    CHECK_EQUAL(client.right, 800);
    CHECK_EQUAL(client.bottom, 500);
    /* HALCYON_SCALE=integer */
    SetRect(&place, 80, 10, 80 + WIDTH, 10 + HEIGHT);
    show_halves(device);
    check_picture(window, &place);
    check_mouse(window, 80 + 123, 10 + 45, 123, 45);
    check_mouse(window, 799, 499, WIDTH - 1, HEIGHT - 1);
    check_program_view(device);
    check_desktop_and_leave(device, window, desktop, style);
}

/* In a window of another size than the picture, by HALCYON_SCALE and HALCYON_SCALE_FILTER=linear. */
static void scaled(void)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS p = windowed(window);
    IDirect3DDevice8 *device;
    RECT place;

    p.BackBufferWidth = WIDTH;
    p.BackBufferHeight = HEIGHT;
    device = open_device(window, 0, &p);
    if (!device)
        return;
    SetWindowPos(window, NULL, 0, 0, 900, HEIGHT + 20, SWP_NOZORDER | SWP_NOMOVE);
    pump();
    SetRect(&place, (900 - 667) / 2, 0, (900 - 667) / 2 + 667, HEIGHT + 20);
    show_halves(device);
    check_picture(window, &place);
    close_device(device, window);
}

/* --- the processes ---------------------------------------------------------------------------------------- */

static void run_with(const char *const settings[], const char *option)
{
    for (unsigned i = 0; settings[i]; i += 2)
        SetEnvironmentVariableA(settings[i], settings[i + 1]);
    CHECK_EQUAL(run_self(option), 0);
    for (unsigned i = 0; settings[i]; i += 2)
        SetEnvironmentVariableA(settings[i], NULL);
}

static void run_borderless(void)
{
    static const char *const settings[] = {"HALCYON_FULL_SCREEN", "borderless", "HALCYON_SCALE", "aspect", NULL};
    static const char *const sharp[] = {
        "HALCYON_FULL_SCREEN", "borderless", "HALCYON_SCALE", "aspect", "HALCYON_SCALE_FILTER", "sharp", NULL};

    run_with(settings, "borderless");
    run_with(sharp, "borderless");
}

static void run_framed(void)
{
    static const char *const settings[] = {
        "HALCYON_FULL_SCREEN", "window", "HALCYON_WINDOW_SIZE", "800x500", "HALCYON_SCALE", "integer", NULL};

    run_with(settings, "framed");
}

static void run_scaled(void)
{
    static const char *const settings[] = {"HALCYON_SCALE", "aspect", "HALCYON_SCALE_FILTER", "linear", NULL};

    run_with(settings, "scaled");
}

static const struct test tests[] = {
    {"run_borderless", run_borderless},
    {"run_framed", run_framed},
    {"run_scaled", run_scaled},
};

static const struct test with_settings[] = {
    {"borderless", borderless},
    {"framed", framed},
    {"scaled", scaled},
};

int main(int argc, char **argv)
{
    const bool alone = GetEnvironmentVariableA("HALCYON_SCALE", NULL, 0) > 0;

    return alone ? run_tests(with_settings, sizeof(with_settings) / sizeof(with_settings[0]), argc, argv)
                 : run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
