/* SPDX-License-Identifier: MIT */
/*
 * A version of the API as data: the common runtime consults it wherever versions differ. There is one constant rt_api
 * for each face that a device can have (8, 9, 9Ex), in the code of that version.
 */
#ifndef HALCYON_RUNTIME_API_H
#define HALCYON_RUNTIME_API_H

#include "runtime/common/object/object.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/state/state.h"
#include "runtime/common/window/fullscreen.h"

/* Contents of the next draw's vertices, by the declaration or the format that is set. */
struct rt_vertex_use {
    bool in_pixels;       /* positions are in pixels (XYZRHW, POSITIONT) */
    bool has_shader;      /* a vertex shader processes them */
    bool several_streams; /* in_pixels: they are not all in stream 0 */
    bool has_edges;       /* they are corners of triangles, not points or ends of lines; set by rt_enlarged_begin */
    unsigned position;    /* in_pixels: byte of a vertex of stream 0 */
    int size;             /* byte of the point size; -1: vertices have none; if it is in another stream: any */
};

struct rt_api {
    bool is_ex;
    struct rt_interface interfaces[RT_KINDS];
    const void *(*traced)(unsigned kind,
                          const void *vtbl); /* runtime/common/trace/trace.h; NULL: calls are never logged */
    const struct rt_state_rules *state_rules;
    const struct rt_state_ops *state_ops;

    /* --- calls of the common device into the version; any may be NULL -------------------- */
    /* A new context has its default states; the driver does not know any of the version's objects yet. */
    void (*context_created)(struct rt_device *device);
    /* Reset: the context is about to be destroyed, with everything that only it holds. Recording has ended. */
    void (*context_lost)(struct rt_device *device);
    /* The device is destroyed: frees the version's own data. Called while link and context still exist. */
    void (*device_destroyed)(struct rt_device *device);
    /* Flexible vertex format of the next draw's vertices; 0 if no such format describes them. */
    uint32_t (*current_fvf)(const struct rt_device *device);
    /* *use is zeroed, with size -1. */
    void (*vertex_use)(const struct rt_device *device, struct rt_vertex_use *use);
    /* Bytes of one vertex of stream 0 that the next draw may read, up to the end of the last element; 0: unknown. */
    unsigned (*vertex_bytes)(const struct rt_device *device);

    /* --- rules ---------------------------------------------------------------------------- */
    uint8_t lock_rules[RT_LOCKABLES];    /* enum rt_lock_rule */
    enum rt_window_policy window_policy; /* full screen */
    bool obeys_no_window_changes;        /* D3DCREATE_NOWINDOWCHANGES, in place of window_policy */
    bool returns_with_focus;             /* a full-screen device that loses the focus is not lost for good */
    HRESULT reset_refused;               /* result of Reset while resources of the default pool exist */
    bool reset_keeps_all;                /* Reset: states, bindings and the default pool survive, nothing is refused */
    bool has_software_constants;         /* devices that process vertices in software have RT_SOFTWARE_CONSTANTS */
    bool reports_virtual_memory;         /* GetAvailableTextureMem: the total, not what is still free */
    bool additional_chains_refuse_reset; /* additional swap chains count as such resources */
    bool back_buffers_belong_to_swapchain; /* GetContainer of a back buffer; else the device is asked */
    bool viewport_must_fit;                /* SetViewport refuses viewports that reach beyond the target */
    bool checks_lights;                    /* SetLight refuses unknown types and negative attenuation */
    bool clamps_clip_planes;               /* numbers beyond the last plane mean the last; else they are refused */
    bool present_needs_window;             /* Present fails once the swap chain's window has been destroyed */
    bool keeps_discarded;                  /* D3DSWAPEFFECT_DISCARD: a window's only back buffer keeps its picture */
    bool keeps_fpu_in_64_bits;             /* 64-bit processes always keep their x87 control word */
    unsigned max_back_buffers;             /* of one swap chain */
};

#endif
