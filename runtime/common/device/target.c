/* SPDX-License-Identifier: MIT */
/* What is drawn to. */
#include <d3d8.h>

#include "runtime/common/device/device.h"

/* Returns what was bound; it is let go only after the driver has heard of its successor. */
static struct rt_surface *replace(struct rt_surface **bound, struct rt_surface *surface)
{
    struct rt_surface *old = *bound;

    if (surface)
        rt_resource_hold(&surface->res);
    *bound = surface;
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

static uint32_t handle_of(const struct rt_surface *surface)
{
    return surface ? rt_surface_handle(surface) : 0;
}

static void send_pair(struct rt_device *device)
{
    D3DHAL_DP2SETRENDERTARGET body = {handle_of(device->target[0]), handle_of(device->depth)};

    if (device->target[0])
        rt_put(device->link, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
}

/* Version 9: the driver hears of it at the next draw or clear. */
static void set_target(struct rt_device *device, unsigned index)
{
    const struct rt_surface *surface = device->target[index];
    struct rt_chain *chain = surface ? rt_surface_video(surface) : NULL;

    rt_set_target(&device->pipe, index, chain, chain ? rt_surface_part(surface, chain) : 0);
}

static void set_depth(struct rt_device *device)
{
    const struct rt_surface *surface = device->depth;
    struct rt_chain *chain = surface ? rt_surface_video(surface) : NULL;

    rt_set_depth(&device->pipe, chain, chain ? rt_surface_part(surface, chain) : 0);
}

void rt_device_bind_target(struct rt_device *device, unsigned index, struct rt_surface *target)
{
    struct rt_surface *old = replace(&device->target[index], target);

    if (device->api->sets_targets_alone)
        set_target(device, index);
    else
        send_pair(device);
    let_go(old);
}

void rt_device_bind_depth(struct rt_device *device, struct rt_surface *depth)
{
    struct rt_surface *old = replace(&device->depth, depth);

    if (device->api->sets_targets_alone)
        set_depth(device);
    else
        send_pair(device);
    let_go(old);
}

void rt_device_bind_target_and_depth(struct rt_device *device, struct rt_surface *target, struct rt_surface *depth)
{
    struct rt_surface *old_target = replace(&device->target[0], target);
    struct rt_surface *old_depth = replace(&device->depth, depth);

    if (device->api->sets_targets_alone) {
        set_target(device, 0);
        set_depth(device);
    } else {
        send_pair(device);
    }
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
