/* SPDX-License-Identifier: MIT */
/*
 * Queries. A stream answers them in its command buffer, when the call that ends them returns; the device keeps the answers until they are
 * asked for.
 */
#include "umd/device.h"

#include <stdlib.h>
#include <string.h>

#include "d3d/ddi.h"

HRESULT APIENTRY umd_CreateQuery(HANDLE hDevice, D3DDDIARG_CREATEQUERY *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct client_query *query = NULL;
    HANDLE handle = NULL;
    HRESULT hr = E_FAIL;

    if (device && data && client_query_bytes(data->QueryType) &&
        umd_has_query(&device->adapter->driver, data->QueryType)) {
        query = mem_calloc(1, sizeof(*query));
        handle = query ? umd_handle_new(UMD_QUERY, device, query) : NULL;
        hr = E_OUTOFMEMORY;
    }
    if (handle) {
        const D3DHAL_DP2CREATEQUERY entry = {umd_handle_number(handle), data->QueryType};

        query->type = data->QueryType;
        query->id = entry.dwQueryID;
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
    struct client_query *query = device ? umd_handle_get(handle, UMD_QUERY, device) : NULL;
    HRESULT hr = E_FAIL;

    if (query) {
        hr = umd_put(device, D3DDP2OP_DELETEQUERY, &query->id, sizeof(query->id));
        umd_handle_delete(handle);
        free(query);
    }
    return umd_leave(device, hr);
}

/* Begin and end have each other's bit in the stream. */
HRESULT APIENTRY umd_IssueQuery(HANDLE hDevice, const D3DDDIARG_ISSUEQUERY *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct client_query *query = device && data ? umd_handle_get(data->hQuery, UMD_QUERY, device) : NULL;
    HRESULT hr = E_FAIL;

    if (query && (data->Flags.Begin || data->Flags.End)) {
        const D3DHAL_DP2ISSUEQUERY entry = {query->id, (data->Flags.Begin ? CLIENT_ISSUE_BEGIN : 0) |
                                                           (data->Flags.End ? CLIENT_ISSUE_END : 0)};

        hr = umd_put(device, D3DDP2OP_ISSUEQUERY, &entry, sizeof(entry));
        if (SUCCEEDED(hr))
            query->state = data->Flags.End ? CLIENT_QUERY_ENDED : CLIENT_QUERY_BEGUN;
    }
    return umd_leave(device, hr);
}

/* --- answers -------------------------------------------------------------------------------------- */

static struct client_query *next_query(struct umd_device *device, uint32_t *from)
{
    struct client_query *query = NULL;
    HANDLE handle;

    while (!query && (handle = umd_handle_next(device, from)))
        query = umd_handle_get(handle, UMD_QUERY, device);
    return query;
}

void umd_take_answer(void *owner, uint32_t number, const uint8_t *data, uint32_t bytes)
{
    uint32_t from = number; /* the handle's place */
    struct client_query *query = next_query(owner, &from);

    if (query && query->id == number)
        client_query_take(query, data, bytes);
}

void umd_refuse_answers(void *owner)
{
    struct client_query *query;
    uint32_t from = 0;

    while ((query = next_query(owner, &from)))
        client_query_give_up(query);
}

HRESULT APIENTRY umd_GetQueryData(HANDLE hDevice, const D3DDDIARG_GETQUERYDATA *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct client_query *query = device && data ? umd_handle_get(data->hQuery, UMD_QUERY, device) : NULL;
    HRESULT hr;

    if (!query)
        return umd_leave(device, E_FAIL);
    if (query->state == CLIENT_QUERY_ENDED) {
        umd_send(device);
        client_batch_flush_answers(&device->batch, UINT16_MAX);
    }
    hr = query->state == CLIENT_QUERY_ANSWERED ? S_OK : S_FALSE;
    if (hr == S_OK && data->pData)
        memcpy(data->pData, query->answer, client_query_bytes(query->type));
    return umd_leave(device, hr);
}
