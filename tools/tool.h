/* SPDX-License-Identifier: MIT */
/*
 * The dp2 command: one verb, one file. Exit status of every verb: 0 ok or equal, 1 different,
 * 2 error (with a message on standard error).
 */
#ifndef HALCYON_TOOLS_TOOL_H
#define HALCYON_TOOLS_TOOL_H

#include "base/frames.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TOOL_OK = 0, TOOL_DIFFERENT = 1, TOOL_ERROR = 2 };

struct tool_verb {
    const char *name;
    const char *summary; /* NULL: not listed in the help */
    const char *help;    /* usage, options, examples */
    int (*run)(int argc, char **argv);
};

extern const struct tool_verb verb_replay, verb_dump, verb_asm, verb_trim, verb_diff, verb_info, verb_caps, verb_tokens,
    verb_shader, verb_coverage, verb_feedback;

/* "dp2 VERB: message" on standard error. Returns TOOL_ERROR. */
int tool_fail(const struct tool_verb *verb, const char *format, ...)
    __attribute__((format(gnu_printf, 2, 3)));
/* Says that the command line is wrong, and how to get help. Returns TOOL_ERROR. */
int tool_usage(const struct tool_verb *verb, const char *format, ...)
    __attribute__((format(gnu_printf, 2, 3)));

/* A whole number in [low, high]. */
bool parse_number(const char *text, long low, long high, long *value);

/* JSON string with quotes. */
void json_string(FILE *file, const char *text);

/* A line that is drawn over itself on standard error, if that is a terminal and the work takes
 * longer than a second. */
struct progress {
    const char *what;
    double start, last;
    bool shown;
};
void progress_start(struct progress *progress, const char *what);
void progress_show(struct progress *progress, uint64_t done, uint64_t all, uint32_t frame);
void progress_end(struct progress *progress);

#endif
