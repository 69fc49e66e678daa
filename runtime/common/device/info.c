/* SPDX-License-Identifier: MIT */
/* Queries of a device, and the cursor. */
#include "runtime/common/device/device.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/frame.h"

/* --- queries --------------------------------------------------------------------------- */

UINT WINAPI rt_device_GetAvailableTextureMem(void *iface)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    uint32_t total, free;

    rt_link_texture_memory(device->link, &total, &free);
    /* to the nearest megabyte, as documented */
    return ((device->api->reports_virtual_memory ? total : free) + 0x80000u) & ~0xfffffu;
}

HRESULT rt_device_display_mode(const struct rt_device *device, D3DDISPLAYMODE *mode)
{
    if (!mode || !rt_fullscreen_mode(&device->frame->fullscreen, device->creation.AdapterOrdinal, mode))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

HRESULT WINAPI rt_device_GetCreationParameters(void *iface, D3DDEVICE_CREATION_PARAMETERS *params)
{
    if (!params)
        return D3DERR_INVALIDCALL;
    *params = rt_device_of(iface)->creation;
    return D3D_OK;
}

HRESULT rt_device_raster_status(const struct rt_device *device, D3DRASTER_STATUS *status)
{
    D3DDISPLAYMODE mode;
    double position;

    if (!status)
        return D3DERR_INVALIDCALL;
    rt_fullscreen_mode(&device->frame->fullscreen, device->creation.AdapterOrdinal, &mode);
    /* No screen to ask: a 60 Hz beam with 5% of blank lines, from the clock. */
    position = clock_seconds() * 60.0;
    position -= (double)(long long)position;
    status->ScanLine = (UINT)(position * mode.Height * 1.05);
    status->InVBlank = status->ScanLine >= mode.Height;
    if (status->InVBlank)
        status->ScanLine = 0;
    return D3D_OK;
}

HRESULT WINAPI rt_device_ValidateDevice(void *iface, DWORD *passes)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    if (!passes)
        return D3DERR_INVALIDCALL;
    return rt_link_validate(device->link, passes);
}

/* --- cursor ---------------------------------------------------------------------------- */

HRESULT WINAPI rt_device_SetCursorProperties(void *iface, UINT x, UINT y, void *bitmap)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_surface *surface = rt_surface_of(bitmap);
    D3DDISPLAYMODE mode;
    D3DLOCKED_RECT locked;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!surface || surface->desc.format != D3DFMT_A8R8G8B8 || (surface->desc.width & (surface->desc.width - 1)) ||
        (surface->desc.height & (surface->desc.height - 1)))
        return D3DERR_INVALIDCALL;
    rt_fullscreen_mode(&device->frame->fullscreen, device->creation.AdapterOrdinal, &mode);
    if (surface->desc.width > mode.Width || surface->desc.height > mode.Height || x >= surface->desc.width ||
        y >= surface->desc.height)
        return D3DERR_INVALIDCALL;
    hr = rt_surface_lock(surface, &locked, NULL, D3DLOCK_READONLY);
    if (FAILED(hr))
        return hr;
    rt_cursor_set(&device->frame->cursor, x, y, surface->desc.width, surface->desc.height, locked.pBits,
                  (size_t)locked.Pitch);
    rt_surface_unlock(surface);
    return D3D_OK;
}

void WINAPI rt_device_SetCursorPosition(void *iface, int x, int y, DWORD flags)
{
    const POINT at = rt_fullscreen_position(&rt_device_of(iface)->frame->fullscreen, (POINT){x, y});
    POINT now;

    (void)flags; /* D3DCURSOR_IMMEDIATE_UPDATE or not: it always is */
    if (GetCursorPos(&now) && now.x == at.x && now.y == at.y)
        return;
    SetCursorPos(at.x, at.y);
}

BOOL WINAPI rt_device_ShowCursor(void *iface, BOOL show)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return rt_cursor_show(&device->frame->cursor, show);
}
