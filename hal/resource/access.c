/* SPDX-License-Identifier: MIT */
/*
 * When code may touch the memory of a surface: readers and writers wait for the scenes and the presenting blits that
 * use it, and for its samples to be resolved.
 */
#include "base/digest.h"
#include "hal/driver.h"
#include "hal/resource/buffer.h"
#include "hal/resource/light_levels.h"
#include "hal/resource/multisample.h"
#include "hal/resource/present_queue.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "raster/format/format.h"
#include "raster/raster.h"

void hal_surface_finish(struct hal_surface *surface, bool write, enum hal_flush why)
{
    struct hal_surface *top = hal_surface_top(surface);
    if (surface->presents_to)
        hal_present_wait(surface);
    if (surface->pending && (write || surface->pending_write))
        hal_scene_flush_surface(surface, why);
    /* Scenes that read a texture, or record in a feedback map, are noted in its first surface. */
    if (top->pending && (write || top->pending_write))
        hal_scene_flush_surface(top, why);
}

void hal_surface_acquire(struct hal_surface *surface, bool write, enum hal_flush why)
{
    hal_surface_finish(surface, write, why);
    hal_samples_acquire(surface, write);
}

void hal_resource_begin_lock(struct hal_resource *resource, bool write)
{
    resource->locked_for_writing |= write;
    if (resource->lock_count++ == 0 && hal_resource_is_picture(resource))
        resource->driver->locked_pictures++;
}

static void touch(struct hal_resource *resource)
{
    struct hal_buffer *buffer = hal_as_buffer(resource);

    if (buffer)
        hal_buffer_touch(buffer);
    else
        hal_surface_touch_all(hal_as_surface(resource));
}

void hal_resource_end_lock(struct hal_resource *resource)
{
    if (--resource->lock_count)
        return;
    if (hal_resource_is_picture(resource))
        resource->driver->locked_pictures--;
    if (resource->locked_for_writing)
        touch(resource);
    resource->locked_for_writing = false;
}

bool hal_resources_look_at_locked(struct hal_driver *driver)
{
    if (!driver->locked_pictures)
        return false;
    for (struct hal_resource *resource = driver->resources; resource; resource = resource->next)
        if (resource->lock_count && hal_resource_is_picture(resource))
            touch(resource);
    return true;
}

bool hal_surface_copy_clear(struct hal_surface *surface, uint8_t *texel)
{
    return surface->pending && surface->pending_write && !surface->samples && !surface->presents_to &&
           !(surface->base.kind & HAL_SURFACE_DEPTH) &&
           raster_copy_clear(surface->pending->raster, surface->base.memory, surface->width, surface->height, texel);
}

size_t hal_surface_row_bytes(const struct hal_surface *surface)
{
    return (size_t)raster_format_row_bytes(surface->format, surface->width);
}

void hal_resource_acquire(struct hal_resource *resource, bool write, enum hal_flush why)
{
    struct hal_surface *surface = hal_as_surface(resource);

    if (surface)
        hal_surface_acquire(surface, write, why);
}

uint64_t hal_resource_digest(struct hal_resource *resource)
{
    const struct hal_surface *surface = hal_as_surface(resource);

    hal_resource_acquire(resource, false, HAL_FLUSH_LOOK);
    const uint64_t bytes = resource->memory ? digest_of(resource->memory, resource->bytes, 0) : 0;

    return surface && surface->samples && !surface->pixels_newer ? hal_samples_digest(surface, bytes) : bytes;
}

static bool is_drawn(const struct hal_surface *surface, bool write)
{
    return !surface->pending || !(write || surface->pending_write) || surface->base.kind & HAL_SURFACE_DEPTH ||
           raster_advance(surface->pending->raster);
}

bool hal_surface_is_ready(struct hal_surface *surface, bool write)
{
    return !surface->presents_to && is_drawn(surface, write) && is_drawn(hal_surface_top(surface), write);
}

bool hal_surface_target(struct hal_surface *surface, struct raster_surface *target)
{
    const struct raster_format_info *info = raster_format_info(surface->format);
    if (!info->is_target || !surface->base.memory || !surface->base.bytes || !surface->base.owns_memory ||
        surface->width > RASTER_MAX_SIZE || surface->height > RASTER_MAX_SIZE)
        return false;
    target->pixels = surface->base.memory;
    target->pitch = surface->pitch;
    target->width = surface->width;
    target->height = surface->height;
    target->format = surface->format;
    hal_samples_target(surface, target);
    return true;
}
