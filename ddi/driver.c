/* SPDX-License-Identifier: MIT */
/*
 * The exported init call and the callback tables that it returns. Order of the tables: docs/reference/driver-calls.md,
 * section 1; the callbacks that a DirectX 8 runtime requires: section 3.
 */
#include "ddi/entry.h"

#include <stdlib.h>
#include <string.h>

#include "ddi/call_log.h"
#include "ddi/record/record.h"

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* --- small callbacks of the DirectDraw object --------------------------------------------- */

static void stop_recording(void)
{
    if (ddi_root.recorder)
        record_stop(ddi_root.recorder);
}

/* Surfaces that were never destroyed keep the root alive: their owner may still destroy them. */
static void close_root(void)
{
    stop_recording();
    ddi_root.parse_unknown = NULL;
    if (hal_driver_destroy(ddi_root.driver))
        ddi_root.driver = NULL;
}

static DWORD PASCAL destroy_driver(LPDDHAL_DESTROYDRIVERDATA data)
{
    DDI_ENTER();
    if (ddi_root.users && --ddi_root.users == 0)
        close_root();
    data->ddRVal = DD_OK;
    DDI_LOG(DD_OK, "DestroyDriver");
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- tables -------------------------------------------------------------------------------- */

static DDHAL_DDCALLBACKS dd_callbacks = {
    .dwSize = sizeof(dd_callbacks),
    .dwFlags = DDHAL_CB32_DESTROYDRIVER | DDHAL_CB32_CREATESURFACE | DDHAL_CB32_SETMODE |
               DDHAL_CB32_WAITFORVERTICALBLANK | DDHAL_CB32_CANCREATESURFACE | DDHAL_CB32_GETSCANLINE |
               DDHAL_CB32_CREATEPALETTE | DDHAL_CB32_SETEXCLUSIVEMODE | DDHAL_CB32_FLIPTOGDISURFACE,
    .DestroyDriver = destroy_driver,
    .CreateSurface = ddi_create_surface,
    .SetMode = ddi_set_mode,
    .WaitForVerticalBlank = ddi_wait_for_vertical_blank,
    .CanCreateSurface = ddi_can_create_surface,
    .CreatePalette = ddi_create_palette,
    .GetScanLine = ddi_get_scan_line,
    .SetExclusiveMode = ddi_set_exclusive_mode,
    .FlipToGDISurface = ddi_flip_to_gdi,
};

static DDHAL_DDSURFACECALLBACKS surface_callbacks = {
    .dwSize = sizeof(surface_callbacks),
    .dwFlags = DDHAL_SURFCB32_DESTROYSURFACE | DDHAL_SURFCB32_FLIP | DDHAL_SURFCB32_SETCLIPLIST | DDHAL_SURFCB32_LOCK |
               DDHAL_SURFCB32_UNLOCK | DDHAL_SURFCB32_BLT | DDHAL_SURFCB32_SETCOLORKEY |
               DDHAL_SURFCB32_ADDATTACHEDSURFACE | DDHAL_SURFCB32_GETBLTSTATUS | DDHAL_SURFCB32_GETFLIPSTATUS |
               DDHAL_SURFCB32_SETPALETTE,
    .DestroySurface = ddi_destroy_surface,
    .Flip = ddi_flip,
    .SetClipList = ddi_set_clip_list,
    .Lock = ddi_lock,
    .Unlock = ddi_unlock,
    .Blt = ddi_blt,
    .SetColorKey = ddi_set_color_key,
    .AddAttachedSurface = ddi_add_attached,
    .GetBltStatus = ddi_get_blt_status,
    .GetFlipStatus = ddi_get_flip_status,
    .SetPalette = ddi_set_palette,
};

static DDHAL_DDPALETTECALLBACKS palette_callbacks = {
    .dwSize = sizeof(palette_callbacks),
    .dwFlags = DDHAL_PALCB32_DESTROYPALETTE | DDHAL_PALCB32_SETENTRIES,
    .DestroyPalette = ddi_destroy_palette,
    .SetEntries = ddi_set_entries,
};

static DDHAL_DDEXEBUFCALLBACKS buffer_callbacks = {
    .dwSize = sizeof(buffer_callbacks),
    .dwFlags = DDHAL_EXEBUFCB32_CANCREATEEXEBUF | DDHAL_EXEBUFCB32_CREATEEXEBUF | DDHAL_EXEBUFCB32_DESTROYEXEBUF |
               DDHAL_EXEBUFCB32_LOCKEXEBUF | DDHAL_EXEBUFCB32_UNLOCKEXEBUF,
    .CanCreateExecuteBuffer = ddi_can_create_buffer,
    .CreateExecuteBuffer = ddi_create_buffer,
    .DestroyExecuteBuffer = ddi_destroy_surface,
    .LockExecuteBuffer = ddi_lock_buffer,
    .UnlockExecuteBuffer = ddi_unlock_buffer,
};

static D3DHAL_CALLBACKS d3d_callbacks = {
    .dwSize = sizeof(d3d_callbacks),
    .ContextCreate = ddi_context_create,
    .ContextDestroy = ddi_context_destroy,
    .ContextDestroyAll = ddi_context_destroy_all,
    .SceneCapture = ddi_scene_capture,
};

/* --- init ----------------------------------------------------------------------------------- */

static void fill_global_data(void)
{
    D3DHAL_GLOBALDRIVERDATA *global = &ddi_root.global_data;
    unsigned count = caps_texture_descs(ddi_root.texture_formats, DDI_MAX_TEXTURE_FORMATS);
    memset(global, 0, sizeof(*global));
    global->dwSize = sizeof(*global);
    caps_device_desc(&global->hwCaps);
    /* dwNumVertices and dwNumClipVertices are the runtime's: 0. */
    global->dwNumTextureFormats = BASE_MIN(count, DDI_MAX_TEXTURE_FORMATS);
    global->lpTextureFormats = ddi_root.texture_formats;
}

static void fill_info(DDHALINFO *info)
{
    const struct caps_format *mode = caps_find_format(D3DFMT_X8R8G8B8);
    memset(info, 0, sizeof(*info));
    info->dwSize = sizeof(*info);
    info->lpDDCallbacks = &dd_callbacks;
    info->lpDDSurfaceCallbacks = &surface_callbacks;
    info->lpDDPaletteCallbacks = &palette_callbacks;
    info->lpDDExeBufCallbacks = &buffer_callbacks;
    info->vmiData.ddpfDisplay = mode->legacy;
    info->vmiData.dwOffscreenAlign = 16;
    info->vmiData.dwTextureAlign = 16;
    info->vmiData.dwZBufferAlign = 16;
    caps_ddraw(&info->ddCaps);
    info->ddCaps.dwNumFourCCCodes = BASE_MIN(caps_fourccs(ddi_root.fourccs, DDI_MAX_FOURCCS), DDI_MAX_FOURCCS);
    info->lpdwFourCC = ddi_root.fourccs;
    info->GetDriverInfo = ddi_get_driver_info;
    info->dwFlags = DDHALINFO_ISPRIMARYDISPLAY | DDHALINFO_GETDRIVERINFOSET;
    if (caps_level() >= CAPS_DX8)
        info->dwFlags |= DDHALINFO_GETDRIVERINFO2;
    info->lpD3DGlobalDriverData = (ULONG_PTR)&ddi_root.global_data;
    info->lpD3DHALCallbacks = (ULONG_PTR)&d3d_callbacks;
}

/* Once a process. */
static void start_recording(enum record_interface caller)
{
    if (ddi_root.recorder)
        return;
    ddi_root.recorder = record_start(ddi_root.record_path, caller);
    if (ddi_root.recorder)
        atexit(stop_recording);
}

static HRESULT check_caller(DWORD version, const DDHALINFO *info)
{
    if (version != HALCYON_DDI_VERSION) {
        log_error("HalcyonDriverInit: the caller speaks interface version %u, this driver %u", (unsigned)version,
                  HALCYON_DDI_VERSION);
        return DDERR_INVALIDPARAMS;
    }
    if (!info || info->dwSize < sizeof(info->dwSize)) {
        log_error("HalcyonDriverInit: no room for the answer");
        return DDERR_INVALIDPARAMS;
    }
    return DD_OK;
}

static HRESULT init(DWORD version, DDHALINFO *info, enum record_interface caller)
{
    DDHALINFO filled;
    HRESULT hr;
    DDI_ENTER();
    base_init("halcyon");
    hr = check_caller(version, info);
    if (FAILED(hr))
        goto done;
    if (!ddi_root.driver) {
        ddi_root.driver = hal_driver_create();
        if (!ddi_root.driver) {
            hr = DDERR_OUTOFMEMORY;
            goto done;
        }
        fill_global_data();
    }
    if (!ddi_root.users)
        ddi_root.interfaces = 0;
    ddi_root.interfaces |= caller;
    if (!ddi_root.users++)
        start_recording(caller);
    record_caller(ddi_root.recorder, caller);
    fill_info(&filled);
    filled.dwSize = (DWORD)BASE_MIN((size_t)info->dwSize, sizeof(filled));
    memcpy(info, &filled, filled.dwSize);
done:
    DDI_LOG(hr, "%s version %u", caller == RECORD_WDDM ? "HalcyonUserModeInit" : "HalcyonDriverInit",
            (unsigned)version);
    DDI_LEAVE();
    return hr;
}

EXPORTED HRESULT WINAPI HalcyonDriverInit(DWORD version, DDHALINFO *info)
{
    return init(version, info, RECORD_DIRECTX_DDI);
}

HRESULT WINAPI HalcyonUserModeInit(DWORD version, DDHALINFO *info)
{
    return init(version, info, RECORD_WDDM);
}
