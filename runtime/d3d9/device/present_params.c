/* SPDX-License-Identifier: MIT */
/* Wine's tests test_swapchain_parameters, test_reset and test_reset_ex establish what is refused. */
#include "runtime/d3d9/device/present_params.h"

#include "runtime/common/driver/formats.h"

/* --- what needs no device -------------------------------------------------------------------- */

static bool effect_is_valid(const D3DPRESENT_PARAMETERS *p, bool is_ex)
{
    switch (p->SwapEffect) {
    case D3DSWAPEFFECT_DISCARD:
    case D3DSWAPEFFECT_FLIP:
        return true;
    case D3DSWAPEFFECT_COPY:
        return p->BackBufferCount <= 1;
    case D3DSWAPEFFECT_FLIPEX:
        return is_ex;
    default:
        return false; /* overlays need D3DCAPS_OVERLAY, which no driver of ours has */
    }
}

static bool interval_is_valid(DWORD interval)
{
    switch (interval) {
    case D3DPRESENT_INTERVAL_DEFAULT:
    case D3DPRESENT_INTERVAL_ONE:
    case D3DPRESENT_INTERVAL_IMMEDIATE:
        return true;
    default:
        return false; /* D3DCAPS9.PresentationIntervals has no others */
    }
}

static bool params_are_valid(const D3DPRESENT_PARAMETERS *p, bool is_ex)
{
    return effect_is_valid(p, is_ex) && interval_is_valid(p->PresentationInterval) &&
           p->BackBufferCount <= (is_ex ? D3DPRESENT_BACK_BUFFERS_MAX_EX : D3DPRESENT_BACK_BUFFERS_MAX);
}

static void complete(D3DPRESENT_PARAMETERS *p, HWND focus, D3DFORMAT display)
{
    RECT client;

    if (!p->BackBufferCount)
        p->BackBufferCount = 1;
    if (!p->Windowed)
        return;
    if (p->BackBufferFormat == D3DFMT_UNKNOWN)
        p->BackBufferFormat = display;
    if (p->BackBufferWidth && p->BackBufferHeight)
        return;
    if (!GetClientRect(p->hDeviceWindow ? p->hDeviceWindow : focus, &client))
        SetRect(&client, 0, 0, 0, 0);
    if (!p->BackBufferWidth)
        p->BackBufferWidth = client.right > 0 ? (UINT)client.right : 8;
    if (!p->BackBufferHeight)
        p->BackBufferHeight = client.bottom > 0 ? (UINT)client.bottom : 8;
}

/* --- what the driver and the screen can do ------------------------------------------------------ */

static bool samples_are_valid(const struct rt_adapter *adapter, D3DFORMAT format, const D3DPRESENT_PARAMETERS *p)
{
    uint32_t qualities = 1;

    if (p->MultiSampleType == D3DMULTISAMPLE_NONE)
        return true;
    return SUCCEEDED(rt_check_multisample(adapter, format, p->MultiSampleType, &qualities)) &&
           p->MultiSampleQuality < qualities;
}

static bool size_is_valid(const struct rt_adapter *adapter, const D3DPRESENT_PARAMETERS *p)
{
    const D3DCAPS8 *caps = rt_adapter_caps(adapter);

    return p->BackBufferWidth <= caps->MaxTextureWidth && p->BackBufferHeight <= caps->MaxTextureHeight;
}

/* Checked before a Reset frees anything. */
static HRESULT check_formats(struct d3d9 *d3d, UINT adapter, const D3DPRESENT_PARAMETERS *p, D3DFORMAT display)
{
    HRESULT hr =
        IDirect3D9Ex_CheckDeviceType(&d3d->iface, adapter, D3DDEVTYPE_HAL, display, p->BackBufferFormat, p->Windowed);

    if (FAILED(hr))
        return hr;
    if (!size_is_valid(d3d->adapter, p))
        return D3DERR_INVALIDCALL;
    if (!samples_are_valid(d3d->adapter, p->BackBufferFormat, p))
        return D3DERR_INVALIDCALL;
    if (!p->EnableAutoDepthStencil)
        return D3D_OK;
    if (!samples_are_valid(d3d->adapter, p->AutoDepthStencilFormat, p))
        return D3DERR_INVALIDCALL;
    hr = rt_check_depth_match(d3d->adapter, display, p->BackBufferFormat, p->AutoDepthStencilFormat);
    return FAILED(hr) ? D3DERR_INVALIDCALL : D3D_OK;
}

static bool screen_has_mode(const struct d3d9 *d3d, UINT adapter, const D3DPRESENT_PARAMETERS *p)
{
    const int display = d3d9_display_of(d3d, adapter);

    return display >= 0 && p->BackBufferWidth && p->BackBufferHeight &&
           rt_mode_exists((unsigned)display, p->BackBufferWidth, p->BackBufferHeight,
                          rt_format_without_alpha(p->BackBufferFormat));
}

static bool mode_fits(const D3DPRESENT_PARAMETERS *p, const D3DDISPLAYMODEEX *mode)
{
    return !mode || (mode->Width == p->BackBufferWidth && mode->Height == p->BackBufferHeight);
}

HRESULT d3d9_check_device_params(struct d3d9 *d3d, UINT adapter, HWND focus, D3DPRESENT_PARAMETERS *p,
                                 const D3DDISPLAYMODEEX *mode, D3DFORMAT *display)
{
    D3DDISPLAYMODE current;

    if (!params_are_valid(p, d3d->is_ex))
        return D3DERR_INVALIDCALL;
    if (FAILED(IDirect3D9Ex_GetAdapterDisplayMode(&d3d->iface, adapter, &current)))
        return D3DERR_NOTAVAILABLE;
    *display = p->Windowed ? current.Format : (D3DFORMAT)rt_format_without_alpha(p->BackBufferFormat);
    if (!p->Windowed && (!screen_has_mode(d3d, adapter, p) || !mode_fits(p, mode)))
        return D3DERR_INVALIDCALL;
    complete(p, focus, *display);
    return check_formats(d3d, adapter, p, *display);
}

HRESULT d3d9_check_chain_params(const struct rt_device *device, D3DPRESENT_PARAMETERS *p)
{
    if (!p->Windowed || device->frame->fullscreen.active || !params_are_valid(p, device->api->is_ex))
        return D3DERR_INVALIDCALL;
    complete(p, device->creation.hFocusWindow, (D3DFORMAT)device->frame->display_format);
    return check_formats((struct d3d9 *)device->parent, device->creation.AdapterOrdinal, p,
                         (D3DFORMAT)device->frame->display_format);
}

/* --- in and out ------------------------------------------------------------------------------------ */

struct rt_present_params d3d9_take_params(const D3DPRESENT_PARAMETERS *p)
{
    return (struct rt_present_params){
        .width = p->BackBufferWidth,
        .height = p->BackBufferHeight,
        .format = p->BackBufferFormat,
        .count = p->BackBufferCount,
        .samples = p->MultiSampleType,
        .quality = p->MultiSampleQuality,
        .effect = (enum rt_swap_effect)p->SwapEffect,
        .window = p->hDeviceWindow,
        .windowed = p->Windowed,
        .auto_depth = p->EnableAutoDepthStencil,
        .depth_format = p->AutoDepthStencilFormat,
        .flags = p->Flags,
        .refresh = p->FullScreen_RefreshRateInHz,
        .interval = p->PresentationInterval,
    };
}

void d3d9_give_params(const struct rt_present_params *from, D3DPRESENT_PARAMETERS *p)
{
    *p = (D3DPRESENT_PARAMETERS){
        .BackBufferWidth = from->width,
        .BackBufferHeight = from->height,
        .BackBufferFormat = (D3DFORMAT)from->format,
        .BackBufferCount = from->count,
        .MultiSampleType = (D3DMULTISAMPLE_TYPE)from->samples,
        .MultiSampleQuality = from->quality,
        .SwapEffect = (D3DSWAPEFFECT)from->effect,
        .hDeviceWindow = from->window,
        .Windowed = from->windowed,
        .EnableAutoDepthStencil = from->auto_depth,
        .AutoDepthStencilFormat = (D3DFORMAT)from->depth_format,
        .Flags = from->flags,
        .FullScreen_RefreshRateInHz = from->refresh,
        .PresentationInterval = from->interval,
    };
}
