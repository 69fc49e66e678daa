/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the player.
 */
#ifndef HALCYON_REPLAY_INTERNAL_H
#define HALCYON_REPLAY_INTERNAL_H

#include "base/map.h"
#include "replay/player.h"

#define PLAYER_MAX_IDS    (1u << 22)          /* serial numbers of surfaces */
#define PLAYER_MAX_MEMORY ((uint64_t)2 << 30) /* bytes of system memory in all surfaces */

/* A DirectDraw object. */
struct player_local {
    struct player_local *next;
    uint32_t id;
    DDRAWI_DIRECTDRAW_LCL lcl;
    DDRAWI_DIRECTDRAW_GBL gbl;
};

/* A link of an attach list, which can be removed, and found from the surface that it leads to, without a search. */
struct player_link {
    ATTACHLIST link; /* lpLink: the next one of the list */
    struct player_surface *from, *to;
    struct player_link *previous;                    /* of the list; NULL: this is the first */
    struct player_link *next_to_it, *previous_to_it; /* links that lead to the same surface */
};

struct player_surface {
    DDRAWI_DDRAWSURFACE_LCL lcl;
    DDRAWI_DDRAWSURFACE_GBL gbl;
    DDRAWI_DDRAWSURFACE_MORE more;
    struct player_link *last_link, *links_to_it;
    struct player_surface *next_in_chain, *previous_in_chain; /* of the parts that were made with it: a ring */
    uint32_t id;
    uint32_t palette; /* number; 0: none. It may be gone */
    bool system_memory, buffer;
    bool alive;      /* the driver has it */
    uint8_t *memory; /* system memory */
    uint64_t bytes;  /* that may be read and written */
};

struct player_context {
    struct player_context *next;
    uint32_t recorded, process, level;
    uint32_t target, depth; /* surfaces; targets set by streams only with follow_targets */
    uintptr_t handle;
    const struct player_local *local;
};

struct player_feedback; /* feedback.c */

struct player {
    const struct client_driver *driver;
    struct player_surface **surfaces; /* by id */
    uint32_t surface_capacity;
    struct player_local *locals;
    struct base_map palettes; /* palette.c, by number */
    struct player_context *contexts;
    struct client *client; /* owns the command buffer */
    struct client_chain *commands;
    uint32_t command_capacity;
    uint64_t memory; /* bytes in system-memory surfaces */
    DWORD render_states[256];
    struct player_stats stats;
    struct player_place place;
    uint64_t work_limit;              /* picoseconds; 0: none */
    struct player_feedback *feedback; /* NULL: not requested */
    bool follow_targets;
    uint32_t last_context; /* that drew or cleared */
};

bool player_fail(struct capture_error *error, const struct capture_event *event, const char *format, ...)
    __attribute__((format(gnu_printf, 3, 4)));
/* The error is that memory ran out: nothing is wrong with the capture. */
bool player_no_memory(struct capture_error *error, const struct capture_event *event);
/* Counts a call the driver refused. */
void player_answer(struct player *player, HRESULT hr, const char *call);

struct player_local *player_local_of(struct player *player, uint32_t id);
/* NULL: 0, or a surface that is not (or no longer) there. */
struct player_surface *player_surface_of(const struct player *player, uint32_t id);

bool player_make_surfaces(struct player *player, const struct capture_event *event, struct capture_error *error);
bool player_announce(struct player *player, const struct capture_event *event, struct capture_error *error);
bool player_unmake_surface(struct player *player, const struct capture_event *event, struct capture_error *error);
bool player_write_memory(struct player *player, const struct capture_event *event, struct capture_error *error);
void player_write_samples(struct player *player, const struct capture_event *event);
void player_free_surfaces(struct player *player);
/* lock->bits is the first byte of the surface. */
HRESULT player_lock(struct player *player, struct player_surface *surface, uint32_t flags, uint8_t **bits);
void player_unlock(struct player *player, struct player_surface *surface);
/* AccessSamples: data complete except for its surface. DDERR_UNSUPPORTED: not this driver. */
HRESULT player_access_samples(struct player *player, struct player_surface *surface, HALCYON_SAMPLESDATA *data);

/* Attach lists of one surface. */
bool player_add_link(struct player_surface *from, struct player_surface *to);
void player_clear_links(struct player_surface *surface);
/* CreateSurface for all parts at once, as DirectDraw does. */
HRESULT player_create_surfaces(struct player *player, struct player_surface **parts, unsigned count);
/* Into the command buffer. */
HRESULT player_put_commands(struct player *player, const uint8_t *commands, uint32_t bytes);

/* feedback.c, if player->feedback: a chain has got its handles; a draw is about to be played; a surface is about to
 * be destroyed. */
void player_feedback_announced(struct player *player, struct player_surface *root, struct player_local *local);
void player_feedback_before_draw(struct player *player, const struct player_context *context);
void player_feedback_destroyed(struct player *player, uint32_t id);
void player_free_feedback(struct player *player);

#endif
