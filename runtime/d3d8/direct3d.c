/* SPDX-License-Identifier: MIT */
/* IDirect3D8: adapters, modes, formats and devices. */
#include "runtime/d3d8/d3d8_objects.h"

#include "runtime/common/driver/identity.h"

static struct d3d8 *d3d8_of(IDirect3D8 *iface)
{
    return (struct d3d8 *)iface;
}

static HRESULT WINAPI d3d8_QueryInterface(IDirect3D8 *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3D8, &IID_IUnknown, NULL};

    return rt_query(iface, riid, ids, out);
}

static ULONG WINAPI d3d8_AddRef(IDirect3D8 *iface)
{
    return (ULONG)InterlockedIncrement(&d3d8_of(iface)->refs);
}

static ULONG WINAPI d3d8_Release(IDirect3D8 *iface)
{
    struct d3d8 *d3d = d3d8_of(iface);
    ULONG refs = (ULONG)InterlockedDecrement(&d3d->refs);

    if (!refs) {
        rt_modes_free(&d3d->modes);
        free(d3d);
    }
    return refs;
}

static HRESULT WINAPI d3d8_RegisterSoftwareDevice(IDirect3D8 *iface, void *init)
{
    (void)iface;
    (void)init;
    return D3DERR_INVALIDCALL;
}

static UINT WINAPI d3d8_GetAdapterCount(IDirect3D8 *iface)
{
    (void)iface;
    return rt_display_count();
}

static HRESULT WINAPI d3d8_GetAdapterIdentifier(IDirect3D8 *iface, UINT adapter, DWORD flags,
                                                D3DADAPTER_IDENTIFIER8 *id)
{
    struct rt_identity identity;

    if (adapter >= d3d8_GetAdapterCount(iface) || !id)
        return D3DERR_INVALIDCALL;
    memset(id, 0, sizeof(*id));
    rt_identity(8, 1, &identity);
    strcpy(id->Driver, identity.driver);
    strcpy(id->Description, identity.description);
    id->DriverVersion = identity.version;
    id->VendorId = identity.vendor;
    id->DeviceId = identity.device;
    id->DeviceIdentifier = identity.guid;
    id->WHQLLevel = flags & D3DENUM_NO_WHQL_LEVEL ? 0 : 1;
    return D3D_OK;
}

static UINT WINAPI d3d8_GetAdapterModeCount(IDirect3D8 *iface, UINT adapter)
{
    return adapter < d3d8_GetAdapterCount(iface) ? rt_modes_count(&d3d8_of(iface)->modes, adapter, D3DFMT_UNKNOWN) : 0;
}

static HRESULT WINAPI d3d8_EnumAdapterModes(IDirect3D8 *iface, UINT adapter, UINT index, D3DDISPLAYMODE *mode)
{
    if (adapter >= d3d8_GetAdapterCount(iface) || !mode ||
        !rt_modes_find(&d3d8_of(iface)->modes, adapter, D3DFMT_UNKNOWN, index, mode))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

static HRESULT WINAPI d3d8_GetAdapterDisplayMode(IDirect3D8 *iface, UINT adapter, D3DDISPLAYMODE *mode)
{
    if (adapter >= d3d8_GetAdapterCount(iface) || !mode || !rt_mode_current(adapter, mode))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* --- formats --------------------------------------------------------------------------- */

static HRESULT check_device(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type)
{
    if (adapter >= d3d8_GetAdapterCount(iface))
        return D3DERR_INVALIDCALL;
    if (type == D3DDEVTYPE_HAL)
        return D3D_OK;
    return type == D3DDEVTYPE_REF || type == D3DDEVTYPE_SW ? D3DERR_NOTAVAILABLE : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI d3d8_CheckDeviceType(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type, D3DFORMAT display,
                                           D3DFORMAT back_buffer, BOOL windowed)
{
    struct d3d8 *d3d = d3d8_of(iface);
    const struct rt_format_ops *ops;
    HRESULT hr = check_device(iface, adapter, type);

    if (FAILED(hr))
        return hr;
    if (display == D3DFMT_UNKNOWN || back_buffer == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (!rt_is_display_format(display) || rt_format_without_alpha(back_buffer) != (uint32_t)display)
        return D3DERR_NOTAVAILABLE;
    ops = rt_adapter_format(d3d->adapter, back_buffer);
    if (!ops || !rt_can_be_target(ops, display, back_buffer))
        return D3DERR_NOTAVAILABLE;
    return windowed || rt_modes_count(&d3d->modes, adapter, display) ? D3D_OK : D3DERR_NOTAVAILABLE;
}

static HRESULT WINAPI d3d8_CheckDeviceFormat(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type, D3DFORMAT display,
                                             DWORD usage, D3DRESOURCETYPE resource, D3DFORMAT format)
{
    HRESULT hr;

    if (display == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    hr = check_device(iface, adapter, type);
    if (FAILED(hr))
        return hr;
    if (resource == D3DRTYPE_VERTEXBUFFER || resource == D3DRTYPE_INDEXBUFFER || resource < D3DRTYPE_SURFACE ||
        resource > D3DRTYPE_INDEXBUFFER)
        return D3DERR_INVALIDCALL;
    if (!rt_is_display_format(display))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_RENDERTARGET) && (usage & D3DUSAGE_DEPTHSTENCIL))
        return D3DERR_INVALIDCALL;
    return rt_check_operations(d3d8_of(iface)->adapter, display, usage, resource, format);
}

static HRESULT WINAPI d3d8_CheckDeviceMultiSampleType(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type,
                                                      D3DFORMAT format, BOOL windowed, D3DMULTISAMPLE_TYPE samples)
{
    HRESULT hr = check_device(iface, adapter, type);

    (void)windowed;
    return FAILED(hr) ? hr : rt_check_multisample(d3d8_of(iface)->adapter, format, samples, NULL);
}

static HRESULT WINAPI d3d8_CheckDepthStencilMatch(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type, D3DFORMAT display,
                                                  D3DFORMAT target, D3DFORMAT depth)
{
    HRESULT hr = check_device(iface, adapter, type);

    return FAILED(hr) ? hr : rt_check_depth_match(d3d8_of(iface)->adapter, display, target, depth);
}

/* --- capabilities ---------------------------------------------------------------------- */

void d3d8_fill_caps(const struct d3d8 *d3d, UINT adapter, D3DDEVTYPE type, D3DCAPS8 *caps)
{
    *caps = *rt_adapter_caps(d3d->adapter);
    caps->DeviceType = type;
    caps->AdapterOrdinal = adapter;
    caps->Caps &= D3DCAPS_READ_SCANLINE;
    caps->Caps2 &= D3DCAPS2_DYNAMICTEXTURES;
    caps->Caps2 |= D3DCAPS2_CANRENDERWINDOWED | D3DCAPS2_FULLSCREENGAMMA | D3DCAPS2_CANMANAGERESOURCE;
    caps->Caps3 &= D3DCAPS3_ALPHA_FULLSCREEN_FLIP_OR_DISCARD;
    caps->PresentationIntervals = D3DPRESENT_INTERVAL_IMMEDIATE | D3DPRESENT_INTERVAL_ONE;
    caps->CursorCaps = D3DCURSORCAPS_COLOR | D3DCURSORCAPS_LOWRES;
    /* These bits are only for the runtime (docs/reference/driver-calls.md, section 8). */
    caps->DevCaps &= ~(DWORD)(D3DDEVCAPS_HWVERTEXBUFFER | D3DDEVCAPS_HWINDEXBUFFER | D3DDEVCAPS_SUBVOLUMELOCK);
    if (!caps->VertexShaderVersion)
        caps->VertexShaderVersion = D3DVS_VERSION(0, 0);
    if (!caps->PixelShaderVersion)
        caps->PixelShaderVersion = D3DPS_VERSION(0, 0);
    if (caps->MaxStreams > RT_STREAMS)
        caps->MaxStreams = RT_STREAMS;
    if (caps->MaxTextureBlendStages > RT_STAGES)
        caps->MaxTextureBlendStages = RT_STAGES;
    if (caps->MaxUserClipPlanes > RT_CLIP_PLANES)
        caps->MaxUserClipPlanes = RT_CLIP_PLANES;
}

static HRESULT WINAPI d3d8_GetDeviceCaps(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type, D3DCAPS8 *caps)
{
    HRESULT hr = check_device(iface, adapter, type);

    if (!caps)
        return D3DERR_INVALIDCALL;
    if (FAILED(hr))
        return hr;
    d3d8_fill_caps(d3d8_of(iface), adapter, type, caps);
    return D3D_OK;
}

static HMONITOR WINAPI d3d8_GetAdapterMonitor(IDirect3D8 *iface, UINT adapter)
{
    return adapter < d3d8_GetAdapterCount(iface) ? rt_display_monitor(adapter) : NULL;
}

static HRESULT WINAPI d3d8_CreateDevice(IDirect3D8 *iface, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                                        D3DPRESENT_PARAMETERS *params, IDirect3DDevice8 **out)
{
    const D3DDEVICE_CREATION_PARAMETERS creation = {adapter, type, focus, flags};
    HRESULT hr;

    if (!params || !out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = check_device(iface, adapter, type);
    return FAILED(hr) ? hr : d3d8_device_create(d3d8_of(iface), &creation, params, out);
}

static const IDirect3D8Vtbl d3d8_vtbl = {
    d3d8_QueryInterface,
    d3d8_AddRef,
    d3d8_Release,
    d3d8_RegisterSoftwareDevice,
    d3d8_GetAdapterCount,
    d3d8_GetAdapterIdentifier,
    d3d8_GetAdapterModeCount,
    d3d8_EnumAdapterModes,
    d3d8_GetAdapterDisplayMode,
    d3d8_CheckDeviceType,
    d3d8_CheckDeviceFormat,
    d3d8_CheckDeviceMultiSampleType,
    d3d8_CheckDepthStencilMatch,
    d3d8_GetDeviceCaps,
    d3d8_GetAdapterMonitor,
    d3d8_CreateDevice,
};

struct d3d8 *d3d8_create(void)
{
    struct rt_adapter *adapter = rt_adapter_load(&d3d8_driver_rules);
    struct d3d8 *d3d;

    if (!adapter)
        return NULL;
    d3d = mem_calloc(1, sizeof(*d3d));
    if (!d3d)
        return NULL;
    d3d->iface.lpVtbl = (IDirect3D8Vtbl *)&d3d8_vtbl;
    d3d->refs = 1;
    d3d->adapter = adapter;
    rt_modes_init(&d3d->modes);
    return d3d;
}
