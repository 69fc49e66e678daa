/* SPDX-License-Identifier: MIT */
/* The session of a verb of the frame debugger: from the beginning of the program to its end. */
#include "tools/debug/inspection.h"

#include <stdlib.h>

static void show_progress(void *user, const struct capture_reader *reader, uint32_t frame)
{
    (void)reader;
    progress_show(&((struct inspection *)user)->progress, frame);
}

int inspection_open(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last)
{
    const struct inspect_options options = {.progress = show_progress, .user = inspection};

    return inspection_open_with(inspection, verb, path, last, &options);
}

int inspection_open_with(struct inspection *inspection, const struct tool_verb *verb, const char *path, uint32_t last,
                         const struct inspect_options *options)
{
    struct capture_error error = {0};
    int status = TOOL_OK;

    *inspection = (struct inspection){.verb = verb, .path = path};
    setenv("HALCYON_CAPTURE", "", 1);
    inspection->reader = tool_open_capture(verb, path, &status);
    if (!inspection->reader)
        return status;
    progress_start(&inspection->progress, verb->syntax.name, inspection->reader, last, 1);
    inspection->session = inspect_open(inspection->reader, options, &error);
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
