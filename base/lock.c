/* SPDX-License-Identifier: MIT */
/* Locks, conditions and one-time calls over Windows or POSIX threads. */
#include "base/lock.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(struct base_lock) == sizeof(SRWLOCK) &&
                   sizeof(struct base_condition) == sizeof(CONDITION_VARIABLE),
               "both are one pointer");

static SRWLOCK *srw(struct base_lock *lock)
{
    return (SRWLOCK *)&lock->srw;
}

static CONDITION_VARIABLE *variable(struct base_condition *condition)
{
    return (CONDITION_VARIABLE *)&condition->variable;
}

void base_lock_init(struct base_lock *lock)
{
    InitializeSRWLock(srw(lock));
}

void base_lock_destroy(struct base_lock *lock)
{
    (void)lock;
}

void base_condition_init(struct base_condition *condition)
{
    InitializeConditionVariable(variable(condition));
}

void base_condition_destroy(struct base_condition *condition)
{
    (void)condition;
}

void base_lock(struct base_lock *lock)
{
    AcquireSRWLockExclusive(srw(lock));
}

void base_unlock(struct base_lock *lock)
{
    ReleaseSRWLockExclusive(srw(lock));
}

void base_wait(struct base_condition *condition, struct base_lock *lock)
{
    SleepConditionVariableSRW(variable(condition), srw(lock), INFINITE, 0);
}

void base_wake_one(struct base_condition *condition)
{
    WakeConditionVariable(variable(condition));
}

void base_wake_all(struct base_condition *condition)
{
    WakeAllConditionVariable(variable(condition));
}

#else

void base_lock_init(struct base_lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
}

void base_lock_destroy(struct base_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

void base_condition_init(struct base_condition *condition)
{
    pthread_cond_init(&condition->condition, NULL);
}

void base_condition_destroy(struct base_condition *condition)
{
    pthread_cond_destroy(&condition->condition);
}

void base_lock(struct base_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void base_unlock(struct base_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

void base_wait(struct base_condition *condition, struct base_lock *lock)
{
    pthread_cond_wait(&condition->condition, &lock->mutex);
}

void base_wake_one(struct base_condition *condition)
{
    pthread_cond_signal(&condition->condition);
}

void base_wake_all(struct base_condition *condition)
{
    pthread_cond_broadcast(&condition->condition);
}
#endif

void base_call_once(struct base_once *once, void (*function)(void))
{
    if (__atomic_load_n(&once->done, __ATOMIC_ACQUIRE))
        return;
    base_lock(&once->lock);
    if (!once->done) {
        function();
        __atomic_store_n(&once->done, true, __ATOMIC_RELEASE);
    }
    base_unlock(&once->lock);
}
