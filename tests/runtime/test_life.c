/* SPDX-License-Identifier: MIT */
/* The life of devices: two at once, on other threads, windows that go away, programs that never release anything, and ten
 * thousand rounds of everything without growth of memory, handles, GDI and window objects. */
#include "tests/runtime/life.h"
#include "tests/runtime/program.h"
#include "tests/runtime/usage.h"

#define CYCLES 10000

static unsigned cycles(void)
{
    return cycles_or(CYCLES);
}

static void clear(IDirect3DDevice8 *device, uint32_t rgb)
{
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff000000 | rgb, 1, 0), D3D_OK);
}

static void present(IDirect3DDevice8 *device)
{
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
}

static void two_devices(void)
{
    life_two_devices(&devices8);
}

static void other_thread(void)
{
    life_other_thread(&devices8, 0);
}

static void threads_in_parallel(void)
{
    life_threads_in_parallel(&devices8);
}

/* --- ends --------------------------------------------------------------------------------- */

static void window_destroyed(void)
{
    CHECK_HR(life_window_destroyed(&devices8), D3DERR_INVALIDCALL);
}

static void full_screen_window_destroyed(void)
{
    life_full_screen_window_destroyed(&devices8, 0);
}

#define ABANDONED 42

/* A program that never releases anything: textures, buffers, a device that has drawn with all its threads. */
static int abandon(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, 0, NULL);
    IDirect3DTexture8 *texture;
    IDirect3DVertexBuffer8 *buffer;
    BYTE *data;

    if (!device)
        return 1;
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 256, 256, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, 4096, 0, D3DFVF_XYZ, D3DPOOL_DEFAULT, &buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &data, 0), D3D_OK); /* and stays locked */
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);                 /* and open */
    for (unsigned i = 0; i < 4; i++) {
        clear(device, i);
        present(device);
    }
    clear(device, 5); /* still waiting to be drawn */
    return ABANDONED;
}

static void exit_without_release(void)
{
    CHECK_EQUAL(run_self("--abandon"), ABANDONED);
}

/* --- rounds --------------------------------------------------------------------------------- */

/* A texture, a state block, a shader and a draw, so that there is something to release. */
static void use(IDirect3DDevice8 *device)
{
    static const float triangle[3][4] = {{0, 0, 0.5f, 1}, {9, 0, 0.5f, 1}, {0, 9, 0.5f, 1}};
    IDirect3DTexture8 *texture = NULL;
    DWORD block = 0;

    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 4, 4, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 16), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    present(device);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, NULL), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    IDirect3DTexture8_Release(texture);
}

static D3DPRESENT_PARAMETERS small_buffers(HWND window, unsigned round)
{
    D3DPRESENT_PARAMETERS p = windowed(window);

    p.BackBufferWidth = 16 + round % 3;
    p.BackBufferHeight = 16;
    p.BackBufferCount = 1 + round % 2;
    return p;
}

static void many_resets(void)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS p = small_buffers(window, 0);
    IDirect3DDevice8 *device = open_device(window, 0, &p);
    struct usage before = {0, 0, 0, 0}, after;

    if (!device)
        return;
    for (unsigned i = 0; i < cycles(); i++) {
        p = small_buffers(window, i);
        if (i == cycles() / 10)
            before = measure();
        if (FAILED(IDirect3DDevice8_Reset(device, &p))) {
            failed(__FILE__, __LINE__, "Reset %u failed", i);
            break;
        }
        use(device);
    }
    after = measure();
    compare("Reset", &before, &after);
    close_device(device, window);
}

static void many_devices(void)
{
    HWND window = open_window();
    struct usage before = {0, 0, 0, 0}, after;
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);

    for (unsigned i = 0; i < cycles(); i++) {
        D3DPRESENT_PARAMETERS p = small_buffers(window, i);
        IDirect3DDevice8 *device = NULL;
        if (i == cycles() / 10)
            before = measure();
        if (FAILED(IDirect3D8_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                           &device))) {
            failed(__FILE__, __LINE__, "CreateDevice %u failed", i);
            break;
        }
        use(device);
        CHECK_EQUAL(IDirect3DDevice8_Release(device), 0);
    }
    after = measure();
    compare("CreateDevice", &before, &after);
    CHECK_EQUAL(IDirect3D8_Release(d3d), 0);
    DestroyWindow(window);
}

/* Full screen and back; the window is as before. */
static void full_screen_and_back(void)
{
    HWND window = open_window();
    LONG style = GetWindowLongA(window, GWL_STYLE);
    D3DPRESENT_PARAMETERS p = windowed(window), full = full_screen(window), wanted = full;
    IDirect3DDevice8 *device = open_device(window, 0, &p);
    RECT rect, now;

    if (!device)
        return;
    GetWindowRect(window, &rect);
    for (unsigned i = 0; i < 10; i++) {
        full = wanted;
        CHECK_HR(IDirect3DDevice8_Reset(device, &full), D3D_OK);
        use(device);
        CHECK_HR(IDirect3DDevice8_Reset(device, &p), D3D_OK);
        use(device);
        pump();
    }
    CHECK_EQUAL(GetWindowLongA(window, GWL_STYLE), style);
    GetWindowRect(window, &now);
    CHECK(EqualRect(&rect, &now));
    close_device(device, window);
}

static const struct test tests[] = {
    {"life_two_devices", two_devices},
    {"life_other_thread", other_thread},
    {"life_threads_in_parallel", threads_in_parallel},
    {"life_window_destroyed", window_destroyed},
    {"life_full_screen_window_destroyed", full_screen_window_destroyed},
    {"life_exit_without_release", exit_without_release},
    {"life_full_screen_and_back", full_screen_and_back},
    {"life_many_resets", many_resets},
    {"life_many_devices", many_devices},
};

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--abandon"))
        return abandon();
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
