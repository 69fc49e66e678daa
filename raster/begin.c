/* SPDX-License-Identifier: MIT */
/* Steps before each primitive: makes room in the scene, copies the state there, and derives values from the state and
 * the targets. */
#include "raster/frontend.h"

#include "base/bytes.h"

#include <string.h>

void raster_set_state(struct raster *raster, const struct raster_draw_state *state)
{
    if (raster->scene_state && base_equal(&raster->state, state, sizeof(*state)))
        return;
    raster->state = *state;
    raster->scene_state = NULL;
}

static const struct raster_draw_state *copy_state(struct scene *scene, const struct raster_draw_state *state)
{
    const bool whole = scene_has_whole_state(state);
    struct raster_draw_state *copy = scene_alloc(scene, whole ? SCENE_WHOLE_STATE_BYTES : SCENE_STATE_BYTES);

    if (copy && whole)
        memcpy(copy, state, SCENE_WHOLE_STATE_BYTES);
    else if (copy)
        memcpy(copy, state, SCENE_STATE_BYTES);
    return copy;
}

/* The set of recent states in which a state is searched: chosen by its binding and its blending. */
static struct raster_recent_state *recent_states(struct raster *raster, const struct raster_draw_state *state)
{
    uint64_t hash;

    memcpy(&hash, &state->blend, sizeof(hash));
    hash = (hash + (uintptr_t)state->program) * UINT64_C(0x9e3779b97f4a7c15);
    return raster->recent[hash >> (64 - RASTER_RECENT_BITS)];
}

/* The state's copy in the scene. Draws that alternate between states share copies, so workers read each copy once. */
static const struct raster_draw_state *scene_state(struct raster *raster)
{
    const struct raster_draw_state *state = &raster->state;
    struct raster_recent_state *recent = recent_states(raster, state);

    for (unsigned i = 0; i < RASTER_RECENT_WAYS && recent[i].state; i++)
        if (recent[i].program == state->program && base_equal(recent[i].state, state, SCENE_STATE_BYTES) &&
            !scene_has_whole_state(state))
            return recent[i].state;
    memmove(&recent[1], &recent[0], (RASTER_RECENT_WAYS - 1) * sizeof(*recent));
    recent[0] = (struct raster_recent_state){state->program, copy_state(&raster->scene, state)};
    return recent[0].state;
}

const struct raster_draw_state *raster_begin_primitive(struct raster *raster)
{
    raster_make_room(raster);
    if (raster->scene_state)
        return raster->scene_state;
    if (!raster_has_targets(raster) || !raster->budget)
        return NULL;
    raster->clip = raster_intersect(raster->state.viewport, raster->bounds);
    if (raster->state.rasterizer.scissor)
        raster->clip = raster_intersect(raster->clip, raster->state.scissor);
    if (raster->clip.left >= raster->clip.right || raster->clip.top >= raster->clip.bottom)
        return NULL;
    raster->scene_state = scene_state(raster);
    raster->price =
        raster->state.cost + raster->scene.samples * (uint64_t)(raster->state.sample_cost + raster->target_price);
    raster->price = BASE_MAX(raster->price, 1u);
    return raster->scene_state;
}
