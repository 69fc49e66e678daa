/* SPDX-License-Identifier: MIT */
/* A window, through SDL 2, which is loaded when one is opened: no other verb of dp2 needs it. */
#ifndef HALCYON_TOOLS_PLAY_WINDOW_H
#define HALCYON_TOOLS_PLAY_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct play_window;

enum play_input {
    PLAY_INPUT_NONE,
    PLAY_INPUT_KEY,
    PLAY_INPUT_MOVE,
    PLAY_INPUT_CLICK,
    PLAY_INPUT_LEAVE,
    PLAY_INPUT_EXPOSE,
    PLAY_INPUT_CLOSE
};

struct play_event {
    enum play_input input;
    char key[32]; /* KEY: as SDL names it, "Shift+" before it with that key */
    int x, y;     /* MOVE, CLICK: pixels of the window */
};

/* NULL with the reason in `why`: the program was built without SDL, it is not installed, or there is no display. */
struct play_window *play_window_open(const char *title, unsigned width, unsigned height, char *why, size_t why_size);
void play_window_close(struct play_window *window);
void play_window_size(const struct play_window *window, unsigned *width, unsigned *height);
void play_window_resize(struct play_window *window, unsigned width, unsigned height);
/* The next event; waits at most so long. False: there is none. */
bool play_window_next(struct play_window *window, unsigned milliseconds, struct play_event *event);
/* Shows 0x00RRGGBB pixels, as many as the window has: width * height. A window whose size has changed meanwhile
 * shows the part that fits. */
void play_window_show(struct play_window *window, uint32_t *pixels, unsigned width, unsigned height);

#endif
