/* SPDX-License-Identifier: MIT */
/* Stands in for the compiler of shader bytecode until shader/ has it: refuses every shader. */
#include "shader/shader.h"

#include <string.h>

#define WEAK __attribute__((weak))

WEAK struct shader_program *shader_compile(const uint32_t *tokens, size_t count, struct shader_error *error)
{
    (void)tokens;
    (void)count;
    memset(error, 0, sizeof(*error));
    strcpy(error->text, "shaders are not executed yet");
    return NULL;
}

WEAK void shader_destroy(struct shader_program *program)
{
    (void)program;
}

WEAK size_t shader_binding_size(const struct shader_program *program, unsigned float_count)
{
    (void)program;
    (void)float_count;
    return 0;
}

WEAK struct shader_binding *shader_bind(void *memory, const struct shader_program *program,
                                        const struct shader_constants *constants)
{
    (void)memory;
    (void)program;
    (void)constants;
    return NULL;
}

WEAK shader_vertex_fn shader_vertex_executor(enum cpu_level level)
{
    (void)level;
    return NULL;
}

WEAK raster_shade_fn shader_pixel_executor(enum cpu_level level)
{
    (void)level;
    return NULL;
}
