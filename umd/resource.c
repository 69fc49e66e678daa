/* SPDX-License-Identifier: MIT */
/*
 * Resources: one call makes all levels and faces of a texture, all buffers of a swap chain, or one vertex or index buffer. Inside, a texture
 * is a chain of DirectDraw surfaces, one for each sub-resource; any other surface is a chain by itself. Memory that others show
 * or share has an allocation of the runtime's as well, whose private data says where the pixels are.
 */
#include "umd/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/behind.h"
#include "d3d/ddi.h"

#define MOST_LEVELS   15
#define MOST_SURFACES (6 * MOST_LEVELS)
#define MOST_SIDE     0xFFFFu

/* --- handles ------------------------------------------------------------------------------------- */

struct umd_part *umd_find_part(const struct umd_device *device, HANDLE handle, UINT index)
{
    struct umd_resource *resource = umd_find_resource(device, handle);

    return resource && index < resource->count && resource->parts[index].surface ? &resource->parts[index] : NULL;
}

/* --- what is asked for ----------------------------------------------------------------------------- */

static bool is_texture(D3DDDI_RESOURCEFLAGS flags)
{
    return flags.Texture || flags.CubeMap || flags.Volume;
}

static bool is_buffer(D3DDDI_RESOURCEFLAGS flags)
{
    return flags.VertexBuffer || flags.IndexBuffer;
}

/* Shown or shared. */
static bool needs_allocations(D3DDDI_RESOURCEFLAGS flags)
{
    return flags.Primary || flags.SharedResource || (flags.RenderTarget && !is_texture(flags));
}

static uint32_t usage_of(const D3DDDIARG_CREATERESOURCE *data)
{
    const D3DDDI_RESOURCEFLAGS flags = data->Flags;
    uint32_t usage = data->Pool == D3DDDIPOOL_SYSTEMMEM ? CLIENT_SYSTEM_MEMORY : 0;

    if (flags.Dynamic)
        usage |= CLIENT_DYNAMIC;
    if (is_buffer(flags))
        return usage | (flags.VertexBuffer ? CLIENT_VERTEX_BUFFER : CLIENT_INDEX_BUFFER);
    if (is_texture(flags))
        usage |= CLIENT_TEXTURE | (flags.CubeMap ? CLIENT_CUBE : 0) | (flags.Volume ? CLIENT_VOLUME : 0);
    if (flags.RenderTarget || flags.Primary)
        usage |= CLIENT_TARGET;
    if (flags.ZBuffer)
        usage |= CLIENT_DEPTH;
    return usage;
}

/* D3DMULTISAMPLE_TYPE: qualities of nonmaskable samples are 2, 4, 8 and 16. Of no meaning for anything except targets. */
static unsigned samples_of(const D3DDDIARG_CREATERESOURCE *data)
{
    if (is_texture(data->Flags) || is_buffer(data->Flags) || !(data->Flags.RenderTarget || data->Flags.ZBuffer))
        return 0;
    return data->MultisampleType == 1 ? 2u << BASE_MIN(data->MultisampleQuality, 3u) : data->MultisampleType;
}

static bool is_size(const D3DDDI_SURFACEINFO *info)
{
    return info->Width && info->Width <= MOST_SIDE && info->Height && info->Height <= MOST_SIDE;
}

static UINT halved(UINT size, unsigned level)
{
    return BASE_MAX(size >> level, 1u);
}

/* Each level has half the size of the one before, and all faces are alike. */
static bool levels_fit(const D3DDDIARG_CREATERESOURCE *data, unsigned levels)
{
    const D3DDDI_SURFACEINFO *top = &data->pSurfList[0];

    for (UINT i = 0; i < data->SurfCount; i++) {
        const D3DDDI_SURFACEINFO *info = &data->pSurfList[i];
        const unsigned level = i % levels;

        if (info->Width != halved(top->Width, level) || info->Height != halved(top->Height, level) ||
            (data->Flags.Volume && info->Depth != halved(top->Depth, level)))
            return false;
    }
    return !data->Flags.Volume || (top->Depth && top->Depth <= MOST_SIDE);
}

static HRESULT check_surfaces(const D3DDDIARG_CREATERESOURCE *data, unsigned levels, unsigned faces)
{
    for (UINT i = 0; i < data->SurfCount; i++)
        if (!is_size(&data->pSurfList[i]))
            return UMD_REFUSE("a surface without size, or one that is too large");
    if (!data->Format)
        return UMD_REFUSE("a surface without format");
    if (is_texture(data->Flags) && (data->SurfCount != levels * faces || !levels_fit(data, levels)))
        return UMD_REFUSE("surfaces that are not the levels and faces of a texture");
    if (data->Flags.AutogenMipmap && levels != 1)
        return UMD_REFUSE("generated levels of which the runtime counts more than the first");
    return S_OK;
}

static HRESULT check(const D3DDDIARG_CREATERESOURCE *data, unsigned levels, unsigned faces)
{
    const D3DDDI_RESOURCEFLAGS flags = data->Flags;

    if (flags.CaptureBuffer || flags.DecodeRenderTarget || flags.DecodeCompressedBuffer ||
        flags.VideoProcessRenderTarget || flags.Overlay)
        return E_NOTIMPL;
    if (!data->pSurfList || !data->SurfCount || data->SurfCount > MOST_SURFACES || levels > MOST_LEVELS)
        return UMD_REFUSE("no surfaces, or too many");
    if ((UINT)data->Pool < D3DDDIPOOL_SYSTEMMEM || (UINT)data->Pool > D3DDDIPOOL_NONLOCALVIDMEM)
        return UMD_REFUSE("an unknown pool");
    if ((flags.CubeMap && flags.Volume) || (flags.VertexBuffer && flags.IndexBuffer) ||
        (is_buffer(flags) && (is_texture(flags) || flags.RenderTarget || flags.ZBuffer || flags.Primary)))
        return UMD_REFUSE("flags that exclude each other");
    for (UINT i = 0; data->Pool == D3DDDIPOOL_SYSTEMMEM && i < data->SurfCount; i++)
        if (!data->pSurfList[i].pSysMem)
            return UMD_REFUSE("system memory without an address");
    if (!is_buffer(flags))
        return check_surfaces(data, levels, faces);
    if (data->SurfCount != 1 || !data->pSurfList[0].Width || data->pSurfList[0].Width > INT32_MAX)
        return UMD_REFUSE("a buffer without size, or one that is too large");
    return S_OK;
}

/* --- creation ---------------------------------------------------------------------------------------- */

static unsigned all_levels(const D3DDDI_SURFACEINFO *top)
{
    unsigned levels = 1;

    while (levels < MOST_LEVELS && BASE_MAX(top->Width, top->Height) >> levels)
        levels++;
    return levels;
}

/* The chain of the surfaces from `first` on. */
static HRESULT create_chain(struct umd_device *device, const D3DDDIARG_CREATERESOURCE *data, UINT first,
                            unsigned levels, UINT count, struct client_chain **chain)
{
    const D3DDDI_SURFACEINFO *top = &data->pSurfList[first];
    uint8_t *memory[MOST_SURFACES];
    size_t pitch[MOST_SURFACES], slice[MOST_SURFACES];
    struct client_chain_desc desc = {
        .usage = usage_of(data),
        .format = is_buffer(data->Flags) ? 0 : data->Format,
        .width = top->Width,
        .height = is_buffer(data->Flags) ? 0 : top->Height,
        .depth = data->Flags.Volume ? top->Depth : 1,
        .levels = levels,
        .samples = samples_of(data),
        .fvf = data->Flags.VertexBuffer ? data->Fvf : 0,
    };

    if (data->Pool == D3DDDIPOOL_SYSTEMMEM) {
        for (UINT i = 0; i < count; i++) {
            memory[i] = (uint8_t *)top[i].pSysMem;
            pitch[i] = top[i].SysMemPitch;
            slice[i] = top[i].SysMemSlicePitch;
        }
        desc.memory = memory;
        desc.pitch = pitch;
        desc.slice_pitch = slice;
    }
    return umd_result(client_chain_create(device->client, &desc, chain));
}

static HRESULT create_texture(struct umd_resource *resource, const D3DDDIARG_CREATERESOURCE *data)
{
    const bool autogen = data->Flags.AutogenMipmap && data->Pool != D3DDDIPOOL_SYSTEMMEM;
    const unsigned levels = autogen ? all_levels(&data->pSurfList[0]) : resource->levels;
    HRESULT hr = create_chain(resource->device, data, 0, levels, data->SurfCount, &resource->chains[0]);

    if (FAILED(hr))
        return hr;
    resource->chain_count = 1;
    for (unsigned i = 0; i < resource->count; i++)
        resource->parts[i].surface = client_level(resource->chains[0], i / resource->levels, i % resource->levels);
    return S_OK;
}

static HRESULT create_surfaces(struct umd_resource *resource, const D3DDDIARG_CREATERESOURCE *data)
{
    for (unsigned i = 0; i < resource->count; i++) {
        HRESULT hr = create_chain(resource->device, data, i, 1, 1, &resource->chains[i]);

        if (FAILED(hr))
            return hr;
        resource->chain_count++;
        resource->parts[i].surface = client_part(resource->chains[i], 0);
    }
    return S_OK;
}

static struct umd_resource *make_resource(struct umd_device *device, UINT count, HANDLE runtime)
{
    struct umd_resource *resource = mem_calloc_behind(sizeof(*resource), count, sizeof(resource->parts[0]));

    if (!resource)
        return NULL;
    resource->device = device;
    resource->runtime = runtime;
    resource->count = count;
    resource->levels = resource->faces = 1;
    resource->chains = mem_calloc(count, sizeof(resource->chains[0]));
    resource->handle = resource->chains ? umd_handle_new(UMD_RESOURCE, device, resource) : NULL;
    if (!resource->handle) {
        free(resource->chains);
        free(resource);
        return NULL;
    }
    return resource;
}

/* --- allocations ------------------------------------------------------------------------------------------ */

static void describe_part(const struct umd_resource *resource, unsigned index, HALCYON_ALLOCATION *description)
{
    const struct client_surface *surface = resource->parts[index].surface;

    *description = (HALCYON_ALLOCATION){
        .Version = HALCYON_ALLOCATION_VERSION,
        .Width = surface->width,
        .Height = surface->height,
        .Format = surface->format,
        .Pitch = (UINT)surface->gbl.lPitch,
        .SubResourceIndex = index,
        .Address = (ULONGLONG)(uintptr_t)surface->gbl.fpVidMem,
    };
}

/* All in one call, as shared resources demand. */
static HRESULT allocate(struct umd_resource *resource, const D3DDDIARG_CREATERESOURCE *data)
{
    const D3DDDI_DEVICECALLBACKS *callbacks = &resource->device->callbacks;
    D3DDDI_ALLOCATIONINFO infos[MOST_SURFACES] = {{.hAllocation = 0}};
    HALCYON_ALLOCATION descriptions[MOST_SURFACES];
    D3DDDICB_ALLOCATE call = {
        .hResource = resource->runtime, .NumAllocations = resource->count, .pAllocationInfo = infos};
    HRESULT hr;

    if (!callbacks->pfnAllocateCb || !needs_allocations(data->Flags))
        return S_OK;
    for (unsigned i = 0; i < resource->count; i++) {
        describe_part(resource, i, &descriptions[i]);
        infos[i].pPrivateDriverData = &descriptions[i];
        infos[i].PrivateDriverDataSize = sizeof(descriptions[i]);
        infos[i].VidPnSourceId = data->Flags.Primary ? data->VidPnSourceId : 0;
        infos[i].Flags.Primary = data->Flags.Primary;
    }
    hr = callbacks->pfnAllocateCb(resource->device->runtime, &call);
    if (FAILED(hr))
        return hr;
    resource->has_allocations = true;
    for (unsigned i = 0; i < resource->count; i++)
        resource->parts[i].allocation = infos[i].hAllocation;
    return S_OK;
}

static void deallocate(const struct umd_resource *resource)
{
    const D3DDDI_DEVICECALLBACKS *callbacks = &resource->device->callbacks;
    const D3DDDICB_DEALLOCATE call = {.hResource = resource->runtime};

    if (resource->has_allocations && callbacks->pfnDeallocateCb)
        callbacks->pfnDeallocateCb(resource->device->runtime, &call);
}

HRESULT APIENTRY umd_CreateResource(HANDLE hDevice, D3DDDIARG_CREATERESOURCE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_resource *resource = NULL;
    unsigned levels, faces;
    HRESULT hr;

    if (!device || !data)
        return umd_leave(device, E_FAIL);
    levels = is_texture(data->Flags) ? BASE_MAX(data->MipLevels, 1u) : 1;
    faces = data->Flags.CubeMap ? 6 : 1;
    hr = check(data, levels, faces);
    if (SUCCEEDED(hr)) {
        resource = make_resource(device, data->SurfCount, data->hResource);
        hr = resource ? S_OK : E_OUTOFMEMORY;
    }
    if (SUCCEEDED(hr)) {
        resource->flags = data->Flags;
        resource->format = data->Format;
        resource->is_texture = is_texture(data->Flags);
        resource->is_buffer = is_buffer(data->Flags);
        resource->in_system_memory = data->Pool == D3DDDIPOOL_SYSTEMMEM;
        resource->levels = levels;
        resource->faces = faces;
        hr = resource->is_texture ? create_texture(resource, data) : create_surfaces(resource, data);
    }
    if (SUCCEEDED(hr))
        hr = allocate(resource, data);
    if (SUCCEEDED(hr))
        data->hResource = resource->handle;
    else if (resource) {
        umd_handle_delete(resource->handle);
        umd_resource_free(resource);
    }
    return umd_leave(device, hr);
}

/* --- resources that exist elsewhere ------------------------------------------------------------------------- */

/* The description in an allocation's private data; false: it is not this driver's, or makes no sense. */
static bool read_description(const D3DDDI_OPENALLOCATIONINFO *info, HALCYON_ALLOCATION *description)
{
    if (!info->pPrivateDriverData || info->PrivateDriverDataSize < sizeof(*description))
        return false;
    memcpy(description, info->pPrivateDriverData, sizeof(*description));
    return description->Version == HALCYON_ALLOCATION_VERSION && description->Width &&
           description->Width <= MOST_SIDE && description->Height && description->Height <= MOST_SIDE &&
           description->Pitch && description->Pitch <= INT32_MAX;
}

/* The memory is the runtime's, which vouches for it: the address in the private data is another process's, or stale. Without memory the
 * allocation can only be named in a present. */
static HRESULT open_part(struct umd_resource *resource, unsigned index, const D3DDDI_OPENALLOCATIONINFO *info)
{
    const struct umd_device *device = resource->device;
    struct umd_part *part = &resource->parts[index];
    D3DDDICB_LOCK call = {.hAllocation = info->hAllocation};
    HALCYON_ALLOCATION description;
    uint8_t *memory;
    size_t pitch;
    HRESULT hr;

    part->allocation = info->hAllocation;
    if (!read_description(info, &description) || !device->callbacks.pfnLockCb || !device->callbacks.pfnUnlockCb)
        return S_OK;
    hr = device->callbacks.pfnLockCb(device->runtime, &call);
    if (FAILED(hr))
        return hr;
    part->kernel_lock = true;
    memory = call.pData;
    pitch = description.Pitch;
    if (!memory)
        return S_OK;
    const struct client_chain_desc desc = {.usage = CLIENT_SYSTEM_MEMORY,
                                           .format = description.Format,
                                           .width = description.Width,
                                           .height = description.Height,
                                           .levels = 1,
                                           .memory = &memory,
                                           .pitch = &pitch};

    hr = umd_result(client_chain_create(device->client, &desc, &resource->chains[index]));
    if (SUCCEEDED(hr))
        part->surface = client_part(resource->chains[index], 0);
    return hr;
}

HRESULT APIENTRY umd_OpenResource(HANDLE hDevice, D3DDDIARG_OPENRESOURCE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_resource *resource;
    HRESULT hr = S_OK;

    if (!device || !data || !data->pOpenAllocationInfo || !data->NumAllocations || data->NumAllocations > MOST_SURFACES)
        return umd_leave(device, E_FAIL);
    resource = make_resource(device, data->NumAllocations, data->hResource);
    if (!resource)
        return umd_leave(device, E_OUTOFMEMORY);
    resource->opened = resource->in_system_memory = true;
    resource->chain_count = resource->count;
    for (unsigned i = 0; SUCCEEDED(hr) && i < resource->count; i++)
        hr = open_part(resource, i, &data->pOpenAllocationInfo[i]);
    if (SUCCEEDED(hr))
        data->hResource = resource->handle;
    else {
        umd_handle_delete(resource->handle);
        umd_resource_free(resource);
    }
    return umd_leave(device, hr);
}

/* --- the end ---------------------------------------------------------------------------------------------- */

static void unlock_kernel(const struct umd_resource *resource, const struct umd_part *part)
{
    const D3DDDICB_UNLOCK call = {.NumAllocations = 1, .phAllocations = &part->allocation};

    if (part->kernel_lock)
        resource->device->callbacks.pfnUnlockCb(resource->device->runtime, &call);
}

void umd_resource_free(struct umd_resource *resource)
{
    for (unsigned i = 0; i < resource->count; i++)
        if (resource->parts[i].locks)
            client_unlock(resource->parts[i].surface);
    for (unsigned i = 0; i < resource->chain_count; i++)
        client_chain_destroy(resource->chains[i]);
    client_chain_destroy(resource->screen);
    for (unsigned i = 0; i < resource->count; i++)
        unlock_kernel(resource, &resource->parts[i]);
    deallocate(resource);
    free(resource->chains);
    free(resource);
}

/* Draws that use it are in the batch, perhaps. */
HRESULT APIENTRY umd_DestroyResource(HANDLE hDevice, HANDLE handle)
{
    struct umd_device *device = umd_enter(hDevice);
    struct umd_resource *resource = device ? umd_find_resource(device, handle) : NULL;

    if (!resource)
        return umd_leave(device, E_FAIL);
    umd_send(device);
    umd_handle_delete(handle);
    umd_resource_free(resource);
    return umd_leave(device, S_OK);
}
