/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as shader bytecode: measured, disassembled, validated, compiled, printed, and what compiles is run with
 * every executor, half of it as machine code; then all of it is created and drawn with through the driver interface. The
 * first byte chooses whether the rest is the code itself or random bytecode that the bytes then spoil here and there, and
 * the states of the draw.
 */
#include <stdlib.h>

#include "bytecode/validate.h"
#include "tests/stage/stage.h"
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

static struct shader_binding *bind_program(const struct shader_program *program)
{
    static const float floats[16][4] = {{1, 2, 3, 4}, {-1, 0.5f, 0, 1e30f}, {1e9f, -1e9f, 3, 0}};
    static const int32_t integers[4][4] = {{3, 1, 1}, {255, -1, 2147483647}, {2147483647, -2147483647, -1}, {2, 40, 9}};
    static const uint32_t booleans[16] = {1, 0, 1, 1};
    const struct shader_constants constants = {floats, 16, integers, 4, booleans, 16};
    struct shader_binding *b;

    if (shader_binding_size(program, 16) > sizeof(memory))
        abort();
    b = shader_bind(memory, program, &constants);
    for (unsigned s = 0; s < shader_sampler_count(program); s++) {
        b->sampler[s].texture = s & 1 ? &texture : NULL;
        b->sampler[s].mag_filter = b->sampler[s].min_filter = RASTER_FILTER_LINEAR;
    }
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = (uint8_t)k;
    return b;
}

static void run(const struct shader_program *program)
{
    struct shader_binding *b = bind_program(program);
    static enum cpu_level best = CPU_LEVEL_COUNT;
    static struct shader_jit *jit;

    if (best == CPU_LEVEL_COUNT) {
        best = cpu_level_detected();
        jit = shader_jit_create(best, 1 << 20, false);
    }
    if (program->instruction_count & 1)
        shader_generate(program, jit);
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

/* Creation may fail; drawing may draw nothing; both come back. */
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

/* Rules are asked of anything. */
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
