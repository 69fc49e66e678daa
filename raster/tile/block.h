/* SPDX-License-Identifier: MIT */
/* Blocks of 8x8 pixels in a tile, and planes of depth over them. */
#ifndef HALCYON_RASTER_TILE_BLOCK_H
#define HALCYON_RASTER_TILE_BLOCK_H

#include "base/base.h"
#include "base/simd/simd4.h"
#include "raster/kernels/kernels.h"
#include "raster/raster.h"
#include "raster/scene.h"

#define BLOCK_SIZE  8 /* pixels a side */
#define ROW_BLOCKS  RASTER_ROW_BLOCKS
#define TILE_BLOCKS (ROW_BLOCKS * ROW_BLOCKS)
#define WHOLE_BLOCK (~UINT64_C(0)) /* the mask of all its pixels */
_Static_assert(TILE_BLOCKS == 64, "a mask of 64 bits has one for each block of a tile");

/* The least and the greatest depth in the 8x8 pixels of a block, to the bit; 0..1. */
struct depth_range {
    float least, greatest;
};

/* A value of each block of a row. */
#define ROW_VECTORS     (ROW_BLOCKS / SIMD4_LANES)
#define FOR_ROW_VECTORS _Pragma("GCC unroll 2") for (unsigned i = 0; i < ROW_VECTORS; i++)

/* struct depth_range of each block of a row; 0..1 where nothing is known. */
struct row_range {
    float4 least[ROW_VECTORS], greatest[ROW_VECTORS];
};

/* Bits of a row to lanes of vector i, all ones or all zeros; and the signs of lanes to bits. */
static inline int4 row_lanes(uint32_t bits, unsigned i)
{
    const int4 bit = {1, 2, 4, 8};

    return (int4_splat((int32_t)(bits >> i * SIMD4_LANES)) & bit) == bit;
}
static inline uint32_t row_bits(const int4 lanes[ROW_VECTORS])
{
    return (uint32_t)int4_signs(lanes[0]) | (uint32_t)int4_signs(lanes[1]) << SIMD4_LANES;
}

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

/* False: the plane may overflow or is NaN, which has no order. */
static inline bool depth_plane_is_bounded(const struct depth_plane *plane)
{
    return __builtin_fabsf(plane->a) + __builtin_fabsf(plane->dx) + __builtin_fabsf(plane->dy) < 1e30f;
}

/* The range of a plane in the pixels from (x0, y0) to (x1, y1). False: the plane overflows, and the range is unknown.
 * Nothing is approximated: a plane's depth is a chain of float operations, each monotonic in x and in y because
 * rounding is, so the least and the greatest depth are those of two of the corners, to the bit. */
static inline bool depth_plane_rect_range(const struct depth_plane *plane, int x0, int y0, int x1, int y1,
                                          struct depth_range *range)
{
    const float a = plane->a, dx = plane->dx, dy = plane->dy;
    const float left = (float)x0 - plane->x, right = left + (float)(x1 - x0);
    const float top = (float)y0 - plane->y, bottom = top + (float)(y1 - y0);

    if (!depth_plane_is_bounded(plane))
        return false;
    const float least = a + (dx < 0.0f ? right : left) * dx + (dy < 0.0f ? bottom : top) * dy;
    const float greatest = a + (dx < 0.0f ? left : right) * dx + (dy < 0.0f ? top : bottom) * dy;
    range->least = least > 0.0f ? BASE_MIN(least, 1.0f) : 0.0f;
    range->greatest = greatest > 0.0f ? BASE_MIN(greatest, 1.0f) : 0.0f;
    return true;
}

/* The range of a plane in the 8x8 pixels from (x, y) on. */
static inline bool depth_plane_range(const struct depth_plane *plane, int x, int y, struct depth_range *range)
{
    return depth_plane_rect_range(plane, x, y, x + BLOCK_SIZE - 1, y + BLOCK_SIZE - 1, range);
}

/* The ranges of a plane in the blocks of a row whose first pixel is (x, y). Vectors compare all blocks, wanted or not,
 * so every block has a range; that of a plane that is not bounded is 0..1, which decides nothing. */
static inline struct row_range depth_plane_row_range(const struct depth_plane *plane, int x, int y)
{
    const float a = plane->a, dx = plane->dx, dy = plane->dy, extent = (float)(BLOCK_SIZE - 1);
    const float top = (float)y - plane->y, bottom = top + extent;
    const float4 least_y = float4_splat((dy < 0.0f ? bottom : top) * dy);
    const float4 greatest_y = float4_splat((dy < 0.0f ? top : bottom) * dy);
    const int4 first = int4_add(int4_splat(x), (int4){0, BLOCK_SIZE, 2 * BLOCK_SIZE, 3 * BLOCK_SIZE});
    struct row_range range = {{float4_splat(0.0f), float4_splat(0.0f)}, {float4_splat(1.0f), float4_splat(1.0f)}};

    if (!depth_plane_is_bounded(plane))
        return range;
    FOR_ROW_VECTORS
    {
        const int4 at = int4_add(first, int4_splat((int32_t)i * SIMD4_LANES * BLOCK_SIZE));
        const float4 left = float4_from(at) - float4_splat(plane->x), right = left + float4_splat(extent);
        const float4 least_x = (dx < 0.0f ? right : left) * dx, greatest_x = (dx < 0.0f ? left : right) * dx;

        range.least[i] = float4_saturate(float4_splat(a) + least_x + least_y);
        range.greatest[i] = float4_saturate(float4_splat(a) + greatest_x + greatest_y);
    }
    return range;
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
