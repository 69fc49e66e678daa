/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DDevice9(Ex): declarations, shaders, streams and indices. While a block is recorded, setters fill it instead
 * of the device. Bound objects stay alive without a reference of the program.
 */
#include "runtime/d3d9/device/device_methods.h"

#include "runtime/common/state/record.h"
#include "runtime/d3d9/shader/declaration.h"
#include "runtime/d3d9/shader/shader.h"

/* --- objects ------------------------------------------------------------------------------ */

/* The resource of an object of this device; NULL for none. False: the object belongs to another device. */
static bool resource_of(const struct rt_device *device, void *iface, struct rt_resource **resource)
{
    struct rt_object *object = iface;

    *resource = object ? &object->res : NULL;
    return !object || object->device == device;
}

/* Gives a reference on the bound object. */
static HRESULT get_object(struct rt_resource *bound, void **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    *out = bound ? RT_FROM_RES(rt_object, bound) : NULL;
    if (bound)
        rt_resource_addref(bound);
    return D3D_OK;
}

/* --- declarations ------------------------------------------------------------------------- */

static void set_declaration(struct rt_device *device, struct rt_resource *declaration)
{
    if (device->recording)
        rt_record_declaration(device->recording, declaration);
    else
        rt_set_declaration(&device->pipe, declaration);
}

HRESULT WINAPI d3d9_device_SetVertexDeclaration(IDirect3DDevice9Ex *iface, IDirect3DVertexDeclaration9 *declaration)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_resource *resource;
    RT_LOCK(&device->base);

    if (!resource_of(device, declaration, &resource))
        return D3DERR_INVALIDCALL;
    set_declaration(device, resource);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetVertexDeclaration(IDirect3DDevice9Ex *iface, IDirect3DVertexDeclaration9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return get_object(device->pipe.state.declaration, (void **)out);
}

/* For a format the device makes a declaration; 0 leaves the current one. */
HRESULT WINAPI d3d9_device_SetFVF(IDirect3DDevice9Ex *iface, DWORD fvf)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    struct d3d9_declaration *declaration;
    HRESULT hr;
    RT_LOCK(&device->common.base);

    if (!fvf)
        return D3D_OK;
    hr = d3d9_declaration_of_fvf(device, fvf, &declaration);
    if (SUCCEEDED(hr))
        set_declaration(&device->common, &declaration->res);
    return hr;
}

uint32_t d3d9_current_fvf(const struct rt_device *device)
{
    struct rt_resource *declaration = device->pipe.state.declaration;

    return declaration ? RT_FROM_RES(d3d9_declaration, declaration)->fvf : 0;
}

void d3d9_vertex_use(const struct rt_device *device, struct rt_vertex_use *use)
{
    struct rt_resource *set = device->pipe.state.declaration;
    const struct d3d9_declaration *declaration = set ? RT_FROM_RES(d3d9_declaration, set) : NULL;
    bool others = false;

    for (unsigned i = 0; declaration && i + 1 < declaration->count; i++) {
        const D3DVERTEXELEMENT9 *element = &declaration->elements[i];

        others |= element->Stream != 0;
        if (element->Usage == D3DDECLUSAGE_PSIZE && !element->UsageIndex)
            use->size = element->Offset;
        if (element->Usage != D3DDECLUSAGE_POSITIONT || element->UsageIndex)
            continue;
        use->in_pixels = true;
        use->position = element->Offset;
    }
    use->several_streams = use->in_pixels && others;
    use->has_shader = !use->in_pixels && device->pipe.state.vertex_function;
}

unsigned d3d9_vertex_bytes(const struct rt_device *device)
{
    struct rt_resource *declaration = device->pipe.state.declaration;

    return declaration ? RT_FROM_RES(d3d9_declaration, declaration)->vertex_bytes : 0;
}

HRESULT WINAPI d3d9_device_GetFVF(IDirect3DDevice9Ex *iface, DWORD *fvf)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!fvf)
        return D3DERR_INVALIDCALL;
    *fvf = d3d9_current_fvf(device);
    return D3D_OK;
}

/* --- shaders ------------------------------------------------------------------------------ */

HRESULT WINAPI d3d9_device_SetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 *shader)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_resource *resource;
    RT_LOCK(&device->base);

    if (!resource_of(device, shader, &resource))
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_vertex_function(device->recording, resource);
    else
        rt_set_vertex_function(&device->pipe, resource);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return get_object(device->pipe.state.vertex_function, (void **)out);
}

HRESULT WINAPI d3d9_device_SetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 *shader)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_resource *resource;
    RT_LOCK(&device->base);

    if (!resource_of(device, shader, &resource))
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_pixel_function(device->recording, resource);
    else
        rt_set_pixel_function(&device->pipe, resource);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return get_object(device->pipe.state.pixel_function, (void **)out);
}

/* --- streams ------------------------------------------------------------------------------ */

HRESULT WINAPI d3d9_device_SetStreamSource(IDirect3DDevice9Ex *iface, UINT stream, IDirect3DVertexBuffer9 *vertices,
                                           UINT offset, UINT stride)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_resource *resource;
    const struct rt_stream *bound;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || offset % 4 || !resource_of(device, vertices, &resource))
        return D3DERR_INVALIDCALL;
    bound = &(device->recording ? &device->recording->state : &device->pipe.state)->stream[stream];
    if (!resource) { /* unbinding leaves the rest */
        offset = bound->offset;
        stride = bound->stride;
    }
    if (device->recording)
        rt_record_stream(device->recording, stream, resource, offset, stride);
    else
        rt_set_stream_source(&device->pipe, stream, resource, offset, stride);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetStreamSource(IDirect3DDevice9Ex *iface, UINT stream, IDirect3DVertexBuffer9 **out,
                                           UINT *offset, UINT *stride)
{
    struct rt_device *device = rt_device_of(iface);
    const struct rt_stream *bound;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || !out)
        return D3DERR_INVALIDCALL;
    bound = &device->pipe.state.stream[stream];
    if (offset)
        *offset = bound->offset;
    if (stride)
        *stride = bound->stride;
    return get_object(bound->buffer, (void **)out);
}

/* Stream 0 sets the number of instances and cannot hold instance data; a divider of 0 is invalid. */
static bool frequency_is_valid(UINT stream, UINT frequency)
{
    const UINT flags = frequency & (D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA);

    if (flags == (D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA))
        return false;
    return frequency && !(!stream && flags == D3DSTREAMSOURCE_INSTANCEDATA);
}

HRESULT WINAPI d3d9_device_SetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT frequency)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || !frequency_is_valid(stream, frequency))
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_stream_frequency(device->recording, stream, frequency);
    else
        rt_set_stream_frequency(&device->pipe, stream, frequency);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT *frequency)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || !frequency)
        return D3DERR_INVALIDCALL;
    *frequency = device->pipe.state.stream[stream].frequency;
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_SetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 *indices)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_resource *resource;
    RT_LOCK(&device->base);

    if (!resource_of(device, indices, &resource))
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_indices(device->recording, resource);
    else
        rt_set_indices(&device->pipe, resource, 0);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return get_object(device->pipe.state.indices, (void **)out);
}
