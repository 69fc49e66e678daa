/* SPDX-License-Identifier: MIT */
/*
 * Counts what each draw of a frame does. Fragments are counted by a pixel program that calls the draw's own and
 * compares the mask before and after. Depth is tested after the program, so that it gets all covered fragments; the
 * order does not change the result.
 */
#include "inspect/draws.h"

#include "base/base.h"
#include "d3d/primitives.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/handles.h"
#include "hal/resource/surface.h"
#include "hal/vertex/draw.h"
#include "inspect/describe.h"
#include "inspect/internal.h"
#include "inspect/pixel/near.h"
#include "raster/frontend.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

uint32_t inspect_surface_id(const struct hal_surface *surface)
{
    const struct player_surface *owner = surface ? (const void *)surface->lcl : NULL;

    return owner ? owner->id : 0;
}

uint8_t inspect_channels(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    uint8_t channels = 0;

    for (unsigned c = 0; c < 4; c++)
        channels |= info->bits[c] ? (uint8_t)(1u << c) : 0;
    return channels;
}

/* --- counting ------------------------------------------------------------------------------------ */

struct counting {
    struct inspect_draw *row;
    struct raster_draw_state state; /* of the draw */
    uint64_t fragments;             /* of the rasterizer, before it */
    /* by threads that draw tiles */
    _Atomic uint64_t tested, killed;
};

static void shade_counting(const void *program, struct raster_batch *batch)
{
    struct counting *c = (struct counting *)(uintptr_t)program;
    const uint64_t covered = batch->covered;

    c->state.shade(c->state.program, batch);
    c->tested += (unsigned)__builtin_popcountll(covered);
    c->killed += (unsigned)__builtin_popcountll(covered & ~batch->covered);
}

static bool writes_something(const struct raster_draw_state *state, const struct raster_targets *targets)
{
    const bool stencil = state->stencil.enable && state->stencil.write_mask;

    if (targets->depth.pixels && ((state->depth_test && state->depth_write) || stencil))
        return true;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
        if (targets->color[t].pixels && state->color_write_mask[t] & inspect_channels(targets->color[t].format))
            return true;
    return false;
}

static void note_textures(struct inspect_draw *row, const struct hal_context *context)
{
    const struct shader_binding *binding = context->raster->state.program;
    const uint32_t samplers = binding ? binding->program->samplers : 0;

    row->texture_count = 0;
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++) {
        const uint32_t handle = context->stage_state[s][0];

        if (!(samplers >> s & 1))
            continue;
        row->texture[row->texture_count].sampler = s;
        row->texture[row->texture_count++].surface =
            handle ? inspect_surface_id(hal_handles_get(context->handles, handle)) : 0;
    }
}

static void note_targets(struct inspect_draw *row, const struct hal_context *context)
{
    row->target[0] = inspect_surface_id(context->target);
    for (unsigned t = 1; t < RASTER_MAX_TARGETS; t++)
        row->target[t] = inspect_surface_id(context->more_targets[t - 1]);
    row->depth = inspect_surface_id(context->depth);
}

static bool counting_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct counting *c = user;
    struct inspect_draw *row = c->row;
    struct raster_draw_state state = context->raster->state;

    note_textures(row, context);
    row->vertex_shader =
        draw->program ? context->is_declaration ? context->vertex_function : context->vertex_shader : 0;
    row->pixel_shader = context->pixel_shader;
    row->counts.parts++;
    inspect_note_lacks(&row->lacks, context, draw);
    row->counts.named += d3d_vertices_of(draw->type, primitives);
    raster_flush_colors(context->raster);
    c->state = state;
    c->fragments = context->raster->statistics.fragments;
    c->tested = c->killed = 0;
    state.program = c;
    state.shade = shade_counting;
    state.shade_block = NULL;
    state.program_kills = true;   /* depth is tested after the program */
    state.program_records = true; /* and hierarchical Z skips none of its fragments */
    state.program_reads_inputs_alone = false;
    state.pass_through.copied = 0;
    raster_set_state(context->raster, &state);
    return true;
}

static void counting_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    inspect_note_skip(&((struct counting *)user)->row->lacks, context, draw, why);
}

static void counting_vertices(void *user, uint32_t count)
{
    ((struct counting *)user)->row->counts.processed += count;
}

static bool counting_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct inspect_counts *counts = &((struct counting *)user)->row->counts;
    unsigned planes;

    if (times)
        return false;
    counts->primitives++;
    switch (inspect_fate(primitive, &planes)) {
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
    const uint64_t budget = context->raster->budget;
    uint64_t passed;

    raster_flush_colors(context->raster);
    context->raster->budget = budget;
    passed = context->raster->statistics.fragments - c->fragments;
    counts->tested += c->tested;
    counts->killed += c->killed;
    counts->passed += passed;
    counts->written += writes_something(&c->state, &context->raster->targets) ? passed : 0;
    raster_set_state(context->raster, &c->state);
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
        .vertices = counting_vertices,
        .primitive = counting_primitive,
        .drawn = counting_drawn,
    };
    bool done;

    if (row->action.kind != INSPECT_DRAW) {
        inspect_describe(session, &session->index.pieces[row->place.draw], row->text);
        done = inspect_step(session, &row->refused, error);
    } else {
        inspect_observe(session, &observer);
        done = inspect_step(session, &row->refused, error);
        inspect_observe(session, NULL);
    }
    fill_in_targets(session, row);
    return done;
}

bool inspect_draws(struct inspect *session, bool (*row)(void *user, const struct inspect_draw *draw), void *user,
                   struct capture_error *error)
{
    const size_t count = session->index.count;
    double *seconds = calloc(count + 1, sizeof(*seconds));
    struct inspect_draw *draw = calloc(1, sizeof(*draw));
    bool done = seconds && draw;

    if (!done)
        inspect_fail(error, "out of memory");
    done = done && take_times(session, seconds, error) && inspect_seek(session, 0, error);
    for (size_t i = 0; done && i < count; i++) {
        struct counting counting = {.row = draw};

        *draw = (struct inspect_draw){
            .place = {session->frame, (uint32_t)i},
            .action = session->index.pieces[i].action,
            .seconds = seconds[i],
        };
        done = count_action(session, &counting, error);
        if (done && !row(user, draw))
            break;
    }
    free(seconds);
    free(draw);
    return done;
}
