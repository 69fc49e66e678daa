/* SPDX-License-Identifier: MIT */
/* Plays two captures side by side: frame by frame, then draw by draw. */
#include "tools/compare/captures.h"

#include "base/base.h"
#include "inspect/frame.h"
#include "client/umd/bridge.h"

#include <stdlib.h>
#include <string.h>

/* --- frames ----------------------------------------------------------------------------------------- */

/* Plays one more frame, and reads what it shows. */
static int compare_next_frame(struct compare *compare, struct compare_side *side)
{
    struct capture_error error = {0};
    struct capture_event event;

    free(side->picture.pixels);
    side->picture = (struct player_picture){0};
    while (capture_next(side->reader, &event, &error) == CAPTURE_OK) {
        if (!player_play(side->player, &event, &error))
            return tool_unreadable(compare->verb, side->path, &error);
        if (event.type != CAPTURE_FRAME)
            continue;
        side->shown = player_grab(side->player, (const void *)event.data, &side->picture, &error);
        return TOOL_OK;
    }
    return TOOL_DAMAGED; /* already reported when it was read */
}

static int compare_pair_of(struct compare *compare, struct compare_pair *pair)
{
    struct player_picture *a = &compare->a.picture, *b = &compare->b.picture;

    pair->size[0] = (struct player_picture){a->width, a->height, NULL};
    pair->size[1] = (struct player_picture){b->width, b->height, NULL};
    pair->not_shown = !compare->a.shown || !compare->b.shown;
    pair->sizes_differ = !pair->not_shown && (a->width != b->width || a->height != b->height);
    if (pair->not_shown)
        return compare->a.shown != compare->b.shown ? TOOL_DIFFERENT : TOOL_OK;
    if (!pair->sizes_differ)
        pair->numbers = picture_compare(a, b, compare->tolerance);
    if (!pair->sizes_differ && !pair->numbers.different)
        return TOOL_OK;
    if (compare->first_pair == ALIGN_NONE) {
        compare->first_pair = (size_t)(pair - compare->pairs);
        if (!pair->sizes_differ) {
            picture_difference(a, b, compare->tolerance);
            compare->difference = *a;
            *a = (struct player_picture){0};
        }
    }
    return TOOL_DIFFERENT;
}

static int compare_all_frames(struct compare *compare)
{
    int status = TOOL_OK;

    for (size_t i = 0; i < compare->pair_count; i++) {
        struct compare_pair *pair = &compare->pairs[i];
        const int a = pair->a == ALIGN_NONE ? TOOL_DIFFERENT : compare_next_frame(compare, &compare->a);
        const int b = pair->b == ALIGN_NONE ? TOOL_DIFFERENT : compare_next_frame(compare, &compare->b);
        int result = BASE_MAX(a, b);

        if (pair->a != ALIGN_NONE && pair->b != ALIGN_NONE && result == TOOL_OK)
            result = compare_pair_of(compare, pair);
        status = BASE_MAX(status, result);
        if (status == TOOL_ERROR)
            break;
        progress_show_share(&compare->progress, 0.8 * (double)(i + 1) / (double)compare->pair_count, "frame", i);
    }
    return status;
}

/* Two players of one driver, for the work in between. */
static int compare_with_players(struct compare *compare, int (*work)(struct compare *compare))
{
    struct client_driver driver;
    int status = TOOL_ERROR;

    if (FAILED(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter))))
        return tool_fail(compare->verb, "the driver does not start");
    compare->a.player = player_create(&driver);
    compare->b.player = player_create(&driver);
    capture_rewind(compare->a.reader);
    capture_rewind(compare->b.reader);
    if (compare->a.player && compare->b.player)
        status = work(compare);
    else
        tool_fail(compare->verb, "out of memory");
    player_destroy(compare->a.player);
    player_destroy(compare->b.player);
    compare->a.player = compare->b.player = NULL;
    client_driver_close(&driver);
    return status;
}

int compare_pictures(struct compare *compare)
{
    return compare_with_players(compare, compare_all_frames);
}

/* --- draws ------------------------------------------------------------------------------------------ */

/* A frame that is played action by action. */
struct compare_steps {
    struct compare *compare;
    struct compare_side *side;
    struct inspect_frame_index index;
    size_t next_event, next_action;
    const struct inspect_piece *from; /* of next_event: the action that was played last */
};

static int compare_load(struct compare_steps *steps)
{
    struct compare_side *side = steps->side;
    struct capture_error error = {0};
    struct capture_event event;

    while (capture_next(side->reader, &event, &error) == CAPTURE_OK) {
        if (!inspect_index_add(&steps->index, &event))
            return tool_fail(steps->compare->verb, "out of memory");
        if (event.type == CAPTURE_FRAME)
            return TOOL_OK;
    }
    return TOOL_DAMAGED;
}

static int compare_play_part(struct compare_steps *steps, const struct inspect_piece *to)
{
    struct capture_event *part = inspect_part(&steps->index.events.list[steps->next_event], steps->from, to);
    struct capture_error error = {0};
    const bool done = part && player_play(steps->side->player, part, &error);

    if (!part)
        return tool_fail(steps->compare->verb, "out of memory");
    free(part);
    return done ? TOOL_OK : tool_unreadable(steps->compare->verb, steps->side->path, &error);
}

/* Plays up to the next action and with it. */
static int compare_step(struct compare_steps *steps)
{
    const struct inspect_piece *piece = &steps->index.pieces[steps->next_action++];
    struct capture_error error = {0};
    int status = TOOL_OK;

    for (; status == TOOL_OK && steps->next_event < piece->action.event; steps->next_event++) {
        if (steps->from)
            status = compare_play_part(steps, NULL);
        else if (!player_play(steps->side->player, &steps->index.events.list[steps->next_event], &error))
            status = tool_unreadable(steps->compare->verb, steps->side->path, &error);
        steps->from = NULL;
    }
    if (status != TOOL_OK)
        return status;
    if (steps->index.events.list[steps->next_event].type == CAPTURE_DRAW) {
        status = compare_play_part(steps, piece);
        steps->from = piece;
    } else if (!player_play(steps->side->player, &steps->index.events.list[steps->next_event++], &error)) {
        status = tool_unreadable(steps->compare->verb, steps->side->path, &error);
    }
    return status;
}

/* (one by one: a part of a call reaches from one action to the next) */
static int compare_step_to(struct compare_steps *steps, size_t number)
{
    int status = TOOL_OK;

    while (status == TOOL_OK && steps->next_action <= number)
        status = compare_step(steps);
    return status;
}

static bool compare_grab_target(struct compare_steps *steps, struct player_picture *picture)
{
    struct capture_error ignored = {0};
    uint32_t target, depth;

    *picture = (struct player_picture){0};
    player_targets(steps->side->player, &target, &depth);
    return target && player_grab_surface(steps->side->player, target, NULL, picture, &ignored);
}

/* Do the targets differ? */
static bool compare_targets(struct compare *compare, struct compare_steps *a, struct compare_steps *b)
{
    struct player_picture left, right;
    bool differ = false;

    if (compare_grab_target(a, &left) & compare_grab_target(b, &right)) {
        differ = left.width != right.width || left.height != right.height;
        compare->first_numbers = (struct picture_numbers){0};
        if (!differ) {
            compare->first_numbers = picture_compare(&left, &right, compare->tolerance);
            differ = compare->first_numbers.different != 0;
        }
    }
    free(left.pixels);
    free(right.pixels);
    return differ;
}

static int compare_walk(struct compare *compare, struct compare_steps *a, struct compare_steps *b, const size_t *match)
{
    size_t since_b = 0, since_a = 0;
    int status = TOOL_OK;

    for (size_t i = 0; status == TOOL_OK && i < a->index.count; i++) {
        if (match[i] == ALIGN_NONE || a->index.pieces[i].action.kind == INSPECT_PRESENT)
            continue;
        status = compare_step_to(a, i);
        if (status == TOOL_OK)
            status = compare_step_to(b, match[i]);
        if (status == TOOL_OK && compare_targets(compare, a, b)) {
            compare->has_first = true;
            compare->first_a = i;
            compare->first_b = match[i];
            compare->since_a = since_a;
            compare->since_b = since_b;
            return TOOL_OK;
        }
        since_a = i + 1;
        since_b = match[i] + 1;
        progress_show_share(&compare->progress, 0.8 + 0.2 * (double)i / (double)a->index.count, "draw", i);
    }
    return status;
}

static int compare_step_frames(struct compare *compare)
{
    const struct compare_pair *pair = &compare->pairs[compare->first_pair];
    struct compare_steps a = {.compare = compare, .side = &compare->a}, b = {.compare = compare, .side = &compare->b};
    size_t *match = compare_actions(compare, pair);
    int status = match ? TOOL_OK : tool_fail(compare->verb, "out of memory");

    player_follow_targets(compare->a.player);
    player_follow_targets(compare->b.player);
    for (size_t i = 0; status == TOOL_OK && i < pair->a; i++)
        status = compare_next_frame(compare, &compare->a);
    for (size_t i = 0; status == TOOL_OK && i < pair->b; i++)
        status = compare_next_frame(compare, &compare->b);
    if (status == TOOL_OK)
        status = compare_load(&a);
    if (status == TOOL_OK)
        status = compare_load(&b);
    if (status == TOOL_OK)
        status = compare_walk(compare, &a, &b, match);
    inspect_index_free(&a.index);
    inspect_index_free(&b.index);
    free(match);
    return status;
}

/* The state of an action, from a separate session. */
static bool compare_ask_state(struct compare_side *side, size_t frame, size_t action, struct inspect_state *state)
{
    struct capture_error error = {0};
    struct inspect *session;
    bool done;

    capture_rewind(side->reader);
    session = inspect_open(side->reader, NULL, &error);
    done = session && inspect_load(session, (uint32_t)frame, &error) && action < inspect_action_count(session) &&
           inspect_seek(session, action + 1, &error) && inspect_state(session, 0, state, &error);
    inspect_close(session);
    return done;
}

int compare_find_draw(struct compare *compare)
{
    int status;

    if (compare->first_pair == ALIGN_NONE)
        return TOOL_OK;
    const struct compare_pair *pair = &compare->pairs[compare->first_pair];

    status = compare_with_players(compare, compare_step_frames);
    if (status == TOOL_OK && compare->has_first)
        compare->has_states = compare_ask_state(&compare->a, pair->a, compare->first_a, &compare->state_a) &&
                              compare_ask_state(&compare->b, pair->b, compare->first_b, &compare->state_b);
    return status;
}
