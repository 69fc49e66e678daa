/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: what can be asked of it, gamma, and the cursor. */
#include "runtime/d3d8/device_methods.h"

/* --- queries --------------------------------------------------------------------------- */

UINT WINAPI d3d8_device_GetAvailableTextureMem(IDirect3DDevice8 *iface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    /* to the nearest megabyte, as documented */
    return (rt_link_available_memory(device->link) + 0x80000u) & ~0xfffffu;
}

HRESULT WINAPI d3d8_device_ResourceManagerDiscardBytes(IDirect3DDevice8 *iface, DWORD bytes)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    d3d8_textures_discard(device, bytes);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetDirect3D(IDirect3DDevice8 *iface, IDirect3D8 **d3d)
{
    if (!d3d)
        return D3DERR_INVALIDCALL;
    *d3d = &d3d8_device_of(iface)->parent->iface;
    IDirect3D8_AddRef(*d3d);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetDeviceCaps(IDirect3DDevice8 *iface, D3DCAPS8 *caps)
{
    if (!caps)
        return D3DERR_INVALIDCALL;
    *caps = d3d8_device_of(iface)->caps;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetDisplayMode(IDirect3DDevice8 *iface, D3DDISPLAYMODE *mode)
{
    struct d3d8_device *device = d3d8_device_of(iface);

    if (!mode || !rt_mode_current(device->creation.AdapterOrdinal, mode))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetCreationParameters(IDirect3DDevice8 *iface, D3DDEVICE_CREATION_PARAMETERS *params)
{
    if (!params)
        return D3DERR_INVALIDCALL;
    *params = d3d8_device_of(iface)->creation;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetRasterStatus(IDirect3DDevice8 *iface, D3DRASTER_STATUS *status)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    D3DDISPLAYMODE mode;
    double position;

    if (!status)
        return D3DERR_INVALIDCALL;
    rt_mode_current(device->creation.AdapterOrdinal, &mode);
    /* No screen to ask: a 60 Hz beam with 5% of blank lines, from the clock. */
    position = clock_seconds() * 60.0;
    position -= (double)(long long)position;
    status->ScanLine = (UINT)(position * mode.Height * 1.05);
    status->InVBlank = status->ScanLine >= mode.Height;
    if (status->InVBlank)
        status->ScanLine = 0;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetInfo(IDirect3DDevice8 *iface, DWORD id, void *data, DWORD size)
{
    (void)iface;
    if (id < 4)
        return E_FAIL;
    if (data && size)
        memset(data, 0, size);
    return S_FALSE;
}

HRESULT WINAPI d3d8_device_ValidateDevice(IDirect3DDevice8 *iface, DWORD *passes)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!passes)
        return D3DERR_INVALIDCALL;
    return rt_link_validate(device->link, passes);
}

void WINAPI d3d8_device_SetGammaRamp(IDirect3DDevice8 *iface, DWORD flags, const D3DGAMMARAMP *ramp)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    (void)flags; /* nothing to calibrate */
    if (ramp)
        d3d8_device_of(iface)->gamma = *ramp;
}

void WINAPI d3d8_device_GetGammaRamp(IDirect3DDevice8 *iface, D3DGAMMARAMP *ramp)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (ramp)
        *ramp = d3d8_device_of(iface)->gamma;
}

/* --- cursor ---------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetCursorProperties(IDirect3DDevice8 *iface, UINT x, UINT y, IDirect3DSurface8 *bitmap)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_surface *surface = d3d8_surface_of(bitmap);
    D3DDISPLAYMODE mode;
    D3DLOCKED_RECT locked;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!surface || surface->desc.Format != D3DFMT_A8R8G8B8 || (surface->desc.Width & (surface->desc.Width - 1)) ||
        (surface->desc.Height & (surface->desc.Height - 1)))
        return D3DERR_INVALIDCALL;
    rt_mode_current(device->creation.AdapterOrdinal, &mode);
    if (surface->desc.Width > mode.Width || surface->desc.Height > mode.Height || x >= surface->desc.Width ||
        y >= surface->desc.Height)
        return D3DERR_INVALIDCALL;
    hr = d3d8_surface_lock(surface, &locked, NULL, D3DLOCK_READONLY);
    if (FAILED(hr))
        return hr;
    rt_cursor_set(&device->cursor, x, y, surface->desc.Width, surface->desc.Height, locked.pBits, (size_t)locked.Pitch);
    d3d8_surface_unlock(surface);
    return D3D_OK;
}

void WINAPI d3d8_device_SetCursorPosition(IDirect3DDevice8 *iface, UINT x, UINT y, DWORD flags)
{
    POINT now;

    (void)iface;
    (void)flags; /* D3DCURSOR_IMMEDIATE_UPDATE or not: it always is */
    if (GetCursorPos(&now) && now.x == (LONG)x && now.y == (LONG)y)
        return;
    SetCursorPos((int)x, (int)y);
}

BOOL WINAPI d3d8_device_ShowCursor(IDirect3DDevice8 *iface, BOOL show)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    return rt_cursor_show(&device->cursor, show);
}
