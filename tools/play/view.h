/* SPDX-License-Identifier: MIT */
/*
 * The view of dp2 play: a frame as it is presented, the target after one of its draws, or the effects of that draw
 * (inspect/picture/shot.h). Independent of the window.
 */
#ifndef HALCYON_TOOLS_PLAY_VIEW_H
#define HALCYON_TOOLS_PLAY_VIEW_H

#include "inspect/picture/shot.h"
#include "tools/debug/inspection.h"

#define PLAY_WHOLE UINT32_MAX /* in place of a draw: the frame at its end */
#define PLAY_TEXT  200

struct play_view {
    struct inspection *inspection;
    uint32_t frame, draw;   /* draw: an action of the frame, or PLAY_WHOLE */
    enum inspect_show show; /* for the whole frame, unless it shows colours: the effects of its last draw */
    bool loaded;            /* the session has the frame */
    uint32_t frames;        /* of the capture, as far as known */
    bool has_end;           /* there are no others */
    uint32_t limit;         /* the capture has no more frames than that; UINT32_MAX: it may */

    struct player_picture picture; /* pixels NULL: there is none */
    uint32_t surface;              /* of the picture; 0: the picture that the frame shows */
    uint32_t shown_draw;           /* whose it is; PLAY_WHOLE: the frame's */
    uint32_t actions;              /* of the frame */
    double seconds;                /* of playing the frame, or of the draw by itself; below 0: unknown */
    double frame_seconds;          /* of playing the frame, once it has been played */
    char text[PLAY_TEXT];          /* the action, or why there is no picture */
};

/* The view of a capture at its first frame; nothing is shown yet. */
void play_view_init(struct play_view *view, struct inspection *inspection);
void play_view_free(struct play_view *view);

/*
 * Goes there, and makes the picture. Returns false, and stays where it was, if the capture has no such frame or draw,
 * or cannot be read that far: see the error, whose text is empty if the capture just ends earlier. Places without a
 * picture are valid.
 */
bool play_view_go(struct play_view *view, uint32_t frame, uint32_t draw, struct capture_error *error);
/* Goes one draw forwards or back, also across frames: after the last draw of a frame comes the first of the next. */
bool play_view_step_draw(struct play_view *view, bool back, struct capture_error *error);
/* Shows another picture of the same place. */
bool play_view_show(struct play_view *view, enum inspect_show show, struct capture_error *error);

/* "12.17 of 70 DRAWPRIMITIVE TRIANGLELIST 240 3.20 ms" and so on: the place of the view, in PLAY_TEXT characters. */
void play_view_describe(const struct play_view *view, char *text);
/* A name for a picture's file: "game-12.png", "game-12.17-overdraw.png". capture: its path. */
void play_view_file_name(const struct play_view *view, const char *capture, char *name, size_t size);

#endif
