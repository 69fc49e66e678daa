/* SPDX-License-Identifier: MIT */
/*
 * Fast paths do not change pixels: random primitives with random states are drawn with and without
 * program_reads_inputs_alone, and with a copying program that runs or does not run; points and meshes with and without
 * dithering, which ties their groups to places and has no effect on 8-bit channels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/raster.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define WIDTH  90 /* blocks and groups are cut by the border */
#define HEIGHT 77
#define ROUNDS 600

static unsigned shaded; /* groups that the program was run for */

/* The result of the program: this input, clamped to 0..1 or not. */
static struct copying {
    struct raster_pass_through pass_through;
    bool saturates;
} copying;

static void shade(const void *program, struct raster_batch *batch)
{
    const struct copying *p = program;

    shaded += batch->group_count;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            float v = p->pass_through.components >> c & 1 ? batch->input[p->pass_through.input][c][l]
                                                          : p->pass_through.constant[c];

            batch->color[0][c][l] = p->saturates ? BASE_MIN(v > 0.0f ? v : 0.0f, 1.0f) : v;
        }
}

/* For input 0. */
static void any_copying(struct copying *p)
{
    memset(p, 0, sizeof(*p));
    p->saturates = random_below(2);
    p->pass_through.copied = 15;
    p->pass_through.components = random_below(3) ? (uint8_t)random_below(16) : 15;
    for (unsigned c = 0; c < 4; c++)
        p->pass_through.constant[c] = random_unit() * 1.4f - 0.2f;
}

/* Its colour distinguishes a quad from one that starts a pixel to the side. */
static void shade_slopes(const void *program, struct raster_batch *batch)
{
    shade(program, batch);
    for (unsigned l = 0; l < batch->group_count * RASTER_GROUP_LANES; l++)
        batch->color[0][0][l] = 8.0f * (batch->input[0][0][l | 1] - batch->input[0][0][l & ~1u]);
}

struct picture {
    _Alignas(64) uint8_t color[WIDTH * HEIGHT * 8];
    _Alignas(64) uint32_t depth[WIDTH * HEIGHT];
};

static enum raster_format any_format(void)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_A8R8G8B8, RASTER_FORMAT_X8R8G8B8,
                                                 RASTER_FORMAT_R5G6B5,   RASTER_FORMAT_A1R5G5B5,
                                                 RASTER_FORMAT_A4R4G4B4, RASTER_FORMAT_A16B16G16R16F};

    return formats[random_below(ARRAY_COUNT(formats))];
}

static void any_state(struct raster_draw_state *s)
{
    struct raster_state *rs = &s->rasterizer;

    memset(s, 0, sizeof(*s));
    rs->fill_front = rs->fill_back = RASTER_FILL_SOLID;
    rs->half_pixel_center = true;
    rs->poly_stipple_enable = random_below(8) == 0;
    rs->poly_smooth = random_below(8) == 0;
    rs->conservative_raster_mode = random_below(4) ? RASTER_CONSERVATIVE_OFF : RASTER_CONSERVATIVE_POST_SNAP;
    for (unsigned i = 0; i < 32; i++)
        s->poly_stipple[i] = random_word() * 5;
    s->viewport = (struct raster_rect){0, 0, WIDTH, HEIGHT};
    s->depth_max = 1.0f;
    s->depth_test = random_below(2);
    s->depth_write = random_below(2);
    s->depth_func = (uint8_t)random_below(8);
    s->depth_from_w = random_below(6) == 0;
    s->w_scale = 0.2f;
    s->stencil = (struct raster_stencil){random_below(3) == 0,
                                         (uint8_t)random_below(8),
                                         (uint8_t)random_below(8),
                                         (uint8_t)random_below(8),
                                         (uint8_t)random_below(8),
                                         (uint8_t)random_below(4),
                                         255,
                                         255};
    s->alpha_test = random_below(4) == 0;
    s->alpha_func = RASTER_GEQUAL;
    s->alpha_ref = 128;
    s->blend = (struct raster_blend){.enable = random_below(3) == 0,
                                     .src_color = RASTER_BLEND_SRC_ALPHA,
                                     .dst_color = RASTER_BLEND_INV_SRC_ALPHA,
                                     .src_alpha = RASTER_BLEND_SRC_ALPHA,
                                     .dst_alpha = (uint8_t)random_below(10)};
    s->color_write_mask[0] = random_below(3) ? 15 : (uint8_t)random_below(16);
    s->dither = random_below(2);
    s->srgb_write = random_below(4) == 0;
    if (random_below(4) == 0)
        s->fog_mode = (enum raster_fog_mode)random_below(4);
    s->fog_from_w = random_below(2);
    s->fog_input = 1;
    s->fog_color[1] = 0.7f;
    s->fog_end = 1.0f;
    s->fog_density = 0.8f;
    any_copying(&copying);
    s->shade = shade;
    s->program = &copying;
    s->input_count = 2;
    s->interpolation[0] = (uint8_t)random_below(2);
    s->input_mask[0] = 15;
    s->input_mask[1] = 1;
}

/* One to four large or small triangles; most with a single colour, some with varying depth or w. */
static void draw_some(struct raster *raster)
{
    for (unsigned n = 1 + random_below(4); n; n--) {
        struct raster_vertex v[3] = {0};
        const bool varies = random_below(3) == 0, deep = random_below(2), small = random_below(4) == 0;
        const float x = random_unit() * WIDTH, y = random_unit() * HEIGHT, z = random_unit(),
                    w = random_below(2) ? 1.0f : 0.3f + random_unit();
        float color[5];

        for (unsigned c = 0; c < 5; c++)
            color[c] = random_unit() * 1.4f - 0.2f;
        for (unsigned k = 0; k < 3; k++) {
            v[k].x = small ? x + random_unit() * 9 : random_unit() * 2 * WIDTH - WIDTH / 2;
            v[k].y = small ? y + random_unit() * 9 : random_unit() * 2 * HEIGHT - HEIGHT / 2;
            v[k].z = deep ? random_unit() : z;
            v[k].rhw = deep ? 0.2f + random_unit() : w;
            for (unsigned c = 0; c < 5; c++)
                v[k].input[c / 4][c % 4] = varies ? random_unit() : color[c];
        }
        raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
    }
}

/* Points of all sizes, also on the borders of tiles and of the target; as sprites, so that their colour varies. */
static void draw_points(struct raster *raster)
{
    for (unsigned n = 20; n; n--) {
        struct raster_vertex v = {
            .x = random_unit() * WIDTH, .y = random_unit() * HEIGHT, .z = random_unit(), .rhw = 1.0f};

        for (unsigned c = 0; c < 4; c++)
            v.input[1][c] = random_unit();
        raster_point(raster, &v, random_below(32) ? random_unit() * 12 : random_unit() * 50);
    }
}

/* Layers of a net of triangles, each some pixels large, over tiles, blocks and the border; each layer is nearer or
 * farther than the previous one, with holes through which another shows. */
static void draw_meshes(struct raster *raster)
{
    enum { COLUMNS = 20, ROWS = 18 };
    static struct raster_vertex v[ROWS + 1][COLUMNS + 1];

    for (unsigned layers = 1 + random_below(3); layers; layers--) {
        const float size = 2.0f + 4.0f * random_unit(), z = 0.5f * random_unit();

        for (unsigned y = 0; y <= ROWS; y++) {
            for (unsigned x = 0; x <= COLUMNS; x++) {
                struct raster_vertex *at = &v[y][x];

                *at = (struct raster_vertex){.x = ((float)x + random_unit() * 0.8f) * size,
                                             .y = ((float)y + random_unit() * 0.8f) * size,
                                             .z = z + 0.1f * random_unit(),
                                             .rhw = 0.5f + random_unit()};
                for (unsigned c = 0; c < 5; c++)
                    at->input[c / 4][c % 4] = random_unit();
            }
        }
        for (unsigned y = 0; y < ROWS; y++) {
            for (unsigned x = 0; x < COLUMNS; x++) {
                if (random_below(64) == 0)
                    continue;
                raster_triangle(raster, &v[y][x], &v[y][x + 1], &v[y + 1][x], &v[y][x], 7);
                raster_triangle(raster, &v[y + 1][x], &v[y][x + 1], &v[y + 1][x + 1], &v[y + 1][x], 7);
            }
        }
    }
}

/* Squares of about a block, or a tile, as two triangles; their borders lie on pixel centres or between them, also on
 * the borders of tiles and of the target. */
static void draw_squares(struct raster *raster)
{
    for (unsigned n = 40; n; n--) {
        const float size = 0.5f * (float)(random_below(8) ? 10 + random_below(10) : 124 + random_below(8)),
                    z = random_unit();
        const float x = 0.5f * (float)random_below(2 * WIDTH) - 4, y = 0.5f * (float)random_below(2 * HEIGHT) - 4;
        struct raster_vertex v[4] = {0};

        for (unsigned k = 0; k < 4; k++) {
            v[k].x = x + (k & 1 ? size : 0);
            v[k].y = y + (k & 2 ? size : 0);
            v[k].z = BASE_MIN(z + 0.1f * random_unit(), 1.0f);
            v[k].rhw = 0.5f + random_unit();
            for (unsigned c = 0; c < 5; c++)
                v[k].input[c / 4][c % 4] = random_unit();
        }
        raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
        raster_triangle(raster, &v[2], &v[1], &v[3], &v[2], 7);
    }
}

static void draw(struct raster *raster, const struct raster_draw_state *state, enum raster_format format, uint32_t from,
                 void (*primitives)(struct raster *), struct picture *out)
{
    const struct raster_rect all = {0, 0, WIDTH, HEIGHT};
    const struct raster_targets targets = {
        .color[0] = {out->color, WIDTH * raster_format_info(format)->block_bytes, WIDTH, HEIGHT, format, 0},
        .depth = {(uint8_t *)out->depth, WIDTH * 4, WIDTH, HEIGHT, RASTER_FORMAT_D24S8, 0},
    };

    memset(out, 0, sizeof(*out));
    raster_set_targets(raster, &targets);
    raster_clear(raster, RASTER_CLEAR_COLOR | RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL, &all, 0x80402010, 0.5f, 1);
    raster_set_state(raster, state);
    random_seed = from;
    primitives(raster);
    raster_flush(raster);
}

/* Draws each round unchanged and with the state changed by `shorten`, at every level; pixels must be the same. groups:
 * the number of shaded groups, without and with fast paths. */
static void compare(void (*prepare)(struct raster_draw_state *), void (*shorten)(struct raster_draw_state *, uint32_t),
                    enum raster_format (*format_of)(void), void (*primitives)(struct raster *), unsigned groups[2])
{
    struct picture *picture = mem_alloc_aligned(2 * sizeof(*picture));

    groups[0] = groups[1] = 0;
    for (int level = 0; level <= (int)cpu_level_detected(); level++) {
        struct raster *raster = raster_create((enum cpu_level)level, 1);

        for (uint32_t round = first_round(ROUNDS); round < end_round(ROUNDS); round++) {
            struct raster_draw_state state;

            random_seed = round * 7919 + 1;
            const enum raster_format format = format_of();
            prepare(&state);
            const uint32_t from = random_seed;
            for (unsigned k = 0; k < 2; k++) {
                if (k)
                    shorten(&state, round);
                shaded = 0;
                draw(raster, &state, format, from, primitives, &picture[k]);
                groups[k] += shaded;
            }
            if (memcmp(&picture[0], &picture[1], sizeof(*picture)))
                fail_msg("level %d, round %u: other pixels", level, (unsigned)round);
        }
        raster_destroy(raster);
    }
    mem_free_aligned(picture);
}

static void tell_of_program(struct raster_draw_state *state, uint32_t round)
{
    state->program_reads_inputs_alone = true;
    if (round & 1)
        state->pass_through = copying.pass_through;
}

static void test_states(void **unused)
{
    unsigned groups[2];

    (void)unused;
    compare(any_state, tell_of_program, any_format, draw_some, groups);
    /* and the fast paths are taken */
    assert_true(groups[1] < (fewer_rounds() > 1 ? groups[0] / 4 * 3 : groups[0] / 2));
}

static enum raster_format any_eight_bits(void)
{
    return random_below(2) ? RASTER_FORMAT_A8R8G8B8 : RASTER_FORMAT_X8R8G8B8;
}

/* Direct stores, with and without a depth test. */
static void stored_squares(struct raster_draw_state *state)
{
    any_state(state);
    state->rasterizer.poly_stipple_enable = state->rasterizer.poly_smooth = false;
    state->rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_OFF;
    state->alpha_test = state->blend.enable = state->dither = state->srgb_write = false;
    state->fog_mode = RASTER_FOG_OFF;
    state->color_write_mask[0] = 15;
    copying.pass_through.copied = copying.pass_through.components = 15;
}

static void pass_through(struct raster_draw_state *state, uint32_t round)
{
    (void)round;
    state->pass_through = copying.pass_through;
}

static void test_squares(void **unused)
{
    unsigned groups[2];

    (void)unused;
    compare(stored_squares, pass_through, any_eight_bits, draw_squares, groups);
    assert_int_equal(groups[1], 0);
}

static enum raster_format eight_bits(void)
{
    return RASTER_FORMAT_A8R8G8B8;
}

static void dithered_points(struct raster_draw_state *state)
{
    any_state(state);
    state->rasterizer.point_quad_rasterization = state->rasterizer.point_tri_clip = true;
    state->rasterizer.sprite_coord_enable = 1;
    state->dither = true;
}

static void dithered_meshes(struct raster_draw_state *state)
{
    any_state(state);
    state->rasterizer.poly_stipple_enable = state->rasterizer.poly_smooth = false;
    state->rasterizer.conservative_raster_mode = RASTER_CONSERVATIVE_OFF;
    state->shade = shade_slopes;
    state->depth_func = random_below(2) ? RASTER_LEQUAL : state->depth_func;
    state->depth_test = state->depth_write = random_below(4) != 0;
    state->stencil.enable = state->stencil.enable && random_below(4) == 0;
    state->dither = true;
}

static void stop_dithering(struct raster_draw_state *state, uint32_t round)
{
    (void)round;
    state->dither = false;
}

static void test_points(void **unused)
{
    unsigned groups[2];

    (void)unused;
    compare(dithered_points, stop_dithering, eight_bits, draw_points, groups);
    assert_true(groups[1] < groups[0]);
}

static void test_meshes(void **unused)
{
    unsigned groups[2];

    (void)unused;
    compare(dithered_meshes, stop_dithering, eight_bits, draw_meshes, groups);
    assert_true(groups[1] < groups[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_meshes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
