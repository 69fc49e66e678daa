/* SPDX-License-Identifier: MIT */
/* DirectDraw objects and contexts: devices and their private contexts. Targets, clears, and questions to a context. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static struct bridge_local *locals;

/* --- DirectDraw objects ----------------------------------------------------------------------------- */

struct bridge_local *bridge_local_of(const DDRAWI_DIRECTDRAW_LCL *lcl)
{
    HALCYON_UMD_BATCH batch = {.Stops = TRUE};
    struct bridge_local *local = locals;

    while (local && (local->lcl != lcl || !local->device))
        local = local->next;
    if (local)
        return local;
    local = mem_calloc(1, sizeof(*local));
    if (!local)
        return NULL;
    local->lcl = lcl;
    local->device = bridge_open_device(local, &local->f);
    if (!local->device) {
        free(local);
        return NULL;
    }
    local->f.pfnGetInfo(local->device, HALCYON_DEVINFOID_BATCH, &batch, sizeof(batch));
    local->next = locals;
    locals = local;
    return local;
}

void bridge_free_context(struct bridge_context *context)
{
    struct bridge_local *local = context->local;
    struct bridge_context **at = &local->contexts;
    HALCYON_UMD_CONTEXT data = {.Operation = HALCYON_UMD_CONTEXT_DESTROY, .Number = context->number};

    while (*at != context)
        at = &(*at)->next;
    *at = context->next;
    if (bridge_select(context))
        bridge_free_objects(context);
    local->selected = NULL;
    if (local->device)
        local->f.pfnGetInfo(local->device, HALCYON_DEVINFOID_CONTEXT, &data, sizeof(data));
    free(context);
}

void bridge_local_release(struct bridge_local *local)
{
    struct bridge_local **at = &locals;

    if (local->device || local->surfaces)
        return;
    while (*at != local)
        at = &(*at)->next;
    *at = local->next;
    free(local->named);
    free(local);
}

void bridge_local_close(struct bridge_local *local)
{
    while (local->contexts)
        bridge_free_context(local->contexts);
    if (local->device)
        local->f.pfnDestroyDevice(local->device);
    local->device = NULL;
    bridge_local_release(local);
}

/* Surfaces that still exist keep the object, whose calls then fail. */
DWORD PASCAL bridge_destroy_local(LPDDHAL_DESTROYDDLOCALDATA data)
{
    bridge_enter();
    for (struct bridge_local *local = locals, *next; local; local = next) {
        next = local->next;
        if (local->lcl == data->pDDLcl && local->device)
            bridge_local_close(local);
    }
    data->ddRVal = DD_OK;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

void bridge_close_all(void)
{
    for (struct bridge_local *local = locals, *next; local; local = next) {
        next = local->next;
        bridge_local_close(local);
    }
}

struct bridge_local *bridge_first_local(void)
{
    return locals;
}

/* --- contexts ------------------------------------------------------------------------------------------ */

struct bridge_context *bridge_find_context(ULONG_PTR handle)
{
    for (struct bridge_local *local = locals; local && handle; local = local->next)
        for (struct bridge_context *context = local->contexts; context; context = context->next)
            if (context->handle == handle)
                return context;
    return NULL;
}

bool bridge_select(struct bridge_context *context)
{
    struct bridge_local *local = context->local;
    HALCYON_UMD_CONTEXT data = {.Operation = HALCYON_UMD_CONTEXT_SELECT, .Number = context->number};

    if (local->selected == context)
        return true;
    if (!local->device || FAILED(local->f.pfnGetInfo(local->device, HALCYON_DEVINFOID_CONTEXT, &data, sizeof(data))))
        return false;
    local->selected = context;
    return true;
}

HRESULT bridge_flush(struct bridge_local *local, HALCYON_UMD_BATCH *failure)
{
    HALCYON_UMD_BATCH batch = {.Stops = TRUE};
    HRESULT hr = local->f.pfnFlush(local->device);

    if (SUCCEEDED(hr))
        return DD_OK;
    if (SUCCEEDED(local->f.pfnGetInfo(local->device, HALCYON_DEVINFOID_BATCH, &batch, sizeof(batch))))
        hr = batch.Result;
    if (failure)
        *failure = batch;
    return hr;
}

/* --- what is bound ---------------------------------------------------------------------------------------- */

void bridge_forget_target(struct bridge_local *local, const struct bridge_surface *surface)
{
    for (struct bridge_context *context = local->contexts; context; context = context->next) {
        for (unsigned i = 0; i < BRIDGE_MOST_TARGETS; i++)
            if (context->target[i] == surface)
                context->target[i] = NULL;
        if (context->depth == surface)
            context->depth = NULL;
    }
}

void bridge_number_changed(struct bridge_local *local, uint32_t number)
{
    for (struct bridge_context *context = local->contexts; context && number; context = context->next) {
        for (unsigned i = 0; i < D3D_SAMPLER_PLACES; i++)
            if (context->state.texture[i] == number)
                context->stale_textures |= 1u << i;
        for (unsigned i = 0; i < D3D_STREAMS; i++)
            if (context->state.stream[i].number == number)
                context->stale |= BRIDGE_STREAM << i;
        if (context->state.index_number == number)
            context->stale |= BRIDGE_INDICES;
    }
}

HRESULT bridge_bind_target(struct bridge_context *context, unsigned index, struct bridge_surface *surface)
{
    const HALCYON_UMD_SURFACE place = bridge_place(surface);
    const D3DDDIARG_SETRENDERTARGET args = {index, place.hResource, place.SubResourceIndex};
    const HRESULT hr = context->local->f.pfnSetRenderTarget(context->local->device, &args);

    if (SUCCEEDED(hr))
        context->target[index] = surface;
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

HRESULT bridge_bind_depth(struct bridge_context *context, struct bridge_surface *surface)
{
    const D3DDDIARG_SETDEPTHSTENCIL args = {bridge_place(surface).hResource};
    const HRESULT hr = context->local->f.pfnSetDepthStencil(context->local->device, &args);

    if (SUCCEEDED(hr))
        context->depth = surface;
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}
