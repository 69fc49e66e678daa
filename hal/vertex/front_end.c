/* SPDX-License-Identifier: MIT */
/* The front end's memory: scratch for processed vertices, programs, bindings. */
#include "hal/vertex/front_end.h"

#include "base/base.h"
#include "hal/state/dirty.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex_shader.h"

struct hal_front *hal_front_create(void)
{
    struct hal_front *front = mem_alloc_aligned(sizeof(*front));

    if (!front)
        return NULL;
    front->dirty = HAL_DIRTY_ALL;
    front->batch.scratch = front->scratch;
    return front;
}

void hal_front_destroy(struct hal_front *front)
{
    if (!front)
        return;
    hal_vertex_shader_free(&front->vertex_shader);
    tnl_cache_clear(&front->tnl_cache);
    prim_scratch_free(front);
    mem_free_aligned(front->vertices);
    mem_free_aligned(front->projected);
    mem_free_aligned(front->snapped);
    mem_free_aligned(front);
}
