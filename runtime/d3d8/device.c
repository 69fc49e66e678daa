/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: creation, Reset, swap chains, small questions; the vtable. */
#include "runtime/common/device/methods.h"
#include "runtime/common/trace/trace.h"
#include "runtime/d3d8/device_methods.h"
#include "runtime/d3d8/trace.h"

static const IDirect3DDevice8Vtbl device_vtbl;

/* --- presentation parameters ----------------------------------------------------------- */

static bool swap_effect_copies(const D3DPRESENT_PARAMETERS *p)
{
    return p->SwapEffect == D3DSWAPEFFECT_COPY || p->SwapEffect == D3DSWAPEFFECT_COPY_VSYNC;
}

static HRESULT check_params(const D3DPRESENT_PARAMETERS *p)
{
    if (p->SwapEffect < D3DSWAPEFFECT_DISCARD || p->SwapEffect > D3DSWAPEFFECT_COPY_VSYNC)
        return D3DERR_INVALIDCALL;
    if (p->BackBufferCount > d3d8_api.max_back_buffers || (swap_effect_copies(p) && p->BackBufferCount > 1))
        return D3DERR_INVALIDCALL;
    if (p->BackBufferFormat == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (p->MultiSampleType && p->SwapEffect != D3DSWAPEFFECT_DISCARD)
        return D3DERR_INVALIDCALL;
    if (!p->Windowed) {
        switch (p->FullScreen_PresentationInterval) {
        case D3DPRESENT_INTERVAL_DEFAULT:
        case D3DPRESENT_INTERVAL_ONE:
        case D3DPRESENT_INTERVAL_IMMEDIATE:
            break;
        default:
            return D3DERR_INVALIDCALL;
        }
    }
    return D3D_OK;
}

/* The caller gets the count of back buffers back, but neither their sizes nor the window. */
static struct rt_present_params take_params(D3DPRESENT_PARAMETERS *p)
{
    const bool waits = p->SwapEffect == D3DSWAPEFFECT_COPY_VSYNC;

    if (!p->BackBufferCount)
        p->BackBufferCount = 1;
    return (struct rt_present_params){
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .format = p->BackBufferFormat,
        .count = p->BackBufferCount,
        .samples = p->MultiSampleType,
        .effect = swap_effect_copies(p) ? RT_SWAP_COPY : (enum rt_swap_effect)p->SwapEffect,
        .window = p->hDeviceWindow,
        .windowed = p->Windowed,
        .auto_depth = p->EnableAutoDepthStencil,
        .depth_format = p->AutoDepthStencilFormat,
        .flags = p->Flags,
        .refresh = p->FullScreen_RefreshRateInHz,
        .interval = waits         ? D3DPRESENT_INTERVAL_ONE
                    : p->Windowed ? D3DPRESENT_INTERVAL_IMMEDIATE
                                  : p->FullScreen_PresentationInterval,
    };
}

/* Formats and mode of the parameters; *display becomes the format of the screen. */
static HRESULT check_mode(struct d3d8 *d3d, UINT adapter, const D3DPRESENT_PARAMETERS *p, D3DFORMAT *display)
{
    D3DDISPLAYMODE mode;
    HRESULT hr = check_params(p);

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
    hr = rt_check_multisample(d3d->adapter, p->BackBufferFormat, p->MultiSampleType, NULL);
    if (FAILED(hr) || !p->EnableAutoDepthStencil)
        return hr;
    hr = rt_check_multisample(d3d->adapter, p->AutoDepthStencilFormat, p->MultiSampleType, NULL);
    if (FAILED(hr))
        return hr;
    hr = IDirect3D8_CheckDepthStencilMatch(&d3d->iface, adapter, D3DDEVTYPE_HAL, *display, p->BackBufferFormat,
                                           p->AutoDepthStencilFormat);
    return FAILED(hr) ? D3DERR_INVALIDCALL : D3D_OK;
}

/* --- life ------------------------------------------------------------------------------ */

HRESULT d3d8_device_create(struct d3d8 *d3d, const D3DDEVICE_CREATION_PARAMETERS *creation,
                           D3DPRESENT_PARAMETERS *params, IDirect3DDevice8 **out)
{
    struct rt_device_desc desc = {.api = &d3d8_api, .adapter = d3d->adapter, .creation = *creation};
    struct rt_present_params taken;
    struct d3d8_device *device;
    D3DFORMAT display;
    HRESULT hr = rt_check_behavior(d3d->adapter, creation->BehaviorFlags);

    if (SUCCEEDED(hr) && !creation->hFocusWindow && (!params->Windowed || !params->hDeviceWindow))
        hr = D3DERR_INVALIDCALL;
    if (SUCCEEDED(hr))
        hr = check_mode(d3d, creation->AdapterOrdinal, params, &display);
    if (FAILED(hr))
        return hr;
    device = mem_calloc(1, sizeof(*device));
    if (!device)
        return E_OUTOFMEMORY;
    device->rt.vtbl = rt_traced(d3d8_traced, RT_TRACED_DEVICE, &device_vtbl);
    device->rt.parent = (IUnknown *)d3d;
    d3d8_fill_caps(d3d, creation->AdapterOrdinal, creation->DeviceType, &desc.caps);
    taken = take_params(params);
    hr = rt_device_init(&device->rt, &desc);
    if (FAILED(hr))
        return hr;
    hr = rt_frame_init(&device->frame, &device->rt, &taken, display);
    if (SUCCEEDED(hr))
        *out = (IDirect3DDevice8 *)device;
    else
        rt_device_destroy(&device->rt);
    return hr;
}

static HRESULT WINAPI device_QueryInterface(IDirect3DDevice8 *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3DDevice8, &IID_IUnknown, NULL};

    return rt_query(iface, riid, ids, out);
}

static HRESULT WINAPI device_Reset(IDirect3DDevice8 *iface, D3DPRESENT_PARAMETERS *params)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_present_params taken;
    D3DFORMAT display;
    RT_LOCK(&device->base);

    if (!params)
        return D3DERR_INVALIDCALL;
    if (rt_fullscreen_status(&device->frame->fullscreen) == RT_DEVICE_LOST)
        return D3DERR_DEVICELOST;
    if (FAILED(check_mode((struct d3d8 *)device->parent, device->creation.AdapterOrdinal, params, &display))) {
        device->frame->fullscreen.status = RT_DEVICE_NOT_RESET;
        return D3DERR_INVALIDCALL;
    }
    taken = take_params(params);
    return rt_frame_reset(device->frame, &taken, display);
}

/* --- swap chains ----------------------------------------------------------------------- */

static HRESULT WINAPI device_Present(IDirect3DDevice8 *iface, const RECT *source, const RECT *destination, HWND window,
                                     const RGNDATA *dirty)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (device->frame->fullscreen.status != RT_DEVICE_OPERATIONAL)
        return D3DERR_DEVICELOST;
    return rt_swapchain_present(device->frame->swapchain, source, destination, window, dirty);
}

static HRESULT WINAPI device_CreateAdditionalSwapChain(IDirect3DDevice8 *iface, D3DPRESENT_PARAMETERS *params,
                                                       IDirect3DSwapChain8 **out)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_present_params taken;
    struct rt_swapchain *swapchain;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!params || !out)
        return D3DERR_INVALIDCALL;
    /* Additional chains are for several windows. */
    if (!params->Windowed || device->frame->fullscreen.active)
        return D3DERR_INVALIDCALL;
    hr = check_params(params);
    if (FAILED(hr))
        return hr;
    taken = take_params(params);
    hr = rt_swapchain_create(device, &taken, false, &swapchain);
    if (SUCCEEDED(hr))
        *out = (IDirect3DSwapChain8 *)swapchain;
    return hr;
}

static HRESULT WINAPI device_GetBackBuffer(IDirect3DDevice8 *iface, UINT index, D3DBACKBUFFER_TYPE type,
                                           IDirect3DSurface8 **surface)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    (void)type; /* no stereo: every value means the same buffer */
    if (!surface)
        return D3DERR_INVALIDCALL;
    *surface = NULL;
    return rt_swapchain_back_buffer(device->frame->swapchain, index, (struct rt_surface **)surface);
}

static HRESULT WINAPI device_GetFrontBuffer(IDirect3DDevice8 *iface, IDirect3DSurface8 *destination)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return destination ? rt_swapchain_front(device->frame->swapchain, rt_surface_of(destination)) : D3DERR_INVALIDCALL;
}

static void WINAPI device_SetGammaRamp(IDirect3DDevice8 *iface, DWORD flags, const D3DGAMMARAMP *ramp)
{
    RT_LOCK(&rt_device_of(iface)->base);

    (void)flags; /* nothing to calibrate */
    if (ramp)
        rt_device_of(iface)->frame->swapchain->gamma = *ramp;
}

static void WINAPI device_GetGammaRamp(IDirect3DDevice8 *iface, D3DGAMMARAMP *ramp)
{
    RT_LOCK(&rt_device_of(iface)->base);

    if (ramp)
        *ramp = rt_device_of(iface)->frame->swapchain->gamma;
}

/* --- questions ------------------------------------------------------------------------- */

static HRESULT WINAPI device_ResourceManagerDiscardBytes(IDirect3DDevice8 *iface, DWORD bytes)
{
    RT_LOCK(&rt_device_of(iface)->base);

    rt_textures_discard(rt_device_of(iface), bytes);
    return D3D_OK;
}

static HRESULT WINAPI device_GetDeviceCaps(IDirect3DDevice8 *iface, D3DCAPS8 *caps)
{
    if (!caps)
        return D3DERR_INVALIDCALL;
    *caps = rt_device_of(iface)->caps;
    return D3D_OK;
}

static HRESULT WINAPI device_GetDisplayMode(IDirect3DDevice8 *iface, D3DDISPLAYMODE *mode)
{
    return rt_device_display_mode(rt_device_of(iface), mode);
}

static HRESULT WINAPI device_GetRasterStatus(IDirect3DDevice8 *iface, D3DRASTER_STATUS *status)
{
    return rt_device_raster_status(rt_device_of(iface), status);
}

static HRESULT WINAPI device_GetInfo(IDirect3DDevice8 *iface, DWORD id, void *data, DWORD size)
{
    (void)iface;
    if (id < 4)
        return E_FAIL;
    if (data && size)
        memset(data, 0, size);
    return S_FALSE;
}

/* Those of all versions, and those that version 9 has with other types or rules */
/* clang-format off */
#define DEVICE_METHODS(X, I)                                                                                         \
    RT_DEVICE_METHODS(X, I, IDirect3D8, IDirect3DSurface8)                                                           \
    X(I, HRESULT, TestCooperativeLevel, rt_device_TestCooperativeLevel)                                              \
    X(I, void, SetCursorPosition, rt_device_SetCursorPosition, (UINT, x, VALUE), (UINT, y, VALUE), (DWORD, flags, VALUE)) \
    X(I, HRESULT, Clear, rt_device_Clear,                                                                            \
      (DWORD, count, VALUE), (const D3DRECT *, rects, VALUE), (DWORD, flags, VALUE), (D3DCOLOR, color, VALUE),       \
      (float, z, VALUE), (DWORD, stencil, VALUE))                                                                    \
    X(I, HRESULT, SetRenderState, rt_device_SetRenderState, (D3DRENDERSTATETYPE, state, VALUE), (DWORD, value, VALUE))
/* clang-format on */

DEVICE_METHODS(RT_METHOD, IDirect3DDevice8)

/* clang-format off */
static const IDirect3DDevice8Vtbl device_vtbl = {
    DEVICE_METHODS(RT_ENTRY, IDirect3DDevice8)
    .QueryInterface = device_QueryInterface,
    .ResourceManagerDiscardBytes = device_ResourceManagerDiscardBytes,
    .GetDeviceCaps = device_GetDeviceCaps,
    .GetDisplayMode = device_GetDisplayMode,
    .CreateAdditionalSwapChain = device_CreateAdditionalSwapChain,
    .Reset = device_Reset,
    .Present = device_Present,
    .GetBackBuffer = device_GetBackBuffer,
    .GetRasterStatus = device_GetRasterStatus,
    .SetGammaRamp = device_SetGammaRamp,
    .GetGammaRamp = device_GetGammaRamp,
    .CreateTexture = d3d8_device_CreateTexture,
    .CreateVolumeTexture = d3d8_device_CreateVolumeTexture,
    .CreateCubeTexture = d3d8_device_CreateCubeTexture,
    .CreateVertexBuffer = d3d8_device_CreateVertexBuffer,
    .CreateIndexBuffer = d3d8_device_CreateIndexBuffer,
    .CreateRenderTarget = d3d8_device_CreateRenderTarget,
    .CreateDepthStencilSurface = d3d8_device_CreateDepthStencilSurface,
    .CreateImageSurface = d3d8_device_CreateImageSurface,
    .CopyRects = d3d8_device_CopyRects,
    .UpdateTexture = d3d8_device_UpdateTexture,
    .GetFrontBuffer = device_GetFrontBuffer,
    .SetRenderTarget = d3d8_device_SetRenderTarget,
    .GetRenderTarget = d3d8_device_GetRenderTarget,
    .GetDepthStencilSurface = d3d8_device_GetDepthStencilSurface,
    .BeginStateBlock = d3d8_device_BeginStateBlock,
    .EndStateBlock = d3d8_device_EndStateBlock,
    .ApplyStateBlock = d3d8_device_ApplyStateBlock,
    .CaptureStateBlock = d3d8_device_CaptureStateBlock,
    .DeleteStateBlock = d3d8_device_DeleteStateBlock,
    .CreateStateBlock = d3d8_device_CreateStateBlock,
    .GetTexture = d3d8_device_GetTexture,
    .SetTexture = d3d8_device_SetTexture,
    .GetTextureStageState = d3d8_device_GetTextureStageState,
    .SetTextureStageState = d3d8_device_SetTextureStageState,
    .GetInfo = device_GetInfo,
    .DrawPrimitive = d3d8_device_DrawPrimitive,
    .DrawIndexedPrimitive = d3d8_device_DrawIndexedPrimitive,
    .DrawPrimitiveUP = d3d8_device_DrawPrimitiveUP,
    .DrawIndexedPrimitiveUP = d3d8_device_DrawIndexedPrimitiveUP,
    .ProcessVertices = d3d8_device_ProcessVertices,
    .CreateVertexShader = d3d8_device_CreateVertexShader,
    .SetVertexShader = d3d8_device_SetVertexShader,
    .GetVertexShader = d3d8_device_GetVertexShader,
    .DeleteVertexShader = d3d8_device_DeleteVertexShader,
    .SetVertexShaderConstant = d3d8_device_SetVertexShaderConstant,
    .GetVertexShaderConstant = d3d8_device_GetVertexShaderConstant,
    .GetVertexShaderDeclaration = d3d8_device_GetVertexShaderDeclaration,
    .GetVertexShaderFunction = d3d8_device_GetVertexShaderFunction,
    .SetStreamSource = d3d8_device_SetStreamSource,
    .GetStreamSource = d3d8_device_GetStreamSource,
    .SetIndices = d3d8_device_SetIndices,
    .GetIndices = d3d8_device_GetIndices,
    .CreatePixelShader = d3d8_device_CreatePixelShader,
    .SetPixelShader = d3d8_device_SetPixelShader,
    .GetPixelShader = d3d8_device_GetPixelShader,
    .DeletePixelShader = d3d8_device_DeletePixelShader,
    .SetPixelShaderConstant = d3d8_device_SetPixelShaderConstant,
    .GetPixelShaderConstant = d3d8_device_GetPixelShaderConstant,
    .GetPixelShaderFunction = d3d8_device_GetPixelShaderFunction,
    .DrawRectPatch = d3d8_device_DrawRectPatch,
    .DrawTriPatch = d3d8_device_DrawTriPatch,
};
/* clang-format on */
