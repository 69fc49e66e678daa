/* SPDX-License-Identifier: MIT */
/*
 * A program with the API's values at the time of a draw.
 */
#include "base/assert.h"
#include "base/bytes.h"
#include "shader/code.h"

#include <string.h>

static unsigned floats_held(const struct shader_program *program, unsigned float_count)
{
    unsigned count = program->float_count;

    if (program->relative_constants)
        count = BASE_MAX(count, float_count);
    return BASE_MIN(count, SHADER_MAX_FLOATS);
}

static size_t align64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Where the constants begin, in bytes: before registers and samplers, because they change most often and bindings are compared. */
static size_t floats_at(void)
{
    return align64(sizeof(struct shader_binding));
}

size_t shader_binding_size(const struct shader_program *program, unsigned float_count)
{
    return align64(floats_at() + floats_held(program, float_count) * 4 * sizeof(float) +
                   sizeof(struct shader_registers) + shader_sampler_count(program) * sizeof(struct raster_sampler));
}

static int32_t binding_limited(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* The integers that the program reads. count is 0..255 as in hardware; start and step are limited so that the counter cannot overflow */
static void bind_integers(struct shader_binding *b, const struct shader_constants *constants)
{
    const struct shader_program *program = b->program;

    for (unsigned left = program->integers_read | program->code->integers_defined; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const int32_t *from = NULL;

        if (program->code->integers_defined >> i & 1)
            from = program->code->integers[i];
        else if (i < constants->integer_count)
            from = constants->integers[i];
        if (!from)
            continue;
        b->registers->integers[i][0] = binding_limited(from[0], 0, 255);
        b->registers->integers[i][1] = binding_limited(from[1], -8192, 8192);
        b->registers->integers[i][2] = binding_limited(from[2], -8192, 8192);
    }
}

/* The booleans that the program reads. */
static void bind_booleans(struct shader_binding *b, const struct shader_constants *constants)
{
    b->booleans = b->program->code->booleans;
    for (unsigned left = b->program->booleans_read; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        if (i < constants->boolean_count && constants->booleans[i])
            b->booleans |= (uint16_t)(1u << i);
    }
}

/* Compares bindings byte by byte: the memory of a binding holds only values. */
bool shader_same_values(const struct shader_binding *a, const struct shader_binding *b, size_t bytes)
{
    return a->sample == b->sample && a->float_count == b->float_count && a->booleans == b->booleans &&
           base_equal(a->input, b->input, a->program->input_count) && base_equal(a + 1, b + 1, bytes - sizeof(*a));
}

struct shader_binding *shader_bind(void *memory, const struct shader_program *program,
                                   const struct shader_constants *constants)
{
    const struct shader_code *code = program->code;
    const unsigned count = floats_held(program, constants->float_count),
                   given = BASE_MIN(count, constants->float_count);
    const size_t end = shader_binding_size(program, constants->float_count);
    const size_t unset = floats_at() + given * 4 * sizeof(float);
    struct shader_binding *b = memory;
    float(*floats)[4] = (float(*)[4])((char *)memory + floats_at());
    struct shader_registers *registers = (struct shader_registers *)(floats + count);

    BASE_ASSERT((uintptr_t)memory % 64 == 0);
    memset(b, 0, floats_at());
    if (given)
        memcpy(floats, constants->floats, given * sizeof(*floats));
    memset((char *)memory + unset, 0, end - unset);
    b->program = program;
    b->registers = registers;
    b->sampler = (struct raster_sampler *)(registers + 1);
    memset(b->input, SHADER_NO_INPUT, sizeof(b->input));
    for (unsigned left = program->bump_stages; left; left &= left - 1) {
        const unsigned s = (unsigned)__builtin_ctz(left);

        registers->bump[s][0] = registers->bump[s][3] = registers->luminance[s][0] = 1.0f;
    }
    for (unsigned i = 0; i < code->definition_count; i++) {
        BASE_ASSERT(code->definitions[i].index < count);
        memcpy(floats[code->definitions[i].index], code->definitions[i].value, sizeof(*floats));
    }
    b->floats = (const float(*)[4])floats;
    b->float_count = count;
    bind_integers(b, constants);
    bind_booleans(b, constants);
    return b;
}
