/* SPDX-License-Identifier: MIT */
/* Pixels of an 8x8 block as 64 bits: in Morton order, as lanes lie, or row by row. */
#ifndef HALCYON_RASTER_BLOCK_MASK_H
#define HALCYON_RASTER_BLOCK_MASK_H

#include <stdint.h>

/* Swaps the bits in `moved` with the bits `shift` further up. */
static inline uint64_t block_mask_swap(uint64_t v, unsigned shift, uint64_t moved)
{
    const uint64_t t = (v >> shift ^ v) & moved;

    return v ^ t ^ t << shift;
}

/* Lanes in Morton order (x in bits 0, 2, 4 of a lane's number, y in bits 1, 3, 5) to rows (x in bits 0..2), and back:
 * the bits of the numbers change places two by two. */
static inline uint64_t block_mask_to_rows(uint64_t mask)
{
    mask = block_mask_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
    mask = block_mask_swap(mask, 12, UINT64_C(0x0000f0f00000f0f0));
    return block_mask_swap(mask, 8, UINT64_C(0x0000ff000000ff00));
}

static inline uint64_t block_mask_to_morton(uint64_t mask)
{
    mask = block_mask_swap(mask, 8, UINT64_C(0x0000ff000000ff00));
    mask = block_mask_swap(mask, 12, UINT64_C(0x0000f0f00000f0f0));
    return block_mask_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

/* The same within each 16 bits, the lanes of a group: the two middle bits of a lane's number change places. */
static inline uint64_t block_mask_groups_to_rows(uint64_t mask)
{
    return block_mask_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

static inline uint64_t block_mask_groups_to_morton(uint64_t mask)
{
    return block_mask_groups_to_rows(mask);
}

#endif
