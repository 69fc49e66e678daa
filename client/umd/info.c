/* SPDX-License-Identifier: MIT */
/* GetDriverInfo and GetDriverInfo2. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <string.h>

#define MOST_DEPTHS 16
/* An adapter's group, which the kernel knows: any number, as long as adapters differ. */
#define ADAPTER_GROUP 0x9a2c3e10u

/* --- GetDriverInfo2 ------------------------------------------------------------------------------------ */

/* A request with its answer, in the caller's memory, which may be shorter. */
union request {
    DD_GETDRIVERINFO2DATA head;
    DD_GETFORMATCOUNTDATA format_count;
    DD_GETFORMATDATA format;
    DD_DXVERSION version;
    DD_GETADAPTERGROUPDATA group;
    DD_GETEXTENDEDMODECOUNTDATA modes;
    DD_MULTISAMPLEQUALITYLEVELSDATA qualities;
    DD_GETD3DQUERYCOUNTDATA query_count;
    DD_GETD3DQUERYDATA query;
    DD_GETDDIVERSIONDATA ddi;
};

static HRESULT answer(void *data, size_t available, const void *reply, size_t size, DWORD *actual)
{
    *actual = (DWORD)BASE_MIN(size, available);
    memcpy(data, reply, *actual);
    return DD_OK;
}

/* The nonmaskable type is for runtimes of DirectX 9, which say their version in dwSize. */
static HRESULT give_format(union request *r)
{
    const DWORD version = r->format.format.dwSize;
    const FORMATOP *op;

    if (r->format.dwFormatIndex >= bridge_caps.format_count)
        return DDERR_INVALIDPARAMS;
    op = &bridge_caps.formats[r->format.dwFormatIndex];
    r->format.format = (DDPIXELFORMAT){.dwSize = sizeof(r->format.format), .dwFlags = DDPF_D3DFORMAT};
    r->format.format.dwFourCC = op->Format;
    r->format.format.dwOperations = op->Operations;
    r->format.format.MultiSampleCaps.wFlipMSTypes = (WORD)(version >= 0x900 ? op->FlipMsTypes : op->FlipMsTypes & ~1u);
    r->format.format.MultiSampleCaps.wBltMSTypes = (WORD)(version >= 0x900 ? op->BltMsTypes : op->BltMsTypes & ~1u);
    return DD_OK;
}

static HRESULT give_qualities(union request *r)
{
    DDIMULTISAMPLEQUALITYLEVELSDATA data = {.Format = r->qualities.Format, .Flip = r->qualities.bFlip != 0};

    data.MsType = r->qualities.MSType & 0x7FFFFFFF;
    if (!bridge_ask(D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS, &data, sizeof(data)))
        data.QualityLevels = 0;
    r->qualities.QualityLevels = data.QualityLevels;
    return DD_OK;
}

/* Requests that a driver of DirectX 9 answers. *size: of the answer. */
static HRESULT answer_dx9(union request *r, size_t *size)
{
    switch (bridge_caps.has_caps9 ? r->head.dwType : 0) {
    case D3DGDI2_TYPE_GETEXTENDEDMODECOUNT:
        r->modes.dwModeCount = 0; /* the window system has the modes */
        *size = sizeof(r->modes);
        return DD_OK;
    case D3DGDI2_TYPE_GETEXTENDEDMODE:
        return DDERR_INVALIDPARAMS;
    case D3DGDI2_TYPE_GETADAPTERGROUP:
        r->group.ulUniqueAdapterGroupId = ADAPTER_GROUP;
        *size = sizeof(r->group);
        return DD_OK;
    case D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS:
        *size = sizeof(r->qualities);
        return give_qualities(r);
    case D3DGDI2_TYPE_GETD3DQUERYCOUNT:
        r->query_count.dwNumQueries = bridge_caps.query_count;
        *size = sizeof(r->query_count);
        return DD_OK;
    case D3DGDI2_TYPE_GETD3DQUERY:
        if (r->query.dwQueryIndex >= bridge_caps.query_count)
            return DDERR_INVALIDPARAMS;
        r->query.QueryType = bridge_caps.queries[r->query.dwQueryIndex];
        *size = sizeof(r->query);
        return DD_OK;
    case D3DGDI2_TYPE_GETDDIVERSION:
        r->ddi.dwDDIVersion = DX9_DDI_VERSION;
        *size = sizeof(r->ddi);
        return DD_OK;
    default:
        return DDERR_CURRENTLYNOTAVAIL;
    }
}

static HRESULT get_driver_info2(void *data, DWORD *actual)
{
    union request r;
    size_t available, size = 0;
    HRESULT hr = DD_OK;

    memset(&r, 0, sizeof(r));
    memcpy(&r.head, data, sizeof(r.head));
    available = r.head.dwExpectedSize;
    if (available < sizeof(r.head))
        return DDERR_INVALIDPARAMS;
    memcpy(&r, data, BASE_MIN(available, sizeof(r)));
    switch (r.head.dwType) {
    case D3DGDI2_TYPE_GETD3DCAPS8:
        return answer(data, available, &bridge_caps.caps8, sizeof(bridge_caps.caps8), actual);
    case D3DGDI2_TYPE_GETD3DCAPS9:
        return bridge_caps.has_caps9 ? answer(data, available, &bridge_caps.caps9, sizeof(bridge_caps.caps9), actual)
                                     : DDERR_CURRENTLYNOTAVAIL;
    case D3DGDI2_TYPE_GETFORMATCOUNT:
        r.format_count.dwFormatCount = bridge_caps.format_count;
        size = sizeof(r.format_count);
        break;
    case D3DGDI2_TYPE_GETFORMAT:
        hr = give_format(&r);
        size = sizeof(r.format);
        break;
    case D3DGDI2_TYPE_DXVERSION:
        size = sizeof(r.version);
        break;
    case D3DGDI2_TYPE_DEFERRED_AGP_AWARE:
    case D3DGDI2_TYPE_FREE_DEFERRED_AGP:
    case D3DGDI2_TYPE_DEFER_AGP_FREES:
        *actual = (DWORD)available; /* no AGP memory */
        return DD_OK;
    default:
        hr = answer_dx9(&r, &size);
    }
    return SUCCEEDED(hr) ? answer(data, available, &r, size, actual) : hr;
}

/* --- GetDriverInfo ----------------------------------------------------------------------------------------- */

static const D3DHAL_CALLBACKS2 callbacks2 = {
    .dwSize = sizeof(callbacks2),
    .dwFlags = D3DHAL2_CB32_SETRENDERTARGET | D3DHAL2_CB32_CLEAR,
    .SetRenderTarget = bridge_set_render_target,
    .Clear = bridge_clear,
};

static const D3DHAL_CALLBACKS3 callbacks3 = {
    .dwSize = sizeof(callbacks3),
    .dwFlags = D3DHAL3_CB32_CLEAR2 | D3DHAL3_CB32_VALIDATETEXTURESTAGESTATE | D3DHAL3_CB32_DRAWPRIMITIVES2,
    .Clear2 = bridge_clear2,
    .ValidateTextureStageState = bridge_validate_stages,
    .DrawPrimitives2 = bridge_draw_primitives2,
};

static const HALCYON_VERTEXCALLBACKS vertex_callbacks = {
    .dwSize = sizeof(vertex_callbacks),
    .ProcessVertices = bridge_process_vertices,
};

static const HALCYON_SAMPLECALLBACKS sample_callbacks = {
    .dwSize = sizeof(sample_callbacks),
    .AccessSamples = bridge_access_samples,
};

static const DDHAL_DDMISCELLANEOUSCALLBACKS misc_callbacks = {
    .dwSize = sizeof(misc_callbacks),
    .dwFlags = DDHAL_MISCCB32_GETAVAILDRIVERMEMORY,
    .GetAvailDriverMemory = bridge_get_avail_memory,
};

static const DDHAL_DDMISCELLANEOUS2CALLBACKS misc2_callbacks = {
    .dwSize = sizeof(misc2_callbacks),
    .dwFlags = DDHAL_MISC2CB32_CREATESURFACEEX | DDHAL_MISC2CB32_GETDRIVERSTATE | DDHAL_MISC2CB32_DESTROYDDLOCAL,
    .CreateSurfaceEx = bridge_create_surface_ex,
    .GetDriverState = bridge_get_driver_state,
    .DestroyDDLocal = bridge_destroy_local,
};

static HRESULT give(DDHAL_GETDRIVERINFODATA *data, const void *reply, size_t size)
{
    data->dwActualSize = (DWORD)size;
    memcpy(data->lpvData, reply, BASE_MIN(size, (size_t)data->dwExpectedSize));
    return DD_OK;
}

static HRESULT give_depths(DDHAL_GETDRIVERINFODATA *data)
{
    struct {
        DWORD count;
        DDPIXELFORMAT formats[MOST_DEPTHS];
    } list = {0};

    for (UINT i = 0; i < bridge_caps.format_count && list.count < MOST_DEPTHS; i++) {
        const DDPIXELFORMAT *pixels = bridge_caps.formats[i].Operations & D3DFORMAT_OP_ZSTENCIL
                                          ? bridge_pixels_of(bridge_caps.formats[i].Format)
                                          : NULL;

        if (pixels && pixels->dwFlags & DDPF_ZBUFFER)
            list.formats[list.count++] = *pixels;
    }
    return give(data, &list, sizeof(list.count) + list.count * sizeof(list.formats[0]));
}

static HRESULT give_surface_caps(DDHAL_GETDRIVERINFODATA *data)
{
    DDMORESURFACECAPS more = {.dwSize = sizeof(more)};

    more.ddsCapsMore.dwCaps2 = DDSCAPS2_CUBEMAP | DDSCAPS2_VOLUME | DDSCAPS2_HINTDYNAMIC;
    return give(data, &more, sizeof(more));
}

static HRESULT get_info(DDHAL_GETDRIVERINFODATA *data)
{
    const DDNONLOCALVIDMEMCAPS nonlocal = {.dwSize = sizeof(nonlocal)};
    const struct {
        const GUID *guid;
        const void *reply;
        size_t size;
    } plain[] = {
        {&DDI_GUID_D3D_CALLBACKS2, &callbacks2, sizeof(callbacks2)},
        {&DDI_GUID_D3D_CALLBACKS3, &callbacks3, sizeof(callbacks3)},
        {&DDI_GUID_D3D_EXTENDED_CAPS, &bridge_caps.extended, sizeof(bridge_caps.extended)},
        {&DDI_GUID_MISCELLANEOUS, &misc_callbacks, sizeof(misc_callbacks)},
        {&DDI_GUID_MISCELLANEOUS2, &misc2_callbacks, sizeof(misc2_callbacks)},
        {&DDI_GUID_NONLOCAL_CAPS, &nonlocal, sizeof(nonlocal)},
        {&DDI_GUID_HALCYON_VERTICES, &vertex_callbacks, sizeof(vertex_callbacks)},
        {&DDI_GUID_HALCYON_SAMPLES, &sample_callbacks, sizeof(sample_callbacks)},
    };
    DWORD magic = 0;

    for (unsigned i = 0; i < ARRAY_COUNT(plain); i++)
        if (!memcmp(plain[i].guid, &data->guidInfo, sizeof(GUID)))
            return give(data, plain[i].reply, plain[i].size);
    if (!memcmp(&DDI_GUID_Z_PIXEL_FORMATS, &data->guidInfo, sizeof(GUID)))
        return give_depths(data);
    if (!memcmp(&DDI_GUID_MORE_SURFACE_CAPS, &data->guidInfo, sizeof(GUID)))
        return give_surface_caps(data);
    if (!memcmp(&DDI_GUID_D3D_PARSE_UNKNOWN, &data->guidInfo, sizeof(GUID))) {
        bridge_parse_unknown = data->lpvData; /* a function */
        return DD_OK;
    }
    if (memcmp(&DDI_GUID_GET_DRIVER_INFO2, &data->guidInfo, sizeof(GUID)))
        return DDERR_CURRENTLYNOTAVAIL;
    memcpy(&magic, (const uint8_t *)data->lpvData + 4, sizeof(magic));
    return magic == D3DGDI2_MAGIC ? get_driver_info2(data->lpvData, &data->dwActualSize) : DDERR_CURRENTLYNOTAVAIL;
}

DWORD PASCAL bridge_get_driver_info(LPDDHAL_GETDRIVERINFODATA data)
{
    bridge_enter();
    data->dwActualSize = 0;
    data->ddRVal = data->lpvData ? get_info(data) : DDERR_INVALIDPARAMS;
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}
