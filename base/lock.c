/* SPDX-License-Identifier: MIT */
/* Locks, conditions and one-time calls over Windows or POSIX threads. */
#include "base/lock.h"

#ifdef _WIN32
#include "base/lock_keyed.h"

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

/* Functions of Windows, which Windows XP lacks: a dll that imported them would not load there. */
struct calls {
    VOID(WINAPI *acquire)(SRWLOCK *);
    VOID(WINAPI *release)(SRWLOCK *);
    BOOL(WINAPI *sleep)(CONDITION_VARIABLE *, SRWLOCK *, DWORD, ULONG);
    VOID(WINAPI *wake)(CONDITION_VARIABLE *);
    VOID(WINAPI *wake_all)(CONDITION_VARIABLE *);
};

static const struct calls *chosen; /* NULL: not yet */

/* Threads that come at once find the same. */
static const struct calls *choose(void)
{
    static const struct calls keyed = {lock_keyed_acquire, lock_keyed_release, lock_keyed_sleep, lock_keyed_wake,
                                       lock_keyed_wake_all};
    static struct calls own;
    HMODULE kernel = GetModuleHandleA("kernel32.dll");
    const struct calls *best;

#define FIND(member, name) own.member = kernel ? (__typeof__(own.member))(void *)GetProcAddress(kernel, name) : NULL
    FIND(acquire, "AcquireSRWLockExclusive");
    FIND(release, "ReleaseSRWLockExclusive");
    FIND(sleep, "SleepConditionVariableSRW");
    FIND(wake, "WakeConditionVariable");
    FIND(wake_all, "WakeAllConditionVariable");
#undef FIND
    best = own.acquire && own.release && own.sleep && own.wake && own.wake_all ? &own : &keyed;
    __atomic_store_n(&chosen, best, __ATOMIC_RELEASE);
    return best;
}

static const struct calls *calls(void)
{
    const struct calls *found = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);

    return found ? found : choose();
}

void base_lock_init(struct base_lock *lock)
{
    lock->srw = NULL;
}

void base_lock_destroy(struct base_lock *lock)
{
    (void)lock;
}

void base_condition_init(struct base_condition *condition)
{
    condition->variable = NULL;
}

void base_condition_destroy(struct base_condition *condition)
{
    (void)condition;
}

void base_lock(struct base_lock *lock)
{
    calls()->acquire(srw(lock));
}

void base_unlock(struct base_lock *lock)
{
    calls()->release(srw(lock));
}

void base_wait(struct base_condition *condition, struct base_lock *lock)
{
    calls()->sleep(variable(condition), srw(lock), INFINITE, 0);
}

void base_wake_one(struct base_condition *condition)
{
    calls()->wake(variable(condition));
}

void base_wake_all(struct base_condition *condition)
{
    calls()->wake_all(variable(condition));
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
