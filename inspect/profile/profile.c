/* SPDX-License-Identifier: MIT */
/* Times a frame undisturbed, and its actions one by one. */
#include "inspect/profile/profile.h"

#include "base/base.h"
#include "ddi/entry.h"
#include "dp2/names.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/surface.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "inspect/describe.h"
#include "inspect/internal.h"
#include "inspect/profile/split.h"
#include "raster/frontend.h"
#include "shader/shader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPLIT_RUNS 3 /* of each draw with and without its program */

const char *inspect_phase_name(enum inspect_phase phase)
{
#define PHASE_NAME(NUMBER, name, help) name,
    static const char *const names[INSPECT_PHASE_COUNT] = {INSPECT_PHASES(PHASE_NAME)};

    return names[phase];
}

/* --- the clock of an action ---------------------------------------------------------------------- */

/* Seconds of a run of an action. The rasterizer draws tiles at any time, so their time is subtracted from the part
 * in which they were drawn. */
struct run {
    double total, vertices, setup, tiles;
};

struct timing {
    const struct inspect_profile_options *options;
    struct run *run; /* of the action at hand */
    struct inspect_profile_row *row;
    struct raster *raster;
    double clock, busy; /* at the last change from one part of the draw to another */
    uint64_t primitives, pixels;
    struct shader_steps vertex, pixel; /* of the programs of the draw at hand */
};

static double now_of(const struct inspect_profile_options *options)
{
    return options->clock ? options->clock(options->user) : clock_seconds();
}

static double busy_of(const struct hal_driver *driver)
{
    double busy = 0;

    for (const struct hal_context *context = driver->contexts; context; context = context->next)
        busy += context->raster->statistics.busy;
    return busy;
}

static uint64_t primitives_of(const struct raster *raster)
{
    return raster->statistics.triangles + raster->statistics.lines + raster->statistics.points;
}

/* The time since the last change goes to a part. */
static void lap(struct timing *t, double *part)
{
    const double now = now_of(t->options), busy = t->raster->statistics.busy;

    if (part)
        *part += BASE_MAX(0.0, now - t->clock - (busy - t->busy));
    t->clock = now;
    t->busy = busy;
}

/* --- what a draw is drawn with ------------------------------------------------------------------- */

/* Appends to the list in `text`. */
static void __attribute__((format(gnu_printf, 2, 3))) append(char text[INSPECT_TEXT], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + used, INSPECT_TEXT - used, format, args);
    va_end(args);
}

static void append_blend(char text[INSPECT_TEXT], const struct raster_blend *blend)
{
    const char *source = dp2_value_name(DP2_KIND_BLEND, blend->src_color + 1u);
    const char *destination = dp2_value_name(DP2_KIND_BLEND, blend->dst_color + 1u);

    append(text, ", blend %s %s", source ? source : "?", destination ? destination : "?");
}

/* Describes the states that make pixels cheap or expensive. */
static void describe_state(const struct hal_context *context, char text[INSPECT_TEXT])
{
    const struct raster_draw_state *state = &context->raster->state;
    const struct raster_targets *targets = &context->raster->targets;
    const struct shader_binding *binding = state->program;
    const char *compare = dp2_value_name(DP2_KIND_COMPARE, state->depth_func + 1u);
    const char *alpha = dp2_value_name(DP2_KIND_COMPARE, state->alpha_func + 1u);
    const unsigned textures = binding ? (unsigned)__builtin_popcount(binding->program->samplers) : 0;

    text[0] = 0;
    append(text, "%u texture%s", textures, textures == 1 ? "" : "s");
    if (targets->depth.pixels && state->depth_test)
        append(text, ", z %s%s", compare ? compare : "?", state->depth_write ? " write" : "");
    else
        append(text, ", no z");
    if (state->stencil.enable)
        append(text, ", stencil");
    if (state->alpha_test)
        append(text, ", alpha %s", alpha ? alpha : "?");
    if (state->program_kills)
        append(text, ", kill");
    if (state->blend.enable)
        append_blend(text, &state->blend);
    if (state->fog_mode != RASTER_FOG_OFF)
        append(text, ", fog");
    if (targets->color[0].samples > 1)
        append(text, ", %u samples", targets->color[0].samples);
    if (state->rasterizer.fill_front != RASTER_FILL_SOLID || state->rasterizer.fill_back != RASTER_FILL_SOLID)
        append(text, ", no solid fill");
}

/* --- machine code ---------------------------------------------------------------------------------- */

static struct shader_steps steps_of(const struct shader_binding *binding)
{
    return binding ? shader_count_steps(binding->program) : (struct shader_steps){.all = 0};
}

static void add_steps(struct inspect_profile_row *row, struct shader_steps steps, uint64_t times)
{
    row->steps += steps.all * times;
    row->generated_steps += steps.generated * times;
}

/* --- the observer of actions --------------------------------------------------------------------- */

static bool timing_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct timing *t = user;

    (void)primitives;
    t->raster = context->raster;
    if (!t->row->parts++) {
        t->row->vertex_shader =
            draw->program ? context->is_declaration ? context->vertex_function : context->vertex_shader : 0;
        t->row->pixel_shader = context->pixel_shader;
        describe_state(context, t->row->state);
    }
    t->primitives = primitives_of(t->raster);
    t->vertex = steps_of(context->front->vertex_stage.binding);
    t->pixel = steps_of(context->raster->state.program);
    lap(t, NULL);
    return true;
}

static void timing_vertices(void *user, uint32_t count)
{
    struct timing *t = user;

    t->row->vertices += count;
    add_steps(t->row, t->vertex, count);
}

static void timing_assembly(void *user, struct hal_context *context, bool begins)
{
    struct timing *t = user;

    (void)context;
    lap(t, begins ? &t->run->vertices : &t->run->setup);
}

static void timing_drawn(void *user, struct hal_context *context)
{
    struct timing *t = user;

    (void)context;
    lap(t, &t->run->vertices);
    t->row->primitives += primitives_of(t->raster) - t->primitives;
}

/* --- actions ------------------------------------------------------------------------------------- */

struct profiling {
    struct inspect *session;
    const struct inspect_profile_options *options;
    struct inspect_profile *profile;
    struct hal_driver *driver;
    struct run *runs; /* of all actions: loops runs of the first, then of the second ... */
    double done;      /* passes */
};

static uint64_t pixels_of(const struct hal_driver *driver)
{
    uint64_t pixels = 0;

    for (const struct hal_context *context = driver->contexts; context; context = context->next)
        pixels += context->raster->statistics.fragments;
    return pixels;
}

/* Among the events before that of an action, only calls count. */
struct approach {
    const struct inspect_profile_options *options;
    double clock; /* after the previous event */
    double calls; /* that they took */
};

static void note_event_before(void *user, const struct capture_event *event)
{
    struct approach *approach = user;
    const double now = now_of(approach->options);

    if (event->type == CAPTURE_DRAW)
        approach->calls += now - approach->clock;
    approach->clock = now;
}

/* Carries out the action and flushes it. */
static bool time_action(struct profiling *p, struct timing *timing, struct capture_error *error)
{
    struct inspect_profile_row *row = timing->row;
    struct approach approach = {.options = p->options, .clock = now_of(p->options)};
    const uint64_t pixels = pixels_of(p->driver);

    row->parts = 0;
    row->vertices = row->primitives = row->steps = row->generated_steps = 0;
    timing->pixel = (struct shader_steps){.all = 0};
    if (!inspect_approach(p->session, note_event_before, &approach, error))
        return false;
    const double busy = busy_of(p->driver), start = now_of(p->options) - approach.calls;

    if (!inspect_step(p->session, &row->refused, error))
        return false;
    inspect_flush(p->session, false);
    timing->run->total = now_of(p->options) - start;
    timing->run->tiles = BASE_MIN(busy_of(p->driver) - busy, timing->run->total);
    row->pixels = pixels_of(p->driver) - pixels;
    add_steps(row, timing->pixel, row->pixels);
    return true;
}

static void note_target(struct profiling *p, struct inspect_profile_row *row)
{
    const struct hal_context *context = inspect_context(p->session, row->action.context);

    row->target = context ? inspect_surface_id(context->target) : 0;
}

/* All has been drawn and presented. */
static void finish(struct profiling *p)
{
    inspect_flush(p->session, false);
    for (struct hal_surface *surface = p->driver->surfaces; surface; surface = surface->next)
        hal_present_wait(surface);
}

/* Goes to the first action of the frame, with everything before it done. */
static bool begin(struct profiling *p, struct capture_error *error)
{
    if (!inspect_restart(p->session, error) || (p->profile->count && !inspect_approach(p->session, NULL, NULL, error)))
        return false;
    inspect_flush(p->session, true);
    finish(p);
    return true;
}

/* All actions once. */
static bool time_actions(struct profiling *p, unsigned loop, struct capture_error *error)
{
    struct timing timing = {.options = p->options};
    const struct hal_observer observer = {
        .user = &timing,
        .draw = timing_draw,
        .vertices = timing_vertices,
        .assembly = timing_assembly,
        .drawn = timing_drawn,
    };
    bool done = begin(p, error);

    inspect_observe(p->session, &observer);
    for (size_t i = 0; done && i < p->profile->count; i++) {
        timing.row = &p->profile->rows[i];
        timing.run = &p->runs[i * p->options->loops + loop];
        if (loop == 0 && timing.row->action.kind != INSPECT_DRAW)
            inspect_describe(p->session, &p->session->index.pieces[i], timing.row->text);
        done = time_action(p, &timing, error);
        if (loop == 0)
            note_target(p, timing.row);
    }
    inspect_observe(p->session, NULL);
    p->session->spoiled = true;
    return done;
}

static int by_total(const void *a, const void *b)
{
    const double x = ((const struct run *)a)->total, y = ((const struct run *)b)->total;

    return (x > y) - (x < y);
}

static void fill_phases(struct inspect_profile_row *row, const struct run *run, const struct inspect_split *split)
{
    const double tiles = run->tiles, rest = run->total - tiles;

    if (row->action.kind == INSPECT_CLEAR) {
        row->phase[INSPECT_PHASE_CLEARS] = run->total;
    } else if (row->action.kind != INSPECT_DRAW) {
        row->phase[INSPECT_PHASE_COPIES] = run->total;
    } else {
        row->phase[INSPECT_PHASE_VERTICES] = BASE_MIN(run->vertices, rest);
        row->phase[INSPECT_PHASE_SETUP] = BASE_MIN(run->setup, rest - row->phase[INSPECT_PHASE_VERTICES]);
        row->phase[INSPECT_PHASE_STATES] = rest - row->phase[INSPECT_PHASE_VERTICES] - row->phase[INSPECT_PHASE_SETUP];
        row->phase[INSPECT_PHASE_PIXELS] = tiles * split->pixels;
        row->phase[INSPECT_PHASE_PROGRAM] = tiles * split->program;
        row->phase[INSPECT_PHASE_SAMPLING] = tiles * split->sampling;
    }
}

static void fill_rows(struct profiling *p, const struct inspect_split *splits)
{
    const unsigned loops = p->options->loops;

    for (size_t i = 0; i < p->profile->count; i++) {
        struct inspect_profile_row *row = &p->profile->rows[i];
        struct run *runs = &p->runs[i * loops];

        qsort(runs, loops, sizeof(*runs), by_total);
        row->seconds = (struct inspect_spread){runs[0].total, runs[loops / 2].total, runs[loops - 1].total};
        fill_phases(row, &runs[loops / 2], &splits[i]);
        p->profile->actions += row->seconds.median;
    }
}

/* --- the whole frame ----------------------------------------------------------------------------- */

/* The work of the front end, as spans. */
struct spanning {
    struct profiling *p;
    struct inspect_spans *spans;
    double event, draw; /* when it began */
    size_t row;         /* of the draw at hand, and its part */
    unsigned part;
};

static bool span_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    (void)context;
    (void)draw;
    (void)primitives;
    ((struct spanning *)user)->draw = clock_seconds();
    return true;
}

/* Draws come in the order of the actions, each with as many parts as when it was drawn by itself. */
static void span_drawn(void *user, struct hal_context *context)
{
    struct spanning *s = user;
    const struct inspect_profile *profile = s->p->profile;

    (void)context;
    while (s->row < profile->count && s->part >= profile->rows[s->row].parts) {
        s->row++;
        s->part = 0;
    }
    inspect_spans_add(s->spans, INSPECT_SPAN_DRAW, s->row < profile->count ? (uint32_t)s->row : UINT32_MAX, 0, s->draw,
                      clock_seconds());
    s->part++;
}

static void span_event(void *user, const struct capture_event *event)
{
    struct spanning *s = user;
    const double now = clock_seconds();

    inspect_spans_add(s->spans, INSPECT_SPAN_EVENT, event->type, 0, s->event, now);
    s->event = now;
}

static bool record_spans(struct profiling *p, struct capture_error *error)
{
    struct spanning s = {.p = p, .spans = p->options->spans};
    const struct hal_observer observer = {.user = &s, .draw = span_draw, .drawn = span_drawn};
    bool done;

    inspect_spans_clear(s.spans);
    p->driver->watch = &s.spans->watch;
    done = begin(p, error);
    inspect_spans_clear(s.spans);
    inspect_observe(p->session, &observer);
    const double start = s.event = clock_seconds();

    done = done && inspect_play_whole(p->session, span_event, &s, error);
    inspect_observe(p->session, NULL);
    const double end = clock_seconds();

    finish(p);
    inspect_spans_add(s.spans, INSPECT_SPAN_FLUSH, 0, 0, end, clock_seconds());
    inspect_spans_add(s.spans, INSPECT_SPAN_FRAME, inspect_frame(p->session), 0, start, clock_seconds());
    p->driver->watch = NULL;
    for (struct hal_context *context = p->driver->contexts; context; context = context->next)
        raster_watch(context->raster, NULL);
    return done;
}

static void note_code(struct profiling *p, const struct shader_jit_counts *before)
{
    struct shader_jit_counts now;

    shader_jit_get_counts(p->driver->jit, &now);
    p->profile->code = (struct inspect_profile_code){
        .programs = now.programs,
        .bytes = now.bytes,
        .made = (uint32_t)(now.made - before->made),
        .seconds = now.seconds - before->seconds,
    };
}

/* before: what the driver had counted when the frame began. */
static void note_scenes(struct profiling *p, const uint64_t before[HAL_FLUSH_COUNT])
{
    for (unsigned why = 0; why < HAL_FLUSH_COUNT; why++)
        p->profile->scenes[why] = p->driver->scenes_ended[why] - before[why];
}

static bool time_frame(struct profiling *p, double *seconds, struct capture_error *error)
{
    uint64_t scenes[HAL_FLUSH_COUNT];
    struct shader_jit_counts counts;

    if (!begin(p, error))
        return false;
    shader_jit_get_counts(p->driver->jit, &counts);
    memcpy(scenes, p->driver->scenes_ended, sizeof(scenes));
    const double start = now_of(p->options);

    if (!inspect_play_whole(p->session, NULL, NULL, error))
        return false;
    finish(p);
    *seconds = now_of(p->options) - start;
    note_code(p, &counts);
    note_scenes(p, scenes);
    p->session->spoiled = true;
    return true;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* --- all of it ----------------------------------------------------------------------------------- */

#define SPLIT_PASSES 4.0 /* passes over the frame that the split is worth */

static void tell(const struct profiling *p, double done)
{
    const double passes = 2.0 * p->options->loops + SPLIT_PASSES;

    if (p->options->progress)
        p->options->progress(p->options->user, done / passes);
}

static void split_progress(void *user, double share)
{
    struct profiling *p = user;

    tell(p, p->options->loops + SPLIT_PASSES * share);
}

static bool profile_actions(struct profiling *p, struct inspect_split *splits, struct capture_error *error)
{
    for (unsigned i = 0; i < p->options->loops; i++) {
        if (!time_actions(p, i, error))
            return false;
        tell(p, i + 1.0);
    }
    if (!inspect_split_tiles(p->session, SPLIT_RUNS, splits, split_progress, p, error))
        return false;
    fill_rows(p, splits);
    return true;
}

static bool profile_frame(struct profiling *p, double *seconds, struct capture_error *error)
{
    const unsigned loops = p->options->loops;

    for (unsigned i = 0; i < loops; i++) {
        if (!time_frame(p, &seconds[i], error))
            return false;
        tell(p, loops + SPLIT_PASSES + i + 1.0);
    }
    qsort(seconds, loops, sizeof(*seconds), by_size);
    p->profile->frame = (struct inspect_spread){seconds[0], seconds[loops / 2], seconds[loops - 1]};
    return !p->options->spans || record_spans(p, error);
}

static bool prepare(struct profiling *p)
{
    struct inspect_profile *profile = p->profile;
    const size_t count = inspect_action_count(p->session);

    profile->rows = mem_calloc(count + 1, sizeof(*profile->rows));
    p->runs = count < SIZE_MAX / p->options->loops ? mem_calloc(count * p->options->loops + 1, sizeof(*p->runs)) : NULL;
    if (!profile->rows || !p->runs)
        return false;
    profile->count = count;
    for (size_t i = 0; i < count; i++) {
        profile->rows[i].place = (struct inspect_place){inspect_frame(p->session), (uint32_t)i};
        profile->rows[i].action = *inspect_action(p->session, i);
    }
    return true;
}

bool inspect_profile(struct inspect *session, const struct inspect_profile_options *options,
                     struct inspect_profile *profile, struct capture_error *error)
{
    struct profiling p = {.session = session, .options = options, .profile = profile, .driver = ddi_root.driver};
    const unsigned threads = p.driver->threads;
    struct inspect_split *splits = NULL;
    double *seconds = NULL;
    bool done;

    *profile = (struct inspect_profile){.threads = threads};
    done = prepare(&p);
    splits = done ? mem_calloc(profile->count + 1, sizeof(*splits)) : NULL;
    seconds = mem_calloc(options->loops, sizeof(*seconds));
    if (!splits || !seconds)
        done = inspect_fail(error, "out of memory");
    p.driver->threads = 1; /* of contexts that are made from now on: all, since each run makes new ones */
    done = done && profile_actions(&p, splits, error);
    p.driver->threads = threads;
    done = done && profile_frame(&p, seconds, error);
    session->spoiled = true;
    free(p.runs);
    free(splits);
    free(seconds);
    if (!done)
        inspect_profile_free(profile);
    return done;
}

void inspect_profile_free(struct inspect_profile *profile)
{
    free(profile->rows);
    *profile = (struct inspect_profile){0};
}
