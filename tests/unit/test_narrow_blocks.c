/* SPDX-License-Identifier: MIT */
/*
 * Whole blocks of narrow states by generated code: random cascades with textures that are turned, upright, far away or
 * one pixel wide, with each blend, any mask and both formats, give the same words as running the program and then the
 * store. Textures end at an inaccessible page, or begin after one, and so does the target: generated code reads and
 * writes nothing outside.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/kernels/kernels.h"
#include "raster/kernels/narrow_planes.h"
#include "raster/narrow.h"
#include "shader/stages.h"
#include "tests/fuzz/guarded.h"
#include "tests/unit/shader_random.h"
#include "tests/unit/stage_numbers.h"

enum { TEXTURES = 3, SIDE = 256, TARGET = 24 };

struct fixture {
    struct shader_random random;
    const struct raster_kernels *kernels;
    struct shader_jit *jit;
    enum cpu_level level;
    _Alignas(64) char memory[65536];
    _Alignas(64) char scratch[RASTER_SCRATCH_BYTES];
    struct raster_texture texture[TEXTURES];
    struct guarded texels[TEXTURES], target;
    struct raster_batch batch;
    struct raster_draw_state state;
    struct scene_primitive primitive;
    struct narrow_planes planes;
    uint32_t words[2][TARGET][TARGET];
    unsigned shaded, inner;
};

static unsigned below(struct fixture *f, unsigned n)
{
    return shader_random_below(&f->random, n);
}

/* Memory of exactly this many bytes that ends or begins at an inaccessible page. */
static void *guarded_bytes(struct fixture *f, const struct guarded *memory, size_t bytes)
{
    return memory->first + (below(f, 2) ? 0 : memory->room - bytes);
}

static struct fixture *fixture_create(enum cpu_level level)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));

    assert_non_null(f);
    memset(f, 0, sizeof(*f));
    f->random.state = 11 + level;
    f->level = level;
    f->kernels = raster_kernels_for(level);
    f->jit = shader_jit_create(level, 1 << 20, false);
    f->batch.group_count = 4;
    f->batch.is_block = true;
    f->batch.scratch = f->scratch;
    memset(f->state.color_write_mask, 15, sizeof(f->state.color_write_mask));
    f->target = guarded_create(sizeof(f->words[0]));
    for (unsigned t = 0; t < TEXTURES; t++) {
        f->texels[t] = guarded_create(SIDE * SIDE * sizeof(uint32_t));
        for (size_t n = 0; n < f->texels[t].room; n++)
            f->texels[t].first[n] = (uint8_t)shader_random_word(&f->random);
    }
    return f;
}

static void fixture_destroy(struct fixture *f)
{
    shader_jit_destroy(f->jit);
    mem_free_aligned(f);
}

/* --- states -------------------------------------------------------------------------------------------------- */

static void random_texture(struct fixture *f, unsigned t)
{
    const uint32_t width = 1u << below(f, 9), height = 1u << below(f, 9);

    f->texture[t] = (struct raster_texture){.kind = RASTER_TEXTURE_2D, .level_count = 1, .opaque = below(f, 2)};
    uint32_t *texels = guarded_bytes(f, &f->texels[t], width * height * sizeof(*texels));

    f->texture[t].level[0] = (struct raster_texture_level){texels, width, height, 1, width, width * height};
}

static void random_sampler(struct fixture *f, unsigned t, struct raster_sampler *s)
{
    s->texture = &f->texture[t];
    s->mag_filter = s->min_filter = below(f, 8) ? RASTER_FILTER_LINEAR : RASTER_FILTER_POINT;
    s->address[0] = below(f, 3) ? RASTER_WRAP : RASTER_CLAMP;
    s->address[1] = below(f, 3) ? RASTER_WRAP : RASTER_CLAMP;
}

static void random_key(struct fixture *f, struct stages_key *key)
{
    static const uint8_t arguments[] = {TA_DIFFUSE, TA_CURRENT,  TA_TEXTURE, TA_TEXTURE,
                                        TA_TFACTOR, TA_SPECULAR, TA_TEMP};
    const unsigned stages = 1 + below(f, TEXTURES);

    *key = (struct stages_key){.specular_add = (uint8_t)below(f, 2)};
    for (unsigned s = 0; s < stages; s++) {
        struct stage_key *k = &key->stage[s];
        const unsigned op = OP_SELECTARG1 + below(f, OP_COUNT - OP_SELECTARG1);

        k->textured = 1;
        k->color_op = (uint8_t)(is_bump(op) ? OP_MODULATE : op);
        k->alpha_op = k->color_op == OP_DOTPRODUCT3 || below(f, 2) ? k->color_op : OP_MODULATE;
        k->result_temp = (uint8_t)below(f, 2);
        for (unsigned n = 0; n < 3; n++)
            k->color_arg[n] = k->alpha_arg[n] =
                (uint8_t)(arguments[below(f, ARRAY_COUNT(arguments))] | (below(f, 4) ? 0 : TA_COMPLEMENT) |
                          (below(f, 4) ? 0 : TA_ALPHAREPLICATE));
    }
}

static void random_blend(struct fixture *f)
{
    static const uint8_t blends[][2] = {{RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_INV_SRC_ALPHA},
                                        {RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_ONE},
                                        {RASTER_BLEND_ONE, RASTER_BLEND_ONE},
                                        {RASTER_BLEND_ONE, RASTER_BLEND_INV_SRC_ALPHA},
                                        {RASTER_BLEND_ONE, RASTER_BLEND_INV_SRC_COLOR},
                                        {RASTER_BLEND_DST_COLOR, RASTER_BLEND_ZERO},
                                        {RASTER_BLEND_ZERO, RASTER_BLEND_SRC_COLOR},
                                        {RASTER_BLEND_DST_COLOR, RASTER_BLEND_SRC_COLOR}};
    const uint8_t *factors = blends[below(f, ARRAY_COUNT(blends))];

    f->state.blend = (struct raster_blend){.enable = below(f, 4) != 0,
                                           .src_color = factors[0],
                                           .dst_color = factors[1],
                                           .op_color = RASTER_BLEND_ADD,
                                           .src_alpha = factors[0],
                                           .dst_alpha = factors[1],
                                           .op_alpha = RASTER_BLEND_ADD};
}

/* --- inputs -------------------------------------------------------------------------------------------------- */

static void fill_colors(struct fixture *f, unsigned input)
{
    int16_t *numbers = narrow_of(f->batch.input[input]);

    for (unsigned n = 0; n < 4 * RASTER_LANES; n++)
        numbers[n] = (int16_t)(below(f, 4) ? below(f, NARROW_ONE + 1) : below(f, 2) * NARROW_ONE);
}

/* The step per pixel, in repetitions of the texture. */
static float random_step(struct fixture *f)
{
    return ((float)below(f, 4097) - 2048.0f) / 2048.0f / (float)(1u << below(f, 14));
}

static void add_coordinate(struct fixture *f, unsigned input)
{
    const bool upright = !below(f, 4);
    struct narrow_coordinate *coordinate = &f->planes.coordinate[f->planes.coordinate_count++];

    *coordinate = (struct narrow_coordinate){.input = (uint8_t)input};
    for (unsigned c = 0; c < 2; c++) {
        coordinate->a[c] = ((float)below(f, 8193) - 4096.0f) / 1024.0f * (float)RASTER_AFFINE_ONE;
        coordinate->dx[c] = upright && c == 1 ? 0.0f : random_step(f) * (float)RASTER_AFFINE_ONE;
        coordinate->dy[c] = upright && c == 0 ? 0.0f : random_step(f) * (float)RASTER_AFFINE_ONE;
        coordinate->step_x[c] = (int32_t)coordinate->dx[c];
        coordinate->step_y[c] = (int32_t)coordinate->dy[c];
    }
    f->batch.affine |= (uint16_t)(1u << input);
}

/* Coordinates are integers or floats. */
static void fill_inputs(struct fixture *f, const struct shader_binding *b)
{
    const unsigned colors = shader_narrow_colors(b->program);

    f->batch.affine = 0;
    f->planes.coordinate_count = 0;
    f->planes.primitive = &f->primitive;
    f->primitive.reference_x = (float)below(f, TARGET);
    f->primitive.reference_y = (float)below(f, TARGET);
    for (unsigned k = 0; k < b->program->input_count; k++) {
        if (colors >> k & 1)
            fill_colors(f, k);
        else if (below(f, 4))
            add_coordinate(f, k);
        else
            for (unsigned n = 0; n < 4 * RASTER_LANES; n++)
                f->batch.input[k][n / RASTER_LANES][n % RASTER_LANES] =
                    n / RASTER_LANES == 3 ? 1.0f : (float)below(f, 4096) / 512.0f - 4.0f;
    }
}

/* --- both ways ------------------------------------------------------------------------------------------------ */

static void store_steps(struct fixture *f, const struct shader_binding *b, const struct raster_block *block)
{
    struct raster_place place[4];
    raster_pack_fn pack;
    const raster_store_fn store = f->kernels->choose_narrow_store(&f->state, block->target->format, &pack);

    assert_non_null(store);
    for (unsigned g = 0; g < 4; g++)
        place[g] =
            (struct raster_place){block->x + (int)(g & 1) * 4, block->y + (int)(g >> 1) * 4, g * RASTER_GROUP_LANES, 15,
                                  (uint32_t)(block->mask >> g * RASTER_GROUP_LANES & 0xffff)};
    f->batch.again = false;
    f->kernels->interpolate_narrow_coordinates(&f->planes, block->x, block->y, f->batch.affine, &f->batch);
    shader_narrow_executor(f->level)(b, &f->batch);
    store(&f->state, block->target, 0, &f->batch, place, 4);
}

static uint64_t random_mask(struct fixture *f)
{
    const uint64_t any = shader_random_word(&f->random) | (uint64_t)shader_random_word(&f->random) << 32;

    switch (below(f, 4)) {
    case 0:
        return any;
    case 1: /* whole groups, and none */
        return any & 0x8000800080008000 ? ~UINT64_C(0xffff0000) : UINT64_C(0xffff) << 48;
    default:
        return ~UINT64_C(0);
    }
}

/* Most blocks begin at multiples of four, from which steps count. */
static int random_place(struct fixture *f)
{
    const int place = (int)below(f, TARGET - 7);

    return below(f, 4) ? place & ~3 : place;
}

static void check_block(struct fixture *f, const struct shader_binding *b)
{
    struct raster_surface target = {.pixels = guarded_bytes(f, &f->target, sizeof(f->words[0])),
                                    .pitch = sizeof(f->words[0][0]),
                                    .width = TARGET,
                                    .height = TARGET,
                                    .format = below(f, 2) ? RASTER_FORMAT_A8R8G8B8 : RASTER_FORMAT_X8R8G8B8};
    const struct raster_block block = {&f->state,       &target,        random_place(f),
                                       random_place(f), random_mask(f), &f->planes};

    for (unsigned n = 0; n < TARGET * TARGET; n++)
        f->words[0][n / TARGET][n % TARGET] = shader_random_word(&f->random);
    memcpy(f->words[1], f->words[0], sizeof(f->words[0]));
    memcpy(target.pixels, f->words[0], sizeof(f->words[0]));
    f->batch.covered = block.mask;
    f->batch.again = false;
    if (!shader_narrow_block_executor(f->level)(b, &block, &f->batch))
        return;
    f->shaded++;
    memcpy(f->words[0], target.pixels, sizeof(f->words[0]));
    target.pixels = (uint8_t *)f->words[1];
    store_steps(f, b, &block);
    if (memcmp(f->words[0], f->words[1], sizeof(f->words[0]))) {
        char text[4096];

        shader_print_ir(b->program, text, sizeof(text));
        fail_msg("%s: a block at (%d, %d), mask %llx, blend %u %u %u, differs\n%s", cpu_level_name(f->level), block.x,
                 block.y, (unsigned long long)block.mask, f->state.blend.enable, f->state.blend.src_color,
                 f->state.blend.dst_color, text);
    }
}

/* How often functions can sample textures themselves. */
static void count_inner(struct fixture *f, const struct shader_binding *b)
{
    for (unsigned n = 0; n < f->planes.coordinate_count; n++)
        for (unsigned s = 0; s < shader_sampler_count(b->program); s++) {
            const struct raster_narrow_reads reads = f->kernels->choose_narrow_reads(&b->sampler[s]);
            int32_t start[2][4];

            f->kernels->start_narrow_coordinate(&f->planes, &f->planes.coordinate[n], 0, 0, start);
            f->inner +=
                reads.direct && reads.linear &&
                f->kernels->block_is_inner(&reads.affine_level, &f->planes.coordinate[n], (const int32_t(*)[4])start);
        }
}

static void check_cascade(struct fixture *f)
{
    struct stages_key key;
    struct stages_program program;

    random_key(f, &key);
    stages_compile(&key, &program);
    if (!program.samplers || !shader_has_narrow(program.shader)) {
        stages_destroy(&program);
        return;
    }
    shader_generate(program.shader, f->jit);
    assert_true(stages_binding_size(&program) <= sizeof(f->memory));
    struct shader_binding *b = stages_bind(f->memory, &program, f->level);

    for (unsigned n = 0; n < 1 + STAGES_MAX; n++) {
        const float value[4] = {(float)below(f, 256) / 255.0f, (float)below(f, 256) / 255.0f,
                                (float)below(f, 256) / 255.0f, (float)below(f, 256) / 255.0f};

        stages_set_constant(b, n ? STAGES_CONSTANT_COLOR + n - 1 : STAGES_CONSTANT_FACTOR, value);
    }
    for (unsigned round = 0; round < 12; round++) {
        for (unsigned s = 0; s < shader_sampler_count(b->program); s++) {
            random_texture(f, s % TEXTURES);
            random_sampler(f, s % TEXTURES, &b->sampler[s]);
        }
        random_blend(f);
        shader_note_narrow_use(program.shader, &f->state.blend, f->jit);
        fill_inputs(f, b);
        count_inner(f, b);
        check_block(f, b);
    }
    stages_destroy(&program);
}

static void check_level(enum cpu_level level)
{
    const unsigned cascades = 1500;
    struct fixture *f = fixture_create(level);

    for (unsigned n = 0; n < cascades; n++)
        check_cascade(f);
    if (f->jit) {
        assert_true(f->shaded > 6 * cascades);
        assert_true(f->inner > cascades);
    } else {
        assert_int_equal(f->shaded, 0);
    }
    fixture_destroy(f);
}

static void test_blocks(void **state)
{
    (void)state;
    for (enum cpu_level level = CPU_GENERATED; level <= cpu_level_detected(); level++)
        check_level(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
