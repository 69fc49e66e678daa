/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as shader bytecode: measured, disassembled, compiled, printed, and what compiles is run with
 * every executor. The first byte chooses whether the rest is the code itself or random bytecode that the
 * bytes then spoil here and there.
 */
#include <stdlib.h>

#include "tests/unit/shader_random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct shader_random generator;
static _Alignas(64) char memory[262144];
static struct shader_vertex_batch vertices;
static struct raster_batch pixels;
static uint32_t texels[6 * 16];
static const struct raster_texture texture = {
    .kind = RASTER_TEXTURE_CUBE, .level_count = 1, .level = {{texels, 4, 4, 1, 4, 16}}};
static char text[16384];

static struct shader_binding *bind(const struct shader_program *program)
{
    static const float floats[16][4] = {{1, 2, 3, 4}, {-1, 0.5f, 0, 1e30f}, {1e9f, -1e9f, 3, 0}};
    static const int32_t integers[4][4] = {{3, 1, 1}, {255, -1, 2147483647}, {2147483647, -2147483647, -1}, {2, 40, 9}};
    static const uint32_t booleans[16] = {1, 0, 1, 1};
    const struct shader_constants constants = {floats, 16, integers, 4, booleans, 16};
    struct shader_binding *b;

    if (shader_binding_size(program, 16) > sizeof(memory))
        abort();
    b = shader_bind(memory, program, &constants);
    for (unsigned s = 0; s < SHADER_MAX_SAMPLERS; s++) {
        b->sampler[s].texture = s & 1 ? &texture : NULL;
        b->sampler[s].mag_filter = b->sampler[s].min_filter = RASTER_FILTER_LINEAR;
    }
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = (uint8_t)k;
    return b;
}

static void run(const struct shader_program *program)
{
    struct shader_binding *b = bind(program);
    static enum cpu_level best = CPU_LEVEL_COUNT;

    if (best == CPU_LEVEL_COUNT)
        best = cpu_level_detected();

    for (enum cpu_level level = CPU_SCALAR; level <= best; level++) {
        b->sample = raster_sample_lod_kernel(level);
        if (program->stage == SHADER_VERTEX) {
            vertices.count = 5;
            shader_vertex_executor(level)(b, &vertices);
        } else {
            pixels.covered = 0xffff;
            pixels.group_count = 1;
            shader_pixel_executor(level)(b, &pixels);
        }
    }
}

static void spoil(struct shader_random *r, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 3 <= size && i < 12; i += 3)
        r->tokens[(data[i] | data[i + 1] << 8) % r->count] ^= 1u << (data[i + 2] & 31);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shader_program *program;
    struct shader_error error;
    const uint32_t *tokens;
    size_t count;
    uint32_t *copy = NULL;

    if (size < 9)
        return 0;
    if (data[0] & 1) {
        memcpy(&generator.state, data + 1, 8);
        random_program(&generator, 40);
        spoil(&generator, data + 9, size - 9);
        count = generator.count;
        tokens = generator.tokens;
    } else {
        count = (size - 1) / 4;
        tokens = NULL;
    }
    copy = malloc(count * 4); /* so that the sanitizer knows its end */
    if (!copy)
        return 0;
    memcpy(copy, tokens ? (const void *)tokens : data + 1, count * 4);
    if (shader_bytecode_length(copy, count) > count)
        abort();
    shader_disassemble(copy, count, text, sizeof(text));
    program = shader_compile(copy, count, &error);
    free(copy);
    if (!program)
        return error.text[0] == 0 || error.offset > count ? (abort(), 0) : 0;
    shader_print_ir(program, text, sizeof(text));
    run(program);
    shader_destroy(program);
    return 0;
}
