/* SPDX-License-Identifier: MIT */
/*
 * The scalar executor of narrow programs with a report of each instruction: narrow.c, compiled a second time. The steps
 * are those of the narrow form; the report names the IR instructions that they were made from. At other levels this
 * file is empty.
 */
#include "shader/run/trace.h"

#if KERNEL_LEVEL == 0
#include "shader/run/narrow_machine.h"

static void look_at_read(const void *machine, unsigned sampler, const float (*from)[RASTER_LANES], bool affine);

#define NARROW_LOOK_AT_READ(m, i, from, affine) look_at_read(m, (i)->sampler, from, affine)
#define NARROW_RECORDED(lanes)                  ((void)(lanes), UINT64_C(0))
#define shader_run_narrow                       shader_run_narrow_traced
#undef narrow_link
#undef narrow_read_texture
#define narrow_link         narrow_link_traced
#define narrow_read_texture narrow_read_texture_traced
static void narrow_link_traced(struct narrow_machine *m, const struct shader_binding *binding,
                               struct raster_batch *batch);
static void narrow_read_texture_traced(const struct narrow_machine *m, const struct narrow_step *s, int16_t *to);
void shader_run_narrow_traced_scalar(const void *program, struct raster_batch *batch);
#include "shader/run/kernels/narrow.c"

#include "base/assert.h"

/* The machine of a watched batch, and the state of the current instruction. */
struct traced_narrow {
    struct narrow_machine machine;
    const struct shader_tracer *tracer;
    struct shader_trace_step step;
    uint8_t place_of[CODE_TEMP_COUNT];      /* the places of the temporaries that have been written */
    _Alignas(64) narrow_pixels copied_from; /* the source of a copy, with all modifiers applied */
};

static void look_at_read(const void *machine, unsigned sampler, const float (*from)[RASTER_LANES], bool affine)
{
    const struct shader_tracer *tracer = ((const struct traced_narrow *)machine)->tracer;

    tracer->read(tracer->user, sampler, from, affine);
}

/* --- values ------------------------------------------------------------------------------------------------ */

/* Components of pixels in the watched lanes. */
static void copy_pixels(const struct traced_narrow *t, unsigned components, const int16_t *pixels,
                        shader_trace_value out)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; components >> c & 1 && l < t->tracer->count; l++)
            out[c][l] = narrow_channel(pixels, 1, t->tracer->first + l, c);
}

/* The coordinates of a texture that the sampler or the division uses. */
static void look_at_coordinates(struct traced_narrow *t, const struct ir_instruction *i, const struct narrow_step *s)
{
    const struct narrow_machine *m = &t->machine;
    const struct raster_texture *texture = m->binding->sampler[i->sampler].texture;
    const unsigned input = m->binding->input[s->from[0] - NARROW_FIRST_INPUT];
    const unsigned q = machine_divisor(m->binding, i, texture);
    const bool affine = input < RASTER_MAX_INPUTS && (m->batch->affine >> input & 1);
    _Alignas(64) float missing[4][RASTER_LANES];
    const float(*from)[RASTER_LANES] = coordinates_of(m, input, missing);

    t->step.read[0] = (uint8_t)(((1u << raster_texture_axes(texture)) - 1) | (q ? 1u << (q - 1) : 0));
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; t->step.read[0] >> c & 1 && l < t->tracer->count; l++) {
            const float *v = &from[c][t->tracer->first + l];

            t->step.source[0][c][l] = affine ? (float)*(const int32_t *)v * (1.0f / (float)RASTER_AFFINE_ONE) : *v;
        }
}

/* The source of a copy whose single step applies the last modifier: that step, without the modifiers of its result. */
static const int16_t *find_copied(struct traced_narrow *t, const struct ir_source *s, const struct narrow_step *step)
{
    struct narrow_machine *m = &t->machine;
    struct narrow_step source = *step;
    int16_t *const to = m->place[step->to];

    if (s->file == IR_CONSTANT || s->file == IR_IMMEDIATE)
        return m->place[step->from[0]];
    source.shift = 0;
    source.is_partial = false;
    memset(source.written, -1, sizeof(source.written));
    source.low = (s->modifiers & ~(unsigned)IR_CLAMP) == IR_SATURATE ? 0 : -NARROW_ONE;
    memcpy(t->copied_from, to, sizeof(t->copied_from)); /* a register may be copied onto itself */
    run_step(m, &source);
    for (unsigned n = 0; n < ARRAY_COUNT(t->copied_from); n++) {
        const int16_t v = to[n];

        to[n] = t->copied_from[n];
        t->copied_from[n] = v;
    }
    return t->copied_from;
}

/* The place of a temporary that has been written. A temporary that has not been written is the output, which is copied
 * without a step. */
static const int16_t *temp_pixels(const struct traced_narrow *t, const struct ir_source *s)
{
    return t->machine.place[s->file == IR_TEMP ? t->place_of[s->index] : NARROW_OUTPUT];
}

/* step: the step that does the instruction's work; NULL if there is nothing to do. */
static void look_at_sources(struct traced_narrow *t, const struct ir_instruction *i, const struct narrow_step *step)
{
    if (i->op == IR_TEX) {
        look_at_coordinates(t, i, step);
        return;
    }
    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++) {
        const struct ir_source *s = &i->source[k];

        t->step.read[k] = (uint8_t)ir_components_read((enum ir_op)i->op, k, i->destination.mask);
        copy_pixels(t, t->step.read[k],
                    !step             ? temp_pixels(t, s)
                    : i->op == IR_MOV ? find_copied(t, s, step)
                                      : t->machine.place[step->from[k]],
                    t->step.source[k]);
    }
}

static void look_at_result(struct traced_narrow *t, const struct ir_instruction *i, const struct narrow_step *step)
{
    const struct ir_destination *d = &i->destination;
    const int16_t *pixels = step ? t->machine.place[step->to] : temp_pixels(t, &i->source[0]);

    t->step.written = d->mask;
    for (unsigned c = 0; c < 4; c++)
        t->step.lanes[c] = d->mask >> c & 1 ? t->step.active : 0;
    for (unsigned l = 0; l < t->tracer->count; l++)
        t->step.target[l] = d->index;
    copy_pixels(t, d->mask, pixels, t->step.result);
    if (d->file == IR_TEMP)
        t->place_of[d->index] = step ? step->to : t->place_of[i->source[0].index];
}

/* --- instructions ------------------------------------------------------------------------------------------- */

/* The steps of an instruction: those that prepare operands, then the instruction's own. There may be none. */
static void trace_instruction(struct traced_narrow *t, uint32_t number, unsigned first, unsigned behind)
{
    const struct ir_instruction *i = &t->machine.binding->program->code->code[number];
    const struct narrow_step *steps = t->machine.narrow->step;
    const struct narrow_step *last = behind > first ? &steps[behind - 1] : NULL;
    const uint8_t all = (uint8_t)((1u << t->tracer->count) - 1);

    t->step = (struct shader_trace_step){.code = i, .number = number, .active = all, .behind = all};
    for (unsigned k = first; k + 1 < behind; k++)
        run_step(&t->machine, &steps[k]);
    look_at_sources(t, i, last);
    if (last)
        run_step(&t->machine, last);
    look_at_result(t, i, last);
    t->tracer->step(t->tracer->user, &t->step);
}

static void trace_steps(struct traced_narrow *t)
{
    const struct narrow_program *narrow = t->machine.narrow;
    const struct shader_code *code = t->machine.binding->program->code;
    unsigned at = 0;

    for (; at < narrow->step_count && narrow->step[at].op == NARROW_ZERO; at++) {
        run_step(&t->machine, &narrow->step[at]);
        t->place_of[narrow->step[at].instruction] = narrow->step[at].to;
    }
    for (uint32_t number = 0; number < code->count && code->code[number].op < IR_KILL; number++) {
        const unsigned first = at;

        while (at < narrow->step_count && narrow->step[at].instruction == number)
            at++;
        trace_instruction(t, number, first, at);
    }
    BASE_ASSERT(at == narrow->step_count);
}

/* --- running --------------------------------------------------------------------------------------------------- */

/* Reorders a level's pixels into the order of lanes, and back. */
static void order_pixels(void *lanes, unsigned width, bool back)
{
    int16_t *pixels = narrow_of(lanes);
    narrow_pixels copy;

    memcpy(copy, pixels, sizeof(copy));
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        const unsigned at = narrow_place(width, l);

        memcpy(pixels + 4 * (back ? at : l), copy + 4 * (back ? l : at), 4 * sizeof(*copy));
    }
}

/* Raster inputs that hold colours. */
static unsigned color_inputs(const struct shader_binding *binding)
{
    unsigned inputs = 0;

    for (unsigned left = binding->program->code->narrow->colors; left; left &= left - 1) {
        const unsigned input = binding->input[__builtin_ctz(left)];

        inputs |= input < RASTER_MAX_INPUTS ? 1u << input : 0;
    }
    return inputs;
}

static void order_inputs(const struct shader_binding *binding, struct raster_batch *batch, unsigned width, bool back)
{
    for (unsigned left = color_inputs(binding); left; left &= left - 1)
        order_pixels(batch->input[__builtin_ctz(left)], width, back);
}

_Static_assert(offsetof(struct traced_narrow, machine) == 0, "the tracer is found from the machine");

void shader_trace_narrow(const struct shader_binding *binding, enum cpu_level level, struct raster_batch *batch,
                         const struct shader_tracer *tracer)
{
    const unsigned width = narrow_width(level);
    struct traced_narrow t;

    BASE_ASSERT(tracer->count == RASTER_QUAD_LANES && tracer->first % RASTER_QUAD_LANES == 0);
    BASE_ASSERT(tracer->first + tracer->count <= batch->group_count * RASTER_GROUP_LANES);
    t.tracer = tracer;
    memset(t.place_of, NARROW_OUTPUT, sizeof(t.place_of));
    order_inputs(binding, batch, width, false);
    narrow_link(&t.machine, binding, batch);
    t.machine.lanes = batch->group_count * RASTER_GROUP_LANES;
    trace_steps(&t);
    order_inputs(binding, batch, width, true);
    order_pixels(batch->color[0], width, true);
}
#endif
