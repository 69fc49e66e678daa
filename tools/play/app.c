/* SPDX-License-Identifier: MIT */
/* Keys, the pointer and the clock. */
#include "tools/play/app.h"

#include "base/base.h"
#include "base/utf8.h"
#include "replay/picture.h"
#include "tools/debug/pixel_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[][2] = {
#define KEY_ROW(NUMBER, key, help) {key, help},
    PLAY_KEYS(KEY_ROW){"12 Return", "to frame 12"},
    {"12.7 Return", "to draw 12.7"},
    {"click", "print the history of the pixel; on the bar: seek"},
};

#define LEAST_SPEED (1.0 / 16)
#define MOST_SPEED  16.0

static void set_message(struct play_app *app, const char *text)
{
    snprintf(app->message, sizeof(app->message), "%s", text);
}

/* A place that does not exist is reported, and nothing changes. */
static bool go(struct play_app *app, uint32_t frame, uint32_t draw)
{
    struct capture_error error;

    if (play_view_go(&app->view, frame, draw, &error))
        return true;
    set_message(app, error.text[0] ? error.text : "the capture ends here");
    return false;
}

bool play_app_start(struct play_app *app, uint32_t frame, uint32_t draw, struct capture_error *error)
{
    app->speed = 1;
    app->loading = -1;
    return play_view_go(&app->view, frame, draw, error);
}

/* --- places -------------------------------------------------------------------------------------- */

static void go_by(struct play_app *app, int frames)
{
    const uint32_t frame = app->view.frame, last = app->view.has_end ? app->view.frames - 1 : UINT32_MAX - 1;

    app->playing = false;
    if (frames < 0)
        go(app, frame >= (uint32_t)-frames ? frame - (uint32_t)-frames : 0, PLAY_WHOLE);
    else if (frame + (uint32_t)frames <= last || frame == last)
        go(app, frame + (uint32_t)frames, PLAY_WHOLE);
    else
        go(app, last, PLAY_WHOLE);
}

static void step_draw(struct play_app *app, bool back)
{
    struct capture_error error;

    app->playing = false;
    if (!play_view_step_draw(&app->view, back, &error))
        set_message(app, error.text[0] ? error.text : back ? "the capture begins here" : "the capture ends here");
}

/* The end of the capture is known when all of it has been read. */
static void go_to_last(struct play_app *app)
{
    app->playing = false;
    if (!app->view.has_end)
        go(app, UINT32_MAX - 1, PLAY_WHOLE);
    app->message[0] = 0;
    for (unsigned attempt = 0; attempt < 2 && app->view.frames; attempt++) {
        const uint32_t last = app->view.frames - 1;

        if (go(app, last, PLAY_WHOLE) || app->view.frames > last)
            break;
        app->message[0] = 0; /* the number is not a frame */
    }
}

void play_app_seek(struct play_app *app, double share)
{
    app->playing = false;
    if (app->view.frames)
        go(app, BASE_MIN((uint32_t)(share * app->view.frames), app->view.frames - 1), PLAY_WHOLE);
}

static void show_place(struct play_app *app, unsigned number)
{
    struct capture_error error;

    if (!play_view_show(&app->view, number % INSPECT_SHOW_COUNT, &error))
        set_message(app, error.text);
}

/* --- the place that is typed --------------------------------------------------------------------- */

static void go_to_typed(struct play_app *app)
{
    struct inspect_name name;
    long frame;

    if (parse_number(app->typed, 0, CAPTURE_MAX_FRAMES, &frame))
        go(app, (uint32_t)frame, PLAY_WHOLE);
    else if (inspect_parse_name(&name, app->typed))
        go(app, name.place.frame, name.place.draw);
    else
        set_message(app, "a place is FRAME or FRAME.DRAW");
    app->typed[0] = 0;
}

static bool type(struct play_app *app, const char *key)
{
    const size_t length = strlen(app->typed);

    if (!strncmp(key, "Keypad ", 7))
        key += 7;
    if ((key[0] == '.' || (key[0] >= '0' && key[0] <= '9')) && !key[1]) {
        if (length + 1 < sizeof(app->typed))
            memcpy(app->typed + length, key, 2);
        return true;
    }
    if (!length)
        return false;
    if (!strcmp(key, "Return") || !strcmp(key, "Enter")) {
        app->playing = false;
        go_to_typed(app);
        return true;
    }
    if (!strcmp(key, "Backspace"))
        app->typed[length - 1] = 0;
    else if (!strcmp(key, "Escape"))
        app->typed[0] = 0;
    else
        return false;
    return true;
}

/* --- commands ------------------------------------------------------------------------------------ */

static void save_picture(struct play_app *app)
{
    char name[256], path[1024], why[128];

    if (!app->view.picture.pixels) {
        set_message(app, "there is no picture");
        return;
    }
    play_view_file_name(&app->view, app->path, name, sizeof(name));
    snprintf(path, sizeof(path), "%s%s%s", app->folder ? app->folder : "", app->folder ? "/" : "", name);
    if (!picture_write_png(&app->view.picture, path, why, sizeof(why))) {
        snprintf(app->message, sizeof(app->message), "%.100s: %.90s", path, why);
        return;
    }
    snprintf(app->message, sizeof(app->message), "wrote %.190s", path);
    utf8_print(stdout, path);
    putchar('\n');
    fflush(stdout);
}

static void set_speed(struct play_app *app, double speed)
{
    app->speed = BASE_MIN(BASE_MAX(speed, LEAST_SPEED), MOST_SPEED);
}

static void run(struct play_app *app, enum play_command command)
{
    switch (command) {
    case PLAY_PAUSE:
        app->playing = !app->playing;
        app->next = 0;
        break;
    case PLAY_NEXT_FRAME:
        go_by(app, 1);
        break;
    case PLAY_PREVIOUS_FRAME:
        go_by(app, -1);
        break;
    case PLAY_NEXT_DRAW:
    case PLAY_PREVIOUS_DRAW:
        step_draw(app, command == PLAY_PREVIOUS_DRAW);
        break;
    case PLAY_TEN_ON:
        go_by(app, 10);
        break;
    case PLAY_TEN_BACK:
        go_by(app, -10);
        break;
    case PLAY_FIRST:
        app->playing = false;
        go(app, 0, PLAY_WHOLE);
        break;
    case PLAY_LAST:
        go_to_last(app);
        break;
    case PLAY_NEXT_SHOW:
        show_place(app, app->view.show + 1u);
        break;
    case PLAY_PREVIOUS_SHOW:
        show_place(app, app->view.show + INSPECT_SHOW_COUNT - 1u);
        break;
    case PLAY_COLOR:
        show_place(app, INSPECT_SHOW_COLOR);
        break;
    case PLAY_FASTER:
        set_speed(app, 2 * app->speed);
        break;
    case PLAY_SLOWER:
        set_speed(app, app->speed / 2);
        break;
    case PLAY_LOOP:
        app->loops = !app->loops;
        break;
    case PLAY_LARGER:
        app->magnification = BASE_MIN(app->magnification + 1, 16u);
        break;
    case PLAY_SMALLER:
        app->magnification = BASE_MAX(app->magnification, 2u) - 1;
        break;
    case PLAY_SAVE:
        save_picture(app);
        break;
    case PLAY_HELP:
        app->helps = !app->helps;
        break;
    case PLAY_QUIT:
    case PLAY_COMMAND_COUNT:
        app->quits = true;
        break;
    }
}

bool play_app_key(struct play_app *app, const char *key)
{
    app->message[0] = 0;
    if (type(app, key))
        return true;
    if (!strcmp(key, "Escape"))
        key = "Q";
    else if (!strcmp(key, "F1"))
        key = "H";
    else if (!strcmp(key, "Keypad +") || !strcmp(key, "Shift+="))
        key = "=";
    else if (!strcmp(key, "Keypad -"))
        key = "-";
    for (unsigned i = 0; i < PLAY_COMMAND_COUNT; i++)
        if (!strcmp(key, keys[i][0])) {
            run(app, i);
            return true;
        }
    return false;
}

/* --- the pointer --------------------------------------------------------------------------------- */

void play_app_point(struct play_app *app, bool on_picture, unsigned x, unsigned y)
{
    app->points = on_picture;
    app->x = x;
    app->y = y;
}

void play_app_click(struct play_app *app, unsigned x, unsigned y)
{
    struct play_view *view = &app->view;

    app->playing = false;
    if (!view->loaded || !view->picture.pixels)
        return;
    printf("pixel %u,%u of frame %" PRIu32 "\n", x, y, view->frame);
    if (pixel_print_history(view->inspection, view->surface, x, y, UINT32_MAX) != TOOL_OK)
        set_message(app, "no history: see the terminal");
    else
        set_message(app, "history printed to the terminal");
    fflush(stdout);
}

/* --- time ---------------------------------------------------------------------------------------- */

bool play_app_tick(struct play_app *app, double now)
{
    const struct play_view *view = &app->view;
    const uint32_t frame = view->frame;
    const double period = 1 / (app->fps * app->speed);

    if (!app->playing || now < app->next)
        return false;
    app->next = (now - app->next < period ? app->next : now) + period; /* late frames are not made up for */
    app->message[0] = 0;
    if (go(app, frame + 1, PLAY_WHOLE))
        return true;
    if (app->loops && frame > 0)
        go(app, 0, PLAY_WHOLE);
    else
        app->playing = false;
    return true;
}

/* --- words --------------------------------------------------------------------------------------- */

struct play_words play_app_words(const struct play_app *app, char lines[2][PLAY_TEXT])
{
    const struct play_view *view = &app->view;
    struct play_words words = {
        .line = {lines[0], lines[1]},
        .share = view->frames ? ((double)view->frame + 1) / view->frames : 0,
        .table = app->helps ? keys : NULL,
        .rows = ARRAY_COUNT(keys),
    };
    char place[PLAY_TEXT];

    play_view_describe(view, place);
    snprintf(lines[0], PLAY_TEXT, "%.150s  %s%s", place, app->playing ? "playing" : "paused",
             app->loops ? ", loop" : "");
    if (app->speed < 1 || app->speed > 1)
        snprintf(lines[0] + strlen(lines[0]), PLAY_TEXT - strlen(lines[0]), " %gx", app->speed);
    if (app->loading >= 0) {
        snprintf(lines[1], PLAY_TEXT, "loading: %u%%", (unsigned)(100 * app->loading));
        words.share = app->loading;
    } else if (app->typed[0]) {
        snprintf(lines[1], PLAY_TEXT, "to %s_", app->typed);
    } else if (app->message[0]) {
        snprintf(lines[1], PLAY_TEXT, "%s", app->message);
    } else if (app->points && app->x < view->picture.width && app->y < view->picture.height && view->picture.pixels) {
        snprintf(lines[1], PLAY_TEXT, "%u,%u #%06" PRIx32 "  %.150s", app->x, app->y,
                 view->picture.pixels[(size_t)app->y * view->picture.width + app->x] & 0xffffff, view->text);
    } else {
        snprintf(lines[1], PLAY_TEXT, "%s", view->text[0] ? view->text : "H: keys");
    }
    return words;
}
