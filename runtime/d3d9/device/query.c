/* SPDX-License-Identifier: MIT */
/* IDirect3DQuery9. */
#include "runtime/d3d9/device/query.h"

#include <stdlib.h>

#include "runtime/common/driver/adapter.h"
#include "runtime/common/object/methods.h"
#include "runtime/d3d9/perf.h"

static void destroy(struct rt_resource *resource)
{
    struct d3d9_query *query = RT_FROM_RES(d3d9_query, resource);

    rt_query_destroy(query->query);
    free(query);
}

static const struct rt_resource_ops query_ops = {destroy};

HRESULT WINAPI d3d9_device_CreateQuery(IDirect3DDevice9Ex *iface, D3DQUERYTYPE type, IDirect3DQuery9 **out)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    struct d3d9_query *query;
    HRESULT hr;
    RT_LOCK(&device->common.base);

    if (!rt_query_size(type) || !rt_adapter_has_query(device->common.adapter, type))
        return D3DERR_NOTAVAILABLE;
    if (!out)
        return D3D_OK;
    query = mem_calloc(1, sizeof(*query));
    if (!query)
        return E_OUTOFMEMORY;
    hr = rt_query_create(device->common.link, type, &query->query);
    if (FAILED(hr)) {
        free(query);
        return hr;
    }
    rt_object_init(query, &device->common, RT_KIND_QUERY, &query_ops, false);
    *out = (IDirect3DQuery9 *)query;
    return D3D_OK;
}

static struct d3d9_query *query_of(IDirect3DQuery9 *iface)
{
    return (struct d3d9_query *)iface;
}

static D3DQUERYTYPE WINAPI query_GetType(IDirect3DQuery9 *iface)
{
    return rt_query_type(query_of(iface)->query);
}

static DWORD WINAPI query_GetDataSize(IDirect3DQuery9 *iface)
{
    return rt_query_size(rt_query_type(query_of(iface)->query));
}

static HRESULT WINAPI query_Issue(IDirect3DQuery9 *iface, DWORD flags)
{
    struct d3d9_query *query = query_of(iface);
    RT_LOCK(&query->device->base);

    d3d9_perf_send(query->device->link);
    rt_query_set_parts(query->query, rt_device_counted_parts(query->device));
    return rt_query_issue(query->query, flags);
}

static HRESULT WINAPI query_GetData(IDirect3DQuery9 *iface, void *data, DWORD size, DWORD flags)
{
    struct d3d9_query *query = query_of(iface);
    RT_LOCK(&query->device->base);

    if (!data && size)
        return D3DERR_INVALIDCALL;
    return rt_query_get(query->query, data, size, flags & D3DGETDATA_FLUSH);
}

const GUID *const d3d9_query_ids[] = {&IID_IDirect3DQuery9, &IID_IUnknown, NULL};

RT_OBJECT_METHODS(RT_METHOD, IDirect3DQuery9, IDirect3DDevice9)

/* clang-format off */
const IDirect3DQuery9Vtbl d3d9_query_vtbl = {
    RT_OBJECT_METHODS(RT_ENTRY, IDirect3DQuery9, IDirect3DDevice9)
    .GetType = query_GetType,
    .GetDataSize = query_GetDataSize,
    .Issue = query_Issue,
    .GetData = query_GetData,
};
/* clang-format on */
