/* SPDX-License-Identifier: MIT */
/* UTF-8, RFC 3629 section 4. */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

size_t utf8_length(const char *text)
{
    const uint8_t *byte = (const uint8_t *)text;
    /* The second byte keeps out overlong forms, surrogates and what is beyond U+10FFFF. */
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

void utf8_clean(char *to, size_t size, const char *from)
{
    static const char replacement[] = "\xef\xbf\xbd";

    while (*from && size > 1) {
        const size_t length = utf8_length(from);
        const char *part = length ? from : replacement;
        size_t bytes = length ? length : sizeof(replacement) - 1;

        if (length == 1 && ((uint8_t)*from < 0x20 || *from == 0x7f))
            part = " ";
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
