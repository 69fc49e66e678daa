/* SPDX-License-Identifier: MIT */
#include "runtime/ddraw/screen/compose.h"

#include <string.h>

#include "base/base.h"
#include "client/client.h"
#include "runtime/ddraw/rules/compose.h"
#include "runtime/ddraw/surface/access.h"
#include "runtime/ddraw/surface/overlay.h"

/* --- surfaces of the driver -------------------------------------------------------------- */

static void drop(struct rt_chain **chain)
{
    if (*chain)
        rt_chain_destroy(*chain);
    *chain = NULL;
}

/* A surface of this size, or the one that is there. *is_new: its contents are not known. */
static bool provide(struct rt_chain **chain, struct rt_link *link, uint32_t format, unsigned width, unsigned height,
                    bool *is_new)
{
    const struct rt_chain_desc desc = {.kind = RT_CHAIN_PLAIN,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = format,
                                       .width = width,
                                       .height = height,
                                       .depth = 1,
                                       .levels = 1,
                                       .faces = 1};

    *is_new = false;
    if (*chain && (*chain)->desc.width == width && (*chain)->desc.height == height)
        return true;
    *is_new = true;
    drop(chain);
    if (FAILED(rt_chain_create(link, &desc, chain)))
        *chain = NULL;
    return *chain;
}

struct client_surface *dd_composition_surface(const struct dd_composition *composition)
{
    return composition->picture->parts[0].surface;
}

void dd_composition_free(struct dd_composition *composition)
{
    drop(&composition->layer);
    drop(&composition->picture);
    rt_scaler_free(&composition->scaler);
    composition->is_valid = false;
}

/* --- layers ------------------------------------------------------------------------------ */

static SIZE size_of(const RECT *rect)
{
    return (SIZE){rect->right - rect->left, rect->bottom - rect->top};
}

/* Is it stretched with a filter? Keys know whole texels alone. */
static bool is_smooth(const struct ddraw_overlay *overlay)
{
    const SIZE from = size_of(&overlay->source), to = size_of(&overlay->destination);

    return !overlay->has_source_key && (from.cx != to.cx || from.cy != to.cy);
}

/* The overlay in composition->layer, in the size in which it is seen unless it is smooth. With a key texels that are not seen have alpha 0; no
 * format of overlays has an alpha of its own. The program may have locked the overlay: what it has written so far is shown. */
static bool draw_layer(struct dd_composition *composition, struct surface *surface)
{
    const struct ddraw_overlay *overlay = &surface->overlay;
    const struct client_blt_effects keys = {.source_key = overlay->has_source_key ? &overlay->source_key : NULL};
    const struct client_blt_effects mirror = {.mirror = overlay->mirror};
    const SIZE size = size_of(is_smooth(overlay) ? &overlay->source : &overlay->destination);
    const RECT all = {0, 0, size.cx, size.cy};
    HRESULT hr = DD_OK;
    bool is_new;

    if (!provide(&composition->layer, surface->ddraw->link, D3DFMT_A8R8G8B8, (unsigned)size.cx, (unsigned)size.cy,
                 &is_new))
        return false;
    if (overlay->has_source_key)
        hr = rt_chain_fill(composition->layer, 0, &all, false, 0);
    surface_suspend(surface);
    if (SUCCEEDED(hr))
        hr = rt_chain_blt_with(composition->layer, 0, &all, surface->root->chain, surface->part, &overlay->source,
                               &keys);
    surface_resume(surface);
    if (SUCCEEDED(hr) && overlay->mirror) /* pairs and planes cannot be mirrored, colours can */
        hr = rt_chain_blt_with(composition->layer, 0, &all, composition->layer, 0, &all, &mirror);
    return SUCCEEDED(hr);
}

static struct rt_picture picture_of(const struct rt_chain *chain, const struct rt_mapping *mapping)
{
    const struct rt_chain_desc *desc = &chain->desc;

    return (struct rt_picture){mapping->bits, mapping->pitch, desc->width, desc->height, desc->format};
}

/* In the size in which it is seen. */
static bool stretch(struct dd_composition *composition, const struct ddraw_overlay *overlay, struct rt_picture *picture)
{
    const RECT all = {0, 0, (LONG)picture->width, (LONG)picture->height};
    const SIZE size = size_of(&overlay->destination);
    const struct rt_picture from = *picture;

    return !is_smooth(overlay) || rt_scale_picture(&composition->scaler, RT_SCALE_LINEAR, &from, &all,
                                                   (unsigned)size.cx, (unsigned)size.cy, picture);
}

static bool add_layer(struct dd_composition *composition, const struct rt_picture *picture,
                      const struct ddraw_shown *shown, struct surface *surface, const RECT *rect)
{
    const struct ddraw_overlay *overlay = &surface->overlay;
    struct ddraw_layer layer = {.place = overlay->destination,
                                .has_source_key = overlay->has_source_key,
                                .has_destination_key = overlay->has_destination_key,
                                .destination_key = overlay->destination_key};
    struct rt_mapping mapping;
    struct rt_picture texels;
    RECT part;
    bool ok;

    if (!IntersectRect(&part, rect, &overlay->destination))
        return true;
    if (!draw_layer(composition, surface) || FAILED(rt_chain_lock(composition->layer, 0, D3DLOCK_READONLY, &mapping)))
        return false;
    texels = picture_of(composition->layer, &mapping);
    ok = stretch(composition, overlay, &texels);
    if (ok) {
        layer.texels = texels.bits;
        layer.pitch = texels.pitch;
        ddraw_compose(picture, shown, &layer, &part);
    }
    rt_chain_unlock(composition->layer, 0);
    return ok;
}

/* --- the picture ------------------------------------------------------------------------ */

bool dd_has_overlays(const struct surface *front)
{
    return overlay_next(front, NULL);
}

/* The rows of the surface alone. */
static void copy_below(const struct rt_picture *picture, const struct ddraw_shown *shown, const RECT *rect)
{
    const struct rt_picture from = ddraw_shown_picture(shown);

    for (LONG y = rect->top; y < rect->bottom; y++)
        memcpy(picture->bits + (size_t)y * picture->pitch + (size_t)rect->left * 4,
               from.bits + (size_t)y * from.pitch + (size_t)rect->left * 4, (size_t)(rect->right - rect->left) * 4);
}

bool dd_compose(struct dd_composition *composition, const struct ddraw_shown *shown, const struct surface *front,
                const RECT *rect)
{
    const RECT all = {0, 0, (LONG)shown->width, (LONG)shown->height};
    const bool was_valid = composition->is_valid;
    struct surface *surface = NULL;
    struct rt_picture picture;
    struct rt_mapping mapping;
    bool is_new, ok = true;
    RECT part;

    composition->is_valid = false;
    if (!provide(&composition->picture, front->ddraw->link, D3DFMT_X8R8G8B8, shown->width, shown->height, &is_new))
        return false;
    part = was_valid && !is_new ? *rect : all;
    if (FAILED(rt_chain_lock(composition->picture, 0, 0, &mapping)))
        return false;
    picture = picture_of(composition->picture, &mapping);
    copy_below(&picture, shown, &part);
    while (ok && (surface = overlay_next(front, surface)))
        ok = add_layer(composition, &picture, shown, surface, &part);
    rt_chain_unlock(composition->picture, 0);
    composition->is_valid = ok;
    return ok;
}

bool dd_composition_map(struct dd_composition *composition, struct rt_picture *picture)
{
    struct rt_mapping mapping;

    if (FAILED(rt_chain_lock(composition->picture, 0, D3DLOCK_READONLY, &mapping)))
        return false;
    *picture = picture_of(composition->picture, &mapping);
    return true;
}

void dd_composition_unmap(struct dd_composition *composition)
{
    rt_chain_unlock(composition->picture, 0);
}
