/* SPDX-License-Identifier: MIT */
/* Present and GetFrontBuffer. */
#include "runtime/common/device/device.h"
#include "runtime/common/device/frame.h"
#include "runtime/common/device/swapchain.h"
#include "runtime/common/object/surface_twin.h"
#include "runtime/common/window/display.h"

#include <d3d8.h>

#include "base/base.h"

/* Is the picture copied to the front buffer, so that the back buffer stays as it is? D3DSWAPEFFECT_DISCARD promises
 * nothing. But in a window the only back buffer keeps its picture on Windows, and programs for Direct3D 9 rely on
 * it; those for 8 come from a time when cards flipped, so the copy is omitted. */
static bool copies_back_buffer(const struct rt_swapchain *swapchain)
{
    const struct rt_present_params *p = &swapchain->params;

    return p->effect == RT_SWAP_COPY || (p->effect == RT_SWAP_DISCARD && swapchain->device->api->keeps_discarded &&
                                         p->windowed && p->count == 1 && p->samples < 2);
}

/* --- rectangles ------------------------------------------------------------------------ */

/* Whether the rectangles mean the whole picture in the whole window, as if they were not there. */
static bool whole(const struct rt_present_params *p, HWND window, const RECT *source, const RECT *destination)
{
    RECT all = {0, 0, (LONG)p->width, (LONG)p->height}, client;

    if (source && !EqualRect(source, &all))
        return false;
    return !destination || (GetClientRect(window, &client) && EqualRect(destination, &client));
}

static unsigned front_width(const struct rt_swapchain *swapchain)
{
    return swapchain->params.width * swapchain->times;
}

static unsigned front_height(const struct rt_swapchain *swapchain)
{
    return swapchain->params.height * swapchain->times;
}

static void enlarge_rect(const struct rt_swapchain *swapchain, RECT *rect)
{
    const LONG times = (LONG)swapchain->times;

    SetRect(rect, rect->left * times, rect->top * times, rect->right * times, rect->bottom * times);
}

/* Clips the source to the back buffer and leaves the destination; false: nothing is left. */
static bool cut_source(const struct rt_present_params *p, const RECT *source, RECT *cut)
{
    RECT all = {0, 0, (LONG)p->width, (LONG)p->height};

    *cut = all;
    return !source || IntersectRect(cut, source, &all);
}

/* Maps a part of the window to the front buffer, which may have another size. */
static bool front_rect(const struct rt_swapchain *swapchain, HWND window, const RECT *destination, RECT *rect)
{
    RECT all = {0, 0, (LONG)front_width(swapchain), (LONG)front_height(swapchain)}, client, scaled;

    *rect = all;
    if (!destination || !GetClientRect(window, &client) || client.right <= 0 || client.bottom <= 0)
        return true;
    SetRect(&scaled, MulDiv(destination->left, all.right, client.right),
            MulDiv(destination->top, all.bottom, client.bottom), MulDiv(destination->right, all.right, client.right),
            MulDiv(destination->bottom, all.bottom, client.bottom));
    return IntersectRect(rect, &scaled, &all);
}

/* --- presentation ---------------------------------------------------------------------- */

static HRESULT to_front(struct rt_swapchain *swapchain, const RECT *source, const RECT *destination, HWND window)
{
    RECT to;

    if (!copies_back_buffer(swapchain) && !source && !destination)
        return rt_chain_flip(swapchain->chain);
    if (!front_rect(swapchain, window, destination, &to))
        return D3D_OK;
    return rt_chain_blt(swapchain->chain, 0, &to, swapchain->chain, 1, source,
                        DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION);
}

/* Called before the frame ends, because a request captures the frames after it. Asks only a driver that waits for
 * requests. */
static void look_at_capture_key(struct rt_swapchain *swapchain)
{
    struct rt_link *link = swapchain->device->link;

    if (rt_capture_key_pressed(&swapchain->presenter.capture_key) &&
        rt_link_capture(link, 0) == HALCYON_CAPTURE_WAITING)
        rt_link_capture(link, (unsigned)config_int("capture_count"));
}

static const char *capture_state(struct rt_swapchain *swapchain)
{
    if (!config_string("capture")[0])
        return "";
    switch (rt_link_capture(swapchain->device->link, 0)) {
    case HALCYON_CAPTURE_WRITING:
        return RT_HUD_CAPTURING;
    case HALCYON_CAPTURE_WAITING:
        return swapchain->presenter.capture_key.code ? config_string("capture_key") : "";
    default:
        return "";
    }
}

/* capture: state when the frame was drawn. */
static bool figures(struct rt_swapchain *swapchain, uint32_t frame, const char *capture, struct rt_hud_counts *counts)
{
    struct rt_device *device = swapchain->device;
    HALCYON_WORK work = {.threads = 0};
    HALCYON_CODE code = {.programs = 0};

    if (!swapchain->presenter.hud_items)
        return false;
    rt_link_work(device->link, &work);
    if (swapchain->presenter.hud_items & RT_HUD_CODE)
        rt_link_code(device->link, &code);
    *counts = (struct rt_hud_counts){
        .draws = device->draws,
        .triangles = device->primitives,
        .pixels = work.pixels,
        .busy = (double)work.busy * 1e-9,
        .threads = work.threads,
        .code = code,
        .frame = frame,
        .capture = capture,
    };
    return true;
}

/* Shows the front buffer; parts of the window come directly from the back buffer that they were copied from. */
static HRESULT to_window(struct rt_swapchain *swapchain, HWND window, const char *capture,
                         struct rt_presentation *frame)
{
    const struct rt_present_params *p = &swapchain->params;
    unsigned part = frame->source || frame->destination ? 1 : 0;
    struct rt_hud_counts counts;
    struct rt_mapping map;
    HRESULT hr = rt_chain_lock(swapchain->chain, part, D3DLOCK_READONLY, &map);

    if (FAILED(hr))
        return hr;
    frame->picture =
        (struct rt_picture){map.bits, map.pitch, front_width(swapchain), front_height(swapchain), p->format};
    frame->width = p->width;
    frame->height = p->height;
    frame->counts = figures(swapchain, frame->number, capture, &counts) ? &counts : NULL;
    rt_pace_wait(&swapchain->presenter.pacer, swapchain->frame_limit);
    rt_present(&swapchain->presenter, window, frame);
    rt_chain_unlock(swapchain->chain, part);
    return D3D_OK;
}

/* D3DCAPS2_FULLSCREENGAMMA: hardware has one ramp for the screen, which a window must not set. */
static bool has_gamma(const struct rt_swapchain *swapchain)
{
    return swapchain->implicit && (!swapchain->params.windowed || config_bool("window_gamma"));
}

/* Buffers that were drawn to without the samples of the setting. */
static void leave_twins(struct rt_swapchain *swapchain)
{
    for (unsigned i = 0; i < swapchain->back_count; i++) {
        if (!swapchain->back[i]->on_twin)
            continue;
        rt_surface_leave_twin(swapchain->back[i]);
        swapchain->device->attention |= RT_TARGETS_CHANGED;
    }
}

HRESULT rt_swapchain_present(struct rt_swapchain *swapchain, const RECT *source, const RECT *destination, HWND window,
                             const RGNDATA *dirty)
{
    struct rt_device *device = swapchain->device;
    /* parts of a picture that is scaled are not shown singly */
    const bool shows_parts = swapchain->params.effect == RT_SWAP_COPY && swapchain->times == 1;
    struct rt_presentation frame = {.dirty = shows_parts ? dirty : NULL,
                                    .gamma = has_gamma(swapchain) ? &swapchain->gamma : NULL};
    const char *capture;
    RECT cut;
    HRESULT hr;

    if (!swapchain->chain)
        return D3DERR_DEVICELOST;
    if (!window)
        window = swapchain->params.window;
    /* The documentation of Present allows rectangles only for swap effects that copy. But in a window every
     * effect copies, and Windows accepts rectangles there with all of them, on which ANGLE relies. In full
     * screen Windows shows the whole picture, whatever the rectangles say (DXVK's tests, UpdatePresentRegion in
     * d3d9_swapchain.cpp). */
    if (!swapchain->params.windowed || whole(&swapchain->params, window, source, destination))
        source = destination = NULL;
    if ((source && IsRectEmpty(source)) || (destination && IsRectEmpty(destination)) ||
        !cut_source(&swapchain->params, source, &cut))
        return D3DERR_INVALIDCALL;
    enlarge_rect(swapchain, &cut);
    frame.source = source ? &cut : NULL;
    frame.destination = destination;
    leave_twins(swapchain);
    rt_flush(device->link);
    if (swapchain->presenter.capture_key.code)
        look_at_capture_key(swapchain);
    /* after the call that ends the frame the driver may be writing the next one */
    capture = swapchain->presenter.hud_items ? capture_state(swapchain) : "";
    hr = to_front(swapchain, source ? &cut : NULL, destination, window);
    if (FAILED(hr))
        return hr;
    swapchain->presented++;
    frame.number = rt_adapter_next_frame(device->adapter);
    if (IsWindow(window))
        return to_window(swapchain, window, capture, &frame);
    return window != swapchain->params.window || device->api->present_needs_window ? D3DERR_INVALIDCALL : D3D_OK;
}

/* --- the front buffer ------------------------------------------------------------------- */

/* The presented picture over its window's client area, in its size. */
static void paste(const struct rt_picture *picture, const RECT *area, const D3DLOCKED_RECT *to, LONG width, LONG height)
{
    unsigned bytes = rt_picture_bytes(picture->format);
    LONG w = area->right - area->left, h = area->bottom - area->top;

    for (LONG y = BASE_MAX(area->top, 0); y < area->bottom && y < height; y++) {
        const uint8_t *from = picture->bits + (size_t)((y - area->top) * (LONG)picture->height / h) * picture->pitch;
        uint8_t *row = (uint8_t *)to->pBits + (ptrdiff_t)y * to->Pitch;
        for (LONG x = BASE_MAX(area->left, 0); x < area->right && x < width; x++) {
            LONG column = (x - area->left) * (LONG)picture->width / w;
            uint32_t argb = 0xff000000 | rt_pixel_rgb(from + (size_t)column * bytes, picture->format);
            memcpy(row + 4 * x, &argb, 4);
        }
    }
}

/* Position of the picture on the adapter's screen. */
static void picture_area(const struct rt_swapchain *swapchain, HMONITOR monitor, RECT *area)
{
    const struct rt_present_params *p = &swapchain->params;
    MONITORINFO info = {.cbSize = sizeof(info)};
    POINT at = {0, 0};

    SetRect(area, 0, 0, (int)p->width, (int)p->height);
    if (!p->windowed || !GetClientRect(p->window, area))
        return;
    *area = rt_scale_place(swapchain->presenter.fit, p->width, p->height, area);
    ClientToScreen(p->window, &at);
    OffsetRect(area, at.x, at.y);
    if (monitor && GetMonitorInfoW(monitor, &info))
        OffsetRect(area, -info.rcMonitor.left, -info.rcMonitor.top);
}

/* The screen as the program last made it: what GDI sees, with the presented picture over its window
 * (a headless screen has no pixels of its own). */
HRESULT rt_swapchain_front(struct rt_swapchain *swapchain, struct rt_surface *surface)
{
    const struct rt_present_params *p = &swapchain->params;
    HMONITOR monitor = rt_display_monitor(swapchain->device->creation.AdapterOrdinal);
    D3DLOCKED_RECT locked;
    struct rt_mapping map;
    D3DDISPLAYMODE mode;
    RECT area;
    HRESULT hr;

    rt_fullscreen_mode(&swapchain->device->frame->fullscreen, swapchain->device->creation.AdapterOrdinal, &mode);
    if (surface->desc.format != D3DFMT_A8R8G8B8 || surface->desc.pool != RT_POOL_SYSTEM || !swapchain->chain)
        return D3DERR_INVALIDCALL;
    if (surface->desc.width < mode.Width || surface->desc.height < mode.Height) {
        log_info("the front buffer has %ux%u texels, the surface %ux%u", mode.Width, mode.Height, surface->desc.width,
                 surface->desc.height);
        return D3DERR_INVALIDCALL;
    }
    hr = rt_surface_lock(surface, &locked, NULL, 0);
    if (FAILED(hr))
        return hr;
    if (p->windowed)
        rt_grab_screen(monitor, locked.pBits, (size_t)locked.Pitch, surface->desc.width, surface->desc.height);
    picture_area(swapchain, monitor, &area);
    hr = rt_chain_lock(swapchain->chain, 0, D3DLOCK_READONLY, &map);
    if (SUCCEEDED(hr)) {
        struct rt_picture picture = {map.bits, map.pitch, front_width(swapchain), front_height(swapchain), p->format};
        paste(&picture, &area, &locked, (LONG)surface->desc.width, (LONG)surface->desc.height);
        rt_chain_unlock(swapchain->chain, 0);
    }
    rt_surface_unlock(surface);
    return hr;
}
