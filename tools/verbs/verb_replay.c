/* SPDX-License-Identifier: MIT */
/*
 * dp2 replay: plays a capture into the driver, writes pictures, hashes and times.
 */
#include "replay/picture.h"
#include "tools/playback/playback.h"
#include "tools/playback/replay.h"

#include "base/base.h"
#include "ddi/root.h"
#include "client/umd/bridge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- pictures ------------------------------------------------------------------------------- */

int replay_write_picture(const struct replay *replay, const struct player_picture *picture, const char *path)
{
    char why[128];

    if (tool_check_output(&verb_replay, path, replay->path) != TOOL_OK)
        return TOOL_ERROR;
    if (picture_write_png(picture, path, why, sizeof(why)))
        return TOOL_OK;
    return tool_fail(&verb_replay, "%s: %s", tool_output_name(path), why);
}

/* Finds "%d" or "%04d" in a file name: returns its length, and the digits. 0: there is none. */
static size_t number_pattern(const char *name, const char **start, int *digits)
{
    const char *end;

    *start = strchr(name, '%');
    if (!*start)
        return 0;
    *digits = (int)strtol(*start + 1, (char **)&end, 10);
    if (*end != 'd' || *digits < 0 || *digits > 20 || strchr("+- \t", (*start)[1]) || strchr(end, '%'))
        return 0;
    return (size_t)(end + 1 - *start);
}

static int write_numbered(const struct replay *replay, const struct player_picture *picture, uint32_t frame)
{
    const size_t size = strlen(replay->output) + 64;
    char *path = malloc(size);
    const char *start;
    int digits, status;
    const size_t length = number_pattern(replay->output, &start, &digits);

    if (!path)
        return tool_fail(&verb_replay, "out of memory");
    if (length)
        snprintf(path, size, "%.*s%0*" PRIu32 "%s", (int)(start - replay->output), replay->output, digits, frame,
                 start + length);
    else
        snprintf(path, size, "%s/frame-%06" PRIu32 ".png", replay->output, frame);
    status = replay_write_picture(replay, picture, path);
    free(path);
    return status;
}

static int show_frame(struct replay *replay, struct player *player, const struct capture_frame *frame)
{
    struct player_picture picture;
    struct capture_error error = {0};
    int status = TOOL_OK;

    if ((!replay->hash && !replay->output) || !frame_range_has(&replay->range, frame->frame))
        return TOOL_OK;
    if (!player_grab(player, frame, &picture, &error)) {
        tool_say(&verb_replay, "frame %" PRIu32 ": %s", frame->frame, error.text);
        return TOOL_DAMAGED;
    }
    replay->frames_shown++;
    if (replay->hash) {
        replay->shown = (struct player_picture){picture.width, picture.height, NULL};
        replay->shown_hash = picture_hash(&picture);
    }
    if (replay->hash && !replay->as_json) {
        progress_clear();
        fprintf(replay->results, "%" PRIu32 " %ux%u %016" PRIx64 "\n", frame->frame, picture.width, picture.height,
                replay->shown_hash);
    }
    if (replay->place == PICTURE_NUMBER) {
        status = write_numbered(replay, &picture, frame->frame);
    } else if (replay->output && strcmp(replay->output, "-") == 0) {
        status = replay_write_picture(replay, &picture, "-");
    } else if (replay->output) {
        free(replay->last.pixels);
        replay->last = picture;
        replay->last_frame = frame->frame;
        return TOOL_OK;
    }
    free(picture.pixels);
    return status;
}

static int write_last(struct replay *replay)
{
    if (!replay->last.pixels)
        return TOOL_OK;
    if (replay->frames_shown > 1 && !replay->quiet && isatty(STDERR_FILENO))
        tool_say(&verb_replay, "%s: frame %" PRIu32 ", the last of %" PRIu64 "; -o with a directory writes all of them",
                 replay->output, replay->last_frame, replay->frames_shown);
    return replay_write_picture(replay, &replay->last, replay->output);
}

/* --- playing --------------------------------------------------------------------------------- */

/* A frame has ended. False: out of memory. */
static bool note_time(struct frame_times *times)
{
    const double now = clock_seconds();

    if (times->count == times->capacity) {
        const size_t capacity = 2 * times->capacity + 256;
        double *bigger = mem_realloc(times->list, capacity, sizeof(*bigger));
        if (!bigger)
            return false;
        times->list = bigger;
        times->capacity = capacity;
    }
    times->list[times->count++] = now - times->last;
    times->last = now;
    return true;
}

/* A frame in the list of the JSON document. */
static void put_frame(struct replay *replay, uint32_t frame)
{
    const struct frame_times *times = &replay->times;
    struct json_writer *json = &replay->json;

    progress_clear();
    json_open_object(json, NULL);
    json_put_number(json, "pass", replay->progress.pass);
    json_put_number(json, "frame", frame);
    json_put_real(json, "seconds", times->list[times->count - 1]);
    if (replay->hash) {
        json_put_number(json, "width", replay->shown.width);
        json_put_number(json, "height", replay->shown.height);
        json_put_hash(json, "hash", replay->shown_hash);
    }
    json_close(json);
}

/* refused: calls of this pass so far. Passes are the same. */
static void note_refused(struct refusals *refusals, uint64_t refused, uint32_t frame, uint64_t pass)
{
    if (pass == 0 && refused > refusals->calls) {
        if (refusals->frames < MAX_NAMED_FRAMES)
            refusals->frame[refusals->frames] = frame;
        refusals->frames++;
        refusals->calls = refused;
    }
}

static int end_frame(void *user, struct player *player, const struct capture_frame *frame)
{
    struct replay *replay = user;
    const int status = show_frame(replay, player, frame);

    note_refused(&replay->refusals, player_get_stats(player)->refused, frame->frame, replay->progress.pass);
    if (status == TOOL_ERROR)
        return status;
    replay->frames_played++;
    replay->frames_there = BASE_MAX(replay->frames_there, (uint64_t)frame->frame + 1);
    if ((replay->stats || replay->as_json) && !note_time(&replay->times))
        return tool_fail(&verb_replay, "out of memory");
    if (replay->as_json && status == TOOL_OK && frame_range_has(&replay->range, frame->frame))
        put_frame(replay, frame->frame);
    return status;
}

static void add_stats(struct player_stats *sum, const struct player_stats *stats)
{
    sum->events += stats->events;
    sum->draws += stats->draws;
    sum->command_bytes += stats->command_bytes;
    sum->vertex_bytes += stats->vertex_bytes;
    sum->memory_bytes += stats->memory_bytes;
    sum->refused += stats->refused;
    sum->no_memory += stats->no_memory;
}

/* Prints where calls were refused: pictures may be wrong from there on, and are right before. */
static void say_refused(const struct replay *replay)
{
    const struct refusals *refusals = &replay->refusals;
    char frames[160] = "";
    size_t length = 0;

    for (unsigned i = 0; i < refusals->frames && i < MAX_NAMED_FRAMES; i++)
        length +=
            (size_t)snprintf(frames + length, sizeof(frames) - length, "%s%" PRIu32, i ? ", " : "", refusals->frame[i]);
    if (refusals->frames > MAX_NAMED_FRAMES)
        snprintf(frames + length, sizeof(frames) - length, " and %u more", refusals->frames - MAX_NAMED_FRAMES);
    tool_say(&verb_replay, "the driver refused %" PRIu64 " call%s%s%s (see its log)", replay->totals.refused,
             replay->totals.refused == 1 ? "" : "s",
             refusals->frames == 0   ? ""
             : refusals->frames == 1 ? " in frame "
                                     : " in frames ",
             frames);
}

static int play_once(struct replay *replay, struct capture_reader *reader, const struct client_driver *driver)
{
    const struct playback play = {&verb_replay, replay->path, &replay->range, &replay->progress, end_frame, replay};
    struct player *player = player_create(driver);
    int status;

    if (!player)
        return tool_fail(&verb_replay, "out of memory");
    capture_rewind(reader);
    replay->times.last = clock_seconds();
    status = replay->stop.wanted ? replay_until(replay, reader, player)
                                 : playback_run(&play, reader, player, &replay->damaged);
    add_stats(&replay->totals, player_get_stats(player));
    player_destroy(player);
    progress_next_pass(&replay->progress);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

static void print_stats(struct replay *replay, double seconds)
{
    const struct player_stats *totals = &replay->totals;
    const struct frame_times *times = &replay->times;
    const double safe = seconds > 0 ? seconds : 1e-9;
    FILE *out = replay->results;

    fprintf(out, "frames     %" PRIu64 "\n", replay->frames_played);
    fprintf(out, "draws      %" PRIu64 " DrawPrimitives2 calls\n", totals->draws);
    fprintf(out, "commands   %" PRIu64 " bytes\n", totals->command_bytes);
    fprintf(out, "vertices   %" PRIu64 " bytes with the calls\n", totals->vertex_bytes);
    fprintf(out, "memory     %" PRIu64 " bytes written to surfaces\n", totals->memory_bytes);
    fprintf(out, "refused    %" PRIu64 " calls\n", totals->refused);
    fprintf(out, "time       %.3f s, %.1f frames/s\n", seconds, (double)replay->frames_played / safe);
    if (!times->count)
        return;
    fprintf(out, "frame      %.3f ms at least, %.3f ms median, %.3f ms at most\n", times->list[0] * 1e3,
            times->list[times->count / 2] * 1e3, times->list[times->count - 1] * 1e3);
}

static void put_stats(struct replay *replay, double seconds)
{
    const struct player_stats *totals = &replay->totals;
    const struct frame_times *times = &replay->times;
    struct json_writer *json = &replay->json;

    if (!replay->stop.wanted)
        json_close(json); /* the list of frames */
    json_open_object(json, "stats");
    json_put_number(json, "frames", replay->frames_played);
    json_put_number(json, "draws", totals->draws);
    json_put_number(json, "command_bytes", totals->command_bytes);
    json_put_number(json, "vertex_bytes", totals->vertex_bytes);
    json_put_number(json, "memory_bytes", totals->memory_bytes);
    json_put_number(json, "refused", totals->refused);
    json_put_number(json, "no_memory", totals->no_memory);
    json_put_real(json, "seconds", seconds);
    if (times->count) {
        json_open_object(json, "frame_seconds");
        json_put_real(json, "least", times->list[0]);
        json_put_real(json, "median", times->list[times->count / 2]);
        json_put_real(json, "most", times->list[times->count - 1]);
        json_close(json);
    }
    json_close(json);
}

/* All counts. */
static int show_stats(struct replay *replay, double seconds)
{
    if (replay->times.count)
        qsort(replay->times.list, replay->times.count, sizeof(*replay->times.list), by_size);
    if (replay->stats && !replay->as_json)
        print_stats(replay, seconds);
    if (!replay->as_json)
        return TOOL_OK;
    put_stats(replay, seconds);
    return json_end(&replay->json) ? TOOL_OK : tool_fail(&verb_replay, "out of memory");
}

static void replay_begin_json(struct replay *replay)
{
    json_begin(&replay->json, replay->results, "dp2-replay", false);
    json_put_text(&replay->json, "file", replay->path);
    if (!replay->stop.wanted)
        json_stream_list(&replay->json, "frames");
}

/* Prints a summary like apitrace's, for a terminal. */
static void print_summary(const struct replay *replay, double seconds)
{
    if (replay->quiet || !isatty(STDERR_FILENO) || replay->stop.wanted)
        return;
    fprintf(stderr, "Rendered %" PRIu64 " frames in %.3f secs, average of %.1f fps\n", replay->frames_played, seconds,
            (double)replay->frames_played / (seconds > 0 ? seconds : 1e-9));
}

static int replay_with_driver(struct replay *replay, struct capture_reader *reader)
{
    struct client_driver driver;
    double start, seconds;
    int status = TOOL_OK, shown;
    HRESULT hr = client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter));

    if (FAILED(hr))
        return tool_fail(&verb_replay, "the driver does not start: %#x", (unsigned)hr);
    if (replay->as_json)
        replay_begin_json(replay);
    start = clock_seconds();
    progress_start(&replay->progress, "replay", reader,
                   replay->stop.wanted ? replay->stop.frame : frame_range_end(&replay->range), (uint64_t)replay->loops);
    replay->progress.hidden = replay->quiet;
    for (long i = 0; i < replay->loops && status == TOOL_OK; i++)
        status = play_once(replay, reader, &driver);
    progress_end(&replay->progress);
    client_driver_close(&driver);
    seconds = clock_seconds() - start;
    shown = show_stats(replay, seconds);
    status = BASE_MAX(status, shown);
    if (replay->totals.no_memory) {
        tool_say(&verb_replay, "the driver had no memory for %" PRIu64 " calls: pictures may be wrong",
                 replay->totals.no_memory);
        status = BASE_MAX(status, TOOL_DAMAGED);
    }
    if (replay->totals.refused) {
        say_refused(replay);
        status = BASE_MAX(status, TOOL_DAMAGED);
    }
    if (status != TOOL_ERROR)
        print_summary(replay, seconds);
    return status;
}

/* With --record. The driver writes a file of its own, which takes the place of a temporary one of ours: so an
 * existing file is kept unless the replay succeeds. */
static int replay_and_record(struct replay *replay, struct capture_reader *reader)
{
    struct output output = {0};
    int status;

    if (!replay->record)
        return replay_with_driver(replay, reader);
    if (!output_open(&output, replay->record, OUTPUT_REPLACE))
        return tool_cannot_write(&verb_replay, replay->record);
    ddi_record_to_file(output.temporary ? output.temporary : replay->record);
    status = replay_with_driver(replay, reader);
    if (ddi_record_has_failed())
        status = tool_fail(&verb_replay, "%s: the replay could not be recorded (see the driver's log)",
                           tool_output_name(replay->record));
    if (status == TOOL_ERROR)
        output_discard(&output);
    else if (!output_commit(&output))
        status = tool_cannot_write(&verb_replay, replay->record);
    return status;
}

/* Each range must hold a frame. */
static int check_frames(const struct replay *replay)
{
    if (tool_check_frames(&verb_replay, replay->path, &replay->range, replay->frames_there) != TOOL_OK)
        return TOOL_ERROR;
    if (replay->output && !replay->frames_shown)
        return tool_fail(&verb_replay, "%s: there is no frame to write", tool_input_name(replay->path));
    return TOOL_OK;
}

/* --- the command line ------------------------------------------------------------------------ */

/* Interprets -o. */
static int prepare_output(struct replay *replay)
{
    const char *slash = strrchr(replay->output, '/');
    const char *name = slash ? slash + 1 : replay->output, *dot = strrchr(name, '.'), *start;
    struct stat info;
    int digits;

    replay->place = PICTURE_FILE;
    if (strcmp(replay->output, "-") == 0)
        return TOOL_OK;
    if (tool_check_picture(&verb_replay, replay->output) != TOOL_OK)
        return TOOL_ERROR;
    if (replay->stop.wanted)
        return TOOL_OK;
    if (stat(replay->output, &info) == 0) {
        replay->place = S_ISDIR(info.st_mode) ? PICTURE_NUMBER : PICTURE_FILE;
    } else if (number_pattern(name, &start, &digits)) {
        replay->place = PICTURE_NUMBER;
    } else if (!dot) {
        replay->place = PICTURE_NUMBER;
        if (mkdir(replay->output, 0777) != 0)
            return tool_cannot_write(&verb_replay, replay->output);
    }
    return TOOL_OK;
}

static int run_replay(struct replay *replay)
{
    struct capture_reader *reader;
    int status = TOOL_OK, written;

    if (replay->output)
        status = tool_check_output(&verb_replay, replay->output, replay->path);
    if (status == TOOL_OK && replay->record)
        status = tool_check_output(&verb_replay, replay->record, replay->path);
    if (status != TOOL_OK)
        return status;
    reader = tool_open_capture(&verb_replay, replay->path, &status);
    if (!reader)
        return status;
    if (replay->output)
        status = prepare_output(replay);
    if (status == TOOL_OK)
        status = replay_and_record(replay, reader);
    status = tool_close_capture(&verb_replay, replay->path, reader, status);
    if (status != TOOL_ERROR && !replay->stop.wanted) {
        written = replay->damaged ? TOOL_OK : check_frames(replay);
        if (written == TOOL_OK)
            written = write_last(replay);
        status = BASE_MAX(status, written);
    }
    free(replay->last.pixels);
    free(replay->times.list);
    return status;
}

/* Contradictory options. */
static int check_options(const struct replay *replay)
{
    if (replay->stop.wanted && (replay->range.count || replay->hash || replay->loops != 1))
        return tool_usage(&verb_replay, "--until stops in one frame: it excludes %s",
                          replay->range.count ? "--frame"
                          : replay->hash      ? "--hash"
                                              : "--loop");
    if (replay->as_json && replay->results != stdout)
        return tool_usage(&verb_replay, "--json and --%s - both write to standard output",
                          replay->record && strcmp(replay->record, "-") == 0 ? "record" : "output");
    if (replay->depths_given && !replay->stop.wanted)
        return tool_usage(&verb_replay, "--depth-range is for the pictures of --until");
    if (replay->output && replay->record &&
        (strcmp(replay->output, replay->record) == 0 || output_is_same_file(replay->output, replay->record)))
        return tool_usage(&verb_replay, "--output and --record name one file");
    return TOOL_OK;
}

static enum option_result take_depths(void *settings, const struct option_row *row, const char *value,
                                      struct option_line *line)
{
    struct replay *replay = settings;

    replay->depths_given = true;
    return replay_parse_depths(&replay->depths, value)
               ? OPTION_OK
               : option_wrong(line, "--%s takes two different numbers A:B, not '%s'", row->name, value);
}

static enum option_result take_stop(void *settings, const struct option_row *row, const char *value,
                                    struct option_line *line)
{
    struct replay *replay = settings;

    return replay_parse_stop(&replay->stop, value)
               ? OPTION_OK
               : option_wrong(line, "--%s takes FRAME[:CALL[:OFFSET]], not '%s'", row->name, value);
}

static int replay_verb(void *settings, char **operands, int count)
{
    struct replay *replay = settings;

    (void)count;
    tool_set_threads(replay->threads);
    if (replay->cpu >= 0)
        setenv("HALCYON_CPU", cpu_level_name((enum cpu_level)replay->cpu), 1);
    if (replay->ddi >= 0)
        setenv("HALCYON_DDI", replay->ddi ? "umd" : "dx9", 1);
    replay->path = operands[0];
    replay->results = stdout;
    if ((replay->output && strcmp(replay->output, "-") == 0) || (replay->record && strcmp(replay->record, "-") == 0))
        replay->results = stderr;
    if (check_options(replay) != TOOL_OK)
        return TOOL_ERROR;
    return run_replay(replay);
}

#define LEVEL_WORD(NUMBER, name) #name "|"

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct replay, range), .argument = "N|A-B",
     .help = "show these frames: 7, 10-20, 100-, or a list 1,5-9; earlier frames are drawn, but not shown"},
    {"output", 'o', SETS_TEXT(struct replay, output), .argument = "PATH", .value = VALUE_FILE,
     .help = "write pictures: to FILE.png the last frame shown; every frame to a directory (an existing one, or a name "
             "without an extension) or to shot-%04d.png; with - one PNG after the other to standard output, while the "
             "lines of --hash, --stats and --until go to standard error"},
    {"hash", 0, SETS_BOOL(struct replay, hash), .help = "print a line 'FRAME WIDTHxHEIGHT HASH' for each frame shown"},
    TOOL_THREADS(struct replay, threads),
    {"cpu", 0, SETS_CHOICE(struct replay, cpu), .argument = "LEVEL", .choices = CPU_LEVELS(LEVEL_WORD),
     .help = "widest SIMD instructions that the driver uses: scalar, sse2, avx2 or avx512 (on ARM scalar or neon), "
             "like HALCYON_CPU"},
    {"ddi", 0, SETS_CHOICE(struct replay, ddi), .argument = "INTERFACE", .choices = "dx9|umd",
     .help = "the driver interface through which the capture is played: dx9, or umd, that of WDDM (docs/umd.md), like "
             "HALCYON_DDI"},
    {"stats", 0, SETS_BOOL(struct replay, stats),
     .help = "print what was played and how fast, with the shortest, median and longest time between the ends of two "
             "frames"},
    {"json", 0, SETS_BOOL(struct replay, as_json),
     .help = "print what --hash, --stats and --until print as JSON (docs/json.md), with the time of each frame shown"},
    {"quiet", 'q', SETS_BOOL(struct replay, quiet),
     .help = "do not print progress and 'Rendered N frames' on a terminal"},
    {"loop", 0, SETS_NUMBER(struct replay, loops), .argument = "N", .low = 1, .high = 1000000,
     .help = "play the file N times"},
    {"record", 0, SETS_TEXT(struct replay, record), .argument = "FILE", .value = VALUE_FILE,
     .help = "record the replay as a capture, or those of its frames that HALCYON_CAPTURE_FRAMES names; - is standard "
             "output"},
    {"until", 0, OPTION_CALL, .take = take_stop, .argument = "PLACE",
     .help = "stop at this place: FRAME, FRAME:CALL (after that many DrawPrimitives2 calls of the frame) or "
             "FRAME:CALL:OFFSET (in that call, counted from 0, after the token at that offset, as dump prints it); -o "
             "writes the render target at this place, and the depth buffer to a .depth.png file"},
    {"depth-range", 0, OPTION_CALL, .take = take_depths, .argument = "A:B",
     .help = "depths that are black and white in the picture of the depth buffer (needs --until): 0:1 for all of them; "
             "by default the least and the greatest in the buffer. The printed line gives both; its hash is that of "
             "the picture 0:1"},
    {0},
};

static const struct replay defaults = {.loops = 1, .cpu = -1, .ddi = -1};

const struct tool_verb verb_replay = {
    .syntax =
        {
            .name = "replay",
            .summary = "draw a capture again: pictures, hashes, speed",
            .about = "Replays a capture with the Halcyon driver, without the program that it was recorded from.",
            .options = options,
            .notes = "FILE - is standard input. A range of --frame may end after the last frame, but must not begin "
                     "there. --until cannot be combined with --frame, --hash and --loop, nor --json with pictures or "
                     "recordings on standard output.",
            .examples = "dp2 replay game.capture -o frames/\n"
                        "dp2 replay game.capture --frame 120 -o picture.png\n"
                        "dp2 replay game.capture --hash --threads 1 --cpu sse2\n"
                        "dp2 replay game.capture --json | jq '.frames | max_by(.seconds)'\n"
                        "dp2 replay game.capture --until 12:3:0x1f0 -o there.png\n"
                        "dp2 replay game.capture -o - | ffmpeg -f image2pipe -i - game.mp4",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct replay),
    .defaults = &defaults,
    .run = replay_verb,
};
