/* SPDX-License-Identifier: MIT */
/* The entry point, and the tables of callbacks that it fills in. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <string.h>

static DWORD PASCAL destroy_driver(LPDDHAL_DESTROYDRIVERDATA data)
{
    bridge_enter();
    if (bridge_is_last_user())
        bridge_close_all();
    bridge_close_adapter();
    data->ddRVal = DD_OK;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

static DWORD PASCAL set_exclusive_mode(LPDDHAL_SETEXCLUSIVEMODEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

static DWORD PASCAL flip_to_gdi(LPDDHAL_FLIPTOGDISURFACEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

static DWORD PASCAL can_create_buffer(LPDDHAL_CANCREATESURFACEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

static DDHAL_DDCALLBACKS dd_callbacks = {
    .dwSize = sizeof(dd_callbacks),
    .dwFlags = DDHAL_CB32_DESTROYDRIVER | DDHAL_CB32_CREATESURFACE | DDHAL_CB32_CANCREATESURFACE |
               DDHAL_CB32_SETEXCLUSIVEMODE | DDHAL_CB32_FLIPTOGDISURFACE,
    .DestroyDriver = destroy_driver,
    .CreateSurface = bridge_create_surface,
    .CanCreateSurface = bridge_can_create_surface,
    .SetExclusiveMode = set_exclusive_mode,
    .FlipToGDISurface = flip_to_gdi,
};

static DDHAL_DDSURFACECALLBACKS surface_callbacks = {
    .dwSize = sizeof(surface_callbacks),
    .dwFlags = DDHAL_SURFCB32_DESTROYSURFACE | DDHAL_SURFCB32_FLIP | DDHAL_SURFCB32_LOCK | DDHAL_SURFCB32_UNLOCK |
               DDHAL_SURFCB32_BLT | DDHAL_SURFCB32_SETCOLORKEY | DDHAL_SURFCB32_ADDATTACHEDSURFACE |
               DDHAL_SURFCB32_GETBLTSTATUS | DDHAL_SURFCB32_GETFLIPSTATUS,
    .DestroySurface = bridge_destroy_surface,
    .Flip = bridge_flip,
    .Lock = bridge_lock,
    .Unlock = bridge_unlock,
    .Blt = bridge_blt,
    .SetColorKey = bridge_set_color_key,
    .AddAttachedSurface = bridge_add_attached,
    .GetBltStatus = bridge_get_blt_status,
    .GetFlipStatus = bridge_get_flip_status,
};

static DDHAL_DDEXEBUFCALLBACKS buffer_callbacks = {
    .dwSize = sizeof(buffer_callbacks),
    .dwFlags = DDHAL_EXEBUFCB32_CANCREATEEXEBUF | DDHAL_EXEBUFCB32_CREATEEXEBUF | DDHAL_EXEBUFCB32_DESTROYEXEBUF |
               DDHAL_EXEBUFCB32_LOCKEXEBUF | DDHAL_EXEBUFCB32_UNLOCKEXEBUF,
    .CanCreateExecuteBuffer = can_create_buffer,
    .CreateExecuteBuffer = bridge_create_buffer,
    .DestroyExecuteBuffer = bridge_destroy_surface,
    .LockExecuteBuffer = bridge_lock,
    .UnlockExecuteBuffer = bridge_unlock,
};

static D3DHAL_CALLBACKS d3d_callbacks = {
    .dwSize = sizeof(d3d_callbacks),
    .ContextCreate = bridge_context_create,
    .ContextDestroy = bridge_context_destroy,
    .ContextDestroyAll = bridge_context_destroy_all,
    .SceneCapture = bridge_scene_capture,
};

static void fill_info(DDHALINFO *info)
{
    memset(info, 0, sizeof(*info));
    info->dwSize = sizeof(*info);
    info->lpDDCallbacks = &dd_callbacks;
    info->lpDDSurfaceCallbacks = &surface_callbacks;
    info->lpDDExeBufCallbacks = &buffer_callbacks;
    info->vmiData.dwOffscreenAlign = 16;
    info->vmiData.dwTextureAlign = 16;
    info->vmiData.dwZBufferAlign = 16;
    bridge_ddraw_caps(info);
    info->GetDriverInfo = bridge_get_driver_info;
    info->dwFlags = DDHALINFO_ISPRIMARYDISPLAY | DDHALINFO_GETDRIVERINFOSET | DDHALINFO_GETDRIVERINFO2;
    info->lpD3DGlobalDriverData = (ULONG_PTR)bridge_global_data();
    info->lpD3DHALCallbacks = (ULONG_PTR)&d3d_callbacks;
}

HRESULT WINAPI client_umd_init(DWORD version, DDHALINFO *info)
{
    DDHALINFO filled;
    HRESULT hr;

    if (version != HALCYON_DDI_VERSION || !info || info->dwSize < sizeof(info->dwSize))
        return DDERR_INVALIDPARAMS;
    bridge_enter();
    hr = bridge_open_adapter();
    if (SUCCEEDED(hr)) {
        fill_info(&filled);
        filled.dwSize = (DWORD)BASE_MIN((size_t)info->dwSize, sizeof(filled));
        memcpy(info, &filled, filled.dwSize);
    }
    bridge_leave();
    return hr;
}

static HALCYONDRIVERINIT choose(void (*function)(void))
{
    PFND3DDDI_OPENADAPTER open;

    memcpy(&open, &function, sizeof(open));
    client_umd_choose(open);
    return client_umd_init;
}

HRESULT client_umd_load(struct client_driver *driver, const char *library)
{
    return client_driver_load_as(driver, library, "OpenAdapter", choose);
}

HALCYONDRIVERINIT client_umd_or(HALCYONDRIVERINIT dx9, PFND3DDDI_OPENADAPTER umd)
{
    if (strcmp(config_string("ddi"), "umd"))
        return dx9;
    client_umd_choose(umd);
    return client_umd_init;
}
