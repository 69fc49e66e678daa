/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program: makes allocations, or the start of threads, fail where tests/fault/run.py asks for it.
 *
 *   FAULT_AT=N        the Nth allocation fails (from 1); with FAULT_ON=1 all from there on
 *   FAULT_THREAD=N    the Nth pthread_create fails; 0: all of them
 *   FAULT_COUNT=FILE  how many allocations and threads there were, written at the end
 *
 * Linux with glibc. The program under test must not be statically linked, or built with a sanitizer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long allocations, threads;
static long fail_at = -1, fail_on, fail_thread = -1;

static long number_of(const char *name, long otherwise)
{
    const char *value = getenv(name);

    return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void read_plan(void)
{
    fail_on = number_of("FAULT_ON", 0);
    fail_thread = number_of("FAULT_THREAD", -1);
    fail_at = number_of("FAULT_AT", -1);
    allocations = 0;
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("FAULT_COUNT");
    const long a = allocations, t = threads;
    FILE *file;

    fail_at = -1;
    file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %ld\n", a, t);
        fclose(file);
    }
}

static int fails(void)
{
    const long n = ++allocations;

    if (fail_at < 0 || (fail_on ? n < fail_at : n != fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    if (fails())
        return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    const long n = ++threads;

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (fail_thread == 0 || fail_thread == n)
        return EAGAIN;
    return real(thread, attributes, start, argument);
}
