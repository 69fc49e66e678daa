/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback through the driver interface (d3d/feedback.h): maps are created, bound to a stage or paired with a
 * texture, cleared, copied, decoded and encoded by blits; the samples of fixed-function stages and shaders are recorded
 * in them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "d3d/feedback.h"
#include "dp2/tokens.h"
#include "tests/stage/stage.h"

#define SIDE 32 /* of the target, pixels */

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
    float u, v;
};
#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

struct scene {
    struct stage stage;
    struct client_chain *maps[4];
    unsigned map_count;
    struct client_chain *bytes; /* L8, to decode into */
};

static void white(const struct client_lock *lock, unsigned level, unsigned width, unsigned height)
{
    (void)level;
    for (unsigned y = 0; y < height; y++)
        memset(lock->bits + y * lock->pitch, 0xff, (size_t)width * 4);
}

static struct scene *open_scene(void)
{
    struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = D3DFMT_L8, .width = 64, .height = 64, .levels = 1};
    struct scene *s = mem_calloc(1, sizeof(*s));

    assert_true(stage_open(&s->stage, SIDE, SIDE, D3DFMT_X8R8G8B8, 0));
    assert_int_equal(client_chain_create(s->stage.client, &desc, &s->bytes), DD_OK);
    return s;
}

static void close_scene(struct scene *s)
{
    stage_finish(&s->stage);
    assert_null(s->stage.failed);
    for (unsigned i = 0; i < s->map_count; i++)
        client_chain_destroy(s->maps[i]);
    client_chain_destroy(s->bytes);
    stage_close(&s->stage);
    free(s);
}

static struct client_chain *make_map(struct scene *s, bool min_mip, unsigned width, unsigned height, unsigned levels,
                                     unsigned region_log2)
{
    struct client_chain_desc desc = {.usage = CLIENT_TEXTURE,
                                     .format = ddi_feedback_format(min_mip, region_log2, region_log2),
                                     .width = width,
                                     .height = height,
                                     .levels = levels};
    struct client_chain **map = &s->maps[s->map_count++];

    assert_int_equal(client_chain_create(s->stage.client, &desc, map), DD_OK);
    client_fill(client_part(*map, 0), NULL, 0);
    return *map;
}

static uint32_t handle_of(struct client_chain *chain)
{
    return client_handle(client_part(chain, 0));
}

static void use_texture(struct scene *s, uint32_t texture, uint32_t filter)
{
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    stage_texture_state(&s->stage, 0, D3DTSS_MAGFILTER, filter);
    stage_texture_state(&s->stage, 0, D3DTSS_MINFILTER, filter);
    stage_texture_state(&s->stage, 0, D3DTSS_MIPFILTER, D3DTEXF_POINT);
}

/* A square of the target (pixels), on which the texture coordinates run from (u0, v0) to (u1, v1). */
static void draw_square(struct scene *s, int left, int top, int right, int bottom, float u0, float v0, float u1,
                        float v1)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(i & 1 ? right : left) - 0.5f,
                               (float)(i >> 1 ? bottom : top) - 0.5f,
                               0.5f,
                               1.0f,
                               0xffffffff,
                               i & 1 ? u1 : u0,
                               i >> 1 ? v1 : v0};
    stage_draw(&s->stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

/* Decodes a part of the map; returns its byte at (x, y). */
static uint8_t decoded(struct scene *s, struct client_surface *part, unsigned x, unsigned y)
{
    struct client_surface *bytes = client_part(s->bytes, 0);
    struct client_lock lock;

    stage_submit(&s->stage);
    assert_int_equal(client_blt(bytes, NULL, part, NULL, 0), DD_OK);
    assert_int_equal(client_lock(bytes, NULL, DDLOCK_READONLY, &lock), DD_OK);
    uint8_t value = lock.bits[y * lock.pitch + x];
    client_unlock(bytes);
    return value;
}

static void expect_regions(struct scene *s, struct client_surface *part, unsigned columns, unsigned rows, unsigned left,
                           unsigned top, unsigned right, unsigned bottom)
{
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++) {
            bool want = x >= left && x < right && y >= top && y < bottom;

            if (decoded(s, part, x, y) != (want ? 0xff : 0))
                fail_msg("region (%u, %u) is %#x", x, y, decoded(s, part, x, y));
        }
}

/* --- recording ---------------------------------------------------------------------------------------- */

/* Bound to the stage, from the draw on until it is unbound. */
static void test_beside_a_stage(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 1, white);
    struct client_chain *map = make_map(s, false, 64, 64, 1, 4);

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    expect_regions(s, client_part(map, 0), 4, 4, 0, 0, 0, 0);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    draw_square(s, 0, 0, SIDE, SIDE, 0.25f, 0.5f, 0.75f, 0.75f);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, 0);
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    expect_regions(s, client_part(map, 0), 4, 4, 1, 2, 3, 3);
    close_scene(s);
}

/* Paired with the texture, whichever stage has it; a map bound to the stage takes precedence. */
static void test_paired(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 1, white);
    struct client_chain *paired = make_map(s, false, 64, 64, 1, 4), *beside = make_map(s, false, 64, 64, 1, 5);
    uint32_t pair[2] = {texture, handle_of(paired)};

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    stage_command(&s->stage, DP2OP_SETFEEDBACK, 1, pair, sizeof(pair));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 0.25f, 1.0f);
    expect_regions(s, client_part(paired, 0), 4, 4, 0, 0, 1, 4);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(beside));
    draw_square(s, 0, 0, SIDE, SIDE, 0.5f, 0.0f, 1.0f, 0.5f);
    expect_regions(s, client_part(paired, 0), 4, 4, 0, 0, 1, 4);
    expect_regions(s, client_part(beside, 0), 2, 2, 1, 0, 2, 1);
    pair[1] = 0;
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, 0);
    stage_command(&s->stage, DP2OP_SETFEEDBACK, 1, pair, sizeof(pair));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    expect_regions(s, client_part(paired, 0), 4, 4, 0, 0, 1, 4);
    close_scene(s);
}

/* AMD: "Implicit LOD with helper lanes is broken": one pixel's level is that of the whole quad, and the other three
 * write nothing. */
static void test_amd_helper_lanes(void **state)
{
    (void)state;
    for (unsigned level = 0; level < 4; level++) {
        struct scene *s = open_scene();
        uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 256, 256, 5, white);
        struct client_chain *map = make_map(s, true, 256, 256, 5, 4);
        float step = (float)(1u << level) * SIDE / 256.0f;

        use_texture(s, texture, D3DTEXF_POINT);
        stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
        D3DHAL_DP2VIEWPORTINFO view = {.dwX = 0, .dwY = 0, .dwWidth = 1, .dwHeight = 1};
        stage_command(&s->stage, D3DDP2OP_VIEWPORTINFO, 1, &view, sizeof(view));
        draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, step, step);
        unsigned cells = 1u << level; /* one region of the level, spread over level 0 */
        for (unsigned y = 0; y < 16; y++)
            for (unsigned x = 0; x < 16; x++)
                assert_int_equal(decoded(s, client_part(map, 0), x, y), x < cells && y < cells ? level : 0xff);
        close_scene(s);
    }
}

/* The request of a viewport of width x height pixels at (x, y), with sixteen-fold anisotropy and `rate` texels per
 * pixel. */
static void map_of_viewport(unsigned rate, unsigned x, unsigned y, unsigned size, uint8_t cells[16][16])
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 512, 512, 5, white);
    struct client_chain *map = make_map(s, true, 512, 512, 5, 5);
    D3DHAL_DP2VIEWPORTINFO view = {x, y, size, size};

    use_texture(s, texture, D3DTEXF_ANISOTROPIC);
    stage_texture_state(&s->stage, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    stage_texture_state(&s->stage, 0, D3DTSS_MAXANISOTROPY, 16);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    stage_command(&s->stage, D3DDP2OP_VIEWPORTINFO, 1, &view, sizeof(view));
    draw_square(s, 0, 0, SIDE, SIDE, 0.25f, 0.25f, 0.25f + (float)(rate * SIDE) / 512.0f, 0.25f + (float)SIDE / 512.0f);
    for (unsigned i = 0; i < 256; i++)
        cells[i / 16][i % 16] = decoded(s, client_part(map, 0), i % 16, i / 16);
    close_scene(s);
}

/* The same with anisotropy: four viewports of one pixel request the same as one of 2x2. */
static void test_amd_helper_lanes_anisotropic(void **state)
{
    (void)state;
    for (unsigned rate = 1; rate <= 16; rate++) {
        uint8_t quad[16][16], pixel[16][16], all[16][16];

        memset(all, 0xff, sizeof(all));
        map_of_viewport(rate, 0, 0, 2, quad);
        for (unsigned i = 0; i < 4; i++) {
            map_of_viewport(rate, i & 1, i >> 1, 1, pixel);
            for (unsigned k = 0; k < 256; k++)
                all[k / 16][k % 16] = BASE_MIN(all[k / 16][k % 16], pixel[k / 16][k % 16]);
        }
        assert_memory_equal(quad, all, sizeof(all));
        assert_int_equal(quad[4][4], 0); /* (128, 128): the shorter side is one texel */
    }
}

/* Faces of a cube are layers. */
static void test_cube(void **state)
{
    struct scene *s = open_scene();
    struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE | CLIENT_CUBE, .format = D3DFMT_A8R8G8B8, .width = 32, .height = 32, .levels = 2};
    struct client_chain *cube = NULL;
    struct {
        float x, y, z, rhw;
        float s, t, r;
    } v[4];

    (void)state;
    assert_int_equal(client_chain_create(s->stage.client, &desc, &cube), DD_OK);
    desc.format = ddi_feedback_format(false, 3, 3);
    assert_int_equal(client_chain_create(s->stage.client, &desc, &s->maps[0]), DD_OK);
    s->map_count = 1;
    client_fill(client_part(s->maps[0], 0), NULL, 0);
    use_texture(s, handle_of(cube), D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(s->maps[0]));
    /* towards -Y, where u is x and v is -z: the quarter with x > 0, z > 0 */
    for (unsigned i = 0; i < 4; i++) {
        v[i].x = (i & 1 ? SIDE : 0) - 0.5f;
        v[i].y = (i >> 1 ? SIDE : 0) - 0.5f;
        v[i].z = 0.5f;
        v[i].rhw = 1.0f;
        v[i].s = i & 1 ? 0.99f : 0.01f;
        v[i].t = -1.0f;
        v[i].r = i >> 1 ? 0.99f : 0.01f;
    }
    stage_draw(&s->stage, D3DPT_TRIANGLESTRIP, 2, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0), v, 4);
    for (unsigned face = 0; face < 6; face++)
        expect_regions(s, client_level(s->maps[0], face, 0), 4, 4, 2, 0, face == 3 ? 4 : 0, face == 3 ? 2 : 0);
    client_chain_destroy(cube);
    close_scene(s);
}

/* Lanes that a branch keeps from sampling write nothing, and do not contribute to the level of detail here. */
static void test_flow_control(void **state)
{
    static const uint32_t code[] = {
        0xffff0300,                                           /* ps_3_0 */
        0x0200001f, 0x80000005, 0x90030000,                   /* dcl_texcoord v0.xy */
        0x0200001f, 0x90000000, 0xa00f0800,                   /* dcl_2d s0 */
        0x05000051, 0xa00f0000, 0x3f000000, 0,          0, 0, /* def c0, 0.5, 0, 0, 0 */
        0x02000001, 0x800f0000, 0xa0550000,                   /* mov r0, c0.y */
        0x02040029, 0x90000000, 0xa0000000,                   /* if_lt v0.x, c0.x */
        0x0300005f, 0x800f0000, 0x90540000, 0xa0e40800,       /* texldl r0, v0.xyyy, s0 */
        0x0000002b,                                           /* endif */
        0x02000001, 0x800f0800, 0x80e40000,                   /* mov oC0, r0 */
        0x0000ffff,
    };
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 1, white);
    struct client_chain *map = make_map(s, false, 64, 64, 1, 4);

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    stage_pixel_shader(&s->stage, 1, code);
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    expect_regions(s, client_part(map, 0), 4, 4, 0, 0, 2, 4);
    close_scene(s);
}

/* --- blits -------------------------------------------------------------------------------------- */

static void test_clear_copy_encode(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 3, white);
    struct client_chain *map = make_map(s, true, 64, 64, 3, 4), *other = make_map(s, true, 64, 64, 3, 4),
                        *coarse = make_map(s, true, 64, 64, 3, 5);
    struct client_surface *bytes = client_part(s->bytes, 0);
    struct client_lock lock;
    RECT corner = {0, 0, 1, 1};

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 0.5f, 0.25f); /* one texel a pixel across: level 0 */
    assert_int_equal(decoded(s, client_part(map, 0), 1, 0), 0);
    assert_int_equal(decoded(s, client_part(map, 0), 2, 0), 0xff);
    assert_int_equal(client_blt(client_part(other, 0), NULL, client_part(map, 0), NULL, 0), DD_OK);
    assert_int_equal(decoded(s, client_part(other, 0), 1, 0), 0);
    assert_true(FAILED(client_blt(client_part(coarse, 0), NULL, client_part(map, 0), NULL, 0)));
    /* the rectangle of a clear is ignored, and so is the part that is named */
    assert_int_equal(client_fill(client_part(map, 2), &corner, 0x1234), DD_OK);
    assert_int_equal(decoded(s, client_part(map, 0), 1, 0), 0xff);
    assert_int_equal(client_lock(bytes, NULL, 0, &lock), DD_OK);
    memset(lock.bits, 0xff, lock.pitch * 64);
    lock.bits[3 * lock.pitch + 2] = 1;
    client_unlock(bytes);
    assert_int_equal(client_blt(client_part(map, 0), NULL, bytes, NULL, 0), DD_OK);
    assert_int_equal(decoded(s, client_part(map, 0), 2, 3), 1);
    assert_int_equal(decoded(s, client_part(map, 0), 3, 3), 0xff);
    close_scene(s);
}

/* General: "DstX/DstY is broken" in MIN_MIP mode on all drivers: rectangles and offsets are ignored. */
static void test_general_offsets_min_mip(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 1, white);
    struct client_chain *map = make_map(s, true, 64, 64, 1, 4);
    struct client_surface *bytes = client_part(s->bytes, 0);
    struct client_lock lock;

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 0.25f, 0.5f);
    stage_submit(&s->stage);
    for (int at = 1; at <= 2; at++) {
        RECT to = {at, at, at + 4, at + 4}, from = {at, at, 4, 4};

        assert_int_equal(client_fill(bytes, NULL, 0x55), DD_OK);
        assert_int_equal(client_blt(bytes, &to, client_part(map, 0), &from, 0), DD_OK);
        assert_int_equal(client_lock(bytes, NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned y = 0; y < 5; y++)
            for (unsigned x = 0; x < 5; x++)
                assert_int_equal(lock.bits[y * lock.pitch + x], x > 3 || y > 3 ? 0x55 : x == 0 && y < 2 ? 0 : 0xff);
        client_unlock(bytes);
    }
    close_scene(s);
}

/* The commands that Direct3D programs give through a render state: the state keeps its previous value. */
static void test_commands(void **state)
{
    struct scene *s = open_scene();
    struct client_chain_desc desc = {
        .usage = CLIENT_TEXTURE, .format = D3DFMT_L8, .width = 4, .height = 4, .levels = 3};
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 3, white);
    struct client_chain *map = make_map(s, false, 64, 64, 3, 4), *bytes = NULL;
    struct client_lock lock;

    (void)state;
    assert_int_equal(client_chain_create(s->stage.client, &desc, &bytes), DD_OK);
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, handle_of(map));
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_BIND, 0));
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_CLEAR, 0));
    use_texture(s, texture, D3DTEXF_POINT);
    draw_square(s, 0, 0, SIDE, SIDE, 0.25f, 0.5f, 0.75f, 0.75f); /* level 0 */
    draw_square(s, 0, 0, 8, 8, 0.0f, 0.5f, 0.5f, 1.0f);          /* 4 texels a pixel: level 2, one region */
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, handle_of(bytes));
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_DECODE, 0));
    stage_submit(&s->stage);
    for (unsigned level = 0; level < 3; level++) {
        assert_int_equal(client_lock(client_part(bytes, level), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned y = 0; y < 4u >> level; y++)
            for (unsigned x = 0; x < 4u >> level; x++)
                assert_int_equal(lock.bits[y * lock.pitch + x],
                                 (level == 0 && x >= 1 && x < 3 && y == 2) || level == 2 ? 0xff : 0);
        client_unlock(client_part(bytes, level));
    }
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_CLEAR, 0));
    expect_regions(s, client_part(map, 0), 4, 4, 0, 0, 0, 0);
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_ENCODE, 0));
    expect_regions(s, client_part(map, 0), 4, 4, 1, 2, 3, 3);
    /* a useless texture, and no map: no effect */
    stage_texture_state(&s->stage, 0, D3DTSS_TEXTUREMAP, texture);
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_DECODE, 0));
    stage_state(&s->stage, D3DRS_POINTSIZE, DDI_FEEDBACK_COMMAND(DDI_FEEDBACK_CLEAR, 7));
    stage_submit(&s->stage);
    assert_null(s->stage.failed);
    client_chain_destroy(bytes);
    close_scene(s);
}

/* --- refusals ---------------------------------------------------------------------------------------- */

static void test_maps_that_do_not_fit(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 2, white);
    struct client_chain *levels = make_map(s, false, 64, 64, 1, 4), *size = make_map(s, false, 32, 64, 2, 4);
    uint32_t bad_pair[2] = {0x7777, 0};

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(levels));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    expect_regions(s, client_part(levels, 0), 4, 4, 0, 0, 0, 0);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(size));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    expect_regions(s, client_part(size, 0), 2, 4, 0, 0, 0, 0);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, texture); /* no map at all */
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, 0x12345);
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    stage_submit(&s->stage);
    assert_null(s->stage.failed);
    stage_command(&s->stage, DP2OP_SETFEEDBACK, 1, bad_pair, sizeof(bad_pair));
    stage_submit(&s->stage);
    assert_non_null(s->stage.failed);
    s->stage.failed = NULL;
    s->stage.builder.length = 0;
    close_scene(s);
}

/* A region larger than half the texture: the surface exists, but is not a map. */
static void test_regions_too_large(void **state)
{
    struct scene *s = open_scene();
    struct client_chain *map = make_map(s, false, 16, 16, 1, 4);

    (void)state;
    assert_true(FAILED(client_fill(client_part(map, 0), NULL, 0)));
    assert_true(FAILED(client_blt(client_part(s->bytes, 0), NULL, client_part(map, 0), NULL, 0)));
    close_scene(s);
}

/* The map is destroyed while it is bound to a stage. */
static void test_map_destroyed(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 1, white);
    struct client_chain *map = make_map(s, false, 64, 64, 1, 4);

    (void)state;
    use_texture(s, texture, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    stage_submit(&s->stage);
    client_chain_destroy(map);
    s->map_count = 0;
    draw_square(s, 0, 0, SIDE, SIDE, 0.0f, 0.0f, 1.0f, 1.0f);
    close_scene(s);
}

/* --- hidden pixels --------------------------------------------------------------------------------- */

static void draw_at(struct scene *s, float depth)
{
    struct vertex v[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(i & 1) * SIDE - 0.5f,
                               (float)(i >> 1) * SIDE - 0.5f,
                               depth,
                               1.0f,
                               0xffffffff,
                               (float)(i & 1),
                               (float)(i >> 1)};
    stage_draw(&s->stage, D3DPT_TRIANGLESTRIP, 2, FVF, v, 4);
}

/* Draws behind the picture, with the alpha test (tested after shading) or without, between two commands. The rasterizer
 * may draw the first command before it knows the other; the map must not depend on that. */
static void draw_hidden(struct scene *s, bool alpha_test, bool looks_between)
{
    struct client_lock lock;

    stage_state(&s->stage, D3DRS_ALPHATESTENABLE, FALSE);
    stage_state(&s->stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    draw_at(s, 0.3f);
    stage_submit(&s->stage);
    if (looks_between) {
        assert_int_equal(client_lock(client_part(s->stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        client_unlock(client_part(s->stage.target, 0));
    }
    client_fill(client_part(s->maps[0], 0), NULL, 0);
    stage_clear(&s->stage, D3DCLEAR_ZBUFFER, 0, 0.5f, 0);
    stage_state(&s->stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    stage_state(&s->stage, D3DRS_ALPHATESTENABLE, alpha_test);
    stage_state(&s->stage, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
    stage_state(&s->stage, D3DRS_ALPHAREF, 1);
    draw_at(s, 0.8f);
}

/* Fragments that are tested after shading have been sampled and are recorded, although they are hidden; fragments that
 * are tested before are not. */
static void test_hidden_fragments(void **state)
{
    struct scene *s = open_scene();
    uint32_t texture = stage_texture(&s->stage, D3DFMT_A8R8G8B8, 64, 64, 1, white);
    struct client_chain *map = make_map(s, false, 64, 64, 1, 4), *depth;
    const struct client_chain_desc desc = {
        .usage = CLIENT_DEPTH, .format = D3DFMT_D24S8, .width = SIDE, .height = SIDE};

    (void)state;
    assert_int_equal(client_chain_create(s->stage.client, &desc, &depth), DD_OK);
    const D3DHAL_DP2SETRENDERTARGET targets = {handle_of(s->stage.target), handle_of(depth)};
    stage_command(&s->stage, D3DDP2OP_SETRENDERTARGET, 1, &targets, sizeof(targets));
    stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
    use_texture(s, texture, D3DTEXF_POINT);
    stage_texture_state(&s->stage, 0, D3D_TSS_FEEDBACK, handle_of(map));
    for (unsigned i = 0; i < 4; i++) {
        const bool alpha_test = i & 1;

        draw_hidden(s, alpha_test, i & 2);
        expect_regions(s, client_part(map, 0), 4, 4, 0, 0, alpha_test ? 4 : 0, alpha_test ? 4 : 0);
    }
    stage_submit(&s->stage);
    client_set_target(s->stage.client, s->stage.context, client_part(s->stage.target, 0), NULL);
    client_chain_destroy(depth);
    close_scene(s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_a_stage),
        cmocka_unit_test(test_paired),
        cmocka_unit_test(test_amd_helper_lanes),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_flow_control),
        cmocka_unit_test(test_clear_copy_encode),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_amd_helper_lanes_anisotropic),
        cmocka_unit_test(test_general_offsets_min_mip),
        cmocka_unit_test(test_maps_that_do_not_fit),
        cmocka_unit_test(test_regions_too_large),
        cmocka_unit_test(test_hidden_fragments),
        cmocka_unit_test(test_map_destroyed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
