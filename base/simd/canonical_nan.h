/* SPDX-License-Identifier: MIT */
/* The one NaN that programs take in and give: whatever made a NaN, and on whatever machine, it becomes this one. */
#ifndef HALCYON_BASE_SIMD_CANONICAL_NAN_H
#define HALCYON_BASE_SIMD_CANONICAL_NAN_H

#define CANONICAL_NAN_BITS 0x7fc00000

#endif
