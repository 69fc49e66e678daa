/* SPDX-License-Identifier: MIT */
/* The memory of surfaces in the hands of programs: Lock, Unlock, SetSurfaceDesc. */
#include <string.h>

#include "base/base.h"
#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/surface/access.h"

static struct ddraw_lock_facts facts_of(const struct surface *surface, unsigned version)
{
    return (struct ddraw_lock_facts){.version = version,
                                     .maker = surface->made_by,
                                     .width = surface->desc.dwWidth,
                                     .height = surface->desc.dwHeight,
                                     .format = surface_format(surface),
                                     .caps = surface->desc.ddsCaps.dwCaps,
                                     .is_lost = surface->is_lost};
}

/* The first texel of the rectangle; of planes, its luma (test_yv12_overlay). */
static uint8_t *address_of(const struct surface *surface, const struct rt_mapping *mapping, const RECT *rect)
{
    const uint32_t format = surface_format(surface);
    const SIZE block = ddraw_format_block(format);

    if (ddraw_format_is_planar(format))
        return mapping->bits + (size_t)rect->top * mapping->pitch + (size_t)rect->left;
    return mapping->bits + (size_t)(rect->top / block.cy) * mapping->pitch +
           (size_t)(rect->left / block.cx) * ddraw_format_block_bytes(format);
}

/* Locks that programs promise only to read still let them write, as native drivers do: the driver decides what to believe. */
static DWORD lock_flags(DWORD flags)
{
    return flags & (DDLOCK_READONLY | DDLOCK_DISCARDCONTENTS | DDLOCK_NOOVERWRITE | DDLOCK_DONOTWAIT);
}

static HRESULT lock(struct surface *surface, const struct ddraw_lock_facts *facts, const RECT *rect, DWORD flags,
                    DDSURFACEDESC2 *answer)
{
    struct rt_mapping mapping;
    RECT locked;
    HRESULT hr = ddraw_lock(&surface->locks, facts, rect, &locked);

    if (FAILED(hr))
        return hr;
    dd_front_used(surface, &locked);
    hr = surface_map(surface, lock_flags(flags), &mapping);
    if (FAILED(hr)) {
        ddraw_unlock(&surface->locks, &locked);
        return hr;
    }
    *answer = surface->desc;
    if (answer->dwFlags & DDSD_PITCH)
        answer->lPitch = (LONG)mapping.pitch;
    answer->lpSurface = address_of(surface, &mapping, &locked);
    dd_front_locked(surface);
    return DD_OK;
}

HRESULT surface_Lock(struct dd_call *call, RECT *rect, void *desc, DWORD flags, HANDLE event)
{
    struct surface *surface = surface_of(call);
    const struct ddraw_lock_facts facts = facts_of(surface, call->version);
    const enum ddraw_desc_method method = ddraw_lock_is_lenient(&facts) ? DDRAW_DESC_LOCK_ANY : DDRAW_DESC_LOCK;
    DDSURFACEDESC2 answer;
    HRESULT hr;

    (void)event; /* always NULL, says the documentation */
    if (!desc || !ddraw_desc_accepts(method, call->version, *(const DWORD *)desc))
        return DDERR_INVALIDPARAMS;
    hr = lock(surface, &facts, rect, flags, &answer);
    if (SUCCEEDED(hr))
        ddraw_desc_write(desc, &answer, method, call->version);
    else if (hr == DDERR_INVALIDPARAMS) /* other errors leave it as it is (test_coop_level_d3d_state) */
        ((DDSURFACEDESC *)desc)->lpSurface = NULL;
    return hr;
}

HRESULT surface_Unlock(struct dd_call *call, void *what)
{
    struct surface *surface = surface_of(call);
    /* Up to version 3 it is the address that Lock returned, which is not needed: there is one lock. */
    const RECT *rect = call->version >= 4 ? what : NULL;
    const RECT locked = rect ? *rect : surface->locks.rects[0];
    const RECT all = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};
    HRESULT hr = ddraw_unlock(&surface->locks, rect);

    if (FAILED(hr))
        return hr;
    surface_unmap(surface);
    dd_front_changed(surface, EqualRect(&locked, &all) ? NULL : &locked);
    return DD_OK;
}

void surface_end_locks(struct surface *surface)
{
    rt_memory_dc_destroy(&surface->dc);
    surface->locks = (struct ddraw_locks){.count = 0};
    while (surface->maps)
        surface_unmap(surface);
}

/* All memory is where the driver can use it. */
HRESULT surface_PageLock(struct dd_call *call, DWORD flags)
{
    (void)call;
    return flags ? DDERR_INVALIDPARAMS : DD_OK;
}

HRESULT surface_PageUnlock(struct dd_call *call, DWORD flags)
{
    (void)call;
    return flags ? DDERR_INVALIDPARAMS : DD_OK;
}

/* --- other memory ---------------------------------------------------------------------- */

/* The description of the surface's new shape. */
static void describe(struct surface *surface, const struct ddraw_rebind *shape)
{
    DDSURFACEDESC2 *desc = &surface->desc;

    desc->dwWidth = shape->width;
    desc->dwHeight = shape->height;
    desc->lPitch = (LONG)shape->pitch;
    ddraw_format_describe(shape->format, &desc->ddpfPixelFormat);
}

HRESULT surface_SetSurfaceDesc(struct dd_call *call, void *given, DWORD flags)
{
    struct surface *surface = surface_of(call);
    const struct ddraw_lock_facts facts = facts_of(surface, call->version);
    const bool is_managed = surface->desc.ddsCaps.dwCaps2 & (DDSCAPS2_TEXTUREMANAGE | DDSCAPS2_D3DTEXTUREMANAGE);
    struct ddraw_rebind shape;
    DDSURFACEDESC2 desc;
    HRESULT hr;

    if (given)
        ddraw_desc_read(&desc, given, call->version);
    hr = ddraw_plan_rebind(&facts, &surface->locks, is_managed, (size_t)surface->desc.lPitch, given ? &desc : NULL,
                           flags, &shape);
    if (FAILED(hr))
        return hr;
    hr = rt_chain_rebind(surface->root->chain, surface->part, shape.memory, shape.pitch, shape.width, shape.height,
                         shape.format);
    if (SUCCEEDED(hr))
        describe(surface, &shape);
    return hr;
}
