/* SPDX-License-Identifier: MIT */
/* Queries: a stream answers them in its command buffer when the call that ends them returns, the device when it is asked. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define NOT_AVAILABLE ((HRESULT)0x8876086A)                                          /* D3DERR_NOTAVAILABLE */
#define MOST_QUERIES  4096                                                           /* that wait */
enum { VCACHE = 4, VERTEXSTATS = 6, EVENT = 8, TIMESTAMP = 10, TIMESTAMPFREQ = 12 }; /* D3DQUERYTYPE */
enum { ISSUE_END = 1, ISSUE_BEGIN = 2 };

static uint32_t answer_bytes(uint32_t type)
{
    return type == VCACHE ? 16 : type == VERTEXSTATS || type == TIMESTAMP || type == TIMESTAMPFREQ ? 8 : 4;
}

/* Those that have ended, in the order of their ends. */
static void stop_waiting(struct bridge_context *context, struct bridge_query *query)
{
    struct bridge_query **at = &context->first_waiting;

    while (query->waits && *at != query)
        at = &(*at)->next_waiting;
    if (query->waits)
        *at = query->next_waiting;
    query->waits = false;
}

static void wait_for(struct bridge_context *context, struct bridge_query *query)
{
    struct bridge_query **at = &context->first_waiting;

    stop_waiting(context, query);
    while (*at)
        at = &(*at)->next_waiting;
    *at = query;
    query->next_waiting = NULL;
    query->waits = true;
}

static void delete_query(struct bridge_call *call, uint32_t number)
{
    struct bridge_query *query = base_map_take(&call->context->queries, number);

    if (!query)
        return;
    stop_waiting(call->context, query);
    call->f->pfnDestroyQuery(call->device, query->handle);
    free(query);
}

HRESULT bridge_create_query(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2CREATEQUERY entry;
    HRESULT hr = bridge_call_flush(call);

    for (unsigned i = 0; SUCCEEDED(hr) && i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        D3DDDIARG_CREATEQUERY args = {.QueryType = entry.QueryType};
        struct bridge_query *query;

        delete_query(call, entry.dwQueryID);
        hr = bridge_result(call->f->pfnCreateQuery(call->device, &args), NOT_AVAILABLE);
        query = SUCCEEDED(hr) ? mem_calloc(1, sizeof(*query)) : NULL;
        if (SUCCEEDED(hr) && (!query || !base_map_put(&call->context->queries, entry.dwQueryID, query))) {
            call->f->pfnDestroyQuery(call->device, args.hQuery);
            free(query);
            hr = E_OUTOFMEMORY;
        } else if (SUCCEEDED(hr)) {
            query->handle = args.hQuery;
            query->number = entry.dwQueryID;
            query->type = entry.QueryType;
        }
    }
    return hr;
}

HRESULT bridge_delete_query(struct bridge_call *call, const struct dp2_command *command)
{
    for (unsigned i = 0; i < command->count; i++)
        delete_query(call, dp2_read_u32(command->body + 4 * i));
    return DD_OK;
}

/* Begin and end have each other's bit. */
HRESULT bridge_issue_query(struct bridge_call *call, const struct dp2_command *command)
{
    D3DHAL_DP2ISSUEQUERY entry;

    for (unsigned i = 0; i < command->count; i++) {
        memcpy(&entry, command->body + i * sizeof(entry), sizeof(entry));
        struct bridge_query *query = base_map_get(&call->context->queries, entry.dwQueryID);
        D3DDDIARG_ISSUEQUERY args = {.hQuery = query ? query->handle : NULL};

        if (!query || !(entry.dwFlags & (ISSUE_BEGIN | ISSUE_END)))
            continue;
        args.Flags.Begin = (entry.dwFlags & ISSUE_BEGIN) != 0;
        args.Flags.End = (entry.dwFlags & ISSUE_END) != 0;
        call->f->pfnIssueQuery(call->device, &args);
        if (args.Flags.End)
            wait_for(call->context, query);
    }
    return DD_OK;
}

/* --- answers -------------------------------------------------------------------------------------------- */

static size_t put_head(uint8_t *out, uint8_t token, unsigned count, size_t bytes)
{
    const D3DHAL_DP2RESPONSE head = {.bCommand = token, .wStateCount = (WORD)count, .dwTotalSize = (DWORD)bytes};

    memcpy(out, &head, sizeof(head));
    return sizeof(head);
}

/* As many as there is room for; the rest waits for the next call, which the last four bytes announce. */
uint32_t bridge_respond(struct bridge_call *call, uint8_t *out, size_t room)
{
    struct bridge_context *context = call->context;
    const size_t head = sizeof(D3DHAL_DP2RESPONSE);
    size_t length = head;
    unsigned told = 0;

    if (!context->first_waiting || room < 2 * head)
        return 0;
    while (context->first_waiting && told < UINT16_MAX) {
        struct bridge_query *query = context->first_waiting;
        D3DHAL_DP2RESPONSEQUERY answer = {.dwQueryID = query->number, .dwSize = answer_bytes(query->type)};
        uint8_t data[16] = {0};
        const D3DDDIARG_GETQUERYDATA args = {query->handle, data};

        if (sizeof(answer) + answer.dwSize > room - length - head)
            break;
        call->f->pfnGetQueryData(call->device, &args);
        memcpy(out + length, &answer, sizeof(answer));
        memcpy(out + length + sizeof(answer), data, answer.dwSize);
        length += sizeof(answer) + answer.dwSize;
        told++;
        stop_waiting(context, query);
    }
    put_head(out, D3DDP2OP_RESPONSEQUERY, told, length);
    if (!told)
        length = 0;
    if (context->first_waiting)
        length += put_head(out + length, D3DDP2OP_RESPONSECONTINUE, 0, head);
    return (uint32_t)length;
}
