/* SPDX-License-Identifier: MIT */
/* What the verbs of the frame debugger share: the session on a capture, with progress and messages. */
#ifndef HALCYON_TOOLS_VERBS_INSPECT_H
#define HALCYON_TOOLS_VERBS_INSPECT_H

#include "inspect/inspect.h"
#include "tools/tool.h"

struct inspection {
    const struct tool_verb *verb;
    const char *path;
    struct capture_reader *reader;
    struct inspect *session;
    struct progress progress;
    uint64_t skipped; /* events that this version does not know */
};

/* Opens the capture for questions about frames up to `last`. TOOL_OK, or a status to return: what went wrong has been said. */
int inspection_open(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last);
/* The same with other options than those that show the progress by frames. */
int inspection_open_with(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last,
                         const struct inspect_options *options);
/* Ends it, and says how the capture ended if it was read to a damaged end. Returns the status, with that in mind. */
int inspection_close(struct inspection *inspection, int status);
/* Says why a question has no answer. Returns the status: a place that is not there is an error, a damaged capture damage. */
int inspection_fail(const struct inspection *inspection, const struct capture_error *error);
/* Opens it, asks, and ends it: `ask` returns a status. */
int inspection_ask(struct inspection *inspection, const struct tool_verb *verb, const char *path,
                   int (*ask)(void *user), void *user);
/* A draw by its name: loads its frame. TOOL_OK, or a status to return. */
int inspection_find(struct inspection *inspection, const char *text, struct inspect_place *place);
/* "30,20": both below 65536. False: it is something else. */
bool inspection_parse_pixel(const char *text, unsigned *x, unsigned *y);

/* " near, user 0": the names of planes (inspect_plane_name). */
void inspection_print_planes(unsigned planes);
/* A line for each thing that a draw lacks (inspect/lacks.h), each behind `before`. */
struct inspect_lacks;
void inspection_print_lacks(const char *before, const struct inspect_lacks *lacks);
/* Says what --show takes, which is not `given`. Returns TOOL_ERROR. */
int inspection_no_show(const struct tool_verb *verb, const char *given);

#endif
