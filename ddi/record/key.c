/* SPDX-License-Identifier: MIT */
/*
 * Recording of colour keys. The runtime may change them in a surface's LCL without a call, so they are compared with
 * the capture's keys before each use of the surface.
 */
#include "ddi/record/internal.h"

void record_color_key(struct recorder *recorder, struct record_surface *surface, uint32_t kind, bool set,
                      const DDCOLORKEY *key)
{
    struct capture_color_key *held = kind == CAPTURE_KEY_SOURCE ? &surface->source_key : &surface->destination_key;

    if (held->set == set &&
        (!set || (held->low == key->dwColorSpaceLowValue && held->high == key->dwColorSpaceHighValue)))
        return;
    *held = (struct capture_color_key){surface->id, kind, set, key->dwColorSpaceLowValue, key->dwColorSpaceHighValue};
    record_event_simple(recorder, CAPTURE_COLOR_KEY, held, sizeof(*held));
}

void record_changed_keys(struct recorder *recorder, struct record_surface *surface)
{
    const DDRAWI_DDRAWSURFACE_LCL *lcl = surface->lcl;

    record_color_key(recorder, surface, CAPTURE_KEY_SOURCE, lcl->dwFlags & DDRAWISURF_HASCKEYSRCBLT,
                     &lcl->ddckCKSrcBlt);
    record_color_key(recorder, surface, CAPTURE_KEY_DESTINATION, lcl->dwFlags & DDRAWISURF_HASCKEYDESTBLT,
                     &lcl->ddckCKDestBlt);
}

void record_color_keys(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    struct record_surface *surface = record_surface_of(recorder, lcl);

    if (surface)
        record_changed_keys(recorder, surface);
}
