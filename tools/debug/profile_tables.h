/* SPDX-License-Identifier: MIT */
/* Shared by the files of dp2 profile. */
#ifndef HALCYON_TOOLS_DEBUG_PROFILE_TABLES_H
#define HALCYON_TOOLS_DEBUG_PROFILE_TABLES_H

#include "base/output.h"
#include "inspect/profile/profile.h"
#include "base/json/json.h"

/* The kinds of rows of a table. */
enum profile_by {
    PROFILE_BY_PHASE,
    PROFILE_BY_DRAW,
    PROFILE_BY_SHADER,
    PROFILE_BY_STATE,
    PROFILE_BY_FRAME,
    PROFILE_BY_SCENE,
    PROFILE_BY_COUNT
};

struct profiled_frame {
    uint32_t frame;
    struct inspect_profile profile;
};

/* All frames that have been profiled. */
struct profiled {
    struct profiled_frame *frames;
    size_t count, capacity;
    double actions; /* seconds of all actions */
};

/* profile_tables.c: prints a table, the most expensive rows first, `top` of them (0: all). False: no memory. */
bool profile_print_table(const struct profiled *profiled, enum profile_by by, size_t top);
/* Prints the head of all tables: times of frames, and of their actions one by one. */
void profile_print_head(const struct profiled *profiled, unsigned loops);

/* profile_trace.c: a document of trace events (Trace Event Format), as chrome://tracing and Perfetto open it. */
struct profile_trace {
    struct json_writer json;
    double frames, actions; /* microseconds that frames and actions take in it so far */
    unsigned lanes;         /* that have been named */
};
void profile_trace_begin(struct profile_trace *trace, FILE *file, const char *capture);
void profile_trace_add(struct profile_trace *trace, const struct inspect_profile *profile,
                       const struct inspect_spans *spans);
/* False: memory ran out. */
bool profile_trace_end(struct profile_trace *trace);

#endif
