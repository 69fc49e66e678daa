/* SPDX-License-Identifier: MIT */
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

static HRESULT WINAPI swapchain_Present(IDirect3DSwapChain8 *iface, const RECT *source,
                                        const RECT *destination, HWND window, const RGNDATA *dirty)
{
    struct d3d8_swapchain *swapchain = swapchain_of(iface);
    RT_LOCK(&swapchain->device->base);

    return d3d8_swapchain_present(swapchain, source, destination, window, dirty);
}

static HRESULT WINAPI swapchain_GetBackBuffer(IDirect3DSwapChain8 *iface, UINT index,
                                              D3DBACKBUFFER_TYPE type, IDirect3DSurface8 **surface)
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

/* --- presentation ---------------------------------------------------------------------- */

static HRESULT to_front(struct d3d8_swapchain *swapchain)
{
    bool copies = swapchain->params.SwapEffect == D3DSWAPEFFECT_COPY ||
                  swapchain->params.SwapEffect == D3DSWAPEFFECT_COPY_VSYNC;

    if (!copies)
        return rt_chain_flip(swapchain->chain);
    return rt_chain_blt(swapchain->chain, 0, NULL, swapchain->chain, 1, NULL,
                        DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION);
}

static bool rect_is_inside(const RECT *rect, LONG width, LONG height)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left < rect->right &&
           rect->top < rect->bottom && rect->right <= width && rect->bottom <= height;
}

HRESULT d3d8_swapchain_present(struct d3d8_swapchain *swapchain, const RECT *source,
                               const RECT *destination, HWND window, const RGNDATA *dirty)
{
    struct d3d8_device *device = swapchain->device;
    const D3DPRESENT_PARAMETERS *p = &swapchain->params;
    struct rt_picture picture = {
        .width = p->BackBufferWidth, .height = p->BackBufferHeight, .format = p->BackBufferFormat};
    struct rt_mapping map;
    HRESULT hr;

    (void)dirty; /* a hint; the whole picture is as cheap */
    if (source && !rect_is_inside(source, (LONG)p->BackBufferWidth, (LONG)p->BackBufferHeight))
        return D3DERR_INVALIDCALL;
    if (destination &&
        (destination->left >= destination->right || destination->top >= destination->bottom))
        return D3DERR_INVALIDCALL;
    if (!window)
        window = p->hDeviceWindow;
    rt_flush(device->link);
    hr = to_front(swapchain);
    if (FAILED(hr))
        return hr;
    if (!IsWindow(window))
        return D3DERR_INVALIDCALL;
    hr = rt_chain_lock(swapchain->chain, 0, D3DLOCK_READONLY, &map);
    if (FAILED(hr))
        return hr;
    picture.bits = map.bits;
    picture.pitch = map.pitch;
    rt_present(&swapchain->presenter, window, &picture, source, destination,
               swapchain->implicit ? &device->gamma : NULL);
    rt_chain_unlock(swapchain->chain, 0);
    return D3D_OK;
}

static uint32_t pixel_argb(const uint8_t *p, unsigned x, uint32_t format)
{
    uint16_t v;
    uint32_t r, g, b;

    if (format == D3DFMT_X8R8G8B8 || format == D3DFMT_A8R8G8B8) {
        uint32_t argb;
        memcpy(&argb, p + 4 * x, 4);
        return argb | 0xff000000;
    }
    memcpy(&v, p + 2 * x, 2);
    if (format == D3DFMT_R5G6B5) {
        r = v >> 11;
        g = v >> 5 & 0x3f;
        g = g << 2 | g >> 4;
    } else {
        r = v >> 10 & 0x1f;
        g = v >> 5 & 0x1f;
        g = g << 3 | g >> 2;
    }
    b = v & 0x1f;
    return 0xff000000 | (r << 3 | r >> 2) << 16 | g << 8 | (b << 3 | b >> 2);
}

/* The screen as the program last made it: what GDI sees, with the presented picture over its window
 * (a headless screen has no pixels of its own). */
HRESULT d3d8_swapchain_front(struct d3d8_swapchain *swapchain, struct d3d8_surface *surface)
{
    const D3DPRESENT_PARAMETERS *p = &swapchain->params;
    D3DLOCKED_RECT locked;
    struct rt_mapping map;
    POINT at = {0, 0};
    HRESULT hr = d3d8_surface_lock(surface, &locked, NULL, 0);

    if (FAILED(hr))
        return hr;
    if (p->Windowed) {
        rt_grab_screen(rt_display_monitor(swapchain->device->creation.AdapterOrdinal), locked.pBits,
                       (size_t)locked.Pitch, surface->desc.Width, surface->desc.Height);
        ClientToScreen(p->hDeviceWindow, &at);
    }
    hr = rt_chain_lock(swapchain->chain, 0, D3DLOCK_READONLY, &map);
    if (SUCCEEDED(hr)) {
        for (LONG y = 0; y < (LONG)p->BackBufferHeight; y++) {
            uint8_t *row = (uint8_t *)locked.pBits + (ptrdiff_t)(y + at.y) * locked.Pitch;
            if (y + at.y < 0 || y + at.y >= (LONG)surface->desc.Height)
                continue;
            for (LONG x = 0; x < (LONG)p->BackBufferWidth; x++) {
                uint32_t argb =
                    pixel_argb(map.bits + (size_t)y * map.pitch, (unsigned)x, p->BackBufferFormat);
                if (x + at.x >= 0 && x + at.x < (LONG)surface->desc.Width)
                    memcpy(row + 4 * (x + at.x), &argb, 4);
            }
        }
        rt_chain_unlock(swapchain->chain, 0);
    }
    d3d8_surface_unlock(surface);
    return hr;
}

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

HRESULT d3d8_swapchain_create(struct d3d8_device *device, D3DPRESENT_PARAMETERS *params,
                              bool implicit, struct d3d8_swapchain **out)
{
    struct d3d8_swapchain *swapchain = mem_calloc(1, sizeof(*swapchain));
    HRESULT hr;

    *out = NULL;
    if (!swapchain)
        return E_OUTOFMEMORY;
    swapchain->iface.lpVtbl = (IDirect3DSwapChain8Vtbl *)&swapchain_vtbl;
    swapchain->device = device;
    swapchain->implicit = implicit;
    /* The caller learns the count, but neither the sizes nor the window. */
    if (!params->BackBufferCount)
        params->BackBufferCount = 1;
    swapchain->params = *params;
    complete_params(device, &swapchain->params);
    hr = create_buffers(swapchain);
    if (FAILED(hr)) {
        log_warn("no swap chain of %ux%u, format %u: %08lx", swapchain->params.BackBufferWidth,
                 swapchain->params.BackBufferHeight, (unsigned)params->BackBufferFormat,
                 (unsigned long)hr);
        swapchain_destroy(&swapchain->res);
        return hr;
    }
    rt_resource_init(&swapchain->res, &device->base, &swapchain_ops, implicit);
    *out = swapchain;
    return D3D_OK;
}
