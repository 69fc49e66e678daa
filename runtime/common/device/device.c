/* SPDX-License-Identifier: MIT */
/* Life and Reset of the device. */
#include "runtime/common/device/device.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/driver/formats.h"

#define CREATE_NOWINDOWCHANGES 0x800u /* the headers of Direct3D 8 lack it */

/* Single precision, round to nearest, no exceptions. The original sets this unless told not to, and games depend on
 * it. */
static void setup_fpu(void)
{
#if defined(__i386__) || defined(__x86_64__)
    unsigned short cw;

    __asm__ volatile("fnstcw %0" : "=m"(cw));
    cw = (unsigned short)((cw & ~0xf3f) | 0x3f);
    __asm__ volatile("fldcw %0" : : "m"(cw));
#endif
}

/* --- what Reset makes again ------------------------------------------------------------ */

static HRESULT create_auto_depth(struct rt_device *device)
{
    const struct rt_present_params *p = &device->swapchain->params;
    struct rt_chain_desc chain = {.kind = RT_CHAIN_DEPTH,
                                  .memory = RT_MEMORY_VIDEO,
                                  .format = p->depth_format,
                                  .width = p->width,
                                  .height = p->height,
                                  .depth = 1,
                                  .samples = p->samples};
    const struct rt_surface_desc desc = {.format = p->depth_format,
                                         .usage = D3DUSAGE_DEPTHSTENCIL,
                                         .pool = D3DPOOL_DEFAULT,
                                         .samples = p->samples,
                                         .quality = p->quality,
                                         .width = p->width,
                                         .height = p->height};
    const struct rt_format *format = rt_format_info(p->depth_format);
    struct rt_chain *memory;
    HRESULT hr = rt_chain_create(device->link, &chain, &memory);

    if (FAILED(hr))
        return hr;
    device->auto_depth =
        rt_surface_wrap(device, memory, 0, &desc, !p->samples && format && format->flags & RT_FORMAT_LOCKABLE);
    if (!device->auto_depth) {
        rt_chain_destroy(memory);
        return E_OUTOFMEMORY;
    }
    device->auto_depth->owns_chain = true;
    return D3D_OK;
}

/* Vertices may be processed in software, with more constants. */
static bool needs_software_constants(const struct rt_device *device)
{
    return device->api->has_software_constants &&
           (device->creation.BehaviorFlags & (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_MIXED_VERTEXPROCESSING));
}

/* Context and states, once there are buffers. */
static HRESULT create_context(struct rt_device *device)
{
    const struct rt_present_params *p = &device->swapchain->params;
    const struct rt_state_options options = {.rules = device->api->state_rules,
                                             .depth_buffer = p->auto_depth,
                                             .max_point_size = device->caps.MaxPointSize,
                                             .software = needs_software_constants(device)};

    if (!rt_link_create_context(device->link, device->swapchain->chain, 1,
                                device->auto_depth ? device->auto_depth->chain : NULL))
        return D3DERR_DRIVERINTERNALERROR;
    if (!rt_state_init(&device->pipe.state, &options)) {
        rt_link_destroy_context(device->link);
        return E_OUTOFMEMORY;
    }
    device->pipe.state.viewport = (D3DVIEWPORT8){0, 0, p->width, p->height, 0.0f, 1.0f};
    device->pipe.state.scissor = (RECT){0, 0, (LONG)p->width, (LONG)p->height};
    rt_device_bind_target_and_depth(device, device->swapchain->back[0], device->auto_depth);
    rt_pipe_resend(&device->pipe);
    if (device->api->context_created)
        device->api->context_created(device);
    rt_palettes_lost(device);
    device->in_scene = false;
    if (rt_flush(device->link) != E_OUTOFMEMORY)
        return D3D_OK;
    /* Out of memory: the driver has not got all shaders and declarations, and a Reset that keeps the context would
     * never send them. */
    rt_link_destroy_context(device->link);
    return E_OUTOFMEMORY;
}

static HRESULT create_buffers(struct rt_device *device, const struct rt_present_params *params)
{
    HRESULT hr = device->swapchain ? rt_swapchain_reset(device->swapchain, params)
                                   : rt_swapchain_create(device, params, true, &device->swapchain);

    return SUCCEEDED(hr) && params->auto_depth ? create_auto_depth(device) : hr;
}

static HRESULT create_frame(struct rt_device *device, const struct rt_present_params *params)
{
    HRESULT hr = create_buffers(device, params);

    return SUCCEEDED(hr) ? create_context(device) : hr;
}

static void unhold(struct rt_surface **surface)
{
    if (*surface)
        rt_resource_unhold(&(*surface)->res);
    *surface = NULL;
}

/* For a Reset that keeps the context and its states: only values that depend on the back buffer's size change. If
 * memory is short, a windowed device gets buffers as it had, and continues; if that fails too, it has no context any
 * more. */
static HRESULT replace_frame(struct rt_device *device, const struct rt_present_params *params)
{
    const struct rt_present_params before = device->swapchain->params;
    HRESULT hr = create_buffers(device, params), restored = hr;
    const struct rt_present_params *p = &device->swapchain->params;
    const D3DVIEWPORT8 *old = &device->pipe.state.viewport;

    if (FAILED(hr)) {
        unhold(&device->auto_depth);
        restored = before.windowed && params->windowed ? create_buffers(device, &before) : hr;
    }
    if (FAILED(restored)) {
        unhold(&device->auto_depth);
        rt_swapchain_free_buffers(device->swapchain);
        rt_link_destroy_context(device->link);
        return hr;
    }
    rt_device_bind_target_and_depth(device, device->swapchain->back[0], device->auto_depth);
    rt_set_viewport(&device->pipe, &(D3DVIEWPORT8){0, 0, p->width, p->height, old->MinZ, old->MaxZ});
    rt_set_scissor(&device->pipe, &(RECT){0, 0, (LONG)p->width, (LONG)p->height});
    return hr;
}

static void destroy_frame(struct rt_device *device)
{
    rt_flush(device->link);
    rt_link_destroy_context(device->link);
    /* There may be no next frame: objects that are not sent then must not be asked for their handles. */
    for (unsigned i = 0; i < RT_TARGETS; i++)
        rt_device_bind_target(device, i, NULL);
    rt_device_bind_depth(device, NULL);
    unhold(&device->auto_depth);
    if (device->swapchain)
        rt_swapchain_free_buffers(device->swapchain);
}

/* The same, except for the context. A scene stays open (test_scene of Wine's d3d9ex suite). */
static void destroy_buffers(struct rt_device *device)
{
    for (unsigned i = 0; i < RT_TARGETS; i++)
        rt_device_bind_target(device, i, NULL);
    rt_device_bind_depth(device, NULL);
    unhold(&device->auto_depth);
    rt_swapchain_free_buffers(device->swapchain);
}

static void stop_recording(struct rt_device *device)
{
    if (device->recording)
        rt_block_destroy(device->recording);
    device->recording = NULL;
}

/* Unbinds everything, except for the back buffer, if there is one. */
static void unbind_all(struct rt_device *device)
{
    struct rt_surface *back = device->swapchain->back_count ? device->swapchain->back[0] : NULL;

    rt_pipe_unbind(&device->pipe);
    for (unsigned i = 1; i < RT_TARGETS; i++)
        rt_device_bind_target(device, i, NULL);
    rt_device_bind_target_and_depth(device, back, NULL);
}

/* --- life ------------------------------------------------------------------------------ */

static bool switch_screen(struct rt_device *device, const struct rt_present_params *p)
{
    HWND window = p->window ? p->window : device->creation.hFocusWindow;

    if (p->windowed) {
        rt_fullscreen_leave(&device->fullscreen, false);
        return true;
    }
    return rt_fullscreen_enter(&device->fullscreen, device->creation.AdapterOrdinal, window,
                               device->creation.hFocusWindow ? device->creation.hFocusWindow : window, p->width,
                               p->height, rt_format_without_alpha(p->format));
}

static void device_destroy(struct rt_device_base *base)
{
    struct rt_device *device = rt_device_of_base(base);

    /* Resources that die here must not take the device down a second time. */
    base->refs = 1;
    stop_recording(device);
    /* Bound objects are destroyed here at the latest, and may need data that the version frees. */
    rt_state_release(&device->pipe.state);
    if (device->api->device_destroyed)
        device->api->device_destroyed(device);
    destroy_frame(device);
    if (device->swapchain)
        rt_resource_unhold(&device->swapchain->res);
    rt_palettes_free(device);
    rt_patches_forget(device);
    rt_chain_destroy(device->up_indices);
    rt_fullscreen_leave(&device->fullscreen, true);
    rt_cursor_free(&device->cursor);
    rt_link_close(device->link);
    rt_adapter_tell_frames(device->adapter);
    device->parent->lpVtbl->Release(device->parent);
    DeleteCriticalSection(&base->lock);
    free(device);
}

HRESULT rt_check_behavior(const struct rt_adapter *adapter, DWORD flags)
{
    DWORD processing = flags & (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING |
                                D3DCREATE_MIXED_VERTEXPROCESSING);
    DWORD caps = rt_adapter_caps(adapter)->DevCaps;

    if (!processing || (processing & (processing - 1)))
        return D3DERR_INVALIDCALL;
    if (processing != D3DCREATE_SOFTWARE_VERTEXPROCESSING && !(caps & D3DDEVCAPS_HWTRANSFORMANDLIGHT))
        return D3DERR_INVALIDCALL;
    if ((flags & D3DCREATE_PUREDEVICE) && processing != D3DCREATE_HARDWARE_VERTEXPROCESSING)
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* Initializes everything that Reset does not make. False: out of memory. */
static bool begin(struct rt_device *device, const struct rt_device_desc *desc)
{
    const DWORD flags = desc->creation.BehaviorFlags;

    device->api = desc->api;
    device->adapter = desc->adapter;
    device->creation = desc->creation;
    device->caps = desc->caps;
    device->display_format = desc->display_format;
    device->link = rt_link_open(desc->adapter);
    if (!device->link)
        return false;
    rt_device_base_init(&device->base, flags & D3DCREATE_MULTITHREADED, device_destroy);
    device->parent->lpVtbl->AddRef(device->parent);
    device->pipe.link = device->link;
    device->pipe.ops = desc->api->state_ops;
    device->pipe.user = device;
    device->pipe.pure = flags & D3DCREATE_PUREDEVICE;
    device->fullscreen.policy = desc->api->obeys_no_window_changes && (flags & CREATE_NOWINDOWCHANGES)
                                    ? RT_WINDOW_LEAVE
                                    : desc->api->window_policy;
    device->fullscreen.returns = desc->api->returns_with_focus;
    return true;
}

HRESULT rt_device_init(struct rt_device *device, const struct rt_device_desc *desc,
                       const struct rt_present_params *params)
{
    const struct rt_present_params *p;
    HRESULT hr;

    if (!begin(device, desc)) {
        free(device);
        return E_OUTOFMEMORY;
    }
    if (!(desc->creation.BehaviorFlags & D3DCREATE_FPU_PRESERVE) &&
        !(sizeof(void *) == 8 && device->api->keeps_fpu_in_64_bits))
        setup_fpu();
    hr = switch_screen(device, params) ? create_frame(device, params) : D3DERR_NOTAVAILABLE;
    if (FAILED(hr)) {
        device_destroy(&device->base);
        return hr;
    }
    p = &device->swapchain->params;
    log_info("device: %ux%u %s, format %u, %u back buffers", p->width, p->height,
             p->windowed ? "windowed" : "full screen", (unsigned)p->format, p->count);
    return D3D_OK;
}

ULONG WINAPI rt_device_AddRef(void *iface)
{
    return rt_device_base_addref(&rt_device_of(iface)->base);
}

ULONG WINAPI rt_device_Release(void *iface)
{
    return rt_device_base_release(&rt_device_of(iface)->base);
}

HRESULT WINAPI rt_device_GetDirect3D(void *iface, void **out)
{
    IUnknown *parent = rt_device_of(iface)->parent;

    if (!out)
        return D3DERR_INVALIDCALL;
    parent->lpVtbl->AddRef(parent);
    *out = parent;
    return D3D_OK;
}

/* --- lost and reset -------------------------------------------------------------------- */

HRESULT WINAPI rt_device_TestCooperativeLevel(void *iface)
{
    static const HRESULT results[] = {D3D_OK, D3DERR_DEVICELOST, D3DERR_DEVICENOTRESET};
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return results[rt_fullscreen_status(&device->fullscreen)];
}

static bool is_in_the_way(const struct rt_device *device)
{
    return device->default_pool_count || (device->auto_depth && device->auto_depth->res.refs) ||
           rt_swapchain_is_referenced(device->swapchain);
}

/* Everything goes. */
static void lose_frame(struct rt_device *device)
{
    if (device->api->context_lost)
        device->api->context_lost(device);
    rt_state_release(&device->pipe.state);
    rt_patches_forget(device);
    destroy_frame(device);
}

HRESULT rt_device_reset(struct rt_device *device, const struct rt_present_params *params, uint32_t display_format)
{
    const bool keeps_context = device->api->reset_keeps_all && rt_link_has_context(device->link);
    HRESULT hr = D3DERR_INVALIDCALL;

    if (!device->api->reset_keeps_all) {
        unbind_all(device);
        if (is_in_the_way(device)) {
            log_info("Reset refused: %ld resources of the default pool are left", (long)device->default_pool_count);
            device->fullscreen.status = RT_DEVICE_NOT_RESET;
            return device->api->reset_refused;
        }
    }
    stop_recording(device);
    if (keeps_context)
        destroy_buffers(device);
    else
        lose_frame(device);
    device->display_format = display_format;
    if (switch_screen(device, params))
        hr = keeps_context ? replace_frame(device, params) : create_frame(device, params);
    else if (keeps_context)
        rt_link_destroy_context(device->link);
    device->fullscreen.status = SUCCEEDED(hr) ? RT_DEVICE_OPERATIONAL : RT_DEVICE_NOT_RESET;
    return hr;
}
