/* SPDX-License-Identifier: MIT */
/*
 * Locks and conditions of Windows before Vista (base/lock_keyed.h): threads that count under a lock lose nothing, each wake ends a wait and
 * none is lost, and words are free at the end.
 */
#include "tests/runtime/check.h"

#include "base/base.h"
#include "base/lock_keyed.h"

#define THREADS 6
#define ROUNDS  4000

static SRWLOCK lock;
static CONDITION_VARIABLE condition, room;
static unsigned count, turn, queued, taken;

static void run_threads(DWORD(WINAPI *run)(void *), unsigned number)
{
    HANDLE threads[THREADS];

    for (uintptr_t i = 0; i < number; i++) {
        threads[i] = CreateThread(NULL, 0, run, (void *)i, 0, NULL);
        CHECK(threads[i] != NULL);
    }
    for (unsigned i = 0; i < number; i++) {
        WaitForSingleObject(threads[i], INFINITE);
        CloseHandle(threads[i]);
    }
    CHECK(!lock.Ptr && !condition.Ptr && !room.Ptr);
}

/* Reads, gives the processor away, and writes: two threads inside would lose counts. */
static DWORD WINAPI counts(void *number)
{
    (void)number;
    for (unsigned i = 0; i < ROUNDS; i++) {
        lock_keyed_acquire(&lock);
        const unsigned seen = count;
        if (i % 64 == 0)
            Sleep(0);
        count = seen + 1;
        lock_keyed_release(&lock);
    }
    return 0;
}

static void exclusion(void)
{
    count = 0;
    run_threads(counts, THREADS);
    CHECK(count == THREADS * ROUNDS);
}

/* Round and round: all wait for one, which wakes all. */
static DWORD WINAPI takes_turns(void *number)
{
    const unsigned mine = (unsigned)(uintptr_t)number;

    lock_keyed_acquire(&lock);
    for (unsigned i = 0; i < ROUNDS / 10; i++) {
        while (turn % THREADS != mine)
            lock_keyed_sleep(&condition, &lock, INFINITE, 0);
        turn++;
        lock_keyed_wake_all(&condition);
    }
    lock_keyed_release(&lock);
    return 0;
}

static void turns(void)
{
    turn = 0;
    run_threads(takes_turns, THREADS);
    CHECK(turn == THREADS * (ROUNDS / 10));
}

/* Half of the threads put into a queue of two places, half take out; each wakes one of the other kind. */
static DWORD WINAPI passes_on(void *number)
{
    const bool takes = (uintptr_t)number & 1;

    for (unsigned i = 0; i < ROUNDS; i++) {
        lock_keyed_acquire(&lock);
        while (takes ? !queued : queued == 2)
            lock_keyed_sleep(takes ? &condition : &room, &lock, INFINITE, 0);
        queued += takes ? -1u : 1u;
        taken += takes;
        lock_keyed_wake(takes ? &room : &condition);
        lock_keyed_release(&lock);
    }
    return 0;
}

static void queue(void)
{
    queued = taken = 0;
    run_threads(passes_on, THREADS);
    CHECK(!queued && taken == THREADS / 2 * ROUNDS);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"exclusion", exclusion}, {"turns", turns}, {"queue", queue}};

    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
