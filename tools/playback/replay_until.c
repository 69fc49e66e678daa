/* SPDX-License-Identifier: MIT */
/*
 * dp2 replay --until: the contents of the targets in the middle of a frame.
 */
#include "replay/picture.h"
#include "base/base.h"
#include "tools/playback/replay.h"

#include "dp2/tokens.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool replay_parse_stop(struct stop *stop, const char *text)
{
    char *end;
    unsigned long values[3] = {0};
    unsigned count = 0;

    do {
        if (count == 3 || *text < '0' || *text > '9')
            return false;
        errno = 0;
        values[count] = strtoul(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
        if (errno || values[count++] >= UINT32_MAX)
            return false;
        text = end + 1;
    } while (*end == ':');
    stop->wanted = true;
    stop->has_call = count > 1;
    stop->has_offset = count > 2;
    stop->frame = (uint32_t)values[0];
    stop->call = (uint32_t)values[1];
    stop->offset = (uint32_t)values[2];
    return !*end;
}

/* The bytes of commands up to the token at the offset and with it. 0: no token begins there, and *before is the offset of
 * the last one that begins before it. */
static uint32_t replay_part(const struct capture_draw *head, uint32_t offset, size_t *before)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;

    *before = 0;
    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK && command.offset <= offset) {
        *before = command.offset;
        if (command.offset == offset)
            return (uint32_t)cursor.offset;
    }
    return 0;
}

/* The call up to the token at the offset: its event without the commands after it. */
static int play_part(const struct replay *replay, struct player *player, const struct capture_event *event)
{
    const struct capture_draw *head = (const void *)event->data;
    const uint8_t *commands = (const uint8_t *)(head + 1);
    struct capture_event part = *event;
    struct capture_error error = {0};
    struct capture_draw *cut;
    size_t before;
    const uint32_t bytes = replay_part(head, replay->stop.offset, &before);
    uint8_t *copy;
    bool done;

    if (!bytes)
        return tool_fail(&verb_replay,
                         "no token begins at %#" PRIx32 " of this call; the last before it begins at %#zx",
                         replay->stop.offset, before);
    copy = mem_calloc(1, event->size + 4);
    if (!copy)
        return tool_fail(&verb_replay, "out of memory");
    cut = (void *)copy;
    *cut = *head;
    cut->command_bytes = bytes;
    memcpy(cut + 1, commands, bytes);
    memcpy(copy + sizeof(*cut) + ((bytes + 3) & ~3u), commands + ((head->command_bytes + 3) & ~3u), head->vertex_bytes);
    part.data = copy;
    done = player_play(player, &part, &error);
    free(copy);
    return done ? TOOL_OK : tool_unreadable(&verb_replay, replay->path, &error);
}

bool replay_parse_depths(struct player_depths *depths, const char *text)
{
    char *end;

    depths->least = strtof(text, &end);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    depths->greatest = strtof(text, &end);
    return end != text && !*end && isfinite(depths->least) && isfinite(depths->greatest) &&
           depths->least != depths->greatest;
}

/* depths: of the picture of a depth buffer; NULL: it is not a depth buffer. */
static void show_surface(struct replay *replay, uint32_t surface, const struct player_picture *picture,
                         const struct player_depths *depths, const char *what)
{
    struct json_writer *json = &replay->json;

    if (!replay->as_json) {
        fprintf(replay->results, "%s #%" PRIu32 " %ux%u %016" PRIx64, what, surface, picture->width, picture->height,
                picture_hash(picture));
        if (depths)
            fprintf(replay->results, " black %.9g white %.9g", (double)depths->least, (double)depths->greatest);
        fprintf(replay->results, "\n");
        return;
    }
    json_open_object(json, what);
    json_put_number(json, "surface", surface);
    json_put_number(json, "width", picture->width);
    json_put_number(json, "height", picture->height);
    json_put_hash(json, "hash", picture_hash(picture));
    if (depths) {
        json_put_float(json, "black", depths->least);
        json_put_float(json, "white", depths->greatest);
    }
    json_close(json);
}

/* The hash is that of the picture with all depths, 0 black to 1 white. */
static int print_surface(struct replay *replay, struct player *player, uint32_t surface,
                         const struct player_depths *depths, const char *what)
{
    struct player_picture picture;
    struct capture_error error = {0};

    if (!player_grab_surface(player, surface, NULL, &picture, &error)) {
        tool_say(&verb_replay, "%s: %s", what, error.text);
        return TOOL_DAMAGED;
    }
    show_surface(replay, surface, &picture, depths, what);
    free(picture.pixels);
    return TOOL_OK;
}

static int write_surface(struct replay *replay, struct player *player, uint32_t surface,
                         const struct player_depths *depths, const char *path, const char *what)
{
    struct player_picture picture;
    struct capture_error error = {0};
    int status = print_surface(replay, player, surface, depths, what);

    if (status != TOOL_OK || !path)
        return status;
    if (!player_grab_surface(player, surface, depths, &picture, &error)) {
        tool_say(&verb_replay, "%s: %s", what, error.text);
        return TOOL_DAMAGED;
    }
    status = replay_write_picture(replay, &picture, path);
    free(picture.pixels);
    return status;
}

/* Depths that are black and white in the picture of a depth buffer: those of --depth-range, or the least and the greatest in it.
 * If it holds one depth only, 0 and 1. */
static struct player_depths depths_of(const struct replay *replay, struct player *player, uint32_t surface)
{
    struct player_depths depths = replay->depths;
    struct capture_error ignored;

    if (!replay->depths_given && (!player_depth_range(player, surface, &depths, &ignored) ||
                                  !(depths.least < depths.greatest) || !isfinite(depths.greatest - depths.least)))
        depths = (struct player_depths){0, 1};
    return depths;
}

static int write_targets(struct replay *replay, struct player *player)
{
    uint32_t target, depth;
    struct player_depths depths;
    char *path = NULL;
    int status;

    player_targets(player, &target, &depth);
    if (!target)
        return tool_fail(&verb_replay, "nothing has been drawn to by then");
    progress_clear();
    status = write_surface(replay, player, target, NULL, replay->output, "target");
    if (status != TOOL_OK || !depth)
        return status;
    if (replay->output && replay->results == stdout) {
        const size_t length = strlen(replay->output);
        const bool png = length > 4 && strcmp(replay->output + length - 4, ".png") == 0;
        path = malloc(length + 16);
        if (!path)
            return tool_fail(&verb_replay, "out of memory");
        snprintf(path, length + 16, "%.*s.depth.png", (int)(png ? length - 4 : length), replay->output);
    }
    depths = depths_of(replay, player, depth);
    status = write_surface(replay, player, depth, &depths, path, "depth");
    free(path);
    return status;
}

/* Is this the event to stop after? A flip changes the target, so stop before it. */
static bool is_last(const struct stop *stop, const struct capture_event *event, uint32_t call)
{
    if (event->frame != stop->frame)
        return false;
    if (event->type == CAPTURE_DRAW)
        return stop->has_call && call == stop->call;
    return event->type == CAPTURE_FRAME || (event->type == CAPTURE_FLIP && !stop->has_call);
}

/* Plays the last event, unless the replay stops before it, and shows the targets. */
static int stop_here(struct replay *replay, struct player *player, const struct capture_event *event, uint32_t calls)
{
    const struct stop *stop = &replay->stop;
    struct capture_error error = {0};
    int status;

    if (stop->has_call && event->type != CAPTURE_DRAW)
        return tool_fail(&verb_replay, "frame %" PRIu32 " has %" PRIu32 " calls, counted from 0", stop->frame, calls);
    if (event->type == CAPTURE_DRAW && stop->has_offset) {
        status = play_part(replay, player, event);
        if (status != TOOL_OK)
            return status;
    } else if (event->type != CAPTURE_FLIP && !player_play(player, event, &error)) {
        return tool_unreadable(&verb_replay, replay->path, &error);
    }
    return write_targets(replay, player);
}

int replay_until(struct replay *replay, struct capture_reader *reader, struct player *player)
{
    struct capture_event event;
    struct capture_error error = {0};
    enum capture_status status;
    uint32_t calls = 0;

    player_follow_targets(player);
    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK) {
        if (is_last(&replay->stop, &event, calls))
            return stop_here(replay, player, &event, calls);
        calls += event.frame == replay->stop.frame && event.type == CAPTURE_DRAW;
        if (!player_play(player, &event, &error)) {
            status = CAPTURE_BAD;
            break;
        }
        if (event.type == CAPTURE_FRAME)
            progress_show(&replay->progress, event.frame);
    }
    if (status != CAPTURE_END)
        return tool_read_result(&verb_replay, replay->path, status, &error);
    return tool_fail(&verb_replay, "%s: no such frame: %" PRIu32, tool_input_name(replay->path), replay->stop.frame);
}
