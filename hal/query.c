/* SPDX-License-Identifier: MIT */
/*
 * Queries of DirectX 9: created, begun and ended by tokens, answered when the call that ends them returns
 * (docs/reference/command-stream.md, section 5). Ending a query flushes what it counts, so an answer is never late;
 * answers that do not fit into the command buffer wait for the next call.
 */
#include "hal/query.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "base/map.h"
#include "hal/scene.h"
#include "hal/tokens.h"
#include "hal/vertex/front_end.h"
#include "raster/raster.h"

#include <stdlib.h>
#include <string.h>

#define HAL_MAX_QUERIES 4096
#define NOT_AVAILABLE   ((HRESULT)0x8876086a) /* D3DERR_NOTAVAILABLE */

enum query_type {
    QUERY_VCACHE = 4,
    QUERY_VERTEXSTATS = 6,
    QUERY_EVENT = 8,
    QUERY_OCCLUSION = 9,
    QUERY_TIMESTAMP = 10,
    QUERY_TIMESTAMPDISJOINT = 11,
    QUERY_TIMESTAMPFREQ = 12,
};
enum { ISSUE_END = 1, ISSUE_BEGIN = 2 };

#define TIMESTAMP_FREQUENCY UINT64_C(1000000000)
#define MAX_ANSWER          16 /* bytes */

struct query {
    uint32_t id, type;
    uint64_t samples, triangles; /* when it began */
    uint32_t extra_triangles;
    bool begun;
    uint8_t answer[MAX_ANSWER]; /* of its last end */
    uint32_t answer_bytes;
};

/* Answers wait in the order in which queries ended. */
struct hal_query_table {
    struct base_map map; /* struct query by id */
    uint32_t waiting[HAL_MAX_QUERIES];
    uint32_t waiting_count;
};

void hal_queries_destroy(struct hal_query_table *table)
{
    if (!table)
        return;
    base_map_clear(&table->map);
    free(table);
}

static struct query *query_find(const struct hal_context *context, uint32_t id)
{
    return context->resources.queries ? base_map_get(&context->resources.queries->map, id) : NULL;
}

static bool query_is_offered(uint32_t type)
{
    return type == QUERY_VCACHE || type == QUERY_VERTEXSTATS || (type >= QUERY_EVENT && type <= QUERY_TIMESTAMPFREQ);
}

/* An answer that was not fetched is replaced by a newer one, or dropped with its query. */
static void stop_waiting(struct hal_query_table *table, const struct query *query)
{
    for (uint32_t i = 0; i < table->waiting_count; i++) {
        if (table->waiting[i] == query->id) {
            table->waiting_count--;
            memmove(&table->waiting[i], &table->waiting[i + 1], (table->waiting_count - i) * sizeof(uint32_t));
            return;
        }
    }
}

HRESULT hal_token_create_query(struct hal_context *context, const struct dp2_command *command)
{
    if (!context->resources.queries) {
        context->resources.queries = mem_calloc(1, sizeof(*context->resources.queries));
        if (!context->resources.queries)
            return E_OUTOFMEMORY;
        base_map_init(&context->resources.queries->map, HAL_MAX_QUERIES);
    }
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t id = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2CREATEQUERY, dwQueryID);
        const uint32_t type = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2CREATEQUERY, QueryType);

        if (!query_is_offered(type)) {
            log_warn("CREATEQUERY: type %u is not offered", (unsigned)type);
            return NOT_AVAILABLE;
        }
        struct query *query = base_map_make(&context->resources.queries->map, id, sizeof(*query));

        if (!query) {
            log_warn("CREATEQUERY: more than %u queries, or no memory", HAL_MAX_QUERIES);
            return E_OUTOFMEMORY;
        }
        query->id = id;
        stop_waiting(context->resources.queries, query);
        *query = (struct query){.id = id, .type = type};
    }
    return DD_OK;
}

void hal_token_delete_query(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t id = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2DELETEQUERY, dwQueryID);
        struct query *query = query_find(context, id);

        if (query) {
            stop_waiting(context->resources.queries, query);
            free(base_map_take(&context->resources.queries->map, id));
        }
    }
}

/* --- counting --------------------------------------------------------------------------------- */

static void query_begin(struct hal_context *context, struct query *query)
{
    struct raster_statistics statistics;

    if (query->type == QUERY_OCCLUSION)
        hal_scene_flush_colors(&context->scene, HAL_FLUSH_QUERY); /* earlier draws do not count */
    raster_get_statistics(context->scene.raster, &statistics);
    query->samples = statistics.samples;
    query->triangles = statistics.triangles;
    query->extra_triangles = context->renderer.front->extra_triangles;
    query->begun = true;
}

static void query_answer(struct query *query, const void *data, uint32_t bytes)
{
    memcpy(query->answer, data, bytes);
    query->answer_bytes = bytes;
}

static void answer_number(struct query *query, uint64_t value, uint32_t bytes)
{
    const uint32_t low = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;

    if (bytes == sizeof(low))
        query_answer(query, &low, bytes);
    else
        query_answer(query, &value, bytes);
}

/* Ends counting queries; a query that never began counts from its end, and gives 0. */
static void end(struct hal_context *context, struct query *query)
{
    struct raster_statistics statistics;

    if (!query->begun)
        query_begin(context, query);
    if (query->type == QUERY_OCCLUSION || query->type == QUERY_EVENT || query->type == QUERY_TIMESTAMP)
        hal_scene_flush_colors(&context->scene, HAL_FLUSH_QUERY);
    raster_get_statistics(context->scene.raster, &statistics);
    switch (query->type) {
    case QUERY_VCACHE: { /* D3DDEVINFO_VCACHE: pattern "CACH", method 1 (any order), cache size, magic number */
        const uint32_t cache[4] = {0x48434143, 1, 16, 7};
        query_answer(query, cache, sizeof(cache));
        break;
    }
    case QUERY_VERTEXSTATS: {
        const uint32_t counts[2] = {(uint32_t)(statistics.triangles - query->triangles),
                                    context->renderer.front->extra_triangles - query->extra_triangles};
        query_answer(query, counts, sizeof(counts));
        break;
    }
    case QUERY_OCCLUSION:
        answer_number(query, statistics.samples - query->samples, 4);
        break;
    case QUERY_TIMESTAMP:
        answer_number(query, (uint64_t)(clock_seconds() * (double)TIMESTAMP_FREQUENCY), 8);
        break;
    case QUERY_TIMESTAMPFREQ:
        answer_number(query, TIMESTAMP_FREQUENCY, 8);
        break;
    default: /* EVENT: happened. TIMESTAMPDISJOINT: the clock never changes its pace */
        answer_number(query, query->type == QUERY_EVENT, 4);
        break;
    }
    query->begun = false;
    stop_waiting(context->resources.queries, query);
    context->resources.queries->waiting[context->resources.queries->waiting_count++] = query->id;
}

void hal_token_issue_query(struct hal_context *context, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++) {
        const uint32_t id = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2ISSUEQUERY, dwQueryID);
        const uint32_t flags = DP2_ARRAY_FIELD(command, i, D3DHAL_DP2ISSUEQUERY, dwFlags);
        struct query *query = query_find(context, id);

        if (!query) {
            log_once(LOG_WARN, id, "ISSUEQUERY: unknown query %u ignored", (unsigned)id);
            continue;
        }
        if (flags & ISSUE_BEGIN)
            query_begin(context, query);
        if (flags & ISSUE_END)
            end(context, query);
    }
}

/* --- telling ----------------------------------------------------------------------------------- */

static size_t put_response(uint8_t *out, uint8_t token, uint16_t count, uint32_t bytes)
{
    const D3DHAL_DP2RESPONSE response = {.bCommand = token, .wStateCount = count, .dwTotalSize = bytes};

    memcpy(out, &response, sizeof(response));
    return sizeof(response);
}

static size_t put_answer(uint8_t *out, const struct query *query)
{
    const D3DHAL_DP2RESPONSEQUERY head = {.dwQueryID = query->id, .dwSize = query->answer_bytes};

    memcpy(out, &head, sizeof(head));
    memcpy(out + sizeof(head), query->answer, query->answer_bytes);
    return sizeof(head) + query->answer_bytes;
}

size_t hal_context_respond(struct hal_context *context, uint8_t *out, size_t capacity)
{
    struct hal_query_table *table = context->resources.queries;
    const size_t head = sizeof(D3DHAL_DP2RESPONSE);
    size_t length = head;
    uint32_t told = 0;

    /* room for a header, and for the one that announces further answers */
    if (!table || table->waiting_count == 0 || capacity < 2 * head)
        return 0;
    while (told < table->waiting_count && told < UINT16_MAX) {
        const struct query *query = query_find(context, table->waiting[told]);
        const size_t bytes = sizeof(D3DHAL_DP2RESPONSEQUERY) + query->answer_bytes;

        if (bytes > capacity - length - head)
            break;
        length += put_answer(out + length, query);
        told++;
    }
    put_response(out, D3DDP2OP_RESPONSEQUERY, (uint16_t)told, (uint32_t)length);
    if (told == 0)
        length = 0;
    table->waiting_count -= told;
    memmove(table->waiting, table->waiting + told, table->waiting_count * sizeof(table->waiting[0]));
    if (table->waiting_count)
        length += put_response(out + length, D3DDP2OP_RESPONSECONTINUE, 0, (uint32_t)head);
    return length;
}
