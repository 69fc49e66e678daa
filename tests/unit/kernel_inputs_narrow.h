/* SPDX-License-Identifier: MIT */
/*
 * Inputs and runs of the kernels that work on pixels of 16-bit numbers (raster/narrow.h), as kernel_inputs.h has for
 * the others. Each level has its own order of pixels: a scratch holds them lane by lane, and a run reorders them and
 * back.
 */
#ifndef HALCYON_TESTS_KERNEL_INPUTS_NARROW_H
#define HALCYON_TESTS_KERNEL_INPUTS_NARROW_H

#include "raster/kernels/narrow_planes.h"
#include "raster/narrow.h"
#include "raster/tile/narrow.h"
#include "tests/unit/kernel_inputs.h"
#include "tests/unit/level_lanes.h"

/* Lanes of a level's registers. */
static inline unsigned width_of(const struct raster_kernels *k)
{
    unsigned level = 0;

    while (k != raster_kernels_for((enum cpu_level)level))
        level++;
    return level_lanes((enum cpu_level)level);
}

/* From lane order to the order of a level's registers, or back. */
static inline void order_pixels(const struct raster_kernels *k, bool back, unsigned lanes, void *pixels)
{
    int16_t from[RASTER_LANES * 4], *to = pixels;

    memcpy(from, pixels, lanes * 4 * sizeof(*from));
    for (unsigned l = 0; l < lanes; l++) {
        const unsigned place = narrow_place(width_of(k), l);

        memcpy(to + 4 * (back ? l : place), from + 4 * (back ? place : l), 4 * sizeof(*from));
    }
}

static inline int16_t random_number(void)
{
    static const int16_t ends[] = {0, 1, 64, 65, 16383, 16384, 32702, 32703, 32766, 32767};

    return random_one_in(4) ? ends[random_word() % ARRAY_COUNT(ends)] : (int16_t)(random_word() & NARROW_ONE);
}

/* A colour for each lane, between fields that are random as well. */
static inline void fill_numbers(struct scratch *s)
{
    fill_colors(s);
    for (unsigned i = 0; i < RASTER_LANES * 4; i++)
        narrow_of(s->batch.color[0])[i] = random_number();
}

/* --- inputs ------------------------------------------------------------------------------------------- */

static inline float random_around(float middle, float most)
{
    return middle + most * ((float)(random_word() >> 8) / 8388608.0f - 1.0f);
}

/* A colour: with steps of common primitives, of steep ones, and steps that no primitive has. */
static inline void fill_color_plane(struct scene_plane4 *plane, bool constant)
{
    static const float steps[] = {0.001f, 0.02f, 0.25f, 1.0f};
    const float most = steps[random_word() % ARRAY_COUNT(steps)];

    for (unsigned c = 0; c < 4; c++) {
        plane->a[c] = random_one_in(16) ? random_float() : random_around(0.5f, 0.7f);
        plane->dx[c] = constant ? 0.0f : random_one_in(64) ? random_float() : random_around(0.0f, most);
        plane->dy[c] = constant ? 0.0f : random_one_in(64) ? random_float() : random_around(0.0f, most);
    }
}

/* Inputs are colours, coordinates in whole numbers or left alone. */
static inline void fill_narrow_inputs(struct scratch *s)
{
    struct scene_primitive *p = &s->p.primitive;
    const bool one_w = random_one_in(2);

    fill_planes(s);
    s->state.narrow = true;
    p->depth.a[1] = random_around(1.0f, 0.5f);
    p->depth.dx[1] = one_w ? 0.0f : random_around(0.0f, 0.1f);
    p->depth.dy[1] = one_w ? 0.0f : random_around(0.0f, 0.1f);
    p->reference_x = (float)s->given.x + random_around(0.0f, 8.0f);
    p->reference_y = (float)s->given.y + random_around(0.0f, 8.0f);
    for (unsigned i = 0; i < s->state.input_count; i++) {
        struct scene_plane4 *plane = &p->input[i];

        if (random_one_in(2)) {
            s->state.narrow_inputs |= (uint16_t)(1u << i);
            p->constant_inputs |= (uint16_t)(random_one_in(4) << i);
            fill_color_plane(plane, p->constant_inputs >> i & 1);
        } else if (one_w && random_one_in(2)) {
            s->batch.affine |= (uint16_t)(1u << i);
            for (unsigned c = 0; c < 2; c++) {
                plane->a[c] = random_around(0.0f, 10.0f);
                plane->dx[c] = random_around(0.0f, 1.0f);
                plane->dy[c] = random_around(0.0f, 1.0f);
            }
        }
    }
}

/* The inputs that are colours, lane by lane. */
static inline void order_inputs(const struct raster_kernels *k, struct scratch *s, bool back)
{
    for (unsigned i = 0; i < RASTER_MAX_INPUTS; i++)
        if (s->state.narrow_inputs >> i & 1)
            order_pixels(k, back, RASTER_LANES, s->batch.input[i]);
}

static inline void run_interpolate_narrow(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_place place = {s->given.x, s->given.y, 16, s->given.quads, 0};

    struct narrow_planes planes = {0};

    tile_make_planes(with_state(s), s->batch.affine, &planes);
    order_inputs(k, s, false);
    k->interpolate_narrow(&planes, &place, &s->batch);
    without_state(s);
    order_inputs(k, s, true);
}

static inline void run_interpolate_narrow_colors(const struct raster_kernels *k, struct scratch *s)
{
    struct narrow_planes planes = {0};

    tile_make_planes(with_state(s), s->batch.affine, &planes);
    order_inputs(k, s, false);
    k->interpolate_narrow_colors(&planes, s->given.x & ~7, s->given.y & ~7, &s->batch);
    without_state(s);
    order_inputs(k, s, true);
}

/* All coordinates, or some of them. */
static inline void run_interpolate_narrow_coordinates(const struct raster_kernels *k, struct scratch *s)
{
    const unsigned inputs = s->given.block_mask & 3 ? ~0u : (unsigned)(s->given.block_mask >> 2);
    struct narrow_planes planes = {0};

    tile_make_planes(with_state(s), s->batch.affine, &planes);
    k->interpolate_narrow_coordinates(&planes, s->given.x & ~7, s->given.y & ~7, inputs, &s->batch);
    without_state(s);
}

/* They must be the lanes from which steps continue. */
static inline void run_start_narrow_coordinate(const struct raster_kernels *k, struct scratch *s)
{
    const int x = s->given.x & ~3, y = s->given.y & ~3;
    struct narrow_planes planes = {0};
    int32_t start[2][4];

    tile_make_planes(with_state(s), s->batch.affine, &planes);
    k->interpolate_narrow_coordinates(&planes, x, y, ~0u, &s->batch);
    for (unsigned i = 0; i < planes.coordinate_count; i++) {
        const struct narrow_coordinate *coordinate = &planes.coordinate[i];

        k->start_narrow_coordinate(&planes, coordinate, x, y, start);
        for (unsigned n = 0; n < 8; n++)
            assert_memory_equal(&start[n / 4][n % 4], &s->batch.input[coordinate->input][n / 4][n % 4 * GROUP_LANES],
                                4);
    }
    without_state(s);
}

#define fill_interpolate_narrow             fill_narrow_inputs
#define fill_interpolate_narrow_colors      fill_narrow_inputs
#define fill_interpolate_narrow_coordinates fill_narrow_inputs
#define fill_start_narrow_coordinate        fill_narrow_inputs

/* --- after the program --------------------------------------------------------------------------- */

static inline void run_widen(const struct raster_kernels *k, struct scratch *s)
{
    const unsigned lanes = s->batch.group_count * GROUP_LANES;

    order_pixels(k, false, RASTER_LANES, s->batch.color[0]);
    k->widen(&s->batch);
    for (unsigned c = 0; c < 4; c++) /* the numbers left there are in the level's order */
        memset(s->batch.color[0][c] + lanes, 0, (RASTER_LANES - lanes) * sizeof(float));
}

static inline void run_alpha_test_narrow(const struct raster_kernels *k, struct scratch *s)
{
    order_pixels(k, false, RASTER_LANES, s->batch.color[0]);
    k->alpha_test_narrow(&s->state, &s->batch);
    order_pixels(k, true, RASTER_LANES, s->batch.color[0]);
}

/* Stores of all kinds, but mostly those that stay in 16 bits. */
static inline void fill_choose_narrow_store(struct scratch *s)
{
    struct raster_blend *blend = &s->state.blend;

    fill_store(s);
    fill_numbers(s);
    s->batch.group_count = 4;
    if (random_one_in(8))
        return;
    s->surface.format = random_one_in(2) ? RASTER_FORMAT_A8R8G8B8 : RASTER_FORMAT_X8R8G8B8;
    s->state.color_write_mask[0] = 15;
    *blend = (struct raster_blend){.enable = !random_one_in(8),
                                   .src_color = (uint8_t)(random_word() % (RASTER_BLEND_INV_DST_COLOR + 1)),
                                   .dst_color = (uint8_t)(random_word() % (RASTER_BLEND_INV_DST_COLOR + 1))};
    if (random_one_in(2)) { /* of those that programs use most */
        static const uint8_t common[][2] = {{RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_INV_SRC_ALPHA},
                                            {RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_ONE},
                                            {RASTER_BLEND_ONE, RASTER_BLEND_ONE},
                                            {RASTER_BLEND_ONE, RASTER_BLEND_INV_SRC_ALPHA},
                                            {RASTER_BLEND_ONE, RASTER_BLEND_INV_SRC_COLOR},
                                            {RASTER_BLEND_DST_COLOR, RASTER_BLEND_ZERO},
                                            {RASTER_BLEND_ZERO, RASTER_BLEND_SRC_COLOR},
                                            {RASTER_BLEND_DST_COLOR, RASTER_BLEND_SRC_COLOR}};
        const uint8_t *pair = common[random_word() % ARRAY_COUNT(common)];

        blend->src_color = pair[0];
        blend->dst_color = pair[1];
    }
    blend->src_alpha = blend->src_color;
    blend->dst_alpha = blend->dst_color;
}

static inline void run_choose_narrow_store(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_surface target = target_of(s);
    const struct raster_place place = {s->given.x, s->given.y, 16, s->given.quads, s->given.lane_mask};
    raster_pack_fn opaque;
    const raster_store_fn blend = k->choose_narrow_store(&s->state, target.format, &opaque);

    s->returned = blend ? 2 : opaque ? 1 : 0;
    order_pixels(k, false, RASTER_LANES, s->batch.color[0]);
    if (opaque)
        opaque(&s->batch, 0);
    if (blend && s->given.lane_mask)
        blend(&s->state, &target, 0, &s->batch, &place, 1);
    order_pixels(k, true, RASTER_LANES, s->batch.color[0]);
}

#define fill_widen             fill_numbers
#define fill_alpha_test_narrow fill_numbers

/* --- the sampler ------------------------------------------------------------------------------------------ */

/* The textures of samplers of narrow states: as in kernel_inputs.h, without alpha, with one level, not a power of two in
 * size, and wider than a register of words. */
#define NARROW_TEXTURES 5
static struct raster_texture narrow_texture[NARROW_TEXTURES];
static uint32_t wide_texels[3][64 * 32];

static inline void make_narrow_textures(void)
{
    for (unsigned t = 0; t < NARROW_TEXTURES; t++)
        narrow_texture[t] = texture;
    narrow_texture[1].opaque = true;
    narrow_texture[2].level_count = 1;
    for (unsigned level = 0; level < 3; level++) {
        const uint32_t width = 13u >> level, height = 7u >> level;

        narrow_texture[3].level[level] =
            (struct raster_texture_level){texels[level], width, height, 1, width, width * height};
    }
    for (unsigned level = 0; level < 3; level++) {
        const uint32_t width = 64u >> level, height = 32u >> level;

        narrow_texture[4].level[level] =
            (struct raster_texture_level){wide_texels[level], width, height, 1, width, width * height};
        for (unsigned i = 0; i < width * height; i++)
            wide_texels[level][i] = random_word();
    }
    narrow_texture[3].level_count = narrow_texture[4].level_count = 3;
}

/* A block of one primitive: nearly whole steps from group to group; mostly upright. */
static inline void fill_block_coordinates(struct scratch *s, float step, float most)
{
    const bool upright = !random_one_in(3);

    s->batch.is_block = true;
    s->given.groups = RASTER_LANES / GROUP_LANES;
    for (unsigned c = 0; c < 2; c++) {
        const int32_t first = (int32_t)(random_around(0.0f, most) * (float)RASTER_AFFINE_ONE);
        const int32_t right = upright && c == 1 ? 0 : (int32_t)(random_around(0.0f, step) * (float)RASTER_AFFINE_ONE);
        const int32_t below = upright && c == 0 ? 0 : (int32_t)(random_around(0.0f, step) * (float)RASTER_AFFINE_ONE);
        const int32_t rounds = (int32_t)(random_word() & 1);

        for (unsigned l = 0; l < RASTER_LANES; l++) {
            const unsigned g = l / GROUP_LANES;
            const int32_t x = raster_lane_x[l % 16] + (int32_t)(g & 1) * 4,
                          y = raster_lane_y[l % 16] + (int32_t)(g >> 1) * 4;
            const int32_t v = first + x * right + y * below +
                              rounds * (right   ? (int32_t)(g & 1)
                                        : below ? (int32_t)(g >> 1)
                                                : 0);

            memcpy(&s->coordinate[c][l], &v, sizeof(v));
        }
    }
}

/* A block of a floor or a ceiling in perspective: each row of pixels has one v, and steps of its own. */
static inline void fill_floor_coordinates(struct scratch *s, float step, float most)
{
    const float u = random_around(0.0f, most), v = random_around(0.0f, most), right = random_around(0.0f, step),
                below = random_around(0.0f, step), nearer = random_around(0.0f, 0.2f);

    for (unsigned l = 0; l < RASTER_LANES; l++) {
        const unsigned g = l / GROUP_LANES;
        const float x = (float)raster_lane_x[l % 16] + (float)((g & 1) * 4);
        const float y = (float)raster_lane_y[l % 16] + (float)((g >> 1) * 4), w = 1.0f + y * nearer;

        s->coordinate[0][l] = (u + x * right) * w;
        s->coordinate[1][l] = (v + y * below) * w;
    }
}

/* Coordinates are floats or integers; those of a quad are mostly near each other. */
static inline void fill_sample_narrow(struct scratch *s)
{
    const float step = random_one_in(3) ? 1.0f : 0.05f, most = random_one_in(2) ? 1.0f : 90.0f;

    if (!narrow_texture[0].level_count)
        make_narrow_textures();
    fill_sample(s);
    s->sampler.texture = random_one_in(16) ? NULL : &narrow_texture[random_word() % NARROW_TEXTURES];
    s->sampler.srgb = false;
    s->sampler.feedback =
        random_one_in(8) && s->sampler.texture && s->sampler.texture < &narrow_texture[3] ? map : NULL;
    s->sampler.base_level = random_one_in(2) ? 0 : s->sampler.base_level;
    if (!random_one_in(4)) /* one of the states that are read with integers */
        s->sampler.min_filter = (uint8_t)(RASTER_FILTER_POINT + random_word() % 2);
    s->batch.affine = random_one_in(2);
    if (!s->batch.affine && random_one_in(4))
        return;
    if (s->batch.affine && random_one_in(2)) {
        fill_block_coordinates(s, step, most);
        return;
    }
    if (!s->batch.affine && random_one_in(2)) {
        fill_floor_coordinates(s, step, most);
        return;
    }
    for (unsigned c = 0; c < 2; c++) {
        const float first = random_around(0.0f, most), right = random_around(0.0f, step),
                    below = random_around(0.0f, step);

        for (unsigned l = 0; l < RASTER_LANES; l++) {
            const float v = first + (float)raster_lane_x[l % 16] * right + (float)raster_lane_y[l % 16] * below +
                            (random_one_in(64) ? random_around(0.0f, 1.0f) : 0.0f);
            const int32_t whole = (int32_t)(v * (float)RASTER_AFFINE_ONE) + (int32_t)(random_word() % 3) - 1;

            memcpy(&s->coordinate[c][l], s->batch.affine ? (const void *)&whole : &v, sizeof(v));
        }
    }
}

static inline void run_choose_narrow_reads(const struct raster_kernels *k, struct scratch *s)
{
    const struct raster_narrow_reads reads = k->choose_narrow_reads(&s->sampler);

    s->returned = (uint64_t)reads.words | (uint64_t)reads.affine << 1 | (uint64_t)reads.leveled << 2 |
                  (uint64_t)reads.linear << 3 | (uint64_t)reads.level << 4;
}

#define fill_choose_narrow_reads fill_sample_narrow

static inline void fill_block_is_inner(struct scratch *s)
{
    fill_sample(s);
    fill_block_coordinates(s, random_one_in(2) ? 0.002f : 0.05f, random_one_in(2) ? 1.0f : 90.0f);
}

static inline void run_block_is_inner(const struct raster_kernels *k, struct scratch *s)
{
    const unsigned columns = (unsigned)s->given.x & 7, rows = (unsigned)s->given.y & 7;
    const struct raster_affine_level level = {
        .width = 1 << columns,
        .height = 1 << rows,
        .mode_u = s->given.block_mask & 1 ? RASTER_WRAP : RASTER_CLAMP,
        .mode_v = s->given.block_mask & 2 ? RASTER_WRAP : RASTER_CLAMP,
        .shift_u = (uint8_t)(16 - columns),
        .shift_v = (uint8_t)(16 - rows),
    };

    struct narrow_coordinate coordinate = {.input = 0};
    int32_t start[2][4];

    for (unsigned c = 0; c < 2; c++) {
        const int32_t *v = (const int32_t *)(const void *)s->coordinate[c];

        coordinate.step_x[c] = v[1] - v[0];
        coordinate.step_y[c] = v[2] - v[0];
        for (unsigned g = 0; g < 4; g++)
            start[c][g] = v[g * GROUP_LANES];
    }
    s->returned = k->block_is_inner(&level, &coordinate, (const int32_t(*)[4])start);
}

static inline void run_sample_narrow(const struct raster_kernels *k, struct scratch *s)
{
    const enum narrow_coordinates kind = s->batch.is_block ? NARROW_AFFINE_BLOCK
                                         : s->batch.affine ? NARROW_AFFINE
                                                           : NARROW_FLOATS;

    memset(regions, 0, sizeof(regions));
    const struct raster_narrow_reads reads = k->choose_narrow_reads(&s->sampler);

    k->sample_narrow(&s->sampler, &reads, s->given.groups, (const float(*)[RASTER_LANES])s->coordinate, kind,
                     s->given.block_mask, narrow_of(s->batch.color[0]));
    order_pixels(k, true, s->given.groups * GROUP_LANES, s->batch.color[0]);
    memcpy(s->marks, regions, sizeof(regions));
}

#endif
