/* SPDX-License-Identifier: MIT */
/* Shared by the verbs of the frame debugger: the session on a capture, with progress and messages. */
#ifndef HALCYON_TOOLS_DEBUG_INSPECTION_H
#define HALCYON_TOOLS_DEBUG_INSPECTION_H

#include "inspect/inspect.h"
#include "inspect/picture/shot.h"
#include "tools/tool.h"

struct inspection {
    const struct tool_verb *verb;
    const char *path;
    struct capture_reader *reader;
    struct inspect *session;
    struct progress progress;
    uint64_t skipped; /* events that this version does not know */
};

/* Opens the capture for questions about frames up to `last`. TOOL_OK, or a status to return after printing the
 * error. */
int inspection_open(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last);
/* The same with options other than those that show the progress by frames. */
int inspection_open_with(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last,
                         const struct inspect_options *options);
/* Closes the session, and reports a damaged end of the capture. Returns the status, raised accordingly. */
int inspection_close(struct inspection *inspection, int status);
/* Prints why a question has no answer. Returns the status: TOOL_ERROR for a place that does not exist, TOOL_DAMAGED
 * for a damaged capture. */
int inspection_fail(const struct inspection *inspection, const struct capture_error *error);
/* Opens the session, calls `ask`, which returns a status, and closes it. */
int inspection_ask(struct inspection *inspection, const struct tool_verb *verb, const char *path,
                   int (*ask)(void *user), void *user);
/* A draw by its name: loads its frame. TOOL_OK, or a status to return. */
int inspection_find(struct inspection *inspection, const char *text, struct inspect_place *place);
/* Parses "30,20": both below 65536. False for other text. */
bool inspection_parse_pixel(const char *text, unsigned *x, unsigned *y);

/* " near, user 0": the names of planes (inspect_plane_name). */
void inspection_print_planes(unsigned planes);
/* Prints a line for each lack of a draw (inspect/lacks.h), beginning with `before`. */
struct inspect_lacks;
void inspection_print_lacks(const char *before, const struct inspect_lacks *lacks);
/* The pictures of --show, for the table of options. */
#define INSPECTION_SHOW_WORD(NUMBER, name, help) name "|"
#define INSPECTION_SHOWS                         INSPECT_SHOWS(INSPECTION_SHOW_WORD)

#endif
