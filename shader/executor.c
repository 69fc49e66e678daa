/* SPDX-License-Identifier: MIT */
#include "shader/ir.h"

void shader_execute_scalar(const void *program, struct raster_batch *batch);
void shader_execute_sse2(const void *program, struct raster_batch *batch);
void shader_execute_avx2(const void *program, struct raster_batch *batch);
void shader_execute_avx512(const void *program, struct raster_batch *batch);

raster_shade_fn shader_executor(enum cpu_level level)
{
    static const raster_shade_fn table[CPU_LEVEL_COUNT] = {
        shader_execute_scalar,
        shader_execute_sse2,
        shader_execute_avx2,
        shader_execute_avx512,
    };
    return table[level];
}
