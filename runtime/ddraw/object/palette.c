/* SPDX-License-Identifier: MIT */
/* Palettes. */
#include "runtime/ddraw/object/palette.h"

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

static void destroy_palette(struct dd_object *object)
{
    struct palette *palette = (struct palette *)object;

    if (palette->held)
        dd_release(palette->held);
    palette->held = NULL;
}

const struct dd_class palette_class = {
    .name = "IDirectDrawPalette",
    .size = sizeof(struct palette),
    .faces = faces,
    .face_count = 1,
    .bad_pointer = DDERR_INVALIDOBJECT,
    .destroy = destroy_palette,
};

HRESULT palette_create(DWORD caps, const PALETTEENTRY *entries, struct dd_interface *maker, IDirectDrawPalette **out)
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
    palette->held = maker;
    if (maker)
        dd_addref(maker);
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
    HRESULT hr = ddraw_palette_set(&palette_of(call)->colors, flags, first, count, entries);

    for (struct ddraw *d = ddraw_next(NULL); SUCCEEDED(hr) && d; d = ddraw_next(d))
        if (d->primary && dd_find(d->primary->palette, &palette_class) == call->object)
            dd_front_palette_changed(d->primary);
    return hr;
}
