/* SPDX-License-Identifier: MIT */
/*
 * The objects that only d3d9.dll has; all others are those of runtime/common/object, with the interfaces of version 9.
 * Each begins with its COM interface, so that an interface pointer is the object.
 */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_D3D9_OBJECTS_H
#define HALCYON_RUNTIME_D3D9_DEVICE_D3D9_OBJECTS_H

#define COBJMACROS
#include <windows.h>

#include <d3d9.h>

#include "base/base.h"
#include "runtime/common/device/frame.h"
#include "runtime/d3d9/rules.h"
#include "runtime/d3d9/shader/elements.h"

struct d3d9;
struct d3d9_declaration;

/* Objects that the driver knows by a number of the device's: declarations and shaders. A number is odd, because bit 0 tells
 * declarations from flexible vertex formats (d3d/tokens.def, SETVERTEXSHADERDECL). */
struct d3d9_named {
    struct rt_object **objects; /* [number >> 1]; NULL: free */
    unsigned count;
    unsigned first_free; /* no smaller index is free */
};

struct d3d9_device {
    struct rt_device common; /* the interface is its vtbl */
    struct rt_frame frame;
    struct d3d9 *d3d; /* held by common.parent */
    D3DCAPS9 caps;    /* as reported to the program */
    struct d3d9_named named;
    /* Declarations of flexible vertex formats, one for each, sorted by format; held. */
    struct d3d9_declaration **fvf_declarations;
    unsigned fvf_count;
    UINT max_latency; /* frames; 9Ex */
    INT gpu_priority; /* -7..7; 9Ex */
};

static inline struct d3d9_device *d3d9_device_of(void *iface)
{
    return iface;
}

/* Vertices may be processed in software: 8192 constants, and shader versions that hardware does not support. */
static inline bool d3d9_has_software(const struct d3d9_device *device)
{
    return device->common.creation.BehaviorFlags &
           (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_MIXED_VERTEXPROCESSING);
}

/* --- direct3d.c, direct3d_ex.c ---------------------------------------------------------------- */

/* An IDirect3D9, or an IDirect3D9Ex, with one reference. NULL: no driver, or out of memory. */
struct d3d9 *d3d9_create(bool is_ex);

/* --- device.c --------------------------------------------------------------------------------- */

/* CreateDevice and CreateDeviceEx, after the object, the adapter and the kind of device have been checked. `params`: completed for
 * the caller; mode: CreateDeviceEx in full screen, else NULL. *device becomes NULL on failure. */
HRESULT d3d9_device_create(struct d3d9 *d3d, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                           D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode, struct d3d9_device **device);

/* --- named.c ---------------------------------------------------------------------------------- */

/* The number of an object that stays until d3d9_named_remove; 0: out of memory. */
uint32_t d3d9_named_add(struct d3d9_named *named, struct rt_object *object);
void d3d9_named_remove(struct d3d9_named *named, uint32_t number);
/* Sends the commands that create an object in the driver. D3DERR_INVALIDCALL: the driver refuses them. */
HRESULT d3d9_named_announce(struct rt_object *object);
/* All of them, for a new context (rt_api.context_created). */
void d3d9_named_resend(struct d3d9_device *device);
/* The driver's number of a declaration or shader (rt_state_ops of version 9). */
uint32_t d3d9_named_number(struct rt_resource *object);
/* Frees the table, before the device is destroyed. Objects that are still in it hold no reference on the device. */
void d3d9_named_free(struct d3d9_named *named);

#endif
