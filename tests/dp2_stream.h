/* SPDX-License-Identifier: MIT */
/* Command streams as the tests look at them: walked to their end, and printed into a buffer. */
#ifndef HALCYON_TESTS_DP2_STREAM_H
#define HALCYON_TESTS_DP2_STREAM_H

#include <string.h>

#include "dp2/dp2.h"
#include "dp2/text/text.h"

/* Reads a whole stream. Returns DP2_END if every command is readable; otherwise the status of the first command that is
 * not, whose offset is in *error_offset, if that is not NULL. */
static inline enum dp2_status dp2_walk(const void *base, size_t length, uint32_t vertex_size, size_t *error_offset)
{
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;

    dp2_cursor_init(&cursor, base, length, vertex_size);
    do {
        status = dp2_next(&cursor, &command);
    } while (status == DP2_OK);
    if (error_offset)
        *error_offset = command.offset;
    return status;
}

struct dp2_printed {
    size_t length; /* of the whole text, which may be longer than what fits */
    char text[65536];
};

static inline void dp2_put_printed(void *user, const char *text, size_t size)
{
    struct dp2_printed *out = user;

    if (out->length < sizeof(out->text) - 1) {
        const size_t room = sizeof(out->text) - 1 - out->length;

        memcpy(out->text + out->length, text, size < room ? size : room);
    }
    out->length += size;
}

/* The command in the brief style; `lines`: each entry on a line of its own. Valid until the next call. */
static inline const struct dp2_printed *dp2_print(const struct dp2_command *command, bool lines)
{
    static struct dp2_printed printed;
    const struct dp2_sink sink = {dp2_put_printed, &printed};

    memset(&printed, 0, sizeof(printed));
    dp2_print_command(&sink, command, DP2_TEXT_BRIEF, lines);
    return &printed;
}

#endif
