/* SPDX-License-Identifier: MIT */
/*
 * The command line of the benchmarks under Wine: lists, measures and photographs scenes, for either version of the
 * API.
 */
#include "bench/wine/bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_FRAMES 4
#define SHOT_FRAME  5

static unsigned width = VIEW_WIDTH, height = VIEW_HEIGHT;

static LRESULT CALLBACK window_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    return DefWindowProcA(window, message, wparam, lparam);
}

static HWND open_window(void)
{
    WNDCLASSA class = {0};

    class.lpfnWndProc = window_procedure;
    class.hInstance = GetModuleHandleA(NULL);
    class.lpszClassName = "bench";
    RegisterClassA(&class);
    return CreateWindowA("bench", "bench", WS_POPUP | WS_VISIBLE, 0, 0, (int)width, (int)height, NULL, NULL,
                         class.hInstance, NULL);
}

static void handle_messages(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE))
        DispatchMessageA(&message);
}

/* The time used by all threads of the process; meaningful where the clock would measure other programs, too. */
static double cpu_now(void)
{
    FILETIME created, ended, kernel, user;
    ULARGE_INTEGER sum = {.QuadPart = 0};

    if (GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user)) {
        sum.QuadPart = (ULONGLONG)kernel.dwHighDateTime << 32 | kernel.dwLowDateTime;
        sum.QuadPart += (ULONGLONG)user.dwHighDateTime << 32 | user.dwLowDateTime;
    }
    return (double)sum.QuadPart / 1e7;
}

/* --- commands --------------------------------------------------------------------------------- */

static bool read_back(const struct bench_api *api)
{
    const void *pixels;
    int pitch;

    if (!api->lock_picture(&pixels, &pitch))
        return false;
    api->unlock_picture();
    return true;
}

static bool end_frame(const struct bench_api *api, bool readback)
{
    handle_messages();
    return readback ? read_back(api) : api->present();
}

/* Draws frames until `seconds` are over; unfinished work at the end counts too. */
static bool measure(const struct bench_api *api, bool readback, double seconds)
{
    double start, end, cpu;
    unsigned frame = 0;

    for (; frame < WARM_FRAMES; frame++) {
        api->draw(frame);
        if (!end_frame(api, readback))
            return false;
    }
    read_back(api);
    start = clock_seconds();
    cpu = cpu_now();
    do {
        api->draw(frame++);
        if (!end_frame(api, readback))
            return false;
        end = clock_seconds();
    } while (end - start < seconds);
    if (!readback) {
        read_back(api);
        end = clock_seconds();
    }
    printf("%u %.6f %.6f\n", frame - WARM_FRAMES, end - start, cpu_now() - cpu);
    return true;
}

static bool write_picture(const char *path, const uint8_t *pixels, int pitch)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return false;
    fprintf(file, "P6\n%u %u\n255\n", width, height);
    for (unsigned y = 0; y < height; y++, pixels += pitch) {
        for (unsigned x = 0; x < width; x++) {
            const uint8_t rgb[3] = {pixels[4 * x + 2], pixels[4 * x + 1], pixels[4 * x]};

            fwrite(rgb, 1, 3, file);
        }
    }
    return !fclose(file);
}

static bool take_shot(const struct bench_api *api, const char *path)
{
    const void *pixels;
    bool good;
    int pitch;

    api->draw(SHOT_FRAME);
    if (!api->lock_picture(&pixels, &pitch))
        return false;
    good = write_picture(path, pixels, pitch);
    api->unlock_picture();
    if (good)
        puts("ok");
    return good;
}

/* `how`: present, readback, or NULL for a picture in the file `what`. */
static void run_scene(const struct bench_api *api, const char *name, const char *how, const char *what)
{
    HWND window;
    unsigned scene = 0;

    while (scene < api->scene_count && strcmp(api->name(scene), name))
        scene++;
    if (scene == api->scene_count) {
        printf("skip no scene %s\n", name);
        return;
    }
    window = open_window();
    handle_messages();
    if (!window || !api->open(window, scene, width, height))
        puts("skip no such device, or not in this size");
    else if (how ? !measure(api, !strcmp(how, "readback"), atof(what)) : !take_shot(api, what))
        puts("skip failed");
    api->close();
    if (window)
        DestroyWindow(window);
    handle_messages();
}

static void list_scenes(const struct bench_api *api)
{
    for (unsigned i = 0; i < api->scene_count; i++)
        printf("%s %s\n", api->name(i), api->work(i));
    puts(".");
}

int bench_commands(const struct bench_api *api)
{
    char line[1024], name[64], how[16], rest[900];

    while (fgets(line, sizeof(line), stdin)) {
        if (!strncmp(line, "list", 4))
            list_scenes(api);
        else if (!strncmp(line, "adapter", 7))
            puts(api->adapter(rest, sizeof(rest)) ? rest : "skip no adapter");
        else if (sscanf(line, "size %u %u", &width, &height) == 2)
            puts("ok");
        else if (sscanf(line, "run %63s %15s %899s", name, how, rest) == 3)
            run_scene(api, name, how, rest);
        else if (sscanf(line, "shot %63s %899[^\r\n]", name, rest) == 2)
            run_scene(api, name, NULL, rest);
        else
            puts("skip unknown command");
        fflush(stdout);
    }
    return 0;
}
