/* SPDX-License-Identifier: MIT */
/*
 * Multisampled surfaces. `memory` holds one pixel per pixel, as for every other surface, so locks, blits and flips
 * need not know of samples; the samples stand beside it, a plane each. Whichever side was written last is
 * carried over when the other is asked for: samples are averaged before somebody reads, pixels are spread over
 * the samples before somebody draws. That is also what the DDI asks of a multisampled primary under Lock
 * and Unlock (DX8 DDI, "Handling the Creation of Multi-Sampled Surfaces").
 */
#include "base/base.h"
#include "hal/local.h"

/* From plane to plane a tile's rows go to other sets of the cache, which full pages would not. */
static uint64_t plane_bytes(const struct hal_surface *surface)
{
    return (((uint64_t)surface->bytes + 4095) & ~UINT64_C(4095)) + 256;
}

static struct raster_surface sample_view(const struct hal_surface *surface)
{
    return (struct raster_surface){
        .pixels = surface->sample_memory,
        .pitch = surface->pitch,
        .width = surface->width,
        .height = surface->height,
        .format = surface->format,
        .samples = surface->samples,
        .sample_stride = (size_t)plane_bytes(surface),
    };
}

HRESULT hal_samples_create(struct hal_surface *surface, unsigned samples)
{
    uint64_t bytes = plane_bytes(surface) * samples;

    if (samples != 2 && samples != 4 && samples != 8 && samples != 16) {
        log_warn("CreateSurface: %u samples a pixel are not offered", samples);
        return DDERR_INVALIDCAPS;
    }
    if (bytes > SIZE_MAX / 4)
        return DDERR_OUTOFVIDEOMEMORY;
    surface->sample_memory = mem_alloc_aligned((size_t)bytes);
    if (!surface->sample_memory)
        return DDERR_OUTOFVIDEOMEMORY;
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
        struct raster_surface view = sample_view(surface);

        raster_resolve(&view, surface->memory, surface->pitch);
        surface->samples_newer = false;
    }
    surface->pixels_newer |= write;
}

void hal_samples_target(struct hal_surface *surface, struct raster_surface *target)
{
    if (!surface->samples)
        return;
    *target = sample_view(surface);
    if (surface->pixels_newer)
        raster_splat_samples(target, surface->memory, surface->pitch);
    surface->pixels_newer = false;
    surface->samples_newer = true;
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
