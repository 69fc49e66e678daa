/* SPDX-License-Identifier: MIT */
/* State blocks: recorded pieces of command stream, by handle (stateset.c). */
#ifndef HALCYON_HAL_STATE_STATESET_H
#define HALCYON_HAL_STATE_STATESET_H

#include "d3d/ddi.h"
#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_resources;
struct hal_state;
struct dp2_command;
struct dp2_cursor;
struct hal_state_block;

#define HAL_MAX_STATE_BLOCKS 4096
/* Bytes of all recorded state blocks of a context. */
#define HAL_MAX_STATE_BLOCK_BYTES (32u << 20)

struct hal_state_blocks {
    struct base_map map;               /* hal_state_block */
    size_t bytes;                      /* of all of them */
    struct hal_state_block *recording; /* between STATESET BEGIN and END */
    bool executing;                    /* STATESET EXECUTE is being executed */
};

/* For a new context. */
void hal_state_blocks_init(struct hal_state_blocks *blocks);
void hal_state_blocks_destroy(struct hal_state_blocks *blocks);
/* Records the command, if state blocks store it, in the current block. */
bool hal_state_block_record(struct hal_resources *resources, const struct dp2_command *command);
/* Sets a cursor to the commands of a block; *bytes: their size. They contain no STATESET. False: the block does not
 * exist. */
bool hal_state_block_commands(const struct hal_resources *resources, uint32_t handle, struct dp2_cursor *cursor,
                              size_t *bytes);
/* Every D3DHAL_STATESET* except for EXECUTE, which hal/execute.c does. DD_OK or E_OUTOFMEMORY. */
HRESULT hal_state_block_operate(struct hal_state *state, struct hal_resources *resources, uint32_t operation,
                                uint32_t handle, uint32_t type);

#endif
