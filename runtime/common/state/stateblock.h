/* SPDX-License-Identifier: MIT */
/* State blocks: a copy of some of the device's state. Recorded blocks start empty and collect values as they are
 * set; predefined blocks (all, vertex, pixel) are captured when made. The runtime applies blocks through the
 * ordinary setters. On pure devices the driver keeps them (pure_block.h). */
#ifndef HALCYON_RUNTIME_STATEBLOCK_H
#define HALCYON_RUNTIME_STATEBLOCK_H

#include "runtime/common/state/state.h"

enum rt_block_type { RT_BLOCK_RECORDED, RT_BLOCK_ALL, RT_BLOCK_VERTEX, RT_BLOCK_PIXEL };

struct rt_block {
    struct rt_state state;
    struct rt_state_mask mask;
};

/* NULL: out of memory. Predefined blocks are captured from `state`, and hold the states that its rules put into
 * them. */
struct rt_block *rt_block_create(enum rt_block_type type, const struct rt_state *state);
void rt_block_destroy(struct rt_block *block);
/* Like the original, keeps the stream offsets of the time the block was made. */
bool rt_block_capture(struct rt_block *block, const struct rt_state *state);
/* Like the original, a block without a declaration leaves the device's declaration bound. */
bool rt_block_apply(const struct rt_block *block, struct rt_pipe *pipe);
/* For a pure device: sends the tokens of everything that a recorded block holds, except for bindings and the palette.
 * Its lights must exist. */
void rt_block_send(const struct rt_block *block, struct rt_pipe *pipe);

static inline void rt_mask_set(uint32_t *mask, unsigned bit)
{
    mask[bit / 32] |= 1u << bit % 32;
}
static inline bool rt_mask_test(const uint32_t *mask, unsigned bit)
{
    return mask[bit / 32] >> bit % 32 & 1;
}

#endif
