/* SPDX-License-Identifier: MIT */
/*
 * Marks of what probes see while draws are drawn: which pixels are covered, shaded or killed, the size of the triangle,
 * the level of a texture that is read.
 */
#include "inspect/picture/overlay.h"

#include "base/base.h"
#include "inspect/draws.h"
#include "inspect/internal.h"

#include <math.h>

struct overlay {
    enum inspect_show show;
    uint32_t target;
    struct inspect_marks *marks;
    struct hal_probe *probe;
    bool is_on, failed, white;
};

/* --- marks --------------------------------------------------------------------------------------- */

static uint32_t *mark_of(const struct overlay *o, const struct hal_probe_batch *batch, unsigned lane)
{
    const float x = batch->x[lane], y = batch->y[lane];

    if (!(x >= 0.0f && y >= 0.0f && x < (float)o->marks->width && y < (float)o->marks->height))
        return NULL;
    return &o->marks->list[(size_t)y * o->marks->width + (size_t)x];
}

static void or_marks(const struct overlay *o, const struct hal_probe_batch *batch, uint64_t lanes, uint32_t mark)
{
    for (; lanes; lanes &= lanes - 1) {
        uint32_t *at = mark_of(o, batch, (unsigned)__builtin_ctzll(lanes));

        if (at)
            *at |= mark;
    }
}

/* Marks what is covered. */
static void see_covered(void *user, uint32_t mark, const struct hal_probe_batch *batch)
{
    or_marks(user, batch, batch->covered, mark);
}

static void see_tested(void *user, uint32_t number, const struct hal_probe_batch *batch)
{
    (void)number;
    or_marks(user, batch, batch->covered, INSPECT_MARK_COVERED);
    or_marks(user, batch, batch->alive, INSPECT_MARK_ALIVE);
}

static void see_overdraw(void *user, uint32_t number, const struct hal_probe_batch *batch)
{
    const struct overlay *o = user;

    (void)number;
    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        uint32_t *at = mark_of(o, batch, (unsigned)__builtin_ctzll(lanes));

        if (at)
            ++*at;
    }
}

static void see_quads(void *user, uint32_t number, const struct hal_probe_batch *batch)
{
    const struct overlay *o = user;

    (void)number;
    for (unsigned lane = 0; lane < HAL_INSPECT_LANES; lane++) {
        uint32_t *at = batch->covered >> (lane & ~3u) & 15 ? mark_of(o, batch, lane) : NULL;

        if (at)
            ++*at;
    }
}

/* The mark replaces the previous one: the triangle on top. */
static void see_size(void *user, uint32_t mark, const struct hal_probe_batch *batch)
{
    const struct overlay *o = user;

    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        uint32_t *at = mark_of(o, batch, (unsigned)__builtin_ctzll(lanes));

        if (at)
            *at = mark;
    }
}

#define LEVEL_SCALE 256 /* marks of MIP: 1 + LEVEL_SCALE times the level */

static void see_levels(void *user, uint32_t number, const struct hal_probe_batch *batch)
{
    const struct overlay *o = user;

    (void)number;
    for (uint64_t lanes = batch->covered; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        uint32_t *at = mark_of(o, batch, lane);

        if (at && batch->level[lane] >= 0.0f)
            *at = 1 + (uint32_t)(batch->level[lane] * LEVEL_SCALE);
    }
}

/* --- observing ----------------------------------------------------------------------------------- */

static void set_state(struct overlay *o, struct hal_probe_state state)
{
    state.user = o;
    o->failed |= !hal_probe_set(o->probe, &state);
}

static bool overlay_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct overlay *o = user;
    struct hal_inspect_bound bound;

    (void)draw;
    (void)primitives;
    hal_inspect_bound(context, &bound);
    o->is_on = inspect_surface_id(bound.color[0]) == o->target;
    for (unsigned t = 1; t < HAL_INSPECT_TARGETS; t++)
        o->is_on |= bound.color[t] && inspect_surface_id(bound.color[t]) == o->target;
    hal_probe_begin(o->probe, context, HAL_PROBE_FLUSH_COLORS);
    if (!o->is_on)
        return true;
    switch (o->show) {
    case INSPECT_SHOW_TOUCHED:
    case INSPECT_SHOW_TESTS:
        set_state(o, (struct hal_probe_state){
                         .changes = HAL_PROBE_TESTS_LATE, .program = HAL_PROBE_WATCHED, .see = see_tested});
        break;
    case INSPECT_SHOW_OVERDRAW:
        set_state(o, (struct hal_probe_state){
                         .changes = HAL_PROBE_TESTS_LATE, .program = HAL_PROBE_WATCHED, .see = see_overdraw});
        break;
    case INSPECT_SHOW_QUADS:
        set_state(o, (struct hal_probe_state){.program = HAL_PROBE_WATCHED, .see = see_quads});
        break;
    case INSPECT_SHOW_MIP:
        set_state(o, (struct hal_probe_state){.program = HAL_PROBE_LEVELS, .see = see_levels});
        break;
    default:
        break;
    }
    return true;
}

/* The class of a triangle by its pixels: 1 the smallest .. 6. */
static uint32_t size_class(const struct hal_observed_primitive *observed)
{
    struct hal_inspect_primitive primitive;
    const float *p[3];
    uint32_t size = 1;
    float area;

    hal_inspect_primitive(observed, &primitive);
    if (primitive.corners < 3)
        return 1;
    if (primitive.any & (HAL_OUT_CLIP | HAL_OUT_BAD))
        return 6;
    for (unsigned c = 0; c < 3; c++)
        p[c] = primitive.corner[c].window;
    area = fabsf((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0])) / 2;
    while (size < 6 && area > (float)(1u << (2 * (size - 1))))
        size++;
    return size;
}

/* The program decides alone. */
#define TEST_NOTHING \
    (HAL_PROBE_TESTS_LATE | HAL_PROBE_NO_DEPTH | HAL_PROBE_NO_BOUNDS | HAL_PROBE_NO_STENCIL | HAL_PROBE_NO_ALPHA_TEST)

/* Draws each primitive once with every pixel that it touches, then with the draw's own coverage. */
static void set_touched(struct overlay *o, unsigned times)
{
    struct hal_probe_state state = {
        .changes = TEST_NOTHING,
        .program = HAL_PROBE_COVERAGE,
        .see = see_covered,
        .number = times ? INSPECT_MARK_COVERED : INSPECT_MARK_OTHER,
    };

    if (o->show == INSPECT_SHOW_WIREFRAME)
        state.changes |= HAL_PROBE_EDGES | (times ? 0 : HAL_PROBE_NO_CULLING);
    else
        state.changes |= times ? HAL_PROBE_CENTER_PIXELS : HAL_PROBE_TOUCHED_PIXELS;
    set_state(o, state);
}

static bool overlay_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct overlay *o = user;

    if (!o->is_on)
        return times == 0;
    if (o->show == INSPECT_SHOW_SIZE) {
        if (times == 0)
            set_state(o, (struct hal_probe_state){
                             .program = HAL_PROBE_WATCHED, .see = see_size, .number = size_class(primitive)});
        return times == 0;
    }
    if (times < 2)
        set_touched(o, times);
    return times < 2;
}

static void overlay_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

static void overlay_drawn(void *user, struct hal_context *context)
{
    struct overlay *o = user;

    (void)context;
    hal_probe_end(o->probe, false);
}

/* --- playing ------------------------------------------------------------------------------------- */

static bool play_actions(struct inspect *session, const struct hal_observer *observer, size_t first, size_t last,
                         struct capture_error *error)
{
    bool done = inspect_seek(session, first, error);

    inspect_observe(session, observer);
    for (size_t i = first; done && i <= last; i++)
        done = inspect_step(session, NULL, error);
    inspect_flush(session, true);
    inspect_observe(session, NULL);
    session->spoiled = true;
    return done;
}

/* Plays the actions, with an observer whose user is the overlay. */
static bool play_over(struct inspect *session, struct overlay *o, const struct hal_observer *observer, size_t first,
                      size_t last, struct capture_error *error)
{
    bool done;

    o->probe = hal_probe_create();
    if (!o->probe)
        return inspect_no_memory(error);
    done = play_actions(session, observer, first, last, error);
    hal_probe_destroy(o->probe);
    return done && (!o->failed || inspect_no_memory(error));
}

bool inspect_overlay(struct inspect *session, enum inspect_show show, uint32_t target, size_t first, size_t last,
                     struct inspect_marks *marks, struct capture_error *error)
{
    struct overlay o = {.show = show, .target = target, .marks = marks};
    const bool by_primitives =
        show == INSPECT_SHOW_SIZE || show == INSPECT_SHOW_COVERAGE || show == INSPECT_SHOW_WIREFRAME;
    const struct hal_observer observer = {
        .user = &o,
        .draw = overlay_draw,
        .vertices = overlay_vertices,
        .primitive = by_primitives ? overlay_primitive : NULL,
        .drawn = overlay_drawn,
    };

    return play_over(session, &o, &observer, first, last, error);
}

static bool solid_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct overlay *o = user;

    (void)draw;
    (void)primitives;
    hal_probe_begin(o->probe, context, HAL_PROBE_FLUSH_COLORS);
    set_state(o, (struct hal_probe_state){
                     .changes = HAL_PROBE_NO_BLENDING | HAL_PROBE_ALL_CHANNELS,
                     .program = o->white ? HAL_PROBE_WHITE : HAL_PROBE_BLACK,
                 });
    return true;
}

bool inspect_draw_solid(struct inspect *session, size_t action, bool white, struct capture_error *error)
{
    struct overlay o = {.white = white};
    const struct hal_observer observer = {
        .user = &o,
        .draw = solid_draw,
        .vertices = overlay_vertices,
        .drawn = overlay_drawn,
    };

    return play_over(session, &o, &observer, action, action, error);
}
