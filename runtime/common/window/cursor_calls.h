/* SPDX-License-Identifier: MIT */
/*
 * GetCursorPos, SetCursorPos and ClipCursor of a program whose full screen is a window over the desktop: they give and take positions
 * in the mode that the program believes in. These functions belong to user32, so the entries of the program's own import table are
 * replaced while the window is there. Calls that a program looks up itself, and those of other dlls, are not changed.
 */
#ifndef HALCYON_RUNTIME_CURSOR_CALLS_H
#define HALCYON_RUNTIME_CURSOR_CALLS_H

#include <windows.h>

/* From now on positions are those in `window`, which shows a picture of width x height pixels, relative to the upper left corner of
 * the window. Again with other values to change them. HALCYON_HOOK_CURSOR=0: nothing happens. */
void rt_cursor_calls_begin(HWND window, unsigned width, unsigned height);
/* The entries of the table are as they were. */
void rt_cursor_calls_end(HWND window);

#endif
