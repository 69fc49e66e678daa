/* SPDX-License-Identifier: MIT */
/* Blocks of memory that a scene fills piece by piece and releases at once. */
#include "hal/pool.h"

#include "base/assert.h"
#include "base/base.h"

#include <string.h>

static bool begin_block(struct hal_pool *pool)
{
    if (pool->blocks == HAL_POOL_BLOCKS)
        return false;
    uint8_t **block = &pool->block[pool->blocks];
    if (!*block)
        *block = mem_alloc_aligned(HAL_POOL_BLOCK_BYTES);
    if (!*block)
        return false;
    pool->blocks++;
    pool->used = 0;
    return true;
}

void *hal_pool_take(struct hal_pool *pool, size_t bytes)
{
    if (bytes > HAL_POOL_BLOCK_BYTES)
        return NULL;
    if ((!pool->blocks || bytes > HAL_POOL_BLOCK_BYTES - pool->used) && !begin_block(pool))
        return NULL;
    BASE_ASSERT(bytes % 64 || pool->used % 64 || (uintptr_t)pool->block[pool->blocks - 1] % 64 == 0);
    void *memory = pool->block[pool->blocks - 1] + pool->used;
    pool->used += bytes;
    return memory;
}

void hal_pool_reset(struct hal_pool *pool)
{
    pool->blocks = 0;
    pool->used = 0;
}

void hal_pool_free(struct hal_pool *pool)
{
    for (unsigned i = 0; i < HAL_POOL_BLOCKS; i++)
        mem_free_aligned(pool->block[i]);
    memset(pool, 0, sizeof(*pool));
}
