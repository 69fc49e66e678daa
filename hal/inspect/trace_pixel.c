/* SPDX-License-Identifier: MIT */
/* The pixel program of a draw for one pixel: where a probe runs it, with its inputs and outputs. */
#include "base/base.h"
#include "hal/driver.h"
#include "hal/handles.h"
#include "hal/inspect/tracer.h"
#include "raster/narrow.h"
#include "shader/code.h"

#include <stdio.h>
#include <string.h>

/* A component of raster input `input`. */
static float input_value(const struct hal_tracer *t, const struct raster_draw_state *state,
                         const struct raster_batch *batch, unsigned input, unsigned c, unsigned lane)
{
    if (input >= RASTER_MAX_INPUTS)
        return c == 3 ? 1.0f : 0.0f;
    if (state->narrow && state->narrow_inputs >> input & 1)
        return narrow_channel(batch->input[input], narrow_width(t->level), lane, c);
    if (state->narrow && c < 2 && batch->affine >> input & 1)
        return (float)((const int32_t *)batch->input[input][c])[lane] * (1.0f / (float)RASTER_AFFINE_ONE);
    return batch->input[input][c][lane];
}

static void note_inputs(struct hal_tracer *t, const struct raster_draw_state *state, const struct raster_batch *batch,
                        unsigned first)
{
    struct hal_run *run = &t->run;
    const struct shader_program *program = run->program;
    const struct shader_binding *binding = state->program;

    for (unsigned k = 0; k < program->input_count && run->input_count < HAL_RUN_REGISTERS; k++) {
        const struct shader_semantic *s = &program->input[k];
        const unsigned from = binding->input[k];
        struct hal_run_register *r = &run->input[run->input_count++];

        *r = (struct hal_run_register){.mask = (uint8_t)(s->mask | s->third_mask | s->divisor_mask)};
        snprintf(r->name, sizeof(r->name), "v%u", s->reg);
        if (from < t->inputs.count)
            run_print_meaning(r->meaning, sizeof(r->meaning), t->inputs.usage[from], t->inputs.usage_index[from]);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < run->lanes; l++)
                r->value[c][l] = input_value(t, state, batch, from, c, first + l);
    }
}

static void note_outputs(struct hal_tracer *t, const struct raster_batch *batch, unsigned first)
{
    struct hal_run *run = &t->run;
    const struct shader_program *program = run->program;

    for (unsigned o = 0; o < RASTER_MAX_TARGETS; o++) {
        struct hal_run_register *r = &run->output[run->output_count];

        if (o && !(program->outputs_written >> o & 1))
            continue;
        *r = (struct hal_run_register){.mask = inspect_components_written(program, o)};
        snprintf(r->name, sizeof(r->name), "o%u", o);
        snprintf(r->meaning, sizeof(r->meaning), "color %u", o);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < run->lanes; l++)
                r->value[c][l] = run->narrow ? narrow_channel(batch->color[o], narrow_width(t->level), first + l, c)
                                             : batch->color[o][c][first + l];
        run->output_count++;
    }
    if (program->writes_depth) {
        struct hal_run_register *r = &run->output[run->output_count++];

        *r = (struct hal_run_register){.name = "depth", .meaning = "depth", .mask = 1};
        memcpy(r->value[0], &batch->z[first], run->lanes * sizeof(float));
    }
}

void tracer_run_pixel(struct hal_tracer *t, const struct raster_draw_state *state, struct raster_batch *batch,
                      unsigned lane)
{
    const unsigned first = lane & ~(RASTER_QUAD_LANES - 1u);

    if (state->narrow)
        tracer_run_narrow(t, state->program, batch, lane);
    else
        tracer_run_floats(t, state->program, batch, lane);
    note_inputs(t, state, batch, first);
    note_outputs(t, batch, first);
}

void hal_tracer_choose_pixels(struct hal_tracer *t, const struct hal_context *context, bool optimized)
{
    const struct raster_draw_state *state = inspect_raster_state(context);
    const struct shader_binding *binding = state->program;

    t->level = context->driver->cpu;
    t->inputs = *hal_pipeline_inputs(&context->renderer);
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++) {
        const uint32_t handle = context->state.stage_state[s][0];

        t->surface[s] = hal_resource_of(&context->resources, handle);
    }
    tracer_choose(t, binding->program, inspect_pixel_shader(context), optimized || state->narrow);
}
