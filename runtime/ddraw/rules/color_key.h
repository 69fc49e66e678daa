/* SPDX-License-Identifier: MIT */
/* The four colour keys of a surface: SetColorKey and GetColorKey. */
#ifndef HALCYON_DDRAW_COLOR_KEY_H
#define HALCYON_DDRAW_COLOR_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

enum ddraw_key_kind {
    DDRAW_KEY_SRCBLT,
    DDRAW_KEY_DESTBLT,
    DDRAW_KEY_SRCOVERLAY,
    DDRAW_KEY_DESTOVERLAY,
    DDRAW_KEY_COUNT
};

struct ddraw_keys {
    bool is_set[DDRAW_KEY_COUNT];
    DDCOLORKEY key[DDRAW_KEY_COUNT];
};

/* flags: one of DDCKEY_SRCBLT and its three relatives, with DDCKEY_COLORSPACE or without. key NULL: none any more. version: of the surface
 * interface; in version 7 levels below the first have no keys. After an error the keys are as before. */
HRESULT ddraw_set_key(struct ddraw_keys *keys, unsigned version, bool is_sublevel, DWORD flags, const DDCOLORKEY *key);
HRESULT ddraw_get_key(const struct ddraw_keys *keys, DWORD flags, DDCOLORKEY *key);
/* The keys that a description of CreateSurface has set (creation.h has checked them). */
void ddraw_keys_take(struct ddraw_keys *keys, const DDSURFACEDESC2 *desc);
/* Enters the keys in a description of GetSurfaceDesc: flags and values, which are 0 for keys that are not set. */
void ddraw_keys_describe(const struct ddraw_keys *keys, DDSURFACEDESC2 *desc);

#endif
