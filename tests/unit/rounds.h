/* SPDX-License-Identifier: MIT */
/*
 * Rounds of tests with random numbers: from first_round(n) to before end_round(n), n of them.
 *
 * With TEST_FEWER=5 in the environment, only a fifth of the rounds run; their numbers follow the n usual ones, so that
 * seeds made from them are different. tests/run uses this under the sanitizers, where each round takes several times as
 * long; the usual seeds run natively.
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
