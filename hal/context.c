/* SPDX-License-Identifier: MIT */
/* Contexts: creation with the states of docs/reference/device-state.md, sections 15 and 16, and destruction. */
#include "hal/context.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/math.h"
#include "hal/pixel/validate.h"
#include "hal/renderer.h"
#include "hal/resource/surface.h"
#include "hal/resource/targets.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/constants.h"
#include "hal/state/dirty.h"
#include "hal/state/extension.h"
#include "hal/state/shaders.h"
#include "hal/state/stateset.h"
#include "hal/state/values.h"
#include "hal/vertex/draw.h"
#include "hal/work.h"
#include "raster/raster.h"

#include <stdlib.h>

#include "d3d/states.h"

/* --- default states ----------------------------------------------------------------- */

struct default_state {
    uint16_t state;
    uint32_t value;
};

static const struct default_state render_defaults[] = {
#define RENDER_STATE(number, name, level, value, ...) {number, value},
#include "d3d/states.def"
};

static const struct default_state stage_defaults[] = {
#define STAGE_STATE(number, name, level, value, ...) {number, value},
#include "d3d/states.def"
};

static void set_default_states(struct hal_context *context)
{
    for (unsigned i = 0; i < ARRAY_COUNT(render_defaults); i++)
        context->state.render_state[render_defaults[i].state] = render_defaults[i].value;
    context->state.render_state[D3DRS_ZENABLE] = context->scene.depth != NULL;
    for (unsigned stage = 0; stage < HAL_STAGE_ROWS; stage++) {
        uint32_t *state = context->state.stage_state[stage];

        for (unsigned i = 0; i < ARRAY_COUNT(stage_defaults); i++)
            state[stage_defaults[i].state] = stage_defaults[i].value;
        state[D3DTSS_TEXCOORDINDEX] = stage;
        /* Since DirectX 8, 0 means no mip filter; it was 1 before. */
        state[D3DTSS_MIPFILTER] = context->state.level <= DDI_LEVEL_DX7 ? 1 : D3DTEXF_NONE;
    }
    context->state.stage_state[0][D3DTSS_COLOROP] = D3DTOP_MODULATE;
    context->state.stage_state[0][D3DTSS_ALPHAOP] = D3DTOP_SELECTARG1;
}

static void set_default_transforms(struct hal_context *context)
{
    for (unsigned i = 0; i < HAL_MAX_WORLD_MATRICES; i++)
        hal_matrix_identity(&context->state.world[i]);
    hal_matrix_identity(&context->state.view);
    hal_matrix_identity(&context->state.projection);
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++)
        hal_matrix_identity(&context->state.texture[i]);
}

static void set_default_viewport(struct hal_context *context)
{
    context->state.viewport = (struct hal_viewport){
        .width = context->scene.target ? context->scene.target->width : 0,
        .height = context->scene.target ? context->scene.target->height : 0,
        .max_z = 1.0f,
    };
    context->state.w_far = 1.0f;
    context->state.scissor =
        (struct hal_rect){0, 0, (int)context->state.viewport.width, (int)context->state.viewport.height};
    for (unsigned i = 0; i < HAL_MAX_STREAMS; i++)
        context->state.stream_frequency[i] = 1;
}

/* --- life --------------------------------------------------------------------------- */

HRESULT hal_context_create(struct hal_driver *driver, const void *dd_local, struct hal_surface *target,
                           struct hal_surface *depth, uint32_t level, uint32_t process, uint32_t *handle)
{
    const HRESULT checked = hal_targets_check(target, depth);
    struct hal_context *context;

    if (FAILED(checked))
        return checked;
    context = mem_calloc(1, sizeof(*context));
    if (!context) {
        log_error("context: out of memory");
        return DDERR_OUTOFMEMORY;
    }
    context->driver = driver;
    context->next = driver->contexts;
    driver->contexts = context;
    context->dd_local = dd_local;
    context->state.level = level;
    context->process = process;
    context->state.dirty = HAL_DIRTY_ALL;
    context->scene.driver = driver;
    context->renderer = (struct hal_renderer){
        .state = &context->state, .resources = &context->resources, .scene = &context->scene, .owner = context};
    hal_targets_set(&context->scene, target, depth);
    if (!hal_scene_create(&context->scene, driver) ||
        !hal_resources_create(&context->resources, hal_driver_handles(driver, dd_local), &context->scene.work) ||
        !context->resources.handles || !hal_renderer_create(&context->renderer) ||
        !hal_constants_create(&context->state.vertex_constants, HAL_VERTEX_CONSTANTS) ||
        !hal_constants_create(&context->state.pixel_constants, HAL_PIXEL_CONSTANTS)) {
        log_error("context: out of memory");
        hal_context_destroy(context);
        return DDERR_OUTOFMEMORY;
    }
    hal_extension_init(&context->state);
    set_default_states(context);
    set_default_transforms(context);
    set_default_viewport(context);
    context->handle = context->scene.context = driver->next_context++;
    if (driver->next_context == 0)
        driver->next_context = 1;
    *handle = context->handle;
    return DD_OK;
}

HRESULT hal_context_set_target(struct hal_context *context, struct hal_surface *target, struct hal_surface *depth)
{
    const HRESULT checked = hal_targets_check(target, depth);

    if (SUCCEEDED(checked))
        hal_targets_set(&context->scene, target, depth);
    return checked;
}

HRESULT hal_context_validate_stages(struct hal_context *context, uint32_t *passes)
{
    return hal_validate_stages(&context->state, &context->resources, &context->scene, passes);
}

HRESULT hal_context_process_vertices(struct hal_context *context, const struct hal_process *call)
{
    return hal_vertices_process(hal_context_renderer(context), call);
}

uint32_t hal_context_level(const struct hal_context *context)
{
    return context->state.level;
}

struct hal_context *hal_context_find(struct hal_driver *driver, uint32_t handle)
{
    struct hal_context *context = driver->contexts;

    while (context && (handle == 0 || context->handle != handle))
        context = context->next;
    return context;
}

void hal_context_destroy(struct hal_context *context)
{
    struct hal_context **link = &context->driver->contexts;

    while (*link && *link != context)
        link = &(*link)->next;
    if (*link)
        *link = context->next;
    if (context->scene.raster)
        hal_scene_flush(&context->scene, HAL_FLUSH_END);
    log_info("context %u: its calls cost %.3f s of one core, the costliest of them %.3f s", (unsigned)context->handle,
             hal_work_seconds(context->scene.work.done), hal_work_seconds(context->scene.work.costliest));
    hal_renderer_destroy(&context->renderer);
    hal_resources_destroy(&context->resources);
    hal_constants_destroy(&context->state.vertex_constants);
    hal_constants_destroy(&context->state.pixel_constants);
    hal_scene_destroy(&context->scene);
    free(context);
}

void hal_contexts_destroy_process(struct hal_driver *driver, uint32_t process)
{
    struct hal_context *context = driver->contexts;

    while (context) {
        struct hal_context *next = context->next;

        if (context->process == process)
            hal_context_destroy(context);
        context = next;
    }
}

void hal_context_work(const struct hal_context *context, ULONGLONG *pixels, ULONGLONG *busy)
{
    struct raster_statistics statistics;

    raster_get_statistics(context->scene.raster, &statistics);
    *pixels = statistics.fragments;
    *busy = (ULONGLONG)(statistics.busy * 1e9);
}
