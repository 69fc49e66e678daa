/* SPDX-License-Identifier: MIT */
/*
 * GetCaps: the answers of GetDriverInfo and GetDriverInfo2 in the shapes of the WDDM interface. Nothing is decided here, so both faces
 * report the same.
 */
#include "umd/device.h"

#include <string.h>

#include "d3d/caps9.h"
#include "d3d/ddi.h"

/* DirectX 9: runtimes of this version and later are told of all multisample types (ddi/info.c). */
#define RUNTIME_VERSION 0x900

static HRESULT give(const D3DDDIARG_GETCAPS *data, const void *answer, size_t bytes)
{
    if (data->DataSize < bytes)
        return UMD_REFUSE("too little room for the answer");
    memcpy(data->pData, answer, bytes);
    return S_OK;
}

static HRESULT give_number(const D3DDDIARG_GETCAPS *data, UINT number)
{
    return give(data, &number, sizeof(number));
}

static UINT format_count(const struct client_driver *driver)
{
    DD_GETFORMATCOUNTDATA count = {.dwFormatCount = 0};

    return SUCCEEDED(client_driver_info2(driver, D3DGDI2_TYPE_GETFORMATCOUNT, &count, sizeof(count)))
               ? count.dwFormatCount
               : 0;
}

/* All entries; refused if they do not fit. */
static HRESULT give_formats(const struct client_driver *driver, const D3DDDIARG_GETCAPS *data)
{
    const UINT room = data->DataSize / sizeof(FORMATOP);
    const UINT count = format_count(driver);

    if (room < count)
        return UMD_REFUSE("too little room for the formats");
    for (UINT i = 0; i < count; i++) {
        DD_GETFORMATDATA entry = {.dwFormatIndex = i};
        FORMATOP format;
        HRESULT hr;

        entry.format.dwSize = RUNTIME_VERSION;
        hr = client_driver_info2(driver, D3DGDI2_TYPE_GETFORMAT, &entry, sizeof(entry));
        if (FAILED(hr))
            return umd_result(hr);
        format = (FORMATOP){.Format = entry.format.dwFourCC,
                            .Operations = entry.format.dwOperations,
                            .FlipMsTypes = entry.format.MultiSampleCaps.wFlipMSTypes,
                            .BltMsTypes = entry.format.MultiSampleCaps.wBltMSTypes};
        memcpy((uint8_t *)data->pData + i * sizeof(format), &format, sizeof(format));
    }
    return S_OK;
}

static HRESULT give_qualities(const struct client_driver *driver, const D3DDDIARG_GETCAPS *data)
{
    DDIMULTISAMPLEQUALITYLEVELSDATA answer;
    DD_MULTISAMPLEQUALITYLEVELSDATA question = {.QualityLevels = 0};

    if (data->DataSize < sizeof(answer))
        return UMD_REFUSE("too little room for the question");
    memcpy(&answer, data->pData, sizeof(answer));
    question.Format = answer.Format;
    question.bFlip = answer.Flip;
    question.MSType = answer.MsType;
    if (FAILED(client_driver_info2(driver, D3DGDI2_TYPE_GETMULTISAMPLEQUALITYLEVELS, &question, sizeof(question))))
        question.QualityLevels = 0;
    answer.QualityLevels = answer.MsType ? question.QualityLevels : 0;
    memcpy(data->pData, &answer, sizeof(answer));
    return S_OK;
}

static UINT query_count(const struct client_driver *driver)
{
    DD_GETD3DQUERYCOUNTDATA count = {.dwNumQueries = 0};

    return SUCCEEDED(client_driver_info2(driver, D3DGDI2_TYPE_GETD3DQUERYCOUNT, &count, sizeof(count)))
               ? count.dwNumQueries
               : 0;
}

/* 0: there is none. */
static D3DDDIQUERYTYPE query_at(const struct client_driver *driver, UINT index)
{
    DD_GETD3DQUERYDATA query = {.dwQueryIndex = index};

    return SUCCEEDED(client_driver_info2(driver, D3DGDI2_TYPE_GETD3DQUERY, &query, sizeof(query))) ? query.QueryType
                                                                                                   : 0;
}

bool umd_has_query(const struct client_driver *driver, uint32_t type)
{
    const UINT count = query_count(driver);

    for (UINT i = 0; i < count; i++)
        if (query_at(driver, i) == type)
            return true;
    return false;
}

static HRESULT give_queries(const struct client_driver *driver, const D3DDDIARG_GETCAPS *data)
{
    const UINT count = query_count(driver);

    if (data->DataSize / sizeof(D3DDDIQUERYTYPE) < count)
        return UMD_REFUSE("too little room for the queries");
    for (UINT i = 0; i < count; i++) {
        const D3DDDIQUERYTYPE type = query_at(driver, i);

        memcpy((uint8_t *)data->pData + i * sizeof(type), &type, sizeof(type));
    }
    return S_OK;
}

/* The list of texture formats is that of GETFORMATDATA. */
static HRESULT give_caps3(const struct client_driver *driver, const D3DDDIARG_GETCAPS *data)
{
    const D3DHAL_GLOBALDRIVERDATA *global = (const D3DHAL_GLOBALDRIVERDATA *)driver->info.lpD3DGlobalDriverData;
    D3DHAL_GLOBALDRIVERDATA answer = *global;

    answer.lpTextureFormats = NULL;
    answer.dwNumTextureFormats = 0;
    return give(data, &answer, sizeof(answer));
}

/* A driver that reports itself as one of DirectX 8 (HALCYON_CAPS) has no answer. */
static HRESULT give_caps9(const struct client_driver *driver, const D3DDDIARG_GETCAPS *data)
{
    struct d3d_caps9 caps;

    if (FAILED(client_driver_info2(driver, D3DGDI2_TYPE_GETD3DCAPS9, &caps, sizeof(caps))))
        return S_OK;
    return give(data, &caps, sizeof(caps));
}

/* Everything except the head, which the caller names. */
static HRESULT give_mode_caps(const D3DDDIARG_GETCAPS *data)
{
    DDRAW_MODE_SPECIFIC_CAPS caps;

    if (data->DataSize < sizeof(caps))
        return UMD_REFUSE("too little room for the answer");
    memcpy(&caps, data->pData, sizeof(caps));
    caps = (DDRAW_MODE_SPECIFIC_CAPS){.Head = caps.Head};
    return give(data, &caps, sizeof(caps));
}

/* Types that the driver does not know leave the data alone, which is how a runtime learns that they are not supported. */
static HRESULT answer(const struct client_driver *driver, const D3DDDIARG_GETCAPS *data)
{
    const DDRAW_CAPS no_ddraw = {.Caps = 0};

    switch ((UINT)data->Type) {
    case D3DDDICAPS_DDRAW:
        return give(data, &no_ddraw, sizeof(no_ddraw));
    case D3DDDICAPS_DDRAW_MODE_SPECIFIC:
        return give_mode_caps(data);
    case D3DDDICAPS_GETFORMATCOUNT:
        return give_number(data, format_count(driver));
    case D3DDDICAPS_GETFORMATDATA:
        return give_formats(driver, data);
    case D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS:
        return give_qualities(driver, data);
    case D3DDDICAPS_GETD3DQUERYCOUNT:
        return give_number(data, query_count(driver));
    case D3DDDICAPS_GETD3DQUERYDATA:
        return give_queries(driver, data);
    case D3DDDICAPS_GETD3D3CAPS:
        return give_caps3(driver, data);
    case D3DDDICAPS_GETD3D7CAPS:
        return give(data, &driver->extended_caps, sizeof(driver->extended_caps));
    case D3DDDICAPS_GETD3D8CAPS:
        return give(data, &driver->caps, sizeof(driver->caps));
    case D3DDDICAPS_GETD3D9CAPS:
        return give_caps9(driver, data);
    case D3DDDICAPS_GETDECODEGUIDCOUNT:
    case D3DDDICAPS_GETDECODERTFORMATCOUNT:
    case D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFOCOUNT:
    case D3DDDICAPS_GETDECODECONFIGURATIONCOUNT:
    case D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDCOUNT:
    case D3DDDICAPS_GETVIDEOPROCESSORRTFORMATCOUNT:
    case D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATCOUNT:
    case D3DDDICAPS_GETEXTENSIONGUIDCOUNT:
    case D3DDDICAPS_GETGAMMARAMPCAPS:
        return give_number(data, 0);
    default:
        return S_OK;
    }
}

HRESULT APIENTRY umd_get_caps(HANDLE handle, const D3DDDIARG_GETCAPS *data)
{
    struct umd_adapter *adapter;
    HRESULT hr;

    if (!data || !data->pData)
        return UMD_REFUSE("no place for the answer");
    adapter = umd_handle_enter(handle, UMD_ADAPTER, false);
    if (!adapter)
        return UMD_REFUSE("no such adapter");
    hr = answer(&adapter->driver, data);
    umd_handle_leave(handle);
    return hr;
}
