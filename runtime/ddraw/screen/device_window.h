/* SPDX-License-Identifier: MIT */
/* The window that DirectDraw creates for a program that asks for one (DDSCL_CREATEDEVICEWINDOW). */
#ifndef HALCYON_DDRAW_DEVICE_WINDOW_H
#define HALCYON_DDRAW_DEVICE_WINDOW_H

#include "d3d/types.h"

/* Covers the primary monitor. NULL: the window system refuses. */
HWND dd_device_window_create(void);
/* NULL is fine. */
void dd_device_window_destroy(HWND window);

#endif
