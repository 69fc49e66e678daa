/* SPDX-License-Identifier: MIT */
/* Locks and device contexts (test_lockrect_invalid, partial_block_lock_test, test_getdc), and test_set_surface_desc. */
#include "runtime/ddraw/rules/lock.h"

#include <string.h>

#include "base/base.h"
#include "d3d/formats.h"
#include "runtime/ddraw/rules/format.h"

/* --- locks -------------------------------------------------------------------------------------- */

bool ddraw_lock_is_lenient(const struct ddraw_lock_facts *facts)
{
    return facts->maker == 7 && facts->caps & DDSCAPS_TEXTURE && !(facts->caps & DDSCAPS_VIDEOMEMORY);
}

static LONG clamp(LONG at, unsigned size)
{
    return at < 0 ? 0 : (LONG)BASE_MIN((ULONG)at, size);
}

/* Rectangles may be empty. Where natively nothing is checked, the part inside the surface is locked. */
static HRESULT take_rect(const struct ddraw_lock_facts *facts, const RECT *given, RECT *rect)
{
    *rect = given ? *given : (RECT){0, 0, (LONG)facts->width, (LONG)facts->height};
    if (rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right && rect->top <= rect->bottom &&
        (ULONG)rect->right <= facts->width && (ULONG)rect->bottom <= facts->height)
        return DD_OK;
    if (!ddraw_lock_is_lenient(facts))
        return DDERR_INVALIDPARAMS;
    rect->left = clamp(rect->left, facts->width);
    rect->top = clamp(rect->top, facts->height);
    rect->right = BASE_MAX(rect->left, clamp(rect->right, facts->width));
    rect->bottom = BASE_MAX(rect->top, clamp(rect->bottom, facts->height));
    return DD_OK;
}

/* In video memory only whole blocks. */
static bool cuts_blocks(const struct ddraw_lock_facts *facts, const RECT *rect)
{
    const SIZE block = ddraw_format_block(facts->format);

    if (ddraw_format_is_planar(facts->format)) /* any part of the luma (test_yv12_overlay) */
        return false;
    return facts->caps & DDSCAPS_VIDEOMEMORY && (rect->left % block.cx || rect->top % block.cy ||
                                                 (rect->right % block.cx && (ULONG)rect->right != facts->width) ||
                                                 (rect->bottom % block.cy && (ULONG)rect->bottom != facts->height));
}

static bool overlap(const RECT *a, const RECT *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool is_same(const RECT *a, const RECT *b)
{
    return a->left == b->left && a->top == b->top && a->right == b->right && a->bottom == b->bottom;
}

/* Versions 1 to 3 have one lock at a time, 4 and 7 several that do not overlap. */
static bool is_busy(const struct ddraw_locks *locks, const struct ddraw_lock_facts *facts, const RECT *rect)
{
    if (locks->has_dc || locks->count == DDRAW_MOST_LOCKS || (facts->version < 4 && locks->count))
        return true;
    for (unsigned i = 0; i < locks->count; i++)
        if (overlap(&locks->rects[i], rect) || is_same(&locks->rects[i], rect))
            return true;
    return false;
}

HRESULT ddraw_lock(struct ddraw_locks *locks, const struct ddraw_lock_facts *facts, const RECT *given, RECT *locked)
{
    HRESULT hr = take_rect(facts, given, locked);

    if (FAILED(hr))
        return hr;
    if (cuts_blocks(facts, locked))
        return DDERR_INVALIDPARAMS;
    if (facts->is_lost)
        return DDERR_SURFACELOST;
    if (is_busy(locks, facts, locked))
        return DDERR_SURFACEBUSY;
    locks->rects[locks->count++] = *locked;
    return DD_OK;
}

/* With one lock any rectangle ends it; of several the one with this rectangle. */
HRESULT ddraw_unlock(struct ddraw_locks *locks, const RECT *rect)
{
    unsigned i = 0;

    if (!locks->count)
        return DDERR_NOTLOCKED;
    if (locks->count > 1) {
        if (!rect)
            return DDERR_INVALIDRECT;
        while (i < locks->count && !is_same(&locks->rects[i], rect))
            i++;
        if (i == locks->count)
            return DDERR_INVALIDRECT;
    }
    locks->count--;
    memmove(&locks->rects[i], &locks->rects[i + 1], (locks->count - i) * sizeof(locks->rects[0]));
    return DD_OK;
}

/* A context can be had for a locked surface, but a surface with a context cannot be locked. */
HRESULT ddraw_get_dc(struct ddraw_locks *locks)
{
    if (locks->has_dc)
        return DDERR_DCALREADYCREATED;
    locks->has_dc = true;
    return DD_OK;
}

HRESULT ddraw_release_dc(struct ddraw_locks *locks)
{
    if (!locks->has_dc)
        return DDERR_NODC;
    locks->has_dc = false;
    return DD_OK;
}

/* --- other memory ----------------------------------------------------------------------------------- */

#define MAY_CHANGE (DDSD_LPSURFACE | DDSD_WIDTH | DDSD_HEIGHT | DDSD_PITCH | DDSD_PIXELFORMAT | DDSD_CAPS)

static HRESULT take_shape(const DDSURFACEDESC2 *desc, struct ddraw_rebind *rebind)
{
    const DWORD wide = desc->dwFlags & (DDSD_WIDTH | DDSD_PITCH);

    if (desc->dwFlags & DDSD_HEIGHT) {
        if (!desc->dwHeight || desc->dwHeight > UINT16_MAX)
            return DDERR_INVALIDPARAMS;
        rebind->height = desc->dwHeight;
    }
    if (wide) {
        if (wide != (DDSD_WIDTH | DDSD_PITCH) || !desc->dwWidth || desc->dwWidth > UINT16_MAX || desc->lPitch <= 0 ||
            desc->lPitch % 4)
            return DDERR_INVALIDPARAMS;
        rebind->width = desc->dwWidth;
        rebind->pitch = (size_t)desc->lPitch;
    }
    if (desc->dwFlags & DDSD_PIXELFORMAT) {
        rebind->format = ddraw_format_of(&desc->ddpfPixelFormat);
        if (rebind->format == D3D_FORMAT_UNKNOWN || ddraw_format_is_blocks(rebind->format))
            return DDERR_INVALIDPIXELFORMAT;
    }
    return DD_OK;
}

HRESULT ddraw_plan_rebind(const struct ddraw_lock_facts *facts, const struct ddraw_locks *locks, bool is_managed,
                          size_t pitch, const DDSURFACEDESC2 *desc, DWORD flags, struct ddraw_rebind *rebind)
{
    *rebind = (struct ddraw_rebind){NULL, facts->format, facts->width, facts->height, pitch};
    if (flags || !desc)
        return DDERR_INVALIDPARAMS;
    if (!(facts->caps & DDSCAPS_SYSTEMMEMORY) || is_managed || facts->caps & DDSCAPS_PRIMARYSURFACE)
        return DDERR_INVALIDSURFACETYPE;
    if (desc->dwFlags & ~(DWORD)MAY_CHANGE || !(desc->dwFlags & DDSD_LPSURFACE) || !desc->lpSurface)
        return DDERR_INVALIDPARAMS;
    if (desc->dwFlags & DDSD_CAPS && desc->ddsCaps.dwCaps)
        return DDERR_INVALIDCAPS;
    if (locks->count || locks->has_dc)
        return DDERR_SURFACEBUSY;
    rebind->memory = desc->lpSurface;
    return take_shape(desc, rebind);
}
