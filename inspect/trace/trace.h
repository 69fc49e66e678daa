/* SPDX-License-Identifier: MIT */
/*
 * A program of a draw, instruction by instruction, for one pixel or one vertex: a shader, or the program made from
 * fixed-function states. The scalar executor, compiled a second time (shader/run/trace.h), runs it in the draw in place
 * of the driver's executor; so its values are the driver's, and the draw continues with its results. Where the state is
 * narrow (docs/narrow-colour.md), they are those of the program's narrow form.
 */
#ifndef HALCYON_INSPECT_TRACE_H
#define HALCYON_INSPECT_TRACE_H

#include "hal/inspect/run.h"
#include "inspect/picture/mesh.h"
#include "inspect/pixel/pixel.h"

#define INSPECT_ALL UINT32_MAX

struct inspect_trace {
    const struct hal_run *run;        /* what ran, during the call of `give` */
    uint32_t primitive;               /* of the draw, as in struct inspect_fragment */
    uint32_t vertex;                  /* its number; of vertices alone */
    uint32_t element;                 /* of the streams; INSPECT_ALL: not known. Of vertices alone */
    struct inspect_fragment fragment; /* of a pixel: its fate */
    struct inspect_corner corner;     /* of a vertex: the result that the draw uses */
    unsigned corner_inputs;
};

struct inspect_trace_options {
    uint32_t primitive; /* of pixels: this one alone; INSPECT_ALL: all that cover it, in order */
    bool optimized;     /* code as it runs, not instruction by instruction as written; narrow: always */
};

/*
 * Gives the runs for pixel (x, y) of the first target of an action of the loaded frame, which is a draw: one for each
 * primitive that covers it, whatever the fate of the fragment. `give` returns false to stop. Returns false on failure,
 * see the error; it is also an error if no primitive covers the pixel.
 */
bool inspect_trace_pixel(struct inspect *session, uint32_t action, unsigned x, unsigned y,
                         const struct inspect_trace_options *options,
                         bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                         struct capture_error *error);
/* The same for one vertex: corner c of primitive p, as inspect_mesh gives them, is number p * corners + c. */
bool inspect_trace_vertex(struct inspect *session, uint32_t action, uint32_t vertex,
                          const struct inspect_trace_options *options,
                          bool (*give)(void *user, const struct inspect_trace *trace), void *user,
                          struct capture_error *error);

/* The bytecode instruction at a DWORD of the trace's tokens as a line of assembly; empty: there is none. */
void inspect_trace_assembly(const struct inspect_trace *trace, uint32_t origin, char *text, size_t size);
/* The instruction as a line of IR, without its newline. */
void inspect_trace_ir(const struct ir_instruction *instruction, char *text, size_t size);
/* The register that the step writes in a lane: "r0", "o2", "a0". False: it writes none. */
bool inspect_trace_target(const struct shader_trace_step *step, unsigned lane, char *text, size_t size);
/* Source k as written in instructions; empty: it has no text. */
void inspect_trace_source(const struct shader_trace_step *step, unsigned k, char *text, size_t size);
/* Does it use aL, that is, begin or end a loop, or index by aL? */
bool inspect_trace_loops(const struct shader_trace_step *step);
/* May it kill? */
bool inspect_trace_kills(const struct shader_trace_step *step);
/* "2d", "cube", "volume"; "computed", "biased", "given", "gradients", and the number of values of hal_run_fetch.lod
 * that the mode uses. */
const char *inspect_texture_kind(const struct hal_run_fetch *fetch);
const char *inspect_lod_name(enum hal_run_lod mode);
unsigned inspect_lod_rows(enum hal_run_lod mode);

#endif
