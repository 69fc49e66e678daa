/* SPDX-License-Identifier: MIT */
/*
 * Chooses the executors of a CPU level.
 */
#include "shader/shader.h"

#include "shader/ir/ir.h"

#define LEVELS(name)                                           \
    {                                                          \
        name##_scalar, name##_sse2, name##_avx2, name##_avx512 \
    }

void shader_run_pixels_scalar(const void *program, struct raster_batch *batch);
void shader_run_pixels_sse2(const void *program, struct raster_batch *batch);
void shader_run_pixels_avx2(const void *program, struct raster_batch *batch);
void shader_run_pixels_avx512(const void *program, struct raster_batch *batch);

void shader_run_vertices_scalar(const struct shader_binding *binding, struct shader_vertex_batch *batch);
void shader_run_vertices_sse2(const struct shader_binding *binding, struct shader_vertex_batch *batch);
void shader_run_vertices_avx2(const struct shader_binding *binding, struct shader_vertex_batch *batch);
void shader_run_vertices_avx512(const struct shader_binding *binding, struct shader_vertex_batch *batch);

raster_shade_fn shader_pixel_executor(enum cpu_level level)
{
    static const raster_shade_fn table[CPU_LEVEL_COUNT] = LEVELS(shader_run_pixels);

    return table[level];
}

shader_vertex_fn shader_vertex_executor(enum cpu_level level)
{
    static const shader_vertex_fn table[CPU_LEVEL_COUNT] = LEVELS(shader_run_vertices);

    return table[level];
}
