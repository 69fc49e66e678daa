/* SPDX-License-Identifier: MIT */
/*
 * Sixteen bytes at a time where texels divide them: both sides are read, and the destination gets one or the other. As
 * with memmove, the direction depends on which side comes first, so that no texel of the source is overwritten before it
 * is read.
 */
#include "hal/resource/copy/keyed_rows.h"

#include <string.h>

#define BLOCK 16 /* bytes */

static inline uint32_t read_texel(const uint8_t *p, unsigned bytes)
{
    uint32_t texel = p[0];

    for (unsigned i = 1; i < bytes; i++)
        texel |= (uint32_t)p[i] << (8 * i);
    return texel;
}

/* From `x` up to `end`, or from `end` down to `x`. */
static void copy_texels(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, size_t x, size_t end,
                        bool backward)
{
    for (size_t i = x; i < end; i++) {
        const size_t at = (backward ? end - 1 - (i - x) : i) * r->texel;

        if (r->source_keyed && (read_texel(from + at, r->texel) & r->mask) == r->source_key)
            continue;
        if (r->destination_keyed && (read_texel(to + at, r->texel) & r->mask) != r->destination_key)
            continue;
        memmove(to + at, from + at, r->texel);
    }
}

/* copy_blocks_BITS: whole blocks of a row, of texels with that many bits. */
#define COPY_BLOCKS(bits)                                                                                          \
    typedef uint##bits##_t lanes_##bits __attribute__((vector_size(BLOCK)));                                       \
    static void copy_blocks_##bits(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, size_t count, \
                                   bool backward)                                                                  \
    {                                                                                                              \
        const uint##bits##_t all = (uint##bits##_t) - 1;                                                           \
        const lanes_##bits none = {0};                                                                             \
        const lanes_##bits mask = none + (uint##bits##_t)r->mask;                                                  \
        const lanes_##bits skipped = none + (uint##bits##_t)r->source_key;                                         \
        const lanes_##bits replaced = none + (uint##bits##_t)r->destination_key;                                   \
        const lanes_##bits by_source = none + (uint##bits##_t)(r->source_keyed ? all : 0);                         \
        const lanes_##bits by_destination = none + (uint##bits##_t)(r->destination_keyed ? all : 0);               \
                                                                                                                   \
        for (size_t i = 0; i < count; i++) {                                                                       \
            const size_t at = (backward ? count - 1 - i : i) * BLOCK;                                              \
            lanes_##bits in, out, left;                                                                            \
                                                                                                                   \
            memcpy(&in, from + at, BLOCK);                                                                         \
            memcpy(&out, to + at, BLOCK);                                                                          \
            left = (lanes_##bits)((in & mask) == skipped) & by_source;                                             \
            left |= (lanes_##bits)((out & mask) != replaced) & by_destination;                                     \
            out = (in & ~left) | (out & left);                                                                     \
            memcpy(to + at, &out, BLOCK);                                                                          \
        }                                                                                                          \
    }

COPY_BLOCKS(8)
COPY_BLOCKS(16)
COPY_BLOCKS(32)

static void copy_blocks(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, size_t count, bool backward)
{
    if (r->texel == 1)
        copy_blocks_8(r, to, from, count, backward);
    else if (r->texel == 2)
        copy_blocks_16(r, to, from, count, backward);
    else
        copy_blocks_32(r, to, from, count, backward);
}

static void copy_row(const struct hal_keyed_rows *r, uint8_t *to, const uint8_t *from, bool backward)
{
    const size_t per_block = r->texel == 3 ? 0 : BLOCK / r->texel, blocks = per_block ? r->width / per_block : 0;
    const size_t rest = blocks * per_block; /* the first texel after the blocks */

    if (backward)
        copy_texels(r, to, from, rest, r->width, true);
    if (blocks)
        copy_blocks(r, to, from, blocks, backward);
    if (!backward)
        copy_texels(r, to, from, rest, r->width, false);
}

void hal_keyed_copy(const struct hal_keyed_rows *r)
{
    const bool backward = (uintptr_t)r->to > (uintptr_t)r->from;

    for (size_t i = 0; i < r->height; i++) {
        const size_t y = backward ? r->height - 1 - i : i;

        copy_row(r, r->to + y * r->to_pitch, r->from + y * r->from_pitch, backward);
    }
}
