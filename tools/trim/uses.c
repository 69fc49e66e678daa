/* SPDX-License-Identifier: MIT */
/* How much of each surface some frames of a capture need. */
#include "tools/trim/trim.h"

#include <stdlib.h>

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/halcyon.h"
#include "dp2/capture/uses.h"

static bool uses_reserve(struct trim_uses *uses, uint32_t id)
{
    const uint32_t limit = id + id / 2 + 64;
    struct trim_surface *bigger;

    if (id < uses->limit)
        return true;
    bigger = mem_realloc(uses->list, limit, sizeof(*bigger));
    if (!bigger) {
        uses->is_incomplete = true;
        return false;
    }
    for (uint32_t i = uses->limit; i < limit; i++)
        bigger[i] = (struct trim_surface){.what = TRIM_NOT, .holds = i};
    uses->list = bigger;
    uses->limit = limit;
    return true;
}

static void want(struct trim_surface *wanted, uint8_t what)
{
    if (wanted->what <= TRIM_NAME && what > wanted->what)
        wanted->what = what;
}

static void note_use(void *user, uint32_t id, enum capture_use use)
{
    struct trim_uses *uses = user;

    if (!uses_reserve(uses, id))
        return;
    want(&uses->list[id], TRIM_NAME);
    if (use != CAPTURE_USE_NAMED)
        want(&uses->list[uses->list[id].holds], use == CAPTURE_USE_NEEDED ? TRIM_CONTENTS : TRIM_SHELL);
}

static void note_links(struct trim_uses *uses, const struct capture_link *links, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (uses_reserve(uses, links[i].from) && uses_reserve(uses, links[i].to) && uses->list[links[i].to].flips &&
            !uses->list[links[i].from].next)
            uses->list[links[i].from].next = links[i].to;
}

static void note_surfaces(struct trim_uses *uses, const struct capture_surfaces *head)
{
    const struct capture_part *parts = (const void *)(head + 1);

    for (uint32_t i = 0; i < head->part_count; i++)
        if (uses_reserve(uses, parts[i].id))
            uses->list[parts[i].id].flips = parts[i].caps & DDSCAPS_FLIP;
    note_links(uses, (const void *)(parts + head->part_count), head->link_count);
}

static void note_announce(struct trim_uses *uses, const struct capture_announce *head)
{
    const struct capture_name *names = (const void *)(head + 1);

    note_links(uses, (const void *)(names + head->name_count), head->link_count);
}

static void uses_exchange(struct trim_uses *uses, uint32_t a, uint32_t b)
{
    const uint32_t held = uses->list[a].holds;

    uses->list[a].holds = uses->list[b].holds;
    uses->list[b].holds = held;
}

/* A flip to the next buffer of a chain moves all contents up by one, and the front's to the end. A flip to any other
 * buffer, or with HALCYON_FLIP_EXCHANGE, swaps the two. */
static void note_flip(struct trim_uses *uses, const struct capture_flip *flip)
{
    uint32_t at = flip->current, next = flip->target;

    if (!next || !uses_reserve(uses, at) || !uses_reserve(uses, next))
        return;
    const bool all_move = uses->list[at].next == next && !(flip->flags & HALCYON_FLIP_EXCHANGE);

    for (unsigned i = 0; next && i < DDI_MAX_BACK_BUFFERS; i++) {
        uses_exchange(uses, at, next);
        at = next;
        next = all_move ? uses->list[at].next : 0;
        if (next == flip->current)
            break;
    }
}

/* Notes how the frames use surfaces, and at all times which surfaces belong together. */
static void note_event(struct trim_uses *uses, const struct capture_event *event, bool inside)
{
    const void *head = event->data;

    if (event->type == CAPTURE_SURFACES)
        note_surfaces(uses, head);
    else if (event->type == CAPTURE_ANNOUNCE)
        note_announce(uses, head);
    else if (event->type == CAPTURE_FLIP && inside)
        note_flip(uses, head);
}

enum trim_wanted trim_wanted_of(const struct trim_uses *uses, uint32_t id)
{
    return id < uses->limit ? (enum trim_wanted)uses->list[id].what : TRIM_NOT;
}

bool trim_is_named(const void *user, uint32_t id)
{
    return trim_wanted_of(user, id) != TRIM_NOT;
}

bool trim_uses_find(struct trim_uses *uses, struct capture_reader *reader, uint32_t first, uint32_t last)
{
    struct capture_uses *follower = capture_uses_create(note_use, uses);
    struct capture_error error = {0};
    struct capture_event event;
    bool inside = false, done = follower != NULL;

    while (done && capture_next(reader, &event, &error) == CAPTURE_OK && event.frame <= last) {
        if (event.frame >= first && !inside)
            capture_uses_begin(follower);
        inside |= event.frame >= first;
        done = capture_uses_follow(follower, &event);
        note_event(uses, &event, inside);
    }
    capture_uses_destroy(follower);
    return done && !uses->is_incomplete;
}

void trim_uses_free(struct trim_uses *uses)
{
    free(uses->list);
    *uses = (struct trim_uses){0};
}
