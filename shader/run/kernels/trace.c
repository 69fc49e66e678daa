/* SPDX-License-Identifier: MIT */
/*
 * The scalar executor with a report before and after each instruction: program.c, compiled a second time. It calls the
 * functions of the scalar level. At other levels this file is empty.
 */
#include "shader/run/trace.h"

#if KERNEL_LEVEL == 0
#include "shader/run/machine.h"

/* The machine of a watched batch, and the current instruction. */
struct traced_machine {
    struct machine machine;
    const struct shader_tracer *tracer;
    struct shader_trace_step step;
    uint64_t covered; /* before it */
};

static void look_before(struct machine *m, uint32_t at);
static void look_behind(struct machine *m);

#define PROGRAM_LOOK_BEFORE(m, at) look_before(m, at)
#define PROGRAM_LOOK_BEHIND(m)     look_behind(m)
#define shader_run_pixels          shader_run_pixels_traced
#define shader_run_vertices        shader_run_vertices_traced
void KERNEL(shader_run_pixels)(const void *program, struct raster_batch *batch);
void KERNEL(shader_run_vertices)(const struct shader_binding *binding, struct shader_vertex_batch *batch);
#include "shader/run/kernels/program.c"

static struct traced_machine *traced_of(struct machine *m)
{
    return (struct traced_machine *)m;
}

static uint8_t watched(const struct traced_machine *t, uint64_t lanes)
{
    return (uint8_t)(lanes >> t->tracer->first & ((1u << t->tracer->count) - 1));
}

/* --- what an instruction reads ---------------------------------------------------------------------------------- */

static void set_all_lanes(shader_trace_value value, unsigned component, float to)
{
    for (unsigned l = 0; l < SHADER_TRACE_LANES; l++)
        value[component][l] = to;
}

static void copy_lanes(const struct traced_machine *t, float to[SHADER_TRACE_LANES], const float *from)
{
    for (unsigned l = 0; l < t->tracer->count; l++)
        to[l] = from[t->tracer->first + l];
}

/* The components of the coordinates that a texture instruction uses: the others may never have been written. */
static unsigned coordinates_needed(const struct machine *m, const struct ir_instruction *i)
{
    unsigned needed = (1u << raster_texture_axes(m->binding->sampler[i->sampler].texture)) - 1;

    if (i->project || i->lod == RASTER_LOD_BIASED || i->lod == RASTER_LOD_GIVEN)
        needed |= 8;
    if (i->stage_project && i->sampler < SHADER_MAX_STAGES && m->binding->registers->projected[i->sampler])
        needed |= 1u << (BASE_MIN(m->binding->registers->projected[i->sampler], 4u) - 1);
    return needed;
}

static unsigned components_needed(const struct machine *m, const struct ir_instruction *i, unsigned k)
{
    if (i->op == IR_TEX && k == 0)
        return coordinates_needed(m, i);
    return ir_components_read((enum ir_op)i->op, k, i->destination.mask);
}

static unsigned sources_of(const struct ir_instruction *i)
{
    if (i->op == IR_TEX && i->lod == RASTER_LOD_GRADIENTS)
        return 3;
    if (i->op == IR_CALL && i->source[0].file != IR_BOOLEAN && i->source[0].file != IR_PREDICATE)
        return 0;
    return ir_source_count((enum ir_op)i->op);
}

static void look_at_source(struct traced_machine *t, const struct ir_instruction *i, unsigned k)
{
    struct machine *m = &t->machine;
    struct shader_trace_step *step = &t->step;
    const struct ir_source *s = &i->source[k];
    const float *lanes[4];

    switch (s->file) {
    case IR_INTEGER:
        step->read[k] = i->op == IR_REP ? 1 : 7;
        for (unsigned c = 0; c < 3; c++)
            set_all_lanes(step->source[k], c, (float)m->binding->registers->integers[s->index][c]);
        break;
    case IR_BOOLEAN:
        step->read[k] = 1;
        set_all_lanes(step->source[k], 0, (float)(m->binding->booleans >> s->index & 1));
        break;
    case IR_PREDICATE:
        step->read[k] = 1;
        for (unsigned l = 0; l < t->tracer->count; l++)
            step->source[k][0][l] = m->predicate[s->swizzle & 3][t->tracer->first + l] ? 1.0f : 0.0f;
        break;
    default:
        step->read[k] = (uint8_t)components_needed(m, i, k);
        machine_source_vector(m, i, k, step->read[k], lanes);
        for (unsigned c = 0; c < 4; c++)
            if (step->read[k] >> c & 1)
                copy_lanes(t, step->source[k][c], lanes[c]);
        break;
    }
}

/* The lanes in which the components of the destination may be written: found before the instruction, which may change
 * p0. */
static void look_at_masks(struct traced_machine *t, const struct ir_instruction *i)
{
    _Alignas(64) int32_t room[SHADER_LANES];

    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask >> c & 1))
            continue;
        if (i->predicate == IR_ALWAYS)
            t->step.lanes[c] = t->step.active;
        else
            t->step.lanes[c] =
                watched(t, machine_pack_mask(t->machine.lanes, machine_write_mask(&t->machine, i, c, room))) &
                t->step.active;
        t->step.written |= (uint8_t)((t->step.lanes[c] != 0) << c);
    }
}

static void look_before(struct machine *m, uint32_t at)
{
    struct traced_machine *t = traced_of(m);
    const struct ir_instruction *i = &m->code->code[at];

    t->step = (struct shader_trace_step){.code = i, .number = at, .active = watched(t, m->active), .loop = m->loop};
    t->covered = m->pixels ? m->pixels->covered : 0;
    if (!t->step.active)
        return;
    for (unsigned k = 0; k < sources_of(i); k++)
        look_at_source(t, i, k);
    if (i->op < IR_KILL)
        look_at_masks(t, i);
}

/* --- what an instruction writes --------------------------------------------------------------------------------- */

/* The destination register in one lane. */
static uint16_t target_of(const struct traced_machine *t, const struct ir_destination *d, unsigned lane)
{
    const struct machine *m = &t->machine;
    int32_t index = d->index;

    if (d->relative == IR_AL)
        index += m->loop;
    else if (d->relative != IR_ABSOLUTE)
        index += m->address[d->relative - IR_A0_X][t->tracer->first + lane];
    return (uint16_t)(d->file == IR_OUTPUT ? machine_output_index(index) : (uint16_t)index);
}

static float result_of(const struct traced_machine *t, unsigned file, unsigned index, unsigned component, unsigned lane)
{
    const struct machine *m = &t->machine;
    const unsigned l = t->tracer->first + lane;

    switch (file) {
    case IR_TEMP:
        return m->temp[index][component][l];
    case IR_OUTPUT:
        return m->output[index][component][l];
    case IR_DEPTH:
        return m->pixels && component == 0 ? m->pixels->z[l] : 0.0f;
    case IR_ADDRESS:
        return (float)m->address[component][l];
    case IR_PREDICATE:
        return m->predicate[component][l] ? 1.0f : 0.0f;
    default:
        return 0.0f;
    }
}

static void look_behind(struct machine *m)
{
    struct traced_machine *t = traced_of(m);
    struct shader_trace_step *step = &t->step;
    const struct ir_destination *d = &step->code->destination;
    const unsigned file = step->code->op == IR_SETP                              ? IR_PREDICATE
                          : step->code->op == IR_ARL || step->code->op == IR_ARR ? IR_ADDRESS
                                                                                 : d->file;

    step->behind = watched(t, m->active);
    if (m->pixels)
        step->killed = watched(t, t->covered & ~m->pixels->covered);
    for (unsigned l = 0; step->written && l < t->tracer->count; l++) {
        step->target[l] = target_of(t, d, l);
        for (unsigned c = 0; c < 4; c++)
            if (step->written >> c & 1)
                step->result[c][l] = result_of(t, file, step->target[l], c, l);
    }
    if (step->active)
        t->tracer->step(t->tracer->user, step);
}

/* --- running ----------------------------------------------------------------------------------------- */

_Static_assert(offsetof(struct traced_machine, machine) == 0, "the machine is found in what the executor is given");

void shader_trace_pixels(const struct shader_binding *binding, struct raster_batch *batch,
                         const struct shader_tracer *tracer)
{
    struct traced_machine t;
    void *scratch = batch->scratch;
    const bool again = batch->again;

    BASE_ASSERT(tracer->count == RASTER_QUAD_LANES && tracer->first % RASTER_QUAD_LANES == 0);
    BASE_ASSERT(tracer->first + tracer->count <= batch->group_count * RASTER_GROUP_LANES);
    t.tracer = tracer;
    batch->scratch = &t;
    batch->again = false;
    KERNEL(shader_run_pixels)(binding, batch);
    batch->scratch = scratch;
    batch->again = again;
}

void shader_trace_vertices(const struct shader_binding *binding, struct shader_vertex_batch *batch,
                           const struct shader_tracer *tracer)
{
    struct traced_machine t;
    void *scratch = batch->scratch;

    BASE_ASSERT(tracer->count == 1 && tracer->first < batch->count);
    t.tracer = tracer;
    batch->scratch = &t;
    KERNEL(shader_run_vertices)(binding, batch);
    batch->scratch = scratch;
}
#endif
