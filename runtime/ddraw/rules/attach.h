/* SPDX-License-Identifier: MIT */
/*
 * AddAttachedSurface and DeleteAttachedSurface: the surfaces that hang on one, apart from those that CreateSurface has made
 * together with it.
 */
#ifndef HALCYON_DDRAW_ATTACH_H
#define HALCYON_DDRAW_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

#define DDRAW_MOST_ATTACHED 32

/* The facts about a surface that decide. */
struct ddraw_attach_side {
    const void *surface; /* its identity */
    unsigned width, height;
    uint32_t format; /* enum d3d_format */
    DWORD caps;      /* DDSCAPS_* */
};

/* An attachment belongs to the version of the interface that made it: others do not see it (test_surface_attachment). */
struct ddraw_attachment {
    const void *surface;
    unsigned version;
    bool is_depth;
};

/* Begins zeroed. */
struct ddraw_attachments {
    unsigned count;
    struct ddraw_attachment list[DDRAW_MOST_ATTACHED];
};

/* `list` is that of the surface `to`, `reverse` that of the surface to be attached. is_part: CreateSurface has attached them.
 * closes_circle: `to` would hold itself through others, and neither would ever end. */
HRESULT ddraw_attach(struct ddraw_attachments *list, const struct ddraw_attachments *reverse, unsigned version,
                     const struct ddraw_attach_side *to, const struct ddraw_attach_side *surface, bool is_part,
                     bool closes_circle);
HRESULT ddraw_detach(struct ddraw_attachments *list, const struct ddraw_attachments *reverse, unsigned version,
                     const void *from, const void *surface, DWORD flags, bool is_part);
/* The depth buffer, NULL: none. */
const void *ddraw_attached_depth(const struct ddraw_attachments *list);

#endif
