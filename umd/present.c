/* SPDX-License-Identifier: MIT */
/*
 * Present: a blit that shows, and then the runtime's callback, whose allocations have the pixels. Contents stay with their sub-resource; a
 * runtime that flips counts its buffers round and sets its targets again.
 */
#include "umd/device.h"

#include <string.h>

#include "d3d/ddi.h"

/* A surface for pictures that the window system places: the copy there is what captures call a frame. */
static HRESULT make_screen(struct umd_resource *resource, const struct umd_part *part)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_PRIMARY | CLIENT_TARGET,
        .format = part->surface->format,
        .width = part->surface->width,
        .height = part->surface->height,
    };
    const struct client_surface *screen = resource->screen ? client_part(resource->screen, 0) : NULL;

    if (screen && screen->width == part->surface->width && screen->height == part->surface->height)
        return S_OK;
    client_chain_destroy(resource->screen);
    resource->screen = NULL;
    return umd_result(client_chain_create(resource->device->client, &desc, &resource->screen));
}

/* Samples are resolved, and queued blits done, when a surface has been locked. */
static HRESULT finish(struct umd_part *part)
{
    struct client_lock lock;
    HRESULT hr;

    if (part->locks)
        return S_OK;
    hr = client_lock(part->surface, NULL, DDLOCK_READONLY | DDLOCK_WAIT, &lock);
    if (SUCCEEDED(hr))
        hr = client_unlock(part->surface);
    return umd_result(hr);
}

/* to NULL: the window system decides where the picture goes. */
static HRESULT show(struct umd_device *device, struct umd_resource *source, struct umd_part *from, struct umd_part *to)
{
    struct client_surface *target = to ? to->surface : NULL;
    HRESULT hr = S_OK;

    umd_send(device);
    if (!target) {
        hr = make_screen(source, from);
        target = SUCCEEDED(hr) ? client_part(source->screen, 0) : NULL;
    }
    if (SUCCEEDED(hr))
        hr = umd_result(client_blt(target, NULL, from->surface, NULL, DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION));
    if (SUCCEEDED(hr))
        hr = finish(from);
    if (SUCCEEDED(hr) && to)
        hr = finish(to);
    return hr;
}

/* A flip between two buffers: their surfaces exchange memory, which is what captures call a frame, and then their places, so that each
 * sub-resource keeps its contents. */
static HRESULT flip(struct umd_device *device, struct umd_part *from, struct umd_part *to)
{
    struct client_surface *shown = to->surface;
    HRESULT hr;

    umd_send(device);
    hr = umd_result(client_flip(to->surface, from->surface, 0));
    if (SUCCEEDED(hr)) {
        to->surface = from->surface;
        from->surface = shown;
    }
    return hr;
}

static bool can_flip(const D3DDDIARG_PRESENT *data, const struct umd_part *from, const struct umd_part *to)
{
    return data->Flags.Flip && from && from->surface && to && to->surface && from != to && !from->locks && !to->locks &&
           !from->allocation && !to->allocation && from->surface->width == to->surface->width &&
           from->surface->height == to->surface->height && from->surface->format == to->surface->format;
}

static HRESULT call_back(struct umd_device *device, D3DKMT_HANDLE source, D3DKMT_HANDLE destination)
{
    const D3DDDICB_PRESENT call = {
        .hSrcAllocation = source, .hDstAllocation = destination, .hContext = device->kernel_context};

    return device->callbacks.pfnPresentCb ? device->callbacks.pfnPresentCb(device->runtime, &call) : S_OK;
}

/* The destination may be an opened allocation that only the runtime can reach. */
static HRESULT present(struct umd_device *device, const D3DDDIARG_PRESENT *data)
{
    struct umd_resource *source = umd_find_resource(device, data->hSrcResource);
    struct umd_resource *destination = data->hDstResource ? umd_find_resource(device, data->hDstResource) : NULL;
    struct umd_part *from =
        source && data->SrcSubResourceIndex < source->count ? &source->parts[data->SrcSubResourceIndex] : NULL;
    struct umd_part *to = destination && data->DstSubResourceIndex < destination->count
                              ? &destination->parts[data->DstSubResourceIndex]
                              : NULL;
    HRESULT hr;

    if (data->Flags.ColorFill && !data->hSrcResource) /* nothing of the driver's is shown */
        from = NULL;
    else if (!from || !from->surface || source->is_buffer || source->is_texture)
        return UMD_REFUSE("a source that cannot be shown");
    if (data->hDstResource && (!to || destination->is_buffer || destination->is_texture))
        return UMD_REFUSE("a destination that is not a surface");
    if ((UINT)data->FlipInterval > D3DDDI_FLIPINTERVAL_FOUR)
        return UMD_REFUSE("an unknown flip interval");
    umd_send(device);
    hr = umd_take_error(device);
    if (SUCCEEDED(hr) && can_flip(data, from, to))
        hr = flip(device, from, to);
    else if (SUCCEEDED(hr) && from)
        hr = show(device, source, from, to && to->surface && to != from ? to : NULL);
    return SUCCEEDED(hr) ? call_back(device, from ? from->allocation : 0, to ? to->allocation : 0) : hr;
}

HRESULT APIENTRY umd_Present(HANDLE hDevice, const D3DDDIARG_PRESENT *data)
{
    struct umd_device *device = umd_enter(hDevice);

    return umd_leave(device, device && data ? present(device, data) : E_FAIL);
}

/* Nothing is scanned out here: the runtime shows what the allocation holds. */
HRESULT APIENTRY umd_SetDisplayMode(HANDLE hDevice, const D3DDDIARG_SETDISPLAYMODE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_resource *resource = device && data ? umd_find_resource(device, data->hResource) : NULL;
    HRESULT hr = E_FAIL;

    if (resource && data->SubResourceIndex < resource->count && resource->flags.Primary) {
        D3DDDICB_SETDISPLAYMODE call = {.hPrimaryAllocation = resource->parts[data->SubResourceIndex].allocation};

        umd_send(device);
        hr = device->callbacks.pfnSetDisplayModeCb ? device->callbacks.pfnSetDisplayModeCb(device->runtime, &call)
                                                   : S_OK;
    }
    return umd_leave(device, hr);
}
