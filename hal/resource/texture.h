/* SPDX-License-Identifier: MIT */
/*
 * A texture: the chain of surfaces that samplers read as one, which are its levels and faces, and everything that the
 * chain has only once: the sampler's view, the copies that it reads, palette, level of detail, feedback.
 *
 * The first surface of the chain (+X, level 0) owns the texture, which lives as long as that surface; it exists from the
 * announcement of a texture (CreateSurfaceEx), of other surfaces from the first use as a texture. Plain targets and the
 * other parts of a chain have none of their own. Scenes that read a texture or record in a feedback map are noted in the
 * first surface (hal_surface.pending).
 *
 * The view and feedback use the shape, memory and version of the surfaces in `parts`, and of the LCLs only that of the
 * first surface (its colour key). Levels of lightweight MIP maps (light_levels.h)
 * have no LCL: only texture_chain.c reads those of other surfaces than the first.
 */
#ifndef HALCYON_HAL_RESOURCE_TEXTURE_H
#define HALCYON_HAL_RESOURCE_TEXTURE_H

#include "d3d/ddi.h"
#include "hal/resource/surface.h"
#include "raster/sample/sample.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_resources;
struct hal_scene;
struct hal_state;
struct hal_feedback;
struct raster_texture;

#define HAL_MAX_FACES 6

struct hal_color_key { /* hal/resource/color_key.h */
    bool set;
    uint32_t value; /* a texel */
};

struct hal_texture {
    struct hal_surface *top; /* parts[0][0]: its format, size and handle are the texture's */
    struct hal_surface *parts[HAL_MAX_FACES][RASTER_MAX_LEVELS]; /* [face][level] */
    unsigned level_count, face_count; /* 6 faces: a cube; incomplete cubes are sampled as their first face */

    uint32_t palette;              /* handle bound by SETPALETTE, 0 none */
    bool opaque_palette;           /* the fourth byte of its entries is not alpha */
    uint32_t lod;                  /* SETTEXLOD: most detailed level the sampler may use */
    uint32_t feedback_handle;      /* map paired with this texture (SETFEEDBACK); 0: none */
    struct hal_feedback *feedback; /* hal/resource/feedback.c; NULL: not a map, or not yet used as one */

    /* Every write to a part increments `version`; the view remembers the versions that it was made from. */
    uint64_t version, viewed_version;     /* viewed: the version of which `view` is the view */
    struct raster_texture *view;          /* the sampler's; NULL: none was made yet */
    uint32_t *decoded[RASTER_MAX_LEVELS]; /* levels the driver decoded, all faces; NULL if read in place */
    uint64_t decoded_version[HAL_MAX_FACES][RASTER_MAX_LEVELS];
    uint64_t decoded_palette_version;
    uint64_t looked_in_call;         /* the call in which system memory was digested; 0: none */
    struct hal_color_key viewed_key; /* whose texels are transparent in `view` */
    bool viewed_apart;               /* the view is a copy, because the scene that reads it draws to the texture */
    bool view_failed;                /* no memory for the decoded levels */
};

/* --- the texture of a surface (texture_chain.c) ---------------------------------------------------- */

/* The texture that the surface is a part of, or a new one of this surface alone. NULL: out of memory. */
struct hal_texture *hal_surface_texture(struct hal_surface *surface);
/* The texture of the surface that this handle names, whatever part it is; NULL: the handle names
 * no surface, or out of memory, which has been logged. */
struct hal_texture *hal_texture_of(struct hal_resources *resources, uint32_t handle);
/* Links the mip levels and cube faces in the attach list of a texture's first surface; ignores all others. Fails only if
 * hal_surface_texture would, and then leaves the surfaces as they are. */
void hal_texture_link(DDRAWI_DDRAWSURFACE_LCL *first);
/* Takes apart the chain that the surface is a part of: its first surface keeps a texture of one part, the others have
 * none. Waits for the scenes that use it. */
void hal_texture_unlink(struct hal_surface *surface);
/* hal_texture_unlink, and frees the surface's own texture. Contexts must not use it any more (HAL_DIRTY_TEXTURE). */
void hal_texture_leave(struct hal_surface *surface);

/* The first surface of the chain. */
static inline struct hal_surface *hal_surface_top(struct hal_surface *surface)
{
    return surface->texture ? surface->texture->top : surface;
}

static inline bool hal_surface_is_top(const struct hal_surface *surface)
{
    return !surface->texture || surface->texture->top == surface;
}

/* Faces of its chain. */
static inline unsigned hal_surface_faces(const struct hal_surface *surface)
{
    return surface->texture ? surface->texture->face_count : 1;
}

/* The contents of the surface, and so of its texture, have changed. */
static inline void hal_surface_touch(struct hal_surface *surface)
{
    surface->base.version++;
    if (surface->texture)
        surface->texture->version++;
}

/* --- the view (texture.c) -------------------------------------------------------------------------- */

/* Frees the sampler's copies. */
void hal_texture_discard(struct hal_texture *texture);

/* The sampler's view of a texture, decoded where necessary and up to date; NULL if it cannot be sampled. Flushes first if
 * one of its parts is a pending target. */
const struct raster_texture *hal_texture_view(struct hal_texture *texture, const struct hal_state *state,
                                              struct hal_resources *resources, struct hal_scene *scene);

/* Does the texture have an alpha channel: in its format, or in its palette as bound by SETPALETTE? */
bool hal_texture_has_alpha(const struct hal_texture *texture);
/* Does the view stay valid as long as the texture's contents? True if only the driver changes them, and there is no
 * palette and no feedback map. */
bool hal_texture_stays(const struct hal_texture *texture);

/* Generates each level below the first from the one above it, in every face: averages of four texels (of volumes eight),
 * or every second one (copy/levels.c). */
HRESULT hal_texture_generate_levels(struct hal_texture *texture, bool average);

#endif
