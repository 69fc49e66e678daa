/* SPDX-License-Identifier: MIT */
/* Targets as surfaces, and bound to the rasterizer. The scene uses the bound ones (hal/scene.h). */
#include "hal/resource/targets.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/context.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
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

HRESULT hal_context_set_target(struct hal_context *context, struct hal_surface *target, struct hal_surface *depth)
{
    const HRESULT checked = hal_targets_check(target, depth);

    if (SUCCEEDED(checked)) {
        context->target = target;
        context->depth = depth;
        context->state.dirty |= HAL_DIRTY_TARGET;
    }
    return checked;
}

/* --- for the rasterizer ------------------------------------------------------------------------- */

/* A target without pixels has no bounds: it takes the size of the smallest of the others (Wine's test_null_format), or
 * its own size if it is alone. */
static void fit_to_others(const struct hal_context *context, struct raster_targets *targets)
{
    struct raster_surface *first = &targets->color[0];
    unsigned width = targets->depth.width, height = targets->depth.height; /* 0: no depth buffer is bound */

    for (unsigned i = 0; i < ARRAY_COUNT(context->more_targets); i++) {
        const struct hal_surface *s = context->more_targets[i];

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
static void view_more_targets(struct hal_context *context, struct raster_targets *targets)
{
    const struct raster_surface *first = &targets->color[0];

    for (unsigned i = 1; i < RASTER_MAX_TARGETS; i++) {
        struct hal_surface *surface = context->more_targets[i - 1];
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
static bool is_drawn_to(const struct hal_context *context, const struct hal_surface *surface)
{
    return !surface || (surface->pending == context && surface->pending_write && !surface->presents_to);
}

static bool targets_stay(const struct hal_context *context)
{
    if (!context->bound.bound || context->state.dirty & HAL_DIRTY_TARGET || !is_drawn_to(context, context->target) ||
        (context->bound.depth_is_bound && !is_drawn_to(context, context->depth)))
        return false;
    for (unsigned i = 0; i < ARRAY_COUNT(context->more_targets); i++)
        if (!is_drawn_to(context, context->more_targets[i]))
            return false;
    return true;
}

static void touch_targets(const struct hal_context *context)
{
    if (context->target)
        hal_surface_touch(context->target);
    if (context->depth && context->bound.depth_is_bound)
        hal_surface_touch(context->depth);
    for (unsigned i = 0; i < ARRAY_COUNT(context->more_targets); i++)
        if (context->more_targets[i])
            hal_surface_touch(context->more_targets[i]);
}

static bool is_smaller(const struct hal_surface *depth, const struct hal_surface *target)
{
    return depth && target && (depth->width < target->width || depth->height < target->height);
}

/* Binds all targets. depth_is_used: also the depth buffer if it is smaller than target 0. */
static bool bind_targets(struct hal_context *context, bool depth_is_used)
{
    struct hal_bound_targets *u = &context->bound;
    struct raster_targets targets;

    memset(&targets, 0, sizeof(targets));
    u->bound = false;
    u->depth_is_smaller = is_smaller(context->depth, context->target);
    u->depth_is_bound = !u->depth_is_smaller || depth_is_used;
    if (context->target && !hal_surface_target(context->target, &targets.color[0]))
        log_once(LOG_WARN, context->target->d3d_format, "render target of format %u cannot be drawn to",
                 context->target->d3d_format);
    if (context->depth && u->depth_is_bound && !hal_surface_target(context->depth, &targets.depth))
        log_once(LOG_WARN, context->depth->d3d_format, "depth buffer of format %u cannot be used",
                 context->depth->d3d_format);
    if (!targets.color[0].pixels && !targets.depth.pixels)
        return false;
    if (targets.color[0].pixels && !hal_surface_has_pixels(context->target))
        fit_to_others(context, &targets);
    view_more_targets(context, &targets);
    if (!raster_set_targets(context->raster, &targets)) {
        hal_work_lacks_memory(context, "bins of a target");
        return false;
    }
    if (targets.color[0].pixels) {
        hal_scene_add(context, context->target, true);
        hal_surface_touch(context->target);
    }
    if (targets.depth.pixels) {
        hal_scene_add(context, context->depth, true);
        hal_surface_touch(context->depth);
    }
    for (unsigned i = 1; i < RASTER_MAX_TARGETS; i++)
        if (targets.color[i].pixels) {
            hal_scene_add(context, context->more_targets[i - 1], true);
            hal_surface_touch(context->more_targets[i - 1]);
        }
    u->bound = true;
    return true;
}

static bool looks_at_depth(const struct hal_state *state)
{
    return state->render_state[D3DRS_ZENABLE] || state->render_state[D3DRS_STENCILENABLE] ||
           state->extension[HAL_EXTENSION_DEPTH_BOUNDS];
}

bool hal_targets_bind(struct hal_context *context)
{
    const struct hal_bound_targets *u = &context->bound;

    if (!targets_stay(context) || (u->depth_is_smaller && u->depth_is_bound != looks_at_depth(&context->state)))
        return bind_targets(context, looks_at_depth(&context->state));
    touch_targets(context);
    return true;
}

bool hal_targets_bind_whole(struct hal_context *context)
{
    if (!targets_stay(context) || !context->bound.depth_is_bound)
        return bind_targets(context, true);
    touch_targets(context);
    return true;
}

bool hal_target_bind_alone(struct hal_context *context, struct hal_surface *surface)
{
    struct raster_targets targets;

    memset(&targets, 0, sizeof(targets));
    context->bound.bound = false;
    if (!hal_surface_target(surface, surface->base.kind & HAL_SURFACE_DEPTH ? &targets.depth : &targets.color[0]))
        return false;
    if (!raster_set_targets(context->raster, &targets)) {
        hal_work_lacks_memory(context, "bins of a target");
        return false;
    }
    hal_scene_add(context, surface, true);
    hal_surface_touch(surface);
    return true;
}
