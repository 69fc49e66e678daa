/* SPDX-License-Identifier: MIT */
/* The link to the driver: the context, and the batch of commands for it. */
#include "runtime/common/driver/link.h"

#include <d3d8.h>

#include "base/base.h"
#include "dp2/dp2.h"
#include "runtime/common/driver/query.h"

/* Enough for a few thousand draws; a full buffer costs one call into the driver. */
#define COMMAND_BYTES     (256u * 1024)
#define USER_VERTEX_BYTES (512u * 1024)

struct rt_link {
    struct rt_adapter *adapter;
    struct client *client;
    struct client_chain *commands;
    uintptr_t context;
    struct dp2_builder builder;
    bool building; /* the command buffer is locked */
    uint8_t *user; /* vertices of user-memory draws in the batch */
    size_t user_capacity, user_bytes;
    unsigned user_stride, user_count;
    uint32_t batches;  /* sent */
    HRESULT error;     /* first one since the last rt_flush */
    bool more_answers; /* the driver holds answers that did not fit into the command buffer */
    struct rt_query_list queries;
};

/* --- the link -------------------------------------------------------------------------- */

struct rt_link *rt_link_open(struct rt_adapter *adapter)
{
    struct client_chain_desc desc = {.usage = CLIENT_COMMAND_BUFFER, .width = COMMAND_BYTES};
    struct rt_link *link = mem_calloc(1, sizeof(*link));

    if (!link)
        return NULL;
    link->adapter = adapter;
    link->client = client_create(rt_adapter_driver(adapter));
    if (!link->client || FAILED(client_chain_create(link->client, &desc, &link->commands))) {
        log_error("no command buffer of %u bytes", COMMAND_BYTES);
        rt_link_close(link);
        return NULL;
    }
    return link;
}

void rt_link_close(struct rt_link *link)
{
    rt_link_destroy_context(link);
    client_chain_destroy(link->commands);
    if (link->client)
        client_destroy(link->client);
    rt_queries_free(&link->queries);
    free(link->user);
    free(link);
}

struct rt_adapter *rt_link_adapter(const struct rt_link *link)
{
    return link->adapter;
}

struct rt_query_list *rt_link_queries(struct rt_link *link)
{
    return &link->queries;
}

bool rt_link_create_context(struct rt_link *link, struct rt_chain *target, unsigned part, struct rt_chain *depth,
                            unsigned depth_part)
{
    HRESULT hr = client_context_create(link->client, target->parts[part].surface,
                                       depth ? depth->parts[depth_part].surface : NULL,
                                       rt_adapter_rules(link->adapter)->ddi_level, &link->context);

    if (FAILED(hr)) {
        log_error("the driver does not create a context: %08lx", (unsigned long)hr);
        link->context = 0;
        return false;
    }
    rt_queries_resend(link);
    return true;
}

void rt_link_destroy_context(struct rt_link *link)
{
    if (!link->context)
        return;
    rt_flush(link);
    client_context_destroy(link->client, link->context);
    link->context = 0;
    link->more_answers = false;
    rt_queries_lost(link);
}

bool rt_link_has_context(const struct rt_link *link)
{
    return link->context != 0;
}

HRESULT rt_link_validate(struct rt_link *link, DWORD *passes)
{
    rt_flush(link);
    return client_validate_stages(link->client, link->context, passes);
}

HRESULT rt_link_process_vertices(struct rt_link *link, struct client_process *process)
{
    rt_flush(link);
    process->context = link->context;
    return client_process_vertices(link->client, process);
}

bool rt_link_work(struct rt_link *link, HALCYON_WORK *work)
{
    return link->context && SUCCEEDED(client_work(link->client, link->context, work));
}

bool rt_link_code(struct rt_link *link, HALCYON_CODE *code)
{
    return link->context && SUCCEEDED(client_code(link->client, code));
}

unsigned rt_link_capture(struct rt_link *link, unsigned frames)
{
    HALCYON_CAPTURE capture = {.frames = frames};

    return link->context && SUCCEEDED(client_capture(link->client, link->context, &capture)) ? capture.state
                                                                                             : HALCYON_CAPTURE_OFF;
}

void rt_link_texture_memory(struct rt_link *link, uint32_t *total, uint32_t *free)
{
    if (FAILED(client_available_memory(link->client, total, free)))
        *total = *free = 0;
}

/* --- the batch ------------------------------------------------------------------------- */

static bool begin_batch(struct rt_link *link)
{
    struct client_lock lock;

    if (link->building)
        return true;
    if (FAILED(client_lock(client_part(link->commands, 0), NULL, 0, &lock)))
        return false;
    dp2_builder_init(&link->builder, lock.bits, COMMAND_BYTES);
    link->building = true;
    return true;
}

/* Reads what the driver has written over the commands of a call, from their offset on. */
static void read_answers(struct rt_link *link, uint32_t offset, uint32_t bytes)
{
    struct client_lock lock;

    link->more_answers = false;
    if (bytes > COMMAND_BYTES - offset ||
        FAILED(client_lock(client_part(link->commands, 0), NULL, DDLOCK_READONLY, &lock)))
        return;
    link->more_answers = rt_queries_read(link, lock.bits + offset, bytes);
    client_unlock(client_part(link->commands, 0));
}

/* Start of the command after the one that failed; the batch's end if there is none. */
static uint32_t behind(struct rt_link *link, uint32_t failed)
{
    const uint32_t end = (uint32_t)link->builder.length;
    struct dp2_command command;
    struct dp2_cursor cursor;
    struct client_lock lock;

    if (failed >= end || FAILED(client_lock(client_part(link->commands, 0), NULL, DDLOCK_READONLY, &lock)))
        return end;
    dp2_cursor_init(&cursor, lock.bits + failed, end - failed, 0);
    if (dp2_next(&cursor, &command) != DP2_OK)
        cursor.offset = end - failed;
    client_unlock(client_part(link->commands, 0));
    return failed + (uint32_t)cursor.offset;
}

/* The driver drops the commands after one that fails, including states that are not sent again: send them in another
 * call. */
static HRESULT send_commands(struct rt_link *link, struct client_draw *draw)
{
    const uint32_t end = draw->command_length;
    HRESULT first = DD_OK, hr;

    for (;;) {
        hr = client_draw(link->client, draw);
        if (SUCCEEDED(hr) || draw->error_offset < draw->command_offset)
            break;
        log_error("DrawPrimitives2 failed: %08lx at byte %u of %u", (unsigned long)hr, (unsigned)draw->error_offset,
                  (unsigned)end);
        first = SUCCEEDED(first) ? hr : first;
        draw->command_offset = behind(link, draw->error_offset);
        draw->command_length = end - draw->command_offset;
        if (!draw->command_length)
            break;
    }
    if (SUCCEEDED(first))
        first = hr;
    if (FAILED(first) && SUCCEEDED(link->error))
        link->error = first;
    return hr;
}

static void send_batch(struct rt_link *link)
{
    struct client_draw draw = {
        .context = link->context,
        .commands = client_part(link->commands, 0),
        .command_length = (uint32_t)link->builder.length,
        .user_vertices = link->user_count ? link->user : NULL,
        .vertex_count = link->user_count,
        .vertex_size = link->user_stride,
    };
    HRESULT hr;

    client_unlock(client_part(link->commands, 0));
    link->building = false;
    if (link->context && (link->builder.length || link->more_answers)) {
        hr = send_commands(link, &draw);
        if (hr == DD_OK && draw.error_offset) {
            read_answers(link, draw.command_offset, draw.error_offset);
        } else {
            link->more_answers = false;
            if (FAILED(hr))
                rt_queries_refused(link);
        }
    }
    link->user_bytes = 0;
    link->user_count = 0;
    link->batches++;
}

uint32_t rt_link_batch(const struct rt_link *link)
{
    return link->batches + 1;
}

HRESULT rt_flush(struct rt_link *link)
{
    HRESULT hr;

    if (link->building)
        send_batch(link);
    hr = link->error;
    link->error = DD_OK;
    return hr;
}

void rt_flush_answers(struct rt_link *link)
{
    if (link->building)
        send_batch(link);
    /* each call returns at least one answer, so more calls than queries are the driver's error */
    for (unsigned i = 0; i < link->queries.count && link->more_answers && begin_batch(link); i++)
        send_batch(link);
}

void rt_reserve(struct rt_link *link, size_t bytes)
{
    if (link->building && link->builder.capacity - link->builder.length < bytes)
        send_batch(link);
}

void *rt_put(struct rt_link *link, uint8_t token, uint16_t count, const void *body, size_t size)
{
    void *place;

    if (!begin_batch(link))
        return NULL;
    place = dp2_put(&link->builder, token, count, body, size);
    if (!place) {
        send_batch(link);
        if (begin_batch(link))
            place = dp2_put(&link->builder, token, count, body, size);
        if (!place)
            log_error("command %u with %zu bytes does not fit a batch", token, size);
    }
    return place;
}

void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size)
{
    if (!begin_batch(link))
        return;
    if (dp2_put_entry(&link->builder, token, entry, size))
        return;
    send_batch(link);
    if (begin_batch(link))
        dp2_put_entry(&link->builder, token, entry, size);
}

bool rt_put_user_vertices(struct rt_link *link, const void *vertices, unsigned count, unsigned stride, unsigned reach,
                          uint32_t *first)
{
    /* whole vertices, so that the next draw's begin at a number */
    const unsigned padding = reach > stride ? (reach - 1) / stride : 0;
    size_t given, bytes, end;

    if (__builtin_mul_overflow(count, stride, &given) || __builtin_mul_overflow(padding, stride, &bytes) ||
        __builtin_add_overflow(given, bytes, &bytes))
        return false;
    if (link->user_count &&
        (link->user_stride != stride || bytes > USER_VERTEX_BYTES || link->user_bytes > USER_VERTEX_BYTES - bytes))
        send_batch(link);
    if (__builtin_add_overflow(link->user_bytes, bytes, &end))
        return false;
    if (end > link->user_capacity) {
        size_t capacity = BASE_MAX(end, USER_VERTEX_BYTES);
        uint8_t *user = mem_realloc(link->user, capacity, 1);
        if (!user)
            return false;
        link->user = user;
        link->user_capacity = capacity;
    }
    memcpy(link->user + link->user_bytes, vertices, given);
    memset(link->user + link->user_bytes + given, 0, bytes - given);
    *first = link->user_count;
    link->user_bytes = end;
    link->user_count += count + padding;
    link->user_stride = stride;
    return true;
}

struct client *rt_link_client(struct rt_link *link)
{
    return link->client;
}
