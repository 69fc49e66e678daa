/* SPDX-License-Identifier: MIT */
/* Methods that only IDirect3D9Ex has. */
#include <string.h>

#include "runtime/d3d9/direct3d.h"

/* --- modes ------------------------------------------------------------------------------- */

/* Modes are progressive. False: no mode can pass the filter. */
static bool filter_format(const D3DDISPLAYMODEFILTER *filter, uint32_t *format)
{
    *format = filter ? (uint32_t)filter->Format : D3DFMT_UNKNOWN;
    if (!filter)
        return true;
    return filter->Size == sizeof(*filter) && filter->ScanLineOrdering != D3DSCANLINEORDERING_INTERLACED &&
           (filter->Format == D3DFMT_UNKNOWN || d3d9_is_mode_format(filter->Format));
}

static void extend_mode(D3DDISPLAYMODEEX *out, const D3DDISPLAYMODE *mode)
{
    out->Width = mode->Width;
    out->Height = mode->Height;
    out->RefreshRate = mode->RefreshRate;
    out->Format = mode->Format;
    out->ScanLineOrdering = D3DSCANLINEORDERING_PROGRESSIVE;
}

UINT WINAPI d3d9_GetAdapterModeCountEx(IDirect3D9Ex *iface, UINT adapter, const D3DDISPLAYMODEFILTER *filter)
{
    struct d3d9 *d3d = d3d9_of(iface);
    const int display = d3d9_display_of(d3d, adapter);
    uint32_t format;

    return display < 0 || !filter_format(filter, &format) ? 0 : rt_modes_count(&d3d->modes, (unsigned)display, format);
}

HRESULT WINAPI d3d9_EnumAdapterModesEx(IDirect3D9Ex *iface, UINT adapter, const D3DDISPLAYMODEFILTER *filter,
                                       UINT index, D3DDISPLAYMODEEX *mode)
{
    struct d3d9 *d3d = d3d9_of(iface);
    const int display = d3d9_display_of(d3d, adapter);
    D3DDISPLAYMODE found;
    uint32_t format;

    if (display < 0 || !mode || mode->Size != sizeof(*mode) || !filter_format(filter, &format) ||
        !rt_modes_find(&d3d->modes, (unsigned)display, format, index, &found))
        return D3DERR_INVALIDCALL;
    extend_mode(mode, &found);
    return D3D_OK;
}

/* The rotation of the display; width and height of the current mode are those of the rotated picture. */
static void read_orientation(unsigned display, D3DDISPLAYMODEEX *mode, D3DDISPLAYROTATION *rotation)
{
    DEVMODEW dm = {.dmSize = sizeof(dm)};
    WCHAR name[32];

    if (rotation)
        *rotation = D3DDISPLAYROTATION_IDENTITY;
    if (!rt_display_name(display, name) || !EnumDisplaySettingsExW(name, ENUM_CURRENT_SETTINGS, &dm, EDS_ROTATEDMODE))
        return;
    if (rotation && dm.dmFields & DM_DISPLAYORIENTATION && dm.dmDisplayOrientation <= DMDO_270)
        *rotation = (D3DDISPLAYROTATION)(D3DDISPLAYROTATION_IDENTITY + dm.dmDisplayOrientation);
    if (dm.dmFields & DM_DISPLAYFLAGS && dm.dmDisplayFlags & DM_INTERLACED)
        mode->ScanLineOrdering = D3DSCANLINEORDERING_INTERLACED;
}

HRESULT d3d9_current_mode_ex(const struct d3d9 *d3d, UINT adapter, D3DDISPLAYMODEEX *mode, D3DDISPLAYROTATION *rotation)
{
    const int display = d3d9_display_of(d3d, adapter);
    D3DDISPLAYMODE current;

    if (mode->Size != sizeof(*mode) || display < 0 || !rt_mode_current((unsigned)display, &current))
        return D3DERR_INVALIDCALL;
    extend_mode(mode, &current);
    read_orientation((unsigned)display, mode, rotation);
    return D3D_OK;
}

HRESULT WINAPI d3d9_GetAdapterDisplayModeEx(IDirect3D9Ex *iface, UINT adapter, D3DDISPLAYMODEEX *mode,
                                            D3DDISPLAYROTATION *rotation)
{
    return mode ? d3d9_current_mode_ex(d3d9_of(iface), adapter, mode, rotation) : D3DERR_INVALIDCALL;
}

/* --- devices ------------------------------------------------------------------------------- */

static bool mode_is_right(const D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode)
{
    if (params->Windowed || !mode)
        return params->Windowed && !mode;
    return mode->Size == sizeof(*mode) && mode->Width == params->BackBufferWidth &&
           mode->Height == params->BackBufferHeight;
}

HRESULT WINAPI d3d9_CreateDeviceEx(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                                   D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode, IDirect3DDevice9Ex **out)
{
    struct d3d9_device *device = NULL;
    struct d3d9 *d3d = d3d9_of(iface);
    HRESULT hr;

    if (!params || !out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = d3d9_check_device(d3d, adapter, type);
    if (SUCCEEDED(hr) && !mode_is_right(params, mode))
        hr = D3DERR_INVALIDCALL;
    if (SUCCEEDED(hr))
        hr = d3d9_device_create(d3d, adapter, type, focus, flags, params, mode, &device);
    if (SUCCEEDED(hr))
        *out = (IDirect3DDevice9Ex *)device;
    return hr;
}

/* All displays belong to one adapter: a driver without hardware cannot tell two apart. */
HRESULT WINAPI d3d9_GetAdapterLUID(IDirect3D9Ex *iface, UINT adapter, LUID *luid)
{
    if (adapter >= d3d9_of(iface)->display_count || !luid)
        return D3DERR_INVALIDCALL;
    luid->LowPart = MAKEFOURCC('H', 'A', 'L', 'C');
    luid->HighPart = 0;
    return D3D_OK;
}
