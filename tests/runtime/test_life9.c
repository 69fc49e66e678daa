/* SPDX-License-Identifier: MIT */
/* The life of Direct3D 9 devices and of the dll: several at once, on other threads, windows that go away, programs that
 * never release anything, d3d9.dll loaded and unloaded, and d3d8.dll at the same time. */
#include "tests/runtime/life.h"
#include "tests/runtime/program9.h"
#include "tests/runtime/usage.h"

#include <stdlib.h>

/* --- several at once --------------------------------------------------------------------- */

static void two_devices(void)
{
    life_two_devices(&devices9);
}

/* Objects of one device passed to another are refused, and both continue to draw. */
static void foreign_objects(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *mine = open_device9(window, false, 0, NULL), *other = open_device9(window, false, 0, NULL);
    IDirect3DSurface9 *target = NULL;

    if (!mine || !other)
        return;
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(other, 64, 64, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &target,
                                                 NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(mine, 0, target), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice9_ColorFill(mine, target, NULL, 0xffffffff), D3DERR_INVALIDCALL);
    clear9(mine, 0x010203);
    clear9(other, 0x040506);
    CHECK_EQUAL(read_pixel9(mine, 9, 9), 0x010203);
    CHECK_EQUAL(read_pixel9(other, 9, 9), 0x040506);
    IDirect3DSurface9_Release(target);
    close_device9(other, NULL);
    close_device9(mine, window);
}

/* Both versions on one driver, frame by frame; one is released while the other stays. */
static void both_versions(void)
{
    for (unsigned first_to_go = 0; first_to_go < 2; first_to_go++) {
        HWND windows[2] = {open_window(), open_window()};
        void *eight = devices8.open(windows[0], 0, 0);
        IDirect3DDevice9 *nine = open_device9(windows[1], first_to_go, 0, NULL);

        if (!eight || !nine)
            return;
        for (unsigned i = 0; i < 10; i++) {
            devices8.clear(eight, 0x100000 + i);
            clear9(nine, 0x000010 + i);
            CHECK_EQUAL(life_pixel(&devices8, eight, i, i), 0x100000 + i);
            CHECK_EQUAL(read_pixel9(nine, i, i), 0x000010 + i);
            present9(nine);
            CHECK_HR(devices8.present(eight, NULL), D3D_OK);
        }
        if (first_to_go == 0)
            devices8.close(eight, windows[0]);
        clear9(nine, 0x00ff00);
        CHECK_EQUAL(read_pixel9(nine, 1, 1), 0x00ff00);
        close_device9(nine, windows[1]);
        if (first_to_go == 1) {
            devices8.clear(eight, 0x0000ff);
            CHECK_EQUAL(life_pixel(&devices8, eight, 1, 1), 0x0000ff);
            devices8.close(eight, windows[0]);
        }
    }
}

/* The program releases a swap chain whose buffer is the target: further drawing is discarded, and the next target gets
 * all of its drawing. */
static void target_of_released_chain(void)
{
    for (unsigned ex = 0; ex < 2; ex++) {
        HWND window = open_window();
        IDirect3DDevice9 *device = open_device9(window, ex, 0, NULL);
        D3DPRESENT_PARAMETERS p = windowed9(window);
        IDirect3DSwapChain9 *chain = NULL;
        IDirect3DSurface9 *back = NULL, *bound = NULL;
        static const float triangle[3][4] = {{0, 0, 0.5f, 1}, {600, 0, 0.5f, 1}, {0, 400, 0.5f, 1}};

        if (!device)
            return;
        p.BackBufferWidth = p.BackBufferHeight = 64;
        CHECK_HR(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain), D3D_OK);
        CHECK_HR(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
        clear9(device, 0xffffff);
        IDirect3DSurface9_Release(back);
        CHECK_EQUAL(IDirect3DSwapChain9_Release(chain), 0);
        IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW);
        for (unsigned i = 0; i < 3; i++) {
            IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff00ff00, 1, 0);
            IDirect3DDevice9_BeginScene(device);
            IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 16);
            IDirect3DDevice9_EndScene(device);
        }
        CHECK_HR(IDirect3DDevice9_GetRenderTarget(device, 0, &bound), D3D_OK);
        CHECK(bound == back);
        IDirect3DSurface9_Release(bound);
        CHECK_HR(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
        CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, back), D3D_OK);
        IDirect3DSurface9_Release(back);
        clear9(device, 0x345678);
        CHECK_EQUAL(read_pixel9(device, 5, 5), 0x345678);
        close_device9(device, window);
    }
}

/* The same while the program has locked the buffer, or draws to it with GDI. */
static void lock_of_released_chain(void)
{
    for (unsigned by_gdi = 0; by_gdi < 2; by_gdi++) {
        HWND window = open_window();
        IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);
        D3DPRESENT_PARAMETERS p = windowed9(window);
        IDirect3DSwapChain9 *chain = NULL;
        IDirect3DSurface9 *back = NULL;
        D3DLOCKED_RECT locked;
        HDC dc = NULL;

        if (!device)
            return;
        p.BackBufferWidth = p.BackBufferHeight = 64;
        p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
        CHECK_HR(IDirect3DDevice9_CreateAdditionalSwapChain(device, &p, &chain), D3D_OK);
        CHECK_HR(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
        if (by_gdi)
            CHECK_HR(IDirect3DSurface9_GetDC(back, &dc), D3D_OK);
        else
            CHECK_HR(IDirect3DSurface9_LockRect(back, &locked, NULL, 0), D3D_OK);
        CHECK_EQUAL(IDirect3DSwapChain9_Release(chain), 0);
        if (by_gdi) {
            SetPixel(dc, 1, 1, 0xffffff); /* into nothing */
            CHECK_HR(IDirect3DSurface9_ReleaseDC(back, dc), D3DERR_INVALIDCALL);
        } else {
            CHECK_HR(IDirect3DSurface9_UnlockRect(back), D3DERR_INVALIDCALL);
        }
        CHECK_HR(IDirect3DSurface9_LockRect(back, &locked, NULL, 0), D3DERR_INVALIDCALL);
        CHECK_EQUAL(IDirect3DSurface9_Release(back), 0);
        clear9(device, 0x345678);
        CHECK_EQUAL(read_pixel9(device, 5, 5), 0x345678);
        close_device9(device, window);
    }
}

/* --- threads -------------------------------------------------------------------------------- */

static void other_thread(void)
{
    life_other_thread(&devices9, D3DCREATE_HARDWARE_VERTEXPROCESSING);
    life_other_thread(&devices9, D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED);
}

static void threads_in_parallel(void)
{
    life_threads_in_parallel(&devices9);
}

/* A device with D3DCREATE_MULTITHREADED takes calls from several threads at once. */
static DWORD WINAPI make_textures(void *argument)
{
    IDirect3DDevice9 *device = argument;

    for (unsigned i = 0; i < 300; i++) {
        IDirect3DTexture9 *texture = NULL;
        D3DLOCKED_RECT locked;

        if (FAILED(IDirect3DDevice9_CreateTexture(device, 32, 32, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture,
                                                  NULL)) ||
            FAILED(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0)))
            return 1;
        memset(locked.pBits, 0x80, 32 * (size_t)locked.Pitch);
        IDirect3DTexture9_UnlockRect(texture, 0);
        if (FAILED(IDirect3DDevice9_SetTexture(device, i % 8, (IDirect3DBaseTexture9 *)texture)))
            return 2;
        IDirect3DTexture9_Release(texture);
    }
    return 0;
}

static void one_device_many_threads(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device =
        open_device9(window, false, D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED, NULL);
    static const float triangle[3][6] = {{0, 0, 0.5f, 1, 0, 0}, {640, 0, 0.5f, 1, 1, 0}, {0, 480, 0.5f, 1, 0, 1}};
    HANDLE threads[3];
    DWORD result;

    if (!device)
        return;
    for (unsigned i = 0; i < 3; i++)
        threads[i] = CreateThread(NULL, 0, make_textures, device, 0, NULL);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1), D3D_OK);
    while (WaitForMultipleObjects(3, threads, TRUE, 0) == WAIT_TIMEOUT) {
        CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 24), D3D_OK);
        CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
        pump();
    }
    for (unsigned i = 0; i < 3; i++) {
        GetExitCodeThread(threads[i], &result);
        CHECK_EQUAL(result, 0);
        CloseHandle(threads[i]);
    }
    close_device9(device, window);
}

/* --- windows that are destroyed ------------------------------------------------------------------------- */

static void window_destroyed(void)
{
    life_window_destroyed(&devices9);
}

static void full_screen_window_destroyed(void)
{
    life_full_screen_window_destroyed(&devices9, 0);
    life_full_screen_window_destroyed(&devices9, DEVICE_EX);
}

/* The device is lost when the window is destroyed: a Reset with another window brings the device back. */
static void focus_window_destroyed(void)
{
    HWND window = open_window(), other;
    D3DPRESENT_PARAMETERS p = full_screen9(window);
    IDirect3DDevice9 *device = open_device9(window, false, 0, &p);

    if (!device)
        return;
    other = open_window();
    SetForegroundWindow(GetDesktopWindow());
    pump();
    CHECK_HR(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICELOST);
    DestroyWindow(window);
    pump();
    CHECK_HR(IDirect3DDevice9_TestCooperativeLevel(device), D3DERR_DEVICENOTRESET);
    p = windowed9(other);
    CHECK_HR(IDirect3DDevice9_Reset(device, &p), D3D_OK);
    clear9(device, 0x123456);
    CHECK_EQUAL(read_pixel9(device, 3, 3), 0x123456);
    close_device9(device, other);
}

/* Only a device of plain Direct3D 9 forgets its scene (test_scene of Wine's d3d9ex suite). */
static void scene_over_reset(void)
{
    for (unsigned i = 0; i < 3; i++) {
        const bool ex = i > 0;
        HWND window = open_window();
        D3DPRESENT_PARAMETERS p = windowed9(window);
        IDirect3DDevice9 *device = open_device9(window, ex, 0, NULL);

        if (!device)
            return;
        CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
        if (i == 2)
            CHECK_HR(IDirect3DDevice9Ex_ResetEx((IDirect3DDevice9Ex *)device, &p, NULL), D3D_OK);
        else
            CHECK_HR(IDirect3DDevice9_Reset(device, &p), D3D_OK);
        if (ex)
            CHECK_HR(IDirect3DDevice9_BeginScene(device), D3DERR_INVALIDCALL);
        clear9(device, 0x123456);
        CHECK_EQUAL(read_pixel9(device, 8, 8), 0x123456);
        CHECK_HR(IDirect3DDevice9_EndScene(device), ex ? D3D_OK : D3DERR_INVALIDCALL);
        CHECK_HR(IDirect3DDevice9_EndScene(device), D3DERR_INVALIDCALL);
        CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
        CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
        close_device9(device, window);
    }
}

static void full_screen_and_back(void)
{
    HWND window = open_window();
    LONG style = GetWindowLongA(window, GWL_STYLE);
    D3DPRESENT_PARAMETERS p = windowed9(window), full;
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL);

    if (!device)
        return;
    for (unsigned i = 0; i < 5; i++) {
        full = full_screen9(window);
        CHECK_HR(IDirect3DDevice9_Reset(device, &full), D3D_OK);
        clear9(device, 0x102030 + i);
        CHECK_EQUAL(read_pixel9(device, 8, 8), 0x102030 + i);
        present9(device);
        CHECK_HR(IDirect3DDevice9_Reset(device, &p), D3D_OK);
        clear9(device, 0x302010 + i);
        CHECK_EQUAL(read_pixel9(device, 8, 8), 0x302010 + i);
        present9(device);
        pump();
    }
    /* Version 9 leaves it to the program to bring its window back into view. */
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE) & ~WS_VISIBLE, style & ~WS_VISIBLE);
    close_device9(device, window);
}

/* --- programs that release nothing ------------------------------------------------------------ */

#define ABANDONED 42

/* Textures, buffers, queries, a device that has drawn with all its threads, and one on a thread that still runs. */
static DWORD WINAPI draw_on(void *argument)
{
    IDirect3DDevice9 *device = argument;

    for (unsigned i = 0;; i++)
        IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, i, 1, 0);
    return 0;
}

static int abandon(void)
{
    HWND window = open_window();
    IDirect3DDevice9 *device = open_device9(window, false, 0, NULL), *other = open_device9(window, true, 0, NULL);
    IDirect3DTexture9 *texture;
    IDirect3DVertexBuffer9 *buffer;
    IDirect3DQuery9 *query;
    void *data;

    if (!device || !other)
        return 1;
    CHECK_HR(IDirect3DDevice9_CreateTexture(device, 256, 256, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, 4096, 0, D3DFVF_XYZ, D3DPOOL_DEFAULT, &buffer, NULL), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &data, 0), D3D_OK); /* and stays locked */
    CHECK_HR(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query), D3D_OK);
    CHECK_HR(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN), D3D_OK);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK); /* and open */
    D3DPERF_BeginEvent(0, L"that never ends");
    for (unsigned i = 0; i < 4; i++) {
        clear9(device, i);
        present9(device);
    }
    clear9(device, 5); /* still waiting to be drawn */
    CreateThread(NULL, 0, draw_on, other, 0, NULL);
    Sleep(50);
    return ABANDONED;
}

static void exit_without_release(void)
{
    CHECK_EQUAL(run_self("--abandon"), ABANDONED);
}

/* While a capture is written: the file is there, complete, under its own name. */
static void exit_while_capturing(void)
{
    WIN32_FIND_DATAA found;
    HANDLE search;

    DeleteFileA("abandoned.capture");
    SetEnvironmentVariableA("HALCYON_CAPTURE", "abandoned.capture");
    CHECK_EQUAL(run_self("--abandon"), ABANDONED);
    SetEnvironmentVariableA("HALCYON_CAPTURE", NULL);
    search = FindFirstFileA("abandoned*.capture*", &found);
    CHECK(search != INVALID_HANDLE_VALUE);
    if (search != INVALID_HANDLE_VALUE) {
        CHECK(found.nFileSizeLow > 1000);
        FindClose(search);
    }
}

/* --- loading and unloading the dll ---------------------------------------------------------------------- */

#define LOADED 43

typedef IDirect3D9 *(WINAPI *create_function)(UINT);

static bool use_loaded(HMODULE dll, HWND window, unsigned round)
{
    create_function create = (create_function)(void *)GetProcAddress(dll, "Direct3DCreate9");
    D3DPRESENT_PARAMETERS p = windowed9(window);
    IDirect3D9 *d3d = create ? create(D3D_SDK_VERSION) : NULL;
    IDirect3DDevice9 *device = NULL;
    uint32_t pixel;

    if (!d3d || FAILED(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                               &device)))
        return false;
    clear9(device, round);
    pixel = read_pixel9(device, 7, 7);
    present9(device);
    return !IDirect3DDevice9_Release(device) && !IDirect3D9_Release(d3d) && pixel == round;
}

/* This program imports d3d9.dll, which therefore stays loaded: the dll that is loaded and unloaded is a copy under
 * another name. */
static int load_and_free(unsigned rounds)
{
    struct usage before = {0, 0, 0, 0}, after;
    HWND window = open_window();

    if (!CopyFileA("d3d9.dll", "unloaded9.dll", FALSE))
        return 1;
    for (unsigned i = 0; i < rounds; i++) {
        HMODULE dll = LoadLibraryA("unloaded9.dll");

        if (i == 5)
            before = measure();
        if (!dll || !use_loaded(dll, window, i))
            return 2;
        if (!FreeLibrary(dll) || GetModuleHandleA("unloaded9.dll"))
            return 3;
        pump();
    }
    after = measure();
    printf("# loaded and unloaded %u times: memory %zu to %zu, handles %u to %u\n", rounds, before.memory, after.memory,
           before.handles, after.handles);
    DestroyWindow(window);
    if (after.handles > before.handles + 64 || after.memory > before.memory + rounds * 16384)
        return 4;
    return LOADED;
}

/* Threads that have named events outlive the dll. */
static DWORD WINAPI name_and_wait(void *argument)
{
    HANDLE *events = argument;
    HMODULE dll = LoadLibraryA("unloaded9.dll");
    int(WINAPI * begin)(D3DCOLOR, LPCWSTR) = (void *)GetProcAddress(dll, "D3DPERF_BeginEvent");

    begin(0, L"kept by this thread");
    FreeLibrary(dll);
    SetEvent(events[0]);
    WaitForSingleObject(events[1], INFINITE);
    return 5;
}

static int thread_outlives_dll(void)
{
    HANDLE events[2] = {CreateEventA(NULL, FALSE, FALSE, NULL), CreateEventA(NULL, FALSE, FALSE, NULL)}, thread;
    DWORD code = 0;

    CopyFileA("d3d9.dll", "unloaded9.dll", FALSE);
    thread = CreateThread(NULL, 0, name_and_wait, events, 0, NULL);
    WaitForSingleObject(events[0], INFINITE);
    if (GetModuleHandleA("unloaded9.dll"))
        return 6;
    SetEvent(events[1]);
    if (WaitForSingleObject(thread, 3600000))
        return 7;
    GetExitCodeThread(thread, &code);
    return code == 5 ? LOADED : 8;
}

static void loaded_and_unloaded(void)
{
    CHECK_EQUAL(run_self("--load"), LOADED);
    CHECK_EQUAL(run_self("--outlive"), LOADED);
}

static const struct test tests[] = {
    {"life9_two_devices", two_devices},
    {"life9_foreign_objects", foreign_objects},
    {"life9_both_versions", both_versions},
    {"life9_target_of_released_chain", target_of_released_chain},
    {"life9_lock_of_released_chain", lock_of_released_chain},
    {"life9_other_thread", other_thread},
    {"life9_threads_in_parallel", threads_in_parallel},
    {"life9_one_device_many_threads", one_device_many_threads},
    {"life9_window_destroyed", window_destroyed},
    {"life9_full_screen_window_destroyed", full_screen_window_destroyed},
    {"life9_focus_window_destroyed", focus_window_destroyed},
    {"life9_full_screen_and_back", full_screen_and_back},
    {"life9_scene_over_reset", scene_over_reset},
    {"life9_exit_without_release", exit_without_release},
    {"life9_exit_while_capturing", exit_while_capturing},
    {"life9_loaded_and_unloaded", loaded_and_unloaded},
};

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--abandon"))
        return abandon();
    if (argc == 2 && !strcmp(argv[1], "--load"))
        return load_and_free(cycles_or(40));
    if (argc == 2 && !strcmp(argv[1], "--outlive"))
        return thread_outlives_dll();
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
