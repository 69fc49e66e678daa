/* SPDX-License-Identifier: MIT */
/*
 * Context callbacks: a context is the runtime's device in the driver. Also the clears that are not in the stream.
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"
#include "ddi/record/record.h"

static struct hal_context *context_find(ULONG_PTR handle)
{
    if (!ddi_root.driver || handle > UINT32_MAX)
        return NULL;
    return hal_context_find(ddi_root.driver, (uint32_t)handle);
}

/* Before DirectX 7 surfaces come as interfaces; afterwards as LCLs. */
static DDRAWI_DDRAWSURFACE_LCL *context_surface(LPVOID pointer, uint32_t level)
{
    if (!pointer || level >= DDI_LEVEL_DX7)
        return pointer;
    return ((DDRAWI_DDRAWSURFACE_INT *)pointer)->lpLcl;
}

/* NULL is allowed. DDERR_INVALIDOBJECT: the driver does not know the surface; DDERR_INVALIDPARAMS: it is a buffer. */
static HRESULT find_surface(DDRAWI_DDRAWSURFACE_LCL *lcl, const char *what, struct hal_surface **surface)
{
    *surface = hal_surface_from_lcl(lcl);
    if (!lcl || *surface)
        return DD_OK;
    if (hal_resource_from_lcl(lcl)) {
        log_warn("%s: surface %u is a buffer", what, ddi_log_handle(lcl));
        return DDERR_INVALIDPARAMS;
    }
    log_warn("%s: surface %p was not created by this driver", what, (void *)lcl);
    return DDERR_INVALIDOBJECT;
}

/* The targets of a call; INVALIDOBJECT takes precedence. */
static HRESULT find_targets(DDRAWI_DDRAWSURFACE_LCL *target_lcl, DDRAWI_DDRAWSURFACE_LCL *depth_lcl, const char *what,
                            struct hal_surface **target, struct hal_surface **depth)
{
    const HRESULT first = find_surface(target_lcl, what, target), second = find_surface(depth_lcl, what, depth);

    return first == DDERR_INVALIDOBJECT || SUCCEEDED(second) ? first : second;
}

static HRESULT context_create(LPD3DHAL_CONTEXTCREATEDATA data)
{
    uint32_t level = (uint32_t)data->dwhContext, handle = 0, process = data->dwPID;
    DDRAWI_DDRAWSURFACE_LCL *target_lcl, *depth_lcl;
    struct hal_surface *target, *depth;
    HRESULT hr;

    data->dwhContext = 0;
    if (!ddi_root.driver || level > DDI_LEVEL_DX9) {
        log_warn("ContextCreate: unknown runtime level %u", (unsigned)level);
        return DDERR_INVALIDPARAMS;
    }
    target_lcl = context_surface(data->lpDDS, level);
    depth_lcl = context_surface(data->lpDDSZ, level);
    hr = find_targets(target_lcl, depth_lcl, "ContextCreate", &target, &depth);
    if (FAILED(hr))
        return hr;
    hr = hal_context_create(ddi_root.driver, data->lpDDLcl, target, depth, level, process, &handle);
    if (FAILED(hr))
        return hr;
    data->dwhContext = handle;
    log_info("context %u: level %u, callers use: %s", (unsigned)handle, (unsigned)level,
             record_interfaces_text(ddi_root.interfaces));
    RECORD(context_create, data, level, target_lcl, depth_lcl, handle);
    return DD_OK;
}

DWORD PASCAL ddi_context_create(LPD3DHAL_CONTEXTCREATEDATA data)
{
    const unsigned level = (unsigned)data->dwhContext; /* the result replaces it */
    DDI_ENTER();
    data->ddrval = context_create(data);
    DDI_LOG(data->ddrval, "ContextCreate level %u, target %u: context %u", level,
            level < DDI_LEVEL_DX7 ? 0 : ddi_log_handle((const DDRAWI_DDRAWSURFACE_LCL *)data->lpDDS),
            (unsigned)data->dwhContext);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_context_destroy(LPD3DHAL_CONTEXTDESTROYDATA data)
{
    struct hal_context *context;
    DDI_ENTER();
    context = context_find(data->dwhContext);
    data->ddrval = context ? DD_OK : D3DHAL_CONTEXT_BAD;
    DDI_LOG(data->ddrval, "ContextDestroy context %u", (unsigned)data->dwhContext);
    if (context) {
        RECORD(context_destroy, (uint32_t)data->dwhContext);
        hal_context_destroy(context);
    }
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_context_destroy_all(LPD3DHAL_CONTEXTDESTROYALLDATA data)
{
    DDI_ENTER();
    if (ddi_root.driver) {
        RECORD(context_destroy_all, data->dwPID);
        hal_contexts_destroy_process(ddi_root.driver, data->dwPID);
    }
    data->ddrval = DD_OK;
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* Frames begin and end here for the recorder; drawing needs no such marks. */
DWORD PASCAL ddi_scene_capture(LPD3DHAL_SCENECAPTUREDATA data)
{
    DDI_ENTER();
    if (context_find(data->dwhContext)) {
        RECORD(scene, (uint32_t)data->dwhContext, data->dwFlag);
        data->ddrval = DD_OK;
    } else {
        data->ddrval = D3DHAL_CONTEXT_BAD;
    }
    DDI_LOG(data->ddrval, "SceneCapture context %u, %s", (unsigned)data->dwhContext, data->dwFlag ? "end" : "begin");
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

static HRESULT set_render_target(LPD3DHAL_SETRENDERTARGETDATA data)
{
    struct hal_context *context = context_find(data->dwhContext);
    DDRAWI_DDRAWSURFACE_LCL *target_lcl, *depth_lcl;
    struct hal_surface *target, *depth;
    HRESULT hr;
    if (!context)
        return D3DHAL_CONTEXT_BAD;
    target_lcl = context_surface(data->lpDDS, hal_context_level(context));
    depth_lcl = context_surface(data->lpDDSZ, hal_context_level(context));
    hr = find_targets(target_lcl, depth_lcl, "SetRenderTarget", &target, &depth);
    if (FAILED(hr))
        return hr;
    RECORD(set_render_target, (uint32_t)data->dwhContext, target_lcl, depth_lcl);
    return hal_context_set_target(context, target, depth);
}

DWORD PASCAL ddi_set_render_target(LPD3DHAL_SETRENDERTARGETDATA data)
{
    DDI_ENTER();
    data->ddrval = set_render_target(data);
    DDI_LOG(data->ddrval, "SetRenderTarget context %u", (unsigned)data->dwhContext);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_validate_stages(LPD3DHAL_VALIDATETEXTURESTAGESTATEDATA data)
{
    struct hal_context *context;
    uint32_t passes = 0;
    DDI_ENTER();
    context = context_find(data->dwhContext);
    data->ddrval = context ? hal_context_validate_stages(context, &passes) : (HRESULT)D3DHAL_CONTEXT_BAD;
    data->dwNumPasses = passes;
    DDI_LOG(data->ddrval, "ValidateTextureStageState context %u", (unsigned)data->dwhContext);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- clears ------------------------------------------------------------------------------------
 */

static HRESULT clear(ULONG_PTR handle, DWORD flags, DWORD color, float depth, DWORD stencil, const D3DRECT *rects,
                     DWORD count)
{
    struct hal_context *context = context_find(handle);
    if (!context)
        return D3DHAL_CONTEXT_BAD;
    if (!rects)
        count = 0;
    RECORD(clear, (uint32_t)handle, flags, color, depth, stencil, count ? rects : NULL, count);
    /* D3DRECT and RECT name the same four LONGs differently. */
    return hal_context_clear(context, flags, color, depth, stencil, count ? (const RECT *)rects : NULL, count);
}

DWORD PASCAL ddi_clear2(LPD3DHAL_CLEAR2DATA data)
{
    DDI_ENTER();
    data->ddrval = clear(data->dwhContext, data->dwFlags, data->dwFillColor, data->dvFillDepth, data->dwFillStencil,
                         data->lpRects, data->dwNumRects);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* The DirectX 5 form always clears depth to the far end. */
DWORD PASCAL ddi_clear(LPD3DHAL_CLEARDATA data)
{
    DDI_ENTER();
    data->ddrval = clear(data->dwhContext, data->dwFlags, data->dwFillColor, 1.0f, 0, data->lpRects, data->dwNumRects);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
