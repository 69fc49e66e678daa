/* SPDX-License-Identifier: MIT */
/* IDirectDrawPalette: 2, 4, 16 or 256 colours. */
#ifndef HALCYON_DDRAW_PALETTE_H
#define HALCYON_DDRAW_PALETTE_H

#include "runtime/ddraw/object/thunk.h"
#include "runtime/ddraw/rules/palette.h"

struct client_palette;
struct ddraw;

struct palette {
    struct dd_object object;
    struct ddraw_palette colors;
    struct dd_interface
        *held; /* the DirectDraw interface of version 4 or 7 that made it; NULL: an older one, which it does not hold */
    struct ddraw *ddraw;           /* that made it; NULL: it has ended */
    struct palette *next;          /* of ddraw->palettes */
    struct client_palette *driver; /* the driver's side; NULL: not of 256 colours, or `ddraw` has ended */
};

extern const struct dd_class palette_class;

/* The lock is held. `maker`: the interface that creates it. DDERR_INVALIDPARAMS, DDERR_OUTOFMEMORY. */
HRESULT palette_create(DWORD caps, const PALETTEENTRY *entries, struct dd_interface *maker, unsigned version,
                       IDirectDrawPalette **out);
/* The DirectDraw object ends, and has no surfaces any more: its palettes may outlive it. */
void palette_leave_all(struct ddraw *ddraw);

#endif
