/* SPDX-License-Identifier: MIT */
/* Times a frame undisturbed, and its actions one by one. */
#include "inspect/profile/profile.h"

#include "base/base.h"
#include "ddi/root.h"
#include "dp2/names.h"
#include "inspect/describe.h"
#include "inspect/internal.h"
#include "inspect/profile/split.h"

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
    const struct hal_context *context;
    double clock, busy; /* at the last change from one part of the draw to another */
    uint64_t primitives, pixels;
    struct hal_inspect_steps vertex, pixel; /* of the programs of the draw at hand */
};

static double now_of(const struct inspect_profile_options *options)
{
    return options->clock ? options->clock(options->user) : clock_seconds();
}

/* Adds the time since the last change to a part. */
static void add_time_to(struct timing *t, double *part)
{
    const double now = now_of(t->options), busy = hal_inspect_work(t->context).busy;

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

static void append_blend(char text[INSPECT_TEXT], const struct hal_inspect_pixels *state)
{
    const char *source = dp2_value_name(DP2_KIND_BLEND, state->blend_source);
    const char *destination = dp2_value_name(DP2_KIND_BLEND, state->blend_destination);

    append(text, ", blend %s %s", source ? source : "?", destination ? destination : "?");
}

/* Describes the states that make pixels cheap or expensive. */
static void describe_state(const struct hal_inspect_pixels *state, char text[INSPECT_TEXT])
{
    const char *compare = dp2_value_name(DP2_KIND_COMPARE, state->depth_func);
    const char *alpha = dp2_value_name(DP2_KIND_COMPARE, state->alpha_func);
    const unsigned textures = (unsigned)__builtin_popcount(state->samplers);

    text[0] = 0;
    append(text, "%u texture%s", textures, textures == 1 ? "" : "s");
    if (state->depth.is_bound && state->depth_test)
        append(text, ", z %s%s", compare ? compare : "?", state->depth_write ? " write" : "");
    else
        append(text, ", no z");
    if (state->stencil.enable)
        append(text, ", stencil");
    if (state->alpha_test)
        append(text, ", alpha %s", alpha ? alpha : "?");
    if (state->may_kill)
        append(text, ", kill");
    if (state->blend)
        append_blend(text, state);
    if (state->fog)
        append(text, ", fog");
    if (state->color[0].samples > 1)
        append(text, ", %u samples", state->color[0].samples);
    if (!state->is_solid)
        append(text, ", no solid fill");
}

/* --- machine code ---------------------------------------------------------------------------------- */

static void add_steps(struct inspect_profile_row *row, struct hal_inspect_steps steps, uint64_t times)
{
    row->steps += steps.all * times;
    row->generated_steps += steps.generated * times;
}

/* --- the observer of actions --------------------------------------------------------------------- */

static void describe_draw(struct inspect_profile_row *row, const struct hal_context *context,
                          const struct hal_draw *draw)
{
    struct hal_inspect_draw described;
    struct hal_inspect_pixels pixels;

    hal_inspect_draw(context, draw, &described);
    hal_inspect_pixels(context, &pixels);
    row->vertex_shader = described.vertex_shader;
    row->pixel_shader = described.pixel_shader;
    describe_state(&pixels, row->state);
}

static bool timing_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct timing *t = user;

    (void)primitives;
    t->context = context;
    if (!t->row->parts++)
        describe_draw(t->row, context, draw);
    t->primitives = hal_inspect_work(context).primitives;
    t->vertex = hal_inspect_vertex_steps(context);
    t->pixel = hal_inspect_pixel_steps(context);
    add_time_to(t, NULL);
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
    add_time_to(t, begins ? &t->run->vertices : &t->run->setup);
}

static void timing_drawn(void *user, struct hal_context *context)
{
    struct timing *t = user;

    add_time_to(t, &t->run->vertices);
    t->row->primitives += hal_inspect_work(context).primitives - t->primitives;
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
    const uint64_t pixels = hal_inspect_work_of_all(p->driver).fragments;

    row->parts = 0;
    row->vertices = row->primitives = row->steps = row->generated_steps = 0;
    timing->pixel = (struct hal_inspect_steps){.all = 0};
    if (!inspect_approach(p->session, note_event_before, &approach, error))
        return false;
    const double busy = hal_inspect_work_of_all(p->driver).busy, start = now_of(p->options) - approach.calls;

    if (!inspect_step(p->session, &row->refused, error))
        return false;
    inspect_flush(p->session, false);
    timing->run->total = now_of(p->options) - start;
    timing->run->tiles = BASE_MIN(hal_inspect_work_of_all(p->driver).busy - busy, timing->run->total);
    row->pixels = hal_inspect_work_of_all(p->driver).fragments - pixels;
    add_steps(row, timing->pixel, row->pixels);
    return true;
}

static void note_target(struct profiling *p, struct inspect_profile_row *row)
{
    const struct hal_context *context = inspect_context(p->session, row->action.context);
    struct hal_inspect_bound bound = {.depth = NULL};

    if (context)
        hal_inspect_bound(context, &bound);
    row->target = inspect_surface_id(bound.color[0]);
}

/* Goes to the first action of the frame, with everything before it done. */
static bool go_to_first_action(struct profiling *p, struct capture_error *error)
{
    if (!inspect_restart(p->session, error) || (p->profile->count && !inspect_approach(p->session, NULL, NULL, error)))
        return false;
    inspect_flush(p->session, true);
    hal_inspect_finish(p->driver);
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
    bool done = go_to_first_action(p, error);

    inspect_observe(p->session, &observer);
    for (size_t i = 0; done && i < p->profile->count; i++) {
        timing.row = &p->profile->rows[i];
        timing.run = &p->runs[i * p->options->loops + loop];
        if (loop == 0 && timing.row->action.kind != INSPECT_DRAW &&
            !inspect_describe(p->session, &p->session->index.pieces[i], timing.row->text))
            done = inspect_no_memory(error);
        done = done && time_action(p, &timing, error);
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
    hal_inspect_watch(p->driver, &s.spans->watch);
    done = go_to_first_action(p, error);
    inspect_spans_clear(s.spans);
    inspect_observe(p->session, &observer);
    const double start = s.event = clock_seconds();

    done = done && inspect_play_whole(p->session, span_event, &s, error);
    inspect_observe(p->session, NULL);
    const double end = clock_seconds();

    hal_inspect_finish(p->driver);
    inspect_spans_add(s.spans, INSPECT_SPAN_FLUSH, 0, 0, end, clock_seconds());
    inspect_spans_add(s.spans, INSPECT_SPAN_FRAME, inspect_frame(p->session), 0, start, clock_seconds());
    hal_inspect_watch(p->driver, NULL);
    return done;
}

/* before: what the driver had counted when the frame began. */
static void note_counts(struct profiling *p, const struct hal_inspect_counts *before)
{
    struct hal_inspect_counts now;

    hal_inspect_counts(p->driver, &now);
    p->profile->code = (struct inspect_profile_code){
        .programs = now.programs,
        .bytes = now.code_bytes,
        .made = (uint32_t)(now.made - before->made),
        .seconds = now.seconds - before->seconds,
    };
    for (unsigned why = 0; why < HAL_FLUSH_COUNT; why++)
        p->profile->scenes[why] = now.scenes[why] - before->scenes[why];
}

static bool time_frame(struct profiling *p, double *seconds, struct capture_error *error)
{
    struct hal_inspect_counts counts;

    if (!go_to_first_action(p, error))
        return false;
    hal_inspect_counts(p->driver, &counts);
    const double start = now_of(p->options);

    if (!inspect_play_whole(p->session, NULL, NULL, error))
        return false;
    hal_inspect_finish(p->driver);
    *seconds = now_of(p->options) - start;
    note_counts(p, &counts);
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

static void report_progress(const struct profiling *p, double done)
{
    const double passes = 2.0 * p->options->loops + SPLIT_PASSES;

    if (p->options->progress)
        p->options->progress(p->options->user, done / passes);
}

static void split_progress(void *user, double share)
{
    struct profiling *p = user;

    report_progress(p, p->options->loops + SPLIT_PASSES * share);
}

static bool profile_actions(struct profiling *p, struct inspect_split *splits, struct capture_error *error)
{
    for (unsigned i = 0; i < p->options->loops; i++) {
        if (!time_actions(p, i, error))
            return false;
        report_progress(p, i + 1.0);
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
        report_progress(p, loops + SPLIT_PASSES + i + 1.0);
    }
    qsort(seconds, loops, sizeof(*seconds), by_size);
    p->profile->frame = (struct inspect_spread){seconds[0], seconds[loops / 2], seconds[loops - 1]};
    return !p->options->spans || record_spans(p, error);
}

static bool allocate_rows(struct profiling *p)
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
    struct profiling p = {.session = session, .options = options, .profile = profile, .driver = ddi_driver()};
    const unsigned threads = hal_inspect_threads(p.driver);
    struct inspect_split *splits = NULL;
    double *seconds = NULL;
    bool done;

    *profile = (struct inspect_profile){.threads = threads};
    done = allocate_rows(&p);
    splits = done ? mem_calloc(profile->count + 1, sizeof(*splits)) : NULL;
    seconds = mem_calloc(options->loops, sizeof(*seconds));
    if (!splits || !seconds)
        done = inspect_no_memory(error);
    hal_inspect_set_threads(p.driver,
                            1); /* of contexts that are made from now on: all, since each run makes new ones */
    done = done && profile_actions(&p, splits, error);
    hal_inspect_set_threads(p.driver, threads);
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
