/* SPDX-License-Identifier: MIT */
#include "hal/resource/copy/scratch.h"

#include "base/base.h"
#include "hal/resource/surface.h"
#include "raster/format/format.h"

bool hal_scratch_is_possible(const struct hal_surface *like)
{
    const struct raster_format_info *info = raster_format_info(like->format);

    return like->format != RASTER_FORMAT_NONE && like->base.memory && like->base.bytes && like->depth == 1 &&
           info->block_width == 1 && info->block_height == 1 && info->block_bytes && info->kind != RASTER_KIND_PLANAR &&
           info->kind != RASTER_KIND_FEEDBACK && info->kind != RASTER_KIND_NULL;
}

HRESULT hal_scratch_make(struct hal_surface *scratch, const struct hal_surface *like, unsigned width, unsigned height)
{
    *scratch = (struct hal_surface){
        .base = {.driver = like->base.driver, .kind = like->base.kind, .version = 1},
        .d3d_format = like->d3d_format,
        .format = like->format,
        .width = width,
        .height = height,
        .depth = 1,
    };
    scratch->pitch = ((size_t)raster_format_row_bytes(scratch->format, scratch->width) + 15) & ~(size_t)15;
    scratch->slice_pitch = scratch->pitch * scratch->height;
    return hal_resource_allocate(&scratch->base, scratch->slice_pitch);
}

void hal_scratch_free(struct hal_surface *scratch)
{
    mem_free_aligned(scratch->base.memory);
    scratch->base.memory = NULL;
}
