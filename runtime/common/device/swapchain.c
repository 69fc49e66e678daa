/* SPDX-License-Identifier: MIT */
/* Swap chains: parameters, buffers, life; present.c shows what is in them. */
#include "runtime/common/device/swapchain.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/device.h"
#include "runtime/common/window/display.h"
#include "runtime/common/object/surface_dc.h"

/* --- parameters ------------------------------------------------------------------------ */

static void complete_params(const struct rt_device *device, struct rt_present_params *p)
{
    RECT client;

    if (!p->window)
        p->window = device->creation.hFocusWindow;
    if (!p->count)
        p->count = 1;
    if (p->windowed && (!p->width || !p->height)) {
        if (!GetClientRect(p->window, &client))
            SetRect(&client, 0, 0, 0, 0);
        if (!p->width)
            p->width = client.right > 0 ? (unsigned)client.right : 8;
        if (!p->height)
            p->height = client.bottom > 0 ? (unsigned)client.bottom : 8;
    }
}

/* Frames a second for presentation that waits for the screen; 0: it does not wait. */
static unsigned wanted_rate(const struct rt_device *device, const struct rt_present_params *p)
{
    D3DDISPLAYMODE mode;
    unsigned rate;

    if (p->interval == D3DPRESENT_INTERVAL_IMMEDIATE || !rt_mode_current(device->creation.AdapterOrdinal, &mode))
        return 0;
    rate = mode.RefreshRate ? mode.RefreshRate : 60;
    switch (p->interval) {
    case D3DPRESENT_INTERVAL_TWO:
        return BASE_MAX(rate / 2, 1);
    case D3DPRESENT_INTERVAL_THREE:
        return BASE_MAX(rate / 3, 1);
    case D3DPRESENT_INTERVAL_FOUR:
        return BASE_MAX(rate / 4, 1);
    default:
        return rate;
    }
}

/* --- buffers --------------------------------------------------------------------------- */

void rt_swapchain_free_buffers(struct rt_swapchain *swapchain)
{
    for (unsigned i = 0; i < swapchain->back_count; i++) {
        /* A surface that is still held elsewhere loses its memory here. */
        rt_surface_lose_memory(swapchain->back[i]);
        swapchain->back[i]->container = NULL;
        rt_device_surface_lost(swapchain->device, swapchain->back[i]);
        rt_resource_unhold(&swapchain->back[i]->res);
    }
    free(swapchain->back);
    swapchain->back = NULL;
    swapchain->back_count = 0;
    rt_chain_destroy(swapchain->chain);
    swapchain->chain = NULL;
}

static HRESULT make_back_buffers(struct rt_swapchain *swapchain)
{
    const struct rt_present_params *p = &swapchain->params;
    const struct rt_surface_desc desc = {.format = p->format,
                                         .usage = D3DUSAGE_RENDERTARGET,
                                         .pool = RT_POOL_DEFAULT,
                                         .samples = p->samples,
                                         .quality = p->quality,
                                         .width = p->width,
                                         .height = p->height};

    swapchain->back = mem_calloc(p->count, sizeof(*swapchain->back));
    for (unsigned i = 0; swapchain->back && i < p->count; i++) {
        struct rt_surface *back = rt_surface_wrap(swapchain->device, swapchain->chain, 1 + i, &desc,
                                                  p->flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER);
        if (!back)
            return E_OUTOFMEMORY;
        if (swapchain->device->api->back_buffers_belong_to_swapchain)
            back->container = (IUnknown *)swapchain;
        swapchain->back[i] = back;
        swapchain->back_count = i + 1;
    }
    return swapchain->back ? D3D_OK : E_OUTOFMEMORY;
}

static HRESULT make_buffers(struct rt_swapchain *swapchain)
{
    const struct rt_present_params *p = &swapchain->params;
    struct rt_chain_desc desc = {.kind = RT_CHAIN_SWAP,
                                 .memory = RT_MEMORY_VIDEO,
                                 .format = p->format,
                                 .width = p->width * swapchain->times,
                                 .height = p->height * swapchain->times,
                                 .depth = 1,
                                 .levels = 1 + p->count,
                                 .samples = swapchain->samples};
    HRESULT hr = rt_chain_create(swapchain->device->link, &desc, &swapchain->chain);

    if (SUCCEEDED(hr))
        hr = make_back_buffers(swapchain);
    if (FAILED(hr)) {
        log_warn("no swap chain of %ux%u, format %u: %08lx", p->width, p->height, (unsigned)p->format,
                 (unsigned long)hr);
        rt_swapchain_free_buffers(swapchain);
    }
    return hr;
}

/* The device's own chain decides about the internal resolution of the device. */
static void choose_resolution(struct rt_swapchain *swapchain)
{
    struct rt_device *device = swapchain->device;
    const struct rt_present_params *p = &swapchain->params;
    const struct rt_resolution_use use = {.width = p->width, .height = p->height, .usage = D3DUSAGE_RENDERTARGET};

    if (swapchain->implicit)
        device->resolution =
            rt_resolution_for(p->width, p->height, device->caps.MaxTextureWidth, device->caps.MaxTextureHeight);
    swapchain->times = rt_resolution_times(&device->resolution, &use);
}

/* As above; others have samples if the device's own has. */
static void choose_samples(struct rt_swapchain *swapchain)
{
    struct rt_multisample *multisample = &swapchain->device->multisample;
    const struct rt_present_params *p = &swapchain->params;
    const unsigned samples = rt_multisample_for(swapchain->device->adapter, p->format, p->samples);

    if (swapchain->implicit)
        *multisample = (struct rt_multisample){multisample->is_set, samples, p->width, p->height};
    swapchain->samples = multisample->samples && samples ? samples : p->samples;
}

HRESULT rt_swapchain_reset(struct rt_swapchain *swapchain, const struct rt_present_params *params)
{
    rt_swapchain_free_buffers(swapchain);
    swapchain->params = *params;
    complete_params(swapchain->device, &swapchain->params);
    choose_resolution(swapchain);
    choose_samples(swapchain);
    swapchain->frame_limit = rt_pace_limit(wanted_rate(swapchain->device, &swapchain->params));
    return make_buffers(swapchain);
}

bool rt_swapchain_is_referenced(const struct rt_swapchain *swapchain)
{
    for (unsigned i = 0; i < swapchain->back_count; i++)
        if (swapchain->back[i]->res.refs)
            return true;
    return false;
}

HRESULT rt_swapchain_back_buffer(struct rt_swapchain *swapchain, unsigned index, struct rt_surface **surface)
{
    if (index >= swapchain->back_count)
        return D3DERR_INVALIDCALL;
    *surface = swapchain->back[index];
    rt_object_AddRef(*surface);
    return D3D_OK;
}

/* --- life ------------------------------------------------------------------------------ */

static void swapchain_destroy(struct rt_resource *resource)
{
    struct rt_swapchain *swapchain = RT_FROM_RES(rt_swapchain, resource);

    rt_swapchain_free_buffers(swapchain);
    rt_presenter_free(&swapchain->presenter);
    if (swapchain->in_default_pool)
        swapchain->device->default_pool_count--;
    free(swapchain);
}

static const struct rt_resource_ops swapchain_ops = {swapchain_destroy};

static void make_linear(D3DGAMMARAMP *gamma)
{
    for (unsigned i = 0; i < 256; i++)
        gamma->red[i] = gamma->green[i] = gamma->blue[i] = (WORD)(i * 257);
}

HRESULT rt_swapchain_create(struct rt_device *device, const struct rt_present_params *params, bool implicit,
                            struct rt_swapchain **out)
{
    struct rt_swapchain *swapchain = mem_calloc(1, sizeof(*swapchain));
    HRESULT hr;

    *out = NULL;
    if (!swapchain)
        return E_OUTOFMEMORY;
    swapchain->device = device;
    swapchain->implicit = implicit;
    make_linear(&swapchain->gamma);
    rt_presenter_init(&swapchain->presenter);
    hr = rt_swapchain_reset(swapchain, params);
    if (FAILED(hr)) {
        swapchain_destroy(&swapchain->res);
        return hr;
    }
    rt_object_init(swapchain, device, RT_KIND_SWAPCHAIN, &swapchain_ops, implicit);
    swapchain->in_default_pool = !implicit && device->api->additional_chains_refuse_reset;
    if (swapchain->in_default_pool)
        device->default_pool_count++;
    *out = swapchain;
    return D3D_OK;
}
