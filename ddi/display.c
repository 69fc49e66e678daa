/* SPDX-License-Identifier: MIT */
/*
 * Calls about the screen. The driver shows nothing: the runtime does, in a window, so modes and the time of the vertical
 * blank are the runtime's, and the driver says so with an error. Nothing of GDI is on its surfaces.
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"

/* DDHALINFO lists no modes: no index is one of them. */
DWORD PASCAL ddi_set_mode(LPDDHAL_SETMODEDATA data)
{
    data->ddRVal = DDERR_INVALIDMODE;
    DDI_LOG(data->ddRVal, "SetMode %u", (unsigned)data->dwModeIndex);
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_wait_for_vertical_blank(LPDDHAL_WAITFORVERTICALBLANKDATA data)
{
    data->bIsInVB = FALSE;
    data->ddRVal = DDERR_UNSUPPORTED;
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_get_scan_line(LPDDHAL_GETSCANLINEDATA data)
{
    data->dwScanLine = 0;
    data->ddRVal = DDERR_UNSUPPORTED;
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_set_exclusive_mode(LPDDHAL_SETEXCLUSIVEMODEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL ddi_flip_to_gdi(LPDDHAL_FLIPTOGDISURFACEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

/* Clip lists come with each Blt. */
DWORD PASCAL ddi_set_clip_list(LPDDHAL_SETCLIPLISTDATA data)
{
    DDI_ENTER();
    data->ddRVal = hal_surface_from_lcl(data->lpDDSurface) ? DD_OK : DDERR_INVALIDOBJECT;
    DDI_LOG(data->ddRVal, "SetClipList of handle %u", ddi_log_handle(data->lpDDSurface));
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
