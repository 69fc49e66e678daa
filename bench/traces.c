/* SPDX-License-Identifier: MIT */
/* Records traces of the catalogue's scenes for bench/simulate. */
#include "bench/traces.h"

#include "bench/canvas_stage.h"
#include "bench/catalogue/catalogue.h"
#include "bench/child.h"

#include <stdio.h>
#include <stdlib.h>

#define TRACE_WIDTH  640
#define TRACE_HEIGHT 480
#define TRACE_FRAMES 8

struct trace {
    const struct catalogue_scene *scene;
    char path[1024];
    bool good;
};

static void record(void *result)
{
    struct trace *trace = result;
    const struct catalogue_scene *scene = trace->scene;
    struct stage_canvas board;

    setenv("HALCYON_TRACE", trace->path, 1);
    if (stage_canvas_open(&board, TRACE_WIDTH, TRACE_HEIGHT, scene->samples)) {
        catalogue_open(&board.canvas, scene);
        for (unsigned frame = 0; frame < TRACE_FRAMES && !board.stage.failed; frame++) {
            scene->draw(&board.canvas, frame);
            stage_canvas_end_frame(&board, true);
        }
    }
    trace->good = !board.stage.failed;
    if (board.stage.failed)
        fprintf(stderr, "%s: %s: 0x%08x\n", scene->name, board.stage.failed, (unsigned)board.stage.error);
    stage_canvas_close(&board);
}

bool bench_traces(const char *folder)
{
    bool good = true;

    for (unsigned i = 0; i < catalogue_scene_count; i++) {
        struct trace trace = {.scene = &catalogue_scenes[i]};
        FILE *file;

        if (!bench_is_wanted(trace.scene->name))
            continue;
        fprintf(stderr, "recording %s\n", trace.scene->name);
        snprintf(trace.path, sizeof(trace.path), "%s/%s.trace", folder, trace.scene->name);
        remove(trace.path);
        if (!bench_in_child(cpu_level_detected(), 1, record, &trace, sizeof(trace)) || !trace.good) {
            good = false;
        } else if (!(file = fopen(trace.path, "r"))) {
            fprintf(stderr, "bench: %s cannot be written\n", trace.path);
            good = false;
        } else {
            fclose(file);
        }
    }
    return good;
}
