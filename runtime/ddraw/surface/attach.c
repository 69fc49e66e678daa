/* SPDX-License-Identifier: MIT */
/* Attachments: parts of one tree, and surfaces that programs attach by hand. */
#include "runtime/ddraw/rules/attach.h"

#include <stdlib.h>

#include "base/base.h"
#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/surface/surface.h"

/* --- what is attached ------------------------------------------------------------------ */

/* The part of the surface's tree that is attached after `before`: to a root first the faces of a cube, the last one first (CubeMapTest). */
static struct surface *next_part(struct surface *surface, struct surface *before)
{
    struct surface *face = NULL;

    if (before && before == surface->attached)
        return NULL;
    if (surface->root == surface)
        face = before ? before->next_face : surface->next_face;
    return face ? face : surface->attached;
}

static struct surface *next_by_hand(const struct surface *surface, const struct surface *before, unsigned version)
{
    const struct ddraw_attachments *list = surface->by_hand;
    unsigned i = 0;

    if (!list)
        return NULL;
    while (before && i < list->count && list->list[i++].surface != before)
        ;
    while (i < list->count && list->list[i].version != version)
        i++;
    return i < list->count ? (struct surface *)list->list[i].surface : NULL;
}

static bool is_part(struct surface *surface, const struct surface *other)
{
    struct surface *s = next_part(surface, NULL);

    while (s && s != other)
        s = next_part(surface, s);
    return s;
}

/* A program may also attach a surface of the same tree, as the second back buffer to the front. */
struct surface *surface_next_attached(struct surface *surface, struct surface *before, unsigned version)
{
    struct surface *next = NULL;

    if (before && !is_part(surface, before))
        return next_by_hand(surface, before, version);
    next = next_part(surface, before);
    return next ? next : next_by_hand(surface, NULL, version);
}

struct surface *surface_find_attached(struct surface *surface, DDSCAPS2 caps, unsigned version)
{
    struct surface *s = surface_next_attached(surface, NULL, version);

    while (s && (caps.dwCaps & ~s->desc.ddsCaps.dwCaps || caps.dwCaps2 & ~s->desc.ddsCaps.dwCaps2))
        s = surface_next_attached(surface, s, version);
    return s;
}

HRESULT surface_GetAttachedSurface(struct dd_call *call, void *caps, void *surface)
{
    struct dd_interface **out = surface;
    struct surface *attached;

    if (!caps || !out)
        return DDERR_INVALIDPARAMS;
    if (surface_of(call)->is_lost) /* and *out stays (test_lost_device) */
        return DDERR_SURFACELOST;
    *out = NULL;
    attached = surface_find_attached(
        surface_of(call), call->version >= 4 ? *(const DDSCAPS2 *)caps : ddraw_caps2_of(caps), call->version);
    if (!attached)
        return DDERR_NOTFOUND;
    *out = dd_face(&attached->object, call->version);
    dd_addref(*out);
    return DD_OK;
}

/* --- by hand --------------------------------------------------------------------------- */

static struct ddraw_attach_side side_of(const struct surface *surface)
{
    return (struct ddraw_attach_side){.surface = surface,
                                      .width = surface->desc.dwWidth,
                                      .height = surface->desc.dwHeight,
                                      .format = surface_format(surface),
                                      .caps = surface->desc.ddsCaps.dwCaps};
}

static const struct ddraw_attachments *list_of(const struct surface *surface)
{
    static const struct ddraw_attachments none;

    return surface->by_hand ? surface->by_hand : &none;
}

/* An attachment is a reference of the list's tree (a root and its parts) on the attached surface, and keeps another tree alive if
 * that is a root. Marks the trees that marked ones keep alive; whether there were any to mark. */
static bool mark_held_trees(void)
{
    bool marked = false;

    for (const struct ddraw *ddraw = ddraw_next(NULL); ddraw; ddraw = ddraw_next(ddraw))
        for (struct surface *s = ddraw->surfaces; s; s = s->next)
            for (unsigned i = 0; s->root->is_marked && i < list_of(s)->count; i++) {
                struct surface *held = (struct surface *)list_of(s)->list[i].surface;

                if (held->root == held && !held->is_marked)
                    held->is_marked = marked = true;
            }
    return marked;
}

/* Whether the tree of `surface` would hold itself if it held `other`. */
static bool closes_circle(const struct surface *surface, struct surface *other)
{
    if (other->root != other)
        return false;
    for (const struct ddraw *ddraw = ddraw_next(NULL); ddraw; ddraw = ddraw_next(ddraw))
        for (struct surface *s = ddraw->surfaces; s; s = s->next)
            s->is_marked = false;
    other->is_marked = true;
    while (!surface->root->is_marked && mark_held_trees())
        ;
    return surface->root->is_marked;
}

HRESULT surface_AddAttachedSurface(struct dd_call *call, void *given)
{
    struct surface *surface = surface_of(call), *other = (struct surface *)dd_find(given, &surface_class);
    struct ddraw_attach_side to, attached;
    HRESULT hr;

    if (!other)
        return DDERR_INVALIDPARAMS;
    if (!surface->by_hand)
        surface->by_hand = mem_calloc(1, sizeof(*surface->by_hand));
    if (!surface->by_hand)
        return DDERR_OUTOFMEMORY;
    to = side_of(surface);
    attached = side_of(other);
    hr = ddraw_attach(surface->by_hand, list_of(other), call->version, &to, &attached, is_part(surface, other),
                      closes_circle(surface, other));
    if (FAILED(hr))
        return hr;
    other->holders++;
    dd_addref(dd_face(&other->object, call->version));
    return DD_OK;
}

static HRESULT detach(struct dd_call *call, DWORD flags, struct surface *other)
{
    struct surface *surface = surface_of(call);
    struct ddraw_attachments none = {.count = 0};
    HRESULT hr = ddraw_detach(surface->by_hand ? surface->by_hand : &none, list_of(other), call->version, surface,
                              other, flags, is_part(surface, other));

    if (FAILED(hr))
        return hr;
    other->holders--;
    dd_release(dd_face(&other->object, call->version));
    return DD_OK;
}

HRESULT surface_DeleteAttachedSurface(struct dd_call *call, DWORD flags, void *given)
{
    struct surface *surface = surface_of(call), *other = (struct surface *)dd_find(given, &surface_class);
    HRESULT hr = DD_OK;

    if (flags || (given && !other))
        return DDERR_INVALIDPARAMS;
    if (other)
        return detach(call, flags, other);
    /* NULL: all that have been attached by hand */
    if (!next_by_hand(surface, NULL, call->version))
        return DDERR_SURFACENOTATTACHED;
    while (SUCCEEDED(hr) && (other = next_by_hand(surface, NULL, call->version)))
        hr = detach(call, flags, other);
    return hr;
}

static bool is_buffer_of(const struct surface *surface, const struct surface *other)
{
    const struct ddraw_attachments *list = list_of(surface);

    for (unsigned i = 0; i < list->count; i++)
        if (list->list[i].surface == other)
            return !list->list[i].is_depth;
    return false;
}

struct surface *surface_next_neighbour(struct surface *surface, struct surface *before)
{
    struct surface *s = before ? before->next : surface->ddraw->surfaces;

    while (s && !is_buffer_of(surface, s) && !is_buffer_of(s, surface))
        s = s->next;
    return s;
}

static void forget(struct surface *surface, const struct surface *other)
{
    struct ddraw_attachments *list = surface->by_hand;
    unsigned kept = 0;

    for (unsigned i = 0; list && i < list->count; i++)
        if (list->list[i].surface != other)
            list->list[kept++] = list->list[i];
    if (list)
        list->count = kept;
}

/* It leaves the lists of others first: what it releases may be the last holder of one that has attached it. */
void surface_detach_all(struct surface *surface)
{
    struct ddraw_attachments *list = surface->by_hand;

    surface->by_hand = NULL;
    for (const struct ddraw *ddraw = surface->holders ? ddraw_next(NULL) : NULL; ddraw; ddraw = ddraw_next(ddraw))
        for (struct surface *s = ddraw->surfaces; s; s = s->next)
            forget(s, surface);
    surface->holders = 0;
    for (unsigned i = 0; list && i < list->count; i++) {
        struct surface *other = (struct surface *)list->list[i].surface;

        if (other->object.ended) /* with the DirectDraw object, which something released here may have ended */
            continue;
        other->holders--;
        dd_release(dd_face(&other->object, list->list[i].version));
    }
    free(list);
}
