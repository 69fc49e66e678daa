/* SPDX-License-Identifier: MIT */
/* Adapters, modes, formats, devices. The adapter (runtime/common/driver/adapter.h) knows what the driver can do;
 * this file checks the parameters of the questions. */
#include "runtime/d3d9/direct3d.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/common/driver/formats.h"
#include "runtime/common/driver/identity.h"
#include "runtime/common/driver/load.h"

/* --- IUnknown ---------------------------------------------------------------------------- */

static HRESULT WINAPI d3d9_QueryInterface(IDirect3D9Ex *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IUnknown, &IID_IDirect3D9, &IID_IDirect3D9Ex, NULL}, *const plain_ids[] = {
                                                                                                   &IID_IUnknown,
                                                                                                   &IID_IDirect3D9,
                                                                                                   NULL};

    return rt_query(iface, riid, d3d9_of(iface)->is_ex ? ids : plain_ids, out);
}

static ULONG WINAPI d3d9_AddRef(IDirect3D9Ex *iface)
{
    return (ULONG)InterlockedIncrement(&d3d9_of(iface)->refs);
}

static ULONG WINAPI d3d9_Release(IDirect3D9Ex *iface)
{
    struct d3d9 *d3d = d3d9_of(iface);
    const ULONG refs = (ULONG)InterlockedDecrement(&d3d->refs);

    if (!refs) {
        rt_modes_free(&d3d->modes);
        free(d3d);
    }
    return refs;
}

/* --- adapters ------------------------------------------------------------------------------ */

int d3d9_display_of(const struct d3d9 *d3d, UINT adapter)
{
    const unsigned count = rt_display_count();
    WCHAR name[32];

    if (adapter >= d3d->display_count)
        return -1;
    if (!d3d->display[adapter][0])
        return (int)adapter;
    for (unsigned i = 0; i < count; i++)
        if (rt_display_name(i, name) && !lstrcmpW(name, d3d->display[adapter]))
            return (int)i;
    return -1;
}

HRESULT d3d9_check_device(const struct d3d9 *d3d, UINT adapter, D3DDEVTYPE type)
{
    if (adapter >= d3d->display_count)
        return D3DERR_INVALIDCALL;
    /* NULLREF serves programs that only create objects; they get a device that draws as well. */
    if (type == D3DDEVTYPE_HAL || type == D3DDEVTYPE_NULLREF)
        return D3D_OK;
    return type == D3DDEVTYPE_REF || type == D3DDEVTYPE_SW ? D3DERR_NOTAVAILABLE : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI d3d9_RegisterSoftwareDevice(IDirect3D9Ex *iface, void *init)
{
    (void)iface;
    (void)init;
    return D3DERR_INVALIDCALL;
}

static UINT WINAPI d3d9_GetAdapterCount(IDirect3D9Ex *iface)
{
    return d3d9_of(iface)->display_count;
}

static HRESULT WINAPI d3d9_GetAdapterIdentifier(IDirect3D9Ex *iface, UINT adapter, DWORD flags,
                                                D3DADAPTER_IDENTIFIER9 *id)
{
    const struct d3d9 *d3d = d3d9_of(iface);
    struct rt_identity identity;

    if (adapter >= d3d->display_count || !id)
        return D3DERR_INVALIDCALL;
    memset(id, 0, sizeof(*id));
    rt_identity(9, 0, &identity);
    strcpy(id->Driver, identity.driver);
    strcpy(id->Description, identity.description);
    /* Names of displays are ASCII: \\.\DISPLAY1. */
    for (unsigned i = 0; i + 1 < sizeof(id->DeviceName) && d3d->display[adapter][i]; i++)
        id->DeviceName[i] = (char)d3d->display[adapter][i];
    id->DriverVersion = identity.version;
    id->VendorId = identity.vendor;
    id->DeviceId = identity.device;
    id->DeviceIdentifier = identity.guid;
    id->WHQLLevel = flags & D3DENUM_WHQL_LEVEL ? 1 : 0;
    return D3D_OK;
}

static HMONITOR WINAPI d3d9_GetAdapterMonitor(IDirect3D9Ex *iface, UINT adapter)
{
    const int display = d3d9_display_of(d3d9_of(iface), adapter);

    return display < 0 ? NULL : rt_display_monitor((unsigned)display);
}

/* --- modes ---------------------------------------------------------------------------------- */

bool d3d9_is_mode_format(D3DFORMAT format)
{
    return format == D3DFMT_X8R8G8B8 || format == D3DFMT_R5G6B5;
}

static UINT WINAPI d3d9_GetAdapterModeCount(IDirect3D9Ex *iface, UINT adapter, D3DFORMAT format)
{
    struct d3d9 *d3d = d3d9_of(iface);
    const int display = d3d9_display_of(d3d, adapter);

    return display < 0 || !d3d9_is_mode_format(format) ? 0 : rt_modes_count(&d3d->modes, (unsigned)display, format);
}

static HRESULT WINAPI d3d9_EnumAdapterModes(IDirect3D9Ex *iface, UINT adapter, D3DFORMAT format, UINT index,
                                            D3DDISPLAYMODE *mode)
{
    struct d3d9 *d3d = d3d9_of(iface);
    const int display = d3d9_display_of(d3d, adapter);

    if (display < 0 || !mode || !d3d9_is_mode_format(format))
        return D3DERR_INVALIDCALL;
    return rt_modes_find(&d3d->modes, (unsigned)display, format, index, mode) ? D3D_OK : D3DERR_INVALIDCALL;
}

static HRESULT WINAPI d3d9_GetAdapterDisplayMode(IDirect3D9Ex *iface, UINT adapter, D3DDISPLAYMODE *mode)
{
    const int display = d3d9_display_of(d3d9_of(iface), adapter);

    return display >= 0 && mode && rt_mode_current((unsigned)display, mode) ? D3D_OK : D3DERR_INVALIDCALL;
}

/* --- formats ----------------------------------------------------------------------------------- */

static bool is_display_format(D3DFORMAT format)
{
    return d3d9_is_mode_format(format) || format == D3DFMT_X1R5G5B5;
}

static bool matches_full_screen(struct d3d9 *d3d, UINT adapter, D3DFORMAT display, D3DFORMAT back_buffer)
{
    return rt_format_without_alpha(back_buffer) == (uint32_t)display &&
           d3d9_GetAdapterModeCount(&d3d->iface, adapter, display);
}

static HRESULT WINAPI d3d9_CheckDeviceType(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, D3DFORMAT display,
                                           D3DFORMAT back_buffer, BOOL windowed)
{
    struct d3d9 *d3d = d3d9_of(iface);
    HRESULT hr = d3d9_check_device(d3d, adapter, type);

    if (FAILED(hr))
        return hr;
    if (windowed && back_buffer == D3DFMT_UNKNOWN)
        back_buffer = display;
    if (back_buffer == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (!is_display_format(display))
        return D3DERR_NOTAVAILABLE;
    hr = rt_check_format(d3d->adapter, display, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, back_buffer);
    if (hr != D3D_OK)
        return hr;
    if (windowed)
        return rt_check_conversion(d3d->adapter, back_buffer, display);
    return matches_full_screen(d3d, adapter, display, back_buffer) ? D3D_OK : D3DERR_NOTAVAILABLE;
}

static HRESULT WINAPI d3d9_CheckDeviceFormat(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, D3DFORMAT display,
                                             DWORD usage, D3DRESOURCETYPE resource, D3DFORMAT format)
{
    const struct d3d9 *d3d = d3d9_of(iface);
    HRESULT hr;

    if (display == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    hr = d3d9_check_device(d3d, adapter, type);
    if (FAILED(hr))
        return hr;
    if (resource < D3DRTYPE_SURFACE || resource >= D3DRTYPE_VERTEXBUFFER)
        return D3DERR_INVALIDCALL;
    if (!is_display_format(display))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_RENDERTARGET) && (usage & D3DUSAGE_DEPTHSTENCIL))
        return D3DERR_INVALIDCALL;
    return rt_format_is_offered(d3d->adapter, format)
               ? rt_check_operations(d3d->adapter, display, usage, resource, format)
               : D3DERR_NOTAVAILABLE;
}

static HRESULT WINAPI d3d9_CheckDeviceMultiSampleType(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                                      D3DFORMAT format, BOOL windowed, D3DMULTISAMPLE_TYPE samples,
                                                      DWORD *qualities)
{
    const struct d3d9 *d3d = d3d9_of(iface);
    HRESULT hr = d3d9_check_device(d3d, adapter, type);
    uint32_t count = 1;

    (void)windowed;
    if (FAILED(hr))
        return hr;
    hr = rt_check_multisample(d3d->adapter, format, samples, &count);
    if (qualities)
        *qualities = count;
    return hr;
}

static HRESULT WINAPI d3d9_CheckDepthStencilMatch(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, D3DFORMAT display,
                                                  D3DFORMAT target, D3DFORMAT depth)
{
    const struct d3d9 *d3d = d3d9_of(iface);
    const HRESULT hr = d3d9_check_device(d3d, adapter, type);

    if (FAILED(hr))
        return hr;
    return rt_format_is_offered(d3d->adapter, depth) ? rt_check_depth_match(d3d->adapter, display, target, depth)
                                                     : D3DERR_NOTAVAILABLE;
}

static HRESULT WINAPI d3d9_CheckDeviceFormatConversion(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type,
                                                       D3DFORMAT source, D3DFORMAT target)
{
    const struct d3d9 *d3d = d3d9_of(iface);
    const HRESULT hr = d3d9_check_device(d3d, adapter, type);

    return FAILED(hr) ? hr : rt_check_conversion(d3d->adapter, source, target);
}

/* --- devices ----------------------------------------------------------------------------------- */

static HRESULT WINAPI d3d9_GetDeviceCaps(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, D3DCAPS9 *caps)
{
    const struct d3d9 *d3d = d3d9_of(iface);
    const HRESULT hr = d3d9_check_device(d3d, adapter, type);

    if (!caps)
        return D3DERR_INVALIDCALL;
    if (SUCCEEDED(hr))
        d3d9_fill_caps(d3d, adapter, type, 0, caps);
    return hr;
}

static HRESULT WINAPI d3d9_CreateDevice(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                                        D3DPRESENT_PARAMETERS *params, IDirect3DDevice9 **out)
{
    struct d3d9_device *device = NULL;
    struct d3d9 *d3d = d3d9_of(iface);
    HRESULT hr;

    if (!params || !out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = d3d9_check_device(d3d, adapter, type);
    if (SUCCEEDED(hr))
        hr = d3d9_device_create(d3d, adapter, type, focus, flags, params, NULL, &device);
    if (SUCCEEDED(hr))
        *out = (IDirect3DDevice9 *)device;
    return hr;
}

/* An object without Ex has the same vtable; programs do not call its methods after CreateDevice. */
static const IDirect3D9ExVtbl d3d9_vtbl = {
    .QueryInterface = d3d9_QueryInterface,
    .AddRef = d3d9_AddRef,
    .Release = d3d9_Release,
    .RegisterSoftwareDevice = d3d9_RegisterSoftwareDevice,
    .GetAdapterCount = d3d9_GetAdapterCount,
    .GetAdapterIdentifier = d3d9_GetAdapterIdentifier,
    .GetAdapterModeCount = d3d9_GetAdapterModeCount,
    .EnumAdapterModes = d3d9_EnumAdapterModes,
    .GetAdapterDisplayMode = d3d9_GetAdapterDisplayMode,
    .CheckDeviceType = d3d9_CheckDeviceType,
    .CheckDeviceFormat = d3d9_CheckDeviceFormat,
    .CheckDeviceMultiSampleType = d3d9_CheckDeviceMultiSampleType,
    .CheckDepthStencilMatch = d3d9_CheckDepthStencilMatch,
    .CheckDeviceFormatConversion = d3d9_CheckDeviceFormatConversion,
    .GetDeviceCaps = d3d9_GetDeviceCaps,
    .GetAdapterMonitor = d3d9_GetAdapterMonitor,
    .CreateDevice = d3d9_CreateDevice,
    .GetAdapterModeCountEx = d3d9_GetAdapterModeCountEx,
    .EnumAdapterModesEx = d3d9_EnumAdapterModesEx,
    .GetAdapterDisplayModeEx = d3d9_GetAdapterDisplayModeEx,
    .CreateDeviceEx = d3d9_CreateDeviceEx,
    .GetAdapterLUID = d3d9_GetAdapterLUID,
};

struct d3d9 *d3d9_create(bool is_ex)
{
    struct rt_adapter *adapter = rt_adapter_load(&d3d9_driver_rules);
    struct d3d9 *d3d;

    if (!adapter)
        return NULL;
    d3d = mem_calloc(1, sizeof(*d3d));
    if (!d3d)
        return NULL;
    d3d->iface.lpVtbl = (IDirect3D9ExVtbl *)&d3d9_vtbl;
    d3d->refs = 1;
    d3d->is_ex = is_ex;
    d3d->adapter = adapter;
    rt_modes_init(&d3d->modes);
    d3d->display_count = BASE_MIN(rt_display_count(), D3D9_MAX_DISPLAYS);
    for (unsigned i = 0; i < d3d->display_count; i++)
        if (!rt_display_name(i, d3d->display[i]))
            d3d->display[i][0] = 0;
    return d3d;
}
