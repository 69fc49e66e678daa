/* SPDX-License-Identifier: MIT */
/* A fast digest of bytes. It finds changes, and does not protect against forged data. */
#include "base/digest.h"

#include <string.h>

/* Different words give different digests, and the reverse. */
static inline uint64_t digest_mix(uint64_t digest, uint64_t word)
{
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 32;
}

/* Four digests side by side, so that multiplications overlap. */
uint64_t digest_of(const void *data, size_t size, uint64_t seed)
{
    const uint8_t *bytes = data;
    uint64_t lane[4] = {1, 2, 3, 4}, digest = digest_mix(seed, size);

    for (; size >= 32; size -= 32, bytes += 32)
        for (unsigned i = 0; i < 4; i++) {
            uint64_t word;
            memcpy(&word, bytes + 8 * i, 8);
            lane[i] = digest_mix(lane[i], word);
        }
    for (unsigned i = 0; i < 4; i++)
        digest = digest_mix(digest, lane[i]);
    for (; size; size--)
        digest = digest_mix(digest, *bytes++);
    return digest;
}
