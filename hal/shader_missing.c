/* SPDX-License-Identifier: MIT */
/* Stands in for the executors of shader programs until shader/ has them. */
#include "shader/shader.h"

#ifdef _WIN32
#define WEAK
#else
#define WEAK __attribute__((weak))
#endif

static void run_nothing(const struct shader_binding *binding, struct shader_vertex_batch *batch)
{
    (void)binding;
    (void)batch;
}

static void shade_nothing(const void *program, struct raster_batch *batch)
{
    (void)program;
    (void)batch;
}

WEAK shader_vertex_fn shader_vertex_executor(enum cpu_level level)
{
    (void)level;
    return run_nothing;
}

WEAK raster_shade_fn shader_pixel_executor(enum cpu_level level)
{
    (void)level;
    return shade_nothing;
}
