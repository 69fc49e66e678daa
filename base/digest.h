/* SPDX-License-Identifier: MIT */
/* Have bytes changed? Not for files, whose checksums are the formats' own, nor against forged collisions. */
#ifndef HALCYON_BASE_DIGEST_H
#define HALCYON_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* 64 bits of `size` bytes, behind those that `seed` is the digest of (0: none). Where one word has changed it is never the
 * same. */
uint64_t digest_of(const void *bytes, size_t size, uint64_t seed);

#endif
