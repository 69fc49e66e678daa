/* SPDX-License-Identifier: MIT */
/*
 * Queries. A stream answers them in its command buffer, when the call that ends them returns; the device keeps the answers until they are
 * asked for.
 */
#include "umd/device.h"

#include <stdlib.h>
#include <string.h>

#include "d3d/ddi.h"

enum {
    VCACHE = 4,
    VERTEXSTATS = 6,
    EVENT = 8,
    OCCLUSION,
    TIMESTAMP,
    TIMESTAMPDISJOINT,
    TIMESTAMPFREQ
};                                       /* D3DQUERYTYPE */
enum { ISSUE_END = 1, ISSUE_BEGIN = 2 }; /* D3DISSUE_* */

/* Bytes that GetQueryData writes; 0: no such query. */
static size_t answer_bytes(uint32_t type)
{
    switch (type) {
    case VCACHE:
        return 16;
    case VERTEXSTATS:
    case TIMESTAMP:
    case TIMESTAMPFREQ:
        return 8;
    case EVENT:
    case OCCLUSION:
    case TIMESTAMPDISJOINT:
        return 4;
    default:
        return 0;
    }
}

HRESULT APIENTRY umd_CreateQuery(HANDLE hDevice, D3DDDIARG_CREATEQUERY *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_query *query = NULL;
    HANDLE handle = NULL;
    HRESULT hr = E_FAIL;

    if (device && data && answer_bytes(data->QueryType) && umd_has_query(&device->adapter->driver, data->QueryType)) {
        query = mem_calloc(1, sizeof(*query));
        handle = query ? umd_handle_new(UMD_QUERY, device, query) : NULL;
        hr = E_OUTOFMEMORY;
    }
    if (handle) {
        const D3DHAL_DP2CREATEQUERY entry = {umd_handle_number(handle), data->QueryType};

        query->type = data->QueryType;
        query->number = entry.dwQueryID;
        hr = umd_send_alone(device, D3DDP2OP_CREATEQUERY, &entry, sizeof(entry));
        if (SUCCEEDED(hr))
            data->hQuery = handle;
        else
            umd_handle_delete(handle);
    }
    if (FAILED(hr))
        free(query);
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_DestroyQuery(HANDLE hDevice, const HANDLE handle)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_query *query = device ? umd_handle_get(handle, UMD_QUERY, device) : NULL;
    HRESULT hr = E_FAIL;

    if (query) {
        hr = umd_put(device, D3DDP2OP_DELETEQUERY, &query->number, sizeof(query->number));
        umd_handle_delete(handle);
        free(query);
    }
    return umd_leave(device, hr);
}

/* Begin and end have each other's bit in the stream. */
HRESULT APIENTRY umd_IssueQuery(HANDLE hDevice, const D3DDDIARG_ISSUEQUERY *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_query *query = device && data ? umd_handle_get(data->hQuery, UMD_QUERY, device) : NULL;
    HRESULT hr = E_FAIL;

    if (query && (data->Flags.Begin || data->Flags.End)) {
        const D3DHAL_DP2ISSUEQUERY entry = {query->number,
                                            (data->Flags.Begin ? ISSUE_BEGIN : 0) | (data->Flags.End ? ISSUE_END : 0)};

        hr = umd_put(device, D3DDP2OP_ISSUEQUERY, &entry, sizeof(entry));
        query->state = data->Flags.End ? UMD_QUERY_ENDED : UMD_QUERY_BEGUN;
    }
    return umd_leave(device, hr);
}

/* --- answers -------------------------------------------------------------------------------------- */

static struct umd_query *next_query(struct umd_device *device, uint32_t *from)
{
    struct umd_query *query = NULL;
    HANDLE handle;

    while (!query && (handle = umd_handle_next(device, from)))
        query = umd_handle_get(handle, UMD_QUERY, device);
    return query;
}

/* An answer comes after the batch with the last end has been sent. A query that has begun again no longer needs it. */
void umd_take_answer(void *owner, uint32_t number, const uint8_t *data, uint32_t bytes)
{
    uint32_t from = number; /* the handle's place */
    struct umd_query *query = next_query(owner, &from);

    if (!query || query->number != number || query->state != UMD_QUERY_ENDED)
        return;
    memset(query->answer, 0, sizeof(query->answer));
    memcpy(query->answer, data, BASE_MIN(bytes, sizeof(query->answer)));
    query->state = UMD_QUERY_ANSWERED;
}

/* Answers the queries as if nothing had been drawn, so that the caller does not wait for them. */
void umd_refuse_answers(void *owner)
{
    struct umd_query *query;
    uint32_t from = 0;

    while ((query = next_query(owner, &from)))
        if (query->state == UMD_QUERY_ENDED) {
            memset(query->answer, 0, sizeof(query->answer));
            query->answer[0] = query->type == EVENT;
            query->state = UMD_QUERY_ANSWERED;
        }
}

HRESULT APIENTRY umd_GetQueryData(HANDLE hDevice, const D3DDDIARG_GETQUERYDATA *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_query *query = device && data ? umd_handle_get(data->hQuery, UMD_QUERY, device) : NULL;
    HRESULT hr;

    if (!query)
        return umd_leave(device, E_FAIL);
    if (query->state == UMD_QUERY_ENDED) {
        umd_send(device);
        client_batch_flush_answers(&device->batch, UINT16_MAX);
    }
    hr = query->state == UMD_QUERY_ANSWERED ? S_OK : S_FALSE;
    if (hr == S_OK && data->pData)
        memcpy(data->pData, query->answer, answer_bytes(query->type));
    return umd_leave(device, hr);
}
