/* SPDX-License-Identifier: MIT */
/*
 * RESZ: the depth buffer, multisampled or not, copied into a depth texture, so that shaders can read it. Of a
 * multisampled buffer sample 0 is copied, as for locks (hal/resource/multisample.c).
 */
#include "hal/resource/copy/depth_resolve.h"

#include "base/base.h"
#include "hal/handles.h"
#include "hal/resource/copy/cost.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/work.h"
#include "raster/format/format.h"

#include <string.h>

/* The first level of the depth texture on stage 0; NULL: none. */
static struct hal_surface *destination_of(const struct hal_state *state, const struct hal_resources *resources)
{
    struct hal_surface *surface = hal_surface_of(resources, state->stage_state[0][0]);

    if (!surface || raster_format_info(hal_surface_top(surface)->format)->kind != RASTER_KIND_DEPTH)
        return NULL;
    return hal_surface_top(surface);
}

static bool same_layout(enum raster_format a, enum raster_format b)
{
    return a == b ||
           (raster_format_info(a)->block_bytes == raster_format_info(b)->block_bytes &&
            raster_depth_mask(a) == raster_depth_mask(b) && raster_stencil_mask(a) == raster_stencil_mask(b) &&
            raster_format_info(a)->type == raster_format_info(b)->type);
}

/* Copies one row; `depths` has room for four floats per texel. */
static void depth_resolve_row(const struct hal_surface *from, const uint8_t *source, const struct hal_surface *to,
                              uint8_t *out, float *depths)
{
    const unsigned bytes = raster_format_info(to->format)->block_bytes;

    raster_decode_wide(from->format, source, from->pitch, depths, (size_t)from->width * 16, from->width, 1, NULL);
    for (unsigned x = 0; x < from->width; x++) {
        const uint32_t value = raster_pack_depth(to->format, depths[4 * x], 0);

        memcpy(out + (size_t)x * bytes, &value, bytes);
    }
}

static bool depth_resolve_copy(const struct hal_surface *from, struct hal_surface *to)
{
    const size_t row = (size_t)from->width * raster_format_info(from->format)->block_bytes;
    const bool plain = same_layout(from->format, to->format);
    float *depths = plain ? NULL : mem_alloc_aligned((size_t)from->width * 4 * sizeof(*depths));

    if (!plain && !depths)
        return false;
    for (unsigned y = 0; y < from->height; y++) {
        const uint8_t *source = from->base.memory + y * from->pitch;
        uint8_t *out = to->base.memory + y * to->pitch;

        if (plain)
            memcpy(out, source, row);
        else
            depth_resolve_row(from, source, to, out, depths);
    }
    mem_free_aligned(depths);
    return true;
}

void hal_depth_resolve(const struct hal_state *state, struct hal_resources *resources, struct hal_scene *scene)
{
    struct hal_surface *from = scene->depth, *to = destination_of(state, resources);

    if (!from || !to || from == to || from->width != to->width || from->height != to->height || !to->base.memory) {
        log_warn("depth resolve: stage 0 has no depth texture as large as the depth buffer, nothing is copied");
        return;
    }
    if (!hal_copy_spend(&scene->work, to, from, (uint64_t)from->width * from->height, true))
        return;
    hal_surface_acquire(from, false, HAL_FLUSH_DEPTH);
    hal_surface_acquire(to, true, HAL_FLUSH_DEPTH);
    if (!depth_resolve_copy(from, to))
        hal_work_lacks_memory(&scene->work, "a depth resolve");
    hal_surface_touch(to);
    scene->dirty |= HAL_DIRTY_TEXTURE;
}
