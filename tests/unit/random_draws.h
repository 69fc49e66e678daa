/* SPDX-License-Identifier: MIT */
/* Random numbers for tests that draw random primitives: the same numbers for the same seed. */
#ifndef HALCYON_TESTS_RANDOM_DRAWS_H
#define HALCYON_TESTS_RANDOM_DRAWS_H

#include <stdint.h>

static uint32_t seed;

static inline uint32_t random_bits(void) /* 24 of them */
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static inline unsigned below(unsigned n)
{
    return random_bits() % n;
}

/* 0..1 */
static inline float unit(void)
{
    return (float)below(65536) / 65535.0f;
}

#endif
