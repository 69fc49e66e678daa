/* SPDX-License-Identifier: MIT */
/*
 * dp2 as a WebAssembly module: its verbs, with files in memory, pictures as pixels, and a session that lasts from one
 * request to the next (README.md). Functions of JavaScript that it calls are in library.js, functions for JavaScript in
 * engine.c.
 */
#ifndef HALCYON_WEB_ENGINE_H
#define HALCYON_WEB_ENGINE_H

#include "tools/tool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- files.c: the table of files ------------------------------------------------------------------ */

/* The contents of a file. They do not change while referenced; the name may refer to other contents meanwhile. */
struct web_contents {
    unsigned references;
    uint8_t *data;
    size_t size;
};
/* Refers to a file; NULL if there is none of that name. */
struct web_contents *web_file_get(const char *name);
void web_contents_release(struct web_contents *contents);
/* Gives bytes a name; they belong to the table from now on, whatever the result, and are released by free(). False:
 * out of memory. */
bool web_file_put(const char *name, uint8_t *data, size_t size);
void web_file_remove(const char *name);

/* --- session.c: the session of the frame debugger -------------------------------------------------- */

/* Releases the driver; the next question about a capture plays the capture again. */
void web_session_end(void);
/* The frame that the session has loaded; -1: there is none. For snapshots.js. */
int web_session_frame(void);

/* --- frames.c --------------------------------------------------------------------------------------- */

extern const struct tool_verb web_verb_frames;

/* --- library.js ------------------------------------------------------------------------------------- */

/* A picture of the answer: r, g, b, a bytes of each pixel, rows from the top. */
void web_answer_picture(const char *name, unsigned width, unsigned height, const uint8_t *pixels);
/* A file has been written. */
void web_answer_file(const char *name);
/* Yields to the page and its messages. False: the answer is no longer wanted. */
bool web_pause(void);

#endif
