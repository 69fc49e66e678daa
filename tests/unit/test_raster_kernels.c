/* SPDX-License-Identifier: MIT */
/*
 * Each slot of the kernel table: every CPU level against the scalar variant on random input with forced
 * extremes, in the manner of checkasm. A difference names the kernel, the level and the round.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/format/depth.h"
#include "raster/kernels/kernels.h"

#define ROUNDS 3000
#define SIDE 32 /* of the target, pixels */

static uint32_t random_state = 3;

static uint32_t random_u32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static float random_float(void)
{
    static const float extreme[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e30f, -1e30f, 1e-40f, 1.0f / 0.0f, 0.0f / 0.0f};

    if (random_u32() % 16 == 0)
        return extreme[random_u32() % ARRAY_COUNT(extreme)];
    return (float)(int32_t)random_u32() / 1073741824.0f;
}

/* A colour or depth: mostly 0..1. */
static float random_unit(void)
{
    return random_u32() % 8 ? (float)(random_u32() >> 8) / 16777216.0f : random_float();
}

struct scratch {
    struct raster_batch batch;
    struct raster_draw_state state;
    struct raster_surface surface;
    uint8_t pixels[SIDE * SIDE * RASTER_TEXEL_BYTES];
    struct {
        struct scene_primitive primitive;
        struct scene_plane4 planes[RASTER_MAX_INPUTS];
    } p;
};

/* Compares what two runs left: 0 when equal. */
typedef void (*run_kernel)(const struct raster_kernels *kernels, struct scratch *scratch);

static void compare_levels(const char *name, unsigned round, const struct scratch *input, run_kernel run)
{
    static struct scratch want, got;

    memcpy(&want, input, sizeof(want));
    run(raster_kernels_for(CPU_SCALAR), &want);
    for (unsigned level = CPU_SSE2; level <= (unsigned)cpu_level_detected(); level++) {
        memcpy(&got, input, sizeof(got));
        run(raster_kernels_for((enum cpu_level)level), &got);
        if (memcmp(&want, &got, sizeof(want)))
            fail_msg("%s: %s differs from scalar in round %u", name, cpu_level_name((enum cpu_level)level), round);
    }
}

/* --- coverage ---------------------------------------------------------------------------- */

static void test_coverage(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        int32_t c[3], dx[3], dy[3];
        unsigned edges = 1 + random_u32() % 7, shift = random_u32() % 24;

        for (unsigned e = 0; e < 3; e++) {
            dx[e] = (int32_t)random_u32() >> (8 + shift % 16);
            dy[e] = (int32_t)random_u32() >> (8 + shift % 16);
            c[e] = (int32_t)random_u32() >> (3 + shift);
        }
        uint64_t want = raster_kernels_scalar.coverage_block(c, dx, dy, edges);
        for (unsigned level = CPU_SSE2; level <= (unsigned)cpu_level_detected(); level++)
            assert_true(raster_kernels_for((enum cpu_level)level)->coverage_block(c, dx, dy, edges) == want);
        /* and the scalar one against its definition */
        for (unsigned l = 0; l < 64; l++) {
            int x = (int)((l & 1) | (l >> 1 & 2) | (l >> 2 & 4)), y = (int)((l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4));
            bool inside = true;

            for (unsigned e = 0; e < 3; e++)
                if (edges & (1u << e))
                    inside &= (int64_t)c[e] - (int64_t)dy[e] * x + (int64_t)dx[e] * y >= 0;
            assert_int_equal(want >> l & 1, inside);
        }
    }
}

/* --- the others, through compare_levels ----------------------------------------------------- */

/* Blocks of a triangle in a tile: against the edges at every pixel, and every level the same. */
static void test_cover_triangle(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct raster_cover want[64], got[64];
        struct raster_tile_edges edges = {.mask = random_u32() % 8};
        struct raster_rect area = {.left = (int)(random_u32() % 64), .top = (int)(random_u32() % 64)};
        bool covered[64][64] = {{false}}, listed[64][64] = {{false}};

        area.right = area.left + 1 + (int)(random_u32() % (unsigned)(64 - area.left));
        area.bottom = area.top + 1 + (int)(random_u32() % (unsigned)(64 - area.top));
        for (unsigned e = 0; e < 3; e++) {
            unsigned shift = 9 + random_u32() % 16;

            edges.dx[e] = (int32_t)random_u32() >> shift;
            edges.dy[e] = (int32_t)random_u32() >> shift;
            /* through a point of the tile, more or less */
            edges.c[e] = edges.dy[e] * (int32_t)(random_u32() % 64) - edges.dx[e] * (int32_t)(random_u32() % 64);
        }
        for (int y = area.top; y < area.bottom; y++) {
            for (int x = area.left; x < area.right; x++) {
                covered[y][x] = true;
                for (unsigned e = 0; e < 3; e++)
                    if (edges.mask & (1u << e))
                        covered[y][x] &= edges.c[e] - edges.dy[e] * x + edges.dx[e] * y >= 0;
            }
        }
        unsigned count = raster_kernels_scalar.cover_triangle(&edges, &area, want);
        for (unsigned i = 0; i < count; i++)
            for (unsigned l = 0; l < 64; l++)
                if (want[i].mask >> l & 1)
                    listed[want[i].y + (int)((l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4))]
                          [want[i].x + (int)((l & 1) | (l >> 1 & 2) | (l >> 2 & 4))] = true;
        assert_memory_equal(covered, listed, sizeof(covered));
        for (unsigned level = CPU_SSE2; level <= (unsigned)cpu_level_detected(); level++) {
            assert_int_equal(raster_kernels_for((enum cpu_level)level)->cover_triangle(&edges, &area, got), count);
            assert_memory_equal(got, want, count * sizeof(*got));
        }
    }
}

static unsigned quads; /* of a group */

static void run_interpolate(const struct raster_kernels *k, struct scratch *s)
{
    s->p.primitive.state = &s->state;
    k->interpolate_depth(&s->p.primitive, 12, 40, (const float[2]){0.25f, -0.375f}, s->batch.z + 16);
    k->interpolate(&s->p.primitive, &(struct raster_place){12, 40, 16, quads, 0}, &s->batch);
    s->p.primitive.state = NULL;
}

static void run_interpolate_block(const struct raster_kernels *k, struct scratch *s)
{
    s->p.primitive.state = &s->state;
    k->interpolate_block(&s->p.primitive, 8, 16, &s->batch);
    s->p.primitive.state = NULL;
}

static void random_plane(struct scene_plane4 *plane)
{
    for (unsigned c = 0; c < 4; c++) {
        plane->a[c] = random_float();
        plane->dx[c] = random_float();
        plane->dy[c] = random_float();
    }
}

static struct scratch *new_scratch(void)
{
    struct scratch *s = mem_alloc_aligned(sizeof(*s));

    s->batch.group_count = 4;
    return s;
}

static void test_interpolate(void **state)
{
    struct scratch *s = new_scratch();

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        s->state.input_count = (uint8_t)(random_u32() % (RASTER_MAX_INPUTS + 1));
        s->p.primitive.reference_x = random_float() * 50.0f;
        s->p.primitive.reference_y = random_float() * 50.0f;
        for (unsigned c = 0; c < 2; c++) {
            s->p.primitive.depth.a[c] = random_float();
            s->p.primitive.depth.dx[c] = random_float();
            s->p.primitive.depth.dy[c] = random_float();
        }
        for (unsigned i = 0; i < RASTER_MAX_INPUTS; i++) {
            random_plane(&s->p.primitive.input[i]);
            s->state.interpolation[i] = (uint8_t)(random_u32() % 2);
            s->state.input_mask[i] = (uint8_t)(random_u32() % 16);
        }
        quads = 1 + random_u32() % 15;
        compare_levels("interpolate", round, s, run_interpolate);
        compare_levels("interpolate, block", round, s, run_interpolate_block);
    }
    mem_free_aligned(s);
}

static unsigned place_x, place_y, lane_mask;
static uint64_t block_mask;
static float place_offset[2]; /* from the pixels' centres */

/* A surface that need not end on a group. */
static struct raster_surface random_surface(enum raster_format format)
{
    return (struct raster_surface){.pitch = SIDE * RASTER_TEXEL_BYTES,
                                   .width = SIDE - random_u32() % 4,
                                   .height = SIDE - random_u32() % 4,
                                   .format = format};
}

static void run_depth(const struct raster_kernels *k, struct scratch *s)
{
    struct raster_surface depth = s->surface;

    depth.pixels = s->pixels;
    s->batch.covered = k->depth_stencil(&s->state, &depth, (int)place_x, (int)place_y, s->batch.z, lane_mask, true);
}

/* The same with depths from a plane, for the whole block that holds the group. */
static void run_depth_block(const struct raster_kernels *k, struct scratch *s)
{
    struct raster_surface depth = s->surface;
    struct raster_depth_test test;

    depth.pixels = s->pixels;
    k->choose_depth(&s->state, depth.format, &test);
    s->batch.covered = test.run(&test, &depth, &s->p.primitive, (int)place_x & ~7, (int)place_y & ~7, place_offset,
                                block_mask);
}

/* Choosing by state gives what the one function for all states gives. */
static void check_depth_block(const struct scratch *input, unsigned round)
{
    static struct scratch want, got;
    int x = (int)place_x & ~7, y = (int)place_y & ~7;

    memcpy(&want, input, sizeof(want));
    memcpy(&got, input, sizeof(got));
    run_depth_block(&raster_kernels_scalar, &got);
    want.surface.pixels = want.pixels;
    uint64_t pass = 0;
    for (unsigned g = 0; g < 4; g++) {
        int gx = x + (int)(g & 1) * 4, gy = y + (int)(g >> 1) * 4;
        uint32_t bits = (uint32_t)(block_mask >> (g * GROUP_LANES)) & 0xffff;

        raster_kernels_scalar.interpolate_depth(&want.p.primitive, gx, gy, place_offset, want.batch.z);
        pass |= (uint64_t)raster_kernels_scalar.depth_stencil(&want.state, &want.surface, gx, gy, want.batch.z, bits,
                                                              want.p.primitive.front_facing)
                << (g * GROUP_LANES);
    }
    if (pass != got.batch.covered || memcmp(want.pixels, got.pixels, sizeof(want.pixels)))
        fail_msg("depth of a block: not what its groups give in round %u", round);
}

static struct raster_stencil random_stencil(void)
{
    return (struct raster_stencil){
        .enable = random_u32() % 4 != 0,
        .func = (uint8_t)(random_u32() % 8),
        .fail = (uint8_t)(random_u32() % 8),
        .zfail = (uint8_t)(random_u32() % 8),
        .pass = (uint8_t)(random_u32() % 8),
        .ref = (uint8_t)random_u32(),
        .mask = random_u32() % 2 ? 0xff : (uint8_t)random_u32(),
        .write_mask = random_u32() % 2 ? 0xff : (uint8_t)random_u32(),
    };
}

/* Depth words near what the plane gives, and stencils that reach their ends. */
static void random_depths(struct scratch *s)
{
    static const uint8_t ends[] = {0, 1, 0x0f, 0x10, 0xfe, 0xff};

    for (unsigned i = 0; i < sizeof(s->pixels); i++)
        s->pixels[i] = random_u32() % 4 ? (uint8_t)random_u32() : ends[random_u32() % ARRAY_COUNT(ends)];
}

static void test_depth_stencil(void **state)
{
    struct scratch *s = new_scratch();

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned format = RASTER_FORMAT_D16 + random_u32() % (RASTER_FORMAT_COUNT - RASTER_FORMAT_D16);

        s->surface = random_surface((enum raster_format)format);
        random_depths(s);
        for (unsigned l = 0; l < GROUP_LANES; l++)
            s->batch.z[l] = random_u32() % 4 ? (float)(random_u32() % 256) / 255.0f : (float)(random_u32() >> 8) / 16777216.0f;
        s->state.depth_test = random_u32() % 4 != 0;
        s->state.depth_write = random_u32() % 2;
        s->state.depth_func = (uint8_t)(random_u32() % 8);
        s->state.stencil = random_stencil();
        s->state.stencil_back = random_stencil();
        s->state.two_sided_stencil = random_u32() % 4 == 0;
        s->state.depth_bounds = random_u32() % 8 == 0;
        s->state.bounds_max = random_unit();
        place_x = random_u32() % (SIDE / 4) * 4;
        place_y = random_u32() % (SIDE / 4) * 4;
        /* lanes outside a narrower surface are never covered */
        lane_mask = place_x + 4 > s->surface.width || place_y + 4 > s->surface.height ? 1 : random_u32() & 0xffff;
        compare_levels("depth_stencil", round, s, run_depth);
        s->p.primitive.depth.a[0] = random_unit();
        s->p.primitive.depth.dx[0] = random_float() * 0.05f;
        s->p.primitive.depth.dy[0] = random_float() * 0.05f;
        s->p.primitive.reference_x = (float)(random_u32() % 8192) / 256.0f;
        s->p.primitive.reference_y = (float)(random_u32() % 8192) / 256.0f;
        s->p.primitive.front_facing = random_u32() % 2;
        for (unsigned i = 0; i < 2; i++)
            place_offset[i] = round % 2 ? 0.0f : (float)(int)(random_u32() % 16) / 16.0f - 0.5f;
        if (round % 4 == 1) {
            s->state.stencil.enable = s->state.two_sided_stencil = false;
            s->state.depth_test = true;
        }
        block_mask = random_u32() % 4 ? (uint64_t)random_u32() << 32 | random_u32() : ~UINT64_C(0);
        if ((place_x | 7) >= s->surface.width || (place_y | 7) >= s->surface.height)
            block_mask = 1;
        compare_levels("depth of a block", round, s, run_depth_block);
        check_depth_block(s, round);
    }
    mem_free_aligned(s);
}

/* 24 bits of depth in float arithmetic, at every z where the result steps and just before. */
static void test_depth_24(void **state)
{
    union {
        float f;
        uint32_t u;
    } z = {.f = 0.0f};

    (void)state;
    assert_int_equal(depth_to_24(0.0f), 0);
    for (uint32_t step = 1; step <= 0xffffff; step++) {
        /* the least float that the definition takes to `step` */
        z.f = (float)(((double)step - 0.5) / 16777215.0);
        while ((uint32_t)((double)z.f * 16777215.0 + 0.5) >= step)
            z.u--;
        while ((uint32_t)((double)z.f * 16777215.0 + 0.5) < step)
            z.u++;
        if (depth_to_24(z.f) != (uint32_t)((double)z.f * 16777215.0 + 0.5))
            fail_msg("depth_to_24(%a): %u", (double)z.f, depth_to_24(z.f));
        z.u--;
        if (depth_to_24(z.f) != (uint32_t)((double)z.f * 16777215.0 + 0.5))
            fail_msg("depth_to_24(%a): %u", (double)z.f, depth_to_24(z.f));
    }
    assert_int_equal(depth_to_24(1.0f), 0xffffff);
}

static void run_fog(const struct raster_kernels *k, struct scratch *s)
{
    k->fog(&s->state, &s->batch);
    k->alpha_test(&s->state, &s->batch);
}

static void test_fog_and_alpha(void **state)
{
    struct scratch *s = new_scratch();

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        s->state.fog_mode = (enum raster_fog_mode)(1 + random_u32() % 4);
        s->state.fog_from_w = random_u32() % 2;
        s->state.fog_start = random_float();
        s->state.fog_end = round % 9 ? random_float() : s->state.fog_start;
        s->state.fog_density = random_float() * 4.0f;
        s->state.alpha_func = (uint8_t)(random_u32() % 8);
        s->state.alpha_ref = (uint8_t)random_u32();
        s->batch.covered = (uint64_t)random_u32() << 32 | random_u32();
        s->batch.group_count = 1 + round % 4;
        for (unsigned l = 0; l < RASTER_LANES; l++) {
            s->batch.z[l] = random_unit();
            s->batch.w[l] = random_float() * 100.0f;
            s->batch.input[0][0][l] = random_float();
            for (unsigned c = 0; c < 4; c++)
                s->batch.color[0][c][l] = random_unit();
        }
        compare_levels("fog, alpha_test", round, s, run_fog);
    }
    mem_free_aligned(s);
}

static void run_store(const struct raster_kernels *k, struct scratch *s)
{
    struct raster_surface target = s->surface;

    raster_pack_fn pack;
    const raster_store_fn store = k->choose_store(&s->state, 0, target.format, &pack);

    target.pixels = s->pixels;
    if (pack)
        pack(&s->batch, 0);
    store(&s->state, &target, 0, &s->batch, &(struct raster_place){(int)place_x, (int)place_y, 16, quads, lane_mask}, 1);
}

static void test_store(void **state)
{
    static const enum raster_format formats[] = {RASTER_FORMAT_A8R8G8B8, RASTER_FORMAT_X8R8G8B8, RASTER_FORMAT_R5G6B5,
                                                 RASTER_FORMAT_X1R5G5B5, RASTER_FORMAT_A1R5G5B5, RASTER_FORMAT_A4R4G4B4,
                                                 RASTER_FORMAT_A8B8G8R8, RASTER_FORMAT_A2R10G10B10, RASTER_FORMAT_G16R16,
                                                 RASTER_FORMAT_A16B16G16R16, RASTER_FORMAT_R16F, RASTER_FORMAT_G16R16F,
                                                 RASTER_FORMAT_A16B16G16R16F, RASTER_FORMAT_R32F, RASTER_FORMAT_G32R32F,
                                                 RASTER_FORMAT_A32B32G32R32F, RASTER_FORMAT_NULL};
    struct scratch *s = new_scratch();

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        s->surface = random_surface(formats[random_u32() % ARRAY_COUNT(formats)]);
        for (unsigned i = 0; i < sizeof(s->pixels); i++)
            s->pixels[i] = (uint8_t)random_u32();
        for (unsigned l = 0; l < RASTER_LANES; l++)
            for (unsigned c = 0; c < 4; c++)
                s->batch.color[0][c][l] = random_unit();
        s->state.color_write_mask[0] = random_u32() % 2 ? 15 : (uint8_t)(random_u32() % 16);
        s->state.blend = (struct raster_blend){
            .enable = random_u32() % 3 != 0, .src_color = (uint8_t)(random_u32() % 15), .dst_color = (uint8_t)(random_u32() % 15),
            .op_color = (uint8_t)(random_u32() % 5), .src_alpha = (uint8_t)(random_u32() % 15),
            .dst_alpha = (uint8_t)(random_u32() % 15), .op_alpha = (uint8_t)(random_u32() % 5),
            .constant = {0.2f, 0.4f, 0.6f, 0.8f}};
        place_x = random_u32() % (SIDE / 4) * 4;
        place_y = random_u32() % (SIDE / 4) * 4;
        lane_mask = random_u32() % 2 ? 0xffff : random_u32() & 0xffff;
        if (place_x + 4 > s->surface.width || place_y + 4 > s->surface.height)
            lane_mask = 1;
        quads = random_u32() % 2 ? 15 : random_u32() & 15;
        for (unsigned q = 0; q < 4; q++)
            quads |= lane_mask >> (4 * q) & 15 ? 1u << q : 0;
        compare_levels("store", round, s, run_store);
    }
    mem_free_aligned(s);
}

static void run_paint(const struct raster_kernels *k, struct scratch *s)
{
    struct raster_surface target = s->surface;

    target.pixels = s->pixels;
    s->p.primitive.state = &s->state;
    k->choose_direct_store(target.format)(&s->p.primitive, &target, (int)place_x, (int)place_y, block_mask);
    s->p.primitive.state = NULL;
}

/* Painting a block gives what interpolating, packing and storing its groups give. */
static void check_paint(const struct scratch *input, unsigned round)
{
    static struct scratch want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;
    raster_pack_fn pack;

    memcpy(&want, input, sizeof(want));
    memcpy(&got, input, sizeof(got));
    run_paint(k, &got);
    want.surface.pixels = want.pixels;
    want.p.primitive.state = &want.state;
    want.batch.pass_through_input = want.state.pass_through.input + 1;
    want.batch.pass_through_components = 15;
    const raster_store_fn store = k->choose_store(&want.state, 0, want.surface.format, &pack);
    for (unsigned g = 0; g < 4; g++) {
        const uint32_t bits = (uint32_t)(block_mask >> (g * GROUP_LANES)) & 0xffff;
        const struct raster_place place = {(int)(place_x + (g & 1) * 4), (int)(place_y + (g >> 1) * 4), 0, 15, bits};

        k->interpolate(&want.p.primitive, &place, &want.batch);
        pack(&want.batch, 0);
        if (bits)
            store(&want.state, &want.surface, 0, &want.batch, &place, 1);
    }
    if (memcmp(want.pixels, got.pixels, sizeof(want.pixels)))
        fail_msg("paint: not what its groups give in round %u", round);
}

static void test_paint(void **state)
{
    struct scratch *s = new_scratch();

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned input = random_u32() % 3;
        struct scene_plane2 *depth = &s->p.primitive.depth;

        s->surface = random_surface(round % 2 ? RASTER_FORMAT_A8R8G8B8 : RASTER_FORMAT_X8R8G8B8);
        for (unsigned i = 0; i < sizeof(s->pixels); i++)
            s->pixels[i] = (uint8_t)random_u32();
        s->state.color_write_mask[0] = 15;
        s->state.input_count = 3;
        s->state.interpolation[input] = (uint8_t)(random_u32() % 2);
        s->state.pass_through = (struct raster_pass_through){.enable = true, .input = (uint8_t)input, .components = 15};
        s->p.primitive.reference_x = (float)(random_u32() % 8192) / 256.0f;
        s->p.primitive.reference_y = (float)(random_u32() % 8192) / 256.0f;
        random_plane(&s->p.primitive.input[input]);
        depth->a[1] = 0.5f + random_unit();
        depth->dx[1] = round % 4 == 3 ? 0.0f : random_float() * 0.05f;
        depth->dy[1] = round % 4 == 3 ? 0.0f : random_float() * 0.05f;
        place_x = random_u32() % (SIDE / 2 - 3) * 2;
        place_y = random_u32() % (SIDE / 2 - 3) * 2;
        block_mask = random_u32() % 4 ? (uint64_t)random_u32() << 32 | random_u32() : ~UINT64_C(0);
        if (place_x + 8 > s->surface.width || place_y + 8 > s->surface.height)
            block_mask = 1;
        compare_levels("paint", round, s, run_paint);
        check_paint(s, round);
    }
    mem_free_aligned(s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),      cmocka_unit_test(test_cover_triangle),
        cmocka_unit_test(test_interpolate),   cmocka_unit_test(test_depth_stencil),
        cmocka_unit_test(test_depth_24),      cmocka_unit_test(test_fog_and_alpha),
        cmocka_unit_test(test_store),         cmocka_unit_test(test_paint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
