/* SPDX-License-Identifier: MIT */
/* Setting targets: draws everything given before, then begins the scenes with the new targets. */
#include "raster/frontend.h"
#include "raster/tile/tile.h"

#include <stdlib.h>
#include <string.h>

static float depth_resolution(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);
    unsigned bits = info->depth_bits;

    return bits ? (float)(1.0 / ((double)(UINT64_C(1) << bits) - 1.0)) : 0.0f;
}

/* D32F has the mantissa of a float, D24FS8 20 bits. */
static unsigned depth_mantissa(enum raster_format format)
{
    const struct raster_format_info *info = raster_format_info(format);

    return info->type != RASTER_FLOAT ? 0 : info->depth_bits > 24 ? 23 : 20;
}

/* Scenes that a raster needs in addition to the one being filled; one thread needs none. */
static unsigned queue_room(const struct raster *raster)
{
    return raster->threads > 1 ? TASKS_QUEUE : 0;
}

/* Sets the targets of all scenes, which share the depth kept by tiles. False: memory is short. */
static bool open_scenes(struct raster *raster)
{
    struct scene *scene = &raster->scene;

    if (!scene_begin(scene, &raster->targets))
        return false;
    for (unsigned i = 0; i < queue_room(raster); i++)
        if (!scene_begin(&raster->queue[i].scene, &raster->targets))
            return false;
    const size_t tiles = (size_t)scene->tiles_x * scene->tiles_y;
    if (tiles > raster->depth_tiles) {
        free(raster->depth);
        raster->depth = tile_depth_create(tiles);
        raster->depth_tiles = raster->depth ? tiles : 0;
    }
    scene->depth = raster->depth;
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        raster->queue[i].scene.depth = raster->depth;
    return raster->depth != NULL;
}

/* Do both have the same depth memory, in the same tiles? */
static bool share_depth(const struct raster_targets *a, const struct raster_targets *b)
{
    for (unsigned i = 0; i < RASTER_MAX_TARGETS; i++) {
        const struct raster_surface *s = &a->color[i], *t = &b->color[i];

        if (!s->pixels != !t->pixels || s->width != t->width || s->height != t->height || s->samples != t->samples)
            return false;
    }
    return !memcmp(&a->depth, &b->depth, sizeof(a->depth));
}

static struct raster_rect targets_rect(const struct raster_targets *targets)
{
    struct raster_rect rect = {0, 0, RASTER_MAX_SIZE, RASTER_MAX_SIZE};

    for (unsigned i = 0; i <= RASTER_MAX_TARGETS; i++) {
        const struct raster_surface *s = i < RASTER_MAX_TARGETS ? &targets->color[i] : &targets->depth;

        if (s->pixels)
            rect = raster_intersect(rect, (struct raster_rect){0, 0, (int)s->width, (int)s->height});
    }
    return rect;
}

bool raster_set_targets(struct raster *raster, const struct raster_targets *targets)
{
    const bool open = raster_has_targets(raster);

    if (open && !memcmp(&raster->targets, targets, sizeof(*targets)))
        return true;
    raster_end_scene(raster, !open || !share_depth(&raster->targets, targets));
    raster->targets = *targets;
    raster->bounds = targets_rect(targets);
    raster->depth_resolution = depth_resolution(targets->depth.format);
    raster->depth_mantissa = depth_mantissa(targets->depth.format);
    raster->target_price = raster_target_price(targets);
    if (open_scenes(raster))
        return true;
    raster->scene.life = SCENE_CLOSED;
    return false;
}
