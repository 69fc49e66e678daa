/* SPDX-License-Identifier: MIT */
/*
 * Measures whichever d3d8.dll it is given, at the command of scripts/bench-wine, which keeps one such
 * process for each implementation and lets them take turns. Reads a command a line and answers with a
 * line:
 *
 *   run SCENE present|readback SECONDS   ->  FRAMES SECONDS CPU-SECONDS     CPU: of all threads
 *   shot SCENE FILE                      ->  ok        frame 5 as PPM
 *   list                                 ->  a line "NAME WORK..." for each scene, then "."
 *   adapter                              ->  what the implementation calls itself
 *
 * or "skip REASON" when the implementation cannot do it. Every run has a window and a device of its own.
 */
#include "bench/wine/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_FRAMES 4
#define SHOT_FRAME  5

struct session {
    HWND window;
    IDirect3D8 *d3d;
    IDirect3DDevice8 *device;
    IDirect3DSurface8 *back, *copy; /* `copy`: system memory */
};

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
    return CreateWindowA("bench", "bench", WS_POPUP | WS_VISIBLE, 0, 0, VIEW_WIDTH, VIEW_HEIGHT, NULL, NULL,
                         class.hInstance, NULL);
}

static void handle_messages(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE))
        DispatchMessageA(&message);
}

static double now(void)
{
    LARGE_INTEGER ticks, frequency;

    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    return (double)ticks.QuadPart / (double)frequency.QuadPart;
}

/* What all threads of the process have used; counts on where the clock measures the neighbours too. */
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

/* --- a device ------------------------------------------------------------------------------ */

static void close_session(struct session *s)
{
    if (s->copy)
        IDirect3DSurface8_Release(s->copy);
    if (s->back)
        IDirect3DSurface8_Release(s->back);
    if (s->device)
        IDirect3DDevice8_Release(s->device);
    if (s->d3d)
        IDirect3D8_Release(s->d3d);
    if (s->window)
        DestroyWindow(s->window);
    handle_messages();
}

static bool open_session(struct session *s, bool samples)
{
    D3DPRESENT_PARAMETERS parameters = {
        .BackBufferWidth = VIEW_WIDTH,
        .BackBufferHeight = VIEW_HEIGHT,
        .BackBufferFormat = D3DFMT_X8R8G8B8,
        .BackBufferCount = 1,
        .MultiSampleType = samples ? D3DMULTISAMPLE_4_SAMPLES : D3DMULTISAMPLE_NONE,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .Windowed = TRUE,
        .EnableAutoDepthStencil = TRUE,
        .AutoDepthStencilFormat = D3DFMT_D24S8,
    };

    memset(s, 0, sizeof(*s));
    s->d3d = Direct3DCreate8(D3D_SDK_VERSION);
    s->window = open_window();
    if (!s->d3d || !s->window)
        return false;
    handle_messages();
    if (FAILED(IDirect3D8_CreateDevice(s->d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, s->window,
                                       D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &s->device)))
        return false;
    return SUCCEEDED(IDirect3DDevice8_GetBackBuffer(s->device, 0, D3DBACKBUFFER_TYPE_MONO, &s->back)) &&
           SUCCEEDED(
               IDirect3DDevice8_CreateImageSurface(s->device, VIEW_WIDTH, VIEW_HEIGHT, D3DFMT_X8R8G8B8, &s->copy));
}

/* The picture in the program's hands: what a screenshot or a test costs. */
static bool lock_picture(struct session *s, D3DLOCKED_RECT *locked)
{
    return SUCCEEDED(IDirect3DDevice8_CopyRects(s->device, s->back, NULL, 0, s->copy, NULL)) &&
           SUCCEEDED(IDirect3DSurface8_LockRect(s->copy, locked, NULL, D3DLOCK_READONLY));
}

static bool read_back(struct session *s)
{
    D3DLOCKED_RECT locked;

    if (!lock_picture(s, &locked))
        return false;
    IDirect3DSurface8_UnlockRect(s->copy);
    return true;
}

/* --- commands --------------------------------------------------------------------------------- */

static const struct scene *find_scene(const char *name)
{
    for (unsigned i = 0; i < fill_scene_count; i++)
        if (!strcmp(fill_scenes[i].name, name))
            return &fill_scenes[i];
    for (unsigned i = 0; i < work_scene_count; i++)
        if (!strcmp(work_scenes[i].name, name))
            return &work_scenes[i];
    return NULL;
}

static void draw_frame(struct session *s, const struct scene *scene, unsigned frame)
{
    IDirect3DDevice8_BeginScene(s->device);
    scene->draw(s->device, frame);
    IDirect3DDevice8_EndScene(s->device);
}

static bool end_frame(struct session *s, bool readback)
{
    handle_messages();
    if (readback)
        return read_back(s);
    return SUCCEEDED(IDirect3DDevice8_Present(s->device, NULL, NULL, NULL, NULL));
}

/* Frames until `seconds` are over; what is still under way at the end counts too. */
static bool measure(struct session *s, const struct scene *scene, bool readback, double seconds)
{
    double start, end, cpu;
    unsigned frame = 0;

    for (; frame < WARM_FRAMES; frame++) {
        draw_frame(s, scene, frame);
        if (!end_frame(s, readback))
            return false;
    }
    read_back(s);
    start = now();
    cpu = cpu_now();
    do {
        draw_frame(s, scene, frame++);
        if (!end_frame(s, readback))
            return false;
        end = now();
    } while (end - start < seconds);
    if (!readback) {
        read_back(s);
        end = now();
    }
    printf("%u %.6f %.6f\n", frame - WARM_FRAMES, end - start, cpu_now() - cpu);
    return true;
}

static bool write_ppm(const char *path, const D3DLOCKED_RECT *locked)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return false;
    fprintf(file, "P6\n%d %d\n255\n", VIEW_WIDTH, VIEW_HEIGHT);
    for (int y = 0; y < VIEW_HEIGHT; y++) {
        const uint8_t *row = (const uint8_t *)locked->pBits + y * locked->Pitch;

        for (int x = 0; x < VIEW_WIDTH; x++) {
            const uint8_t rgb[3] = {row[4 * x + 2], row[4 * x + 1], row[4 * x]};

            fwrite(rgb, 1, 3, file);
        }
    }
    return fclose(file) == 0;
}

static bool take_shot(struct session *s, const struct scene *scene, const char *path)
{
    D3DLOCKED_RECT locked;
    bool good;

    draw_frame(s, scene, SHOT_FRAME);
    if (!lock_picture(s, &locked))
        return false;
    good = write_ppm(path, &locked);
    IDirect3DSurface8_UnlockRect(s->copy);
    if (good)
        puts("ok");
    return good;
}

/* `how`: present, readback, or NULL for a picture in the file `what`. */
static void run_scene(const char *name, const char *how, const char *what)
{
    const struct scene *scene = find_scene(name);
    struct session s = {0};

    if (!scene) {
        printf("skip no scene %s\n", name);
    } else if (!open_session(&s, scene->wants_samples)) {
        puts("skip no such device");
    } else {
        bool good;

        if (scene->create)
            scene->create(s.device);
        if (how)
            good = measure(&s, scene, !strcmp(how, "readback"), atof(what));
        else
            good = take_shot(&s, scene, what);
        if (!good)
            puts("skip failed");
        if (scene->destroy)
            scene->destroy();
    }
    close_session(&s);
}

static void list_scenes(void)
{
    for (unsigned i = 0; i < fill_scene_count; i++)
        printf("%s %s\n", fill_scenes[i].name, fill_scenes[i].work);
    for (unsigned i = 0; i < work_scene_count; i++)
        printf("%s %s\n", work_scenes[i].name, work_scenes[i].work);
    puts(".");
}

static void name_adapter(void)
{
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    D3DADAPTER_IDENTIFIER8 identifier;

    if (d3d && SUCCEEDED(IDirect3D8_GetAdapterIdentifier(d3d, D3DADAPTER_DEFAULT, D3DENUM_NO_WHQL_LEVEL, &identifier)))
        printf("%s, %s\n", identifier.Driver, identifier.Description);
    else
        puts("skip no adapter");
    if (d3d)
        IDirect3D8_Release(d3d);
}

int main(void)
{
    char line[1024], name[64], how[16], rest[900];

    while (fgets(line, sizeof(line), stdin)) {
        if (!strncmp(line, "list", 4))
            list_scenes();
        else if (!strncmp(line, "adapter", 7))
            name_adapter();
        else if (sscanf(line, "run %63s %15s %899s", name, how, rest) == 3)
            run_scene(name, how, rest);
        else if (sscanf(line, "shot %63s %899[^\r\n]", name, rest) == 2)
            run_scene(name, NULL, rest);
        else
            puts("skip unknown command");
        fflush(stdout);
    }
    return 0;
}
