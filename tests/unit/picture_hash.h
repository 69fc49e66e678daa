/* SPDX-License-Identifier: MIT */
/* The hash that `dp2 replay --hash` prints for a picture (replay/picture.h), computed from what a client sees in a
 * surface. */
#ifndef HALCYON_TESTS_PICTURE_HASH_H
#define HALCYON_TESTS_PICTURE_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "client/client.h"
#include "dp2/dp2.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* surface: a 32-bit X8R8G8B8 surface. Returns false if it cannot be read. */
static inline bool hash_surface(struct client_surface *surface, uint64_t *hash)
{
    const size_t row = (size_t)4 * surface->width;
    uint8_t *pixels = malloc(row * surface->height);
    struct client_lock lock;

    if (!pixels || client_lock(surface, NULL, DDLOCK_READONLY, &lock) != DD_OK) {
        free(pixels);
        return false;
    }
    for (unsigned y = 0; y < surface->height; y++) {
        for (unsigned x = 0; x < surface->width; x++) {
            const uint32_t pixel = dp2_read_u32(lock.bits + y * lock.pitch + 4 * x) | 0xff000000u;

            memcpy(pixels + y * row + 4 * x, &pixel, sizeof(pixel));
        }
    }
    client_unlock(surface);
    *hash = XXH3_64bits_withSeed(pixels, row * surface->height, (uint64_t)surface->height << 32 | surface->width);
    free(pixels);
    return true;
}

#endif
