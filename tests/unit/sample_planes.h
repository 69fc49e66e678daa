/* SPDX-License-Identifier: MIT */
/* Targets in the form that tests examine: a plane of rows for each sample. */
#ifndef HALCYON_TESTS_SAMPLE_PLANES_H
#define HALCYON_TESTS_SAMPLE_PLANES_H

#include "raster/raster.h"

#include <string.h>

/* A target at `pixels`, multisampled or not; rows without gaps. */
static inline struct raster_surface sample_surface(void *pixels, enum raster_format format, unsigned width,
                                                   unsigned height, unsigned samples)
{
    return (struct raster_surface){
        .pixels = pixels,
        .pitch = samples > 1 ? raster_samples_pitch(format, width, samples)
                             : (size_t)width * raster_format_info(format)->block_bytes,
        .width = width,
        .height = height,
        .format = format,
        .samples = samples,
    };
}

/* Copies the samples of a surface to planes, `plane` bytes apart, with rows `pitch` bytes apart. */
static inline void sample_planes(const struct raster_surface *surface, void *planes, size_t plane, size_t pitch)
{
    const size_t bytes = (size_t)surface->width * raster_format_info(surface->format)->block_bytes;

    for (unsigned y = 0; y < surface->height; y++) {
        if (surface->samples <= 1)
            memcpy((uint8_t *)planes + y * pitch, surface->pixels + y * surface->pitch, bytes);
        for (unsigned s = 0; s < surface->samples && surface->samples > 1; s++)
            raster_read_samples(surface, s, y, (uint8_t *)planes + s * plane + y * pitch);
    }
}

#endif
