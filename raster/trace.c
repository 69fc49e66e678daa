/* SPDX-License-Identifier: MIT */
/* Writes the record of costs. */
#include "raster/trace.h"

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct raster_trace {
    FILE *file;
    double since; /* when the last line had been written */
    bool chunk;   /* the current part is a chunk's, not the front end's */
};

struct raster_trace *trace_create(const char *path)
{
    struct raster_trace *trace = mem_calloc(1, sizeof(*trace));

    if (!trace) {
        log_error("trace: out of memory");
        return NULL;
    }
    trace->file = fopen(path, "a");
    if (!trace->file) {
        log_error("trace: cannot write %s: %s", path, strerror(errno));
        free(trace);
        return NULL;
    }
    trace->since = clock_seconds();
    return trace;
}

void trace_destroy(struct raster_trace *trace)
{
    if (!trace)
        return;
    if (fclose(trace->file))
        log_error("trace: %s", strerror(errno));
    free(trace);
}

/* Nanoseconds since the last line. */
static long elapsed(const struct raster_trace *trace)
{
    return (long)((clock_seconds() - trace->since) * 1e9);
}

void trace_part(struct raster_trace *trace)
{
    fprintf(trace->file, "%s %ld\n", trace->chunk ? "chunk" : "front", elapsed(trace));
    trace->since = clock_seconds();
}

void trace_begin(struct raster_trace *trace, bool chunk)
{
    trace_part(trace);
    if (trace->chunk && !chunk)
        trace_word(trace, "join");
    trace->chunk = chunk;
}

void trace_tile(struct raster_trace *trace, size_t tile, size_t commands)
{
    fprintf(trace->file, "tile %zu %zu %ld\n", tile, commands, elapsed(trace));
    trace->since = clock_seconds();
}

void trace_word(struct raster_trace *trace, const char *word)
{
    fprintf(trace->file, "%s\n", word);
    trace->since = clock_seconds();
}
