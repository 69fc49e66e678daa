/* SPDX-License-Identifier: MIT */
/*
 * Runs a program over a batch and reports each instruction with the registers that it reads and writes, in up to four
 * neighbouring lanes. It is the scalar executor, compiled a second time with added calls (kernels/trace.c). The other
 * executors are not affected, and outputs have the same bits.
 */
#ifndef HALCYON_SHADER_RUN_TRACE_H
#define HALCYON_SHADER_RUN_TRACE_H

#include "shader/ir/ir.h"
#include "shader/shader.h"

#define SHADER_TRACE_LANES 4

/* Four components of a register, in the lanes that are watched. */
typedef float shader_trace_value[4][SHADER_TRACE_LANES];

/* An instruction that the batch has executed. Lanes are bits, those that are watched from bit 0 on. */
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
    /* Bit c: component c of the destination is written, if not all lanes are kept from it: of lane l if bit l of lanes[c] is set. */
    uint8_t written, lanes[4];
    uint16_t target[SHADER_TRACE_LANES]; /* index of the destination's register, which a0 and aL may move */
    shader_trace_value result;           /* its new contents; integers for a0, 0 or 1 for p0 */
};

struct shader_tracer {
    unsigned first, count; /* lanes that are watched: 1 to 4; of pixels a whole quad */
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
/* Like the function of shader_narrow_executor for that level, computed as by the scalar level. A step is an instruction
 * of the IR; its values are those of the narrow form, which it became. Feedback maps are not changed. */
void shader_trace_narrow(const struct shader_binding *binding, enum cpu_level level, struct raster_batch *batch,
                         const struct shader_tracer *tracer);
void shader_trace_vertices(const struct shader_binding *binding, struct shader_vertex_batch *batch,
                           const struct shader_tracer *tracer);

#endif
