/* SPDX-License-Identifier: MIT */
/* Decides where a growing scene ends: once it is too large or, for tests, at pseudo-random places. */
#include "raster/frontend.h"

static uint32_t next_random(struct raster *raster)
{
    raster->split_seed = raster->split_seed * 1664525u + 1013904223u;
    raster->split_seed += !raster->split_seed;
    return raster->split_seed >> 8;
}

/* Lets the current scene grow by a number of bytes of random magnitude: one primitive or hundreds. */
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

/* Ends the scene in one of the possible ways, or gives it to the other threads if they want one. */
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
