/* SPDX-License-Identifier: MIT */
/* Where a scene that grows ends: once it is too large, or for tests at places that follow from a seed. */
#include "raster/frontend.h"

static uint32_t next_random(struct raster *raster)
{
    raster->split_seed = raster->split_seed * 1664525u + 1013904223u;
    raster->split_seed += !raster->split_seed;
    return raster->split_seed >> 8;
}

/* The scene at hand may grow by a number of bytes whose magnitude is random: a primitive or hundreds of them. */
static void choose_split(struct raster *raster)
{
    const uint32_t magnitude = 7 + next_random(raster) % 11;

    raster->flush_bytes = raster->scene.bytes + next_random(raster) % (1u << magnitude);
}

void raster_split_scenes(struct raster *raster, uint32_t seed)
{
    raster->split_seed = seed;
    raster->flush_bytes = SCENE_FLUSH_BYTES;
    if (seed)
        choose_split(raster);
}

/* Ends the scene in one of the ways in which a scene may end, or gives it to the other threads if they want one. */
static void split_scene(struct raster *raster)
{
    const uint32_t choice = next_random(raster) % 4;

    if (choice < 2) {
        raster_draw_scenes(raster, choice);
    } else {
        if (choice == 2)
            raster_wait(raster);
        raster_start_drawing(raster);
    }
    choose_split(raster);
}

void raster_leave_scene(struct raster *raster)
{
    if (raster->split_seed)
        split_scene(raster);
    else
        raster_draw_scenes(raster, false);
}
