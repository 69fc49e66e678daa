/* SPDX-License-Identifier: MIT */
/*
 * The display-driver interface: everything that the headers of Wine and mingw-w64 lack. Names are the documented ones;
 * ddi/layout.c asserts sizes and offsets for 32 and 64 bits. This header includes all parts except the extensions
 * (extension.h, feedback.h, wddm2.h).
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
