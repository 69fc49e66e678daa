/* SPDX-License-Identifier: MIT */
/* The NaN that shader programs take in and return: any NaN, from whichever operation or machine, is replaced by this
 * one. */
#ifndef HALCYON_BASE_SIMD_CANONICAL_NAN_H
#define HALCYON_BASE_SIMD_CANONICAL_NAN_H

#define CANONICAL_NAN_BITS 0x7fc00000

#endif
