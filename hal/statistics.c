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
#include "hal/resource/surface.h"
#include "hal/state/values.h"

static bool is_of_type(const struct hal_surface *surface, uint32_t type)
{
    if (surface->top != surface || !surface->owns_memory)
        return false;
    switch (type) {
    case D3DRTYPE_TEXTURE:
        return surface->kind & HAL_SURFACE_TEXTURE && surface->face_count == 1 && !surface->is_volume;
    case D3DRTYPE_VOLUMETEXTURE:
        return surface->kind & HAL_SURFACE_TEXTURE && surface->is_volume;
    case D3DRTYPE_CUBETEXTURE:
        return surface->kind & HAL_SURFACE_TEXTURE && surface->face_count > 1;
    case D3DRTYPE_VERTEXBUFFER:
        return surface->kind & HAL_SURFACE_VERTEX_BUFFER;
    case D3DRTYPE_INDEXBUFFER:
        return surface->kind & HAL_SURFACE_INDEX_BUFFER;
    default:
        return false;
    }
}

static uint64_t statistics_bytes(const struct hal_surface *top)
{
    uint64_t bytes = 0;

    for (unsigned face = 0; face < top->face_count; face++)
        for (unsigned level = 0; level < top->level_count; level++)
            bytes += top->parts[face][level] ? top->parts[face][level]->bytes : 0;
    return bytes;
}

static bool is_bound(const struct hal_context *context, const struct hal_surface *surface)
{
    if (surface->kind & HAL_SURFACE_INDEX_BUFFER && context->index_handle == surface->handle)
        return true;
    for (unsigned i = 0; surface->kind & HAL_SURFACE_VERTEX_BUFFER && i < HAL_MAX_STREAMS; i++)
        if (!context->stream[i].user_memory && context->stream[i].handle == surface->handle)
            return true;
    for (unsigned row = 0; surface->kind & HAL_SURFACE_TEXTURE && row < HAL_STAGE_ROWS; row++) {
        const uint32_t handle = context->stage_state[row][D3DTSS_TEXTUREMAP];
        const struct hal_surface *bound = handle ? hal_handles_get(context->handles, handle) : NULL;

        if (bound && bound->top == surface)
            return true;
    }
    return false;
}

void hal_context_resources(const struct hal_context *context, uint32_t type, struct hal_resources *resources)
{
    const struct hal_handle_table *table = context->handles;

    *resources = (struct hal_resources){.count = 0};
    for (uint32_t i = 0; i < table->capacity; i++) {
        const struct hal_surface *surface = table->surfaces[i];

        if (!surface || surface->handle != i || !is_of_type(surface, type))
            continue;
        resources->count++;
        resources->bytes += statistics_bytes(surface);
        if (is_bound(context, surface)) {
            resources->used++;
            resources->used_bytes += statistics_bytes(surface);
        }
    }
}

struct hal_texturing hal_context_texturing(const struct hal_context *context)
{
    return context->texturing;
}
