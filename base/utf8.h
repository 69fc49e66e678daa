/* SPDX-License-Identifier: MIT */
/* Text from outside as UTF-8 (RFC 3629) that others can read. */
#ifndef HALCYON_BASE_UTF8_H
#define HALCYON_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at `text`, 1 to 4; 0: there is none (a broken sequence, an overlong one, a surrogate). */
size_t utf8_length(const char *text);

/* Copies `from` as one line of well-formed UTF-8: each byte that belongs to no character becomes U+FFFD, each control
 * character a space. Cut between two characters when `size` bytes, the last of them 0, do not hold it. */
void utf8_clean(char *to, size_t size, const char *from);

#endif
