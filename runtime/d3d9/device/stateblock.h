/* SPDX-License-Identifier: MIT */
/* State blocks. The device's methods that make them are in device_methods.h. */
#ifndef HALCYON_RUNTIME_D3D9_DEVICE_STATEBLOCK_H
#define HALCYON_RUNTIME_D3D9_DEVICE_STATEBLOCK_H

#include "runtime/d3d9/device/d3d9_objects.h"

extern const IDirect3DStateBlock9Vtbl d3d9_stateblock_vtbl;
extern const GUID *const d3d9_stateblock_ids[];

#endif
