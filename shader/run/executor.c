/* SPDX-License-Identifier: MIT */
/*
 * Chooses the executors of a CPU level.
 */
#include "shader/shader.h"

#include "shader/ir/ir.h"

#define DECLARE(NUMBER, level)                                                                    \
    bool shader_shade_narrow_block_##level(const void *program, const struct raster_block *block, \
                                           struct raster_batch *batch);                           \
    void shader_run_pixels_##level(const void *program, struct raster_batch *batch);              \
    void shader_run_narrow_##level(const void *program, struct raster_batch *batch);              \
    void shader_run_vertices_##level(const struct shader_binding *binding, struct shader_vertex_batch *batch);
CPU_LEVELS(DECLARE)

#define PIXEL_EXECUTOR(NUMBER, level)  shader_run_pixels_##level,
#define NARROW_EXECUTOR(NUMBER, level) shader_run_narrow_##level,
#define BLOCK_EXECUTOR(NUMBER, level)  shader_shade_narrow_block_##level,
#define VERTEX_EXECUTOR(NUMBER, level) shader_run_vertices_##level,

raster_shade_fn shader_pixel_executor(enum cpu_level level)
{
    static const raster_shade_fn table[CPU_LEVEL_COUNT] = {CPU_LEVELS(PIXEL_EXECUTOR)};

    return table[level];
}

raster_shade_fn shader_narrow_executor(enum cpu_level level)
{
    static const raster_shade_fn table[CPU_LEVEL_COUNT] = {CPU_LEVELS(NARROW_EXECUTOR)};

    return table[level];
}

raster_block_fn shader_narrow_block_executor(enum cpu_level level)
{
    static const raster_block_fn table[CPU_LEVEL_COUNT] = {CPU_LEVELS(BLOCK_EXECUTOR)};

    return level >= CPU_GENERATED && level < CPU_LEVEL_COUNT ? table[level] : NULL;
}

shader_vertex_fn shader_vertex_executor(enum cpu_level level)
{
    static const shader_vertex_fn table[CPU_LEVEL_COUNT] = {CPU_LEVELS(VERTEX_EXECUTOR)};

    return table[level];
}
