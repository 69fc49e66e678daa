/* SPDX-License-Identifier: MIT */
/* Threads over Windows or POSIX. */
#include "base/thread.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static DWORD WINAPI start(void *argument)
{
    const struct base_thread *thread = argument;

    thread->run(thread->argument);
    return 0;
}

bool base_thread_start(struct base_thread *thread, void *(*run)(void *), void *argument)
{
    thread->run = run;
    thread->argument = argument;
    thread->handle = CreateThread(NULL, 0, start, thread, 0, NULL);
    return thread->handle != NULL;
}

void base_thread_join(struct base_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

bool base_slot_make(struct base_slot *slot, void (*destroy)(void *))
{
    slot->destroy = destroy;
    slot->index = TlsAlloc();
    return slot->index != TLS_OUT_OF_INDEXES;
}

void *base_slot_get(const struct base_slot *slot)
{
    return TlsGetValue(slot->index);
}

bool base_slot_set(const struct base_slot *slot, void *value)
{
    return TlsSetValue(slot->index, value);
}

void base_slot_thread_ends(const struct base_slot *slot)
{
    void *value = TlsGetValue(slot->index);

    if (value)
        slot->destroy(value);
    TlsSetValue(slot->index, NULL);
}

void base_slot_free(const struct base_slot *slot)
{
    TlsFree(slot->index);
}

#else

bool base_thread_start(struct base_thread *thread, void *(*run)(void *), void *argument)
{
    return !pthread_create(&thread->thread, NULL, run, argument);
}

void base_thread_join(struct base_thread *thread)
{
    pthread_join(thread->thread, NULL);
}

bool base_slot_make(struct base_slot *slot, void (*destroy)(void *))
{
    return !pthread_key_create(&slot->key, destroy);
}

void *base_slot_get(const struct base_slot *slot)
{
    return pthread_getspecific(slot->key);
}

bool base_slot_set(const struct base_slot *slot, void *value)
{
    return !pthread_setspecific(slot->key, value);
}

void base_slot_thread_ends(const struct base_slot *slot)
{
    (void)slot;
}

void base_slot_free(const struct base_slot *slot)
{
    pthread_key_delete(slot->key);
}
#endif
