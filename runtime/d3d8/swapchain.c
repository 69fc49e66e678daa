/* SPDX-License-Identifier: MIT */
/* IDirect3DSwapChain8: parameters, buffers, life; present.c shows what is in them. */
#include "runtime/d3d8/d3d8_objects.h"

static struct d3d8_swapchain *swapchain_of(IDirect3DSwapChain8 *iface)
{
    return (struct d3d8_swapchain *)iface;
}

HRESULT d3d8_check_present_params(struct d3d8 *d3d, const D3DPRESENT_PARAMETERS *p)
{
    bool copies = p->SwapEffect == D3DSWAPEFFECT_COPY || p->SwapEffect == D3DSWAPEFFECT_COPY_VSYNC;

    (void)d3d;
    if (p->SwapEffect < D3DSWAPEFFECT_DISCARD || p->SwapEffect > D3DSWAPEFFECT_COPY_VSYNC)
        return D3DERR_INVALIDCALL;
    if (p->BackBufferCount > D3D8_MAX_BACK_BUFFERS || (copies && p->BackBufferCount > 1))
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

static HRESULT WINAPI swapchain_QueryInterface(IDirect3DSwapChain8 *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3DSwapChain8, &IID_IUnknown, NULL};

    return d3d8_query(iface, riid, ids, out);
}

static HRESULT WINAPI swapchain_Present(IDirect3DSwapChain8 *iface, const RECT *source, const RECT *destination,
                                        HWND window, const RGNDATA *dirty)
{
    struct d3d8_swapchain *swapchain = swapchain_of(iface);
    RT_LOCK(&swapchain->device->base);

    return d3d8_swapchain_present(swapchain, source, destination, window, dirty);
}

static HRESULT WINAPI swapchain_GetBackBuffer(IDirect3DSwapChain8 *iface, UINT index, D3DBACKBUFFER_TYPE type,
                                              IDirect3DSurface8 **surface)
{
    struct d3d8_swapchain *swapchain = swapchain_of(iface);

    (void)type; /* no stereo: every value means the same buffer */
    if (!surface || index >= swapchain->params.BackBufferCount)
        return D3DERR_INVALIDCALL;
    *surface = &swapchain->back[index]->iface;
    IDirect3DSurface8_AddRef(*surface);
    return D3D_OK;
}

static const IDirect3DSwapChain8Vtbl swapchain_vtbl = {
    swapchain_QueryInterface, (void *)d3d8_object_add_ref, (void *)d3d8_object_release,
    swapchain_Present,        swapchain_GetBackBuffer,
};

/* --- life ------------------------------------------------------------------------------ */

static void swapchain_destroy(struct rt_resource *resource)
{
    struct d3d8_swapchain *swapchain = D3D8_FROM_RES(d3d8_swapchain, resource);

    for (unsigned i = 0; i < D3D8_MAX_BACK_BUFFERS; i++) {
        if (!swapchain->back[i])
            continue;
        /* A surface somebody still holds loses its memory here. */
        swapchain->back[i]->chain = NULL;
        d3d8_surface_unhold(swapchain->back[i]);
    }
    rt_chain_destroy(swapchain->chain);
    rt_presenter_free(&swapchain->presenter);
    free(swapchain);
}

static const struct rt_resource_ops swapchain_ops = {swapchain_destroy};

static void complete_params(const struct d3d8_device *device, D3DPRESENT_PARAMETERS *p)
{
    RECT client;

    if (!p->hDeviceWindow)
        p->hDeviceWindow = device->creation.hFocusWindow;
    if (!p->BackBufferCount)
        p->BackBufferCount = 1;
    if (p->Windowed && (!p->BackBufferWidth || !p->BackBufferHeight)) {
        if (!GetClientRect(p->hDeviceWindow, &client))
            SetRect(&client, 0, 0, 0, 0);
        if (!p->BackBufferWidth)
            p->BackBufferWidth = client.right > 0 ? (UINT)client.right : 8;
        if (!p->BackBufferHeight)
            p->BackBufferHeight = client.bottom > 0 ? (UINT)client.bottom : 8;
    }
}

/* Frames a second for presentation that waits for the screen; 0: it does not wait. */
static unsigned wanted_rate(const struct d3d8_device *device, const D3DPRESENT_PARAMETERS *p)
{
    D3DDISPLAYMODE mode;
    bool waits = p->SwapEffect == D3DSWAPEFFECT_COPY_VSYNC ||
                 (!p->Windowed && p->FullScreen_PresentationInterval != D3DPRESENT_INTERVAL_IMMEDIATE);

    if (!waits || !rt_mode_current(device->creation.AdapterOrdinal, &mode))
        return 0;
    return mode.RefreshRate ? mode.RefreshRate : 60;
}

static HRESULT create_buffers(struct d3d8_swapchain *swapchain)
{
    const D3DPRESENT_PARAMETERS *p = &swapchain->params;
    struct rt_chain_desc desc = {.kind = RT_CHAIN_SWAP,
                                 .memory = RT_MEMORY_VIDEO,
                                 .format = p->BackBufferFormat,
                                 .width = p->BackBufferWidth,
                                 .height = p->BackBufferHeight,
                                 .depth = 1,
                                 .levels = 1 + p->BackBufferCount,
                                 .samples = p->MultiSampleType};
    D3DSURFACE_DESC surface = {.Format = p->BackBufferFormat,
                               .Usage = D3DUSAGE_RENDERTARGET,
                               .Pool = D3DPOOL_DEFAULT,
                               .MultiSampleType = p->MultiSampleType,
                               .Width = p->BackBufferWidth,
                               .Height = p->BackBufferHeight};
    HRESULT hr = rt_chain_create(swapchain->device->link, &desc, &swapchain->chain);

    if (FAILED(hr))
        return hr;
    for (unsigned i = 0; i < p->BackBufferCount; i++) {
        swapchain->back[i] = d3d8_surface_wrap(swapchain->device, swapchain->chain, 1 + i, &surface,
                                               p->Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER);
        if (!swapchain->back[i])
            return E_OUTOFMEMORY;
    }
    return D3D_OK;
}

HRESULT d3d8_swapchain_create(struct d3d8_device *device, D3DPRESENT_PARAMETERS *params, bool implicit,
                              struct d3d8_swapchain **out)
{
    struct d3d8_swapchain *swapchain = mem_calloc(1, sizeof(*swapchain));
    HRESULT hr;

    *out = NULL;
    if (!swapchain)
        return E_OUTOFMEMORY;
    swapchain->iface.lpVtbl = (IDirect3DSwapChain8Vtbl *)&swapchain_vtbl;
    swapchain->device = device;
    swapchain->implicit = implicit;
    rt_presenter_init(&swapchain->presenter);
    /* The caller learns the count, but neither the sizes nor the window. */
    if (!params->BackBufferCount)
        params->BackBufferCount = 1;
    swapchain->params = *params;
    complete_params(device, &swapchain->params);
    swapchain->frame_limit = rt_pace_limit(wanted_rate(device, &swapchain->params));
    hr = create_buffers(swapchain);
    if (FAILED(hr)) {
        log_warn("no swap chain of %ux%u, format %u: %08lx", swapchain->params.BackBufferWidth,
                 swapchain->params.BackBufferHeight, (unsigned)params->BackBufferFormat, (unsigned long)hr);
        swapchain_destroy(&swapchain->res);
        return hr;
    }
    rt_resource_init(&swapchain->res, &device->base, &swapchain_ops, implicit);
    *out = swapchain;
    return D3D_OK;
}
