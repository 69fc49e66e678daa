/* SPDX-License-Identifier: MIT */
/* Vertex and index buffers. All live with the driver, whatever their pool: it reads them while it
 * executes a batch, so a lock need only send the batch first. */
#include "runtime/d3d8/d3d8_objects.h"

uint32_t d3d8_buffer_handle(struct rt_resource *resource)
{
    return rt_chain_handle(D3D8_FROM_RES(d3d8_buffer, resource)->chain, 0);
}

static HRESULT WINAPI buffer_query(void *iface, REFIID riid, void **out)
{
    static const IID *const vertex[] = {&IID_IDirect3DVertexBuffer8, &IID_IDirect3DResource8, &IID_IUnknown, NULL};
    static const IID *const index[] = {&IID_IDirect3DIndexBuffer8, &IID_IDirect3DResource8, &IID_IUnknown, NULL};

    return d3d8_query(iface, riid, d3d8_buffer_of(iface)->type == D3DRTYPE_VERTEXBUFFER ? vertex : index, out);
}

static DWORD WINAPI buffer_set_priority(void *iface, DWORD priority)
{
    struct d3d8_buffer *buffer = iface;

    return buffer->pool == D3DPOOL_MANAGED ? d3d8_object_set_priority(iface, priority) : 0;
}

static void WINAPI buffer_pre_load(void *iface)
{
    (void)iface;
}

static D3DRESOURCETYPE WINAPI buffer_get_type(void *iface)
{
    return d3d8_buffer_of(iface)->type;
}

static HRESULT WINAPI buffer_lock(void *iface, UINT offset, UINT size, BYTE **data, DWORD flags)
{
    struct d3d8_buffer *buffer = iface;
    struct rt_mapping map;
    HRESULT hr;
    RT_LOCK(&buffer->device->base);

    if (!data)
        return D3DERR_INVALIDCALL;
    *data = NULL;
    if (offset > buffer->length || size > buffer->length - offset)
        return D3DERR_INVALIDCALL;
    if (buffer->keep_on_discard || (flags & D3DLOCK_READONLY))
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    /* Both together promise not to touch what is being drawn: no need for other memory. */
    if (flags & D3DLOCK_NOOVERWRITE)
        flags &= ~(DWORD)D3DLOCK_DISCARD;
    if (!buffer->locks) {
        hr = rt_chain_lock(buffer->chain, 0, flags, &map);
        if (FAILED(hr))
            return hr;
        buffer->bits = map.bits;
    }
    buffer->locks++;
    *data = buffer->bits + offset;
    return D3D_OK;
}

static HRESULT WINAPI buffer_unlock(void *iface)
{
    struct d3d8_buffer *buffer = iface;
    RT_LOCK(&buffer->device->base);

    if (buffer->locks && !--buffer->locks)
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
    *desc = (D3DINDEXBUFFER_DESC){buffer->format, D3DRTYPE_INDEXBUFFER, buffer->usage, buffer->pool,
                                  buffer->length};
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

HRESULT d3d8_buffer_create(struct d3d8_device *device, D3DRESOURCETYPE type, UINT length,
                           DWORD usage, DWORD fvf, D3DFORMAT format, D3DPOOL pool,
                           struct d3d8_buffer **out)
{
    bool is_vertex = type == D3DRTYPE_VERTEXBUFFER;
    struct rt_chain_desc desc = {.kind = is_vertex ? RT_CHAIN_VERTEX : RT_CHAIN_INDEX,
                                 .memory = RT_MEMORY_VIDEO,
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
    buffer->keep_on_discard =
        pool != D3DPOOL_DEFAULT || !(usage & D3DUSAGE_DYNAMIC) ||
        (device->creation.BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING);
    hr = rt_chain_create(device->link, &desc, &buffer->chain);
    if (FAILED(hr)) {
        free(buffer);
        return hr;
    }
    if (pool == D3DPOOL_DEFAULT)
        device->default_pool_count++;
    rt_resource_init(&buffer->res, &device->base, &buffer_ops, false);
    *out = buffer;
    return D3D_OK;
}
