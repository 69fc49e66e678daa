/* SPDX-License-Identifier: MIT */
/*
 * The display mode as programs see it: that of the desktop, or the one that a DirectDraw object has set, which belongs to the process. The
 * depth of the desktop never changes, and its size only with HALCYON_FULL_SCREEN=mode, if the monitor has the size: otherwise the mode is
 * remembered, and its pictures are scaled.
 */
#ifndef HALCYON_DDRAW_DESKTOP_H
#define HALCYON_DDRAW_DESKTOP_H

#include "runtime/common/window/desktop.h"
#include "runtime/ddraw/object/ddraw.h"
#include "runtime/ddraw/rules/modes.h"

/* The mode that programs see now. 1024x768 with 32 bits if no display answers. */
void dd_desktop_mode(struct ddraw_mode *mode);
/* The mode to which the desktop returns. */
void dd_desktop_usual_mode(struct ddraw_mode *mode);
/* Lists the modes of this desktop: ddraw_list_modes. Returns the count. */
unsigned dd_desktop_list(struct ddraw_mode modes[DDRAW_MOST_MODES]);
/* How a window that covers the screen shows the present mode: RT_SCREEN_MODE if the desktop has its size. */
enum rt_screen_kind dd_desktop_kind(void);

/* SetDisplayMode and RestoreDisplayMode of the object. Video memory is lost if the mode becomes another one. Windows get messages
 * meanwhile, without the lock, so `ddraw` needs a reference that stays. */
void dd_desktop_set(struct ddraw *ddraw, const struct ddraw_mode *mode);
/* Is it the object that puts the mode back when it ends or leaves exclusive mode? It has set the mode, or the one that did could not put
 * it back because another one was exclusive. */
bool dd_desktop_owes(const struct ddraw *ddraw);
/* Nothing happens unless dd_desktop_owes, or while another object is exclusive, which owes it then (test_coop_level_mode_set_multi). */
void dd_desktop_restore(struct ddraw *ddraw);

/* Looks whether another program, or the user, has changed the mode: video memory is lost then. */
void dd_desktop_watch(void);

#endif
