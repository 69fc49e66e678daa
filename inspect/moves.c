/* SPDX-License-Identifier: MIT */
/* Finds the moves by the addresses of surfaces before and after each flip. */
#include "inspect/moves.h"

#include "base/base.h"
#include "d3d/directdraw.h"
#include "inspect/internal.h"

#include <stdlib.h>

/* The front, its back buffers and, if it is not among them, the flip's target. */
#define MOST_BUFFERS (DDI_MAX_BACK_BUFFERS + 2)

struct buffers {
    const struct player_surface *list[MOST_BUFFERS];
    FLATPTR memory[MOST_BUFFERS];
    unsigned count;
};

static void add_buffer(struct buffers *buffers, const struct player_surface *surface)
{
    for (unsigned i = 0; i < buffers->count; i++)
        if (buffers->list[i] == surface)
            return;
    if (surface && surface->alive && buffers->count < MOST_BUFFERS) {
        buffers->memory[buffers->count] = surface->gbl.fpVidMem;
        buffers->list[buffers->count++] = surface;
    }
}

/* The next buffer of the chain; NULL: there is none. */
static const struct player_surface *next_buffer(const struct player_surface *surface)
{
    for (const ATTACHLIST *link = surface->lcl.lpAttachList; link; link = link->lpLink)
        if (link->lpAttached && (link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP))
            return (const void *)link->lpAttached; /* its first member */
    return NULL;
}

/* The surfaces that the flip may move, with their addresses now. */
static void find_buffers(const struct inspect *session, const struct capture_flip *flip, struct buffers *buffers)
{
    const struct player_surface *surface = player_surface_of(session->player, flip->current);

    buffers->count = 0;
    add_buffer(buffers, surface);
    add_buffer(buffers, player_surface_of(session->player, flip->target));
    for (unsigned i = 0; i < DDI_MAX_BACK_BUFFERS && surface; i++) {
        surface = next_buffer(surface);
        add_buffer(buffers, surface);
    }
}

static bool add_move(struct inspect_moves *moves, const struct inspect_move *move, struct capture_error *error)
{
    struct inspect_move *bigger =
        mem_grow(moves->list, &moves->capacity, moves->count * sizeof(*bigger), sizeof(*bigger));

    if (!bigger)
        return inspect_no_memory(error);
    moves->list = bigger;
    moves->list[moves->count++] = *move;
    return true;
}

static bool add_moves(struct inspect_moves *moves, const struct buffers *buffers, uint32_t action,
                      struct capture_error *error)
{
    for (unsigned i = 0; i < buffers->count; i++)
        for (unsigned from = 0; from < buffers->count; from++) {
            const struct inspect_move move = {action, buffers->list[i]->id, buffers->list[from]->id};

            if (from != i && buffers->list[i]->gbl.fpVidMem == buffers->memory[from] &&
                buffers->memory[i] != buffers->memory[from] && !add_move(moves, &move, error))
                return false;
        }
    return true;
}

/* The flip of an action; NULL: it is another action. */
static const struct capture_flip *flip_of(const struct inspect *session, size_t action)
{
    const struct capture_event *event = &session->index.events.list[session->index.pieces[action].action.event];

    return event->type == CAPTURE_FLIP ? (const void *)event->data : NULL;
}

static const struct hal_observer skipping = {.skips = true};

/* Plays the frame without its draws up to its last flip. */
static bool play_flips(struct inspect *session, size_t end, struct capture_error *error)
{
    struct buffers buffers = {.count = 0};
    bool done = inspect_seek(session, 0, error);

    session->spoiled = true; /* contents of surfaces are wrong from here on */
    inspect_observe(session, &skipping);
    for (size_t i = 0; done && i < end; i++) {
        const struct capture_flip *flip = flip_of(session, i);

        done = inspect_approach(session, NULL, NULL, error);
        if (done && flip)
            find_buffers(session, flip, &buffers);
        done = done && inspect_step(session, NULL, error);
        if (done && flip)
            done = add_moves(&session->moves, &buffers, (uint32_t)i, error);
    }
    inspect_observe(session, NULL);
    return done;
}

const struct inspect_moves *inspect_moves(struct inspect *session, struct capture_error *error)
{
    size_t end = session->index.count;

    if (session->moves.known)
        return &session->moves;
    while (end && !flip_of(session, end - 1))
        end--;
    session->moves.count = 0; /* an earlier attempt may have been given up */
    if (end && !play_flips(session, end, error))
        return NULL;
    session->moves.known = true;
    return &session->moves;
}

void inspect_moves_free(struct inspect_moves *moves)
{
    free(moves->list);
    *moves = (struct inspect_moves){0};
}
