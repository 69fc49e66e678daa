/* SPDX-License-Identifier: MIT */
/* From a texture chain of a feedback format to the map over its memory. */
#include "base/base.h"
#include "d3d/feedback.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "raster/sample/feedback.h"
#include "raster/sample/feedback_map.h"

#include <stdlib.h>
#include <string.h>

void hal_feedback_discard(struct hal_texture *texture)
{
    if (!texture->feedback)
        return;
    raster_feedback_destroy(texture->feedback->map);
    raster_feedback_destroy(texture->feedback->recorder);
    free(texture->feedback);
    texture->feedback = NULL;
}

static void feedback_describe(const struct hal_texture *texture, struct hal_feedback *out)
{
    const struct hal_surface *top = texture->top;
    bool min_mip;
    unsigned width, height;

    memset(out, 0, sizeof(*out));
    if (!ddi_feedback_parse(top->d3d_format, &min_mip, &width, &height))
        return;
    out->desc = (struct raster_feedback_desc){
        .kind = min_mip ? FEEDBACK_MIN_MIP : FEEDBACK_MIP_REGION_USED,
        .width = top->width,
        .height = top->height,
        .level_count = texture->level_count,
        .layer_count = texture->face_count == 6 ? 6 : 1,
        .region_width = 1u << width,
        .region_height = 1u << height,
        .depth = top->is_volume ? top->depth : 0,
        .cube = texture->face_count == 6,
    };
    for (unsigned face = 0; face < out->desc.layer_count; face++)
        for (unsigned level = 0; level < out->desc.level_count; level++) {
            const struct hal_surface *part = texture->parts[face][level];

            /* rows and columns of regions fit the 4x4-texel blocks that the format counts in */
            out->planes[face * out->desc.level_count + level] =
                (struct feedback_plane){part->base.memory, part->pitch, top->is_volume ? part->slice_pitch : 0};
        }
}

static bool feedback_is_same(const struct hal_feedback *a, const struct hal_feedback *b)
{
    return !memcmp(&a->desc, &b->desc, sizeof(a->desc)) && !memcmp(a->planes, b->planes, sizeof(a->planes));
}

struct raster_feedback *hal_feedback_map(struct hal_texture *texture)
{
    struct hal_feedback now;

    if (!texture || !hal_is_feedback(texture->top) || !texture->top->base.owns_memory)
        return NULL;
    feedback_describe(texture, &now);
    if (texture->feedback && feedback_is_same(texture->feedback, &now))
        return texture->feedback->map;
    hal_feedback_discard(texture);
    now.map = raster_feedback_create_over(&now.desc, now.planes);
    texture->feedback = now.map ? mem_calloc(1, sizeof(now)) : NULL;
    if (!texture->feedback) {
        raster_feedback_destroy(now.map);
        return NULL;
    }
    *texture->feedback = now;
    return now.map;
}

uint64_t hal_feedback_regions(struct hal_texture *texture)
{
    const struct raster_feedback *map = hal_feedback_map(texture);

    if (!map)
        return 0;
    return (uint64_t)raster_feedback_columns(map, 0) * raster_feedback_rows(map, 0) * raster_feedback_layers(map, 0) *
           texture->level_count * texture->face_count;
}
