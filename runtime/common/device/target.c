/* SPDX-License-Identifier: MIT */
/* Render targets and the depth buffer. */
#include "runtime/common/device/device.h"

#include <d3d8.h>

/* Returns what was bound. */
static struct rt_surface *replace_bound(struct rt_device *device, struct rt_surface **bound, struct rt_surface *surface)
{
    struct rt_surface *old = *bound;

    if (surface)
        rt_resource_hold(&surface->res);
    *bound = surface;
    if (device->multisample.is_set)
        device->attention |= RT_TARGETS_CHANGED;
    return old;
}

static void let_go(struct rt_surface *surface)
{
    if (!surface)
        return;
    if (surface->texture)
        rt_texture_drawn_to(surface->texture);
    rt_resource_unhold(&surface->res);
}

static void tell_target(struct rt_device *device, unsigned index)
{
    const struct rt_surface *target = device->target[index];
    struct rt_chain *chain = target ? rt_surface_video(target) : NULL;

    rt_set_target(&device->pipe, index, chain, chain ? rt_surface_part(target, chain) : 0);
    if (!chain || index)
        return;
    rt_pipe_set_times(&device->pipe, rt_surface_times(target));
    rt_pipe_hide_samples(&device->pipe, chain->desc.samples && !target->desc.samples);
}

static void tell_depth(struct rt_device *device)
{
    struct rt_chain *chain = device->depth ? rt_surface_video(device->depth) : NULL;

    rt_set_depth(&device->pipe, chain, chain ? rt_surface_part(device->depth, chain) : 0);
}

void rt_device_targets_moved(struct rt_device *device)
{
    for (unsigned i = 0; i < RT_TARGETS; i++)
        tell_target(device, i);
    tell_depth(device);
}

void rt_device_surface_lost(struct rt_device *device, const struct rt_surface *surface)
{
    for (unsigned i = 0; i < RT_TARGETS; i++)
        if (device->target[i] == surface)
            tell_target(device, i);
    if (device->depth == surface)
        tell_depth(device);
}

void rt_device_bind_target(struct rt_device *device, unsigned index, struct rt_surface *target)
{
    struct rt_surface *old = replace_bound(device, &device->target[index], target);

    tell_target(device, index);
    let_go(old);
}

void rt_device_bind_depth(struct rt_device *device, struct rt_surface *depth)
{
    struct rt_surface *old = replace_bound(device, &device->depth, depth);

    tell_depth(device);
    let_go(old);
}

void rt_device_bind_target_and_depth(struct rt_device *device, struct rt_surface *target, struct rt_surface *depth)
{
    struct rt_surface *old_target = replace_bound(device, &device->target[0], target);
    struct rt_surface *old_depth = replace_bound(device, &device->depth, depth);

    tell_target(device, 0);
    tell_depth(device);
    if (device->attention & RT_TARGETS_CHANGED)
        rt_device_match_samples(device);
    rt_pipe_bind_targets(&device->pipe);
    let_go(old_target);
    let_go(old_depth);
}

void rt_device_reset_viewport(struct rt_device *device)
{
    const struct rt_surface_desc *desc = &device->target[0]->desc;
    const D3DVIEWPORT8 viewport = {0, 0, desc->width, desc->height, 0.0f, 1.0f};

    rt_set_viewport(&device->pipe, &viewport);
}

bool rt_surface_can_be_bound(const struct rt_device *device, const struct rt_surface *surface, DWORD usage)
{
    return surface->device == device && (surface->desc.usage & usage) && rt_surface_video(surface);
}

HRESULT rt_device_get_surface(struct rt_surface *bound, void **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    *out = bound;
    if (!bound)
        return D3DERR_NOTFOUND;
    rt_object_AddRef(bound);
    return D3D_OK;
}
