/* SPDX-License-Identifier: MIT */
/*
 * The device: its connection to the driver, its state and bindings. It draws to surfaces that exist; the window and the swap chain
 * that most devices are made with are their frame (frame.h). A version's device begins with an rt_device, so that an
 * IDirect3DDevice pointer is one. Functions whose names end like a method's
 * (rt_device_SetTransform) are methods, the same for both versions; they take the device's lock. All others are called
 * with the lock held.
 */
#ifndef HALCYON_RUNTIME_DEVICE_H
#define HALCYON_RUNTIME_DEVICE_H

#include "d3d/types.h"
#include "runtime/common/device/api.h"
#include "runtime/common/device/multisample.h"
#include "runtime/common/device/palette.h"
#include "runtime/common/driver/link.h"
#include "runtime/common/object/buffer.h"
#include "runtime/common/object/resolution.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/object/texture.h"
#include "runtime/common/state/stateblock.h"

/* Things that a draw must check in addition to its bindings. */
enum rt_attention {
    RT_TEXTURES_CHANGED = 1, /* some texture may need an upload before the next draw */
    RT_BUFFERS_CHANGED = 2,  /* some managed buffer may */
    RT_TARGETS_CHANGED = 16, /* bound surfaces may differ in samples (multisample.h) */
    RT_BEFORE_BINDING = 19,
    RT_HAS_PALETTES = 4,    /* a texture with a palette has been drawn with */
    RT_HAS_TRANSFORMED = 8, /* ProcessVertices has been called */
    RT_AFTER_BINDING = 12,
};

struct rt_frame;

struct rt_device {
    const void *vtbl;
    struct rt_device_base base;
    const struct rt_api *api;
    IUnknown *parent; /* IDirect3D8 or 9; held */
    struct rt_adapter *adapter;
    struct rt_link *link;
    bool owns_link;
    struct rt_pipe pipe;
    struct rt_block *recording; /* NULL: no block is being recorded */
    D3DCAPS8 caps;              /* as reported to the program; version 9 adds its own */
    D3DDEVICE_CREATION_PARAMETERS creation;
    struct rt_frame *frame; /* NULL: its pictures are the program's business */
    void (*destroy_frame)(struct rt_frame *frame);
    struct rt_resolution resolution;
    struct rt_multisample multisample;
    struct rt_surface *target[RT_TARGETS], *depth; /* bound; held */
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

    uint8_t *enlarged; /* vertices of one draw (enlarged.h) */
    size_t enlarged_bytes;

    uint64_t draws, primitives; /* since creation, for the figures over the picture */
    D3DCLIPSTATUS8 clip_status;
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
    /* The link of the surfaces that the device will draw to, which outlives the device; NULL: the device opens a link
     * of its own. */
    struct rt_link *link;
};

/* Flags of CreateDevice: one kind of vertex processing that the driver has. D3DERR_INVALIDCALL. */
HRESULT rt_check_behavior(const struct rt_adapter *adapter, DWORD flags);
/* The first step of a device's life: link, lock and pipe; surfaces can be made. The structure comes from the heap, begins with an
 * rt_device, and is zeroed except for its vtable and its parent. On success it has one reference. E_OUTOFMEMORY: it is freed. */
HRESULT rt_device_init(struct rt_device *device, const struct rt_device_desc *desc);
/* The second: a context with default states that draws to `target` and `depth` (NULL: none), surfaces of the device that the driver
 * knows. A frame does this with its buffers. On failure there is no context. */
HRESULT rt_device_create_context(struct rt_device *device, struct rt_surface *target, struct rt_surface *depth);
/* The same, with everything that the program has set: before another context is made. */
void rt_device_lose_context(struct rt_device *device);
void rt_device_unbind_targets(struct rt_device *device);
/* The block being recorded is given up. */
void rt_device_stop_recording(struct rt_device *device);
/* Frees a device that no program has seen, whose second step has failed; after api->device_destroyed. */
void rt_device_destroy(struct rt_device *device);

ULONG WINAPI rt_device_AddRef(void *iface);
ULONG WINAPI rt_device_Release(void *iface);
/* IDirect3D8 or 9. */
HRESULT WINAPI rt_device_GetDirect3D(void *iface, void **out);

/* --- targets: target.c -------------------------------------------------------------------- */

/* NULL unbinds; target 0 is never NULL. The surfaces have been checked, and the viewport does not change. The driver
 * is told before the next draw or clear. */
void rt_device_bind_target(struct rt_device *device, unsigned index, struct rt_surface *target);
void rt_device_bind_depth(struct rt_device *device, struct rt_surface *depth);
/* Bound surfaces may have other memory than before; it is what is drawn to from now on. */
void rt_device_targets_moved(struct rt_device *device);
/* Called when a surface that somebody still holds has lost its memory. If it is bound, rendering to it is discarded. */
void rt_device_surface_lost(struct rt_device *device, const struct rt_surface *surface);
/* Both are sent to the driver at once, together if the API sets them together (struct rt_state_rules). */
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
