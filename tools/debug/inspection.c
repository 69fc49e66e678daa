/* SPDX-License-Identifier: MIT */
/* Messages of the verbs of the frame debugger about their session. */
#include "tools/debug/inspection.h"

#include "inspect/pixel/pixel.h"

#include <errno.h>
#include <stdlib.h>

int inspection_ask(struct inspection *inspection, const struct tool_verb *verb, const char *path,
                   int (*ask)(void *user), void *user)
{
    int status = inspection_open(inspection, verb, path, UINT32_MAX);

    if (status == TOOL_OK)
        status = inspection_close(inspection, ask(user));
    return status;
}

int inspection_fail(const struct inspection *inspection, const struct capture_error *error)
{
    struct inspect *session = inspection->session;

    progress_clear();
    if (inspect_lacks_memory(error))
        return tool_fail(inspection->verb, "%s: out of memory", tool_input_name(inspection->path));
    if (!error->text[0])
        return tool_fail(inspection->verb, "%s: no such frame (the capture has %u)", tool_input_name(inspection->path),
                         (unsigned)inspect_frames_there(session));
    if (inspect_end(session) == CAPTURE_CUT)
        return tool_cut_short(inspection->verb, inspection->path, error);
    if (inspect_end(session) == CAPTURE_BAD || error->offset)
        return tool_unreadable(inspection->verb, inspection->path, error);
    return tool_fail(inspection->verb, "%s: %s", tool_input_name(inspection->path), error->text);
}

int inspection_find(struct inspection *inspection, const char *text, struct inspect_place *place)
{
    struct inspect_name name;
    struct capture_error error = {0};

    if (!inspect_parse_name(&name, text))
        return tool_usage(inspection->verb, "'%s' is not a draw: FRAME.DRAW, or FRAME:CALL:OFFSET", text);
    if (!inspect_resolve(inspection->session, &name, place, &error))
        return inspection_fail(inspection, &error);
    progress_end(&inspection->progress);
    return TOOL_OK;
}

void inspection_print_planes(unsigned planes)
{
    const char *between = " ";

    for (unsigned i = 0; i < INSPECT_PLANE_BITS; i++)
        if (planes >> i & 1 && inspect_plane_name(i)) {
            printf("%s%s", between, inspect_plane_name(i));
            between = ", ";
        }
}

void inspection_print_lacks(const char *before, const struct inspect_lacks *lacks)
{
    for (unsigned i = 0; i < lacks->count; i++) {
        char text[INSPECT_LACK_TEXT];

        inspect_lack_text(&lacks->list[i], text);
        printf("%s%s\n", before, text);
    }
}

bool inspection_parse_pixel(const char *text, unsigned *x, unsigned *y)
{
    unsigned long column, row;
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    column = strtoul(text, &end, 10);
    if (*end != ',' || end[1] < '0' || end[1] > '9')
        return false;
    row = strtoul(end + 1, &end, 10);
    *x = (unsigned)column;
    *y = (unsigned)row;
    return !*end && !errno && column < 65536 && row < 65536;
}
