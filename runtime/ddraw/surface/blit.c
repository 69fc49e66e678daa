/* SPDX-License-Identifier: MIT */
/* Blt and BltFast: facts for the rules, and their plan as blits of the driver. */
#include "runtime/ddraw/rules/blit.h"

#include <stdlib.h>

#include "base/base.h"
#include "client/client.h"
#include "runtime/ddraw/object/clipper.h"
#include "runtime/ddraw/screen/front.h"
#include "runtime/ddraw/surface/copy.h"

static struct ddraw_blit_side side_of(const struct surface *surface)
{
    const struct ddraw_keys *keys = &surface->keys;

    return (struct ddraw_blit_side){
        .width = surface->desc.dwWidth,
        .height = surface->desc.dwHeight,
        .format = surface_format(surface),
        .is_lost = surface->is_lost,
        .is_locked = surface->locks.count || surface->locks.has_dc,
        .source_key = keys->is_set[DDRAW_KEY_SRCBLT] ? &keys->key[DDRAW_KEY_SRCBLT] : NULL,
        .destination_key = keys->is_set[DDRAW_KEY_DESTBLT] ? &keys->key[DDRAW_KEY_DESTBLT] : NULL,
        .last_destination_key = keys->key[DDRAW_KEY_DESTBLT].dwColorSpaceLowValue,
    };
}

/* --- clip lists ------------------------------------------------------------------------ */

/* The rectangles of the clipper, in *region; NULL: there is no clipper, or, after an error, no list. */
static HRESULT clips_of(struct surface *surface, RGNDATA **region)
{
    const RECT all = {0, 0, (LONG)surface->desc.dwWidth, (LONG)surface->desc.dwHeight};
    struct dd_object *clipper;

    *region = NULL;
    surface_forget_dead(surface);
    clipper = surface->clipper ? dd_find(surface->clipper, &clipper_class) : NULL;
    return clipper ? clipper_region((struct clipper *)clipper, &all, region) : DD_OK;
}

/* Cuts the rectangles of the list to the destination, and removes those that are empty. Returns how many are left. */
static uint32_t cut_clips(RGNDATA *region, const RECT *to)
{
    RECT *rects = (RECT *)(void *)region->Buffer;
    uint32_t count = 0;

    for (uint32_t i = 0; i < region->rdh.nCount; i++) {
        RECT part;

        if (IntersectRect(&part, &rects[i], to))
            rects[count++] = part;
    }
    return count;
}

/* --- blits ----------------------------------------------------------------------------- */

static void use_fronts(struct surface *to, struct surface *from, const struct ddraw_blit_plan *plan)
{
    dd_front_used(to, &plan->destination);
    if (from && from != to)
        dd_front_used(from, &plan->source);
}

static HRESULT fill(struct surface *surface, const struct ddraw_blit_plan *plan, const RECT *rects, uint32_t count)
{
    HRESULT hr = DD_OK;

    for (uint32_t i = 0; i < count && SUCCEEDED(hr); i++)
        hr = surface_fill(surface, &rects[i], plan->kind == DDRAW_BLIT_DEPTH, plan->value);
    return hr;
}

static HRESULT perform(struct surface *to, struct surface *from, struct ddraw_blit_plan *plan, RGNDATA *clips)
{
    RECT *rects = clips ? (RECT *)(void *)clips->Buffer : NULL;
    const uint32_t count = clips ? cut_clips(clips, &plan->destination) : 0;

    if (clips && !count)
        return DD_OK;
    if (plan->kind == DDRAW_BLIT_COPY)
        return surface_copy(to, from, plan, rects, count);
    return clips ? fill(to, plan, rects, count) : fill(to, plan, &plan->destination, 1);
}

HRESULT surface_Blt(struct dd_call *call, RECT *rect, void *source, RECT *source_rect, DWORD flags, DDBLTFX *effects)
{
    struct surface *to = surface_of(call), *from = (struct surface *)dd_find(source, &surface_class);
    struct ddraw_blit_side side;
    struct ddraw_blit blit = {.version = call->version,
                              .destination = side_of(to),
                              .destination_rect = rect,
                              .source_rect = source_rect,
                              .flags = flags,
                              .fx = effects};
    struct ddraw_blit_plan plan;
    RGNDATA *clips;
    HRESULT hr, clipped;

    if (source && !from)
        return DDERR_INVALIDOBJECT;
    if (from) {
        side = side_of(from);
        blit.source = &side;
    }
    clipped = clips_of(to, &clips);
    blit.clipping = clipped == DDERR_NOCLIPLIST ? DDRAW_CLIP_EMPTY : clips ? DDRAW_CLIP_LIST : DDRAW_CLIP_NONE;
    hr = ddraw_plan_blit(&blit, &plan);
    if (SUCCEEDED(hr))
        hr = clipped;
    if (SUCCEEDED(hr)) {
        use_fronts(to, from, &plan);
        hr = perform(to, from, &plan, clips);
    }
    free(clips);
    if (SUCCEEDED(hr))
        dd_front_changed(to, &plan.destination);
    return hr;
}

HRESULT surface_BltFast(struct dd_call *call, DWORD x, DWORD y, void *source, RECT *source_rect, DWORD flags)
{
    struct surface *to = surface_of(call), *from = (struct surface *)dd_find(source, &surface_class);
    struct ddraw_blit_side side;
    struct ddraw_blit blit = {
        .version = call->version, .destination = side_of(to), .source_rect = source_rect, .flags = flags};
    struct ddraw_blit_plan plan;
    HRESULT hr;

    if (source && !from)
        return DDERR_INVALIDOBJECT;
    if (from) {
        side = side_of(from);
        blit.source = &side;
    }
    surface_forget_dead(to);
    blit.clipping = to->clipper ? DDRAW_CLIP_LIST : DDRAW_CLIP_NONE;
    hr = ddraw_plan_fast_blit(&blit, x, y, &plan);
    if (SUCCEEDED(hr)) {
        use_fronts(to, from, &plan);
        hr = surface_copy(to, from, &plan, NULL, 0);
    }
    if (SUCCEEDED(hr))
        dd_front_changed(to, &plan.destination);
    return hr;
}
