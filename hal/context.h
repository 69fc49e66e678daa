/* SPDX-License-Identifier: MIT */
/* A context: all state that the stream sets, the values derived from it, and the current call. */
#ifndef HALCYON_HAL_CONTEXT_H
#define HALCYON_HAL_CONTEXT_H

#include "hal/math.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/statistics.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_execute;

struct hal_context {
    struct hal_driver *driver;
    struct hal_context *next;
    const void *dd_local;
    uint32_t handle, process;

    struct hal_state state;
    struct hal_resources resources;
    struct hal_texturing texturing;

    struct hal_scene scene;
    struct hal_renderer renderer;

    /* the current call */
    const struct hal_execute *execute;
};

/* The renderer, for a draw: it takes over the marks of what has changed since the last one. */
static inline struct hal_renderer *hal_context_renderer(struct hal_context *context)
{
    const uint32_t dirty = context->state.dirty | context->scene.dirty;

    if (dirty) {
        context->state.dirty = context->scene.dirty = 0;
        hal_renderer_note(&context->renderer, dirty);
    }
    return &context->renderer;
}

#endif
