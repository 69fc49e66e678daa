/* SPDX-License-Identifier: MIT */
/* Surfaces: IDirectDrawSurface, 2, 3, 4 and 7, and IDirectDrawGammaControl. */
#ifndef HALCYON_DDRAW_SURFACE_H
#define HALCYON_DDRAW_SURFACE_H

#include "runtime/common/driver/link.h"
#include "runtime/common/object/resource.h"
#include "runtime/common/window/memory_dc.h"
#include "runtime/ddraw/object/ddraw.h"
#include "runtime/ddraw/rules/attach.h"
#include "runtime/ddraw/rules/color_key.h"
#include "runtime/ddraw/rules/lock.h"
#include "runtime/ddraw/rules/overlay.h"

/*
 * All surfaces that one CreateSurface has made are a tree of a root and its parts, which live as long as the root: the chain
 * (struct rt_chain) belongs to the root. Levels and back buffers are attached each to the one before, the faces of a cube to
 * the root, which is the first of them.
 */
struct palette;

struct surface {
    struct dd_object object;
    struct ddraw *ddraw;
    struct surface *next;     /* of ddraw->surfaces */
    struct surface *root;     /* itself, or the one that it is a part of */
    struct surface *attached; /* the next level or back buffer; the last back buffer has the front. NULL: none */
    struct surface
        *next_face; /* of a root: the last face of its cube; of the first level of a face: the one before; NULL: none */
    struct ddraw_attachments *by_hand; /* surfaces that the program has attached, each with a reference; NULL: none */
    unsigned holders;                  /* surfaces in whose `by_hand` it is */
    bool is_marked;                    /* of a root: by the search for circles (attach.c) */
    struct rt_chain *chain;            /* of the root; its parts have none */
    unsigned part;
    struct rt_mapping mapping; /* of the part, while `maps` is not 0 (access.h) */
    unsigned maps;
    bool is_mapped_to_read;   /* by all of them */
    bool is_lost;             /* its contents, with the mode or the focus; Restore gives it memory again */
    struct ddraw_locks locks; /* each with a mapping; so has `dc` */
    struct rt_memory_dc dc;
    struct ddraw_keys keys;
    struct ddraw_overlay overlay; /* of the front of a chain of overlays */
    struct surface *overlaid;     /* the surface on which it lies; NULL: none, or that has ended */
    struct surface *behind;       /* the next overlay of ddraw->overlays */
    DDSURFACEDESC2 desc;          /* as GetSurfaceDesc of version 7 returns it */
    unsigned made_by; /* version of the DirectDraw interface that made it; from 4 on the surface holds that */
    struct dd_interface *clipper, *palette;
    struct rt_private_data *private_data;
    DWORD unique, priority, lod;
    DDGAMMARAMP *gamma; /* NULL: none was set */
};

extern const struct dd_class surface_class;

#define SURFACE_FACES 6
extern const struct dd_face surface_faces[SURFACE_FACES];
/* The version of IDirectDrawGammaControl in surface_faces: it is an interface of all surfaces. */
#define SURFACE_GAMMA 100

static inline struct surface *surface_of(const struct dd_call *call)
{
    return (struct surface *)call->object;
}

/* The version of the surface's interface that a DirectDraw interface of this version returns. */
static inline unsigned surface_version(unsigned ddraw_version)
{
    return ddraw_version >= 4 ? ddraw_version : 1;
}

/* Attaches a palette, or NULL, in place of the one that is attached, which is not dead. */
void surface_hold_palette(struct surface *surface, struct palette *palette);
/* The surface has no palette any more, and releases nothing: the palette ends. */
void surface_lose_palette(struct surface *surface);
/* Forgets a clipper that the program has released too often: it is dead although the surface counts for it. */
void surface_forget_dead(struct surface *surface);
/* Ends locks and device context of a surface that ends. */
void surface_end_locks(struct surface *surface);
/* Destroys all surfaces of a DirectDraw object that ends. */
void surface_destroy_all(struct ddraw *ddraw);
/* GetSurfaceFromDC as it is exported. E_INVALIDARG, DDERR_NOTFOUND. */
HRESULT surface_from_dc(HDC dc, IDirectDrawSurface **surface, HDC *device_dc);
/* The surface that is attached after `before` (NULL: the first): to a root the faces, then the next level or back buffer, then those
 * that the program has attached by an interface of `version`. NULL: no more. */
struct surface *surface_next_attached(struct surface *surface, struct surface *before, unsigned version);
/* The format of its texels: enum d3d_format. */
static inline uint32_t surface_format(const struct surface *surface)
{
    return surface->root->chain->desc.format;
}
/* The first attached surface that has all of these capabilities; NULL: none. */
struct surface *surface_find_attached(struct surface *surface, DDSCAPS2 caps, unsigned version);
/* A surface that the program has attached to this one or to which it has attached this one, by any version, other than a depth
 * buffer. `before`: the one that was returned last; NULL: the first. NULL: no more. */
struct surface *surface_next_neighbour(struct surface *surface, struct surface *before);
/* The end of a surface: detaches what the program has attached to it, and it from others, whose references are lost with it. */
void surface_detach_all(struct surface *surface);

#define METHOD(since, method, ...) DD_IMPLEMENTATION(surface, method, __VA_ARGS__)
#include "runtime/ddraw/surface/surface.def"
#undef METHOD
HRESULT surface_GetGammaRamp(struct dd_call *call, DWORD flags, DDGAMMARAMP *ramp);
HRESULT surface_SetGammaRamp(struct dd_call *call, DWORD flags, DDGAMMARAMP *ramp);

#endif
