/* SPDX-License-Identifier: MIT */
/*
 * Runs a program over a batch and reports each instruction with the registers that it reads and writes, in up to four
 * neighbouring lanes. The tracer is the scalar executor, compiled a second time with added calls (kernels/trace.c). The
 * other executors are not affected, and the outputs have the same bits.
 */
#ifndef HALCYON_SHADER_RUN_TRACE_H
#define HALCYON_SHADER_RUN_TRACE_H

#include "shader/ir/ir.h"
#include "shader/shader.h"

#define SHADER_TRACE_LANES 4

/* Four components of a register, in the watched lanes. */
typedef float shader_trace_value[4][SHADER_TRACE_LANES];

/* An instruction that the batch has executed. Lanes are bits; bit 0 is the first watched lane. */
struct shader_trace_step {
    const struct ir_instruction *code;
    uint32_t number;        /* of the instruction in the program */
    uint8_t active, behind; /* lanes that execute it; lanes that are active after it */
    uint8_t killed;         /* lanes that it killed */
    int32_t loop;           /* aL */
    /* Bit c: component c of the source is read, after its swizzle. Integer registers are count, start, step; boolean ones and
     * components of p0 are 0 or 1 in component 0, before IR_NOT. */
    uint8_t read[3];
    shader_trace_value source[3]; /* after swizzle and modifiers */
    /* Bit c: component c of the destination is written in at least one lane; in lane l if bit l of lanes[c] is set. */
    uint8_t written, lanes[4];
    uint16_t target[SHADER_TRACE_LANES]; /* index of the destination register, after a0 or aL has been applied */
    shader_trace_value result;           /* its new contents; integers for a0, 0 or 1 for p0 */
};

struct shader_tracer {
    unsigned first, count; /* the watched lanes: 1 to 4; for pixels a whole quad */
    void *user;
    void (*step)(void *user, const struct shader_trace_step *step);
    /* Only for narrow programs, in the step that reads it: the coordinates for a texture's sampler
     * (raster/kernels/kernels.h, sample_narrow). */
    void (*read)(void *user, unsigned sampler, const float (*coordinate)[RASTER_LANES], bool affine);
};

/* Like the functions of shader_pixel_executor and shader_vertex_executor, with a report. Does not touch the batch's
 * scratch memory. */
void shader_trace_pixels(const struct shader_binding *binding, struct raster_batch *batch,
                         const struct shader_tracer *tracer);
/* Like the function of shader_narrow_executor for that level, but computed by the scalar level. Each reported step is
 * an instruction of the IR, with the values of its narrow form. Feedback maps are not changed. */
void shader_trace_narrow(const struct shader_binding *binding, enum cpu_level level, struct raster_batch *batch,
                         const struct shader_tracer *tracer);
void shader_trace_vertices(const struct shader_binding *binding, struct shader_vertex_batch *batch,
                           const struct shader_tracer *tracer);

#endif
