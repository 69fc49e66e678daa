/* SPDX-License-Identifier: MIT */
/* The mode of the desktop, on which the modes that programs are told of depend (rules/modes.h). */
#ifndef HALCYON_DDRAW_DESKTOP_H
#define HALCYON_DDRAW_DESKTOP_H

#include "runtime/ddraw/rules/modes.h"

/* 1024x768 with 32 bits if no display answers. */
void dd_desktop_mode(struct ddraw_mode *mode);
/* Lists the modes of this desktop: ddraw_list_modes. Returns the count. */
unsigned dd_desktop_list(struct ddraw_mode modes[DDRAW_MOST_MODES]);

#endif
