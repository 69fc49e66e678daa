/* SPDX-License-Identifier: MIT */
/* The front end's memory: scratch for processed vertices, programs, bindings. */
#include "hal/vertex/front_end.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd4.h"
#include "hal/context.h"
#include "hal/state/dirty.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex_shader.h"
#include "hal/work.h"

bool hal_front_create(struct hal_context *context)
{
    struct hal_front *front = mem_alloc_aligned(sizeof(*front));

    context->front = front;
    if (!front)
        return false;
    front->dirty = HAL_DIRTY_ALL;
    front->batch.scratch = front->scratch;
    hal_vertex_stage_init(context);
    return true;
}

void hal_front_destroy(struct hal_context *context)
{
    struct hal_front *front = context->front;

    if (front) {
        hal_vertex_shader_free(&front->vertex_shader);
        tnl_cache_clear(&front->tnl_cache);
        prim_scratch_free(front);
    }
    mem_free_aligned(context->vertices);
    mem_free_aligned(context->projected);
    mem_free_aligned(context->snapped);
    mem_free_aligned(front);
    context->front = NULL;
}
