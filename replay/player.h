/* SPDX-License-Identifier: MIT */
/*
 * Plays the events of a capture into a driver, only through its callback tables. Events are checked against the objects
 * that the player has created: a hostile capture gets an error (or the driver's refusal), never access to other memory.
 */
#ifndef HALCYON_REPLAY_PLAYER_H
#define HALCYON_REPLAY_PLAYER_H

#include "client/client.h"
#include "dp2/capture/capture.h"

struct player;

/* A place in the capture: frame, and DrawPrimitives2 calls of it so far, both from 0 (FRAME:CALL of dp2 replay
 * --until). */
struct player_place {
    uint32_t frame, call;
};

/* A call that the driver answered with an error. */
struct player_refusal {
    const char *call; /* "DrawPrimitives2" */
    HRESULT answer;
    uint32_t offset; /* of the command that failed, in DrawPrimitives2 */
};

struct player_stats {
    uint64_t events, draws, command_bytes, vertex_bytes, memory_bytes;
    uint64_t refused;                  /* calls that the driver answered with an error */
    uint64_t no_memory;                /* of them: because it was out of memory, or of video memory */
    uint64_t out_of_memory;            /* of these: not of video memory, of which there is a limit for a surface */
    struct player_place first_refused; /* valid if there is one, as is the next */
    struct player_refusal last_refused;
    bool too_much_work; /* a call has exceeded the limit */
};

/* A picture as it would be on the screen, 0xAARRGGBB (alpha 255 if the format has none). */
struct player_picture {
    unsigned width, height;
    uint32_t *pixels; /* free() */
};

/*
 * Limits the work to HALCYON_WORK_LIMIT seconds of one core, as the driver counts them (docs/limits.md), and as much
 * again for each MiB of events; 0: no limit. player_play fails at the call that exceeds it.
 */
struct player *player_create(const struct client_driver *driver);
/* Makes what the player itself needs in the driver, which the first draw makes otherwise. */
HRESULT player_prepare(struct player *player);
/* Destroys contexts and surfaces in the driver. */
void player_destroy(struct player *player);

/* Plays one event from capture_next. Returns false if the event is invalid or exceeds the limit; see the error. */
bool player_play(struct player *player, const struct capture_event *event, struct capture_error *error);

/* Reads the picture that a CAPTURE_FRAME event shows. Returns false if there is no such surface, or its format is
 * not displayable. */
bool player_grab(struct player *player, const struct capture_frame *frame, struct player_picture *picture,
                 struct capture_error *error);

/* From now on records the targets that command streams set, for player_targets. */
void player_follow_targets(struct player *player);
/* Surfaces that the context that drew last draws to; 0: none. */
void player_targets(const struct player *player, uint32_t *target, uint32_t *depth);
/* Depths that are drawn black and white. */
struct player_depths {
    float least, greatest;
};
/* Least and greatest depth in a surface. False: it holds no depth. */
bool player_depth_range(struct player *player, uint32_t surface, struct player_depths *range,
                        struct capture_error *error);
/* All of a surface; depth as grey, black at the least of `depths` (NULL: 0) to white at the greatest (1). */
bool player_grab_surface(struct player *player, uint32_t surface, const struct player_depths *depths,
                         struct player_picture *picture, struct capture_error *error);

const struct player_stats *player_get_stats(const struct player *player);

#endif
