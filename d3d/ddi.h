/* SPDX-License-Identifier: MIT */
/*
 * The display-driver interface: all that the headers of Wine and mingw-w64 lack of it. Names are the documented ones; sizes and
 * offsets are asserted in ddi/layout.c for 32 and 64 bit. This header brings all parts but the extensions (extension.h, feedback.h,
 * wddm2.h).
 */
#ifndef HALCYON_D3D_DDI_H
#define HALCYON_D3D_DDI_H

#include "d3d/callbacks.h"
#include "d3d/caps_legacy.h"
#include "d3d/directdraw.h"
#include "d3d/dp2_tokens.h"
#include "d3d/driver_info.h"
#include "d3d/guids.h"
#include "d3d/halcyon.h"
#include "d3d/types.h"

#endif
