/* SPDX-License-Identifier: MIT */
/* Follows a pixel back through the flips of a frame. */
#include "inspect/pixel/path.h"

#include "base/base.h"
#include "inspect/internal.h"

#include <stdlib.h>

/* --- the moves of one flip ----------------------------------------------------------------------- */

static uint32_t source_of(const struct inspect_moves *moves, size_t first, size_t end, uint32_t surface)
{
    for (size_t i = first; i < end; i++)
        if (moves->list[i].surface == surface)
            return moves->list[i].from;
    return 0;
}

/* The first move of an action that is not before this one. */
static size_t lower_bound(const struct inspect_moves *moves, size_t action)
{
    size_t low = 0, high = moves->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (moves->list[middle].action < action)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t pixel_path_from(const struct pixel_path *path, size_t action, uint32_t surface)
{
    return source_of(path->moves, lower_bound(path->moves, action), lower_bound(path->moves, action + 1), surface);
}

/* --- spans --------------------------------------------------------------------------------------- */

static void add_holder(struct pixel_span *span, uint32_t surface)
{
    for (unsigned i = 0; i < span->count; i++)
        if (span->surface[i] == surface)
            return;
    if (span->count < PIXEL_MOST_HOLDERS)
        span->surface[span->count++] = surface;
}

/* The span before the flip whose moves are [first, end), from the one after it. */
static void go_back(const struct inspect_moves *moves, size_t first, size_t end, bool by_name,
                    const struct pixel_span *after, struct pixel_span *before)
{
    before->count = 0;
    if (by_name)
        add_holder(before, after->surface[0]);
    for (unsigned i = 0; i < after->count; i++) {
        const uint32_t source = source_of(moves, first, end, after->surface[i]);

        add_holder(before, source ? source : after->surface[i]);
    }
}

static bool make_spans(struct pixel_path *path, uint32_t last, bool by_name, struct capture_error *error)
{
    const struct inspect_moves *moves = path->moves;
    size_t end = moves->count, at;

    path->count = 1;
    for (size_t i = 0; i < moves->count; i++)
        path->count += !i || moves->list[i].action != moves->list[i - 1].action;
    path->spans = mem_calloc(path->count, sizeof(*path->spans));
    if (!path->spans)
        return inspect_no_memory(error);
    at = path->count - 1;
    add_holder(&path->spans[at], last);
    while (end) {
        const uint32_t action = moves->list[end - 1].action;
        const size_t first = lower_bound(moves, action);

        path->spans[at].first = action + 1;
        go_back(moves, first, end, by_name, &path->spans[at], &path->spans[at - 1]);
        at--;
        end = first;
    }
    return true;
}

const struct pixel_span *pixel_path_at(const struct pixel_path *path, size_t action)
{
    size_t low = 0, high = path->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (path->spans[middle].first <= action)
            low = middle;
        else
            high = middle;
    }
    return &path->spans[low];
}

bool pixel_path_find(struct inspect *session, uint32_t surface, unsigned x, unsigned y, struct pixel_path *path,
                     struct capture_error *error)
{
    const struct capture_frame *frame = surface ? NULL : inspect_shown(session);

    *path = (struct pixel_path){.x = x, .y = y};
    if (!surface && (!frame || !frame->surface))
        return inspect_fail(error, "the frame shows nothing; name a surface");
    if (frame) {
        if (x >= (uint32_t)BASE_MAX(frame->rect.right - (int64_t)frame->rect.left, 0) ||
            y >= (uint32_t)BASE_MAX(frame->rect.bottom - (int64_t)frame->rect.top, 0))
            return inspect_fail(error, "the picture has no pixel %u,%u", x, y);
        path->x += (unsigned)BASE_MAX(frame->rect.left, 0);
        path->y += (unsigned)BASE_MAX(frame->rect.top, 0);
    }
    path->moves = inspect_moves(session, error);
    return path->moves && make_spans(path, frame ? frame->surface : surface, !frame, error);
}

void pixel_path_free(struct pixel_path *path)
{
    free(path->spans);
    path->spans = NULL;
}
