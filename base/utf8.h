/* SPDX-License-Identifier: MIT */
/* External text as valid, printable UTF-8 (RFC 3629). */
#ifndef HALCYON_BASE_UTF8_H
#define HALCYON_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the character at `text`, 1 to 4; 0: no valid character (a broken or overlong sequence, a surrogate). */
size_t utf8_length(const char *text);

/* Copies `from` as one line of well-formed UTF-8: each byte that belongs to no character becomes U+FFFD, each control
 * character a space. Cut between two characters when `size` bytes, the last of them 0, do not hold it. */
void utf8_clean(char *to, size_t size, const char *from);

/* Room for one escaped character and a 0. */
#define UTF8_ESCAPED 17

/* The printable form of the first character of `from`, of which `left` bytes remain (1 or more): the character itself,
 * or \xNN for each byte of a control character and for a byte that belongs to no character. Returns the bytes of `from`
 * that it consumed. */
size_t utf8_escape(char to[UTF8_ESCAPED], const char *from, size_t left);

/* Untrusted text as one line that is safe to print: utf8_escape of all of it. Cut between two characters
 * when `size` bytes, the last of them 0, do not hold it. */
void utf8_escape_text(char *to, size_t size, const char *from);
void utf8_print(FILE *file, const char *text);

#endif
