/* SPDX-License-Identifier: MIT */
/* Scalar kernels of the rasterizer compared with their definitions: edges at every pixel, depth in doubles, blocks as
 * their groups. */
#include "raster/block_mask.h"
#include "raster/format/texel.h"
#include "tests/unit/kernel_inputs.h"

/* Coverage of a block: the edges at every lane. */
static void test_coverage(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        int32_t c[3], dx[3], dy[3];
        unsigned edges = 1 + random_word() % 7, shift = random_word() % 24;

        for (unsigned e = 0; e < 3; e++) {
            dx[e] = (int32_t)random_word() >> (8 + shift % 16);
            dy[e] = (int32_t)random_word() >> (8 + shift % 16);
            c[e] = (int32_t)random_word() >> (3 + shift);
        }
        uint64_t want = raster_kernels_scalar.coverage_block(c, dx, dy, edges);
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

/* Blocks of a triangle in a tile: the edges at every pixel. */
static void test_cover_triangle(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct raster_row row[RASTER_ROW_BLOCKS];
        unsigned live = 0;
        struct raster_tile_edges edges = {.mask = random_word() % 8};
        struct raster_rect area = {.left = (int)(random_word() % 64), .top = (int)(random_word() % 64)};
        bool covered[64][64] = {{false}}, listed[64][64] = {{false}};

        area.right = area.left + 1 + (int)(random_word() % (unsigned)(64 - area.left));
        area.bottom = area.top + 1 + (int)(random_word() % (unsigned)(64 - area.top));
        for (unsigned e = 0; e < 3; e++) {
            unsigned shift = 9 + random_word() % 16;

            edges.dx[e] = (int32_t)random_word() >> shift;
            edges.dy[e] = (int32_t)random_word() >> shift;
            /* approximately through a point of the tile */
            edges.c[e] = edges.dy[e] * (int32_t)(random_word() % 64) - edges.dx[e] * (int32_t)(random_word() % 64);
        }
        for (int y = area.top; y < area.bottom; y++) {
            for (int x = area.left; x < area.right; x++) {
                covered[y][x] = true;
                for (unsigned e = 0; e < 3; e++)
                    if (edges.mask & (1u << e))
                        covered[y][x] &= edges.c[e] - edges.dy[e] * x + edges.dx[e] * y >= 0;
            }
        }
        const unsigned count = raster_kernels_scalar.cover_triangle(&edges, &area, row);
        for (int i = 0; i < 64; i++) {
            const int by = i / 8, bx = i % 8;

            if (by < area.top / 8 || by > (area.bottom - 1) / 8 || !(row[by].live >> bx & 1))
                continue;
            live++;
            assert_true(row[by].mask[bx] != 0);
            assert_int_equal(row[by].whole >> bx & 1, row[by].mask[bx] == ~UINT64_C(0));
            for (unsigned l = 0; l < 64; l++)
                if (row[by].mask[bx] >> l & 1)
                    listed[8 * by + (int)((l >> 1 & 1) | (l >> 2 & 2) | (l >> 3 & 4))]
                          [8 * bx + (int)((l & 1) | (l >> 1 & 2) | (l >> 2 & 4))] = true;
        }
        assert_int_equal(count, live);
        assert_memory_equal(covered, listed, sizeof(covered));
    }
}

/* The depth test chosen by state gives the same results as the general function. */
static void test_depth_of_block(void **state)
{
    static struct scratch input, want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t pass = 0;

        memset(&input, 0, sizeof(input));
        fill_depth_stencil(&input);
        want = input;
        got = input;
        run_depth_of_block(k, &got);
        const struct raster_surface depth = target_of(&want);
        for (unsigned g = 0; g < 4; g++) {
            const int x = (input.given.x & ~7) + (int)(g & 1) * 4, y = (input.given.y & ~7) + (int)(g >> 1) * 4;
            const uint32_t bits = (uint32_t)(input.given.block_mask >> (g * GROUP_LANES)) & 0xffff;

            k->interpolate_depth(&want.p.primitive, x, y, input.given.offset, want.batch.z);
            pass |=
                (uint64_t)k->depth_stencil(&want.state, &depth, x, y, want.batch.z, bits, want.p.primitive.front_facing)
                << (g * GROUP_LANES);
        }
        if (pass != got.returned || memcmp(want.pixels, got.pixels, sizeof(want.pixels))) {
            print_given(&input);
            fail_msg("depth of a block: not what its groups give in round %u", round);
        }
    }
}

/* The place of sample s of `samples` in a pixel. */
static void offset_of(unsigned samples, unsigned s, bool apart, float offset[2])
{
    const struct raster_sample_position *position = raster_sample_positions(samples) + s;

    offset[0] = apart ? (float)position->x / 16.0f : 0.0f;
    offset[1] = apart ? (float)position->y / 16.0f : 0.0f;
}

/* Writing a compressed block gives the same as a test that always passes. */
static void test_write_depth(void **state)
{
    static struct scratch input, want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;
    static const float centre[2] = {0, 0};

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        memset(&input, 0, sizeof(input));
        fill_depth_stencil(&input);
        want = input;
        got = input;
        run_write_depth(k, &got);
        const struct raster_depth_write write = depth_write_of(&input);
        const struct raster_surface depth = target_of(&want);
        struct raster_depth_test test;

        want.state = (struct raster_draw_state){
            .depth_test = write.depth,
            .depth_write = write.depth,
            .depth_func = RASTER_ALWAYS,
            .stencil = {.enable = write.stencil, .func = RASTER_ALWAYS, .pass = RASTER_REPLACE, .write_mask = 255},
        };
        want.state.stencil.ref = write.stencil_value;
        want.p.primitive.front_facing = true;
        k->choose_depth(&want.state, depth.format, &test);
        test.run(&test, &depth, with_state(&want), input.given.x & ~7, input.given.y & ~7, centre,
                 input.given.block_mask);
        if (memcmp(want.pixels, got.pixels, sizeof(want.pixels))) {
            print_given(&input);
            fail_msg("write of depth: not what a test writes in round %u", round);
        }
    }
}

/* Depth of the samples of a group equals that of each sample by itself. */
static void test_depth_of_samples(void **state)
{
    static struct scratch input, want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t pass = 0;

        memset(&input, 0, sizeof(input));
        fill_depth_stencil(&input);
        want = input;
        got = input;
        run_depth_of_samples(k, &got);
        const unsigned bytes = raster_format_info(input.surface.format)->block_bytes;
        for (unsigned s = 0; s < depth_samples(&input); s++) {
            const uint32_t bits =
                (uint32_t)(block_mask_groups_to_morton(depth_lanes_of_samples(&input)) >> (s * GROUP_LANES)) & 0xffff;
            const struct raster_surface group = {.pixels = want.pixels + (size_t)s * GROUP_LANES * bytes,
                                                 .pitch = 4 * bytes,
                                                 .width = 4,
                                                 .height = 4,
                                                 .format = input.surface.format};
            float offset[2];

            offset_of(depth_samples(&input), s, input.given.y & 4, offset);
            k->interpolate_depth(&want.p.primitive, input.given.x, input.given.y, offset, want.batch.z);
            pass |=
                (uint64_t)k->depth_stencil(&want.state, &group, 0, 0, want.batch.z, bits, want.p.primitive.front_facing)
                << (s * GROUP_LANES);
        }
        if (block_mask_groups_to_rows(pass) != got.returned || memcmp(want.pixels, got.pixels, sizeof(want.pixels))) {
            print_given(&input);
            fail_msg("depth of samples: not what each gives in round %u", round);
        }
    }
}

/* The samples that a small triangle covers in a group: its edges in 64 bits at each sample. */
static void test_cover_small_lanes(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct scratch s;
        const unsigned samples = 2u << random_word() % 4;
        const bool apart = random_one_in(2);
        const struct raster_sample_position *position = raster_sample_positions(samples);
        struct raster_sample_lanes lanes[RASTER_SAMPLE_SETS];

        fill_small(&s);
        const struct scene_small *edges = &s.p.primitive.small_edges;
        const int x = s.p.primitive.left & -4, y = s.p.primitive.top & -4;

        raster_kernels_scalar.place_samples(samples, apart, lanes);
        for (unsigned l = 0; l < samples * GROUP_LANES; l++) {
            const unsigned sample = l / GROUP_LANES, pixel = l % GROUP_LANES;
            const int64_t dx = 256 * (x - edges->x + (int)(pixel % 4)) + (apart ? 16 * position[sample].x : 0);
            const int64_t dy = 256 * (y - edges->y + (int)(pixel / 4)) + (apart ? 16 * position[sample].y : 0);
            const uint64_t covered =
                raster_kernels_scalar.cover_small_lanes(&s.p.primitive, x, y, &lanes[l / RASTER_LANES]);
            bool inside = true;

            for (unsigned e = 0; e < 3; e++)
                inside &= edges->c[e] + edges->step[e][0] * dx + edges->step[e][1] * dy >= 0;
            assert_int_equal(covered >> l % RASTER_LANES & 1, inside);
        }
    }
}

/* Storing a group directly to its samples gives the same as interpolating, packing and storing to each. */
static void test_direct_samples(void **state)
{
    static struct scratch input, want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        raster_pack_fn pack;

        memset(&input, 0, sizeof(input));
        input.batch.group_count = 4;
        fill_direct_store(&input);
        want = input;
        got = input;
        run_choose_direct_samples(k, &got);
        want.batch.pass_through_input = want.state.pass_through.input + 1;
        want.batch.pass_through_components = 15;
        const raster_store_fn store = k->choose_store(&want.state, 0, input.surface.format, &pack);
        struct raster_place place = {input.given.x & ~3, input.given.y & ~3, 0, 15, 0};
        uint64_t mask[RASTER_SAMPLE_SETS];

        k->interpolate(with_state(&want), &place, &want.batch);
        pack(&want.batch, 0);
        place.x = place.y = 0;
        direct_sample_masks(&input, mask);
        for (unsigned s = 0; s < direct_sample_count(&input); s++) {
            const struct raster_surface group = {.pixels = want.pixels + (size_t)s * GROUP_LANES * 4,
                                                 .pitch = 16,
                                                 .width = 4,
                                                 .height = 4,
                                                 .format = input.surface.format};

            place.mask = (uint32_t)(block_mask_groups_to_morton(mask[s / 4]) >> (s % 4 * GROUP_LANES)) & 0xffff;
            if (place.mask)
                store(&want.state, &group, 0, &want.batch, &place, 1);
        }
        if (memcmp(want.pixels, got.pixels, sizeof(want.pixels))) {
            print_given(&input);
            fail_msg("direct samples: not what each gives in round %u", round);
        }
    }
}

/* Storing a block directly gives what interpolating, packing and storing its groups give. */
static void test_direct_store(void **state)
{
    static struct scratch input, want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        raster_pack_fn pack;

        memset(&input, 0, sizeof(input));
        input.batch.group_count = 4;
        fill_direct_store(&input);
        want = input;
        got = input;
        run_choose_direct_store(k, &got);
        const struct raster_surface target = target_of(&want);
        want.batch.pass_through_input = want.state.pass_through.input + 1;
        want.batch.pass_through_components = 15;
        const raster_store_fn store = k->choose_store(&want.state, 0, target.format, &pack);
        for (unsigned g = 0; g < 4; g++) {
            const uint32_t bits = (uint32_t)(input.given.block_mask >> (g * GROUP_LANES)) & 0xffff;
            const struct raster_place place = {input.given.x + (int)(g & 1) * 4, input.given.y + (int)(g >> 1) * 4, 0,
                                               15, bits};

            k->interpolate(with_state(&want), &place, &want.batch);
            pack(&want.batch, 0);
            if (bits)
                store(&want.state, &target, 0, &want.batch, &place, 1);
        }
        if (memcmp(want.pixels, got.pixels, sizeof(want.pixels))) {
            print_given(&input);
            fail_msg("direct store: not what its groups give in round %u", round);
        }
    }
}

/* Storing a row of blocks gives what storing each of them gives. */
static void test_direct_row(void **state)
{
    static struct scratch input, want, got;
    const struct raster_kernels *k = &raster_kernels_scalar;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        memset(&input, 0, sizeof(input));
        fill_direct_store(&input);
        input.given.block_mask = ~UINT64_C(0);
        want = input;
        got = input;
        run_choose_direct_row(k, &got);
        if (memcmp(got.pixels, input.pixels, sizeof(got.pixels)))
            for (; want.given.x + 8 <= (int)want.surface.width; want.given.x += 8)
                run_choose_direct_store(k, &want);
        if (memcmp(want.pixels, got.pixels, sizeof(want.pixels))) {
            print_given(&input);
            fail_msg("direct row: not what its blocks give in round %u", round);
        }
    }
}

/* The value of a channel's bits in a wide format. */
static float wide_value(const struct raster_format_info *info, unsigned c, uint32_t field)
{
    if (info->bits[c] == 32)
        return texel_float(texel_from_f32(field));
    return info->type == RASTER_FLOAT ? texel_float(texel_from_half(field & 0xffff))
                                      : (float)(field & 0xffff) / 65535.0f;
}

/* A channel's bits in a wide format. */
static uint32_t wide_field(const struct raster_format_info *info, unsigned c, float v)
{
    if (info->bits[c] == 32)
        return texel_from_f32(texel_bits(v));
    if (info->type == RASTER_FLOAT)
        return texel_to_half(v);
    v = v > 0.0f ? v : 0.0f;
    return (uint32_t)((v < 1.0f ? v : 1.0f) * 65535.0f + 0.5f);
}

/* The new value of pixel l of the group. */
static void wide_pixel(const struct scratch *s, unsigned l, uint32_t word[RASTER_TEXEL_BYTES / 4])
{
    const struct raster_format_info *info = raster_format_info(s->surface.format);
    const unsigned before = (unsigned)__builtin_popcount(s->given.quads & ((1u << l / 4) - 1));

    for (unsigned c = 0; c < 4; c++) {
        const unsigned shift = info->shift[c] % 32;
        uint32_t *at = &word[info->shift[c] / 32], field;
        float v = s->batch.color[0][c][16 + 4 * before + l % 4];

        if (s->state.blend.enable) {
            v = info->type == RASTER_FLOAT ? v : v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f;
            v = v * 0.0f + wide_value(info, c, *at >> shift);
        }
        field = wide_field(info, c, v);
        if (!info->bits[c] || !(s->state.color_write_mask[0] & (1u << c)))
            continue;
        *at = info->bits[c] == 32 ? field : (*at & ~(0xffffu << shift)) | field << shift;
    }
}

/* Stores into wide targets: each channel's bits on their own; pixels outside the mask and unwritten channels keep their
 * bits. Blending, if enabled, leaves the target unchanged: factor 0 for the colour, 1 for the target. */
static void test_wide_targets(void **state)
{
    static const enum raster_format formats[] = {
        RASTER_FORMAT_R16F, RASTER_FORMAT_G16R16F, RASTER_FORMAT_A16B16G16R16F, RASTER_FORMAT_A16B16G16R16,
        RASTER_FORMAT_R32F, RASTER_FORMAT_G32R32F, RASTER_FORMAT_A32B32G32R32F};
    static struct scratch input, got;

    (void)state;
    for (unsigned round = 0; round < 30000; round++) {
        memset(&input, 0, sizeof(input));
        fill_store(&input);
        for (unsigned k = 0; k < 4 * RASTER_LANES; k++)
            if (random_one_in(2))
                input.batch.color[0][k / RASTER_LANES][k % RASTER_LANES] = random_near_half();
        input.surface.format = formats[round % ARRAY_COUNT(formats)];
        input.state.blend = (struct raster_blend){.enable = random_one_in(2),
                                                  .src_color = RASTER_BLEND_ZERO,
                                                  .src_alpha = RASTER_BLEND_ZERO,
                                                  .dst_color = RASTER_BLEND_ONE,
                                                  .dst_alpha = RASTER_BLEND_ONE,
                                                  .op_color = RASTER_BLEND_ADD,
                                                  .op_alpha = RASTER_BLEND_ADD};
        memcpy(&got, &input, sizeof(got));
        run_choose_store(raster_kernels_for(CPU_SCALAR), &got);
        for (unsigned l = 0; l < GROUP_LANES; l++) {
            const unsigned bytes = raster_format_info(input.surface.format)->block_bytes;
            uint32_t word[RASTER_TEXEL_BYTES / 4];
            uint8_t *at = input.pixels + (size_t)(input.given.y + raster_lane_y[l]) * input.surface.pitch +
                          (size_t)(input.given.x + raster_lane_x[l]) * bytes;

            memcpy(word, at, bytes);
            if (input.given.lane_mask & (1u << l))
                wide_pixel(&input, l, word);
            memcpy(at, word, bytes);
        }
        if (memcmp(input.pixels, got.pixels, sizeof(got.pixels))) {
            print_given(&input);
            fail_msg("a store into %s is not what its definition gives in round %u",
                     raster_format_info(input.surface.format)->name, round);
        }
    }
}

/* As raster/kernels/depth_block.c computes it. */
static uint32_t depth_to_24(float z)
{
    return (uint32_t)(int32_t)(z * DEPTH_24_SCALE + DEPTH_24_ROUND);
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
        /* the smallest float that the definition maps to `step` */
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),         cmocka_unit_test(test_cover_triangle),
        cmocka_unit_test(test_depth_of_block),   cmocka_unit_test(test_direct_store),
        cmocka_unit_test(test_direct_row),       cmocka_unit_test(test_depth_24),
        cmocka_unit_test(test_depth_of_samples), cmocka_unit_test(test_cover_small_lanes),
        cmocka_unit_test(test_direct_samples),   cmocka_unit_test(test_write_depth),
        cmocka_unit_test(test_wide_targets),
    };

    random_seed = 3;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
