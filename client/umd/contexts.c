/* SPDX-License-Identifier: MIT */
/* Contexts: the device's private ones. Their targets, clears, and questions to them. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>

static uint32_t last_context;

/* A surface as the calls of contexts name it: an interface before DirectX 7, an LCL since. */
static HRESULT find_surface(void *pointer, uint32_t level, struct bridge_surface **surface)
{
    const DDRAWI_DDRAWSURFACE_LCL *lcl =
        pointer && level < DDI_LEVEL_DX7 ? ((DDRAWI_DDRAWSURFACE_INT *)pointer)->lpLcl : pointer;

    *surface = bridge_surface_of(lcl);
    if (lcl && !*surface)
        return DDERR_INVALIDOBJECT;
    return *surface && (!(*surface)->resource || !(*surface)->resource->format) ? DDERR_INVALIDPARAMS : DD_OK;
}

static HRESULT create_context(D3DHAL_CONTEXTCREATEDATA *data)
{
    const uint32_t level = (uint32_t)data->dwhContext;
    struct bridge_local *local = data->lpDDLcl ? bridge_local_of(data->lpDDLcl) : NULL;
    HALCYON_UMD_CONTEXT call = {.Operation = HALCYON_UMD_CONTEXT_CREATE, .Level = level};
    struct bridge_surface *target, *depth;
    struct bridge_context *context;
    HRESULT hr, second;

    data->dwhContext = 0;
    if (level > DDI_LEVEL_DX9 || !data->lpDDLcl)
        return DDERR_INVALIDPARAMS;
    hr = find_surface(data->lpDDS, level, &target);
    second = find_surface(data->lpDDSZ, level, &depth);
    if (hr != DDERR_INVALIDOBJECT && FAILED(second))
        hr = second;
    if (FAILED(hr))
        return hr;
    context = local ? mem_calloc(1, sizeof(*context)) : NULL;
    if (!context)
        return DDERR_OUTOFMEMORY;
    call.Target = bridge_place(target);
    call.Depth = bridge_place(depth);
    hr = local->f.pfnGetInfo(local->device, HALCYON_DEVINFOID_CONTEXT, &call, sizeof(call));
    if (FAILED(hr)) {
        free(context);
        return bridge_result(hr, DDERR_INVALIDPARAMS);
    }
    bridge_init_objects(context);
    context->local = local;
    context->number = call.Number;
    context->handle = ++last_context ? last_context : ++last_context;
    context->level = level;
    context->process = data->dwPID;
    context->target[0] = target;
    context->depth = depth;
    context->undrawable = true;
    context->next = local->contexts;
    local->contexts = local->selected = context;
    data->dwhContext = context->handle;
    return DD_OK;
}

DWORD PASCAL bridge_context_create(LPD3DHAL_CONTEXTCREATEDATA data)
{
    bridge_enter();
    data->ddrval = create_context(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL bridge_context_destroy(LPD3DHAL_CONTEXTDESTROYDATA data)
{
    struct bridge_context *context;

    bridge_enter();
    context = bridge_find_context(data->dwhContext);
    data->ddrval = context ? DD_OK : D3DHAL_CONTEXT_BAD;
    if (context)
        bridge_free_context(context);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL bridge_context_destroy_all(LPD3DHAL_CONTEXTDESTROYALLDATA data)
{
    bridge_enter();
    for (struct bridge_local *local = bridge_first_local(); local; local = local->next)
        for (struct bridge_context *context = local->contexts, *next; context; context = next) {
            next = context->next;
            if (context->process == data->dwPID)
                bridge_free_context(context);
        }
    data->ddrval = DD_OK;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* Scenes begin and end by SetRenderState, which streams say themselves; this call is for recorders of the other interface. */
DWORD PASCAL bridge_scene_capture(LPD3DHAL_SCENECAPTUREDATA data)
{
    bridge_enter();
    data->ddrval = bridge_find_context(data->dwhContext) ? DD_OK : D3DHAL_CONTEXT_BAD;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

static HRESULT set_render_target(const D3DHAL_SETRENDERTARGETDATA *data)
{
    struct bridge_context *context = bridge_find_context(data->dwhContext);
    struct bridge_surface *target, *depth;
    HRESULT hr, second;

    if (!context || !bridge_select(context))
        return D3DHAL_CONTEXT_BAD;
    hr = find_surface(data->lpDDS, context->level, &target);
    second = find_surface(data->lpDDSZ, context->level, &depth);
    if (hr != DDERR_INVALIDOBJECT && FAILED(second))
        hr = second;
    if (SUCCEEDED(hr))
        hr = bridge_bind_target(context, 0, target);
    if (SUCCEEDED(hr))
        hr = bridge_bind_depth(context, depth);
    return SUCCEEDED(hr) ? bridge_flush(context->local, NULL) : hr;
}

DWORD PASCAL bridge_set_render_target(LPD3DHAL_SETRENDERTARGETDATA data)
{
    bridge_enter();
    data->ddrval = set_render_target(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* --- clears and questions ------------------------------------------------------------------------------------ */

/* Without rectangles all of the target. */
static HRESULT clear(ULONG_PTR handle, const D3DDDIARG_CLEAR *args, const D3DRECT *rects, DWORD count)
{
    struct bridge_context *context = bridge_find_context(handle);
    const struct bridge_surface *size;
    RECT all = {0, 0, 0, 0};
    HRESULT hr;

    if (!context || !bridge_select(context))
        return D3DHAL_CONTEXT_BAD;
    size = context->target[0] ? context->target[0] : context->depth;
    if (size) {
        const struct bridge_size extent = bridge_size_of(size->lcl, 0);

        all = (RECT){0, 0, (LONG)extent.width, (LONG)extent.height};
    }
    if (!rects || !count)
        count = 0;
    hr = context->local->f.pfnClear(context->local->device, args,
                                    count || args->Flags & D3DCLEAR_COMPUTERECTS ? count : 1,
                                    count ? (const RECT *)rects : &all);
    if (FAILED(hr))
        return bridge_result(hr, DDERR_INVALIDPARAMS);
    return bridge_flush(context->local, NULL);
}

DWORD PASCAL bridge_clear2(LPD3DHAL_CLEAR2DATA data)
{
    const D3DDDIARG_CLEAR args = {data->dwFlags, data->dwFillColor, data->dvFillDepth, data->dwFillStencil};

    bridge_enter();
    data->ddrval = clear(data->dwhContext, &args, data->lpRects, data->dwNumRects);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* The DirectX 5 form always clears depth to the far end. */
DWORD PASCAL bridge_clear(LPD3DHAL_CLEARDATA data)
{
    const D3DDDIARG_CLEAR args = {data->dwFlags, data->dwFillColor, 1.0f, 0};

    bridge_enter();
    data->ddrval = clear(data->dwhContext, &args, data->lpRects, data->dwNumRects);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

static HRESULT validate_stages(D3DHAL_VALIDATETEXTURESTAGESTATEDATA *data)
{
    struct bridge_context *context = bridge_find_context(data->dwhContext);
    D3DDDIARG_VALIDATETEXTURESTAGESTATE args = {0};
    HRESULT hr;

    data->dwNumPasses = 0;
    if (!context || !bridge_select(context))
        return D3DHAL_CONTEXT_BAD;
    hr = context->local->f.pfnValidateDevice(context->local->device, &args);
    data->dwNumPasses = args.NumPasses;
    return hr;
}

DWORD PASCAL bridge_validate_stages(LPD3DHAL_VALIDATETEXTURESTAGESTATEDATA data)
{
    bridge_enter();
    data->ddrval = validate_stages(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* Some questions concern no context: then any device will do, one that nothing else uses if need be. */
static struct bridge_local *local_for(const struct bridge_context *context)
{
    static const DDRAWI_DIRECTDRAW_LCL nobody;

    if (context)
        return context->local;
    return bridge_first_local() && bridge_first_local()->device ? bridge_first_local() : bridge_local_of(&nobody);
}

static HRESULT driver_state(DDHAL_GETDRIVERSTATEDATA *data)
{
    struct bridge_context *context = bridge_find_context(data->dwhContext);
    struct bridge_local *local = local_for(context);
    HRESULT hr;

    if (!local || (context && !bridge_select(context)))
        return DDERR_OUTOFMEMORY;
    hr = local->f.pfnGetInfo(local->device, data->dwFlags, data->lpdwStates, data->dwLength);
    return hr == E_NOTIMPL ? DDERR_CURRENTLYNOTAVAIL : bridge_result(hr, DDERR_INVALIDPARAMS);
}

DWORD PASCAL bridge_get_driver_state(LPDDHAL_GETDRIVERSTATEDATA data)
{
    bridge_enter();
    data->ddRVal = driver_state(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL bridge_get_avail_memory(LPDDHAL_GETAVAILDRIVERMEMORYDATA data)
{
    HALCYON_UMD_MEMORY memory = {0};
    struct bridge_local *local;

    bridge_enter();
    local = local_for(NULL);
    data->ddRVal = local ? local->f.pfnGetInfo(local->device, HALCYON_DEVINFOID_MEMORY, &memory, sizeof(memory))
                         : DDERR_OUTOFMEMORY;
    data->dwTotal = memory.Total;
    data->dwFree = memory.Free;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

static HRESULT process_vertices(const HALCYON_PROCESSVERTICESDATA *data)
{
    struct bridge_context *context = bridge_find_context(data->dwhContext);
    HALCYON_UMD_VERTICES args = {data->lpVertices, data->dwBytes,      data->dwFlags,     data->dwFirst,
                                 data->dwCount,    data->dwVertexType, data->dwVertexSize};

    if (!context || !bridge_select(context))
        return D3DHAL_CONTEXT_BAD;
    bridge_settle(context);
    return bridge_result(
        context->local->f.pfnGetInfo(context->local->device, HALCYON_DEVINFOID_VERTICES, &args, sizeof(args)),
        DDERR_INVALIDPARAMS);
}

DWORD PASCAL bridge_process_vertices(LPHALCYON_PROCESSVERTICESDATA data)
{
    bridge_enter();
    data->ddrval = process_vertices(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}
