/* SPDX-License-Identifier: MIT */
/* A digest to detect changed bytes. Not for files, whose formats define their own checksums, and not safe against
 * forged collisions. */
#ifndef HALCYON_BASE_DIGEST_H
#define HALCYON_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Returns a 64-bit digest of `size` bytes, which continue the bytes whose digest is `seed` (0: none). If only one word
 * changes, the digest always changes. */
uint64_t digest_of(const void *bytes, size_t size, uint64_t seed);

#endif
