/* SPDX-License-Identifier: MIT */
/*
 * Calls to DirectDraw's objects from other threads, and from callbacks, while one of its methods runs: the windows of other
 * threads get messages in SetCooperativeLevel, objects end in the Release of private data. Nothing may stop, and nothing is released twice.
 */
#include "tests/runtime/check.h"

#define COBJMACROS
#include <initguid.h>
#include <ddraw.h>

#include "base/base.h"
#include "tests/runtime/ddraw_dll.h"

#define PATIENCE 120000 /* milliseconds after which a thread counts as stopped forever, however busy the machine is */

typedef HRESULT(WINAPI *create_ex)(GUID *, void **, REFIID, IUnknown *);
typedef void(WINAPI *lock_function)(void);
static create_ex create;
static lock_function acquire, release;

static IDirectDraw7 *make_ddraw(void)
{
    void *ddraw = NULL;

    CHECK_HR(create(NULL, &ddraw, &IID_IDirectDraw7, NULL), DD_OK);
    return ddraw;
}

/* --- windows of other threads -------------------------------------------------------------- */

/* A thread that has a window and handles its messages. */
struct window_thread {
    HANDLE thread, ready;
    HWND window;
    IDirectDraw7 *volatile ddraw; /* of which the window asks in each message; NULL: none */
    volatile LONG asked;
};

static LRESULT CALLBACK asking_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    struct window_thread *self = (struct window_thread *)GetWindowLongPtrA(window, GWLP_USERDATA);
    IDirectDraw7 *ddraw = self ? self->ddraw : NULL;
    DDCAPS caps = {.dwSize = sizeof(caps)};

    if (ddraw) {
        CHECK_HR(IDirectDraw7_GetCaps(ddraw, &caps, NULL), DD_OK);
        InterlockedIncrement(&self->asked);
    }
    if (message == WM_CLOSE)
        PostQuitMessage(0);
    return message == WM_CLOSE ? 0 : DefWindowProcA(window, message, wparam, lparam);
}

static DWORD WINAPI own_window(void *parameter)
{
    struct window_thread *self = parameter;
    MSG message;

    self->window =
        CreateWindowA("halcyon asking", "", WS_POPUP | WS_VISIBLE, 0, 0, WIDTH, HEIGHT, NULL, NULL, NULL, NULL);
    SetWindowLongPtrA(self->window, GWLP_USERDATA, (LONG_PTR)self);
    SetEvent(self->ready);
    while (GetMessageA(&message, NULL, 0, 0) > 0)
        DispatchMessageA(&message);
    SetWindowLongPtrA(self->window, GWLP_USERDATA, 0);
    DestroyWindow(self->window);
    return 0;
}

static void start_window(struct window_thread *self, IDirectDraw7 *ddraw)
{
    *self = (struct window_thread){.ready = CreateEventA(NULL, FALSE, FALSE, NULL), .ddraw = ddraw};
    self->thread = CreateThread(NULL, 0, own_window, self, 0, NULL);
    CHECK_EQUAL(WaitForSingleObject(self->ready, PATIENCE), WAIT_OBJECT_0);
}

/* From now on the window asks nothing: its thread has handled all that was sent to it before. */
static void stop_asking(struct window_thread *self)
{
    self->ddraw = NULL;
    SendMessageA(self->window, WM_NULL, 0, 0);
}

static void end_window(struct window_thread *self)
{
    PostMessageA(self->window, WM_CLOSE, 0, 0);
    CHECK_EQUAL(WaitForSingleObject(self->thread, PATIENCE), WAIT_OBJECT_0);
    CloseHandle(self->thread);
    CloseHandle(self->ready);
}

/* --- levels --------------------------------------------------------------------------------- */

struct level_thread {
    IDirectDraw7 *ddraw;
    HWND window;
    unsigned rounds;
    bool has_lock; /* the thread calls between AcquireDDThreadLock and ReleaseDDThreadLock */
};

static DWORD WINAPI set_levels(void *parameter)
{
    struct level_thread *self = parameter;

    for (unsigned i = 0; i < self->rounds; i++) {
        if (self->has_lock)
            acquire();
        IDirectDraw7_SetCooperativeLevel(self->ddraw, self->window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN);
        if (i % 3 == 0)
            IDirectDraw7_SetDisplayMode(self->ddraw, WIDTH, HEIGHT, 32, 0, 0);
        IDirectDraw7_SetCooperativeLevel(self->ddraw, self->window, DDSCL_NORMAL);
        if (self->has_lock)
            release();
    }
    return 0;
}

/* In a thread, because the calls must come to an end. The main thread's windows get their messages meanwhile. */
static bool comes_to_an_end(HANDLE thread)
{
    const DWORD start = GetTickCount();

    while (GetTickCount() - start < PATIENCE) {
        if (MsgWaitForMultipleObjects(1, &thread, FALSE, 100, QS_ALLINPUT) == WAIT_OBJECT_0) {
            CloseHandle(thread);
            return true;
        }
        pump();
    }
    return false;
}

/* The window's thread asks DirectDraw in each message, while the thread that sends them has the lock: by AcquireDDThreadLock too. */
static void level_under_lock(void)
{
    IDirectDraw7 *ddraw = make_ddraw();
    struct window_thread window;
    struct level_thread levels;

    start_window(&window, ddraw);
    levels = (struct level_thread){ddraw, window.window, 3, true};
    CHECK(comes_to_an_end(CreateThread(NULL, 0, set_levels, &levels, 0, NULL)));
    CHECK(window.asked > 0);
    stop_asking(&window);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    end_window(&window);
}

/* Two threads set the level of one object, each with a window of its own: windows keep the procedures that they had. */
static void levels_of_two_threads(void)
{
    IDirectDraw7 *ddraw = make_ddraw();
    struct window_thread windows[2];
    struct level_thread levels[2];
    HANDLE threads[2];

    for (unsigned i = 0; i < 2; i++) {
        start_window(&windows[i], ddraw);
        levels[i] = (struct level_thread){ddraw, windows[i].window, 40, false};
    }
    for (unsigned i = 0; i < 2; i++)
        threads[i] = CreateThread(NULL, 0, set_levels, &levels[i], 0, NULL);
    for (unsigned i = 0; i < 2; i++)
        CHECK(comes_to_an_end(threads[i]));
    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, NULL, DDSCL_NORMAL), DD_OK);
    for (unsigned i = 0; i < 2; i++)
        stop_asking(&windows[i]);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
    for (unsigned i = 0; i < 2; i++) {
        CHECK((WNDPROC)GetWindowLongPtrA(windows[i].window, GWLP_WNDPROC) == asking_proc);
        end_window(&windows[i]);
    }
}

/* --- private data ----------------------------------------------------------------------------- */

/* A program's object whose last Release ends a surface. */
struct ender {
    IUnknown iface;
    LONG refs, ends;
    IDirectDrawSurface7 *surface;
};

static HRESULT STDMETHODCALLTYPE ender_query(IUnknown *iface, REFIID id, void **out)
{
    (void)iface;
    (void)id;
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE ender_addref(IUnknown *iface)
{
    return (ULONG)InterlockedIncrement(&((struct ender *)iface)->refs);
}

static ULONG STDMETHODCALLTYPE ender_release(IUnknown *iface)
{
    struct ender *self = (struct ender *)iface;
    const LONG refs = InterlockedDecrement(&self->refs);

    if (!refs) {
        self->ends++;
        if (self->surface)
            CHECK_EQUAL(IDirectDrawSurface7_Release(self->surface), 0);
    }
    return (ULONG)refs;
}

/* The surface ends in SetPrivateData, by the Release of what the tag had before: what it has now is released with it. */
static void private_data_ends_its_surface(void)
{
    static const GUID tag = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    static IUnknownVtbl vtbl = {ender_query, ender_addref, ender_release};
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT};
    struct ender first = {.iface = {&vtbl}}, second = {.iface = {&vtbl}};
    IDirectDraw7 *ddraw = make_ddraw();

    CHECK_HR(IDirectDraw7_SetCooperativeLevel(ddraw, NULL, DDSCL_NORMAL), DD_OK);
    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY;
    desc.dwWidth = desc.dwHeight = 16;
    CHECK_HR(IDirectDraw7_CreateSurface(ddraw, &desc, &first.surface, NULL), DD_OK);
    CHECK_HR(IDirectDrawSurface7_SetPrivateData(first.surface, &tag, &first, sizeof(void *), DDSPD_IUNKNOWNPOINTER),
             DD_OK);
    CHECK_EQUAL(first.refs, 1);
    CHECK_HR(IDirectDrawSurface7_SetPrivateData(first.surface, &tag, &second, sizeof(void *), DDSPD_IUNKNOWNPOINTER),
             DD_OK);
    CHECK_EQUAL(first.ends, 1);
    CHECK_EQUAL(second.ends, 1);
    CHECK_EQUAL(IDirectDraw7_Release(ddraw), 0);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"ddraw_level_under_lock", level_under_lock},
        {"ddraw_levels_of_two_threads", levels_of_two_threads},
        {"ddraw_private_data_ends_its_surface", private_data_ends_its_surface},
    };
    WNDCLASSA class = {.lpfnWndProc = asking_proc, .lpszClassName = "halcyon asking"};
    HMODULE library = load_ddraw();

    create = (create_ex)(void *)ddraw_export(library, "DirectDrawCreateEx");
    acquire = (lock_function)(void *)ddraw_export(library, "AcquireDDThreadLock");
    release = (lock_function)(void *)ddraw_export(library, "ReleaseDDThreadLock");
    if (!create || !acquire || !release || !RegisterClassA(&class)) {
        printf("not ok ddraw.dll\n");
        return 1;
    }
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
