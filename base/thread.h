/* SPDX-License-Identifier: MIT */
/*
 * Threads, and a value that each thread has of its own, as pthread_create, pthread_join and pthread_key_create have them. On Windows
 * they are the system's: winpthreads writes to a null pointer when memory is short where a process first makes a thread.
 */
#ifndef HALCYON_BASE_THREAD_H
#define HALCYON_BASE_THREAD_H

#include <stdbool.h>
#include <stddef.h>

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

/* `thread` stays where it is until it has been joined. False: there is none. */
bool base_thread_start(struct base_thread *thread, void *(*run)(void *), void *argument);
/* Returns when `run` has. */
void base_thread_join(struct base_thread *thread);

/* A slot in which each thread finds NULL, or what it has set. destroy: takes the value of a thread that ends. False: there is none. */
bool base_slot_make(struct base_slot *slot, void (*destroy)(void *));
void *base_slot_get(const struct base_slot *slot);
/* False: out of memory. */
bool base_slot_set(const struct base_slot *slot, void *value);
/* For DllMain, when the calling thread ends: Windows calls `destroy` for nobody. Elsewhere there is nothing to do. */
void base_slot_thread_ends(const struct base_slot *slot);
/* The values that threads still have are not destroyed. */
void base_slot_free(const struct base_slot *slot);

#endif
