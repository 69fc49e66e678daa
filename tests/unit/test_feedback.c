/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback maps: the rows of the document's list of driver bugs, each with the right answer, the worked vectors
 * of docs/reference/feedback-rules.md, and an oracle: the real sampler, on textures in which only one region is not
 * black, shows whether it reads that region.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"
#include "tests/unit/feedback_oracle.h"
#include "tests/unit/sample_computed.h"

#define MAX_SIDE 64

struct fixture {
    struct raster_feedback *map;
    struct raster_texture texture;
    struct raster_sampler sampler;
    uint32_t *texels[RASTER_MAX_LEVELS];
    uint8_t pixels[MAX_SIDE * MAX_SIDE];
    struct feedback_pixels out;
};

static struct fixture *fixture_create(enum feedback_kind kind, unsigned width, unsigned height, unsigned levels,
                                      unsigned layers, unsigned region)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));
    struct raster_feedback_desc desc = {kind, width, height, levels, layers, region, region, 0, 0};

    f->map = raster_feedback_create(&desc);
    assert_non_null(f->map);
    f->texture.level_count = levels;
    for (unsigned l = 0; l < levels; l++)
        f->texture.level[l] = (struct raster_texture_level){
            .width = BASE_MAX(width >> l, 1u), .height = BASE_MAX(height >> l, 1u), .depth = 1};
    f->sampler = (struct raster_sampler){.texture = &f->texture,
                                         .mag_filter = RASTER_FILTER_POINT,
                                         .min_filter = RASTER_FILTER_POINT,
                                         .mip_filter = RASTER_FILTER_POINT,
                                         .max_anisotropy = 1,
                                         .address = {RASTER_WRAP, RASTER_WRAP, RASTER_WRAP}};
    f->out = (struct feedback_pixels){f->pixels, MAX_SIDE, MAX_SIDE, MAX_SIDE};
    memset(f->pixels, 0x77, sizeof(f->pixels));
    return f;
}

static void fixture_destroy(struct fixture *f)
{
    raster_feedback_destroy(f->map);
    free(f);
}

static void write_level(struct fixture *f, float u, float v, float level, float layer)
{
    struct feedback_write w = {.form = FEEDBACK_SAMPLE_LEVEL, .u = u, .v = v, .layer = layer, .value = level};

    write_feedback(f->map, &f->sampler, &w);
}

static uint8_t min_mip(struct fixture *f, unsigned layer, unsigned x, unsigned y)
{
    raster_feedback_decode_min_mip(f->map, layer, &f->out);
    return f->pixels[y * MAX_SIDE + x];
}

static uint8_t used(struct fixture *f, unsigned layer, unsigned level, unsigned x, unsigned y)
{
    raster_feedback_decode_used(f->map, layer, level, NULL, 0, 0, &f->out);
    return f->pixels[y * MAX_SIDE + x];
}

/* The decoded cells that are not `FEEDBACK_NONE` are exactly [left, right) x [top, bottom), all `value`. */
static void expect_cells(struct fixture *f, unsigned layer, unsigned left, unsigned top, unsigned right,
                         unsigned bottom, uint8_t value)
{
    raster_feedback_decode_min_mip(f->map, layer, &f->out);
    for (unsigned y = 0; y < raster_feedback_rows(f->map, 0); y++)
        for (unsigned x = 0; x < raster_feedback_columns(f->map, 0); x++) {
            bool inside = x >= left && x < right && y >= top && y < bottom;

            if (f->pixels[y * MAX_SIDE + x] != (inside ? value : FEEDBACK_NONE))
                fail_msg("cell (%u, %u) is %u", x, y, f->pixels[y * MAX_SIDE + x]);
        }
}

/* --- creation ------------------------------------------------------------------------------------- */

static void test_creation_rules(void **state)
{
    static const struct {
        unsigned width, height, region_width, region_height;
        bool good;
    } vector[] = {{9, 11, 4, 4, true},  {13, 11, 5, 5, false},  {16, 16, 0, 0, false}, {9, 11, 8, 8, false},
                  {16, 16, 8, 8, true}, {16, 16, 16, 8, false}, {64, 32, 16, 4, true}, {16, 16, 2, 4, false},
                  {1, 1, 4, 4, true},   {7, 5, 4, 4, true},     {7, 64, 8, 4, false},  {64, 2, 32, 4, true}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        struct raster_feedback_desc desc = {FEEDBACK_MIN_MIP,
                                            vector[i].width,
                                            vector[i].height,
                                            3,
                                            5,
                                            vector[i].region_width,
                                            vector[i].region_height,
                                            0,
                                            0};
        struct raster_feedback *map = raster_feedback_create(&desc);

        assert_int_equal(map != NULL, vector[i].good);
        raster_feedback_destroy(map);
    }
}

/* --- the document's list of bugs -------------------------------------------------------------------- */

/* AMD: "NPOT is completely broken": 17x17 with 4x4 regions, u = v = 0.5 - epsilon. */
static void test_amd_npot(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 17, 17, 5, 1, 4);

    (void)state;
    assert_int_equal(raster_feedback_columns(f->map, 0), 5);
    write_level(f, 0.4999f, 0.4999f, 0, 0);
    expect_cells(f, 0, 2, 2, 3, 3, 0);
    fixture_destroy(f);
}

/* AMD: "Extremely over-conservative": filtering happens in texels, not in regions. */
static void test_amd_overconservative(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 16, 16, 1, 1, 4);

    (void)state;
    f->sampler.mag_filter = f->sampler.min_filter = RASTER_FILTER_LINEAR;
    write_level(f, (5.5f + 125.0f / 256.0f) / 16.0f, (5.5f + 125.0f / 256.0f) / 16.0f, 0, 0);
    expect_cells(f, 0, 1, 1, 2, 2, 0);
    fixture_destroy(f);
    /* "even with mip regions of e.g. 64x64": over 32 texels from the next region */
    f = fixture_create(FEEDBACK_MIN_MIP, 256, 256, 1, 1, 64);
    f->sampler.mag_filter = f->sampler.min_filter = RASTER_FILTER_LINEAR;
    write_level(f, (64.0f + 31.0f) / 256.0f, (64.0f + 31.0f) / 256.0f, 0, 0);
    expect_cells(f, 0, 1, 1, 2, 2, 0);
    fixture_destroy(f);
}

/* AMD: "Resolving MinMip with individual layers is broken". */
static void test_amd_layer_resolve(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 16, 16, 3, 4, 4);
    uint8_t in[16];
    struct feedback_pixels pixels = {in, 4, 4, 4};

    (void)state;
    for (unsigned layer = 0; layer < 4; layer++) {
        memset(in, (int)layer + 1, sizeof(in));
        raster_feedback_encode_min_mip(f->map, layer, &pixels);
    }
    for (unsigned layer = 0; layer < 4; layer++)
        expect_cells(f, layer, 0, 0, 4, 4, (uint8_t)(layer + 1));
    fixture_destroy(f);
}

/* Intel: "CopyResource hangs GPU". */
static void test_intel_copy(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 32, 32, 3, 2, 8);
    struct fixture *g = fixture_create(FEEDBACK_MIN_MIP, 32, 32, 3, 2, 8);
    struct fixture *other = fixture_create(FEEDBACK_MIN_MIP, 32, 32, 3, 2, 4);

    (void)state;
    write_level(f, 0.3f, 0.9f, 1, 1);
    assert_true(raster_feedback_copy(g->map, f->map));
    raster_feedback_decode_min_mip(f->map, 1, &f->out);
    raster_feedback_decode_min_mip(g->map, 1, &g->out);
    assert_memory_equal(f->pixels, g->pixels, sizeof(f->pixels));
    assert_false(raster_feedback_copy(other->map, f->map));
    fixture_destroy(f);
    fixture_destroy(g);
    fixture_destroy(other);
}

/* Intel: "Stray writes": 15 to 32 texels, point filter, the last texel of each level marks only the last region. */
static void test_intel_stray_writes(void **state)
{
    (void)state;
    for (unsigned size = 15; size <= 32; size++) {
        struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, size, size, 3, 1, 4);

        for (unsigned level = 0; level < 3; level++) {
            unsigned side = size >> level, last = (side - 1) / 4;

            raster_feedback_clear(f->map);
            write_level(f, ((float)side - 0.5f) / (float)side, ((float)side - 0.5f) / (float)side, (float)level, 0);
            for (unsigned l = 0; l < 3; l++)
                for (unsigned y = 0; y < raster_feedback_rows(f->map, l); y++)
                    for (unsigned x = 0; x < raster_feedback_columns(f->map, l); x++)
                        assert_int_equal(used(f, 0, l, x, y), l == level && x == last && y == last ? 0xff : 0);
        }
        fixture_destroy(f);
    }
}

/* The same, into an image whose levels halve its first: 18 texels have three regions in level 1, the last of which has
 * no room there. */
static void test_intel_stray_writes_narrow_image(void **state)
{
    static const struct {
        unsigned size, last;
    } vector[] = {{17, 1}, {18, 2}};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        unsigned size = vector[i].size, side = size >> 1, image = (size + 3) / 4 >> 1;
        struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, size, size, 3, 1, 4);
        struct feedback_pixels out = {f->pixels, MAX_SIDE, image, image};

        write_level(f, ((float)side - 0.5f) / (float)side, ((float)side - 0.5f) / (float)side, 1, 0);
        assert_int_equal(used(f, 0, 1, vector[i].last, vector[i].last), 0xff);
        memset(f->pixels, 0x77, sizeof(f->pixels));
        raster_feedback_decode_used(f->map, 0, 1, NULL, 0, 0, &out);
        assert_int_equal(f->pixels[MAX_SIDE + 1], vector[i].last == 1 ? 0xff : 0);
        assert_int_equal(f->pixels[2 * MAX_SIDE + 2], 0x77);
        fixture_destroy(f);
    }
}

/* Intel, NVIDIA: "Non-transitive encode / decode". */
static void test_encode_decode_transitive(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 17, 13, 5, 1, 4);
    uint8_t in[5 * 4];
    struct feedback_pixels pixels = {in, 5, 5, 4};

    (void)state;
    for (unsigned i = 0; i < sizeof(in); i++)
        in[i] = (uint8_t)(i % 13);
    write_level(f, 0.1f, 0.1f, 0, 0); /* replaced by the encoding */
    raster_feedback_encode_min_mip(f->map, 0, &pixels);
    raster_feedback_decode_min_mip(f->map, 0, &f->out);
    for (unsigned i = 0; i < sizeof(in); i++)
        assert_int_equal(f->pixels[i / 5 * MAX_SIDE + i % 5], in[i]);
    memset(in, 15, sizeof(in)); /* there is no level 15 */
    raster_feedback_encode_min_mip(f->map, 0, &pixels);
    expect_cells(f, 0, 0, 0, 0, 0, 0);
    fixture_destroy(f);
}

/* Intel, NVIDIA: "Broken MipUsed resolve with DstX/DstY + src rect": encoded at (1, 2), decoded to (3, 4). */
static void test_used_rect_and_offset(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, 64, 64, 2, 1, 4);
    uint8_t in[16] = {0};
    struct feedback_pixels pixels = {in, 4, 4, 4};
    struct feedback_rect from = {0, 0, 3, 3}, back = {1, 2, 16, 16};

    (void)state;
    in[1 * 4 + 2] = 0xff; /* (2, 1) */
    in[3 * 4 + 3] = 0xff; /* outside the rectangle */
    raster_feedback_encode_used(f->map, 0, 0, 1, 2, &from, &pixels);
    assert_int_equal(used(f, 0, 0, 3, 3), 0xff);
    assert_int_equal(used(f, 0, 0, 4, 5), 0);
    memset(f->pixels, 0x55, sizeof(f->pixels));
    raster_feedback_decode_used(f->map, 0, 0, &back, 3, 4, &f->out);
    assert_int_equal(f->pixels[(1 + 4) * MAX_SIDE + 2 + 3], 0xff);
    assert_int_equal(f->pixels[0], 0x55);
    assert_int_equal(f->pixels[4 * MAX_SIDE + 3], 0);
    /* without rectangles: from (0, 0) over (1, 2) to (4, 6) */
    raster_feedback_clear(f->map);
    in[0] = 0xff;
    raster_feedback_encode_used(f->map, 0, 0, 1, 2, NULL, &pixels);
    raster_feedback_decode_used(f->map, 0, 0, NULL, 3, 4, &f->out);
    assert_int_equal(used(f, 0, 0, 1, 2), 0xff);
    raster_feedback_decode_used(f->map, 0, 0, NULL, 3, 4, &f->out);
    assert_int_equal(f->pixels[6 * MAX_SIDE + 4], 0xff);
    fixture_destroy(f);
}

/* NVIDIA: "WRAP filtering mode is broken": one region beyond the end is the region after the first. */
static void test_nvidia_wrap(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 4096, 2048, 1, 1, 128);

    (void)state;
    write_level(f, (4096.0f + 128.0f + 0.5f) / 4096.0f, (2048.0f + 128.0f + 0.5f) / 2048.0f, 0, 0);
    expect_cells(f, 0, 1, 1, 2, 2, 0);
    fixture_destroy(f);
}

/* NVIDIA: "Certain MipRegion sizes are broken": every legal one works. */
static void test_nvidia_region_sizes(void **state)
{
    (void)state;
    for (unsigned region = 8; region <= 64; region *= 2) {
        struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, 256, 256, 3, 1, region);

        write_level(f, 200.5f / 256.0f, 100.5f / 256.0f, 0, 0);
        for (unsigned y = 0; y < raster_feedback_rows(f->map, 0); y++)
            for (unsigned x = 0; x < raster_feedback_columns(f->map, 0); x++)
                assert_int_equal(used(f, 0, 0, x, y), x == 200 / region && y == 100 / region ? 0xff : 0);
        fixture_destroy(f);
    }
}

/* AMD: a lone write to level 1 reports level 1. */
static void test_amd_lone_level(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 2048, 2048, 3, 1, 32);
    struct feedback_write w = {.form = FEEDBACK_SAMPLE_GRAD,
                               .u = 0.5f,
                               .v = 0.5f,
                               .ddx = {1.41421356f / 2048.0f, 0},
                               .ddy = {0, 1.41421356f / 2048.0f}};

    (void)state;
    write_feedback(f->map, &f->sampler, &w);
    assert_int_equal(min_mip(f, 0, 32, 32), 1);
    fixture_destroy(f);
}

/* --- worked vectors ------------------------------------------------------------------------------------ */

static void test_smear(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 65, 65, 3, 1, 4);

    (void)state;
    assert_int_equal(raster_feedback_columns(f->map, 0), 17);
    write_level(f, 0.749f, 0.749f, 0, 0);
    expect_cells(f, 0, 12, 12, 13, 13, 0);
    raster_feedback_clear(f->map);
    write_level(f, 34.5f / 65.0f, 34.5f / 65.0f, 1, 0);
    expect_cells(f, 0, 8, 8, 11, 11, 1); /* three by three */
    write_level(f, 28.0f / 65.0f, 28.0f / 65.0f, 2, 0);
    assert_int_equal(min_mip(f, 0, 4, 4), 2);
    assert_int_equal(min_mip(f, 0, 7, 7), 2);
    assert_int_equal(min_mip(f, 0, 8, 8), 1);
    fixture_destroy(f);
}

/* 4096x2048 with regions of 128x64, two slices of five levels: coarser levels cover their area, lower values win. */
static void test_coarse_levels(void **state)
{
    static const struct {
        float x, y;                                      /* texels of level 0 */
        unsigned level, slice, left, top, right, bottom; /* cells, inclusive */
    } vector[] = {{2563, 1089, 1, 1, 20, 16, 21, 17},
                  {2693, 1220, 2, 0, 20, 16, 23, 19},
                  {2823, 1602, 3, 1, 16, 24, 23, 31},
                  {100, 100, 5, 0, 0, 0, 15, 15}}; /* level 5 does not exist: 4 */
    struct raster_feedback_desc desc = {FEEDBACK_MIN_MIP, 4096, 2048, 5, 2, 128, 64, 0, 0};
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 4096, 2048, 5, 2, 128);

    (void)state;
    raster_feedback_destroy(f->map);
    f->map = raster_feedback_create(&desc);
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        raster_feedback_clear(f->map);
        write_level(f, vector[i].x / 4096.0f, vector[i].y / 2048.0f, (float)vector[i].level, (float)vector[i].slice);
        expect_cells(f, vector[i].slice, vector[i].left, vector[i].top, vector[i].right + 1, vector[i].bottom + 1,
                     (uint8_t)BASE_MIN(vector[i].level, 4u));
        expect_cells(f, 1 - vector[i].slice, 0, 0, 0, 0, 0);
    }
    write_level(f, 100.0f / 4096.0f, 100.0f / 2048.0f, 2, 0);
    assert_int_equal(min_mip(f, 0, 1, 2), 2);
    assert_int_equal(min_mip(f, 0, 15, 15), 4);
    fixture_destroy(f);
}

/* Levels that the view leaves out are not requested, whatever the gradient says. */
static void test_mip_view(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 64, 64, 4, 1, 8);
    struct feedback_write w = {.form = FEEDBACK_SAMPLE, .u = 0.5f, .v = 0.5f};

    (void)state;
    f->sampler.base_level = 1;
    write_feedback(f->map, &f->sampler, &w);
    assert_int_equal(min_mip(f, 0, 4, 4), 1);
    fixture_destroy(f);
}

/* No probe reaches beyond half the rate, rounded up to a power of two, as vendors bound it (2048 texels, regions of 64). */
static void test_anisotropic_reach(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, 2048, 2048, 1, 1, 64);

    (void)state;
    f->sampler.min_filter = f->sampler.mag_filter = RASTER_FILTER_ANISOTROPIC;
    f->sampler.max_anisotropy = 16;
    for (unsigned rate = 2; rate <= 16; rate++) {
        float reach = 0.5f;

        while (reach * 2.0f < (float)rate)
            reach *= 2.0f;
        for (unsigned outside = 0; outside < 2; outside++) {
            float x = 64.0f - reach + (outside ? 1.0f : -1.0f) / 128.0f;
            struct feedback_write w = {.form = FEEDBACK_SAMPLE_GRAD,
                                       .u = x / 2048.0f,
                                       .v = 0.5f / 2048.0f * 65.0f,
                                       .ddx = {(float)rate / 2048.0f, 0},
                                       .ddy = {0, 1.0f / 2048.0f}};
            bool power = !(rate & (rate - 1));

            raster_feedback_clear(f->map);
            write_feedback(f->map, &f->sampler, &w);
            assert_int_equal(used(f, 0, 0, 0, 0), 0xff);
            if (!outside)
                assert_int_equal(used(f, 0, 0, 1, 0), 0);
            else if (power)
                assert_int_equal(used(f, 0, 0, 1, 0), 0xff);
            assert_int_equal(used(f, 0, 0, 2, 0), 0);
        }
    }
    fixture_destroy(f);
}

static void test_level_from_gradient(void **state)
{
    static const struct {
        float gradient, bias;
        uint8_t level;
    } vector[] = {{2, 0, 1}, {2, -1, 0}, {1, 3, 2}, {1, 1, 1}, {0, 14, 0}, {4, 0, 2}};
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 2048, 2048, 3, 1, 32);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        float g = vector[i].gradient / 2048.0f;
        struct feedback_write w = {
            .form = FEEDBACK_SAMPLE_BIAS, .u = 0.5f, .v = 0.5f, .ddx = {g, 0}, .ddy = {0, g}, .value = vector[i].bias};

        raster_feedback_clear(f->map);
        write_feedback(f->map, &f->sampler, &w);
        assert_int_equal(min_mip(f, 0, 32, 32), vector[i].level);
    }
    fixture_destroy(f);
}

/* An explicit level is used as in texldl: with the sampler's bias. */
static void test_explicit_level(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 64, 64, 4, 1, 8);

    (void)state;
    f->sampler.lod_bias = 1.0f;
    write_level(f, 0.5f, 0.5f, 1.0f, 0);
    assert_int_equal(min_mip(f, 0, 4, 4), 2);
    f->sampler.lod_bias = -1.0f;
    write_level(f, 0.5f, 0.5f, 1.0f, 0);
    assert_int_equal(min_mip(f, 0, 4, 4), 0);
    fixture_destroy(f);
}

/* The hidden overload: no finer level than the clamp. */
static void test_lod_clamp(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 64, 64, 4, 1, 8);
    struct feedback_write w = {.form = FEEDBACK_SAMPLE, .u = 0.5f, .v = 0.5f, .lod_clamp = 2.0f};

    (void)state;
    write_feedback(f->map, &f->sampler, &w);
    assert_int_equal(min_mip(f, 0, 4, 4), 2);
    fixture_destroy(f);
}

/* Layers round to the nearest, ties to even, and are clamped. */
static void test_layers(void **state)
{
    static const struct {
        float layer;
        unsigned index;
    } vector[] = {{0.5f, 0}, {1.0f, 1}, {1.5f, 2}, {2.4f, 2}, {9.0f, 3}, {-3.0f, 0}};
    struct fixture *f = fixture_create(FEEDBACK_MIN_MIP, 16, 16, 1, 4, 4);

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        raster_feedback_clear(f->map);
        write_level(f, 0.1f, 0.1f, 0, vector[i].layer);
        for (unsigned layer = 0; layer < 4; layer++)
            assert_int_equal(min_mip(f, layer, 0, 0), layer == vector[i].index ? 0 : FEEDBACK_NONE);
    }
    fixture_destroy(f);
}

/* Anisotropy: probes lie along the longer side and read the level of the shorter one. */
static void test_anisotropic_line(void **state)
{
    struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, 256, 256, 4, 1, 4);
    struct feedback_write w = {.form = FEEDBACK_SAMPLE_GRAD,
                               .u = 128.0f / 256.0f,
                               .v = 130.5f / 256.0f,
                               .ddx = {16.0f / 256.0f, 0},
                               .ddy = {0, 1.0f / 256.0f}};

    (void)state;
    f->sampler.min_filter = f->sampler.mag_filter = RASTER_FILTER_ANISOTROPIC;
    f->sampler.max_anisotropy = 16;
    write_feedback(f->map, &f->sampler, &w);
    for (unsigned x = 0; x < 64; x++)
        for (unsigned y = 0; y < 64; y++)
            assert_int_equal(used(f, 0, 0, x, y), y == 32 && x >= 30 && x < 34 ? 0xff : 0);
    fixture_destroy(f);
}

/* --- the oracle ----------------------------------------------------------------------------------------------- */

/* One write per quad: its first lane; the other lanes make the gradient. */
struct oracle {
    struct feedback_write write[RASTER_LANES / 4];
    _Alignas(64) float coordinate[3][RASTER_LANES], result[4][RASTER_LANES];
};

/* Multiples of 2^-12 below 4: sums are exact, so that lanes differ by exactly the gradient. */
static void random_write(struct oracle *o, unsigned quad)
{
    struct feedback_write *w = &o->write[quad];
    float scale = 1.0f / 4096.0f, size = (float)(1u << random_below(11));

    *w = (struct feedback_write){.form = FEEDBACK_SAMPLE};
    w->u = ((float)random_below(12288) - 4096.0f) * scale;
    w->v = ((float)random_below(12288) - 4096.0f) * scale;
    for (unsigned i = 0; i < 2; i++) {
        w->ddx[i] = (float)((int)random_below(16) - 8) * size * 0.125f * scale;
        w->ddy[i] = (float)((int)random_below(16) - 8) * size * 0.125f * scale;
    }
    for (unsigned lane = 0; lane < 4; lane++) {
        float x = (float)(lane & 1), y = (float)(lane >> 1);

        o->coordinate[0][4 * quad + lane] = w->u + x * w->ddx[0] + y * w->ddy[0];
        o->coordinate[1][4 * quad + lane] = w->v + x * w->ddx[1] + y * w->ddy[1];
        o->coordinate[2][4 * quad + lane] = 0.0f;
    }
}

static void fill_region(struct fixture *f, unsigned level, unsigned column, unsigned row, uint32_t color)
{
    const struct raster_texture_level *l = &f->texture.level[level];
    unsigned side = f->map->desc.region_width;

    for (unsigned y = row * side; y < BASE_MIN((row + 1) * side, l->height); y++)
        for (unsigned x = column * side; x < BASE_MIN((column + 1) * side, l->width); x++)
            f->texels[level][y * l->pitch + x] = color;
}

static void check_region(struct fixture *f, struct oracle *o, struct raster_feedback *const *maps, unsigned level,
                         unsigned column, unsigned row, unsigned round)
{
    fill_region(f, level, column, row, 0xffffffff);
    sample_computed(cpu_level_detected(), &f->sampler, 4, (const float(*)[RASTER_LANES])o->coordinate, o->result);
    fill_region(f, level, column, row, 0);
    for (unsigned quad = 0; quad < RASTER_LANES / 4; quad++) {
        bool read = o->result[0][4 * quad] > 0.0f;
        struct feedback_rect one = {column, row, column + 1, row + 1};
        uint8_t marked = 0;
        struct feedback_pixels pixel = {&marked, 1, 1, 1};

        raster_feedback_decode_used(maps[quad], 0, level, &one, 0, 0, &pixel);
        if (read != (marked != 0))
            fail_msg("round %u quad %u: level %u region (%u, %u) is read: %d, marked: %d (u %g v %g)", round, quad,
                     level, column, row, read, marked, (double)o->write[quad].u, (double)o->write[quad].v);
    }
}

static void test_oracle(void **state)
{
    static const unsigned sizes[][3] = {{16, 16, 4}, {17, 9, 4}, {32, 8, 4}, {24, 31, 8}};
    struct oracle *o = mem_alloc_aligned(sizeof(*o));
    struct raster_feedback *maps[RASTER_LANES / 4];

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        struct fixture *f = fixture_create(FEEDBACK_MIP_REGION_USED, sizes[i][0], sizes[i][1], 3, 1, sizes[i][2]);

        for (unsigned quad = 0; quad < ARRAY_COUNT(maps); quad++)
            maps[quad] = raster_feedback_create(&f->map->desc);
        for (unsigned l = 0; l < 3; l++) {
            struct raster_texture_level *level = &f->texture.level[l];

            f->texels[l] = mem_calloc(level->width * level->height, 4);
            level->texels = f->texels[l];
            level->pitch = level->width;
        }
        for (unsigned round = 0; round < 1600; round++) {
            for (unsigned a = 0; a < 2; a++)
                f->sampler.address[a] = (uint8_t)random_below(5);
            f->sampler.mag_filter = (uint8_t)(1 + random_below(2));
            f->sampler.min_filter = (uint8_t)(1 + random_below(2));
            f->sampler.mip_filter = (uint8_t)random_below(3);
            f->sampler.base_level = (uint8_t)random_below(3);
            f->sampler.lod_bias = (float)((int)random_below(9) - 4) * 0.25f;
            for (unsigned quad = 0; quad < ARRAY_COUNT(maps); quad++) {
                random_write(o, quad);
                raster_feedback_clear(maps[quad]);
                write_feedback(maps[quad], &f->sampler, &o->write[quad]);
            }
            for (unsigned l = 0; l < 3; l++)
                for (unsigned row = 0; row < raster_feedback_rows(f->map, l); row++)
                    for (unsigned column = 0; column < raster_feedback_columns(f->map, l); column++)
                        check_region(f, o, maps, l, column, row, round);
        }
        for (unsigned quad = 0; quad < ARRAY_COUNT(maps); quad++)
            raster_feedback_destroy(maps[quad]);
        for (unsigned l = 0; l < 3; l++)
            free(f->texels[l]);
        fixture_destroy(f);
    }
    mem_free_aligned(o);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_creation_rules),
        cmocka_unit_test(test_amd_npot),
        cmocka_unit_test(test_amd_overconservative),
        cmocka_unit_test(test_amd_layer_resolve),
        cmocka_unit_test(test_intel_copy),
        cmocka_unit_test(test_intel_stray_writes),
        cmocka_unit_test(test_encode_decode_transitive),
        cmocka_unit_test(test_used_rect_and_offset),
        cmocka_unit_test(test_nvidia_wrap),
        cmocka_unit_test(test_nvidia_region_sizes),
        cmocka_unit_test(test_amd_lone_level),
        cmocka_unit_test(test_smear),
        cmocka_unit_test(test_level_from_gradient),
        cmocka_unit_test(test_lod_clamp),
        cmocka_unit_test(test_explicit_level),
        cmocka_unit_test(test_intel_stray_writes_narrow_image),
        cmocka_unit_test(test_coarse_levels),
        cmocka_unit_test(test_mip_view),
        cmocka_unit_test(test_anisotropic_reach),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_anisotropic_line),
        cmocka_unit_test(test_oracle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
