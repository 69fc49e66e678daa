/* SPDX-License-Identifier: MIT */
/*
 * GetDriverInfo and, inside it, GetDriverInfo2 (docs/reference/driver-calls.md, sections 5 and 6). Both are always
 * HANDLED; missing information gets DDERR_CURRENTLYNOTAVAIL. GetDriverInfo2 has the GUID of the stereo modes and is
 * distinguished by a magic number; the size in its own header applies, the outer one is undefined.
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"
#include "d3d/wddm2.h"

#include <stdio.h>
#include <string.h>

static const D3DHAL_CALLBACKS2 callbacks2 = {
    .dwSize = sizeof(callbacks2),
    .dwFlags = D3DHAL2_CB32_SETRENDERTARGET | D3DHAL2_CB32_CLEAR,
    .SetRenderTarget = ddi_set_render_target,
    .Clear = ddi_clear,
};

static const D3DHAL_CALLBACKS3 callbacks3 = {
    .dwSize = sizeof(callbacks3),
    .dwFlags = D3DHAL3_CB32_CLEAR2 | D3DHAL3_CB32_VALIDATETEXTURESTAGESTATE | D3DHAL3_CB32_DRAWPRIMITIVES2,
    .Clear2 = ddi_clear2,
    .ValidateTextureStageState = ddi_validate_stages,
    .DrawPrimitives2 = ddi_draw_primitives2,
};

static const HALCYON_VERTEXCALLBACKS vertex_callbacks = {
    .dwSize = sizeof(vertex_callbacks),
    .ProcessVertices = ddi_process_vertices,
};

static const HALCYON_SAMPLECALLBACKS sample_callbacks = {
    .dwSize = sizeof(sample_callbacks),
    .AccessSamples = ddi_access_samples,
};

static const DDHAL_DDMISCELLANEOUSCALLBACKS misc_callbacks = {
    .dwSize = sizeof(misc_callbacks),
    .dwFlags = DDHAL_MISCCB32_GETAVAILDRIVERMEMORY | DDHAL_MISCCB32_GETSYSMEMBLTSTATUS,
    .GetAvailDriverMemory = ddi_get_avail_memory,
    .GetSysmemBltStatus = ddi_get_blt_status,
};

static const DDHAL_DDMISCELLANEOUS2CALLBACKS misc2_callbacks = {
    .dwSize = sizeof(misc2_callbacks),
    .dwFlags = DDHAL_MISC2CB32_CREATESURFACEEX | DDHAL_MISC2CB32_GETDRIVERSTATE | DDHAL_MISC2CB32_DESTROYDDLOCAL,
    .CreateSurfaceEx = ddi_create_surface_ex,
    .GetDriverState = ddi_get_driver_state,
    .DestroyDDLocal = ddi_destroy_local,
};

/* --- GetDriverInfo2 ----------------------------------------------------------------------------
 */

/* For requests that extend the header: copies the caller's part in, `size` bytes at most. */
static void read_request(void *request, size_t size, const void *data, size_t available)
{
    memset(request, 0, size);
    memcpy(request, data, BASE_MIN(size, available));
}

static HRESULT info_answer(void *data, size_t available, const void *reply, size_t size, DWORD *actual)
{
    *actual = (DWORD)BASE_MIN(size, available);
    memcpy(data, reply, *actual);
    return DD_OK;
}

static HRESULT get_format_count(void *data, size_t available, DWORD *actual)
{
    DD_GETFORMATCOUNTDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    reply.dwFormatCount = caps_format_count() + caps_extension_count();
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

/* The runtimes of DirectX 9 say their version in dwSize, and want sample counts to begin with the
 * nonmaskable type. */
static uint16_t sample_types(const struct caps_format *format, DWORD version)
{
    uint16_t mask = caps_multisample_mask(format);
    return mask && version >= 0x900 ? mask | 1 : mask;
}

/* Entry `index` of the list: formats, then extensions. False: past the end. */
static bool describe_format(unsigned index, DDPIXELFORMAT *entry)
{
    const struct caps_format *format = caps_format(index);
    const DWORD version = entry->dwSize;
    uint32_t fourcc, operations;
    if (!format && !caps_extension(index - caps_format_count(), &fourcc, &operations))
        return false;
    memset(entry, 0, sizeof(*entry));
    entry->dwSize = sizeof(*entry);
    entry->dwFlags = DDPF_D3DFORMAT;
    entry->dwFourCC = format ? format->d3d_format : fourcc;
    entry->dwOperations = format ? caps_operations(format) : operations;
    entry->MultiSampleCaps.wFlipMSTypes = format ? sample_types(format, version) : 0;
    entry->MultiSampleCaps.wBltMSTypes = format ? sample_types(format, version) : 0;
    return true;
}

static HRESULT get_format(void *data, size_t available, DWORD *actual)
{
    DD_GETFORMATDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    if (!describe_format(reply.dwFormatIndex, &reply.format)) {
        log_warn("GetDriverInfo2: format %u of %u asked for", (unsigned)reply.dwFormatIndex,
                 caps_format_count() + caps_extension_count());
        return DDERR_INVALIDPARAMS;
    }
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

/* Tells the runtime's version; nothing here depends on it. */
static HRESULT get_dx_version(void *data, size_t available, DWORD *actual)
{
    DD_DXVERSION reply;
    read_request(&reply, sizeof(reply), data, available);
    log_info("runtime reports DirectX %#x", (unsigned)reply.dwDXVersion);
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

/* A number that only this driver has: the first part of its GUID (GUID of the device in GetAdapterIdentifier). */
#define ADAPTER_GROUP 0x9a2c3e10u

static HRESULT get_adapter_group(void *data, size_t available, DWORD *actual)
{
    DD_GETADAPTERGROUPDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    reply.ulUniqueAdapterGroupId = ADAPTER_GROUP;
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

static HRESULT get_mode_count(void *data, size_t available, DWORD *actual)
{
    DD_GETEXTENDEDMODECOUNTDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    reply.dwModeCount = 0; /* the window system has the modes, not the driver */
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

static HRESULT get_mode(const void *data, size_t available)
{
    DD_GETEXTENDEDMODEDATA request;
    read_request(&request, sizeof(request), data, available);
    log_warn("GetDriverInfo2: mode %u of 0 asked for", (unsigned)request.dwModeIndex);
    return DDERR_INVALIDPARAMS;
}

static HRESULT get_qualities(void *data, size_t available, DWORD *actual)
{
    DD_MULTISAMPLEQUALITYLEVELSDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    reply.QualityLevels = caps_quality_levels(reply.Format, reply.MSType);
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

static HRESULT get_query_count(void *data, size_t available, DWORD *actual)
{
    DD_GETD3DQUERYCOUNTDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    reply.dwNumQueries = caps_query_count();
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

static HRESULT get_query(void *data, size_t available, DWORD *actual)
{
    DD_GETD3DQUERYDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    if (reply.dwQueryIndex >= caps_query_count()) {
        log_warn("GetDriverInfo2: query %u of %u asked for", (unsigned)reply.dwQueryIndex, caps_query_count());
        return DDERR_INVALIDPARAMS;
    }
    reply.QueryType = caps_query(reply.dwQueryIndex);
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

static HRESULT get_ddi_version(void *data, size_t available, DWORD *actual)
{
    DD_GETDDIVERSIONDATA reply;
    read_request(&reply, sizeof(reply), data, available);
    reply.dwDDIVersion = DX9_DDI_VERSION;
    return info_answer(data, available, &reply, sizeof(reply), actual);
}

static HRESULT get_caps9(void *data, size_t available, DWORD *actual)
{
    struct d3d_caps9 caps;
    caps_d3d9(&caps);
    return info_answer(data, available, &caps, sizeof(caps), actual);
}

/* Answers the requests that only runtimes of DirectX 9 make. */
static HRESULT get_info_of_dx9(DWORD type, void *data, size_t available, DWORD *actual)
{
    switch (caps_level() < CAPS_DX9 ? 0 : type) {
    case D3DGDI2_TYPE_GETD3DCAPS9:
        return get_caps9(data, available, actual);
    case D3DGDI2_TYPE_GETEXTENDEDMODECOUNT:
        return get_mode_count(data, available, actual);
    case D3DGDI2_TYPE_GETEXTENDEDMODE:
        return get_mode(data, available);
    case D3DGDI2_TYPE_GETADAPTERGROUP:
        return get_adapter_group(data, available, actual);
    case D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS:
        return get_qualities(data, available, actual);
    case D3DGDI2_TYPE_GETD3DQUERYCOUNT:
        return get_query_count(data, available, actual);
    case D3DGDI2_TYPE_GETD3DQUERY:
        return get_query(data, available, actual);
    case D3DGDI2_TYPE_GETDDIVERSION:
        return get_ddi_version(data, available, actual);
    default:
        log_debug("GetDriverInfo2: type %#x is not available", (unsigned)type);
        return DDERR_CURRENTLYNOTAVAIL;
    }
}

static HRESULT get_driver_info2(void *data, DWORD *actual)
{
    DD_GETDRIVERINFO2DATA head;
    memcpy(&head, data, sizeof(head));
    if (head.dwExpectedSize < sizeof(head)) {
        log_warn("GetDriverInfo2: type %#x in %u bytes", (unsigned)head.dwType, (unsigned)head.dwExpectedSize);
        return DDERR_INVALIDPARAMS;
    }
    switch (head.dwType) {
    case D3DGDI2_TYPE_GETD3DCAPS8:
        return info_answer(data, head.dwExpectedSize, caps_d3d8(), sizeof(D3DCAPS8), actual);
    case D3DGDI2_TYPE_GETFORMATCOUNT:
        return get_format_count(data, head.dwExpectedSize, actual);
    case D3DGDI2_TYPE_GETFORMAT:
        return get_format(data, head.dwExpectedSize, actual);
    case D3DGDI2_TYPE_DXVERSION:
        return get_dx_version(data, head.dwExpectedSize, actual);
    case D3DGDI2_TYPE_DEFERRED_AGP_AWARE: /* DirectX 8 asks for these too */
    case D3DGDI2_TYPE_FREE_DEFERRED_AGP:
    case D3DGDI2_TYPE_DEFER_AGP_FREES:
        /* No AGP memory: nothing is ever reserved. */
        *actual = (DWORD)head.dwExpectedSize;
        return DD_OK;
    default:
        return get_info_of_dx9(head.dwType, data, head.dwExpectedSize, actual);
    }
}

/* --- GetDriverInfo
 * ----------------------------------------------------------------------------------- */

static HRESULT info_give(DDHAL_GETDRIVERINFODATA *data, const void *answer, size_t size)
{
    data->dwActualSize = (DWORD)size;
    memcpy(data->lpvData, answer, BASE_MIN(size, (size_t)data->dwExpectedSize));
    return DD_OK;
}

static HRESULT give_depth_formats(DDHAL_GETDRIVERINFODATA *data)
{
    struct {
        DWORD count;
        DDPIXELFORMAT formats[16];
    } list = {0};
    list.count = BASE_MIN(caps_depth_formats(list.formats, ARRAY_COUNT(list.formats)), ARRAY_COUNT(list.formats));
    return info_give(data, &list, sizeof(list.count) + list.count * sizeof(list.formats[0]));
}

static HRESULT give_more_surface_caps(DDHAL_GETDRIVERINFODATA *data)
{
    DDMORESURFACECAPS caps = {.dwSize = sizeof(caps)};
    caps.ddsCapsMore.dwCaps2 = DDSCAPS2_CUBEMAP | DDSCAPS2_VOLUME | DDSCAPS2_HINTDYNAMIC;
    return info_give(data, &caps, sizeof(caps));
}

static HRESULT give_nonlocal_caps(DDHAL_GETDRIVERINFODATA *data)
{
    DDNONLOCALVIDMEMCAPS caps = {.dwSize = sizeof(caps)};
    return info_give(data, &caps, sizeof(caps));
}

static HRESULT take_parse_callback(const DDHAL_GETDRIVERINFODATA *data)
{
    /* A function, not a buffer: lpvData itself is the value. */
    memcpy(&ddi_root.parse_unknown, &data->lpvData, sizeof(ddi_root.parse_unknown));
    return DD_OK;
}

static bool is(const GUID *a, const GUID *b)
{
    return !memcmp(a, b, sizeof(*a));
}

static HRESULT get_info(DDHAL_GETDRIVERINFODATA *data)
{
    const GUID *guid = &data->guidInfo;
    DWORD magic = 0;
    if (is(guid, &DDI_GUID_GET_DRIVER_INFO2)) {
        memcpy(&magic, (const uint8_t *)data->lpvData + 4, sizeof(magic));
        /* Anything else is a question for stereo modes; there are none. Drivers of DirectX 7
         * do not know the magic number. */
        return magic == D3DGDI2_MAGIC && caps_level() >= CAPS_DX8 ? get_driver_info2(data->lpvData, &data->dwActualSize)
                                                                  : DDERR_CURRENTLYNOTAVAIL;
    }
    if (is(guid, &DDI_GUID_D3D_CALLBACKS2))
        return info_give(data, &callbacks2, sizeof(callbacks2));
    if (is(guid, &DDI_GUID_D3D_CALLBACKS3))
        return info_give(data, &callbacks3, sizeof(callbacks3));
    if (is(guid, &DDI_GUID_D3D_EXTENDED_CAPS))
        return info_give(data, caps_extended(), sizeof(*caps_extended()));
    if (is(guid, &DDI_GUID_Z_PIXEL_FORMATS))
        return give_depth_formats(data);
    if (is(guid, &DDI_GUID_MISCELLANEOUS))
        return info_give(data, &misc_callbacks, sizeof(misc_callbacks));
    if (is(guid, &DDI_GUID_MISCELLANEOUS2))
        return info_give(data, &misc2_callbacks, sizeof(misc2_callbacks));
    if (is(guid, &DDI_GUID_MORE_SURFACE_CAPS))
        return give_more_surface_caps(data);
    if (is(guid, &DDI_GUID_NONLOCAL_CAPS))
        return give_nonlocal_caps(data);
    if (is(guid, &DDI_GUID_HALCYON_VERTICES))
        return info_give(data, &vertex_callbacks, sizeof(vertex_callbacks));
    if (is(guid, &DDI_GUID_HALCYON_SAMPLES))
        return info_give(data, &sample_callbacks, sizeof(sample_callbacks));
    if (is(guid, &DDI_GUID_D3D_PARSE_UNKNOWN))
        return take_parse_callback(data);
    if (is(guid, &DDI_GUID_WDDM2))
        return info_give(data, &ddi_wddm2_callbacks, sizeof(ddi_wddm2_callbacks));
    return DDERR_CURRENTLYNOTAVAIL;
}

#define REQUEST_TEXT 96

/* The request as text, because the answer overwrites it. */
static void request_text(const DDHAL_GETDRIVERINFODATA *data, char text[REQUEST_TEXT])
{
    DD_GETFORMATDATA request = {0};
    char buffer[DDI_GUID_NAME];

    if (is(&data->guidInfo, &DDI_GUID_GET_DRIVER_INFO2) && data->lpvData)
        memcpy(&request.gdi2, data->lpvData, sizeof(request.gdi2));
    if (request.gdi2.dwMagic != D3DGDI2_MAGIC)
        snprintf(text, REQUEST_TEXT, "GetDriverInfo %s", ddi_guid_name(&data->guidInfo, buffer));
    else if (request.gdi2.dwType == D3DGDI2_TYPE_GETFORMAT && request.gdi2.dwExpectedSize >= sizeof(request)) {
        memcpy(&request, data->lpvData, sizeof(request));
        snprintf(text, REQUEST_TEXT, "GetDriverInfo2 GETFORMAT %u", (unsigned)request.dwFormatIndex);
    } else
        snprintf(text, REQUEST_TEXT, "GetDriverInfo2 %s", ddi_info2_name(request.gdi2.dwType));
}

DWORD PASCAL ddi_get_driver_info(LPDDHAL_GETDRIVERINFODATA data)
{
    char request[REQUEST_TEXT];
    DDI_ENTER();
    data->dwActualSize = 0;
    if (log_enabled(LOG_DEBUG)) {
        request_text(data, request);
        data->ddRVal = data->lpvData ? get_info(data) : DDERR_INVALIDPARAMS;
        ddi_log_call(data->ddRVal, "%s, %u bytes", request, (unsigned)data->dwActualSize);
    } else {
        data->ddRVal = data->lpvData ? get_info(data) : DDERR_INVALIDPARAMS;
    }
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- the rest
 * ------------------------------------------------------------------------------------------ */

DWORD PASCAL ddi_get_avail_memory(LPDDHAL_GETAVAILDRIVERMEMORYDATA data)
{
    DDCORECAPS caps;
    DDI_ENTER();
    caps_ddraw(&caps);
    data->dwTotal = data->dwFree = caps.dwVidMemTotal;
    if (ddi_root.driver)
        data->dwFree -= (DWORD)BASE_MIN(ddi_root.driver->video_bytes, (uint64_t)caps.dwVidMemTotal);
    data->ddRVal = DD_OK;
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
