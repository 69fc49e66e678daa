/* SPDX-License-Identifier: MIT */
/*
 * Swap chains: a front buffer, back buffers, and presentation to the window. The front buffer holds the picture that
 * the window shows. The driver flips or copies to it, so that captures contain it too.
 */
#ifndef HALCYON_RUNTIME_SWAPCHAIN_H
#define HALCYON_RUNTIME_SWAPCHAIN_H

#include "d3d/types.h"
#include "runtime/common/object/object.h"
#include "runtime/common/object/surface.h"
#include "runtime/common/window/present.h"

/* Numbers of D3DSWAPEFFECT of version 9; COPY_VSYNC of version 8 is COPY with an interval of one refresh. */
enum rt_swap_effect { RT_SWAP_DISCARD = 1, RT_SWAP_FLIP = 2, RT_SWAP_COPY = 3, RT_SWAP_FLIPEX = 5 };

/* D3DPRESENT_PARAMETERS of any version. */
struct rt_present_params {
    unsigned width, height; /* of back buffers; windowed, 0: the client area's */
    uint32_t format;        /* of back buffers */
    unsigned count;         /* of back buffers; 0: 1 */
    unsigned samples;       /* D3DMULTISAMPLE_TYPE */
    unsigned quality;
    enum rt_swap_effect effect;
    HWND window; /* NULL: the focus window */
    bool windowed;
    bool auto_depth;
    uint32_t depth_format; /* of the depth buffer that the device makes */
    DWORD flags;           /* D3DPRESENTFLAG_* */
    unsigned refresh;      /* Hz, full screen; 0: any */
    DWORD interval;        /* D3DPRESENT_INTERVAL_*; a version 8 window that does not wait: IMMEDIATE */
};

struct rt_swapchain {
    RT_OBJECT;
    struct rt_present_params params; /* completed: sizes, window, count */
    unsigned times;                  /* how many times as large as params.width x height the buffers are */
    unsigned samples;                /* of the buffers: params.samples, or by the setting (multisample.h) */
    struct rt_chain *chain;          /* part 0 front, 1... back buffers; NULL: a Reset failed */
    struct rt_surface **back;
    unsigned back_count; /* params.count, or 0 after a Reset that failed */
    struct rt_presenter presenter;
    D3DGAMMARAMP gamma;
    unsigned frame_limit; /* frames a second; 0: none */
    uint32_t presented;   /* frames, since it was made */
    bool implicit;
    bool in_default_pool; /* counted as a reason for Reset to fail */
};

/* `params` have been checked. implicit: the device's own, with one hold and no COM reference; others have a reference.
 * *swapchain becomes NULL on failure. */
HRESULT rt_swapchain_create(struct rt_device *device, const struct rt_present_params *params, bool implicit,
                            struct rt_swapchain **swapchain);
/* New buffers, after Reset; gamma stays. The old ones are freed even on failure. */
HRESULT rt_swapchain_reset(struct rt_swapchain *swapchain, const struct rt_present_params *params);
/* A Reset begins: frees the buffers. Surfaces that somebody still holds lose their memory. */
void rt_swapchain_free_buffers(struct rt_swapchain *swapchain);
/* Some back buffer has a COM reference. */
bool rt_swapchain_is_referenced(const struct rt_swapchain *swapchain);
/* Gives a COM reference. D3DERR_INVALIDCALL, with *surface unchanged, if there is no such buffer. */
HRESULT rt_swapchain_back_buffer(struct rt_swapchain *swapchain, unsigned index, struct rt_surface **surface);
/* source, destination: part of the back buffer and of the window's client area; ignored in full screen; window NULL:
 * that of the parameters; dirty: what changed, for RT_SWAP_COPY. D3DERR_INVALIDCALL for impossible rectangles;
 * D3DERR_DEVICELOST without buffers; for a destroyed window see api->present_needs_window. */
HRESULT rt_swapchain_present(struct rt_swapchain *swapchain, const RECT *source, const RECT *destination, HWND window,
                             const RGNDATA *dirty);
/* GetFrontBuffer: the adapter's screen into an A8R8G8B8 surface of SYSTEMMEM at least as large; D3DERR_INVALIDCALL for another. */
HRESULT rt_swapchain_front(struct rt_swapchain *swapchain, struct rt_surface *surface);

static inline struct rt_swapchain *rt_swapchain_of(void *iface)
{
    return iface;
}

#endif
