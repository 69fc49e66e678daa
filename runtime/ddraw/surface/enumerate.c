/* SPDX-License-Identifier: MIT */
/* Enumerations of surfaces: those of a DirectDraw object, those that can be created, those attached to another, and its overlays. */
#include <stdlib.h>

#include "runtime/ddraw/rules/desc.h"
#include "runtime/ddraw/rules/overlay.h"
#include "runtime/ddraw/screen/desktop.h"
#include "runtime/ddraw/surface/request.h"
#include "runtime/ddraw/surface/surface.h"

/* The callbacks of all versions, which differ in types alone. */
typedef HRESULT(CALLBACK *surface_callback)(void *surface, DDSURFACEDESC2 *desc, void *context);

/* Interfaces with a reference for the callback each, and their descriptions: what is enumerated may change while it is. */
struct listed {
    struct dd_interface *face; /* NULL: a description alone */
    DDSURFACEDESC2 desc;
};
struct list {
    struct listed *items;
    unsigned count, room;
};

static bool add(struct list *list, struct dd_interface *face, const DDSURFACEDESC2 *desc, unsigned version)
{
    struct listed *item;

    if (list->count == list->room) {
        const unsigned room = list->room ? 2 * list->room : 16;
        struct listed *items = mem_realloc(list->items, room, sizeof(*items));

        if (!items)
            return false;
        list->items = items;
        list->room = room;
    }
    item = &list->items[list->count++];
    item->face = face;
    ddraw_desc_write(&item->desc, desc, DDRAW_DESC_GET, version);
    if (face)
        dd_addref(face);
    return true;
}

/* Calls the program for each item. Those that it did not get lose their references. */
static HRESULT tell(struct list *list, bool complete, void *context, dd_callback callback)
{
    bool goes_on = complete;
    unsigned depth;

    for (unsigned i = 0; i < list->count; i++) {
        struct listed *item = &list->items[i];

        if (goes_on) {
            depth = dd_pause();
            goes_on = ((surface_callback)callback)(item->face, &item->desc, context) != DDENUMRET_CANCEL;
            dd_resume(depth);
        } else if (item->face && dd_find(item->face, &surface_class)) {
            dd_release(item->face);
        }
    }
    free(list->items);
    return complete ? DD_OK : DDERR_OUTOFMEMORY;
}

/* --- those that exist ------------------------------------------------------------------ */

/* Does the surface have what the description names? */
static bool matches(const struct surface *surface, const DDSURFACEDESC2 *asked)
{
    const DDSURFACEDESC2 *desc = &surface->desc;

    return (!(asked->dwFlags & DDSD_WIDTH) || asked->dwWidth == desc->dwWidth) &&
           (!(asked->dwFlags & DDSD_HEIGHT) || asked->dwHeight == desc->dwHeight) &&
           (!(asked->dwFlags & DDSD_CAPS) || !(asked->ddsCaps.dwCaps & ~desc->ddsCaps.dwCaps)) &&
           (!(asked->dwFlags & DDSD_PIXELFORMAT) ||
            !memcmp(&asked->ddpfPixelFormat, &desc->ddpfPixelFormat, sizeof(desc->ddpfPixelFormat)));
}

static bool list_existing(struct list *list, const struct ddraw *ddraw, unsigned version, DWORD flags,
                          const DDSURFACEDESC2 *asked)
{
    for (struct surface *s = ddraw->surfaces; s; s = s->next) {
        const bool match = flags & DDENUMSURFACES_ALL || !asked || matches(s, asked);

        if (match == !(flags & DDENUMSURFACES_NOMATCH) &&
            !add(list, dd_face(&s->object, surface_version(version)), &s->desc, version))
            return false;
    }
    return true;
}

/* --- those that can be created --------------------------------------------------------- */

static bool list_possible(struct list *list, const struct ddraw *ddraw, unsigned version, const DDSURFACEDESC2 *asked)
{
    const DWORD sizes = DDSD_WIDTH | DDSD_HEIGHT;
    struct ddraw_mode modes[DDRAW_MOST_MODES], desktop;
    unsigned count = 1;

    dd_desktop_mode(&desktop);
    if ((asked->dwFlags & sizes) != sizes)
        count = dd_desktop_list(modes);
    for (unsigned i = 0; i < count; i++) {
        DDSURFACEDESC2 desc = *asked;
        struct ddraw_plan plan;

        if ((asked->dwFlags & sizes) != sizes) {
            if (modes[i].bits != desktop.bits)
                continue;
            desc.dwFlags |= sizes;
            desc.dwWidth = modes[i].width;
            desc.dwHeight = modes[i].height;
        }
        if (FAILED(surface_request(ddraw, version, &desc, &plan)))
            continue;
        desc = ddraw_plan_describe(&plan, ddraw_plan_root(&plan));
        if (!add(list, NULL, &desc, version))
            return false;
    }
    return true;
}

HRESULT ddraw_EnumSurfaces(struct dd_call *call, DWORD flags, void *desc, void *context, dd_callback callback)
{
    const DWORD known = DDENUMSURFACES_ALL | DDENUMSURFACES_MATCH | DDENUMSURFACES_NOMATCH |
                        DDENUMSURFACES_CANBECREATED | DDENUMSURFACES_DOESEXIST;
    struct ddraw *ddraw = ddraw_of(call);
    struct list list = {0};
    DDSURFACEDESC2 asked;
    bool complete;

    if (!callback || flags & ~known || !(flags & (DDENUMSURFACES_CANBECREATED | DDENUMSURFACES_DOESEXIST)))
        return DDERR_INVALIDPARAMS;
    if (!desc && !(flags & DDENUMSURFACES_ALL))
        return DDERR_INVALIDPARAMS;
    if (desc)
        ddraw_desc_read(&asked, desc, call->version);
    if (flags & DDENUMSURFACES_CANBECREATED) {
        if (!desc || !(flags & DDENUMSURFACES_MATCH) || flags & (DDENUMSURFACES_ALL | DDENUMSURFACES_NOMATCH))
            return DDERR_INVALIDPARAMS;
        complete = list_possible(&list, ddraw, call->version, &asked);
    } else {
        complete = list_existing(&list, ddraw, call->version, flags, desc ? &asked : NULL);
    }
    return tell(&list, complete, context, callback);
}

/* --- those attached -------------------------------------------------------------------- */

HRESULT surface_EnumAttachedSurfaces(struct dd_call *call, void *context, dd_callback callback)
{
    struct surface *surface = surface_of(call), *attached = NULL;
    struct list list = {0};
    bool complete = true;

    if (!callback)
        return DDERR_INVALIDPARAMS;
    /* The last back buffer has the front, which is not enumerated. */
    while (complete && (attached = surface_next_attached(surface, attached, call->version)))
        if (attached != attached->root)
            complete = add(&list, dd_face(&attached->object, call->version), &attached->desc, call->version);
    return tell(&list, complete, context, callback);
}

/* --- overlays -------------------------------------------------------------------------- */

/* Those of the surface, hidden ones as well. */
static bool list_overlays(struct list *list, const struct surface *destination, unsigned version)
{
    for (struct surface *s = destination->ddraw->overlays; s; s = s->behind)
        if (s->overlaid == destination && !add(list, dd_face(&s->object, version), &s->desc, version))
            return false;
    return true;
}

static void reverse(struct list *list)
{
    for (unsigned i = 0; i < list->count / 2; i++) {
        const struct listed item = list->items[i];

        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = item;
    }
}

HRESULT surface_EnumOverlayZOrders(struct dd_call *call, DWORD flags, void *context, dd_callback callback)
{
    struct list list = {0};
    bool complete;

    if (!callback || flags > DDRAW_FRONT_TO_BACK)
        return DDERR_INVALIDPARAMS;
    complete = list_overlays(&list, surface_of(call), call->version);
    if (flags == DDRAW_BACK_TO_FRONT)
        reverse(&list);
    return tell(&list, complete, context, callback);
}
