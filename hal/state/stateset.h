/* SPDX-License-Identifier: MIT */
/* State blocks: recorded pieces of command stream under handles (stateset.c). */
#ifndef HALCYON_HAL_STATE_STATESET_H
#define HALCYON_HAL_STATE_STATESET_H

#include "hal/map.h"

#include <stdbool.h>
#include <stddef.h>

struct hal_context;
struct dp2_command;
struct hal_state_block;

#define HAL_MAX_STATE_BLOCKS 4096
/* Bytes of all recorded state blocks of a context. */
#define HAL_MAX_STATE_BLOCK_BYTES (32u << 20)

struct hal_state_blocks {
    struct hal_map map;                /* hal_state_block */
    size_t bytes;                      /* of all of them */
    struct hal_state_block *recording; /* between STATESET BEGIN and END */
    bool executing;                    /* STATESET EXECUTE is under way */
};

/* For a new context. */
void hal_state_blocks_init(struct hal_state_blocks *blocks);
void hal_state_blocks_destroy(struct hal_state_blocks *blocks);
/* While a block is recorded: keeps the command if a block can hold it. */
bool hal_state_block_record(struct hal_context *context, const struct dp2_command *command);

#endif
