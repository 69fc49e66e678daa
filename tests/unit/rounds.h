/* SPDX-License-Identifier: MIT */
/*
 * Rounds of tests with random numbers: from first_round(n) to before end_round(n), n of them.
 *
 * TEST_FEWER=5 in the environment: a fifth of them, behind the n usual ones, so that seeds made of a round's number are others.
 * Under the sanitizers tests/run asks for that: each round takes several times as long there, and the usual seeds run natively.
 */
#ifndef HALCYON_TESTS_ROUNDS_H
#define HALCYON_TESTS_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t fewer_rounds(void)
{
    const char *wanted = getenv("TEST_FEWER");
    const unsigned long times = wanted ? strtoul(wanted, NULL, 10) : 1;

    return times > 1 ? (uint32_t)times : 1;
}

static inline uint32_t first_round(uint32_t count)
{
    return fewer_rounds() > 1 ? count : 0;
}

static inline uint32_t end_round(uint32_t count)
{
    return first_round(count) + (count + fewer_rounds() - 1) / fewer_rounds();
}

#endif
