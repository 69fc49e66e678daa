/* SPDX-License-Identifier: MIT */
/* Runs a measurement in a child process; the clock of measurements. */
#include "bench/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double bench_seconds(unsigned threads)
{
    struct timespec now;

    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

_Noreturn static void run(enum cpu_level level, unsigned threads, void (*measure)(void *result), void *result,
                          size_t size, int output)
{
    char number[16];

    snprintf(number, sizeof(number), "%u", threads);
    setenv("HALCYON_THREADS", number, 1);
    setenv("HALCYON_CPU", cpu_level_name(level), 1);
    measure(result);
    _exit(write(output, result, size) == (ssize_t)size ? 0 : 2);
}

bool bench_in_child(enum cpu_level level, unsigned threads, void (*measure)(void *result), void *result, size_t size)
{
    int ends[2], status;
    bool good;
    pid_t child;

    if (pipe(ends))
        return false;
    fflush(NULL);
    child = fork();
    if (child == 0)
        run(level, threads, measure, result, size, ends[1]);
    close(ends[1]);
    /* fewer bytes than a pipe holds arrive at once */
    good = child > 0 && read(ends[0], result, size) == (ssize_t)size;
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && good && status == 0;
}
