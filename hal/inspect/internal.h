/* SPDX-License-Identifier: MIT */
/* Shared by the files of the debugger's way into the driver. */
#ifndef HALCYON_HAL_INSPECT_INTERNAL_H
#define HALCYON_HAL_INSPECT_INTERNAL_H

#include "hal/context.h"
#include "hal/inspect.h"
#include "raster/frontend.h"
#include "shader/shader.h"

struct hal_layout;
struct hal_shader;

/* The rasterizer's present state. */
static inline const struct raster_draw_state *inspect_raster_state(const struct hal_context *context)
{
    return &context->scene.raster->state;
}

/* draw.c: all elements of a layout, those of the fixed function first. Returns how many. */
unsigned inspect_list_layout(const struct hal_layout *layout, struct hal_inspect_element list[HAL_INSPECT_ELEMENTS]);

/* state.c: the shaders of a context, whether or not its next draw runs them; NULL: none. */
const struct hal_shader *inspect_vertex_shader(const struct hal_context *context);
const struct hal_shader *inspect_pixel_shader(const struct hal_context *context);

/* pixels.c: components of an output that a program writes, bit 0 x .. bit 3 w: it may omit alpha if alpha is not
 * read. */
uint8_t inspect_components_written(const struct shader_program *program, unsigned output);

/* programs.c: a state of a probe, in memory that stays until it has been drawn with. */
struct probe_pass {
    struct probe_pass *next;
    struct hal_probe *probe;
    struct hal_probe_state state;
    raster_shade_fn shade;     /* runs */
    const void *program;       /* this: the draw's, or the one of `own` */
    struct probe_program *own; /* NULL: none */
};
/* Makes the program of the pass part of a state that is otherwise complete. False: out of memory. */
bool probe_set_program(struct probe_pass *pass, struct raster_draw_state *state);
void probe_free_program(struct probe_pass *pass);

/* probe.c */
struct hal_probe {
    struct hal_context *context; /* of the draw; NULL: none yet */
    bool is_on;                  /* between hal_probe_begin and hal_probe_end */
    struct raster_draw_state draw;
    unsigned width;            /* lanes of the driver's registers, by which pixels of narrow states are ordered */
    struct probe_pass *passes; /* the last one first */
    _Atomic bool failed;       /* a program lacked memory */
    uint64_t fragments, passed;
    uint64_t budget;          /* of the draw */
    uint64_t held_budget;     /* before hal_probe_hold */
    uint32_t stipple_counter; /* then, too */
    bool holds;
    struct hal_probe_result result;
    bool planes_opened; /* those that clipped before: */
    bool near_open, far_open;
    unsigned user_planes;
    struct probe_copy {
        uint8_t *data; /* rows without gaps */
        size_t capacity;
    } copy[RASTER_MAX_TARGETS + 1]; /* targets.c: of targets, depth last */
};

/* trace.c: runs the program of the state over the batch, and records it for one lane. */
struct hal_tracer;
void tracer_run_pixel(struct hal_tracer *tracer, const struct raster_draw_state *state, struct raster_batch *batch,
                      unsigned lane);

#endif
