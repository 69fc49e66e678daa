/* SPDX-License-Identifier: MIT */
/* The caller's access to memory: Lock and Unlock, residency, priorities. */
#include "umd/device.h"

#include <string.h>

#include "d3d/ddi.h"

/* --- locks ---------------------------------------------------------------------------------------- */

static bool flags_agree(D3DDDI_LOCKFLAGS flags)
{
    return flags.RangeValid + flags.AreaValid + flags.BoxValid <= 1 &&
           !(flags.ReadOnly && (flags.WriteOnly || flags.Discard)) && !(flags.NoOverwrite && flags.Discard);
}

static uint32_t lock_flags(D3DDDI_LOCKFLAGS flags)
{
    uint32_t result = flags.DoNotWait ? DDLOCK_DONOTWAIT : DDLOCK_WAIT;

    if (flags.ReadOnly)
        result |= DDLOCK_READONLY;
    if (flags.WriteOnly)
        result |= DDLOCK_WRITEONLY;
    if (flags.Discard)
        result |= DDLOCK_DISCARDCONTENTS;
    if (flags.NoOverwrite)
        result |= DDLOCK_NOOVERWRITE;
    return result;
}

/* A coordinate of an area, which programs do not check: inside a size. */
static unsigned inside(int64_t value, unsigned size)
{
    return (unsigned)BASE_MAX(0, BASE_MIN(value, (int64_t)size - 1));
}

/* Where the part that was asked for begins, in bytes from the surface's first. */
static size_t lock_offset(const struct client_surface *surface, const struct umd_part *part, const D3DDDIARG_LOCK *data)
{
    if (surface->usage & CLIENT_BUFFER)
        return data->Flags.RangeValid ? inside(data->Range.Offset, surface->width) : 0;
    if (data->Flags.AreaValid)
        return client_texel_offset(surface, part->pitch, part->slice_pitch, inside(data->Area.left, surface->width),
                                   inside(data->Area.top, surface->height), 0);
    if (data->Flags.BoxValid)
        return client_texel_offset(surface, part->pitch, part->slice_pitch, inside(data->Box.Left, surface->width),
                                   inside(data->Box.Top, surface->height), inside(data->Box.Front, surface->depth));
    return 0;
}

/* The first lock decides for those inside it, which get the same memory. */
static HRESULT lock_first(struct umd_device *device, struct umd_part *part, D3DDDI_LOCKFLAGS flags)
{
    struct client_lock lock;
    HRESULT hr;

    if (!flags.NoOverwrite)
        umd_send(device);
    hr = client_lock(part->surface, NULL, lock_flags(flags), &lock);
    if (FAILED(hr))
        return umd_result(hr);
    part->memory = lock.bits;
    part->pitch = lock.pitch;
    part->slice_pitch = lock.slice_pitch;
    return S_OK;
}

/* With NotifyOnly the caller knows the address: its own memory, which the driver no longer uses when this returns. */
HRESULT APIENTRY umd_Lock(HANDLE hDevice, D3DDDIARG_LOCK *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_part *part = device && data ? umd_find_part(device, data->hResource, data->SubResourceIndex) : NULL;
    HRESULT hr = S_OK;

    if (!part || !flags_agree(data->Flags) || part->locks == UINT32_MAX)
        return umd_leave(device, E_FAIL);
    if (!part->locks)
        hr = lock_first(device, part, data->Flags);
    if (SUCCEEDED(hr)) {
        part->locks++;
        if (!data->Flags.NotifyOnly) {
            data->pSurfData = part->memory + lock_offset(part->surface, part, data);
            data->Pitch = (UINT)part->pitch;
            data->SlicePitch = (UINT)part->slice_pitch;
        }
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_Unlock(HANDLE hDevice, const D3DDDIARG_UNLOCK *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_part *part = device && data ? umd_find_part(device, data->hResource, data->SubResourceIndex) : NULL;
    HRESULT hr = S_OK;

    if (!part)
        return umd_leave(device, E_FAIL);
    if (!part->locks)
        hr = E_INVALIDARG; /* the page's own code */
    else if (!--part->locks)
        hr = umd_result(client_unlock(part->surface));
    return umd_leave(device, hr);
}

/* --- memory management ------------------------------------------------------------------------------- */

/* The memory is the process's and always there. */
HRESULT APIENTRY umd_QueryResourceResidency(HANDLE hDevice, const D3DDDIARG_QUERYRESOURCERESIDENCY *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->pHandleList && data->NumResources) {
        hr = S_OK;
        for (UINT i = 0; SUCCEEDED(hr) && i < data->NumResources; i++)
            if (!umd_find_resource(device, data->pHandleList[i]))
                hr = E_FAIL;
    }
    return umd_leave(device, hr);
}

/* The runtime has a priority for each of its allocations. */
static HRESULT tell_priority(const struct umd_device *device, const struct umd_resource *resource, UINT priority)
{
    HRESULT hr = S_OK;

    if (!device->callbacks.pfnSetPriorityCb)
        return S_OK;
    for (unsigned i = 0; SUCCEEDED(hr) && i < resource->count; i++) {
        const D3DKMT_HANDLE allocation = resource->parts[i].allocation;
        const D3DDDICB_SETPRIORITY call = {.NumAllocations = 1, .HandleList = &allocation, .pPriorities = &priority};

        if (allocation)
            hr = device->callbacks.pfnSetPriorityCb(device->runtime, &call);
    }
    return hr;
}

HRESULT APIENTRY umd_SetPriority(HANDLE hDevice, const D3DDDIARG_SETPRIORITY *data)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_resource *resource = device && data ? umd_find_resource(device, data->hResource) : NULL;
    HRESULT hr = E_FAIL;

    if (resource && umd_top(resource)) {
        const D3DHAL_DP2SETPRIORITY entry = {client_handle(umd_top(resource)), data->Priority};

        hr = umd_put(device, D3DDP2OP_SETPRIORITY, &entry, sizeof(entry));
        if (SUCCEEDED(hr))
            hr = tell_priority(device, resource, data->Priority);
    }
    return umd_leave(device, hr);
}
