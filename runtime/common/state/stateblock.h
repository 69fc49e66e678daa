/* SPDX-License-Identifier: MIT */
/* State blocks: a copy of some of the device's state. Recorded ones start empty and take what is
 * set; predefined ones (all, vertex, pixel) are captured when made. Applied by the runtime, through
 * the ordinary setters. Pure devices have theirs with the driver (pure_block.h). */
#ifndef HALCYON_RUNTIME_STATEBLOCK_H
#define HALCYON_RUNTIME_STATEBLOCK_H

#include "runtime/common/state/state.h"

enum rt_block_type { RT_BLOCK_RECORDED, RT_BLOCK_ALL, RT_BLOCK_VERTEX, RT_BLOCK_PIXEL };

struct rt_block {
    struct rt_state state;
    struct rt_state_mask mask;
};

/* NULL: out of memory. Predefined ones are captured from `state`, and hold what the API of its version has in them. */
struct rt_block *rt_block_create(enum rt_block_type type, const struct rt_state *state);
void rt_block_destroy(struct rt_block *block);
/* As the original does it, offsets of streams stay what they were when the block was made. */
bool rt_block_capture(struct rt_block *block, const struct rt_state *state);
/* As the original does it, a block that holds no declaration leaves the device's. */
bool rt_block_apply(const struct rt_block *block, struct rt_pipe *pipe);
/* For a pure device: the tokens of all that a recorded block holds but bindings and palette. Its lights must exist. */
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
