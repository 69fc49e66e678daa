/* SPDX-License-Identifier: MIT */
/* Requests for surfaces to a DirectDraw object: the rules of creation with what they depend on. */
#ifndef HALCYON_DDRAW_REQUEST_H
#define HALCYON_DDRAW_REQUEST_H

#include "runtime/ddraw/object/ddraw.h"
#include "runtime/ddraw/rules/creation.h"

/* ddraw_plan_surfaces on the desktop and the driver of the object. `version`: of the DirectDraw interface. */
HRESULT surface_request(const struct ddraw *ddraw, unsigned version, const DDSURFACEDESC2 *asked,
                        struct ddraw_plan *plan);
/* The description of a part of the chain that was made by the plan. */
DDSURFACEDESC2 surface_describe(const struct ddraw_plan *plan, const struct rt_chain *chain, unsigned part);

#endif
