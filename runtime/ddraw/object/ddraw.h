/* SPDX-License-Identifier: MIT */
/* The DirectDraw object: IDirectDraw, 2, 4 and 7. */
#ifndef HALCYON_DDRAW_DDRAW_H
#define HALCYON_DDRAW_DDRAW_H

#include "runtime/common/driver/link.h"
#include "runtime/common/window/fullscreen.h"
#include "runtime/ddraw/object/thunk.h"
#include "runtime/ddraw/rules/level.h"

struct palette;
struct surface;

struct ddraw {
    struct dd_object object;
    struct ddraw *next;               /* of all that are alive, the last one first */
    struct rt_link *link;             /* no context: Direct3D makes those; NULL: not initialised */
    bool has_hardware, has_emulation; /* DDCREATE_EMULATIONONLY has no hardware, DDCREATE_HARDWAREONLY no emulation */
    struct ddraw_level level;
    HWND device_window; /* its own; NULL: none */
    struct rt_fullscreen fullscreen;
    bool has_set_mode;        /* and not restored it */
    struct surface *surfaces; /* all that it has made and that are alive */
    struct surface *primary;  /* NULL: none */
    struct surface *overlays; /* all that are alive, those in front first */
    struct dd_front *front;   /* its presentation; NULL: none, or no memory */
    struct palette *palettes; /* all that it has made and that are alive */
    DWORD unique;             /* the last uniqueness value of a surface */
};

extern const struct dd_class ddraw_class;
/* The faces of ddraw_class: versions 1, 2, 4, 7. */
#define DDRAW_FACES 4
extern const struct dd_face ddraw_faces[DDRAW_FACES];

/* An object of its own with a reference on the interface of `version`. `driver`: NULL, DDCREATE_*, or one of those that DirectDrawEnumerateEx
 * names; without `ready` it is ignored and Initialize must follow. DDERR_INVALIDDIRECTDRAWGUID, DDERR_NODIRECTDRAWSUPPORT,
 * DDERR_OUTOFMEMORY. */
HRESULT ddraw_create(const GUID *driver, bool ready, unsigned version, void **out);

/* The objects of the process that are alive, the last one first. before NULL: the first of them. The lock is held. */
struct ddraw *ddraw_next(const struct ddraw *before);

static inline struct ddraw *ddraw_of(const struct dd_call *call)
{
    return (struct ddraw *)call->object;
}

#define METHOD(since, method, ...)  DD_IMPLEMENTATION(ddraw, method, __VA_ARGS__)
#define UNREADY(since, method, ...) DD_IMPLEMENTATION(ddraw, method, __VA_ARGS__)
#define ONLY_1(method, ...)         DD_IMPLEMENTATION(ddraw, method##_1, __VA_ARGS__)
#include "runtime/ddraw/object/ddraw.def"
#undef METHOD
#undef UNREADY
#undef ONLY_1

#endif
