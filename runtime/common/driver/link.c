/* SPDX-License-Identifier: MIT */
/* The link to the driver: the context, and the batch of commands for it. */
#include "runtime/common/driver/link.h"

#include <d3d8.h>

#include "base/base.h"
#include "client/batch.h"
#include "runtime/common/driver/query.h"

struct rt_link {
    struct rt_adapter *adapter;
    struct client *client;
    struct client_batch batch; /* with the context */
    struct rt_query_list queries;
};

/* --- the link -------------------------------------------------------------------------- */

struct rt_link *rt_link_open(struct rt_adapter *adapter)
{
    struct rt_link *link = mem_calloc(1, sizeof(*link));

    if (!link)
        return NULL;
    link->adapter = adapter;
    link->client = client_create(rt_adapter_driver(adapter));
    if (!link->client || FAILED(client_batch_open(&link->batch, link->client))) {
        log_error("no command buffer of %u bytes", CLIENT_BATCH_BYTES);
        rt_link_close(link);
        return NULL;
    }
    link->batch.answer = rt_queries_answer;
    link->batch.refused = rt_queries_refused;
    link->batch.owner = link;
    return link;
}

void rt_link_close(struct rt_link *link)
{
    rt_link_destroy_context(link);
    client_batch_close(&link->batch);
    if (link->client)
        client_destroy(link->client);
    rt_queries_free(&link->queries);
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
                                       rt_adapter_rules(link->adapter)->ddi_level, &link->batch.context);

    if (FAILED(hr)) {
        log_error("the driver does not create a context: %08lx", (unsigned long)hr);
        link->batch.context = 0;
        return false;
    }
    rt_queries_resend(link);
    return true;
}

void rt_link_destroy_context(struct rt_link *link)
{
    if (!link->batch.context)
        return;
    rt_flush(link);
    client_context_destroy(link->client, link->batch.context);
    link->batch.context = 0;
    link->batch.more_answers = false;
    rt_queries_lost(link);
}

bool rt_link_has_context(const struct rt_link *link)
{
    return link->batch.context != 0;
}

HRESULT rt_link_validate(struct rt_link *link, DWORD *passes)
{
    rt_flush(link);
    return client_validate_stages(link->client, link->batch.context, passes);
}

HRESULT rt_link_process_vertices(struct rt_link *link, struct client_process *process)
{
    rt_flush(link);
    process->context = link->batch.context;
    return client_process_vertices(link->client, process);
}

bool rt_link_work(struct rt_link *link, HALCYON_WORK *work)
{
    return link->batch.context && SUCCEEDED(client_work(link->client, link->batch.context, work));
}

bool rt_link_code(struct rt_link *link, HALCYON_CODE *code)
{
    return SUCCEEDED(client_code(link->client, code));
}

unsigned rt_link_capture(struct rt_link *link, unsigned frames)
{
    HALCYON_CAPTURE capture = {.frames = frames};

    return SUCCEEDED(client_capture(link->client, link->batch.context, &capture)) ? capture.state : HALCYON_CAPTURE_OFF;
}

void rt_link_texture_memory(struct rt_link *link, uint32_t *total, uint32_t *free)
{
    if (FAILED(client_available_memory(link->client, total, free)))
        *total = *free = 0;
}

/* --- the batch ------------------------------------------------------------------------- */

uint32_t rt_link_batch(const struct rt_link *link)
{
    return link->batch.sent + 1;
}

HRESULT rt_flush(struct rt_link *link)
{
    return client_batch_flush(&link->batch);
}

void rt_flush_answers(struct rt_link *link)
{
    client_batch_flush_answers(&link->batch, link->queries.count);
}

void rt_reserve(struct rt_link *link, size_t bytes)
{
    client_batch_reserve(&link->batch, bytes);
}

void *rt_put(struct rt_link *link, uint8_t token, uint16_t count, const void *body, size_t size)
{
    return client_batch_put(&link->batch, token, count, body, size);
}

void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size)
{
    client_batch_put_entry(&link->batch, token, entry, size);
}

bool rt_put_user_vertices(struct rt_link *link, const void *vertices, unsigned count, unsigned stride, unsigned reach,
                          uint32_t *first)
{
    return client_batch_put_vertices(&link->batch, vertices, count, stride, reach, first);
}

struct client *rt_link_client(struct rt_link *link)
{
    return link->client;
}
