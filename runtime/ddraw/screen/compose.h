/* SPDX-License-Identifier: MIT */
/*
 * Overlays on the screen: a surface of the driver holds the picture of the primary surface with the overlays that lie on it, and frames end
 * with this surface, so captures show what people see. The driver converts and mirrors each overlay, and stretches those with keys of their
 * own; others are stretched with a linear filter, as hardware does. The keys of the destination are compared in memory, because they ask for the
 * primary surface and not for the picture.
 */
#ifndef HALCYON_DDRAW_COMPOSE_SCREEN_H
#define HALCYON_DDRAW_COMPOSE_SCREEN_H

#include "runtime/common/window/scale.h"
#include "runtime/ddraw/rules/shown.h"
#include "runtime/ddraw/surface/surface.h"

/* Kept from picture to picture. Begins zeroed. */
struct dd_composition {
    struct rt_chain *picture; /* of the primary's size, X8R8G8B8; NULL: none yet */
    struct rt_chain *layer;   /* an overlay as A8R8G8B8; NULL: none yet */
    struct rt_scaler scaler;
    bool is_valid; /* the picture is that of the last presentation */
};

/* Do overlays lie on the surface? */
bool dd_has_overlays(const struct surface *front);
/* Brings the picture up to date where `rect` has changed of the surface, whose own picture is `shown`, or of its overlays. False: out of
 * memory, or the driver refuses; the surface is then shown without overlays. */
bool dd_compose(struct dd_composition *composition, const struct ddraw_shown *shown, const struct surface *front,
                const RECT *rect);
/* The picture in memory, until dd_composition_unmap. False: the driver refuses. */
bool dd_composition_map(struct dd_composition *composition, struct rt_picture *picture);
void dd_composition_unmap(struct dd_composition *composition);
/* The driver's surface that holds the picture. */
struct client_surface *dd_composition_surface(const struct dd_composition *composition);
/* Before the driver's connection ends. */
void dd_composition_free(struct dd_composition *composition);

#endif
