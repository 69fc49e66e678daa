/* SPDX-License-Identifier: MIT */
/*
 * The pixel program for one pixel: the observer of pixel histories (pixel/draw.c) runs it for each primitive that
 * covers the pixel, here with a report, and then finds the fate of the fragment.
 */
#include "inspect/trace/internal.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/handles.h"
#include "hal/pixel/pipeline.h"
#include "hal/resource/surface.h"
#include "hal/state/shaders.h"
#include "hal/vertex/vertex.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/pixel/draw.h"
#include "raster/frontend.h"
#include "raster/narrow.h"
#include "shader/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pixel_trace {
    struct tracing tracing;
    struct pixel_watch watch;
    struct inspect_pixel_row row;
    const struct inspect_trace_options *options;
    bool (*give)(void *user, const struct inspect_trace *trace);
    void *user;
    struct hal_pipeline_inputs inputs; /* of the draw at hand */
    enum cpu_level level;              /* of the driver */
    bool ended, drawn, outside;
    uint32_t target, width, height; /* of the draw */
    unsigned given;
};

/* --- registers ----------------------------------------------------------------------------------- */

/* A component of raster input `input`. */
static float input_value(const struct pixel_trace *p, const struct raster_batch *batch, unsigned input, unsigned c,
                         unsigned lane)
{
    const struct raster_draw_state *state = &p->watch.state;

    if (input >= RASTER_MAX_INPUTS)
        return c == 3 ? 1.0f : 0.0f;
    if (state->narrow && state->narrow_inputs >> input & 1)
        return narrow_channel(batch->input[input], narrow_width(p->level), lane, c);
    if (state->narrow && c < 2 && batch->affine >> input & 1)
        return (float)((const int32_t *)batch->input[input][c])[lane] * (1.0f / (float)RASTER_AFFINE_ONE);
    return batch->input[input][c][lane];
}

static void note_inputs(struct pixel_trace *p, const struct shader_binding *binding, const struct raster_batch *batch,
                        unsigned first)
{
    struct inspect_trace *trace = &p->tracing.trace;
    const struct shader_program *program = trace->program;

    for (unsigned k = 0; k < program->input_count && trace->input_count < INSPECT_MOST_REGISTERS; k++) {
        const struct shader_semantic *s = &program->input[k];
        const unsigned from = binding->input[k];
        struct inspect_trace_register *r = &trace->input[trace->input_count++];

        *r = (struct inspect_trace_register){.mask = (uint8_t)(s->mask | s->third_mask | s->divisor_mask)};
        snprintf(r->name, sizeof(r->name), "v%u", s->reg);
        if (from < p->inputs.count)
            inspect_trace_meaning(r->meaning, sizeof(r->meaning), p->inputs.usage[from], p->inputs.usage_index[from]);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < trace->lanes; l++)
                r->value[c][l] = input_value(p, batch, from, c, first + l);
    }
}

static void note_outputs(struct pixel_trace *p, const struct raster_batch *batch, unsigned first)
{
    struct inspect_trace *trace = &p->tracing.trace;
    const struct shader_program *program = trace->program;

    for (unsigned o = 0; o < RASTER_MAX_TARGETS; o++) {
        struct inspect_trace_register *r = &trace->output[trace->output_count];

        if (o && !(program->outputs_written >> o & 1))
            continue;
        *r = (struct inspect_trace_register){.mask = inspect_components_given(program, o)};
        snprintf(r->name, sizeof(r->name), "o%u", o);
        snprintf(r->meaning, sizeof(r->meaning), "color %u", o);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < trace->lanes; l++)
                r->value[c][l] = trace->narrow ? narrow_channel(batch->color[o], narrow_width(p->level), first + l, c)
                                               : batch->color[o][c][first + l];
        trace->output_count++;
    }
    if (program->writes_depth) {
        struct inspect_trace_register *r = &trace->output[trace->output_count++];

        *r = (struct inspect_trace_register){.name = "depth", .meaning = "depth", .mask = 1};
        memcpy(r->value[0], &batch->z[first], trace->lanes * sizeof(float));
    }
}

/* --- observing ----------------------------------------------------------------------------------- */

static void run_traced(void *user, const void *program, struct raster_batch *batch, unsigned lane)
{
    struct pixel_trace *p = user;
    const struct shader_binding *binding = program;
    const unsigned first = lane & ~(RASTER_QUAD_LANES - 1u);

    if (p->watch.state.narrow)
        inspect_tracing_narrow(&p->tracing, binding, p->level, batch, lane);
    else
        inspect_tracing_pixels(&p->tracing, binding, batch, lane);
    note_inputs(p, binding, batch, first);
    note_outputs(p, batch, first);
}

/* The textures by sampler, as the draw has them. */
static void note_surfaces(struct pixel_trace *p, const struct hal_context *context)
{
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++) {
        const uint32_t handle = context->stage_state[s][0];

        p->tracing.surface[s] = handle ? inspect_surface_id(hal_handles_get(context->handles, handle)) : 0;
    }
}

static bool trace_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct pixel_trace *p = user;
    const struct raster_draw_state *state = &context->raster->state;
    const struct shader_binding *binding = state->program;
    const struct hal_shader *shader = inspect_pixel_shader(context);

    p->drawn = true;
    p->level = context->driver->cpu;
    p->target = p->watch.surface = inspect_surface_id(context->target);
    p->width = context->target ? context->target->width : 0;
    p->height = context->target ? context->target->height : 0;
    p->outside = p->watch.x >= p->width || p->watch.y >= p->height;
    if (p->outside)
        return false;
    p->inputs = *hal_pipeline_inputs(context);
    note_surfaces(p, context);
    if (shader && shader->program == binding->program)
        inspect_tracing_choose(&p->tracing, binding->program, shader->bytes + shader->declaration_bytes,
                               shader->code_bytes / 4, p->options->optimized || state->narrow);
    else
        inspect_tracing_choose(&p->tracing, binding->program, NULL, 0, false);
    return inspect_pixel_observer.draw(&p->watch, context, draw, primitives);
}

static void trace_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

static bool trace_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct pixel_trace *p = user;
    struct pixel_watch *w = &p->watch;
    const size_t before = p->row.fragment_count;
    const uint32_t number = w->first_primitive + primitive->number;
    const bool wanted = p->options->primitive == INSPECT_ALL || p->options->primitive == number;
    bool again;

    if (!times)
        w->run = wanted && !p->ended ? run_traced : NULL;
    again = inspect_pixel_observer.primitive(w, primitive, times);
    if (p->row.fragment_count == before || !wanted || p->ended || p->tracing.failed)
        return again;
    p->tracing.trace.primitive = number;
    p->tracing.trace.fragment = w->fragment;
    p->given++;
    p->ended = !p->give(p->user, &p->tracing.trace);
    inspect_tracing_forget(&p->tracing);
    return again;
}

static void trace_drawn(void *user, struct hal_context *context)
{
    inspect_pixel_observer.drawn(&((struct pixel_trace *)user)->watch, context);
}

static bool explain(const struct pixel_trace *p, struct capture_error *error)
{
    if (p->tracing.failed || p->watch.failed)
        return inspect_fail(error, "out of memory");
    if (!p->drawn)
        return inspect_fail(error, "the driver draws nothing there: it has no primitives, no target, or was refused");
    if (p->outside)
        return inspect_fail(error, "its target, surface #%u of %ux%u, has no pixel %u,%u", (unsigned)p->target,
                            (unsigned)p->width, (unsigned)p->height, p->watch.x, p->watch.y);
    if (!p->given && p->options->primitive != INSPECT_ALL)
        return inspect_fail(error, "primitive %u does not cover pixel %u,%u of surface #%u",
                            (unsigned)p->options->primitive, p->watch.x, p->watch.y, (unsigned)p->target);
    if (!p->given)
        return inspect_fail(error, "no primitive of the draw covers pixel %u,%u of surface #%u", p->watch.x, p->watch.y,
                            (unsigned)p->target);
    return true;
}

bool inspect_trace_pixel(struct inspect *session, uint32_t action, unsigned x, unsigned y,
                         const struct inspect_trace_options *options,
                         bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                         struct capture_error *error)
{
    const struct hal_observer observer = {
        .draw = trace_draw,
        .vertices = trace_vertices,
        .primitive = trace_primitive,
        .drawn = trace_drawn,
    };
    struct pixel_trace *p = calloc(1, sizeof(*p));
    struct hal_observer observed = observer;
    bool done;

    if (!p)
        return inspect_fail(error, "out of memory");
    *p = (struct pixel_trace){.options = options, .give = give, .user = user};
    p->watch = (struct pixel_watch){.x = x, .y = y, .row = &p->row, .user = p};
    observed.user = p;
    done = inspect_trace_begin(session, action, error);
    if (done) {
        inspect_flush(session, true);
        inspect_observe(session, &observed);
        done = inspect_step(session, NULL, error);
        inspect_observe(session, NULL);
        inspect_flush(session, true);
        session->spoiled = true; /* queries have counted the draw several times */
        done = done && explain(p, error);
    }
    free(p->row.fragments);
    inspect_tracing_free(&p->tracing);
    free(p);
    return done;
}
