/* SPDX-License-Identifier: MIT */
/*
 * Bugs of native drivers, from the list in the document and docs/sampler-feedback.md: each row through draws, with
 * textures of up to 4096 texels. Rows about helper lanes and rectangles of MIN_MIP are in test_feedback_ddi.
 */
#include "tests/unit/feedback_stage.h"

#define FLAT 0

/* Maps that a test creates are destroyed when it has checked them. */
static void drop(struct shader_scene *s, unsigned kept)
{
    while (s->more_count > kept)
        client_chain_destroy(s->more[--s->more_count]);
}

struct pair {
    struct client_chain *texture, *map;
    unsigned columns, rows; /* of level 0 */
    bool min_mip;
};

/* A texture on sampler 0, with point filters, and its cleared map bound to the sampler. */
static struct pair add_pair(struct shader_scene *s, uint32_t usage, bool min_mip, unsigned width, unsigned height,
                            unsigned levels, unsigned log2_width, unsigned log2_height)
{
    struct pair p = {.min_mip = min_mip,
                     .columns = (width + (1u << log2_width) - 1) >> log2_width,
                     .rows = (height + (1u << log2_height) - 1) >> log2_height};

    p.texture = add_chain(s, usage, D3DFMT_A8R8G8B8, width, height, 0, levels);
    p.map = add_chain(s, usage, ddi_feedback_format(min_mip, log2_width, log2_height), width, height, 0, levels);
    client_fill(client_part(p.map, 0), NULL, 0);
    set_sampler(s, 0, handle_of(p.texture), D3DTEXF_POINT, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(p.map));
    return p;
}

/* The sample of every pixel of a draw: at (u, v, w), from a level. */
static void sample_level(struct shader_scene *s, float u, float v, float w, float level)
{
    use_vs(s, VS_PASS);
    use_ps(s, w == FLAT ? "ps_3_0\ndcl_2d s0\ntexldl r0, c0, s0\nmov oC0, r0\n"
                        : "ps_3_0\ndcl_cube s0\ntexldl r0, c0, s0\nmov oC0, r0\n");
    set_floats(s, true, 0, u, v, w, level);
    draw_quad(s);
}

/* Likewise with gradients in u and v; the second runs in v alone. */
static void sample_gradient(struct shader_scene *s, float u, float v, float dx, float dy)
{
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndcl_2d s0\ntexldd r0, c0, s0, c1, c2\nmov oC0, r0\n");
    set_floats(s, true, 0, u, v, 0, 0);
    set_floats(s, true, 1, dx, 0, 0, 0);
    set_floats(s, true, 2, 0, dy, 0, 0);
    draw_quad(s);
}

/* The regions of a part of the map that hold anything are [left, right) x [top, bottom), all with `value`. */
static void expect_cells(struct shader_scene *s, const struct pair *p, unsigned face, unsigned level, unsigned left,
                         unsigned top, unsigned right, unsigned bottom, uint8_t value, int line)
{
    const unsigned kept = s->more_count, columns = p->columns >> level ? p->columns >> level : 1,
                   rows = p->rows >> level ? p->rows >> level : 1;
    struct client_chain *bytes = add_flat(s, D3DFMT_L8, p->columns + 1, p->rows + 1, 1);
    struct client_lock lock;

    stage_submit(&s->stage);
    check(s);
    assert_int_equal(client_fill(client_part(bytes, 0), NULL, 0x55), DD_OK);
    assert_int_equal(client_blt(client_part(bytes, 0), NULL, client_level(p->map, face, level), NULL, 0), DD_OK);
    assert_int_equal(client_lock(client_part(bytes, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++) {
            const bool inside = x >= left && x < right && y >= top && y < bottom;
            const uint8_t byte = lock.bits[y * lock.pitch + x], wanted = inside ? value : p->min_mip ? 0xff : 0;

            if (byte != wanted)
                fail_msg("line %d: face %u, level %u, region (%u, %u) is %#x, not %#x", line, face, level, x, y, byte,
                         wanted);
        }
    if (level == 0) /* no regions after the last */
        assert_true(lock.bits[p->columns] == 0x55 && lock.bits[p->rows * lock.pitch] == 0x55);
    client_unlock(client_part(bytes, 0));
    drop(s, kept);
}
#define EXPECT_CELLS(p, face, level, left, top, right, bottom, value) \
    expect_cells(s, p, face, level, left, top, right, bottom, value, __LINE__)

/* --- AMD --------------------------------------------------------------------------------------------------- */

/* "NPOT is completely broken": sizes are not rounded down to whole regions. */
static void test_amd_npot(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 17, 17, 5, 2, 2);

    assert_int_equal(p.columns, 5);
    sample_level(s, 0.4999f, 0.4999f, FLAT, 0);
    EXPECT_CELLS(&p, 0, 0, 2, 2, 3, 3, 0);
}

static void test_amd_npot_large(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 4095, 2049, 3, 6, 6);

    assert_int_equal(p.columns, 64);
    assert_int_equal(p.rows, 33);
    sample_level(s, 4094.5f / 4095, 2048.5f / 2049, FLAT, 0);
    EXPECT_CELLS(&p, 0, 0, 63, 32, 64, 33, 0);
    client_fill(client_part(p.map, 0), NULL, 0);
    sample_level(s, 0.4999f, 0.4999f, FLAT, 0); /* texels 2047, 1024 */
    EXPECT_CELLS(&p, 0, 0, 31, 16, 32, 17, 0);
}

/* "Extremely over-conservative": filtering happens in texels, not in regions. */
static void test_amd_overconservative(void **state)
{
    static const struct {
        unsigned size, log2;
        float texel;
    } vector[] = {{16, 2, 5.5f + 125.0f / 256.0f}, {256, 6, 95.0f}, {4096, 11, 2048.0f + 1000.0f}, {4096, 6, 64.5f}};
    struct shader_scene *s = *state;

    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        const unsigned kept = s->more_count;
        const float at = vector[i].texel / (float)vector[i].size;
        struct pair p = add_pair(s, 0, true, vector[i].size, vector[i].size, 1, vector[i].log2, vector[i].log2);

        set_sampler(s, 0, handle_of(p.texture), D3DTEXF_LINEAR, D3DTEXF_NONE);
        sample_level(s, at, at, FLAT, 0);
        EXPECT_CELLS(&p, 0, 0, 1, 1, 2, 2, 0);
        drop(s, kept);
    }
}

/* "Resolving MinMip with individual layers is broken": each face returns its own record. */
static void test_amd_layer_resolve(void **state)
{
    static const float axis[6][3] = {{1, 0.01f, 0.01f},  {-1, 0.01f, 0.01f}, {0.01f, 1, 0.01f},
                                     {0.01f, -1, 0.01f}, {0.01f, 0.01f, 1},  {0.01f, 0.01f, -1}};
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, CLIENT_CUBE, true, 16, 16, 3, 3, 3);

    for (unsigned face = 0; face < 6; face++)
        if (face != 3)
            sample_level(s, axis[face][0], axis[face][1], axis[face][2], (float)(face % 3));
    for (unsigned face = 0; face < 6; face++) {
        const unsigned level = face % 3;
        const bool all = level > 0 && face != 3; /* a region of levels 1 and 2 is all of the face */
        /* texel 7 or 8 of level 0, by the signs of the face's axes */
        const unsigned x = face == 0 || face == 5 ? 0 : 1, y = face == 2 ? 1 : 0;

        if (face == 3)
            EXPECT_CELLS(&p, face, 0, 0, 0, 0, 0, 0);
        else if (all)
            EXPECT_CELLS(&p, face, 0, 0, 0, 2, 2, (uint8_t)level);
        else
            EXPECT_CELLS(&p, face, 0, x, y, x + 1, y + 1, 0);
    }
}

/* A lone write to level 1 reports level 1. */
static void test_amd_lone_level(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 2048, 2048, 3, 5, 5);

    sample_gradient(s, 0.5f, 0.5f, 1.41421356f / 2048, 1.41421356f / 2048);
    EXPECT_CELLS(&p, 0, 0, 32, 32, 34, 34, 1);
}

/* --- Intel --------------------------------------------------------------------------------------------------- */

/* "CopyResource hangs GPU": a copy decodes to the same as the map, and changes nothing else. */
static void test_intel_copy(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 4096, 2048, 5, 7, 6), copy = p;

    copy.map = add_chain(s, 0, ddi_feedback_format(true, 7, 6), 4096, 2048, 0, 5);
    sample_level(s, 2563.5f / 4096, 1089.5f / 2048, FLAT, 1);
    stage_submit(&s->stage);
    assert_int_equal(client_blt(client_part(copy.map, 0), NULL, client_part(p.map, 0), NULL, 0), DD_OK);
    sample_level(s, 0, 0, FLAT, 0);
    EXPECT_CELLS(&copy, 0, 0, 20, 16, 22, 18, 1);
}

/* "Stray writes": 15 to 32 texels, point filter: the last texel of each level marks only the last region. */
static void test_intel_stray_writes(void **state)
{
    struct shader_scene *s = *state;

    for (unsigned size = 15; size <= 32; size++) {
        const unsigned kept = s->more_count;
        struct pair p = add_pair(s, 0, false, size, size, 3, 2, 2);

        for (unsigned level = 0; level < 3; level++) {
            const unsigned side = size >> level, last = (side - 1) / 4;
            const float at = ((float)side - 0.5f) / (float)side;

            stage_submit(&s->stage);
            client_fill(client_part(p.map, 0), NULL, 0);
            sample_level(s, at, at, FLAT, (float)level);
            for (unsigned l = 0; l < 3; l++)
                EXPECT_CELLS(&p, 0, l, last, last, l == level ? last + 1 : last, last + 1, 0xff);
        }
        drop(s, kept);
    }
}

/* "Does not respect SRV mip level clamping": levels that MAXMIPLEVEL leaves out are not marked, whatever the gradient
 * says. */
static void test_intel_mip_view(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 64, 64, 4, 3, 3);

    stage_texture_state(&s->stage, 0, D3DTSS_MAXMIPLEVEL, 1);
    sample_gradient(s, 0.5f, 0.5f, 0, 0);
    EXPECT_CELLS(&p, 0, 0, 4, 4, 6, 6, 1);
}

/* "Non-transitive encode / decode": the encoded map comes back, over earlier draws. */
static void test_intel_encode_decode(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 17, 13, 5, 2, 2);
    struct client_chain *bytes = add_flat(s, D3DFMT_L8, 5, 4, 1);
    struct client_lock lock;

    sample_level(s, 0.1f, 0.1f, FLAT, 0);
    sample_level(s, 0.9f, 0.1f, FLAT, 2);
    assert_int_equal(client_lock(client_part(bytes, 0), NULL, 0, &lock), DD_OK);
    for (unsigned i = 0; i < 20; i++)
        lock.bits[i / 5 * lock.pitch + i % 5] = i % 13;
    client_unlock(client_part(bytes, 0));
    stage_submit(&s->stage);
    assert_int_equal(client_blt(client_part(p.map, 0), NULL, client_part(bytes, 0), NULL, 0), DD_OK);
    assert_int_equal(client_fill(client_part(bytes, 0), NULL, 0x55), DD_OK);
    assert_int_equal(client_blt(client_part(bytes, 0), NULL, client_part(p.map, 0), NULL, 0), DD_OK);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(byte_at(client_part(bytes, 0), i % 5, i / 5), i % 13);
}

/* "Broken MipUsed resolve with DstX/DstY + src rect" (NVIDIA as well): a drawn region at (1, 2), read from there on,
 * goes to (3, 4) and back to the rectangle's place. */
static void test_intel_used_rect_and_offset(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, false, 64, 64, 2, 2, 2);
    struct client_chain *bytes = add_flat(s, D3DFMT_L8, 16, 16, 1);
    const RECT from = {1, 2, 9, 10}, to = {3, 4, 11, 12}, back = {0, 1, 8, 9};

    sample_level(s, 7.5f / 64, 13.5f / 64, FLAT, 0);  /* region (1, 3) */
    sample_level(s, 50.5f / 64, 13.5f / 64, FLAT, 0); /* region (12, 3): outside of the rectangle */
    stage_submit(&s->stage);
    client_fill(client_part(bytes, 0), NULL, 0x55);
    assert_int_equal(client_blt(client_part(bytes, 0), &to, client_part(p.map, 0), &from, 0), DD_OK);
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++) {
            const bool inside = x >= 3 && x < 11 && y >= 4 && y < 12;

            assert_int_equal(byte_at(client_part(bytes, 0), x, y), !inside ? 0x55 : x == 3 && y == 5 ? 0xff : 0);
        }
    client_fill(client_part(p.map, 0), NULL, 0);
    assert_int_equal(client_blt(client_part(p.map, 0), &back, client_part(bytes, 0), &to, 0), DD_OK);
    EXPECT_CELLS(&p, 0, 0, 0, 2, 1, 3, 0xff);
}

/* --- NVIDIA -------------------------------------------------------------------------------------------------- */

/* "WRAP filtering mode is broken": one region beyond the end is the region after the first. */
static void test_nvidia_wrap(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 4096, 2048, 1, 7, 7);

    sample_level(s, (4096.0f + 128.5f) / 4096, (2048.0f + 128.5f) / 2048, FLAT, 0);
    EXPECT_CELLS(&p, 0, 0, 1, 1, 2, 2, 0);
    client_fill(client_part(p.map, 0), NULL, 0);
    stage_texture_state(&s->stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    sample_level(s, (4096.0f + 200.0f) / 4096, (2048.0f - 100.0f) / 2048, FLAT, 0);
    EXPECT_CELLS(&p, 0, 0, 1, 15, 2, 16, 0);
}

/* "Certain MipRegion sizes are broken": all of them work, alike or not in width and height. */
static void test_nvidia_region_sizes(void **state)
{
    struct shader_scene *s = *state;

    for (unsigned log2 = 2; log2 <= 11; log2++) {
        const unsigned kept = s->more_count, other = log2 == 11 ? 2 : log2 == 2 ? 10 : 12 - log2 < 2 ? 2 : 12 - log2;
        struct pair p = add_pair(s, 0, false, 4096, 2048, 1, log2, BASE_MIN(other, 10u));

        sample_level(s, 3000.5f / 4096, 1500.5f / 2048, FLAT, 0);
        const unsigned x = 3000 >> log2, y = 1500 >> BASE_MIN(other, 10u);
        EXPECT_CELLS(&p, 0, 0, x, y, x + 1, y + 1, 0xff);
        drop(s, kept);
    }
}

/* --- worked vectors ------------------------------------------------------------------------------------------- */

/* 4096x2048, regions of 128x64, five levels: coarser levels cover their area; level 5 does not exist. */
static void test_coarse_levels(void **state)
{
    static const struct {
        float x, y;
        unsigned level, left, top, right, bottom; /* cells, inclusive */
    } vector[] = {{2563.5f, 1089.5f, 1, 20, 16, 21, 17},
                  {2693.5f, 1220.5f, 2, 20, 16, 23, 19},
                  {2823.5f, 1602.5f, 3, 16, 24, 23, 31},
                  {100, 100, 5, 0, 0, 15, 15}};
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, true, 4096, 2048, 5, 7, 6);

    for (unsigned i = 0; i < ARRAY_COUNT(vector); i++) {
        stage_submit(&s->stage);
        client_fill(client_part(p.map, 0), NULL, 0);
        sample_level(s, vector[i].x / 4096, vector[i].y / 2048, FLAT, (float)vector[i].level);
        EXPECT_CELLS(&p, 0, 0, vector[i].left, vector[i].top, vector[i].right + 1, vector[i].bottom + 1,
                     (uint8_t)BASE_MIN(vector[i].level, 4u));
    }
}

/* No probe reaches beyond half the rate, rounded up to a power of two, as vendors bound it. */
static void test_anisotropic_reach(void **state)
{
    struct shader_scene *s = *state;
    struct pair p = add_pair(s, 0, false, 2048, 2048, 1, 6, 6);

    set_sampler(s, 0, handle_of(p.texture), D3DTEXF_ANISOTROPIC, D3DTEXF_NONE);
    stage_texture_state(&s->stage, 0, D3DTSS_MAXANISOTROPY, 16);
    for (unsigned rate = 2; rate <= 16; rate++) {
        float reach = 0.5f;

        while (reach * 2.0f < (float)rate)
            reach *= 2.0f;
        for (unsigned outside = 0; outside < 2; outside++) {
            const float x = 64.0f - reach + (outside ? 1.0f : -1.0f) / 128.0f;
            const bool power = !(rate & (rate - 1));

            if (outside && !power)
                continue; /* either is right */
            stage_submit(&s->stage);
            client_fill(client_part(p.map, 0), NULL, 0);
            sample_gradient(s, x / 2048, 32.5f / 2048, (float)rate / 2048, 1.0f / 2048);
            EXPECT_CELLS(&p, 0, 0, 0, 0, outside ? 2 : 1, 1, 0xff);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        scenes(test_amd_npot),
        scenes(test_amd_npot_large),
        scenes(test_amd_overconservative),
        scenes(test_amd_layer_resolve),
        scenes(test_amd_lone_level),
        scenes(test_intel_copy),
        scenes(test_intel_stray_writes),
        scenes(test_intel_mip_view),
        scenes(test_intel_encode_decode),
        scenes(test_intel_used_rect_and_offset),
        scenes(test_nvidia_wrap),
        scenes(test_nvidia_region_sizes),
        scenes(test_coarse_levels),
        scenes(test_anisotropic_reach),
    };

    return cmocka_run_group_tests_name("what native drivers get wrong", tests, NULL, NULL);
}
