/* SPDX-License-Identifier: MIT */
/* Changes to command streams: states that are set before a draw and restored after it, shaders with other code. */
#ifndef HALCYON_TOOLS_EDIT_STREAM_H
#define HALCYON_TOOLS_EDIT_STREAM_H

#include "dp2/capture/state_log.h"
#include "inspect/frame.h"

#define EDIT_MOST    16   /* changes of a kind */
#define EDIT_COMMAND 4096 /* bytes of a command that is set */

/* How a shader is created, set and deleted. */
struct edit_shader_tokens {
    uint8_t create, set, drop;
};

struct edit_shader {
    uint32_t handle;                  /* of the shader whose code it replaces; for one draw: of the shader to create */
    bool pixel;                       /* else a vertex shader */
    struct edit_shader_tokens tokens; /* of one draw */
    uint32_t *code;
    size_t bytes;
    uint64_t replaced;
};

/* The state that a context has set so far. */
struct edit_context {
    struct edit_context *next;
    uint32_t number;
    struct state_log log;
};

struct edit {
    bool at; /* one action only; else everywhere */
    struct inspect_name place;
    struct {
        uint8_t bytes[EDIT_COMMAND];
        size_t size;
    } commands[EDIT_MOST];
    unsigned command_count;
    struct edit_shader shaders[EDIT_MOST];
    unsigned shader_count;
    uint64_t draws; /* that have been changed */
    struct edit_context *contexts;
    char why[200]; /* reason of a failure */
};

/* Adds a command in the notation of dp2 dump. False: see `why`. */
bool edit_add_command(struct edit *edit, const char *text);
/* The event with its changes, data to be freed; NULL: out of memory, or the change is impossible, see `why`. pieces:
 * the actions of the event; first: the number of the first of them in the frame. */
struct capture_event *edit_draw(struct edit *edit, const struct capture_event *event,
                                const struct inspect_piece *pieces, size_t count, size_t first);
void edit_free(struct edit *edit);

#endif
