/* SPDX-License-Identifier: MIT */
/* The decoder of Snappy's format. */
#include "tools/import/snappy.h"

#include <string.h>

#define MOST_GROWTH 22 /* an element of three bytes, the densest, becomes up to 64 */

struct input {
    const uint8_t *at, *end;
};

/* A little-endian number of 1 to 4 bytes. False: there are fewer. */
static bool take_number(struct input *in, unsigned bytes, size_t *number)
{
    if ((size_t)(in->end - in->at) < bytes)
        return false;
    *number = 0;
    for (unsigned i = 0; i < bytes; i++)
        *number |= (size_t)*in->at++ << 8 * i;
    return true;
}

bool snappy_length(const uint8_t *data, size_t size, size_t *length, size_t *head)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size && i < 5; i++) {
        value |= (uint64_t)(data[i] & 0x7f) << 7 * i;
        if (data[i] & 0x80)
            continue;
        *length = (size_t)value;
        *head = i + 1;
        return value <= UINT32_MAX && value <= (uint64_t)(size - i - 1) * MOST_GROWTH;
    }
    return false;
}

/* The length of a literal, whose shortest forms are in the tag. */
static bool take_literal(struct input *in, unsigned tag, size_t *length)
{
    const unsigned size = tag >> 2;

    if (size < 60)
        *length = size;
    else if (!take_number(in, size - 59, length))
        return false;
    ++*length;
    return *length <= (size_t)(in->end - in->at);
}

/* How many bytes an element copies, and from how far back. */
static bool take_copy(struct input *in, unsigned tag, size_t *length, size_t *back)
{
    if ((tag & 3) == 1) {
        *length = (tag >> 2 & 7) + 4;
        if (!take_number(in, 1, back))
            return false;
        *back |= (size_t)(tag >> 5) << 8;
        return true;
    }
    *length = (tag >> 2) + 1;
    return take_number(in, (tag & 3) == 2 ? 2 : 4, back);
}

bool snappy_expand(const uint8_t *data, size_t size, uint8_t *out, size_t length)
{
    struct input in = {.end = data + size};
    size_t said, head, done = 0, count, back;

    if (!snappy_length(data, size, &said, &head) || said != length)
        return false;
    in.at = data + head;
    while (in.at < in.end) {
        const unsigned tag = *in.at++;

        if ((tag & 3) == 0) {
            if (!take_literal(&in, tag, &count) || count > length - done)
                return false;
            memcpy(out + done, in.at, count);
            in.at += count;
            done += count;
            continue;
        }
        if (!take_copy(&in, tag, &count, &back) || back == 0 || back > done || count > length - done)
            return false;
        for (size_t i = 0; i < count; i++, done++) /* (it may copy what it has just written) */
            out[done] = out[done - back];
    }
    return done == length;
}
