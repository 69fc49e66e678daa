/* SPDX-License-Identifier: MIT */
/*
 * Surfaces as the driver keeps them, each one picture: render targets, depth buffers, and the levels and faces of
 * textures (hal/resource/texture.h).
 */
#ifndef HALCYON_HAL_RESOURCE_SURFACE_H
#define HALCYON_HAL_RESOURCE_SURFACE_H

#include "d3d/ddi.h"
#include "hal/resource/resource.h"
#include "hal/scene.h"
#include "raster/format/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_scene;
struct hal_driver;
struct hal_texture;
struct raster_surface;

struct hal_surface {
    struct hal_resource base;
    uint32_t d3d_format; /* D3DFORMAT number */
    enum raster_format format;
    unsigned width, height, depth; /* texels */
    bool is_volume;                /* even of one slice */
    uint32_t display_palette;      /* number of the palette that SetPalette attached (display_palette.h); 0: none */
    bool makes_levels;             /* the driver generates all levels except for the first (DDSCAPS3_AUTOGENMIPMAP) */
    size_t pitch, slice_pitch;     /* bytes */
    uint64_t digest;        /* of system memory when a sampler's view was last asked for (hal/resource/texture.c) */
    unsigned samples;       /* hal/resource/multisample.c: 2, 4, 8 or 16; 0: not multisampled */
    uint8_t *sample_memory; /* of all samples, as struct raster_surface has them */
    bool samples_newer, pixels_newer; /* than base.memory; than the samples */

    /* A lightweight MIP map (hal/resource/light_levels.h): the levels below this one, which lie in its memory. */
    struct hal_surface *light;
    unsigned light_count;
    bool is_light; /* this is such a level: another surface owns its memory, and it has no LCL */

    /* The chain that this is a part of (hal/resource/texture.h); NULL: none. */
    struct hal_texture *texture;
    unsigned level, face; /* in it; the face is also what the DirectDraw surface says */

    /* The unflushed scene that reads or draws this surface, or has changed its depth without writing it back
     * (NULL: none). */
    struct hal_scene *pending;
    bool pending_write;

    /* Queued presenting blits that write this surface; those that read it; its queued frames. */
    _Atomic unsigned presents_to, presents_from, present_frames;
};

/* NULL: it is a buffer, or NULL. */
static inline struct hal_surface *hal_as_surface(struct hal_resource *resource)
{
    return resource && !hal_resource_is_buffer(resource) ? (struct hal_surface *)resource : NULL;
}

/* From a DirectDraw surface; NULL if the driver does not know it, or as a buffer. */
static inline struct hal_surface *hal_surface_from_lcl(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    return hal_as_surface(hal_resource_from_lcl(lcl));
}

/* The format of a DirectDraw surface: its own, or the display mode's if it names none. */
const DDPIXELFORMAT *hal_surface_pixel_format(const DDRAWI_DDRAWSURFACE_LCL *lcl);

/* hal_resource_create, hal_resource_refresh and hal_resource_free for a surface. */
HRESULT hal_surface_create(struct hal_driver *driver, DDRAWI_DDRAWSURFACE_LCL *lcl, bool system_memory);
HRESULT hal_surface_refresh(struct hal_surface *surface);
void hal_surface_free(struct hal_surface *surface);
/* Flip: exchanges the memory of two surfaces of the same shape. */
bool hal_surface_swap_memory(struct hal_surface *a, struct hal_surface *b);

/* Waits for scenes that use the surface before the CPU (or a blit) reads (write = false) or writes it. */
void hal_surface_acquire(struct hal_surface *surface, bool write, enum hal_flush why);
/* raster_copy_clear for the surface: if its scene is only a clear of all its pixels, returns the cleared
 * texel at the price of a flush. False: the scene is something else. */
bool hal_surface_copy_clear(struct hal_surface *surface, uint8_t *texel);
/* hal_surface_acquire without the conversion between samples and pixels. */
void hal_surface_finish(struct hal_surface *surface, bool write, enum hal_flush why);
/* Would hal_surface_acquire return at once? If not, this starts drawing the scenes that it would wait for. Surfaces
 * with depth are always reported ready. */
bool hal_surface_is_ready(struct hal_surface *surface, bool write);
/* Bytes of a row of texels (of blocks, for compressed formats). */
size_t hal_surface_row_bytes(const struct hal_surface *surface);

/* The flush reason for a blit to this surface. */
static inline enum hal_flush hal_flush_of_blit(const struct hal_surface *destination)
{
    return destination->base.kind & HAL_SURFACE_PRIMARY ? HAL_FLUSH_PRESENT : HAL_FLUSH_BLIT;
}

/* Does the surface hold colours or depth? A target of D3DFMT "NULL" does not. */
static inline bool hal_surface_has_pixels(const struct hal_surface *surface)
{
    return surface->format != RASTER_FORMAT_NULL;
}

/* A target or depth view for the rasterizer. False if the format cannot be drawn to. */
bool hal_surface_target(struct hal_surface *surface, struct raster_surface *target);

#endif
