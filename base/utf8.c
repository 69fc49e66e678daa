/* SPDX-License-Identifier: MIT */
/* UTF-8, RFC 3629 section 4. */
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t utf8_length(const char *text)
{
    const uint8_t *byte = (const uint8_t *)text;
    /* The second byte excludes overlong forms, surrogates and codes beyond U+10FFFF. */
    uint8_t low = 0x80, high = 0xbf;
    size_t length;

    if (byte[0] < 0x80)
        return 1;
    if (byte[0] < 0xc2 || byte[0] > 0xf4)
        return 0;
    length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (byte[0] == 0xe0)
        low = 0xa0;
    if (byte[0] == 0xed)
        high = 0x9f;
    if (byte[0] == 0xf0)
        low = 0x90;
    if (byte[0] == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (byte[i] < low || byte[i] > high)
            return 0;
    return length;
}

/* Is the character of `length` bytes (utf8_length) an invisible one that controls a terminal: of C0 or C1 (Unicode,
 * section 23.1) or DEL, or one that changes the direction of the text around it (UAX #9, section 2)? */
static bool utf8_is_control(const char *text, size_t length)
{
    const uint8_t *byte = (const uint8_t *)text;
    uint32_t code;

    if (length == 1)
        return byte[0] < 0x20 || byte[0] == 0x7f;
    if (length == 2) {
        code = (byte[0] & 0x1fu) << 6 | (byte[1] & 0x3fu);
        return code < 0xa0 || code == 0x61c;
    }
    if (length != 3)
        return false;
    code = (byte[0] & 0xfu) << 12 | (byte[1] & 0x3fu) << 6 | (byte[2] & 0x3fu);
    return code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t utf8_escape(char to[UTF8_ESCAPED], const char *from, size_t left)
{
    char text[5] = ""; /* a sequence may be cut where `from` ends */
    size_t length;

    memcpy(text, from, left < 4 ? left : 4);
    length = utf8_length(text);
    if (length && !utf8_is_control(text, length)) {
        memcpy(to, text, length);
        to[length] = 0;
        return length;
    }
    length = length ? length : 1;
    for (size_t i = 0; i < length; i++)
        snprintf(to + 4 * i, 5, "\\x%02x", (uint8_t)text[i]);
    return length;
}

void utf8_escape_text(char *to, size_t size, const char *from)
{
    char one[UTF8_ESCAPED];

    for (size_t left = strlen(from); left && size;) {
        const size_t length = utf8_escape(one, from, left), bytes = strlen(one);

        if (bytes >= size)
            break;
        memcpy(to, one, bytes);
        to += bytes;
        size -= bytes;
        from += length;
        left -= length;
    }
    if (size)
        *to = 0;
}

void utf8_print(FILE *file, const char *text)
{
    char one[UTF8_ESCAPED];

    for (size_t left = strlen(text); left;) {
        const size_t length = utf8_escape(one, text, left);
        fputs(one, file);
        text += length;
        left -= length;
    }
}

void utf8_clean(char *to, size_t size, const char *from)
{
    static const char replacement[] = "\xef\xbf\xbd";

    while (*from && size > 1) {
        const size_t length = utf8_length(from);
        const char *part = length ? from : replacement;
        size_t bytes = length ? length : sizeof(replacement) - 1;

        if (utf8_is_control(from, length)) {
            part = " ";
            bytes = 1;
        }
        if (bytes >= size)
            break;
        memcpy(to, part, bytes);
        to += bytes;
        size -= bytes;
        from += length ? length : 1;
    }
    if (size)
        *to = 0;
}
