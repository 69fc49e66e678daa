/* SPDX-License-Identifier: MIT */
/* Blocks of 8x8 pixels in a tile, and planes of depth over them. */
#ifndef HALCYON_RASTER_TILE_BLOCK_H
#define HALCYON_RASTER_TILE_BLOCK_H

#include "base/base.h"
#include "raster/raster.h"
#include "raster/scene.h"

#define BLOCK_SIZE  8 /* pixels a side */
#define TILE_BLOCKS ((RASTER_TILE_SIZE / BLOCK_SIZE) * (RASTER_TILE_SIZE / BLOCK_SIZE))
#define WHOLE_BLOCK (~UINT64_C(0)) /* the mask of all its pixels */
_Static_assert(TILE_BLOCKS == 64, "a mask of 64 bits has one for each block of a tile");

/* Depth a + dx (px - x) + dy (py - y) at the centre of pixel (px, py), clamped to 0..1. */
struct depth_plane {
    float a, dx, dy, x, y;
};

/* The least and the greatest depth in the 8x8 pixels of a block, to the bit; 0..1. */
struct depth_range {
    float least, greatest;
};

/* The number of the block, row by row in its tile, that a pixel lies in. */
static inline unsigned tile_block_of(int x, int y)
{
    return (unsigned)y / BLOCK_SIZE % 8 * 8 + (unsigned)x / BLOCK_SIZE % 8;
}

static inline struct depth_plane depth_plane_of(const struct scene_primitive *primitive)
{
    return (struct depth_plane){primitive->depth.a[0], primitive->depth.dx[0], primitive->depth.dy[0],
                                primitive->reference_x, primitive->reference_y};
}

/* The range of a plane in the 8x8 pixels from (x, y) on. False: the plane overflows, and nothing can be said.
 * Nothing is approximated: a plane's depth is a chain of float operations, each monotonic in x and in y because rounding
 * is, so the least and the greatest depth are those of two of the corners, to the bit. */
static inline bool depth_plane_range(const struct depth_plane *plane, int x, int y, struct depth_range *range)
{
    const float a = plane->a, dx = plane->dx, dy = plane->dy;
    const float left = (float)x - plane->x, right = left + (float)(BLOCK_SIZE - 1);
    const float top = (float)y - plane->y, bottom = top + (float)(BLOCK_SIZE - 1);

    if (!(__builtin_fabsf(a) + __builtin_fabsf(dx) + __builtin_fabsf(dy) <
          1e30f)) /* nor NaN: its order means nothing */
        return false;
    const float least = a + (dx < 0.0f ? right : left) * dx + (dy < 0.0f ? bottom : top) * dy;
    const float greatest = a + (dx < 0.0f ? left : right) * dx + (dy < 0.0f ? top : bottom) * dy;
    range->least = least > 0.0f ? BASE_MIN(least, 1.0f) : 0.0f;
    range->greatest = greatest > 0.0f ? BASE_MIN(greatest, 1.0f) : 0.0f;
    return true;
}

/* The bits of 4x4 group 0..3 in the mask of a block. */
static inline uint32_t tile_group_bits(uint64_t covered, unsigned group)
{
    return (uint32_t)(covered >> (group * RASTER_GROUP_LANES)) & 0xffff;
}

/* How many bits are set. (The scalar and SSE2 machines have no instruction for it.) */
static inline unsigned tile_count(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)((v * UINT64_C(0x0101010101010101)) >> 56);
}

#endif
