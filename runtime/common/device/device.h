/* SPDX-License-Identifier: MIT */
/*
 * The device: its connection to the driver, its bindings, swap chains and window. A version's device begins with an
 * rt_device, so that an IDirect3DDevice pointer is one. Functions whose names end like a method's
 * (rt_device_SetTransform) are methods, the same for both versions; they take the device's lock. All others are called
 * with the lock held.
 */
#ifndef HALCYON_RUNTIME_DEVICE_H
#define HALCYON_RUNTIME_DEVICE_H

#include "d3d/types.h"
#include "runtime/common/device/api.h"
#include "runtime/common/device/palette.h"
#include "runtime/common/device/swapchain.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/object/buffer.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/object/texture.h"
#include "runtime/common/state/stateblock.h"
#include "runtime/common/window/display.h"
#include "runtime/common/window/fullscreen.h"

/* Things that a draw must check in addition to its bindings. */
enum rt_attention {
    RT_TEXTURES_CHANGED = 1, /* some texture may need an upload before the next draw */
    RT_BUFFERS_CHANGED = 2,  /* some managed buffer may */
    RT_BEFORE_BINDING = 3,
    RT_HAS_PALETTES = 4,    /* a texture with a palette has been drawn with */
    RT_HAS_TRANSFORMED = 8, /* ProcessVertices has been called */
    RT_AFTER_BINDING = 12,
};

/* D3DCLIPSTATUS of any version. */
struct rt_clip_status {
    DWORD clip_union, clip_intersection;
};

struct rt_device {
    const void *vtbl;
    struct rt_device_base base;
    const struct rt_api *api;
    IUnknown *parent; /* IDirect3D8 or 9; held */
    struct rt_adapter *adapter;
    struct rt_link *link;
    struct rt_pipe pipe;
    struct rt_block *recording; /* NULL: no block is being recorded */
    D3DCAPS8 caps;              /* as reported to the program; version 9 adds its own */
    D3DDEVICE_CREATION_PARAMETERS creation;
    uint32_t display_format;
    struct rt_swapchain *swapchain; /* the implicit one, while the device lives */
    struct rt_surface *auto_depth;
    struct rt_surface *target[RT_TARGETS], *depth; /* bound; held */
    struct rt_fullscreen fullscreen;
    bool in_scene;
    LONG default_pool_count;
    struct rt_texture *managed;
    uint64_t uses;     /* counts bindings of textures */
    uint8_t attention; /* enum rt_attention */

    struct rt_palette **palettes;
    unsigned palette_count;

    UINT *patches; /* handles of patches that have been drawn, sorted */
    unsigned patch_count, patch_capacity;

    struct rt_chain *up_indices; /* for draws of indices in user memory */
    unsigned up_index_bytes, up_index_used;

    uint64_t draws, primitives; /* since creation, for the figures over the picture */
    struct rt_clip_status clip_status;
    struct rt_cursor cursor;
};

static inline struct rt_device *rt_device_of(void *iface)
{
    return iface;
}
static inline struct rt_device *rt_device_of_base(struct rt_device_base *base)
{
    return (struct rt_device *)((char *)base - offsetof(struct rt_device, base));
}

/* --- life: device.c ----------------------------------------------------------------------- */

struct rt_device_desc {
    const struct rt_api *api;
    struct rt_adapter *adapter;
    D3DDEVICE_CREATION_PARAMETERS creation;
    D3DCAPS8 caps;
    uint32_t display_format; /* of the mode that `params` select */
};

/* Flags of CreateDevice: one kind of vertex processing that the driver has. D3DERR_INVALIDCALL. */
HRESULT rt_check_behavior(const struct rt_adapter *adapter, DWORD flags);
/* Initializes a device: link, window or full screen, swap chain, depth buffer, context, default states. The
 * structure comes from the heap, begins with an rt_device, and is zeroed except for its vtable and its parent.
 * `params` have been checked. On success it has one reference. On failure it is freed, after api->device_destroyed. */
HRESULT rt_device_init(struct rt_device *device, const struct rt_device_desc *desc,
                       const struct rt_present_params *params);
/* Reset, after the version has checked `params` and that the device is not lost: unbinds everything and recreates
 * buffers, context and states. Returns api->reset_refused while resources of the default pool exist. With
 * api->reset_keeps_all only buffers, targets and the sizes of viewport and scissor are new. The status becomes
 * operational, or not reset. */
HRESULT rt_device_reset(struct rt_device *device, const struct rt_present_params *params, uint32_t display_format);

ULONG WINAPI rt_device_AddRef(void *iface);
ULONG WINAPI rt_device_Release(void *iface);
/* IDirect3D8 or 9. */
HRESULT WINAPI rt_device_GetDirect3D(void *iface, void **out);
/* D3D_OK, D3DERR_DEVICELOST, D3DERR_DEVICENOTRESET. */
HRESULT WINAPI rt_device_TestCooperativeLevel(void *iface);

/* --- targets: target.c -------------------------------------------------------------------- */

/* NULL unbinds; target 0 is always there. Surfaces have been checked. The viewport stays. They are sent to the
 * driver before the next draw or clear. */
void rt_device_bind_target(struct rt_device *device, unsigned index, struct rt_surface *target);
void rt_device_bind_depth(struct rt_device *device, struct rt_surface *depth);
/* Called when a surface that somebody still holds has lost its memory. If it is bound, rendering to it is discarded. */
void rt_device_surface_lost(struct rt_device *device, const struct rt_surface *surface);
/* Both are sent to the driver together (version 8, and a new context). */
void rt_device_bind_target_and_depth(struct rt_device *device, struct rt_surface *target, struct rt_surface *depth);
/* Sets the viewport to all of target 0. */
void rt_device_reset_viewport(struct rt_device *device);
/* True if the surface belongs to the device, was created with this usage (D3DUSAGE_RENDERTARGET or
 * D3DUSAGE_DEPTHSTENCIL), and the driver has its memory. */
bool rt_surface_can_be_bound(const struct rt_device *device, const struct rt_surface *surface, DWORD usage);
/* Gives a reference; D3DERR_NOTFOUND and NULL if nothing is bound. */
HRESULT rt_device_get_surface(struct rt_surface *bound, void **out);

/* --- asking, cursor: info.c --------------------------------------------------------------- */

UINT WINAPI rt_device_GetAvailableTextureMem(void *iface);
HRESULT WINAPI rt_device_GetCreationParameters(void *iface, D3DDEVICE_CREATION_PARAMETERS *params);
HRESULT WINAPI rt_device_ValidateDevice(void *iface, DWORD *passes);
/* For the device's adapter. D3DERR_INVALIDCALL without `mode` or `status`. */
HRESULT rt_device_display_mode(const struct rt_device *device, D3DDISPLAYMODE *mode);
HRESULT rt_device_raster_status(const struct rt_device *device, D3DRASTER_STATUS *status);
HRESULT WINAPI rt_device_SetCursorProperties(void *iface, UINT x, UINT y, void *surface);
void WINAPI rt_device_SetCursorPosition(void *iface, int x, int y, DWORD flags);
BOOL WINAPI rt_device_ShowCursor(void *iface, BOOL show);

#endif
