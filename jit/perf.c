/* SPDX-License-Identifier: MIT */
/* Writes the names of generated functions. */
#include "jit/perf.h"
#include "base/base.h"
#include "base/name.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where perf looks. A program under Wine cannot ask for the number that Linux gives it: its user moves the file there. */
#ifdef _WIN32
#define USUAL_PATH "perf-%p.map"
#else
#define USUAL_PATH "/tmp/perf-%p.map"
#endif
#define MAX_NAME 256

struct jit_perf {
    FILE *file;
};

/* Two devices of a process append to the same file. */
static FILE *open_file(const char *text)
{
    char program[256];
    const struct name_values values = name_values_now(program, sizeof(program));
    char *path = name_expand(text, "map", &values);
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        log_error("jit_perf: cannot write %s: %s", path ? path : text, path ? strerror(errno) : "out of memory");
    free(path);
    return file;
}

struct jit_perf *jit_perf_open(void)
{
    const char *path = config_string("jit_perf");
    struct jit_perf *perf;

    if (!*path || !strcmp(path, "0"))
        return NULL;
    perf = mem_calloc(1, sizeof(*perf));
    if (!perf)
        return NULL;
    perf->file = open_file(strcmp(path, "1") ? path : USUAL_PATH);
    if (perf->file)
        return perf;
    free(perf);
    return NULL;
}

void jit_perf_close(struct jit_perf *perf)
{
    if (!perf)
        return;
    if (fclose(perf->file))
        log_error("jit_perf: %s", strerror(errno));
    free(perf);
}

void jit_perf_add(struct jit_perf *perf, const void *address, size_t bytes, const char *name)
{
    char line[MAX_NAME];

    if (!perf || !name)
        return;
    utf8_clean(line, sizeof(line), name);
    fprintf(perf->file, "%llx %llx %s\n", (unsigned long long)(uintptr_t)address, (unsigned long long)bytes, line);
    fflush(perf->file); /* a profiler may read while the process runs */
}
