/* SPDX-License-Identifier: MIT */
/* Reads, writes and copies single samples of multisampled surfaces, for blits and for captures. */
#include "hal/resource/copy/samples.h"

#include "base/assert.h"
#include "base/base.h"
#include "hal/resource/multisample.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "raster/raster.h"

#include <string.h>

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
    hal_surface_acquire(surface, false, HAL_FLUSH_LOOK);
    if (surface->pixels_newer)
        return false;
    const struct raster_surface view = hal_samples_view(surface);

    for (unsigned sample = 0; sample < surface->samples; sample++) {
        for (unsigned row = 0; row < surface->height; row++)
            if (row_differs(&view, sample, row, surface->base.memory + row * surface->pitch))
                return true;
    }
    return false;
}

void hal_samples_read(struct hal_surface *surface, unsigned sample, unsigned row, unsigned rows, uint8_t *to,
                      size_t pitch)
{
    hal_surface_acquire(surface, false, HAL_FLUSH_LOOK);
    const struct raster_surface view = hal_samples_current_view(surface);

    for (unsigned i = 0; i < rows; i++)
        raster_read_samples(&view, sample, row + i, to + i * pitch);
}

void hal_samples_write(struct hal_surface *surface, unsigned sample, unsigned row, unsigned rows, const uint8_t *from,
                       size_t pitch)
{
    hal_surface_finish(surface, true, HAL_FLUSH_LOOK);
    const struct raster_surface view = hal_samples_current_view(surface);

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
    hal_surface_finish(source, false, hal_flush_of_blit(destination));
    hal_surface_finish(destination, true, HAL_FLUSH_BLIT);
    const struct raster_surface from = hal_samples_current_view(source), to = hal_samples_current_view(destination);
    if (whole) {
        memmove(to.pixels, from.pixels, (size_t)hal_samples_bytes(source, source->samples));
    } else {
        uint8_t *line = mem_alloc_aligned(((size_t)source->width + destination->width) *
                                          raster_format_info(source->format)->block_bytes);

        if (!line)
            return false;
        /* within one surface, start from the end that is not overwritten before it is read */
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
