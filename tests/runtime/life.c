/* SPDX-License-Identifier: MIT */
/* The life of devices of either version. */
#define COBJMACROS
#include "tests/runtime/life.h"

#include <unknwn.h>

uint32_t life_pixel(const struct device_api *version, void *device, unsigned x, unsigned y)
{
    return take_pixel(version->read(device), x, y);
}

static void show(const struct device_api *version, void *device)
{
    CHECK_HR(version->present(device, NULL), S_OK);
}

/* --- several at once --------------------------------------------------------------------- */

void life_two_devices(const struct device_api *version)
{
    HWND windows[2] = {open_window(), open_window()};
    void *devices[2] = {version->open(windows[0], 0, 0), version->open(windows[1], DEVICE_EX, 0)};
    static const uint32_t colors[2] = {0x123456, 0xfedcba};

    if (!devices[0] || !devices[1])
        return;
    for (unsigned round = 0; round < 5; round++) {
        for (unsigned i = 0; i < 2; i++) {
            show(version, devices[i]);
            version->clear(devices[i], colors[i]);
        }
        for (unsigned i = 0; i < 2; i++)
            CHECK_EQUAL(life_pixel(version, devices[i], 100, 100), colors[i]);
    }
    version->close(devices[0], windows[0]);
    version->clear(devices[1], 0x777777);
    CHECK_EQUAL(life_pixel(version, devices[1], 5, 5), 0x777777);
    show(version, devices[1]);
    version->close(devices[1], windows[1]);
}

/* --- threads -------------------------------------------------------------------------------- */

struct job {
    const struct device_api *version;
    HWND window;
    void *device;
    uint32_t color;
    DWORD flags;
};

static DWORD WINAPI draw_frames(void *argument)
{
    const struct job *job = argument;

    for (unsigned i = 0; i < 50; i++) {
        job->version->clear(job->device, job->color + i);
        if (life_pixel(job->version, job->device, i, i) != job->color + i)
            return 1;
        show(job->version, job->device);
    }
    return 0;
}

static DWORD WINAPI draw_and_release(void *argument)
{
    struct job *job = argument;
    DWORD result = draw_frames(job);

    return IUnknown_Release((IUnknown *)job->device) ? 2 : result;
}

static DWORD WINAPI create_and_draw(void *argument)
{
    struct job *job = argument;

    job->device = job->version->open(job->window, 0, job->flags);
    return job->device ? draw_frames(job) : 3;
}

static DWORD run_thread(LPTHREAD_START_ROUTINE routine, void *argument)
{
    HANDLE thread = CreateThread(NULL, 0, routine, argument, 0, NULL);
    DWORD result = 99;

    while (MsgWaitForMultipleObjects(1, &thread, FALSE, 30000, QS_ALLINPUT) == WAIT_OBJECT_0 + 1)
        pump();
    GetExitCodeThread(thread, &result);
    CloseHandle(thread);
    return result;
}

void life_other_thread(const struct device_api *version, DWORD flags)
{
    struct job job = {version, open_window(), NULL, 0x102030, flags};

    job.device = version->open(job.window, 0, flags);
    if (!job.device)
        return;
    CHECK_EQUAL(run_thread(draw_and_release, &job), 0);
    CHECK_EQUAL(run_thread(create_and_draw, &job), 0);
    version->close(job.device, job.window);
}

void life_threads_in_parallel(const struct device_api *version)
{
    struct job jobs[2] = {{version, open_window(), NULL, 0x405060, 0}, {version, open_window(), NULL, 0x908070, 0}};
    HANDLE threads[2];
    DWORD result;

    for (unsigned i = 0; i < 2; i++) {
        jobs[i].device = version->open(jobs[i].window, i ? DEVICE_EX : 0, 0);
        if (!jobs[i].device)
            return;
    }
    for (unsigned i = 0; i < 2; i++)
        threads[i] = CreateThread(NULL, 0, draw_frames, &jobs[i], 0, NULL);
    while (WaitForMultipleObjects(2, threads, TRUE, 10) == WAIT_TIMEOUT)
        pump();
    for (unsigned i = 0; i < 2; i++) {
        GetExitCodeThread(threads[i], &result);
        CHECK_EQUAL(result, 0);
        CloseHandle(threads[i]);
        version->close(jobs[i].device, jobs[i].window);
    }
}

/* --- windows that are destroyed ------------------------------------------------------------------------- */

HRESULT life_window_destroyed(const struct device_api *version)
{
    HWND window = open_window(), other;
    void *device = version->open(window, 0, 0);
    HRESULT hr;

    if (!device)
        return E_FAIL;
    version->clear(device, 0x00ff00);
    show(version, device);
    DestroyWindow(window);
    pump();
    version->clear(device, 0xff0000);
    CHECK_EQUAL(life_pixel(version, device, 3, 3), 0xff0000);
    hr = version->present(device, NULL);
    other = open_window();
    CHECK_HR(version->present(device, other), S_OK);
    CHECK_HR(version->reset(device, other, 0), S_OK);
    show(version, device);
    version->close(device, other);
    return hr;
}

void life_full_screen_window_destroyed(const struct device_api *version, unsigned options)
{
    HWND window = open_window();
    void *device = version->open(window, DEVICE_FULL_SCREEN | options, 0);

    if (!device)
        return;
    show(version, device);
    DestroyWindow(window);
    pump();
    version->present(device, NULL); /* whatever it says */
    CHECK_EQUAL(IUnknown_Release((IUnknown *)device), 0);
}
