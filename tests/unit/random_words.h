/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same in every run: 32-bit xorshift (Marsaglia, "Xorshift RNGs", 2003). */
#ifndef HALCYON_TESTS_RANDOM_WORDS_H
#define HALCYON_TESTS_RANDOM_WORDS_H

#include <stdint.h>

static uint32_t random_state = 1; /* set by main, or where a sequence starts again; never 0 */

static inline uint32_t random_u32(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

#endif
