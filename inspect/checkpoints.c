/* SPDX-License-Identifier: MIT */
/* The checkpoints of a frame: contents of surfaces at some of its positions, as many as memory allows. */
#include "inspect/internal.h"

#include "base/base.h"

#include <stdlib.h>

#define SPACING 0.025 /* seconds of playing between checkpoints, at least */

void inspect_checkpoints_drop(struct inspect *session)
{
    for (size_t i = 0; i < session->checkpoint_count; i++)
        inspect_contents_free(&session->checkpoints[i].contents);
    session->checkpoint_count = session->checkpoint_bytes = 0;
    session->no_checkpoints = false;
    session->every = session->options.every;
    session->spacing = SPACING;
    session->keeping = 0.0;
}

/* Drops every second checkpoint. */
static void thin_out(struct inspect *session)
{
    size_t kept = 0;

    for (size_t i = 0; i < session->checkpoint_count; i++) {
        struct inspect_checkpoint *checkpoint = &session->checkpoints[i];

        if (i % 2) {
            session->checkpoints[kept++] = *checkpoint;
        } else {
            session->checkpoint_bytes -= checkpoint->contents.bytes;
            inspect_contents_free(&checkpoint->contents);
        }
    }
    session->checkpoint_count = kept;
    session->every *= 2;
    session->spacing *= 2;
    session->no_checkpoints = kept == 0;
}

void inspect_checkpoint_keep(struct inspect *session)
{
    struct inspect_checkpoint checkpoint = {.position = session->position};

    if (session->checkpoint_count == session->checkpoint_capacity) {
        const size_t capacity = 2 * session->checkpoint_capacity + 16;
        struct inspect_checkpoint *bigger = mem_realloc(session->checkpoints, capacity, sizeof(*bigger));

        if (!bigger)
            return;
        session->checkpoints = bigger;
        session->checkpoint_capacity = capacity;
    }
    if (!inspect_contents_save(&checkpoint.contents, session->player, &session->base))
        return; /* without a checkpoint, going back takes longer */
    session->checkpoints[session->checkpoint_count++] = checkpoint;
    session->checkpoint_bytes += checkpoint.contents.bytes;
    while (session->checkpoint_bytes > session->options.memory && session->checkpoint_count)
        thin_out(session);
}
