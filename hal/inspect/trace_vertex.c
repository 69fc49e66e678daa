/* SPDX-License-Identifier: MIT */
/* The vertex program of a draw for one vertex: its executor is replaced while vertices are processed. */
#include "base/base.h"
#include "hal/handles.h"
#include "hal/inspect/tracer.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/stage.h"
#include "hal/vertex/tnl/lower.h"
#include "shader/code.h"

#include <stdio.h>
#include <string.h>

/* The current trace, as a vertex stage has no user pointer; one draw at a time. */
static _Thread_local struct hal_tracer *tracing;

/* --- inputs and outputs -------------------------------------------------------------------------- */

/* Names an output of the fixed function. */
static void name_lowered_output(char *text, size_t size, unsigned reg)
{
    static const char *const names[TNL_O_TEXCOORD] = {"position", "fog", "point size", "diffuse", "specular"};

    if (reg >= TNL_O_PLANES)
        snprintf(text, size, "distances to planes");
    else if (reg >= TNL_O_TEXCOORD)
        snprintf(text, size, "texcoord %u", reg - TNL_O_TEXCOORD);
    else
        snprintf(text, size, "%s", names[reg]);
}

static struct hal_run_register *add_register(struct hal_run_register *list, unsigned *count, char file, unsigned reg,
                                             unsigned mask, float (*from)[SHADER_LANES], unsigned lane)
{
    struct hal_run_register *r = &list[*count];

    if (*count == HAL_RUN_REGISTERS || !mask)
        return NULL;
    ++*count;
    *r = (struct hal_run_register){.mask = (uint8_t)mask};
    snprintf(r->name, sizeof(r->name), "%c%u", file, reg);
    for (unsigned c = 0; c < 4; c++)
        r->value[c][0] = from[c][lane];
    return r;
}

static void note_inputs(struct hal_tracer *t, struct shader_vertex_batch *batch, unsigned lane)
{
    struct hal_run *run = &t->run;
    const struct shader_program *program = run->program;
    const struct hal_vertex_stage *stage = &t->context->renderer.front->vertex_stage;

    for (unsigned i = 0; i < stage->input_count; i++) {
        const struct vertex_input_link *link = &stage->input[i];
        const char *component = hal_inspect_component_name(link->component);
        struct hal_run_register *r =
            add_register(run->input, &run->input_count, 'v', link->reg, 15, batch->input[link->reg], lane);

        for (unsigned k = 0; r && run->is_bytecode && k < program->input_count; k++)
            if (program->input[k].reg == link->reg)
                run_print_meaning(r->meaning, sizeof(r->meaning), program->input[k].usage, program->input[k].index);
        if (r && !r->meaning[0] && component)
            snprintf(r->meaning, sizeof(r->meaning), "%s", component);
    }
}

static void note_outputs(struct hal_tracer *t, struct shader_vertex_batch *batch, unsigned lane)
{
    struct hal_run *run = &t->run;
    const struct shader_program *program = run->program;

    for (unsigned k = 0; k < program->output_count; k++) {
        const struct shader_semantic *s = &program->output[k];
        struct hal_run_register *r =
            add_register(run->output, &run->output_count, 'o', s->reg, s->mask, batch->output[s->reg], lane);

        if (r)
            run_print_meaning(r->meaning, sizeof(r->meaning), s->usage, s->index);
    }
    for (unsigned o = 0; !run->is_bytecode && o < SHADER_MAX_OUTPUTS; o++) {
        struct hal_run_register *r = add_register(run->output, &run->output_count, 'o', o,
                                                  inspect_components_written(program, o), batch->output[o], lane);

        if (r)
            name_lowered_output(r->meaning, sizeof(r->meaning), o);
    }
}

/* --- running ------------------------------------------------------------------------------------- */

static void execute_traced(const struct shader_binding *binding, struct shader_vertex_batch *batch)
{
    struct hal_tracer *t = tracing;
    const uint32_t first = t->slots;
    const unsigned lane = t->slot - first;

    t->slots += HAL_BATCH;
    if (!t->is_here || t->slot < first || lane >= batch->count) {
        t->execute(binding, batch);
        return;
    }
    const uint32_t number = t->context->renderer.front->span.number[lane];

    t->run.element = number;
    t->run.is_periodic = t->source.period != 0;
    t->run.is_missing = !hal_source_holds(&t->source, number, number);
    tracer_run_vertices(t, binding, batch, lane);
    note_inputs(t, batch, lane);
    note_outputs(t, batch, lane);
    t->has_run = true;
}

bool hal_inspect_runs_vertices(const struct hal_context *context)
{
    return context->renderer.front->vertex_stage.execute != NULL;
}

void hal_tracer_begin_vertex(struct hal_tracer *t, struct hal_context *context, const struct hal_draw *draw,
                             uint32_t slot, bool optimized)
{
    struct hal_vertex_stage *stage = &context->renderer.front->vertex_stage;

    t->has_run = t->is_here = false;
    if (!stage->execute)
        return;
    t->context = context;
    t->slot = slot;
    hal_source_bind(&t->source, draw->layout, draw->buffers);
    for (unsigned s = 0; s < RASTER_MAX_SAMPLERS; s++) {
        const uint32_t handle = s < HAL_VERTEX_SAMPLERS ? context->state.stage_state[HAL_MAX_SAMPLERS + s][0] : 0;

        t->surface[s] = hal_resource_of(&context->resources, handle);
    }
    tracer_choose(t, stage->binding->program, inspect_vertex_shader(context), optimized);
    tracing = t;
    t->execute = stage->execute;
    stage->execute = execute_traced;
}

void hal_tracer_chunk(struct hal_tracer *t, bool is_here)
{
    t->slots = 0;
    t->is_here = is_here;
}

void hal_tracer_end(struct hal_tracer *t)
{
    if (t->context)
        t->context->renderer.front->vertex_stage.execute = t->execute;
    t->context = NULL;
    tracing = NULL;
}

bool hal_tracer_has_run(const struct hal_tracer *t)
{
    return t->has_run;
}
