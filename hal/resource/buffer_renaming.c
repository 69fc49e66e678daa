/* SPDX-License-Identifier: MIT */
/*
 * A texture that is written anew while a scene that waits still reads it: it gets other memory, and the scene keeps
 * the old until it has been drawn. Nobody has to wait; the price is a copy, since a program may write less than all.
 * Textures of one level alone: the levels of a chain stand in one view.
 */
#include "hal/resource/buffer_renaming.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/resource/hazard.h"
#include "hal/resource/surface.h"
#include "hal/state/dirty.h"
#include "raster/sample/sample.h"

#include <stdlib.h>
#include <string.h>

/* Bytes a scene may keep of textures that have gone on; then it is drawn after all. */
#define MAX_KEPT ((size_t)16 << 20)

struct hal_version {
    struct hal_version *next;
    uint8_t *memory;
    uint32_t *decoded;
    struct raster_texture *texture;
};

static bool can_renew(const struct hal_surface *surface)
{
    return surface->kind == HAL_SURFACE_TEXTURE && surface->owns_memory &&
           !surface->samples && !surface->lock_count && surface->top == surface && surface->level_count == 1 &&
           surface->face_count == 1 && !surface->presents_to && !surface->presents_from;
}

static void drop(struct hal_version *version)
{
    mem_free_aligned(version->memory);
    mem_free_aligned(version->decoded);
    free(version->texture);
    free(version);
}

void hal_versions_drop(struct hal_context *context)
{
    while (context->versions) {
        struct hal_version *version = context->versions;

        context->versions = version->next;
        drop(version);
    }
    context->version_bytes = 0;
}

/* Contexts that know the surface have derived their samplers from the view it had. */
static void view_changed(const struct hal_surface *surface)
{
    for (struct hal_context *c = surface->driver->contexts; c; c = c->next)
        c->dirty |= HAL_DIRTY_TEXTURE;
}

void hal_surface_renew(struct hal_surface *surface)
{
    struct hal_context *context = surface->pending;
    struct hal_version *version;
    uint8_t *memory;

    if (!context || surface->pending_write || !can_renew(surface) ||
        context->version_bytes + surface->bytes > MAX_KEPT)
        return;
    version = mem_calloc(1, sizeof(*version));
    memory = version ? mem_alloc_aligned(surface->bytes + HAL_SURFACE_SLACK) : NULL;
    if (!memory) {
        free(version);
        return;
    }
    memcpy(memory, surface->memory, surface->bytes);
    *version = (struct hal_version){context->versions, surface->memory, surface->decoded[0], surface->texture};
    context->versions = version;
    context->version_bytes += surface->bytes;
    surface->memory = memory;
    surface->lcl->lpGbl->fpVidMem = (FLATPTR)memory;
    surface->decoded[0] = NULL;
    surface->texture = NULL;
    surface->viewed_version = 0;
    hal_in_use_remove(context, surface);
    view_changed(surface);
}
