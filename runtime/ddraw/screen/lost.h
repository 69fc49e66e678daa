/* SPDX-License-Identifier: MIT */
/* Surfaces in video memory lose their contents with the mode, the focus and the cooperative level; system memory never does. */
#ifndef HALCYON_DDRAW_LOST_H
#define HALCYON_DDRAW_LOST_H

#include "runtime/ddraw/surface/surface.h"

/* All surfaces in video memory of the object, and of all objects, are lost. The lock is held. */
void dd_lose(struct ddraw *ddraw);
void dd_lose_all(void);

/* Restore of a root and its parts. DD_OK as well if they are not lost. DDERR_WRONGMODE: the focus is elsewhere, or a primary surface has
 * another size or format than the mode (test_lost_device, test_coop_level_mode_set); DDERR_NOEXCLUSIVEMODE: a primary surface that flips
 * needs exclusive mode. */
HRESULT dd_restore(struct surface *root);

#endif
