/* SPDX-License-Identifier: MIT */
/* Surfaces: their shape, samples and texels. */
#include "base/base.h"
#include "hal/driver.h"
#include "hal/inspect.h"
#include "hal/resource/color_key.h"
#include "hal/resource/copy/samples.h"
#include "hal/resource/copy/scale.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "raster/raster.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(HAL_INSPECT_SAMPLES == RASTER_MAX_SAMPLES, "room for all samples");
_Static_assert(HAL_INSPECT_TARGETS == RASTER_MAX_TARGETS, "room for all targets");

struct hal_resource *hal_inspect_find_resource(const void *lcl)
{
    return hal_resource_from_lcl(lcl);
}

const void *hal_inspect_owner(const struct hal_resource *resource)
{
    return resource->lcl;
}

static void describe_buffer(const struct hal_resource *resource, struct hal_inspect_surface *out)
{
    *out = (struct hal_inspect_surface){
        .format = RASTER_FORMAT_NONE,
        .width = (unsigned)resource->bytes,
        .height = 1,
        .depth = 1,
        .bytes = resource->bytes,
        .faces = 1,
        .is_buffer = true,
        .has_pixels = true,
    };
}

void hal_inspect_surface(const struct hal_resource *resource, struct hal_inspect_surface *out)
{
    if (hal_resource_is_buffer(resource)) {
        describe_buffer(resource, out);
        return;
    }
    const struct hal_surface *surface = (const struct hal_surface *)resource;

    *out = (struct hal_inspect_surface){
        .d3d_format = surface->d3d_format,
        .format = surface->format,
        .width = surface->width,
        .height = surface->height,
        .depth = surface->depth,
        .bytes = surface->base.bytes,
        .samples = surface->samples,
        .faces = hal_surface_is_top(surface) ? hal_surface_faces(surface) : 1,
        .is_volume = surface->is_volume,
        .has_pixels = hal_surface_has_pixels(surface),
    };
}

bool hal_inspect_level(const struct hal_resource *resource, unsigned level, struct hal_inspect_level *out)
{
    const struct hal_surface *first = (const struct hal_surface *)resource;

    if (hal_resource_is_buffer(resource) || level > first->light_count)
        return false;
    const struct hal_surface *surface = level ? &first->light[level - 1] : first;

    if (!surface->base.memory)
        return false;
    *out = (struct hal_inspect_level){
        .width = surface->width,
        .height = surface->height,
        .offset = (size_t)(surface->base.memory - first->base.memory),
        .pitch = surface->pitch,
        .slice_pitch = surface->slice_pitch,
    };
    return true;
}

/* --- samples ------------------------------------------------------------------------------------- */

static size_t plane_bytes(const struct hal_surface *surface)
{
    return hal_surface_row_bytes(surface) * surface->height;
}

size_t hal_inspect_samples_bytes(struct hal_resource *resource)
{
    const struct hal_surface *surface = hal_as_surface(resource);

    return surface ? plane_bytes(surface) * surface->samples : 0;
}

void hal_inspect_read_samples(struct hal_resource *resource, uint8_t *samples)
{
    struct hal_surface *surface = hal_as_surface(resource);

    for (unsigned s = 0; surface && s < surface->samples; s++)
        hal_samples_read(surface, s, 0, surface->height, samples + s * plane_bytes(surface),
                         hal_surface_row_bytes(surface));
}

void hal_inspect_write_samples(struct hal_resource *resource, const uint8_t *samples)
{
    struct hal_surface *surface = hal_as_surface(resource);

    for (unsigned s = 0; surface && s < surface->samples; s++)
        hal_samples_write(surface, s, 0, surface->height, samples + s * plane_bytes(surface),
                          hal_surface_row_bytes(surface));
}

/* --- texels -------------------------------------------------------------------------------------- */

/* One texel of each sample. False: out of memory. */
static bool read_each_sample(struct hal_surface *surface, unsigned x, unsigned y, unsigned bytes,
                             struct hal_inspect_texels *out)
{
    const size_t row_bytes = hal_surface_row_bytes(surface);
    uint8_t *row = malloc(row_bytes + 16);

    for (unsigned s = 0; row && s < BASE_MIN(surface->samples, (unsigned)HAL_INSPECT_SAMPLES); s++) {
        hal_samples_read(surface, s, y, 1, row, row_bytes);
        memcpy(out->bytes[s], row + (size_t)x * bytes, bytes);
    }
    free(row);
    surface->base.driver->out_of_memory |= !row;
    return row != NULL;
}

bool hal_inspect_read_texels(struct hal_resource *resource, unsigned x, unsigned y, struct hal_inspect_texels *out)
{
    struct hal_surface *surface = hal_as_surface(resource);
    const struct raster_format_info *info = surface ? raster_format_info(surface->format) : NULL;

    memset(out, 0, sizeof(*out));
    if (!surface || !hal_surface_has_pixels(surface) || info->block_width > 1 || info->block_bytes > 16 ||
        x >= surface->width || y >= surface->height)
        return false;
    out->format = surface->format;
    out->samples = surface->samples;
    if (surface->samples)
        return read_each_sample(surface, x, y, info->block_bytes, out);
    hal_surface_acquire(surface, false, HAL_FLUSH_LOOK);
    memcpy(out->bytes[0], surface->base.memory + (size_t)y * surface->pitch + (size_t)x * info->block_bytes,
           info->block_bytes);
    return true;
}

/* --- blits --------------------------------------------------------------------------------------- */

static struct hal_inspect_key key_of(const struct hal_resource *resource,
                                     struct hal_color_key (*find)(const struct hal_surface *surface))
{
    const struct hal_surface *surface = (const struct hal_surface *)resource;
    struct hal_color_key key;

    if (hal_resource_is_buffer(resource))
        return (struct hal_inspect_key){.set = false};
    key = find(surface);
    return (struct hal_inspect_key){key.set, key.value, hal_color_key_mask(surface->format)};
}

struct hal_inspect_key hal_inspect_source_key(const struct hal_resource *resource)
{
    return key_of(resource, hal_source_key);
}

struct hal_inspect_key hal_inspect_destination_key(const struct hal_resource *resource)
{
    return key_of(resource, hal_destination_key);
}

uint32_t hal_inspect_blit_tap(uint32_t i, uint32_t destination_size, uint32_t source_size)
{
    return hal_make_tap(i, destination_size, source_size, false).first;
}
