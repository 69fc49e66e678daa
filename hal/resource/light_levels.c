/* SPDX-License-Identifier: MIT */
#include "hal/resource/light_levels.h"

#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "raster/format/format.h"
#include "raster/sample/sample.h"

#include <stdlib.h>

#define PITCH_ALIGNMENT 4 /* bytes */

/* --- counts ------------------------------------------------------------------------------ */

unsigned hal_light_count(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    if (!(hal_resource_caps(lcl).dwCaps3 & DDSCAPS3_LIGHTWEIGHTMIPMAP))
        return 1;
    return BASE_MAX(lcl->lpSurfMore->dwMipMapCount, 1);
}

/* Levels down to the one of a single texel. */
static unsigned most_levels(const struct hal_surface *top)
{
    unsigned size = BASE_MAX(BASE_MAX(top->width, top->height), top->depth), count = 1;

    for (; size > 1; size /= 2)
        count++;
    return BASE_MIN(count, RASTER_MAX_LEVELS);
}

static bool is_vendor_format(enum raster_format format)
{
    const unsigned kind = raster_format_info(format)->kind;

    return kind == RASTER_KIND_FEEDBACK || kind == RASTER_KIND_NULL;
}

HRESULT hal_light_check(const struct hal_surface *top, unsigned count, unsigned samples)
{
    if (count == 1)
        return DD_OK;
    if (count > most_levels(top)) {
        log_warn("CreateSurface: %u levels in one surface of %ux%ux%u", count, top->width, top->height, top->depth);
        return DDERR_INVALIDPARAMS;
    }
    if (top->base.kind != HAL_SURFACE_TEXTURE || samples || is_vendor_format(top->format)) {
        log_warn("CreateSurface: a target, a multisampled surface or one of format %#x has a surface for each level",
                 (unsigned)top->d3d_format);
        return DDERR_INVALIDCAPS;
    }
    return DD_OK;
}

/* --- layout ------------------------------------------------------------------------------ */

static unsigned light_size(unsigned size, unsigned level)
{
    return BASE_MAX(size >> level, 1);
}

uint64_t hal_light_pitch(const struct hal_surface *top, unsigned width)
{
    const uint64_t bytes = raster_format_row_bytes(top->format, width);

    return (bytes + PITCH_ALIGNMENT - 1) & ~(uint64_t)(PITCH_ALIGNMENT - 1);
}

/* The level is not the first. */
static uint64_t slice_bytes(const struct hal_surface *top, unsigned level)
{
    return hal_light_pitch(top, light_size(top->width, level)) *
           raster_format_rows(top->format, light_size(top->height, level));
}

static uint64_t level_bytes(const struct hal_surface *top, unsigned level)
{
    return slice_bytes(top, level) * light_size(top->depth, level);
}

uint64_t hal_light_bytes(const struct hal_surface *top, unsigned count, uint64_t slice)
{
    uint64_t bytes = slice * top->depth;

    for (unsigned level = 1; level < count; level++)
        bytes += level_bytes(top, level);
    return bytes;
}

/* --- surfaces ---------------------------------------------------------------------------- */

static void make_level(struct hal_surface *surface, const struct hal_surface *top, unsigned level)
{
    *surface = (struct hal_surface){
        .base = {.driver = top->base.driver, .kind = top->base.kind, .version = 1},
        .d3d_format = top->d3d_format,
        .format = top->format,
        .width = light_size(top->width, level),
        .height = light_size(top->height, level),
        .depth = light_size(top->depth, level),
        .is_volume = top->is_volume,
        .face = top->face,
        .is_light = true,
    };
}

HRESULT hal_light_place(struct hal_surface *top, unsigned count)
{
    size_t offset = top->slice_pitch * top->depth;

    if (count == 1)
        return DD_OK;
    if (!top->light) {
        top->light = mem_calloc(count - 1, sizeof(*top->light));
        if (!top->light)
            return DDERR_OUTOFMEMORY;
        for (unsigned level = 1; level < count; level++)
            make_level(&top->light[level - 1], top, level);
        top->light_count = count - 1;
    }
    BASE_ASSERT(top->light_count == count - 1);
    for (unsigned level = 1; level < count; level++) {
        struct hal_surface *surface = &top->light[level - 1];

        BASE_ASSERT(surface->format == top->format && surface->width == light_size(top->width, level));
        surface->base.memory = top->base.memory + offset;
        surface->base.bytes = (size_t)level_bytes(top, level);
        surface->base.owns_memory = top->base.owns_memory;
        surface->pitch = (size_t)hal_light_pitch(top, surface->width);
        surface->slice_pitch = (size_t)slice_bytes(top, level);
        offset += surface->base.bytes;
    }
    BASE_ASSERT(offset <= top->base.bytes);
    return DD_OK;
}

void hal_light_lose_memory(struct hal_surface *top)
{
    for (unsigned i = 0; i < top->light_count; i++) {
        top->light[i].base.memory = NULL;
        top->light[i].base.bytes = 0;
    }
}

void hal_light_free(struct hal_surface *top)
{
    for (unsigned i = 0; i < top->light_count; i++)
        BASE_ASSERT(!top->light[i].texture && !top->light[i].pending);
    free(top->light);
    top->light = NULL;
    top->light_count = 0;
}

void hal_surface_touch_all(struct hal_surface *surface)
{
    hal_surface_touch(surface);
    for (unsigned i = 0; i < surface->light_count; i++)
        hal_surface_touch(&surface->light[i]);
}
