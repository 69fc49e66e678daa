/* SPDX-License-Identifier: MIT */
/* The window, the options and the pictures of the examples. */
#include "examples/window.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *what, HRESULT result)
{
    fprintf(stderr, "%s failed: 0x%08lx\n", what, (unsigned long)result);
    exit(1);
}

static LRESULT CALLBACK window_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == WM_CLOSE || (message == WM_KEYDOWN && wparam == VK_ESCAPE)) {
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcA(window, message, wparam, lparam);
}

HWND window_open(const char *title)
{
    WNDCLASSA class = {0};
    RECT rect = {0, 0, VIEW_WIDTH, VIEW_HEIGHT};
    DWORD style = WS_OVERLAPPED | WS_CAPTION | WS_SYSMENU | WS_MINIMIZEBOX;

    class.lpfnWndProc = window_procedure;
    class.hInstance = GetModuleHandleA(NULL);
    class.hCursor = LoadCursorA(NULL, (const char *)IDC_ARROW);
    class.lpszClassName = "example";
    RegisterClassA(&class);
    AdjustWindowRect(&rect, style, FALSE);
    return CreateWindowA("example", title, style | WS_VISIBLE, CW_USEDEFAULT, CW_USEDEFAULT, rect.right - rect.left,
                         rect.bottom - rect.top, NULL, NULL, class.hInstance, NULL);
}

bool window_handle_messages(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE)) {
        if (message.message == WM_QUIT)
            return false;
        TranslateMessage(&message);
        DispatchMessageA(&message);
    }
    return true;
}

double clock_seconds(void)
{
    LARGE_INTEGER now, frequency;

    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

static void put_u32(FILE *file, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        fputc((int)(value >> (8 * i) & 255), file);
}

/* 24 bits, bottom row first; 640 * 3 is a multiple of four, so rows need no padding. */
static void write_bmp(FILE *file, const uint8_t *pixels, int pitch)
{
    const uint32_t header = 54, bytes = VIEW_WIDTH * VIEW_HEIGHT * 3;

    fputs("BM", file);
    put_u32(file, header + bytes);
    put_u32(file, 0);
    put_u32(file, header);
    put_u32(file, 40);
    put_u32(file, VIEW_WIDTH);
    put_u32(file, VIEW_HEIGHT);
    put_u32(file, 1 | 24 << 16);
    put_u32(file, 0);
    put_u32(file, bytes);
    for (unsigned i = 0; i < 4; i++)
        put_u32(file, 0);
    for (int y = VIEW_HEIGHT - 1; y >= 0; y--) {
        const uint8_t *row = pixels + y * pitch;

        for (int x = 0; x < VIEW_WIDTH; x++)
            fwrite(row + 4 * x, 1, 3, file);
    }
}

static void write_ppm(FILE *file, const uint8_t *pixels, int pitch)
{
    fprintf(file, "P6\n%d %d\n255\n", VIEW_WIDTH, VIEW_HEIGHT);
    for (int y = 0; y < VIEW_HEIGHT; y++) {
        const uint8_t *row = pixels + y * pitch;

        for (int x = 0; x < VIEW_WIDTH; x++) {
            const uint8_t rgb[3] = {row[4 * x + 2], row[4 * x + 1], row[4 * x]};

            fwrite(rgb, 1, 3, file);
        }
    }
}

void picture_write(const char *path, const void *pixels, int pitch)
{
    const char *extension = strrchr(path, '.');
    FILE *file = fopen(path, "wb");

    if (!file)
        fail(path, E_FAIL);
    if (extension && !strcmp(extension, ".ppm"))
        write_ppm(file, pixels, pitch);
    else
        write_bmp(file, pixels, pitch);
    fclose(file);
}

bool options_parse(struct options *options, int argc, char **argv)
{
    bool good = true;

    for (int i = 1; i < argc && good; i++)
        if (!strcmp(argv[i], "--frames") && i + 1 < argc)
            options->frames = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--shot") && i + 1 < argc)
            options->shot = argv[++i];
        else
            good = false;
    good = good && (!options->shot || options->frames);
    if (!good)
        fprintf(stderr,
                "usage: %s [--frames N [--shot FILE.bmp|FILE.ppm]]\n"
                "  --frames N   draw N frames and leave (else until the window is closed)\n"
                "  --shot FILE  save the last frame's back buffer\n",
                argv[0]);
    return good;
}
