/* SPDX-License-Identifier: MIT */
/*
 * dp2 as a module of WebAssembly: its verbs, with files in memory, pictures as pixels, and a session that lives from request to
 * request (README.md). What this calls of JavaScript is in library.js, what JavaScript calls in engine.c.
 */
#ifndef HALCYON_WEB_ENGINE_H
#define HALCYON_WEB_ENGINE_H

#include "tools/tool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- files.c: the table of files ------------------------------------------------------------------ */

/* What a file holds. It stays as it is while somebody refers to it; its name may stand for something else meanwhile. */
struct web_contents {
    unsigned references;
    uint8_t *data;
    size_t size;
};
/* Refers to a file; NULL: there is none of that name. */
struct web_contents *web_file_get(const char *name);
void web_contents_release(struct web_contents *contents);
/* Gives bytes a name; they belong to the table from now on, whatever the answer, and are released by free(). False: no memory. */
bool web_file_put(const char *name, uint8_t *data, size_t size);
void web_file_remove(const char *name);

/* --- session.c: the session of the frame debugger -------------------------------------------------- */

/* Gives the driver back; the next question about a capture plays it again. */
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
/* Lets the page and its messages have a turn. False: nobody wants the answer any more. */
bool web_pause(void);

#endif
