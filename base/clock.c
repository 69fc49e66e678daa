/* SPDX-License-Identifier: MIT */
/* A clock that never goes back. (On Windows the system's own: that of winpthreads imports functions that Windows XP lacks.) */
#include "base/base.h"

#ifdef _WIN32
#include <windows.h>

double clock_seconds(void)
{
    LARGE_INTEGER count, each_second;

    QueryPerformanceFrequency(&each_second);
    QueryPerformanceCounter(&count);
    return (double)count.QuadPart / (double)each_second.QuadPart;
}
#else
#include <time.h>

double clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
#endif
