/* SPDX-License-Identifier: MIT */
/*
 * Memory that a scene refers to until it has been drawn: allocated piece by piece, released all at once. Programs with
 * their values (pixel/texture_stages.c, pixel/pixel_shader.c) are stored there consecutively.
 */
#ifndef HALCYON_HAL_POOL_H
#define HALCYON_HAL_POOL_H

#include "base/assert.h"
#include "base/base.h"

#include <stddef.h>
#include <stdint.h>

#define HAL_POOL_BLOCK_BYTES (256u << 10)
#define HAL_POOL_BLOCKS      64 /* then the scene is flushed */

struct hal_pool {
    uint8_t *block[HAL_POOL_BLOCKS]; /* kept when the pool is emptied */
    unsigned blocks;                 /* in use */
    size_t used;                     /* bytes of the last of them */
};

/* Aligned to 64 bytes if the sizes of all pieces are multiples of 64. NULL: the pool is full, or out of memory. */
void *hal_pool_take(struct hal_pool *pool, size_t bytes);
/* Returns the piece allocated last. */
static inline void hal_pool_give_back(struct hal_pool *pool, size_t bytes)
{
    BASE_ASSERT(bytes <= pool->used);
    pool->used -= bytes;
}
void hal_pool_reset(struct hal_pool *pool);
void hal_pool_free(struct hal_pool *pool);

#endif
