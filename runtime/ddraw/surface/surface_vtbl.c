/* SPDX-License-Identifier: MIT */
/* The vtables of IDirectDrawSurface, 2, 3, 4 and 7, and of IDirectDrawGammaControl. */
#include "runtime/ddraw/surface/surface.h"

#define DD_CLASS            surface
#define DD_OBJECTS          surface_class
#define DD_METHODS          "runtime/ddraw/surface/surface.def"

#define DD_DESC             DDSURFACEDESC
#define DD_CAPS             DDSCAPS
#define DD_UNLOCKED         void
#define DD_SURFACE_CALLBACK LPDDENUMSURFACESCALLBACK
#define DD_SURFACE          IDirectDrawSurface
#define DD_FACE_VERSION     1
#define DD_INTERFACE        IDirectDrawSurface
#include "runtime/ddraw/object/vtable.h"
#undef DD_SURFACE
#define DD_SURFACE      IDirectDrawSurface2
#define DD_FACE_VERSION 2
#define DD_INTERFACE    IDirectDrawSurface2
#include "runtime/ddraw/object/vtable.h"
#undef DD_SURFACE
#define DD_SURFACE      IDirectDrawSurface3
#define DD_FACE_VERSION 3
#define DD_INTERFACE    IDirectDrawSurface3
#include "runtime/ddraw/object/vtable.h"

#undef DD_DESC
#undef DD_CAPS
#undef DD_UNLOCKED
#undef DD_SURFACE_CALLBACK
#undef DD_SURFACE
#define DD_DESC             DDSURFACEDESC2
#define DD_CAPS             DDSCAPS2
#define DD_UNLOCKED         RECT
#define DD_SURFACE_CALLBACK LPDDENUMSURFACESCALLBACK2
#define DD_SURFACE          IDirectDrawSurface4
#define DD_FACE_VERSION     4
#define DD_INTERFACE        IDirectDrawSurface4
#include "runtime/ddraw/object/vtable.h"

#undef DD_SURFACE_CALLBACK
#undef DD_SURFACE
#define DD_SURFACE_CALLBACK LPDDENUMSURFACESCALLBACK7
#define DD_SURFACE          IDirectDrawSurface7
#define DD_FACE_VERSION     7
#define DD_INTERFACE        IDirectDrawSurface7
#include "runtime/ddraw/object/vtable.h"

DD_UNKNOWN(IDirectDrawGammaControl, surface_class)
DD_THUNK(IDirectDrawGammaControl, surface, surface_class, GetGammaRamp, GetGammaRamp, true, (DWORD, flags, VALUE),
         (DDGAMMARAMP *, ramp, VALUE))
DD_THUNK(IDirectDrawGammaControl, surface, surface_class, SetGammaRamp, SetGammaRamp, true, (DWORD, flags, VALUE),
         (DDGAMMARAMP *, ramp, VALUE))

static IDirectDrawGammaControlVtbl gamma_vtbl = {DD_UNKNOWN_ENTRIES(IDirectDrawGammaControl) DD_ENTRY(
    IDirectDrawGammaControl, GetGammaRamp) DD_ENTRY(IDirectDrawGammaControl, SetGammaRamp)};

const struct dd_face surface_faces[SURFACE_FACES] = {
    {&IID_IDirectDrawSurface, &surface_vtbl_1, 1},  {&IID_IDirectDrawSurface2, &surface_vtbl_2, 2},
    {&IID_IDirectDrawSurface3, &surface_vtbl_3, 3}, {&IID_IDirectDrawSurface4, &surface_vtbl_4, 4},
    {&IID_IDirectDrawSurface7, &surface_vtbl_7, 7}, {&IID_IDirectDrawGammaControl, &gamma_vtbl, SURFACE_GAMMA},
};
