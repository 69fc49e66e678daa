/* SPDX-License-Identifier: MIT */
/* The request of CreateSurface as a chain of the driver. The rules of creation meet the objects here and nowhere else. */
#ifndef HALCYON_DDRAW_REQUEST_H
#define HALCYON_DDRAW_REQUEST_H

#include "runtime/common/driver/link.h"
#include "runtime/ddraw/object/ddraw.h"

/* The chain for a description, and the description that its first surface answers. `version`: of the DirectDraw interface.
 * DDERR_INVALIDPARAMS, DDERR_INVALIDCAPS, DDERR_INVALIDPIXELFORMAT, DDERR_NOEXCLUSIVEMODE. */
HRESULT surface_request(const struct ddraw *ddraw, unsigned version, const DDSURFACEDESC2 *asked,
                        struct rt_chain_desc *chain, DDSURFACEDESC2 *answer);
/* Makes the description of the first surface of a chain that of another part. */
void surface_request_part(const struct rt_chain *chain, unsigned part, DDSURFACEDESC2 *desc);

#endif
