/* SPDX-License-Identifier: MIT */
/*
 * Aligns two sequences, as diff(1) does: a longest common subsequence (Myers, "An O(ND) Difference Algorithm and Its
 * Variations", 1986).
 */
#ifndef HALCYON_TOOLS_COMPARE_ALIGN_H
#define HALCYON_TOOLS_COMPARE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALIGN_NONE SIZE_MAX

/* match[i], of each of the a_count elements of a: the number of the same element of b, or ALIGN_NONE; they ascend.
 * Sequences that differ in some thousand places are matched only at their beginnings and ends. Returns false if out
 * of memory. */
bool align_sequences(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, size_t *match);

#endif
