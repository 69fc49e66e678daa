/* SPDX-License-Identifier: MIT */
/*
 * Random numbers for tests: the same numbers for the same seed on every platform. The generator is PCG-RXS-M-XS-32
 * (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation",
 * 2014): any seed is good, and so is each bit of a number. The programs of examples/ do not include this file, because
 * they are to be read without tests/.
 */
#ifndef HALCYON_TESTS_RANDOM_H
#define HALCYON_TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* 32 random bits, and the next state of the sequence. */
static inline uint32_t random_next(uint32_t *state)
{
    const uint32_t old = *state, word = (old >> ((old >> 28) + 4) ^ old) * 277803737u;

    *state = old * 747796405u + 2891336453u;
    return word >> 22 ^ word;
}

/* The sequence of most tests. A test sets it where its numbers begin. */
static uint32_t random_seed = 1;

static inline uint32_t random_word(void)
{
    return random_next(&random_seed);
}

/* 0..count - 1; count is not 0. */
static inline uint32_t random_below(uint32_t count)
{
    return random_word() % count;
}

static inline bool random_one_in(uint32_t count)
{
    return random_below(count) == 0;
}

/* 0..1 without 1, in steps of 2^-24. */
static inline float random_unit(void)
{
    return (float)(random_word() >> 8) / 16777216.0f;
}

/* low..high. */
static inline float random_between(float low, float high)
{
    return low + (high - low) * random_unit();
}

#endif
