/* SPDX-License-Identifier: MIT */
/* The life of a renderer, and which of its two sides has to derive what again. */
#include "hal/renderer.h"

#include "hal/pixel/pipeline.h"
#include "hal/state/dirty.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/stage.h"

bool hal_renderer_create(struct hal_renderer *renderer)
{
    renderer->front = hal_front_create();
    if (renderer->front)
        hal_vertex_stage_init(renderer);
    return renderer->front != NULL;
}

void hal_renderer_destroy(struct hal_renderer *renderer)
{
    hal_pipeline_destroy(renderer);
    hal_front_destroy(renderer->front);
    renderer->front = NULL;
}

void hal_renderer_note(struct hal_renderer *renderer, uint32_t dirty)
{
    renderer->dirty |= dirty;
    renderer->front->dirty |= dirty & (HAL_DIRTY_VERTEX | HAL_DIRTY_VERTEX_CONSTANTS);
}

void hal_renderer_forget(struct hal_renderer *renderer)
{
    renderer->dirty |= HAL_DIRTY_ALL;
    renderer->front->dirty |= HAL_DIRTY_ALL;
}
