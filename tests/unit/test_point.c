/* SPDX-License-Identifier: MIT */
/* Points: the source of their size, when they are clipped, and their parts after user planes. */
#include "hal/resource/surface.h"
#include "hal/state/values.h"
#include "hal_fixture.h"
#include "tests/random.h"

#include <math.h>

#define FVF_POINT (D3DFVF_XYZ | D3DFVF_DIFFUSE)
#define FVF_SIZED (D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_DIFFUSE)

struct sized {
    float x, y, z, size;
    uint32_t color;
};

struct plain {
    float x, y, z;
    uint32_t color;
};

static float random_signed(void)
{
    return random_between(-1, 1);
}

static void begin(struct fixture *f)
{
    fixture_clear(f, 0);
    fixture_state(f, D3DRS_ZENABLE, 0);
    fixture_state(f, D3DRS_LIGHTING, 0);
}

static unsigned draw_sized(struct fixture *f, float x, float y, float z, float size)
{
    const struct sized p = {x, y, z, size, 0xffffff};

    begin(f);
    fixture_vertices(f, FVF_SIZED, &p, sizeof(p), sizeof(p));
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    return fixture_count(f, 0xffffff);
}

static unsigned draw_plain(struct fixture *f)
{
    const struct plain p = {0, 0, 0.5f, 0xffffff};

    begin(f);
    fixture_vertices(f, FVF_POINT, &p, sizeof(p), sizeof(p));
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    return fixture_count(f, 0xffffff);
}

static void test_sizes(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(draw_plain(f), 1);
    fixture_float_state(f, D3DRS_POINTSIZE, 6);
    assert_int_equal(draw_plain(f), 36);
    assert_int_equal(draw_sized(f, 0, 0, 0.5f, 10), 100); /* the vertex's own size takes precedence */
    fixture_float_state(f, D3DRS_POINTSIZE_MIN, 12);
    assert_int_equal(draw_sized(f, 0, 0, 0.5f, 10), 144);
    assert_int_equal(draw_plain(f), 144);
    fixture_float_state(f, D3DRS_POINTSIZE_MAX, 20);
    assert_int_equal(draw_sized(f, 0, 0, 0.5f, 30), 400);
    fixture_float_state(f, D3DRS_POINTSIZE_MIN, 0);
    fixture_float_state(f, D3DRS_POINTSIZE_MAX, 1e9f); /* MaxPointSize applies all the same */
    assert_int_equal(draw_sized(f, -5, 0, 0.5f, 400), 0);
    assert_int_equal(draw_sized(f, -4.9f, 0, 0.5f, 400), 4 * 64);
    assert_int_equal(draw_sized(f, 0, 0, 0.5f, NAN), 0);
    assert_int_equal(draw_sized(f, 0, 0, 0.5f, -4), 0);
}

/* S = Vh * Si * sqrt(1 / (A + B De + C De^2)) */
static void test_scaled_sizes(void **state)
{
    struct fixture *f = *state;
    static const float factors[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}};
    const float view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 3.5f, 1};
    const float projection[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.1f, 0, 0, 0, 0, 1};

    fixture_transform(f, D3DTS_VIEW, view);
    fixture_transform(f, D3DTS_PROJECTION, projection);
    fixture_state(f, D3DRS_POINTSCALEENABLE, 1);
    for (unsigned i = 0; i < 4; i++) {
        const float distance = 4, a = factors[i][0], b = factors[i][1], c = factors[i][2];
        const float expected = 64 * 0.3f * sqrtf(1 / (a + b * distance + c * distance * distance));

        for (unsigned k = 0; k < 3; k++)
            fixture_float_state(f, D3DRS_POINTSCALE_A + k, factors[i][k]);
        fixture_float_state(f, D3DRS_POINTSIZE, 0.3f);
        const unsigned area = draw_plain(f), side = (unsigned)(sqrtf((float)area) + 0.5f);

        assert_int_equal(area, side * side);
        assert_true(fabsf((float)side - expected) <= 1);
    }
}

/* Centre outside in x or y: the part inside is drawn. Outside in z: nothing is drawn. */
static void test_clipping_rules(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(draw_sized(f, -1.0625f, 0, 0.5f, 8), 2 * 8);
    assert_int_equal(draw_sized(f, 0, 1.0625f, 0.5f, 8), 2 * 8);
    assert_int_equal(draw_sized(f, -1.25f, 0, 0.5f, 8), 0);
    assert_int_equal(draw_sized(f, 0, 0, -0.01f, 8), 0);
    assert_int_equal(draw_sized(f, 0, 0, 1.01f, 8), 0);
    assert_int_equal(draw_sized(f, 0, 0, 0, 8), 64);
    assert_int_equal(draw_sized(f, 0, 0, 1, 8), 64);
}

static void sprite_texture(struct fixture *f, uint32_t texels[64 * 64])
{
    for (unsigned i = 0; i < 64 * 64; i++)
        texels[i] = (i % 64) << 18 | (i / 64) << 10;
    fixture_image(f, FIXTURE_TEXTURE, HAL_SURFACE_TEXTURE, texels, RASTER_FORMAT_X8R8G8B8, D3DFMT_X8R8G8B8);
    hal_surface_touch(&f->surface[FIXTURE_TEXTURE]);
    fixture_stage(f, 0, 0, FIXTURE_TEXTURE);
    fixture_stage(f, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
}

/* Coordinates run over the square; without the state the vertex's are used ((0, 0) if it has none). */
static void test_sprite_coordinates(void **state)
{
    static _Alignas(64) uint32_t texels[64 * 64];
    struct fixture *f = *state;

    sprite_texture(f, texels);
    fixture_float_state(f, D3DRS_POINTSIZE, 64);
    draw_plain(f);
    assert_int_equal(fixture_count(f, 0), FIXTURE_SIZE * FIXTURE_SIZE);
    fixture_state(f, D3DRS_POINTSPRITEENABLE, 1);
    draw_plain(f);
    /* pixel centres are on integers: the square covers half a pixel more at the left and top */
    for (unsigned i = 1; i < 63; i++) {
        assert_true(abs((int)(fixture_pixel(f, i, 5) >> 18) - (int)i) <= 1);
        assert_true(abs((int)(fixture_pixel(f, 7, i) >> 10 & 63) - (int)i) <= 1);
    }
}

/* --- user planes -------------------------------------------------------------------- */

static void put_plane(struct fixture *f, uint32_t index, const float plane[4])
{
    uint8_t body[20];

    memcpy(body, &index, 4);
    memcpy(body + 4, plane, 16);
    fixture_put(f, D3DDP2OP_SETCLIPPLANE, 1, body, sizeof(body));
}

static void identity(float m[16])
{
    memset(m, 0, 64);
    m[0] = m[5] = m[10] = m[15] = 1;
}

/*
 * A plane that cuts through a point anywhere: each pixel of the square is drawn if and only if its place, at the depth
 * of the point, is inside; pixels within a subpixel of the plane may be either.
 */
static void cut_point(struct fixture *f, bool perspective)
{
    const float size = 20 + 18 * random_signed(), distance = 2 + random_signed();
    const float x = random_signed() * 0.8f, y = random_signed() * 0.8f;
    const float w = perspective ? distance : 1;
    float view[16], projection[16], planes[2][4];

    identity(view);
    identity(projection);
    view[14] = distance - 0.5f;
    if (perspective)
        memcpy(projection, (float[16]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.1f, 1, 0, 0, -0.5f, 0}, 64);
    else
        projection[10] = 0.2f;
    for (unsigned k = 0; k < 2; k++) {
        /* in world space, through some place near the point */
        planes[k][0] = random_signed();
        planes[k][1] = random_signed();
        planes[k][2] = random_signed() * 0.5f;
        planes[k][3] = -(planes[k][0] * (x * w + random_signed() * 0.2f * w) +
                         planes[k][1] * (y * w + random_signed() * 0.2f * w) + planes[k][2] * 0.5f);
        put_plane(f, k * 3, planes[k]);
    }
    fixture_transform(f, D3DTS_VIEW, view);
    fixture_transform(f, D3DTS_PROJECTION, projection);
    fixture_state(f, D3DRS_CLIPPLANEENABLE, 9);
    draw_sized(f, x * w, y * w, 0.5f, size);
    for (int py = 0; py < FIXTURE_SIZE; py++) {
        for (int px = 0; px < FIXTURE_SIZE; px++) {
            const double cx = px / 32.0 - 1, cy = 1 - py / 32.0; /* place at w = 1 */
            const double dx = fabs(px - (x + 1) * 32.0), dy = fabs(py - (1 - y) * 32.0);
            bool drawn = dx < size / 2 && dy < size / 2;
            bool sure = fabs(dx - size / 2) > 0.02 && fabs(dy - size / 2) > 0.02;

            for (unsigned k = 0; k < 2; k++) {
                const double d = planes[k][0] * cx * w + planes[k][1] * cy * w + planes[k][2] * 0.5 + planes[k][3];
                const double pixel = hypot(planes[k][0], planes[k][1]) * w / 32;

                drawn = drawn && d >= 0;
                sure = sure && fabs(d) > 0.02 * pixel;
            }
            if (sure)
                assert_int_equal(fixture_pixel(f, (unsigned)px, (unsigned)py), drawn ? 0xffffff : 0);
        }
    }
}

static void test_planes_cut_the_square(void **state)
{
    random_seed = 1;
    for (unsigned i = 0; i < 300; i++)
        cut_point(*state, i & 1);
}

/* The part inside keeps its place in the texture, and two opposite planes cut the square into parts that meet without
 * gap or overlap. */
static void test_cut_sprites_fit(void **state)
{
    static _Alignas(64) uint32_t texels[64 * 64];
    static uint32_t uncut[FIXTURE_SIZE * FIXTURE_SIZE];
    struct fixture *f = *state;
    const struct plain p = {0.03f, -0.04f, 0.5f, 0xffffff};

    random_seed = 2;
    sprite_texture(f, texels);
    fixture_float_state(f, D3DRS_POINTSIZE, 40.5f);
    fixture_state(f, D3DRS_POINTSPRITEENABLE, 1);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_ONE);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ONE);
    draw_plain(f);
    fixture_vertices(f, FVF_POINT, &p, sizeof(p), sizeof(p));
    begin(f);
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    memcpy(uncut, f->color, sizeof(uncut));
    for (unsigned i = 0; i < 50; i++) {
        float plane[4] = {random_signed(), random_signed(), 0, random_signed() * 0.3f};

        begin(f);
        fixture_state(f, D3DRS_CLIPPLANEENABLE, 1);
        for (unsigned side = 0; side < 2; side++) {
            put_plane(f, 0, plane);
            fixture_draw(f, D3DPT_POINTLIST, 0, 1);
            for (unsigned k = 0; k < 4; k++)
                plane[k] = -plane[k];
        }
        assert_int_equal(fixture_run(f), DD_OK);
        for (unsigned k = 0; k < FIXTURE_SIZE * FIXTURE_SIZE; k++)
            for (unsigned c = 0; c < 24; c += 8)
                assert_true(abs((int)(uncut[k] >> c & 255) - (int)(f->color[k] >> c & 255)) <= 4);
    }
}

static void test_wild_planes(void **state)
{
    static const float wild[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0, 1};
    struct fixture *f = *state;
    float projection[16];

    random_seed = 3;
    for (unsigned i = 0; i < 300; i++) {
        identity(projection);
        projection[i % 16] = wild[i % ARRAY_COUNT(wild)];
        fixture_transform(f, D3DTS_PROJECTION, projection);
        for (uint32_t k = 0; k < HAL_MAX_CLIP_PLANES; k++) {
            float plane[4];

            for (unsigned c = 0; c < 4; c++)
                plane[c] = wild[random_word() % ARRAY_COUNT(wild)];
            put_plane(f, k, plane);
        }
        fixture_state(f, D3DRS_CLIPPLANEENABLE, i);
        draw_sized(f, random_signed(), random_signed(), 0.5f, 256);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_sizes),
        fixture_test(test_scaled_sizes),
        fixture_test(test_clipping_rules),
        fixture_test(test_sprite_coordinates),
        fixture_test(test_planes_cut_the_square),
        fixture_test(test_cut_sprites_fit),
        fixture_test(test_wild_planes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
