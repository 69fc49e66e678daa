/* SPDX-License-Identifier: MIT */
/*
 * A version of the API as data: what the common runtime asks where versions differ. There is one rt_api for each face that a
 * device can have (8, 9, 9Ex), constant, in the code of that version.
 */
#ifndef HALCYON_RUNTIME_API_H
#define HALCYON_RUNTIME_API_H

#include "runtime/common/object/object.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/state/state.h"
#include "runtime/common/window/fullscreen.h"

struct rt_api {
    unsigned version; /* 8, 9 */
    bool is_ex;
    struct rt_interface interfaces[RT_KINDS];
    const struct rt_state_ops *state_ops;

    /* --- calls of the common device into the version; any may be NULL -------------------- */
    /* A new context stands, states are at their defaults and have been sent: the driver has none of the version's objects. */
    void (*context_created)(struct rt_device *device);
    /* Reset: the context goes, with all that lies in it alone. The recording under way has ended. */
    void (*context_lost)(struct rt_device *device);
    /* The device goes: frees what is the version's own. Called while link and context still stand. */
    void (*device_destroyed)(struct rt_device *device);
    /* Format of the vertices that the next draw reads if a flexible vertex format says so, 0: something else does. */
    uint32_t (*current_fvf)(const struct rt_device *device);
    /* Bytes that the next draw may read of one vertex of stream 0, from its start to the end of the last element; 0: none are known. */
    unsigned (*vertex_bytes)(const struct rt_device *device);

    /* --- rules ---------------------------------------------------------------------------- */
    uint8_t lock_rules[RT_LOCKABLES];    /* enum rt_lock_rule */
    enum rt_window_policy window_policy; /* full screen */
    bool returns_with_focus;             /* a full-screen device is not lost for good when the focus goes */
    HRESULT reset_refused;               /* Reset while resources of the default pool are left */
    bool reset_keeps_all;                /* Reset: states, bindings and the default pool survive, nothing is refused */
    bool reports_virtual_memory;         /* GetAvailableTextureMem: all there is, whatever has been taken of it */
    bool additional_chains_refuse_reset; /* additional swap chains count as such resources */
    bool back_buffers_belong_to_swapchain; /* GetContainer of a back buffer; else the device is asked */
    bool viewport_must_fit;                /* SetViewport refuses what reaches beyond the target */
    bool checks_lights;                    /* SetLight refuses unknown types and negative attenuation */
    bool clamps_clip_planes;               /* numbers beyond the last plane mean the last one, else are refused */
    bool present_needs_window;             /* Present fails once the swap chain's window has been destroyed */
    bool keeps_discarded;                  /* D3DSWAPEFFECT_DISCARD: a window's only back buffer keeps its picture */
    bool keeps_fpu_in_64_bits;             /* a 64-bit process keeps its x87 control word, asked or not */
    unsigned max_back_buffers;             /* of one swap chain */
};

#endif
