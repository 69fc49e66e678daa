/* SPDX-License-Identifier: MIT */
/* Clears, and copies of the result of a pending clear. */
#include "raster/frontend.h"
#include "raster/kernels/srgb_encode.h"

#include <math.h>
#include <string.h>

/* Which bits of a depth word a clear of `what` replaces. */
static uint32_t depth_clear_mask(enum raster_format format, unsigned what)
{
    return (what & RASTER_CLEAR_DEPTH ? raster_depth_mask(format) : 0) |
           (what & RASTER_CLEAR_STENCIL ? raster_stencil_mask(format) : 0);
}

/* 0xAARRGGBB; alpha is unchanged. */
static uint32_t srgb_color(uint32_t color)
{
    uint32_t out = color & 0xff000000;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        const float linear = (float)(color >> shift & 0xff) / 255.0f;

        out |= (uint32_t)(srgb_encode(linear) * 255.0f + 0.5f) << shift;
    }
    return out;
}

static void fill_clear(const struct raster_targets *targets, struct scene_clear *clear, uint32_t color, float depth,
                       uint32_t stencil)
{
    if (clear->what & RASTER_CLEAR_COLOR)
        for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
            const enum raster_format format = targets->color[t].format;
            const bool srgb = clear->what & RASTER_CLEAR_SRGB && raster_format_info(format)->bits[0] == 8;

            raster_pack_texel(format, srgb ? srgb_color(color) : color, clear->color_texel[t]);
        }
    if (clear->what & (RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL)) {
        clear->depth = depth > 0.0f ? fminf(depth, 1.0f) : 0.0f;
        clear->depth_value = raster_pack_depth(targets->depth.format, depth, stencil);
        clear->depth_mask = depth_clear_mask(targets->depth.format, clear->what);
    }
}

static bool are_equal(const struct raster_rect *a, const struct raster_rect *b)
{
    return !memcmp(a, b, sizeof(*a));
}

/* Does a clear of everything follow another one that it overwrites completely? Then it replaces that clear. */
static bool replaces_last(const struct raster *raster, const struct scene_clear *clear)
{
    const struct scene *scene = &raster->scene;

    return scene->last_clear && scene->bytes == scene->last_clear_end && are_equal(&clear->rect, &raster->bounds) &&
           !(scene->last_clear->what & ~clear->what);
}

/* False: out of memory; some tiles lack the clear. */
static bool bin_clear(struct raster *raster, const struct scene_clear *clear)
{
    const struct raster_rect *area = &clear->rect;
    bool all = true;

    for (int y = area->top / RASTER_TILE_SIZE; y <= (area->bottom - 1) / RASTER_TILE_SIZE; y++)
        for (int x = area->left / RASTER_TILE_SIZE; x <= (area->right - 1) / RASTER_TILE_SIZE; x++)
            all &= scene_bin_command(&raster->scene, (unsigned)x, (unsigned)y, SCENE_CLEAR, clear, 0);
    return all;
}

void raster_clear(struct raster *raster, unsigned what, const struct raster_rect *rect, uint32_t color, float depth,
                  uint32_t stencil)
{
    struct scene *scene = &raster->scene;
    const struct raster_targets *targets = &raster->targets;

    if (!raster_has_targets(raster))
        return;
    if (!targets->color[0].pixels)
        what &= RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL;
    if (!targets->depth.pixels)
        what &= RASTER_CLEAR_COLOR | RASTER_CLEAR_SRGB;
    if (!raster_stencil_mask(targets->depth.format))
        what &= ~(unsigned)RASTER_CLEAR_STENCIL;
    struct raster_rect area = raster_intersect(*rect, raster->bounds);
    if (!what || area.left >= area.right || area.top >= area.bottom)
        return;
    if (!raster->budget)
        return;
    struct scene_clear fresh = {.what = what, .rect = area};

    fill_clear(targets, &fresh, color, depth, stencil);
    const bool replaces = replaces_last(raster, &fresh);
    const uint64_t samples = (uint64_t)(area.right - area.left) * (uint64_t)(area.bottom - area.top) * scene->samples;

    /* A clear that replaces another costs nothing, unless the other has been copied, which counts as drawing it. */
    if ((!replaces || scene->life == SCENE_COPIED) && !raster_spend_clear(raster, samples))
        return;
    if (replaces) {
        *scene->last_clear = fresh;
        if (scene->life == SCENE_COPIED)
            scene->life = SCENE_CLEARED;
        return;
    }
    raster_make_room(raster);
    const bool alone = scene->life == SCENE_EMPTY;
    struct scene_clear *clear = scene_alloc(scene, sizeof(*clear));
    if (!clear)
        return;
    *clear = fresh;
    if (bin_clear(raster, clear) && are_equal(&area, &raster->bounds)) {
        scene->last_clear = clear;
        scene->last_clear_end = scene->bytes;
        if (alone)
            scene->life = SCENE_CLEARED;
    }
}

bool raster_copy_clear(struct raster *raster, const uint8_t *pixels, unsigned width, unsigned height, uint8_t *texel)
{
    const struct scene_clear *clear = scene_sole_clear(&raster->scene);

    if (!clear || !(clear->what & RASTER_CLEAR_COLOR))
        return false;
    for (unsigned t = 0; t < RASTER_MAX_TARGETS; t++) {
        const struct raster_surface *target = &raster->targets.color[t];

        if (target->pixels != pixels || target->samples > 1 || raster->bounds.right != (int)width ||
            raster->bounds.bottom != (int)height)
            continue;
        memcpy(texel, clear->color_texel[t], sizeof(clear->color_texel[t]));
        raster_spend_flush(raster);
        raster->scene.life = SCENE_COPIED;
        return true;
    }
    return false;
}
