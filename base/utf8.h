/* SPDX-License-Identifier: MIT */
/* Text from outside as UTF-8 (RFC 3629) that others can read. */
#ifndef HALCYON_BASE_UTF8_H
#define HALCYON_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the character at `text`, 1 to 4; 0: there is none (a broken sequence, an overlong one, a surrogate). */
size_t utf8_length(const char *text);

/* Is the character of `length` bytes (utf8_length) one that no reader sees but a terminal obeys: of C0 or C1 (Unicode, section
 * 23.1) or DEL, or one that changes the direction of what stands around it (UAX #9, section 2)? */
bool utf8_is_control(const char *text, size_t length);

/* Copies `from` as one line of well-formed UTF-8: each byte that belongs to no character becomes U+FFFD, each control
 * character a space. Cut between two characters when `size` bytes, the last of them 0, do not hold it. */
void utf8_clean(char *to, size_t size, const char *from);

/* Room for one escaped character and a 0. */
#define UTF8_ESCAPED 17

/* The first character of `from`, of which `left` bytes remain (1 or more), as it may be printed: itself, or \xNN for each byte of
 * a control character and for a byte that belongs to no character. Returns the bytes it takes of `from`. */
size_t utf8_escape(char to[UTF8_ESCAPED], const char *from, size_t left);

/* Text that others have made, as one line that does no more than be read: utf8_escape of all of it. Cut between two characters
 * when `size` bytes, the last of them 0, do not hold it. */
void utf8_escape_text(char *to, size_t size, const char *from);
void utf8_print(FILE *file, const char *text);

#endif
