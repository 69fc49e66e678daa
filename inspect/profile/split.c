/* SPDX-License-Identifier: MIT */
/*
 * Timers in programs would cost more than they measure. So a draw is timed with and without a part of its work, from
 * the same contents of its targets; the whole draw is timed the same way for comparison, since depth is written back in
 * between.
 */
#include "inspect/profile/split.h"

#include "base/base.h"
#include "ddi/root.h"
#include "inspect/internal.h"

#include <stdlib.h>
#include <string.h>

/* How a draw is drawn. */
enum variant { VARIANT_WHOLE, VARIANT_UNSAMPLED, VARIANT_UNSHADED, VARIANT_COUNT };

struct split {
    struct hal_probe *probe;
    bool shades;                 /* the draw has a program that does more than copy colours */
    unsigned runs, run;          /* run: of all variants in turn; runs * VARIANT_COUNT: the draw itself */
    double began;                /* busy before the run */
    double least[VARIANT_COUNT]; /* of the draw */
    double sum[VARIANT_COUNT];   /* of the action */
    bool failed;
};

/* --- draws ----------------------------------------------------------------------------------- */

static bool measures(const struct split *s)
{
    return s->shades && !s->failed && s->run < s->runs * VARIANT_COUNT;
}

static void begin_draw(struct split *s, struct hal_context *context)
{
    struct hal_inspect_pixels pixels;

    hal_inspect_pixels(context, &pixels);
    s->shades = pixels.shades;
    for (unsigned v = 0; v < VARIANT_COUNT; v++)
        s->least[v] = -1;
    hal_probe_begin(s->probe, context, measures(s) ? HAL_PROBE_FLUSH_ALL : HAL_PROBE_FLUSH_NOTHING);
    if (measures(s))
        s->failed |= !hal_probe_keep_targets(s->probe);
}

static void set_variant(struct split *s, enum variant variant)
{
    static const enum hal_probe_program programs[VARIANT_COUNT] = {
        [VARIANT_WHOLE] = HAL_PROBE_OWN,
        [VARIANT_UNSAMPLED] = HAL_PROBE_UNSAMPLED,
        [VARIANT_UNSHADED] = HAL_PROBE_UNSHADED,
    };

    s->failed |= !hal_probe_set(s->probe, &(struct hal_probe_state){.program = programs[variant]});
}

static bool split_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct split *s = user;

    (void)draw;
    (void)primitives;
    if (s->run == 0)
        begin_draw(s, context);
    hal_probe_repeat(s->probe); /* each run may cost what the draw may */
    if (measures(s))
        set_variant(s, s->run % VARIANT_COUNT);
    else
        hal_probe_set(s->probe, NULL);
    s->began = hal_inspect_work(context).busy;
    return true;
}

static void split_drawn(void *user, struct hal_context *context)
{
    struct split *s = user;
    const enum variant variant = s->run % VARIANT_COUNT;

    if (!measures(s))
        return;
    hal_probe_finish(s->probe);
    const double seconds = hal_inspect_work(context).busy - s->began;

    if (s->least[variant] < 0 || seconds < s->least[variant])
        s->least[variant] = seconds;
    hal_probe_restore_targets(s->probe);
}

static bool split_again(void *user, struct hal_context *context)
{
    struct split *s = user;

    (void)context;
    if (measures(s)) {
        s->run++;
        return true;
    }
    s->run = 0;
    for (unsigned v = 0; v < VARIANT_COUNT && s->least[v] >= 0; v++)
        s->sum[v] += s->least[v];
    return false;
}

/* The cost of a part is the time that the draw saves without it; noise may make it negative. */
static struct inspect_split shares(const double sum[VARIANT_COUNT])
{
    const double whole = sum[VARIANT_WHOLE];
    struct inspect_split split = {.pixels = 1};

    if (whole <= 0)
        return split;
    split.sampling = BASE_MAX(0.0, whole - sum[VARIANT_UNSAMPLED]) / whole;
    split.program = BASE_MAX(0.0, whole - sum[VARIANT_UNSHADED]) / whole - split.sampling;
    split.program = BASE_MAX(0.0, split.program);
    split.pixels = 1 - split.sampling - split.program;
    return split;
}

bool inspect_split_tiles(struct inspect *session, unsigned runs, struct inspect_split *splits,
                         void (*progress)(void *user, double share), void *user, struct capture_error *error)
{
    const size_t count = inspect_action_count(session);
    struct split *s = mem_calloc(1, sizeof(*s));
    const struct hal_observer observer = {
        .user = s,
        .draw = split_draw,
        .drawn = split_drawn,
        .again = split_again,
    };
    const unsigned threads = hal_inspect_threads(ddi_driver());
    bool done;

    if (s)
        s->probe = hal_probe_create();
    if (!s || !s->probe) {
        free(s);
        return inspect_no_memory(error);
    }
    /* for contexts made from now on: the time of tiles must not depend on other threads */
    hal_inspect_set_threads(ddi_driver(), 1);
    done = inspect_restart(session, error);
    inspect_observe(session, &observer);
    for (size_t i = 0; done && i < count; i++) {
        s->run = 0;
        s->runs = runs;
        memset(s->sum, 0, sizeof(s->sum));
        done = inspect_step(session, NULL, error);
        splits[i] = shares(s->sum);
        if (progress)
            progress(user, ((double)i + 1) / (double)count);
    }
    if (done && s->failed)
        done = inspect_no_memory(error);
    inspect_observe(session, NULL);
    hal_inspect_set_threads(ddi_driver(), threads);
    session->spoiled = true;
    hal_probe_destroy(s->probe);
    free(s);
    return done;
}
