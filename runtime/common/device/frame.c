/* SPDX-License-Identifier: MIT */
/* Life and Reset of a device's frame. */
#include "runtime/common/device/frame.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/driver/formats.h"

#define CREATE_NOWINDOWCHANGES 0x800u /* the headers of Direct3D 8 lack it */

/* --- what Reset makes again ------------------------------------------------------------ */

static HRESULT create_auto_depth(struct rt_frame *frame)
{
    const struct rt_present_params *p = &frame->swapchain->params;
    struct rt_chain_desc chain = {.kind = RT_CHAIN_DEPTH,
                                  .memory = RT_MEMORY_VIDEO,
                                  .format = p->depth_format,
                                  .width = p->width * frame->swapchain->times,
                                  .height = p->height * frame->swapchain->times,
                                  .depth = 1,
                                  .samples = p->samples};
    const unsigned samples = frame->swapchain->samples;
    const struct rt_surface_desc desc = {.format = p->depth_format,
                                         .usage = D3DUSAGE_DEPTHSTENCIL,
                                         .pool = RT_POOL_DEFAULT,
                                         .samples = p->samples,
                                         .quality = p->quality,
                                         .width = p->width,
                                         .height = p->height};
    const struct rt_format *format = rt_format_info(p->depth_format);
    struct rt_chain *memory;
    HRESULT hr;

    if (SUCCEEDED(rt_check_multisample(frame->device->adapter, p->depth_format, samples, NULL)))
        chain.samples = samples;
    hr = rt_chain_create(frame->device->link, &chain, &memory);
    if (FAILED(hr))
        return hr;
    frame->auto_depth =
        rt_surface_wrap(frame->device, memory, 0, &desc, !p->samples && format && format->flags & RT_FORMAT_LOCKABLE);
    if (!frame->auto_depth) {
        rt_chain_destroy(memory);
        return E_OUTOFMEMORY;
    }
    frame->auto_depth->owns_chain = true;
    return D3D_OK;
}

static HRESULT create_buffers(struct rt_frame *frame, const struct rt_present_params *params)
{
    HRESULT hr = frame->swapchain ? rt_swapchain_reset(frame->swapchain, params)
                                  : rt_swapchain_create(frame->device, params, true, &frame->swapchain);

    return SUCCEEDED(hr) && params->auto_depth ? create_auto_depth(frame) : hr;
}

static HRESULT create_all(struct rt_frame *frame, const struct rt_present_params *params)
{
    HRESULT hr = create_buffers(frame, params);

    return SUCCEEDED(hr) ? rt_device_create_context(frame->device, frame->swapchain->back[0], frame->auto_depth) : hr;
}

static void free_auto_depth(struct rt_frame *frame)
{
    if (frame->auto_depth)
        rt_resource_unhold(&frame->auto_depth->res);
    frame->auto_depth = NULL;
}

static void free_buffers(struct rt_frame *frame)
{
    free_auto_depth(frame);
    if (frame->swapchain)
        rt_swapchain_free_buffers(frame->swapchain);
}

/* For a Reset that keeps the context and its states: only values that depend on the back buffer's size change. If
 * memory is short, a windowed device gets buffers as it had, and continues; if that fails too, it has no context any
 * more. */
static HRESULT replace_buffers(struct rt_frame *frame, const struct rt_present_params *params)
{
    const struct rt_present_params before = frame->swapchain->params;
    HRESULT hr = create_buffers(frame, params), restored = hr;
    const struct rt_present_params *p = &frame->swapchain->params;
    struct rt_device *device = frame->device;
    const D3DVIEWPORT8 *old = &device->pipe.state.viewport;

    if (FAILED(hr)) {
        free_auto_depth(frame);
        restored = before.windowed && params->windowed ? create_buffers(frame, &before) : hr;
    }
    if (FAILED(restored)) {
        free_buffers(frame);
        rt_link_destroy_context(device->link);
        return hr;
    }
    rt_device_bind_target_and_depth(device, frame->swapchain->back[0], frame->auto_depth);
    rt_set_viewport(&device->pipe, &(D3DVIEWPORT8){0, 0, p->width, p->height, old->MinZ, old->MaxZ});
    rt_set_scissor(&device->pipe, &(RECT){0, 0, (LONG)p->width, (LONG)p->height});
    return hr;
}

static bool switch_screen(struct rt_frame *frame, const struct rt_present_params *p)
{
    const D3DDEVICE_CREATION_PARAMETERS *creation = &frame->device->creation;
    HWND window = p->window ? p->window : creation->hFocusWindow;

    if (p->windowed) {
        rt_fullscreen_leave(&frame->fullscreen, false);
        return true;
    }
    return rt_fullscreen_enter(&frame->fullscreen, creation->AdapterOrdinal, window,
                               creation->hFocusWindow ? creation->hFocusWindow : window, p->width, p->height,
                               rt_format_without_alpha(p->format));
}

/* --- life ------------------------------------------------------------------------------ */

static void frame_destroy(struct rt_frame *frame)
{
    free_buffers(frame);
    if (frame->swapchain)
        rt_resource_unhold(&frame->swapchain->res);
    rt_fullscreen_leave(&frame->fullscreen, true);
    rt_cursor_free(&frame->cursor);
}

HRESULT rt_frame_init(struct rt_frame *frame, struct rt_device *device, const struct rt_present_params *params,
                      uint32_t display_format)
{
    const bool leaves_window =
        device->api->obeys_no_window_changes && device->creation.BehaviorFlags & CREATE_NOWINDOWCHANGES;
    const struct rt_present_params *p;
    HRESULT hr;

    frame->device = device;
    frame->display_format = display_format;
    frame->fullscreen.policy = leaves_window ? RT_WINDOW_LEAVE : device->api->window_policy;
    frame->fullscreen.returns = device->api->returns_with_focus;
    device->frame = frame;
    device->destroy_frame = frame_destroy;
    hr = switch_screen(frame, params) ? create_all(frame, params) : D3DERR_NOTAVAILABLE;
    if (FAILED(hr))
        return hr;
    p = &frame->swapchain->params;
    log_info("device: %ux%u %s, format %u, %u back buffers", p->width, p->height,
             p->windowed ? "windowed" : "full screen", (unsigned)p->format, p->count);
    return D3D_OK;
}

/* --- lost and reset -------------------------------------------------------------------- */

HRESULT WINAPI rt_device_TestCooperativeLevel(void *iface)
{
    static const HRESULT results[] = {D3D_OK, D3DERR_DEVICELOST, D3DERR_DEVICENOTRESET};
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    return results[rt_fullscreen_status(&device->frame->fullscreen)];
}

/* Unbinds everything, except for the back buffer, if there is one. */
static void unbind_all(struct rt_frame *frame)
{
    struct rt_surface *back = frame->swapchain->back_count ? frame->swapchain->back[0] : NULL;

    rt_pipe_unbind(&frame->device->pipe);
    for (unsigned i = 1; i < RT_TARGETS; i++)
        rt_device_bind_target(frame->device, i, NULL);
    rt_device_bind_target_and_depth(frame->device, back, NULL);
}

static bool is_in_the_way(const struct rt_frame *frame)
{
    return frame->device->default_pool_count || (frame->auto_depth && frame->auto_depth->res.refs) ||
           rt_swapchain_is_referenced(frame->swapchain);
}

HRESULT rt_frame_reset(struct rt_frame *frame, const struct rt_present_params *params, uint32_t display_format)
{
    struct rt_device *device = frame->device;
    const bool keeps_context = device->api->reset_keeps_all && rt_link_has_context(device->link);
    HRESULT hr = D3DERR_INVALIDCALL;

    if (!device->api->reset_keeps_all) {
        unbind_all(frame);
        if (is_in_the_way(frame)) {
            log_info("Reset refused: %ld resources of the default pool are left", (long)device->default_pool_count);
            frame->fullscreen.status = RT_DEVICE_NOT_RESET;
            return device->api->reset_refused;
        }
    }
    rt_device_stop_recording(device);
    if (keeps_context)
        rt_device_unbind_targets(device); /* a scene stays open (test_scene of Wine's d3d9ex suite) */
    else
        rt_device_lose_context(device);
    free_buffers(frame);
    frame->display_format = display_format;
    if (switch_screen(frame, params))
        hr = keeps_context ? replace_buffers(frame, params) : create_all(frame, params);
    else if (keeps_context)
        rt_link_destroy_context(device->link);
    frame->fullscreen.status = SUCCEEDED(hr) ? RT_DEVICE_OPERATIONAL : RT_DEVICE_NOT_RESET;
    return hr;
}
