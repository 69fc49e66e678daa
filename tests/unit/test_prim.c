/* SPDX-License-Identifier: MIT */
/* From drawing tokens to pixels: topologies, indices, offsets, flat shading, edge flags, points,
 * bounds. */
#include "hal/vertex/tnl/tnl.h"
#include "hal_fixture.h"
#include "raster/raster.h"
#include "tests/random.h"

#define FVF_RHW (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
};

static const uint32_t red = 0xffff0000, green = 0xff00ff00, blue = 0xff0000ff, white = 0xffffffff;

static void begin(struct fixture *f)
{
    fixture_clear(f, 0);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_ZENABLE, 0);
}

static void put_vertices(struct fixture *f, const struct vertex *v, unsigned count)
{
    fixture_vertices(f, FVF_RHW, v, count * sizeof(*v), sizeof(*v));
}

static void put_indexed(struct fixture *f, uint32_t type, uint32_t base, uint32_t start, uint32_t count)
{
    const uint32_t body[6] = {type, base, 0, 0xffff, start, count};

    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, body, sizeof(body));
}

/* Corners of a square of 8 x 8 pixels: top left, top right, bottom left, bottom right. */
static void square(struct vertex v[4], float x, float y, uint32_t color)
{
    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){x + 8 * (float)(i & 1), y + 8 * (float)(i >> 1), 0.5f, 1, color};
}

/* All pixels in one number. */
static uint64_t picture(const struct fixture *f)
{
    uint64_t hash = 0;

    for (unsigned y = 0; y < FIXTURE_SIZE; y++)
        for (unsigned x = 0; x < FIXTURE_SIZE; x++)
            hash = (hash ^ fixture_pixel(f, x, y)) * 0x100000001b3;
    return hash;
}

static void test_list_strip_fan(void **state)
{
    struct fixture *f = *state;
    struct vertex v[16], list[6], fan[4];

    square(v, 0, 0, red);
    const unsigned order[6] = {0, 1, 2, 2, 1, 3};

    for (unsigned i = 0; i < 6; i++) {
        list[i] = v[order[i]];
        list[i].y += 16;
    }
    memcpy(&v[4], list, sizeof(list));
    fan[0] = v[0];
    fan[1] = v[1];
    fan[2] = v[3];
    fan[3] = v[2];
    for (unsigned i = 0; i < 4; i++) {
        fan[i].y += 32;
        v[10 + i] = fan[i];
    }
    begin(f);
    put_vertices(f, v, 14);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    fixture_draw(f, D3DPT_TRIANGLELIST, 4, 2);
    fixture_draw(f, D3DPT_TRIANGLEFAN, 10, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 3 * 64);
    assert_int_equal(fixture_pixel(f, 7, 7), 0xff0000);
    assert_int_equal(fixture_pixel(f, 8, 7), 0);
    assert_int_equal(fixture_pixel(f, 0, 16), 0xff0000);
    assert_int_equal(fixture_pixel(f, 7, 39), 0xff0000);
}

static void test_strip_keeps_its_winding(void **state)
{
    struct fixture *f = *state;
    struct vertex v[4];

    square(v, 0, 0, red);
    begin(f);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_CCW);
    put_vertices(f, v, 4);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 64);
    begin(f);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_CW);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 0);
}

/* Flat colours: strip triangle i takes vertex i, fan triangle i vertex i + 1. */
static void test_provoking_vertex(void **state)
{
    struct fixture *f = *state;
    const uint32_t colors[4] = {red, green, blue, white};
    struct vertex v[4], fan[4];

    square(v, 0, 0, 0);
    for (unsigned i = 0; i < 4; i++)
        v[i].color = colors[i];
    begin(f);
    fixture_state(f, D3DRS_SHADEMODE, D3DSHADE_FLAT);
    put_vertices(f, v, 4);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 1, 1), 0xff0000);
    assert_int_equal(fixture_pixel(f, 7, 7), 0x00ff00);
    fan[0] = v[0];
    fan[1] = v[1];
    fan[2] = v[3];
    fan[3] = v[2];
    begin(f);
    put_vertices(f, fan, 4);
    fixture_draw(f, D3DPT_TRIANGLEFAN, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 6, 1), 0x00ff00);
    assert_int_equal(fixture_pixel(f, 1, 6), 0xffffff);
}

static void test_provoking_vertex_when_clipped(void **state)
{
    struct fixture *f = *state;
    struct vertex v[3] = {{-50000, 0, 0.5f, 1, red}, {40, 0, 0.5f, 1, green}, {40, 50000, 0.5f, 1, blue}};

    begin(f);
    fixture_state(f, D3DRS_SHADEMODE, D3DSHADE_FLAT);
    put_vertices(f, v, 3);
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 40 * FIXTURE_SIZE);
}

/* D3DRS_EDGEANTIALIAS and the ANTIALIASEDLINEENABLE of DirectX 9 scale a line's alpha by coverage; triangles stay. */
static void test_smooth_lines(void **state)
{
    struct fixture *f = *state;
    const struct vertex v[2] = {{2.25f, 2.25f, 0, 1, 0xffff0000}, {20, 9, 0, 1, 0xffff0000}};
    struct vertex corner[4];

    square(corner, 30.3f, 30.3f, 0xffff0000);
    for (unsigned on = 0; on < 3; on++) {
        unsigned partial = 0;

        begin(f);
        fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
        fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
        fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
        fixture_stage(f, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
        fixture_state(f, D3DRS_EDGEANTIALIAS, on == 1);
        fixture_state(f, 176 /* ANTIALIASEDLINEENABLE */, on == 2);
        put_vertices(f, v, 2);
        fixture_draw(f, D3DPT_LINELIST, 0, 1);
        assert_int_equal(fixture_run(f), DD_OK);
        for (unsigned i = 0; i < FIXTURE_SIZE * FIXTURE_SIZE; i++)
            partial += (f->color[i] & 0xff0000) && (f->color[i] & 0xff0000) < 0xfe0000;
        assert_int_equal(partial > 10, on > 0);
        put_vertices(f, corner, 4);
        fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_int_equal(fixture_pixel(f, 31, 31), 0xff0000);
        assert_int_equal(fixture_pixel(f, 30, 31), 0);
    }
}

static void test_lines(void **state)
{
    struct fixture *f = *state;
    const struct vertex v[4] = {{2, 2, 0, 1, red}, {10, 2, 0, 1, red}, {10, 10, 0, 1, red}, {2, 10, 0, 1, red}};

    begin(f);
    fixture_state(f, D3DRS_LASTPIXEL, 0);
    put_vertices(f, v, 4);
    fixture_draw(f, D3DPT_LINESTRIP, 0, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 24);
    begin(f);
    fixture_state(f, D3DRS_LASTPIXEL, 1);
    fixture_draw(f, D3DPT_LINESTRIP, 0, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 25);
    begin(f);
    fixture_draw(f, D3DPT_LINELIST, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 18);
}

static void draw_vertices(struct fixture *f, uint32_t type, const struct vertex *v, unsigned count, uint32_t primitives)
{
    put_vertices(f, v, count);
    fixture_draw(f, type, 0, primitives);
    assert_int_equal(fixture_run(f), DD_OK);
}

/* Which pixels of a row are drawn. */
static void check_row(const struct fixture *f, unsigned y, unsigned from, const char *wanted)
{
    for (unsigned x = 0; wanted[x]; x++)
        if ((fixture_pixel(f, from + x, y) != 0) != (wanted[x] == '#'))
            fail_msg("row %u: pixel %u", y, from + x);
}

/* D3DRS_LINEPATTERN restarts for each line of a list, whatever was drawn before and however that ended. */
static void test_line_pattern_of_lists(void **state)
{
    struct fixture *f = *state;
    const struct vertex list[] = {
        {0, 2, 0, 1, red},       {20000, 2, 0, 1, red}, /* its end is cut off by the guard band */
        {0, 6, 0, 1, red},       {15, 6, 0, 1, red},
        {9, 7, 0, 1, red},       {9, 7, 0, 1, red}, /* empty */
        {0, 10, 0, 1, red},      {15, 10, 0, 1, red},
        {0, 900, 0, 1, red},     {11, 900, 0, 1, red}, /* off the view */
        {0, 14, 0, 1, red},      {15, 14, 0, 1, red},
        {5, 900, -3, 1, red},    {11, 900, -2, 1, red}, /* before the near plane */
        {0, 18, 0, 1, red},      {15, 18, 0, 1, red},
        {-20000, 22, 0, 1, red}, {15, 22, 0, 1, red}, /* 20000 is 0 in periods of 16 */
        {-20005, 26, 0, 1, red}, {15, 26, 0, 1, red},
        {-14, 30, -1, 1, red},   {42, 30, 3, 1, red}, /* seen from x = 0 to 14 */
    };
    const struct vertex triangle[3] = {{40, 0, 0, 1, red}, {46, 0, 0, 1, red}, {43, 1, 0, 1, red}};

    begin(f);
    fixture_state(f, D3DRS_LINEPATTERN, 0x00070001);
    fixture_state(f, D3DRS_ZENABLE, 1); /* depth outside of 0..1 is cut off */
    fixture_state(f, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    draw_vertices(f, D3DPT_LINELIST, list, 22, 11);
    check_row(f, 2, 0, "###.............###");
    for (unsigned y = 6; y <= 22; y += 4)
        check_row(f, y, 0, "###.............");
    check_row(f, 26, 0, "...........###..");
    check_row(f, 30, 0, "..###...........");
    fixture_state(f, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    draw_vertices(f, D3DPT_TRIANGLELIST, triangle, 3, 1);
    draw_vertices(f, D3DPT_LINELIST, &list[2], 2, 1);
    draw_vertices(f, D3DPT_LINESTRIP, triangle, 3, 2);
    draw_vertices(f, D3DPT_LINELIST, &list[6], 2, 1);
    check_row(f, 6, 0, "###.............");
    check_row(f, 10, 0, "###.............");
    check_row(f, 0, 40, "###...."); /* of the triangle and of the strip */
}

/* And through strips that are partly invisible: clipped by the guard band, the near plane, or a plane that has removed
 * a whole line. */
static void test_line_pattern_of_strips(void **state)
{
    struct fixture *f = *state;
    const struct vertex strip[] = {{0, 2, 0, 1, red}, {5, 2, 0, 1, red}, {20, 2, 0, 1, red}};
    const struct vertex away[] = {{0, 6, 0, 1, red}, {20000, 6, 0, 1, red}, {0, 6, 0, 1, red}, {0, 12, 0, 1, red}};
    const struct vertex before[] = {{40, 50, 0.5f, 1, red},
                                    {50, 50, -1, 1, red},
                                    {53, 50, -1, 1, red},
                                    {60, 50, 0.5f, 1, red},
                                    {60, 60, 0.5f, 1, red}};

    begin(f);
    fixture_state(f, D3DRS_LINEPATTERN, 0x00070001);
    fixture_state(f, D3DRS_ZENABLE, 1); /* depth outside of 0..1 is cut off */
    fixture_state(f, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    draw_vertices(f, D3DPT_LINESTRIP, strip, 3, 2);
    draw_vertices(f, D3DPT_LINESTRIP, away, 4, 3); /* there and back are 40000 pixels, 0 in periods of 16 */
    draw_vertices(f, D3DPT_LINESTRIP, before, 5, 4);
    check_row(f, 2, 0, "###.............###..");
    assert_int_equal(fixture_pixel(f, 0, 8) != 0,
                     1); /* the third line starts at (0, 6), with the first of the pattern */
    assert_int_equal(fixture_pixel(f, 0, 9) != 0, 0);
    check_row(f, 50, 40, "###...............#.."); /* seen up to 43.3 and from 57.7 on */
    for (unsigned y = 51; y < 60; y++)             /* 20 steps before them */
        assert_int_equal(fixture_pixel(f, 60, y) != 0, 0);
}

static void test_points(void **state)
{
    struct fixture *f = *state;
    const struct vertex v[3] = {{20, 20, 0.5f, 1, red}, {-3, 40, 0.5f, 1, red}, {40, 40, 1.5f, 1, red}};

    begin(f);
    fixture_state(f, D3DRS_ZENABLE, 1);
    put_vertices(f, v, 3);
    fixture_draw(f, D3DPT_POINTLIST, 0, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xff0000), 1);
    begin(f);
    fixture_state(f, D3DRS_ZENABLE, 1);
    fixture_float_state(f, D3DRS_POINTSIZE, 15);
    fixture_draw(f, D3DPT_POINTLIST, 0, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    /* one visible, one partly in the view, one behind the far plane */
    assert_int_equal(fixture_pixel(f, 13, 13), 0xff0000);
    assert_int_equal(fixture_pixel(f, 27, 27), 0xff0000);
    assert_int_equal(fixture_pixel(f, 28, 27), 0);
    assert_int_equal(fixture_count(f, 0xff0000), 15 * 15 + 5 * 15);
}

static void test_indices(void **state)
{
    struct fixture *f = *state;
    const uint16_t low[6] = {1, 2, 3, 3, 2, 4};
    const uint32_t high[6] = {100001, 100002, 100003, 100003, 100002, 100004};
    struct vertex v[8];

    memset(v, 0, sizeof(v));
    square(&v[3], 8, 8, green);
    begin(f);
    put_vertices(f, v, 8);
    fixture_indices(f, low, sizeof(low), 2);
    put_indexed(f, D3DPT_TRIANGLELIST, 2, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
    begin(f);
    fixture_indices(f, high, sizeof(high), 4);
    put_indexed(f, D3DPT_TRIANGLELIST, (uint32_t)-99998, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
    begin(f);
    put_indexed(f, D3DPT_TRIANGLELIST, (uint32_t)-99998, 3, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(fixture_count(f, 0x00ff00) > 20 && fixture_count(f, 0x00ff00) < 44);
}

/* Vertices beyond the buffer are at 0, 0. */
static void test_indices_beyond_the_buffer(void **state)
{
    struct fixture *f = *state;
    const uint16_t indices[9] = {0, 1, 2, 2, 1, 3, 0, 1, 4};
    struct vertex v[5];

    memset(v, 0, sizeof(v));
    square(v, 8, 8, green);
    begin(f);
    put_vertices(f, v, 5);
    fixture_indices(f, indices, sizeof(indices), 2);
    put_indexed(f, D3DPT_TRIANGLELIST, 0, 0, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    const uint64_t want = picture(f);
    const unsigned darker = fixture_pixel(f, 4, 3);

    assert_true(darker && darker != 0x00ff00);
    begin(f);
    put_vertices(f, v, 4);
    put_indexed(f, D3DPT_TRIANGLELIST, 0, 0, 3);
    put_indexed(f, D3DPT_TRIANGLELIST, 0x7fffffff, 0, 3);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(picture(f) == want);
}

/* A few indices into a wide range are gathered. */
static void test_sparse_indices(void **state)
{
    struct fixture *f = *state;
    const uint16_t indices[6] = {0, 1000, 2000, 2000, 1000, 2999};
    struct vertex *v = calloc(3000, sizeof(*v)), corner[4];

    square(corner, 8, 8, green);
    for (unsigned i = 0; i < 3; i++)
        v[1000 * i] = corner[i];
    v[2999] = corner[3];
    begin(f);
    put_vertices(f, v, 3000);
    fixture_indices(f, indices, sizeof(indices), 2);
    put_indexed(f, D3DPT_TRIANGLELIST, 0, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
    free(v);
}

#define MESH_VERTICES  1003 /* not a multiple of what is processed at once */
#define MESH_TRIANGLES 1500 /* of more indices than are drawn at once */

/* A mesh whose triangles name vertices all over it, some beyond it, is the same as its triangles one by one. */
static void test_indexed_mesh(void **state)
{
    struct fixture *f = *state;
    static struct vertex v[MESH_VERTICES], list[3 * MESH_TRIANGLES];
    static uint16_t indices[3 * MESH_TRIANGLES];
    uint32_t seed = 1, beyond = 0;

    for (unsigned i = 0; i < MESH_VERTICES; i++) {
        const uint32_t word = random_next(&seed);

        v[i] = (struct vertex){(float)(word >> 26), (float)(word >> 20 & 63), 0.5f, 1, word};
    }
    for (unsigned i = 0; i < MESH_TRIANGLES; i++) {
        for (unsigned c = 0; c < 3; c++) {
            const uint32_t word = random_next(&seed);

            /* gradually farther into the buffer, sometimes beyond its end */
            indices[3 * i + c] = (uint16_t)((word >> 16) % (i + 4));
            indices[3 * i + c] = word >> 8 & 31 ? indices[3 * i + c] % MESH_VERTICES : MESH_VERTICES + (c & 1);
            beyond += indices[3 * i + c] >= MESH_VERTICES;
            list[3 * i + c] = indices[3 * i + c] < MESH_VERTICES ? v[indices[3 * i + c]] : (struct vertex){.x = 0};
        }
    }
    begin(f);
    put_vertices(f, list, ARRAY_COUNT(list));
    fixture_draw(f, D3DPT_TRIANGLELIST, 0, MESH_TRIANGLES);
    assert_int_equal(fixture_run(f), DD_OK);
    const uint64_t want = picture(f);

    begin(f);
    put_vertices(f, v, MESH_VERTICES);
    fixture_indices(f, indices, sizeof(indices), 2);
    put_indexed(f, D3DPT_TRIANGLELIST, 0, 0, MESH_TRIANGLES);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(beyond > 50);
    assert_true(picture(f) == want);
}

static void test_byte_offsets(void **state)
{
    struct fixture *f = *state;
    const uint16_t indices[8] = {99, 99, 10, 11, 12, 12, 11, 13};
    const uint32_t draw[3] = {D3DPT_TRIANGLESTRIP, 2 * sizeof(struct vertex), 2};
    const uint32_t indexed[6] = {D3DPT_TRIANGLELIST, (uint32_t)(-8 * (int)sizeof(struct vertex)), 10, 4, 4, 2};
    struct vertex v[6];

    memset(v, 0, sizeof(v));
    square(&v[2], 8, 8, green);
    begin(f);
    put_vertices(f, v, 6);
    fixture_put(f, D3DDP2OP_DRAWPRIMITIVE2, 1, draw, sizeof(draw));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
    begin(f);
    fixture_indices(f, indices, sizeof(indices), 2);
    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE2, 1, indexed, sizeof(indexed));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
}

/* Chunks of primitives join without a gap or a change of winding. */
static void test_long_strip(void **state)
{
    struct fixture *f = *state;
    const unsigned count = 3 * HAL_CHUNK_VERTICES / 2;
    struct vertex *v = calloc(count, sizeof(*v));

    for (unsigned i = 0; i < count; i++)
        v[i] = (struct vertex){64.0f * (float)(i / 2) / (float)(count / 2 - 1), i & 1 ? 32 : 0, 0.5f, 1, red};
    begin(f);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_CW);
    put_vertices(f, v, count);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, count - 2);
    assert_int_equal(fixture_run(f), DD_OK);
    const unsigned clockwise = fixture_count(f, 0xff0000);

    begin(f);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_CCW);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, count - 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(clockwise + fixture_count(f, 0xff0000), 64 * 32);
    assert_true(clockwise == 0 || clockwise == 64 * 32);
    free(v);
}

/* A count beyond the vertices draws the existing ones, and a primitive that begins with them ends at 0, 0. */
static void test_count_beyond_the_vertices(void **state)
{
    struct fixture *f = *state;
    struct vertex v[6];

    memset(v, 0, sizeof(v));
    square(v, 8, 8, green);
    begin(f);
    put_vertices(f, v, 6);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 4);
    assert_int_equal(fixture_run(f), DD_OK);
    const uint64_t want = picture(f);

    assert_int_equal(fixture_pixel(f, 12, 12), 0x00ff00);
    assert_true(fixture_pixel(f, 6, 7) != 0);
    begin(f);
    put_vertices(f, v, 4);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 0xffffffff);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(picture(f) == want);
}

/* With a stride of 0 every vertex is the first one, or the part of it that exists: no primitive is the last. */
static void test_one_vertex_that_ends_early(void **state)
{
    struct fixture *f = *state;
    const struct vertex v = {8, 8, 0.5f, 1, green};

    for (unsigned bytes = 8; bytes <= sizeof(v); bytes += 4) {
        struct raster_statistics before, after;

        raster_get_statistics(f->context->scene.raster, &before);
        begin(f);
        fixture_vertices(f, FVF_RHW, &v, bytes, 0);
        fixture_draw(f, D3DPT_LINELIST, 0, 5);
        fixture_draw(f, D3DPT_TRIANGLELIST, 0, 7);
        assert_int_equal(fixture_run(f), DD_OK);
        raster_get_statistics(f->context->scene.raster, &after);
        assert_int_equal(after.lines - before.lines, 5);
        assert_int_equal(after.triangles - before.triangles, 7);
    }
}

static void test_user_memory(void **state)
{
    struct fixture *f = *state;
    const uint32_t um[2] = {0, sizeof(struct vertex)};
    const uint32_t fvf = FVF_RHW;
    struct vertex *v = malloc(4 * sizeof(*v));

    square(v, 8, 8, green);
    begin(f);
    f->execute.vertices = (const uint8_t *)v;
    f->execute.vertex_bytes = 4 * sizeof(*v);
    f->execute.vertex_count = 4;
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEUM, 1, um, sizeof(um));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, sizeof(fvf));
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
    f->execute.vertices = NULL;
    f->execute.vertex_bytes = 0;
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    free(v);
}

/* --- DirectX 6 and 7 ---------------------------------------------------------------- */

static void test_legacy_tokens(void **state)
{
    struct fixture *f = *state;
    struct vertex v[5];
    const uint16_t strip[2] = {1};
    const uint16_t list[9] = {1, 0, 1, 2, 2, 1, 3};
    const uint16_t flagged[8] = {1, 2, 3, 0x700, 3, 2, 4, 0x700};
    const uint16_t fan[6] = {1, 0, 1, 3, 2};

    memset(v, 0, sizeof(v));
    square(&v[1], 8, 8, green);
    f->execute.vertices = (const uint8_t *)v;
    f->execute.vertex_bytes = sizeof(v);
    f->execute.vertex_count = 5;
    f->execute.vertex_type = FVF_RHW;
    static const uint8_t tokens[] = {D3DDP2OP_TRIANGLESTRIP, D3DDP2OP_INDEXEDTRIANGLELIST2,
                                     D3DDP2OP_INDEXEDTRIANGLELIST, D3DDP2OP_INDEXEDTRIANGLEFAN};
    const void *const bodies[] = {strip, list, flagged, fan};
    static const size_t sizes[] = {2, 14, 16, 10};

    for (unsigned i = 0; i < ARRAY_COUNT(tokens); i++) {
        begin(f);
        fixture_put(f, tokens[i], 2, bodies[i], sizes[i]);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_int_equal(fixture_count(f, 0x00ff00), 64);
    }
    begin(f);
    fixture_put(f, D3DDP2OP_POINTS, 1, (const uint16_t[2]){4, 1}, 4);
    fixture_put(f, D3DDP2OP_LINELIST, 600, (const uint16_t[1]){1}, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(fixture_count(f, 0x00ff00) > 10);
}

static void test_inline_fan(void **state)
{
    struct fixture *f = *state;
    struct vertex v[4];
    uint8_t body[4 + sizeof(v)] = {0xff};

    square(v, 8, 8, green);
    const struct vertex order[4] = {v[0], v[1], v[3], v[2]};

    memcpy(body + 4, order, sizeof(order));
    f->execute.vertex_type = FVF_RHW;
    begin(f);
    fixture_put(f, D3DDP2OP_TRIANGLEFAN_IMM, 2, body, sizeof(body));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
}

/* In wireframe only edges with the bit are drawn: the outline, not the diagonal. */
static void test_fan_edges(void **state)
{
    struct fixture *f = *state;
    struct vertex v[4];
    const uint32_t outline[3] = {0, 0xf, 2}, none[3] = {0, 0, 2};

    square(v, 8, 8, green);
    const struct vertex order[4] = {v[0], v[1], v[3], v[2]};

    begin(f);
    fixture_state(f, D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    put_vertices(f, order, 4);
    fixture_put(f, D3DDP2OP_CLIPPEDTRIANGLEFAN, 1, outline, sizeof(outline));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_pixel(f, 12, 8), 0x00ff00);
    assert_int_equal(fixture_pixel(f, 8, 12), 0x00ff00);
    assert_int_equal(fixture_pixel(f, 12, 12), 0);
    begin(f);
    fixture_put(f, D3DDP2OP_CLIPPEDTRIANGLEFAN, 1, none, sizeof(none));
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 0);
}

/* --- depth of transformed vertices -------------------------------------------------- */

static void test_transformed_depth(void **state)
{
    struct fixture *f = *state;
    struct vertex v[4];

    square(v, 8, 8, green);
    v[0].z = v[2].z = -0.5f;
    v[1].z = v[3].z = 0.5f;
    begin(f);
    fixture_state(f, D3DRS_ZENABLE, 1);
    put_vertices(f, v, 4);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 32);
    begin(f);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0x00ff00), 64);
}

/* Coordinates of any size take no extra time and corrupt nothing. */
static void test_wild_coordinates(void **state)
{
    struct fixture *f = *state;
    static const uint32_t bits[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff,
                                    0x00000001, 0x4f000000, 0xcf000000, 0x3f800000, 0};
    struct vertex v[9];
    uint32_t seed = 7;

    for (unsigned round = 0; round < 300; round++) {
        for (unsigned i = 0; i < 9; i++) {
            uint32_t raw[5];

            for (unsigned c = 0; c < 5; c++)
                raw[c] = bits[random_next(&seed) % ARRAY_COUNT(bits)];
            memcpy(&v[i], raw, sizeof(v[i]));
        }
        begin(f);
        put_vertices(f, v, 9);
        for (uint32_t type = 1; type <= 6; type++)
            fixture_draw(f, type, 0, 3);
        assert_int_equal(fixture_run(f), DD_OK);
        const uint32_t fvf = D3DFVF_XYZ | D3DFVF_DIFFUSE;

        fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, sizeof(fvf));
        for (uint32_t type = 1; type <= 6; type++)
            fixture_draw(f, type, 0, 3);
        assert_int_equal(fixture_run(f), DD_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_list_strip_fan),
        fixture_test(test_strip_keeps_its_winding),
        fixture_test(test_provoking_vertex),
        fixture_test(test_provoking_vertex_when_clipped),
        fixture_test(test_lines),
        fixture_test(test_line_pattern_of_lists),
        fixture_test(test_line_pattern_of_strips),
        fixture_test(test_smooth_lines),
        fixture_test(test_points),
        fixture_test(test_indices),
        fixture_test(test_indices_beyond_the_buffer),
        fixture_test(test_sparse_indices),
        fixture_test(test_indexed_mesh),
        fixture_test(test_byte_offsets),
        fixture_test(test_long_strip),
        fixture_test(test_count_beyond_the_vertices),
        fixture_test(test_one_vertex_that_ends_early),
        fixture_test(test_user_memory),
        fixture_test(test_legacy_tokens),
        fixture_test(test_inline_fan),
        fixture_test(test_fan_edges),
        fixture_test(test_transformed_depth),
        fixture_test(test_wild_coordinates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
