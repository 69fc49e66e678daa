/* SPDX-License-Identifier: MIT */
#include "tests/runtime/program.h"

#include <stdarg.h>
#include <stdlib.h>

static unsigned failures;

void failed(const char *file, int line, const char *format, ...)
{
    va_list args;

    if (failures++ >= 20)
        return;
    printf("# %s:%d: ", file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return true;
    return argc < 2;
}

int run_tests(const struct test *tests, unsigned count, int argc, char **argv)
{
    unsigned bad = 0;

    for (unsigned i = 0; i < count; i++) {
        if (!is_wanted(tests[i].name, argc, argv))
            continue;
        failures = 0;
        tests[i].run();
        bad += failures != 0;
        printf("%s %s\n", failures ? "not ok" : "ok", tests[i].name);
        fflush(stdout);
    }
    return bad != 0;
}

HWND open_window(void)
{
    static bool registered;
    WNDCLASSA class = {
        .lpfnWndProc = DefWindowProcA, .hInstance = GetModuleHandleA(NULL), .lpszClassName = "halcyon_test"};
    HWND window;

    if (!registered)
        registered = RegisterClassA(&class) != 0;
    window = CreateWindowA("halcyon_test", "test", WS_POPUP | WS_VISIBLE, 0, 0, WIDTH, HEIGHT, NULL, NULL,
                           class.hInstance, NULL);
    pump();
    return window;
}

void pump(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE)) {
        TranslateMessage(&message);
        DispatchMessageA(&message);
    }
}

D3DPRESENT_PARAMETERS windowed(HWND window)
{
    return (D3DPRESENT_PARAMETERS){
        .BackBufferWidth = WIDTH,
        .BackBufferHeight = HEIGHT,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .hDeviceWindow = window,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };
}

D3DPRESENT_PARAMETERS full_screen(HWND window)
{
    D3DPRESENT_PARAMETERS p = windowed(window);
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    D3DDISPLAYMODE mode;

    CHECK_HR(IDirect3D8_GetAdapterDisplayMode(d3d, D3DADAPTER_DEFAULT, &mode), D3D_OK);
    IDirect3D8_Release(d3d);
    p.Windowed = FALSE;
    p.BackBufferWidth = mode.Width;
    p.BackBufferHeight = mode.Height;
    p.BackBufferFormat = mode.Format;
    p.FullScreen_PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    return p;
}

IDirect3DDevice8 *open_device(HWND window, DWORD flags, const D3DPRESENT_PARAMETERS *params)
{
    D3DPRESENT_PARAMETERS p = params ? *params : windowed(window);
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    IDirect3DDevice8 *device = NULL;

    CHECK(d3d);
    if (!d3d)
        return NULL;
    CHECK_HR(IDirect3D8_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                     flags ? flags : D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device),
             D3D_OK);
    IDirect3D8_Release(d3d);
    return device;
}

void close_device(IDirect3DDevice8 *device, HWND window)
{
    if (device)
        CHECK_EQUAL(IDirect3DDevice8_Release(device), 0);
    if (window)
        DestroyWindow(window);
    pump();
}

uint32_t *read_surface(IDirect3DDevice8 *device, IDirect3DSurface8 *surface)
{
    uint32_t *pixels = calloc(WIDTH * HEIGHT, sizeof(*pixels));
    IDirect3DSurface8 *copy = NULL;
    D3DLOCKED_RECT locked;
    D3DSURFACE_DESC desc;

    IDirect3DSurface8_GetDesc(surface, &desc);
    CHECK_HR(IDirect3DDevice8_CreateImageSurface(device, desc.Width, desc.Height, desc.Format, &copy), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, surface, NULL, 0, copy, NULL), D3D_OK);
    CHECK_HR(IDirect3DSurface8_LockRect(copy, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    for (unsigned y = 0; y < desc.Height && y < HEIGHT; y++) {
        const uint32_t *row = (const uint32_t *)((const uint8_t *)locked.pBits + y * locked.Pitch);
        for (unsigned x = 0; x < desc.Width && x < WIDTH; x++)
            pixels[y * WIDTH + x] = row[x] & 0xffffff;
    }
    IDirect3DSurface8_UnlockRect(copy);
    IDirect3DSurface8_Release(copy);
    return pixels;
}

uint32_t *read_target(IDirect3DDevice8 *device)
{
    IDirect3DSurface8 *target;
    uint32_t *pixels;

    IDirect3DDevice8_GetRenderTarget(device, &target);
    pixels = read_surface(device, target);
    IDirect3DSurface8_Release(target);
    return pixels;
}

uint32_t read_pixel(IDirect3DDevice8 *device, unsigned x, unsigned y)
{
    uint32_t *pixels = read_target(device);
    uint32_t pixel = pixels[y * WIDTH + x];

    free(pixels);
    return pixel;
}

uint32_t window_pixel(HWND window, int x, int y)
{
    HDC dc = GetDC(window);
    COLORREF color;

    GdiFlush();
    color = GetPixel(dc, x, y);
    ReleaseDC(window, dc);
    return (uint32_t)GetRValue(color) << 16 | (uint32_t)GetGValue(color) << 8 | GetBValue(color);
}

unsigned color_distance(uint32_t a, uint32_t b)
{
    unsigned most = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        if ((unsigned)abs(d) > most)
            most = (unsigned)abs(d);
    }
    return most;
}
