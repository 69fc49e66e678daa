/* SPDX-License-Identifier: MIT */
/* Targets as surfaces, and bound to the rasterizer. The scene uses the bound ones (hal/scene.h). */
#include "hal/resource/targets.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
#include "hal/state/state.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <string.h>

/* Checks that the surfaces can be targets. Depth that waits to be written is kept by the kind of the surface, so one of the
 * wrong kind is not bound at all. */
HRESULT hal_targets_check(const struct hal_surface *target, const struct hal_surface *depth)
{
    if (target && !(target->base.kind & HAL_SURFACE_COLOR)) {
        log_warn("surface %#x (format %u) is not a render target", (unsigned)target->base.handle,
                 (unsigned)target->d3d_format);
        return DDERR_INVALIDPARAMS;
    }
    if (depth && !(depth->base.kind & HAL_SURFACE_DEPTH)) {
        log_warn("surface %#x (format %u) is not a depth buffer", (unsigned)depth->base.handle,
                 (unsigned)depth->d3d_format);
        return DDERR_INVALIDPARAMS;
    }
    return DD_OK;
}

void hal_targets_set(struct hal_scene *scene, struct hal_surface *target, struct hal_surface *depth)
{
    scene->target = target;
    scene->depth = depth;
    hal_targets_changed(scene);
}

void hal_targets_changed(struct hal_scene *scene)
{
    scene->bound.bound = false;
    scene->dirty |= HAL_DIRTY_TARGET;
}

bool hal_targets_have(const struct hal_scene *scene, const struct hal_surface *surface)
{
    for (unsigned i = 0; i < ARRAY_COUNT(scene->more_targets); i++)
        if (scene->more_targets[i] == surface)
            return true;
    return scene->target == surface || scene->depth == surface;
}

void hal_targets_remove(struct hal_scene *scene, const struct hal_surface *surface)
{
    if (scene->target == surface)
        scene->target = NULL;
    if (scene->depth == surface)
        scene->depth = NULL;
    for (unsigned i = 0; i < ARRAY_COUNT(scene->more_targets); i++)
        if (scene->more_targets[i] == surface)
            scene->more_targets[i] = NULL;
    hal_targets_changed(scene);
}

/* --- for the rasterizer ------------------------------------------------------------------------- */

/* A target without pixels has no bounds: it takes the size of the smallest of the others (Wine's test_null_format), or
 * its own size if it is alone. */
static void fit_to_others(const struct hal_scene *scene, struct raster_targets *targets)
{
    struct raster_surface *first = &targets->color[0];
    unsigned width = targets->depth.width, height = targets->depth.height; /* 0: no depth buffer is bound */

    for (unsigned i = 0; i < ARRAY_COUNT(scene->more_targets); i++) {
        const struct hal_surface *s = scene->more_targets[i];

        if (s && hal_surface_has_pixels(s)) {
            width = width ? BASE_MIN(width, s->width) : s->width;
            height = height ? BASE_MIN(height, s->height) : s->height;
        }
    }
    if (width && height) {
        first->width = width;
        first->height = height;
    }
}

/* Targets 1..3 are bound if they have as many samples as target 0 and are not smaller. */
static void view_more_targets(struct hal_scene *scene, struct raster_targets *targets)
{
    const struct raster_surface *first = &targets->color[0];

    for (unsigned i = 1; i < RASTER_MAX_TARGETS; i++) {
        struct hal_surface *surface = scene->more_targets[i - 1];
        struct raster_surface *view = &targets->color[i];

        if (!surface || !first->pixels)
            continue;
        if (!hal_surface_target(surface, view) || view->width < first->width || view->height < first->height ||
            view->samples != first->samples) {
            log_once(LOG_WARN, i, "render target %u does not go with target 0 and is left out", i);
            memset(view, 0, sizeof(*view));
        }
    }
}

/* The scene already draws to it: the surface's shape does not change without a flush. */
static bool is_drawn_to(const struct hal_scene *scene, const struct hal_surface *surface)
{
    return !surface || (surface->pending == scene && surface->pending_write && !surface->presents_to);
}

static bool targets_stay(const struct hal_scene *scene)
{
    if (!scene->bound.bound || !is_drawn_to(scene, scene->target) ||
        (scene->bound.depth_is_bound && !is_drawn_to(scene, scene->depth)))
        return false;
    for (unsigned i = 0; i < ARRAY_COUNT(scene->more_targets); i++)
        if (!is_drawn_to(scene, scene->more_targets[i]))
            return false;
    return true;
}

static void touch_targets(const struct hal_scene *scene)
{
    if (scene->target)
        hal_surface_touch(scene->target);
    if (scene->depth && scene->bound.depth_is_bound)
        hal_surface_touch(scene->depth);
    for (unsigned i = 0; i < ARRAY_COUNT(scene->more_targets); i++)
        if (scene->more_targets[i])
            hal_surface_touch(scene->more_targets[i]);
}

static bool is_smaller(const struct hal_surface *depth, const struct hal_surface *target)
{
    return depth && target && (depth->width < target->width || depth->height < target->height);
}

/* Binds all targets. depth_is_used: also the depth buffer if it is smaller than target 0. */
static bool bind_targets(struct hal_scene *scene, bool depth_is_used)
{
    struct hal_bound_targets *u = &scene->bound;
    struct raster_targets targets;

    memset(&targets, 0, sizeof(targets));
    u->bound = false;
    u->depth_is_smaller = is_smaller(scene->depth, scene->target);
    u->depth_is_bound = !u->depth_is_smaller || depth_is_used;
    if (scene->target && !hal_surface_target(scene->target, &targets.color[0]))
        log_once(LOG_WARN, scene->target->d3d_format, "render target of format %u cannot be drawn to",
                 scene->target->d3d_format);
    if (scene->depth && u->depth_is_bound && !hal_surface_target(scene->depth, &targets.depth))
        log_once(LOG_WARN, scene->depth->d3d_format, "depth buffer of format %u cannot be used",
                 scene->depth->d3d_format);
    if (!targets.color[0].pixels && !targets.depth.pixels)
        return false;
    if (targets.color[0].pixels && !hal_surface_has_pixels(scene->target))
        fit_to_others(scene, &targets);
    view_more_targets(scene, &targets);
    if (!raster_set_targets(scene->raster, &targets)) {
        hal_work_lacks_memory(&scene->work, "bins of a target");
        return false;
    }
    if (targets.color[0].pixels) {
        hal_scene_add(scene, scene->target, true);
        hal_surface_touch(scene->target);
    }
    if (targets.depth.pixels) {
        hal_scene_add(scene, scene->depth, true);
        hal_surface_touch(scene->depth);
    }
    for (unsigned i = 1; i < RASTER_MAX_TARGETS; i++)
        if (targets.color[i].pixels) {
            hal_scene_add(scene, scene->more_targets[i - 1], true);
            hal_surface_touch(scene->more_targets[i - 1]);
        }
    u->bound = true;
    return true;
}

static bool looks_at_depth(const struct hal_state *state)
{
    return state->render_state[D3DRS_ZENABLE] || state->render_state[D3DRS_STENCILENABLE] ||
           state->extension[HAL_EXTENSION_DEPTH_BOUNDS];
}

bool hal_targets_bind(struct hal_scene *scene, const struct hal_state *state)
{
    const struct hal_bound_targets *u = &scene->bound;

    if (!targets_stay(scene) || (u->depth_is_smaller && u->depth_is_bound != looks_at_depth(state)))
        return bind_targets(scene, looks_at_depth(state));
    touch_targets(scene);
    return true;
}

bool hal_targets_bind_whole(struct hal_scene *scene)
{
    if (!targets_stay(scene) || !scene->bound.depth_is_bound)
        return bind_targets(scene, true);
    touch_targets(scene);
    return true;
}

bool hal_target_bind_alone(struct hal_scene *scene, struct hal_surface *surface)
{
    struct raster_targets targets;

    memset(&targets, 0, sizeof(targets));
    scene->bound.bound = false;
    if (!hal_surface_target(surface, surface->base.kind & HAL_SURFACE_DEPTH ? &targets.depth : &targets.color[0]))
        return false;
    if (!raster_set_targets(scene->raster, &targets)) {
        hal_work_lacks_memory(&scene->work, "bins of a target");
        return false;
    }
    hal_scene_add(scene, surface, true);
    hal_surface_touch(surface);
    return true;
}
