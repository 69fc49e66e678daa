/* SPDX-License-Identifier: MIT */
/* The private calls of d3d/umd_private.h, through GetInfo. */
#include "umd/device.h"

#include <stdlib.h>
#include <string.h>

#include "d3d/ddi.h"
#include "d3d/feedback.h"
#include "d3d/marker.h"
#include "d3d/umd_private.h"
#include "dp2/fields.h"

/* *surface NULL: `named` is none. False: no such part of the device. */
static bool find_surface(const struct umd_device *device, const HALCYON_UMD_SURFACE *named,
                         struct client_surface **surface)
{
    const struct umd_part *part =
        named->hResource ? umd_find_part(device, named->hResource, named->SubResourceIndex) : NULL;

    *surface = part ? part->surface : NULL;
    return part || !named->hResource;
}

/* --- contexts --------------------------------------------------------------------------------------- */

static void select_context(struct umd_device *device, unsigned number)
{
    device->contexts[device->selected] = device->now;
    device->now = device->contexts[number];
    device->selected = number;
    device->batch.context = device->now.context;
}

static HRESULT create_context(struct umd_device *device, HALCYON_UMD_CONTEXT *data)
{
    struct client_surface *target, *depth;
    struct umd_context *contexts;
    uintptr_t context;
    unsigned number = 1;
    HRESULT hr;

    if (!find_surface(device, &data->Target, &target) || !find_surface(device, &data->Depth, &depth) ||
        data->Level > DDI_LEVEL_DX9)
        return UMD_REFUSE("a context of unknown surfaces or level");
    while (number < device->context_count && device->contexts[number].context)
        number++;
    if (number >= device->context_count) {
        contexts = mem_realloc(device->contexts, number + 1u, sizeof(*contexts));
        if (!contexts)
            return E_OUTOFMEMORY;
        device->contexts = contexts;
        device->context_count = number + 1;
    }
    device->contexts[number] = (struct umd_context){.context = 0};
    hr = client_context_create(device->client, target, depth, data->Level, &context);
    if (FAILED(hr))
        return hr;
    device->contexts[number].context = context;
    select_context(device, number);
    data->Number = number;
    return S_OK;
}

static HRESULT destroy_context(struct umd_device *device, unsigned number)
{
    if (!number)
        return UMD_REFUSE("the first context of a device stays");
    if (device->selected == number)
        select_context(device, 0);
    client_context_destroy(device->client, device->contexts[number].context);
    device->contexts[number] = (struct umd_context){.context = 0};
    return S_OK;
}

static HRESULT operate_context(struct umd_device *device, void *answer)
{
    HALCYON_UMD_CONTEXT *data = answer;

    umd_send(device);
    if (data->Operation == HALCYON_UMD_CONTEXT_CREATE)
        return create_context(device, data);
    if (data->Number >= device->context_count ||
        (data->Number && data->Number != device->selected && !device->contexts[data->Number].context))
        return UMD_REFUSE("no such context");
    if (data->Operation == HALCYON_UMD_CONTEXT_DESTROY)
        return destroy_context(device, data->Number);
    if (data->Operation != HALCYON_UMD_CONTEXT_SELECT)
        return UMD_REFUSE("an unknown operation");
    if (data->Number != device->selected)
        select_context(device, data->Number);
    return S_OK;
}

/* --- tokens ------------------------------------------------------------------------------------------- */

#define NO_SURFACE 0xFFFF

/* Where an entry names surfaces. */
struct private_token {
    size_t bytes; /* of an entry, or of its fixed part */
    size_t surface[2];
};

static bool find_token(const HALCYON_UMD_TOKEN *data, struct private_token *token)
{
    const D3DHAL_DP2TEXTURESTAGESTATE *stage = data->pEntry;

    *token = (struct private_token){.surface = {NO_SURFACE, NO_SURFACE}};
    switch (data->Token) {
    case D3DDP2OP_SETTEXLOD:
        *token = (struct private_token){sizeof(D3DHAL_DP2SETTEXLOD), {0, NO_SURFACE}};
        break;
    case D3DDP2OP_ADDDIRTYRECT:
        *token = (struct private_token){sizeof(D3DHAL_DP2ADDDIRTYRECT), {0, NO_SURFACE}};
        break;
    case D3DDP2OP_ADDDIRTYBOX:
        *token = (struct private_token){sizeof(D3DHAL_DP2ADDDIRTYBOX), {0, NO_SURFACE}};
        break;
    case D3DDP2OP_TEXTURESTAGESTATE:
        token->bytes = sizeof(*stage);
        if (data->Bytes != sizeof(*stage) || stage->TSState < D3D_TSS_FEEDBACK ||
            stage->TSState > D3D_TSS_FEEDBACKCLAMP)
            return false;
        if (stage->TSState == D3D_TSS_FEEDBACK)
            token->surface[0] = offsetof(D3DHAL_DP2TEXTURESTAGESTATE, dwValue);
        break;
    case DP2OP_SETFEEDBACK:
        *token = (struct private_token){
            sizeof(struct ddi_set_feedback),
            {offsetof(struct ddi_set_feedback, texture), offsetof(struct ddi_set_feedback, map)}};
        break;
    case DP2OP_MARKER: {
        struct dp2_entry_MARKER head;

        token->bytes = sizeof(head);
        if (data->Bytes < sizeof(head))
            return false;
        memcpy(&head, data->pEntry, sizeof(head));
        return dp2_read_u32(head.text_bytes_) == data->Bytes - sizeof(head);
    }
    default:
        return false;
    }
    return data->Bytes == token->bytes;
}

/* Data are padded to a whole DWORD, as the text of a marker must be. */
static HRESULT put_padded(struct umd_device *device, uint8_t token, const uint8_t *head, size_t size,
                          const uint8_t *data, size_t bytes)
{
    const size_t padded = (bytes + 3) & ~(size_t)3;
    uint8_t *place;

    if (umd_drops(device))
        return S_OK;
    place = client_batch_put(&device->batch, token, 1, NULL, size + padded);
    if (!place)
        return E_OUTOFMEMORY;
    memcpy(place, head, size);
    memcpy(place + size, data, bytes);
    memset(place + size + bytes, 0, padded - bytes);
    return S_OK;
}

static HRESULT put_token(struct umd_device *device, void *answer)
{
    const HALCYON_UMD_TOKEN *data = answer;
    struct private_token token;
    uint8_t head[64];

    if (!data->pEntry || !find_token(data, &token))
        return UMD_REFUSE("a token that has a function, or an entry of another size");
    memcpy(head, data->pEntry, token.bytes);
    for (unsigned i = 0; i < 2; i++) {
        struct client_surface *surface;
        uint32_t number;

        if (!find_surface(device, &data->Surfaces[i], &surface))
            return UMD_REFUSE("an unknown surface");
        number = surface ? client_handle(surface) : 0;
        if (token.surface[i] != NO_SURFACE)
            memcpy(head + token.surface[i], &number, sizeof(number));
    }
    return put_padded(device, (uint8_t)data->Token, head, token.bytes, (const uint8_t *)data->pEntry + token.bytes,
                      data->Bytes - token.bytes);
}

/* --- calls -------------------------------------------------------------------------------------------- */

static HRESULT access_samples(struct umd_device *device, void *answer)
{
    HALCYON_UMD_SAMPLES *data = answer;
    const struct client_driver *driver = client_get_driver(device->client);
    struct client_surface *surface;
    HALCYON_SAMPLESDATA call = {.lpMemory = data->pMemory,
                                .dwFlags = data->Flags,
                                .dwSample = data->Sample,
                                .dwFirstRow = data->FirstRow,
                                .dwRows = data->Rows,
                                .dwRowBytes = data->RowBytes};

    if (!find_surface(device, &data->Surface, &surface) || !surface)
        return UMD_REFUSE("an unknown surface");
    call.lpDDSurface = &surface->lcl;
    umd_send(device);
    if (!driver->samples.AccessSamples || driver->samples.AccessSamples(&call) != DDHAL_DRIVER_HANDLED)
        return E_NOTIMPL;
    data->Samples = call.dwSamples;
    data->Rows = call.dwRows;
    data->RowBytes = call.dwRowBytes;
    data->Differ = call.dwDiffer;
    return call.ddRVal;
}

static HRESULT process_vertices(struct umd_device *device, void *answer)
{
    const HALCYON_UMD_VERTICES *data = answer;
    const struct client_process call = {.context = device->batch.context,
                                        .first = data->First,
                                        .count = data->Count,
                                        .fvf = data->VertexType,
                                        .stride = data->VertexSize,
                                        .flags = data->Flags,
                                        .vertices = data->pVertices,
                                        .bytes = data->Bytes};

    umd_send(device);
    return client_process_vertices(device->client, &call);
}

static HRESULT tell_memory(struct umd_device *device, void *answer)
{
    HALCYON_UMD_MEMORY *data = answer;
    uint32_t total, available;
    const HRESULT hr = client_available_memory(device->client, &total, &available);

    if (SUCCEEDED(hr))
        *data = (HALCYON_UMD_MEMORY){total, available};
    return hr;
}

static HRESULT tell_batch(struct umd_device *device, void *answer)
{
    HALCYON_UMD_BATCH *data = answer;

    device->batch.stops = data->Stops;
    data->Result = device->batch.failure.result;
    data->Token = device->batch.failure.token;
    data->Place = device->batch.failure.place;
    return S_OK;
}

static HRESULT hold(struct umd_device *device, void *answer)
{
    const HALCYON_UMD_HOLD *data = answer;

    device->held = data->Hold;
    umd_handle_hold(device->handle, data->Hold ? &device->inside : NULL);
    return S_OK;
}

bool umd_private_info(struct umd_device *device, UINT id, void *answer, UINT size, HRESULT *result)
{
    static const struct {
        UINT id;
        size_t size;
        HRESULT (*call)(struct umd_device *device, void *answer);
    } calls[] = {
        {HALCYON_DEVINFOID_CONTEXT, sizeof(HALCYON_UMD_CONTEXT), operate_context},
        {HALCYON_DEVINFOID_TOKEN, sizeof(HALCYON_UMD_TOKEN), put_token},
        {HALCYON_DEVINFOID_SAMPLES, sizeof(HALCYON_UMD_SAMPLES), access_samples},
        {HALCYON_DEVINFOID_VERTICES, sizeof(HALCYON_UMD_VERTICES), process_vertices},
        {HALCYON_DEVINFOID_MEMORY, sizeof(HALCYON_UMD_MEMORY), tell_memory},
        {HALCYON_DEVINFOID_BATCH, sizeof(HALCYON_UMD_BATCH), tell_batch},
        {HALCYON_DEVINFOID_HOLD, sizeof(HALCYON_UMD_HOLD), hold},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(calls); i++)
        if (calls[i].id == id) {
            *result = size == calls[i].size ? umd_result(calls[i].call(device, answer)) : E_FAIL;
            return true;
        }
    return false;
}
