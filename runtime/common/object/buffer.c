/* SPDX-License-Identifier: MIT */
/* Vertex and index buffers: locks, and the copy that the driver draws from. */
#include "runtime/common/object/buffer.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"

/* --- the driver's copy ----------------------------------------------------------------- */

static void add_dirty(struct rt_buffer *buffer, unsigned from, unsigned to)
{
    if (buffer->dirty_from < buffer->dirty_to) {
        from = BASE_MIN(from, buffer->dirty_from);
        to = BASE_MAX(to, buffer->dirty_to);
    }
    buffer->dirty_from = from;
    buffer->dirty_to = to;
    buffer->device->attention |= RT_BUFFERS_CHANGED;
}

static void send_priority(const struct rt_buffer *buffer)
{
    D3DHAL_DP2SETPRIORITY body = {buffer->handle, buffer->res.priority};

    rt_put(buffer->device->link, D3DDP2OP_SETPRIORITY, 1, &body, sizeof(body));
}

/* A driver without memory for a copy can read ours. */
static void make_driver_side(struct rt_buffer *buffer)
{
    struct rt_chain_desc desc = buffer->chain->desc;

    desc.memory = RT_MEMORY_VIDEO;
    if (FAILED(rt_chain_create(buffer->device->link, &desc, &buffer->video))) {
        buffer->handle = rt_chain_handle(buffer->chain, 0);
        return;
    }
    buffer->handle = rt_chain_handle(buffer->video, 0);
    add_dirty(buffer, 0, buffer->desc.length);
    if (buffer->res.priority)
        send_priority(buffer);
}

bool rt_buffer_upload(struct rt_buffer *buffer)
{
    struct rt_link *link = buffer->device->link;

    if (buffer->video && buffer->dirty_from < buffer->dirty_to) {
        D3DHAL_DP2BUFFERBLT body = {buffer->handle,
                                    rt_chain_handle(buffer->chain, 0),
                                    buffer->dirty_from,
                                    {buffer->dirty_from, buffer->dirty_to - buffer->dirty_from},
                                    0};
        rt_put(link, D3DDP2OP_BUFFERBLT, 1, &body, sizeof(body));
        buffer->copied_in = rt_link_batch(link);
        /* Programs draw while they hold a lock, and continue to write. */
        if (!buffer->locks)
            buffer->dirty_from = buffer->dirty_to = 0;
    }
    return buffer->dirty_from < buffer->dirty_to;
}

uint32_t rt_buffer_handle(struct rt_resource *resource)
{
    struct rt_buffer *buffer = RT_FROM_RES(rt_buffer, resource);

    if (!buffer->handle)
        make_driver_side(buffer);
    if (buffer->dirty_from < buffer->dirty_to)
        rt_buffer_upload(buffer);
    return buffer->handle;
}

void rt_buffer_transformed(struct rt_buffer *buffer, unsigned offset, unsigned size)
{
    if (buffer->desc.pool == RT_POOL_MANAGED)
        add_dirty(buffer, offset, offset + size);
    buffer->transformed = true;
    buffer->device->attention |= RT_HAS_TRANSFORMED;
}

/* Draws only read its memory, and ProcessVertices writes it before it returns: the batch need not be sent. */
const uint8_t *rt_buffer_read(struct rt_buffer *buffer)
{
    struct rt_mapping map;

    if (buffer->locks)
        return buffer->bits;
    return SUCCEEDED(rt_chain_lock(buffer->chain, 0, D3DLOCK_READONLY | D3DLOCK_NOOVERWRITE, &map)) ? map.bits : NULL;
}

void rt_buffer_read_end(struct rt_buffer *buffer)
{
    if (!buffer->locks)
        rt_chain_unlock(buffer->chain, 0);
}

/* --- methods --------------------------------------------------------------------------- */

DWORD WINAPI rt_buffer_SetPriority(void *iface, DWORD priority)
{
    struct rt_buffer *buffer = rt_buffer_of(iface);
    DWORD old = buffer->res.priority;
    RT_LOCK(&buffer->device->base);

    if (buffer->desc.pool != RT_POOL_MANAGED)
        return 0;
    buffer->res.priority = priority;
    if (buffer->video && priority != old)
        send_priority(buffer);
    return old;
}

D3DRESOURCETYPE WINAPI rt_buffer_GetType(void *iface)
{
    return rt_buffer_of(iface)->desc.type;
}

static DWORD lock_flags(const struct rt_buffer *buffer, DWORD flags)
{
    if (buffer->keep_on_discard || (flags & D3DLOCK_READONLY))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    /* Both flags together promise not to touch data that draws use: no need for other memory. */
    if (flags & D3DLOCK_NOOVERWRITE)
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    /* Draws in the batch read the driver's copy; our memory is read only by an upload that is still pending. */
    if (buffer->desc.pool == RT_POOL_MANAGED && buffer->copied_in != rt_link_batch(buffer->device->link))
        flags |= D3DLOCK_NOOVERWRITE;
    return flags;
}

HRESULT WINAPI rt_buffer_Lock(void *iface, UINT offset, UINT size, void **data, DWORD flags)
{
    struct rt_buffer *buffer = rt_buffer_of(iface);
    bool inside = offset < buffer->desc.length && size <= buffer->desc.length - offset;
    unsigned end = inside && size ? offset + size : buffer->desc.length;
    struct rt_mapping map;
    HRESULT hr;
    RT_LOCK(&buffer->device->base);

    if (!data)
        return D3DERR_INVALIDCALL;
    *data = NULL;
    if (!buffer->locks) {
        hr = rt_chain_lock(buffer->chain, 0, lock_flags(buffer, flags), &map);
        if (FAILED(hr))
            return hr;
        buffer->bits = map.bits;
    }
    *data = inside ? buffer->bits + offset : rt_overrun_add(buffer, offset, size, flags);
    if (!*data) {
        if (!buffer->locks)
            rt_chain_unlock(buffer->chain, 0);
        return E_OUTOFMEMORY;
    }
    buffer->locks++;
    if (flags & D3DLOCK_READONLY)
        return D3D_OK;
    buffer->transformed = false;
    if (buffer->desc.pool == RT_POOL_MANAGED && offset < end)
        add_dirty(buffer, offset, end);
    return D3D_OK;
}

HRESULT WINAPI rt_buffer_Unlock(void *iface)
{
    struct rt_buffer *buffer = rt_buffer_of(iface);
    RT_LOCK(&buffer->device->base);

    if (!buffer->locks || --buffer->locks)
        return D3D_OK;
    rt_overruns_finish(buffer);
    rt_chain_unlock(buffer->chain, 0);
    return D3D_OK;
}

/* --- life ------------------------------------------------------------------------------ */

static void buffer_destroy(struct rt_resource *resource)
{
    struct rt_buffer *buffer = RT_FROM_RES(rt_buffer, resource);

    if (buffer->locks)
        rt_chain_unlock(buffer->chain, 0);
    rt_overruns_free(buffer);
    rt_chain_destroy(buffer->video);
    rt_chain_destroy(buffer->chain);
    if (buffer->desc.pool == RT_POOL_DEFAULT)
        buffer->device->default_pool_count--;
    free(buffer);
}

static const struct rt_resource_ops buffer_ops = {buffer_destroy};

static bool is_valid(const struct rt_buffer_desc *desc)
{
    if (!desc->length || (desc->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)))
        return false;
    if (desc->pool >= RT_POOL_SCRATCH)
        return false;
    return !(desc->pool == RT_POOL_MANAGED && (desc->usage & D3DUSAGE_DYNAMIC));
}

/* The program's memory. */
static HRESULT create_memory(struct rt_buffer *buffer)
{
    const struct rt_buffer_desc *d = &buffer->desc;
    struct rt_chain_desc desc = {.kind = d->type == D3DRTYPE_VERTEXBUFFER ? RT_CHAIN_VERTEX : RT_CHAIN_INDEX,
                                 .memory = d->pool == RT_POOL_MANAGED ? RT_MEMORY_SYSTEM : RT_MEMORY_VIDEO,
                                 .width = d->length,
                                 .height = 1,
                                 .depth = 1,
                                 .fvf = d->fvf,
                                 .dynamic = d->usage & D3DUSAGE_DYNAMIC};

    return rt_chain_create(buffer->device->link, &desc, &buffer->chain);
}

HRESULT rt_buffer_create(struct rt_device *device, const struct rt_buffer_desc *desc, struct rt_buffer **out)
{
    const enum rt_kind kind = desc->type == D3DRTYPE_VERTEXBUFFER ? RT_KIND_VERTEX_BUFFER : RT_KIND_INDEX_BUFFER;
    struct rt_buffer *buffer;
    HRESULT hr;

    *out = NULL;
    if (!is_valid(desc))
        return D3DERR_INVALIDCALL;
    /* Larger than the driver interface can describe (dwLinearSize is a LONG), in any pool. */
    if (desc->length > INT32_MAX)
        return E_OUTOFMEMORY;
    buffer = mem_calloc(1, sizeof(*buffer));
    if (!buffer)
        return E_OUTOFMEMORY;
    buffer->device = device;
    buffer->desc = *desc;
    /* Only a dynamic buffer for hardware vertex processing may lose its contents. */
    buffer->keep_on_discard = desc->pool != RT_POOL_DEFAULT || !(desc->usage & D3DUSAGE_DYNAMIC) ||
                              (device->creation.BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING);
    hr = create_memory(buffer);
    if (FAILED(hr)) {
        free(buffer);
        return hr;
    }
    if (desc->pool == RT_POOL_DEFAULT)
        device->default_pool_count++;
    if (desc->pool != RT_POOL_MANAGED)
        buffer->handle = rt_chain_handle(buffer->chain, 0);
    rt_object_init(buffer, device, kind, &buffer_ops, false);
    *out = buffer;
    return D3D_OK;
}
