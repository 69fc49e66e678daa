/* SPDX-License-Identifier: MIT */
/* Makes the other memory of a surface, and moves contents between the two. */
#include "runtime/common/object/surface_twin.h"

#include <d3d8.h>

#include "base/base.h"

static HRESULT make_twin(struct rt_surface *surface, unsigned samples)
{
    const struct rt_part *part = &surface->chain->parts[surface->part];
    const struct rt_chain_desc desc = {.kind = surface->desc.usage & D3DUSAGE_DEPTHSTENCIL ? RT_CHAIN_DEPTH
                                                                                           : RT_CHAIN_TARGET,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = surface->desc.format,
                                       .width = part->width,
                                       .height = part->height,
                                       .depth = 1,
                                       .levels = 1,
                                       .samples = samples};

    return rt_chain_create(surface->chain->link, &desc, &surface->twin);
}

static HRESULT use(struct rt_surface *surface, bool twin)
{
    struct rt_chain *from = twin ? surface->chain : surface->twin, *to = twin ? surface->twin : surface->chain;
    HRESULT hr = rt_chain_blt(to, rt_surface_part(surface, to), NULL, from, rt_surface_part(surface, from), NULL, 0);

    if (SUCCEEDED(hr))
        surface->on_twin = twin;
    return hr;
}

HRESULT rt_surface_set_samples(struct rt_surface *surface, unsigned samples)
{
    const struct rt_chain *now = rt_surface_video(surface);
    HRESULT hr = D3D_OK;

    if (!now || surface->texture)
        return D3DERR_INVALIDCALL;
    if (now->desc.samples == samples)
        return D3D_OK;
    if (surface->locked)
        return D3DERR_INVALIDCALL;
    if (surface->chain->desc.samples == samples)
        return use(surface, false);
    /* In use is the memory that the surface was made with, or a twin from before a Reset with another number. */
    if (surface->on_twin)
        hr = use(surface, false);
    if (SUCCEEDED(hr) && surface->twin && surface->twin->desc.samples != samples)
        rt_surface_free_twin(surface);
    if (SUCCEEDED(hr) && !surface->twin)
        hr = make_twin(surface, samples);
    return SUCCEEDED(hr) ? use(surface, true) : hr;
}

HRESULT rt_surface_leave_twin(struct rt_surface *surface)
{
    return surface->on_twin ? rt_surface_set_samples(surface, surface->chain->desc.samples) : D3D_OK;
}

void rt_surface_free_twin(struct rt_surface *surface)
{
    rt_chain_destroy(surface->twin);
    surface->twin = NULL;
    surface->on_twin = false;
}
