/* SPDX-License-Identifier: MIT */
/* Cooperative levels: what becomes of windows, modes and surfaces when SetCooperativeLevel changes one (rules/level.h decides). */
#ifndef HALCYON_DDRAW_EXCLUSIVE_H
#define HALCYON_DDRAW_EXCLUSIVE_H

#include "runtime/ddraw/object/ddraw.h"

/* Is another object than this one in exclusive mode? */
bool dd_is_blocked(const struct ddraw *ddraw);
/* Has another object the window in exclusive mode? */
bool dd_is_taken(const struct ddraw *ddraw, HWND window);

/* SetCooperativeLevel of an interface of `version`. The lock is released while windows get messages: the program may call DirectDraw in
 * them, or from a thread for which they wait, and may release the object. */
HRESULT dd_set_level(struct ddraw *ddraw, unsigned version, HWND window, DWORD flags);
/* DD_OK, DDERR_NOEXCLUSIVEMODE: the focus is elsewhere; DDERR_EXCLUSIVEMODEALREADYSET: another object has it; DDERR_WRONGMODE: the mode is
 * not that of the primary surface. */
HRESULT dd_test_level(struct ddraw *ddraw);
/* The object ends: its window and mode are put back. The lock is released meanwhile; nothing finds the object any more. */
void dd_end_level(struct ddraw *ddraw);

#endif
