/* SPDX-License-Identifier: MIT */
/*
 * Display modes as programs of the time expect them: a short list of classic sizes, whatever the monitor has, because arrays of
 * programs overflow otherwise, and because pictures are scaled to the screen.
 */
#ifndef HALCYON_DDRAW_MODES_H
#define HALCYON_DDRAW_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

struct ddraw_mode {
    unsigned width, height;
    unsigned bits;    /* of a pixel: 8, 16, 24 or 32 */
    unsigned refresh; /* Hz */
};

#define DDRAW_MOST_MODES 52

/* The list, by bits, width, height. desktop: the mode of the screen, whose size is listed as well and whose refresh rate all modes have.
 * with_24: modes of 24 bits too, which few cards had. Returns the count. */
unsigned ddraw_list_modes(const struct ddraw_mode *desktop, bool with_24, struct ddraw_mode modes[DDRAW_MOST_MODES]);

/* Does EnumDisplayModes report the mode? filter: DDSURFACEDESC2 whose dwMipMapCount holds the refresh rate (they share a place); NULL:
 * all. Of a pixel format only the bits count (Wine's enumdisplaymodes). */
bool ddraw_mode_matches(const struct ddraw_mode *mode, const DDSURFACEDESC2 *filter);

/* The description of a mode. flags: DDEDM_*; without DDEDM_REFRESHRATES the rate is said to be 0. */
void ddraw_describe_mode(const struct ddraw_mode *mode, DWORD flags, DDSURFACEDESC2 *desc);

/* SetDisplayMode: a listed mode, or any size up to the desktop's. refresh 0: any. is_blocked: another DirectDraw object is in exclusive
 * mode (test_coop_level_mode_set_multi). *mode: what GetDisplayMode answers then. */
HRESULT ddraw_choose_mode(const struct ddraw_mode *desktop, bool with_24, bool is_blocked,
                          const struct ddraw_mode *asked, struct ddraw_mode *mode);

#endif
