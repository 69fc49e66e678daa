/* SPDX-License-Identifier: MIT */
/* Overlays: facts for the rules, and their order. Their pixels: runtime/ddraw/screen/compose.h. */
#include "runtime/ddraw/surface/overlay.h"

#include "runtime/ddraw/rules/format.h"
#include "runtime/ddraw/screen/front.h"

static bool is_overlay(const struct surface *surface)
{
    return surface->desc.ddsCaps.dwCaps & DDSCAPS_OVERLAY;
}

/* --- the order, from the front to the back ----------------------------------------------- */

static unsigned count_all(const struct ddraw *ddraw)
{
    unsigned count = 0;

    for (const struct surface *s = ddraw->overlays; s; s = s->behind)
        count++;
    return count;
}

/* The number of all overlays if it is none of them. */
static unsigned place_of(const struct surface *surface, const struct ddraw *ddraw)
{
    const struct surface *s = ddraw->overlays;
    unsigned place = 0;

    for (; s && s != surface; s = s->behind)
        place++;
    return place;
}

static void remove_from_order(struct surface *surface)
{
    struct surface **at = &surface->ddraw->overlays;

    while (*at && *at != surface)
        at = &(*at)->behind;
    if (*at)
        *at = surface->behind;
    surface->behind = NULL;
}

static void insert(struct surface *surface, unsigned place)
{
    struct surface **at = &surface->ddraw->overlays;

    for (; *at && place; place--)
        at = &(*at)->behind;
    surface->behind = *at;
    *at = surface;
}

struct surface *overlay_next(const struct surface *destination, const struct surface *before)
{
    struct surface *found = NULL;

    for (struct surface *s = destination->ddraw->overlays; s && s != before; s = s->behind)
        if (s->overlaid == destination && s->overlay.is_shown && !s->is_lost)
            found = s;
    return found;
}

unsigned overlay_count(const struct ddraw *ddraw)
{
    unsigned count = 0;

    for (const struct surface *s = ddraw->overlays; s; s = s->behind)
        count += s->overlay.is_shown;
    return count;
}

/* --- life ------------------------------------------------------------------------------ */

/* DDSCAPS_VISIBLE: what is written to the surface is seen at once. */
static void describe(struct surface *surface)
{
    surface->desc.ddsCaps.dwCaps &= ~(DWORD)DDSCAPS_VISIBLE;
    if (surface->overlay.is_shown)
        surface->desc.ddsCaps.dwCaps |= DDSCAPS_VISIBLE;
}

void overlay_begin(struct surface *surface)
{
    if (is_overlay(surface) && surface->root == surface)
        insert(surface, 0);
}

/* It has been shown in `before`, and may have moved. */
static void look_again(struct surface *destination, const struct ddraw_overlay *before,
                       const struct ddraw_overlay *after)
{
    if (destination && before->is_shown)
        dd_front_changed(destination, &before->destination);
    if (destination && after->is_shown)
        dd_front_changed(destination, &after->destination);
}

void overlay_end(struct surface *surface)
{
    const struct ddraw_overlay before = surface->overlay;
    struct surface *destination = surface->overlaid;

    for (struct surface *s = surface->ddraw->overlays; s; s = s->behind)
        if (s->overlaid == surface) {
            s->overlaid = NULL;
            s->overlay = (struct ddraw_overlay){.has_destination = false};
            describe(s);
        }
    remove_from_order(surface);
    surface->overlaid = NULL;
    surface->overlay = (struct ddraw_overlay){.has_destination = false};
    look_again(destination, &before, &surface->overlay);
}

/* --- methods ---------------------------------------------------------------------------- */

/* destination: NULL if there is none. */
static struct ddraw_overlay_facts facts_of(const struct surface *surface, const struct surface *destination)
{
    struct ddraw_overlay_facts facts = {
        .is_overlay = is_overlay(surface),
        .is_back_buffer = surface->root != surface,
        .is_lost = surface->is_lost || (destination && destination->is_lost),
        .is_code = ddraw_format_is_code(surface_format(surface)),
        .shown = overlay_count(surface->ddraw),
        .width = surface->desc.dwWidth,
        .height = surface->desc.dwHeight,
        .source_key = surface->keys.is_set[DDRAW_KEY_SRCOVERLAY] ? &surface->keys.key[DDRAW_KEY_SRCOVERLAY] : NULL,
    };

    if (!destination)
        return facts;
    facts.has_destination = true;
    facts.is_of_other_ddraw = destination->ddraw != surface->ddraw;
    facts.is_destination_overlay = is_overlay(destination);
    facts.to_width = destination->desc.dwWidth;
    facts.to_height = destination->desc.dwHeight;
    if (destination->keys.is_set[DDRAW_KEY_DESTOVERLAY])
        facts.destination_key = &destination->keys.key[DDRAW_KEY_DESTOVERLAY];
    return facts;
}

HRESULT surface_UpdateOverlay(struct dd_call *call, RECT *source_rect, void *given, RECT *rect, DWORD flags,
                              DDOVERLAYFX *effects)
{
    struct surface *surface = surface_of(call), *destination = (struct surface *)dd_find(given, &surface_class);
    const struct ddraw_overlay_facts facts = facts_of(surface, destination);
    const struct ddraw_overlay before = surface->overlay;
    struct surface *old = surface->overlaid;
    HRESULT hr;

    if (given && !destination)
        return DDERR_INVALIDOBJECT;
    hr = ddraw_update_overlay(&surface->overlay, &facts, source_rect, rect, flags, effects);
    if (FAILED(hr))
        return hr;
    describe(surface);
    if (old != destination && !(flags & DDOVER_HIDE)) {
        const struct ddraw_overlay nothing = {.has_destination = false};

        surface->overlaid = destination;
        look_again(old, &before, &nothing);
        look_again(destination, &nothing, &surface->overlay);
    } else {
        look_again(old, &before, &surface->overlay);
    }
    return DD_OK;
}

HRESULT surface_GetOverlayPosition(struct dd_call *call, LONG *x, LONG *y)
{
    const struct surface *surface = surface_of(call);
    const struct ddraw_overlay_facts facts = facts_of(surface, surface->overlaid);

    return ddraw_overlay_position(&surface->overlay, &facts, x, y);
}

HRESULT surface_SetOverlayPosition(struct dd_call *call, LONG x, LONG y)
{
    struct surface *surface = surface_of(call);
    const struct ddraw_overlay_facts facts = facts_of(surface, surface->overlaid);
    const struct ddraw_overlay before = surface->overlay;
    HRESULT hr = ddraw_move_overlay(&surface->overlay, &facts, x, y);

    if (SUCCEEDED(hr))
        look_again(surface->overlaid, &before, &surface->overlay);
    return hr;
}

HRESULT surface_UpdateOverlayZOrder(struct dd_call *call, DWORD flags, void *reference)
{
    struct surface *surface = surface_of(call);
    const struct surface *other = (struct surface *)dd_find(reference, &surface_class);
    struct ddraw *ddraw = surface->ddraw;
    unsigned place;
    HRESULT hr;

    if (reference && !other)
        return DDERR_INVALIDOBJECT;
    if (!is_overlay(surface) || surface->root != surface)
        return DDERR_NOTAOVERLAYSURFACE;
    hr = ddraw_place_overlay(count_all(ddraw), place_of(surface, ddraw), place_of(other, ddraw), flags, &place);
    if (FAILED(hr))
        return hr;
    remove_from_order(surface);
    insert(surface, place);
    look_again(surface->overlaid, &surface->overlay, &surface->overlay);
    return DD_OK;
}

/* The original runtime has never implemented these two. */
HRESULT surface_UpdateOverlayDisplay(struct dd_call *call, DWORD flags)
{
    (void)call;
    (void)flags;
    return DDERR_UNSUPPORTED;
}

HRESULT surface_AddOverlayDirtyRect(struct dd_call *call, RECT *rect)
{
    (void)call;
    (void)rect;
    return DDERR_UNSUPPORTED;
}
