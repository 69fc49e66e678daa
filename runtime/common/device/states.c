/* SPDX-License-Identifier: MIT */
/* Methods that set and get states, the same in all versions: recorded into a block, or sent. */
#include "runtime/common/device/states.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/state/record.h"

static bool is_pure(void *iface)
{
    return rt_device_of(iface)->creation.BehaviorFlags & D3DCREATE_PUREDEVICE;
}

/* --- transforms, viewport, material, lights, planes ------------------------------------ */

HRESULT WINAPI rt_device_SetTransform(void *iface, D3DTRANSFORMSTATETYPE type, const D3DMATRIX *matrix)
{
    struct rt_device *device = rt_device_of(iface);
    int index = rt_transform_index((uint32_t)type);
    RT_LOCK(&device->base);

    if (index < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_transform(device->recording, index, matrix);
    else
        rt_set_transform(&device->pipe, index, matrix);
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetTransform(void *iface, D3DTRANSFORMSTATETYPE type, D3DMATRIX *matrix)
{
    RT_LOCK(&rt_device_of(iface)->base);
    int index = rt_transform_index((uint32_t)type);

    if (index < 0 || !matrix || is_pure(iface))
        return D3DERR_INVALIDCALL;
    *matrix = rt_device_of(iface)->pipe.state.transform[index];
    return D3D_OK;
}

/* Set on the device even while a block is recorded. */
HRESULT WINAPI rt_device_MultiplyTransform(void *iface, D3DTRANSFORMSTATETYPE type, const D3DMATRIX *matrix)
{
    struct rt_device *device = rt_device_of(iface);
    int index = rt_transform_index((uint32_t)type);
    RT_LOCK(&device->base);

    if (index < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    rt_multiply_transform(&device->pipe, index, matrix);
    return D3D_OK;
}

static bool viewport_fits(const struct rt_surface *target, const D3DVIEWPORT8 *v)
{
    return !target ||
           ((uint64_t)v->X + v->Width <= target->desc.width && (uint64_t)v->Y + v->Height <= target->desc.height);
}

HRESULT WINAPI rt_device_SetViewport(void *iface, const D3DVIEWPORT8 *viewport)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        rt_record_viewport(device->recording, viewport);
        return D3D_OK;
    }
    if (device->api->viewport_must_fit && !viewport_fits(device->target[0], viewport))
        return D3DERR_INVALIDCALL;
    rt_set_viewport(&device->pipe, viewport);
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetViewport(void *iface, D3DVIEWPORT8 *viewport)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    *viewport = rt_device_of(iface)->pipe.state.viewport;
    return D3D_OK;
}

HRESULT WINAPI rt_device_SetMaterial(void *iface, const D3DMATERIAL8 *material)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!material)
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_material(device->recording, material);
    else
        rt_set_material(&device->pipe, material);
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetMaterial(void *iface, D3DMATERIAL8 *material)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!material || is_pure(iface))
        return D3DERR_INVALIDCALL;
    *material = rt_device_of(iface)->pipe.state.material;
    return D3D_OK;
}

static bool light_is_valid(const D3DLIGHT8 *light)
{
    if (light->Type < D3DLIGHT_POINT || light->Type > D3DLIGHT_DIRECTIONAL)
        return false;
    return light->Type == D3DLIGHT_DIRECTIONAL ||
           (light->Attenuation0 >= 0.0f && light->Attenuation1 >= 0.0f && light->Attenuation2 >= 0.0f);
}

HRESULT WINAPI rt_device_SetLight(void *iface, DWORD index, const D3DLIGHT8 *light)
{
    struct rt_device *device = rt_device_of(iface);
    bool done;
    RT_LOCK(&device->base);

    if (!light || (device->api->checks_lights && !light_is_valid(light)))
        return D3DERR_INVALIDCALL;
    done = device->recording ? rt_record_light(device->recording, index, light)
                             : rt_set_light(&device->pipe, index, light);
    return done ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI rt_device_GetLight(void *iface, DWORD index, D3DLIGHT8 *light)
{
    RT_LOCK(&rt_device_of(iface)->base);
    const struct rt_light *found = rt_light_find(&rt_device_of(iface)->pipe.state, index);

    if (!found || !light || is_pure(iface))
        return D3DERR_INVALIDCALL;
    *light = found->light;
    return D3D_OK;
}

HRESULT WINAPI rt_device_LightEnable(void *iface, DWORD index, BOOL enable)
{
    struct rt_device *device = rt_device_of(iface);
    bool done;
    RT_LOCK(&device->base);

    done = device->recording ? rt_record_light_enable(device->recording, index, enable)
                             : rt_enable_light(&device->pipe, index, enable);
    return done ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI rt_device_GetLightEnable(void *iface, DWORD index, BOOL *enable)
{
    RT_LOCK(&rt_device_of(iface)->base);
    const struct rt_light *found = rt_light_find(&rt_device_of(iface)->pipe.state, index);

    if (!found || !enable || is_pure(iface))
        return D3DERR_INVALIDCALL;
    *enable = found->enabled ? 128 : 0; /* the original's idea of TRUE */
    return D3D_OK;
}

/* The plane that the number selects; RT_CLIP_PLANES: none. */
static DWORD plane_number(const struct rt_device *device, DWORD index)
{
    const DWORD last = RT_CLIP_PLANES - 1;

    if (index <= last)
        return index;
    return device->api->clamps_clip_planes ? last : RT_CLIP_PLANES;
}

HRESULT WINAPI rt_device_SetClipPlane(void *iface, DWORD index, const float *plane)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    index = plane_number(device, index);
    if (index == RT_CLIP_PLANES || !plane)
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_clip_plane(device->recording, index, plane);
    else
        rt_set_clip_plane(&device->pipe, index, plane);
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetClipPlane(void *iface, DWORD index, float *plane)
{
    RT_LOCK(&rt_device_of(iface)->base);

    index = plane_number(rt_device_of(iface), index);
    if (index == RT_CLIP_PLANES || !plane || is_pure(iface))
        return D3DERR_INVALIDCALL;
    memcpy(plane, rt_device_of(iface)->pipe.state.plane[index], 16);
    return D3D_OK;
}

HRESULT WINAPI rt_device_SetClipStatus(void *iface, const D3DCLIPSTATUS8 *status)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!status || is_pure(iface))
        return D3DERR_INVALIDCALL;
    rt_device_of(iface)->clip_status = *status;
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetClipStatus(void *iface, D3DCLIPSTATUS8 *status)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (!status || is_pure(iface))
        return D3DERR_INVALIDCALL;
    *status = rt_device_of(iface)->clip_status;
    return D3D_OK;
}

/* --- render states --------------------------------------------------------------------- */

HRESULT WINAPI rt_device_SetRenderState(void *iface, D3DRENDERSTATETYPE state, DWORD value)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if ((unsigned)state >= RT_RENDER_STATES) {
        /* Programs set states that do not exist in any Direct3D; the original does not complain. */
        log_once(LOG_INFO, (uint32_t)state, "render state %u does not exist, ignored", (unsigned)state);
        return D3D_OK;
    }
    if (device->recording)
        rt_record_render_state(device->recording, state, value);
    else
        rt_set_render_state(&device->pipe, state, value);
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetRenderState(void *iface, D3DRENDERSTATETYPE state, DWORD *value)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if ((unsigned)state >= RT_RENDER_STATES || !value || is_pure(iface))
        return D3DERR_INVALIDCALL;
    *value = rt_device_of(iface)->pipe.state.render[state];
    return D3D_OK;
}

/* --- bindings -------------------------------------------------------------------------- */

void rt_device_set_texture(struct rt_device *device, unsigned slot, struct rt_texture *texture)
{
    struct rt_resource *resource = texture ? &texture->res : NULL;

    if (device->recording)
        rt_record_texture(device->recording, slot, resource);
    else
        rt_set_texture(&device->pipe, slot, resource);
}

struct rt_texture *rt_device_get_texture(struct rt_device *device, unsigned slot)
{
    struct rt_resource *resource = device->pipe.state.texture[slot];

    if (!resource)
        return NULL;
    rt_resource_addref(resource);
    return RT_FROM_RES(rt_texture, resource);
}
