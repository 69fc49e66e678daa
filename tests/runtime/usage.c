/* SPDX-License-Identifier: MIT */
/* Measures the memory, handles, GDI objects and windows of the process. */
#include "tests/runtime/usage.h"

#include "tests/runtime/check.h"

#include <psapi.h>
#include <stdlib.h>

unsigned cycles_or(unsigned otherwise)
{
    const char *text = getenv("HALCYON_TEST_CYCLES");

    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

#define PROBES 32

struct usage measure(void)
{
    PROCESS_MEMORY_COUNTERS memory = {.cb = sizeof(memory)};
    struct usage usage = {0, 0, 0, 0};
    HANDLE events[PROBES];
    HGDIOBJ brushes[PROBES];
    HWND windows[PROBES];

    for (unsigned i = 0; i < PROBES; i++) {
        events[i] = CreateEventA(NULL, FALSE, FALSE, NULL);
        brushes[i] = CreateSolidBrush(i);
        windows[i] = CreateWindowA("STATIC", "", WS_POPUP, 0, 0, 1, 1, NULL, NULL, NULL, NULL);
        usage.handles = max(usage.handles, (unsigned)(UINT_PTR)events[i]);
        usage.gdi = max(usage.gdi, (unsigned)(UINT_PTR)brushes[i] & 0xffff);
        usage.windows = max(usage.windows, (unsigned)(UINT_PTR)windows[i] & 0xffff);
    }
    for (unsigned i = 0; i < PROBES; i++) {
        CloseHandle(events[i]);
        DeleteObject(brushes[i]);
        DestroyWindow(windows[i]);
    }
    pump();
    GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof(memory));
    usage.memory = memory.PagefileUsage > memory.WorkingSetSize ? memory.PagefileUsage : memory.WorkingSetSize;
    return usage;
}

void compare(const char *what, const struct usage *before, const struct usage *after)
{
    CHECK(before->memory > 1000000); /* the system knows */
    printf("# %s: memory %zu to %zu, handles %u to %u, GDI %u to %u, windows %u to %u\n", what, before->memory,
           after->memory, before->handles, after->handles, before->gdi, after->gdi, before->windows, after->windows);
    /* a round that kept 200 bytes would have kept 2 MB */
    if (after->memory > before->memory + 2000000)
        failed(__FILE__, __LINE__, "%s: memory grew from %zu to %zu", what, before->memory, after->memory);
    if (after->handles > before->handles + 64 || after->gdi > before->gdi + 16 || after->windows > before->windows + 64)
        failed(__FILE__, __LINE__, "%s: handles %u to %u, GDI %u to %u, windows %u to %u", what, before->handles,
               after->handles, before->gdi, after->gdi, before->windows, after->windows);
}
