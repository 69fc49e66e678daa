/* SPDX-License-Identifier: MIT */
/* The list of DirectDraw drivers: the primary one, whose identifier is NULL, and one for each monitor. */
#ifndef HALCYON_DDRAW_DRIVERS_H
#define HALCYON_DDRAW_DRIVERS_H

#include <stdbool.h>

#include "d3d/types.h"

/* The exported functions (DirectDrawEnumerateA, DirectDrawEnumerateExA). DDERR_INVALIDPARAMS. */
HRESULT dd_enumerate(LPDDENUMCALLBACKA callback, void *context);
HRESULT dd_enumerate_ex(LPDDENUMCALLBACKEXA callback, void *context, DWORD flags);
/* `driver`: NULL, DDCREATE_*, or an identifier that dd_enumerate_ex has reported. */
bool dd_driver_exists(const GUID *driver);

#endif
