/* SPDX-License-Identifier: MIT */
/*
 * Overlays as a state machine: UpdateOverlay, positions, and the order of several of them. What is not Wine's is that of the
 * pages "UpdateOverlay", "SetOverlayPosition", "GetOverlayPosition", "UpdateOverlayZOrder" and "Overlay Z-Orders" of DirectDraw's
 * documentation.
 */
#ifndef HALCYON_DDRAW_OVERLAY_H
#define HALCYON_DDRAW_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

/* DDOVERZ_* and DDENUMOVERLAYZ_*, which mingw-w64 lacks. */
enum ddraw_overlay_move {
    DDRAW_SEND_TO_FRONT,
    DDRAW_SEND_TO_BACK,
    DDRAW_MOVE_FORWARD,
    DDRAW_MOVE_BACKWARD,
    DDRAW_INSERT_IN_FRONT_OF,
    DDRAW_INSERT_IN_BACK_OF,
    DDRAW_MOVE_COUNT
};
enum ddraw_overlay_enum {
    DDRAW_BACK_TO_FRONT,
    DDRAW_FRONT_TO_BACK,
};

/* Overlays of all programs that are shown at a time: DDCAPS.dwMaxVisibleOverlays. */
#define DDRAW_MOST_OVERLAYS 8

/* An overlay as UpdateOverlay has left it. Begins zeroed. */
struct ddraw_overlay {
    bool has_destination; /* UpdateOverlay has named one that is alive */
    bool is_shown;
    RECT source, destination; /* inside their surfaces; not empty once there is a destination */
    DWORD mirror;             /* DDBLTFX_MIRRORLEFTRIGHT, DDBLTFX_MIRRORUPDOWN */
    bool has_source_key, has_destination_key;
    uint32_t source_key, destination_key; /* pixels of the overlay and of the destination */
};

/* The facts on which the methods depend in addition to their arguments. */
struct ddraw_overlay_facts {
    bool is_overlay;     /* the surface, or the front of a chain, was created with DDSCAPS_OVERLAY */
    bool is_back_buffer; /* of a chain of overlays */
    bool is_lost;        /* the overlay or the destination */
    bool is_code;        /* the overlay's format is a FOURCC, whose pixels have no keys */
    unsigned shown;      /* how many overlays are shown now, this one among them */
    unsigned width, height;
    bool has_destination;              /* the call names one that is alive */
    bool is_of_other_ddraw;            /* it belongs to another DirectDraw object */
    bool is_destination_overlay;       /* it is an overlay itself */
    unsigned to_width, to_height;      /* of the destination */
    const DDCOLORKEY *source_key;      /* DDCKEY_SRCOVERLAY of the overlay; NULL: not set */
    const DDCOLORKEY *destination_key; /* DDCKEY_DESTOVERLAY of the destination; NULL: not set */
};

/* UpdateOverlay. source, rect: NULL is all of the surface. flags: DDOVER_*. fx: may be NULL where no flag needs it. After an error the overlay
 * is as before. Without DDOVER_SHOW and DDOVER_HIDE an overlay stays shown, or hidden. */
HRESULT ddraw_update_overlay(struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, const RECT *source,
                             const RECT *rect, DWORD flags, const DDOVERLAYFX *fx);
/* SetOverlayPosition: the corner of the destination's rectangle, which keeps its size and must stay inside. */
HRESULT ddraw_move_overlay(struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, LONG x, LONG y);
/* GetOverlayPosition: *x and *y are 0 after errors. */
HRESULT ddraw_overlay_position(const struct ddraw_overlay *overlay, const struct ddraw_overlay_facts *facts, LONG *x,
                               LONG *y);

/* UpdateOverlayZOrder: where the overlay at `at` of `count`, counted from the front, comes to stand. reference: the place of the overlay
 * that the call names, `count`: of none. The other overlays keep their order. */
HRESULT ddraw_place_overlay(unsigned count, unsigned at, unsigned reference, DWORD flags, unsigned *place);

/* Enters what overlays can do in the capabilities of a DirectDraw object that has them. shown: how many are shown now. */
void ddraw_claim_overlays(DDCAPS *caps, unsigned shown);

#endif
