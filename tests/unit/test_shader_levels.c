/* SPDX-License-Identifier: MIT */
/*
 * Random shaders over random inputs (NaN, infinities, denormals among them), bit by bit: every executor is compared
 * with the scalar one, and the plain program from bytecode with the optimized one. The reference is the plain program
 * at the scalar level; the optimized program runs there and at one other level in turn. TEST_DIGESTS=1 prints a digest
 * of the scalar results, for comparison with another build. HALCYON_TEST_SHADERS in the environment: how many programs
 * instead of 60,000, each then on all levels, both ways.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/digest.h"
#include "tests/unit/rounds.h"
#include "tests/unit/shader_random.h"

enum { STAGES = SHADER_MAX_SAMPLERS, API_FLOATS = 48 };

struct fixture {
    struct shader_random random;
    struct raster_texture texture[4];
    uint32_t texels[4][6 * 64];
    float floats[API_FLOATS][4];
    int32_t integers[16][4];
    uint32_t booleans[16];
    struct shader_vertex_batch vertices, vertex_result[2];
    struct raster_batch pixels, pixel_result[2];
    _Alignas(64) char memory[65536], other_memory[65536];
    _Alignas(64) char scratch[RASTER_SCRATCH_BYTES]; /* its earlier contents are invisible */
    char text[65536];
    unsigned compiled;
    bool all_levels;
    bool has_digest;
    struct shader_jit *jit[CPU_LEVEL_COUNT]; /* NULL: a level without machine code */
    uint64_t digest;                         /* of scalar results */
    enum cpu_level best;                     /* querying the CPU is slow in virtual machines */
};

static void make_textures(struct fixture *f)
{
    static const uint8_t kinds[4] = {RASTER_TEXTURE_2D, RASTER_TEXTURE_CUBE, RASTER_TEXTURE_VOLUME, RASTER_TEXTURE_2D};

    for (unsigned t = 0; t < 4; t++) {
        unsigned depth = kinds[t] == RASTER_TEXTURE_VOLUME ? 4 : 1;

        for (unsigned i = 0; i < ARRAY_COUNT(f->texels[t]); i++)
            f->texels[t][i] = shader_random_word(&f->random);
        f->texture[t].kind = kinds[t];
        f->texture[t].level_count = 3;
        for (unsigned l = 0; l < 3; l++) {
            unsigned size = 4u >> l;

            f->texture[t].level[l] = (struct raster_texture_level){
                f->texels[t] + 3 * l, size, size, BASE_MAX(depth >> l, 1u), size, size * size,
            };
        }
    }
}

static void make_inputs(struct fixture *f)
{
    struct shader_random *r = &f->random;
    float some[256];

    for (unsigned i = 0; i < 256; i++)
        some[i] = random_float(r);
    for (unsigned i = 0; i < SHADER_MAX_INPUTS; i++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < 64; l++)
                f->vertices.input[i][c][l] = some[shader_random_word(r) & 255];
    for (unsigned i = 0; i < RASTER_MAX_INPUTS; i++)
        memcpy(f->pixels.input[i], f->vertices.input[i], sizeof(f->pixels.input[i]));
    for (unsigned l = 0; l < 64; l++) {
        f->pixels.x[l] = (float)(l & 7);
        f->pixels.y[l] = (float)(l >> 3);
        f->pixels.z[l] = 0.25f;
    }
    for (unsigned i = 0; i < API_FLOATS; i++)
        for (unsigned c = 0; c < 4; c++)
            f->floats[i][c] = random_float(r);
    for (unsigned i = 0; i < 16; i++) {
        f->integers[i][0] = (int32_t)shader_random_below(r, 4) - 1;
        f->integers[i][1] = (int32_t)shader_random_below(r, 20) - 5;
        f->integers[i][2] = (int32_t)shader_random_below(r, 7) - 3;
        f->booleans[i] = shader_random_below(r, 2);
    }
}

/* Bindings are compared as bytes, so what their memory held before must not be left in it. */
static void bind_over_garbage(struct fixture *f, const struct shader_binding *b,
                              const struct shader_constants *constants)
{
    const size_t bytes = shader_binding_size(b->program, API_FLOATS);

    memset(f->other_memory, (int)(1 + shader_random_below(&f->random, 255)), bytes);
    assert_true(shader_same_values(shader_bind(f->other_memory, b->program, constants), b, bytes));
}

static struct shader_binding *bind(struct fixture *f, const struct shader_program *program)
{
    const struct shader_constants constants = {
        .floats = (const float(*)[4])f->floats,
        .float_count = API_FLOATS,
        .integers = (const int32_t(*)[4])f->integers,
        .integer_count = 16,
        .booleans = f->booleans,
        .boolean_count = 16,
    };
    struct shader_binding *b;

    assert_true(shader_binding_size(program, API_FLOATS) <= sizeof(f->memory));
    b = shader_bind(f->memory, program, &constants);
    if (shader_random_below(&f->random, 64) == 0)
        bind_over_garbage(f, b, &constants);
    for (unsigned s = 0; s < shader_sampler_count(program); s++) {
        struct raster_sampler *sampler = &b->sampler[s];

        sampler->texture = s % 5 == 4 ? NULL : &f->texture[s % 5];
        for (unsigned k = 0; k < 3; k++)
            sampler->address[k] = (uint8_t)shader_random_below(&f->random, 5);
        /* sampling is tested elsewhere: most of it is cheap here */
        sampler->mag_filter = sampler->min_filter = RASTER_FILTER_POINT;
        sampler->mip_filter = RASTER_FILTER_NONE;
        if (!shader_random_below(&f->random, 64)) {
            sampler->min_filter = (uint8_t)(1 + shader_random_below(&f->random, 2));
            sampler->mip_filter = (uint8_t)shader_random_below(&f->random, 3);
        }
    }
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = k < RASTER_MAX_INPUTS ? (uint8_t)k : SHADER_NO_INPUT;
    for (unsigned s = 0; s < SHADER_MAX_STAGES; s++) {
        b->registers->projected[s] = (uint8_t)shader_random_below(&f->random, 5);
        for (unsigned k = 0; k < 4; k++)
            b->registers->bump[s][k] = random_float(&f->random);
        b->registers->luminance[s][0] = random_float(&f->random);
        b->registers->luminance[s][1] = random_float(&f->random);
    }
    return b;
}

static void different(struct fixture *f, const struct shader_program *program, enum cpu_level level, const float *a,
                      const float *b)
{
    for (unsigned l = 0; a && l < 64; l++)
        if (memcmp(&a[l], &b[l], sizeof(*a)))
            fprintf(stderr, "lane %u: %08x instead of %08x\n", l, (unsigned)float_bits(a[l]),
                    (unsigned)float_bits(b[l]));
    const struct shader_binding *bound = (const struct shader_binding *)f->memory;
    for (unsigned s = 0; s < shader_sampler_count(program); s++)
        fprintf(stderr, "sampler %u: texture %d, filters %u %u %u, address %u %u %u\n", s,
                bound->sampler[s].texture ? (int)(bound->sampler[s].texture - f->texture) : -1,
                bound->sampler[s].mag_filter, bound->sampler[s].min_filter, bound->sampler[s].mip_filter,
                bound->sampler[s].address[0], bound->sampler[s].address[1], bound->sampler[s].address[2]);
    shader_print_ir(program, f->text, sizeof(f->text));
    fprintf(stderr, "%s", f->text);
    fail_msg("%s gives other bits than scalar", cpu_level_name(level));
}

static bool meets(const struct fixture *f, enum cpu_level level, bool plain)
{
    unsigned others = BASE_MAX(f->best, 1u);

    if (f->all_levels || level == CPU_SCALAR)
        return true;
    return !plain && level == 1 + f->compiled % others;
}

/* Half of the programs become machine code, for a level that they run at. */
static void generate(struct fixture *f, const struct shader_program *program)
{
    const unsigned others = BASE_MAX(f->best, 1u), turn = f->compiled / others;

    if (turn & 1)
        shader_generate(program, f->jit[1 + f->compiled % others]);
}

/* `plain`: the first to run, whose scalar result is the reference. */
static void compare_vertices(struct fixture *f, const struct shader_program *program, struct shader_binding *b,
                             bool plain)
{
    for (enum cpu_level level = CPU_SCALAR; level <= f->best; level++) {
        if (!meets(f, level, plain))
            continue;
        const bool first = plain && level == CPU_SCALAR;
        struct shader_vertex_batch *out = &f->vertex_result[!first];

        b->sample = raster_sample_lod_kernel(level);
        out->count = f->vertices.count;
        memcpy(out->input, f->vertices.input, sizeof(out->input));
        memset(out->output, 0x55, sizeof(out->output));
        memset(f->scratch, 0x3e + level, sizeof(f->scratch));
        out->scratch = f->scratch;
        shader_vertex_executor(level)(b, out);
        for (unsigned o = 0; first && f->has_digest && o < SHADER_MAX_OUTPUTS; o++)
            for (unsigned c = 0; c < 4 && program->outputs_written >> o & 1; c++)
                f->digest = digest_of(out->output[o][c], out->count * sizeof(float), f->digest);
        for (unsigned o = 0; !first && o < SHADER_MAX_OUTPUTS; o++)
            for (unsigned c = 0; c < 4 && program->outputs_written >> o & 1; c++)
                if (memcmp(out->output[o][c], f->vertex_result[0].output[o][c], out->count * sizeof(float))) {
                    fprintf(stderr, "o%u.%c\n", o, "xyzw"[c]);
                    different(f, program, level, out->output[o][c], f->vertex_result[0].output[o][c]);
                }
    }
}

static void compare_pixels(struct fixture *f, const struct shader_program *program, struct shader_binding *b,
                           bool plain)
{
    for (enum cpu_level level = CPU_SCALAR; level <= f->best; level++) {
        if (!meets(f, level, plain))
            continue;
        const bool first = plain && level == CPU_SCALAR;
        struct raster_batch *out = &f->pixel_result[!first];
        unsigned lanes = f->pixels.group_count * RASTER_GROUP_LANES;

        b->sample = raster_sample_lod_kernel(level);
        memcpy(out, &f->pixels, offsetof(struct raster_batch, color));
        memset(out->color, 0x55, sizeof(out->color));
        memset(f->scratch, 0x3e + level, sizeof(f->scratch));
        out->scratch = f->scratch;
        shader_pixel_executor(level)(b, out);
        if (first && f->has_digest)
            f->digest = digest_of(out->z, lanes * sizeof(float), digest_of(&out->covered, 8, f->digest));
        for (unsigned o = 0; first && f->has_digest && o < RASTER_MAX_TARGETS; o++)
            for (unsigned c = 0; c < 4 && program->outputs_written >> o & 1; c++)
                f->digest = digest_of(out->color[o][c], lanes * sizeof(float), f->digest);
        for (unsigned o = 0; !first && o < RASTER_MAX_TARGETS; o++)
            for (unsigned c = 0; c < 4 && program->outputs_written >> o & 1; c++)
                if (memcmp(out->color[o][c], f->pixel_result[0].color[o][c], lanes * sizeof(float))) {
                    fprintf(stderr, "o%u.%c\n", o, "xyzw"[c]);
                    different(f, program, level, out->color[o][c], f->pixel_result[0].color[o][c]);
                }
        if (!first &&
            (out->covered != f->pixel_result[0].covered || memcmp(out->z, f->pixel_result[0].z, lanes * sizeof(float))))
            different(f, program, level, out->z, f->pixel_result[0].z);
    }
}

static void try_form(struct fixture *f, bool plain)
{
    struct shader_error error;
    struct shader_program *program;
    const uint64_t values = f->random.state;
    struct shader_binding *b;

    program = plain ? shader_compile_plain(f->random.tokens, f->random.count, &error)
                    : shader_compile(f->random.tokens, f->random.count, &error);
    assert_non_null(program);
    generate(f, program);
    b = bind(f, program);
    if (program->stage == SHADER_VERTEX)
        compare_vertices(f, program, b, plain);
    else
        compare_pixels(f, program, b, plain);
    shader_destroy(program);
    f->random.state = plain ? values : f->random.state; /* both are bound to the same */
}

static void try_program(struct fixture *f)
{
    struct shader_program *program;

    random_program(&f->random, shader_random_below(&f->random, 32) ? 14 : 250); /* generated code of long ones is cut */
    program = shader_compile_plain(f->random.tokens, f->random.count, NULL);
    if (!program)
        return;
    shader_destroy(program);
    f->compiled++;
    /* full batches have separate code */
    f->vertices.count = 1 + shader_random_below(&f->random, shader_random_below(&f->random, 4) ? 20 : 64);
    f->pixels.group_count = shader_random_below(&f->random, 4) ? 1 : 1 + shader_random_below(&f->random, 4);
    f->pixels.covered = (uint64_t)shader_random_word(&f->random) << 32 | shader_random_word(&f->random);
    for (unsigned g = 0; g < RASTER_LANES / RASTER_QUAD_LANES; g++)
        f->pixels.front_facing[g] = shader_random_below(&f->random, 2);
    try_form(f, true);
    try_form(f, false);
}

static void test_levels_agree(void **state)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    const char *wanted = getenv("HALCYON_TEST_SHADERS");
    unsigned long count = wanted ? strtoul(wanted, NULL, 10) : 60000 / fewer_rounds();

    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    count = wanted ? count : 5000;
#endif
    assert_non_null(f);
    f->best = cpu_level_detected();
    f->random.state = 5;
    f->all_levels = wanted != NULL;
    f->has_digest = getenv("TEST_DIGESTS");
    for (enum cpu_level level = CPU_SCALAR; level <= f->best; level++)
        f->jit[level] = shader_jit_create(level, 1u << 20, false);
    make_textures(f);
    for (unsigned long i = 0; i < count; i++) {
        if (i % 64 == 0)
            make_inputs(f);
        try_program(f);
    }
    if (f->has_digest)
        printf("digest programs %016llx\n", (unsigned long long)f->digest);
    assert_true(f->compiled > count - count / 8); /* enough to make the generator worthwhile */
    for (enum cpu_level level = CPU_SCALAR; level <= f->best; level++)
        shader_jit_destroy(f->jit[level]);
    mem_free_aligned(f);
}

/* --- one operation for many values --------------------------------------------------------------------- */

/* rsq of every `stride`th float from `first` to `last`. */
static void compare_rsq(struct fixture *f, struct shader_binding *b, uint64_t first, uint64_t last, unsigned stride)
{
    for (uint64_t at = first; at < last; at += 64ull * stride) {
        for (unsigned l = 0; l < 64; l++) {
            const uint32_t bits = (uint32_t)(at + (uint64_t)l * stride);

            memcpy(&f->vertex_result[0].input[0][0][l], &bits, sizeof(bits));
        }
        memcpy(f->vertex_result[1].input[0][0], f->vertex_result[0].input[0][0], 64 * sizeof(float));
        shader_vertex_executor(CPU_SCALAR)(b, &f->vertex_result[0]);
        f->digest = digest_of(f->vertex_result[0].output[0][0], 64 * sizeof(float), f->digest);
        for (enum cpu_level level = CPU_SCALAR + 1; level <= f->best; level++) {
            shader_vertex_executor(level)(b, &f->vertex_result[1]);
            for (unsigned l = 0; l < 64; l++)
                if (float_bits(f->vertex_result[0].output[0][0][l]) != float_bits(f->vertex_result[1].output[0][0][l]))
                    fail_msg("%s: rsq of %08x is %08x instead of %08x", cpu_level_name(level),
                             (unsigned)float_bits(f->vertex_result[0].input[0][0][l]),
                             (unsigned)float_bits(f->vertex_result[1].output[0][0][l]),
                             (unsigned)float_bits(f->vertex_result[0].output[0][0][l]));
        }
    }
}

/* The levels have different instructions for division and root: all fractions with an even and an odd exponent, and
 * floats of all exponents, or with HALCYON_TEST_SHADERS all floats that there are. */
static void test_rsq(void **state)
{
    static const uint32_t tokens[] = {VS(1, 1), OP1(RSQ), DST(RASTER_OUT, 0, 15), SWZ(INPUT, 0, 0, 0, 0, 0), END};
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    struct shader_program *program = shader_compile(tokens, ARRAY_COUNT(tokens), NULL);
    unsigned stride = getenv("HALCYON_TEST_SHADERS") ? 1 : 1021;

    (void)state;
    assert_non_null(program);
    assert_non_null(f);
    memset(f, 0, sizeof(*f));
    f->best = cpu_level_detected();
    f->vertex_result[0].count = f->vertex_result[1].count = 64;
    struct shader_binding *b = bind(f, program);
#if defined(__SANITIZE_ADDRESS__)
    stride *= 4;
#else
    compare_rsq(f, b, 0x3f800000, 0x40800000, fewer_rounds());
#endif
    compare_rsq(f, b, 0, 1ull << 32, stride);
    if (getenv("TEST_DIGESTS"))
        printf("digest rsq %016llx\n", (unsigned long long)f->digest);
    shader_destroy(program);
    mem_free_aligned(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels_agree), cmocka_unit_test(test_rsq)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
