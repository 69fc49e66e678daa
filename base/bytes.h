/* SPDX-License-Identifier: MIT */
/*
 * Comparing and copying a few words, inline: for hot paths in which a call of the C library takes longer than the work. (Wine's msvcrt.dll,
 * which the Windows builds use, compares memory byte by byte.)
 */
#ifndef HALCYON_BASE_BYTES_H
#define HALCYON_BASE_BYTES_H

#include "base/assert.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t base_word(const void *place, size_t offset)
{
    uint64_t word;

    memcpy(&word, (const uint8_t *)place + offset, sizeof(word));
    return word;
}

/* Is the memory equal? For structures up to some hundred bytes. */
static inline bool base_equal(const void *a, const void *b, size_t bytes)
{
    size_t i = 0;

    for (; i + 32 <= bytes; i += 32) {
        const uint64_t differ = (base_word(a, i) ^ base_word(b, i)) | (base_word(a, i + 8) ^ base_word(b, i + 8)) |
                                (base_word(a, i + 16) ^ base_word(b, i + 16)) |
                                (base_word(a, i + 24) ^ base_word(b, i + 24));

        if (differ)
            return false;
    }
    for (; i + 8 <= bytes; i += 8)
        if (base_word(a, i) != base_word(b, i))
            return false;
    for (; i < bytes; i++)
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
            return false;
    return true;
}

/* Copies a structure that has just been filled in, a DWORD at a time; bytes: a multiple of 4. A processor forwards a single store to a
 * load: a wider load would wait until the stores of all its DWORDs are in the cache. The memory must not overlap. */
static inline void base_copy_dwords(void *restrict to, const void *restrict from, size_t bytes)
{
    BASE_ASSERT(bytes % sizeof(uint32_t) == 0);
#pragma GCC unroll 8
    for (size_t i = 0; i < bytes; i += sizeof(uint32_t)) {
        uint32_t word;

        memcpy(&word, (const uint8_t *)from + i, sizeof(word));
        __asm__("" : "+r"(word)); /* else the compiler joins them to wider ones */
        memcpy((uint8_t *)to + i, &word, sizeof(word));
    }
}

/* Copies memory that does not overlap: up to 32 bytes by their first and their last words, which may have bytes in common. */
static inline void base_copy_short(void *restrict to, const void *restrict from, size_t bytes)
{
    uint8_t *out = to;

    if (__builtin_constant_p(bytes) || bytes > 32 || bytes < 4) {
        memcpy(to, from, bytes);
    } else if (bytes < 8) {
        uint32_t first, last;

        memcpy(&first, from, 4);
        memcpy(&last, (const uint8_t *)from + bytes - 4, 4);
        memcpy(out, &first, 4);
        memcpy(out + bytes - 4, &last, 4);
    } else {
        const size_t second = bytes > 16 ? 8 : 0;
        const uint64_t words[4] = {base_word(from, 0), base_word(from, second), base_word(from, bytes - 8 - second),
                                   base_word(from, bytes - 8)};

        memcpy(out, &words[0], 8);
        memcpy(out + second, &words[1], 8);
        memcpy(out + bytes - 8 - second, &words[2], 8);
        memcpy(out + bytes - 8, &words[3], 8);
    }
}

#endif
