/* SPDX-License-Identifier: MIT */
/*
 * Buffer renaming: a texture that is written anew while a scene that waits still reads it gets other memory, and the scene
 * keeps the old until it has been drawn. Neither side waits; the price is a copy, since a program may write less than all.
 * Textures of one level alone: the levels of a chain stand in one view.
 */
#include "hal/resource/buffer_renaming.h"

#include "base/assert.h"
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
#define MAX_RENAMED_BYTES ((size_t)16 << 20)

struct hal_renamed_buffer {
    struct hal_renamed_buffer *next;
    uint8_t *memory;
    uint32_t *decoded;
    struct raster_texture *texture;
};

static bool can_rename(const struct hal_surface *surface)
{
    return surface->kind == HAL_SURFACE_TEXTURE && surface->owns_memory && !surface->samples && !surface->lock_count &&
           surface->top == surface && surface->level_count == 1 && surface->face_count == 1 && !surface->presents_to &&
           !surface->presents_from;
}

static void free_renamed(struct hal_renamed_buffer *renamed)
{
    mem_free_aligned(renamed->memory);
    mem_free_aligned(renamed->decoded);
    free(renamed->texture);
    free(renamed);
}

void hal_renamed_buffers_free(struct hal_context *context)
{
    while (context->renamed_buffers) {
        struct hal_renamed_buffer *renamed = context->renamed_buffers;

        context->renamed_buffers = renamed->next;
        free_renamed(renamed);
    }
    context->renamed_bytes = 0;
}

/* Contexts that know the surface have derived their samplers from the view it had. */
static void view_changed(const struct hal_surface *surface)
{
    for (struct hal_context *c = surface->driver->contexts; c; c = c->next)
        c->dirty |= HAL_DIRTY_TEXTURE;
}

void hal_surface_rename_buffer(struct hal_surface *surface)
{
    struct hal_context *context = surface->pending;
    struct hal_renamed_buffer *renamed;
    uint8_t *memory;

    if (!context || surface->pending_write || !can_rename(surface) ||
        context->renamed_bytes + surface->bytes > MAX_RENAMED_BYTES)
        return;
    renamed = mem_calloc(1, sizeof(*renamed));
    memory = renamed ? mem_alloc_aligned(surface->bytes + HAL_SURFACE_SLACK) : NULL;
    if (!memory) {
        free(renamed);
        return;
    }
    BASE_ASSERT(surface->pending == context && !surface->pending_write);
    memcpy(memory, surface->memory, surface->bytes);
    *renamed =
        (struct hal_renamed_buffer){context->renamed_buffers, surface->memory, surface->decoded[0], surface->texture};
    context->renamed_buffers = renamed;
    context->renamed_bytes += surface->bytes;
    surface->memory = memory;
    surface->lcl->lpGbl->fpVidMem = (FLATPTR)memory;
    surface->decoded[0] = NULL;
    surface->texture = NULL;
    surface->viewed_version = 0;
    hal_hazard_remove(context, surface);
    view_changed(surface);
}
