/* SPDX-License-Identifier: MIT */
/* From a texture chain of a feedback format to the map over its memory. */
#include "base/base.h"
#include "d3d/feedback.h"
#include "hal/resource/feedback.h"
#include "hal/resource/surface.h"
#include "raster/sample/feedback.h"
#include "raster/sample/feedback_map.h"

#include <stdlib.h>
#include <string.h>

void hal_feedback_discard(struct hal_surface *top)
{
    if (!top->feedback)
        return;
    raster_feedback_destroy(top->feedback->map);
    raster_feedback_destroy(top->feedback->recorder);
    free(top->feedback);
    top->feedback = NULL;
}

static void feedback_describe(const struct hal_surface *top, struct hal_feedback *out)
{
    bool min_mip;
    unsigned width, height;

    memset(out, 0, sizeof(*out));
    if (!ddi_feedback_parse(top->d3d_format, &min_mip, &width, &height))
        return;
    out->desc = (struct raster_feedback_desc){
        .kind = min_mip ? FEEDBACK_MIN_MIP : FEEDBACK_MIP_REGION_USED,
        .width = top->width,
        .height = top->height,
        .level_count = top->level_count,
        .layer_count = top->face_count == 6 ? 6 : 1,
        .region_width = 1u << width,
        .region_height = 1u << height,
        .depth = top->is_volume ? top->depth : 0,
        .cube = top->face_count == 6,
    };
    for (unsigned face = 0; face < out->desc.layer_count; face++)
        for (unsigned level = 0; level < out->desc.level_count; level++) {
            const struct hal_surface *part = top->parts[face][level];

            /* rows and columns of regions fit the 4x4-texel blocks that the format counts in */
            out->planes[face * out->desc.level_count + level] =
                (struct feedback_plane){part->base.memory, part->pitch, top->is_volume ? part->slice_pitch : 0};
        }
}

static bool feedback_is_same(const struct hal_feedback *a, const struct hal_feedback *b)
{
    return !memcmp(&a->desc, &b->desc, sizeof(a->desc)) && !memcmp(a->planes, b->planes, sizeof(a->planes));
}

struct raster_feedback *hal_feedback_map(struct hal_surface *surface)
{
    struct hal_surface *top = surface->top;
    struct hal_feedback now;

    if (!hal_is_feedback(top) || !top->base.owns_memory)
        return NULL;
    feedback_describe(top, &now);
    if (top->feedback && feedback_is_same(top->feedback, &now))
        return top->feedback->map;
    hal_feedback_discard(top);
    now.map = raster_feedback_create_over(&now.desc, now.planes);
    top->feedback = now.map ? mem_calloc(1, sizeof(now)) : NULL;
    if (!top->feedback) {
        raster_feedback_destroy(now.map);
        return NULL;
    }
    *top->feedback = now;
    return now.map;
}

uint64_t hal_feedback_regions(struct hal_surface *surface)
{
    const struct raster_feedback *map = hal_feedback_map(surface);

    if (!map)
        return 0;
    return (uint64_t)raster_feedback_columns(map, 0) * raster_feedback_rows(map, 0) * raster_feedback_layers(map, 0) *
           surface->top->level_count * surface->top->face_count;
}
