/* SPDX-License-Identifier: MIT */
/* The effects of keys and the pointer in dp2 play. Identifies keys by the names that SDL gives them; does not use
 * the window. */
#ifndef HALCYON_TOOLS_PLAY_APP_H
#define HALCYON_TOOLS_PLAY_APP_H

#include "tools/play/screen.h"
#include "tools/play/view.h"

/* X(NUMBER, key, what it does) */
#define PLAY_KEYS(X)                                                         \
    X(PLAY_PAUSE, "Space", "play, pause")                                    \
    X(PLAY_NEXT_FRAME, "Right", "next frame")                                \
    X(PLAY_PREVIOUS_FRAME, "Left", "frame before")                           \
    X(PLAY_NEXT_DRAW, "Down", "next draw")                                   \
    X(PLAY_PREVIOUS_DRAW, "Up", "draw before")                               \
    X(PLAY_TEN_ON, "PageDown", "ten frames on")                              \
    X(PLAY_TEN_BACK, "PageUp", "ten frames back")                            \
    X(PLAY_FIRST, "Home", "first frame")                                     \
    X(PLAY_LAST, "End", "last frame")                                        \
    X(PLAY_NEXT_SHOW, "Tab", "next overlay: wireframe, overdraw, depth ...") \
    X(PLAY_PREVIOUS_SHOW, "Shift+Tab", "overlay before")                     \
    X(PLAY_COLOR, "C", "colors, no overlay")                                 \
    X(PLAY_FASTER, "]", "twice as fast")                                     \
    X(PLAY_SLOWER, "[", "half as fast")                                      \
    X(PLAY_LOOP, "L", "continue at the beginning, or stop at the end")       \
    X(PLAY_LARGER, "=", "larger")                                            \
    X(PLAY_SMALLER, "-", "smaller")                                          \
    X(PLAY_SAVE, "S", "write the picture as PNG")                            \
    X(PLAY_HELP, "H", "these keys")                                          \
    X(PLAY_QUIT, "Q", "quit")

enum play_command {
#define PLAY_KEY_NUMBER(NUMBER, key, help) NUMBER,
    PLAY_KEYS(PLAY_KEY_NUMBER) PLAY_COMMAND_COUNT
};

struct play_app {
    struct play_view view;
    const char *path;   /* of the capture */
    const char *folder; /* for pictures; NULL: the current one */
    double fps;         /* frames a second at speed 1 */
    double speed;
    bool playing, loops, helps, quits;
    double next;             /* when the next frame is due: the clock */
    unsigned magnification;  /* that was asked for; 0: as it fits */
    char typed[24];          /* a place, digit by digit */
    char message[PLAY_TEXT]; /* shown instead of the action; "": none */
    unsigned x, y;           /* pixel of the picture under the pointer */
    bool points;             /* there is one */
    double loading;          /* progress of loading a frame, 0..1; below 0: nothing is being loaded */
};

/* Shows a place; draw: PLAY_WHOLE or an action. False: see the error. */
bool play_app_start(struct play_app *app, uint32_t frame, uint32_t draw, struct capture_error *error);
/* "Space", "Right", "Shift+Tab", "7", "Return" ... Returns whether the key has a function. */
bool play_app_key(struct play_app *app, const char *key);
/* The pointer is at a pixel of the picture. */
void play_app_point(struct play_app *app, bool on_picture, unsigned x, unsigned y);
/* A click there: prints the history of the pixel to standard output, as dp2 pixel does. */
void play_app_click(struct play_app *app, unsigned x, unsigned y);
/* Goes to the frame at this share of the capture, 0 to 1. */
void play_app_seek(struct play_app *app, double share);
/* Goes to the next frame if it is due. Returns whether anything has changed. */
bool play_app_tick(struct play_app *app, double now);
/* The text in the strip and over the picture; lines: room for it. */
struct play_words play_app_words(const struct play_app *app, char lines[2][PLAY_TEXT]);

#endif
