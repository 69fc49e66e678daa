/* SPDX-License-Identifier: MIT */
/* IDirect3D9 and IDirect3D9Ex, which are one object. */
#ifndef HALCYON_RUNTIME_D3D9_DIRECT3D_H
#define HALCYON_RUNTIME_D3D9_DIRECT3D_H

/* It has the headers of Direct3D 9, which must come before what follows. */
#include "runtime/d3d9/device/d3d9_objects.h"

#include "runtime/common/driver/adapter.h"
#include "runtime/common/window/modes.h"

#define D3D9_MAX_DISPLAYS 16

struct d3d9 {
    IDirect3D9Ex iface;
    LONG refs;
    bool is_ex; /* the program may have the Ex interface, of this and of its devices */
    struct rt_adapter *adapter;
    struct rt_modes modes;
    /* Displays that were there when the object was made: adapters are numbered in this order even if displays are
     * added or removed. An empty name: the system has no name for it. */
    WCHAR display[D3D9_MAX_DISPLAYS][32];
    unsigned display_count;
};

static inline struct d3d9 *d3d9_of(void *iface)
{
    return iface;
}

/* The adapter's current number in runtime/common/window/display.h; -1: its display was removed. */
int d3d9_display_of(const struct d3d9 *d3d, UINT adapter);
/* Modes of this format are enumerated. */
bool d3d9_is_mode_format(D3DFORMAT format);
/* D3D_OK, D3DERR_INVALIDCALL for an adapter or kind of device that does not exist, D3DERR_NOTAVAILABLE for REF and
 * SW. */
HRESULT d3d9_check_device(const struct d3d9 *d3d, UINT adapter, D3DDEVTYPE type);
/* behavior: flags of CreateDevice; 0: those of no device. */
void d3d9_fill_caps(const struct d3d9 *d3d, UINT adapter, D3DDEVTYPE type, DWORD behavior, D3DCAPS9 *caps);

/* direct3d_ex.c */
UINT WINAPI d3d9_GetAdapterModeCountEx(IDirect3D9Ex *iface, UINT adapter, const D3DDISPLAYMODEFILTER *filter);
HRESULT WINAPI d3d9_EnumAdapterModesEx(IDirect3D9Ex *iface, UINT adapter, const D3DDISPLAYMODEFILTER *filter,
                                       UINT index, D3DDISPLAYMODEEX *mode);
HRESULT WINAPI d3d9_GetAdapterDisplayModeEx(IDirect3D9Ex *iface, UINT adapter, D3DDISPLAYMODEEX *mode,
                                            D3DDISPLAYROTATION *rotation);
HRESULT WINAPI d3d9_CreateDeviceEx(IDirect3D9Ex *iface, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                                   D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode, IDirect3DDevice9Ex **out);
HRESULT WINAPI d3d9_GetAdapterLUID(IDirect3D9Ex *iface, UINT adapter, LUID *luid);
/* The mode that is on and how the display is turned (NULL: not asked), for devices and swap chains too. `mode` has
 * its Size. D3DERR_INVALIDCALL: another Size, or the display was removed. */
HRESULT d3d9_current_mode_ex(const struct d3d9 *d3d, UINT adapter, D3DDISPLAYMODEEX *mode,
                             D3DDISPLAYROTATION *rotation);

#endif
