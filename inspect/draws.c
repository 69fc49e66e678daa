/* SPDX-License-Identifier: MIT */
/*
 * Counts what each draw of a frame does. Fragments are counted by a pixel program that calls the draw's own and
 * compares the mask before and after. Depth is tested after the program, so that it gets all covered fragments; the
 * order does not change the result.
 */
#include "inspect/draws.h"

#include "base/base.h"
#include "d3d/primitives.h"
#include "inspect/describe.h"
#include "inspect/internal.h"
#include "inspect/pixel/near.h"

#include <stdlib.h>
#include <string.h>

uint32_t inspect_surface_id(const struct hal_resource *surface)
{
    const struct player_surface *owner = surface ? hal_inspect_owner(surface) : NULL;

    return owner ? owner->id : 0;
}

/* --- counting ------------------------------------------------------------------------------------ */

struct counting {
    struct inspect_draw *row;
    struct hal_probe *probe;
    bool writes; /* the draw writes what passes */
    bool failed; /* out of memory */
    /* by threads that draw tiles */
    _Atomic uint64_t tested, killed;
};

static void count_fragments(void *user, uint32_t number, const struct hal_probe_batch *batch)
{
    struct counting *c = user;

    (void)number;
    c->tested += (unsigned)__builtin_popcountll(batch->covered);
    c->killed += (unsigned)__builtin_popcountll(batch->covered & ~batch->alive);
}

static bool writes_something(const struct hal_inspect_pixels *state)
{
    const bool stencil = state->stencil.enable && state->stencil.write_mask;

    if (state->depth.is_bound && ((state->depth_test && state->depth_write) || stencil))
        return true;
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        if (state->color[t].is_bound && state->color_write_mask[t] & hal_inspect_channels(state->color[t].format))
            return true;
    return false;
}

static void note_textures(struct inspect_draw *row, const struct hal_inspect_pixels *state)
{
    row->texture_count = 0;
    for (unsigned s = 0; s < HAL_INSPECT_SAMPLERS; s++) {
        if (!(state->samplers >> s & 1))
            continue;
        row->texture[row->texture_count].sampler = s;
        row->texture[row->texture_count++].surface = inspect_surface_id(state->texture[s]);
    }
}

static void note_targets(struct inspect_draw *row, const struct hal_context *context)
{
    struct hal_inspect_bound bound;

    hal_inspect_bound(context, &bound);
    for (unsigned t = 0; t < HAL_INSPECT_TARGETS; t++)
        row->target[t] = inspect_surface_id(bound.color[t]);
    row->depth = inspect_surface_id(bound.depth);
}

static bool counting_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct counting *c = user;
    struct inspect_draw *row = c->row;
    const struct hal_probe_state state = {
        .changes = HAL_PROBE_TESTS_LATE, .program = HAL_PROBE_WATCHED, .see = count_fragments, .user = c};
    struct hal_inspect_draw described;
    struct hal_inspect_pixels pixels;

    hal_inspect_draw(context, draw, &described);
    hal_inspect_pixels(context, &pixels);
    note_textures(row, &pixels);
    row->vertex_shader = described.vertex_shader;
    row->pixel_shader = described.pixel_shader;
    row->counts.parts++;
    inspect_note_lacks(&row->lacks, &described);
    row->counts.named += d3d_vertices_of(described.type, primitives);
    c->writes = writes_something(&pixels);
    c->tested = c->killed = 0;
    hal_probe_begin(c->probe, context, HAL_PROBE_FLUSH_COLORS);
    c->failed |= !hal_probe_set(c->probe, &state);
    return true;
}

static void counting_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    inspect_note_skip(&((struct counting *)user)->row->lacks, context, draw, why);
}

static void counting_tessellates(void *user, struct hal_context *context, const struct hal_draw *draw, uint64_t points)
{
    inspect_note_tessellated(&((struct counting *)user)->row->lacks, context, draw, points);
}

static void counting_vertices(void *user, uint32_t count)
{
    ((struct counting *)user)->row->counts.processed += count;
}

static bool counting_primitive(void *user, const struct hal_observed_primitive *observed, unsigned times)
{
    struct inspect_counts *counts = &((struct counting *)user)->row->counts;
    struct hal_inspect_primitive primitive;
    unsigned planes;

    if (times)
        return false;
    counts->primitives++;
    hal_inspect_primitive(observed, &primitive);
    switch (inspect_fate(&primitive, &planes)) {
    case INSPECT_OUTSIDE:
    case INSPECT_MISSING:
        counts->rejected++;
        break;
    case INSPECT_NO_AREA:
        counts->no_area++;
        break;
    case INSPECT_CLIPPED:
        counts->clipped++;
        break;
    case INSPECT_CULLED:
        counts->culled++;
        break;
    default:
        break;
    }
    return true;
}

static void counting_drawn(void *user, struct hal_context *context)
{
    struct counting *c = user;
    struct inspect_counts *counts = &c->row->counts;

    (void)context;
    hal_probe_end(c->probe, false);
    counts->tested += c->tested;
    counts->killed += c->killed;
    counts->passed += hal_probe_passed(c->probe);
    counts->written += c->writes ? hal_probe_passed(c->probe) : 0;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static void fill_in_targets(struct inspect *session, struct inspect_draw *row)
{
    struct hal_context *context = inspect_context(session, row->action.context);

    if (context)
        note_targets(row, context);
}

/* Plays the frame once, by the clock. */
static bool take_times(struct inspect *session, double *seconds, struct capture_error *error)
{
    const size_t count = session->index.count;

    if (!inspect_seek(session, 0, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double start = clock_seconds();

        if (!inspect_step(session, NULL, error))
            return false;
        inspect_flush(session, false);
        seconds[i] = clock_seconds() - start;
    }
    return true;
}

static bool count_action(struct inspect *session, struct counting *counting, struct capture_error *error)
{
    struct inspect_draw *row = counting->row;
    const struct hal_observer observer = {
        .user = counting,
        .draw = counting_draw,
        .skipped = counting_skipped,
        .tessellates = counting_tessellates,
        .vertices = counting_vertices,
        .primitive = counting_primitive,
        .drawn = counting_drawn,
    };
    bool done;

    if (row->action.kind != INSPECT_DRAW) {
        if (!inspect_describe(session, &session->index.pieces[row->place.draw], row->text))
            return inspect_no_memory(error);
        done = inspect_step(session, &row->refused, error);
    } else {
        inspect_observe(session, &observer);
        done = inspect_step(session, &row->refused, error);
        inspect_observe(session, NULL);
    }
    fill_in_targets(session, row);
    return done && (!counting->failed || inspect_no_memory(error));
}

bool inspect_draws(struct inspect *session, bool (*row)(void *user, const struct inspect_draw *draw), void *user,
                   struct capture_error *error)
{
    const size_t count = session->index.count;
    double *seconds = mem_calloc(count + 1, sizeof(*seconds));
    struct inspect_draw *draw = mem_calloc(1, sizeof(*draw));
    struct hal_probe *probe = hal_probe_create();
    bool done = seconds && draw && probe;

    if (!done)
        inspect_no_memory(error);
    done = done && take_times(session, seconds, error) && inspect_seek(session, 0, error);
    for (size_t i = 0; done && i < count; i++) {
        struct counting counting = {.row = draw, .probe = probe};

        *draw = (struct inspect_draw){
            .place = {session->frame, (uint32_t)i},
            .action = session->index.pieces[i].action,
            .seconds = seconds[i],
        };
        done = count_action(session, &counting, error);
        if (done && !row(user, draw))
            break;
    }
    hal_probe_destroy(probe);
    free(seconds);
    free(draw);
    return done;
}
