/* SPDX-License-Identifier: MIT */
/*
 * A device of the runtime's shared part on the driver: adapter, link, context and pipe, and the sent commands as text,
 * a line for each entry: "SETSTREAMSOURCE2 stream=0 buffer=3 ...".
 */
#ifndef TESTS_UNIT_RT_FIXTURE_H
#define TESTS_UNIT_RT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <windows.h>

#include <d3d8.h>

#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "d3d/halcyon.h"
#include "d3d/states.h"
#include "dp2/dp2.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/state/record.h"
#include "runtime/d3d8/rules.h"
#include "runtime/d3d9/rules.h"

#define RT_SIZE 64 /* pixels of the target, both ways */

struct rt_fixture {
    struct rt_adapter *adapter;
    struct rt_link *link;
    struct rt_chain *target, *depth;
    struct rt_pipe pipe;
    struct rt_device_base device;
};

/* The tokens of the calls since the last check, each with the first bytes of its body. */
struct rt_sent {
    uint8_t token;
    uint32_t word[8]; /* of the entry's head and data */
    unsigned words;
};
static struct rt_sent rt_sent[8192];
static unsigned rt_sent_count;
static unsigned rt_calls;
static LPD3DHAL_DRAWPRIMITIVES2CB rt_driver_draw;

static void rt_note_entry(uint8_t token, const struct dp2_entry *entry)
{
    struct rt_sent *sent = &rt_sent[rt_sent_count];
    uint8_t bytes[sizeof(sent->word)] = {0};
    size_t head = entry->head_size < sizeof(bytes) ? entry->head_size : sizeof(bytes);
    size_t data = entry->data_size < sizeof(bytes) - head ? entry->data_size : sizeof(bytes) - head;

    if (rt_sent_count == sizeof(rt_sent) / sizeof(rt_sent[0]))
        return;
    memcpy(bytes, entry->head, head);
    if (data)
        memcpy(bytes + head, entry->data, data);
    memcpy(sent->word, bytes, sizeof(bytes));
    sent->token = token;
    sent->words = (unsigned)((head + data) / 4);
    rt_sent_count++;
}

static DWORD PASCAL rt_spy(LPD3DHAL_DRAWPRIMITIVES2DATA data)
{
    struct client_surface *surface = (struct client_surface *)data->lpDDCommands;
    const uint8_t *bytes = (const uint8_t *)surface->gbl.fpVidMem + data->dwCommandOffset;
    struct dp2_cursor cursor;
    struct dp2_command command;

    rt_calls++;
    dp2_cursor_init(&cursor, bytes, data->dwCommandLength, 0);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};
        while (dp2_next_entry(&command, &entry))
            rt_note_entry(command.info->number, &entry);
    }
    return rt_driver_draw(data);
}

/* Forgets the commands that were sent. */
static inline void rt_forget(struct rt_fixture *f)
{
    assert_int_equal(rt_flush(f->link), D3D_OK);
    rt_sent_count = 0;
    rt_calls = 0;
}

/* Sends the batch; returns how many entries of `token` were sent since rt_forget. */
static inline unsigned rt_count(struct rt_fixture *f, uint8_t token)
{
    unsigned count = 0;

    assert_int_equal(rt_flush(f->link), D3D_OK);
    for (unsigned i = 0; i < rt_sent_count; i++)
        count += rt_sent[i].token == token;
    return count;
}

/* Entry `index` of `token`, which must exist. */
static inline const struct rt_sent *rt_find(struct rt_fixture *f, uint8_t token, unsigned index)
{
    assert_int_equal(rt_flush(f->link), D3D_OK);
    for (unsigned i = 0; i < rt_sent_count; i++)
        if (rt_sent[i].token == token && index-- == 0)
            return &rt_sent[i];
    fail_msg("token %u was not sent", token);
    return NULL;
}

static inline struct rt_adapter *rt_open_adapter(const struct rt_driver_rules *rules)
{
    struct client_driver driver;
    struct rt_adapter *adapter;

    assert_int_equal(client_driver_init(&driver, HalcyonDriverInit), DD_OK);
    rt_driver_draw = driver.d3d3.DrawPrimitives2;
    driver.d3d3.DrawPrimitives2 = rt_spy;
    adapter = rt_adapter_create(&driver, rules);
    assert_non_null(adapter);
    return adapter;
}

static inline struct rt_chain *rt_open_chain(struct rt_link *link, enum rt_chain_kind kind, uint32_t format)
{
    const struct rt_chain_desc desc = {.kind = kind,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = format,
                                       .width = RT_SIZE,
                                       .height = RT_SIZE,
                                       .depth = 1,
                                       .levels = 1};
    struct rt_chain *chain = NULL;

    assert_int_equal(rt_chain_create(link, &desc, &chain), D3D_OK);
    return chain;
}

static uint32_t rt_no_handle(struct rt_resource *resource)
{
    (void)resource;
    return 0;
}
static uint32_t rt_shader_handle(void *user, uint32_t handle)
{
    (void)user;
    return handle;
}

static void rt_keep_device(struct rt_device_base *device)
{
    (void)device;
}

static inline void rt_open_with(struct rt_fixture *f, const struct rt_driver_rules *driver,
                                const struct rt_state_rules *rules, bool software)
{
    static const struct rt_state_ops ops = {rt_no_handle, rt_no_handle, rt_shader_handle, rt_shader_handle,
                                            rt_no_handle};
    const struct rt_state_options options = {rules, true, 256.0f, software};

    memset(f, 0, sizeof(*f));
    f->adapter = rt_open_adapter(driver);
    f->link = rt_link_open(f->adapter);
    assert_non_null(f->link);
    f->target = rt_open_chain(f->link, RT_CHAIN_TARGET, D3DFMT_A8R8G8B8);
    f->depth = rt_open_chain(f->link, RT_CHAIN_DEPTH, D3DFMT_D24S8);
    assert_true(rt_link_create_context(f->link, f->target, 0, f->depth, 0));
    assert_true(rt_state_init(&f->pipe.state, &options));
    f->pipe.link = f->link;
    f->pipe.ops = &ops;
    f->pipe.state.viewport = (D3DVIEWPORT8){0, 0, RT_SIZE, RT_SIZE, 0.0f, 1.0f};
    f->pipe.state.scissor = (RECT){0, 0, RT_SIZE, RT_SIZE};
    rt_set_target(&f->pipe, 0, f->target, 0);
    rt_set_depth(&f->pipe, f->depth, 0);
    rt_device_base_init(&f->device, false, rt_keep_device);
    rt_forget(f);
}

/* By the rules of version 8 or 9. */
static inline void rt_open(struct rt_fixture *f, unsigned version, bool software)
{
    rt_open_with(f, version == 8 ? &d3d8_driver_rules : &d3d9_driver_rules,
                 version == 8 ? &d3d8_state_rules : &d3d9_state_rules, software);
}

static inline void rt_close(struct rt_fixture *f)
{
    rt_state_release(&f->pipe.state);
    rt_link_destroy_context(f->link);
    rt_chain_destroy(f->target);
    rt_chain_destroy(f->depth);
    rt_link_close(f->link);
    rt_adapter_destroy(f->adapter);
}

#endif
