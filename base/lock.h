/* SPDX-License-Identifier: MIT */
/*
 * A lock and a condition to wait for under it, as pthread_mutex_t and pthread_cond_t, and what is done once, as pthread_once_t. On
 * Windows they are an SRW lock and a condition variable: winpthreads makes its own from kernel semaphores, and under Wine each turn
 * of those is a message to wineserver, some 20 microseconds, where these need one futex call or none. It also makes two handles
 * for each thread that waits or does something once, which a dll that is unloaded leaves behind.
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

/* Neither can fail. A destroyed one may be made again. */
void base_lock_init(struct base_lock *lock);
void base_lock_destroy(struct base_lock *lock);
void base_condition_init(struct base_condition *condition);
void base_condition_destroy(struct base_condition *condition);

/* Not recursive. */
void base_lock(struct base_lock *lock);
void base_unlock(struct base_lock *lock);

/* Calls `function` the first time; it is over when this returns, whoever has called it. It must not come back here. */
void base_call_once(struct base_once *once, void (*function)(void));

/* Gives the lock back while it sleeps. Wakes for no reason at times: wait in a loop. */
void base_wait(struct base_condition *condition, struct base_lock *lock);
void base_wake_one(struct base_condition *condition);
void base_wake_all(struct base_condition *condition);

#endif
