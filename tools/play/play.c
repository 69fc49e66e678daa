/* SPDX-License-Identifier: MIT */
/* dp2 play: frames in a window. */
#include "base/base.h"
#include "tools/play/app.h"
#include "tools/play/window.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FPS 30.0 /* by default */

static const char help[] =
    "usage: dp2 play FILE [OPTION...]\n"
    "\n"
    "Shows the frames of a capture in a window, in motion or one by one, draw by draw, and what\n"
    "draws did: the pictures of 'dp2 replay' and 'dp2 shot'. Needs SDL 2, and a display.\n"
    "\n"
    "  -f, --frame N|N.DRAW  begin there (default: frame 0)\n"
    "      --show WHAT     begin with this picture, one of those of 'dp2 shot --show'\n"
    "      --fps N         frames a second (default 30)\n"
    "  -p, --play          begin in motion\n"
    "  -l, --loop          continue at the beginning\n"
    "      --threads N     threads of the driver\n"
    "  -o, --output FOLDER where the pictures go that the key S writes (default: here)\n"
    "\n"
    "Keys: Space play and pause; Right, Left frames; Down, Up draws; PageDown, PageUp ten frames;\n"
    "Home, End first and last frame; 12 Return or 12.7 Return to a frame or draw; Tab, Shift+Tab\n"
    "overlays, C none; ], [ speed; L loop; =, - size; S writes the picture as PNG; H shows all\n"
    "keys; Q or Escape quits. A click prints the history of the pixel as 'dp2 pixel' does; a click\n"
    "on the bar seeks.\n"
    "\n"
    "examples:\n"
    "  dp2 play game.capture --loop --play\n"
    "  dp2 play game.capture --frame 12.7 --show wireframe\n";

struct request {
    struct inspection inspection;
    struct play_app app;
    struct play_window *window;
    uint32_t *pixels;
    size_t capacity;
    struct play_layout layout;
    uint32_t frame, draw, target; /* target: the frame that is being loaded */
    double redrawn;               /* the clock */
};

/* --- drawing ------------------------------------------------------------------------------------- */

static void redraw(struct request *r)
{
    char lines[2][PLAY_TEXT];
    const struct play_words words = play_app_words(&r->app, lines);
    unsigned width, height;

    play_window_size(r->window, &width, &height);
    r->layout = play_layout_in(width, height, &r->app.view.picture);
    if ((size_t)r->layout.width * r->layout.height > r->capacity) {
        uint32_t *bigger = mem_realloc(r->pixels, (size_t)r->layout.width * r->layout.height, sizeof(*bigger));

        if (!bigger)
            return;
        r->pixels = bigger;
        r->capacity = (size_t)r->layout.width * r->layout.height;
    }
    if (r->pixels)
        play_screen_draw(r->pixels, &r->layout, &r->app.view.picture, &words);
    play_window_show(r->window, r->pixels, r->layout.width, r->layout.height);
    r->redrawn = clock_seconds();
}

/* A frame before the requested one has been played: shows the progress from time to time. */
static void show_loading(void *user, const struct capture_reader *reader, uint32_t frame)
{
    struct request *r = user;
    const uint64_t size = capture_size(reader), frames = capture_indexed_frames(reader);
    const double end = (double)(frames ? BASE_MIN((uint64_t)r->target, frames) : 0);

    if (!r->window) {
        progress_show(&r->inspection.progress, frame);
        return;
    }
    if (clock_seconds() - r->redrawn < 0.1)
        return;
    r->app.loading = end > 0 ? BASE_MIN(1.0, (frame + 1) / end) : (double)capture_position(reader) / (double)(size + 1);
    redraw(r);
    r->app.loading = -1;
}

/* --- events -------------------------------------------------------------------------------------- */

static void resize(struct request *r, unsigned magnification)
{
    unsigned width, height;

    r->app.magnification = magnification;
    play_layout_size(&r->app.view.picture, magnification, &width, &height);
    play_window_resize(r->window, width, height);
}

static void take_key(struct request *r, const char *key)
{
    const unsigned before = r->app.magnification;

    r->target = UINT32_MAX;
    if (!before)
        r->app.magnification = r->layout.in;
    play_app_key(&r->app, key);
    if (r->app.magnification != (before ? before : r->layout.in))
        resize(r, r->app.magnification);
}

static void take_pointer(struct request *r, const struct play_event *event)
{
    unsigned x = 0, y = 0;
    double share;
    const bool there = play_layout_pixel(&r->layout, &r->app.view.picture, event->x, event->y, &x, &y);

    play_app_point(&r->app, there, x, y);
    if (event->input != PLAY_INPUT_CLICK)
        return;
    if (there)
        play_app_click(&r->app, x, y);
    else if (play_layout_bar(&r->layout, event->x, event->y, &share))
        play_app_seek(&r->app, share);
}

static void take_event(struct request *r, const struct play_event *event)
{
    switch (event->input) {
    case PLAY_INPUT_KEY:
        take_key(r, event->key);
        break;
    case PLAY_INPUT_MOVE:
    case PLAY_INPUT_CLICK:
        take_pointer(r, event);
        break;
    case PLAY_INPUT_LEAVE:
        play_app_point(&r->app, false, 0, 0);
        break;
    case PLAY_INPUT_CLOSE:
        r->app.quits = true;
        break;
    case PLAY_INPUT_EXPOSE:
    case PLAY_INPUT_NONE:
        break;
    }
}

/* Time until the next change without input. */
static unsigned idle_time(const struct request *r)
{
    const double left = r->app.next - clock_seconds();

    if (!r->app.playing)
        return 1000;
    return left > 0 ? (unsigned)ceil(1000 * BASE_MIN(left, 1.0)) : 0;
}

static void loop(struct request *r)
{
    redraw(r);
    while (!r->app.quits) {
        struct play_event event;
        bool changed = play_window_next(r->window, idle_time(r), &event);

        if (changed)
            take_event(r, &event);
        r->target = r->app.view.frame + 1;
        if (play_app_tick(&r->app, clock_seconds()) || changed)
            redraw(r);
    }
}

/* --- the command line ---------------------------------------------------------------------------- */

static int play_in_window(struct request *r)
{
    struct capture_error error = {0};
    unsigned width, height;
    char title[256], why[256];

    r->target = r->frame;
    if (!play_app_start(&r->app, r->frame, r->draw, &error))
        return inspection_fail(&r->inspection, &error);
    progress_end(&r->inspection.progress);
    snprintf(title, sizeof(title), "%.200s - dp2 play", r->app.path);
    play_layout_size(&r->app.view.picture, 0, &width, &height);
    r->window = play_window_open(title, width, height, why, sizeof(why));
    if (!r->window)
        return tool_fail(&verb_play, "%s", why);
    loop(r);
    play_window_close(r->window);
    r->window = NULL;
    return TOOL_OK;
}

static int run_play(struct request *r, const char *path)
{
    const struct inspect_options options = {.progress = show_loading, .user = r};
    int status = inspection_open_with(&r->inspection, &verb_play, path, r->frame, &options);
    const enum inspect_show show = r->app.view.show;

    if (status != TOOL_OK)
        return status;
    r->app.path = path;
    play_view_init(&r->app.view, &r->inspection);
    r->app.view.show = show;
    status = play_in_window(r);
    play_view_free(&r->app.view);
    free(r->pixels);
    return inspection_close(&r->inspection, status);
}

enum { OPT_SHOW = 256, OPT_FPS, OPT_THREADS };

static int take_place(struct request *r, const char *value)
{
    struct inspect_name name;
    long frame;

    if (parse_number(value, 0, CAPTURE_MAX_FRAMES, &frame)) {
        r->frame = (uint32_t)frame;
        r->draw = PLAY_WHOLE;
        return TOOL_OK;
    }
    if (!inspect_parse_name(&name, value) || name.by_offset)
        return tool_usage(&verb_play, "'%s' is not a frame or draw: FRAME, or FRAME.DRAW", value);
    r->frame = name.place.frame;
    r->draw = name.place.draw;
    return TOOL_OK;
}

static int take_folder(struct request *r, const char *value)
{
    struct stat info;

    r->app.folder = value;
    if (stat(value, &info) != 0)
        return tool_cannot_write(&verb_play, value);
    return S_ISDIR(info.st_mode) ? TOOL_OK : tool_usage(&verb_play, "'%s' is not a folder", value);
}

static int take_option(struct request *r, int option, const char *value)
{
    long number;

    switch (option) {
    case 'f':
        return take_place(r, value);
    case 'o':
        return take_folder(r, value);
    case 'p':
        r->app.playing = true;
        return TOOL_OK;
    case 'l':
        r->app.loops = true;
        return TOOL_OK;
    case OPT_SHOW:
        return inspect_parse_show(&r->app.view.show, value) ? TOOL_OK : inspection_no_show(&verb_play, value);
    case OPT_FPS:
        if (!parse_number(value, 1, 1000, &number))
            return tool_usage(&verb_play, "--fps takes 1 to 1000, not '%s'", value);
        r->app.fps = (double)number;
        return TOOL_OK;
    case OPT_THREADS:
        if (!parse_number(value, 1, 64, &number))
            return tool_usage(&verb_play, "--threads takes 1 to 64, not '%s'", value);
        setenv("HALCYON_THREADS", value, 1);
        return TOOL_OK;
    default:
        return tool_bad_option(&verb_play);
    }
}

static int play_verb(int argc, char **argv)
{
    static const struct option options[] = {
        {"frame", required_argument, NULL, 'f'},
        {"show", required_argument, NULL, OPT_SHOW},
        {"fps", required_argument, NULL, OPT_FPS},
        {"play", no_argument, NULL, 'p'},
        {"loop", no_argument, NULL, 'l'},
        {"threads", required_argument, NULL, OPT_THREADS},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct request r = {.draw = PLAY_WHOLE, .app.fps = FPS};
    int option;

    while ((option = tool_option(&verb_play, argc, argv, "f:plo:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return TOOL_OK;
        }
        if (take_option(&r, option, optarg) != TOOL_OK)
            return TOOL_ERROR;
    }
    if (tool_operands(&verb_play, argc, argv, 1, "a capture") != TOOL_OK)
        return TOOL_ERROR;
    return run_play(&r, argv[optind]);
}

const struct tool_verb verb_play = {"play", "show frames and draws in a window", help, play_verb};
