/* SPDX-License-Identifier: MIT */
/* The memory of a draw's targets: the texels of one pixel, and copies of everything. */
#include "base/base.h"
#include "hal/inspect.h"
#include "hal/inspect/internal.h"

#include <stdlib.h>
#include <string.h>

/* --- one pixel ----------------------------------------------------------------------------------- */

static uint8_t *texel_at(const struct raster_surface *surface, unsigned x, unsigned y, unsigned sample)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    if (!surface->pixels || surface->format == RASTER_FORMAT_NULL || x >= surface->width || y >= surface->height ||
        sample >= BASE_MAX(surface->samples, 1u) || bytes > 16)
        return NULL;
    return surface->samples > 1 ? raster_sample_texel(surface, sample, x, y)
                                : surface->pixels + y * surface->pitch + (size_t)x * bytes;
}

static void read_target(const struct raster_surface *surface, unsigned x, unsigned y, struct hal_inspect_texels *to)
{
    if (surface->pixels)
        to->format = surface->format;
    to->samples = surface->samples;
    for (unsigned s = 0; s < RASTER_MAX_SAMPLES; s++) {
        const uint8_t *texel = texel_at(surface, x, y, s);

        if (texel)
            memcpy(to->bytes[s], texel, raster_format_info(surface->format)->block_bytes);
    }
}

void hal_probe_read(const struct hal_context *context, unsigned x, unsigned y, struct hal_probe_texels *texels)
{
    const struct raster_targets *targets = &context->scene.raster->targets;

    memset(texels, 0, sizeof(*texels));
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
        read_target(&targets->color[t], x, y, &texels->color[t]);
    read_target(&targets->depth, x, y, &texels->depth);
}

static void write_target(const struct raster_surface *surface, unsigned x, unsigned y,
                         const struct hal_inspect_texels *from)
{
    for (unsigned s = 0; s < RASTER_MAX_SAMPLES; s++) {
        uint8_t *texel = texel_at(surface, x, y, s);

        if (texel)
            memcpy(texel, from->bytes[s], raster_format_info(surface->format)->block_bytes);
    }
}

void hal_probe_write(const struct hal_context *context, unsigned x, unsigned y, const struct hal_probe_texels *texels)
{
    const struct raster_targets *targets = &context->scene.raster->targets;

    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++)
        write_target(&targets->color[t], x, y, &texels->color[t]);
    write_target(&targets->depth, x, y, &texels->depth);
}

/* --- everything ---------------------------------------------------------------------------------- */

static const struct raster_surface *target_of(const struct hal_probe *probe, unsigned t)
{
    const struct raster_targets *targets = &probe->context->scene.raster->targets;

    return t < RASTER_MAX_TARGETS ? &targets->color[t] : &targets->depth;
}

static size_t row_bytes(const struct raster_surface *surface, unsigned *rows)
{
    const unsigned bytes = raster_format_info(surface->format)->block_bytes;

    if (!surface->pixels || surface->format == RASTER_FORMAT_NULL)
        return *rows = 0;
    if (surface->samples > 1) {
        *rows = (surface->height + 3) / 4;
        return raster_samples_pitch(surface->format, surface->width, surface->samples);
    }
    *rows = surface->height;
    return (size_t)surface->width * bytes;
}

static bool keep_target(const struct raster_surface *surface, struct probe_copy *copy)
{
    unsigned rows;
    const size_t row = row_bytes(surface, &rows), bytes = row * rows;

    if (bytes > copy->capacity) {
        free(copy->data);
        copy->data = malloc(bytes);
        copy->capacity = copy->data ? bytes : 0;
        if (!copy->data)
            return false;
    }
    for (unsigned y = 0; y < rows && copy->data; y++)
        memcpy(copy->data + y * row, surface->pixels + y * surface->pitch, row);
    return true;
}

bool hal_probe_keep_targets(struct hal_probe *probe)
{
    bool done = true;

    for (unsigned t = 0; t <= RASTER_MAX_TARGETS; t++)
        done &= keep_target(target_of(probe, t), &probe->copy[t]);
    return done;
}

static void restore_target(const struct raster_surface *surface, const struct probe_copy *copy)
{
    unsigned rows;
    const size_t row = row_bytes(surface, &rows);

    for (unsigned y = 0; y < rows && copy->data; y++)
        memcpy(surface->pixels + y * surface->pitch, copy->data + y * row, row);
}

void hal_probe_restore_targets(const struct hal_probe *probe)
{
    for (unsigned t = 0; t <= RASTER_MAX_TARGETS; t++)
        restore_target(target_of(probe, t), &probe->copy[t]);
}
