/* SPDX-License-Identifier: MIT */
/* Palettes, which those of 256 colours have at the driver as well. */
#include "runtime/ddraw/object/palette.h"

#include "client/palette.h"
#include "runtime/ddraw/screen/front.h"

#define METHOD(since, method, ...) DD_IMPLEMENTATION(palette, method, __VA_ARGS__)
#define DD_TABLE_PALETTE
#include "runtime/ddraw/object/small.def"
#undef METHOD

#define DD_CLASS        palette
#define DD_OBJECTS      palette_class
#define DD_METHODS      "runtime/ddraw/object/small.def"
#define DD_FACE_VERSION 1
#define DD_INTERFACE    IDirectDrawPalette
#include "runtime/ddraw/object/vtable.h"

static const struct dd_face faces[] = {{&IID_IDirectDrawPalette, &palette_vtbl_1, 1}};

static struct palette *palette_of(const struct dd_call *call)
{
    return (struct palette *)call->object;
}

static void leave(struct palette *palette)
{
    struct palette **at = palette->ddraw ? &palette->ddraw->palettes : NULL;

    if (!at)
        return;
    while (*at != palette)
        at = &(*at)->next;
    *at = palette->next;
    client_palette_destroy(palette->driver);
    palette->driver = NULL;
    palette->ddraw = NULL;
}

/* Surfaces still have the palette only if the program has released it too often. */
static void destroy_palette(struct dd_object *object)
{
    struct palette *palette = (struct palette *)object;

    for (const struct ddraw *ddraw = ddraw_next(NULL); ddraw; ddraw = ddraw_next(ddraw))
        for (struct surface *s = ddraw->surfaces; s; s = s->next)
            if (s->palette == &object->faces[0])
                surface_lose_palette(s);
    leave(palette);
    if (palette->held)
        dd_release(palette->held);
    palette->held = NULL;
}

void palette_leave_all(struct ddraw *ddraw)
{
    while (ddraw->palettes)
        leave(ddraw->palettes);
}

const struct dd_class palette_class = {
    .name = "IDirectDrawPalette",
    .size = sizeof(struct palette),
    .faces = faces,
    .face_count = 1,
    .bad_pointer = DDERR_INVALIDOBJECT,
    .destroy = destroy_palette,
};

/* The driver has palettes of 256 colours; without one, pictures of captures are grey. */
static void create_at_driver(struct palette *palette)
{
    const DWORD caps = palette->colors.caps;
    const uint32_t flags = DDRAWIPAL_256 | (caps & DDPCAPS_ALPHA ? DDRAWIPAL_ALPHA : 0) |
                           (caps & DDPCAPS_ALLOW256 ? DDRAWIPAL_ALLOW256 : 0);

    if (palette->colors.count == DDRAW_PALETTE_ENTRIES)
        client_palette_create(rt_link_client(palette->ddraw->link), flags, palette->colors.entries, &palette->driver);
}

HRESULT palette_create(DWORD caps, const PALETTEENTRY *entries, struct dd_interface *maker, unsigned version,
                       IDirectDrawPalette **out)
{
    struct palette *palette = (struct palette *)dd_object_create(&palette_class);
    HRESULT hr;

    if (!palette)
        return DDERR_OUTOFMEMORY;
    hr = ddraw_palette_init(&palette->colors, caps, entries);
    if (FAILED(hr)) {
        dd_object_destroy(&palette->object);
        return hr;
    }
    palette->ddraw = (struct ddraw *)maker->object;
    palette->next = palette->ddraw->palettes;
    palette->ddraw->palettes = palette;
    create_at_driver(palette);
    if (version >= 4) {
        palette->held = maker;
        dd_addref(maker);
    }
    dd_addref(&palette->object.faces[0]);
    *out = (IDirectDrawPalette *)&palette->object.faces[0];
    return DD_OK;
}

HRESULT palette_Initialize(struct dd_call *call, IDirectDraw *ddraw, DWORD flags, PALETTEENTRY *entries)
{
    (void)call;
    (void)ddraw;
    (void)flags;
    (void)entries;
    return DDERR_ALREADYINITIALIZED;
}

HRESULT palette_GetCaps(struct dd_call *call, DWORD *caps)
{
    if (!caps)
        return DDERR_INVALIDPARAMS;
    *caps = ddraw_palette_caps(&palette_of(call)->colors);
    return DD_OK;
}

HRESULT palette_GetEntries(struct dd_call *call, DWORD flags, DWORD first, DWORD count, PALETTEENTRY *entries)
{
    return ddraw_palette_get(&palette_of(call)->colors, flags, first, count, entries);
}

HRESULT palette_SetEntries(struct dd_call *call, DWORD flags, DWORD first, DWORD count, PALETTEENTRY *entries)
{
    struct palette *palette = palette_of(call);
    HRESULT hr = ddraw_palette_set(&palette->colors, flags, first, count, entries);

    if (FAILED(hr))
        return hr;
    if (palette->driver) /* entries 0 and 255 may not be those that were given */
        client_palette_set(palette->driver, first, count, palette->colors.entries + first);
    for (const struct ddraw *ddraw = ddraw_next(NULL); ddraw; ddraw = ddraw_next(ddraw))
        if (ddraw->primary && ddraw->primary->palette == &palette->object.faces[0])
            dd_front_palette_changed(ddraw->primary);
    return DD_OK;
}
