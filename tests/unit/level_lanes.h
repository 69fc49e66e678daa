/* SPDX-License-Identifier: MIT */
/* Lanes of a register of each CPU level. */
#ifndef HALCYON_TESTS_LEVEL_LANES_H
#define HALCYON_TESTS_LEVEL_LANES_H

#include "base/base.h"

/* 1, 4, 8 and 16: base/simd/simd.h */
static inline unsigned level_lanes(enum cpu_level level)
{
    return level == CPU_SCALAR ? 1 : 2u << level;
}

#endif
