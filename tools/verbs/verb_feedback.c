/* SPDX-License-Identifier: MIT */
/* dp2 feedback: which parts of a capture's textures are ever sampled. */
#include "tools/playback/feedback_numbers.h"
#include "tools/playback/feedback_picture.h"
#include "tools/playback/playback.h"

#include "base/base.h"
#include "base/frames.h"
#include "base/json/json.h"
#include "replay/picture.h"
#include "tools/tool.h"
#include "client/umd/bridge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
    const char *path, *output;
    struct frame_range range;
    bool json, hash;
    bool begun; /* a requested frame is being drawn, or was */
    uint32_t frames;
    uint64_t frames_there; /* of the capture, as far as it was played */
    bool damaged;          /* what follows is unknown */
    struct progress progress;
};

/* Copies in system memory that are never sampled are left out. */
static const struct feedback_texture *listed(const struct feedback_texture *t)
{
    while (t && t->system_memory && (t->untracked || !feedback_count(t).used))
        t = t->next;
    return t;
}

/* --- text -------------------------------------------------------------------------------------------- */

/* "0-3,5"; "-" for none. */
static void level_list(uint32_t levels, char *text, size_t size)
{
    size_t length = 0;

    snprintf(text, size, "-");
    for (unsigned l = 0; levels >> l; l++) {
        unsigned last = l;

        if (!(levels >> l & 1))
            continue;
        while (levels >> (last + 1) & 1)
            last++;
        length +=
            (size_t)snprintf(text + length, size - length, last > l ? "%s%u-%u" : "%s%u", length ? "," : "", l, last);
        l = last;
    }
}

static double kib(uint64_t bytes)
{
    return (double)bytes / 1024.0;
}

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0.0;
}

static void feedback_print_row(const struct feedback_texture *t, const struct feedback_numbers *n)
{
    char size[48], levels[64], regions[32];

    if (t->is_volume)
        snprintf(size, sizeof(size), "%ux%ux%u", t->level[0].width, t->level[0].height, t->level[0].slices);
    else
        snprintf(size, sizeof(size), t->faces == 6 ? "6x %ux%u" : "%ux%u", t->level[0].width, t->level[0].height);
    level_list(n->levels, levels, sizeof(levels));
    snprintf(regions, sizeof(regions), "%u/%u", n->used, n->regions);
    printf("%7" PRIu32 "  %-13s %11s %5u  %-9s %12s %11.1f %11.1f  %5.1f %%\n", t->id,
           raster_format_info(t->format)->name, size, t->levels, t->untracked ? t->untracked : levels,
           t->untracked ? "-" : regions, kib(n->touched), kib(n->resident), percent(n->touched, n->resident));
}

static void print_table(const struct feedback_texture *first)
{
    struct feedback_numbers total = {0};
    unsigned count = 0;

    printf("texture  format               size  mips  sampled        regions  KiB touched    KiB all\n");
    for (const struct feedback_texture *t = listed(first); t; t = listed(t->next), count++) {
        const struct feedback_numbers n = feedback_count(t);

        feedback_print_row(t, &n);
        total.touched += n.touched;
        total.resident += n.resident;
    }
    printf("%u textures: %.1f of %.1f KiB are ever sampled (%.1f %%)\n", count, kib(total.touched), kib(total.resident),
           percent(total.touched, total.resident));
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

/* Rows of '0' and '1', by face or by slice. */
static void put_maps(struct json_writer *json, const struct feedback_texture *t, const struct feedback_level *l)
{
    char *row = mem_alloc(l->columns, 1, 1);

    json->failed |= !row;
    json_open_list(json, t->is_volume ? "slices" : "faces");
    for (unsigned i = 0; i < t->faces * l->slices; i++) {
        const uint8_t *used = l->used[i / l->slices];
        const size_t first = (size_t)(i % l->slices) * l->rows * l->columns;

        json_open_list(json, NULL);
        for (unsigned y = 0; row && used && y < l->rows; y++) {
            for (unsigned x = 0; x < l->columns; x++)
                row[x] = used[first + y * l->columns + x] ? '1' : '0';
            json_put_characters(json, NULL, row, l->columns);
        }
        json_close(json);
    }
    json_close(json);
    free(row);
}

static void put_level(struct json_writer *json, const struct feedback_texture *t, unsigned level)
{
    const struct feedback_level *l = &t->level[level];

    json_open_object(json, NULL);
    json_put_number(json, "level", level);
    json_put_number(json, "columns", l->columns);
    json_put_number(json, "rows", l->rows);
    json_put_number(json, "used", feedback_level_used(t, level));
    put_maps(json, t, l);
    json_close(json);
}

static void put_texture(struct json_writer *json, const struct feedback_texture *t, const struct feedback_numbers *n)
{
    json_open_object(json, NULL);
    json_put_number(json, "surface", t->id);
    json_put_number(json, "handle", t->handle);
    json_put_text(json, "format", raster_format_info(t->format)->name);
    json_put_number(json, "width", t->level[0].width);
    json_put_number(json, "height", t->level[0].height);
    if (t->is_volume)
        json_put_number(json, "depth", t->level[0].slices);
    json_put_number(json, "mips", t->levels);
    json_put_number(json, "faces", t->faces);
    json_put_number(json, "bytes", n->resident);
    json_put_number(json, "touched", n->touched);
    if (t->untracked) {
        json_put_text(json, "untracked", t->untracked);
    } else {
        json_open_list(json, "region");
        json_put_number(json, NULL, t->region_width);
        json_put_number(json, NULL, t->region_height);
        json_close(json);
        json_open_list(json, "levels");
        for (unsigned level = 0; level < t->levels; level++)
            put_level(json, t, level);
        json_close(json);
    }
    json_close(json);
}

static bool feedback_print_json(const struct request *r, const struct feedback_texture *first)
{
    struct feedback_numbers total = {0};
    struct json_writer json;
    unsigned count = 0;

    json_begin(&json, stdout, "dp2-feedback", false);
    json_put_text(&json, "file", r->path);
    json_put_number(&json, "frames", r->frames);
    json_stream_list(&json, "textures");
    for (const struct feedback_texture *t = listed(first); t; t = listed(t->next), count++) {
        const struct feedback_numbers n = feedback_count(t);

        put_texture(&json, t, &n);
        total.touched += n.touched;
        total.resident += n.resident;
    }
    json_close(&json);
    json_open_object(&json, "total");
    json_put_number(&json, "textures", count);
    json_put_number(&json, "bytes", total.resident);
    json_put_number(&json, "touched", total.touched);
    json_close(&json);
    return json_end(&json);
}

/* --- pictures --------------------------------------------------------------------------------------------- */

static int write_pictures(const struct request *r, const struct feedback_texture *first)
{
    if (mkdir(r->output, 0777) != 0 && errno != EEXIST)
        return tool_fail(&verb_feedback, "%s: %s", r->output, strerror(errno));
    for (const struct feedback_texture *t = listed(first); t; t = listed(t->next)) {
        struct player_picture picture;
        char why[128], path[4096];
        bool done;

        if (t->untracked)
            continue;
        snprintf(path, sizeof(path), "%s/texture-%" PRIu32 ".png", r->output, t->id);
        if (tool_check_output(&verb_feedback, path, r->path) != TOOL_OK)
            return TOOL_ERROR;
        if (!feedback_picture(t, &picture))
            return tool_fail(&verb_feedback, "out of memory");
        done = picture_write_png(&picture, path, why, sizeof(why));
        free(picture.pixels);
        if (!done)
            return tool_fail(&verb_feedback, "%s: %s", path, why);
    }
    return TOOL_OK;
}

/* --- playing ------------------------------------------------------------------------------------------------ */

static int end_frame(void *user, struct player *player, const struct capture_frame *frame)
{
    struct request *r = user;
    struct player_picture picture;
    struct capture_error error = {0};

    r->frames_there = BASE_MAX(r->frames_there, (uint64_t)frame->frame + 1);
    if (frame_range_has(&r->range, frame->frame)) {
        r->frames++;
        r->begun = true;
    } else if (!r->begun) {
        player_clear_feedback(player); /* samples before the first requested frame */
    }
    if (!r->hash)
        return TOOL_OK;
    if (!player_grab(player, frame, &picture, &error)) {
        tool_say(&verb_feedback, "frame %" PRIu32 ": %s", frame->frame, error.text);
        return TOOL_DAMAGED;
    }
    progress_clear();
    printf("%" PRIu32 " %ux%u %016" PRIx64 "\n", frame->frame, picture.width, picture.height, picture_hash(&picture));
    free(picture.pixels);
    return TOOL_OK;
}

static int feedback_report(const struct request *r, struct player *player)
{
    const struct feedback_texture *first;

    if (!r->damaged && tool_check_frames(&verb_feedback, r->path, &r->range, r->frames_there) != TOOL_OK)
        return TOOL_ERROR;
    first = player_read_feedback(player);
    if (r->json && !feedback_print_json(r, first))
        return tool_fail(&verb_feedback, "out of memory");
    if (!r->json && !r->hash)
        print_table(first);
    return r->output ? write_pictures(r, first) : TOOL_OK;
}

static int play_and_report(struct request *r, struct capture_reader *reader)
{
    const struct playback play = {&verb_feedback, r->path, &r->range, &r->progress, end_frame, r};
    struct client_driver driver;
    struct player *player;
    HRESULT hr = client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter));
    int status;

    if (FAILED(hr))
        return tool_fail(&verb_feedback, "the driver does not start: %#x", (unsigned)hr);
    player = player_create(&driver);
    if (!player) {
        client_driver_close(&driver);
        return tool_fail(&verb_feedback, "out of memory");
    }
    player_attach_feedback(player);
    progress_start(&r->progress, "feedback", reader, frame_range_end(&r->range), 1);
    status = playback_run(&play, reader, player, &r->damaged);
    progress_end(&r->progress);
    if (player_get_stats(player)->refused) {
        tool_say(&verb_feedback, "the driver refused %" PRIu64 " calls, the first in frame %" PRIu32 " (see its log)",
                 player_get_stats(player)->refused, player_get_stats(player)->first_refused.frame);
        status = BASE_MAX(status, TOOL_DAMAGED);
    }
    if (status != TOOL_ERROR) {
        const int reported = feedback_report(r, player);
        status = BASE_MAX(status, reported);
    }
    player_destroy(player);
    client_driver_close(&driver);
    return status;
}

static int feedback_verb(void *settings, char **operands, int count)
{
    struct request *request = settings;
    struct capture_reader *reader;
    int status;

    (void)count;
    if (request->json && request->hash)
        return tool_usage(&verb_feedback, "--hash and --json exclude each other");
    request->path = operands[0];
    reader = tool_open_capture(&verb_feedback, request->path, &status);
    if (!reader)
        return status;
    status = play_and_report(request, reader);
    return tool_close_capture(&verb_feedback, request->path, reader, status);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct request, range), .argument = "N|A-B",
     .help = "count only what these frames sample; earlier frames are drawn too"},
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "DIR", .value = VALUE_FOLDER,
     .help = "write a heat map of each texture, DIR/texture-N.png: the finest level sampled at each place, over the "
             "texture; dark where nothing was sampled"},
    {"json", 0, SETS_BOOL(struct request, json),
     .help = "print JSON (docs/json.md) instead of text, with the map of each level"},
    {"hash", 0, SETS_BOOL(struct request, hash),
     .help = "print a line 'FRAME WIDTHxHEIGHT HASH' for each frame instead, as replay does; excludes --json"},
    {0},
};

const struct tool_verb verb_feedback = {
    .syntax =
        {
            .name = "feedback",
            .summary = "show which parts of the textures are ever sampled",
            .about = "Replays a capture with a sampler feedback map for every texture, and prints which levels and "
                     "regions of each texture were ever sampled. The pixels do not change.",
            .options = options,
            .notes = "Columns: surface number, format, size, mip levels, levels sampled, regions sampled of all (at "
                     "most 64 on a side), bytes in these regions, bytes of all levels.\n"
                     "\n"
                     "Every slice of a volume has its own regions. Formats that cannot be sampled have no maps, and "
                     "count as sampled. Copies in system memory from which textures are filled are left out.",
            .examples = "dp2 feedback game.capture\n"
                        "dp2 feedback game.capture --frame 100-120 -o maps/\n"
                        "dp2 feedback game.capture --json | jq '.total'",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct request),
    .run = feedback_verb,
};
