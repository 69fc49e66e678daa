/* SPDX-License-Identifier: MIT */
/*
 * Shared declarations of capture_uses: surfaces with their sizes and handles, and the bindings of each context.
 */
#ifndef HALCYON_DP2_CAPTURE_USES_INTERNAL_H
#define HALCYON_DP2_CAPTURE_USES_INTERNAL_H

#include "dp2/capture/uses.h"

#define USES_CAPS_TEXTURE  0x1000u   /* DDSCAPS_TEXTURE */
#define USES_CAPS_BUFFER   0x800000u /* DDSCAPS_EXECUTEBUFFER */
#define USES_CAPS2_CUBEMAP 0x200u
#define USES_CAPS2_VOLUME  0x200000u
#define USES_CAPS3_LIGHT   0x400u /* DDSCAPS3_LIGHTWEIGHTMIPMAP */

struct uses_surface {
    bool alive, system_memory, buffer, has_stencil;
    uint32_t local, handle;
    uint32_t made;   /* first part of the event that made it */
    uint32_t next;   /* of the same chain (levels, faces, buffers of a flip chain), in a circle */
    uint32_t parts;  /* of its event */
    uint32_t levels; /* that this surface holds: more than one in lightweight MIP maps */
    uint32_t width, height, bytes, caps, caps2;
    uint32_t format; /* D3DFORMAT, 0 where DirectDraw describes it */
};

struct uses_local {
    struct uses_local *next;
    uint32_t number;
    uint32_t *ids; /* by handle */
    uint32_t capacity;
};

struct uses_context; /* uses_stream.c */

struct capture_uses {
    void (*use)(void *user, uint32_t id, enum capture_use use);
    void *user;
    bool telling;
    struct uses_surface *surfaces;
    uint32_t limit;
    struct uses_local *locals;
    struct uses_context *contexts;
};

/* --- uses.c --- */

/* NULL: id 0, or a surface that does not exist. */
struct uses_surface *uses_surface_of(const struct capture_uses *uses, uint32_t id);
/* NULL: a DirectDraw object without handles. */
struct uses_local *uses_find_local(const struct capture_uses *uses, uint32_t number);
/* Reports a use of a surface, only within the frames in question. */
void uses_tell(struct capture_uses *uses, uint32_t id, enum capture_use use);
/* Reports a use of all surfaces of this one's chain. */
void uses_tell_all(struct capture_uses *uses, uint32_t id, enum capture_use use);
bool uses_covers(const struct capture_rect *rect, const struct uses_surface *surface);
/* Has the surface rows of texels? It is unknown what blits to and from driver-specific formats, such as feedback maps,
 * write. */
bool uses_is_plain(const struct uses_surface *surface);

/* --- uses_stream.c --- */

/* False: out of memory. */
bool uses_add_context(struct capture_uses *uses, const struct capture_context *head);
void uses_forget_contexts(struct capture_uses *uses, uint32_t number, bool by_process);
void uses_free_contexts(struct capture_uses *uses);
void uses_set_target(struct capture_uses *uses, const struct capture_target *head);
void uses_clear(struct capture_uses *uses, const struct capture_clear *head);
/* False: out of memory. */
bool uses_follow_draw(struct capture_uses *uses, const struct capture_draw *head);
/* Handles or memory of surfaces have changed: the next draw of each context must be examined. */
void uses_surfaces_changed(struct capture_uses *uses);
/* Reports the bindings of all contexts as NAMED. */
void uses_name_bound(struct capture_uses *uses);

#endif
