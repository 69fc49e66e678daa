/* SPDX-License-Identifier: MIT */
/* Access to surfaces from outside of streams: locks, blits, flips, samples. */
#include "client/umd/internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* --- locks --------------------------------------------------------------------------------------------- */

static UINT lock_flags(DWORD flags, bool partly)
{
    D3DDDI_LOCKFLAGS result = {.Value = 0};

    result.ReadOnly = (flags & DDLOCK_READONLY) != 0;
    result.WriteOnly = (flags & DDLOCK_WRITEONLY) != 0 && !result.ReadOnly;
    result.NoOverwrite = (flags & DDLOCK_NOOVERWRITE) != 0;
    result.Discard = (flags & DDLOCK_DISCARDCONTENTS) != 0 && !partly && !result.ReadOnly && !result.NoOverwrite;
    result.DoNotWait = (flags & DDLOCK_DONOTWAIT) != 0;
    return result.Value;
}

/* With DDLOCK_HASVOLUMETEXTUREBOXRECT front and back are the high words of left and right. False: not inside. */
static bool find_area(const DDHAL_LOCKDATA *data, struct bridge_size size, unsigned at[3])
{
    uint32_t left = (uint32_t)data->rArea.left, right = (uint32_t)data->rArea.right, front = 0, back = size.depth;
    const uint32_t top = (uint32_t)data->rArea.top, bottom = (uint32_t)data->rArea.bottom;

    if (!data->bHasRect)
        return true;
    if (data->dwFlags & DDLOCK_HASVOLUMETEXTUREBOXRECT) {
        front = left >> 16;
        back = right >> 16;
        left &= 0xFFFF;
        right &= 0xFFFF;
    }
    at[0] = left;
    at[1] = top;
    at[2] = front;
    return left < right && right <= size.width && top < bottom && bottom <= size.height && front < back &&
           back <= size.depth;
}

/* Copies the levels into the copy that the caller sees, or back. */
static HRESULT copy_levels(struct bridge_surface *surface, UINT flags, bool back)
{
    const DDRAWI_DDRAWSURFACE_GBL *gbl = surface->lcl->lpGbl;

    for (unsigned level = 0; level < surface->levels; level++) {
        const struct bridge_level place =
            bridge_level_of(surface->lcl, surface->resource->format, (size_t)gbl->lPitch, 0, level);
        D3DDDIARG_LOCK lock;
        HRESULT hr = bridge_lock_part(surface->resource, surface->part + level, flags, &lock);

        if (FAILED(hr))
            return hr;
        for (size_t z = 0; z < place.size.depth; z++)
            for (size_t y = 0; y < place.rows; y++) {
                uint8_t *driver = (uint8_t *)lock.pSurfData + z * lock.SlicePitch + y * lock.Pitch;
                uint8_t *caller = surface->memory + place.offset + z * place.slice_pitch + y * place.pitch;

                memcpy(back ? driver : caller, back ? caller : driver, place.row_bytes);
            }
        bridge_unlock_part(surface->resource, surface->part + level);
    }
    return S_OK;
}

/* A lightweight MIP map in the driver's memory: the caller gets a copy of all levels in one piece. */
static HRESULT lock_levels(struct bridge_surface *surface, DWORD flags, uint8_t **bits)
{
    D3DDDI_LOCKFLAGS lock = {.Value = lock_flags(flags, true)};
    HRESULT hr = S_OK;

    if (!surface->memory)
        surface->memory = mem_calloc(surface->bytes, 1);
    if (!surface->memory)
        return E_OUTOFMEMORY;
    lock.WriteOnly = lock.NoOverwrite = 0;
    if (!surface->locks)
        hr = copy_levels(surface, lock.Value, false);
    *bits = surface->memory;
    return hr;
}

static HRESULT lock_surface(DDHAL_LOCKDATA *data, struct bridge_surface *surface)
{
    struct bridge_resource *resource = surface->resource;
    DDRAWI_DDRAWSURFACE_GBL *gbl = surface->lcl->lpGbl;
    unsigned at[3] = {0, 0, 0};
    D3DDDIARG_LOCK lock;
    uint8_t *bits = NULL;
    HRESULT hr;

    if (!resource) {
        data->lpSurfData = surface->memory;
        return DD_OK;
    }
    if (resource->format && !find_area(data, bridge_size_of(surface->lcl, 0), at))
        return DDERR_INVALIDRECT;
    if (surface->levels > 1 && !resource->in_system_memory) {
        hr = lock_levels(surface, data->dwFlags, &bits);
    } else {
        const UINT notify = resource->in_system_memory ? 0x80 : 0; /* NotifyOnly: the caller knows the address */

        hr = bridge_lock_part(resource, surface->part, lock_flags(data->dwFlags, data->bHasRect) | notify, &lock);
        bits = notify ? (uint8_t *)gbl->fpVidMem : lock.pSurfData;
        if (SUCCEEDED(hr) && !notify && resource->format) {
            gbl->lPitch = (LONG)lock.Pitch;
            gbl->dwBlockSizeY = lock.SlicePitch;
        }
    }
    if (FAILED(hr))
        return bridge_result(hr, DDERR_CANTLOCKSURFACE);
    data->lpSurfData = resource->format ? bits + client_offset(resource->format, (size_t)gbl->lPitch, gbl->dwBlockSizeY,
                                                               at[0], at[1], at[2])
                                        : bits;
    return DD_OK;
}

DWORD PASCAL bridge_lock(LPDDHAL_LOCKDATA data)
{
    struct bridge_surface *surface;

    bridge_enter();
    surface = bridge_surface_of(data->lpDDSurface);
    if (surface) {
        data->ddRVal = lock_surface(data, surface);
        surface->locks += SUCCEEDED(data->ddRVal);
    }
    bridge_leave();
    return surface ? DDHAL_DRIVER_HANDLED : DDHAL_DRIVER_NOTHANDLED;
}

DWORD PASCAL bridge_unlock(LPDDHAL_UNLOCKDATA data)
{
    struct bridge_surface *surface;

    bridge_enter();
    surface = bridge_surface_of(data->lpDDSurface);
    data->ddRVal = surface && surface->locks ? DD_OK : DDERR_NOTLOCKED;
    if (surface && surface->locks) {
        surface->locks--;
        if (surface->resource && surface->levels > 1 && !surface->resource->in_system_memory)
            data->ddRVal = surface->locks ? DD_OK : bridge_result(copy_levels(surface, 0, true), DDERR_GENERIC);
        else if (surface->resource)
            bridge_unlock_part(surface->resource, surface->part);
    }
    bridge_leave();
    return surface ? DDHAL_DRIVER_HANDLED : DDHAL_DRIVER_NOTHANDLED;
}

/* --- copies ------------------------------------------------------------------------------------------------ */

static bool same_size(const RECT *a, const RECT *b)
{
    return (int64_t)a->right - a->left == (int64_t)b->right - b->left &&
           (int64_t)a->bottom - a->top == (int64_t)b->bottom - b->top;
}

/* Between two places in system memory, where drivers do not copy. The rectangles are those of texels, or of whole blocks. */
static HRESULT copy_memory(struct bridge_resource *to, unsigned to_part, const RECT *to_rect,
                           struct bridge_resource *from, unsigned from_part, const RECT *from_rect)
{
    const uint32_t format = to->format;
    D3DDDIARG_LOCK into, out;
    size_t row, rows;

    if (format != from->format || !same_size(to_rect, from_rect))
        return DDERR_UNSUPPORTED;
    if (to_rect->left < 0 || to_rect->top < 0 || from_rect->left < 0 || from_rect->top < 0 ||
        to_rect->right <= to_rect->left || to_rect->bottom <= to_rect->top)
        return DDERR_INVALIDRECT;
    row = client_row_bytes(format, (unsigned)(to_rect->right - to_rect->left));
    rows = client_row_count(format, (unsigned)(to_rect->bottom - to_rect->top));
    if (FAILED(bridge_lock_part(from, from_part, 1 /* ReadOnly */, &out)))
        return DDERR_GENERIC;
    if (SUCCEEDED(bridge_lock_part(to, to_part, 0, &into))) {
        const uint8_t *source =
            (const uint8_t *)out.pSurfData +
            client_offset(format, out.Pitch, 0, (unsigned)from_rect->left, (unsigned)from_rect->top, 0);
        uint8_t *target = (uint8_t *)into.pSurfData +
                          client_offset(format, into.Pitch, 0, (unsigned)to_rect->left, (unsigned)to_rect->top, 0);

        for (size_t y = 0; y < rows; y++)
            memmove(target + y * into.Pitch, source + y * out.Pitch, row);
        bridge_unlock_part(to, to_part);
    }
    bridge_unlock_part(from, from_part);
    return DD_OK;
}

HRESULT bridge_copy(struct bridge_resource *to, unsigned to_part, const RECT *to_rect, struct bridge_resource *from,
                    unsigned from_part, const RECT *from_rect, D3DDDI_BLTFLAGS flags, uint32_t key)
{
    struct bridge_local *local = to->local;
    const D3DDDIARG_BLT args = {.hSrcResource = from->handle,
                                .SrcSubResourceIndex = from_part,
                                .SrcRect = *from_rect,
                                .hDstResource = to->handle,
                                .DstSubResourceIndex = to_part,
                                .DstRect = *to_rect,
                                .ColorKey = key,
                                .Flags = flags};
    HRESULT hr;

    if (to_part >= to->count || from_part >= from->count)
        return DDERR_INVALIDPARAMS;
    if (to->in_system_memory && from->in_system_memory)
        return copy_memory(to, to_part, to_rect, from, from_part, from_rect);
    hr = local->device ? local->f.pfnBlt(local->device, &args) : E_FAIL;
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

static RECT to_rect(const RECTL *rect)
{
    return (RECT){rect->left, rect->top, rect->right, rect->bottom};
}

static RECT intersect(RECT a, RECT b)
{
    return (RECT){BASE_MAX(a.left, b.left), BASE_MAX(a.top, b.top), BASE_MIN(a.right, b.right),
                  BASE_MIN(a.bottom, b.bottom)};
}

/* --- fills ---------------------------------------------------------------------------------------------------- */

/* Texel by texel, because a colour would not say the bits that a format does not use. */
static HRESULT fill_memory(struct bridge_surface *surface, const RECT *rect, uint32_t raw, size_t texel)
{
    const struct bridge_size size = bridge_size_of(surface->lcl, 0);
    D3DDDIARG_LOCK lock;

    if (rect->left < 0 || rect->top < 0 || rect->left > rect->right || rect->top > rect->bottom ||
        rect->right > (LONG)size.width || rect->bottom > (LONG)size.height)
        return DDERR_INVALIDRECT;
    if (FAILED(bridge_lock_part(surface->resource, surface->part, 0, &lock)))
        return DDERR_CANTLOCKSURFACE;
    for (size_t z = 0; z < size.depth; z++)
        for (LONG y = rect->top; y < rect->bottom; y++) {
            uint8_t *row = (uint8_t *)lock.pSurfData + z * lock.SlicePitch + (size_t)y * lock.Pitch;

            for (LONG x = rect->left; x < rect->right; x++)
                memcpy(row + (size_t)x * texel, &raw, texel);
        }
    bridge_unlock_part(surface->resource, surface->part);
    return DD_OK;
}

/* Colours that a value of 32 bits does not describe and maps of feedback are the driver's to fill. */
static HRESULT fill(struct bridge_surface *surface, const RECT *rect, uint32_t raw)
{
    struct bridge_local *local = surface->local;
    const uint32_t format = surface->resource->format;
    const HALCYON_UMD_SURFACE place = bridge_place(surface);
    const size_t texel = client_row_bytes(format, 1);
    const bool is_single = client_row_bytes(format, 2) == 2 * texel && client_row_count(format, 2) == 2;

    if (client_row_count(format, 2) != 2) /* blocks of several rows */
        return DDERR_INVALIDPIXELFORMAT;
    if (surface->resource->flags.ZBuffer) {
        const D3DDDIARG_DEPTHFILL args = {place.hResource, place.SubResourceIndex, *rect, raw};

        return bridge_result(local->f.pfnDepthFill(local->device, &args), DDERR_INVALIDRECT);
    }
    if (is_single && texel <= sizeof(raw) && client_is_format(format))
        return fill_memory(surface, rect, raw, texel);
    const D3DDDIARG_COLORFILL args = {place.hResource, place.SubResourceIndex, *rect, raw, {{{0}}}};

    return bridge_result(local->f.pfnColorFill(local->device, &args), DDERR_INVALIDRECT);
}

static HRESULT fill_all(const DDHAL_BLTDATA *data, struct bridge_surface *surface)
{
    const RECT to = to_rect(&data->rDest);
    HRESULT hr = DD_OK;

    if (!surface->resource || !surface->resource->format)
        return DDERR_INVALIDPIXELFORMAT;
    if (!data->IsClipped || !data->prDestRects)
        return fill(surface, &to, data->bltFX.dwFillColor);
    for (DWORD i = 0; i < data->dwRectCnt && SUCCEEDED(hr); i++)
        hr = fill(surface, &data->prDestRects[i], data->bltFX.dwFillColor);
    return hr;
}

/* --- Blt ----------------------------------------------------------------------------------------------------------- */

#ifndef DDBLT_EXTENDED_FLAGS
#define DDBLT_EXTENDED_FLAGS 0x40000000
#endif
#define STRETCH_FACTOR 0x00000010 /* DDBLT_EXTENDED_PRESENTATION_STRETCHFACTOR */
#define HINT_FLAGS \
    (DDBLT_WAIT | DDBLT_DONOTWAIT | DDBLT_ASYNC | DDBLT_PRESENTATION | DDBLT_LAST_PRESENTATION | DDBLT_EXTENDED_FLAGS)
#define KEY_FLAGS (DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE | DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE)

/* The interface has one key for a blit, of either kind. */
static HRESULT find_key(const DDHAL_BLTDATA *data, const struct bridge_surface *destination,
                        const struct bridge_surface *source, D3DDDI_BLTFLAGS *flags, uint32_t *key)
{
    const DWORD wanted = data->dwFlags & KEY_FLAGS;

    if (wanted & (DDBLT_KEYSRC | DDBLT_KEYSRCOVERRIDE)) {
        if (!(wanted & DDBLT_KEYSRCOVERRIDE) && !(source->lcl->dwFlags & DDRAWISURF_HASCKEYSRCBLT))
            return DDERR_NOCOLORKEY;
        flags->SrcColorKey = 1;
        *key = wanted & DDBLT_KEYSRCOVERRIDE ? data->bltFX.ddckSrcColorkey.dwColorSpaceLowValue
                                             : source->lcl->ddckCKSrcBlt.dwColorSpaceLowValue;
    }
    if (wanted & (DDBLT_KEYDEST | DDBLT_KEYDESTOVERRIDE)) {
        if (!(wanted & DDBLT_KEYDESTOVERRIDE) && !(destination->lcl->dwFlags & DDRAWISURF_HASCKEYDESTBLT))
            return DDERR_NOCOLORKEY;
        if (flags->SrcColorKey)
            return DDERR_UNSUPPORTED;
        flags->DstColorKey = 1;
        *key = wanted & DDBLT_KEYDESTOVERRIDE ? data->bltFX.ddckDestColorkey.dwColorSpaceLowValue
                                              : destination->lcl->ddckCKDestBlt.dwColorSpaceLowValue;
    }
    return DD_OK;
}

static HRESULT check_blt(const DDHAL_BLTDATA *data, const struct bridge_surface *destination,
                         const struct bridge_surface *source)
{
    const DWORD work = data->dwFlags & ~(DWORD)(HINT_FLAGS | KEY_FLAGS);

    if (!destination || (data->lpDDSrcSurface && !source))
        return DDERR_INVALIDOBJECT;
    if (!source)
        return DDERR_INVALIDPARAMS;
    if (work & DDBLT_ROP && data->bltFX.dwROP != SRCCOPY)
        return DDERR_NORASTEROPHW;
    if (work & ~(DWORD)DDBLT_ROP)
        return DDERR_UNSUPPORTED;
    return destination->resource && destination->resource->format && source->resource && source->resource->format
               ? DD_OK
               : DDERR_INVALIDPIXELFORMAT;
}

static HRESULT copy_clipped(const DDHAL_BLTDATA *data, struct bridge_surface *destination,
                            struct bridge_surface *source, D3DDDI_BLTFLAGS flags, uint32_t key)
{
    const RECT to = to_rect(&data->rDest), from = to_rect(&data->rSrc);
    const int64_t x = (int64_t)from.left - to.left, y = (int64_t)from.top - to.top;
    HRESULT hr = DD_OK;

    if (!same_size(&to, &from))
        return DDERR_NOSTRETCHHW;
    for (DWORD i = 0; i < data->dwRectCnt && SUCCEEDED(hr); i++) {
        const RECT part = intersect(data->prDestRects[i], to);
        const RECT taken = {(LONG)(part.left + x), (LONG)(part.top + y), (LONG)(part.right + x),
                            (LONG)(part.bottom + y)};

        if (part.left < part.right && part.top < part.bottom)
            hr = bridge_copy(destination->resource, destination->part, &part, source->resource, source->part, &taken,
                             flags, key);
    }
    return hr;
}

static HRESULT blt(const DDHAL_BLTDATA *data)
{
    struct bridge_surface *destination = bridge_surface_of(data->lpDDDestSurface);
    struct bridge_surface *source = bridge_surface_of(data->lpDDSrcSurface);
    const RECT to = to_rect(&data->rDest), from = to_rect(&data->rSrc);
    D3DDDI_BLTFLAGS flags = {.Value = 0};
    uint32_t key = 0;
    HRESULT hr;

    if (data->dwFlags & DDBLT_EXTENDED_FLAGS && data->dwFlags & STRETCH_FACTOR)
        return DD_OK;
    if (destination && !destination->local->device)
        return DDERR_INVALIDOBJECT;
    if (data->dwFlags & (DDBLT_COLORFILL | DDBLT_DEPTHFILL)) {
        hr = destination ? fill_all(data, destination) : DDERR_INVALIDOBJECT;
        return SUCCEEDED(hr) ? bridge_flush(destination->local, NULL) : hr;
    }
    hr = check_blt(data, destination, source);
    if (SUCCEEDED(hr))
        hr = find_key(data, destination, source, &flags, &key);
    if (FAILED(hr))
        return hr;
    if (data->IsClipped && data->prDestRects) {
        hr = copy_clipped(data, destination, source, flags, key);
    } else {
        if (!(data->dwFlags & KEY_FLAGS)) {
            flags.EndPresentToDwm = (data->dwFlags & DDBLT_LAST_PRESENTATION) != 0;
            flags.ContinuePresentToDwm = !flags.EndPresentToDwm && data->dwFlags & DDBLT_PRESENTATION;
        }
        hr = bridge_copy(destination->resource, destination->part, &to, source->resource, source->part, &from, flags,
                         key);
    }
    return SUCCEEDED(hr) ? bridge_flush(destination->local, NULL) : hr;
}

DWORD PASCAL bridge_blt(LPDDHAL_BLTDATA data)
{
    bridge_enter();
    data->ddRVal = blt(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* --- flips ----------------------------------------------------------------------------------------------------------- */

static struct bridge_surface *flip_next(const struct bridge_surface *surface)
{
    for (const ATTACHLIST *link = surface->lcl->lpAttachList; link; link = link->lpLink)
        if (link->lpAttached && link->lpAttached->ddsCaps.dwCaps & DDSCAPS_FLIP)
            return bridge_surface_of(link->lpAttached);
    return NULL;
}

static bool can_swap(const struct bridge_surface *a, const struct bridge_surface *b)
{
    const struct bridge_size first = bridge_size_of(a->lcl, 0), second = bridge_size_of(b->lcl, 0);

    return a->resource && b->resource && a->resource->format && a->resource->format == b->resource->format &&
           first.width == second.width && first.height == second.height && !a->locks && !b->locks;
}

/* Contents stay with their sub-resource: the caller's surfaces change places instead. */
static void swap(struct bridge_surface *a, struct bridge_surface *b)
{
    const struct bridge_surface old = *a;
    const FLATPTR memory = a->lcl->lpGbl->fpVidMem;

    a->resource = b->resource;
    a->part = b->part;
    b->resource = old.resource;
    b->part = old.part;
    a->lcl->lpGbl->fpVidMem = b->lcl->lpGbl->fpVidMem;
    b->lcl->lpGbl->fpVidMem = memory;
    bridge_number_changed(a->local, a->number);
    bridge_number_changed(b->local, b->number);
}

static void bind_targets_again(struct bridge_local *local, const struct bridge_surface *surface)
{
    struct bridge_context *selected = local->selected;

    for (struct bridge_context *context = local->contexts; context; context = context->next) {
        for (unsigned i = 0; i < BRIDGE_MOST_TARGETS; i++)
            if (context->target[i] == surface && bridge_select(context))
                bridge_bind_target(context, i, context->target[i]);
        if (context->depth == surface && bridge_select(context))
            bridge_bind_depth(context, context->depth);
    }
    if (selected)
        bridge_select(selected);
}

/* To the next buffer: each surface's memory moves up by one. To any other: the two exchange memory. */
static HRESULT flip(const DDHAL_FLIPDATA *data)
{
    struct bridge_surface *front = bridge_surface_of(data->lpSurfCurr), *back = bridge_surface_of(data->lpSurfTarg);
    struct bridge_surface *list[2 + DDI_MAX_BACK_BUFFERS];
    D3DDDIARG_PRESENT args = {.Flags = {{{.Flip = 1}}}};
    unsigned count = 1;
    HRESULT hr;

    if (!front || !back)
        return DDERR_INVALIDOBJECT;
    if (!front->local->device || !can_swap(front, back))
        return DDERR_NOTFLIPPABLE;
    if (data->dwFlags & HALCYON_FLIP_EXCHANGE && flip_next(front) == back && flip_next(back) != front)
        return DDERR_UNSUPPORTED; /* Present has no flag for it */
    list[0] = front;
    if (flip_next(front) == back)
        for (struct bridge_surface *s = back; s && s != front && count < ARRAY_COUNT(list); s = flip_next(s))
            list[count++] = s;
    else
        list[count++] = back;
    for (unsigned i = 1; i < count; i++)
        if (!can_swap(list[i - 1], list[i]))
            return DDERR_NOTFLIPPABLE;
    args.hSrcResource = back->resource->handle;
    args.SrcSubResourceIndex = back->part;
    args.hDstResource = front->resource->handle;
    args.DstSubResourceIndex = front->part;
    hr = front->local->f.pfnPresent(front->local->device, &args);
    if (FAILED(hr))
        return bridge_result(hr, DDERR_NOTFLIPPABLE);
    for (unsigned i = 1; i < count; i++)
        swap(list[i - 1], list[i]);
    for (unsigned i = 0; i < count; i++)
        bind_targets_again(front->local, list[i]);
    return DD_OK;
}

DWORD PASCAL bridge_flip(LPDDHAL_FLIPDATA data)
{
    bridge_enter();
    data->ddRVal = flip(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

/* --- others ------------------------------------------------------------------------------------------------------------ */

/* The driver has no keys of surfaces: they come with each blit. */
static HRESULT set_color_key(const DDHAL_SETCOLORKEYDATA *data)
{
    DDRAWI_DDRAWSURFACE_LCL *lcl = data->lpDDSurface;
    DDCOLORKEY key = data->ckNew;

    if (!bridge_surface_of(lcl))
        return DDERR_INVALIDOBJECT;
    if (data->dwFlags & (DDCKEY_SRCOVERLAY | DDCKEY_DESTOVERLAY))
        return DDERR_NOOVERLAYHW;
    if (data->dwFlags & DDCKEY_COLORSPACE && key.dwColorSpaceLowValue != key.dwColorSpaceHighValue)
        return DDERR_NOCOLORKEYHW;
    key.dwColorSpaceHighValue = key.dwColorSpaceLowValue;
    if (data->dwFlags & DDCKEY_SRCBLT) {
        lcl->ddckCKSrcBlt = key;
        lcl->dwFlags |= DDRAWISURF_HASCKEYSRCBLT;
    }
    if (data->dwFlags & DDCKEY_DESTBLT) {
        lcl->ddckCKDestBlt = key;
        lcl->dwFlags |= DDRAWISURF_HASCKEYDESTBLT;
    }
    return DD_OK;
}

DWORD PASCAL bridge_set_color_key(LPDDHAL_SETCOLORKEYDATA data)
{
    bridge_enter();
    data->ddRVal = set_color_key(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL bridge_add_attached(LPDDHAL_ADDATTACHEDSURFACEDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

/* Whether a present may be queued is known when it is tried. */
DWORD PASCAL bridge_get_blt_status(LPDDHAL_GETBLTSTATUSDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

DWORD PASCAL bridge_get_flip_status(LPDDHAL_GETFLIPSTATUSDATA data)
{
    data->ddRVal = DD_OK;
    return DDHAL_DRIVER_HANDLED;
}

static HRESULT access_samples(HALCYON_SAMPLESDATA *data)
{
    const struct bridge_surface *surface = bridge_surface_of(data->lpDDSurface);
    HALCYON_UMD_SAMPLES args = {.pMemory = data->lpMemory,
                                .Flags = data->dwFlags,
                                .Sample = data->dwSample,
                                .FirstRow = data->dwFirstRow,
                                .Rows = data->dwRows,
                                .RowBytes = data->dwRowBytes};
    HRESULT hr;

    if (!surface || !surface->resource || !surface->local->device)
        return DDERR_INVALIDOBJECT;
    args.Surface = bridge_place(surface);
    hr = surface->local->f.pfnGetInfo(surface->local->device, HALCYON_DEVINFOID_SAMPLES, &args, sizeof(args));
    data->dwSamples = args.Samples;
    data->dwRows = args.Rows;
    data->dwRowBytes = args.RowBytes;
    data->dwDiffer = args.Differ;
    return bridge_result(hr, DDERR_INVALIDPARAMS);
}

DWORD PASCAL bridge_access_samples(LPHALCYON_SAMPLESDATA data)
{
    bridge_enter();
    data->ddRVal = access_samples(data);
    bridge_leave();
    return DDHAL_DRIVER_HANDLED;
}
