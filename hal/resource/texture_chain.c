/* SPDX-License-Identifier: MIT */
/* Textures as chains of surfaces: which surfaces form one, by the attach lists of their DirectDraw surfaces. */
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/handles.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/work.h"

#include <stdlib.h>

struct hal_texture *hal_surface_texture(struct hal_surface *surface)
{
    struct hal_texture *texture = surface->texture;

    if (texture)
        return texture;
    texture = mem_calloc(1, sizeof(*texture));
    if (!texture) {
        surface->base.driver->out_of_memory = true;
        return NULL;
    }
    texture->top = texture->parts[0][0] = surface;
    texture->level_count = texture->face_count = 1;
    texture->version = 1;
    surface->texture = texture;
    surface->level = 0;
    return texture;
}

struct hal_texture *hal_texture_of(struct hal_resources *resources, uint32_t handle)
{
    struct hal_surface *surface = hal_surface_of(resources, handle);
    struct hal_texture *texture = surface ? hal_surface_texture(surface) : NULL;

    if (surface && !texture)
        hal_work_lacks_memory(resources->work, "a texture");
    return texture;
}

/* --- taking apart --------------------------------------------------------------------------------- */

void hal_texture_unlink(struct hal_surface *surface)
{
    struct hal_texture *texture = surface->texture;

    hal_surface_acquire(surface, true, HAL_FLUSH_SURFACE);
    if (!texture)
        return;
    hal_surface_acquire(texture->top, true, HAL_FLUSH_SURFACE);
    hal_texture_discard(texture);
    for (unsigned face = 0; face < HAL_MAX_FACES; face++)
        for (unsigned level = 0; level < RASTER_MAX_LEVELS; level++) {
            struct hal_surface *part = texture->parts[face][level];

            if (!part || part == texture->top)
                continue;
            part->texture = NULL;
            part->level = 0;
            texture->parts[face][level] = NULL;
        }
    texture->level_count = texture->face_count = 1;
}

void hal_texture_leave(struct hal_surface *surface)
{
    hal_texture_unlink(surface);
    if (!surface->texture)
        return;
    free(surface->texture->view);
    free(surface->texture);
    surface->texture = NULL;
}

/* --- levels and faces ------------------------------------------------------------------------------ */

static unsigned halved(unsigned size)
{
    return size > 1 ? size / 2 : 1;
}

static bool is_next_level(const struct hal_surface *level, const struct hal_surface *next)
{
    return next->format == level->format && next->face == level->face && next->width == halved(level->width) &&
           next->height == halved(level->height) && next->depth == halved(level->depth) &&
           (next->base.kind & HAL_SURFACE_TEXTURE);
}

static struct hal_surface *attached_level(const struct hal_surface *level)
{
    for (ATTACHLIST *link = level->base.lcl->lpAttachList; link; link = link->lpLink) {
        struct hal_surface *next = hal_surface_from_lcl(link->lpAttached);
        const DWORD caps2 = next ? hal_resource_caps(link->lpAttached).dwCaps2 : 0;

        if (next && (caps2 & DDSCAPS2_MIPMAPSUBLEVEL) && is_next_level(level, next))
            return next;
    }
    return NULL;
}

/* The level below `level`, after `count` levels of the face that `first` begins. */
static struct hal_surface *level_after(const struct hal_surface *first, const struct hal_surface *level, unsigned count)
{
    if (!first->light)
        return attached_level(level);
    return count <= first->light_count ? &first->light[count - 1] : NULL;
}

static struct hal_surface *attached_face(const struct hal_surface *top, unsigned face)
{
    for (ATTACHLIST *link = top->base.lcl->lpAttachList; link; link = link->lpLink) {
        struct hal_surface *s = hal_surface_from_lcl(link->lpAttached);
        const DWORD caps2 = s ? hal_resource_caps(link->lpAttached).dwCaps2 : 0;

        if (s && s->face == face && s->width == top->width && s->height == top->height && s->format == top->format &&
            (caps2 & DDSCAPS2_CUBEMAP) && !(caps2 & DDSCAPS2_MIPMAPSUBLEVEL))
            return s;
    }
    return NULL;
}

/* Fills one face of the chain; returns the number of levels. */
static unsigned link_levels(struct hal_texture *texture, struct hal_surface *first, unsigned face)
{
    unsigned count = 0;

    for (struct hal_surface *s = first; s && count < RASTER_MAX_LEVELS; s = level_after(first, s, count)) {
        if (s->texture != texture)
            hal_texture_leave(s);
        else if (s != texture->top || count)
            break; /* the list runs in a circle */
        s->texture = texture;
        s->level = count;
        texture->parts[face][count++] = s;
    }
    return count;
}

void hal_texture_link(DDRAWI_DDRAWSURFACE_LCL *first)
{
    struct hal_surface *top = hal_surface_from_lcl(first);
    struct hal_texture *texture = top && top->base.kind & HAL_SURFACE_TEXTURE ? hal_surface_texture(top) : NULL;

    if (!texture || texture->top != top)
        return;
    hal_texture_unlink(top);
    hal_scenes_texture_changed(top->base.driver); /* handles may now name parts of other textures */
    texture->version++;
    texture->level_count = link_levels(texture, top, 0);
    texture->face_count = 1;
    if (!(hal_resource_caps(first).dwCaps2 & DDSCAPS2_CUBEMAP) || top->face != 0)
        return;
    for (unsigned face = 1; face < HAL_MAX_FACES; face++) {
        struct hal_surface *s = attached_face(top, face);

        if (!s || link_levels(texture, s, face) < texture->level_count)
            return; /* incomplete: sampled as its first face */
        texture->face_count = face + 1;
    }
}
