/* SPDX-License-Identifier: MIT */
/* Palettes. */
#include "runtime/ddraw/object/palette.h"

#include <string.h>

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

static unsigned entries_of(DWORD caps)
{
    switch (caps & (DDPCAPS_1BIT | DDPCAPS_2BIT | DDPCAPS_4BIT | DDPCAPS_8BIT)) {
    case DDPCAPS_1BIT:
        return 2;
    case DDPCAPS_2BIT:
        return 4;
    case DDPCAPS_4BIT:
        return 16;
    case DDPCAPS_8BIT:
        return 256;
    default:
        return 0; /* none of them, or several */
    }
}

/* The first and the last of 256 colours are black and white, unless the program asked for all of them. */
static void keep_fixed_entries(struct palette *palette)
{
    static const PALETTEENTRY black = {0, 0, 0, 0}, white = {255, 255, 255, 0};

    if (palette->count != 256 || palette->caps & DDPCAPS_ALLOW256)
        return;
    palette->entries[0] = black;
    palette->entries[255] = white;
}

HRESULT palette_create(DWORD caps, const PALETTEENTRY *entries, struct dd_interface *maker, IDirectDrawPalette **out)
{
    const unsigned count = entries_of(caps);
    struct palette *palette;

    if (!count || !entries)
        return DDERR_INVALIDPARAMS;
    palette = (struct palette *)dd_object_create(&palette_class);
    if (!palette)
        return DDERR_OUTOFMEMORY;
    palette->caps = caps;
    palette->count = count;
    memcpy(palette->entries, entries, count * sizeof(*entries));
    keep_fixed_entries(palette);
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
    *caps = palette_of(call)->caps;
    return DD_OK;
}

static bool is_inside(const struct palette *palette, DWORD first, DWORD count)
{
    return first <= palette->count && count <= palette->count - first;
}

HRESULT palette_GetEntries(struct dd_call *call, DWORD flags, DWORD first, DWORD count, PALETTEENTRY *entries)
{
    const struct palette *palette = palette_of(call);

    if (flags || !entries || !is_inside(palette, first, count))
        return DDERR_INVALIDPARAMS;
    memcpy(entries, palette->entries + first, count * sizeof(*entries));
    return DD_OK;
}

HRESULT palette_SetEntries(struct dd_call *call, DWORD flags, DWORD first, DWORD count, PALETTEENTRY *entries)
{
    struct palette *palette = palette_of(call);

    if (flags || !entries || !is_inside(palette, first, count))
        return DDERR_INVALIDPARAMS;
    memcpy(palette->entries + first, entries, count * sizeof(*entries));
    keep_fixed_entries(palette);
    return DD_OK;
}
