/* SPDX-License-Identifier: MIT */
/*
 * A context: state, resources, scene and renderer, and the current call. It is for handlers of tokens and for the files on
 * top of them; all others take the parts that they need (tests/check-includes).
 */
#ifndef HALCYON_HAL_CONTEXT_H
#define HALCYON_HAL_CONTEXT_H

#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_execute;

struct hal_context {
    struct hal_driver *driver;
    struct hal_context *next; /* in the driver's list */
    const void *dd_local;
    uint32_t handle, process;

    struct hal_state state;         /* what the stream has set */
    struct hal_resources resources; /* what it has created, or names by handle */
    struct hal_scene scene;         /* what has been given to the rasterizer */
    struct hal_renderer renderer;   /* draws from state and resources into the scene */

    struct hal_texturing texturing;
    const struct hal_execute *execute; /* the current call; NULL: none */
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
