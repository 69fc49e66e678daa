/* SPDX-License-Identifier: MIT */
/*
 * The renderer of a context: a draw is a function of state and resources, and goes into a scene. The state is constant
 * while it draws. What the renderer holds beyond these three is derived from them, so it can be thrown away at any time
 * (hal_renderer_forget): it is kept because most draws change little of it.
 *
 * Who changes state marks the groups that changed (hal_state.dirty), and who changes surfaces those whose derived values
 * are stale (hal_scene.dirty). The renderer takes these marks over in one place, hal_context_renderer (hal/context.h),
 * before each drawing token, and clears its own when it has derived the values again.
 */
#ifndef HALCYON_HAL_RENDERER_H
#define HALCYON_HAL_RENDERER_H

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct hal_front;
struct hal_pipeline;
struct hal_resources;
struct hal_scene;
struct hal_state;

struct hal_renderer {
    const struct hal_state *state;
    struct hal_resources *resources;
    struct hal_scene *scene;
    struct hal_context *owner; /* for the observer alone (hal/observer.h), which is told whose draws it sees */

    uint32_t dirty;                /* enum hal_dirty: changes since the pixel side was derived */
    struct hal_pipeline *pipeline; /* the pixel side (hal/pixel/pipeline.c); NULL until something is drawn */
    struct hal_front *front;       /* the vertex side (hal/vertex/front_end.h), with changes of its own */
};

/* For a new context; the four pointers are set, and outlive the renderer. False: out of memory. */
bool hal_renderer_create(struct hal_renderer *renderer);
/* Call it after the last scene has been drawn, and before the resources are destroyed. */
void hal_renderer_destroy(struct hal_renderer *renderer);
/* Groups of state (enum hal_dirty) have changed since the last draw. */
void hal_renderer_note(struct hal_renderer *renderer, uint32_t dirty);
/* Derives everything again at the next draw. */
void hal_renderer_forget(struct hal_renderer *renderer);

#endif
