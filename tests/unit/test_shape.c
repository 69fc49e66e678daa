/* SPDX-License-Identifier: MIT */
/* Programs that copy components of their colour: which ones are found, and that running them gives the same colours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "shader/stages.h"
#include "tests/random.h"

enum { TA_DIFFUSE, TA_CURRENT, TA_TEXTURE, TA_TFACTOR, TA_SPECULAR };
enum { TA_COMPLEMENT = 16, TA_ALPHAREPLICATE = 32 };
enum { OP_DISABLE = 1, OP_SELECTARG1 = 2, OP_SELECTARG2 = 3, OP_MODULATE = 4 };

static float clamped(float v)
{
    v = v > 0.0f ? v : 0.0f;
    return v < 1.0f ? v : 1.0f;
}

/* Runs the program on random inputs: colours must be the copies, except that they are clamped. */
static void check_colors(const struct shader_binding *binding, unsigned copied, const struct shader_copies *copies,
                         struct raster_batch *batch)
{
    batch->group_count = 1;
    for (unsigned i = 0; i < RASTER_MAX_INPUTS; i++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < RASTER_GROUP_LANES; l++)
                batch->input[i][c][l] = random_unit() * 1.4f - 0.2f;
    shader_pixel_executor(CPU_SCALAR)(binding, batch);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < RASTER_GROUP_LANES; l++) {
            const float want =
                copies->components >> c & 1 ? batch->input[binding->input[copies->input]][c][l] : copies->constant[c];

            if (copied >> c & 1 && clamped(want) != clamped(batch->color[0][c][l]))
                fail_msg("component %u: %g is not %g", c, (double)batch->color[0][c][l], (double)want);
        }
}

/* --- the cascade ------------------------------------------------------------ */

struct cascade {
    struct stages_program program;
    _Alignas(64) uint8_t memory[STAGES_BINDING_BYTES];
    struct shader_binding *binding;
    struct raster_batch batch;
};

/* The components that the cascade copies. Their colours are compared too. */
static unsigned cascade_copies(struct cascade *f, const struct stages_key *key, struct shader_copies *copies)
{
    static const float factor[4] = {0.25f, 0.5f, 0.75f, 0.125f};

    stages_compile(key, &f->program);
    f->binding = stages_bind(f->memory, &f->program, CPU_SCALAR);
    stages_set_constant(f->binding, STAGES_CONSTANT_FACTOR, factor);
    const unsigned copied = shader_copied_components(f->binding, copies);

    check_colors(f->binding, copied, copies, &f->batch);
    stages_destroy(&f->program);
    return copied;
}

/* clang-format off */
#define STAGE(co, c1, c2, ao, a1, a2)                                             \
    {.color_op = (co), .color_arg = {1, (c1), (c2)}, .alpha_op = (ao), .alpha_arg = {1, (a1), (a2)}}

static const struct {
    const char *name;
    struct stage_key stage[2];
    bool specular_add;
    unsigned copied, components; /* of the input */
    float alpha;                 /* if it is constant */
} cascades[] = {
    {"no stage", {{0}}, false, 15, 15, 0},
    {"diffuse", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_SELECTARG1, TA_DIFFUSE, 1)}, false, 15, 15, 0},
    {"alpha of no texture", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_SELECTARG1, TA_TEXTURE, 1)}, false, 15, 7, 1},
    {"alpha of the factor", {STAGE(OP_SELECTARG2, 1, TA_DIFFUSE, OP_SELECTARG2, 1, TA_TFACTOR)}, false, 15, 7, 0.125f},
    {"factor", {STAGE(OP_SELECTARG1, TA_TFACTOR, 1, OP_SELECTARG1, TA_TFACTOR, 1)}, false, 15, 0, 0.125f},
    {"factor, alpha of diffuse", {STAGE(OP_SELECTARG1, TA_TFACTOR, 1, OP_SELECTARG1, TA_DIFFUSE, 1)}, false, 15, 8, 0},
    {"alpha that is disabled", {STAGE(OP_SELECTARG1, TA_TFACTOR, 1, OP_DISABLE, 1, 1)}, false, 15, 8, 0},
    {"through a register", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_SELECTARG1, TA_TFACTOR, 1),
                            STAGE(OP_SELECTARG1, TA_CURRENT, 1, OP_SELECTARG1, TA_CURRENT, 1)}, false, 15, 7, 0.125f},
    {"two inputs", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_SELECTARG1, TA_SPECULAR, 1)}, false, 7, 7, 0},
    {"other components", {STAGE(OP_SELECTARG1, TA_DIFFUSE | TA_ALPHAREPLICATE, 1, OP_SELECTARG1, TA_DIFFUSE, 1)}, false, 8, 8, 0},
    {"complement", {STAGE(OP_SELECTARG1, TA_DIFFUSE | TA_COMPLEMENT, 1, OP_SELECTARG1, TA_DIFFUSE, 1)}, false, 8, 8, 0},
    {"product", {STAGE(OP_MODULATE, TA_DIFFUSE, TA_TFACTOR, OP_SELECTARG1, TA_DIFFUSE, 1)}, false, 8, 8, 0},
    {"product of alpha", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_MODULATE, TA_DIFFUSE, TA_TFACTOR)}, false, 7, 7, 0},
    {"product with no texture", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_MODULATE, TA_TEXTURE, TA_DIFFUSE)}, false, 15, 15, 0},
    {"sum", {STAGE(OP_SELECTARG1, TA_DIFFUSE, 1, OP_SELECTARG1, TA_DIFFUSE, 1)}, true, 8, 8, 0},
};
/* clang-format on */

static void test_cascades(void **state)
{
    struct cascade *f = mem_alloc_aligned(sizeof(*f));

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(cascades); i++) {
        struct stages_key key = {.specular_add = cascades[i].specular_add};
        struct shader_copies copies;

        memcpy(key.stage, cascades[i].stage, sizeof(cascades[i].stage));
        const unsigned copied = cascade_copies(f, &key, &copies);
        if (copied != cascades[i].copied || copies.components != cascades[i].components)
            fail_msg("%s: %x, %x instead of %x, %x", cascades[i].name, copied, copies.components, cascades[i].copied,
                     cascades[i].components);
        if (copied & ~copies.components & 8 && copies.constant[3] != cascades[i].alpha)
            fail_msg("%s: alpha is %g", cascades[i].name, (double)copies.constant[3]);
    }
    mem_free_aligned(f);
}

static void test_random_cascades(void **state)
{
    static const uint8_t args[] = {0, 1, 2, 3, 4, 5, 0x11, 0x13, 0x21, 0x23};
    struct cascade *f = mem_alloc_aligned(sizeof(*f));
    unsigned copied = 0;

    (void)state;
    random_seed = 1;
    for (unsigned round = 0; round < 4000; round++) {
        struct stages_key key = {.specular_add = random_below(16) == 0};
        struct shader_copies copies;

        for (unsigned s = 0; s < 1 + round % 4; s++) {
            struct stage_key *k = &key.stage[s];

            k->color_op = (uint8_t)(random_below(8) ? OP_SELECTARG1 + random_below(2) : 1 + random_below(26));
            k->alpha_op = (uint8_t)(random_below(8) ? OP_SELECTARG1 + random_below(2) : 1 + random_below(26));
            for (unsigned i = 0; i < 3; i++) {
                k->color_arg[i] = args[random_below(ARRAY_COUNT(args))];
                k->alpha_arg[i] = args[random_below(ARRAY_COUNT(args))];
            }
            k->result_temp = (uint8_t)random_below(2);
        }
        copied += cascade_copies(f, &key, &copies) == 15;
    }
    assert_in_range(copied, 1000, 3000);
    mem_free_aligned(f);
}

/* --- bytecode ------------------------------------------------------------ */

static const struct {
    const char *text;
    unsigned copied, components; /* of the input */
    float constant[4];
} shaders[] = {
    {"ps_2_0\ndcl v0\nmov oC0, v0\n", 15, 15, {0}},
    {"ps_2_0\ndcl v0\nmov_sat r0, v0\nmov oC0, r0\n", 15, 15, {0}},
    {"ps_1_1\nmov r0, v0\n", 15, 15, {0}},
    {"ps_1_1\nmov r0.xyz, v0\n+mov r0.w, c0.w\n", 15, 7, {0, 0, 0, 0.75f}},
    {"ps_2_0\nmov oC0, c0\n", 15, 0, {0.125f, 0.25f, 0.5f, 0.75f}},
    {"ps_2_0\nmov oC0, -c0.wzyx\n", 15, 0, {-0.75f, -0.5f, -0.25f, -0.125f}},
    {"ps_2_0\ndef c1, 1, 2, 3, 4\nmov oC0, c1\n", 15, 0, {1, 2, 3, 4}},
    {"ps_2_0\ndcl v0\ndef c1, 0, 1, 0, 0\nmov r0, v0\nmov r0.y, c1.y\nmov r0.w, c0.x\nmov oC0, "
     "r0\n",
     15,
     5,
     {0, 1, 0, 0.125f}},
    {"ps_2_0\ndcl v0\nmov r0, v0.wzyx\nmov oC0, r0.wzyx\n", 15, 15, {0}},
    {"ps_3_0\ndcl_color0 v0.xyz\nmov oC0.xyz, v0\nmov oC0.w, c0.x\n", 15, 7, {0, 0, 0, 0.125f}},
    {"ps_3_0\ndcl_color0 v0.xyz\ndcl_texcoord0 v1.w\nmov oC0.xyz, v0\nmov oC0.w, v1.w\n", 7, 7, {0}},
    {"ps_3_0\ndcl_color0 v0.xyz\ndcl_fog v0.w\nmov oC0, v0\n", 7, 7, {0}},
    {"ps_2_0\ndcl v0\nmov oC0, v0.wzyx\n", 0, 0, {0}},
    {"ps_2_0\ndcl v0\nmov oC0, -v0\n", 0, 0, {0}},
    {"ps_2_0\ndcl v0\nmov oC0, v0\nmov oC1, v0\n", 0, 0, {0}},
    {"ps_2_0\ndcl v0\nmov oC0, v0\nmov oDepth, v0.x\n", 0, 0, {0}},
    {"ps_2_0\ndcl v0\ndcl t0\ntexkill t0\nmov oC0, v0\n", 0, 0, {0}},
    {"ps_2_0\ndcl v0\nadd r0, v0, c0\nmov oC0, r0\n", 0, 0, {0}},
    {"ps_2_0\ndcl v0\ndcl v1\nmov r0, v0\nmov r0.w, v1\nmov oC0, r0\n", 7, 7, {0}},
    {"ps_2_0\ndcl v0\nmov r0, v0\nmul r0.w, v0.w, c0.x\nmov oC0, r0\n", 7, 7, {0}},
    {"ps_2_0\ndcl v0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov r0.xyz, v0\nmov oC0, r0\n", 0, 0, {0}},
    {"ps_3_0\ndcl_color0 v0\nif b0\nmov oC0, v0\nelse\nmov oC0, c0\nendif\n", 0, 0, {0}},
};

static void test_shaders(void **state)
{
    static const float floats[1][4] = {{0.125f, 0.25f, 0.5f, 0.75f}};
    const struct shader_constants constants = {.floats = floats, .float_count = 1};
    struct raster_batch *batch = mem_alloc_aligned(sizeof(*batch));

    (void)state;
    memset(batch, 0, sizeof(*batch));
    for (unsigned i = 0; i < 2 * ARRAY_COUNT(shaders); i++) {
        const char *text = shaders[i / 2].text;
        uint32_t tokens[256];
        struct shader_error error = {0};
        const size_t count = shader_assemble(text, tokens, ARRAY_COUNT(tokens), &error);
        struct shader_program *program = (i & 1 ? shader_compile_plain : shader_compile)(tokens, count, &error);
        struct shader_copies copies;

        if (!program)
            fail_msg("%s: %s", text, error.text);
        void *memory = mem_alloc_aligned(shader_binding_size(program, 1));
        struct shader_binding *binding = shader_bind(memory, program, &constants);

        for (unsigned k = 0; k < program->input_count; k++)
            binding->input[k] = (uint8_t)k;
        const unsigned copied = shader_copied_components(binding, &copies);
        const unsigned constant = copied & ~copies.components;
        if (copied != shaders[i / 2].copied || copies.components != shaders[i / 2].components)
            fail_msg("%s: %x, %x instead of %x, %x", text, copied, copies.components, shaders[i / 2].copied,
                     shaders[i / 2].components);
        if (!program->samplers)
            check_colors(binding, copied, &copies, batch);
        for (unsigned c = 0; c < 4; c++)
            assert_true(!(constant >> c & 1) || copies.constant[c] == shaders[i / 2].constant[c]);
        assert_int_equal(copies.input, copies.components ? 0 : SHADER_NO_INPUT);
        mem_free_aligned(memory);
        shader_destroy(program);
    }
    mem_free_aligned(batch);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cascades),
        cmocka_unit_test(test_random_cascades),
        cmocka_unit_test(test_shaders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
