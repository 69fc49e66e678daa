/* SPDX-License-Identifier: MIT */
/*
 * Multisampled surfaces. `memory` holds one pixel per pixel, as for every other surface, so locks, blits and flips
 * need not know of samples; the samples stand beside it, as raster/raster.h lays them out. Whichever side was written last is
 * carried over when the other is asked for: samples are averaged before a read, pixels are copied to
 * their samples before a draw. That is also what the DDI asks of a multisampled primary under Lock
 * and Unlock (DX8 DDI, "Handling the Creation of Multi-Sampled Surfaces").
 */
#include "hal/resource/multisample.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/digest.h"
#include "d3d/ddi.h"
#include "hal/resource/surface.h"
#include "raster/raster.h"

#include <string.h>

static uint64_t sample_bytes(const struct hal_surface *surface, unsigned samples)
{
    return raster_samples_bytes(surface->format, surface->width, surface->height, samples);
}

static struct raster_surface sample_view(const struct hal_surface *surface)
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
    const uint64_t bytes = sample_bytes(surface, samples);

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
    BASE_ASSERT(!(surface->samples_newer && surface->pixels_newer));
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

/* The samples as they are, with the pixels that were written since; scenes have been flushed. */
static struct raster_surface current_view(struct hal_surface *surface)
{
    struct raster_surface view = sample_view(surface);

    if (surface->pixels_newer)
        raster_splat_samples(&view, surface->memory, surface->pitch);
    surface->pixels_newer = false;
    return view;
}

/* Does a sample have other pixels in a row than `pixels`? */
static bool row_differs(const struct raster_surface *view, unsigned sample, unsigned row, const uint8_t *pixels)
{
    const size_t bytes = raster_format_info(view->format)->block_bytes;

    for (unsigned x = 0; x < view->width; x += 4)
        if (memcmp(raster_sample_texel(view, sample, x, row), pixels + x * bytes,
                   BASE_MIN(view->width - x, 4u) * bytes) != 0)
            return true;
    return false;
}

bool hal_samples_differ(struct hal_surface *surface)
{
    if (!surface->samples)
        return false;
    hal_surface_acquire(surface, false);
    if (surface->pixels_newer)
        return false;
    const struct raster_surface view = sample_view(surface);

    for (unsigned sample = 0; sample < surface->samples; sample++) {
        for (unsigned row = 0; row < surface->height; row++)
            if (row_differs(&view, sample, row, surface->memory + row * surface->pitch))
                return true;
    }
    return false;
}

void hal_samples_read(struct hal_surface *surface, unsigned sample, unsigned row, unsigned rows, uint8_t *to,
                      size_t pitch)
{
    hal_surface_acquire(surface, false);
    const struct raster_surface view = current_view(surface);

    for (unsigned i = 0; i < rows; i++)
        raster_read_samples(&view, sample, row + i, to + i * pitch);
}

void hal_samples_write(struct hal_surface *surface, unsigned sample, unsigned row, unsigned rows, const uint8_t *from,
                       size_t pitch)
{
    hal_surface_finish(surface, true);
    const struct raster_surface view = current_view(surface);

    for (unsigned i = 0; i < rows; i++)
        raster_write_samples(&view, sample, row + i, from + i * pitch);
    surface->samples_newer = true;
    hal_surface_touch(surface);
}

/* Copies part of a row of each sample. line: room for two rows. */
static void copy_sample_row(const struct raster_surface *to, unsigned to_x, unsigned to_y,
                            const struct raster_surface *from, unsigned from_x, unsigned from_y, unsigned width,
                            uint8_t *line)
{
    const size_t bytes = raster_format_info(to->format)->block_bytes;
    uint8_t *source = line + to->width * bytes;

    for (unsigned sample = 0; sample < to->samples; sample++) {
        raster_read_samples(from, sample, from_y, source);
        raster_read_samples(to, sample, to_y, line);
        memcpy(line + to_x * bytes, source + from_x * bytes, width * bytes);
        raster_write_samples(to, sample, to_y, line);
    }
}

bool hal_samples_copy(struct hal_surface *destination, unsigned x, unsigned y, struct hal_surface *source,
                      const RECT *rect)
{
    const unsigned left = (unsigned)rect->left, top = (unsigned)rect->top, width = (unsigned)rect->right - left,
                   height = (unsigned)rect->bottom - top;
    const bool whole = !left && !top && !x && !y && width == source->width && height == source->height &&
                       width == destination->width && height == destination->height;

    BASE_ASSERT(source->samples && source->samples == destination->samples && source->format == destination->format);
    hal_surface_finish(source, false);
    hal_surface_finish(destination, true);
    const struct raster_surface from = current_view(source), to = current_view(destination);
    if (whole) {
        memmove(to.pixels, from.pixels, (size_t)sample_bytes(source, source->samples));
    } else {
        uint8_t *line = mem_alloc_aligned(((size_t)source->width + destination->width) *
                                          raster_format_info(source->format)->block_bytes);

        if (!line)
            return false;
        /* within one surface from the end that is not overwritten before it is read */
        for (unsigned i = 0; i < height; i++) {
            const unsigned row = y > top ? height - 1 - i : i;

            copy_sample_row(&to, x, y + row, &from, left, top + row, width, line);
        }
        mem_free_aligned(line);
    }
    destination->samples_newer = true;
    hal_surface_touch(destination);
    return true;
}

uint64_t hal_samples_digest(const struct hal_surface *surface, uint64_t digest)
{
    return digest_of(surface->sample_memory, (size_t)sample_bytes(surface, surface->samples), digest);
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
