/* SPDX-License-Identifier: MIT */
/*
 * The texture-stage cascade: every operation compared with the values of Wine's texop test
 * (docs/reference/pixel-output.md, section 3), the rules of the cascade, and all executors compared with the scalar one
 * on random cascades.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shader/stages.h"
#include "tests/random.h"

enum {
    TA_DIFFUSE,
    TA_CURRENT,
    TA_TEXTURE,
    TA_TFACTOR,
    TA_SPECULAR,
    TA_TEMP,
    TA_COMPLEMENT = 16,
    TA_ALPHAREPLICATE = 32
};
enum { OP_DISABLE = 1, OP_SELECTARG1 = 2, OP_MODULATE = 4, OP_ADD = 7, OP_PREMODULATE = 17, OP_DOTPRODUCT3 = 24 };

struct fixture {
    struct stages_program program;
    _Alignas(64) uint8_t memory[STAGES_BINDING_BYTES];
    struct raster_texture texture[STAGES_MAX];
    uint32_t texels[STAGES_MAX][16];
    struct raster_batch batch;
};

static struct fixture *fixture_create(void)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));

    for (unsigned s = 0; s < STAGES_MAX; s++) {
        f->texture[s].level_count = 1;
        f->texture[s].level[0] = (struct raster_texture_level){f->texels[s], 4, 4, 1, 4, 16};
    }
    return f;
}

static void color(uint32_t argb, float rgba[4])
{
    for (unsigned c = 0; c < 3; c++)
        rgba[c] = (float)(argb >> (16 - 8 * c) & 255) / 255.0f;
    rgba[3] = (float)(argb >> 24) / 255.0f;
}

/* Runs the cascade with the same diffuse and specular in all lanes; returns lane 0 as 0xAARRGGBB. */
static uint32_t run(struct fixture *f, const struct stages_key *key, uint32_t diffuse, uint32_t specular,
                    uint32_t factor, enum cpu_level level)
{
    uint32_t out = 0;
    static const unsigned place[4] = {16, 8, 0, 24};
    float value[2][4], rgba[4];

    stages_compile(key, &f->program);
    struct shader_binding *binding = stages_bind(f->memory, &f->program, level);
    color(factor, rgba);
    stages_set_constant(binding, STAGES_CONSTANT_FACTOR, rgba);
    for (unsigned s = 0; s < shader_sampler_count(binding->program); s++) {
        binding->sampler[s].texture = &f->texture[s];
        binding->sampler[s].mag_filter = binding->sampler[s].min_filter = RASTER_FILTER_POINT;
    }
    color(diffuse, value[0]);
    color(specular, value[1]);
    f->batch.group_count = 4;
    for (unsigned i = 0; i < f->program.input_count; i++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < RASTER_LANES; l++)
                f->batch.input[i][c][l] = f->program.input[i] <= STAGES_SPECULAR ? value[f->program.input[i]][c] : 0.5f;
    shader_pixel_executor(level)(binding, &f->batch);
    stages_destroy(&f->program);
    for (unsigned c = 0; c < 4; c++) {
        float v = f->batch.color[0][c][0];

        assert_true(v >= -1e-5f && v <= 1.00001f);
        out |= (uint32_t)(v * 255.0f + 0.5f) << place[c];
    }
    return out;
}

static bool near(uint32_t a, uint32_t b, int tolerance)
{
    for (unsigned shift = 0; shift < 24; shift += 8)
        if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) > tolerance)
            return false;
    return true;
}

static const struct {
    unsigned op;
    uint32_t rgb;
} texop[] = {
    {2, 0x00ff00},  {3, 0x333333},  {4, 0x003300},  {5, 0x006600},  {6, 0x00cc00},  {7, 0x33ff33},
    {8, 0x00b200},  {9, 0x00ff00},  {10, 0x00cc00}, {11, 0x33ff33}, {12, 0x227722}, {13, 0x14ad14},
    {14, 0x07e407}, {15, 0x14ff14}, {16, 0x227722}, {18, 0x1fff1f}, {19, 0x99cc99}, {20, 0x14ff14},
    {21, 0xcc99cc}, {24, 0x999999}, {25, 0xff3300}, {26, 0x003333},
};

static void test_operations(void **state)
{
    struct fixture *f = fixture_create();

    (void)state;
    for (unsigned i = 0; i < 16; i++)
        f->texels[0][i] = 0x9900ff00;
    for (unsigned i = 0; i < ARRAY_COUNT(texop); i++) {
        struct stages_key key = {0};

        key.stage[0] = (struct stage_key){.color_op = (uint8_t)texop[i].op,
                                          .alpha_op = OP_SELECTARG1,
                                          .color_arg = {TA_DIFFUSE, TA_TEXTURE, TA_TFACTOR},
                                          .alpha_arg = {TA_CURRENT, TA_DIFFUSE, TA_CURRENT},
                                          .textured = 1};
        uint32_t got = run(f, &key, 0x55ff0000, 0, 0xdd333333, cpu_level_detected());
        if (!near(got, texop[i].rgb, 3))
            fail_msg("operation %u: %06x instead of %06x", texop[i].op, got & 0xffffff, texop[i].rgb);
        if (texop[i].op == OP_DOTPRODUCT3)
            assert_in_range(got >> 24, 0x98, 0x9a); /* writes alpha too */
        else
            assert_int_equal(got >> 24, 0x55);
    }
    mem_free_aligned(f);
}

static void test_cascade_rules(void **state)
{
    struct fixture *f = fixture_create();
    struct stages_key key = {0};
    const struct stage_key modulate = {.color_op = OP_MODULATE,
                                       .alpha_op = OP_SELECTARG1,
                                       .color_arg = {1, TA_TEXTURE, TA_CURRENT},
                                       .alpha_arg = {1, TA_TEXTURE, TA_CURRENT}};

    (void)state;
    /* without the texture that the colour operation needs, the cascade ends with the diffuse colour */
    key.stage[0] = modulate;
    assert_int_equal(run(f, &key, 0x80ff8040, 0, 0, CPU_SCALAR), 0x80ff8040);
    /* saturation after every stage: 1 + 1 - 1/2 = 1/2, not 1 */
    memset(&key, 0, sizeof(key));
    key.stage[0] = (struct stage_key){.color_op = OP_ADD,
                                      .alpha_op = OP_SELECTARG1,
                                      .color_arg = {1, TA_DIFFUSE, TA_DIFFUSE},
                                      .alpha_arg = {1, TA_DIFFUSE, 1}};
    key.stage[1] = (struct stage_key){.color_op = 10, .alpha_op = OP_DISABLE, .color_arg = {1, TA_CURRENT, TA_TFACTOR}};
    assert_true(near(run(f, &key, 0xffffffff, 0, 0xff808080, CPU_SCALAR), 0x7f7f7f, 1));
    /* TEMP: the last active stage writes CURRENT whatever RESULTARG says */
    key.stage[1].result_temp = 1;
    assert_true(near(run(f, &key, 0xffffffff, 0, 0xff808080, CPU_SCALAR), 0x7f7f7f, 1));
    /* a value kept in TEMP comes back */
    memset(&key, 0, sizeof(key));
    key.stage[0] = (struct stage_key){.color_op = OP_SELECTARG1,
                                      .alpha_op = OP_SELECTARG1,
                                      .result_temp = 1,
                                      .color_arg = {1, TA_TFACTOR, 1},
                                      .alpha_arg = {1, TA_TFACTOR, 1}};
    key.stage[1] = (struct stage_key){.color_op = OP_MODULATE,
                                      .alpha_op = OP_SELECTARG1,
                                      .color_arg = {1, TA_TEMP, TA_CURRENT},
                                      .alpha_arg = {1, TA_TEMP, 1}};
    assert_true(near(run(f, &key, 0xff00ffff, 0, 0x40ffff00, CPU_SCALAR), 0x00ff00, 0));
    /* modifiers: complement first, then its alpha */
    memset(&key, 0, sizeof(key));
    key.stage[0] = (struct stage_key){.color_op = OP_SELECTARG1,
                                      .alpha_op = OP_SELECTARG1,
                                      .color_arg = {1, TA_DIFFUSE | TA_COMPLEMENT | TA_ALPHAREPLICATE, 1},
                                      .alpha_arg = {1, TA_DIFFUSE, 1}};
    assert_int_equal(run(f, &key, 0x40123456, 0, 0, CPU_SCALAR), 0x40bfbfbf);
    /* specular is added to rgb, not to alpha */
    key.specular_add = 1;
    key.stage[0].color_arg[1] = TA_DIFFUSE;
    assert_int_equal(run(f, &key, 0x40100000, 0xff203040, 0, CPU_SCALAR), 0x40303040);
    mem_free_aligned(f);
}

static void test_premodulate(void **state)
{
    struct fixture *f = fixture_create();
    struct stages_key key = {0};

    (void)state;
    for (unsigned i = 0; i < 16; i++)
        f->texels[1][i] = 0xff00ff80;
    key.stage[0] = (struct stage_key){.color_op = OP_PREMODULATE,
                                      .alpha_op = OP_SELECTARG1,
                                      .color_arg = {1, TA_DIFFUSE, 1},
                                      .alpha_arg = {1, TA_DIFFUSE, 1}};
    key.stage[1] = (struct stage_key){.color_op = OP_SELECTARG1,
                                      .alpha_op = OP_SELECTARG1,
                                      .color_arg = {1, TA_CURRENT, 1},
                                      .alpha_arg = {1, TA_CURRENT, 1},
                                      .textured = 1};
    assert_int_equal(run(f, &key, 0xc0ff80ff, 0, 0, CPU_SCALAR), 0xc0008080);
    mem_free_aligned(f);
}

static void random_key(struct stages_key *key)
{
    static const uint8_t args[] = {0, 1, 2, 3, 4, 5, 0x10, 0x11, 0x12, 0x20, 0x22, 0x33};

    memset(key, 0, sizeof(*key));
    key->specular_add = (uint8_t)random_below(2);
    for (unsigned s = 0; s < STAGES_MAX; s++) {
        struct stage_key *k = &key->stage[s];

        k->color_op = (uint8_t)(2 + random_below(25));
        k->alpha_op = (uint8_t)(1 + random_below(26));
        for (unsigned i = 0; i < 3; i++) {
            k->color_arg[i] = args[random_below(ARRAY_COUNT(args))];
            k->alpha_arg[i] = args[random_below(ARRAY_COUNT(args))];
        }
        k->result_temp = (uint8_t)random_below(2);
        k->textured = random_below(8) != 0;
        k->projected = random_below(4) == 0;
        k->keyed = (uint8_t)(random_below(8) ? STAGE_UNKEYED : 1 + random_below(2));
    }
}

static void test_executors_agree(void **state)
{
    static float want[4][RASTER_LANES];
    uint64_t left = 0, killed = 0;
    struct fixture *f = fixture_create();

    (void)state;
    for (unsigned s = 0; s < STAGES_MAX; s++)
        for (unsigned i = 0; i < 16; i++)
            f->texels[s][i] = random_below(0x1000000) * (i % 4 ? 257u : 1u); /* sometimes alpha 0 */
    for (unsigned round = 0; round < 2000; round++) {
        struct stages_key key;

        random_key(&key);
        stages_compile(&key, &f->program);
        struct shader_binding *binding = stages_bind(f->memory, &f->program, CPU_SCALAR);
        f->batch.group_count = 1 + random_below(4);
        for (unsigned i = 0; i < shader_sampler_count(binding->program); i++) {
            struct raster_sampler *sampler = &binding->sampler[i];

            sampler->texture = &f->texture[i];
            for (unsigned a = 0; a < 3; a++)
                sampler->address[a] = (uint8_t)random_below(5);
            sampler->mag_filter = (uint8_t)(1 + random_below(2));
            sampler->min_filter = (uint8_t)(1 + random_below(2));
            sampler->border[round % 4] = 0.75f;
        }
        for (unsigned k = 0; k < STAGES_CONSTANT_COUNT; k++) {
            float value[4];

            for (unsigned c = 0; c < 4; c++)
                value[c] = (float)random_below(512) / 256.0f - 0.5f;
            stages_set_constant(binding, k, value);
        }
        for (unsigned k = 0; k < RASTER_MAX_INPUTS * 4 * RASTER_LANES; k++)
            ((float *)f->batch.input)[k] = (float)random_below(4096) / 1024.0f - 1.0f;
        for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
            binding->sample = raster_sample_lod_kernel((enum cpu_level)level);
            f->batch.covered = ~UINT64_C(0);
            shader_pixel_executor((enum cpu_level)level)(binding, &f->batch);
            if (level == CPU_SCALAR)
                left = f->batch.covered;
            else if (left != f->batch.covered)
                fail_msg("round %u: %s kills other lanes", round, cpu_level_name((enum cpu_level)level));
            killed |= ~left;
            for (unsigned c = 0; c < 4; c++) {
                size_t size = f->batch.group_count * RASTER_GROUP_LANES * sizeof(float);

                if (level == CPU_SCALAR)
                    memcpy(want[c], f->batch.color[0][c], size);
                else if (memcmp(want[c], f->batch.color[0][c], size))
                    fail_msg("round %u: %s differs in channel %u", round, cpu_level_name((enum cpu_level)level), c);
            }
        }
        stages_destroy(&f->program);
    }
    assert_true(killed);
    mem_free_aligned(f);
}

/* Numbers, sometimes NaN or infinite. */
static float any_float(void)
{
    static const uint32_t special[] = {0x7fc00000, 0xffc01234, 0x7f800000, 0xff800000, 0x80000000, 1, 0x7f7fffff, 0};
    float v = (float)random_below(4096) / 1024.0f - 1.0f;

    if (random_below(16) == 0)
        memcpy(&v, &special[random_below(ARRAY_COUNT(special))], sizeof(v));
    return v;
}

/* Runs a program of the fixture with values by their meanings. */
static void run_with(struct fixture *f, const struct stages_program *program, enum cpu_level level,
                     const float (*constants)[4], const float (*attributes)[4][RASTER_LANES])
{
    struct shader_binding *binding = stages_bind(f->memory, program, level);

    for (unsigned i = 0; i < shader_sampler_count(binding->program); i++) {
        binding->sampler[i].texture = &f->texture[i];
        binding->sampler[i].mag_filter = binding->sampler[i].min_filter = RASTER_FILTER_LINEAR;
    }
    for (unsigned k = 1; k < STAGES_CONSTANT_COUNT; k++)
        if (k != STAGES_CONSTANT_KEY)
            stages_set_constant(binding, k, constants[k]);
    for (unsigned i = 0; i < program->input_count; i++)
        memcpy(f->batch.input[i], attributes[program->input[i]], sizeof(f->batch.input[i]));
    f->batch.group_count = 4;
    f->batch.covered = ~UINT64_C(0);
    shader_pixel_executor(level)(binding, &f->batch);
}

/* A program without alpha gives the same red, green and blue, kills the same pixels, reads the same textures and is not
 * longer. */
static void test_without_alpha(void **state)
{
    static float attributes[STAGES_TEXCOORD0 + STAGES_MAX][4][RASTER_LANES], want[3][RASTER_LANES];
    struct fixture *f = fixture_create();
    unsigned shorter = 0;

    (void)state;
    for (unsigned s = 0; s < STAGES_MAX; s++)
        for (unsigned i = 0; i < 16; i++)
            f->texels[s][i] = random_below(0x1000000) * (i % 4 ? 257u : 1u);
    for (unsigned round = 0; round < 1500; round++) {
        struct stages_program opaque;
        struct stages_key key;
        float constants[STAGES_CONSTANT_COUNT][4];

        random_key(&key);
        if (round % 2) /* one or two stages */
            memset(&key.stage[1 + round / 2 % 2], 0, (STAGES_MAX - 1 - round / 2 % 2) * sizeof(key.stage[0]));
        for (unsigned k = 0; k < STAGES_CONSTANT_COUNT * 4; k++)
            constants[k / 4][k % 4] = any_float();
        for (unsigned k = 0; k < sizeof(attributes) / sizeof(float); k++)
            ((float *)attributes)[k] = any_float();
        stages_compile(&key, &f->program);
        stages_compile_opaque(&key, &f->program, &opaque);
        assert_true(opaque.ir.count <= f->program.ir.count);
        assert_int_equal(opaque.shader->samplers, f->program.shader->samplers);
        shorter += opaque.ir.count < f->program.ir.count;
        for (unsigned level = CPU_SCALAR; level <= (unsigned)cpu_level_detected(); level++) {
            run_with(f, &f->program, (enum cpu_level)level, constants, attributes);
            const uint64_t left = f->batch.covered;

            memcpy(want, f->batch.color[0], sizeof(want));
            memset(f->batch.color[0], 0xff, sizeof(f->batch.color[0]));
            run_with(f, &opaque, (enum cpu_level)level, constants, attributes);
            if (left != f->batch.covered || memcmp(want, f->batch.color[0], sizeof(want)))
                fail_msg("round %u: another colour, %s", round, cpu_level_name((enum cpu_level)level));
        }
        stages_destroy(&opaque);
        stages_destroy(&f->program);
    }
    assert_true(shorter > 300);
    mem_free_aligned(f);
}

/* The program as text, one line an instruction. */
static void print_program(const struct ir_program *program, char *text, size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < program->count; i++) {
        used += (size_t)ir_print_instruction(text + used, size - used, &program->code[i]);
        assert_true(used < size);
    }
}

/* Alpha is free on a target without alpha: neither the product nor the vertex's alpha is computed. */
static void test_print_without_alpha(void **state)
{
    struct stages_key key = {0};
    struct stages_program whole, opaque;
    char text[512];

    (void)state;
    key.stage[0] = (struct stage_key){.color_op = OP_MODULATE,
                                      .alpha_op = OP_SELECTARG1,
                                      .textured = 1,
                                      .color_arg = {1, TA_TEXTURE, TA_CURRENT},
                                      .alpha_arg = {1, TA_CURRENT, TA_CURRENT}};
    stages_compile(&key, &whole);
    stages_compile_opaque(&key, &whole, &opaque);
    print_program(&opaque.ir, text, sizeof(text));
    assert_string_equal(text, "tex r5, v0, s0\nmul_sat o0.xyz, r5, v1\n");
    assert_int_equal(opaque.input_mask[1], 7);
    stages_destroy(&opaque);
    stages_destroy(&whole);
}

static void test_print(void **state)
{
    struct stages_key key = {0};
    struct stages_program program;
    char text[512];

    (void)state;
    key.stage[0] = (struct stage_key){.color_op = OP_MODULATE,
                                      .alpha_op = OP_MODULATE,
                                      .textured = 1,
                                      .color_arg = {1, TA_TEXTURE, TA_CURRENT},
                                      .alpha_arg = {1, TA_TEXTURE, TA_CURRENT}};
    stages_compile(&key, &program);
    print_program(&program.ir, text, sizeof(text));
    assert_string_equal(text, "tex r5, v0, s0\nmul_sat o0, r5, v1\n");
    stages_destroy(&program);
}

/* Components of coordinates beyond the texture's dimensions are not interpolated. */
static void test_coordinates_read(void **state)
{
    struct stages_key key = {0};
    struct stages_program program;

    (void)state;
    for (unsigned three = 0; three < 2; three++) {
        for (unsigned projected = 0; projected < 2; projected++) {
            key.stage[0] = (struct stage_key){.color_op = OP_MODULATE,
                                              .alpha_op = OP_SELECTARG1,
                                              .textured = 1,
                                              .three_axes = three != 0,
                                              .projected = projected != 0,
                                              .color_arg = {1, TA_TEXTURE, TA_CURRENT},
                                              .alpha_arg = {1, TA_TEXTURE, TA_CURRENT}};
            stages_compile(&key, &program);
            assert_int_equal(program.input_count, 2);
            for (unsigned i = 0; i < 2; i++) {
                const unsigned coordinates = (three ? 7 : 3) | (projected ? 8 : 0);

                assert_int_equal(program.input_mask[i], program.input[i] == STAGES_TEXCOORD0 ? coordinates : 7);
            }
            stages_destroy(&program);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_cascade_rules),
        cmocka_unit_test(test_premodulate),
        cmocka_unit_test(test_executors_agree),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_without_alpha),
        cmocka_unit_test(test_print_without_alpha),
        cmocka_unit_test(test_coordinates_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
