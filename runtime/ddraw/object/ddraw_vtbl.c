/* SPDX-License-Identifier: MIT */
/* The vtables of IDirectDraw, 2, 4 and 7. */
#include "runtime/ddraw/object/ddraw.h"

#define DD_CLASS            ddraw
#define DD_OBJECTS          ddraw_class
#define DD_METHODS          "runtime/ddraw/object/ddraw.def"

#define DD_DESC             DDSURFACEDESC
#define DD_CAPS             DDSCAPS
#define DD_SURFACE          IDirectDrawSurface
#define DD_MODE_CALLBACK    LPDDENUMMODESCALLBACK
#define DD_SURFACE_CALLBACK LPDDENUMSURFACESCALLBACK
#define DD_IDENTIFIER       DDDEVICEIDENTIFIER
#define DD_FACE_VERSION     1
#define DD_INTERFACE        IDirectDraw
#include "runtime/ddraw/object/vtable.h"
#define DD_FACE_VERSION 2
#define DD_INTERFACE    IDirectDraw2
#include "runtime/ddraw/object/vtable.h"

#undef DD_DESC
#undef DD_CAPS
#undef DD_SURFACE
#undef DD_MODE_CALLBACK
#undef DD_SURFACE_CALLBACK
#define DD_DESC             DDSURFACEDESC2
#define DD_CAPS             DDSCAPS2
#define DD_SURFACE          IDirectDrawSurface4
#define DD_MODE_CALLBACK    LPDDENUMMODESCALLBACK2
#define DD_SURFACE_CALLBACK LPDDENUMSURFACESCALLBACK2
#define DD_FACE_VERSION     4
#define DD_INTERFACE        IDirectDraw4
#include "runtime/ddraw/object/vtable.h"

#undef DD_SURFACE
#undef DD_SURFACE_CALLBACK
#undef DD_IDENTIFIER
#define DD_SURFACE          IDirectDrawSurface7
#define DD_SURFACE_CALLBACK LPDDENUMSURFACESCALLBACK7
#define DD_IDENTIFIER       DDDEVICEIDENTIFIER2
#define DD_FACE_VERSION     7
#define DD_INTERFACE        IDirectDraw7
#include "runtime/ddraw/object/vtable.h"

const struct dd_face ddraw_faces[DDRAW_FACES] = {
    {&IID_IDirectDraw, &ddraw_vtbl_1, 1},
    {&IID_IDirectDraw2, &ddraw_vtbl_2, 2},
    {&IID_IDirectDraw4, &ddraw_vtbl_4, 4},
    {&IID_IDirectDraw7, &ddraw_vtbl_7, 7},
};
