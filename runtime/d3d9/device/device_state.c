/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DDevice9(Ex): targets, render, stage and sampler states, textures, scissor, modes. While a block is recorded, setters fill
 * it instead of the device; those of targets and modes, which no block holds, do not.
 */
#include "runtime/d3d9/device/device_methods.h"

#include "d3d/states.h"
#include "runtime/common/device/states.h"
#include "runtime/common/state/record.h"

/* --- targets ------------------------------------------------------------------------------ */

/* Sets viewport and scissor to all of target 0, even when it is the same target again. */
static void reset_areas(struct rt_device *device)
{
    const struct rt_surface_desc *desc = &device->target[0]->desc;
    const RECT all = {0, 0, (LONG)desc->width, (LONG)desc->height};

    rt_device_reset_viewport(device);
    rt_set_scissor(&device->pipe, &all);
}

HRESULT WINAPI d3d9_device_SetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index, IDirect3DSurface9 *target)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *surface = rt_surface_of(target);
    RT_LOCK(&device->base);

    if (index >= RT_TARGETS || (!surface && !index))
        return D3DERR_INVALIDCALL;
    if (surface && !rt_surface_can_be_bound(device, surface, D3DUSAGE_RENDERTARGET))
        return D3DERR_INVALIDCALL;
    rt_device_bind_target(device, index, surface);
    if (!index)
        reset_areas(device);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index, IDirect3DSurface9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (index >= RT_TARGETS)
        return D3DERR_INVALIDCALL;
    return rt_device_get_surface(device->target[index], (void **)out);
}

HRESULT WINAPI d3d9_device_SetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *depth)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *surface = rt_surface_of(depth);
    RT_LOCK(&device->base);

    if (surface && !rt_surface_can_be_bound(device, surface, D3DUSAGE_DEPTHSTENCIL))
        return D3DERR_INVALIDCALL;
    rt_device_bind_depth(device, surface);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return rt_device_get_surface(device->depth, (void **)out);
}

/* --- render states ------------------------------------------------------------------------ */

/* State numbers of version 9: all of them are in state blocks. */
static const bool render_states[RT_RENDER_STATES] = {
#define RENDER_STATE(number, name, level, value, kind, group, blocks8, blocks9) [number] = D3D_BLOCK_##blocks9 != 0,
#include "d3d/states.def"
};

/* States of older versions are stored for the program to read back, and have no effect. In the DDI some of them are
 * commands to the driver, and two are set by methods of version 9. */
static void keep_render_state(struct rt_device *device, uint32_t state, uint32_t value)
{
    log_once(LOG_INFO, state, "render state %u does not exist, ignored", (unsigned)state);
    if (state < RT_RENDER_STATES && state != D3D_RS_PATCHSEGMENTS && state != D3D_RS_SOFTWAREVERTEXPROCESSING)
        device->pipe.state.render[state] = value;
}

HRESULT WINAPI d3d9_device_SetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state, DWORD value)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if ((uint32_t)state >= RT_RENDER_STATES || !render_states[state])
        keep_render_state(device, (uint32_t)state, value);
    else if (device->recording)
        rt_record_render_state(device->recording, state, value);
    else
        rt_set_render_state(&device->pipe, state, value);
    return D3D_OK;
}

/* --- stages and samplers ------------------------------------------------------------------ */

/* As the driver and the shadow of the state number them. */
static void set_stage_state(struct rt_device *device, unsigned stage, unsigned state, DWORD value)
{
    if (device->recording)
        rt_record_stage_state(device->recording, stage, state, value);
    else
        rt_set_stage_state(&device->pipe, stage, state, value);
}

/* Stages and states that do not exist are not errors: programs ported from version 8 set sampler states this way. */
HRESULT WINAPI d3d9_device_SetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD value)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (stage < RT_STAGES && rt_is_stage_state(&d3d9_state_rules, type))
        set_stage_state(device, stage, type, value);
    else
        log_once(LOG_INFO, stage << 16 | type, "state %u of texture stage %u does not exist, ignored", (unsigned)type,
                 (unsigned)stage);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage, D3DTEXTURESTAGESTATETYPE type,
                                                DWORD *value)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    const bool exists = stage < RT_STAGES && rt_is_stage_state(&d3d9_state_rules, type);
    RT_LOCK(&device->common.base);

    if (!value || d3d9_device_is_pure(device))
        return D3DERR_INVALIDCALL;
    *value = exists ? device->common.pipe.state.stage[stage][type] : 0;
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_SetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler, D3DSAMPLERSTATETYPE type,
                                           DWORD value)
{
    struct rt_device *device = rt_device_of(iface);
    const int index = rt_sampler_index(sampler);
    const unsigned state = rt_sampler_state(type);
    RT_LOCK(&device->base);

    if (index >= 0 && state)
        set_stage_state(device, (unsigned)index, state, value);
    else
        log_once(LOG_INFO, sampler << 16 | type, "state %u of sampler %u does not exist, ignored", (unsigned)type,
                 (unsigned)sampler);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler, D3DSAMPLERSTATETYPE type,
                                           DWORD *value)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    const int index = rt_sampler_index(sampler);
    const unsigned state = rt_sampler_state(type);
    RT_LOCK(&device->common.base);

    if (!value || d3d9_device_is_pure(device))
        return D3DERR_INVALIDCALL;
    *value = index >= 0 && state ? device->common.pipe.state.stage[index][state] : 0;
    return D3D_OK;
}

/* A texture of D3DPOOL_SCRATCH is bound like any other; the driver does not have it, so nothing is sampled. */
HRESULT WINAPI d3d9_device_SetTexture(IDirect3DDevice9Ex *iface, DWORD sampler, IDirect3DBaseTexture9 *base)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_texture *texture = rt_texture_of(base);
    const int index = rt_sampler_index(sampler);
    RT_LOCK(&device->base);

    if (index < 0)
        return D3D_OK;
    if (texture && texture->device != device)
        return D3DERR_INVALIDCALL;
    rt_device_set_texture(device, (unsigned)index, texture);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetTexture(IDirect3DDevice9Ex *iface, DWORD sampler, IDirect3DBaseTexture9 **out)
{
    struct rt_device *device = rt_device_of(iface);
    const int index = rt_sampler_index(sampler);
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = index < 0 ? NULL : (IDirect3DBaseTexture9 *)rt_device_get_texture(device, (unsigned)index);
    return D3D_OK;
}

/* --- scissor ------------------------------------------------------------------------------ */

HRESULT WINAPI d3d9_device_SetScissorRect(IDirect3DDevice9Ex *iface, const RECT *rect)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!rect)
        return D3DERR_INVALIDCALL;
    if (device->recording)
        rt_record_scissor(device->recording, rect);
    else
        rt_set_scissor(&device->pipe, rect);
    return D3D_OK;
}

HRESULT WINAPI d3d9_device_GetScissorRect(IDirect3DDevice9Ex *iface, RECT *rect)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!rect)
        return D3DERR_INVALIDCALL;
    *rect = device->pipe.state.scissor;
    return D3D_OK;
}

/* --- modes -------------------------------------------------------------------------------- */

/* Only a mixed device can switch. The next draw checks again a shader that one mode of processing cannot run. */
HRESULT WINAPI d3d9_device_SetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface, BOOL software)
{
    struct rt_device *device = rt_device_of(iface);
    const DWORD flags = device->creation.BehaviorFlags;
    RT_LOCK(&device->base);

    if (!(flags & D3DCREATE_MIXED_VERTEXPROCESSING))
        return !software == !(flags & D3DCREATE_SOFTWARE_VERTEXPROCESSING) ? D3D_OK : D3DERR_INVALIDCALL;
    rt_set_render_state(&device->pipe, D3D_RS_SOFTWAREVERTEXPROCESSING, software != 0);
    device->pipe.dirty_vertex_shader = true;
    return D3D_OK;
}

BOOL WINAPI d3d9_device_GetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (device->creation.BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING)
        return TRUE;
    return device->pipe.state.render[D3D_RS_SOFTWAREVERTEXPROCESSING] != 0;
}

HRESULT WINAPI d3d9_device_SetNPatchMode(IDirect3DDevice9Ex *iface, float segments)
{
    struct rt_device *device = rt_device_of(iface);
    uint32_t bits;
    RT_LOCK(&device->base);

    memcpy(&bits, &segments, sizeof(bits));
    rt_set_render_state(&device->pipe, D3D_RS_PATCHSEGMENTS, bits);
    device->pipe.state.render[D3D_RS_PATCHSEGMENTS] = bits; /* of pure devices, which answer this question, too */
    return D3D_OK;
}

float WINAPI d3d9_device_GetNPatchMode(IDirect3DDevice9Ex *iface)
{
    struct rt_device *device = rt_device_of(iface);
    float segments;
    RT_LOCK(&device->base);

    memcpy(&segments, &device->pipe.state.render[D3D_RS_PATCHSEGMENTS], sizeof(segments));
    return segments;
}
