/* SPDX-License-Identifier: MIT */
/* Clear: rectangles cut to the viewport, as the command that the driver gets. */
#include "runtime/common/device/draw.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/driver/formats.h"
#include "runtime/common/state/enlarge.h"

/* Larger than any surface: the driver clips to the edges of each. */
static SIZE size_of_surfaces(const struct rt_device *device)
{
    SIZE size = {0, 0};

    for (unsigned i = 0; i <= RT_TARGETS; i++) {
        const struct rt_surface *surface = i < RT_TARGETS ? device->target[i] : device->depth;

        if (surface) {
            size.cx = BASE_MAX(size.cx, (LONG)surface->desc.width);
            size.cy = BASE_MAX(size.cy, (LONG)surface->desc.height);
        }
    }
    return size;
}

static void enlarge_rect(RECT *rect, uint32_t times)
{
    *rect = (RECT){rt_enlarge_place(rect->left, times), rt_enlarge_place(rect->top, times),
                   rt_enlarge_place(rect->right, times), rt_enlarge_place(rect->bottom, times)};
}

/* The part of a rectangle (NULL: all) in the viewport, in pixels of the target. */
static bool clip_to_viewport(const struct rt_device *device, const D3DRECT *rect, RECT *out)
{
    const D3DVIEWPORT8 *v = &device->pipe.state.viewport;
    const SIZE size = size_of_surfaces(device);
    LONG left = (LONG)v->X, top = (LONG)v->Y;
    LONG right = (LONG)BASE_MIN(v->X + v->Width, (DWORD)size.cx);
    LONG bottom = (LONG)BASE_MIN(v->Y + v->Height, (DWORD)size.cy);

    *out = (RECT){left, top, right, bottom};
    if (rect) {
        out->left = BASE_MAX(left, rect->x1);
        out->top = BASE_MAX(top, rect->y1);
        out->right = BASE_MIN(right, rect->x2);
        out->bottom = BASE_MIN(bottom, rect->y2);
    }
    if (out->left >= out->right || out->top >= out->bottom)
        return false;
    enlarge_rect(out, device->pipe.times);
    return true;
}

static HRESULT check_clear(const struct rt_device *device, DWORD flags)
{
    if (!device->target[0] || !flags || (flags & ~(DWORD)(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)))
        return D3DERR_INVALIDCALL;
    if ((flags & (D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)) && !device->depth)
        return D3DERR_INVALIDCALL;
    if ((flags & D3DCLEAR_STENCIL) && !(rt_format_info(device->depth->desc.format)->flags & RT_FORMAT_STENCIL))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* Rectangles of one command: far more than programs have, and less than a batch holds. */
#define CLEAR_RECTS 8192

/* A command with room for so many rectangles, which may be unaligned; NULL: out of memory. */
static uint8_t *put_clear(struct rt_device *device, const D3DHAL_DP2CLEAR *clear, unsigned count)
{
    const size_t head = offsetof(D3DHAL_DP2CLEAR, Rects);
    uint8_t *body =
        rt_put(device->link, D3DDP2OP_CLEAR, (uint16_t)count, NULL, head + BASE_MAX(count, 1u) * sizeof(RECT));

    if (!body)
        return NULL;
    memcpy(body, clear, head);
    return body + head;
}

/* On a pure device the driver clips rectangles to its viewport, and clears the whole viewport if there are none; the
 * stream then carries one meaningless rectangle (DirectX 8 DDI document, "Processing the D3DDP2OP_CLEAR DP2 Token"). */
static void clear_computed(struct rt_device *device, D3DHAL_DP2CLEAR *clear, const D3DRECT *rects, DWORD count)
{
    clear->dwFlags |= D3DCLEAR_COMPUTERECTS;
    if (!rects) {
        uint8_t *filler = put_clear(device, clear, 0);
        if (filler)
            memset(filler, 0, sizeof(RECT));
        return;
    }
    for (DWORD done = 0; done < count; done += CLEAR_RECTS) {
        unsigned n = (unsigned)BASE_MIN(count - done, CLEAR_RECTS);
        uint8_t *to = put_clear(device, clear, n);
        if (to)
            memcpy(to, rects + done, n * sizeof(*rects)); /* a D3DRECT has the layout of a RECT */
    }
}

/* One command for the visible rectangles. */
static void clear_clipped(struct rt_device *device, const D3DHAL_DP2CLEAR *clear, const D3DRECT *rects, DWORD count)
{
    for (DWORD done = 0; done < count; done += CLEAR_RECTS) {
        DWORD end = BASE_MIN(count, done + CLEAR_RECTS);
        unsigned visible = 0;
        uint8_t *to;
        RECT rect;
        for (DWORD i = done; i < end; i++)
            visible += clip_to_viewport(device, &rects[i], &rect);
        to = visible ? put_clear(device, clear, visible) : NULL;
        for (DWORD i = done; to && i < end; i++) {
            if (clip_to_viewport(device, &rects[i], &rect)) {
                memcpy(to, &rect, sizeof(rect));
                to += sizeof(rect);
            }
        }
    }
}

HRESULT WINAPI rt_device_Clear(void *iface, DWORD count, const D3DRECT *rects, DWORD flags, D3DCOLOR color, float z,
                               DWORD stencil)
{
    struct rt_device *device = rt_device_of(iface);
    D3DHAL_DP2CLEAR clear = {flags, color, z, stencil, {{0, 0, 0, 0}}};
    HRESULT hr;
    RT_LOCK(&device->base);

    hr = check_clear(device, flags);
    if (FAILED(hr))
        return hr;
    if (!count && rects)
        return D3D_OK;
    if (device->attention & RT_TARGETS_CHANGED)
        rt_device_match_samples(device);
    rt_pipe_bind_targets(&device->pipe);
    if (device->pipe.pure)
        clear_computed(device, &clear, rects, count);
    else if (rects)
        clear_clipped(device, &clear, rects, count);
    else if (clip_to_viewport(device, NULL, &clear.Rects[0]))
        rt_put(device->link, D3DDP2OP_CLEAR, 1, &clear, sizeof(clear));
    return D3D_OK;
}
