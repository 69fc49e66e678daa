/* SPDX-License-Identifier: MIT */
/*
 * Random input with forced extremes for each kernel of RASTER_KERNELS, and a run of it: fill_NAME fills a scratch,
 * run_NAME calls the kernel with it. For a kernel without both functions, the table made from the list does not
 * compile.
 */
#ifndef HALCYON_TESTS_KERNEL_INPUTS_H
#define HALCYON_TESTS_KERNEL_INPUTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "raster/format/depth.h"
#include "raster/kernels/kernels.h"
#include "raster/sample/feedback.h"
#include "tests/random.h"

#define ROUNDS       3000
#define SIDE         32 /* of the target, pixels */
#define TEXTURE_SIDE 16
#define LEVELS       5 /* of the texture */

static inline uint64_t random_u64(void)
{
    return (uint64_t)random_word() << 32 | random_word();
}

static inline float random_float(void)
{
    static const float extreme[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e30f, -1e30f, 1e-40f, 1.0f / 0.0f, 0.0f / 0.0f};

    if (random_one_in(16))
        return extreme[random_word() % ARRAY_COUNT(extreme)];
    return (float)(int32_t)random_word() / 1073741824.0f;
}

/* A colour or depth: mostly 0..1. */
static inline float random_share(void)
{
    return random_word() % 8 ? (float)(random_word() >> 8) / 16777216.0f : random_float();
}

/* The input and output of a kernel. */
struct scratch {
    struct parameters {
        int x, y;           /* of the group or block */
        unsigned quads;     /* of a place */
        uint32_t lane_mask; /* of a group */
        uint64_t block_mask;
        float offset[2]; /* from the pixels' centres */
        unsigned groups, lod_mode, edge_mask;
        struct raster_rect area;
        bool clamps;
    } given;
    struct raster_batch batch;
    struct raster_draw_state state;
    struct raster_surface surface;
    uint8_t pixels[SIDE * SIDE * RASTER_TEXEL_BYTES];
    struct {
        struct scene_primitive primitive;
        struct scene_plane4 planes[RASTER_MAX_INPUTS + 1]; /* and a bias */
    } p;
    struct raster_tile_edges edges;
    struct raster_sampler sampler;
    float coordinate[3][RASTER_LANES], lod[6][RASTER_LANES];
    /* results */
    uint64_t returned;
    struct raster_cover cover[64];
    struct raster_row row[RASTER_ROW_BLOCKS];
    uint8_t marks[1024];
};

/* --- coverage: input and runs --------------------------------------------------------------------- */

static inline void fill_edges(struct scratch *s)
{
    struct raster_rect *area = &s->given.area;

    *area = (struct raster_rect){.left = (int)(random_word() % 64), .top = (int)(random_word() % 64)};
    area->right = area->left + 1 + (int)(random_word() % (unsigned)(64 - area->left));
    area->bottom = area->top + 1 + (int)(random_word() % (unsigned)(64 - area->top));
    s->edges = (struct raster_tile_edges){.mask = random_word() % 8};
    s->given.edge_mask = 1 + random_word() % 7;
    for (unsigned e = 0; e < 3; e++) {
        const unsigned shift = 9 + random_word() % 16;

        s->edges.dx[e] = (int32_t)random_word() >> shift;
        s->edges.dy[e] = (int32_t)random_word() >> shift;
        /* approximately through a point of the tile */
        s->edges.c[e] = s->edges.dy[e] * (int32_t)(random_word() % 64) - s->edges.dx[e] * (int32_t)(random_word() % 64);
    }
    s->given.x = (int)(random_word() % 56);
    s->given.y = (int)(random_word() % 56);
}

/* A small triangle whose bounding box begins at (x, y), somewhere in a tile. */
static inline void fill_small(struct scratch *s)
{
    struct scene_primitive *p = &s->p.primitive;
    struct scene_small *small = &p->small_edges;

    small->x = p->left = (int32_t)(random_word() % 48);
    small->y = p->top = (int32_t)(random_word() % 48);
    p->right = p->left + 1 + (int32_t)(random_word() % 16);
    p->bottom = p->top + 1 + (int32_t)(random_word() % 16);
    p->is_small = true;
    p->clipped = random_one_in(2);
    for (unsigned e = 0; e < 3; e++) {
        small->step[e][0] = (int16_t)random_word();
        small->step[e][1] = (int16_t)random_word();
        small->c[e] = (int32_t)random_word() >> (10 + random_word() % 8);
    }
    s->given.x = p->left - (int)(random_word() % 8);
    s->given.y = p->top - (int)(random_word() % 8);
}

static inline void run_cover_triangle(const struct raster_kernels *k, struct scratch *s)
{
    s->returned = k->cover_triangle(&s->edges, &s->given.area, s->row);
}

static inline void run_cover_small(const struct raster_kernels *k, struct scratch *s)
{
    s->returned = k->cover_small(&s->p.primitive, 0, 0, s->cover);
}

static inline void run_cover_small_block(const struct raster_kernels *k, struct scratch *s)
{
    s->returned = k->cover_small_block(&s->p.primitive, s->given.x, s->given.y);
}

static inline void run_cover_small_samples(const struct raster_kernels *k, struct scratch *s)
{
    const unsigned samples = 2u << (s->given.x & 3);
    const struct raster_sample_position *position = raster_sample_positions(samples);
    uint64_t covered[RASTER_MAX_SAMPLES];
    int32_t offsets[RASTER_MAX_SAMPLES];

    for (unsigned i = 0; i < samples; i++)
        offsets[i] = (int32_t)((position[i].x * 16 & 0xffff) | (uint32_t)(position[i].y * 16) << 16);
    k->cover_small_samples(&s->p.primitive, s->given.x, s->given.y, samples, offsets, covered);
    for (unsigned i = 0; i < samples; i++)
        s->cover[i].mask = covered[i];
}

/* Each set of samples, separate and at the centre, in the group with the first pixel of the bounds, or in the next
 * group. */
static inline void run_cover_small_lanes(const struct raster_kernels *k, struct scratch *s)
{
    const unsigned samples = 2u << (s->given.x & 3);
    struct raster_sample_lanes lanes[RASTER_SAMPLE_SETS];
    const struct scene_primitive *p = &s->p.primitive;

    k->place_samples(samples, s->given.y & 1, lanes);
    for (unsigned i = 0; i < (samples + 3) / 4; i++)
        for (unsigned g = 0; g < 4; g++)
            s->cover[4 * i + g].mask = k->cover_small_lanes(p, (p->left & -4) + (int)(g & 1) * 4,
                                                            (p->top & -4) + (int)(g >> 1) * 4, &lanes[i]);
}

/* Places in the order of memory; pairs are in an order that depends on the level (run_cover_small_lanes). */
static inline void run_place_samples(const struct raster_kernels *k, struct scratch *s)
{
    struct raster_sample_lanes lanes[RASTER_SAMPLE_SETS];
    const unsigned samples = 2u << (s->given.x & 3);

    k->place_samples(samples, s->given.y & 1, lanes);
    for (unsigned i = 0; i < (samples + 3) / 4; i++) {
        memcpy(s->coordinate[0], lanes[i].x, sizeof(lanes[i].x));
        memcpy(s->coordinate[1], lanes[i].y, sizeof(lanes[i].y));
        s->returned = s->returned * 31 + lanes[i].samples;
    }
}

static inline void run_bounds_block(const struct raster_kernels *k, struct scratch *s)
{
    s->returned = k->bounds_block(&s->given.area, s->given.x, s->given.y);
}

static inline void run_coverage_block(const struct raster_kernels *k, struct scratch *s)
{
    s->returned = k->coverage_block(s->edges.c, s->edges.dx, s->edges.dy, s->given.edge_mask);
}

#define fill_cover_triangle      fill_edges
#define fill_cover_small         fill_small
#define fill_cover_small_block   fill_small
#define fill_cover_small_samples fill_small
#define fill_cover_small_lanes   fill_small
#define fill_place_samples       fill_small
#define fill_bounds_block        fill_edges
#define fill_coverage_block      fill_edges

/* --- interpolation: input and runs ---------------------------------------------------------------- */

static inline void fill_plane(struct scene_plane4 *plane)
{
    for (unsigned c = 0; c < 4; c++) {
        plane->a[c] = random_float();
        plane->dx[c] = random_float();
        plane->dy[c] = random_float();
    }
}

static inline void fill_planes(struct scratch *s)
{
    struct scene_primitive *p = &s->p.primitive;

    s->state.input_count = (uint8_t)(random_word() % (RASTER_MAX_INPUTS + 1));
    s->state.w_near = random_float();
    s->state.w_scale = random_share();
    p->reference_x = random_float() * 50.0f;
    p->reference_y = random_float() * 50.0f;
    for (unsigned c = 0; c < 2; c++) {
        p->depth.a[c] = random_float();
        p->depth.dx[c] = random_float();
        p->depth.dy[c] = random_float();
    }
    for (unsigned i = 0; i < RASTER_MAX_INPUTS; i++) {
        fill_plane(&p->input[i]);
        s->state.interpolation[i] = (uint8_t)(random_word() % 2);
        s->state.input_mask[i] = (uint8_t)(random_word() % 16);
    }
    for (unsigned c = 0; c < 4; c++) /* the bias of eye w follows the inputs */
        s->p.planes[s->state.input_count].a[c] = random_float();
    s->given = (struct parameters){.x = 12, .y = 40, .quads = 1 + random_word() % 15, .block_mask = random_u64()};
    s->given.offset[0] = (float)(int)(random_word() % 16) / 16.0f - 0.5f;
    s->given.offset[1] = (float)(int)(random_word() % 16) / 16.0f - 0.5f;
}

/* While a kernel runs, the primitive points to its state; the pointer is reset before scratches are compared. */
static inline struct scene_primitive *with_state(struct scratch *s)
{
    s->p.primitive.state = &s->state;
    return &s->p.primitive;
}

static inline void without_state(struct scratch *s)
{
    s->p.primitive.state = NULL;
}

static inline void run_interpolate_depth(const struct raster_kernels *k, struct scratch *s)
{
    k->interpolate_depth(with_state(s), s->given.x, s->given.y, s->given.offset, s->batch.z + 16);
    without_state(s);
}

static inline void run_interpolate_w_depth(const struct raster_kernels *k, struct scratch *s)
{
    k->interpolate_w_depth(with_state(s), s->given.x, s->given.y, s->given.offset, s->batch.z + 16);
    without_state(s);
}

static inline void run_interpolate_depth_block(const struct raster_kernels *k, struct scratch *s)
{
    k->interpolate_depth_block(with_state(s), 8, 16, s->given.block_mask, s->batch.z);
    without_state(s);
}

static inline void run_interpolate_w_depth_block(const struct raster_kernels *k, struct scratch *s)
{
    k->interpolate_w_depth_block(with_state(s), 8, 16, s->given.block_mask, s->batch.z);
    without_state(s);
}

static inline void run_interpolate(const struct raster_kernels *k, struct scratch *s)
{
    k->interpolate(with_state(s), &(struct raster_place){s->given.x, s->given.y, 16, s->given.quads, 0}, &s->batch);
    without_state(s);
}

static inline void run_interpolate_block(const struct raster_kernels *k, struct scratch *s)
{
    k->interpolate_block(with_state(s), 8, 16, &s->batch);
    without_state(s);
}

#define fill_interpolate_depth         fill_planes
#define fill_interpolate_depth_block   fill_planes
#define fill_interpolate_w_depth       fill_planes
#define fill_interpolate_w_depth_block fill_planes
#define fill_interpolate               fill_planes
#define fill_interpolate_block         fill_planes

/* --- depth and stencil: input and runs ------------------------------------------------------------- */

/* A surface whose size need not be a multiple of a group. */
static inline struct raster_surface random_surface(enum raster_format format)
{
    return (struct raster_surface){.pitch = SIDE * RASTER_TEXEL_BYTES,
                                   .width = SIDE - random_word() % 4,
                                   .height = SIDE - random_word() % 4,
                                   .format = format};
}

/* The scratch's surface with its pixels, while a kernel runs. */
static inline struct raster_surface target_of(struct scratch *s)
{
    struct raster_surface target = s->surface;

    target.pixels = s->pixels;
    return target;
}

static inline struct raster_stencil random_stencil(void)
{
    return (struct raster_stencil){
        .enable = random_word() % 4 != 0,
        .func = (uint8_t)(random_word() % 8),
        .fail = (uint8_t)(random_word() % 8),
        .zfail = (uint8_t)(random_word() % 8),
        .pass = (uint8_t)(random_word() % 8),
        .ref = (uint8_t)random_word(),
        .mask = random_one_in(2) ? 0xff : (uint8_t)random_word(),
        .write_mask = random_one_in(2) ? 0xff : (uint8_t)random_word(),
    };
}

/* Depth words near the plane's depth, and stencils that reach their limits. */
static inline void fill_depth_words(struct scratch *s)
{
    static const uint8_t ends[] = {0, 1, 0x0f, 0x10, 0xfe, 0xff};

    for (unsigned i = 0; i < sizeof(s->pixels); i++)
        s->pixels[i] = random_word() % 4 ? (uint8_t)random_word() : ends[random_word() % ARRAY_COUNT(ends)];
}

static inline void fill_depth_state(struct scratch *s)
{
    struct raster_draw_state *state = &s->state;

    state->depth_test = random_word() % 4 != 0;
    state->depth_write = random_one_in(2);
    state->depth_func = (uint8_t)(random_word() % 8);
    state->stencil = random_stencil();
    state->stencil_back = random_stencil();
    state->two_sided_stencil = random_one_in(4);
    state->depth_bounds = random_one_in(8);
    state->bounds_max = random_share();
    if (random_one_in(4)) {
        state->stencil.enable = state->two_sided_stencil = false;
        state->depth_test = true;
    }
}

static inline void fill_depth_stencil(struct scratch *s)
{
    const unsigned format = RASTER_FORMAT_D16 + random_word() % (RASTER_FORMAT_COUNT - RASTER_FORMAT_D16);
    struct scene_primitive *p = &s->p.primitive;

    s->surface = random_surface((enum raster_format)format);
    fill_depth_words(s);
    fill_depth_state(s);
    for (unsigned l = 0; l < GROUP_LANES; l++)
        s->batch.z[l] =
            random_word() % 4 ? (float)(random_word() % 256) / 255.0f : (float)(random_word() >> 8) / 16777216.0f;
    s->given.x = (int)(random_word() % (SIDE / 4) * 4);
    s->given.y = (int)(random_word() % (SIDE / 4) * 4);
    s->given.lane_mask = random_word() & 0xffff;
    s->given.block_mask = random_word() % 4 ? random_u64() : ~UINT64_C(0);
    /* lanes outside a narrower surface are never covered */
    if (s->given.x + 4 > (int)s->surface.width || s->given.y + 4 > (int)s->surface.height)
        s->given.lane_mask = 1;
    if ((s->given.x | 7) >= (int)s->surface.width || (s->given.y | 7) >= (int)s->surface.height)
        s->given.block_mask = 1;
    p->depth.a[0] = random_share();
    p->depth.dx[0] = random_float() * 0.05f;
    p->depth.dy[0] = random_float() * 0.05f;
    p->reference_x = (float)(random_word() % 8192) / 256.0f;
    p->reference_y = (float)(random_word() % 8192) / 256.0f;
    p->front_facing = random_one_in(2);
    for (unsigned i = 0; i < 2; i++)
        s->given.offset[i] = random_one_in(2) ? 0.0f : (float)(int)(random_word() % 16) / 16.0f - 0.5f;
}

static inline void run_depth_stencil(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface depth = target_of(s);

    s->returned = k->depth_stencil(&s->state, &depth, s->given.x, s->given.y, s->batch.z, s->given.lane_mask, true);
}

/* Prepares a test and runs it, with depths from a plane, for the whole block that holds the group. */
static inline void run_depth_of_block(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface depth = target_of(s);
    struct raster_depth_test test;

    k->choose_depth(&s->state, depth.format, &test);
    s->returned =
        test.run(&test, &depth, with_state(s), s->given.x & ~7, s->given.y & ~7, s->given.offset, s->given.block_mask);
    without_state(s);
}

/* The tested samples of the group and their number: those in the block's mask. */
static inline unsigned depth_samples(const struct scratch *s)
{
    return 2 + (s->given.x & 4) / 2;
}
static inline uint64_t depth_lanes_of_samples(const struct scratch *s)
{
    return depth_samples(s) == 2 ? s->given.block_mask >> 32 : s->given.block_mask;
}

/* The same for samples of the group, whose texels are the first pixels of the scratch. */
static inline void run_depth_of_samples(const struct raster_kernels *k, struct scratch *s)
{
    struct raster_sample_lanes lanes;
    struct raster_depth_test test;

    k->choose_depth(&s->state, s->surface.format, &test);
    k->place_samples(depth_samples(s), s->given.y & 4, &lanes);
    s->returned =
        test.run_samples(&test, s->pixels, with_state(s), s->given.x, s->given.y, &lanes, depth_lanes_of_samples(s));
    without_state(s);
}

static inline void run_choose_depth(const struct raster_kernels *k, struct scratch *s)
{
    run_depth_of_block(k, s);
    s->cover[0].mask = s->returned;
    run_depth_of_samples(k, s);
}

#define fill_choose_depth fill_depth_stencil

/* The values that a compressed block is filled with, from the scratch's plane. */
static inline struct raster_depth_write depth_write_of(const struct scratch *s)
{
    const struct scene_primitive *p = &s->p.primitive;

    return (struct raster_depth_write){
        .plane = {p->depth.a[0], p->depth.dx[0], p->depth.dy[0], p->reference_x, p->reference_y},
        .depth = s->state.depth_test || !s->state.stencil.enable,
        .stencil = s->state.stencil.enable,
        .stencil_value = (uint8_t)s->state.stencil.ref,
    };
}

static inline void run_write_depth(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface depth = target_of(s);
    const struct raster_depth_write write = depth_write_of(s);

    k->write_depth(&depth, &write, s->given.x & ~7, s->given.y & ~7, s->given.block_mask);
}

#define fill_write_depth fill_depth_stencil

/* --- fog, alpha test and stores: input and runs ------------------------------------------------------ */

static inline void fill_colors(struct scratch *s)
{
    s->state.fog_mode = (uint8_t)(1 + random_word() % 4);
    s->state.fog_from_w = random_one_in(2);
    s->state.fog_start = random_float();
    s->state.fog_end = random_word() % 9 ? random_float() : s->state.fog_start;
    s->state.fog_density = random_float() * 4.0f;
    s->state.alpha_func = (uint8_t)(random_word() % 8);
    s->state.alpha_ref = (uint8_t)random_word();
    s->given.clamps = random_one_in(2);
    s->batch.covered = random_u64();
    s->batch.group_count = 1 + random_word() % 4;
    for (unsigned l = 0; l < RASTER_LANES; l++) {
        s->batch.z[l] = random_share();
        s->batch.w[l] = random_float() * 100.0f;
        s->batch.input[0][0][l] = random_float();
        for (unsigned c = 0; c < 4; c++)
            s->batch.color[0][c][l] = random_share();
    }
}

static inline void run_fog(const struct raster_kernels *k, struct scratch *s)
{
    k->fog(&s->state, &s->batch, s->given.clamps);
}

static inline void run_alpha_test(const struct raster_kernels *k, struct scratch *s)
{
    k->alpha_test(&s->state, &s->batch);
}

static inline void run_srgb(const struct raster_kernels *k, struct scratch *s)
{
    k->srgb(&s->batch, 0);
}

#define fill_fog        fill_colors
#define fill_alpha_test fill_colors
#define fill_srgb       fill_colors

static inline void fill_pixels(struct scratch *s)
{
    for (unsigned i = 0; i < sizeof(s->pixels); i++)
        s->pixels[i] = (uint8_t)random_word();
}

/* A float near a step of half floats: denormal, common or too large, by its exponent; the lower mantissa bits lie about
 * where rounding changes. */
static inline float random_near_half(void)
{
    static const uint32_t lower[] = {0x0000, 0x0001, 0x0fff, 0x1000, 0x1001, 0x1fff};
    const uint32_t exponent = 127 - 27 + random_word() % 45;
    const uint32_t mantissa = (random_word() & 0x7fe000) | lower[random_word() % ARRAY_COUNT(lower)];
    const uint32_t bits = (random_word() & 0x80000000) | exponent << 23 | mantissa;
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* The lanes of the group at (x, y) that lie on the surface. */
static inline uint32_t lanes_inside(const struct raster_surface *surface, int x, int y)
{
    uint32_t lanes = 0;

    for (unsigned l = 0; l < GROUP_LANES; l++)
        if (x + raster_lane_x[l] < (int)surface->width && y + raster_lane_y[l] < (int)surface->height)
            lanes |= 1u << l;
    return lanes;
}

static inline void fill_store(struct scratch *s)
{
    static const enum raster_format formats[] = {
        RASTER_FORMAT_A8R8G8B8,      RASTER_FORMAT_X8R8G8B8,     RASTER_FORMAT_R5G6B5,   RASTER_FORMAT_X1R5G5B5,
        RASTER_FORMAT_A1R5G5B5,      RASTER_FORMAT_A4R4G4B4,     RASTER_FORMAT_A8B8G8R8, RASTER_FORMAT_A2R10G10B10,
        RASTER_FORMAT_G16R16,        RASTER_FORMAT_A16B16G16R16, RASTER_FORMAT_R16F,     RASTER_FORMAT_G16R16F,
        RASTER_FORMAT_A16B16G16R16F, RASTER_FORMAT_R32F,         RASTER_FORMAT_G32R32F,  RASTER_FORMAT_A32B32G32R32F,
        RASTER_FORMAT_NULL};

    fill_colors(s);
    s->batch.group_count = 4;
    s->surface = random_surface(formats[random_word() % ARRAY_COUNT(formats)]);
    fill_pixels(s);
    s->state.color_write_mask[0] = random_one_in(2) ? 15 : (uint8_t)(random_word() % 16);
    s->state.dither = random_one_in(4);
    s->state.blend = (struct raster_blend){.enable = random_word() % 3 != 0,
                                           .src_color = (uint8_t)(random_word() % 15),
                                           .dst_color = (uint8_t)(random_word() % 15),
                                           .op_color = (uint8_t)(random_word() % 5),
                                           .src_alpha = (uint8_t)(random_word() % 15),
                                           .dst_alpha = (uint8_t)(random_word() % 15),
                                           .op_alpha = (uint8_t)(random_word() % 5),
                                           .constant = {0.2f, 0.4f, 0.6f, 0.8f}};
    s->given.x = (int)(random_word() % (SIDE / 4) * 4);
    s->given.y = (int)(random_word() % (SIDE / 4) * 4);
    s->given.lane_mask = random_one_in(2) ? 0xffff : random_word() & 0xffff;
    s->given.lane_mask &= lanes_inside(&s->surface, s->given.x, s->given.y);
    for (unsigned l = 0; l < RASTER_LANES && raster_format_info(s->surface.format)->type == RASTER_FLOAT; l++)
        for (unsigned c = 0; c < 4 && random_one_in(2); c++)
            s->batch.color[0][c][l] = random_near_half();
    s->given.quads = random_one_in(2) ? 15 : random_word() & 15;
    for (unsigned q = 0; q < 4; q++)
        s->given.quads |= s->given.lane_mask >> (4 * q) & 15 ? 1u << q : 0;
}

static inline void run_choose_store(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface target = target_of(s);
    const struct raster_place place = {s->given.x, s->given.y, 16, s->given.quads, s->given.lane_mask};
    raster_pack_fn pack;
    const raster_store_fn store = k->choose_store(&s->state, 0, target.format, &pack);

    if (pack)
        pack(&s->batch, 0);
    store(&s->state, &target, 0, &s->batch, &place, 1);
}

#define fill_choose_store fill_store

/* A block of a target of 16 or 32 bits; at an edge of the surface one pixel of it. */
static inline void fill_block(struct scratch *s)
{
    s->surface = random_surface(random_one_in(4)   ? RASTER_FORMAT_R5G6B5
                                : random_one_in(2) ? RASTER_FORMAT_A8R8G8B8
                                                   : RASTER_FORMAT_X8R8G8B8);
    fill_pixels(s);
    s->given.x = (int)(random_word() % (SIDE / 4 - 1) * 4);
    s->given.y = (int)(random_word() % (SIDE / 4 - 1) * 4);
    s->given.block_mask = random_word() % 4 ? random_u64() : ~UINT64_C(0);
    if (s->given.x + 8 > (int)s->surface.width || s->given.y + 8 > (int)s->surface.height)
        s->given.block_mask = 1;
}

static inline void run_choose_fill(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface target = target_of(s);

    k->choose_fill(target.format)(&target, s->given.x, s->given.y, s->given.block_mask, s->marks);
}

#define fill_choose_fill fill_block

/* A group of 32-bit samples, somewhere in the pixels. */
static inline void fill_samples(struct scratch *s)
{
    fill_pixels(s);
    s->given.groups = 2u << random_word() % 4;
    for (unsigned i = 0; i < sizeof(s->marks); i++)
        s->marks[i] = random_one_in(4) ? 0xff : (uint8_t)random_word();
}

static inline void run_store_samples(const struct raster_kernels *k, struct scratch *s)
{
    uint32_t group[GROUP_LANES];
    uint16_t mask[RASTER_MAX_SAMPLES];

    memcpy(group, s->marks, sizeof(group));
    memcpy(mask, s->marks + sizeof(group), sizeof(mask));
    k->store_samples(s->pixels, s->given.groups, group, mask);
}

#define fill_store_samples fill_samples

/* A pass-through program, blocks on even pixels. */
static inline void fill_direct_store(struct scratch *s)
{
    const unsigned input = random_word() % 3;
    struct scene_plane2 *depth = &s->p.primitive.depth;
    const bool one_w = random_one_in(4);

    s->surface = random_surface(random_one_in(2) ? RASTER_FORMAT_A8R8G8B8 : RASTER_FORMAT_X8R8G8B8);
    fill_pixels(s);
    s->state.color_write_mask[0] = 15;
    s->state.input_count = 3;
    s->state.interpolation[input] = (uint8_t)(random_word() % 2);
    s->state.pass_through = (struct raster_pass_through){.copied = 15, .input = (uint8_t)input, .components = 15};
    s->p.primitive.reference_x = (float)(random_word() % 8192) / 256.0f;
    s->p.primitive.reference_y = (float)(random_word() % 8192) / 256.0f;
    fill_plane(&s->p.primitive.input[input]);
    depth->a[1] = 0.5f + random_share();
    depth->dx[1] = one_w ? 0.0f : random_float() * 0.05f;
    depth->dy[1] = one_w ? 0.0f : random_float() * 0.05f;
    s->given.x = (int)(random_word() % (SIDE / 2 - 3) * 2);
    s->given.y = (int)(random_word() % (SIDE / 2 - 3) * 2);
    s->given.block_mask = random_word() % 4 ? random_u64() : ~UINT64_C(0);
    if (s->given.x + 8 > (int)s->surface.width || s->given.y + 8 > (int)s->surface.height)
        s->given.block_mask = 1;
}

static inline void run_choose_direct_store(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface target = target_of(s);

    k->choose_direct_store(target.format)(with_state(s), &target, s->given.x, s->given.y, s->given.block_mask);
    without_state(s);
}

static inline unsigned direct_sample_count(const struct scratch *s)
{
    return 2u << (s->given.x / 2 & 3);
}
static inline void direct_sample_masks(const struct scratch *s, uint64_t mask[RASTER_SAMPLE_SETS])
{
    for (unsigned i = 0; i < RASTER_SAMPLE_SETS; i++)
        mask[i] = s->given.block_mask * (3 * i + 1) ^ (0u - (uint64_t)(i & 1));
}

static inline void run_choose_direct_samples(const struct raster_kernels *k, struct scratch *s)
{
    uint64_t mask[RASTER_SAMPLE_SETS];

    direct_sample_masks(s, mask);
    k->choose_direct_samples(s->surface.format)(with_state(s), s->pixels, direct_sample_count(s), s->given.x & ~3,
                                                s->given.y & ~3, mask);
    without_state(s);
}

#define fill_choose_direct_samples fill_direct_store
#define fill_choose_direct_store   fill_direct_store

/* Two to four blocks side by side. */
static inline void run_choose_direct_row(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface target = target_of(s);
    const unsigned count = ((unsigned)target.width - (unsigned)s->given.x) / 8;

    if (count > 1 && s->given.y + 8 <= (int)target.height)
        k->choose_direct_row(target.format)(with_state(s), &target, s->given.x, s->given.y, count);
    without_state(s);
}

#define fill_choose_direct_row fill_direct_store

/* --- the sampler: input and runs ------------------------------------------------------------------------ */

static uint32_t texels[LEVELS][TEXTURE_SIDE * TEXTURE_SIDE + 4]; /* pairs are loaded at once */
static struct raster_texture texture = {.kind = RASTER_TEXTURE_2D, .level_count = LEVELS};
static uint8_t regions[LEVELS][16];
static struct raster_feedback *map;

/* Texels with 8 bits per channel; other kinds of textures are in tests/unit/test_sample.c. */
static inline void make_texture(void)
{
    const struct raster_feedback_desc desc = {.kind = FEEDBACK_MIP_REGION_USED,
                                              .width = TEXTURE_SIDE,
                                              .height = TEXTURE_SIDE,
                                              .level_count = LEVELS,
                                              .layer_count = 1,
                                              .region_width = 4,
                                              .region_height = 4};
    struct feedback_plane planes[LEVELS];

    for (unsigned level = 0; level < LEVELS; level++) {
        const uint32_t side = TEXTURE_SIDE >> level;

        texture.level[level] = (struct raster_texture_level){texels[level], side, side, 1, side, side * side};
        for (unsigned i = 0; i < side * side; i++)
            texels[level][i] = random_word();
        planes[level] = (struct feedback_plane){.regions = regions[level], .pitch = 4};
    }
    map = raster_feedback_create_over(&desc, planes);
}

static inline void fill_sample(struct scratch *s)
{
    const float scale = random_one_in(2) ? 0.05f : 2.0f;

    s->sampler = (struct raster_sampler){
        .texture = &texture,
        .address = {(uint8_t)(random_word() % 5), (uint8_t)(random_word() % 5), RASTER_WRAP},
        .mag_filter = (uint8_t)(RASTER_FILTER_POINT + random_word() % 2),
        .min_filter = (uint8_t)(RASTER_FILTER_POINT + random_word() % 3),
        .mip_filter = (uint8_t)(random_word() % 3),
        .max_anisotropy = (uint8_t)(1 + random_word() % 16),
        .base_level = (uint8_t)(random_word() % 3),
        .srgb = random_one_in(8),
        .lod_bias = raster_lod_bias(random_one_in(2) ? 0.0f : random_float()),
        .border = {0.25f, 0.5f, 0.75f, 1.0f},
        .feedback = map,
    };
    s->given.groups = 1 + random_word() % 4;
    s->given.lod_mode = random_one_in(2) ? RASTER_LOD_COMPUTED : random_word() % 4;
    s->given.block_mask = random_u64();
    for (unsigned c = 0; c < 3; c++)
        for (unsigned l = 0; l < RASTER_LANES; l++)
            s->coordinate[c][l] = random_one_in(64) ? random_float() : (float)(l & 7) * 0.03f + random_share() * scale;
    for (unsigned c = 0; c < 6; c++)
        for (unsigned l = 0; l < RASTER_LANES; l++)
            s->lod[c][l] = random_share() * 0.5f;
}

static inline void run_sample_lod(const struct raster_kernels *k, struct scratch *s)
{
    k->sample_lod(&s->sampler, s->given.groups, (const float(*)[RASTER_LANES])s->coordinate,
                  (enum raster_lod_mode)s->given.lod_mode, (const float(*)[RASTER_LANES])s->lod, s->batch.color[0]);
}

static inline void run_sample_recorded(const struct raster_kernels *k, struct scratch *s)
{
    memset(regions, 0, sizeof(regions));
    k->sample_recorded(&s->sampler, s->given.groups, (const float(*)[RASTER_LANES])s->coordinate,
                       (enum raster_lod_mode)s->given.lod_mode, (const float(*)[RASTER_LANES])s->lod,
                       s->given.block_mask, s->batch.color[0]);
    memcpy(s->marks, regions, sizeof(regions));
}

#define fill_sample_lod      fill_sample
#define fill_sample_recorded fill_sample

/* --- when a comparison fails --------------------------------------------------------------------- */

static inline void print_given(const struct scratch *s)
{
    const struct parameters *g = &s->given;
    const struct raster_draw_state *state = &s->state;

    print_error(
        "  at (%d, %d), quads %x, lanes %04x, block %016llx, offset (%g, %g), area (%d, %d)-(%d, %d), edges %x\n", g->x,
        g->y, g->quads, (unsigned)g->lane_mask, (unsigned long long)g->block_mask, (double)g->offset[0],
        (double)g->offset[1], g->area.left, g->area.top, g->area.right, g->area.bottom, g->edge_mask);
    print_error("  target %s %ux%u, %u samples; inputs %u, fog %u, alpha test %u %u, write mask %x\n",
                raster_format_info(s->surface.format)->name, s->surface.width, s->surface.height, s->surface.samples,
                state->input_count, state->fog_mode, state->alpha_func, state->alpha_ref, state->color_write_mask[0]);
    print_error("  depth test %d write %d func %u bounds %d; stencil %d func %u ops %u %u %u ref %02x masks %02x %02x, "
                "two-sided %d\n",
                state->depth_test, state->depth_write, state->depth_func, state->depth_bounds, state->stencil.enable,
                state->stencil.func, state->stencil.fail, state->stencil.zfail, state->stencil.pass, state->stencil.ref,
                state->stencil.mask, state->stencil.write_mask, state->two_sided_stencil);
    print_error("  blend %d color %u %u %u alpha %u %u %u\n", state->blend.enable, state->blend.src_color,
                state->blend.dst_color, state->blend.op_color, state->blend.src_alpha, state->blend.dst_alpha,
                state->blend.op_alpha);
    print_error("  groups %u, lod mode %u, address %u %u, filters %u %u %u, anisotropy %u, base level %u\n", g->groups,
                g->lod_mode, s->sampler.address[0], s->sampler.address[1], s->sampler.mag_filter, s->sampler.min_filter,
                s->sampler.mip_filter, s->sampler.max_anisotropy, s->sampler.base_level);
}

#endif
