/* SPDX-License-Identifier: MIT */
/*
 * The whole blit is drawn on the side, then its visible parts are copied: which source texel a pixel shows depends on
 * both whole rectangles, and a stretched part of the source would round otherwise.
 */
#include "hal/resource/copy/clip.h"

#include "base/base.h"
#include "caps/caps.h"
#include "hal/resource/color_key.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/copy/scratch.h"
#include "hal/resource/surface.h"

static RECT clip_intersect(const RECT *a, const RECT *b)
{
    return (RECT){BASE_MAX(a->left, b->left), BASE_MAX(a->top, b->top), BASE_MIN(a->right, b->right),
                  BASE_MIN(a->bottom, b->bottom)};
}

static bool is_empty(const RECT *rect)
{
    return rect->left >= rect->right || rect->top >= rect->bottom;
}

/* The rectangle of the destination, as one of the picture on the side. */
static RECT clip_move(const RECT *rect, const RECT *to)
{
    return (RECT){rect->left - to->left, rect->top - to->top, rect->right - to->left, rect->bottom - to->top};
}

static HRESULT draw_all(struct hal_surface *scratch, struct hal_surface *destination, const RECT *to,
                        const RECT *visible, struct hal_surface *source, const RECT *from,
                        const struct hal_blt_keys *keys)
{
    const RECT all = {0, 0, (LONG)scratch->width, (LONG)scratch->height}, place = clip_move(visible, to);
    HRESULT hr = DD_OK;

    if (!keys->source->set && !keys->destination->set)
        return hal_surface_blt(scratch, &all, source, from, false);
    /* pixels that keys leave out are those of the destination */
    hr = hal_surface_blt(scratch, &place, destination, visible, false);
    return FAILED(hr) ? hr : hal_keyed_blt(scratch, &all, source, from, keys->source, keys->destination);
}

HRESULT hal_clipped_stretch(struct hal_surface *destination, const RECT *to, struct hal_surface *source,
                            const RECT *from, const struct hal_blt_keys *keys, const RECT *rects, uint32_t count)
{
    const RECT whole = {0, 0, (LONG)destination->width, (LONG)destination->height};
    const RECT visible = clip_intersect(to, &whole);
    const int64_t width = (int64_t)to->right - to->left, height = (int64_t)to->bottom - to->top;
    struct hal_surface scratch;
    HRESULT hr;

    if (!hal_scratch_is_possible(destination))
        return DDERR_NOSTRETCHHW;
    if (width < 0 || height < 0 || width > CAPS_MAX_TARGET_SIZE || height > CAPS_MAX_TARGET_SIZE)
        return DDERR_INVALIDRECT;
    if (is_empty(&visible) || is_empty(from))
        return DD_OK;
    hr = hal_scratch_make(&scratch, destination, (unsigned)width, (unsigned)height);
    if (FAILED(hr))
        return hr;
    hr = draw_all(&scratch, destination, to, &visible, source, from, keys);
    for (uint32_t i = 0; i < count && SUCCEEDED(hr); i++) {
        const RECT part = clip_intersect(&rects[i], &visible), taken = clip_move(&part, to);

        if (!is_empty(&part))
            hr = hal_surface_blt(destination, &part, &scratch, &taken, false);
    }
    hal_scratch_free(&scratch);
    return hr;
}
