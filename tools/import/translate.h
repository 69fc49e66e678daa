/* SPDX-License-Identifier: MIT */
/* Calls of a trace as records of the stream to the player (stream.h). */
#ifndef HALCYON_TOOLS_IMPORT_TRANSLATE_H
#define HALCYON_TOOLS_IMPORT_TRANSLATE_H

#include "tools/import/arguments.h"
#include "tools/import/calls.h"
#include "tools/import/objects.h"
#include "tools/import/report.h"

struct translator {
    struct import_objects objects;
    struct import_report report; /* calls that were not understood */
    struct import_bytes bytes;   /* records of the last call, for the player */
    uint64_t calls, questions, lost,
        presents; /* calls; those that only ask; those that failed since the display was lost */
    bool failed;  /* memory ran out */
};

/* Appends what a call means to translator->bytes. */
void translate_call(struct translator *translator, const struct trace_call *call);
/* Appends the end of the stream. */
void translate_end(struct translator *translator);
void translator_free(struct translator *translator);

/* The name of an enum stream_function. NULL: STREAM_METHOD. */
const char *translate_function_name(unsigned function);

#endif
