/* SPDX-License-Identifier: MIT */
/* dp2 play: frames in a window. */
#include "base/base.h"
#include "tools/play/app.h"
#include "tools/play/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FPS 30.0 /* by default */

struct request {
    struct inspection inspection;
    struct play_app app;
    struct play_window *window;
    uint32_t *pixels;
    size_t capacity;
    struct play_layout layout;
    long fps, threads;            /* threads 0: as the driver is set */
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

static void resize_window(struct request *r, unsigned magnification)
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
        resize_window(r, r->app.magnification);
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

static enum option_result take_place(void *settings, const struct option_row *row, const char *value,
                                     struct option_line *line)
{
    struct request *r = settings;
    struct inspect_name name;
    long frame;

    (void)row;
    if (parse_number(value, 0, CAPTURE_MAX_FRAMES, &frame)) {
        r->frame = (uint32_t)frame;
        r->draw = PLAY_WHOLE;
        return OPTION_OK;
    }
    if (!inspect_parse_name(&name, value) || name.by_offset)
        return option_wrong(line, "'%s' is not a frame or draw: FRAME, or FRAME.DRAW", value);
    r->frame = name.place.frame;
    r->draw = name.place.draw;
    return OPTION_OK;
}

static enum option_result take_folder(void *settings, const struct option_row *row, const char *value,
                                      struct option_line *line)
{
    struct request *r = settings;
    struct stat info;

    (void)row;
    r->app.folder = value;
    if (stat(value, &info) != 0) {
        line->status = tool_cannot_write(&verb_play, value);
        return OPTION_FAILED;
    }
    return S_ISDIR(info.st_mode) ? OPTION_OK : option_wrong(line, "'%s' is not a folder", value);
}

static int play_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    tool_set_threads(r->threads);
    r->app.fps = (double)r->fps;
    return run_play(r, operands[0]);
}

static const struct option_row options[] = {
    {"frame", 'f', OPTION_CALL, .take = take_place, .argument = "N|N.DRAW",
     .help = "begin at this frame or draw (default: frame 0)"},
    {"show", 0, SETS_CHOICE(struct request, app.view.show), .argument = "WHAT", .choices = INSPECTION_SHOWS,
     .help = "begin with this picture, one of those of 'dp2 shot --show'"},
    {"fps", 0, SETS_NUMBER(struct request, fps), .argument = "N", .low = 1, .high = 1000,
     .help = "frames per second (default: 30)"},
    {"play", 'p', SETS_BOOL(struct request, app.playing), .help = "begin in motion"},
    {"loop", 'l', SETS_BOOL(struct request, app.loops), .help = "start again at the end"},
    TOOL_THREADS(struct request, threads),
    {"output", 'o', OPTION_CALL, .take = take_folder, .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "folder for the pictures that the key S writes (default: the current one)"},
    {0},
};

static const struct request defaults = {.draw = PLAY_WHOLE, .fps = FPS};

const struct tool_verb verb_play = {
    .syntax =
        {
            .name = "play",
            .summary = "show frames and draws in a window",
            .about = "Shows the frames of a capture in a window, in motion, one by one or draw by draw, and what draws "
                     "did: the pictures of 'dp2 replay' and 'dp2 shot'. Needs SDL 2 and a display.",
            .options = options,
            .notes = "Keys: Space play and pause; Right, Left frames; Down, Up draws; PageDown, PageUp ten frames; "
                     "Home, End first and last frame; 12 Return or 12.7 Return to a frame or draw; Tab, Shift+Tab "
                     "overlays, C none; ], [ speed; L loop; =, - size; S writes the picture as PNG; H shows all keys; "
                     "Q or Escape quits.\n"
                     "\n"
                     "A click prints the history of the pixel as 'dp2 pixel' does; a click on the bar seeks.",
            .examples = "dp2 play game.capture --loop --play\n"
                        "dp2 play game.capture --frame 12.7 --show wireframe",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct request),
    .defaults = &defaults,
    .run = play_verb,
};
