/* SPDX-License-Identifier: MIT */
/*
 * Programs in 16-bit numbers: operations of the cascade against exact arithmetic; random cascades and random programs
 * of ps_1_1..ps_1_3, with every CPU level compared with the scalar one and with the floats.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/narrow.h"
#include "shader/stages.h"
#include "tests/unit/level_lanes.h"
#include "tests/unit/narrow_error.h"
#include "tests/unit/rounds.h"
#include "tests/unit/shader_random.h"
#include "tests/unit/stage_numbers.h"

enum { ALL = RASTER_LANES, TEXTURES = STAGES_MAX };

struct fixture {
    struct shader_random random;
    _Alignas(64) char memory[65536];
    _Alignas(64) char scratch[RASTER_SCRATCH_BYTES];
    struct raster_texture texture[TEXTURES];
    uint32_t texels[TEXTURES]; /* one each */
    struct raster_batch batch;
    uint8_t color[RASTER_MAX_INPUTS][ALL][4]; /* inputs that are colours, blue first */
    int16_t scalar[ALL][4], other[ALL][4];    /* results by lane, blue first */
    double largest[2], sum[2], count[2];      /* errors of one stage and of two, of 255 */
};

static struct fixture *fixture_create(void)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));

    assert_non_null(f);
    f->random.state = 7 + first_round(1);
    for (unsigned t = 0; t < TEXTURES; t++) {
        f->texture[t].kind = RASTER_TEXTURE_2D;
        f->texture[t].level_count = 1;
        f->texture[t].level[0] = (struct raster_texture_level){&f->texels[t], 1, 1, 1, 1, 1};
    }
    f->batch.group_count = 4;
    f->batch.covered = ~UINT64_C(0);
    return f;
}

/* A byte, the ends and the middle more often than others. */
static uint8_t some_byte(struct fixture *f)
{
    static const uint8_t often[] = {0, 1, 127, 128, 254, 255, 255, 0};
    const uint32_t r = shader_random_word(&f->random);

    return r & 1 ? often[r >> 1 & 7] : (uint8_t)(r >> 4);
}

static void fill_colors(struct fixture *f)
{
    for (unsigned n = 0; n < sizeof(f->color); n++)
        ((uint8_t *)f->color)[n] = some_byte(f);
    for (unsigned t = 0; t < TEXTURES; t++)
        f->texels[t] =
            some_byte(f) | (uint32_t)some_byte(f) << 8 | (uint32_t)some_byte(f) << 16 | (uint32_t)some_byte(f) << 24;
}

static void set_samplers(struct fixture *f, struct shader_binding *b)
{
    for (unsigned s = 0; s < shader_sampler_count(b->program); s++) {
        b->sampler[s].texture = &f->texture[s];
        b->sampler[s].mag_filter = b->sampler[s].min_filter = RASTER_FILTER_POINT;
    }
}

/* --- running ---------------------------------------------------------------------------------------------- */

static void fill_floats(struct fixture *f, const struct shader_program *program, bool narrow, unsigned width)
{
    const unsigned colors = shader_narrow_colors(program);

    for (unsigned k = 0; k < program->input_count; k++)
        for (unsigned l = 0; l < ALL; l++)
            for (unsigned n = 0; n < 4; n++) {
                const unsigned byte = f->color[k][l][n];

                if (narrow && colors >> k & 1)
                    narrow_of(f->batch.input[k])[4 * narrow_place(width, l) + n] = (int16_t)(byte * 257 >> 1);
                else /* coordinates may be anything: textures have one texel */
                    f->batch.input[k][narrow_number(n)][l] = (float)byte / 255.0f;
            }
}

/* The level's result by lane. Runs twice, the second time with the memory of the first run. */
static void run_level(struct fixture *f, const struct shader_binding *b, enum cpu_level level, int16_t out[ALL][4])
{
    const unsigned lanes = f->batch.group_count * RASTER_GROUP_LANES;
    const int16_t *color = narrow_of(f->batch.color[0]);

    fill_floats(f, b->program, true, level_lanes(level));
    memset(f->scratch, 0x70 + level, sizeof(f->scratch));
    for (unsigned again = 0; again < 2; again++) {
        memset(f->batch.color[0], 0x80, sizeof(f->batch.color[0]));
        f->batch.scratch = shader_random_below(&f->random, 4) ? f->scratch : NULL;
        f->batch.again = again && f->batch.scratch && f->scratch[0] != (char)(0x70 + level);
        shader_narrow_executor(level)(b, &f->batch);
    }
    for (unsigned l = 0; l < lanes; l++)
        memcpy(out[l], color + 4 * narrow_place(level_lanes(level), l), sizeof(out[l]));
}

/* Runs all levels, which must give the scalar level's bits, and numbers of 0..1. */
static void run_narrow(struct fixture *f, const struct shader_binding *b)
{
    const unsigned lanes = f->batch.group_count * RASTER_GROUP_LANES;

    run_level(f, b, CPU_SCALAR, f->scalar);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned n = 0; n < 4; n++)
            if (f->scalar[l][n] < 0)
                fail_msg("lane %u, number %u is %d", l, n, f->scalar[l][n]);
    for (enum cpu_level level = CPU_SCALAR + 1; level <= cpu_level_detected(); level++) {
        run_level(f, b, level, f->other);
        if (memcmp(f->other, f->scalar, lanes * sizeof(f->scalar[0])))
            fail_msg("%s gives other bits than scalar", cpu_level_name(level));
    }
}

/* The byte that vec16_words makes of a number. */
static int byte_of(int16_t v)
{
    const int byte = (v * 255 + 0x4000) >> 15;

    return byte < 0 ? 0 : byte;
}

/* --- exact arithmetic --------------------------------------------------------------------------------------- */

/* A pixel of the cascade; red first. */
struct exact {
    double texture[TEXTURES][4], diffuse[4], specular[4], factor[4], constant[STAGES_MAX][4];
    double current[4], seen[4], temp[4]; /* the CURRENT of a stage after PREMODULATE */
};

static double limit(double v)
{
    return v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
}

static void exact_argument(const struct exact *e, unsigned stage, unsigned arg, double out[4])
{
    const double *from = (arg & 15) == TA_DIFFUSE    ? e->diffuse
                         : (arg & 15) == TA_TEXTURE  ? e->texture[stage]
                         : (arg & 15) == TA_TFACTOR  ? e->factor
                         : (arg & 15) == TA_SPECULAR ? e->specular
                         : (arg & 15) == TA_TEMP     ? e->temp
                         : (arg & 15) == TA_CONSTANT ? e->constant[stage]
                                                     : e->seen;

    for (unsigned c = 0; c < 4; c++) {
        out[c] = from[arg & TA_ALPHAREPLICATE ? 3 : c];
        out[c] = arg & TA_COMPLEMENT ? 1.0 - out[c] : out[c];
    }
}

static double exact_operation(const struct exact *e, unsigned stage, unsigned op, unsigned c, const double arg0[4],
                              const double a[4], const double b[4])
{
    const double blend[] = {e->diffuse[3], e->texture[stage][3], e->factor[3], 0.0, e->seen[3]};
    double dot = 0.0, w;

    switch (op) {
    case OP_SELECTARG2:
        return b[c];
    case OP_MODULATE:
    case OP_MODULATE + 1:
    case OP_MODULATE4X:
        return a[c] * b[c] * (1 << (op - OP_MODULATE));
    case OP_ADD:
        return a[c] + b[c];
    case OP_ADDSIGNED:
    case OP_ADDSIGNED2X:
        return (a[c] + b[c] - 0.5) * (1 << (op - OP_ADDSIGNED));
    case OP_SUBTRACT:
        return a[c] - b[c];
    case OP_ADDSMOOTH:
        return a[c] + b[c] - a[c] * b[c];
    case OP_BLENDTEXTUREALPHAPM:
        return a[c] + b[c] * (1.0 - e->texture[stage][3]);
    case OP_BLENDDIFFUSEALPHA:
    case OP_BLENDTEXTUREALPHA:
    case OP_BLENDFACTORALPHA:
    case OP_BLENDCURRENTALPHA:
        w = blend[op - OP_BLENDDIFFUSEALPHA];
        return a[c] * w + b[c] * (1.0 - w);
    case OP_MODULATEALPHA_ADDCOLOR:
        return a[c] + a[3] * b[c];
    case OP_MODULATECOLOR_ADDALPHA:
        return a[c] * b[c] + a[3];
    case OP_MODULATEINVALPHA_ADDCOLOR:
        return a[c] + (1.0 - a[3]) * b[c];
    case OP_MODULATEINVCOLOR_ADDALPHA:
        return (1.0 - a[c]) * b[c] + a[3];
    case OP_DOTPRODUCT3:
        for (unsigned k = 0; k < 3; k++)
            dot += 4.0 * (a[k] - 0.5) * (b[k] - 0.5);
        return dot;
    case OP_MULTIPLYADD:
        return arg0[c] + a[c] * b[c];
    case OP_LERP:
        return arg0[c] * a[c] + (1.0 - arg0[c]) * b[c];
    default:
        return a[c];
    }
}

static void exact_stage(struct exact *e, const struct stages_key *key, unsigned s, bool last)
{
    const struct stage_key *k = &key->stage[s], *before = s ? &key->stage[s - 1] : NULL;
    const bool dot = k->color_op == OP_DOTPRODUCT3;
    double color[3][4], alpha[3][4];
    double *to = k->result_temp && !last ? e->temp : e->current;

    for (unsigned c = 0; c < 4; c++) {
        const unsigned op = !before ? 0 : c < 3 ? before->color_op : before->alpha_op;

        e->seen[c] = e->current[c] * (op == OP_PREMODULATE ? e->texture[s][c] : 1.0);
    }
    for (unsigned n = 0; n < 3; n++) {
        exact_argument(e, s, k->color_arg[n], color[n]);
        exact_argument(e, s, k->alpha_arg[n], alpha[n]);
    }
    for (unsigned c = 0; c < 4; c++)
        if (c < 3 || dot)
            to[c] = limit(exact_operation(e, s, k->color_op, c, color[0], color[1], color[2]));
        else
            to[c] = limit(exact_operation(e, s, k->alpha_op, c, alpha[0], alpha[1], alpha[2]));
}

/* --- the cascade -------------------------------------------------------------------------------------------- */

/* Values that are the same for all pixels. */
struct values {
    uint8_t factor[4], constant[STAGES_MAX][4]; /* red first */
};

static void set_color(struct shader_binding *b, unsigned index, const uint8_t color[4])
{
    const float value[4] = {(float)color[0] / 255.0f, (float)color[1] / 255.0f, (float)color[2] / 255.0f,
                            (float)color[3] / 255.0f};

    stages_set_constant(b, index, value);
}

static void random_values(struct fixture *f, struct values *v)
{
    for (unsigned n = 0; n < sizeof(*v); n++)
        ((uint8_t *)v)[n] = some_byte(f);
}

static struct shader_binding *bind_cascade(struct fixture *f, const struct stages_program *program,
                                           const struct values *v)
{
    assert_true(stages_binding_size(program) <= sizeof(f->memory));
    struct shader_binding *b = stages_bind(f->memory, program, cpu_level_detected());

    set_color(b, STAGES_CONSTANT_FACTOR, v->factor);
    for (unsigned s = 0; s < STAGES_MAX; s++)
        set_color(b, STAGES_CONSTANT_COLOR + s, v->constant[s]);
    set_samplers(f, b);
    return b;
}

static void exact_start(const struct fixture *f, const struct stages_program *program, const struct values *v,
                        unsigned l, struct exact *e)
{
    *e = (struct exact){.diffuse = {0}};
    for (unsigned c = 0; c < 4; c++) {
        const unsigned n = narrow_number(c);

        for (unsigned k = 0; k < program->input_count; k++) {
            if (program->input[k] == STAGES_DIFFUSE)
                e->diffuse[c] = f->color[k][l][n] / 255.0;
            if (program->input[k] == STAGES_SPECULAR)
                e->specular[c] = f->color[k][l][n] / 255.0;
        }
        e->factor[c] = v->factor[c] / 255.0;
        e->current[c] = e->diffuse[c];
        for (unsigned s = 0; s < STAGES_MAX; s++) {
            e->texture[s][c] = (f->texels[s] >> 8 * n & 255) / 255.0;
            e->constant[s][c] = v->constant[s][c] / 255.0;
        }
    }
}

static void add_error(struct fixture *f, unsigned stages, double error)
{
    f->largest[stages - 1] = fmax(f->largest[stages - 1], error);
    f->sum[stages - 1] += error;
    f->count[stages - 1]++;
}

/* Runs some stages for the colours of the fixture: every byte is within `error` of the exact result, which is not
 * rounded to a byte. */
static void check_exact(struct fixture *f, const struct stages_key *key, unsigned stages, double error)
{
    struct stages_program program;
    struct values v;
    struct exact e;

    random_values(f, &v);
    stages_compile(key, &program);
    assert_non_null(program.shader);
    if (!shader_has_narrow(program.shader))
        fail_msg("operation %u has no narrow form", key->stage[0].color_op);
    run_narrow(f, bind_cascade(f, &program, &v));
    for (unsigned l = 0; l < ALL; l++) {
        exact_start(f, &program, &v, l, &e);
        for (unsigned s = 0; s < stages; s++)
            exact_stage(&e, key, s, s + 1 == stages);
        for (unsigned c = 0; c < 4; c++) {
            const int got = byte_of(f->scalar[l][narrow_number(c)]);

            if (c < 3) /* alpha has an operation of its own */
                add_error(f, stages, fabs(got - 255.0 * e.current[c]));
            if (fabs(got - 255.0 * e.current[c]) > error)
                fail_msg("operations %u %u: component %u is %d, not %f", key->stage[0].color_op, key->stage[1].color_op,
                         c, got, 255.0 * e.current[c]);
        }
    }
    stages_destroy(&program);
}

static uint8_t random_argument(struct fixture *f)
{
    return (uint8_t)(shader_random_below(&f->random, TA_SELECTORS) |
                     (shader_random_below(&f->random, 3) ? 0 : TA_COMPLEMENT << shader_random_below(&f->random, 2)));
}

static unsigned random_operation(struct fixture *f)
{
    const unsigned op = OP_SELECTARG1 + shader_random_below(&f->random, OP_COUNT - OP_SELECTARG1);

    return is_bump(op) ? OP_MODULATE : op;
}

static void random_stage(struct fixture *f, struct stage_key *k, unsigned op)
{
    *k = (struct stage_key){.color_op = (uint8_t)op, .textured = 1};
    k->alpha_op = (uint8_t)(shader_random_below(&f->random, 4) ? random_operation(f) : k->color_op);
    if (k->alpha_op == OP_DOTPRODUCT3 && op != OP_DOTPRODUCT3) /* nothing for alpha alone */
        k->alpha_op = OP_MODULATE;
    for (unsigned n = 0; n < 3; n++) {
        k->color_arg[n] = random_argument(f);
        k->alpha_arg[n] = k->alpha_op == k->color_op ? k->color_arg[n] : random_argument(f);
    }
}

/* With TEST_ERRORS=1 prints the errors given in docs/narrow-colour.md: of an operation, and of an operation followed by
 * another one. */
static void tell_errors(struct fixture *f, unsigned op)
{
    for (unsigned n = 0; n < 2; n++) {
        if (getenv("TEST_ERRORS"))
            printf("errors operation %2u, stages %u: largest %.4f mean %.4f\n", op, n + 1, f->largest[n],
                   f->sum[n] / f->count[n]);
        f->largest[n] = f->sum[n] = f->count[n] = 0.0;
    }
}

/* Each operation; then each followed by another one. */
static void test_operations(void **state)
{
    struct fixture *f = fixture_create();

    (void)state;
    for (unsigned op = OP_SELECTARG1; op < OP_COUNT; op++) {
        if (is_bump(op))
            continue;
        for (unsigned round = first_round(200); round < end_round(200); round++) {
            struct stages_key key = {0};

            random_stage(f, &key.stage[0], op);
            key.stage[0].color_arg[1] &= 0xf0;
            key.stage[0].color_arg[1] |= TA_TEXTURE; /* one texture at least */
            if (op == OP_SELECTARG2)
                key.stage[0].color_arg[2] = key.stage[0].color_arg[1];
            fill_colors(f);
            check_exact(f, &key, 1, 1.0);
            random_stage(f, &key.stage[1], random_operation(f));
            key.stage[0].result_temp = (uint8_t)shader_random_below(&f->random, 2);
            check_exact(f, &key, 2, 2.0);
        }
        tell_errors(f, op);
    }
    mem_free_aligned(f);
}

/* All products of two bytes: at most half a byte off before rounding; white times anything is exact. */
static void test_modulate(void **state)
{
    struct fixture *f = fixture_create();
    const struct stages_key key = {.stage = {{.color_op = OP_MODULATE,
                                              .alpha_op = OP_MODULATE,
                                              .color_arg = {TA_CURRENT, TA_TEXTURE, TA_DIFFUSE},
                                              .alpha_arg = {TA_CURRENT, TA_TEXTURE, TA_DIFFUSE},
                                              .textured = 1}}};
    const struct values v = {{0}, {{0}}};
    struct stages_program program;

    (void)state;
    stages_compile(&key, &program);
    struct shader_binding *b = bind_cascade(f, &program, &v);
    for (unsigned k = 0; k < RASTER_MAX_INPUTS; k++)
        for (unsigned n = 0; n < 256; n++)
            f->color[k][n / 4][n % 4] = (uint8_t)n;
    for (unsigned x = 0; x < 256; x++) {
        f->texels[0] = x * 0x01010101u;
        run_narrow(f, b);
        for (unsigned y = 0; y < 256; y++) {
            const int got = byte_of(f->scalar[y / 4][y % 4]);

            if (x == 255 || y == 255)
                assert_int_equal(got, BASE_MIN(x, y));
            if (fabs(got - x * y / 255.0) > 0.51)
                fail_msg("%u * %u is %d, not %f", x, y, got, x * y / 255.0);
        }
    }
    stages_destroy(&program);
    mem_free_aligned(f);
}

/* The largest difference from the floats' result, in bytes; fails where a difference exceeds the error bound. */
static double compare_floats(struct fixture *f, struct shader_binding *b)
{
    double bound[4], largest = 0.0;
    char text[4096];

    narrow_error_bound(b->program, bound);
    fill_floats(f, b->program, false, 1);
    f->batch.scratch = NULL;
    b->sample = raster_sample_lod_kernel(CPU_SCALAR);
    shader_pixel_executor(CPU_SCALAR)(b, &f->batch);
    for (unsigned l = 0; l < f->batch.group_count * RASTER_GROUP_LANES; l++)
        for (unsigned c = 0; c < 4; c++) {
            const double wanted = limit(f->batch.color[0][c][l]), got = f->scalar[l][narrow_number(c)] / 32767.0;

            largest = BASE_MAX(largest, 255.0 * fabs(got - wanted));
            if (fabs(got - wanted) <= bound[c])
                continue;
            shader_print_ir(b->program, text, sizeof(text));
            fail_msg("component %u is %f, not %f, which is more than %f off\n%s", c, got, wanted, bound[c], text);
        }
    return largest;
}

/* Does an operation multiply by more than 1? */
static bool enlarges(unsigned op)
{
    return op == OP_MODULATE + 1 || op == OP_MODULATE4X || op == OP_ADDSIGNED2X || op == OP_DOTPRODUCT3;
}

/* Levels also agree on alpha where the program does not define it. */
static void run_without_alpha(struct fixture *f, const struct stages_key *key, const struct stages_program *whole,
                              const struct values *v)
{
    struct stages_program opaque;

    stages_compile_opaque(key, whole, &opaque);
    assert_non_null(opaque.shader);
    assert_true(shader_has_narrow(opaque.shader));
    run_narrow(f, bind_cascade(f, &opaque, v));
    stages_destroy(&opaque);
}

static void test_random_cascades(void **state)
{
    struct fixture *f = fixture_create();
    unsigned with_form = 0;

    (void)state;
    for (unsigned round = first_round(3000); round < end_round(3000); round++) {
        const unsigned stages = 1 + shader_random_below(&f->random, STAGES_MAX);
        struct stages_key key = {.specular_add = (uint8_t)shader_random_below(&f->random, 2)};
        struct stages_program program;
        struct values v;
        bool larger = false;

        for (unsigned s = 0; s < stages; s++) {
            random_stage(f, &key.stage[s], random_operation(f));
            key.stage[s].result_temp = (uint8_t)shader_random_below(&f->random, 2);
            key.stage[s].projected = shader_random_below(&f->random, 4) == 0;
            if (round % 2 && enlarges(key.stage[s].color_op))
                key.stage[s].color_op = OP_BLENDTEXTUREALPHA;
            if (round % 2 && enlarges(key.stage[s].alpha_op))
                key.stage[s].alpha_op = OP_MODULATE;
            larger |= enlarges(key.stage[s].color_op) || enlarges(key.stage[s].alpha_op);
        }
        fill_colors(f);
        random_values(f, &v);
        stages_compile(&key, &program);
        assert_int_equal(shader_has_narrow(program.shader), program.samplers != 0);
        if (program.samplers) {
            struct shader_binding *b = bind_cascade(f, &program, &v);

            f->batch.group_count = 1 + shader_random_below(&f->random, 4);
            run_narrow(f, b);
            const double difference = compare_floats(f, b);
            if (!larger && difference > stages)
                fail_msg("%u stages are %f bytes off", stages, difference);
            run_without_alpha(f, &key, &program, &v);
            with_form++;
        }
        stages_destroy(&program);
    }
    assert_true(with_form > 2000 / fewer_rounds());
    mem_free_aligned(f);
}

/* --- programs of bytecode ----------------------------------------------------------------------------------- */

static struct shader_binding *bind_shader(struct fixture *f, const struct shader_program *program)
{
    static float floats[8][4];

    for (unsigned n = 0; n < 8 * 4; n++)
        floats[n / 4][n % 4] = random_float(&f->random);
    struct shader_binding *b =
        shader_bind(f->memory, program, &(struct shader_constants){.floats = floats, .float_count = 8});
    set_samplers(f, b);
    for (unsigned k = 0; k < program->input_count; k++)
        b->input[k] = shader_random_below(&f->random, 16) ? (uint8_t)k : SHADER_NO_INPUT;
    for (unsigned s = 0; s < SHADER_MAX_STAGES; s++)
        b->registers->projected[s] = (uint8_t)shader_random_below(&f->random, 5);
    return b;
}

/* A source of a random program: textures[0..3], v0, v1, r0, r1, c0..c3. */
static uint32_t narrow_source(struct fixture *f)
{
    static const uint8_t modifiers[] = {
        0, 0, 0, 0, 0, SMOD_NEGATE, SMOD_BIAS, SMOD_BX2, SMOD_COMPLEMENT, SMOD_X2, SMOD_NEGATE_BX2, SMOD_ABS};
    static const uint8_t types[] = {SREG_TEXTURE, SREG_TEXTURE, SREG_INPUT, SREG_TEMP, SREG_TEMP, SREG_CONST};
    static const uint8_t swizzles[] = {0xe4, 0xe4, 0xe4, 0xff, 0xaa};
    const unsigned type = types[shader_random_below(&f->random, ARRAY_COUNT(types))];
    const unsigned count = type == SREG_TEXTURE || type == SREG_CONST ? 4 : 2;

    return REG(type, shader_random_below(&f->random, count)) |
           (uint32_t)swizzles[shader_random_below(&f->random, 5)] << 16 |
           (uint32_t)modifiers[shader_random_below(&f->random, ARRAY_COUNT(modifiers))] << 24;
}

/* mov r0.a, source: a byte, or a byte minus a half, is never near the thresholds of cnd and cmp. */
static void put_condition(struct fixture *f, unsigned modifier)
{
    struct shader_random *r = &f->random;

    random_put(r, OP1(MOV));
    random_put(r, DST(TEMP, 0, 8));
    random_put(r, (shader_random_below(r, 2) ? SRC(TEXTURE, 1) : SRC(INPUT, 0)) | (uint32_t)modifier << 24);
}

static void put_instruction(struct fixture *f, unsigned minor)
{
    static const struct {
        uint8_t op, sources;
    } ops[] = {{SOP_MOV, 1}, {SOP_ADD, 2}, {SOP_SUB, 2}, {SOP_MUL, 2}, {SOP_MUL, 2},
               {SOP_MAD, 3}, {SOP_LRP, 3}, {SOP_DP3, 2}, {SOP_CND, 3}, {SOP_CMP, 3}};
    static const uint8_t masks[] = {15, 15, 7, 8};
    struct shader_random *r = &f->random;
    const unsigned n = shader_random_below(r, minor >= 2 ? 10 : 9),
                   shift = shader_random_below(r, 4) ? 0 : shader_random_below(r, 7) - 3;

    const bool compares = ops[n].op == SOP_CND || ops[n].op == SOP_CMP;

    if (compares)
        put_condition(f, ops[n].op == SOP_CMP ? SMOD_BIAS : SMOD_NONE);
    /* co-issued with its condition, a comparison would read the r0.a of before */
    random_put(r, ops[n].op | (shader_random_below(r, 4) || compares ? 0 : COISSUE));
    random_put(r, DST(TEMP, shader_random_below(r, 2), masks[shader_random_below(r, 4)]) |
                      (shader_random_below(r, 2) ? SATURATED : 0) | SHIFT(shift));
    for (unsigned k = 0; k < ops[n].sources; k++)
        random_put(r, k == 0 && compares ? SWZ(TEMP, 0, 3, 3, 3, 3) : narrow_source(f));
}

static void random_narrow_program(struct fixture *f)
{
    struct shader_random *r = &f->random;
    const unsigned minor = 1 + shader_random_below(r, 3);

    r->count = 0;
    random_put(r, PS(1, minor));
    for (unsigned d = 0; d < 2; d++) {
        random_put(r, OP1(DEF));
        random_put(r, DST(CONST, d, 15));
        for (unsigned c = 0; c < 4; c++)
            random_put(r,
                       F((float)shader_random_below(r, 257) / (shader_random_below(r, 4) ? 512.0f : -256.0f) + 0.25f));
    }
    for (unsigned t = 0; t < 4; t++) {
        random_put(r, OP1(TEX));
        random_put(r, DST(TEXTURE, t, 15));
    }
    for (unsigned left = 1 + shader_random_below(r, 6); left; left--)
        put_instruction(f, minor);
    random_put(r, END);
}

static void test_random_programs(void **state)
{
    struct fixture *f = fixture_create();
    unsigned with_form = 0;
    const unsigned count = 20000;

    (void)state;
    for (unsigned round = first_round(count); round < end_round(count); round++) {
        random_narrow_program(f);
        const bool optimized = round % 4;
        struct shader_program *program = optimized ? shader_compile(f->random.tokens, f->random.count, NULL)
                                                   : shader_compile_plain(f->random.tokens, f->random.count, NULL);

        assert_non_null(program);
        if (shader_has_narrow(program)) {
            struct shader_binding *b = bind_shader(f, program);

            fill_colors(f);
            f->batch.group_count = 1 + shader_random_below(&f->random, 4);
            run_narrow(f, b);
            compare_floats(f, b);
            with_form++;
        }
        shader_destroy(program);
    }
    assert_true(with_form > count / 8 / fewer_rounds());
    mem_free_aligned(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_modulate),
        cmocka_unit_test(test_random_cascades),
        cmocka_unit_test(test_random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
