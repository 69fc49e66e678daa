/* SPDX-License-Identifier: MIT */
/* The Windows calls that the portable part of the runtime makes, for native tests, which have a single thread. */
#include <sched.h>

#include "d3d/types.h"

void WINAPI InitializeCriticalSection(CRITICAL_SECTION *section)
{
    section->RecursionCount = 0;
}

void WINAPI EnterCriticalSection(CRITICAL_SECTION *section)
{
    section->RecursionCount++;
}

void WINAPI LeaveCriticalSection(CRITICAL_SECTION *section)
{
    section->RecursionCount--;
}

void WINAPI DeleteCriticalSection(CRITICAL_SECTION *section)
{
    section->RecursionCount = -1;
}

void WINAPI Sleep(DWORD milliseconds)
{
    (void)milliseconds;
    sched_yield();
}
