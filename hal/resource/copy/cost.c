/* SPDX-License-Identifier: MIT */
/* Copies and fills are charged by texel, and by sample where surfaces are multisampled; copies of feedback maps by region. */
#include "hal/resource/copy/cost.h"

#include "base/base.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/work.h"
#include "raster/format/format.h"
#include "raster/raster.h"

static uint64_t samples_of(const struct hal_surface *surface)
{
    return (uint64_t)surface->width * surface->height * surface->samples;
}

static uint64_t price_of_copy(const struct hal_surface *destination, const struct hal_surface *source, bool stretched)
{
    const struct raster_format_info *info = raster_format_info(destination->format);
    const unsigned block = BASE_MAX(info->block_width * info->block_height, 1), bytes = info->block_bytes / block;
    const bool wide = raster_format_is_wide(destination->format) || (source && raster_format_is_wide(source->format));

    return stretched || (source && source->format != destination->format)
               ? (uint64_t)HAL_WORK_CONVERT * (wide ? 2 : 1)
               : (uint64_t)HAL_WORK_COPY * BASE_MAX(bytes, 1u);
}

static uint64_t samples_of_copy(const struct hal_surface *destination, const struct hal_surface *source)
{
    return samples_of(destination) + (source && source != destination ? samples_of(source) : 0);
}

/* The feedback map among the surfaces of the copy; NULL: none. */
static struct hal_surface *map_of_copy(struct hal_surface *destination, struct hal_surface *source)
{
    return hal_is_feedback(destination) ? destination : source && hal_is_feedback(source) ? source : NULL;
}

bool hal_copy_spend(struct hal_work *work, struct hal_surface *destination, struct hal_surface *source, uint64_t texels,
                    bool stretched)
{
    struct hal_surface *map = map_of_copy(destination, source);

    if (map)
        return hal_work_spend(work, hal_feedback_regions(hal_surface_texture(map)), HAL_WORK_FEEDBACK);
    return raster_spend(work->raster, texels * price_of_copy(destination, source, stretched) +
                                          samples_of_copy(destination, source) * HAL_WORK_SAMPLE);
}

HRESULT hal_copy_take(struct hal_surface *destination, struct hal_surface *source, uint64_t texels, bool stretched,
                      const char *call)
{
    struct hal_driver *driver = destination->base.driver;
    struct hal_surface *map = map_of_copy(destination, source);
    HRESULT hr;

    if (map)
        return hal_work_take(driver, hal_feedback_regions(hal_surface_texture(map)), HAL_WORK_FEEDBACK, call);
    hr = hal_work_take(driver, texels, price_of_copy(destination, source, stretched), call);
    return SUCCEEDED(hr) ? hal_work_take(driver, samples_of_copy(destination, source), HAL_WORK_SAMPLE, call) : hr;
}
