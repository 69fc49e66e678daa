/* SPDX-License-Identifier: MIT */
/* Limits of a raster: the budget, the prices of everything except primitives, and whether memory was short. */
#include "raster/frontend.h"

/* --- prices --------------------------------------------------------------------------------- */

/* Picoseconds per stored sample, in addition to the cost of the first target with 8 bits a channel. */
#define WIDE_PRICE  3000
#define MORE_PRICE  700
#define CLEAR_PRICE 100   /* per cleared sample */
#define TILE_PRICE  20000 /* per tile of a drawn scene */

uint32_t raster_target_price(const struct raster_targets *targets)
{
    uint32_t price = 0;

    for (unsigned i = 0; i < RASTER_MAX_TARGETS; i++) {
        if (!targets->color[i].pixels)
            continue;
        price += raster_format_is_wide(targets->color[i].format) ? WIDE_PRICE : 0;
        price += i ? MORE_PRICE : 0;
    }
    return price;
}

/* --- the budget ------------------------------------------------------------------------------ */

void raster_set_budget(struct raster *raster, uint64_t units)
{
    raster->budget = units;
}

uint64_t raster_get_budget(const struct raster *raster)
{
    return raster->budget;
}

bool raster_spend(struct raster *raster, uint64_t units)
{
    if (raster->budget <= units) {
        raster->budget = 0;
        raster->scene_state = NULL; /* the next primitives ask again, and are refused */
        return false;
    }
    raster->budget -= units;
    return true;
}

bool raster_spend_clear(struct raster *raster, uint64_t samples)
{
    return raster_spend(raster, samples * CLEAR_PRICE);
}

void raster_spend_flush(struct raster *raster)
{
    const bool paid = raster->scene.life == SCENE_COPIED && scene_sole_clear(&raster->scene);

    if (raster->scene.life == SCENE_COPIED)
        raster->scene.life = SCENE_CLEARED;
    if (raster_has_targets(raster) && !paid)
        raster_spend(raster, (uint64_t)raster->scene.tiles_x * raster->scene.tiles_y * TILE_PRICE);
}

/* --- memory ---------------------------------------------------------------------------------- */

static bool was_out_of_memory(const struct raster *raster)
{
    bool was = raster->scene.out_of_memory;

    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        was |= raster->queue[i].scene.out_of_memory;
    return was;
}

bool raster_take_out_of_memory(struct raster *raster)
{
    const bool was = was_out_of_memory(raster);

    raster->scene.out_of_memory = false;
    for (unsigned i = 0; i < TASKS_QUEUE; i++)
        raster->queue[i].scene.out_of_memory = false;
    return was;
}

bool raster_is_short(const struct raster *raster)
{
    return !raster->budget || was_out_of_memory(raster);
}
