/* SPDX-License-Identifier: MIT */
/*
 * The log of calls: the names of requests and results.
 */
#include "ddi/call_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "d3d/driver_info.h"
#include "d3d/guids.h"
#include "d3d/wddm2.h"

void ddi_log_call(HRESULT result, const char *format, ...)
{
    char text[256], answer[16] = "DD_OK";
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (result != DD_OK)
        snprintf(answer, sizeof(answer), "%#x", (unsigned)result);
    log_debug("DDI: %s: %s", text, answer);
}

const char *ddi_guid_name(const GUID *guid, char buffer[DDI_GUID_NAME])
{
    static const struct {
        const GUID *guid;
        const char *name;
    } names[] = {
        {&DDI_GUID_D3D_CALLBACKS2, "D3DCallbacks2"},
        {&DDI_GUID_D3D_CALLBACKS3, "D3DCallbacks3"},
        {&DDI_GUID_D3D_EXTENDED_CAPS, "D3DExtendedCaps"},
        {&DDI_GUID_Z_PIXEL_FORMATS, "ZPixelFormats"},
        {&DDI_GUID_MISCELLANEOUS, "MiscellaneousCallbacks"},
        {&DDI_GUID_MISCELLANEOUS2, "Miscellaneous2Callbacks"},
        {&DDI_GUID_MORE_SURFACE_CAPS, "DDMoreSurfaceCaps"},
        {&DDI_GUID_NONLOCAL_CAPS, "NonLocalVidMemCaps"},
        {&DDI_GUID_D3D_PARSE_UNKNOWN, "D3DParseUnknownCommandCallback"},
        {&DDI_GUID_GET_DRIVER_INFO2, "DDStereoMode"},
        {&DDI_GUID_HALCYON_VERTICES, "HalcyonVertices"},
        {&DDI_GUID_HALCYON_SAMPLES, "HalcyonSamples"},
        {&DDI_GUID_WDDM2, "WDDM2"},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (!memcmp(names[i].guid, guid, sizeof(*guid)))
            return names[i].name;
    snprintf(buffer, DDI_GUID_NAME, "%08x-%04x-%04x-...", (unsigned)guid->Data1, guid->Data2, guid->Data3);
    return buffer;
}

const char *ddi_info2_name(DWORD type)
{
#define TYPE(name)            \
    case D3DGDI2_TYPE_##name: \
        return #name;
    switch (type) {
        TYPE(GETD3DCAPS8)
        TYPE(GETFORMATCOUNT)
        TYPE(GETFORMAT)
        TYPE(DXVERSION)
        TYPE(GETD3DCAPS9)
        TYPE(GETEXTENDEDMODECOUNT)
        TYPE(GETEXTENDEDMODE)
        TYPE(GETADAPTERGROUP)
        TYPE(GETMULTISAMPLEQUALITYLEVELS)
        TYPE(GETD3DQUERYCOUNT)
        TYPE(GETD3DQUERY)
        TYPE(GETDDIVERSION)
        TYPE(DEFERRED_AGP_AWARE)
        TYPE(FREE_DEFERRED_AGP)
        TYPE(DEFER_AGP_FREES)
    default:
        return "an unknown type";
    }
#undef TYPE
}

unsigned ddi_log_handle(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return lcl && lcl->lpSurfMore ? (unsigned)lcl->lpSurfMore->dwSurfaceHandle : 0;
}
