/* SPDX-License-Identifier: MIT */
/* IDirect3DVertexBuffer9 and IDirect3DIndexBuffer9: vtables over runtime/common/object/buffer.h. */
#include "runtime/d3d9/resource/resources.h"

#include "runtime/common/object/methods.h"

const IID *const d3d9_vertex_buffer_ids[] = {&IID_IDirect3DVertexBuffer9, &IID_IDirect3DResource9, &IID_IUnknown, NULL};
const IID *const d3d9_index_buffer_ids[] = {&IID_IDirect3DIndexBuffer9, &IID_IDirect3DResource9, &IID_IUnknown, NULL};

static HRESULT WINAPI vertex_buffer_GetDesc(IDirect3DVertexBuffer9 *iface, D3DVERTEXBUFFER_DESC *out)
{
    const struct rt_buffer_desc *desc = &rt_buffer_of(iface)->desc;

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = (D3DVERTEXBUFFER_DESC){D3DFMT_VERTEXDATA, D3DRTYPE_VERTEXBUFFER, desc->usage,
                                  desc->pool,        desc->length,          desc->fvf};
    return D3D_OK;
}

static HRESULT WINAPI index_buffer_GetDesc(IDirect3DIndexBuffer9 *iface, D3DINDEXBUFFER_DESC *out)
{
    const struct rt_buffer_desc *desc = &rt_buffer_of(iface)->desc;

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = (D3DINDEXBUFFER_DESC){(D3DFORMAT)desc->format, D3DRTYPE_INDEXBUFFER, desc->usage, desc->pool, desc->length};
    return D3D_OK;
}

RT_BUFFER_METHODS(RT_METHOD, IDirect3DVertexBuffer9, IDirect3DDevice9, void)

/* clang-format off */
const IDirect3DVertexBuffer9Vtbl d3d9_vertex_buffer_vtbl = {
    RT_BUFFER_METHODS(RT_ENTRY, IDirect3DVertexBuffer9, IDirect3DDevice9, void)
    .GetDesc = vertex_buffer_GetDesc,
};
/* clang-format on */

RT_BUFFER_METHODS(RT_METHOD, IDirect3DIndexBuffer9, IDirect3DDevice9, void)

/* clang-format off */
const IDirect3DIndexBuffer9Vtbl d3d9_index_buffer_vtbl = {
    RT_BUFFER_METHODS(RT_ENTRY, IDirect3DIndexBuffer9, IDirect3DDevice9, void)
    .GetDesc = index_buffer_GetDesc,
};
/* clang-format on */
