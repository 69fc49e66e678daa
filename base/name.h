/* SPDX-License-Identifier: MIT */
/*
 * Names for files that are created while programs run. The user gives a file, a folder or a pattern; the result is
 * never the name of an existing file, nor of a file that another process is writing.
 */
#ifndef HALCYON_BASE_NAME_H
#define HALCYON_BASE_NAME_H

#include <stdbool.h>
#include <time.h>

struct output;

struct name_values {
    const char *program; /* %e: without folder and extension */
    unsigned process;    /* %p */
    struct tm time;      /* %t: 20261122-131502 */
};

/* Fills in the values that hold for this process at a time, or now, in local time. program: room for its name, at least 256
 * bytes. */
struct name_values name_values_at(time_t when, char *program, size_t size);
struct name_values name_values_now(char *program, size_t size);

/* Returns `text` with %e, %p, %t and %% replaced; any other % is kept. A folder (an existing one, or a text that ends
 * with a separator) first becomes FOLDER/%e-%p-%t.EXTENSION, and is created. Free the result with free(); NULL: out of
 * memory. */
char *name_expand(const char *text, const char *extension, const struct name_values *values);

/* Opens a new file (OUTPUT_NEW): `path`, or if that is taken title.1.capture for title.capture, title.2.capture... False:
 * errno says why. */
bool name_open(struct output *output, const char *path);

#endif
