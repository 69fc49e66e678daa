/* SPDX-License-Identifier: MIT */
/*
 * The CPU's access to surfaces: Lock and Unlock, blits, flips. Only pending scenes that draw or read the memory in
 * question are drawn first: a lock that discards a texture of one level, or any lock of a buffer, does not wait; with
 * DDLOCK_DONOTWAIT a lock that would have to wait is rejected. Programs also write under DDLOCK_READONLY, and drivers
 * allow it: such a lock of video memory is treated like any other. All work is finished when a call returns, except for
 * presenting blits that stretch or convert, which are queued (hal/resource/copy/present.c), and for feedback maps that
 * are decoded later (hal/resource/feedback_queue.c).
 */
#include "ddi/call_log.h"
#include "ddi/entry.h"
#include "ddi/record/record.h"
#include "hal/resource/color_key.h"
#include "hal/resource/copy/clip.h"
#include "hal/resource/copy/mirror.h"
#include "hal/resource/copy/scratch.h"
#include "hal/resource/copy/cost.h"
#include "hal/work.h"

#include <string.h>

/* --- lock ----------------------------------------------------------------------------------- */

struct area {
    uint32_t left, top, front, right, bottom, back;
};

/* With DDLOCK_HASVOLUMETEXTUREBOXRECT front and back are the high words of left and right. */
static struct area access_area(const DDHAL_LOCKDATA *data, const struct hal_surface *surface)
{
    struct area area = {0, 0, 0, surface->width, surface->height, surface->depth};
    if (!data->bHasRect)
        return area;
    area.left = (uint32_t)data->rArea.left;
    area.right = (uint32_t)data->rArea.right;
    area.top = (uint32_t)data->rArea.top;
    area.bottom = (uint32_t)data->rArea.bottom;
    if (data->dwFlags & DDLOCK_HASVOLUMETEXTUREBOXRECT) {
        area.front = area.left >> 16;
        area.back = area.right >> 16;
        area.left &= 0xFFFF;
        area.right &= 0xFFFF;
    }
    return area;
}

static bool area_is_inside(const struct area *area, const struct hal_surface *surface)
{
    return area->left < area->right && area->right <= surface->width && area->top < area->bottom &&
           area->bottom <= surface->height && area->front < area->back && area->back <= surface->depth;
}

/* Bytes from the start of the surface to the block that holds the area's first texel. */
static size_t area_offset(const struct area *area, const struct hal_surface *surface)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    if (info->kind == RASTER_KIND_PLANAR) /* its luma */
        return area->front * surface->slice_pitch + area->top * surface->pitch + area->left;
    return area->front * surface->slice_pitch + (size_t)(area->top / info->block_height) * surface->pitch +
           (size_t)(area->left / info->block_width) * info->block_bytes;
}

static HRESULT lock_picture(DDHAL_LOCKDATA *data, struct hal_surface *surface)
{
    struct area area = access_area(data, surface);
    const bool promised = data->dwFlags & DDLOCK_READONLY;
    if (!surface->base.memory || !surface->base.bytes)
        return DDERR_CANTLOCKSURFACE;
    if (!area_is_inside(&area, surface)) {
        log_warn("Lock: area (%u, %u, %u)-(%u, %u, %u) is not inside surface %u (%ux%ux%u)", (unsigned)area.left,
                 (unsigned)area.top, (unsigned)area.front, (unsigned)area.right, (unsigned)area.bottom,
                 (unsigned)area.back, (unsigned)surface->base.handle, surface->width, surface->height, surface->depth);
        return DDERR_INVALIDRECT;
    }
    if (data->dwFlags & DDLOCK_DISCARDCONTENTS && !data->bHasRect)
        hal_texture_rename(surface);
    if (data->dwFlags & DDLOCK_DONOTWAIT && !hal_surface_is_ready(surface, true))
        return DDERR_WASSTILLDRAWING;
    if (surface->samples_newer) { /* they are resolved now */
        const HRESULT hr = hal_copy_take(surface, NULL, 0, false, "Lock");
        if (FAILED(hr))
            return hr;
    }
    hal_surface_finish(surface, true, HAL_FLUSH_LOCK);
    hal_surface_acquire(surface, !promised, HAL_FLUSH_LOCK); /* reading does not change the samples */
    data->lpSurfData = surface->base.memory + area_offset(&area, surface);
    hal_resource_begin_lock(&surface->base, !promised || surface->base.owns_memory);
    ddi_root.texturing.locks += surface->base.kind & HAL_SURFACE_TEXTURE ? 1 : 0;
    return DD_OK;
}

/* Vertices and indices are consumed inside the call that draws them: nothing to wait for or to
 * rename. */
static HRESULT lock_buffer(DDHAL_LOCKDATA *data, struct hal_buffer *buffer)
{
    if (!buffer->base.memory)
        return DDERR_CANTLOCKSURFACE;
    data->lpSurfData = buffer->base.memory;
    hal_resource_begin_lock(&buffer->base, true);
    return DD_OK;
}

static DWORD lock(LPDDHAL_LOCKDATA data, bool buffer)
{
    DWORD answer = DDHAL_DRIVER_HANDLED;
    struct hal_resource *resource;
    DDI_ENTER();
    resource = hal_resource_from_lcl(data->lpDDSurface);
    if (!resource) {
        answer = DDHAL_DRIVER_NOTHANDLED; /* not one of ours */
    } else {
        if (hal_resource_is_buffer(resource) != buffer)
            log_debug("Lock: surface %u locked through the other table", (unsigned)resource->handle);
        data->ddRVal = hal_resource_is_buffer(resource) ? lock_buffer(data, hal_as_buffer(resource))
                                                        : lock_picture(data, hal_as_surface(resource));
        if (SUCCEEDED(data->ddRVal))
            RECORD_ACCESS(lock, data->lpDDSurface, data->bHasRect ? &data->rArea : NULL, data->dwFlags);
        DDI_LOG(data->ddRVal, "%s handle %u, flags %#x", buffer ? "LockExecuteBuffer" : "Lock",
                ddi_log_handle(data->lpDDSurface), (unsigned)data->dwFlags);
    }
    DDI_LEAVE();
    return answer;
}

DWORD PASCAL ddi_lock(LPDDHAL_LOCKDATA data)
{
    return lock(data, false);
}

DWORD PASCAL ddi_lock_buffer(LPDDHAL_LOCKDATA data)
{
    return lock(data, true);
}

static DWORD unlock(LPDDHAL_UNLOCKDATA data, const char *name)
{
    DWORD answer = DDHAL_DRIVER_HANDLED;
    struct hal_resource *resource;
    DDI_ENTER();
    resource = hal_resource_from_lcl(data->lpDDSurface);
    if (!resource) {
        answer = DDHAL_DRIVER_NOTHANDLED;
    } else if (!resource->lock_count) {
        data->ddRVal = DDERR_NOTLOCKED;
    } else {
        hal_resource_end_lock(resource);
        RECORD_ACCESS(unlock, data->lpDDSurface);
        data->ddRVal = DD_OK;
    }
    if (resource)
        DDI_LOG(data->ddRVal, "%s handle %u", name, ddi_log_handle(data->lpDDSurface));
    DDI_LEAVE();
    return answer;
}

DWORD PASCAL ddi_unlock(LPDDHAL_UNLOCKDATA data)
{
    return unlock(data, "Unlock");
}

DWORD PASCAL ddi_unlock_buffer(LPDDHAL_UNLOCKDATA data)
{
    return unlock(data, "UnlockExecuteBuffer");
}

/* --- blt ----------------------------------------------------------------------------------------
 */

static RECT to_rect(const RECTL *rect)
{
    return (RECT){rect->left, rect->top, rect->right, rect->bottom};
}

/* DDBLT_EXTENDED_FLAGS changes the meaning of two bits. */
#ifndef DDBLT_EXTENDED_FLAGS
#define DDBLT_EXTENDED_FLAGS 0x40000000
#endif
#ifndef DDBLT_EXTENDED_LINEAR_CONTENT
#define DDBLT_EXTENDED_LINEAR_CONTENT 0x00000004
#endif
#ifndef DDBLT_EXTENDED_PRESENTATION_STRETCHFACTOR
#define DDBLT_EXTENDED_PRESENTATION_STRETCHFACTOR 0x00000010
#endif

/* Not a blit, but the stretch factors for the parts of a present: draws nothing. */
static bool is_stretch_factor(const DDHAL_BLTDATA *data)
{
    return data->dwFlags & DDBLT_EXTENDED_FLAGS && data->dwFlags & DDBLT_EXTENDED_PRESENTATION_STRETCHFACTOR;
}

/* Blits are done when the call returns, except for presenting ones (hal/resource/copy/present.c). */
#define HINT_FLAGS \
    (DDBLT_WAIT | DDBLT_DONOTWAIT | DDBLT_ASYNC | DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION | DDBLT_EXTENDED_FLAGS)

#define KEY_FLAGS (DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE | DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE)

/* The colour keys of a blit. */
struct keys {
    struct hal_color_key source, destination;
};

/* Keys in the effects take precedence over the surfaces' own. DDERR_NOCOLORKEY: the surface has no key. */
static HRESULT find_keys(const DDHAL_BLTDATA *data, const struct hal_surface *destination,
                         const struct hal_surface *source, struct keys *keys)
{
    *keys = (struct keys){.source = {.set = false}};
    if (data->dwFlags & DDBLT_KEYSRCOVERRIDE)
        keys->source = (struct hal_color_key){true, data->bltFX.ddckSrcColorkey.dwColorSpaceLowValue};
    else if (data->dwFlags & DDBLT_KEYSRC)
        keys->source = hal_source_key(source);
    if (data->dwFlags & DDBLT_KEYDESTOVERRIDE)
        keys->destination = (struct hal_color_key){true, data->bltFX.ddckDestColorkey.dwColorSpaceLowValue};
    else if (data->dwFlags & DDBLT_KEYDEST)
        keys->destination = hal_destination_key(destination);
    if ((data->dwFlags & DDBLT_KEYSRC && !keys->source.set) ||
        (data->dwFlags & DDBLT_KEYDEST && !keys->destination.set)) {
        log_warn("Blt: surface %u to %u by colour keys, flags %#x, but there is none", (unsigned)source->base.handle,
                 (unsigned)destination->base.handle, (unsigned)data->dwFlags);
        return DDERR_NOCOLORKEY;
    }
    return DD_OK;
}

/* One rectangle, with keys if there are any. */
static HRESULT blt_rect(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                        const struct keys *keys)
{
    if (keys->source.set || keys->destination.set)
        return hal_keyed_blt(destination, to, source, from, &keys->source, &keys->destination);
    return hal_surface_blt(destination, to, source, from, false);
}

/* A raster operation without a source: its texel, the same in every format. */
static bool is_raster_fill(const DDHAL_BLTDATA *data)
{
    return data->dwFlags & DDBLT_ROP && !(data->dwFlags & (DDBLT_COLORFILL | DDBLT_DEPTHFILL)) &&
           (data->bltFX.dwROP == BLACKNESS || data->bltFX.dwROP == WHITENESS);
}

static bool is_fill(const DDHAL_BLTDATA *data)
{
    return data->dwFlags & (DDBLT_COLORFILL | DDBLT_DEPTHFILL) || is_raster_fill(data);
}

#define MIRRORS (DDBLTFX_MIRRORLEFTRIGHT | DDBLTFX_MIRRORUPDOWN)

/* The driver supports mirrors, and no other effect. */
static bool is_mirrored(const DDHAL_BLTDATA *data)
{
    return data->dwFlags & DDBLT_DDFX && data->bltFX.dwDDFX & MIRRORS && !(data->bltFX.dwDDFX & ~(DWORD)MIRRORS);
}

static HRESULT access_check_blt(const DDHAL_BLTDATA *data, const struct hal_resource *destination,
                                const struct hal_resource *source)
{
    DWORD work = data->dwFlags & ~(DWORD)HINT_FLAGS;
    if (!destination || (data->lpDDSrcSurface && !source))
        return DDERR_INVALIDOBJECT;
    if (work & (DDBLT_COLORFILL | DDBLT_DEPTHFILL))
        return hal_resource_is_buffer(destination) ? DDERR_INVALIDPIXELFORMAT : DD_OK;
    if (is_raster_fill(data)) {
        if (work != DDBLT_ROP)
            return DDERR_NORASTEROPHW;
        return hal_resource_is_buffer(destination) ? DDERR_INVALIDPIXELFORMAT : DD_OK;
    }
    if (!source)
        return DDERR_INVALIDPARAMS;
    work &= ~(DWORD)KEY_FLAGS;
    if (is_mirrored(data))
        work &= ~(DWORD)DDBLT_DDFX;
    if ((work & DDBLT_ROP) && data->bltFX.dwROP != SRCCOPY)
        return DDERR_NORASTEROPHW;
    if (work & ~(DWORD)DDBLT_ROP) {
        log_once(LOG_WARN, (uint32_t)work, "Blt: flags %#x are not supported", (unsigned)work);
        return DDERR_UNSUPPORTED;
    }
    return hal_resource_is_buffer(destination) || hal_resource_is_buffer(source) ? DDERR_INVALIDPIXELFORMAT : DD_OK;
}

static RECT access_intersect(RECT a, RECT b)
{
    return (RECT){BASE_MAX(a.left, b.left), BASE_MAX(a.top, b.top), BASE_MIN(a.right, b.right),
                  BASE_MIN(a.bottom, b.bottom)};
}

static uint64_t area_of_rect(RECT rect)
{
    if (rect.left >= rect.right || rect.top >= rect.bottom)
        return 0;
    return (uint64_t)((int64_t)rect.right - rect.left) * (uint64_t)((int64_t)rect.bottom - rect.top);
}

static RECT whole_surface(const struct hal_surface *surface)
{
    return (RECT){0, 0, (LONG)surface->width, (LONG)surface->height};
}

/* The largest rectangle that is stretched with a clip list, in texels. */
#define MAX_STRETCHED ((uint64_t)CAPS_MAX_TARGET_SIZE * CAPS_MAX_TARGET_SIZE)

/* How many texels the call writes: each rectangle of a clip list may be the whole surface. */
static uint64_t texels_written(const DDHAL_BLTDATA *data, const struct hal_surface *destination, bool fills,
                               bool stretched)
{
    const bool clipped = data->IsClipped && data->prDestRects;
    const RECT whole = whole_surface(destination), to = to_rect(&data->rDest);
    const RECT bounds = clipped && fills ? whole : access_intersect(to, whole); /* a clipped fill is its list alone */
    /* drawn on the side first, unless it is refused for its size */
    uint64_t texels = stretched && area_of_rect(to) <= MAX_STRETCHED ? area_of_rect(to) : 0;

    if (!clipped)
        return area_of_rect(bounds);
    for (DWORD i = 0; i < data->dwRectCnt; i++)
        texels += area_of_rect(access_intersect(data->prDestRects[i], bounds));
    return texels;
}

/* Before anything is done. */
static HRESULT take_work(const DDHAL_BLTDATA *data, struct hal_surface *destination, struct hal_surface *source,
                         const struct keys *keys)
{
    const RECT to = to_rect(&data->rDest), from = to_rect(&data->rSrc);
    const bool stretched = source && ((int64_t)to.right - to.left != (int64_t)from.right - from.left ||
                                      (int64_t)to.bottom - to.top != (int64_t)from.bottom - from.top);
    const uint64_t read = source ? area_of_rect(access_intersect(from, whole_surface(source))) : 0;
    const uint64_t texels = BASE_MAX(texels_written(data, destination, !source, stretched), read);

    return hal_copy_take(destination, source, texels,
                         stretched || (source && (keys->source.set || keys->destination.set)), "Blt");
}

/* A clipped blit is drawn once for each visible rectangle of the destination. */
static HRESULT blt_clipped(const DDHAL_BLTDATA *data, struct hal_surface *destination, struct hal_surface *source,
                           RECT from, const struct keys *keys)
{
    const RECT to = to_rect(&data->rDest);
    const struct hal_blt_keys both = {&keys->source, &keys->destination};
    HRESULT hr = DD_OK;
    /* the rectangles are not checked: their sides may need 33 bits */
    const int64_t x = (int64_t)from.left - to.left, y = (int64_t)from.top - to.top;
    if (from.right - x != to.right || from.bottom - y != to.bottom)
        return hal_clipped_stretch(destination, &to, source, &from, &both, data->prDestRects, data->dwRectCnt);
    for (DWORD i = 0; i < data->dwRectCnt && SUCCEEDED(hr); i++) {
        const RECT part = access_intersect(data->prDestRects[i], to);
        RECT taken;
        if (part.left >= part.right || part.top >= part.bottom)
            continue;
        taken = (RECT){(LONG)(part.left + x), (LONG)(part.top + y), (LONG)(part.right + x), (LONG)(part.bottom + y)};
        hr = blt_rect(destination, &part, source, &taken, keys);
    }
    return hr;
}

static HRESULT fill_all(const DDHAL_BLTDATA *data, struct hal_surface *destination)
{
    const uint32_t value = !is_raster_fill(data)            ? data->bltFX.dwFillColor
                           : data->bltFX.dwROP == WHITENESS ? UINT32_MAX
                                                            : 0;
    RECT to = to_rect(&data->rDest);
    HRESULT hr = DD_OK;
    if (!data->IsClipped || !data->prDestRects)
        return hal_surface_fill(destination, &to, value);
    for (DWORD i = 0; i < data->dwRectCnt && SUCCEEDED(hr); i++)
        hr = hal_surface_fill(destination, &data->prDestRects[i], value);
    return hr;
}

static HRESULT blt_any(const DDHAL_BLTDATA *data, struct hal_surface *destination, struct hal_surface *source,
                       RECT from, const struct keys *keys)
{
    const RECT to = to_rect(&data->rDest);

    if (data->IsClipped && data->prDestRects)
        return blt_clipped(data, destination, source, from, keys);
    return blt_rect(destination, &to, source, &from, keys);
}

static HRESULT blt_mirrored(const DDHAL_BLTDATA *data, struct hal_surface *destination, struct hal_surface *source,
                            const struct keys *keys)
{
    const RECT rect = to_rect(&data->rSrc);
    struct hal_surface mirrored;
    HRESULT hr = hal_mirror(&mirrored, source, &rect, data->bltFX.dwDDFX);

    if (FAILED(hr))
        return hr;
    hr = blt_any(data, destination, &mirrored, whole_surface(&mirrored), keys);
    hal_scratch_free(&mirrored);
    return hr;
}

static bool is_present(const DDHAL_BLTDATA *data)
{
    return data->dwFlags & (DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION);
}

/* A surface whose present contents are shown (client_show): a frame, but no copy. */
static bool shows_itself(const DDHAL_BLTDATA *data, const struct hal_surface *surface)
{
    const RECT rect = to_rect(&data->rSrc);

    return area_of_rect(rect) && area_of_rect(access_intersect(rect, whole_surface(surface))) == area_of_rect(rect) &&
           is_present(data) && data->lpDDSrcSurface == data->lpDDDestSurface &&
           !(data->IsClipped && data->prDestRects) && !(data->dwFlags & (KEY_FLAGS | DDBLT_DDFX)) &&
           !memcmp(&data->rSrc, &data->rDest, sizeof(data->rSrc));
}

static HRESULT access_blt(const DDHAL_BLTDATA *data)
{
    struct hal_surface *destination = hal_surface_from_lcl(data->lpDDDestSurface);
    struct hal_surface *source = hal_surface_from_lcl(data->lpDDSrcSurface);
    RECT to = to_rect(&data->rDest), from = to_rect(&data->rSrc);
    const bool fills = is_fill(data);
    HRESULT hr;
    struct keys keys = {0};
    if (is_stretch_factor(data))
        return DD_OK;
    hr = access_check_blt(data, hal_resource_from_lcl(data->lpDDDestSurface),
                          hal_resource_from_lcl(data->lpDDSrcSurface));
    if (SUCCEEDED(hr) && !fills)
        hr = find_keys(data, destination, source, &keys);
    if (FAILED(hr))
        return hr;
    if (!fills && shows_itself(data, source)) {
        RECORD(blt, data);
        return DD_OK;
    }
    if (is_present(data) && source && !hal_present_has_room(source))
        return DDERR_WASSTILLDRAWING; /* the runtime will try again */
    hr = take_work(data, destination, fills ? NULL : source, &keys);
    if (FAILED(hr))
        return hr;
    RECORD(blt, data);
    if (fills)
        return fill_all(data, destination);
    if (is_mirrored(data))
        return blt_mirrored(data, destination, source, &keys);
    if (is_present(data) && !(data->IsClipped && data->prDestRects) && !(data->dwFlags & KEY_FLAGS))
        return hal_present_blt(destination, &to, source, &from, data->dwFlags & DDBLT_LAST_PRESENTATION);
    return blt_any(data, destination, source, from, &keys);
}

DWORD PASCAL ddi_blt(LPDDHAL_BLTDATA data)
{
    DDI_ENTER();
    data->ddRVal = access_blt(data);
    DDI_LOG(data->ddRVal, "Blt to handle %u from %u, flags %#x", ddi_log_handle(data->lpDDDestSurface),
            ddi_log_handle(data->lpDDSrcSurface), (unsigned)data->dwFlags);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- flip
 * ------------------------------------------------------------------------------------------ */

/* The surface after `surface` in its flip chain. */
static struct hal_surface *flip_next(const struct hal_surface *surface)
{
    for (ATTACHLIST *link = surface->base.lcl->lpAttachList; link; link = link->lpLink)
        if (link->lpAttached && (link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP))
            return hal_surface_from_lcl(link->lpAttached);
    return NULL;
}

/* To the next buffer: the memory of each surface moves up by one and the front's goes to the end. To any other, and with
 * HALCYON_FLIP_EXCHANGE: front and target exchange memory. Handles stay with their surfaces. */
static HRESULT flip(const DDHAL_FLIPDATA *data)
{
    struct hal_surface *front = hal_surface_from_lcl(data->lpSurfCurr);
    struct hal_surface *back = hal_surface_from_lcl(data->lpSurfTarg);
    struct hal_surface *s = front, *next;
    if (!hal_resource_from_lcl(data->lpSurfCurr) || !hal_resource_from_lcl(data->lpSurfTarg))
        return DDERR_INVALIDOBJECT;
    if (!front || !back) /* a buffer */
        return DDERR_NOTFLIPPABLE;
    RECORD(flip, data);
    if (data->dwFlags & HALCYON_FLIP_EXCHANGE || flip_next(front) != back)
        return hal_surface_swap_memory(front, back) ? DD_OK : DDERR_NOTFLIPPABLE;
    for (unsigned i = 0; i < DDI_MAX_BACK_BUFFERS; i++, s = next) {
        next = flip_next(s);
        if (!next || next == front)
            break;
        if (!hal_surface_swap_memory(s, next))
            return DDERR_NOTFLIPPABLE;
    }
    return DD_OK;
}

DWORD PASCAL ddi_flip(LPDDHAL_FLIPDATA data)
{
    DDI_ENTER();
    data->ddRVal = flip(data);
    DDI_LOG(data->ddRVal, "Flip handle %u to %u", ddi_log_handle(data->lpSurfCurr), ddi_log_handle(data->lpSurfTarg));
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* CANBLT asks for room in the queue, ISBLTDONE whether all queued blits with the surface are finished. */
DWORD PASCAL ddi_get_blt_status(LPDDHAL_GETBLTSTATUSDATA data)
{
    struct hal_surface *surface;
    bool ready = true;
    DDI_ENTER();
    surface = hal_surface_from_lcl(data->lpDDSurface);
    if (surface)
        ready = data->dwFlags & DDGBS_ISBLTDONE ? hal_present_is_done(surface) : hal_present_has_room(surface);
    data->ddRVal = ready ? DD_OK : DDERR_WASSTILLDRAWING;
    DDI_LOG(data->ddRVal, "GetBltStatus handle %u, flags %#x", ddi_log_handle(data->lpDDSurface),
            (unsigned)data->dwFlags);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* Flips exchange memory at once. */
DWORD PASCAL ddi_get_flip_status(LPDDHAL_GETFLIPSTATUSDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

/* --- colour keys ------------------------------------------------------------------------------ */

/* The LCL holds the keys, as the runtime keeps them; code that needs one looks there. */
static HRESULT access_set_color_key(const DDHAL_SETCOLORKEYDATA *data)
{
    DDRAWI_DDRAWSURFACE_LCL *lcl = data->lpDDSurface;
    DDCOLORKEY key = data->ckNew;
    if (!hal_resource_from_lcl(lcl))
        return DDERR_INVALIDOBJECT;
    if (data->dwFlags & (DDCKEY_SRCOVERLAY | DDCKEY_DESTOVERLAY))
        return DDERR_NOOVERLAYHW;
    if (data->dwFlags & DDCKEY_COLORSPACE && key.dwColorSpaceLowValue != key.dwColorSpaceHighValue) {
        log_warn("SetColorKey: surface %u, a range of colours (%#x to %#x) was not offered",
                 (unsigned)hal_resource_from_lcl(lcl)->handle, (unsigned)key.dwColorSpaceLowValue,
                 (unsigned)key.dwColorSpaceHighValue);
        return DDERR_NOCOLORKEYHW;
    }
    key.dwColorSpaceHighValue = key.dwColorSpaceLowValue;
    if (data->dwFlags & DDCKEY_SRCBLT) {
        lcl->ddckCKSrcBlt = key;
        lcl->dwFlags |= DDRAWISURF_HASCKEYSRCBLT;
    }
    if (data->dwFlags & DDCKEY_DESTBLT) {
        lcl->ddckCKDestBlt = key;
        lcl->dwFlags |= DDRAWISURF_HASCKEYDESTBLT;
    }
    RECORD(color_keys, lcl);
    return DD_OK;
}

DWORD PASCAL ddi_set_color_key(LPDDHAL_SETCOLORKEYDATA data)
{
    DDI_ENTER();
    data->ddRVal = access_set_color_key(data);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}

/* --- bookkeeping that needs no work: surfaces carry their attach list themselves
 * -------- */

DWORD PASCAL ddi_add_attached(LPDDHAL_ADDATTACHEDSURFACEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}
