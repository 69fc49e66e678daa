/* SPDX-License-Identifier: MIT */
/*
 * Counts for the resource statistics of a driver that manages resources (D3DDEVINFO_TEXTUREMANAGER,
 * D3DDEVINFO_TEXTURING of DirectX 7, D3DDEVINFO_RESOURCEMANAGER of DirectX 8). There is one kind of memory: nothing is
 * ever moved or evicted, so existing and bound resources are counted on request, and only operations of tokens are
 * counted as they happen.
 */
#include "hal/statistics.h"

#include "d3d/ddi.h"
#include "hal/context.h"
#include "hal/handles.h"
#include "hal/resource/buffer.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/state/values.h"

static uint32_t type_of_texture(const struct hal_surface *surface)
{
    if (!hal_surface_is_top(surface) || !(surface->base.kind & HAL_SURFACE_TEXTURE))
        return 0;
    if (surface->is_volume)
        return D3DRTYPE_VOLUMETEXTURE;
    return hal_surface_faces(surface) > 1 ? D3DRTYPE_CUBETEXTURE : D3DRTYPE_TEXTURE;
}

/* D3DRESOURCETYPE; 0: none that is counted. */
static uint32_t type_of(struct hal_resource *resource)
{
    if (!resource->owns_memory)
        return 0;
    if (hal_as_surface(resource))
        return type_of_texture(hal_as_surface(resource));
    return resource->kind & HAL_BUFFER_VERTEX  ? D3DRTYPE_VERTEXBUFFER
           : resource->kind & HAL_BUFFER_INDEX ? D3DRTYPE_INDEXBUFFER
                                               : 0;
}

/* Levels of lightweight MIP maps are among the bytes of the first one. */
static uint64_t part_bytes(const struct hal_surface *part)
{
    return part && !part->is_light ? part->base.bytes : 0;
}

static uint64_t texture_bytes(const struct hal_surface *top)
{
    const struct hal_texture *texture = top->texture;
    uint64_t bytes = 0;

    if (!texture)
        return top->base.bytes;

    for (unsigned face = 0; face < texture->face_count; face++)
        for (unsigned level = 0; level < texture->level_count; level++)
            bytes += part_bytes(texture->parts[face][level]);
    return bytes;
}

static bool texture_is_bound(const struct hal_context *context, const struct hal_surface *top)
{
    for (unsigned row = 0; row < HAL_STAGE_ROWS; row++) {
        struct hal_surface *bound =
            hal_surface_of(&context->resources, context->state.stage_state[row][D3DTSS_TEXTUREMAP]);

        if (bound && hal_surface_top(bound) == top)
            return true;
    }
    return false;
}

static bool buffer_is_bound(const struct hal_context *context, const struct hal_buffer *buffer)
{
    const uint32_t handle = buffer->base.handle;

    if (buffer->base.kind & HAL_BUFFER_INDEX && context->state.index_handle == handle)
        return true;
    for (unsigned i = 0; buffer->base.kind & HAL_BUFFER_VERTEX && i < HAL_MAX_STREAMS; i++)
        if (!context->state.stream[i].user_memory && context->state.stream[i].handle == handle)
            return true;
    return false;
}

void hal_context_resources(const struct hal_context *context, uint32_t type, struct hal_resource_counts *counts)
{
    const struct hal_handle_table *table = context->resources.handles;

    *counts = (struct hal_resource_counts){.count = 0};
    for (uint32_t i = 0; i < table->capacity; i++) {
        struct hal_resource *resource = table->resources[i];

        if (!resource || resource->handle != i || type_of(resource) != type)
            continue;
        const struct hal_buffer *buffer = hal_as_buffer(resource);
        const uint64_t bytes = buffer ? resource->bytes : texture_bytes(hal_as_surface(resource));

        counts->count++;
        counts->bytes += bytes;
        if (buffer ? buffer_is_bound(context, buffer) : texture_is_bound(context, hal_as_surface(resource))) {
            counts->used++;
            counts->used_bytes += bytes;
        }
    }
}

struct hal_texturing hal_context_texturing(const struct hal_context *context)
{
    return context->texturing;
}
