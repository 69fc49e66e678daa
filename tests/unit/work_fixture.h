/* SPDX-License-Identifier: MIT */
/* A driver with two targets and a batch of commands, for tests of the cost of calls (hal/work.h). */
#ifndef HALCYON_TESTS_WORK_FIXTURE_H
#define HALCYON_TESTS_WORK_FIXTURE_H

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

static inline struct client_chain *create(struct world *w, struct client_chain_desc desc)
{
    struct client_chain *chain;

    assert_int_equal(client_chain_create(w->client, &desc, &chain), DD_OK);
    return chain;
}

static inline struct client_chain *picture(struct world *w, uint32_t usage, uint32_t format, unsigned size,
                                           unsigned levels, unsigned samples)
{
    return create(
        w, (struct client_chain_desc){
               .usage = usage, .format = format, .width = size, .height = size, .levels = levels, .samples = samples});
}

static inline uint32_t handle(struct client_chain *chain)
{
    return client_handle(client_part(chain, 0));
}

static inline struct hal_driver *driver_of(const struct world *w)
{
    return hal_surface_from_lcl(&client_part(w->target, 0)->lcl)->base.driver;
}

static inline void open_world(struct world *w, unsigned size, unsigned samples)
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

static inline void close_world(struct world *w)
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

static inline bool put(struct world *w, uint8_t token, const void *body, size_t size)
{
    return dp2_put(&w->builder, token, 1, body, size) != NULL;
}

static inline void put_state(struct world *w, uint32_t state, uint32_t value)
{
    const uint32_t body[2] = {state, value};

    assert_true(put(w, D3DDP2OP_RENDERSTATE, body, sizeof(body)));
}

static inline void put_one(struct world *w, uint8_t token, uint32_t value)
{
    assert_true(put(w, token, &value, sizeof(value)));
}

/* The first bytes of the buffer, as one call. error_offset: where it failed; may be NULL. */
static inline HRESULT submit_part(struct world *w, size_t bytes, uint32_t *error_offset)
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

static inline HRESULT submit(struct world *w)
{
    const size_t bytes = w->builder.length;

    dp2_builder_init(&w->builder, w->bytes, sizeof(w->bytes));
    return submit_part(w, bytes, NULL);
}

/* Picoseconds that calls have cost since `mark`, an earlier total. */
static inline uint64_t cost_since(const struct world *w, uint64_t mark)
{
    return driver_of(w)->work_done - mark;
}

/* Waits until everything is drawn. */
static inline uint32_t first_pixel(struct world *w)
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
static inline void goes_on(struct world *w)
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
static inline void expect_end(struct world *w)
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

static inline void put_stream(struct world *w, uint32_t stride)
{
    const uint32_t body[3] = {0, handle(w->buffer), stride};

    assert_true(put(w, D3DDP2OP_SETSTREAMSOURCE, body, sizeof(body)));
}

static inline void put_code(struct world *w, uint8_t token, uint32_t number, const char *text)
{
    uint32_t body[512] = {number};
    const size_t count = shader_assemble(text, body + 2, 500, NULL);

    assert_true(count > 0);
    body[1] = (uint32_t)(4 * count);
    assert_true(put(w, token, body, 8 + 4 * count));
}

static inline int set_up(void **state)
{
    setenv("HALCYON_WORK_LIMIT", "1", 1);
    setenv("HALCYON_THREADS", "1", 1);
    *state = calloc(1, sizeof(struct world));
    return *state ? 0 : -1;
}

static inline int tear_down(void **state)
{
    free(*state);
    return 0;
}

#endif
