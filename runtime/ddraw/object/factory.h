/* SPDX-License-Identifier: MIT */
/* The class factory, which makes objects that Initialize must complete. */
#ifndef HALCYON_DDRAW_FACTORY_H
#define HALCYON_DDRAW_FACTORY_H

#include "d3d/types.h"

/* DllGetClassObject: CLSID_DirectDraw, CLSID_DirectDraw7, CLSID_DirectDrawClipper. CLASS_E_CLASSNOTAVAILABLE, E_NOINTERFACE, E_POINTER. */
HRESULT dd_class_object(const GUID *class, const GUID *id, void **out);

#endif
