/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: states and bindings. While a block is recorded, setters
 * fill it instead of the device. */
#include "runtime/d3d8/device_methods.h"

/* --- transforms, viewport, material, lights, planes ------------------------------------ */

HRESULT WINAPI d3d8_device_SetTransform(IDirect3DDevice8 *iface, D3DTRANSFORMSTATETYPE type, const D3DMATRIX *matrix)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    int index = rt_transform_index((uint32_t)type);
    RT_LOCK(&device->base);

    if (index < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.transform[index] = *matrix;
        rt_mask_set(device->recording->mask.transform, (unsigned)index);
    } else {
        rt_set_transform(&device->pipe, index, matrix);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTransform(IDirect3DDevice8 *iface, D3DTRANSFORMSTATETYPE type, D3DMATRIX *matrix)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    int index = rt_transform_index((uint32_t)type);

    if (index < 0 || !matrix || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *matrix = d3d8_device_of(iface)->pipe.state.transform[index];
    return D3D_OK;
}

/* Never recorded: it goes to the device even inside BeginStateBlock. */
HRESULT WINAPI d3d8_device_MultiplyTransform(IDirect3DDevice8 *iface, D3DTRANSFORMSTATETYPE type,
                                             const D3DMATRIX *matrix)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    int index = rt_transform_index((uint32_t)type);
    RT_LOCK(&device->base);

    if (index < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    rt_multiply_transform(&device->pipe, index, matrix);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetViewport(IDirect3DDevice8 *iface, const D3DVIEWPORT8 *viewport)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.viewport = *viewport;
        device->recording->mask.viewport = true;
        return D3D_OK;
    }
    if (device->target && ((uint64_t)viewport->X + viewport->Width > device->target->desc.Width ||
                           (uint64_t)viewport->Y + viewport->Height > device->target->desc.Height))
        return D3DERR_INVALIDCALL;
    rt_set_viewport(&device->pipe, viewport);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetViewport(IDirect3DDevice8 *iface, D3DVIEWPORT8 *viewport)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    *viewport = d3d8_device_of(iface)->pipe.state.viewport;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetMaterial(IDirect3DDevice8 *iface, const D3DMATERIAL8 *material)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!material)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.material = *material;
        device->recording->mask.material = true;
    } else {
        rt_set_material(&device->pipe, material);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetMaterial(IDirect3DDevice8 *iface, D3DMATERIAL8 *material)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!material || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *material = d3d8_device_of(iface)->pipe.state.material;
    return D3D_OK;
}

static bool light_is_valid(const D3DLIGHT8 *light)
{
    if (!light || light->Type < D3DLIGHT_POINT || light->Type > D3DLIGHT_DIRECTIONAL)
        return false;
    return light->Type == D3DLIGHT_DIRECTIONAL ||
           (light->Attenuation0 >= 0.0f && light->Attenuation1 >= 0.0f && light->Attenuation2 >= 0.0f);
}

HRESULT WINAPI d3d8_device_SetLight(IDirect3DDevice8 *iface, DWORD index, const D3DLIGHT8 *light)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_light *recorded;
    RT_LOCK(&device->base);

    if (!light_is_valid(light))
        return D3DERR_INVALIDCALL;
    if (!device->recording)
        return rt_set_light(&device->pipe, index, light) ? D3D_OK : E_OUTOFMEMORY;
    recorded = rt_light_make(&device->recording->state, index);
    if (!recorded)
        return E_OUTOFMEMORY;
    recorded->light = *light;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetLight(IDirect3DDevice8 *iface, DWORD index, D3DLIGHT8 *light)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    const struct rt_light *found = rt_light_find(&d3d8_device_of(iface)->pipe.state, index);

    if (!found || !light || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *light = found->light;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_LightEnable(IDirect3DDevice8 *iface, DWORD index, BOOL enable)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_light *recorded;
    RT_LOCK(&device->base);

    if (!device->recording)
        return rt_enable_light(&device->pipe, index, enable) ? D3D_OK : E_OUTOFMEMORY;
    recorded = rt_light_make(&device->recording->state, index);
    if (!recorded)
        return E_OUTOFMEMORY;
    recorded->enabled = enable;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetLightEnable(IDirect3DDevice8 *iface, DWORD index, BOOL *enable)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    const struct rt_light *found = rt_light_find(&d3d8_device_of(iface)->pipe.state, index);

    if (!found || !enable || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *enable = found->enabled ? 128 : 0; /* the original's idea of TRUE */
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetClipPlane(IDirect3DDevice8 *iface, DWORD index, const float *plane)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (index >= RT_CLIP_PLANES || !plane)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        memcpy(device->recording->state.plane[index], plane, 16);
        device->recording->mask.planes |= 1u << index;
    } else {
        rt_set_clip_plane(&device->pipe, index, plane);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetClipPlane(IDirect3DDevice8 *iface, DWORD index, float *plane)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (index >= RT_CLIP_PLANES || !plane || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    memcpy(plane, d3d8_device_of(iface)->pipe.state.plane[index], 16);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetClipStatus(IDirect3DDevice8 *iface, const D3DCLIPSTATUS8 *status)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!status || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    d3d8_device_of(iface)->clip_status = *status;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetClipStatus(IDirect3DDevice8 *iface, D3DCLIPSTATUS8 *status)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!status || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *status = d3d8_device_of(iface)->clip_status;
    return D3D_OK;
}

/* --- render and stage states ----------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetRenderState(IDirect3DDevice8 *iface, D3DRENDERSTATETYPE state, DWORD value)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if ((unsigned)state >= RT_RENDER_STATES) {
        /* Programs set states that no Direct3D has; the original does not complain. */
        log_once(LOG_INFO, (uint32_t)state, "render state %u does not exist, ignored", (unsigned)state);
        return D3D_OK;
    }
    if (device->recording) {
        device->recording->state.render[state] = value;
        rt_mask_set(device->recording->mask.render, state);
    } else {
        rt_set_render_state(&device->pipe, state, value);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetRenderState(IDirect3DDevice8 *iface, D3DRENDERSTATETYPE state, DWORD *value)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if ((unsigned)state >= RT_RENDER_STATES || !value || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *value = d3d8_device_of(iface)->pipe.state.render[state];
    return D3D_OK;
}

static bool is_stage_state(unsigned type)
{
    return type >= D3DTSS_COLOROP && type <= D3DTSS_RESULTARG;
}

HRESULT WINAPI d3d8_device_SetTextureStageState(IDirect3DDevice8 *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD value)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!is_stage_state(type))
        return D3DERR_INVALIDCALL;
    if (stage >= RT_STAGES) /* the original does not complain */
        return D3D_OK;
    if (device->recording) {
        device->recording->state.stage[stage][type] = value;
        device->recording->mask.stage[stage] |= 1u << type;
    } else {
        rt_set_stage_state(&device->pipe, stage, type, value);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTextureStageState(IDirect3DDevice8 *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD *value)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!is_stage_state(type) || !value || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *value = stage < RT_STAGES ? d3d8_device_of(iface)->pipe.state.stage[stage][type] : 0;
    return D3D_OK;
}

/* --- bindings -------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetTexture(IDirect3DDevice8 *iface, DWORD stage, IDirect3DBaseTexture8 *base)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_texture *texture = d3d8_texture_of(base);
    struct rt_resource *resource = texture ? &texture->res : NULL;
    RT_LOCK(&device->base);

    if (stage >= RT_STAGES)
        return D3D_OK;
    if (texture && texture->device != device)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        rt_bind_resource(&device->recording->state.texture[stage], resource);
        device->recording->mask.textures |= 1u << stage;
    } else {
        rt_set_texture(&device->pipe, stage, resource);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTexture(IDirect3DDevice8 *iface, DWORD stage, IDirect3DBaseTexture8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_resource *resource;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    resource = stage < RT_STAGES ? device->pipe.state.texture[stage] : NULL;
    if (resource) {
        *out = &D3D8_FROM_RES(d3d8_texture, resource)->iface.base;
        rt_resource_addref(resource);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetStreamSource(IDirect3DDevice8 *iface, UINT stream, IDirect3DVertexBuffer8 *vertices,
                                           UINT stride)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_buffer *buffer = d3d8_buffer_of(vertices);
    struct rt_state *state;
    struct rt_resource *resource = buffer ? &buffer->res : NULL;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || (buffer && buffer->device != device))
        return D3DERR_INVALIDCALL;
    state = device->recording ? &device->recording->state : &device->pipe.state;
    if (!buffer) /* unbinding leaves the stride */
        stride = state->stream[stream].stride;
    if (device->recording) {
        rt_bind_resource(&state->stream[stream].buffer, resource);
        state->stream[stream].stride = stride;
        device->recording->mask.streams |= 1u << stream;
    } else {
        rt_set_stream(&device->pipe, stream, resource, stride);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetStreamSource(IDirect3DDevice8 *iface, UINT stream, IDirect3DVertexBuffer8 **out,
                                           UINT *stride)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    const struct rt_stream *bound;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || !out)
        return D3DERR_INVALIDCALL;
    bound = &device->pipe.state.stream[stream];
    *out = NULL;
    if (bound->buffer) {
        *out = &D3D8_FROM_RES(d3d8_buffer, bound->buffer)->iface.vertex;
        rt_resource_addref(bound->buffer);
    }
    if (stride)
        *stride = bound->stride;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 *indices, UINT base_vertex)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_buffer *buffer = d3d8_buffer_of(indices);
    struct rt_resource *resource = buffer ? &buffer->res : NULL;
    RT_LOCK(&device->base);

    if (buffer && buffer->device != device)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        rt_bind_resource(&device->recording->state.indices, resource);
        device->recording->state.base_vertex = base_vertex;
        device->recording->mask.indices = true;
    } else {
        rt_set_indices(&device->pipe, resource, base_vertex);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 **out, UINT *base_vertex)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_resource *bound;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    bound = device->pipe.state.indices;
    *out = NULL;
    if (bound) {
        *out = &D3D8_FROM_RES(d3d8_buffer, bound)->iface.index;
        rt_resource_addref(bound);
    }
    if (base_vertex)
        *base_vertex = device->pipe.state.base_vertex;
    return D3D_OK;
}
