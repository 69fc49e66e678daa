/* SPDX-License-Identifier: MIT */
/*
 * The cost of a capture, from its contents. The estimate only has to be right in proportion: plans scale it by the costs that
 * an earlier run recorded, if there is one.
 */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "dp2/capture/capture.h"
#include "dp2/tokens.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Nanoseconds of a processor, fitted to replays of the captures of examples/ (docs/farm.md). */
enum {
    COST_START = 3000000, /* of the process, with its driver */
    COST_FRAME = 300000,  /* of a frame, without what is drawn in it */
    COST_PIXEL = 20,      /* of each pixel of a frame */
    COST_CALL = 3000,     /* of a DrawPrimitives2 call */
    COST_PRIMITIVE = 200,
    COST_BYTE = 5, /* of streams, vertices and memory */
};

struct cost {
    uint64_t nanoseconds;
    uint64_t frames;
};

static void cost_add(struct cost *cost, uint64_t count, uint64_t each)
{
    const uint64_t most = UINT64_MAX / 2; /* more than any time; sums of two do not overflow */
    const uint64_t more = count > most / each ? most : count * each;

    cost->nanoseconds = BASE_MIN(cost->nanoseconds + more, most);
}

static void cost_draw(struct cost *cost, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;

    cost_add(cost, 1, COST_CALL);
    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK)
        cost_add(cost, dp2_primitive_count(&command), COST_PRIMITIVE);
}

static void cost_frame(struct cost *cost, const struct capture_frame *frame)
{
    const int64_t width = (int64_t)frame->rect.right - frame->rect.left;
    const int64_t height = (int64_t)frame->rect.bottom - frame->rect.top;

    cost->frames++;
    cost_add(cost, 1, COST_FRAME);
    if (width > 0 && height > 0 && width <= 65536 && height <= 65536)
        cost_add(cost, (uint64_t)(width * height), COST_PIXEL);
}

int farm_cost(struct farm_capture *capture)
{
    struct cost cost = {.nanoseconds = COST_START};
    struct capture_error error = {0};
    struct capture_event event;
    enum capture_status read = CAPTURE_OK;
    struct stat info;
    int status = TOOL_OK;
    struct capture_reader *reader = tool_open_capture(&farm_messages, capture->file, &status);

    while (reader && (read = capture_next(reader, &event, &error)) == CAPTURE_OK) {
        cost_add(&cost, event.size, COST_BYTE);
        if (event.type == CAPTURE_DRAW)
            cost_draw(&cost, (const void *)event.data);
        else if (event.type == CAPTURE_FRAME)
            cost_frame(&cost, (const void *)event.data);
    }
    if (reader) {
        status = tool_read_result(&farm_messages, capture->file, read, &error);
        status = tool_close_capture(&farm_messages, capture->file, reader, status);
    }
    if (status != TOOL_ERROR && stat(capture->file, &info) != 0)
        status = tool_fail(&farm_messages, "%s: %s", capture->file, strerror(errno));
    if (status == TOOL_ERROR)
        return status;
    capture->bytes = (uint64_t)info.st_size;
    capture->frames = (uint32_t)BASE_MIN(cost.frames, UINT32_MAX);
    capture->cost = cost.nanoseconds / 1000;
    return status;
}
