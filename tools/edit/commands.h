/* SPDX-License-Identifier: MIT */
/* Shared by stream.c and at.c: building of commands. */
#ifndef HALCYON_TOOLS_EDIT_COMMANDS_H
#define HALCYON_TOOLS_EDIT_COMMANDS_H

#include "tools/edit/stream.h"

struct edit_out {
    uint8_t *bytes;
    size_t length, capacity;
    bool failed;
};

void edit_put(struct edit_out *out, const void *data, size_t size);
/* A command with `count` entries, or a part of its body. */
void edit_put_command(struct edit_out *out, uint8_t token, uint16_t count, const void *body, size_t size);
/* Records the reason of a failure. Returns false. */
bool edit_fail(struct edit *edit, const char *format, const char *what);

/* at.c: the commands before the draw of --at, and those that restore the states after it; `log` is what the context
 * has set up to there. False: see edit->why. */
bool edit_put_before(struct edit *edit, struct edit_out *out, const struct state_log *log);
bool edit_put_behind(struct edit *edit, struct edit_out *out, const struct state_log *log);

#endif
