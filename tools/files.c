/* SPDX-License-Identifier: MIT */
/*
 * Files of the command line: captures to read, names to write to, and the messages when either fails.
 */
#include "tools/tool.h"

#include "base/base.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

const char *tool_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *tool_output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

struct capture_reader *tool_open_capture(const struct tool_verb *verb, const char *path, int *status)
{
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open(path, &error);

    if (!reader) {
        *status = error.system ? TOOL_ERROR : TOOL_DAMAGED;
        tool_say(verb, "%s: %s", tool_input_name(path), error.text);
    }
    return reader;
}

int tool_check_skipped(const struct tool_verb *verb, const char *path, const struct capture_reader *reader, int status)
{
    const uint64_t skipped = capture_skipped(reader);

    if (skipped && capture_minor_version(reader) > CAPTURE_VERSION_MINOR)
        tool_say(verb, "%s: %" PRIu64 " events were skipped: the file has format %u.%u, this program reads %u.%u",
                 tool_input_name(path), skipped, CAPTURE_VERSION_MAJOR, capture_minor_version(reader),
                 CAPTURE_VERSION_MAJOR, CAPTURE_VERSION_MINOR);
    else if (skipped)
        tool_say(verb, "%s: %" PRIu64 " events were skipped: format %u.%u of the file has none of their kinds",
                 tool_input_name(path), skipped, CAPTURE_VERSION_MAJOR, capture_minor_version(reader));
    if (skipped)
        status = status < TOOL_DAMAGED ? TOOL_DAMAGED : status;
    return status;
}

int tool_close_capture(const struct tool_verb *verb, const char *path, struct capture_reader *reader, int status)
{
    status = tool_check_skipped(verb, path, reader, status);
    capture_close(reader);
    return status;
}

int tool_unreadable(const struct tool_verb *verb, const char *path, const struct capture_error *error)
{
    tool_say(verb, "%s: at byte %" PRIu64 ": %s", tool_input_name(path), error->offset, error->text);
    return error->system ? TOOL_ERROR : TOOL_DAMAGED;
}

int tool_cut_short(const struct tool_verb *verb, const char *path, const struct capture_error *error)
{
    tool_say(verb, "%s: the file is cut short: %s (byte %" PRIu64 ")", tool_input_name(path), error->text,
             error->offset);
    return TOOL_DAMAGED;
}

int tool_read_result(const struct tool_verb *verb, const char *path, enum capture_status status,
                     const struct capture_error *error)
{
    if (status == CAPTURE_BAD)
        return tool_unreadable(verb, path, error);
    return status == CAPTURE_CUT ? tool_cut_short(verb, path, error) : TOOL_OK;
}

int tool_check_frames(const struct tool_verb *verb, const char *path, const struct frame_range *range, uint64_t there)
{
    for (unsigned i = 0; i < range->count; i++)
        if (range->spans[i].first >= there)
            return tool_fail(verb, "%s: no such frame: %" PRIu32 " (the capture has %" PRIu64 ")",
                             tool_input_name(path), range->spans[i].first, there);
    return TOOL_OK;
}

int tool_check_output(const struct tool_verb *verb, const char *output, const char *input)
{
    if (strcmp(output, "-") != 0 && strcmp(input, "-") != 0 && output_is_same_file(output, input))
        return tool_fail(verb, "%s: the output is the input; nothing has been written", output);
    return TOOL_OK;
}

int tool_check_picture(const struct tool_verb *verb, const char *output)
{
    static const char *const others[] = {".bmp", ".dds", ".exr",  ".gif", ".hdr",  ".jpeg", ".jpg", ".pdf",
                                         ".ppm", ".svg", ".tga",  ".tif", ".tiff", ".webp", ".3ds", ".dae",
                                         ".fbx", ".glb", ".gltf", ".obj", ".ply",  ".stl"};
    const char *slash = strrchr(output, '/'), *extension = strrchr(slash ? slash : output, '.');

    for (unsigned i = 0; i < ARRAY_COUNT(others); i++)
        if (extension && strcasecmp(extension, others[i]) == 0)
            return tool_usage(verb, "%s: pictures are written as PNG only", output);
    return TOOL_OK;
}

int tool_cannot_write(const struct tool_verb *verb, const char *path)
{
    return tool_fail(verb, "%s: %s", tool_output_name(path), strerror(errno));
}
