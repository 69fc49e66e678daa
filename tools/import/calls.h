/* SPDX-License-Identifier: MIT */
/*
 * The calls of an apitrace trace, in the order in which they returned (versions 0 to 6 of the format, which FORMAT.markdown of apitrace's documents describes). Files
 * are hostile: every length and count is compared with what the file still holds, values nest no deeper than CALLS_DEPTH, and memory is
 * bounded by what a call holds and by CALLS_MEMORY.
 */
#ifndef HALCYON_TOOLS_IMPORT_CALLS_H
#define HALCYON_TOOLS_IMPORT_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALLS_VERSION   6
#define CALLS_DEPTH     12                /* values within values */
#define CALLS_ARGUMENTS 32                /* of a function */
#define CALLS_MEMORY    ((size_t)1 << 30) /* bytes of the calls that have not returned yet */

/* Numbers of the file. */
enum trace_type {
    TRACE_NULL,
    TRACE_FALSE,
    TRACE_TRUE,
    TRACE_SINT,
    TRACE_UINT,
    TRACE_FLOAT,
    TRACE_DOUBLE,
    TRACE_STRING,
    TRACE_BLOB,
    TRACE_ENUM,
    TRACE_BITMASK,
    TRACE_ARRAY,
    TRACE_STRUCT,
    TRACE_OPAQUE,
    TRACE_REPR,
    TRACE_WSTRING,
    TRACE_NONE, /* of an argument that the file does not tell */
};

struct trace_value {
    enum trace_type type; /* no ENUM (which is SINT or UINT), BITMASK (UINT) or REPR (the machine's value) */
    union {
        uint64_t number; /* UINT, OPAQUE, and SINT as two's complement */
        float f;
        double d;
        struct {
            const uint8_t *bytes;
            size_t size;
        } blob; /* BLOB, STRING (not ended by 0), WSTRING (UTF-16, size in bytes) */
        struct {
            const struct trace_value *items;
            size_t count;
        } list; /* ARRAY, STRUCT */
    };
};

struct trace_call {
    uint64_t number;  /* as apitrace counts: from 0, in the order in which they began */
    const char *name; /* "IDirect3DDevice9::Clear", "memcpy" */
    unsigned count;   /* arguments */
    bool fake;        /* the tracer's own: no call of the program */
    bool returned;    /* false: the trace ends before that */
    struct trace_value in[CALLS_ARGUMENTS], out[CALLS_ARGUMENTS]; /* arguments as the call began, and returned */
    struct trace_value result;
};

struct calls;

/* Begins to read. NULL: *error says why. The file stays in memory as long as the reader. */
struct calls *calls_open(const void *file, size_t size, const char **error);
void calls_close(struct calls *calls);

enum calls_result {
    CALLS_CALL, /* *call is valid until the next calls_next */
    CALLS_END,
    CALLS_BAD, /* damaged: see calls_error */
};
enum calls_result calls_next(struct calls *calls, const struct trace_call **call);
const char *calls_error(const struct calls *calls);

/* The share of the file that has been read, 0 to 1. */
double calls_share(const struct calls *calls);
/* Does the file end inside a chunk? What is before it has been read. */
bool calls_cut(const struct calls *calls);
/* The number of calls that have begun so far. */
uint64_t calls_begun(const struct calls *calls);

#endif
