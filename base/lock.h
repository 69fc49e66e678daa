/* SPDX-License-Identifier: MIT */
/*
 * A lock, a condition and one-time initialization, like pthread_mutex_t, pthread_cond_t and pthread_once_t. On Windows they are an SRW
 * lock and a condition variable, or before Vista those of base/lock_keyed.h. winpthreads builds its own from kernel semaphores: under Wine
 * each operation on those is a message to wineserver, some 20 microseconds, where SRW locks need one futex call or none. winpthreads also
 * creates two handles for each thread that waits or uses pthread_once, which leak when the dll is unloaded.
 */
#ifndef HALCYON_BASE_LOCK_H
#define HALCYON_BASE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#ifdef _WIN32
struct base_lock {
    void *srw; /* SRWLOCK */
};
struct base_condition {
    void *variable; /* CONDITION_VARIABLE */
};
#define BASE_LOCK_INITIALIZER \
    {                         \
        NULL                  \
    }
#else
#include <pthread.h>

struct base_lock {
    pthread_mutex_t mutex;
};
struct base_condition {
    pthread_cond_t condition;
};
#define BASE_LOCK_INITIALIZER     \
    {                             \
        PTHREAD_MUTEX_INITIALIZER \
    }
#endif

/* Static. */
struct base_once {
    struct base_lock lock;
    bool done;
};
#define BASE_ONCE_INITIALIZER        \
    {                                \
        BASE_LOCK_INITIALIZER, false \
    }

/* None of these can fail. A destroyed object may be initialized again. */
void base_lock_init(struct base_lock *lock);
void base_lock_destroy(struct base_lock *lock);
void base_condition_init(struct base_condition *condition);
void base_condition_destroy(struct base_condition *condition);

/* Not recursive. */
void base_lock(struct base_lock *lock);
void base_unlock(struct base_lock *lock);

/* Calls `function` the first time. When this returns, the function has finished, even if another thread called it. It
 * must not call base_call_once for the same object. */
void base_call_once(struct base_once *once, void (*function)(void));

/* Releases the lock while it sleeps. It may wake spuriously: wait in a loop. */
void base_wait(struct base_condition *condition, struct base_lock *lock);
void base_wake_one(struct base_condition *condition);
void base_wake_all(struct base_condition *condition);

#endif
