/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as shader bytecode: measured, disassembled, validated, compiled, printed. Code that compiles is run with
 * every executor, half of it as machine code between guard pages; the results must be the same whatever lies around the
 * values. Then all of it is created and drawn with through the driver interface. The first byte chooses the states of
 * the draw, and whether the rest is the code itself or random bytecode that the bytes then corrupt in some places.
 */
#include <stdlib.h>

#include "base/digest.h"
#include "bytecode/validate.h"
#include "tests/fuzz/guarded.h"
#include "tests/stage/stage.h"
#include "tests/unit/shader_random.h"

/* The size of the machine, which is the same at all levels */
#define KERNEL_LEVEL  0
#define KERNEL_SUFFIX _scalar
#include "shader/run/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct shader_random generator;
static uint32_t texels[6 * 16];
static const struct raster_texture texture = {
    .kind = RASTER_TEXTURE_CUBE, .level_count = 1, .level = {{texels, 4, 4, 1, 4, 16}}};
static char text[16384];

/* --- executors --------------------------------------------------------------------------------- */

enum { FLOATS = 16, LANES = 16 };

/* The input and output of an executor, between guard pages, since sanitizers do not see the accesses of generated
 * code. */
static struct arena {
    struct guarded binding, machine, pixels, vertices;
    bool at_end; /* before the second page, else after the first */
} arena;

static void open_arena(void)
{
    if (arena.binding.first)
        return;
    arena.binding = guarded_create(262144);
    arena.machine = guarded_create(RASTER_SCRATCH_BYTES);
    arena.pixels = guarded_create(sizeof(struct raster_batch));
    arena.vertices = guarded_create(sizeof(struct shader_vertex_batch));
}

static struct shader_binding *bind_program(const struct shader_program *program)
{
    static const float floats[FLOATS][4] = {{1, 2, 3, 4}, {-1, 0.5f, 0, 1e30f}, {1e9f, -1e9f, 3, 0}};
    static const int32_t integers[4][4] = {{3, 1, 1}, {255, -1, 2147483647}, {2147483647, -2147483647, -1}, {2, 40, 9}};
    static const uint32_t booleans[16] = {1, 0, 1, 1};
    const struct shader_constants constants = {floats, FLOATS, integers, 4, booleans, 16};
    struct shader_binding *b = shader_bind(
        guarded_place(&arena.binding, shader_binding_size(program, FLOATS), arena.at_end), program, &constants);

    for (unsigned s = 0; s < shader_sampler_count(program); s++) {
        b->sampler[s].texture = s & 1 ? &texture : NULL;
        b->sampler[s].mag_filter = b->sampler[s].min_filter = RASTER_FILTER_LINEAR;
    }
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = (uint8_t)k;
    return b;
}

/* Floats of all kinds, the same for a seed. */
static void fill_floats(float *to, size_t count, uint64_t seed)
{
    struct shader_random random = {.state = seed};

    for (size_t i = 0; i < count; i++)
        to[i] = random_float(&random);
}

/* Memory that nobody has written holds other bytes in each run, so that code that reads it gives other results. */
static void *fill_scratch(uint8_t poison)
{
    memset(arena.machine.first, poison, arena.machine.room);
    return guarded_place(&arena.machine, sizeof(struct machine), arena.at_end);
}

/* The output of a run in a batch, except lanes and registers that nothing writes. */
struct result {
    uint64_t covered;
    float lanes[SHADER_MAX_OUTPUTS][4][LANES], z[LANES];
};

static struct shader_vertex_batch *run_vertices(const struct shader_binding *b, enum cpu_level level, uint8_t poison,
                                                struct result *result)
{
    struct shader_vertex_batch *batch = guarded_place(&arena.vertices, sizeof(*batch), arena.at_end);

    memset(arena.vertices.first, poison, arena.vertices.room);
    fill_floats(batch->input[0][0], sizeof(batch->input) / sizeof(float), 1);
    batch->count = 5;
    batch->scratch = fill_scratch(poison);
    shader_vertex_executor(level)(b, batch);
    for (unsigned o = 0; o < SHADER_MAX_OUTPUTS; o++)
        for (unsigned c = 0; c < 4 && b->program->outputs_written >> o & 1; c++)
            memcpy(result->lanes[o][c], batch->output[o][c], batch->count * sizeof(float));
    return batch;
}

static struct raster_batch *run_pixels(const struct shader_binding *b, enum cpu_level level, uint8_t poison,
                                       struct result *result)
{
    struct raster_batch *batch = guarded_place(&arena.pixels, sizeof(*batch), arena.at_end);

    memset(arena.pixels.first, poison, arena.pixels.room);
    fill_floats(batch->input[0][0], sizeof(batch->input) / sizeof(float), 2);
    fill_floats(batch->x, 4 * RASTER_LANES, 3); /* x, y, z, w */
    for (unsigned q = 0; q < RASTER_LANES / RASTER_QUAD_LANES; q++)
        batch->front_facing[q] = q & 1;
    batch->covered = 0xffff;
    batch->group_count = LANES / RASTER_GROUP_LANES;
    batch->again = false;
    batch->scratch = fill_scratch(poison);
    shader_pixel_executor(level)(b, batch);
    result->covered = batch->covered;
    memcpy(result->z, batch->z, sizeof(result->z));
    for (unsigned o = 0; o < RASTER_MAX_TARGETS; o++)
        for (unsigned c = 0; c < 4 && b->program->outputs_written >> o & 1; c++)
            memcpy(result->lanes[o][c], batch->color[o][c], sizeof(result->lanes[o][c]));
    return batch;
}

/* Inputs are only read. */
static void check_inputs(const float *inputs, size_t count, uint64_t seed)
{
    static float wanted[SHADER_MAX_INPUTS * 4 * SHADER_LANES];

    fill_floats(wanted, count, seed);
    if (memcmp(inputs, wanted, count * sizeof(float)))
        abort();
}

static void run_level(const struct shader_binding *b, enum cpu_level level, uint8_t poison, struct result *result)
{
    const size_t bytes = shader_binding_size(b->program, FLOATS);
    const uint64_t before = digest_of(b, bytes, 0);

    memset(result, 0, sizeof(*result));
    if (b->program->stage == SHADER_VERTEX) {
        const struct shader_vertex_batch *batch = run_vertices(b, level, poison, result);

        check_inputs(batch->input[0][0], sizeof(batch->input) / sizeof(float), 1);
    } else {
        const struct raster_batch *batch = run_pixels(b, level, poison, result);

        check_inputs(batch->input[0][0], sizeof(batch->input) / sizeof(float), 2);
    }
    if (digest_of(b, bytes, 0) != before)
        abort();
}

/* Compares the results of all levels, then those of machine code, for half of the programs. */
static void run(const struct shader_program *program)
{
    static enum cpu_level best = CPU_LEVEL_COUNT;
    static struct shader_jit *jit[CPU_LEVEL_COUNT];
    static struct result first, other;
    const enum cpu_level generated = program->instruction_count & 2 ? CPU_AVX2 : CPU_AVX512;
    struct shader_binding *b;

    if (best == CPU_LEVEL_COUNT) {
        best = cpu_level_detected();
        for (enum cpu_level level = CPU_AVX2; level <= best; level++)
            jit[level] = shader_jit_create(level, 1 << 20, false);
        open_arena();
    }
    arena.at_end = program->instruction_count & 4;
    b = bind_program(program);
    for (enum cpu_level level = CPU_SCALAR; level <= best; level++) {
        b->sample = raster_sample_lod_kernel(level);
        run_level(b, level, (uint8_t)(0x11 * (1 + level)), level ? &other : &first);
        if (level && memcmp(&first, &other, sizeof(first)))
            abort();
    }
    if (!(program->instruction_count & 1) || generated > best || !jit[generated])
        return;
    shader_generate(program, jit[generated]);
    b->sample = raster_sample_lod_kernel(generated);
    run_level(b, generated, 0xc3, &other);
    if (memcmp(&first, &other, sizeof(first)))
        abort();
}

/* --- through the driver -------------------------------------------------------------------- */

enum { DRAW_SIZE = 8, SHADER_HANDLE = 5, DECLARATION_HANDLE = 3, STATE_SRGBWRITEENABLE = 194 };

static struct stage stage;

static void fill_texture(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    for (unsigned y = 0; y < height; y++)
        memset(lock->bits + y * lock->pitch, (int)(37 * y + level), 4 * width);
}

static void open_stage(void)
{
    /* position, texcoord, colour, normal: four floats each */
    static const uint16_t elements[4][4] = {{0, 0, 3, 0}, {0, 16, 3, 5}, {0, 32, 3, 10}, {0, 48, 3, 3}};
    uint32_t body[2 + 8] = {DECLARATION_HANDLE, 4};

    if (!stage_open(&stage, DRAW_SIZE, DRAW_SIZE, D3DFMT_A8R8G8B8, D3DFMT_D24S8) ||
        !stage_set_level(&stage, DDI_LEVEL_DX9))
        abort();
    memcpy(&body[2], elements, sizeof(elements));
    stage_command(&stage, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, body, sizeof(body));
    stage_command(&stage, D3DDP2OP_SETVERTEXSHADERDECL, 1, body, 4);
    for (unsigned s = 0; s < 16; s += 2)
        stage_texture_state(&stage, s, 0, stage_texture(&stage, D3DFMT_A8R8G8B8, 8, 8, 4, fill_texture));
    for (unsigned s = 257; s < 261; s++)
        stage_texture_state(&stage, s, 0, stage_texture(&stage, D3DFMT_A8R8G8B8, 4, 4, 1, fill_texture));
    for (unsigned c = 0; c < 32; c++) {
        const float values[4] = {(float)c, -0.5f, 1e30f, 1.0f / (float)(c + 1)};

        stage_constants(&stage, c & 1, c, 1, values);
    }
}

static void set_states(uint8_t choice)
{
    stage_state(&stage, D3DRS_ZENABLE, choice >> 1 & 1);
    stage_state(&stage, D3DRS_ALPHATESTENABLE, choice >> 2 & 1);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, choice >> 3 & 1);
    stage_state(&stage, D3DRS_FOGENABLE, choice >> 4 & 1);
    stage_state(&stage, D3DRS_POINTSPRITEENABLE, choice >> 5 & 1);
    stage_state(&stage, STATE_SRGBWRITEENABLE, choice >> 6 & 1);
    stage_state(&stage, D3DRS_FILLMODE, choice >> 7 ? D3DFILL_WIREFRAME : D3DFILL_SOLID);
}

/* Creation may fail, and drawing may draw nothing; both must return. */
static void draw(const uint32_t *tokens, size_t count, bool pixel, uint8_t choice)
{
    static const float vertices[4][16] = {{-1, 1, 0.5f, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0},
                                          {1, 1, 0.5f, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0},
                                          {-1, -1, 0.5f, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0},
                                          {1, -1, 0.5f, 1, 1, 1, 0, 1, 9, -9, 0, 1, 0, 0, 0, 0}};
    const uint8_t create = pixel ? D3DDP2OP_CREATEPIXELSHADER : D3DDP2OP_CREATEVERTEXSHADERFUNC;
    const uint8_t set = pixel ? D3DDP2OP_SETPIXELSHADER : D3DDP2OP_SETVERTEXSHADERFUNC;
    const uint8_t remove = pixel ? D3DDP2OP_DELETEPIXELSHADER : D3DDP2OP_DELETEVERTEXSHADERFUNC;
    static uint32_t body[2 + RANDOM_MAX_TOKENS];

    if (count > RANDOM_MAX_TOKENS)
        return;
    if (!stage.client)
        open_stage();
    body[0] = SHADER_HANDLE;
    body[1] = (uint32_t)(4 * count);
    memcpy(&body[2], tokens, 4 * count);
    set_states(choice);
    stage_command(&stage, create, 1, body, 8 + 4 * count);
    if (stage_take_error(&stage) == DD_OK) {
        stage_command(&stage, set, 1, body, 4);
        stage_draw_vertices(&stage, choice >> 5 & 1 ? D3DPT_POINTLIST : D3DPT_TRIANGLESTRIP, 2, vertices, 4,
                            sizeof(vertices[0]));
        stage_command(&stage, remove, 1, body, 4);
    }
    stage_take_error(&stage);
}

static void spoil(struct shader_random *r, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 3 <= size && i < 12; i += 3)
        r->tokens[(data[i] | data[i + 1] << 8) % r->count] ^= 1u << (data[i + 2] & 31);
}

/* The rules are tried with anything. */
static void check_rules(const uint32_t *tokens, size_t count)
{
    static const struct shader_limits full = {
        .vertex_2x = {true, true, true, true, true, 32, 512, 4, 24},
        .pixel_2x = {true, true, true, true, true, 32, 512, 4, 24},
    };
    struct shader_error error = {0};

    if (!shader_validate(tokens, count, &full, &error) && (!error.text[0] || error.offset > count))
        abort();
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
    check_rules(copy, count);
    if (count)
        draw(copy, count, copy[0] >> 16 == 0xffff, data[0]);
    program = shader_compile(copy, count, &error);
    free(copy);
    if (!program)
        return error.text[0] == 0 || error.offset > count ? (abort(), 0) : 0;
    shader_print_ir(program, text, sizeof(text));
    run(program);
    shader_destroy(program);
    return 0;
}
