/* SPDX-License-Identifier: MIT */
/* Data of programs that surfaces keep: private data, uniqueness values, priorities, levels of detail. */
#include <string.h>

#include <d3d8.h>

#include "runtime/ddraw/surface/surface.h"

_Static_assert(DDSPD_IUNKNOWNPOINTER == D3DSPD_IUNKNOWN, "the flag of runtime/common/object");

HRESULT surface_SetPrivateData(struct dd_call *call, REFGUID tag, void *data, DWORD size, DWORD flags)
{
    HRESULT hr;

    if (!tag || !data || (flags & DDSPD_IUNKNOWNPOINTER && size != sizeof(IUnknown *)))
        return DDERR_INVALIDPARAMS;
    hr = rt_private_data_set(&surface_of(call)->private_data, tag, data, size, flags & DDSPD_IUNKNOWNPOINTER);
    return hr == E_OUTOFMEMORY ? DDERR_OUTOFMEMORY : hr;
}

/* Unlike that of Direct3D 8 and 9 it adds no reference to an interface. */
HRESULT surface_GetPrivateData(struct dd_call *call, REFGUID tag, void *data, DWORD *size)
{
    const struct rt_private_data *entry = surface_of(call)->private_data;

    if (!tag)
        return DDERR_INVALIDPARAMS;
    while (entry && memcmp(&entry->id, tag, sizeof(entry->id)))
        entry = entry->next;
    if (!entry)
        return DDERR_NOTFOUND;
    if (!size)
        return DDERR_INVALIDPARAMS;
    if (*size < entry->size) {
        *size = entry->size;
        return DDERR_MOREDATA;
    }
    if (!data)
        return DDERR_INVALIDPARAMS;
    *size = entry->size;
    memcpy(data, entry->bytes, entry->size);
    return DD_OK;
}

HRESULT surface_FreePrivateData(struct dd_call *call, REFGUID tag)
{
    if (!tag)
        return DDERR_INVALIDPARAMS;
    return FAILED(rt_private_data_free(&surface_of(call)->private_data, tag)) ? DDERR_NOTFOUND : DD_OK;
}

HRESULT surface_GetUniquenessValue(struct dd_call *call, DWORD *value)
{
    if (!value)
        return DDERR_INVALIDPARAMS;
    *value = surface_of(call)->unique;
    return DD_OK;
}

HRESULT surface_ChangeUniquenessValue(struct dd_call *call)
{
    surface_of(call)->unique = ++surface_of(call)->ddraw->unique;
    return DD_OK;
}

/* --- managed textures ------------------------------------------------------------------ */

/* Is it the first level of a texture that the runtime or the driver manages? The others have no priority and no level of detail. */
static bool is_managed(const struct surface *surface)
{
    return surface->desc.ddsCaps.dwCaps2 & (DDSCAPS2_TEXTUREMANAGE | DDSCAPS2_D3DTEXTUREMANAGE) &&
           surface->root == surface;
}

/* Only the first surfaces of managed textures have priorities (test_resource_priority). */
static HRESULT check_priority(const struct surface *surface)
{
    if (is_managed(surface))
        return DD_OK;
    return surface->desc.ddsCaps.dwCaps & DDSCAPS_TEXTURE ? DDERR_INVALIDPARAMS : DDERR_INVALIDOBJECT;
}

HRESULT surface_SetPriority(struct dd_call *call, DWORD priority)
{
    HRESULT hr = check_priority(surface_of(call));

    if (SUCCEEDED(hr))
        surface_of(call)->priority = priority;
    return hr;
}

HRESULT surface_GetPriority(struct dd_call *call, DWORD *priority)
{
    HRESULT hr = priority ? check_priority(surface_of(call)) : DDERR_INVALIDPARAMS;

    if (SUCCEEDED(hr))
        *priority = surface_of(call)->priority;
    return hr;
}

HRESULT surface_SetLOD(struct dd_call *call, DWORD lod)
{
    if (!is_managed(surface_of(call)))
        return DDERR_INVALIDOBJECT;
    surface_of(call)->lod = lod;
    return DD_OK;
}

HRESULT surface_GetLOD(struct dd_call *call, DWORD *lod)
{
    if (!lod)
        return DDERR_INVALIDPARAMS;
    if (!is_managed(surface_of(call)))
        return DDERR_INVALIDOBJECT;
    *lod = surface_of(call)->lod;
    return DD_OK;
}
