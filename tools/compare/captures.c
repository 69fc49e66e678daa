/* SPDX-License-Identifier: MIT */
/* Reads two captures and matches their frames and actions. */
#include "tools/compare/captures.h"

#include "base/base.h"
#include "dp2/tokens.h"
#include "inspect/frame.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool compare_grow(void *list, size_t count, size_t *capacity, size_t size)
{
    void **place = list, *bigger;

    if (count < *capacity)
        return true;
    bigger = mem_realloc(*place, 2 * *capacity + 64, size);
    if (!bigger)
        return false;
    *place = bigger;
    *capacity = 2 * *capacity + 64;
    return true;
}

/* --- hashes of actions ------------------------------------------------------------------------------- */

/* An entry, without the surfaces that it names: their numbers shift if an additional surface is created. */
static uint64_t compare_entry_hash(const struct dp2_token_info *info, const uint8_t *entry, size_t size, uint64_t seed)
{
    static const uint8_t zeros[4];
    uint64_t hash = seed;

    for (size_t at = 0, n = 0; at < size; n++) {
        const size_t part = n < strlen(info->surfaces) && size - at >= 4 ? 4 : size - at;
        const bool named = n < strlen(info->surfaces) && info->surfaces[n] != DP2_SURFACE_NONE;

        hash = XXH3_64bits_withSeed(named ? zeros : entry + at, part, hash);
        at += part;
    }
    return hash;
}

static uint64_t compare_command_hash(const struct capture_event *event, const struct inspect_piece *piece)
{
    const uint8_t *command = event->data + sizeof(struct capture_draw) + piece->begin;
    const struct dp2_token_info *info = dp2_token_info(command[0]);
    const uint8_t *body = command + DP2_HEADER_BYTES;

    if (!piece->whole)
        return compare_entry_hash(info, body + piece->first, piece->last - piece->first, info->number);
    return compare_entry_hash(info, body, piece->end - piece->begin - DP2_HEADER_BYTES,
                              XXH3_64bits_withSeed(command + 2, 2, info->number));
}

/* Events that are actions: a Clear2, a Blt, a Flip. */
static uint64_t compare_event_hash(const struct capture_event *event)
{
    const struct capture_blt *blt = (const void *)event->data;

    if (event->type == CAPTURE_CLEAR)
        return XXH3_64bits_withSeed(event->data + 4, event->size - 4, event->type);
    if (event->type == CAPTURE_BLT)
        return XXH3_64bits_withSeed(&blt->destination_rect, sizeof(*blt) - 8, event->type);
    return event->type;
}

/* All bytes of an event, without the number of the frame, which shifts. */
static uint64_t compare_content(const struct capture_event *event, uint64_t seed)
{
    const size_t skip = event->type == CAPTURE_FRAME ? 4 : 0;

    return XXH3_64bits_withSeed(event->data + skip, event->size - skip, seed + event->type);
}

/* --- frames ----------------------------------------------------------------------------------------- */

static bool compare_add_action(struct compare_side *side, uint64_t hash, enum inspect_kind kind)
{
    if (!compare_grow(&side->actions, side->action_count, &side->action_capacity, sizeof(*side->actions)) ||
        !compare_grow(&side->kinds, side->action_count, &side->kind_capacity, sizeof(*side->kinds)))
        return false;
    side->actions[side->action_count] = hash;
    side->kinds[side->action_count++] = kind;
    return true;
}

static bool compare_end_frame(struct compare_side *side, const struct inspect_frame_index *index, uint64_t content)
{
    struct compare_frame frame = {.first = side->action_count, .count = index->count, .content = content};

    for (size_t i = 0; i < index->count; i++) {
        const struct inspect_piece *piece = &index->pieces[i];
        const struct capture_event *event = &index->events.list[piece->action.event];
        const uint64_t hash =
            event->type == CAPTURE_DRAW ? compare_command_hash(event, piece) : compare_event_hash(event);

        frame.actions = XXH3_64bits_withSeed(&hash, sizeof(hash), frame.actions);
        if (!compare_add_action(side, hash, piece->action.kind))
            return false;
    }
    if (!compare_grow(&side->frames, side->frame_count, &side->frame_capacity, sizeof(*side->frames)))
        return false;
    side->frames[side->frame_count++] = frame;
    return true;
}

static int compare_read(struct compare *compare, struct compare_side *side)
{
    struct inspect_frame_index index = {0};
    struct capture_error error = {0};
    struct capture_event event;
    enum capture_status status;
    uint64_t content = 0;
    bool done = true;

    while (done && (status = capture_next(side->reader, &event, &error)) == CAPTURE_OK) {
        content = compare_content(&event, content);
        done = inspect_index_add(&index, &event);
        if (done && event.type == CAPTURE_FRAME) {
            done = compare_end_frame(side, &index, content);
            inspect_index_free(&index);
            content = 0;
        }
    }
    inspect_index_free(&index);
    if (!done)
        return tool_fail(compare->verb, "out of memory");
    side->said_cut = status != CAPTURE_END;
    return tool_read_result(compare->verb, side->path, status, &error);
}

/* --- matching --------------------------------------------------------------------------------------- */

/* Frames of [a, a_end) and [b, b_end) by one of their hashes: match[] of those of a. */
static bool compare_match(const struct compare *compare, bool by_content, size_t a, size_t a_end, size_t b,
                          size_t b_end, size_t *match)
{
    const size_t a_count = a_end - a, b_count = b_end - b;
    uint64_t *hashes = mem_calloc(a_count + b_count + 1, sizeof(*hashes));
    bool done = hashes != NULL;

    for (size_t i = 0; done && i < a_count; i++)
        hashes[i] = by_content ? compare->a.frames[a + i].content : compare->a.frames[a + i].actions;
    for (size_t i = 0; done && i < b_count; i++)
        hashes[a_count + i] = by_content ? compare->b.frames[b + i].content : compare->b.frames[b + i].actions;
    done = done && align_sequences(hashes, a_count, hashes + a_count, b_count, match + a);
    for (size_t i = a; done && i < a_end; i++)
        match[i] += match[i] == ALIGN_NONE ? 0 : b;
    free(hashes);
    return done;
}

/* Between frames that match: first by a second hash, then in their order. */
static bool compare_fill_gaps(const struct compare *compare, size_t *match, bool by_actions)
{
    const size_t a_count = compare->a.frame_count;
    size_t b = 0;

    for (size_t a = 0; a <= a_count; a++) {
        size_t end = a;

        while (end < a_count && match[end] == ALIGN_NONE)
            end++;
        const size_t b_end = end < a_count ? match[end] : compare->b.frame_count;

        if (end > a && b_end > b && by_actions && !compare_match(compare, false, a, end, b, b_end, match))
            return false;
        for (size_t i = a; !by_actions && i < end && b < b_end; i++)
            match[i] = b++;
        a = end;
        b = b_end + 1;
    }
    return true;
}

static bool compare_make_pairs(struct compare *compare, const size_t *match)
{
    const size_t a_count = compare->a.frame_count, b_count = compare->b.frame_count;
    size_t b = 0;

    compare->pairs = mem_calloc(a_count + b_count + 1, sizeof(*compare->pairs));
    if (!compare->pairs)
        return false;
    for (size_t a = 0; a <= a_count; a++) {
        const size_t wanted = a < a_count ? match[a] : b_count;

        while (wanted != ALIGN_NONE && b < wanted)
            compare->pairs[compare->pair_count++] = (struct compare_pair){.a = ALIGN_NONE, .b = b++};
        if (a < a_count)
            compare->pairs[compare->pair_count++] = (struct compare_pair){.a = a, .b = wanted};
        b += wanted != ALIGN_NONE;
    }
    return true;
}

int compare_align(struct compare *compare)
{
    size_t *match;
    int status = compare_read(compare, &compare->a);
    const int other = status == TOOL_ERROR ? status : compare_read(compare, &compare->b);
    bool done;

    compare->first_pair = ALIGN_NONE;
    status = status > other ? status : other;
    if (status == TOOL_ERROR)
        return status;
    match = mem_calloc(compare->a.frame_count + 1, sizeof(*match));
    done = match && compare_match(compare, true, 0, compare->a.frame_count, 0, compare->b.frame_count, match) &&
           compare_fill_gaps(compare, match, true) && compare_fill_gaps(compare, match, false) &&
           compare_make_pairs(compare, match);
    free(match);
    return done ? status : tool_fail(compare->verb, "out of memory");
}

/* Between actions that match: pairs of one kind, which are the same draw with other numbers. */
static bool compare_fill_actions(const struct compare *compare, const struct compare_frame *a,
                                 const struct compare_frame *b, size_t *match)
{
    uint64_t *kinds = mem_calloc(a->count + b->count + 1, sizeof(*kinds)), *b_kinds = kinds + a->count;
    bool done = kinds != NULL;
    size_t b_begin = 0;

    for (size_t i = 0; done && i < a->count; i++)
        kinds[i] = compare->a.kinds[a->first + i];
    for (size_t i = 0; done && i < b->count; i++)
        b_kinds[i] = compare->b.kinds[b->first + i];
    for (size_t i = 0; done && i <= a->count; i++) {
        const size_t begin = i;

        while (i < a->count && match[i] == ALIGN_NONE)
            i++;
        const size_t b_end = i < a->count ? match[i] : b->count;

        if (i > begin && b_end > b_begin)
            done = align_sequences(kinds + begin, i - begin, b_kinds + b_begin, b_end - b_begin, match + begin);
        for (size_t j = begin; i > begin && b_end > b_begin && j < i; j++)
            match[j] += match[j] == ALIGN_NONE ? 0 : b_begin;
        b_begin = b_end + 1;
    }
    free(kinds);
    return done;
}

size_t *compare_actions(const struct compare *compare, const struct compare_pair *pair)
{
    const struct compare_frame *a = &compare->a.frames[pair->a], *b = &compare->b.frames[pair->b];
    size_t *match = mem_calloc(a->count + 1, sizeof(*match));

    if (match &&
        (!align_sequences(compare->a.actions + a->first, a->count, compare->b.actions + b->first, b->count, match) ||
         !compare_fill_actions(compare, a, b, match))) {
        free(match);
        return NULL;
    }
    return match;
}

static void compare_free_side(struct compare_side *side)
{
    free(side->frames);
    free(side->actions);
    free(side->kinds);
    free(side->picture.pixels);
}

void compare_free(struct compare *compare)
{
    compare_free_side(&compare->a);
    compare_free_side(&compare->b);
    inspect_state_free(&compare->state_a);
    inspect_state_free(&compare->state_b);
    free(compare->difference.pixels);
    free(compare->pairs);
}
