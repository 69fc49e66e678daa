/* SPDX-License-Identifier: MIT */
/*
 * dp2 replay: plays a capture into the driver, writes pictures, hashes and times.
 */
#include "tools/picture.h"
#include "tools/tool.h"

#include "base/base.h"
#include "dp2/tokens.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: dp2 replay FILE [OPTION...]\n"
    "\n"
    "Plays a capture into the Halcyon driver, without the program it was made of.\n"
    "\n"
    "  -f, --frame N|A-B   the frames to show: 7, 10-20, 100-, or a list 1,5-9\n"
    "                      (frames before them are drawn all the same)\n"
    "  -o, --output PATH   write pictures: FILE.png for one frame (the last one shown),\n"
    "                      or a directory for all\n"
    "      --hash          print a line 'FRAME WIDTHxHEIGHT HASH' for each frame shown\n"
    "      --threads N     worker threads (HALCYON_THREADS)\n"
    "      --cpu LEVEL     scalar, sse2, avx2 or avx512 (HALCYON_CPU)\n"
    "      --stats         print what was played, and how fast\n"
    "      --loop N        play the file N times\n"
    "      --record FILE   record the replay as a capture, HALCYON_CAPTURE_FRAMES=... of it\n"
    "      --until PLACE   stop at FRAME, at FRAME:CALL (after so many DrawPrimitives2 calls\n"
    "                      of it, from 0) or at FRAME:CALL:OFFSET (after that token, as dump\n"
    "                      shows offsets); -o gets what is in the render target then, and\n"
    "                      its name with .depth.png what is in the depth buffer\n"
    "\n"
    "examples:\n"
    "  dp2 replay game.capture -o frames/\n"
    "  dp2 replay game.capture --frame 120 -o picture.png\n"
    "  dp2 replay game.capture --hash --threads 1 --cpu sse2\n"
    "  dp2 replay game.capture --stats --loop 5\n"
    "  dp2 replay game.capture --until 12:3:0x1f0 -o there.png\n";

/* Where to stop: in the middle of a frame. */
struct stop {
    bool wanted, has_call, has_offset;
    uint32_t frame, call, offset;
};

struct replay {
    const char *path, *output;
    struct stop stop;
    struct frame_range range;
    bool hash, stats, to_directory;
    long loops;
    uint64_t frames_shown, frames_played;
    struct player_picture last; /* to be written to one file at the end */
    struct progress progress;
    struct player_stats totals;
};

static int write_picture(const struct replay *replay, const struct player_picture *picture,
                         const char *path)
{
    char why[128];

    (void)replay;
    if (picture_write_png(picture, path, why, sizeof(why)))
        return TOOL_OK;
    return tool_fail(&verb_replay, "%s: %s", path, why);
}

static int write_numbered(const struct replay *replay, const struct player_picture *picture,
                          uint32_t frame)
{
    const size_t size = strlen(replay->output) + 32;
    char *path = malloc(size);
    int status;

    if (!path)
        return tool_fail(&verb_replay, "out of memory");
    snprintf(path, size, "%s/frame-%06" PRIu32 ".png", replay->output, frame);
    status = write_picture(replay, picture, path);
    free(path);
    return status;
}

static int show_frame(struct replay *replay, struct player *player,
                      const struct capture_frame *frame)
{
    struct player_picture picture;
    struct capture_error error = {0};
    int status = TOOL_OK;

    if ((!replay->hash && !replay->output) || !frame_range_has(&replay->range, frame->frame))
        return TOOL_OK;
    if (!player_grab(player, frame, &picture, &error))
        return tool_fail(&verb_replay, "frame %" PRIu32 ": %s", frame->frame, error.text);
    replay->frames_shown++;
    if (replay->hash)
        printf("%" PRIu32 " %ux%u %016" PRIx64 "\n", frame->frame, picture.width, picture.height,
               picture_hash(&picture));
    if (replay->output && replay->to_directory) {
        status = write_numbered(replay, &picture, frame->frame);
    } else if (replay->output) {
        free(replay->last.pixels);
        replay->last = picture;
        return TOOL_OK;
    }
    free(picture.pixels);
    return status;
}

/* --- stopping inside a frame ------------------------------------------------------------------ */

static bool parse_stop(struct stop *stop, const char *text)
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

/* The call up to the token at the offset: its event with the commands behind it cut off. */
static bool play_part(struct player *player, const struct capture_event *event, uint32_t offset,
                      struct capture_error *error)
{
    const struct capture_draw *head = (const void *)event->data;
    const uint8_t *commands = (const uint8_t *)(head + 1);
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct capture_event part = *event;
    struct capture_draw *cut;
    struct dp2_cursor cursor;
    struct dp2_command command;
    uint8_t *copy;
    bool done;

    dp2_cursor_init(&cursor, commands, head->command_bytes, size ? size : head->vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK && command.offset < offset) {
    }
    copy = calloc(1, event->size + 4);
    if (!copy)
        return false;
    cut = (void *)copy;
    *cut = *head;
    cut->command_bytes = (uint32_t)cursor.offset;
    memcpy(cut + 1, commands, cut->command_bytes);
    memcpy(copy + sizeof(*cut) + ((cut->command_bytes + 3) & ~3u),
           commands + ((head->command_bytes + 3) & ~3u), head->vertex_bytes);
    part.data = copy;
    done = player_play(player, &part, error);
    free(copy);
    return done;
}

static int write_surface(const struct replay *replay, struct player *player, uint32_t surface,
                         const char *path, const char *what)
{
    struct player_picture picture;
    struct capture_error error = {0};
    int status = TOOL_OK;

    if (!player_grab_surface(player, surface, &picture, &error))
        return tool_fail(&verb_replay, "%s: %s", what, error.text);
    printf("%s #%" PRIu32 " %ux%u %016" PRIx64 "\n", what, surface, picture.width, picture.height,
           picture_hash(&picture));
    if (path)
        status = write_picture(replay, &picture, path);
    free(picture.pixels);
    return status;
}

static int write_targets(const struct replay *replay, struct player *player)
{
    uint32_t target, depth;
    char *path = NULL;
    int status;

    player_targets(player, &target, &depth);
    if (!target)
        return tool_fail(&verb_replay, "nothing has been drawn to by then");
    status = write_surface(replay, player, target, replay->output, "target");
    if (status != TOOL_OK || !depth)
        return status;
    if (replay->output) {
        const size_t length = strlen(replay->output);
        const bool png = length > 4 && strcmp(replay->output + length - 4, ".png") == 0;
        path = malloc(length + 16);
        if (!path)
            return tool_fail(&verb_replay, "out of memory");
        snprintf(path, length + 16, "%.*s.depth.png", (int)(png ? length - 4 : length),
                 replay->output);
    }
    status = write_surface(replay, player, depth, path, "depth");
    free(path);
    return status;
}

static int play_until(struct replay *replay, struct capture_reader *reader, struct player *player)
{
    const struct stop *stop = &replay->stop;
    struct capture_event event;
    struct capture_error error = {0};
    enum capture_status status;
    uint32_t call = 0;

    player_follow_targets(player);
    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK) {
        const bool here = event.frame == stop->frame;
        const bool draw = here && event.type == CAPTURE_DRAW;
        const bool last = (draw && stop->has_call && call == stop->call) ||
                          /* Before a flip takes the target away. */
                          (here && (event.type == CAPTURE_FRAME ||
                                    (event.type == CAPTURE_FLIP && !stop->has_call)));
        call += draw;
        if (last && event.type == CAPTURE_FLIP)
            return write_targets(replay, player);
        if (last && draw && stop->has_offset ? !play_part(player, &event, stop->offset, &error)
                                             : !player_play(player, &event, &error))
            return tool_fail(&verb_replay, "%s: at byte %" PRIu64 ": %s", replay->path,
                             error.offset, error.text);
        if (last && stop->has_call && !draw)
            return tool_fail(&verb_replay, "frame %" PRIu32 " has %" PRIu32 " calls", stop->frame,
                             call);
        if (last)
            return write_targets(replay, player);
    }
    return tool_fail(&verb_replay, "%s: no such frame: %" PRIu32, replay->path, stop->frame);
}

/* All events up to the end, or to the last frame anybody wants. */
static int play_events(struct replay *replay, struct capture_reader *reader, struct player *player)
{
    const uint32_t end = frame_range_end(&replay->range);
    struct capture_event event;
    struct capture_error error = {0};
    enum capture_status status;

    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK) {
        if (!player_play(player, &event, &error)) {
            status = CAPTURE_BAD;
            break;
        }
        if (event.type != CAPTURE_FRAME)
            continue;
        const struct capture_frame *frame = (const void *)event.data;
        const int shown = show_frame(replay, player, frame);
        if (shown != TOOL_OK)
            return shown;
        replay->frames_played++;
        progress_show(&replay->progress, capture_position(reader), capture_size(reader),
                      frame->frame);
        if (frame->frame >= end)
            return TOOL_OK;
    }
    if (status == CAPTURE_BAD)
        return tool_fail(&verb_replay, "%s: at byte %" PRIu64 ": %s", replay->path, error.offset,
                         error.text);
    if (status == CAPTURE_CUT)
        fprintf(stderr, "dp2 replay: %s: the file is cut short: %s (byte %" PRIu64 ")\n",
                replay->path, error.text, error.offset);
    return TOOL_OK;
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

static int play_once(struct replay *replay, struct capture_reader *reader,
                     const struct client_driver *driver)
{
    struct player *player = player_create(driver);
    int status;

    if (!player)
        return tool_fail(&verb_replay, "out of memory");
    capture_rewind(reader);
    status = replay->stop.wanted ? play_until(replay, reader, player)
                                 : play_events(replay, reader, player);
    add_stats(&replay->totals, player_get_stats(player));
    player_destroy(player);
    return status;
}

static void print_stats(const struct replay *replay, double seconds)
{
    const struct player_stats *totals = &replay->totals;
    const double safe = seconds > 0 ? seconds : 1e-9;

    printf("frames     %" PRIu64 "\n", replay->frames_played);
    printf("draws      %" PRIu64 " DrawPrimitives2 calls\n", totals->draws);
    printf("commands   %" PRIu64 " bytes\n", totals->command_bytes);
    printf("vertices   %" PRIu64 " bytes with the calls\n", totals->vertex_bytes);
    printf("memory     %" PRIu64 " bytes written to surfaces\n", totals->memory_bytes);
    printf("refused    %" PRIu64 " calls\n", totals->refused);
    printf("time       %.3f s, %.1f frames/s\n", seconds, (double)replay->frames_played / safe);
}

static int replay_with_driver(struct replay *replay, struct capture_reader *reader)
{
    struct client_driver driver;
    double start;
    int status = TOOL_OK;
    HRESULT hr = client_driver_init(&driver, HalcyonDriverInit);

    if (FAILED(hr))
        return tool_fail(&verb_replay, "the driver does not start: %#x", (unsigned)hr);
    start = clock_seconds();
    progress_start(&replay->progress, "replay");
    for (long i = 0; i < replay->loops && status == TOOL_OK; i++)
        status = play_once(replay, reader, &driver);
    progress_end(&replay->progress);
    if (replay->stats)
        print_stats(replay, clock_seconds() - start);
    if (replay->totals.refused)
        fprintf(stderr, "dp2 replay: the driver refused %" PRIu64 " calls (see its log)\n",
                replay->totals.refused);
    client_driver_close(&driver);
    if (status == TOOL_OK && replay->totals.no_memory)
        return tool_fail(&verb_replay, "the driver had no memory for %" PRIu64 " calls: pictures may be wrong",
                         replay->totals.no_memory);
    return status;
}

/* A directory if it is one, or is spelled like one. */
static int prepare_output(struct replay *replay)
{
    struct stat info;
    const size_t length = strlen(replay->output);

    if (stat(replay->output, &info) == 0) {
        replay->to_directory = S_ISDIR(info.st_mode);
        return TOOL_OK;
    }
    replay->to_directory = length && replay->output[length - 1] == '/';
    if (replay->to_directory && mkdir(replay->output, 0777) != 0)
        return tool_fail(&verb_replay, "%s: %s", replay->output, strerror(errno));
    return TOOL_OK;
}

static int run_replay(struct replay *replay)
{
    struct capture_error error = {0};
    struct capture_reader *reader;
    int status = replay->output && !replay->stop.wanted ? prepare_output(replay) : TOOL_OK;

    if (status != TOOL_OK)
        return status;
    reader = capture_open(replay->path, &error);
    if (!reader)
        return tool_fail(&verb_replay, "%s: %s", replay->path, error.text);
    status = replay_with_driver(replay, reader);
    capture_close(reader);
    if (status == TOOL_OK && replay->output && !replay->stop.wanted && replay->frames_shown == 0)
        return tool_fail(&verb_replay, "%s: no such frame: the capture has %" PRIu64, replay->path,
                         replay->frames_played);
    if (status == TOOL_OK && replay->last.pixels)
        status = write_picture(replay, &replay->last, replay->output);
    free(replay->last.pixels);
    return status;
}

static bool is_cpu_level(const char *name)
{
    for (int level = 0; level < CPU_LEVEL_COUNT; level++) {
        if (strcmp(name, cpu_level_name((enum cpu_level)level)) == 0)
            return true;
    }
    return false;
}

static int replay_verb(int argc, char **argv)
{
    enum { OPT_HASH = 256, OPT_THREADS, OPT_CPU, OPT_STATS, OPT_LOOP, OPT_UNTIL, OPT_RECORD };
    static const struct option options[] = {
        {"frame", required_argument, NULL, 'f'},
        {"output", required_argument, NULL, 'o'},
        {"hash", no_argument, NULL, OPT_HASH},
        {"threads", required_argument, NULL, OPT_THREADS},
        {"cpu", required_argument, NULL, OPT_CPU},
        {"stats", no_argument, NULL, OPT_STATS},
        {"loop", required_argument, NULL, OPT_LOOP},
        {"record", required_argument, NULL, OPT_RECORD},
        {"until", required_argument, NULL, OPT_UNTIL},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct replay replay = {.loops = 1};
    long number;
    int option;

    /* The driver records its own replay only when asked to. */
    setenv("HALCYON_CAPTURE", "", 1);
    while ((option = getopt_long(argc, argv, "f:o:h", options, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (!frame_range_parse(&replay.range, optarg))
                return tool_usage(&verb_replay, "'%s' is no range of frames", optarg);
            break;
        case 'o':
            replay.output = optarg;
            break;
        case OPT_HASH:
            replay.hash = true;
            break;
        case OPT_THREADS:
            if (!parse_number(optarg, 1, 64, &number))
                return tool_usage(&verb_replay, "--threads takes 1 to 64, not '%s'", optarg);
            setenv("HALCYON_THREADS", optarg, 1);
            break;
        case OPT_CPU:
            if (!is_cpu_level(optarg))
                return tool_usage(&verb_replay, "--cpu takes %s, not '%s'",
                                  "scalar, sse2, avx2 or avx512", optarg);
            setenv("HALCYON_CPU", optarg, 1);
            break;
        case OPT_STATS:
            replay.stats = true;
            break;
        case OPT_LOOP:
            if (!parse_number(optarg, 1, 1000000, &replay.loops))
                return tool_usage(&verb_replay, "--loop takes 1 to 1000000, not '%s'", optarg);
            break;
        case OPT_RECORD:
            setenv("HALCYON_CAPTURE", optarg, 1);
            break;
        case OPT_UNTIL:
            if (!parse_stop(&replay.stop, optarg))
                return tool_usage(&verb_replay, "--until takes FRAME[:CALL[:OFFSET]], not '%s'",
                                  optarg);
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_usage(&verb_replay, "see the options above");
        }
    }
    if (optind + 1 != argc)
        return tool_usage(&verb_replay, "one capture file, please");
    replay.path = argv[optind];
    return run_replay(&replay);
}

const struct tool_verb verb_replay = {"replay", "draw a capture again; pictures, hashes, speed",
                                      help, replay_verb};
