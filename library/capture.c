/* SPDX-License-Identifier: MIT */
/* Captures: opening, replaying, pictures. */
#include "library/internal.h"

#include "base/base.h"
#include "inspect/inspect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- life --------------------------------------------------------------------------------------- */

void library_capture_stop(struct halcyon_capture *capture)
{
    library_session_close(capture);
    player_destroy(capture->player);
    capture->player = NULL;
    capture->reached = capture->spoiled = false;
}

static void destroy(struct halcyon_capture *capture)
{
    library_capture_stop(capture);
    library_picture_drop(&capture->picture);
    if (capture->has_driver)
        client_driver_close(&capture->driver);
    capture_close(capture->reader);
    free(capture->bytes);
    free(capture);
}

/* A file that was cut short has no index: its complete frames are counted. The last frame of an index may consist of what the program did
 * after it had shown its last picture. */
static enum halcyon_result count_frames(struct halcyon_capture *capture)
{
    struct capture_event event;
    struct capture_error error = {0};
    enum capture_status status;

    capture->frames = capture_indexed_frames(capture->reader);
    if (capture->frames && capture_seek_frame(capture->reader, capture->frames - 1))
        capture->frames--;
    while ((status = capture_next(capture->reader, &event, &error)) == CAPTURE_OK)
        capture->frames += event.type == CAPTURE_FRAME;
    capture_rewind(capture->reader);
    return status == CAPTURE_BAD && error.system ? library_fail_with(&error, HALCYON_DAMAGED) : HALCYON_OK;
}

/* Takes over the bytes. */
static enum halcyon_result finish_open(struct capture_reader *reader, uint8_t *bytes, const struct capture_error *error,
                                       struct halcyon_capture **out)
{
    struct halcyon_capture *capture = reader ? mem_calloc(1, sizeof(*capture)) : NULL;
    enum halcyon_result result;

    if (!capture) {
        result = reader ? library_no_memory() : library_fail_with(error, HALCYON_DAMAGED);
        capture_close(reader);
        free(bytes);
        return result;
    }
    capture->reader = reader;
    capture->bytes = bytes;
    result = count_frames(capture);
    if (result == HALCYON_OK)
        result = library_start_driver(&capture->driver);
    capture->has_driver = result == HALCYON_OK;
    if (result == HALCYON_OK)
        *out = capture;
    else
        destroy(capture);
    return result;
}

/* The reader takes "-" for standard input. */
static enum halcyon_result open_file(const char *path, struct halcyon_capture **out)
{
    struct capture_error error = {0};

    if (!path || !out)
        return library_fail(HALCYON_INVALID, "a path and a place for the capture are needed");
    return finish_open(capture_open(strcmp(path, "-") ? path : "./-", &error), NULL, &error, out);
}

enum halcyon_result halcyon_capture_open(const char *path, struct halcyon_capture **capture)
{
    library_enter();
    return library_leave(open_file(path, capture));
}

static enum halcyon_result open_memory(const void *data, size_t size, struct halcyon_capture **out)
{
    struct capture_error error = {0};
    uint8_t *bytes;

    if ((!data && size) || !out)
        return library_fail(HALCYON_INVALID, "bytes and a place for the capture are needed");
    bytes = mem_alloc(size, 1, 1);
    if (!bytes)
        return library_no_memory();
    if (size)
        memcpy(bytes, data, size);
    return finish_open(capture_open_memory(bytes, size, &error), bytes, &error, out);
}

enum halcyon_result halcyon_capture_open_memory(const void *data, size_t size, struct halcyon_capture **capture)
{
    library_enter();
    return library_leave(open_memory(data, size, capture));
}

void halcyon_capture_close(struct halcyon_capture *capture)
{
    library_enter();
    if (capture)
        destroy(capture);
    library_leave(HALCYON_OK);
}

uint32_t halcyon_capture_frames(const struct halcyon_capture *capture)
{
    return capture ? capture->frames : 0;
}

uint64_t halcyon_capture_refused(const struct halcyon_capture *capture)
{
    uint64_t refused;

    library_enter();
    refused = capture ? capture->refused : 0;
    library_leave(HALCYON_OK);
    return refused;
}

/* --- replaying ----------------------------------------------------------------------------------- */

enum halcyon_result library_check_frame(const struct halcyon_capture *capture, uint32_t frame)
{
    if (frame < capture->frames)
        return HALCYON_OK;
    return library_fail(HALCYON_NO_FRAME, "no frame %u: the capture has %u", (unsigned)frame,
                        (unsigned)capture->frames);
}

static enum halcyon_result begin_again(struct halcyon_capture *capture)
{
    library_capture_stop(capture);
    capture_rewind(capture->reader);
    capture->player = player_create(&capture->driver);
    capture->refused = 0;
    return capture->player ? HALCYON_OK : library_no_memory();
}

/* Plays an event. Pictures would be wrong after calls for which there was no memory. */
static enum halcyon_result play_event(struct halcyon_capture *capture, const struct capture_event *event)
{
    const struct player_stats *stats = player_get_stats(capture->player);
    struct capture_error error = {0};

    if (!player_play(capture->player, event, &error))
        return library_fail_with(&error, stats->too_much_work ? HALCYON_TOO_MUCH_WORK : HALCYON_DAMAGED);
    if (stats->no_memory)
        return library_no_memory();
    capture->refused = stats->refused;
    return HALCYON_OK;
}

static enum halcyon_result play_to(struct halcyon_capture *capture, uint32_t frame)
{
    struct capture_event event;
    struct capture_error error = {0};
    enum capture_status status;
    enum halcyon_result result = HALCYON_OK;

    while ((status = capture_next(capture->reader, &event, &error)) == CAPTURE_OK) {
        result = play_event(capture, &event);
        if (result != HALCYON_OK)
            return result;
        if (event.type != CAPTURE_FRAME)
            continue;
        capture->reached = true;
        capture->frame = event.frame;
        memcpy(&capture->shown, event.data, sizeof(capture->shown));
        if (event.frame == frame)
            return HALCYON_OK;
        if (event.frame > frame)
            break;
    }
    if (status == CAPTURE_BAD || status == CAPTURE_CUT)
        return library_fail_with(&error, HALCYON_DAMAGED);
    return library_fail(HALCYON_NO_FRAME, "frame %u is in the index of the capture, but not in the capture",
                        (unsigned)frame);
}

/* Until the history of a pixel is asked for. */
static enum halcyon_result replay_by_player(struct halcyon_capture *capture, uint32_t frame)
{
    enum halcyon_result result = HALCYON_OK;

    if (!capture->player || capture->spoiled || (capture->reached && capture->frame > frame))
        result = begin_again(capture);
    else if (capture->reached && capture->frame == frame)
        return HALCYON_OK;
    if (result == HALCYON_OK)
        result = play_to(capture, frame);
    capture->spoiled = result != HALCYON_OK;
    return result;
}

static enum halcyon_result grab(struct halcyon_capture *capture, struct player_picture *picture)
{
    struct capture_error error = {0};

    if (player_grab(capture->player, &capture->shown, picture, &error))
        return HALCYON_OK;
    return library_fail_with(&error, HALCYON_NO_PICTURE);
}

static enum halcyon_result grab_from_session(struct halcyon_capture *capture, uint32_t frame,
                                             struct player_picture *picture)
{
    struct capture_error error = {0};

    if (inspect_load(capture->session, frame, &error) && inspect_grab_frame(capture->session, picture, &error) &&
        !library_session_lacks_memory(capture, &error))
        return HALCYON_OK;
    free(picture->pixels);
    return library_session_fail(capture, &error);
}

/* Makes capture->picture that of the frame. */
static enum halcyon_result make_picture(struct halcyon_capture *capture, uint32_t frame)
{
    struct player_picture grabbed = {0};
    enum halcyon_result result = library_check_frame(capture, frame);

    if (result != HALCYON_OK || (capture->picture.valid && capture->picture_frame == frame))
        return result;
    if (library_has_session(capture)) {
        result = grab_from_session(capture, frame, &grabbed);
    } else {
        result = replay_by_player(capture, frame);
        if (result == HALCYON_OK)
            result = grab(capture, &grabbed);
    }
    if (result != HALCYON_OK)
        return result;
    library_picture_set(&capture->picture, &grabbed);
    capture->picture_frame = frame;
    return HALCYON_OK;
}

static enum halcyon_result replay(struct halcyon_capture *capture, uint32_t frame)
{
    enum halcyon_result result;

    if (!capture)
        return library_fail(HALCYON_INVALID, "no capture");
    result = library_check_frame(capture, frame);
    if (result != HALCYON_OK)
        return result;
    return library_has_session(capture) ? make_picture(capture, frame) : replay_by_player(capture, frame);
}

enum halcyon_result halcyon_capture_replay(struct halcyon_capture *capture, uint32_t frame)
{
    library_enter();
    return library_leave(replay(capture, frame));
}

enum halcyon_result halcyon_capture_picture(struct halcyon_capture *capture, uint32_t frame,
                                            struct halcyon_picture *picture)
{
    enum halcyon_result result = HALCYON_INVALID;

    library_enter();
    if (!capture || !picture)
        library_fail(result, "a capture and a place for the picture are needed");
    else
        result = make_picture(capture, frame);
    if (result == HALCYON_OK)
        library_picture_give(&capture->picture, picture);
    return library_leave(result);
}

enum halcyon_result halcyon_capture_hash(struct halcyon_capture *capture, uint32_t frame, uint64_t *hash)
{
    enum halcyon_result result = HALCYON_INVALID;

    library_enter();
    if (!capture || !hash)
        library_fail(result, "a capture and a place for the hash are needed");
    else
        result = make_picture(capture, frame);
    if (result == HALCYON_OK)
        *hash = capture->picture.hash;
    return library_leave(result);
}
