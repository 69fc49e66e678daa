/* SPDX-License-Identifier: MIT */
/*
 * Texture renaming: a texture that is rewritten while a pending scene still reads it gets other memory, and the scene
 * keeps the old until it has been drawn. Neither side waits; the cost is a copy, because a program may write only a
 * part. Only textures with one level: the levels of a chain share one view.
 */
#include "hal/resource/texture_renaming.h"

#include "base/assert.h"
#include "base/base.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "raster/sample/sample.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that a scene may keep of renamed textures; beyond that it is drawn. */
#define MAX_RENAMED_BYTES ((size_t)16 << 20)

static bool can_rename(const struct hal_surface *surface)
{
    const struct hal_texture *texture = surface->texture;

    return surface->base.kind == HAL_SURFACE_TEXTURE && surface->base.owns_memory && !surface->samples &&
           !surface->light && !surface->base.lock_count && texture && texture->level_count == 1 &&
           texture->face_count == 1 && !surface->presents_to && !surface->presents_from;
}

void hal_texture_rename(struct hal_surface *surface)
{
    struct hal_scene *scene = surface->pending;
    struct hal_texture *texture = surface->texture;
    struct hal_scene_memory *kept;
    uint8_t *memory;

    if (!scene || surface->pending_write || !can_rename(surface) ||
        scene->memory_bytes + surface->base.bytes > MAX_RENAMED_BYTES)
        return;
    kept = mem_calloc(1, sizeof(*kept));
    memory = kept ? mem_alloc_aligned(surface->base.bytes + HAL_RESOURCE_SLACK) : NULL;
    if (!memory) {
        free(kept);
        return;
    }
    BASE_ASSERT(surface->pending == scene && !surface->pending_write);
    memcpy(memory, surface->base.memory, surface->base.bytes);
    *kept = (struct hal_scene_memory){
        .memory = surface->base.memory, .decoded = texture->decoded[0], .texture = texture->view};
    hal_scene_keep(scene, kept, surface->base.bytes);
    surface->base.memory = memory;
    surface->base.lcl->lpGbl->fpVidMem = (FLATPTR)memory;
    texture->decoded[0] = NULL;
    texture->view = NULL;
    texture->viewed_version = 0;
    hal_scene_remove(scene, surface);
    hal_scenes_texture_changed(surface->base.driver); /* samplers were derived from the old view */
}
