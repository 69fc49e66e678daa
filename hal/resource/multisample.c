/* SPDX-License-Identifier: MIT */
/*
 * Multisampled surfaces. `memory` holds one pixel per pixel, as for every other surface, so locks, blits and flips need
 * not know about samples; the samples are stored separately, as raster/raster.h lays them out. Whichever side was
 * written last is carried over when the other is asked for: samples are averaged before a read, pixels are copied to
 * their samples before a draw. The DDI demands the same for a multisampled primary under Lock and Unlock (DX8 DDI,
 * "Handling the Creation of Multi-Sampled Surfaces").
 */
#include "hal/resource/multisample.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/digest.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/resource/surface.h"
#include "raster/raster.h"

uint64_t hal_samples_bytes(const struct hal_surface *surface, unsigned samples)
{
    return raster_samples_bytes(surface->format, surface->width, surface->height, samples);
}

struct raster_surface hal_samples_view(const struct hal_surface *surface)
{
    BASE_ASSERT(surface->samples == 2 || surface->samples == 4 || surface->samples == 8 || surface->samples == 16);
    return (struct raster_surface){
        .pixels = surface->sample_memory,
        .pitch = raster_samples_pitch(surface->format, surface->width, surface->samples),
        .width = surface->width,
        .height = surface->height,
        .format = surface->format,
        .samples = surface->samples,
    };
}

HRESULT hal_samples_create(struct hal_surface *surface, unsigned samples)
{
    const uint64_t bytes = hal_samples_bytes(surface, samples);

    if (samples != 2 && samples != 4 && samples != 8 && samples != 16) {
        log_warn("CreateSurface: %u samples a pixel are not offered", samples);
        return DDERR_INVALIDCAPS;
    }
    if (bytes > SIZE_MAX / 4)
        return DDERR_OUTOFVIDEOMEMORY;
    surface->sample_memory = mem_alloc_aligned((size_t)bytes);
    if (!surface->sample_memory) {
        surface->base.driver->out_of_memory = true;
        return DDERR_OUTOFVIDEOMEMORY;
    }
    surface->samples = samples;
    return DD_OK;
}

void hal_samples_free(struct hal_surface *surface)
{
    mem_free_aligned(surface->sample_memory);
    surface->sample_memory = NULL;
    surface->samples = 0;
}

void hal_samples_acquire(struct hal_surface *surface, bool write)
{
    if (!surface->samples)
        return;
    if (surface->samples_newer) {
        struct raster_surface view = hal_samples_view(surface);

        raster_resolve(&view, surface->base.memory, surface->pitch);
        surface->samples_newer = false;
    }
    surface->pixels_newer |= write;
    BASE_ASSERT(!(surface->samples_newer && surface->pixels_newer));
}

void hal_samples_target(struct hal_surface *surface, struct raster_surface *target)
{
    if (!surface->samples)
        return;
    *target = hal_samples_view(surface);
    if (surface->pixels_newer)
        raster_splat_samples(target, surface->base.memory, surface->pitch);
    surface->pixels_newer = false;
    surface->samples_newer = true;
}

struct raster_surface hal_samples_current_view(struct hal_surface *surface)
{
    struct raster_surface view = hal_samples_view(surface);

    if (surface->pixels_newer)
        raster_splat_samples(&view, surface->base.memory, surface->pitch);
    surface->pixels_newer = false;
    return view;
}

uint64_t hal_samples_digest(const struct hal_surface *surface, uint64_t digest)
{
    return digest_of(surface->sample_memory, (size_t)hal_samples_bytes(surface, surface->samples), digest);
}

void hal_samples_swap(struct hal_surface *a, struct hal_surface *b)
{
    uint8_t *memory = a->sample_memory;
    bool samples_newer = a->samples_newer, pixels_newer = a->pixels_newer;

    a->sample_memory = b->sample_memory;
    a->samples_newer = b->samples_newer;
    a->pixels_newer = b->pixels_newer;
    b->sample_memory = memory;
    b->samples_newer = samples_newer;
    b->pixels_newer = pixels_newer;
}
