/* SPDX-License-Identifier: MIT */
/*
 * Watertight meshes through the driver interface: added up, their triangles give exactly one everywhere, with one
 * sample a pixel and with four, whether or not they are clipped. Random, from fixed seeds; `make test` draws some
 * hundred thousand triangles, `test_watertight --full` eight million of each kind. Source:
 * docs/reference/rasterization.md, section 2.
 *
 * room   a closed surface around the eye, star-shaped as seen from there, of radii between 1 and 1000: each ray meets
 * it
 *        once. Most of its triangles are behind the eye, or cross w = 0, the near plane or the guard band, next to
 *        others that need no clipping.
 * sheet  transformed vertices of a crumpled grid that is a little larger than the view: nothing is clipped.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/random.h"
#include "tests/stage/stage.h"

#define SIDE  64 /* pixels */
#define CELLS 20 /* along an edge of the cube that the room is made from, and of the sheet */
#define STEP  0x40u

static unsigned rounds = 60;

struct vertex {
    float x, y, z;
    uint32_t diffuse;
};
struct flat_vertex {
    float x, y, z, rhw;
    uint32_t diffuse;
};

/* --- the room ----------------------------------------------------------------------------- */

static struct vertex corner[6][CELLS + 1][CELLS + 1];

/* The radius for a place on the cube's edges, the same for both faces. */
static float radius_at(const int at[3], uint32_t salt)
{
    uint32_t h = salt ^ (uint32_t)at[0] * 73856093u ^ (uint32_t)at[1] * 19349663u ^ (uint32_t)at[2] * 83492791u;

    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return powf(1000.0f, (float)(h >> 8) / 16777216.0f);
}

/* Inside a face, places move by up to a quarter of a cell, so no triangle flips. */
static void make_room(uint32_t salt)
{
    for (unsigned face = 0; face < 6; face++)
        for (int j = 0; j <= CELLS; j++)
            for (int i = 0; i <= CELLS; i++) {
                const unsigned axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
                const bool edge = i == 0 || j == 0 || i == CELLS || j == CELLS;
                float p[3], length;
                int at[3];

                at[axis] = face & 1 ? CELLS : 0;
                at[u] = i;
                at[v] = j;
                p[axis] = face & 1 ? 1.0f : -1.0f;
                p[u] = ((float)i + (edge ? 0 : random_unit() * 0.5f - 0.25f)) * (2.0f / CELLS) - 1;
                p[v] = ((float)j + (edge ? 0 : random_unit() * 0.5f - 0.25f)) * (2.0f / CELLS) - 1;
                length = radius_at(at, salt);
                corner[face][j][i] = (struct vertex){p[0] * length, p[1] * length, p[2] * length, STEP << 16};
            }
}

static unsigned room_triangles(struct vertex *out)
{
    unsigned n = 0;

    for (unsigned face = 0; face < 6; face++)
        for (unsigned j = 0; j < CELLS; j++)
            for (unsigned i = 0; i < CELLS; i++) {
                const struct vertex a = corner[face][j][i], b = corner[face][j][i + 1];
                const struct vertex c = corner[face][j + 1][i], d = corner[face][j + 1][i + 1];
                const bool other = random_unit() < 0.5f;

                out[n++] = a;
                out[n++] = b;
                out[n++] = other ? d : c;
                out[n++] = d;
                out[n++] = c;
                out[n++] = other ? a : b;
            }
    return n / 3;
}

/* A random turn: from four numbers, as a quaternion. */
static void random_rotation(float m[16])
{
    float q[4], length = 0;

    for (unsigned i = 0; i < 4; i++) {
        q[i] = random_unit() * 2 - 1;
        length += q[i] * q[i];
    }
    for (unsigned i = 0; i < 4; i++)
        q[i] /= sqrtf(length);
    const float x = q[0], y = q[1], z = q[2], w = q[3];
    const float rotation[16] = {
        1 - 2 * (y * y + z * z),
        2 * (x * y + z * w),
        2 * (x * z - y * w),
        0,
        2 * (x * y - z * w),
        1 - 2 * (x * x + z * z),
        2 * (y * z + x * w),
        0,
        2 * (x * z + y * w),
        2 * (y * z - x * w),
        1 - 2 * (x * x + y * y),
        0,
        0,
        0,
        0,
        1,
    };

    memcpy(m, rotation, sizeof(rotation));
}

static void draw_room(struct stage *stage)
{
    static struct vertex triangles[6 * CELLS * CELLS * 6];
    /* near 0.25, far 4000 */
    static const float projection[16] = {1.1f, 0, 0, 0, 0, 1.3f, 0, 0, 0, 0, 4000 / 3999.75f, 1, 0, 0, -1000 / 3999.75f,
                                         0};
    float world[16];

    random_rotation(world);
    make_room(random_seed);
    stage_transform(stage, D3DTS_PROJECTION, projection);
    stage_transform(stage, 256 /* world */, world);
    const unsigned count = room_triangles(triangles);
    for (unsigned first = 0; first < count; first += 400)
        stage_draw(stage, D3DPT_TRIANGLELIST, BASE_MIN(count - first, 400u), D3DFVF_XYZ | D3DFVF_DIFFUSE,
                   triangles + 3 * first, 3 * BASE_MIN(count - first, 400u));
}

/* --- the sheet -------------------------------------------------------------------------------- */

static void draw_sheet(struct stage *stage)
{
    static struct flat_vertex p[CELLS + 1][CELLS + 1];
    struct flat_vertex strip[2 * (CELLS + 1)];

    for (int j = 0; j <= CELLS; j++)
        for (int i = 0; i <= CELLS; i++)
            p[j][i] = (struct flat_vertex){((float)i + random_unit() * 0.48f - 0.24f) * (SIDE + 12.0f) / CELLS - 6,
                                           ((float)j + random_unit() * 0.48f - 0.24f) * (SIDE + 12.0f) / CELLS - 6,
                                           0.5f, 0.1f + random_unit(), STEP << 16};
    for (unsigned j = 0; j < CELLS; j++) {
        for (unsigned i = 0; i <= CELLS; i++) {
            strip[2 * i] = p[j][i];
            strip[2 * i + 1] = p[j + 1][i];
        }
        stage_draw(stage, D3DPT_TRIANGLESTRIP, 2 * CELLS, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, strip, 2 * (CELLS + 1));
    }
}

/* --- the proof -------------------------------------------------------------------------------- */

static void expect_one_layer(struct stage *stage, struct client_chain *target, const char *what, unsigned round)
{
    struct client_lock lock;
    uint32_t value;

    stage_submit(stage);
    assert_null(stage->failed);
    assert_int_equal(client_lock(client_part(target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        memcpy(&value, lock.bits + i / SIDE * lock.pitch + 4 * (i % SIDE), 4);
        if ((value >> 16 & 255) != STEP)
            fail_msg("%s %u: pixel (%u, %u) has %u of %u", what, round, i % SIDE, i / SIDE, value >> 16 & 255, STEP);
    }
    client_unlock(client_part(target, 0));
}

static void each_once(const char *what, void (*draw)(struct stage *), unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIDE, .height = SIDE, .samples = samples};
    struct client_chain *target;
    struct stage stage;

    random_seed = samples + 1;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    assert_int_equal(client_chain_create(stage.client, &desc, &target), DD_OK);
    assert_int_equal(client_set_target(stage.client, stage.context, client_part(target, 0), NULL), DD_OK);
    /* one value: interpolated, it may be off by one step where samples use values from outside of the triangle */
    stage_state(&stage, D3DRS_SHADEMODE, D3DSHADE_FLAT);
    stage_state(&stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(&stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
    stage_state(&stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
    for (unsigned round = 0; round < rounds; round++) {
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        draw(&stage);
        expect_one_layer(&stage, target, what, round);
    }
    client_set_target(stage.client, stage.context, client_part(stage.target, 0), NULL);
    client_chain_destroy(target);
    stage_close(&stage);
}

static void test_clipped(void **state)
{
    (void)state;
    each_once("room", draw_room, 0);
}

static void test_clipped_samples(void **state)
{
    (void)state;
    each_once("room of 4 samples", draw_room, 4);
}

static void test_not_clipped(void **state)
{
    (void)state;
    rounds *= 6; /* a sheet has fewer triangles */
    each_once("sheet", draw_sheet, 0);
    rounds /= 6;
}

static void test_not_clipped_samples(void **state)
{
    (void)state;
    rounds *= 6;
    each_once("sheet of 4 samples", draw_sheet, 4);
    rounds /= 6;
}

/* A corner at (0, 0, 0, 0) is on no side of any plane except for that of w > 0: its triangle has no area, and draws
 * nothing. */
static void test_zero_vector(void **state)
{
    static const float w_is_z[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0};
    static const struct vertex v[] = {{0, 0, 0, ~0u},   {-5, -5, 1, ~0u}, {-5, 50, 1, ~0u},
                                      {0, 0, 0, ~0u},   {0, 0, 0, ~0u},   {50, -5, 1, ~0u},
                                      {-5, -5, 1, ~0u}, {-5, 50, 1, ~0u}, {50, -5, 1, ~0u}};
    struct client_lock lock;
    struct stage stage;
    uint32_t value;

    (void)state;
    assert_true(stage_open(&stage, SIDE, SIDE, D3DFMT_A8R8G8B8, 0));
    stage_transform(&stage, D3DTS_PROJECTION, w_is_z);
    for (unsigned triangles = 2; triangles <= 3; triangles++) {
        stage_clear(&stage, D3DCLEAR_TARGET, 0, 1, 0);
        stage_draw(&stage, D3DPT_TRIANGLELIST, triangles, D3DFVF_XYZ | D3DFVF_DIFFUSE, v, 9);
        stage_submit(&stage);
        assert_null(stage.failed);
        assert_int_equal(client_lock(client_part(stage.target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned i = 0; i < SIDE * SIDE; i++) {
            memcpy(&value, lock.bits + i / SIDE * lock.pitch + 4 * (i % SIDE), 4);
            assert_int_equal(value, triangles == 2 ? 0 : ~0u);
        }
        client_unlock(client_part(stage.target, 0));
    }
    stage_close(&stage);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clipped),     cmocka_unit_test(test_clipped_samples),
        cmocka_unit_test(test_not_clipped), cmocka_unit_test(test_not_clipped_samples),
        cmocka_unit_test(test_zero_vector),
    };

    if (argc > 1 && !strcmp(argv[1], "--full"))
        rounds = 1700;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
