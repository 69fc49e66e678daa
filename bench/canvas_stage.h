/* SPDX-License-Identifier: MIT */
/* The catalogue's canvas on a stage: scenes call the driver without a runtime in between. */
#ifndef BENCH_CANVAS_STAGE_H
#define BENCH_CANVAS_STAGE_H

#include "bench/catalogue/canvas.h"
#include "tests/stage/stage.h"

struct stage_canvas {
    struct canvas canvas; /* first */
    struct stage stage;
    struct client_chain *copy; /* system memory */
    struct client_chain *textures[CANVAS_MAX_OBJECTS], *buffers[CANVAS_MAX_OBJECTS];
    struct stage_canvas_program {
        uint32_t vertex[CANVAS_PROGRAM_TOKENS], declaration[CANVAS_PROGRAM_TOKENS];
        const uint32_t *pixel;
    } programs[2];
    unsigned texture_count, buffer_count, program_count;
    unsigned vertices, indices, stride; /* objects in use, as numbers of buffers */
};

/* A target of width by height, X8R8G8B8 with D24S8; samples as for stage_open_samples. Returns false on failure: see
 * stage.failed. */
bool stage_canvas_open(struct stage_canvas *canvas, unsigned width, unsigned height, unsigned samples);
void stage_canvas_close(struct stage_canvas *canvas);

/* Ends a frame as Present does, which for the driver is a lock of the target, or with a copy into the program's
 * memory. */
void stage_canvas_end_frame(struct stage_canvas *canvas, bool readback);

#endif
