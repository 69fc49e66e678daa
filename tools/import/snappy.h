/* SPDX-License-Identifier: MIT */
/*
 * Snappy, the compression of apitrace's files: what "Snappy compressed format description" of its sources (format_description.txt) says.
 * The decoder is ours because it is short, checks all that it reads, and spares the static dp2 of the release and its module for
 * pages a library.
 */
#ifndef HALCYON_TOOLS_IMPORT_SNAPPY_H
#define HALCYON_TOOLS_IMPORT_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes that `size` compressed bytes say they become. *head: the bytes that say so. False: they do not, or that many cannot
 * come of so few. */
bool snappy_length(const uint8_t *data, size_t size, size_t *length, size_t *head);
/* Decompresses into `out`, which has room for the `length` bytes of snappy_length. False: the data are damaged; `out` then holds anything. */
bool snappy_expand(const uint8_t *data, size_t size, uint8_t *out, size_t length);

#endif
