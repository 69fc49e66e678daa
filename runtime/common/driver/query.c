/* SPDX-License-Identifier: MIT */
/* Queries: their commands, and answers from the driver. */
#include "runtime/common/driver/query.h"

#include <d3d8.h>

#include "base/base.h"
#include "client/query.h"

#define FRESH_ANSWER 0xdd

struct rt_query {
    struct rt_link *link;
    struct client_query query;
    uint32_t polled_in; /* rt_link_batch at the last request without an answer */
    uint32_t parts;     /* rt_query_set_parts */
};

uint32_t rt_query_size(uint32_t type)
{
    return client_query_bytes(type);
}

uint32_t rt_query_type(const struct rt_query *query)
{
    return query->query.type;
}

/* --- life -------------------------------------------------------------------------------- */

static bool list_query(struct rt_query_list *list, struct rt_query *query)
{
    unsigned slot = 0;

    while (slot < list->count && list->queries[slot])
        slot++;
    if (slot == list->count) {
        unsigned count = list->count ? list->count * 2 : 16;
        struct rt_query **queries = mem_realloc(list->queries, count, sizeof(*queries));

        if (!queries)
            return false;
        memset(queries + list->count, 0, (count - list->count) * sizeof(*queries));
        list->queries = queries;
        list->count = count;
    }
    list->queries[slot] = query;
    query->query.id = slot + 1;
    return true;
}

static void put_create(struct rt_query *query)
{
    D3DHAL_DP2CREATEQUERY body = {query->query.id, query->query.type};

    rt_put(query->link, D3DDP2OP_CREATEQUERY, 1, &body, sizeof(body));
}

/* A driver may refuse another query: the refusal must not drop other commands of the batch. */
HRESULT rt_query_create(struct rt_link *link, uint32_t type, struct rt_query **out)
{
    struct rt_query *query;

    if (!rt_query_size(type) || !rt_adapter_has_query(rt_link_adapter(link), type))
        return D3DERR_NOTAVAILABLE;
    query = mem_calloc(1, sizeof(*query));
    if (!query)
        return E_OUTOFMEMORY;
    query->link = link;
    query->query.type = type;
    if (!list_query(rt_link_queries(link), query)) {
        free(query);
        return E_OUTOFMEMORY;
    }
    rt_flush(link);
    put_create(query);
    if (FAILED(rt_flush(link))) {
        rt_query_destroy(query);
        return E_OUTOFMEMORY;
    }
    *out = query;
    return D3D_OK;
}

void rt_query_destroy(struct rt_query *query)
{
    D3DHAL_DP2DELETEQUERY body;

    if (!query)
        return;
    body.dwQueryID = query->query.id;
    rt_put(query->link, D3DDP2OP_DELETEQUERY, 1, &body, sizeof(body));
    rt_link_queries(query->link)->queries[query->query.id - 1] = NULL;
    free(query);
}

void rt_queries_free(struct rt_query_list *list)
{
    free(list->queries);
    *list = (struct rt_query_list){0};
}

void rt_queries_lost(struct rt_link *link)
{
    const struct rt_query_list *list = rt_link_queries(link);

    for (unsigned i = 0; i < list->count; i++)
        if (list->queries[i] && list->queries[i]->query.state != CLIENT_QUERY_FRESH &&
            list->queries[i]->query.state != CLIENT_QUERY_ANSWERED)
            list->queries[i]->query.state = CLIENT_QUERY_LOST;
}

void rt_queries_resend(struct rt_link *link)
{
    const struct rt_query_list *list = rt_link_queries(link);

    for (unsigned i = 0; i < list->count; i++)
        if (list->queries[i])
            put_create(list->queries[i]);
}

/* Answers the queries as if nothing had been drawn, so that programs do not wait for them. */
void rt_queries_refused(void *link)
{
    const struct rt_query_list *list = rt_link_queries(link);

    for (unsigned i = 0; i < list->count; i++)
        if (list->queries[i])
            client_query_give_up(&list->queries[i]->query);
}

/* --- issuing and answers ------------------------------------------------------------------- */

HRESULT rt_query_issue(struct rt_query *query, uint32_t flags)
{
    D3DHAL_DP2ISSUEQUERY body = {query->query.id, flags};

    if (!flags || (flags & ~(uint32_t)(CLIENT_ISSUE_END | CLIENT_ISSUE_BEGIN)) ||
        (query->query.type == CLIENT_QUERY_EVENT && (flags & CLIENT_ISSUE_BEGIN)))
        return D3DERR_INVALIDCALL;
    if (!rt_link_has_context(query->link)) {
        query->query.state = CLIENT_QUERY_LOST; /* a context made later knows nothing of it */
        return D3D_OK;
    }
    rt_put_entry(query->link, D3DDP2OP_ISSUEQUERY, &body, sizeof(body));
    query->query.state = flags & CLIENT_ISSUE_END ? CLIENT_QUERY_ENDED : CLIENT_QUERY_BEGUN;
    query->polled_in = 0;
    return D3D_OK;
}

void rt_query_set_parts(struct rt_query *query, uint32_t parts)
{
    query->parts = parts;
}

/* Pixels of the program's; a part of one counts as one. */
static void reduce_count(const struct rt_query *query, uint8_t *answer)
{
    uint32_t count;

    if (query->parts < 2 || query->query.type != CLIENT_QUERY_OCCLUSION)
        return;
    memcpy(&count, answer, sizeof(count));
    count = (uint32_t)(((uint64_t)count + query->parts - 1) / query->parts);
    memcpy(answer, &count, sizeof(count));
}

HRESULT rt_query_get(struct rt_query *query, void *data, uint32_t size, bool flush)
{
    const uint32_t bytes = rt_query_size(query->query.type);
    uint8_t answer[CLIENT_ANSWER_BYTES];

    if (!data && size)
        return D3DERR_INVALIDCALL;
    /* Programs poll without the flag and expect that time alone brings the answer. */
    if (query->query.state == CLIENT_QUERY_ENDED && (flush || query->polled_in == rt_link_batch(query->link)))
        rt_flush_answers(query->link);
    query->polled_in = rt_link_batch(query->link);
    if (query->query.state == CLIENT_QUERY_LOST)
        return D3DERR_DEVICELOST;
    if (query->query.state == CLIENT_QUERY_BEGUN || query->query.state == CLIENT_QUERY_ENDED)
        return S_FALSE;
    if (!size)
        return S_OK;
    memset(data, query->query.state == CLIENT_QUERY_FRESH ? FRESH_ANSWER : 0, size);
    if (query->query.state != CLIENT_QUERY_ANSWERED)
        return S_OK;
    memcpy(answer, query->query.answer, sizeof(answer));
    reduce_count(query, answer);
    memcpy(data, answer, BASE_MIN(bytes, size));
    return S_OK;
}

void rt_queries_answer(void *link, uint32_t id, const uint8_t *data, uint32_t bytes)
{
    const struct rt_query_list *list = rt_link_queries(link);

    if (id && id <= list->count && list->queries[id - 1])
        client_query_take(&list->queries[id - 1]->query, data, bytes);
}
