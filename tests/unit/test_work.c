/* SPDX-License-Identifier: MIT */
/*
 * Calls that are made to take long: 64 KiB of commands, or one call of another entry point, that use the same large
 * surfaces again and again. If work is limited, each call stops at the token that exceeds the limit, and the driver
 * continues to draw when more is allowed. Without a limit, nothing is lost. The tests check the cost as the driver
 * counts it, and read no clock.
 */
#include "tests/unit/work_fixture.h"

/* --- programs ----------------------------------------------------------------------- */

static void put_declaration(struct world *w)
{
    /* POSITION0 FLOAT3 */
    const uint32_t body[6] = {5, 2, 0, 2, 255, 17};

    assert_true(put(w, D3DDP2OP_CREATEVERTEXSHADERDECL, body, sizeof(body)));
    put_one(w, D3DDP2OP_SETVERTEXSHADERDECL, 5);
}

#define MOST_TRIANGLES 1048575

static void fill_with_draws(struct world *w, uint32_t triangles)
{
    const uint32_t body[3] = {D3DPT_TRIANGLELIST, 0, triangles};

    while (w->builder.length + 16 <= CALL_BYTES)
        assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, body, sizeof(body)));
}

static const char nested[] =
    "vs_3_0\ndefi i0, 255, 0, 0, 0\ndcl_position v0\ndcl_position o0\nmov r0, v0\nrep i0\nrep i0\n"
    "rep i0\nrep i0\npow r0, r0.x, c0.x\nendrep\nendrep\nendrep\nendrep\nmov o0, r0\n";

static void test_vertex_programs(void **state)
{
    struct world *w = *state;
    const uint32_t one[3] = {D3DPT_TRIANGLELIST, 0, MOST_TRIANGLES};

    for (unsigned many = 0; many < 2; many++) {
        open_world(w, 64, 0);
        put_declaration(w);
        put_code(w, D3DDP2OP_CREATEVERTEXSHADERFUNC, 1, nested);
        put_one(w, D3DDP2OP_SETVERTEXSHADERFUNC, 1);
        put_stream(w, 0);
        if (many)
            fill_with_draws(w, MOST_TRIANGLES);
        else
            assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, one, sizeof(one)));
        expect_end(w);
        close_world(w);
    }
}

/* Indexed: chunks of thousands of vertices at a time. */
static void test_indexed_vertex_programs(void **state)
{
    struct world *w = *state;
    const uint32_t draw[6] = {D3DPT_TRIANGLELIST, 0, 0, 65536, 0, 21845};
    struct client_lock lock;

    open_world(w, 64, 0);
    w->indices = create(w, (struct client_chain_desc){.usage = CLIENT_INDEX_BUFFER, .width = 131072});
    assert_int_equal(client_lock(client_part(w->indices, 0), NULL, 0, &lock), DD_OK);
    for (unsigned i = 0; i < 65536; i++)
        memcpy(lock.bits + 2 * i, &(uint16_t){(uint16_t)i}, 2);
    client_unlock(client_part(w->indices, 0));
    put_declaration(w);
    put_code(w, D3DDP2OP_CREATEVERTEXSHADERFUNC, 1, nested);
    put_one(w, D3DDP2OP_SETVERTEXSHADERFUNC, 1);
    put_stream(w, 0);
    assert_true(put(w, D3DDP2OP_SETINDICES, (const uint32_t[2]){handle(w->indices), 2}, 8));
    while (w->builder.length + 32 <= CALL_BYTES)
        assert_true(put(w, D3DDP2OP_DRAWINDEXEDPRIMITIVE, draw, sizeof(draw)));
    expect_end(w);
    close_world(w);
}

static void test_processed_vertices(void **state)
{
    struct world *w = *state;
    struct client_process process = {.first = 0, .count = 65536, .fvf = D3DFVF_XYZRHW, .stride = 16};

    open_world(w, 64, 0);
    put_declaration(w);
    put_code(w, D3DDP2OP_CREATEVERTEXSHADERFUNC, 1, nested);
    put_one(w, D3DDP2OP_SETVERTEXSHADERFUNC, 1);
    put_stream(w, 0);
    assert_int_equal(submit(w), DD_OK);
    process.context = w->context;
    process.bytes = 65536 * 16;
    process.vertices = malloc(process.bytes);
    assert_int_equal(client_process_vertices(w->client, &process), HAL_TOO_MUCH_WORK);
    free(process.vertices);
    goes_on(w);
    close_world(w);
}

#define TRIANGLE_BYTES 60
#define TRIANGLES      (65536 / TRIANGLE_BYTES)

/* The buffer holds triangles in pixels, each over a target of that size, and is the current stream. */
static void put_pixels(struct world *w, float size)
{
    const uint32_t colors[3] = {0x80ff4020, 0x8020ff40, 0x804020ff};
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(w->buffer, 0), NULL, 0, &lock), DD_OK);
    for (unsigned i = 0; i < 3 * TRIANGLES; i++) {
        const float v[4] = {i % 3 == 1 ? 2 * size : 0, i % 3 == 2 ? 2 * size : 0, 0.5f, 1};

        memcpy(lock.bits + 20 * i, v, 16);
        memcpy(lock.bits + 20 * i + 16, &colors[i % 3], 4);
    }
    client_unlock(client_part(w->buffer, 0));
    put_state(w, D3DRS_CULLMODE, D3DCULL_NONE);
    put_state(w, D3DRS_ZENABLE, 0);
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    put_stream(w, 20);
}

/* Triangles over the whole target, with blending or with a long program. */
static void test_pixels(void **state)
{
    static const char loop[] =
        "ps_3_0\ndefi i0, 255, 0, 0, 0\ndcl_color v0\nmov r0, v0\nrep i0\nrep i0\npow r0, r0.x, c0.x\n"
        "endrep\nendrep\nmov oC0, r0\n";
    struct world *w = *state;

    for (unsigned round = 0; round < 4; round++) {
        open_world(w, 64, round == 3 ? 16 : 0);
        put_state(w, D3DRS_ALPHABLENDENABLE, round != 1);
        put_state(w, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
        put_state(w, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
        put_pixels(w, 64);
        if (round == 2) {
            put_code(w, D3DDP2OP_CREATEPIXELSHADER, 3, loop);
            put_one(w, D3DDP2OP_SETPIXELSHADER, 3);
        }
        fill_with_draws(w, TRIANGLES);
        expect_end(w);
        close_world(w);
    }
}

/* The charge for a call does not depend on how many threads draw the gathered primitives, nor on when. */
static void test_same_charge_with_any_threads(void **state)
{
    struct world *w = *state;
    const uint32_t many[3] = {D3DPT_TRIANGLELIST, 0, TRIANGLES}, few[3] = {D3DPT_TRIANGLELIST, 0, 2};
    uint64_t cost[2], mark;

    for (unsigned round = 0; round < 2; round++) {
        threads = round ? 4 : 1;
        open_world(w, 64, 0);
        hal_work_allow(driver_of(w), 100 * BOUND);
        w->other = picture(w, CLIENT_TARGET, D3DFMT_A8R8G8B8, 64, 1, 0);
        mark = driver_of(w)->work_done;
        put_pixels(w, 4);
        for (unsigned i = 0; i < 180; i++) { /* more than a scene holds */
            put_state(w, D3DRS_TEXTUREFACTOR, i);
            assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, i % 90 ? many : few, sizeof(many)));
            if (i % 90 == 0) {
                const uint32_t other[2] = {handle(w->other), 0}, target[2] = {handle(w->target), handle(w->depth)};

                assert_true(put(w, D3DDP2OP_SETRENDERTARGET, other, sizeof(other)));
                assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, few, sizeof(few)));
                assert_true(put(w, D3DDP2OP_SETRENDERTARGET, target, sizeof(target)));
            }
        }
        assert_int_equal(submit(w), DD_OK);
        cost[round] = cost_since(w, mark);
        assert_int_equal(cost[round], hal_context_find(driver_of(w), (uint32_t)w->context)->scene.work.done);
        close_world(w);
    }
    threads = 1;
    assert_true(cost[0] > 0);
    assert_int_equal(cost[0], cost[1]);
}

/* Each word costs the same, however long the code is. */
static void test_shader_code(void **state)
{
    struct world *w = *state;
    uint32_t *body = (uint32_t *)w->bytes, n = 0;
    uint64_t mark;

    for (unsigned round = 0; round < 2; round++) {
        open_world(w, 64, 0);
        n = 1;
        body[n++] = 3;
        body[n++] = 0;
        body[n++] = round ? 0xffff0300 : 0xffff0200;
        while (n + 6 < CALL_BYTES / 4) { /* mov oC0, r0, many times: for each, the compiler checks whether r0 is read
                                          * later */
            body[n++] = 0x02000001;
            body[n++] = 0x800f0800;
            body[n++] = 0x80e40000;
        }
        body[n++] = 0xffff;
        body[2] = 4 * (n - 3);
        memcpy(w->bytes, (const uint8_t[4]){D3DDP2OP_CREATEPIXELSHADER, 0, 1, 0}, 4);
        w->builder.length = 4 * n;
        mark = driver_of(w)->work_done;
        assert_int_equal(submit(w), DD_OK);
        assert_int_equal(cost_since(w, mark), (n - 3) * (uint64_t)HAL_WORK_CODE_TOKEN);
        close_world(w);
    }
}

/* --- copies and surfaces ------------------------------------------------------------ */

static void put_blt(struct world *w, uint32_t from, uint32_t to, unsigned from_size, unsigned to_size)
{
    const uint32_t body[13] = {from, 0, 0, from_size, from_size, 0, to, 0, 0, to_size, to_size, 0, 1};

    assert_true(put(w, D3DDP2OP_BLT, body, sizeof(body)));
}

static void test_blits(void **state)
{
    struct world *w = *state;

    for (unsigned round = 0; round < 3; round++) {
        open_world(w, 512, round == 2 ? 16 : 0);
        w->texture = picture(w, CLIENT_TEXTURE, round == 1 ? 113 /* A16B16G16R16F */ : D3DFMT_R5G6B5, 512, 1, 0);
        w->other = picture(w, CLIENT_TARGET, D3DFMT_A8R8G8B8, 512, 1, round == 2 ? 16 : 0);
        while (w->builder.length + 112 <= CALL_BYTES) {
            put_blt(w, round == 2 ? handle(w->other) : handle(w->texture), handle(w->target), 512, 500);
            put_blt(w, handle(w->target), handle(w->other), 512, 512);
        }
        expect_end(w);
        close_world(w);
    }
}

static void test_levels_and_palettes(void **state)
{
    struct world *w = *state;

    open_world(w, 64, 0);
    w->texture = picture(w, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 1024, 0, 0);
    client_chain_destroy(w->texture);
    w->texture = picture(w, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 1024, 11, 0);
    while (w->builder.length + 12 <= CALL_BYTES) {
        const uint32_t body[2] = {handle(w->texture), D3DTEXF_LINEAR};

        assert_true(put(w, D3DDP2OP_GENERATEMIPSUBLEVELS, body, sizeof(body)));
    }
    expect_end(w);
    close_world(w);
    open_world(w, 64, 0);
    w->texture = picture(w, CLIENT_TEXTURE, D3DFMT_P8, 2048, 1, 0);
    put_declaration(w);
    put_stream(w, 12);
    assert_true(put(w, D3DDP2OP_TEXTURESTAGESTATE, (const uint32_t[2]){0, handle(w->texture)}, 8));
    while (w->builder.length + 12 + 4 + 4 + 16 + 4 <= CALL_BYTES) {
        uint8_t entries[12] = {7, 0, 0, 0, 0, 0, 1, 0, (uint8_t)w->builder.length};
        const uint32_t palette[3] = {7, 1, handle(w->texture)}, draw[3] = {D3DPT_TRIANGLELIST, 0, 1};

        assert_true(put(w, D3DDP2OP_SETPALETTE, palette, sizeof(palette)));
        assert_true(put(w, D3DDP2OP_UPDATEPALETTE, entries, sizeof(entries)));
        if (w->builder.length + 16 <= CALL_BYTES)
            assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, draw, sizeof(draw)));
    }
    expect_end(w);
    close_world(w);
}

static void test_patches(void **state)
{
    struct world *w = *state;
    uint32_t body[13] = {0, 3, 0, 0, 0, 0, 0, 0, 6, 6, 6, 0, 5};
    const float segments = 256;

    open_world(w, 64, 0);
    put_declaration(w);
    put_stream(w, 12);
    for (unsigned i = 0; i < 4; i++)
        memcpy(&body[2 + i], &segments, 4);
    while (w->builder.length + 60 <= CALL_BYTES)
        assert_true(put(w, D3DDP2OP_DRAWRECTPATCH, body, sizeof(body)));
    expect_end(w);
    close_world(w);
}

/* --- other entry points ------------------------------------------------------------- */

#define BIG 2048u

static void test_clip_lists(void **state)
{
    struct world *w = *state;
    DDHAL_BLTDATA data = {.IsClipped = TRUE, .dwRectCnt = 4000, .dwFlags = DDBLT_ROP};
    RECT *rects = calloc(4000, sizeof(*rects));
    const RECTL all = {0, 0, (LONG)BIG, (LONG)BIG};
    uint64_t mark, list;

    open_world(w, 64, 0);
    w->texture = picture(w, CLIENT_TARGET, D3DFMT_A8R8G8B8, BIG, 1, 0);
    w->other = picture(w, CLIENT_TARGET, D3DFMT_X8R8G8B8, BIG, 1, 0);
    for (unsigned i = 0; i < 4000; i++)
        rects[i] = (RECT){0, 0, (LONG)BIG, (LONG)BIG};
    data.prDestRects = rects;
    data.rDest = data.rSrc = all;
    data.lpDDDestSurface = &client_part(w->texture, 0)->lcl;
    data.lpDDSrcSurface = &client_part(w->other, 0)->lcl;
    data.bltFX.dwROP = SRCCOPY;
    w->driver.surface.Blt(&data);
    assert_int_equal(data.ddRVal, HAL_TOO_MUCH_WORK);
    goes_on(w);
    data.dwFlags = DDBLT_COLORFILL;
    data.lpDDSrcSurface = NULL;
    w->driver.surface.Blt(&data);
    assert_int_equal(data.ddRVal, HAL_TOO_MUCH_WORK);
    goes_on(w);
    /* a partition costs what one rectangle costs */
    hal_work_allow(driver_of(w), 10 * BOUND);
    for (unsigned i = 0; i < BIG; i++)
        rects[i] = (RECT){(LONG)i, 0, (LONG)i + 1, (LONG)BIG};
    data.dwFlags = DDBLT_ROP;
    data.dwRectCnt = BIG;
    data.lpDDSrcSurface = &client_part(w->other, 0)->lcl;
    mark = driver_of(w)->work_done;
    w->driver.surface.Blt(&data);
    assert_int_equal(data.ddRVal, DD_OK);
    list = cost_since(w, mark);
    data.IsClipped = FALSE;
    mark = driver_of(w)->work_done;
    w->driver.surface.Blt(&data);
    assert_int_equal(data.ddRVal, DD_OK);
    assert_int_equal(cost_since(w, mark), BIG * BIG * (uint64_t)HAL_WORK_CONVERT);
    assert_int_equal(list, cost_since(w, mark));
    close_world(w);
    free(rects);
}

/* A refused call changes nothing. */
static void test_blits_without_a_context(void **state)
{
    struct world *w = *state;
    DDHAL_BLTDATA data = {.dwFlags = DDBLT_COLORFILL, .rDest = {0, 0, 64, 64}};
    unsigned fills = 0;

    open_world(w, 64, 0);
    data.lpDDDestSurface = &client_part(w->target, 0)->lcl;
    do {
        data.bltFX.dwFillColor = ++fills;
        w->driver.surface.Blt(&data);
    } while (data.ddRVal == DD_OK);
    assert_int_equal(data.ddRVal, HAL_TOO_MUCH_WORK);
    assert_int_equal(first_pixel(w), fills - 1);
    assert_in_range(fills, BOUND / (64 * 64 * 4 * HAL_WORK_COPY) - 4, BOUND / (64 * 64 * 4 * HAL_WORK_COPY) + 1);
    goes_on(w);
    close_world(w);
}

/* Surfaces that are created, and samples that are resolved for a lock. */
static void test_surfaces(void **state)
{
    struct world *w = *state;
    uint64_t mark;

    open_world(w, 64, 4);
    mark = driver_of(w)->work_done;
    w->texture = picture(w, CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 64, 1, 0);
    assert_in_range(cost_since(w, mark), 64 * 64 * 4 * HAL_WORK_COPY,
                    64 * 64 * 4 * HAL_WORK_COPY + 4096 * HAL_WORK_COPY);
    client_clear(w->client, w->context, D3DCLEAR_TARGET, 7, 1, 0, NULL, 0);
    mark = driver_of(w)->work_done;
    assert_int_equal(first_pixel(w), 7);
    assert_int_equal(cost_since(w, mark), 4 * 64 * 64 * HAL_WORK_SAMPLE);
    close_world(w);
}

/* Consecutive clears cost no pixels; overlapping rectangles of one clear are work. */
static void test_clears(void **state)
{
    struct world *w = *state;
    D3DRECT *rects = calloc(4000, sizeof(*rects));
    uint64_t mark, one;

    open_world(w, BIG, 0);
    hal_work_allow(driver_of(w), 10 * BOUND);
    first_pixel(w);
    mark = driver_of(w)->work_done;
    assert_int_equal(client_clear(w->client, w->context, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.5f, 0, NULL, 0),
                     DD_OK);
    one = cost_since(w, mark);
    assert_true(one >= BIG * BIG * UINT64_C(100));
    for (unsigned i = 1; i < 1500; i++)
        assert_int_equal(client_clear(w->client, w->context, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, i, 0.5f, 0, NULL, 0),
                         DD_OK);
    assert_int_equal(first_pixel(w), 1499);
    assert_true(cost_since(w, mark) < 2 * one);
    for (unsigned i = 0; i < 4000; i++)
        rects[i] = (D3DRECT){.x1 = (LONG)(i % 2), .y1 = (LONG)(i % 3), .x2 = (LONG)(BIG - i % 5), .y2 = (LONG)BIG};
    assert_int_equal(client_clear(w->client, w->context, D3DCLEAR_TARGET, 7, 1, 0, rects, 4000), HAL_TOO_MUCH_WORK);
    goes_on(w);
    close_world(w);
    free(rects);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertex_programs),
        cmocka_unit_test(test_indexed_vertex_programs),
        cmocka_unit_test(test_processed_vertices),
        cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_same_charge_with_any_threads),
        cmocka_unit_test(test_shader_code),
        cmocka_unit_test(test_blits),
        cmocka_unit_test(test_levels_and_palettes),
        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_clip_lists),
        cmocka_unit_test(test_blits_without_a_context),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_clears),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
