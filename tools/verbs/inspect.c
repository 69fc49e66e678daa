/* SPDX-License-Identifier: MIT */
/* The session of a verb of the frame debugger. */
#include "tools/verbs/inspect.h"

#include <stdlib.h>

static void show_progress(void *user, const struct capture_reader *reader, uint32_t frame)
{
    (void)reader;
    progress_show(&((struct inspection *)user)->progress, frame);
}

int inspection_open(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last)
{
    const struct inspect_options options = {.progress = show_progress, .user = inspection};
    struct capture_error error = {0};
    int status = TOOL_OK;

    *inspection = (struct inspection){.verb = verb, .path = path};
    setenv("HALCYON_CAPTURE", "", 1);
    inspection->reader = tool_open_capture(verb, path, &status);
    if (!inspection->reader)
        return status;
    progress_start(&inspection->progress, verb->name, inspection->reader, last, 1);
    inspection->session = inspect_open(inspection->reader, &options, &error);
    if (inspection->session)
        return TOOL_OK;
    progress_end(&inspection->progress);
    tool_fail(verb, "%s", error.text);
    capture_close(inspection->reader);
    inspection->reader = NULL;
    return TOOL_ERROR;
}

int inspection_close(struct inspection *inspection, int status)
{
    if (!inspection->session)
        return status;
    progress_end(&inspection->progress);
    inspect_close(inspection->session);
    return tool_close_capture(inspection->verb, inspection->path, inspection->reader, status);
}

int inspection_fail(const struct inspection *inspection, const struct capture_error *error)
{
    struct inspect *session = inspection->session;

    progress_clear();
    if (!error->text[0])
        return tool_fail(inspection->verb, "%s: no such frame; there are %u", tool_input_name(inspection->path),
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
        return tool_usage(inspection->verb, "'%s' is no draw: FRAME.DRAW, or FRAME:CALL:OFFSET", text);
    if (!inspect_resolve(inspection->session, &name, place, &error))
        return inspection_fail(inspection, &error);
    progress_end(&inspection->progress);
    return TOOL_OK;
}
