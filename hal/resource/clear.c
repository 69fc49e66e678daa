/* SPDX-License-Identifier: MIT */
/*
 * Clears. Each surface is cleared over the viewport and its own size, regardless of the others' sizes (Wine's
 * test_clear_different_size_surfaces). The rasterizer's targets share the size of the smallest one, so surfaces are
 * cleared together if the result is the same, which is nearly always the case, and otherwise one at a time.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/states.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "hal/hal.h"
#include "hal/resource/targets.h"
#include "hal/resource/surface.h"
#include "hal/tokens.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <limits.h>
#include <string.h>

struct clear {
    unsigned what; /* RASTER_CLEAR_* */
    uint32_t color;
    float depth;
    uint32_t stencil;
    struct raster_rect bounds; /* viewport or whole surfaces, and scissor */
    const uint8_t *rects;      /* RECTs, at any address; NULL: the bounds */
    unsigned rect_count;
};

/* --- areas ------------------------------------------------------------------------------------ */

static struct raster_rect viewport_rect(const struct hal_state *state)
{
    const struct hal_viewport *v = &state->viewport;
    const uint64_t limit = RASTER_MAX_SIZE;

    return (struct raster_rect){
        (int)BASE_MIN(v->x, limit),
        (int)BASE_MIN(v->y, limit),
        (int)BASE_MIN((uint64_t)v->x + v->width, limit),
        (int)BASE_MIN((uint64_t)v->y + v->height, limit),
    };
}

static struct raster_rect clear_intersect(struct raster_rect a, struct raster_rect b)
{
    return (struct raster_rect){BASE_MAX(a.left, b.left), BASE_MAX(a.top, b.top), BASE_MIN(a.right, b.right),
                                BASE_MIN(a.bottom, b.bottom)};
}

static struct raster_rect clear_bounds(const struct hal_state *state, uint32_t flags)
{
    struct raster_rect bounds = {0, 0, RASTER_MAX_SIZE, RASTER_MAX_SIZE};

    if (flags & D3DCLEAR_COMPUTERECTS)
        bounds = viewport_rect(state);

    if (state->render_state[D3D_RS_SCISSORTESTENABLE])
        bounds = clear_intersect(bounds, hal_raster_rect(&state->scissor));
    return bounds;
}

/* --- surfaces --------------------------------------------------------------------------------- */

static unsigned clear_what(const struct hal_context *context, uint32_t flags)
{
    unsigned what = 0;

    if (flags & D3DCLEAR_TARGET && context->scene.target)
        what |= RASTER_CLEAR_COLOR;
    if (flags & D3DCLEAR_ZBUFFER && context->scene.depth)
        what |= RASTER_CLEAR_DEPTH;
    if (flags & D3DCLEAR_STENCIL && context->scene.depth)
        what |= RASTER_CLEAR_STENCIL;
    if (what & RASTER_CLEAR_COLOR && context->state.render_state[D3D_RS_SRGBWRITEENABLE])
        what |= RASTER_CLEAR_SRGB;
    return what;
}

/* Bound surface i: targets 0..3, then the depth buffer. NULL: none, or one without pixels. */
static struct hal_surface *bound_surface(const struct hal_context *context, unsigned i)
{
    struct hal_surface *surface = context->scene.depth;

    if (i < RASTER_MAX_TARGETS)
        surface = i ? context->scene.more_targets[i - 1] : context->scene.target;
    return surface && hal_surface_has_pixels(surface) ? surface : NULL;
}

/* NULL: not cleared. */
static struct hal_surface *cleared_surface(const struct hal_context *context, unsigned what, unsigned i)
{
    const unsigned kinds =
        i < RASTER_MAX_TARGETS ? RASTER_CLEAR_COLOR : (unsigned)(RASTER_CLEAR_DEPTH | RASTER_CLEAR_STENCIL);

    return what & kinds ? bound_surface(context, i) : NULL;
}

/* Do the bounds cover the same part of the surface as of one of width x height? */
static bool reaches_as_far(const struct raster_rect *bounds, const struct hal_surface *surface, unsigned width,
                           unsigned height)
{
    return BASE_MIN(bounds->right, (int)surface->width) == BASE_MIN(bounds->right, (int)width) &&
           BASE_MIN(bounds->bottom, (int)surface->height) == BASE_MIN(bounds->bottom, (int)height);
}

/* Can a single clear of the bound targets clear all of them? The bound targets have the size of the smallest one, and
 * equal sample counts. */
static bool clears_together(const struct hal_context *context, const struct clear *clear)
{
    const struct hal_surface *first = context->scene.target ? context->scene.target : context->scene.depth;
    unsigned width = UINT_MAX, height = UINT_MAX;

    for (unsigned i = 0; i <= RASTER_MAX_TARGETS; i++) {
        const struct hal_surface *s = bound_surface(context, i);

        if (s) {
            width = BASE_MIN(width, s->width);
            height = BASE_MIN(height, s->height);
        }
    }
    for (unsigned i = 0; i <= RASTER_MAX_TARGETS; i++) {
        const struct hal_surface *s = cleared_surface(context, clear->what, i);

        if (s && (!reaches_as_far(&clear->bounds, s, width, height) ||
                  (i < RASTER_MAX_TARGETS && s->samples != first->samples)))
            return false;
    }
    return true;
}

/* --- clearing --------------------------------------------------------------------------------- */

/* The rasterizer clips to its targets. */
static void clear_rect(struct hal_context *context, const struct clear *clear, const struct raster_rect *rect)
{
    if (rect->left < rect->right && rect->top < rect->bottom)
        raster_clear(context->scene.raster, clear->what, rect, clear->color, clear->depth, clear->stencil);
}

static void clear_bound(struct hal_context *context, const struct clear *clear)
{
    if (!clear->rects)
        clear_rect(context, clear, &clear->bounds);
    for (unsigned i = 0; i < clear->rect_count; i++) {
        RECT r;

        memcpy(&r, clear->rects + i * sizeof(r), sizeof(r));
        const struct raster_rect rect =
            clear_intersect(clear->bounds, (struct raster_rect){r.left, r.top, r.right, r.bottom});

        clear_rect(context, clear, &rect);
    }
}

static void clear_surfaces(struct hal_context *context, const struct clear *clear)
{
    if (!clear->what)
        return;
    if (clears_together(context, clear)) {
        if (hal_targets_bind_whole(&context->scene))
            clear_bound(context, clear);
        return;
    }
    for (unsigned i = 0; i <= RASTER_MAX_TARGETS; i++) {
        struct hal_surface *surface = cleared_surface(context, clear->what, i);

        if (surface && hal_target_bind_alone(&context->scene, surface))
            clear_bound(context, clear);
    }
}

HRESULT hal_context_clear(struct hal_context *context, uint32_t flags, uint32_t color, float depth, uint32_t stencil,
                          const RECT *rects, unsigned rect_count)
{
    const struct clear clear = {
        .what = clear_what(context, flags),
        .color = color,
        .depth = depth,
        .stencil = stencil,
        .bounds = clear_bounds(&context->state, flags),
        .rects = (const uint8_t *)rects,
        .rect_count = rects ? rect_count : 0,
    };

    hal_work_begin(&context->scene.work);
    clear_surfaces(context, &clear);
    return hal_work_end(&context->scene.work, "Clear");
}

/* Without rectangles the stream still has one, which is ignored: clears the whole viewport if COMPUTERECTS is set,
 * otherwise each whole surface. */
void hal_token_clear(struct hal_context *context, const struct dp2_command *command)
{
    const uint8_t *p = command->body;
    const uint32_t flags = DP2_FIELD(p, D3DHAL_DP2CLEAR, dwFlags);
    const struct clear clear = {
        .what = clear_what(context, flags),
        .color = DP2_FIELD(p, D3DHAL_DP2CLEAR, dwFillColor),
        .depth = DP2_FLOAT_FIELD(p, D3DHAL_DP2CLEAR, dvFillDepth),
        .stencil = DP2_FIELD(p, D3DHAL_DP2CLEAR, dwFillStencil),
        .bounds = clear_bounds(&context->state, flags),
        .rects = command->count ? p + offsetof(D3DHAL_DP2CLEAR, Rects) : NULL,
        .rect_count = command->count,
    };

    clear_surfaces(context, &clear);
}
