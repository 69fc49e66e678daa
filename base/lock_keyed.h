/* SPDX-License-Identifier: MIT */
/*
 * SRW locks and condition variables for Windows before Vista, which has neither: from keyed events, of which kernels since that of Windows XP
 * make all locks. A word is a lock or a condition as with Windows' own; zero is a free one. Each function is used as the one of Windows
 * that it stands for.
 */
#ifndef HALCYON_BASE_LOCK_KEYED_H
#define HALCYON_BASE_LOCK_KEYED_H

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* Raises STATUS_NO_MEMORY, as critical sections of that time do, if the process can have no keyed event. */
VOID WINAPI lock_keyed_acquire(SRWLOCK *lock);
VOID WINAPI lock_keyed_release(SRWLOCK *lock);
/* Neither the time nor the flags count: INFINITE and 0. */
BOOL WINAPI lock_keyed_sleep(CONDITION_VARIABLE *condition, SRWLOCK *lock, DWORD milliseconds, ULONG flags);
VOID WINAPI lock_keyed_wake(CONDITION_VARIABLE *condition);
VOID WINAPI lock_keyed_wake_all(CONDITION_VARIABLE *condition);
#endif

#endif
