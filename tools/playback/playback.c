/* SPDX-License-Identifier: MIT */
/* The loop of the verbs that play a capture from its beginning. */
#include "tools/playback/playback.h"

#include "base/base.h"

int playback_run(const struct playback *play, struct capture_reader *reader, struct player *player, bool *damaged)
{
    const uint32_t end = frame_range_end(play->range);
    struct capture_event event;
    struct capture_error error = {0};
    enum capture_status status;
    int result = TOOL_OK;

    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK) {
        const struct capture_frame *frame = (const void *)event.data;

        if (!player_play(player, &event, &error)) {
            status = CAPTURE_BAD;
            break;
        }
        if (event.type != CAPTURE_FRAME) {
            progress_setup(play->progress);
            continue;
        }
        const int shown = play->end_frame(play->user, player, frame);
        result = BASE_MAX(result, shown);
        progress_show(play->progress, frame->frame);
        if (result == TOOL_ERROR || frame->frame >= end)
            return result;
    }
    *damaged = status != CAPTURE_END;
    return *damaged ? tool_read_result(play->verb, play->path, status, &error) : result;
}
