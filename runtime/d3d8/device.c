/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: life, reset, swap chains; the vtable. */
#include "runtime/d3d8/device_methods.h"

static const IDirect3DDevice8Vtbl device_vtbl;

/* --- life ------------------------------------------------------------------------------ */

/* Single precision, round to nearest, no exceptions: what the original leaves behind unless told
 * not to; games depend on it. */
static void setup_fpu(void)
{
#if defined(__i386__) || defined(__x86_64__)
    unsigned short cw;

    __asm__ volatile("fnstcw %0" : "=m"(cw));
    cw = (unsigned short)((cw & ~0xf3f) | 0x3f);
    __asm__ volatile("fldcw %0" : : "m"(cw));
#endif
}

static const struct rt_state_ops state_ops = {
    d3d8_texture_handle,
    d3d8_buffer_handle,
    d3d8_vertex_shader_handle,
    d3d8_pixel_shader_handle,
};

static void reset_gamma(D3DGAMMARAMP *gamma)
{
    for (unsigned i = 0; i < 256; i++)
        gamma->red[i] = gamma->green[i] = gamma->blue[i] = (WORD)(i * 257);
}

bool d3d8_device_bind_targets(struct d3d8_device *device, struct d3d8_surface *target, struct d3d8_surface *depth)
{
    D3DHAL_DP2SETRENDERTARGET body = {0, 0};
    struct d3d8_surface *old_target = device->target, *old_depth = device->depth;

    if (target)
        d3d8_surface_hold(target);
    if (depth)
        d3d8_surface_hold(depth);
    device->target = target;
    device->depth = depth;
    if (target) {
        body.hRenderTarget = rt_chain_handle(d3d8_surface_video(target), target->part);
        body.hZBuffer = depth ? rt_chain_handle(d3d8_surface_video(depth), depth->part) : 0;
        rt_put(device->link, D3DDP2OP_SETRENDERTARGET, 1, &body, sizeof(body));
    }
    if (old_target)
        d3d8_surface_unhold(old_target);
    if (old_depth)
        d3d8_surface_unhold(old_depth);
    return true;
}

static HRESULT create_auto_depth(struct d3d8_device *device, const D3DPRESENT_PARAMETERS *params)
{
    const D3DPRESENT_PARAMETERS *p = &device->swapchain->params;
    struct rt_chain_desc chain = {.kind = RT_CHAIN_DEPTH,
                                  .memory = RT_MEMORY_VIDEO,
                                  .format = params->AutoDepthStencilFormat,
                                  .width = p->BackBufferWidth,
                                  .height = p->BackBufferHeight,
                                  .depth = 1,
                                  .samples = p->MultiSampleType};
    D3DSURFACE_DESC desc = {.Format = params->AutoDepthStencilFormat,
                            .Usage = D3DUSAGE_DEPTHSTENCIL,
                            .Pool = D3DPOOL_DEFAULT,
                            .MultiSampleType = p->MultiSampleType,
                            .Width = p->BackBufferWidth,
                            .Height = p->BackBufferHeight};
    struct rt_chain *memory;
    HRESULT hr = rt_chain_create(device->link, &chain, &memory);

    if (FAILED(hr))
        return hr;
    device->auto_depth =
        d3d8_surface_wrap(device, memory, 0, &desc, params->AutoDepthStencilFormat == D3DFMT_D16_LOCKABLE);
    if (!device->auto_depth) {
        rt_chain_destroy(memory);
        return E_OUTOFMEMORY;
    }
    device->auto_depth->owns_chain = true;
    return D3D_OK;
}

/* Buffers, a context and fresh state; everything Reset makes anew. */
static HRESULT create_frame(struct d3d8_device *device, D3DPRESENT_PARAMETERS *params)
{
    D3DVIEWPORT8 viewport = {0, 0, 0, 0, 0.0f, 1.0f};
    HRESULT hr = d3d8_swapchain_create(device, params, true, &device->swapchain);

    if (FAILED(hr))
        return hr;
    if (params->EnableAutoDepthStencil) {
        hr = create_auto_depth(device, params);
        if (FAILED(hr))
            return hr;
    }
    if (!rt_link_create_context(device->link, device->swapchain->chain, 1,
                                device->auto_depth ? device->auto_depth->chain : NULL))
        return D3DERR_DRIVERINTERNALERROR;
    rt_state_defaults(&device->pipe.state, params->EnableAutoDepthStencil, device->caps.MaxPointSize);
    viewport.Width = device->swapchain->params.BackBufferWidth;
    viewport.Height = device->swapchain->params.BackBufferHeight;
    device->pipe.state.viewport = viewport;
    d3d8_device_bind_targets(device, device->swapchain->back[0], device->auto_depth);
    rt_pipe_resend(&device->pipe);
    d3d8_shaders_resend(device);
    for (unsigned i = 0; i < device->palette_count; i++)
        if (device->palettes[i])
            device->palettes[i]->stale = true;
    for (struct d3d8_texture *t = device->managed; t; t = t->next_managed)
        t->palette = 0;
    device->in_scene = false;
    return D3D_OK;
}

static void unbind_all(struct d3d8_device *device)
{
    for (unsigned i = 0; i < RT_STAGES; i++)
        rt_set_texture(&device->pipe, i, NULL);
    for (unsigned i = 0; i < RT_STREAMS; i++)
        rt_set_stream(&device->pipe, i, NULL, 0);
    rt_set_indices(&device->pipe, NULL, 0);
}

static void destroy_frame(struct d3d8_device *device)
{
    rt_flush(device->link);
    rt_link_destroy_context(device->link);
    if (device->target)
        d3d8_surface_unhold(device->target);
    if (device->depth)
        d3d8_surface_unhold(device->depth);
    device->target = device->depth = NULL;
    if (device->auto_depth)
        d3d8_surface_unhold(device->auto_depth);
    device->auto_depth = NULL;
    if (device->swapchain)
        rt_resource_unhold(&device->swapchain->res);
    device->swapchain = NULL;
}

static void device_destroy(struct rt_device_base *base)
{
    struct d3d8_device *device = (struct d3d8_device *)((char *)base - offsetof(struct d3d8_device, base));

    /* Resources that die here must not take the device down a second time. */
    base->refs = 1;
    d3d8_blocks_free(device);
    rt_state_release(&device->pipe.state);
    destroy_frame(device);
    d3d8_shaders_free(device);
    for (unsigned i = 0; i < device->palette_count; i++)
        free(device->palettes[i]);
    free(device->palettes);
    rt_chain_destroy(device->up_indices);
    rt_fullscreen_leave(&device->fullscreen, true);
    rt_cursor_free(&device->cursor);
    rt_link_close(device->link);
    IDirect3D8_Release(&device->parent->iface);
    DeleteCriticalSection(&base->lock);
    free(device);
}

static HRESULT check_flags(struct d3d8 *d3d, DWORD flags)
{
    DWORD processing = flags & (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING |
                                D3DCREATE_MIXED_VERTEXPROCESSING);
    DWORD caps = rt_adapter_caps(d3d->adapter)->DevCaps;

    if (!processing || (processing & (processing - 1)))
        return D3DERR_INVALIDCALL;
    if (processing != D3DCREATE_SOFTWARE_VERTEXPROCESSING && !(caps & D3DDEVCAPS_HWTRANSFORMANDLIGHT))
        return D3DERR_INVALIDCALL;
    if ((flags & D3DCREATE_PUREDEVICE) && processing != D3DCREATE_HARDWARE_VERTEXPROCESSING)
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* Formats and mode of the parameters; *display becomes the format of the screen. */
static HRESULT check_mode(struct d3d8 *d3d, UINT adapter, const D3DPRESENT_PARAMETERS *p, D3DFORMAT *display)
{
    D3DDISPLAYMODE mode;
    HRESULT hr = d3d8_check_present_params(d3d, p);

    if (FAILED(hr))
        return hr;
    if (p->Windowed) {
        if (!rt_mode_current(adapter, &mode))
            return D3DERR_NOTAVAILABLE;
        *display = mode.Format;
    } else {
        *display = (D3DFORMAT)rt_format_without_alpha(p->BackBufferFormat);
        if (!rt_mode_exists(adapter, p->BackBufferWidth, p->BackBufferHeight, *display))
            return D3DERR_INVALIDCALL;
    }
    hr = IDirect3D8_CheckDeviceType(&d3d->iface, adapter, D3DDEVTYPE_HAL, *display, p->BackBufferFormat, p->Windowed);
    if (FAILED(hr))
        return hr;
    hr = d3d8_check_multisample(d3d, p->BackBufferFormat, p->MultiSampleType);
    if (FAILED(hr))
        return hr;
    if (!p->EnableAutoDepthStencil)
        return D3D_OK;
    hr = d3d8_check_multisample(d3d, p->AutoDepthStencilFormat, p->MultiSampleType);
    if (FAILED(hr))
        return hr;
    hr = IDirect3D8_CheckDepthStencilMatch(&d3d->iface, adapter, D3DDEVTYPE_HAL, *display, p->BackBufferFormat,
                                           p->AutoDepthStencilFormat);
    return FAILED(hr) ? D3DERR_INVALIDCALL : D3D_OK;
}

static bool switch_screen(struct d3d8_device *device, const D3DPRESENT_PARAMETERS *p)
{
    HWND window = p->hDeviceWindow ? p->hDeviceWindow : device->creation.hFocusWindow;

    if (p->Windowed) {
        rt_fullscreen_leave(&device->fullscreen, false);
        return true;
    }
    return rt_fullscreen_enter(&device->fullscreen, device->creation.AdapterOrdinal, window,
                               device->creation.hFocusWindow, p->BackBufferWidth, p->BackBufferHeight,
                               rt_format_without_alpha(p->BackBufferFormat));
}

HRESULT d3d8_device_create(struct d3d8 *d3d, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                           D3DPRESENT_PARAMETERS *params, struct d3d8_device **out)
{
    struct d3d8_device *device;
    D3DFORMAT display;
    HRESULT hr = check_flags(d3d, flags);

    if (SUCCEEDED(hr) && !focus && (!params->Windowed || !params->hDeviceWindow))
        hr = D3DERR_INVALIDCALL;
    if (SUCCEEDED(hr))
        hr = check_mode(d3d, adapter, params, &display);
    if (FAILED(hr))
        return hr;
    device = mem_calloc(1, sizeof(*device));
    if (!device)
        return E_OUTOFMEMORY;
    device->iface.lpVtbl = (IDirect3DDevice8Vtbl *)&device_vtbl;
    device->parent = d3d;
    device->creation = (D3DDEVICE_CREATION_PARAMETERS){adapter, type, focus, flags};
    device->display_format = display;
    device->link = rt_link_open(d3d->adapter);
    if (!device->link) {
        free(device);
        return E_OUTOFMEMORY;
    }
    rt_device_base_init(&device->base, flags & D3DCREATE_MULTITHREADED, device_destroy);
    IDirect3D8_AddRef(&d3d->iface);
    d3d8_fill_caps(d3d, adapter, type, &device->caps);
    device->pipe.link = device->link;
    device->pipe.ops = &state_ops;
    device->pipe.user = device;
    device->pipe.pure = (flags & D3DCREATE_PUREDEVICE) != 0;
    reset_gamma(&device->gamma);
    if (!(flags & D3DCREATE_FPU_PRESERVE))
        setup_fpu();
    hr = switch_screen(device, params) ? create_frame(device, params) : D3DERR_NOTAVAILABLE;
    if (FAILED(hr)) {
        rt_device_base_release(&device->base);
        return hr;
    }
    log_info("device: %ux%u %s, format %u, %u back buffers", device->swapchain->params.BackBufferWidth,
             device->swapchain->params.BackBufferHeight, params->Windowed ? "windowed" : "full screen",
             (unsigned)params->BackBufferFormat, params->BackBufferCount);
    *out = device;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_QueryInterface(IDirect3DDevice8 *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3DDevice8, &IID_IUnknown, NULL};

    return d3d8_query(iface, riid, ids, out);
}

ULONG WINAPI d3d8_device_AddRef(IDirect3DDevice8 *iface)
{
    return rt_device_base_addref(&d3d8_device_of(iface)->base);
}

ULONG WINAPI d3d8_device_Release(IDirect3DDevice8 *iface)
{
    return rt_device_base_release(&d3d8_device_of(iface)->base);
}

/* --- lost and reset -------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_TestCooperativeLevel(IDirect3DDevice8 *iface)
{
    static const HRESULT results[] = {D3D_OK, D3DERR_DEVICELOST, D3DERR_DEVICENOTRESET};
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    return results[rt_fullscreen_status(&device->fullscreen)];
}

static bool implicit_surfaces_are_free(const struct d3d8_device *device)
{
    if (device->auto_depth && device->auto_depth->res.refs)
        return false;
    for (unsigned i = 0; i < D3D8_MAX_BACK_BUFFERS; i++) {
        const struct d3d8_surface *surface = device->swapchain->back[i];
        if (surface && surface->res.refs)
            return false;
    }
    return true;
}

HRESULT WINAPI d3d8_device_Reset(IDirect3DDevice8 *iface, D3DPRESENT_PARAMETERS *params)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DFORMAT display;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!params)
        return D3DERR_INVALIDCALL;
    if (rt_fullscreen_status(&device->fullscreen) == RT_DEVICE_LOST)
        return D3DERR_DEVICELOST;
    hr = check_mode(device->parent, device->creation.AdapterOrdinal, params, &display);
    if (FAILED(hr)) {
        device->fullscreen.status = RT_DEVICE_NOT_RESET;
        return D3DERR_INVALIDCALL;
    }
    unbind_all(device);
    if (device->swapchain)
        d3d8_device_bind_targets(device, device->swapchain->back[0], NULL);
    if (device->default_pool_count || (device->swapchain && !implicit_surfaces_are_free(device))) {
        log_info("Reset refused: %ld resources of the default pool are left", (long)device->default_pool_count);
        device->fullscreen.status = RT_DEVICE_NOT_RESET;
        return D3DERR_DEVICELOST;
    }
    d3d8_blocks_reset(device);
    rt_state_release(&device->pipe.state);
    destroy_frame(device);
    device->display_format = display;
    hr = switch_screen(device, params) ? create_frame(device, params) : D3DERR_INVALIDCALL;
    device->fullscreen.status = SUCCEEDED(hr) ? RT_DEVICE_OPERATIONAL : RT_DEVICE_NOT_RESET;
    return hr;
}

HRESULT WINAPI d3d8_device_Present(IDirect3DDevice8 *iface, const RECT *source, const RECT *destination, HWND window,
                                   const RGNDATA *dirty)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (device->fullscreen.status != RT_DEVICE_OPERATIONAL || !device->swapchain)
        return D3DERR_DEVICELOST;
    return d3d8_swapchain_present(device->swapchain, source, destination, window, dirty);
}

/* --- swap chains ----------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_CreateAdditionalSwapChain(IDirect3DDevice8 *iface, D3DPRESENT_PARAMETERS *params,
                                                     IDirect3DSwapChain8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_swapchain *swapchain;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!params || !out)
        return D3DERR_INVALIDCALL;
    /* Additional chains are for windows beside each other. */
    if (!params->Windowed || device->fullscreen.active)
        return D3DERR_INVALIDCALL;
    hr = d3d8_check_present_params(device->parent, params);
    if (FAILED(hr))
        return hr;
    hr = d3d8_swapchain_create(device, params, false, &swapchain);
    if (SUCCEEDED(hr))
        *out = &swapchain->iface;
    return hr;
}

HRESULT WINAPI d3d8_device_GetBackBuffer(IDirect3DDevice8 *iface, UINT index, D3DBACKBUFFER_TYPE type,
                                         IDirect3DSurface8 **surface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!surface)
        return D3DERR_INVALIDCALL;
    *surface = NULL;
    if (!device->swapchain)
        return D3DERR_INVALIDCALL;
    return IDirect3DSwapChain8_GetBackBuffer(&device->swapchain->iface, index, type, surface);
}

HRESULT WINAPI d3d8_device_GetFrontBuffer(IDirect3DDevice8 *iface, IDirect3DSurface8 *destination)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_surface *surface = d3d8_surface_of(destination);
    D3DDISPLAYMODE mode;
    RT_LOCK(&device->base);

    if (!surface || !device->swapchain || surface->desc.Format != D3DFMT_A8R8G8B8 ||
        surface->desc.Pool != D3DPOOL_SYSTEMMEM)
        return D3DERR_INVALIDCALL;
    rt_mode_current(device->creation.AdapterOrdinal, &mode);
    if (surface->desc.Width < mode.Width || surface->desc.Height < mode.Height) {
        log_info("GetFrontBuffer wants %ux%u, got %ux%u", mode.Width, mode.Height, surface->desc.Width,
                 surface->desc.Height);
        return D3DERR_INVALIDCALL;
    }
    return d3d8_swapchain_front(device->swapchain, surface);
}

static const IDirect3DDevice8Vtbl device_vtbl = {
    d3d8_device_QueryInterface,
    d3d8_device_AddRef,
    d3d8_device_Release,
    d3d8_device_TestCooperativeLevel,
    d3d8_device_GetAvailableTextureMem,
    d3d8_device_ResourceManagerDiscardBytes,
    d3d8_device_GetDirect3D,
    d3d8_device_GetDeviceCaps,
    d3d8_device_GetDisplayMode,
    d3d8_device_GetCreationParameters,
    d3d8_device_SetCursorProperties,
    d3d8_device_SetCursorPosition,
    d3d8_device_ShowCursor,
    d3d8_device_CreateAdditionalSwapChain,
    d3d8_device_Reset,
    d3d8_device_Present,
    d3d8_device_GetBackBuffer,
    d3d8_device_GetRasterStatus,
    d3d8_device_SetGammaRamp,
    d3d8_device_GetGammaRamp,
    d3d8_device_CreateTexture,
    d3d8_device_CreateVolumeTexture,
    d3d8_device_CreateCubeTexture,
    d3d8_device_CreateVertexBuffer,
    d3d8_device_CreateIndexBuffer,
    d3d8_device_CreateRenderTarget,
    d3d8_device_CreateDepthStencilSurface,
    d3d8_device_CreateImageSurface,
    d3d8_device_CopyRects,
    d3d8_device_UpdateTexture,
    d3d8_device_GetFrontBuffer,
    d3d8_device_SetRenderTarget,
    d3d8_device_GetRenderTarget,
    d3d8_device_GetDepthStencilSurface,
    d3d8_device_BeginScene,
    d3d8_device_EndScene,
    d3d8_device_Clear,
    d3d8_device_SetTransform,
    d3d8_device_GetTransform,
    d3d8_device_MultiplyTransform,
    d3d8_device_SetViewport,
    d3d8_device_GetViewport,
    d3d8_device_SetMaterial,
    d3d8_device_GetMaterial,
    d3d8_device_SetLight,
    d3d8_device_GetLight,
    d3d8_device_LightEnable,
    d3d8_device_GetLightEnable,
    d3d8_device_SetClipPlane,
    d3d8_device_GetClipPlane,
    d3d8_device_SetRenderState,
    d3d8_device_GetRenderState,
    d3d8_device_BeginStateBlock,
    d3d8_device_EndStateBlock,
    d3d8_device_ApplyStateBlock,
    d3d8_device_CaptureStateBlock,
    d3d8_device_DeleteStateBlock,
    d3d8_device_CreateStateBlock,
    d3d8_device_SetClipStatus,
    d3d8_device_GetClipStatus,
    d3d8_device_GetTexture,
    d3d8_device_SetTexture,
    d3d8_device_GetTextureStageState,
    d3d8_device_SetTextureStageState,
    d3d8_device_ValidateDevice,
    d3d8_device_GetInfo,
    d3d8_device_SetPaletteEntries,
    d3d8_device_GetPaletteEntries,
    d3d8_device_SetCurrentTexturePalette,
    d3d8_device_GetCurrentTexturePalette,
    d3d8_device_DrawPrimitive,
    d3d8_device_DrawIndexedPrimitive,
    d3d8_device_DrawPrimitiveUP,
    d3d8_device_DrawIndexedPrimitiveUP,
    d3d8_device_ProcessVertices,
    d3d8_device_CreateVertexShader,
    d3d8_device_SetVertexShader,
    d3d8_device_GetVertexShader,
    d3d8_device_DeleteVertexShader,
    d3d8_device_SetVertexShaderConstant,
    d3d8_device_GetVertexShaderConstant,
    d3d8_device_GetVertexShaderDeclaration,
    d3d8_device_GetVertexShaderFunction,
    d3d8_device_SetStreamSource,
    d3d8_device_GetStreamSource,
    d3d8_device_SetIndices,
    d3d8_device_GetIndices,
    d3d8_device_CreatePixelShader,
    d3d8_device_SetPixelShader,
    d3d8_device_GetPixelShader,
    d3d8_device_DeletePixelShader,
    d3d8_device_SetPixelShaderConstant,
    d3d8_device_GetPixelShaderConstant,
    d3d8_device_GetPixelShaderFunction,
    d3d8_device_DrawRectPatch,
    d3d8_device_DrawTriPatch,
    d3d8_device_DeletePatch,
};
