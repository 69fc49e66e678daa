/* SPDX-License-Identifier: MIT */
/* frames: pictures, hashes and times of frames, for the strip of frames. Only the engine has this verb. */
#include "web/engine/engine.h"

#include "base/base.h"
#include "base/json/json.h"
#include "replay/picture.h"
#include "tools/debug/inspection.h"

#include <inttypes.h>
#include <stdlib.h>

struct strip {
    struct inspection inspection;
    struct frame_range range;
    long width; /* 0: the width of the frames */
    bool hashes, as_json;
    struct json_writer json;
};

static bool answer(struct strip *strip, uint32_t frame, struct player_picture *picture, double seconds)
{
    char name[32], why[64];

    json_open_object(&strip->json, NULL);
    json_put_number(&strip->json, "frame", frame);
    json_put_number(&strip->json, "width", picture->width);
    json_put_number(&strip->json, "height", picture->height);
    json_put_hash(&strip->json, "hash", picture_hash(picture));
    json_put_real(&strip->json, "seconds", seconds);
    json_close(&strip->json);
    if (strip->hashes)
        return true;
    snprintf(name, sizeof(name), "frame-%" PRIu32, frame);
    if (strip->width && !picture_shrink(picture, (unsigned)strip->width))
        return false;
    return picture_write_png(picture, name, why, sizeof(why));
}

static bool play_frame(struct strip *strip, uint32_t frame, struct capture_error *error)
{
    struct inspect *session = strip->inspection.session;
    struct player_picture picture = {0};
    const double start = clock_seconds();
    bool done = inspect_grab_frame(session, &picture, error);

    if (done && !answer(strip, frame, &picture, clock_seconds() - start)) {
        snprintf(error->text, sizeof(error->text), "out of memory");
        done = false;
    }
    free(picture.pixels);
    return done || !error->text[0]; /* (events after the last picture are not a frame) */
}

static int play_frames(struct strip *strip)
{
    const uint32_t end = frame_range_end(&strip->range);
    struct inspect *session = strip->inspection.session;
    struct capture_error error = {0};
    bool done = true;

    for (uint32_t frame = 0; done && frame <= end && frame < CAPTURE_MAX_FRAMES; frame++) {
        if (!frame_range_has(&strip->range, frame))
            continue;
        done = inspect_load(session, frame, &error) && play_frame(strip, frame, &error);
    }
    /* (events after the end are left out) */
    return done || !error.text[0] ? TOOL_OK : inspection_fail(&strip->inspection, &error);
}

static int frames(struct strip *strip, const char *path)
{
    int status = inspection_open(&strip->inspection, &web_verb_frames, path, frame_range_end(&strip->range));

    if (status != TOOL_OK)
        return status;
    json_begin(&strip->json, stdout, "web-frames", false);
    json_put_text(&strip->json, "file", path);
    json_stream_list(&strip->json, "frames");
    status = play_frames(strip);
    if (!json_end(&strip->json))
        status = tool_fail(&web_verb_frames, "out of memory");
    return inspection_close(&strip->inspection, status);
}

static int frames_verb(void *settings, char **operands, int count)
{
    (void)count;
    return frames(settings, operands[0]);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct strip, range), .argument = "N|A-B", .help = "only these frames (default: all)"},
    {"width", 'w', SETS_NUMBER(struct strip, width), .argument = "N", .low = 1, .high = 4096,
     .help = "pictures that are at most this wide, each pixel the mean of those it stands for"},
    {"hashes", 0, SETS_BOOL(struct strip, hashes), .help = "no pictures"},
    {"json", 0, SETS_BOOL(struct strip, as_json), .help = "print JSON, the only form there is"},
    {0},
};

const struct tool_verb web_verb_frames = {
    .syntax =
        {
            .name = "frames",
            .summary = "pictures and times of frames",
            .about = "Plays frames of a capture, and prints the hash of each picture and the time that it took, as "
                     "JSON. The pictures are called frame-0, frame-1 ...",
            .options = options,
            .examples = "frames game.capture",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct strip),
    .run = frames_verb,
};
