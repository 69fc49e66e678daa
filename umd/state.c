/* SPDX-License-Identifier: MIT */
/*
 * States: each function appends the entry of its token, which has the same members. Streams check what the values mean when they
 * are executed; only what must not get into a stream is checked here, above all numbers of surfaces.
 */
#include "umd/device.h"

#include <string.h>

#include "d3d/ddi.h"

UMD_SAME_SIZE(D3DDDIARG_RENDERSTATE, D3DHAL_DP2RENDERSTATE);
UMD_SAME_SIZE(D3DDDIARG_WINFO, D3DHAL_DP2WINFO);
UMD_SAME_SIZE(D3DDDIARG_SETTRANSFORM, D3DHAL_DP2SETTRANSFORM);
UMD_SAME_SIZE(D3DDDIARG_VIEWPORTINFO, D3DHAL_DP2VIEWPORTINFO);
UMD_SAME_SIZE(D3DDDIARG_ZRANGE, D3DHAL_DP2ZRANGE);
UMD_SAME_SIZE(D3DDDIARG_SETMATERIAL, D3DHAL_DP2SETMATERIAL);
UMD_SAME_SIZE(D3DDDIARG_CREATELIGHT, D3DHAL_DP2CREATELIGHT);
UMD_SAME_SIZE(D3DDDIARG_SETCLIPPLANE, D3DHAL_DP2SETCLIPPLANE);
UMD_SAME_SIZE(D3DDDI_LIGHT, D3DLIGHT8);
_Static_assert(sizeof(D3DDDIARG_CLEAR) == offsetof(D3DHAL_DP2CLEAR, Rects), "D3DDDIARG_CLEAR");

/* --- render states and stages ------------------------------------------------------------------- */

#define RENDER_STATES        256
#define STATE_TEXTURE_HANDLE 1 /* D3DRENDERSTATE_TEXTUREHANDLE: SetTexture binds */
#define STAGE_CONSTANT \
    32 /* D3DTSS_CONSTANT, the last of Direct3D; streams give a meaning of their own to the next ones */

HRESULT APIENTRY umd_SetRenderState(HANDLE hDevice, const D3DDDIARG_RENDERSTATE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->State < RENDER_STATES && data->State != STATE_TEXTURE_HANDLE)
        hr = umd_put(device, D3DDP2OP_RENDERSTATE, data, sizeof(*data));
    return umd_leave(device, hr);
}

static bool is_stage(UINT stage)
{
    return stage < D3D_PIXEL_SAMPLERS || (stage >= 256 && stage <= 260); /* displacement, vertex textures */
}

static HRESULT put_stage(struct umd_device *device, UINT stage, UINT state, UINT value)
{
    const DWORD entry[] = {d3d_stage_and_state(stage, state), value};

    UMD_SAME_SIZE(entry, D3DHAL_DP2TEXTURESTAGESTATE);
    return umd_put(device, D3DDP2OP_TEXTURESTAGESTATE, &entry, sizeof(entry));
}

HRESULT APIENTRY umd_SetTextureStageState(HANDLE hDevice, const D3DDDIARG_TEXTURESTAGESTATE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (!device || !data || !is_stage(data->Stage))
        hr = E_FAIL;
    else if (data->State == D3DDDITSS_DISABLETEXTURECOLORKEY || data->State == D3DDDITSS_TEXTURECOLORKEYVAL)
        hr = E_NOTIMPL;
    else if (data->State && data->State <= STAGE_CONSTANT)
        hr = put_stage(device, data->Stage, data->State, data->Value);
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_SetTexture(HANDLE hDevice, UINT stage, HANDLE texture)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_resource *resource = device && texture ? umd_find_resource(device, texture) : NULL;
    HRESULT hr = E_FAIL;

    if (device && is_stage(stage) && (!texture || (resource && resource->is_texture)))
        hr = put_stage(device, stage, D3DTSS_TEXTUREMAP, resource ? client_handle(umd_top(resource)) : 0);
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_UpdateWInfo(HANDLE hDevice, const D3DDDIARG_WINFO *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_WINFO, data, sizeof(*data));
}

/* --- geometry -------------------------------------------------------------------------------------- */

HRESULT APIENTRY umd_SetTransform(HANDLE hDevice, const D3DDDIARG_SETTRANSFORM *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_SETTRANSFORM, data, sizeof(*data));
}

HRESULT APIENTRY umd_MultiplyTransform(HANDLE hDevice, const D3DDDIARG_MULTIPLYTRANSFORM *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_MULTIPLYTRANSFORM, data, sizeof(*data));
}

HRESULT APIENTRY umd_SetViewport(HANDLE hDevice, const D3DDDIARG_VIEWPORTINFO *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_VIEWPORTINFO, data, sizeof(*data));
}

HRESULT APIENTRY umd_SetZRange(HANDLE hDevice, const D3DDDIARG_ZRANGE *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_ZRANGE, data, sizeof(*data));
}

HRESULT APIENTRY umd_SetClipPlane(HANDLE hDevice, const D3DDDIARG_SETCLIPPLANE *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_SETCLIPPLANE, data, sizeof(*data));
}

HRESULT APIENTRY umd_SetScissorRect(HANDLE hDevice, const RECT *rect)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_SETSCISSORRECT, rect, sizeof(*rect));
}

/* --- lights ------------------------------------------------------------------------------------------ */

HRESULT APIENTRY umd_SetMaterial(HANDLE hDevice, const D3DDDIARG_SETMATERIAL *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_SETMATERIAL, data, sizeof(*data));
}

HRESULT APIENTRY umd_CreateLight(HANDLE hDevice, const D3DDDIARG_CREATELIGHT *data)
{
    return umd_put_by_handle(hDevice, D3DDP2OP_CREATELIGHT, data, sizeof(*data));
}

HRESULT APIENTRY umd_SetLight(HANDLE hDevice, const D3DDDIARG_SETLIGHT *data, const D3DDDI_LIGHT *light)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && (UINT)data->DataType <= D3DDDI_SETLIGHT_DATA) {
        const bool has_data = data->DataType == D3DDDI_SETLIGHT_DATA;
        const D3DHAL_DP2SETLIGHT entry = {data->Index, (DWORD)data->DataType};

        if (!has_data || light)
            hr = umd_put_with_data(device, D3DDP2OP_SETLIGHT, &entry, sizeof(entry), light,
                                   has_data ? sizeof(*light) : 0);
    }
    return umd_leave(device, hr);
}

/* A stream cannot destroy a light: it is off from now on. */
HRESULT APIENTRY umd_DestroyLight(HANDLE hDevice, const D3DDDIARG_DESTROYLIGHT *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data) {
        const D3DHAL_DP2SETLIGHT entry = {data->Index, D3DHAL_SETLIGHT_DISABLE};

        hr = umd_put_with_data(device, D3DDP2OP_SETLIGHT, &entry, sizeof(entry), NULL, 0);
    }
    return umd_leave(device, hr);
}

/* --- targets ------------------------------------------------------------------------------------------- */

/* The driver's context always has a first target: without one of the runtime's it is the device's own. */
HRESULT APIENTRY umd_SetRenderTarget(HANDLE hDevice, const D3DDDIARG_SETRENDERTARGET *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && data->RenderTargetIndex < 4) {
        const struct umd_part *part =
            data->hRenderTarget ? umd_find_part(device, data->hRenderTarget, data->SubResourceIndex) : NULL;
        D3DHAL_DP2SETRENDERTARGET2 entry = {data->RenderTargetIndex, 0};

        if (part && part->surface->usage & CLIENT_TARGET)
            entry.hRenderTarget = client_handle(part->surface);
        else if (!data->hRenderTarget && !data->RenderTargetIndex)
            entry.hRenderTarget = client_handle(client_part(device->nowhere, 0));
        if (entry.hRenderTarget || !data->hRenderTarget)
            hr = umd_put(device, D3DDP2OP_SETRENDERTARGET2, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_SetDepthStencil(HANDLE hDevice, const D3DDDIARG_SETDEPTHSTENCIL *data)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data) {
        const struct umd_part *part = data->hZBuffer ? umd_find_part(device, data->hZBuffer, 0) : NULL;
        D3DHAL_DP2SETDEPTHSTENCIL entry = {0};

        if (part && part->surface->usage & CLIENT_DEPTH)
            entry.hZBuffer = client_handle(part->surface);
        if (entry.hZBuffer || !data->hZBuffer)
            hr = umd_put(device, D3DDP2OP_SETDEPTHSTENCIL, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}

/* Rectangles of one command: far more than programs have, and less than a batch holds. */
#define CLEAR_RECTS 8192

HRESULT APIENTRY umd_Clear(HANDLE hDevice, const D3DDDIARG_CLEAR *data, UINT count, const RECT *rects)
{
    struct umd_device *device = umd_enter(hDevice);
    const RECT filler = {0, 0, 0, 0}; /* a command has one, even if it says 0 */
    HRESULT hr = E_FAIL;

    if (!device || !data || (count && !rects))
        return umd_leave(device, E_FAIL);
    if (umd_drops(device))
        return umd_leave(device, S_OK);
    do {
        const UINT some = BASE_MIN(count, CLEAR_RECTS);
        const size_t bytes = BASE_MAX(some, 1u) * sizeof(RECT);
        uint8_t *place = client_batch_put(&device->batch, D3DDP2OP_CLEAR, (uint16_t)some, NULL, sizeof(*data) + bytes);

        hr = place ? S_OK : E_OUTOFMEMORY;
        if (place) {
            memcpy(place, data, sizeof(*data));
            memcpy(place + sizeof(*data), some ? rects : &filler, bytes);
        }
        if (rects)
            rects += some;
        count -= some;
    } while (count && SUCCEEDED(hr));
    return umd_leave(device, hr);
}

/* --- palettes --------------------------------------------------------------------------------------------- */

HRESULT APIENTRY umd_UpdatePalette(HANDLE hDevice, const D3DDDIARG_UPDATEPALETTE *data, const PALETTEENTRY *entries)
{
    struct umd_device *device = umd_enter(hDevice);
    HRESULT hr = E_FAIL;

    if (device && data && entries && data->StartIndex < 256 && data->NumEntries <= 256 - data->StartIndex) {
        const D3DHAL_DP2UPDATEPALETTE entry = {data->PaletteHandle, (WORD)data->StartIndex, (WORD)data->NumEntries};

        hr = umd_put_with_data(device, D3DDP2OP_UPDATEPALETTE, &entry, sizeof(entry), entries,
                               data->NumEntries * sizeof(*entries));
    }
    return umd_leave(device, hr);
}

HRESULT APIENTRY umd_SetPalette(HANDLE hDevice, const D3DDDIARG_SETPALETTE *data)
{
    struct umd_device *device = umd_enter(hDevice);
    const struct umd_resource *resource = device && data ? umd_find_resource(device, data->hResource) : NULL;
    HRESULT hr = E_FAIL;

    if (resource && umd_top(resource)) {
        const D3DHAL_DP2SETPALETTE entry = {data->PaletteHandle, data->PaletteFlags, client_handle(umd_top(resource))};

        hr = umd_put(device, D3DDP2OP_SETPALETTE, &entry, sizeof(entry));
    }
    return umd_leave(device, hr);
}
