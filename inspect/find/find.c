/* SPDX-License-Identifier: MIT */
/* Tests conditions after each action of a frame that is played without drawing. */
#include "inspect/find/find.h"

#include "base/base.h"
#include "dp2/names.h"
#include "hal/inspect.h"
#include "inspect/draws.h"
#include "inspect/find/condition.h"
#include "inspect/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_SURFACES (HAL_INSPECT_SAMPLERS + HAL_STAGE_ROWS + HAL_MAX_STREAMS + HAL_INSPECT_TARGETS + 4)

/* An action, as far as conditions ask. */
struct facts {
    const struct inspect_action *action;
    struct inspect_place place;
    bool refused;
    const struct hal_state *state; /* of its context; NULL: none */
    const struct hal_context *context;
    uint32_t reads[MOST_SURFACES], writes[MOST_SURFACES], buffers[MOST_SURFACES]; /* surfaces */
    size_t read_count, write_count, buffer_count;
};

/* The states of the action before, for what has changed. */
struct before {
    bool is_there;
    uint32_t context; /* as the capture calls it */
    uint32_t render_state[HAL_MAX_RENDER_STATES];
    uint32_t stage_state[HAL_STAGE_ROWS][HAL_MAX_STAGE_STATES];
};

/* --- what an action does ------------------------------------------------------------------------- */

static void add(uint32_t *list, size_t *count, uint32_t surface)
{
    if (surface && *count < MOST_SURFACES)
        list[(*count)++] = surface;
}

/* The draw is ready: its program is known, and what it reads. It is not drawn. */
static bool see_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct facts *facts = user;
    struct hal_inspect_pixels pixels;

    (void)draw;
    (void)primitives;
    facts->read_count = 0; /* instances come one by one, and read the same */
    hal_inspect_pixels(context, &pixels);
    for (unsigned s = 0; s < HAL_INSPECT_SAMPLERS; s++)
        if (pixels.samplers >> s & 1)
            add(facts->reads, &facts->read_count, inspect_surface_id(pixels.texture[s]));
    return false;
}

static void note_buffers(struct facts *facts)
{
    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++)
        add(facts->buffers, &facts->buffer_count,
            inspect_surface_id(hal_inspect_named(facts->context, facts->state->stream[i].handle)));
    add(facts->buffers, &facts->buffer_count,
        inspect_surface_id(hal_inspect_named(facts->context, facts->state->index_handle)));
    for (unsigned row = HAL_MAX_SAMPLERS; row < HAL_STAGE_ROWS; row++)
        add(facts->reads, &facts->read_count,
            inspect_surface_id(hal_inspect_named(facts->context, facts->state->stage_state[row][0])));
}

static void note_call(const struct inspect *session, struct facts *facts)
{
    const struct capture_event *event = &session->index.events.list[facts->action->event];

    if (event->type == CAPTURE_BLT) {
        const struct capture_blt *blt = (const void *)event->data;

        add(facts->reads, &facts->read_count, blt->source);
        add(facts->writes, &facts->write_count, blt->destination);
    } else if (event->type == CAPTURE_FLIP) {
        const struct capture_flip *flip = (const void *)event->data;

        add(facts->writes, &facts->write_count, flip->current);
        add(facts->writes, &facts->write_count, flip->target);
    }
}

static void note_facts(const struct inspect *session, struct facts *facts)
{
    const bool draws = facts->action->kind == INSPECT_DRAW || facts->action->kind == INSPECT_CLEAR;
    struct hal_inspect_bound bound = {0};

    facts->context = facts->action->context ? inspect_context(session, facts->action->context) : NULL;
    facts->state = facts->context ? hal_inspect_settings(facts->context) : NULL;
    note_call(session, facts);
    if (!facts->state || !draws)
        return;
    hal_inspect_bound(facts->context, &bound);
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        add(facts->writes, &facts->write_count, inspect_surface_id(bound.color[t]));
    add(facts->writes, &facts->write_count, inspect_surface_id(bound.depth));
    if (facts->action->kind == INSPECT_DRAW)
        note_buffers(facts);
}

/* --- conditions ---------------------------------------------------------------------------------- */

static bool has(const uint32_t *list, size_t count, uint32_t surface)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == surface)
            return true;
    return false;
}

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static int order(bool is_float, uint32_t a, uint32_t b)
{
    return is_float ? (float_of(a) > float_of(b)) - (float_of(a) < float_of(b)) : (a > b) - (a < b);
}

static bool compares(const struct inspect_condition *c, uint32_t value)
{
    const int o = order(c->is_float, value, c->value);

    /* A NaN is the code of an extension (docs/extensions.md), and has no order. */
    if (c->is_float && (isnan(float_of(value)) || isnan(float_of(c->value))))
        return (value == c->value) == (c->compare == INSPECT_EQUAL) && c->compare <= INSPECT_UNEQUAL;
    switch (c->compare) {
    case INSPECT_EQUAL:
        return o == 0;
    case INSPECT_UNEQUAL:
        return o != 0;
    case INSPECT_LESS:
        return o < 0;
    case INSPECT_LESS_EQUAL:
        return o <= 0;
    case INSPECT_GREATER:
        return o > 0;
    case INSPECT_GREATER_EQUAL:
        return o >= 0;
    }
    return false;
}

/* Draws alone have states. One row is enough if any will do. */
static bool holds_for_state(const struct inspect_condition *c, const struct facts *facts, const struct before *before)
{
    const struct hal_state *state = facts->state;
    const uint32_t first = c->row == INSPECT_ANY_ROW ? 0 : c->row,
                   end = c->row == INSPECT_ANY_ROW ? HAL_STAGE_ROWS : first + 1;
    const bool changes = c->test == INSPECT_TEST_CHANGED;

    if (!state || facts->action->kind != INSPECT_DRAW)
        return false;
    if (changes && (!before->is_there || before->context != facts->action->context))
        return false;
    if (!c->is_stage)
        return changes ? before->render_state[c->number] != state->render_state[c->number]
                       : compares(c, state->render_state[c->number]);
    for (uint32_t row = first; row < end && c->number < HAL_MAX_STAGE_STATES; row++)
        if (changes ? before->stage_state[row][c->number] != state->stage_state[row][c->number]
                    : compares(c, state->stage_state[row][c->number]))
            return true;
    return false;
}

/* The handle of the shader that a draw has; 0: the fixed function. */
static uint32_t shader_of(const struct hal_state *state, bool vertex)
{
    if (!vertex)
        return state->pixel_shader;
    if (state->is_declaration)
        return state->vertex_function;
    return state->vertex_shader & 1 ? state->vertex_shader : 0;
}

static bool holds(const struct inspect_condition *c, const struct facts *facts, const struct before *before)
{
    const struct inspect_action *action = facts->action;

    switch (c->test) {
    case INSPECT_TEST_STATE:
    case INSPECT_TEST_CHANGED:
        return holds_for_state(c, facts, before);
    case INSPECT_TEST_READS:
        return has(facts->reads, facts->read_count, c->value);
    case INSPECT_TEST_WRITES:
        return has(facts->writes, facts->write_count, c->value);
    case INSPECT_TEST_USES:
        return has(facts->reads, facts->read_count, c->value) || has(facts->writes, facts->write_count, c->value) ||
               has(facts->buffers, facts->buffer_count, c->value);
    case INSPECT_TEST_VERTEX_SHADER:
    case INSPECT_TEST_PIXEL_SHADER:
        return facts->state && action->kind == INSPECT_DRAW &&
               shader_of(facts->state, c->test == INSPECT_TEST_VERTEX_SHADER) == c->value;
    case INSPECT_TEST_KIND:
        return action->kind == (enum inspect_kind)c->value;
    case INSPECT_TEST_TYPE:
        return action->kind == INSPECT_DRAW && action->type < 32 && c->value >> action->type & 1;
    case INSPECT_TEST_TOKEN:
        return strncasecmp(action->token, c->word, strlen(c->word)) == 0;
    case INSPECT_TEST_PLACE:
        return facts->place.frame == c->frame && facts->place.draw == c->value;
    case INSPECT_TEST_REFUSED:
        return facts->refused;
    }
    return false;
}

static bool test_all(struct inspect_query *query, const struct facts *facts, const struct before *before)
{
    bool all = true;

    query->tested++;
    for (size_t i = 0; i < query->count; i++) {
        struct inspect_condition *c = &query->list[i];
        const bool met = holds(c, facts, before) != c->negated;

        c->met += met;
        all = all && met;
    }
    return all;
}

static void keep(struct before *before, const struct facts *facts)
{
    if (!facts->state)
        return;
    before->is_there = true;
    before->context = facts->action->context;
    memcpy(before->render_state, facts->state->render_state, sizeof(before->render_state));
    memcpy(before->stage_state, facts->state->stage_state, sizeof(before->stage_state));
}

/* The states with which the frame begins. */
static void keep_beginning(struct inspect *session, struct before *before)
{
    struct facts facts = {.action = inspect_action(session, 0)};

    if (!facts.action || !facts.action->context)
        return;
    facts.context = inspect_context(session, facts.action->context);
    facts.state = facts.context ? hal_inspect_settings(facts.context) : NULL;
    keep(before, &facts);
}

bool inspect_find(struct inspect *session, uint32_t frame, struct inspect_query *query,
                  bool (*found)(void *user, const struct inspect_place *place, const struct inspect_action *action),
                  void *user, struct capture_error *error)
{
    struct facts *facts = mem_calloc(1, sizeof(*facts));
    struct before *before = mem_calloc(1, sizeof(*before));
    const struct hal_observer observer = {.user = facts, .draw = see_draw};
    bool done = facts && before ? inspect_load(session, frame, error) : inspect_no_memory(error), wanted = true;

    if (done) {
        inspect_observe(session, query->needs_pipeline ? &observer : NULL);
        keep_beginning(session, before);
    }
    for (size_t i = 0; done && wanted && i < inspect_action_count(session); i++) {
        *facts = (struct facts){.action = inspect_action(session, i), .place = {frame, (uint32_t)i}};
        done = inspect_step(session, &facts->refused, error);
        if (!done)
            break;
        note_facts(session, facts);
        if (test_all(query, facts, before))
            wanted = found(user, &facts->place, facts->action);
        keep(before, facts);
    }
    inspect_observe(session, NULL);
    free(facts);
    free(before);
    return done;
}
