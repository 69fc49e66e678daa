/* SPDX-License-Identifier: MIT */
/*
 * Calls that are made to take long: 64 KiB of commands, or one call of another entry point, that use the same large
 * surfaces again and again. If work is limited, each call stops at the token that exceeds the limit, and the driver
 * continues to draw when more is allowed. Without a limit, nothing is lost. The tests check the cost as the driver
 * counts it, and read no clock.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "client/client.h"
#include "client/umd/bridge.h"
#include "dp2/dp2.h"
#include "dp2/tokens.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"
#include "hal/work.h"

#define CALL_BYTES 65536

#define BOUND      (UINT64_C(1) << 36) /* 0.07 s of one core */

struct world {
    struct client_driver driver;
    struct client *client;
    struct client_chain *target, *depth, *commands, *buffer, *indices, *texture, *other;
    uintptr_t context;
    _Alignas(8) uint8_t bytes[CALL_BYTES];
    struct dp2_builder builder;
};

static unsigned threads = 1;

static struct client_chain *create(struct world *w, struct client_chain_desc desc)
{
    struct client_chain *chain;

    assert_int_equal(client_chain_create(w->client, &desc, &chain), DD_OK);
    return chain;
}

static struct client_chain *picture(struct world *w, uint32_t usage, uint32_t format, unsigned size, unsigned levels,
                                    unsigned samples)
{
    return create(
        w, (struct client_chain_desc){
               .usage = usage, .format = format, .width = size, .height = size, .levels = levels, .samples = samples});
}

static uint32_t handle(struct client_chain *chain)
{
    return client_handle(client_part(chain, 0));
}

static struct hal_driver *driver_of(const struct world *w)
{
    return hal_surface_from_lcl(&client_part(w->target, 0)->lcl)->base.driver;
}

static void open_world(struct world *w, unsigned size, unsigned samples)
{
    struct client_lock lock;

    memset(w, 0, sizeof(*w));
    assert_int_equal(client_driver_init(&w->driver, client_umd_or(HalcyonDriverInit, OpenAdapter)), DD_OK);
    w->client = client_create(&w->driver);
    w->target = picture(w, CLIENT_TARGET, D3DFMT_A8R8G8B8, size, 1, samples);
    w->depth = picture(w, CLIENT_DEPTH, D3DFMT_D24S8, size, 1, samples);
    w->commands = create(w, (struct client_chain_desc){.usage = CLIENT_COMMAND_BUFFER, .width = CALL_BYTES});
    w->buffer = create(w, (struct client_chain_desc){.usage = CLIENT_VERTEX_BUFFER, .width = 65536});
    driver_of(w)->threads = threads;
    assert_int_equal(client_context_create(w->client, client_part(w->target, 0), client_part(w->depth, 0),
                                           DDI_LEVEL_DX9, &w->context),
                     DD_OK);
    assert_int_equal(client_lock(client_part(w->buffer, 0), NULL, 0, &lock), DD_OK);
    for (unsigned i = 0; i < 16384; i++) {
        const float f = (float)((int)(i * 7 % 11) - 5) / 2.0f;

        memcpy(lock.bits + 4 * i, &f, 4);
    }
    client_unlock(client_part(w->buffer, 0));
    hal_work_allow(driver_of(w), BOUND);
    dp2_builder_init(&w->builder, w->bytes, sizeof(w->bytes));
}

static void close_world(struct world *w)
{
    client_context_destroy(w->client, w->context);
    client_chain_destroy(w->other);
    client_chain_destroy(w->texture);
    client_chain_destroy(w->indices);
    client_chain_destroy(w->buffer);
    client_chain_destroy(w->commands);
    client_chain_destroy(w->depth);
    client_chain_destroy(w->target);
    client_destroy(w->client);
    client_driver_close(&w->driver);
}

static bool put(struct world *w, uint8_t token, const void *body, size_t size)
{
    return dp2_put(&w->builder, token, 1, body, size) != NULL;
}

static void put_state(struct world *w, uint32_t state, uint32_t value)
{
    const uint32_t body[2] = {state, value};

    assert_true(put(w, D3DDP2OP_RENDERSTATE, body, sizeof(body)));
}

static void put_one(struct world *w, uint8_t token, uint32_t value)
{
    assert_true(put(w, token, &value, sizeof(value)));
}

/* The first bytes of the buffer, as one call. error_offset: where it failed; may be NULL. */
static HRESULT submit_part(struct world *w, size_t bytes, uint32_t *error_offset)
{
    struct client_draw draw = {
        .context = w->context, .commands = client_part(w->commands, 0), .command_length = (uint32_t)bytes};
    struct client_lock lock;
    HRESULT hr;

    assert_int_equal(client_lock(draw.commands, NULL, DDLOCK_DISCARDCONTENTS, &lock), DD_OK);
    memcpy(lock.bits, w->bytes, bytes);
    client_unlock(draw.commands);
    hr = client_draw(w->client, &draw);
    if (error_offset)
        *error_offset = draw.error_offset;
    return hr;
}

static HRESULT submit(struct world *w)
{
    const size_t bytes = w->builder.length;

    dp2_builder_init(&w->builder, w->bytes, sizeof(w->bytes));
    return submit_part(w, bytes, NULL);
}

/* Picoseconds that calls have cost since `mark`, an earlier total. */
static uint64_t cost_since(const struct world *w, uint64_t mark)
{
    return driver_of(w)->work_done - mark;
}

/* Waits until everything is drawn. */
static uint32_t first_pixel(struct world *w)
{
    struct client_lock lock;
    uint32_t pixel;

    assert_int_equal(client_lock(client_part(w->target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&pixel, lock.bits, 4);
    client_unlock(client_part(w->target, 0));
    return pixel;
}

/* After a call that exceeded the limit: exactly the allowed cost was used, further calls are refused, and with more
 * allowed the driver continues. */
static void goes_on(struct world *w)
{
    const uint32_t clear[8] = {D3DCLEAR_TARGET, 0xff123456, 0x3f800000, 0, 0, 0, 8, 8};
    uint32_t error_offset;
    size_t bytes;

    assert_int_equal(driver_of(w)->work_done, driver_of(w)->work_allowed);
    dp2_builder_init(&w->builder, w->bytes, sizeof(w->bytes));
    put_state(w, D3DRS_ALPHABLENDENABLE, 0);
    assert_true(put(w, D3DDP2OP_CLEAR, clear, sizeof(clear)));
    bytes = w->builder.length;
    assert_int_equal(submit_part(w, bytes, &error_offset), HAL_TOO_MUCH_WORK);
    assert_int_equal(error_offset, 0);
    hal_work_allow(driver_of(w), BOUND);
    assert_int_equal(submit(w), DD_OK);
    assert_int_equal(first_pixel(w), 0xff123456);
    assert_true(driver_of(w)->work_done < driver_of(w)->work_allowed);
}

/* The assembled call stops at the right token: everything before it costs less than the limit. */
static void expect_end(struct world *w)
{
    const size_t bytes = w->builder.length;
    struct dp2_cursor cursor;
    struct dp2_command command;
    uint32_t error_offset, again;
    uint64_t mark;

    assert_int_equal(submit_part(w, bytes, &error_offset), HAL_TOO_MUCH_WORK);
    assert_int_equal(driver_of(w)->work_done, driver_of(w)->work_allowed);
    dp2_cursor_init(&cursor, w->bytes, bytes, 0);
    do
        assert_int_equal(dp2_next(&cursor, &command), DP2_OK);
    while (command.offset < error_offset);
    assert_int_equal(command.offset, error_offset);
    hal_work_allow(driver_of(w), BOUND);
    mark = driver_of(w)->work_done;
    assert_int_equal(submit_part(w, error_offset, &again), DD_OK);
    assert_true(cost_since(w, mark) < BOUND);
    assert_int_equal(submit_part(w, bytes, &again), HAL_TOO_MUCH_WORK);
    assert_true(again <= error_offset);
    goes_on(w);
}

/* --- programs ----------------------------------------------------------------------- */

static void put_code(struct world *w, uint8_t token, uint32_t number, const char *text)
{
    uint32_t body[512] = {number};
    const size_t count = shader_assemble(text, body + 2, 500, NULL);

    assert_true(count > 0);
    body[1] = (uint32_t)(4 * count);
    assert_true(put(w, token, body, 8 + 4 * count));
}

static void put_declaration(struct world *w)
{
    /* POSITION0 FLOAT3 */
    const uint32_t body[6] = {5, 2, 0, 2, 255, 17};

    assert_true(put(w, D3DDP2OP_CREATEVERTEXSHADERDECL, body, sizeof(body)));
    put_one(w, D3DDP2OP_SETVERTEXSHADERDECL, 5);
}

static void put_stream(struct world *w, uint32_t stride)
{
    const uint32_t body[3] = {0, handle(w->buffer), stride};

    assert_true(put(w, D3DDP2OP_SETSTREAMSOURCE, body, sizeof(body)));
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

/* --- without a bound ---------------------------------------------------------------- */

/* Each draw adds 1 to each channel. */
static void put_layers(struct world *w)
{
    const uint32_t stages[2][2] = {{D3DTSS_COLOROP << 16, D3DTOP_SELECTARG1}, {D3DTSS_COLORARG1 << 16, D3DTA_TFACTOR}};
    const uint32_t viewport[4] = {0, 0, 64, 64}, clear[8] = {D3DCLEAR_TARGET, 0, 0x3f800000, 0, 0, 0, 64, 64};
    const float range[2] = {0, 1};

    assert_true(put(w, D3DDP2OP_VIEWPORTINFO, viewport, sizeof(viewport)));
    assert_true(put(w, D3DDP2OP_ZRANGE, range, sizeof(range)));
    assert_true(put(w, D3DDP2OP_CLEAR, clear, sizeof(clear)));
    put_state(w, D3DRS_CULLMODE, D3DCULL_NONE);
    put_state(w, D3DRS_ZENABLE, 0);
    put_state(w, D3DRS_LIGHTING, 0);
    put_state(w, D3DRS_ALPHABLENDENABLE, 1);
    put_state(w, D3DRS_SRCBLEND, D3DBLEND_ONE);
    put_state(w, D3DRS_DESTBLEND, D3DBLEND_ONE);
    put_state(w, D3DRS_TEXTUREFACTOR, 0x00010101);
    for (unsigned i = 0; i < 2; i++)
        assert_true(put(w, D3DDP2OP_TEXTURESTAGESTATE, stages[i], sizeof(stages[i])));
}

static void fill_buffer(struct world *w, const void *data, size_t bytes)
{
    struct client_lock lock;

    assert_int_equal(client_lock(client_part(w->buffer, 0), NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, data, bytes);
    client_unlock(client_part(w->buffer, 0));
}

static uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

/* 6 x 6 control points of a plane over the target, with the finest division. */
static void put_patches(struct world *w, unsigned count)
{
    const uint32_t all = float_bits(256), body[13] = {0, 3, all, all, all, all, 0, 0, 6, 6, 6, 0, 5};
    float points[36][3];

    for (unsigned i = 0; i < 36; i++)
        memcpy(points[i], (float[3]){(float)(i % 6) * 0.4f - 1, (float)(i / 6) * 0.4f - 1, 0.5f}, 12);
    fill_buffer(w, points, sizeof(points));
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ);
    put_stream(w, 12);
    for (unsigned i = 0; i < count; i++)
        assert_true(put(w, D3DDP2OP_DRAWRECTPATCH, body, sizeof(body)));
}

/* Triangles with one normal stay flat, however many they become. */
static void put_npatches(struct world *w, unsigned count)
{
    static const float corners[6][6] = {{-1, -1, 0.5f, 0, 0, 1}, {1, -1, 0.5f, 0, 0, 1}, {-1, 1, 0.5f, 0, 0, 1},
                                        {1, -1, 0.5f, 0, 0, 1},  {1, 1, 0.5f, 0, 0, 1},  {-1, 1, 0.5f, 0, 0, 1}};

    fill_buffer(w, corners, sizeof(corners));
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZ | D3DFVF_NORMAL);
    put_stream(w, 24);
    put_state(w, D3DRS_PATCHSEGMENTS, float_bits(32));
    for (unsigned i = 0; i < count; i++)
        assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, (const uint32_t[3]){D3DPT_TRIANGLELIST, 0, 2}, 12));
}

static void put_points(struct world *w, unsigned count)
{
    static const char loop[] = "ps_3_0\ndefi i0, 100, 0, 0, 0\ndef c0, 0.5, 0.25, 0, 0.0039215687\nmov r0, c0\nrep i0\n"
                               "mad r0, r0, c0.x, c0.y\nendrep\nmad r0, r0, c0.z, c0.w\nmov oC0, r0\n";
    static const float middle[4] = {32, 32, 0.5f, 1};

    fill_buffer(w, middle, sizeof(middle));
    put_one(w, D3DDP2OP_SETVERTEXSHADER, D3DFVF_XYZRHW);
    put_stream(w, 16);
    put_state(w, D3DRS_POINTSIZE, float_bits(64));
    put_state(w, D3DRS_POINTSPRITEENABLE, 1);
    put_code(w, D3DDP2OP_CREATEPIXELSHADER, 3, loop);
    put_one(w, D3DDP2OP_SETPIXELSHADER, 3);
    for (unsigned i = 0; i < count; i++) {
        assert_true(put(w, D3DDP2OP_DRAWPRIMITIVE, (const uint32_t[3]){D3DPT_POINTLIST, 0, 1}, 12));
        put_state(w, D3DRS_STENCILREF, i);
    }
}

/* A driver without a limit draws everything, whatever the settings of players say. */
static void test_nothing_is_lost(void **state)
{
    static const struct {
        void (*put)(struct world *w, unsigned count);
        unsigned count;
    } kinds[] = {{put_patches, 8}, {put_npatches, 200}, {put_points, 200}};
    struct world *w = *state;
    struct client_lock lock;

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        open_world(w, 64, 0);
        driver_of(w)->work_allowed = HAL_WORK_UNBOUNDED;
        const uint64_t mark = driver_of(w)->work_done;

        put_layers(w);
        kinds[i].put(w, kinds[i].count);
        assert_int_equal(submit(w), DD_OK);
        assert_true(cost_since(w, mark) > BOUND / 4);
        assert_int_equal(client_lock(client_part(w->target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
        for (unsigned pixel = 0; pixel < 64 * 64; pixel++) {
            uint32_t color;

            memcpy(&color, lock.bits + pixel / 64 * (size_t)lock.pitch + pixel % 64 * 4, 4);
            assert_int_equal(color & 0xffffff, kinds[i].count * 0x010101);
        }
        client_unlock(client_part(w->target, 0));
        close_world(w);
    }
}

static void test_a_driver_is_not_bounded_by_itself(void **state)
{
    struct client_driver driver;
    struct client *client;
    HALCYON_ALLOWANCE allowance = {.add = 0};

    (void)state;
    assert_int_equal(client_driver_init(&driver, client_umd_or(HalcyonDriverInit, OpenAdapter)), DD_OK);
    client = client_create(&driver);
    assert_int_equal(client_allow_work(client, &allowance), DD_OK);
    assert_true(allowance.allowed == UINT64_MAX);
    allowance.add = 1000;
    assert_int_equal(client_allow_work(client, &allowance), DD_OK);
    assert_int_equal(allowance.allowed, allowance.done + 1000);
    allowance.add = UINT64_MAX;
    assert_int_equal(client_allow_work(client, &allowance), DD_OK);
    assert_true(allowance.allowed == UINT64_MAX - 1);
    client_destroy(client);
    client_driver_close(&driver);
}

static int set_up(void **state)
{
    setenv("HALCYON_WORK_LIMIT", "1", 1);
    setenv("HALCYON_THREADS", "1", 1);
    *state = calloc(1, sizeof(struct world));
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
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
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_a_driver_is_not_bounded_by_itself),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
