/* SPDX-License-Identifier: MIT */
/*
 * Threads and thread-local values, like pthread_create, pthread_join and pthread_key_create. On Windows they use the
 * system's own: winpthreads writes to a null pointer if memory is short when a process creates its first thread.
 */
#ifndef HALCYON_BASE_THREAD_H
#define HALCYON_BASE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
struct base_thread {
    void *handle;
    void *(*run)(void *);
    void *argument;
};
struct base_slot {
    unsigned long index;
    void (*destroy)(void *);
};
#else
#include <pthread.h>

struct base_thread {
    pthread_t thread;
};
struct base_slot {
    pthread_key_t key;
};
#endif

/* `thread` must not move until it has been joined. False: no thread could be started. */
bool base_thread_start(struct base_thread *thread, void *(*run)(void *), void *argument);
/* Returns when `run` has. */
void base_thread_join(struct base_thread *thread);

/* A number that no other living thread of the process has. It costs one instruction, unlike the systems' own functions. */
static inline uintptr_t base_thread_self(void)
{
#if defined(_WIN32) && defined(__x86_64__) /* the thread's environment block */
    uintptr_t self;

    __asm__("movq %%gs:0x30, %0" : "=r"(self));
    return self;
#elif defined(_WIN32)
    uintptr_t self;

    __asm__("movl %%fs:0x18, %0" : "=r"(self));
    return self;
#elif defined(__wasm__)
    return 1;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* Makes a slot in which each thread finds NULL, or the value that it has set. destroy: called with the value of a
 * thread that ends. False: no slot could be made. */
bool base_slot_make(struct base_slot *slot, void (*destroy)(void *));
void *base_slot_get(const struct base_slot *slot);
/* False: out of memory. */
bool base_slot_set(const struct base_slot *slot, void *value);
/* For DllMain, when the calling thread ends, because Windows does not call `destroy`. Does nothing on other systems. */
void base_slot_thread_ends(const struct base_slot *slot);
/* Does not destroy the values that threads still have. */
void base_slot_free(const struct base_slot *slot);

#endif
