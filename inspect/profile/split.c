/* SPDX-License-Identifier: MIT */
/*
 * Timers in programs would cost more than they measure. So a draw is timed with and without a part of its work, from
 * the same contents of its targets; the whole draw is timed the same way for comparison, since depth is written back in
 * between.
 */
#include "inspect/profile/split.h"

#include "base/base.h"
#include "ddi/entry.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "inspect/internal.h"
#include "raster/frontend.h"
#include "raster/narrow.h"
#include "raster/sample/sample.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

/* How a draw is drawn. */
enum variant { VARIANT_WHOLE, VARIANT_UNSAMPLED, VARIANT_UNSHADED, VARIANT_COUNT };

/* The memory of a target, with its rows as they lie. */
struct kept {
    uint8_t *data;
    size_t capacity;
};

struct split {
    struct raster_draw_state state; /* of the draw */
    struct shader_binding binding;  /* the draw's, with other texture reads */
    struct raster_sampler no_sampler[RASTER_MAX_SAMPLERS];
    uint64_t budget;
    bool shades; /* it has a program that does more than copy colours */
    struct kept kept[RASTER_MAX_TARGETS + 1];
    unsigned runs, run;          /* run: of all variants in turn; runs * VARIANT_COUNT: the draw itself */
    double began;                /* busy before the run */
    double least[VARIANT_COUNT]; /* of the draw */
    double sum[VARIANT_COUNT];   /* of the action */
    bool failed;
};

/* --- targets --------------------------------------------------------------------------------- */

static const struct raster_surface *target_of(const struct raster *raster, unsigned t)
{
    return t < RASTER_MAX_TARGETS ? &raster->targets.color[t] : &raster->targets.depth;
}

static size_t row_bytes(const struct raster_surface *surface, unsigned *rows)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    if (!surface->pixels || surface->format == RASTER_FORMAT_NULL)
        return *rows = 0;
    if (surface->samples > 1) {
        *rows = (surface->height + 3) / 4;
        return raster_samples_pitch(surface->format, surface->width, surface->samples);
    }
    *rows = surface->height;
    return (size_t)surface->width * bytes;
}

static void keep_target(struct split *s, const struct raster_surface *surface, struct kept *kept)
{
    unsigned rows;
    const size_t row = row_bytes(surface, &rows), bytes = row * rows;

    if (bytes > kept->capacity) {
        free(kept->data);
        kept->data = malloc(bytes);
        kept->capacity = kept->data ? bytes : 0;
        s->failed |= !kept->data;
    }
    for (unsigned y = 0; y < rows && kept->data; y++)
        memcpy(kept->data + y * row, surface->pixels + y * surface->pitch, row);
}

static void put_target_back(const struct raster_surface *surface, const struct kept *kept)
{
    unsigned rows;
    const size_t row = row_bytes(surface, &rows);

    for (unsigned y = 0; y < rows && kept->data; y++)
        memcpy(surface->pixels + y * surface->pitch, kept->data + y * row, row);
}

/* --- programs -------------------------------------------------------------------------------- */

/* Outputs of a program are filled row by row by copies: the replacement of a part of the work must cost next to
 * nothing. */
#define ONES_4 1.0f, 1.0f, 1.0f, 1.0f
#define ONES   ONES_4, ONES_4, ONES_4, ONES_4
static const float white[RASTER_LANES] = {ONES, ONES, ONES, ONES};

static void sample_white RASTER_SAMPLE_LOD_PARAMETERS
{
    (void)sampler;
    (void)coordinate;
    (void)mode;
    (void)lod;
    for (unsigned c = 0; c < 4; c++)
        memcpy(result[c], white, group_count * RASTER_GROUP_LANES * sizeof(float));
}

/* The same of a narrow state. Lanes of any order are white. */
static void shade_narrow_white(const void *program, struct raster_batch *batch)
{
    int16_t *pixels = narrow_of(batch->color[0]);

    (void)program;
    for (unsigned n = 0; n < 4 * batch->group_count * RASTER_GROUP_LANES; n++)
        pixels[n] = NARROW_ONE;
}

static void shade_white(const void *program, struct raster_batch *batch)
{
    const struct shader_binding *binding = program;
    const uint32_t outputs = binding->program->outputs_written;

    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
        for (unsigned c = 0; c < 4 && (t == 0 || outputs >> t & 1); c++)
            memcpy(batch->color[t][c], white, batch->group_count * RASTER_GROUP_LANES * sizeof(float));
}

static void give_variant(struct split *s, struct raster *raster, enum variant variant)
{
    struct raster_draw_state state = s->state;

    if (variant == VARIANT_UNSAMPLED) {
        s->binding = *(const struct shader_binding *)state.program;
        s->binding.sample = sample_white;
        if (state.narrow) /* whose reads do not come by there: of no texture they cost as little, and are black */
            s->binding.sampler = s->no_sampler;
        state.program = &s->binding;
    } else if (variant == VARIANT_UNSHADED) {
        state.shade = state.narrow ? shade_narrow_white : shade_white;
        state.shade_block = NULL;
        state.program_writes_depth = false;
        state.pass_through.copied = 0;
    }
    raster_set_state(raster, &state);
}

/* --- draws ----------------------------------------------------------------------------------- */

static bool measures(const struct split *s)
{
    return s->shades && !s->failed && s->run < s->runs * VARIANT_COUNT;
}

static void begin_draw(struct split *s, struct raster *raster)
{
    s->state = raster->state;
    s->budget = raster->budget;
    s->shades = s->state.program && s->state.pass_through.copied != 15;
    for (unsigned v = 0; v < VARIANT_COUNT; v++)
        s->least[v] = -1;
    if (!measures(s))
        return;
    raster_flush(raster);
    for (unsigned t = 0; t <= RASTER_MAX_TARGETS; t++)
        keep_target(s, target_of(raster, t), &s->kept[t]);
}

static bool split_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct split *s = user;
    struct raster *raster = context->raster;

    (void)draw;
    (void)primitives;
    if (s->run == 0)
        begin_draw(s, raster);
    raster->budget = s->budget; /* each run may cost what the draw may */
    if (measures(s))
        give_variant(s, raster, s->run % VARIANT_COUNT);
    else
        raster_set_state(raster, &s->state);
    s->began = raster->statistics.busy;
    return true;
}

static void split_drawn(void *user, struct hal_context *context)
{
    struct split *s = user;
    struct raster *raster = context->raster;
    const enum variant variant = s->run % VARIANT_COUNT;

    if (!measures(s))
        return;
    raster_flush(raster);
    const double seconds = raster->statistics.busy - s->began;

    if (s->least[variant] < 0 || seconds < s->least[variant])
        s->least[variant] = seconds;
    for (unsigned t = 0; t <= RASTER_MAX_TARGETS; t++)
        put_target_back(target_of(raster, t), &s->kept[t]);
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
    struct split *s = calloc(1, sizeof(*s));
    const struct hal_observer observer = {
        .user = s,
        .draw = split_draw,
        .drawn = split_drawn,
        .again = split_again,
    };
    const unsigned threads = ddi_root.driver->threads;
    bool done;

    if (!s)
        return inspect_fail(error, "out of memory");
    ddi_root.driver->threads =
        1; /* of the contexts that are made now: what tiles take does not depend on who else draws */
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
        done = inspect_fail(error, "out of memory");
    inspect_observe(session, NULL);
    ddi_root.driver->threads = threads;
    session->spoiled = true;
    for (unsigned t = 0; t <= RASTER_MAX_TARGETS; t++)
        free(s->kept[t].data);
    free(s);
    return done;
}
