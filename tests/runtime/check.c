/* SPDX-License-Identifier: MIT */
/* Checks, the runner, the window and child processes of the test programs. */
#include "tests/runtime/check.h"

#include <stdarg.h>
#include <stdlib.h>

#include "bytecode/bytecode.h"

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

bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], name))
            return true;
    return argc < 2;
}

unsigned failure_count(void)
{
    return failures;
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

void close_window(HWND window)
{
    if (window)
        DestroyWindow(window);
    pump();
}

/* --- pixels -------------------------------------------------------------------------------- */

uint32_t *copy_pixels(const void *bits, INT pitch, unsigned width, unsigned height)
{
    uint32_t *pixels = calloc(WIDTH * HEIGHT, sizeof(*pixels));

    for (unsigned y = 0; y < height && y < HEIGHT; y++) {
        const uint32_t *row = (const uint32_t *)(const void *)((const uint8_t *)bits + (int)y * pitch);

        for (unsigned x = 0; x < width && x < WIDTH; x++)
            pixels[y * WIDTH + x] = row[x] & 0xffffff;
    }
    return pixels;
}

uint32_t take_pixel(uint32_t *pixels, unsigned x, unsigned y)
{
    const uint32_t pixel = pixels[y * WIDTH + x];

    free(pixels);
    return pixel;
}

/* Wine's CreateProcess fails now and then on a busy machine, before anything of the new process runs. */
static bool create_process(char *command, PROCESS_INFORMATION *process)
{
    STARTUPINFOA startup = {.cb = sizeof(startup)};

    for (unsigned i = 0; i < 5; i++) {
        if (CreateProcessA(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &startup, process))
            return true;
        printf("# CreateProcess: error %lu\n", GetLastError());
        Sleep(1000);
    }
    return false;
}

DWORD run_self(const char *option)
{
    char path[MAX_PATH], command[MAX_PATH + 64];
    PROCESS_INFORMATION process;
    DWORD code = 0;

    GetModuleFileNameA(NULL, path, sizeof(path));
    snprintf(command, sizeof(command), "\"%s\" %s", path, option);
    if (!create_process(command, &process)) {
        CHECK(!"the process was created");
        return 0;
    }
    CHECK_EQUAL(WaitForSingleObject(process.hProcess, 3600000), WAIT_OBJECT_0);
    GetExitCodeProcess(process.hProcess, &code);
    TerminateProcess(process.hProcess, 1);
    CloseHandle(process.hProcess);
    CloseHandle(process.hThread);
    return code;
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

const DWORD *assemble_shader(const char *text, uint32_t tokens[SHADER_TOKENS])
{
    struct shader_error error = {0};

    if (!shader_assemble(text, tokens, SHADER_TOKENS, &error))
        failed(__FILE__, __LINE__, "line %u: %s", (unsigned)error.offset, error.text);
    return (const DWORD *)tokens;
}
