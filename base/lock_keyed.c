/* SPDX-License-Identifier: MIT */
/*
 * Keyed events: NtWaitForKeyedEvent sleeps until somebody releases the same key, and NtReleaseKeyedEvent until somebody waits for it,
 * so that each release ends one wait, whichever comes first. The key is the address of the word.
 */
#include "base/lock_keyed.h"

#ifdef _WIN32
#include <stdbool.h>
#include <stdint.h>

#ifndef STATUS_NO_MEMORY
#define STATUS_NO_MEMORY ((DWORD)0xC0000017)
#endif

#define LOCKED 1 /* the lowest bit of a lock; above it, how many wait */
#define WAITER 2

typedef LONG(NTAPI *create_event)(HANDLE *event, ACCESS_MASK access, void *attributes, ULONG flags);
typedef LONG(NTAPI *use_event)(HANDLE event, const void *key, BOOLEAN alertable, const LARGE_INTEGER *timeout);

static HANDLE event;
static use_event wait_for, release;

static void prepare(void)
{
    HMODULE ntdll = GetModuleHandleA("ntdll.dll");
    create_event create = ntdll ? (create_event)(void *)GetProcAddress(ntdll, "NtCreateKeyedEvent") : NULL;
    HANDLE made = NULL;

    wait_for = ntdll ? (use_event)(void *)GetProcAddress(ntdll, "NtWaitForKeyedEvent") : NULL;
    release = ntdll ? (use_event)(void *)GetProcAddress(ntdll, "NtReleaseKeyedEvent") : NULL;
    if (!create || !wait_for || !release || create(&made, GENERIC_READ | GENERIC_WRITE, NULL, 0) < 0) {
        RaiseException(STATUS_NO_MEMORY, EXCEPTION_NONCONTINUABLE, 0, NULL);
        return;
    }
    if (InterlockedCompareExchangePointer(&event, made, NULL))
        CloseHandle(made); /* another thread was first */
}

/* The functions may be called before any initialization: locks are used by constructors. */
static void wait_for_key(const void *key)
{
    if (!__atomic_load_n(&event, __ATOMIC_ACQUIRE))
        prepare();
    wait_for(event, key, FALSE, NULL);
}

static void release_key(const void *key)
{
    if (!__atomic_load_n(&event, __ATOMIC_ACQUIRE))
        prepare();
    release(event, key, FALSE, NULL);
}

static bool replace(PVOID *word, intptr_t *from, intptr_t to)
{
    return __atomic_compare_exchange_n((intptr_t *)word, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static intptr_t value(PVOID *word)
{
    return __atomic_load_n((intptr_t *)word, __ATOMIC_ACQUIRE);
}

VOID WINAPI lock_keyed_acquire(SRWLOCK *lock)
{
    intptr_t now = value(&lock->Ptr);

    for (;;) {
        if (!(now & LOCKED)) {
            if (replace(&lock->Ptr, &now, now | LOCKED))
                return;
        } else if (replace(&lock->Ptr, &now, now + WAITER)) {
            wait_for_key(lock);
            now = value(&lock->Ptr);
        }
    }
}

/* One that waits is told, and no longer counted; it competes with newcomers. */
VOID WINAPI lock_keyed_release(SRWLOCK *lock)
{
    intptr_t now = value(&lock->Ptr);

    while (!replace(&lock->Ptr, &now, now >= WAITER ? now - WAITER - LOCKED : now - LOCKED))
        ;
    if (now >= WAITER)
        release_key(lock);
}

BOOL WINAPI lock_keyed_sleep(CONDITION_VARIABLE *condition, SRWLOCK *lock, DWORD milliseconds, ULONG flags)
{
    (void)milliseconds;
    (void)flags;
    __atomic_add_fetch((intptr_t *)&condition->Ptr, 1, __ATOMIC_ACQ_REL);
    lock_keyed_release(lock);
    wait_for_key(condition);
    lock_keyed_acquire(lock);
    return TRUE;
}

VOID WINAPI lock_keyed_wake(CONDITION_VARIABLE *condition)
{
    intptr_t waiting = value(&condition->Ptr);

    while (waiting && !replace(&condition->Ptr, &waiting, waiting - 1))
        ;
    if (waiting)
        release_key(condition);
}

VOID WINAPI lock_keyed_wake_all(CONDITION_VARIABLE *condition)
{
    intptr_t waiting = __atomic_exchange_n((intptr_t *)&condition->Ptr, 0, __ATOMIC_ACQ_REL);

    while (waiting-- > 0)
        release_key(condition);
}
#endif
