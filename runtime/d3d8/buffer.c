/* SPDX-License-Identifier: MIT */
/* Vertex and index buffers. Those of D3DPOOL_MANAGED are ours, with a copy of the driver's that follows them by BUFFERBLT once
 * they are drawn with (DirectX 8 DDI document, "Vertex Buffer Creation Handling"). All others live with the driver: it reads
 * them while it executes a batch, so a lock need only send the batch first. */
#include "runtime/d3d8/d3d8_objects.h"

/* --- the driver's copy ----------------------------------------------------------------- */

static void add_dirty(struct d3d8_buffer *buffer, unsigned from, unsigned to)
{
    if (buffer->dirty_from < buffer->dirty_to) {
        from = BASE_MIN(from, buffer->dirty_from);
        to = BASE_MAX(to, buffer->dirty_to);
    }
    buffer->dirty_from = from;
    buffer->dirty_to = to;
    buffer->device->attention |= D3D8_BUFFERS_CHANGED;
}

static void send_priority(const struct d3d8_buffer *buffer)
{
    D3DHAL_DP2SETPRIORITY body = {buffer->handle, buffer->res.priority};

    rt_put(buffer->device->link, D3DDP2OP_SETPRIORITY, 1, &body, sizeof(body));
}

/* A driver without room for a copy can read ours. */
static void make_driver_side(struct d3d8_buffer *buffer)
{
    struct rt_chain_desc desc = buffer->chain->desc;

    desc.memory = RT_MEMORY_VIDEO;
    if (FAILED(rt_chain_create(buffer->device->link, &desc, &buffer->video))) {
        buffer->handle = rt_chain_handle(buffer->chain, 0);
        return;
    }
    buffer->handle = rt_chain_handle(buffer->video, 0);
    add_dirty(buffer, 0, buffer->length);
    if (buffer->res.priority)
        send_priority(buffer);
}

bool d3d8_buffer_upload(struct d3d8_buffer *buffer)
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
        /* Programs draw while they hold a lock, and go on writing. */
        if (!buffer->locks)
            buffer->dirty_from = buffer->dirty_to = 0;
    }
    return buffer->dirty_from < buffer->dirty_to;
}

uint32_t d3d8_buffer_handle(struct rt_resource *resource)
{
    struct d3d8_buffer *buffer = D3D8_FROM_RES(d3d8_buffer, resource);

    if (!buffer->handle)
        make_driver_side(buffer);
    if (buffer->dirty_from < buffer->dirty_to)
        d3d8_buffer_upload(buffer);
    return buffer->handle;
}

void d3d8_buffer_transformed(struct d3d8_buffer *buffer, unsigned offset, unsigned size)
{
    if (buffer->pool == D3DPOOL_MANAGED)
        add_dirty(buffer, offset, offset + size);
    buffer->transformed = true;
    buffer->device->attention |= D3D8_HAS_TRANSFORMED;
}

/* --- methods --------------------------------------------------------------------------- */

static HRESULT WINAPI buffer_query(void *iface, REFIID riid, void **out)
{
    static const IID *const vertex[] = {&IID_IDirect3DVertexBuffer8, &IID_IDirect3DResource8, &IID_IUnknown, NULL};
    static const IID *const index[] = {&IID_IDirect3DIndexBuffer8, &IID_IDirect3DResource8, &IID_IUnknown, NULL};

    return d3d8_query(iface, riid, d3d8_buffer_of(iface)->type == D3DRTYPE_VERTEXBUFFER ? vertex : index, out);
}

static DWORD WINAPI buffer_set_priority(void *iface, DWORD priority)
{
    struct d3d8_buffer *buffer = iface;
    DWORD old;
    RT_LOCK(&buffer->device->base);

    if (buffer->pool != D3DPOOL_MANAGED)
        return 0;
    old = d3d8_object_set_priority(iface, priority);
    if (buffer->video && priority != old)
        send_priority(buffer);
    return old;
}

static void WINAPI buffer_pre_load(void *iface)
{
    (void)iface;
}

static D3DRESOURCETYPE WINAPI buffer_get_type(void *iface)
{
    return d3d8_buffer_of(iface)->type;
}

static DWORD lock_flags(const struct d3d8_buffer *buffer, DWORD flags)
{
    if (buffer->keep_on_discard || (flags & D3DLOCK_READONLY))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    /* Both together promise not to touch what is being drawn: no need for other memory. */
    if (flags & D3DLOCK_NOOVERWRITE)
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    /* Draws in the batch read the driver's copy: only a copy that is still to be made reads ours. */
    if (buffer->pool == D3DPOOL_MANAGED && buffer->copied_in != rt_link_batch(buffer->device->link))
        flags |= D3DLOCK_NOOVERWRITE;
    return flags;
}

static HRESULT WINAPI buffer_lock(void *iface, UINT offset, UINT size, BYTE **data, DWORD flags)
{
    struct d3d8_buffer *buffer = iface;
    bool inside = offset < buffer->length && size <= buffer->length - offset;
    unsigned end = inside && size ? offset + size : buffer->length;
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
    *data = inside ? buffer->bits + offset : d3d8_overrun_add(buffer, offset, size, flags);
    if (!*data) {
        if (!buffer->locks)
            rt_chain_unlock(buffer->chain, 0);
        return E_OUTOFMEMORY;
    }
    buffer->locks++;
    if (flags & D3DLOCK_READONLY)
        return D3D_OK;
    buffer->transformed = false;
    if (buffer->pool == D3DPOOL_MANAGED && offset < end)
        add_dirty(buffer, offset, end);
    return D3D_OK;
}

static HRESULT WINAPI buffer_unlock(void *iface)
{
    struct d3d8_buffer *buffer = iface;
    RT_LOCK(&buffer->device->base);

    if (!buffer->locks || --buffer->locks)
        return D3D_OK;
    d3d8_overruns_finish(buffer);
    rt_chain_unlock(buffer->chain, 0);
    return D3D_OK;
}

static HRESULT WINAPI vertex_GetDesc(IDirect3DVertexBuffer8 *iface, D3DVERTEXBUFFER_DESC *desc)
{
    struct d3d8_buffer *buffer = d3d8_buffer_of(iface);

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DVERTEXBUFFER_DESC){D3DFMT_VERTEXDATA, D3DRTYPE_VERTEXBUFFER, buffer->usage,
                                   buffer->pool,      buffer->length,        buffer->fvf};
    return D3D_OK;
}

static const IDirect3DVertexBuffer8Vtbl vertex_vtbl = {
    D3D8_RESOURCE_METHODS(buffer_query, buffer_set_priority, buffer_pre_load, buffer_get_type),
    (void *)buffer_lock,
    (void *)buffer_unlock,
    vertex_GetDesc,
};

static HRESULT WINAPI index_GetDesc(IDirect3DIndexBuffer8 *iface, D3DINDEXBUFFER_DESC *desc)
{
    struct d3d8_buffer *buffer = d3d8_buffer_of(iface);

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DINDEXBUFFER_DESC){buffer->format, D3DRTYPE_INDEXBUFFER, buffer->usage, buffer->pool, buffer->length};
    return D3D_OK;
}

static const IDirect3DIndexBuffer8Vtbl index_vtbl = {
    D3D8_RESOURCE_METHODS(buffer_query, buffer_set_priority, buffer_pre_load, buffer_get_type),
    (void *)buffer_lock,
    (void *)buffer_unlock,
    index_GetDesc,
};

static void buffer_destroy(struct rt_resource *resource)
{
    struct d3d8_buffer *buffer = D3D8_FROM_RES(d3d8_buffer, resource);

    if (buffer->locks)
        rt_chain_unlock(buffer->chain, 0);
    d3d8_overruns_free(buffer);
    rt_chain_destroy(buffer->video);
    rt_chain_destroy(buffer->chain);
    if (buffer->pool == D3DPOOL_DEFAULT)
        buffer->device->default_pool_count--;
    free(buffer);
}

static const struct rt_resource_ops buffer_ops = {buffer_destroy};

static bool usage_is_valid(DWORD usage, D3DPOOL pool)
{
    if (usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL))
        return false;
    if ((unsigned)pool >= D3DPOOL_SCRATCH)
        return false;
    return !(pool == D3DPOOL_MANAGED && (usage & D3DUSAGE_DYNAMIC));
}

/* The program's memory. */
static HRESULT create_memory(struct d3d8_buffer *buffer, struct rt_chain_desc *desc)
{
    desc->memory = buffer->pool == D3DPOOL_MANAGED ? RT_MEMORY_SYSTEM : RT_MEMORY_VIDEO;
    return rt_chain_create(buffer->device->link, desc, &buffer->chain);
}

HRESULT d3d8_buffer_create(struct d3d8_device *device, D3DRESOURCETYPE type, UINT length, DWORD usage, DWORD fvf,
                           D3DFORMAT format, D3DPOOL pool, struct d3d8_buffer **out)
{
    bool is_vertex = type == D3DRTYPE_VERTEXBUFFER;
    struct rt_chain_desc desc = {.kind = is_vertex ? RT_CHAIN_VERTEX : RT_CHAIN_INDEX,
                                 .width = length,
                                 .height = 1,
                                 .depth = 1,
                                 .fvf = fvf,
                                 .dynamic = usage & D3DUSAGE_DYNAMIC};
    struct d3d8_buffer *buffer;
    HRESULT hr;

    *out = NULL;
    if (!length || !usage_is_valid(usage, pool))
        return D3DERR_INVALIDCALL;
    buffer = mem_calloc(1, sizeof(*buffer));
    if (!buffer)
        return E_OUTOFMEMORY;
    if (is_vertex)
        buffer->iface.vertex.lpVtbl = (IDirect3DVertexBuffer8Vtbl *)&vertex_vtbl;
    else
        buffer->iface.index.lpVtbl = (IDirect3DIndexBuffer8Vtbl *)&index_vtbl;
    buffer->device = device;
    buffer->type = type;
    buffer->format = format;
    buffer->usage = usage;
    buffer->fvf = fvf;
    buffer->pool = pool;
    buffer->length = length;
    /* Only a dynamic buffer for hardware vertex processing may come back empty. */
    buffer->keep_on_discard = pool != D3DPOOL_DEFAULT || !(usage & D3DUSAGE_DYNAMIC) ||
                              (device->creation.BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING);
    hr = create_memory(buffer, &desc);
    if (FAILED(hr)) {
        free(buffer);
        return hr;
    }
    if (pool == D3DPOOL_DEFAULT)
        device->default_pool_count++;
    if (pool != D3DPOOL_MANAGED)
        buffer->handle = rt_chain_handle(buffer->chain, 0);
    rt_resource_init(&buffer->res, &device->base, &buffer_ops, false);
    *out = buffer;
    return D3D_OK;
}
